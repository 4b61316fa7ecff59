#include "codegen/runtime/ahead.h"
#include "codegen/runtime/hooks.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The call of a pipeline from outside: looks at every argument before anything is computed, answers bounds queries, and
 * gives the program its buffers as it wants them: all with the strides that the code is made for, where it is made for
 * some (GEN.Laid), else with those that it demands, or dense in dimension 0. Buffers that are not, are copied: there
 * and, if all went well, back. Those that do not lie as it demands are refused (GEN.Demand).
 */

enum { MOST_RANK = 16, ROUNDS = 16, FREE_ROUNDS = 4 };
#define MOST_ELEMENTS (INT64_C(1) << 59) // no memory is that large, and their bytes are a number of 64 bits

_Static_assert(sizeof(hy_native_buffer) == sizeof(halide_buffer_t), "one layout");
_Static_assert(offsetof(hy_native_buffer, dim) == offsetof(halide_buffer_t, dim), "one layout");
_Static_assert(sizeof(hy_native_dimension) == sizeof(halide_dimension_t), "one layout");

typedef struct call {
  const hy_ahead_pipeline *p;
  void **args;
  int64_t *slots, *regions;
  void **copies; // by argument; NULL: none
  bool lies_so;  // all buffers have the strides that the code is made for
} call;

static int32_t fail(const call *c, int32_t code, const char *format, ...) {
  char text[400];
  int length = snprintf(text, sizeof text, "%.100s: ", c->p->name);
  va_list list;
  va_start(list, format);
  vsnprintf(text + length, sizeof text - (size_t)length, format, list);
  va_end(list);
  if (hy_hooks_now.error)
    hy_hooks_now.error(NULL, text);
  else
    fprintf(stderr, "%s\n", text);
  return code;
}

/* -- arguments -- */

static const char *kind_name(const hy_ahead_argument *a) { return a->kind == HY_AHEAD_INPUT ? "image" : "output"; }

// A query: where the memory would be there is none.
static bool is_query(const hy_native_buffer *b) { return !b->host && !b->device; }

// Of a halide_type_code_t; 3 is a handle's, which no element is.
static const char *code_name(int32_t code) {
  switch (code) {
  case 0: return "int";
  case 1: return "uint";
  case 2: return "float";
  case 4: return "bfloat";
  default: return "?";
  }
}

static int32_t judge_type(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b) {
  // From Halide 22 on the place of "lanes" is reserved, and 0.
  if (b->type.code == a->code && b->type.bits == a->bits && b->type.lanes <= 1) return HALYARD_FINE;
  if (b->type.lanes > 1)
    return fail(c, HALYARD_BAD_TYPE, "%s '%s' is given a buffer of vectors", kind_name(a), a->name);
  return fail(c, HALYARD_BAD_TYPE, "%s '%s' has elements of type %s%d, but the buffer's are %s%d", kind_name(a),
              a->name, code_name(a->code), a->bits, code_name(b->type.code), b->type.bits);
}

static int32_t judge_buffer(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b) {
  if (!b) return fail(c, HALYARD_NO_BUFFER, "%s '%s' is NULL", kind_name(a), a->name);
  if (b->dimensions != a->rank)
    return fail(c, HALYARD_BAD_RANK, "%s '%s' has %d dimensions, but the buffer has %d", kind_name(a), a->name, a->rank,
                b->dimensions);
  if (a->rank && !b->dim)
    return fail(c, HALYARD_BAD_RANK, "%s '%s' has %d dimensions, but the buffer's 'dim' is NULL", kind_name(a), a->name,
                a->rank);
  for (int32_t d = 0; d < a->rank; d++)
    if (b->dim[d].extent < 0)
      return fail(c, HALYARD_NEGATIVE_EXTENT, "%s '%s' has the extent %d in dimension %d", kind_name(a), a->name,
                  b->dim[d].extent, d);
  return is_query(b) ? HALYARD_FINE : judge_type(c, a, b);
}

static bool is_empty(const hy_native_buffer *b) {
  for (int32_t d = 0; d < b->dimensions; d++)
    if (b->dim[d].extent == 0) return true;
  return false;
}

// The bytes that it takes, as offsets from its first element. False: no memory is that large.
static bool span(const hy_native_buffer *b, int64_t bytes, int64_t *low, int64_t *high) {
  static const int64_t most = INT64_C(1) << 46;
  *low = *high = 0;
  for (int32_t d = 0; d < b->dimensions; d++) {
    int64_t reach = ((int64_t)b->dim[d].extent - 1) * b->dim[d].stride; // within 2^62
    if (reach <= -most || reach >= most) return false;
    *(reach < 0 ? low : high) += reach * bytes;
  }
  *high += bytes;
  return *low > -most && *high < most;
}

static int64_t distance(int64_t stride) { return stride < 0 ? -stride : stride; }

// Do elements lie apart? By dimensions in the order of their strides: each steps over all of the ones before.
static bool are_apart(int32_t rank, const int64_t *extent, const int64_t *stride) {
  int32_t order[MOST_RANK], count = 0;
  for (int32_t d = 0; d < rank; d++) {
    if (extent[d] <= 1) continue;
    int32_t at = count++;
    for (; at > 0 && distance(stride[order[at - 1]]) > distance(stride[d]); at--) order[at] = order[at - 1];
    order[at] = d;
  }
  int64_t covered = 0; // elements beside the first that those before reach
  for (int32_t i = 0; i < count; i++) {
    int64_t step = distance(stride[order[i]]);
    if (step <= covered) return false;
    covered += step * (extent[order[i]] - 1);
  }
  return true;
}

static bool is_apart(const hy_native_buffer *b) {
  int64_t extent[MOST_RANK], stride[MOST_RANK];
  for (int32_t d = 0; d < b->dimensions; d++) extent[d] = b->dim[d].extent, stride[d] = b->dim[d].stride;
  return are_apart(b->dimensions, extent, stride);
}

static int64_t element_bytes(const hy_ahead_argument *a) { return (a->bits + 7) / 8; }

static bool overlap(const call *c, int i, int k) {
  const hy_native_buffer *a = c->args[i], *b = c->args[k];
  int64_t low[2], high[2];
  if (is_empty(a) || is_empty(b)) return false;
  span(a, element_bytes(&c->p->arguments[i]), &low[0], &high[0]);
  span(b, element_bytes(&c->p->arguments[k]), &low[1], &high[1]);
  return (intptr_t)a->host + low[0] < (intptr_t)b->host + high[1] &&
         (intptr_t)b->host + low[1] < (intptr_t)a->host + high[0];
}

// GEN.Demand. A stride of a dimension of one element is of no account.
static int32_t judge_demands(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b) {
  for (int32_t d = 0; a->demand && d < a->rank; d++)
    if (a->demand[d] && b->dim[d].extent > 1 && b->dim[d].stride != a->demand[d])
      return fail(c, HALYARD_CONSTRAINT, "%s '%s' has the stride %d in dimension %d, but %d is demanded", kind_name(a),
                  a->name, b->dim[d].stride, d, a->demand[d]);
  if ((uintptr_t)b->host % (uintptr_t)a->align == 0) return HALYARD_FINE;
  return fail(c, HALYARD_UNALIGNED, "%s '%s' does not begin at a multiple of %d bytes, which is demanded", kind_name(a),
              a->name, a->align);
}

// Code loads and stores elements where the machine's types may lie.
static int32_t judge_address(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b) {
  if ((uintptr_t)b->host % (uintptr_t)element_bytes(a) == 0) return HALYARD_FINE;
  return fail(c, HALYARD_UNALIGNED, "%s '%s' does not begin at a multiple of the %d bytes of an element", kind_name(a),
              a->name, (int)element_bytes(a));
}

static int32_t judge_place(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b) {
  int64_t low, high;
  if (is_empty(b)) return HALYARD_FINE;
  if (!b->host) return fail(c, HALYARD_NO_HOST, "%s '%s' has no memory on the host", kind_name(a), a->name);
  if (!span(b, element_bytes(a), &low, &high))
    return fail(c, HALYARD_TOO_LARGE, "%s '%s' has strides that lead out of any memory", kind_name(a), a->name);
  if (a->kind == HY_AHEAD_OUTPUT && !is_apart(b))
    return fail(c, HALYARD_CONSTRAINT, "output '%s' has strides by which elements share memory", a->name);
  int32_t code = judge_demands(c, a, b);
  return code ? code : judge_address(c, a, b);
}

// Says how the one that reaches farther does: a wrong extent or stride lets it reach what lies elsewhere.
static int32_t share(const call *c, int i, int k) {
  const hy_ahead_argument *a = &c->p->arguments[i], *b = &c->p->arguments[k];
  const char *far = a->name;
  int32_t extent = 0, stride = 0, dim = -1;
  int64_t most = -1;
  for (int n = 0; n < 2; n++) {
    const hy_native_buffer *buffer = c->args[n ? k : i];
    for (int32_t d = 0; d < buffer->dimensions; d++) {
      const int64_t reach = distance(buffer->dim[d].stride) * (buffer->dim[d].extent - (int64_t)1);
      if (reach <= most) continue;
      most = reach;
      far = n ? b->name : a->name;
      extent = buffer->dim[d].extent, stride = buffer->dim[d].stride, dim = d;
    }
  }
  if (dim < 0)
    return fail(c, HALYARD_CONSTRAINT, "%s '%s' and output '%s' share memory", kind_name(a), a->name, b->name);
  return fail(c, HALYARD_CONSTRAINT,
              "%s '%s' and output '%s' share memory: '%s' has the extent %d and the stride %d in dimension %d",
              kind_name(a), a->name, b->name, far, extent, stride, dim);
}

// The code was made under the assumption that no two funcs share a cell, and no two points of one.
static int32_t judge_memory(const call *c) {
  for (int i = 0; i < c->p->argument_count; i++) {
    const hy_ahead_argument *a = &c->p->arguments[i];
    int32_t code = a->kind == HY_AHEAD_SCALAR ? HALYARD_FINE : judge_place(c, a, c->args[i]);
    if (code) return code;
  }
  for (int i = 0; i < c->p->argument_count; i++)
    for (int k = i + 1; k < c->p->argument_count; k++) { // outputs stand behind the images
      const hy_ahead_argument *a = &c->p->arguments[i], *b = &c->p->arguments[k];
      if (a->kind == HY_AHEAD_SCALAR || b->kind != HY_AHEAD_OUTPUT) continue;
      if (overlap(c, i, k)) return share(c, i, k);
    }
  return HALYARD_FINE;
}

static void set_scalar(const call *c, const hy_ahead_argument *a, const void *value) {
  int32_t narrow;
  c->slots[a->slot] = 0;
  memcpy(&c->slots[a->slot], value, (size_t)element_bytes(a));
  if (!a->is_widened) return;
  memcpy(&narrow, value, sizeof narrow);
  c->slots[a->slot] = narrow;
}

static void set_buffer(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b) {
  c->slots[a->slot] = (int64_t)(intptr_t)b->host;
  for (int32_t d = 0; d < b->dimensions; d++) {
    c->slots[a->slot + 1 + 3 * d] = b->dim[d].min;
    c->slots[a->slot + 2 + 3 * d] = b->dim[d].extent;
    c->slots[a->slot + 3 + 3 * d] = b->dim[d].stride;
  }
}

static void lay(const call *c, const hy_ahead_argument *a, const int32_t *wanted, int64_t *stride);
static int32_t write_box(const call *c, const hy_ahead_argument *a, hy_native_buffer *b);

// All parts of an output have one box: that of the first. What has no memory gets it, as the answer of a query.
static int32_t judge_box(const call *c, int i, bool *asks) {
  const hy_ahead_argument *a = &c->p->arguments[i], *first = a - a->part;
  hy_native_buffer *b = c->args[i], *like = c->args[i - a->part];
  for (int32_t d = 0; d < a->rank; d++) {
    if (b->dim[d].min == like->dim[d].min && b->dim[d].extent == like->dim[d].extent) continue;
    if (is_query(b)) {
      *asks = true;
      memcpy(&c->slots[a->slot], &c->slots[first->slot], (size_t)(1 + 3 * a->rank) * sizeof *c->slots);
      return write_box(c, a, b);
    }
    return fail(c, HALYARD_CONSTRAINT,
                "output '%s' is [%lld, %lld) in dimension %d, but '%s', of the same func, is [%lld, %lld)", a->name,
                (long long)b->dim[d].min, (long long)b->dim[d].min + b->dim[d].extent, d, first->name,
                (long long)like->dim[d].min, (long long)like->dim[d].min + like->dim[d].extent);
  }
  return HALYARD_FINE;
}

static int32_t read_arguments(const call *c, bool *asks) {
  for (int i = 0; i < c->p->argument_count; i++) {
    const hy_ahead_argument *a = &c->p->arguments[i];
    if (a->kind == HY_AHEAD_SCALAR) {
      set_scalar(c, a, c->args[i]);
      continue;
    }
    int32_t code = judge_buffer(c, a, c->args[i]);
    if (code) return code;
    set_buffer(c, a, c->args[i]);
    code = judge_box(c, i, asks);
    if (code) return code;
    *asks |= is_query(c->args[i]) && !is_empty(c->args[i]);
    *asks |= is_query(c->args[i]) && a->kind == HY_AHEAD_INPUT;
  }
  return HALYARD_FINE;
}

/* -- failures -- */

// Names the first dimension in which the image falls short.
static int32_t too_small(const call *c, const hy_ahead_check *check) {
  const hy_ahead_argument *a = &c->p->arguments[check->argument];
  const hy_native_buffer *b = c->args[check->argument];
  c->p->regions(c->slots, c->regions);
  for (int32_t d = 0; d < a->rank; d++) {
    long long low = c->regions[a->region + 2 * d], high = c->regions[a->region + 2 * d + 1];
    long long min = b->dim[d].min, end = min + b->dim[d].extent;
    if (low < min || high > end)
      return fail(c, check->code, "image '%s' is needed in [%lld, %lld) of dimension %d, but it is [%lld, %lld)",
                  a->name, low, high, d, min, end);
  }
  return fail(c, check->code, "image '%s' is too small: %s", a->name, check->text);
}

static int32_t judge_status(const call *c, int32_t status) {
  if (status == 0) return HALYARD_FINE;
  if (status == HY_NATIVE_OUT_OF_MEMORY) return fail(c, HALYARD_OUT_OF_MEMORY, "out of memory");
  if (status < 0 || status > c->p->check_count) return fail(c, HALYARD_ERROR, "unknown status %d", status);
  const hy_ahead_check *check = &c->p->checks[status - 1];
  return check->argument >= 0 ? too_small(c, check) : fail(c, check->code, "%s", check->text);
}

/* -- bounds queries: every buffer without memory gets the box that is needed -- */

// Its box becomes what is needed of it; "grows": it only grows. True if it did not change.
static bool settle(const call *c, const hy_ahead_argument *a, bool grows) {
  const int64_t *need = &c->regions[a->region];
  int64_t *box = &c->slots[a->slot + 1];
  bool same = true, empty = false;
  for (int32_t d = 0; d < a->rank; d++) empty |= need[2 * d + 1] <= need[2 * d];
  for (int32_t d = 0; d < a->rank; d++) {
    int64_t low = empty ? 0 : need[2 * d], high = empty ? 0 : need[2 * d + 1];
    if (grows && box[3 * d + 1] > 0) {
      if (box[3 * d] < low) low = box[3 * d];
      if (box[3 * d] + box[3 * d + 1] > high) high = box[3 * d] + box[3 * d + 1];
    }
    same &= box[3 * d] == low && box[3 * d + 1] == high - low;
    box[3 * d] = low;
    box[3 * d + 1] = high - low;
  }
  return same;
}

static int32_t write_box(const call *c, const hy_ahead_argument *a, hy_native_buffer *b) {
  int64_t stride[MOST_RANK];
  lay(c, a, a->stride, stride);
  for (int32_t d = 0; d < a->rank; d++) {
    int64_t min = c->slots[a->slot + 1 + 3 * d], len = c->slots[a->slot + 2 + 3 * d];
    if (min != (int32_t)min || len != (int32_t)len || stride[d] != (int32_t)stride[d])
      return fail(c, HALYARD_TOO_LARGE, "what is needed of %s '%s' does not fit 32 bits", kind_name(a), a->name);
    b->dim[d] = (hy_native_dimension){(int32_t)min, (int32_t)len, (int32_t)stride[d], 0};
  }
  b->type = (hy_native_type){(uint8_t)a->code, (uint8_t)a->bits, 1};
  return HALYARD_FINE;
}

// Strides of a buffer of the box in its words: those wanted, then, by dimension, dense behind what these reach. If
// elements would share memory those demanded alone, whatever they do; all dense if nothing is.
static void lay(const call *c, const hy_ahead_argument *a, const int32_t *wanted, int64_t *stride) {
  const int64_t *box = &c->slots[a->slot + 1];
  int64_t next = 1, extent[MOST_RANK];
  for (int32_t d = 0; wanted && d < a->rank; d++) {
    extent[d] = wanted[d] ? box[3 * d + 1] : 1;
    int64_t reach = extent[d] > 1 ? wanted[d] * (extent[d] - 1) : 0; // within 2^62
    stride[d] = wanted[d];
    if (__builtin_add_overflow(next, reach, &next)) next = INT64_MAX;
  }
  if (wanted && wanted != a->demand && !are_apart(a->rank, extent, stride)) {
    lay(c, a, a->demand, stride);
    return;
  }
  for (int32_t d = 0; d < a->rank; d++) {
    if (wanted && wanted[d]) continue;
    stride[d] = next;
    if (__builtin_mul_overflow(next, box[3 * d + 1], &next)) next = INT64_MAX;
  }
}

static bool is_asked(const call *c, int i) {
  const hy_ahead_argument *a = &c->p->arguments[i];
  return a->kind != HY_AHEAD_SCALAR && is_query(c->args[i]);
}

// What is needed of one image may depend on the boxes of others, and on its own.
static int32_t answer(const call *c) {
  bool same = false;
  for (int round = 0; round < ROUNDS && !same; round++) {
    same = true;
    int32_t code = judge_status(c, c->p->regions(c->slots, c->regions));
    if (code) return code;
    for (int i = 0; i < c->p->argument_count; i++)
      if (is_asked(c, i) && c->p->arguments[i].kind == HY_AHEAD_INPUT)
        same &= settle(c, &c->p->arguments[i], round >= FREE_ROUNDS);
  }
  for (int i = 0; i < c->p->argument_count; i++) {
    int32_t code = is_asked(c, i) ? write_box(c, &c->p->arguments[i], c->args[i]) : HALYARD_FINE;
    if (code) return code;
  }
  return HALYARD_FINE;
}

/* -- buffers as the program wants them -- */

// Copies every element between a caller's buffer, which has any strides, and the memory in the words of its argument.
static void copy(const call *c, const hy_ahead_argument *a, const hy_native_buffer *b, bool back) {
  const int64_t *slots = &c->slots[a->slot];
  uint8_t *own = (uint8_t *)(intptr_t)slots[0];
  size_t bytes = (size_t)element_bytes(a);
  int32_t at[MOST_RANK] = {0};
  if (is_empty(b)) return;
  for (;;) {
    int64_t offset = 0, place = 0;
    for (int32_t d = 0; d < b->dimensions; d++)
      offset += (int64_t)at[d] * b->dim[d].stride, place += at[d] * slots[3 + 3 * d];
    uint8_t *here = b->host + offset * (int64_t)bytes, *there = own + place * (int64_t)bytes;
    memcpy(back ? here : there, back ? there : here, bytes);
    int32_t d = 0;
    while (d < b->dimensions && ++at[d] == b->dim[d].extent) at[d++] = 0;
    if (d >= b->dimensions) return;
  }
}

// A stride that code for any buffer counts on, 0: none. Rows are dense where no other dimension is demanded to be.
static int32_t stride_always(const hy_ahead_argument *a, int32_t dim) {
  if (a->demand && a->demand[dim]) return a->demand[dim];
  for (int32_t d = 0; a->demand && d < a->rank; d++)
    if (a->demand[d] == 1) return 0;
  return dim == 0;
}

static bool is_usable(const hy_ahead_argument *a, const hy_native_buffer *b, bool all_lie_so) {
  for (int32_t d = 0; d < b->dimensions; d++) {
    int32_t wanted = all_lie_so && a->stride ? a->stride[d] : stride_always(a, d);
    if (b->dim[d].extent > 1 && (wanted ? b->dim[d].stride != wanted : b->dim[d].stride < 0)) return false;
  }
  return true;
}

static bool all_lie_so(const call *c) {
  for (int i = 0; i < c->p->argument_count; i++) {
    const hy_ahead_argument *a = &c->p->arguments[i];
    if (a->kind != HY_AHEAD_SCALAR && !is_usable(a, c->args[i], true)) return false;
  }
  return true;
}

static int32_t make_usable(const call *c, int i) {
  const hy_ahead_argument *a = &c->p->arguments[i];
  const hy_native_buffer *b = c->args[i];
  int64_t stride[MOST_RANK], span = 1, reach;
  if (a->kind == HY_AHEAD_SCALAR || c->lies_so || is_usable(a, b, false) || is_empty(b)) return HALYARD_FINE;
  lay(c, a, a->demand, stride);
  for (int32_t d = 0; d < a->rank; d++) {
    c->slots[a->slot + 3 + 3 * d] = stride[d];
    if (__builtin_mul_overflow(stride[d], b->dim[d].extent - 1, &reach) || __builtin_add_overflow(span, reach, &span))
      span = MOST_ELEMENTS;
  }
  if (span > MOST_ELEMENTS) span = MOST_ELEMENTS;
  uint64_t bytes = (uint64_t)span * (uint64_t)element_bytes(a), align = (uint64_t)a->align;
  c->copies[i] = hy_runtime_allocate(bytes + align - 1);
  if (!c->copies[i])
    return fail(c, HALYARD_OUT_OF_MEMORY, "no memory for a dense copy of '%s' (%llu bytes)", a->name,
                (unsigned long long)bytes);
  c->slots[a->slot] = (int64_t)(((uint64_t)(uintptr_t)c->copies[i] + align - 1) / align * align);
  if (a->kind == HY_AHEAD_INPUT) copy(c, a, b, false);
  return HALYARD_FINE;
}

/* -- running -- */

static bool all_outputs_are_empty(const call *c) {
  for (int i = 0; i < c->p->argument_count; i++)
    if (c->p->arguments[i].kind == HY_AHEAD_OUTPUT && !is_empty(c->args[i])) return false;
  return true;
}

static int32_t run(call *c) {
  int count = c->p->argument_count;
  int32_t code = judge_memory(c);
  if (!code && all_outputs_are_empty(c)) return HALYARD_FINE; // GEN.Empty, without copies
  c->lies_so = all_lie_so(c);
  for (int i = 0; i < count && !code; i++) code = make_usable(c, i);
  if (!code) code = judge_status(c, c->p->run(c->slots));
  for (int i = 0; i < count && !code; i++)
    if (c->copies[i] && c->p->arguments[i].kind == HY_AHEAD_OUTPUT) copy(c, &c->p->arguments[i], c->args[i], true);
  for (int i = 0; i < count; i++)
    if (c->copies[i]) hy_runtime_free(c->copies[i]);
  return code;
}

int32_t hy_runtime_call(const hy_ahead_pipeline *p, void **args) {
  size_t slots = (size_t)p->slot_count, regions = (size_t)p->region_count, count = (size_t)p->argument_count;
  void *room = calloc(slots + regions + count, sizeof(int64_t));
  call c = {.p = p, .args = args, .slots = room};
  if (!room) return fail(&c, HALYARD_OUT_OF_MEMORY, "out of memory");
  c.regions = c.slots + slots;
  c.copies = (void **)(c.regions + regions);
  bool asks = false;
  int32_t code = read_arguments(&c, &asks);
  if (!code) code = asks ? answer(&c) : run(&c);
  free(room);
  return code;
}
