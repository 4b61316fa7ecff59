#ifndef HALYARD_H
#define HALYARD_H

/* Halyard as a library: build or parse a pipeline, schedule it, have it checked for all inputs, compile it, realize it
 * into your own buffers, or write it as an object file. docs/library.md tells the story, with programs that can be
 * copied.
 *
 * No function ends the process, prints, forks (unless HALYARD_Z3_HELPER is asked for) or reads the environment.
 *
 * Failure. A function that fails returns NULL (or false), and halyard_last_error says which call, and why. A function
 * that is given NULL, or an object that a failure has spoilt, fails, too, and leaves the earlier error as it is: build
 * a whole expression, then look once. What can be said of a call by its own words, by what was declared before it, and
 * by the grammar (names, numbers of operands, coordinates, values, arguments; texts), is the error of that call; types,
 * scopes and validity are for halyard_check, which sees the whole. Where memory runs out, or Halyard itself is at fault, what the call has allocated
 * is freed again; the object that it was about to change can only be freed from then on.
 *
 * Ownership. Everything belongs to a context. Pipelines, results, code and texts can be freed before it, one by one or
 * as halyard_release does; funcs, expressions and reduction domains live as long as their pipeline. What a function is
 * given it copies, or needs only while it runs.
 *
 * Threads. A context and what belongs to it are for one thread at a time; a call that finds another one in the same
 * context fails. Different contexts are independent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HALYARD_API __attribute__((visibility("default")))
#else
#define HALYARD_API
#endif

typedef struct halyard_context halyard_context;
typedef struct halyard_error halyard_error;
typedef struct halyard_pipeline halyard_pipeline; // an algorithm and a schedule for it
typedef struct halyard_func halyard_func;         // of a pipeline: a func, or an image
typedef struct halyard_expr halyard_expr;         // of a pipeline; never changes
typedef struct halyard_rdom halyard_rdom;         // of a pipeline: the box that an update or a reduction goes over
typedef struct halyard_result halyard_result;     // what is known of a pipeline after halyard_check
typedef struct halyard_code halyard_code;         // machine code, loaded

HALYARD_API const char *halyard_version(void);

/* -- contexts -- */

typedef enum {
  HALYARD_Z3_HERE,   // what Halyard's prover leaves open is put to Z3 in this process
  HALYARD_Z3_NOBODY, // it stays open
  HALYARD_Z3_HELPER, // Z3 runs in processes of its own, which are forked and, where they take too long, killed
} halyard_z3;

typedef struct halyard_options {
  size_t size; // of this: HALYARD_OPTIONS sets it
  halyard_z3 z3;
  unsigned z3_steps; // for each question, in 1000 of Z3's own steps; 0: 400
  bool entry_checks; // what cannot be decided for all inputs is checked whenever the code is run
} halyard_options;
#define HALYARD_OPTIONS .size = sizeof(halyard_options)

// NULL options: all as 0 says. NULL: no memory, or options of a size that is not known (halyard_last_error(NULL)).
HALYARD_API halyard_context *halyard_context_new(const halyard_options *options);
HALYARD_API void halyard_context_free(halyard_context *context); // and all that belongs to it

// Everything that is made after a mark, and not freed, is freed by its release. Marks nest.
typedef uint64_t halyard_point;
HALYARD_API halyard_point halyard_mark(halyard_context *context);
HALYARD_API bool halyard_release(halyard_context *context, halyard_point mark);

/* -- errors and diagnostics -- */

typedef enum {
  HALYARD_MISUSE = 1, // the call cannot be made so
  HALYARD_REFUSED,    // the program is wrong: see the diagnostics
  HALYARD_UNPROVED,   // code is wanted of what was not proved
  HALYARD_FAILED,     // a run ended without a result: an image is too small, a parameter out of range, ...
  HALYARD_NO_MEMORY,
  HALYARD_NO_FILE, // a file cannot be read or written
  HALYARD_DEFECT,  // Halyard is at fault
} halyard_problem;

typedef enum { HALYARD_IS_ERROR, HALYARD_IS_WARNING, HALYARD_IS_NOTE } halyard_severity;

typedef struct halyard_diagnostic { // fields may be added at the end
  halyard_severity severity;
  int code;         // 231 for HY0231
  const char *file; // "algorithm", "schedule" or "program", or the path of a file; "func" or "parameter": the text of
                    // halyard_func_text or halyard_param_text; NULL: no place
  uint32_t line, column, length;
  const char *message;
  const char *rule; // the one that is broken; NULL: none
  const char *hint; // what to write instead; NULL: nothing to say
  const char *text; // all of it as the command line prints it, with the line and a caret
} halyard_diagnostic;

// Of the last call that failed; NULL: none since the context was made or cleared. For a NULL context: of calls that
// found none, or another thread in theirs; of this thread. Valid until the next call with that context.
HALYARD_API const halyard_error *halyard_last_error(const halyard_context *context);
HALYARD_API void halyard_clear_error(halyard_context *context);
HALYARD_API halyard_problem halyard_error_problem(const halyard_error *error);
HALYARD_API const char *halyard_error_call(const halyard_error *error); // "halyard_realize"
HALYARD_API const char *halyard_error_message(const halyard_error *error);
// By position from 0; NULL behind the last. As long as the error.
HALYARD_API const halyard_diagnostic *halyard_error_diagnostic(const halyard_error *error, size_t position);

/* -- pipelines from text -- */

// One algorithm (docs/language.md); one target program, which needs no schedule. NULL: refused, with diagnostics.
HALYARD_API halyard_pipeline *halyard_parse(halyard_context *context, const char *algorithm);
HALYARD_API halyard_pipeline *halyard_parse_program(halyard_context *context, const char *program);
// The algorithm of a file, or the target program where its name ends in .tgt. What it includes is read with it, and is
// part of its text from then on. A file that cannot be read is HALYARD_NO_FILE.
HALYARD_API halyard_pipeline *halyard_parse_file(halyard_context *context, const char *path);
HALYARD_API void halyard_pipeline_free(halyard_pipeline *pipeline);

// Directives are added behind those that there are: "bv.tile(x, y, xi, yi, 256, 32).parallel(y);". A text that does not
// parse, or has a word that is no directive, is refused, with diagnostics; whether a directive applies is for
// halyard_check to say.
HALYARD_API bool halyard_schedule(halyard_pipeline *pipeline, const char *directives);
// The schedule of that name of a whole file; NULL: its only one. It takes the place of all directives.
HALYARD_API bool halyard_schedule_file(halyard_pipeline *pipeline, const char *schedules, const char *name);
HALYARD_API bool halyard_unschedule(halyard_pipeline *pipeline); // as at the beginning: everything at root
// As written. The context's.
HALYARD_API const char *halyard_print_algorithm(halyard_pipeline *pipeline);
HALYARD_API const char *halyard_print_schedule(halyard_pipeline *pipeline);

/* -- checking -- */

typedef enum { HALYARD_NO, HALYARD_YES, HALYARD_UNKNOWN } halyard_answer; // unknown is never yes

typedef struct halyard_obligation { // fields may be added at the end
  halyard_answer answer;            // is it true for all inputs?
  bool by_z3;                       // YES by Z3 alone
  const char *rule;                 // "B.Mem"
  const char *about;                // in words
  const char *model;                // NO: where it is false, "x.len = 1, w = 0"; else NULL
} halyard_obligation;

// Of the pipeline as it is now. NULL: not checked at all (halyard_last_error); a program that is wrong has a result.
HALYARD_API halyard_result *halyard_check(halyard_pipeline *pipeline);
HALYARD_API void halyard_result_free(halyard_result *result);
// YES: every access is in bounds and every point is computed, for all inputs. NO: see the diagnostics.
HALYARD_API halyard_answer halyard_result_answer(const halyard_result *result); // of NULL: HALYARD_UNKNOWN
// By position from 0; NULL behind the last. As long as the result.
HALYARD_API const halyard_diagnostic *halyard_result_diagnostic(const halyard_result *result, size_t position);
HALYARD_API const halyard_obligation *halyard_result_obligation(const halyard_result *result, size_t position);

// What a pipeline is called with, and what it fills.
typedef enum { HALYARD_IS_PARAM, HALYARD_IS_IMAGE, HALYARD_IS_OUTPUT } halyard_role;
typedef struct halyard_declaration { // fields may be added at the end
  halyard_role role;
  const char *name;
  int type;        // a halyard_type
  int dimensions;  // of a parameter 0
  bool is_default; // a parameter that need not be given
} halyard_declaration;
// Parameters, images, outputs, each in the order of the text, by position from 0; of an output of several values each
// of them ("f.0", "f.1"); NULL behind the last, and of what could
// not be read. As long as the result.
HALYARD_API const halyard_declaration *halyard_result_declaration(const halyard_result *result, size_t position);

typedef enum {
  HALYARD_STAGE_ALGORITHM,
  HALYARD_STAGE_SCHEDULE, // the directives in the order applied
  HALYARD_STAGE_LOWERED,
  HALYARD_STAGE_SCHEDULED,
  HALYARD_STAGE_FILLED,
  HALYARD_STAGE_LLVM,
  HALYARD_STAGE_ASM,
} halyard_stage;
// The context's. The last two only of what is proved.
HALYARD_API const char *halyard_print(halyard_result *result, halyard_stage stage);

/* -- code: only of results whose answer is YES -- */

HALYARD_API halyard_code *halyard_compile(halyard_result *result);
HALYARD_API void halyard_code_free(halyard_code *code); // may outlive its result

// The bytes of an object file that exports "name" as docs/build.md says, to be linked with libhalyard_runtime.a; and
// its header. The context's.
HALYARD_API const void *halyard_object(halyard_result *result, const char *name, size_t *size);
HALYARD_API const char *halyard_header(halyard_result *result, const char *name);
// Both, as PATH.o and PATH.h; a file appears whole or not at all.
HALYARD_API bool halyard_write(halyard_result *result, const char *name, const char *path);

/* -- realizing -- */

typedef enum {
  HALYARD_INT,  // 64 bits
  HALYARD_BOOL, // a byte
  HALYARD_U8,
  HALYARD_U16,
  HALYARD_U32,
  HALYARD_U64,
  HALYARD_I8,
  HALYARD_I16,
  HALYARD_I32,
  HALYARD_I64,
  HALYARD_F32,
  HALYARD_F64,
  HALYARD_F16,
  HALYARD_BF16,
} halyard_type;

enum { HALYARD_MOST_DIMENSIONS = 8 };

typedef struct halyard_buffer {
  void *data; // the element at the minimum of every dimension
  halyard_type type;
  int dimensions;
  int64_t min[HALYARD_MOST_DIMENSIONS], extent[HALYARD_MOST_DIMENSIONS];
  int64_t stride[HALYARD_MOST_DIMENSIONS]; // in elements, of any sign. The output's elements lie apart from each other
} halyard_buffer;

// A dense buffer at the origin, dimension 0 the fastest: of 1, 2 or 3 dimensions, those that are not 0 (one without
// points is filled in by hand).
HALYARD_API halyard_buffer halyard_dense(void *data, halyard_type type, int64_t width, int64_t height,
                                         int64_t channels);
// The same memory as a halide_buffer_t (halyard_runtime.h) describes. False: Halyard has no such type or that many
// dimensions.
struct halide_buffer_t;
HALYARD_API bool halyard_from_halide(const struct halide_buffer_t *halide, halyard_buffer *buffer);

/* -- operands: numbers, expressions, names -- */

typedef struct halyard_operand {
  enum {
    HALYARD_OPERAND_NONE,
    HALYARD_OPERAND_SIGNED,
    HALYARD_OPERAND_UNSIGNED,
    HALYARD_OPERAND_REAL,
    HALYARD_OPERAND_EXPR,
    HALYARD_OPERAND_FUNC,
    HALYARD_OPERAND_NAME,
    HALYARD_OPERAND_BUFFER,
  } kind;
  union {
    int64_t i;
    uint64_t u;
    double d;
    const halyard_expr *expr;
    const halyard_func *func;
    const char *name;
    const halyard_buffer *buffer;
  } is;
} halyard_operand;

// What is called by name: an image's buffer, or a parameter's value.
typedef struct halyard_argument {
  const char *name;
  halyard_operand value;
} halyard_argument;

// Writes the window, the box of "output", of a pipeline that has one. Nothing is written before everything was looked
// at: that all arguments are there and of the right type, rank and alignment, that an output shares no memory with an
// image or another output, and that images contain what is read of them.
HALYARD_API bool halyard_realize(halyard_code *code, const halyard_argument *arguments, size_t count,
                                 const halyard_buffer *output);
// The same of one output or several: a buffer for each, by its name. An output of several values has one for each of
// them, called "f.0", "f.1", ..., all of one window.
HALYARD_API bool halyard_realize_all(halyard_code *code, const halyard_argument *arguments, size_t count,
                                     const halyard_argument *outputs, size_t output_count);

/* -- building pipelines -- */

// The last func defined is the output, or those that halyard_pipeline_outputs lists. What cannot be built can be
// written: halyard_func_text.
HALYARD_API halyard_pipeline *halyard_pipeline_new(halyard_context *context, const char *name);
HALYARD_API halyard_expr *halyard_param(halyard_pipeline *pipeline, const char *name, halyard_type type);
// With a range, a default and an estimate, as the language writes them: "in 1..16 = 3 estimate 8"; NULL: nothing.
HALYARD_API halyard_expr *halyard_param_text(halyard_pipeline *pipeline, const char *name, halyard_type type,
                                             const char *about);
HALYARD_API halyard_func *halyard_image(halyard_pipeline *pipeline, const char *name, halyard_type type,
                                        int dimensions);
// What an input has to meet, over parameters and boxes of images; a run on another ends with an error that says so.
HALYARD_API bool halyard_pipeline_require(halyard_pipeline *pipeline, halyard_operand condition);
// The contract on floats, by its name in the language: "exact", which it has at first, "fma" or "real".
HALYARD_API bool halyard_contract(halyard_pipeline *pipeline, const char *contract);
HALYARD_API halyard_expr *halyard_var(halyard_pipeline *pipeline, const char *name);
HALYARD_API halyard_expr *halyard_number(halyard_pipeline *pipeline, halyard_operand number);
// "min" and "len" of an image's dimension, known when the pipeline starts.
HALYARD_API halyard_expr *halyard_image_min(halyard_func *image, int dimension);
HALYARD_API halyard_expr *halyard_image_len(halyard_func *image, int dimension);

// An operator: + - * / % << >> < <= > >= == != & ^ | && ||, of two operands or more from the left; - ! ~ of one; or
// whatever the language calls: min, max, select, clamp, abs, sqrt, u8, f32, absd, ... One operand at least is no
// number.
HALYARD_API halyard_expr *halyard_operation(const char *name, size_t count, const halyard_operand *operands);
HALYARD_API halyard_expr *halyard_convert(halyard_type type, halyard_operand operand);
HALYARD_API halyard_expr *halyard_call(const halyard_func *func, size_t count, const halyard_operand *coordinates);
HALYARD_API halyard_expr *halyard_part(const halyard_expr *call, int part); // of a call of a func of several values

// An update or a reduction goes over a domain as it is when it is given: variables that are added later are not its.
HALYARD_API halyard_rdom *halyard_rdom_new(halyard_pipeline *pipeline);
// One more variable, around those that there are: min, ..., min + len - 1.
HALYARD_API halyard_expr *halyard_rdom_range(halyard_rdom *rdom, const char *name, halyard_operand min,
                                             halyard_operand len);
// One of HALYARD_REDUCTIONS of an expression over it: "sum", "maximum", ...; "argmin" and "argmax" have parts. What
// is used several times in the values of one stage is one reduction, as behind a let of the language; with a name it
// is one wherever it is used.
HALYARD_API halyard_expr *halyard_reduction(const char *name, const halyard_rdom *rdom, const halyard_expr *expr);

// The same with a name, by which its loops are scheduled (NULL: none; a name stands once in the pipeline), and over the
// points for which a predicate is true (HALYARD_ALWAYS: all).
HALYARD_API halyard_expr *halyard_reduction_as(const char *reduction, const char *name, const halyard_rdom *rdom,
                                               const halyard_expr *expr, halyard_operand predicate);
// The func that a reduction with a name is, to be scheduled; its update goes over the domain.
HALYARD_API halyard_func *halyard_reduction_func(const halyard_expr *reduction);

// "vars" are halyard_vars; several values make a tuple.
HALYARD_API halyard_func *halyard_func_define(halyard_pipeline *pipeline, const char *name, size_t var_count,
                                              const halyard_operand *vars, size_t value_count,
                                              const halyard_operand *values);
// rdom: NULL = none. predicate: HALYARD_ALWAYS = none.
HALYARD_API bool halyard_func_update(halyard_func *func, const halyard_rdom *rdom, size_t coordinate_count,
                                     const halyard_operand *coordinates, size_t value_count,
                                     const halyard_operand *values, halyard_operand predicate);
// A boundary condition, one of HALYARD_BOUNDARIES: an image, or a func of one value, continued outside of a box. value: of
// constant_exterior, what is outside; of the others HALYARD_ALWAYS. box: min and len of each dimension that is
// continued, the first first; none: the box that the image has.
HALYARD_API halyard_func *halyard_func_boundary(const char *condition, const char *name, halyard_func *source,
                                                halyard_operand value, size_t count, const halyard_operand *box);
// As the language has it, "fun c = repeat_edge(in);" for "c". Constants, helpers and other funcs may stand there, too; a
// func of a family is given for one of its members, "g_0". A text that does not parse is refused, with diagnostics.
HALYARD_API halyard_func *halyard_func_text(halyard_pipeline *pipeline, const char *name, const char *text);

// The outputs, in that order, as func operands; none: the last func defined, as it is without.
HALYARD_API bool halyard_pipeline_outputs(halyard_pipeline *pipeline, size_t count, const halyard_operand *funcs);

// A directive of one func, or a method of its chain, one of HALYARD_METHODS: "f.vectorize(x, 16);". Of an image: "in"
// alone. stage: 0; or the number of the update that is meant, from 1; or HALYARD_CHAIN: it goes on with the chain of the
// call before, which was given the same func: "f.store_root().compute_at(g, y);".
enum { HALYARD_CHAIN = -1 };
HALYARD_API bool halyard_func_schedule(halyard_func *func, int stage, const char *directive, size_t count,
                                       const halyard_operand *arguments);

// As it would be written. The context's.
HALYARD_API const char *halyard_print_expr(const halyard_expr *expr);

/* -- the words of the language, for programs that offer them under names of their own -- */

typedef enum {
  HALYARD_TYPES,      // in the order of halyard_type; form: NumPy's, "<u2"
  HALYARD_OPERATORS,  // of halyard_operation: before its operand, or between two
  HALYARD_FUNCTIONS,  // of halyard_operation: written as a call
  HALYARD_REDUCTIONS, // of halyard_reduction
  HALYARD_BOUNDARIES, // conditions at the edge: "repeat_edge", of halyard_func_boundary
  HALYARD_METHODS,    // of halyard_func_schedule
} halyard_table;

typedef struct halyard_word { // fields may be added at the end
  const char *name;
  int operands;        // of an operator or a function, else 0
  bool is_condition;   // of an operator: it gives a bool
  const char *form;    // how it is written; NULL: as all of its table
  const char *meaning; // in a line; NULL: docs/language.md has it
} halyard_word;

// By position from 0; NULL behind the last.
HALYARD_API const halyard_word *halyard_word_at(halyard_table table, size_t position);

/* -- conveniences: C11 -- */

#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

static inline halyard_operand halyard_of_signed(long long i) {
  halyard_operand o = {HALYARD_OPERAND_SIGNED, {.i = i}};
  return o;
}
static inline halyard_operand halyard_of_unsigned(unsigned long long u) {
  halyard_operand o = {HALYARD_OPERAND_UNSIGNED, {.u = u}};
  return o;
}
static inline halyard_operand halyard_of_real(double d) {
  halyard_operand o = {HALYARD_OPERAND_REAL, {.d = d}};
  return o;
}
static inline halyard_operand halyard_of_expr(const halyard_expr *expr) {
  halyard_operand o = {HALYARD_OPERAND_EXPR, {.expr = expr}};
  return o;
}
static inline halyard_operand halyard_of_func(const halyard_func *func) {
  halyard_operand o = {HALYARD_OPERAND_FUNC, {.func = func}};
  return o;
}
static inline halyard_operand halyard_of_name(const char *name) {
  halyard_operand o = {HALYARD_OPERAND_NAME, {.name = name}};
  return o;
}
static inline halyard_operand halyard_of_buffer(const halyard_buffer *buffer) {
  halyard_operand o = {HALYARD_OPERAND_BUFFER, {.buffer = buffer}};
  return o;
}
static inline halyard_operand halyard_of_operand(halyard_operand operand) { return operand; }

// Any number, expression, func, name or buffer as an operand.
#define HALYARD_O(x)                                                                                                   \
  _Generic((x),                                                                                                        \
      halyard_operand: halyard_of_operand,                                                                             \
      halyard_expr *: halyard_of_expr,                                                                                 \
      const halyard_expr *: halyard_of_expr,                                                                           \
      halyard_func *: halyard_of_func,                                                                                 \
      const halyard_func *: halyard_of_func,                                                                           \
      char *: halyard_of_name,                                                                                         \
      const char *: halyard_of_name,                                                                                   \
      halyard_buffer *: halyard_of_buffer,                                                                             \
      const halyard_buffer *: halyard_of_buffer,                                                                       \
      float: halyard_of_real,                                                                                          \
      double: halyard_of_real,                                                                                         \
      long double: halyard_of_real,                                                                                    \
      unsigned char: halyard_of_unsigned,                                                                              \
      unsigned short: halyard_of_unsigned,                                                                             \
      unsigned: halyard_of_unsigned,                                                                                   \
      unsigned long: halyard_of_unsigned,                                                                              \
      unsigned long long: halyard_of_unsigned,                                                                         \
      default: halyard_of_signed)(x)
#define HALYARD_ALWAYS ((halyard_operand){HALYARD_OPERAND_NONE, {0}})

// Up to eight operands as "count, array"; HALYARD_NONE is none.
#define HALYARD_NONE 0, NULL
#define HALYARD_LIST(...) HALYARD_COUNT_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0), HALYARD_ARRAY_(__VA_ARGS__)
#define HALYARD_COUNT_(a, b, c, d, e, f, g, h, n, ...) n
#define HALYARD_ARRAY_(...) ((halyard_operand[]){HALYARD_EACH_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)(__VA_ARGS__)})
#define HALYARD_EACH_(a, b, c, d, e, f, g, h, n, ...) HALYARD_EACH_##n
#define HALYARD_EACH_1(a) HALYARD_O(a)
#define HALYARD_EACH_2(a, b) HALYARD_O(a), HALYARD_O(b)
#define HALYARD_EACH_3(a, b, c) HALYARD_O(a), HALYARD_O(b), HALYARD_O(c)
#define HALYARD_EACH_4(a, b, c, d) HALYARD_EACH_2(a, b), HALYARD_EACH_2(c, d)
#define HALYARD_EACH_5(a, b, c, d, e) HALYARD_EACH_3(a, b, c), HALYARD_EACH_2(d, e)
#define HALYARD_EACH_6(a, b, c, d, e, f) HALYARD_EACH_3(a, b, c), HALYARD_EACH_3(d, e, f)
#define HALYARD_EACH_7(a, b, c, d, e, f, g) HALYARD_EACH_4(a, b, c, d), HALYARD_EACH_3(e, f, g)
#define HALYARD_EACH_8(a, b, c, d, e, f, g, h) HALYARD_EACH_4(a, b, c, d), HALYARD_EACH_4(e, f, g, h)

#define halyard_op(name, ...) halyard_operation(name, HALYARD_LIST(__VA_ARGS__))
#define halyard_add(...) halyard_op("+", __VA_ARGS__)
#define halyard_sub(...) halyard_op("-", __VA_ARGS__)
#define halyard_mul(...) halyard_op("*", __VA_ARGS__)
#define halyard_div(a, b) halyard_op("/", a, b)
#define halyard_mod(a, b) halyard_op("%", a, b)
#define halyard_min(a, b) halyard_op("min", a, b)
#define halyard_max(a, b) halyard_op("max", a, b)
#define halyard_clamp(a, low, high) halyard_op("clamp", a, low, high)
#define halyard_lt(a, b) halyard_op("<", a, b)
#define halyard_le(a, b) halyard_op("<=", a, b)
#define halyard_gt(a, b) halyard_op(">", a, b)
#define halyard_ge(a, b) halyard_op(">=", a, b)
#define halyard_eq(a, b) halyard_op("==", a, b)
#define halyard_ne(a, b) halyard_op("!=", a, b)
#define halyard_and(...) halyard_op("&&", __VA_ARGS__)
#define halyard_or(...) halyard_op("||", __VA_ARGS__)
#define halyard_not(a) halyard_op("!", a)
#define halyard_select(c, a, b) halyard_op("select", c, a, b)
#define halyard_cast(type, a) halyard_convert(type, HALYARD_O(a))
#define halyard_num(pipeline, n) halyard_number(pipeline, HALYARD_O(n))
#define halyard_at(func, ...) halyard_call(func, HALYARD_LIST(__VA_ARGS__))
#define halyard_require(pipeline, condition) halyard_pipeline_require(pipeline, HALYARD_O(condition))
#define halyard_range(rdom, name, min, len) halyard_rdom_range(rdom, name, HALYARD_O(min), HALYARD_O(len))
// vars and coordinates: HALYARD_LIST(x, y), or HALYARD_NONE; so are the values of a tuple.
#define halyard_define(pipeline, name, vars, value) halyard_func_define(pipeline, name, vars, HALYARD_LIST(value))
#define halyard_define_tuple(pipeline, name, vars, values) halyard_func_define(pipeline, name, vars, values)
#define halyard_update(func, rdom, coordinates, value)                                                                 \
  halyard_func_update(func, rdom, coordinates, HALYARD_LIST(value), HALYARD_ALWAYS)
#define halyard_update_if(func, rdom, coordinates, value, predicate)                                                   \
  halyard_func_update(func, rdom, coordinates, HALYARD_LIST(value), HALYARD_O(predicate))
// box: HALYARD_LIST(min, len, min, len)
#define halyard_boundary(condition, name, source)                                                                      \
  halyard_func_boundary(condition, name, source, HALYARD_ALWAYS, HALYARD_NONE)
#define halyard_boundary_in(condition, name, source, box)                                                              \
  halyard_func_boundary(condition, name, source, HALYARD_ALWAYS, box)
#define halyard_exterior(name, source, value)                                                                          \
  halyard_func_boundary("constant_exterior", name, source, HALYARD_O(value), HALYARD_NONE)
#define halyard_exterior_in(name, source, value, box)                                                                  \
  halyard_func_boundary("constant_exterior", name, source, HALYARD_O(value), box)
#define halyard_outputs(pipeline, ...) halyard_pipeline_outputs(pipeline, HALYARD_LIST(__VA_ARGS__))
#define halyard_reduce(reduction, name, rdom, expr) halyard_reduction_as(reduction, name, rdom, expr, HALYARD_ALWAYS)
#define halyard_reduce_if(reduction, name, rdom, expr, predicate)                                                      \
  halyard_reduction_as(reduction, name, rdom, expr, HALYARD_O(predicate))
#define halyard_directive(func, name, ...) halyard_func_schedule(func, 0, name, HALYARD_LIST(__VA_ARGS__))
#define halyard_update_directive(func, stage, name, ...)                                                               \
  halyard_func_schedule(func, stage, name, HALYARD_LIST(__VA_ARGS__))
#define HALYARD_ARGUMENT(name, value)                                                                                  \
  { name, HALYARD_O(value) }

#endif

#ifdef __cplusplus
}
#endif

#endif
