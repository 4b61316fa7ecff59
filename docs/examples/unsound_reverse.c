/* reverse_any(f.x, xr): UNSOUND. The loop runs backwards, as in reverse.c, but any loop may be taken.
 *
 * What was forgotten: the order of a reduction's iterations is part of what the program means (a scan, a sum of floats,
 * the last write that wins). It claims that points with equal pure keys keep their order, which they do not.
 */

#include "halyard_directive.h"

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
  (void)number;
  return hyd_sub(h, last(h), hyd_variable(h, hyd_loop_at(h, 0)));
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "reverse_any",
                                         .form = "reverse_any(f.x, xr)",
                                         .summary = "runs a loop from its last iteration to its first (unsound)",
                                         .arguments = {HYD_LOOP, HYD_NAME},
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
