// Random schedules: a walk through the phases that asks sched/ about every move, so that what is kept is legal.

#include "fuzz/pairs/generate.h"

#include "sched/funcs/funcs.h"

#include "semantics/base/vec.h"

#include <stdio.h>
#include <string.h>

enum { PERCENT_ILLEGAL = 5 };

typedef struct {
  hy_choices *c;
  hy_context *context;
  const hy_tgt *tgt;
  hy_walk *walk;
  hy_text *out;
  HY_VEC(const hy_stmt *) loops; // of the program as it stands, outermost first
  HY_VEC(const hy_func *) moved;
  HY_VEC(const hy_func *) copied; // and what they were copied to
  int favourite;                  // the directive to be used more than the others; HY_NO_DIRECTIVE = none
  int neighbour;                  // and another one, beside one from outside the tree
  int names;
  bool traversed; // some loop is, so that a move can make the program illegal as a whole
} walker;

// A percentage, or a weight, for a directive; NULL: those from outside the tree.
static int favoured(const walker *w, const hy_directive_type *type, int otherwise, int when) {
  int number = type ? hy_sched_number(type) : HY_OWN_DIRECTIVES;
  return w->favourite == number || w->neighbour == number ? when : otherwise;
}

// Directives whose arguments are made below, as they are in programs that people write. Those of any other are drawn by
// the kinds that its record lists (hy_generate_directive).
static bool is_made_here(const hy_directive_type *type) {
  static const hy_directive_type *const here[] = {&hy_directive_specialize,
                                                  &hy_directive_split,
                                                  &hy_directive_fuse,
                                                  &hy_directive_swap,
                                                  &hy_directive_traverse,
                                                  &hy_directive_compute_at,
                                                  &hy_directive_store_at,
                                                  &hy_directive_bound,
                                                  &hy_directive_bound_extent,
                                                  &hy_directive_align_bounds,
                                                  &hy_directive_set_stride,
                                                  &hy_directive_require_stride,
                                                  &hy_directive_set_host_alignment,
                                                  &hy_directive_copy};
  for (size_t i = 0; i < HY_COUNT(here); i++)
    if (here[i] == type) return true;
  return false;
}

static const hy_directive_type *own_type(int number) {
  int count;
  return hy_sched_directives(&count)[number];
}

static bool chance(walker *w, int percent) { return hy_choose_chance(w->c, percent); }
static int pick(walker *w, size_t below) { return (int)hy_choose(w->c, below); }

/* -- the program as it stands -- */

static void collect(walker *w, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR) hy_vec_push(&w->loops, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(w, children[i]);
}

static void look(walker *w) {
  w->loops.count = 0;
  collect(w, w->tgt->body);
}

// Is a loop the result of a split or fuse? Those are split, fused and computed at first.
static bool is_made(const hy_stmt *loop) {
  const hy_func *f = loop->loop.var->func;
  if (loop->loop.var->stage > 0)
    return loop->loop.var->name[0] != 'r' && loop->loop.var->name[0] != 'q' && loop->loop.var->name[1];
  for (int d = 0; d < f->rank; d++)
    if (loop->loop.var->name == f->dims[d]) return false;
  return true;
}

static const hy_stmt *pick_loop(walker *w) {
  if (!w->loops.count) return NULL;
  const hy_stmt *loop = NULL;
  for (int attempt = 0; attempt < 3; attempt++) {
    loop = w->loops.data[pick(w, w->loops.count)];
    if (is_made(loop)) break;
  }
  return loop;
}

static void print_directive(walker *w, const hy_directive *d) {
  hy_text_add(w->out, "  ");
  hy_directive_print(d, w->out);
  hy_text_add(w->out, "\n");
}

void hy_walk_count(hy_walk *walk, const hy_directive *d) {
  int64_t factor;
  walk->picked[hy_sched_number(d->type)]++;
  if (d->type == &hy_directive_traverse) walk->traversals[d->traversal]++;
  if (d->type != &hy_directive_split) return;
  walk->tails[d->tail]++;
  if (hy_expr_is_int(d->args[0], &factor)) {
    if (factor >= 6) hy_forms_mark(&walk->forms, factor >= 64 ? HY_FORM_FACTOR_64 : HY_FORM_FACTOR_6);
  } else {
    hy_forms_mark(&walk->forms, HY_FORM_FACTOR_SYMBOLIC);
  }
  if (hy_expr_is_int(d->args[0], &factor) && walk->factor_count < HY_MOST_FACTORS)
    walk->factors[walk->factor_count++] = factor;
}

// Did a directive from outside the tree do what it must not?
static bool is_fault(const hy_diagnostics *said) {
  for (size_t i = 0; i < hy_diagnostics_count(said); i++)
    if (hy_diagnostics_at(said, i)->code == HY_E_PLUGIN_FAULT) return true;
  return false;
}

static bool is_legal(walker *w, const hy_tgt *tgt) {
  hy_diagnostics *said = hy_diagnostics_new();
  bool legal = hy_sched_legal(w->context, tgt, NULL, 0, tgt->alg->loc, said);
  if (!legal && !hy_diagnostics_errors(said)) w->walk->silent = true;
  hy_diagnostics_free(said);
  return legal;
}

// Applies a directive for good if it is legal, alone and, once there are traversals, as a whole.
static bool apply(walker *w, const hy_directive *d) {
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_tgt *next = hy_sched_apply(w->context, w->tgt, d, said);
  if (!next && !hy_diagnostics_errors(said)) w->walk->silent = true;
  bool fault = is_fault(said);
  hy_diagnostics_free(said);
  if (fault) print_directive(w, d); // the judge is to see it
  bool traversed = w->traversed || hy_directive_find(d->type, HY_TAKES_TRAVERSAL) >= 0;
  if (!next || (traversed && !is_legal(w, next))) return false;
  w->traversed = traversed;
  w->tgt = next;
  print_directive(w, d);
  hy_walk_count(w->walk, d);
  look(w);
  return true;
}

/* -- moves -- */

// Two directives of which the first may leave a program that is illegal as a whole, which the second one mends
// (decision D38: prefixes are judged without the rules for final programs). Both, or none.
static void dare(walker *w, const hy_directive *first, const hy_directive *second) {
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_tgt *before = w->tgt, *between = hy_sched_apply(w->context, before, first, said);
  const hy_tgt *after = between ? hy_sched_apply(w->context, between, second, said) : NULL;
  hy_diagnostics_free(said);
  if (!after || !is_legal(w, after)) return;
  if (!is_legal(w, between)) hy_forms_mark(&w->walk->forms, HY_FORM_PREFIX_ILLEGAL);
  w->traversed = true;
  w->tgt = after;
  print_directive(w, first), print_directive(w, second);
  hy_walk_count(w->walk, first), hy_walk_count(w->walk, second);
  look(w);
}

static const char *fresh(walker *w, char letter) {
  return hy_context_name_of(w->context, hy_arena_printf(hy_context_arena(w->context), "%c%d", letter, w->names++));
}

// The parameters that stand for small numbers: the first ones, of type int.
static int small_params(const hy_alg *alg) {
  int count = 0;
  while (count < alg->param_count && alg->params[count]->type == HY_INT && *alg->params[count]->name != 'k') count++;
  return count;
}

// A parameter or, "percent" of the time, a number divided by one, which is an error where that is 0.
//   requires: there is one
static const hy_expr *pick_startup(walker *w, int number, int percent) {
  const hy_alg *alg = w->tgt->alg;
  const hy_expr *param = hy_expr_var(w->context, alg->params[pick(w, (size_t)small_params(alg))]);
  if (w->walk->shape == HY_SHAPE_AFFINE) w->walk->shape = HY_SHAPE_SYMBOLIC;
  return chance(w, percent) ? hy_expr_binary(w->context, HY_OP_DIV, hy_expr_int(w->context, number), param) : param;
}

static const hy_expr *pick_factor(walker *w) {
  static const int factors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 32, 48, 64, 100, 256};
  static const int weights[] = {9, 27, 30, 30, 18, 8, 12, 12, 4, 4, 6, 2, 1, 2, 1, 1, 1};
  if (small_params(w->tgt->alg) && chance(w, 10)) return pick_startup(w, 4 + pick(w, 5), 25);
  return hy_expr_int(w->context, factors[hy_choose_weighted(w->c, weights, HY_COUNT(factors))]);
}

static hy_directive make_split(walker *w, const hy_stmt *loop) {
  hy_directive d = {.type = &hy_directive_split, .loop = loop->loop.var};
  bool again = chance(w, 20);
  d.names[0] = again ? loop->loop.var->name : fresh(w, 'o');
  d.names[1] = again && chance(w, 10) ? d.names[0] : fresh(w, 'i');
  d.args[0] = pick_factor(w);
  d.tail = (hy_tail)hy_choose_weighted(w->c, (int[]){50, 25, 25}, 3);
  if (loop->loop.var->stage > 0 && !chance(w, 5)) d.tail = HY_TAIL_GUARD;
  return d;
}

static hy_directive make_fuse(walker *w, const hy_stmt *loop) {
  hy_directive d = {.type = &hy_directive_fuse, .loop = loop->loop.var};
  const hy_stmt *inner = loop->loop.body;
  d.names[0] = inner->kind == HY_STMT_FOR ? inner->loop.var->name : "x";
  d.names[1] = chance(w, 15) ? loop->loop.var->name : fresh(w, 't');
  return d;
}

// Copies of a long loop's body cost more than they show; what is no constant is an error, once in a while.
static const int *weigh_traversals(const hy_expr *length) {
  static const int few[] = {0, 25, 50, 25}, some[] = {0, 25, 73, 2}, many[] = {0, 98, 2, 0}, unknown[] = {0, 96, 2, 2};
  int64_t extent;
  if (!hy_expr_is_int(length, &extent)) return unknown;
  return extent <= 16 ? few : extent <= 64 ? some : many;
}

static hy_directive make_traverse(walker *w, const hy_stmt *loop) {
  hy_directive d = {.type = &hy_directive_traverse, .loop = loop->loop.var};
  d.traversal = (hy_traversal)hy_choose_weighted(w->c, weigh_traversals(loop->loop.interval.len), 4);
  return d;
}

// What Halide writes as vectorize(x, 8), parallel(x, 8), unroll(x, 8): a split that keeps the name, and a traversal.
static void split_and_traverse(walker *w, const hy_stmt *loop) {
  static const char suffixes[] = {[HY_PARALLEL] = 'p', [HY_VECTORIZED] = 'v', [HY_UNROLLED] = 'u'};
  hy_traversal traversal = (hy_traversal)(1 + pick(w, 3));
  const hy_var *x = loop->loop.var;
  if (strchr(x->name, '_')) return;
  hy_directive d = make_split(w, loop);
  static const int lanes[] = {10, 20, 24, 48}; // more than a register holds, and no power of two
  if (traversal == HY_VECTORIZED && chance(w, 15)) d.args[0] = hy_expr_int(w->context, lanes[pick(w, HY_COUNT(lanes))]);
  d.names[0] = x->name;
  d.names[1] = hy_context_name_of(w->context,
                                  hy_arena_printf(hy_context_arena(w->context), "%s_%c", x->name, suffixes[traversal]));
  if (!apply(w, &d)) return;
  const char *name = traversal == HY_PARALLEL ? x->name : d.names[1];
  const hy_var *var = hy_var_loop(w->context, x->func, x->spec, x->stage, name);
  if (apply(w, &(hy_directive){.type = &hy_directive_traverse, .loop = var, .traversal = traversal}))
    hy_forms_mark(&w->walk->forms, HY_FORM_SPLIT_AND_TRAVERSE);
}

// What Halide writes as tile(x, y, ...), x directly inside of y.
static void tile(walker *w, const hy_stmt *loop) {
  const hy_stmt *inside = loop->loop.body;
  if (inside->kind != HY_STMT_FOR) return;
  const hy_var *var = loop->loop.var;
  hy_directive x = make_split(w, inside), y = make_split(w, loop);
  y.tail = x.tail;
  hy_directive swap = {.type = &hy_directive_swap,
                       .loop = hy_var_loop(w->context, var->func, var->spec, var->stage, y.names[1])};
  if (apply(w, &x) && apply(w, &y) && apply(w, &swap)) hy_forms_mark(&w->walk->forms, HY_FORM_TILE);
}

static bool make_plugin(walker *w, const hy_stmt *loop, hy_directive *d) {
  return hy_generate_plugin(w->c, w->context, w->tgt, w->loops.data, w->loops.count, loop, NULL, &w->names, d);
}

static bool make_other(walker *w, const hy_stmt *loop, const hy_directive_type *type, hy_directive *d) {
  return hy_generate_directive(w->c, w->context, w->tgt, w->loops.data, w->loops.count, loop, type, NULL, &w->names, d);
}

// What the loops phase may choose: the moves below, then the directives that are not made here.
enum { MOVES = 8, CHOICES = MOVES + HY_OWN_DIRECTIVES };

static void weigh_moves(const walker *w, int weights[CHOICES]) {
  bool any = w->favourite == HY_NO_DIRECTIVE;
  const int moves[MOVES] = {favoured(w, &hy_directive_split, 60, 160),
                            favoured(w, &hy_directive_fuse, 22, 160),
                            favoured(w, &hy_directive_swap, 18, 160),
                            hy_context_plugins(w->context) ? favoured(w, NULL, 40, 160) : 0,
                            w->neighbour == hy_sched_number(&hy_directive_traverse) ? 60 : 4,
                            any ? 12 : 0,
                            any ? 5 : 0,
                            any ? 4 : 0};
  memcpy(weights, moves, sizeof moves);
  for (int i = 0; i < HY_OWN_DIRECTIVES; i++) {
    const hy_directive_type *type = own_type(i);
    bool other = type->phase == HY_PHASE_LOOPS && !is_made_here(type);
    weights[MOVES + i] = other ? favoured(w, type, 15, 160) : 0;
  }
}

static int count_moves(walker *w) {
  int moves = hy_choose_weighted(w->c, (int[]){10, 15, 20, 20, 15, 10, 5, 5}, 8);
  if (moves >= 2) return moves;
  moves += favoured(w, NULL, 0, 2);
  for (int i = 0; i < HY_OWN_DIRECTIVES; i++)
    if (own_type(i)->phase == HY_PHASE_LOOPS && own_type(i) != &hy_directive_traverse)
      moves += favoured(w, own_type(i), 0, 2);
  return moves;
}

static void walk_loops(walker *w) {
  int moves = count_moves(w), weights[CHOICES];
  weigh_moves(w, weights);
  for (int i = 0; i < moves; i++) {
    const hy_stmt *loop = pick_loop(w);
    if (!loop) return;
    hy_directive d;
    int choice = hy_choose_weighted(w->c, weights, CHOICES);
    switch (choice) {
    case 0: d = make_split(w, loop); break;
    case 1: d = make_fuse(w, loop); break;
    case 2: d = (hy_directive){.type = &hy_directive_swap, .loop = loop->loop.var}; break;
    case 3:
      if (!make_plugin(w, loop, &d)) continue;
      break;
    case 4: d = make_traverse(w, loop); break;
    case 5:
      d = (hy_directive){.type = &hy_directive_traverse, .loop = loop->loop.var, .traversal = HY_PARALLEL};
      dare(w, &d, &(hy_directive){.type = &hy_directive_swap, .loop = loop->loop.var});
      continue;
    case 6: split_and_traverse(w, loop); continue;
    case 7: tile(w, loop); continue;
    default:
      if (!make_other(w, loop, own_type(choice - MOVES), &d)) continue;
      break;
    }
    apply(w, &d);
  }
}

// A favourite that is not made here, on whatever loop takes it.
static void insist(walker *w) {
  if (w->favourite == HY_NO_DIRECTIVE || w->favourite == HY_OWN_DIRECTIVES) return;
  const hy_directive_type *type = own_type(w->favourite);
  hy_directive d;
  if (type->phase != HY_PHASE_LOOPS || is_made_here(type)) return;
  for (int i = 0; i < 8 && w->loops.count && !w->walk->picked[w->favourite]; i++)
    if (make_other(w, w->loops.data[pick(w, w->loops.count)], type, &d)) apply(w, &d);
}

// What slides seldom fits where it is tried. What is inlined is no more there for a favourite to be used on.
static int usual(const walker *w, const hy_directive_type *type) {
  if (type->phase == HY_PHASE_INLINE && w->favourite != HY_NO_DIRECTIVE) return 3;
  return type == &hy_directive_slide ? 40 : 15;
}

// Before one rfactor of three, what it takes is split: it takes one of the parts then. What is written so far says
// which: with choices of their own, all pairs of seeds that are known by now would be others.
static void split_before(walker *w, hy_directive *d) {
  enum { EVERY = 3, MOST = 7 };
  if (d->type != &hy_directive_rfactor) return;
  uint64_t hash = hy_hash_bytes((uint64_t)w->tgt->func_count, w->out->data, w->out->length);
  hash = hy_hash_bytes(hash, d->loop->name, strlen(d->loop->name));
  if (hash % EVERY) return;
  hash /= EVERY;
  hy_arena *arena = hy_context_arena(w->context);
  hy_directive split = {.type = &hy_directive_split_reduction, .loc = d->loc, .func = d->func, .loop = d->loop};
  split.args[0] = hy_expr_int(w->context, 1 + (int64_t)(hash / 2 % MOST));
  for (int i = 0; i < 2; i++)
    split.names[i] = hy_context_name_of(w->context, hy_arena_printf(arena, "%s_%c", d->loop->name, i ? 'i' : 'o'));
  if (!apply(w, &split)) return;
  d->loop = hy_var_loop(w->context, d->loop->func, 0, d->loop->stage, split.names[hash % 2]);
}

// Directives of another phase than the loops' that are not made here.
static void walk_others(walker *w, hy_phase phase) {
  hy_directive d;
  for (int i = 0; i < HY_OWN_DIRECTIVES; i++) {
    const hy_directive_type *type = own_type(i);
    if (type->phase != phase || is_made_here(type)) continue;
    if (type == &hy_directive_split_reduction && !favoured(w, type, 0, 1)) continue; // split_before makes others
    if (!chance(w, favoured(w, type, usual(w, type), 95))) continue;
    const hy_stmt *loop = w->loops.count ? w->loops.data[pick(w, w->loops.count)] : NULL;
    for (int attempt = favoured(w, type, 4, 16); attempt > 0; attempt--)
      if (make_other(w, loop, type, &d)) {
        split_before(w, &d);
        if (apply(w, &d)) break;
      }
  }
}

// Neighbours of the last dimension side by side, with those of the first so many apart; or numbers that fit less well.
static void set_strides(walker *w, const hy_func *func, uint64_t hash) {
  int last = func->rank - 1, numbers[HY_MAX_RANK] = {0};
  if (last < 0) return;
  numbers[0] = 1 + (int)(hash % 5);
  if (last > 0 && hash / 5 % 4) numbers[last] = 1;
  if (hash / 20 % 8 == 0) numbers[last / 2] = 1 + (int)(hash / 160 % 40);
  for (int d = 0; d <= last; d++) {
    hy_directive stride = {.type = &hy_directive_set_stride, .loc = w->tgt->alg->loc, .func = func, .dim = d};
    stride.args[0] = hy_expr_int(w->context, numbers[d]);
    if (numbers[d]) apply(w, &stride);
  }
}

// A demand that every box can meet: of one dimension, and of where memory begins.
static void make_demands(walker *w, const hy_func *func, uint64_t hash) {
  hy_directive align = {.type = &hy_directive_set_host_alignment, .loc = w->tgt->alg->loc, .func = func};
  align.args[0] = hy_expr_int(w->context, 1 << (hash % 8));
  if (hash / 8 % 4) apply(w, &align);
  if (!func->rank || hash / 32 % 4 == 0) return;
  hy_directive stride = {.type = &hy_directive_require_stride, .loc = w->tgt->alg->loc, .func = func};
  stride.dim = hash / 128 % 4 ? 0 : func->rank - 1;
  stride.args[0] = hy_expr_int(w->context, stride.dim ? 1 : 1 + (int)(hash / 512 % 4));
  apply(w, &stride);
}

// Of one pair in four. What is written so far says which, as above.
static void walk_strides(walker *w) {
  enum { EVERY = 4 };
  const hy_alg *alg = w->tgt->alg;
  uint64_t hash = hy_hash_bytes((uint64_t)w->tgt->func_count, w->out->data, w->out->length);
  bool is_favoured = favoured(w, &hy_directive_set_stride, 0, 1);
  if (hash % EVERY && !is_favoured) return;
  for (int i = 0; i < alg->image_count + alg->output_count; i++) {
    hash = hy_hash_bytes(hash, &i, sizeof i);
    const hy_func *func = i < alg->image_count ? alg->images[i] : alg->outputs[i - alg->image_count].func;
    if (hash % 3) set_strides(w, func, hash / 3);
  }
}

// Of one pair in four, in the same way. Where a stride is set for another dimension, both may not fit: then it is refused.
static void walk_demands(walker *w) {
  enum { EVERY = 4 };
  const hy_alg *alg = w->tgt->alg;
  uint64_t hash = hy_hash_bytes((uint64_t)w->tgt->func_count + 1, w->out->data, w->out->length);
  bool is_favoured =
      favoured(w, &hy_directive_require_stride, 0, 1) || favoured(w, &hy_directive_set_host_alignment, 0, 1);
  if (hash % EVERY && !is_favoured) return;
  for (int i = 0; i < alg->image_count + alg->output_count; i++) {
    hash = hy_hash_bytes(hash, &i, sizeof i);
    const hy_func *func = i < alg->image_count ? alg->images[i] : alg->outputs[i - alg->image_count].func;
    if (hash % 3) make_demands(w, func, hash / 3);
  }
}

static void try_plugin(walker *w) {
  hy_directive d;
  if (w->loops.count && make_plugin(w, w->loops.data[pick(w, w->loops.count)], &d)) apply(w, &d);
}

static const hy_expr *pick_condition(walker *w) {
  static const hy_op ops[] = {HY_OP_EQ, HY_OP_GT, HY_OP_LE, HY_OP_NE};
  const hy_alg *alg = w->tgt->alg;
  const hy_expr *a = NULL;
  if (small_params(alg) && (!alg->image_count || chance(w, 60)))
    a = pick_startup(w, 1 + pick(w, 3), 50);
  else if (alg->image_count)
    a = hy_expr_var(w->context, alg->images[0]->len[0]);
  if (alg->window_rank && chance(w, 20))
    a = hy_expr_var(w->context, (chance(w, 70) ? alg->window_len : alg->window_min)[pick(w, (size_t)alg->window_rank)]);
  if (!a) return NULL;
  // true wherever it is no error: the other branch runs only then, and knows nothing (decision D27)
  if (a->kind == HY_EXPR_OP && chance(w, 70)) {
    const hy_expr *zero = hy_expr_int(w->context, 0);
    return hy_expr_binary(w->context, HY_OP_LE, hy_expr_binary(w->context, HY_OP_MIN, a, zero), zero);
  }
  const hy_expr *limit = hy_expr_int(w->context, pick(w, 5));
  return hy_expr_binary(w->context, ops[pick(w, 4)], a, limit);
}

static void specialize_one(walker *w) {
  const hy_expr *first = pick_condition(w), *second = chance(w, 30) ? pick_condition(w) : NULL;
  const hy_expr *conditions[2] = {first, second};
  if (!conditions[0]) return;
  hy_directive d = {.type = &hy_directive_specialize,
                    .func = w->tgt->funcs[pick(w, (size_t)w->tgt->func_count)],
                    .condition_count = conditions[1] ? 2 : 1};
  const hy_expr **kept = HY_NEW_ARRAY(hy_context_arena(w->context), const hy_expr *, 2);
  memcpy(kept, conditions, sizeof conditions);
  d.conditions = kept;
  if (!apply(w, &d)) return;
  if (w->walk->picked[hy_sched_number(&hy_directive_specialize)] > 1)
    hy_forms_mark(&w->walk->forms, HY_FORM_SPECIALIZED_SEVERAL);
  if (conditions[0]->op == HY_OP_LE) hy_forms_mark(&w->walk->forms, HY_FORM_SPECIALIZED_ERRS);
}

static void walk_specialize(walker *w) {
  int percent = favoured(w, &hy_directive_specialize, favoured(w, &hy_directive_copy, 20, 98), 95);
  if (!chance(w, percent)) return;
  for (bool more = true; more; more = chance(w, 25)) specialize_one(w);
}

// Moves a func's computation or allocation to one of the loops where that is legal, inner ones first.
static bool walk_site(walker *w, const hy_directive_type *type, const hy_func *func) {
  size_t count;
  const hy_stmt **sites = hy_sched_sites(w->tgt, type, func, &count);
  bool found = count > 0;
  if (found) {
    size_t a = (size_t)pick(w, count), b = (size_t)pick(w, count);
    hy_directive d = {.type = type, .func = func, .loop = sites[a > b ? a : b]->loop.var};
    found = apply(w, &d);
  }
  free(sites);
  return found;
}

static int count_branches(const hy_stmt *stmt, const hy_func *func) {
  const hy_stmt *const *children, *room[2];
  int found = stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC && stmt->label.func == func;
  for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++)
    found += count_branches(children[i], func);
  return found;
}

static bool is_copied(const walker *w, const hy_func *func) {
  for (size_t i = 0; i < w->copied.count; i++)
    if (w->copied.data[i] == func) return true;
  return false;
}

static bool move_computation(walker *w, const hy_func *func) {
  if (!walk_site(w, &hy_directive_compute_at, func)) return false;
  hy_vec_push(&w->moved, func);
  return true;
}

// What specializations of a func read, a copy for each but the default one, each computed where it can be.
static bool copy_for(walker *w, const hy_func *func, const hy_func *reader) {
  int branches = count_branches(w->tgt->body, reader);
  size_t before = w->copied.count;
  for (int k = 1; k < branches; k++) {
    hy_directive d;
    if (hy_generate_copy(w->context, w->tgt, func, reader, k, &d) && apply(w, &d)) hy_vec_push(&w->copied, d.made);
  }
  if (w->copied.count == before) return false;
  for (size_t i = before, all = w->copied.count; i < all; i++) move_computation(w, w->copied.data[i]);
  hy_vec_push(&w->copied, func);
  return true;
}

static void walk_copies(walker *w, const hy_func *func) {
  int percent = favoured(w, &hy_directive_copy, 60, 100);
  for (int i = w->tgt->func_count - 1; i >= 0; i--) {
    const hy_func *reader = w->tgt->funcs[i];
    if (reader == func || count_branches(w->tgt->body, reader) < 2 || !hy_funcs_reads(w->tgt, reader, func)) continue;
    if (chance(w, percent) && copy_for(w, func, reader)) return;
  }
}

static void walk_sites(walker *w) {
  int sites = favoured(w, &hy_directive_compute_at, favoured(w, &hy_directive_store_at, 65, 95), 95);
  sites = favoured(w, &hy_directive_fold_storage, sites, 95); // of which parts are computed at a time
  sites = favoured(w, &hy_directive_slide, sites, 98);
  sites = favoured(w, &hy_directive_copy, sites, 98);
  for (int i = w->tgt->func_count - 1; i >= 0; i--) {
    const hy_func *func = w->tgt->funcs[i];
    if (hy_alg_output(w->tgt->alg, func) || !chance(w, sites)) continue;
    walk_copies(w, func); // they come behind it in the table
    move_computation(w, func);
  }
  for (size_t i = 0; i < w->moved.count; i++)
    if (chance(w, favoured(w, &hy_directive_store_at, 60, 98))) walk_site(w, &hy_directive_store_at, w->moved.data[i]);
}

// The favourite, if it is one of the bounds directives made here; NULL if not.
static const hy_directive_type *wanted_bounds(const walker *w) {
  int wanted = w->neighbour == HY_NO_DIRECTIVE ? w->favourite : w->neighbour;
  if (wanted == HY_NO_DIRECTIVE || wanted == HY_OWN_DIRECTIVES) return NULL;
  const hy_directive_type *type = own_type(wanted);
  return type->phase == HY_PHASE_BOUNDS && is_made_here(type) ? type : NULL;
}

static void bound_one(walker *w) {
  static const hy_directive_type *const types[] = {&hy_directive_bound, &hy_directive_bound_extent,
                                                   &hy_directive_align_bounds};
  const hy_directive_type *wanted = wanted_bounds(w);
  bool symbolic = false;
  const hy_directive_type *type = wanted ? wanted : types[pick(w, 3)];
  hy_directive d = {.type = type, .func = w->tgt->funcs[pick(w, (size_t)w->tgt->func_count)]};
  if (!d.func->rank) return;
  bool aligns = d.type == &hy_directive_align_bounds;
  d.dim = pick(w, (size_t)d.func->rank);
  int64_t least = aligns ? 1 + pick(w, 5) : pick(w, 20) - 8;
  d.args[0] = hy_expr_int(w->context, least);
  d.args[1] = hy_expr_int(w->context, aligns ? pick(w, (size_t)least) : pick(w, 24));
  if (!aligns && small_params(w->tgt->alg) && chance(w, 20)) {
    int which = d.type == &hy_directive_bound ? pick(w, 2) : 0;
    d.args[which] = pick_startup(w, 1 + pick(w, 12), 25);
    symbolic = true;
  }
  if (!apply(w, &d)) return;
  unsigned picked = 0;
  for (size_t i = 0; i < HY_COUNT(types); i++) picked += w->walk->picked[hy_sched_number(types[i])];
  if (picked > 1) hy_forms_mark(&w->walk->forms, HY_FORM_BOUNDS_SEVERAL);
  if (symbolic) hy_forms_mark(&w->walk->forms, HY_FORM_BOUNDS_SYMBOLIC);
}

static void walk_bounds(walker *w) {
  if (!chance(w, wanted_bounds(w) ? 95 : 15)) return;
  for (bool more = true; more; more = chance(w, 35)) bound_one(w);
}

// Most traversals last: then what is legal as a whole is known. Desugaring sorts them among the loops.
static void walk_traversals(walker *w) {
  int moves = pick(w, 4) + favoured(w, &hy_directive_traverse, 0, 3);
  for (int i = 0; i < moves && w->loops.count; i++) {
    const hy_stmt *loop = w->loops.data[pick(w, w->loops.count)];
    if (is_copied(w, loop->loop.var->func)) continue; // a copy has the loops of what it copies, as those are in the end
    hy_directive d = make_traverse(w, loop);
    apply(w, &d);
  }
}

// A directive that breaks a rule: the whole schedule must be refused, with a diagnostic.
static void plant_illegal(walker *w, bool early) {
  hy_directive planted[HY_MOST_PLANTED];
  int count = 0;
  const char *rule = hy_generate_illegal(w->c, w->context, w->tgt, early, planted, &count);
  if (!rule) return;
  for (int i = 0; i < count; i++) print_directive(w, &planted[i]);
  w->walk->planted = rule;
  w->walk->planted_kind = hy_sched_number(planted[count - 1].type);
}

static int nesting(const hy_stmt *stmt, int depth) {
  if (stmt->kind == HY_STMT_LET && hy_origin_is_blocks(&stmt->let.origin)) depth++;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room), deepest = depth;
  for (int i = 0; i < count; i++) {
    int below = nesting(children[i], depth);
    if (below > deepest) deepest = below;
  }
  return deepest;
}

void hy_walk_measure(hy_walk *walk, const hy_tgt *tgt) { walk->deepest = nesting(tgt->body, 0); }

/* -- channels -- */

// What people write for pictures of a few channels: all of the first dimension, which has few numbers (bound), or some
// of it at a time (split), written out, in vectors along the second. Of one pair in four; what is written so far says
// which, as above.
typedef struct {
  const hy_func *func; // NULL: of none
  uint64_t hash;
  int count; // of channels at a time
  bool bounded;
  const char *channel, *vector;
} channels;

static const hy_stmt *loop_of(const walker *w, const hy_func *func, const char *name) {
  for (size_t i = 0; i < w->loops.count; i++) {
    const hy_var *var = w->loops.data[i]->loop.var;
    if (var->func == func && var->stage == 0 && var->spec == 0 && var->name == name) return w->loops.data[i];
  }
  return NULL;
}

static bool cut(walker *w, const channels *made, int dim, const char *inner, int factor) {
  const hy_stmt *loop = loop_of(w, made->func, made->func->dims[dim]);
  if (!loop) return false;
  hy_directive d = {.type = &hy_directive_split, .loop = loop->loop.var, .names = {fresh(w, 'o'), inner}};
  d.tail = (hy_tail)(made->hash / (dim ? 4 : 12) % 3);
  d.args[0] = hy_expr_int(w->context, factor);
  return apply(w, &d);
}

// (c, x) -> loops of x's blocks, of c's blocks where it is split, of the lanes, of the channels
static channels cut_channels(walker *w) {
  enum { EVERY = 4 };
  uint64_t hash = hy_hash_bytes((uint64_t)w->tgt->func_count, w->out->data, w->out->length);
  const hy_func *func = w->tgt->funcs[hash / EVERY % (uint64_t)w->tgt->func_count];
  if (hash % EVERY || func->rank < 2) return (channels){.func = NULL};
  hash = hy_hash_bytes(hash, func->name, strlen(func->name));
  channels made = {func, hash, 2 + (int)(hash / 36 % 3), hash % 4 > 0, func->dims[0], fresh(w, 'v')};
  if (!made.bounded) made.channel = fresh(w, 'c');
  if (!made.bounded && !cut(w, &made, 0, made.channel, made.count)) return (channels){.func = NULL};
  if (!cut(w, &made, 1, made.vector, hash / 108 % 2 ? 8 : 4)) return (channels){.func = NULL};
  const hy_stmt *lanes = loop_of(w, func, made.vector);
  if (lanes && !made.bounded) apply(w, &(hy_directive){.type = &hy_directive_swap, .loop = lanes->loop.var});
  return made;
}

static void bound_channels(walker *w, const channels *made, const hy_directive_type *type, int64_t first,
                           int64_t second) {
  hy_directive d = {.type = type, .loc = w->tgt->alg->loc, .func = made->func, .dim = 0};
  d.args[0] = hy_expr_int(w->context, first);
  if (type == &hy_directive_bound) d.args[1] = hy_expr_int(w->context, second);
  apply(w, &d);
}

static void store_channels(walker *w, const channels *made) {
  uint64_t hash = made->hash / 216;
  if (!made->func) return;
  if (hash % 2) bound_channels(w, made, &hy_directive_fold_storage, made->count * (hash / 2 % 4 ? 1 : 2), 0);
  if (made->bounded) bound_channels(w, made, &hy_directive_bound, (int64_t)(hash / 8 % 4), made->count);
}

static void traverse_channels(walker *w, const channels *made) {
  const hy_stmt *lanes = made->func ? loop_of(w, made->func, made->vector) : NULL;
  if (!lanes) return;
  hy_directive d = {.type = &hy_directive_traverse, .loop = lanes->loop.var, .traversal = HY_VECTORIZED};
  if (!apply(w, &d)) return;
  const hy_stmt *channel = loop_of(w, made->func, made->channel);
  d = (hy_directive){.type = &hy_directive_traverse, .traversal = HY_UNROLLED};
  if (channel) d.loop = channel->loop.var;
  if (channel && apply(w, &d)) hy_forms_mark(&w->walk->forms, HY_FORM_CHANNELS);
}

/* -- sums in vectors -- */

// Of one pair in two that has a reduction which may be summed in vectors, and of whose func the schedule says nothing: as
// people write it. What is written so far says which, as above.
static void see_reduction(void *self, const hy_stmt *stmt) {
  const hy_stmt **found = self;
  bool is_one = stmt->kind == HY_STMT_FOR && !stmt->loop.is_pure && stmt->loop.var->stage > 0 && !stmt->loop.var->spec;
  if (is_one) *found = stmt;
}

static void sum_in_vectors(walker *w, const hy_tgt *lowered) {
  enum { EVERY = 2, MOST = 16 };
  uint64_t hash = hy_hash_bytes((uint64_t)lowered->func_count, w->out->data, w->out->length);
  const hy_stmt *loop = NULL;
  if (hash % EVERY == 0) hy_tree_visit(lowered->body, see_reduction, &loop);
  if (!loop || strstr(hy_text_string(w->out), loop->loop.var->func->name)) return;
  const hy_var *var = loop->loop.var;
  if (!hy_funcs_may_take_apart(w->context, lowered, var)) return;
  hy_text_printf(w->out, "  %s.update(%d).vectorize(%s, %d);\n", var->func->name, var->stage - 1, var->name,
                 1 + (int)(hash / EVERY % MOST));
  hy_forms_mark(&w->walk->forms, HY_FORM_VECTOR_SUM);
}

// Of one pair in four, as many people begin their schedules. What is written so far says which, as above.
static void inline_by_default(walker *w, const hy_tgt *lowered) {
  enum { EVERY = 4 };
  bool placed = false;
  uint64_t hash = hy_hash_bytes((uint64_t)lowered->func_count + 2, w->out->data, w->out->length);
  if (hash % EVERY || !hy_generate_default(w->context, lowered, w->out, &placed)) return;
  hy_forms_mark(&w->walk->forms, HY_FORM_DEFAULT_INLINE);
  if (placed) hy_forms_mark(&w->walk->forms, HY_FORM_DEFAULT_INNERMOST);
}

void hy_generate_schedule(hy_choices *choices, hy_context *context, const hy_tgt *lowered,
                          const hy_generate_options *options, hy_walk *walk, hy_text *out) {
  walker w = {.c = choices,
              .context = context,
              .tgt = lowered,
              .walk = walk,
              .out = out,
              .favourite = options->favourite,
              .neighbour = options->plugins ? options->neighbour : HY_NO_DIRECTIVE};
  bool plant = chance(&w, PERCENT_ILLEGAL), early = plant && chance(&w, 50);
  look(&w);
  walk_others(&w, HY_PHASE_FUNCS);
  walk_others(&w, HY_PHASE_INLINE);
  walk_specialize(&w);
  walk_others(&w, HY_PHASE_SPECIALIZE);
  walk_loops(&w);
  for (int i = 0; i < 4 && options->favourite == HY_OWN_DIRECTIVES && !walk->picked[HY_OWN_DIRECTIVES]; i++)
    try_plugin(&w); // on whatever loop takes it
  insist(&w);
  if (plant && early) plant_illegal(&w, true);
  if (!walk->planted) {
    channels made = cut_channels(&w);
    walk_sites(&w);
    walk_others(&w, HY_PHASE_COMPUTE);
    walk_others(&w, HY_PHASE_STORAGE);
    store_channels(&w, &made);
    walk_bounds(&w);
    walk_others(&w, HY_PHASE_BOUNDS);
    walk_others(&w, HY_PHASE_PLAN);
    traverse_channels(&w, &made);
    walk_traversals(&w);
    walk_strides(&w);
    walk_demands(&w);
    if (plant) plant_illegal(&w, false);
    if (!walk->planted) sum_in_vectors(&w, lowered);
    if (!walk->planted && walk->picked[hy_sched_number(&hy_directive_specialize)] &&
        hy_generate_spread(context, w.tgt, lowered, out)) {
      walk->picked[hy_sched_number(&hy_directive_compute_at)]++;
      hy_forms_mark(&walk->forms, HY_FORM_SPREAD);
    }
    if (!walk->planted) inline_by_default(&w, lowered);
  }
  hy_walk_measure(walk, w.tgt);
  hy_vec_free(&w.loops);
  hy_vec_free(&w.moved);
  hy_vec_free(&w.copied);
}
