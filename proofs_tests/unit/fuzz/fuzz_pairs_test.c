// The pairs that fuzzing makes, and what judges them: generated the same everywhere, valid or broken by construction;
// and what is wrong on purpose is found, put down to its directive, and made small.

#include "fuzz/campaign/campaign.h"
#include "fuzz/change/chained.h"
#include "fuzz/judge/judge_internal.h"
#include "fuzz/pairs/either.h"
#include "proofs_tests/suites.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 400 };

static bool generate(uint64_t index, hy_case *c, hy_walk *walk) {
  hy_campaign_options o = {.seed = 99, .favourite = HY_NO_DIRECTIVE};
  return hy_campaign_case(&o, index, c, walk);
}

static char *text_of(const hy_case *c) {
  hy_text text = {0};
  hy_case_print(c, NULL, &text);
  return text.data;
}

START_TEST(the_same_twice) {
  for (uint64_t i = 0; i < 60; i++) {
    hy_case a, b;
    hy_walk walk;
    generate(i, &a, &walk);
    generate(i, &b, &walk);
    char *x = text_of(&a), *y = text_of(&b);
    ck_assert_str_eq(x, y);
    free(x);
    free(y);
    hy_case_free(&a);
    hy_case_free(&b);
  }
}
END_TEST

START_TEST(all_are_as_meant) {
  int invalid = 0, illegal = 0;
  for (uint64_t i = 0; i < PAIRS; i++) {
    hy_case c;
    hy_walk walk;
    ck_assert(generate(i, &c, &walk));
    ck_assert(!walk.silent);
    invalid += walk.planted && walk.planted_kind == HY_NO_DIRECTIVE;
    illegal += walk.planted && walk.planted_kind != HY_NO_DIRECTIVE;
    ck_assert(c.illegal == (walk.planted != NULL));
    hy_case_free(&c);
  }
  ck_assert_int_gt(invalid, 0); // 2 in 100
  ck_assert_int_lt(invalid, PAIRS / 20);
  ck_assert_int_gt(illegal, PAIRS / 100); // 5 in 100
  ck_assert_int_lt(illegal, PAIRS / 8);
}
END_TEST

// Whatever the bytes are, and however few, a case comes of them.
START_TEST(any_bytes) {
  uint8_t bytes[256];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 37 * (size_t)(_i + 1) + (i * i) % 11);
  if (_i == 0) memset(bytes, 0, sizeof bytes);
  if (_i == 1) memset(bytes, 0xff, sizeof bytes);
  for (size_t count = 0; count <= sizeof bytes; count += 16) {
    hy_choices choices = hy_choices_of_bytes(bytes, count);
    hy_generate_options options = {.favourite = HY_NO_DIRECTIVE};
    hy_case c;
    hy_walk walk;
    hy_judgement j;
    ck_assert(hy_case_generate(&choices, &options, &c, &walk));
    hy_judge(&c, HY_LANE_INTERPRET, false, &j);
    ck_assert_msg(!hy_found_is_failure(j.found), "%s", j.detail);
    hy_case_free(&c);
  }
}
END_TEST

// What level 0, level 1 and random moves make of random algorithms: legal, proved, and with all certificates but a few.
START_TEST(schedules_are_found) {
  enum { PAIRS = 48 };
  hy_campaign_options o = {.seed = 5, .lanes = HY_LANE_TUNE, .favourite = HY_NO_DIRECTIVE};
  unsigned inlined = 0, placed = 0, vectors = 0, parallel = 0, uncertified = 0;
  for (uint64_t i = 0; i < PAIRS; i++) {
    hy_case c;
    hy_walk walk;
    hy_judgement j;
    ck_assert(hy_campaign_case(&o, i, &c, &walk));
    ck_assert(c.relation == HY_RELATION_NONE && !c.illegal);
    hy_judge(&c, HY_LANE_TUNE, false, &j);
    ck_assert_msg(!hy_found_is_failure(j.found) && j.found != HY_FOUND_REFUSED, "pair %d: %s", (int)i, j.detail);
    uncertified += j.found == HY_FOUND_UNCERTIFIED;
    ck_assert_msg(j.obligations == 0 || j.certificates > 0 || j.found == HY_FOUND_UNCERTIFIED, "pair %d", (int)i);
    inlined += walk.picked[hy_sched_number(&hy_directive_compute_inline)] > 0;
    placed += walk.picked[hy_sched_number(&hy_directive_compute_at)] > 0;
    vectors += walk.traversals[HY_VECTORIZED] > 0;
    parallel += walk.traversals[HY_PARALLEL] > 0;
    hy_case_free(&c);
  }
  ck_assert_msg(inlined >= 8 && placed >= 3 && vectors >= 32 && parallel >= 16,
                "%u inline, %u at, %u vectors, %u parallel", inlined, placed, vectors, parallel);
  ck_assert_uint_le(uncertified, 2);
}
END_TEST

START_TEST(a_favourite_is_used) {
  unsigned with[2] = {0, 0};
  for (int favoured = 0; favoured < 2; favoured++)
    for (uint64_t i = 0; i < 120; i++) {
      hy_campaign_options o = {.seed = 3, .favourite = favoured ? _i : HY_NO_DIRECTIVE};
      hy_case c;
      hy_walk walk;
      hy_campaign_case(&o, i, &c, &walk);
      with[favoured] += walk.picked[_i] > 0;
      hy_case_free(&c);
    }
  // In most programs nothing can slide, no func has two readers, and no update has an operator that is proved.
  static const struct {
    const char *name;
    unsigned least;
  } rare[] = {{"slide", 20}, {"clone", 15}, {"rfactor", 15}, {"copy", 15}};
  unsigned least = 30;
  for (size_t k = 0; k < HY_COUNT(rare); k++)
    if (strcmp(hy_sched_name(_i), rare[k].name) == 0) least = rare[k].least;
  ck_assert_msg(with[1] >= least && with[1] >= with[0], "%s: %u schedules of 120 hold it, %u when asked for",
                hy_sched_name(_i), with[0], with[1]);
}
END_TEST

// Every type is there, and parameters of every kind.
START_TEST(the_space_is_wide) {
  static const char *const words[] = {
      "u64",   "i8",  "bool",     "f64", "a: ", "k: int", "let t0", ", c, u", "min(int(", "9223372036854775807",
      "*x + ", "/ -", "max(x, y)"};
  int seen[HY_COUNT(words)] = {0}, shapes[HY_SHAPES] = {0};
  for (uint64_t i = 0; i < 2000; i++) {
    hy_case c;
    hy_walk walk;
    generate(i, &c, &walk);
    shapes[walk.shape]++;
    for (size_t k = 0; k < HY_COUNT(words); k++) seen[k] += strstr(c.alg, words[k]) != NULL;
    hy_case_free(&c);
  }
  for (size_t k = 0; k < HY_COUNT(words); k++) ck_assert_msg(seen[k] > 0, "no algorithm has '%s'", words[k]);
  for (int k = 0; k < HY_SHAPES; k++) ck_assert_int_gt(shapes[k], 20);
  ck_assert_int_gt(shapes[HY_SHAPE_AFFINE], 1000);
}
END_TEST

START_TEST(parameters_of_every_type) {
  ck_assert_uint_eq(hy_case_param(HY_U64, -1).u, UINT64_MAX);
  ck_assert_int_eq(hy_case_param(HY_I8, 255).i, -1);
  ck_assert(!hy_case_param(HY_BOOL, 2).u && hy_case_param(HY_BOOL, -1).u);
  ck_assert_double_eq(hy_case_param(HY_F64, 3).f64, 0.75);
  ck_assert_double_infinite(hy_case_param(HY_F64, INT64_MAX).f64);
  ck_assert_float_nan(hy_case_param(HY_F32, INT64_MIN).f32);
}
END_TEST

// The last line, of a judge that ended early alone.
START_TEST(last_words) {
  for (int died = 0; died < 2; died++) {
    hy_judgement j = {.detail = "the judge ended"};
    int words = hy_judge_hear();
    ck_assert_int_eq(dprintf(words, "one line\nand the last\n"), 22);
    if (died) strcpy(j.end, "signal 6");
    hy_judge_quote(words, &j);
    ck_assert_str_eq(j.detail, died ? "the judge ended; its last words: and the last" : "the judge ended");
  }
}
END_TEST

/* -- what is wrong is found -- */

static hy_case make_case(const char *alg, const char *items) {
  hy_case c = {.alg = strdup(alg), .items = strdup(items), .input_count = 1};
  c.inputs[0] = (hy_case_input){.len = {5, 3}, .params = {2, 1}, .seed = 5};
  return c;
}

static const char blur[] = "pipeline p(w: int, in: u8[2]) {\n"
                           "  fun f0(x, y) = int(in(x, y)) + w;\n"
                           "  fun f1(x, y) = { f0(x - 1, y) + f0(x + 1, y); rdom(r = (0, 3), q = (0, 2)) in (x, y) <- "
                           "f1(x, y) + f0(x + q, r); };\n"
                           "  fun f2(x, y) = f1(x, y - 1) * f1(x, y + 1);\n}\n";
static const char tiled[] = "  split(f2.s0.x, xo, xi, 4);\n  split(f2.s0.y, yo, yi, 2);\n  swap(f2.s0.yi);\n"
                            "  compute_at(f1, f2.s0.yo);\n";

static const struct {
  const char *alg, *items;
  bool illegal;
  unsigned lanes;
  hy_found found;
} judged[] = {
    {blur, tiled, false, HY_LANE_INTERPRET | HY_LANE_QUERY, HY_FOUND_NOTHING},
    {blur, tiled, false, HY_LANE_LIGHT | HY_LANE_NATIVE, HY_FOUND_NOTHING},
    {blur, "", false, HY_LANE_CROSS | HY_LANE_QUERY, HY_FOUND_NOTHING},
    {blur, tiled, true, HY_LANE_INTERPRET, HY_FOUND_ACCEPTED}, // meant to be refused, and is not
    {blur, "", true, HY_LANE_INTERPRET, HY_FOUND_ACCEPTED},
    {blur, "  swap(f1.s1.q);\n", true, HY_LANE_INTERPRET, HY_FOUND_REFUSED},
    {blur, "  swap(f1.s1.q);\n", false, HY_LANE_INTERPRET, HY_FOUND_REFUSED},
    {blur, "  swap(\n", true, HY_LANE_INTERPRET, HY_FOUND_REFUSED},
    {"pipeline p() { fun f(x) = f(x); }", "", false, HY_LANE_INTERPRET, HY_FOUND_INVALID}, // meant to be valid
    {"pipeline p() { fun f(x) = f(x); }", "", true, HY_LANE_INTERPRET, HY_FOUND_REFUSED},
    {"pipeline p(", "", false, HY_LANE_INTERPRET, HY_FOUND_INVALID},
    {"pipeline p(in: u8[1]) { fun f(x) = in(int(in(x)) * int(in(x))); }", "", false, HY_LANE_INTERPRET,
     HY_FOUND_NOTHING},
    {"pipeline p(in: i64[1]) { fun f(x) = in(int(in(x))); }", "", false, HY_LANE_INTERPRET, HY_FOUND_REFUSED},
    // bounded before the directives, and not behind them
    {"pipeline p() { fun f0(x, y) = u32(0); fun f1(x) = f0(x, x)*f0(abs(x), 3); }",
     "  fuse(f0.s0.y, x, t0);\n  split(f0.s0.t0, o1, i2, 2, round);\n  compute_at(f0, f1.s0.x);\n", false,
     HY_LANE_INTERPRET, HY_FOUND_NO_SOLUTION},
};

START_TEST(judges) {
  hy_case c = make_case(judged[_i].alg, judged[_i].items);
  hy_judgement j;
  c.illegal = judged[_i].illegal;
  hy_judge_apart(&c, judged[_i].lanes, true, 30, &j);
  ck_assert_msg(j.found == judged[_i].found, "%s, not %s: %s", hy_found_name(j.found), hy_found_name(judged[_i].found),
                j.detail);
  hy_case_free(&c);
}
END_TEST

// Each relation holds of a pair that it can be tried on.
START_TEST(relates) {
  hy_case c = make_case(blur, tiled);
  hy_judgement j;
  int tried = 0;
  c.relation = (hy_case_relation)_i;
  for (c.seed = 1; c.seed < 9; c.seed++) {
    hy_judge(&c, HY_LANE_INTERPRET, false, &j);
    ck_assert_msg(j.found == HY_FOUND_NOTHING, "%s: %s", hy_case_relation_name(c.relation), j.detail);
    tried += j.related;
  }
  // here directives of one func stand together
  if (c.relation != HY_RELATION_PERMUTE)
    ck_assert_msg(tried > 0, "%s was never tried", hy_case_relation_name(c.relation));
  hy_case_free(&c);
}
END_TEST

// Swaps, tiles and traversals with factors, branches, updates, moves and bounds in their chained spelling.
static const struct {
  const char *items, *says;
} chains[] = {
    {"  split(g.x, xo, xi, 4, round);\n", "  g.split(x, xo, xi, 4, round);\n"},
    {"  split(f.x, x, x_v, 4);\n  traverse(f.x_v, vectorized);\n", "  f.vectorize(x, 4);\n"},
    {"  split(f.x, x, x_p, 4);\n  traverse(f.x, parallel);\n", "  f.parallel(x, 4);\n"},
    {"  split(f.x, xo, xi, 4);\n  split(f.y, yo, yi, 2);\n  swap(f.yi);\n", "  f.tile(x, y, xo, yo, xi, yi, 4, 2);\n"},
    {"  fuse(f.y, x, t);\n  traverse(f.t, parallel);\n", "  f.fuse(x, y, t).parallel(t);\n"},
    {"  specialize(g, n > 2, n == 1);\n  swap(g.z2.s0.y);\n",
     "  g.specialize(n > 2).specialize(n == 1);\n  g.specialize(n == 1).reorder(y, x);\n"},
    {"  traverse(f.s1.x, parallel);\n", "  f.update(0).parallel(x);\n"},
    {"  compute_at(g, f.s0.y);\n  store_at(g, f.s0.y);\n", "store_at(g, f.s0.y);"}, // two stages have a loop y
    {"  split(f.s0.y, yo, yi, 2);\n  compute_at(g, f.s0.yi);\n  store_at(g, f.s0.yo);\n",
     "  g.compute_at(f, yi).store_at(f, yo);\n"},
    {"  split(f.s0.y, yo, yi, 2);\n  compute_at(g, f.s0.yi);\n", "  g.compute_at(f, yi).store_root();\n"},
    {"  bound_extent(g, x, 20);\n  align_bounds(f, y, 2, 0);\n",
     "  g.bound_extent(x, 20);\n  f.align_bounds(y, 2, 0);\n"},
    {"  bound_extent(g, x, 20);\n  reorder_storage(g, y, x);\n", "  g.bound_extent(x, 20).reorder_storage(y, x);\n"},
};

START_TEST(schedules_are_chained) {
  static const char alg[] = "pipeline p(n: int) {\n  fun g(x, y) = i32(x) + i32(y);\n"
                            "  fun f(x, y) = { g(x, y - 1) + g(x + 1, y); (x, y) <- f(x, y) + 1; };\n}\n";
  hy_case c = make_case(alg, chains[_i].items);
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source sources[2] = {{0}};
  hy_pipeline p;
  hy_text text = {0};
  hy_judgement j;
  ck_assert(hy_judging_parse(context, c.alg, c.items, sources, &p, said) && hy_pipeline_schedule(&p, said));
  ck_assert(hy_chained_print(context, &p, true, &text));
  ck_assert_msg(strstr(hy_text_string(&text), chains[_i].says), "%s, not %s", hy_text_string(&text), chains[_i].says);
  c.relation = HY_RELATION_CHAINED;
  hy_judge(&c, HY_LANE_INTERPRET, false, &j);
  ck_assert_msg(j.found == HY_FOUND_NOTHING && j.related, "%s: %s", hy_found_name(j.found), j.detail);
  hy_text_free(&text);
  hy_diagnostics_free(said);
  hy_context_free(context);
  free((char *)sources[1].text);
  hy_case_free(&c);
}
END_TEST

START_TEST(shrinks) {
  hy_case c = make_case(blur, tiled);
  hy_judgement j;
  hy_shrink_limits limits = {60, 2000};
  c.illegal = true;
  hy_judge(&c, HY_LANE_INTERPRET, false, &j);
  hy_shrink(&c, HY_LANE_INTERPRET, &limits, &j);
  ck_assert_int_eq((int)j.found, HY_FOUND_ACCEPTED);
  ck_assert_str_eq(c.items, "");
  const char *first = strstr(c.alg, "fun ");
  ck_assert(first && !strstr(first + 1, "fun "));
  hy_case_free(&c);
}
END_TEST

// What shows something else, or nothing, is no smaller case of the same.
// A form that does not mean what the case says stays in the smaller case; one that has no part in a finding does not.
START_TEST(shrinks_forms) {
  static const char alg[] = "pipeline p() {\n  const g0 = 2;\n  def h0(x, y) = x - y;\n  fun f0(x) = x * 3;\n"
                            "  fun f1(x, y) = h0(y, x) + g0;\n  fun f2(x, y) = f1(x, y) + f0(x);\n}\n";
  static const char written[] = "pipeline p() {\n  fun f0(x) = x * 3;\n  fun f1(x, y) = x - y + 2;\n"
                                "  fun f2(x, y) = f1(x, y) + f0(x);\n}\n";
  hy_case c = make_case(alg, "  split(f2.s0.x, xo, xi, 4);\n");
  hy_judgement j;
  hy_shrink_limits limits = {60, 2000};
  if (_i == 0) c.written = strdup(written);
  if (_i == 1) c.illegal = true;
  hy_judge(&c, HY_LANE_INTERPRET, false, &j);
  hy_shrink(&c, HY_LANE_INTERPRET, &limits, &j);
  ck_assert_int_eq((int)j.found, _i ? HY_FOUND_ACCEPTED : HY_FOUND_DISAGREE);
  ck_assert_str_eq(c.items, "");
  if (_i == 0)
    ck_assert_str_eq(c.alg, "pipeline p() {\n  const g0 = 2;\n  def h0(x, y) = x - y;\n"
                            "  fun f1(x, y) = h0(y, x) + g0;\n}\n");
  if (_i == 0) ck_assert_str_eq(c.written, "pipeline p() {\n  fun f1(x, y) = x - y + 2;\n}\n");
  if (_i == 1) ck_assert(!strstr(c.alg, "def") && !strstr(c.alg, "f1"));
  hy_case_free(&c);
}
END_TEST

START_TEST(two_wordings) {
  hy_text text = {0}, numbered = {0}, forms = {0}, written = {0};
  hy_text_add(&text, "a ");
  hy_either_begin(&text);
  hy_either_add(&text, "inner", "not this");
  hy_text_add(&text, " form ");
  hy_either_turn(&text);
  hy_either_add(&text, "nor this", "q");
  hy_either_add_number(&text);
  hy_either_end(&text);
  hy_text_add(&text, " z");
  hy_either_numbered(text.data, 12, &numbered);
  hy_either_read(numbered.data, HY_WORDING_FORMS, &forms);
  hy_either_read(numbered.data, HY_WORDING_WRITTEN_OUT, &written);
  ck_assert_str_eq(forms.data, "a inner form  z");
  ck_assert_str_eq(written.data, "a q12 z");
  hy_text_free(&text);
  hy_text_free(&numbered);
  hy_text_free(&forms);
  hy_text_free(&written);
}
END_TEST

START_TEST(shrinks_to_the_same) {
  hy_case c = make_case(blur, "  split(f2.s0.x, xo, xi, 4);\n  swap(f1.s1.q);\n");
  hy_judgement j;
  hy_shrink_limits limits = {60, 2000};
  hy_judge(&c, HY_LANE_INTERPRET, false, &j);
  ck_assert_int_eq((int)j.found, HY_FOUND_REFUSED);
  hy_shrink(&c, HY_LANE_INTERPRET, &limits, &j);
  ck_assert_int_eq((int)j.found, HY_FOUND_REFUSED);
  ck_assert_str_eq(c.items, "  swap(f1.s1.q);\n");
  hy_case_free(&c);
}
END_TEST

START_TEST(a_shrinker_that_may_not_try) {
  hy_case c = make_case(blur, tiled);
  hy_judgement j;
  hy_shrink_limits none[2] = {{60, 0}, {0, 2000}};
  c.illegal = true;
  hy_judge(&c, HY_LANE_INTERPRET, false, &j);
  hy_shrink(&c, HY_LANE_INTERPRET, &none[_i], &j);
  ck_assert_str_eq(c.items, tiled);
  hy_case_free(&c);
}
END_TEST

START_TEST(keys) {
  hy_judgement j = {
      .found = HY_FOUND_CONTRACT, .directive = hy_sched_number(&hy_directive_split), .rule = "read outside Mem"};
  char key[HY_KEY_ROOM];
  hy_judgement_key(&j, key, sizeof key);
  ck_assert_str_eq(key, "contract-split-read_outside_Mem");
  hy_judgement other = j;
  ck_assert(hy_judgement_same(&j, &other));
  strcpy(other.rule, "race");
  ck_assert(!hy_judgement_same(&j, &other));
  for (int i = 0; i < HY_FOUND_COUNT; i++) {
    hy_found found;
    ck_assert(hy_found_of_name(hy_found_name((hy_found)i), &found) && (int)found == i);
  }
}
END_TEST

START_TEST(deaths_are_findings) {
  static const struct {
    int status;
    hy_found found;
  } rows[] = {{SIGSEGV, HY_FOUND_CRASH},
              {SIGABRT, HY_FOUND_CRASH},
              {4 << 8, HY_FOUND_CRASH},
              {SIGPROF, HY_FOUND_HANG},
              {SIGALRM, HY_FOUND_HANG}};
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_judgement j;
    hy_judge_death(rows[i].status, &j);
    ck_assert_int_eq((int)j.found, rows[i].found);
  }
}
END_TEST

// What ordinary programs rarely have is made often enough that 8000 pairs have each of it.
START_TEST(every_form_is_made) {
  enum { MANY = 8000 };
  hy_campaign_options o = {
      .seed = 1, .lanes = HY_LANE_INTERPRET, .favourite = HY_NO_DIRECTIVE, .neighbour = HY_NO_DIRECTIVE};
  int made[HY_FORMS] = {0};
  for (uint64_t i = 0; i < MANY; i++) {
    hy_case c;
    hy_walk walk;
    hy_campaign_case(&o, i, &c, &walk);
    for (int f = 0; f < HY_FORMS; f++) made[f] += hy_forms_has(&walk.forms, f);
    hy_case_free(&c);
  }
  for (int f = 0; f < HY_FORMS; f++)
    ck_assert_msg(made[f] > 0 || !hy_form_exists(f), "none of %d pairs has %s", MANY, hy_form_name(f));
}
END_TEST

Suite *fuzz_pairs_suite(void) {
  Suite *suite = suite_create("fuzz_pairs");
  TCase *made = tcase_create("made"), *tests = tcase_create("judged");
  tcase_set_timeout(made, 120);
  tcase_set_timeout(tests, 120);
  tcase_add_test(made, the_same_twice);
  tcase_add_test(made, the_space_is_wide);
  tcase_add_test(made, parameters_of_every_type);
  tcase_add_test(made, last_words);
  tcase_add_test(made, two_wordings);
  tcase_add_test(made, every_form_is_made);
  tcase_add_test(made, all_are_as_meant);
  tcase_add_loop_test(made, any_bytes, 0, 6);
  tcase_add_test(made, schedules_are_found);
  tcase_add_loop_test(made, a_favourite_is_used, 0, HY_OWN_DIRECTIVES);
  suite_add_tcase(suite, made);
  tcase_add_loop_test(tests, judges, 0, (int)HY_COUNT(judged));
  tcase_add_loop_test(tests, relates, HY_RELATION_NONE + 1, HY_RELATIONS);
  tcase_add_loop_test(tests, schedules_are_chained, 0, (int)HY_COUNT(chains));
  tcase_add_test(tests, shrinks);
  tcase_add_loop_test(tests, shrinks_forms, 0, 2);
  tcase_add_test(tests, shrinks_to_the_same);
  tcase_add_loop_test(tests, a_shrinker_that_may_not_try, 0, 2);
  tcase_add_test(tests, keys);
  tcase_add_test(tests, deaths_are_findings);
  suite_add_tcase(suite, tests);
  return suite;
}
