#ifndef HY_ORACLE_QUESTIONS_H
#define HY_ORACLE_QUESTIONS_H

/* Questions as text, for the tests of the oracle: "facts separated by ;" and a goal. A name is its own declaration:
 * int, unless it begins with b_ (u8), w_ (u16), q_ (u64), c_ (i8), f_ (f32) or t_ (bool). img(x) is a u8, at(x) an int,
 * on(x) a bool.
 */

#include "semantics/expr/expr.h"

typedef struct questions questions;

HY_GIVE questions *questions_new(void);
void questions_free(HY_TAKE questions *questions);
hy_context *questions_context(questions *questions);

enum { MAX_FACTS = 24 };
// Dies on text that is not an expression of type bool.
const hy_expr *questions_formula(questions *questions, const char *text);
size_t questions_facts(questions *questions, const char *text, const hy_expr *facts[MAX_FACTS]);

// The goals that the prover's suite wants proved, by number: facts and goal as text. False behind the last.
bool questions_provable(size_t row, const char **facts, const char **goal);

// Expressions from a seed, over a few variables, with constants near zero: for comparing with enumeration. "typed" ones
// mention fixed widths and bools, too.
uint64_t questions_random(uint64_t *seed);
const hy_var *questions_variable(questions *questions, const char *name);
const hy_expr *questions_random_number(questions *questions, uint64_t *seed, int depth);
const hy_expr *questions_random_formula(questions *questions, uint64_t *seed, int depth);
void questions_set_typed(questions *questions, bool typed);

// Is there a point where the facts hold and the goal does not? Variables of type int go from -radius to radius, others
// through the edges of their types. Points where something has no value do not count. requires: variables only, at most
// 6
bool questions_enumerate(questions *questions, const hy_expr *const *facts, size_t count, const hy_expr *goal,
                         int radius);

#endif
