#ifndef HY_REWRITE_H
#define HY_REWRITE_H

#include "sched/sched.h"

/* -- order_class.c: what records say of the order of points -- */

// Where values of "var" beyond the end of its range lead.
hy_order_class hy_order_overflow(const hy_stmt *root, const hy_var *var);
hy_order_class hy_order_of_move(hy_context *context, const hy_tgt *before, const hy_directive *directive);
hy_order_class hy_order_of_bounds(hy_context *context, const hy_tgt *before, const hy_directive *directive);

/* -- tree.c: finding and rebuilding -- */

const hy_tgt *hy_tree_with_body(hy_context *context, const hy_tgt *tgt, const hy_stmt *body);
// The program with the statement "old" (by identity; it occurs once) replaced.
const hy_stmt *hy_tree_replace(hy_context *context, const hy_stmt *root, const hy_stmt *old, const hy_stmt *new);
const hy_stmt *hy_tree_loop(const hy_stmt *root, const hy_var *var); // the FOR over var, or NULL
const hy_stmt *hy_tree_find(const hy_stmt *root, hy_stmt_kind kind,
                            const hy_func *func); // ALLOCATE, COMPUTE, func LABEL
bool hy_tree_contains(const hy_stmt *root, const hy_stmt *inner);
bool hy_tree_reads(const hy_stmt *root, const hy_func *func); // anywhere below, in any expression
// split.c: the program with "factor >= 1" checked at entry, unless it is a constant (decision D34).
const hy_tgt *hy_tree_assume_factor(hy_context *context, const hy_tgt *tgt, const hy_expr *factor);
// Renames a loop variable in all expressions and let origins below.
const hy_stmt *hy_tree_rename(hy_context *context, const hy_stmt *stmt, const hy_var *from, const hy_var *to);
// In the relations of lets that are not inside the loop: what the loop was called is called otherwise from now on.
const hy_stmt *hy_tree_rename_around(hy_context *context, const hy_stmt *root, const hy_stmt *loop, const hy_var *from,
                                     const hy_var *to);
// Statements from the root down to "target", both included; *count of them (malloc'd), or NULL if it is not there.
HY_GIVE const hy_stmt **hy_tree_path(const hy_stmt *root, const hy_stmt *target, int *count);
// Calls visit for every statement below, parents first.
void hy_tree_visit(const hy_stmt *root, void (*visit)(void *self, const hy_stmt *stmt), void *self);

// The first loop inside whose length, or with "or_minimum" whose minimum too, depends on var, directly or through lets;
// or NULL. Halyard's own directives make none; those from outside the tree may.
const hy_stmt *hy_tree_loop_depending(const hy_stmt *stmt, const hy_var *var, bool or_minimum);

// push-down (Figure 12 and decision D30): walks past for and let until one that mentions "var" or "other" (may be
// NULL).
typedef const hy_stmt *hy_wrap(hy_context *context, const hy_stmt *body, const void *self);
const hy_stmt *hy_tree_push_down(hy_context *context, const hy_stmt *stmt, const hy_var *var, const hy_var *other,
                                 hy_wrap *wrap, const void *self);

/* -- split.c: what a split asks, for whoever makes two loops of one; each reports and is false if it is not so -- */

bool hy_split_factor_applies(hy_context *context, const hy_directive *directive, hy_diagnostics *diagnostics);
bool hy_split_tail_applies(hy_context *context, const hy_directive *directive, hy_diagnostics *diagnostics);
bool hy_split_names_free(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                         hy_diagnostics *diagnostics);

/* -- specialize.c -- */

// Of what is wrong with the copy for that condition: which loops it begins with.
void hy_specialize_note(hy_diagnostics *diagnostics, hy_loc loc, const hy_func *func, const hy_expr *condition);

/* -- names.c -- */

// The loop that the argument at a position names, those behind the first by names of the same stage; NULL: it names
// none.
const hy_var *hy_names_argument(hy_context *context, const hy_directive *directive, int position);

// The loop that a directive works on, or NULL after reporting (unknown; consumed by an earlier directive).
const hy_stmt *hy_names_loop(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                             hy_diagnostics *diagnostics);
// Is "name" free for a new loop beside those of loop's stage? "consumed" names may be taken over. Reports if not.
bool hy_names_free(hy_context *context, const hy_tgt *tgt, const hy_directive *directive, const char *name,
                   const char *const consumed[2], hy_diagnostics *diagnostics);
// Is there a for or let over that variable?
bool hy_names_is_live(const hy_stmt *root, const hy_var *var);
// The variable under which the body shall know a consumed loop: itself, or a fresh one if its name is taken over.
const hy_var *hy_names_let(hy_context *context, const hy_tgt *tgt, const hy_var *loop, const char *const *taken,
                           int count);
// "h.s1.x, h.s1.y, root" for messages, in the context's arena.
const char *hy_names_list_loops(hy_context *context, const hy_stmt *const *loops, size_t count, bool and_root);
const char *hy_names_of(hy_context *context, const hy_var *var);

/* -- plan/plan_phase.c: what the directives share that change the storage plan of an allocation, and nothing else.
 * Whether a plan is right is no question of theirs: B judges it as if it had been written by hand (B.Fold). -- */

// Is the func's storage the program's own? Reports if it is the output's.
bool hy_plan_is_ours(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                     hy_diagnostics *diagnostics);
// The directive's number, from 1 to 2^31. Reports, and false, if it is not.
bool hy_plan_number(hy_context *context, const hy_directive *directive, hy_diagnostics *diagnostics, int64_t *number);
// "said": whether the plan says already what the directive is to say. Reports if so.
bool hy_plan_once(hy_context *context, const hy_directive *directive, bool said, hy_diagnostics *diagnostics);
// The plan of the func's allocation.
hy_plan hy_plan_before(const hy_tgt *tgt, const hy_func *func);
// The program with that plan in its place.
const hy_tgt *hy_plan_put(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_plan *plan);

/* -- plan/laid.c: what the directives share that speak of the caller's memory -- */

// Is the func an image or an output? Reports if not.
bool hy_laid_is_the_callers(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                            hy_diagnostics *diagnostics);
// May the stride that the directive names be said of its func? Reports if not.
bool hy_laid_stride_applies(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                            hy_diagnostics *diagnostics);
// requires: it is a constant
int64_t hy_laid_number(const hy_directive *directive);
// The program with a line for that func, *laid, which the caller changes.
const hy_tgt *hy_laid_put(hy_context *context, const hy_tgt *tgt, const hy_func *func, hy_laid **laid);

#endif
