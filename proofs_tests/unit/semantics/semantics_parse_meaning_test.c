/* What an algorithm's text means: literals, sharing, the parts of hy_alg; and limits that hold for every text. */

#include "proofs_tests/suites.h"
#include "semantics/semantics.h"
#include "semantics/text/syntax_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source source;
  const hy_alg *alg;
} parsed;

static parsed parse_bytes(const char *text, size_t length) {
  parsed p = {hy_context_new(), hy_diagnostics_new(), {"test.alg", text, length}, NULL};
  return p;
}

static void run(parsed *p) { p->alg = hy_parse_alg(p->context, &p->source, p->diagnostics); }

static parsed parse(const char *text) { return parse_bytes(text, strlen(text)); }

static void free_parsed(parsed *p) {
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
}

static const hy_expr *rhs_of(const parsed *p, const char *func) {
  return hy_alg_definition(p->alg, hy_alg_find(p->alg, func))->stages[0].rhs;
}

/* -- literals: the constant that a literal is in its context -- */

static const struct {
  const char *expr;
  hy_type type;
  uint64_t bits;
} literals[] = {
    {"0", HY_INT, 0},
    {"-0", HY_INT, 0},
    {"9223372036854775807", HY_INT, INT64_MAX},
    {"-9223372036854775808", HY_INT, (uint64_t)INT64_MIN},
    {"0xfF", HY_INT, 255},
    {"i8(-128)", HY_I8, (uint64_t)-128},
    {"i64(-9223372036854775808)", HY_I64, (uint64_t)INT64_MIN},
    {"u64(18446744073709551615)", HY_U64, UINT64_MAX},
    {"u8(255)", HY_U8, 255},
    {"true", HY_BOOL, 1},
    {"false", HY_BOOL, 0},
    {"1.0", HY_F32, 0x3f800000},
    {"-1.", HY_F32, 0xbf800000},
    {"-0.0", HY_F32, 0x80000000},
    {"f32(-0)", HY_F32, 0},
    {"0.1", HY_F32, 0x3dcccccd},
    {"f64(0.1)", HY_F64, 0x3fb999999999999a},
    {"f64(1)", HY_F64, 0x3ff0000000000000},
    {"f32(16777217)", HY_F32, 0x4b800000},
    // Between two f32 and just above their middle: rounding to f64 first would give the lower one.
    {"1.00000005960464477540", HY_F32, 0x3f800001},
    {"1e-45", HY_F32, 1},
    {"3.4028234e38", HY_F32, 0x7f7fffff},
};

START_TEST(literal_values) {
  char text[200];
  snprintf(text, sizeof text, "pipeline p() { fun f() = %s; }", literals[_i].expr);
  parsed p = parse(text);
  run(&p);
  ck_assert_msg(p.alg != NULL, "%s is refused", literals[_i].expr);
  const hy_expr *rhs = rhs_of(&p, "f");
  ck_assert_int_eq(rhs->kind, HY_EXPR_CONST);
  ck_assert_int_eq(rhs->type, literals[_i].type);
  ck_assert_msg(hy_value_bits(rhs->value) == literals[_i].bits, "%s is %#llx, not %#llx", literals[_i].expr,
                (unsigned long long)hy_value_bits(rhs->value), (unsigned long long)literals[_i].bits);
  free_parsed(&p);
}
END_TEST

/* -- two spellings of one expression: equal pointers, or not -- */

static const struct {
  const char *a, *b;
  bool same;
} spellings[] = {
    {"clamp(w, 1, 9)", "max(min(w, 9), 1)", true},
    {"clamp(w, 1, 9)", "min(max(w, 1), 9)", false},
    {"let k = w + 1 in k * k", "(w + 1) * (w + 1)", true},
    {"let k = w in let m = k + k in m + let n = m in n", "w + w + (w + w)", true},
    {"1 + let k = w in k - 2", "1 + (w - 2)", true},
    {"w - 1 - 2", "(w - 1) - 2", true},
    {"w - 1 - 2", "w - (1 - 2)", false},
    {"w * 2 + 1", "(w * 2) + 1", true},
    {"w + 2 * 3", "(w + 2) * 3", false},
    {"-w * 2", "(-w) * 2", true},
    {"-2 * w", "(-2) * w", true},
    {"-(2) * w", "(-2) * w", false},
    {"w & 3 + 1", "w & (3 + 1)", true},
    {"w << 1 + 1", "w << (1 + 1)", true},
    {"w ^ 1 | 2 & 3", "(w ^ 1) | (2 & 3)", true},
    {"int(w == 1 && w < 2 || !c)", "int(((w == 1) && (w < 2)) || (!c))", true},
    {"int(w & 1 == 1)", "int((w & 1) == 1)", false}, // C's precedence: refused, or another tree
    {"int(u8(3))", "int(u8((3)))", false},           // a constant; a conversion
    {"int(i8(-w))", "int(i8(0 - w))", false},
    {"w/* */+// \n1", "w + 1", true},
    {"in.min(0) + w", "in.min(0)+w", true},
    {"in.min(0)", "in.len(0)", false},
    {"in.min(0)", "in.min(1)", false},
};

START_TEST(spellings_of_one_expression) {
  char text[400];
  snprintf(text, sizeof text, "pipeline p(w: int, c: bool, in: u8[2]) { fun f() = %s; fun g() = %s; }", spellings[_i].a,
           spellings[_i].b);
  parsed p = parse(text);
  run(&p);
  if (!p.alg) ck_assert_msg(!spellings[_i].same, "%s is refused", text);
  if (p.alg)
    ck_assert_msg((rhs_of(&p, "f") == rhs_of(&p, "g")) == spellings[_i].same, "%s and %s are %s one expression",
                  spellings[_i].a, spellings[_i].b, spellings[_i].same ? "not" : "");
  free_parsed(&p);
}
END_TEST

/* -- the parts of an algorithm -- */

static const char whole[] = "pipeline whole(w: int, in: u16[2], t: f32, ref: u8[0]) {\n"
                            "  fun unread(x) = x;\n"
                            "  fun g(x, y) = int(in(x, y)) + w;\n"
                            "  fun f(y, x) = {\n"
                            "    g(x, y);\n"
                            "    rdom(r = (0, w), q = (in.min(1), 3)) in (y, r) <- f(y, r - 1) + g(r, q) if r != q;\n"
                            "    (0, int(ref())) <- 1;\n"
                            "  };\n"
                            "}\n";

START_TEST(signature_and_window) {
  parsed p = parse(whole);
  run(&p);
  ck_assert_ptr_nonnull(p.alg);
  const hy_alg *alg = p.alg;
  ck_assert_str_eq(alg->name, "whole");
  ck_assert_int_eq(alg->param_count, 2);
  ck_assert_int_eq(alg->image_count, 2);
  ck_assert(alg->signature[0] == 1 && alg->signature[1] == -1 && alg->signature[2] == 2 && alg->signature[3] == -2);
  ck_assert_int_eq(alg->params[1]->type, HY_F32);
  ck_assert_int_eq(alg->params[0]->kind, HY_VAR_PARAM);
  for (int i = 0; i < 2; i++) ck_assert_uint_eq(alg->images[i]->index, (unsigned)i);
  for (int i = 0; i < 3; i++) ck_assert_uint_eq(alg->definitions[i].func->index, (unsigned)i + 2);
  ck_assert(alg->images[0]->is_image && alg->images[0]->rank == 2 && alg->images[1]->rank == 0);
  ck_assert_int_eq(alg->images[0]->min[1]->kind, HY_VAR_IMAGE_MIN);
  ck_assert_int_eq(alg->images[0]->len[1]->kind, HY_VAR_IMAGE_LEN);
  ck_assert_int_eq(alg->images[0]->len[1]->dim, 1);
  ck_assert_ptr_eq(alg->images[0]->len[1]->func, alg->images[0]);
  ck_assert_str_eq(alg->output->name, "f");
  ck_assert_str_eq(alg->window_min[0]->name, "y");
  ck_assert_int_eq(alg->window_min[0]->kind, HY_VAR_WINDOW_MIN);
  ck_assert_int_eq(alg->window_len[1]->kind, HY_VAR_WINDOW_LEN);
  ck_assert_ptr_eq(alg->window_len[1]->func, alg->output);
  free_parsed(&p);
}
END_TEST

START_TEST(stages) {
  parsed p = parse(whole);
  run(&p);
  ck_assert_ptr_nonnull(p.alg);
  const hy_definition *f = hy_alg_definition(p.alg, p.alg->output);
  ck_assert_int_eq(f->stage_count, 3);
  ck_assert_uint_eq(f->stages[0].pure, 3);
  ck_assert_uint_eq(f->stages[1].pure, 1); // y occurs, x does not
  ck_assert_uint_eq(f->stages[2].pure, 0);
  ck_assert_ptr_null(f->stages[0].predicate);
  ck_assert_ptr_nonnull(f->stages[1].predicate);
  ck_assert_int_eq(f->stages[1].rdom_count, 2);
  ck_assert_str_eq(f->stages[1].rdoms[0].var->name, "r"); // the innermost loop
  ck_assert_int_eq(f->stages[1].rdoms[0].var->kind, HY_VAR_RDOM);
  ck_assert_int_eq(f->stages[1].rdoms[0].var->stage, 1);
  ck_assert_ptr_eq(f->stages[0].lhs[0], hy_expr_var(p.context, f->vars[0]));
  ck_assert_int_eq(f->stages[0].access_count, 1);
  ck_assert_int_eq(f->stages[1].access_count, 2);
  ck_assert_int_eq(f->stages[2].access_count, 1); // ref() on the left side
  hy_loc loc = f->stages[1].accesses[0].loc;
  ck_assert(loc.line == 6 && loc.column == 55 && loc.length == 11);
  ck_assert_uint_eq(hy_stage_access_loc(&f->stages[1], f->stages[1].accesses[1].access).column, 69);
  ck_assert_uint_eq(hy_stage_access_loc(&f->stages[1], f->stages[0].accesses[0].access).line, f->stages[1].loc.line);
  free_parsed(&p);
}
END_TEST

START_TEST(reaching) {
  parsed p = parse(whole);
  run(&p);
  ck_assert_ptr_nonnull(p.alg);
  ck_assert(hy_alg_reaches(p.alg, p.alg->output));
  ck_assert(hy_alg_reaches(p.alg, hy_alg_find(p.alg, "g")));
  ck_assert(hy_alg_reaches(p.alg, hy_alg_find(p.alg, "in")));
  ck_assert(hy_alg_reaches(p.alg, hy_alg_find(p.alg, "ref")));
  ck_assert(!hy_alg_reaches(p.alg, hy_alg_find(p.alg, "unread")));
  ck_assert_ptr_null(hy_alg_find(p.alg, "nothing"));
  ck_assert_ptr_null(hy_alg_definition(p.alg, hy_alg_find(p.alg, "in")));
  free_parsed(&p);
  p = parse("pipeline p() { fun a() = 1; fun b() = a(); fun c() = 1; fun d() = { c(); () <- 2; }; }");
  run(&p);
  ck_assert(!hy_alg_reaches(p.alg, hy_alg_find(p.alg, "a"))); // b reads it, but nothing reads b
  ck_assert(hy_alg_reaches(p.alg, hy_alg_find(p.alg, "c")));
  free_parsed(&p);
}
END_TEST

/* -- every rule of validity counts when it holds and when it is broken -- */

static const struct {
  const char *text;
  hy_rule rule;
} counted[] = {
    {whole, HY_RULE_ALG_VALID_SEPARATION},
    {whole, HY_RULE_ALG_VALID_SELF_REFERENCE},
    {whole, HY_RULE_ALG_VALID_RDOM_STARTUP},
    {whole, HY_RULE_ALG_VALID_RDOM_NAMES},
    {whole, HY_RULE_ALG_VALID_PURE_NAMES},
    {whole, HY_RULE_ALG_VALID_FUNC_NAMES},
    {whole, HY_RULE_ALG_VALID_ARITY},
    {whole, HY_RULE_ALG_VALID_TYPES},
    {whole, HY_RULE_ALG_VALID_DEFINED},
    {whole, HY_RULE_ALG_VALID_SHADOW},
    {whole, HY_RULE_ALG_DIMENSION_PURE},
    {whole, HY_RULE_ALG_DIMENSION_REDUCTION},
    {"pipeline p() { fun f(x) = { 0; (x) <- f(1); }; }", HY_RULE_ALG_VALID_SEPARATION_NOT},
    {"pipeline p() { fun f(x) = f(x); }", HY_RULE_ALG_VALID_SELF_REFERENCE_NOT},
    {"pipeline p() { fun f(x) = { 0; rdom(r = (0, x)) in (x) <- r; }; }", HY_RULE_ALG_VALID_RDOM_STARTUP_NOT},
    {"pipeline p() { fun f(x) = { 0; rdom(x = (0, 1)) in (x) <- x; }; }", HY_RULE_ALG_VALID_RDOM_NAMES_NOT}, // D10
    {"pipeline p() { fun f(x, x) = 1; }", HY_RULE_ALG_VALID_PURE_NAMES_NOT},
    {"pipeline p() { fun f() = 1; fun f() = 1; }", HY_RULE_ALG_VALID_FUNC_NAMES_NOT},
    {"pipeline p() { fun f() = { 1; (0) <- 1; }; }", HY_RULE_ALG_VALID_ARITY_NOT},
    {"pipeline p() { fun f() = 1 + true; }", HY_RULE_ALG_VALID_TYPES_NOT},
    {"pipeline p() { fun f() = x; }", HY_RULE_ALG_VALID_DEFINED_NOT},
    {"pipeline p(w: int) { fun f(w) = 1; }", HY_RULE_ALG_VALID_SHADOW_NOT},
};

START_TEST(rules_are_counted) {
  parsed p = parse(counted[_i].text);
  ck_assert_uint_eq(hy_context_hits(p.context, counted[_i].rule), 0);
  run(&p);
  ck_assert_msg(hy_context_hits(p.context, counted[_i].rule) > 0, "%s does not count", hy_rule_id(counted[_i].rule));
  free_parsed(&p);
}
END_TEST

/* -- limits -- */

static void repeat(hy_text *text, const char *piece, int times) {
  for (int i = 0; i < times; i++) hy_text_add(text, piece);
}

static const struct {
  const char *before, *piece, *middle, *closing, *after;
  int times;
  hy_code code; // 0: accepted
} limits[] = {
    {"fun f(x) = ", "(", "x", ")", ";", 100, 0},
    {"fun f(x) = ", "(", "x", ")", ";", HY_MAX_NESTING_WRITTEN - 1, 0},
    {"fun f(x) = ", "(", "x", ")", ";", 1000, HY_E_TOO_DEEP},
    {"fun f(x) = ", "(", "x", ")", ";", 1000000, HY_E_TOO_DEEP},
    {"fun f(x) = ", "-", "x", "", ";", 300, 0},
    {"fun f(x) = ", "-", "x", "", ";", 1000000, HY_E_TOO_DEEP},
    {"fun f(x) = ", "min(1, ", "x", ")", ";", 300, 0},
    {"fun f(x) = ", "min(1, ", "x", ")", ";", 500, HY_E_TOO_DEEP},
    {"fun f(x) = ", "let b = ", "x", " in b", ";", 1000, HY_E_TOO_DEEP},
    {"fun f(x) = ", "x || x && x | x ^ x & x == x << x + x * (", "x", ")", ";", 799, HY_E_TOO_DEEP},
    {"fun f(x) = ", "x + ", "x", "", ";", 1500, 0},
    {"fun f(x) = ", "x + ", "x", "", ";", 100000, HY_E_TOO_DEEP},
    {"fun f(x) = x", "(0)", "", "", ";", 100000, HY_E_TOO_DEEP},
    {"fun f(x) = x", ".a", "", "", ";", 100000, HY_E_TOO_DEEP},
    {"fun f(x) = ", "", "x", "", "; fun g(x) = f(x, ", 0, HY_E_SYNTAX},
    {"fun f(x) = { 0;", "(x) <- x; ", "", "", "};", 1000, 0},
    {"fun f(x) = { 0;", "(y) <- x; ", "", "", "};", 1000, HY_E_UNKNOWN_NAME},
    {"fun f(x) = ", "y + ", "1", "", ";", 1000, HY_E_UNKNOWN_NAME},
    {"fun f(x) = u8(x) + absd(", "300, ", "0", "", ");", 1000, HY_E_ARITY},
    {"fun f(x) = min(", "x, ", "0", "", ");", 1000, HY_E_TOO_DEEP},
    {"", "fun f(x) = 1; ", "", "", "", 100, HY_E_FUNC_TWICE},
    {"fun f(x) = ", "$", "", "", ";", 1000, HY_E_BAD_CHARACTER},
    {"fun f(x) = ", "{", "", "}", ";", 100000, HY_E_SYNTAX},
};

START_TEST(limits_hold) {
  hy_text text = {0};
  hy_text_printf(&text, "pipeline p() { %s", limits[_i].before);
  repeat(&text, limits[_i].piece, limits[_i].times);
  hy_text_add(&text, limits[_i].middle);
  repeat(&text, limits[_i].closing, limits[_i].times);
  hy_text_printf(&text, "%s }", limits[_i].after);
  parsed p = parse_bytes(hy_text_string(&text), text.length);
  run(&p);
  size_t errors = hy_diagnostics_errors(p.diagnostics);
  ck_assert_msg((p.alg != NULL) == (limits[_i].code == 0), "row %d: %zu errors", _i, errors);
  ck_assert_int_eq(p.alg == NULL, errors > 0);
  ck_assert_uint_le(errors, 2 * HY_MAX_SYNTAX_ERRORS);
  if (!p.alg) ck_assert_int_eq(hy_diagnostics_at(p.diagnostics, 0)->code, limits[_i].code);
  free_parsed(&p);
  hy_text_free(&text);
}
END_TEST

// 2^k additions written with k lets
START_TEST(lets_do_not_explode) {
  for (int lets = 10; lets <= 300; lets += 50) {
    hy_text text = {0};
    hy_text_add(&text, "pipeline p(w: int) { fun f() = let b0 = w in ");
    for (int i = 0; i < lets; i++) hy_text_printf(&text, "let b%d = b%d + b%d in ", i + 1, i, i);
    hy_text_printf(&text, "b%d; }", lets);
    parsed p = parse_bytes(hy_text_string(&text), text.length);
    run(&p);
    ck_assert_int_eq(p.alg != NULL, lets <= 10);
    if (!p.alg) {
      ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), 1);
      ck_assert_int_eq(hy_diagnostics_at(p.diagnostics, 0)->code, HY_E_TOO_DEEP);
    }
    free_parsed(&p);
    hy_text_free(&text);
  }
}
END_TEST

START_TEST(nul_bytes_are_errors) {
  static const char *const places[] = {"pipeline p() { fun f() = 1; }@", "pipe@line p() { fun f() = 1; }",
                                       "pipeline p() { /* @ */ fun f() = 1; }", "pipeline p() { fun f() = 1; } // @"};
  char text[100];
  strcpy(text, places[_i]);
  size_t length = strlen(text);
  *strchr(text, '@') = '\0';
  parsed p = parse_bytes(text, length);
  run(&p);
  ck_assert_ptr_null(p.alg);
  ck_assert_int_eq(hy_diagnostics_at(p.diagnostics, 0)->code, HY_E_NOT_TEXT);
  free_parsed(&p);
}
END_TEST

// Every byte of a program replaced by every byte of a short list, and every prefix of it: an answer, or an error.
START_TEST(damaged_texts) {
  static const char bytes[] = {'\0', '\n', '(', ')', '{', '}', ';', ',', '<',    '-',    '.', '0', '9',
                               'x',  'f',  '/', '*', ' ', '=', '[', '?', '\xc3', '\xff', '"', '!'};
  char *text = strdup(whole);
  size_t length = strlen(text);
  for (size_t at = (size_t)_i; at <= length; at += 8) {
    for (size_t b = 0; b <= HY_COUNT(bytes); b++) {
      char kept = text[at];
      bool is_prefix = b == HY_COUNT(bytes) || at == length;
      if (!is_prefix) text[at] = bytes[b];
      parsed p = parse_bytes(text, is_prefix ? at : length);
      run(&p);
      ck_assert_int_eq(p.alg == NULL, hy_diagnostics_errors(p.diagnostics) > 0);
      hy_text out = {0};
      hy_diagnostics_print(p.diagnostics, &out);
      if (p.alg) hy_alg_print(p.alg, &out);
      hy_text_free(&out);
      free_parsed(&p);
      text[at] = kept;
    }
  }
  free(text);
}
END_TEST

/* -- warnings -- */

static const struct {
  const char *expr;
  size_t warnings; // about a division by 0
} divisions[] = {
    {"x / 0", 1},          {"x % 0", 1},           {"1 + x / (2 - 2)", 1}, {"x / 0 + x % 0", 2},
    {"x / int(u8(0))", 1}, {"x / -0", 1},          {"int(u8(x) / 0)", 1},  {"let z = x / 0 in z + z", 1},
    {"x / 1", 0},          {"x / w", 0},           {"x / (w * 0)", 0},     {"x / (1 / 0)", 1},
    {"int(1.0 / 0.0)", 0}, {"int(f32(x) / 0)", 0}, {"0 / x", 0},           {"x * 0", 0},
    {"x % (3 - 2)", 0},
};

START_TEST(a_division_by_zero_is_pointed_out) {
  char text[200];
  snprintf(text, sizeof text, "pipeline p(w: int) { fun f(x) = %s; }", divisions[_i].expr);
  parsed p = parse(text);
  run(&p);
  size_t warnings = 0;
  for (size_t i = 0; i < hy_diagnostics_count(p.diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(p.diagnostics, i);
    warnings += d->code == HY_E_DIVISION_BY_ZERO && d->severity == HY_SEVERITY_WARNING;
  }
  ck_assert_msg(p.alg != NULL, "%s is legal", text);
  ck_assert_uint_eq(hy_diagnostics_count(p.diagnostics), warnings);
  ck_assert_msg(warnings == divisions[_i].warnings, "%s: %zu warnings", text, warnings);
  free_parsed(&p);
}
END_TEST

// What is warned of in "expr", of the image a of f32, u8 b, w: int, and x: how often, and where.
static const struct {
  const char *expr;
  hy_code code;
  int warnings;
  const char *message, *help; // of the first
} constants[] = {
    {"9223372036854775807 + 1", HY_E_CONSTANT_WIDTH, 1,
     "9223372036854775807 + 1 is the error value for every input: int has 64 bits",
     "write a number that int holds, -9223372036854775808 to 9223372036854775807, or convert to what it is meant to be "
     "first: u64(a), which wraps, or f64(a)"},
    {"x + (1 << 62)*4*x", HY_E_CONSTANT_WIDTH, 1, "(1 << 62)*4 is the error value for every input: int has 64 bits",
     NULL},
    {"1 + (3 - (-9223372036854775808 - 1)*2)", HY_E_CONSTANT_WIDTH, 1,
     "(-9223372036854775808 - 1) is the error value for every input: int has 64 bits", NULL},
    {"-(-9223372036854775808) + abs(-9223372036854775808)", HY_E_CONSTANT_WIDTH, 2,
     "-(-9223372036854775808) is the error value for every input: int has 64 bits", NULL},
    {"int(u64(18446744073709551615))", HY_E_CONSTANT_WIDTH, 1,
     "int(u64(18446744073709551615)) is the error value for every input: int has 64 bits", NULL},
    {"-9223372036854775808 / -1", HY_E_CONSTANT_WIDTH, 1,
     "-9223372036854775808 / -1 is the error value for every input: int has 64 bits", NULL},
    {"9223372036854775806 + 1", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"9223372036854775807 + x", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"9223372036854775807 + w", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"int(i64(9223372036854775807) + 1)", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"int(u8(200) + 100)", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"1 / 0", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"(1 / 0) + 9223372036854775807", HY_E_CONSTANT_WIDTH, 0, NULL, NULL},
    {"int(lerp(a(x), 3.0, 1.5))", HY_E_LERP_WEIGHT, 1, "the weight 1.5 of 'lerp' does not lie between 0 and 1",
     "write a weight from 0.0 (a(x)) to 1.0 (3.0), or write out what is meant: a + (b - a)*w"},
    {"int(lerp(a(x), 3.0, 1.5) + lerp(a(x), 3, -0.25))", HY_E_LERP_WEIGHT, 2,
     "the weight 1.5 of 'lerp' does not lie between 0 and 1", NULL},
    {"int(lerp(a(x), 3.0, 0.5*3.0))", HY_E_LERP_WEIGHT, 1, "the weight 0.5*3.0 of 'lerp' does not lie between 0 and 1",
     NULL},
    {"int(lerp(a(x), 3.0, 0.0 / 0.0))", HY_E_LERP_WEIGHT, 1,
     "the weight 0.0 / 0.0 of 'lerp' does not lie between 0 and 1", NULL},
    {"int(lerp(a(x), 3.0, 0.0) + lerp(a(x), 3.0, 1.0) + lerp(a(x), 3.0, 0.5))", HY_E_LERP_WEIGHT, 0, NULL, NULL},
    {"int(lerp(a(x), 3.0, a(x)))", HY_E_LERP_WEIGHT, 0, NULL, NULL},
    {"int(lerp(u8(x), 3, 255))", HY_E_LERP_WEIGHT, 0, NULL, NULL},
};

START_TEST(a_constant_that_is_hardly_meant_is_pointed_out) {
  char text[200];
  snprintf(text, sizeof text, "pipeline p(a: f32[1], w: int) { fun f(x) = %s; }", constants[_i].expr);
  parsed p = parse(text);
  run(&p);
  int warnings = 0;
  for (size_t i = 0; i < hy_diagnostics_count(p.diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(p.diagnostics, i);
    if (d->code != constants[_i].code || d->severity != HY_SEVERITY_WARNING) continue;
    if (warnings++) continue;
    ck_assert_msg(!constants[_i].message || strcmp(d->message, constants[_i].message) == 0, "%s", d->message);
    ck_assert_msg(!constants[_i].help || strcmp(d->help, constants[_i].help) == 0, "%s", d->help);
  }
  ck_assert_msg(p.alg != NULL, "%s is legal", text);
  ck_assert_msg(warnings == constants[_i].warnings, "%s: %d warnings", text, warnings);
  free_parsed(&p);
}
END_TEST

Suite *semantics_parse_meaning_suite(void) {
  Suite *suite = suite_create("semantics_parse_meaning");
  TCase *meaning = tcase_create("meaning");
  tcase_add_loop_test(meaning, literal_values, 0, HY_COUNT(literals));
  tcase_add_loop_test(meaning, spellings_of_one_expression, 0, HY_COUNT(spellings));
  tcase_add_test(meaning, signature_and_window);
  tcase_add_test(meaning, stages);
  tcase_add_test(meaning, reaching);
  tcase_add_loop_test(meaning, rules_are_counted, 0, HY_COUNT(counted));
  tcase_add_loop_test(meaning, a_division_by_zero_is_pointed_out, 0, HY_COUNT(divisions));
  tcase_add_loop_test(meaning, a_constant_that_is_hardly_meant_is_pointed_out, 0, HY_COUNT(constants));
  suite_add_tcase(suite, meaning);
  TCase *bounds = tcase_create("limits");
  tcase_add_loop_test(bounds, limits_hold, 0, HY_COUNT(limits));
  tcase_add_test(bounds, lets_do_not_explode);
  tcase_add_loop_test(bounds, nul_bytes_are_errors, 0, 4);
  tcase_add_loop_test(bounds, damaged_texts, 0, 8);
  suite_add_tcase(suite, bounds);
  return suite;
}
