// What may stand at a place of a schedule.

#include "lsp/complete.h"

#include "lsp/words.h"
#include "sched/sched.h"

#include <string.h>

/* -- where -- */

static bool is(const hy_completing *c, int token, const char *text) { return hy_outline_is(c->outline, token, text); }

static bool begins_item(const hy_completing *c, int token) {
  return is(c, token - 1, "{") || is(c, token - 1, "}") || is(c, token - 1, ";");
}

static int item_of(const hy_completing *c, int token) {
  while (token > 0 && !begins_item(c, token)) token--;
  return token;
}

/* -- funcs -- */

static void add_func(hy_completing *c, const hy_func *func) {
  hy_text detail = {0};
  hy_text_add(&detail, func->is_image ? "image of " : "");
  for (int i = 0; i < hy_func_parts(func); i++)
    hy_text_printf(&detail, "%s%s", i ? ", " : "", hy_type_name(hy_func_type(func, i)));
  for (int d = 0; d < func->rank && !func->is_image; d++)
    hy_text_printf(&detail, "%s%s", d ? ", " : " (", func->dims[d]);
  if (func->rank && !func->is_image) hy_text_add(&detail, ")");
  hy_complete_add(c, HY_ITEM_FUNCTION, func->name, hy_text_string(&detail));
  hy_text_free(&detail);
}

static void add_funcs(hy_completing *c, const hy_lsp_program *p) {
  const hy_tgt *tgt = hy_program_last(p);
  for (int i = 0; tgt && i < tgt->func_count; i++) add_func(c, tgt->funcs[i]);
  for (int i = 0; p->alg && !tgt && i < p->alg->definition_count; i++) add_func(c, p->alg->definitions[i].func);
}

static void add_images(hy_completing *c, const hy_lsp_program *p) {
  for (int i = 0; p->alg && i < p->alg->image_count; i++) add_func(c, p->alg->images[i]);
}

/* -- calls -- */

static void add_standing_alone(hy_completing *c) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++) hy_complete_add(c, HY_ITEM_METHOD, all[i]->name, all[i]->form);
}

static void add_methods(hy_completing *c) {
  int count;
  const char *name, *form, *summary;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; (name = hy_sched_method(i, &form, &summary)); i++) hy_complete_add(c, HY_ITEM_METHOD, name, form);
  for (int i = 0; i < count; i++)
    if (all[i]->in_chain) hy_complete_add(c, HY_ITEM_METHOD, all[i]->name, all[i]->in_chain);
}

/* -- loops -- */

typedef struct {
  hy_completing *completing;
  const hy_complete_place *place;
  const hy_func *func;
  int stage;        // -1: of all
  int branch;       // a specialization of that stage; 0: the general case
  const char *call; // "parallel": only those of which that is legal; NULL: all
} loop_list;

static bool needs_trial(const char *call) {
  static const char *const words[] = {"parallel", "vectorize", "unroll"};
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strcmp(call, words[i]) == 0) return true;
  return false;
}

static void add_loop(hy_completing *c, const hy_stmt *loop, const char *label) {
  hy_text detail = {0};
  hy_var_print(loop->loop.var, &detail);
  if (loop->loop.traversal != HY_SERIAL) hy_text_printf(&detail, ", %s", hy_traversal_name(loop->loop.traversal));
  hy_complete_add(c, HY_ITEM_VARIABLE, label, hy_text_string(&detail));
  hy_text_free(&detail);
}

// Is it an argument of the call already? A loop is reordered once.
static bool is_named(const loop_list *l, const char *name) {
  const hy_completing *c = l->completing;
  int from, to;
  if (l->stage < 0) return false;
  for (int i = 0; hy_chain_argument(c->chains, l->place->call, i, &from, &to); i++)
    if (to - from == 1 && from != c->token && is(c, from, name)) return true;
  return false;
}

// Is the call legal with that loop, as it is or with a factor, which may follow?
static bool takes_loop(const loop_list *l, const hy_var *var) {
  static const char *const more[] = {"", ", 8"};
  bool is_legal = !l->call;
  for (size_t i = 0; i < HY_COUNT(more) && !is_legal; i++) {
    hy_text text = {0};
    hy_text_printf(&text, "%s(%s%s)", l->call, var->name, more[i]);
    is_legal = hy_complete_tries(l->completing, l->place, hy_text_string(&text));
    hy_text_free(&text);
  }
  return is_legal;
}

static void see_loop(void *self, const hy_stmt *loop) {
  const loop_list *l = self;
  const hy_var *var = loop->loop.var;
  bool is_other = l->stage >= 0 && (var->stage != l->stage || (int)var->spec != l->branch);
  if (var->func != l->func || is_other || is_named(l, var->name)) return;
  hy_text text = {0};
  if (l->stage < 0 && var->spec) hy_text_printf(&text, "z%d.", (int)var->spec);
  if (l->stage < 0 && (var->stage || var->spec)) hy_text_printf(&text, "s%d.", var->stage);
  hy_text_add(&text, var->name);
  if (takes_loop(l, var)) add_loop(l->completing, loop, hy_text_string(&text));
  hy_text_free(&text);
}

static void add_loops(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program, const char *call) {
  int stage;
  const hy_func *func = hy_complete_func(c, p, program, &stage);
  bool in_chain = p->point != HY_NO_TOKEN;
  int branch = in_chain ? hy_complete_branch(c, p, program) : 0;
  loop_list list = {c, p, func, in_chain ? stage : -1, branch, in_chain && needs_trial(call) ? call : NULL};
  if (func) hy_program_loops(hy_program_last(program)->body, see_loop, &list);
}

// Where it may be computed, in one loop or in that of every specialization.
static const hy_stmt **computing_sites(const hy_tgt *tgt, const hy_func *func, size_t *count) {
  const hy_stmt **sites = hy_sched_sites(tgt, &hy_directive_compute_at, func, count);
  if (*count) return sites;
  hy_free(sites);
  return hy_sched_spread_sites(tgt, func, count);
}

// Of a storage whose computation was not moved yet: those of the computation, which may follow.
static const hy_stmt **sites_of(const hy_tgt *tgt, const hy_func *func, bool stores, size_t *count) {
  if (!stores) return computing_sites(tgt, func, count);
  const hy_stmt **sites = hy_sched_sites(tgt, &hy_directive_store_at, func, count);
  if (*count) return sites;
  hy_free(sites);
  return computing_sites(tgt, func, count);
}

static bool is_turn_around(const hy_completing *c, const hy_outline_name *name) {
  return name->kind == HY_NAMES_TURN && name->from < c->token && c->token <= name->to;
}

// Is the place in a "for", where one statement speaks of several funcs?
static bool is_in_turns(const hy_completing *c) {
  for (size_t i = 0; i < c->outline->names.count; i++)
    if (is_turn_around(c, &c->outline->names.data[i])) return true;
  return false;
}

// Is the schedule legal with that site? The final program has rules of its own: no func is stored outside of a parallel
// loop and computed in it, or is moved twice. The other of the two moves may follow, but of a chain's compute_at, which
// stores there, too.
static bool takes_site(hy_completing *c, const hy_complete_place *p, const hy_func *moved, const hy_var *loop) {
  bool in_chain = p->point != HY_NO_TOKEN, stores = is(c, p->call->name, "store_at");
  const char *word = stores ? "store_at" : "compute_at", *other = stores ? "compute_at" : "store_at";
  hy_text site = {0}, call = {0};
  if (in_chain)
    hy_text_printf(&site, "(%s, %s)", loop->func->name, loop->name);
  else
    hy_text_printf(&site, "(%s, ", moved->name), hy_var_print(loop, &site), hy_text_add(&site, ")");
  hy_text_printf(&call, "%s%s", word, hy_text_string(&site));
  bool takes = hy_complete_tries_around(c, p, hy_text_string(&call));
  hy_text_printf(&call, "%s%s%s", in_chain ? "." : "; ", other, hy_text_string(&site));
  if (!takes && (stores || !in_chain)) takes = hy_complete_tries_around(c, p, hy_text_string(&call));
  hy_text_free(&site);
  hy_text_free(&call);
  return takes;
}

// Where the func may be computed, or stored: "func" NULL: all of them, as paths.
static void add_sites(hy_completing *c, const hy_complete_place *p, const char *func, bool names_func) {
  hy_lsp_program program;
  int stage;
  size_t count;
  hy_complete_program(c, p, HY_PART_WITHOUT, &program);
  const hy_func *moved = hy_complete_func(c, p, &program, &stage);
  const hy_tgt *tgt = hy_program_last(&program);
  if (!moved || hy_tgt_position(tgt, moved) < 0 || hy_alg_output(tgt->alg, moved)) return;
  const hy_stmt **sites = sites_of(tgt, moved, is(c, p->call->name, "store_at"), &count);
  bool is_tried = !is_in_turns(c) && hy_complete_tries_around(c, p, NULL); // else what is wrong is somewhere else
  const hy_func *added = NULL;
  for (size_t i = 0; i < count; i++) {
    const hy_var *var = sites[i]->loop.var;
    bool is_wanted = names_func ? var->func != added : !func || strcmp(var->func->name, func) == 0;
    if (!is_wanted || (is_tried && !takes_site(c, p, moved, var))) continue;
    hy_text path = {0};
    hy_var_print(var, &path);
    if (names_func)
      add_func(c, added = var->func);
    else
      add_loop(c, sites[i], func ? var->name : hy_text_string(&path));
    hy_text_free(&path);
  }
  hy_free(sites);
}

/* -- arguments -- */

static void add_words(hy_completing *c, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    hy_lsp_word word;
    bool known = hy_words_find(words[i], &word);
    hy_complete_add(c, HY_ITEM_MEMBER, words[i], known ? hy_text_string(&word.meaning) : NULL);
    if (known) hy_words_free(&word);
  }
}

static void add_startup(hy_completing *c, const hy_lsp_program *p) {
  if (is(c, c->token - 1, ".")) {
    const char *name;
    hy_text form = {0}, meaning = {0};
    for (size_t i = 0; hy_words_member(i, &name, &form, &meaning); i++) {
      hy_complete_add(c, HY_ITEM_PROPERTY, name, hy_text_string(&form));
      form.length = meaning.length = 0;
    }
    return;
  }
  for (size_t i = c->outline->names.count; i-- > 0;) {
    const hy_outline_name *name = &c->outline->names.data[i];
    if (is_turn_around(c, name)) hy_complete_add(c, HY_ITEM_VARIABLE, name->text, "for");
  }
  for (int i = 0; p->alg && i < p->alg->param_count; i++)
    hy_complete_add(c, HY_ITEM_VARIABLE, p->alg->params[i]->name, hy_type_name(p->alg->params[i]->type));
  add_images(c, p);
}

static void add_dimensions(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program) {
  int stage;
  const hy_func *func = hy_complete_func(c, p, program, &stage);
  for (int d = 0; func && d < func->rank; d++) hy_complete_add(c, HY_ITEM_VARIABLE, func->dims[d], "dimension");
}

// A site: behind "g." a loop of g; behind a func in a chain its loops; else paths.
static void complete_site(hy_completing *c, const hy_complete_place *p, int place) {
  int from, to;
  if (is(c, c->token - 1, ".")) {
    add_sites(c, p, hy_outline_text(c->outline, c->token - 2), false);
  } else if (p->point != HY_NO_TOKEN) {
    if (hy_chain_argument(c->chains, p->call, place - 1, &from, &to))
      add_sites(c, p, hy_chain_func_at(c->reading.context, c->outline, from), false);
  } else {
    add_sites(c, p, NULL, false);
    add_words(c, (const char *const[]){"root"}, 1);
  }
}

// Those that an in(g) or clone_in(g) may speak of.
static void add_readers(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program) {
  const hy_tgt *tgt = hy_program_last(program);
  for (int i = 0; tgt && i < tgt->func_count; i++) {
    hy_text call = {0};
    hy_text_printf(&call, "%s(%s)", hy_outline_text(c->outline, p->call->name), tgt->funcs[i]->name);
    if (hy_complete_tries(c, p, hy_text_string(&call))) add_func(c, tgt->funcs[i]);
    hy_text_free(&call);
  }
}

// f: in a chain's compute_at one of those that it may be computed in; the readers of an in; alone any.
static void complete_func(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program) {
  bool moves = p->point != HY_NO_TOKEN && (is(c, p->call->name, "compute_at") || is(c, p->call->name, "store_at"));
  if (moves) {
    add_sites(c, p, NULL, true);
    return;
  }
  if (p->point != HY_NO_TOKEN) {
    add_readers(c, p, program);
    return;
  }
  add_funcs(c, program);
  static const char *const of_images[] = {"wrap", "set_stride", "require_stride", "set_host_alignment"};
  for (size_t i = 0; i < HY_COUNT(of_images); i++)
    if (is(c, p->call->name, of_images[i])) add_images(c, program);
}

static void complete_loop(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program) {
  bool in_path = is(c, c->token - 1, ".");
  if (p->point != HY_NO_TOKEN || in_path)
    add_loops(c, p, program, hy_outline_text(c->outline, p->call->name));
  else
    add_funcs(c, program);
}

static void complete_argument(hy_completing *c, const hy_complete_place *p, int place) {
  static const char *const tails[] = {"guard", "round", "shift"}, *const stores[] = {"stack", "heap"};
  static const char *const traversals[] = {"serial", "parallel", "vectorized", "unrolled"};
  hy_lsp_program before;
  hy_complete_program(c, p, HY_PART_BEFORE, &before);
  hy_chain_slot slot = hy_chain_slot_of(hy_outline_text(c->outline, p->call->name), p->point != HY_NO_TOKEN, place,
                                        hy_chain_count(c->chains, p->call));
  switch (slot) {
  case HY_SLOT_NONE:
  case HY_SLOT_NEW_LOOP:
  case HY_SLOT_NEW_FUNC: return;
  case HY_SLOT_LOOP: complete_loop(c, p, &before); return;
  case HY_SLOT_SITE: complete_site(c, p, place); return;
  case HY_SLOT_FUNC: complete_func(c, p, &before); return;
  case HY_SLOT_DIMENSION: add_dimensions(c, p, &before); return;
  case HY_SLOT_TAIL: add_words(c, tails, HY_COUNT(tails)); return;
  case HY_SLOT_TRAVERSAL: add_words(c, traversals, HY_COUNT(traversals)); return;
  case HY_SLOT_STORE: add_words(c, stores, HY_COUNT(stores)); return;
  case HY_SLOT_EXPR: add_startup(c, &before); return;
  }
  HY_UNREACHABLE();
}

/* -- the whole -- */

static void complete_head(hy_completing *c) {
  const hy_outline *o = c->outline;
  bool behind_for = is(c, c->token - 1, "for") && is(c, c->token - 3, "schedule");
  if (behind_for)
    hy_reading_pipelines(&c->reading, c->list);
  else if (is(c, c->token - 2, "schedule"))
    hy_complete_add(c, HY_ITEM_WORD, "for", "schedule NAME for PIPELINE { ... }");
  else if (!is(c, c->token - 1, "schedule") && (c->token == 0 || o->count == 0 || is(c, c->token - 1, "}")))
    hy_complete_add(c, HY_ITEM_WORD, "schedule", "schedule NAME for PIPELINE { ... }");
}

static void complete_item(hy_completing *c, int schedule) {
  hy_complete_place place = {NULL, c->token, HY_NO_TOKEN, c->token, schedule};
  hy_lsp_program before;
  hy_complete_program(c, &place, HY_PART_BEFORE, &before);
  add_funcs(c, &before);
  add_images(c, &before);
  add_standing_alone(c);
  hy_complete_add(c, HY_ITEM_WORD, "for", "for k in 0..7 { ... }");
  hy_complete_add(c, HY_ITEM_WORD, "if", "if k < 7 ... else ...");
  if (is(c, c->token - 1, "{") && c->token - 5 == schedule - 1)
    hy_complete_add(c, HY_ITEM_WORD, "default", "default inline;");
}

// Is the token inside of the braces of that schedule?
static bool is_inside(const hy_completing *c, int schedule) {
  const hy_outline *o = c->outline;
  int brace = schedule;
  while (brace < o->count && brace < c->token && !is(c, brace, "{")) brace++;
  return brace < c->token && is(c, brace, "{") && o->match[brace] >= c->token;
}

void hy_complete_schedule(hy_completing *c) {
  int schedule = hy_sense_schedule(c->outline, c->token - 1), at;
  c->chains = hy_reading_chains(&c->reading, c->reading.own);
  if (schedule == HY_NO_TOKEN || !is_inside(c, schedule)) {
    complete_head(c);
    return;
  }
  const hy_chain_call *call = hy_chain_at(c->chains, c->token, &at);
  if (call) {
    bool in_chain = call->func != HY_NO_TOKEN;
    int end = is(c, call->close, ")") ? call->close + 1 : call->close;
    complete_argument(c, &(hy_complete_place){call, call->item, in_chain ? call->name - 1 : HY_NO_TOKEN, end, schedule},
                      at);
  } else if (is(c, c->token - 1, ".")) {
    add_methods(c);
  } else if (item_of(c, c->token) == c->token) {
    complete_item(c, schedule);
  }
}
