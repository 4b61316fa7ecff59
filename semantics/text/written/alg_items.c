/* The items of a pipeline, written out: a list of funcs, and constants and helpers between them.
 *
 *   for k in 1..2 fun g[k](x) = g[k - 1](2*x) + k;
 *
 *   fun g_1(x) = g_0(2*x) + 1;
 *   fun g_2(x) = g_1(2*x) + 2;
 *
 * Of "if c { .. } else { .. }" one block stays; the other is not looked at. Every place stays that of what is written,
 * so that what is wrong with all members of a family is wrong at one place (alg_build.c tells it once).
 */

#include "semantics/text/alg_internal.h"

#include <string.h>

typedef struct {
  const hy_written_pipeline *written;
  hy_context *context;
  hy_arena *arena;
  hy_diagnostics *diagnostics;
  hy_writer writer;
  hy_intern *names;    // of the pipeline, but for members
  hy_intern *families; // their names
  HY_VEC(hy_written_func) funcs;
  HY_VEC(hy_written_named) named;
  HY_VEC(hy_written_requirement) requirements;
} items;

/* -- names -- */

static bool same_name(const void *a, const void *b) { return a == b; }
static uint64_t name_hash(const char *name) { return hy_hash(1, (uint64_t)(uintptr_t)name); }

static bool has_name(const hy_intern *set, const char *name) { return hy_intern_find(set, name_hash(name), name); }

static void add_name(hy_intern *set, const char *name) {
  if (!has_name(set, name)) hy_intern_add(set, name_hash(name), name);
}

// A reduction with a name, in a member, has members, too.
static void add_reductions(items *t, const hy_syntax *syntax) {
  if (!syntax || !syntax->has_reduction) return;
  if (syntax->kind == HY_SYNTAX_REDUCTION && syntax->reduction->name.text)
    add_name(t->families, syntax->reduction->name.text);
  for (int i = 0; i < syntax->count; i++) add_reductions(t, syntax->args[i]);
}

static void add_func(items *t, const hy_written_func *func) {
  add_name(func->index_count ? t->families : t->names, func->name.text);
  for (int j = 0; func->index_count && j < func->stage_count; j++) {
    const hy_written_stage *stage = &func->stages[j];
    for (int d = 0; d < stage->lhs_count; d++) add_reductions(t, stage->lhs[d]);
    add_reductions(t, stage->rhs);
    add_reductions(t, stage->predicate);
  }
}

static void add_names(items *t, hy_written_items list) {
  for (int i = 0; i < list.count; i++) {
    const hy_written_item *item = &list.list[i];
    if (item->kind == HY_ITEM_FUNC) add_func(t, item->func);
    if (item->kind == HY_ITEM_NAMED) add_name(t->names, item->named->name.text);
    add_names(t, item->body);
    add_names(t, item->otherwise);
  }
}

static bool is_family(void *self, const char *name) { return has_name(((const items *)self)->families, name); }

static bool is_helper(void *self, const char *name) {
  const items *t = self;
  for (size_t i = 0; i < t->named.count; i++)
    if (t->named.data[i].name.text == name) return t->named.data[i].is_helper;
  return false;
}

static const char *param_is(const items *t, const char *name) {
  for (int i = 0; i < t->written->param_count; i++)
    if (t->written->params[i].name.text == name) return t->written->params[i].is_image ? "an image" : "a parameter";
  return NULL;
}

static const char *name_is(void *self, const char *name) {
  const items *t = self;
  const char *param = param_is(t, name);
  if (param) return param;
  return has_name(t->families, name) ? "a family of funcs"
         : has_name(t->names, name)  ? "defined by the pipeline"
                                     : NULL;
}

/* -- funcs -- */

static bool write_names(items *t, const hy_written_name *names, int count) {
  bool good = true;
  for (int i = 0; i < count; i++) good &= hy_writer_declare(&t->writer, &names[i]);
  return good;
}

static bool write_stage(items *t, hy_written_stage stage, hy_written_stage *out) {
  hy_writer *w = &t->writer;
  *out = stage;
  const hy_syntax **lhs = HY_NEW_ARRAY(t->arena, const hy_syntax *, stage.lhs_count);
  bool good = hy_write_out_rdoms(w, stage.rdoms, stage.rdom_count, &out->rdoms);
  for (int d = 0; d < stage.lhs_count; d++) good &= (lhs[d] = hy_write_out(w, stage.lhs[d])) != NULL;
  if (stage.lhs) out->lhs = lhs;
  good &= (out->rhs = hy_write_out(w, stage.rhs)) != NULL;
  if (stage.predicate) good &= (out->predicate = hy_write_out(w, stage.predicate)) != NULL;
  return good;
}

// "fun f[x, y] = e": what to write where x and y are no numbers; NULL: the usual
static const char *help_of_brackets(items *t, const hy_written_func *func) {
  const char *names = "";
  for (int i = 0; i < func->index_count; i++) {
    if (!func->is_short || func->indices[i]->kind != HY_SYNTAX_NAME) return NULL;
    names = hy_arena_printf(t->arena, "%s%s%s", names, i ? ", " : "", func->indices[i]->text);
  }
  return hy_arena_printf(t->arena, "write fun %s(%s): in brackets stand the numbers of a member of a family",
                         func->name.text, names);
}

// ALG.Expand.Family: the name of a func that stands in "for" has its numbers
static bool write_func_name(items *t, const hy_written_func *func, hy_written_func *out) {
  if (func->index_count) {
    hy_context_hit(t->context, HY_RULE_ALG_EXPAND_FAMILY);
    out->family = func->name.text;
    t->writer.help = help_of_brackets(t, func);
    out->name.text = hy_writer_member(&t->writer, func->name.text, func->indices, func->index_count);
    t->writer.help = NULL;
    return out->name.text != NULL;
  }
  if (!t->writer.turns.count) return true;
  const char *turn = hy_vec_last(&t->writer.turns).name;
  hy_report(t->diagnostics, HY_E_FAMILY, func->name.loc, "ALG.Expand.Family",
            hy_arena_printf(t->arena, "write fun %s[%s]", func->name.text, turn),
            "'%s' stands in a 'for' and has no number", func->name.text);
  return false;
}

static bool write_func(items *t, const hy_written_func *func) {
  if (t->funcs.count >= HY_MAX_FUNCS) {
    t->writer.is_full = true;
    hy_report(t->diagnostics, HY_E_TOO_MANY, func->name.loc, NULL,
              "this is a limit of the implementation: divide the program",
              "Halyard takes at most %d funcs in a pipeline", HY_MAX_FUNCS);
    return false;
  }
  hy_written_func out = *func;
  hy_written_stage *stages = HY_NEW_ARRAY(t->arena, hy_written_stage, func->stage_count);
  bool good = write_func_name(t, func, &out) && write_names(t, func->dims, func->rank);
  for (int j = 0; good && j < func->stage_count; j++) good = write_stage(t, func->stages[j], &stages[j]);
  out.stages = stages;
  if (good) hy_vec_push(&t->funcs, out);
  return good;
}

/* -- constants and helpers -- */

static bool write_named(items *t, const hy_written_named *named) {
  if (t->writer.turns.count) {
    hy_report(t->diagnostics, HY_E_FAMILY, named->name.loc, NULL,
              "write it above; a helper may take the number of a member as an argument: def h(k, e) = e * k;",
              "'%s' stands in a 'for', where only funcs do", named->name.text);
    return false;
  }
  if (t->named.count >= HY_MAX_NAMED) {
    t->writer.is_full = true;
    hy_report(t->diagnostics, HY_E_TOO_MANY, named->name.loc, NULL,
              "this is a limit of the implementation: divide the program",
              "Halyard takes at most %d constants and helpers in a pipeline", HY_MAX_NAMED);
    return false;
  }
  hy_writer *w = &t->writer;
  hy_written_named out = *named;
  out.before = (int)t->funcs.count;
  w->is_open = named->is_helper;
  for (int i = 0; i < named->param_count; i++) hy_vec_push(&w->open, named->params[i].text);
  out.value = hy_write_out(w, named->value);
  w->is_open = false;
  w->open.count = 0;
  if (!out.value) return false;
  hy_vec_push(&t->named, out);
  if (!named->is_helper) hy_writer_add_constant(w, named->name.text, out.value);
  return true;
}

/* -- what is required -- */

static bool write_requirement(items *t, const hy_written_item *item) {
  if (t->requirements.count >= HY_MAX_NAMED) {
    t->writer.is_full = true;
    hy_report(t->diagnostics, HY_E_TOO_MANY, item->loc, NULL,
              "this is a limit of the implementation: join them with &&",
              "Halyard takes at most %d requirements in a pipeline", HY_MAX_NAMED);
    return false;
  }
  hy_written_requirement out = {item->loc, hy_write_out(&t->writer, item->condition), (int)t->named.count};
  if (!out.condition) return false;
  hy_vec_push(&t->requirements, out);
  return true;
}

/* -- for, if -- */

static bool write_items(items *t, hy_written_items list);

static bool declare_turn(items *t, const hy_written_name *name) {
  const char *taken = name_is(t, name->text);
  if (hy_is_reserved_word(name->text)) {
    hy_report(t->diagnostics, HY_E_RESERVED_WORD, name->loc, NULL, "choose another name",
              "'%s' is a word of the language and cannot name what a 'for' counts", name->text);
    return false;
  }
  if (!taken) return hy_writer_declare(&t->writer, name);
  hy_report(t->diagnostics, HY_E_SHADOWED, name->loc, "a name in scope may not be shadowed", "choose another name",
            "'%s' is %s already", name->text, taken);
  return false;
}

// ALG.Expand.For: in the order of the range, up or down, so that each member may read those before it
static bool write_for(items *t, const hy_written_item *item) {
  int64_t k, last;
  int step;
  size_t turns, around = t->writer.around;
  if (!declare_turn(t, &item->range.name) || !hy_writer_range(&t->writer, &item->range, &k, &last, &step, &turns))
    return false;
  hy_context_hit(t->context, HY_RULE_ALG_EXPAND_FOR);
  t->writer.around = turns;
  for (;; k += step) {
    hy_vec_push(&t->writer.turns, (hy_turn){item->range.name.text, k});
    bool good = hy_writer_room(&t->writer, item->loc, 1) && write_items(t, item->body);
    t->writer.turns.count--;
    if (good && k != last) continue;
    t->writer.around = around;
    return good;
  }
}

// ALG.Expand.If
static bool write_if(items *t, const hy_written_item *item) {
  bool condition;
  size_t around = t->writer.around;
  if (!hy_writer_condition(&t->writer, item->condition, &condition)) return false;
  hy_context_hit(t->context, HY_RULE_ALG_EXPAND_IF);
  t->writer.around = 0; // what stands in it need not have all of these turns
  bool good = write_items(t, condition ? item->body : item->otherwise);
  t->writer.around = around;
  return good;
}

// ALG.Expand.Include: the items of the file, in its place
static bool write_include(items *t, const hy_written_item *item) {
  hy_context_hit(t->context, HY_RULE_ALG_EXPAND_INCLUDE);
  return write_items(t, item->body);
}

// Of what stands in a "for" nothing is said twice: it ends at the first error.
static bool write_items(items *t, hy_written_items list) {
  bool good = true;
  for (int i = 0; i < list.count && (good || !t->writer.turns.count); i++) {
    const hy_written_item *item = &list.list[i];
    switch (item->kind) {
    case HY_ITEM_FUNC: good &= write_func(t, item->func); break;
    case HY_ITEM_NAMED: good &= write_named(t, item->named); break;
    case HY_ITEM_REQUIRE: good &= write_requirement(t, item); break;
    case HY_ITEM_FOR: good &= write_for(t, item); break;
    case HY_ITEM_IF: good &= write_if(t, item); break;
    case HY_ITEM_INCLUDE: good &= write_include(t, item); break;
    }
    if (t->writer.is_full) return false;
  }
  return good;
}

/* -- the whole -- */

static const hy_written_pipeline *gather(items *t) {
  hy_written_pipeline *pipeline = HY_NEW(t->arena, hy_written_pipeline);
  hy_written_func *funcs = HY_NEW_ARRAY(t->arena, hy_written_func, t->funcs.count);
  hy_written_named *named = HY_NEW_ARRAY(t->arena, hy_written_named, t->named.count);
  if (t->funcs.count) memcpy(funcs, t->funcs.data, sizeof *funcs * t->funcs.count);
  if (t->named.count) memcpy(named, t->named.data, sizeof *named * t->named.count);
  hy_written_requirement *requirements = HY_NEW_ARRAY(t->arena, hy_written_requirement, t->requirements.count);
  if (t->requirements.count) memcpy(requirements, t->requirements.data, sizeof *requirements * t->requirements.count);
  *pipeline = *t->written;
  pipeline->funcs = funcs;
  pipeline->func_count = (int)t->funcs.count;
  pipeline->named = named;
  pipeline->named_count = (int)t->named.count;
  pipeline->requirements = requirements;
  pipeline->requirement_count = (int)t->requirements.count;
  return pipeline;
}

// "def" is Python's word for what is a func here.
static bool refuse_empty(const items *t) {
  const char *help = "the last func is the pipeline's output";
  const hy_written_named *last = t->named.count ? &hy_vec_last(&t->named) : NULL;
  if (last && last->is_helper)
    help =
        hy_arena_printf(t->arena, "def %s is a helper, an expression with arguments; a func is written fun %s(..) = e;",
                        last->name.text, last->name.text);
  hy_report(t->diagnostics, HY_E_EMPTY_PIPELINE, t->written->name.loc, NULL, help, "the pipeline '%s' has no func",
            t->written->name.text);
  return false;
}

const hy_written_pipeline *hy_items_out(hy_context *context, const hy_written_pipeline *written,
                                        hy_diagnostics *diagnostics) {
  items t = {.written = written,
             .context = context,
             .arena = hy_context_arena(context),
             .diagnostics = diagnostics,
             .names = hy_intern_new(same_name),
             .families = hy_intern_new(same_name)};
  t.writer = (hy_writer){.context = context,
                         .diagnostics = diagnostics,
                         .is_family = is_family,
                         .is_helper = is_helper,
                         .known = name_is,
                         .self = &t};
  add_names(&t, written->items);
  bool good = write_items(&t, written->items);
  if (good && !t.funcs.count) good = refuse_empty(&t);
  if (good && hy_vec_last(&t.funcs).is_table && !written->output_count) {
    good = false;
    hy_report(diagnostics, HY_E_EMPTY_PIPELINE, hy_vec_last(&t.funcs).name.loc, NULL,
              "the last func is the pipeline's output: write it below, or list the outputs: pipeline p(..) -> f { .. }",
              "below the table '%s' stands no func", hy_vec_last(&t.funcs).name.text);
  }
  const hy_written_pipeline *pipeline = good ? gather(&t) : NULL;
  hy_writer_close(&t.writer);
  hy_intern_free(t.names);
  hy_intern_free(t.families);
  hy_vec_free(&t.funcs);
  hy_vec_free(&t.named);
  hy_vec_free(&t.requirements);
  return pipeline;
}
