#include "oracle/z3/z3_check.h"

#include "oracle/prover/evaluate.h"
#include "oracle/z3/z3_size.h"
#include "oracle/z3/z3_unknowns.h"
#include "oracle/z3/z3_worker.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORKERS = 8, TICK_MS = 50, WAKE_MS = 2000, MAX_SILENT = 5 };

// One slot: the questions start, start + stride, ..., answered by one process after another.
typedef struct worker {
  pid_t process; // 0 = none
  int pipe;
  size_t next, stride;
  double deadline;    // of the clock
  double used;        // processor seconds, when it began with the question
  bool is_awake;      // has said so
  int silent;         // processes in a row that did not wake up
  HY_VEC(char) bytes; // read and not yet understood
} worker;

typedef struct batch {
  hy_context *context;
  const hy_z3_question *questions;
  size_t count;
  unsigned z3_limit;
  size_t most_unknown; // of the first questions, in order, so many may stay without an answer
  size_t first_open;   // before it all are settled, and so many without an answer:
  size_t unknown;
  bool *settled;
  const hy_z3_watch *watch; // NULL: nobody
  hy_z3_verdict *verdicts;
  worker workers[MAX_WORKERS];
  int worker_count;
} batch;

/* -- emergencies -- */

static hy_z3_emergency emergency;

void hy_z3_set_emergency(const hy_z3_emergency *given) { emergency = given ? *given : (hy_z3_emergency){0}; }

static double now(void) { return emergency.clock ? emergency.clock() : hy_seconds(); }

static double deadline(void) {
  return now() + (emergency.wall_seconds > 0 ? emergency.wall_seconds : HY_Z3_WALL_SECONDS);
}

// Longer each time: the machine may be busy.
static double wake_deadline(const worker *worker) {
  if (emergency.wall_seconds > 0) return now() + emergency.wall_seconds;
  return now() + 1e-3 * WAKE_MS * (1 << worker->silent);
}

// What the worker's process has used of a processor: much the same on a busy machine.
static double processor_seconds(const worker *worker) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(worker->process, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_stuck(const batch *batch, const worker *worker) {
  double usual = 1e-2 * batch->z3_limit, most = usual > 1 ? usual : 1;
  if (emergency.processor_seconds > 0) most = emergency.processor_seconds;
  return now() > worker->deadline || (worker->is_awake && processor_seconds(worker) - worker->used > most);
}

/* -- in order -- */

// A question is settled when it is answered, or never will be. What is not asked any more is so because of what came
// before it, never because of what happened to be answered first.
static void settle(batch *batch, size_t question) {
  batch->settled[question] = true;
  for (; batch->first_open < batch->count && batch->settled[batch->first_open]; batch->first_open++) {
    if (batch->unknown == batch->most_unknown) return;
    batch->unknown += batch->verdicts[batch->first_open].answer == HY_UNKNOWN;
  }
}

static void tell_watch(const batch *batch) {
  if (batch->watch) batch->watch->tell(batch->watch->self, batch->first_open, batch->count);
}

static bool is_over(const batch *batch) { return batch->unknown >= batch->most_unknown; }

/* -- processes -- */

static void stop(worker *worker) {
  if (!worker->process) return;
  kill(worker->process, SIGKILL);
  while (waitpid(worker->process, NULL, 0) < 0 && errno == EINTR) {
  }
  close(worker->pipe);
  worker->process = 0;
  worker->bytes.count = 0;
}

// In the child nothing runs but Z3: no lock of the parent's is needed, no buffer of the parent's is flushed.
static bool start(batch *batch, worker *worker) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  pid_t parent = getpid(), process = fork();
  if (process < 0) {
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (process == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    hy_z3_work(batch->questions, batch->count, worker->next, worker->stride, batch->z3_limit, ends[1]);
  }
  close(ends[1]);
  worker->process = process;
  worker->pipe = ends[0];
  worker->is_awake = false;
  worker->used = 0;
  worker->deadline = wake_deadline(worker);
  return true;
}

/* -- models -- */

typedef struct {
  const hy_unknowns *unknowns;
  const hy_z3_record_value *values;
  uint32_t count;
  bool *used; // by position in values
} assignment;

static bool value_of(void *self, const hy_expr *unknown, hy_wide *value);

// Partial nodes with the same operator and arguments of the same values must have the same value, whatever it is.
static bool same_function(assignment *a, const hy_expr *node, const hy_expr *other) {
  if (node->op != other->op || node->type != other->type) return false;
  for (int i = 0; i < node->count; i++) {
    hy_wide left, right;
    if (!hy_evaluate(node->args[i], value_of, a, &left) || !hy_evaluate(other->args[i], value_of, a, &right))
      return true;
    if (left != right) return false;
  }
  return true;
}

static bool is_function(assignment *a, uint32_t position) {
  const hy_expr *node = a->unknowns->data[a->values[position].unknown];
  for (uint32_t i = 0; i < a->count && hy_is_partial(node); i++) {
    const hy_expr *other = a->unknowns->data[a->values[i].unknown];
    if (i == position || !a->used[i] || !hy_is_partial(other) || a->values[i].value == a->values[position].value)
      continue;
    if (same_function(a, node, other)) return false;
  }
  return true;
}

static bool value_of(void *self, const hy_expr *unknown, hy_wide *value) {
  assignment *a = self;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->unknowns->data[a->values[i].unknown] != unknown) continue;
    bool first = !a->used[i];
    a->used[i] = true;
    *value = a->values[i].value;
    return !first || is_function(a, i);
  }
  return false;
}

// Do the facts hold and the goal not, evaluated without Z3?
static bool replays(const hy_z3_question *question, assignment *a) {
  hy_wide value;
  for (size_t i = 0; i < question->fact_count; i++)
    if (!hy_evaluate(question->facts[i], value_of, a, &value) || value != 1) return false;
  return hy_evaluate(question->goal, value_of, a, &value) && value == 0;
}

// What a conversion of floats gives is not known to be so: Z3 knows orders of it and not more (z3_floats.h).
static bool rests_on_floats(const assignment *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    const hy_expr *unknown = a->unknowns->data[a->values[i].unknown];
    if (a->used[i] && unknown->kind == HY_EXPR_OP && unknown->op == HY_OP_CAST && !unknown->has_access &&
        hy_type_class_of(unknown->args[0]->type) == HY_CLASS_FLOAT)
      return true;
  }
  return false;
}

// A model that does not replay is no model: HY_UNKNOWN.
static void take_model(batch *batch, const hy_z3_question *question, hy_z3_verdict *verdict, assignment *a) {
  hy_arena *arena = hy_context_arena(batch->context);
  a->used = HY_NEW_ARRAY(arena, bool, a->count + 1);
  if (!replays(question, a) || rests_on_floats(a)) return;
  hy_z3_value *model = HY_NEW_ARRAY(arena, hy_z3_value, a->count + 1);
  for (uint32_t i = 0; i < a->count; i++) {
    const hy_expr *unknown = a->unknowns->data[a->values[i].unknown];
    if (!a->used[i] && hy_is_partial(unknown)) continue; // it has its proper value
    model[verdict->model_count++] = (hy_z3_value){unknown, a->values[i].value};
  }
  verdict->model = model;
  verdict->answer = HY_NO;
}

/* -- records -- */

static bool is_sound(const batch *batch, const worker *worker, const hy_z3_record *record) {
  if (!worker->is_awake)
    return record->magic == HY_Z3_MAGIC && record->index == HY_Z3_AWAKE && record->value_count == 0;
  return record->magic == HY_Z3_MAGIC && record->index == worker->next && worker->next < batch->count &&
         record->answer <= HY_UNKNOWN && record->value_count <= UINT32_MAX / 64 &&
         (record->answer == HY_NO || record->value_count == 0);
}

static bool take_record(batch *batch, const hy_z3_record *record, const hy_z3_record_value *values) {
  const hy_z3_question *question = &batch->questions[record->index];
  hy_z3_verdict *verdict = &batch->verdicts[record->index];
  hy_unknowns unknowns = {0};
  bool sound = true;
  if (record->answer == HY_NO) hy_question_unknowns(question, &unknowns);
  for (uint32_t i = 0; i < record->value_count; i++) sound &= values[i].unknown < unknowns.count;
  verdict->seconds = record->seconds;
  verdict->steps = record->steps;
  verdict->answer = record->answer == HY_YES ? HY_YES : HY_UNKNOWN;
  verdict->too_large = record->answer == HY_UNKNOWN && record->steps == 0 && hy_z3_is_too_large(question);
  if (sound && record->answer == HY_NO) {
    assignment a = {.unknowns = &unknowns, .values = values, .count = record->value_count};
    take_model(batch, question, verdict, &a);
  }
  hy_vec_free(&unknowns);
  return sound;
}

// Takes all complete records; false if what came is nonsense.
static bool take_records(batch *batch, worker *worker) {
  size_t at = 0;
  bool sound = true;
  while (sound && worker->bytes.count - at >= sizeof(hy_z3_record)) {
    hy_z3_record record;
    memcpy(&record, worker->bytes.data + at, sizeof record);
    sound = is_sound(batch, worker, &record);
    size_t size = sizeof record + sizeof(hy_z3_record_value) * (sound ? record.value_count : 0);
    if (!sound || worker->bytes.count - at < size) break;
    if (worker->is_awake) {
      hy_z3_record_value *values = hy_allocate(size);
      memcpy(values, worker->bytes.data + at + sizeof record, size - sizeof record);
      sound = take_record(batch, &record, values);
      hy_free(values);
      if (sound) settle(batch, worker->next);
      if (sound) worker->next += worker->stride;
    }
    at += size;
    worker->is_awake = true;
    worker->silent = 0;
    worker->deadline = deadline();
    worker->used = processor_seconds(worker);
  }
  if (at > 0) memmove(worker->bytes.data, worker->bytes.data + at, worker->bytes.count - at);
  worker->bytes.count -= at;
  return sound;
}

/* -- the loop -- */

static bool is_done(const batch *batch, const worker *worker) { return worker->next >= batch->count || is_over(batch); }

static void give_up(batch *batch, worker *worker) {
  batch->verdicts[worker->next].emergency = true;
  settle(batch, worker->next);
  worker->next += worker->stride;
}

static void give_up_all(batch *batch, worker *worker) {
  while (worker->next < batch->count) give_up(batch, worker);
}

// The question that the worker was at stays HY_UNKNOWN; a new process goes on with the next one. A process that never
// woke up was at no question.
static void give_up_question(batch *batch, worker *worker) {
  bool was_awake = worker->is_awake;
  stop(worker);
  if (was_awake)
    give_up(batch, worker);
  else if (++worker->silent == MAX_SILENT)
    give_up_all(batch, worker);
}

static void read_from(batch *batch, worker *worker) {
  enum { CHUNK = 4096 };
  hy_vec_reserve(&worker->bytes, worker->bytes.count + CHUNK);
  ssize_t got = read(worker->pipe, worker->bytes.data + worker->bytes.count, CHUNK);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got > 0) worker->bytes.count += (size_t)got;
  bool sound = got > 0 && take_records(batch, worker);
  if (is_done(batch, worker))
    stop(worker);
  else if (!sound)
    give_up_question(batch, worker); // it died, or lies
}

static void keep_running(batch *batch, worker *worker) {
  if (is_done(batch, worker)) stop(worker);
  if (worker->process && is_stuck(batch, worker)) give_up_question(batch, worker);
  if (!worker->process && !is_done(batch, worker) && !start(batch, worker)) give_up_all(batch, worker);
}

static bool step(batch *batch) {
  struct pollfd polls[MAX_WORKERS];
  worker *polled[MAX_WORKERS];
  nfds_t count = 0;
  for (int i = 0; i < batch->worker_count; i++) {
    worker *worker = &batch->workers[i];
    keep_running(batch, worker);
    if (!worker->process) continue;
    polled[count] = worker;
    polls[count++] = (struct pollfd){.fd = worker->pipe, .events = POLLIN};
  }
  if (count == 0) return false;
  tell_watch(batch);
  if (poll(polls, count, TICK_MS) > 0)
    for (nfds_t i = 0; i < count; i++)
      if (polls[i].revents) read_from(batch, polled[i]);
  return true;
}

static int worker_count(size_t questions) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t count = processors < 1 ? 1 : processors > MAX_WORKERS ? MAX_WORKERS : (size_t)processors;
  return (int)(count < questions ? count : questions);
}

// HY_Z3_HERE: what a worker would say, without one.
static void ask_here(batch *batch) {
  while (batch->first_open < batch->count && !is_over(batch)) {
    size_t i = batch->first_open;
    tell_watch(batch);
    hy_z3_record record = {.index = (uint32_t)i};
    hy_z3_record_value *values = hy_z3_work_here(&batch->questions[i], batch->z3_limit, &record);
    take_record(batch, &record, values);
    hy_free(values);
    settle(batch, i);
  }
}

void hy_z3_check_until(hy_context *context, const hy_z3_question *questions, size_t count, unsigned z3_limit,
                       size_t most_unknown, const hy_z3_watch *watch, hy_z3_verdict *verdicts) {
  batch batch = {.context = context,
                 .questions = questions,
                 .count = count,
                 .z3_limit = z3_limit ? z3_limit : 1,
                 .most_unknown = most_unknown,
                 .watch = watch,
                 .verdicts = verdicts};
  int policy = hy_context_solver(context);
  if (policy == HY_Z3_HELPER)
    batch.worker_count = worker_count(count < most_unknown ? count : most_unknown); // more would ask in vain
  batch.settled = hy_allocate_zeroed(count + 1, sizeof *batch.settled);
  for (size_t i = 0; i < count; i++) verdicts[i] = (hy_z3_verdict){.answer = HY_UNKNOWN};
  for (int i = 0; i < batch.worker_count; i++)
    batch.workers[i] = (worker){.next = (size_t)i, .stride = (size_t)batch.worker_count};
  if (policy == HY_Z3_HERE) ask_here(&batch);
  while (policy == HY_Z3_HELPER && step(&batch)) {
  }
  for (size_t i = batch.first_open; i < count; i++) verdicts[i] = (hy_z3_verdict){.answer = HY_UNKNOWN};
  for (int i = 0; i < batch.worker_count; i++) hy_vec_free(&batch.workers[i].bytes);
  hy_free(batch.settled);
}

void hy_z3_check(hy_context *context, const hy_z3_question *questions, size_t count, unsigned z3_limit,
                 hy_z3_verdict *verdicts) {
  hy_z3_check_until(context, questions, count, z3_limit, count + 1, NULL, verdicts);
}
