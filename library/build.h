#ifndef HY_LIBRARY_BUILD_H
#define HY_LIBRARY_BUILD_H

/* Pipelines that are built by calls: expressions, funcs and reduction domains, from which the text is written that the
 * parser then reads. So there is one grammar, one set of rules, and one place where they are checked.
 */

#include "library/library_internal.h"

typedef enum { FORM_ATOM, FORM_BINARY, FORM_UNARY, FORM_CALL, FORM_PART, FORM_REDUCTION } form;

enum { MOST_NODES = 262144, MOST_DEPTH = 2000 }; // the language's (HY0106)
enum { TIGHTEST = 100 };                         // of what needs no parentheses

struct halyard_expr {
  halyard_pipeline *pipeline;
  form form;
  const char *text; // an atom, an operator, what is called, what reduces
  int precedence;
  bool is_var;
  int values;            // 1; of a call of a func of several, and of an argmin, more: halyard_part takes one
  uint32_t nodes, depth; // as a tree
  const halyard_rdom *rdom;
  halyard_func *own; // of a reduction with a name: the func that it is; else NULL
  size_t count;
  const halyard_expr *args[]; // of a reduction: the body, and what chooses
};

typedef struct range {
  const char *name;
  const halyard_expr *min, *len;
} range;

struct halyard_rdom {
  halyard_pipeline *pipeline;
  HY_VEC(range) ranges;
  uint32_t nodes, depth; // of its ranges
  bool is_spoilt;        // a variable of it was refused, and that is told
};

typedef HY_VEC(const halyard_expr *) exprs;

typedef struct update {
  const halyard_rdom *rdom; // NULL: none
  exprs coordinates, values;
  const halyard_expr *predicate; // NULL: none
} update;

typedef enum {
  DECLARED_PARAM,
  DECLARED_IMAGE,
  DECLARED_FUNC,
  DECLARED_FAMILY, // of a text: fun g[k](x) = ..
  DECLARED_CONSTANT,
  DECLARED_HELPER,
  DECLARED_REDUCTION, // an inline one with a name
} declared_kind;

// What a name stands for.
typedef struct declared {
  const char *name;
  declared_kind kind;
  int takes;  // coordinates, arguments; -1: not known
  int values; // of a func
} declared;

struct halyard_func {
  halyard_pipeline *pipeline;
  const char *name, *text; // text: as the language has it; NULL: what follows
  bool is_image;
  declared about;
  int update_count;            // as many as are known
  const char *condition;       // a boundary condition: which; NULL: what follows
  const halyard_func *source;  // what it continues
  const halyard_expr *outside; // NULL: it takes no value
  exprs box;                   // min and len of each dimension; none: the image's
  exprs vars, values;
  HY_VEC(update) updates;
};

// The operator of that spelling between two operands; false if there is none.
bool hy_built_operator(const char *text, hy_op *op);
bool hy_built_operator_chains(hy_op op); // a op b op c is (a op b) op c; comparisons do not chain
// An expression by itself, as print.c has it.
void hy_print_built(const halyard_expr *expr, hy_text *out);

// Is that operand one for the pipeline? Says why not. The first takes what has several values, too.
bool hy_built_values_are_fine(const halyard_pipeline *pipeline, const halyard_operand *operand, const char *call);
bool hy_built_operand_is_fine(const halyard_pipeline *pipeline, const halyard_operand *operand, const char *call);
// Within hy_library_run, of such a one.
const halyard_expr *hy_built_operand(halyard_pipeline *pipeline, const halyard_operand *operand);
// The pipeline of the first operand that has one; NULL.
halyard_pipeline *hy_built_pipeline(const halyard_operand *operands, size_t count);
// Enters its context, for a pipeline that is built. False after saying why: it is NULL, say.
bool hy_built_enter(halyard_pipeline *pipeline, const char *call);
// A func of that name, declared. Within hy_library_run.
halyard_func *hy_built_func(halyard_pipeline *pipeline, const char *name, declared about);
// "min" or "len" of an image's dimension.
halyard_expr *hy_built_box(const halyard_func *image, int dimension, const char *what, const char *call);
// As it is now; within hy_library_run. What uses a domain has one of its own, so that none goes over itself.
const halyard_rdom *hy_built_copy(const halyard_rdom *rdom);

/* -- names.c: each says why not -- */

void hy_names_begin(halyard_pipeline *pipeline);                        // within hy_library_run, as the next two
void hy_declare(halyard_pipeline *pipeline, declared what);             // copies the name
void hy_declare_variable(halyard_pipeline *pipeline, const char *name); // of a func's dimension, of a domain
const declared *hy_declared(const halyard_pipeline *pipeline, const char *name); // NULL if nothing is called so
const char *hy_declared_is(declared_kind kind);                                  // "a func"
bool hy_name_is_taken(const halyard_pipeline *pipeline, const char *name);       // by a variable, too
bool hy_built_name_is_fine(const halyard_pipeline *pipeline, const char *name, const char *call);
bool hy_built_name_is_free(const halyard_pipeline *pipeline, const char *name, const char *call); // for a func
bool hy_built_parameter_is_free(const halyard_pipeline *pipeline, const char *name, const char *call);
bool hy_built_variable_is_free(const halyard_pipeline *pipeline, const char *name, const char *call);
// Can what is called so, by the language or by the pipeline, be called with so many operands?
bool hy_built_call_is_fine(const halyard_pipeline *pipeline, const char *name, size_t count, const char *call);

#endif
