#ifndef HY_ESTIMATES_H
#define HY_ESTIMATES_H

/* For which sizes a schedule is looked for: numbers for parameters, the boxes of images, the windows of outputs, and of
 * funcs where it is said how much of them is needed. They are estimates: a schedule found for them is right for all.
 */

#include "semantics/alg/alg.h"

// Points [min, min + len) in each dimension.
typedef struct hy_box {
  int rank;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
} hy_box;

typedef struct hy_estimates {
  hy_value *params; // by position in alg->params
  bool *has_param;
  hy_box *boxes;   // by hy_func.index, images and funcs
  uint32_t *known; // bit d of [index]: dimension d of that box was said
} hy_estimates;

// Nothing is known. In the context's arena.
hy_estimates *hy_estimates_new(hy_context *context, const hy_alg *alg);
// Are all dimensions of the func's or image's box known?
bool hy_estimates_knows(const hy_estimates *estimates, const hy_func *func);

// What is missing that a size depends on: windows of outputs, parameters in bounds and coordinates, ends of images'
// boxes there. Calls "missing" for each, as --estimate names it ("out.x", "w", "in.1"); "param" is NULL for sides. How
// many.
typedef void hy_estimate_missing(void *self, const char *name, const hy_var *param);
int hy_estimates_missing(hy_context *context, const hy_alg *alg, const hy_estimates *estimates,
                         hy_estimate_missing *missing, void *self);

// The number of points; false: more than fit 2^62.
bool hy_box_points(const hy_box *box, int64_t *points);

#endif
