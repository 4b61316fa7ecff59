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

// An expression of that type.
const hy_expr *hy_tgt_read_expr(reader *r, hy_type type) {
  const hy_syntax *syntax = hy_parse_expression(&r->parser);
  if (!syntax) return NULL;
  const hy_expr *expr = hy_elaborate_sites(r->context, &r->names, syntax, &type, r->diagnostics, &r->sites);
  return expr ? expr : hy_tgt_stand_in(r, type);
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

static bool read_tail(reader *r, const char *what, hy_origin *origin) {
  static const hy_tail tails[] = {HY_TAIL_GUARD, HY_TAIL_ROUND, HY_TAIL_SHIFT};
  const char *names[HY_COUNT(tails)];
  for (size_t i = 0; i < HY_COUNT(tails); i++) names[i] = hy_tail_name(tails[i]);
  int tail = hy_tgt_accept_word(r, names, HY_COUNT(tails));
  if (tail < 0)
    hy_parser_unexpected(&r->parser, what, "write guard, round or shift");
  else
    origin->tail = tails[tail];
  return tail >= 0;
}

static bool read_split(reader *r, hy_origin *origin) {
  origin->kind = HY_ORIGIN_SPLIT;
  return read_tail(r, "a tail after 'split'", origin) && hy_parser_expect(&r->parser, "(", "after the tail") &&
         read_bound_loop(r, &origin->outer) && hy_parser_expect(&r->parser, ",", "after the outer loop") &&
         read_bound_loop(r, &origin->inner);
}

static bool read_fuse(reader *r, hy_origin *origin) {
  static const char *const words[] = {"outer", "inner"};
  int which = hy_tgt_accept_word(r, words, HY_COUNT(words));
  if (which < 0) {
    hy_parser_unexpected(&r->parser, "'outer' or 'inner' after 'fuse'", "a fused loop becomes two variables");
    return false;
  }
  origin->kind = which ? HY_ORIGIN_FUSE_INNER : HY_ORIGIN_FUSE_OUTER;
  return hy_parser_expect(&r->parser, "(", "before the fused loop") && read_bound_loop(r, &origin->outer);
}

// The lets and loops of one application: some stand further inside, so they are not in scope here yet; the inverses may
// name them. (That each loop is bound somewhere: tgt_verify.c.)
static bool read_given_lets(reader *r, hy_given *given) {
  do {
    const hy_var *let;
    hy_loc loc;
    if (!hy_tgt_read_loop(r, &let, &loc)) return false;
    if (given->let_count < HY_MOST_GIVEN && let) given->lets[given->let_count++] = let;
    hy_vec_push(&r->scope, let);
  } while (hy_parser_accept(&r->parser, ","));
  return true;
}

static bool read_given_inverses(reader *r, hy_given *given) {
  do {
    const hy_var *loop;
    const hy_expr *inverse;
    hy_loc loc;
    if (!hy_tgt_read_loop(r, &loop, &loc) || !hy_parser_expect(&r->parser, "=", "before the loop's value") ||
        !(inverse = hy_tgt_read_expr(r, HY_INT)))
      return false;
    hy_vec_push(&r->scope, loop);
    if (given->loop_count == HY_MOST_GIVEN || !loop) continue;
    given->loops[given->loop_count] = loop;
    given->inverses[given->loop_count++] = inverse;
  } while (hy_parser_accept(&r->parser, ","));
  return true;
}

// "given" directive tail "(" loop ["," loop] ";" let {"," let} ";" loop "=" inverse {"," loop "=" inverse} ";" interval
// ")"
static bool read_given(reader *r, hy_origin *origin) {
  hy_parser *p = &r->parser;
  hy_loc loc;
  hy_given *given = HY_NEW(hy_context_arena(r->context), hy_given);
  origin->kind = HY_ORIGIN_GIVEN;
  origin->factor = hy_expr_int(r->context, 1);
  given->directive = hy_parser_name(p, "the directive that made the let", &loc);
  if (!given->directive || !read_tail(r, "a tail after the directive", origin) ||
      !hy_parser_expect(p, "(", "after guard, round or shift") || !read_bound_loop(r, &origin->outer))
    return false;
  if (hy_parser_accept(p, ",") && !read_bound_loop(r, &origin->inner)) return false;
  size_t scope = r->scope.count;
  bool good = hy_parser_expect(p, ";", "after the loops that the let is made of") && read_given_lets(r, given) &&
              hy_parser_expect(p, ";", "after the lets") && read_given_inverses(r, given);
  r->scope.count = scope;
  origin->given = given;
  return good && hy_parser_expect(p, ";", "before the interval that was replaced") &&
         hy_tgt_read_interval(r, &origin->range) && hy_parser_expect(p, ")", "after the interval that was replaced");
}

// origin = "by" ("split" tail "(" loop "," loop | "fuse" ("outer" | "inner") "(" loop) "," factor "," interval ")"
bool hy_tgt_read_origin(reader *r, hy_origin *origin) {
  hy_parser *p = &r->parser;
  if (!hy_parser_accept(p, "by")) return true;
  if (hy_parser_accept(p, "given")) return read_given(r, origin);
  if (hy_parser_accept(p, "split")) {
    if (!read_split(r, origin)) return false;
  } else if (hy_parser_accept(p, "fuse")) {
    if (!read_fuse(r, origin)) return false;
  } else {
    hy_parser_unexpected(p, "'split', 'fuse' or 'given' after 'by'", "an origin says which directive made the let");
    return false;
  }
  return hy_parser_expect(p, ",", "before the factor") && (origin->factor = hy_tgt_read_expr(r, HY_INT)) &&
         hy_parser_expect(p, ",", "after the factor") && hy_tgt_read_interval(r, &origin->range) &&
         hy_parser_expect(p, ")", "after the interval that was replaced");
}
