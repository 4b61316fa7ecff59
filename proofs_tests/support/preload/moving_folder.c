// Loaded into halyard by run_gate.sh: the first time that a ".tgt" is opened, the folders "moving" and "moved" change
// places right before it, as they do where 'ship' replaces a folder while somebody reads it.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int openat(int folder, const char *name, int flags, ...) {
  static int done;
  int (*next)(int, const char *, int, ...) = NULL;
  size_t length = strlen(name);
  va_list rest;
  va_start(rest, flags);
  unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
  va_end(rest);
  *(void **)&next = dlsym(RTLD_NEXT, "openat");
  if (!done && length > 4 && strcmp(name + length - 4, ".tgt") == 0) {
    done = 1;
    if (renameat2(AT_FDCWD, "moving", AT_FDCWD, "moved", RENAME_EXCHANGE) != 0) perror("moving_folder.c");
  }
  return next(folder, name, flags, mode);
}
