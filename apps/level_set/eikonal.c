/* When a front that starts in the upper left corner arrives everywhere: the steps of eikonal.alg, until nothing changes any more.
 *
 *   eikonal FOLDER WIDTH HEIGHT [TIMES.pfm]      FOLDER: that of eikonal.alg and eikonal.sched
 *
 * The pipeline is checked for all inputs, compiled once, and run on two buffers in turn: what was written is read by the next run. Walls
 * let the front through, but slowly; they have gates. The times are written to a file, if one is named.
 *   cc -std=c11 eikonal.c $(pkg-config --cflags --libs halyard) -o eikonal && ./eikonal . 640 480 times.pfm
 */

#include <halyard.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float never = 1e9f;

typedef struct {
  int width, height;
  size_t count;
  float *slow, *time[2];
} front;

// Walls between rooms of 32 x 24, with a gate in each.
static float slowness(int x, int y) {
  int across = x % 32, down = y % 24;
  if (across == 31 && (down + x) % 24 > 3) return 40.0f;
  if (down == 23 && (across + y) % 32 > 3) return 40.0f;
  return 1.0f + 0.25f * (float)((x / 32 + y / 24) % 3);
}

static bool make(front *f) {
  f->count = (size_t)f->width * (size_t)f->height;
  f->slow = calloc(f->count, sizeof(float));
  for (int i = 0; i < 2; i++) f->time[i] = calloc(f->count, sizeof(float));
  if (!f->slow || !f->time[0] || !f->time[1]) return false;
  for (size_t i = 0; i < f->count; i++) {
    f->slow[i] = slowness((int)(i % (size_t)f->width), (int)(i / (size_t)f->width));
    f->time[0][i] = i ? never : 0.0f;
  }
  return true;
}

static void unmake(front *f) {
  free(f->slow);
  free(f->time[0]);
  free(f->time[1]);
}

// The pipeline of a folder with its schedule "strips", if that is proved, as code; NULL: halyard_last_error knows why.
static halyard_code *load(halyard_context *c, const char *folder) {
  char path[4096], text[4096];
  snprintf(path, sizeof path, "%s/eikonal.alg", folder);
  halyard_pipeline *p = halyard_parse_file(c, path);
  snprintf(path, sizeof path, "%s/eikonal.sched", folder);
  FILE *file = fopen(path, "rb");
  if (!file) return perror(path), NULL;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  if (!p || !halyard_schedule_file(p, text, "strips")) return NULL;
  halyard_result *r = halyard_check(p);
  const halyard_diagnostic *d;
  for (size_t i = 0; (d = halyard_result_diagnostic(r, i)); i++) fputs(d->text, stderr);
  if (halyard_result_answer(r) != HALYARD_YES) return NULL; // no code is made of what is not proved
  return halyard_compile(r);
}

// How often the code was run until nothing changed; 0: it does not run. The times are in time[0] then, and in time[1].
static int settle(halyard_code *code, front *f) {
  halyard_buffer slow = halyard_dense(f->slow, HALYARD_F32, f->width, f->height, 0), time[2];
  for (int i = 0; i < 2; i++) time[i] = halyard_dense(f->time[i], HALYARD_F32, f->width, f->height, 0);
  for (int run = 1;; run++) {
    halyard_argument arguments[] = {HALYARD_ARGUMENT("time", &time[0]), HALYARD_ARGUMENT("slow", &slow)};
    if (!halyard_realize(code, arguments, 2, &time[1])) return 0;
    if (memcmp(f->time[0], f->time[1], f->count * sizeof(float)) == 0) return run;
    halyard_buffer swapped = time[0];
    time[0] = time[1];
    time[1] = swapped;
  }
}

// PFM has the lowest line first; the sign of the scale says that bytes are little endian.
static bool write_times(const char *path, const front *f) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  fprintf(file, "Pf\n%d %d\n-1.0\n", f->width, f->height);
  for (int y = f->height - 1; y >= 0; y--)
    fwrite(f->time[0] + (size_t)y * (size_t)f->width, sizeof(float), (size_t)f->width, file);
  return fclose(file) == 0;
}

int main(int count, char **words) {
  front f = {.width = count > 3 ? atoi(words[2]) : 0, .height = count > 3 ? atoi(words[3]) : 0};
  if (f.width < 1 || f.height < 1) return fprintf(stderr, "usage: eikonal FOLDER WIDTH HEIGHT [TIMES.pfm]\n"), 2;
  halyard_context *c = halyard_context_new(NULL);
  halyard_code *code = load(c, words[1]);
  int runs = code && make(&f) ? settle(code, &f) : 0;
  if (!runs && halyard_last_error(c)) fprintf(stderr, "%s\n", halyard_error_message(halyard_last_error(c)));
  float last = 0;
  for (size_t i = 0; runs && i < f.count; i++) last = f.time[0][i] > last ? f.time[0][i] : last;
  if (runs)
    printf("proved; after %d runs nothing changes any more, and the front is everywhere at %.6g\n", runs, (double)last);
  bool written = runs && (count < 5 || write_times(words[4], &f));
  if (runs && !written) perror(words[4]);
  halyard_context_free(c);
  unmake(&f);
  return written ? 0 : 1;
}
