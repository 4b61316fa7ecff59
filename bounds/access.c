#include "bounds/query_internal.h"

/* -- B.Mem, B.Cpu, B.Address: the accesses of an assignment -- */

typedef struct {
  hy_query_walk *w;
  hy_query_place at;
  const hy_stmt *reader;        // the assignment or the if that evaluates them
  const hy_expr *const *point;  // that is written; NULL: none
  const hy_stage *stage;        // for the places of accesses; NULL in a .tgt file, whose statements have them
  hy_expr_list seen, addresses; // each access once; those nested in indices
} access_walk;

static bool contains(const hy_expr_list *list, const hy_expr *expr) {
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i] == expr) return true;
  return false;
}

// The entry check says that the image's own box holds what is needed (decision D14): its filled condition is a fact.
static const hy_interval *box_of_image(const hy_query_walk *w, const hy_func *image, hy_interval *box) {
  for (int i = 0; i < image->rank; i++)
    box[i] = (hy_interval){hy_expr_var(w->context, image->min[i]), hy_expr_var(w->context, image->len[i])};
  return box;
}

const hy_interval *hy_query_mem_of(const hy_query_walk *w, const hy_func *func, hy_interval *room) {
  if (func->is_image) return box_of_image(w, func, room);
  const hy_stmt *allocate = w->allocates[func->index];
  return allocate ? allocate->allocate.box : NULL;
}

// That a coordinate is inside the box's dimension i.
static void owe_ends(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, int i, const hy_expr *coordinate,
                     const hy_interval *box, const char *access, const char *what) {
  const hy_func *func = at.other ? at.other : at.func;
  hy_query_owe(w, kind, at, binary(w, HY_OP_LE, box[i].min, coordinate),
               "%s is inside the %s of %s, dimension %s, lower bound", access, what, func->name, dim_name(func, i));
  hy_query_end_at(w, i, false);
  hy_query_owe(w, kind, at, binary(w, HY_OP_LT, coordinate, end_of(w, box[i])),
               "%s is inside the %s of %s, dimension %s, upper bound", access, what, func->name, dim_name(func, i));
  hy_query_end_at(w, i, true);
}

static void owe_point(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_expr *const *point,
                      const hy_interval *box, const char *access, const char *what) {
  const hy_func *func = at.other ? at.other : at.func;
  for (int i = 0; i < func->rank; i++) owe_ends(w, kind, at, i, point[i], box, access, what);
}

// Is a coordinate of the point made of what the reader knows? A predicate stands around loops and lets.
static bool is_known(const hy_query_walk *w, const hy_expr *coordinate, const hy_stmt *below) {
  const hy_var *var = below->kind == HY_STMT_FOR ? below->loop.var : below->kind == HY_STMT_LET ? below->let.var : NULL;
  if (var && hy_expr_mentions(coordinate, var)) return false;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(below, &children, room);
  for (int i = 0; i < count; i++)
    if (!is_known(w, coordinate, children[i])) return false;
  return true;
}

static void see_func(void *self, const hy_expr *node) {
  if (node->kind == HY_EXPR_ACCESS && !node->func->is_image) *(bool *)self = true;
}

// May the coordinate be an error value, of its own or of a func that it reads? Then the instance hits all of its slice
// (decision D12), and that the machine's number lies in Cpu says nothing.
static bool may_err(const hy_query_walk *w, const hy_expr *coordinate) {
  bool reads = false;
  hy_expr_visit(coordinate, see_func, &reads);
  return reads || !hy_ranges_total(w->ranges, coordinate);
}

static void push_in_dimension(access_walk *a, const hy_stmt *compute, int i) {
  hy_query_walk *w = a->w;
  const hy_expr *e = hy_machine_value(w->context, w->ranges, a->point[i]);
  hy_query_push_fact(w, binary(w, HY_OP_GE, e, compute->compute.box[i].min));
  hy_query_push_fact(w, binary(w, HY_OP_LT, e, end_of(w, compute->compute.box[i])));
}

static void push_in_cpu(access_walk *a, const hy_stmt *compute) {
  for (int i = 0; a->point && i < compute->compute.func->rank; i++)
    if (is_known(a->w, a->point[i], a->reader) && !may_err(a->w, a->point[i])) push_in_dimension(a, compute, i);
}

// B.Cpu of an access. A coordinate that is the point's own errs where that does, and then it looks nowhere.
static void owe_in_cpu(access_walk *a, hy_query_place at, const hy_expr *access, const hy_expr *const *index,
                       const hy_interval *box, const char *text) {
  hy_query_walk *w = a->w;
  const hy_stmt *own = w->computes[a->at.func->index];
  for (int i = 0; i < access->count; i++) {
    size_t facts = w->facts.count;
    bool same = a->point && access->func == a->at.func && access->args[i] == a->point[i];
    if (same && is_known(w, a->point[i], a->reader) && may_err(w, a->point[i])) push_in_dimension(a, own, i);
    owe_ends(w, HY_B_CPU, at, i, index[i], box, text, "computed region");
    hy_query_pop_facts(w, facts);
  }
}

// That it may leave 64 bits is known of its range; that it does not may be known of facts that B.Fits alone asks for.
static void push_widths(hy_query_walk *w, const hy_expr *const *indices, int count) {
  bool all_fit = true;
  for (int i = 0; i < count; i++) all_fit &= hy_ranges_total(w->ranges, indices[i]);
  for (size_t i = 0; i < w->widths.count && !all_fit; i++) hy_query_push_fact(w, w->widths.data[i]);
  for (size_t i = 0; i < w->fitting.count && !all_fit; i++) hy_query_push_fact(w, w->fitting.data[i]);
}

// An index that fits is what it says; else it is what the machine makes of it (decisions D66, D67).
static const hy_expr *index_of(hy_query_walk *w, hy_query_place at, const hy_expr *index) {
  if (hy_ranges_total(w->ranges, index)) hy_query_owe_fits(w, at, index, "the index");
  return hy_machine_value(w->context, w->ranges, index);
}

static bool is_bitwise(const hy_expr *node) {
  if (node->kind != HY_EXPR_OP) return false;
  if (hy_op_kind_of(node->op) == HY_KIND_COUNT) return true;
  return node->count == 2 && (hy_op_kind_of(node->op) == HY_KIND_BITS || hy_op_kind_of(node->op) == HY_KIND_SHIFT);
}

// What the sign of b makes of e = a | b, a ^ b or a & b, as far as the range of b shows it:
// a <= a | b <= a + b, a - b <= a ^ b <= a + b, a & b <= b where b >= 0; a + b + 1 <= a & b <= a where b < 0.
static void push_bits_beside(hy_query_walk *w, const hy_expr *e, const hy_expr *a, const hy_expr *b) {
  hy_range range = hy_ranges_of(w->ranges, b);
  bool natural = range.low >= 0;
  const hy_expr *least, *most;
  if (e->op == HY_OP_BIT_AND) {
    if (!natural && range.high >= 0) return;
    const hy_expr *one = natural ? NULL : hy_expr_int(w->context, 1);
    least = natural ? NULL : binary(w, HY_OP_ADD, binary(w, HY_OP_ADD, a, b), one);
    most = natural ? b : a;
  } else {
    if (!natural) return;
    least = e->op == HY_OP_BIT_OR ? a : binary(w, HY_OP_SUB, a, b);
    most = binary(w, HY_OP_ADD, a, b);
  }
  if (least) hy_query_push_fact(w, binary(w, HY_OP_LE, least, e));
  hy_query_push_fact(w, binary(w, HY_OP_LE, e, most));
}

static void push_ends(hy_query_walk *w, const hy_expr *node, hy_range range) {
  hy_query_push_fact(w, binary(w, HY_OP_GE, node, hy_expr_int(w->context, (int64_t)range.low)));
  hy_query_push_fact(w, binary(w, HY_OP_LE, node, hy_expr_int(w->context, (int64_t)range.high)));
}

// What VAL.Bits, VAL.Shift and VAL.Count make of the arguments' numbers.
static void push_word(hy_query_walk *w, const hy_expr *e) {
  hy_range range = hy_ranges_of(w->ranges, e);
  if (e->type != HY_INT || !hy_range_fits(range)) return;
  push_ends(w, e, range);
  if (hy_op_kind_of(e->op) != HY_KIND_BITS) return;
  push_bits_beside(w, e, e->args[0], e->args[1]);
  push_bits_beside(w, e, e->args[1], e->args[0]);
}

static void see_word(void *self, const hy_expr *node) {
  hy_query_walk *w = self;
  if (is_bitwise(node) && hy_ranges_total(w->ranges, node)) push_word(w, node);
}

void hy_query_push_words(hy_query_walk *w, hy_interval interval) {
  hy_expr_visit(interval.min, see_word, w);
  hy_expr_visit(interval.len, see_word, w);
}

// Of e = a / b or a % b by what may be 0 or negative: 0 <= a % b < max(b, -b, 1), -|a| <= a / b <= |a|; by 0 the
// machine gives 0 (D5), and by a positive number the prover knows more itself.
static void push_division(hy_query_walk *w, const hy_expr *e) {
  const hy_expr *a = e->args[0], *b = e->args[1], *zero = hy_expr_int(w->context, 0);
  int64_t constant;
  bool is_known = hy_expr_is_int(b, &constant) && constant != 0;
  if (e->type != HY_INT || is_known || hy_ranges_of(w->ranges, b).low >= 1) return;
  if (e->op == HY_OP_DIV) {
    const hy_expr *size = hy_expr_unary(w->context, HY_OP_ABS, a);
    hy_query_push_fact(w, binary(w, HY_OP_LE, binary(w, HY_OP_SUB, zero, size), e));
    hy_query_push_fact(w, binary(w, HY_OP_LE, e, size));
    return;
  }
  const hy_expr *one = hy_expr_int(w->context, 1);
  const hy_expr *size = binary(w, HY_OP_MAX, binary(w, HY_OP_MAX, b, binary(w, HY_OP_SUB, zero, b)), one);
  hy_query_push_fact(w, binary(w, HY_OP_LE, zero, e));
  hy_query_push_fact(w, binary(w, HY_OP_LT, e, size));
}

static bool is_division(const hy_expr *node) {
  return node->kind == HY_EXPR_OP && hy_op_kind_of(node->op) == HY_KIND_DIVISION;
}

// Between which ends a load lies that are known at entry (B.Value).
static void push_value_ends(hy_query_walk *w, const hy_expr *load) {
  for (int upper = 0; upper < 2; upper++) {
    const hy_expr *end = hy_value_end(w->values, load->func, load->part, upper);
    const hy_expr *is = load->type == HY_INT ? load : hy_expr_cast(w->context, HY_INT, load);
    if (end) hy_query_push_fact(w, upper ? binary(w, HY_OP_LE, is, end) : binary(w, HY_OP_LE, end, is));
  }
}

// Between which numbers a load or a conversion lies: those of its type, or of its func's values (B.Value).
static void see_bounded_atom(void *self, const hy_expr *node) {
  hy_query_walk *w = self;
  if (is_bitwise(node)) push_word(w, node);
  if (is_division(node)) push_division(w, node);
  if (node->kind == HY_EXPR_ACCESS) push_value_ends(w, node);
  bool atom = node->kind == HY_EXPR_ACCESS || (node->kind == HY_EXPR_OP && node->op == HY_OP_CAST);
  hy_range range;
  bool is_narrow = node->kind == HY_EXPR_ACCESS && hy_value_range(w->values, node->func, node->part, &range);
  if (!atom || (node->type != HY_INT && !is_narrow)) return;
  range = hy_ranges_of(w->ranges, node);
  if (!hy_range_fits(range)) return;
  if (node->type != HY_INT) node = hy_expr_cast(w->context, HY_INT, node);
  push_ends(w, node, range);
}

void hy_query_push_atoms(hy_query_walk *w, const hy_expr *const *indices, int count) {
  for (int i = 0; i < count; i++) hy_expr_visit(indices[i], see_bounded_atom, w);
}

static void owe_access(access_walk *a, const hy_expr *access) {
  hy_query_walk *w = a->w;
  hy_query_place at = a->at;
  at.other = access->func;
  at.loc = a->stage ? hy_stage_access_loc(a->stage, access) : hy_stmt_access_loc(a->reader, access, at.loc);
  const char *text = hy_query_print(w, access);
  hy_interval room[HY_MAX_RANK];
  const hy_interval *mem = hy_query_mem_of(w, access->func, room);
  const hy_expr *index[HY_MAX_RANK];
  for (int i = 0; i < access->count; i++) index[i] = index_of(w, at, access->args[i]);
  if (!mem) {
    hy_query_owe_missing(w, HY_B_MEM, at, text, "its allocation");
    return;
  }
  size_t facts = w->facts.count;
  push_widths(w, access->args, access->count);
  owe_point(w, HY_B_MEM, at, index, mem, text, access->func->is_image ? "image" : "allocation");
  hy_query_pop_facts(w, facts);
  if (access->func->is_image) return;
  const hy_stmt *compute = w->computes[access->func->index];
  bool address = contains(&a->addresses, access);
  if (!compute) {
    hy_query_owe_missing(w, HY_B_CPU, at, text, "its computation");
    return;
  }
  push_widths(w, access->args, access->count);
  if (!address) push_in_cpu(a, w->computes[a->at.func->index]);
  if (address)
    owe_point(w, HY_B_ADDRESS, at, index, compute->compute.box, text, "computed region");
  else
    owe_in_cpu(a, at, access, index, compute->compute.box, text);
  hy_query_pop_facts(w, facts);
}

static void see_access_inside(void *self, const hy_expr *node) {
  access_walk *a = self;
  if (node->kind == HY_EXPR_ACCESS && !contains(&a->addresses, node)) hy_vec_push(&a->addresses, node);
}

static void see_access(void *self, const hy_expr *node) {
  access_walk *a = self;
  if (node->kind != HY_EXPR_ACCESS || contains(&a->seen, node)) return;
  hy_vec_push(&a->seen, node);
  const hy_expr *index[HY_MAX_RANK];
  for (int i = 0; i < node->count; i++) {
    hy_expr_visit(node->args[i], see_access_inside, a);
    index[i] = hy_machine_value(a->w->context, a->w->ranges, node->args[i]);
  }
  hy_query_push_atoms(a->w, index, node->count);
}

static const hy_stage *stage_of(const hy_query_walk *w, const hy_stmt *assign) {
  const hy_definition *d = hy_alg_definition(w->tgt->alg, assign->assign.func);
  return d ? &d->stages[assign->assign.stage] : NULL;
}

static hy_query_place place_of(const hy_stmt *assign, const hy_stage *stage) {
  return (hy_query_place){assign->assign.func, NULL, assign->assign.stage, stage ? stage->loc : (hy_loc){0}};
}

static void owe_all(access_walk *a, size_t facts) {
  for (size_t i = 0; i < a->seen.count; i++) owe_access(a, a->seen.data[i]);
  hy_query_pop_facts(a->w, facts);
  hy_vec_free(&a->seen);
  hy_vec_free(&a->addresses);
}

static const hy_stmt *first_assignment(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_ASSIGN) return stmt;
  const hy_stmt *const *children, *room[2], *found = NULL;
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count && !found; i++) found = first_assignment(children[i]);
  return found;
}

// B.Predicate: the accesses of an update's predicate, where it is evaluated: under the facts of its own place, whether
// or not an assignment stands below it (decision D75).
void hy_query_walk_predicate(hy_query_walk *w, const hy_stmt *stmt) {
  if (!stmt->branch.condition->has_access) return;
  hy_context_hit(w->context, HY_RULE_B_PREDICATE);
  const hy_stmt *compute = NULL, *assign = first_assignment(stmt);
  for (size_t i = w->path.count; i-- > 0 && !compute;)
    if (w->path.data[i]->kind == HY_STMT_COMPUTE) compute = w->path.data[i];
  hy_query_place at = hy_query_here(w, compute ? compute->compute.func : w->tgt->alg->output);
  access_walk a = {.w = w, .reader = stmt};
  if (assign) {
    a.stage = stage_of(w, assign);
    at = place_of(assign, a.stage);
    a.point = w->computes[assign->assign.func->index] ? assign->assign.lhs : NULL;
  }
  a.at = hy_query_on(at, stmt);
  size_t facts = w->facts.count, fitting = w->fitting.count;
  hy_expr_visit(stmt->branch.condition, see_access, &a);
  owe_all(&a, facts);
  w->fitting.count = fitting;
}

// B.Assign: f[e] <- rhs, over all accesses in e and rhs (decision D56).
void hy_query_walk_assign(hy_query_walk *w, const hy_stmt *assign) {
  hy_context_hit(w->context, HY_RULE_B_ASSIGN);
  const hy_func *func = assign->assign.func;
  const hy_stage *stage = stage_of(w, assign);
  access_walk a = {.w = w,
                   .at = hy_query_on(place_of(assign, stage), assign),
                   .reader = assign,
                   .point = assign->assign.lhs,
                   .stage = stage};
  hy_interval room[HY_MAX_RANK];
  const hy_interval *mem = hy_query_mem_of(w, func, room);
  if (!mem || !w->computes[func->index]) {
    hy_query_owe_missing(w, HY_B_MEM, a.at, func->name, "its allocation and computation");
    return;
  }
  hy_query_owe_cover(w, a.at, assign);
  hy_query_owe_disjoint(w, a.at, assign);
  hy_query_owe_value(w, a.at, assign);
  size_t facts = w->facts.count, fitting = w->fitting.count;
  const hy_expr *left[HY_MAX_RANK];
  for (int i = 0; i < func->rank; i++) {
    hy_expr_visit(assign->assign.lhs[i], see_access_inside, &a);
    hy_expr_visit(assign->assign.lhs[i], see_access, &a);
    left[i] = hy_machine_value(w->context, w->ranges, assign->assign.lhs[i]);
    hy_query_push_atoms(w, &left[i], 1); // before what rests on them is owed
    left[i] = index_of(w, a.at, assign->assign.lhs[i]);
  }
  hy_expr_visit(assign->assign.rhs, see_access, &a);
  const char *point = hy_query_print(w, hy_expr_access(w->context, func, assign->assign.lhs));
  size_t inner = w->facts.count;
  push_widths(w, assign->assign.lhs, func->rank);
  owe_point(w, HY_B_MEM, a.at, left, mem, point, "allocation");
  hy_query_owe_fold_of_store(w, a.at, assign, left);
  hy_query_pop_facts(w, inner);
  owe_all(&a, facts);
  w->fitting.count = fitting;
}
