/* From an algorithm as written to hy_alg: declarations in the order of the text, types, stages, then validity. */

#include "semantics/text/alg_internal.h"

#include <string.h>

typedef struct {
  hy_context *context;
  hy_arena *arena;
  hy_diagnostics *diagnostics;
  const hy_written_pipeline *written;
  hy_alg *alg;
  hy_alg_scope scope;
  HY_VEC(hy_loc) told; // the funcs, as written, of which something was said: of their other copies nothing is
} builder;

/* -- the signature -- */

static const char *const image_dims[] = {"0", "1", "2", "3", "4", "5", "6", "7"};
_Static_assert(HY_COUNT(image_dims) == HY_MAX_RANK, "one name for each dimension");

static const hy_func *make_image(builder *b, const hy_written_param *param, int index) {
  hy_func *image = HY_NEW(b->arena, hy_func);
  const hy_var **min = HY_NEW_ARRAY(b->arena, const hy_var *, param->rank);
  const hy_var **len = HY_NEW_ARRAY(b->arena, const hy_var *, param->rank);
  *image = (hy_func){.name = param->name.text,
                     .index = (uint32_t)index,
                     .type = param->type,
                     .rank = param->rank,
                     .is_image = true,
                     .dims = image_dims,
                     .min = min,
                     .len = len,
                     .loc = param->name.loc};
  for (int d = 0; d < param->rank; d++) {
    min[d] = hy_var_new(b->context, HY_VAR_IMAGE_MIN, HY_INT, image->name, image, d, 0);
    len[d] = hy_var_new(b->context, HY_VAR_IMAGE_LEN, HY_INT, image->name, image, d, 0);
  }
  return image;
}

static void make_signature(builder *b) {
  int count = b->written->param_count;
  const hy_var **params = HY_NEW_ARRAY(b->arena, const hy_var *, count);
  const hy_func **images = HY_NEW_ARRAY(b->arena, const hy_func *, count);
  int *signature = HY_NEW_ARRAY(b->arena, int, count);
  hy_alg *alg = b->alg;
  alg->params = params, alg->images = images, alg->signature = signature;
  for (int i = 0; i < count; i++) {
    const hy_written_param *param = &b->written->params[i];
    hy_alg_declare(&b->scope, &param->name, "a parameter", false);
    if (param->is_image) {
      images[alg->image_count] = make_image(b, param, alg->image_count);
      signature[i] = -++alg->image_count;
    } else {
      params[alg->param_count] = hy_var_new(b->context, HY_VAR_PARAM, param->type, param->name.text, NULL, 0, 0);
      signature[i] = ++alg->param_count;
    }
  }
}

/* -- funcs -- */

// A stage whose names have their meaning; types are still being found.
typedef struct {
  hy_typed *rhs, *predicate;
  hy_typed *lhs[HY_MAX_RANK];
  hy_typed **bounds; // min and len of each rdom, in turn
  const hy_var **rdoms;
} typed_stage;

typedef struct {
  builder *b;
  const hy_written_func *written;
  hy_func *func;
  hy_definition *definition;
  hy_elaboration *elaboration;
  typed_stage *typed;
} func_builder;

// ALG.Valid.FuncNames (definition 4.5): "the names of all funcs are unique"
static bool declare_func(builder *b, const hy_written_func *written) {
  const hy_func *other = hy_alg_scope_func(&b->scope, written->name.text);
  bool twice = other && !other->is_image;
  hy_context_hit(b->context, twice ? HY_RULE_ALG_VALID_FUNC_NAMES_NOT : HY_RULE_ALG_VALID_FUNC_NAMES);
  if (!twice) return hy_alg_declare(&b->scope, &written->name, "a func", false);
  hy_report(b->diagnostics, HY_E_FUNC_TWICE, written->name.loc, "definition 4.5, unique funcs",
            "choose another name, or make the second body an update of the first: { pure; (x) <- e; }",
            "'%s' is defined twice", written->name.text);
  hy_note(b->diagnostics, HY_E_FUNC_TWICE, other->loc, "the first definition is here");
  return false;
}

static int count_values(const hy_written_func *written) {
  return written->stage_count ? hy_syntax_values(written->stages[0].rhs) : 1;
}

// ALG.Valid.Parts (decision D80): a func has as many values as its pure stage, 1 to 8
static bool check_values(builder *b, const hy_written_func *written) {
  int values = count_values(written);
  if (values <= HY_MAX_PARTS) return true;
  hy_context_hit(b->context, HY_RULE_ALG_VALID_PARTS_NOT);
  hy_report(b->diagnostics, HY_E_TUPLE_VALUES, written->stages[0].loc, NULL, "use several funcs",
            "a func has at most %d values, but '%s' has %d", HY_MAX_PARTS, written->name.text, values);
  return false;
}

static hy_func *make_func(builder *b, const hy_written_func *written, int position) {
  hy_func *func = HY_NEW(b->arena, hy_func);
  int rank = written->rank < HY_MAX_RANK ? written->rank : HY_MAX_RANK, values = count_values(written);
  const char **dims = HY_NEW_ARRAY(b->arena, const char *, rank);
  for (int d = 0; d < rank; d++) dims[d] = written->dims[d].text;
  *func = (hy_func){.name = written->name.text,
                    .index = (uint32_t)(b->alg->image_count + position),
                    .rank = rank,
                    .dims = dims,
                    .more = (values < HY_MAX_PARTS ? values : HY_MAX_PARTS) - 1,
                    .loc = written->name.loc};
  return func;
}

static void make_pure_vars(func_builder *f) {
  const hy_var **vars = HY_NEW_ARRAY(f->b->arena, const hy_var *, f->func->rank);
  for (int d = 0; d < f->func->rank; d++)
    vars[d] = hy_var_new(f->b->context, HY_VAR_PURE, HY_INT, f->func->dims[d], f->func, d, 0);
  f->definition->vars = vars;
  f->b->scope.pure = vars;
  f->b->scope.rank = f->func->rank;
}

/* -- reading -- */

// What the call of a helper gives as a bound of a reduction there: both places are told.
static hy_typed *read_bound(func_builder *f, const hy_syntax *bound, const char *what) {
  hy_diagnostics *diagnostics = f->b->diagnostics;
  size_t before = hy_diagnostics_errors(diagnostics);
  hy_typed *typed = hy_elaboration_read(f->elaboration, bound);
  hy_elaboration_want(f->elaboration, typed, HY_INT, what);
  const hy_syntax *stored = hy_syntax_stored(bound);
  if (!hy_syntax_helper(stored) || hy_diagnostics_errors(diagnostics) == before) return typed;
  hy_note(diagnostics, hy_diagnostics_at(diagnostics, hy_diagnostics_count(diagnostics) - 1)->code, stored->loc,
          "it bounds this reduction of the helper '%s'", hy_syntax_helper(stored));
  return typed;
}

static void read_rdoms(func_builder *f, int j) {
  const hy_written_stage *written = &f->written->stages[j];
  typed_stage *typed = &f->typed[j];
  builder *b = f->b;
  b->scope.rdoms.count = 0;
  hy_valid_rdom_names(&b->scope, written);
  typed->rdoms = HY_NEW_ARRAY(b->arena, const hy_var *, written->rdom_count);
  typed->bounds = HY_NEW_ARRAY(b->arena, hy_typed *, 2 * written->rdom_count);
  for (int i = 0; i < written->rdom_count; i++) {
    const char *name = written->rdoms[i].name.text;
    typed->rdoms[i] = hy_var_new(b->context, HY_VAR_RDOM, HY_INT, name, f->func, i, j);
    hy_vec_push(&b->scope.rdoms, typed->rdoms[i]);
  }
  b->scope.in_bounds = true;
  for (int i = 0; i < written->rdom_count; i++) {
    typed->bounds[2 * i] = read_bound(f, written->rdoms[i].min, "the minimum of an rdom");
    typed->bounds[2 * i + 1] = read_bound(f, written->rdoms[i].len, "the length of an rdom");
  }
  b->scope.in_bounds = false;
}

// ALG.Valid.Arity (definition 4.5, "function arity matching"), for left sides
static void read_left_side(func_builder *f, int j) {
  const hy_written_stage *written = &f->written->stages[j];
  int rank = f->func->rank, given = written->lhs_count;
  for (int d = 0; d < given; d++) {
    hy_typed *coordinate = hy_elaboration_read(f->elaboration, written->lhs[d]);
    hy_elaboration_want(f->elaboration, coordinate, HY_INT, "a coordinate");
    if (d < HY_MAX_RANK) f->typed[j].lhs[d] = coordinate;
  }
  hy_context_hit(f->b->context, given == rank ? HY_RULE_ALG_VALID_ARITY : HY_RULE_ALG_VALID_ARITY_NOT);
  if (given == rank) return;
  hy_report(f->b->diagnostics, HY_E_UPDATE_ARITY, written->lhs_loc, "definition 4.5, arity",
            rank ? "write one coordinate for each dimension" : "write () <- e",
            "'%s' has %d dimension%s, but this left side has %d coordinate%s", f->func->name, rank,
            rank == 1 ? "" : "s", given, given == 1 ? "" : "s");
}

static void read_stage(func_builder *f, int j) {
  const hy_written_stage *written = &f->written->stages[j];
  typed_stage *typed = &f->typed[j];
  f->b->scope.unreadable = j ? NULL : f->func;
  if (j) read_rdoms(f, j);
  if (j) read_left_side(f, j);
  typed->rhs = hy_elaboration_read_values(f->elaboration, f->func, written->rhs);
  hy_elaboration_want_own(f->elaboration, typed->rhs);
  if (!written->predicate) return;
  typed->predicate = hy_elaboration_read(f->elaboration, written->predicate);
  hy_elaboration_want(f->elaboration, typed->predicate, HY_BOOL, "the predicate of an update");
}

/* -- building -- */

static const hy_rdom *build_rdoms(func_builder *f, int j) {
  const hy_written_stage *written = &f->written->stages[j];
  const typed_stage *typed = &f->typed[j];
  hy_rdom *rdoms = HY_NEW_ARRAY(f->b->arena, hy_rdom, written->rdom_count);
  for (int i = 0; i < written->rdom_count; i++) {
    rdoms[i].var = typed->rdoms[i];
    rdoms[i].loc = written->rdoms[i].name.loc;
    rdoms[i].interval.min = hy_elaboration_build(f->elaboration, typed->bounds[2 * i], NULL);
    rdoms[i].interval.len = hy_elaboration_build(f->elaboration, typed->bounds[2 * i + 1], NULL);
    if (!rdoms[i].interval.min || !rdoms[i].interval.len) return NULL;
    HY_ASSERT(hy_expr_is_startup(rdoms[i].interval.min) && hy_expr_is_startup(rdoms[i].interval.len));
    hy_context_hit(f->b->context, HY_RULE_ALG_VALID_RDOM_STARTUP);
  }
  return rdoms;
}

static const hy_expr *const *build_left_side(func_builder *f, int j, hy_access_sites *sites) {
  const hy_expr **lhs = HY_NEW_ARRAY(f->b->arena, const hy_expr *, f->func->rank);
  for (int d = 0; d < f->func->rank; d++) {
    lhs[d] = j ? hy_elaboration_build(f->elaboration, f->typed[j].lhs[d], sites)
               : hy_expr_var(f->b->context, f->definition->vars[d]);
    if (!lhs[d]) return NULL;
  }
  return lhs;
}

static void keep_sums(func_builder *f, hy_stage *stage) {
  hy_sum_site *sums = hy_elaboration_take_sums(f->elaboration, f->b->arena, &stage->sum_count);
  for (int i = 0; i < stage->sum_count; i++) sums[i].is_inline = f->written->made_for && sums[i].sum == stage->rhs;
  stage->sums = sums;
}

static bool build_stage(func_builder *f, int j, hy_stage *stage) {
  const typed_stage *typed = &f->typed[j];
  hy_access_sites sites = {0};
  *stage = (hy_stage){.loc = f->written->stages[j].loc, .rdom_count = f->written->stages[j].rdom_count};
  stage->rdoms = build_rdoms(f, j);
  stage->lhs = build_left_side(f, j, &sites);
  stage->rhs = hy_elaboration_build(f->elaboration, typed->rhs, &sites);
  if (typed->predicate) stage->predicate = hy_elaboration_build(f->elaboration, typed->predicate, &sites);
  bool good = stage->rdoms && stage->lhs && stage->rhs && (!typed->predicate || stage->predicate);
  hy_access_site *copy = HY_NEW_ARRAY(f->b->arena, hy_access_site, sites.count);
  if (sites.count) memcpy(copy, sites.data, sizeof *copy * sites.count);
  stage->accesses = copy;
  stage->access_count = (int)sites.count;
  keep_sums(f, stage);
  if (good) stage->pure = j ? hy_pure_dimensions(f->definition, stage) : (UINT32_C(1) << f->func->rank) - 1;
  hy_vec_free(&sites);
  return good;
}

static bool build_stages(func_builder *f) {
  hy_stage *stages = HY_NEW_ARRAY(f->b->arena, hy_stage, f->written->stage_count);
  bool good = true;
  for (int j = 0; j < f->written->stage_count; j++) good &= build_stage(f, j, &stages[j]);
  good &= hy_elaboration_finish(f->elaboration);
  if (!good) return false;
  if (f->written->stages[0].rhs->kind == HY_SYNTAX_START)
    stages[0].rhs = hy_expand_start_nearer(f->b->context, &stages[1], stages[0].rhs);
  f->definition->stages = stages;
  f->definition->stage_count = f->written->stage_count;
  for (int j = 0; j < f->written->stage_count; j++)
    good &= hy_valid_stage(&f->b->scope, f->definition, j, &f->written->stages[j]);
  return good;
}

// ALG.Valid.Types (definition 4.5, "common type checking rules for expressions")
static void make_stages(func_builder *f) {
  builder *b = f->b;
  size_t before = hy_diagnostics_errors(b->diagnostics);
  hy_scope scope = hy_alg_scope_of(&b->scope);
  f->elaboration = hy_elaboration_new(b->context, &scope, b->diagnostics);
  f->typed = HY_NEW_ARRAY(b->arena, typed_stage, f->written->stage_count);
  hy_elaboration_own(f->elaboration, f->func);
  b->scope.rdoms.count = 0;
  for (int j = 0; j < f->written->stage_count; j++) read_stage(f, j);
  b->scope.unreadable = NULL;
  bool typed = hy_elaboration_solve(f->elaboration);
  f->func->type = hy_elaboration_own_type(f->elaboration, 0);
  for (int i = 0; i < f->func->more; i++) f->func->more_types[i] = hy_elaboration_own_type(f->elaboration, i + 1);
  hy_context_hit(b->context, typed ? HY_RULE_ALG_VALID_TYPES : HY_RULE_ALG_VALID_TYPES_NOT);
  if (typed) build_stages(f);
  bool is_broken = hy_diagnostics_errors(b->diagnostics) > before || hy_elaboration_own_is_bad(f->elaboration);
  if (is_broken) hy_vec_push(&b->scope.broken, f->func);
  hy_elaboration_free(f->elaboration);
}

/* -- families -- */

// Members of a family are written once, at one place; so is what stands for funcs in them.
static bool was_told(const builder *b, const hy_written_func *written) {
  for (size_t i = 0; i < b->told.count; i++)
    if (b->told.data[i].line == written->name.loc.line && b->told.data[i].column == written->name.loc.column)
      return true;
  return false;
}

static void note_member(builder *b, const hy_written_func *written, size_t errors_before) {
  if (!written->family || hy_diagnostics_errors(b->diagnostics) == errors_before) return;
  size_t count = hy_diagnostics_count(b->diagnostics);
  hy_note(b->diagnostics, hy_diagnostics_at(b->diagnostics, count - 1)->code, written->name.loc,
          "this is said of '%s'; other members of the family were not looked at", written->name.text);
  hy_vec_push(&b->told, written->name.loc);
}

static void build_definition(builder *b, int position, hy_definition *definition) {
  hy_written_func out = b->written->funcs[position];
  func_builder f = {.b = b, .written = &out, .definition = definition};
  b->scope.rank = 0;
  b->scope.made_for = out.made_for;
  b->scope.rdoms.count = 0;
  hy_declare_named(&b->scope, position);
  bool written_out = !out.is_short || hy_written_out(&b->scope, &b->written->funcs[position], &out);
  bool declared = declare_func(b, f.written);
  f.func = make_func(b, f.written, position);
  definition->func = f.func;
  definition->is_made = out.made_for != NULL;
  if (declared) hy_alg_scope_add(&b->scope, f.func);
  if (!written_out || !hy_valid_dims(&b->scope, f.written) || !check_values(b, f.written)) {
    hy_vec_push(&b->scope.broken, f.func);
    return;
  }
  make_pure_vars(&f);
  make_stages(&f);
}

// A func of which nothing is said any more: it is there, and is broken.
static void skip_definition(builder *b, int position, hy_definition *definition) {
  const hy_written_func *written = &b->written->funcs[position];
  hy_func *func = HY_NEW(b->arena, hy_func);
  *func = (hy_func){.name = written->name.text, .loc = written->name.loc};
  definition->func = func;
  if (!hy_alg_scope_func(&b->scope, func->name)) hy_alg_scope_add(&b->scope, func);
  hy_vec_push(&b->scope.broken, func);
}

static void make_definition(builder *b, int position, hy_definition *definition) {
  const hy_written_func *written = &b->written->funcs[position];
  size_t before = hy_diagnostics_errors(b->diagnostics);
  if (written->family && was_told(b, written)) {
    hy_declare_named(&b->scope, position);
    skip_definition(b, position, definition);
    return;
  }
  build_definition(b, position, definition);
  note_member(b, written, before);
}

/* -- the whole -- */

static void report_no_output(builder *b, const hy_written_name *name, const hy_func *image) {
  hy_report(b->diagnostics, HY_E_OUTPUT_LIST, name->loc, "ALG.Valid.Outputs (decision D81)",
            image ? "write a func that reads it, fun f(x, y) = in(x, y); and list that"
                  : "the outputs are funcs of this pipeline: pipeline p(...) -> (f, g) { ... }",
            image ? "the output '%s' is an image" : "the output '%s' is not a func of the pipeline", name->text);
}

// ALG.Valid.Outputs (decision D81): what is listed are funcs of the pipeline, each once
static bool find_outputs(builder *b, const hy_func **funcs) {
  bool valid = true;
  for (int i = 0; i < b->written->output_count; i++) {
    const hy_written_name *name = &b->written->outputs[i];
    const hy_func *func = hy_alg_scope_func(&b->scope, name->text);
    if (!func || func->is_image) {
      report_no_output(b, name, func);
      funcs[i] = NULL;
      valid = false;
      continue;
    }
    funcs[i] = func;
    for (int j = 0; j < i; j++)
      if (funcs[j] == func) {
        hy_report(b->diagnostics, HY_E_OUTPUT_LIST, name->loc, "ALG.Valid.Outputs (decision D81)",
                  "list each output once", "'%s' is listed twice among the outputs", name->text);
        valid = false;
      }
  }
  hy_context_hit(b->context, valid ? HY_RULE_ALG_VALID_OUTPUTS : HY_RULE_ALG_VALID_OUTPUTS_NOT);
  return valid;
}

static void make_outputs(builder *b) {
  hy_alg *alg = b->alg;
  const hy_func *funcs[HY_MAX_OUTPUTS] = {NULL};
  bool listed = b->written->output_count && find_outputs(b, funcs);
  if (!listed) funcs[0] = alg->definitions[alg->definition_count - 1].func; // of a pipeline that is refused, perhaps
  hy_alg_set_outputs(b->context, alg, funcs, listed ? b->written->output_count : 1);
}

static void make_definitions(builder *b, size_t first_error) {
  hy_definition *definitions = HY_NEW_ARRAY(b->arena, hy_definition, b->written->func_count);
  b->alg->definitions = definitions;
  for (int i = 0; i < b->written->func_count; i++) {
    make_definition(b, i, &definitions[i]);
    b->alg->definition_count = i + 1;
    if (hy_diagnostics_errors(b->diagnostics) - first_error < HY_MAX_SYNTAX_ERRORS) continue;
    hy_note(b->diagnostics, HY_E_TOO_MANY_ERRORS, b->written->funcs[i].name.loc,
            "too many errors; what follows this func was not looked at");
    break;
  }
}

const hy_alg *hy_parse_alg(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  const hy_written_pipeline *written = hy_parse_pipeline(context, source, diagnostics);
  if (written) written = hy_items_out(context, written, diagnostics);
  if (!written) return NULL;
  size_t before = hy_diagnostics_errors(diagnostics);
  written = hy_helpers_out(context, written, diagnostics);
  written = hy_reductions_out(context, written, diagnostics);
  written = hy_tuples_out(context, written, diagnostics);
  if (!written) return NULL;
  hy_arena *arena = hy_context_arena(context);
  builder b = {.context = context, .arena = arena, .diagnostics = diagnostics, .written = written};
  b.alg = HY_NEW(arena, hy_alg);
  b.alg->name = written->name.text;
  b.alg->loc = written->name.loc;
  b.alg->floats_in_any_order = written->floats == HY_FLOATS_REAL;
  hy_named *named = HY_NEW_ARRAY(arena, hy_named, written->named_count);
  b.scope =
      (hy_alg_scope){.named = named, .context = context, .diagnostics = diagnostics, .written = written, .alg = b.alg};
  hy_alg_scope_open(&b.scope);
  make_signature(&b);
  b.alg->about = hy_about_params(context, written, diagnostics);
  make_definitions(&b, before);
  hy_declare_named(&b.scope, written->func_count);
  b.alg->requirements = hy_make_requirements(&b.scope, &b.alg->requirement_count);
  make_outputs(&b);
  hy_alg_scope_close(&b.scope);
  hy_vec_free(&b.told);
  return hy_diagnostics_errors(diagnostics) == before ? b.alg : NULL;
}
