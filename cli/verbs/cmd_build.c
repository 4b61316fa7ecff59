// halyard build: files for programs of others.

#include "cli/verbs/build.h"
#include "cli/verbs/verbs.h"
#include "codegen/codegen.h"
#include "gate/interface/interface.h"
#include "gate/ship/tools.h"
#include "halyard/passed.h"
#include "semantics/base/whole_file.h"
#include "semantics/value/value_parse.h"

#include <errno.h>
#include <string.h>

static const hy_loc nowhere = {0};

typedef enum { KIND_O, KIND_A, KIND_SO, KIND_H, KIND_LL, KIND_S, KIND_COUNT } kind;
static const char *const suffixes[] = {"o", "a", "so", "h", "ll", "s"};
_Static_assert(HY_COUNT(suffixes) == KIND_COUNT, "a suffix for each");

typedef struct build {
  hy_session *s;
  hy_pipeline pipeline;
  hy_codegen_options options;
  bool wanted[KIND_COUNT];
  char name[200];
  bool proved;
  hy_text object;
} build;

/* -- what is asked for -- */

static hy_status refuse(hy_session *s, const char *help, const char *what, const char *word) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s '%s'", what, word);
  return HY_STATUS_USAGE;
}

static hy_status read_kinds(build *b) {
  const char *text = b->s->options.emit ? b->s->options.emit : "a,h";
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    int k = 0;
    while (k < KIND_COUNT && (strlen(suffixes[k]) != length || strncmp(suffixes[k], at, length) != 0)) k++;
    if (k == KIND_COUNT)
      return refuse(b->s, "--emit takes some of o,a,so,h,ll,s", "there is no kind of file in --emit", text);
    b->wanted[k] = true;
    at += length;
    if (!*at) return HY_STATUS_FINE;
  }
}

static hy_status read_target(build *b) {
  const char *name = b->s->options.target ? b->s->options.target : "host";
  b->options.target = hy_build_target(b->s, name);
  if (!b->options.target) return HY_STATUS_USAGE;
  bool is_own =
      strncmp(b->options.target->triple, hy_target_host()->triple, strcspn(hy_target_host()->triple, "-")) == 0;
  if (!is_own && (b->wanted[KIND_A] || b->wanted[KIND_SO]))
    return refuse(b->s,
                  "add --emit o,h, and link the object with the run-time library (codegen/runtime) compiled for it",
                  "the run-time library that goes into .a and .so is this machine's, not that of target", name);
  return HY_STATUS_FINE;
}

static hy_status read_name(build *b) {
  const char *path = b->s->options.output, *last = strrchr(path, '/'), *given = b->s->options.name;
  const char *name = given ? given : last ? last + 1 : path;
  if (!hy_interface_name_is_free(name) || strlen(name) >= sizeof b->name)
    return refuse(b->s, HY_BUILD_NAME_HELP, "a function cannot be called", name);
  strcpy(b->name, name);
  b->options.ahead = b->name;
  return HY_STATUS_FINE;
}

static hy_status read_wishes(build *b) {
  if (!b->s->options.output) {
    hy_report(b->s->diagnostics, HY_E_USAGE, nowhere, NULL, "add -o NAME; the files are NAME.a, NAME.h, ...",
              "'build' writes files, and -o does not say where");
    return HY_STATUS_USAGE;
  }
  hy_status status = read_kinds(b);
  if (status == HY_STATUS_FINE) status = read_target(b);
  return status == HY_STATUS_FINE ? read_name(b) : status;
}

/* -- files -- */

static void add_header(const build *b, hy_text *out) {
  const hy_alg *alg = b->s->alg;
  hy_text about = {0};
  hy_text_printf(&about, "// Made by halyard %s for %s: '%s'%s%s. 0, or a code of halyard_runtime.h.\n",
                 HALYARD_VERSION, b->options.target->name, alg->name, b->s->program ? "" : ", schedule ",
                 b->s->program ? "" : hy_session_name(b->s, 0));
  if (b->proved)
    hy_text_printf(&about,
                   "// Proved for all inputs: every access is in bounds, every point is computed (%zu obligations).\n",
                   b->pipeline.report.count);
  else
    hy_text_printf(&about, "// NOT PROVED: %zu of %zu obligations could not be decided for all inputs (--unproved).\n",
                   b->pipeline.report.unknown, b->pipeline.report.count);
  hy_header_print(alg, b->name, hy_text_string(&about), out);
  hy_text_free(&about);
}

// False with *why.
static bool make(build *b, kind k, hy_text *out, const char **why) {
  hy_context *context = b->s->context;
  const hy_tgt *passed = b->pipeline.passed;
  switch (k) {
  case KIND_H: add_header(b, out); return true;
  case KIND_LL: hy_native_print_llvm(context, passed, &b->options, true, out); return true;
  case KIND_S: hy_native_print_asm(context, passed, &b->options, out); return true;
  case KIND_O:
  case KIND_A:
  case KIND_SO: break;
  case KIND_COUNT: HY_UNREACHABLE();
  }
  if (!b->object.length) hy_native_object(context, passed, &b->options, &b->object);
  if (k == KIND_A) return hy_tools_archive(&b->object, b->name, out, why);
  if (k == KIND_SO) return hy_tools_link(&b->object, out, why);
  hy_text_add_bytes(out, b->object.data, b->object.length);
  return true;
}

static hy_status write_one(build *b, kind k) {
  hy_session *s = b->s;
  const char *why = NULL,
             *path = hy_arena_printf(hy_context_arena(s->context), "%s.%s", s->options.output, suffixes[k]);
  hy_text bytes = {0};
  if (k != KIND_H) hy_reporter_progress(s->reporter, "compiling %s", hy_session_name(s, 0));
  bool good = make(b, k, &bytes, &why);
  if (good && !hy_whole_file_write(path, bytes.data, bytes.length)) good = false, why = strerror(errno);
  if (!good) hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, why);
  if (good) {
    hy_record *row = hy_record_append(hy_reporter_record(s->reporter), "files");
    hy_record_text(row, "file", path);
    hy_record_int(row, "bytes", (int64_t)bytes.length);
    hy_reporter_print(s->reporter, "%s: %zu bytes\n", path, bytes.length);
  }
  hy_text_free(&bytes);
  return good ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

static hy_status build_all(build *b) {
  hy_session *s = b->s;
  hy_status status = hy_build_check(b->s, &b->pipeline, &b->proved);
  if (status != HY_STATUS_FINE) return status;
  b->pipeline.passed = hy_passed_believed(&b->pipeline);
  for (int k = 0; k < KIND_COUNT && status == HY_STATUS_FINE; k++)
    if (b->wanted[k]) status = write_one(b, (kind)k);
  hy_record_bool(hy_reporter_record(s->reporter), "proved", b->proved);
  hy_record_text(hy_reporter_record(s->reporter), "target", b->options.target->name);
  return status;
}

hy_status hy_command_build(hy_session *s) {
  build b = {.s = s, .options = {.optimize = 3}};
  hy_status status = read_wishes(&b);
  if (status == HY_STATUS_FINE) status = hy_session_load(s, false);
  if (status == HY_STATUS_FINE) status = build_all(&b);
  hy_text_free(&b.object);
  return status;
}
