#include "bench/halide/filter.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- what both say of their arguments: the layout of Halide's header -- */

enum { SCALAR = 0, INPUT = 1, OUTPUT = 2 };

struct argument {
  const char *name;
  int32_t kind, dimensions;
  halide_type_t type;
  const void *scalar_def, *scalar_min, *scalar_max, *scalar_estimate, *buffer_estimates;
};
struct halide_filter_metadata_t {
  int32_t version, count;
  const struct argument *arguments;
  const char *target, *name;
};

static char said[400];

static void hear(void *user_context, const char *message) {
  (void)user_context;
  snprintf(said, sizeof said, "%s", message);
}

const char *filter_said(void) { return said; }

static _Noreturn void fail(const filter *f, const char *what, const char *which) {
  fprintf(stderr, "%s: %s %s\n", f->label, what, which);
  exit(2);
}

static void *symbol(const filter *f, const char *name, const char *end) {
  char whole[200];
  snprintf(whole, sizeof whole, "%s%s", name, end);
  void *found = dlsym(f->library, whole);
  if (!found) fail(f, "has no function", whole);
  return found;
}

void filter_open(filter *f, const char *label, const char *path, const char *name) {
  *f = (filter){.label = label, .library = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
  if (!f->library) fail(f, "cannot be loaded:", dlerror());
  const struct halide_filter_metadata_t *(*describe)(void) = NULL;
  *(void **)&f->call = symbol(f, name, "_argv");
  *(void **)&describe = symbol(f, name, "_metadata");
  f->about = describe();
  if (f->about->count > FILTER_ARGUMENTS) fail(f, "has too many arguments:", name);
  // By itself Halide's ends the program: here what it refuses is a row of the table.
  void *(*listen)(void (*)(void *, const char *)) = NULL;
  *(void **)&listen = dlsym(f->library, "halyard_set_error_handler");
  if (!listen) *(void **)&listen = symbol(f, "halide_set_error_handler", "");
  listen(hear);
}

void filter_close(filter *f) {
  for (int i = 0; i < f->output_count; i++) free(f->outputs[i].buffer.host);
  dlclose(f->library);
}

/* -- names and types -- */

void filter_names(const filter *f, filter_inputs *inputs) {
  for (int i = 0; i < f->about->count; i++) {
    const struct argument *a = &f->about->arguments[i];
    if (a->dimensions > FILTER_RANK) fail(f, "more dimensions than this program can hold:", a->name);
    if (a->kind == INPUT && inputs->image_count < APP_IMAGES) inputs->image_names[inputs->image_count++] = a->name;
    if (a->kind == SCALAR && inputs->param_count < APP_PARAMS) inputs->param_names[inputs->param_count++] = a->name;
  }
}

static int place(const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return i;
  return -1;
}

static hy_type type_of(halide_type_t t) {
  switch (t.code) {
  case 0: return t.bits == 8 ? HY_I8 : t.bits == 16 ? HY_I16 : t.bits == 32 ? HY_I32 : HY_I64;
  case 1: return t.bits == 1 ? HY_BOOL : t.bits == 8 ? HY_U8 : t.bits == 16 ? HY_U16 : t.bits == 32 ? HY_U32 : HY_U64;
  default: return t.bits == 32 ? HY_F32 : HY_F64;
  }
}

hy_type filter_param_type(const filter *f, const char *name) {
  for (int i = 0; i < f->about->count; i++)
    if (strcmp(f->about->arguments[i].name, name) == 0) return type_of(f->about->arguments[i].type);
  fail(f, "has no parameter", name);
}

/* -- buffers -- */

size_t filter_size(const halide_buffer_t *buffer) { return ((size_t)buffer->type.bits + 7) / 8; }

static size_t describe(filter_array *a, const struct argument *about, const int64_t *min, const int64_t *len) {
  int64_t stride = 1;
  for (int d = 0; d < about->dimensions; d++) {
    a->dim[d] = (halide_dimension_t){(int32_t)min[d], (int32_t)len[d], (int32_t)stride, 0};
    stride *= len[d];
  }
  a->buffer = (halide_buffer_t){.type = about->type, .dimensions = about->dimensions, .dim = a->dim};
  return (size_t)stride * filter_size(&a->buffer);
}

void filter_make_outputs(filter *f, const int64_t *min, const int64_t *len) {
  for (int i = 0; i < f->about->count; i++) {
    if (f->about->arguments[i].kind != OUTPUT) continue;
    filter_array *output = &f->outputs[f->output_count];
    size_t bytes = describe(output, &f->about->arguments[i], min, len);
    output->buffer.host = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!output->buffer.host) fail(f, "no memory for", f->about->arguments[i].name);
    f->arguments[i] = &output->buffer;
    f->bytes[f->output_count++] = bytes;
  }
}

static void bind(filter *f, const filter_inputs *inputs, int64_t min[][4], int64_t len[][4]) {
  for (int i = 0; i < f->about->count; i++) {
    const struct argument *about = &f->about->arguments[i];
    if (about->kind == OUTPUT) continue;
    bool is_image = about->kind == INPUT;
    int at = is_image ? place(inputs->image_names, inputs->image_count, about->name)
                      : place(inputs->param_names, inputs->param_count, about->name);
    if (at < 0) fail(f, "takes what the algorithm does not:", about->name);
    f->arguments[i] = is_image ? (void *)&f->images[i].buffer : (void *)(uintptr_t)&inputs->params[at];
    if (!is_image) continue;
    const hy_buffer *image = inputs->images[at]; // NULL before the box is known
    describe(&f->images[i], about, image ? image->min : min[at], image ? image->len : len[at]);
    if (image) f->images[i].buffer.host = image->data;
  }
}

void filter_bind(filter *f, const filter_inputs *inputs) { bind(f, inputs, NULL, NULL); }

bool filter_run(filter *f) { return f->call(f->arguments) == 0; }

bool filter_query(filter *f, const filter_inputs *inputs, int64_t min[][4], int64_t len[][4]) {
  bind(f, inputs, min, len);
  if (!filter_run(f)) return false;
  for (int i = 0; i < f->about->count; i++) {
    if (f->about->arguments[i].kind != INPUT) continue;
    int at = place(inputs->image_names, inputs->image_count, f->about->arguments[i].name);
    for (int d = 0; d < f->about->arguments[i].dimensions; d++) {
      const halide_dimension_t *needed = &f->images[i].dim[d];
      int64_t end = min[at][d] + len[at][d], end_needed = (int64_t)needed->min + needed->extent;
      if (needed->extent <= 0) continue; // nothing is read
      if (needed->min < min[at][d]) min[at][d] = needed->min;
      len[at][d] = (end > end_needed ? end : end_needed) - min[at][d];
    }
  }
  return true;
}
