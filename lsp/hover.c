// What stands at a place, in Markdown: a func with its stages and bounds, a loop, a directive, a word.

#include "lsp/program.h"
#include "lsp/words.h"
#include "oracle/explain.h"
#include "sched/sched.h"

#include <string.h>

enum { Z3_LIMIT = 100 };

typedef struct {
  hy_lsp_reading reading;
  const hy_outline *outline; // of the document
  int token;
  hy_text text;
} hovering;

/* -- pieces -- */

static void add_code(hovering *h, const char *code) { hy_text_printf(&h->text, "```halyard\n%s\n```\n", code); }

static void add_form(hovering *h, const char *form, const char *meaning) {
  add_code(h, form);
  hy_text_printf(&h->text, "%s\n", meaning);
}

// The tokens as they are written, in one line.
static void add_tokens(hy_read_source *source, const hy_outline *o, int first, int last, hy_text *out) {
  enum { MOST = 400 };
  const char *text = source->source->text;
  for (int i = first; i <= last && i < o->count && out->length < MOST; i++) {
    const hy_token *t = &o->tokens.data[i];
    bool apart = i > first && t->offset > o->tokens.data[i - 1].offset + o->tokens.data[i - 1].length;
    if (apart) hy_text_add(out, " ");
    hy_text_add_bytes(out, text + t->offset, t->length);
  }
  if (out->length >= MOST) hy_text_add(out, " ...");
}

/* -- funcs -- */

static void add_type(const hy_func *func, hy_text *out) {
  for (int i = 0; i < hy_func_parts(func); i++)
    hy_text_printf(out, "%s%s", i ? ", " : "", hy_type_name(hy_func_type(func, i)));
}

static void add_signature(hovering *h, const hy_func *func) {
  hy_text line = {0};
  if (func->is_image) {
    hy_text_printf(&line, "%s: %s[%d]", func->name, hy_type_name(func->type), func->rank);
  } else {
    hy_text_printf(&line, "fun %s(", func->name);
    for (int d = 0; d < func->rank; d++) hy_text_printf(&line, "%s%s", d ? ", " : "", func->dims[d]);
    hy_text_add(&line, "): ");
    add_type(func, &line);
  }
  add_code(h, hy_text_string(&line));
  hy_text_free(&line);
}

static bool reads(const hy_definition *definition, const hy_func *func) {
  for (int s = 0; s < definition->stage_count; s++)
    for (int a = 0; a < definition->stages[s].access_count; a++)
      if (definition->stages[s].accesses[a].access->func == func) return true;
  return false;
}

static void add_readers(hovering *h, const hy_alg *alg, const hy_func *func) {
  size_t count = 0;
  if (hy_alg_output(alg, func)) hy_text_printf(&h->text, "%s", "an output; ");
  for (int i = 0; i < alg->definition_count; i++)
    if (alg->definitions[i].func != func && reads(&alg->definitions[i], func))
      hy_text_printf(&h->text, "%s%s", count++ ? ", " : "read by ", alg->definitions[i].func->name);
  hy_text_add(&h->text, count ? "\n\n" : "read by no other func\n\n");
}

static void add_interval(hy_interval interval, hy_text *out) {
  hy_text_add(out, "(");
  hy_expr_print(interval.min, out);
  hy_text_add(out, ", ");
  hy_expr_print(interval.len, out);
  hy_text_add(out, ")");
}

static void add_stages(hovering *h, const hy_alg *alg, const hy_func *func) {
  const hy_definition *definition = hy_alg_definition(alg, func);
  for (int s = 1; definition && s < definition->stage_count; s++) {
    const hy_stage *stage = &definition->stages[s];
    hy_text_printf(&h->text, "- update %d", s - 1);
    for (int r = 0; r < stage->rdom_count; r++) {
      hy_text_printf(&h->text, r ? ", `%s` in `" : " over `%s` in `", stage->rdoms[r].var->name);
      add_interval(stage->rdoms[r].interval, &h->text);
      hy_text_add(&h->text, "`");
    }
    hy_text_add(&h->text, stage->predicate ? ", where a condition holds\n" : "\n");
  }
  if (definition && definition->stage_count > 1) hy_text_add(&h->text, "\n");
}

// What an image has to hold: the checks at entry that speak of it.
static void add_needs(hovering *h, const hy_tgt *filled, const hy_func *image) {
  hy_text lines = {0};
  for (int i = 0; i < filled->entry_count; i++) {
    const hy_stmt *check = filled->entry[i];
    if (check->assume.why != HY_ASSUME_IMAGE || check->assume.subject != image) continue;
    hy_expr_print(check->assume.condition, &lines);
    hy_text_add(&lines, "\n");
  }
  if (lines.length) hy_text_printf(&h->text, "What it has to hold:\n```\n%s```\n", hy_text_string(&lines));
  hy_text_free(&lines);
}

// As "halyard check --explain" says it.
static void add_bounds(hovering *h, hy_lsp_program *p, const hy_func *func) {
  size_t count;
  hy_program_fill(p);
  if (!p->is_filled) {
    hy_text_add(&h->text, "No bounds: the schedule has errors.\n");
    return;
  }
  if (func->is_image) {
    add_needs(h, p->pipeline.filled, func);
    return;
  }
  hy_text lines = {0};
  const hy_explained_hole *holes =
      hy_oracle_explain_func(h->reading.context, p->pipeline.steps[p->pipeline.step_count - 1], p->pipeline.filled,
                             func, &(hy_oracle_options){.z3_limit = Z3_LIMIT}, &count);
  for (size_t i = 0; i < count; i++) hy_explained_print(&holes[i], &lines);
  const char *schedule = p->schedule ? p->schedule->name : "default";
  if (count)
    hy_text_printf(&h->text, "Bounds, schedule `%s`:\n```\n%s```\n", schedule, hy_text_string(&lines));
  else
    hy_text_printf(&h->text, "No bounds, schedule `%s`: it is not computed.\n", schedule);
  hy_text_free(&lines);
}

// A func of the program; of a family the first of its members.
static const hy_func *find_func(const hy_lsp_program *p, const char *name) {
  const hy_tgt *last = hy_program_last(p);
  for (int i = 0; last && i < last->func_count; i++)
    if (strcmp(last->funcs[i]->name, name) == 0) return last->funcs[i];
  const hy_func *found = hy_alg_find(p->alg, name);
  size_t length = strlen(name);
  for (int i = 0; i < p->alg->definition_count && !found; i++) {
    const hy_func *func = p->alg->definitions[i].func;
    if (strncmp(func->name, name, length) == 0 && func->name[length] == '_') found = func;
  }
  return found;
}

static bool add_func(hovering *h, hy_lsp_program *p, const char *name) {
  const hy_func *func = p->alg ? find_func(p, name) : NULL;
  if (!func) return false;
  add_signature(h, func);
  add_readers(h, p->alg, func);
  add_stages(h, p->alg, func);
  if (p->schedule || h->reading.own->language == HY_LANGUAGE_ALG) add_bounds(h, p, func);
  return true;
}

/* -- loops -- */

typedef struct {
  const char *func, *name;
  hy_text *out;
} loop_search;

static void see_loop(void *self, const hy_stmt *loop) {
  const loop_search *s = self;
  const hy_var *var = loop->loop.var;
  if (strcmp(var->func->name, s->func) != 0 || strcmp(var->name, s->name) != 0) return;
  hy_text_add(s->out, loop->loop.is_pure ? "for " : "for rdom ");
  if (loop->loop.traversal != HY_SERIAL) hy_text_printf(s->out, "%s ", hy_traversal_name(loop->loop.traversal));
  hy_var_print(var, s->out);
  hy_text_add(s->out, " in ");
  add_interval(loop->loop.interval, s->out);
  hy_text_add(s->out, "\n");
}

static void add_loop(hovering *h, hy_lsp_program *p, const char *func, const char *name) {
  hy_text lines = {0};
  hy_program_fill(p);
  const hy_tgt *last = p->is_filled ? p->pipeline.filled : NULL;
  if (last) hy_program_loops(last->body, see_loop, &(loop_search){func, name, &lines});
  if (lines.length) lines.data[--lines.length] = 0;
  if (lines.length) add_code(h, hy_text_string(&lines));
  hy_text_free(&lines);
}

/* -- what a name means -- */

static const char *const kinds[] = {
    [HY_NAMES_PIPELINE] = "pipeline",   [HY_NAMES_PARAM] = "parameter",      [HY_NAMES_IMAGE] = "image",
    [HY_NAMES_FUNC] = "func",           [HY_NAMES_CONST] = "constant",       [HY_NAMES_HELPER] = "helper",
    [HY_NAMES_DIMENSION] = "dimension", [HY_NAMES_ARGUMENT] = "argument",    [HY_NAMES_RDOM] = "reduction variable",
    [HY_NAMES_LET] = "value",           [HY_NAMES_TURN] = "number of a for", [HY_NAMES_SCHEDULE] = "schedule",
};

// As it is written where it is introduced, and what it is.
static void add_written(hovering *h, const hy_sense *sense) {
  const hy_outline *o = hy_reading_outline(&h->reading, sense->source);
  const hy_outline_name *name = sense->name;
  hy_text line = {0};
  if (name && (name->kind == HY_NAMES_PIPELINE || name->kind == HY_NAMES_SCHEDULE))
    add_tokens(sense->source, o, name->first, name->first + (name->kind == HY_NAMES_SCHEDULE ? 3 : 1), &line);
  else if (name)
    add_tokens(sense->source, o, name->first, name->last, &line);
  if (line.length) add_code(h, hy_text_string(&line));
  if (name) hy_text_add(&h->text, kinds[name->kind]);
  if (name && name->func && name->kind != HY_NAMES_LET) hy_text_printf(&h->text, " of `%s`", name->func);
  if (name) hy_text_add(&h->text, "\n");
  hy_text_free(&line);
}

// The call that makes a loop or a func.
static void add_maker(hovering *h, const hy_sense *sense) {
  const hy_chains *chains = hy_reading_chains(&h->reading, sense->source);
  int place;
  const hy_chain_call *call = hy_chain_at(chains, sense->token, &place);
  hy_text line = {0};
  for (size_t i = 0; i < chains->calls.count && !call; i++)
    if (chains->calls.data[i].name == sense->token) call = &chains->calls.data[i];
  if (!call) return;
  add_tokens(sense->source, chains->outline, call->name, call->close, &line);
  hy_text_printf(&h->text, "made by `%s`\n", hy_text_string(&line));
  hy_text_free(&line);
}

// The name; with a number in brackets that of a member of a family.
static const char *func_text(const hovering *h) {
  const char *text = hy_outline_text(h->outline, h->token);
  bool is_member = hy_outline_is(h->outline, h->token + 1, "[") && hy_outline_is(h->outline, h->token + 3, "]") &&
                   h->outline->tokens.data[h->token + 2].kind == HY_TOKEN_INTEGER;
  if (!is_member) return text;
  return hy_arena_printf(hy_context_arena(h->reading.context), "%s_%s", text,
                         hy_outline_text(h->outline, h->token + 2));
}

static void add_sense(hovering *h, const hy_sense *sense) {
  hy_read_source *own = h->reading.own;
  const char *text = hy_outline_text(h->outline, h->token);
  int schedule = own->language == HY_LANGUAGE_SCHEDULE ? hy_sense_schedule(h->outline, h->token) : HY_NO_TOKEN;
  hy_lsp_program p;
  bool is_func = sense->name ? sense->name->kind == HY_NAMES_FUNC || sense->name->kind == HY_NAMES_IMAGE : !sense->func;
  bool wants = is_func || sense->func;
  if (wants) hy_program_make(&h->reading, own, schedule, HY_PROGRAM_AS_IT_IS, &p);
  if (is_func && add_func(h, &p, func_text(h))) {
    if (!sense->name) add_maker(h, sense);
    return;
  }
  if (sense->func && p.alg) add_loop(h, &p, sense->func, text);
  if (sense->name)
    add_written(h, sense);
  else
    add_maker(h, sense);
}

/* -- directives and words -- */

static const hy_chain_call *call_named_at(hovering *h) {
  if (h->reading.own->language != HY_LANGUAGE_SCHEDULE) return NULL;
  const hy_chains *chains = hy_reading_chains(&h->reading, h->reading.own);
  for (size_t i = 0; i < chains->calls.count; i++)
    if (chains->calls.data[i].name == h->token) return &chains->calls.data[i];
  return NULL;
}

static void add_directive(hovering *h, const hy_chain_call *call) {
  const char *form, *summary, *phase;
  if (!hy_chain_about(hy_outline_text(h->outline, call->name), call->func != HY_NO_TOKEN, &form, &summary, &phase))
    return;
  add_form(h, form, summary);
  if (phase) hy_text_printf(&h->text, "\nphase: %s\n", phase);
}

static void add_word(hovering *h) {
  hy_lsp_word word;
  const char *text = hy_outline_text(h->outline, h->token), *name;
  hy_text form = {0}, meaning = {0};
  bool is_member = h->token > 0 && hy_outline_is(h->outline, h->token - 1, ".");
  for (size_t i = 0; is_member && !h->text.length && hy_words_member(i, &name, &form, &meaning); i++) {
    if (strcmp(name, text) == 0) add_form(h, hy_text_string(&form), hy_text_string(&meaning));
    form.length = meaning.length = 0;
  }
  if (is_member) return;
  bool is_prefix = !hy_outline_ends_operand(h->outline, h->token - 1);
  if (hy_words_operator(text, is_prefix, &form, &meaning))
    add_form(h, hy_text_string(&form), hy_text_string(&meaning));
  else if (hy_words_find(text, &word))
    add_form(h, hy_text_string(&word.form), hy_text_string(&word.meaning));
}

json_t *hy_answer_hover(const hy_question *question) {
  hovering h = {.token = HY_NO_TOKEN};
  hy_sense sense;
  hy_reading_begin(&h.reading, question);
  h.outline = hy_reading_outline(&h.reading, h.reading.own);
  h.token = hy_outline_at(h.outline, hy_reading_cursor(&h.reading));
  if (h.token == HY_NO_TOKEN) return NULL;
  const hy_chain_call *call = call_named_at(&h);
  if (call)
    add_directive(&h, call);
  else if (hy_sense_find(&h.reading, h.reading.own, h.token, &sense))
    add_sense(&h, &sense);
  else
    add_word(&h);
  if (!h.text.length) return NULL;
  return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                   hy_json_text(hy_text_string(&h.text)), "range",
                   hy_json_loc(h.reading.own, h.outline->tokens.data[h.token].loc));
}
