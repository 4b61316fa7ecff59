#include "fuzz/campaign.h"

#include "driver/engine.h"
#include "driver/generator.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS_PER_WORKER = 4000, PAIRS_PER_NATIVE_WORKER = 400, PATIENCE = 40, SHRINK_SECONDS = 20, MOST_SHRUNK = 12 };

/* -- workers: each takes every jobs-th pair and tells what it saw -- */

typedef struct {
  uint64_t index;
  hy_judgement judgement;
  hy_walk walk;
} message;

typedef struct {
  pid_t process;
  int from;            // its messages
  uint64_t next, left; // the pair it is at; how many it may still do
  double heard;
} worker;

static void judge_index(const hy_campaign_options *o, uint64_t index, message *m) {
  hy_case c;
  *m = (message){.index = index};
  hy_case_generate(hy_splitmix(o->seed, index), &c, &m->walk, &m->judgement);
  if (m->judgement.found == HY_FOUND_NOTHING) hy_judge(&c, o->lanes, false, &m->judgement);
  hy_case_free(&c);
}

_Noreturn static void work(const hy_campaign_options *o, uint64_t index, uint64_t count, int to) {
  static message m; // small enough for a pipe to take it whole
  signal(SIGPIPE, SIG_DFL);
  if (!freopen("/dev/null", "w", stderr)) _exit(9);
  for (; count-- > 0; index += (uint64_t)o->jobs) {
    judge_index(o, index, &m);
    if (write(to, &m, sizeof m) != sizeof m) _exit(9);
  }
  _exit(0);
}

static void start_worker(const hy_campaign_options *o, worker *w) {
  int ends[2];
  w->process = -1;
  if (pipe(ends) != 0) return;
  w->left = o->lanes & HY_LANE_NATIVE ? PAIRS_PER_NATIVE_WORKER : PAIRS_PER_WORKER;
  uint64_t remaining = o->pairs ? (o->pairs - w->next + (uint64_t)o->jobs - 1) / (uint64_t)o->jobs : w->left;
  if (remaining < w->left) w->left = remaining;
  fflush(NULL);
  w->process = fork();
  if (w->process == 0) {
    close(ends[0]);
    work(o, w->next, w->left, ends[1]);
  }
  close(ends[1]);
  w->from = ends[0];
  w->heard = hy_seconds();
}

static int end_worker(worker *w, bool kill_it) {
  int status = 0;
  if (w->process <= 0) return 0;
  if (kill_it) kill(w->process, SIGKILL);
  while (waitpid(w->process, &status, 0) < 0 && errno == EINTR) continue;
  close(w->from);
  w->process = -1;
  return status;
}

/* -- failures -- */

// Runs in a child: the case of an index, judged again and shrunk, as text. What cannot even be generated has no text.
static char *describe(const hy_campaign_options *o, uint64_t index, double seconds, hy_judgement *judgement) {
  int ends[2];
  if (pipe(ends) != 0) return NULL;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    hy_case c;
    hy_walk walk;
    hy_judgement j = {0};
    close(ends[0]);
    if (!freopen("/dev/null", "w", stderr)) _exit(9);
    hy_case_generate(hy_splitmix(o->seed, index), &c, &walk, &j);
    if (j.found == HY_FOUND_NOTHING) {
      hy_judge_apart(&c, o->lanes, false, &j);
      if (seconds > 0 && j.found >= HY_FOUND_NO_SOLUTION) {
        hy_shrink(&c, o->lanes, &j, seconds);
        hy_judge_apart(&c, o->lanes, true, &j);
      }
    }
    hy_text text = {0}, notes = {0};
    hy_text_printf(&notes, "found: %s\ncampaign seed %" PRIu64 ", pair %" PRIu64 "\n", hy_found_name(j.found), o->seed,
                   index);
    if (j.step >= 0) hy_text_printf(&notes, "first failing step: after %d core directives\n", j.step);
    hy_text_printf(&notes, "%s", j.detail);
    hy_case_print(&c, hy_text_string(&notes), &text);
    bool told = write(ends[1], &j, sizeof j) == sizeof j;
    for (size_t at = 0; told && at < text.length;) {
      ssize_t wrote = write(ends[1], text.data + at, text.length - at);
      told = wrote > 0;
      at += told ? (size_t)wrote : 0;
    }
    _exit(0);
  }
  close(ends[1]);
  hy_text text = {0};
  hy_judgement j;
  char piece[4096];
  bool told = read(ends[0], &j, sizeof j) == sizeof j;
  if (told) *judgement = j;
  for (ssize_t got; told && (got = read(ends[0], piece, sizeof piece)) > 0;)
    hy_text_add_bytes(&text, piece, (size_t)got);
  close(ends[0]);
  waitpid(child, NULL, 0);
  return text.data;
}

static void write_case(const hy_campaign_options *o, hy_campaign *c, hy_failure *f) {
  if (!o->out || !f->text) return;
  if (!f->path && asprintf(&f->path, "%s/%s-%" PRIu64 "-%" PRIu64 ".case", o->out, hy_found_name(f->judgement.found),
                           o->seed, f->index) < 0)
    f->path = NULL;
  FILE *file = f->path ? fopen(f->path, "w") : NULL;
  bool good = file && fputs(f->text, file) >= 0;
  if (file && fclose(file) != 0) good = false;
  c->cannot_write |= !good;
}

static void add_failure(const hy_campaign_options *o, hy_campaign *c, uint64_t index, const hy_judgement *judgement) {
  for (size_t i = 0; i < c->failures.count; i++)
    if (hy_judgement_same(&c->failures.data[i].judgement, judgement)) {
      c->failures.data[i].same++;
      return;
    }
  hy_failure f = {.index = index, .judgement = *judgement};
  hy_judgement again;
  f.text = describe(o, index, 0, &again);
  write_case(o, c, &f); // at once: nothing is lost if we are stopped
  hy_vec_push(&c->failures, f);
}

static void shrink_failures(const hy_campaign_options *o, hy_campaign *c) {
  for (size_t i = 0; i < c->failures.count && i < MOST_SHRUNK; i++) {
    hy_failure *f = &c->failures.data[i];
    hy_judgement judgement = f->judgement;
    char *text = describe(o, f->index, SHRINK_SECONDS, &judgement);
    if (!text) continue;
    free(f->text);
    f->text = text;
    if (hy_judgement_same(&judgement, &f->judgement)) f->judgement = judgement;
    write_case(o, c, f);
  }
}

/* -- counting -- */

static void count_walk(hy_campaign *c, const hy_walk *w) {
  c->planted += w->illegal;
  for (int i = 0; i < HY_DIRECTIVE_KINDS; i++) c->picked[i] += w->picked[i];
  for (int i = 0; i < 3; i++) c->tails[i] += w->tails[i];
  for (int i = 0; i < 4; i++) c->traversals[i] += w->traversals[i];
  c->depths[w->deepest < 4 ? w->deepest : 4]++;
}

static void count(const hy_campaign_options *o, hy_campaign *c, const message *m) {
  const hy_judgement *j = &m->judgement;
  c->pairs++;
  c->found[j->found]++;
  c->obligations += (uint64_t)j->obligations;
  c->proved += (uint64_t)j->proved;
  c->proved_z3 += (uint64_t)j->proved_z3;
  c->refuted += (uint64_t)j->refuted;
  c->unknown += (uint64_t)j->unknown;
  c->with_query += j->obligations > 0;
  c->with_unknown += j->unknown > 0;
  c->runs += (uint64_t)j->runs;
  c->errors += (uint64_t)j->errors;
  c->points += j->points;
  c->fill_seconds += j->fill_seconds;
  c->decide_seconds += j->decide_seconds;
  count_walk(c, &m->walk);
  bool tell =
      hy_found_is_failure(j->found) || (o->out && (j->found == HY_FOUND_UNDECIDED || j->found == HY_FOUND_NO_SOLUTION));
  if (tell) add_failure(o, c, m->index, j);
}

// A worker that died or is stuck: the pair it was at is what did it.
static void count_loss(const hy_campaign_options *o, hy_campaign *c, worker *w, bool stuck) {
  int status = end_worker(w, stuck);
  message m = {.index = w->next};
  m.judgement = (hy_judgement){.found = stuck ? HY_FOUND_HANG : HY_FOUND_CRASH, .step = -1};
  if (!stuck) m.judgement.rule = WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
  snprintf(m.judgement.detail, sizeof m.judgement.detail,
           stuck                 ? "no answer for %d s"
           : WIFSIGNALED(status) ? "signal %d"
                                 : "exit status %d",
           stuck ? PATIENCE : abs(m.judgement.rule));
  count(o, c, &m);
  w->next += (uint64_t)o->jobs;
}

/* -- the loop -- */

// False when a worker has nothing more to do.
static bool tend(const hy_campaign_options *o, hy_campaign *c, worker *w, bool readable) {
  if (w->process <= 0) {
    if (o->pairs && w->next >= o->pairs) return false;
    start_worker(o, w);
    return w->process > 0;
  }
  if (!readable) {
    if (hy_seconds() - w->heard > PATIENCE) count_loss(o, c, w, true);
    return true;
  }
  message m;
  if (read(w->from, &m, sizeof m) == sizeof m) {
    w->next += (uint64_t)o->jobs;
    w->left--;
    w->heard = hy_seconds();
    count(o, c, &m);
  } else if (w->left == 0)
    end_worker(w, false);
  else
    count_loss(o, c, w, false);
  return true;
}

void hy_campaign_run(const hy_campaign_options *options, hy_campaign_progress *progress, void *self, hy_campaign *c) {
  const hy_campaign_options *o = options;
  double start = hy_seconds(), told = 0;
  *c = (hy_campaign){0};
  worker *workers = hy_allocate_zeroed((size_t)o->jobs, sizeof *workers);
  struct pollfd *ears = hy_allocate_zeroed((size_t)o->jobs, sizeof *ears);
  for (int i = 0; i < o->jobs; i++) workers[i] = (worker){.process = -1, .next = (uint64_t)i};
  for (bool busy = true; busy;) {
    double now = hy_seconds() - start;
    if (o->seconds > 0 && now >= o->seconds) break;
    if (progress && now - told > 0.2) {
      progress(self, c, now);
      told = now;
    }
    for (int i = 0; i < o->jobs; i++)
      ears[i] = (struct pollfd){workers[i].process > 0 ? workers[i].from : -1, POLLIN, 0};
    poll(ears, (nfds_t)o->jobs, workers[0].process > 0 ? 200 : 0);
    busy = false;
    for (int i = 0; i < o->jobs; i++) busy |= tend(o, c, &workers[i], ears[i].revents != 0);
  }
  c->seconds = hy_seconds() - start;
  for (int i = 0; i < o->jobs; i++) end_worker(&workers[i], true);
  shrink_failures(o, c);
  free(workers);
  free(ears);
}

void hy_campaign_free(hy_campaign *c) {
  for (size_t i = 0; i < c->failures.count; i++) {
    free(c->failures.data[i].text);
    free(c->failures.data[i].path);
  }
  hy_vec_free(&c->failures);
}
