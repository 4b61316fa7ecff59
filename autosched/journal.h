#ifndef HY_AUTOSCHED_JOURNAL_H
#define HY_AUTOSCHED_JOURNAL_H

/* Why each func went where it did at levels 0 and 1: what was inlined and which groups became one, in order, with what
 * that saved; and, of each func that stayed where it is, why it went no further. For people: nothing is decided by it.
 */

#include "autosched/group.h"

typedef enum hy_step_kind { HY_STEP_INLINED, HY_STEP_MERGED } hy_step_kind;

typedef struct hy_journal_step {
  hy_step_kind kind;
  int node, into;       // a func; or the output of a group, and that of the group which took it. Inlined: into is -1
  hy_cost benefit;      // in cheap operations; 0 at level 0, which asks for no benefit
  hy_tile_lengths tile; // HY_STEP_MERGED: of the group since then
} hy_journal_step;

typedef enum hy_stay {
  HY_STAY_NOT,       // it did not stay
  HY_STAY_UNNEEDED,  // nothing of it is asked for
  HY_STAY_OUTPUT,    // who calls the pipeline wants to have it
  HY_STAY_UPDATES,   // inlining: it has updates
  HY_STAY_VECTORS,   // inlining: then vectors would load what does not lie side by side
  HY_STAY_UNREAD,    // nobody reads it
  HY_STAY_TOO_LARGE, // inlining: expressions, or numbers, would be
  HY_STAY_OFTEN,     // level 0: "ratio" times as many evaluations as it has points
  HY_STAY_COSTS,     // it would cost so much more, or nothing less
  HY_STAY_READERS,   // merging: several groups read it
  HY_STAY_EARLIER,   // merging: its reader reads it before the loops over tiles
  HY_STAY_NO_TILE,   // merging: no tile leaves enough tiles, and keeps little enough
  HY_STAY_NO_GROUPS, // level 0
} hy_stay;

typedef struct hy_func_reasons {
  hy_stay inlining, merging;
  hy_cost inline_costs, merge_costs; // HY_STAY_COSTS: how much more
  double ratio;                      // HY_STAY_OFTEN
  int reader;                        // merging: the group's output that it was tried with; -1
  bool has_cost;
  hy_cost cost; // of the group whose output it is, or at level 0 of the func
} hy_func_reasons;

typedef struct hy_journal {
  hy_context *context;
  hy_journal_step *steps;
  int step_count, room;
  const hy_func_graph *graph; // with what was inlined
  const hy_groups *groups;    // level 1; NULL: level 0
  const bool *kept;           // by node: not inlined for the sake of its readers' vectors (inline.h); NULL: nothing is
  int64_t load_cost;
  hy_func_reasons *reasons; // by node, once it is explained
} hy_journal;

// Empty, in the context's arena.
hy_journal *hy_journal_new(const hy_func_graph *graph, int64_t load_cost);
void hy_journal_add(hy_journal *journal, hy_journal_step step); // "journal" may be NULL
// Why each func stayed where it is, now that everything is decided.
void hy_journal_explain(hy_journal *journal);

#endif
