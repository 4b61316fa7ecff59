#ifndef HY_CACHE_H
#define HY_CACHE_H

/* Folders that 'halyard ship' made, found again by what they were made of.
 *
 *   DIR/ab/abcd...      a folder as it ships; its name is the hash of everything that decides its bytes (key.c)
 *
 * Nothing that is found is believed: its bytes are those of its sums, its papers fit together, it is of the texts that
 * are asked for, its certificates are about what its target program owes, and halyard-certcheck accepts them again
 * (levels 0 and 1). That the code in it is that of the program is as sure as who writes the cache; level 3 of the gate
 * looks.
 *
 * Several processes may use a cache at once: a folder appears as a whole, and one that goes while it is read is not
 * found. Thread safety: none.
 */

#include "gate/inspect/inspect.h"
#include "gate/ship/ship.h"

typedef struct hy_cache_question {
  const char *algorithm, *directives; // canonical texts
  const char *schedule;               // its name
  const hy_ship_wishes *wishes;
  bool defers; // --unknown=runtime
} hy_cache_question;

typedef struct hy_cache {
  const char *folder;
  uint64_t most;                  // bytes that may lie there
  char key[HY_SHA256_DIGITS + 1]; // of the question
  const hy_cache_question *question;
  bool is_damaged; // what is there; hy_cache_find says it
} hy_cache;

// key.c. False: the program that runs, or its run-time library, cannot be read, and so nothing is known by a name.
bool hy_cache_open(hy_cache *cache, const hy_cache_question *question);

typedef enum {
  HY_CACHE_FOUND,
  HY_CACHE_NOT_FOUND,
  HY_CACHE_DAMAGED, // there is a folder of that name, and it is not what was asked for: *why
} hy_cache_answer;

// find.c. Found: the shipment is as hy_ship_make makes it. Free it whatever the answer is. Texts lie in the arena of
// the context.
hy_cache_answer hy_cache_find(hy_context *context, hy_cache *cache, hy_shipment *out, const char **why);

// keep.c. Puts a shipment there, or in the place of what is there; then takes away what was not used for longest, until
// no more than "most" bytes are left. False with *why: it was not kept, and nothing is lost by that.
bool hy_cache_keep(const hy_cache *cache, const hy_shipment *shipment, hy_arena *arena, const char **why);

// Inside: the folder of the key.
const char *hy_cache_path(const hy_cache *cache, hy_arena *arena);

#endif
