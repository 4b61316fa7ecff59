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
  uint32_t nodes, depth; // as a tree
  const halyard_rdom *rdom;
  size_t count;
  const halyard_expr *args[];
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

struct halyard_func {
  halyard_pipeline *pipeline;
  const char *name, *text; // text: as the language has it; NULL: what follows
  bool is_image;
  int rank; // of an image
  exprs vars, values;
  HY_VEC(update) updates;
};

void hy_print_built(const halyard_expr *expr, hy_text *out);
void hy_print_ranges(const halyard_rdom *rdom, hy_text *out);

// Is that operand one for the pipeline? Says why not.
bool hy_built_operand_is_fine(const halyard_pipeline *pipeline, const halyard_operand *operand, const char *call);
// Within hy_library_run, of such a one.
const halyard_expr *hy_built_operand(halyard_pipeline *pipeline, const halyard_operand *operand);
// The pipeline of the first operand that has one; NULL.
halyard_pipeline *hy_built_pipeline(const halyard_operand *operands, size_t count);
// Enters its context, for a pipeline that is built. False after saying why: it is NULL, say.
bool hy_built_enter(halyard_pipeline *pipeline, const char *call);
// "min" or "len" of an image's dimension.
halyard_expr *hy_built_box(const halyard_func *image, int dimension, const char *what, const char *call);
// As it is now; within hy_library_run. What uses a domain has one of its own, so that none goes over itself.
const halyard_rdom *hy_built_copy(const halyard_rdom *rdom);
bool hy_built_name_is_fine(const halyard_pipeline *pipeline, const char *name, const char *call);

#endif
