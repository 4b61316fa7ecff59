#include "bench/bench.h"

#include "semantics/base/text.h"

#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

hy_source bench_source(const char *path) {
  hy_source source = {.name = hy_copy_string(path)};
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  source.length = (size_t)ftell(file);
  rewind(file);
  char *text = hy_allocate(source.length + 1);
  if (fread(text, 1, source.length, file) != source.length) exit(2);
  text[source.length] = '\0';
  source.text = text;
  fclose(file);
  return source;
}

void bench_source_free(hy_source *source) {
  hy_free((char *)(uintptr_t)source->name);
  hy_free((char *)(uintptr_t)source->text);
}

_Noreturn void bench_fail(hy_diagnostics *diagnostics) {
  hy_text text = {0};
  hy_diagnostics_print(diagnostics, &text);
  fputs(hy_text_string(&text), stderr);
  exit(1);
}
