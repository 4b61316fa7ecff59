#ifndef HY_TUNE_REASONS_H
#define HY_TUNE_REASONS_H

/* In words: where a func is computed, and why (autosched/journal.h). */

#include "autosched/journal.h"
#include "cli/tune/search.h"

typedef struct hy_explained {
  const hy_search *search;
  const hy_proposal *proposal; // of level 0 or 1, explained
  bool is_level0;
} hy_explained;

// "at root", "inlined", "in the tiles of bv (64 x 32)"
void hy_reasons_place(const hy_explained *e, int node, hy_text *out);
void hy_reasons_why(const hy_explained *e, int node, hy_text *out);
// "bh is computed in the tiles of bv, 64 x 32"
void hy_reasons_step(const hy_explained *e, const hy_journal_step *step, hy_text *out);
// What stays after inlining and is needed; images, too.
bool hy_reasons_is_shown(const hy_explained *e, int node);

#endif
