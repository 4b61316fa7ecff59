/* pads(f.x, xp, n): SOUND on a loop of the func itself. A pure loop is rounded up to a multiple of n iterations; what it
 * adds lies outside of what is to be computed, so regions grow, though there is no function 'holes' that says so. UNSOUND with KEEPS: it promises that nothing is added.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  if (HYD_BRANCH(!hyd_is_pure(h, hyd_loop_at(h, 0)))) return "take a pure loop";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xp = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_expr *n = hyd_expr_at(h, 2), *zero = hyd_number(h, 0);
  const hyd_expr *blocks = hyd_div(h, hyd_add(h, hyd_length(h, x), hyd_sub(h, n, hyd_number(h, 1))), n);
  const hyd_stmt *let = hyd_make_let(h, x, hyd_add(h, hyd_min(h, x), hyd_variable(h, xp)), NULL, hyd_body(h));
  return hyd_make_for(h, xp, zero, hyd_mul(h, n, blocks), let);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  (void)number;
  return hyd_sub(h, hyd_variable(h, hyd_loop_at(h, 0)), hyd_min(h, hyd_loop_at(h, 0)));
}

static hyd_order order(hyd_host *h) {
  (void)h;
#ifdef KEEPS
  return HYD_EQUAL;
#else
  return HYD_EXTRA;
#endif
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "pads",
                                         .form = "pads(f.x, xp, n)",
                                         .summary = "rounds a pure loop up to a multiple of n iterations",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_FACTOR},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
