// Other bounds than the oracle's, as fuzzing makes them: what a line says is what changes and nothing else; B refuses
// the narrower ones and proves the wider ones; and what it proves runs.

#include "fuzz/change/alter.h"
#include "fuzz/judge/judge_internal.h"
#include "proofs_tests/suites.h"

#include <stdlib.h>
#include <string.h>

static const char blur[] = "pipeline p(w: int, in: u8[2]) {\n"
                           "  fun f0(x, y) = int(in(x, y)) + w;\n"
                           "  fun f1(x, y) = { f0(x - 1, y) + f0(x + 1, y); rdom(r = (0, 3), q = (0, 2)) in (x, y) <- "
                           "f1(x, y) + f0(x + q, r); };\n"
                           "  fun f2(x, y) = f1(x, y - 1) * f1(x, y + 1);\n}\n";
static const char tiled[] = "  split(f2.s0.x, xo, xi, 4);\n  split(f2.s0.y, yo, yi, 2, shift);\n  swap(f2.s0.yi);\n"
                            "  split(f1.s0.y, fo, fi, 2, round);\n  compute_at(f1, f2.s0.yo);\n";
static const char bounded[] = "  compute_at(f1, f2.s0.y);\n  align_bounds(f1, x, 4);\n  bound(f2, x, 0, 12);\n";

/* -- a filled program -- */

static hy_context *context;
static hy_diagnostics *said;
static hy_pipeline pipeline;
static hy_source sources[2];

static const hy_tgt *fill(const char *items) {
  context = hy_context_new();
  said = hy_diagnostics_new();
  ck_assert(hy_judging_parse(context, blur, items, sources, &pipeline, said));
  ck_assert(hy_pipeline_schedule(&pipeline, said) && hy_pipeline_fill(&pipeline, said));
  return pipeline.filled;
}

static void forget(void) {
  hy_diagnostics_free(said);
  hy_context_free(context);
  free((char *)sources[1].text);
}

static const hy_tgt *alter(const char *line) {
  return hy_alter(context, pipeline.steps[pipeline.step_count - 1], pipeline.filled, line);
}

static char *text_of(const hy_tgt *tgt) {
  hy_text text = {0};
  hy_tgt_print(tgt, &text);
  return text.data;
}

/* -- lines -- */

static const struct {
  const char *line;
  bool good;
} lines[] = {
    {"cpu f0.x low +1", true},
    {"for f1.s0.y high -7", true},
    {"guard f0.s0.x__1 high 2", true},
    {"image in.0 low -1", true},
    {"loop f2.s0.xo divide", true},
    {"allocate f0.x overflow", true},
    {"compute f0.x unclamp", true},
    {"wide f2.x high +3", true},
    {"cpu f0.x length 0", true},
    {"", false},
    {"cpu", false},
    {"cpu f0.x", false},
    {"cpu f0.x low", false},
    {"cpu f0.x low x", false},
    {"cpu f0.x low +1 2", false},
    {"cpu f0.x divide 1", false},
    {"cpa f0.x low +1", false},
    {"cpu f0.x slow +1", false},
    {"cpu f0.x divide ", false},
};

START_TEST(a_line) { ck_assert_int_eq(hy_alteration_is(lines[_i].line), lines[_i].good); }
END_TEST

START_TEST(a_long_line) {
  char line[4 * HY_ALTERATION_ROOM];
  memset(line, 'f', sizeof line - 1);
  memcpy(line, "cpu ", 4);
  strcpy(line + sizeof line - 8, " low 1");
  ck_assert(!hy_alteration_is(line));
}
END_TEST

/* -- what changes -- */

// By 0, nothing does: filled again, the program is the same.
START_TEST(nothing_changes) {
  static const char *const same[] = {"cpu f1.x low 0", "for f1.s0.y high 0", "cpu f2.y shift 0", "wide f2.x high 0"};
  static const char *const schedules[] = {tiled, bounded, ""};
  for (size_t k = 0; k < HY_COUNT(schedules); k++) {
    char *before = text_of(fill(schedules[k]));
    const hy_tgt *altered = alter(same[_i]);
    ck_assert_msg(altered != NULL, "%s", same[_i]);
    char *after = text_of(altered);
    ck_assert_str_eq(after, before);
    free(before);
    free(after);
    forget();
  }
}
END_TEST

static const struct {
  const char *line, *gone,
      *there; // the only line of the program that goes, and what comes for it; "there" NULL: refused
} changes[] = {
    {"allocate f0.x high -1", "allocate f0[(x.min - 1, x.len + 2)", "allocate f0[(x.min - 1, x.len + 2 + -1)"},
    {"allocate f0.x low -2", "allocate f0[(x.min - 1, x.len + 2)", "allocate f0[(x.min - 1 + -2, x.len + 2 + 2)"},
    {"compute f2.x length 0", "compute f2 on [(x.min, x.len)", "compute f2 on [(x.min, 0)"},
    {"loop f2.s0.xo shift +1", "for f2.s0.xo in (0, (x.len + 3)/4)", "for f2.s0.xo in (1, (x.len + 3)/4)"},
    {"guard f2.s0.x high +1", "if guard (f2.s0.x < x.min + x.len)", "if guard (f2.s0.x + -1 < x.min + x.len)"},
    {"loop f2.s0.xi high -1", "for f2.s0.xi in (0, 4)", "for f2.s0.xi in (0, 3)"},
    {"loop f2.s0.xo divide", "for f2.s0.xo in (0, (x.len + 3)/4)", "for f2.s0.xo in (0, (x.len + 3)/4 + 0*(1/x.min))"},
    {"loop f2.s0.xi high +1", NULL, NULL},  // a directive says how long it is
    {"loop f2.s0.xi shift +1", NULL, NULL}, //
    {"loop f1.s1.r high -1", NULL, NULL},   // the algorithm says how long it is
    {"guard f2.s0.x low +1", NULL, NULL},   // a guard has one end
    {"loop f2.s0.xo unclamp", NULL, NULL},  // nothing to unclamp
    {"image in.0 shift +1", NULL, NULL},
    {"image in.2 low +1", NULL, NULL},
    {"cpu f3.x low +1", NULL, NULL},
    {"cpu in.x low +1", NULL, NULL},
};

START_TEST(one_thing_changes) {
  char *before = text_of(fill(tiled)), *at = changes[_i].gone ? strstr(before, changes[_i].gone) : NULL;
  const hy_tgt *altered = alter(changes[_i].line);
  ck_assert_msg((altered != NULL) == (changes[_i].there != NULL), "%s", changes[_i].line);
  if (altered) {
    char *after = text_of(altered);
    ck_assert_msg(at != NULL, "'%s' is nowhere:\n%s", changes[_i].gone, before);
    hy_text want = {0};
    hy_text_add_bytes(&want, before, (size_t)(at - before));
    hy_text_printf(&want, "%s%s", changes[_i].there, at + strlen(changes[_i].gone));
    ck_assert_str_eq(after, hy_text_string(&want));
    hy_text_free(&want);
    free(after);
  }
  free(before);
  forget();
}
END_TEST

/* -- what B says of it -- */

static const struct {
  const char *items, *line;
  hy_answer answer;
} answers[] = {
    {tiled, "cpu f2.x shift 0", HY_YES},          // the oracle's own
    {tiled, "allocate f0.x low -1", HY_YES},      // wider storage
    {tiled, "allocate f1.y high +7", HY_YES},     //
    {tiled, "wide f2.x low -2", HY_YES},          // a wider Cpu, with room in what it reads
    {tiled, "wide f1.x high +3", HY_YES},         //
    {tiled, "image in.0 low -1", HY_YES},         // a stricter entry check
    {tiled, "compute f0.x high -1", HY_NO},       // whoever reads it there
    {tiled, "allocate f0.x high -1", HY_NO},      //
    {tiled, "allocate f2.y low +1", HY_NO},       //
    {tiled, "cpu f2.x high -1", HY_NO},           // the window
    {tiled, "cpu f1.x low +1", HY_NO},            //
    {tiled, "cpu f0.x low -1", HY_NO},            // wider than its memory
    {tiled, "for f1.s0.y high -1", HY_NO},        // does not cover
    {tiled, "loop f2.s0.xo high -1", HY_NO},      //
    {tiled, "loop f2.s0.xi high -1", HY_NO},      //
    {tiled, "loop f2.s0.yo length -1", HY_NO},    //
    {tiled, "guard f2.s0.x high -1", HY_NO},      // lets too little pass
    {tiled, "guard f2.s0.x high +1", HY_UNKNOWN}, // too much: outside of Mem
    {tiled, "image in.1 high -1", HY_NO},         //
    {tiled, "cpu f2.x divide", HY_NO},            // at x.min = 0
    {tiled, "allocate f0.x overflow", HY_NO},     //
    {bounded, "cpu f1.x high +1", HY_NO},         // no multiple of 4 any more
    {bounded, "wide f1.x high +3", HY_NO},        //
    {bounded, "cpu f2.x high +1", HY_NO},         // the bound says 12
};

START_TEST(b_answers) {
  fill(answers[_i].items);
  const hy_tgt *altered = alter(answers[_i].line);
  ck_assert_msg(altered != NULL, "%s", answers[_i].line);
  hy_answer answer = hy_oracle_accepts(context, hy_query_extract(context, altered), NULL);
  ck_assert_msg(answer == answers[_i].answer, "%s: %d", answers[_i].line, (int)answer);
  forget();
}
END_TEST

/* -- in a campaign -- */

static hy_case make_case(const char *items, const char *line) {
  hy_case c = {.alg = strdup(blur), .items = strdup(items), .input_count = 1};
  c.inputs[0] = (hy_case_input){.len = {5, 3}, .params = {2, 1}, .seed = 6};
  strcpy(c.altered, line);
  return c;
}

// What B proves runs; what it refutes is counted, and whether it broke here: at the end of the window it does.
START_TEST(judged) {
  hy_case c = make_case(answers[_i].items, answers[_i].line);
  hy_judgement j;
  hy_judge(&c, HY_LANE_QUERY, false, &j);
  ck_assert_msg(j.found == HY_FOUND_NOTHING || j.found == HY_FOUND_UNDECIDED, "%s: %s", hy_found_name(j.found),
                j.detail);
  ck_assert_int_eq(j.altered, 1);
  ck_assert_int_eq(j.altered_proved, answers[_i].answer == HY_YES);
  ck_assert_int_eq(j.altered_refuted, answers[_i].answer == HY_NO);
  ck_assert_int_le(j.altered_broke, j.altered_refuted);
  ck_assert_str_eq(j.altered_line, "");
  // a range that is rounded up to an even one may be as long as before
  if (strstr(answers[_i].line, "high -1") && strncmp(answers[_i].line, "for ", 4) != 0)
    ck_assert_msg(j.altered_broke == 1, "%s", answers[_i].line);
  hy_case_free(&c);
}
END_TEST

// Those that a seed picks: many kinds, each with a line that gives the same program again.
START_TEST(any_seed) {
  fill(_i ? bounded : tiled);
  const hy_tgt *scheduled = pipeline.steps[pipeline.step_count - 1];
  unsigned kinds = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    char line[HY_ALTERATION_ROOM];
    const hy_tgt *altered = hy_alter_any(context, scheduled, pipeline.filled, seed, line);
    ck_assert(altered != NULL && hy_alteration_is(line));
    static const char *const places[] = {"cpu ", "for ", "wide ", "allocate ", "compute ", "loop ", "guard ", "image "};
    for (size_t k = 0; k < HY_COUNT(places); k++)
      if (strncmp(line, places[k], strlen(places[k])) == 0) kinds |= 1u << k;
    char *one = text_of(altered), *other = text_of(alter(line));
    ck_assert_str_eq(one, other);
    free(one);
    free(other);
  }
  ck_assert_uint_eq(kinds, _i ? 0xbf : 0xff); // without a split no guards
  forget();
}
END_TEST

Suite *fuzz_alter_suite(void) {
  Suite *suite = suite_create("fuzz_alter");
  TCase *written = tcase_create("lines"), *programs = tcase_create("programs"), *asked = tcase_create("B");
  tcase_add_loop_test(written, a_line, 0, (int)HY_COUNT(lines));
  tcase_add_test(written, a_long_line);
  suite_add_tcase(suite, written);
  tcase_add_loop_test(programs, nothing_changes, 0, 4);
  tcase_add_loop_test(programs, one_thing_changes, 0, (int)HY_COUNT(changes));
  tcase_add_loop_test(programs, any_seed, 0, 2);
  suite_add_tcase(suite, programs);
  tcase_set_timeout(asked, 120);
  tcase_add_loop_test(asked, b_answers, 0, (int)HY_COUNT(answers));
  tcase_add_loop_test(asked, judged, 0, (int)HY_COUNT(answers));
  suite_add_tcase(suite, asked);
  return suite;
}
