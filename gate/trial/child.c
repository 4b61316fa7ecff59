// What runs the shipped object: a process of its own, that may be ended by it.

#include "semantics/base/child.h"
#include "codegen/guard/guard.h"
#include "engines/engine.h"
#include "gate/trial/answer.h"
#include "gate/trial/call.h"
#include "gate/trial/emulated/kept.h"
#include "gate/trial/remote.h"
#include "gate/trial/trial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// Of a processor: for one call, and for all runs on so many threads. An input takes an interpreter two million steps at
// most, which code does in milliseconds.
enum { MOST_CALL_SECONDS = 10, MOST_SECONDS = 60, KILL_SECONDS = 65, MOST_WALL_SECONDS = 300 };

// One object, and the run that goes on; a handler of signals needs it.
static struct {
  const hy_trial *trial;
  const hy_emulator *emulator; // NULL: the object is in this process
  hy_shipped_code code;
  hy_remote remote;
  hy_guard_plan plan;
  bool by_name; // the next call is of NAME, not of NAME_argv
  hy_trial_answer answer;
  int pipe, threads, number; // number: of the case; -1: none yet
  hy_foreign_layout in, out;
  hy_shipped_call call;
} now;

/* -- last words -- */

static _Noreturn void end(void) {
  hy_remote_end(&now.remote);
  bool told = hy_write_all(now.pipe, &now.answer, sizeof now.answer);
  _exit(told ? 0 : 1);
}

// Of this machine, not of what is judged.
static _Noreturn void give_up(const char *why) {
  now.answer.verdict = HY_GATE_UNDECIDED;
  snprintf(now.answer.story, sizeof now.answer.story, "%s", why);
  end();
}

static _Noreturn void tell(hy_gate_verdict verdict, const char *what, const char *more) {
  const hy_arguments *a = NULL;
  hy_text input = {0};
  for (size_t i = 0; i < now.trial->cases.count; i++)
    if (now.trial->cases.data[i].number == now.number) a = &now.trial->cases.data[i].arguments;
  now.answer.verdict = verdict;
  if (a) {
    hy_window_print(now.trial->alg, &a->input, &input);
    snprintf(now.answer.input, sizeof now.answer.input, "input %d, window %s, layouts %d and %d, threads %d",
             now.number, hy_text_string(&input), (int)now.in, (int)now.out, now.threads);
  }
  snprintf(now.answer.story, sizeof now.answer.story, "%s%s%s%s", what, more, a ? "; " : "", now.answer.input);
  end();
}

static _Noreturn void wrong(const char *what, const char *more) { tell(HY_GATE_WRONG, what, more); }

// Nothing of what these do may be done in a handler; the process ends right after it.
static void on_late(int signal) {
  static volatile sig_atomic_t once;
  char limit[40];
  (void)signal;
  if (once++) _exit(1);
  snprintf(limit, sizeof limit, "%d s of a processor", MOST_CALL_SECONDS);
  tell(HY_GATE_UNDECIDED, "it did not return within ", limit);
}

// Of the object's own code; 0: it has returned.
static void limit_call(int seconds) {
  const struct itimerval time = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &time, NULL);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  static volatile sig_atomic_t once;
  char where[200] = "";
  (void)context;
  if (once++) _exit(1);
  if (signal == SIGSEGV || signal == SIGBUS) hy_guard_memory_describe(info->si_addr, where, sizeof where);
  wrong(signal == SIGILL ? "it executes an instruction that this processor does not have" : "it accesses memory ",
        where);
}

static void *give(uint64_t bytes) { return hy_guard_block((bytes + 63) / 64 * 64, "the object's own"); }
static void take(void *memory) {
  char story[200];
  if (!hy_guard_block_free(memory, story, sizeof story)) wrong("", story);
}

/* -- one run -- */

static void describe(const hy_trial_case *c) { hy_shipped_describe(&now.call, now.trial->alg, &c->arguments); }

// Of all buffers, images first.
static hy_foreign *buffer_at(int i) {
  int images = now.trial->alg->image_count;
  return i < images ? &now.call.images[i] : &now.call.outputs[i - images];
}

static int32_t call_here(void) {
  static halide_buffer_t were[HY_MOST_PASSED + HY_MAX_OUTPUT_PARTS];
  static halide_dimension_t dims[HY_MOST_PASSED + HY_MAX_OUTPUT_PARTS][HY_MAX_RANK + 1];
  static void *args[HY_COUNT(now.call.args)]; // which the object may overwrite
  const int count = now.trial->alg->image_count + now.trial->alg->part_count;
  bool is_query = false;
  memcpy(args, now.call.args, sizeof args);
  for (int i = 0; i < count; i++) {
    were[i] = buffer_at(i)->buffer;
    memcpy(dims[i], buffer_at(i)->dim, sizeof dims[i]);
    is_query |= hy_buffer_asks(&were[i]);
  }
  limit_call(MOST_CALL_SECONDS);
  int32_t status = now.by_name ? hy_shipped_enter(&now.code, now.trial->alg, &now.call) : now.code.call(args);
  limit_call(0);
  for (int i = 0; i < count && status == 0; i++)
    if (!hy_buffer_is_kept(&were[i], dims[i], &buffer_at(i)->buffer, is_query)) wrong(HY_BUFFER_NOT_KEPT, "");
  return status;
}

static int32_t call(void) {
  hy_remote_answer said;
  if (!now.emulator) return call_here();
  hy_remote_call(&now.remote, now.trial->alg, &now.call, &now.plan, now.by_name, &said);
  if (said.verdict == HY_GATE_UNDECIDED) give_up(said.story);
  if (said.verdict != HY_GATE_PASSED) wrong(said.story, "");
  return said.status;
}

static bool can_lie(const hy_foreign *f, hy_strides wanted) {
  int64_t len[HY_MAX_RANK], stride[HY_MAX_RANK], span;
  int rank = f->buffer.dimensions;
  for (int d = 0; d < rank; d++) len[d] = f->dim[d].extent;
  return hy_strides_lay(&wanted, rank, len, stride, &span) && span <= INT32_MAX;
}

// Where the program says how buffers lie (GEN.Laid), all of them do in every second case.
static bool all_lie_so(const hy_trial_case *c) {
  const hy_tgt *tgt = now.trial->filled;
  const hy_alg *alg = now.trial->alg;
  bool all = hy_tgt_says_strides(tgt) && c->number % 2 == 0;
  for (int k = 0; k < alg->image_count; k++)
    all = all && can_lie(&now.call.images[k], hy_tgt_wanted(tgt, alg->images[k]));
  for (int k = 0; k < alg->part_count; k++)
    all = all && can_lie(&now.call.outputs[k], hy_tgt_wanted(tgt, alg->parts[k].func));
  return all;
}

// Whatever else, it lies as is demanded (GEN.Demand).
static bool place_one(hy_foreign *f, const hy_func *func, bool so, hy_foreign_layout otherwise, const char *label) {
  const hy_laid *laid = hy_tgt_laid(now.trial->filled, func);
  hy_strides wanted = hy_tgt_wanted(now.trial->filled, func), demanded = hy_tgt_demanded(now.trial->filled, func);
  f->align = (uint64_t)hy_tgt_align(now.trial->filled, func);
  if (so) return hy_foreign_place_so(f, &wanted, label);
  if (laid && hy_strides_say(&laid->demanded, func->rank)) return hy_foreign_place_so(f, &demanded, label);
  return hy_foreign_place(f, otherwise, label);
}

static bool place(const hy_trial_case *c) {
  const hy_alg *alg = now.trial->alg;
  bool so = all_lie_so(c);
  for (int k = 0; k < alg->image_count; k++) {
    if (!place_one(&now.call.images[k], alg->images[k], so, now.in, alg->images[k]->name)) return false;
    hy_foreign_fill(&now.call.images[k], c->arguments.images[k]);
    hy_guard_block_read_only(now.call.images[k].memory, true);
  }
  for (int k = 0; k < alg->part_count; k++) {
    hy_foreign_layout layout = (hy_foreign_layout)(((int)now.out + k) % HY_LAYOUTS);
    if (!place_one(&now.call.outputs[k], alg->parts[k].func, so, layout, alg->parts[k].name)) return false;
  }
  return true;
}

// "the program means 36 at f(3, 4)"
static void say_value(char *room, size_t size, const char *what, hy_value value, const hy_output_part *part,
                      const int64_t *point) {
  hy_text text = {0};
  hy_text_add(&text, what);
  hy_value_print(value, &text);
  hy_text_printf(&text, " at %s", part->name);
  hy_point_print(part->func->rank, point, &text);
  snprintf(room, size, "%s", hy_text_string(&text));
  hy_text_free(&text);
}

static _Noreturn void wrong_value(const hy_output_part *part, const int64_t *point, hy_value value, hy_value is) {
  hy_text where = {0};
  hy_trial_answer *a = &now.answer;
  say_value(a->wanted, sizeof a->wanted, "the program means ", value, part, point);
  say_value(a->given, sizeof a->given, "the shipped object computes ", is, part, point);
  if (now.trial->alg->part_count > 1) hy_text_add(&where, part->name);
  hy_point_print(part->func->rank, point, &where);
  hy_text_add(&where, " it has another value than ");
  hy_value_print(value, &where);
  wrong("at ", hy_text_string(&where));
}

// The bytes of an element; of a NaN, those that the object left: all are one value (VAL.Float), and processors make
// different ones.
static void want(hy_value value, const uint8_t *is, uint8_t *wanted) {
  bool is_free = value.error != HY_OK; // machine code has no errors (D5)
  if (hy_type_class_of(value.type) == HY_CLASS_FLOAT && hy_value_same(value, hy_value_load(value.type, is)))
    is_free = true;
  if (is_free)
    memcpy(wanted, is, hy_type_bytes(value.type));
  else
    hy_value_store(value, wanted);
}

// All elements are what they have to be, and between them nothing is touched.
static void compare(const hy_output_part *part, const hy_foreign *output, const hy_buffer *expected,
                    const uint8_t *before) {
  size_t element = hy_type_bytes(expected->type);
  uint8_t *wanted = hy_allocate(output->bytes);
  int64_t point[HY_MAX_RANK];
  memcpy(wanted, before, output->bytes);
  memcpy(point, expected->min, sizeof point);
  if (expected->count) do {
      size_t at = hy_foreign_offset(output, point);
      hy_value value = hy_buffer_get(expected, point);
      want(value, output->memory + at, wanted + at);
      if (memcmp(wanted + at, output->memory + at, element) != 0)
        wrong_value(part, point, value, hy_value_load(expected->type, output->memory + at));
      now.answer.points += value.error == HY_OK;
    } while (hy_foreign_next_point(expected, point));
  if (memcmp(wanted, output->memory, output->bytes) != 0) wrong("it writes between the elements of the output", "");
  free(wanted);
}

static void call_and_compare(const hy_trial_case *c) {
  const hy_alg *alg = now.trial->alg;
  const hy_buffer *expected = c->expected;
  uint8_t *before[HY_MAX_OUTPUT_PARTS];
  char code[20];
  for (int k = 0; k < alg->part_count; k++) {
    const hy_foreign *output = &now.call.outputs[k];
    before[k] = hy_allocate(output->bytes);
    memcpy(before[k], output->memory, output->bytes);
  }
  int32_t status = call();
  snprintf(code, sizeof code, "%d", status);
  if (status != 0) wrong("it refuses an input that the program takes, with code ", code);
  for (int k = 0; k < alg->part_count; k++, expected = expected->next) {
    compare(&alg->parts[k], &now.call.outputs[k], expected, before[k]);
    free(before[k]);
  }
  now.answer.runs++;
}

static void run_case(const hy_trial_case *c, bool below) {
  char story[200];
  now.plan = (hy_guard_plan){.below = below, .pattern = 0x8badf00dcafe55aa * (uint64_t)(2 * c->number + 1)};
  if (!hy_guard_memory_begin(&now.plan)) give_up("there is not enough memory to run it");
  describe(c);
  if (!place(c)) give_up("there is not enough memory to run it");
  call_and_compare(c);
  if (!hy_guard_memory_end(story, sizeof story)) wrong("", story);
}

/* -- questions: what is needed of images, and what is refused -- */

static void ask_bounds(const hy_trial_case *c) {
  const hy_alg *alg = now.trial->alg;
  char story[300];
  describe(c);
  if (!alg->image_count || hy_alg_nothing_asked(alg, &c->arguments.input)) return;
  if (call() != 0) wrong("it refuses a bounds query", "");
  if (!hy_bounds_answer_holds(now.trial->filled, &c->arguments.input, now.call.images, story, sizeof story))
    wrong("a bounds query gives another box than the program needs of ", story);
  now.answer.refusals++;
}

static void expect(int code, const char *what) {
  int is = call();
  if (is != code) wrong("it does not refuse ", what);
  now.answer.refusals++;
}

// requires: the window of the output is not empty
static void ask_of_output(hy_foreign *f, void **argument) {
  halide_buffer_t *output = &f->buffer, was = *output;
  *argument = NULL;
  expect(HALYARD_NO_BUFFER, "an output that is NULL");
  *argument = output;
  output->type.bits = output->type.bits == 8 ? 16 : 8;
  expect(HALYARD_BAD_TYPE, "an output of another type");
  *output = was, output->dimensions++;
  expect(HALYARD_BAD_RANK, "an output of another rank");
  *output = was, output->host = NULL, output->device = 1;
  expect(HALYARD_NO_HOST, "an output without memory");
  *output = was;
  if (was.dimensions) {
    int32_t extent = f->dim[0].extent;
    f->dim[0].extent = -1;
    expect(HALYARD_NEGATIVE_EXTENT, "a negative extent");
    f->dim[0].extent = extent;
  }
}

// Another window than the one of the output's first part; the memory would do.
static void ask_window(hy_foreign *f) {
  if (!f->buffer.dimensions) return;
  f->dim[0].min++;
  expect(HALYARD_CONSTRAINT, "values of one output with windows of their own");
  f->dim[0].min--;
}

// GEN.Demand: other strides than demanded, another address.
static void ask_demands(hy_foreign *f, const hy_func *func) {
  const hy_laid *laid = hy_tgt_laid(now.trial->filled, func);
  for (int d = 0; laid && d < func->rank; d++) {
    if (!laid->demanded.of[d] || f->dim[d].extent <= 1) continue;
    f->dim[d].stride++;
    expect(HALYARD_CONSTRAINT, "an output with another stride than is demanded");
    f->dim[d].stride--;
  }
  if (f->align <= hy_type_bytes(f->type)) return;
  f->buffer.host += hy_type_bytes(f->type);
  expect(HALYARD_UNALIGNED, "an output that begins elsewhere than is demanded");
  f->buffer.host -= hy_type_bytes(f->type);
}

// Two outputs in one memory; both have elements.
static void ask_shared(hy_foreign *f, const hy_foreign *other) {
  uint8_t *host = f->buffer.host;
  if (hy_type_bytes(f->type) != hy_type_bytes(other->type)) return;
  f->buffer.host = other->buffer.host;
  expect(HALYARD_CONSTRAINT, "outputs that share memory");
  f->buffer.host = host;
}

// Of an empty window nothing is written, and nothing refused.
static void ask_refusals(const hy_trial_case *c) {
  const hy_alg *alg = now.trial->alg;
  char story[200];
  int first = alg->param_count + alg->image_count;
  now.plan = (hy_guard_plan){.pattern = 1};
  if (!hy_guard_memory_begin(&now.plan)) give_up("there is not enough memory to run it");
  describe(c);
  if (place(c)) {
    const hy_buffer *expected = c->expected;
    int last = -1;
    for (int k = 0; k < alg->part_count; k++, expected = expected->next) {
      if (!expected->count) continue;
      ask_of_output(&now.call.outputs[k], &now.call.args[first + k]);
      ask_demands(&now.call.outputs[k], alg->parts[k].func);
      if (alg->parts[k].part) ask_window(&now.call.outputs[k]);
      if (last >= 0) ask_shared(&now.call.outputs[k], &now.call.outputs[last]);
      last = k;
    }
  }
  if (!hy_guard_memory_end(story, sizeof story)) wrong("", story);
}

/* -- the process -- */

static void load(const hy_text *bytes) {
  void (*set_allocator)(halyard_allocator *, halyard_deallocator *);
  if (now.emulator) {
    char why[300];
    if (!hy_remote_start(&now.remote, now.emulator, bytes, why, sizeof why)) now.answer.is_unheard = true, give_up(why);
    return;
  }
  limit_call(MOST_CALL_SECONDS);
  bool is_loaded = hy_shipped_load(bytes, now.trial->name, &now.code, now.answer.story, sizeof now.answer.story);
  limit_call(0);
  if (!is_loaded) {
    now.answer.verdict = now.code.is_held ? HY_GATE_WRONG : HY_GATE_UNDECIDED;
    end();
  }
  *(void **)&set_allocator = dlsym(now.code.library, "halyard_set_allocator");
  if (set_allocator) set_allocator(give, take);
}

static _Noreturn void be_child(const hy_text *bytes, bool questions) {
  char count[16];
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  snprintf(count, sizeof count, "%d", now.threads);
  dup2(STDERR_FILENO, STDOUT_FILENO); // what it prints is no answer of ours
  setenv("HALYARD_NUM_THREADS", count, true);
  setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, KILL_SECONDS});
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  for (size_t i = 0; i < HY_COUNT(signals); i++)
    sigaction(signals[i], &(struct sigaction){.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER}, NULL);
  sigaction(SIGPROF, &(struct sigaction){.sa_handler = on_late, .sa_flags = SA_NODEFER}, NULL);
  load(bytes);
  for (size_t i = 0; i < now.trial->cases.count; i++) {
    const hy_trial_case *c = &now.trial->cases.data[i];
    int number = now.number = c->number; // nothing depends on which others this process was given (gate/shards/)
    now.in = (hy_foreign_layout)(number % HY_LAYOUTS),
    now.out = (hy_foreign_layout)((number + number / HY_LAYOUTS + now.threads) % HY_LAYOUTS);
    now.by_name = (number / 2 + now.threads) % 2;
    run_case(c, (number + now.threads) % 2);
    now.by_name = !now.by_name;
    if (questions) ask_bounds(c);
    if (questions) ask_refusals(c);
  }
  end();
}

// What the object's process wrote is no more to be trusted than the object: it may have written it.
static void distrust(hy_trial_answer *a) {
  a->input[sizeof a->input - 1] = a->wanted[sizeof a->wanted - 1] = 0;
  a->given[sizeof a->given - 1] = a->story[sizeof a->story - 1] = 0;
  if ((int)a->verdict >= HY_GATE_PASSED && (int)a->verdict <= HY_GATE_UNDECIDED) return;
  if ((int)a->verdict == HY_GATE_WRONG) return;
  *a = (hy_trial_answer){.verdict = HY_GATE_WRONG, .story = "its process says what none of this program's would"};
}

// False: it ended before it had said all, or (*is_late) waits without an end.
static bool hear(int pipe, hy_trial_answer *answer, bool *is_late) {
  for (size_t have = 0; have < sizeof *answer;) {
    *is_late = hy_wait_for_input(pipe, 1000 * MOST_WALL_SECONDS) != HY_WAIT_READY;
    if (*is_late) return false;
    ssize_t got = read(pipe, (char *)answer + have, sizeof *answer - have);
    if (got <= 0) return false;
    have += (size_t)got;
  }
  return true;
}

static pid_t start(const hy_trial *trial, const hy_trial_code *code, int threads, bool questions, const int ends[2],
                   const sigset_t *before) {
  pid_t child = fork();
  if (child > 0) setpgid(child, child); // both do it: whoever comes first
  if (child != 0) return child;
  close(ends[0]);
  hy_child_begin(before);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  now.trial = trial, now.emulator = code->emulator, now.threads = threads, now.pipe = ends[1], now.number = -1,
  now.answer = (hy_trial_answer){.verdict = HY_GATE_PASSED};
  be_child(code->bytes, questions);
}

void hy_trial_ask(const hy_trial *trial, const hy_trial_code *code, int threads, bool questions,
                  hy_trial_answer *answer) {
  int ends[2];
  sigset_t before;
  *answer = (hy_trial_answer){.verdict = HY_GATE_UNDECIDED, .story = "no process can be made"};
  if (!hy_shipped_is_callable(trial->alg) || pipe(ends) != 0) return;
  hy_signals_hold(&before);
  pid_t child = start(trial, code, threads, questions, ends, &before);
  close(ends[1]);
  bool is_late = false, is_said = child > 0 && hear(ends[0], answer, &is_late);
  close(ends[0]);
  if (child > 0 && !is_said) hy_wait_for_child(child, 1000); // how it ends is told; it may be about to
  int status = child > 0 ? hy_child_end(child, NULL) : 0;
  hy_signals_release(&before);
  if (child < 0) return;
  if (is_said) return distrust(answer);
  *answer = (hy_trial_answer){.verdict = HY_GATE_WRONG};
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    answer->verdict = HY_GATE_UNDECIDED;
  snprintf(answer->story, sizeof answer->story, "the process that ran it ended with %s %d and said nothing",
           WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  if (is_late)
    snprintf(answer->story, sizeof answer->story, "it waited for %d s, and was ended", MOST_WALL_SECONDS);
  else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    snprintf(answer->story + strlen(answer->story), sizeof answer->story - strlen(answer->story),
             "; all runs together have %d s of a processor", MOST_SECONDS);
}
