/* Facts are believed only where they hold on the machine (semantics/rules/6_holes_and_bounds.md, "Every fact once
 * more"): for each place where a fact enters, a program that is wrong and would be proved if the fact were taken for
 * granted, and one that is right. What is proved runs, natively with the largest and least numbers too. And "defined":
 * over Z, in both interpreters and in native code it is one thing.
 */

#include "codegen/codegen.h"
#include "engines/evaluate.h"
#include "oracle/oracle.h"
#include "oracle/prover/evaluate.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"
#include "semantics/base/vec.h"
#include "semantics/text/syntax.h"
#include "semantics/tgt/defined.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <string.h>

/* -- programs -- */

#define RANGES                                                                                                         \
  "entry { assume range: -2147483648 <= x.min && x.min <= 2147483648; assume range: 0 <= x.len && x.len <= "           \
  "2147483648; assume range: -2147483648 <= n && n <= 2147483648; } "
// a(x) = x on "box", then o, whose only stage is "loop" around "body"
#define OVER(box, loop, body)                                                                                          \
  "target p(n: int) on o(x) { func a(x): int stages 1; func o(x): int stages 1; " RANGES "allocate a[" box             \
  "]; label a: compute a on [" box "] { label a.s0: for a.s0.x in " box " { a(a.s0.x) <- a.s0.x; } } "                 \
  "allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in " loop " { " body    \
  " } } }"
#define X OVER("(x.min, x.len)", "(x.min, x.len)",
// the same, and an update over a loop r in (0, 10)
#define UPDATE(body)                                                                                                   \
  "target p(n: int) on o(x) { func a(x): int stages 1; func o(x): int stages 2; " RANGES                               \
  "allocate a[(x.min, x.len)]; label a: compute a on [(x.min, x.len)] { label a.s0: for a.s0.x in (x.min, x.len) { "   \
  "a(a.s0.x) <- a.s0.x; } } allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for "     \
  "o.s0.x in (x.min, x.len) { o(o.s0.x) <- 0; } label o.s1: for rdom o.s1.r in (0, 10) { " body " } } }"
// c is computed by a loop that "n" may make empty, or under a condition; then a, on (0, n)
#define AFTER(first, box)                                                                                              \
  "target p(n: int) on o(x) { func c(x): int stages 1; func a(x): int stages 1; func o(x): int stages 1; " RANGES      \
  "allocate c[(0, max(0, n))]; label c: compute c on [(0, max(0, n))] { " first " } allocate a[" box                   \
  "]; label a: compute a on [" box "] { label a.s0: for a.s0.x in " box " { a(a.s0.x) <- 1; } } allocate o[(x.min, "   \
  "x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 1; } } }"
#define LOOP(spec) "label c.s0: for c." spec "s0.x in (0, max(0, n)) { c(c." spec "s0.x) <- 1; }"
#define WRAPS "4611686018427387904*4" // times anything it is 0 on the machine, and 0 in Z only for 0

static const struct {
  const char *name, *text; // a target program or an algorithm
  bool proved;
} rows[] = {
    // the entry (B.Pipeline, B.Assume)
    {"a window of one point", OVER("(x.min + 1, x.len - 1)", "(x.min, x.len)", "o(o.s0.x) <- a(x.min + 1);"), false},
    {"a checked condition is defined (D94)",
     "pipeline p(n: int) { fun g(x) = x; fun f(x) = { g(x + 8/n); rdom(r = (0, 8/n)) in (r) <- 1; }; }", true},
    {"a choice is, too, and is asked lazily (D94)",
     "pipeline p(n: int) { fun g(x) = { x; rdom(r = (0, select(n == 0, 1, 10/n))) in (x) <- g(x) + 100; }; }", true},
    {"a remainder by 0 is 0 (D5)",
     OVER("(0, 9)", "(x.min, x.len)", "o(o.s0.x) <- a(select(n == 0, o.s0.x % n + 8, 0));"), true},
    {"and not in a contradiction (D5)",
     OVER("(0, 8)", "(x.min, x.len)", "o(o.s0.x) <- a(select(n == 0, o.s0.x % n + 8, 0));"), false},
    {"a remainder by anything", OVER("(0, max(max(n, -n), 1))", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x % n);"), true},
    {"and no less of it", OVER("(0, max(n, 1))", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x % n);"), false},
    {"a quotient by anything",
     OVER("(-abs(x.min) - x.len, 2*abs(x.min) + 2*x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x / n);"), true},
    {"and not of one sign",
     OVER("(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x / n);"), false},
    {"a remainder by a parameter, whatever it is (D67)",
     "pipeline p(n: int) { fun g(x) = x; fun f(x) = g(x + 8%n); }", true},
    {"a remainder in a bound is not always (D94)",
     OVER("(x.min, x.len + 8%n)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x);"), false},
    {"a quotient in a bound that no rdom's check speaks of (D52)",
     OVER("(x.min, x.len + select(n == 0, 8/n, 3))", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x);"), false},
    {"divided only where it can be (D52, D94)",
     "pipeline p(n: int) { fun g(x) = x; fun f(x) = g(x + select(n == 0, 3, 8/n)); }", true},
    // loops (B.For)
    {"the last iteration", OVER("(x.min, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x + 1);"), false},
    {"after a loop", AFTER(LOOP(""), "(0, n)"), false},
    {"after a loop, as it should be", AFTER(LOOP(""), "(0, max(0, n))"), true},
    // lets and guards (B.Let)
    {"a let that overflows", X "let o.s0.z = o.s0.x*" WRAPS " in { if guard (o.s0.z == 0) { o(o.s0.x) <- a(x.min + o.s0.x"
                               "*1000000); } }"), false},
    {"a let that divides by 0", X "let o.s0.z = 1/n in { o(o.s0.x) <- a(o.s0.x); }"), false},
    {"a guard that overflows",
     X "if guard (o.s0.x*4611686018427387904 < (x.min + x.len)*4611686018427387904) { o(o.s0.x) <- a(o.s0.x); }"), false},
    {"a guard that divides by 0", X "if guard (0*(1/n) == 0) { o(o.s0.x) <- a(o.s0.x); }"), false},
    {"a guard that does neither", X "if guard (o.s0.x*4 < (x.min + x.len)*4) { o(o.s0.x) <- a(o.s0.x); }"), true},
    // predicates
    {"a predicate that overflows (D65)",
     UPDATE("if (o.s1.r*" WRAPS " == 0) { o(x.min + o.s1.r*1000000000000) <- 7; }"), false},
    {"it errs or it holds (D65)",
     UPDATE("if ((o.s1.r - 9223372036854775807) - 2 > 0) { o(x.min - 1000000) <- 7; }"), false},
    {"a predicate that cannot err", UPDATE("if (o.s1.r < x.len) { o(x.min + o.s1.r) <- 7; }"), true},
    {"the side that cannot err (D65)",
     UPDATE("if (o.s1.r < x.len && o.s1.r*4611686018427387904 < n) { o(x.min + o.s1.r) <- 7; }"), true},
    {"a predicate is judged where it is evaluated (D75)",
     UPDATE("if (a(x.min + o.s1.r) > 2) { if (o.s1.r < x.len) { o(x.min + o.s1.r) <- 7; } }"), false},
    {"where it is safe (D75)",
     UPDATE("if (o.s1.r < x.len) { if (a(x.min + o.s1.r) > 2) { o(x.min + o.s1.r) <- 7; } }"), true},
    // branches
    {"a condition is no fact after its branch",
     AFTER("if specialize (n > 5) { label c.z1: " LOOP("z1.") " } else { label c.z0: " LOOP("") " }", "(0, n)"), false},
    {"a predicate is no fact after its if",
     "target p(n: int) on o(x) { func c(x): int stages 2; func a(x): int stages 1; func o(x): int stages 1; " RANGES
     "allocate c[(0, 1)]; label c: compute c on [(0, 1)] { label c.s0: for c.s0.x in (0, 1) { c(c.s0.x) <- 1; } label c.s1: "
     "if (n > 5) { c(0) <- 2; } } allocate a[(0, n)]; label a: compute a on [(0, n)] { label a.s0: for a.s0.x in (0, n) { "
     "a(a.s0.x) <- 1; } } allocate o[(x.min, x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in "
     "(x.min, x.len) { o(o.s0.x) <- 1; } } }",
     false},
    {"the other branch is taken where it errs (D27)",
     AFTER("if specialize (n*" WRAPS " >= 0) { label c.z1: " LOOP("z1.") " } else { label c.z0: label c.s0: for c.s0.x in (0, "
           "max(0, n - 1)) { c(c.s0.x) <- 1; } }", "(0, 1)"), false},
    // indices
    {"a load may be negative (D14)", "pipeline p(a: i8[1]) { fun g(x) = x; fun f(x) = { 0; rdom(r = (0, 9)) in (int(a(r))) <- "
                                     "1 if int(a(r)) < 100; }; }", true},
    {"and is in memory that begins at 0 (D14)",
     OVER("(0, 200)", "(x.min, x.len)", "o(o.s0.x) <- a(int(i8(o.s0.x)));"), false},
    {"two bytes (VAL.Bits)",
     OVER("(0, 65536)", "(x.min, x.len)", "o(o.s0.x) <- a(int(u8(o.s0.x)) << 8 | int(u8(n)));"), true},
    {"two bytes and one more (VAL.Bits)",
     OVER("(0, 65535)", "(x.min, x.len)", "o(o.s0.x) <- a(int(u8(o.s0.x)) << 8 | int(u8(n)));"), false},
    {"bits of what is not negative (VAL.Bits)",
     OVER("(0, 6)", "(x.min, x.len)", "o(o.s0.x) <- a(int(i8(o.s0.x)) & clamp(int(i8(n)), 0, 5));"), true},
    {"bits of what may be negative (VAL.Bits)",
     OVER("(-128, 134)", "(x.min, x.len)", "o(o.s0.x) <- a(int(i8(o.s0.x)) & min(int(i8(n)), 5));"), false},
    {"beside it by one bit (VAL.Bits)",
     OVER("(x.min - 1, x.len + 2)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x ^ 1);"), true},
    {"not on one side alone (VAL.Bits)",
     OVER("(x.min, x.len + 1)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x ^ 1);"), false},
    {"one bit more (VAL.Bits)",
     OVER("(x.min, x.len + 4)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x | 4);"), true},
    {"a bit that was there is no less (VAL.Bits)",
     OVER("(x.min + 4, x.len)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x | 4);"), false},
    {"rounded down (VAL.Bits)", OVER("(x.min - 7, x.len + 7)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x & -8);"), true},
    {"rounded down by less (VAL.Bits)",
     OVER("(x.min - 6, x.len + 6)", "(x.min, x.len)", "o(o.s0.x) <- a(o.s0.x & -8);"), false},
    {"counts of bits, of anything (VAL.Count)",
     OVER("(0, 66)", "(x.min, x.len)", "o(o.s0.x) <- a(popcount(o.s0.x*" WRAPS ") + int(count_leading_zeros(n) == 64));"), true},
    {"of 64 bits one is less than the width (VAL.Count)",
     OVER("(0, 64)", "(x.min, x.len)", "o(o.s0.x) <- a(count_trailing_zeros(o.s0.x));"), false},
    {"a loop of as many bits as there are (VAL.Count)",
     OVER("(0, 64)", "(x.min, min(x.len, popcount(n)))", "o(o.s0.x) <- a(max(popcount(n) - 1, 0));"), false},
    {"a shift that wraps is not what it is in Z (D67)",
     X "o(o.s0.x) <- a((o.s0.x << 62) / 4611686018427387904);"), false},
    {"an index that wraps (D67)",
     OVER("(0, 10)", "(x.min, x.len)", "o(o.s0.x) <- a(clamp(o.s0.x*" WRAPS "/" WRAPS " - o.s0.x, 0, 9));"), true},
    {"an index that wraps is not what it is in Z (D67)",
     X "o(o.s0.x) <- a(o.s0.x*9223372036854775807/9223372036854775807);"), false},
    {"it cancels out (D67)", X "o(o.s0.x) <- a(o.s0.x*n*n*n - n*n*n*o.s0.x + o.s0.x);"), true},
    {"a u64 saturates (D66)", "pipeline p(a: u64[1]) { fun g(x) = x; fun f(x) = g(min(int(a(x)), 9)); }", true},
    {"a u64 is not the number itself (D66)",
     "target p(u: u64) on o(x) { func a(x): int stages 1; func o(x): int stages 1; entry { assume range: -2147483648 <= x.min "
     "&& x.min <= 2147483648; assume range: 0 <= x.len && x.len <= 2147483648; } allocate a[(0, 10)]; label a: compute a on "
     "[(0, 10)] { label a.s0: for a.s0.x in (0, 10) { a(a.s0.x) <- a.s0.x; } } allocate o[(x.min, x.len)]; label o: compute "
     "o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- a(select(u > u64(9223372036854775807), "
     "select(int(u) == 9223372036854775807, 10, 0), 0)); } } }", false},
    {"what a u64 is at most counts (D66)",
     "pipeline p(u: u64) { fun g(x) = x; fun f(x) = g(x + int(u)/4611686018427387904); }", true},
    {"a u64 in a bound must fit (D94)",
     "target p(u: u64) on o(x) { func o(x): int stages 2; entry { assume range: -2147483648 <= x.min && x.min <= "
     "2147483648; assume range: 0 <= x.len && x.len <= 2147483648; } allocate o[(x.min, x.len)]; label o: compute o on "
     "[(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- 0; } label o.s1: for rdom o.s1.r in (0, "
     "int(u)/4611686018427387904) { o(x.min) <- 7; } } }",
     false},
    {"an address is asked for outside of Cpu, too (D56)",
     "target p(n: int) on o(x) { func a(x): int stages 1; func o(x): int stages 1; " RANGES
     "allocate a[(x.min, x.len + 7)]; label a: compute a on [(x.min, x.len)] { label a.s0: for a.s0.x in (x.min, x.len) { "
     "a(a.s0.x) <- 0; } } allocate o[(x.min, x.len + 7)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in "
     "(x.min, x.len + 7) { o(o.s0.x) <- a(clamp(a(o.s0.x), x.min, x.min)); } } }", false},
};

static hy_oracle_report judge(hy_context *context, const hy_tgt *tgt) {
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = 1000};
  hy_oracle_decide(context, hy_query_extract(context, tgt), &options, &report);
  return report;
}

// The first obligation that is not proved; NULL: all are.
static const char *failing(const hy_oracle_report *report) {
  for (size_t i = 0; i < report->count; i++) {
    hy_verdict verdict = report->decisions[i].verdict;
    if (verdict != HY_VERDICT_PROVED && verdict != HY_VERDICT_PROVED_Z3) return report->decisions[i].obligation->about;
  }
  return NULL;
}

static const hy_tgt *parse(hy_context *context, hy_diagnostics *diagnostics, const char *text) {
  hy_source source = {"test.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, diagnostics);
  hy_text said = {0};
  hy_diagnostics_print(diagnostics, &said);
  ck_assert_msg(tgt != NULL, "%s: %s", text, hy_text_string(&said));
  hy_text_free(&said);
  return tgt;
}

START_TEST(facts_hold_on_the_machine) {
  const char *text = rows[_i].text, *wrong;
  if (text[0] == 'p') {
    test_program p;
    test_program_open(&p, text, "");
    ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics) &&
                      hy_pipeline_fill(&p.pipeline, p.diagnostics),
                  "%s: %s", rows[_i].name, test_program_said(&p));
    hy_oracle_report report = judge(p.context, p.pipeline.filled);
    wrong = failing(&report);
    ck_assert_msg((wrong == NULL) == rows[_i].proved, "%s: %s", rows[_i].name, wrong ? wrong : "it is proved");
    test_program_close(&p);
    return;
  }
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_oracle_report report = judge(context, parse(context, diagnostics, text));
  wrong = failing(&report);
  ck_assert_msg((wrong == NULL) == rows[_i].proved, "%s: %s", rows[_i].name, wrong ? wrong : "it is proved");
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

// B.Seq: an allocation that has ended holds nothing, though no file can say so (WF.Dominate): the statement is built
// here.
START_TEST(an_allocation_ends) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_tgt tgt = *parse(context, diagnostics, X "o(o.s0.x) <- a(o.s0.x);"));
  const hy_stmt *const *items = tgt.body->seq.items; // allocate a, a, allocate o, o
  ck_assert(tgt.body->kind == HY_STMT_SEQ && tgt.body->seq.count == 4);
  hy_oracle_report report = judge(context, &tgt);
  ck_assert_ptr_null(failing(&report));
  const hy_stmt *inner = hy_stmt_seq(context, (const hy_stmt *[]){items[0], items[1]}, 2);
  inner = hy_stmt_label(context, HY_LABEL_FUNC, items[0]->allocate.func, 0, inner);
  tgt.body = hy_stmt_seq(context, (const hy_stmt *[]){inner, items[2], items[3]}, 3);
  report = judge(context, &tgt);
  ck_assert_ptr_nonnull(failing(&report));
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

/* -- bits: what is said of them is so (VAL.Bits, VAL.Shift) -- */

static const char *const bit_ops[] = {"&", "|", "^", "<<", ">>"}, *const bit_args[] = {
                                                                      "int(p)",         "int(q)",
                                                                      "(int(q) - 300)", "(int(p) - 128)",
                                                                      "(int(q) & 7)",   "-8"};

typedef struct {
  int64_t p, q;
} two_bytes;

static bool byte_of(void *self, const hy_expr *unknown, hy_wide *value) {
  const two_bytes *at = self;
  if (unknown->kind != HY_EXPR_VAR || unknown->type == HY_INT) return false;
  *value = unknown->type == HY_I8 ? at->p : at->q;
  return true;
}

static void see_bits(void *self, const hy_expr *node) {
  bool *found = self;
  *found |= node->kind == HY_EXPR_OP && (node->op == HY_OP_BIT_AND || node->op == HY_OP_BIT_OR ||
                                         node->op == HY_OP_BIT_XOR || node->op == HY_OP_SHL || node->op == HY_OP_SHR);
}

// Of the facts of all obligations those that speak of bits, at random bytes; returns how many could be asked.
static int hold_at_bytes(const hy_query *query, uint64_t *state) {
  int asked = 0;
  for (size_t i = 0; i < query->count; i++)
    for (size_t k = 0; k < query->obligations[i].fact_count; k++) {
      const hy_expr *fact = query->obligations[i].facts[k];
      bool is_of_bits = false;
      hy_expr_visit(fact, see_bits, &is_of_bits);
      for (int n = 0; n < 40 && is_of_bits; n++) {
        *state = hy_hash(*state, 3);
        two_bytes at = {(int64_t)(*state & 255) - 128, (int64_t)(*state >> 8 & 255)};
        hy_wide holds;
        if (!hy_evaluate(fact, byte_of, &at, &holds)) break;
        hy_text text = {0};
        hy_expr_print(fact, &text);
        ck_assert_msg(holds != 0, "%s at p = %d, q = %d", hy_text_string(&text), (int)at.p, (int)at.q);
        hy_text_free(&text);
        asked++;
      }
    }
  return asked;
}

START_TEST(facts_of_bits_hold) {
  uint64_t state = (uint64_t)_i;
  for (size_t a = 0; a < HY_COUNT(bit_args); a++)
    for (size_t b = 0; b < HY_COUNT(bit_args); b++) {
      hy_context *context = hy_context_new();
      hy_diagnostics *diagnostics = hy_diagnostics_new();
      const char *text = hy_arena_printf(
          hy_context_arena(context),
          "target t(p: i8, q: u8) on o(x) { func a(x): int stages 1; func o(x): int stages 1; entry { } allocate a[(0, "
          "9)]; "
          "label a: compute a on [(0, 9)] { label a.s0: for a.s0.x in (0, 9) { a(a.s0.x) <- 0; } } allocate o[(x.min, "
          "x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) { o(o.s0.x) <- "
          "a(clamp(%s %s %s, 0, 8)); } } }",
          bit_args[a], bit_ops[_i], bit_args[b]);
      int asked = hold_at_bytes(hy_query_extract(context, parse(context, diagnostics, text)), &state);
      bool shifts = _i >= 3; // by an amount that may be negative nothing is known
      ck_assert_msg(shifts || asked > 0, "%s", text);
      hy_diagnostics_free(diagnostics);
      hy_context_free(context);
    }
}
END_TEST

/* -- defined: one thing for everybody (D94) -- */

enum { EXPRESSIONS = 90, INPUTS = 24, TYPES = 6 };
static const hy_type types[TYPES] = {HY_INT, HY_BOOL, HY_U64, HY_I64, HY_I8, HY_F32};
#define PARAMETERS "a: int, b: bool, c: u64, d: i64, e: i8, f: f32, g: int"
enum { PARAMETER_COUNT = 7 };

typedef struct {
  hy_context *context;
  const hy_alg *alg;
  uint64_t state;
  HY_VEC(const hy_expr *) pool;
  hy_value values[PARAMETER_COUNT];
} world;

static uint64_t choose(world *w, uint64_t below) { return (w->state = hy_hash(w->state, 5)) % below; }

static const hy_expr *pick(world *w, hy_type type) {
  for (int tries = 0; tries < 80; tries++) {
    size_t back = 1 + choose(w, tries < 20 && w->pool.count > 8 ? 8 : w->pool.count);
    if (w->pool.data[w->pool.count - back]->type == type) return w->pool.data[w->pool.count - back];
  }
  return hy_expr_cast(w->context, type, hy_expr_int(w->context, (int64_t)choose(w, 3)));
}

static const hy_expr *grow(world *w) {
  static const hy_op sums[] = {HY_OP_ADD, HY_OP_SUB, HY_OP_MUL, HY_OP_MIN, HY_OP_MAX};
  static const hy_op bits[] = {HY_OP_SHL, HY_OP_SHL, HY_OP_SHR, HY_OP_BIT_AND, HY_OP_BIT_OR, HY_OP_BIT_XOR};
  hy_type type = types[choose(w, 3) ? 0 : choose(w, TYPES)];
  const hy_expr *a = pick(w, type), *b = pick(w, type);
  bool is_bool = type == HY_BOOL, is_float = type == HY_F32;
  switch (choose(w, 12)) {
  case 0:
  case 1: return hy_expr_select(w->context, pick(w, HY_BOOL), a, b);
  case 2: return hy_expr_binary(w->context, HY_OP_AND, pick(w, HY_BOOL), pick(w, HY_BOOL));
  case 3: return hy_expr_binary(w->context, HY_OP_OR, pick(w, HY_BOOL), pick(w, HY_BOOL));
  case 4: return hy_expr_cast(w->context, HY_INT, pick(w, types[choose(w, TYPES)]));
  case 5: return hy_expr_cast(w->context, type, pick(w, types[choose(w, TYPES)]));
  case 6: return is_bool ? a : hy_expr_binary(w->context, HY_OP_LT, a, b);
  case 7:
    if (is_bool || is_float) return hy_expr_int(w->context, (int64_t)choose(w, 5) - 2);
    return hy_expr_binary(w->context, choose(w, 2) ? HY_OP_DIV : HY_OP_MOD, a, b);
  case 8:
    if (is_bool || is_float) return hy_expr_int(w->context, INT64_MAX - (int64_t)choose(w, 2));
    return hy_expr_binary(w->context, bits[choose(w, HY_COUNT(bits))], a, b);
  case 9: return is_bool ? hy_expr_unary(w->context, HY_OP_NOT, a) : hy_expr_unary(w->context, HY_OP_NEG, a);
  case 10: return is_bool ? a : hy_expr_unary(w->context, HY_OP_ABS, a);
  default: return is_bool ? a : hy_expr_binary(w->context, sums[choose(w, HY_COUNT(sums))], a, b);
  }
}

// At the ends of the types, and small. Parameters of type int lie within +-2^31, as the entry checks.
static hy_value some_value(world *w, hy_type type) {
  static const int64_t wide[] = {0, 1, -1, 2, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_C(1) << 32, 63, 64, -63, -64};
  static const int64_t narrow[] = {0, 1, -1, 2, -2, 3, 10, INT64_C(1) << 31, -(INT64_C(1) << 31), 62, 63, 64, -63};
  int64_t i = type == HY_INT ? narrow[choose(w, HY_COUNT(narrow))] : wide[choose(w, HY_COUNT(wide))];
  if (type == HY_F32) return hy_value_from_double(type, choose(w, 3) ? (double)i : 1e30);
  if (type == HY_BOOL) return hy_value_bool(i & 1);
  return hy_value_integral(type, i);
}

static bool value_of(void *self, const hy_expr *unknown, hy_wide *value) {
  world *w = self;
  if (unknown->kind == HY_EXPR_VAR)
    for (int i = 0; i < PARAMETER_COUNT; i++)
      if (w->alg->params[i] == unknown->var)
        return hy_evaluate_constant(hy_expr_const(w->context, w->values[i]), value);
  // a float converted, or what has no value: the machine's, as far as it has one
  hy_input input = {.params = w->values, .window_min = (int64_t[]){0}, .window_len = (int64_t[]){1}};
  hy_value v = hy_input_evaluate(w->alg, &input, unknown);
  *value = (hy_wide)1 << 90; // an error: it does not fit
  return v.error || hy_evaluate_constant(hy_expr_const(w->context, v), value);
}

static hy_run_status run_native(const hy_native *native, const hy_input *input) {
  hy_buffer *output = hy_buffer_new(HY_INT, 1, input->window_min, input->window_len);
  hy_native_result result;
  hy_native_run(native, input, output, &result);
  hy_buffer_free(output);
  return result.status;
}

static hy_run_status run_tgt(world *w, const hy_tgt *tgt, const hy_input *input, bool literally) {
  hy_tgt_result result;
  hy_tgt_options options = {.mode = HY_LAZY};
  (literally ? hy_tgt_run_literal : hy_tgt_run)(w->context, tgt, input, &options, &result);
  hy_run_status status = result.status;
  hy_tgt_result_free(&result);
  return status;
}

static void compare_defined(world *w, const hy_tgt *base, const hy_expr *e, int *errors) {
  hy_ranges *ranges = hy_ranges_new();
  const hy_expr *defined = hy_defined(w->context, ranges, e), *check = hy_expr_binary(w->context, HY_OP_EQ, e, e);
  hy_ranges_free(ranges);
  const hy_stmt *entry[] = {hy_stmt_assume(w->context, HY_ASSUME_FACTOR, NULL, check)};
  hy_tgt tgt = *base;
  tgt.entry = entry;
  tgt.entry_count = 1;
  hy_codegen_options options = hy_codegen_default();
  hy_native *native = hy_native_compile(w->context, &tgt, &options);
  for (int k = 0; k < INPUTS; k++) {
    for (int i = 0; i < PARAMETER_COUNT; i++) w->values[i] = some_value(w, w->alg->params[i]->type);
    hy_input input = {.params = w->values, .window_min = (int64_t[]){0}, .window_len = (int64_t[]){1}};
    bool is = hy_input_evaluate(w->alg, &input, e).error == HY_OK;
    *errors += !is;
    ck_assert_msg((run_native(native, &input) == HY_RAN) == is, "natively not %d: %llu", is,
                  (unsigned long long)w->state);
    ck_assert_int_eq(run_tgt(w, &tgt, &input, false) == HY_RAN, is);
    ck_assert_int_eq(run_tgt(w, &tgt, &input, true) == HY_RAN, is);
    hy_wide holds;
    if (!defined || !hy_evaluate(defined, value_of, w, &holds)) continue;
    hy_text text = {0};
    hy_expr_print(e, &text);
    ck_assert_msg((holds != 0) == is, "defined() says %d of %s", holds != 0, hy_text_string(&text));
    hy_text_free(&text);
  }
  hy_native_free(native);
}

START_TEST(defined_is_one_thing) {
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  world w = {.context = hy_context_new(), .state = (uint64_t)_i + 7};
  const hy_tgt *base =
      parse(w.context, diagnostics,
            "target p(" PARAMETERS ") on o(x) { func o(x): int stages 1; entry { } allocate o[(x.min, "
            "x.len)]; label o: compute o on [(x.min, x.len)] { label o.s0: for o.s0.x in (x.min, x.len) "
            "{ o(o.s0.x) <- a; } } }");
  w.alg = base->alg;
  int errors = 0, whole = 0;
  for (int k = 0; k < EXPRESSIONS; k++) {
    w.pool.count = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++) hy_vec_push(&w.pool, hy_expr_var(w.context, w.alg->params[i]));
    size_t size = PARAMETER_COUNT + 3 + choose(&w, 14);
    while (w.pool.count < size) {
      const hy_expr *e = grow(&w);
      hy_vec_push(&w.pool, e);
    }
    const hy_expr *e = hy_vec_last(&w.pool);
    if (e->type == HY_F32) continue; // a NaN is not itself
    compare_defined(&w, base, e, &errors);
    whole++;
  }
  ck_assert_int_gt(errors, whole * INPUTS / 20);
  ck_assert_int_lt(errors, whole * INPUTS * 19 / 20);
  hy_vec_free(&w.pool);
  hy_diagnostics_free(diagnostics);
  hy_context_free(w.context);
}
END_TEST

Suite *bounds_facts_suite(void) {
  Suite *suite = suite_create("bounds_facts");
  TCase *t = tcase_create("facts");
  tcase_set_timeout(t, 240);
  tcase_add_loop_test(t, facts_hold_on_the_machine, 0, HY_COUNT(rows));
  tcase_add_test(t, an_allocation_ends);
  tcase_add_loop_test(t, facts_of_bits_hold, 0, HY_COUNT(bit_ops));
  tcase_add_loop_test(t, defined_is_one_thing, 0, 3);
  suite_add_tcase(suite, t);
  return suite;
}
