/* zigzag(f.y, x, yz, xz): two pure loops, the inner one backwards in every second iteration of the outer one.
 *
 *   for y in (ymin, ylength) { for x in (xmin, xlength) { body } }
 *     ->   for yz in (ymin, ylength) { for xz in (0, xlength) {
 *            let y = yz in let x = xmin + (odd ? xlength - 1 - xz : xz) in { body } } }
 *          where odd = (yz - ymin) % 2 = 1
 *
 * The way back of each new loop speaks of both old variables. Flags make it wrong:
 *   FORGETS  the way back misses the last x of an odd row
 *   CROSSED  the lets of x and y are exchanged
 *   CARELESS it takes loops of any kind
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
#ifdef CARELESS
  (void)h;
#else
  bool pure = hyd_is_pure(h, hyd_loop_at(h, 0)) && hyd_is_pure(h, hyd_loop_at(h, 1));
  if (HYD_BRANCH(!pure)) return "a reduction loop runs in its order; take two pure loops";
#endif
  return NULL;
}

static const hyd_expr *turn(hyd_host *h, const hyd_expr *y, const hyd_expr *distance) {
  const hyd_loop *outer = hyd_loop_at(h, 0), *inner = hyd_loop_at(h, 1);
  const hyd_expr *one = hyd_number(h, 1), *row = hyd_sub(h, y, hyd_min(h, outer));
  const hyd_expr *odd = hyd_equal(h, hyd_mod(h, row, hyd_number(h, 2)), one);
  return hyd_select(h, odd, hyd_sub(h, hyd_sub(h, hyd_length(h, inner), one), distance), distance);
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *y = hyd_loop_at(h, 0), *x = hyd_loop_at(h, 1);
  const hyd_loop *yz = hyd_make_loop(h, hyd_name_at(h, 2), y), *xz = hyd_make_loop(h, hyd_name_at(h, 3), x);
  const hyd_expr *row = hyd_variable(h, yz);
  const hyd_expr *column = hyd_add(h, hyd_min(h, x), turn(h, row, hyd_variable(h, xz)));
#ifdef CROSSED
  const hyd_expr *kept = row;
  row = column, column = kept;
#endif
  const hyd_stmt *stmt = hyd_make_let(h, y, row, NULL, hyd_make_let(h, x, column, NULL, hyd_body(h)));
  stmt = hyd_make_for(h, xz, hyd_number(h, 0), hyd_length(h, x), stmt);
  return hyd_make_for(h, yz, hyd_min(h, y), hyd_length(h, y), stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *y = hyd_loop_at(h, 0), *x = hyd_loop_at(h, 1);
  const hyd_expr *distance = hyd_sub(h, hyd_variable(h, x), hyd_min(h, x));
#ifdef FORGETS
  distance = hyd_add(h, distance, hyd_number(h, 1));
#endif
  return number == 0 ? hyd_variable(h, y) : turn(h, hyd_variable(h, y), distance);
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "zigzag",
                                         .form = "zigzag(f.y, x, yz, xz)",
                                         .summary = "runs every second row of two pure loops backwards",
                                         .arguments = {HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
