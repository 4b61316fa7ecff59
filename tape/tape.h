#ifndef HY_TAPE_H
#define HY_TAPE_H

/* Expressions compiled for the interpreters: straight code over registers, with jumps where lazy mode skips (D4).
 *
 * The meaning of every operator is hy_value_apply's; the tape only orders the calls. Both fast interpreters use it, and
 * the literal ones, which follow the paper rule by rule, check it. Immutable after compilation, so shared by threads
 * that bring their own registers.
 */

#include "semantics/expr/expr.h"

typedef struct hy_tape hy_tape;

typedef enum { HY_LAZY, HY_STRICT } hy_mode; // decision D4

// Reads a part of func at coordinates, which may be errors; "self" is the caller's.
typedef hy_value hy_tape_load(void *self, const hy_func *func, int part, const hy_value *coordinates);

// requires: every variable of the outputs is among "inputs"; no holes
HY_GIVE hy_tape *hy_tape_compile(const hy_expr *const *outputs, size_t output_count, const hy_var *const *inputs,
                                 size_t input_count, hy_mode mode);
void hy_tape_free(HY_TAKE hy_tape *tape);

// The room that a run works in begins with the inputs, in the order given to compile. Whoever runs the tape puts them
// there; the rest is the tape's.
size_t hy_tape_room(const hy_tape *tape);                // how many hy_values it holds
void hy_tape_begin(const hy_tape *tape, hy_value *room); // before the first run in it
void hy_tape_run(const hy_tape *tape, hy_value *room, hy_tape_load *load, void *self, hy_value *outputs);
// The same where the inputs before "changed" are those of the last run in this room, with these outputs: what depends
// on them alone stays as it is. So inputs that change seldom come first. Loads are made again.
//   requires: changed <= the number of inputs
void hy_tape_run_again(const hy_tape *tape, size_t changed, hy_value *room, hy_tape_load *load, void *self,
                       hy_value *outputs);

#endif
