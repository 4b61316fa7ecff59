// Schedules: each directive's counterpart. Halide inlines what a schedule does not name; Halyard computes it at root.

#include "export/export_internal.h"

#include <string.h>

/* -- nests -- */

// As they are lowered: dimensions around reductions, the last of each outermost.
static void add_nest(hy_export_writer *e, const hy_func *func, int stage) {
  const hy_definition *d = hy_alg_definition(e->alg, func);
  hy_export_nest nest = {.func = func, .domain = func, .stage = stage, .update = stage};
  for (int i = func->rank; i-- > 0;)
    if (d->stages[stage].pure >> i & 1) hy_vec_push(&nest.loops, ((hy_export_loop){func->dims[i], false, -1}));
  for (int i = d->stages[stage].rdom_count; i-- > 0;)
    hy_vec_push(&nest.loops, ((hy_export_loop){d->stages[stage].rdoms[i].var->name, true, i}));
  hy_vec_push(&e->nests, nest);
}

static hy_export_nest *nest_of(hy_export_writer *e, const hy_func *func, int spec, int stage) {
  for (size_t i = 0; i < e->nests.count; i++) {
    hy_export_nest *n = &e->nests.data[i];
    if (n->func == func && n->spec == spec && n->stage == stage) return n;
  }
  HY_UNREACHABLE();
}

static size_t place_of(const hy_export_nest *nest, const char *name) {
  for (size_t i = 0; i < nest->loops.count; i++)
    if (strcmp(nest->loops.data[i].name, name) == 0) return i;
  HY_UNREACHABLE();
}

static void copy_nest(hy_export_writer *e, const hy_func *from, const hy_func *func, int spec, int stage) {
  const hy_export_nest *model = nest_of(e, from, 0, stage);
  hy_export_nest copy = {.func = func, .domain = model->domain, .spec = spec, .stage = stage, .update = model->update};
  for (size_t i = 0; i < nest_of(e, from, 0, stage)->loops.count; i++)
    hy_vec_push(&copy.loops, nest_of(e, from, 0, stage)->loops.data[i]);
  hy_vec_push(&e->nests, copy);
}

static int stages_of(const hy_export_writer *e, const hy_func *func) {
  int count = 0;
  for (size_t i = 0; i < e->nests.count; i++) count += e->nests.data[i].func == func && e->nests.data[i].spec == 0;
  return count;
}

static hy_export_nest *nest_around(hy_export_writer *e, const hy_var *loop) {
  return nest_of(e, loop->func, loop->spec, loop->stage);
}

static void print_loop(hy_export_writer *e, const hy_export_nest *nest, size_t at) {
  const hy_export_loop *loop = &nest->loops.data[at];
  if (loop->part < 0) {
    hy_export_var(e, loop->is_reduction ? "RVar" : "Var", loop->name, e->out);
    return;
  }
  hy_export_domain(nest->domain, nest->update, e->out);
  hy_text_printf(e->out, ".%c", "xyzw"[loop->part]);
}

/* -- directives -- */

static void end_call(hy_export_writer *e) { hy_text_printf(e->out, ")%s\n", e->dialect->end); }

static void print_stage(hy_export_writer *e, const hy_func *func, int spec, int stage) {
  hy_text_add(e->out, "    ");
  if (spec) {
    hy_text_printf(e->out, "%s_z%d_s%d_", func->name, spec, stage);
    return;
  }
  hy_export_name(e, func->name, e->out);
  if (stage) hy_text_printf(e->out, ".update(%d)", stage - 1);
}

static void print_split(hy_export_writer *e, const hy_directive *d) {
  static const char *const tails[] = {
      [HY_TAIL_GUARD] = "GuardWithIf", [HY_TAIL_ROUND] = "RoundUp", [HY_TAIL_SHIFT] = "ShiftInwards"};
  hy_export_nest *nest = nest_around(e, d->loop);
  size_t at = place_of(nest, d->loop->name);
  bool reduces = nest->loops.data[at].is_reduction;
  const char *kind = reduces ? "RVar" : "Var";
  print_stage(e, nest->func, nest->spec, nest->stage);
  hy_text_add(e->out, ".split(");
  print_loop(e, nest, at);
  for (int i = 0; i < 2; i++) {
    hy_text_add(e->out, ", ");
    hy_export_var(e, kind, d->names[i], e->out);
  }
  hy_text_add(e->out, ", ");
  hy_export_expr(e, d->args[0], HY_COORDINATE, e->out);
  if (!e->is_idiomatic || d->tail != HY_TAIL_GUARD) // what our texts leave out is there Halide's own choice
    hy_text_printf(e->out, ", %sTailStrategy%s%s", e->dialect->scope, e->dialect->of, tails[d->tail]);
  end_call(e);
  hy_export_loop last = nest->loops.data[nest->loops.count - 1];
  hy_vec_push(&nest->loops, last);
  for (size_t i = nest->loops.count - 1; i > at + 1; i--) nest->loops.data[i] = nest->loops.data[i - 1];
  for (size_t i = 0; i < 2; i++) nest->loops.data[at + i] = (hy_export_loop){d->names[i], reduces, -1};
}

static void print_fuse(hy_export_writer *e, const hy_directive *d) {
  hy_export_nest *nest = nest_around(e, d->loop);
  size_t at = place_of(nest, d->loop->name);
  bool reduces = nest->loops.data[at].is_reduction;
  print_stage(e, nest->func, nest->spec, nest->stage);
  hy_text_add(e->out, ".fuse(");
  print_loop(e, nest, at + 1); // Halide names the one inside first
  hy_text_add(e->out, ", ");
  print_loop(e, nest, at);
  hy_text_add(e->out, ", ");
  hy_export_var(e, reduces ? "RVar" : "Var", d->names[1], e->out);
  end_call(e);
  nest->loops.data[at] = (hy_export_loop){d->names[1], reduces, -1};
  for (size_t i = at + 1; i + 1 < nest->loops.count; i++) nest->loops.data[i] = nest->loops.data[i + 1];
  nest->loops.count--;
}

static void print_swap(hy_export_writer *e, const hy_directive *d) {
  hy_export_nest *nest = nest_around(e, d->loop);
  size_t at = place_of(nest, d->loop->name);
  print_stage(e, nest->func, nest->spec, nest->stage);
  hy_text_add(e->out, ".reorder(");
  print_loop(e, nest, at);
  hy_text_add(e->out, ", ");
  print_loop(e, nest, at + 1);
  end_call(e);
  hy_export_loop outer = nest->loops.data[at];
  nest->loops.data[at] = nest->loops.data[at + 1];
  nest->loops.data[at + 1] = outer;
}

static void print_traverse(hy_export_writer *e, const hy_directive *d) {
  static const char *const ways[] = {
      [HY_SERIAL] = "serial", [HY_PARALLEL] = "parallel", [HY_VECTORIZED] = "vectorize", [HY_UNROLLED] = "unroll"};
  print_stage(e, d->loop->func, d->loop->spec, d->loop->stage);
  hy_text_printf(e->out, ".%s(", ways[d->traversal]);
  const hy_export_nest *nest = nest_around(e, d->loop);
  print_loop(e, nest, place_of(nest, d->loop->name));
  end_call(e);
}

static bool is_stored_elsewhere(const hy_directive *core, int count, const hy_func *func) {
  for (int i = 0; i < count; i++)
    if (core[i].func == func && strcmp(core[i].type->name, "store_at") == 0) return true;
  return false;
}

// "what": compute or store.
static void print_move(hy_export_writer *e, const hy_directive *d, const char *what) {
  print_stage(e, d->func, 0, 0);
  if (!d->loop) {
    hy_text_printf(e->out, ".%s_root(", what);
    end_call(e);
    return;
  }
  hy_text_printf(e->out, ".%s_at(%sLoopLevel(", what, e->dialect->scope);
  hy_export_name(e, d->loop->func->name, e->out);
  hy_text_add(e->out, ", ");
  const hy_export_nest *nest = nest_around(e, d->loop);
  print_loop(e, nest, place_of(nest, d->loop->name));
  hy_text_add(e->out, ")");
  end_call(e);
}

// What is moved is stored at root unless a store_at says otherwise; Halide stores it where it is computed.
static void print_compute_at(hy_export_writer *e, const hy_directive *d, bool stored_elsewhere) {
  print_move(e, d, "compute");
  if (stored_elsewhere || !d->loop) return;
  print_stage(e, d->func, 0, 0);
  hy_text_add(e->out, ".store_root(");
  end_call(e);
}

static void print_specialize(hy_export_writer *e, const hy_directive *d) {
  for (int k = 0, stages = stages_of(e, d->func); k < stages; k++)
    for (int i = 0; i < d->condition_count; i++) {
      hy_text_printf(e->out, "    %s%s_z%d_s%d_ = ", e->dialect->stage, d->func->name, i + 1, k);
      hy_export_name(e, d->func->name, e->out);
      if (k) hy_text_printf(e->out, ".update(%d)", k - 1);
      hy_text_add(e->out, ".specialize(");
      hy_export_expr(e, d->conditions[i], HY_WHOLE, e->out);
      end_call(e);
      copy_nest(e, d->func, d->func, i + 1, k);
    }
}

static void print_bounds(hy_export_writer *e, const hy_directive *d) {
  print_stage(e, d->func, 0, 0);
  hy_text_printf(e->out, ".%s(", d->type->name);
  hy_export_var(e, "Var", d->func->dims[d->dim], e->out);
  for (int i = 0; i < HY_MOST_ARGUMENTS && d->args[i]; i++) {
    hy_text_add(e->out, ", ");
    hy_export_expr(e, d->args[i], HY_COORDINATE, e->out);
  }
  end_call(e);
}

static void print_reorder_storage(hy_export_writer *e, const hy_directive *d) {
  print_stage(e, d->func, 0, 0);
  hy_text_add(e->out, ".reorder_storage(");
  for (int i = 0; i < d->dim_count; i++) {
    if (i) hy_text_add(e->out, ", ");
    hy_export_var(e, "Var", d->func->dims[d->dims[i]], e->out);
  }
  end_call(e);
}

// align_storage, fold_storage
static void print_storage_number(hy_export_writer *e, const hy_directive *d) {
  print_stage(e, d->func, 0, 0);
  hy_text_printf(e->out, ".%s(", d->type->name);
  hy_export_var(e, "Var", d->func->dims[d->dim], e->out);
  hy_text_add(e->out, ", ");
  hy_export_expr(e, d->args[0], HY_COORDINATE, e->out);
  end_call(e);
}

static void print_store_in(hy_export_writer *e, const hy_directive *d) {
  static const char *const places[] = {[HY_STORE_HEAP] = "Heap", [HY_STORE_STACK] = "Stack"};
  print_stage(e, d->func, 0, 0);
  hy_text_printf(e->out, ".store_in(%sMemoryType%s%s", e->dialect->scope, e->dialect->of, places[d->store]);
  end_call(e);
}

static bool is_inlined(const hy_directive *core, int count, const hy_func *func) {
  for (int i = 0; i < count; i++)
    if (strcmp(core[i].type->name, "compute_inline") == 0 && core[i].func == func) return true;
  return false;
}

// The loops of a func that is added: of one that wraps its dimensions, of a copy those of what it is a copy of.
static void add_nests(hy_export_writer *e, const hy_directive *d, bool copies) {
  for (int k = 0, stages = copies ? stages_of(e, d->func) : 0; k < stages; k++) copy_nest(e, d->func, d->made, 0, k);
  if (copies) return;
  hy_export_nest nest = {.func = d->made, .domain = d->made};
  for (int i = d->made->rank; i-- > 0;) hy_vec_push(&nest.loops, ((hy_export_loop){d->made->dims[i], false, -1}));
  hy_vec_push(&e->nests, nest);
}

static void add_dimensions(hy_export_nest *nest, const hy_func *func) {
  for (int i = func->rank; i-- > 0;) hy_vec_push(&nest->loops, ((hy_export_loop){func->dims[i], false, -1}));
}

// The parts: all dimensions at first, then u around the update's loops but r. What is left: all dimensions around r.
static void add_factored_nests(hy_export_writer *e, const hy_directive *d) {
  hy_export_nest first = {.func = d->made, .domain = d->made};
  hy_export_nest parts = {.func = d->made, .domain = d->func, .stage = 1, .update = d->loop->stage};
  add_dimensions(&first, d->made);
  hy_vec_push(&parts.loops, ((hy_export_loop){d->names[0], false, -1}));
  hy_export_nest *own = nest_of(e, d->func, 0, d->loop->stage);
  const hy_export_loop taken = own->loops.data[place_of(own, d->loop->name)];
  for (size_t i = 0; i < own->loops.count; i++)
    if (strcmp(own->loops.data[i].name, taken.name) != 0) hy_vec_push(&parts.loops, own->loops.data[i]);
  parts.domain = own->domain, parts.update = own->update;
  own->loops.count = 0;
  add_dimensions(own, d->func);
  hy_vec_push(&own->loops, taken);
  hy_vec_push(&e->nests, first);
  hy_vec_push(&e->nests, parts);
}

// f_intm = f.update(0).rfactor(r, u)
static void print_rfactor(hy_export_writer *e, const hy_directive *d, bool is_alone) {
  const hy_export_nest *nest = nest_around(e, d->loop);
  hy_text_printf(e->out, "    %s", e->dialect->made);
  hy_export_name(e, d->made->name, e->out);
  hy_text_add(e->out, " = ");
  hy_export_name(e, d->func->name, e->out);
  hy_text_printf(e->out, ".update(%d).rfactor(", d->loop->stage - 1);
  print_loop(e, nest, place_of(nest, d->loop->name));
  hy_text_add(e->out, ", ");
  hy_export_var(e, "Var", d->names[0], e->out);
  end_call(e);
  add_factored_nests(e, d);
  if (is_alone) return;
  print_stage(e, d->made, 0, 0);
  hy_text_add(e->out, ".compute_root(");
  end_call(e);
}

// f_in_g = f.in_(g), computed at root as everything here
static void print_made(hy_export_writer *e, const hy_directive *core, int count, int at) {
  const hy_directive *d = &core[at];
  bool copies = strcmp(d->type->name, "clone") == 0, several = d->reader_count > 1;
  add_nests(e, d, copies);
  hy_text_printf(e->out, "    %s", e->dialect->made);
  hy_export_name(e, d->made->name, e->out);
  hy_text_add(e->out, " = ");
  if (d->func->is_image && e->dialect->image_in_by_name) {
    hy_text name = {0};
    hy_export_name(e, d->func->name, &name);
    hy_text_printf(e->out, "getattr(%s, \"in_\" if hasattr(%s, \"in_\") else \"in\")(%s", name.data, name.data,
                   several ? e->dialect->list_open : "");
    hy_text_free(&name);
  } else {
    hy_export_name(e, d->func->name, e->out);
    hy_text_printf(e->out, ".%s(%s", copies ? "clone_in" : e->dialect->in, several ? e->dialect->list_open : "");
  }
  for (int i = 0; i < d->reader_count; i++) {
    if (i) hy_text_add(e->out, ", ");
    hy_export_name(e, d->readers[i]->name, e->out);
  }
  if (several) hy_text_add(e->out, e->dialect->list_close);
  end_call(e);
  if (is_inlined(core, count, d->made)) return;
  print_stage(e, d->made, 0, 0);
  hy_text_add(e->out, ".compute_root(");
  end_call(e);
}

static void print_compute_inline(hy_export_writer *e, const hy_directive *d) {
  print_stage(e, d->func, 0, 0);
  hy_text_add(e->out, ".compute_inline(");
  end_call(e);
}

static void print_directive(hy_export_writer *e, const hy_directive *core, int count, int at) {
  const hy_directive *d = &core[at];
  const char *name = d->type->name;
  if (d->is_spread) return; // Halide computes what it computes in a func in every specialization of that by itself
  if (strcmp(name, "split") == 0 || strcmp(name, "split_reduction") == 0)
    print_split(e, d);
  else if (strcmp(name, "fuse") == 0)
    print_fuse(e, d);
  else if (strcmp(name, "swap") == 0)
    print_swap(e, d);
  else if (strcmp(name, "traverse") == 0)
    print_traverse(e, d);
  else if (strcmp(name, "compute_at") == 0)
    print_compute_at(e, d, is_stored_elsewhere(core, count, d->func));
  else if (strcmp(name, "store_at") == 0)
    print_move(e, d, "store");
  else if (strcmp(name, "wrap") == 0 || strcmp(name, "clone") == 0)
    print_made(e, core, count, at);
  else if (strcmp(name, "rfactor") == 0)
    print_rfactor(e, d, is_inlined(core, count, d->made));
  else if (strcmp(name, "compute_inline") == 0)
    print_compute_inline(e, d);
  else if (strcmp(name, "specialize") == 0)
    print_specialize(e, d);
  else if (d->type->phase == HY_PHASE_BOUNDS && !d->type->is_foreign)
    print_bounds(e, d);
  else if (strcmp(name, "reorder_storage") == 0)
    print_reorder_storage(e, d);
  else if (strcmp(name, "align_storage") == 0 || strcmp(name, "fold_storage") == 0)
    print_storage_number(e, d);
  else if (strcmp(name, "store_in") == 0)
    print_store_in(e, d);
  else if (strcmp(name, "slide") != 0 && d->type->arguments[0] != HY_TAKES_BUFFER)
    // Halide slides by itself what store_at leaves outside of compute_at; how a caller's buffers lie changes no value
    hy_export_refuse(e, name, "no directive of Halide's is its counterpart");
}

void hy_export_schedule(hy_export_writer *e, const hy_directive *core, int count) {
  for (int i = 0; i < e->alg->definition_count; i++) {
    const hy_func *func = e->alg->definitions[i].func;
    for (int k = 0; k < e->alg->definitions[i].stage_count; k++) add_nest(e, func, k);
    if (hy_alg_output(e->alg, func) && !hy_export_copies(e->alg, func, core, count)) continue;
    if (is_inlined(core, count, func)) continue;
    print_stage(e, func, 0, 0);
    hy_text_add(e->out, ".compute_root(");
    end_call(e);
  }
  for (int i = 0; i < count && !e->refused; i++) {
    e->loc = core[i].loc;
    print_directive(e, core, count, i);
  }
}
