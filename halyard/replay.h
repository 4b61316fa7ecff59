#ifndef HY_REPLAY_H
#define HY_REPLAY_H

/* A refutation has to be seen (VER.Replay; decisions D63, D72): a run on its model, or on an input like it, in which
 * the shadow monitor sees a contract broken. A model without such a run is none (confirm.h).
 */

#include "halyard/pipeline.h"

typedef struct hy_replayed {
  const char *input; // "window x=0:8,y=0:1, w = 2, in on [-1, 8)"
  // What the monitor saw: "read outside Mem: bv(3, 0): reads bh(4, 0), outside Mem(bh) = ..."; NULL if the input is too
  // large to run, if an entry check refuses it, or if nothing was seen with the images tried.
  const char *seen;
} hy_replayed;

// Replays the model of a refuted obligation in the target interpreter, where the shadow monitor must see a broken
// contract (decision D63). Texts are in the context's arena.
hy_replayed hy_replay(hy_pipeline *pipeline, const hy_decision *decision);

#endif
