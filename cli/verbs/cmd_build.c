// halyard build: files for programs of others.

#include "cli/verbs/build_tools.h"
#include "cli/verbs/verbs.h"
#include "codegen/codegen.h"
#include "passes/passes.h"
#include "semantics/base/whole_file.h"
#include "semantics/value/value_parse.h"

#include <ctype.h>
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
  const char *name = b->s->options.target ? b->s->options.target : "host", *names[16];
  int count = 0;
  b->options.target = hy_target_find(name);
  while (hy_target_name(count)) names[count] = hy_target_name(count), count++;
  hy_text help = {0};
  const char *near = hy_nearest(name, names, (size_t)count);
  if (near) hy_text_printf(&help, "did you mean '%s'? ", near);
  hy_text_add(&help, "the targets are");
  for (int i = 0; i < count; i++) hy_text_printf(&help, "%s %s", i ? "," : "", names[i]);
  hy_status status = b->options.target ? HY_STATUS_FINE : refuse(b->s, hy_text_string(&help), "unknown target", name);
  hy_text_free(&help);
  bool is_own = b->options.target && strncmp(b->options.target->triple, hy_target_host()->triple,
                                             strcspn(hy_target_host()->triple, "-")) == 0;
  if (status == HY_STATUS_FINE && !is_own && (b->wanted[KIND_A] || b->wanted[KIND_SO]))
    return refuse(b->s,
                  "add --emit o,h, and link the object with the run-time library (codegen/runtime) compiled for it",
                  "the run-time library that goes into .a and .so is this machine's, not that of target", name);
  return status;
}

// Words of C and C++, macros of the headers that NAME.h includes, and what the run-time library calls: a function of
// such a name would take the place of libc's.
static bool is_taken(const char *name) {
  static const char words[] =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr "
      "continue"
      " decltype default delete do double else enum explicit export extern false float for friend goto if inline int "
      "long"
      " main mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register"
      " restrict return short signed sizeof static struct switch template this throw true try typedef typeid typename"
      " typeof union unsigned using virtual void volatile while xor xor_eq NULL linux unix"
      " calloc fprintf free fwrite getenv madvise malloc memcpy memmove memset posix_memalign sched_getaffinity "
      "snprintf"
      " stderr strtol sysconf vsnprintf ";
  size_t length = strlen(name);
  for (const char *at = strstr(words, name); at; at = strstr(at + 1, name))
    if (at[-1] == ' ' && at[length] == ' ') return true;
  return strncmp(name, "hy_", 3) == 0 || strncmp(name, "halyard_", 8) == 0 || strncmp(name, "pthread_", 8) == 0;
}

static bool is_c_name(const char *name) {
  bool reserved = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
  if (!*name || isdigit((unsigned char)*name) || reserved) return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return !is_taken(name);
}

static hy_status read_name(build *b) {
  const char *path = b->s->options.output, *last = strrchr(path, '/'), *given = b->s->options.name;
  const char *name = given ? given : last ? last + 1 : path;
  if (!is_c_name(name) || strlen(name) >= sizeof b->name)
    return refuse(b->s,
                  "give a name that C and C++ can use, not one of a library's (hy_, halyard_, malloc, ..), with --name",
                  "a function cannot be called", name);
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
  hy_text_printf(out, "#ifndef HALYARD_BUILT_%s\n#define HALYARD_BUILT_%s\n\n", b->name, b->name);
  hy_text_printf(out, "// Made by halyard %s for %s: '%s'%s%s. 0, or a code of halyard_runtime.h.\n", HALYARD_VERSION,
                 b->options.target->name, alg->name, b->s->program ? "" : ", schedule ",
                 b->s->program ? "" : hy_session_name(b->s, 0));
  if (b->proved)
    hy_text_printf(out,
                   "// Proved for all inputs: every access is in bounds, every point is computed (%zu obligations).\n",
                   b->pipeline.report.count);
  else
    hy_text_printf(out, "// NOT PROVED: %zu of %zu obligations could not be decided for all inputs (--unproved).\n",
                   b->pipeline.report.unknown, b->pipeline.report.count);
  hy_text_add(out, "\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                   "struct halide_buffer_t;\nstruct halide_filter_metadata_t;\n\n");
  hy_ahead_prototype(alg, b->name, out);
  hy_text_printf(out, ";\nint %s_argv(void **args);\nconst struct halide_filter_metadata_t *%s_metadata(void);\n",
                 b->name, b->name);
  hy_text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
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

// What stays open is no error where it may: the header says it.
static void repeat(hy_session *s, const hy_diagnostics *said, bool is_warning) {
  for (size_t i = 0; i < hy_diagnostics_count(said); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(said, i);
    if (d->severity == HY_SEVERITY_NOTE)
      hy_note(s->diagnostics, d->code, d->loc, "%s", d->message);
    else
      (is_warning || d->severity == HY_SEVERITY_WARNING ? hy_warn : hy_report)(s->diagnostics, d->code, d->loc, d->rule,
                                                                               d->help, "%s", d->message);
  }
}

static hy_status check(build *b) {
  hy_session *s = b->s;
  hy_diagnostics *own = s->diagnostics, *said = hy_diagnostics_new();
  hy_session_pipeline(s, 0, &b->pipeline);
  hy_reporter_progress(s->reporter, "checking %s", hy_session_name(s, 0));
  s->diagnostics = said;
  hy_status status = hy_session_check(s, &b->pipeline, false);
  s->diagnostics = own;
  b->proved = status == HY_STATUS_FINE;
  bool goes_on = status == HY_STATUS_UNDECIDED && s->options.unproved && b->pipeline.query;
  repeat(s, said, goes_on);
  hy_diagnostics_free(said);
  return goes_on ? HY_STATUS_FINE : status;
}

static hy_status build_all(build *b) {
  hy_session *s = b->s;
  hy_status status = check(b);
  if (status != HY_STATUS_FINE) return status;
  b->pipeline.passed = hy_passes(s->context, b->pipeline.filled, NULL, NULL);
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
