#ifndef HY_TUNE_SEARCH_H
#define HY_TUNE_SEARCH_H

/* What one 'halyard tune' works with, and how a schedule that it found becomes one that is proved. */

#include "autosched/boxes.h"
#include "autosched/levels.h"
#include "autosched/model.h"
#include "cli/tune/candidate.h"
#include "cli/tune/sizes.h"

typedef struct hy_search {
  hy_session *session;
  hy_sizes sizes;
  hy_text algorithm;    // printed: what candidates are made of
  hy_func_graph *graph; // with its boxes
  hy_tune_parameters parameters;
  hy_machine machine;           // this one, as far as it says; of a replay, the one that was measured on
  const bool *is_kept;          // by node: what the user fixed (keep.h); NULL: nothing
  const char *given;            // the lines of that; NULL: none
  int tried, refused, unproved; // schedules
  bool is_interrupted;          // Ctrl-C ended the measured search
} hy_search;

// The algorithm, the sizes, the boxes. HY_STATUS_FINE, or what is wrong, which is reported; to be freed either way.
hy_status hy_search_begin(hy_search *search, hy_session *session);
void hy_search_free(hy_search *search);
// The algorithm's graph for the sizes, with what is known of its funcs' values. In the context, which is the algorithm's.
hy_func_graph *hy_search_graph(const hy_search *search, hy_context *context, const hy_alg *alg);

// Leaves out what is not legal.
void hy_search_repair(hy_search *search, hy_proposal *proposal);
// The text of a schedule, with what the user fixed.
void hy_search_print(const hy_search *search, const hy_func_graph *graph, const hy_choices_list *choices,
                     hy_text *schedule);
// For runs: what was given, the window that was estimated, generated images. HY_STATUS_USAGE after reporting what is
// missing.
hy_status hy_search_input(hy_search *search, hy_input *input);
// Is it proved, with certificates that are accepted? "status" is set where there is no use in trying another one: a
// defect of ours, no judge; both are reported.
bool hy_search_certify(hy_search *search, const char *schedule, hy_tune_proof *proof, hy_status *status);
// The same where another schedule would do as well: a first look of Halyard's prover has to be enough.
bool hy_search_certify_soon(hy_search *search, const char *schedule, hy_tune_proof *proof, hy_status *status);

#endif
