#ifndef HY_BENCH_H
#define HY_BENCH_H

// What the programs of this folder share. They end the process where something is wrong.

#include "semantics/semantics.h"

// Sorts the values.
double bench_median(double *values, int count);
// The file as a source; bench_source_free frees it.
hy_source bench_source(const char *path);
void bench_source_free(hy_source *source);
_Noreturn void bench_fail(hy_diagnostics *diagnostics);

#endif
