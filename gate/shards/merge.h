#ifndef HY_GATE_MERGE_H
#define HY_GATE_MERGE_H

/* Shards of a gate, joined: what they found together is what one process would have found, but for times and for which
 * of several failures is told.
 */

#include "gate/manifest/part.h"

typedef struct hy_gate_parts {
  const hy_gate_part *data;
  const char *const *names; // of the files, for messages
  size_t count;
} hy_gate_parts;

// requires: level 0 has been asked of the folder; "into" has what it found, and the manifest
//   sums: the hash of the folder's SHA256SUMS
// ensures: false with *why (a sentence) unless the parts are all shards of one question about this very folder, each
//   once. Texts of the checks stay those of the parts.
bool hy_gate_merge(const hy_gate_parts *parts, const char *sums, hy_gate_result *into, const char **why);

#endif
