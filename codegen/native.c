/* The way into codegen/ and out of it: a target program becomes code that is loaded here and called, or the text of a
 * module, assembly, or an object file. Every call of these emits the module anew.
 *
 * Loaded code is called with 64-bit words, not halide_buffer_t (llvm_module.c), so that Halyard's own runs are not
 * bound to 32 bits; what it returns says which assumption failed (GEN.Assume), or that there was no memory.
 */

#include "codegen/codegen_internal.h"
#include "codegen/runtime/runtime.h"
#include "semantics/base/failure.h"

#include <llvm-c/Error.h>
#include <llvm/Config/llvm-config.h>
#include <string.h>

hy_codegen_options hy_codegen_default(void) {
#if defined(HALYARD_SANITIZE_ADDRESS)
  return (hy_codegen_options){.optimize = 3, .sanitize = HY_SANITIZE_ADDRESS};
#elif defined(HALYARD_SANITIZE_THREAD)
  return (hy_codegen_options){.optimize = 3, .sanitize = HY_SANITIZE_THREAD};
#else
  return (hy_codegen_options){.optimize = 3, .sanitize = HY_SANITIZE_NONE};
#endif
}

const char *hy_codegen_llvm_version(void) { return LLVM_VERSION_STRING; }

/* -- compiling -- */

static hy_emitter *emit(hy_context *context, const hy_tgt *tgt, const hy_codegen_options *options) {
  hy_emitter *e = hy_emitter_new(context, tgt, options);
  hy_emitter_run(e);
  return e;
}

static LLVMMemoryBufferRef write_code(hy_emitter *e, LLVMCodeGenFileType type) {
  LLVMMemoryBufferRef memory;
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(e->machine, e->module, type, &message, &memory))
    HY_DIE("LLVM cannot emit code: %s", message);
  return memory;
}

hy_native *hy_native_compile(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options) {
  hy_native *native = hy_allocate_zeroed(1, sizeof *native);
  native->alg = passed->alg;
  native->tgt = passed;
  native->guard = options->guard;
  native->funcs = passed->funcs, native->func_count = passed->func_count;
  hy_emitter *e = emit(context, passed, options);
  hy_optimize(e);
  native->jit = hy_jit_load(write_code(e, LLVMObjectFile));
  for (size_t i = 0; i < e->assumptions.count; i++) hy_vec_push(&native->assumptions, e->assumptions.data[i]);
  native->stack_bytes = e->stack_bytes;
  native->untimed = e->untimed;
  e->stack_bytes = NULL, e->untimed = NULL;
  hy_emitter_free(e);
  char name[256];
  hy_entry_name(passed->alg, "slots", name, sizeof name);
  native->run = (hy_native_entry *)hy_jit_find(native->jit, name);
  hy_entry_name(passed->alg, "argv", name, sizeof name);
  native->argv = (hy_native_argv *)hy_jit_find(native->jit, name);
  return native;
}

void hy_native_free(hy_native *native) {
  if (!native) return;
  hy_jit_free(native->jit);
  hy_vec_free(&native->assumptions);
  hy_free(native->stack_bytes);
  hy_free(native->untimed);
  hy_free(native);
}

hy_native_argv *hy_native_argv_entry(const hy_native *native) { return native->argv; }

uint64_t hy_native_stack_bytes(const hy_native *native, const hy_func *func) {
  uint64_t bytes = 0;
  for (int part = 0; part < hy_func_parts(func); part++) bytes += native->stack_bytes[func->index][part];
  return bytes;
}

bool hy_native_is_timed(const hy_native *native, const hy_func *func) { return !native->untimed[func->index]; }

/* -- running -- */

void hy_native_fill_buffer(int64_t *slots, const hy_buffer *buffer) {
  slots[0] = (int64_t)(intptr_t)buffer->data;
  for (int d = 0; d < buffer->rank; d++) {
    slots[1 + 3 * d] = buffer->min[d];
    slots[2 + 3 * d] = buffer->len[d];
    slots[3 + 3 * d] = buffer->stride[d];
  }
}

int64_t *hy_native_slots(const hy_native *native, const hy_input *input) {
  const hy_alg *alg = native->alg;
  int64_t *slots = hy_allocate_zeroed((size_t)hy_slot_count(alg), sizeof *slots);
  for (int i = 0; i < alg->param_count; i++) hy_value_store(input->params[i], &slots[hy_slot_of_param(alg, i)]);
  for (int i = 0; i < alg->image_count; i++) hy_native_fill_buffer(&slots[hy_slot_of_image(alg, i)], input->images[i]);
  return slots;
}

int32_t hy_native_call(const hy_native *native, const int64_t *slots) { return native->run(slots); }

hy_native_result hy_native_result_of(const hy_native *native, int32_t status) {
  if (status < 0) return (hy_native_result){.status = HY_RUN_LIMIT};
  if (status > 0) return (hy_native_result){HY_RUN_ASSUME, native->assumptions.data[status - 1]};
  return (hy_native_result){.status = HY_RAN};
}

void hy_native_run(const hy_native *native, const hy_input *input, hy_buffer *output, hy_native_result *result) {
  const hy_alg *alg = native->alg;
  HY_ASSERT(native->guard == HY_GUARD_NONE);
  int64_t *slots = hy_native_slots(native, input);
  for (int k = 0; k < alg->part_count; k++, output = output->next) {
    const hy_output_part *wanted = &alg->parts[k];
    HY_ASSERT(output && output->type == wanted->type && output->rank == wanted->func->rank);
    for (int d = 0; d < output->rank; d++) {
      HY_ASSERT(output->min[d] == input->window_min[wanted->first + d]);
      HY_ASSERT(output->len[d] == input->window_len[wanted->first + d]);
    }
    hy_native_fill_buffer(&slots[hy_slot_of_output(alg, k)], output);
  }
  *result = hy_native_result_of(native, hy_native_call(native, slots));
  hy_free(slots);
}

/* -- buffers that lie as the program says -- */

bool hy_native_lays(const hy_native *native) { return native->tgt->laid_count > 0; }

static hy_strides strides_of(const hy_native *native, const hy_func *func, hy_native_way way) {
  return way == HY_NATIVE_AS_SAID ? hy_tgt_wanted(native->tgt, func) : hy_tgt_demanded(native->tgt, func);
}

bool hy_native_can_lie(const hy_native *native, const hy_func *func, const hy_buffer *buffer, hy_native_way way) {
  hy_strides wanted = strides_of(native, func, way);
  int64_t stride[HY_MAX_RANK], span;
  return hy_strides_lay(&wanted, func->rank, buffer->len, stride, &span);
}

void hy_native_stride(const hy_native *native, const hy_func *func, hy_buffer *buffer, hy_native_way way) {
  hy_strides wanted = strides_of(native, func, way);
  int64_t span;
  bool lies_so = hy_strides_lay(&wanted, func->rank, buffer->len, buffer->stride, &span);
  HY_ASSERT(lies_so);
}

static hy_buffer *lay(const hy_native *native, const hy_func *func, const hy_buffer *buffer, hy_native_way way) {
  hy_strides wanted = strides_of(native, func, way);
  int64_t stride[HY_MAX_RANK], span;
  if (!hy_strides_lay(&wanted, func->rank, buffer->len, stride, &span)) return NULL;
  hy_buffer *laid = hy_buffer_new_laid(buffer, stride, span, hy_tgt_align(native->tgt, func));
  if (laid) hy_buffer_copy(buffer, laid);
  return laid;
}

void hy_native_laid_free(hy_native_laid_run *run) {
  for (int i = 0; i < run->image_count; i++) hy_buffer_free(run->images[i]);
  hy_free(run->images);
  hy_buffer_free(run->output);
  *run = (hy_native_laid_run){0};
}

static bool lay_outputs(const hy_native *native, const hy_buffer *output, hy_native_way way, hy_native_laid_run *run) {
  hy_buffer **end = &run->output;
  for (int k = 0; k < native->alg->part_count; k++, output = output->next, end = &(*end)->next)
    if (!(*end = lay(native, native->alg->parts[k].func, output, way))) return false;
  return true;
}

static bool lay_all(const hy_native *native, const hy_input *input, const hy_buffer *output, hy_native_way way,
                    hy_native_laid_run *run) {
  const hy_alg *alg = native->alg;
  *run = (hy_native_laid_run){.image_count = alg->image_count};
  run->images = hy_allocate_zeroed((size_t)alg->image_count + 1, sizeof *run->images);
  bool all = true;
  for (int i = 0; i < alg->image_count && all; i++)
    all = (run->images[i] = lay(native, alg->images[i], input->images[i], way)) != NULL;
  if (!all || !lay_outputs(native, output, way, run)) {
    hy_native_laid_free(run);
    return false;
  }
  run->input = *input;
  run->input.images = (const hy_buffer *const *)run->images;
  return true;
}

bool hy_native_lay(const hy_native *native, const hy_input *input, const hy_buffer *output, hy_native_laid_run *run) {
  if (!hy_native_lays(native)) return false;
  return lay_all(native, input, output, HY_NATIVE_AS_SAID, run) ||
         (hy_tgt_demands(native->tgt) && lay_all(native, input, output, HY_NATIVE_AS_DEMANDED, run));
}

void hy_native_take_laid(const hy_native_laid_run *run, hy_buffer *output) {
  for (const hy_buffer *from = run->output; from; from = from->next, output = output->next)
    hy_buffer_copy(from, output);
}

/* -- printing -- */

static void close_message(void *text) { LLVMDisposeMessage(text); }

static void add_module(hy_emitter *e, hy_text *out) {
  char *text = LLVMPrintModuleToString(e->module);
  hy_hold(close_message, text);
  hy_text_add(out, text);
  hy_let_go(text);
  LLVMDisposeMessage(text);
}

void hy_native_print_llvm(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options, bool optimized,
                          hy_text *out) {
  hy_emitter *e = emit(context, passed, options);
  if (optimized) hy_optimize(e);
  add_module(e, out);
  hy_emitter_free(e);
}

static void close_memory(void *memory) { LLVMDisposeMemoryBuffer(memory); }

// "llvm" may be NULL: the module, before what writes the code changes it.
static void add_code(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options,
                     LLVMCodeGenFileType type, hy_text *out, hy_text *llvm) {
  hy_emitter *e = emit(context, passed, options);
  hy_optimize(e);
  if (llvm) add_module(e, llvm);
  LLVMMemoryBufferRef memory = write_code(e, type);
  hy_hold(close_memory, memory);
  hy_text_add_bytes(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
  hy_let_go(memory);
  LLVMDisposeMemoryBuffer(memory);
  hy_emitter_free(e);
}

void hy_native_print_asm(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options, hy_text *out) {
  add_code(context, passed, options, LLVMAssemblyFile, out, NULL);
}

void hy_native_object(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options, hy_text *out) {
  add_code(context, passed, options, LLVMObjectFile, out, NULL);
}

void hy_native_object_and_llvm(hy_context *context, const hy_tgt *passed, const hy_codegen_options *options,
                               hy_text *object, hy_text *llvm) {
  add_code(context, passed, options, LLVMObjectFile, object, llvm);
}
