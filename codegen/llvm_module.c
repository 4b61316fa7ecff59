#include "codegen/codegen_internal.h"
#include "codegen/runtime/runtime.h"
#include "semantics/base/failure.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <string.h>

/* The module of one pipeline P:
 *
 *   P_slots(slots)       the program; "slots" are 64-bit words: each parameter, each image (data, then min, len,
 *                        stride of every dimension), the parts of outputs (the same; their boxes are the windows)
 *   P_argv(args)         the exported entry: unpacks halide_buffer_t's into slots
 *
 * Boxes are 64-bit inside, so that Halyard's own runs are not bound to the 32 bits of the foreign layout.
 */

/* -- slots -- */

static int buffer_slots(const hy_func *func) { return 1 + 3 * func->rank; }

int hy_slot_of_param(const hy_alg *alg, int param) {
  (void)alg;
  return param;
}

int hy_slot_of_image(const hy_alg *alg, int image) {
  int slot = alg->param_count;
  for (int i = 0; i < image; i++) slot += buffer_slots(alg->images[i]);
  return slot;
}

int hy_slot_of_output(const hy_alg *alg, int part) {
  int slot = hy_slot_of_image(alg, alg->image_count);
  for (int k = 0; k < part; k++) slot += buffer_slots(alg->parts[k].func);
  return slot;
}

int hy_slot_count(const hy_alg *alg) { return hy_slot_of_output(alg, alg->part_count); }

static LLVMValueRef load_slot(hy_frame *frame, int slot, LLVMTypeRef type, const char *name) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef index = hy_emit_i64(e, slot);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(frame->builder, e->i64, frame->closure, &index, 1, "");
  return LLVMBuildLoad2(frame->builder, type, address, name);
}

void hy_entry_name(const hy_alg *alg, const char *suffix, char *name, size_t size) {
  snprintf(name, size, "%.200s_%s", alg->name, suffix);
}

/* -- startup variables and buffers -- */

static void bind_param(hy_frame *frame, const hy_var *var, int slot) {
  hy_emitter *e = frame->emitter;
  LLVMValueRef value = load_slot(frame, slot, hy_emit_memory_type(e, var->type, 1), var->name);
  if (var->type == HY_BOOL) value = LLVMBuildICmp(frame->builder, LLVMIntNE, value, LLVMConstNull(e->i8), "");
  hy_frame_bind(frame, var, hy_lanes_uniform(value, 0), NULL);
}

static void bind_box(hy_frame *frame, int rank, int slot, const hy_var *const *min, const hy_var *const *len) {
  for (int d = 0; d < rank; d++) {
    LLVMValueRef least = load_slot(frame, slot + 1 + 3 * d, frame->emitter->i64, "min");
    LLVMValueRef length = load_slot(frame, slot + 2 + 3 * d, frame->emitter->i64, "len");
    hy_frame_bind(frame, min[d], hy_lanes_uniform(least, 0), NULL);
    hy_frame_bind(frame, len[d], hy_lanes_uniform(length, 0), NULL);
  }
}

// Code may count on what is said of the buffer where it is known to lie so; else on what is demanded, or on dimension 0
// being dense.
static LLVMValueRef stride_of(hy_frame *frame, const hy_func *func, int slot, int d) {
  hy_emitter *e = frame->emitter;
  hy_strides wanted = e->is_laid ? hy_tgt_wanted(e->tgt, func) : hy_tgt_demanded(e->tgt, func);
  return wanted.of[d] ? hy_emit_i64(e, wanted.of[d]) : load_slot(frame, slot + 3 + 3 * d, e->i64, "stride");
}

// requires: "min", of the buffer's box, is bound
static void push_buffer(hy_frame *frame, const hy_func *func, int part, int slot, const hy_var *const *min,
                        bool constant) {
  hy_emitter *e = frame->emitter;
  hy_storage storage = {
      .func = func, .part = part, .type = hy_func_type(func, part), .frame = frame, .constant = constant};
  storage.data = load_slot(frame, slot, e->pointer, func->name);
  storage.align = hy_tgt_align(e->tgt, func), storage.min = min;
  hy_emit_alignment(e, storage.data, storage.align);
  LLVMValueRef origin = hy_emit_i64(e, 0);
  for (int d = 0; d < func->rank; d++) {
    storage.stride[d] = stride_of(frame, func, slot, d);
    LLVMValueRef distance = LLVMBuildMul(frame->builder, hy_frame_var(frame, min[d]).value, storage.stride[d], "");
    origin = LLVMBuildSub(frame->builder, origin, distance, "origin");
  }
  storage.origin = origin;
  hy_vec_push(&e->storages, storage);
}

static void bind_image(hy_frame *frame, int i) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  const hy_func *image = alg->images[i];
  bind_box(frame, image->rank, hy_slot_of_image(alg, i), image->min, image->len);
  push_buffer(frame, image, 0, hy_slot_of_image(alg, i), image->min, true);
}

// All parts of an output have one box (D80), and each lies as its caller has it.
static void bind_output(hy_frame *frame, const hy_output *output) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  const hy_func *func = output->func;
  bind_box(frame, func->rank, hy_slot_of_output(alg, output->part), alg->window_min + output->first,
           alg->window_len + output->first);
  for (int part = 0; part < hy_func_parts(func); part++)
    push_buffer(frame, func, part, hy_slot_of_output(alg, output->part + part), alg->window_min + output->first, false);
}

void hy_bind_startup(hy_frame *frame) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  for (int i = 0; i < alg->param_count; i++) bind_param(frame, alg->params[i], hy_slot_of_param(alg, i));
  for (int i = 0; i < alg->image_count; i++) bind_image(frame, i);
  for (int k = 0; k < alg->output_count; k++) bind_output(frame, &alg->outputs[k]);
}

/* -- the program -- */

static LLVMValueRef window_is_empty(hy_frame *frame, const hy_output *output) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  LLVMValueRef empty = LLVMConstInt(frame->emitter->i1, 0, false);
  for (int d = 0; d < output->func->rank; d++) {
    LLVMValueRef len = hy_frame_var(frame, alg->window_len[output->first + d]).value;
    empty = LLVMBuildOr(frame->builder, empty, LLVMBuildIsNull(frame->builder, len, ""), "empty");
  }
  return empty;
}

// GEN.Empty: an empty window returns at once (decision D11); of several outputs, where all are (decision D81).
static void return_if_empty(hy_frame *frame) {
  hy_context_hit(frame->emitter->context, HY_RULE_GEN_EMPTY);
  const hy_alg *alg = frame->emitter->tgt->alg;
  LLVMValueRef empty = window_is_empty(frame, &alg->outputs[0]);
  for (int k = 1; k < alg->output_count; k++) {
    LLVMValueRef other = window_is_empty(frame, &alg->outputs[k]);
    empty = LLVMBuildAnd(frame->builder, empty, other, "empty");
  }
  LLVMBasicBlockRef some = hy_frame_block(frame, "window");
  LLVMBuildCondBr(frame->builder, empty, frame->fail, some);
  hy_frame_at(frame, some);
}

int hy_emitter_assumption(hy_emitter *e, const hy_stmt *assume) {
  size_t i = 0;
  while (i < e->assumptions.count && e->assumptions.data[i] != assume) i++;
  if (i == e->assumptions.count) hy_vec_push(&e->assumptions, assume);
  return (int)i + 1;
}

static LLVMTypeRef type_of_slots(hy_emitter *e) { return LLVMFunctionType(e->i32, &e->pointer, 1, false); }

static LLVMValueRef emit_program(hy_emitter *e, const char *name) {
  LLVMValueRef function = LLVMAddFunction(e->module, name, type_of_slots(e));
  e->vars.count = e->storages.count = e->ranges.count = 0; // those of another version
  hy_frame *frame = hy_frame_new(e, NULL, function);
  LLVMBasicBlockRef start = hy_frame_block(frame, "start");
  hy_frame_at(frame, start);
  hy_profile_frame(frame);
  hy_bind_startup(frame);
  return_if_empty(frame);
  hy_emit_entry(frame);
  hy_emit_stmt(frame, e->tgt->body);
  hy_frame_finish(frame, start);
  hy_frame_free(frame);
  return function;
}

/* -- buffers that lie as the program would like it -- */

// Does it? A stride of a dimension of one element is of no account.
static LLVMValueRef has_strides(hy_frame *frame, LLVMValueRef all, const hy_strides *wanted, int rank, int slot) {
  hy_emitter *e = frame->emitter;
  for (int d = 0; d < rank; d++) {
    if (!wanted->of[d]) continue;
    LLVMValueRef len = load_slot(frame, slot + 2 + 3 * d, e->i64, "len");
    LLVMValueRef stride = load_slot(frame, slot + 3 + 3 * d, e->i64, "stride");
    LLVMValueRef is_one = LLVMBuildICmp(frame->builder, LLVMIntSLE, len, hy_emit_i64(e, 1), "");
    LLVMValueRef is_it = LLVMBuildICmp(frame->builder, LLVMIntEQ, stride, hy_emit_i64(e, wanted->of[d]), "");
    all = LLVMBuildAnd(frame->builder, all, LLVMBuildOr(frame->builder, is_one, is_it, ""), "");
  }
  return all;
}

static LLVMValueRef lies_so(hy_frame *frame, LLVMValueRef all, const hy_func *func, int slot) {
  const hy_strides *said = hy_tgt_strides(frame->emitter->tgt, func);
  if (!said) return all;
  hy_strides wanted = hy_strides_wanted(said, func->rank);
  return has_strides(frame, all, &wanted, func->rank, slot);
}

// Of a buffer without elements no address is asked.
static LLVMValueRef is_aligned(hy_frame *frame, LLVMValueRef all, int64_t align, int rank, int slot) {
  hy_emitter *e = frame->emitter;
  if (align <= 1) return all;
  LLVMValueRef rest =
      LLVMBuildAnd(frame->builder, load_slot(frame, slot, e->i64, "data"), hy_emit_i64(e, align - 1), "");
  LLVMValueRef fits = LLVMBuildIsNull(frame->builder, rest, "aligned");
  for (int d = 0; d < rank; d++) {
    LLVMValueRef len = load_slot(frame, slot + 2 + 3 * d, e->i64, "len");
    fits = LLVMBuildOr(frame->builder, fits, LLVMBuildIsNull(frame->builder, len, ""), "");
  }
  return LLVMBuildAnd(frame->builder, all, fits, "");
}

static LLVMValueRef lies_as_demanded(hy_frame *frame, LLVMValueRef all, const hy_func *func, int slot) {
  const hy_laid *laid = hy_tgt_laid(frame->emitter->tgt, func);
  if (!laid) return all;
  all = has_strides(frame, all, &laid->demanded, func->rank, slot);
  return is_aligned(frame, all, laid->align, func->rank, slot);
}

typedef LLVMValueRef question(hy_frame *frame, LLVMValueRef all, const hy_func *func, int slot);

static LLVMValueRef of_all(hy_frame *frame, question *ask) {
  const hy_alg *alg = frame->emitter->tgt->alg;
  LLVMValueRef all = LLVMConstInt(frame->emitter->i1, 1, false);
  for (int i = 0; i < alg->image_count; i++) all = ask(frame, all, alg->images[i], hy_slot_of_image(alg, i));
  for (int k = 0; k < alg->part_count; k++) all = ask(frame, all, alg->parts[k].func, hy_slot_of_output(alg, k));
  return all;
}

static void return_call(hy_frame *frame, LLVMBasicBlockRef block, LLVMValueRef function) {
  LLVMValueRef slots = LLVMGetParam(frame->function, 0);
  hy_frame_at(frame, block);
  LLVMBuildRet(frame->builder, LLVMBuildCall2(frame->builder, type_of_slots(frame->emitter), function, &slots, 1, ""));
}

static LLVMValueRef emit_hidden(hy_emitter *e, const char *suffix, bool is_laid) {
  char name[256];
  hy_entry_name(e->tgt->alg, suffix, name, sizeof name);
  e->is_laid = is_laid;
  LLVMValueRef function = emit_program(e, name);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

// GEN.Demand: unless (every buffer lies as the program demands) nothing is done
static void refuse_others(hy_frame *frame) {
  hy_emitter *e = frame->emitter;
  hy_context_hit(e->context, HY_RULE_GEN_DEMAND);
  LLVMBasicBlockRef refused = hy_frame_block(frame, "refused"), fine = hy_frame_block(frame, "as.demanded");
  LLVMBuildCondBr(frame->builder, of_all(frame, lies_as_demanded), fine, refused);
  hy_frame_at(frame, refused);
  LLVMBuildRet(frame->builder, LLVMConstInt(e->i32, (uint64_t)HY_NATIVE_REFUSED, true));
  hy_frame_at(frame, fine);
}

// GEN.Laid: if (every buffer lies as the program says) the program, with these strides as constants; else the program
// with those that are demanded. Where all are, there is the first alone.
static LLVMValueRef emit_pipeline(hy_emitter *e) {
  char name[256];
  bool prefers = hy_tgt_prefers_strides(e->tgt), demands = hy_tgt_demands(e->tgt);
  hy_entry_name(e->tgt->alg, "slots", name, sizeof name);
  if (!prefers && !demands) return emit_program(e, name);
  if (prefers) hy_context_hit(e->context, HY_RULE_GEN_LAID);
  LLVMValueRef laid = emit_hidden(e, "laid", true), any = prefers ? emit_hidden(e, "any", false) : NULL;
  hy_frame frame = {.emitter = e, .lanes = 1, .function = LLVMAddFunction(e->module, name, type_of_slots(e))};
  frame.closure = LLVMGetParam(frame.function, 0);
  frame.builder = LLVMCreateBuilderInContext(e->llvm);
  hy_frame_at(&frame, hy_frame_block(&frame, "entry"));
  if (demands) refuse_others(&frame);
  LLVMBasicBlockRef so = hy_frame_block(&frame, "lies.so");
  if (prefers) {
    LLVMBasicBlockRef otherwise = hy_frame_block(&frame, "lies.otherwise");
    LLVMBuildCondBr(frame.builder, of_all(&frame, lies_so), so, otherwise);
    return_call(&frame, otherwise, any);
  } else {
    LLVMBuildBr(frame.builder, so);
  }
  return_call(&frame, so, laid);
  LLVMDisposeBuilder(frame.builder);
  return frame.function;
}

/* -- the exported entry -- */

int hy_type_code(hy_type type) {
  hy_type_class class = hy_type_class_of(type);
  if (type == HY_BF16) return HY_NATIVE_CODE_BFLOAT;
  if (class == HY_CLASS_FLOAT) return HY_NATIVE_CODE_FLOAT;
  return class == HY_CLASS_UNSIGNED || class == HY_CLASS_BOOL ? HY_NATIVE_CODE_UINT : HY_NATIVE_CODE_INT;
}

// One row of the description that hy_runtime_unpack reads: a parameter's, or that of a func's part.
static LLVMValueRef describe(hy_emitter *e, const hy_func *func, int slot, hy_type type, int part) {
  hy_strides wanted = {{0}}, always = {{0}};
  if (func && hy_tgt_strides(e->tgt, func)) wanted = hy_strides_wanted(hy_tgt_strides(e->tgt, func), func->rank);
  if (func) always = hy_tgt_demanded(e->tgt, func);
  int64_t row[6 + 2 * HY_MAX_RANK] = {
      func != NULL, slot, hy_type_code(type), type == HY_BOOL ? 1 : hy_type_bits(type), func ? func->rank : 0, part};
  for (int d = 0; d < HY_MAX_RANK; d++) row[6 + d] = wanted.of[d], row[6 + HY_MAX_RANK + d] = always.of[d];
  LLVMValueRef items[HY_COUNT(row)];
  for (size_t i = 0; i < HY_COUNT(row); i++) items[i] = LLVMConstInt(e->i32, (uint64_t)row[i], true);
  return LLVMConstArray2(e->i32, items, HY_COUNT(row));
}

static LLVMValueRef describe_signature(hy_emitter *e, int *count) {
  const hy_alg *alg = e->tgt->alg;
  int n = alg->param_count + alg->image_count;
  LLVMValueRef *rows = hy_allocate((size_t)(n + alg->part_count) * sizeof *rows);
  for (int i = 0; i < n; i++) {
    int k = alg->signature[i];
    const hy_func *image = k > 0 ? NULL : alg->images[-k - 1];
    rows[i] = k > 0 ? describe(e, NULL, hy_slot_of_param(alg, k - 1), alg->params[k - 1]->type, 0)
                    : describe(e, image, hy_slot_of_image(alg, -k - 1), image->type, 0);
  }
  for (int k = 0; k < alg->part_count; k++) {
    const hy_output_part *part = &alg->parts[k];
    rows[n++] = describe(e, part->func, hy_slot_of_output(alg, k), part->type, part->part);
  }
  LLVMValueRef table = LLVMConstArray2(LLVMTypeOf(rows[0]), rows, (uint64_t)n);
  hy_free(rows);
  LLVMValueRef global = LLVMAddGlobal(e->module, LLVMTypeOf(table), "signature");
  LLVMSetInitializer(global, table);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  *count = n;
  return global;
}

static void emit_argv(hy_emitter *e, LLVMValueRef pipeline) {
  char name[256];
  hy_entry_name(e->tgt->alg, "argv", name, sizeof name);
  LLVMTypeRef type = LLVMFunctionType(e->i32, &e->pointer, 1, false);
  hy_frame frame = {.emitter = e, .lanes = 1, .function = LLVMAddFunction(e->module, name, type)};
  frame.builder = LLVMCreateBuilderInContext(e->llvm);
  hy_frame_at(&frame, hy_frame_block(&frame, "entry"));
  LLVMTypeRef slots_type = LLVMArrayType2(e->i64, (uint64_t)hy_slot_count(e->tgt->alg));
  LLVMValueRef slots = LLVMBuildAlloca(frame.builder, slots_type, "slots");
  int count;
  LLVMValueRef table = describe_signature(e, &count);
  LLVMValueRef args[] = {table, hy_emit_i64(e, count), LLVMGetParam(frame.function, 0), slots};
  LLVMValueRef status = hy_emit_runtime_call(&frame, "hy_runtime_unpack", e->i32, args, 4);
  LLVMBasicBlockRef good = hy_frame_block(&frame, "run"), bad = hy_frame_block(&frame, "refuse");
  LLVMBuildCondBr(frame.builder, LLVMBuildIsNull(frame.builder, status, ""), good, bad);
  hy_frame_at(&frame, bad);
  LLVMBuildRet(frame.builder, status);
  hy_frame_at(&frame, good);
  LLVMValueRef call = LLVMBuildCall2(frame.builder, type, pipeline, &slots, 1, "");
  unsigned once = LLVMGetEnumAttributeKindForName("noinline", 8); // one copy of the program is enough
  LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->llvm, once, 0));
  LLVMBuildRet(frame.builder, call);
  LLVMDisposeBuilder(frame.builder);
}

/* -- aliasing: each part of a func, and each image, is a type of memory of its own, so that no two share a cell -- */

static LLVMMetadataRef text(hy_emitter *e, const char *string) {
  return LLVMMDStringInContext2(e->llvm, string, strlen(string));
}

static LLVMValueRef node(hy_emitter *e, LLVMMetadataRef *items, int count) {
  return LLVMMetadataAsValue(e->llvm, LLVMMDNodeInContext2(e->llvm, items, (size_t)count));
}

// tags[i] = (type, type, 0) with type = (name, root), as type-based alias analysis wants them.
static void make_memory_tags(hy_emitter *e) {
  int count = (int)hy_tgt_symbols(e->tgt);
  e->memory_tags = hy_allocate((size_t)count * sizeof *e->memory_tags);
  LLVMMetadataRef name = text(e, "halyard"), root = LLVMMDNodeInContext2(e->llvm, &name, 1);
  LLVMMetadataRef zero = LLVMValueAsMetadata(hy_emit_i64(e, 0));
  for (int i = 0; i < count * HY_MAX_PARTS; i++) {
    char number[40];
    int func = i / HY_MAX_PARTS, part = i % HY_MAX_PARTS;
    snprintf(number, sizeof number, part ? "func %d.%d" : "func %d", func, part);
    LLVMMetadataRef members[] = {text(e, number), root, zero};
    LLVMMetadataRef type = LLVMMDNodeInContext2(e->llvm, members, 3), tag[] = {type, type, zero};
    e->memory_tags[func][part] = node(e, tag, 3);
  }
}

/* -- life -- */

static unsigned kind(hy_emitter *e, const char *name) {
  return LLVMGetMDKindIDInContext(e->llvm, name, (unsigned)strlen(name));
}

static void close_llvm(void *self) {
  hy_emitter *e = self;
  if (e->module) LLVMDisposeModule(e->module);
  LLVMContextDispose(e->llvm);
  if (e->machine) LLVMDisposeTargetMachine(e->machine);
}

hy_emitter *hy_emitter_new(hy_context *context, const hy_tgt *tgt, const hy_codegen_options *options) {
  hy_emitter *e = hy_allocate_zeroed(1, sizeof *e);
  e->context = context;
  e->tgt = tgt;
  e->options = *options;
  e->copies = 1;
  e->forms = hy_affine_table_new(context);
  e->llvm = LLVMContextCreate();
  hy_hold(close_llvm, e);
  e->module = LLVMModuleCreateWithNameInContext(tgt->alg->name, e->llvm);
  e->machine = hy_target_machine(options);
  hy_target_describe(e);
  e->i1 = LLVMInt1TypeInContext(e->llvm);
  e->i8 = LLVMInt8TypeInContext(e->llvm);
  e->i32 = LLVMInt32TypeInContext(e->llvm);
  e->i64 = LLVMInt64TypeInContext(e->llvm);
  e->f32 = LLVMFloatTypeInContext(e->llvm);
  e->f64 = LLVMDoubleTypeInContext(e->llvm);
  e->pointer = LLVMPointerTypeInContext(e->llvm, 0);
  e->nothing = LLVMVoidTypeInContext(e->llvm);
  e->tbaa_kind = kind(e, "tbaa");
  e->invariant_kind = kind(e, "invariant.load");
  e->align_kind = kind(e, "align");
  e->invariant = node(e, NULL, 0);
  make_memory_tags(e);
  e->untimed = hy_allocate_zeroed(hy_tgt_symbols(tgt), sizeof *e->untimed);
  e->stack_bytes = hy_allocate_zeroed(hy_tgt_symbols(tgt), sizeof *e->stack_bytes);
  e->mask_bytes = hy_target_mask_bytes(options);
  e->target = hy_target_of(options);
  return e;
}

static void add_attribute(hy_emitter *e, LLVMValueRef function, const char *name) {
  unsigned id = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->llvm, id, 0));
}

static void add_attributes(hy_emitter *e) {
  for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f)) {
    add_attribute(e, f, "nounwind");
    if (LLVMIsDeclaration(f)) continue;
    if (e->options.sanitize == HY_SANITIZE_ADDRESS) add_attribute(e, f, "sanitize_address");
    if (e->options.sanitize == HY_SANITIZE_THREAD) add_attribute(e, f, "sanitize_thread");
  }
}

void hy_emitter_run(hy_emitter *e) {
  HY_ASSERT(!hy_tgt_has_hole(e->tgt));
  LLVMValueRef regions = e->options.ahead ? hy_ahead_regions(e) : NULL, pipeline = emit_pipeline(e);
  if (e->options.ahead)
    hy_ahead_entries(e, regions, pipeline);
  else
    emit_argv(e, pipeline);
  add_attributes(e);
  hy_target_restrict(e);
  char *message = NULL;
  if (LLVMVerifyModule(e->module, LLVMReturnStatusAction, &message)) HY_DIE("LLVM refuses the module: %s", message);
  LLVMDisposeMessage(message);
}

void hy_emitter_free(hy_emitter *e) {
  hy_let_go(e);
  close_llvm(e);
  hy_vec_free(&e->vars);
  hy_vec_free(&e->storages);
  hy_vec_free(&e->ranges);
  hy_affine_table_free(e->forms);
  hy_vec_free(&e->assumptions);
  hy_free(e->memory_tags);
  hy_free(e->stack_bytes);
  hy_free(e->untimed);
  hy_free(e);
}
