// Metamorphic relations: changes of a pair that must not change its output.

#include "fuzz/judge/judge_internal.h"

#include "engines/evaluate.h"
#include "engines/generator.h"
#include "fuzz/change/chained.h"
#include "plugin/plugin.h"
#include "semantics/base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The pair as it is, and as it is changed.
typedef struct {
  hy_judging *g;
  uint64_t drawn; // numbers for choices, from the case
  hy_text alg, items;
  bool swaps; // of the chained spelling: swaps as well
} change;

static size_t draw(change *c, size_t below) { return (size_t)(hy_splitmix(c->g->c->seed, 900 + c->drawn++) % below); }

/* -- the changes; false where there is nothing to change -- */

static bool is_of_loop_phase(const hy_directive *directive) { return directive->type->phase <= HY_PHASE_LOOPS; }

// The program when the last directive of the loop phase has been applied.
static const hy_tgt *after_loops(const hy_pipeline *p) {
  int steps = 0;
  for (int i = 0; i < p->core_count; i++)
    if (is_of_loop_phase(&p->core[i])) steps = i + 1;
  return p->steps[steps];
}

typedef struct {
  const hy_stmt *loops[32];
  size_t count;
} loop_list;

static void list_loops(const hy_stmt *stmt, loop_list *list) {
  if (stmt->kind == HY_STMT_FOR && list->count < HY_COUNT(list->loops)) list->loops[list->count++] = stmt;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) list_loops(children[i], list);
}

static const hy_var *pick_loop(change *c) {
  loop_list list = {.count = 0};
  list_loops(after_loops(&c->g->pipeline)->body, &list);
  return list.count ? list.loops[draw(c, list.count)]->loop.var : NULL;
}

static void add_items(change *c) { hy_text_add(&c->items, c->g->c->items); }

static bool split_one(change *c) {
  const hy_var *loop = pick_loop(c);
  if (!loop) return false;
  add_items(c);
  hy_text_add(&c->items, "  split(");
  hy_var_print(loop, &c->items);
  hy_text_printf(&c->items, ", %s, e1, 1);\n", loop->name);
  return true;
}

static bool split_fuse(change *c) {
  const hy_var *loop = pick_loop(c);
  if (!loop) return false;
  add_items(c);
  hy_text_add(&c->items, "  split(");
  hy_var_print(loop, &c->items);
  hy_text_printf(&c->items, ", e1, e2, %d);\n  fuse(", (int)(1 + draw(c, 4)));
  hy_var_print(hy_var_loop(c->g->context, loop->func, loop->spec, loop->stage, hy_context_name_of(c->g->context, "e1")),
               &c->items);
  hy_text_add(&c->items, ", e2, e3);\n");
  return true;
}

// By a directive, before whatever the pair says, or by a chain behind it: the copy then has the same loops
// (SCH.Chain-Copies).
static bool specialize(change *c) {
  const hy_alg *alg = c->g->pipeline.alg;
  const hy_tgt *tgt = c->g->pipeline.steps[0];
  int p = 0;
  while (p < alg->param_count && alg->params[p]->type != HY_INT) p++;
  if (p == alg->param_count) return false;
  const char *func = tgt->funcs[draw(c, (size_t)tgt->func_count)]->name, *name = alg->params[p]->name;
  if (draw(c, 2) && hy_chained_print(c->g->context, &c->g->pipeline, true, &c->items)) {
    hy_text_printf(&c->items, "  %s.specialize(%s > -3000000000);\n", func, name);
    return true;
  }
  c->items.length = 0;
  hy_text_printf(&c->items, "  specialize(%s, %s > -3000000000);\n", func, name);
  add_items(c);
  return true;
}

static bool widen(change *c) {
  const hy_tgt *tgt = c->g->pipeline.steps[0];
  const hy_func *f = tgt->funcs[draw(c, (size_t)tgt->func_count)];
  if (!f->rank) return false;
  int modulus = (int)(2 + draw(c, 5));
  add_items(c);
  int remainder = (int)draw(c, (size_t)modulus);
  const char *dim = f->dims[draw(c, (size_t)f->rank)];
  hy_text_printf(&c->items, "  align_bounds(%s, %s, %d, %d);\n", f->name, dim, modulus, remainder);
  return true;
}

static bool identity(change *c) {
  const hy_func *out = c->g->pipeline.alg->output;
  if (!hy_alg_has_plain_output(c->g->pipeline.alg)) return false; // a func behind the output is no output itself
  const char *alg = c->g->c->alg, *end = strrchr(alg, '}');
  hy_text names = {0};
  for (int d = 0; d < out->rank; d++) hy_text_printf(&names, "%s%s", d ? ", " : "", out->dims[d]);
  hy_text_free(&c->alg);
  hy_text_add_bytes(&c->alg, alg, (size_t)(end - alg));
  hy_text_printf(&c->alg, "  fun same(%s) = %s", hy_text_string(&names), out->more ? "(" : "");
  for (int part = 0; part < hy_func_parts(out); part++) {
    hy_text_printf(&c->alg, "%s%s(%s)", part ? ", " : "", out->name, hy_text_string(&names));
    if (out->more) hy_text_printf(&c->alg, "[%d]", part);
  }
  hy_text_printf(&c->alg, "%s;\n}\n", out->more ? ")" : "");
  hy_text_free(&names);
  add_items(c);
  return true;
}

// The phases keep their order, and so do directives of one func: others of the loop phase change places.
static bool permute(change *c) {
  const hy_pipeline *p = &c->g->pipeline;
  size_t pairs = 0, which;
  for (int i = 0; i + 1 < p->core_count; i++) {
    const hy_directive *a = &p->core[i], *b = &p->core[i + 1];
    pairs += a->loop && b->loop && is_of_loop_phase(b) && a->loop->func != b->loop->func;
  }
  if (!pairs) return false;
  which = draw(c, pairs);
  for (int i = 0; i < p->core_count; i++) {
    const hy_directive *a = &p->core[i], *b = i + 1 < p->core_count ? &p->core[i + 1] : NULL;
    bool swap = b && a->loop && b->loop && is_of_loop_phase(b) && a->loop->func != b->loop->func && which-- == 0;
    hy_text_add(&c->items, "  ");
    hy_directive_print(swap ? b : a, &c->items);
    hy_text_add(&c->items, "\n");
    if (!swap) continue;
    hy_text_add(&c->items, "  ");
    hy_directive_print(a, &c->items);
    hy_text_add(&c->items, "\n");
    i++;
  }
  return true;
}

// How much of a name the generator gave: 0 = it did not, as of the image "in", which is a word of the grammar
// elsewhere. An inline reduction has its func's name and more: f0_sum.
static size_t count_ours(const char *name, size_t length) {
  static const char *const types[] = {"i8", "i16", "i32", "i64", "f16", "f32", "f64"}; // and f16_from_bits
  if (length == 1) return strchr("xyzcuvrqwnak", *name) != NULL;
  size_t end = 1 + strspn(name + 1, "0123456789");
  for (size_t i = 0; i < HY_COUNT(types); i++)
    if (strlen(types[i]) == end && memcmp(types[i], name, end) == 0) return 0;
  bool is_ours = strchr("foiteghjm", *name) && end > 1 && (end == length || (*name == 'f' && name[end] == '_'));
  return is_ours ? end : 0;
}

// Directives from outside the tree keep their names: they stand before a '('.
static bool is_called(const hy_plugins *plugins, const char *name, size_t length) {
  char copy[64];
  if (!plugins || name[length] != '(' || length >= sizeof copy) return false;
  memcpy(copy, name, length);
  copy[length] = 0;
  return hy_plugins_find(plugins, copy) != NULL;
}

// Of what follows a func's name, "_m1" of an inline reduction that the generator named: "_m1_".
static void add_reduction_renamed(hy_text *out, const char *rest, size_t length) {
  size_t end = length > 2 && rest[0] == '_' && rest[1] == 'm' ? 2 + strspn(rest + 2, "0123456789") : 0;
  bool is_named = end > 2 && (end == length || rest[end] == '_');
  hy_text_add_bytes(out, rest, is_named ? end : length);
  if (!is_named) return;
  hy_text_add(out, "_");
  hy_text_add_bytes(out, rest + end, length - end);
}

static void add_renamed(hy_text *out, const char *text, const hy_plugins *plugins) {
  for (size_t length; *text; text += length) {
    if (!isalpha((unsigned char)*text) && *text != '_') {
      length = isdigit((unsigned char)*text) ? strspn(text, "0123456789.e") : 1; // 1e30 is a number
      hy_text_add_bytes(out, text, length);
      continue;
    }
    for (length = 1; isalnum((unsigned char)text[length]) || text[length] == '_';) length++;
    size_t ours = is_called(plugins, text, length) ? 0 : count_ours(text, length);
    hy_text_add_bytes(out, text, ours);
    if (ours) hy_text_add(out, "_");
    add_reduction_renamed(out, text + ours, length - ours);
  }
}

static bool rename_all(change *c) {
  hy_text_free(&c->alg);
  add_renamed(&c->alg, c->g->c->alg, NULL);
  add_renamed(&c->items, c->g->c->items, c->g->c->plugins);
  return true;
}

static bool make(change *c) {
  hy_text_add(&c->alg, c->g->c->alg);
  hy_text_add(&c->items, "");
  switch (c->g->c->relation) {
  case HY_RELATION_NONE: return false;
  case HY_RELATION_IDENTITY: return identity(c);
  case HY_RELATION_PERMUTE: return permute(c);
  case HY_RELATION_SPLIT_ONE: return split_one(c);
  case HY_RELATION_SPLIT_FUSE: return split_fuse(c);
  case HY_RELATION_SPECIALIZE: return specialize(c);
  case HY_RELATION_RENAME: return rename_all(c);
  case HY_RELATION_WIDEN: return widen(c);
  case HY_RELATION_CHAINED: return hy_chained_print(c->g->context, &c->g->pipeline, c->swaps, &c->items);
  }
  HY_UNREACHABLE();
}

/* -- what must hold -- */

// The changed pair means the same program with holes, and not only the same values. (The summands of a fill stand in
// the order in which their variables were made.)
static bool is_same_program(hy_case_relation relation) {
  return relation == HY_RELATION_PERMUTE || relation == HY_RELATION_RENAME || relation == HY_RELATION_CHAINED;
}

static void add_without_underscores(hy_text *out, const hy_tgt *tgt) {
  hy_text text = {0};
  hy_tgt_print(tgt, &text);
  for (const char *at = hy_text_string(&text); *at; at++)
    if (*at != '_') hy_text_add_bytes(out, at, 1);
  hy_text_free(&text);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// The statements of a program without its entry, and before them all its lines in the order of the alphabet: checks at
// entry stand in the order of the directives that ask for them.
static void add_regardless_of_entry(hy_text *out, const hy_tgt *tgt) {
  hy_text whole = {0};
  HY_VEC(char *) lines = {0};
  add_without_underscores(&whole, tgt);
  char *rest = whole.data, *line;
  while ((line = strtok_r(rest, "\n", &rest))) hy_vec_push(&lines, line);
  if (lines.count) qsort(lines.data, lines.count, sizeof *lines.data, by_text);
  for (size_t i = 0; i < lines.count; i++) hy_text_printf(out, "%s\n", lines.data[i]);
  hy_tgt body = *tgt;
  body.entry_count = 0;
  add_without_underscores(out, &body);
  hy_vec_free(&lines);
  hy_text_free(&whole);
}

static bool equal_programs(const hy_tgt *a, const hy_tgt *b) {
  hy_text texts[2] = {{0}, {0}};
  add_regardless_of_entry(&texts[0], a);
  add_regardless_of_entry(&texts[1], b);
  bool equal = strcmp(hy_text_string(&texts[0]), hy_text_string(&texts[1])) == 0;
  hy_text_free(&texts[0]);
  hy_text_free(&texts[1]);
  return equal;
}

// What the text says: a chain slides by itself (SCH.Slides), directives alone do not.
static const hy_tgt *written(const hy_pipeline *p) { return p->steps[p->written_count]; }

static void run_changed(hy_judging *g, hy_pipeline *changed, const char *rule, const hy_buffer *want) {
  hy_judgement before = *g->j;
  bool refuted;
  if (hy_entry_failure(changed->filled, &g->input)) return;
  hy_outcome got = hy_engine_tgt(g->context, changed->filled, &g->input, g->c->seed | 1, HY_RUN_STEPS);
  g->j->related = got.status == HY_RAN;
  hy_judging_compare(g, HY_FOUND_UNRELATED, rule, rule, want, &got);
  hy_outcome_free(&got);
  bool broke = g->j->found != before.found;
  if (broke && hy_judging_open_fold(g->context, changed->filled, &refuted))
    *g->j = before; // a wider box may not fit its fold
}

static void report_refused(hy_judging *g, const change *c, const char *rule, const hy_diagnostics *said) {
  hy_text text = {0};
  hy_text_printf(&text, "the changed pair is refused: %s\n%s",
                 hy_diagnostics_count(said) ? hy_diagnostics_at(said, 0)->message : "", hy_text_string(&c->items));
  hy_judging_find(g, HY_FOUND_UNRELATED, rule, hy_text_string(&text));
  hy_text_free(&text);
}

// False: it is refused.
static bool judge_changed(hy_judging *g, const change *c, const hy_buffer *want) {
  const char *rule = hy_case_relation_name(g->c->relation);
  hy_source sources[2] = {{0}};
  hy_pipeline changed;
  hy_diagnostics *said = hy_diagnostics_new();
  bool good = hy_judging_parse(g->context, hy_text_string(&c->alg), hy_text_string(&c->items), sources, &changed, said);
  good = good && hy_pipeline_schedule(&changed, said);
  bool filled = good && hy_pipeline_fill(&changed, said);
  if (filled && is_same_program(g->c->relation) && !equal_programs(written(&g->pipeline), written(&changed)))
    hy_judging_find(g, HY_FOUND_UNRELATED, rule, "the two target programs differ");
  else if (filled)
    run_changed(g, &changed, rule, want);
  else if (!c->swaps && is_same_program(g->c->relation))
    report_refused(g, c, rule, said);
  hy_diagnostics_free(said);
  free((char *)sources[1].text);
  return good && filled;
}

void hy_judging_relate(hy_judging *g, const hy_buffer *want) {
  change c = {.g = g, .swaps = g->c->relation == HY_RELATION_CHAINED};
  bool good = make(&c) && judge_changed(g, &c, want);
  if (!good && c.swaps) { // "reorder" takes loops of one nest, "swap" those below a let as well
    hy_text_free(&c.alg);
    hy_text_free(&c.items);
    c.swaps = false;
    if (make(&c)) judge_changed(g, &c, want);
  }
  hy_text_free(&c.alg);
  hy_text_free(&c.items);
}
