/* The sizes at which ./dev bench times a pipeline of apps/, as 'halyard tune --estimate' takes them.
 *
 *   app_estimates APPS [NAME]    of that pipeline; without NAME the names of all that are timed, one a line
 */

#include "bench/bench.h"
#include "bench/twins/app_inputs.h"
#include "semantics/base/source_files.h"
#include "semantics/text/syntax.h"

#include <stdio.h>
#include <string.h>

static void tell(const char *before, const char *subject, const char *dim, const hy_buffer *buffer, int d) {
  printf("%s%s.%s=%lld:%lld", before, subject, dim, (long long)buffer->min[d], (long long)buffer->len[d]);
}

// The output's sides, the images' and the parameters.
static void tell_estimates(const app_run *run, const hy_alg *alg) {
  const hy_func *out = alg->output;
  for (int d = 0; d < out->rank; d++) tell(d ? "," : "", out->name, out->dims[d], run->out, d);
  for (int i = 0; i < alg->image_count; i++)
    for (int d = 0; d < alg->images[i]->rank; d++) {
      char number[12];
      snprintf(number, sizeof number, "%d", d);
      tell(",", alg->images[i]->name, number, run->images[i], d);
    }
  for (int i = 0; i < alg->param_count; i++) printf(",%s=%g", alg->params[i]->name, run->inputs->params[i]);
}

static int estimate(const char *folder, const app_inputs *inputs) {
  char path[512];
  app_path(path, folder, inputs, "alg");
  hy_source source = bench_source(path);
  hy_context *context = hy_context_new();
  hy_source_files *files = hy_source_files_new();
  hy_context_use_sources(context, hy_source_files_find, files);
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  const hy_alg *alg = hy_parse_alg(context, &source, diagnostics);
  if (!alg) bench_fail(diagnostics);
  app_run run;
  app_run_init(&run, inputs, alg, (int64_t[]){inputs->width, inputs->height}, (int64_t[]){0, 0});
  tell_estimates(&run, alg);
  printf("\n");
  app_run_free(&run);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  hy_source_files_free(files);
  bench_source_free(&source);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) return fprintf(stderr, "usage: %s APPS [NAME]\n", argv[0]), 2;
  for (int i = 0; i < app_inputs_count; i++) {
    const app_inputs *inputs = &app_inputs_list[i];
    if (!inputs->width) continue;
    if (argc == 2)
      printf("%s\n", inputs->name);
    else if (strcmp(inputs->name, argv[2]) == 0)
      return estimate(argv[1], inputs);
  }
  if (argc == 2) return 0;
  return fprintf(stderr, "%s: %s is not timed; without NAME all that are timed are listed\n", argv[0], argv[2]), 2;
}
