/* Lemma 7.4 (narrowing executions match): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * P1 has the oracle's fills; P2 has every Cpu and Mem wider, more where more is read, so that I1 lies in I2 by
 * construction; both are proved to be in BI(S).
 *
 * For all inputs: that P1 and P2 are in BI(S), by the prover and Z3.
 * Sampled: every execution of every compute of P1, its box inside that of P2's, and its contents, errors included.
 * Not covered: pairs whose Cpu differs in other ways than by the four shapes of theorems.h.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

#include <string.h>

enum { GENERATED = 40 };

static const theorem_execution *corresponding(const theorem_executions *in, const theorem_execution *e) {
  for (size_t i = 0; i < in->all.count; i++) {
    const theorem_execution *other = &in->all.data[i];
    if (other->func == e->func && memcmp(other->env, e->env, sizeof e->env) == 0) return other;
  }
  return NULL;
}

static size_t offset_of(const theorem_execution *e, const int64_t *point) {
  size_t offset = 0, stride = 1;
  for (int d = 0; d < e->func->rank; d++) {
    offset += stride * (size_t)(point[d] - e->min[d]);
    stride *= (size_t)e->len[d];
  }
  return offset;
}

static bool contains(const theorem_execution *outer, const theorem_execution *inner) {
  bool inside = true;
  for (int d = 0; d < inner->func->rank; d++)
    inside &= outer->min[d] <= inner->min[d] && inner->min[d] + inner->len[d] <= outer->min[d] + outer->len[d];
  return inside;
}

// NULL, or what is wrong.
static const char *agree_on(const theorem_execution *narrow, const theorem_execution *wide, uint64_t *points) {
  if (!narrow->count) return NULL;
  if (!wide) return "no corresponding execution";
  if (!contains(wide, narrow)) return "an interval that is not contained";
  if (narrow->undefined || wide->undefined) return "a point of Cpu was never written";
  int64_t point[HY_MAX_RANK];
  memcpy(point, narrow->min, sizeof point);
  for (size_t i = 0; i < narrow->count; i++, ++*points) {
    if (!hy_value_same(narrow->values[i], wide->values[offset_of(wide, point)])) return "contents that differ";
    for (int d = 0; d < narrow->func->rank; d++) {
      if (++point[d] < narrow->min[d] + narrow->len[d]) break;
      point[d] = narrow->min[d];
    }
  }
  return NULL;
}

typedef struct {
  int pairs, shaped[THEOREM_SHAPES], executions;
  uint64_t points;
} tally;

static const char *run_pair(theorem_program *t, const hy_tgt *p1, const hy_tgt *p2, tally *all) {
  const char *why = NULL;
  for (int k = 0; k < THEOREM_INPUTS && !why; k++) {
    theorem_input in;
    theorem_executions narrow, wide;
    if (!theorem_input_open(t, p2, k, &in)) continue;
    theorem_watch(t, p1, &in, &narrow);
    theorem_watch(t, p2, &in, &wide);
    for (size_t i = 0; !narrow.too_long && !wide.too_long && !why && i < narrow.all.count; i++, all->executions++)
      why = agree_on(&narrow.all.data[i], corresponding(&wide, &narrow.all.data[i]), &all->points);
    theorem_executions_free(&narrow);
    theorem_executions_free(&wide);
    theorem_input_close(&in);
  }
  return why;
}

START_TEST(lemma_7_4) {
  tally all = {0};
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open(i, &t)) continue;
    const hy_tgt *p1 = t.test.pipeline.filled;
    theorem_shape shape = (theorem_shape)(i % THEOREM_SHAPES);
    const hy_tgt *p2 = theorem_widened(&t, t.test.pipeline.steps[t.test.pipeline.core_count], p1, &shape);
    if (p2 && theorem_member(&t, p1, NULL)) {
      all.shaped[shape]++;
      const char *why = run_pair(&t, p1, p2, &all);
      ck_assert_msg(!why, "%s: %s", t.name, why);
      all.pairs++;
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(all.pairs, GENERATED);
  for (int k = 0; k < THEOREM_SHAPES; k++) ck_assert_int_gt(all.shaped[k], GENERATED / 16);
  test_note("lemma 7.4: %d narrowing pairs (generated: seeds %d..%d), for all inputs both in BI(S); sampled: %d "
            "executions of computes, %llu points; wider by lengths %d, blocks %d, hulls %d",
            all.pairs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, all.executions, (unsigned long long)all.points,
            all.shaped[THEOREM_LENGTHS], all.shaped[THEOREM_BLOCKS], all.shaped[THEOREM_HULLS]);
}
END_TEST

/* -- what is wrong is seen -- */

#define TWO_STAGES "pipeline p() { fun a(x) = { x; (x) <- a(x) * 2; }; fun o(x) = a(x) + 1; }"

static const hy_stmt *same(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt;
}
static const hy_stmt *shorter(hy_context *context, const hy_stmt *stmt) { // the loop no longer covers Cpu(a)
  if (stmt->kind != HY_STMT_FOR || stmt->loop.var->func->name[0] != 'a' || stmt->loop.var->stage != 1) return stmt;
  hy_interval i = {stmt->loop.interval.min, hy_index_sub(context, stmt->loop.interval.len, hy_expr_int(context, 1))};
  return hy_stmt_for(context, stmt->loop.var, true, HY_SERIAL, i, stmt->loop.body);
}
static const hy_stmt *twice(hy_context *context, const hy_stmt *stmt) { // an update is applied twice
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.stage != 1) return stmt;
  const hy_stmt *both[2] = {stmt, stmt};
  return hy_stmt_seq(context, both, 2);
}

static const struct {
  theorem_change *change;
  bool agrees;
} pairs[] = {{same, true}, {shorter, false}, {twice, false}};

START_TEST(other_contents_are_seen) {
  theorem_program t;
  tally all = {0};
  theorem_open_text(&t, TWO_STAGES, "compute_at(a, o.x); store_at(a, o.x);");
  theorem_shape shape = THEOREM_CONSTANTS;
  const hy_tgt *p2 = theorem_widened(&t, t.test.pipeline.steps[2], t.test.pipeline.filled, &shape);
  const char *why = run_pair(&t, theorem_edit(t.test.context, t.test.pipeline.filled, pairs[_i].change), p2, &all);
  ck_assert_int_eq(why == NULL, pairs[_i].agrees);
  theorem_close(&t);
}
END_TEST

START_TEST(a_pair_the_wrong_way_round_is_seen) { // the wider one is no narrowing of the other
  theorem_program t;
  tally all = {0};
  theorem_open_text(&t, TWO_STAGES, "");
  theorem_shape shape = THEOREM_CONSTANTS;
  const hy_tgt *p2 = theorem_widened(&t, t.test.pipeline.steps[0], t.test.pipeline.filled, &shape);
  ck_assert_str_eq(run_pair(&t, p2, t.test.pipeline.filled, &all), "an interval that is not contained");
  theorem_close(&t);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("B.Cover B.Cpu"); }
END_TEST

Suite *lemma_7_4_suite(void) {
  Suite *suite = suite_create("lemma_7_4");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_7_4);
  tcase_add_loop_test(t, other_contents_are_seen, 0, HY_COUNT(pairs));
  tcase_add_test(t, a_pair_the_wrong_way_round_is_seen);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
