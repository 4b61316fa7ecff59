#include "autosched/spell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- names of loops -- */

static bool is_taken(const hy_func_graph *g, int node, int stage, const char *name) {
  const hy_func_node *n = &g->nodes[node];
  for (int d = 0; d < n->func->rank; d++)
    if (strcmp(n->func->dims[d], name) == 0) return true;
  const hy_stage *s = n->stages[stage].stage;
  for (int r = 0; r < s->rdom_count; r++)
    if (strcmp(s->rdoms[r].var->name, name) == 0) return true;
  return false;
}

// "xi": the inner part of x, called otherwise where something else has that name.
static const char *inner_name(const hy_func_graph *g, int node, int stage, int dim, const char *suffix) {
  hy_arena *arena = hy_context_arena(g->context);
  const char *name = g->nodes[node].func->dims[dim];
  do name = hy_arena_printf(arena, "%s%s", name, suffix);
  while (is_taken(g, node, stage, name));
  return name;
}

static const char *loop_name(const hy_func_graph *g, int node, int stage, const hy_stage_choice *c, hy_loop_name loop) {
  bool inner = c->tile[loop.dim] > 1 && !loop.is_outer;
  return inner ? inner_name(g, node, stage, loop.dim, "i") : g->nodes[node].func->dims[loop.dim];
}

/* -- the calls of one stage -- */

typedef struct {
  const hy_func_graph *g;
  int node, stage;
  const hy_stage_choice *c;
  hy_text *out;
  int calls; // so far in this chain
} chain;

static void call(chain *s, const char *format, ...) HY_PRINTF(2, 3);
static void call(chain *s, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  size_t room = (size_t)vsnprintf(NULL, 0, format, args) + 1;
  char *text = hy_allocate(room);
  vsnprintf(text, room, format, again);
  va_end(again);
  va_end(args);
  hy_text_printf(s->out, "%s.%s", s->calls && s->calls % 4 == 0 ? "\n    " : "", text);
  hy_free(text);
  s->calls++;
}

static int tiled_count(const hy_stage_choice *c) {
  int count = 0;
  for (int i = 0; i < c->order_count; i++) count += c->tile[c->order[i]] > 1;
  return count;
}

static int rdoms_of(const chain *s) { return s->g->nodes[s->node].stages[s->stage].stage->rdom_count; }

// Is it what tile(x, y, xi, yi, ..) makes: two dimensions, both split, in their order, and no rdoms to be moved?
static bool is_tile(const chain *s) {
  const hy_stage_choice *c = s->c;
  return c->order_count == 2 && tiled_count(c) == 2 && c->order[0] < c->order[1] && !c->innermost && !rdoms_of(s);
}

static void spell_tile(chain *s) {
  const char *const *dims = s->g->nodes[s->node].func->dims;
  int x = s->c->order[0], y = s->c->order[1];
  call(s, "tile(%s, %s, %s, %s, %" PRId64 ", %" PRId64 ")", dims[x], dims[y],
       inner_name(s->g, s->node, s->stage, x, "i"), inner_name(s->g, s->node, s->stage, y, "i"), s->c->tile[x],
       s->c->tile[y]);
}

static void spell_splits(chain *s) {
  for (int d = 0; d < s->g->nodes[s->node].func->rank; d++) {
    if (s->c->tile[d] < 2 || !hy_choices_is_pure(s->g, s->node, s->stage, d)) continue;
    const char *dim = s->g->nodes[s->node].func->dims[d];
    call(s, "split(%s, %s, %s, %" PRId64 ")", dim, dim, inner_name(s->g, s->node, s->stage, d, "i"), s->c->tile[d]);
  }
}

// With rdoms the vectors' lanes go inside of them, so that a vector is summed up in a register.
static bool lanes_go_inside(const chain *s) { return s->c->vector >= 0 && rdoms_of(s) > 0; }

static const char *innermost_of(const chain *s, int dim) {
  return loop_name(s->g, s->node, s->stage, s->c, (hy_loop_name){dim, false});
}

// And so does what is unrolled: points beside each other, each with a register of its own.
static bool block_goes_inside(const chain *s) { return s->c->unroll >= 0 && rdoms_of(s) > 0; }

static const char *spell_apart(chain *s, int dim, int64_t count, const char *suffix) {
  const char *from = innermost_of(s, dim), *inside = inner_name(s->g, s->node, s->stage, dim, suffix);
  call(s, "split(%s, %s, %s, %" PRId64 ")", from, from, inside, count);
  return inside;
}

// As loops stand before anything is reordered: split ones side by side, the last dimension outermost.
static bool is_in_order(const chain *s, const hy_loop_name *loops, int count) {
  for (int i = 1; i < count; i++) {
    if (loops[i].dim > loops[i - 1].dim) return false;
    if (loops[i].dim == loops[i - 1].dim && loops[i].is_outer) return false;
  }
  return !lanes_go_inside(s) && !block_goes_inside(s);
}

// All loops, the innermost first: lanes, a block, rdoms, the others.
static void spell_reorder(chain *s, const char *lanes, const char *block) {
  hy_loop_name loops[HY_MOST_LOOPS];
  int count = hy_choices_loops(s->g, s->node, s->stage, s->c, loops);
  if (is_in_order(s, loops, count)) return;
  hy_text names = {0};
  if (lanes) hy_text_printf(&names, ", %s", lanes);
  if (block) hy_text_printf(&names, ", %s", block);
  const hy_stage *stage = s->g->nodes[s->node].stages[s->stage].stage;
  for (int r = 0; r < stage->rdom_count; r++) hy_text_printf(&names, ", %s", stage->rdoms[r].var->name);
  for (int i = count - 1; i >= 0; i--)
    hy_text_printf(&names, ", %s", loop_name(s->g, s->node, s->stage, s->c, loops[i]));
  call(s, "reorder(%s)", hy_text_string(&names) + 2);
  hy_text_free(&names);
}

static void spell_by(chain *s, const char *method, int dim, int64_t factor) {
  if (s->c->tile[dim] == factor)
    call(s, "%s(%s)", method, innermost_of(s, dim));
  else
    call(s, "%s(%s, %" PRId64 ")", method, innermost_of(s, dim), factor);
}

static void spell_parallel(chain *s) {
  hy_loop_name loops[HY_MOST_LOOPS];
  int count = hy_choices_loops(s->g, s->node, s->stage, s->c, loops);
  for (int i = 0; i < count && i < s->c->parallel; i++)
    call(s, "parallel(%s)", loop_name(s->g, s->node, s->stage, s->c, loops[i]));
}

static void spell_stage(chain *s) {
  const char *lanes = NULL, *block = NULL;
  if (is_tile(s))
    spell_tile(s);
  else {
    spell_splits(s);
    if (lanes_go_inside(s)) lanes = spell_apart(s, s->c->vector, hy_choices_summed(s->c), "v");
    if (block_goes_inside(s)) block = spell_apart(s, s->c->unroll, s->c->unrolled, "b");
    spell_reorder(s, lanes, block);
  }
  if (block)
    call(s, "unroll(%s)", block);
  else if (s->c->unroll >= 0)
    spell_by(s, "unroll", s->c->unroll, s->c->unrolled);
  if (lanes && s->c->vectors > 1)
    call(s, "vectorize(%s, %" PRId64 ").unroll(%s)", lanes, s->c->lanes, lanes);
  else if (lanes)
    call(s, "vectorize(%s)", lanes);
  else if (s->c->vector >= 0)
    spell_by(s, "vectorize", s->c->vector, s->c->lanes);
  spell_parallel(s);
}

/* -- a func -- */

static const char *site_name(const chain *s, const hy_choices_list *choices, int consumer, hy_loop_name site) {
  int last = s->g->nodes[consumer].stage_count - 1;
  return loop_name(s->g, consumer, last, &choices->funcs[consumer].stages[last], site);
}

// g.compute_at(h, x) means the stage of h that reads g: where that is none of several, the stage is named.
static bool names_stage(const hy_func_graph *g, const hy_choices_list *choices, int node) {
  const hy_func_choice *f = &choices->funcs[node];
  if (f->place != HY_PLACE_AT || f->slides) return false;
  int last = g->nodes[f->consumer].stage_count - 1;
  return last > 0 && !hy_graph_stage_reads(g, f->consumer, last, node);
}

static void spell_named_place(const chain *s, const hy_choices_list *choices, hy_text *out) {
  const hy_func_choice *f = &choices->funcs[s->node];
  const hy_func_node *n = &s->g->nodes[s->node], *consumer = &s->g->nodes[f->consumer];
  const char *site = site_name(s, choices, f->consumer, f->site);
  for (int k = 0; k < 2; k++)
    hy_text_printf(out, "  %s(%s, %s.s%d.%s);\n", k ? "store_at" : "compute_at", n->func->name, consumer->func->name,
                   consumer->stage_count - 1, site);
}

static void spell_place(chain *s, const hy_choices_list *choices) {
  const hy_func_choice *f = &choices->funcs[s->node];
  if (f->place == HY_PLACE_INLINE) call(s, "compute_inline()");
  if (f->place != HY_PLACE_AT || names_stage(s->g, choices, s->node)) return;
  const char *consumer = s->g->nodes[f->consumer].func->name, *site = site_name(s, choices, f->consumer, f->site);
  if (f->slides) call(s, "store_at(%s, %s)", consumer, site_name(s, choices, f->consumer, f->store));
  call(s, "compute_at(%s, %s)", consumer, site);
  if (f->slides) call(s, "slide(%s)", site);
  if (f->slides && f->fold_dim >= 0)
    call(s, "fold_storage(%s, %" PRId64 ")", s->g->nodes[s->node].func->dims[f->fold_dim], f->fold);
}

// The dense dimension first, the others as they are.
static void spell_storage(chain *s, int dense) {
  const hy_func *func = s->g->nodes[s->node].func;
  hy_text names = {0};
  if (!dense) return;
  hy_text_add(&names, func->dims[dense]);
  for (int d = 0; d < func->rank; d++)
    if (d != dense) hy_text_printf(&names, ", %s", func->dims[d]);
  call(s, "reorder_storage(%s)", hy_text_string(&names));
  hy_text_free(&names);
}

// "f.compute_at(g, x).vectorize(x, 16);": a line for the func, and one for each update.
static void spell_func(const hy_func_graph *g, const hy_choices_list *choices, int node, hy_text *out) {
  const hy_func_node *n = &g->nodes[node];
  bool inlined = choices->funcs[node].place == HY_PLACE_INLINE;
  for (int k = 0; k < n->stage_count && (k == 0 || !inlined); k++) {
    hy_text text = {0};
    chain s = {g, node, k, &choices->funcs[node].stages[k], &text, 0};
    if (k == 0) spell_place(&s, choices);
    if (k == 0 && names_stage(g, choices, node)) spell_named_place(&s, choices, out);
    if (k == 0 && !inlined) spell_storage(&s, choices->funcs[node].dense);
    if (!inlined) spell_stage(&s);
    if (s.calls && k)
      hy_text_printf(out, "  %s.update(%d)%s;\n", n->func->name, k - 1, hy_text_string(&text));
    else if (s.calls)
      hy_text_printf(out, "  %s%s;\n", n->func->name, hy_text_string(&text));
    hy_text_free(&text);
  }
}

void hy_spell(const hy_func_graph *g, const hy_choices_list *choices, const hy_spelling *spelling, hy_text *out) {
  hy_text_printf(out, "schedule %s for %s {\n", spelling->name, g->alg->name);
  if (spelling->given) hy_text_add(out, spelling->given);
  for (int n = g->count - 1; n >= g->first; n--)
    if (!spelling->left_out || !spelling->left_out[n]) spell_func(g, choices, n, out);
  hy_text_add(out, "}\n");
}
