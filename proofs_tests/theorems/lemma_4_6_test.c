/* Lemma 4.6 (algorithms terminate): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * Every step of a derivation makes (func, stage, instances left) smaller: stage 0 of a func reads earlier funcs alone,
 * an update those and its own func as it was before the instance, rdom bounds are startup expressions.
 *
 * For all inputs, by the text of the program: every step of a derivation makes
 * (func, stage, instances left) smaller. Stage 0 of a func reads earlier funcs
 * alone, an update those and its own func as it was before the instance, rdom
 * bounds are startup expressions. That is looked at in every access of every
 * program. Sampled: the literal evaluator stays below the number of
 * applications that the measure gives for the input; so does the fast one, in
 * stage-point evaluations. Not covered: programs whose bound is beyond the
 * budget are not run (the literal evaluator is exponential, D13).
 */

#include "alg_interp/alg_interp.h"
#include "engines/evaluate.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"

enum { GENERATED = 120, BUDGET = 3000000 };

/* -- the measure decreases -- */

typedef struct {
  const hy_alg *alg;
  int definition, stage;
  size_t accesses;
  bool decreases;
} descent;

static int definition_of(const hy_alg *alg, const hy_func *func) {
  for (int i = 0; i < alg->definition_count; i++)
    if (alg->definitions[i].func == func) return i;
  return -1; // an image
}

static void look(void *self, const hy_expr *node) {
  descent *d = self;
  if (node->kind != HY_EXPR_ACCESS) return;
  int read = definition_of(d->alg, node->func);
  d->accesses++;
  d->decreases &= read < d->definition || (read == d->definition && d->stage > 0);
}

static bool measure_decreases(const hy_alg *alg, size_t *accesses) {
  descent d = {.alg = alg, .decreases = true};
  for (d.definition = 0; d.definition < alg->definition_count; d.definition++)
    for (d.stage = 0; d.stage < alg->definitions[d.definition].stage_count; d.stage++) {
      const hy_stage *s = &alg->definitions[d.definition].stages[d.stage];
      for (int k = 0; k < alg->definitions[d.definition].func->rank; k++) hy_expr_visit(s->lhs[k], look, &d);
      hy_expr_visit(s->rhs, look, &d);
      if (s->predicate) hy_expr_visit(s->predicate, look, &d);
      for (int k = 0; k < s->rdom_count; k++)
        d.decreases &= hy_expr_is_startup(s->rdoms[k].interval.min) && hy_expr_is_startup(s->rdoms[k].interval.len);
    }
  *accesses += d.accesses;
  return d.decreases;
}

/* -- how many applications it allows -- */

typedef struct {
  const hy_alg *alg;
  const hy_input *input;
  bool forget_rdoms; // a wrong measure
  double cost[64];   // of the value of each func at one point, so far
} measure;

static double cost_of(const measure *m, const hy_expr *e) {
  double cost = 3;
  for (int i = 0; i < e->count; i++) cost += cost_of(m, e->args[i]);
  int read = e->kind == HY_EXPR_ACCESS ? definition_of(m->alg, e->func) : -1;
  if (read >= 0) cost += m->cost[read] + m->alg->definition_count;
  return cost;
}

static double instances(const measure *m, const hy_stage *s) {
  double count = 1;
  for (int k = 0; k < s->rdom_count && !m->forget_rdoms; k++)
    count *= (double)hy_input_evaluate(m->alg, m->input, s->rdoms[k].interval.len).i;
  return count > 0 ? count : 0;
}

static double bounds_cost(const measure *m, const hy_stage *s) {
  double cost = 1;
  for (int k = 0; k < s->rdom_count; k++)
    cost += cost_of(m, s->rdoms[k].interval.min) + cost_of(m, s->rdoms[k].interval.len);
  return cost;
}

// Definition by definition, stage by stage, instance by instance; saturates far
// beyond the budget.
static double most_applications(measure *m) {
  double entry = 0, points = 1;
  for (int i = 0; i < m->alg->definition_count; i++) {
    const hy_definition *f = &m->alg->definitions[i];
    m->cost[i] = 2 + cost_of(m, f->stages[0].rhs);
    for (int j = 1; j < f->stage_count; j++) {
      const hy_stage *s = &f->stages[j];
      double count = instances(m, s);
      entry += bounds_cost(m, s);
      m->cost[i] += bounds_cost(m, s);
      for (double k = 0; k < count && m->cost[i] < 1e15; k++) {
        double instance = 4 + bounds_cost(m, s) + cost_of(m, s->rhs) + (s->predicate ? cost_of(m, s->predicate) : 0);
        for (int d = 0; d < f->func->rank; d++) instance += cost_of(m, s->lhs[d]);
        m->cost[i] += instance;
      }
    }
  }
  double all = entry;
  for (int k = 0; k < m->alg->output_count; k++) { // funcs below an output are passed by
    const hy_output *output = &m->alg->outputs[k];
    points = 1;
    for (int d = 0; d < output->func->rank; d++) points *= (double)m->input->window_len[output->first + d];
    all += points * (m->cost[definition_of(m->alg, output->func)] + 2 + m->alg->definition_count);
  }
  return all;
}

// 1: within; 0: more applications than that; -1: not run.
static int stays_within(theorem_program *t, const theorem_input *in, bool forget_rdoms) {
  const hy_alg *alg = t->test.pipeline.alg;
  measure m = {.alg = alg, .input = &in->input, .forget_rdoms = forget_rdoms};
  ck_assert_int_le(alg->definition_count, (int)HY_COUNT(m.cost));
  double most = most_applications(&m);
  if (most > BUDGET) return -1;
  bool within = true;
  for (int literal = 0; literal < 2; literal++) {
    hy_alg_result result;
    hy_alg_options options = {.step_limit = (uint64_t)most};
    (literal ? hy_alg_run_literal : hy_alg_run)(t->test.context, alg, &in->input, &options, &result);
    within &= result.status != HY_RUN_LIMIT;
    hy_buffer_free(result.output);
  }
  return within;
}

START_TEST(lemma_4_6) {
  int programs = 0, runs = 0, beyond = 0;
  size_t accesses = 0;
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open(i, &t)) continue;
    programs++;
    ck_assert_msg(measure_decreases(t.test.pipeline.alg, &accesses), "%s", t.name);
    for (int k = 0; k < THEOREM_INPUTS; k++) {
      theorem_input in;
      if (!theorem_input_open(&t, t.test.pipeline.filled, k, &in)) continue;
      int answer = stays_within(&t, &in, false);
      ck_assert_msg(answer != 0, "%s, input %d: it takes longer than the measure allows", t.name, k);
      *(answer > 0 ? &runs : &beyond) += 1;
      theorem_input_close(&in);
    }
    theorem_close(&t);
  }
  ck_assert_int_gt(runs, programs);
  test_note("lemma 4.6: %d programs (generated: seeds %d..%d); for all inputs: "
            "%zu accesses decrease the measure; "
            "sampled: %d runs of both evaluators within it, %d beyond the "
            "budget not run",
            programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, accesses, runs, beyond);
}
END_TEST

/* -- what is wrong is seen -- */

START_TEST(a_wrong_measure_is_exceeded) { // one application of the update,
                                          // where the rdom has 40
  theorem_program t;
  theorem_input in;
  theorem_open_text(&t,
                    "pipeline p() { fun o(x) = { 0; rdom(r = (0, 40)) in (x) "
                    "<- o(x) + r; }; }",
                    "");
  ck_assert(theorem_input_open(&t, t.test.pipeline.filled, 0, &in));
  ck_assert_int_eq(stays_within(&t, &in, true), 0);
  theorem_input_close(&in);
  theorem_close(&t);
}
END_TEST

static const hy_expr *read_itself(void *self, const hy_expr *node) {
  theorem_program *t = self;
  if (node->kind != HY_EXPR_ACCESS || node->func->name[0] != 'a') return node;
  return hy_expr_access(t->test.context, t->test.pipeline.alg->output, node->args);
}

START_TEST(a_cycle_is_seen) { // o(x) = o(x), which the parser would refuse
  theorem_program t;
  size_t accesses = 0;
  theorem_open_text(&t, "pipeline p() { fun a(x) = x; fun o(x) = a(x); }", "");
  hy_alg alg = *t.test.pipeline.alg;
  hy_definition definitions[2] = {alg.definitions[0], alg.definitions[1]};
  hy_stage stage = definitions[1].stages[0];
  stage.rhs = hy_expr_map(t.test.context, stage.rhs, read_itself, &t);
  definitions[1].stages = &stage;
  ck_assert(measure_decreases(&alg, &accesses));
  alg.definitions = definitions;
  ck_assert(!measure_decreases(&alg, &accesses));
  theorem_close(&t);
}
END_TEST

static const struct {
  const char *alg;
  int code;
} refused[] = {
    {"pipeline p() { fun o(x) = o(x - 1); }", HY_E_SELF_REFERENCE},
    {"pipeline p() { fun a(x) = b(x); fun b(x) = a(x); }", HY_E_DEFINED_LATER},
    {"pipeline p() { fun a(x) = x; fun o(x) = { 0; rdom(r = (0, a(0))) in (x) "
     "<- r; }; }",
     HY_E_RDOM_BOUNDS},
};

START_TEST(what_would_not_end_is_refused) { // definition 4.5
  test_program p;
  test_program_open(&p, refused[_i].alg, "");
  ck_assert_msg(!p.parsed && test_program_code(&p) == refused[_i].code, "%s", test_program_said(&p));
  test_program_close(&p);
}
END_TEST

Suite *lemma_4_6_suite(void) {
  Suite *suite = suite_create("lemma_4_6");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_4_6);
  tcase_add_test(t, a_wrong_measure_is_exceeded);
  tcase_add_test(t, a_cycle_is_seen);
  tcase_add_loop_test(t, what_would_not_end_is_refused, 0, HY_COUNT(refused));
  suite_add_tcase(suite, t);
  return suite;
}
