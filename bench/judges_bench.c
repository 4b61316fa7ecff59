/* How fast the judges are: the interpreters on the box blur, and "every obligation decided" as programs grow.
 *
 *   judges_bench [SIDE]     interpreters on SIDE x SIDE pixels (default 1000)
 *
 * Chains are n five-point stencils one after the other; pyramids go down and up again, five funcs a level.
 */

#include "alg_interp/alg_interp.h"
#include "driver/pipeline.h"
#include "tgt_interp/tgt_interp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(hy_diagnostics *diagnostics) {
  hy_text text = {0};
  hy_diagnostics_print(diagnostics, &text);
  fputs(hy_text_string(&text), stderr);
  exit(1);
}

/* -- programs -- */

static void write_chain(hy_text *out, int funcs) {
  hy_text_add(out, "pipeline chain(in: u16[2]) {\n");
  for (int i = 0; i < funcs; i++) {
    char from[32] = "in";
    if (i) snprintf(from, sizeof from, "c%d", i - 1);
    hy_text_printf(out,
                   "  fun c%d(x, y) = (%s(x - 1, y) + %s(x, y) + %s(x + 1, y) + %s(x, y - 1) + %s(x, y + 1)) / 5;\n", i,
                   from, from, from, from, from);
  }
  hy_text_add(out, "}\n");
}

static void write_pyramid(hy_text *out, int levels) {
  hy_text_add(out, "pipeline pyramid(in: f32[2]) {\n  fun g0(x, y) = in(x, y);\n");
  for (int l = 1; l < levels; l++) {
    hy_text_printf(out, "  fun d%d(x, y) = (g%d(2*x - 1, y) + 2*g%d(2*x, y) + g%d(2*x + 1, y)) / 4;\n", l, l - 1, l - 1,
                   l - 1);
    hy_text_printf(out, "  fun g%d(x, y) = (d%d(x, 2*y - 1) + 2*d%d(x, 2*y) + d%d(x, 2*y + 1)) / 4;\n", l, l, l, l);
  }
  char from[32];
  snprintf(from, sizeof from, "g%d", levels - 1);
  for (int l = levels - 2; l >= 0; l--) {
    hy_text_printf(out, "  fun across%d(x, y) = (%s(x / 2, y) + %s((x + 1) / 2, y)) / 2;\n", l, from, from);
    hy_text_printf(out, "  fun up%d(x, y) = (across%d(x, y / 2) + across%d(x, (y + 1) / 2)) / 2;\n", l, l, l);
    hy_text_printf(out, "  fun o%d(x, y) = 2 * g%d(x, y) - up%d(x, y);\n", l, l, l);
    snprintf(from, sizeof from, "o%d", l);
  }
  hy_text_add(out, "}\n");
}

/* -- growth -- */

static void time_check(const char *name, const hy_text *text) {
  double start = now();
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {name, hy_text_string(text), text->length};
  const hy_alg *alg = hy_parse_alg(context, &source, diagnostics);
  if (!alg) fail(diagnostics);
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, context, alg, NULL, NULL);
  hy_oracle_options options = {false, 2000};
  if (hy_pipeline_check(&pipeline, &options, diagnostics) != HY_YES) fail(diagnostics);
  double seconds = now() - start;
  printf("%-12s %6d %12zu %10zu %10.1f ms %12.0f /s %8.1f MB\n", name, alg->definition_count, pipeline.report.count,
         pipeline.report.proved_z3, seconds * 1e3, (double)pipeline.report.count / seconds,
         (double)hy_arena_bytes(hy_context_arena(context)) / 1e6);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

static void show_growth(void) {
  static const int chains[] = {10, 20, 50, 100, 200, 400}, pyramids[] = {3, 5, 11, 21};
  printf("%-12s %6s %12s %10s %13s %14s %11s\n", "text to", "funcs", "obligations", "by Z3", "proved", "", "memory");
  for (size_t i = 0; i < HY_COUNT(chains); i++) {
    hy_text text = {0};
    write_chain(&text, chains[i]);
    time_check("chain", &text);
    hy_text_free(&text);
  }
  for (size_t i = 0; i < HY_COUNT(pyramids); i++) {
    hy_text text = {0};
    write_pyramid(&text, pyramids[i]);
    time_check("pyramid", &text);
    hy_text_free(&text);
  }
}

/* -- interpreters -- */

static void print_rate(const char *name, uint64_t points, double seconds, size_t bytes) {
  printf("%-28s %8.2f million points/s %10.1f MB\n", name, (double)points / seconds / 1e6, (double)bytes / 1e6);
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
    fail(diagnostics);
  int64_t image_min[2] = {-1, -1}, image_len[2] = {side + 2, side + 2}, min[2] = {0, 0}, len[2] = {side, side};
  hy_buffer *in = hy_buffer_new(HY_U16, 2, image_min, image_len);
  if (!in) exit(1);
  for (size_t i = 0; i < in->count; i++) ((uint16_t *)in->data)[i] = (uint16_t)(hy_hash(1, i) >> 50);
  const hy_buffer *images[1] = {in};
  hy_input input = {NULL, images, min, len};
  printf("box blur, u16, %" PRId64 " x %" PRId64 ", one thread\n", side, side);
  hy_alg_result lazy;
  double start = now();
  hy_alg_run(context, alg, &input, &(hy_alg_options){.mode = HY_LAZY}, &lazy);
  print_rate("algorithm, memoised", lazy.points, now() - start, lazy.bytes);
  for (int monitor = 0; monitor < 2; monitor++) {
    hy_tgt_result eager;
    start = now();
    hy_tgt_run(context, pipeline.filled, &input, &(hy_tgt_options){.monitor = monitor}, &eager);
    print_rate(monitor ? "target, shadow monitor on" : "target", eager.points, now() - start, eager.peak_bytes);
    hy_tgt_result_free(&eager);
  }
  hy_buffer_free(lazy.output);
  hy_buffer_free(in);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

int main(int argc, char **argv) {
  int64_t side = argc > 1 ? atoll(argv[1]) : 1000;
  time_interpreters(side > 0 ? side : 1000);
  putchar('\n');
  show_growth();
  return 0;
}
