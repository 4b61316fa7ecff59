#ifndef HY_CLI_ARGUMENTS_H
#define HY_CLI_ARGUMENTS_H

/* What -p, -i and --window mean for a program: an input (definition 3.1). */

#include "cli/session/session.h"
#include "halyard/arguments.h"
#include "halyard/sample.h"

// Parameters and images. HY_STATUS_FINE, or what went wrong; to be freed either way.
hy_status hy_arguments_bind(hy_session *session, hy_arguments *arguments);

// One -i's image, which is none of those that are there: which it is; -1 after reporting.
int hy_arguments_image(hy_session *session, const hy_setting *setting, hy_arguments *arguments);
// One -p's value, typed. False after reporting.
bool hy_arguments_value(const hy_var *param, const char *text, hy_value *value, hy_diagnostics *diagnostics);
// Splits "photo.png@-3,5" into a file's name (malloc'd) and an origin; *rank is 0 if there is none.
char *hy_arguments_place(const char *text, int64_t *origin, int *rank);

// window.c: the window that --window gives, all of it.
hy_status hy_arguments_window_given(hy_session *session, hy_arguments *arguments);
// The window that --window names, or the largest that the inputs serve, of the sides that it does not name. "filled" is
// the program to run (NULL: it has to name all), "pipeline" has the bounds that its schedule sets (NULL: none).
hy_status hy_arguments_window(hy_session *session, hy_arguments *arguments, const hy_tgt *filled,
                              const hy_pipeline *pipeline);
// The largest window within that of the arguments whose needs fit the images: sets the input's window, but for sides
// that are said. False if there is none of at least one point.
bool hy_window_shrink(const hy_tgt *filled, hy_arguments *arguments);

// Is each -p a parameter, and its value one of its type? Reports what is not.
hy_status hy_arguments_check_params(hy_session *session);
// Where generated inputs come from: the seed, and the parameters that -p gives. Lives as long as the session.
hy_sampler hy_session_sampler(hy_session *session);

// entry.c: says why an entry check or a user's bound failed. "failed" is the assumption.
void hy_entry_explain(hy_session *session, const hy_pipeline *pipeline, const hy_input *input, const hy_stmt *failed);

#endif
