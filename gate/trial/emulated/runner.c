// A program for another machine: it is linked with a shipped object and the run-time library (gate/trial/emulator.c), and
// run by an emulator. It is asked for calls on standard input, makes each of them between unmapped pages, and answers on
// what was standard output. C library and pthreads alone.

#include "codegen/guard/guard_memory.h"
#include "gate/trial/emulated/kept.h"
#include "gate/trial/emulated/wire.h"
#include "include/halyard_runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int32_t halyard_called(void **args, uint32_t by_name); // emulator.c writes it: whose name, and types, those are

typedef struct {
  hy_wire_argument wire;
  halide_buffer_t buffer, was;
  halide_dimension_t *dims; // what was.dim had
} argument;

static struct {
  int answers; // where they go
  hy_wire_call call;
  hy_wire_block *blocks;
  uint8_t **memory; // of each block
  argument *arguments;
  void **args;
} now;

/* -- bytes -- */

static bool read_all(void *to, size_t bytes) {
  for (uint8_t *at = to; bytes > 0;) {
    ssize_t got = read(STDIN_FILENO, at, bytes);
    if (got <= 0) return false;
    at += got, bytes -= (size_t)got;
  }
  return true;
}

static void write_all(const void *from, size_t bytes) {
  for (const uint8_t *at = from; bytes > 0;) {
    ssize_t done = write(now.answers, at, bytes);
    if (done <= 0) _exit(1);
    at += done, bytes -= (size_t)done;
  }
}

static _Noreturn void end(hy_wire_fault fault, const char *what, const char *more) {
  hy_wire_answer answer = {.fault = fault};
  snprintf(answer.story, sizeof answer.story, "%s%s", what, more);
  write_all(&answer, sizeof answer);
  _exit(0);
}

static _Noreturn void give_up(void) { end(HY_WIRE_GIVEN_UP, "there is not enough memory to run it", ""); }

static void *room(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory) give_up();
  return memory;
}

static void need(void *to, size_t bytes) { // nobody asks any more
  if (!read_all(to, bytes)) _exit(1);
}

/* -- what the object may not do -- */

// Nothing of what it does here may be done in a handler; the process ends right after it.
static void on_fault(int signal, siginfo_t *info, void *context) {
  static volatile sig_atomic_t once;
  char where[HY_WIRE_STORY] = "";
  (void)context;
  if (once++) _exit(1);
  if (signal == SIGILL) end(HY_WIRE_WRONG, "it executes an instruction that this processor does not have", "");
  if (signal == SIGFPE || signal == SIGTRAP) end(HY_WIRE_WRONG, "it traps", "");
  hy_guard_memory_describe(info->si_addr, where, sizeof where);
  end(HY_WIRE_WRONG, "it accesses memory ", where);
}

static void *give(uint64_t bytes) { return hy_guard_block((bytes + 63) / 64 * 64, "the object's own"); }
static void take(void *memory) {
  char story[HY_WIRE_STORY];
  if (!hy_guard_block_free(memory, story, sizeof story)) end(HY_WIRE_WRONG, "", story);
}
static void hear(void *context, const char *message) { (void)context, (void)message; }

/* -- one call -- */

// requires: guarded memory has begun. Images become read-only when they are filled.
static void read_blocks(void) {
  now.blocks = room(now.call.block_count, sizeof *now.blocks);
  now.memory = room(now.call.block_count, sizeof *now.memory);
  for (uint32_t i = 0; i < now.call.block_count; i++) {
    hy_wire_block *b = &now.blocks[i];
    need(b, sizeof *b);
    now.memory[i] = hy_guard_block_at(b->bytes, b->align, b->host, b->label);
    if (!now.memory[i]) give_up();
    need(now.memory[i], b->bytes);
    if (b->read_only) hy_guard_block_read_only(now.memory[i], true);
  }
}

static void read_arguments(void) {
  now.arguments = room(now.call.argument_count, sizeof *now.arguments);
  now.args = room(now.call.argument_count, sizeof *now.args);
  for (uint32_t i = 0; i < now.call.argument_count; i++) {
    argument *a = &now.arguments[i];
    need(&a->wire, sizeof a->wire);
    const hy_wire_argument *w = &a->wire;
    if (w->kind == HY_WIRE_PARAMETER) now.args[i] = a->wire.value;
    if (w->kind != HY_WIRE_BUFFER) continue;
    size_t count = (size_t)w->dimensions;
    a->buffer = (halide_buffer_t){.device = w->device,
                                  .host = w->block >= 0 ? now.memory[w->block] + w->offset : NULL,
                                  .type = {w->code, w->bits, w->lanes},
                                  .dimensions = w->dimensions,
                                  .dim = room(count, sizeof(halide_dimension_t))};
    need(a->buffer.dim, count * sizeof(halide_dimension_t));
    a->dims = room(count, sizeof(halide_dimension_t));
    memcpy(a->dims, a->buffer.dim, count * sizeof(halide_dimension_t));
    a->was = a->buffer;
    now.args[i] = &a->buffer;
  }
}

static void look_at_buffers(void) {
  bool is_query = false;
  for (uint32_t i = 0; i < now.call.argument_count; i++)
    is_query |= now.arguments[i].wire.kind == HY_WIRE_BUFFER && hy_buffer_asks(&now.arguments[i].was);
  for (uint32_t i = 0; i < now.call.argument_count; i++) {
    const argument *a = &now.arguments[i];
    if (a->wire.kind == HY_WIRE_BUFFER && !hy_buffer_is_kept(&a->was, a->dims, &a->buffer, is_query))
      end(HY_WIRE_WRONG, HY_BUFFER_NOT_KEPT, "");
  }
}

static void answer(int32_t status) {
  char story[HY_WIRE_STORY];
  const hy_wire_answer fine = {.status = status};
  if (!hy_guard_memory_end(story, sizeof story)) end(HY_WIRE_WRONG, "", story); // its pages stay until the next call
  if (status == 0) look_at_buffers();
  write_all(&fine, sizeof fine);
  for (uint32_t i = 0; i < now.call.block_count; i++)
    if (!now.blocks[i].read_only) write_all(now.memory[i], now.blocks[i].bytes);
  for (uint32_t i = 0; i < now.call.argument_count; i++) {
    const argument *a = &now.arguments[i];
    if (a->wire.kind != HY_WIRE_BUFFER) continue;
    write_all(a->was.dim, (size_t)a->wire.dimensions * sizeof *a->was.dim);
    free(a->was.dim), free(a->dims);
  }
  free(now.blocks), free(now.memory), free(now.arguments), free(now.args);
}

_Static_assert(sizeof(hy_wire_dimension) == sizeof(halide_dimension_t), "they are read as they come");

int main(void) {
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
  now.answers = dup(STDOUT_FILENO);
  if (now.answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1; // what the object prints is no answer
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &(struct sigaction){.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER}, NULL);
  write_all(&(hy_wire_answer){.status = HY_WIRE_HELLO}, sizeof(hy_wire_answer));
  halyard_set_error_handler(hear);
  halyard_set_allocator(give, take);
  while (read_all(&now.call, sizeof now.call)) {
    hy_guard_plan plan = {.below = now.call.below, .pattern = now.call.pattern};
    if (!hy_guard_memory_begin(&plan)) give_up();
    read_blocks();
    read_arguments();
    answer(halyard_called(now.args, now.call.by_name));
  }
  return 0;
}
