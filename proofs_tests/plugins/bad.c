/* Plug-ins that do what they must not, one for each value of BAD: loop reversal with one thing wrong. */

#include "halyard_directive.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// Values of BAD.
#define GOOD 0
#define CRASHES 1         // in rewrite
#define CRASHES_ON_LOAD 2 // before anybody asks it anything
#define LOOPS 3           // in legal
#define EXITS 4           // with status 0, which would read as success
#define LEAKS 5           // memory
#define LEAKS_FILES 6
#define UNBOUND 7           // a loop whose bounds speak of a variable that is not in scope
#define TWO_BODIES 8        // the assignment stands twice
#define NO_BODY 9           // the loops stand around themselves
#define NO_LET 10           // the old variable has no value
#define FOREIGN 11          // a pointer that is none of Halyard's
#define STALE 12            // an expression of an earlier call
#define CONFUSED 13         // a condition where a number belongs
#define CLAIMS_EQUAL 14     // the order is another one
#define WRONG_INVERSE 15    // the way back leads to another point
#define CIRCULAR_INVERSE 16 // the way back speaks of the loop itself
#define SHORT 17            // an iteration is missing
#define TWICE 18            // each point comes twice
#define HUGE 19             // an expression that doubles with each step
#define VERSION 20          // of another header
#define NAME 21             // that of a built-in directive
#define MISSING 22          // a function that nobody defines
#define UNDECLARED 23       // no halyard_directive
#define WAITS 24            // for nothing
#define DEAF 25             // waits, and has seen to it that no limit's signal ends it
#define SLEEPS 26           // a while in each call
#define CLOSES 27           // all files
#define GREEDY 28           // takes memory until there is none
#define KEEPS_MUCH 29       // memory, so much that it cannot be done often
#define STARTS 30           // a process, which waits
#define MODULO 31           // nothing wrong, but a remainder by a length is more than the prover decides
#define SHORT_NAME 32       // nothing wrong, but called as generated funcs' loops may be
#define RUNS 33             // a command, and waits for it
#define LEAVES 34           // a command in the background
#define HANGS_APART 35      // in a command
#define LEAVES_AND_DIES 36  // a command in the background, and itself nothing
#define FULL 37             // crashes with much memory, of which none was refused
#define MUFFLES 38          // blocks all signals and closes the standard output
#define NO_NAME 39          // pointers of the record that lead nowhere
#define NO_FORM 40
#define NO_BRANCHES 41
#define ENDLESS_BRANCHES 42
#define TURNED_BRANCHES 43 // the end lies before the beginning
#define TWO_LINES 44       // what is said of it in a line

#if BAD == MISSING
extern void nobody_defines_this(void);
#endif

#if BAD == CRASHES_ON_LOAD
__attribute__((constructor)) static void start(void) { abort(); }
#endif

static const char *legal(hyd_host *h) {
  for (volatile int i = 0; BAD == LOOPS;) i++;
  return hyd_is_pure(h, hyd_loop_at(h, 0)) ? NULL : "a reduction loop runs in its order";
}

static const hyd_expr *last(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0);
  return hyd_sub(h, hyd_add(h, hyd_min(h, x), hyd_length(h, x)), hyd_number(h, 1));
}

static const hyd_expr *stale;

static const hyd_expr *value(hyd_host *h, const hyd_loop *xr) {
  static const char text[] = "not an expression at all, but long enough to be read";
  const hyd_expr *e = hyd_sub(h, last(h), hyd_variable(h, xr));
  if (BAD == FOREIGN) return (const hyd_expr *)(const void *)text;
  if (BAD == CONFUSED) return hyd_less(h, e, e);
  if (BAD == MODULO) {
    const hyd_loop *x = hyd_loop_at(h, 0);
    const hyd_expr *far = hyd_add(h, hyd_variable(h, xr), hyd_mul(h, hyd_min(h, x), hyd_min(h, x)));
    return hyd_add(h, hyd_min(h, x), hyd_mod(h, far, hyd_length(h, x)));
  }
  if (BAD == TWICE) return hyd_sub(h, last(h), hyd_div(h, hyd_variable(h, xr), hyd_number(h, 2)));
  for (int i = 0; BAD == HUGE && i < 200; i++) e = hyd_mul(h, e, e);
  if (BAD == STALE && stale) return stale;
  stale = e;
  return e;
}

enum { MUCH = 64 << 20, MOST = 3700, A_WHILE = 300000 };

// The commands take longer than any test waits for the end of its output, which they hold.
static void start_others(void) {
  sigset_t all;
  if (BAD == STARTS && fork() == 0)
    for (;;) pause();
  if (BAD == RUNS && system("true") != 0) abort();
  if (BAD == LEAVES && system("sleep 110 &") != 0) abort();
  if (BAD == HANGS_APART && system("sleep 110") != 0) abort();
  if (BAD == LEAVES_AND_DIES && system("sleep 110 &") == 0) abort();
  if (BAD == MUFFLES) sigfillset(&all), sigprocmask(SIG_BLOCK, &all, NULL), close(1);
}

static void use_too_much(void) {
  if (BAD == DEAF) signal(SIGALRM, SIG_IGN);
  while (BAD == WAITS || BAD == DEAF) pause();
  if (BAD == SLEEPS) usleep(A_WHILE);
  for (int file = 0; BAD == CLOSES && file < 64; file++) close(file);
  while (BAD == GREEDY) *(volatile char *)malloc(MUCH) = 1;
  if (BAD == KEEPS_MUCH) *(volatile char *)malloc(MUCH) = 1;
  if (BAD == FULL && malloc((size_t)MOST << 20)) *(volatile int *)NULL = 1;
}

static void misbehave(void) {
  use_too_much();
  start_others();
  if (BAD == CRASHES) *(volatile int *)NULL = 1;
  if (BAD == EXITS) exit(0);
  if (BAD == LEAKS && !malloc(100)) abort();
  if (BAD == LEAKS_FILES && dup(0) < 0) abort();
#if BAD == MISSING
  nobody_defines_this();
#endif
}

static const hyd_stmt *rewrite(hyd_host *h) {
  const hyd_loop *x = hyd_loop_at(h, 0), *xr = hyd_make_loop(h, hyd_name_at(h, 1), x);
  const hyd_loop *second = BAD == TWO_BODIES ? hyd_make_loop(h, "second", x) : NULL;
  const hyd_expr *length = hyd_length(h, x), *zero = hyd_number(h, 0);
  misbehave();
  const hyd_stmt *stmt = BAD == NO_LET ? hyd_body(h) : hyd_make_let(h, x, value(h, xr), NULL, hyd_body(h));
  if (BAD == NO_BODY) return NULL;
  if (BAD == SHORT) length = hyd_maximum(h, zero, hyd_sub(h, length, hyd_number(h, 1)));
  if (BAD == TWICE) length = hyd_mul(h, length, hyd_number(h, 2));
  if (BAD == UNBOUND) length = hyd_add(h, length, hyd_variable(h, x));
  if (second) stmt = hyd_make_for(h, second, zero, length, hyd_make_let(h, x, value(h, xr), NULL, stmt));
  return hyd_make_for(h, xr, zero, length, stmt);
}

static const hyd_expr *inverse(hyd_host *h, int number) {
  const hyd_expr *back = hyd_sub(h, last(h), hyd_variable(h, hyd_loop_at(h, 0)));
  (void)number;
  if (BAD == MODULO) {
    const hyd_loop *x = hyd_loop_at(h, 0);
    const hyd_expr *far = hyd_add(h, hyd_min(h, x), hyd_mul(h, hyd_min(h, x), hyd_min(h, x)));
    return hyd_mod(h, hyd_sub(h, hyd_variable(h, x), far), hyd_length(h, x));
  }
  if (BAD == WRONG_INVERSE) return hyd_add(h, back, hyd_number(h, 1));
  if (BAD == CIRCULAR_INVERSE) return stale;
  if (BAD == TWICE) return hyd_mul(h, back, hyd_number(h, 2));
  return back;
}

static hyd_order order(hyd_host *h) {
  (void)h;
  return BAD == CLAIMS_EQUAL ? HYD_EQUAL : HYD_PERMUTED;
}

#if BAD != UNDECLARED
const hyd_directive halyard_directive = {
    HYD_HEAD,
#if BAD == VERSION
    .version = HYD_VERSION + 1,
#endif
#if BAD == NO_BRANCHES || BAD == ENDLESS_BRANCHES
    .branches = (hyd_branch *const *)8,
    .branches_end = (hyd_branch *const *)(BAD == NO_BRANCHES ? 16 : INTPTR_MAX - 7),
#elif BAD == TURNED_BRANCHES
    .branches = (hyd_branch *const *)16,
    .branches_end = (hyd_branch *const *)8,
#endif
    .name = BAD == NAME         ? "split"
            : BAD == SHORT_NAME ? "e1"
            : BAD == NO_NAME    ? (const char *)1
                                : "bad",
    .form = BAD == NO_FORM ? (const char *)1 : "bad(f.x, xr)",
    .summary = BAD == TWO_LINES ? "runs a pure loop from its last iteration\nto its first"
                                : "runs a pure loop from its last iteration to its first, with something wrong",
    .arguments = {HYD_LOOP, HYD_NAME},
    .legal = legal,
    .rewrite = rewrite,
    .inverse = inverse,
    .order = order};
#endif
