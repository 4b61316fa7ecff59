/* peel(f.x, part, xi, n): the first n iterations of a loop stand apart from the rest, in the same order.
 *
 *   for x in (min, length) { body }
 *     ->   for part in (0, 2) {
 *            for xi in (select(part == 0, 0, k), select(part == 0, k, length - k)) {   where k = min(n, length)
 *              let x = min + xi in { body } } }
 *
 * A stage has one assignment, so the two parts are two iterations of a loop rather than two copies of the body;
 * traverse(f.part, unrolled) makes copies of it. Sound for every loop: nothing changes places.
 */

#include "halyard_directive.h"

static const hyd_expr *first_part(hyd_host *h) {
  return hyd_minimum(h, hyd_expr_at(h, 3), hyd_length(h, hyd_loop_at(h, 0)));
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_loop *part = hyd_make_loop(h, hyd_name_at(h, 1), x), *xi = hyd_make_loop(h, hyd_name_at(h, 2), x);
  const hyd_expr *k = first_part(h), *zero = hyd_number(h, 0);
  const hyd_expr *is_first = hyd_equal(h, hyd_variable(h, part), zero);
  const hyd_stmt *stmt = hyd_make_let(h, x, hyd_add(h, hyd_min(h, x), hyd_variable(h, xi)), NULL, hyd_body(h));
  stmt = hyd_make_for(h, xi, hyd_select(h, is_first, zero, k),
                      hyd_select(h, is_first, k, hyd_sub(h, hyd_length(h, x), k)), stmt);
  return hyd_make_for(h, part, zero, hyd_number(h, 2), stmt);
}

// Where x is at its place xi, counted from its minimum: in the first part if that is one of the first k.
static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_expr *at = hyd_sub(h, hyd_variable(h, x), hyd_min(h, x));
  if (number == 1) return at;
  return hyd_select(h, hyd_less(h, at, first_part(h)), hyd_number(h, 0), hyd_number(h, 1));
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "peel",
                                         .form = "peel(f.x, part, xi, n)",
                                         .summary = "runs the first n iterations of a loop apart from the rest",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_NAME, HYD_FACTOR},
                                         .rewrite = rewrite,
                                         .inverse = inverse};
