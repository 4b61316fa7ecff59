#include "proofs_tests/theorems/theorems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- files -- */

static char *read_text(const char *path) {
  char full[512];
  snprintf(full, sizeof full, HALYARD_SOURCE_DIR "/%s", path);
  FILE *file = fopen(full, "rb");
  ck_assert_msg(file != NULL, "cannot read %s", full);
  char *text = hy_allocate_zeroed(1 << 16, 1);
  size_t length = fread(text, 1, (1 << 16) - 1, file);
  ck_assert_uint_lt(length, (1 << 16) - 1);
  fclose(file);
  return text;
}

// The programs that people wrote: an algorithm, a file of schedules (NULL: the default schedule), and which of them.
static const struct {
  const char *alg, *schedules;
  int number;
} written[] = {
    {"apps/box_blur.alg", NULL, 0},
    {"apps/box_blur.alg", "apps/box_blur.sched", 0},
    {"apps/box_blur.alg", "apps/box_blur.sched", 1},
    {"apps/box_blur.alg", "apps/box_blur.sched", 2},
    {"apps/box_blur.alg", "apps/box_blur.sched", 3},
    {"apps/box_blur.alg", "apps/box_blur.sched", 4},
    {"apps/box_blur.alg", "apps/box_blur.sched", 5},
    {"apps/box_blur.alg", "apps/box_blur.sched", 6},
    {"apps/box_blur.alg", "apps/box_blur.sched", 7},
    {"apps/box_blur.alg", "proofs_tests/golden/bounds.sched", 0},
    {"apps/figure1.alg", NULL, 0},
    {"apps/figure1.alg", "apps/figure1.sched", 0},
    {"apps/figure1.alg", "apps/figure1.sched", 1},
    {"apps/figure1.alg", "apps/figure1.sched", 2},
    {"apps/figure1.alg", "proofs_tests/golden/specialize.sched", 0},
    {"apps/histogram.alg", NULL, 0},
    {"apps/histogram.alg", "apps/histogram.sched", 0},
    {"apps/histogram.alg", "apps/histogram.sched", 1},
    {"apps/histogram.alg", "apps/histogram.sched", 2},
    {"apps/histogram.alg", "apps/histogram.sched", 3},
    {"apps/scene.alg", "apps/scene.sched", 0},
    {"proofs_tests/golden/scan.alg", NULL, 0},
    {"proofs_tests/golden/pair.alg", "proofs_tests/golden/pair.sched", 0},
};

int theorem_written(void) { return (int)HY_COUNT(written); }

/* -- opening -- */

static void must_schedule(theorem_program *t) {
  bool fine = t->test.parsed && hy_pipeline_schedule(&t->test.pipeline, t->test.diagnostics) &&
              hy_pipeline_fill(&t->test.pipeline, t->test.diagnostics);
  ck_assert_msg(fine, "%s: %s", t->name, test_program_said(&t->test));
}

void theorem_open_text(theorem_program *t, const char *alg, const char *items) {
  *t = (theorem_program){0};
  snprintf(t->name, sizeof t->name, "%.70s", items && *items ? items : alg);
  test_program_open(&t->test, alg, items);
  must_schedule(t);
}

static void open_written(theorem_program *t, int index) {
  const char *path = written[index].schedules;
  snprintf(t->name, sizeof t->name, "%s, %s:%d", written[index].alg, path ? path : "default", written[index].number);
  t->alg = read_text(written[index].alg);
  test_program_open(&t->test, t->alg, "");
  if (path) {
    t->schedules = read_text(path);
    hy_source source = {path, t->schedules, strlen(t->schedules)};
    const hy_schedule *schedules;
    int count;
    const hy_alg *alg = t->test.pipeline.alg;
    ck_assert(hy_parse_schedules(t->test.context, &source, t->test.diagnostics, &schedules, &count));
    ck_assert_int_lt(written[index].number, count);
    hy_pipeline_init(&t->test.pipeline, t->test.context, alg, &schedules[written[index].number], NULL);
  }
  must_schedule(t);
}

static bool open_generated(theorem_program *t, uint64_t seed, int favourite) {
  hy_walk walk;
  hy_choices choices = hy_choices_of_seed(seed);
  hy_generate_options options = {.favourite = favourite};
  t->is_generated = true;
  snprintf(t->name, sizeof t->name, "the pair of seed %llu, favouring %d", (unsigned long long)seed, favourite);
  ck_assert_msg(hy_case_generate(&choices, &options, &t->pair, &walk), "%s is refused", t->name);
  test_program_open(&t->test, t->pair.alg, t->pair.items);
  return t->test.parsed && !t->pair.illegal && hy_pipeline_schedule(&t->test.pipeline, t->test.diagnostics) &&
         hy_pipeline_fill(&t->test.pipeline, t->test.diagnostics);
}

bool theorem_open_favouring(int index, int favourite, theorem_program *t) {
  *t = (theorem_program){0};
  if (index < theorem_written()) {
    open_written(t, index);
    return true;
  }
  if (open_generated(t, THEOREM_SEED + (uint64_t)(index - theorem_written()), favourite)) return true;
  theorem_close(t);
  return false;
}

bool theorem_open(int index, theorem_program *t) { return theorem_open_favouring(index, HY_NO_DIRECTIVE, t); }

void theorem_close(theorem_program *t) {
  test_program_close(&t->test);
  if (t->is_generated) hy_case_free(&t->pair);
  free(t->alg);
  free(t->schedules);
}

const hy_tgt *theorem_fill(theorem_program *t, int step) {
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  const hy_tgt *filled = hy_oracle_fill(t->test.context, t->test.pipeline.steps[step], diagnostics);
  hy_diagnostics_free(diagnostics);
  return filled;
}

/* -- members of BI(S) -- */

enum { Z3_MS = 40 }; // what neither decides quickly is not claimed to be a member

static bool decide(theorem_program *t, const hy_query *query, theorem_verdict *verdict) {
  hy_oracle_report report;
  hy_oracle_options options = {.z3_limit = Z3_MS};
  hy_oracle_decide(t->test.context, query, &options, &report);
  if (verdict)
    *verdict = (theorem_verdict){report.count, report.proved, report.proved_z3, report.refuted, report.unknown};
  return report.proved == report.count; // nothing rests on Z3 alone
}

bool theorem_member(theorem_program *t, const hy_tgt *filled, theorem_verdict *verdict) {
  return decide(t, hy_query_extract(t->test.context, filled), verdict);
}

bool theorem_accepted_but(theorem_program *t, const hy_tgt *filled, int kind) {
  const hy_query *query = hy_query_extract(t->test.context, filled);
  hy_prover *prover = hy_prover_new(t->test.context);
  bool all = true;
  for (size_t i = 0; all && i < query->count; i++) {
    const hy_obligation *o = &query->obligations[i];
    if ((int)o->kind == kind || o->decided_by_range) continue;
    all = hy_prover_holds(prover, o->facts, o->fact_count, o->goal) == HY_YES;
  }
  hy_prover_free(prover);
  return all;
}

/* -- other fills: the scheduled and the filled program have one shape -- */

typedef struct {
  const hy_hole *hole;
  const hy_expr *fill;
} pair;
typedef struct {
  hy_context *context;
  HY_VEC(pair) fills;
  const int64_t *low, *high;
  int64_t spare;
  theorem_shape shape;
  bool memory_alone; // the shape is that of allocations; computations are wider by constants
} refiller;

static void learn(refiller *r, const hy_expr *hole, const hy_expr *fill) {
  if (hole->kind != HY_EXPR_HOLE) return;
  for (size_t i = 0; i < r->fills.count; i++)
    if (r->fills.data[i].hole == hole->hole) return;
  hy_vec_push(&r->fills, (pair){hole->hole, fill});
}

static void learn_interval(refiller *r, hy_interval hole, hy_interval fill) {
  learn(r, hole.min, fill.min);
  learn(r, hole.len, fill.len);
}

static void learn_statement(refiller *r, const hy_stmt *a, const hy_stmt *b) {
  if (a->kind != b->kind) return;
  for (int d = 0; a->kind == HY_STMT_ALLOCATE && d < a->allocate.func->rank; d++)
    learn_interval(r, a->allocate.box[d], b->allocate.box[d]);
  for (int d = 0; a->kind == HY_STMT_COMPUTE && d < a->compute.func->rank; d++)
    learn_interval(r, a->compute.box[d], b->compute.box[d]);
  if (a->kind == HY_STMT_FOR) learn_interval(r, a->loop.interval, b->loop.interval);
  if (a->kind == HY_STMT_LET && a->let.origin.relation) learn_interval(r, a->let.origin.range, b->let.origin.range);
  const hy_stmt *const *x, *room_x[2], *const *y, *room_y[2];
  int count = hy_stmt_children(a, &x, room_x);
  if (hy_stmt_children(b, &y, room_y) != count) return;
  for (int i = 0; i < count; i++) learn_statement(r, x[i], y[i]);
}

static const hy_expr *number(const refiller *r, int64_t n) { return hy_expr_int(r->context, n); }

// The interval, wider by constants, in another shape that holds it: what lies in it does so whatever lies around.
static hy_interval shaped(const refiller *r, theorem_shape shape, hy_interval i) {
  enum { BLOCK = 8, FAR = 40 };
  hy_context *c = r->context;
  const hy_expr *end = hy_index_add(c, i.min, i.len);
  switch (shape) {
  case THEOREM_CONSTANTS:
  case THEOREM_SHAPES: return i;
  case THEOREM_LENGTHS: // as much again on either side
    return (hy_interval){hy_index_sub(c, i.min, i.len), hy_index_mul(c, i.len, number(r, 3))};
  case THEOREM_BLOCKS: // whole blocks
    i.min = hy_index_mul(c, hy_index_div(c, i.min, number(r, BLOCK)), number(r, BLOCK));
    end = hy_index_mul(c, hy_index_div(c, hy_index_add(c, end, number(r, BLOCK - 1)), number(r, BLOCK)),
                       number(r, BLOCK));
    return (hy_interval){i.min, hy_index_sub(c, end, i.min)};
  case THEOREM_HULLS: // with points that have nothing to do with it
    i.min = hy_index_min(c, i.min, number(r, 0));
    end = hy_expr_binary(c, HY_OP_MAX, end, number(r, FAR));
    return (hy_interval){i.min, hy_index_sub(c, end, i.min)};
  }
  HY_UNREACHABLE();
}

static const hy_expr *fill_of(const refiller *r, const hy_hole *hole, bool is_len) {
  for (size_t i = 0; i < r->fills.count; i++) {
    const hy_hole *h = r->fills.data[i].hole;
    if (h->kind == hole->kind && h->func == hole->func && h->dim == hole->dim && h->loop == hole->loop &&
        h->is_len == is_len)
      return r->fills.data[i].fill;
  }
  return NULL;
}

static const hy_expr *refill_node(void *self, const hy_expr *node) {
  refiller *r = self;
  if (node->kind != HY_EXPR_HOLE) return node;
  const hy_hole *hole = node->hole;
  bool is_memory = hole->kind == HY_HOLE_MEM;
  int64_t spare = is_memory ? r->spare : 0;
  int64_t low = r->low[hole->func->index] + spare, high = r->high[hole->func->index] + spare;
  hy_interval i = {fill_of(r, hole, false), fill_of(r, hole, true)};
  if (hole->is_len ? !i.len : !i.min) return node;
  if (i.min) i.min = hy_index_sub(r->context, i.min, number(r, low));
  if (i.len) i.len = hy_index_add(r->context, i.len, number(r, low + high));
  if (i.min && i.len) i = shaped(r, is_memory || !r->memory_alone ? r->shape : THEOREM_CONSTANTS, i);
  return hole->is_len ? i.len : i.min;
}

static const hy_expr *refill_expr(void *self, const hy_expr *expr) {
  refiller *r = self;
  return expr->has_hole ? hy_expr_map(r->context, expr, refill_node, r) : expr;
}

typedef struct {
  hy_context *context;
  const hy_func *image;
  int64_t low, high;
} widener;

// match: in.min(d) <= LOW and END <= in.min(d) + in.len(d), what an image check is made of
static const hy_expr *widen_check(void *self, const hy_expr *node) {
  widener *w = self;
  if (node->kind != HY_EXPR_OP || node->op != HY_OP_LE) return node;
  const hy_expr *a = node->args[0], *b = node->args[1];
  if (a->kind == HY_EXPR_VAR && a->var->kind == HY_VAR_IMAGE_MIN && a->var->func == w->image)
    return hy_expr_binary(w->context, HY_OP_LE, a, hy_index_sub(w->context, b, hy_expr_int(w->context, w->low)));
  if (b->kind == HY_EXPR_OP && b->op == HY_OP_ADD && b->args[1]->kind == HY_EXPR_VAR &&
      b->args[1]->var->kind == HY_VAR_IMAGE_LEN && b->args[1]->var->func == w->image)
    return hy_expr_binary(w->context, HY_OP_LE, hy_index_add(w->context, a, hy_expr_int(w->context, w->high)), b);
  return node;
}

static const hy_stmt *const *widen_entry(refiller *r, const hy_tgt *filled) {
  const hy_stmt **entry = HY_NEW_ARRAY(hy_context_arena(r->context), const hy_stmt *, filled->entry_count);
  for (int i = 0; i < filled->entry_count; i++) {
    const hy_stmt *check = entry[i] = filled->entry[i];
    if (check->assume.why != HY_ASSUME_IMAGE) continue;
    const hy_func *image = check->assume.subject;
    widener w = {r->context, image, r->low[image->index], r->high[image->index]};
    entry[i] = hy_stmt_assume(r->context, HY_ASSUME_IMAGE, image,
                              hy_expr_map(r->context, check->assume.condition, widen_check, &w));
  }
  return entry;
}

// What is assumed of a func's need (D43) stays as it is: the oracle has left out what it knows of it.
static const hy_stmt *keep_needs(hy_context *context, const hy_stmt *stmt, const hy_stmt *filled) {
  if (stmt->kind == HY_STMT_ASSUME) return stmt->assume.condition->has_hole ? filled : stmt;
  const hy_stmt *const *x, *room_x[2], *const *y, *room_y[2], *fresh[64];
  int count = hy_stmt_children(stmt, &x, room_x);
  if (hy_stmt_children(filled, &y, room_y) != count) return stmt;
  for (int i = 0; i < count; i++) fresh[i] = keep_needs(context, x[i], y[i]);
  return hy_stmt_with_children(context, stmt, fresh, count);
}

static const hy_tgt *refill(refiller *r, const hy_tgt *scheduled, const hy_tgt *filled) {
  learn_statement(r, scheduled->body, filled->body);
  hy_tgt *other = HY_NEW(hy_context_arena(r->context), hy_tgt);
  *other = *filled;
  other->entry = widen_entry(r, filled);
  other->body = hy_stmt_map_exprs(r->context, scheduled->body, refill_expr, r);
  other->body = keep_needs(r->context, other->body, filled->body);
  hy_vec_free(&r->fills);
  return other;
}

const hy_tgt *theorem_refill(theorem_program *t, const hy_tgt *scheduled, const hy_tgt *filled, const int64_t *low,
                             const int64_t *high, int64_t spare) {
  refiller r = {.context = t->test.context, .low = low, .high = high, .spare = spare};
  return refill(&r, scheduled, filled);
}

// What an image has to hold grows by constants alone: then computations do, too, and allocations have the shape.
static const hy_tgt *widened_by(theorem_program *t, const hy_tgt *scheduled, const hy_tgt *filled, int64_t output,
                                theorem_shape shape) {
  int64_t by[64] = {0};
  int images = scheduled->alg->image_count, count = scheduled->func_count;
  for (int i = 0; i < count; i++) {
    ck_assert_uint_lt(scheduled->funcs[i]->index, HY_COUNT(by));
    by[scheduled->funcs[i]->index] = output + count - 1 - i;
  }
  for (int k = 0; k < images; k++) by[k] = output + count + 16;
  refiller r = {.context = t->test.context, .low = by, .high = by, .spare = 16, .shape = shape};
  r.memory_alone = images > 0;
  return refill(&r, scheduled, filled);
}

const hy_tgt *theorem_widened(theorem_program *t, const hy_tgt *scheduled, const hy_tgt *filled, theorem_shape *shape) {
  for (bool first = true; first || *shape != THEOREM_CONSTANTS; first = false) {
    if (!first) *shape = THEOREM_CONSTANTS; // what neither decides quickly is not claimed to be a member
    for (int64_t output = 1; output >= 0; output--) {
      const hy_tgt *wide = widened_by(t, scheduled, filled, output, *shape);
      if (theorem_member(t, wide, NULL)) return wide;
    }
  }
  return NULL;
}

/* -- broken programs -- */

static const hy_stmt *edited(hy_context *context, const hy_stmt *stmt, theorem_change *change) {
  const hy_stmt *const *children, *room[2], *fresh[64];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, 64);
  for (int i = 0; i < count; i++) fresh[i] = edited(context, children[i], change);
  return change(context, hy_stmt_with_children(context, stmt, fresh, count));
}

const hy_tgt *theorem_edit(hy_context *context, const hy_tgt *tgt, theorem_change *change) {
  hy_tgt *other = HY_NEW(hy_context_arena(context), hy_tgt);
  *other = *tgt;
  other->body = edited(context, tgt->body, change);
  return other;
}
