/* late(f.x, r, part, xo, k): SOUND. Of a pure loop x inside of a reduction loop r it makes two loops: "part", in (0, 2),
 * and xo. What comes before k in r runs where part is 1, the rest where it is 0: nothing that anybody sees, until r goes
 * inside of part. That is not sound, since part is a pure loop that does not follow from the point that is written.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  if (HYD_BRANCH(!hyd_is_pure(h, hyd_loop_at(h, 0)))) return "take a pure loop";
  return NULL;
}

static const hyd_expr *part_of(hyd_host *h) {
  const hyd_expr *r = hyd_variable(h, hyd_loop_at(h, 1));
  return hyd_select(h, hyd_less(h, r, hyd_expr_at(h, 4)), hyd_number(h, 1), hyd_number(h, 0));
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  const hyd_loop *part = hyd_make_loop(h, hyd_name_at(h, 2), x), *xo = hyd_make_loop(h, hyd_name_at(h, 3), x);
  const hyd_expr *zero = hyd_number(h, 0), *old = hyd_add(h, hyd_min(h, x), hyd_variable(h, xo));
  const hyd_expr *guard = hyd_equal(h, hyd_variable(h, part), part_of(h));
  const hyd_stmt *let = hyd_make_let(h, x, old, guard, hyd_body(h));
  return hyd_make_for(h, part, zero, hyd_number(h, 2), hyd_make_for(h, xo, zero, hyd_length(h, x), let));
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return number == 0 ? part_of(h) : hyd_sub(h, hyd_variable(h, x), hyd_min(h, x));
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "late",
                                         .form = "late(f.x, r, part, xo, k)",
                                         .summary = "runs the later part of a reduction where part is 0",
                                         .arguments = {HYD_LOOP, HYD_AROUND, HYD_NAME, HYD_NAME, HYD_NUMBER},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse};
