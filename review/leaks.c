#include "review/review.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>

/* Does the plug-in keep memory or files? The same pair is made again and again
 * in one process, and everything of Halyard's is freed each time: what stays is
 * the plug-in's.
 */

// The smallest block of the allocator takes 32 bytes; one that is lost in each round shows in every part.
enum { WARM = 20, ROUNDS = 40, PARTS = 4, LEAST_BYTES = 24 };

typedef struct {
  int64_t bytes, files; // per round; in all
  int rounds;
  bool done;
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

// What is kept in each of some rounds, at the least: no table that doubles.
static bool grow(const hy_case *c, int rounds, int parts, leak *out) {
  int64_t files = count_files(), before = used(), grown = INT64_MAX;
  for (int i = 0; i < parts; i++) {
    if (!repeat(c, rounds)) return false;
    int64_t now = used();
    grown = least(grown, (now - before) / rounds);
    before = now;
  }
  out->bytes = grown >= LEAST_BYTES ? grown : 0;
  out->files = count_files() - files;
  out->rounds += rounds * parts;
  return before > 0;
}

// What keeps much shows at once, and must not be done often.
static void measure(const hy_case *c, leak *out) {
  if (!repeat(c, 1) || !grow(c, 1, PARTS, out)) return;
  if (out->bytes < HY_REVIEW_MUCH) {
    out->rounds += WARM;
    if (!repeat(c, WARM) || !grow(c, ROUNDS, PARTS, out)) return;
  }
  out->done = true;
}

// A schedule of one line that the plug-in accepts, for a stage with pure and
// with reduction loops.
static bool find_case(const hy_review *r, hy_case *c) {
  for (uint64_t i = 0; i < 60; i++) {
    hy_campaign_options options = {
        .seed = r->seed + 77, .favourite = HY_OWN_DIRECTIVES, .plugins = r->plugins, .neighbour = HY_NO_DIRECTIVE};
    hy_walk walk;
    if (hy_campaign_case(&options, i, c, &walk) && walk.picked[HY_OWN_DIRECTIVES] && !c->illegal) return true;
    hy_case_free(c);
  }
  return false;
}

static void work(hy_review *r, void *self, int to) {
  hy_case c;
  leak found = {0};
  (void)self;
  if (!find_case(r, &c)) return;
  measure(&c, &found);
  hy_case_free(&c);
  hy_write_all(to, &found, sizeof found); // unheard, it was not measured
}

void hy_review_leaks(hy_review *r) {
  hy_text said = {0};
  leak found = {0};
  hy_review_apart(r, work, NULL, hy_review_left(r) / 2, &said); // takes long only if the plug-in is slow
  if (said.length == sizeof found) memcpy(&found, said.data, sizeof found);
  r->leaks_measured = found.done;
  r->leak_rounds = found.rounds;
  r->leaked_bytes = found.bytes;
  r->leaked_files = found.files;
  hy_text_free(&said);
}
