#include "codegen/codegen_internal.h"
#include "codegen/runtime/ahead.h"
#include "include/halyard_runtime.h"
#include "semantics/tgt/image_region.h"

#include <stdio.h>
#include <string.h>

/* What an object file for programs of others has beside the pipeline: NAME, with an argument for each of the signature
 * and one for each output; NAME_argv, which takes pointers to them; NAME_metadata, which describes them as Halide's do;
 * a note, where one is given; and the record that the run-time library reads (runtime/ahead.h). The functions are a few
 * lines, the work is the library's.
 */

/* -- constants -- */

static LLVMValueRef number(hy_emitter *e, int64_t i) { return LLVMConstInt(e->i32, (uint64_t)i, true); }

static LLVMValueRef private_constant(hy_emitter *e, LLVMValueRef value, const char *name) {
  LLVMValueRef global = LLVMAddGlobal(e->module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

static LLVMValueRef string(hy_emitter *e, const char *text) {
  LLVMValueRef value = LLVMConstStringInContext2(e->llvm, text, strlen(text), false);
  return private_constant(e, value, "text");
}

static LLVMValueRef record(hy_emitter *e, LLVMValueRef *fields, unsigned count) {
  return LLVMConstStructInContext(e->llvm, fields, count, false);
}

static LLVMValueRef table(hy_emitter *e, LLVMValueRef *rows, int count, const char *name) {
  if (!count) return LLVMConstNull(e->pointer);
  return private_constant(e, LLVMConstArray2(LLVMTypeOf(rows[0]), rows, (uint64_t)count), name);
}

/* -- the signature -- */

typedef struct argument {
  const char *name;
  int kind, slot, rank, region, part;
  hy_type type;
  hy_param_about about; // of scalars
  const hy_func *func;  // of buffers
} argument;

static int argument_count(const hy_alg *alg) { return alg->param_count + alg->image_count + alg->part_count; }

static argument argument_at(const hy_alg *alg, int i) {
  int output = i - alg->param_count - alg->image_count;
  if (output >= 0) {
    const hy_output_part *part = &alg->parts[output];
    return (argument){.name = part->name,
                      .kind = HY_AHEAD_OUTPUT,
                      .slot = hy_slot_of_output(alg, output),
                      .rank = part->func->rank,
                      .part = part->part,
                      .type = part->type,
                      .func = part->func};
  }
  int k = alg->signature[i];
  if (k > 0)
    return (argument){.name = alg->params[k - 1]->name,
                      .kind = HY_AHEAD_SCALAR,
                      .slot = hy_slot_of_param(alg, k - 1),
                      .type = alg->params[k - 1]->type,
                      .about = hy_alg_about(alg, k - 1)};
  const hy_func *image = alg->images[-k - 1];
  int region = 0;
  for (int j = 0; j < -k - 1; j++) region += 2 * alg->images[j]->rank;
  return (argument){.name = image->name,
                    .kind = HY_AHEAD_INPUT,
                    .slot = hy_slot_of_image(alg, -k - 1),
                    .rank = image->rank,
                    .region = region,
                    .type = image->type,
                    .func = image};
}

static int argument_of_image(const hy_alg *alg, const hy_func *image) {
  for (int i = 0; i < alg->param_count + alg->image_count; i++)
    if (alg->signature[i] < 0 && alg->images[-alg->signature[i] - 1] == image) return i;
  return -1;
}

// As Halide's Param<int>; decision D26 keeps every int parameter within them anyway.
static bool is_narrow(argument a) { return a.kind == HY_AHEAD_SCALAR && a.type == HY_INT; }
static int bits_of(argument a) { return is_narrow(a) ? 32 : a.type == HY_BOOL ? 1 : (int)hy_type_bits(a.type); }

static LLVMValueRef strides(hy_emitter *e, argument a, const hy_strides *strides) {
  LLVMValueRef items[HY_MAX_RANK];
  for (int d = 0; d < a.rank; d++) items[d] = number(e, strides->of[d]);
  return table(e, items, a.rank, "strides");
}

static LLVMValueRef strides_of(hy_emitter *e, argument a) {
  const hy_strides *said = a.func ? hy_tgt_strides(e->tgt, a.func) : NULL;
  if (!said) return LLVMConstNull(e->pointer);
  hy_strides wanted = hy_strides_wanted(said, a.rank);
  return strides(e, a, &wanted);
}

static LLVMValueRef demands_of(hy_emitter *e, argument a) {
  const hy_laid *laid = a.func ? hy_tgt_laid(e->tgt, a.func) : NULL;
  bool demands = laid && hy_strides_say(&laid->demanded, a.rank);
  return demands ? strides(e, a, &laid->demanded) : LLVMConstNull(e->pointer);
}

static LLVMValueRef describe(hy_emitter *e, argument a) {
  LLVMValueRef fields[] = {
      string(e, a.name),       number(e, a.kind),   number(e, hy_type_code(a.type)),
      number(e, bits_of(a)),   number(e, a.rank),   number(e, a.slot),
      number(e, is_narrow(a)), number(e, a.region), number(e, a.part),
      strides_of(e, a),        demands_of(e, a),    number(e, a.func ? hy_tgt_align(e->tgt, a.func) : 1)};
  return record(e, fields, HY_COUNT(fields));
}

/* -- the program's assumptions -- */

static int code_of(hy_assume_kind why) {
  switch (why) {
  case HY_ASSUME_IMAGE: return HALYARD_OUT_OF_BOUNDS;
  case HY_ASSUME_RANGE:
  case HY_ASSUME_WINDOW: return HALYARD_TOO_LARGE;
  case HY_ASSUME_PARAM: return HALYARD_PARAMETER;
  case HY_ASSUME_REQUIRE:
  case HY_ASSUME_RDOM:
  case HY_ASSUME_FACTOR:
  case HY_ASSUME_NEED:
  case HY_ASSUME_BOUND:
  case HY_ASSUME_LENGTH:
  case HY_ASSUME_UNDECIDED:
  case HY_ASSUME_CONSTRAIN: return HALYARD_REQUIREMENT;
  }
  HY_UNREACHABLE();
}

static LLVMValueRef describe_check(hy_emitter *e, const hy_stmt *assume) {
  hy_text text = {0};
  hy_text_printf(&text, "assumption '%s' does not hold: ", hy_assume_name(assume->assume.why));
  hy_expr_print(assume->assume.condition, &text);
  bool is_image = assume->assume.why == HY_ASSUME_IMAGE;
  LLVMValueRef fields[] = {string(e, hy_text_string(&text)), number(e, code_of(assume->assume.why)),
                           number(e, is_image ? argument_of_image(e->tgt->alg, assume->assume.subject) : -1)};
  hy_text_free(&text);
  return record(e, fields, HY_COUNT(fields));
}

/* -- what is needed of images -- */

static int region_count(const hy_alg *alg) {
  int count = 0;
  for (int i = 0; i < alg->image_count; i++) count += 2 * alg->images[i]->rank;
  return count;
}

// The ranges of parameters are facts of what follows, the boxes that are needed among it.
static void check_parameters(hy_frame *frame) {
  const hy_tgt *tgt = frame->emitter->tgt;
  for (int i = 0; i < tgt->entry_count; i++)
    if (tgt->entry[i]->assume.why == HY_ASSUME_PARAM) hy_emit_assume(frame, tgt->entry[i]);
}

LLVMValueRef hy_ahead_regions(hy_emitter *e) {
  LLVMTypeRef params[] = {e->pointer, e->pointer};
  LLVMValueRef function = LLVMAddFunction(e->module, "regions", LLVMFunctionType(e->i32, params, 2, false));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  hy_frame *frame = hy_frame_new(e, NULL, function);
  LLVMBasicBlockRef start = hy_frame_block(frame, "start");
  hy_frame_at(frame, start);
  hy_frame_scope scope = hy_frame_open(frame);
  hy_bind_startup(frame);
  check_parameters(frame);
  int64_t at = 0;
  for (int i = 0; i < e->tgt->alg->image_count; i++) {
    const hy_func *image = e->tgt->alg->images[i];
    const hy_expr *min[HY_MAX_RANK], *end[HY_MAX_RANK];
    bool is_known = hy_image_region(e->tgt, image, min, end);
    for (int k = 0; k < 2 * image->rank; k++) {
      LLVMValueRef index = hy_emit_i64(e, at++);
      LLVMValueRef value = is_known ? hy_emit_uniform(frame, k % 2 ? end[k / 2] : min[k / 2]) : hy_emit_i64(e, 0);
      LLVMBuildStore(frame->builder, value,
                     LLVMBuildInBoundsGEP2(frame->builder, e->i64, LLVMGetParam(function, 1), &index, 1, ""));
    }
  }
  hy_frame_close(frame, scope);
  hy_frame_finish(frame, start);
  hy_frame_free(frame);
  return function;
}

/* -- the record -- */

static LLVMValueRef describe_pipeline(hy_emitter *e, LLVMValueRef regions, LLVMValueRef pipeline) {
  const hy_alg *alg = e->tgt->alg;
  int count = argument_count(alg), checks = (int)e->assumptions.count;
  LLVMValueRef *rows = hy_allocate((size_t)(count + checks) * sizeof *rows);
  for (int i = 0; i < count; i++) rows[i] = describe(e, argument_at(alg, i));
  LLVMValueRef arguments = table(e, rows, count, "arguments");
  for (int i = 0; i < checks; i++) rows[i] = describe_check(e, e->assumptions.data[i]);
  LLVMValueRef fields[] = {string(e, e->options.ahead),
                           arguments,
                           table(e, rows, checks, "checks"),
                           pipeline,
                           regions,
                           number(e, count),
                           number(e, checks),
                           number(e, hy_slot_count(alg)),
                           number(e, region_count(alg))};
  hy_free(rows);
  return private_constant(e, record(e, fields, HY_COUNT(fields)), "pipeline");
}

/* -- metadata: the layout of Halide's halide_filter_metadata_t -- */

// A union of 8 bytes, of which the first are the value; none of an int that an "int" of C cannot hold.
static LLVMValueRef scalar(hy_emitter *e, argument a, bool is_there, hy_value value) {
  bool is_held = !is_narrow(a) || value.i == (int32_t)value.i;
  if (!is_there || !is_held) return LLVMConstNull(e->pointer);
  LLVMValueRef global = private_constant(e, LLVMConstInt(e->i64, hy_value_bits(value), false), "scalar");
  LLVMSetAlignment(global, 8);
  return global;
}

static LLVMValueRef describe_for_halide(hy_emitter *e, argument a) {
  LLVMTypeRef i16 = LLVMInt16TypeInContext(e->llvm);
  LLVMValueRef type[] = {LLVMConstInt(e->i8, (uint64_t)hy_type_code(a.type), false),
                         LLVMConstInt(e->i8, (uint64_t)bits_of(a), false), LLVMConstInt(i16, 1, false)};
  const hy_param_about about = a.about;
  LLVMValueRef fields[] = {string(e, a.name),
                           number(e, a.kind),
                           number(e, a.rank),
                           record(e, type, 3),
                           scalar(e, a, about.has_initial, about.initial),
                           scalar(e, a, about.has_range, about.least),
                           scalar(e, a, about.has_range, about.greatest),
                           scalar(e, a, about.has_estimate, about.estimate),
                           LLVMConstNull(e->pointer)};
  return record(e, fields, HY_COUNT(fields));
}

enum { METADATA_VERSION = 1 };

static LLVMValueRef metadata(hy_emitter *e) {
  int count = argument_count(e->tgt->alg);
  LLVMValueRef *rows = hy_allocate((size_t)count * sizeof *rows);
  for (int i = 0; i < count; i++) rows[i] = describe_for_halide(e, argument_at(e->tgt->alg, i));
  const char *target = e->options.target ? e->options.target->name : "host";
  LLVMValueRef fields[] = {number(e, METADATA_VERSION), number(e, count), table(e, rows, count, "metadata.arguments"),
                           string(e, target), string(e, e->options.ahead)};
  hy_free(rows);
  return private_constant(e, record(e, fields, HY_COUNT(fields)), "metadata");
}

/* -- the entries -- */

// What others call has its name, whatever is called so here: LLVM would rename the later one ("text" -> "text.12").
static void free_name(hy_emitter *e, const char *name) {
  static const char away[] = "internal";
  LLVMValueRef function = LLVMGetNamedFunction(e->module, name), global = LLVMGetNamedGlobal(e->module, name);
  if (function || global) LLVMSetValueName2(function ? function : global, away, sizeof away - 1);
}

static hy_frame begin(hy_emitter *e, const char *suffix, LLVMTypeRef type) {
  char name[300];
  snprintf(name, sizeof name, "%.250s%s", e->options.ahead, suffix);
  free_name(e, name);
  hy_frame frame = {.emitter = e, .lanes = 1, .function = LLVMAddFunction(e->module, name, type)};
  frame.builder = LLVMCreateBuilderInContext(e->llvm);
  hy_frame_at(&frame, hy_frame_block(&frame, "entry"));
  return frame;
}

static void call_runtime(hy_frame *frame, LLVMValueRef pipeline, LLVMValueRef args) {
  LLVMValueRef both[] = {pipeline, args};
  LLVMBuildRet(frame->builder, hy_emit_runtime_call(frame, "hy_runtime_call", frame->emitter->i32, both, 2));
  LLVMDisposeBuilder(frame->builder);
}

static LLVMTypeRef passed_type(hy_emitter *e, argument a) {
  if (a.kind != HY_AHEAD_SCALAR) return e->pointer;
  return is_narrow(a) ? e->i32 : hy_emit_memory_type(e, a.type, 1);
}

static void emit_plain(hy_emitter *e, LLVMValueRef pipeline) {
  const hy_alg *alg = e->tgt->alg;
  int count = argument_count(alg);
  LLVMTypeRef *types = hy_allocate((size_t)count * sizeof *types);
  for (int i = 0; i < count; i++) types[i] = passed_type(e, argument_at(alg, i));
  hy_frame frame = begin(e, "", LLVMFunctionType(e->i32, types, (unsigned)count, false));
  LLVMValueRef args = LLVMBuildAlloca(frame.builder, LLVMArrayType2(e->pointer, (uint64_t)count), "args");
  for (int i = 0; i < count; i++) {
    LLVMValueRef value = LLVMGetParam(frame.function, (unsigned)i), index = number(e, i);
    if (argument_at(alg, i).kind == HY_AHEAD_SCALAR) {
      LLVMValueRef place = LLVMBuildAlloca(frame.builder, types[i], "");
      LLVMBuildStore(frame.builder, value, place);
      value = place;
    }
    LLVMBuildStore(frame.builder, value, LLVMBuildInBoundsGEP2(frame.builder, e->pointer, args, &index, 1, ""));
  }
  hy_free(types);
  call_runtime(&frame, pipeline, args);
}

// What nothing refers to would be left out but for llvm.used; of that name, LLVM makes a section of notes.
static void add_note(hy_emitter *e, const hy_text *note) {
  LLVMValueRef value = LLVMConstStringInContext2(e->llvm, note->data, note->length, true);
  LLVMValueRef global = private_constant(e, value, "note");
  LLVMSetSection(global, ".note.halyard");
  LLVMSetAlignment(global, 4);
  LLVMValueRef used = LLVMConstArray2(e->pointer, &global, 1),
               list = LLVMAddGlobal(e->module, LLVMTypeOf(used), "llvm.used");
  LLVMSetInitializer(list, used);
  LLVMSetLinkage(list, LLVMAppendingLinkage);
  LLVMSetSection(list, "llvm.metadata");
}

void hy_ahead_entries(hy_emitter *e, LLVMValueRef regions, LLVMValueRef pipeline) {
  if (e->options.note) add_note(e, e->options.note);
  LLVMSetLinkage(pipeline, LLVMInternalLinkage);
  LLVMValueRef described = describe_pipeline(e, regions, pipeline);
  emit_plain(e, described);
  hy_frame argv = begin(e, "_argv", LLVMFunctionType(e->i32, &e->pointer, 1, false));
  call_runtime(&argv, described, LLVMGetParam(argv.function, 0));
  hy_frame about = begin(e, "_metadata", LLVMFunctionType(e->pointer, NULL, 0, false));
  LLVMBuildRet(about.builder, metadata(e));
  LLVMDisposeBuilder(about.builder);
}
