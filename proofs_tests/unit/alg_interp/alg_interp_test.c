// The meaning of algorithms: tables of tiny programs with their values in lazy and in strict mode, on both evaluators
// (D4, D11 to D14), and random programs on which the two must agree.

#include "alg_interp/alg_interp.h"
#include "proofs_tests/suites.h"
#include "semantics/text/syntax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- running a text -- */

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  const hy_alg *alg;
  hy_source source;
} program;

static program parse(const char *text) {
  program p = {.context = hy_context_new(), .diagnostics = hy_diagnostics_new()};
  p.source = (hy_source){"test.alg", text, strlen(text)};
  p.alg = hy_parse_alg(p.context, &p.source, p.diagnostics);
  hy_text report = {0};
  if (!p.alg) hy_diagnostics_print(p.diagnostics, &report);
  if (!p.alg) fprintf(stderr, "%s\n%s\n", text, hy_text_string(&report)); // may be too long for check
  ck_assert(p.alg != NULL);
  hy_text_free(&report);
  return p;
}

static void forget(program *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

// Every parameter is "param"; every image has the box [0, 4) or [0, 4) x [0, 3) and 10, 20, 30, ... in it.
typedef struct {
  hy_value params[4];
  hy_buffer *images[2];
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  hy_input input;
} stage_set;

static void set_up(stage_set *set, const program *p, int64_t param, int64_t min, int64_t len) {
  static const int64_t image_min[] = {0, 0}, image_len[] = {4, 3};
  for (int i = 0; i < p->alg->param_count; i++) set->params[i] = hy_value_integral(p->alg->params[i]->type, param);
  for (int i = 0; i < p->alg->image_count; i++) {
    hy_buffer *image = hy_buffer_new(p->alg->images[i]->type, p->alg->images[i]->rank, image_min, image_len);
    for (int64_t k = 0; k < (int64_t)image->count; k++)
      hy_buffer_set(image, (int64_t[]){k % 4, k / 4}, hy_value_integral(image->type, 10 * (k + 1)));
    set->images[i] = image;
  }
  for (int d = 0; d < HY_MAX_RANK; d++) set->min[d] = min, set->len[d] = len;
  set->input = (hy_input){set->params, (const hy_buffer *const *)set->images, set->min, set->len};
}

static void tear_down(stage_set *set, const program *p) {
  for (int i = 0; i < p->alg->image_count; i++) hy_buffer_free(set->images[i]);
}

typedef void runner(hy_context *context, const hy_alg *alg, const hy_input *input, const hy_alg_options *options,
                    hy_alg_result *result);

// "1 2 eps_arith": the window, x fastest; "; entry" where the target's entry check would end the run (D11).
static char *values_of(const hy_alg_result *result) {
  hy_text text = {0};
  if (result->status != HY_RAN) hy_text_add(&text, result->status == HY_RUN_ASSUME ? "nothing" : "limit");
  for (size_t i = 0; result->output && i < result->output->count; i++) {
    const hy_buffer *b = result->output;
    hy_value value = b->errors && b->errors[i] ? hy_value_error(b->type, (hy_error)b->errors[i])
                                               : hy_value_load(b->type, b->data + i * hy_type_bytes(b->type));
    if (i) hy_text_add(&text, " ");
    hy_value_print(value, &text);
  }
  if (result->entry) hy_text_add(&text, "; entry");
  return text.data ? text.data : calloc(1, 1);
}

static char *run(runner *engine, const program *p, const stage_set *set, hy_mode mode, uint64_t limit) {
  hy_alg_options options = {.mode = mode, .step_limit = limit};
  hy_alg_result result;
  engine(p->context, p->alg, &set->input, &options, &result);
  char *values = values_of(&result);
  hy_buffer_free(result.output);
  return values;
}

/* -- the table -- */

typedef struct {
  const char *text;          // of the funcs; the parameter is w: int, the images are in: u8[1] and grid: u8[2]
  int64_t param, min, len;   // the window is [min, min + len) in every dimension
  const char *lazy, *strict; // NULL: the same
} row;

static const row rows[] = {
    // pure funcs
    {"fun f(x) = x * 2;", 0, -1, 4, "-2 0 2 4", NULL},
    {"fun g(x) = 100 * x; fun f(x) = g(x) + g(x + 64);", 0, -3, 3, "5800 6000 6200", NULL}, // both sides of 0
    {"fun f() = w + 1;", 41, 0, 1, "42", NULL},
    {"fun f() = w + 1;", 1000001, 0, 1, "nothing", NULL}, // outside of its range nothing is said (ALG.Realize-Param)
    {"require w > 40; fun f() = w + 1;", 41, 0, 1, "42", NULL},
    {"require w > 41; fun f() = w + 1;", 41, 0, 1, "nothing", NULL}, // nor of what is not allowed (ALG.Realize-Require)
    {"require w == 41 || 1/(w - 41) > 0; fun f() = w + 1;", 41, 0, 1, "42", "nothing"},
    {"fun g(x, y) = x + 10 * y; fun f(x, y) = g(y, x) + g(x + 1, y - 1);", 0, 0, 2, "-9 2 2 13", NULL},
    {"fun f(x) = u8(x) * 100;", 0, 0, 4, "0 100 200 44", NULL},
    {"fun f(x) = f32_bits(f32(x)) / 8388608;", 0, 0, 3, "0 127 128", NULL},
    {"fun f(x) = popcount(u8(x) * 3) + 10 * count_leading_zeros(u8(x));", 0, 0, 4, "80 72 62 62", NULL},
    {"fun f(x) = f32(x) / 2;", 0, 0, 3, "0.0 0.5 1.0", NULL},
    // D80: tuples (ALG.Parts): all values of an instance before any is stored; an error in each part, poison in all
    {"fun g(x) = (x, u8(x + 7)); fun f(x) = g(x)[0] * 100 + int(g(x + 1)[1]);", 0, 0, 3, "8 109 210", NULL},
    {"fun g(x) = { (x, 9); (x) <- (g(x)[1], g(x)[0]); }; fun f(x) = g(x)[0] * 10 + g(x)[1];", 0, 0, 3, "90 91 92",
     NULL},
    {"fun g(x) = { (x, 9); rdom(r = (0, 3)) in (r) <- (g(r)[1], g(r)[0]); }; fun f(x) = g(x)[0] * 10 + g(x)[1];", 0, 0,
     4, "90 91 92 39", NULL},
    {"fun g(x) = { (x, 9); rdom(r = (1, 3)) in (r) <- (g(r - 1)[1], g(r - 1)[0]); }; fun f(x) = g(x)[0] * 10 + "
     "g(x)[1];",
     0, 0, 4, "9 90 9 90", NULL},
    {"fun g(x) = (10 / x, x); fun f(x) = select(x == 1, g(x)[0], g(x)[1]);", 0, 0, 3, "0 10 2", "eps_arith 10 2"},
    {"fun g(x) = { (x, 9); (x) <- (10 / x, 7); }; fun f(x) = g(x)[1];", 0, 0, 2, "7 7", NULL},
    {"fun g(x) = { (x, 9); (x) <- (5, 7) if 10 / x == 10; }; fun f(x) = g(x)[1];", 0, 0, 3, "eps_arith 7 9", NULL},
    {"fun g(x) = { (x, 9); (x) <- (5, 7) if 10 / x == 10; }; fun f(x) = g(x)[0];", 0, 0, 3, "eps_arith 5 2", NULL},
    {"fun g(x) = { (x, 9); rdom(r = (0, 1)) in (1 / r) <- (5, 7); }; fun f(x) = g(x)[1];", 0, 0, 2,
     "eps_arith eps_arith", NULL},
    {"fun g(x) = { (x, 9); rdom(r = (0, w)) in (x) <- (r, 7); }; fun f(x) = g(x)[1];", -1, 0, 2,
     "eps_rdom eps_rdom; entry", NULL},
    // D14: images, and reading outside of them (ALG.Image, ALG.Image-Outside)
    {"fun f(x) = in(x);", 0, -1, 6, "eps_mem 10 20 30 40 eps_mem", NULL},
    {"fun f(x, y) = grid(x, y);", 0, 0, 3, "10 20 30 50 60 70 90 100 110", NULL}, // ALG.Func-Arg-Eval
    {"fun f(x) = in(10 / x);", 0, 0, 3, "eps_arith eps_mem eps_mem", NULL},       // ALG.Func-Arg-Err
    {"fun f(x) = int(in(x)) + 1 / w;", 0, 3, 2, "eps_arith eps_mem", NULL},       // D3: the greatest
    {"fun g(x) = 10 / x; fun f(x) = g(g(x));", 0, -1, 3, "-1 eps_arith 1", NULL},
    {"fun f(x) = select(x < in.len(0), int(in(x)), in.min(0) - 1);", 0, 3, 2, "40 -1", "40 eps_mem"},
    // D1: int is Z as far as 64 bits reach
    {"fun f(x) = (9223372036854775806 + x) - x;", 0, 0, 3, "9223372036854775806 9223372036854775806 eps_arith", NULL},
    // D4: what is not selected is not evaluated
    {"fun f(x) = select(x == 0, 7, 10 / x);", 0, 0, 3, "7 10 5", "eps_arith 10 5"},
    {"fun f(x) = x != 0 && 10 / x > 5;", 0, 0, 3, "false true false", "eps_arith true false"},
    {"fun f(x) = x == 0 || 10 / x > 5;", 0, 0, 3, "true true false", "eps_arith true false"},
    {"fun f(x) = select(10 / x > 5, 1, 2);", 0, 0, 3, "eps_arith 1 2", NULL},
    // updates: order of the rdom, r1 innermost
    {"fun f(x) = { 0; rdom(r = (1, 3)) in (x) <- 10 * f(x) + r; };", 0, 0, 2, "123 123", NULL},
    {"fun f(x) = { 0; rdom(r = (1, 2), s = (3, 2)) in (x) <- 100 * f(x) + 10 * r + s; };", 0, 5, 1, "13231424",
     NULL}, // ALG.RDom-Eval
    {"fun f(x) = { 1; (x) <- f(x) + x; (x) <- f(x) * 2; };", 0, 0, 3, "2 4 6", NULL},
    {"fun s() = { 0; rdom(r = (0, 5)) in () <- s() + r; };", 0, 0, 1, "10", NULL},
    {"fun f(x) = { x; rdom(r = (0, 10)) in (x) <- f(x) + 1 if r % 3 == x; };", 0, 0, 4, "4 4 5 3", NULL},
    {"fun f(x) = { -1; rdom(r = (0, 3)) in (2 * r) <- r; };", 0, 0, 6, "0 -1 1 -1 2 -1", NULL},
    {"fun f(x) = { 0; rdom(r = (0, 4)) in (r % 2) <- r; };", 0, 0, 3, "2 3 0", NULL}, // the last write counts
    {"fun h(i) = { 0; rdom(r = (0, 4)) in (int(in(r)) / 20) <- h(int(in(r)) / 20) + 1; };", 0, 0, 4, "1 2 1 0", NULL},
    {"fun c(x) = { x + 1; rdom(r = (1, 4)) in (r) <- c(r) + c(r - 1); };", 0, 0, 6, "1 3 6 10 15 6", NULL}, // scan
    {"fun c(x) = { x; rdom(r = (0, 4)) in (3 - r) <- c(3 - r) + c(4 - r); };", 0, 0, 5, "10 10 9 7 4", NULL},
    {"fun f(x, y) = { x; rdom(r = (0, 2)) in (r, y) <- f(1 - r, y) + 10 * y; };", 0, 0, 3, "1 1 2 11 21 2 21 41 2",
     NULL},
    {"fun g(x, y) = 10 * x + y; fun f(x, y) = { 0; rdom(r = (0, 2)) in (x, r) <- g(r, x); };", 0, 0, 3,
     "0 1 2 10 11 12 0 0 0", NULL}, // transposed
    {"fun f(x) = { x; rdom(r = (0, 3)) in (r) <- f(r + 1); rdom(r = (0, 2)) in (r) <- f(r) + f(r + 1); };", 0, 0, 4,
     "3 5 3 3", NULL},
    {"fun f(x) = { 10 * x; rdom(r = (0, 2)) in (r) <- f(2 - r); (x) <- f(x) + x; };", 0, 0, 4, "20 11 22 33", NULL},
    // the lazily unused base, and updates that miss (D4, ALG.Update-Strict)
    {"fun f(x) = { 6 / x; (0) <- 5; };", 0, 0, 3, "5 6 3", "eps_arith 6 3"},
    {"fun f(x) = { x; (1) <- 1 / w; };", 0, 0, 3, "0 eps_arith 2", "eps_arith eps_arith eps_arith"},
    {"fun f(x) = { 6 / x; (x) <- 1; };", 0, 0, 2, "1 1", "eps_arith 1"},
    {"fun f(x) = { 6 / x; rdom(r = (0, 2)) in (x) <- 1; };", 0, 0, 2, "1 1", "eps_arith 1"},
    {"fun f(x) = { 6 / x; rdom(r = (0, 2)) in (r) <- r; };", 0, 0, 3, "0 1 3", "eps_arith 1 3"},
    // an erroring coordinate matches every value; later writes are stronger, earlier ones weaker (ALG.Update-Eval)
    {"fun f(x) = { x; rdom(r = (0, 3)) in (1 / r) <- 100 + r; };", 0, 0, 3, "102 101 eps_arith",
     "eps_arith eps_arith eps_arith"},
    {"fun f(x) = { x; rdom(r = (0, 3)) in (1 / (2 - r)) <- 100 + r; };", 0, 0, 3, "eps_arith eps_arith eps_arith",
     NULL},
    {"fun f(x) = { x; rdom(r = (0, 3)) in (int(in(r + 3)) + 1 / w) <- r; };", 0, 0, 1, "eps_mem", NULL},
    // ... in that dimension alone
    {"fun f(x, y) = { 0; rdom(r = (0, 3)) in (1 / (r - 1), r) <- 5; };", 0, -1, 4,
     "0 0 0 0 5 0 0 0 eps_arith eps_arith eps_arith eps_arith 0 0 5 0", // y = -1, 0, 1, 2
     "eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith "
     "eps_arith eps_arith eps_arith eps_arith eps_arith"},
    {"fun f(x, y) = { 0; rdom(r = (0, 3)) in (1, 1 / (r - 1)) <- r; };", 0, -1, 3, "0 0 eps_arith 0 0 eps_arith 0 0 2",
     "eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith"},
    {"fun f(x, y) = { 0; rdom(r = (0, 2)) in (1 / r, 2) <- r; rdom(r = (0, 2)) in (r, 2) <- f(r, 2) + 1; };", 0, 0, 3,
     "0 0 0 0 0 0 eps_arith 2 eps_arith",
     "eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith eps_arith"},
    // D12: only the slice is poisoned
    {"fun f(x, y) = { 0; rdom(r = (0, 2)) in (1 / (r + y), y) <- 5; };", 0, 0, 3, "eps_arith 5 eps_arith 5 5 0 5 0 0",
     "eps_arith eps_arith eps_arith 5 5 0 5 0 0"},
    {"fun f(x, y) = { 0; rdom(r = (0, 2)) in (x, y) <- 1 / (r + y); };", 0, 0, 2, "1 1 0 0", "eps_arith eps_arith 0 0"},
    // predicates: false is no hit, whatever the coordinate; an error is a hit (ALG.Update-Poison, ALG.Update-Miss)
    {"fun f(x) = { x; (1 / w) <- 5 if w == 1; };", 0, 0, 2, "0 1", "eps_arith eps_arith"},
    {"fun f(x) = { x; (1) <- 5 if 1 / w == 1; };", 0, 0, 3, "0 eps_arith 2", "eps_arith eps_arith eps_arith"},
    {"fun f(x) = { x; (x) <- 5 if 1 / x == 1; };", 0, 0, 3, "eps_arith 5 2", NULL},
    {"fun f(x) = { x; rdom(r = (0, 3)) in (r) <- 5 if 1 / r == 1; };", 0, 0, 4, "eps_arith 5 2 3",
     "eps_arith eps_arith eps_arith eps_arith"},
    {"fun f(x) = { x; (1) <- int(in(9)) if 1 / w == 1; };", 0, 1, 1, "eps_mem", NULL}, // all errors of the hit join
    {"fun f(x) = { x; rdom(r = (0, 3)) in (r) <- f(r) + 1 / f(r); };", 0, 0, 4, "eps_arith 2 2 3",
     "eps_arith eps_arith eps_arith eps_arith"},
    // D89: an ill-formed rdom is a value where the derivation meets it. D11: the entry is asked once, of what the
    // output reaches (ALG.RDom-Err, ALG.Func-Passthrough)
    {"fun f(x) = { x; rdom(r = (0, w)) in (x) <- 9; };", -1, 0, 2, "eps_rdom eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (0, w)) in (x) <- 9; };", 0, 0, 2, "0 1", NULL},
    {"fun f(x) = { x; rdom(r = (0, 0), s = (0, w)) in (x) <- 9; };", -1, 0, 2, "eps_rdom eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (1 / w, 0)) in (x) <- 9; };", 0, 0, 2, "eps_rdom eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (0, 1 / w)) in (x) <- 9; };", 0, 0, 2, "eps_rdom eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (0, w)) in (r) <- 9; };", -1, 0, 2, "eps_rdom eps_rdom; entry",
     NULL}, // whatever it hits
    {"fun f(x) = { x; rdom(r = (0, w)) in (x) <- 9 if x > 9; };", -1, 0, 2, "eps_rdom eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (9223372036854775807, 1)) in (x) <- r; };", 0, 0, 1, "eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (0, w)) in (x) <- 9; };", -1, 0, 0, "",
     NULL}, // an empty window returns at once (ALG.Realize-Empty)
    {"fun g(x) = { x; rdom(r = (0, w)) in (x) <- 9; }; fun f(x) = x;", -1, 0, 2, "0 1", NULL}, // nobody reads g
    {"fun g(x) = { x; rdom(r = (0, w)) in (x) <- 9; }; fun f(x) = select(x > 0, g(x), x);", -1, 0, 2,
     "0 eps_rdom; entry", "eps_rdom eps_rdom; entry"}, // the arm that is not selected does not meet g
    {"fun g(x) = { x; rdom(r = (0, w)) in (x) <- 9; }; fun f(x) = { x; (x) <- 1 if g(x) > 0; };", -1, 0, 1,
     "eps_rdom; entry", NULL},
    {"fun g(x) = { x; rdom(r = (0, w)) in (x) <- 9; }; fun f(x) = { x; rdom(r = (0, 0)) in (x) <- g(x); };", -1, 0, 2,
     "0 1; entry", NULL}, // an rdom without points does not, either
    {"fun f(x) = { x; rdom(r = (0, w)) in (x) <- 9; (0) <- 7; };", -1, 0, 2, "7 eps_rdom; entry",
     "eps_rdom eps_rdom; entry"}, // an update after it hits
    {"fun f(x) = { x; (0) <- 7; rdom(r = (0, w)) in (x) <- f(x); };", -1, 0, 2, "eps_rdom eps_rdom; entry", NULL},
    {"fun f(x) = { x; rdom(r = (0, select(w == 0, 1, 2 / w))) in (x) <- f(x) + 5; };", 0, 0, 2, "5 6",
     "eps_rdom eps_rdom; entry"}, // bounds are evaluated in the mode
    // the rules of arithmetic that the rows above do not reach
    {"fun f(x) = (x & 6) + (x << 1) + (x >> 1) + ~x;", 0, 5, 2, "10 14", NULL},
    {"fun f(x) = min(x, 3) + max(x, 1) - clamp(x, 0, 2) + abs(-x);", 0, 0, 3, "1 2 4", NULL},
    {"fun f(x) = select(!(x < 1), sqrt(f32(x)) + floor(0.5), -1.0);", 0, 0, 2, "-1.0 1.0", NULL},
};

static char *wrap(const char *funcs) {
  hy_text text = {0};
  hy_text_printf(&text, "pipeline P(w: int in -1000000..1000000, in: u8[1], grid: u8[2]) { %s }", funcs);
  return text.data;
}

static void check(const row *r, runner *engine, const char *engine_name, hy_mode mode) {
  char *text = wrap(r->text);
  program p = parse(text);
  stage_set set;
  set_up(&set, &p, r->param, r->min, r->len);
  char *values = run(engine, &p, &set, mode, 1000000);
  const char *expected = mode == HY_STRICT && r->strict ? r->strict : r->lazy;
  ck_assert_msg(strcmp(values, expected) == 0, "%s, %s, w = %d:\n  %s\n  gives    %s\n  expected %s", engine_name,
                mode == HY_STRICT ? "strict" : "lazy", (int)r->param, r->text, values, expected);
  free(values);
  tear_down(&set, &p);
  forget(&p);
  free(text);
}

START_TEST(programs_mean_what_the_table_says) {
  for (hy_mode mode = HY_LAZY; mode <= HY_STRICT; mode++) {
    check(&rows[_i], hy_alg_run_literal, "literal", mode);
    check(&rows[_i], hy_alg_run, "fast", mode);
  }
}
END_TEST

/* -- random programs: literal == fast; strict is lazy or an error -- */

typedef struct {
  uint64_t state;
  hy_text text;
  int ranks[8], funcs;
  // of the stage at hand:
  int rank, rdoms;
  uint32_t pure; // dimensions whose variable may be used
  bool may_read_itself;
} writer;

static uint64_t choose(writer *w, uint64_t below) { return (w->state = hy_hash(w->state, 5)) % below; }
static void put(writer *w, const char *string) { hy_text_add(&w->text, string); }

static void put_expression(writer *w, int depth);

static void put_access(writer *w, int func, int depth) {
  hy_text_printf(&w->text, "f%d(", func);
  for (int d = 0; d < w->ranks[func]; d++) {
    if (d) put(w, ", ");
    if (func == w->funcs && w->pure >> d & 1)
      hy_text_printf(&w->text, "x%d", d);
    else
      put_expression(w, depth - 1);
  }
  put(w, ")");
}

static void put_leaf(writer *w) {
  uint64_t kind = choose(w, 4);
  int d = (int)choose(w, 2);
  if (kind == 0 && d < w->rank && w->pure >> d & 1)
    hy_text_printf(&w->text, "x%d", d);
  else if (kind == 1 && w->rdoms)
    hy_text_printf(&w->text, "r%d", (int)choose(w, (uint64_t)w->rdoms));
  else if (kind == 2)
    put(w, "w");
  else
    hy_text_printf(&w->text, "%d", (int)choose(w, 4));
}

static void put_binary(writer *w, const char *operator, int depth) {
  put(w, "(");
  put_expression(w, depth - 1);
  put(w, operator);
  put_expression(w, depth - 1);
  put(w, ")");
}

static void put_condition(writer *w, int depth) {
  static const char *const comparisons[] = {" < ", " == ", " != ", " >= "};
  put_binary(w, comparisons[choose(w, 4)], depth);
}

static void put_expression(writer *w, int depth) {
  static const char *const operators[] = {" + ", " - ", " * ", " / ", " % ", " + ", " - "};
  if (depth <= 0) {
    put_leaf(w);
    return;
  }
  switch (choose(w, 6)) {
  case 0: put_leaf(w); return;
  case 1:
    put(w, "select(");
    put_condition(w, depth);
    put(w, ", ");
    put_expression(w, depth - 1);
    put(w, ", ");
    put_expression(w, depth - 1);
    put(w, ")");
    return;
  case 2:
    if (w->funcs) {
      put_access(w, (int)choose(w, (uint64_t)w->funcs), depth);
      return;
    }
    put_leaf(w);
    return;
  case 3:
    if (w->may_read_itself) {
      put_access(w, w->funcs, depth);
      return;
    }
    put_leaf(w);
    return;
  default: put_binary(w, operators[choose(w, HY_COUNT(operators))], depth); return;
  }
}

static void put_update(writer *w) {
  w->may_read_itself = true;
  w->rdoms = (int)choose(w, 3);
  w->pure = (uint32_t)choose(w, 1u << w->rank);
  for (int k = 0; k < w->rdoms; k++)
    hy_text_printf(&w->text, "%sr%d = (%d, %d)", k ? ", " : "rdom(", k, (int)choose(w, 3) - 1, (int)choose(w, 4));
  put(w, w->rdoms ? ") in (" : "(");
  for (int d = 0; d < w->rank; d++) {
    if (d) put(w, ", ");
    if (w->pure >> d & 1)
      hy_text_printf(&w->text, "x%d", d);
    else
      put_expression(w, 1 + (int)choose(w, 2));
  }
  put(w, ") <- ");
  put_expression(w, 2);
  if (choose(w, 3) == 0) {
    put(w, " if ");
    put_condition(w, 2);
  }
  put(w, "; ");
}

static void put_func(writer *w) {
  w->rank = (int)choose(w, 3);
  w->ranks[w->funcs] = w->rank;
  hy_text_printf(&w->text, "fun f%d(", w->funcs);
  for (int d = 0; d < w->rank; d++) hy_text_printf(&w->text, "%sx%d", d ? ", " : "", d);
  put(w, ") = { ");
  w->rdoms = 0;
  w->pure = (1u << w->rank) - 1;
  w->may_read_itself = false;
  put_expression(w, 2);
  put(w, "; ");
  for (uint64_t updates = choose(w, 3); updates > 0; updates--) put_update(w);
  put(w, "};\n");
  w->funcs++;
}

// Strict mode gives the lazy value or an error (D4).
static bool is_vaguer(const char *strict, const char *lazy) {
  while (*strict && *lazy) {
    size_t a = strcspn(strict, " "), b = strcspn(lazy, " ");
    if (strncmp(strict, "eps_", 4) != 0 && (a != b || memcmp(strict, lazy, a) != 0)) return false;
    strict += a + (strict[a] == ' ');
    lazy += b + (lazy[b] == ' ');
  }
  return *strict == *lazy;
}

// Did the literal evaluator stay within its budget?
static bool check_random(uint64_t seed) {
  writer w = {.state = seed};
  put(&w, "pipeline P(w: int) {\n");
  for (uint64_t funcs = 1 + choose(&w, 3); funcs > 0; funcs--) put_func(&w);
  put(&w, "}");
  program p = parse(w.text.data);
  stage_set set;
  set_up(&set, &p, (int64_t)choose(&w, 3) - 1, (int64_t)choose(&w, 3) - 2, 3);
  bool finished = true;
  char *fast[2];
  for (hy_mode mode = HY_LAZY; mode <= HY_STRICT; mode++) {
    char *literal = run(hy_alg_run_literal, &p, &set, mode, 60000);
    fast[mode] = run(hy_alg_run, &p, &set, mode, 100000);
    bool limited = strcmp(literal, "limit") == 0;
    finished &= !limited;
    bool same = limited || strcmp(literal, fast[mode]) == 0;
    if (!same) fprintf(stderr, "%s\nliteral %s\nfast    %s\n", w.text.data, literal, fast[mode]); // too long for check
    ck_assert_msg(same, "seed %llu, mode %d, w = %d, window from %d", (unsigned long long)seed, mode,
                  (int)set.params[0].i, (int)set.min[0]);
    free(literal);
  }
  bool vaguer = is_vaguer(fast[HY_STRICT], fast[HY_LAZY]);
  if (!vaguer) fprintf(stderr, "%s\nlazy   %s\nstrict %s\n", w.text.data, fast[HY_LAZY], fast[HY_STRICT]);
  ck_assert_msg(vaguer, "seed %llu: strict is neither lazy nor an error", (unsigned long long)seed);
  free(fast[0]);
  free(fast[1]);
  tear_down(&set, &p);
  forget(&p);
  hy_text_free(&w.text);
  return finished;
}

START_TEST(random_programs_agree) {
  int finished = 0, count = 1500;
  for (int seed = 1; seed <= count; seed++) finished += check_random((uint64_t)seed);
  ck_assert_msg(finished > count * 3 / 4, "only %d of %d programs stayed within the budget", finished, count);
}
END_TEST

/* -- limits and growth -- */

// D13: read literally, f(0) costs 2^40 here; the fast evaluator goes once through the rdom.
START_TEST(the_fast_evaluator_is_not_exponential) {
  program p = parse("pipeline P() { fun f(x) = { 1; rdom(r = (0, 40)) in (0) <- f(0) + f(0); }; }");
  stage_set set;
  set_up(&set, &p, 0, 0, 1);
  char *fast = run(hy_alg_run, &p, &set, HY_LAZY, 1000), *literal = run(hy_alg_run_literal, &p, &set, HY_LAZY, 100000);
  ck_assert_str_eq(fast, "1099511627776");
  ck_assert_str_eq(literal, "limit");
  free(fast);
  free(literal);
  tear_down(&set, &p);
  forget(&p);
}
END_TEST

START_TEST(budgets_end_a_run) {
  program p = parse("pipeline P() { fun f(x) = { 0; rdom(r = (0, 4611686018427387904)) in (x) <- f(x) + 1; }; }");
  stage_set set;
  set_up(&set, &p, 0, 0, 3);
  for (int k = 0; k < 2; k++) {
    char *values = run(k ? hy_alg_run : hy_alg_run_literal, &p, &set, HY_LAZY, 20000);
    ck_assert_str_eq(values, "limit");
    free(values);
  }
  set.len[0] = INT64_MAX; // a window that no memory holds
  char *values = run(hy_alg_run, &p, &set, HY_LAZY, 20000);
  ck_assert_str_eq(values, "limit");
  free(values);
  tear_down(&set, &p);
  forget(&p);
}
END_TEST

// A chain of funcs, each with an update that reads the one before.
static void check_chain(int length) {
  hy_text text = {0};
  hy_text_add(&text, "pipeline P() { fun g0(x) = x;\n");
  for (int i = 1; i < length; i++) {
    const char *form =
        i % 3 ? "fun g%d(x) = g%d(x) + 1;\n" : "fun g%d(x) = { 0; rdom(r = (-1, 4)) in (r) <- g%d(r) + 1; };\n";
    hy_text_printf(&text, form, i, i - 1);
  }
  hy_text_add(&text, "}");
  program p = parse(text.data);
  stage_set set;
  set_up(&set, &p, 0, 0, 3);
  char *values = run(hy_alg_run, &p, &set, HY_LAZY, 0), expected[80];
  snprintf(expected, sizeof expected, "%d %d %d", length - 1, length, length + 1);
  ck_assert_str_eq(values, expected);
  free(values);
  tear_down(&set, &p);
  forget(&p);
  hy_text_free(&text);
}

START_TEST(long_chains_of_funcs_run) {
  check_chain(2);
  check_chain(1000);
#ifdef HALYARD_SANITIZE_THREAD
  check_chain(8000); // ThreadSanitizer itself remembers at most 65,536 frames
#else
  check_chain(40000); // far more than the C stack would hold
#endif
}
END_TEST

// Work and memory are linear: each stage-point once, an rdom of n once per slice.
START_TEST(points_are_evaluated_once) {
  static const struct {
    const char *text;
    uint64_t points, bytes; // at most
  } cases[] = {
      {"fun g(x) = x; fun f(x) = g(x - 1) + g(x) + g(x + 1);", 203, 40000},
      {"fun g(x) = { x; rdom(r = (0, 100)) in (r) <- g(r) + g(r - 1); }; fun f(x) = g(x);", 320, 40000},
      {"fun g(x) = { x; rdom(r = (0, 50)) in (x) <- g(x) + r; }; fun f(x) = g(x) + g(x + 1);", 101 * 51 + 100, 40000},
      {"fun g(x) = { x; (x) <- g(x) + 1; (x) <- g(x) * 2; }; fun f(x) = g(x);", 400, 40000},
      {"fun g(x) = 1 / x; fun f(x) = select(x < 1000, x, g(x));", 100, 4000}, // g is not asked for
  };
  for (size_t i = 0; i < HY_COUNT(cases); i++) {
    char *text = wrap(cases[i].text);
    program p = parse(text);
    stage_set set;
    set_up(&set, &p, 0, 0, 100);
    hy_alg_result result;
    hy_alg_run(p.context, p.alg, &set.input, &(hy_alg_options){0}, &result);
    ck_assert_msg(result.points <= cases[i].points && result.bytes <= cases[i].bytes, "%s: %llu points, %zu bytes",
                  cases[i].text, (unsigned long long)result.points, result.bytes);
    hy_buffer_free(result.output);
    tear_down(&set, &p);
    forget(&p);
    free(text);
  }
}
END_TEST

/* -- the derivation -- */

START_TEST(derivations_quote_their_rules) {
  program p =
      parse("pipeline P(w: int) { fun g(x) = x + w; fun f(x) = { g(x); rdom(r = (1, 1)) in (r) <- 9 if r > w; }; }");
  stage_set set;
  set_up(&set, &p, 5, 1, 1);
  hy_text trace = {0};
  hy_alg_options options = {.trace = &trace};
  hy_alg_result result;
  hy_alg_run_literal(p.context, p.alg, &set.input, &options, &result);
  const char *expected = "[ALG.Realize] f(1)\n"
                         "  [ALG.RDom-Eval] f(1)\n"
                         "    [ALG.Const-Eval] 1\n"
                         "    [ALG.Const-Eval] 1\n"
                         "  [ALG.Update-Eval] f(1)\n"
                         "    [ALG.Op-Eval] >\n"
                         "      [ALG.Const-Eval] r = 1\n"
                         "      [ALG.Const-Eval] w = 5\n"
                         "    = false\n"
                         "  [ALG.Update-Miss] f\n"
                         "  [ALG.Func-Eval] f(1)\n"
                         "    [ALG.Func-Arg-Eval] g\n"
                         "      [ALG.Const-Eval] x = 1\n"
                         "      [ALG.Func-Passthrough] g(1)\n"
                         "      [ALG.Func-Eval] g(1)\n"
                         "        [ALG.Op-Eval] +\n"
                         "          [ALG.Const-Eval] x = 1\n"
                         "          [ALG.Const-Eval] w = 5\n"
                         "        = 6\n"
                         "      = 6\n"
                         "    = 6\n"
                         "  = 6\n"
                         "= 6\n";
  if (!strstr(hy_text_string(&trace), expected)) fprintf(stderr, "%s\n", hy_text_string(&trace));
  ck_assert(strstr(hy_text_string(&trace), expected) != NULL);
  ck_assert_uint_gt(hy_context_hits(p.context, HY_RULE_ALG_UPDATE_MISS), 0);
  hy_text_free(&trace);
  hy_buffer_free(result.output);
  tear_down(&set, &p);
  forget(&p);
}
END_TEST

// The table reaches every rule of the algorithm language and of arithmetic (target R1).
START_TEST(the_table_hits_every_rule) {
  uint64_t hits[HY_RULE_COUNT] = {0};
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    for (hy_mode mode = HY_LAZY; mode <= HY_STRICT; mode++) {
      char *text = wrap(rows[i].text);
      program p = parse(text);
      stage_set set;
      set_up(&set, &p, rows[i].param, rows[i].min, rows[i].len);
      free(run(hy_alg_run_literal, &p, &set, mode, 1000000));
      for (int rule = 0; rule < HY_RULE_COUNT; rule++) hits[rule] += hy_context_hits(p.context, (hy_rule)rule);
      tear_down(&set, &p);
      forget(&p);
      free(text);
    }
  for (int rule = HY_RULE_ALG_REALIZE; rule <= HY_RULE_VAL_MATH; rule++)
    ck_assert_msg(hits[rule] > 0, "no row reaches %s", hy_rule_id((hy_rule)rule));
}
END_TEST

Suite *alg_interp_suite(void) {
  Suite *suite = suite_create("alg_interp");
  TCase *cases = tcase_create("algorithms");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, programs_mean_what_the_table_says, 0, HY_COUNT(rows));
  tcase_add_test(cases, random_programs_agree);
  tcase_add_test(cases, the_fast_evaluator_is_not_exponential);
  tcase_add_test(cases, budgets_end_a_run);
  tcase_add_test(cases, long_chains_of_funcs_run);
  tcase_add_test(cases, points_are_evaluated_once);
  tcase_add_test(cases, derivations_quote_their_rules);
  tcase_add_test(cases, the_table_hits_every_rule);
  suite_add_tcase(suite, cases);
  return suite;
}
