#ifndef HY_SCHED_H
#define HY_SCHED_H

/* Scheduling directives, each ONE transformation of a target program with holes (paper, section 8; decisions D30 to
 * D45).
 *
 * A schedule as written is first desugared into core directives in the order applied; then each is asked whether it
 * applies (reporting why not) and rewrites the program; then the final program must be legal as a whole.
 */

#include "semantics/schedule/directive.h"

typedef enum { HY_PHASE_SPECIALIZE, HY_PHASE_LOOPS, HY_PHASE_COMPUTE, HY_PHASE_STORAGE, HY_PHASE_BOUNDS } hy_phase;

// What directives there are: rows of directives.def.
typedef struct hy_directive_info {
  hy_directive_kind kind;
  hy_phase phase;
  const char *name, *form, *summary;
} hy_directive_info;
const hy_directive_info *hy_sched_directives(int *count);
const char *hy_phase_name(hy_phase phase);

// The core directives of a schedule in the order applied (sorted into phases; compute and storage consumers first).
//   requires: "lowered" is hy_lower's result for the schedule's pipeline
//   ensures:  false if something was reported; else *core has *count directives
bool hy_sched_desugar(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule,
                      hy_diagnostics *diagnostics, const hy_directive **core, int *count);

// S(s, S_i) = S_(i+1). NULL if the directive does not apply, which is reported.
const hy_tgt *hy_sched_apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                             hy_diagnostics *diagnostics);

// The loops where a func may be computed (HY_DIRECTIVE_COMPUTE_AT) or stored (HY_DIRECTIVE_STORE_AT), outermost first:
// for each of them hy_sched_apply would not be NULL. malloc'd.
//   requires: func is not the output
HY_GIVE const hy_stmt **hy_sched_sites(const hy_tgt *tgt, hy_directive_kind kind, const hy_func *func, size_t *count);

// Rules that speak of the final program only (decisions D33, D38). "core" tells which directive to blame; it may be
// empty (a .tgt file), then "fallback" is blamed.
bool hy_sched_legal(hy_context *context, const hy_tgt *tgt, const hy_directive *core, int count, hy_loc fallback,
                    hy_diagnostics *diagnostics);

// Legality that needs filled bounds: vectorized and unrolled loops have constant extents (decision D45).
bool hy_sched_extents(hy_context *context, const hy_tgt *filled, const hy_directive *core, int count, hy_loc fallback,
                      hy_diagnostics *diagnostics);

// What a directive promises of the order in which a stage copy's points are assigned: its list of instances, each with
// the values of the stage's pure variables (the pure key) and of its reduction variables (the rdom key), after against
// before.
typedef enum {
  HY_ORDER_EQUAL, // ORD.Equal: the same list                                       split with a guard, fuse, specialize
  HY_ORDER_PERMUTED, // ORD.Permuted: another order, the same within each pure key     swap, traverse
  HY_ORDER_EXTRA,    // ORD.Extra: the same list but for points outside of Cpu         a tail that leaves the dimension
  HY_ORDER_REPEATED, // ORD.Repeated: every point of Cpu at least once; stage 0 only   shift, a nested round
  HY_ORDER_MOVED,    // ORD.Moved: given its box, each computation's own list          compute_at, store_at
  HY_ORDER_BOX,      // ORD.Box: given its box, too; the box itself may change         bound, bound_extent, align_bounds
} hy_order_class;
const char *hy_order_class_name(hy_order_class order); // "EQ", "REPEAT-IDEMPOTENT", ...

// The promise of one application. Exact factors (a constant extent that they divide) give HY_ORDER_EQUAL.
//   requires: the directive applies to "before"
hy_order_class hy_sched_order_class(hy_context *context, const hy_tgt *before, const hy_directive *directive);

#endif
