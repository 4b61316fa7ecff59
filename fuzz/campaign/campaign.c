#include "fuzz/campaign/campaign.h"

#include "engines/generator.h"
#include "plugin/plugin.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAIR_SECONDS = 40, PATIENCE = 600 }; // of a processor for one pair; without a word from a worker
enum { STANDSTILL = 30 };                   // seconds without a look at any worker: the campaign was stopped
enum { KEPT_BYTES = 256 << 20, NAP_NANOSECONDS = 2000000 };

bool hy_campaign_case(const hy_campaign_options *o, uint64_t index, hy_case *c, hy_walk *walk) {
  hy_choices choices = hy_choices_of_seed(hy_splitmix(o->seed, index));
  hy_generate_options options = {o->favourite, o->neighbour, o->plugins, (o->lanes & HY_LANE_GAP) != 0,
                                 (o->lanes & HY_LANE_TUNE) != 0};
  bool valid = hy_case_generate(&choices, &options, c, walk);
  c->halide = o->halide;
  return valid;
}

/* -- workers: each takes a block and tells of every pair -- */

typedef struct {
  uint64_t index;
  hy_case_relation relation;
  hy_judgement judgement;
  hy_walk walk;
} message;
_Static_assert(sizeof(message) <= 4096, "a pipe takes it whole");

typedef struct {
  pid_t process;      // -1 = none
  int from;           // its messages
  int words;          // its standard error
  uint64_t next, end; // the pair it is at, and the end of its block
  double heard;
  hy_block block;
  bool busy;  // has a block
  bool rests; // has none, and there are no more
} worker;

typedef struct {
  const hy_campaign_options *o;
  hy_campaign *c;
  hy_store store;
  worker *workers;
  uint64_t block_pairs, next_block; // the next block of this shard that may have to be done
  double start;
  uint64_t pairs; // of this run
} campaign_run;

static void judge_index(const hy_campaign_options *o, uint64_t index, message *m) {
  hy_case c;
  *m = (message){.index = index};
  bool valid = hy_campaign_case(o, index, &c, &m->walk);
  m->relation = c.relation;
  hy_judge(&c, hy_lanes_of_pair(o->lanes, index), true, &m->judgement);
  if (valid && m->walk.silent && m->judgement.found < HY_FOUND_SILENT)
    m->judgement.found = HY_FOUND_SILENT, m->judgement.lane = HY_LANE_INTERPRET;
  if (m->judgement.found == HY_FOUND_ACCEPTED && m->walk.planted) {
    snprintf(m->judgement.rule, sizeof m->judgement.rule, "%s", m->walk.planted);
    m->judgement.directive = m->walk.planted_kind;
  }
  hy_case_free(&c);
}

_Noreturn static void work(const hy_campaign_options *o, uint64_t index, uint64_t end, int to, int words) {
  static message m;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  mallopt(M_MMAP_THRESHOLD, KEPT_BYTES); // arenas come and go with every pair: their pages stay
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  hy_judge_speak_to(words);
  for (; index < end; index++) {
    hy_judge_limit(PAIR_SECONDS);
    judge_index(o, index, &m);
    if (write(to, &m, sizeof m) != sizeof m) _exit(9);
  }
  _exit(0);
}

static void start_process(campaign_run *r, worker *w) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  fflush(NULL);
  w->words = hy_judge_hear();
  w->process = fork();
  if (w->process == 0) {
    close(ends[0]);
    if (r->store.file >= 0) close(r->store.file); // the lock is the parent's
    work(r->o, w->next, w->end, ends[1], w->words);
  }
  close(ends[1]);
  w->from = ends[0];
  w->heard = hy_seconds();
}

static int end_process(worker *w, bool kill_it) {
  int status = 0;
  if (w->process <= 0) return 0;
  if (kill_it) kill(w->process, SIGKILL);
  while (waitpid(w->process, &status, 0) < 0 && errno == EINTR) continue;
  close(w->from);
  if (w->words >= 0) close(w->words);
  w->process = -1;
  return status;
}

/* -- blocks -- */

static uint64_t block_end(const campaign_run *r, uint64_t number) {
  uint64_t end = (number + 1) * r->block_pairs;
  return r->o->pairs && end > r->o->pairs ? r->o->pairs : end;
}

// The next block of this shard that is not done; false if there is none.
static bool take_block(campaign_run *r, worker *w) {
  for (;; r->next_block += r->store.header.shards) {
    uint64_t number = r->next_block, first = number * r->block_pairs, end = block_end(r, number);
    if (r->o->pairs && first >= r->o->pairs) return false;
    const hy_block *done = hy_store_find(&r->store, number);
    if (done && done->tally.pairs >= end - first) continue;
    w->block = (hy_block){.number = number};
    w->next = first, w->end = end, w->busy = true;
    r->next_block += r->store.header.shards;
    return true;
  }
}

static void finish_block(campaign_run *r, worker *w) {
  end_process(w, false);
  w->busy = false;
  if (!hy_store_add(&r->store, &w->block, &r->c->trouble)) hy_block_free(&w->block);
}

/* -- what a pair has shown -- */

static bool is_worth_telling(const hy_campaign_options *o, hy_found found) {
  if (found == HY_FOUND_UNEXPORTED || found == HY_FOUND_DECLINED) return true; // counted by reason
  return hy_found_is_failure(found) || (o->out && hy_found_is_weakness(found));
}

static void count(campaign_run *r, worker *w, const message *m) {
  const hy_judgement *j = &m->judgement;
  hy_tally one = {0};
  hy_tally_count(&one, j, &m->walk, m->relation);
  hy_tally_add(&w->block.tally, &one);
  hy_tally_add(&r->c->total, &one);
  r->pairs++;
  r->c->fill_seconds += j->fill_seconds;
  r->c->decide_seconds += j->decide_seconds;
  if (!is_worth_telling(r->o, j->found)) return;
  hy_sighting s = {.index = m->index};
  hy_judgement_key(j, s.key, sizeof s.key);
  hy_vec_push(&w->block.sightings, s);
  if (hy_found_is_failure(j->found) && r->c->failed_at == 0) {
    r->c->failed_at = hy_seconds() - r->start;
    r->c->failed_after = r->pairs;
  }
  if (hy_findings_add(r->c, s.key, m->index, j)) // at once: nothing is lost if we are killed
    hy_findings_write(r->o, r->c, hy_findings_find(r->c, s.key), false);
}

// A worker that died or is stuck: the pair it was at is what did it.
static void count_loss(campaign_run *r, worker *w, bool stuck) {
  int process = (int)w->process, words = dup(w->words), status = end_process(w, stuck);
  message m = {.index = w->next};
  m.walk.planted_kind = HY_NO_DIRECTIVE;
  hy_judge_end(r->o->plugins, process, stuck ? SIGALRM : status, &m.judgement);
  hy_judge_quote(words, &m.judgement);
  m.judgement.lane = HY_LANE_INTERPRET;
  count(r, w, &m);
  w->next++;
}

/* -- the loop -- */

// A process that a plug-in started may keep the pipe open when the worker has ended; then reading does not wait.
static bool has_ended(const worker *w) {
  const double quiet = 0.5;
  siginfo_t info = {0};
  if (hy_seconds() - w->heard < quiet) return false;
  if (waitid(P_PID, (id_t)w->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || !info.si_pid) return false;
  return fcntl(w->from, F_SETFL, O_NONBLOCK) == 0;
}

// False when there is nothing more to do for a worker.
static bool tend(campaign_run *r, worker *w, bool readable) {
  if (!w->busy && !take_block(r, w)) return false;
  if (w->process <= 0) {
    if (w->next < w->end)
      start_process(r, w);
    else
      finish_block(r, w);
    return true;
  }
  if (!readable && !has_ended(w)) {
    if (hy_seconds() - w->heard > PATIENCE) count_loss(r, w, true);
    return true;
  }
  message m;
  if (read(w->from, &m, sizeof m) != sizeof m) {
    if (w->next < w->end)
      count_loss(r, w, false);
    else
      finish_block(r, w);
    return true;
  }
  w->heard = hy_seconds();
  w->next++;
  count(r, w, &m);
  return true;
}

static bool is_over(const campaign_run *r, double now) {
  const hy_campaign_options *o = r->o;
  return (o->seconds > 0 && now >= o->seconds) || (o->stop_at && hy_findings_failures(r->c) >= o->stop_at);
}

// What a machine that slept, or a campaign that was stopped (SIGSTOP), was silent for is no worker's silence.
static void forgive(campaign_run *r, double standstill) {
  for (int i = 0; standstill > STANDSTILL && i < r->o->jobs; i++) r->workers[i].heard += standstill;
}

static void run_workers(campaign_run *r, int signals, hy_campaign_progress *progress, void *self) {
  int jobs = r->o->jobs;
  struct pollfd *ears = hy_allocate_zeroed((size_t)jobs + 1, sizeof *ears);
  double told = 0, now, looked = hy_seconds() - r->start;
  for (bool busy = true; busy && !is_over(r, now = hy_seconds() - r->start); looked = now) {
    forgive(r, now - looked);
    if (progress && now - told > 0.2) {
      progress(self, r->c, now);
      told = now;
    }
    bool waiting = true;
    for (int i = 0; i < jobs; i++) {
      ears[i] = (struct pollfd){r->workers[i].process > 0 ? r->workers[i].from : -1, POLLIN, 0};
      waiting &= r->workers[i].process > 0 || r->workers[i].rests;
    }
    ears[jobs] = (struct pollfd){signals, POLLIN, 0};
    if (poll(ears, (nfds_t)jobs + 1, 0) == 0 && waiting) { // to be woken for every pair costs the worker more
      nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
      poll(ears, (nfds_t)jobs + 1, 200);
    }
    if (ears[jobs].revents & POLLIN) {
      r->c->interrupted = true;
      break;
    }
    busy = false;
    for (int i = 0; i < jobs; i++) {
      r->workers[i].rests = !tend(r, &r->workers[i], ears[i].revents != 0);
      busy |= !r->workers[i].rests;
    }
  }
  free(ears);
}

static void note_resources(hy_campaign *c) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  c->cpu_seconds = hy_children_seconds();
  c->largest = getrusage(RUSAGE_CHILDREN, &used) == 0 ? used.ru_maxrss : 0;
}

static void take_up(hy_campaign *c, const hy_store *store) {
  for (size_t i = 0; i < store->blocks.count; i++) {
    const hy_block *b = &store->blocks.data[i];
    hy_tally_add(&c->total, &b->tally);
    for (size_t k = 0; k < b->sightings.count; k++)
      hy_findings_add(c, b->sightings.data[k].key, b->sightings.data[k].index, NULL);
  }
  c->header = store->header;
  c->resumed = c->total.pairs;
  c->corrupt = store->corrupt;
  c->conflicts = store->conflicts;
}

// In their order, which pairs depend on.
static void name_plugins(const hy_plugins *plugins, char *names, size_t room) {
  *names = 0;
  for (int i = 0; plugins && i < plugins->count; i++) {
    size_t used = strlen(names);
    snprintf(names + used, room - used, "%s%s", i ? "," : "", plugins->items[i]->directive->name);
  }
}

bool hy_campaign_run(const hy_campaign_options *o, hy_campaign_progress *progress, void *self, hy_campaign *c) {
  *c = (hy_campaign){0};
  campaign_run r = {.o = o, .c = c, .store = {.file = -1}, .block_pairs = hy_lanes_block(o->lanes)};
  hy_store_header header = {o->seed, o->shard, o->shards ? o->shards : 1, o->lanes, o->favourite, ""};
  name_plugins(o->plugins, header.plugins, sizeof header.plugins);
  signal(SIGXFSZ, SIG_IGN); // a full disk is an error of write, not a signal
  if (o->out && !hy_store_open(&r.store, o->out, &header, o->resume, &c->trouble)) {
    hy_store_close(&r.store);
    return false;
  }
  r.store.header = header;
  take_up(c, &r.store);
  r.next_block = header.shard;
  r.start = hy_seconds();
  r.workers = hy_allocate_zeroed((size_t)o->jobs, sizeof *r.workers);
  for (int i = 0; i < o->jobs; i++) r.workers[i].process = -1;
  sigset_t stops, before;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigprocmask(SIG_BLOCK, &stops, &before);
  int signals = signalfd(-1, &stops, SFD_CLOEXEC);
  run_workers(&r, signals, progress, self);
  c->seconds = hy_seconds() - r.start;
  for (int i = 0; i < o->jobs; i++) {
    end_process(&r.workers[i], true);
    hy_block_free(&r.workers[i].block);
  }
  note_resources(c);
  if (signals >= 0) close(signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
  c->progress = progress, c->progress_self = self;
  hy_findings_finish(o, c);
  if (o->out) hy_store_write(&r.store, o->out, &c->trouble);
  hy_store_close(&r.store);
  free(r.workers);
  return true;
}

static void copy_case(const hy_campaign_options *o, hy_campaign *c, const char *from, hy_finding *f) {
  char name[HY_KEY_ROOM + 8], pair[32];
  snprintf(name, sizeof name, "%s.case", f->key);
  snprintf(pair, sizeof pair, ", pair %llu\n", (unsigned long long)f->index);
  char *text = hy_store_read_file(from, name);
  if (text && !strstr(text, pair)) { // that of another shard is the least
    free(text);
    return;
  }
  if (text && o->out) hy_store_write_file(o->out, name, text, strlen(text), &c->trouble);
  free(f->text);
  f->text = text;
  hy_findings_read_notes(f);
}

bool hy_campaign_merge(const hy_campaign_options *o, const char *const *folders, size_t count, hy_campaign *c) {
  *c = (hy_campaign){0};
  hy_store store = {.file = -1}, whole = {.file = -1};
  bool good = true;
  for (size_t i = 0; i < count && good; i++) good = hy_store_load(&store, folders[i], &c->trouble);
  if (good && o->out) good = hy_store_open(&whole, o->out, &store.header, false, &c->trouble);
  if (good) {
    take_up(c, &store);
    for (size_t i = 0; i < c->findings.count; i++)
      for (size_t k = 0; k < count && !c->findings.data[i].text; k++) copy_case(o, c, folders[k], &c->findings.data[i]);
    if (o->out) hy_store_write(&store, o->out, &c->trouble);
  }
  hy_store_close(&store);
  hy_store_close(&whole);
  return good;
}

void hy_campaign_free(hy_campaign *c) {
  for (size_t i = 0; i < c->findings.count; i++) {
    free(c->findings.data[i].text);
    free(c->findings.data[i].path);
  }
  hy_vec_free(&c->findings);
  hy_text_free(&c->trouble);
}
