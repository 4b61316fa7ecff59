#ifndef HY_ALG_H
#define HY_ALG_H

/* The algorithm language (paper, Figure 5): what is computed; no order, no storage. Immutable after parsing. */

#include "semantics/expr/expr.h"

typedef struct hy_interval {
  const hy_expr *min, *len; // of type int; [min, min + len)
} hy_interval;

typedef struct hy_rdom {
  const hy_var *var;    // HY_VAR_RDOM
  hy_interval interval; // startup expressions (definition 4.5)
  hy_loc loc;
} hy_rdom;

// Where an access stands in the source, for diagnostics: expressions are shared and have no place of their own.
typedef struct hy_access_site {
  const hy_expr *access; // HY_EXPR_ACCESS
  hy_loc loc;
  const hy_loc *indices; // where each of its indices stands; NULL: nobody kept that
} hy_access_site;

// A sum, difference or product of integers of 8 or 16 bits, as written: of those that wrap users are warned.
typedef struct hy_sum_site {
  const hy_expr *sum;
  bool is_inline; // what an inline reduction does with each value: its func read, and the value
  hy_loc loc;
} hy_sum_site;

// Stage 0 (pure): lhs are the pure variables themselves, no rdoms, no predicate.
typedef struct hy_stage {
  const hy_expr *const *lhs; // rank of them
  const hy_expr *rhs;
  const hy_expr *predicate; // NULL = none
  const hy_rdom *rdoms;     // rdoms[0] is the innermost loop
  int rdom_count;
  uint32_t pure; // bit d set: dimension d is pure in this stage (definition 4.3)
  const hy_access_site *accesses;
  int access_count;
  const hy_sum_site *sums;
  int sum_count;
  hy_loc loc;
} hy_stage;

typedef struct hy_definition {
  const hy_func *func;
  const hy_var *const *vars; // the pure variables, rank of them
  const hy_stage *stages;
  int stage_count;
  bool is_made; // nobody wrote it: it is the func of an inline reduction
} hy_definition;

// What is realized, and where its window stands among those of all outputs (decision D81).
typedef struct hy_output {
  const hy_func *func;
  int first; // window_min[first], ..., window_min[first + func->rank - 1]
  int part;  // parts[part], ... are its values
} hy_output;

// What a caller gives a buffer for: a value of an output. Those of one output lie one after the other, and have its
// window (decision D80).
typedef struct hy_output_part {
  const hy_func *func;
  int output, part; // outputs[output].func is func, and this its value "part"
  int first;        // of the output
  hy_type type;
  const char *name; // "f"; of an output of several values "f.0", "f.1", ...
} hy_output_part;

// What is said of a scalar parameter beside its type.
typedef struct hy_param_about {
  bool has_range, has_initial, has_estimate;
  hy_value least, greatest; // of its values, both among them (ALG.Valid.Params)
  hy_value initial;         // where none is given
  hy_value estimate;        // what it usually is; of schedules alone
  hy_loc loc;               // of its name in an algorithm's text; no source: nowhere
} hy_param_about;

// require e; of inputs for which e is not true the algorithm says nothing (ALG.Realize-Require).
typedef struct hy_requirement {
  const hy_expr *condition; // a startup expression (definition 4.4)
  hy_loc loc;               // of an algorithm's text
} hy_requirement;

enum {
  HY_MAX_OUTPUTS = 8,
  HY_MAX_WINDOW = HY_MAX_OUTPUTS * HY_MAX_RANK,
  HY_MAX_OUTPUT_PARTS = HY_MAX_OUTPUTS * HY_MAX_PARTS
};

typedef struct hy_alg {
  const char *name;
  const hy_var *const *params; // scalar parameters, in order
  int param_count;
  const hy_param_about *about; // of each parameter; NULL where nothing is said of any
  const hy_func *const *images;
  int image_count;
  const hy_requirement *requirements; // in the order of the text
  int requirement_count;
  // The order in which scalars and images were written: +k = params[k-1], -k = images[-k-1]
  const int *signature;
  bool
      floats_in_any_order; // contract real: a schedule may add floats up, or take their least, in another order (DIR.RFactor.Real)
  const hy_definition *definitions; // in the order of the text
  int definition_count;
  const hy_output *outputs; // in the order in which they are listed; the last func where none are
  int output_count;
  const hy_func *output; // the first of them
  // The values of all outputs, in their order: as many as callers give buffers
  const hy_output_part *parts;
  int part_count;
  // Of all outputs, one after the other: window_rank of each, HY_VAR_WINDOW_MIN and HY_VAR_WINDOW_LEN
  const hy_var *const *window_min;
  const hy_var *const *window_len;
  int window_rank;
  hy_loc loc;
} hy_alg;

hy_param_about hy_alg_about(const hy_alg *alg, int param);
// Does the value lie in the parameter's range?
bool hy_alg_param_fits(const hy_alg *alg, int param, hy_value value);
bool hy_alg_params_fit(const hy_alg *alg, const hy_value *params); // all of them
// What to write where nothing says how far an index goes that is computed with a parameter: "give 's' a range,
// s: f32 in 0.25..4.0". Of one without a range, no int nor bool; NULL: the index has none, or reads what is stored.
const char *hy_alg_range_help(hy_context *context, const hy_alg *alg, const hy_expr *index);
// "w: int in 1..16 = 3 estimate 8"
void hy_alg_print_param(const hy_alg *alg, int param, hy_text *out);
const hy_definition *hy_alg_definition(const hy_alg *alg, const hy_func *func); // NULL for images
const hy_func *hy_alg_find(const hy_alg *alg, const char *name);                // funcs and images; NULL if none
// The output that the func is; NULL if it is none.
const hy_output *hy_alg_output(const hy_alg *alg, const hy_func *func);
// Makes these the outputs, with windows: at least one. Where it is one, its sides are called x.min and x.len, else
// f.x.min and f.x.len.
void hy_alg_set_outputs(hy_context *context, hy_alg *alg, const hy_func *const *funcs, int count);
// Makes these the outputs, which have a place in the windows that there are.
void hy_alg_keep_outputs(hy_context *context, hy_alg *alg, const hy_output *outputs, int count);
// Is the last func the one output, as it is where none is listed?
bool hy_alg_has_plain_output(const hy_alg *alg);
// Does an output (transitively) read it? An output reaches itself.
bool hy_alg_reaches(const hy_alg *alg, const hy_func *func);
// The same for all symbols at once, by hy_func.index; "reached" has image_count + definition_count places.
void hy_alg_reached(const hy_alg *alg, bool *reached);
// As written, of an access that is so, or has loops for its variables; NULL if none of the stage's is it.
const hy_access_site *hy_stage_access_site(const hy_stage *stage, const hy_expr *access);
hy_loc hy_stage_access_loc(
    const hy_stage *stage,
    const hy_expr *access); // as written, or with loops for its variables; the stage's own place if not listed

// Prints the whole file text; parses back to an equal program.
void hy_alg_print(const hy_alg *alg, hy_text *out);

#endif
