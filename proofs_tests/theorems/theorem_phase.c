#include "bounds/query.h"
#include "oracle/oracle.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"
#include "validate/validate.h"

#include <stdio.h>

static const hy_stmt *serial(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_FOR || stmt->loop.traversal == HY_SERIAL) return stmt;
  return hy_stmt_for(context, stmt->loop.var, stmt->loop.is_pure, HY_SERIAL, stmt->loop.interval, stmt->loop.body);
}

const hy_tgt *theorem_in_order(hy_context *context, const hy_tgt *tgt) { return theorem_edit(context, tgt, serial); }

static void run_input(theorem_program *t, const hy_tgt *tgt, const theorem_input *in, const char *directive,
                      theorem_phase *all) {
  theorem_run run;
  theorem_executions executions;
  if (!theorem_execute(t, tgt, in, in->seed, &run)) return;
  ck_assert_msg(!theorem_run_is_wrong(&run), "%s, %s: %s", t->name, directive,
                run.differs ? "another output" : hy_contract_name(run.contract));
  all->runs++;
  all->points += run.points;
  theorem_watch(t, tgt, in, &executions);
  const theorem_execution *wrong =
      executions.too_long ? NULL : theorem_contents_differ(t, in, &executions, &all->contents);
  ck_assert_msg(!wrong, "%s, %s: what is computed of %s", t->name, directive, wrong ? wrong->func->name : "");
  theorem_executions_free(&executions);
}

// Is S_i in BI(S_i), with the oracle's fills and its loops in order?
static bool is_provable(theorem_program *t, int step) {
  const hy_tgt *filled = theorem_fill(t, step);
  return filled && theorem_member(t, theorem_in_order(t->test.context, filled), NULL);
}

// The same with more steps: Z3's answer does not count either.
static bool is_provable_slowly(theorem_program *t, int step) {
  const hy_tgt *filled = theorem_fill(t, step);
  if (!filled) return false;
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = 1000};
  filled = theorem_in_order(t->test.context, filled);
  hy_oracle_decide(t->test.context, hy_query_extract(t->test.context, filled), &options, &report);
  return report.proved == report.count;
}

// S_i+1 is, too, if S_i is: a directive that loses its own proof would else pass unseen.
static void keeps_its_proof(theorem_program *t, int step, bool before, bool after, theorem_phase *all) {
  int number = hy_sched_number(t->test.pipeline.core[step].type);
  if (!before) return;
  if (!after) after = is_provable_slowly(t, step + 1);
  ck_assert_int_lt(number, THEOREM_DIRECTIVES);
  all->provable[number]++;
  all->lost[number] += !after;
}

static bool confluent(theorem_program *t, int step, theorem_phase *all) {
  const hy_tgt *filled = theorem_fill(t, step);
  const char *directive = t->test.pipeline.core[step - 1].type->name;
  theorem_verdict verdict;
  if (!filled) return false;
  filled = theorem_in_order(t->test.context, filled);
  bool member = theorem_member(t, filled, &verdict);
  ck_assert_msg(member || t->is_generated, "%s, %s: not all is proved", t->name, directive);
  all->members += member;
  if (member) all->obligations += verdict.obligations;
  for (int k = 0; member && k < THEOREM_INPUTS; k++) {
    theorem_input in;
    if (!theorem_input_open(t, filled, k, &in)) continue;
    run_input(t, filled, &in, directive, all);
    theorem_input_close(&in);
  }
  return member;
}

static void look_at(theorem_program *t, hy_phase phase, theorem_phase *all) {
  hy_validate_options options = {.steps = t->test.pipeline.core_count, .z3_limit = 40};
  hy_validator *v = hy_validator_new(t->test.context, t->test.pipeline.steps[0], &options);
  bool known = false, provable = false; // S_i
  for (int i = 0; i < t->test.pipeline.core_count; i++) {
    hy_validation out;
    const hy_directive *directive = &t->test.pipeline.core[i];
    if (directive->type->phase > phase) break;
    hy_validator_step(v, directive, t->test.pipeline.steps[i + 1], &out);
    if (directive->type->phase != phase) continue;
    hy_level broken = hy_validation_broken(&out);
    ck_assert_msg(broken == HY_LEVEL_COUNT, "%s, %s: %s", t->name, directive->type->name,
                  broken < HY_LEVEL_COUNT ? out.levels[broken].story : "");
    for (int k = 0; k < HY_PROOF_COUNT; k++) {
      all->questions += out.proofs[k].proved;
      all->by_z3 += out.proofs[k].proved_z3;
      ck_assert_msg(t->is_generated || out.proofs[k].proved_z3 == 0, "%s, %s: %s rests on Z3 alone", t->name,
                    directive->type->name, hy_proof_name((hy_proof_kind)k));
    }
    all->directives++;
    if (!known) provable = is_provable(t, i);
    bool after = confluent(t, i + 1, all);
    keeps_its_proof(t, i, provable, after, all);
    known = true;
    provable = after;
  }
  hy_validator_free(v);
}

// The directives of the phase in turn, or one alone, favoured by generated schedules.
static int favourite_of(hy_phase phase, int number) {
  int count, kinds[16], found = 0;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count && found < 16; i++)
    if (all[i]->phase == phase) kinds[found++] = i;
  return kinds[number % found];
}

theorem_phase theorem_look_at_phase(hy_phase phase, int generated) {
  theorem_phase all = {0};
  for (int i = 0; i < theorem_written() + generated; i++) {
    theorem_program t;
    bool has_one = false;
    if (!theorem_open_favouring(i, favourite_of(phase, i), &t)) continue;
    for (int k = 0; k < t.test.pipeline.core_count; k++) has_one |= t.test.pipeline.core[k].type->phase == phase;
    all.programs += has_one;
    if (has_one) look_at(&t, phase, &all);
    theorem_close(&t);
  }
  return all;
}

// None is lost today; of generated pairs one in twenty may come to need more steps than a quick look has.
void theorem_phase_keeps(const char *statement, const theorem_phase *all) {
  int count;
  const hy_directive_type *const *types = hy_sched_directives(&count);
  for (int i = 0; i < count; i++) {
    int of = all->provable[i], lost = all->lost[i];
    if (!of) continue;
    test_note("%s: S_i in BI(S_i) implies S_i+1 in BI(S_i+1): %s lost %d of %d", statement, types[i]->name, lost, of);
    ck_assert_msg(lost * 20 <= of, "%s: %s loses the proofs of %d of %d programs", statement, types[i]->name, lost, of);
  }
}

void theorem_phase_note(const char *statement, const theorem_phase *all, int generated) {
  char levels[64] = "";
  if (all->questions) snprintf(levels, sizeof levels, ", %zu questions of L3", all->questions);
  test_note("%s: %d directives in %d programs (generated: seeds %d..%d), for all inputs: %zu obligations of %d S_i+1%s "
            "(%zu more by Z3 alone, of generated programs); sampled: %d runs, %llu points, %llu of computations",
            statement, all->directives, all->programs, THEOREM_SEED, THEOREM_SEED + generated - 1, all->obligations,
            all->members, levels, all->by_z3, all->runs, (unsigned long long)all->points,
            (unsigned long long)all->contents);
  theorem_phase_keeps(statement, all);
}

hy_directive theorem_directive(theorem_program *t, const hy_directive_type *type, const char *func, const char *of,
                               int spec, int stage, const char *loop) {
  hy_context *context = t->test.context;
  const hy_alg *alg = t->test.pipeline.alg;
  return (hy_directive){
      .type = type,
      .func = hy_alg_find(alg, func),
      .loop = hy_var_loop(context, hy_alg_find(alg, of), spec, stage, hy_context_name_of(context, loop)),
  };
}
