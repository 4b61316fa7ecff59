#ifndef HY_SOURCE_FILES_H
#define HY_SOURCE_FILES_H

/* Texts read from files: what a command is given, and what these include.
 *
 * The set owns its texts, which live as long as it does: diagnostics and programs point into them. A file that is
 * included has one text, however its path is written. Of one thread.
 */

#include "semantics/base/diagnostic.h"

enum { HY_SOURCE_LIMIT = 16 << 20 }; // bytes; no program of a person's is as long

typedef struct hy_source_files hy_source_files;

HY_GIVE hy_source_files *hy_source_files_new(void);
void hy_source_files_free(HY_TAKE hy_source_files *files);

size_t hy_source_files_count(const hy_source_files *files);
// The text of a file, a device or a pipe; NULL and *why, borrowed until the next call. Each call reads it again.
const hy_source *hy_source_files_read(hy_source_files *files, const char *path, const char **why);
// The text that "path" means where it is written in "from": beside it, unless it begins with '/'. A regular file only,
// read once. NULL and *why, as above. For hy_context_use_sources.
const hy_source *hy_source_files_find(void *files, const hy_source *from, const char *path, const char **why);

#endif
