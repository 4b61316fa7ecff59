#ifndef HY_TGT_H
#define HY_TGT_H

/* The target language, with and without holes (paper, Figure 7; decisions D20 to D27).
 *
 * Immutable trees in a context; a rewrite shares what it did not touch. One assignment per stage copy.
 * Loop variables are hy_var_loop symbols: their printed name "h.s1.x" is the loop's name in schedules (lemma 6.1).
 */

#include "semantics/storage/plan.h"
#include "semantics/storage/strides.h"
#include "semantics/tgt/relation.h"

typedef enum { HY_SERIAL, HY_PARALLEL, HY_VECTORIZED, HY_UNROLLED } hy_traversal;
const char *hy_traversal_name(hy_traversal traversal);

// Why an assumption is checked at run time; each has its own error code (decision D25).
typedef enum {
  HY_ASSUME_RDOM,      // an rdom's extent is not negative
  HY_ASSUME_FACTOR,    // a split factor is at least 1
  HY_ASSUME_RANGE,     // a parameter, window or image box lies within +-2^31 (decision D26)
  HY_ASSUME_PARAM,     // a parameter lies in the range that the algorithm gives it
  HY_ASSUME_REQUIRE,   // what the algorithm requires
  HY_ASSUME_WINDOW,    // a window's length is not negative
  HY_ASSUME_IMAGE,     // an image contains the region that the program needs
  HY_ASSUME_NEED,      // a user's bound covers what is needed (decision D43)
  HY_ASSUME_BOUND,     // a user's bound is defined and its length not negative
  HY_ASSUME_LENGTH,    // a loop that a directive made has at most 2^62 iterations (decision D68)
  HY_ASSUME_UNDECIDED, // an obligation that could not be decided for all inputs holds for this one (--unknown=runtime)
  // "constrain", in a compute: what the paper's bounds phase asserts of Cpu. No check: a proof obligation (decision
  // D43).
  HY_ASSUME_CONSTRAIN,
} hy_assume_kind;
#define HY_MOST_ITERATIONS (INT64_C(1) << 62)
const char *hy_assume_name(hy_assume_kind kind);

typedef enum {
  HY_IF_USER,       // the predicate of an update stage
  HY_IF_GUARD,      // the tail guard of a split
  HY_IF_IMPLIED,    // such a guard where it always holds: owed (B.Pieces), and not evaluated
  HY_IF_SPECIALIZE, // a specialization's condition
} hy_if_kind;

typedef enum { HY_LABEL_FUNC, HY_LABEL_SPEC, HY_LABEL_STAGE } hy_label_kind;

typedef enum {
  HY_STMT_NOP,
  HY_STMT_ASSUME,
  HY_STMT_SEQ,
  HY_STMT_ALLOCATE,
  HY_STMT_ASSIGN,
  HY_STMT_IF,
  HY_STMT_FOR,
  HY_STMT_LET,
  HY_STMT_COMPUTE,
  HY_STMT_LABEL,
} hy_stmt_kind;

// Which part of a loop a piece of it runs. The pieces of a loop stand one behind the other, the first under the loop's
// own name; each has the loop's body, where guards may be implied. Nothing of it is believed: WF.Piece and B.Pieces.
typedef struct hy_piece {
  const hy_var *of;  // the loop
  hy_interval whole; // all of its iterations
} hy_piece;

// Where a statement, and what it reads, stands in the text that it was read from.
typedef struct hy_stmt_place {
  hy_loc loc;
  const hy_access_site *accesses; // of its own expressions, not of the statements inside
  int access_count;
} hy_stmt_place;

struct hy_stmt {
  hy_stmt_kind kind;
  const hy_stmt_place *place; // NULL: it comes from no text; kept when the statement is rewritten, never compared
  union {
    struct { // ASSUME: fails the run unless true
      hy_assume_kind why;
      const hy_expr *condition;
      const hy_func *subject; // the image or func it speaks of; NULL if none
    } assume;
    struct { // SEQ: never directly inside a SEQ, at least two statements
      const hy_stmt *const *items;
      int count;
    } seq;
    struct { // ALLOCATE: ends with the SEQ that holds it (decision D20); box has func->rank intervals
      const hy_func *func;
      const hy_interval *box;
      const hy_plan *plan; // NULL: the plain one; no plan that is there is plain
    } allocate;
    struct {
      const hy_func *func;
      int stage, spec;
      const hy_expr *const *lhs; // func->rank of them
      const hy_expr *rhs;
    } assign;
    struct {
      hy_if_kind why;
      const hy_expr *condition;
      const hy_stmt *then, *otherwise; // otherwise is NULL if there is none
    } branch;                          // IF
    struct {
      const hy_var *var; // HY_VAR_LOOP
      bool is_pure;      // definition 8.3: a property of the loop (decision D37)
      hy_traversal traversal;
      hy_interval interval;
      const hy_stmt *body;
      const hy_piece *piece; // NULL: it is no piece, but a loop
    } loop;                  // FOR
    struct {
      const hy_var *var; // HY_VAR_LOOP
      const hy_expr *value;
      hy_origin origin; // what it says of the loops that it is made of
      const hy_stmt *body;
    } let;
    struct { // COMPUTE: the points of func that must be right afterwards
      const hy_func *func;
      const hy_interval *box;
      const hy_var *keep; // a loop around: what its iteration before computed counts (decision D85); NULL: nothing does
      const hy_stmt *body;
    } compute;
    struct {
      hy_label_kind what;
      const hy_func *func;
      int number; // of the specialization or stage; 0 for HY_LABEL_FUNC
      const hy_stmt *body;
    } label;
  };
};

// What is said of the memory of an image or an output: no meaning of the program.
typedef struct hy_laid {
  const hy_func *func;
  hy_strides strides;  // all that is said of them
  hy_strides demanded; // those of them that every buffer has to have (DIR.Require-Stride)
  int64_t align;       // bytes of which its first element's address has to be a multiple (DIR.Host-Alignment); 0: any
} hy_laid;

typedef struct hy_tgt {
  const hy_alg *alg; // signature, window and symbols; its definitions are empty when the program came from a .tgt file
  const hy_func *const *funcs; // all funcs that appear, in the order of definition; images are alg->images
  int func_count;
  const int *stage_counts; // by position in funcs
  const hy_laid *laid;     // of images and outputs of which something is said, each once
  int laid_count;
  // Checked in order before anything else, once, when no window length is 0 (an empty window returns at once, D11)
  const hy_stmt *const *entry; // HY_STMT_ASSUME
  int entry_count;
  const hy_stmt *body;
} hy_tgt;

// Tables by hy_func.index: how many places one needs for all images, funcs and outputs of the program.
uint32_t hy_tgt_symbols(const hy_tgt *tgt);
// The position of a func in tgt->funcs, or -1.
int hy_tgt_position(const hy_tgt *tgt, const hy_func *func);
// How many stages the func has; 0 of what the program has not.
int hy_tgt_stage_count(const hy_tgt *tgt, const hy_func *func);

/* -- constructors: check typing and shape -- */
const hy_stmt *hy_stmt_nop(hy_context *context);
const hy_stmt *hy_stmt_assume(hy_context *context, hy_assume_kind why, const hy_func *subject,
                              const hy_expr *condition);
const hy_stmt *hy_stmt_seq(hy_context *context, const hy_stmt *const *items, int count); // flattens, drops nops
const hy_stmt *hy_stmt_allocate(hy_context *context, const hy_func *func, const hy_interval *box);
// With a storage plan, which is copied; NULL and one that is plain make the same statement as above.
const hy_stmt *hy_stmt_allocate_as(hy_context *context, const hy_func *func, const hy_interval *box,
                                   const hy_plan *plan);
const hy_stmt *hy_stmt_assign(hy_context *context, const hy_func *func, int spec, int stage, const hy_expr *const *lhs,
                              const hy_expr *rhs);
const hy_stmt *hy_stmt_if(hy_context *context, hy_if_kind why, const hy_expr *condition, const hy_stmt *then,
                          const hy_stmt *otherwise);
const hy_stmt *hy_stmt_for(hy_context *context, const hy_var *var, bool is_pure, hy_traversal traversal,
                           hy_interval interval, const hy_stmt *body);
// The loop as a piece of the loop "of", whose iterations are "whole".
const hy_stmt *hy_stmt_piece(hy_context *context, const hy_stmt *loop, const hy_var *of, hy_interval whole);
const hy_stmt *hy_stmt_let(hy_context *context, const hy_var *var, const hy_expr *value, hy_origin origin,
                           const hy_stmt *body);
const hy_stmt *hy_stmt_compute(hy_context *context, const hy_func *func, const hy_interval *box, const hy_stmt *body);
// Keeping what the iteration before of the loop "keep" computed; NULL makes the same statement as above.
const hy_stmt *hy_stmt_compute_keeping(hy_context *context, const hy_func *func, const hy_interval *box,
                                       const hy_var *keep, const hy_stmt *body);
const hy_stmt *hy_stmt_label(hy_context *context, hy_label_kind what, const hy_func *func, int number,
                             const hy_stmt *body);

/* -- places: of a .tgt file's statements; what lowering and directives make has none -- */

const hy_stmt *hy_stmt_placed(hy_context *context, const hy_stmt *stmt, HY_KEEP const hy_stmt_place *place);
hy_loc hy_stmt_loc(const hy_stmt *stmt, hy_loc otherwise);
// The place of an access in one of its expressions; the statement's if it is not listed.
hy_loc hy_stmt_access_loc(const hy_stmt *stmt, const hy_expr *access, hy_loc otherwise);

/* -- rewriting: places are kept -- */

// Rebuilds a statement with every expression in it mapped (bounds, lets, origins, conditions, boxes, assignments).
const hy_stmt *hy_stmt_map_exprs(hy_context *context, const hy_stmt *stmt,
                                 const hy_expr *(*map)(void *self, const hy_expr *expr), void *self);
// The statements directly inside (bodies, items, branches): sets out[0..result), at most "room"; for SEQ use seq.items.
int hy_stmt_children(const hy_stmt *stmt, const hy_stmt *const **out, const hy_stmt *room[2]);
// The same statement with other children, given in hy_stmt_children's order; the same pointer if none differs.
const hy_stmt *hy_stmt_with_children(hy_context *context, const hy_stmt *stmt, const hy_stmt *const *children,
                                     int count);
bool hy_stmt_has_hole(const hy_stmt *stmt);
bool hy_tgt_has_hole(const hy_tgt *tgt);

/* -- pieces (pieces.c) -- */

// How many of the statements, from "items" on, are pieces of one loop; 0 if the first is none.
int hy_stmt_run(const hy_stmt *const *items, int count);
// The program that the pieces are of: of each loop the first piece, with all of its iterations; implied guards are
// guards. The same pointer if there is nothing of either.
const hy_stmt *hy_stmt_whole(hy_context *context, const hy_stmt *stmt);
const hy_tgt *hy_tgt_whole(hy_context *context, const hy_tgt *tgt);
// Do two statements without pieces differ in the names of what they bind alone?
bool hy_stmt_alike(hy_context *context, const hy_stmt *a, const hy_stmt *b);

// Is the program well formed? Scoping of variables, unique loop names (lemma 6.1), dominance (lemma 6.2), one
// assignment per stage copy, purity marks. Reports and returns false if not; used after every step in debug builds (as
// a defect) and on .tgt files (as the user's error).
bool hy_tgt_verify(hy_context *context, const hy_tgt *tgt, hy_diagnostics *diagnostics);

// Why a compute cannot keep what it computed in the iteration before of a loop (WF.Keep, decision D85).
typedef enum {
  HY_KEEPS,            // it can
  HY_KEEP_NO_LOOP,     // no such loop is around it
  HY_KEEP_ANY_ORDER,   // that is not serial
  HY_KEEP_SOMETIMES,   // something between it and the loop decides how often it runs
  HY_KEEP_OWN_STORAGE, // it is allocated inside of the loop
  HY_KEEP_UPDATES,     // its func has updates
} hy_keep_fault;
//   requires: "compute" (by identity) stands in the program
hy_keep_fault hy_tgt_keep_fault(const hy_tgt *tgt, const hy_stmt *compute, const hy_var *keep);

// What "assume parameter" says of the parameters (LOW.Entry-Param); NULL if nothing.
const hy_param_about *hy_tgt_about_params(hy_context *context, const hy_alg *alg, const hy_stmt *const *entry,
                                          int count);
// What "assume require" says, in order; *found: how many those are (LOW.Entry-Require).
const hy_requirement *hy_tgt_requirements(hy_context *context, const hy_stmt *const *entry, int count, int *found);
// The program with the check of LOW.Entry-Range for each int parameter, window and image box of which the entry block
// does not say between which numbers it lies (decision D69); *added: how many those are. The same program if none.
const hy_tgt *hy_tgt_assume_ranges(hy_context *context, const hy_tgt *tgt, int *added);

// What is said of an image or an output; NULL: nothing.
const hy_laid *hy_tgt_laid(const hy_tgt *tgt, const hy_func *func);
// What is said of its strides; NULL: nothing.
const hy_strides *hy_tgt_strides(const hy_tgt *tgt, const hy_func *func);
// What code for buffers that lie as the program says may count on: of those of which it says nothing, dense rows.
hy_strides hy_tgt_wanted(const hy_tgt *tgt, const hy_func *func);
// What code for any buffer may count on: the strides that are demanded, or else dense rows.
hy_strides hy_tgt_demanded(const hy_tgt *tgt, const hy_func *func);
bool hy_tgt_says_strides(const hy_tgt *tgt);                  // of any buffer?
bool hy_tgt_prefers_strides(const hy_tgt *tgt);               // does it say some that it does not demand?
bool hy_tgt_demands_strides(const hy_tgt *tgt);               // does it demand some?
bool hy_tgt_demands(const hy_tgt *tgt);                       // strides, or an alignment?
int64_t hy_tgt_align(const hy_tgt *tgt, const hy_func *func); // bytes; 1: nothing is demanded
bool hy_tgt_same_laid(const hy_tgt *a, const hy_tgt *b);

void hy_stmt_print(const hy_stmt *stmt, int indent, hy_text *out);
void hy_tgt_print(const hy_tgt *tgt, hy_text *out); // parses back to an equal program

#endif
