#ifndef HY_FILL_INTERNAL_H
#define HY_FILL_INTERNAL_H

/* How the interval oracle works: holes are filled from the output backwards, consumers before producers.
 *
 *   fill.c         the order of the work, and the filled program
 *   fill_sites.c   the assignments, computes and allocates, what they read, the facts on the way to them
 *   fill_boxes.c   boxes: widening them, closing them into intervals, what a directive demands of them
 *   fill_cpu.c     Cpu
 *   fill_mem.c     Mem
 *   fill_need.c    what images have to hold
 *   fill_slide.c   what the loops of a computation that keeps range over
 *   fill_values.c  between which numbers the values of funcs lie
 *   fill_lengths.c what is assumed of lengths that are products
 */

#include "oracle/fill/demand.h"
#include "oracle/fill/region.h"
#include "oracle/oracle.h"
#include "oracle/prover/pair_map.h"
#include "semantics/base/vec.h"
#include "semantics/tgt/values.h"

typedef HY_VEC(const hy_expr *) hy_fill_exprs;

typedef struct {
  bool known;
  const hy_expr *low[HY_MAX_RANK], *high[HY_MAX_RANK]; // inclusive; high < low is empty
  hy_interval interval[HY_MAX_RANK];
} hy_fill_box;

// One assignment (or, with assign NULL, one compute or allocate statement) and the way to it.
typedef struct {
  const hy_stmt **path;
  int depth;
  const hy_stmt *assign, *compute;
  hy_fill_exprs facts; // filled in once the consumer's bounds are known
  bool has_facts;
  size_t *facts_at;            // by position in the path, and at its end: how many of the facts hold above it
  hy_fill_exprs reads, nested; // accesses, each once; those that form an address
} hy_fill_site;

struct hy_fills {
  hy_context *context;
  const hy_tgt *tgt;
  hy_diagnostics *diagnostics;
  hy_affine_table *table;
  hy_prover *prover;
  const hy_values *values;
  hy_fill_box *cpu, *mem, *need;      // by func->index; for images "mem" is the need
  hy_fill_box *fresh;                 // by func->index: what loops range over whose computation keeps
  hy_fill_site *computes, *allocates; // by func->index
  HY_VEC(hy_fill_site) sites;
  HY_VEC(hy_constraint) constraints;
  hy_pair_map applied;       // expression with holes -> with the fills found so far
  const hy_fill_site *scope; // the compute of the func that is being filled; NULL: the entry
  bool slides;               // are the loops' holes of what keeps filled with what is new, or still with the box?
  bool failed;
  hy_region_effort effort; // of all bounds together
  bool tells;              // which access asked for what
  HY_VEC(hy_asked) asked;
};

static inline const hy_expr *hy_fill_binary(hy_fills *f, hy_op op, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(f->context, op, a, b);
}
static inline bool hy_fill_is_own(const hy_fill_site *s, const hy_func *func) { return s->assign->assign.func == func; }

/* -- fill_values.c -- */
const hy_values *hy_fill_values(hy_fills *f); // before anything is filled

/* -- fill_sites.c -- */
void hy_fill_collect(hy_fills *f); // sites, allocates, computes and constraints of the whole body
void hy_fill_free_site(hy_fill_site *s);
bool hy_fill_contains(const hy_fill_exprs *list, const hy_expr *expr);
void hy_fill_add_fact(hy_fills *f, hy_fill_exprs *facts, const hy_expr *fact);
void hy_fill_find_facts(hy_fills *f, hy_fill_site *s);
void hy_fill_forget_facts(hy_fill_site *s);                               // holes on the way are now filled otherwise
int hy_fill_common(const hy_fill_site *a, const hy_fill_site *b);         // how many statements enclose both
hy_region_site hy_fill_region(hy_fills *f, hy_fill_site *from, int keep); // all loops below "keep" are eliminated

/* -- fill_boxes.c -- */
void hy_fill_report_unbounded(hy_fills *f, const hy_fill_site *s, const hy_expr *access, int dim, const hy_expr *index);
void hy_fill_widen(hy_fills *f, const hy_fill_site *scope, hy_fill_box *b, int dim, const hy_expr *low,
                   const hy_expr *high);
// Widens "b" by the values that a point's coordinates take at a site. "only_cpu": for points of the writer's Cpu only.
void hy_fill_widen_by_point(hy_fills *f, hy_fill_site *scope, hy_fill_site *from, int keep, hy_fill_box *b,
                            const hy_func *func, const hy_expr *const *point, const hy_expr *access, bool only_cpu);
// The ends that an access has at a site, over the variables that are kept; false, and reported: nothing bounds it.
bool hy_fill_access_ends(hy_fills *f, hy_fill_site *from, int keep, const hy_expr *access, const hy_expr **low,
                         const hy_expr **high);
void hy_fill_finish(hy_fills *f, const hy_fill_site *scope, hy_fill_box *b, int rank);
hy_constraint hy_fill_demanded(const hy_fills *f, const hy_func *func, int dim);
void hy_fill_constrain(hy_fills *f, const hy_func *func, hy_fill_box *cpu);

/* -- fill_cpu.c -- */
void hy_fill_cpu(hy_fills *f, const hy_func *func);

/* -- fill_mem.c -- */
void hy_fill_mem(hy_fills *f, const hy_func *func);
// "the need is empty or inside" -> "inside", where the need cannot be empty
const hy_expr *hy_fill_tidy_condition(hy_fills *f, const hy_fill_site *root, const hy_expr *condition);

/* -- fill_need.c -- */
void hy_fill_need(hy_fills *f, const hy_func *image);

/* -- fill_slide.c -- */
// What the loops of the func range over, if its computation keeps. Once its Cpu is known, and this of its consumers.
void hy_fill_slide(hy_fills *f, const hy_func *func);

/* -- fill_lengths.c -- */
typedef HY_VEC(const hy_stmt *) hy_vec_of_checks;
// Adds the checks at entry without which a product of lengths may not fit 64 bits. Returns the body with those that can
// only be made inside.
const hy_stmt *hy_fill_lengths(hy_fills *f, const hy_fill_site *root, hy_vec_of_checks *checks);

#endif
