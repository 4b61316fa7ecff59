#include "driver/plugin_review.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does the plug-in keep memory or files? The same pair is made again and again
 * in one process, and everything of Halyard's is freed each time: what stays is
 * the plug-in's.
 */

// The smallest block of the allocator takes 32 bytes; one that is lost in each round shows in every part.
enum { WARM = 20, ROUNDS = 40, PARTS = 4, LEAST_BYTES = 24, SECONDS = 20 };

typedef struct {
  int64_t bytes, files; // per round; in all
  int done;
} leak;

static int64_t count_files(void) {
  int64_t count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) count++;
  if (folder) closedir(folder);
  return count;
}

static int64_t used(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

typedef struct {
  const hy_case *c;
  int rounds;
} repetition;

static void *repeat_here(void *argument) {
  const repetition *r = argument;
  for (int i = 0; i < r->rounds; i++) {
    hy_judgement j;
    hy_judge(r->c, 0, false, &j);
  }
  return NULL;
}

// The C library counts freed blocks that it keeps for a thread as used; they are given back when the thread ends.
static bool repeat(const hy_case *c, int rounds) {
  repetition r = {c, rounds};
  pthread_t thread;
  return pthread_create(&thread, NULL, repeat_here, &r) == 0 && pthread_join(thread, NULL) == 0;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void measure(const hy_case *c, leak *out) {
  if (!repeat(c, WARM)) return;
  int64_t files = count_files(), before = used(), grown = INT64_MAX;
  for (int i = 0; i < PARTS; i++) { // in each of them: no table that doubles
    if (!repeat(c, ROUNDS)) return;
    int64_t now = used();
    grown = least(grown, (now - before) / ROUNDS);
    before = now;
  }
  out->bytes = grown >= LEAST_BYTES ? grown : 0;
  out->files = count_files() - files;
  out->done = before > 0;
}

// A schedule of one line that the plug-in accepts, for a stage with pure and
// with reduction loops.
static bool find_case(const hy_review *r, hy_case *c) {
  for (uint64_t i = 0; i < 60; i++) {
    hy_campaign_options options = {
        .seed = r->seed + 77, .favourite = HY_DIRECTIVE_PLUGIN, .plugins = r->plugins, .neighbour = HY_NO_DIRECTIVE};
    hy_walk walk;
    if (hy_campaign_case(&options, i, c, &walk) && walk.picked[HY_DIRECTIVE_PLUGIN] && !c->illegal) return true;
    hy_case_free(c);
  }
  return false;
}

void hy_review_leaks(hy_review *r) {
  leak *out = hy_shared_new(sizeof *out);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    hy_case c;
    alarm(SECONDS);
    if (find_case(r, &c)) measure(&c, out);
    _exit(0);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0) continue;
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM) hy_review_see_deaths(r, strsignal(WTERMSIG(status)));
  r->leaks_measured = out->done && WIFEXITED(status);
  r->leaked_bytes = out->bytes;
  r->leaked_files = out->files;
  hy_shared_free(out, sizeof *out);
}
