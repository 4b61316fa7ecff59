/* Numbers that calls of helpers give: "def put(v, k) = if k == 0 then v[0] else v[k - 1];", put(t(x), 2).
 *
 * The let k:1 = 2 of the call stays, for k may be a value as well; where the text needs a number it is computed here, as
 * write_out.c computes those of a "for": typed as every expression is. An argument that is handed on, k:2 = k:1 + 1, is
 * computed once, however many calls hand it on.
 */

#include "semantics/text/written/numbers.h"

#include <string.h>

enum { FEW_NODES = 3 }; // of a conversion of a literal, i32(-1), which stands where the argument does

typedef struct {
  const char *name; // first: equal by it
  const hy_syntax *value;
  const char *helper, *param;
  const hy_syntax *arg;
  bool is_asked;           // "number" is found
  const hy_syntax *number; // a literal, or the conversion of one; NULL: it is none
} given;

struct hy_numbers {
  hy_context *context;
  hy_arena *arena;
  hy_diagnostics *diagnostics;
  hy_writer writer;
  hy_intern *given;
  HY_VEC(hy_loc) told;
};

static bool same_given(const void *a, const void *b) { return ((const given *)a)->name == ((const given *)b)->name; }
static uint64_t name_hash(const char *name) { return hy_hash(1, (uint64_t)(uintptr_t)name); }

static given *find_given(const hy_numbers *n, const char *name) {
  return (given *)hy_intern_find(n->given, name_hash(name), &(given){.name = name});
}

static bool is_literal(const hy_syntax *syntax) {
  return syntax->kind == HY_SYNTAX_INTEGER || syntax->kind == HY_SYNTAX_FLOAT || syntax->kind == HY_SYNTAX_BOOL;
}

static bool is_few(const hy_syntax *syntax) {
  int nodes = 1 + syntax->count;
  for (int i = 0; i < syntax->count; i++) nodes += syntax->args[i]->count;
  return nodes <= FEW_NODES;
}

// requires: all that it is made of is known
static const hy_syntax *number_of(hy_numbers *n, const hy_syntax *value) {
  hy_value number;
  const hy_syntax *written = hy_write_out(&n->writer, value);
  if (!written || is_literal(written)) return written;
  if (!hy_writer_any_value(&n->writer, written, &number) || number.error) return NULL;
  if (number.type == HY_INT) return hy_writer_literal(&n->writer, value, number.i);
  if (number.type != HY_BOOL) return is_few(written) ? written : NULL;
  const char *text = hy_context_name_of(n->context, hy_value_is_true(number) ? "true" : "false");
  return hy_syntax_at(n->context, (hy_syntax){.kind = HY_SYNTAX_BOOL, .text = text}, value, NULL, 0);
}

static const hy_syntax *number_given(void *self, const char *name) {
  hy_numbers *n = self;
  given *g = find_given(n, name);
  if (!g) return NULL;
  if (!g->is_asked) {
    g->is_asked = true;
    g->number = hy_writer_unknown(&n->writer, g->value) ? NULL : number_of(n, g->value);
  }
  return g->number;
}

hy_numbers *hy_numbers_new(hy_context *context, const hy_written_pipeline *pipeline, hy_diagnostics *diagnostics) {
  hy_numbers *n = hy_allocate_zeroed(1, sizeof *n);
  n->context = context;
  n->arena = hy_context_arena(context);
  n->diagnostics = diagnostics;
  n->given = hy_intern_new(same_given);
  n->writer = (hy_writer){.context = context, .diagnostics = diagnostics, .number = number_given, .self = n};
  for (int i = 0; i < pipeline->named_count; i++)
    if (!pipeline->named[i].is_helper)
      hy_writer_add_constant(&n->writer, pipeline->named[i].name.text, pipeline->named[i].value);
  return n;
}

void hy_numbers_free(hy_numbers *n) {
  if (!n) return;
  hy_writer_close(&n->writer);
  hy_intern_free(n->given);
  hy_vec_free(&n->told);
  hy_free(n);
}

void hy_numbers_add(hy_numbers *n, const char *name, const hy_syntax *value, const char *helper, const char *param,
                    const hy_syntax *arg) {
  given *g = HY_NEW(n->arena, given);
  *g = (given){.name = name, .value = value, .helper = helper, .param = param, .arg = arg};
  hy_intern_add(n->given, name_hash(name), g);
}

bool hy_numbers_known(hy_numbers *n, const hy_syntax *syntax) { return !hy_writer_unknown(&n->writer, syntax); }

/* -- what is not known -- */

// The argument or let that is no number itself, from which the unknown one is made.
static const given *culprit_of(hy_numbers *n, const hy_syntax *unknown) {
  const given *found = NULL;
  while (unknown && unknown->kind == HY_SYNTAX_NAME) {
    const given *g = find_given(n, unknown->text);
    if (!g) break;
    found = g;
    unknown = hy_writer_unknown(&n->writer, g->value);
  }
  return found;
}

bool hy_numbers_can_blame(hy_numbers *n, const hy_syntax *syntax) {
  return culprit_of(n, hy_writer_unknown(&n->writer, syntax)) != NULL;
}

// Members of a family are written once, and call once.
static bool was_told(hy_numbers *n, hy_loc loc) {
  for (size_t i = 0; i < n->told.count; i++)
    if (n->told.data[i].line == loc.line && n->told.data[i].column == loc.column) return true;
  hy_vec_push(&n->told, loc);
  return false;
}

static const char help_known[] = "write a number, a constant that mentions no parameter, or what is computed from them";

static void refuse(hy_numbers *n, const hy_syntax *unknown, const hy_number_use *use) {
  const given *g = culprit_of(n, unknown);
  const hy_syntax *at = g ? g->arg : unknown;
  if (was_told(n, at->loc)) return;
  const char *quote = hy_syntax_quote(n->context, at);
  const char *help = hy_arena_printf(n->arena, "%s; %s", help_known, use->instead);
  if (g)
    hy_report(n->diagnostics, HY_E_NOT_CONSTANT, at->loc, "ALG.Expand.Number", help,
              "'%s' of '%s' is '%s' here, which is no number that is known in the text", g->param, g->helper, quote);
  else
    hy_report(n->diagnostics, HY_E_NOT_CONSTANT, at->loc, "ALG.Expand.Number", help,
              "'%s' is no number that is known in the text", quote);
  hy_note(n->diagnostics, HY_E_NOT_CONSTANT, use->at->loc, "'%s' asks for it by '%s'", use->helper,
          hy_syntax_quote(n->context, use->at));
  hy_syntax_note_use(n->context, n->diagnostics, g ? hy_syntax_use(g->value) : hy_syntax_use(unknown));
}

static bool check_known(hy_numbers *n, const hy_syntax *syntax, const hy_number_use *use) {
  const hy_syntax *unknown = hy_writer_unknown(&n->writer, syntax);
  if (unknown) refuse(n, unknown, use);
  return !unknown;
}

bool hy_numbers_condition(hy_numbers *n, const hy_syntax *syntax, const hy_number_use *use, bool *value) {
  return check_known(n, syntax, use) && hy_writer_condition(&n->writer, syntax, value);
}

// ALG.Expand.Number
const hy_syntax *hy_numbers_literal(hy_numbers *n, const hy_syntax *syntax, const hy_number_use *use) {
  int64_t number;
  if (!check_known(n, syntax, use) || !hy_writer_number(&n->writer, syntax, &number)) return NULL;
  hy_context_hit(n->context, HY_RULE_ALG_EXPAND_NUMBER);
  return hy_writer_literal(&n->writer, syntax, number);
}

const char *hy_numbers_member(hy_numbers *n, const char *family, const hy_syntax *const *indices, int count,
                              const hy_number_use *use) {
  for (int i = 0; i < count; i++)
    if (!check_known(n, indices[i], use)) return NULL;
  return hy_writer_member(&n->writer, family, indices, count);
}
