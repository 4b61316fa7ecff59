/* The box blur of apps/ against plain C loops and against hand-written vectors, tiles and threads, in turn (A B A B
 * ...).
 *
 *   box_blur_bench ALG SCHED [ROUNDS [NAME]]    every schedule of the file, or the one named
 *
 * Prints medians and ratios of runs taken in turn, and checks every output against the plain loops.
 */

#include "bench/bench.h"
#include "bench/box_blur_hand.h"
#include "codegen/runtime/runtime.h"
#include "halyard/pipeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 2568, HEIGHT = 1922, MOST = 32 };

typedef struct {
  const char *name;
  hy_pipeline pipeline;
  hy_native *native;
  double check, compile, *times, *ratio_plain, *ratio_hand;
} entrant;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void prepare(entrant *e, hy_context *context, const hy_alg *alg, const hy_schedule *schedule,
                    hy_diagnostics *diagnostics, int rounds) {
  e->name = schedule->name;
  hy_pipeline_init(&e->pipeline, context, alg, schedule, NULL);
  hy_oracle_options options = {.z3_limit = 2000};
  double start = now();
  if (hy_pipeline_check(&e->pipeline, &options, diagnostics) != HY_YES) bench_fail(diagnostics);
  e->check = now() - start;
  hy_codegen_options codegen = hy_codegen_default();
  start = now();
  e->native = hy_pipeline_compile(&e->pipeline, &codegen);
  e->compile = now() - start;
  e->times = hy_allocate_zeroed((size_t)rounds, sizeof(double));
  e->ratio_plain = hy_allocate_zeroed((size_t)rounds, sizeof(double));
  e->ratio_hand = hy_allocate_zeroed((size_t)rounds, sizeof(double));
}

static double run_native(const entrant *e, const hy_input *input, hy_buffer *output, const hy_buffer *expected) {
  memset(output->data, 0xee, output->count * 2);
  hy_native_result result;
  double start = now();
  hy_native_run(e->native, input, output, &result);
  double seconds = now() - start;
  if (result.status != HY_RAN || memcmp(output->data, expected->data, output->count * 2) != 0) {
    fprintf(stderr, "%s: wrong output\n", e->name);
    exit(1);
  }
  return seconds;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s ALG SCHED [ROUNDS [NAME]]\n", argv[0]);
    return 2;
  }
  int rounds = argc > 3 ? atoi(argv[3]) : 21, count = 0, used = 0;
  if (rounds < 1) rounds = 1;
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source alg_source = bench_source(argv[1]), sched_source = bench_source(argv[2]);
  const hy_schedule *schedules;
  const hy_alg *alg = hy_parse_alg(context, &alg_source, diagnostics);
  if (!alg || !hy_parse_schedules(context, &sched_source, diagnostics, &schedules, &count)) bench_fail(diagnostics);
  static entrant entrants[MOST];
  for (int i = 0; i < count && used < MOST; i++)
    if (argc < 5 || strcmp(schedules[i].name, argv[4]) == 0)
      prepare(&entrants[used++], context, alg, &schedules[i], diagnostics, rounds);

  // Wide enough for every schedule's demand: round and shift may read beyond the window's own border.
  int64_t in_min[2] = {-200, -200}, in_len[2] = {WIDTH + 400, HEIGHT + 400};
  int64_t min[2] = {0, 0}, len[2] = {WIDTH, HEIGHT};
  hy_buffer *in = hy_buffer_new(HY_U16, 2, in_min, in_len), *out = hy_buffer_new(HY_U16, 2, min, len);
  hy_buffer *expected = hy_buffer_new(HY_U16, 2, min, len), *by_hand = hy_buffer_new(HY_U16, 2, min, len);
  for (size_t i = 0; i < in->count; i++)
    ((uint16_t *)in->data)[i] = (uint16_t)(hy_hash(7, i) >> 50); // 14 bits, as cameras give;
  const uint16_t *corner = (uint16_t *)in->data + hy_buffer_offset(in, (int64_t[]){-1, -1});
  int stride = (int)in->stride[1];
  const hy_buffer *images[1] = {in};
  hy_input input = {NULL, images, min, len};
  uint16_t *middle = hy_allocate(sizeof *middle * WIDTH * (HEIGHT + 2));
  int threads = hy_runtime_thread_count();
  hand_team team;
  hand_team_start(&team, threads);

  double *narrow = hy_allocate(sizeof(double) * (size_t)rounds);
  double *plain = hy_allocate(sizeof(double) * (size_t)rounds), *hand = hy_allocate(sizeof(double) * (size_t)rounds);
  for (int round = -2; round < rounds; round++) { // two to warm up
    double start = now();
    box_blur_plain(corner, stride, (uint16_t *)expected->data, WIDTH, HEIGHT, middle);
    double plain_time = now() - start;
    start = now();
    box_blur_narrow(corner, stride, (uint16_t *)by_hand->data, WIDTH, HEIGHT, middle);
    double narrow_time = now() - start;
    if (memcmp(by_hand->data, expected->data, out->count * 2) != 0) return fputs("narrow: wrong output\n", stderr), 1;
    start = now();
    box_blur_hand(&team, corner, stride, (uint16_t *)by_hand->data, WIDTH, HEIGHT);
    double hand_time = now() - start;
    if (memcmp(by_hand->data, expected->data, out->count * 2) != 0) return fputs("hand: wrong output\n", stderr), 1;
    for (int i = 0; i < used; i++) {
      double time = run_native(&entrants[i], &input, out, expected);
      if (round < 0) continue;
      entrants[i].times[round] = time;
      entrants[i].ratio_plain[round] = plain_time / time;
      entrants[i].ratio_hand[round] = time / hand_time;
    }
    if (round < 0) continue;
    plain[round] = plain_time;
    narrow[round] = narrow_time;
    hand[round] = hand_time;
  }

  printf("box blur, u16, %d x %d, %d threads, %d rounds in turn; medians\n", WIDTH, HEIGHT, threads, rounds);
  printf("%-16s %10s %14s %14s %9s %9s\n", "", "time", "x plain loops", "/ by hand", "check", "compile");
  printf("%-16s %7.3f ms\n%-16s %7.3f ms\n%-16s %7.3f ms\n", "plain C loops", 1e3 * bench_median(plain, rounds),
         "  sums cut to u16", 1e3 * bench_median(narrow, rounds), "by hand", 1e3 * bench_median(hand, rounds));
  for (int i = 0; i < used; i++) {
    entrant *e = &entrants[i];
    printf("%-16s %7.3f ms %13.1fx %14.2f %6.1f ms %6.1f ms\n", e->name, 1e3 * bench_median(e->times, rounds),
           bench_median(e->ratio_plain, rounds), bench_median(e->ratio_hand, rounds), 1e3 * e->check, 1e3 * e->compile);
    hy_native_free(e->native);
    free(e->times);
    free(e->ratio_plain);
    free(e->ratio_hand);
  }
  hand_team_stop(&team);
  hy_buffer_free(in);
  hy_buffer_free(out);
  hy_buffer_free(expected);
  hy_buffer_free(by_hand);
  free(middle);
  free(plain);
  free(narrow);
  free(hand);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  free((char *)alg_source.text);
  free((char *)sched_source.text);
  hy_runtime_shutdown();
  return 0;
}
