#ifndef HY_HALIDE_WORKER_INTERNAL_H
#define HY_HALIDE_WORKER_INTERNAL_H

/* The process that has Halide, as those see it who start it (host.c) and speak with it (ask.c): one for Halyard's
 * process and those that it forks, each of which opens a conversation of its own.
 */

#include "halide/worker.h"

#include <sys/types.h>

struct hy_halide {
  hy_halide_settings settings;
  pid_t process; // the host
  int host;      // our end of its socket
  int talk;      // a conversation; -1 = none is open
  pid_t talker;  // the process that opened it: one that was forked since opens its own
  char version[32], python[32];
};

/* host.c */

// A conversation of this process: false if the host does not take it.
bool hy_halide_open(hy_halide *halide);
void hy_halide_close(hy_halide *halide);

#endif
