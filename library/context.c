// Contexts, errors, objects and their lifetimes.

#include "library/library_internal.h"

#include "codegen/runtime/runtime.h"
#include "oracle/z3/z3_check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_STACK = 2 << 20 }; // what nests as deep as the language has it (HY0106) takes a megabyte and a half

// Of calls that have no context of their own to tell it.
static _Thread_local halyard_error homeless;
static _Thread_local bool has_homeless;

const char *halyard_version(void) { return HALYARD_VERSION; }

/* -- errors -- */

static void set_error(halyard_error *error, halyard_problem problem, const char *call, const char *format,
                      va_list args) {
  error->problem = problem;
  error->call = call;
  error->said = NULL;
  vsnprintf(error->message, sizeof error->message, format, args);
}

bool hy_library_fail(halyard_context *context, halyard_problem problem, const char *call, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set_error(context ? &context->error : &homeless, problem, call, format, args);
  va_end(args);
  *(context ? &context->has_error : &has_homeless) = true;
  return false;
}

bool hy_library_missing(halyard_context *context, const char *call, const char *what) {
  if (context && context->has_error) return false;
  return hy_library_fail(context, HALYARD_MISUSE, call, "%s is NULL", what);
}

bool hy_library_missing_list(halyard_context *context, const char *call, const char *what) {
  if (context && context->has_error) return false;
  return hy_library_fail(context, HALYARD_MISUSE, call, "%s are NULL, and not none", what);
}

const halyard_error *halyard_last_error(const halyard_context *context) {
  if (!context) return has_homeless ? &homeless : NULL;
  return context->has_error ? &context->error : NULL;
}

void halyard_clear_error(halyard_context *context) {
  if (!context) {
    has_homeless = false;
    return;
  }
  if (!hy_library_enter(context, "halyard_clear_error")) return;
  context->has_error = false;
  hy_object_free(context->refused);
  context->refused = NULL;
  hy_library_leave(context);
}

halyard_problem halyard_error_problem(const halyard_error *error) { return error ? error->problem : HALYARD_MISUSE; }
const char *halyard_error_call(const halyard_error *error) { return error ? error->call : ""; }
const char *halyard_error_message(const halyard_error *error) { return error ? error->message : ""; }

const halyard_diagnostic *halyard_error_diagnostic(const halyard_error *error, size_t position) {
  return error && error->said && position < error->said->count ? &error->said->items[position] : NULL;
}

/* -- calls -- */

static locale_t plain_locale; // "C"; never freed

bool hy_library_enter(halyard_context *context, const char *call) {
  if (!context) return hy_library_fail(NULL, HALYARD_MISUSE, call, "the context is NULL");
  if (atomic_flag_test_and_set(&context->busy))
    return hy_library_fail(NULL, HALYARD_MISUSE, call, "another thread is in a call with the same context");
  context->locale = uselocale(plain_locale);
  fegetenv(&context->floats);
  fesetenv(FE_DFL_ENV);
  return true;
}

static void restore_thread(const halyard_context *context) {
  fesetenv(&context->floats);
  uselocale(context->locale);
}

void hy_library_leave(halyard_context *context) {
  restore_thread(context);
  atomic_flag_clear(&context->busy);
}

// Of this thread, as far as that is known: a coroutine's stack is its own affair.
static size_t stack_left(void) {
  static _Thread_local uintptr_t low, high = 0; // 0: not asked
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  pthread_attr_t attributes;
  void *base;
  size_t size;
  if (!high && pthread_getattr_np(pthread_self(), &attributes) == 0) {
    if (pthread_attr_getstack(&attributes, &base, &size) == 0) low = (uintptr_t)base, high = low + size;
    pthread_attr_destroy(&attributes);
  }
  return here >= low && here < high ? here - low : SIZE_MAX;
}

bool hy_library_run(object *object, const char *call, hy_protected *body, void *self) {
  if (object->spent && object->context->has_error) return false; // that is the cause
  if (object->spent)
    return hy_library_fail(object->context, HALYARD_MISUSE, call,
                           "an earlier call failed while it changed the object: it can only be freed");
  size_t stack = stack_left();
  if (stack < LEAST_STACK)
    return hy_library_fail(object->context, HALYARD_MISUSE, call,
                           "the thread has %zu KB of stack left, and programs as deep as the language has them take %d",
                           stack >> 10, LEAST_STACK >> 10);
  hy_failure failure;
  if (hy_protect(object->lifetime, &failure, body, self)) return true;
  object->spent = true;
  if (failure.kind == HY_FAILURE_MEMORY)
    return hy_library_fail(object->context, HALYARD_NO_MEMORY, call, "out of memory: %s", failure.message);
  return hy_library_fail(object->context, HALYARD_DEFECT, call, "a defect of Halyard, not of your program: %s:%d: %s",
                         failure.file, failure.line, failure.message);
}

/* -- objects -- */

static void *out_of_memory(halyard_context *context, const char *call) {
  hy_library_fail(context, HALYARD_NO_MEMORY, call, "out of memory");
  return NULL;
}

object *hy_object_new(halyard_context *context, const char *call, object_kind kind, size_t size) {
  object *made = calloc(1, size);
  hy_lifetime *lifetime = made ? hy_lifetime_new() : NULL;
  if (!lifetime) {
    free(made);
    return out_of_memory(context, call);
  }
  *made = (object){kind, context, NULL, context->newest, ++context->made, lifetime, false, false, 0, NULL, NULL};
  if (context->newest) context->newest->newer = made;
  context->newest = made;
  return made;
}

static void unlink_object(object *o) {
  if (o->newer) o->newer->older = o->older;
  if (o->older) o->older->newer = o->newer;
  if (o->context->newest == o) o->context->newest = o->older;
}

void hy_object_free(object *o) {
  if (!o) return;
  if (o->users) {
    o->dropped = true;
    return;
  }
  if (o->context->refused == o) {
    o->context->refused = NULL;
    o->context->has_error = false;
  }
  object *used = o->uses;
  if (o->close) o->close(o);
  unlink_object(o);
  hy_lifetime_free(o->lifetime);
  free(o);
  if (used && --used->users == 0 && used->dropped) hy_object_free(used);
}

void hy_object_use(object *user, object *used) {
  user->uses = used;
  used->users++;
}

bool hy_library_refuse(object *holder, const char *call, const char *message, const diagnostics *said) {
  halyard_context *context = holder->context;
  object *before = context->refused;
  context->refused = NULL;
  hy_object_free(before);
  hy_library_fail(context, HALYARD_REFUSED, call, "%s", message);
  context->error.said = said;
  context->refused = holder;
  return false;
}

typedef struct text_object {
  object head;
  char bytes[];
} text_object;

const char *hy_text_object(halyard_context *context, const char *call, const char *bytes, size_t length) {
  text_object *text = (text_object *)hy_object_new(context, call, OBJECT_TEXT, sizeof *text + length + 1);
  return text ? memcpy(text->bytes, bytes, length) : NULL;
}

/* -- diagnostics -- */

static const char *copy(const char *text) { return text ? hy_copy_string(text) : NULL; }

void hy_diagnostics_tell(const hy_diagnostics *list, diagnostics *out) {
  size_t count = hy_diagnostics_count(list);
  out->items = hy_allocate_zeroed(count, sizeof *out->items);
  out->count = count;
  for (size_t i = 0; i < count; i++) {
    const hy_diagnostic *d = hy_diagnostics_at(list, i);
    hy_text text = {0};
    hy_diagnostic_print(d, &text);
    out->items[i] = (halyard_diagnostic){.severity = d->severity == HY_SEVERITY_ERROR     ? HALYARD_IS_ERROR
                                                     : d->severity == HY_SEVERITY_WARNING ? HALYARD_IS_WARNING
                                                                                          : HALYARD_IS_NOTE,
                                         .code = (int)d->code,
                                         .file = d->loc.source ? copy(d->loc.source->name) : NULL,
                                         .line = d->loc.line,
                                         .column = d->loc.column,
                                         .length = d->loc.length,
                                         .message = copy(d->message),
                                         .rule = copy(d->rule),
                                         .hint = copy(d->help),
                                         .text = text.data};
  }
}

/* -- contexts -- */

// The locale of its calls, and the pool of threads that compiled code has in this process: as many as there are
// processors, whatever HALYARD_NUM_THREADS says.
static void settle_process(void) {
  plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  hy_runtime_use_threads(count < 1 ? 1 : (int)count);
}

halyard_context *halyard_context_new(const halyard_options *options) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static const char call[] = "halyard_context_new";
  if (options && options->size != sizeof *options) {
    hy_library_fail(NULL, HALYARD_MISUSE, call, "the options have the size %zu, not %zu: write {HALYARD_OPTIONS, ...}",
                    options->size, sizeof *options);
    return NULL;
  }
  if (options && options->z3 != HALYARD_Z3_HERE && options->z3 != HALYARD_Z3_NOBODY &&
      options->z3 != HALYARD_Z3_HELPER) {
    hy_library_fail(NULL, HALYARD_MISUSE, call, "the options' z3 is %d, which is no halyard_z3", (int)options->z3);
    return NULL;
  }
  halyard_context *context = calloc(1, sizeof *context);
  if (!context) return out_of_memory(NULL, call);
  pthread_once(&once, settle_process);
  atomic_flag_clear(&context->busy);
  if (options) context->options = *options;
  if (!context->options.z3_steps) context->options.z3_steps = HY_Z3_USUAL;
  return context;
}

static void free_down_to(halyard_context *context, uint64_t number) {
  object *next;
  for (object *o = context->newest; o && o->number > number; o = next) {
    hy_object_free(o); // the newest first: whoever uses another is newer
    next = context->newest == o ? o->older : context->newest;
  }
}

void halyard_context_free(halyard_context *context) {
  if (!context || !hy_library_enter(context, "halyard_context_free")) return;
  free_down_to(context, 0);
  restore_thread(context);
  free(context);
}

halyard_point halyard_mark(halyard_context *context) {
  if (!hy_library_enter(context, "halyard_mark")) return UINT64_MAX;
  halyard_point mark = context->made;
  hy_library_leave(context);
  return mark;
}

bool halyard_release(halyard_context *context, halyard_point mark) {
  static const char call[] = "halyard_release";
  if (!hy_library_enter(context, call)) return false;
  bool fine = mark <= context->made;
  if (fine)
    free_down_to(context, mark);
  else
    hy_library_fail(context, HALYARD_MISUSE, call, "the mark is none of this context's");
  hy_library_leave(context);
  return fine;
}
