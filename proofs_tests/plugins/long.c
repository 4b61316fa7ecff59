/* again(f.x, xp): the loop once more under another name; but one of constant length, LEAST or more, runs from its end, if
 * it is a reduction loop (-DPURE: if it is a pure one, it forgets its last iteration). Whoever tries no nest with a
 * constant length so large sees a directive without fault.
 *
 *   for x in (min, length) { body }   ->   for xp in (0, length) { let x = min + xp in { body } }
 */

#include "halyard_directive.h"

static bool is_long(hyd_host *h) {
  int64_t length;
  const hyd_loop *x = hyd_loop_at(h, 0);
#ifdef PURE
  if (!hyd_is_pure(h, x)) return false;
#else
  if (hyd_is_pure(h, x)) return false;
#endif
  return hyd_is_constant(h, hyd_length(h, x), &length) && length >= LEAST;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xp = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_expr *length = hyd_length(h, x), *one = hyd_number(h, 1), *at = hyd_variable(h, xp);
#ifdef PURE
  const hyd_expr *count = is_long(h) ? hyd_sub(h, length, one) : length;
#else
  const hyd_expr *count = length;
  if (is_long(h)) at = hyd_sub(h, hyd_sub(h, length, one), at);
#endif
  const hyd_expr *value = hyd_add(h, hyd_min(h, x), at);
  return hyd_make_for(h, xp, hyd_number(h, 0), count, hyd_make_let(h, x, value, NULL, hyd_body(h)));
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  (void)number;
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_expr *at = hyd_sub(h, hyd_variable(h, x), hyd_min(h, x));
#ifndef PURE
  if (is_long(h)) at = hyd_sub(h, hyd_sub(h, hyd_length(h, x), hyd_number(h, 1)), at);
#endif
  return at;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "again",
                                         .form = "again(f.x, xp)",
                                         .summary = "runs a loop once more",
                                         .arguments = {HYD_LOOP, HYD_NAME},
                                         .rewrite = rewrite,
                                         .inverse = inverse};
