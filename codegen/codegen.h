#ifndef HY_CODEGEN_H
#define HY_CODEGEN_H

/* From a hole-free target program to machine code. Everything that makes the code fast is a pass over target programs
 * (one file each, each validated by interpreting before and after); the emitter translates what is written.
 *
 * Native code follows D5 (x/0 = x%0 = 0, MIN/-1 wraps) and carries no error values. Buffers have the binary layout of
 * halide_buffer_t. Thread-safe: several threads may call one compiled pipeline.
 */

#include "codegen/runtime/runtime.h"
#include "codegen/target.h"
#include "semantics/alg/input.h"
#include "semantics/tgt/tgt.h"

typedef enum { HY_SANITIZE_NONE, HY_SANITIZE_ADDRESS, HY_SANITIZE_THREAD } hy_sanitize;

// Code that hy_guard_run (guard.h) runs: it has its memory and parallel loops from there. Small allocations stay on the
// stack, as in the code that is run, or have memory of their own, where guard sees who leaves it.
typedef enum { HY_GUARD_NONE, HY_GUARD_CALLS, HY_GUARD_ALL } hy_guard;

// Code for a profile (profile.h): that says what it is doing, or that counts points and bytes.
typedef enum { HY_PROFILE_NOTHING, HY_PROFILE_TIME, HY_PROFILE_POINTS } hy_profile_kind;

typedef struct hy_codegen_options {
  int optimize;         // 0 to 3; 3 is what is run, and judged by lane 5 of fuzz
  hy_sanitize sanitize; // instrument the code; the host must be linked with that sanitizer
  bool scalar_tails;    // partly guarded vectors lane by lane, as on processors without masked loads and stores
  hy_guard guard;
  hy_profile_kind profile; // not with guard
  const hy_target *target; // NULL: this machine
  const char *ahead;       // an object file whose entries are called so (llvm_ahead.c); NULL: for this process
  const hy_text *note;     // with "ahead": the bytes of its section .note.halyard; NULL: it has none
} hy_codegen_options;
hy_codegen_options hy_codegen_default(void); // O3; the sanitizer that Halyard itself was built with

typedef struct hy_native hy_native; // a compiled pipeline, loaded

// requires: no holes, hy_passes applied, every obligation proved (the code is emitted under those facts)
HY_GIVE hy_native *hy_native_compile(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options);
void hy_native_free(HY_TAKE hy_native *native);

// What the func has on the stack of each thread that computes it.
uint64_t hy_native_stack_bytes(const hy_native *native, const hy_func *func);
// Of code that is timed: is all of the func told apart, or are computations of a few points part of what is around them?
bool hy_native_is_timed(const hy_native *native, const hy_func *func);

typedef struct hy_native_result {
  hy_run_status status;  // HY_RAN, HY_RUN_ASSUME or HY_RUN_LIMIT (out of memory, or a buffer is refused by GEN.Demand)
  const hy_stmt *failed; // HY_RUN_ASSUME: the assumption
} hy_native_result;
// Writes the window into "output" (type, rank and box must be the window's).
void hy_native_run(const hy_native *native, const hy_input *input, hy_buffer *output, hy_native_result *result);

// The same images and outputs, in memory as the program would like it (GEN.Laid) or demands it (GEN.Demand): what a
// caller of the code has.
typedef struct hy_native_laid_run {
  hy_buffer **images;
  int image_count;
  hy_buffer *output;
  hy_input input; // with these images; its other parts are the given one's
} hy_native_laid_run;
bool hy_native_lays(const hy_native *native); // does it say anything?
// False: it does not, or they do not lie so: then nothing is to be freed, and the code takes them as they are, or, where
// it demands that they do, refuses them.
bool hy_native_lay(const hy_native *native, const hy_input *input, const hy_buffer *output, hy_native_laid_run *run);
void hy_native_take_laid(const hy_native_laid_run *run, hy_buffer *output); // copies the outputs
void hy_native_laid_free(hy_native_laid_run *run);

// The exported entry P_argv, as an object file has it (runtime.h); valid as long as "native".
hy_native_argv *hy_native_argv_entry(const hy_native *native);

// Text of the module, for halyard show. "optimized" after LLVM's passes.
void hy_native_print_llvm(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options, bool optimized,
                          hy_text *out);
void hy_native_print_asm(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options, hy_text *out);

// The bytes of an object file, to be linked with the run-time library (codegen/runtime). It exports P_argv, or the
// entries of options.ahead.
void hy_native_object(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options, hy_text *out);

// The same, and the text of the module that those bytes were made of, after LLVM's passes.
void hy_native_object_and_llvm(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options,
                               hy_text *object, hy_text *llvm);

const char *hy_codegen_llvm_version(void);

#endif
