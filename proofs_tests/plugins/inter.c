/* inter(f.y, x, a, b): SOUND. Two loops, x directly inside of y, change places, one of them pure at least: swap, by a
 * relation of its own. Of a pure and a reduction loop it has a let whose loop nothing but the reduction settles.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  bool both = !hyd_is_pure(h, hyd_loop_at(h, 0)) && !hyd_is_pure(h, hyd_loop_at(h, 1));
  if (HYD_BRANCH(both)) return "one of the two has to be pure";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *y = hyd_loop_at(h, 0), *x = hyd_loop_at(h, 1);
  const hyd_loop *a = hyd_make_loop(h, hyd_name_at(h, 2), x), *b = hyd_make_loop(h, hyd_name_at(h, 3), y);
  const hyd_stmt *s = hyd_make_let(h, x, hyd_variable(h, a), NULL, hyd_body(h));
  s = hyd_make_let(h, y, hyd_variable(h, b), NULL, s);
  s = hyd_make_for(h, b, hyd_min(h, y), hyd_length(h, y), s);
  return hyd_make_for(h, a, hyd_min(h, x), hyd_length(h, x), s);
}

static const hyd_expr *inverse(hyd_host *h, int number) { return hyd_variable(h, hyd_loop_at(h, number == 0 ? 1 : 0)); }

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "inter",
                                         .form = "inter(f.y, x, a, b)",
                                         .summary = "exchanges a loop with the one directly inside it",
                                         .arguments = {HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
