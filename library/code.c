// From results to machine code: loaded, or as files for other programs.

#include "library/library_internal.h"

#include "gate/interface/interface.h"
#include "halyard/passed.h"
#include "library/code.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* -- loaded -- */

typedef struct {
  halyard_result *result;
  hy_native *native;
} compiling;

static void compile(void *self) {
  compiling *c = self;
  hy_codegen_options options = hy_codegen_default();
  c->native = hy_pipeline_compile(&c->result->pipeline, &options);
}

static void unload(void *native) { hy_native_free(native); }

// The code lies in the result's lifetime; of a spent one it goes with it.
static void close_code(object *self) {
  halyard_code *code = (halyard_code *)self;
  hy_failure unheard;
  if (code->native && !code->result->head.spent)
    hy_protect(code->result->head.lifetime, &unheard, unload, code->native);
}

halyard_code *halyard_compile(halyard_result *result) {
  static const char call[] = "halyard_compile";
  if (!result) {
    hy_library_missing(NULL, call, "the result");
    return NULL;
  }
  halyard_context *context = result->head.context;
  if (!hy_library_enter(context, call)) return NULL;
  compiling c = {.result = result};
  halyard_code *code = NULL;
  if (hy_result_is_proved(result, call)) code = (halyard_code *)hy_object_new(context, call, OBJECT_CODE, sizeof *code);
  if (code && !hy_library_run(&result->head, call, compile, &c)) {
    hy_object_free(&code->head);
    code = NULL;
  }
  if (code) {
    code->result = result;
    code->native = c.native;
    hy_object_use(&code->head, &result->head);
    code->head.close = close_code;
  }
  hy_library_leave(context);
  return code;
}

void halyard_code_free(halyard_code *code) {
  if (!code) return;
  halyard_context *context = code->head.context;
  if (!hy_library_enter(context, "halyard_code_free")) return;
  hy_object_free(&code->head);
  hy_library_leave(context);
}

/* -- as bytes -- */

typedef struct {
  halyard_result *result;
  const char *name;
  bool is_header;
  hy_text text;
} making;

static void add_header(making *m) {
  hy_text about = {0};
  hy_text_printf(&about,
                 "// Made by halyard %s: '%s'. 0, or a code of halyard_runtime.h.\n"
                 "// Proved for all inputs: every access is in bounds, every point is computed (%zu obligations).\n",
                 HALYARD_VERSION, m->result->pipeline.alg->name, m->result->obligation_count);
  hy_header_print(m->result->pipeline.alg, m->name, hy_text_string(&about), &m->text);
  hy_text_free(&about);
}

static void make(void *self) {
  making *m = self;
  hy_context *context = m->result->meaning;
  if (m->is_header) {
    add_header(m);
    return;
  }
  hy_codegen_options options = {.optimize = 3, .ahead = m->name};
  const hy_tgt *passed = hy_passed_believed(&m->result->pipeline);
  hy_native_object(context, passed, &options, &m->text);
}

static void free_made(void *self) { hy_text_free(&((making *)self)->text); }

// requires: the context is entered. A text of the context, or NULL.
static const char *make_bytes(halyard_result *result, const char *name, bool is_header, size_t *size,
                              const char *call) {
  halyard_context *context = result->head.context;
  making m = {.result = result, .name = name, .is_header = is_header};
  if (!name) {
    hy_library_missing(context, call, "the name");
    return NULL;
  }
  if (!hy_interface_name_is_free(name) || strlen(name) >= 200) {
    hy_library_fail(context, HALYARD_MISUSE, call, "a function cannot be called '%.100s'", name);
    return NULL;
  }
  if (!hy_result_is_proved(result, call) || !hy_library_run(&result->head, call, make, &m)) return NULL;
  const char *bytes = hy_text_object(context, call, m.text.data, m.text.length);
  *size = m.text.length;
  hy_library_run(&result->head, call, free_made, &m);
  return bytes;
}

const void *halyard_object(halyard_result *result, const char *name, size_t *size) {
  static const char call[] = "halyard_object";
  if (!result || !size) {
    hy_library_missing(result ? result->head.context : NULL, call, result ? "the size" : "the result");
    return NULL;
  }
  if (!hy_library_enter(result->head.context, call)) return NULL;
  const void *bytes = make_bytes(result, name, false, size, call);
  hy_library_leave(result->head.context);
  return bytes;
}

const char *halyard_header(halyard_result *result, const char *name) {
  static const char call[] = "halyard_header";
  size_t size;
  if (!result) {
    hy_library_missing(NULL, call, "the result");
    return NULL;
  }
  if (!hy_library_enter(result->head.context, call)) return NULL;
  const char *text = make_bytes(result, name, true, &size, call);
  hy_library_leave(result->head.context);
  return text;
}

/* -- as files -- */

typedef struct {
  const char *path, *suffix, *bytes;
  size_t size;
  int why; // 0: it is written
  char target[320];
} writing;

static void write_it(void *self) {
  writing *w = self;
  hy_text target = {0};
  hy_text_printf(&target, "%s.%s", w->path, w->suffix);
  w->why = hy_whole_file_write(hy_text_string(&target), w->bytes, w->size) ? 0 : errno;
  snprintf(w->target, sizeof w->target, "%s", hy_text_string(&target));
  hy_text_free(&target);
}

static bool write_file(halyard_context *context, const char *path, const char *suffix, const char *bytes, size_t size,
                       const char *call) {
  writing w = {.path = path, .suffix = suffix, .bytes = bytes, .size = size};
  object *scratch = hy_object_new(context, call, OBJECT_SCRATCH, sizeof *scratch);
  bool ran = scratch && hy_library_run(scratch, call, write_it, &w);
  hy_object_free(scratch);
  if (!ran || !w.why) return ran;
  return hy_library_fail(context, HALYARD_NO_FILE, call, "cannot write '%s': %s", w.target, strerror(w.why));
}

bool halyard_write(halyard_result *result, const char *name, const char *path) {
  static const char call[] = "halyard_write";
  if (!result) return hy_library_missing(NULL, call, "the result");
  halyard_context *context = result->head.context;
  if (!hy_library_enter(context, call)) return false;
  size_t size = 0, header_size = 0;
  const char *object = NULL, *header = NULL;
  if (!path) hy_library_missing(context, call, "the path");
  if (path) object = make_bytes(result, name, false, &size, call);
  if (object) header = make_bytes(result, name, true, &header_size, call);
  bool fine = header && write_file(context, path, "o", object, size, call) &&
              write_file(context, path, "h", header, header_size, call);
  hy_library_leave(context);
  return fine;
}
