// Running native code under guard: memory from guard_memory.c, faults that end the run alone, parallel loops in order,
// backwards or by threads.

#include "codegen/guard/guard.h"

#include "codegen/codegen_internal.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { HY_NATIVE_FAULT = -3, THREADS = 4 };

// The run that is going on. What a handler writes is looked at when everything has ended.
static struct {
  const hy_native *native;
  hy_guard_plan plan;
  _Atomic int fault; // the first one; a hy_guard_fault
  const void *address;
  char beside[200]; // HY_GUARD_EDGE
  atomic_bool is_parallel;
} now;

// Where this thread goes when what it runs faults; NULL: it runs no guarded code.
static _Thread_local sigjmp_buf *landing;

const char *hy_guard_fault_name(hy_guard_fault fault) {
  static const char *const names[] = {
      "none",       "native read outside", "native write outside", "native access outside", "native write beside",
      "native trap"};
  return names[fault];
}

/* -- faults -- */

static bool note(hy_guard_fault fault) {
  int none = HY_GUARD_FINE;
  return atomic_compare_exchange_strong(&now.fault, &none, (int)fault);
}

static hy_guard_fault kind_of(int signal, const ucontext_t *context) {
  if (signal != SIGSEGV && signal != SIGBUS) return HY_GUARD_TRAP;
#if defined(__x86_64__)
  return context->uc_mcontext.gregs[REG_ERR] & 2 ? HY_GUARD_WRITE : HY_GUARD_READ;
#else
  (void)context;
  return HY_GUARD_ACCESS;
#endif
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  if (!landing) { // not the guarded code's: it happens again, and ends the process
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    return;
  }
  if (note(kind_of(signal, context))) now.address = info->si_addr;
  siglongjmp(*landing, 1);
}

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNALS = sizeof signals / sizeof *signals };

static void catch_faults(struct sigaction *before) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &action, &before[i]);
}

static void leave_faults(const struct sigaction *before) {
  for (int i = 0; i < SIGNALS; i++) sigaction(signals[i], &before[i], NULL);
}

/* -- what guarded code calls -- */

void *hy_guard_allocate(uint64_t bytes, uint64_t func) {
  const char *label = "a func";
  for (int i = 0; i < now.native->func_count; i++)
    if (now.native->funcs[i]->index == func) label = now.native->funcs[i]->name;
  return hy_guard_block(bytes, label);
}

void hy_guard_free(void *memory) {
  char beside[sizeof now.beside];
  if (!hy_guard_block_free(memory, beside, sizeof beside) && note(HY_GUARD_EDGE))
    memcpy(now.beside, beside, sizeof beside);
}

typedef struct {
  hy_runtime_task *task;
  void *closure;
} guarded_task;

static int32_t run_task(void *self, int64_t begin, int64_t end) {
  const guarded_task *t = self;
  sigjmp_buf here, *const outer = landing;
  volatile int32_t status = HY_NATIVE_FAULT;
  landing = &here;
  if (sigsetjmp(here, 0) == 0) status = t->task(t->closure, begin, end);
  landing = outer;
  return status;
}

int32_t hy_guard_parallel_for(int64_t min, int64_t len, hy_runtime_task *task, void *closure) {
  guarded_task t = {task, closure};
  if (len > 1) atomic_store(&now.is_parallel, true);
  if (now.plan.order == HY_GUARD_THREADS) return hy_runtime_parallel_for(min, len, run_task, &t);
  int32_t status = 0;
  for (int64_t i = 0; i < len && !status; i++) {
    int64_t at = min + (now.plan.order == HY_GUARD_BACKWARDS ? len - 1 - i : i);
    status = task(closure, at, at + 1);
  }
  return status;
}

/* -- a run -- */

static int32_t call(const hy_native *native, const int64_t *slots) {
  sigjmp_buf here;
  volatile int32_t status = HY_NATIVE_FAULT;
  landing = &here;
  if (sigsetjmp(here, 0) == 0) status = hy_native_call(native, slots);
  landing = NULL;
  return status;
}

// Threads of the pool, whatever the machine has: what they do at once must not matter.
static int32_t call_with_threads(const hy_native *native, const int64_t *slots) {
  int before = hy_runtime_use_threads(THREADS);
  int32_t status = call(native, slots);
  hy_runtime_use_threads(before);
  return status;
}

// Where a program says how buffers lie (GEN.Laid), all do in two orders of three, and none in the third.
static bool lies_so(const hy_native *native, const hy_input *input, const hy_buffer *output, hy_native_way way) {
  bool so = true;
  for (int i = 0; i < native->alg->image_count && so; i++)
    so = hy_native_can_lie(native, native->alg->images[i], input->images[i], way);
  for (int k = 0; k < native->alg->part_count && so; k++, output = output->next)
    so = hy_native_can_lie(native, native->alg->parts[k].func, output, way);
  return so;
}

// False: they stay as they are.
static bool choose_way(const hy_native *native, const hy_input *input, const hy_buffer *output, hy_native_way *way) {
  *way = HY_NATIVE_AS_SAID;
  if (!hy_native_lays(native)) return false;
  if (now.plan.order != HY_GUARD_BACKWARDS && lies_so(native, input, output, *way)) return true;
  *way = HY_NATIVE_AS_DEMANDED;
  return hy_tgt_demands_strides(native->tgt) && lies_so(native, input, output, *way);
}

// Of the first element to the last one; elements have no gaps between them where nothing is said.
static size_t bytes_of(const hy_buffer *b) {
  int64_t span = b->count ? 1 : 0;
  for (int d = 0; d < b->rank && b->count; d++) span += b->stride[d] * (b->len[d] - 1);
  return (size_t)span * hy_type_bytes(b->type);
}

// The images and the outputs, as the caller has them but for where they lie. False: they do not fit.
static bool move_buffers(const hy_native *native, const hy_input *input, const hy_buffer *output, hy_buffer *moved,
                         int64_t *slots) {
  const hy_alg *alg = native->alg;
  hy_native_way way;
  bool so = choose_way(native, input, output, &way);
  for (int i = 0; i < alg->image_count + alg->part_count; i++) {
    bool is_output = i >= alg->image_count;
    int place = i - alg->image_count;
    const hy_buffer *from = is_output ? output : input->images[i];
    if (is_output) output = output->next;
    moved[i] = *from;
    const hy_func *func = is_output ? alg->parts[place].func : alg->images[i];
    if (so) hy_native_stride(native, func, &moved[i], way);
    moved[i].data = hy_guard_block_at(bytes_of(&moved[i]), (uint64_t)hy_tgt_align(native->tgt, func), 0,
                                      is_output ? alg->parts[place].name : func->name);
    if (!moved[i].data) return false;
    if (!is_output) {
      hy_buffer_copy(from, &moved[i]);
      hy_guard_block_read_only(moved[i].data, true);
    }
    hy_native_fill_buffer(&slots[is_output ? hy_slot_of_output(alg, place) : hy_slot_of_image(alg, i)], &moved[i]);
  }
  return true;
}

static void tell(hy_guard_result *result, const char *beside) {
  result->run.status = HY_RUN_CONTRACT;
  result->fault = (hy_guard_fault)atomic_load(&now.fault);
  char where[160] = "";
  hy_guard_memory_describe(now.address, where, sizeof where);
  if (result->fault == HY_GUARD_EDGE)
    snprintf(result->story, sizeof result->story, "%s", beside);
  else if (result->fault == HY_GUARD_TRAP)
    snprintf(result->story, sizeof result->story, "native code does what the processor refuses, at %p", now.address);
  else
    snprintf(result->story, sizeof result->story, "%s of native code %s",
             result->fault == HY_GUARD_READ    ? "a read"
             : result->fault == HY_GUARD_WRITE ? "a write"
                                               : "an access",
             where);
}

static void run_moved(const hy_native *native, int64_t *slots, hy_guard_result *result) {
  struct sigaction before[SIGNALS];
  catch_faults(before);
  int32_t status = now.plan.order == HY_GUARD_THREADS ? call_with_threads(native, slots) : call(native, slots);
  leave_faults(before);
  result->run = hy_native_result_of(native, status);
  result->is_parallel = now.is_parallel;
}

void hy_guard_run(const hy_native *native, const hy_input *input, hy_buffer *output, const hy_guard_plan *plan,
                  hy_guard_result *result) {
  const hy_alg *alg = native->alg;
  now.native = native, now.plan = *plan, now.address = NULL;
  atomic_store(&now.fault, HY_GUARD_FINE), atomic_store(&now.is_parallel, false);
  *result = (hy_guard_result){.run = {.status = HY_RUN_LIMIT}};
  if (!hy_guard_memory_begin(plan)) return;
  int64_t *slots = hy_native_slots(native, input);
  hy_buffer *moved = hy_allocate_zeroed((size_t)(alg->image_count + alg->part_count), sizeof *moved);
  if (move_buffers(native, input, output, moved, slots)) {
    run_moved(native, slots, result);
    if (now.fault != HY_GUARD_FINE) tell(result, now.beside);
    for (int k = 0; k < alg->part_count; k++, output = output->next)
      if (result->run.status == HY_RAN) hy_buffer_copy(&moved[alg->image_count + k], output);
  }
  char beside[sizeof now.beside];
  if (!hy_guard_memory_end(beside, sizeof beside) && note(HY_GUARD_EDGE)) tell(result, beside);
  hy_free(moved);
  hy_free(slots);
}
