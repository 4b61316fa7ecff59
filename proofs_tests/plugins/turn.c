/* turn(f.q, r, t, w): UNSOUND. Two reduction loops, one inside the other, change places, and it claims that points with
 * equal pure keys keep their order. Only a nest of two reduction loops shows it, and only a value that depends on their
 * order: of the random programs that are made for no directive in particular one in some hundred has both.
 */

#include "halyard_directive.h"

static const char *legal(hyd_host *h) {
  bool pure = hyd_is_pure(h, hyd_loop_at(h, 0)) || hyd_is_pure(h, hyd_loop_at(h, 1));
  if (HYD_BRANCH(pure)) return "take two reduction loops";
  return NULL;
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *q = hyd_loop_at(h, 0), *r = hyd_loop_at(h, 1);
  const hyd_loop *t = hyd_make_loop(h, hyd_name_at(h, 2), r), *w = hyd_make_loop(h, hyd_name_at(h, 3), q);
  const hyd_stmt *stmt = hyd_make_let(h, r, hyd_variable(h, t), NULL, hyd_body(h));
  stmt = hyd_make_let(h, q, hyd_variable(h, w), NULL, stmt);
  stmt = hyd_make_for(h, w, hyd_min(h, q), hyd_length(h, q), stmt);
  return hyd_make_for(h, t, hyd_min(h, r), hyd_length(h, r), stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) { return hyd_variable(h, hyd_loop_at(h, number == 0)); }

static hyd_order order(hyd_host *h) {
  (void)h;
  return HYD_PERMUTED;
}

const hyd_directive halyard_directive = {HYD_HEAD,
                                         .name = "turn",
                                         .form = "turn(f.q, r, t, w)",
                                         .summary = "swaps two reduction loops (unsound)",
                                         .arguments = {HYD_LOOP, HYD_INNER, HYD_NAME, HYD_NAME},
                                         .legal = legal,
                                         .rewrite = rewrite,
                                         .inverse = inverse,
                                         .order = order};
