/* More of everything than there is room for, and spellings at the edge of what is read: each is refused with its code,
 * or read; texts say themselves what they are.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/print_harness.h"

#define TWENTY(x)                                                                                                      \
  x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x ", " x    \
    ", " x ", " x ", " x
#define ALG(body) "pipeline p(n: int, k: u8, b: bool, in: u8[2]) { " body " }"
#define VALUE(e) ALG("fun f(x) = " e ";")
#define TGT(entry, box, loops)                                                                                         \
  "target t(n: int, in: u8[2]) on f(x) { func f(x): int stages 1; entry { " entry " } allocate f[" box "];"            \
  " label f: compute f on [(x.min, x.len)] { label f.s0: " loops " } }"
#define WHOLE "(x.min, x.len)"
#define LOOP "for f.s0.x in (x.min, x.len) { f(f.s0.x) <- 1; }"
#define GIVEN(lets, inverses)                                                                                          \
  TGT("", WHOLE,                                                                                                       \
      "for f.s0.t in (x.min, x.len) { let f.s0.x = f.s0.t by given turn guard(f.s0.t; " lets "; " inverses             \
      "; (x.min, x.len)) in { f(f.s0.x) <- 1; } }")

static const struct {
  const char *text;
  int code; // of the first error; 0: it is read
} rows[] = {
    // coordinates and dimensions
    {ALG("fun f(" TWENTY("x") ") = 1;"), HY_E_PURE_TWICE},
    {ALG("fun f(a, c, d, e, g, h, i, j, l) = 1;"), HY_E_RANK},
    {ALG("fun f(x) = x; fun g(x) = f(" TWENTY("x") ");"), HY_E_ARITY},
    {ALG("fun f(x) = { 1; (" TWENTY("x") ") <- 2; };"), HY_E_UPDATE_ARITY},
    {"pipeline p(in: u8[20]) { fun f(x) = 1; }", HY_E_RANK},
    {TGT("", TWENTY("(0, 1)"), LOOP), HY_E_TGT_ARITY},
    {TGT("", WHOLE, "for f.s0.x in (0, 1) { f(" TWENTY("f.s0.x") ") <- 1; }"), HY_E_TGT_ARITY},
    {"target t() on f(a, b, c, d, e, g, h, i, j, k) { func f(a, b, c, d, e, g, h, i, j, k): int stages 1; }",
     HY_E_RANK},
    {TGT("", WHOLE, LOOP), 0},
    // lets and loops of one application
    {GIVEN("f.s0.x", "f.s0.t = f.s0.x"), 0},
    {GIVEN("f.s0.x, f.s0.a, f.s0.b, f.s0.c, f.s0.d, f.s0.e", "f.s0.t = f.s0.x"), 0},
    {GIVEN("f.s0.a, f.s0.b, f.s0.c, f.s0.d, f.s0.x", "f.s0.t = f.s0.x"), HY_E_TGT_UNBOUND},
    {GIVEN("f.s0.x", TWENTY("f.s0.t = f.s0.x")), HY_E_TGT_ORIGIN},
    // numbers of stages and specializations
    {TGT("", WHOLE, "for f.s99999999999.x in (0, 1) { nop; }"), HY_E_TGT_LOOP_NAME},
    {TGT("", WHOLE, "for f.s0x.x in (0, 1) { nop; }"), HY_E_TGT_LOOP_NAME},
    {TGT("", WHOLE, "for f.t0.x in (0, 1) { nop; }"), HY_E_TGT_LOOP_NAME},
    // image boxes
    {TGT("assume range: in.min(0) >= 0;", WHOLE, LOOP), 0},
    {TGT("assume range: in.min(7) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {TGT("assume range: in.min(-1) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {TGT("assume range: in.mid(0) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {TGT("assume range: in.min(n) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {TGT("assume range: in.min(0, 1) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {TGT("assume range: f.min(0) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {TGT("assume range: in(0).min(0) >= 0;", WHOLE, LOOP), HY_E_UNKNOWN_NAME},
    {VALUE("in.min(0) + in.len(1)"), 0},
    {VALUE("in.min((0))"), HY_E_UNKNOWN_MEMBER},
    {VALUE("in.min(-1)"), HY_E_UNKNOWN_MEMBER},
    {VALUE("in.min(n)"), HY_E_UNKNOWN_MEMBER},
    {VALUE("in.min(2)"), HY_E_UNKNOWN_MEMBER},
    {VALUE("(in).min(0)"), 0},
    {VALUE("in(0, 0).min(0)"), HY_E_UNKNOWN_MEMBER},
    // numbers
    {VALUE("0x1F + 0X1f"), 0},
    {VALUE("0x"), HY_E_BAD_NUMBER},
    {VALUE("017"), HY_E_BAD_NUMBER},
    {VALUE("00"), HY_E_BAD_NUMBER},
    {VALUE("1e5 + 1E5 + 1.5e-3 + 2.0E+2"), 0},
    {VALUE("1e"), HY_E_BAD_NUMBER},
    {VALUE("1.e5"), 0},
    {VALUE("1..2"), HY_E_SYNTAX},
    {VALUE("1.5.2"), HY_E_SYNTAX},
    {VALUE("12ab"), HY_E_BAD_NUMBER},
    {VALUE("1.5f"), HY_E_BAD_NUMBER},
    {VALUE("99999999999999999999999"), HY_E_BAD_NUMBER},
    {VALUE("k + 256"), HY_E_LITERAL_RANGE},
    {VALUE("k + -1"), HY_E_LITERAL_RANGE},
    // comments, texts, characters
    {ALG("/* a * b ** c / d */ fun f(x) = 1; // to the end\n"), 0},
    {ALG("/***/ fun f(x) = 1; /**/"), 0},
    {ALG("fun f(x) = 1; /* never ended *"), HY_E_UNTERMINATED_COMMENT},
    {VALUE("\"text\""), HY_E_BAD_CHARACTER},
    {VALUE("\"never ended"), HY_E_BAD_CHARACTER},
    {VALUE("'c'"), HY_E_BAD_CHARACTER},
    {VALUE("1 # 2"), HY_E_BAD_CHARACTER},
    {VALUE("1 \001 2"), HY_E_BAD_CHARACTER},
    {VALUE("1 \177 2"), HY_E_BAD_CHARACTER},
    {VALUE("\303\244"), HY_E_BAD_CHARACTER},
    {VALUE("\342\202\254"), HY_E_BAD_CHARACTER},
    {VALUE("\360\237\230\200"), HY_E_BAD_CHARACTER},
    {VALUE("\340\200\200"), HY_E_NOT_TEXT},
    {VALUE("\355\240\200"), HY_E_NOT_TEXT},
    {VALUE("\360\200\200\200"), HY_E_NOT_TEXT},
    {VALUE("\364\220\200\200"), HY_E_NOT_TEXT},
    {VALUE("\365\200"), HY_E_NOT_TEXT},
    {VALUE("\303"), HY_E_NOT_TEXT},
    // names where something else belongs
    {VALUE("n(3)"), HY_E_NOT_A_FUNC},
    {VALUE("let t = 1 in t(3)"), HY_E_NOT_A_FUNC},
    {VALUE("(n)(3)"), HY_E_NOT_A_FUNC},
    {VALUE("3(4)"), HY_E_NOT_A_FUNC},
    {VALUE("n(1)(2)"), HY_E_NOT_A_FUNC},
    {VALUE("nosuch(1)(2)"), HY_E_UNKNOWN_NAME},
    {VALUE("let t = 1 in t(1)(2)"), HY_E_NOT_A_FUNC},
    {VALUE("in[0, 0]"), HY_E_SYNTAX},
    {VALUE("in"), HY_E_FUNC_AS_VALUE},
    {VALUE("if"), HY_E_SYNTAX},
    {VALUE("let = 3 in 4"), HY_E_SYNTAX},
    {VALUE("let t 3 in 4"), HY_E_SYNTAX},
    {VALUE("let t = in t"), HY_E_SYNTAX},
    {VALUE("let t = 3 in"), HY_E_SYNTAX},
    {VALUE("let n = 3 in n"), HY_E_SHADOWED},
    {VALUE("let t = b in 4"), 0},
    {VALUE("let t = 256 + k in 4"), HY_E_LITERAL_RANGE},
    {VALUE("clamp(n, 1.5, 2)"), HY_E_TYPE_MISMATCH},
    {VALUE("clamp(1, n, 2.5)"), HY_E_TYPE_MISMATCH},
    {VALUE("1.5 + n"), HY_E_TYPE_MISMATCH},
    {VALUE("b + 1"), HY_E_OPERAND_TYPE},
    {VALUE("k + n"), HY_E_TYPE_MISMATCH},
    {VALUE("k % 1.5"), HY_E_TYPE_MISMATCH},
};

START_TEST(limits_are_kept) {
  world w = open_world();
  bool is_target = strncmp(rows[_i].text, "target", 6) == 0;
  bool good = is_target ? parse_tgt(&w, rows[_i].text) != NULL : parse_alg(&w, rows[_i].text) != NULL;
  hy_text said = {0};
  hy_diagnostics_print(w.diagnostics, &said);
  int code = 0;
  for (size_t i = hy_diagnostics_count(w.diagnostics); i-- > 0;)
    if (hy_diagnostics_at(w.diagnostics, i)->severity == HY_SEVERITY_ERROR)
      code = (int)hy_diagnostics_at(w.diagnostics, i)->code;
  ck_assert_msg(good == !rows[_i].code && code == rows[_i].code, "%s\nHY%04d instead of HY%04d\n%s", rows[_i].text,
                code, rows[_i].code, hy_text_string(&said));
  hy_text_free(&said);
  close_world(&w);
}
END_TEST

/* -- how many of them -- */

static const struct {
  const char *before, *item, *between, *after; // "%d" in the item is its number
  int most;
} lists[] = {
    {"pipeline p(", "a%d: int", ", ", ") { fun f(x) = 1; }", 250},
    {"pipeline p() { fun f(x) = { 0; rdom(", "r%d = (0, 2)", ", ", ") in (x) <- f(x) + 1; }; }", 64},
    {"pipeline p() { fun f(x) = { 0; ", "(x) <- f(x) + %d;", " ", " }; }", 1999},
    {"pipeline p() { ", "fun f%d_(x) = 1;", " ", " }", 50000},
    {"target t(", "a%d: int", ", ",
     ") on f(x) { func f(x): int stages 1; allocate f[(0, 1)]; label f: compute f on "
     "[(0, 1)] { label f.s0: for f.s0.x in (0, 1) { f(f.s0.x) <- 1; } } }",
     250},
};

static bool reads_list(size_t row, int count, int *code) {
  world w = open_world();
  hy_text text = {0};
  hy_text_add(&text, lists[row].before);
  for (int i = 0; i < count; i++) {
    if (i) hy_text_add(&text, lists[row].between);
    hy_text_printf(&text, lists[row].item, i);
  }
  hy_text_add(&text, lists[row].after);
  bool is_target = strncmp(lists[row].before, "target", 6) == 0;
  const char *string = hy_text_string(&text);
  bool good = is_target ? parse_tgt(&w, string) != NULL : parse_alg(&w, string) != NULL;
  *code = hy_diagnostics_count(w.diagnostics) ? (int)hy_diagnostics_at(w.diagnostics, 0)->code : 0;
  hy_text_free(&text);
  close_world(&w);
  return good;
}

START_TEST(lists_have_an_end) {
  int code;
  ck_assert_msg(reads_list((size_t)_i, lists[_i].most, &code), "%d of '%s': HY%04d", lists[_i].most, lists[_i].item,
                code);
  ck_assert(!reads_list((size_t)_i, lists[_i].most + 1, &code));
  ck_assert_int_eq(code, HY_E_TOO_MANY);
}
END_TEST

// Memory of a target program that says the same many times: an expression as written is given back once it has its
// meaning, which is made once.
static size_t bytes_of(int times) {
  world w = open_world();
  hy_text text = {0};
  hy_text_add(&text, "target t(n: int) on f(x) { func f(x): int stages 1; entry { ");
  for (int i = 0; i < times; i++)
    hy_text_add(&text,
                "assume range: n <= x.min + 2*x.min + 3*x.min + 4*x.min + 5*x.min + 6*x.min + 7*x.min + 8*x.min; ");
  hy_text_add(&text, "} allocate f[(x.min, x.len)]; label f: compute f on [(x.min, x.len)] { label f.s0: " LOOP " } }");
  const char *string = hy_text_string(&text);
  ck_assert_ptr_nonnull(parse_tgt(&w, string));
  size_t bytes = hy_arena_bytes(hy_context_arena(w.context));
  hy_text_free(&text);
  close_world(&w);
  return bytes;
}

START_TEST(what_is_written_is_given_back) {
  enum { TIMES = 500, MOST_EACH = 600 }; // with 23 nodes as written it would be thousands
  size_t once = bytes_of(1), often = bytes_of(1 + TIMES);
  ck_assert_msg(often - once <= TIMES * MOST_EACH, "%zu bytes each", (often - once) / TIMES);
}
END_TEST

Suite *semantics_limits_suite(void) {
  Suite *suite = suite_create("semantics_limits");
  TCase *t = tcase_create("limits");
  tcase_add_loop_test(t, limits_are_kept, 0, HY_COUNT(rows));
  tcase_add_loop_test(t, lists_have_an_end, 0, HY_COUNT(lists));
  tcase_add_test(t, what_is_written_is_given_back);
  suite_add_tcase(suite, t);
  return suite;
}
