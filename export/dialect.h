#ifndef HY_EXPORT_DIALECT_H
#define HY_EXPORT_DIALECT_H

/* What differs between Halide's two languages where the same pipeline is written in each: export.c, expr.c and
 * schedule.c say what is written, a dialect how.
 */

#include "semantics/expr/expr.h"

typedef struct hy_export_dialect {
  const char *scope, *of;               // before a name of Halide's, before one inside of it: "hl.", "."
  const char *open, *close, *single;    // around coordinates, and where there are none: "[", "]", "[()]"
  const char *tuple_open, *tuple_close; // around its values, behind "Tuple": "([", "])"
  const char *param;                    // of any type: "Param"
  const char *stage;                    // before the name of a stage that is declared: "", "hl::Stage "
  const char *made, *in;                // the same of a func that a directive adds; what wraps: "in_", "in"
  bool image_in_by_name;                // of an image it is "in" in Halide 14, and "in_" later: asked for by name
  const char *list_open, *list_close;   // around several funcs
  const char *end, *remark;             // of a statement; what makes the rest of a line a remark
  const char *negation;                 // of a truth value: "hl.logical_not", "!"
  const char *const *taken;             // names that it does not leave to us, NULL at the end
  void (*open_cast)(hy_type type, hy_text *out);              // "hl.i16(": of what follows, up to ")"
  void (*open_saturating)(hy_type type, hy_text *out);        // the same, of less than 32 bits: the nearest that it has
  void (*whole)(hy_type type, hy_value value, hy_text *out);  // a constant; of type bool, too
  void (*floating)(hy_type type, double value, hy_text *out); // f32, f64
  void (*declare)(const char *kind, const char *name, hy_text *out); // up to what it is made of: "f = hl.Func"
  void (*domain)(const char *name, hy_text *out);                    // a declaration, too, up to its intervals, each
  const char *domain_open, *domain_close, *domain_end;               // between the first two; separated by commas
  void (*begin)(const char *pipeline, bool is_idiomatic, hy_text *out);
  const char *result, *parameters, *images,
      *finish;                            // before the output, the lists of parameters and of images; the end
  const char *several_open, *several_end; // around outputs, where there are several
  const char *parameter;                  // what holds the estimate of one, an expression; "": a number will do
  const char *sides_open, *sides_close;   // around estimates of all sides, and of each: "[", "]", "(", ")"
  const char *side_open, *side_close;
} hy_export_dialect;

#endif
