// Shared objects as 'halyard build' makes them, loaded and called as pipelines of Halide's are: bounds queries, odd
// windows, strides of every kind, against the target program's meaning, bit for bit; and every way of being refused.

#include "engines/engine.h"
#include "engines/generator.h"
#include "gate/ship/tools.h"
#include "include/halyard_runtime.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *alg, *items;
  double param; // of every parameter
} build_row;

static const build_row rows[] = {
    {"pipeline p(in: u16[2]) { fun bh(x, y) = (in(x-1, y) + in(x, y) + in(x+1, y)) / 3;"
     " fun bv(x, y) = (bh(x, y-1) + bh(x, y) + bh(x, y+1)) / 3; }",
     "bv.tile(x, y, xi, yi, 16, 4).parallel(y).vectorize(xi, 8); bh.compute_at(bv, x).vectorize(x, 8);", 0},
    {"pipeline p(in: u8[2]) { fun f(x, y) = in(x - 1, y) / 2 + in(2*x + 1, y + 2) / 2; }", "f.vectorize(x, 16);", 0},
    {"pipeline p(a: f32, in: f32[2], w: int) { fun f(x, y) = { 0; rdom(r = (-w, 2*w + 1)) in (x, y) <- f(x, y) + in(x "
     "+ r, y)*a; }; }",
     "f.update().parallel(y);", 2},
    {"pipeline p(in: f64[2], im: f64[1]) { fun g(x) = im(x) * 3; fun f(x, y) = in(x, y) + g(x + y); }",
     "f.parallel(y);", 0},
    {"pipeline p(b: bool, in: i8[2], k: i16) { fun f(x, y) = select(b, i16(in(x, y)), k) + k; }", NULL, 1},
    {"pipeline p(b: bool, in: i8[2], k: i16) { fun f(x, y) = select(b, i16(in(x, y)), k) - k; }", NULL, -3},
    {"pipeline p(in: u8[2]) { fun f(x, y) = in(clamp(x, in.min(0), in.min(0) + in.len(0) - 1), y); }",
     "f.vectorize(x, 8);", 0},
    {"pipeline p(d: int, in: i64[1]) { fun f(x) = in(x + d); }", NULL, -5},
    {"pipeline p(in: u32[3]) { fun f(c, x, y) = in(x, y, c) + 1; }", "f.parallel(y);", 0},
    {"pipeline p(k: u64) { fun f() = k * 3; }", NULL, 7},
    {"pipeline p(in: u16[2], w: int) -> (g, f, n) { fun f(x, y) = in(x - 1, y) + in(x + 1, y); fun n() = w * 2;"
     " fun g(x) = f32(f(x, 3)) / 2 + f32(f(x + w, 5)); }",
     "f.parallel(y).vectorize(x, 8); g.vectorize(x, 4);", 2},
    {"pipeline p(in: u16[2], w: int) { fun f(x, y) = { (in(x, y), f32(x), x > y); (x, y) <- (u16(f(x, y)[1]) + 1, "
     "f32(f(x, y)[0]), !f(x, y)[2]); }; }",
     "f.parallel(y).vectorize(x, 8);", 2},
    {"pipeline p(in: u8[2], w: int) -> (f, g) { fun f(x, y) = (in(x - 1, y), int(in(x + 1, y)) + w);"
     " fun g(x) = f(x, 3)[1] + int(f(x + w, 5)[0]); }",
     "f.parallel(y).vectorize(x, 8); g.vectorize(x, 4);", 2},
    // buffers as they say, PLANAR and EVERY_OTHER, and all the others (GEN.Laid)
    {"pipeline p(in: u16[3], im: u16[1]) { fun f(x, y, c) = in(x, y, c) + in(x + 1, y, 2 - c) + im(y); }",
     "f.set_stride(c, 1).vectorize(x, 8); in.set_stride(2, 1);", 0},
    {"pipeline p(in: u16[2], w: int) -> (f, g) { fun f(x, y) = in(x - 1, y) + in(x + 1, y); fun g(x) = f(x + w, 3); }",
     "in.set_stride(0, 2); f.set_stride(x, 2).vectorize(x, 8); g.set_stride(x, 2);", 2},
};

/* -- building and loading -- */

typedef struct {
  test_program p;
  void *library;
  int32_t (*call)(void **args);
  hy_value params[4];
  int32_t narrow[4]; // as a caller has an "int"
} built;

static void open_built(built *b, const build_row *row) {
  hy_oracle_options oracle = {.z3_limit = 1000};
  hy_codegen_options options = {.optimize = 3, .ahead = "under_test"};
  hy_text object = {0}, shared = {0};
  char path[] = "/tmp/halyard-test-XXXXXX";
  const char *why = NULL;
  test_program_open(&b->p, row->alg, row->items);
  ck_assert_int_eq(hy_pipeline_check(&b->p.pipeline, &oracle, b->p.diagnostics), HY_YES);
  const hy_tgt *passed = hy_passes(b->p.context, b->p.pipeline.filled, NULL, NULL);
  hy_native_object(b->p.context, passed, &options, &object);
  ck_assert_msg(hy_tools_link(&object, &shared, &why), "%s", why);
  int file = mkstemp(path);
  ck_assert(file >= 0 && hy_write_all(file, shared.data, shared.length) && close(file) == 0);
  b->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ck_assert_msg(b->library, "%s", dlerror());
  unlink(path);
  *(void **)&b->call = dlsym(b->library, "under_test_argv");
  ck_assert(b->call && dlsym(b->library, "under_test") && dlsym(b->library, "under_test_metadata"));
  const hy_alg *alg = b->p.pipeline.alg;
  for (int i = 0; i < alg->param_count; i++) {
    hy_type type = alg->params[i]->type;
    b->params[i] = hy_type_class_of(type) == HY_CLASS_FLOAT ? hy_value_from_double(type, row->param)
                   : type == HY_BOOL                        ? hy_value_bool(row->param > 0)
                                                            : hy_value_integral(type, (int64_t)row->param);
    b->narrow[i] = (int32_t)row->param;
  }
  hy_text_free(&object);
  hy_text_free(&shared);
}

static void close_built(built *b) {
  dlclose(b->library);
  test_program_close(&b->p);
}

/* -- buffers of any strides -- */

typedef struct {
  halide_buffer_t buffer;
  halide_dimension_t dim[HY_MAX_RANK];
  uint8_t *memory;
  size_t bytes;
} foreign;

static void describe(foreign *f, int rank, const int64_t *min, const int64_t *len) {
  *f = (foreign){.buffer = {.dimensions = rank, .device_interface = NULL, .flags = 0x40}};
  f->buffer.dim = f->dim;
  for (int d = 0; min && d < rank; d++) f->dim[d] = (halide_dimension_t){(int32_t)min[d], (int32_t)len[d], 0, 0};
}

typedef enum { DENSE, PADDED, PLANAR, EVERY_OTHER, BACKWARDS, LAYOUTS } layout;

// Gives the box memory in which no two elements lie in the same place, and returns where it ends in both directions.
static void place(foreign *f, hy_type type, layout how) {
  int rank = f->buffer.dimensions;
  int64_t stride = how == EVERY_OTHER ? 2 : 1, low = 0, high = 0;
  for (int k = 0; k < rank; k++) {
    int d = how == PLANAR ? rank - 1 - k : k; // the last dimension is the dense one
    f->dim[d].stride = (int32_t)(how == BACKWARDS && d != 1 ? -stride : stride);
    int64_t reach = (int64_t)f->dim[d].stride * (f->dim[d].extent - 1);
    *(reach < 0 ? &low : &high) += f->dim[d].extent ? reach : 0;
    stride = stride * f->dim[d].extent + (how == PADDED ? 3 : 0);
  }
  size_t element = hy_type_bytes(type);
  f->bytes = (size_t)(high - low + 1) * element;
  f->memory = hy_allocate_zeroed(f->bytes, 1);
  f->buffer.host = f->memory - low * (int64_t)element;
}

static uint8_t *element(const foreign *f, hy_type type, const int64_t *point) {
  int64_t offset = 0;
  for (int d = 0; d < f->buffer.dimensions; d++) offset += (point[d] - f->dim[d].min) * f->dim[d].stride;
  return f->buffer.host + offset * (int64_t)hy_type_bytes(type);
}

static bool next_point(const hy_buffer *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) {
    if (++point[d] < b->min[d] + b->len[d]) return true;
    point[d] = b->min[d];
  }
  return false;
}

static void first_point(const hy_buffer *b, int64_t *point) {
  for (int d = 0; d < b->rank; d++) point[d] = b->min[d];
}

// The same elements on both sides.
static hy_buffer *fill(foreign *f, hy_type type, uint64_t seed) {
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK], point[HY_MAX_RANK];
  for (int d = 0; d < f->buffer.dimensions; d++) min[d] = f->dim[d].min, len[d] = f->dim[d].extent;
  hy_buffer *b = hy_buffer_new(type, f->buffer.dimensions, min, len);
  hy_generator_fill_random(b, seed);
  first_point(b, point);
  if (b->count) do
      hy_value_store(hy_buffer_get(b, point), element(f, type, point));
    while (next_point(b, point));
  return b;
}

/* -- the runs -- */

static void pass_arguments(built *b, foreign *images, foreign *outputs, void **args) {
  const hy_alg *alg = b->p.pipeline.alg;
  int count = alg->param_count + alg->image_count;
  for (int i = 0; i < count; i++) {
    int k = alg->signature[i];
    if (k < 0)
      args[i] = &images[-k - 1].buffer;
    else
      args[i] = alg->params[k - 1]->type == HY_INT ? (void *)&b->narrow[k - 1] : (void *)&b->params[k - 1].i;
  }
  for (int k = 0; k < alg->part_count; k++) args[count + k] = &outputs[k].buffer;
}

static void compare(built *b, const hy_buffer *const *images, const foreign *outputs, const int64_t *min,
                    const int64_t *len, int layout) {
  hy_input input = {b->params, images, min, len};
  hy_outcome expected = hy_engine_tgt(b->p.context, b->p.pipeline.filled, &input, 0, 1 << 22);
  ck_assert_int_eq(expected.status, HY_RAN);
  for (const hy_buffer *one = expected.output; one; one = one->next, outputs++) {
    int64_t point[HY_MAX_RANK] = {0};
    first_point(one, point);
    if (one->count) do {
        uint8_t wanted[8];
        hy_value_store(hy_buffer_get(one, point), wanted);
        ck_assert_msg(memcmp(wanted, element(outputs, one->type, point), hy_type_bytes(one->type)) == 0,
                      "layout %d: another value at (%lld, ...)", layout, (long long)point[0]);
      } while (next_point(one, point));
  }
  hy_outcome_free(&expected);
}

static void place_output(foreign *output, hy_type type, layout how) {
  static const uint8_t codes[] = {[HY_CLASS_INTEGER] = 0,
                                  [HY_CLASS_SIGNED] = 0,
                                  [HY_CLASS_BOOL] = 1,
                                  [HY_CLASS_UNSIGNED] = 1,
                                  [HY_CLASS_FLOAT] = 2};
  place(output, type, how);
  output->buffer.type =
      (struct halide_type_t){codes[hy_type_class_of(type)], type == HY_BOOL ? 1 : (uint8_t)hy_type_bits(type), 1};
}

// "min" and "len" have three numbers, which are those of every output.
static void run_on(built *b, const int64_t *mins, const int64_t *lens, layout in, layout out) {
  const hy_alg *alg = b->p.pipeline.alg;
  foreign images[2], outputs[3];
  hy_buffer *same[2];
  void *args[8];
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  for (int d = 0; d < alg->window_rank; d++) {
    min[d] = mins[alg->window_min[d]->dim];
    len[d] = lens[alg->window_min[d]->dim];
  }
  for (int k = 0; k < alg->part_count; k++)
    describe(&outputs[k], alg->parts[k].func->rank, min + alg->parts[k].first, len + alg->parts[k].first);
  for (int k = 0; k < alg->image_count; k++) describe(&images[k], alg->images[k]->rank, NULL, NULL);
  pass_arguments(b, images, outputs, args);
  if (alg->image_count) ck_assert_int_eq(b->call(args), 0); // what is needed?
  for (int k = 0; k < alg->image_count; k++) {
    for (int d = 0; d < alg->images[k]->rank; d++) images[k].dim[d].extent += k + 1; // more will do
    ck_assert_int_eq(images[k].buffer.type.bits, hy_type_bits(alg->images[k]->type));
    place(&images[k], alg->images[k]->type, in);
    same[k] = fill(&images[k], alg->images[k]->type, 7 + (uint64_t)k);
  }
  for (int k = 0; k < alg->part_count; k++)
    place_output(&outputs[k], alg->parts[k].type, (layout)((out + k) % LAYOUTS));
  ck_assert_int_eq(b->call(args), 0);
  for (int k = 0; k < alg->part_count; k++)
    ck_assert(outputs[k].buffer.flags == 0x40 && !outputs[k].buffer.device); // left alone
  compare(b, (const hy_buffer *const *)same, outputs, min, len, (int)(in * LAYOUTS + out));
  for (int k = 0; k < alg->image_count; k++) {
    hy_buffer_free(same[k]);
    free(images[k].memory);
  }
  for (int k = 0; k < alg->part_count; k++) free(outputs[k].memory);
}

START_TEST(computes_what_is_meant) {
  static const int64_t mins[][3] = {{0, 0, 0}, {-7, 3, 1}, {1000, -1000, 5}},
                       lens[][3] = {{1, 1, 1}, {19, 7, 3}, {33, 10, 2}};
  built b;
  open_built(&b, &rows[_i]);
  for (int w = 0; w < 3; w++)
    for (int l = 0; l < LAYOUTS; l++) run_on(&b, mins[w], lens[w], (layout)l, (layout)((l + w) % LAYOUTS));
  close_built(&b);
}
END_TEST

static size_t asked_for; // of the library's allocator, by bytes
static void *count_bytes(uint64_t bytes) {
  asked_for += bytes;
  return malloc(bytes);
}
static void give_back(void *memory) { free(memory); }

static void check_no_copies(built *b, foreign *in, foreign *out, void **args) {
  void (*set_allocator)(halyard_allocator *, halyard_deallocator *);
  *(void **)&set_allocator = dlsym(b->library, "halyard_set_allocator");
  in->memory = in->buffer.host = calloc(1, 1000), out->memory = out->buffer.host = calloc(1, 1000);
  set_allocator(count_bytes, give_back);
  ck_assert_int_eq(b->call(args), 0);
  ck_assert_uint_eq(asked_for, 0);
  out->buffer.host += 500, out->dim[0].stride = -3; // as no program says
  ck_assert_int_eq(b->call(args), 0);
  ck_assert_uint_gt(asked_for, 0);
  asked_for = 0;
  set_allocator(NULL, NULL);
  free(in->memory);
  free(out->memory);
}

// A query is answered by memory as the program would like it; such memory is used where it lies.
START_TEST(answers_lie_as_said) {
  static const build_row interleaved = {"pipeline p(in: u8[3]) { fun f(x, y, c) = in(x, y, c) + in(x + 1, y, 0); }",
                                        "in.set_stride(0, 3).set_stride(2, 1); f.set_stride(x, 3).set_stride(c, 1);",
                                        0};
  static const struct {
    int64_t len[3];
    int32_t stride[3]; // of the image; that is one wider
  } boxes[] = {{{5, 4, 3}, {3, 18, 1}}, {{5, 4, 2}, {3, 17, 1}}, {{5, 4, 4}, {1, 6, 24}}, {{1, 1, 1}, {3, 4, 1}}};
  built b;
  open_built(&b, &interleaved);
  for (size_t i = 0; i < HY_COUNT(boxes); i++) {
    foreign in, out;
    describe(&in, 3, NULL, NULL);
    describe(&out, 3, (int64_t[]){0, 0, 0}, boxes[i].len);
    void *args[] = {&in.buffer, &out.buffer};
    ck_assert_int_eq(b.call(args), 0);
    for (int d = 0; d < 3; d++)
      ck_assert_msg(in.dim[d].stride == boxes[i].stride[d], "box %zu: stride %d of dimension %d", i, in.dim[d].stride,
                    d);
    if (i < 2) check_no_copies(&b, &in, &out, args);
  }
  close_built(&b);
}
END_TEST

// ORA.Need: a query asks for what the copy that will be taken reads, and then the call is not refused.
START_TEST(answers_are_those_of_the_copy) {
  static const build_row row = {"pipeline p(in: u8[1]) { fun f(x) = in(x) + 1; }",
                                "f.specialize(f.len(0) % 16 == 1).split(x, xo, xi, 16, round);", 0};
  static const struct {
    int64_t len;
    int32_t needed;
  } windows[] = {{20, 20}, {17, 32}, {1, 16}, {16, 16}};
  built b;
  open_built(&b, &row);
  for (size_t i = 0; i < HY_COUNT(windows); i++) {
    foreign in, out;
    describe(&in, 1, NULL, NULL);
    describe(&out, 1, (int64_t[]){3}, &windows[i].len);
    void *args[] = {&in.buffer, &out.buffer};
    ck_assert_int_eq(b.call(args), 0);
    ck_assert_msg(in.dim[0].min == 3 && in.dim[0].extent == windows[i].needed, "window %zu: %d points from %d", i,
                  in.dim[0].extent, in.dim[0].min);
    place(&in, HY_U8, DENSE);
    place_output(&out, HY_U8, DENSE);
    ck_assert_int_eq(b.call(args), 0);
    free(in.memory);
    free(out.memory);
  }
  close_built(&b);
}
END_TEST

/* -- what is refused, with the code and the text -- */

static char heard[500];
static void hear(void *context, const char *message) {
  ck_assert_ptr_null(context);
  snprintf(heard, sizeof heard, "%s", message);
}

typedef struct {
  built b;
  foreign in, out;
  void *args[2];
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
} wrong;

static void open_wrong(wrong *w) {
  static const int64_t min[] = {0, 0}, len[] = {9, 5};
  open_built(&w->b, &rows[0]);
  describe(&w->out, 2, min, len);
  describe(&w->in, 2, NULL, NULL);
  w->args[0] = &w->in.buffer, w->args[1] = &w->out.buffer;
  ck_assert_int_eq(w->b.call(w->args), 0);
  place(&w->in, HY_U16, DENSE);
  place(&w->out, HY_U16, DENSE);
  w->out.buffer.type = w->in.buffer.type;
  *(void **)&w->set_handler = dlsym(w->b.library, "halyard_set_error_handler");
  ck_assert(w->set_handler);
  w->set_handler(hear);
}

static void expect(wrong *w, int code, const char *text) {
  *heard = 0;
  int got = w->b.call(w->args);
  ck_assert_msg(got == code && strstr(heard, text), "%d, '%s' instead of %d, '%s'", got, heard, code, text);
}

START_TEST(says_what_is_wrong) {
  wrong w;
  open_wrong(&w);
  expect(&w, 0, "");
  w.in.dim[0].extent--;
  expect(&w, HALYARD_OUT_OF_BOUNDS, "image 'in' is needed in [-1, 10) of dimension 0, but it is [-1, 9)");
  w.in.dim[0].extent++, w.in.dim[1].min++;
  expect(&w, HALYARD_OUT_OF_BOUNDS, "of dimension 1");
  w.in.dim[1].min--, w.in.buffer.type.bits = 8;
  expect(&w, HALYARD_BAD_TYPE, "elements of type uint16, but the buffer's are uint8");
  w.in.buffer.type.bits = 16, w.in.buffer.type.lanes = 4;
  expect(&w, HALYARD_BAD_TYPE, "a buffer of vectors");
  w.in.buffer.type.lanes = 0; // Halide 22
  expect(&w, 0, "");
  w.in.buffer.type.lanes = 1, w.in.buffer.dimensions = 3;
  expect(&w, HALYARD_BAD_RANK, "2 dimensions, but the buffer has 3");
  w.in.buffer.dimensions = 2, w.in.buffer.dim = NULL;
  expect(&w, HALYARD_BAD_RANK, "image 'in' has 2 dimensions, but the buffer's 'dim' is NULL");
  w.in.buffer.dim = w.in.dim, w.args[0] = NULL;
  expect(&w, HALYARD_NO_BUFFER, "image 'in' is NULL");
  w.args[0] = &w.in.buffer, w.out.dim[1].extent = -2;
  expect(&w, HALYARD_NEGATIVE_EXTENT, "extent -2 in dimension 1");
  w.out.dim[1].extent = 5;
  uint8_t *host = w.in.buffer.host;
  w.in.buffer.host = NULL, w.in.buffer.device = 1;
  expect(&w, HALYARD_NO_HOST, "has no memory on the host");
  ck_assert(w.in.buffer.device == 1);
  w.in.buffer.host = w.out.buffer.host + 2, w.in.buffer.device = 0;
  expect(&w, HALYARD_CONSTRAINT, "share memory");
  w.in.buffer.host = host;
  static const int32_t strides[][2] = {{1, 8}, {1, 0}, {0, 9}, {2, 3}, {1, -8}}; // of 9 x 5
  const halide_dimension_t own[] = {w.out.dim[0], w.out.dim[1]};
  for (size_t i = 0; i < HY_COUNT(strides); i++) {
    w.out.dim[0].stride = strides[i][0], w.out.dim[1].stride = strides[i][1];
    expect(&w, HALYARD_CONSTRAINT, "output 'bv' has strides by which elements share memory");
  }
  w.out.dim[0].extent = 1, w.out.dim[0].stride = 0; // one element steps nowhere
  w.out.dim[1] = own[1], w.out.dim[1].stride = 1;
  expect(&w, 0, "");
  w.out.dim[0] = own[0], w.out.dim[1] = own[1];
  w.in.dim[0].stride = w.in.dim[1].stride = INT32_MAX;
  w.in.dim[0].extent = w.in.dim[1].extent = INT32_MAX - 1;
  expect(&w, HALYARD_TOO_LARGE, "image 'in' has strides that lead out of any memory");
  free(w.in.memory);
  free(w.out.memory);
  w.set_handler(NULL);
  close_built(&w.b);
}
END_TEST

/* -- what is demanded (GEN.Demand) -- */

static void expect_of(built *b, void **args, int code, const char *text) {
  *heard = 0;
  int got = b->call(args);
  ck_assert_msg(got == code && strstr(heard, text), "%d, '%s' instead of %d, '%s'", got, heard, code, text);
}

// What is demanded of nobody: an element lies where its type may.
START_TEST(elements_are_aligned) {
  static const build_row row = {
      "pipeline p(in: u16[1], b: u8[1]) -> (f, g) { fun f(x) = f64(in(x)); fun g(x) = b(x) + 1; }", "", 0};
  enum { WIDTH = 4 };
  static _Alignas(64) uint8_t memory[4][64];
  built b;
  foreign of[4];
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  open_built(&b, &row);
  *(void **)&set_handler = dlsym(b.library, "halyard_set_error_handler");
  set_handler(hear);
  static const struct halide_type_t types[] = {{1, 16, 1}, {1, 8, 1}, {2, 64, 1}, {1, 8, 1}};
  void *args[4];
  for (int i = 0; i < 4; i++) {
    describe(&of[i], 1, (int64_t[]){0}, (int64_t[]){WIDTH});
    of[i].dim[0].stride = 1;
    of[i].buffer.type = types[i];
    of[i].buffer.host = memory[i] + (types[i].bits == 8); // bytes lie anywhere
    args[i] = &of[i].buffer;
  }
  ck_assert_int_eq(b.call(args), 0);
  memset(memory, 7, sizeof memory);
  of[0].buffer.host += 1;
  expect_of(&b, args, HALYARD_UNALIGNED, "image 'in' does not begin at a multiple of the 2 bytes of an element");
  of[0].buffer.host -= 1, of[2].buffer.host += 4;
  expect_of(&b, args, HALYARD_UNALIGNED, "output 'f' does not begin at a multiple of the 8 bytes of an element");
  for (int i = 0; i < 64; i++)
    ck_assert_msg(memory[2][i] == 7 && memory[3][i] == 7, "written to before it was refused");
  of[2].dim[0].extent = of[3].dim[0].extent = 0; // of no element nothing is asked
  ck_assert_int_eq(b.call(args), 0);
  close_built(&b);
}
END_TEST

// In every layout that the demands leave open: in the last dimension, upside down, apart.
START_TEST(demands_are_asked) {
  static const build_row row = {"pipeline p(in: u16[2], one: u16[1]) { fun f(x, y) = in(x, y) * 3 + one(x); }",
                                "in.require_stride(0, 2).set_host_alignment(128); f.require_stride(x, 3)"
                                ".set_host_alignment(64).parallel(y).vectorize(x, 8); one.set_host_alignment(2);",
                                0};
  enum { WIDTH = 19, HEIGHT = 3, ROOM = 1024 };
  static _Alignas(128) uint16_t in_memory[ROOM], out_memory[ROOM], one_memory[WIDTH + 1];
  built b;
  foreign in, one, out;
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  open_built(&b, &row);
  *(void **)&set_handler = dlsym(b.library, "halyard_set_error_handler");
  set_handler(hear);
  describe(&in, 2, NULL, NULL);
  describe(&one, 1, NULL, NULL);
  describe(&out, 2, (int64_t[]){0, 0}, (int64_t[]){WIDTH, HEIGHT});
  void *args[] = {&in.buffer, &one.buffer, &out.buffer};
  out.buffer.type = (struct halide_type_t){1, 16, 1};
  ck_assert_int_eq(b.call(args), 0); // a query proposes what is demanded
  ck_assert(in.dim[0].stride == 2 && in.dim[1].stride == 2 * WIDTH - 1 && one.dim[0].stride == 1);
  for (int i = 0; i < ROOM; i++) in_memory[i] = (uint16_t)(i * 5), out_memory[i] = 7;
  for (int i = 0; i <= WIDTH; i++) one_memory[i] = (uint16_t)i;
  in.buffer.host = (uint8_t *)in_memory, out.buffer.host = (uint8_t *)out_memory,
  one.buffer.host = (uint8_t *)one_memory;
  out.dim[0].stride = 3, out.dim[1].stride = 64;
  in.dim[0].stride = 1;
  expect_of(&b, args, HALYARD_CONSTRAINT, "image 'in' has the stride 1 in dimension 0, but 2 is demanded");
  in.dim[0].stride = 2, out.dim[0].stride = 2;
  expect_of(&b, args, HALYARD_CONSTRAINT, "output 'f' has the stride 2 in dimension 0, but 3 is demanded");
  out.dim[0].stride = 3, in.buffer.host += 64;
  expect_of(&b, args, HALYARD_UNALIGNED, "image 'in' does not begin at a multiple of 128 bytes, which is demanded");
  in.buffer.host -= 64, out.buffer.host += 32;
  expect_of(&b, args, HALYARD_UNALIGNED, "output 'f' does not begin at a multiple of 64 bytes, which is demanded");
  out.buffer.host -= 32, one.buffer.host += 1;
  expect_of(&b, args, HALYARD_UNALIGNED, "image 'one' does not begin at a multiple of 2 bytes, which is demanded");
  one.buffer.host -= 1;
  for (int i = 0; i < ROOM; i++) ck_assert_msg(out_memory[i] == 7, "written to before it was refused");
  for (int turn = 0; turn < 4; turn++) { // the other strides are anybody's; what is copied keeps what is demanded
    bool upside_down = turn & 1, is_copied = turn & 2;
    in.dim[1].stride = upside_down ? -64 : 64, out.dim[1].stride = is_copied ? -64 : 64;
    in.buffer.host = (uint8_t *)(in_memory + (upside_down ? 64 * (HEIGHT - 1) : 0));
    out.buffer.host = (uint8_t *)(out_memory + (is_copied ? 64 * (HEIGHT - 1) : 0));
    one.dim[0].stride = 1;
    memset(out_memory, 0, sizeof out_memory);
    ck_assert_int_eq(b.call(args), 0);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const uint16_t *from = (const uint16_t *)(const void *)in.buffer.host + y * in.dim[1].stride + 2 * x;
        const uint16_t *to = (const uint16_t *)(const void *)out.buffer.host + y * out.dim[1].stride + 3 * x;
        ck_assert_msg(*to == (uint16_t)(*from * 3 + x), "turn %d: f(%d, %d) is %d", turn, x, y, *to);
      }
  }
  in.dim[0].extent = out.dim[0].extent = one.dim[0].extent = 1; // one element steps nowhere
  in.dim[0].stride = 9, out.dim[0].stride = 1;
  ck_assert_int_eq(b.call(args), 0);
  in.dim[0].extent = out.dim[0].extent = 0, in.buffer.host += 2; // and none lies nowhere
  ck_assert_int_eq(b.call(args), 0);
  set_handler(NULL);
  close_built(&b);
}
END_TEST

// The strides demanded stay where those wished for beside them do not fit the box.
START_TEST(answers_lie_as_demanded) {
  static const build_row row = {"pipeline p(in: u8[2]) { fun f(x, y) = in(x, y); }",
                                "in.require_stride(1, 1).set_stride(0, 2);", 0};
  built b;
  foreign in, out;
  open_built(&b, &row);
  for (int tall = 0; tall < 2; tall++) {
    describe(&in, 2, NULL, NULL);
    describe(&out, 2, (int64_t[]){0, 0}, (int64_t[]){5, tall ? 3 : 2});
    void *args[] = {&in.buffer, &out.buffer};
    ck_assert_int_eq(b.call(args), 0);
    ck_assert_msg(in.dim[1].stride == 1 && in.dim[0].stride == (tall ? 3 : 2), "%d", in.dim[0].stride);
  }
  close_built(&b);
}
END_TEST

// Of several outputs (D81): no two share memory; each may be empty alone; each is asked for in one call.
START_TEST(several_outputs) {
  static const build_row row = {"pipeline p(k: int) -> (f, g) { fun f(x) = u8(x + k); fun g(x) = f(2*x) + 1; }", NULL,
                                3};
  built b;
  foreign out[2];
  open_built(&b, &row);
  void *args[] = {&b.narrow[0], &out[0].buffer, &out[1].buffer};
  for (int k = 0; k < 2; k++) {
    describe(&out[k], 1, (int64_t[]){5 - k}, (int64_t[]){4});
    place_output(&out[k], HY_U8, DENSE);
  }
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  *(void **)&set_handler = dlsym(b.library, "halyard_set_error_handler");
  set_handler(hear);
  ck_assert_int_eq(b.call(args), 0);
  ck_assert(out[0].memory[0] == 8 && out[1].memory[0] == 12 && out[1].memory[3] == 18);
  uint8_t *host = out[1].buffer.host;
  out[1].buffer.host = out[0].buffer.host + 3;
  ck_assert_int_eq(b.call(args), HALYARD_CONSTRAINT);
  ck_assert_msg(
      strstr(heard, "output 'f' and output 'g' share memory: 'f' has the extent 4 and the stride 1 in dimension 0"),
      "%s", heard);
  out[1].buffer.host = host;
  args[2] = NULL;
  ck_assert_int_eq(b.call(args), HALYARD_NO_BUFFER);
  args[2] = &out[1].buffer, out[0].dim[0].extent = 0;
  memset(out[1].memory, 0, 4);
  ck_assert_int_eq(b.call(args), 0);
  ck_assert_int_eq(out[1].memory[3], 18);
  set_handler(NULL);
  for (int k = 0; k < 2; k++) free(out[k].memory);
  close_built(&b);
}
END_TEST

static void expect_parts(built *b, void **args, int code, const char *text) {
  *heard = 0;
  int got = b->call(args);
  ck_assert_msg(got == code && strstr(heard, text), "%d, '%s' instead of %d, '%s'", got, heard, code, text);
}

// Of an output of several values (D80): a buffer for each, all of one window; what has no memory gets it.
START_TEST(several_values) {
  static const build_row row = {"pipeline p(k: int) { fun f(x, y) = (u8(x + k), u16(y)); }", NULL, 3};
  static const int64_t min[] = {5, -1}, len[] = {4, 2};
  static const hy_type types[] = {HY_U8, HY_U16};
  built b;
  foreign out[2];
  open_built(&b, &row);
  void *args[] = {&b.narrow[0], &out[0].buffer, &out[1].buffer};
  for (int k = 0; k < 2; k++) {
    describe(&out[k], 2, min, len);
    place_output(&out[k], types[k], DENSE);
  }
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  *(void **)&set_handler = dlsym(b.library, "halyard_set_error_handler");
  set_handler(hear);
  expect_parts(&b, args, 0, "");
  ck_assert(out[0].memory[0] == 8 && out[0].memory[3] == 11);
  ck_assert(((uint16_t *)(void *)out[1].memory)[0] == 65535 && ((uint16_t *)(void *)out[1].memory)[4] == 0);
  out[1].dim[1].min++;
  expect_parts(&b, args, HALYARD_CONSTRAINT, "'f.1' is [0, 2) in dimension 1, but 'f.0', of the same func, is [-1, 1)");
  out[1].dim[1].min--, out[1].dim[0].extent = 3;
  expect_parts(&b, args, HALYARD_CONSTRAINT, "output 'f.1' is [5, 8) in dimension 0");
  out[1].dim[0].extent = 4, args[1] = &out[1].buffer, args[2] = &out[0].buffer;
  expect_parts(&b, args, HALYARD_BAD_TYPE, "output 'f.0' has elements of type uint8");
  args[1] = &out[0].buffer, args[2] = NULL;
  expect_parts(&b, args, HALYARD_NO_BUFFER, "output 'f.1' is NULL");
  args[2] = &out[1].buffer;
  out[1].buffer.host = NULL, memset(out[1].dim, 0, sizeof out[1].dim);
  expect_parts(&b, args, 0, "");
  ck_assert(out[1].dim[0].min == 5 && out[1].dim[0].extent == 4 && out[1].dim[1].min == -1 &&
            out[1].dim[1].stride == 4);
  set_handler(NULL);
  for (int k = 0; k < 2; k++) free(out[k].memory);
  close_built(&b);
}
END_TEST

// A refusal names both types, whatever they are.
START_TEST(types_have_names) {
  static const build_row row = {"pipeline p(in: bf16[0]) { fun f() = in(); }", NULL, 1};
  static const struct {
    uint8_t code;
    const char *name;
  } types[] = {{0, "int16"}, {1, "uint16"}, {2, "float16"}, {3, "?16"}, {5, "?16"}, {255, "?16"}};
  uint16_t cells[2] = {0x3f80, 0};
  char text[80];
  built b;
  foreign in, out;
  open_built(&b, &row);
  describe(&in, 0, NULL, NULL);
  describe(&out, 0, NULL, NULL);
  in.buffer.host = (uint8_t *)&cells[0], in.buffer.type = (halide_type_t){4, 16, 1};
  out.buffer.host = (uint8_t *)&cells[1], out.buffer.type = (halide_type_t){4, 16, 1};
  void *args[] = {&in.buffer, &out.buffer};
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  *(void **)&set_handler = dlsym(b.library, "halyard_set_error_handler");
  set_handler(hear);
  expect_parts(&b, args, 0, "");
  ck_assert_int_eq(cells[1], 0x3f80);
  for (size_t i = 0; i < HY_COUNT(types); i++) {
    in.buffer.type.code = types[i].code;
    snprintf(text, sizeof text, "image 'in' has elements of type bfloat16, but the buffer's are %s", types[i].name);
    expect_parts(&b, args, HALYARD_BAD_TYPE, text);
  }
  set_handler(NULL);
  close_built(&b);
}
END_TEST

/* -- parts of the library in whose place a program puts its own -- */

static int allocated, freed, loops;
static bool refuses;
static void *give(uint64_t bytes) {
  allocated++;
  return refuses ? NULL : aligned_alloc(64, (bytes + 63) / 64 * 64);
}
static void take(void *memory) {
  freed++;
  free(memory);
}
static int32_t run_loop(int64_t min, int64_t len, halyard_task *task, void *closure) {
  loops++;
  for (int64_t i = min + len - 1; i >= min; i--) { // any order will do
    int32_t status = task(closure, i, i + 1);
    if (status) return status;
  }
  return 0;
}

/* -- what is said of parameters -- */

// The layout of Halide 21's halide_filter_argument_t and halide_filter_metadata_t.
typedef struct {
  const char *name;
  int32_t kind, dimensions;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } type;
  const void *initial, *least, *greatest, *estimate, *box;
} told_argument;
typedef struct {
  int32_t version, count;
  const told_argument *arguments;
  const char *target, *name;
} told_pipeline;

#define NOTHING INT64_MIN
static const struct {
  const char *params;
  int64_t initial, least, greatest, estimate;
} told_rows[] = {
    {"w: int in 2..9 = 3 estimate 5", 3, 2, 9, 5},
    {"w: int", NOTHING, NOTHING, NOTHING, NOTHING},
    {"w: u8 = 200", 200, NOTHING, NOTHING, NOTHING},
    {"w: i8 in -128..-1", NOTHING, -128, -1, NOTHING},
    {"w: f64 in 0.5..2.0 estimate 1.0", NOTHING, 0x3fe0000000000000, 0x4000000000000000, 0x3ff0000000000000},
    {"w: f32 = -0.5", 0xbf000000, NOTHING, NOTHING, NOTHING},
    {"w: bool = true", 1, NOTHING, NOTHING, NOTHING},
    {"w: int in -9223372036854775808..7", NOTHING, NOTHING, 7, NOTHING}, // no "int" of C holds the first
};

static bool is_told(hy_type type, const void *place, int64_t wanted) {
  if (!place || wanted == NOTHING) return !place && wanted == NOTHING;
  return memcmp(place, &wanted, hy_type_bytes(type)) == 0;
}

START_TEST(parameters_are_described) {
  built b;
  char text[200];
  snprintf(text, sizeof text, "pipeline p(%s) { fun f(x) = select(w == w, x, 0); }", told_rows[_i].params);
  open_built(&b, &(build_row){text, NULL, 1});
  const told_pipeline *(*metadata)(void);
  *(void **)&metadata = dlsym(b.library, "under_test_metadata");
  const told_argument *w = &metadata()->arguments[0];
  hy_type type = b.p.pipeline.alg->params[0]->type;
  ck_assert_str_eq(w->name, "w");
  ck_assert(is_told(type == HY_INT ? HY_I32 : type, w->initial, told_rows[_i].initial));
  ck_assert(is_told(type == HY_INT ? HY_I32 : type, w->least, told_rows[_i].least));
  ck_assert(is_told(type == HY_INT ? HY_I32 : type, w->greatest, told_rows[_i].greatest));
  ck_assert(is_told(type == HY_INT ? HY_I32 : type, w->estimate, told_rows[_i].estimate));
  ck_assert(!w->box && !metadata()->arguments[1].least);
  close_built(&b);
}
END_TEST

START_TEST(parts_can_be_replaced) {
  wrong w;
  open_wrong(&w);
  void (*set_allocator)(halyard_allocator *, halyard_deallocator *);
  halyard_parallel_for *(*set_parallel_for)(halyard_parallel_for *);
  *(void **)&set_allocator = dlsym(w.b.library, "halyard_set_allocator");
  *(void **)&set_parallel_for = dlsym(w.b.library, "halyard_set_parallel_for");
  ck_assert(set_allocator && set_parallel_for);
  set_allocator(give, take);
  ck_assert_ptr_null(set_parallel_for(run_loop));
  free(w.in.memory);
  place(&w.in, HY_U16, BACKWARDS); // needs a copy
  expect(&w, 0, "");
  ck_assert(allocated > 0 && allocated == freed && loops > 0);
  refuses = true;
  expect(&w, HALYARD_OUT_OF_MEMORY, "no memory for a dense copy of 'in'");
  int32_t height = w.out.dim[1].extent;
  w.out.dim[1].extent = 0;
  expect(&w, 0, ""); // nothing to compute, nothing to copy
  w.out.dim[1].extent = height;
  set_allocator(NULL, NULL);
  ck_assert_ptr_eq(set_parallel_for(NULL), run_loop);
  w.set_handler(NULL);
  free(w.in.memory);
  free(w.out.memory);
  close_built(&w.b);
}
END_TEST

/* -- every target, the same bytes each time -- */

START_TEST(objects_are_the_same_each_time) {
  const hy_target *target = hy_target_find(hy_target_name(_i));
  test_program p;
  hy_oracle_options oracle = {.z3_limit = 1000};
  hy_codegen_options options = {.optimize = 3, .ahead = "f", .target = target};
  hy_text one = {0}, two = {0};
  test_program_open(&p, rows[0].alg, rows[0].items);
  ck_assert_int_eq(hy_pipeline_check(&p.pipeline, &oracle, p.diagnostics), HY_YES);
  const hy_tgt *passed = hy_passes(p.context, p.pipeline.filled, NULL, NULL);
  hy_native_object(p.context, passed, &options, &one);
  hy_native_object(p.context, passed, &options, &two);
  ck_assert(one.length == two.length && memcmp(one.data, two.data, one.length) == 0);
  int machine = (uint8_t)one.data[18], wide = (uint8_t)one.data[4]; // of the ELF header
  int wanted = strstr(target->triple, "aarch64") ? 183 : strstr(target->triple, "armv7") ? 40 : 62;
  ck_assert_int_eq(machine, wanted);
  ck_assert_int_eq(wide, wanted == 40 ? 1 : 2);
  hy_text_free(&one);
  hy_text_free(&two);
  test_program_close(&p);
}
END_TEST

/* -- subnormal floats, on processors whose vectors have none (GEN.Subnormal) -- */

static const struct {
  const char *target, *alg, *items;
  bool has_vectors; // of the processor's floating-point unit
} subnormal_rows[] = {
    {"arm-32-linux", "pipeline p(in: f32[1]) { fun f(x) = in(x) * 2; }", "f.vectorize(x, 4);", false},
    {"arm-32-linux", "pipeline p(in: f32[1]) { fun f(x) = in(x) * 2; }", NULL, false}, // LLVM may make vectors
    {"arm-32-linux", "pipeline p(in: f32[1]) { fun f(x) = select(in(x) < 1, 2, 3); }", "f.vectorize(x, 4);", false},
    {"arm-32-linux", "pipeline p(in: i32[1]) { fun f(x) = in(x) * 2; }", "f.vectorize(x, 4);", true},
    {"arm-32-linux", "pipeline p(in: f64[1]) { fun f(x) = in(x) * 2; }", "f.vectorize(x, 4);", true},
    {"arm-32-linux", "pipeline p(in: f64[1]) { fun f(x) = round(in(x)); }", "f.vectorize(x, 2);", true},
    {"aarch64-linux", "pipeline p(in: f32[1]) { fun f(x) = in(x) * 2; }", "f.vectorize(x, 4);", true},
    {"x86-64-v3", "pipeline p(in: f32[1]) { fun f(x) = in(x) * 2; }", "f.vectorize(x, 4);", true},
};

START_TEST(subnormals_are_numbers) {
  test_program p;
  hy_oracle_options oracle = {.z3_limit = 1000};
  hy_codegen_options options = {.optimize = 3, .ahead = "f", .target = hy_target_find(subnormal_rows[_i].target)};
  hy_text module = {0};
  test_program_open(&p, subnormal_rows[_i].alg, subnormal_rows[_i].items);
  ck_assert_int_eq(hy_pipeline_check(&p.pipeline, &oracle, p.diagnostics), HY_YES);
  hy_native_print_llvm(p.context, p.pipeline.filled, &options, true, &module);
  ck_assert(strstr(hy_text_string(&module), "define "));
  ck_assert_int_eq(!strstr(hy_text_string(&module), "-neon"), subnormal_rows[_i].has_vectors);
  hy_native_object(p.context, p.pipeline.filled, &options, &module); // there is code for it
  hy_text_free(&module);
  test_program_close(&p);
}
END_TEST

Suite *codegen_build_suite(void) {
  Suite *suite = suite_create("codegen_build");
  TCase *cases = tcase_create("objects");
  tcase_set_timeout(cases, 120);
  tcase_add_loop_test(cases, computes_what_is_meant, 0, HY_COUNT(rows));
  tcase_add_test(cases, answers_lie_as_said);
  tcase_add_test(cases, answers_are_those_of_the_copy);
  tcase_add_test(cases, says_what_is_wrong);
  tcase_add_test(cases, demands_are_asked);
  tcase_add_test(cases, elements_are_aligned);
  tcase_add_test(cases, answers_lie_as_demanded);
  tcase_add_test(cases, types_have_names);
  tcase_add_loop_test(cases, subnormals_are_numbers, 0, HY_COUNT(subnormal_rows));
  tcase_add_test(cases, several_outputs);
  tcase_add_test(cases, several_values);
  tcase_add_loop_test(cases, parameters_are_described, 0, HY_COUNT(told_rows));
  tcase_add_test(cases, parts_can_be_replaced);
  tcase_add_loop_test(cases, objects_are_the_same_each_time, 0, 6);
  suite_add_tcase(suite, cases);
  return suite;
}
