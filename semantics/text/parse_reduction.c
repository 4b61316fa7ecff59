/* Reduction domains, of updates and of inline reductions.
 *
 *   domain    = "rdom" "(" rdom {"," rdom} ")" "in"
 *   rdom      = name "=" "(" expression "," expression ")"
 *   reduction = ("sum" | "product" | "minimum" | "maximum") [name] "(" domain expression ["if" expression] ")"
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/text/syntax_internal.h"

#include <string.h>

static bool parse_rdom(hy_parser *parser, hy_written_rdom *rdom) {
  static const char help[] = "a reduction domain is written rdom(r = (min, len))";
  static const char none[] = "a reduction domain is written rdom(r = (min, len)); an update without one, (x) <- e";
  if (hy_parser_at(parser, ")")) {
    hy_parser_unexpected(parser, "a reduction variable", none);
    return false;
  }
  rdom->name.text = hy_parser_name(parser, "a reduction variable", &rdom->name.loc);
  if (!rdom->name.text) return false;
  if (!hy_parser_accept(parser, "=")) {
    hy_parser_unexpected(parser, "'=' after the reduction variable", help);
    return false;
  }
  if (!hy_parser_accept(parser, "(")) {
    hy_parser_unexpected(parser, "an interval", help);
    return false;
  }
  return (rdom->min = hy_parse_expression(parser)) && hy_parser_expect(parser, ",", "and a length after the minimum") &&
         (rdom->len = hy_parse_expression(parser)) && hy_parser_expect(parser, ")", "after the interval");
}

bool hy_parse_domain(hy_parser *parser, const hy_written_rdom **list, int *count) {
  HY_VEC(hy_written_rdom) rdoms = {0};
  bool good = true;
  parser->next += 2;
  do {
    hy_written_rdom rdom = {0};
    good = hy_parser_room(parser, rdoms.count, HY_MAX_RDOMS, "reduction variables in a stage") &&
           parse_rdom(parser, &rdom);
    if (good) hy_vec_push(&rdoms, rdom);
  } while (good && hy_parser_accept(parser, ","));
  good = good && hy_parser_expect(parser, ")", "after the last reduction variable, or ','") &&
         hy_parser_expect(parser, "in", "after the reduction domain");
  hy_written_rdom *copy = HY_NEW_ARRAY(hy_context_arena(parser->context), hy_written_rdom, rdoms.count);
  if (rdoms.count) memcpy(copy, rdoms.data, sizeof *copy * rdoms.count);
  *list = copy;
  *count = (int)rdoms.count;
  hy_vec_free(&rdoms);
  return good;
}

/* -- inline reductions -- */

static bool stands(const hy_parser *parser, size_t ahead, const char *text) {
  return strcmp(hy_parser_peek(parser, ahead)->text, text) == 0;
}

bool hy_parser_at_domain(const hy_parser *parser) { return stands(parser, 0, "rdom") && stands(parser, 1, "("); }

// No expression has "rdom(r =" in it: whatever is written in front of it is meant to be a reduction.
bool hy_parser_at_reduction(const hy_parser *parser) {
  size_t ahead = hy_parser_peek(parser, 1)->kind == HY_TOKEN_NAME ? 2 : 1;
  return hy_parser_peek(parser, 0)->kind == HY_TOKEN_NAME && stands(parser, ahead, "(") &&
         stands(parser, ahead + 1, "rdom") && stands(parser, ahead + 2, "(") && stands(parser, ahead + 4, "=");
}

static bool find_word(hy_parser *parser, const hy_token *word, hy_reduction *reduction) {
  if (hy_reduction_find(word->text, reduction)) return true;
  hy_report(parser->diagnostics, HY_E_UNKNOWN_NAME, word->loc, NULL,
            "the reductions are sum, product, minimum, maximum, argmin, argmax and saturating_sum",
            "'%s' is no reduction", word->text);
  return false;
}

bool hy_parse_reduction(hy_parser *parser, hy_written_reduction *reduction) {
  *reduction = (hy_written_reduction){0};
  if (!find_word(parser, hy_parser_peek(parser, 0), &reduction->reduction)) return false;
  parser->next++;
  if (!hy_parser_accept(parser, "(")) {
    reduction->name.text = hy_parser_name(parser, "a name", &reduction->name.loc);
    parser->next++; // the parenthesis
  }
  if (!hy_parse_domain(parser, &reduction->rdoms, &reduction->rdom_count)) return false;
  if (!(reduction->body = hy_parse_expression(parser))) return false;
  if (hy_parser_accept(parser, "if") && !(reduction->predicate = hy_parse_expression(parser))) return false;
  return hy_parser_expect(parser, ")", "after the reduction");
}
