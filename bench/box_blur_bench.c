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
#include "semantics/base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 2568, HEIGHT = 1922, MOST = 32 };

typedef struct {
  const char *name;
  hy_pipeline pipeline;
  hy_native *native;
  double check, compile, *times, *ratio_plain, *ratio_hand;
} entrant;

static double *new_times(int rounds) { return hy_allocate_zeroed((size_t)rounds, sizeof(double)); }

static void prepare(entrant *e, hy_context *context, const hy_alg *alg, const hy_schedule *schedule,
                    hy_diagnostics *diagnostics, int rounds) {
  e->name = schedule->name;
  hy_pipeline_init(&e->pipeline, context, alg, schedule, NULL);
  hy_oracle_options options = {.z3_limit = 2000};
  double start = hy_seconds();
  if (hy_pipeline_check(&e->pipeline, &options, diagnostics) != HY_YES) bench_fail(diagnostics);
  e->check = hy_seconds() - start;
  hy_codegen_options codegen = hy_codegen_default();
  start = hy_seconds();
  e->native = hy_pipeline_compile(&e->pipeline, &codegen);
  e->compile = hy_seconds() - start;
  e->times = new_times(rounds), e->ratio_plain = new_times(rounds), e->ratio_hand = new_times(rounds);
}

static double run_native(const entrant *e, const hy_input *input, hy_buffer *output, const hy_buffer *expected) {
  memset(output->data, 0xee, output->count * 2);
  hy_native_result result;
  double start = hy_seconds();
  hy_native_run(e->native, input, output, &result);
  double seconds = hy_seconds() - start;
  if (result.status != HY_RAN || memcmp(output->data, expected->data, output->count * 2) != 0) {
    fprintf(stderr, "%s: wrong output\n", e->name);
    exit(1);
  }
  return seconds;
}

typedef struct {
  entrant entrants[MOST];
  int used, rounds, threads;
  hy_buffer *in, *out, *expected, *by_hand;
  const uint16_t *corner; // of the part of "in" that the filter reads
  uint16_t *middle;       // what the two-pass loops keep between their passes
  hand_team team;
  double *plain, *narrow, *hand; // by round
} race;

static void make_images(race *r) {
  // Wide enough for every schedule's demand: round and shift may read beyond the window's own border.
  int64_t in_min[2] = {-200, -200}, in_len[2] = {WIDTH + 400, HEIGHT + 400};
  int64_t min[2] = {0, 0}, len[2] = {WIDTH, HEIGHT};
  r->in = hy_buffer_new(HY_U16, 2, in_min, in_len), r->out = hy_buffer_new(HY_U16, 2, min, len);
  r->expected = hy_buffer_new(HY_U16, 2, min, len), r->by_hand = hy_buffer_new(HY_U16, 2, min, len);
  for (size_t i = 0; i < r->in->count; i++)
    ((uint16_t *)r->in->data)[i] = (uint16_t)(hy_hash(7, i) >> 50); // 14 bits, as cameras give
  r->corner = (uint16_t *)r->in->data + hy_buffer_offset(r->in, (int64_t[]){-1, -1});
  r->middle = hy_allocate(sizeof *r->middle * WIDTH * (HEIGHT + 2));
}

static void check_by_hand(const race *r, const char *name) {
  if (memcmp(r->by_hand->data, r->expected->data, r->out->count * 2) == 0) return;
  fprintf(stderr, "%s: wrong output\n", name);
  exit(1);
}

// Everybody once, in turn; rounds below 0 warm up and do not count.
static void run_round(race *r, int round) {
  int stride = (int)r->in->stride[1];
  double start = hy_seconds();
  box_blur_plain(r->corner, stride, (uint16_t *)r->expected->data, WIDTH, HEIGHT, r->middle);
  double plain = hy_seconds() - start;
  start = hy_seconds();
  box_blur_narrow(r->corner, stride, (uint16_t *)r->by_hand->data, WIDTH, HEIGHT, r->middle);
  double narrow = hy_seconds() - start;
  check_by_hand(r, "narrow");
  start = hy_seconds();
  box_blur_hand(&r->team, r->corner, stride, (uint16_t *)r->by_hand->data, WIDTH, HEIGHT);
  double hand = hy_seconds() - start;
  check_by_hand(r, "hand");
  const hy_buffer *images[1] = {r->in};
  hy_input input = {NULL, images, r->out->min, r->out->len};
  for (int i = 0; i < r->used; i++) {
    entrant *e = &r->entrants[i];
    double time = run_native(e, &input, r->out, r->expected);
    if (round < 0) continue;
    e->times[round] = time, e->ratio_plain[round] = plain / time, e->ratio_hand[round] = time / hand;
  }
  if (round >= 0) r->plain[round] = plain, r->narrow[round] = narrow, r->hand[round] = hand;
}

static void print_times(const race *r) {
  printf("box blur, u16, %d x %d, %d threads, %d rounds in turn; medians\n", WIDTH, HEIGHT, r->threads, r->rounds);
  printf("%-16s %10s %14s %14s %9s %9s\n", "", "time", "x plain loops", "/ by hand", "check", "compile");
  printf("%-16s %7.3f ms\n%-16s %7.3f ms\n%-16s %7.3f ms\n", "plain C loops", 1e3 * bench_median(r->plain, r->rounds),
         "  sums cut to u16", 1e3 * bench_median(r->narrow, r->rounds), "by hand",
         1e3 * bench_median(r->hand, r->rounds));
  for (int i = 0; i < r->used; i++) {
    const entrant *e = &r->entrants[i];
    printf("%-16s %7.3f ms %13.1fx %14.2f %6.1f ms %6.1f ms\n", e->name, 1e3 * bench_median(e->times, r->rounds),
           bench_median(e->ratio_plain, r->rounds), bench_median(e->ratio_hand, r->rounds), 1e3 * e->check,
           1e3 * e->compile);
  }
}

static void end_race(race *r) {
  for (int i = 0; i < r->used; i++) {
    hy_native_free(r->entrants[i].native);
    free(r->entrants[i].times), free(r->entrants[i].ratio_plain), free(r->entrants[i].ratio_hand);
  }
  hand_team_stop(&r->team);
  hy_buffer_free(r->in), hy_buffer_free(r->out), hy_buffer_free(r->expected), hy_buffer_free(r->by_hand);
  free(r->middle), free(r->plain), free(r->narrow), free(r->hand);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s ALG SCHED [ROUNDS [NAME]]\n", argv[0]);
    return 2;
  }
  static race r;
  r.rounds = argc > 3 ? atoi(argv[3]) : 21;
  if (r.rounds < 1) r.rounds = 1;
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source alg_source = bench_source(argv[1]), sched_source = bench_source(argv[2]);
  const hy_schedule *schedules;
  int count = 0;
  const hy_alg *alg = hy_parse_alg(context, &alg_source, diagnostics);
  if (!alg || !hy_parse_schedules(context, &sched_source, diagnostics, &schedules, &count)) bench_fail(diagnostics);
  for (int i = 0; i < count && r.used < MOST; i++)
    if (argc < 5 || strcmp(schedules[i].name, argv[4]) == 0)
      prepare(&r.entrants[r.used++], context, alg, &schedules[i], diagnostics, r.rounds);

  make_images(&r);
  r.threads = hy_runtime_thread_count();
  hand_team_start(&r.team, r.threads);
  r.plain = new_times(r.rounds), r.narrow = new_times(r.rounds), r.hand = new_times(r.rounds);
  for (int round = -2; round < r.rounds; round++) run_round(&r, round);
  print_times(&r);

  end_race(&r);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  free((char *)alg_source.text), free((char *)sched_source.text);
  hy_runtime_shutdown();
  return 0;
}
