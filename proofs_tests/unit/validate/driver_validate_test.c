/* Per-directive validation: wrong rewrites, each caught at the levels that its row states, by name of the level; and
 * all of apps/ passing. Decisions D31 to D38 are what the wrong ones get wrong.
 */

#include "cli/reports/validate_report.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/validations.h"
#include "sched/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE "pipeline one(in: u8[1]) { fun o(x) = in(x) + 1; }"
#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) { fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;"                           \
  " fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3; }"
#define SUMS                                                                                                           \
  "pipeline sums(in: u8[2]) { fun s(x) = { 0; rdom(r = (0, 5), q = (0, 3)) in (x) <- s(x) * 3 + u32(in(x + r, q)); };" \
  " fun o(x) = s(x) + s(x + 1); }"
#define LEAST                                                                                                          \
  "pipeline least(in: i16[1]) { fun f(x) = { i16(32767); rdom(r = (0, 2)) in (x) <- min(f(x), in(x + r) | i16(256)); " \
  "};"                                                                                                                 \
  " fun o(x) = f(x); }"
#define ADDED "pipeline added(in: u8[1]) { fun o(x) = { u32(0); (x) <- o(x) * 3 + u32(in(x)); }; }"

/* -- ways to be wrong -- */

typedef const hy_stmt *edit(hy_context *context, const hy_stmt *stmt);

// Bottom-up: every statement is put through "change".
static const hy_stmt *edited(hy_context *context, const hy_stmt *stmt, edit *change) {
  const hy_stmt *const *children, *room[2], *fresh[32];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_le(count, 32);
  for (int i = 0; i < count; i++) fresh[i] = edited(context, children[i], change);
  return change(context, hy_stmt_with_children(context, stmt, fresh, count));
}

static bool is_loop(const hy_stmt *stmt, const char *name) {
  return stmt->kind == HY_STMT_FOR && strcmp(stmt->loop.var->name, name) == 0;
}

static const hy_stmt *with_length(hy_context *context, const hy_stmt *loop, const hy_expr *len) {
  return hy_stmt_for(context, loop->loop.var, loop->loop.is_pure, loop->loop.traversal,
                     (hy_interval){loop->loop.interval.min, len}, loop->loop.body);
}

static const hy_stmt *keep_all(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt;
}

static bool is_guard(const hy_stmt *stmt) { return stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_GUARD; }

static const hy_stmt *move_guard(hy_context *context, const hy_stmt *stmt, int64_t by) {
  if (!is_guard(stmt)) return stmt;
  const hy_expr *c = stmt->branch.condition, *end = hy_index_add(context, c->args[1], hy_expr_int(context, by));
  return hy_stmt_if(context, HY_IF_GUARD, hy_expr_binary(context, c->op, c->args[0], end), stmt->branch.then, NULL);
}

static const hy_stmt *guard_too_early(hy_context *context, const hy_stmt *stmt) {
  return move_guard(context, stmt, -1);
}
static const hy_stmt *guard_too_late(hy_context *context, const hy_stmt *stmt) { return move_guard(context, stmt, 1); }
static const hy_stmt *no_guard(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return is_guard(stmt) ? stmt->branch.then : stmt;
}

// The last block, which may not be full, is forgotten: floor in place of ceil (D23).
static const hy_stmt *floor_blocks(hy_context *context, const hy_stmt *stmt) {
  if (!is_loop(stmt, "xo") && !is_loop(stmt, "ro")) return stmt;
  const hy_expr *len = stmt->loop.interval.len, *less = hy_index_sub(context, len, hy_expr_int(context, 1));
  return with_length(context, stmt, less);
}

static const hy_stmt *longer_blocks(hy_context *context, const hy_stmt *stmt) {
  if (!is_loop(stmt, "xi")) return stmt;
  return with_length(context, stmt, hy_index_add(context, stmt->loop.interval.len, hy_expr_int(context, 1)));
}

static const hy_stmt *shorter_blocks(hy_context *context, const hy_stmt *stmt) {
  if (!is_loop(stmt, "xi") && !is_loop(stmt, "ri")) return stmt;
  return with_length(context, stmt, hy_index_sub(context, stmt->loop.interval.len, hy_expr_int(context, 1)));
}

// Exchanges the loop called "q" with the one inside, whatever they are.
static const hy_stmt *exchange(hy_context *context, const hy_stmt *stmt, const char *name) {
  if (!is_loop(stmt, name) || stmt->loop.body->kind != HY_STMT_FOR) return stmt;
  const hy_stmt *inner = stmt->loop.body, *below = inner->loop.body;
  const hy_stmt *lower = hy_stmt_with_children(context, stmt, &below, 1);
  return hy_stmt_with_children(context, inner, &lower, 1);
}
static const hy_stmt *exchange_q(hy_context *context, const hy_stmt *stmt) { return exchange(context, stmt, "q"); }
static const hy_stmt *exchange_ro(hy_context *context, const hy_stmt *stmt) { return exchange(context, stmt, "ro"); }
static const hy_stmt *exchange_xo(hy_context *context, const hy_stmt *stmt) { return exchange(context, stmt, "xo"); }

static const hy_stmt *no_predicate(hy_context *context, const hy_stmt *stmt) {
  (void)context;
  return stmt->kind == HY_STMT_IF && stmt->branch.why == HY_IF_USER ? stmt->branch.then : stmt;
}

// What it adds once, an update adds twice.
static const hy_stmt *another_value(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.stage == 0) return stmt;
  const hy_expr *twice = hy_expr_binary(context, HY_OP_ADD, stmt->assign.rhs, stmt->assign.rhs);
  return hy_stmt_assign(context, stmt->assign.func, stmt->assign.spec, stmt->assign.stage, stmt->assign.lhs, twice);
}

// A loop that was not asked about: bh's x.
static const hy_stmt *unroll_another(hy_context *context, const hy_stmt *stmt) {
  if (!is_loop(stmt, "x") || strcmp(stmt->loop.var->func->name, "bh") != 0) return stmt;
  return hy_stmt_for(context, stmt->loop.var, true, HY_UNROLLED, stmt->loop.interval, stmt->loop.body);
}

static const hy_expr *zero_for_hole(void *self, const hy_expr *expr) {
  return expr->kind == HY_EXPR_HOLE && expr->hole->kind == HY_HOLE_CPU && !expr->hole->is_len ? hy_expr_int(self, 0)
                                                                                              : expr;
}
static const hy_stmt *drop_hole(hy_context *context, const hy_stmt *stmt) {
  return stmt->kind == HY_STMT_COMPUTE ? hy_stmt_map_exprs(context, stmt, zero_for_hole, context) : stmt;
}

// The allocation's length for the computation's: a hole in place of another one.
static const hy_stmt *exchange_holes(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_COMPUTE || stmt->compute.func->rank < 2) return stmt;
  hy_interval box[HY_MAX_RANK];
  memcpy(box, stmt->compute.box, sizeof *box * (size_t)stmt->compute.func->rank);
  box[0].len = box[1].len;
  return hy_stmt_compute(context, stmt->compute.func, box, stmt->compute.body);
}

static const hy_stmt *larger_allocation(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_ALLOCATE || strcmp(stmt->allocate.func->name, "bh") != 0) return stmt;
  hy_interval box[HY_MAX_RANK];
  memcpy(box, stmt->allocate.box, sizeof *box * (size_t)stmt->allocate.func->rank);
  box[0].len = hy_index_add(context, box[0].len, hy_expr_int(context, 1));
  return hy_stmt_allocate_as(context, stmt->allocate.func, box, stmt->allocate.plan);
}

static const hy_stmt *transpose(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_ASSIGN || stmt->assign.func->rank != 2) return stmt;
  const hy_expr *lhs[2] = {stmt->assign.lhs[1], stmt->assign.lhs[0]};
  return hy_stmt_assign(context, stmt->assign.func, stmt->assign.spec, stmt->assign.stage, lhs, stmt->assign.rhs);
}

static const hy_stmt *one_dimension_twice(hy_context *context, const hy_stmt *stmt) {
  if (!is_loop(stmt, "q")) return stmt;
  return with_length(context, stmt, hy_expr_int(context, 2)); // an rdom loses its last value
}

// The parts of a least number begin with one that is not the greatest of its type.
static const hy_stmt *begins_too_low(hy_context *context, const hy_stmt *stmt) {
  if (stmt->kind != HY_STMT_ASSIGN || strcmp(stmt->assign.func->name, "i") != 0 || stmt->assign.stage) return stmt;
  const hy_expr *low = hy_expr_const(context, hy_value_integral(HY_I16, 127));
  return hy_stmt_assign(context, stmt->assign.func, stmt->assign.spec, 0, stmt->assign.lhs, low);
}

/* -- the table -- */

typedef struct {
  const char *name, *alg, *items; // the last directive's result is edited
  edit *change;
  const char *levels; // broken; "" = nothing is wrong
} wrong_rewrite;

// LVL.Structure.Not, LVL.Trace.Not, LVL.Output.Not, LVL.Symbolic.Not
static const wrong_rewrite rewrites[] = {
    {"nothing is wrong", ONE, "split(o.x, xo, xi, 4);", keep_all, ""},
    {"nothing is wrong with a swap", BLUR, "swap(bv.y);", keep_all, ""},
    {"a split that forgets a point: its guard is off by one", ONE, "split(o.x, xo, xi, 4);", guard_too_early,
     "L1 L2 L3"},
    {"a split that forgets a point of an update", ADDED, "split(o.s1.x, xo, xi, 4);", guard_too_early, "L1 L2 L3"},
    {"a guard that comes one too late: an extra iteration", ONE, "split(o.x, xo, xi, 4);", guard_too_late, "L1 L2 L3"},
    {"a guard that is gone, of a reduction", SUMS, "split(s.s1.r, ro, ri, 2);", no_guard, "L1 L2 L3"},
    {"a guard that is gone, of a pure loop: points outside", ONE, "split(o.x, xo, xi, 4);", no_guard, "L1 L2 L3"},
    {"a split that forgets the last block (D23)", ONE, "split(o.x, xo, xi, 4);", floor_blocks, "L1 L2 L3"},
    {"a round that forgets the last block", ONE, "split(o.x, xo, xi, 4, round);", floor_blocks, "L1 L2 L3"},
    {"a shift that forgets the last block (D31)", ONE, "split(o.x, xo, xi, 4, shift);", floor_blocks, "L1 L2 L3"},
    {"a reduction that forgets its last block", SUMS, "split(s.s1.r, ro, ri, 2);", floor_blocks, "L1 L2 L3"},
    {"a reduction that loses a value per block", SUMS, "split(s.s1.r, ro, ri, 2);", shorter_blocks, "L1 L2 L3"},
    {"a split that visits points twice", ONE, "split(o.x, xo, xi, 4);", longer_blocks, "L1 L3"},
    {"a split that applies an update twice", ADDED, "split(o.s1.x, xo, xi, 4);", longer_blocks, "L1 L2 L3"},
    {"a split whose blocks are too short", ONE, "split(o.x, xo, xi, 4, round);", shorter_blocks, "L1 L2 L3"},
    {"two loops exchanged where the order was promised", ONE, "split(o.x, xo, xi, 4);", exchange_xo, "L1"},
    {"a reduction loop exchanged with a pure one where the order was promised", SUMS,
     "swap(s.s1.x); traverse(s.s1.r, unrolled);", exchange_q, "L1"},
    {"two reduction loops exchanged (D36)", SUMS, "traverse(s.s1.r, unrolled);", exchange_q, "L1 L2 L3"},
    {"nothing is wrong with parts of a reduction (D87)", SUMS, "split_reduction(s.s1.r, ro, ri, 2);", keep_all, ""},
    {"parts that forget the last block", SUMS, "split_reduction(s.s1.r, ro, ri, 2);", floor_blocks, "L0 L2"},
    {"parts that lose a value per block", SUMS, "split_reduction(s.s1.r, ro, ri, 2);", shorter_blocks, "L0 L2"},
    {"parts whose last block is not cut", SUMS, "split_reduction(s.s1.r, ro, ri, 2);", no_predicate, "L0 L2"},
    {"parts in another order", SUMS, "split_reduction(s.s1.r, ro, ri, 2);", exchange_ro, "L0 L2"},
    {"parts of another update", SUMS, "split_reduction(s.s1.r, ro, ri, 2);", another_value, "L0 L2"},
    {"nothing is wrong with partial results (D87)", LEAST, "rfactor(f.s1.r, u, i);", keep_all, ""},
    {"partial results that begin too low", LEAST, "rfactor(f.s1.r, u, i);", begins_too_low, "L0 L2"},
    {"an rdom that loses a value", SUMS, "traverse(s.s1.r, unrolled);", one_dimension_twice, "L0 L1 L2"},
    {"a dropped hole (D41)", BLUR, "traverse(bv.y, parallel);", drop_hole, "L0 L2 L3"},
    {"a hole for another one (D41)", BLUR, "swap(bv.y);", exchange_holes, "L0 L1 L2"},
    {"another func's loop changed", BLUR, "swap(bv.y);", unroll_another, "L0"},
    {"another func's loop changed by a move", BLUR, "compute_at(bh, bv.y);", unroll_another, "L0"},
    {"nothing is wrong with a storage plan", BLUR, "reorder_storage(bh, y, x);", keep_all, ""},
    {"a box changed by a storage plan", BLUR, "reorder_storage(bh, y, x);", larger_allocation, "L0"},
    {"a fold that is too small, which B.Fold refuses (D86)", BLUR, "compute_at(bh, bv.y); fold_storage(bh, y, 1);",
     keep_all, ""},
    {"a box changed by a fold", BLUR, "compute_at(bh, bv.y); fold_storage(bh, y, 4);", larger_allocation, "L0"},
    {"nothing is wrong with a slide", BLUR, "compute_at(bh, bv.y); slide(bh, bv.y);", keep_all, ""},
    {"a box changed by a slide", BLUR, "compute_at(bh, bv.y); slide(bh, bv.y);", larger_allocation, "L0"},
    {"a loop changed by a slide", BLUR, "compute_at(bh, bv.y); slide(bh, bv.y);", unroll_another, "L0"},
    {"indices exchanged by a slide", BLUR, "compute_at(bh, bv.y); slide(bh, bv.y);", transpose, "L0 L2"},
    {"indices exchanged", BLUR, "swap(bv.y);", transpose, "L0 L2"},
};

static void run_rewrite(const wrong_rewrite *row, hy_validation *out) {
  test_program p;
  char levels[16];
  test_program_open(&p, row->alg, row->items);
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s: %s", row->name,
                test_program_said(&p));
  test_validator *v = test_validator_open(&p, 140);
  int last = p.pipeline.core_count - 1;
  for (int i = 0; i < last; i++) {
    test_validator_step(v, &p.pipeline.core[i], p.pipeline.steps[i + 1], out);
    ck_assert_str_eq(test_broken_levels(out, levels), "");
  }
  hy_tgt wrong = *p.pipeline.steps[last + 1];
  wrong.body = edited(p.context, wrong.body, row->change);
  test_validator_step(v, &p.pipeline.core[last], &wrong, out);
  hy_level first = hy_validation_broken(out);
  ck_assert_msg(strcmp(test_broken_levels(out, levels), row->levels) == 0,
                "%s: broken at [%s], not [%s]; first: %s; L3: %s", row->name, levels, row->levels,
                first < HY_LEVEL_COUNT ? out->levels[first].story : "none",
                out->levels[HY_LEVEL_SYMBOLIC].story ? out->levels[HY_LEVEL_SYMBOLIC].story : "");
  if (first < HY_LEVEL_COUNT) ck_assert_ptr_nonnull(out->levels[first].story);
  test_validator_close(v);
  test_program_close(&p);
}

START_TEST(wrong_rewrites_are_caught) {
  hy_validation out;
  run_rewrite(&rewrites[_i], &out);
}
END_TEST

// LVL.Structure.Not: only the list of holes can tell: they stand where the directive speaks of. A bound asks for need
// (D43), an alignment does not, and takes nothing away.
START_TEST(holes_are_counted) {
  test_program p;
  hy_validation out;
  test_program_open(&p, BLUR, "bound(bh, x, -40, 90);");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  test_validator *v = test_validator_open(&p, 140);
  hy_directive align = p.pipeline.core[0];
  align.type = &hy_directive_align_bounds;
  test_validator_step(v, &p.pipeline.core[0], p.pipeline.steps[1], &out);
  ck_assert_int_eq(out.levels[HY_LEVEL_STRUCTURE].answer, HY_LEVEL_KEPT);
  test_validator_step(v, &align, p.pipeline.steps[0], &out);
  const char *lost = out.levels[HY_LEVEL_STRUCTURE].story;
  ck_assert_msg(lost && strstr(lost, "(bh, x) is lost"), "%s", lost ? lost : "nothing said");
  test_validator_step(v, &align, p.pipeline.steps[1], &out);
  const char *invented = out.levels[HY_LEVEL_STRUCTURE].story;
  ck_assert_msg(invented && strstr(invented, "(bh, x) is invented"), "%s", invented ? invented : "nothing said");
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

static const hy_func *func_called(const hy_tgt *tgt, const char *name) {
  for (int i = 0; i < tgt->func_count; i++)
    if (strcmp(tgt->funcs[i]->name, name) == 0) return tgt->funcs[i];
  ck_abort_msg("no func %s", name);
}

// The last of those directly inside: the computation behind its allocation.
static const hy_stmt *last_child(const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  ck_assert_int_gt(count, 0);
  return children[count - 1];
}

// LVL.Structure.Not: what the judge says of programs that are not the one with a func inlined: it looks for itself.
START_TEST(inlining_is_looked_at) {
  static const struct {
    const char *items;
    int step; // which is shown as the result of the first directive
    const char *says;
  } rows[] = {{"compute_inline(bh);", 0, "bh is still computed"},
              {"compute_inline(bh);", 1, NULL},
              {"compute_inline(bh); split(bv.x, xo, xi, 4);", 2, "changed that the directive does not speak of"},
              {"compute_inline(bh); bound(bv, x, 0, 9);", 2, "is invented"},
              {"wrap(bh, w, bv);", 0, "is not what its readers read"},
              {"wrap(bh, w, bv);", 1, NULL},
              {"wrap(bh, w, bv); split(bv.x, xo, xi, 4);", 2, "a stage that reads it is another one"}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    test_program p;
    hy_validation out;
    test_program_open(&p, BLUR, rows[i].items);
    ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
    test_validator *v = test_validator_open(&p, 140);
    test_validator_step(v, &p.pipeline.core[0], p.pipeline.steps[rows[i].step], &out);
    const char *story = out.levels[HY_LEVEL_STRUCTURE].story;
    ck_assert_msg(!story == !rows[i].says && (!story || strstr(story, rows[i].says)), "%s: %s", rows[i].items,
                  story ? story : "kept");
    test_validator_close(v);
    test_program_close(&p);
  }
}
END_TEST

// LVL.Structure.Not: the same of copies for specializations (DIR.Copy): their loops, and who reads them.
START_TEST(copies_are_looked_at) {
  static const char *const says[] = {NULL, "what is added is not a copy", "is not what its readers read"};
  for (int row = 0; row < (int)HY_COUNT(says); row++) {
    test_program p;
    hy_validation out;
    test_program_open(&p, "pipeline p(n: int) { fun g(x, y) = x + y; fun f(x, y) = g(x, y) * n; }",
                      "specialize(f, n == 2); split(g.x, xo, xi, 4); copy(g, c, f.z1);");
    ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
    test_validator *v = test_validator_open(&p, 140);
    for (int i = 0; i < 2; i++) test_validator_step(v, &p.pipeline.core[i], p.pipeline.steps[i + 1], &out);
    hy_directive copy = p.pipeline.core[2];
    const hy_tgt *after = p.pipeline.steps[3];
    int other = 0;
    const hy_var *loop = hy_var_loop(p.pipeline.context, copy.made, 0, 0, "y");
    hy_directive traverse = {.type = &hy_directive_traverse, .loop = loop, .traversal = HY_PARALLEL};
    if (row == 1) after = hy_sched_apply(p.pipeline.context, after, &traverse, p.diagnostics);
    if (row == 2) copy.branches = &other;
    test_validator_step(v, &copy, after, &out);
    const char *story = out.levels[HY_LEVEL_STRUCTURE].story;
    ck_assert_msg(!story == !says[row] && (!story || strstr(story, says[row])), "%d: %s", row, story ? story : "kept");
    test_validator_close(v);
    test_program_close(&p);
  }
}
END_TEST

// A program with another definition, or other arguments, in the place of the access.
START_TEST(inlined_definitions_are_compared) {
  static const struct {
    const char *before, *after;
    bool kept;
  } rows[] = {
      {"fun g(x, y) = x - y; fun f(x, y) = g(x, y + 1);", "fun f(x, y) = x - (y + 1);", true},
      {"fun g(x, y) = x - y; fun f(x, y) = g(x, y + 1);", "fun f(x, y) = (y + 1) - x;", false},
      {"fun g(x, y) = x - y; fun f(x, y) = g(x, y + 1);", "fun f(x, y) = x - y;", false},
      {"fun g(x) = 3; fun f(x, y) = g(x / y);", "fun f(x, y) = select(x / y == x / y, 3, 0);", true},
      {"fun g(x) = 3; fun f(x, y) = g(x / y);", "fun f(x, y) = 3;", false},
      {"fun g(x) = 3; fun f(x, y) = g(x / y);", "fun f(x, y) = select(x % y == x % y, 3, 0);", false},
      {"fun g(x, z) = select(x > 0, z, x); fun f(x, y) = g(x, x / y);", "fun f(x, y) = select(x > 0, x / y, x);",
       false},
      {"fun g(x, z) = select(x > 0, z, z); fun f(x, y) = g(x, x / y);", "fun f(x, y) = select(x > 0, x / y, x / y);",
       true},
      {"fun g(x) = x * 2; fun f(x, y) = g(g(x));", "fun f(x, y) = x * 2 * 2;", true},
      {"fun g(x) = x * 2; fun f(x, y) = g(g(x));", "fun f(x, y) = x * 2;", false},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    test_program p;
    hy_validation out;
    char text[400];
    snprintf(text, sizeof text, "pipeline p() { %s }", rows[i].before);
    test_program_open(&p, text, "compute_inline(g);");
    ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
    snprintf(text, sizeof text, "pipeline p() { %s }", rows[i].after);
    hy_source source = {"after.alg", text, strlen(text)};
    const hy_alg *alg = hy_parse_alg(p.context, &source, p.diagnostics);
    ck_assert_msg(alg != NULL, "%s: %s", text, test_program_said(&p));
    const hy_tgt *step = p.pipeline.steps[1];
    const hy_stmt *old = step->body;
    while (old->kind != HY_STMT_ASSIGN) old = last_child(old);
    hy_binding bindings[2];
    for (int d = 0; d < 2; d++) bindings[d] = (hy_binding){alg->definitions[0].vars[d], old->assign.lhs[d]};
    const hy_expr *rhs = hy_expr_substitute(p.context, alg->definitions[0].stages[0].rhs, bindings, 2);
    const hy_stmt *new = hy_stmt_assign(p.context, old->assign.func, 0, 0, old->assign.lhs, rhs);
    const hy_tgt *after = hy_tree_with_body(p.context, step, hy_tree_replace(p.context, step->body, old, new));
    test_validator *v = test_validator_open(&p, 140);
    test_validator_step(v, &p.pipeline.core[0], after, &out);
    const char *story = out.levels[HY_LEVEL_STRUCTURE].story;
    ck_assert_msg(!story == rows[i].kept, "%s -> %s: %s", rows[i].before, rows[i].after, story ? story : "kept");
    test_validator_close(v);
    test_program_close(&p);
  }
}
END_TEST

/* -- LVL.Symbolic, LVL.Symbolic.Not: which reductions may be combined in another order, whatever sched/ says of them
 * (D87): no program after the directive is looked at -- */

#define COUNTS                                                                                                         \
  "pipeline counts(in: u8[1]) { fun f(x) = { 0; rdom(r = (0, 5), q = (0, 3)) in (x) <- f(x) + int(in(r)) + q; };"      \
  " fun o(x) = f(x); }"

static const struct {
  const char *name;
  const char *update; // of f: from its first value on
  const char *says;   // NULL: it may be
} reorderings[] = {
    {"bytes", "u8(0); rdom(r = (0, 9)) in (x) <- f(x) + a(r)", NULL},
    {"a product that wraps", "u8(1); rdom(r = (0, 9)) in (x) <- a(r) * f(x)", NULL},
    {"a chain of a product", "u8(1); rdom(r = (0, 9)) in (x) <- a(r) * f(x) * a(r + 1)", NULL},
    {"a product of a sum", "u8(1); rdom(r = (0, 9)) in (x) <- f(x) * a(r) + a(r)",
     "is made of what was there by one operator"},
    {"a difference", "u8(1); rdom(r = (0, 9)) in (x) <- f(x) - a(r)", "may be used in any order"},
    {"an average", "u8(1); rdom(r = (0, 9)) in (x) <- f(x) + (f(x) + a(r))",
     "is made of what was there by one operator"},
    {"itself at another point", "u8(1); rdom(r = (0, 9)) in (3) <- f(3) + f(r)",
     "is made of what was there by one operator"},
    {"a point that depends on it", "1; rdom(r = (0, 9)) in (clamp(f(2), 0, 9)) <- min(f(clamp(f(2), 0, 9)), r)",
     "where it is updated does not depend on the func"},
    {"a predicate that depends on it", "u8(1); rdom(r = (0, 9)) in (x) <- f(x) + a(r) if f(x) != a(r)",
     "reads the func in no other way"},
    {"the second of a tuple", "(u8(0), u8(1)); rdom(r = (0, 9)) in (x) <- (f(x)[0] + a(r), f(x)[1] - a(r))",
     "may be used in any order"},
    {"parts of each other", "(u8(0), u8(1)); rdom(r = (0, 9)) in (x) <- (f(x)[1] + a(r), f(x)[0] + a(r))",
     "is made of what was there by one operator"},
    {"int", "0; rdom(r = (0, n)) in (x) <- f(x) + int(a(r))", NULL},
    {"int that falls", "0; rdom(r = (0, n)) in (x) <- f(x) + (-3 - int(a(r)) * k)", NULL},
    {"int with a parameter", "0; rdom(r = (0, n)) in (x) <- f(x) + k * (r + 1)", NULL},
    {"int with counts of bits", "0; rdom(r = (0, n)) in (x) <- f(x) + popcount(int(a(r)))", NULL},
    {"int of two signs", "0; rdom(r = (0, n)) in (x) <- f(x) + (int(a(r)) - 100)", "has one sign"},
    {"two signs in a chain", "0; rdom(r = (0, n)) in (x) <- f(x) + int(a(r)) + -1", "has one sign"},
    {"int that is large", "0; rdom(r = (0, 4)) in (x) <- f(x) + max(int(b(r)) >> 3, 0)", NULL},
    {"int that is too large", "0; rdom(r = (0, 5)) in (x) <- f(x) + max(int(b(r)) >> 1, 0)", "fits 64 bits"},
    {"int as often as nobody knows", "0; rdom(r = (0, m), q = (0, m)) in (x) <- f(x) + int(a(r))", "fits 64 bits"},
    {"int of which nothing is known", "0; rdom(r = (0, 1)) in (x) <- f(x) + m", "has one sign"},
    {"2^128",
     "0; rdom(r = (0, m), q = (0, m), t = (0, m)) in (x) <- f(x) + max(m, 0) + max(m + r, 0) + max(m + q, 0) + max(m + "
     "t, 0)",
     "fits 64 bits"},
    {"2^64", "0; rdom(r = (0, 4294967296)) in (x) <- f(x) + int(a(r)) * 4294967296", "fits 64 bits"},
    {"2^62", "0; rdom(r = (0, 1073741824)) in (x) <- f(x) + (int(a(r)) & 3) * 1073741824", NULL},
    {"a product of int", "1; rdom(r = (0, 2)) in (x) <- f(x) * (r + 1)", "may be used in any order"},
    {"the least int", "0; rdom(r = (0, m)) in (x) <- min(f(x), m + r)", NULL},
    {"bits of int", "0; rdom(r = (0, m)) in (x) <- f(x) ^ r", NULL},
    {"floats", "0.0; rdom(r = (0, 9)) in (x) <- f(x) + c(r)", "the order of floats may be any"},
    {"the least float", "0.0; rdom(r = (0, 9)) in (x) <- min(f(x), c(r))", "the order of floats may be any"},
    {"truth", "false; rdom(r = (0, 9)) in (x) <- f(x) || a(r) > 3", NULL},
    {"an error behind truth, the outermost", "false; rdom(r = (0, 9)) in (x) <- f(x) || 7 / int(a(r)) > 3", NULL},
    {"an error behind truth", "false; rdom(r = (0, 9), q = (0, 3)) in (x) <- f(x) || 7 / int(a(r)) > 3",
     "it is no error"},
    {"no error behind truth", "false; rdom(r = (0, 9), q = (0, 3)) in (x) <- f(x) || 7 / (int(a(r)) + 1) > 3", NULL},
    {"a func behind truth", "false; rdom(r = (0, 9), q = (0, 3)) in (x) <- f(x) || g(r) > 3", "it is no error"},
    {"an error that decides", "false; rdom(r = (0, 9)) in (x) <- f(x) || a(r) > 3 if 7 / m > 3", "it is no error"},
    {"truth that may be left out", "false; rdom(r = (0, 9)) in (x) <- a(r) > 3 || f(x)", "is evaluated in any case"},
    {"the first of equals", "(u8(255), 0); rdom(r = (0, 9)) in (x) <- (a(r), r) if a(r) < f(x)[0]", NULL},
    {"the first of equals, inside", "(u8(255), 0); rdom(r = (0, 9), q = (0, 3)) in (x) <- (a(r), q) if a(r) < f(x)[0]",
     "stays the first"},
    {"the last of equals", "(u8(255), 0); rdom(r = (0, 9)) in (x) <- (a(r), r) if a(r) <= f(x)[0]",
     "reads the func in no other way"},
    {"the first of equals that it compares with",
     "(u8(255), 0); rdom(r = (0, 9)) in (3) <- (a(r), r) if a(r) < f(4)[0]", "reads the func in no other way"},
    {"a place that it counts", "(u8(255), 0); rdom(r = (0, 9)) in (x) <- (a(r), f(x)[1] + 1) if a(r) < f(x)[0]",
     "reads the func in no other way"},
    {"begun with an error", "(u8(9 / m), 0); rdom(r = (0, 9)) in (x) <- (a(r), r) if a(r) < f(x)[0]", "it is no error"},
    {"begun with no error", "(u8(9 / k), 0); rdom(r = (0, 9)) in (x) <- (a(r), r) if a(r) < f(x)[0]", NULL},
};

static void judge_reordering(const char *contract, const char *update, hy_validation *out, test_program *p) {
  char text[600];
  snprintf(text, sizeof text,
           "pipeline p(a: u8[1], b: i64[1], c: f32[1], n: int in 0..1000, k: int in 1..9, m: int)%s {"
           " fun g(x) = int(a(x)); fun f(x) = { %s; }; fun o(x) = f(x); }",
           contract, update);
  test_program_open(p, text, "");
  ck_assert_msg(p->parsed && hy_pipeline_schedule(&p->pipeline, p->diagnostics), "%s: %s", text, test_program_said(p));
  const hy_func *f = func_called(p->pipeline.steps[0], "f");
  hy_directive d = {.type = &hy_directive_rfactor,
                    .func = f,
                    .loop = hy_var_loop(p->context, f, 0, 1, hy_context_name_of(p->context, "r"))};
  hy_validate_reordering(p->context, p->pipeline.steps[0], &d, HY_Z3_USUAL, out);
}

START_TEST(reorderings_are_judged) {
  test_program p;
  hy_validation out;
  judge_reordering("", reorderings[_i].update, &out, &p);
  const hy_level_result *level = &out.levels[HY_LEVEL_SYMBOLIC];
  const char *story = level->story ? level->story : "";
  ck_assert_msg((level->answer == HY_LEVEL_KEPT) == !reorderings[_i].says, "%s: %d, %s", reorderings[_i].name,
                (int)level->answer, story);
  if (reorderings[_i].says) ck_assert_msg(strstr(story, reorderings[_i].says), "%s: %s", reorderings[_i].name, story);
  test_program_close(&p);
}
END_TEST

START_TEST(sums_of_floats_need_a_contract) {
  static const struct {
    const char *contract, *update;
    bool may;
  } rows[] = {{" contract real", "0.0; rdom(r = (0, 9)) in (x) <- f(x) + c(r)", true},
              {" contract fma", "0.0; rdom(r = (0, 9)) in (x) <- f(x) + c(r)", false},
              {" contract real", "0.0; rdom(r = (0, 9)) in (x) <- f(x) * c(r)", false},
              {" contract real", "0.0; rdom(r = (0, 9)) in (x) <- max(f(x), c(r))", true},
              {"", "0.0; rdom(r = (0, 9)) in (x) <- max(f(x), c(r))", false}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    test_program p;
    hy_validation out;
    judge_reordering(rows[i].contract, rows[i].update, &out, &p);
    bool kept = out.levels[HY_LEVEL_SYMBOLIC].answer == HY_LEVEL_KEPT;
    ck_assert_msg(kept == rows[i].may, "%s, %s", rows[i].contract, rows[i].update);
    test_program_close(&p);
  }
}
END_TEST

/* -- LVL.Symbolic.Not: what is asked: both ends of each range, both loops of a split, each reduction loop, each
 * parallel one -- */

static const struct {
  const char *alg, *items;   // the questions after the last directive
  int asked[HY_PROOF_COUNT]; // coverage, range, uniqueness, order, disjointness, reordering
} asked[] = {
    {ONE, "split(o.x, xo, xi, 4);", {6, 2, 2, 0, 0}},
    {ONE, "split(o.x, xo, xi, 4, shift);", {5, 0, 0, 0, 0}},
    {BLUR, "fuse(bv.y, x, t);", {4, 4, 1, 0, 0}},
    {SUMS, "split(s.s1.r, ro, ri, 2);", {10, 2, 2, 3, 0}}, // of coverage two about the range of s.s1.r (D71)
    {ONE, "split(o.x, xo, xi, 4); traverse(o.xo, parallel);", {6, 2, 2, 0, 1}},
    {LEAST, "rfactor(f.s1.r, u, i);", {0, 0, 0, 0, 0, 1}},
    {COUNTS,
     "rfactor(f.s1.r, u, i);",
     {0, 0, 0, 0, 0, 6}}, // the lengths of r and q; of two numbers the sign and a bound
};

START_TEST(each_question_is_asked) {
  test_program p;
  hy_validation out;
  test_program_open(&p, asked[_i].alg, asked[_i].items);
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  test_validator *v = test_validator_open(&p, 140);
  for (int i = 0; i < p.pipeline.core_count; i++)
    test_validator_step(v, &p.pipeline.core[i], p.pipeline.steps[i + 1], &out);
  hy_text text = {0};
  bool same = true;
  for (int k = 0; k < HY_PROOF_COUNT; k++) {
    hy_text_printf(&text, "%s %d ", hy_proof_name((hy_proof_kind)k), (int)out.proofs[k].asked);
    same &= (int)out.proofs[k].asked == asked[_i].asked[k];
  }
  ck_assert_msg(same, "%s: asked: %s", asked[_i].items, hy_text_string(&text));
  hy_text_free(&text);
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

/* -- directives that should have been refused: validation does not rely on legality -- */

static const struct {
  const char *name, *alg, *items;
  const hy_directive_type *type;
  int stage;
  const char *func, *loop;
  hy_tail tail;
  int64_t factor;
  const char *levels;
} illegal[] = {
    {"parallel over a shift (D33)", ONE, "split(o.x, xo, xi, 8, shift);", &hy_directive_traverse, 0, "o", "xo",
     HY_TAIL_GUARD, 0, "L2 L3"},
    {"parallel over a guard (D33)", ONE, "split(o.x, xo, xi, 8);", &hy_directive_traverse, 0, "o", "xo", HY_TAIL_GUARD,
     0, ""},
    {"parallel over a nested round (D33)", ONE, "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 3, round);",
     &hy_directive_traverse, 0, "o", "xo", HY_TAIL_GUARD, 0, "L2 L3"},
    {"parallel reduction (D37)", SUMS, "", &hy_directive_traverse, 1, "s", "r", HY_TAIL_GUARD, 0, "L0 L2 L3"},
    {"round on a reduction (D32)", SUMS, "", &hy_directive_split, 1, "s", "r", HY_TAIL_ROUND, 2, "L1 L2 L3"},
    {"shift on a reduction (D32)", SUMS, "", &hy_directive_split, 1, "s", "r", HY_TAIL_SHIFT, 2, "L1 L2 L3"},
    {"nested round on an update (D32)", ADDED, "split(o.s1.x, xo, xi, 4);", &hy_directive_split, 1, "o", "xi",
     HY_TAIL_ROUND, 3, "L1 L2 L3"},
    {"shift on an update (D32)", ADDED, "", &hy_directive_split, 1, "o", "x", HY_TAIL_SHIFT, 4, "L1 L2 L3"},
    {"swap of two reduction loops (D36)", SUMS, "", &hy_directive_swap, 1, "s", "q", HY_TAIL_GUARD, 0, "L1 L2 L3"},
    {"swap of a pure loop with a reduction (D36)", SUMS, "", &hy_directive_swap, 1, "s", "x", HY_TAIL_GUARD, 0, ""},
};

START_TEST(illegal_rewrites_are_caught) {
  test_program p;
  char levels[16];
  hy_validation out;
  test_program_open(&p, illegal[_i].alg, illegal[_i].items);
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  test_validator *v = test_validator_open(&p, 140);
  int last = p.pipeline.step_count - 1;
  for (int i = 0; i < last; i++) test_validator_step(v, &p.pipeline.core[i], p.pipeline.steps[i + 1], &out);
  const hy_func *func = func_called(p.pipeline.steps[0], illegal[_i].func);
  hy_directive directive = {.type = illegal[_i].type, .func = func, .tail = illegal[_i].tail, .traversal = HY_PARALLEL};
  directive.loop = hy_var_loop(p.context, func, 0, illegal[_i].stage, hy_context_name_of(p.context, illegal[_i].loop));
  directive.names[0] = hy_context_name_of(p.context, "no");
  directive.names[1] = hy_context_name_of(p.context, "ni");
  directive.args[0] = hy_expr_int(p.context, illegal[_i].factor);
  test_validator_step(v, &directive, directive.type->apply(p.context, p.pipeline.steps[last], &directive, NULL), &out);
  ck_assert_msg(strcmp(test_broken_levels(&out, levels), illegal[_i].levels) == 0, "%s: broken at [%s], not [%s]: %s",
                illegal[_i].name, levels, illegal[_i].levels,
                out.levels[HY_LEVEL_SYMBOLIC].story ? out.levels[HY_LEVEL_SYMBOLIC].story : "");
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

START_TEST(phases_are_held_to) { // Figure 11: a loop directive after a move
  test_program p;
  char levels[16];
  hy_validation out;
  test_program_open(&p, BLUR, "compute_at(bh, bv.y);");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  test_validator *v = test_validator_open(&p, 140);
  test_validator_step(v, &p.pipeline.core[0], p.pipeline.steps[1], &out);
  ck_assert_str_eq(test_broken_levels(&out, levels), "");
  const hy_func *func = func_called(p.pipeline.steps[0], "bv");
  hy_directive swap = {.type = &hy_directive_traverse, .func = func, .traversal = HY_UNROLLED};
  swap.loop = hy_var_loop(p.context, func, 0, 0, hy_context_name_of(p.context, "x"));
  test_validator_step(v, &swap, hy_directive_traverse.apply(p.context, p.pipeline.steps[1], &swap, NULL), &out);
  ck_assert_str_eq(test_broken_levels(&out, levels), "L0");
  test_validator_close(v);
  test_program_close(&p);
}
END_TEST

/* -- promises -- */

static const struct {
  const char *alg, *items;
  hy_order_class last;
} promises[] = {
    {ONE, "split(o.x, xo, xi, 8);", HY_ORDER_EQUAL},
    {ONE, "split(o.x, xo, xi, 8, round);", HY_ORDER_EXTRA},
    {ONE, "split(o.x, xo, xi, 8, shift);", HY_ORDER_REPEATED},
    {ONE, "split(o.x, xo, xi, 1, shift);", HY_ORDER_EQUAL},
    {ONE, "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 3, round);", HY_ORDER_REPEATED},
    {ONE, "split(o.x, xo, xi, 8, round); split(o.xi, a, b, 4, round);", HY_ORDER_EQUAL},
    {ONE, "split(o.x, xo, xi, 8); split(o.xi, a, b, 3, round);", HY_ORDER_REPEATED},
    {ONE, "split(o.x, xo, xi, 8); split(o.xo, a, b, 3, round);", HY_ORDER_EQUAL},
    {ONE, "split(o.x, xo, xi, 8, round); split(o.xo, a, b, 3, round);", HY_ORDER_EXTRA},
    {ONE, "split(o.x, xo, xi, 8, shift); split(o.xo, a, b, 3, round);", HY_ORDER_REPEATED},
    {BLUR, "fuse(bv.y, x, t);", HY_ORDER_EQUAL},
    {BLUR, "fuse(bv.y, x, t); split(bv.t, a, b, 7, round);", HY_ORDER_EXTRA},
    {BLUR, "swap(bv.y);", HY_ORDER_PERMUTED},
    {BLUR, "traverse(bv.y, parallel);", HY_ORDER_PERMUTED},
    {BLUR, "split(bv.x, xo, xi, 4); traverse(bv.xi, unrolled);", HY_ORDER_EQUAL},
    {BLUR, "compute_at(bh, bv.y);", HY_ORDER_MOVED},
    {BLUR, "compute_at(bh, bv.y); slide(bh, bv.y);", HY_ORDER_KEPT},
    {BLUR, "bound(bh, x, -40, 90);", HY_ORDER_BOX},
    {BLUR, "compute_inline(bh);", HY_ORDER_BOX},
    {BLUR, "specialize(bh, in.len(0) > 4);", HY_ORDER_EQUAL},
};

// ORD.Equal, ORD.Moved, ORD.Kept, ORD.Box
START_TEST(promises_are_the_least) {
  test_program p;
  test_program_open(&p, promises[_i].alg, promises[_i].items);
  ck_assert_msg(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
  int last = p.pipeline.core_count - 1;
  hy_order_class order = hy_sched_order_class(p.context, p.pipeline.steps[last], &p.pipeline.core[last]);
  ck_assert_msg(order == promises[_i].last, "%s: %s", promises[_i].items, hy_order_class_name(order));
  test_program_close(&p);
}
END_TEST

/* -- apps/ -- */

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot read %s", path);
  char *text = hy_allocate_zeroed(1 << 16, 1);
  size_t length = fread(text, 1, (1 << 16) - 1, file);
  ck_assert_uint_lt(length, (1 << 16) - 1);
  fclose(file);
  return text;
}

// Images are larger than the window by a margin; histogram reduces over all of its image.
static const struct {
  const char *name;
  int64_t margin;
} apps[] = {{"box_blur", 140}, {"figure1", 0}, {"histogram", 10}, {"scene", 140}};

START_TEST(apps_keep_their_promises) {
  char path[512];
  test_program p;
  snprintf(path, sizeof path, HALYARD_SOURCE_DIR "/apps/%s.alg", apps[_i].name);
  char *alg = read_all(path);
  snprintf(path, sizeof path, HALYARD_SOURCE_DIR "/apps/%s.sched", apps[_i].name);
  char *text = read_all(path);
  test_program_open(&p, alg, "");
  ck_assert_msg(p.parsed, "%s: %s", apps[_i].name, test_program_said(&p));
  hy_source source = {path, text, strlen(text)};
  const hy_schedule *schedules;
  int count;
  const hy_alg *parsed = p.pipeline.alg;
  ck_assert(hy_parse_schedules(p.context, &source, p.diagnostics, &schedules, &count));
  for (int k = 0; k < count; k++) {
    hy_pipeline_init(&p.pipeline, p.context, parsed, &schedules[k], NULL);
    ck_assert_msg(hy_pipeline_schedule(&p.pipeline, p.diagnostics), "%s", test_program_said(&p));
    test_validate(&p, schedules[k].name, apps[_i].margin);
  }
  ck_assert_int_gt(count, 0);
  test_program_close(&p);
  free(alg);
  free(text);
}
END_TEST

/* -- what the user is told -- */

// A schedule that check accepted, with one of its steps replaced afterwards: a defect, which names directive and level.
START_TEST(broken_promises_are_reported) {
  char *words[] = {
      "halyard",  "verify", HALYARD_SOURCE_DIR "/apps/box_blur.alg", HALYARD_SOURCE_DIR "/apps/box_blur.sched:tiled",
      "--format", "json"};
  hy_options options;
  hy_session s;
  hy_pipeline p;
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(hy_options_parse(&options, (int)HY_COUNT(words), words, diagnostics));
  hy_session_init(&s, options, diagnostics);
  ck_assert_int_eq(hy_session_load(&s, true), HY_STATUS_FINE);
  hy_session_pipeline(&s, 0, &p);
  ck_assert_int_eq(hy_session_check(&s, &p, false), HY_STATUS_FINE);
  hy_record *record = hy_reporter_record(s.reporter);
  ck_assert_int_eq(hy_validate_report(&s, &p, true, record), HY_STATUS_FINE);
  ck_assert_uint_eq(hy_diagnostics_count(s.diagnostics), 0);
  hy_tgt wrong = *p.steps[2];
  wrong.body = edited(s.context, wrong.body, guard_too_early);
  p.steps[2] = &wrong;
  bool listed = _i == 1;
  ck_assert_int_eq(hy_validate_report(&s, &p, listed, record), HY_STATUS_DEFECT);
  const hy_diagnostic *d = hy_diagnostics_at(s.diagnostics, 0);
  ck_assert_int_eq(d->code, HY_E_BROKEN_PROMISE);
  ck_assert_msg(strstr(d->message, "split(bv.s0.y, y, yi, 32) promised EQ"), "%s", d->message);
  ck_assert_msg(strstr(d->message, "its trace level"), "%s", d->message);
  hy_session_free(&s);
}
END_TEST

Suite *driver_validate_suite(void) {
  Suite *suite = suite_create("driver_validate");
  TCase *t = tcase_create("validate");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, wrong_rewrites_are_caught, 0, HY_COUNT(rewrites));
  tcase_add_test(t, holes_are_counted);
  tcase_add_test(t, inlining_is_looked_at);
  tcase_add_test(t, copies_are_looked_at);
  tcase_add_test(t, inlined_definitions_are_compared);
  tcase_add_loop_test(t, reorderings_are_judged, 0, HY_COUNT(reorderings));
  tcase_add_test(t, sums_of_floats_need_a_contract);
  tcase_add_loop_test(t, each_question_is_asked, 0, HY_COUNT(asked));
  tcase_add_loop_test(t, illegal_rewrites_are_caught, 0, HY_COUNT(illegal));
  tcase_add_test(t, phases_are_held_to);
  tcase_add_loop_test(t, broken_promises_are_reported, 0, 2);
  tcase_add_loop_test(t, promises_are_the_least, 0, HY_COUNT(promises));
  tcase_add_loop_test(t, apps_keep_their_promises, 0, HY_COUNT(apps));
  suite_add_tcase(suite, t);
  return suite;
}
