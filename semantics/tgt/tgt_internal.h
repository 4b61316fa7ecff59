#ifndef HY_TGT_INTERNAL_H
#define HY_TGT_INTERNAL_H

/* Reading target programs: declarations and names (tgt_scope.c), the program and its statements (tgt_parse.c and its
 * parts), the check of what was read (tgt_verify.c and its parts). docs/language.md has the grammar.
 */

#include "semantics/base/intern.h"
#include "semantics/text/syntax_internal.h"
#include "semantics/tgt/tgt.h"

enum {
  HY_MAX_STATEMENT_NESTING = 1500, // of blocks in the text; recursion over a program that was read is then bounded
  HY_MAX_ASSUMPTIONS = 1000,       // of a block; each is a fact for all that follow
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
  hy_arena *written;                // an expression as written, until it has its meaning
  hy_access_sites sites;            // what the expressions read since the last place was taken
  hy_scope names;                   // for the elaborator
  int nesting;
  int misnamed; // loops around this place whose names are wrong
  size_t first; // of its diagnostics
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

/* tgt_parse.c: NULL after a syntax error; a mistake of meaning is reported and leaves a stand-in */

const hy_stmt *hy_tgt_read_block(hy_tgt_reader *reader);

/* tgt_parse_stmt.c */

const hy_stmt *hy_tgt_read_statement(hy_tgt_reader *reader);
const hy_stmt *hy_tgt_read_assume(hy_tgt_reader *reader);

/* tgt_parse_bounds.c */

const hy_expr *hy_tgt_stand_in(hy_tgt_reader *reader, hy_type type);
const hy_expr *hy_tgt_read_expr(hy_tgt_reader *reader, hy_type type);
const hy_expr *hy_tgt_read_values(hy_tgt_reader *reader, const hy_func *func); // one for each part of it
bool hy_tgt_read_interval(hy_tgt_reader *reader, hy_interval *interval);
// func may be NULL (it was reported); box has room for HY_MAX_RANK.
bool hy_tgt_read_box(hy_tgt_reader *reader, const hy_func *func, hy_interval *box);
void hy_tgt_check_count(hy_tgt_reader *reader, const hy_func *func, int count, const char *what, hy_loc loc);
// Of the let over that variable; without one it stays as it is.
bool hy_tgt_read_origin(hy_tgt_reader *reader, const hy_var *let, hy_origin *origin);
// Among words: the position of the next word, which is then passed; -1 if it is none of them.
int hy_tgt_accept_word(hy_tgt_reader *reader, const char *const *words, size_t count);
// The place of the statement whose expressions were just read.
const hy_stmt_place *hy_tgt_take_place(hy_tgt_reader *reader, hy_loc loc);

/* tgt_parse_plan.c */

// func may be NULL (it was reported): then names of dimensions are not looked at.
bool hy_tgt_read_plan(hy_tgt_reader *reader, const hy_func *func, hy_plan *plan);
// The lines that say how buffers lie, in the context's arena.
const hy_laid *hy_tgt_read_laid(hy_tgt_reader *reader, int *count);

/* tgt_parse_loops.c */

bool hy_tgt_same_loop(const void *a, const void *b); // of reader->loops
const hy_bound_loop *hy_tgt_find_loop(const hy_tgt_reader *reader, const hy_var *var);
// "message" has one %s, for the loop's name.
void hy_tgt_report_loop(hy_tgt_reader *reader, hy_code code, hy_loc loc, const char *message, const char *help,
                        const hy_var *var);
// The stage label around this place, and the specialization of that func that it stands in.
const hy_stmt *hy_tgt_stage_label(const hy_tgt_reader *reader, int *spec);
// Opens the scope of a loop's name; every name is bound once. "var" is NULL if the name was reported.
void hy_tgt_bind(hy_tgt_reader *reader, const hy_var *var, hy_loc loc);
void hy_tgt_unbind(hy_tgt_reader *reader);

/* -- checking -- */

typedef struct hy_tgt_check {
  hy_context *context;
  const hy_tgt *tgt;
  hy_diagnostics *diagnostics;
} hy_tgt_check;

hy_loc hy_tgt_loc(const hy_tgt_check *check, const hy_stmt *stmt);
const char *hy_tgt_var_name(const hy_tgt_check *check, const hy_var *var); // "h.s1.x"

// Counts the rule of each error among the diagnostics from "first" on.
void hy_tgt_count_refusals(hy_context *context, const hy_diagnostics *diagnostics, size_t first);

void hy_tgt_check_names(const hy_tgt_check *check);     // variables, holes, accesses: scope and place
void hy_tgt_check_structure(const hy_tgt_check *check); // labels, loops' names, one assignment per stage copy
void hy_tgt_check_dominance(const hy_tgt_check *check); // lemma 6.2
void hy_tgt_check_relations(const hy_tgt_check *check); // which loops the origins of lets may name
void hy_tgt_check_shapes(const hy_tgt_check *check);    // what no algorithm has
void hy_tgt_check_purity(const hy_tgt_check *check);    // purity, parallel loops, origins of lets
void hy_tgt_check_pieces(const hy_tgt_check *check);    // what pieces of loops have in common
void hy_tgt_check_keeping(const hy_tgt_check *check);   // what computations keep from one iteration to the next

#endif
