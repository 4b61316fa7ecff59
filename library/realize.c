// Running code on the caller's buffers: everything is looked at before anything is written.

#include "library/code.h"

#include "engines/evaluate.h"
#include "semantics/value/value_parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FARTHEST = 1 << 30 }; // more elements than any buffer has in a dimension are a mistake: 2^31 is the language's

typedef struct {
  const char *call;
  halyard_context *context;
  const hy_alg *alg;
  halyard_code *code;
  const halyard_argument *arguments, *outputs;
  size_t count, output_count;
  // made of them
  hy_value *params;
  const halyard_buffer **given; // images, then the parts of outputs
  hy_buffer *buffers, **copies; // as the code wants them; what was copied
  const hy_buffer **images;
  int64_t *window_min, *window_len; // of all outputs
  bool fine;
} realizing;

static bool is_output(const realizing *r, int i) { return i >= r->alg->image_count; }
static const hy_output_part *part_at(const realizing *r, int i) { return &r->alg->parts[i - r->alg->image_count]; }
static int buffer_count(const realizing *r) { return r->alg->image_count + r->alg->part_count; }

// What a buffer is for.
typedef struct {
  const char *name;
  hy_type type;
  int rank;
} purpose;

static purpose purpose_of(const realizing *r, int i) {
  if (is_output(r, i)) return (purpose){part_at(r, i)->name, part_at(r, i)->type, part_at(r, i)->func->rank};
  return (purpose){r->alg->images[i]->name, r->alg->images[i]->type, r->alg->images[i]->rank};
}

static bool wrong(realizing *r, const char *what, const char *name, const char *why) {
  return r->fine = hy_library_fail(r->context, HALYARD_MISUSE, r->call, "%s '%s' %s", what, name, why);
}

/* -- buffers -- */

typedef struct {
  int64_t low, high; // bytes it takes, from its data on; low <= 0
} span;

static bool is_empty(const halyard_buffer *b) {
  for (int d = 0; d < b->dimensions; d++)
    if (b->extent[d] == 0) return true;
  return false;
}

// False: it does not fit an address space.
static bool span_of(const halyard_buffer *b, int64_t bytes, span *s) {
  *s = (span){0, bytes};
  for (int d = 0; d < b->dimensions; d++) {
    int64_t reach;
    if (__builtin_mul_overflow(b->extent[d] - 1, b->stride[d], &reach) || __builtin_mul_overflow(reach, bytes, &reach))
      return false;
    if (__builtin_add_overflow(reach < 0 ? s->low : s->high, reach, reach < 0 ? &s->low : &s->high)) return false;
  }
  return s->low > -(INT64_C(1) << 46) && s->high < INT64_C(1) << 46;
}

static bool judge_shape(realizing *r, const char *what, const char *name, const halyard_buffer *b) {
  char why[160];
  for (int d = 0; d < b->dimensions; d++) {
    int64_t end;
    const char *wrong_with = b->extent[d] < 0 ? "a negative extent"
                             : b->extent[d] > FARTHEST || __builtin_add_overflow(b->min[d], b->extent[d], &end) ||
                                     b->min[d] < INT32_MIN || end > INT32_MAX
                                 ? "a box outside of +-2^31"
                                 : NULL;
    if (!wrong_with) continue;
    snprintf(why, sizeof why, "has %s in dimension %d: [%" PRId64 ", %" PRId64 " more)", wrong_with, d, b->min[d],
             b->extent[d]);
    return wrong(r, what, name, why);
  }
  return true;
}

static const hy_func *func_of(const realizing *r, int i) {
  return is_output(r, i) ? part_at(r, i)->func : r->alg->images[i];
}

static const hy_tgt *program_of(const realizing *r) { return r->code->result->pipeline.filled; }

// GEN.Demand. A stride of a dimension of one element is of no account.
static bool judge_demands(realizing *r, int i) {
  const hy_laid *laid = hy_tgt_laid(program_of(r), func_of(r, i));
  const halyard_buffer *b = r->given[i];
  const char *what = is_output(r, i) ? "output" : "image", *name = purpose_of(r, i).name;
  char why[160];
  for (int d = 0; laid && d < b->dimensions; d++) {
    if (!laid->demanded.of[d] || b->extent[d] <= 1 || b->stride[d] == laid->demanded.of[d]) continue;
    snprintf(why, sizeof why, "has the stride %" PRId64 " in dimension %d, but %" PRId64 " is demanded", b->stride[d],
             d, laid->demanded.of[d]);
    return wrong(r, what, name, why);
  }
  if (!laid || !laid->align || (uintptr_t)b->data % (uintptr_t)laid->align == 0) return true;
  snprintf(why, sizeof why, "does not begin at a multiple of %" PRId64 " bytes, which is demanded", laid->align);
  return wrong(r, what, name, why);
}

static bool judge_buffer(realizing *r, int i) {
  const purpose want = purpose_of(r, i);
  const halyard_buffer *b = r->given[i];
  const char *what = is_output(r, i) ? "output" : "image";
  char why[160];
  span s;
  if ((int)b->type < HALYARD_INT || b->type > HALYARD_BF16 || hy_type_of_halyard(b->type) != want.type) {
    bool is_type = (int)b->type >= HALYARD_INT && b->type <= HALYARD_BF16;
    snprintf(why, sizeof why, "has elements of type %s, and those of the buffer are of %s", hy_type_name(want.type),
             is_type ? hy_type_name(hy_type_of_halyard(b->type)) : "no type that there is");
    return wrong(r, what, want.name, why);
  }
  if (b->dimensions != want.rank) {
    snprintf(why, sizeof why, "has %d dimensions, the buffer %d", want.rank, b->dimensions);
    return wrong(r, what, want.name, why);
  }
  if (!judge_shape(r, what, want.name, b)) return false;
  if (is_empty(b)) return true;
  int64_t bytes = (int64_t)hy_type_bytes(want.type);
  if (!b->data) return wrong(r, what, want.name, "has no memory");
  if ((uintptr_t)b->data % (uintptr_t)bytes) return wrong(r, what, want.name, "is not aligned to its elements");
  if (!span_of(b, bytes, &s)) return wrong(r, what, want.name, "has strides that lead out of any memory");
  if (is_output(r, i) && !hy_strides_are_apart(b->dimensions, b->extent, b->stride))
    return wrong(r, what, want.name, "has strides by which elements share memory");
  return judge_demands(r, i);
}

static bool share_memory(const realizing *r, int i, int k) {
  const halyard_buffer *a = r->given[i], *b = r->given[k];
  span at, bt;
  if (is_empty(a) || is_empty(b)) return false;
  span_of(a, (int64_t)hy_type_bytes(purpose_of(r, i).type), &at);
  span_of(b, (int64_t)hy_type_bytes(purpose_of(r, k).type), &bt);
  intptr_t from = (intptr_t)a->data, to = (intptr_t)b->data;
  return from + at.low < to + bt.high && to + bt.low < from + at.high;
}

// All parts of an output have one window: that of the first.
static bool judge_window(realizing *r, int i) {
  const hy_output_part *part = part_at(r, i);
  const halyard_buffer *b = r->given[i], *first = r->given[i - part->part];
  char why[240];
  for (int d = 0; d < b->dimensions; d++) {
    if (b->min[d] == first->min[d] && b->extent[d] == first->extent[d]) continue;
    snprintf(why, sizeof why,
             "has the window [%" PRId64 ", %" PRId64 ") in dimension %d, and '%.80s', of the same func, [%" PRId64
             ", %" PRId64 ")",
             b->min[d], b->min[d] + b->extent[d], d, r->alg->parts[r->alg->outputs[part->output].part].name,
             first->min[d], first->min[d] + first->extent[d]);
    return wrong(r, "output", part->name, why);
  }
  return true;
}

// Of an output with an image, or with an output before it.
static bool judge_overlap(realizing *r, int output) {
  for (int i = 0; i < output; i++) {
    if (!share_memory(r, i, output)) continue;
    const char *name = purpose_of(r, i).name;
    return is_output(r, i) ? wrong(r, "output", name, "shares memory with another output")
                           : wrong(r, "image", name, "shares memory with the output");
  }
  return true;
}

/* -- arguments by name -- */

static const halyard_argument *find(const halyard_argument *list, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (list[i].name && strcmp(list[i].name, name) == 0) return &list[i];
  return NULL;
}

static bool is_wanted(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->param_count; i++)
    if (strcmp(alg->params[i]->name, name) == 0) return true;
  for (int i = 0; i < alg->image_count; i++)
    if (strcmp(alg->images[i]->name, name) == 0) return true;
  return false;
}

static bool is_realized(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->part_count; i++)
    if (strcmp(alg->parts[i].name, name) == 0) return true;
  return false;
}

// A func of several values may be meant as one.
static bool no_output(realizing *r, const char *name) {
  char why[240];
  for (int k = 0; k < r->alg->output_count; k++) {
    const hy_func *func = r->alg->outputs[k].func;
    if (strcmp(func->name, name) != 0) continue;
    snprintf(why, sizeof why, "has %d values: a buffer for each, '%.80s.0' to '%.80s.%d'", hy_func_parts(func), name,
             name, hy_func_parts(func) - 1);
    return wrong(r, "output", name, why);
  }
  return wrong(r, "argument", name, "is no output of the pipeline");
}

static bool judge_names(realizing *r) {
  for (size_t i = 0; i < r->count; i++) {
    const char *name = r->arguments[i].name;
    if (!name) return r->fine = hy_library_missing(r->context, r->call, "an argument's name");
    if (!is_wanted(r->alg, name)) return wrong(r, "argument", name, "is no parameter or image of the pipeline");
    if (find(r->arguments, r->count, name) != &r->arguments[i]) return wrong(r, "argument", name, "is given twice");
  }
  for (size_t i = 0; i < r->output_count; i++) {
    const char *name = r->outputs[i].name;
    if (!name) return r->fine = hy_library_missing(r->context, r->call, "an output's name");
    if (!is_realized(r->alg, name)) return no_output(r, name);
    if (find(r->outputs, r->output_count, name) != &r->outputs[i]) return wrong(r, "output", name, "is given twice");
  }
  return true;
}

static bool take_param(realizing *r, int i) {
  const hy_var *param = r->alg->params[i];
  const halyard_argument *a = find(r->arguments, r->count, param->name);
  const char *why = NULL;
  hy_param_about about = hy_alg_about(r->alg, i);
  if (!a && about.has_initial) return r->params[i] = about.initial, true;
  if (!a) return wrong(r, "parameter", param->name, "has no argument");
  hy_text text = {0};
  bool fine = hy_library_print_number(&a->value, &text);
  if (!fine && a->value.kind == HALYARD_OPERAND_REAL) why = "is NaN or infinite, which lies in no range";
  if (fine && param->type == HY_BOOL) {
    bool is_bit = strcmp(hy_text_string(&text), "0") == 0 || strcmp(hy_text_string(&text), "1") == 0;
    r->params[i] = (hy_value){.u = text.length && text.data[0] == '1', .type = (uint8_t)HY_BOOL};
    fine = is_bit;
    why = "is a bool: give 0 or 1";
  } else if (fine) {
    fine = hy_parse_value(hy_text_string(&text), param->type, &r->params[i], &why);
  }
  hy_text_free(&text);
  return fine ? true : wrong(r, "parameter", param->name, why ? why : "needs a number");
}

static bool take_buffer(realizing *r, int i) {
  const char *name = purpose_of(r, i).name;
  bool fills = is_output(r, i);
  const char *what = fills ? "output" : "image";
  const halyard_argument *a = fills ? find(r->outputs, r->output_count, name) : find(r->arguments, r->count, name);
  if (!a) return wrong(r, what, name, "has no argument");
  if (a->value.kind != HALYARD_OPERAND_BUFFER) return wrong(r, what, name, "needs a buffer");
  if (!a->value.is.buffer) return wrong(r, what, name, "has NULL for a buffer");
  r->given[i] = a->value.is.buffer;
  return judge_buffer(r, i) && (!fills || (judge_window(r, i) && judge_overlap(r, i)));
}

/* -- memory as the code wants it -- */

// No negative strides, and as is demanded, or dense in dimension 0; or, where all buffers lie as the schedule says, with
// its strides.
static bool is_usable(const realizing *r, int i, bool all_lie_so) {
  const halyard_buffer *b = r->given[i];
  const hy_func *func = func_of(r, i);
  hy_strides wanted = all_lie_so ? hy_tgt_wanted(program_of(r), func) : hy_tgt_demanded(program_of(r), func);
  for (int d = 0; d < b->dimensions; d++)
    if (b->extent[d] > 1 && (wanted.of[d] ? b->stride[d] != wanted.of[d] : b->stride[d] < 0)) return false;
  return true;
}

static bool lie_so(const realizing *r) {
  if (!hy_tgt_says_strides(program_of(r))) return false;
  for (int i = 0; i < buffer_count(r); i++)
    if (!is_usable(r, i, true)) return false;
  return true;
}

// Copies every element between the caller's memory and a buffer of ours.
static void copy_elements(const halyard_buffer *b, hy_buffer *own, bool back) {
  size_t bytes = hy_type_bytes(own->type);
  int64_t at[HALYARD_MOST_DIMENSIONS] = {0};
  if (is_empty(b)) return;
  for (;;) {
    int64_t offset = 0, place = 0;
    for (int d = 0; d < b->dimensions; d++) offset += at[d] * b->stride[d], place += at[d] * own->stride[d];
    uint8_t *here = (uint8_t *)b->data + offset * (int64_t)bytes, *element = own->data + place * (int64_t)bytes;
    memcpy(back ? here : element, back ? element : here, bytes);
    int d = 0;
    while (d < b->dimensions && ++at[d] == b->extent[d]) at[d++] = 0;
    if (d >= b->dimensions) return;
  }
}

static hy_buffer *copy_of(const realizing *r, int i, const hy_buffer *given) {
  hy_strides demanded = hy_tgt_demanded(program_of(r), func_of(r, i));
  int64_t stride[HY_MAX_RANK], span;
  if (!hy_strides_lay(&demanded, given->rank, given->len, stride, &span)) return NULL;
  return hy_buffer_new_laid(given, stride, span, hy_tgt_align(program_of(r), func_of(r, i)));
}

static bool place_buffer(realizing *r, int i, bool all_lie_so) {
  const purpose want = purpose_of(r, i);
  const halyard_buffer *b = r->given[i];
  hy_buffer *placed = &r->buffers[i];
  *placed = (hy_buffer){.type = want.type, .rank = want.rank, .count = 1, .data = b->data};
  for (int d = 0; d < want.rank; d++) {
    placed->min[d] = b->min[d], placed->len[d] = b->extent[d], placed->stride[d] = b->stride[d];
    placed->count *= (size_t)b->extent[d];
  }
  if (!is_usable(r, i, all_lie_so)) {
    r->copies[i] = copy_of(r, i, placed);
    if (!r->copies[i])
      return r->fine = hy_library_fail(r->context, HALYARD_NO_MEMORY, r->call, "no memory for a dense copy of '%s'",
                                       want.name);
    if (!is_output(r, i)) copy_elements(b, r->copies[i], false);
    *placed = *r->copies[i];
  }
  return true;
}

/* -- running -- */

static void print_box(const int64_t *min, const int64_t *len, int rank, hy_text *out) {
  for (int d = 0; d < rank; d++)
    hy_text_printf(out, "%s[%" PRId64 ", %" PRId64 ")", d ? " x " : "", min[d], min[d] + len[d]);
}

// What of the image is read, where that can be said in numbers, and what there is.
static void tell_image(realizing *r, const hy_func *image, const hy_input *input, hy_text *out) {
  hy_region need;
  int i = 0;
  while (r->alg->images[i] != image) i++;
  hy_text_printf(out, "image '%s' does not contain what is read of it: ", image->name);
  if (!hy_region_needed(r->code->result->pipeline.filled, image, input, &need) || need.empty) return;
  print_box(need.min, need.len, image->rank, out);
  hy_text_add(out, ", and it is ");
  print_box(r->buffers[i].min, r->buffers[i].len, image->rank, out);
  hy_text_add(out, ": ");
}

static void find_variable(void *self, const hy_expr *node) {
  const hy_var **found = self;
  if (node->kind == HY_EXPR_VAR) *found = node->var;
}

// As HY0618 has it.
static bool tell_parameter(const realizing *r, const hy_expr *condition, hy_text *out) {
  const hy_var *var = NULL;
  hy_expr_visit(condition, find_variable, &var);
  for (int i = 0; i < r->alg->param_count; i++) {
    if (r->alg->params[i] != var) continue;
    hy_text_printf(out, "the parameter '%s' is ", var->name);
    hy_value_print(r->params[i], out);
    hy_text_add(out, ", and its range is ");
    return true;
  }
  return false;
}

// What else is assumed, with the values of the parameters in it.
static void tell_assumption(const realizing *r, const hy_native_result *result, hy_text *out) {
  const hy_expr *condition = result->failed->assume.condition;
  if (result->failed->assume.why == HY_ASSUME_REQUIRE)
    hy_text_add(out, "the pipeline does not allow this input: ");
  else
    hy_text_printf(out,
                   "an assumption about the input (%s) does not hold: ", hy_assume_name(result->failed->assume.why));
  hy_expr_print(condition, out);
  for (int i = 0, told = 0; i < r->alg->param_count; i++) {
    if (!hy_expr_mentions(condition, r->alg->params[i])) continue;
    hy_text_printf(out, "%s%s = ", told++ ? ", " : "; ", r->alg->params[i]->name);
    hy_value_print(r->params[i], out);
  }
}

static void tell_failure(realizing *r, const hy_input *input, const hy_native_result *result, hy_text *out) {
  const hy_expr *condition = result->failed->assume.condition;
  const hy_func *subject = result->failed->assume.subject;
  bool is_image = result->failed->assume.why == HY_ASSUME_IMAGE && subject;
  if (is_image) tell_image(r, subject, input, out);
  if (is_image || (result->failed->assume.why == HY_ASSUME_PARAM && tell_parameter(r, condition, out)))
    hy_expr_print(condition, out);
  else
    tell_assumption(r, result, out);
}

static void tell_result(realizing *r, const hy_input *input, const hy_native_result *result) {
  hy_text text = {0};
  if (result->status == HY_RUN_ASSUME && result->failed) tell_failure(r, input, result, &text);
  r->fine = result->status == HY_RUN_ASSUME
                ? hy_library_fail(r->context, HALYARD_FAILED, r->call, "%s", hy_text_string(&text))
                : hy_library_fail(r->context, HALYARD_NO_MEMORY, r->call, "out of memory while the code ran");
  hy_text_free(&text);
}

static void set_window(realizing *r) {
  for (int k = 0; k < r->alg->part_count; k++) {
    hy_buffer *out = &r->buffers[r->alg->image_count + k];
    out->next = k + 1 < r->alg->part_count ? out + 1 : NULL;
    for (int d = 0; d < out->rank; d++) {
      r->window_min[r->alg->parts[k].first + d] = out->min[d];
      r->window_len[r->alg->parts[k].first + d] = out->len[d];
    }
  }
}

static void run_code(realizing *r) {
  int images = r->alg->image_count;
  hy_input input = {r->params, r->images, r->window_min, r->window_len};
  hy_native_result result;
  set_window(r);
  if (hy_alg_nothing_asked(r->alg, &input)) return;
  hy_native_run(r->code->native, &input, &r->buffers[images], &result);
  if (result.status != HY_RAN) tell_result(r, &input, &result);
  for (int i = images; i < buffer_count(r) && r->fine; i++)
    if (r->copies[i]) copy_elements(r->given[i], r->copies[i], true);
}

static void realize(void *self) {
  realizing *r = self;
  const hy_alg *alg = r->alg;
  size_t count = (size_t)buffer_count(r), sides = (size_t)alg->window_rank;
  r->params = hy_allocate_zeroed((size_t)alg->param_count, sizeof *r->params);
  r->given = hy_allocate_zeroed(count, sizeof *r->given);
  r->buffers = hy_allocate_zeroed(count, sizeof *r->buffers);
  r->copies = hy_allocate_zeroed(count, sizeof *r->copies);
  r->images = hy_allocate_zeroed(count, sizeof *r->images);
  r->window_min = hy_allocate_zeroed(sides, sizeof *r->window_min);
  r->window_len = hy_allocate_zeroed(sides, sizeof *r->window_len);
  r->fine = judge_names(r);
  for (int i = 0; i < alg->param_count && r->fine; i++) r->fine = take_param(r, i);
  for (int i = 0; i < buffer_count(r) && r->fine; i++) r->fine = take_buffer(r, i);
  bool all_lie_so = r->fine && lie_so(r);
  for (int i = 0; i < buffer_count(r) && r->fine; i++) {
    r->fine = place_buffer(r, i, all_lie_so);
    r->images[i] = &r->buffers[i];
  }
  if (r->fine) run_code(r);
  // the rest is the scratch's
}

static bool realize_all(realizing *r) {
  object *scratch = hy_object_new(r->context, r->call, OBJECT_SCRATCH, sizeof *scratch);
  bool fine = scratch && hy_library_run(scratch, r->call, realize, r) && r->fine;
  hy_object_free(scratch);
  return fine;
}

bool halyard_realize(halyard_code *code, const halyard_argument *arguments, size_t count,
                     const halyard_buffer *output) {
  static const char call[] = "halyard_realize";
  if (!code) return hy_library_missing(NULL, call, "the code");
  halyard_context *context = code->head.context;
  if (!hy_library_enter(context, call)) return false;
  const hy_alg *alg = code->result->pipeline.alg;
  halyard_argument only = {alg->output->name, {HALYARD_OPERAND_BUFFER, {.buffer = output}}};
  realizing r = {call, context, alg, code, arguments, &only, count, 1, .fine = true};
  bool fine = false;
  if (!output)
    hy_library_missing(context, call, "the output");
  else if (count && !arguments)
    hy_library_missing_list(context, call, "the arguments");
  else if (alg->output_count > 1)
    hy_library_fail(context, HALYARD_MISUSE, call,
                    "the pipeline has %d outputs, and this call is given the memory of one: halyard_realize_all takes "
                    "a buffer for each",
                    alg->output_count);
  else if (alg->part_count > 1)
    hy_library_fail(context, HALYARD_MISUSE, call,
                    "the output has %d values, and this call is given the memory of one: halyard_realize_all takes "
                    "a buffer for each, '%s', '%s', ...",
                    alg->part_count, alg->parts[0].name, alg->parts[1].name);
  else
    fine = realize_all(&r);
  hy_library_leave(context);
  return fine;
}

bool halyard_realize_all(halyard_code *code, const halyard_argument *arguments, size_t count,
                         const halyard_argument *outputs, size_t output_count) {
  static const char call[] = "halyard_realize_all";
  if (!code) return hy_library_missing(NULL, call, "the code");
  halyard_context *context = code->head.context;
  if (!hy_library_enter(context, call)) return false;
  realizing r = {call,         context,     code->result->pipeline.alg, code, arguments, outputs, count,
                 output_count, .fine = true};
  bool fine = false;
  if ((count && !arguments) || (output_count && !outputs))
    hy_library_missing_list(context, call, count && !arguments ? "the arguments" : "the outputs");
  else
    fine = realize_all(&r);
  hy_library_leave(context);
  return fine;
}

/* -- descriptions of memory -- */

halyard_buffer halyard_dense(void *data, halyard_type type, int64_t width, int64_t height, int64_t channels) {
  halyard_buffer b = {.data = data, .type = type};
  const int64_t extents[] = {width, height, channels};
  int64_t stride = 1;
  for (int d = 0; d < 3 && extents[d] != 0; d++) {
    b.dimensions = d + 1;
    b.extent[d] = extents[d];
    b.stride[d] = stride;
    if (__builtin_mul_overflow(stride, extents[d], &stride)) stride = 0;
  }
  return b;
}

static bool type_of(hy_native_type t, halyard_type *type) {
  static const struct {
    uint8_t code, bits;
    halyard_type type;
  } rows[] = {
      {1, 1, HALYARD_BOOL}, {1, 8, HALYARD_U8},   {1, 16, HALYARD_U16},  {1, 32, HALYARD_U32}, {1, 64, HALYARD_U64},
      {0, 8, HALYARD_I8},   {0, 16, HALYARD_I16}, {0, 32, HALYARD_I32},  {0, 64, HALYARD_I64}, {2, 32, HALYARD_F32},
      {2, 64, HALYARD_F64}, {2, 16, HALYARD_F16}, {4, 16, HALYARD_BF16},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (rows[i].code == t.code && rows[i].bits == t.bits && t.lanes == 1) {
      *type = rows[i].type;
      return true;
    }
  return false;
}

bool halyard_from_halide(const struct halide_buffer_t *halide, halyard_buffer *buffer) {
  static const char call[] = "halyard_from_halide";
  const hy_native_buffer *from = (const hy_native_buffer *)(const void *)halide;
  if (!from || !buffer) return hy_library_missing(NULL, call, "a buffer");
  halyard_buffer b = {.data = from->host, .dimensions = from->dimensions};
  if (!type_of(from->type, &b.type)) return hy_library_fail(NULL, HALYARD_MISUSE, call, "Halyard has no such type");
  if (b.dimensions < 0 || b.dimensions > HALYARD_MOST_DIMENSIONS || (b.dimensions && !from->dim))
    return hy_library_fail(NULL, HALYARD_MISUSE, call, "a buffer of %d dimensions", b.dimensions);
  for (int d = 0; d < b.dimensions; d++) {
    b.min[d] = from->dim[d].min;
    b.extent[d] = from->dim[d].extent;
    b.stride[d] = from->dim[d].stride;
  }
  *buffer = b;
  return true;
}
