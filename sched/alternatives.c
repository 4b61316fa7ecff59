#include "sched/alternatives.h"

#include "semantics/base/vec.h"

#include <string.h>

/* Each list is made by asking the rules of the directive about every loop of
 * the stage. */

typedef HY_VEC(const hy_stmt *) loop_list;

typedef struct {
  const hy_var *like; // func, specialization and stage to match
  loop_list loops;
} lister;

static void see_loop(void *self, const hy_stmt *stmt) {
  lister *l = self;
  if (stmt->kind != HY_STMT_FOR) return;
  const hy_var *var = stmt->loop.var;
  if (var->func == l->like->func && var->stage == l->like->stage && var->spec == l->like->spec)
    hy_vec_push(&l->loops, stmt);
}

// The loops of the stage that "like" belongs to, the outermost first.
static loop_list loops_of(const hy_tgt *tgt, const hy_var *like) {
  lister l = {.like = like};
  hy_tree_visit(tgt->body, see_loop, &l);
  return l.loops;
}

// A loop that stands directly inside, with bounds of its own (decision D36);
// NULL if none does.
static const hy_stmt *inner_of(const hy_stmt *outer) {
  const hy_stmt *inner = outer->loop.body;
  if (inner->kind != HY_STMT_FOR) return NULL;
  bool depends = hy_expr_mentions(inner->loop.interval.min, outer->loop.var) ||
                 hy_expr_mentions(inner->loop.interval.len, outer->loop.var);
  return depends ? NULL : inner;
}

static const char *finish(hy_context *context, hy_text *list, const char *what, const char *none) {
  const char *text =
      list->length ? hy_arena_printf(hy_context_arena(context), "%s: %s", what, hy_text_string(list)) : none;
  hy_text_free(list);
  return text;
}

const char *hy_alternatives_swap(hy_context *context, const hy_tgt *tgt, const hy_var *like) {
  hy_text list = {0};
  loop_list loops = loops_of(tgt, like);
  for (size_t i = 0; i < loops.count; i++) {
    const hy_stmt *outer = loops.data[i], *inner = inner_of(outer);
    if (!inner || (!outer->loop.is_pure && !inner->loop.is_pure)) continue;
    hy_text_printf(&list, "%sswap(%s)", list.length ? ", " : "", hy_names_of(context, outer->loop.var));
  }
  hy_vec_free(&loops);
  return finish(context, &list, "the legal swaps of that stage are", "no two loops of that stage can be swapped");
}

const char *hy_alternatives_chain(hy_context *context, const hy_var *loop) {
  if (!loop->stage) return loop->func->name;
  return hy_arena_printf(hy_context_arena(context), "%s.update(%d)", loop->func->name, loop->stage - 1);
}

static void add_fusion(hy_context *context, const hy_stmt *outer, const hy_stmt *inner, bool in_chain, hy_text *list) {
  const hy_var *var = outer->loop.var;
  if (list->length) hy_text_add(list, ", ");
  if (in_chain)
    hy_text_printf(list, "%s.fuse(%s, %s, t)", hy_alternatives_chain(context, var), inner->loop.var->name, var->name);
  else
    hy_text_printf(list, "fuse(%s, %s, t)", hy_names_of(context, var), inner->loop.var->name);
}

const char *hy_alternatives_fuse(hy_context *context, const hy_tgt *tgt, const hy_var *like, bool in_chain) {
  hy_text list = {0};
  loop_list loops = loops_of(tgt, like);
  for (size_t i = 0; i < loops.count; i++) {
    const hy_stmt *outer = loops.data[i], *inner = inner_of(outer);
    if (!inner || outer->loop.is_pure != inner->loop.is_pure || outer->loop.traversal != HY_SERIAL ||
        inner->loop.traversal != HY_SERIAL)
      continue;
    add_fusion(context, outer, inner, in_chain, &list);
  }
  hy_vec_free(&loops);
  return finish(context, &list,
                in_chain ? "the inner loop is named first; the legal fusions of that stage are"
                         : "the legal fusions of that stage are",
                "no two loops of that stage can be fused");
}

static const hy_stage *stage_of(const hy_tgt *tgt, const hy_var *loop) {
  const hy_definition *definition = hy_alg_definition(tgt->alg, loop->func);
  return definition && loop->stage < definition->stage_count ? &definition->stages[loop->stage] : NULL;
}

// The reduction variable that is the loop, or that the loop was split from.
static const hy_rdom *rdom_of(const hy_stage *stage, const hy_var *loop) {
  const hy_rdom *from = NULL;
  for (int i = 0; stage && i < stage->rdom_count; i++) {
    const char *name = stage->rdoms[i].var->name;
    if (strcmp(name, loop->name) == 0) return &stage->rdoms[i];
    if (!from && strncmp(name, loop->name, strlen(name)) == 0) from = &stage->rdoms[i];
  }
  return from;
}

// "h.update(0).rfactor(r, u)"; a loop that was split from r is split before that.
static const char *taken_apart(hy_context *context, const hy_tgt *tgt, const hy_var *loop) {
  hy_arena *arena = hy_context_arena(context);
  const hy_rdom *rdom = rdom_of(stage_of(tgt, loop), loop);
  const char *chain = hy_alternatives_chain(context, loop), *name = rdom ? rdom->var->name : "r";
  if (!rdom || strcmp(name, loop->name) == 0) return hy_arena_printf(arena, "%s.rfactor(%s, u)", chain, name);
  return hy_arena_printf(arena, "%s.split(%s, %so, %si, 8).rfactor(%si, u)", chain, name, name, name, name);
}

static void print_end(const hy_interval *interval, hy_text *out) {
  int64_t min, len, end;
  if (hy_expr_is_int(interval->min, &min) && hy_expr_is_int(interval->len, &len) &&
      !__builtin_add_overflow(min, len, &end)) {
    hy_text_printf(out, "%lld", (long long)end);
    return;
  }
  hy_expr_print(interval->min, out);
  hy_text_add(out, " + ");
  hy_expr_print(interval->len, out);
}

// Of a reduction variable that is a coordinate of the update, which nothing takes apart: how a pure one says the same.
static const char *as_pure(hy_context *context, const hy_tgt *tgt, const hy_var *loop) {
  const hy_stage *stage = stage_of(tgt, loop);
  const hy_rdom *rdom = rdom_of(stage, loop);
  int d = 0;
  while (rdom && d < loop->func->rank && !(stage->lhs[d]->kind == HY_EXPR_VAR && stage->lhs[d]->var == rdom->var)) d++;
  if (!rdom || d == loop->func->rank) return NULL;
  const char *pure = hy_alg_definition(tgt->alg, loop->func)->vars[d]->name;
  hy_text min = {0}, end = {0};
  hy_expr_print(rdom->interval.min, &min);
  print_end(&rdom->interval, &end);
  const char *text = hy_arena_printf(
      hy_context_arena(context),
      "'%s' is a coordinate of the update: where no iteration reads what another one writes, write it as the pure "
      "variable '%s', with 'if %s <= %s && %s < %s' behind the value, and run that one so",
      rdom->var->name, pure, hy_text_string(&min), pure, pure, hy_text_string(&end));
  hy_text_free(&min);
  hy_text_free(&end);
  return text;
}

// Of floats an rfactor would be refused: why (DIR.RFactor.Operator, DIR.RFactor.Real); NULL: they are no floats, or a sum
// that may be.
static const char *stays_in_order(hy_context *context, const hy_tgt *tgt, const hy_var *loop) {
  const hy_definition *definition = hy_alg_definition(tgt->alg, loop->func);
  if (!definition || loop->stage >= definition->stage_count) return NULL;
  const hy_expr *value = hy_expr_part(definition->stages[loop->stage].rhs, 0);
  if (value->kind != HY_EXPR_OP || hy_type_class_of(value->type) != HY_CLASS_FLOAT) return NULL;
  bool has_contract = value->op == HY_OP_ADD || value->op == HY_OP_MIN || value->op == HY_OP_MAX;
  if (has_contract && tgt->alg->floats_in_any_order) return NULL;
  bool is_sum = value->op == HY_OP_ADD || value->op == HY_OP_FMA; // contract fma makes one of a sum of products
  const char *why = is_sum         ? "but under 'contract real': sums of floats depend on their order"
                    : has_contract ? "but under 'contract real': what a NaN leaves depends on the order"
                                   : "of which a product depends on the order: write a func of the parts, with "
                                     "one more dimension, if any order is meant";
  return hy_arena_printf(hy_context_arena(context), "no rfactor takes '%s' of %s apart either, %s",
                         hy_op_spelling(value->op), hy_type_name(value->type), why);
}

const char *hy_alternatives_pure(hy_context *context, const hy_tgt *tgt, const hy_var *like) {
  hy_text list = {0};
  loop_list loops = loops_of(tgt, like);
  for (size_t i = 0; i < loops.count; i++) {
    if (!loops.data[i]->loop.is_pure) continue;
    hy_text_printf(&list, "%s%s", list.length ? ", " : "", hy_names_of(context, loops.data[i]->loop.var));
  }
  hy_vec_free(&loops);
  // Only an update has loops that are not pure.
  const char *apart = as_pure(context, tgt, like), *otherwise = "";
  if (!apart)
    apart = stays_in_order(context, tgt, like),
    otherwise = "; or write it as a func of its own with one more dimension";
  if (!apart)
    apart =
        hy_arena_printf(hy_context_arena(context),
                        "where its operator allows it, take the reduction apart, %s, whose parts have a pure loop u",
                        taken_apart(context, tgt, like));
  const char *none = hy_arena_printf(hy_context_arena(context), "that stage has no pure loop; %s%s", apart, otherwise);
  const char *pure = finish(context, &list, "the pure loops of that stage are", NULL);
  return pure ? hy_arena_printf(hy_context_arena(context), "%s; %s", apart, pure) : none;
}
