#ifndef HY_WHOLE_FILE_H
#define HY_WHOLE_FILE_H

/* A file that appears as a whole or not at all.
 *
 * The bytes go to a file without a name in the folder of the target (O_TMPFILE; beside it under a temporary name where
 * the file system has no such files), which takes the target's place when everything has been written. However the
 * process ends before that, the target is as it was; where files without a name exist, nothing else is left either. A
 * symbolic link is followed, the permissions of a replaced file are kept, and a device or a pipe is simply written to;
 * so is what a name in /dev or /proc leads to (/dev/stdout), at its end.
 * Between open and keep or drop, signals that end the process wait. Of what waits (hy_whole_files_hold) one
 * thread at a time; else any.
 */

#include "semantics/base/base.h"

#include <signal.h>
#include <stdio.h>

typedef struct hy_whole_file {
  FILE *stream; // write here
  char *target; // where the bytes will be
  char *name;   // where they are, once has_name; room for it until then
  bool has_name;
  bool direct; // the target is a device
  sigset_t signals;
} hy_whole_file;

// False, with errno: no file can be made there; then there is nothing to keep or to drop.
bool hy_whole_file_open(hy_whole_file *file, const char *path);
// False, with errno: something was not written; the target is as it was.
bool hy_whole_file_keep(hy_whole_file *file);
void hy_whole_file_drop(hy_whole_file *file);

// From now on what is kept waits, written but without its name, until everything else is done: an output file appears
// only where the command ends with status 0, and that is not known before its last word is printed.
void hy_whole_files_hold(void);
// The end of that. The first path that could not get its bytes, with errno, else NULL; "wanted": false drops all.
const char *hy_whole_files_release(bool wanted);

// Is it the name, without its folder, of a file that was being written when its process was killed, where the file
// system has no files without a name?
bool hy_whole_file_is_unfinished(const char *name);

// All three at once, for bytes that are there already.
bool hy_whole_file_write(const char *path, const char *bytes, size_t length);

#endif
