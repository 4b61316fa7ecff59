#include "semantics/format/format_internal.h"
#include "semantics/schedule/directive.h"
#include "semantics/text/alg_internal.h"
#include "semantics/tgt/tgt.h"
#include "semantics/value/errors.h"

#include <string.h>

static const struct {
  const char *ending, *first_word;
} languages[] = {
    [HY_LANGUAGE_ALG] = {".alg", "pipeline"},
    [HY_LANGUAGE_SCHEDULE] = {".sched", "schedule"},
    [HY_LANGUAGE_TGT] = {".tgt", "target"},
};

bool hy_language_of_name(const char *path, hy_language *language) {
  for (size_t i = 0; i < HY_COUNT(languages); i++) {
    size_t length = strlen(path), ending = strlen(languages[i].ending);
    if (length <= ending || strcmp(path + length - ending, languages[i].ending) != 0) continue;
    *language = (hy_language)i;
    return true;
  }
  return false;
}

hy_language hy_language_of_text(hy_context *context, const hy_source *source) {
  hy_tokens tokens = {0};
  hy_diagnostics *unused = hy_diagnostics_new();
  hy_language language = HY_LANGUAGE_ALG;
  hy_lex_first(context, source, unused, &tokens, 1);
  for (size_t i = 0; i < HY_COUNT(languages); i++)
    if (strcmp(tokens.data[0].text, languages[i].first_word) == 0) language = (hy_language)i;
  hy_diagnostics_free(unused);
  hy_vec_free(&tokens);
  return language;
}

/* -- what the parser says -- */

static void print_schedules(const hy_schedule *schedules, int count, hy_text *out) {
  for (int i = 0; i < count; i++) {
    hy_text_printf(out, "%s %s %d\n", schedules[i].name, schedules[i].pipeline, schedules[i].default_inline);
    for (int k = 0; k < schedules[i].count; k++) {
      hy_schedule_item_print(&schedules[i].items[k], out);
      hy_text_add(out, "\n");
    }
  }
}

// In a context of its own, which ends with it: these texts are large, and are read twice.
static void print_target(const hy_source *source, hy_diagnostics *found, hy_text *program) {
  hy_context *context = hy_context_new();
  const hy_tgt *tgt = hy_parse_tgt(context, source, found);
  if (tgt) hy_tgt_print(tgt, program);
  hy_context_free(context);
}

// What the text means, printed; nothing if it means nothing.
static void print_program(hy_context *context, const hy_source *source, hy_language language, hy_diagnostics *found,
                          hy_text *program) {
  const hy_schedule *schedules;
  int count;
  switch (language) {
  case HY_LANGUAGE_ALG: {
    if (hy_is_included_text(context, source)) { // what it means is up to those who include it
      hy_parse_included_text(context, source, found);
      return;
    }
    const hy_alg *alg = hy_parse_alg(context, source, found);
    if (alg) hy_alg_print(alg, program);
    return;
  }
  case HY_LANGUAGE_SCHEDULE:
    if (hy_parse_schedules(context, source, found, &schedules, &count)) print_schedules(schedules, count, program);
    return;
  case HY_LANGUAGE_TGT: print_target(source, found, program); return;
  }
  HY_UNREACHABLE();
}

static const hy_source *nothing(void *self, const hy_source *from, const char *path, const char **why) {
  static const hy_source empty = {"nothing", "", 0};
  (void)self, (void)from, (void)path, (void)why;
  return &empty;
}

// Of an algorithm the grammar is a pass of its own; what it includes has a layout of its own.
static bool has_grammar(const hy_source *source) {
  hy_context *context = hy_context_new();
  hy_diagnostics *unused = hy_diagnostics_new();
  hy_context_use_sources(context, nothing, NULL);
  bool good = hy_parse_pipeline(context, source, unused);
  hy_diagnostics_free(unused);
  hy_context_free(context);
  return good;
}

// Has the parser read all of it? "found" is what print_program reported.
static bool is_read(hy_context *context, const hy_source *source, hy_language language, const hy_diagnostics *found) {
  size_t errors = hy_diagnostics_errors(found);
  switch (language) {
  case HY_LANGUAGE_ALG: return !errors || (!hy_is_included_text(context, source) && has_grammar(source));
  case HY_LANGUAGE_SCHEDULE: break;
  case HY_LANGUAGE_TGT: // errors of meaning do not stop its reader, but for too many, and statements too deep
    for (size_t i = 0; i < hy_diagnostics_count(found); i++) {
      int code = hy_diagnostics_at(found, i)->code;
      if (code / 100 == 1 || code == HY_E_TGT_NESTING) return false;
    }
    return errors < HY_MAX_SYNTAX_ERRORS;
  }
  for (size_t i = 0; i < hy_diagnostics_count(found); i++)
    if (hy_diagnostics_at(found, i)->code != HY_E_SCHEDULE_TWICE) return false;
  return true;
}

static void pass_on(const hy_diagnostics *found, hy_diagnostics *diagnostics) {
  for (size_t i = 0; i < hy_diagnostics_count(found); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(found, i);
    if (d->severity == HY_SEVERITY_NOTE)
      hy_note(diagnostics, d->code, d->loc, "%s", d->message);
    else if (d->severity == HY_SEVERITY_ERROR)
      hy_report(diagnostics, d->code, d->loc, d->rule, d->help, "%s", d->message);
  }
}

/* -- what the layout promises -- */

// The comment without blanks at the ends of its lines.
static void add_comment(const hy_format_comment *comment, hy_text *out) {
  for (size_t i = 0; i < comment->length; i++) {
    size_t blanks = strspn(comment->text + i, " \t\r");
    bool ends = blanks && i + blanks < comment->length && comment->text[i + blanks] == '\n';
    if (ends) i += blanks;
    hy_text_add_bytes(out, comment->text + i, 1);
  }
  hy_text_add(out, "\n");
}

static bool same_comments(const hy_format_pieces *a, const hy_format_pieces *b) {
  hy_text texts[2] = {{0}, {0}};
  for (size_t i = 0; i < a->comments.count; i++) add_comment(&a->comments.data[i], &texts[0]);
  for (size_t i = 0; i < b->comments.count; i++) add_comment(&b->comments.data[i], &texts[1]);
  bool same = strcmp(hy_text_string(&texts[0]), hy_text_string(&texts[1])) == 0;
  hy_text_free(&texts[0]);
  hy_text_free(&texts[1]);
  return same;
}

static bool same_tokens(const hy_format_pieces *a, const hy_format_pieces *b) {
  if (a->tokens.count != b->tokens.count) return false;
  for (size_t i = 0; i < a->tokens.count; i++) {
    const hy_token *x = &a->tokens.data[i], *y = &b->tokens.data[i];
    if (x->kind != y->kind || x->text != y->text) return false; // texts are interned
  }
  return true;
}

// False: its brackets are no pairs.
static bool lay_out(hy_context *context, const hy_source *source, hy_language language, hy_format_pieces *pieces,
                    hy_text *out) {
  hy_format_split(context, source, language, pieces);
  if (!hy_format_roles(pieces)) return false;
  hy_format_spaces(pieces);
  hy_format_lay_out(pieces, out);
  return true;
}

static void check_words(hy_context *context, const hy_source *source, hy_language language,
                        const hy_format_pieces *before, const hy_text *text) {
  hy_source laid_out = {source->name, hy_text_string(text), text->length};
  hy_format_pieces pieces;
  hy_text again = {0};
  bool good = lay_out(context, &laid_out, language, &pieces, &again);
  if (!good || !same_tokens(before, &pieces)) HY_DIE("%s: the layout has other words", source->name);
  if (!same_comments(before, &pieces)) HY_DIE("%s: the layout has other comments", source->name);
  if (strcmp(hy_text_string(&again), hy_text_string(text)) != 0)
    HY_DIE("%s: laid out a second time it comes out otherwise", source->name);
  hy_format_pieces_free(&pieces);
  hy_text_free(&again);
}

static void check_program(hy_context *context, const hy_source *source, hy_language language, const hy_text *text,
                          const hy_text *program) {
  hy_source laid_out = {source->name, hy_text_string(text), text->length};
  hy_text same_program = {0};
  hy_diagnostics *found = hy_diagnostics_new();
  print_program(context, &laid_out, language, found, &same_program);
  if (!is_read(context, &laid_out, language, found) ||
      strcmp(hy_text_string(program), hy_text_string(&same_program)) != 0)
    HY_DIE("%s: the layout is another program", source->name);
  hy_diagnostics_free(found);
  hy_text_free(&same_program);
}

bool hy_format(hy_context *context, const hy_source *source, hy_language language, hy_diagnostics *diagnostics,
               hy_text *out) {
  hy_text program = {0}, text = {0};
  hy_format_pieces pieces = {0};
  hy_diagnostics *found = hy_diagnostics_new();
  print_program(context, source, language, found, &program);
  bool good = is_read(context, source, language, found) && lay_out(context, source, language, &pieces, &text);
  if (good) {
    check_words(context, source, language, &pieces, &text);
    hy_format_pieces_free(&pieces); // of a large text they are most of its memory
    pieces = (hy_format_pieces){0};
    check_program(context, source, language, &text, &program);
    hy_text_add_bytes(out, hy_text_string(&text), text.length);
  } else {
    HY_ASSERT(hy_diagnostics_errors(found));
    pass_on(found, diagnostics);
  }
  hy_diagnostics_free(found);
  hy_format_pieces_free(&pieces);
  hy_text_free(&text);
  hy_text_free(&program);
  return good;
}
