#ifndef HY_SCHED_H
#define HY_SCHED_H

/* Scheduling directives, each ONE transformation of a target program with holes (paper, section 8; decisions D30 to
 * D45).
 *
 * A schedule as written is first desugared into core directives in the order applied; then each is asked whether it
 * applies (reporting why not) and rewrites the program; then the final program must be legal as a whole.
 */

#include "semantics/schedule/directive.h"

// What directives there are, in the order of directives.def.
#define HY_DIRECTIVE(name) extern const hy_directive_type hy_directive_##name;
#include "sched/directives.def"
#undef HY_DIRECTIVE
const hy_directive_type *const *hy_sched_directives(int *count);
// For tables by directive: how many there are in the tree. Those from outside share the number behind them.
#define HY_DIRECTIVE(name) +1
enum {
  HY_OWN_DIRECTIVES =
#include "sched/directives.def"
};
#undef HY_DIRECTIVE
// The directive of that name, from outside the tree, too; NULL if there is none.
const hy_directive_type *hy_sched_find(hy_context *context, const char *name);
// Whether each call is of a word that there is. False after a report of the first that is not, as hy_sched_desugar has it.
bool hy_sched_knows(hy_context *context, const hy_schedule *schedule, hy_diagnostics *diagnostics);
// What else may follow a func in a chain, in the order of methods.def.
typedef struct hy_method hy_method;
const char *hy_sched_method(int number, const char **form, const char **summary); // its name; NULL: there are no more
int hy_sched_number(const hy_directive_type *type);
const char *hy_sched_name(int number); // "plugin" for HY_OWN_DIRECTIVES
const char *hy_phase_name(hy_phase phase);

// The core directives of a schedule in the order applied (sorted into phases; compute and storage consumers first).
// Reading the loops phase needs the loops that are there, so that it is applied: the programs after the first "applied"
// directives come along.
typedef struct hy_desugared {
  const hy_directive *core;
  int count;
  const hy_tgt *const *steps;
  int applied;
} hy_desugared;
//   requires: "lowered" is hy_lower's result for the schedule's pipeline
//   ensures:  false if something was reported
bool hy_sched_desugar(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule,
                      hy_diagnostics *diagnostics, hy_desugared *desugared);

// The func that a call of a chain turns to at the func of that name, one that a core directive adds; NULL: it turns to
// none.
const hy_func *hy_sched_turned(hy_context *context, const hy_directive *core, int count, const char *func,
                               const hy_call *call);

// S(s, S_i) = S_(i+1). NULL if the directive does not apply, which is reported.
const hy_tgt *hy_sched_apply(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                             hy_diagnostics *diagnostics);

// The loops where a func may be computed (hy_directive_compute_at) or stored (hy_directive_store_at), outermost first:
// for each of them hy_sched_apply would not be NULL. malloc'd.
//   requires: func is not the output
HY_GIVE const hy_stmt **hy_sched_sites(const hy_tgt *tgt, const hy_directive_type *type, const hy_func *func,
                                       size_t *count);
// The loops in which a compute_at of a chain or of the core may spread the func over the specializations of its consumer
// (SCH.Spread), each by that of the general case.
HY_GIVE const hy_stmt **hy_sched_spread_sites(const hy_tgt *tgt, const hy_func *func, size_t *count);

// Rules that speak of the final program only (decisions D33, D38). "core" tells which directive to blame; it may be
// empty (a .tgt file), then "fallback" is blamed.
bool hy_sched_legal(hy_context *context, const hy_tgt *tgt, const hy_directive *core, int count, hy_loc fallback,
                    hy_diagnostics *diagnostics);

// Legality that needs filled bounds: vectorized and unrolled loops have constant extents (decision D45), and what
// slides computes less for it (D85).
bool hy_sched_extents(hy_context *context, const hy_tgt *filled, const hy_directive *core, int count, hy_loc fallback,
                      hy_diagnostics *diagnostics);

const char *hy_order_class_name(hy_order_class order); // "EQ", "REPEAT-IDEMPOTENT", ...

// The promise of one application. Exact factors (a constant extent that they divide) give HY_ORDER_EQUAL.
//   requires: the directive applies to "before"
hy_order_class hy_sched_order_class(hy_context *context, const hy_tgt *before, const hy_directive *directive);

#endif
