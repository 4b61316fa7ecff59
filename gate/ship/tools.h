#ifndef HY_SHIP_TOOLS_H
#define HY_SHIP_TOOLS_H

/* The system's archiver and linker, asked for what is not written here. */

#include "semantics/base/sha256.h"
#include "semantics/base/text.h"

// An archive or a shared object of an object file and the run-time library, which lies beside this program. False with
// *why, a sentence's end ("'cc' is not installed"), in memory of this thread that stays until the next call. What the tool
// prints goes nowhere else.
bool hy_tools_archive(const hy_text *object, const char *member, hy_text *out, const char **why);
bool hy_tools_link(const hy_text *object, hy_text *out, const char **why);

bool hy_tools_read_file(const char *path, hy_text *out); // all its bytes; false: it cannot be read
// SHA-256 of the run-time library, and of the program that runs. False: it cannot be read.
bool hy_tools_hash_runtime(char digits[HY_SHA256_DIGITS + 1]);
bool hy_tools_hash_self(char digits[HY_SHA256_DIGITS + 1]);
// The first line that 'cc --version' prints; empty where it cannot be run.
void hy_tools_linker_version(hy_text *out);

// Where the run-time library's object lies, for the whole process: the command line's HALYARD_RUNTIME. NULL: beside the
// program that runs. Kept, not copied.
void hy_tools_use_runtime(const char *path);
// Where folders for a while are made, for the whole process: the command line's TMPDIR; unless it says so, /tmp. Kept,
// not copied.
void hy_tools_use_temporary(const char *path);

#endif
