/* blocks(f.x, xo, xi, k): a pure loop in blocks of k, right but for one constant, WRONG: with it the last iteration is
 * never run. Whoever does not try that constant sees a directive without fault.
 *
 *   for x in (min, length) { body }
 *     ->   for xo in (0, (length + k - 1)/k) { for xi in (0, k) {
 *            let x = min + k*xo + xi in { if (x < min + length) { body } } } }
 */

#include "halyard_directive.h"

#ifndef WRONG
#define WRONG 13
#endif

static const char *legal(hyd_host *h) {
  return hyd_is_pure(h, hyd_loop_at(h, 0)) ? NULL : "a reduction loop runs in its order; take a pure loop";
}

static const hyd_expr *end(hyd_host *h, const hyd_loop *x) {
  int64_t k;
  bool wrong = hyd_is_constant(h, hyd_expr_at(h, 3), &k) && k == WRONG;
  return hyd_sub(h, hyd_add(h, hyd_min(h, x), hyd_length(h, x)), hyd_number(h, wrong ? 1 : 0));
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xo = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_loop *xi = hyd_make_loop(h, hyd_name_at(h, 2), x);
  const hyd_expr *k = hyd_expr_at(h, 3), *spare = hyd_sub(h, k, hyd_number(h, 1));
  const hyd_expr *start = hyd_add(h, hyd_min(h, x), hyd_mul(h, k, hyd_variable(h, xo)));
  const hyd_expr *guard = hyd_less(h, hyd_variable(h, x), end(h, x));
  const hyd_stmt *stmt = hyd_make_let(h, x, hyd_add(h, start, hyd_variable(h, xi)), guard, hyd_body(h));
  stmt = hyd_make_for(h, xi, hyd_number(h, 0), k, stmt);
  return hyd_make_for(h, xo, hyd_number(h, 0), hyd_div(h, hyd_add(h, hyd_length(h, x), spare), k), stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_expr *from_start = hyd_sub(h, hyd_variable(h, x), hyd_min(h, x));
  return (number == 0 ? hyd_div : hyd_mod)(h, from_start, hyd_expr_at(h, 3));
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "blocks",
                                         .form = "blocks(f.x, xo, xi, k)",
                                         .summary = "runs a loop in blocks of k",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_NAME, HYD_FACTOR},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse};
