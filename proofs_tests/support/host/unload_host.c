// A program of somebody else's: a thread calls a shared object, which is unloaded before the thread ends.

#include "halyard_runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { WIDTH = 40, HEIGHT = 30 };

static int (*blur)(halide_buffer_t *in, halide_buffer_t *out);
static int status;
static pthread_barrier_t called, unloaded;

// Of an image upside down a copy is made: memory that the thread keeps for its next call.
static void *call(void *unused) {
  static uint16_t in_memory[(WIDTH + 2) * (HEIGHT + 2)], out_memory[WIDTH * HEIGHT];
  halide_dimension_t in_dim[2] = {{-1, WIDTH + 2, 1, 0}, {-1, HEIGHT + 2, -(WIDTH + 2), 0}},
                     out_dim[2] = {{0, WIDTH, 1, 0}, {0, HEIGHT, WIDTH, 0}};
  halide_buffer_t in = {.type = {1, 16, 1}, .dimensions = 2, .dim = in_dim},
                  out = {.type = {1, 16, 1}, .dimensions = 2, .dim = out_dim};
  in.host = (uint8_t *)&in_memory[(WIDTH + 2) * (HEIGHT + 1)];
  out.host = (uint8_t *)out_memory;
  status = blur(&in, &out);
  pthread_barrier_wait(&called);
  pthread_barrier_wait(&unloaded);
  return unused; // nothing of the object's may run from here on
}

int main(void) {
  void *library = dlopen("./blur.so", RTLD_NOW | RTLD_LOCAL);
  pthread_t thread;
  if (!library) puts(dlerror());
  if (!library) return 1;
  *(void **)&blur = dlsym(library, "blur");
  pthread_barrier_init(&called, NULL, 2);
  pthread_barrier_init(&unloaded, NULL, 2);
  if (!blur || pthread_create(&thread, NULL, call, NULL)) return 1;
  pthread_barrier_wait(&called);
  dlclose(library);
  pthread_barrier_wait(&unloaded);
  pthread_join(thread, NULL);
  if (status) printf("blur: %d\n", status);
  return status != 0;
}
