#ifndef HY_TGT_INTERNAL_H
#define HY_TGT_INTERNAL_H

/* Reading target programs: declarations and names (tgt_scope.c), statements (tgt_parse.c), the check of what was read
 * (tgt_verify.c and its parts). docs/language.md has the grammar.
 */

#include "semantics/base/intern.h"
#include "semantics/syntax_internal.h"
#include "semantics/tgt.h"

enum {
  HY_MAX_STATEMENT_NESTING = 1500, // of blocks in the text; recursion over a program that was read is then bounded
  HY_MAX_STAGE = 1 << 16,          // stages of a func, and specializations
};

/* -- reading -- */

// A loop that a for or a let has bound, and where.
typedef struct hy_bound_loop {
  const hy_var *var;
  hy_loc loc;
} hy_bound_loop;

typedef struct hy_tgt_reader {
  hy_parser parser;
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_alg *alg;
  HY_VEC(const hy_var *) params;
  HY_VEC(const hy_func *) images;
  HY_VEC(int) signature;
  HY_VEC(const hy_func *) funcs;
  HY_VEC(int) stage_counts;
  HY_VEC(const hy_var *) scope;     // the loops around this place, outermost first
  HY_VEC(const hy_stmt *) labels;   // the labels around this place (their bodies are not made yet)
  HY_VEC(hy_bound_loop) hole_loops; // loops that holes speak of
  hy_intern *loops;                 // every hy_bound_loop
  hy_intern *places;                // every statement with its place
  hy_scope names;                   // for the elaborator
  int nesting;
  int misnamed; // loops around this place whose names are wrong
} hy_tgt_reader;

// "target P(w: int, in: u16[2]) on h(x, y) {" and the func declarations. False after any error.
bool hy_tgt_read_head(hy_tgt_reader *reader);
void hy_tgt_open_names(hy_tgt_reader *reader);

// A func or image by its name, or NULL.
const hy_func *hy_tgt_find(const hy_tgt_reader *reader, const char *name);
// Reads a func's name; *func is NULL if it is reported not to be one (or an image where only funcs fit). False after a
// syntax error.
bool hy_tgt_read_func(hy_tgt_reader *reader, const char *where, const hy_func **func);
// Reads "h.s1.x"; *var is NULL if it is reported.
bool hy_tgt_read_loop(hy_tgt_reader *reader, const hy_var **var, hy_loc *loc);
// The number behind 's' or 'z': "s12" is 12. -1 if "word" is not of that form.
int hy_tgt_number(const char *word, char letter);
bool hy_tgt_in_scope(const hy_tgt_reader *reader, const hy_var *var);
void hy_tgt_report_unbound(hy_tgt_reader *reader, const hy_var *var, hy_loc loc);

/* -- checking -- */

// Where a statement stands in a text, for a program that was read from one; NULL: it has no places.
typedef hy_loc hy_tgt_place(void *self, const hy_stmt *stmt);

typedef struct hy_tgt_check {
  hy_context *context;
  const hy_tgt *tgt;
  hy_diagnostics *diagnostics;
  hy_tgt_place *place;
  void *place_self;
} hy_tgt_check;

// hy_tgt_verify with places.
bool hy_tgt_verify_placed(const hy_tgt_check *check);
hy_loc hy_tgt_loc(const hy_tgt_check *check, const hy_stmt *stmt);
// The position of a func in tgt->funcs, or -1.
int hy_tgt_position(const hy_tgt *tgt, const hy_func *func);
const char *hy_tgt_var_name(const hy_tgt_check *check, const hy_var *var); // "h.s1.x"

void hy_tgt_check_names(const hy_tgt_check *check);     // variables, holes, accesses: scope and place
void hy_tgt_check_structure(const hy_tgt_check *check); // labels, loops' names, one assignment per stage copy
void hy_tgt_check_dominance(const hy_tgt_check *check); // lemma 6.2
void hy_tgt_check_purity(const hy_tgt_check *check);    // purity, parallel loops, origins of lets

#endif
