/* Levels 0 and 1: the numbers of the paper's listings, by hand, on a blur and a product of matrices; the groups of its
 * figure 4; rules of loops; what is not done.
 */

#include "autosched/cost.h"
#include "autosched/inline.h"
#include "autosched/rules.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/autosched/autosched_harness.h"

static const char blur[] = "pipeline blur(in: u16[2]) {\n"
                           "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"
                           "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n";
static const char matmul[] =
    "pipeline matmul(a: f32[2], b: f32[2]) {\n"
    "  fun c(x, y) = { 0; rdom(k = (0, 512)) in (x, y) <- c(x, y) + a(k, y) * b(x, k); };\n}\n";
enum { W = 2560, H = 1440, PB = W * (H + 2), PV = W * H };

static tuned open_sized(const char *text, const char *output, int64_t width, int64_t height) {
  tuned t = tuned_open(text);
  estimate(&t, output, 0, 0, width);
  estimate(&t, output, 1, 0, height);
  find_boxes(&t);
  return t;
}

static void assert_cost(hy_cost is, int64_t wanted) {
  ck_assert_msg(is == wanted, "%lld, not %lld", (long long)is, (long long)wanted);
}

/* -- costs of points -- */

static hy_node_stage *stage_of(const tuned *t, const char *func, int stage) {
  return &t->graph->nodes[node_of(t, func)].stages[stage];
}

START_TEST(costs_of_points) {
  tuned t = tuned_open("pipeline p(in: f32[2], g: int[1], k: f32) {\n"
                       "  fun shared(x, y) = (in(x, y) + k) * (in(x, y) + k);\n" // computed once
                       "  fun addressed(x, y) = in(3*x - 7, y + x*x);\n"         // coordinates are addresses
                       "  fun gathered(x, y) = in(clamp(2*g(x), 0, 9), y);\n"    // but this one is computed
                       "  fun scaled(x, y) = in(int(i8(f32(x) * k)), y);\n" // a coordinate of floats is computed, too
                       "  fun divided(x, y) = in(x, y) / k;\n"
                       "  fun thirds(x, y) = in(x, y) / 3.0;\n"
                       "  fun o(x, y) = shared(x, y) + addressed(x, y) + gathered(x, y) + scaled(x, y) + divided(x, y) "
                       "+ thirds(x, y) +\n"
                       "    sqrt(sin(in(x, y)));\n}\n");
  ck_assert_int_eq(stage_of(&t, "shared", 0)->arithmetic, 2);
  ck_assert_int_eq(stage_of(&t, "shared", 0)->access_count, 1);
  ck_assert_int_eq(stage_of(&t, "addressed", 0)->arithmetic, 0);
  ck_assert_int_eq(stage_of(&t, "gathered", 0)->arithmetic, 3); // clamp is a min and a max
  ck_assert_int_eq(stage_of(&t, "gathered", 0)->access_count, 2);
  ck_assert_int_eq(stage_of(&t, "scaled", 0)->arithmetic, 4); // three conversions, a product
  ck_assert_int_eq(stage_of(&t, "divided", 0)->arithmetic, 8);
  ck_assert_int_eq(stage_of(&t, "thirds", 0)->arithmetic, 1);
  ck_assert_int_eq(stage_of(&t, "o", 0)->arithmetic, 6 + 8 + 20);
  tuned_close(&t);
}
END_TEST

/* -- inlining -- */

START_TEST(inlining_a_blur_does_not_pay) {
  tuned t = open_sized(blur, "bv", W, H);
  hy_cost benefit;
  ck_assert(hy_inline_benefit(t.graph, node_of(&t, "bh"), 10, &benefit));
  assert_cost(benefit, INT64_C(33) * PB + INT64_C(33) * PV - INT64_C(102) * PV); // 12 operations, 9 loads
  ck_assert(!hy_inline_benefit(t.graph, node_of(&t, "bv"), 10, &benefit));       // the output
  ck_assert(!hy_inline_benefit(t.graph, node_of(&t, "in"), 10, &benefit));       // an image
  tuned_close(&t);
}
END_TEST

static hy_place place_at_level0(const tuned *t, const char *func) {
  hy_tune_parameters p = hy_tune_default();
  hy_proposal proposal;
  ck_assert(hy_tune_level0(t->graph, &p, &proposal));
  return proposal.choices->funcs[node_of(t, func)].place;
}

START_TEST(level_0_inlines_what_is_free) {
  tuned t = open_sized("pipeline p(in: f32[2]) {\n"
                       "  fun once(x, y) = in(x, y) * 2.0;\n"
                       "  fun again(x) = in(x, 0) * 2.0;\n"
                       "  fun twice(x, y) = in(x, y) + 1.0;\n"
                       "  fun updated(x, y) = { in(x, y); (x, y) <- updated(x, y) + 1.0; };\n"
                       "  fun o(x, y) = once(x, y) + again(x) + twice(x, y) * twice(x, y + 1) + updated(x, y);\n}\n",
                       "o", 64, 64);
  ck_assert_int_eq(place_at_level0(&t, "once"), HY_PLACE_INLINE);
  ck_assert_int_eq(place_at_level0(&t, "again"), HY_PLACE_ROOT);   // 64 points, evaluated 4096 times
  ck_assert_int_eq(place_at_level0(&t, "twice"), HY_PLACE_ROOT);   // at two points for each
  ck_assert_int_eq(place_at_level0(&t, "updated"), HY_PLACE_ROOT); // no expression
  ck_assert_int_eq(place_at_level0(&t, "o"), HY_PLACE_ROOT);
  tuned_close(&t);
}
END_TEST

/* -- listing 2 -- */

START_TEST(figures_of_a_blur_tile) {
  tuned t = open_sized(blur, "bv", W, H);
  bool members[3] = {false, true, true};
  hy_box tile = {.rank = 2, .min = {256, 64}, .len = {256, 32}};
  hy_tune_parameters p = hy_tune_default();
  const hy_groups *groups = hy_groups_new(t.graph, &p);
  hy_group_figures f;
  ck_assert(hy_group_figures_of(groups, members, node_of(&t, "bv"), &tile, &f));
  assert_cost(f.arithmetic, 3 * 256 * 34 + 3 * 256 * 32);
  assert_cost(f.loads, 258 * 34);
  assert_cost(f.rows, 34); // of in, each 258 of its 2562 points
  assert_cost(f.between_bytes, 256 * 34 * 2);
  assert_cost(f.input_bytes, 258 * 34 * 2);
  members[1] = false; // bh is read then: three rows of it for each row, but none twice
  ck_assert(hy_group_figures_of(groups, members, node_of(&t, "bv"), &tile, &f));
  assert_cost(f.loads, 256 * 34);
  assert_cost(f.between_bytes, 0);
  tile = (hy_box){.rank = 2, .min = {0, 64}, .len = {W, 32}}; // rows as long as the func's begin nowhere
  ck_assert(hy_group_figures_of(groups, members, node_of(&t, "bv"), &tile, &f));
  assert_cost(f.rows, 0);
  tuned_close(&t);
}
END_TEST

// 32 rows of bh are 174,080 bytes, 64 are more than the cache; 64 columns would compute less twice, but each of the rows
// would begin anew.
START_TEST(groups_of_a_blur) {
  tuned t = open_sized(blur, "bv", W, H);
  hy_tune_parameters p = hy_tune_default();
  hy_groups *groups = hy_groups_new(t.graph, &p);
  int bh = node_of(&t, "bh"), bv = node_of(&t, "bv");
  hy_cost cost, benefit;
  hy_tile_lengths tile;
  ck_assert(hy_group_cost(groups, bh, &cost));
  assert_cost(cost, INT64_C(33) * PB);
  ck_assert(hy_group_benefit(groups, bh, bv, &benefit, &tile));
  int64_t merged = INT64_C(45) * (3 * W * 34 + 3 * W * 32 + 10 * (W + 2) * 34);
  assert_cost(benefit, INT64_C(33) * PB + INT64_C(33) * PV - merged);
  hy_groups_merge(groups);
  ck_assert_int_eq(groups->group_of[bh], bv);
  ck_assert_int_eq(groups->group_of[bv], bv);
  ck_assert_int_eq(groups->group_of[node_of(&t, "in")], -1);
  ck_assert_int_eq(groups->tiles[bv].len[0], W);
  ck_assert_int_eq(groups->tiles[bv].len[1], 32);
  tuned_close(&t);
}
END_TEST

START_TEST(what_no_tile_suits_is_not_merged) {
  tuned t = open_sized(blur, "bv", W, H);
  hy_tune_parameters p = hy_tune_default();
  hy_cost benefit;
  hy_tile_lengths tile;
  p.cache_bytes = 2 * 32 * 3 - 1; // the smallest tile needs three rows of 32 points
  hy_groups *groups = hy_groups_new(t.graph, &p);
  ck_assert(!hy_group_benefit(groups, node_of(&t, "bh"), node_of(&t, "bv"), &benefit, &tile));
  hy_groups_merge(groups);
  ck_assert_int_eq(groups->group_of[node_of(&t, "bh")], node_of(&t, "bh"));
  p = hy_tune_default();
  p.parallelism = W * H; // more tasks than there are tiles
  ck_assert(!hy_group_benefit(hy_groups_new(t.graph, &p), node_of(&t, "bh"), node_of(&t, "bv"), &benefit, &tile));
  tuned_close(&t);
}
END_TEST

// Figure 4: A is read by B, B by C and D, both by E; stencils of three rows.
static const char figure4[] =
    "pipeline five(in: f32[2]) {\n"
    "  fun A(x, y) = sin(in(x, y - 1)) + sin(in(x, y)) + sin(in(x, y + 1));\n"
    "  fun B(x, y) = sin(A(x, y - 1) + A(x, y) + A(x, y + 1));\n"
    "  fun C(x, y) = B(x, y - 1) + B(x, y) + B(x, y + 1);\n"
    "  fun D(x, y) = B(x, y - 1) * B(x, y) * B(x, y + 1);\n"
    "  fun E(x, y) = C(x, y - 1) + C(x, y) + C(x, y + 1) + D(x, y - 1) + D(x, y) + D(x, y + 1);\n}\n";

static hy_groups *groups_of_figure4(tuned *t, hy_tune_parameters *p) {
  *t = open_sized(figure4, "E", 1024, 1024);
  *p = hy_tune_default();
  p->cache_bytes = 12 << 10; // {A, B} and {C, D, E} fit with tiles of some height, all five do not
  return hy_groups_new(t->graph, p);
}

START_TEST(groups_of_figure_4) {
  tuned t;
  hy_tune_parameters p;
  hy_groups *groups = groups_of_figure4(&t, &p);
  int a = node_of(&t, "A"), b = node_of(&t, "B"), c = node_of(&t, "C"), d = node_of(&t, "D"), e = node_of(&t, "E");
  ck_assert_int_eq(hy_group_reader(groups, a), b); // the paper's opportunities: A-B, C-E, D-E
  ck_assert_int_eq(hy_group_reader(groups, c), e);
  ck_assert_int_eq(hy_group_reader(groups, d), e);
  ck_assert_int_eq(hy_group_reader(groups, b), -1); // and not B-C, B-D
  ck_assert_int_eq(hy_group_reader(groups, e), -1); // the output
  hy_groups_merge(groups);
  ck_assert_int_eq(groups->group_of[a], b);
  ck_assert_int_eq(groups->group_of[b], b);
  ck_assert_int_eq(groups->group_of[c], e);
  ck_assert_int_eq(groups->group_of[d], e);
  bool members[6] = {false};
  members[c] = members[d] = members[e] = true;
  hy_box tile = hy_tile_box(&t.graph->nodes[e].box, &groups->tiles[e]);
  hy_group_figures f;
  ck_assert(hy_group_figures_of(groups, members, e, &tile, &f));
  ck_assert(f.between_bytes <= p.cache_bytes); // both lie in the cache, not each alone
  tuned_close(&t);
}
END_TEST

// An update may read what is computed in its tiles; a pure stage before it may not.
START_TEST(stages_before_the_last_read_from_outside) {
  tuned t = open_sized("pipeline p(in: f32[2]) {\n"
                       "  fun f(x, y) = sin(in(x, y - 1)) + sin(in(x, y + 1));\n"
                       "  fun g(x, y) = sin(in(x, y - 1)) + sin(in(x, y + 1));\n"
                       "  fun h(x, y) = { f(x, y); (x, y) <- h(x, y) + g(x, y - 1) + g(x, y + 1); };\n"
                       "  fun o(x, y) = h(x, y) + h(x, y + 1);\n}\n",
                       "o", 1024, 1024);
  hy_tune_parameters p = hy_tune_default();
  hy_groups *groups = hy_groups_new(t.graph, &p);
  ck_assert_int_eq(hy_group_reader(groups, node_of(&t, "f")), -1);
  ck_assert_int_eq(hy_group_reader(groups, node_of(&t, "g")), node_of(&t, "h"));
  ck_assert_int_eq(hy_group_reader(groups, node_of(&t, "h")), node_of(&t, "o"));
  tuned_close(&t);
}
END_TEST

/* -- listing 1 -- */

// 64 x 64 of the product read 512 x 64 and 64 x 512 of the factors: 262,144 bytes, all of the cache.
START_TEST(tiles_of_a_product) {
  tuned t = open_sized(matmul, "c", 512, 512);
  hy_tune_parameters p = hy_tune_default();
  hy_groups *groups = hy_groups_new(t.graph, &p);
  int c = node_of(&t, "c");
  hy_cost cost;
  ck_assert(groups->is_tiled[c]);
  ck_assert_int_eq(groups->tiles[c].len[0], 64);
  ck_assert_int_eq(groups->tiles[c].len[1], 64);
  ck_assert(hy_group_cost(groups, c, &cost));
  // the rows of b begin 512 times in each of 64 tiles, which costs 64 loads each
  assert_cost(cost, INT64_C(2) * 512 * 512 * 512 + INT64_C(10) * 64 * (2 * 512 * 64 + 64 * 512));
  p.cache_bytes = (512 * 32 + 512) * 4 - 1;
  ck_assert(!hy_groups_new(t.graph, &p)->is_tiled[c]); // 32 x 1 is too large
  p = hy_tune_default();
  p.parallelism = 65;
  ck_assert(hy_groups_new(t.graph, &p)->tiles[c].len[0] * hy_groups_new(t.graph, &p)->tiles[c].len[1] < 64 * 64);
  tuned_close(&t);
}
END_TEST

START_TEST(a_pure_func_alone_has_no_tiles) {
  tuned t = open_sized(blur, "bv", W, H);
  hy_tune_parameters p = hy_tune_default();
  hy_groups *groups = hy_groups_new(t.graph, &p);
  ck_assert(!groups->is_tiled[node_of(&t, "bv")] && !groups->is_tiled[node_of(&t, "bh")]);
  tuned_close(&t);
}
END_TEST

/* -- reuse, and the tiles to be tried -- */

START_TEST(reuse_of_a_blur) {
  tuned t = open_sized(blur, "bv", W, H);
  int64_t reuse[HY_MAX_RANK];
  ck_assert(hy_reuse(t.graph, node_of(&t, "bv"), reuse));
  ck_assert_int_eq(reuse[0], 2 * (H + 2));         // of in: two of three columns
  ck_assert_int_eq(reuse[1], 2 * W + 2 * (W + 2)); // of bh and of in: two of three rows
  ck_assert(hy_reuse(t.graph, node_of(&t, "bh"), reuse));
  ck_assert_int_eq(reuse[1], 0);
  tuned_close(&t);
}
END_TEST

START_TEST(each_tile_is_tried_once) {
  tuned t = open_sized(blur, "bv", 100, 7);
  hy_tune_parameters p = hy_tune_default();
  int64_t reuse[HY_MAX_RANK];
  hy_tile_list list = {0};
  ck_assert(hy_reuse(t.graph, node_of(&t, "bv"), reuse));
  hy_tiles_of(t.graph, node_of(&t, "bv"), &p, 0, reuse, &list);
  for (size_t i = 0; i < list.count; i++) {
    ck_assert_int_ge(list.tiles[i].len[0], 32); // two vectors
    ck_assert_int_le(list.tiles[i].len[0], 100);
    ck_assert_int_le(list.tiles[i].len[1], 7);
    for (size_t k = 0; k < i; k++)
      ck_assert(list.tiles[i].len[0] != list.tiles[k].len[0] || list.tiles[i].len[1] != list.tiles[k].len[1]);
  }
  // 32 x 1, 4, 7; of cubes that are cut 64 x 7 and 100 x 7; longer rows 64 and 100 x 1 and x 4
  ck_assert_int_eq(list.count, 9);
  hy_free(list.tiles);
  tuned_close(&t);
}
END_TEST

// Rows share with their neighbours, colours do not: eight whole rows of one colour are tried, not of eight colours only.
START_TEST(colours_are_tried_one_by_one) {
  tuned t = tuned_open("pipeline p(in: f32[3]) { fun o(x, y, c) = in(x, y - 1, c) + in(x, y + 1, c); }");
  for (int d = 0; d < 3; d++) estimate(&t, "o", d, 0, d < 2 ? 512 : 16);
  find_boxes(&t);
  hy_tune_parameters p = hy_tune_default();
  int64_t reuse[HY_MAX_RANK];
  hy_tile_list list = {0};
  bool has = false;
  ck_assert(hy_reuse(t.graph, node_of(&t, "o"), reuse));
  hy_tiles_of(t.graph, node_of(&t, "o"), &p, 0, reuse, &list);
  for (size_t i = 0; i < list.count; i++)
    has |= list.tiles[i].len[0] == 512 && list.tiles[i].len[1] == 8 && list.tiles[i].len[2] == 1;
  ck_assert(has);
  hy_free(list.tiles);
  tuned_close(&t);
}
END_TEST

/* -- loops -- */

START_TEST(lanes_and_what_is_unrolled) {
  static const struct {
    int64_t inner, next;
    int vector;
    int64_t lanes;
    int unroll;
  } rows[] = {
      {640, 480, 0, 16, -1}, {13, 480, 0, 8, -1}, {5, 480, 0, 4, -1}, {3, 480, 1, 16, 0},
      {1, 480, 1, 16, -1},   {1, 1, -1, 0, -1},   {3, 1, -1, 0, 0},
  };
  tuned t = open_sized(blur, "bv", W, H);
  hy_tune_parameters p = hy_tune_default();
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_stage_choice c = hy_choices_plain(t.graph)->funcs[node_of(&t, "bv")].stages[0];
    hy_box box = {.rank = 2, .len = {rows[i].inner, rows[i].next}};
    hy_rule_vectorize(t.graph, node_of(&t, "bv"), 0, &box, &p, &c);
    ck_assert_int_eq(c.vector, rows[i].vector);
    ck_assert_int_eq(c.unroll, rows[i].unroll);
    if (c.vector >= 0) ck_assert_int_eq(c.lanes, rows[i].lanes);
  }
  tuned_close(&t);
}
END_TEST

START_TEST(loops_in_parallel) {
  static const struct {
    int64_t width, height;
    int parallel;
  } rows[] = {{640, 480, 1}, {6400, 8, 2}, {640, 12, 1}, {64, 16, 0}, {100000, 1, 2}}; // 64 x 16: too little to do
  tuned t = open_sized(blur, "bv", W, H);
  hy_tune_parameters p = hy_tune_default();
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_stage_choice c = hy_choices_plain(t.graph)->funcs[node_of(&t, "bv")].stages[0];
    hy_box box = {.rank = 2, .len = {rows[i].width, rows[i].height}};
    hy_rule_parallelize(t.graph, node_of(&t, "bv"), 0, &box, &p, &c);
    ck_assert_msg(c.parallel == rows[i].parallel, "row %zu: %d", i, c.parallel);
  }
  tuned_close(&t);
}
END_TEST

static void assert_spelled(const tuned *t,
                           bool (*level)(const hy_func_graph *, const hy_tune_parameters *, hy_proposal *),
                           const char *wanted) {
  hy_tune_parameters p = hy_tune_default();
  hy_proposal proposal;
  hy_spelling spelling = {.name = "s"};
  for (int twice = 0; twice < 2; twice++) {
    hy_text text = {0};
    ck_assert(level(t->graph, &p, &proposal));
    hy_spell(proposal.graph, proposal.choices, &spelling, &text);
    ck_assert_str_eq(hy_text_string(&text), wanted);
    hy_text_free(&text);
  }
}

START_TEST(schedules_as_written) {
  tuned t = open_sized(blur, "bv", W, H);
  assert_spelled(&t, hy_tune_level0,
                 "schedule s for blur {\n  bv.vectorize(x, 16).parallel(y);\n  bh.vectorize(x, 16).parallel(y);\n}\n");
  assert_spelled(&t, hy_tune_level1,
                 "schedule s for blur {\n  bv.split(y, y, yi, 32).vectorize(x, 16).parallel(y);\n"
                 "  bh.compute_at(bv, y).vectorize(x, 16);\n}\n");
  tuned_close(&t);
  t = open_sized(matmul, "c", 512, 512);
  assert_spelled(&t, hy_tune_level1,
                 "schedule s for matmul {\n  c.vectorize(x, 16);\n"
                 "  c.update(0).split(x, x, xi, 64).split(y, y, yi, 64).split(xi, xi, xv, 32).split(yi, yi, yb, 4)\n"
                 "    .reorder(xv, yb, k, xi, yi, x, y).unroll(yb).vectorize(xv, 16).unroll(xv).parallel(y)\n    "
                 ".parallel(x);\n}\n");
  tuned_close(&t);
  t = open_sized(matmul, "c", 24, 35); // vectors and blocks that leave nothing over, three beside each other
  assert_spelled(&t, hy_tune_level1,
                 "schedule s for matmul {\n  c.vectorize(x, 16);\n  c.update(0).split(x, x, xv, 24).split(y, y, yb, 5)"
                 ".reorder(xv, yb, k, x, y).unroll(yb)\n    .vectorize(xv, 8).unroll(xv).parallel(y);\n}\n");
  tuned_close(&t);
}
END_TEST

/* -- along which dimension -- */

// A step of a transform along x, each point of which is turned by a table's: along y all loads lie side by side, if the
// lines are turned over as they are read. So "lines" is not inlined, and runs along x, as the image lies.
START_TEST(vectors_along_the_second_dimension) {
  tuned t = open_sized("pipeline p(in: f32[2]) {\n  fun lines(x, y) = in(x, y) * 2.0;\n  fun turn(k) = sin(f32(k));\n"
                       "  fun step(x, y) = turn(x / 2 * 2) * (lines(x % 320, y) - lines(x % 320 + 320, y));\n"
                       "  fun o(x, y) = step(x % 320, y) + step(x % 320 + 320, y);\n}\n",
                       "o", 640, 480);
  assert_spelled(&t, hy_tune_level1,
                 "schedule s for p {\n  o.split(y, y, yi, 32).reorder(yi, x, y).vectorize(yi, 16).parallel(y);\n"
                 "  step.compute_at(o, y).reorder_storage(y, x).reorder(y, x).vectorize(y, 16);\n"
                 "  turn.vectorize(k, 16);\n"
                 "  lines.compute_at(o, y).reorder_storage(y, x).vectorize(x, 16);\n}\n");
  tuned_close(&t);
}
END_TEST

// 258 points of a row are 17 vectors of 16; along the other dimension each row of 34 points is three.
START_TEST(a_vector_costs_what_a_full_one_does) {
  tuned t = open_sized(blur, "bv", W, H);
  hy_tune_parameters p = hy_tune_default();
  const hy_vector_plan *plan = hy_vectors_plan(t.graph, &p);
  hy_box box = {.rank = 2, .len = {258, 34}};
  ck_assert(hy_vectors_are_usual(t.graph, plan));
  ck_assert_int_eq(hy_vectors_lanes(plan, node_of(&t, "bh"), 0, &box, 258 * 34), 17 * 16 * 34);
  hy_cost along_x, along_y, scalar;
  ck_assert(hy_vectors_cost(t.graph, plan, node_of(&t, "bh"), 0, 0, &along_x));
  ck_assert(hy_vectors_cost(t.graph, plan, node_of(&t, "bh"), 0, 1, &along_y));
  ck_assert(hy_vectors_cost(t.graph, plan, node_of(&t, "bh"), 0, -1, &scalar));
  assert_cost(along_x, INT64_C(160) * 1442 * (3 + 10 * 4));         // 3 operations, 3 loads, a store
  assert_cost(along_y, INT64_C(2560) * 91 * (3 + 10 * 4 * 2 * 16)); // each lane from a line of its own
  assert_cost(scalar, INT64_C(2560) * 1442 * (3 + 10 * 4));
  tuned_close(&t);
}
END_TEST

Suite *autosched_group_suite(void) {
  Suite *suite = suite_create("autosched_group");
  TCase *tests = tcase_create("group");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, costs_of_points);
  tcase_add_test(tests, inlining_a_blur_does_not_pay);
  tcase_add_test(tests, level_0_inlines_what_is_free);
  tcase_add_test(tests, figures_of_a_blur_tile);
  tcase_add_test(tests, groups_of_a_blur);
  tcase_add_test(tests, what_no_tile_suits_is_not_merged);
  tcase_add_test(tests, groups_of_figure_4);
  tcase_add_test(tests, stages_before_the_last_read_from_outside);
  tcase_add_test(tests, tiles_of_a_product);
  tcase_add_test(tests, a_pure_func_alone_has_no_tiles);
  tcase_add_test(tests, reuse_of_a_blur);
  tcase_add_test(tests, each_tile_is_tried_once);
  tcase_add_test(tests, colours_are_tried_one_by_one);
  tcase_add_test(tests, lanes_and_what_is_unrolled);
  tcase_add_test(tests, loops_in_parallel);
  tcase_add_test(tests, schedules_as_written);
  tcase_add_test(tests, vectors_along_the_second_dimension);
  tcase_add_test(tests, a_vector_costs_what_a_full_one_does);
  suite_add_tcase(suite, tests);
  return suite;
}
