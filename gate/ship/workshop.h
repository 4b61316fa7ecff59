#ifndef HY_WORKSHOP_H
#define HY_WORKSHOP_H

/* A folder for a while, in which the system's tools make one file of others. Signals are held as long as it is there, so
 * that nothing of it stays. What is said of a failure (*why) is a sentence's end, in memory of this thread that stays
 * until the next one.
 */

#include "semantics/base/child.h"
#include "semantics/base/text.h"

enum { HY_PATH = 4096, HY_MOST_TEMPORARY = HY_PATH - 320 };

typedef struct hy_workshop {
  char folder[HY_PATH - 256]; // "": it could not be made
  sigset_t before;
} hy_workshop;

// In any case hy_workshop_close ends it.
bool hy_workshop_open(hy_workshop *workshop, const char **why);
void hy_workshop_close(hy_workshop *workshop);

// "name" may lie in folders, which are made: at most 250 bytes.
bool hy_workshop_write(const hy_workshop *workshop, const char *name, const void *bytes, size_t length,
                       const char **why);
void hy_workshop_path(const hy_workshop *workshop, const char *name, char path[HY_PATH]);

// Runs it; it has to make the file "result" there, whose bytes are added to *out. "tool": its name in *why.
bool hy_workshop_make(const hy_workshop *workshop, const char *tool, char *const *words, hy_text *out,
                      const char **why);

// Its status as waitpid tells it, and what it prints; -1: it could not be run. What it makes for a while it makes in the
// workshop, or, NULL, where it likes.
// requires: signals are held; "before": what they were
int hy_workshop_run(const hy_workshop *workshop, char *const *words, const sigset_t *before, hy_text *said);

#endif
