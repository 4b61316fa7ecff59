/* Relations: what lets say of the loops that they are made of (WF.Origin, decision D70).
 *
 * A split, a fusion or a directive from outside the tree is one application: its loops become its lets. Directives make
 * these so; a hand-written program has to be held to it:
 *
 *   - its loops are loops, or lets, of the same stage, each named once, and no other application has them;
 *   - who is made of whom goes in no circle;
 *   - factor and interval say what was there before: they rest on none of the application's own loops.
 *
 * Whether value, way back, factor and range are true is no matter of form: B.Cover and B.Disjoint ask it.
 */

#include "semantics/tgt/tgt_internal.h"

enum { MOST_OF_BOTH = HY_MOST_RELATED + HY_MOST_SOURCES };

typedef struct {
  HY_VEC(const hy_stmt *) items; // the fors and lets of one stage
} binders;

typedef struct {
  const hy_tgt_check *check;
  binders *stage; // of the innermost stage around the place of the walk; NULL: none
} walk;

static const hy_var *bound_by(const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_FOR ? stmt->loop.var : stmt->let.var;
}

static const hy_origin *origin_of(const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_LET && stmt->let.origin.relation ? &stmt->let.origin : NULL;
}

static const hy_stmt *find_binder(const binders *b, const hy_var *var) {
  for (size_t i = 0; i < b->items.count; i++)
    if (bound_by(b->items.data[i]) == var) return b->items.data[i];
  return NULL;
}

static void refuse(const walk *w, const hy_stmt *let, const char *help, const char *format, const hy_var *what) {
  const char *name = hy_tgt_var_name(w->check, let->let.var);
  const char *other = what ? hy_tgt_var_name(w->check, what) : "";
  hy_report(w->check->diagnostics, HY_E_TGT_ORIGIN, hy_tgt_loc(w->check, let), "WF.Origin (decision D70)", help, format,
            name, other);
}

/* -- applications -- */

static int add_source(const hy_var *sources[MOST_OF_BOTH], int count, const hy_var *var) {
  for (int i = 0; i < count; i++)
    if (sources[i] == var) return count;
  if (var) sources[count++] = var;
  return count;
}

// The loops that the let is made of, each once; with those of the whole application, whoever of them lists it.
static int sources_of(const hy_origin *o, bool of_all, const hy_var *sources[MOST_OF_BOTH]) {
  int count = 0;
  for (int i = 0; i < HY_MOST_SOURCES; i++) count = add_source(sources, count, o->sources[i]);
  for (int i = 0; i < o->relation->loop_count && of_all; i++) count = add_source(sources, count, o->relation->loops[i]);
  return count;
}

static bool is_listed_twice(const hy_var *const *list, int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++)
      if (list[i] == list[k]) return true;
  return false;
}

static const hy_var *foreign_source(const walk *w, const hy_stmt *let) {
  const hy_var *sources[MOST_OF_BOTH];
  int count = sources_of(&let->let.origin, true, sources);
  for (int i = 0; i < count; i++)
    if (!find_binder(w->stage, sources[i])) return sources[i];
  return NULL;
}

// A loop that another application has, too.
static const hy_var *shared_source(const walk *w, const hy_stmt *let) {
  const hy_var *own[MOST_OF_BOTH], *others[MOST_OF_BOTH];
  int count = sources_of(&let->let.origin, true, own);
  for (size_t i = 0; i < w->stage->items.count; i++) {
    const hy_origin *other = origin_of(w->stage->items.data[i]);
    if (!other || w->stage->items.data[i] == let || hy_relation_same(let->let.origin.relation, other->relation))
      continue;
    int theirs = sources_of(other, true, others);
    for (int k = 0; k < count; k++)
      for (int m = 0; m < theirs; m++)
        if (own[k] == others[m]) return own[k];
  }
  return NULL;
}

// The variables that it lists stand for loops that were taken, so they are lets of this application.
static const hy_var *foreign_let(const walk *w, const hy_stmt *let) {
  const hy_relation *r = let->let.origin.relation;
  for (int i = 0; i < r->let_count; i++) {
    const hy_stmt *other = r->lets[i] ? find_binder(w->stage, r->lets[i]) : NULL;
    const hy_origin *o = other ? origin_of(other) : NULL;
    if (other && (!o || !hy_relation_same(o->relation, r))) return r->lets[i];
  }
  return NULL;
}

/* -- what rests on what -- */

typedef struct {
  const walk *w;
  const hy_stmt *let; // whose loops are looked for
  const hy_var *sources[MOST_OF_BOTH];
  int count;
  HY_VEC(const hy_var *) seen;
  bool only_sources; // follow nothing but what is made of what
  bool found;
} search;

static void follow(search *s, const hy_var *var);

static void see_var(void *self, const hy_expr *node) {
  if (node->kind == HY_EXPR_VAR && node->var->kind == HY_VAR_LOOP) follow(self, node->var);
}

// A let lists all loops of its application, those inside of it, too: its value rests on its own alone.
static void follow_sources(search *s, const hy_origin *o) {
  const hy_var *sources[MOST_OF_BOTH];
  int count = sources_of(o, s->only_sources, sources);
  for (int i = 0; i < count; i++) follow(s, sources[i]);
}

// What a variable rests on: its own value or interval, and what it is made of.
static void follow(search *s, const hy_var *var) {
  s->found |= var == s->let->let.var;
  for (int i = 0; i < s->count; i++) s->found |= s->sources[i] == var;
  for (size_t i = 0; i < s->seen.count && !s->found; i++)
    if (s->seen.data[i] == var) return;
  const hy_stmt *binder = s->found ? NULL : find_binder(s->w->stage, var);
  if (!binder) return; // of another stage: it stands outside
  hy_vec_push(&s->seen, var);
  if (origin_of(binder)) follow_sources(s, origin_of(binder));
  if (s->only_sources) return;
  if (binder->kind == HY_STMT_LET) {
    hy_expr_visit(binder->let.value, see_var, s);
    return;
  }
  hy_expr_visit(binder->loop.interval.min, see_var, s);
  hy_expr_visit(binder->loop.interval.len, see_var, s);
}

// Do factor and interval rest on the application's own loops, or on the let?
static bool rests_on_itself(const walk *w, const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  search s = {.w = w, .let = let};
  s.count = sources_of(o, true, s.sources);
  hy_expr_visit(o->factor, see_var, &s);
  hy_expr_visit(o->range.min, see_var, &s);
  hy_expr_visit(o->range.len, see_var, &s);
  hy_vec_free(&s.seen);
  return s.found;
}

// Is the let made of loops that are made of it?
static bool is_circular(const walk *w, const hy_stmt *let) {
  search s = {.w = w, .let = let, .only_sources = true};
  follow_sources(&s, &let->let.origin);
  hy_vec_free(&s.seen);
  return s.found;
}

/* -- one let -- */

// WF.Origin, premise by premise.
static void check_origin(const walk *w, const hy_stmt *let) {
  const hy_origin *o = origin_of(let);
  if (!o || !o->sources[0] || !o->factor || !o->range.min || !o->range.len) return; // told elsewhere
  const hy_relation *r = o->relation;
  const hy_var *var;
  bool twice = o->sources[0] == o->sources[1] || is_listed_twice(r->loops, r->loop_count) ||
               is_listed_twice(r->lets, r->let_count);
  if (twice)
    refuse(w, let, "a split makes two loops, an outer and an inner one", "the origin of '%s' names one loop twice%s",
           NULL);
  else if ((var = foreign_source(w, let)))
    refuse(w, let, "the loops that a let is made of stand in its own stage",
           "'%s' is not made of '%s', which is "
           "not a loop of its stage",
           var);
  else if ((var = foreign_let(w, let)))
    refuse(w, let, "list the lets that this directive made, and write the same 'by given' for each of them",
           "the origin of '%s' lists '%s', which is no let of it", var);
  else if ((var = shared_source(w, let)))
    refuse(
        w, let,
        "give each split loops of its own: for ...xo in ... { for ...xi in ... { let ... by split ...(xo, xi, ...) } }",
        "'%s' is made of '%s', of which another let is made, too", var);
  else if (is_circular(w, let))
    refuse(w, let, "a let is made of loops around it", "'%s' is made of itself%s", NULL);
  else if (rests_on_itself(w, let))
    refuse(w, let,
           "write the factor, and the interval of the loop that the let took the place of, in terms of what is outside",
           "the factor or the interval in the origin of '%s' rests on the loops that it is made of%s", NULL);
}

static void visit(walk *w, const hy_stmt *stmt) {
  binders *around = w->stage, own = {0};
  bool is_stage = stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE;
  if (is_stage) w->stage = &own;
  if (stmt->kind == HY_STMT_FOR || stmt->kind == HY_STMT_LET) hy_vec_push(&w->stage->items, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) visit(w, children[i]);
  for (size_t i = 0; is_stage && i < own.items.count; i++)
    if (own.items.data[i]->kind == HY_STMT_LET) check_origin(w, own.items.data[i]);
  hy_vec_free(&own.items);
  w->stage = around;
}

// requires: the structure was found good
void hy_tgt_check_relations(const hy_tgt_check *check) {
  walk w = {.check = check};
  visit(&w, check->tgt->body);
}
