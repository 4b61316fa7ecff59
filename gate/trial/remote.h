#ifndef HY_REMOTE_H
#define HY_REMOTE_H

/* Calls of a shipped object in an emulator's process: what the arguments have here is laid out there, and what the object
 * leaves comes back (emulated/wire.h). Of the process that asks: the emulator ends when it does.
 */

#include "codegen/guard/guard_memory.h"
#include "gate/trial/call.h"
#include "gate/trial/emulator.h"

#include <sys/types.h>

typedef struct hy_remote {
  pid_t process;
  int questions, answers; // pipes
} hy_remote;

// False, and why: it does not run programs here.
bool hy_remote_start(hy_remote *remote, const hy_emulator *emulator, const hy_text *program, char *why, size_t size);

typedef struct hy_remote_answer {
  int32_t status;          // what the object returned
  hy_gate_verdict verdict; // WRONG: it did what it may not; UNDECIDED: it cannot be asked any more. The story says why
  char story[300];
} hy_remote_answer;

// requires: "call" is described, and what has memory was placed
// ensures:  PASSED: outputs have the contents, and buffers the boxes, that the object left there
// "by_name": NAME, as C calls it; else NAME_argv
void hy_remote_call(hy_remote *remote, const hy_alg *alg, hy_shipped_call *call, const hy_guard_plan *plan,
                    bool by_name, hy_remote_answer *answer);

// Ends the process, if there is one, and waits for it.
void hy_remote_end(hy_remote *remote);

#endif
