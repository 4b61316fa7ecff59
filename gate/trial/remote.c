#include "gate/trial/remote.h"

#include "gate/trial/emulated/wire.h"
#include "semantics/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- the emulator's process -- */

// In the child: it ends when the process that asks does. How it ends, we say. QEMU's own settings are no part of what is
// judged: they could change the number of threads.
static _Noreturn void become(const hy_emulator *emulator, int program, int there, int back) {
  char path[40], *words[] = {(char *)emulator->emulator, path, NULL};
  int nothing = open("/dev/null", O_WRONLY);
  snprintf(path, sizeof path, "/proc/self/fd/%d", program);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool good = nothing >= 0 && dup2(there, STDIN_FILENO) >= 0 && dup2(back, STDOUT_FILENO) >= 0 &&
              dup2(nothing, STDERR_FILENO) >= 0;
  if (good) execvpe(words[0], words, hy_environment_without("QEMU_", NULL));
  _exit(127);
}

static bool hear(const hy_remote *r, void *to, size_t bytes) {
  for (uint8_t *at = to; bytes > 0;) {
    ssize_t got = read(r->answers, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got, bytes -= (size_t)got;
  }
  return true;
}

static void close_all(const int *files, int count) {
  for (int i = 0; i < count; i++)
    if (files[i] >= 0) close(files[i]);
}

// It reads its program through a descriptor that it inherits: no file of it is left when everything is killed.
bool hy_remote_start(hy_remote *r, const hy_emulator *emulator, const hy_text *program, char *why, size_t size) {
  int there[] = {-1, -1}, back[] = {-1, -1}, file = memfd_create("emulated", 0);
  hy_wire_answer said = {.status = 0};
  *r = (hy_remote){.process = -1};
  bool good = file >= 0 && hy_write_all(file, program->data, program->length) && pipe2(there, O_CLOEXEC) == 0 &&
              pipe2(back, O_CLOEXEC) == 0 && (r->process = fork()) >= 0;
  if (!good) snprintf(why, size, "its emulator cannot be started: %s", strerror(errno));
  if (r->process == 0) become(emulator, file, there[0], back[1]);
  close_all((const int[]){file, there[0], back[1]}, 3);
  if (!good) return close_all((const int[]){there[1], back[0]}, 2), false;
  signal(SIGPIPE, SIG_IGN); // an emulator that has ended is told
  r->questions = there[1], r->answers = back[0];
  good = hear(r, &said, sizeof said) && said.status == HY_WIRE_HELLO;
  if (!good) snprintf(why, size, "'%s' does not run it: it ended, or said something else", emulator->emulator);
  return good;
}

void hy_remote_end(hy_remote *r) {
  if (r->process <= 0) return;
  close(r->questions), close(r->answers);
  kill(r->process, SIGKILL);
  while (waitpid(r->process, NULL, 0) < 0 && errno == EINTR) {
  }
  r->process = -1;
}

// It said nothing more.
static void tell_end(hy_remote *r, hy_remote_answer *answer) {
  int status = 0;
  close(r->questions), close(r->answers);
  while (waitpid(r->process, &status, 0) < 0 && errno == EINTR) {
  }
  r->process = -1;
  bool is_ended = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  answer->verdict = is_ended ? HY_GATE_UNDECIDED : HY_GATE_WRONG;
  snprintf(answer->story, sizeof answer->story, "the emulator that ran it ended with %s %d and said nothing",
           WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    snprintf(answer->story, sizeof answer->story, "it did not return within a minute of a processor");
}

/* -- there -- */

// The buffers of a call, images first.
static hy_foreign *buffer_at(const hy_alg *alg, hy_shipped_call *call, int index) {
  return index < alg->image_count ? &call->images[index] : &call->outputs[index - alg->image_count];
}

static int buffer_count(const hy_alg *alg) { return alg->image_count + alg->part_count; }

static const char *label_of(const hy_alg *alg, int index) {
  return index < alg->image_count ? alg->images[index]->name : alg->parts[index - alg->image_count].name;
}

static uint32_t add_blocks(const hy_alg *alg, hy_shipped_call *call, hy_text *out) {
  uint32_t count = 0;
  for (int i = 0; i < buffer_count(alg); i++) {
    const hy_foreign *f = buffer_at(alg, call, i);
    if (!f->memory) continue;
    hy_wire_block block = {
        .bytes = f->bytes, .read_only = i < alg->image_count, .align = (uint32_t)f->align, .host = f->host};
    snprintf(block.label, sizeof block.label, "%s", label_of(alg, i));
    hy_text_add_bytes(out, (const char *)&block, sizeof block);
    hy_text_add_bytes(out, (const char *)f->memory, f->bytes);
    count++;
  }
  return count;
}

// Which block its host lies in, which may be another buffer's; -1: it has none.
static int32_t block_of(const hy_alg *alg, hy_shipped_call *call, const uint8_t *host, uint64_t *offset) {
  int32_t block = 0;
  for (int i = 0; i < buffer_count(alg); i++) {
    const hy_foreign *f = buffer_at(alg, call, i);
    if (!f->memory) continue;
    *offset = (uint64_t)(host - f->memory);
    if (host && host >= f->memory && host <= f->memory + f->bytes) return block;
    block++;
  }
  return *offset = 0, -1;
}

static void add_buffer(const hy_alg *alg, hy_shipped_call *call, const halide_buffer_t *b, hy_text *out) {
  hy_wire_argument a = {.kind = HY_WIRE_BUFFER,
                        .device = b->device,
                        .code = b->type.code,
                        .bits = b->type.bits,
                        .lanes = b->type.lanes,
                        .dimensions = b->dimensions};
  a.block = block_of(alg, call, b->host, &a.offset);
  hy_text_add_bytes(out, (const char *)&a, sizeof a);
  hy_text_add_bytes(out, (const char *)b->dim, (size_t)b->dimensions * sizeof *b->dim);
}

static int argument_count(const hy_alg *alg) { return alg->param_count + buffer_count(alg); }

static bool is_buffer(const hy_alg *alg, int i) {
  return i >= alg->param_count + alg->image_count || alg->signature[i] < 0;
}

static void add_arguments(const hy_alg *alg, hy_shipped_call *call, hy_text *out) {
  for (int i = 0; i < argument_count(alg); i++) {
    hy_wire_argument a = {.kind = call->args[i] ? HY_WIRE_PARAMETER : HY_WIRE_NOTHING};
    if (call->args[i] && is_buffer(alg, i)) {
      add_buffer(alg, call, call->args[i], out);
      continue;
    }
    if (call->args[i]) memcpy(a.value, call->args[i], sizeof a.value);
    hy_text_add_bytes(out, (const char *)&a, sizeof a);
  }
}

/* -- and back -- */

// As many bytes as were asked for, whatever they are.
static bool hear_call(const hy_remote *r, const hy_alg *alg, hy_shipped_call *call) {
  bool good = true;
  for (int i = alg->image_count; i < buffer_count(alg) && good; i++) {
    const hy_foreign *f = buffer_at(alg, call, i);
    if (f->memory) good = hear(r, f->memory, f->bytes);
  }
  for (int i = 0; i < argument_count(alg) && good; i++) {
    const halide_buffer_t *b = is_buffer(alg, i) ? call->args[i] : NULL;
    if (b) good = hear(r, b->dim, (size_t)b->dimensions * sizeof *b->dim);
  }
  return good;
}

void hy_remote_call(hy_remote *r, const hy_alg *alg, hy_shipped_call *call, const hy_guard_plan *plan, bool by_name,
                    hy_remote_answer *answer) {
  hy_wire_call head = {.pattern = plan->pattern,
                       .below = plan->below,
                       .argument_count = (uint32_t)argument_count(alg),
                       .by_name = by_name};
  hy_wire_answer said;
  hy_text question = {0};
  *answer = (hy_remote_answer){.verdict = HY_GATE_PASSED};
  hy_text_add_bytes(&question, (const char *)&head, sizeof head);
  head.block_count = add_blocks(alg, call, &question);
  add_arguments(alg, call, &question);
  memcpy(question.data, &head, sizeof head);
  bool good = hy_write_all(r->questions, question.data, question.length) && hear(r, &said, sizeof said);
  hy_text_free(&question);
  if (!good) return tell_end(r, answer);
  said.story[sizeof said.story - 1] = 0;
  answer->status = said.status;
  if (said.fault == HY_WIRE_FINE && !hear_call(r, alg, call)) return tell_end(r, answer);
  if (said.fault == HY_WIRE_FINE) return;
  answer->verdict = said.fault == HY_WIRE_GIVEN_UP ? HY_GATE_UNDECIDED : HY_GATE_WRONG;
  snprintf(answer->story, sizeof answer->story, "%s", said.story);
}
