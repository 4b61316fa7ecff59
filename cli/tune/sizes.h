#ifndef HY_TUNE_SIZES_H
#define HY_TUNE_SIZES_H

/* For which sizes a schedule is looked for: --estimate, and what -p, -i and --window say of sizes. */

#include "autosched/estimates.h"
#include "cli/session/arguments.h"

typedef struct hy_sizes {
  hy_estimates *estimates;
  hy_arguments arguments; // what was given for runs: parameters, images; NULL and errors where nothing was
  bool *has_value;        // by parameter
} hy_sizes;

// HY_STATUS_FINE, or what is wrong with it or missing, which is reported; to be freed either way.
hy_status hy_sizes_read(hy_session *session, hy_sizes *sizes);
void hy_sizes_free(hy_sizes *sizes);
// "out.x=0:640, out.y=0:480, w=3": all that is known, as --estimate takes it.
void hy_sizes_print(const hy_alg *alg, const hy_estimates *estimates, hy_text *out);

#endif
