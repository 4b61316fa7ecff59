/* What families of funcs are written with, in algorithms and in schedules.
 *
 *   range   = "for" name "in" expression ".." expression
 *   indices = "[" expression {"," expression} "]"
 */

#include "semantics/text/syntax_internal.h"

#include <string.h>

bool hy_parser_at_for(const hy_parser *parser) {
  return hy_parser_at(parser, "for") && hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME &&
         strcmp(hy_parser_peek(parser, 2)->text, "in") == 0;
}

bool hy_parse_range(hy_parser *parser, hy_written_range *range) {
  parser->next++; // "for"
  range->name.text = hy_parser_name(parser, "a name after 'for'", &range->name.loc);
  parser->next++; // "in"
  if (!(range->first = hy_parse_expression(parser))) return false;
  if (!hy_parser_accept(parser, "..")) {
    hy_parser_unexpected(parser, "'..' and the last number", "a range has both of its ends: for k in 0..7");
    return false;
  }
  return (range->last = hy_parse_expression(parser)) != NULL;
}

bool hy_parse_indices(hy_parser *parser, const hy_syntax *const **list, int *count) {
  hy_syntaxes indices = {0};
  hy_loc loc = hy_parser_loc(parser);
  bool good = hy_parser_expect(parser, "[", "and the number of a member") && hy_parse_arguments(parser, "]", &indices);
  if (good && (!indices.count || indices.count > HY_MAX_INDICES)) {
    hy_report(parser->diagnostics, HY_E_FAMILY, loc, NULL, "write g[3], or g[3, 0]", "a member has 1 to %d numbers",
              HY_MAX_INDICES);
    good = false;
  }
  const hy_syntax **copy = HY_NEW_ARRAY(hy_context_arena(parser->context), const hy_syntax *, indices.count);
  if (indices.count) memcpy(copy, indices.data, sizeof *copy * indices.count);
  *list = copy;
  *count = (int)indices.count;
  hy_vec_free(&indices);
  return good;
}
