/* wave(f.y, x, t, w): two pure loops, one inside the other, run along anti-diagonals.
 *
 *   for y in (ymin, ylength) { for x in (xmin, xlength) { body } }
 *     ->   for t in (0, xlength + ylength) {
 *            for w in (first, max(0, end - first)) { let x = xmin + w in let y = ymin + t - w in { body } } }
 *          where first = max(0, t - ylength + 1), end = min(xlength, t + 1)
 *
 * The points of one t are those with (x - xmin) + (y - ymin) = t. With w parallel, t is the front of a wave.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  bool pure = hyd_is_pure(h, hyd_loop_at(h, 0)) && hyd_is_pure(h, hyd_loop_at(h, 1));
  if (HYD_BRANCH(!pure)) return "a reduction loop runs in its order; take two pure loops";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *y = hyd_loop_at(h, 0), *x = hyd_loop_at(h, 1), *t, *w;
  const hyd_expr *zero = hyd_number(h, 0), *one = hyd_number(h, 1);
  t = hyd_make_loop(h, hyd_name_at(h, 2), y);
  w = hyd_make_loop(h, hyd_name_at(h, 3), x);
  const hyd_expr *front = hyd_variable(h, t), *step = hyd_variable(h, w);
  const hyd_expr *first = hyd_maximum(h, zero, hyd_add(h, hyd_sub(h, front, hyd_length(h, y)), one));
  const hyd_expr *end = hyd_minimum(h, hyd_length(h, x), hyd_add(h, front, one));
  const hyd_stmt *stmt = hyd_make_let(h, x, hyd_add(h, hyd_min(h, x), step), NULL, hyd_body(h));
  stmt = hyd_make_let(h, y, hyd_add(h, hyd_min(h, y), hyd_sub(h, front, step)), NULL, stmt);
  stmt = hyd_make_for(h, w, first, hyd_maximum(h, zero, hyd_sub(h, end, first)), stmt);
  return hyd_make_for(h, t, zero, hyd_add(h, hyd_length(h, x), hyd_length(h, y)), stmt);
}

static const hyd_expr *from_start(hyd_host *h, int argument) {
  const hyd_loop *l = hyd_loop_at(h, argument);
  return hyd_sub(h, hyd_variable(h, l), hyd_min(h, l));
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  return number == 0 ? hyd_add(h, from_start(h, 1), from_start(h, 0)) : from_start(h, 1);
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "wave",
                                         .form = "wave(f.y, x, t, w)",
                                         .summary = "runs two pure loops along anti-diagonals",
                                         .arguments = {HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
