#ifndef HY_RUN_FILES_H
#define HY_RUN_FILES_H

/* Files of outputs, as options of halyard run name them (-o, --compare): FILE, or of several outputs NAME=FILE for each
 * that is meant; an output of several values has a file for each, NAME.PART=FILE. */

#include "cli/session/session.h"

// By hy_alg.parts; NULL: it has none. The names are the command line's.
typedef struct hy_run_files {
  const char *of[HY_MAX_OUTPUT_PARTS];
} hy_run_files;

// "option" as it is written: "-o". HY_STATUS_USAGE after reporting.
hy_status hy_run_name_files(hy_session *session, const char *option, const char *const *given, size_t count,
                            hy_run_files *files);

#endif
