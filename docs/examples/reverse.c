/* reverse(f.x): a pure loop runs from its last iteration to its first.
 *
 *   for x in (min, length) { body }   ->   for x in (0, length) { let x' = min + length - 1 - x in { body } }
 *
 * Sound: the iterations of a pure loop are independent of each other. Those of a reduction loop are not.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  if (HYD_BRANCH(!hyd_is_pure(h, hyd_loop_at(h, 0)))) return "a reduction loop runs in its order; reverse a pure loop";
  return NULL;
}

// The last value of the loop that is taken.
static const hyd_expr *last(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return hyd_sub(h, hyd_add(h, hyd_min(h, x), hyd_length(h, x)), hyd_number(h, 1));
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_loop *xr = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_stmt *let = hyd_make_let(h, x, hyd_sub(h, last(h), hyd_variable(h, xr)), NULL, hyd_body(h));
  return hyd_make_for(h, xr, hyd_number(h, 0), hyd_length(h, x), let);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  (void)number; // there is one loop
  return hyd_sub(h, last(h), hyd_variable(h, hyd_loop_at(h, 0)));
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "reverse",
                                         .form = "reverse(f.x, xr)",
                                         .summary = "runs a pure loop from its last iteration to its first",
                                         .arguments = {HYD_LOOP, HYD_NAME},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
