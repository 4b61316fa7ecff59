/* Theorem 8.4 (loop phase is sound): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: the promise of every directive (EQ, PERM, EXTRA, REPEAT: L0, L3 with coverage, range, uniqueness,
 * order and disjointness), and B(S_i+1).
 * Sampled: outputs and the contents of every computation, S_i+1 run in order under the monitor.
 * Not covered: traces on inputs (L1) are driver_validate_test.c's; whole programs run in parallel are theorem 3.5's.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/theorems/theorems.h"
#include "sched/rewrite.h"

#include <string.h>

enum { GENERATED = 12 };

START_TEST(theorem_8_4) {
  theorem_phase all = theorem_look_at_phase(HY_PHASE_LOOPS, GENERATED);
  ck_assert_int_gt(all.members, 50);
  theorem_phase_note("theorem 8.4", &all, GENERATED);
}
END_TEST

/* -- directives that must be refused, by the rewrite alone: each has a run that is wrong -- */

#define ONE "pipeline p() { fun a(x) = x * x; fun o(x) = a(x) + 1; }"
#define ADDED "pipeline p() { fun o(x) = { x; (x) <- o(x) * 3 + 1; }; }"
#define SUMS "pipeline p() { fun o(x) = { 1; rdom(r = (0, 3), q = (0, 2)) in (x) <- o(x) * 3 + r + 5 * q; }; }"
#define GROWN "pipeline p() { fun o(x) = { x; rdom(r = (0, 4)) in (0) <- o(0) * 2 + r; }; }"

typedef struct {
  const char *name, *alg, *items;
  const hy_directive_type *type;
  int stage;
  const char *loop;
  hy_tail tail;
  int64_t factor;
  hy_traversal traversal;
  bool applies, sound; // what does not overlap by itself is a matter of the final program (D33)
} row;

static const row rows[] = {
    {"parallel over whole tiles", ONE, "split(o.x, xo, xi, 8);", &hy_directive_traverse, 0, "xo", 0, 0, HY_PARALLEL,
     true, true},
    {"parallel over a shift (D33)", ONE, "split(o.x, xo, xi, 8, shift);", &hy_directive_traverse, 0, "xo", 0, 0,
     HY_PARALLEL, true, false},
    {"parallel over a nested round (D33)", ONE, "split(o.x, xo, xi, 8, round); split(o.xi, c, d, 3, round);",
     &hy_directive_traverse, 0, "xo", 0, 0, HY_PARALLEL, true, false},
    {"parallel over a reduction (D37)", GROWN, "", &hy_directive_traverse, 1, "r", 0, 0, HY_PARALLEL, false, false},
    {"shift of an update (D32)", ADDED, "", &hy_directive_split, 1, "x", HY_TAIL_SHIFT, 4, 0, false, false},
    {"nested round of an update (D32)", ADDED, "split(o.s1.x, xo, xi, 4);", &hy_directive_split, 1, "xi", HY_TAIL_ROUND,
     3, 0, false, false},
    {"guard of an update", ADDED, "split(o.s1.x, xo, xi, 4);", &hy_directive_split, 1, "xi", HY_TAIL_GUARD, 3, 0, true,
     true},
    {"two reduction loops exchanged (D36)", SUMS, "", &hy_directive_swap, 1, "q", 0, 0, 0, false, false},
    {"a pure loop exchanged with a reduction", SUMS, "", &hy_directive_swap, 1, "x", 0, 0, 0, true, true},
};

static const hy_tgt *apply(theorem_program *t, const row *r, bool *applies) {
  hy_context *context = t->test.context;
  hy_directive d = theorem_directive(t, r->type, "o", "o", 0, r->stage, r->loop);
  d.tail = r->tail;
  d.traversal = r->traversal;
  d.names[0] = hy_context_name_of(context, "no");
  d.names[1] = hy_context_name_of(context, "ni");
  d.args[0] = hy_expr_int(context, r->factor);
  const hy_tgt *before = t->test.pipeline.steps[t->test.pipeline.core_count];
  *applies = d.type->applies(context, before, &d, t->test.diagnostics);
  return d.type->apply(context, before, &d, NULL);
}

START_TEST(unsound_directives_are_seen) {
  theorem_program t;
  theorem_open_text(&t, rows[_i].alg, rows[_i].items);
  bool applies;
  const hy_tgt *after = apply(&t, &rows[_i], &applies);
  const hy_tgt *filled = hy_oracle_fill(t.test.context, after, t.test.diagnostics);
  ck_assert_msg(applies == rows[_i].applies, "%s", rows[_i].name);
  const hy_pipeline *p = &t.test.pipeline;
  bool legal = hy_sched_legal(t.test.context, after, p->core, p->core_count, p->loc, t.test.diagnostics); // D33
  ck_assert_msg(!applies || legal == rows[_i].sound, "%s: as a final program", rows[_i].name);
  ck_assert_ptr_nonnull(filled);
  bool wrong = theorem_some_run_is_wrong(&t, filled, 0) || theorem_some_run_is_wrong(&t, filled, 12345);
  ck_assert_msg(wrong != rows[_i].sound, "%s", rows[_i].name);
  theorem_close(&t);
}
END_TEST

/* -- the tails as printed -- */

static bool is_loop(const hy_stmt *stmt, const char *name) {
  return stmt->kind == HY_STMT_FOR && strcmp(stmt->loop.var->name, name) == 0;
}
static const hy_stmt *floor_tiles(hy_context *context, const hy_stmt *stmt) { // l / 8 as Figure 1(d) prints it (D23)
  if (!is_loop(stmt, "xo")) return stmt;
  const hy_expr *len = stmt->loop.interval.len, *seven = hy_expr_int(context, 7), *eight = hy_expr_int(context, 8);
  const hy_expr *rounded_up = hy_expr_binary(context, HY_OP_MUL, eight, len); // >= x.len, < x.len + 8
  const hy_expr *down = hy_index_div(context, hy_index_sub(context, rounded_up, seven), eight);
  hy_interval all = {stmt->loop.interval.min, hy_expr_binary(context, HY_OP_MIN, len, down)};
  return hy_stmt_for(context, stmt->loop.var, true, HY_SERIAL, all, stmt->loop.body);
}
static const hy_stmt *no_guard(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD ? stmt->branch.then : stmt;
}
// Push-down past every let (D30): the let of the second split comes to stand below the let that uses it.
static const hy_stmt *past_lets(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_LET || stmt->let.body->kind != HY_STMT_LET) return stmt;
  const hy_stmt *inner = stmt->let.body, *below = inner->let.body;
  const hy_stmt *lower = hy_stmt_with_children(context, stmt, &below, 1);
  return hy_stmt_with_children(context, inner, &lower, 1);
}

static const struct {
  const char *name, *items;
  theorem_change *change;
} printed[] = {
    {"floor in place of ceil (D23)", "split(o.x, xo, xi, 8);", floor_tiles},
    {"no guard", "split(o.x, xo, xi, 8);", no_guard},
};

START_TEST(broken_tails_are_seen) {
  theorem_program t;
  theorem_open_text(&t, ONE, printed[_i].items);
  const hy_tgt *tgt = theorem_edit(t.test.context, t.test.pipeline.filled, printed[_i].change);
  ck_assert_msg(!theorem_member(&t, tgt, NULL), "%s", printed[_i].name);
  ck_assert_msg(theorem_some_run_is_wrong(&t, tgt, 0), "%s", printed[_i].name);
  theorem_close(&t);
}
END_TEST

START_TEST(push_down_past_a_use_is_seen) { // D30
  theorem_program t;
  theorem_open_text(&t, ONE, "split(o.x, xo, xi, 8, round); split(o.xo, xoo, xoi, 2, round);");
  const hy_tgt *tgt = t.test.pipeline.steps[2];
  ck_assert(hy_tgt_verify(t.test.context, tgt, t.test.diagnostics));
  ck_assert(!hy_tgt_verify(t.test.context, theorem_edit(t.test.context, tgt, past_lets), t.test.diagnostics));
  theorem_close(&t);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("FIN.Overlap DIR.Swap.Reduction DIR.Traverse.Pure"); }
END_TEST

Suite *theorem_8_4_suite(void) {
  Suite *suite = suite_create("theorem_8_4");
  TCase *t = tcase_create("theorem");
  tcase_add_test(t, theorem_8_4);
  tcase_add_loop_test(t, unsound_directives_are_seen, 0, HY_COUNT(rows));
  tcase_add_loop_test(t, broken_tails_are_seen, 0, HY_COUNT(printed));
  tcase_add_test(t, push_down_past_a_use_is_seen);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
