/* Target programs: how an allocation lies in memory.
 *
 *   plan = [ "order" "(" dim {"," dim} ")" ] { "align" "(" dim "," integer ")" } { "fold" "(" dim "," integer ")" }
 *          [ "in" ("heap" | "stack") ]
 *
 * What is said twice, or of a dimension that is none, is reported here; what does not fit otherwise by WF.Plan.
 */

#include "semantics/tgt/tgt_internal.h"

#include <string.h>

typedef hy_tgt_reader reader;

static void report(reader *r, hy_loc loc, const char *help, const char *what) {
  hy_report(r->diagnostics, HY_E_TGT_PLAN, loc, "WF.Plan", help, "%s", what);
}

// A dimension of the func; -1 if there is none of that name, which is reported.
static bool read_dimension(reader *r, const hy_func *func, int *dim) {
  hy_loc loc;
  const char *name = hy_parser_name(&r->parser, "a dimension of the func", &loc);
  *dim = -1;
  if (!name) return false;
  for (int d = 0; func && d < func->rank; d++)
    if (strcmp(func->dims[d], name) == 0) *dim = d;
  if (func && *dim < 0)
    report(r, loc, hy_arena_printf(hy_context_arena(r->context), "'%s' has no dimension '%s'", func->name, name),
           "a storage plan speaks of a dimension that there is not");
  return true;
}

// order = "order" "(" dim {"," dim} ")"
static bool read_order(reader *r, const hy_func *func, hy_plan *plan) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int count = 0, dim;
  if (!hy_parser_accept(p, "order")) return true;
  if (!hy_parser_expect(p, "(", "before the dimensions in their order")) return false;
  do {
    if (!read_dimension(r, func, &dim)) return false;
    if (count < HY_MAX_RANK && dim >= 0) plan->order[count] = dim;
    count++;
  } while (hy_parser_accept(p, ","));
  if (func && count != func->rank)
    report(r, loc, "write each dimension once, that whose neighbours lie side by side first",
           "a storage plan's order does not list every dimension once");
  return hy_parser_expect(p, ")", "after the last dimension, or ','");
}

// "(" dim "," integer ")"
static bool read_number(reader *r, const hy_func *func, int64_t *numbers, int64_t unsaid) {
  hy_parser *p = &r->parser;
  hy_loc loc = hy_parser_loc(p);
  int dim;
  int64_t number = 0;
  if (!hy_parser_expect(p, "(", "before the dimension") || !read_dimension(r, func, &dim) ||
      !hy_parser_expect(p, ",", "after the dimension"))
    return false;
  const hy_expr *value = hy_tgt_read_expr(r, HY_INT);
  if (!value || !hy_parser_expect(p, ")", "after the number")) return false;
  if (!hy_expr_is_int(value, &number) || number < 1 || number > HY_MOST_OF_PLAN) {
    report(r, loc, "write a constant from 1 to 2147483648", "a storage plan's number does not fit");
    return true;
  }
  if (dim >= 0 && numbers[dim] != unsaid)
    report(r, loc, "say it once", "a storage plan says something of one dimension twice");
  if (dim >= 0) numbers[dim] = number;
  return true;
}

static bool read_store(reader *r, hy_plan *plan) {
  const char *const words[] = {
      [HY_STORE_HEAP] = hy_store_name(HY_STORE_HEAP), [HY_STORE_STACK] = hy_store_name(HY_STORE_STACK)};
  if (!hy_parser_accept(&r->parser, "in")) return true;
  int word = hy_tgt_accept_word(r, words, HY_COUNT(words));
  if (word < 0) {
    hy_parser_unexpected(&r->parser, "where the allocation is", "write heap or stack");
    return false;
  }
  plan->store = (hy_store_place)word;
  return true;
}

bool hy_tgt_read_plan(reader *r, const hy_func *func, hy_plan *plan) {
  *plan = hy_plan_plain();
  if (!read_order(r, func, plan)) return false;
  while (hy_parser_accept(&r->parser, "align"))
    if (!read_number(r, func, plan->align, 1)) return false;
  while (hy_parser_accept(&r->parser, "fold"))
    if (!read_number(r, func, plan->fold, 0)) return false;
  return read_store(r, plan);
}
