#include "plugin/plugin_internal.h"

#include <stdio.h>
#include <string.h>

/* A directive from outside the tree, applied: what it is asked, and what is checked of what it made (what is checked
 * before: plugin/match.c). What remains are its claims, which are proved for each program (halyard/promise.h).
 *
 * rewrite: for x1 in I1 do ... for xk in Ik do s  ->  what the plug-in's "rewrite" makes of it
 */

typedef hy_plugin_call call;

/* -- asking it: each of its functions in turn -- */

static const char *ask_legal(call *c) {
  const hy_plugins *all = hy_context_plugins(c->context);
  if (!c->plugin->legal) return NULL;
  hy_plugin_enter(all, hy_plugin_of(c->directive)->index, HY_PLUGIN_LEGAL);
  const char *why = c->plugin->legal(&c->host);
  // A copy while it is still to blame for where the text is.
  if (why) why = hy_arena_printf(hy_context_arena(c->context), "%.300s", why);
  hy_plugin_leave(all);
  return why;
}

static const hy_stmt *ask_rewrite(call *c) {
  const hy_plugins *all = hy_context_plugins(c->context);
  c->rewrites = true;
  hy_plugin_enter(all, hy_plugin_of(c->directive)->index, HY_PLUGIN_REWRITE);
  const hyd_stmt *made = c->plugin->rewrite(&c->host);
  hy_plugin_leave(all);
  c->rewrites = false;
  if (made && hy_plugin_was_handed(c, made)) return (const hy_stmt *)made;
  hy_plugin_blame(c, "'rewrite' returned %s", made ? "a statement that Halyard did not make in this call" : "NULL");
  return NULL;
}

static const hy_expr *ask_inverse(call *c, int number) {
  const hy_plugins *all = hy_context_plugins(c->context);
  hy_plugin_enter(all, hy_plugin_of(c->directive)->index, HY_PLUGIN_INVERSE);
  const hyd_expr *made = c->plugin->inverse(&c->host, number);
  hy_plugin_leave(all);
  if (made && hy_plugin_was_handed(c, made) && ((const hy_expr *)made)->type == HY_INT) return (const hy_expr *)made;
  hy_plugin_blame(c, "'inverse' returned %s for loop %d",
                  !made                           ? "NULL"
                  : hy_plugin_was_handed(c, made) ? "a condition"
                                                  : "an expression that Halyard did not make in this call",
                  number);
  return NULL;
}

static hyd_order ask_order(call *c) {
  const hy_plugins *all = hy_context_plugins(c->context);
  if (!c->plugin->order) return HYD_EQUAL;
  hy_plugin_enter(all, hy_plugin_of(c->directive)->index, HY_PLUGIN_ORDER);
  hyd_order order = c->plugin->order(&c->host);
  hy_plugin_leave(all);
  if ((unsigned)order <= HYD_REPEATED) return order;
  hy_plugin_blame(c, "'order' returned %d, which is no order", (int)order);
  return HYD_EQUAL;
}

static hyd_holes ask_holes(call *c) {
  const hy_plugins *all = hy_context_plugins(c->context);
  if (!c->plugin->holes) return HYD_HOLES_KEPT;
  hy_plugin_enter(all, hy_plugin_of(c->directive)->index, HY_PLUGIN_HOLES);
  hyd_holes holes = c->plugin->holes(&c->host);
  hy_plugin_leave(all);
  if ((unsigned)holes <= HYD_HOLES_GROW) return holes;
  hy_plugin_blame(c, "'holes' returned %d, which is neither HYD_HOLES_KEPT nor HYD_HOLES_GROW", (int)holes);
  return HYD_HOLES_KEPT;
}

// Who adds points outside of what is to be computed leaves the old range, whatever 'holes' says.
static bool may_grow(call *c, hyd_order order) { return ask_holes(c) == HYD_HOLES_GROW || order == HYD_EXTRA; }

static hy_order_class class_of(hyd_order order) {
  switch (order) {
  case HYD_EQUAL: return HY_ORDER_EQUAL;
  case HYD_PERMUTED: return HY_ORDER_PERMUTED;
  case HYD_EXTRA: return HY_ORDER_EXTRA;
  case HYD_REPEATED: return HY_ORDER_REPEATED;
  }
  HY_UNREACHABLE();
}

static hy_order_class order_of(hy_context *context, const hy_tgt *before, const hy_directive *directive) {
  call c;
  hy_plugin_open(&c, context, before, directive);
  hy_order_class order = class_of(ask_order(&c));
  hy_plugin_close(&c);
  return order;
}

static bool report_fault(const call *c, hy_diagnostics *diagnostics) {
  hy_context_hit(c->context, HY_RULE_DIR_PLUGIN_FAULT);
  hy_report(diagnostics, HY_E_PLUGIN_FAULT, c->directive->loc, "DIR.Plugin.Fault",
            hy_arena_printf(hy_context_arena(c->context),
                            "this is a fault of the plug-in %.200s, not of the schedule; 'halyard validate' shows more",
                            hy_plugin_file(hy_plugin_of(c->directive))),
            "%s: %s", c->directive->type->name, c->fault);
  return false;
}

// DIR.Split.Range: where a loop's variable leaves its range, no length inside depends on it.
static bool lengths_stay(const call *c, hy_diagnostics *diagnostics) {
  for (int i = 0; i < c->taken_count; i++) {
    const hy_stmt *loop = c->taken[i].loop, *inner = hy_tree_loop_depending(loop->loop.body, loop->loop.var, false);
    if (!inner) continue;
    hy_context_hit(c->context, HY_RULE_DIR_SPLIT_RANGE);
    hy_report(diagnostics, HY_E_BOUNDS_DEPEND, c->directive->loc, "DIR.Split.Range", "take the loop inside",
              "'%s' lets '%s' leave its range, and the length of '%s' inside depends on it", c->directive->type->name,
              hy_names_of(c->context, loop->loop.var), hy_names_of(c->context, inner->loop.var));
    return false;
  }
  return true;
}

// DIR.Plugin.Legal
static bool applies(hy_context *context, const hy_tgt *tgt, const hy_directive *d, hy_diagnostics *diagnostics) {
  if (!hy_plugin_match(context, tgt, d, diagnostics)) return false;
  call c;
  hy_plugin_open(&c, context, tgt, d);
  const char *why = ask_legal(&c);
  hyd_order order = why || c.fault ? HYD_EQUAL : ask_order(&c);
  bool grows = !why && !c.fault && (may_grow(&c, order) || order == HYD_REPEATED);
  bool fine = !why && !c.fault && (!grows || lengths_stay(&c, diagnostics));
  if (c.fault) {
    report_fault(&c, diagnostics);
  } else if (why) {
    hy_context_hit(context, HY_RULE_DIR_PLUGIN_LEGAL);
    hy_report(diagnostics, HY_E_PLUGIN_REFUSES, d->loc, "DIR.Plugin.Legal", d->type->form, "%s: %s", d->type->name,
              why);
  }
  hy_plugin_close(&c);
  return fine;
}

/* -- what it made -- */

typedef struct {
  const hy_var *var;
  int depth, number;
} made_loop;

// The loops made, the outermost first; false if one of them is not there.
static bool order_loops(call *c, const hy_stmt *made, made_loop *loops) {
  for (int i = 0; i < c->made_count; i++) {
    int depth = 0;
    const hy_stmt *loop = hy_tree_loop(made, c->made[i].var);
    const hy_stmt **path = loop ? hy_tree_path(made, loop, &depth) : NULL;
    hy_free(path);
    if (!loop) {
      hy_plugin_blame(c, "it makes a loop '%s' that does not stand in what 'rewrite' returns", c->made[i].var->name);
      return false;
    }
    int k = i;
    for (; k > 0 && loops[k - 1].depth > depth; k--) loops[k] = loops[k - 1];
    loops[k] = (made_loop){c->made[i].var, depth, i};
  }
  if (!c->made_count) hy_plugin_blame(c, "it makes no loop");
  return c->made_count > 0;
}

typedef struct {
  const hy_var *var;
  hy_origin origin; // of its last let
  int lets;
} let_count;

static void count_let(void *self, const hy_stmt *stmt) {
  let_count *l = self;
  if (stmt->kind != HY_STMT_LET || stmt->let.var != l->var) return;
  l->lets++;
  l->origin = stmt->let.origin;
}

static const hy_stmt *find_let(const hy_stmt *stmt, const hy_var *var) {
  if (stmt->kind == HY_STMT_LET && stmt->let.var == var) return stmt;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) {
    const hy_stmt *found = find_let(children[i], var);
    if (found) return found;
  }
  return NULL;
}

static bool has_let_each(call *c, const hy_stmt *made) {
  for (int i = 0; i < c->taken_count; i++) {
    let_count l = {.var = c->taken[i].var};
    hy_tree_visit(made, count_let, &l);
    if (l.lets == 1 && l.origin.relation == c->given) continue;
    hy_plugin_blame(c,
                    l.lets ? "it makes %d lets for the loop '%s' that it takes, instead of one"
                           : "it makes %d lets for the loop '%s' that it takes: 'hyd_make_let' is needed",
                    l.lets, c->taken[i].loop->loop.var->name);
    return false;
  }
  return true;
}

static bool is_around(const hy_stmt *made, const hy_var *loop, const hy_stmt *let) {
  return hy_tree_contains(hy_tree_loop(made, loop), let);
}

static bool is_pure_loop(const call *c, const hy_var *var) {
  for (int i = 0; i < c->made_count; i++)
    if (c->made[i].var == var) return c->made[i].is_pure;
  return false;
}

// Loops that no let speaks of (a part of a peeled loop, say) belong to the first let inside of them that has room, and
// no loop of the other kind; a let that speaks of none is made of the outermost loop.
static const hy_stmt *settle_origins(call *c, const hy_stmt *made, const made_loop *loops) {
  for (int i = 0; i < c->taken_count; i++) {
    const hy_stmt *let = find_let(made, c->taken[i].var);
    hy_origin origin = hy_origin_given(c->context, c->given, let->let.var, let->let.origin.range);
    memcpy(origin.sources, let->let.origin.sources, sizeof origin.sources);
    for (int k = 0; k < c->made_count; k++) {
      bool used = false;
      for (int j = 0; j < c->taken_count; j++) {
        used |= hy_origin_has_source(&find_let(made, c->taken[j].var)->let.origin, loops[k].var);
      }
      used |= hy_origin_has_source(&origin, loops[k].var);
      if (used || origin.sources[1] || !is_around(made, loops[k].var, let)) continue;
      if (origin.sources[0] && is_pure_loop(c, origin.sources[0]) != is_pure_loop(c, loops[k].var)) continue;
      origin.sources[origin.sources[0] != NULL] = loops[k].var;
    }
    if (!origin.sources[0]) origin.sources[0] = loops[0].var;
    const hy_stmt *fresh = hy_stmt_let(c->context, let->let.var, let->let.value, origin, let->let.body);
    made = hy_tree_replace(c->context, made, let, fresh);
  }
  return made;
}

static bool settle_inverses(call *c, const made_loop *loops) {
  hy_relation *g = c->given;
  g->directive = hy_context_name_of(c->context, c->directive->type->name);
  for (int i = 0; i < c->taken_count; i++) g->lets[g->let_count++] = c->taken[i].var;
  for (int i = 0; i < c->made_count; i++) {
    g->loops[i] = loops[i].var;
    g->inverses[i] = ask_inverse(c, loops[i].number);
    if (!g->inverses[i]) return false;
    for (int k = i; k < c->made_count; k++)
      if (hy_expr_mentions(g->inverses[i], loops[k].var))
        hy_plugin_blame(c, "the inverse of loop '%s' speaks of '%s', which does not stand further outside",
                        loops[i].var->name, loops[k].var->name);
  }
  g->loop_count = c->made_count;
  return !c->fault;
}

static bool is_well_formed(call *c, const hy_tgt *tgt) {
  hy_diagnostics *found = hy_diagnostics_new();
  bool good = hy_tgt_verify(c->context, tgt, found);
  if (!good)
    hy_plugin_blame(c, "the program that it makes is ill-formed: %s",
                    hy_diagnostics_count(found) ? hy_diagnostics_at(found, 0)->message : "");
  hy_diagnostics_free(found);
  return good;
}

static const hy_tgt *assume_factors(call *c, const hy_tgt *tgt) {
  const hy_directive_type *type = c->directive->type;
  for (int i = 0; type->arguments[i] != HY_TAKES_END; i++)
    if (type->arguments[i] == HY_TAKES_FACTOR)
      tgt = hy_tree_assume_factor(c->context, tgt, c->directive->args[hy_directive_place(type, i)]);
  return tgt;
}

static const hy_tgt *rewrite(call *c) {
  hyd_order order = ask_order(c);
  bool grows = may_grow(c, order);
  c->given->tail = order == HYD_REPEATED ? HY_TAIL_SHIFT : grows ? HY_TAIL_ROUND : HY_TAIL_GUARD;
  if (order == HYD_REPEATED && c->directive->loop->stage > 0)
    hy_plugin_blame(c, "'order' returned HYD_REPEATED for an update, which is another one if it is done twice");
  c->spoke = false;
  const hy_stmt *made = c->fault ? NULL : ask_rewrite(c);
  made_loop loops[HYD_MOST_LOOPS];
  if (c->fault || !made || !order_loops(c, made, loops) || !has_let_each(c, made) || !settle_inverses(c, loops))
    return NULL;
  made = settle_origins(c, made, loops);
  const hy_stmt *outermost = c->taken[0].loop;
  const hy_tgt *tgt = assume_factors(c, c->tgt);
  const hy_stmt *root = tgt->body;
  for (int i = 0; i < c->taken_count; i++)
    root = hy_tree_rename_around(c->context, root, outermost, c->taken[i].loop->loop.var, c->taken[i].var);
  tgt = hy_tree_with_body(c->context, tgt, hy_tree_replace(c->context, root, outermost, made));
  return is_well_formed(c, tgt) ? tgt : NULL;
}

// DIR.Plugin
static const hy_tgt *apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                           hy_diagnostics *diagnostics) {
  call c;
  hy_plugin_open(&c, context, tgt, directive);
  const hy_tgt *next = rewrite(&c);
  if (c.fault) next = NULL, report_fault(&c, diagnostics);
  if (next) hy_context_hit(context, HY_RULE_DIR_PLUGIN);
  hy_plugin_close(&c);
  return next;
}

static hy_takes takes_of(hyd_argument argument) {
  switch (argument) {
  case HYD_END: return HY_TAKES_END;
  case HYD_LOOP: return HY_TAKES_LOOP;
  case HYD_INNER: return HY_TAKES_INNER;
  case HYD_AROUND: return HY_TAKES_AROUND;
  case HYD_NAME: return HY_TAKES_NAME;
  case HYD_FACTOR: return HY_TAKES_FACTOR;
  case HYD_EXPR: return HY_TAKES_EXPR;
  case HYD_NUMBER: return HY_TAKES_NUMBER;
  }
  HY_UNREACHABLE();
}

_Static_assert((int)HYD_MOST_ARGUMENTS <= (int)HY_MOST_ARGUMENTS, "a record has room for what a plug-in declares");

hy_plugin hy_plugin_make(const hyd_directive *directive, const char *path, int index) {
  hy_plugin plugin = {.type = {.name = directive->name,
                               .form = directive->form,
                               .in_chain = directive->form,
                               .summary = directive->summary,
                               .is_foreign = true,
                               .phase = HY_PHASE_LOOPS,
                               .applies = applies,
                               .apply = apply,
                               .order = order_of},
                      .directive = directive,
                      .path = path,
                      .index = index};
  while (plugin.count < HYD_MOST_ARGUMENTS && directive->arguments[plugin.count] != HYD_END) {
    plugin.type.arguments[plugin.count] = takes_of(directive->arguments[plugin.count]);
    plugin.count++;
  }
  return plugin;
}

const hy_plugin *hy_plugin_of(const hy_directive *directive) {
  HY_ASSERT(directive->type->is_foreign);
  return (const hy_plugin *)directive->type;
}
