#include "bounds/query.h"

#include "bounds/range.h"
#include "semantics/base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef HY_VEC(const hy_expr *) expr_list;

typedef struct {
  hy_context *context;
  const hy_tgt *tgt;
  hy_ranges *ranges;
  HY_VEC(hy_obligation) obligations;
  expr_list facts;              // that hold where the walk is
  expr_list widths;             // and those of them that only B.Fits asks for
  HY_VEC(const hy_stmt *) path; // from the body down to where the walk is
  HY_VEC(size_t) facts_at;      // by position in path: how many facts held above it
  const hy_stmt **allocates;    // by func->index, in scope
  const hy_stmt **computes;     // by func->index: done or under way
  // the facts of one place, shared by its obligations; renewed when "facts" changes
  const hy_expr *const *shared;
  size_t shared_count;
} walker;

const char *hy_obligation_rule(hy_obligation_kind kind) {
  static const char *const names[] = {"B.Window", "B.Inside",  "B.Length",  "B.Cover", "B.Mem",
                                      "B.Cpu",    "B.Address", "B.Defined", "B.Fits",  "B.Constrain"};
  return names[kind];
}

static const hy_rule rules[] = {HY_RULE_B_WINDOW, HY_RULE_B_INSIDE,   HY_RULE_B_LENGTH,  HY_RULE_B_COVER,
                                HY_RULE_B_MEM,    HY_RULE_B_CPU,      HY_RULE_B_ADDRESS, HY_RULE_B_DEFINED,
                                HY_RULE_B_FITS,   HY_RULE_B_CONSTRAIN};

/* -- building -- */

static const hy_expr *binary(const walker *w, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(w->context, op, a, b);
}
static const hy_expr *end_of(const walker *w, hy_interval i) { return hy_index_add(w->context, i.min, i.len); }

static void share_facts(walker *w, size_t count) {
  const hy_expr **copy = HY_NEW_ARRAY(hy_context_arena(w->context), const hy_expr *, count);
  if (count) memcpy(copy, w->facts.data, sizeof *copy * count);
  w->shared = copy;
  w->shared_count = count;
}

static void push_fact(walker *w, const hy_expr *fact) {
  if (hy_expr_is_true(fact)) return;
  hy_vec_push(&w->facts, fact);
  w->shared = NULL;
}

static void pop_facts(walker *w, size_t count) {
  if (w->facts.count == count) return;
  w->facts.count = count;
  w->shared = NULL;
}

typedef struct {
  const hy_func *func, *other;
  int stage;
  hy_loc loc;
} place;

HY_PRINTF(5, 6)
static void owe(walker *w, hy_obligation_kind kind, place at, const hy_expr *goal, const char *format, ...) {
  char about[512];
  va_list args;
  va_start(args, format);
  vsnprintf(about, sizeof about, format, args);
  va_end(args);
  if (!w->shared) share_facts(w, w->facts.count);
  hy_context_hit(w->context, rules[kind]);
  hy_vec_push(&w->obligations, (hy_obligation){.kind = kind,
                                               .facts = w->shared,
                                               .fact_count = w->shared_count,
                                               .goal = goal,
                                               .func = at.func,
                                               .stage = at.stage,
                                               .other = at.other,
                                               .loc = at.loc,
                                               .about = hy_context_name_of(w->context, about)});
}

static const char *print(walker *w, const hy_expr *expr) {
  hy_text text = {0};
  hy_expr_print(expr, &text);
  if (text.length > 160) { // an index can be long; the place tells the rest
    text.length = 157;
    hy_text_add(&text, "...");
  }
  const char *name = hy_context_name_of(w->context, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

static const char *dim_name(const hy_func *func, int dim) { return func->dims[dim]; }

static place here(walker *w, const hy_func *func) {
  const hy_definition *d = hy_alg_definition(w->tgt->alg, func);
  return (place){func, NULL, -1, d ? func->loc : (hy_loc){0}};
}

/* -- B.Fits and B.Defined: what every expression of a place owes -- */

typedef struct {
  walker *w;
  place at;
} divisor_walk;

static void see_division(void *self, const hy_expr *node) {
  divisor_walk *d = self;
  if (node->kind != HY_EXPR_OP || (node->op != HY_OP_DIV && node->op != HY_OP_MOD) || node->type != HY_INT) return;
  int64_t constant;
  if (hy_expr_is_int(node->args[1], &constant) && constant != 0) return;
  owe(d->w, HY_B_DEFINED, d->at, binary(d->w, HY_OP_NE, node->args[1], hy_expr_int(d->w->context, 0)),
      "the divisor %s of a bound is not 0", print(d->w, node->args[1]));
}

// B.Defined: bounds are defined wherever they are evaluated (decision D52).
static void owe_defined(walker *w, place at, const hy_expr *expr) {
  hy_expr_visit(expr, see_division, &(divisor_walk){w, at});
}

// B.Fits: the expression and everything below it fits 64 bits (decision D26).
static void owe_fits(walker *w, place at, const hy_expr *expr, const char *what) {
  const hy_expr *node = hy_ranges_overflowing(w->ranges, expr);
  const hy_expr *goal = hy_expr_bool(w->context, true);
  if (node)
    goal = hy_expr_and(w->context, binary(w, HY_OP_GE, node, hy_expr_int(w->context, INT64_MIN)),
                       binary(w, HY_OP_LE, node, hy_expr_int(w->context, INT64_MAX)));
  size_t facts = w->facts.count;
  for (size_t i = 0; i < w->widths.count; i++) push_fact(w, w->widths.data[i]);
  owe(w, HY_B_FITS, at, goal, "%s %s fits 64 bits", what, print(w, node ? node : expr));
  pop_facts(w, facts);
  hy_vec_last(&w->obligations).decided_by_range = !node;
  hy_vec_last(&w->obligations).fitting = expr;
}

static void owe_interval(walker *w, place at, hy_interval interval, const char *what, const char *name) {
  owe_defined(w, at, interval.min);
  owe_defined(w, at, interval.len);
  owe_fits(w, at, end_of(w, interval), what);
  int64_t constant;
  if (hy_expr_is_int(interval.len, &constant) && constant >= 0) return;
  owe(w, HY_B_LENGTH, at, binary(w, HY_OP_GE, interval.len, hy_expr_int(w->context, 0)),
      "the length %s of %s %s is not negative", print(w, interval.len), what, name);
}

/* -- B.Inside -- */

// Inclusion of "inner" in "outer", dimension by dimension; an empty inner box demands nothing (decision D60).
static void owe_inside(walker *w, hy_obligation_kind kind, place at, const hy_interval *inner, const hy_interval *outer,
                       const char *what) {
  size_t facts = w->facts.count;
  const hy_expr *one = hy_expr_int(w->context, 1);
  for (int i = 0; i < at.func->rank; i++) push_fact(w, binary(w, HY_OP_GE, inner[i].len, one));
  for (int i = 0; i < at.func->rank; i++) {
    owe(w, kind, at, binary(w, HY_OP_LE, outer[i].min, inner[i].min), "%s, dimension %s, lower bound", what,
        dim_name(at.func, i));
    owe(w, kind, at, binary(w, HY_OP_LE, end_of(w, inner[i]), end_of(w, outer[i])), "%s, dimension %s, upper bound",
        what, dim_name(at.func, i));
  }
  pop_facts(w, facts);
}

/* -- B.Cover: through the inverse map of the directives (decisions D54, D55) -- */

typedef HY_VEC(const hy_var *) var_list;

static bool has(const var_list *list, const hy_var *var) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == var) return true;
  return false;
}

static void equate(walker *w, var_list *known, const hy_var *var, const hy_expr *value) {
  push_fact(w, binary(w, HY_OP_EQ, hy_expr_var(w->context, var), value));
  hy_vec_push(known, var);
}

// The inverse of a split: outer = (v - min) / factor, inner = what is left.
static void invert_split(walker *w, var_list *known, const hy_stmt *let) {
  const hy_origin *o = &let->let.origin;
  const hy_expr *v = hy_expr_var(w->context, let->let.var), *outer = hy_expr_var(w->context, o->outer);
  const hy_expr *offset = binary(w, HY_OP_SUB, v, o->range.min);
  equate(w, known, o->outer, binary(w, HY_OP_DIV, offset, o->factor));
  const hy_expr *start = binary(w, HY_OP_ADD, o->range.min, binary(w, HY_OP_MUL, o->factor, outer));
  if (o->tail == HY_TAIL_SHIFT)
    start = binary(w, HY_OP_MIN, start, binary(w, HY_OP_SUB, end_of(w, o->range), o->factor));
  equate(w, known, o->inner, binary(w, HY_OP_SUB, v, start));
}

// The inverse of a fusion: t = (x1 - min1) * len2 + (x2 - min2), once both are known.
static void invert_fuse(walker *w, var_list *known, const hy_stmt *first, const hy_stmt *second) {
  const hy_origin *a = &first->let.origin, *b = &second->let.origin;
  const hy_expr *x1 = hy_expr_var(w->context, first->let.var), *x2 = hy_expr_var(w->context, second->let.var);
  const hy_expr *row = binary(w, HY_OP_MUL, binary(w, HY_OP_SUB, x1, a->range.min), a->factor);
  equate(w, known, a->outer, binary(w, HY_OP_ADD, row, binary(w, HY_OP_SUB, x2, b->range.min)));
}

// Goes through the lets of the chain until no more loop gets a value; innermost lets were made first.
static void invert(walker *w, var_list *known, const hy_stmt *const *chain, size_t count) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = count; i-- > 0;) {
      if (chain[i]->kind != HY_STMT_LET || !has(known, chain[i]->let.var)) continue;
      const hy_origin *o = &chain[i]->let.origin;
      if (o->kind == HY_ORIGIN_NONE || has(known, o->outer)) continue;
      if (o->kind == HY_ORIGIN_SPLIT) {
        invert_split(w, known, chain[i]);
        changed = true;
        continue;
      }
      if (o->kind != HY_ORIGIN_FUSE_OUTER) continue;
      for (size_t k = 0; k < count; k++)
        if (chain[k]->kind == HY_STMT_LET && chain[k]->let.origin.kind == HY_ORIGIN_FUSE_INNER &&
            chain[k]->let.origin.outer == o->outer && has(known, chain[k]->let.var)) {
          invert_fuse(w, known, chain[i], chain[k]);
          changed = true;
          break;
        }
    }
  }
}

static bool is_source(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++)
    if (chain[i]->kind == HY_STMT_LET && (chain[i]->let.origin.outer == var || chain[i]->let.origin.inner == var))
      return true;
  return false;
}

// A reduction loop that was split or fused must still take all of its values: they are quantified like a point of Cpu.
static void assume_reductions(walker *w, var_list *known, const hy_stmt *const *chain, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (chain[i]->kind != HY_STMT_LET || chain[i]->let.origin.kind == HY_ORIGIN_NONE) continue;
    const hy_var *var = chain[i]->let.var;
    if (has(known, var) || is_source(chain, count, var)) continue;
    const hy_expr *v = hy_expr_var(w->context, var);
    push_fact(w, binary(w, HY_OP_GE, v, chain[i]->let.origin.range.min));
    push_fact(w, binary(w, HY_OP_LT, v, end_of(w, chain[i]->let.origin.range)));
    hy_vec_push(known, var);
  }
}

static void owe_cover_step(walker *w, place at, const hy_stmt *step, const var_list *known) {
  const hy_expr *v;
  switch (step->kind) {
  case HY_STMT_FOR:
    v = hy_expr_var(w->context, step->loop.var);
    if (!has(known, step->loop.var)) {
      if (!step->loop.is_pure) return; // an rdom's own loop
      // no inverse: this cannot be shown, and must not be passed over
      owe(w, HY_B_COVER, at, hy_expr_bool(w->context, false), "loop %s has an inverse map", print(w, v));
      return;
    }
    owe(w, HY_B_COVER, at, binary(w, HY_OP_LE, step->loop.interval.min, v), "loop %s reaches down to all of Cpu(%s)",
        print(w, v), at.func->name);
    owe(w, HY_B_COVER, at, binary(w, HY_OP_LT, v, end_of(w, step->loop.interval)),
        "loop %s reaches up to all of Cpu(%s)", print(w, v), at.func->name);
    return;
  case HY_STMT_LET:
    if (step->let.origin.kind == HY_ORIGIN_NONE) return;
    v = hy_expr_var(w->context, step->let.var);
    owe(w, HY_B_COVER, at, binary(w, HY_OP_EQ, v, step->let.value), "%s takes every value of Cpu(%s)", print(w, v),
        at.func->name);
    return;
  case HY_STMT_IF:
    if (step->branch.why != HY_IF_GUARD) return;
    owe(w, HY_B_COVER, at, step->branch.condition, "the guard %s lets all of Cpu(%s) pass",
        print(w, step->branch.condition), at.func->name);
    return;
  case HY_STMT_NOP:
  case HY_STMT_ASSUME:
  case HY_STMT_SEQ:
  case HY_STMT_ALLOCATE:
  case HY_STMT_ASSIGN:
  case HY_STMT_COMPUTE:
  case HY_STMT_LABEL: return;
  }
  HY_UNREACHABLE();
}

static const hy_expr *negate(const walker *w, const hy_expr *e) { return hy_expr_unary(w->context, HY_OP_NOT, e); }

// What holds in a branch. A condition is a fact if it is total and load-free (decision D56); one that errs counts as
// false (D27), so its negation is a fact only if it cannot err.
static void push_branch(walker *w, const hy_stmt *stmt, const hy_stmt *branch) {
  const hy_expr *condition = stmt->branch.condition;
  if (condition->has_access) return;
  if (branch == stmt->branch.then) {
    push_fact(w, condition);
    push_fact(w, hy_expr_defined(w->context, condition));
  } else if (hy_expr_is_true(hy_expr_defined(w->context, condition)) && !hy_ranges_overflowing(w->ranges, condition)) {
    push_fact(w, negate(w, condition));
  }
}

// Is a coordinate a pure variable, a loop's own or one made of loops (decision D37)?
static bool is_pure(const hy_stmt *const *chain, size_t count, const hy_var *var) {
  for (size_t i = 0; i < count; i++) {
    if (chain[i]->kind == HY_STMT_FOR && chain[i]->loop.var == var) return chain[i]->loop.is_pure;
    if (chain[i]->kind == HY_STMT_LET && chain[i]->let.var == var)
      return chain[i]->let.origin.kind == HY_ORIGIN_NONE || is_pure(chain, count, chain[i]->let.origin.outer);
  }
  return false;
}

// For every point of Cpu over the stage's pure dimensions there is an iteration that assigns it: the inverse map names
// it. The loop variables are read as the witness's values here, so none of their own facts may be in scope.
static void owe_cover(walker *w, place at, const hy_stmt *assign) {
  const hy_stmt *compute = w->computes[at.func->index];
  size_t top = w->path.count;
  while (top > 0 && w->path.data[top - 1] != compute) top--;
  if (!top) return;
  expr_list inside = {0};
  size_t keep = w->facts_at.data[top - 1];
  for (size_t i = keep; i < w->facts.count; i++) hy_vec_push(&inside, w->facts.data[i]);
  pop_facts(w, keep);
  var_list known = {0};
  const hy_stmt *const *chain = w->path.data + top;
  size_t count = w->path.count - top;
  for (size_t i = 0; i + 1 < count; i++) // each specialization under its own condition (decision D44)
    if (chain[i]->kind == HY_STMT_IF && chain[i]->branch.why == HY_IF_SPECIALIZE)
      push_branch(w, chain[i], chain[i + 1]);
  for (int i = 0; i < at.func->rank; i++) {
    const hy_expr *e = assign->assign.lhs[i];
    if (e->kind != HY_EXPR_VAR || e->var->kind != HY_VAR_LOOP || !is_pure(chain, count, e->var)) continue;
    hy_vec_push(&known, e->var);
    push_fact(w, binary(w, HY_OP_GE, e, compute->compute.box[i].min));
    push_fact(w, binary(w, HY_OP_LT, e, end_of(w, compute->compute.box[i])));
  }
  assume_reductions(w, &known, chain, count);
  invert(w, &known, chain, count);
  for (size_t i = 0; i < count; i++) owe_cover_step(w, at, chain[i], &known);
  pop_facts(w, keep);
  for (size_t i = 0; i < inside.count; i++) push_fact(w, inside.data[i]);
  hy_vec_free(&inside);
  hy_vec_free(&known);
}

/* -- B.Mem, B.Cpu, B.Address: the accesses of an assignment -- */

typedef struct {
  walker *w;
  place at;
  const hy_stmt *assign;
  const hy_stage *stage;     // for the places of accesses; NULL in a .tgt file
  expr_list seen, addresses; // each access once; those nested in indices
} access_walk;

static bool contains(const expr_list *list, const hy_expr *expr) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == expr) return true;
  return false;
}

// The entry check says that the image's own box holds what is needed (decision D14): its filled condition is a fact.
static const hy_interval *box_of_image(const walker *w, const hy_func *image, hy_interval *box) {
  for (int i = 0; i < image->rank; i++)
    box[i] = (hy_interval){hy_expr_var(w->context, image->min[i]), hy_expr_var(w->context, image->len[i])};
  return box;
}

static const hy_interval *mem_of(const walker *w, const hy_func *func, hy_interval *room) {
  if (func->is_image) return box_of_image(w, func, room);
  const hy_stmt *allocate = w->allocates[func->index];
  return allocate ? allocate->allocate.box : NULL;
}

static void owe_point(walker *w, hy_obligation_kind kind, place at, const hy_expr *const *point, const hy_interval *box,
                      const char *access, const char *what) {
  const hy_func *func = at.other ? at.other : at.func;
  for (int i = 0; i < func->rank; i++) {
    owe(w, kind, at, binary(w, HY_OP_LE, box[i].min, point[i]), "%s is inside the %s of %s, dimension %s, lower bound",
        access, what, func->name, dim_name(func, i));
    owe(w, kind, at, binary(w, HY_OP_LT, point[i], end_of(w, box[i])),
        "%s is inside the %s of %s, dimension %s, upper bound", access, what, func->name, dim_name(func, i));
  }
}

static void owe_missing(walker *w, hy_obligation_kind kind, place at, const char *access, const char *what) {
  owe(w, kind, at, hy_expr_bool(w->context, false), "%s has %s in scope", access, what);
}

static void push_in_cpu(walker *w, const hy_stmt *compute, const hy_expr *const *point) {
  for (int i = 0; i < compute->compute.func->rank; i++) {
    push_fact(w, binary(w, HY_OP_GE, point[i], compute->compute.box[i].min));
    push_fact(w, binary(w, HY_OP_LT, point[i], end_of(w, compute->compute.box[i])));
  }
}

static void owe_access(access_walk *a, const hy_expr *access) {
  walker *w = a->w;
  place at = a->at;
  at.other = access->func;
  if (a->stage) at.loc = hy_stage_access_loc(a->stage, access);
  const char *text = print(w, access);
  hy_interval room[HY_MAX_RANK];
  const hy_interval *mem = mem_of(w, access->func, room);
  for (int i = 0; i < access->count; i++) owe_fits(w, at, access->args[i], "the index");
  if (!mem) {
    owe_missing(w, HY_B_MEM, at, text, "its allocation");
    return;
  }
  owe_point(w, HY_B_MEM, at, access->args, mem, text, access->func->is_image ? "image" : "allocation");
  if (access->func->is_image) return;
  const hy_stmt *compute = w->computes[access->func->index];
  bool address = contains(&a->addresses, access);
  if (!compute) {
    owe_missing(w, HY_B_CPU, at, text, "its computation");
    return;
  }
  size_t facts = w->facts.count;
  if (!address) push_in_cpu(w, w->computes[a->at.func->index], a->assign->assign.lhs);
  owe_point(w, address ? HY_B_ADDRESS : HY_B_CPU, at, access->args, compute->compute.box, text, "computed region");
  pop_facts(w, facts);
}

// Facts about the loads and conversions inside indices: between which numbers they lie.
static void see_bounded_atom(void *self, const hy_expr *node) {
  access_walk *a = self;
  bool atom = node->kind == HY_EXPR_ACCESS || (node->kind == HY_EXPR_OP && node->op == HY_OP_CAST);
  if (node->type != HY_INT || !atom) return;
  hy_range range = hy_ranges_of(a->w->ranges, node);
  if (!hy_range_fits(range)) return;
  push_fact(a->w, binary(a->w, HY_OP_GE, node, hy_expr_int(a->w->context, (int64_t)range.low)));
  push_fact(a->w, binary(a->w, HY_OP_LE, node, hy_expr_int(a->w->context, (int64_t)range.high)));
}

static void see_access_inside(void *self, const hy_expr *node) {
  access_walk *a = self;
  if (node->kind == HY_EXPR_ACCESS && !contains(&a->addresses, node)) hy_vec_push(&a->addresses, node);
}

static void see_access(void *self, const hy_expr *node) {
  access_walk *a = self;
  if (node->kind != HY_EXPR_ACCESS || contains(&a->seen, node)) return;
  hy_vec_push(&a->seen, node);
  for (int i = 0; i < node->count; i++) {
    hy_expr_visit(node->args[i], see_access_inside, a);
    hy_expr_visit(node->args[i], see_bounded_atom, a);
  }
}

static const hy_stage *stage_of(const walker *w, const hy_stmt *assign) {
  const hy_definition *d = hy_alg_definition(w->tgt->alg, assign->assign.func);
  return d && assign->assign.stage < d->stage_count ? &d->stages[assign->assign.stage] : NULL;
}

// B(f[e] <- rhs if p), over all accesses in e, rhs and p (decision D56).
static void walk_assign(walker *w, const hy_stmt *assign) {
  const hy_func *func = assign->assign.func;
  const hy_stage *stage = stage_of(w, assign);
  access_walk a = {w, {func, NULL, assign->assign.stage, stage ? stage->loc : (hy_loc){0}}, assign, stage, {0}, {0}};
  hy_interval room[HY_MAX_RANK];
  const hy_interval *mem = mem_of(w, func, room);
  if (!mem || !w->computes[func->index]) {
    owe_missing(w, HY_B_MEM, a.at, func->name, "its allocation and computation");
    return;
  }
  owe_cover(w, a.at, assign);
  size_t facts = w->facts.count;
  for (size_t i = 0; i < w->path.count; i++) // predicates of updates: their accesses count
    if (w->path.data[i]->kind == HY_STMT_IF && w->path.data[i]->branch.why == HY_IF_USER)
      hy_expr_visit(w->path.data[i]->branch.condition, see_access, &a);
  for (int i = 0; i < func->rank; i++) {
    hy_expr_visit(assign->assign.lhs[i], see_access_inside, &a);
    hy_expr_visit(assign->assign.lhs[i], see_bounded_atom, &a);
    hy_expr_visit(assign->assign.lhs[i], see_access, &a);
    owe_fits(w, a.at, assign->assign.lhs[i], "the index");
  }
  hy_expr_visit(assign->assign.rhs, see_access, &a);
  const char *point = print(w, hy_expr_access(w->context, func, assign->assign.lhs));
  owe_point(w, HY_B_MEM, a.at, assign->assign.lhs, mem, point, "allocation");
  for (size_t i = 0; i < a.seen.count; i++) owe_access(&a, a.seen.data[i]);
  pop_facts(w, facts);
  hy_vec_free(&a.seen);
  hy_vec_free(&a.addresses);
}

/* -- statements -- */

static void walk(walker *w, const hy_stmt *stmt);

static void walk_below(walker *w, const hy_stmt *stmt, const hy_stmt *child, size_t facts) {
  hy_vec_push(&w->path, stmt);
  hy_vec_push(&w->facts_at, facts);
  walk(w, child);
  (void)hy_vec_pop(&w->path);
  (void)hy_vec_pop(&w->facts_at);
}

static void walk_for(walker *w, const hy_stmt *stmt) {
  const hy_var *var = stmt->loop.var;
  const hy_expr *v = hy_expr_var(w->context, var);
  size_t facts = w->facts.count;
  owe_interval(w, here(w, var->func), stmt->loop.interval, "the loop", print(w, v));
  hy_ranges_bind_loop(w->ranges, var, stmt->loop.interval);
  push_fact(w, binary(w, HY_OP_LE, stmt->loop.interval.min, v));
  push_fact(w, binary(w, HY_OP_LT, v, end_of(w, stmt->loop.interval)));
  walk_below(w, stmt, stmt->loop.body, facts);
  pop_facts(w, facts);
}

static void walk_let(walker *w, const hy_stmt *stmt) {
  size_t facts = w->facts.count;
  place at = here(w, stmt->let.var->func);
  owe_defined(w, at, stmt->let.value);
  owe_fits(w, at, stmt->let.value, "the value");
  hy_ranges_bind_let(w->ranges, stmt->let.var, stmt->let.value);
  push_fact(w, binary(w, HY_OP_EQ, hy_expr_var(w->context, stmt->let.var), stmt->let.value));
  walk_below(w, stmt, stmt->let.body, facts);
  pop_facts(w, facts);
}

static void walk_if(walker *w, const hy_stmt *stmt) {
  size_t facts = w->facts.count;
  const hy_expr *condition = stmt->branch.condition;
  if (stmt->branch.why == HY_IF_GUARD) {
    owe_defined(w, here(w, w->tgt->alg->output), condition);
    owe_fits(w, here(w, w->tgt->alg->output), condition, "the guard");
  }
  push_branch(w, stmt, stmt->branch.then);
  walk_below(w, stmt, stmt->branch.then, facts);
  pop_facts(w, facts);
  if (!stmt->branch.otherwise) return;
  push_branch(w, stmt, stmt->branch.otherwise);
  walk_below(w, stmt, stmt->branch.otherwise, facts);
  pop_facts(w, facts);
}

static void walk_compute(walker *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->compute.func;
  place at = here(w, func);
  hy_interval room[HY_MAX_RANK];
  for (int i = 0; i < func->rank; i++)
    owe_interval(w, at, stmt->compute.box[i], "the computed region, dimension", dim_name(func, i));
  const hy_interval *mem = mem_of(w, func, room);
  if (mem)
    owe_inside(w, HY_B_INSIDE, at, stmt->compute.box, mem, "what is computed is allocated");
  else
    owe_missing(w, HY_B_INSIDE, at, func->name, "an allocation");
  w->computes[func->index] = stmt;
  walk_below(w, stmt, stmt->compute.body, w->facts.count);
}

// B.Constrain: what a bounds directive demands of Cpu is proved; what is assumed holds for all that follows (D43).
static void walk_assume(walker *w, const hy_stmt *stmt) {
  const hy_expr *condition = stmt->assume.condition;
  if (stmt->assume.why != HY_ASSUME_CONSTRAIN) {
    push_fact(w, condition);
    return;
  }
  const hy_func *func = stmt->assume.subject ? stmt->assume.subject : w->tgt->alg->output;
  while (condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND) {
    owe(w, HY_B_CONSTRAIN, here(w, func), condition->args[1], "the bounds of %s satisfy %s", func->name,
        print(w, condition->args[1]));
    condition = condition->args[0];
  }
  owe(w, HY_B_CONSTRAIN, here(w, func), condition, "the bounds of %s satisfy %s", func->name, print(w, condition));
}

static void walk_allocate(walker *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->allocate.func;
  for (int i = 0; i < func->rank; i++)
    owe_interval(w, here(w, func), stmt->allocate.box[i], "the allocation, dimension", dim_name(func, i));
  w->allocates[func->index] = stmt;
}

// An allocation ends with its sequence (D20), and with it what was computed into it.
static void walk_seq(walker *w, const hy_stmt *stmt) {
  size_t facts = w->facts.count;
  for (int i = 0; i < stmt->seq.count; i++) walk_below(w, stmt, stmt->seq.items[i], facts);
  for (int i = 0; i < stmt->seq.count; i++)
    if (stmt->seq.items[i]->kind == HY_STMT_ALLOCATE && w->path.count) {
      w->allocates[stmt->seq.items[i]->allocate.func->index] = NULL;
      w->computes[stmt->seq.items[i]->allocate.func->index] = NULL;
    }
}

static void walk(walker *w, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP: return;
  case HY_STMT_ASSUME: walk_assume(w, stmt); return;
  case HY_STMT_SEQ: walk_seq(w, stmt); return;
  case HY_STMT_ALLOCATE: walk_allocate(w, stmt); return;
  case HY_STMT_ASSIGN: walk_assign(w, stmt); return;
  case HY_STMT_IF: walk_if(w, stmt); return;
  case HY_STMT_FOR: walk_for(w, stmt); return;
  case HY_STMT_LET: walk_let(w, stmt); return;
  case HY_STMT_COMPUTE: walk_compute(w, stmt); return;
  case HY_STMT_LABEL: walk_below(w, stmt, stmt->label.body, w->facts.count); return;
  }
  HY_UNREACHABLE();
}

/* -- the pipeline -- */

// An empty window returns at once (D11), so every length is at least 1; then the entry block's conditions hold.
// "-2^31 <= v && v <= 2^31" says how wide v is and nothing else: only B.Fits asks for it, everybody else is spared the
// facts.
static void push_range(walker *w, const hy_expr *condition) {
  int64_t constant, width = INT64_C(1) << 31;
  if (condition->kind == HY_EXPR_OP && condition->op == HY_OP_AND) {
    push_range(w, condition->args[0]);
    push_range(w, condition->args[1]);
    return;
  }
  for (int i = 0; i < condition->count && condition->kind == HY_EXPR_OP; i++)
    if (hy_expr_is_int(condition->args[i], &constant) && (constant == width || constant == -width)) {
      hy_vec_push(&w->widths, condition);
      return;
    }
  push_fact(w, condition);
}

static void push_entry_facts(walker *w) {
  const hy_alg *alg = w->tgt->alg;
  for (int i = 0; i < alg->output->rank; i++)
    push_fact(w, binary(w, HY_OP_GE, hy_expr_var(w->context, alg->window_len[i]), hy_expr_int(w->context, 1)));
  for (int i = 0; i < w->tgt->entry_count; i++) {
    const hy_expr *condition = w->tgt->entry[i]->assume.condition;
    owe_fits(w, here(w, alg->output), condition, "the entry check");
    if (w->tgt->entry[i]->assume.why == HY_ASSUME_RANGE)
      push_range(w, condition);
    else
      push_fact(w, condition);
  }
}

static const hy_query *finish(walker *w, size_t entry_count) {
  hy_query *query = HY_NEW(hy_context_arena(w->context), hy_query);
  hy_obligation *obligations = HY_NEW_ARRAY(hy_context_arena(w->context), hy_obligation, w->obligations.count);
  if (w->obligations.count) memcpy(obligations, w->obligations.data, sizeof *obligations * w->obligations.count);
  pop_facts(w, entry_count);
  for (size_t i = 0; i < w->widths.count; i++) push_fact(w, w->widths.data[i]);
  share_facts(w, w->facts.count);
  *query = (hy_query){obligations, w->obligations.count, w->shared, w->shared_count};
  hy_ranges_free(w->ranges);
  free(w->allocates);
  free(w->computes);
  hy_vec_free(&w->obligations);
  hy_vec_free(&w->facts);
  hy_vec_free(&w->widths);
  hy_vec_free(&w->path);
  hy_vec_free(&w->facts_at);
  return query;
}

// B.Window: the window lies inside Cpu(output) (decision D50).
static void owe_window(walker *w) {
  const hy_alg *alg = w->tgt->alg;
  const hy_stmt *compute = w->computes[alg->output->index];
  place at = here(w, alg->output);
  if (!compute) {
    owe_missing(w, HY_B_WINDOW, at, alg->output->name, "a computation");
    return;
  }
  hy_interval window[HY_MAX_RANK];
  for (int i = 0; i < alg->output->rank; i++)
    window[i] = (hy_interval){hy_expr_var(w->context, alg->window_min[i]), hy_expr_var(w->context, alg->window_len[i])};
  owe_inside(w, HY_B_WINDOW, at, window, compute->compute.box, "the window is computed");
}

const hy_query *hy_query_extract(hy_context *context, const hy_tgt *filled) {
  size_t symbols = (size_t)filled->alg->image_count;
  for (int i = 0; i < filled->func_count; i++)
    if (filled->funcs[i]->index >= symbols) symbols = filled->funcs[i]->index + 1;
  walker w = {.context = context, .tgt = filled, .ranges = hy_ranges_new()};
  w.allocates = hy_allocate_zeroed(symbols, sizeof *w.allocates);
  w.computes = hy_allocate_zeroed(symbols, sizeof *w.computes);
  push_entry_facts(&w);
  size_t entry_count = w.facts.count;
  walk(&w, filled->body);
  owe_window(&w); // under the assumptions of the output's own compute, which is in no loop (D43)
  pop_facts(&w, entry_count);

  return finish(&w, entry_count);
}
