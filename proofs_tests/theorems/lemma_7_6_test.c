/* Lemma 7.6 (compute bounds confluent): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs: B.Cover, B.Cpu and B.Address of every lowered program, by the prover and Z3.
 * Sampled: every func of every program on the whole of Cpu, func by func, in lowered and in scheduled programs.
 * Not covered: that equal loops compute equal values is by the argument of the paper; values are sampled.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

enum { GENERATED = 60 };

typedef struct {
  int programs, runs, executions;
  uint64_t points;
  size_t covered, inside;
} tally;

static void prove(theorem_program *t, const hy_tgt *filled, tally *all) {
  const hy_query *query = hy_query_extract(t->test.context, filled);
  for (size_t i = 0; i < query->count; i++) {
    all->covered += query->obligations[i].kind == HY_B_COVER;
    all->inside += query->obligations[i].kind == HY_B_CPU || query->obligations[i].kind == HY_B_ADDRESS;
  }
}

// The first input on which some func is wrong on its Cpu; -1: none.
static int some_contents_differ(theorem_program *t, const hy_tgt *filled, tally *all) {
  for (int k = 0; k < THEOREM_INPUTS; k++) {
    theorem_input in;
    theorem_executions executions;
    if (!theorem_input_open(t, filled, k, &in)) continue;
    theorem_watch(t, filled, &in, &executions);
    bool differs = !executions.too_long && theorem_contents_differ(t, &in, &executions, &all->points);
    all->runs++;
    all->executions += (int)executions.all.count;
    theorem_executions_free(&executions);
    theorem_input_close(&in);
    if (differs) return k;
  }
  return -1;
}

START_TEST(lemma_7_6) {
  tally lowered = {0}, scheduled = {0};
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open(i, &t)) continue;
    const hy_tgt *first = theorem_fill(&t, 0), *last = t.test.pipeline.filled;
    if (first && theorem_member(&t, first, NULL)) {
      lowered.programs++;
      prove(&t, first, &lowered);
      ck_assert_msg(some_contents_differ(&t, first, &lowered) < 0, "%s, lowered", t.name);
    }
    if (last != first && theorem_accepted_but(&t, last, -1)) {
      scheduled.programs++;
      ck_assert_msg(some_contents_differ(&t, last, &scheduled) < 0, "%s, scheduled", t.name);
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(lowered.programs, GENERATED / 2);
  test_note(
      "lemma 7.6: %d lowered programs (generated: seeds %d..%d), for all inputs: %zu obligations of coverage, %zu "
      "of reads; sampled: %d computes, %llu points; and in %d scheduled programs %d computes, %llu points",
      lowered.programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, lowered.covered, lowered.inside, lowered.executions,
      (unsigned long long)lowered.points, scheduled.programs, scheduled.executions,
      (unsigned long long)scheduled.points);
}
END_TEST

/* -- what is wrong is seen -- */

#define THREE                                                                                                          \
  "pipeline p() { fun a(x) = x * 3; fun b(x) = { a(x); (x) <- b(x) + a(x + 1); }; fun o(x) = b(x) + b(x + 2); }"

static const hy_stmt *same(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt;
}
static const hy_stmt *resized(hy_context *context, const hy_stmt *loop, int64_t by) {
  hy_interval i = {loop->loop.interval.min, hy_index_add(context, loop->loop.interval.len, hy_expr_int(context, by))};
  return hy_stmt_for(context, loop->loop.var, true, HY_SERIAL, i, loop->loop.body);
}
static const hy_stmt *uncovered(hy_context *context, const hy_stmt *stmt) { // B.Cover of b's update
  bool it = stmt->kind == HY_STMT_FOR && stmt->loop.var->func->name[0] == 'b' && stmt->loop.var->stage == 1;
  return it ? resized(context, stmt, -1) : stmt;
}
static const hy_stmt *small_producer(hy_context *context, const hy_stmt *stmt) { // B.Cpu of what b reads
  if (stmt->kind == HY_STMT_FOR && stmt->loop.var->func->name[0] == 'a') return resized(context, stmt, -1);
  if (stmt->kind != HY_STMT_COMPUTE || stmt->compute.func->name[0] != 'a') return stmt;
  hy_interval box = {stmt->compute.box[0].min,
                     hy_index_sub(context, stmt->compute.box[0].len, hy_expr_int(context, 1))};
  return hy_stmt_compute(context, stmt->compute.func, &box, stmt->compute.body);
}

static const struct {
  theorem_change *change;
  bool holds;
} changes[] = {{same, true}, {uncovered, false}, {small_producer, false}};

START_TEST(wrong_contents_are_seen) {
  theorem_program t;
  tally all = {0};
  theorem_open_text(&t, THREE, "");
  const hy_tgt *tgt = theorem_edit(t.test.context, t.test.pipeline.filled, changes[_i].change);
  ck_assert_int_eq(some_contents_differ(&t, tgt, &all) < 0, changes[_i].holds);
  ck_assert_int_eq(theorem_member(&t, tgt, NULL), changes[_i].holds);
  theorem_close(&t);
}
END_TEST

// D54: of a histogram "Cpu(f)_k inside Loop(f, i, j)_k for all k" asks that every bin is written. The set of what the
// left side takes is in the picture's hands: here it has one value.
#define HISTOGRAM                                                                                                      \
  "pipeline p(in: u8[1]) { fun h(i) = { 0; rdom(r = (0, 9)) in (int(in(r))) <- h(int(in(r))) + 1; };"                  \
  " fun o(i) = h(i); }"

static void count_writes(void *self, const hy_stmt *assign, const int64_t *point) {
  bool *written = self;
  if (assign->assign.stage == 1 && point[0] >= 0 && point[0] < 256) written[point[0]] = true;
}

START_TEST(the_printed_coverage_excludes_histograms) {
  theorem_program t;
  theorem_input in;
  bool written[256] = {false};
  int bins = 0;
  theorem_open_text(&t, HISTOGRAM, "");
  ck_assert(theorem_member(&t, t.test.pipeline.filled, NULL)); // ours has a solution
  ck_assert(theorem_input_open(&t, t.test.pipeline.filled, 0, &in));
  for (size_t i = 0; i < in.images[0]->count; i++) in.images[0]->data[i] = 3;
  hy_tgt_result result;
  hy_tgt_options options = {.monitor = true, .observer = count_writes, .observer_self = written};
  hy_tgt_run(t.test.context, t.test.pipeline.filled, &in.input, &options, &result);
  ck_assert_int_eq(result.status, HY_RAN);
  for (int k = 0; k < 256; k++) bins += written[k];
  ck_assert_int_eq(bins, 1);         // Loop(h, 0, 1) is {3}
  ck_assert_int_gt(in.len[0], bins); // and Cpu(h) is the window
  hy_tgt_result_free(&result);
  theorem_input_close(&in);
  theorem_close(&t);
}
END_TEST

START_TEST(broken_twins_are_seen) { theorem_twins_are_seen("B.Cover TGT.Mon-Cpu TGT.Mon-Cover"); }
END_TEST

Suite *lemma_7_6_suite(void) {
  Suite *suite = suite_create("lemma_7_6");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_7_6);
  tcase_add_loop_test(t, wrong_contents_are_seen, 0, HY_COUNT(changes));
  tcase_add_test(t, the_printed_coverage_excludes_histograms);
  tcase_add_test(t, broken_twins_are_seen);
  suite_add_tcase(suite, t);
  return suite;
}
