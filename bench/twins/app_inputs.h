#ifndef HY_APP_INPUTS_H
#define HY_APP_INPUTS_H

/* What a pipeline of apps/ is run on: for each row of apps.def the types and sizes of its images and its output, in
 * terms of one width and height, and its parameters; and buffers made of that, filled with random numbers that it is
 * made for.
 */

#include "bench/twins/apps.h"
#include "semantics/alg/alg.h"
#include "semantics/alg/input.h"

enum { APP_IMAGES = 7, APP_PARAMS = 5 };
enum { APP_WIDTH = -1, APP_HEIGHT = -2 }; // as lengths: those of the run; such a dimension starts where the run says

typedef struct {
  hy_type type;
  int rank;
  int64_t len[4];
  double least, range; // of what is in it: from least to least + range
  int border;          // how far it reaches beyond width and height, on every side
  int times;           // how many of its elements there are for one of width and height; 0 is 1
} app_array;

typedef struct {
  const char *name, *folder; // apps/FOLDER/NAME.alg, apps/FOLDER/NAME.sched; the folder may be ""
  reference_app *reference;
  app_array out, images[APP_IMAGES];
  double params[APP_PARAMS];
  int64_t width, height; // of what ./dev bench times; 0: it does not, the row is for tests alone
  int64_t most;          // the most of width and height that tests take; 0: any
} app_inputs;

extern const app_inputs app_inputs_list[];
extern const int app_inputs_count;

// "APPS/FOLDER/NAME.alg"
void app_path(char path[512], const char *apps, const app_inputs *inputs, const char *ending);

typedef struct {
  const app_inputs *inputs;
  hy_buffer *images[APP_IMAGES], *out, *expected; // owned
  hy_value params[APP_PARAMS];
  int64_t min[4], len[4]; // the window
  reference_array arrays[APP_IMAGES];
  reference_call call;
} app_run;

// The box of an array in a run of that size at (x, y).
void app_array_box(const app_array *array, const int64_t size[2], const int64_t at[2], int64_t min[4], int64_t len[4]);
// Random numbers that the pipeline is made for, the same for the same seed. requires: the buffer has the array's type.
void app_array_fill(const app_array *array, uint64_t seed, hy_buffer *buffer);
// A parameter's value in its type.
hy_value app_number(hy_type type, double value);

// Makes the buffers for a window of that size at (x, y). requires: alg is the app's. Free it with app_run_free.
void app_run_init(app_run *run, const app_inputs *inputs, const hy_alg *alg, const int64_t size[2],
                  const int64_t at[2]);
void app_run_free(app_run *run);
// What the engines take. The run must stay where it is.
hy_input app_run_input(const app_run *run);

#endif
