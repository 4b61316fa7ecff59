#ifndef HY_RELATION_H
#define HY_RELATION_H

/* Relations: what the lets that one application of a directive left behind say of the loops that it made.
 *
 * Before, there were loops over x_1 .. x_n; since, there are loops y_1 .. y_m, and each x_i is a let. The relation has
 *
 *   lets     x_1 .. x_n, each with the interval of the loop that it took the place of, its *range*
 *   loops    y_1 .. y_m, the outermost first; of these each let is made of one or two, its *sources*
 *   value    of each let, over its sources; a directive from outside the tree may write any
 *   inverse  of each loop, its way back: over the lets, the loops before it, and what is outside
 *   tail     what it says of the values: guard, they stay in the ranges; round, they may leave them; shift, some come
 *            twice
 *
 * and one of three forms, which is how it is written in a target program (section 1), and what its formulas are:
 *
 *   split   x = min + inner + factor*outer                                    outer = (x - min)/factor
 *           x = min(min + factor*outer, min + len - factor) + inner (shift)   inner = x - (the rest of x's value)
 *   fuse    x_1 = min_1 + t/factor,  x_2 = min_2 + t%factor                   t = (x_1 - min_1)*factor + (x_2 - min_2)
 *   given   any                                                               as the directive gives them
 *
 * relation.c alone knows the formulas and what follows from them, print_tgt.c and tgt_parse_bounds.c how a form is
 * written; everybody else asks.
 *
 * Shapes and ownership: relations are immutable and live in a context. The lets of one application have the same lists;
 * rewrites change them in each let alike, so that relations are compared by what they say (hy_relation_same), not by
 * address. A let that is not there any more, or never was, is NULL in the list.
 *
 * Nothing in a relation is believed (decision D70). That loops are the let's own, of no other application and in no
 * circle, and that factor and range rest on none of them is WF.Origin; a value by a formula is compared with it; that
 * ways back lead to each iteration is B.Cover, that they lead to one B.Disjoint, that values stay in a range over which
 * coverage quantifies B.Cover. What it says otherwise makes better fills, which B judges, or is proved before anything
 * runs (LVL.Symbolic).
 */

#include "semantics/alg/alg.h"

typedef struct hy_stmt hy_stmt;

typedef enum { HY_TAIL_GUARD, HY_TAIL_ROUND, HY_TAIL_SHIFT } hy_tail;
const char *hy_tail_name(hy_tail tail);

typedef enum { HY_BY_SPLIT, HY_BY_FUSE, HY_BY_GIVEN } hy_relation_form;

enum { HY_MOST_RELATED = 4, HY_MOST_SOURCES = 2 };
typedef struct hy_relation {
  hy_relation_form form;
  hy_tail tail;
  const char *directive; // from outside the tree; NULL: split or fuse
  int let_count, loop_count;
  const hy_var *lets[HY_MOST_RELATED], *loops[HY_MOST_RELATED];
  const hy_expr *inverses[HY_MOST_RELATED]; // of each loop, of a given one; NULL: by the formula
} hy_relation;

// What one let has of it.
typedef struct hy_origin {
  const hy_relation *relation;            // NULL: no directive made the let, and the rest says nothing
  int number;                             // it is relation->lets[number]; -1: it is not listed (WF.Origin refuses it)
  const hy_var *sources[HY_MOST_SOURCES]; // [1] is NULL if it is made of one
  const hy_expr *factor;                  // 1 if there is none
  hy_interval range;
} hy_origin;

/* -- constructors -- */
hy_origin hy_origin_split(hy_context *context, hy_tail tail, const hy_var *let, const hy_var *outer,
                          const hy_var *inner, const hy_expr *factor, hy_interval range);
// The half "number" (0: the quotient, 1: the remainder) of a loop that was fused; a half may be alone (NULL).
hy_origin hy_origin_fuse(hy_context *context, int number, const hy_var *const lets[2], const hy_var *fused,
                         const hy_expr *factor, hy_interval range);
// Of the let "let" of a given relation; the sources are the caller's to set.
hy_origin hy_origin_given(hy_context *context, HY_KEEP const hy_relation *given, const hy_var *let, hy_interval range);

/* -- rewriting: the same relation if nothing differs -- */
typedef const hy_expr *hy_expr_mapper(void *self, const hy_expr *expr);
typedef const hy_var *hy_var_mapper(void *self, const hy_var *var);
const hy_relation *hy_relation_map_exprs(hy_context *context, const hy_relation *relation, hy_expr_mapper *map,
                                         void *self);
// Its lets and loops have other names; expressions are left as they are.
const hy_relation *hy_relation_rename(hy_context *context, const hy_relation *relation, hy_var_mapper *name,
                                      void *self);
hy_origin hy_origin_map_exprs(hy_context *context, hy_origin origin, hy_expr_mapper *map, void *self);
hy_origin hy_origin_rename(hy_context *context, hy_origin origin, hy_var_mapper *name, void *self);
// The same tree, where halves of one fused loop, which may have been written apart, know of each other.
const hy_stmt *hy_relate_halves(hy_context *context, const hy_stmt *root);

/* -- what it says -- */
bool hy_relation_same(const hy_relation *a, const hy_relation *b);         // that is, in every part
bool hy_relation_has_loop(const hy_relation *relation, const hy_var *var); // NULL has none
bool hy_relation_is_given(const hy_relation *relation);
bool hy_origin_has_source(const hy_origin *origin, const hy_var *var);
// The value that the let must have; NULL: any.
const hy_expr *hy_origin_value(hy_context *context, const hy_origin *origin);

// What lets values of a let leave its range on one side.
typedef enum {
  HY_STAYS,            // nothing
  HY_STAYS_WITH_LOOPS, // a source that leaves its range on that side
  HY_STAYS_WITH_ALL,   // a loop of the application that leaves its range on any side
  HY_LEAVES,           // they may leave it by themselves
} hy_staying;
hy_staying hy_origin_staying(const hy_origin *origin, bool above);
// Where some loops stay as they are and others are replaced by their ends: is the end of the range worth a minimum or
// maximum with the end that the value has then?
bool hy_origin_clamps(const hy_origin *origin, bool above);
// Is it a split whose factor divides the extent for sure? Then it needs no tail.
bool hy_origin_is_exact(const hy_origin *origin);
// Is it a split: blocks of "factor" iterations, counted by the first source?
bool hy_origin_is_blocks(const hy_origin *origin);
// Is it the quotient of a fusion, whose loop has range.len * factor iterations?
bool hy_origin_is_quotient(const hy_origin *origin);

/* -- the ways back, of lets that stand in a chain of statements -- */

typedef struct hy_related {
  const hy_relation *relation;
  const hy_stmt *lets[HY_MOST_RELATED]; // NULL: not in the chain
} hy_related;
hy_related hy_relation_in(const hy_relation *relation, const hy_stmt *const *chain, size_t count);

// The value of that loop; NULL: nothing says it, because a let that it needs is not there.
const hy_expr *hy_related_inverse(hy_context *context, const hy_related *related, int loop);

// What has to be known before the formulas say anything; sets terms[0..result).
enum { HY_MOST_TERMS = 3 * HY_MOST_RELATED };
int hy_related_terms(const hy_related *related, const hy_expr *terms[HY_MOST_TERMS]);

// The way back as conditions that leave one value for the loop (B.Disjoint, "back"), once these have one: some
// variables, and all that some expressions speak of.
typedef struct hy_needs {
  int var_count, expr_count;
  const hy_var *vars[HY_MOST_RELATED];
  const hy_expr *exprs[HY_MOST_TERMS];
} hy_needs;
bool hy_related_needs(const hy_related *related, int loop, hy_needs *needs); // false: there is no way back
// "beside": the other loop of a split has one value, too. Sets conditions[0..result).
int hy_related_back(hy_context *context, const hy_related *related, int loop, bool beside,
                    const hy_expr *conditions[2]);

#endif
