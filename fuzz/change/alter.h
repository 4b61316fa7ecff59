#ifndef HY_ALTER_H
#define HY_ALTER_H

/* Other bounds than those that the oracle filled in: one hole, or one statement's interval, narrower, wider, shifted or
 * undefined. B(S) speaks of whatever fills the holes, so each such program is a question to it: what it proves must
 * run.
 *
 * An alteration is one line, "PLACE NAME CHANGE NUMBER", that a case file can hold:
 *
 *   cpu f0.x low +1            Cpu(f0) in dimension x, wherever the hole stands, begins one later
 *   for f0.s0.x high -1        the range of a loop of a stage that is not the last, wherever the hole stands
 *   wide f0.x high +2          Cpu(f0) ends two later, and whatever it reads has room: Cpu, Mem and images, all wider
 *   allocate f0.x high -1      the box of one statement
 *   compute f0.x shift +1      the same, moved
 *   loop f0.s0.xo length 0     the range of one loop that drives a pure dimension
 *   guard f0.s0.x__1 high +1   the guard of a tail lets one more value pass
 *   image in.0 low +1          the entry check asks for one element less
 *
 * CHANGE is low, high, shift, length, divide (the length divides by what may be 0), overflow, difference and remainder
 * (a product in it that need not fit 64 bits: of v, of 1 - v, of v % 16) or unclamp (the length is not kept from being
 * negative).
 */

#include "semantics/tgt/tgt.h"

enum { HY_ALTERATION_ROOM = 96 };

// One of all alterations of a filled program, by a seed; its line goes to "line". NULL if there is none.
//   requires: "filled" is hy_oracle_fill's result for "scheduled"
const hy_tgt *hy_alter_any(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled, uint64_t seed,
                           char line[HY_ALTERATION_ROOM]);
// The one of that line. NULL if the program has no such place, or the change does not apply there.
const hy_tgt *hy_alter(hy_context *context, const hy_tgt *scheduled, const hy_tgt *filled, const char *line);
// Can that be the line of an alteration of some program?
bool hy_alteration_is(const char *line);

#endif
