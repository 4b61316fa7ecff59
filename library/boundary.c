// Boundary conditions, and which funcs are the outputs, of pipelines that are built.

#include "library/build.h"

#include <string.h>

/* -- boundary conditions -- */

typedef struct {
  halyard_func *source, *made;
  const char *condition, *name;
  const halyard_operand *value, *box;
  size_t count;
} bounding;

static void add_boundary(void *self) {
  bounding *b = self;
  halyard_pipeline *p = b->source->pipeline;
  halyard_func *f = hy_built_func(
      p, b->name,
      (declared){.kind = DECLARED_FUNC, .takes = b->source->about.takes, .values = b->source->about.values});
  f->condition = hy_arena_copy(p->arena, b->condition, strlen(b->condition));
  f->source = b->source;
  if (b->value->kind != HALYARD_OPERAND_NONE) f->outside = hy_built_operand(p, b->value);
  for (size_t i = 0; i < b->count; i++) hy_vec_push(&f->box, hy_built_operand(p, &b->box[i]));
  hy_vec_push(&p->funcs, f);
  b->made = f;
}

static bool is_condition(const bounding *b, const char *call) {
  halyard_context *context = b->source->pipeline->head.context;
  hy_boundary boundary;
  if (!b->condition) return hy_library_missing(context, call, "the condition");
  if (!hy_boundary_find(b->condition, &boundary))
    return hy_library_fail(context, HALYARD_MISUSE, call, "there is no boundary condition '%.40s'", b->condition);
  bool wanted = hy_boundary_takes_value(boundary), given = b->value->kind != HALYARD_OPERAND_NONE;
  if (wanted == given) return !given || hy_built_operand_is_fine(b->source->pipeline, b->value, call);
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%s' takes %s value for what is outside", b->condition,
                         wanted ? "a" : "no");
}

// An image, or a func of one value; of a func a box is given.
static bool has_source(const bounding *b, const char *call) {
  const halyard_func *source = b->source;
  halyard_context *context = source->pipeline->head.context;
  if (source->about.kind != DECLARED_IMAGE && source->about.kind != DECLARED_FUNC)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is %s: an image or a func is continued",
                           source->name, hy_declared_is(source->about.kind));
  if (source->about.values > 1)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' has %d values, and what is continued one",
                           source->name, source->about.values);
  if (b->count || source->is_image) return true;
  return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is a func, which has no box of its own: give one",
                         source->name);
}

static bool has_box(const bounding *b, const char *call) {
  const halyard_func *source = b->source;
  halyard_context *context = source->pipeline->head.context;
  int rank = source->about.takes;
  if (b->count && !b->box) return hy_library_missing(context, call, "the box");
  if (b->count % 2)
    return hy_library_fail(context, HALYARD_MISUSE, call,
                           "a box has min and len of each dimension, and %zu operands "
                           "are given",
                           b->count);
  if (rank >= 0 && b->count / 2 > (size_t)rank)
    return hy_library_fail(context, HALYARD_MISUSE, call, "the box has %zu dimensions, and '%.100s' %d", b->count / 2,
                           source->name, rank);
  for (size_t i = 0; i < b->count; i++)
    if (!hy_built_operand_is_fine(source->pipeline, &b->box[i], call)) return false;
  return true;
}

halyard_func *halyard_func_boundary(const char *condition, const char *name, halyard_func *source,
                                    halyard_operand value, size_t count, const halyard_operand *box) {
  static const char call[] = "halyard_func_boundary";
  if (!source) {
    hy_library_missing(NULL, call, "the source");
    return NULL;
  }
  halyard_pipeline *p = source->pipeline;
  if (!hy_built_enter(p, call)) return NULL;
  bounding b = {source, NULL, condition, name, &value, box, count};
  bool fine = hy_built_name_is_free(p, name, call) && is_condition(&b, call) && has_source(&b, call) &&
              has_box(&b, call) && hy_library_run(&p->head, call, add_boundary, &b);
  hy_library_leave(p->head.context);
  return fine ? b.made : NULL;
}

/* -- outputs -- */

typedef struct {
  halyard_pipeline *pipeline;
  const halyard_operand *funcs;
  size_t count;
} listing;

static void set_outputs(void *self) {
  const listing *l = self;
  l->pipeline->outputs.count = 0;
  for (size_t i = 0; i < l->count; i++) hy_vec_push(&l->pipeline->outputs, l->funcs[i].is.func);
}

static bool is_output(const listing *l, size_t i, const char *call) {
  halyard_context *context = l->pipeline->head.context;
  const halyard_operand *o = &l->funcs[i];
  if (o->kind != HALYARD_OPERAND_FUNC)
    return hy_library_fail(context, HALYARD_MISUSE, call, "output %zu is no func", i);
  const halyard_func *func = o->is.func;
  if (!func) return hy_library_missing(context, call, "a func");
  if (func->pipeline != l->pipeline)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is a func of another pipeline", func->name);
  if (func->about.kind != DECLARED_FUNC)
    return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is %s: outputs are funcs", func->name,
                           hy_declared_is(func->about.kind));
  for (size_t k = 0; k < i; k++)
    if (l->funcs[k].is.func == func)
      return hy_library_fail(context, HALYARD_MISUSE, call, "'%.100s' is listed twice", func->name);
  return true;
}

bool halyard_pipeline_outputs(halyard_pipeline *pipeline, size_t count, const halyard_operand *funcs) {
  static const char call[] = "halyard_pipeline_outputs";
  if (!hy_built_enter(pipeline, call)) return false;
  halyard_context *context = pipeline->head.context;
  listing l = {pipeline, funcs, count};
  bool fine = !count || funcs || hy_library_missing(context, call, "the list of funcs");
  if (fine && count > HY_MAX_OUTPUTS)
    fine = hy_library_fail(context, HALYARD_MISUSE, call, "a pipeline has at most %d outputs, not %zu", HY_MAX_OUTPUTS,
                           count);
  for (size_t i = 0; i < count && fine; i++) fine = is_output(&l, i, call);
  fine = fine && hy_library_run(&pipeline->head, call, set_outputs, &l);
  hy_library_leave(context);
  return fine;
}
