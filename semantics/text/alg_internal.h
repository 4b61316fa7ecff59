#ifndef HY_ALG_INTERNAL_H
#define HY_ALG_INTERNAL_H

/* Algorithms on their way from text to hy_alg: as written, the names in scope, and the rules of validity.
 *
 * parse_alg.c and parse_items.c read the text, written/ writes out what stands for funcs and expressions,
 * alg_scope.c knows the names, alg_build.c makes the program, validity.c judges it.
 */

#include "semantics/text/syntax_internal.h"

/* -- as written; everything lives in the context's arena -- */

typedef struct hy_written_param {
  hy_written_name name;
  hy_type type;
  bool is_image;
  int rank;
  const hy_syntax *least, *greatest, *initial, *estimate; // w: int in 1..16 = 3 estimate 8; NULL: not said
} hy_written_param;

typedef struct hy_written_stage {
  hy_loc loc;
  const hy_syntax *const *lhs; // updates; NULL for the pure stage
  int lhs_count;
  hy_loc lhs_loc;
  const hy_syntax *rhs, *predicate; // predicate is NULL if there is none
  const hy_written_rdom *rdoms;
  int rdom_count;
} hy_written_stage;

typedef struct hy_written_func {
  hy_written_name name;
  const hy_written_name *dims;
  int rank;
  bool is_short;                   // "fun c = repeat_edge(in);": the dimensions are those of what is continued
  const hy_syntax *const *indices; // of a member of a family, fun g[3](x) = ..., as written
  int index_count;
  bool is_table;        // const t = [..];
  const char *family;   // "g"; its name is then that of the member, g_3; NULL if it is none, or not written out yet
  const char *made_for; // the func with the reduction that this one is; NULL if it is written
  const hy_written_stage *stages;
  int stage_count;
} hy_written_func;

// const N = e; def h(a, b) = e;
typedef struct hy_written_named {
  hy_written_name name;
  bool is_helper;
  const hy_written_name *params; // of a helper
  const bool *takes_func;        // of each: is it a func? known when helpers are written out, as is
  int uses;                      // how many calls of helpers a call of it is, up to some number
  int param_count;
  const hy_syntax *value;
  int before; // the funcs above it
} hy_written_named;

// require e;
typedef struct hy_written_requirement {
  hy_loc loc;
  const hy_syntax *condition;
  int named_before; // constants and helpers above it
} hy_written_requirement;

// What stands between the braces of a pipeline, of "for", of "if": for k in 0..7 { .. }, if c { .. } else { .. }
typedef enum {
  HY_ITEM_FUNC,
  HY_ITEM_NAMED,
  HY_ITEM_REQUIRE,
  HY_ITEM_FOR,
  HY_ITEM_IF,
  HY_ITEM_INCLUDE, // its body is what the file holds
} hy_item_kind;
typedef struct hy_written_item hy_written_item;
typedef struct hy_written_items {
  const hy_written_item *list;
  int count;
} hy_written_items;
struct hy_written_item {
  hy_item_kind kind;
  hy_loc loc;
  const hy_written_func *func;
  const hy_written_named *named;
  hy_written_range range;     // FOR
  const hy_syntax *condition; // IF, REQUIRE
  hy_written_items body, otherwise;
};

typedef struct hy_written_pipeline {
  hy_written_name name;
  const hy_written_param *params;
  int param_count;
  const hy_written_name *outputs; // as listed; none: the last func is the output
  int output_count;
  hy_float_contract floats;
  hy_written_items items;       // as written
  const hy_written_func *funcs; // of the items, written out
  int func_count;
  const hy_written_named *named;
  int named_count;
  const hy_written_requirement *requirements;
  int requirement_count;
} hy_written_pipeline;

bool hy_parser_at_table(const hy_parser *parser);                  // "const t = ["
bool hy_parse_table(hy_parser *parser, hy_written_func *func);     // parse_table.c; false after a report
bool hy_parser_at_include(const hy_parser *parser);                // include "FILE"
bool hy_parse_include(hy_parser *parser, const hy_source **found); // parse_include.c; false after a report
// The whole text is items, or one parameter. False after a report.
bool hy_parse_items(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics, hy_written_items *items);
bool hy_parse_parameter(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics,
                        hy_written_param *param);
// NULL after a report.
const hy_written_pipeline *hy_parse_pipeline(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics);

// The same with its items written out: "for", "if" and families are gone (alg_items.c). NULL after a report.
const hy_written_pipeline *hy_items_out(hy_context *context, const hy_written_pipeline *written,
                                        hy_diagnostics *diagnostics);

// The same without calls of helpers, each its expression (alg_helpers.c). What is wrong with them is reported, and they
// stay where they are.
const hy_written_pipeline *hy_helpers_out(hy_context *context, const hy_written_pipeline *written,
                                          hy_diagnostics *diagnostics);

// The same without inline reductions, each a func of its own (alg_reductions.c). What is wrong with them is reported,
// and what is left is a pipeline all the same.
const hy_written_pipeline *hy_reductions_out(hy_context *context, const hy_written_pipeline *written,
                                             hy_diagnostics *diagnostics);

// The same with tuples where values are stored alone, (a, b), and none behind a let (alg_tuples.c). NULL after a report.
// requires: no inline reductions
const hy_written_pipeline *hy_tuples_out(hy_context *context, const hy_written_pipeline *written,
                                         hy_diagnostics *diagnostics);

/* -- names -- */

typedef struct hy_alg_scope {
  hy_context *context;
  hy_diagnostics *diagnostics;
  const hy_written_pipeline *written;
  const hy_alg *alg;              // its parameters and images
  HY_VEC(const hy_func *) funcs;  // defined so far, the one being defined included
  hy_intern *by_name;             // the same, to be found
  HY_VEC(const hy_func *) broken; // among them, those with errors
  const hy_var *const *pure;      // of the func being defined
  int rank;
  HY_VEC(const hy_var *) rdoms;      // of the stage being read
  hy_named *named;                   // room for all that are written
  int named_count;                   // so many are in scope
  const hy_written_named *declaring; // the one whose value is being looked at; NULL if none is
  const char *made_for;              // of the func being defined
  const hy_func *unreadable;         // that func, while its pure stage is read
  bool in_bounds;                    // reading the bounds of an rdom: only startup variables may stand there
} hy_alg_scope;

void hy_alg_scope_open(hy_alg_scope *scope); // after the fields up to "alg" are set
void hy_alg_scope_close(hy_alg_scope *scope);
void hy_alg_scope_add(hy_alg_scope *scope, const hy_func *func);
hy_scope hy_alg_scope_of(hy_alg_scope *scope);
// "a func", "a parameter", ...: what the name means in scope; NULL if nothing.
const char *hy_alg_name_is(const hy_alg_scope *scope, const char *name);
const hy_func *hy_alg_scope_func(const hy_alg_scope *scope, const char *name); // funcs and images
// Is it a name that nothing in scope has and nothing reserves? Reports if not. "what" is "a func" and the like.
bool hy_alg_declare(hy_alg_scope *scope, const hy_written_name *name, const char *what, bool is_loop);
// An argument of a helper: in its text the name means the argument, whatever it means elsewhere.
bool hy_alg_declare_argument(hy_alg_scope *scope, const hy_written_name *name);

/* -- alg_named.c: constants and helpers -- */

// Declares those that stand before the func at "position", and says what is wrong with them.
void hy_declare_named(hy_alg_scope *scope, int position);
const hy_named *hy_named_of(void *self, const hy_syntax *name);                  // for hy_scope
const hy_named *hy_alg_scope_named(const hy_alg_scope *scope, const char *name); // NULL if none in scope
const hy_written_named *hy_written_named_find(const hy_written_pipeline *written, const char *name); // wherever

// What is required, as expressions over startup variables; those with errors are left out.
const hy_requirement *hy_make_requirements(hy_alg_scope *scope, int *count);

/* -- alg_params.c -- */

// What is said of the parameters, checked; NULL where nothing is said of any, or after a report.
const hy_param_about *hy_about_params(hy_context *context, const hy_written_pipeline *written,
                                      hy_diagnostics *diagnostics);

/* -- alg_short.c: funcs without variables -- */

// "fun c = repeat_edge(in);" written out, with variables _0, _1, ... False after a report.
bool hy_written_out(hy_alg_scope *scope, const hy_written_func *written, hy_written_func *out);

/* -- rules -- */

// Definition 4.2, definition 4.5 and decision D10 on one stage that is well typed; false after a report.
bool hy_valid_stage(hy_alg_scope *scope, const hy_definition *definition, int stage, const hy_written_stage *written);
// Names of dimensions and of reduction variables, before anything else is looked at.
bool hy_valid_dims(hy_alg_scope *scope, const hy_written_func *func);
bool hy_valid_rdom_names(hy_alg_scope *scope, const hy_written_stage *stage);
// Definition 4.3
uint32_t hy_pure_dimensions(const hy_definition *definition, const hy_stage *stage);

#endif
