#ifndef HY_SHIPPED_CALL_H
#define HY_SHIPPED_CALL_H

/* A shipped shared object, loaded into this process, and what it is called with: the buffers and parameters of its
 * functions NAME, as C calls it, and NAME_argv (docs/build.md). Whoever loads it runs it: that belongs into a process of its own.
 */

#include "gate/trial/foreign.h"
#include "halyard/arguments.h"
#include "semantics/base/text.h"

enum { HY_MOST_PASSED = 256 }; // images, and parameters: more than a pipeline may have

typedef struct hy_shipped_code {
  bool is_held; // its bytes are in memory: what fails then is its own fault
  void *library;
  int32_t (*call)(void **args); // NAME_argv
  void (*entry)(void);          // NAME: hy_shipped_enter calls it
} hy_shipped_code;

// False, and why: it cannot be loaded, or lacks NAME, NAME_argv or NAME_metadata. What it has to say goes nowhere.
bool hy_shipped_load(const hy_text *shared, const char *name, hy_shipped_code *code, char *why, size_t size);

typedef struct hy_shipped_call {
  hy_foreign images[HY_MOST_PASSED], outputs[HY_MAX_OUTPUT_PARTS];
  uint8_t params[HY_MOST_PASSED][8];
  void *args[2 * HY_MOST_PASSED + HY_MAX_OUTPUT_PARTS]; // the parts of outputs last, as they are listed
} hy_shipped_call;

bool hy_shipped_is_callable(const hy_alg *alg);
// The boxes of images and windows, dense and without memory, and the parameters. "call" stays where it is.
// requires: hy_shipped_is_callable(alg)
void hy_shipped_describe(hy_shipped_call *call, const hy_alg *alg, const hy_arguments *arguments);

// Calls NAME with what the call has, as a C program does.
int32_t hy_shipped_enter(const hy_shipped_code *code, const hy_alg *alg, hy_shipped_call *call);

#endif
