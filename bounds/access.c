#include "bounds/query_internal.h"

/* -- B.Mem, B.Cpu, B.Address: the accesses of an assignment -- */

typedef struct {
  hy_query_walk *w;
  hy_query_place at;
  const hy_stmt *assign;
  const hy_stage *stage;           // for the places of accesses; NULL in a .tgt file, whose statements have them
  const hy_stmt *reader;           // the assignment, or the predicate around it that is being read
  HY_VEC(const hy_stmt *) readers; // by position in "seen"
  hy_expr_list seen, addresses;    // each access once; those nested in indices
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

static void owe_point(hy_query_walk *w, hy_obligation_kind kind, hy_query_place at, const hy_expr *const *point,
                      const hy_interval *box, const char *access, const char *what) {
  const hy_func *func = at.other ? at.other : at.func;
  for (int i = 0; i < func->rank; i++) {
    bool lower = !(kind == HY_B_MEM ? HY_MUTANT(B_Mem_Lower_Unasked) : HY_MUTANT(B_Cpu_Lower_Unasked));
    if (lower)
      hy_query_owe(w, kind, at, binary(w, HY_OP_LE, box[i].min, point[i]),
                   "%s is inside the %s of %s, dimension %s, lower bound", access, what, func->name, dim_name(func, i));
    if (lower) hy_query_end_at(w, i, false);
    if (kind == HY_B_MEM ? HY_MUTANT(B_Mem_Upper_Unasked) : HY_MUTANT(B_Cpu_Upper_Unasked)) continue;
    hy_query_owe(w, kind, at, binary(w, HY_OP_LT, point[i], end_of(w, box[i])),
                 "%s is inside the %s of %s, dimension %s, upper bound", access, what, func->name, dim_name(func, i));
    hy_query_end_at(w, i, true);
  }
}

static void push_in_cpu(hy_query_walk *w, const hy_stmt *compute, const hy_expr *const *point) {
  for (int i = 0; i < compute->compute.func->rank; i++) {
    hy_query_push_fact(w, binary(w, HY_OP_GE, point[i], compute->compute.box[i].min));
    hy_query_push_fact(w, binary(w, HY_OP_LT, point[i], end_of(w, compute->compute.box[i])));
  }
}

static void owe_access(access_walk *a, const hy_expr *access, const hy_stmt *reader) {
  hy_query_walk *w = a->w;
  hy_query_place at = a->at;
  at.other = access->func;
  at.loc = a->stage ? hy_stage_access_loc(a->stage, access) : hy_stmt_access_loc(reader, access, at.loc);
  const char *text = hy_query_print(w, access);
  hy_interval room[HY_MAX_RANK];
  const hy_interval *mem = hy_query_mem_of(w, access->func, room);
  for (int i = 0; i < access->count; i++) hy_query_owe_fits(w, at, access->args[i], "the index");
  if (!mem) {
    hy_query_owe_missing(w, HY_B_MEM, at, text, "its allocation");
    return;
  }
  if (!access->func->is_image || !HY_MUTANT(D14_Images_Unasked))
    owe_point(w, HY_B_MEM, at, access->args, mem, text, access->func->is_image ? "image" : "allocation");
  if (access->func->is_image) return;
  const hy_stmt *compute = w->computes[access->func->index];
  bool address = contains(&a->addresses, access);
  if (!compute) {
    hy_query_owe_missing(w, HY_B_CPU, at, text, "its computation");
    return;
  }
  size_t facts = w->facts.count;
  if (!address || HY_MUTANT(D56_Address_Asked_Inside_Cpu))
    push_in_cpu(w, w->computes[a->at.func->index], a->assign->assign.lhs);
  if (address || !HY_MUTANT(D61_Cpu_Unasked))
    owe_point(w, address ? HY_B_ADDRESS : HY_B_CPU, at, access->args, compute->compute.box, text, "computed region");
  hy_query_pop_facts(w, facts);
}

// Facts about the loads and conversions inside indices: between which numbers they lie.
static void see_bounded_atom(void *self, const hy_expr *node) {
  access_walk *a = self;
  bool atom = node->kind == HY_EXPR_ACCESS || (node->kind == HY_EXPR_OP && node->op == HY_OP_CAST);
  if (node->type != HY_INT || !atom) return;
  hy_range range = hy_ranges_of(a->w->ranges, node);
  if (!hy_range_fits(range)) return;
  hy_query_push_fact(a->w, binary(a->w, HY_OP_GE, node, hy_expr_int(a->w->context, (int64_t)range.low)));
  hy_query_push_fact(a->w, binary(a->w, HY_OP_LE, node, hy_expr_int(a->w->context, (int64_t)range.high)));
}

static void see_access_inside(void *self, const hy_expr *node) {
  access_walk *a = self;
  if (node->kind == HY_EXPR_ACCESS && !contains(&a->addresses, node) && !HY_MUTANT(D56_Nested_Unread))
    hy_vec_push(&a->addresses, node);
}

static void see_access(void *self, const hy_expr *node) {
  access_walk *a = self;
  if (node->kind != HY_EXPR_ACCESS || contains(&a->seen, node)) return;
  hy_vec_push(&a->seen, node);
  hy_vec_push(&a->readers, a->reader);
  for (int i = 0; i < node->count; i++) {
    hy_expr_visit(node->args[i], see_access_inside, a);
    hy_expr_visit(node->args[i], see_bounded_atom, a);
  }
}

static const hy_stage *stage_of(const hy_query_walk *w, const hy_stmt *assign) {
  const hy_definition *d = hy_alg_definition(w->tgt->alg, assign->assign.func);
  return d ? &d->stages[assign->assign.stage] : NULL;
}

// B(f[e] <- rhs if p), over all accesses in e, rhs and p (decision D56).
void hy_query_walk_assign(hy_query_walk *w, const hy_stmt *assign) {
  const hy_func *func = assign->assign.func;
  const hy_stage *stage = stage_of(w, assign);
  access_walk a = {
      .w = w,
      .at = hy_query_on((hy_query_place){func, NULL, assign->assign.stage, stage ? stage->loc : (hy_loc){0}}, assign),
      .assign = assign,
      .stage = stage};
  hy_interval room[HY_MAX_RANK];
  const hy_interval *mem = hy_query_mem_of(w, func, room);
  if (!mem || !w->computes[func->index]) {
    hy_query_owe_missing(w, HY_B_MEM, a.at, func->name, "its allocation and computation");
    return;
  }
  hy_query_owe_cover(w, a.at, assign);
  hy_query_owe_disjoint(w, a.at, assign);
  size_t facts = w->facts.count, fitting = w->fitting.count;
  for (size_t i = 0; i < w->path.count; i++) // predicates of updates: their accesses count
    if (w->path.data[i]->kind == HY_STMT_IF && w->path.data[i]->branch.why == HY_IF_USER &&
        !HY_MUTANT(D56_Predicates_Unread)) {
      a.reader = w->path.data[i];
      hy_expr_visit(w->path.data[i]->branch.condition, see_access, &a);
    }
  a.reader = assign;
  for (int i = 0; i < func->rank; i++) {
    hy_expr_visit(assign->assign.lhs[i], see_access_inside, &a);
    hy_expr_visit(assign->assign.lhs[i], see_bounded_atom, &a);
    if (!HY_MUTANT(D56_Left_Side_Unread)) hy_expr_visit(assign->assign.lhs[i], see_access, &a);
    hy_query_owe_fits(w, a.at, assign->assign.lhs[i], "the index");
  }
  hy_expr_visit(assign->assign.rhs, see_access, &a);
  const char *point = hy_query_print(w, hy_expr_access(w->context, func, assign->assign.lhs));
  owe_point(w, HY_B_MEM, a.at, assign->assign.lhs, mem, point, "allocation");
  for (size_t i = 0; i < a.seen.count; i++) owe_access(&a, a.seen.data[i], a.readers.data[i]);
  hy_query_pop_facts(w, facts);
  w->fitting.count = fitting;
  hy_vec_free(&a.readers);
  hy_vec_free(&a.seen);
  hy_vec_free(&a.addresses);
}
