#include "review/review.h"

#include "lower/lower.h"
#include "semantics/semantics.h"

#include <string.h>

/* The directive alone, on nests of loops of each kind. Their sizes are those of
 * the window or of parameters, so that what L3 proves of them holds for all
 * sizes; in the last ones they are constants. Factors are constants and a parameter.
 */

typedef struct {
  const char *name, *alg, *prefix, *func; // func: whose loops are tried
  int stage;
} shape;

#define ONE "pipeline p(n: int) {\n  fun f(x) = i32(x)*3 + 1;\n}\n"
#define TWO                                                                                                            \
  "pipeline p(n: int) {\n  fun g(x, y) = i32(x) - i32(y)*5;\n  fun f(x, y) = "                                         \
  "g(x, y - 1) + g(x + 1, y);\n}\n"
#define THREE "pipeline p(n: int) {\n  fun f(x, y, z) = i32(x) - i32(y)*5 + i32(z)*7;\n}\n"
#define FOUR "pipeline p(n: int) {\n  fun f(x, y, z, c) = i32(x) - i32(y)*5 + i32(z)*7 - i32(c);\n}\n"
#define SUM                                                                                                            \
  "pipeline p(n: int) {\n  fun f(x) = {\n    i32(x);\n    rdom(r = (0, n), q "                                         \
  "= (1, 3)) in (x) <- f(x)*2 + i32(r) - i32(q);\n  };\n}\n"
#define SCAN                                                                                                           \
  "pipeline p(n: int) {\n  fun f(x, y) = {\n    i32(x) + i32(y);\n    rdom(r "                                         \
  "= (1, n)) in (r, y) <- f(r - 1, y)*3 + 1;\n  };\n}\n"
#define ADD                                                                                                            \
  "pipeline p(n: int) {\n  fun f(x, y) = {\n    i32(x);\n    (x, y) <- f(x, "                                          \
  "y)*3 + i32(y);\n  };\n}\n"

#define LONG                                                                                                           \
  "pipeline p(n: int) {\n  fun f(x) = {\n    i32(x);\n    rdom(r = (0, 24), q = (-5, 64)) in (x) <- f(x)*3 + i32(r) "  \
  "- "                                                                                                                 \
  "i32(q);\n  };\n}\n"
#define BLOCKS                                                                                                         \
  "pipeline p(n: int) {\n  fun f(x) = {\n    i32(x);\n    rdom(r = (0, n + 40)) in (x) <- f(x)*3 + i32(r);\n  };\n}\n"

static const shape shapes[HY_REVIEW_SHAPES] = {
    {"one pure loop", ONE, "", "f", 0},
    {"two pure loops", TWO, "", "f", 0},
    {"three pure loops", THREE, "", "f", 0},
    {"four pure loops", FOUR, "", "f", 0},
    {"the loops of a producer computed inside", TWO, "  compute_at(g, f.y);\n", "g", 0},
    {"loops of a split with a guard", ONE, "  split(f.x, xo, xi, 4);\n", "f", 0},
    {"loops of a split that rounds up", ONE, "  split(f.x, xo, xi, 4, round);\n", "f", 0},
    {"a fused loop", TWO, "  fuse(f.y, x, t);\n", "f", 0},
    {"two reduction loops and a pure one", SUM, "", "f", 1},
    {"a scan along one dimension", SCAN, "", "f", 1},
    {"both branches of a specialization", TWO, "  specialize(f, n > 2);\n", "f", 0},
    {"a reduction's loops, specialized twice", SUM, "  specialize(f, n > 2, n == 1);\n", "f", 1},
    {"an update's loops, split", ADD, "  split(f.s1.x, xo, xi, 3);\n", "f", 1},
    // of which what is done may depend on the number
    {"two reduction loops, 24 and 64 long", LONG, "", "f", 1},
    {"a reduction's loop, in blocks of 32", BLOCKS, "  split(f.s1.r, ro, ri, 32);\n", "f", 1},
    {"pure loops in blocks of 24 and 64", TWO, "  split(f.x, xo, xi, 24);\n  split(f.y, yo, yi, 64);\n", "f", 0},
};

enum { TRIES = 12, MOST_CASES = 8, FEW_CASES = 3, FEW_PAIRS = 1000, SECONDS_EACH = 20, SWEPT_ELSEWHERE = 4 };

// What is wrong for one constant alone is seen by nobody who does not try it. The first nest that takes the directive
// is tried with all of these, in each place for a number, and with a parameter; the others with some.
static const int64_t swept[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,  14,  15,  16,
                                17, 19, 23, 24, 29, 31, 32, 37, 48, 61, 64, 97, 100, 127, 128, 256};

typedef struct {
  hy_review *review;
  const shape *shape;
  hy_review_shape *row;
  hy_context *context;
  HY_VEC(const hy_stmt *) loops; // of the stage
  HY_VEC(char *) lines;          // what was tried
  const hy_stmt *taken;          // a loop that it was applied to; NULL = none yet
} trial;

static void collect(trial *t, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR && strcmp(stmt->loop.var->func->name, t->shape->func) == 0 &&
      stmt->loop.var->stage == t->shape->stage)
    hy_vec_push(&t->loops, stmt);
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) collect(t, children[i]);
}

static void give_inputs(hy_case *c) {
  static const int64_t windows[HY_CASE_WINDOWS][8] = {
      {0, 7, 0, 5, 0, 2, 1, 2}, {-3, 9, 2, 2, -1, 3, 0, 1}, {1, 1, -1, 4, 0, 1, -2, 3}};
  static const int64_t params[HY_CASE_WINDOWS] = {3, 2, 5};
  c->input_count = HY_CASE_WINDOWS;
  for (int i = 0; i < HY_CASE_WINDOWS; i++) {
    c->inputs[i] = (hy_case_input){.seed = 17 + 2 * (uint64_t)i, .params = {params[i]}};
    for (int d = 0; d < 4; d++) c->inputs[i].min[d] = windows[i][2 * d], c->inputs[i].len[d] = windows[i][2 * d + 1];
  }
}

static void count(trial *t, const hy_case *c, const hy_judgement *j) {
  hy_review_shape *row = t->row;
  row->questions += j->obligations;
  row->proved += j->proved + j->proved_z3;
  row->proved_z3 += j->proved_z3;
  if (j->found == HY_FOUND_REFUSED) {
    row->refused++;
    return;
  }
  row->applied++;
  if (hy_found_is_failure(j->found)) {
    row->failed++;
    hy_review_fail(t->review, c, j, "a single application");
  } else if (j->unknown) {
    row->undecided++;
    if (!row->open)
      row->open = hy_arena_printf(hy_context_arena(t->review->context), "whether %.300s with%s%.300s", j->detail,
                                  strchr(c->items, '\n')[1] ? "\n" : "", c->items);
  }
}

// False if time was over before it was judged.
static bool judge_case(trial *t, const hy_case *c, hy_judgement *j) {
  hy_review *r = t->review;
  bool judged = hy_judge_apart_until(c, c->lanes, true, SECONDS_EACH, r->start + r->seconds, j);
  r->late |= !judged;
  if (judged) hy_review_see_death(r, j);
  return judged;
}

// L0 to L3 of each step, then the runs and B(S) of the whole. True if it was applied, and all of that was judged.
static bool judge(trial *t, const char *line) {
  hy_text items = {0};
  hy_judgement j;
  hy_text_printf(&items, "%s%s", t->shape->prefix, line);
  hy_case c = {.alg = (char *)t->shape->alg, .items = items.data, .plugins = t->review->plugins};
  give_inputs(&c);
  c.lanes = HY_LANE_PROMISE;
  bool judged = judge_case(t, &c, &j), applied = judged && j.found != HY_FOUND_REFUSED;
  if (judged) count(t, &c, &j);
  if (judged && (j.found == HY_FOUND_NOTHING || j.found == HY_FOUND_UNDECIDED)) {
    c.lanes = HY_LANE_INTERPRET | HY_LANE_QUERY;
    judged = judge_case(t, &c, &j);
    if (judged && hy_found_is_failure(j.found)) {
      t->row->failed++;
      hy_review_fail(t->review, &c, &j, "a single application");
    }
  }
  hy_text_free(&items);
  return judged && applied;
}

static bool is_new(trial *t, const char *line) {
  for (size_t i = 0; i < t->lines.count; i++)
    if (strcmp(t->lines.data[i], line) == 0) return false;
  hy_vec_push(&t->lines, strdup(line));
  return true;
}

// The program behind the prefix, made here: nothing of the plug-in runs for
// that.
static const hy_tgt *make_program(trial *t, hy_diagnostics *said) {
  hy_text text = {0};
  hy_source source = {"shape.alg", t->shape->alg, strlen(t->shape->alg)};
  const hy_alg *alg = hy_parse_alg(t->context, &source, said);
  hy_pipeline p;
  const hy_schedule *schedules;
  int number = 0;
  hy_text_printf(&text, "schedule s for p {\n%s}\n", t->shape->prefix);
  hy_source prefix = {"shape.sched", hy_text_string(&text), text.length};
  bool good = alg && hy_parse_schedules(t->context, &prefix, said, &schedules, &number);
  if (good) hy_pipeline_init(&p, t->context, alg, schedules, NULL);
  good = good && hy_pipeline_schedule(&p, said);
  if (!good) HY_DIE("the shape '%s' is refused: %s", t->shape->name, hy_diagnostics_at(said, 0)->message);
  hy_text_free(&text);
  return p.steps[p.step_count - 1];
}

/* -- what is tried -- */

static void note_value(hy_review_argument *argument, const hy_expr *value) {
  int64_t number;
  size_t at = 0;
  argument->is_param |= !hy_expr_is_int(value, &number);
  if (!hy_expr_is_int(value, &number)) return;
  while (at < argument->values.count && argument->values.data[at] < number) at++;
  if (at < argument->values.count && argument->values.data[at] == number) return;
  hy_vec_push(&argument->values, number);
  for (size_t i = argument->values.count - 1; i > at; i--) argument->values.data[i] = argument->values.data[i - 1];
  argument->values.data[at] = number;
}

static bool is_number(hyd_argument kind) { return kind == HYD_FACTOR || kind == HYD_EXPR || kind == HYD_NUMBER; }

static void note_values(hy_review *r, const hy_directive *d) {
  for (int i = 0; i < r->plugin->count; i++)
    if (is_number(r->plugin->directive->arguments[i]))
      note_value(&r->arguments[i], d->args[hy_directive_place(d->type, i)]);
}

// False when nothing more can be tried.
static bool try_directive(trial *t, const hy_tgt *tgt, uint64_t seed, const hy_stmt *loop,
                          const hy_wanted_argument *wanted) {
  hy_review *r = t->review;
  hy_choices choices = hy_choices_of_seed(seed);
  hy_directive d;
  int names = 0;
  if (hy_review_left(r) < r->seconds * 0.5) r->late = true; // the rest is for pairs
  if (r->death || r->late) return false;
  if (!hy_generate_plugin(&choices, t->context, tgt, t->loops.data, t->loops.count, loop, wanted, &names, &d))
    return true;
  hy_text line = {0};
  hy_text_add(&line, "  ");
  hy_directive_print(&d, &line);
  hy_text_add(&line, "\n");
  if (is_new(t, line.data) && judge(t, line.data)) {
    note_values(r, &d);
    t->taken = loop;
  }
  hy_text_free(&line);
  return true;
}

// With each number in each place for one, beside whatever the other arguments are.
static void sweep(trial *t, const hy_tgt *tgt, bool all) {
  hy_review *r = t->review;
  const hyd_argument *kinds = r->plugin->directive->arguments;
  size_t shape = (size_t)(t->shape - shapes), step = all ? 1 : HY_COUNT(swept) / SWEPT_ELSEWHERE;
  for (int i = 0; i < r->plugin->count && t->taken; i++) {
    if (!is_number(kinds[i])) continue;
    for (size_t k = all ? 0 : shape % step; k < HY_COUNT(swept); k += step) {
      hy_wanted_argument wanted = {i, hy_expr_int(t->context, swept[k])};
      if (!try_directive(t, tgt, r->seed * 1000 + k, t->taken, &wanted)) return;
    }
    hy_wanted_argument wanted = {i, hy_expr_var(t->context, tgt->alg->params[0])};
    if (kinds[i] != HYD_NUMBER && !try_directive(t, tgt, r->seed, t->taken, &wanted)) return;
  }
}

static void try_shape(hy_review *r, const shape *shape, hy_review_shape *row) {
  trial t = {.review = r, .shape = shape, .row = row, .context = hy_context_new()};
  hy_diagnostics *said = hy_diagnostics_new();
  bool first = true; // nest that takes it
  for (int i = 0; i < shape - shapes; i++) first &= !r->shapes[i].applied;
  hy_plugins_use(t.context, r->plugins);
  const hy_tgt *tgt = make_program(&t, said);
  collect(&t, tgt->body);
  int most = r->pairs < FEW_PAIRS ? FEW_CASES : MOST_CASES; // who asks for little gets little
  for (int i = 0; i < TRIES && (int)t.lines.count < most; i++)
    if (!try_directive(&t, tgt, r->seed * 1000 + (uint64_t)i, t.loops.data[(size_t)i % t.loops.count], NULL)) break;
  sweep(&t, tgt, first);
  row->all_tried = !r->late && !r->death;
  for (size_t i = 0; i < t.lines.count; i++) free(t.lines.data[i]);
  hy_vec_free(&t.lines);
  hy_vec_free(&t.loops);
  hy_diagnostics_free(said);
  hy_context_free(t.context);
}

void hy_review_look(hy_review *r) {
  for (int i = 0; i < r->plugin->count; i++) r->arguments[i].is_number = is_number(r->plugin->directive->arguments[i]);
  for (int i = 0; i < HY_REVIEW_SHAPES; i++) {
    r->shapes[i].name = shapes[i].name;
    hy_review_progress(r, "on %s", shapes[i].name);
    if (!r->death && !r->late) try_shape(r, &shapes[i], &r->shapes[i]);
  }
}
