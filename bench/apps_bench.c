/* The pipelines of apps/ against their plain C twins, in turn (A B A B ...).
 *
 *   apps_bench APPS [ROUNDS [NAME...]]    APPS is the folder of the pipelines; NAMEs pick some of them
 *
 * The twins come from libraries that CMake has made of the same files with each compiler that is there, at -O3 for this
 * machine (references_gcc-12.so, references_clang-19.so beside this program); products are not fused with sums. Every
 * schedule runs on one thread, as the twins do, and on all of them; every output is compared, bit for bit. Prints
 * medians, and how many times faster than the faster twin a schedule is.
 */

#include "bench/bench.h"
#include "bench/twins/app_inputs.h"
#include "codegen/runtime/runtime.h"
#include "halyard/pipeline.h"
#include "semantics/base/clock.h"
#include "semantics/base/source_files.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 12, TWINS = 2 };

typedef struct {
  const char *name;
  hy_pipeline pipeline;
  hy_native *native;
  double check, compile, *one_thread, *all_threads;
} entrant;

typedef struct {
  const char *compiler;
  void *library; // NULL: that compiler is not here
  double *times;
} twin;

typedef struct {
  const app_inputs *inputs;
  hy_source alg_source, sched_source;
  const hy_alg *alg;
  entrant entrants[MOST];
  int count, rounds, threads;
  twin *twins;
  app_run run;
} contest;

/* -- preparing -- */

static hy_source read_source(const char *folder, const app_inputs *inputs, const char *ending) {
  char path[512];
  app_path(path, folder, inputs, ending);
  return bench_source(path);
}

static void prepare(entrant *e, hy_context *context, const hy_alg *alg, const hy_schedule *schedule,
                    hy_diagnostics *diagnostics, int rounds) {
  e->name = schedule->name;
  hy_pipeline_init(&e->pipeline, context, alg, schedule, NULL);
  hy_oracle_options options = {.z3_limit = 2000};
  double start = hy_own_seconds();
  if (hy_pipeline_check(&e->pipeline, &options, diagnostics) != HY_YES) bench_fail(diagnostics);
  e->check = hy_own_seconds() - start;
  hy_codegen_options codegen = hy_codegen_default();
  start = hy_own_seconds();
  e->native = hy_pipeline_compile(&e->pipeline, &codegen);
  e->compile = hy_own_seconds() - start;
  e->one_thread = hy_allocate_zeroed((size_t)rounds, sizeof(double));
  e->all_threads = hy_allocate_zeroed((size_t)rounds, sizeof(double));
}

/* -- timing -- */

static double run_twin(const contest *c, const twin *t) {
  char name[64];
  snprintf(name, sizeof name, "reference_%s", c->inputs->name);
  reference_app *reference = NULL;
  *(void **)&reference = dlsym(t->library, name);
  if (!reference) {
    fprintf(stderr, "%s has no %s\n", t->compiler, name);
    exit(1);
  }
  double start = hy_seconds();
  reference(&c->run.call);
  return hy_seconds() - start;
}

static double run_native(const contest *c, const entrant *e, int threads) {
  hy_runtime_use_threads(threads);
  hy_input input = app_run_input(&c->run);
  hy_native_result result;
  size_t bytes = c->run.out->count * hy_type_bytes(c->run.out->type);
  memset(c->run.out->data, 0xee, bytes);
  double start = hy_seconds();
  hy_native_run(e->native, &input, c->run.out, &result);
  double seconds = hy_seconds() - start;
  if (result.status != HY_RAN || memcmp(c->run.out->data, c->run.expected->data, bytes) != 0) {
    fprintf(stderr, "%s:%s: wrong output\n", c->inputs->name, e->name);
    exit(1);
  }
  return seconds;
}

static void run_rounds(contest *c) { // one more to warm up
  for (int round = -1; round < c->rounds; round++) {
    int place = round < 0 ? 0 : round;
    for (int t = 0; t < TWINS; t++)
      if (c->twins[t].library) c->twins[t].times[place] = run_twin(c, &c->twins[t]);
    for (int i = 0; i < c->count; i++) c->entrants[i].one_thread[place] = run_native(c, &c->entrants[i], 1);
    for (int i = 0; i < c->count; i++) c->entrants[i].all_threads[place] = run_native(c, &c->entrants[i], c->threads);
  }
}

/* -- the table -- */

static double print_twins(const contest *c) { // the faster one's median
  double least = 1e9;
  printf("%-15s", c->inputs->name);
  for (int t = 0; t < TWINS; t++) {
    if (!c->twins[t].library) {
      printf(" %9s", "-");
      continue;
    }
    double time = bench_median(c->twins[t].times, c->rounds);
    printf(" %9.3f", 1e3 * time);
    if (time < least) least = time;
  }
  return least;
}

static void print_rows(contest *c) {
  double plain = print_twins(c);
  for (int i = 0; i < c->count; i++) {
    entrant *e = &c->entrants[i];
    double one = bench_median(e->one_thread, c->rounds), all = bench_median(e->all_threads, c->rounds);
    printf("%*s %-12s %9.3f %7.2fx %9.3f %7.2fx %7.0f %8.0f\n", i ? 35 : 0, "", e->name, 1e3 * one, plain / one,
           1e3 * all, plain / all, 1e3 * e->check, 1e3 * e->compile);
  }
  fflush(stdout);
}

static void hold(const char *folder, const app_inputs *inputs, twin *twins, int rounds, int threads) {
  hy_context *context = hy_context_new();
  hy_source_files *files = hy_source_files_new();
  hy_context_use_sources(context, hy_source_files_find, files);
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  contest c = {.inputs = inputs, .rounds = rounds, .threads = threads, .twins = twins};
  c.alg_source = read_source(folder, inputs, "alg");
  c.sched_source = read_source(folder, inputs, "sched");
  const hy_schedule *schedules;
  c.alg = hy_parse_alg(context, &c.alg_source, diagnostics);
  if (!c.alg || !hy_parse_schedules(context, &c.sched_source, diagnostics, &schedules, &c.count) || c.count > MOST)
    bench_fail(diagnostics);
  for (int i = 0; i < c.count; i++) prepare(&c.entrants[i], context, c.alg, &schedules[i], diagnostics, rounds);
  app_run_init(&c.run, inputs, c.alg, (int64_t[]){inputs->width, inputs->height}, (int64_t[]){0, 0});
  inputs->reference(&c.run.call);
  run_rounds(&c);
  print_rows(&c);
  for (int i = 0; i < c.count; i++) {
    hy_native_free(c.entrants[i].native);
    hy_free(c.entrants[i].one_thread);
    hy_free(c.entrants[i].all_threads);
  }
  app_run_free(&c.run);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  hy_source_files_free(files);
  bench_source_free(&c.alg_source);
  bench_source_free(&c.sched_source);
}

static void open_twin(twin *t, const char *compiler, int rounds) {
  char self[4000], path[4100];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0) return;
  self[length] = '\0';
  snprintf(path, sizeof path, "%s/references_%s.so", dirname(self), compiler);
  *t = (twin){compiler, dlopen(path, RTLD_NOW | RTLD_LOCAL), hy_allocate_zeroed((size_t)rounds, sizeof(double))};
}

static bool is_picked(const char *name, char **names, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return true;
  return count <= 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s APPS [ROUNDS [NAME...]]\n", argv[0]);
    return 2;
  }
  // Memory that was freed stays with the process, so that its pages are not made anew in each round, of C's or of ours.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  int rounds = argc > 2 ? atoi(argv[2]) : 7, threads = hy_runtime_thread_count();
  if (rounds < 1) rounds = 1;
  twin twins[TWINS] = {0};
  open_twin(&twins[0], "gcc-12", rounds);
  open_twin(&twins[1], "clang-19", rounds);
  if (!twins[0].library && !twins[1].library) return fprintf(stderr, "no plain C: %s\n", dlerror()), 2;
  printf("%d rounds in turn; medians in ms; x: times as fast as the faster plain C\n", rounds);
  printf("%-15s %9s %9s %-12s %9s %8s %9s %8s %7s %8s\n", "", "gcc -O3", "clang -O3", "schedule", "1 thread", "x",
         "threads", "x", "check", "compile");
  for (int i = 0; i < app_inputs_count; i++)
    if (app_inputs_list[i].width && is_picked(app_inputs_list[i].name, argv + 3, argc - 3))
      hold(argv[1], &app_inputs_list[i], twins, rounds, threads);
  for (int t = 0; t < TWINS; t++) {
    hy_free(twins[t].times);
    if (twins[t].library) dlclose(twins[t].library);
  }
  hy_runtime_shutdown();
  return 0;
}
