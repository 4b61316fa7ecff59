#ifndef HY_SYNTAX_INTERNAL_H
#define HY_SYNTAX_INTERNAL_H

/* What the three parsers share: tokens, the untyped tree of expressions, and its elaboration into typed ones.
 *
 * A parser reads tokens with the verbs below; a verb that fails has reported, and returns false or NULL, and the caller
 * gives up its statement and calls hy_parser_recover. Words are contextual: "in" is a name like any other.
 * Trees and names live in the context's arena; the parser itself is one call's.
 */

#include "semantics/alg/expand/expand.h"
#include "semantics/base/vec.h"
#include "semantics/text/syntax.h"
#include "semantics/text/tokens.h"

// Deeper nesting of parentheses, calls, prefix operators and lets is refused, in the text (HY_MAX_NESTING_WRITTEN) and,
// lets expanded, in the meaning (HY_MAX_NESTING: half, so that what is printed parses back); so are trees that are
// higher (a sum of 2000 terms) or have more nodes. Recursion over anything that passed the parser is then bounded.
enum {
  HY_MAX_NESTING = 400,
  HY_MAX_NESTING_WRITTEN = 2 * HY_MAX_NESTING,
  HY_MAX_HEIGHT = 2000,
  HY_MAX_NODES = 1 << 18,
  HY_MAX_SYNTAX_ERRORS = 20,
};

// What is listed: a program of a person's has a tenth of it, and what costs time in its square is not begun. Long
// chains of funcs and long lists of stages cost none: generated programs have them.
enum {
  HY_MAX_NAME = 1000, // bytes
  HY_MAX_WRITTEN_DIMS = 64,
  HY_MAX_PARAMS = 250,  // images among them
  HY_MAX_RDOMS = 64,    // of a stage
  HY_MAX_STAGES = 2000, // of a func
  HY_MAX_FUNCS = 50000,
  HY_MAX_NAMED = 1000,          // constants and helpers
  HY_MAX_ARGUMENTS = 64,        // of a helper
  HY_MAX_DIRECTIVES = 1000,     // of a schedule
  HY_MAX_SCHEDULES = 250,       // of a file
  HY_MAX_BLOCKS = 32,           // "for" and "if" inside of each other
  HY_MAX_INDICES = 8,           // of a member of a family
  HY_MAX_WRITTEN_OUT = 1 << 22, // operations, and turns of a "for", that are written out
};

/* -- expressions as written -- */

typedef struct hy_written_name {
  const char *text;
  hy_loc loc;
} hy_written_name;

typedef struct hy_written_rdom {
  hy_written_name name;
  const hy_syntax *min, *len;
} hy_written_rdom;

// sum NAME(rdom(r = (min, len)) in body if predicate)
typedef struct hy_written_reduction {
  hy_reduction reduction;
  hy_written_name name; // its text is NULL if there is none
  const hy_written_rdom *rdoms;
  int rdom_count;
  const hy_syntax *body, *predicate; // predicate is NULL if there is none
} hy_written_reduction;

typedef enum {
  HY_SYNTAX_INTEGER,   // text, is_negative (the sign of "-3" belongs to the literal)
  HY_SYNTAX_FLOAT,     // text, is_negative
  HY_SYNTAX_BOOL,      // text is "true" or "false"
  HY_SYNTAX_NAME,      // text
  HY_SYNTAX_MEMBER,    // args[0] . text
  HY_SYNTAX_CALL,      // args[0] ( args[1], ... )
  HY_SYNTAX_INDEX,     // args[0] [ args[1], ... ]     a part of a tuple: f(x)[0]
  HY_SYNTAX_OP,        // op, args
  HY_SYNTAX_LET,       // let text = args[0] in args[1]
  HY_SYNTAX_INTERVAL,  // (args[0], args[1])          of a boundary condition; as what a stage stores, a tuple of two
  HY_SYNTAX_TUPLE,     // (args[0], ..., args[2], ...) what a stage stores
  HY_SYNTAX_HOLE,      // ? args[0]                    only target programs; count is 0 for a bare "?"
  HY_SYNTAX_REDUCTION, // reduction; args are all expressions in it
  HY_SYNTAX_CHOICE,    // if args[0] then args[1] else args[2]: the first is known in the text
  HY_SYNTAX_START,     // what "start" begins with     not written: alg_reductions.c makes it
} hy_syntax_kind;

// Of what is written out for a call of a helper.
typedef struct hy_written_for {
  const char *helper;     // in whose text it stands
  const hy_syntax *use;   // that call, the outermost of them
  const hy_syntax *shown; // the call for which it stands, which messages quote; NULL: itself
} hy_written_for;

// Of a long text there are millions: small fields stand first, together, and what few have is elsewhere.
struct hy_syntax {
  hy_syntax_kind kind : 8;
  hy_op op : 8;           // HY_SYNTAX_OP
  hy_reduction start : 8; // HY_SYNTAX_START
  bool is_negative;       // literals
  bool in_parentheses;
  bool has_reduction;                    // is there one in the tree?
  bool has_tuple;                        // may there be one in the tree, or an interval?
  bool is_written_out;                   // outside of a "for" it stays as it is
  int height;                            // of the tree, at most HY_MAX_HEIGHT
  int count;                             // of args
  const char *text;                      // interned
  const hy_written_reduction *reduction; // HY_SYNTAX_REDUCTION; OP, NAME: of which it was made, or NULL
  const char *family;                    // of a name that g[3] stands for: "g"; else NULL
  const hy_written_for *written_for;     // NULL: it stands itself
  size_t offset;                         // of its first byte in the source's text
  hy_loc loc;                            // from the first byte to the last
  hy_loc place; // where to point: the operator, the member's or let's name, an interval's comma; else as loc
  const hy_syntax *const *args;
};

// What its arguments have it has, too.
static inline void hy_syntax_sum_up(hy_syntax *s) {
  s->height = 1;
  s->has_reduction = s->kind == HY_SYNTAX_REDUCTION;
  s->has_tuple = s->kind == HY_SYNTAX_TUPLE || s->kind == HY_SYNTAX_INTERVAL;
  for (int i = 0; i < s->count; i++) {
    s->has_reduction |= s->args[i]->has_reduction;
    s->has_tuple |= s->args[i]->has_tuple;
    if (s->args[i]->height >= s->height) s->height = s->args[i]->height + 1;
  }
}

static inline const char *hy_syntax_helper(const hy_syntax *s) {
  return s->written_for ? s->written_for->helper : NULL;
}
static inline const hy_syntax *hy_syntax_use(const hy_syntax *s) { return s->written_for ? s->written_for->use : NULL; }

// What is too large. Of a select in a helper both arms are written, whatever the call gives: each has its part in types
// and, in strict mode, in errors.
#define HY_HELP_DIVIDE "give a part of the expression a func of its own"
#define HY_HELP_DIVIDE_HELPER                                                                                          \
  HY_HELP_DIVIDE "; where a helper chooses by a number of the call, 'if k == 0 then a else b' is what is chosen "      \
                 "alone, and select(k == 0, a, b) all of both"

/* -- parsing -- */

typedef struct hy_parser {
  hy_context *context;
  const hy_source *source;
  hy_diagnostics *diagnostics;
  hy_tokens tokens;
  size_t next;
  int nesting;                        // of expressions
  int blocks;                         // "for" and "if" around
  struct hy_parser *includes;         // the parser of the file that includes this one; NULL: none does
  HY_VEC(const hy_source *) included; // of the outermost: what has been included so far
  bool is_no_text;                    // one error says so; others would say nothing more
  bool end_is_told;                   // something is missing at the end of the file, and one error says so
  bool holes;                         // "?" is an expression (target programs)
  hy_arena *arena;                    // of expressions as written; NULL: the context's
  size_t first_error;                 // how many errors there were before this parse
} hy_parser;

void hy_parser_open(hy_parser *parser, hy_context *context, const hy_source *source, hy_diagnostics *diagnostics);
void hy_parser_close(hy_parser *parser);
bool hy_parser_failed(const hy_parser *parser);  // has reported any error
bool hy_parser_gave_up(const hy_parser *parser); // has reported so many that going on makes no sense

const hy_token *hy_parser_peek(const hy_parser *parser, size_t ahead); // 0 = the next token
hy_loc hy_parser_loc(const hy_parser *parser);                         // of the next token
bool hy_parser_at(const hy_parser *parser, const char *text);          // a word or punctuation
bool hy_parser_at_end(const hy_parser *parser);
bool hy_parser_accept(hy_parser *parser, const char *text);
// "where" ends the sentence "expected ... WHERE", say "after the func's name".
bool hy_parser_expect(hy_parser *parser, const char *text, const char *where);
// "what" is the noun of "expected WHAT". NULL after a report. "loc" may be NULL.
const char *hy_parser_name(hy_parser *parser, const char *what, hy_loc *loc);
// "<-" is two adjacent tokens "<" "-", joined only where an update's arrow can stand.
bool hy_parser_at_arrow(const hy_parser *parser);
bool hy_parser_accept_arrow(hy_parser *parser);
bool hy_parser_accept_right_arrow(hy_parser *parser); // "->"
// Skips past the next ";" of this brace level, or up to its "}".
void hy_parser_recover(hy_parser *parser);
// May there be one more? False after a report: "Halyard takes at most MOST WHAT".
bool hy_parser_room(hy_parser *parser, size_t count, size_t most, const char *what);
// Says "expected WHAT, found 'token'" at the next token; "help" may be NULL.
void hy_parser_unexpected(hy_parser *parser, const char *what, const char *help);

const hy_syntax *hy_parse_expression(hy_parser *parser); // NULL after a report

// parse_reduction.c
bool hy_parser_at_domain(const hy_parser *parser); // "rdom("
bool hy_parse_domain(hy_parser *parser, const hy_written_rdom **rdoms,
                     int *count); // up to and with "in"; false after a report
bool hy_parser_at_reduction(const hy_parser *parser);
bool hy_parse_reduction(hy_parser *parser, hy_written_reduction *reduction); // false after a report

// Reads "e1, ..., en" up to and with the closing token, after the opening one. False after a report.
typedef HY_VEC(const hy_syntax *) hy_syntaxes;
bool hy_parse_arguments(hy_parser *parser, const char *close, hy_syntaxes *list);

/* -- constant.c, write_out.c: what is known in the text alone -- */

// for NAME in first..last
typedef struct hy_written_range {
  hy_written_name name;
  const hy_syntax *first, *last;
} hy_written_range;

bool hy_parser_at_for(const hy_parser *parser);                                      // "for NAME in"
bool hy_parse_range(hy_parser *parser, hy_written_range *range);                     // false after a report
bool hy_parse_indices(hy_parser *parser, const hy_syntax *const **list, int *count); // "[e, ...]"; false after a report

typedef struct hy_turn {
  const char *name; // of the variable of a "for"
  int64_t value;
} hy_turn;

// Writes out what "for" and "if" leave open: variables of a "for" become their numbers, g[3] the name of that member,
// "if c then a else b" one of both. Everything that is read stays as it is; what is made lives in the context.
typedef struct hy_writer {
  hy_context *context;
  hy_diagnostics *diagnostics;
  HY_VEC(hy_turn) turns;                           // of the loops around, the outermost first
  HY_VEC(struct hy_named) constants;               // above
  HY_VEC(const char *) numbers;                    // those of them that mention no parameter
  HY_VEC(const char *) open;                       // arguments and lets of the helper whose text it is
  bool (*is_family)(void *self, const char *name); // NULL: whatever stands before "["
  bool (*is_helper)(void *self, const char *name); // above; NULL: none is
  // What a let of a helper is that has been written out, a literal; NULL if it is no number. NULL: there are none.
  const hy_syntax *(*number)(void *self, const char *name);
  const char *(*known)(void *self, const char *name);   // what a name is that no constant is; NULL if nothing
  const char *(*instead)(void *self, const char *name); // what to write where it stands; NULL if nothing else
  void *self;
  const char *rule; // that asks for numbers; NULL: that of families
  const char *help; // what to write where none is known; NULL: as in an algorithm
  size_t written;   // operations and turns so far
  size_t around;    // turns of the loops directly around, each in each; 0: none is
  bool is_full;     // that there are too many was reported
  bool is_open; // the text is a helper's: what mentions its arguments is left to alg_helpers.c, which knows the calls
} hy_writer;

void hy_writer_close(hy_writer *writer);
// The expression with everything in it written out. NULL after a report.
const hy_syntax *hy_write_out(hy_writer *writer, const hy_syntax *syntax);
bool hy_write_out_reduction(hy_writer *writer, const hy_written_reduction *reduction, hy_written_reduction *out);
bool hy_write_out_rdoms(hy_writer *writer, const hy_written_rdom *rdoms, int count, const hy_written_rdom **out);
// The name g_3 of the member g[3]. NULL after a report.
const char *hy_writer_member(hy_writer *writer, const char *family, const hy_syntax *const *indices, int count);
// A value of that type. False after a report.
bool hy_writer_value(hy_writer *writer, const hy_syntax *syntax, hy_type type, hy_value *value);
// A value of the type that it has by itself, an error perhaps. False after a report.
bool hy_writer_any_value(hy_writer *writer, const hy_syntax *syntax, hy_value *value);
bool hy_writer_number(hy_writer *writer, const hy_syntax *syntax, int64_t *value); // false after a report
bool hy_writer_condition(hy_writer *writer, const hy_syntax *syntax, bool *value); // false after a report
// What follows may mention the constant.
void hy_writer_add_constant(hy_writer *writer, const char *name, const hy_syntax *value);
// The first part of the expression of which no number that is known in the text can be made; NULL if there is none.
const hy_syntax *hy_writer_unknown(const hy_writer *writer, const hy_syntax *syntax);
// The number as a literal in the place of "at".
const hy_syntax *hy_writer_literal(hy_writer *writer, const hy_syntax *at, int64_t value);
// Is it no name of a turn around? Reports if not.
bool hy_writer_declare(hy_writer *writer, const hy_written_name *name);
// One more turn? False after a report.
bool hy_writer_room(hy_writer *writer, hy_loc loc, size_t more);
// The numbers of a range, first to last, up or down: *step is 1 or -1; *turns of it and those around, each in each, as
// far as they are the same for all turns around. False after a report.
bool hy_writer_range(hy_writer *writer, const hy_written_range *range, int64_t *first, int64_t *last, int *step,
                     size_t *turns);

// A node that nobody wrote, in the place of "at".
const hy_syntax *hy_syntax_at(hy_context *context, hy_syntax model, const hy_syntax *at, const hy_syntax *const *args,
                              int count);
// "a.b.c" of plain names: sets path[0..result), at most "room"; 0 if it is not such a path or too long.
int hy_syntax_path(const hy_syntax *syntax, const char **path, int room);
const hy_syntax *hy_syntax_stored(const hy_syntax *syntax); // what stands behind lets
// How many values a stage stores that is written so: those of a tuple, behind lets perhaps; else 1.
int hy_syntax_values(const hy_syntax *syntax);
// Adds to the last error that "use" stands for what has it; nothing if that is NULL.
void hy_syntax_note_use(hy_context *context, hy_diagnostics *diagnostics, const hy_syntax *use);
// Which part "[2]" names; -1 if none can be meant, HY_MAX_PARTS if it is beyond all.
int hy_syntax_part(const hy_syntax *index);
// The text as written, shortened to one line, for messages; lives in the context.
enum { HY_SHORT_QUOTE = 48, HY_LONGEST_QUOTE = 160 };
const char *hy_text_quote(hy_context *context, const char *text, size_t length, size_t longest);
const char *hy_syntax_quote(hy_context *context, const hy_syntax *syntax);

/* -- elaboration: names get their meaning, literals their types -- */

// A name that stands for an expression: const N = e; def h(a, b) = e;
typedef struct hy_named {
  const char *name;
  bool is_helper;            // def: it stands with arguments
  const char *const *params; // of a helper
  const bool *takes_func;    // of each: is it a func, whose name stands for it?
  int param_count;
  const hy_syntax *value;
  bool is_broken; // was complained about
} hy_named;

// What names mean where an expression stands. A callback answers NULL when it knows nothing of the kind.
typedef struct hy_scope {
  void *self;
  const hy_var *(*var)(void *self, const hy_syntax *path);   // NAME or MEMBER, or a CALL of a MEMBER: "in.min(0)"
  const hy_func *(*func)(void *self, const hy_syntax *name); // what stands before "(" or "["
  const hy_hole *(*hole)(void *self, const hy_syntax *hole); // HOLE; may be NULL
  // What a path stands for that no variable is: in.max(0), in.width(). NULL where it is written out (target programs).
  const hy_expr *(*box)(void *self, const hy_syntax *path);
  const hy_named *(*named)(void *self, const hy_syntax *name); // may be NULL
  bool has_forms;                                              // boundary conditions have their meaning: algorithms
  hy_float_contract floats;
  // Reports an unknown name better than "nothing is called so"; false if it has nothing to say. May be NULL.
  bool (*unknown)(void *self, const hy_syntax *name);
  // Does the name mean anything, as a value or not, here or further down? Reports nothing. May be NULL.
  bool (*has_meaning)(void *self, const hy_syntax *name);
  // A func whose definition had errors: what reads it is not complained about. May be NULL.
  bool (*is_broken)(void *self, const hy_func *func);
} hy_scope;

// A typed expression, of type *wanted unless that is NULL. NULL after a report.
const hy_expr *hy_elaborate(hy_context *context, const hy_scope *scope, const hy_syntax *syntax, const hy_type *wanted,
                            hy_diagnostics *diagnostics);

// The values of an assignment to "func", each of the type of its part.
typedef HY_VEC(hy_access_site) hy_access_sites;
typedef HY_VEC(hy_sum_site) hy_sum_sites;
const hy_expr *hy_elaborate_values(hy_context *context, const hy_scope *scope, const hy_syntax *syntax,
                                   const hy_func *func, hy_diagnostics *diagnostics, hy_access_sites *sites);

// The same as hy_elaborate; adds the accesses met to "sites", with their places.
const hy_expr *hy_elaborate_sites(hy_context *context, const hy_scope *scope, const hy_syntax *syntax,
                                  const hy_type *wanted, hy_diagnostics *diagnostics, hy_access_sites *sites);

// The steps of hy_elaborate, for several expressions whose literals are unified together: the stages of a func, whose
// type is found with theirs. Read all, want all, solve once, then build all.
typedef struct hy_elaboration hy_elaboration;
typedef struct hy_typed hy_typed; // names have their meaning, the type is being found; never NULL, lives as long as its
                                  // elaboration

HY_GIVE hy_elaboration *hy_elaboration_new(hy_context *context, const hy_scope *scope, hy_diagnostics *diagnostics);
void hy_elaboration_free(HY_TAKE hy_elaboration *elaboration);
// The func being defined: its type field is not read before hy_elaboration_solve says what it is.
void hy_elaboration_own(hy_elaboration *elaboration, const hy_func *own);
hy_typed *hy_elaboration_read(hy_elaboration *elaboration, const hy_syntax *syntax);
// What is read next is the value of a helper, looked at by itself: it may hold reductions and be a tuple.
void hy_elaboration_open(hy_elaboration *elaboration);
hy_typed *hy_elaboration_read_open(hy_elaboration *elaboration, const hy_syntax *syntax);
// A name whose value is not known here: an argument, where the helper itself is looked at.
void hy_elaboration_bind(hy_elaboration *elaboration, const char *name, const hy_syntax *syntax, bool is_func);
// "what" is the subject of the sentence "WHAT is int, but ... is f32".
void hy_elaboration_want(hy_elaboration *elaboration, hy_typed *typed, hy_type type, const char *what);
// What a stage of "func" stores: a tuple of a value for each part, behind lets perhaps; an expression where it has one.
hy_typed *hy_elaboration_read_values(hy_elaboration *elaboration, const hy_func *func, const hy_syntax *syntax);
void hy_elaboration_want_own(hy_elaboration *elaboration, hy_typed *values); // the types of the own func's stages
bool hy_elaboration_solve(hy_elaboration *elaboration);                      // false if anything was reported
hy_type hy_elaboration_own_type(hy_elaboration *elaboration, int part);      // requires: solved
// Is its type unknown, for what it stores was complained about, here or elsewhere? requires: solved
bool hy_elaboration_own_is_bad(hy_elaboration *elaboration);
// Instead of hy_elaboration_solve, for what stands elsewhere too: types that are not known yet stay open.
bool hy_elaboration_check(hy_elaboration *elaboration);
// requires: solved. Adds the accesses met to "sites" unless that is NULL. NULL after a report (a literal out of range).
const hy_expr *hy_elaboration_build(hy_elaboration *elaboration, hy_typed *typed, hy_access_sites *sites);
// The sums met since the last call, with their places.
hy_sum_site *hy_elaboration_take_sums(hy_elaboration *elaboration, hy_arena *arena, int *count);
// Checks what no expression needs (unused lets); false after a report.
bool hy_elaboration_finish(hy_elaboration *elaboration);

// The startup variable that "path" names: a parameter, or "in.min(0)".
const hy_var *hy_signature_var(const hy_alg *alg, const hy_syntax *path);
const hy_func *hy_signature_image(const hy_alg *alg, const char *name);
// The number of an image's box that "path" names and that no variable is: "in.max(0)", "in.width()". NULL if none.
const hy_expr *hy_signature_box(hy_context *context, const hy_alg *alg, const hy_syntax *path);
// A number of an output's window, as schedules write it, o.len(0), or as target programs do, x.len; NULL if it is none.
const hy_expr *hy_signature_window(hy_context *context, const hy_alg *alg, const hy_syntax *path);
// Reports what is wrong about "in.mid(0)", "in.min(7)" and the like; false if "path" does not speak of an image.
bool hy_signature_unknown(const hy_alg *alg, const hy_syntax *path, hy_context *context, hy_diagnostics *diagnostics);

/* -- words -- */

// s<digits> and z<digits> number stages and specializations in loop names.
bool hy_is_loop_word(const char *name);

#endif
