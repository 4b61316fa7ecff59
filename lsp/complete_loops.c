// Which loops are there at a place of a schedule, and which calls are legal: by making the schedule as it would be.

#include "lsp/complete.h"

#include "sched/sched.h"

#include <stdlib.h>
#include <string.h>

/* -- texts -- */

static size_t offset_of(const hy_completing *c, int token) { // of the end, behind the last
  return token < c->outline->count ? c->outline->tokens.data[token].offset : c->reading.own->source->length;
}

static void blank(hy_text *text, size_t from, size_t to) {
  for (size_t i = from; i < to && i < text->length; i++)
    if (text->data[i] != '\n') text->data[i] = ' ';
}

// The schedule alone: what stands before and behind it may have errors of its own.
static hy_text schedule_text(const hy_completing *c, const hy_complete_place *p, size_t end) {
  hy_text text = {0};
  hy_text_add_bytes(&text, c->reading.own->source->text, end);
  blank(&text, 0, offset_of(c, p->schedule - 1));
  return text;
}

static void close_blocks(const hy_completing *c, const hy_complete_place *p, int before, hy_text *text) {
  int open = 0;
  for (int i = p->schedule; i < before; i++)
    open += hy_outline_is(c->outline, i, "{") - hy_outline_is(c->outline, i, "}");
  for (; open > 0; open--) hy_text_add(text, " }");
}

static bool is_first_of_chain(const hy_completing *c, const hy_complete_place *p) {
  return p->point == HY_NO_TOKEN || !hy_outline_is(c->outline, p->point - 1, ")");
}

// "call": what stands in its place; NULL: nothing.
static hy_text text_before(const hy_completing *c, const hy_complete_place *p, const char *call) {
  bool is_first = is_first_of_chain(c, p);
  int cut = call || !is_first ? p->point : p->item;
  if (cut == HY_NO_TOKEN) cut = p->item;
  hy_text text = schedule_text(c, p, offset_of(c, cut));
  if (call) hy_text_printf(&text, "%s%s", p->point == HY_NO_TOKEN ? "" : ".", call);
  if (call || !is_first) hy_text_add(&text, ";");
  close_blocks(c, p, cut, &text);
  return text;
}

// The token that ends the schedule; behind the last: none does.
static int close_of(const hy_completing *c, const hy_complete_place *p) {
  int last = p->schedule;
  while (last < c->outline->count && !hy_outline_is(c->outline, last, "{")) last++;
  return last < c->outline->count ? c->outline->match[last] : c->outline->count;
}

static hy_text whole_text(const hy_completing *c, const hy_complete_place *p, int close) {
  return schedule_text(c, p, close < c->outline->count ? offset_of(c, close) + 1 : c->reading.own->source->length);
}

static hy_text text_without(const hy_completing *c, const hy_complete_place *p) {
  const hy_outline *o = c->outline;
  int close = close_of(c, p);
  hy_text text = whole_text(c, p, close);
  int end = p->end; // behind the call
  bool goes_on = hy_outline_is(o, end, ".");
  int begin = p->point == HY_NO_TOKEN || (is_first_of_chain(c, p) && !goes_on) ? p->item : p->point;
  bool is_whole = begin == p->item;
  if (is_whole && hy_outline_is(o, end, ";")) end++;
  blank(&text, offset_of(c, begin), offset_of(c, end));
  if (!is_whole && !goes_on && !hy_outline_is(o, end, ";")) text.data[offset_of(c, begin)] = ';';
  if (close >= o->count) close_blocks(c, p, o->count, &text);
  return text;
}

// "call": what stands in its place; NULL: the statement is left out.
static hy_text text_around(const hy_completing *c, const hy_complete_place *p, const char *call) {
  const hy_outline *o = c->outline;
  int close = close_of(c, p), begin = call && p->point != HY_NO_TOKEN ? p->point : p->item, end = p->end;
  while (!call && end < close && !strchr("{};", hy_outline_text(o, end)[0])) end++;
  if (!call && hy_outline_is(o, end, ";")) end++;
  hy_text whole = whole_text(c, p, close), text = {0};
  hy_text_add_bytes(&text, whole.data, offset_of(c, begin));
  if (call) hy_text_printf(&text, "%s%s", p->point == HY_NO_TOKEN ? "" : ".", call);
  if (call && !hy_outline_is(o, end, ".") && !hy_outline_is(o, end, ";")) hy_text_add(&text, ";");
  if (end < o->count) hy_text_add(&text, hy_text_string(&whole) + offset_of(c, end));
  if (close >= o->count) close_blocks(c, p, o->count, &text);
  hy_text_free(&whole);
  return text;
}

/* -- programs -- */

// Blanks the item that the first error of a text is in. False: there is none, or nothing else is left.
static bool blank_error(hy_completing *c, hy_text *text) {
  hy_diagnostics *errors = hy_diagnostics_new();
  const hy_schedule *all;
  int count;
  size_t end;
  hy_read_source *source = hy_reading_instead(&c->reading, hy_text_string(text), text->length);
  bool bad = !hy_parse_schedules(c->reading.context, source->source, errors, &all, &count);
  size_t at = bad ? hy_lines_of(&source->lines, hy_diagnostics_at(errors, 0)->loc, &end) : 0;
  hy_diagnostics_free(errors);
  const hy_outline *o = hy_reading_outline(&c->reading, source);
  int from = hy_outline_before(o, at + 1) - 1, to = from;
  while (from > 0 && !strchr("{};", hy_outline_text(o, from - 1)[0])) from--;
  while (to + 1 < o->count && !strchr("{};", hy_outline_text(o, to)[0])) to++;
  if (!bad || from < 5 || to <= from) return false;
  blank(text, o->tokens.data[from].offset,
        o->tokens.data[to].offset + (hy_outline_is(o, to, ";") ? o->tokens.data[to].length : 0));
  return true;
}

// The funcs that the statement at that place names, which is left out while it is typed.
static hy_program_named named_there(const hy_completing *c, const hy_complete_place *p) {
  hy_program_named named = {{NULL, NULL}};
  int from, to;
  if (!p->call || p->point == HY_NO_TOKEN) return named;
  named.funcs[0] = hy_chain_func(c->reading.context, c->chains, p->call);
  const char *call = hy_outline_text(c->outline, p->call->name);
  bool moves = strcmp(call, "compute_at") == 0 || strcmp(call, "store_at") == 0;
  if (moves && hy_chain_argument(c->chains, p->call, 0, &from, &to) && from < to)
    named.funcs[1] = hy_chain_func_at(c->reading.context, c->outline, from);
  return named;
}

// Made of a text; where items may be left out, those that are no directives go first.
static void make(hy_completing *c, const hy_complete_place *p, hy_text *text, hy_program_errors errors,
                 hy_lsp_program *program) {
  enum { MOST_BLANKED = 10 };
  *program = (hy_lsp_program){0};
  for (int i = 0; errors == HY_PROGRAM_AS_CAN_BE && i < MOST_BLANKED && blank_error(c, text); i++) {
  }
  hy_read_source *source = hy_reading_instead(&c->reading, hy_text_string(text), text->length);
  const hy_outline *o = hy_reading_outline(&c->reading, source);
  int name = HY_NO_TOKEN; // the schedule's, whose place is that of the document
  for (int i = 0; i < o->count && name == HY_NO_TOKEN; i++)
    if (o->tokens.data[i].offset == offset_of(c, p->schedule)) name = i;
  hy_program_named named = named_there(c, p);
  if (name != HY_NO_TOKEN) hy_program_make_named(&c->reading, source, name, errors, &named, program);
}

void hy_complete_program(hy_completing *c, const hy_complete_place *p, hy_complete_part part, hy_lsp_program *program) {
  *program = (hy_lsp_program){0};
  if (part == HY_PART_WITHOUT) {
    hy_text text = text_without(c, p);
    make(c, p, &text, HY_PROGRAM_AS_CAN_BE, program);
    hy_text_free(&text);
  }
  if (program->is_scheduled) return;
  hy_text text = text_before(c, p, NULL);
  make(c, p, &text, HY_PROGRAM_AS_CAN_BE, program);
  hy_text_free(&text);
}

// Is the schedule legal, as this text has it? The text is freed.
static bool is_legal(hy_completing *c, const hy_complete_place *p, hy_text text) {
  hy_lsp_program program;
  make(c, p, &text, HY_PROGRAM_AS_IT_IS, &program);
  hy_text_free(&text);
  return program.is_scheduled;
}

bool hy_complete_tries(hy_completing *c, const hy_complete_place *p, const char *call) {
  return is_legal(c, p, text_before(c, p, call));
}

bool hy_complete_tries_around(hy_completing *c, const hy_complete_place *p, const char *call) {
  return is_legal(c, p, text_around(c, p, call));
}

/* -- chains -- */

static const hy_func *func_named(const hy_tgt *tgt, const char *name) {
  for (int i = 0; i < tgt->func_count; i++)
    if (strcmp(tgt->funcs[i]->name, name) == 0) return tgt->funcs[i];
  size_t length = strlen(name); // g_k in a "for k": its first member
  const char *end = length ? strrchr(name, '_') : NULL;
  for (int i = 0; end && i < tgt->func_count; i++)
    if (strncmp(tgt->funcs[i]->name, name, (size_t)(end + 1 - name)) == 0) return tgt->funcs[i];
  return hy_alg_find(tgt->alg, name);
}

static const hy_func *of_chain(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program,
                               const hy_tgt *tgt, int *stage) {
  const hy_func *func = func_named(tgt, hy_chain_func(c->reading.context, c->chains, p->call));
  const hy_schedule *s = program->schedule;
  const hy_schedule_item *item = s && s->count && !is_first_of_chain(c, p) ? &s->items[s->count - 1] : NULL;
  for (int i = 0; func && item && i < item->count; i++) {
    const hy_call *call = &item->calls[i];
    const hy_func *turned =
        hy_sched_turned(c->reading.context, program->pipeline.core, program->pipeline.core_count, func->name, call);
    hy_text number = {0};
    if (call->count) hy_syntax_print(call->args[0].syntax, &number);
    if (strcmp(call->name, "update") == 0) *stage = 1 + atoi(hy_text_string(&number));
    hy_text_free(&number);
    if (turned) func = turned, *stage = 0;
  }
  return func;
}

const hy_func *hy_complete_func(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program,
                                int *stage) {
  const hy_tgt *tgt = hy_program_last(program);
  *stage = 0;
  if (!tgt) return NULL;
  if (p->point != HY_NO_TOKEN) return of_chain(c, p, program, tgt, stage);
  int from, to;
  if (!p->call || !hy_chain_argument(c->chains, p->call, 0, &from, &to)) return NULL;
  const char *word = hy_outline_is(c->outline, from + 1, ".") ? hy_outline_text(c->outline, from + 2) : "";
  if (word[0] == 's' && word[1] >= '0' && word[1] <= '9') *stage = atoi(word + 1);
  return func_named(tgt, hy_outline_text(c->outline, from));
}

/* -- specializations -- */

typedef HY_VEC(const char *) condition_list; // interned

// The number of the condition among those of the func, from 1.
static int branch_for(hy_completing *c, condition_list *conditions, const hy_call *call) {
  hy_text text = {0};
  if (call->count) hy_syntax_print(call->args[0].syntax, &text);
  const char *condition = hy_context_name_of(c->reading.context, hy_text_string(&text));
  hy_text_free(&text);
  for (size_t i = 0; i < conditions->count; i++)
    if (conditions->data[i] == condition) return (int)i + 1;
  hy_vec_push(conditions, condition);
  return (int)conditions->count;
}

int hy_complete_branch(hy_completing *c, const hy_complete_place *p, const hy_lsp_program *program) {
  const hy_schedule *s = program->schedule;
  if (!s || !s->count || p->point == HY_NO_TOKEN || is_first_of_chain(c, p)) return 0;
  const char *func = s->items[s->count - 1].func;
  condition_list conditions = {0};
  int branch = 0;
  for (int i = 0; func && i < s->count; i++) {
    bool same = s->items[i].func && strcmp(s->items[i].func, func) == 0;
    branch = 0;
    for (int k = 0; same && k < s->items[i].count; k++)
      if (strcmp(s->items[i].calls[k].name, "specialize") == 0)
        branch = branch_for(c, &conditions, &s->items[i].calls[k]);
  }
  hy_vec_free(&conditions);
  return branch;
}
