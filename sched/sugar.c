#include "sched/sugar_internal.h"

#include <string.h>

/* From a schedule as written to core directives in the order applied (shared language page, "Schedules").
 *
 * Loops directives are desugared and applied to a scratch program in the order of the text, because "reorder" and the
 * names of inner loops depend on the loops that are there. Computations and allocations are sorted consumers first.
 */

typedef hy_directive_list directive_list;
typedef hy_sugar sugar;
typedef hy_chain chain;

/* -- arguments -- */

void hy_sugar_refuse(sugar *s, const hy_call *call, const char *form) {
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->loc, NULL,
            hy_arena_printf(hy_context_arena(s->context), "write %s", form), "'%s' does not take these arguments",
            call->name);
}

// Between least and most arguments, of which the first "names" are single names. Reports if not.
static bool takes(sugar *s, const hy_call *call, int least, int most, int names, const char *form) {
  bool fits = call->count >= least && call->count <= most;
  for (int i = 0; fits && i < names && i < call->count; i++) fits = call->args[i].path_count == 1;
  if (!fits) hy_sugar_refuse(s, call, form);
  return fits;
}

static const char *name_at(const hy_call *call, int i) { return call->args[i].path[0]; }

const hy_func *hy_sugar_func(sugar *s, const char *name, hy_loc loc) {
  for (int i = 0; i < s->tgt->func_count; i++)
    if (strcmp(s->tgt->funcs[i]->name, name) == 0) return s->tgt->funcs[i];
  s->failed = true;
  const hy_func *known = hy_alg_find(s->tgt->alg, name);
  if (known && known->is_image)
    hy_report(s->diagnostics, HY_E_UNKNOWN_FUNC, loc, NULL, "schedule a func that reads it",
              "'%s' is an input image and has no loops", name);
  else if (known)
    hy_report(s->diagnostics, HY_E_SCHEDULE_UNREACHABLE, loc, NULL, "remove the directive, or let the output read it",
              "'%s' is not reached by the output '%s' and is not computed", name, s->tgt->alg->output->name);
  else
    hy_report(s->diagnostics, HY_E_UNKNOWN_FUNC, loc, NULL, "name a func of the pipeline", "there is no func '%s'",
              name);
  return NULL;
}

static bool parse_number(const char *text, char letter, int *number) {
  if (text[0] != letter || !text[1] || strspn(text + 1, "0123456789") != strlen(text + 1) || strlen(text) > 6)
    return false;
  *number = atoi(text + 1);
  return true;
}

// "h.s1.x", "h.z2.s1.x", "h.x" (stage 0). NULL after reporting.
static const hy_var *parse_loop(sugar *s, const hy_argument *argument) {
  int at = 1, spec = 0, stage = 0;
  if (argument->path_count >= 2) {
    if (at < argument->path_count - 1 && parse_number(argument->path[at], 'z', &spec)) at++;
    if (at < argument->path_count - 1 && parse_number(argument->path[at], 's', &stage)) at++;
  }
  if (argument->path_count < 2 || at != argument->path_count - 1) {
    s->failed = true;
    hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, argument->loc, "SCH.Loop (lemma 6.1)",
              "write func.variable, or func.s1.variable for the first update", "this does not name a loop");
    return NULL;
  }
  const hy_func *func = hy_sugar_func(s, argument->path[0], argument->loc);
  if (!func) return NULL;
  return hy_var_loop(s->context, func, spec, stage, argument->path[at]);
}

const hy_expr *hy_sugar_startup(sugar *s, const hy_argument *argument, hy_type type) {
  const hy_expr *e = hy_syntax_startup(s->context, s->tgt->alg, argument->syntax, type, s->diagnostics);
  if (!e) s->failed = true;
  return e;
}

static const hy_expr *startup(sugar *s, const hy_argument *argument) { return hy_sugar_startup(s, argument, HY_INT); }

static bool parse_tail(sugar *s, const hy_call *call, int i, hy_tail *tail) {
  static const struct {
    const char *name;
    hy_tail tail;
  } tails[] = {{"guard", HY_TAIL_GUARD},       {"round", HY_TAIL_ROUND},   {"shift", HY_TAIL_SHIFT},
               {"GuardWithIf", HY_TAIL_GUARD}, {"RoundUp", HY_TAIL_ROUND}, {"ShiftInwards", HY_TAIL_SHIFT}};
  *tail = HY_TAIL_GUARD;
  if (i >= call->count) return true;
  for (size_t k = 0; k < HY_COUNT(tails) && call->args[i].path_count == 1; k++)
    if (strcmp(name_at(call, i), tails[k].name) == 0) return *tail = tails[k].tail, true;
  s->failed = true;
  hy_report(s->diagnostics, HY_E_DIRECTIVE_ARGUMENTS, call->args[i].loc, NULL,
            "write guard, round or shift (or GuardWithIf, RoundUp, ShiftInwards)", "this is no tail strategy");
  return false;
}

/* -- loops: applied to the scratch program as they come -- */

static void emit(sugar *s, hy_directive directive) {
  if (s->failed) return;
  const hy_tgt *next = hy_sched_apply(s->context, s->tgt, &directive, s->diagnostics);
  if (!next) {
    s->failed = true;
    return;
  }
  s->tgt = next;
  hy_vec_push(&s->loops, directive);
}

static void emit_split(sugar *s, hy_loc loc, const hy_var *loop, const char *outer, const char *inner,
                       const hy_expr *factor, hy_tail tail) {
  if (s->failed || !factor) return;
  emit(s, (hy_directive){.kind = HY_DIRECTIVE_SPLIT,
                         .loc = loc,
                         .loop = loop,
                         .names = {hy_context_name_of(s->context, outer), hy_context_name_of(s->context, inner)},
                         .args = {factor},
                         .tail = tail});
}

static void emit_traverse(sugar *s, hy_loc loc, const hy_var *loop, hy_traversal traversal) {
  emit(s, (hy_directive){.kind = HY_DIRECTIVE_TRAVERSE, .loc = loc, .loop = loop, .traversal = traversal});
}

static const hy_var *loop_of(sugar *s, const chain *c, const char *name) {
  return hy_var_loop(s->context, c->func, c->spec, c->stage, name);
}

// parallel(x), vectorize(x), unroll(x) and with a factor: the outer loop keeps the name, the inner one is x_p, x_v,
// x_u.
static void chain_traverse(sugar *s, const chain *c, const hy_call *call, hy_traversal traversal, const char *suffix) {
  hy_tail tail;
  const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(x), %s(x, factor) or %s(x, factor, tail)",
                                     call->name, call->name, call->name);
  if (!takes(s, call, 1, 3, 1, form) || !parse_tail(s, call, 2, &tail)) return;
  const char *name = name_at(call, 0);
  const hy_var *loop = loop_of(s, c, name);
  if (call->count >= 2) {
    const char *inner = hy_arena_printf(hy_context_arena(s->context), "%s_%s", name, suffix);
    const hy_expr *factor = startup(s, &call->args[1]);
    emit_split(s, call->loc, loop, name, inner, factor, tail);
    if (traversal != HY_PARALLEL) loop = loop_of(s, c, inner); // parallel runs over the outer loop
  }
  emit_traverse(s, call->loc, loop, traversal);
}

/* -- reorder -- */

// The loops of a stage from the outside in, as far as they are nested without anything between.
static void list_nest(const hy_stmt *root, const chain *c, HY_KEEP const hy_stmt **nest, int *count, int room) {
  *count = 0;
  const hy_stmt *stmt = root;
  while (stmt && stmt->kind == HY_STMT_FOR && *count < room) {
    if (stmt->loop.var->func != c->func || stmt->loop.var->stage != c->stage) break;
    nest[(*count)++] = stmt;
    stmt = stmt->loop.body;
  }
}

typedef struct {
  const chain *c;
  int spec; // of the func's branch that is being visited
  const hy_stmt *found;
} stage_search;

static void see_stage(void *self, const hy_stmt *stmt) {
  stage_search *search = self;
  if (stmt->kind != HY_STMT_LABEL || stmt->label.func != search->c->func) return;
  if (stmt->label.what == HY_LABEL_SPEC) search->spec = stmt->label.number;
  if (stmt->label.what == HY_LABEL_STAGE && stmt->label.number == search->c->stage && search->spec == search->c->spec)
    search->found = stmt;
}

enum { MOST_LOOPS = 64 };

// Reads the wanted order: wanted[k] is the position in the nest of the loop that shall stand at position k.
static bool plan_reorder(sugar *s, const chain *c, const hy_call *call, const hy_stmt *const *nest, int count,
                         int *wanted) {
  int places[MOST_LOOPS], named[MOST_LOOPS], found = 0;
  bool is_named[MOST_LOOPS] = {false};
  for (int i = call->count - 1; i >= 0; i--) { // innermost first in the text, outermost first here
    const hy_var *var = loop_of(s, c, name_at(call, i));
    int at = 0;
    while (at < count && nest[at]->loop.var != var) at++;
    if (at == count) {
      hy_directive missing = {.kind = HY_DIRECTIVE_SWAP, .loc = call->args[i].loc, .loop = var};
      s->failed = true;
      if (hy_names_loop(s->context, s->tgt, &missing, s->diagnostics))
        hy_report(s->diagnostics, HY_E_REORDER, call->args[i].loc, "DIR.Swap", "name loops of one nest",
                  "'%s' is not in the same nest", name_at(call, i));
      return false;
    }
    if (is_named[at]) {
      s->failed = true;
      hy_report(s->diagnostics, HY_E_REORDER, call->args[i].loc, "DIR.Swap", "name each loop once",
                "'%s' is named twice", name_at(call, i));
      return false;
    }
    is_named[at] = true;
    named[found++] = at;
  }
  int k = 0;
  for (int i = 0; i < count; i++)
    if (is_named[i]) places[k++] = i;
  for (int i = 0; i < count; i++) wanted[i] = i;
  for (int i = 0; i < found; i++) wanted[places[i]] = named[i];
  return true;
}

// reorder(a, b, c): innermost first; permutes the named loops among their own places by legal swaps of neighbours.
static void chain_reorder(sugar *s, const chain *c, const hy_call *call) {
  if (!takes(s, call, 2, MOST_LOOPS, MOST_LOOPS, "reorder(innermost, ..., outermost)")) return;
  stage_search search = {c, 0, NULL};
  hy_tree_visit(s->tgt->body, see_stage, &search);
  const hy_stmt *nest[MOST_LOOPS];
  int count = 0, wanted[MOST_LOOPS], rank[MOST_LOOPS];
  if (search.found) list_nest(search.found->label.body, c, nest, &count, MOST_LOOPS);
  if (!plan_reorder(s, c, call, nest, count, wanted)) return;
  const hy_var *order[MOST_LOOPS];
  for (int i = 0; i < count; i++) rank[wanted[i]] = i;
  for (int i = 0; i < count; i++) order[i] = nest[i]->loop.var;
  for (int pass = 0; pass < count; pass++) // bubble sort: exactly the inversions are swapped
    for (int i = 0; i + 1 < count && !s->failed; i++) {
      if (rank[i] < rank[i + 1]) continue;
      emit(s, (hy_directive){.kind = HY_DIRECTIVE_SWAP, .loc = call->loc, .loop = order[i]});
      int r = rank[i];
      const hy_var *v = order[i];
      rank[i] = rank[i + 1], order[i] = order[i + 1];
      rank[i + 1] = r, order[i + 1] = v;
    }
}

/* -- other loops directives of chains -- */

static void chain_split(sugar *s, const chain *c, const hy_call *call) {
  hy_tail tail;
  if (!takes(s, call, 4, 5, 3, "split(x, outer, inner, factor) or split(x, outer, inner, factor, tail)") ||
      !parse_tail(s, call, 4, &tail))
    return;
  emit_split(s, call->loc, loop_of(s, c, name_at(call, 0)), name_at(call, 1), name_at(call, 2),
             startup(s, &call->args[3]), tail);
}

// tile(x, y, xi, yi, fx, fy[, tail]) and tile(x, y, xo, yo, xi, yi, fx, fy[, tail])
static void chain_tile(sugar *s, const chain *c, const hy_call *call) {
  int names = call->count >= 8 ? 6 : 4;
  const char *form =
      "tile(x, y, xi, yi, width, height) or tile(x, y, xo, yo, xi, yi, width, height), with a tail if wanted";
  hy_tail tail;
  if (!takes(s, call, 6, 9, names, form) || !parse_tail(s, call, names + 2, &tail)) return;
  const char *x = name_at(call, 0), *y = name_at(call, 1);
  const char *xo = names == 6 ? name_at(call, 2) : x, *yo = names == 6 ? name_at(call, 3) : y;
  const hy_argument *inner = &call->args[names - 2];
  emit_split(s, call->loc, loop_of(s, c, x), xo, inner[0].path[0], startup(s, &inner[2]), tail);
  emit_split(s, call->loc, loop_of(s, c, y), yo, inner[1].path[0], startup(s, &inner[3]), tail);
  hy_argument args[4] = {inner[0], inner[1], inner[0], inner[0]};
  args[2].path[0] = xo;
  args[3].path[0] = yo;
  hy_call reorder = {"reorder", call->loc, args, 4};
  if (!s->failed) chain_reorder(s, c, &reorder);
}

// fuse(inner, outer, t), inner first as in Halide
static void chain_fuse(sugar *s, const chain *c, const hy_call *call) {
  if (!takes(s, call, 3, 3, 3, "fuse(inner, outer, fused)")) return;
  emit(s, (hy_directive){.kind = HY_DIRECTIVE_FUSE,
                         .loc = call->loc,
                         .loop = loop_of(s, c, name_at(call, 1)),
                         .names = {hy_context_name_of(s->context, name_at(call, 0)),
                                   hy_context_name_of(s->context, name_at(call, 2))}});
}

/* -- compute and storage: resolved after all loops directives -- */

typedef struct {
  const hy_func *consumer, *producer;
  const char *name;
  int spec; // only loops of this branch
  HY_VEC(const hy_var *) having, reading;
  const hy_stmt *stage;
} site_search;

static void see_site(void *self, const hy_stmt *stmt) {
  site_search *search = self;
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_STAGE) search->stage = stmt;
  if (stmt->kind != HY_STMT_FOR || stmt->loop.var->func != search->consumer) return;
  if (strcmp(stmt->loop.var->name, search->name) != 0 || stmt->loop.var->spec != search->spec) return;
  hy_vec_push(&search->having, stmt->loop.var);
  if (hy_tree_reads(stmt, search->producer)) hy_vec_push(&search->reading, stmt->loop.var);
}

// g.compute_at(h, x): the stage of h that reads g and has loop x; several is an error that lists them.
static const hy_var *find_site(sugar *s, const hy_func *producer, const hy_func *consumer, const char *name,
                               hy_loc loc) {
  site_search search = {.consumer = consumer, .producer = producer, .name = name};
  hy_tree_visit(s->tgt->body, see_site, &search);
  const hy_var *found = NULL;
  if (search.reading.count == 1)
    found = search.reading.data[0];
  else if (search.reading.count == 0 && search.having.count == 1)
    found = search.having.data[0];
  size_t several = search.reading.count ? search.reading.count : search.having.count;
  if (!found && several) {
    hy_text text = {0};
    for (size_t i = 0; i < several; i++) {
      if (i) hy_text_add(&text, ", ");
      hy_var_print((search.reading.count ? search.reading.data : search.having.data)[i], &text);
    }
    s->failed = true;
    hy_report(s->diagnostics, HY_E_AMBIGUOUS_SITE, loc, NULL,
              hy_arena_printf(hy_context_arena(s->context), "write compute_at(%s, loop) with one of %s", producer->name,
                              hy_text_string(&text)),
              "several stages of '%s' have a loop '%s'", consumer->name, name);
    hy_text_free(&text);
  } else if (!found) {
    hy_directive missing = {.kind = HY_DIRECTIVE_COMPUTE_AT, .loc = loc};
    missing.loop = hy_var_loop(s->context, consumer, 0, 0, name);
    s->failed = true;
    (void)hy_names_loop(s->context, s->tgt, &missing, s->diagnostics);
  }
  hy_vec_free(&search.having);
  hy_vec_free(&search.reading);
  return found;
}

static void move(sugar *s, hy_directive_kind kind, const hy_func *func, const hy_var *loop, hy_loc loc) {
  directive_list *list = kind == HY_DIRECTIVE_COMPUTE_AT ? &s->computes : &s->stores;
  for (size_t i = 0; i < list->count; i++)
    if (list->data[i].func == func) {
      s->failed = true;
      hy_report(s->diagnostics, HY_E_ALREADY_MOVED, loc, NULL, "keep one of them", "'%s' is moved twice", func->name);
      return;
    }
  hy_vec_push(list, (hy_directive){.kind = kind, .loc = loc, .func = func, .loop = loop});
}

static void chain_move(sugar *s, const chain *c, const hy_call *call, hy_directive_kind kind, bool root) {
  const hy_var *loop = NULL;
  if (root) {
    if (!takes(s, call, 0, 0, 0, hy_arena_printf(hy_context_arena(s->context), "%s()", call->name))) return;
  } else {
    const char *form = hy_arena_printf(hy_context_arena(s->context), "%s(func, loop)", call->name);
    if (!takes(s, call, 2, 2, 2, form)) return;
    const hy_func *consumer = hy_sugar_func(s, name_at(call, 0), call->args[0].loc);
    if (!consumer) return;
    loop = find_site(s, c->func, consumer, name_at(call, 1), call->args[1].loc);
    if (!loop) return;
  }
  move(s, kind, c->func, loop, call->loc);
  // Chained compute_at also stores there, unless the chain says otherwise; the core directive moves the computation
  // alone.
  if (kind == HY_DIRECTIVE_COMPUTE_AT && !c->stores && !s->failed)
    move(s, HY_DIRECTIVE_STORE_AT, c->func, loop, call->loc);
}

/* -- calls -- */

static void core_move(sugar *s, const hy_call *call, hy_directive_kind kind) {
  const char *form =
      hy_arena_printf(hy_context_arena(s->context), "%s(func, func.loop) or %s(func, root)", call->name, call->name);
  if (!takes(s, call, 2, 2, 1, form)) return;
  const hy_func *func = hy_sugar_func(s, name_at(call, 0), call->args[0].loc);
  if (!func) return;
  const hy_argument *site = &call->args[1];
  bool root = site->path_count == 1 && strcmp(site->path[0], "root") == 0;
  const hy_var *loop = root ? NULL : parse_loop(s, site);
  if (root || loop) move(s, kind, func, loop, call->loc);
}

static void core_split(sugar *s, const hy_call *call) {
  hy_tail tail;
  const char *form = "split(f.x, outer, inner, factor) or split(f.x, outer, inner, factor, tail)";
  bool fits = call->count >= 4 && call->count <= 5 && call->args[1].path_count == 1 && call->args[2].path_count == 1;
  if (!fits) {
    hy_sugar_refuse(s, call, form);
    return;
  }
  const hy_var *loop = parse_loop(s, &call->args[0]);
  if (!loop || !parse_tail(s, call, 4, &tail)) return;
  emit_split(s, call->loc, loop, name_at(call, 1), name_at(call, 2), startup(s, &call->args[3]), tail);
}

static void core_fuse(sugar *s, const hy_call *call) {
  if (call->count != 3 || call->args[1].path_count != 1 || call->args[2].path_count != 1) {
    hy_sugar_refuse(s, call, "fuse(f.outer, inner, fused)");
    return;
  }
  const hy_var *loop = parse_loop(s, &call->args[0]);
  if (!loop) return;
  emit(s, (hy_directive){.kind = HY_DIRECTIVE_FUSE,
                         .loc = call->loc,
                         .loop = loop,
                         .names = {hy_context_name_of(s->context, name_at(call, 1)),
                                   hy_context_name_of(s->context, name_at(call, 2))}});
}

static void core_swap(sugar *s, const hy_call *call) {
  if (call->count != 1) {
    hy_sugar_refuse(s, call, "swap(f.x)");
    return;
  }
  const hy_var *loop = parse_loop(s, &call->args[0]);
  if (loop) emit(s, (hy_directive){.kind = HY_DIRECTIVE_SWAP, .loc = call->loc, .loop = loop});
}

static void core_traverse(sugar *s, const hy_call *call) {
  static const hy_traversal all[] = {HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_UNROLLED};
  if (call->count == 2 && call->args[1].path_count == 1)
    for (size_t i = 0; i < HY_COUNT(all); i++)
      if (strcmp(name_at(call, 1), hy_traversal_name(all[i])) == 0) {
        const hy_var *loop = parse_loop(s, &call->args[0]);
        if (loop) emit_traverse(s, call->loc, loop, all[i]);
        return;
      }
  hy_sugar_refuse(s, call, "traverse(f.x, serial), parallel, vectorized or unrolled");
}

static void unknown(sugar *s, const hy_call *call, bool in_chain) {
  s->failed = true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_DIRECTIVE, call->loc, NULL, "'halyard directives' lists what there is",
            in_chain ? "there is no method '%s' of a schedule chain" : "there is no directive '%s'", call->name);
}

static void core_call(sugar *s, const hy_call *call) {
  if (strcmp(call->name, "split") == 0)
    core_split(s, call);
  else if (strcmp(call->name, "fuse") == 0)
    core_fuse(s, call);
  else if (strcmp(call->name, "swap") == 0)
    core_swap(s, call);
  else if (strcmp(call->name, "traverse") == 0)
    core_traverse(s, call);
  else if (strcmp(call->name, "compute_at") != 0 && strcmp(call->name, "store_at") != 0 &&
           strcmp(call->name, "specialize") != 0 && !hy_sugar_is_bounds(call->name))
    unknown(s, call, false);
}

static void chain_update(sugar *s, chain *c, const hy_call *call) {
  const hy_expr *k = call->count == 1 ? startup(s, &call->args[0]) : hy_expr_int(s->context, 0);
  int64_t number = 0;
  if (s->failed || !takes(s, call, 0, 1, 0, "update(k) with a constant k")) return;
  int stages = 0;
  for (int i = 0; i < s->tgt->func_count; i++)
    if (s->tgt->funcs[i] == c->func) stages = s->tgt->stage_counts[i];
  if (hy_expr_is_int(k, &number) && number >= 0 && number < stages - 1) {
    c->stage = (int)number + 1;
    return;
  }
  s->failed = true;
  hy_report(s->diagnostics, HY_E_UNKNOWN_LOOP, call->loc, "SCH.Loop (lemma 6.1)",
            stages > 1 ? hy_arena_printf(hy_context_arena(s->context), "its updates are 0 to %d", stages - 2)
                       : "it has no updates",
            "'%s' has no such update", c->func->name);
}

// One call of a chain; moves wait until all loops directives were applied ("moving" is the second walk).
static void chain_call(sugar *s, chain *c, const hy_call *call, bool moving) {
  const char *name = call->name;
  bool is_move = strcmp(name, "compute_at") == 0 || strcmp(name, "store_at") == 0 ||
                 strcmp(name, "compute_root") == 0 || strcmp(name, "store_root") == 0;
  if (strcmp(name, "update") == 0) {
    chain_update(s, c, call);
  } else if (strcmp(name, "specialize") == 0) {
    hy_sugar_turn(s, c, call);
  } else if (hy_sugar_is_bounds(name)) {
    if (moving) hy_sugar_chain_bounds(s, c, call);
  } else if (is_move != moving) {
    return;
  } else if (is_move) {
    hy_directive_kind kind = name[0] == 'c' ? HY_DIRECTIVE_COMPUTE_AT : HY_DIRECTIVE_STORE_AT;
    chain_move(s, c, call, kind, strstr(name, "root") != NULL);
  } else if (strcmp(name, "split") == 0) {
    chain_split(s, c, call);
  } else if (strcmp(name, "tile") == 0) {
    chain_tile(s, c, call);
  } else if (strcmp(name, "fuse") == 0) {
    chain_fuse(s, c, call);
  } else if (strcmp(name, "reorder") == 0) {
    chain_reorder(s, c, call);
  } else if (strcmp(name, "parallel") == 0) {
    chain_traverse(s, c, call, HY_PARALLEL, "p");
  } else if (strcmp(name, "vectorize") == 0) {
    chain_traverse(s, c, call, HY_VECTORIZED, "v");
  } else if (strcmp(name, "unroll") == 0) {
    chain_traverse(s, c, call, HY_UNROLLED, "u");
  } else if (strcmp(name, "serial") == 0) {
    if (takes(s, call, 1, 1, 1, "serial(x)")) emit_traverse(s, call->loc, loop_of(s, c, name_at(call, 0)), HY_SERIAL);
  } else {
    unknown(s, call, true);
  }
}

static void chain_item(sugar *s, const hy_schedule_item *item, bool moving) {
  chain c = {.func = hy_sugar_func(s, item->func, item->loc)};
  if (!c.func) return;
  for (int i = 0; i < item->count; i++) c.stores |= strncmp(item->calls[i].name, "store_", 6) == 0;
  for (int i = 0; i < item->count && !s->failed; i++) chain_call(s, &c, &item->calls[i], moving);
}

/* -- the whole -- */

static int position(const sugar *s, const hy_func *func) {
  for (int i = 0; i < s->tgt->func_count; i++)
    if (s->tgt->funcs[i] == func) return i;
  return -1;
}

// Consumers first: a producer is then moved to the front of a loop body, before its consumer.
static void append_consumers_first(sugar *s, const directive_list *from, directive_list *to) {
  for (int p = s->tgt->func_count - 1; p >= 0; p--)
    for (size_t i = 0; i < from->count; i++)
      if (position(s, from->data[i].func) == p) hy_vec_push(to, from->data[i]);
}

static void walk_items(sugar *s, const hy_schedule *schedule, bool moving) {
  for (int i = 0; i < schedule->count && !s->failed; i++) {
    const hy_schedule_item *item = &schedule->items[i];
    if (item->func) {
      chain_item(s, item, moving);
    } else if (!moving) {
      core_call(s, &item->calls[0]);
    } else if (strcmp(item->calls[0].name, "compute_at") == 0) {
      core_move(s, &item->calls[0], HY_DIRECTIVE_COMPUTE_AT);
    } else if (strcmp(item->calls[0].name, "store_at") == 0) {
      core_move(s, &item->calls[0], HY_DIRECTIVE_STORE_AT);
    } else if (hy_sugar_is_bounds(item->calls[0].name)) {
      hy_sugar_bounds(s, &item->calls[0]);
    }
  }
}

bool hy_sched_desugar(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule,
                      hy_diagnostics *diagnostics, const hy_directive **core, int *count) {
  *core = NULL;
  *count = 0;
  sugar s = {.context = context, .tgt = lowered, .diagnostics = diagnostics};
  if (strcmp(schedule->pipeline, lowered->alg->name) != 0) {
    hy_report(diagnostics, HY_E_SCHEDULE_PIPELINE, schedule->pipeline_loc, NULL, "name the pipeline of the algorithm",
              "schedule '%s' is for '%s', the pipeline is '%s'", schedule->name, schedule->pipeline,
              lowered->alg->name);
    return false;
  }
  if (schedule->default_inline) {
    hy_report(diagnostics, HY_E_UNKNOWN_DIRECTIVE, schedule->loc, NULL,
              "leave it out: without it every func is computed at root",
              "'default inline' is not a form of this version");
    return false;
  }
  hy_sugar_specialize(&s, schedule);
  if (!s.failed) walk_items(&s, schedule, false);
  if (!s.failed) walk_items(&s, schedule, true);
  directive_list all = {0};
  for (size_t i = 0; i < s.specializes.count; i++) hy_vec_push(&all, s.specializes.data[i]);
  for (size_t i = 0; i < s.loops.count; i++) hy_vec_push(&all, s.loops.data[i]);
  append_consumers_first(&s, &s.computes, &all);
  append_consumers_first(&s, &s.stores, &all);
  for (size_t i = 0; i < s.bounds.count; i++) hy_vec_push(&all, s.bounds.data[i]);
  if (!s.failed && all.count) {
    hy_directive *copy = HY_NEW_ARRAY(hy_context_arena(context), hy_directive, all.count);
    memcpy(copy, all.data, sizeof *copy * all.count);
    *core = copy;
    *count = (int)all.count;
  }
  hy_vec_free(&all);
  hy_sugar_free_specializations(&s);
  hy_vec_free(&s.specializes);
  hy_vec_free(&s.bounds);
  hy_vec_free(&s.loops);
  hy_vec_free(&s.computes);
  hy_vec_free(&s.stores);
  return !s.failed;
}
