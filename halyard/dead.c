#include "halyard/dead.h"

#include "semantics/base/vec.h"

#include <stdio.h>

/* VER.Dead: a place is dead if the facts that hold there contradict each other: an rdom without points, a branch whose
 * condition excludes the one before. The oracle has looked at each (hy_decision.dead).
 */

typedef struct {
  const hy_obligation *first; // of those that are dead, if there are any
  const hy_func *origin;      // that its func is, or is a copy of
  size_t dead, alive;         // a stage has a copy in every specialization
} dead_place;

typedef struct {
  hy_pipeline *pipeline;
  HY_VEC(dead_place) places;
} search;

// Of a func that is copied for the specializations of others the conditions may exclude each other in one of them.
static bool has_copies(const search *s, const hy_func *func) {
  for (int i = 0; i < s->pipeline->core_count; i++) {
    const hy_directive *d = &s->pipeline->core[i];
    if (d->is_spread && d->made && (d->made == func || d->func == func)) return true;
  }
  return false;
}

static const hy_func *origin_of(const search *s, const hy_func *func) {
  for (int i = 0; i < s->pipeline->core_count; i++)
    if (s->pipeline->core[i].is_spread && s->pipeline->core[i].made == func) return s->pipeline->core[i].func;
  return func;
}

// From the last one on: what is owed of a place stands together.
static dead_place *find(search *s, const hy_obligation *o) {
  const hy_func *origin = origin_of(s, o->func);
  for (size_t i = s->places.count; i-- > 0;)
    if (s->places.data[i].origin == origin && s->places.data[i].first->stage == o->stage) return &s->places.data[i];
  hy_vec_push(&s->places, (dead_place){.first = o, .origin = origin});
  return &hy_vec_last(&s->places);
}

// Said of one of its stages already?
static bool is_repeated(const search *s, const dead_place *place) {
  for (size_t i = 0; i < s->places.count && place->first->stage < 0; i++) {
    const dead_place *other = &s->places.data[i];
    if (other->dead && other->first->func == place->first->func && other->first->stage >= 0) return true;
  }
  return false;
}

static void report(const search *s, const dead_place *place, hy_diagnostics *diagnostics) {
  const hy_obligation *o = place->first;
  char stage[32] = "";
  if (o->stage >= 0) snprintf(stage, sizeof stage, ", stage %d,", o->stage);
  hy_warn(diagnostics, HY_E_DEAD_CODE, o->loc.source ? o->loc : s->pipeline->loc, "decision D62",
          place->alive
              ? "the condition of that specialization cannot be true, or that piece of a loop is empty; leave it out"
              : "an rdom without points, or a condition that cannot be true here, is the reason",
          "%s'%s'%s is never reached; %zu obligation%s for nothing",
          place->alive ? "one specialization or piece of " : "", o->func->name, stage, place->dead,
          place->dead == 1 ? " holds" : "s hold");
}

void hy_dead_report(hy_pipeline *p, hy_diagnostics *diagnostics) {
  search s = {.pipeline = p};
  for (size_t i = 0; i < p->report.count; i++) {
    const hy_obligation *o = p->report.decisions[i].obligation;
    if (!hy_obligation_speaks_of_its_place(o)) continue;
    bool dead = p->report.decisions[i].dead;
    dead_place *place = find(&s, o);
    if (dead && !place->dead) place->first = o;
    place->dead += dead;
    place->alive += !dead;
  }
  for (size_t i = 0; i < s.places.count; i++)
    if (s.places.data[i].dead && !is_repeated(&s, &s.places.data[i]) &&
        !(s.places.data[i].alive && has_copies(&s, s.places.data[i].first->func)))
      report(&s, &s.places.data[i], diagnostics);
  hy_vec_free(&s.places);
}
