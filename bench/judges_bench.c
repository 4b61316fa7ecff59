/* How fast the interpreters are, on the box blur. (growth.sh: how the proofs grow with a program.)
 *
 *   judges_bench [SIDE]     SIDE x SIDE pixels (default 1000)
 */

#include "alg_interp/alg_interp.h"
#include "bench/bench.h"
#include "halyard/pipeline.h"
#include "semantics/base/clock.h"
#include "tgt_interp/tgt_interp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- interpreters -- */

static void print_rate(const char *name, uint64_t points, double seconds, size_t bytes) {
  printf("%-28s %8.2f million points/s %10.1f MB\n", name, (double)points / seconds / 1e6, (double)bytes / 1e6);
}

// Many small windows, as fuzzing has them: compiled for each run, and once for all.
static void time_small_runs(hy_context *context, const hy_tgt *filled, const hy_buffer *const *images, int64_t side) {
  enum { RUNS = 3000 };
  int64_t min[2] = {0, 0}, len[2] = {side, side};
  hy_input input = {NULL, images, min, len};
  hy_tgt_options options = {.monitor = true};
  hy_tgt_program *program = hy_tgt_program_new(context, filled, HY_LAZY, true);
  for (int again = 0; again < 2; again++) {
    double start = hy_seconds();
    for (int i = 0; i < RUNS; i++) {
      hy_tgt_result result;
      if (again)
        hy_tgt_program_run(program, &input, &options, &result);
      else
        hy_tgt_run(context, filled, &input, &options, &result);
      hy_tgt_result_free(&result);
    }
    printf("%-28s %8.0f runs/s of %" PRId64 " x %" PRId64 ", shadow monitor on\n",
           again ? "target, compiled once" : "target, compiled each time", RUNS / (hy_seconds() - start), side, side);
  }
  hy_tgt_program_free(program);
}

static void time_interpreters(int64_t side) {
  static const char text[] = "pipeline blur(in: u16[2]) {"
                             " fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"
                             " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }";
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"blur", text, strlen(text)};
  const hy_alg *alg = hy_parse_alg(context, &source, diagnostics);
  hy_pipeline pipeline;
  if (alg) hy_pipeline_init(&pipeline, context, alg, NULL, NULL);
  if (!alg || !hy_pipeline_schedule(&pipeline, diagnostics) || !hy_pipeline_fill(&pipeline, diagnostics))
    bench_fail(diagnostics);
  int64_t image_min[2] = {-1, -1}, image_len[2] = {side + 2, side + 2}, min[2] = {0, 0}, len[2] = {side, side};
  hy_buffer *in = hy_buffer_new(HY_U16, 2, image_min, image_len);
  if (!in) exit(1);
  for (size_t i = 0; i < in->count; i++) ((uint16_t *)in->data)[i] = (uint16_t)(hy_hash(1, i) >> 50);
  const hy_buffer *images[1] = {in};
  hy_input input = {NULL, images, min, len};
  printf("box blur, u16, %" PRId64 " x %" PRId64 ", one thread\n", side, side);
  hy_alg_result lazy;
  double start = hy_seconds();
  hy_alg_run(context, alg, &input, &(hy_alg_options){.mode = HY_LAZY}, &lazy);
  print_rate("algorithm, memoised", lazy.points, hy_seconds() - start, lazy.bytes);
  for (int monitor = 0; monitor < 2; monitor++) {
    hy_tgt_result eager;
    start = hy_seconds();
    hy_tgt_run(context, pipeline.filled, &input, &(hy_tgt_options){.monitor = monitor}, &eager);
    print_rate(monitor ? "target, shadow monitor on" : "target", eager.points, hy_seconds() - start, eager.peak_bytes);
    hy_tgt_result_free(&eager);
  }
  time_small_runs(context, pipeline.filled, images, side < 6 ? side : 6);
  hy_buffer_free(lazy.output);
  hy_buffer_free(in);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

int main(int argc, char **argv) {
  int64_t side = argc > 1 ? atoll(argv[1]) : 1000;
  time_interpreters(side > 0 ? side : 1000);
  return 0;
}
