// Pipelines as text: what is parsed, and the schedule that goes with it.

#include "library/build.h"
#include "library/judge.h"
#include "semantics/base/source_files.h"

#include <string.h>

bool hy_library_is_name(const char *text) {
  static const char letters[] = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"; // in any locale
  return text && *text && !strchr("0123456789", *text) && !text[strspn(text, letters)];
}

/* -- parsing -- */

typedef struct {
  halyard_pipeline *pipeline;
  const char *text;
  const char *path; // of the file that holds it
  bool is_file, is_program;
  object *scratch;         // what is only needed to look
  const char *kept, *name; // the scratch's
  const char *unread;      // why the file cannot be read; the scratch's; NULL: it can
  bool refused;
  diagnostics said;
} parse;

static const hy_source *text_source(const parse *p) {
  hy_source *source = hy_allocate(sizeof *source);
  *source = (hy_source){p->is_program ? "program" : "algorithm", hy_copy_string(p->text), strlen(p->text)};
  return source;
}

// NULL: it cannot be read, which says nothing of a program.
static const hy_source *file_source(parse *p, hy_source_files *files) {
  const hy_source nobody = {"", "", 0};
  const hy_source *source = hy_source_files_find(files, &nobody, p->path, &p->unread);
  if (source) p->unread = NULL;
  return source;
}

static const hy_alg *meaning(const parse *p, hy_context *context, const hy_source *source, hy_diagnostics *said) {
  if (!p->is_program) return hy_parse_alg(context, source, said);
  const hy_tgt *program = hy_parse_tgt(context, source, said);
  return program ? program->alg : NULL;
}

// What includes others is kept as it is with them: these may have changed when it is looked at again.
static const char *text_to_keep(const hy_source *source, const hy_source_files *files, const hy_alg *alg) {
  if (hy_source_files_count(files) <= 1) return source->text;
  hy_text text = {0};
  hy_alg_print(alg, &text);
  return hy_text_string(&text);
}

static void look(void *self) {
  parse *p = self;
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source_files *files = hy_source_files_new();
  if (p->is_file) hy_context_use_sources(context, hy_source_files_find, files);
  const hy_source *source = p->is_file ? file_source(p, files) : text_source(p);
  const hy_alg *alg = source ? meaning(p, context, source, said) : NULL;
  p->refused = !alg;
  if (p->refused) {
    hy_diagnostics_tell(said, &p->said);
    return;
  }
  p->kept = text_to_keep(source, files, alg);
  p->name = alg->name;
}

static void keep(void *self) {
  parse *p = self;
  p->pipeline->text = hy_copy_string(p->kept);
  p->pipeline->is_program = p->is_program;
  p->pipeline->name = hy_copy_string(p->name);
}

// The diagnostics lie in the scratch, so the record of them does, too.
static bool refuse(parse *p, const char *call) {
  diagnostics *said = p->said.items ? (diagnostics *)(void *)(p->scratch + 1) : NULL;
  if (said) *said = p->said;
  return hy_library_refuse(p->scratch, call,
                           p->is_program ? "the target program is refused" : "the algorithm is refused", said);
}

static bool parse_into(parse *p, halyard_context *context, const char *call) {
  p->scratch = hy_object_new(context, call, OBJECT_SCRATCH, sizeof(object) + sizeof(diagnostics));
  if (!p->scratch) return false;
  bool fine = hy_library_run(p->scratch, call, look, p);
  if (fine && p->unread) {
    hy_library_fail(context, HALYARD_NO_FILE, call, "cannot read '%.400s': %s", p->path, p->unread);
    hy_object_free(p->scratch);
    return false;
  }
  if (fine && p->refused) return refuse(p, call);
  fine = fine && hy_library_run(&p->pipeline->head, call, keep, p);
  hy_object_free(p->scratch);
  return fine;
}

static halyard_pipeline *parse_new(halyard_context *context, parse p, const char *call) {
  if (!hy_library_enter(context, call)) return NULL;
  halyard_pipeline *made = NULL;
  if (!p.text && !p.path)
    hy_library_missing(context, call, p.is_program ? "the program" : p.is_file ? "the path" : "the algorithm");
  else
    made = (halyard_pipeline *)hy_object_new(context, call, OBJECT_PIPELINE, sizeof *made);
  p.pipeline = made;
  if (made && !parse_into(&p, context, call)) {
    hy_object_free(&made->head);
    made = NULL;
  }
  hy_library_leave(context);
  return made;
}

halyard_pipeline *halyard_parse(halyard_context *context, const char *algorithm) {
  return parse_new(context, (parse){.text = algorithm}, "halyard_parse");
}

halyard_pipeline *halyard_parse_program(halyard_context *context, const char *program) {
  return parse_new(context, (parse){.text = program, .is_program = true}, "halyard_parse_program");
}

halyard_pipeline *halyard_parse_file(halyard_context *context, const char *path) {
  size_t length = path ? strlen(path) : 0;
  bool is_program = length > 4 && strcmp(path + length - 4, ".tgt") == 0;
  return parse_new(context, (parse){.path = path, .is_file = true, .is_program = is_program}, "halyard_parse_file");
}

void halyard_pipeline_free(halyard_pipeline *pipeline) {
  if (!pipeline) return;
  halyard_context *context = pipeline->head.context;
  if (!hy_library_enter(context, "halyard_pipeline_free")) return;
  hy_object_free(&pipeline->head);
  hy_library_leave(context);
}

/* -- schedules -- */

typedef struct {
  halyard_pipeline *pipeline;
  const char *text, *name;
} scheduling;

static bool takes_schedules(halyard_pipeline *pipeline, const char *call) {
  if (!pipeline->is_program) return true;
  return hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "a target program has no schedule");
}

static void add_directives(void *self) {
  const scheduling *s = self;
  hy_text_printf(&s->pipeline->directives, "  %s\n", s->text);
  s->pipeline->chained = NULL;
}

bool halyard_schedule(halyard_pipeline *pipeline, const char *directives) {
  static const char call[] = "halyard_schedule";
  if (!pipeline) return hy_library_missing(NULL, call, "the pipeline");
  halyard_context *context = pipeline->head.context;
  if (!hy_library_enter(context, call)) return false;
  scheduling s = {pipeline, directives, NULL};
  bool fine = directives ? takes_schedules(pipeline, call) : hy_library_missing(context, call, "the text");
  if (fine && pipeline->schedule)
    fine = hy_library_fail(context, HALYARD_MISUSE, call,
                           "the schedule is one of a file: add to its text, or call halyard_unschedule first");
  fine = fine && hy_text_is_fine(context, TEXT_DIRECTIVES, directives, "the text", call) &&
         hy_library_run(&pipeline->head, call, add_directives, &s);
  hy_library_leave(context);
  return fine;
}

static void forget_schedule(halyard_pipeline *pipeline) {
  pipeline->directives.length = 0;
  pipeline->chained = NULL;
  if (pipeline->directives.data) pipeline->directives.data[0] = 0;
  hy_free((char *)pipeline->schedule);
  hy_free((char *)pipeline->schedule_name);
  pipeline->schedule = pipeline->schedule_name = NULL;
}

static void take_schedule(void *self) {
  const scheduling *s = self;
  forget_schedule(s->pipeline);
  if (!s->text) return;
  s->pipeline->schedule = hy_copy_string(s->text);
  if (s->name) s->pipeline->schedule_name = hy_copy_string(s->name);
}

static bool set_schedule(halyard_pipeline *pipeline, const char *text, const char *name, bool wanted,
                         const char *call) {
  if (!pipeline) return hy_library_missing(NULL, call, "the pipeline");
  halyard_context *context = pipeline->head.context;
  if (!hy_library_enter(context, call)) return false;
  scheduling s = {pipeline, text, name};
  bool fine = text || !wanted ? takes_schedules(pipeline, call) : hy_library_missing(context, call, "the text");
  judged judged = {0};
  fine =
      fine && (!text || hy_judge_text(context, TEXT_SCHEDULES, text, "the text", name, pipeline->name, &judged, call));
  if (fine) hy_object_free(judged.scratch);
  fine = fine && hy_library_run(&pipeline->head, call, take_schedule, &s);
  hy_library_leave(context);
  return fine;
}

bool halyard_schedule_file(halyard_pipeline *pipeline, const char *schedules, const char *name) {
  return set_schedule(pipeline, schedules, name, true, "halyard_schedule_file");
}

bool halyard_unschedule(halyard_pipeline *pipeline) {
  return set_schedule(pipeline, NULL, NULL, false, "halyard_unschedule");
}

/* -- printing -- */

void hy_pipeline_write_schedule(const halyard_pipeline *pipeline, hy_text *out) {
  if (pipeline->schedule) {
    hy_text_add(out, pipeline->schedule);
    return;
  }
  hy_text_printf(out, "schedule s for %s {\n%s}\n", pipeline->name, hy_text_string(&pipeline->directives));
}

typedef struct {
  const halyard_expr *expr; // NULL: the pipeline, as "write" has it
  halyard_pipeline *pipeline;
  void (*write)(const halyard_pipeline *pipeline, hy_text *out);
  hy_text text;
} printing;

static void print(void *self) {
  printing *p = self;
  if (p->expr)
    hy_print_built(p->expr, &p->text);
  else
    p->write(p->pipeline, &p->text);
}

// What is printed is written in a scratch, so that an object is not spent where only its text found no memory.
static const char *print_in_scratch(printing *p, const char *call) {
  halyard_pipeline *pipeline = p->pipeline;
  halyard_context *context = pipeline->head.context;
  if (!hy_library_enter(context, call)) return NULL;
  const char *text = NULL;
  object *scratch = hy_object_new(context, call, OBJECT_SCRATCH, sizeof(object));
  if (pipeline->head.spent)
    hy_library_run(&pipeline->head, call, NULL, NULL);
  else if (scratch && hy_library_run(scratch, call, print, p))
    text = hy_text_object(context, call, hy_text_string(&p->text), p->text.length);
  hy_object_free(scratch);
  hy_library_leave(context);
  return text;
}

static const char *print_pipeline(halyard_pipeline *pipeline, const char *call,
                                  void (*write)(const halyard_pipeline *pipeline, hy_text *out)) {
  printing p = {.pipeline = pipeline, .write = write};
  if (pipeline) return print_in_scratch(&p, call);
  hy_library_missing(NULL, call, "the pipeline");
  return NULL;
}

const char *halyard_print_expr(const halyard_expr *expr) {
  static const char call[] = "halyard_print_expr";
  printing p = {.expr = expr, .pipeline = expr ? expr->pipeline : NULL};
  if (expr) return print_in_scratch(&p, call);
  hy_library_missing(NULL, call, "an expression");
  return NULL;
}

const char *halyard_print_algorithm(halyard_pipeline *pipeline) {
  return print_pipeline(pipeline, "halyard_print_algorithm", hy_pipeline_write_algorithm);
}

const char *halyard_print_schedule(halyard_pipeline *pipeline) {
  return print_pipeline(pipeline, "halyard_print_schedule", hy_pipeline_write_schedule);
}
