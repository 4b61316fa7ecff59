#ifndef HY_FAULT_H
#define HY_FAULT_H

/* Faults as a person's hand makes them in a target program: a bound that is off by one, a loop marked otherwise, a
 * guard that is lost or turned, a relation between a let and loops that is not so, one variable for another, an
 * assumption left out, statements in another order, points that are left out because an iteration before had them.
 * Whatever well-formedness and B accept of that must run (lane "faults").
 */

#include "semantics/tgt/tgt.h"

enum { HY_FAULT_ROOM = 160 };

typedef struct hy_fault {
  char what[HY_FAULT_ROOM]; // for people: "guard off by one; factor of f.s0.x"
  bool keeps_meaning;       // if the program is accepted, its output is the algorithm's still
  bool is_given;  // splits were written as a directive from outside the tree would, before anything was spoilt
  bool is_none;   // and nothing was
  bool is_skewed; // a loop begins at the variable of another, so as directives do not write it
  bool is_gap;    // something was put there that is the same in Z, and another number on the machine
  bool in_pieces; // if the program is accepted, its output is that of the program that its pieces are of
} hy_fault;

// The program with one or two faults, by a seed. NULL: nothing there that could be spoilt so.
//   requires: filled
const hy_tgt *hy_fault_make(hy_context *context, const hy_tgt *filled, uint64_t seed, hy_fault *fault);

// The same of what codegen's passes made of it: pieces that are not what they say, guards left out (fault_pieces.c).
const hy_tgt *hy_fault_in_pieces(hy_context *context, const hy_tgt *passed, uint64_t seed, hy_fault *fault);

// One expression, anywhere, as another that is the same in Z and errs on the machine for some inputs (fault_numbers.c).
//   requires: filled
const hy_tgt *hy_fault_in_numbers(hy_context *context, const hy_tgt *filled, uint64_t seed, hy_fault *fault);

typedef enum { HY_FAULT_BY_HAND, HY_FAULT_IN_PIECES, HY_FAULT_IN_NUMBERS, HY_FAULT_WAYS } hy_fault_way;

// "fault 123", "fault 123 in pieces", "fault 123 in numbers", as case files have it.
bool hy_fault_line(const char *line, uint64_t *seed, hy_fault_way *way);
const char *hy_fault_way_words(hy_fault_way way); // what stands behind the number

#endif
