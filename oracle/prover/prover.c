#include "oracle/prover/prover_internal.h"

#include <stdlib.h>

enum { MAX_BYTES = 64 << 20, MAX_SCRATCH_BYTES = 1 << 20, MAX_SETS = 1024, MAX_ATOMS = 40000 };

typedef struct hy_prover_record {
  hy_answer answer;
  const char *method;
} hy_prover_record;

static const hy_patience USUAL = {160, 400, 4000, false}, LONG = {1000, 6000, 40000, true},
                         MIDDLE = {1000, 3000, 20000, true};

/* -- life -- */

hy_prover *hy_prover_new(hy_context *context) {
  hy_prover *prover = hy_allocate_zeroed(1, sizeof *prover);
  prover->context = context;
  prover->scratch = hy_arena_new();
  prover->method = "";
  prover->patience = &USUAL;
  prover->work_limit = HY_PROVER_WORK;
  prover->effort_limit = UINT64_MAX;
  hy_terms_init(&prover->terms);
  hy_relevance_init(&prover->relevance, prover->terms.arena);
  return prover;
}

static void forget(hy_prover *prover) {
  hy_fact_set_free_all(prover);
  hy_relevance_free(&prover->relevance);
  while (prover->pool_count) hy_samples_free(prover->pools[--prover->pool_count]);
  hy_terms_free(&prover->terms);
  hy_pair_map_free(&prover->records);
  hy_pair_map_free(&prover->differences);
}

void hy_prover_free(hy_prover *prover) {
  if (!prover) return;
  forget(prover);
  hy_arena_free(prover->scratch);
  hy_vec_free(&prover->constraints);
  hy_vec_free(&prover->steps);
  hy_vec_free(&prover->related);
  hy_vec_free(&prover->chosen);
  hy_vec_free(&prover->point);
  hy_vec_free(&prover->near);
  hy_vec_free(&prover->plain);
  hy_vec_free(&prover->turned);
  for (size_t i = 0; i < HY_COUNT(prover->levels); i++) hy_state_free(&prover->levels[i]);
  hy_state_free(&prover->saved);
  hy_state_free(&prover->ordered);
  hy_free(prover);
}

// Bounded memory: everything remembered goes when it has become too much.
static void make_room(hy_prover *prover) {
  if (hy_arena_bytes(prover->scratch) > MAX_SCRATCH_BYTES) {
    hy_arena_free(prover->scratch);
    prover->scratch = hy_arena_new();
  }
  if (hy_arena_bytes(prover->terms.arena) < MAX_BYTES && prover->set_count < MAX_SETS &&
      prover->terms.atoms.count < MAX_ATOMS)
    return;
  forget(prover);
  hy_terms_init(&prover->terms);
  hy_relevance_init(&prover->relevance, prover->terms.arena);
}

/* -- how it was shown -- */

static int facts_used(const hy_prover *prover) {
  int count = 0;
  for (size_t i = 0; i < prover->steps.count; i++) {
    bool seen = prover->constraints.data[prover->steps.data[i].constraint]->origin != HY_ORIGIN_FACT;
    for (size_t j = 0; j < i && !seen; j++) seen = prover->steps.data[j].constraint == prover->steps.data[i].constraint;
    if (!seen) count++;
  }
  return count;
}

static const char *describe(hy_prover *prover) {
  int facts = facts_used(prover), splits = prover->splits_taken;
  hy_arena *arena = prover->terms.arena;
  int degree = prover->used_product ? 2 : 1;
  const char *plural = facts == 1 ? "fact" : "facts";
  if (splits == 0) return hy_arena_printf(arena, "farkas, degree %d, %d %s", degree, facts, plural);
  return hy_arena_printf(arena, "farkas, degree %d, %d %s, %d %s", degree, facts, plural, splits,
                         splits == 1 ? "split" : "splits");
}

/* -- questions -- */

// A comparison whose sides differ by a constant, or by what the ranges of types settle; with a set also by what its
// equalities define.
static hy_answer settle(hy_prover *prover, hy_fact_set *set, const hy_expr *goal) {
  if (hy_expr_is_true(goal)) return HY_YES;
  if (!hy_prover_is_comparison(goal)) return HY_UNKNOWN;
  const hy_poly *difference = hy_prover_difference(prover, goal);
  const hy_poly *d = difference && set ? hy_fact_set_image(prover, set, difference) : difference;
  if (!d) return HY_UNKNOWN;
  hy_atom_range range = hy_terms_range(&prover->terms, d);
  bool is_zero = d->count == 0 && d->constant == 0;
  bool holds = false;
  switch ((int)goal->op) {
  case HY_OP_EQ: holds = is_zero; break;
  case HY_OP_NE: holds = (range.has_low && range.low > 0) || (range.has_high && range.high < 0); break;
  case HY_OP_LT: holds = range.has_high && range.high < 0; break;
  case HY_OP_LE: holds = range.has_high && range.high <= 0; break;
  case HY_OP_GT: holds = range.has_low && range.low > 0; break;
  case HY_OP_GE: holds = range.has_low && range.low >= 0; break;
  }
  return holds ? HY_YES : HY_UNKNOWN;
}

static void begin(hy_prover *prover) {
  prover->arena = prover->scratch;
  prover->constraints.count = prover->steps.count = 0;
  prover->nodes = prover->formulas = prover->closings = prover->splits_taken = prover->leaf = 0;
  prover->lemmas = prover->float_lemmas = 0;
  prover->work = 0;
  prover->used_product = prover->overflow = prover->thorough = false;
}

static void count_yes(hy_prover *prover) {
  if (prover->splits_taken) prover->counts.splits++;
  if (prover->used_product)
    prover->counts.degree2++;
  else if (prover->closings)
    prover->counts.degree1++;
}

static bool is_given(const hy_fact_set *set, const hy_expr *goal) {
  for (size_t i = 0; i < set->fact_count; i++)
    if (set->facts[i] == goal) return true;
  return false;
}

// Level 0 as the set's facts leave it.
static hy_state *start(hy_prover *prover) {
  hy_fact_set *set = prover->set;
  begin(prover);
  for (size_t i = 0; i < set->constraints.count; i++) hy_vec_push(&prover->constraints, set->constraints.data[i]);
  hy_state_copy(&prover->levels[0], &set->state);
  prover->origin = HY_ORIGIN_GOAL;
  return &prover->levels[0];
}

bool hy_prover_is_spent(const hy_prover *prover) {
  return prover->quick && prover->wasted >= HY_PROVER_WORK - HY_PROVER_LEAST;
}

static void note_waste(hy_prover *prover) {
  prover->wasted += prover->work;
  if (!prover->quick) return;
  prover->work_limit = hy_prover_is_spent(prover) ? HY_PROVER_LEAST : HY_PROVER_WORK - prover->wasted;
}

static hy_answer refute(hy_prover *prover, const hy_expr *goal) {
  hy_state *state = start(prover);
  hy_state_assert(prover, state, goal, false);
  bool refuted = hy_search_refute_question(prover, goal);
  if (!refuted) note_waste(prover);
  if (prover->overflow) prover->counts.overflow++;
  if (!refuted) return hy_search_counterexample(prover, &prover->levels[prover->leaf], goal) ? HY_NO : HY_UNKNOWN;
  count_yes(prover);
  prover->method = describe(prover);
  return HY_YES;
}

// Values once chosen stay: where the facts of another place left none that suit, the next pool starts afresh.
static void find_samples(hy_prover *prover, hy_fact_set *set) {
  set->is_sampled = true;
  for (int i = 0; i < HY_PROVER_POOLS; i++) {
    if (i == prover->pool_count) prover->pools[prover->pool_count++] = hy_samples_new();
    uint32_t holding = hy_samples_holding(prover->pools[i], set->facts, set->fact_count);
    if (__builtin_popcount(holding) <= __builtin_popcount(set->holding)) continue;
    set->pool = prover->pools[i];
    set->holding = holding;
    if (__builtin_popcount(holding) > 2) return;
  }
}

// The sample of some points at which the set's facts hold and the goal does not, -1 = none.
static int sample_against(hy_prover *prover, hy_fact_set *set, const hy_expr *goal, uint32_t points) {
  if (!set->is_sampled) find_samples(prover, set);
  return set->pool ? hy_samples_refute(set->pool, set->holding & points, goal) : -1;
}

// What needs no search. HY_UNKNOWN with "refuted": a sample refutes it, but loads of one place must agree.
static hy_answer glance(hy_prover *prover, const hy_expr *goal, bool *refuted) {
  static const uint32_t FEW_POINTS = 0x3f;
  *refuted = false;
  if (prover->set->state.closed) {
    prover->method = "the facts contradict each other";
    return HY_YES;
  }
  if (is_given(prover->set, goal)) {
    prover->method = "given";
    return HY_YES;
  }
  prover->method = "constant";
  if (settle(prover, prover->set, goal) == HY_YES) return HY_YES;
  prover->method = "at once"; // few points refute most of what is refuted
  *refuted = sample_against(prover, prover->set, goal, FEW_POINTS) >= 0;
  if (!*refuted && hy_follows_at_once(prover, prover->set, goal)) return HY_YES;
  prover->method = "";
  *refuted = *refuted || sample_against(prover, prover->set, goal, ~FEW_POINTS) >= 0;
  return *refuted && prover->set->is_plain && !goal->has_access ? HY_NO : HY_UNKNOWN;
}

static hy_answer answer(hy_prover *prover, const hy_expr *goal) {
  bool refuted;
  hy_answer first = glance(prover, goal, &refuted);
  return first != HY_UNKNOWN || refuted ? first : refute(prover, goal);
}

static void choose_facts(hy_prover *prover, const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  prover->turned.count = 0;
  for (size_t i = count; prover->is_turned && i-- > 0;) hy_vec_push(&prover->turned, facts[i]);
  if (prover->is_turned && count) facts = prover->turned.data;
  if (count > HY_RELEVANT_FACTS) {
    hy_vec_reserve(&prover->chosen, count);
    count = hy_relevance_choose(&prover->relevance, facts, count, goal, prover->chosen.data);
    facts = prover->chosen.data;
  }
  prover->set = hy_fact_set_get(prover, facts, count);
}

void hy_prover_hurry(hy_prover *prover) {
  prover->quick = true;
  prover->wasted = 0;
  prover->work_limit = HY_PROVER_WORK;
}

// least <= e && e <= greatest of 64 bits: what B.Fits owed of another number. It is many times as much as any number
// of a program that runs, and says nothing that shows another to fit.
bool hy_prover_says_only_fits(const hy_expr *fact) {
  int64_t low, high;
  if (fact->kind != HY_EXPR_OP || fact->op != HY_OP_AND) return false;
  const hy_expr *a = fact->args[0], *b = fact->args[1];
  return a->kind == HY_EXPR_OP && a->op == HY_OP_GE && hy_expr_is_int(a->args[1], &low) && low == INT64_MIN &&
         b->kind == HY_EXPR_OP && b->op == HY_OP_LE && hy_expr_is_int(b->args[1], &high) && high == INT64_MAX;
}

static void see_choice(void *self, const hy_expr *node) {
  bool *found = self;
  if (node->kind != HY_EXPR_OP) return;
  *found |= hy_op_kind_of(node->op) == HY_KIND_EXTREMUM || hy_op_kind_of(node->op) == HY_KIND_CHOICE;
}

// That a hull is not empty brings its minima and maxima, and seldom matters to what is not about a length itself.
static bool is_of_hull(const hy_expr *fact) {
  if (fact->kind != HY_EXPR_OP || fact->op != HY_OP_GE || fact->args[0]->kind == HY_EXPR_VAR) return false;
  bool found = false;
  hy_expr_visit(fact->args[0], see_choice, &found);
  return found;
}

// Where there are many facts, two for every element of a long sum: what is tried first, without those about what is
// read.
typedef enum hy_selection { HY_NO_READS, HY_ITS_READS, HY_ALL_READS } hy_selection;

static bool is_left_out(hy_prover *prover, const hy_expr *fact, const hy_expr *goal, hy_selection selection) {
  if (selection == HY_NO_READS && hy_relevance_is_of_reads(&prover->relevance, fact)) return true;
  if (selection == HY_ITS_READS && hy_relevance_is_of_other_reads(&prover->relevance, fact, goal)) return true;
  return hy_relevance_is_of_other_image(&prover->relevance, fact, goal);
}

// What an image must hold is a large fact; a goal that does not speak of images, or only of another one or of the other
// end, is first tried without it, and any goal without what fits. False if nothing can be left out.
static bool leave_out(hy_prover *prover, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                      hy_selection selection) {
  prover->plain.count = 0;
  bool is_of_length = hy_prover_says_only_fits(goal) || is_of_hull(goal);
  for (size_t i = 0; i < count; i++)
    if ((goal->has_box || !facts[i]->has_box) && !hy_prover_says_only_fits(facts[i]) &&
        (is_of_length || !is_of_hull(facts[i])) && !is_left_out(prover, facts[i], goal, selection))
      hy_vec_push(&prover->plain, facts[i]);
  return prover->plain.count < count;
}

// What an image must hold around a rotation is made of the corners of all that is computed, for each of its ends: a goal that
// speaks of the image is tried with those of its own dimensions. False if nothing is left out.
static bool leave_out_other_sides(hy_prover *prover, const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  prover->plain.count = 0;
  for (size_t i = 0; i < count && goal->has_box; i++)
    if (!hy_relevance_is_of_other_side(&prover->relevance, facts[i], goal)) hy_vec_push(&prover->plain, facts[i]);
  return goal->has_box && prover->plain.count < count;
}

static hy_selection first_selection(size_t count) { return count > HY_RELEVANT_FACTS ? HY_NO_READS : HY_ALL_READS; }

static const hy_prover_record *answer_from(hy_prover *prover, const hy_expr *const *facts, size_t count,
                                           const hy_expr *goal) {
  choose_facts(prover, facts, count, goal);
  const hy_prover_record *known = hy_pair_map_get(&prover->records, prover->set, goal);
  if (known) return known;
  begin(prover);
  hy_prover_record *record = HY_NEW(prover->terms.arena, hy_prover_record);
  record->answer = answer(prover, goal);
  record->method = prover->method;
  hy_pair_map_put(&prover->records, prover->set, goal, record);
  return record;
}

// How many facts have to do with the goal: they are the first in prover->related.
static size_t divide(hy_prover *prover, const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  hy_vec_reserve(&prover->related, count + 1);
  return hy_relevance_divide(&prover->relevance, facts, count, goal, prover->related.data);
}

// From facts that all have to do with the goal. HY_NO: at a point where all of them hold.
static hy_prover_record answer_related(hy_prover *prover, const hy_expr *const *facts, size_t count,
                                       const hy_expr *goal) {
  const hy_prover_record *known = NULL;
  for (hy_selection s = first_selection(count); s <= HY_ALL_READS && (!known || known->answer != HY_YES); s++)
    if (leave_out(prover, facts, count, goal, s))
      known = answer_from(prover, prover->plain.data, prover->plain.count, goal);
  if ((!known || known->answer != HY_YES) && leave_out_other_sides(prover, facts, count, goal))
    known = answer_from(prover, prover->plain.data, prover->plain.count, goal);
  if (known && known->answer == HY_YES) return *known;
  hy_prover_record record = *answer_from(prover, facts, count, goal);
  // A counterexample of some of the facts may break another.
  if (record.answer == HY_NO && prover->set->fact_count < count) record.answer = HY_UNKNOWN;
  return record;
}

// Do facts that share no unknown with the goal contradict each other? Else nothing follows from them. HY_NO: there is a
// point at which all of them hold.
static hy_prover_record contradict(hy_prover *prover, const hy_expr *const *facts, size_t count) {
  if (count > HY_RELEVANT_FACTS) return (hy_prover_record){HY_UNKNOWN, ""};
  return *answer_from(prover, facts, count, hy_expr_bool(prover->context, false));
}

hy_answer hy_prover_holds(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal) {
  HY_ASSERT(goal->type == HY_BOOL);
  prover->counts.asked++;
  make_room(prover);
  if (settle(prover, NULL, goal) == HY_YES) { // whatever the facts are
    prover->counts.yes++;
    prover->method = "constant";
    return HY_YES;
  }
  size_t related = divide(prover, facts, fact_count, goal), others = fact_count - related;
  hy_prover_record record = answer_related(prover, prover->related.data, related, goal);
  if (record.answer != HY_YES && others > 0) {
    hy_prover_record of_others = contradict(prover, prover->related.data + related, others);
    if (of_others.answer == HY_YES) record = of_others;
    if (record.answer == HY_NO && of_others.answer != HY_NO) record.answer = HY_UNKNOWN;
  }
  if (record.answer == HY_YES) prover->counts.yes++;
  prover->method = record.method;
  return record.answer;
}

hy_answer hy_prover_glance(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal) {
  bool refuted;
  make_room(prover);
  if (settle(prover, NULL, goal) == HY_YES) return HY_YES;
  size_t related = divide(prover, facts, fact_count, goal), others = fact_count - related;
  facts = prover->related.data;
  fact_count = related;
  if (leave_out(prover, facts, fact_count, goal, first_selection(fact_count))) {
    facts = prover->plain.data;
    fact_count = prover->plain.count;
  }
  choose_facts(prover, facts, fact_count, goal);
  begin(prover);
  hy_answer first = glance(prover, goal, &refuted);
  if (first == HY_YES) return HY_YES; // a counterexample of some facts is none of all
  if (others == 0 || others > HY_RELEVANT_FACTS) return HY_UNKNOWN;
  return hy_fact_set_get(prover, prover->related.data + related, others)->state.closed ? HY_YES : HY_UNKNOWN;
}

/* -- counterexamples -- */

typedef struct {
  const hy_samples *samples;
  int point;
  hy_prover_value *values;
  size_t count, room;
} collection;

static void collect(void *self, const hy_expr *node) {
  collection *c = self;
  hy_wide value;
  if (!hy_samples_value(c->samples, c->point, node, &value) || value != (int64_t)value || c->count == c->room) return;
  for (size_t i = 0; i < c->count; i++)
    if (c->values[i].unknown == node) return;
  c->values[c->count++] = (hy_prover_value){node, (int64_t)value};
}

bool hy_prover_counterexample(hy_prover *prover, const hy_expr *const *facts, size_t fact_count, const hy_expr *goal,
                              hy_prover_value *values, size_t room, size_t *count) {
  make_room(prover);
  hy_fact_set *set = hy_fact_set_get(prover, facts, fact_count);
  int point = sample_against(prover, set, goal, UINT32_MAX);
  if (point < 0 || !set->is_plain || goal->has_access) return false;
  collection c = {set->pool, point, values, 0, room};
  for (size_t i = 0; i < fact_count; i++) hy_expr_visit(facts[i], collect, &c);
  hy_expr_visit(goal, collect, &c);
  *count = c.count;
  return true;
}

bool hy_prover_contradictory(hy_prover *prover, const hy_expr *const *facts, size_t fact_count) {
  enum { SHORT_NODES = 12, SHORT_WORK = 200000 };
  make_room(prover);
  begin(prover);
  hy_fact_set *set = prover->set = hy_fact_set_get(prover, facts, fact_count);
  if (!set->is_sampled) find_samples(prover, set);
  if (set->is_judged || set->holding) return set->is_contradictory;
  set->is_judged = true;
  hy_state *state = start(prover);
  prover->nodes = prover->patience->nodes - SHORT_NODES;
  prover->work = prover->work_limit > SHORT_WORK ? prover->work_limit - SHORT_WORK : 0;
  set->is_contradictory = state->closed || hy_search_refute(prover, 0);
  return set->is_contradictory;
}

/* -- for certificates -- */

static const hy_proof *refutation_from(hy_prover *prover, const hy_expr *const *facts, size_t count,
                                       const hy_expr *goal) {
  choose_facts(prover, facts, count, goal);
  hy_state *state = start(prover);
  if (!state->closed) hy_state_assert(prover, state, goal, false);
  return hy_search_refute_question(prover, goal) ? state->proof : NULL;
}

static const hy_proof *refutation_from_related(hy_prover *prover, const hy_expr *const *facts, size_t count,
                                               const hy_expr *goal) {
  const hy_proof *proof = NULL;
  for (hy_selection s = first_selection(count); s <= HY_ALL_READS && !proof; s++)
    if (leave_out(prover, facts, count, goal, s))
      proof = refutation_from(prover, prover->plain.data, prover->plain.count, goal);
  if (!proof && leave_out_other_sides(prover, facts, count, goal))
    proof = refutation_from(prover, prover->plain.data, prover->plain.count, goal);
  if (!proof) proof = refutation_from(prover, facts, count, goal);
  if (proof || !prover->overflow || count > HY_RELEVANT_FACTS) return proof;
  // Numbers grew too large on the way: another way may be shorter.
  const hy_expr *turned[HY_RELEVANT_FACTS];
  for (size_t i = 0; i < count; i++) turned[i] = facts[count - 1 - i];
  return refutation_from(prover, turned, count, goal);
}

const hy_proof *hy_prover_refutation(hy_prover *prover, const hy_expr *const *facts, size_t count,
                                     const hy_expr *goal) {
  size_t related = divide(prover, facts, count, goal);
  const hy_proof *proof = refutation_from_related(prover, prover->related.data, related, goal);
  if (proof || related == count || count - related > HY_RELEVANT_FACTS) return proof;
  return refutation_from(prover, prover->related.data + related, count - related, hy_expr_bool(prover->context, false));
}

const hy_proof *hy_prover_refute_poly(hy_prover *prover, const hy_poly *poly) {
  prover->set = hy_fact_set_get(prover, NULL, 0);
  hy_state *state = start(prover);
  prover->arena = prover->terms.arena; // it is remembered
  prover->cause = (hy_ground){.kind = HY_CAUSE_ASSUMED};
  hy_state_constrain(prover, state, poly, false, HY_ORIGIN_CUT, -1, -1);
  return state->closed || hy_search_refute(prover, 0) ? state->proof : NULL;
}

const char *hy_prover_method(const hy_prover *prover) { return prover->method; }
void hy_prover_persist(hy_prover *prover, bool is_turned) {
  prover->is_turned = is_turned;
  prover->persists = true;
  prover->patience = &LONG;
  prover->work_limit = HY_PROVER_LONG;
}

void hy_prover_persist_a_little(hy_prover *prover, bool is_turned) {
  prover->is_turned = is_turned;
  prover->persists = true;
  prover->patience = &MIDDLE;
  prover->work_limit = HY_PROVER_MIDDLE;
}

void hy_prover_limit_effort(hy_prover *prover, uint64_t most) { prover->effort_limit = most; }

void hy_prover_shorten(hy_prover *prover, bool is_short) {
  prover->work_limit = is_short ? HY_PROVER_WORK / 40 : HY_PROVER_WORK;
}
hy_prover_counts hy_prover_statistics(const hy_prover *prover) { return prover->counts; }
