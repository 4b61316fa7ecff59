#include "autosched/measured.h"

#include "autosched/halving.h"
#include "autosched/moves.h"
#include "semantics/base/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 8, PARENTS = 8, DRAWN = 40, TRIES = 400, PATIENCE = 40, FINALISTS = 4 };

/* -- entries -- */

static int find(const hy_measured *m, const char *schedule) {
  for (size_t i = 0; i < m->count; i++)
    if (strcmp(m->entries[i].schedule, schedule) == 0) return (int)i;
  return -1;
}

static void add(hy_measured *m, hy_entry entry) {
  if (m->count == m->capacity) m->entries = hy_vec_grown(m->entries, &m->capacity, m->count + 1, sizeof *m->entries);
  m->entries[m->count++] = entry;
}

void hy_measured_seed(hy_measured *m, const char *schedule, const char *origin, hy_choices_list *choices) {
  if (find(m, schedule) >= 0) return;
  add(m, (hy_entry){.schedule = hy_copy_string(schedule),
                    .origin = hy_copy_string(origin),
                    .predicted = INFINITY,
                    .seconds = INFINITY,
                    .choices = choices});
}

void hy_measured_free(hy_measured *m) {
  for (size_t i = 0; i < m->count; i++) {
    hy_free(m->entries[i].schedule);
    hy_free((char *)m->entries[i].origin);
  }
  hy_free(m->entries);
}

bool hy_entry_is_unproved(const hy_entry *e) { return e->was_asked && !e->is_proved; }

int hy_measured_ranking(const hy_measured *m, int *order) {
  int count = 0;
  for (size_t i = 0; i < m->count; i++) {
    if (!isfinite(m->entries[i].seconds) || hy_entry_is_unproved(&m->entries[i])) continue;
    int at = count++;
    for (; at > 0 && m->entries[order[at - 1]].seconds > m->entries[i].seconds; at--) order[at] = order[at - 1];
    order[at] = (int)i;
  }
  return count;
}

/* -- one race -- */

typedef struct {
  hy_measured *m;
  const hy_measured_options *options;
  const hy_host *host;
  hy_dice dice;
  int seeds;       // the first entries
  int stale;       // generations without gain
  bool is_doubted; // something fast was not proved: parents are asked before they are varied
} search;

static bool goes_on(const search *s, hy_race_kind kind) { return s->host->goes_on(s->host->self, kind); }

// Of the first race there is time for one round.
static bool is_to_go_on(const search *s, const hy_halving *race, hy_race_kind kind) {
  return goes_on(s, kind == HY_RACE_FIRST && race->round > 0 ? HY_RACE_NEXT : kind);
}

static int has_incumbent(const search *s) { return s->m->best >= 0; }

// One more for the next race. It begins to get ready at once, so that a processor has something to do while others are
// looked at. The incumbent is racer 0.
static void enter(search *s, int *batch, int *count, int entry) {
  s->host->start(s->host->self, has_incumbent(s) + *count, s->m->entries[entry].schedule);
  batch[(*count)++] = entry;
}

// Waits until they are ready. An incumbent that was ended, or stopped, has not lost: "absent".
static void line_up(search *s, hy_halving *race, const int *racers, hy_race_kind kind, bool *absent) {
  if (has_incumbent(s)) s->host->start(s->host->self, 0, s->m->entries[racers[0]].schedule);
  for (int i = 0; i < race->count; i++) {
    hy_run_answer answer = s->host->is_ready(s->host->self, i, kind);
    race->racers[i].is_out = answer != HY_RUN_FINE;
    s->m->entries[racers[i]].took_too_long = answer == HY_RUN_TOO_LONG;
    *absent |= i == 0 && racers[i] == s->m->best && answer < HY_RUN_FAILED;
  }
}

static void run_them(search *s, hy_halving *race, const int *racers, hy_race_kind kind) {
  for (int next; is_to_go_on(s, race, kind) && (next = hy_halving_next(race)) >= 0;) {
    double seconds = s->host->run(s->host->self, next, kind);
    s->m->entries[racers[next]].took_too_long = seconds == HY_RUN_TOO_LONG;
    hy_halving_add(race, seconds);
  }
}

// What is not proved is of no use, however fast it is, and nothing is made of it.
static bool is_proved(search *s, hy_entry *e) {
  if (!e->was_asked) e->is_proved = s->host->is_proved(s->host->self, e->schedule);
  e->was_asked = true;
  if (e->is_proved) return true;
  e->choices = NULL;
  s->is_doubted = true;
  s->m->unproved++;
  return false;
}

// The fastest that is proved of those behind the incumbent, if it had beaten that, too; -1: none.
static int next_winner(search *s, const hy_halving *race, const int *racers, double to_beat) {
  for (;;) {
    int next = -1;
    for (int i = 0; i < race->count; i++) {
      const hy_entry *e = &s->m->entries[racers[i]];
      double seconds = hy_entry_is_unproved(e) ? INFINITY : hy_halving_best(race, i);
      if (racers[i] != s->m->best && seconds < to_beat && (next < 0 || seconds < hy_halving_best(race, next))) next = i;
    }
    if (next < 0 || is_proved(s, &s->m->entries[racers[next]])) return next;
  }
}

// The winner, if it is proved; else who comes next by its best run: those that were out in an earlier round, beside
// what is not proved, have no last one.
static int proved_winner(search *s, const hy_halving *race, const int *racers) {
  int winner = hy_halving_winner(race);
  if (!race->racers[winner].runs) return -1;
  if (racers[winner] == s->m->best || is_proved(s, &s->m->entries[racers[winner]])) return winner;
  return next_winner(s, race, racers, has_incumbent(s) ? hy_halving_gain * hy_halving_best(race, 0) : INFINITY);
}

// The incumbent against these entries, which were entered; the winner is the incumbent then.
static void race_them(search *s, const int *entries, int count, hy_race_kind kind) {
  int racers[BATCH + 1] = {s->m->best}, racer_count = has_incumbent(s);
  bool absent = false;
  for (int i = 0; i < count; i++) racers[racer_count++] = entries[i];
  hy_halving race = hy_halving_begin(racer_count);
  line_up(s, &race, racers, kind, &absent);
  run_them(s, &race, racers, kind);
  s->host->release(s->host->self);
  for (int i = 0; i < racer_count; i++) {
    hy_entry *e = &s->m->entries[racers[i]];
    e->seconds = fmin(e->seconds, hy_halving_best(&race, i));
    e->took_too_long &= !isfinite(e->seconds);
  }
  int before = s->m->best, winner = absent ? -1 : proved_winner(s, &race, racers);
  if (winner >= 0) s->m->best = racers[winner];
  s->stale = s->m->best == before ? s->stale + 1 : 0;
  hy_halving_end(&race);
}

static hy_race_kind kind_of(const search *s) { return s->m->best < 0 ? HY_RACE_FIRST : HY_RACE_NEXT; }

// When the time is up and none has run, those are raced that are known to be legal.
static void race_seeds(search *s) {
  int batch[BATCH], count = 0, seeds = (int)s->m->count;
  for (int i = 0; i < seeds && goes_on(s, kind_of(s)); i++) {
    if (s->host->is_legal(s->host->self, s->m->entries[i].schedule))
      enter(s, batch, &count, i);
    else
      s->m->refused++;
    if (count && (count == BATCH || i + 1 == seeds || (s->m->best < 0 && !goes_on(s, HY_RACE_NEXT)))) {
      race_them(s, batch, count, kind_of(s));
      count = 0;
    }
  }
  if (count) s->host->release(s->host->self); // there is no time left for these
}

/* -- one generation -- */

typedef struct {
  hy_choices_list *choices;
  hy_text schedule;
  double predicted;
  int parent;
  const char *how;
} child;

static hy_choices_list *vary(search *s, const hy_func_graph *g, const int *parents, int parent_count, child *c) {
  uint64_t kind = hy_dice_below(&s->dice, 8);
  c->parent = -1;
  if (!parent_count || kind == 0) {
    hy_choices_list *fresh = hy_choices_plain(g);
    hy_random_start(g, &s->dice, s->options->kept, fresh);
    c->how = "a random start";
    return fresh;
  }
  // two draws, the better one: the best are varied most
  uint64_t a = hy_dice_below(&s->dice, (uint64_t)parent_count), b = hy_dice_below(&s->dice, (uint64_t)parent_count);
  c->parent = parents[a < b ? a : b];
  hy_choices_list *fresh = hy_choices_copy(g, s->m->entries[c->parent].choices);
  c->how = "moves";
  if (kind <= 2) {
    hy_cross(g, &s->dice, s->m->entries[parents[hy_dice_below(&s->dice, (uint64_t)parent_count)]].choices, fresh);
    c->how = "a crossing and moves";
  }
  for (uint64_t moves = 1 + hy_dice_below(&s->dice, 3); moves > 0; moves--)
    hy_move(g, &s->dice, s->options->kept, fresh);
  return fresh;
}

static void spell(const search *s, const hy_func_graph *g, const hy_choices_list *choices, hy_text *out) {
  hy_spelling spelling = {.name = "tuned", .left_out = s->options->kept, .given = s->options->given};
  hy_spell(g, choices, &spelling, out);
}

static bool is_among(const child *children, int count, const char *schedule) {
  for (int i = 0; i < count; i++)
    if (strcmp(hy_text_string(&children[i].schedule), schedule) == 0) return true;
  return false;
}

// Different ones that were not raced, by what the model says.
static int draw_children(search *s, const hy_func_graph *g, const int *parents, int parent_count,
                         child children[DRAWN]) {
  int count = 0;
  for (int tries = 0; tries < TRIES && count < DRAWN; tries++) {
    child c = {0};
    c.choices = vary(s, g, parents, parent_count, &c);
    spell(s, g, c.choices, &c.schedule);
    c.predicted = hy_model_cost(g, c.choices, &s->options->machine);
    const char *text = hy_text_string(&c.schedule);
    if (!isfinite(c.predicted) || find(s->m, text) >= 0 || is_among(children, count, text)) {
      hy_text_free(&c.schedule);
      continue;
    }
    int at = count++;
    for (; at > 0 && children[at - 1].predicted > c.predicted; at--) children[at] = children[at - 1];
    children[at] = c;
  }
  return count;
}

// The best of them that are legal, and every fourth whatever the model says.
static int pick(search *s, child *children, int count, int batch[BATCH]) {
  int picked = 0;
  for (int k = 0; k < count && picked < BATCH && goes_on(s, HY_RACE_NEXT); k++) {
    int i = k;
    if (picked % 4 == 3) i = k + (int)hy_dice_below(&s->dice, (uint64_t)(count - k));
    child c = children[i];
    children[i] = children[k];
    children[k] = c;
    if (!s->host->is_legal(s->host->self, hy_text_string(&c.schedule))) {
      s->m->refused++;
      continue;
    }
    char origin[64];
    snprintf(origin, sizeof origin, c.parent < 0 ? "%s" : "%s, from %d", c.how, c.parent);
    add(s->m, (hy_entry){.schedule = hy_copy_string(hy_text_string(&c.schedule)),
                         .origin = hy_copy_string(origin),
                         .predicted = c.predicted,
                         .seconds = INFINITY,
                         .choices = c.choices});
    enter(s, batch, &picked, (int)s->m->count - 1);
  }
  return picked;
}

static bool is_parent(search *s, hy_entry *e) {
  if (!e->choices || !s->is_doubted) return e->choices;
  return (e->was_asked || goes_on(s, HY_RACE_NEXT)) && is_proved(s, e);
}

// The fastest that can be varied; the others' choices are forgotten, and these move to the new graph.
static int take_parents(search *s, const hy_func_graph *g, int parents[PARENTS]) {
  int *order = hy_allocate(sizeof *order * (s->m->count + 1)), count = hy_measured_ranking(s->m, order), kept = 0;
  for (int i = 0; i < count && kept < PARENTS; i++)
    if (is_parent(s, &s->m->entries[order[i]])) parents[kept++] = order[i];
  hy_free(order);
  hy_choices_list *moved[PARENTS];
  for (int i = 0; i < kept; i++) moved[i] = hy_choices_copy(g, s->m->entries[parents[i]].choices);
  for (size_t i = 0; i < s->m->count; i++) s->m->entries[i].choices = NULL;
  for (int i = 0; i < kept; i++) s->m->entries[parents[i]].choices = moved[i];
  return kept;
}

static void generation(search *s) {
  child children[DRAWN];
  int parents[PARENTS], batch[BATCH];
  hy_func_graph *g = s->host->renew(s->host->self);
  int parent_count = take_parents(s, g, parents);
  int count = draw_children(s, g, parents, parent_count, children);
  int picked = pick(s, children, count, batch);
  if (picked)
    race_them(s, batch, picked, kind_of(s));
  else
    s->stale++;
  for (int i = 0; i < count; i++) hy_text_free(&children[i].schedule);
  s->m->generations++;
}

// Of all schedules but the incumbent the fastest, and among them or behind them the fastest seed: of a hundred others some
// have been lucky, while its best run is one of few.
static int enter_finalists(search *s, const int *order, int count, int batch[FINALISTS]) {
  bool has_seed = s->m->best < s->seeds;
  int entered = 0;
  for (int i = 0; i < count && entered < FINALISTS; i++) {
    bool is_seed = order[i] < s->seeds;
    if (order[i] == s->m->best || (entered == FINALISTS - 1 && !has_seed && !is_seed)) continue;
    has_seed |= is_seed;
    enter(s, batch, &entered, order[i]);
  }
  return entered;
}

// What was fast once, when the machine was quiet, against the incumbent once more, all at the same time.
static void race_finalists(search *s) {
  int *order = hy_allocate(sizeof *order * (s->m->count + 1)), count = hy_measured_ranking(s->m, order);
  int batch[FINALISTS];
  bool has_time = count > 1 && goes_on(s, HY_RACE_LAST);
  int entered = has_time ? enter_finalists(s, order, count, batch) : 0;
  hy_free(order);
  if (entered) race_them(s, batch, entered, HY_RACE_LAST);
}

void hy_measured_search(hy_measured *m, const hy_measured_options *options, const hy_host *host) {
  search s = {.m = m, .options = options, .host = host, .dice = {options->seed}, .seeds = (int)m->count};
  m->best = -1;
  race_seeds(&s);
  while (s.stale < PATIENCE && goes_on(&s, HY_RACE_NEXT)) {
    if (m->best >= 0) host->tell(host->self, &m->entries[m->best], m->generations, (int)m->count);
    generation(&s);
  }
  race_finalists(&s);
}
