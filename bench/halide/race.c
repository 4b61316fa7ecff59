/* One pipeline of apps/ with one schedule, as Halyard and as Halide compiled it, in turn (A B A B ...).
 *
 *   halide_race NAME ROUNDS WIDTH HEIGHT HALYARD.so LABEL=OTHER.so...    WIDTH 0: the size of ./dev bench
 *
 * Every shared object has the function "filter". How many threads they take is up to HALYARD_NUM_THREADS and
 * HL_NUM_THREADS. Prints a line of JSON: of each its medians, in milliseconds a call, the wall times of its rounds, and
 * how its outputs differ from Halyard's, the first's. Status 3: one of them refuses these inputs, and the line says why.
 */

#include "bench/bench.h"
#include "bench/halide/filter.h"
#include "semantics/base/clock.h"

#include <float.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNNERS = 40, FLOATING = 2 }; // the code of a type

// Those that have no twin in plain C, and so no row of ./dev bench.
static const app_inputs others[] = {
    {.name = "box_blur",
     .out = {HY_U16, 2, {APP_WIDTH, APP_HEIGHT}, 0, 0, 0},
     .images = {{HY_U16, 2, {APP_WIDTH, APP_HEIGHT}, 0, 16384, 1}},
     .width = 2560,
     .height = 1920},
    {.name = "histogram",
     .out = {HY_U8, 2, {APP_WIDTH, APP_HEIGHT}, 0, 0, 0},
     .images = {{HY_U8, 2, {APP_WIDTH, APP_HEIGHT}, 40, 120, 0}},
     .width = 1536,
     .height = 1024},
    {.name = "scene", .out = {HY_U16, 2, {APP_WIDTH, APP_HEIGHT}, 0, 0, 0}, .width = 1536, .height = 1024},
    {.name = "figure1",
     .out = {HY_F32, 2, {APP_WIDTH, APP_HEIGHT}, 0, 0, 0},
     .params = {1},
     .width = 1536,
     .height = 1024},
};

typedef struct {
  filter filters[MOST_RUNNERS];
  double *wall[MOST_RUNNERS], *processor[MOST_RUNNERS]; // by round
  int count, rounds, calls;                             // calls: in a round, of each
  filter_inputs inputs;
} race;

static const app_inputs *find_inputs(const char *name) {
  for (int i = 0; i < app_inputs_count; i++)
    if (app_inputs_list[i].width && strcmp(app_inputs_list[i].name, name) == 0) return &app_inputs_list[i];
  for (int i = 0; i < (int)HY_COUNT(others); i++)
    if (strcmp(others[i].name, name) == 0) return &others[i];
  fprintf(stderr, "'%s' has no inputs: give it a row in bench/halide/race.c, or in bench/twins/app_inputs.c\n", name);
  exit(2);
}

static int refuse(const filter *f) {
  char text[200]; // what JSON must not have in a text
  size_t length = 0;
  for (const char *c = filter_said(); *c && length < sizeof text - 1; c++)
    if ((unsigned char)*c >= ' ') text[length++] = *c == '"' || *c == '\\' ? '\'' : *c;
  text[length] = '\0';
  printf("{\"refused\": \"%s: %s\"}\n", f->label, text);
  return 3;
}

/* -- preparing -- */

// Images as large as both want them: with some tails one of the two reads more than the other.
static const filter *make_inputs(race *r, const app_inputs *about, const int64_t size[2]) {
  int64_t at[2] = {0}, min[APP_IMAGES][4] = {0}, len[APP_IMAGES][4] = {0}, window_min[4] = {0}, window_len[4] = {0};
  filter_inputs *inputs = &r->inputs;
  filter_names(&r->filters[0], inputs);
  for (int i = 0; i < inputs->image_count; i++) app_array_box(&about->images[i], size, at, min[i], len[i]);
  for (int i = 0; i < inputs->param_count; i++)
    hy_value_store(app_number(filter_param_type(&r->filters[0], inputs->param_names[i]), about->params[i]),
                   (uint8_t *)&inputs->params[i]);
  app_array_box(&about->out, size, at, window_min, window_len);
  for (int i = 0; i < r->count; i++) {
    filter_make_outputs(&r->filters[i], window_min, window_len);
    if (!filter_query(&r->filters[i], inputs, min, len)) return &r->filters[i];
  }
  for (int i = 0; i < inputs->image_count; i++) {
    inputs->images[i] = hy_buffer_new(about->images[i].type, about->images[i].rank, min[i], len[i]);
    if (!inputs->images[i]) abort();
    app_array_fill(&about->images[i], (uint64_t)i + 1, inputs->images[i]);
  }
  for (int i = 0; i < r->count; i++) filter_bind(&r->filters[i], inputs);
  return NULL;
}

/* -- timing -- */

static double processor_seconds(void) { // all threads', finer than clock()
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool run_once(race *r, int i, int calls, double *wall, double *processor) {
  // The other's threads may still look for work: they shall sleep before this one's time is taken.
  nanosleep(&(struct timespec){0, 2000000}, NULL);
  double start = hy_seconds(), start_processor = processor_seconds();
  for (int call = 0; call < calls; call++)
    if (!filter_run(&r->filters[i])) return false;
  *wall = 1e3 * (hy_seconds() - start) / calls;
  *processor = 1e3 * (processor_seconds() - start_processor) / calls;
  return true;
}

// A round of each takes 5 ms or more: a clock, and what wakes threads up, shall not be what is measured.
static const filter *run_rounds(race *r) {
  double longest = 0, wall = 0, processor = 0;
  for (int i = 0; i < r->count; i++) {
    for (int f = 0; f < r->filters[i].output_count; f++)
      memset(r->filters[i].outputs[f].buffer.host, 0xee - i, r->filters[i].bytes[f]); // no two alike by doing nothing
    if (!run_once(r, i, 1, &wall, &processor)) return &r->filters[i];
    if (wall > longest) longest = wall;
  }
  r->calls = longest >= 5 ? 1 : (int)ceil(5 / (longest > 0.05 ? longest : 0.05));
  for (int round = 0; round < r->rounds; round++)
    for (int i = 0; i < r->count; i++)
      if (!run_once(r, i, r->calls, &r->wall[i][round], &r->processor[i][round])) return &r->filters[i];
  return NULL;
}

/* -- comparing -- */

static double element(const halide_buffer_t *b, size_t i) {
  switch (b->type.code << 8 | b->type.bits) {
  case 0 << 8 | 8: return ((const int8_t *)b->host)[i];
  case 0 << 8 | 16: return ((const int16_t *)(void *)b->host)[i];
  case 0 << 8 | 32: return ((const int32_t *)(void *)b->host)[i];
  case 0 << 8 | 64: return (double)((const int64_t *)(void *)b->host)[i];
  case 1 << 8 | 1:
  case 1 << 8 | 8: return b->host[i];
  case 1 << 8 | 16: return ((const uint16_t *)(void *)b->host)[i];
  case 1 << 8 | 32: return ((const uint32_t *)(void *)b->host)[i];
  case 1 << 8 | 64: return (double)((const uint64_t *)(void *)b->host)[i];
  case 2 << 8 | 32: return (double)((const float *)(void *)b->host)[i];
  default: return ((const double *)(void *)b->host)[i];
  }
}

typedef struct {
  size_t points, differ, far; // differ: in any bit
  double largest, greatest;   // difference; magnitude of Halyard's
} difference;

static double greatest_of(const filter *a) {
  double greatest = 0;
  for (int o = 0; o < a->output_count; o++)
    for (size_t i = 0; i < a->bytes[o] / filter_size(&a->outputs[o].buffer); i++) {
      double number = fabs(element(&a->outputs[o].buffer, i));
      if (isfinite(number)) greatest = fmax(greatest, number);
    }
  return greatest;
}

// Far: by more than a thousandth of the greatest, and of whole numbers by more than a step to either side. Where Halide
// contracts sums or takes its own exp single points may be: one that is rounded otherwise is in another bin, say.
static difference compare(const filter *a, const filter *b) {
  difference all = {.greatest = greatest_of(a)};
  for (int o = 0; o < a->output_count; o++) {
    const halide_buffer_t *x = &a->outputs[o].buffer, *y = &b->outputs[o].buffer;
    size_t size = filter_size(x), count = a->bytes[o] / size;
    double near = x->type.code == FLOATING ? 1e-3 * all.greatest : fmax(1, 1e-3 * all.greatest);
    all.points += count;
    for (size_t i = 0; i < count; i++) {
      if (memcmp(x->host + i * size, y->host + i * size, size) == 0) continue;
      double by = fabs(element(x, i) - element(y, i));
      all.differ++;
      if (!isfinite(by)) by = DBL_MAX;
      if (by > near) all.far++;
      all.largest = fmax(all.largest, by);
    }
  }
  return all;
}

/* -- */

// Of the times of one round, which are as good or as bad as the machine was just then; less is better for Halyard.
static double median_ratio(double *const times[], int other, int rounds) {
  double *ratios = hy_allocate_zeroed((size_t)rounds, sizeof(double));
  for (int round = 0; round < rounds; round++) ratios[round] = times[0][round] / times[other][round];
  double median = bench_median(ratios, rounds);
  hy_free(ratios);
  return median;
}

static void print_rounds(const double *times, int rounds) {
  for (int round = 0; round < rounds; round++) printf("%s%.6f", round ? ", " : "", times[round]);
}

static void print_result(race *r, const int64_t size[2]) {
  printf("{\"size\": [%d, %d], \"calls\": %d", (int)size[0], (int)size[1], r->calls);
  double wall[MOST_RUNNERS], processor[MOST_RUNNERS]; // before the medians, which sort
  for (int i = 0; i < r->count; i++) {
    wall[i] = median_ratio(r->wall, i, r->rounds);
    processor[i] = median_ratio(r->processor, i, r->rounds);
  }
  for (int i = 0; i < r->count; i++) {
    difference d = compare(&r->filters[0], &r->filters[i]);
    printf(", \"%s\": {\"rounds\": [", r->filters[i].label);
    print_rounds(r->wall[i], r->rounds); // before the medians, which sort
    printf("], \"wall\": %.6f, \"processor\": %.6f, \"wall_ratio\": %.4f, \"processor_ratio\": %.4f, ",
           bench_median(r->wall[i], r->rounds), bench_median(r->processor[i], r->rounds), wall[i], processor[i]);
    printf("\"points\": %zu, \"differ\": %zu, \"far\": %zu, \"largest\": %.9g, \"greatest\": %.9g, \"whole\": %s}",
           d.points, d.differ, d.far, d.largest, d.greatest,
           r->filters[i].outputs[0].buffer.type.code == FLOATING ? "false" : "true");
  }
  puts("}");
}

static void open_all(race *r, char **words, int count) {
  r->count = count;
  for (int i = 0; i < count; i++) {
    char *equals = strchr(words[i], '=');
    if (equals) *equals = '\0';
    filter_open(&r->filters[i], equals ? words[i] : "halyard", equals ? equals + 1 : words[i], "filter");
    r->wall[i] = hy_allocate_zeroed((size_t)r->rounds, sizeof(double));
    r->processor[i] = hy_allocate_zeroed((size_t)r->rounds, sizeof(double));
  }
}

int main(int argc, char **argv) {
  if (argc < 7 || argc > 5 + MOST_RUNNERS || atoi(argv[2]) < 1) {
    fprintf(stderr, "usage: %s NAME ROUNDS WIDTH HEIGHT HALYARD.so LABEL=OTHER.so...\n", argv[0]);
    return 2;
  }
  // As in apps_bench: memory that was freed stays with the process, whoever asked for it.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  race r = {.rounds = atoi(argv[2])};
  const app_inputs *about = find_inputs(argv[1]);
  int64_t size[2] = {atoi(argv[3]), atoi(argv[4])};
  if (size[0] < 1 || size[1] < 1) size[0] = about->width, size[1] = about->height;
  open_all(&r, argv + 5, argc - 5);
  const filter *refuses = make_inputs(&r, about, size);
  if (!refuses) refuses = run_rounds(&r);
  int status = 0;
  if (refuses)
    status = refuse(refuses);
  else
    print_result(&r, size);
  for (int i = 0; i < r.count; i++) {
    filter_close(&r.filters[i]);
    hy_free(r.wall[i]), hy_free(r.processor[i]);
  }
  for (int i = 0; i < r.inputs.image_count; i++) hy_buffer_free(r.inputs.images[i]);
  return status;
}
