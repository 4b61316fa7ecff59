#include "halyard/excess/excess.h"

#include "halyard/excess/divided.h"
#include "halyard/excess/excess_measure.h"
#include "halyard/excess/excess_place.h"
#include "halyard/sample.h"
#include "semantics/base/vec.h"

#include <string.h>

/* What is warned of has to be so for two windows, with other parameters in each, by a factor that neither stencils nor
 * pyramids have. Where nothing is around the computation that repeats it, what is read may not grow with the window
 * while the region stays: then it is only the window that is small.
 */

static const double FACTOR = 4;                   // of points computed to points read
static const double FACTOR_AROUND = 64;           // of a side to the window's, where values are added to an index
static const double LEAST = 8, LEAST_ONCE = 1000; // points that are computed and not read: in each iteration, at root
enum { WINDOWS = 2 };

/* -- windows -- */

typedef struct {
  int64_t side, number;
  double real;
} usual;
static const usual usuals[WINDOWS] = {{512, 5, 1.0}, {768, 8, 1.5}};

static hy_value usual_value(const hy_alg *alg, int param, const usual *u) {
  hy_param_about about = hy_alg_about(alg, param);
  hy_type type = alg->params[param]->type;
  if (about.has_estimate) return about.estimate;
  if (about.has_initial) return about.initial;
  hy_value value = hy_type_class_of(type) == HY_CLASS_FLOAT ? hy_value_from_double(type, u->real)
                                                            : hy_value_integral(type, u->number);
  return hy_alg_param_fits(alg, param, value) ? value : about.least;
}

// False: that window does not meet what the program asks for.
static bool make_arguments(const hy_pipeline *p, const usual *u, hy_arguments *a) {
  int64_t min[HY_MAX_WINDOW] = {0}, len[HY_MAX_WINDOW];
  for (int i = 0; i < p->alg->window_rank; i++) len[i] = u->side;
  hy_value *params = hy_allocate_zeroed((size_t)p->alg->param_count + 1, sizeof *params);
  bool *is_given = hy_allocate_zeroed((size_t)p->alg->param_count + 1, sizeof *is_given);
  for (int i = 0; i < p->alg->param_count; i++) {
    params[i] = usual_value(p->alg, i, u);
    is_given[i] = !p->alg->requirement_count;
  }
  hy_sampler sampler = {.seed = 1, .params = params, .is_given = is_given};
  bool made = hy_sample_make_boxes(&sampler, p, min, len, a);
  hy_free(params);
  hy_free(is_given);
  return made;
}

/* -- verdicts -- */

static bool is_one_region(const hy_excess *a, const hy_excess *b, int d) {
  return a->asked_min[d] == b->asked_min[d] && a->asked_len[d] == b->asked_len[d];
}

// The points of a table: a region that stays as it is, however wide the window. No usual window has a quarter as many.
static const double ENDLESS = 0x1p28;

static bool is_endless(const hy_excess *a, const hy_excess *b) {
  double points = 1;
  for (int d = 0; d < a->func->rank; d++)
    if (is_one_region(a, b, d)) points *= (double)a->asked_len[d];
  return points >= ENDLESS;
}

// What values index is read as often as they are loaded, in wider windows more often; where they are added to an index,
// what they may be lies around the window, however wide that is.
static bool lasts_of_values(const hy_excess *a, const hy_excess *b) {
  if (is_endless(a, b)) return true;
  if (is_one_region(a, b, a->dim)) return a->read >= b->read;
  return (double)a->asked_len[a->dim] >= FACTOR_AROUND * (double)usuals[0].side;
}

// Does it hold for wider windows, too?
static bool lasts(const hy_excess *a, const hy_excess *b) {
  if (a->loop) return true;
  if (a->why == HY_EXCESS_VALUES) return lasts_of_values(a, b);
  if (is_endless(a, b)) return true;
  for (int d = 0; d < a->func->rank; d++)
    if (is_one_region(a, b, d) && a->read_len[d] < b->read_len[d]) return false;
  return true;
}

static bool has_box_of(const hy_expr *expr, const hy_func *image) {
  for (int d = 0; d < image->rank; d++)
    if (hy_expr_mentions(expr, image->min[d]) || hy_expr_mentions(expr, image->len[d])) return true;
  return false;
}

// An image is what it is: only where it must be larger than what lies between the points that are read of it, and that
// not for its own box's sake; as a table of values where it is larger than any, or what lies around a window is.
static bool counts_for_image(const hy_excess *e, const hy_excess *other) {
  double read = 1;
  for (int d = 0; d < e->func->rank; d++) read *= (double)e->read_len[d];
  int dim = e->dim;
  if (has_box_of(e->access->low[dim], e->func) || has_box_of(e->access->high[dim], e->func)) return false;
  if (e->why == HY_EXCESS_VALUES) return is_endless(e, other) || !is_one_region(e, other, dim);
  return e->why == HY_EXCESS_UNSEEN && e->region >= FACTOR * read;
}

// The windows, each with what is measured of it: the second is looked at where the first shows an excess.
typedef struct {
  const hy_pipeline *pipeline;
  hy_arguments arguments[WINDOWS];
  hy_excess_measure *measures[WINDOWS];
  bool is_tried[WINDOWS];
} looking;

// NULL: that window cannot be looked at.
static hy_excess_measure *measure(looking *l, int window) {
  if (l->is_tried[window]) return l->measures[window];
  l->is_tried[window] = true;
  if (make_arguments(l->pipeline, &usuals[window], &l->arguments[window]))
    l->measures[window] = hy_excess_measure_new(l->pipeline, &l->arguments[window]);
  return l->measures[window];
}

// What slides is computed for what no iteration before had: the box that an iteration has is not its work.
static bool slides(const hy_stmt *stmt, const hy_func *func) {
  if (stmt->kind == HY_STMT_COMPUTE && stmt->compute.func == func) return stmt->compute.keep != NULL;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++)
    if (slides(children[i], func)) return true;
  return false;
}

static bool is_excessive(looking *l, const hy_func *func, hy_excess *e) {
  hy_excess other;
  if (slides(l->pipeline->filled->body, func)) return false;
  hy_excess_measure *first = measure(l, 0);
  if (!first || !hy_excess_of(first, func, FACTOR, e)) return false;
  if (e->region - e->read < (e->loop ? LEAST : LEAST_ONCE)) return false;
  hy_excess_measure *second = measure(l, 1);
  if (!second || !hy_excess_of(second, func, FACTOR, &other) || !lasts(e, &other)) return false;
  return !func->is_image || counts_for_image(e, &other);
}

/* -- what is said -- */

static const char bounds_follow[] =
    "clamp the index nearer to where it lies, or write it so that its bounds follow the "
    "loops (docs/language.md, \"How large a region is\")";

static void see_conversion(void *self, const hy_expr *node) {
  bool *found = self;
  *found |= node->kind == HY_EXPR_OP && node->op == HY_OP_CAST && node->type == HY_INT &&
            hy_type_class_of(node->args[0]->type) == HY_CLASS_FLOAT;
}

// int(e) of a float has 64 bits, and e + 1 may leave them: under a clamp that is any number (D67), and no bounds follow.
static void tell_bounds(const hy_pipeline *p, const hy_excess *e, hy_text *out) {
  const hy_expr *divisor = hy_divided_by(p, e->access->access->args[e->dim]);
  if (divisor) {
    hy_divided_tell(p, divisor, out);
    return;
  }
  bool is_converted = false;
  hy_expr_visit(e->access->access->args[e->dim], see_conversion, &is_converted);
  const char *range = hy_alg_range_help(p->context, p->alg, hy_excess_as_written(p, e->access->access)->args[e->dim]);
  if (range) hy_text_printf(out, "%s; or ", range);
  if (is_converted) hy_text_add(out, "write int(i32(e)) for int(e) of a float e, since sums of 32 bits fit; or ");
  hy_text_add(out, bounds_follow);
}

// Points that are not read anywhere are none less at root.
static void tell_help(const hy_pipeline *p, const hy_excess *e, hy_text *out) {
  const char *func = e->func->name;
  bool is_repeated = e->loop && e->why != HY_EXCESS_STRIDED && e->why != HY_EXCESS_APART;
  if (is_repeated) hy_text_printf(out, "compute '%s' outside of that loop; or ", func);
  switch (e->why) {
  case HY_EXCESS_VALUES:
    hy_text_add(out, "clamp the index nearer to where its values lie");
    if (e->func->is_image)
      hy_text_printf(out, ", or to the image: clamp(index, %s.min(%d), %s.max(%d))", func, e->dim, func, e->dim);
    return;
  case HY_EXCESS_UNSEEN: tell_bounds(p, e, out); return;
  case HY_EXCESS_STRIDED:
    hy_text_printf(out, "one point in %lld is read: compute '%s' inline, or make it a func of the coarser index",
                   (long long)e->step, func);
    return;
  case HY_EXCESS_APART:
    hy_text_printf(out,
                   "a region is a box, and the points lie apart in it: compute '%s' inline, or make it a func of "
                   "these points alone",
                   func);
    return;
  case HY_EXCESS_SEVERAL:
    hy_text_add(out, "read a func of its own here: a region is a box that holds the points of all loads");
    return;
  }
  HY_UNREACHABLE();
}

static void tell_index(const hy_excess *e, hy_text *out) {
  if (e->why == HY_EXCESS_SEVERAL)
    hy_text_printf(out, "index %d of this load and of others lies", e->dim + 1);
  else
    hy_text_printf(out, "index %d of this load may be anything", e->dim + 1);
  hy_text_printf(out, " from %lld to %lld", (long long)e->least, (long long)e->greatest);
}

static void tell(const hy_pipeline *p, const hy_arguments *a, const hy_excess *e, hy_diagnostics *diagnostics) {
  hy_text help = {0}, where = {0}, index = {0}, sample = {0};
  tell_help(p, e, &help);
  tell_index(e, &index);
  if (e->loop) {
    hy_text_add(&where, " in each iteration of ");
    hy_var_print(e->loop, &where);
  }
  hy_warn(diagnostics, HY_E_WIDE_REGION, hy_excess_place(p, e->access), NULL, hy_text_string(&help),
          "'%s' %s %.0f points%s, of which %.0f %s read: %s", e->func->name,
          e->func->is_image ? "has to hold" : "is computed for", e->region, hy_text_string(&where), e->read,
          e->read == 1 ? "is" : "are", hy_text_string(&index));
  hy_sample_print(p->alg, a, &sample);
  hy_note(diagnostics, HY_E_WIDE_REGION, (hy_loc){0}, "counted for the %s", hy_text_string(&sample));
  hy_text_free(&help);
  hy_text_free(&where);
  hy_text_free(&index);
  hy_text_free(&sample);
}

void hy_excess_report(hy_pipeline *p, hy_diagnostics *diagnostics) {
  hy_excess e;
  looking l = {.pipeline = p};
  for (int i = 0; i < p->filled->func_count && p->asked.count; i++)
    if (!hy_alg_output(p->alg, p->filled->funcs[i]) && is_excessive(&l, p->filled->funcs[i], &e))
      tell(p, &l.arguments[0], &e, diagnostics);
  for (int k = 0; k < p->alg->image_count && p->asked.count; k++)
    if (is_excessive(&l, p->alg->images[k], &e)) tell(p, &l.arguments[0], &e, diagnostics);
  for (int i = 0; i < WINDOWS; i++) {
    hy_excess_measure_free(l.measures[i]);
    if (l.is_tried[i]) hy_arguments_free(&l.arguments[i]);
  }
}
