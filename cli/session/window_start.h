#ifndef HY_CLI_WINDOW_START_H
#define HY_CLI_WINDOW_START_H

/* Where the search for a window begins when nobody says which. */

#include "cli/session/arguments.h"
#include "halyard/pipeline.h"

// Sets each side of the window of which nothing is said (is_side_said): to the side of an image that it walks along, else to what the schedule's bounds say,
// else to that of the first image of the output's rank. known[d] says whether there was any; the others are one point
// at 0.
//   "longest": the longest of all images that it walks along, else the first of the order of their ranks
//   "filled" is the program whose needs count; "pipeline" has the bounds, NULL: there are none
void hy_window_start(const hy_tgt *filled, const hy_pipeline *pipeline, bool longest, hy_arguments *arguments,
                     bool *known);

#endif
