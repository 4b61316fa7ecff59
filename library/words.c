// The tables of the language, as the library's callers see them: what the .def files say, and nothing beside.

#include "library/library_internal.h"

#include "sched/sched.h"
#include "semantics/alg/expand/expand.h"

#include <pthread.h>

#define HY_TYPE(name, spelling, class, bits, numpy, ...) {spelling, 0, false, numpy, NULL},
static const halyard_word types[] = {
#include "semantics/types.def"
};
#undef HY_TYPE

static const halyard_word reductions[] = {
#define HY_REDUCTION(name, spelling, ...) {spelling, 0, false, NULL, NULL},
#include "semantics/alg/expand/expansions.def"
#undef HY_REDUCTION
};

static const halyard_word boundaries[] = {
#define HY_BOUNDARY(name, spelling, takes_value)                                                                       \
  {spelling, 0, false, takes_value ? spelling "(f, value, ...)" : NULL, NULL},
#include "semantics/alg/expand/expansions.def"
#undef HY_BOUNDARY
};

// Those made of several tables are put together once for the process.
enum { MOST_METHODS = 64 };
typedef struct {
  halyard_word *words;
  size_t count;
} list;
static halyard_word operator_words[HY_OP_COUNT], function_words[HY_OP_COUNT + 1 + HY_DERIVED_COUNT],
    method_words[MOST_METHODS];
static list operators = {operator_words, 0}, functions = {function_words, 0}, methods = {method_words, 0};

static void add(list *l, halyard_word word) { l->words[l->count++] = word; }

static void list_operators(void) {
  static const char *const meanings[] = {
#define HY_OP(name, spelling, arity, typing, precedence, mode, kind, errs, range, solver, rule, drawn, meaning) meaning,
#include "semantics/ops.def"
#undef HY_OP
  };
  for (int i = 0; i < HY_OP_COUNT; i++) {
    hy_op op = (hy_op)i;
    hy_op_kind kind = hy_op_kind_of(op);
    halyard_word word = {hy_op_spelling(op), hy_op_arity(op), kind == HY_KIND_COMPARISON || kind == HY_KIND_LOGIC, NULL,
                         meanings[i]};
    if (kind != HY_KIND_CONVERSION) add(hy_op_precedence(op) > 0 ? &operators : &functions, word);
  }
  add(&functions, (halyard_word){"clamp", 3, false, NULL, "max(min(e, hi), lo)"}); // a spelling, and no operator
  for (int i = 0; i < HY_DERIVED_COUNT; i++)
    add(&functions, (halyard_word){hy_derived_name((hy_derived)i), hy_derived_arity((hy_derived)i), false, NULL, NULL});
}

static void list_methods(void) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  const char *name, *form, *summary;
  for (int i = 0; i < count; i++)
    if (all[i]->in_chain) add(&methods, (halyard_word){all[i]->name, 0, false, all[i]->in_chain, all[i]->summary});
  for (int i = 0; (name = hy_sched_method(i, &form, &summary)); i++)
    add(&methods, (halyard_word){name, 0, false, form, summary});
}

static void list_all(void) {
  list_operators();
  list_methods();
}

static const halyard_word *at(const halyard_word *words, size_t count, size_t position) {
  return position < count ? &words[position] : NULL;
}

const halyard_word *halyard_word_at(halyard_table table, size_t position) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, list_all);
  switch (table) {
  case HALYARD_TYPES: return at(types, HY_COUNT(types), position);
  case HALYARD_OPERATORS: return at(operators.words, operators.count, position);
  case HALYARD_FUNCTIONS: return at(functions.words, functions.count, position);
  case HALYARD_REDUCTIONS: return at(reductions, HY_COUNT(reductions), position);
  case HALYARD_BOUNDARIES: return at(boundaries, HY_COUNT(boundaries), position);
  case HALYARD_METHODS: return at(methods.words, methods.count, position);
  }
  return NULL;
}
