#ifndef HY_REPLAY_H
#define HY_REPLAY_H

#include "driver/pipeline.h"

// Replays the model of a refuted obligation in the target interpreter, where the shadow monitor must see a broken
// contract (decision D63). Returns what it saw, in the context's arena: "bv(3, 0): reads bh(4, 0), outside Mem(bh) =
// ..."; NULL if the input is too large to run, if an entry check refuses it, or if nothing was seen with the images
// tried.
const char *hy_replay(hy_pipeline *pipeline, const hy_decision *decision);

#endif
