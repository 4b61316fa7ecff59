#ifndef HY_LIBRARY_INTERNAL_H
#define HY_LIBRARY_INTERNAL_H

/* What the files of library/ share: objects, and what every public function does first and last.
 *
 * An object has a lifetime (semantics/base/failure.h) that holds all that was allocated for it, by any call. A call
 * that fails leaves the object half changed, so it is spent: it can be freed, which walks none of its structures.
 */

#include "halyard/pipeline.h"
#include "include/halyard.h"
#include "semantics/alg/expand/expand.h"
#include "semantics/base/failure.h"
#include "semantics/base/intern.h"
#include "semantics/base/vec.h"

#include <fenv.h>
#include <locale.h>
#include <stdatomic.h>

typedef enum { OBJECT_PIPELINE, OBJECT_RESULT, OBJECT_CODE, OBJECT_TEXT, OBJECT_SCRATCH } object_kind;

typedef struct object {
  object_kind kind;
  halyard_context *context;
  struct object *newer, *older; // of its context
  uint64_t number;              // of its making, from 1
  hy_lifetime *lifetime;
  bool spent, dropped;                // dropped: freed by its owner, but still used
  int users;                          // objects that need it
  struct object *uses;                // one that it needs
  void (*close)(struct object *self); // what its end does beside freeing; NULL: nothing
} object;

typedef struct diagnostics {
  halyard_diagnostic *items;
  size_t count;
} diagnostics;

struct halyard_error {
  halyard_problem problem;
  const char *call;
  char message[700];
  const diagnostics *said; // NULL: nothing
};

struct halyard_context {
  atomic_flag busy;
  fenv_t floats;   // of the thread that is in a call, as they were before it
  locale_t locale; // likewise
  halyard_options options;
  object *newest;
  uint64_t made;
  bool has_error;
  halyard_error error;
  object *refused; // what the error's diagnostics belong to
};

/* -- calls -- */

// False after saying why: there is no context, or another thread is in it. Else hy_library_leave has to follow. Until
// then the thread has the locale "C", in which 0.5 is read as a half, and rounds to nearest with subnormals and without
// traps, as the language's floats are.
bool hy_library_enter(halyard_context *context, const char *call);
void hy_library_leave(halyard_context *context);
// Runs "body", which may allocate, on the object's behalf. False: it failed, which is said, and the object is spent.
bool hy_library_run(object *object, const char *call, hy_protected *body, void *self);

/* -- errors: each returns false -- */

bool hy_library_fail(halyard_context *context, halyard_problem problem, const char *call, const char *format, ...)
    HY_PRINTF(4, 5);
// An argument is NULL: an earlier error stays, for it is the cause.
bool hy_library_missing(halyard_context *context, const char *call, const char *what);
bool hy_library_missing_list(halyard_context *context, const char *call, const char *what); // "the arguments"

/* -- objects -- */

// NULL after saying so: no memory. Its lifetime is there, and empty.
object *hy_object_new(halyard_context *context, const char *call, object_kind kind, size_t size);
void hy_object_free(object *object);
void hy_object_use(object *user, object *used);
// The diagnostics, copied into arrays that the callers read. Within hy_library_run.
void hy_diagnostics_tell(const hy_diagnostics *list, diagnostics *out);
// The error is that the program was refused; the object, which holds the diagnostics, becomes the error's.
bool hy_library_refuse(object *holder, const char *call, const char *message, const diagnostics *said);
// A text of the context; NULL after saying that there is no memory.
const char *hy_text_object(halyard_context *context, const char *call, const char *bytes, size_t length);

/* -- pipelines -- */

typedef struct written_func written_func;

struct halyard_pipeline {
  object head;
  const char *name;
  bool is_program;      // "text" is a target program
  const char *text;     // as given; NULL: it is built
  const char *schedule; // a whole file; NULL: the directives
  const char *schedule_name;
  hy_text directives;
  const halyard_func *chained;          // whose chain the directives end with; NULL: nobody's
  hy_float_contract floats;             // built
  hy_text parameters;                   // built: "in: u16[2], w: int"
  hy_intern *declared, *variables;      // built: names (build.h)
  HY_VEC(halyard_func *) funcs;         // built: images, and funcs in order
  HY_VEC(const halyard_func *) outputs; // built: as listed; none: the last func
  HY_VEC(const halyard_expr *) requirements;
  hy_arena *arena; // built: expressions and the like
};

// The algorithm's and the schedule's text. Within hy_library_run.
void hy_pipeline_write_algorithm(const halyard_pipeline *pipeline, hy_text *out);
void hy_pipeline_write_schedule(const halyard_pipeline *pipeline, hy_text *out);
bool hy_library_is_name(const char *text);                                 // letters, digits and "_", no digit first
bool hy_library_print_number(const halyard_operand *number, hy_text *out); // false: it has no value in the language

/* -- results -- */

struct halyard_result {
  object head;
  hy_context *meaning;
  hy_diagnostics *said;
  hy_source algorithm, scheduling;
  hy_pipeline pipeline;
  halyard_answer answer;
  diagnostics told;
  halyard_obligation *obligations;
  size_t obligation_count;
  halyard_declaration *declarations;
  size_t declaration_count;
};

// False after saying so: code is wanted of what is not proved.
bool hy_result_is_proved(halyard_result *result, const char *call);
hy_type hy_type_of_halyard(halyard_type type);

#endif
