#include "sched/funcs/funcs.h"

#include "semantics/text/syntax.h"

#include <string.h>

/* -- symbols -- */

const hy_func *hy_funcs_make(hy_context *context, const hy_tgt *tgt, const hy_func *like, const char *name, int rank,
                             const char *const *dims, hy_loc loc) {
  hy_func *func = HY_NEW(hy_context_arena(context), hy_func);
  const char **copy = HY_NEW_ARRAY(hy_context_arena(context), const char *, rank);
  for (int d = 0; d < rank; d++) copy[d] = hy_context_name_of(context, dims[d]);
  *func = *like;
  func->name = hy_context_name_of(context, name);
  func->index = hy_tgt_symbols(tgt);
  func->rank = rank;
  func->is_image = false;
  func->dims = copy;
  func->min = func->len = NULL;
  func->loc = loc;
  return func;
}

const hy_func *hy_funcs_make_like(hy_context *context, const hy_tgt *tgt, const hy_func *like, const char *name,
                                  hy_loc loc) {
  const char *dims[HY_MAX_RANK];
  for (int d = 0; d < like->rank; d++)
    dims[d] = like->is_image ? hy_arena_printf(hy_context_arena(context), "_%d", d) : like->dims[d];
  return hy_funcs_make(context, tgt, like, name, like->rank, dims, loc);
}

const hy_func *hy_funcs_make_for(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                                 const char *name, hy_loc loc) {
  const hy_func *func = directive->func;
  if (!directive->loop || func->rank == HY_MAX_RANK) return hy_funcs_make_like(context, tgt, func, name, loc);
  const char *dims[HY_MAX_RANK];
  for (int d = 0; d < func->rank; d++) dims[d] = func->dims[d];
  dims[func->rank] = directive->names[0];
  return hy_funcs_make(context, tgt, func, name, func->rank + 1, dims, loc);
}

typedef struct {
  const char *name;
  bool found;
} name_search;

static void see_loop(void *self, const hy_stmt *stmt) {
  name_search *search = self;
  search->found |= stmt->kind == HY_STMT_FOR && stmt->loop.var->name == search->name;
}

// What the name would clash with, in words; NULL if it is free.
static const char *clash(const hy_tgt *tgt, const char *name) {
  if (hy_is_reserved_word(name)) return "a word of the language";
  if (strcmp(name, "root") == 0) return "the word 'root'";
  for (int i = 0; i < tgt->alg->param_count; i++)
    if (tgt->alg->params[i]->name == name) return "a parameter";
  const hy_func *symbol = hy_alg_find(tgt->alg, name);
  if (symbol) return symbol->is_image ? "an input image" : "a func";
  for (int i = 0; i < tgt->func_count; i++) {
    if (tgt->funcs[i]->name == name) return "a func";
    for (int d = 0; d < tgt->funcs[i]->rank; d++)
      if (tgt->funcs[i]->dims[d] == name) return "a variable of a func";
  }
  name_search search = {name, false};
  hy_tree_visit(tgt->body, see_loop, &search);
  return search.found ? "a loop" : NULL;
}

bool hy_funcs_name_free(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                        hy_diagnostics *diagnostics) {
  const char *with = clash(tgt, directive->made->name);
  if (!with) return true;
  hy_context_hit(context, HY_RULE_SCH_FRESH);
  hy_report(diagnostics, HY_E_NAME_CLASH, directive->made->loc,
            "SCH.Fresh (section 8.2: new, unique, non-conflicting names)",
            hy_arena_printf(hy_context_arena(context), "choose another name: %s", directive->type->form),
            "'%s' is already %s", directive->made->name, with);
  return false;
}

const char *hy_funcs_chain_name(hy_context *context, const hy_directive_type *type, const hy_func *func,
                                const hy_func *const *readers, int count) {
  hy_text text = {0};
  hy_text_printf(&text, "%s_%s", func->name, type == &hy_directive_clone ? "clone_in" : "in");
  for (int i = 0; i < count; i++) hy_text_printf(&text, "_%s", readers[i]->name);
  const char *name = hy_context_name_of(context, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

const char *hy_funcs_factor_name(hy_context *context, const hy_func *func, int stage) {
  hy_arena *arena = hy_context_arena(context);
  return hy_context_name_of(context, stage > 1 ? hy_arena_printf(arena, "%s_intm_%d", func->name, stage - 1)
                                               : hy_arena_printf(arena, "%s_intm", func->name));
}

/* -- readers -- */

// w(x1, .., xn) <- f(x1, .., xn), as wrap makes it?
static bool is_identity(const hy_tgt *tgt, const hy_func *made, const hy_func *func) {
  const hy_stmt *at = hy_tree_find(tgt->body, HY_STMT_COMPUTE, made);
  while (at && at->kind != HY_STMT_ASSIGN) {
    const hy_stmt *const *children, *room[2];
    at = hy_stmt_children(at, &children, room) == 1 ? children[0] : NULL;
  }
  const hy_expr *value = at ? hy_expr_part(at->assign.rhs, 0) : NULL;
  if (!value || value->kind != HY_EXPR_ACCESS || value->func != func || func->rank != made->rank) return false;
  for (int i = 0; i < func->rank; i++)
    if (value->args[i] != at->assign.lhs[i]) return false;
  return true;
}

bool hy_funcs_reads(const hy_tgt *tgt, const hy_func *reader, const hy_func *func) {
  const hy_stmt *compute = hy_tree_find(tgt->body, HY_STMT_COMPUTE, reader);
  return compute && reader != func && hy_tree_reads(compute, func);
}

bool hy_funcs_is_reader(const hy_directive *directive, const hy_func *reader) {
  for (int i = 0; i < directive->reader_count; i++)
    if (directive->readers[i] == reader) return true;
  return false;
}

int hy_funcs_all_readers(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *const **readers) {
  const hy_func **found = HY_NEW_ARRAY(hy_context_arena(context), const hy_func *, tgt->func_count);
  int count = 0;
  for (int i = 0; i < tgt->func_count; i++) {
    const hy_func *reader = tgt->funcs[i];
    bool wraps = !hy_alg_definition(tgt->alg, reader) && is_identity(tgt, reader, func);
    if (hy_funcs_reads(tgt, reader, func) && !wraps) found[count++] = reader;
  }
  *readers = found;
  return count;
}

// The func that a directive before has put between: the reader reads it, and it has the func's values.
static const hy_func *find_between(const hy_tgt *tgt, const hy_directive *directive, const char *reader) {
  for (int i = 0; i < directive->reader_count; i++)
    for (int k = 0; k < tgt->func_count && directive->readers[i]->name == reader; k++) {
      const hy_func *made = tgt->funcs[k];
      bool is_made = !hy_alg_definition(tgt->alg, made) && made != directive->func;
      if (is_made && hy_funcs_reads(tgt, directive->readers[i], made) && is_identity(tgt, made, directive->func))
        return made;
    }
  return NULL;
}

static const char *reader_help(hy_context *context, const hy_tgt *tgt, const hy_directive *directive) {
  const hy_func *func = directive->func;
  if (directive->reader_count || !hy_alg_output(tgt->alg, func))
    return "name funcs that read it, or none for all that do";
  hy_text point = {0};
  for (int d = 0; d < func->rank; d++) hy_text_printf(&point, "%s%s", d ? ", " : "", func->dims[d]);
  const char *help =
      hy_arena_printf(hy_context_arena(context),
                      "an output is stored, and read by nobody: write a func that reads it, fun out(%s) = "
                      "%s(%s); and make that the output",
                      hy_text_string(&point), func->name, hy_text_string(&point));
  hy_text_free(&point);
  return help;
}

// DIR.Funcs.Reader
bool hy_funcs_has_readers(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                          hy_diagnostics *diagnostics) {
  const char *nobody = directive->reader_count ? NULL : "nothing";
  for (int i = 0; i < directive->reader_count && !nobody; i++)
    if (!hy_funcs_reads(tgt, directive->readers[i], directive->func)) nobody = directive->readers[i]->name;
  if (!nobody) return true;
  hy_context_hit(context, HY_RULE_DIR_FUNCS_READER);
  const hy_func *between = find_between(tgt, directive, nobody);
  if (between) {
    hy_report(diagnostics, HY_E_FUNC_READER, directive->loc, "DIR.Funcs.Reader",
              hy_arena_printf(hy_context_arena(context), "name each reader once, or say it of '%s'", between->name),
              "'%s' reads '%s' in place of '%s' since a directive before", nobody, between->name,
              directive->func->name);
    return false;
  }
  hy_report(diagnostics, HY_E_FUNC_READER, directive->loc, "DIR.Funcs.Reader", reader_help(context, tgt, directive),
            directive->reader_count ? "'%s' does not read '%s'" : "%s reads '%s'", nobody, directive->func->name);
  return false;
}

/* -- statements -- */

static hy_interval hole_pair(hy_context *context, hy_hole what) {
  what.is_len = false;
  const hy_expr *min = hy_expr_hole(context, hy_hole_get(context, what));
  what.is_len = true;
  return (hy_interval){min, hy_expr_hole(context, hy_hole_get(context, what))};
}

static const hy_interval *box_of(hy_context *context, hy_hole_kind kind, const hy_func *func) {
  hy_interval *box = HY_NEW_ARRAY(hy_context_arena(context), hy_interval, func->rank);
  for (int d = 0; d < func->rank; d++) box[d] = hole_pair(context, (hy_hole){.kind = kind, .func = func, .dim = d});
  return box;
}

const hy_interval *hy_funcs_box(hy_context *context, const hy_func *func) { return box_of(context, HY_HOLE_CPU, func); }

hy_interval hy_funcs_own_range(hy_context *context, const hy_func *func, int dim, const hy_var *loop) {
  return hole_pair(context, (hy_hole){.kind = HY_HOLE_FOR, .func = func, .dim = dim, .loop = loop});
}

const hy_stmt *hy_funcs_allocate(hy_context *context, const hy_func *func) {
  return hy_stmt_allocate(context, func, box_of(context, HY_HOLE_MEM, func));
}

typedef struct {
  hy_context *context;
  const hy_func *from, *to;
} redirection;

// f(e1, .., en) -> g(e1, .., en)
static const hy_expr *redirect_node(void *self, const hy_expr *node) {
  const redirection *r = self;
  if (node->kind != HY_EXPR_ACCESS || node->func != r->from) return node;
  const hy_expr *args[HY_MAX_RANK] = {NULL};
  for (int i = 0; i < node->count; i++) args[i] = node->args[i];
  return hy_expr_access_part(r->context, r->to, node->part, args);
}

static const hy_expr *redirect(void *self, const hy_expr *expr) {
  const redirection *r = self;
  return expr->has_access ? hy_expr_map(r->context, expr, redirect_node, self) : expr;
}

// The funcs with one more, in the order of definition.
void hy_funcs_add_to_table(hy_context *context, hy_tgt *after, const hy_directive *directive, int stages) {
  const hy_tgt before = *after;
  const hy_func **funcs = HY_NEW_ARRAY(hy_context_arena(context), const hy_func *, before.func_count + 1);
  int *counts = HY_NEW_ARRAY(hy_context_arena(context), int, before.func_count + 1);
  int at = 0, count = 0;
  for (int i = 0; i < before.func_count; i++)
    if (before.funcs[i] == directive->func) at = directive->loop ? i : i + 1;
  for (int i = 0; i <= before.func_count; i++) {
    if (i == at) funcs[count] = directive->made, counts[count++] = stages;
    if (i < before.func_count) funcs[count] = before.funcs[i], counts[count++] = before.stage_counts[i];
  }
  after->funcs = funcs;
  after->stage_counts = counts;
  after->func_count = count;
}

static bool is_label_of(const hy_stmt *stmt, const hy_func *func) {
  return stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_FUNC && stmt->label.func == func;
}

const hy_tgt *hy_funcs_insert(hy_context *context, const hy_tgt *tgt, const hy_directive *directive,
                              const hy_stmt *label, int stages) {
  HY_ASSERT(tgt->body->kind == HY_STMT_SEQ); // as lowered: an allocation and a label of each func
  const int count = tgt->body->seq.count;
  const hy_stmt **items = hy_allocate(sizeof *items * (size_t)(count + 2));
  redirection r = {context, directive->func, directive->made};
  int used = 0;
  bool first = directive->func->is_image;
  if (first) items[used++] = hy_funcs_allocate(context, directive->made), items[used++] = label;
  for (int i = 0; i < count; i++) {
    const hy_stmt *item = tgt->body->seq.items[i];
    bool reads = item->kind == HY_STMT_LABEL && hy_funcs_is_reader(directive, item->label.func);
    bool here = directive->loop ? item->kind == HY_STMT_ALLOCATE && item->allocate.func == directive->func
                                : is_label_of(item, directive->func);
    if (here && directive->loop) items[used++] = hy_funcs_allocate(context, directive->made), items[used++] = label;
    items[used++] = reads ? hy_stmt_map_exprs(context, item, redirect, &r) : item;
    if (here && !directive->loop) items[used++] = hy_funcs_allocate(context, directive->made), items[used++] = label;
  }
  HY_ASSERT(used == count + 2);
  hy_tgt *after = HY_NEW(hy_context_arena(context), hy_tgt);
  *after = *tgt;
  after->body = hy_stmt_seq(context, items, used);
  hy_funcs_add_to_table(context, after, directive, stages);
  hy_free(items);
  return after;
}

const char *hy_funcs_copy_name(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *reader,
                               int branch) {
  hy_arena *arena = hy_context_arena(context);
  const char *name = branch == HY_ALL_BRANCHES ? hy_arena_printf(arena, "%s_%s", func->name, reader->name)
                                               : hy_arena_printf(arena, "%s_%s_z%d", func->name, reader->name, branch);
  const char *free = name;
  for (int n = 2; clash(tgt, hy_context_name_of(context, free)); n++) free = hy_arena_printf(arena, "%s_%d", name, n);
  return hy_context_name_of(context, free);
}

bool hy_funcs_may_add(const hy_directive *directive, const hy_hole *hole) { return hole->func == directive->made; }
