/* Deciding what a program owes (VER, section 9 of the specification), in this order: our prover, of the obligation as
 * it stands and then of stronger statements; a point at which the facts hold and the goal does not; a longer look by a
 * fresh prover; Z3. Unknown is never read as yes, and a model of Z3 outweighs a proof of ours ("contested").
 *
 * How long an obligation is looked at depends on counts, not on time (D73): where so much is open or refuted that
 * nothing proves the program any more, what follows gets less. Facts that contradict each other show nothing (D62):
 * such a place is dead (VER.Dead), such an entry makes the query vacuous (VER.Vacuous).
 */

#include "oracle/oracle.h"

#include "oracle/prover/generalize.h"
#include "oracle/prover/pair_map.h"
#include "oracle/z3/z3_check.h"
#include "oracle/z3/z3_size.h"
#include "semantics/base/clock.h"

#include <stdlib.h>
#include <string.h>

const char *hy_verdict_name(hy_verdict verdict) {
  switch (verdict) {
  case HY_VERDICT_PROVED: return "PROVED";
  case HY_VERDICT_PROVED_Z3: return "PROVED-Z3";
  case HY_VERDICT_REFUTED: return "REFUTED";
  case HY_VERDICT_UNKNOWN: return "UNKNOWN";
  }
  HY_UNREACHABLE();
}

const char *hy_oracle_print_model(hy_context *context, const hy_z3_verdict *v) {
  hy_text text = {0};
  for (size_t i = 0; i < v->model_count; i++) {
    if (i) hy_text_add(&text, ", ");
    hy_expr_print_brief(v->model[i].unknown, 160, &text);
    hy_text_printf(&text, " = %lld", (long long)v->model[i].value);
  }
  const char *line = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return line;
}

void hy_oracle_settle(hy_context *context, hy_decision *d, const hy_z3_verdict *z3) {
  bool ours = d->verdict == HY_VERDICT_PROVED;
  if (d->verdict == HY_VERDICT_REFUTED) { // at a point that was evaluated
    d->contested = z3->answer == HY_YES;
    return;
  }
  if (z3->answer == HY_NO) {
    d->contested = ours;
    d->verdict = HY_VERDICT_REFUTED;
    d->model = hy_oracle_print_model(context, z3);
    d->values = z3->model;
    d->value_count = z3->model_count;
  } else if (!ours) {
    bool shown = z3->answer == HY_YES;
    d->verdict = shown ? HY_VERDICT_PROVED_Z3 : HY_VERDICT_UNKNOWN;
  }
}

// As it stands, or with its compound divisors, or all of its hulls, replaced by unknowns or named.
static hy_answer ask(hy_context *context, hy_prover *prover, const hy_obligation *o, hy_generalization what) {
  hy_general_question general;
  if (what == HY_AS_IT_STANDS) return hy_prover_holds(prover, o->facts, o->fact_count, o->goal);
  if (!hy_generalize(context, what, o->facts, o->fact_count, o->goal, &general)) return HY_UNKNOWN;
  bool holds = hy_prover_holds(prover, general.facts, general.fact_count, general.goal) == HY_YES;
  return holds ? HY_YES : HY_UNKNOWN; // a counterexample of more is none of less
}

// Neighbours are often proved alike: "likely" is the question by which the last one was, and is asked first where a
// glance is not enough. "how" tells by which this one is.
static bool is_proved(hy_context *context, hy_prover *prover, const hy_obligation *o, hy_generalization last,
                      hy_generalization *likely, hy_generalization *how) {
  hy_generalization first = *likely <= last ? *likely : HY_AS_IT_STANDS;
  *how = HY_AS_IT_STANDS;
  if (first != HY_AS_IT_STANDS && hy_prover_glance(prover, o->facts, o->fact_count, o->goal) == HY_YES) return true;
  hy_answer answer = ask(context, prover, o, *how = first);
  for (hy_generalization what = HY_AS_IT_STANDS; what <= last && answer == HY_UNKNOWN; what++)
    if (what != first) answer = ask(context, prover, o, *how = what);
  if (answer == HY_YES) *likely = *how;
  return answer == HY_YES;
}

// VER.Dead: it holds for nothing, because its place is never reached; it is listed (decision D62).
static bool is_dead(hy_prover *prover, const hy_obligation *o) {
  return hy_obligation_speaks_of_its_place(o) && hy_prover_contradictory(prover, o->facts, o->fact_count);
}

bool hy_oracle_sample(hy_context *context, hy_prover *prover, const hy_obligation *o, hy_z3_verdict *verdict) {
  enum { MOST_VALUES = 64 };
  hy_prover_value values[MOST_VALUES];
  size_t count;
  if (!hy_prover_counterexample(prover, o->facts, o->fact_count, o->goal, values, MOST_VALUES, &count)) return false;
  hy_z3_value *model = HY_NEW_ARRAY(hy_context_arena(context), hy_z3_value, count + 1);
  for (size_t i = 0; i < count; i++) model[i] = (hy_z3_value){values[i].unknown, values[i].value};
  *verdict = (hy_z3_verdict){.answer = HY_NO, .model = model, .model_count = count};
  return true;
}

static void take_counterexample(hy_context *context, hy_prover *prover, hy_decision *d) {
  hy_z3_verdict verdict;
  if (!hy_oracle_sample(context, prover, d->obligation, &verdict)) return;
  d->verdict = HY_VERDICT_REFUTED;
  d->model = hy_oracle_print_model(context, &verdict);
  d->values = verdict.model;
  d->value_count = verdict.model_count;
}

// What is refused for one number is refused for all: after a few that do not fit, the others get less time. Where some
// obligations stay open, nothing proves the program any more, and all that follow get less, unless each counts by
// itself; after too many no search, later no counterexamples either, and nothing where one is refuted. For Z3 in a hurry so many are too many: it is
// asked about a few, for models.
enum {
  MOST_OVERFLOWS = 3,
  MOST_OPEN = 6,
  MANY_OPEN = 24,
  MOST_VAIN = 2,
  MANY_VAIN = 6,
  MOST_VAIN_IN_A_HURRY = 1,
  FEW_OPEN = 6,
  HASTY_UNKNOWN = 1,
  LESS_TIME = 10,
  TOO_MANY_OPEN = 60,
  MOST_SAMPLED = 240
};

static bool is_hasty(const hy_oracle_options *options) { return !options->cross_check && options->z3_limit < HY_HASTY; }

// "vain": how many such looks at others have found nothing. The first may take several seconds, as one proof in a
// thousand does; then it is likely that nothing is found, and a second at a time has to do.
static bool look_longer(hy_context *context, const hy_obligation *o, bool hasty, int vain, hy_generalization *likely,
                        hy_generalization *how) {
  bool proved = false;
  for (int turned = 0; turned < 2 && !proved; turned++) {
    hy_prover *prover = hy_prover_new(context);
    (hasty ? hy_prover_persist_a_little : hy_prover_persist)(prover, turned);
    hy_prover_limit_effort(prover, vain || turned ? HY_PROVER_EFFORT : HY_PROVER_EFFORT_AT_FIRST);
    proved = is_proved(context, prover, o, HY_NAMED_ALL, likely, how);
    hy_prover_free(prover);
  }
  return proved;
}

bool hy_oracle_look_longer(hy_context *context, const hy_obligation *o, hy_generalization *how) {
  hy_generalization likely = HY_AS_IT_STANDS;
  return look_longer(context, o, false, 0, &likely, how);
}

// What stays open at a usual look gets a long one, by a prover that has seen nothing else: what it finds does not
// depend on what was asked before. Not where much is open, and in a hurry not as long: a campaign is better off with
// more programs.
static void look_longer_at_all(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                               hy_decision *decisions) {
  bool hasty = is_hasty(options);
  int most = hasty ? MOST_VAIN_IN_A_HURRY : options->each_counts ? MANY_VAIN : MOST_VAIN, vain = 0;
  hy_generalization likely = HY_AS_IT_STANDS;
  for (size_t i = 0; i < query->count; i++)
    if (decisions[i].verdict == HY_VERDICT_REFUTED) vain = most; // it is refused
  for (size_t i = 0; i < query->count && vain < most; i++) {
    hy_decision *d = &decisions[i];
    if (d->verdict != HY_VERDICT_UNKNOWN) continue;
    if (look_longer(context, &query->obligations[i], hasty, vain, &likely, &d->how)) d->verdict = HY_VERDICT_PROVED;
    vain += d->verdict == HY_VERDICT_UNKNOWN;
  }
}

// How many obligations before have turned out to be what, which decides how long the next one is looked at.
typedef struct {
  int overflows, open, refuted, most_open;
} toll;

static void ask_prover_one(hy_context *context, hy_prover *prover, const hy_obligation *o, hy_generalization *likely,
                           toll *before, hy_decision *d) {
  bool overflowing = o->kind == HY_B_FITS && before->overflows >= MOST_OVERFLOWS, proved = o->decided_by_range;
  hy_prover_shorten(prover, overflowing || before->open >= before->most_open);
  *d = (hy_decision){.obligation = o, .verdict = HY_VERDICT_UNKNOWN};
  bool too_many = before->open >= TOO_MANY_OPEN;
  if (too_many && before->refuted && !proved) return;
  hy_generalization last = overflowing ? HY_AS_IT_STANDS : HY_NAMED_ALL;
  if (!proved && too_many) proved = hy_prover_glance(prover, o->facts, o->fact_count, o->goal) == HY_YES;
  if (!proved && !too_many) proved = is_proved(context, prover, o, last, likely, &d->how);
  if (proved) {
    d->verdict = HY_VERDICT_PROVED;
    d->dead = is_dead(prover, o);
    return;
  }
  if (before->open < MOST_SAMPLED) take_counterexample(context, prover, d);
  before->overflows += o->kind == HY_B_FITS;
  before->open += d->verdict == HY_VERDICT_UNKNOWN;
  before->refuted += d->verdict == HY_VERDICT_REFUTED;
}

static void ask_prover(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                       hy_decision *decisions, hy_oracle_report *report) {
  hy_prover *prover = hy_prover_new(context);
  toll before = {.most_open = options->each_counts && !is_hasty(options) ? MANY_OPEN : MOST_OPEN};
  hy_generalization likely = HY_AS_IT_STANDS;
  for (size_t i = 0; i < query->count; i++) {
    if (options->progress) options->progress(options->progress_self, false, i, query->count);
    ask_prover_one(context, prover, &query->obligations[i], &likely, &before, &decisions[i]);
  }
  look_longer_at_all(context, query, options, decisions);
  // VER.Vacuous: the entry facts contradict each other (decision D62).
  report->vacuous = hy_oracle_contradictory(context, prover, query->entry, query->entry_count, options->z3_limit);
  if (report->vacuous) hy_context_hit(context, HY_RULE_VER_VACUOUS);
  hy_prover_free(prover);
}

// One number that does not fit is as bad as many, and refused by now.
static bool is_in_vain(const hy_decision *d, const hy_oracle_options *options, bool overflows) {
  return is_hasty(options) && overflows && d->obligation->kind == HY_B_FITS;
}

// The questions to Z3 that are not settled without it.
typedef struct {
  hy_z3_question *questions;
  hy_z3_verdict *verdicts;
  size_t *asked; // by question: the position of its decision
  size_t count;
} z3_batch;

static z3_batch batch_new(size_t room) {
  return (z3_batch){hy_allocate_zeroed(room, sizeof(hy_z3_question)), hy_allocate_zeroed(room, sizeof(hy_z3_verdict)),
                    hy_allocate_zeroed(room, sizeof(size_t)), 0};
}

static void batch_add(z3_batch *b, const hy_obligation *o, size_t position) {
  b->questions[b->count] = (hy_z3_question){o->facts, o->fact_count, o->goal};
  b->asked[b->count++] = position;
}

static void batch_free(z3_batch *b) {
  hy_free(b->questions);
  hy_free(b->verdicts);
  hy_free(b->asked);
}

static void tell_of_z3(void *self, size_t settled, size_t count) {
  const hy_oracle_options *options = self;
  options->progress(options->progress_self, true, settled, count);
}

// Asks until so many have no answer; what is left is in "rest", unless Z3 does not run at all.
static void ask_batch(hy_context *context, const z3_batch *b, const hy_oracle_options *options, unsigned z3_limit,
                      size_t most_unknown, hy_decision *decisions, z3_batch *rest) {
  if (b->count == 0) return;
  hy_oracle_options told = *options;
  const hy_z3_watch watch = {tell_of_z3, &told};
  hy_z3_check_until(context, b->questions, b->count, z3_limit, most_unknown, options->progress ? &watch : NULL,
                    b->verdicts);
  for (size_t k = 0; k < b->count; k++) {
    hy_decision *d = &decisions[b->asked[k]];
    const hy_z3_verdict *v = &b->verdicts[k];
    bool was_asked = v->answer != HY_UNKNOWN || v->steps > 0 || v->seconds > 0 || v->too_large || v->emergency;
    if (was_asked && !v->too_large) d->z3_asked = hy_z3_limit_for(&b->questions[k], z3_limit);
    d->too_large = v->too_large && d->verdict == HY_VERDICT_UNKNOWN;
    d->emergency = v->emergency && d->verdict == HY_VERDICT_UNKNOWN;
    if (!was_asked && rest) batch_add(rest, d->obligation, b->asked[k]);
    hy_oracle_settle(context, d, &b->verdicts[k]);
  }
  if (rest && rest->count == b->count) rest->count = 0;
}

static void ask_z3(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                   hy_decision *decisions) {
  z3_batch all = batch_new(query->count), shown = batch_new(query->count), rest = batch_new(query->count);
  bool overflows = false, refuted = false, hasty = is_hasty(options);
  for (size_t i = 0; i < query->count; i++) {
    refuted |= decisions[i].verdict == HY_VERDICT_REFUTED;
    overflows |= decisions[i].verdict == HY_VERDICT_REFUTED && query->obligations[i].kind == HY_B_FITS;
  }
  for (size_t i = 0; i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    bool open = decisions[i].verdict == HY_VERDICT_UNKNOWN;
    if (o->decided_by_range || (!open && !options->cross_check)) continue;
    if (!is_in_vain(&decisions[i], options, overflows)) batch_add(open ? &all : &shown, o, i);
  }
  if (hasty && all.count > MANY_OPEN) all.count = FEW_OPEN;
  if (refuted && !options->cross_check && all.count > TOO_MANY_OPEN) all.count = 0; // it is refused
  bool each = options->each_counts && !hasty && !refuted;
  size_t most_unknown = hasty ? HASTY_UNKNOWN : options->cross_check ? all.count + 1 : each ? MANY_OPEN : 1;
  ask_batch(context, &all, options, options->z3_limit, most_unknown, decisions, hasty ? NULL : &rest);
  ask_batch(context, &rest, options, options->z3_limit / LESS_TIME + 1, each ? TOO_MANY_OPEN : MOST_OPEN, decisions,
            NULL);
  rest.count = 0;
  ask_batch(context, &shown, options, options->z3_limit, MOST_OPEN, decisions, &rest);
  ask_batch(context, &rest, options, options->z3_limit / LESS_TIME + 1, MANY_OPEN, decisions, NULL);
  batch_free(&rest);
  batch_free(&shown);
  batch_free(&all);
}

// VER.Proved, VER.Proved-Z3, VER.Refuted, VER.Unknown: unknown is never read as yes.
static void count_verdict(hy_context *context, hy_verdict verdict) {
  switch (verdict) {
  case HY_VERDICT_PROVED: hy_context_hit(context, HY_RULE_VER_PROVED); return;
  case HY_VERDICT_PROVED_Z3: hy_context_hit(context, HY_RULE_VER_PROVED_Z3); return;
  case HY_VERDICT_REFUTED: hy_context_hit(context, HY_RULE_VER_REFUTED); return;
  case HY_VERDICT_UNKNOWN: hy_context_hit(context, HY_RULE_VER_UNKNOWN); return;
  }
  HY_UNREACHABLE();
}

void hy_oracle_decide(hy_context *context, const hy_query *query, const hy_oracle_options *options,
                      hy_oracle_report *report) {
  *report = (hy_oracle_report){0};
  double start = hy_seconds();
  hy_decision *decisions = HY_NEW_ARRAY(hy_context_arena(context), hy_decision, query->count);
  ask_prover(context, query, options, decisions, report);
  ask_z3(context, query, options, decisions);
  report->decisions = decisions;
  report->count = query->count;
  for (size_t i = 0; i < query->count; i++) {
    count_verdict(context, decisions[i].verdict);
    report->proved += decisions[i].verdict == HY_VERDICT_PROVED;
    report->proved_z3 += decisions[i].verdict == HY_VERDICT_PROVED_Z3;
    report->refuted += decisions[i].verdict == HY_VERDICT_REFUTED;
    report->unknown += decisions[i].verdict == HY_VERDICT_UNKNOWN;
    report->contested += decisions[i].contested;
    report->emergencies += decisions[i].emergency;
    report->dead += decisions[i].dead;
  }
  if (report->dead) hy_context_hit(context, HY_RULE_VER_DEAD);
  report->seconds = hy_seconds() - start;
}

/* -- other bounds of a program that is decided -- */

static uint64_t facts_hash(const hy_obligation *o) {
  uint64_t hash = o->fact_count;
  for (size_t i = 0; i < o->fact_count; i++) hash = hy_hash(hash, o->facts[i]->hash);
  return hash;
}

static bool same_facts(const hy_obligation *a, const hy_obligation *b) {
  return a->fact_count == b->fact_count &&
         (a->fact_count == 0 || memcmp(a->facts, b->facts, sizeof *a->facts * a->fact_count) == 0);
}

static void note(const hy_obligation *o, hy_pair_map *known) {
  const void *facts = (const void *)(uintptr_t)facts_hash(o);
  if (!o->decided_by_range && !hy_pair_map_get(known, o->goal, facts)) hy_pair_map_put(known, o->goal, facts, o);
}

// The obligations that a report proves, by goal and facts.
static void note_proved(const hy_oracle_report *known, hy_pair_map *proved) {
  for (size_t i = 0; known && i < known->count; i++)
    if (known->decisions[i].verdict == HY_VERDICT_PROVED) note(known->decisions[i].obligation, proved);
}

static bool is_known(const hy_pair_map *proved, const hy_obligation *o) {
  const hy_obligation *same = hy_pair_map_get(proved, o->goal, (const void *)(uintptr_t)facts_hash(o));
  return o->decided_by_range || (same && same_facts(same, o));
}

static hy_answer accept(hy_context *context, hy_prover *prover, const hy_query *query, const hy_pair_map *proved) {
  hy_generalization likely = HY_AS_IT_STANDS, how;
  hy_z3_verdict verdict;
  if (hy_prover_holds(prover, query->entry, query->entry_count, hy_expr_bool(context, false)) == HY_YES)
    return HY_UNKNOWN;
  for (size_t i = 0; i < query->count; i++)
    if (!is_known(proved, &query->obligations[i]) &&
        !is_proved(context, prover, &query->obligations[i], HY_NAMED_ALL, &likely, &how))
      return hy_oracle_sample(context, prover, &query->obligations[i], &verdict) ? HY_NO : HY_UNKNOWN;
  return HY_YES;
}

hy_answer hy_oracle_accepts(hy_context *context, const hy_query *query, const hy_oracle_report *known) {
  hy_prover *prover = hy_prover_new(context);
  hy_pair_map proved = {0};
  note_proved(known, &proved);
  hy_answer answer = accept(context, prover, query, &proved);
  hy_pair_map_free(&proved);
  hy_prover_free(prover);
  return answer;
}

/* -- a program that owes more than another -- */

static hy_answer leave(hy_context *context, hy_prover *prover, const hy_query *query, const hy_pair_map *known,
                       hy_oracle_left *left) {
  hy_generalization likely = HY_AS_IT_STANDS, how;
  hy_z3_verdict verdict;
  if (hy_prover_holds(prover, query->entry, query->entry_count, hy_expr_bool(context, false)) == HY_YES)
    return HY_UNKNOWN;
  for (size_t i = 0; i < query->count && left->count < HY_MOST_LEFT; i++) {
    const hy_obligation *o = &query->obligations[i];
    if (is_known(known, o) || is_proved(context, prover, o, HY_NAMED_ALL, &likely, &how)) continue;
    if (hy_oracle_sample(context, prover, o, &verdict)) return HY_NO;
    if (!look_longer(context, o, true, 1, &likely, &how)) left->open[left->count++] = o;
  }
  return left->count ? HY_UNKNOWN : HY_YES;
}

hy_answer hy_oracle_accepts_beside(hy_context *context, const hy_query *query, const hy_query *owed,
                                   hy_oracle_left *left) {
  *left = (hy_oracle_left){.count = 0};
  hy_prover *prover = hy_prover_new(context);
  hy_pair_map known = {0};
  for (size_t i = 0; i < owed->count; i++) note(&owed->obligations[i], &known);
  hy_answer answer = leave(context, prover, query, &known, left);
  hy_pair_map_free(&known);
  hy_prover_free(prover);
  return answer;
}
