// Parts of a gate as anybody may have made them, and what they say together.

#include "gate/shards/merge.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/gate/replace.h"
#include "semantics/value/errors.h"

#include <stdio.h>
#include <string.h>

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* -- a part, written and read -- */

static hy_gate_part example(hy_arena *arena, uint64_t index, uint64_t count) {
  hy_gate_part p = {
      .shard = {index, count},
      .identity = HEX,
      .sums = HEX,
      .question = {"0.1.0", 3, 48, "18446744073709551615", "coq", true, false, true, "0.029999999999999999"},
      .result = {.arena = arena, .seconds = {0.5, 1, 0, 2, 0}}};
  hy_gate_check *runs = hy_gate_add(&p.result, 2, "runs", "blur.so", HY_GATE_PASSED, 0, "nine");
  runs->target = "host";
  runs->counts = (hy_gate_counts){9, 1, 27, 900, 18, 4, 1};
  hy_gate_add(&p.result, 3, "not-shown", "blur.o", HY_GATE_UNDECIDED, HY_E_GATE_NOT_SHOWN, "no \"time\"")->help =
      "wait";
  hy_gate_check *differs = hy_gate_add(&p.result, 3, "tile", "blur.o", HY_GATE_WRONG, HY_E_GATE_TILE, "another value");
  hy_gate_add_step(&p.result, differs, "blur.alg", "it means 7");
  hy_gate_add_step(&p.result, differs, "blur.o", "");
  hy_gate_add_step(&p.result, differs, "blur.o", "it computes 8");
  hy_gate_add(&p.result, 4, "speed", "blur.so", HY_GATE_SLOWER, HY_E_GATE_SLOWER, "it is")->ratio =
      (hy_gate_ratio){1.0625, 1.125, 1.25};
  return p;
}

START_TEST(what_is_written_is_read) {
  hy_arena *arena = hy_arena_new();
  hy_gate_part part = example(arena, 1, 3), read;
  hy_text one = {0}, two = {0};
  const char *why;
  hy_gate_part_print(&part, &one);
  ck_assert_msg(hy_gate_part_read(arena, one.data, one.length, &read, &why), "%s", why);
  hy_gate_part_print(&read, &two);
  ck_assert_str_eq(one.data, two.data);
  const hy_gate_check *c = read.result.checks.data;
  ck_assert(read.shard.index == 1 && read.shard.count == 3 && read.result.checks.count == 4);
  ck_assert(c[0].counts.points == 900 && c[0].counts.threads == 4 && c[0].counts.emulated == 1 &&
            c[0].verdict == HY_GATE_PASSED);
  ck_assert(c[1].code == HY_E_GATE_NOT_SHOWN && strcmp(c[1].story, "no \"time\"") == 0 && !c[1].target);
  ck_assert(strcmp(c[2].steps[1].file, "blur.o") == 0 && strcmp(c[2].steps[1].text, "it computes 8") == 0);
  ck_assert(!c[2].steps[2].text && !c[1].steps[0].text);
  ck_assert(c[3].ratio.median == 1.125 && c[3].verdict == HY_GATE_SLOWER);
  hy_gate_result_free(&part.result);
  hy_gate_result_free(&read.result);
  hy_text_free(&one);
  hy_text_free(&two);
  hy_arena_free(arena);
}
END_TEST

static const struct {
  const char *piece, *instead, *why;
} wrong[] = {
    {"{\n", "", "is not JSON"},
    {"\"halyard-gate-part\": 1", "\"halyard-gate-part\": 2", "is of version 2, and this Halyard reads version 1"},
    {"\"halyard-gate-part\": 1", "\"halyard-manifest\": 1", "is no part of a gate of Halyard's"},
    {"\"count\": 3", "\"count\": 1", "has a \"shard\" that is none"},
    {"\"count\": 3", "\"count\": 1025", "has a \"shard\" that is none"},
    {"\"index\": 1", "\"index\": -1", "has no \"index\" that is a whole number"},
    {"\"shard\": {", "\"shard\": 1, \"others\": {", "has no object \"shard\""},
    {"\"identity\": \"0", "\"identity\": \"x", "has a \"identity\" that is no SHA-256"},
    {"\"sums\":", "\"sum\":", "has no \"sums\""},
    {"\"question\":", "\"questions\":", "has no object \"question\""},
    {"\"rebuild\": true", "\"rebuild\": 1", "has no \"rebuild\" that is true or false"},
    {"\"level\": 3,\n    \"max", "\"level\": 4,\n    \"max", "has a \"level\" that is none"},
    {"\"seed\": \"18446744073709551615\"", "\"seed\": 1", "has a \"seed\" that is no text"},
    {"\"checks\": [", "\"checks\": [1, ", "has a row of \"checks\" that is no object"},
    {"\"checks\": [", "\"checks\": {}, \"others\": [", "has no list \"checks\""},
    {"\"verdict\": \"passed\"", "\"verdict\": \"fine\"", "has a \"verdict\" that is none"},
    {"\"verdict\": \"passed\"", "\"verdict\": \"wrong\"", "has a \"code\" that does not belong to its verdict"},
    {"\"verdict\": \"undecided\"", "\"verdict\": \"passed\"", "has a \"code\" that does not belong to its verdict"},
    {"\"code\": 915", "\"code\": 999", "has a \"code\" that does not belong to its verdict"},
    {"\"code\": 915", "\"code\": 4294968211", "has a \"code\" that does not belong to its verdict"}, // 2^32 + 915
    {"\"level\": 2", "\"level\": 5", "has a \"level\" that is none"},
    {"\"level\": 2", "\"level\": 4294967298", "has a \"level\" that is none"}, // 2^32 + 2
    {"\"median\": 1.125", "\"median\": -1.0", "has a \"median\" that is no number from 0 on"},
    {"\"points\": 900", "\"points\": 1e3", "has no \"points\" that is a whole number"},
    {"\"story\": \"nine\"", "\"story\": [\"nine\"]", "has a \"story\" that is no text"},
    {"\"text\": \"it means 7\"", "\"text\": 7", "has a \"text\" that is no text"},
    {"\"steps\": [", "\"steps\": [1, ", "has no \"file\""},
    {"\"steps\": [", "\"steps\": [{}, {}, ", "has too many \"steps\""},
    {"\"seconds\": [", "\"seconds\": {}, \"others\": [", "has no list \"seconds\""},
};

START_TEST(what_is_wrong_is_refused) {
  hy_arena *arena = hy_arena_new();
  hy_gate_part part = example(arena, 1, 3), read;
  hy_text text = {0};
  const char *why;
  hy_gate_part_print(&part, &text);
  replace(&text, wrong[_i].piece, wrong[_i].instead);
  ck_assert(!hy_gate_part_read(arena, text.data, text.length, &read, &why));
  ck_assert_msg(strstr(why, wrong[_i].why), "%s", why);
  hy_gate_result_free(&read.result);
  hy_gate_result_free(&part.result);
  hy_text_free(&text);
  hy_arena_free(arena);
}
END_TEST

START_TEST(cut_off_anywhere) {
  hy_arena *arena = hy_arena_new();
  hy_gate_part part = example(arena, 1, 3), read;
  hy_text text = {0};
  const char *why;
  hy_gate_part_print(&part, &text);
  for (size_t length = 0; length + 2 < text.length; length++) {
    ck_assert(!hy_gate_part_read(arena, text.data, length, &read, &why));
    hy_gate_result_free(&read.result);
  }
  hy_gate_result_free(&part.result);
  hy_text_free(&text);
  hy_arena_free(arena);
}
END_TEST

/* -- who does what -- */

START_TEST(each_unit_has_one_shard) {
  for (uint64_t count = 1; count < 9; count++)
    for (uint64_t number = 0; number < 50; number++) {
      int owners = 0;
      for (uint64_t index = 0; index < count; index++)
        owners += hy_gate_shard_has((hy_gate_shard){index, count}, number);
      ck_assert_int_eq(owners, 1);
    }
  ck_assert(hy_gate_shard_has((hy_gate_shard){0, 0}, 7));
}
END_TEST

/* -- do they belong together? -- */

typedef struct {
  hy_arena *arena;
  hy_manifest manifest;
  hy_gate_part parts[3];
  hy_gate_result into;
} joining;

static const char *const names[] = {"a.json", "b.json", "c.json"};

static joining begin(void) {
  joining j = {.arena = hy_arena_new(), .manifest = {.identity = HEX, .algorithm = HEX}};
  hy_vec_push(&j.manifest.targets, ((hy_shipped_target){"x86-64-v2", "", "", ""}));
  hy_vec_push(&j.manifest.targets, ((hy_shipped_target){"x86-64-v3", "", "", ""}));
  for (uint64_t i = 0; i < 3; i++) {
    j.parts[i] = example(j.arena, i, 3);
    j.parts[i].result.checks.count = 0;
    j.parts[i].question.level = 2;
    j.parts[i].question.baseline = false;
  }
  j.into = (hy_gate_result){.arena = j.arena};
  hy_gate_add(&j.into, 0, "bytes", "blur.o", HY_GATE_PASSED, 0, "seven");
  return j;
}

static bool merge(joining *j, size_t count, const char **why) {
  j->into.manifest = &j->manifest;
  return hy_gate_merge(&(hy_gate_parts){j->parts, names, count}, HEX, &j->into, why);
}

static void end(joining *j) {
  for (int i = 0; i < 3; i++) hy_gate_result_free(&j->parts[i].result);
  hy_gate_result_free(&j->into);
  hy_manifest_free(&j->manifest);
  hy_arena_free(j->arena);
}

static void other_identity(hy_gate_part *p) { p->identity = OTHER; }
static void other_sums(hy_gate_part *p) { p->sums = OTHER; }
static void other_count(hy_gate_part *p) { p->shard.count = 4; }
static void same_index(hy_gate_part *p) { p->shard.index = 0; }
static void other_level(hy_gate_part *p) { p->question.level = 3; }
static void other_inputs(hy_gate_part *p) { p->question.inputs = 47; }
static void other_seed(hy_gate_part *p) { p->question.seed = "2"; }
static void other_version(hy_gate_part *p) { p->question.halyard = "0.2.0"; }
static void no_second(hy_gate_part *p) { p->question.second_checker = NULL; }
static void no_rebuild(hy_gate_part *p) { p->question.rebuild = false; }
static void with_sources(hy_gate_part *p) { p->question.sources = true; }
static void with_baseline(hy_gate_part *p) { p->question.baseline = true; }
static void other_slowdown(hy_gate_part *p) { p->question.max_slowdown = "0.5"; }

static const struct {
  void (*change)(hy_gate_part *part);
  size_t count;
  const char *why;
} apart[] = {
    {other_identity, 3, "'b.json' is about the identity f123456789abcdef..., and this folder's is 0123456789abcdef..."},
    {other_sums, 3, "'b.json' is about a folder with other files"},
    {other_count, 3, "'a.json' and 'b.json' were asked different questions"},
    {same_index, 3, "'a.json' and 'b.json' are both shard 0/3"},
    {other_level, 3, "'a.json' and 'b.json' were asked different questions"},
    {other_inputs, 3, "'a.json' and 'b.json' were asked different questions"},
    {other_seed, 3, "'a.json' and 'b.json' were asked different questions"},
    {other_version, 3, "'a.json' and 'b.json' were asked different questions"},
    {no_second, 3, "'a.json' and 'b.json' were asked different questions"},
    {no_rebuild, 3, "'a.json' and 'b.json' were asked different questions"},
    {with_sources, 3, "'a.json' and 'b.json' were asked different questions"},
    {with_baseline, 3, "'a.json' and 'b.json' were asked different questions"},
    {other_slowdown, 3, "'a.json' and 'b.json' were asked different questions"},
    {NULL, 2, "shard 2/3 is missing"},
    {NULL, 1, "shard 1/3 is missing"},
};

START_TEST(they_do_not_belong_together) {
  joining j = begin();
  const char *why;
  if (apart[_i].change) apart[_i].change(&j.parts[1]);
  ck_assert(!merge(&j, apart[_i].count, &why));
  ck_assert_msg(strstr(why, apart[_i].why), "%s", why);
  ck_assert_uint_eq(j.into.checks.count, 1);
  end(&j);
}
END_TEST

/* -- what they say together: a check of each of two shards -- */

enum { PASSED, WRONG, OTHER_WRONG, OPEN, IDLE, IDLE_WRONG, NOTHING };

static void add(hy_gate_part *p, int what) {
  hy_gate_result *r = &p->result;
  hy_gate_check *c;
  switch (what) {
  case PASSED:
    c = hy_gate_add(r, 2, "meaning", NULL, HY_GATE_PASSED, 0, "-");
    c->counts = (hy_gate_counts){.inputs = 5, .useless = 1};
    return;
  case WRONG: hy_gate_add(r, 2, "meaning", NULL, HY_GATE_WRONG, HY_E_GATE_RUN, "wrong"); return;
  case OTHER_WRONG: hy_gate_add(r, 2, "meaning", NULL, HY_GATE_WRONG, HY_E_GATE_RUN, "other"); return;
  case OPEN: hy_gate_add(r, 2, "meaning", NULL, HY_GATE_UNDECIDED, HY_E_GATE_NOT_RUN, "open"); return;
  case IDLE:
    c = hy_gate_add(r, 2, "no-input", NULL, HY_GATE_UNDECIDED, HY_E_GATE_NOT_RUN, "-");
    c->counts = (hy_gate_counts){.useless = 6};
    return;
  case IDLE_WRONG: // as a part by somebody else may say
    c = hy_gate_add(r, 2, "meaning", NULL, HY_GATE_WRONG, HY_E_GATE_RUN, "wrong");
    c->counts = (hy_gate_counts){.useless = 6};
    return;
  default: return;
  }
}

static const struct {
  int one, two;
  hy_gate_verdict verdict;
  const char *story;
} together[] = {
    {PASSED, PASSED, HY_GATE_PASSED, "algorithm and target program agree on 10 inputs (2 of 12 were of no use)"},
    {PASSED, NOTHING, HY_GATE_PASSED, "-"},
    {PASSED, WRONG, HY_GATE_WRONG, "wrong"},
    {WRONG, PASSED, HY_GATE_WRONG, "wrong"},
    {WRONG, OTHER_WRONG, HY_GATE_WRONG, "wrong"},
    {WRONG, IDLE, HY_GATE_WRONG, "wrong"},
    {IDLE, WRONG, HY_GATE_WRONG, "wrong"},
    {IDLE_WRONG, PASSED, HY_GATE_WRONG, "wrong"},
    {PASSED, IDLE_WRONG, HY_GATE_WRONG, "wrong"},
    {OPEN, PASSED, HY_GATE_UNDECIDED, "open"},
    {PASSED, OPEN, HY_GATE_UNDECIDED, "open"},
    {OPEN, WRONG, HY_GATE_WRONG, "wrong"},
    {IDLE, PASSED, HY_GATE_PASSED, "algorithm and target program agree on 5 inputs (7 of 12 were of no use)"},
    {PASSED, IDLE, HY_GATE_PASSED, "algorithm and target program agree on 5 inputs (7 of 12 were of no use)"},
    {IDLE, IDLE, HY_GATE_UNDECIDED, "of 12 generated inputs none can be run"},
    {NOTHING, NOTHING, HY_GATE_UNDECIDED, "no shard says anything of it"},
};

START_TEST(what_they_say_together) {
  joining j = begin();
  const char *why;
  for (int i = 0; i < 3; i++) hy_gate_add(&j.parts[i].result, 1, "proofs", NULL, HY_GATE_PASSED, 0, "all");
  add(&j.parts[0], together[_i].one);
  add(&j.parts[2], together[_i].two);
  ck_assert_msg(merge(&j, 3, &why), "%s", why);
  ck_assert_uint_eq(j.into.checks.count, 3); // the folder's bytes, the proofs once, this
  const hy_gate_check *c = &hy_vec_last(&j.into.checks);
  ck_assert_msg(c->level == 2 && c->verdict == together[_i].verdict, "%s", hy_gate_verdict_name(c->verdict));
  ck_assert_str_eq(c->story, together[_i].story);
  ck_assert(hy_gate_worst(&j.into) == together[_i].verdict);
  ck_assert(j.into.asked[0] && j.into.asked[1] && j.into.asked[2] && !j.into.asked[3] && !j.into.asked[4]);
  end(&j);
}
END_TEST

// Targets in the manifest's order, whichever shard they were; several checks of one shard stay several.
START_TEST(targets_in_their_order) {
  joining j = begin();
  const char *why;
  hy_gate_add(&j.parts[0].result, 1, "proofs", NULL, HY_GATE_PASSED, 0, "all");
  hy_gate_add(&j.parts[0].result, 2, "runs", NULL, HY_GATE_WRONG, HY_E_GATE_RUN, "third")->target = "x86-64-v3";
  hy_gate_add(&j.parts[1].result, 2, "runs", NULL, HY_GATE_WRONG, HY_E_GATE_RUN, "first")->target = "x86-64-v2";
  hy_gate_add(&j.parts[1].result, 2, "runs", NULL, HY_GATE_WRONG, HY_E_GATE_RUN, "second")->target = "x86-64-v2";
  ck_assert_msg(merge(&j, 3, &why), "%s", why);
  ck_assert_uint_eq(j.into.checks.count, 5);
  ck_assert_str_eq(j.into.checks.data[2].story, "first");
  ck_assert_str_eq(j.into.checks.data[3].story, "second");
  ck_assert_str_eq(j.into.checks.data[4].story, "third");
  end(&j);
}
END_TEST

// A story is one line, and ends between characters.
START_TEST(stories_that_others_wrote) {
  const char *pieces[] = {"\x1b[2J", "\r\n", "\xc3\xa4", "\xff", "\xe2\x80\xae", "a"};
  for (size_t k = 0; k < HY_COUNT(pieces); k++)
    for (int count = 0; count < 1200; count += 97) {
      hy_gate_result r = {.arena = hy_arena_new()};
      hy_text foreign = {0};
      for (int i = 0; i < count; i++) hy_text_add(&foreign, pieces[k]);
      const char *story = hy_gate_add(&r, 0, "a", NULL, HY_GATE_PASSED, 0, "it: %s", hy_text_string(&foreign))->story;
      ck_assert(strncmp(story, "it: ", 4) == 0 && strlen(story) < 1010);
      bool shown = true;
      for (const char *at = story; *at && shown;) at += hy_text_character(at, &shown);
      ck_assert_msg(shown, "%s", story);
      ck_assert((strlen(story) < 1000) == (strstr(story, " ...") == NULL));
      hy_text_free(&foreign);
      hy_gate_result_free(&r);
      hy_arena_free(r.arena);
    }
}
END_TEST

Suite *gate_shards_suite(void) {
  Suite *suite = suite_create("gate_shards");
  TCase *cases = tcase_create("parts");
  tcase_add_test(cases, what_is_written_is_read);
  tcase_add_loop_test(cases, what_is_wrong_is_refused, 0, HY_COUNT(wrong));
  tcase_add_test(cases, cut_off_anywhere);
  tcase_add_test(cases, each_unit_has_one_shard);
  tcase_add_loop_test(cases, they_do_not_belong_together, 0, HY_COUNT(apart));
  tcase_add_loop_test(cases, what_they_say_together, 0, HY_COUNT(together));
  tcase_add_test(cases, targets_in_their_order);
  tcase_add_test(cases, stories_that_others_wrote);
  suite_add_tcase(suite, cases);
  return suite;
}
