/* Target programs: expressions with the places of what they read, intervals, boxes, and the origins of lets.
 *
 *   interval = "(" expression "," expression ")"
 *   box      = "[" [interval {"," interval}] "]"
 *   origin   = "by" ("split" tail "(" loop "," loop | "fuse" ("outer" | "inner") "(" loop) "," factor "," interval ")"
 *            | "by" "given" directive tail "(" loop ["," loop] ";" let {"," let} ";" loop "=" inverse {"," loop "="
 *              inverse} ";" interval ")"
 */

#include "semantics/tgt/tgt_internal.h"

#include <string.h>

typedef hy_tgt_reader reader;

const hy_expr *hy_tgt_stand_in(reader *r, hy_type type) { return hy_expr_const(r->context, hy_value_zero(type)); }

// As written; what it is made of lasts until the next one.
static const hy_syntax *read_written(reader *r) {
  hy_arena_clear(r->written);
  r->parser.arena = r->written;
  const hy_syntax *syntax = hy_parse_expression(&r->parser);
  r->parser.arena = NULL;
  return syntax;
}

// An expression of that type.
const hy_expr *hy_tgt_read_expr(reader *r, hy_type type) {
  const hy_syntax *syntax = read_written(r);
  if (!syntax) return NULL;
  const hy_expr *expr = hy_elaborate_sites(r->context, &r->names, syntax, &type, r->diagnostics, &r->sites);
  return expr ? expr : hy_tgt_stand_in(r, type);
}

const hy_expr *hy_tgt_read_values(reader *r, const hy_func *func) {
  const hy_syntax *syntax = read_written(r);
  if (!syntax) return NULL;
  const hy_expr *values = hy_elaborate_values(r->context, &r->names, syntax, func, r->diagnostics, &r->sites);
  return values ? values : hy_expr_zeros(r->context, func);
}

bool hy_tgt_read_interval(reader *r, hy_interval *interval) {
  hy_parser *p = &r->parser;
  return hy_parser_expect(p, "(", "before an interval's minimum") && (interval->min = hy_tgt_read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ",", "after an interval's minimum") && (interval->len = hy_tgt_read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ")", "after an interval's length");
}

void hy_tgt_check_count(reader *r, const hy_func *func, int count, const char *what, hy_loc loc) {
  if (!func || count == func->rank) return;
  char *help =
      hy_arena_printf(hy_context_arena(r->context), "write one %s for each dimension of '%s'", what, func->name);
  hy_report(r->diagnostics, HY_E_TGT_ARITY, loc, "definition 4.5, arity", help,
            "'%s' has %d dimension%s, but %d %s%s %s given", func->name, func->rank, func->rank == 1 ? "" : "s", count,
            what, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

// func may be NULL (it was reported); box has room for HY_MAX_RANK.
bool hy_tgt_read_box(reader *r, const hy_func *func, hy_interval *box) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int count = 0;
  for (int d = 0; d < HY_MAX_RANK; d++) box[d] = (hy_interval){hy_tgt_stand_in(r, HY_INT), hy_tgt_stand_in(r, HY_INT)};
  if (!hy_parser_expect(p, "[", "before the box, as in f[(0, 640), (0, 480)]")) return false;
  if (!hy_parser_accept(p, "]")) {
    do {
      hy_interval interval;
      if (!hy_tgt_read_interval(r, &interval)) return false;
      if (count < HY_MAX_RANK) box[count] = interval;
      count++;
    } while (hy_parser_accept(p, ","));
    if (!hy_parser_expect(p, "]", "after the last interval, or ','")) return false;
  }
  hy_tgt_check_count(r, func, count, "interval", loc);
  return true;
}

const hy_stmt_place *hy_tgt_take_place(reader *r, hy_loc loc) {
  hy_arena *arena = hy_context_arena(r->context);
  hy_stmt_place *place = HY_NEW(arena, hy_stmt_place);
  hy_access_site *sites = HY_NEW_ARRAY(arena, hy_access_site, r->sites.count);
  if (r->sites.count) memcpy(sites, r->sites.data, sizeof *sites * r->sites.count);
  *place = (hy_stmt_place){loc, sites, (int)r->sites.count};
  r->sites.count = 0;
  return place;
}

/* -- origins -- */

// Among names: the position of the next word, which is then passed; -1 if it is none of them.
int hy_tgt_accept_word(reader *r, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (words[i] && hy_parser_accept(&r->parser, words[i])) return (int)i;
  return -1;
}

static bool read_bound_loop(reader *r, const hy_var **var) {
  hy_loc loc;
  if (!hy_tgt_read_loop(r, var, &loc)) return false;
  if (*var && !hy_tgt_in_scope(r, *var)) hy_tgt_report_unbound(r, *var, loc);
  return true;
}

static bool read_tail(reader *r, const char *what, hy_tail *tail) {
  static const hy_tail tails[] = {HY_TAIL_GUARD, HY_TAIL_ROUND, HY_TAIL_SHIFT};
  const char *names[HY_COUNT(tails)];
  for (size_t i = 0; i < HY_COUNT(tails); i++) names[i] = hy_tail_name(tails[i]);
  int which = hy_tgt_accept_word(r, names, HY_COUNT(tails));
  if (which < 0)
    hy_parser_unexpected(&r->parser, what, "write guard, round or shift");
  else
    *tail = tails[which];
  return which >= 0;
}

static bool read_factor_and_range(reader *r, const hy_expr **factor, hy_interval *range) {
  hy_parser *p = &r->parser;
  return hy_parser_expect(p, ",", "before the factor") && (*factor = hy_tgt_read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ",", "after the factor") && hy_tgt_read_interval(r, range) &&
         hy_parser_expect(p, ")", "after the interval that was replaced");
}

// "split" tail "(" loop "," loop "," factor "," interval ")"
static bool read_split(reader *r, const hy_var *let, hy_origin *origin) {
  hy_tail tail;
  const hy_var *outer, *inner;
  const hy_expr *factor;
  hy_interval range;
  if (!read_tail(r, "a tail after 'split'", &tail) || !hy_parser_expect(&r->parser, "(", "after the tail") ||
      !read_bound_loop(r, &outer) || !hy_parser_expect(&r->parser, ",", "after the outer loop") ||
      !read_bound_loop(r, &inner) || !read_factor_and_range(r, &factor, &range))
    return false;
  *origin = hy_origin_split(r->context, tail, let, outer, inner, factor, range);
  return true;
}

// "fuse" ("outer" | "inner") "(" loop "," factor "," interval ")"; which the other half is turns out in the end
// (hy_relate_halves).
static bool read_fuse(reader *r, const hy_var *let, hy_origin *origin) {
  static const char *const words[] = {"outer", "inner"};
  const hy_var *fused, *lets[2] = {NULL, NULL};
  const hy_expr *factor;
  hy_interval range;
  int which = hy_tgt_accept_word(r, words, HY_COUNT(words));
  if (which < 0) {
    hy_parser_unexpected(&r->parser, "'outer' or 'inner' after 'fuse'", "a fused loop becomes two variables");
    return false;
  }
  if (!hy_parser_expect(&r->parser, "(", "before the fused loop") || !read_bound_loop(r, &fused) ||
      !read_factor_and_range(r, &factor, &range))
    return false;
  lets[which] = let;
  *origin = hy_origin_fuse(r->context, which, lets, fused, factor, range);
  return true;
}

// The lets and loops of one application: some stand further inside, so they are not in scope here yet; the inverses may
// name them. (That each loop is bound somewhere: tgt_verify.c.)
static bool read_given_lets(reader *r, hy_relation *given) {
  do {
    const hy_var *let;
    hy_loc loc;
    if (!hy_tgt_read_loop(r, &let, &loc)) return false;
    if (given->let_count < HY_MOST_RELATED && let) given->lets[given->let_count++] = let;
    hy_vec_push(&r->scope, let);
  } while (hy_parser_accept(&r->parser, ","));
  return true;
}

static bool read_given_inverses(reader *r, hy_relation *given) {
  do {
    const hy_var *loop;
    const hy_expr *inverse;
    hy_loc loc;
    if (!hy_tgt_read_loop(r, &loop, &loc) || !hy_parser_expect(&r->parser, "=", "before the loop's value") ||
        !(inverse = hy_tgt_read_expr(r, HY_INT)))
      return false;
    hy_vec_push(&r->scope, loop);
    if (given->loop_count == HY_MOST_RELATED || !loop) continue;
    given->loops[given->loop_count] = loop;
    given->inverses[given->loop_count++] = inverse;
  } while (hy_parser_accept(&r->parser, ","));
  return true;
}

// "given" directive tail "(" loop ["," loop] ";" let {"," let} ";" loop "=" inverse {"," loop "=" inverse} ";" interval
// ")"
static bool read_given(reader *r, const hy_var *let, hy_origin *origin) {
  hy_parser *p = &r->parser;
  hy_loc loc;
  hy_interval range;
  const hy_var *sources[HY_MOST_SOURCES] = {NULL, NULL};
  hy_relation *given = HY_NEW(hy_context_arena(r->context), hy_relation);
  given->form = HY_BY_GIVEN;
  given->directive = hy_parser_name(p, "the directive that made the let", &loc);
  if (!given->directive || !read_tail(r, "a tail after the directive", &given->tail) ||
      !hy_parser_expect(p, "(", "after guard, round or shift") || !read_bound_loop(r, &sources[0]))
    return false;
  if (hy_parser_accept(p, ",") && !read_bound_loop(r, &sources[1])) return false;
  size_t scope = r->scope.count;
  bool good = hy_parser_expect(p, ";", "after the loops that the let is made of") && read_given_lets(r, given) &&
              hy_parser_expect(p, ";", "after the lets") && read_given_inverses(r, given);
  r->scope.count = scope;
  if (!good || !hy_parser_expect(p, ";", "before the interval that was replaced") || !hy_tgt_read_interval(r, &range) ||
      !hy_parser_expect(p, ")", "after the interval that was replaced"))
    return false;
  *origin = hy_origin_given(r->context, given, let, range);
  memcpy(origin->sources, sources, sizeof sources);
  return true;
}

// origin = "by" (split | fuse | given)
bool hy_tgt_read_origin(reader *r, const hy_var *let, hy_origin *origin) {
  static const char *const words[] = {"split", "fuse", "given"};
  static bool (*const forms[])(reader * r, const hy_var *let, hy_origin *origin) = {read_split, read_fuse, read_given};
  if (!hy_parser_accept(&r->parser, "by")) return true;
  int form = hy_tgt_accept_word(r, words, HY_COUNT(words));
  if (form >= 0) return forms[form](r, let, origin);
  hy_parser_unexpected(&r->parser, "'split', 'fuse' or 'given' after 'by'",
                       "an origin says which directive made the let");
  return false;
}
