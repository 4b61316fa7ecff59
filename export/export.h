#ifndef HY_EXPORT_H
#define HY_EXPORT_H

/* The same algorithm with the same schedule, or alone, for Halide: a module of Python for Halide's own bindings, or a program in
 * C++, whose function build() makes the pipeline. What Halide would compute otherwise is written so that it computes
 * the same (sums of i32 and i64 in unsigned numbers, floats' conversions in their ranges); what cannot be is refused,
 * with the reason.
 *
 * An int is 64 bits in values and 32 bits in coordinates, as Halide's are. Coordinates and whole parameters are taken
 * to lie within +-2^20: an index that could leave 32 bits then is refused.
 *
 * Source: Halide's own documentation of Expr, Func and Stage, versions 14 to 21.
 */

#include "semantics/alg/alg.h"
#include "semantics/schedule/directive.h"

struct hy_export_dialect;
extern const struct hy_export_dialect hy_export_python_dialect, hy_export_cpp_dialect;

// HY_EXPORT_IDIOMATIC writes what somebody would write who had Halide alone, and whose bits may be others: an int has 32
// bits, sums may overflow, math functions, extrema, comparisons of floats and their conversions are Halide's own. It is
// for comparing speed, and never for judging either.
typedef enum { HY_EXPORT_EXACT, HY_EXPORT_IDIOMATIC } hy_export_style;

// Writes the module, or the program. False after reporting HY1001: the first construct whose meaning Halide does not
// have.
//   core: the directives after desugaring, in the order applied
bool hy_export(const struct hy_export_dialect *dialect, hy_export_style style, const hy_alg *alg,
               const hy_directive *core, int core_count, hy_text *out, hy_diagnostics *diagnostics);

// About how large things will be, as somebody else knows it; false: nothing is known.
typedef struct hy_export_estimates {
  void *self;
  bool (*side)(void *self, const hy_func *func, int dim, int64_t *min, int64_t *len); // of an output or an image
  bool (*param)(void *self, int param, hy_value *value);                              // by position
} hy_export_estimates;

// The algorithm alone, with estimates: what Halide's own automatic schedulers take. All of Halide's funcs are inlined
// then, but those with updates. False as above.
bool hy_export_algorithm(const struct hy_export_dialect *dialect, hy_export_style style, const hy_alg *alg,
                         const hy_export_estimates *estimates, hy_text *out, hy_diagnostics *diagnostics);

// Is the output computed apart, and its window copied from it? Halide wants an output that holds whatever its updates
// write, whatever its rounded loops compute, and whatever other funcs read of it; ours drops what lies outside of the
// window.
bool hy_export_copies(const hy_alg *alg, const hy_func *output, const hy_directive *core, int core_count);

#endif
