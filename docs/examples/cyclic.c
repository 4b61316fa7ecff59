/* cyclic(f.x, c, q, k): a pure loop's iterations are dealt out in turn, as cards to k players.
 *
 *   for x in (min, length) { body }
 *     ->   for c in (0, k) { for q in (0, (length - c + k - 1)/k) { let x = min + k*q + c in { body } } }
 *
 * With c parallel, each of k workers gets every k-th iteration. The length of the loop q depends on c, so Halyard
 * refuses a vectorized c, and a split of c that leaves its range.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  if (HYD_BRANCH(!hyd_is_pure(h, hyd_loop_at(h, 0)))) return "a reduction loop runs in its order; take a pure loop";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *c, *q;
  const hyd_expr *k = hyd_expr_at(h, 3), *spare = hyd_sub(h, k, hyd_number(h, 1));
  c = hyd_make_loop(h, hyd_name_at(h, 1), x);
  q = hyd_make_loop(h, hyd_name_at(h, 2), x);
  const hyd_expr *left = hyd_sub(h, hyd_length(h, x), hyd_variable(h, c));
  const hyd_expr *value = hyd_add(h, hyd_mul(h, k, hyd_variable(h, q)), hyd_variable(h, c));
  const hyd_stmt *stmt = hyd_make_let(h, x, hyd_add(h, hyd_min(h, x), value), NULL, hyd_body(h));
  stmt = hyd_make_for(h, q, hyd_number(h, 0), hyd_div(h, hyd_add(h, left, spare), k), stmt);
  return hyd_make_for(h, c, hyd_number(h, 0), k, stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_expr *k = hyd_expr_at(h, 3), *from_start = hyd_sub(h, hyd_variable(h, x), hyd_min(h, x));
  return number == 0 ? hyd_mod(h, from_start, k) : hyd_div(h, from_start, k);
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "cyclic",
                                         .form = "cyclic(f.x, c, q, k)",
                                         .summary = "runs every k-th iteration of a loop, then those next to them",
                                         .arguments = {HYD_LOOP, HYD_NAME, HYD_NAME, HYD_FACTOR},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
