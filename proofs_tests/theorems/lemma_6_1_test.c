/* Lemma 6.1 (loop naming): as it is printed, what is wrong with that, and as it is meant stands in
 * semantics/rules/8_statements.md.
 *
 * For all inputs (it is about the text of programs): every S_i of every
 * program, every loop and let. Not covered: programs beyond these; that other
 * code finds a loop by this name is SCH.Loop.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/theorems/theorems.h"
#include "sched/rewrite.h"

#include <string.h>

enum { GENERATED = 150 };

typedef struct {
  const hy_func *func;
  int spec, stage;
} place;
typedef struct {
  HY_VEC(const hy_var *) names;
  place at;
  bool unique, misplaced;
} census;

static bool same_name(const hy_var *a, const hy_var *b) {
  return a->func == b->func && a->spec == b->spec && a->stage == b->stage && strcmp(a->name, b->name) == 0;
}

static void meet(census *c, const hy_var *var) {
  for (size_t i = 0; i < c->names.count; i++) c->unique &= !same_name(c->names.data[i], var);
  c->misplaced |= var->func != c->at.func || var->spec != c->at.spec || var->stage != c->at.stage;
  hy_vec_push(&c->names, var);
}

// A loop belongs to the func, specialization and stage whose labels stand
// around it.
static void walk(census *c, const hy_stmt *stmt) {
  place before = c->at;
  if (stmt->kind == HY_STMT_LABEL) switch (stmt->label.what) {
    case HY_LABEL_FUNC: c->at = (place){stmt->label.func, 0, 0}; break;
    case HY_LABEL_SPEC: c->at.spec = stmt->label.number; break;
    case HY_LABEL_STAGE: c->at.stage = stmt->label.number; break;
    }
  if (stmt->kind == HY_STMT_FOR) meet(c, stmt->loop.var);
  if (stmt->kind == HY_STMT_LET) meet(c, stmt->let.var);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) walk(c, children[i]);
  c->at = before;
}

static bool names_are_unique(const hy_tgt *tgt, size_t *loops) {
  census c = {.unique = true};
  walk(&c, tgt->body);
  *loops += c.names.count;
  hy_vec_free(&c.names);
  return c.unique && !c.misplaced;
}

START_TEST(lemma_6_1) {
  int programs = 0, prefixes = 0;
  size_t loops = 0;
  for (int i = 0; i < theorem_written() + GENERATED; i++) {
    theorem_program t;
    if (!theorem_open(i, &t)) continue;
    programs++;
    for (int k = 0; k < t.test.pipeline.step_count; k++, prefixes++)
      ck_assert_msg(names_are_unique(t.test.pipeline.steps[k], &loops), "%s, S_%d", t.name, k);
    theorem_close(&t);
  }
  ck_assert_int_gt(prefixes, 2 * programs);
  test_note("lemma 6.1: %d programs (generated: seeds %d..%d), all %d prefixes "
            "S_i; for all inputs: %zu loops and lets "
            "with a name of their own",
            programs, THEOREM_SEED, THEOREM_SEED + GENERATED - 1, prefixes, loops);
}
END_TEST

/* -- what is wrong is seen: rewrites without the question whether they apply
 * (D24) -- */

static const struct {
  const char *items, *outer, *inner;
  bool unique;
} splits[] = {
    {"", "xo", "xi", true},
    {"", "y", "xi", false},  // the name of the other loop
    {"", "xo", "xo", false}, // twice the same
    {"", "x", "xi", true},   // a name that it consumes: the let is renamed
    {"split(o.y, a, b, 4);", "a", "xi", false},
    {"split(o.y, a, b, 4);", "y", "xi", false}, // y lives on as a let
};

START_TEST(a_reused_name_is_seen) {
  theorem_program t;
  size_t loops = 0;
  theorem_open_text(&t, "pipeline p() { fun o(x, y) = x + y; }", splits[_i].items);
  hy_context *context = t.test.context;
  const hy_tgt *before = t.test.pipeline.steps[t.test.pipeline.core_count];
  hy_directive split = {.type = &hy_directive_split, .tail = HY_TAIL_GUARD};
  split.func = t.test.pipeline.alg->output;
  split.loop = hy_var_loop(context, split.func, 0, 0, hy_context_name_of(context, "x"));
  split.names[0] = hy_context_name_of(context, splits[_i].outer);
  split.names[1] = hy_context_name_of(context, splits[_i].inner);
  split.args[0] = hy_expr_int(context, 8);
  ck_assert_int_eq(hy_directive_split.applies(context, before, &split, t.test.diagnostics), splits[_i].unique);
  const hy_tgt *after = hy_directive_split.apply(context, before, &split, NULL);
  ck_assert_int_eq(names_are_unique(after, &loops), splits[_i].unique);
  ck_assert_int_eq(hy_tgt_verify(context, after, t.test.diagnostics), splits[_i].unique); // WF.Name
  theorem_close(&t);
}
END_TEST

Suite *lemma_6_1_suite(void) {
  Suite *suite = suite_create("lemma_6_1");
  TCase *t = tcase_create("lemma");
  tcase_add_test(t, lemma_6_1);
  tcase_add_loop_test(t, a_reused_name_is_seen, 0, HY_COUNT(splits));
  suite_add_tcase(suite, t);
  return suite;
}
