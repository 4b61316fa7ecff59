/* Tables: constants of several values, which are funcs of their numbers.
 *
 *   table = "const" name "=" rows ";"
 *   rows  = "[" rows {"," rows} "]" | expression
 *
 *   const gamma = [u8(0), 3, 7, 9];
 *
 *   fun gamma(_0) = select(_0 < 2, select(_0 < 1, u8(0), 3), select(_0 < 3, 7, 9));
 *
 * The innermost rows run along _0. Before the first entry and behind the last are these two. The choices are halved, so
 * that a long table is no deep tree; the code generator makes it a table again (GEN.Table).
 */

#include "semantics/text/alg_internal.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ENTRIES = 4096 };

static const char rule[] = "ALG.Expand.Table";
static const char help[] = "a table is written const t = [1, 2, 3];, of two dimensions [[1, 2], [3, 4]], row after row";

typedef HY_VEC(const hy_syntax *) entries;

typedef struct {
  hy_parser *parser;
  entries all;             // row after row
  int rank;                // 0: not known before the first entry
  int extent[HY_MAX_RANK]; // of each dimension, the innermost first; 0: not known
  hy_written_name dims[HY_MAX_RANK];
} table;

bool hy_parser_at_table(const hy_parser *parser) {
  return hy_parser_at(parser, "const") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME &&
         strcmp(hy_parser_peek(parser, 2)->text, "=") == 0 && strcmp(hy_parser_peek(parser, 3)->text, "[") == 0;
}

static bool refuse(table *t, hy_loc loc, const char *why) {
  hy_report(t->parser->diagnostics, HY_E_TABLE, loc, rule, help, "%s", why);
  return false;
}

/* -- the entries -- */

// Of what an entry cannot mention: the variables that the table has, and reductions, which would be over these.
static const hy_syntax *variable_in(const hy_syntax *syntax) {
  bool is_variable = syntax->kind == HY_SYNTAX_NAME && syntax->text[0] == '_' && syntax->text[1] >= '0' &&
                     syntax->text[1] <= '9' && !syntax->text[2];
  if (is_variable || syntax->kind == HY_SYNTAX_REDUCTION) return syntax;
  for (int i = 0; i < syntax->count; i++) {
    const hy_syntax *found = variable_in(syntax->args[i]);
    if (found) return found;
  }
  return NULL;
}

static bool parse_entry(table *t) {
  const hy_syntax *entry = hy_parse_expression(t->parser);
  if (!entry) return false;
  const hy_syntax *variable = variable_in(entry);
  if (variable) return refuse(t, variable->loc, "an entry of a table is one value, whatever its place");
  if (!hy_parser_room(t->parser, t->all.count, MOST_ENTRIES, "entries in a table")) return false;
  hy_vec_push(&t->all, entry);
  return true;
}

static bool parse_rows(table *t, int depth, int *dim);

// One row or entry, "depth" brackets deep; *dim: the dimension along which it lies, -1 of an entry.
static bool parse_element(table *t, int depth, int *dim) {
  bool is_row = hy_parser_at(t->parser, "[");
  hy_loc loc = hy_parser_loc(t->parser);
  *dim = -1;
  if (is_row && depth >= HY_MAX_RANK) return refuse(t, loc, "a table has 1 to 8 dimensions");
  if (t->rank && is_row != (depth < t->rank))
    return refuse(t, loc,
                  is_row ? "there is a row where other rows have an entry"
                         : "there is an entry where other rows have a row");
  if (is_row) return parse_rows(t, depth + 1, dim);
  t->rank = depth;
  return parse_entry(t);
}

static bool parse_rows(table *t, int depth, int *dim) {
  hy_loc loc = hy_parser_loc(t->parser);
  int count = 0, inner = -1;
  t->parser->next++; // "["
  if (hy_parser_at(t->parser, "]")) return refuse(t, loc, "a table, and each row of it, has an entry at least");
  do {
    if (!parse_element(t, depth, &inner)) return false;
    count++;
  } while (hy_parser_accept(t->parser, ","));
  if (!hy_parser_expect(t->parser, "]", "after the last entry, or ','")) return false;
  *dim = inner + 1;
  if (t->extent[*dim] && t->extent[*dim] != count) return refuse(t, loc, "this row is not as long as the first");
  t->extent[*dim] = count;
  return true;
}

/* -- what it stands for -- */

static const hy_syntax *make(table *t, hy_syntax model, const hy_syntax *at, const hy_syntax *const *args, int count) {
  return hy_syntax_at(t->parser->context, model, at, args, count);
}

static const hy_syntax *is_below(table *t, int dim, int limit, const hy_syntax *at) {
  hy_context *context = t->parser->context;
  const char *digits = hy_context_name_of(context, hy_arena_printf(hy_context_arena(context), "%d", limit));
  const hy_syntax *sides[] = {make(t, (hy_syntax){.kind = HY_SYNTAX_NAME, .text = t->dims[dim].text}, at, NULL, 0),
                              make(t, (hy_syntax){.kind = HY_SYNTAX_INTEGER, .text = digits}, at, NULL, 0)};
  return make(t, (hy_syntax){.kind = HY_SYNTAX_OP, .op = HY_OP_LT}, at, sides, 2);
}

// The entries that begin at "first", of a box of the inner dimensions up to "dim", of which that one has from..to - 1.
static const hy_syntax *choose(table *t, int dim, size_t first, int from, int to) {
  if (dim < 0) return t->all.data[first];
  size_t row = 1;
  for (int d = 0; d < dim; d++) row *= (size_t)t->extent[d];
  if (to - from == 1) return choose(t, dim - 1, first + row * (size_t)from, 0, dim ? t->extent[dim - 1] : 1);
  int middle = from + (to - from) / 2;
  const hy_syntax *below = choose(t, dim, first, from, middle), *above = choose(t, dim, first, middle, to);
  const hy_syntax *args[] = {is_below(t, dim, middle, above), below, above};
  return make(t, (hy_syntax){.kind = HY_SYNTAX_OP, .op = HY_OP_SELECT}, below, args, 3);
}

// ALG.Expand.Table
static void make_func(table *t, hy_written_func *func) {
  hy_arena *arena = hy_context_arena(t->parser->context);
  hy_written_name *dims = HY_NEW_ARRAY(arena, hy_written_name, t->rank);
  hy_written_stage *stage = HY_NEW(arena, hy_written_stage);
  for (int d = 0; d < t->rank; d++) {
    t->dims[d] =
        (hy_written_name){hy_context_name_of(t->parser->context, hy_arena_printf(arena, "_%d", d)), func->name.loc};
    dims[d] = t->dims[d];
  }
  *stage = (hy_written_stage){.loc = func->name.loc, .rhs = choose(t, t->rank - 1, 0, 0, t->extent[t->rank - 1])};
  func->dims = dims;
  func->rank = t->rank;
  func->stages = stage;
  func->stage_count = 1;
  func->is_table = true;
  hy_context_hit(t->parser->context, HY_RULE_ALG_EXPAND_TABLE);
}

bool hy_parse_table(hy_parser *parser, hy_written_func *func) {
  table t = {.parser = parser};
  int dim;
  *func = (hy_written_func){0};
  parser->next++; // "const"
  func->name.text = hy_parser_name(parser, "a table's name", &func->name.loc);
  parser->next++; // "="
  bool good = func->name.text && parse_rows(&t, 1, &dim) && hy_parser_expect(parser, ";", "after the table");
  if (good) make_func(&t, func);
  hy_vec_free(&t.all);
  return good;
}
