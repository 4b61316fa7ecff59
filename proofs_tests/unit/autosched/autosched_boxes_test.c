/* Boxes in numbers: by hand, against each coordinate of random algorithms evaluated at each point, and against the
 * bounds that the oracle finds for all sizes.
 */

#include "engines/evaluate.h"
#include "fuzz/campaign/campaign.h"
#include "fuzz/judge/whole.h"
#include "halyard/pipeline.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "proofs_tests/unit/autosched/autosched_harness.h"

/* -- by hand -- */

static const char blur[] = "pipeline blur(in: u16[2]) {\n"
                           "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"
                           "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n";

START_TEST(stencils) {
  tuned t = tuned_open(blur);
  estimate(&t, "bv", 0, 0, 640);
  estimate(&t, "bv", 1, 10, 480);
  find_boxes(&t);
  assert_side(&t.graph->nodes[node_of(&t, "bh")].box, 0, 0, 640);
  assert_side(&t.graph->nodes[node_of(&t, "bh")].box, 1, 9, 482);
  assert_side(&t.graph->nodes[node_of(&t, "in")].box, 0, -1, 642);
  assert_side(&t.graph->nodes[node_of(&t, "in")].box, 1, 9, 482);
  tuned_close(&t);
}
END_TEST

START_TEST(members_alone_are_gone_through) {
  tuned t = tuned_open(blur);
  estimate(&t, "bv", 0, 0, 640);
  estimate(&t, "bv", 1, 0, 480);
  find_boxes(&t);
  int bh = node_of(&t, "bh"), bv = node_of(&t, "bv"), in = node_of(&t, "in");
  bool members[3] = {false};
  members[bv] = true;
  hy_box tile = {.rank = 2, .min = {64, 32}, .len = {32, 8}};
  hy_box_set *set = hy_box_set_new(t.graph);
  ck_assert(hy_boxes_propagate(t.graph, bv, &tile, members, set));
  assert_side(&set->boxes[bh], 1, 31, 10);
  ck_assert(!set->has[in]);
  members[bh] = true;
  hy_box_set_clear(set);
  ck_assert(hy_boxes_propagate(t.graph, bv, &tile, members, set));
  assert_side(&set->boxes[in], 0, 63, 34);
  assert_side(&set->boxes[in], 1, 31, 10);
  hy_box_set_free(set);
  tuned_close(&t);
}
END_TEST

// A load's interval is its type's; what an update writes and reads of its own func lies in the func's box.
START_TEST(loads_and_updates) {
  tuned t = tuned_open(
      "pipeline p(in: u8[2]) {\n"
      "  fun h(i) = { 0; rdom(r = (in.min(0), in.len(0))) in (int(in(r, 3))) <- h(int(in(r, 3))) + u32(1); };\n"
      "  fun c(i) = { h(i); rdom(r = (1, 9)) in (r) <- c(r) + c(r - 1); };\n"
      "  fun o(x) = c(int(in(x, 0)) % 4);\n}\n");
  estimate(&t, "o", 0, 5, 100);
  estimate(&t, "in", 0, 0, 300);
  estimate(&t, "in", 1, 0, 200);
  find_boxes(&t);
  assert_side(&t.graph->nodes[node_of(&t, "c")].box, 0, 0, 10); // reads [0, 4), writes [1, 10)
  assert_side(&t.graph->nodes[node_of(&t, "h")].box, 0, 0, 256);
  int64_t count;
  ck_assert(hy_boxes_instances(t.graph, node_of(&t, "h"), 1, &t.graph->nodes[node_of(&t, "h")].box, &count));
  ck_assert_int_eq(count, 300);
  tuned_close(&t);
}
END_TEST

// Where a table of positions is read the box follows the positions, through floats, too, and a parameter's estimate: 32
// rows of the result are from 79 of the image and three more.
START_TEST(positions_from_a_table) {
  tuned t = tuned_open("pipeline p(in: f32[2], scale: f32, taps: f32) {\n"
                       "  fun first(i) = int(ceil(f32(i) / scale)) - 2;\n"
                       "  fun moved(i) = first(i) + 1;\n"
                       "  fun through(i) = int(in(i, 0));\n" // a point of an image lies anywhere
                       "  fun sums(x, y) = { 0; rdom(k = (0, clamp(int(i16(ceil(taps))), 0, 64))) in (x, y) <-\n"
                       "    sums(x, y) + in(x, clamp(moved(y) + k, 0, 1023)); };\n"
                       "  fun o(x, y) = sums(x, y) + in(x, clamp(through(x), 0, 999));\n}\n");
  estimate_float(&t, "scale", 0.4);
  estimate_float(&t, "taps", 4.0);
  estimate(&t, "o", 0, 0, 640);
  estimate(&t, "o", 1, 0, 400);
  find_boxes(&t);
  assert_side(&t.graph->nodes[node_of(&t, "in")].box, 1, 0, 1001);
  int sums = node_of(&t, "sums"), in = node_of(&t, "in");
  bool members[8] = {false};
  members[sums] = true;
  hy_box rows = {.rank = 2, .min = {0, 64}, .len = {640, 32}};
  hy_box_set *set = hy_box_set_new(t.graph);
  ck_assert(hy_boxes_propagate(t.graph, sums, &rows, members, set));
  assert_side(&set->boxes[in], 1, 159, 82); // from ceil(64 / 0.4) - 1 to ceil(95 / 0.4) - 1 + 3
  int64_t count;
  ck_assert(hy_boxes_instances(t.graph, sums, 1, &rows, &count));
  ck_assert_int_eq(count, 640 * 32 * 4);
  hy_box_set_free(set);
  tuned_close(&t);
}
END_TEST

START_TEST(what_has_no_interval) {
  tuned t = tuned_open("pipeline p(in: int[1], g: int[1]) { fun f(x) = g(in(x)); }");
  estimate(&t, "f", 0, 0, 10);
  hy_box_set *set = hy_box_set_new(t.graph);
  ck_assert(!hy_boxes_concrete(t.graph, set));
  ck_assert_int_eq(set->unbounded, node_of(&t, "g"));
  ck_assert_int_eq(set->unbounded_dim, 0);
  estimate(&t, "g", 0, 0, 77); // then all that there is counts
  ck_assert(hy_boxes_concrete(t.graph, set));
  assert_side(&t.graph->nodes[node_of(&t, "g")].box, 0, 0, 77);
  hy_box_set_free(set);
  tuned_close(&t);
}
END_TEST

START_TEST(what_is_too_large) {
  hy_box box = {.rank = 3, .len = {INT64_C(1) << 31, INT64_C(1) << 31, 2}};
  int64_t points;
  ck_assert(!hy_box_points(&box, &points));
  box.len[2] = 1;
  ck_assert(hy_box_points(&box, &points));
  box.len[1] = -1;
  ck_assert(!hy_box_points(&box, &points));
}
END_TEST

typedef struct {
  char names[256];
} names;

static void add_name(void *self, const char *name, const hy_var *param) {
  names *n = self;
  snprintf(n->names + strlen(n->names), sizeof n->names - strlen(n->names), "%s%s ", name, param ? "=" : "");
}

START_TEST(what_is_missing) {
  tuned t = tuned_open("pipeline p(in: u8[2], w: int, k: f32, n: int) {\n"
                       "  fun c = repeat_edge(in, (in.min(0), in.len(0)));\n"
                       "  fun f(x, y) = f32(c(x + w, y)) * k + f32(n);\n}\n");
  names n = {""};
  // not k and n, of which no size depends, and not in.1, which follows from the output
  ck_assert_int_eq(hy_estimates_missing(t.context, t.alg, t.estimates, add_name, &n), 4);
  ck_assert_str_eq(n.names, "w= in.0 f.x f.y ");
  estimate(&t, "f", 1, 0, 4);
  memset(&n, 0, sizeof n);
  ck_assert_int_eq(hy_estimates_missing(t.context, t.alg, t.estimates, add_name, &n), 3);
  tuned_close(&t);
}
END_TEST

/* -- random algorithms -- */

enum { ALGORITHMS = 260 };

typedef struct {
  tuned t;
  hy_pipeline pipeline;
  hy_value params[HY_MOST_PARAMS];
  hy_buffer *images[8];
  hy_input input;
} sized;

// The case's algorithm with its first window; images hold what the default schedule needs. False: nothing to look at.
static bool sized_open(sized *s, const hy_case *c) {
  *s = (sized){.t = tuned_open(c->alg)};
  const hy_alg *alg = s->t.alg;
  if (alg->image_count > 8) return false;
  hy_pipeline_init(&s->pipeline, s->t.context, alg, NULL, NULL);
  if (!hy_pipeline_schedule(&s->pipeline, s->t.diagnostics) || !hy_pipeline_fill(&s->pipeline, s->t.diagnostics))
    return false;
  for (int p = 0; p < alg->param_count; p++) s->params[p] = hy_case_param(alg->params[p]->type, c->inputs[0].params[p]);
  s->input = (hy_input){s->params, (const hy_buffer *const *)s->images, c->inputs[0].min, c->inputs[0].len};
  for (int k = 0; k < alg->image_count; k++) {
    int64_t min[HY_MAX_RANK] = {0}, len[HY_MAX_RANK] = {0};
    s->images[k] = hy_buffer_new(alg->images[k]->type, alg->images[k]->rank, min, len);
    for (int d = 0; d < alg->images[k]->rank; d++) s->images[k]->len[d] = 1;
  }
  hy_input_settle(s->pipeline.filled, &s->input, s->images);
  return !hy_alg_nothing_asked(alg, &s->input) && !hy_entry_failure(s->pipeline.filled, &s->input);
}

static void sized_close(sized *s) {
  for (int k = 0; k < s->t.alg->image_count && k < 8; k++) hy_buffer_free(s->images[k]);
  tuned_close(&s->t);
}

static void take_estimates(sized *s) {
  const hy_alg *alg = s->t.alg;
  hy_estimates *e = s->t.estimates;
  for (int p = 0; p < alg->param_count; p++) {
    if (hy_type_class_of(alg->params[p]->type) == HY_CLASS_FLOAT) continue;
    e->has_param[p] = true;
    e->params[p] = s->params[p];
  }
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++)
      estimate(&s->t, alg->images[k]->name, d, s->images[k]->min[d], s->images[k]->len[d]);
  for (int d = 0; d < alg->window_rank; d++)
    estimate(&s->t, alg->window_min[d]->func->name, alg->window_min[d]->dim, s->input.window_min[d],
             s->input.window_len[d]);
}

/* -- each coordinate at each point -- */

typedef struct {
  const sized *s;
  const hy_func_node *node;
  const hy_stage *stage;
  int64_t at[HY_MAX_RANK + 8];
} place;

static bool leaf_value(void *self, const hy_expr *leaf, hy_whole *value) {
  const place *p = self;
  if (leaf->kind != HY_EXPR_VAR) return false;
  const hy_alg *alg = p->s->t.alg;
  for (int d = 0; d < p->node->func->rank; d++)
    if (leaf->var == p->node->definition->vars[d]) return *value = p->at[d], true;
  for (int r = 0; r < p->stage->rdom_count; r++)
    if (leaf->var == p->stage->rdoms[r].var) return *value = p->at[p->node->func->rank + r], true;
  for (int i = 0; i < alg->param_count; i++)
    if (leaf->var == alg->params[i])
      return *value = p->s->t.estimates->params[i].i, hy_type_class_of(leaf->type) != HY_CLASS_FLOAT;
  if (leaf->var->kind != HY_VAR_IMAGE_MIN && leaf->var->kind != HY_VAR_IMAGE_LEN) return false;
  const hy_box *box = &p->s->t.estimates->boxes[leaf->var->func->index];
  *value = leaf->var->kind == HY_VAR_IMAGE_MIN ? box->min[leaf->var->dim] : box->len[leaf->var->dim];
  return true;
}

static int looked_at;

static void look_at_point(const place *p, const hy_box_set *set, int stage) {
  const hy_node_stage *s = &p->node->stages[stage];
  for (int i = 0; i < s->access_count; i++)
    for (int d = 0; d < s->accesses[i]->count; d++) {
      hy_whole value;
      if (hy_whole_of(s->accesses[i]->args[d], leaf_value, (void *)p, &value) != HY_EVALUATED) continue;
      const hy_box *box = &set->boxes[s->accesses[i]->func->index];
      ck_assert_msg(value >= box->min[d] && value < box->min[d] + box->len[d],
                    "%s reads %s at %lld in %d, which is not needed", p->node->func->name, s->accesses[i]->func->name,
                    (long long)value, d);
      looked_at++;
    }
}

// All points of the stage's loops, as far as there are few.
static void look_at_stage(const sized *s, int node, int stage, const hy_box *box, const hy_box_set *set) {
  place p = {.s = s, .node = &s->t.graph->nodes[node]};
  p.stage = p.node->stages[stage].stage;
  int rank = p.node->func->rank, all = rank + p.stage->rdom_count;
  int64_t min[HY_MAX_RANK + 8], len[HY_MAX_RANK + 8], count = 1;
  if (all > HY_MAX_RANK + 8) return;
  for (int i = 0; i < all; i++) {
    bool fixed = i < rank && stage && !(p.stage->pure & UINT32_C(1) << i);
    min[i] = i < rank ? box->min[i] : hy_input_evaluate(s->t.alg, &s->input, p.stage->rdoms[i - rank].interval.min).i;
    len[i] = fixed      ? 1
             : i < rank ? box->len[i]
                        : hy_input_evaluate(s->t.alg, &s->input, p.stage->rdoms[i - rank].interval.len).i;
    if (len[i] < 1 || len[i] > 2000 || (count *= len[i]) > 2000) return;
  }
  for (int64_t k = 0; k < count; k++) {
    int64_t rest = k;
    for (int i = 0; i < all; i++) {
      p.at[i] = min[i] + rest % len[i];
      rest /= len[i];
    }
    look_at_point(&p, set, stage);
  }
}

static void look_at_all(const sized *s) {
  for (int n = s->t.graph->first; n < s->t.graph->count; n++) {
    const hy_func_node *node = &s->t.graph->nodes[n];
    hy_box_set *set = hy_box_set_new(s->t.graph);
    for (int k = 0; k < node->stage_count && node->is_needed; k++)
      if (hy_boxes_need(s->t.graph, n, k, &node->box, set)) look_at_stage(s, n, k, &node->box, set);
    hy_box_set_free(set);
  }
}

/* -- against the oracle's -- */

static int same, narrower, wider;

static void compare_computation(const sized *s, const hy_stmt *compute) {
  const hy_box *mine = &s->t.graph->nodes[compute->compute.func->index].box;
  bool inside = true, equal = true;
  if (!s->t.graph->nodes[compute->compute.func->index].is_needed) return;
  for (int d = 0; d < compute->compute.func->rank; d++) {
    hy_value min = hy_input_evaluate(s->t.alg, &s->input, compute->compute.box[d].min);
    hy_value len = hy_input_evaluate(s->t.alg, &s->input, compute->compute.box[d].len);
    if (min.error || len.error) return;
    inside &= mine->min[d] >= min.i && mine->min[d] + mine->len[d] <= min.i + len.i;
    equal &= mine->min[d] == min.i && mine->len[d] == len.i;
  }
  same += equal;
  narrower += inside && !equal;
  wider += !inside;
}

static void see_float(void *self, const hy_expr *node) {
  *(bool *)self |= hy_type_class_of(node->type) == HY_CLASS_FLOAT;
}

static void see_access(void *self, const hy_expr *access) {
  for (int d = 0; d < access->count; d++) hy_expr_visit(access->args[d], see_float, self);
}

// Of what is read through floats the oracle knows the corners, these boxes the whole range alone.
static bool reads_through_floats(const hy_alg *alg) {
  bool found = false;
  for (int i = 0; i < alg->definition_count; i++)
    for (int j = 0; j < alg->definitions[i].stage_count; j++) {
      const hy_stage *stage = &alg->definitions[i].stages[j];
      hy_expr_visit_accesses(stage->rhs, see_access, &found);
      if (stage->predicate) hy_expr_visit_accesses(stage->predicate, see_access, &found);
    }
  return found;
}

static void compare_all(const sized *s, const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_COMPUTE) compare_computation(s, stmt);
  if (stmt->kind == HY_STMT_LABEL) compare_all(s, stmt->label.body);
  for (int i = 0; stmt->kind == HY_STMT_SEQ && i < stmt->seq.count; i++) compare_all(s, stmt->seq.items[i]);
}

START_TEST(random_algorithms) {
  hy_campaign_options options = {.seed = 5, .favourite = HY_NO_DIRECTIVE};
  int sizes = 0;
  for (uint64_t i = 0; i < ALGORITHMS; i++) {
    hy_case c;
    hy_walk walk;
    bool fine = hy_campaign_case(&options, i, &c, &walk) && !(walk.planted && walk.planted_kind == HY_NO_DIRECTIVE);
    sized s;
    if (fine && c.input_count && sized_open(&s, &c)) {
      take_estimates(&s);
      hy_box_set *set = hy_box_set_new(s.t.graph);
      if (hy_boxes_concrete(s.t.graph, set)) {
        look_at_all(&s);
        if (!reads_through_floats(s.t.alg)) compare_all(&s, s.pipeline.filled->body);
        sizes++;
      }
      hy_box_set_free(set);
    }
    if (fine && c.input_count) sized_close(&s);
    hy_case_free(&c);
  }
  test_note("boxes of %d random algorithms: %d coordinates at points lie inside; the oracle's: %d the same, %d wider, "
            "%d others",
            sizes, looked_at, same, narrower, wider);
  ck_assert_int_gt(sizes, ALGORITHMS / 4);
  ck_assert_int_gt(looked_at, 10000);
  ck_assert_int_gt(same, 4 * (narrower + wider));
}
END_TEST

Suite *autosched_boxes_suite(void) {
  Suite *suite = suite_create("autosched_boxes");
  TCase *tests = tcase_create("boxes");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, stencils);
  tcase_add_test(tests, members_alone_are_gone_through);
  tcase_add_test(tests, loads_and_updates);
  tcase_add_test(tests, positions_from_a_table);
  tcase_add_test(tests, what_has_no_interval);
  tcase_add_test(tests, what_is_too_large);
  tcase_add_test(tests, what_is_missing);
  tcase_add_test(tests, random_algorithms);
  suite_add_tcase(suite, tests);
  return suite;
}
