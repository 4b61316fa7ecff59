#include "bench/twins/app_inputs.h"

#include "semantics/base/intern.h"

#include <stdio.h>
#include <stdlib.h>

#define HY_APP_IN(place, app) .name = #app, .folder = place, .reference = reference_##app
#define HY_APP_ROW(app) HY_APP_IN("", app)
#define SIZE APP_WIDTH, APP_HEIGHT
#define RGBA                                                                                                           \
  { HY_U8, 3, {SIZE, 4}, 0, 256, 0, 0 }

#define HY_REAL_FFT(points, frequencies)                                                                               \
  {                                                                                                                    \
    HY_APP_IN("fft", fft_real_##points), {HY_F32, 3, {frequencies, APP_HEIGHT, 2}, 0, 0, 0, 0},                        \
        {{HY_F32, 2, {points, APP_HEIGHT}, -1, 2, 0, 0}}, {0}, points, 1048576 / points                                \
  }

const app_inputs app_inputs_list[] = {
    {HY_APP_ROW(unsharp), {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0}, {{HY_F32, 3, {SIZE, 3}, 0.01, 1, 0, 0}}, {0}, 1536, 1024},
    {HY_APP_ROW(harris), {HY_F32, 2, {SIZE}, 0, 0, 0, 0}, {{HY_F32, 3, {SIZE, 3}, 0, 1, 2, 0}}, {0}, 1536, 1024},
    {HY_APP_ROW(iir_blur), {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0}, {{HY_F32, 3, {SIZE, 3}, 0, 1, 0, 0}}, {0.1}, 1536, 1024},
    {HY_APP_IN("networks", matmul),
     {HY_F32, 2, {SIZE}, 0, 0, 0, 0},
     {{HY_F32, 2, {512, APP_HEIGHT}, -1, 2, 0, 0}, {HY_F32, 2, {APP_WIDTH, 512}, -1, 2, 0, 0}},
     {0},
     512,
     512},
    {HY_APP_IN("networks", matmul),
     {HY_F32, 2, {SIZE}, 0, 0, 0, 0},
     {{HY_F32, 2, {3, APP_HEIGHT}, -1, 2, 0, 0}, {HY_F32, 2, {APP_WIDTH, 3}, -1, 2, 0, 0}},
     {0},
     0,
     0},
    {HY_APP_IN("networks", conv_layer),
     {HY_F32, 4, {40, SIZE, 2}, 0, 0, 0, 0},
     {{HY_F32, 4, {24, SIZE, 2}, -1, 2, 1, 0},
      {HY_F32, 4, {40, 3, 3, 24}, -1, 2, 0, 0},
      {HY_F32, 1, {40}, -1, 2, 0, 0}},
     {0},
     100,
     80},
    {HY_APP_IN("networks", vgg),
     {HY_F32, 3, {64, SIZE}, 0, 0, 0, 0},
     {{HY_F32, 3, {3, SIZE}, 0, 1, 0, 32},
      {HY_F32, 4, {64, 9, 64, 13}, -0.1, 0.2, 0, 0},
      {HY_F32, 2, {64, 13}, -0.1, 0.2, 0, 0}},
     {0},
     7,
     7,
     2},
    {HY_APP_ROW(max_filter), {HY_U8, 2, {SIZE}, 0, 0, 0, 0}, {{HY_U8, 2, {SIZE}, 0, 256, 0, 0}}, {26}, 1536, 1024},
    {HY_APP_ROW(max_filter), {HY_U8, 2, {SIZE}, 0, 0, 0, 0}, {{HY_U8, 2, {SIZE}, 0, 256, 0, 0}}, {0}, 0, 0},
    {HY_APP_ROW(max_filter), {HY_U8, 2, {SIZE}, 0, 0, 0, 0}, {{HY_U8, 2, {SIZE}, 0, 256, 0, 0}}, {3}, 0, 0},
    {HY_APP_ROW(bilateral_grid),
     {HY_F32, 2, {SIZE}, 0, 0, 0, 0},
     {{HY_F32, 2, {SIZE}, -0.1, 1.2, 0, 0}},
     {0},
     1536,
     1024},
    {HY_APP_ROW(histogram_colour),
     {HY_U8, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_U8, 3, {SIZE, 3}, 40, 120, 0, 0}},
     {0},
     1536,
     1024},
    {HY_APP_ROW(nl_means),
     {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_F32, 3, {SIZE, 3}, 0, 1, 0, 0}},
     {3, 5, 0.3},
     384,
     256},
    {HY_APP_ROW(camera_pipe),
     {HY_U8, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_U16, 2, {SIZE}, 0, 1024, 8, 0}, {HY_I16, 2, {4, 3}, -200, 800, 0, 0}},
     {2.2, 1.2, 25, 1023},
     1536,
     1024},
    {HY_APP_ROW(resize),
     {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_F32, 3, {1536, 1024, 3}, 0, 1, 0, 0}},
     {0.4},
     614,
     409},
    {HY_APP_ROW(resize), {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0}, {{HY_F32, 3, {SIZE, 3}, 0, 1, 0, 0}}, {1.7}, 0, 0},
    {HY_APP_IN("fft", fft),
     {HY_F32, 3, {16, APP_HEIGHT, 2}, 0, 0, 0, 0},
     {{HY_F32, 3, {16, APP_HEIGHT, 2}, -1, 2, 0, 0}},
     {0},
     16,
     65536},
    HY_REAL_FFT(16, 9),
    HY_REAL_FFT(32, 17),
    HY_REAL_FFT(64, 33),
    HY_REAL_FFT(128, 65),
    HY_REAL_FFT(256, 129),
    {HY_APP_ROW(interpolate),
     {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_F32, 3, {SIZE, 4}, 0, 1, 0, 0}},
     {0},
     1536,
     1024},
    {HY_APP_ROW(local_laplacian),
     {HY_U16, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_U16, 3, {SIZE, 3}, 0, 65536, 0, 0}},
     {0.8, 0.6},
     1536,
     1024},
    {HY_APP_ROW(lens_blur),
     {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_U8, 3, {SIZE, 3}, 0, 256, 0, 0}, {HY_U8, 3, {SIZE, 3}, 0, 256, 0, 0}},
     {32, 13, 0.5, 16, 32},
     192,
     320},
    {HY_APP_ROW(lens_blur), // one displacement, no blur: the picture itself
     {HY_F32, 3, {SIZE, 3}, 0, 0, 0, 0},
     {{HY_U8, 3, {SIZE, 3}, 0, 256, 0, 0}, {HY_U8, 3, {SIZE, 3}, 0, 256, 0, 0}},
     {1, 0, 1, 0, 3},
     0,
     0},
    {HY_APP_IN("level_set", eikonal),
     {HY_F32, 2, {SIZE}, 0, 0, 0, 0},
     {{HY_F32, 2, {SIZE}, 0, 10, 0, 0}, {HY_F32, 2, {SIZE}, 0.5, 2, 0, 0}},
     {0},
     1536,
     1024},
    {HY_APP_ROW(compositing),
     {HY_U8, 3, {SIZE, 4}, 0, 0, 0, 0},
     {RGBA, RGBA, RGBA, RGBA, RGBA, RGBA, {HY_I32, 1, {5}, 0, 5, 0, 0}},
     {0},
     1536,
     1024},
};
const int app_inputs_count = (int)HY_COUNT(app_inputs_list);

void app_path(char path[512], const char *apps, const app_inputs *inputs, const char *ending) {
  snprintf(path, 512, "%s/%s%s%s.%s", apps, inputs->folder, inputs->folder[0] ? "/" : "", inputs->name, ending);
}

void app_array_box(const app_array *array, const int64_t size[2], const int64_t at[2], int64_t min[4], int64_t len[4]) {
  for (int d = 0; d < array->rank; d++) {
    int side = array->len[d] == APP_WIDTH    ? 0
               : array->len[d] == APP_HEIGHT ? 1
                                             : 2,
        times = array->times ? array->times : 1;
    min[d] = side < 2 ? times * at[side] - array->border : 0;
    len[d] = side < 2 ? times * size[side] + 2 * array->border : array->len[d];
  }
}

static hy_buffer *new_buffer(const app_array *array, const int64_t size[2], const int64_t at[2]) {
  int64_t min[4] = {0}, len[4] = {0};
  app_array_box(array, size, at, min, len);
  hy_buffer *buffer = hy_buffer_new(array->type, array->rank, min, len);
  if (!buffer) abort();
  return buffer;
}

hy_value app_number(hy_type type, double value) {
  return type == HY_F32 || type == HY_F64 ? hy_value_from_double(type, value) : hy_value_integral(type, (int64_t)value);
}

void app_array_fill(const app_array *array, uint64_t seed, hy_buffer *buffer) {
  size_t bytes = hy_type_bytes(array->type);
  for (size_t i = 0; i < buffer->count; i++) {
    double value = array->least + array->range * (double)(hy_hash(seed, i) >> 11) / 9007199254740992.0;
    hy_value_store(app_number(array->type, value), buffer->data + i * bytes);
  }
}

static reference_array array_of(const hy_buffer *buffer) {
  reference_array array = {.data = buffer->data};
  for (int d = 0; d < 4; d++) {
    array.min[d] = d < buffer->rank ? buffer->min[d] : 0;
    array.len[d] = d < buffer->rank ? buffer->len[d] : 1;
  }
  return array;
}

void app_run_init(app_run *run, const app_inputs *inputs, const hy_alg *alg, const int64_t size[2],
                  const int64_t at[2]) {
  *run = (app_run){.inputs = inputs};
  for (int i = 0; i < alg->image_count; i++) {
    run->images[i] = new_buffer(&inputs->images[i], size, at);
    app_array_fill(&inputs->images[i], (uint64_t)i + 1, run->images[i]);
    run->arrays[i] = array_of(run->images[i]);
  }
  for (int i = 0; i < alg->param_count; i++) run->params[i] = app_number(alg->params[i]->type, inputs->params[i]);
  run->out = new_buffer(&inputs->out, size, at);
  run->expected = new_buffer(&inputs->out, size, at);
  for (int d = 0; d < run->out->rank; d++) {
    run->min[d] = run->out->min[d];
    run->len[d] = run->out->len[d];
  }
  run->call = (reference_call){run->arrays, inputs->params, array_of(run->expected)};
}

void app_run_free(app_run *run) {
  for (int i = 0; i < APP_IMAGES; i++) hy_buffer_free(run->images[i]);
  hy_buffer_free(run->out);
  hy_buffer_free(run->expected);
}

hy_input app_run_input(const app_run *run) {
  return (hy_input){run->params, (const hy_buffer *const *)run->images, run->min, run->len};
}
