#ifndef HALYARD_DIRECTIVE_H
#define HALYARD_DIRECTIVE_H

/* A scheduling directive outside of Halyard's tree: one C file against this header, built as a shared object.
 *
 *     cc -shared -fPIC -I include reverse.c -o reverse.so
 *     halyard validate reverse.so
 *     halyard run blur.alg blur.sched --plugin ./reverse.so
 *
 * A directive rewrites loops of one stage of one func: it takes a loop (or some, each directly inside the one before),
 * and puts other loops in their place, with a let that says what each old variable is in the new ones. It never says
 * what regions become: Halyard finds them again. Whatever a directive claims here is proved for each program before it
 * runs; docs/directives.md tells how, and walks through a whole file.
 *
 * The header is self-contained. Every function below gets the host of the call under way; what it returns (loops,
 * expressions, statements) is Halyard's, lives until your function returns, and must not be kept. Nothing is to be
 * freed. Your functions may be called in any order, any number of times, in several processes: keep no state, start no
 * processes, and leave the standard input, output and error open. docs/directives.md says what a call may use.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HYD_VERSION 1 // grows when a file built against an older header could misbehave; such a file is refused

enum { HYD_MOST_ARGUMENTS = 8, HYD_MOST_LOOPS = 4 };

typedef struct hyd_host hyd_host; // this call of a directive
typedef struct hyd_loop hyd_loop; // a loop that stands there, or one that you make
typedef struct hyd_expr hyd_expr; // a whole number, or a condition; never changes
typedef struct hyd_stmt hyd_stmt; // a statement; never changes

/* -- what you declare -- */

// How each argument is written in a schedule. The list ends with HYD_END.
typedef enum hyd_argument {
  HYD_END,
  HYD_LOOP,   // f.x or f.s1.x: the first argument, and only it. The loop is taken: your loops replace it
  HYD_INNER,  // x: the loop directly inside the last one that was taken, same stage; it is taken, too
  HYD_AROUND, // y: a loop of the same stage somewhere around; it stays, and you may speak of its variable
  HYD_NAME,   // xo: a new name, for a loop that you make. It may be the name of any loop that is taken
  HYD_FACTOR, // 8 or w: known when the pipeline starts, and checked there to be at least 1
  HYD_EXPR,   // any whole number known when the pipeline starts, negative ones too; "legal" can test constants only
  HYD_NUMBER, // a constant
} hyd_argument;

// What an application promises of the order in which the stage's points are assigned. A point's pure key is its values
// of the func's own variables, its rdom key those of the reduction variables. The first that fits is the best; to claim
// less is no error, and nobody tells you. In messages: EQ, PERM-KEEPING-ORDER-WITHIN-PURE-KEY, EXTRA-OUTSIDE-CPU,
// REPEAT-IDEMPOTENT.
typedef enum hyd_order {
  HYD_EQUAL,    // the same points in the same order
  HYD_PERMUTED, // the same points in another order; those with equal pure keys stay in theirs
  HYD_EXTRA,    // the same points in the same order, and others outside of the region to be computed
  HYD_REPEATED, // every point at least once; only for the pure stage of a func, where doing it again changes nothing
} hyd_order;

// What an application does to the holes, that is, to the regions that Halyard has still to find.
typedef enum hyd_holes {
  HYD_HOLES_KEPT, // the old variables stay within their old ranges: no region grows (but with HYD_EXTRA)
  HYD_HOLES_GROW, // they may leave them, and what they then reach is computed or read as well
} hyd_holes;

// A place of your code that validation counts: see HYD_BRANCH.
typedef struct hyd_branch {
  const char *text; // of the condition
  uint32_t line;
  uint32_t taken[2]; // how often it was false, and true
} hyd_branch;

typedef struct hyd_directive {
  uint32_t version, size; // HYD_HEAD sets them
  const char *name;       // how it is called in schedules: a C identifier that is no directive of Halyard's own
  const char *form;       // how it is written, for people: "reverse(f.x)"
  const char *summary;    // what it does, in a line
  hyd_argument arguments[HYD_MOST_ARGUMENTS + 1];
  // May it be applied here? NULL if so; else a sentence that tells the user why not. NULL instead of a function:
  // always. That the loops are there, directly nested, serial, with bounds that do not depend on each other, that names
  // are new and factors at least 1, was checked before.
  const char *(*legal)(hyd_host *host);
  // What stands in place of the loops taken: loops that you make, around a let for each loop that was taken, around the
  // body. Called only where "legal" says yes.
  const hyd_stmt *(*rewrite)(hyd_host *host);
  // The inverse map: the value of the loop that you made as number "number" (0 is the first that you made) in the
  // iteration that does what the old loops did at the values that their variables have. Over the old variables, those
  // around, and the loops that you made further outside. Called after "rewrite", with the same host.
  const hyd_expr *(*inverse)(hyd_host *host, int number);
  hyd_order (*order)(hyd_host *host);                // NULL instead of a function: HYD_EQUAL
  hyd_holes (*holes)(hyd_host *host);                // NULL instead of a function: HYD_HOLES_KEPT
  hyd_branch *const *branches, *const *branches_end; // HYD_HEAD sets them
} hyd_directive;

// The one symbol that a plug-in has to define:
//     const hyd_directive halyard_directive = {HYD_HEAD, .name = "reverse", ...};
extern const hyd_directive halyard_directive;

// Wherever your code decides something, "if (HYD_BRANCH(x))" instead of "if (x)" lets 'halyard validate' tell which
// ways were taken: a branch that never was has not been looked at by anybody.
#define HYD_BRANCH(condition)                                                                                          \
  (__extension__({                                                                                                     \
    static hyd_branch hyd_here = {#condition, __LINE__, {0, 0}};                                                       \
    static hyd_branch *const hyd_entry __attribute__((section("hyd_branches"), used)) = &hyd_here;                     \
    bool hyd_it_is = (condition);                                                                                      \
    hyd_here.taken[hyd_it_is]++;                                                                                       \
    hyd_it_is;                                                                                                         \
  }))
extern hyd_branch *const __start_hyd_branches[] __attribute__((weak, visibility("hidden")));
extern hyd_branch *const __stop_hyd_branches[] __attribute__((weak, visibility("hidden")));
#define HYD_HEAD                                                                                                       \
  .version = HYD_VERSION, .size = sizeof(hyd_directive), .branches = __start_hyd_branches,                             \
  .branches_end = __stop_hyd_branches

/* -- what the host does for you -- */

typedef enum hyd_operator {
  HYD_ADD, // of two numbers: a number
  HYD_SUB,
  HYD_MUL,
  HYD_DIV, // Euclidean: rounds down for a positive divisor. Nobody but you sees to it that the divisor is not 0
  HYD_MOD, // never negative. By a length or parameter, / and % are hard to prove anything of: HYD_SELECT often does
  HYD_MIN,
  HYD_MAX,
  HYD_EQ, // of two numbers: a condition
  HYD_NE,
  HYD_LT,
  HYD_LE,
  HYD_AND, // of two conditions: a condition
  HYD_OR,
  HYD_NOT,    // of one condition
  HYD_SELECT, // of a condition and two numbers: the first number if it holds, else the second
} hyd_operator;

// Use the functions below rather than these pointers. New ones are added at the end.
struct hyd_host {
  uint32_t version, size;
  const hyd_loop *(*loop)(hyd_host *, int argument);
  const hyd_expr *(*expr)(hyd_host *, int argument);
  const char *(*name)(hyd_host *, int argument);
  int (*stage)(hyd_host *);
  bool (*is_pure)(hyd_host *, const hyd_loop *);
  const hyd_expr *(*variable)(hyd_host *, const hyd_loop *);
  const hyd_expr *(*minimum)(hyd_host *, const hyd_loop *);
  const hyd_expr *(*length)(hyd_host *, const hyd_loop *);
  bool (*is_constant)(hyd_host *, const hyd_expr *, int64_t *);
  const hyd_expr *(*number)(hyd_host *, int64_t);
  const hyd_expr *(*operation)(hyd_host *, hyd_operator, const hyd_expr *, const hyd_expr *, const hyd_expr *);
  const hyd_loop *(*make_loop)(hyd_host *, const char *, const hyd_loop *);
  const hyd_stmt *(*body)(hyd_host *);
  const hyd_stmt *(*make_for)(hyd_host *, const hyd_loop *, const hyd_expr *, const hyd_expr *, const hyd_stmt *);
  const hyd_stmt *(*make_let)(hyd_host *, const hyd_loop *, const hyd_expr *, const hyd_expr *, const hyd_stmt *);
};

// What stands in the schedule, by the argument's position from 0.
static inline const hyd_loop *hyd_loop_at(hyd_host *h, int argument) { return h->loop(h, argument); }
static inline const hyd_expr *hyd_expr_at(hyd_host *h, int argument) { return h->expr(h, argument); }
static inline const char *hyd_name_at(hyd_host *h, int argument) { return h->name(h, argument); }

// Of the stage that the loops belong to: 0 is the func's pure definition, 1 its first update.
static inline int hyd_stage(hyd_host *h) { return h->stage(h); }
// A pure loop goes over a variable of the func: its iterations are independent of each other. A loop that is not goes
// over a reduction variable: the order of its iterations is part of what the program means.
static inline bool hyd_is_pure(hyd_host *h, const hyd_loop *l) { return h->is_pure(h, l); }
// The value of a loop's variable: of a loop around, of one that you make (inside of it), or of one that is taken
// (inside of its let).
static inline const hyd_expr *hyd_variable(hyd_host *h, const hyd_loop *l) { return h->variable(h, l); }
// A loop that stands there runs over minimum, minimum + 1, ..., minimum + length - 1. The length is never negative.
static inline const hyd_expr *hyd_min(hyd_host *h, const hyd_loop *l) { return h->minimum(h, l); }
static inline const hyd_expr *hyd_length(hyd_host *h, const hyd_loop *l) { return h->length(h, l); }
// Is it a constant? Its value, if you want it.
static inline bool hyd_is_constant(hyd_host *h, const hyd_expr *e, int64_t *value) {
  return h->is_constant(h, e, value);
}

static inline const hyd_expr *hyd_number(hyd_host *h, int64_t i) { return h->number(h, i); }
#define HYD_BINARY(function, operator)                                                                                 \
  static inline const hyd_expr *function(hyd_host *h, const hyd_expr *a, const hyd_expr *b) {                          \
    return h->operation(h, operator, a, b, NULL);                                                                      \
  }
HYD_BINARY(hyd_add, HYD_ADD)
HYD_BINARY(hyd_sub, HYD_SUB)
HYD_BINARY(hyd_mul, HYD_MUL)
HYD_BINARY(hyd_div, HYD_DIV)
HYD_BINARY(hyd_mod, HYD_MOD)
HYD_BINARY(hyd_minimum, HYD_MIN)
HYD_BINARY(hyd_maximum, HYD_MAX)
HYD_BINARY(hyd_equal, HYD_EQ)
HYD_BINARY(hyd_unequal, HYD_NE)
HYD_BINARY(hyd_less, HYD_LT)
HYD_BINARY(hyd_at_most, HYD_LE)
HYD_BINARY(hyd_and, HYD_AND)
HYD_BINARY(hyd_or, HYD_OR)
#undef HYD_BINARY
static inline const hyd_expr *hyd_not(hyd_host *h, const hyd_expr *a) {
  return h->operation(h, HYD_NOT, a, NULL, NULL);
}
static inline const hyd_expr *hyd_select(hyd_host *h, const hyd_expr *c, const hyd_expr *a, const hyd_expr *b) {
  return h->operation(h, HYD_SELECT, c, a, b);
}

/* In "rewrite". First make all loops, then speak of variables; then build from the inside out:
 *
 *   for x in (min, length) { BODY }     ->     for xr in (0, length) { let x = min + length - 1 - xr in { BODY } }
 */

// A new loop: its name, and a loop that is taken whose purity it has.
static inline const hyd_loop *hyd_make_loop(hyd_host *h, const char *name, const hyd_loop *like) {
  return h->make_loop(h, name, like);
}
// What stands inside of the loops taken; it speaks of their variables. It must stand inside of the result just once.
static inline const hyd_stmt *hyd_body(hyd_host *h) { return h->body(h); }
// "let x = value in { if guard { body } }" for a loop that is taken; without "if" where the guard is NULL. The let
// sinks into the body past loops and lets that do not speak of x. The guard may speak of x, and of what surrounds the
// let. The value may speak of at most two of your loops, both pure or both of the reduction (test hyd_is_pure in
// "legal"), and of the variable of another loop that is taken, where this let stands inside of that one's.
static inline const hyd_stmt *hyd_make_let(hyd_host *h, const hyd_loop *taken, const hyd_expr *value,
                                           const hyd_expr *guard, const hyd_stmt *body) {
  return h->make_let(h, taken, value, guard, body);
}
// "for l in (minimum, length) { body }", run in order, for a loop that you made. Its bounds may speak of loops around.
static inline const hyd_stmt *hyd_make_for(hyd_host *h, const hyd_loop *l, const hyd_expr *minimum,
                                           const hyd_expr *length, const hyd_stmt *body) {
  return h->make_for(h, l, minimum, length, body);
}

#ifdef __cplusplus
}
#endif

#endif
