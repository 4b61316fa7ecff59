/* The forms of relations: their formulas, and what follows from them (relation.h). */

#include "semantics/tgt/tgt.h"

#include "semantics/base/vec.h"

#include <string.h>

static const hy_expr *binary(hy_context *context, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(context, op, a, b);
}

/* -- constructors -- */

static const hy_relation *copy_of(hy_context *context, hy_relation relation) {
  hy_relation *copy = HY_NEW(hy_context_arena(context), hy_relation);
  *copy = relation;
  return copy;
}

hy_origin hy_origin_split(hy_context *context, hy_tail tail, const hy_var *let, const hy_var *outer,
                          const hy_var *inner, const hy_expr *factor, hy_interval range) {
  hy_relation relation = {
      .form = HY_BY_SPLIT, .tail = tail, .let_count = 1, .loop_count = 2, .lets = {let}, .loops = {outer, inner}};
  return (hy_origin){copy_of(context, relation), 0, {outer, inner}, factor, range};
}

hy_origin hy_origin_fuse(hy_context *context, int number, const hy_var *const lets[2], const hy_var *fused,
                         const hy_expr *factor, hy_interval range) {
  hy_relation relation = {.form = HY_BY_FUSE,
                          .tail = HY_TAIL_GUARD,
                          .let_count = 2,
                          .loop_count = 1,
                          .lets = {lets[0], lets[1]},
                          .loops = {fused}};
  return (hy_origin){copy_of(context, relation), number, {fused, NULL}, factor, range};
}

hy_origin hy_origin_given(hy_context *context, const hy_relation *given, const hy_var *let, hy_interval range) {
  int number = -1;
  for (int i = given->let_count; i-- > 0;)
    if (given->lets[i] == let) number = i;
  return (hy_origin){given, number, {NULL, NULL}, hy_expr_int(context, 1), range};
}

/* -- rewriting -- */

const hy_relation *hy_relation_map_exprs(hy_context *context, const hy_relation *relation, hy_expr_mapper *map,
                                         void *self) {
  hy_relation mapped = *relation;
  bool same = true;
  for (int i = 0; i < mapped.loop_count; i++) {
    if (mapped.inverses[i]) mapped.inverses[i] = map(self, mapped.inverses[i]);
    same &= mapped.inverses[i] == relation->inverses[i];
  }
  return same ? relation : copy_of(context, mapped);
}

static bool rename_list(const hy_var **vars, int count, hy_var_mapper *name, void *self) {
  bool same = true;
  for (int i = 0; i < count; i++) {
    const hy_var *renamed = vars[i] ? name(self, vars[i]) : NULL;
    same &= renamed == vars[i];
    vars[i] = renamed;
  }
  return same;
}

const hy_relation *hy_relation_rename(hy_context *context, const hy_relation *relation, hy_var_mapper *name,
                                      void *self) {
  hy_relation named = *relation;
  bool same = rename_list(named.lets, named.let_count, name, self);
  same &= rename_list(named.loops, named.loop_count, name, self);
  return same ? relation : copy_of(context, named);
}

hy_origin hy_origin_map_exprs(hy_context *context, hy_origin origin, hy_expr_mapper *map, void *self) {
  if (!origin.relation) return origin;
  origin.relation = hy_relation_map_exprs(context, origin.relation, map, self);
  origin.factor = map(self, origin.factor);
  origin.range.min = map(self, origin.range.min);
  origin.range.len = map(self, origin.range.len);
  return origin;
}

hy_origin hy_origin_rename(hy_context *context, hy_origin origin, hy_var_mapper *name, void *self) {
  if (!origin.relation) return origin;
  origin.relation = hy_relation_rename(context, origin.relation, name, self);
  rename_list(origin.sources, HY_MOST_SOURCES, name, self);
  return origin;
}

typedef HY_VEC(const hy_stmt *) stmt_list;

static bool is_half(const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_LET && stmt->let.origin.relation && stmt->let.origin.relation->form == HY_BY_FUSE;
}

static void find_halves(const hy_stmt *stmt, stmt_list *halves) {
  if (is_half(stmt)) hy_vec_push(halves, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) find_halves(children[i], halves);
}

// The first half of that number of the loop; of several, which WF.Origin refuses, the others have none.
static const hy_var *first_half(const stmt_list *halves, int number, const hy_var *fused) {
  for (size_t i = 0; i < halves->count; i++) {
    const hy_origin *o = &halves->data[i]->let.origin;
    if (o->number == number && o->sources[0] == fused) return halves->data[i]->let.var;
  }
  return NULL;
}

// before: let x_1 by fuse outer(t, ..) of {x_1, nobody}, let x_2 by fuse inner(t, ..) of {nobody, x_2}
// after:  both of {x_1, x_2}
static const hy_stmt *relate(hy_context *context, const hy_stmt *stmt, const stmt_list *halves) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  const hy_stmt **fresh = hy_allocate(sizeof *fresh * (size_t)(count + 1));
  for (int i = 0; i < count; i++) fresh[i] = relate(context, children[i], halves);
  stmt = hy_stmt_with_children(context, stmt, fresh, count);
  hy_free(fresh);
  if (!is_half(stmt)) return stmt;
  const hy_origin *o = &stmt->let.origin;
  const hy_var *fused = o->sources[0], *lets[2] = {NULL, NULL};
  lets[o->number] = stmt->let.var;
  if (first_half(halves, o->number, fused) == stmt->let.var)
    lets[1 - o->number] = first_half(halves, 1 - o->number, fused);
  hy_origin origin = hy_origin_fuse(context, o->number, lets, fused, o->factor, o->range);
  if (hy_relation_same(origin.relation, o->relation)) return stmt; // what others have of the tree stays part of it
  return hy_stmt_placed(context, hy_stmt_let(context, stmt->let.var, stmt->let.value, origin, stmt->let.body),
                        stmt->place);
}

const hy_stmt *hy_relate_halves(hy_context *context, const hy_stmt *root) {
  stmt_list halves = {0};
  find_halves(root, &halves);
  if (halves.count) root = relate(context, root, &halves);
  hy_vec_free(&halves);
  return root;
}

/* -- what it says -- */

static bool same_directive(const hy_relation *a, const hy_relation *b) {
  return a->directive && b->directive ? !strcmp(a->directive, b->directive) : !a->directive && !b->directive;
}

bool hy_relation_same(const hy_relation *a, const hy_relation *b) {
  if (a == b) return true;
  if (!a || !b || a->form != b->form || !same_directive(a, b)) return false;
  if (a->tail != b->tail) return false;
  if (a->let_count != b->let_count || a->loop_count != b->loop_count) return false;
  for (int i = 0; i < a->let_count; i++)
    if (a->lets[i] != b->lets[i]) return false;
  for (int i = 0; i < a->loop_count; i++)
    if (a->loops[i] != b->loops[i] || a->inverses[i] != b->inverses[i]) return false;
  return true;
}

bool hy_relation_has_loop(const hy_relation *relation, const hy_var *var) {
  for (int i = 0; relation && i < relation->loop_count; i++)
    if (relation->loops[i] == var) return true;
  return false;
}

bool hy_relation_is_given(const hy_relation *relation) { return relation && relation->form == HY_BY_GIVEN; }

bool hy_origin_has_source(const hy_origin *origin, const hy_var *var) {
  for (int i = 0; i < HY_MOST_SOURCES; i++)
    if (origin->sources[i] == var) return var && origin->relation;
  return false;
}

// min + factor*outer, or what shift makes of it; of the offset alone if "min" is NULL.
static const hy_expr *offset_of(hy_context *context, const hy_origin *o) {
  const hy_expr *outer = hy_expr_var(context, o->sources[0]);
  switch (o->relation->form) {
  case HY_BY_FUSE: return binary(context, o->number ? HY_OP_MOD : HY_OP_DIV, outer, o->factor);
  case HY_BY_SPLIT: {
    const hy_expr *start = binary(context, HY_OP_MUL, o->factor, outer);
    const hy_expr *last = binary(context, HY_OP_SUB, o->range.len, o->factor);
    if (o->relation->tail == HY_TAIL_SHIFT) start = binary(context, HY_OP_MIN, start, last);
    return binary(context, HY_OP_ADD, start, hy_expr_var(context, o->sources[1]));
  }
  case HY_BY_GIVEN: break;
  }
  HY_UNREACHABLE();
}

const hy_expr *hy_origin_value(hy_context *context, const hy_origin *o) {
  if (o->relation->form == HY_BY_GIVEN) return NULL;
  return binary(context, HY_OP_ADD, o->range.min, offset_of(context, o));
}

// A shift moves its last block below the range where the factor exceeds the extent.
static bool factor_fits(const hy_origin *o) {
  int64_t factor, extent;
  return hy_expr_is_int(o->factor, &factor) && hy_expr_is_int(o->range.len, &extent) && factor <= extent;
}

hy_staying hy_origin_staying(const hy_origin *o, bool above) {
  if (!o->relation) return above ? HY_LEAVES : HY_STAYS;
  switch (o->relation->form) {
  case HY_BY_FUSE: return o->number ? HY_STAYS : HY_STAYS_WITH_LOOPS; // a remainder is never out of its range
  case HY_BY_GIVEN: return o->relation->tail == HY_TAIL_GUARD ? HY_STAYS_WITH_ALL : HY_LEAVES;
  case HY_BY_SPLIT: break;
  }
  switch (o->relation->tail) {
  case HY_TAIL_GUARD: return above ? HY_STAYS : HY_STAYS_WITH_LOOPS; // the guard cuts off above only
  case HY_TAIL_ROUND: return above ? HY_LEAVES : HY_STAYS_WITH_LOOPS;
  case HY_TAIL_SHIFT: return above || !factor_fits(o) ? HY_LEAVES : HY_STAYS_WITH_LOOPS;
  }
  HY_UNREACHABLE();
}

// A guard cuts the last block short; of a directive from outside the tree nobody knows where its loops lead.
bool hy_origin_clamps(const hy_origin *o, bool above) {
  if (!o->relation || o->relation->tail != HY_TAIL_GUARD) return false;
  return o->relation->form == HY_BY_GIVEN || (o->relation->form == HY_BY_SPLIT && above);
}

bool hy_origin_is_exact(const hy_origin *o) {
  int64_t factor, extent;
  if (!hy_origin_is_blocks(o) || !hy_expr_is_int(o->factor, &factor)) return false;
  return factor == 1 || (factor > 0 && hy_expr_is_int(o->range.len, &extent) && extent % factor == 0);
}

bool hy_origin_is_blocks(const hy_origin *o) { return o->relation && o->relation->form == HY_BY_SPLIT; }

bool hy_origin_is_quotient(const hy_origin *o) {
  return o->relation && o->relation->form == HY_BY_FUSE && o->number == 0;
}

/* -- the ways back -- */

hy_related hy_relation_in(const hy_relation *relation, const hy_stmt *const *chain, size_t count) {
  hy_related related = {.relation = relation};
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < relation->let_count && chain[i]->kind == HY_STMT_LET; k++)
      if (chain[i]->let.var == relation->lets[k] && !related.lets[k]) related.lets[k] = chain[i];
  return related;
}

static bool has_all_lets(const hy_related *related) {
  for (int i = 0; i < related->relation->let_count; i++)
    if (!related->lets[i] || !related->lets[i]->let.origin.relation) return false;
  return true;
}

// Where the block of a split begins: min + factor*outer, or what shift makes of it.
static const hy_expr *start_of(hy_context *context, const hy_origin *o, const hy_var *outer) {
  const hy_expr *block = binary(context, HY_OP_MUL, o->factor, hy_expr_var(context, outer));
  const hy_expr *start = binary(context, HY_OP_ADD, o->range.min, block);
  if (o->relation->tail != HY_TAIL_SHIFT) return start;
  const hy_expr *end = hy_index_add(context, o->range.min, o->range.len);
  return binary(context, HY_OP_MIN, start, binary(context, HY_OP_SUB, end, o->factor));
}

static const hy_expr *inverse_of_split(hy_context *context, const hy_related *related, int loop) {
  const hy_stmt *let = related->lets[0];
  const hy_origin *o = &let->let.origin;
  const hy_expr *x = hy_expr_var(context, let->let.var);
  if (loop == 1) return binary(context, HY_OP_SUB, x, start_of(context, o, related->relation->loops[0]));
  return binary(context, HY_OP_DIV, binary(context, HY_OP_SUB, x, o->range.min), o->factor);
}

static const hy_expr *inverse_of_fusion(hy_context *context, const hy_related *related) {
  const hy_stmt *first = related->lets[0], *second = related->lets[1];
  const hy_origin *a = &first->let.origin, *b = &second->let.origin;
  const hy_expr *x1 = hy_expr_var(context, first->let.var), *x2 = hy_expr_var(context, second->let.var);
  const hy_expr *row = binary(context, HY_OP_MUL, binary(context, HY_OP_SUB, x1, a->range.min), a->factor);
  return binary(context, HY_OP_ADD, row, binary(context, HY_OP_SUB, x2, b->range.min));
}

const hy_expr *hy_related_inverse(hy_context *context, const hy_related *related, int loop) {
  switch (related->relation->form) {
  case HY_BY_GIVEN: return related->relation->inverses[loop];
  case HY_BY_SPLIT: return has_all_lets(related) ? inverse_of_split(context, related, loop) : NULL;
  case HY_BY_FUSE: return has_all_lets(related) ? inverse_of_fusion(context, related) : NULL;
  }
  HY_UNREACHABLE();
}

int hy_related_terms(const hy_related *related, const hy_expr *terms[HY_MOST_TERMS]) {
  int count = 0;
  if (related->relation->form == HY_BY_GIVEN) return 0; // its ways back are all that it says
  for (int i = 0; i < related->relation->let_count; i++) {
    if (!related->lets[i]) continue;
    const hy_origin *o = &related->lets[i]->let.origin;
    terms[count++] = o->factor;
    terms[count++] = o->range.min;
    terms[count++] = o->range.len;
  }
  return count;
}

// Of a split: x, for the inner loop the outer one, and what its blocks are counted by; of a fusion: both lets, both
// minima, and the length of a row.
bool hy_related_needs(const hy_related *related, int loop, hy_needs *needs) {
  const hy_relation *r = related->relation;
  *needs = (hy_needs){0};
  if (r->form == HY_BY_GIVEN) {
    needs->exprs[needs->expr_count++] = r->inverses[loop];
    return true;
  }
  if (!has_all_lets(related) || (r->loop_count == 2 && r->loops[0] == r->loops[1])) return false;
  for (int i = 0; i < r->let_count; i++) {
    needs->vars[needs->var_count++] = r->lets[i];
    needs->exprs[needs->expr_count++] = related->lets[i]->let.origin.range.min;
  }
  for (int i = 0; i < loop; i++) needs->vars[needs->var_count++] = r->loops[i];
  needs->exprs[needs->expr_count++] = related->lets[0]->let.origin.factor;
  if (r->tail == HY_TAIL_SHIFT) needs->exprs[needs->expr_count++] = related->lets[0]->let.origin.range.len;
  return true;
}

// The outer loop of a split has one value where its blocks do not overlap.
static int blocks_apart(hy_context *context, const hy_related *related, bool beside, const hy_expr *conditions[2]) {
  const hy_origin *o = &related->lets[0]->let.origin;
  const hy_expr *offset = binary(context, HY_OP_SUB, hy_expr_var(context, related->lets[0]->let.var), o->range.min);
  const hy_expr *block = binary(context, HY_OP_MUL, o->factor, hy_expr_var(context, related->relation->loops[0]));
  if (beside) offset = binary(context, HY_OP_SUB, offset, hy_expr_var(context, related->relation->loops[1]));
  if (beside && o->relation->tail == HY_TAIL_SHIFT) { // the last may begin before its place, but behind the one before
    conditions[0] = binary(context, HY_OP_LT, binary(context, HY_OP_SUB, block, o->factor), offset);
    conditions[1] = binary(context, HY_OP_LE, offset, block);
    return 2;
  }
  conditions[0] = binary(context, HY_OP_LE, block, offset);
  conditions[1] = binary(context, HY_OP_LT, offset, binary(context, HY_OP_ADD, block, o->factor));
  return 2;
}

int hy_related_back(hy_context *context, const hy_related *related, int loop, bool beside,
                    const hy_expr *conditions[2]) {
  if (related->relation->form == HY_BY_SPLIT && loop == 0) return blocks_apart(context, related, beside, conditions);
  const hy_expr *y = hy_expr_var(context, related->relation->loops[loop]);
  conditions[0] = binary(context, HY_OP_EQ, y, hy_related_inverse(context, related, loop));
  return 1;
}
