#ifndef HY_PRINT_INTERNAL_H
#define HY_PRINT_INTERNAL_H

/* What the printers share: expressions printed knowing what the reader of the text will know about their types. */

#include "semantics/alg/alg.h"

typedef struct hy_print_style {
  // The expression stands where its type is known (an index, a condition, a func's value).
  bool typed;
  // What names of shared subexpressions begin with ("t": t1, t2, ...); nothing in scope is called so.
  const char *temporary;
} hy_print_style;

void hy_expr_print_styled(const hy_expr *expr, const hy_print_style *style, hy_text *out);

// Is the type of an expression found without looking at its place, nor at the type of "own", whose definition it is?
bool hy_expr_has_evident_type(const hy_expr *expr, const hy_func *own);

// A beginning of names that no name of the pipeline has (followed by digits), from "t", "t_", "t__", ... "buffer" holds
// it.
enum { HY_TEMPORARY_SIZE = 40 };
const char *hy_print_temporary(const char *const *names, size_t count, char buffer[HY_TEMPORARY_SIZE]);

// "(w: int, in: u16[2])"
void hy_alg_print_signature(const hy_alg *alg, hy_text *out);
// "h(x, y)"
void hy_func_print_head(const hy_func *func, hy_text *out);
// All names that a pipeline's signature and these funcs bring into scope.
typedef struct hy_print_names {
  const char **data;
  size_t count, capacity;
} hy_print_names;
void hy_print_names_add(hy_print_names *names, const char *name);
void hy_print_names_add_func(hy_print_names *names, const hy_func *func);
void hy_print_names_add_signature(hy_print_names *names, const hy_alg *alg);

#endif
