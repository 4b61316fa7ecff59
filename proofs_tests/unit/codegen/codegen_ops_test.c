/* Every row of ops.def on every type it takes, compiled alone and in vectors, against hy_value_apply: edge values in
 * all pairs, and random ones. Where the interpreters give an error, native code has its own rule (decision D5): a
 * division by zero gives 0; int overflow gives something.
 */

#include "codegen/codegen.h"
#include "proofs_tests/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Instrumented code takes long to compile, and operators touch no memory: fewer cases do.
#if defined(HALYARD_SANITIZE_ADDRESS) || defined(HALYARD_SANITIZE_THREAD)
#define INSTRUMENTED 1
#else
#define INSTRUMENTED 0
#endif

enum { POINTS = 768, MOST_ROWS = 192, IMAGES = HY_TYPE_COUNT };

/* -- one program: out(x, k) = rows[k](image0(x), image1(x), ...) -- */

typedef struct {
  hy_context *context;
  hy_func *images[IMAGES];
  int image_count;
  hy_func *out;
  const hy_expr *x; // of the loop being made
  const hy_expr *rows[MOST_ROWS];
  const hy_var *loops[MOST_ROWS];
  int row_count;
  int lanes;
} bench;

static hy_func *new_func(bench *b, const char *name, hy_type type, int rank, bool is_image, uint32_t index) {
  hy_context *c = b->context;
  hy_func *func = HY_NEW(hy_context_arena(c), hy_func);
  static const char *const dims[] = {"x", "y"};
  *func = (hy_func){.name = name, .index = index, .type = type, .rank = rank, .is_image = is_image, .dims = dims};
  if (!is_image) return func;
  const hy_var **min = HY_NEW_ARRAY(hy_context_arena(c), const hy_var *, rank);
  const hy_var **len = HY_NEW_ARRAY(hy_context_arena(c), const hy_var *, rank);
  for (int d = 0; d < rank; d++) {
    min[d] = hy_var_new(c, HY_VAR_IMAGE_MIN, HY_INT, "min", func, d, 0);
    len[d] = hy_var_new(c, HY_VAR_IMAGE_LEN, HY_INT, "len", func, d, 0);
  }
  func->min = min;
  func->len = len;
  return func;
}

static bench open_bench(hy_type result, const hy_type *images, int image_count, int lanes) {
  static const char *const names[IMAGES] = {"i0", "i1", "i2", "i3",  "i4",  "i5",  "i6",
                                            "i7", "i8", "i9", "i10", "i11", "i12", "i13"};
  bench b = {.context = hy_context_new(), .image_count = image_count, .lanes = lanes};
  for (int i = 0; i < image_count; i++) b.images[i] = new_func(&b, names[i], images[i], 1, true, (uint32_t)i);
  b.out = new_func(&b, "out", result, 2, false, (uint32_t)image_count);
  return b;
}

// The next row's loop, so that expressions over it can be made.
static void start_row(bench *b) {
  char name[16];
  snprintf(name, sizeof name, "x%d", b->row_count);
  ck_assert_int_lt(b->row_count, MOST_ROWS);
  b->loops[b->row_count] = hy_var_loop(b->context, b->out, 0, 0, hy_context_name_of(b->context, name));
  b->x = hy_expr_var(b->context, b->loops[b->row_count]);
}

static const hy_expr *image_at_x(bench *b, int i) { return hy_expr_access(b->context, b->images[i], &b->x); }
static void add_row(bench *b, const hy_expr *expr) { b->rows[b->row_count++] = expr; }

// for x0 in (0, points / lanes) for vectorized x1 in (0, lanes) let x = lanes * x0 + x1 in out(x, k) <- row
static const hy_stmt *row_loop(bench *b, int k) {
  hy_context *c = b->context;
  char name[2][16];
  snprintf(name[0], sizeof name[0], "o%d", k);
  snprintf(name[1], sizeof name[1], "v%d", k);
  const hy_var *outer = hy_var_loop(c, b->out, 0, 0, hy_context_name_of(c, name[0]));
  const hy_var *inner = hy_var_loop(c, b->out, 0, 0, hy_context_name_of(c, name[1]));
  const hy_expr *lanes = hy_expr_int(c, b->lanes), *zero = hy_expr_int(c, 0);
  const hy_expr *base = hy_expr_binary(c, HY_OP_MUL, lanes, hy_expr_var(c, outer));
  const hy_expr *x = hy_expr_binary(c, HY_OP_ADD, base, hy_expr_var(c, inner));
  const hy_expr *lhs[] = {hy_expr_var(c, b->loops[k]), hy_expr_int(c, k)};
  const hy_stmt *assign = hy_stmt_assign(c, b->out, 0, 0, lhs, b->rows[k]);
  const hy_stmt *let = hy_stmt_let(c, b->loops[k], x, (hy_origin){0}, assign);
  const hy_stmt *vector = hy_stmt_for(c, inner, true, HY_VECTORIZED, (hy_interval){zero, lanes}, let);
  return hy_stmt_for(c, outer, true, HY_SERIAL, (hy_interval){zero, hy_expr_int(c, POINTS / b->lanes)}, vector);
}

static hy_tgt make_program(bench *b) {
  hy_context *c = b->context;
  hy_arena *arena = hy_context_arena(c);
  hy_interval *box = HY_NEW_ARRAY(arena, hy_interval, 2);
  int *signature = HY_NEW_ARRAY(arena, int, b->image_count);
  for (int i = 0; i < b->image_count; i++) signature[i] = -i - 1;
  hy_alg *alg = HY_NEW(arena, hy_alg);
  *alg = (hy_alg){.name = "ops", .images = (const hy_func *const *)b->images, .image_count = b->image_count};
  alg->signature = signature;
  hy_alg_set_outputs(c, alg, (const hy_func *[]){b->out}, 1);
  for (int d = 0; d < 2; d++)
    box[d] = (hy_interval){hy_expr_var(c, alg->window_min[d]), hy_expr_var(c, alg->window_len[d])};
  const hy_stmt *items[MOST_ROWS + 1];
  items[0] = hy_stmt_allocate(c, b->out, box);
  for (int k = 0; k < b->row_count; k++) items[k + 1] = row_loop(b, k);
  const hy_func **funcs = HY_NEW_ARRAY(arena, const hy_func *, 1);
  funcs[0] = b->out;
  return (hy_tgt){.alg = alg, .funcs = funcs, .func_count = 1, .body = hy_stmt_seq(c, items, b->row_count + 1)};
}

static hy_buffer *run_bench(bench *b, hy_buffer *const *images) {
  hy_tgt tgt = make_program(b);
  hy_codegen_options options = hy_codegen_default();
  if (INSTRUMENTED || (b->lanes != 1 && b->lanes != 16)) options.optimize = 1; // compiles in half the time
  hy_native *native = hy_native_compile(b->context, &tgt, &options);
  int64_t min[] = {0, 0}, len[] = {POINTS, b->row_count};
  hy_buffer *output = hy_buffer_new(b->out->type, 2, min, len);
  hy_input input = {NULL, (const hy_buffer *const *)images, min, len};
  hy_native_result result;
  hy_native_run(native, &input, output, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  hy_native_free(native);
  return output;
}

/* -- values -- */

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int edges(hy_type type, hy_value *out) {
  static const double reals[] = {0.0,  -0.0, 1.0,  -1.0, 0.5,  -2.5,  1.5,   3.0, 1e-40, 255.5,
                                 -0.7, 1e10, -3e9, 1e19, 2.25, 1e300, 100.0, 7.0, -8.0,  9.3e18};
  static const int64_t whole[] = {0, 1, -1, 2, 3, 5, 7, 8, -2, -3, 63, 64, 65, -7, 31, 32, 15, 16};
  int count = 0;
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) {
    for (size_t i = 0; i < HY_COUNT(reals); i++) out[count++] = hy_value_from_double(type, reals[i]);
    out[count++] = hy_value_from_double(type, INFINITY);
    out[count++] = hy_value_from_double(type, -INFINITY);
    out[count++] = hy_value_from_double(type, NAN);
    return count;
  }
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  for (size_t i = 0; i < HY_COUNT(whole); i++) out[count++] = hy_value_integral(type, whole[i]);
  out[count++] = hy_value_integral(type, least);
  out[count++] = hy_value_integral(type, least + 1);
  out[count++] = hy_value_integral(type, greatest);
  out[count++] = hy_value_integral(type, greatest - 1);
  return count;
}

static hy_value random_value(hy_type type, uint64_t *state) {
  uint64_t bits = next_random(state);
  if (hy_type_class_of(type) != HY_CLASS_FLOAT) return hy_value_integral(type, (int64_t)(bits >> (bits % 64)));
  if (bits & 1) return hy_value_from_double(type, ((double)(int64_t)bits) * 0x1p-56);
  return hy_value_load(type, &bits); // any pattern
}

// Image "index" of a pair runs through the edges so that all pairs meet; the rest is random.
static hy_buffer *fill_image(hy_type type, int index, uint64_t seed) {
  hy_value edge[32];
  int count = edges(type, edge);
  int64_t min = 0, len = POINTS;
  hy_buffer *image = hy_buffer_new(type, 1, &min, &len);
  for (int64_t i = 0; i < POINTS; i++) {
    hy_value value = random_value(type, &seed);
    if (i < count * count) value = edge[index == 0 ? i / count : i % count];
    hy_buffer_set(image, &i, value);
  }
  return image;
}

/* -- judging -- */

static hy_value evaluate(const hy_expr *e, const bench *b, hy_buffer *const *images, int64_t x) {
  hy_value args[HY_MAX_ARITY];
  if (e->kind == HY_EXPR_CONST) return e->value;
  if (e->kind == HY_EXPR_ACCESS) {
    for (int i = 0; i < b->image_count; i++)
      if (b->images[i] == e->func) return hy_buffer_get(images[i], &x);
  }
  ck_assert_int_eq(e->kind, HY_EXPR_OP);
  for (int i = 0; i < e->count; i++) args[i] = evaluate(e->args[i], b, images, x);
  return hy_value_apply(e->op, e->type, args);
}

static bool is_division_by_zero(const hy_expr *e, const bench *b, hy_buffer *const *images, int64_t x) {
  if (e->op != HY_OP_DIV && e->op != HY_OP_MOD) return false;
  return hy_value_bits(evaluate(e->args[1], b, images, x)) == 0;
}

static void judge(const bench *b, hy_buffer *const *images, const hy_buffer *output) {
  for (int k = 0; k < b->row_count; k++) {
    for (int64_t x = 0; x < POINTS; x++) {
      hy_value want = evaluate(b->rows[k], b, images, x);
      if (want.error) {
        if (!is_division_by_zero(b->rows[k], b, images, x)) continue;
        want = hy_value_zero((hy_type)want.type);
      }
      hy_value got = hy_buffer_get(output, (int64_t[]){x, k});
      if (hy_value_same(want, got)) continue;
      hy_text text = {0};
      hy_expr_print(b->rows[k], &text);
      hy_text_printf(&text, " in %d lanes at %d: native ", b->lanes, (int)x);
      hy_value_print(got, &text);
      hy_text_add(&text, ", value.c ");
      hy_value_print(want, &text);
      for (int i = 0; i < b->image_count && b->image_count < 5; i++) {
        hy_text_add(&text, i ? ", " : "; arguments ");
        hy_value_print(hy_buffer_get(images[i], &x), &text);
      }
      ck_abort_msg("%s", hy_text_string(&text));
    }
  }
}

static void check_bench(bench *b) {
  hy_buffer *images[IMAGES];
  for (int i = 0; i < b->image_count; i++) images[i] = fill_image(b->images[i]->type, i, (uint64_t)(7 + i));
  hy_buffer *output = run_bench(b, images);
  judge(b, images, output);
  for (int i = 0; i < b->image_count; i++) hy_buffer_free(images[i]);
  hy_buffer_free(output);
  hy_context_free(b->context);
}

/* -- the rows -- */

#if INSTRUMENTED
static const int lane_counts[] = {1, 8};
#else
static const int lane_counts[] = {1, 4, 8, 16, 3};
#endif

// All operators from T, .. (or bool, T, T) to "result", "result" being T or bool.
static void check_operators(hy_type type, hy_type result, int lanes) {
  bench b = open_bench(result, (hy_type[]){type, type, HY_BOOL, type}, 4, lanes);
  for (int op = 0; op < (int)HY_OP_COUNT; op++) {
    if (op == HY_OP_CAST) continue;
    start_row(&b);
    const hy_expr *args[HY_MAX_ARITY] = {image_at_x(&b, 0), image_at_x(&b, 1), image_at_x(&b, 3)};
    hy_type types[HY_MAX_ARITY] = {type, type, type}, gives;
    if (op == HY_OP_SELECT) {
      types[0] = HY_BOOL;
      args[2] = args[1], args[1] = args[0], args[0] = image_at_x(&b, 2);
    }
    if (hy_op_result((hy_op)op, types, &gives) && gives == result)
      add_row(&b, hy_expr_op(b.context, (hy_op)op, result, args));
  }
  if (b.row_count)
    check_bench(&b);
  else
    hy_context_free(b.context);
}

static const hy_type types[] = {
#define HY_TYPE(name, spelling, class, bits, numpy, c) HY_##name,
#include "semantics/types.def"
#undef HY_TYPE
};

START_TEST(operators) {
  hy_type type = types[_i];
  for (size_t l = 0; l < HY_COUNT(lane_counts); l++) {
    check_operators(type, type, lane_counts[l]);
    if (type != HY_BOOL) check_operators(type, HY_BOOL, lane_counts[l]);
  }
}
END_TEST

START_TEST(conversions) {
  for (size_t l = 0; l < HY_COUNT(lane_counts); l++) {
    bench b = open_bench(types[_i], types, HY_COUNT(types), lane_counts[l]);
    for (int i = 0; i < (int)HY_COUNT(types); i++) {
      start_row(&b);
      add_row(&b, hy_expr_cast(b.context, types[_i], image_at_x(&b, i)));
    }
    check_bench(&b);
  }
}
END_TEST

// Floats of any bits, every NaN among them.
START_TEST(reinterpretations) {
  static const hy_op ops[] = {HY_OP_F32_BITS, HY_OP_F64_BITS,      HY_OP_F32_FROM_BITS, HY_OP_F64_FROM_BITS,
                              HY_OP_F16_BITS, HY_OP_F16_FROM_BITS, HY_OP_BF16_BITS,     HY_OP_BF16_FROM_BITS};
  hy_type result, type = hy_op_reinterpreted(ops[_i], &result);
  for (size_t l = 0; l < HY_COUNT(lane_counts); l++) {
    bench b = open_bench(result, &type, 1, lane_counts[l]);
    start_row(&b);
    add_row(&b, hy_expr_unary(b.context, ops[_i], image_at_x(&b, 0)));
    check_bench(&b);
  }
}
END_TEST

// Of int alone, what a fault of division shows at once: Euclidean (D2), and native code has its own rule (D5, GEN.Div).
START_TEST(division) {
  for (int lanes = 1; lanes <= 8; lanes += 7) {
    bench b = open_bench(HY_INT, (hy_type[]){HY_INT, HY_INT}, 2, lanes);
    for (hy_op op = HY_OP_DIV; op <= HY_OP_MOD; op++) {
      start_row(&b);
      add_row(&b, hy_expr_binary(b.context, op, image_at_x(&b, 0), image_at_x(&b, 1)));
    }
    check_bench(&b);
  }
}
END_TEST

// Of numbers whose types say that they are small: vectors of them are divided as floats, of either width and sign.
START_TEST(narrow_division) {
  static const hy_type from[] = {HY_U8, HY_I8, HY_I16, HY_U16, HY_U32, HY_I32};
  const hy_type pair[] = {from[_i], HY_I32};
  bench b = open_bench(HY_INT, pair, 2, 8);
  for (hy_op op = HY_OP_DIV; op <= HY_OP_MOD; op++)
    for (int turned = 0; turned < 2; turned++) {
      start_row(&b);
      const hy_expr *args[2] = {hy_expr_cast(b.context, HY_INT, image_at_x(&b, turned)),
                                hy_expr_cast(b.context, HY_INT, image_at_x(&b, 1 - turned))};
      add_row(&b, hy_expr_op(b.context, op, HY_INT, args));
    }
  check_bench(&b);
}
END_TEST

// Constant right sides have emitters of their own.
START_TEST(constants) {
  static const hy_op ops[] = {HY_OP_DIV, HY_OP_MOD, HY_OP_SHL, HY_OP_SHR, HY_OP_MUL};
  hy_type type = types[_i];
  if (!hy_type_is_integral(type)) return;
  hy_value edge[32];
  int count = edges(type, edge);
  for (int lanes = INSTRUMENTED ? 16 : 1; lanes <= 16; lanes += 15) {
    bench b = open_bench(type, &type, 1, lanes);
    for (size_t o = 0; o < HY_COUNT(ops); o++)
      for (int i = 0; i < count; i++) {
        start_row(&b);
        add_row(&b, hy_expr_binary(b.context, ops[o], image_at_x(&b, 0), hy_expr_const(b.context, edge[i])));
      }
    check_bench(&b);
  }
}
END_TEST

// No contraction and no reassociation: each operation rounds.
START_TEST(float_expressions) {
  hy_type type = _i ? HY_F64 : HY_F32;
  for (size_t l = 0; l < HY_COUNT(lane_counts); l++) {
    bench b = open_bench(type, (hy_type[]){type, type}, 2, lane_counts[l]);
    for (int k = 0; k < 4; k++) {
      start_row(&b);
      hy_context *c = b.context;
      const hy_expr *x = image_at_x(&b, 0), *y = image_at_x(&b, 1), *xy = hy_expr_binary(c, HY_OP_MUL, x, y);
      if (k == 0) add_row(&b, hy_expr_binary(c, HY_OP_ADD, xy, x));
      if (k == 1) add_row(&b, hy_expr_binary(c, HY_OP_SUB, xy, y));
      if (k == 2) add_row(&b, hy_expr_binary(c, HY_OP_SUB, hy_expr_binary(c, HY_OP_ADD, x, y), x));
      if (k == 3) add_row(&b, hy_expr_binary(c, HY_OP_DIV, x, hy_expr_const(c, hy_value_from_double(type, 3.0))));
    }
    check_bench(&b);
  }
}
END_TEST

// Floats that are seen to lie within some limits, or not quite: with a NaN on either side of min and max, with limits
// at and beyond the ends of the types that they are converted to.
static const hy_expr *limited(bench *b, hy_type from, int form, double least, double most) {
  hy_context *c = b->context;
  const hy_expr *x = image_at_x(b, 0), *low = hy_expr_const(c, hy_value_from_double(from, least)),
                *high = hy_expr_const(c, hy_value_from_double(from, most));
  if (form == 0) return hy_expr_binary(c, HY_OP_MAX, hy_expr_binary(c, HY_OP_MIN, x, high), low);
  if (form == 1) return hy_expr_binary(c, HY_OP_MIN, high, hy_expr_binary(c, HY_OP_MAX, low, x));
  if (form == 2) return hy_expr_binary(c, HY_OP_MIN, x, high);
  if (form == 3) return hy_expr_binary(c, HY_OP_MAX, hy_expr_binary(c, HY_OP_MIN, high, x), low);
  if (form == 6) return hy_expr_binary(c, HY_OP_MIN, hy_expr_binary(c, HY_OP_MIN, low, x), high);
  const hy_expr *unit =
      hy_expr_binary(c, HY_OP_MIN, hy_expr_binary(c, HY_OP_MAX, x, hy_expr_const(c, hy_value_from_double(from, -1))),
                     hy_expr_const(c, hy_value_from_double(from, 1)));
  if (form == 4) return hy_expr_binary(c, HY_OP_SUB, hy_expr_binary(c, HY_OP_MUL, high, unit), low);
  const hy_expr *narrow = hy_expr_cast(c, from, hy_expr_cast(c, HY_I16, x));
  return hy_expr_op(c, HY_OP_FLOOR, from, (const hy_expr *[]){hy_expr_binary(c, HY_OP_MUL, narrow, unit)});
}

START_TEST(limited_conversions) {
  static const double limits[][2] = {{0, 255},    {-128, 127},      {-0.5, 65535.5}, {-0x1p31, 0x1.fffffffcp30},
                                     {0, 0x1p31}, {-0x1p63, 0x1p63}};
  enum { FORMS = 7 };
  hy_type from = _i % 2 ? HY_F64 : HY_F32, to = types[_i / 2];
  if (!hy_type_is_integral(to)) return;
  for (int lanes = to == HY_INT ? 1 : 8; lanes <= 8; lanes += 7) {
    bench b = open_bench(to, &from, 1, lanes);
    for (size_t l = 0; l < HY_COUNT(limits); l++)
      for (int form = 0; form < FORMS; form++) {
        start_row(&b);
        add_row(&b, hy_expr_cast(b.context, to, limited(&b, from, form, limits[l][0], limits[l][1])));
      }
    check_bench(&b);
  }
}
END_TEST

Suite *codegen_ops_suite(void) {
  Suite *suite = suite_create("codegen_ops");
  TCase *rows = tcase_create("rows");
  tcase_set_timeout(rows, 300);
  tcase_add_loop_test(rows, operators, 0, (int)HY_COUNT(types));
  tcase_add_loop_test(rows, reinterpretations, 0, 8);
  tcase_add_loop_test(rows, conversions, 0, (int)HY_COUNT(types));
  tcase_add_test(rows, division);
  tcase_add_loop_test(rows, narrow_division, 0, 6);
  tcase_add_loop_test(rows, constants, 0, (int)HY_COUNT(types));
  tcase_add_loop_test(rows, limited_conversions, 0, 2 * (int)HY_COUNT(types));
  tcase_add_loop_test(rows, float_expressions, 0, 2);
  suite_add_tcase(suite, rows);
  return suite;
}
