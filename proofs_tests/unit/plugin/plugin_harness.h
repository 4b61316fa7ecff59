#ifndef PLUGIN_HARNESS_H
#define PLUGIN_HARNESS_H

/* Plug-ins in tests: built by the compiler that built the tests, used through the command line in a child process. */

#include "semantics/base/text.h"

// Builds a plug-in of the source tree ("docs/examples/reverse.c") and returns its path, in a folder of its own that
// plugin_cleanup removes.
const char *plugin_build(const char *source, const char *flag, char *path, size_t room);
void plugin_cleanup(void);
// Writes a file beside the plug-ins; its path.
const char *plugin_write(const char *name, const char *content, char *path, size_t room);
// "halyard ...": the exit status; all that was said, both streams, is added to "said". -1 if it died.
int plugin_halyard(const char *const *arguments, hy_text *said);

#endif
