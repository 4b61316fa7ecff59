// What is called how in a pipeline that is built, and whether a name can be given, and a call be made: as the parser
// would find it in the text, told at once.

#include "library/build.h"

#include "semantics/base/intern.h"
#include "semantics/text/parts.h"

#include <string.h>

/* -- tables of names; within hy_library_run where they grow -- */

static bool same_name(const void *a, const void *b) {
  return strcmp(((const declared *)a)->name, ((const declared *)b)->name) == 0;
}

static uint64_t hash_of(const char *name) { return hy_hash_bytes(1, name, strlen(name)); }

void hy_names_begin(halyard_pipeline *pipeline) {
  pipeline->declared = hy_intern_new(same_name);
  pipeline->variables = hy_intern_new(same_name);
}

static const declared *find(const hy_intern *table, const char *name) {
  return hy_intern_find(table, hash_of(name), &(declared){.name = name});
}

const declared *hy_declared(const halyard_pipeline *pipeline, const char *name) {
  return find(pipeline->declared, name);
}

static void add(halyard_pipeline *pipeline, hy_intern *table, declared what) {
  if (find(table, what.name)) return; // in one text, which the parser judges
  declared *kept = HY_NEW(pipeline->arena, declared);
  *kept = what;
  kept->name = hy_arena_copy(pipeline->arena, what.name, strlen(what.name));
  hy_intern_add(table, hash_of(kept->name), kept);
}

void hy_declare(halyard_pipeline *pipeline, declared what) { add(pipeline, pipeline->declared, what); }

void hy_declare_variable(halyard_pipeline *pipeline, const char *name) {
  add(pipeline, pipeline->variables, (declared){.name = name});
}

bool hy_name_is_taken(const halyard_pipeline *pipeline, const char *name) {
  return find(pipeline->declared, name) || find(pipeline->variables, name);
}

const char *hy_declared_is(declared_kind kind) {
  static const char *const words[] = {
      [DECLARED_PARAM] = "a parameter",
      [DECLARED_IMAGE] = "an image",
      [DECLARED_FUNC] = "a func",
      [DECLARED_FAMILY] = "a family of funcs",
      [DECLARED_CONSTANT] = "a constant",
      [DECLARED_HELPER] = "a helper",
      [DECLARED_REDUCTION] = "an inline reduction",
  };
  return words[kind];
}

/* -- can a name be given? -- */

static bool refuse_name(const halyard_pipeline *pipeline, const char *name, const char *why, const char *call) {
  return hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "'%.100s' %s", name, why);
}

static bool judge_name(const halyard_pipeline *pipeline, const char *name, bool is_loop, const char *call) {
  if (!name) return hy_library_missing(pipeline->head.context, call, "the name");
  if (!hy_library_is_name(name)) return refuse_name(pipeline, name, "is no name of the language", call);
  const char *fault = is_loop ? hy_loop_name_fault(name) : hy_name_fault(name);
  return fault ? refuse_name(pipeline, name, fault, call) : true;
}

bool hy_built_name_is_fine(const halyard_pipeline *pipeline, const char *name, const char *call) {
  return judge_name(pipeline, name, false, call);
}

bool hy_built_name_is_free(const halyard_pipeline *pipeline, const char *name, const char *call) {
  if (!judge_name(pipeline, name, false, call)) return false;
  const declared *other = hy_declared(pipeline, name);
  return !other || hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "'%.100s' is %s already", name,
                                   hy_declared_is(other->kind));
}

bool hy_built_parameter_is_free(const halyard_pipeline *pipeline, const char *name, const char *call) {
  if (!hy_built_name_is_free(pipeline, name, call)) return false;
  return !find(pipeline->variables, name) ||
         refuse_name(pipeline, name, "is a variable of a func already: declare what the pipeline is given first", call);
}

bool hy_built_variable_is_free(const halyard_pipeline *pipeline, const char *name, const char *call) {
  if (!judge_name(pipeline, name, true, call)) return false;
  const declared *other = hy_declared(pipeline, name);
  return !other || hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call,
                                   "'%.100s' is %s, and cannot name a variable", name, hy_declared_is(other->kind));
}

/* -- can a call be made? -- */

static bool refuse_count(const halyard_pipeline *pipeline, const char *name, hy_call_form form, size_t count,
                         const char *call) {
  halyard_context *context = pipeline->head.context;
  const char *plural = form.least == 1 ? "" : "s";
  if (form.least == form.most)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' takes %d operand%s, not %zu", name, form.least,
                           plural, count);
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' takes %d operand%s or more%s, not %zu", name,
                         form.least, plural, form.step == 2 ? ", an odd number" : "", count);
}

static bool has_form(hy_call_form form, size_t count) {
  return count >= (size_t)form.least && count <= (size_t)form.most &&
         (count - (size_t)form.least) % (size_t)form.step == 0;
}

static const char *nearest_function(const char *name) {
  enum { MOST = 200 };
  const char *names[MOST];
  const halyard_word *word;
  size_t count = 0;
  while (count < MOST && (word = halyard_word_at(HALYARD_FUNCTIONS, count))) names[count++] = word->name;
  return hy_nearest_name(name, names, count);
}

// Nothing is called so: is it a word that belongs into another call?
static bool refuse_function(const halyard_pipeline *pipeline, const char *name, const char *call) {
  halyard_context *context = pipeline->head.context;
  hy_boundary boundary;
  hy_reduction reduction;
  const char *instead = hy_boundary_find(name, &boundary)     ? "is a boundary condition: halyard_func_boundary"
                        : hy_reduction_find(name, &reduction) ? "reduces over a domain: halyard_reduction"
                                                              : NULL;
  if (instead) return refuse_name(pipeline, name, instead, call);
  const char *near = nearest_function(name);
  return hy_library_fail(context, HALYARD_MISUSE, call, "there is no operator '%.40s'%s%s%s", name,
                         near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool hy_built_call_is_fine(const halyard_pipeline *pipeline, const char *name, size_t count, const char *call) {
  if (!hy_library_is_name(name)) return refuse_function(pipeline, name, call);
  const declared *own = hy_declared(pipeline, name);
  hy_call_form form;
  if (!own) {
    if (!hy_call_form_of(name, &form)) return refuse_function(pipeline, name, call);
    return has_form(form, count) || refuse_count(pipeline, name, form, count, call);
  }
  if (own->kind != DECLARED_IMAGE && own->kind != DECLARED_FUNC && own->kind != DECLARED_HELPER)
    return hy_library_fail(pipeline->head.context, HALYARD_MISUSE, call, "'%.100s' is %s, and takes no operands", name,
                           hy_declared_is(own->kind));
  form = (hy_call_form){own->takes, own->takes, 1};
  return own->takes < 0 || has_form(form, count) || refuse_count(pipeline, name, form, count, call);
}
