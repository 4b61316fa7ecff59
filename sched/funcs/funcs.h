#ifndef HY_FUNCS_H
#define HY_FUNCS_H

/* What the directives share that add a func to a program as it was lowered (the funcs phase): the symbol, the
 * statements, who reads what. The algorithm stays what it is: the table of the program's funcs (hy_tgt.funcs) has one
 * more.
 */

#include "sched/rewrite.h"

// A symbol of its own for a func that a directive adds to a program: like another one (a func, or an image), of the
// rank and with the dimensions given. Its index is the next one that the program does not use.
const hy_func *hy_funcs_make(hy_context *context, const hy_tgt *tgt, const hy_func *like, const char *name, int rank,
                             const char *const *dims, hy_loc loc);
// The same with the dimensions of a func; those of an image are called _0, _1, ...
const hy_func *hy_funcs_make_like(hy_context *context, const hy_tgt *tgt, const hy_func *like, const char *name,
                                  hy_loc loc);

// The one that the directive adds: of rfactor with one dimension more than its func.
const hy_func *hy_funcs_make_for(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                                 const char *name, hy_loc loc);
// What a chain calls it: f_in_g, f_in, f_clone_in_g_h.
const char *hy_funcs_chain_name(hy_context *context, const hy_directive_type *type, const hy_func *func,
                                const hy_func *const *readers, int count);

// f_intm; of an update behind the first f_intm_1, ...
const char *hy_funcs_factor_name(hy_context *context, const hy_func *func, int stage);

// SCH.Fresh: may the func that the directive adds be called as it is? Reports if not.
bool hy_funcs_name_free(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                        hy_diagnostics *diagnostics);

// Does the computation of "reader" read the func, or image?
bool hy_funcs_reads(const hy_tgt *tgt, const hy_func *reader, const hy_func *func);
bool hy_funcs_is_reader(const hy_directive *directive, const hy_func *reader); // does the directive name it?
// All that read it, but for what wraps it already: as Halide, which leaves those as they are. *readers has the result
// of them, in the order of definition.
int hy_funcs_all_readers(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *const **readers);
// DIR.Funcs.Reader: is there a reader, and does each read the func? Reports if not.
bool hy_funcs_has_readers(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                          hy_diagnostics *diagnostics);

// The program with one more func: its allocation and its computation stand right behind the computation of "func", or
// before all others if that is an image, and the directive's readers read it instead; of rfactor right before "func".
const hy_tgt *hy_funcs_insert(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                              const hy_stmt *label, int stages);
// The table of the program's funcs with the one more that the directive adds.
void hy_funcs_add_to_table(hy_context *context, hy_tgt *after, const hy_directive *directive, int stages);
// The labelled computation of a func as that of another one: its loops, holes, accesses to itself and assignments.
const hy_stmt *hy_funcs_copy(hy_context *context, const hy_stmt *label, const hy_func *from, const hy_func *to);
// An allocation, and a box of a computation, as lowering makes them.
const hy_stmt *hy_funcs_allocate(hy_context *context, const hy_func *func);
const hy_interval *hy_funcs_box(hy_context *context, const hy_func *func);
// Of a loop of a stage that is not the last (LOW.Hole-Share).
hy_interval hy_funcs_own_range(hy_context *context, const hy_func *func, int dim, const hy_var *loop);

// A stage as it was lowered: pure loops, then those of the reduction, then its predicate.
typedef struct {
  const hy_stmt *label;
  const hy_stmt *loops[HY_MAX_RANK + 64]; // outermost first
  int loop_count;
  const hy_expr *predicate; // NULL: none
  const hy_stmt *assign;
} hy_lowered_stage;

// The stage of a loop.
hy_lowered_stage hy_funcs_stage(const hy_tgt *tgt, const hy_var *loop);
hy_lowered_stage hy_funcs_stage_at(const hy_tgt *tgt, const hy_func *func, int number);
// Is the loop's variable itself a coordinate of what the stage updates?
bool hy_funcs_names_point(const hy_lowered_stage *stage, const hy_var *loop);

// sugar_vectors.c: would an rfactor of that loop be proved? False where there is no such loop.
bool hy_funcs_may_take_apart(hy_context *context, const hy_tgt *tgt, const hy_var *loop);

// copy.c: does anything that the directive means read its func, and does anything else?
bool hy_funcs_is_meant(const hy_directive *directive, const hy_func *reader, int branch);
int hy_funcs_reads_of(const hy_tgt *tgt, const hy_directive *directive, bool meant);
// "g_o_z1", or a name that is free: what the copy of a func is called that a compute_at makes.
const char *hy_funcs_copy_name(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *reader,
                               int branch);

// Holes of the func that is added.
bool hy_funcs_may_add(const hy_directive *directive, const hy_hole *hole);

#endif
