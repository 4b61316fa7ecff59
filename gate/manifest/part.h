#ifndef HY_GATE_PART_H
#define HY_GATE_PART_H

/* What one shard of a gate found, as a file for whoever joins them (gate/shards/merge.h):
 *
 *   {"halyard-gate-part": 1, "shard": {"index": 0, "count": 4}, "identity": HEX, "sums": HEX, "question": {...},
 *    "seconds": [...], "checks": [{...}, ...]}
 *
 * "sums" is the hash of the folder's SHA256SUMS, and so ties the part to every byte that ships; "question" is what was
 * asked: parts of different questions are not joined.
 */

#include "gate/manifest/result.h"

enum { HY_GATE_PART_VERSION = 1, HY_GATE_MOST_SHARDS = 1024 };

// What was asked, as far as it decides what is found. Texts may be NULL.
typedef struct hy_gate_question {
  const char *halyard; // version
  size_t level, inputs;
  const char *seed;           // in decimal
  const char *second_checker; // as it was named
  bool rebuild, sources, baseline;
  const char *max_slowdown; // of level 4, in decimal
} hy_gate_question;

typedef struct hy_gate_part {
  hy_gate_shard shard;
  const char *identity, *sums; // hashes
  hy_gate_question question;
  hy_gate_result result; // checks and seconds alone are read; free it
} hy_gate_part;

void hy_gate_part_print(const hy_gate_part *part, hy_text *out);
// Whatever the bytes are: false with *why, a sentence's end that names the key. Texts lie in the arena.
bool hy_gate_part_read(hy_arena *arena, const char *text, size_t length, hy_gate_part *part, const char **why);

#endif
