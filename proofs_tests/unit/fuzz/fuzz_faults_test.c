// Hand-made faults in target programs: a seed makes the same fault again, faults are of all kinds, and what is accepted
// of them runs inside of its contract.

#include "fuzz/change/fault.h"
#include "fuzz/judge/judge_internal.h"
#include "proofs_tests/suites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blur[] = "pipeline p(w: int, in: u8[2]) {\n"
                           "  fun f0(x, y) = int(in(x, y)) + w;\n"
                           "  fun f1(x, y) = { f0(x - 1, y) + f0(x + 1, y); rdom(r = (0, 3), q = (0, 2)) in (x, y) <- "
                           "f1(x, y) + f0(x + q, r); };\n"
                           "  fun f2(x, y) = f1(x, y - 1) * f1(x, y + 1);\n}\n";
static const char tiled[] = "  split(f2.s0.x, xo, xi, 4);\n  split(f1.s0.y, fo, fi, 2, round);\n"
                            "  compute_at(f1, f2.y);\n  compute_at(f0, f2.y);\n";

typedef struct {
  hy_context *context;
  hy_pipeline pipeline;
  hy_source sources[2];
} filled;

static void fill_blur(filled *f, const char *items) {
  hy_diagnostics *said = hy_diagnostics_new();
  f->context = hy_context_new();
  ck_assert(hy_judging_parse(f->context, blur, items, f->sources, &f->pipeline, said));
  ck_assert(hy_pipeline_schedule(&f->pipeline, said) && hy_pipeline_fill(&f->pipeline, said));
  hy_diagnostics_free(said);
}

static void forget_blur(filled *f) {
  hy_context_free(f->context);
  free((char *)f->sources[1].text);
}

START_TEST(a_seed_makes_a_fault) {
  filled f;
  fill_blur(&f, tiled);
  static const char *const kinds[] = {"the purity mark",
                                      "the traversal",
                                      "the interval",
                                      "the origin",
                                      "a way back",
                                      "the value",
                                      "an if is lost",
                                      "a condition",
                                      "an if is added",
                                      "an allocation",
                                      "a computed box",
                                      "a coordinate",
                                      "what is read",
                                      "the order",
                                      "an assumption is lost",
                                      "an index that is another one",
                                      "a condition that is another one",
                                      "a predicate behind it",
                                      "a storage plan",
                                      "what is kept"};
  unsigned met = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    hy_fault fault, again;
    const hy_tgt *spoilt = hy_fault_make(f.context, f.pipeline.filled, seed, &fault);
    const hy_tgt *other = hy_fault_make(f.context, f.pipeline.filled, seed, &again);
    ck_assert_int_eq(spoilt != NULL, other != NULL);
    if (!spoilt) continue;
    hy_text one = {0}, two = {0};
    hy_tgt_print(spoilt, &one);
    hy_tgt_print(other, &two);
    ck_assert_str_eq(hy_text_string(&one), hy_text_string(&two));
    ck_assert_str_eq(fault.what, again.what);
    hy_text_free(&one);
    hy_text_free(&two);
    for (size_t k = 0; k < HY_COUNT(kinds); k++) met |= strstr(fault.what, kinds[k]) ? 1u << k : 0;
  }
  ck_assert_uint_eq(met, (1u << HY_COUNT(kinds)) - 1);
  forget_blur(&f);
}
END_TEST

START_TEST(what_is_accepted_runs) {
  hy_case c = {.alg = (char *)blur, .items = (char *)tiled, .seed = (uint64_t)_i + 1, .input_count = 1};
  c.inputs[0] = (hy_case_input){.min = {-3, 2}, .len = {9, 5}, .params = {2}, .seed = 5};
  hy_judgement j;
  hy_judge(&c, HY_LANE_FAULTS, false, &j);
  ck_assert_msg(!hy_found_is_failure(j.found), "%s: %s", hy_found_name(j.found), j.detail);
  ck_assert_int_gt(j.faults, 20);
  ck_assert_int_gt(j.faults_refused, 0);
  ck_assert_int_gt(j.faults_proved, 0);
  ck_assert_int_lt(j.faults_refused + j.faults_proved, j.faults);
  ck_assert_int_gt(j.given_proved, 0);
  ck_assert_int_lt(j.given_proved, j.faults_given);
}
END_TEST

// The update's loop over x is marked as a reduction's, and leaves out the first of Cpu: the algorithm still calls x
// pure, which the monitor goes by.
START_TEST(a_mark_does_not_say_what_is_covered) {
  hy_case c = {
      .alg = (char *)"pipeline p(in: i16[2]) {\n  fun f1(x) = { u8(0); (x) <- 0; rdom(r = (0, 1)) in (x) <- 0; };\n}\n",
      .items = (char *)"",
      .altered = "fault 9796780036164473818",
      .seed = 1,
      .input_count = 1};
  c.inputs[0] = (hy_case_input){.len = {2}, .seed = 5};
  hy_judgement j;
  hy_judge(&c, HY_LANE_FAULTS, false, &j);
  ck_assert_int_eq(j.faults, 1);
  ck_assert_int_eq(j.faults_refused + j.faults_proved, 0);
  ck_assert_msg(!hy_found_is_failure(j.found), "%s: %s", hy_found_name(j.found), j.detail);
}
END_TEST

// The constraint's line of a program, or of a faulty one; malloc'd.
static char *line_of(const hy_tgt *tgt, const char *word) {
  hy_text text = {0};
  hy_tgt_print(tgt, &text);
  const char *begin = strstr(hy_text_string(&text), word);
  ck_assert_ptr_nonnull(begin);
  char *line = strndup(begin, strcspn(begin, "\n"));
  hy_text_free(&text);
  return line;
}

static const char aligned[] = "  align_bounds(f1, x, 4, 1);\n  split(f1.s0.x, fo, fi, 4, round);\n";

static void judge_in_numbers(uint64_t seed, hy_judgement *j) {
  hy_case c = {.alg = (char *)blur, .items = (char *)aligned, .seed = seed, .input_count = 1};
  snprintf(c.altered, sizeof c.altered, "fault %" PRIu64 " in numbers", seed);
  c.inputs[0] = (hy_case_input){.min = {-3, 2}, .len = {9, 5}, .params = {2}, .seed = 5};
  hy_judge(&c, HY_LANE_FAULTS, false, j);
}

// What is the same in Z and errs on the machine is put everywhere; where it is in what is constrained, nobody checks it
// at run time, so that B must not accept it, unless it does not err there (B.Constrain, D26, D52).
START_TEST(what_errs_on_the_machine_is_refused) {
  filled f;
  fill_blur(&f, aligned);
  static const char *const kinds[] = {"a product that is divided", "the remainder of a product",
                                      "a quotient of nothing"};
  char *right = line_of(f.pipeline.filled, "constrain f1");
  unsigned met = 0;
  int constraints = 0;
  for (uint64_t seed = 0; seed < 500; seed++) {
    hy_fault fault;
    const hy_tgt *spoilt = hy_fault_in_numbers(f.context, f.pipeline.filled, seed, &fault);
    ck_assert(spoilt && fault.is_gap);
    for (size_t k = 0; k < HY_COUNT(kinds); k++) met |= strstr(fault.what, kinds[k]) ? 1u << k : 0;
    char *line = line_of(spoilt, "constrain f1");
    if (strcmp(line, right) != 0) {
      hy_judgement j;
      judge_in_numbers(seed, &j);
      ck_assert_msg(!hy_found_is_failure(j.found), "%s: %s: %s", line, hy_found_name(j.found), j.detail);
      constraints += j.faults == 1 && j.faults_proved + j.faults_refused == 0;
    }
    free(line);
  }
  ck_assert_uint_eq(met, (1u << HY_COUNT(kinds)) - 1);
  ck_assert_int_gt(constraints, 2);
  free(right);
  forget_blur(&f);
}
END_TEST

START_TEST(a_line_says_which_way) {
  uint64_t seed;
  hy_fault_way way;
  ck_assert(hy_fault_line("fault 7", &seed, &way) && seed == 7 && way == HY_FAULT_BY_HAND);
  ck_assert(hy_fault_line("fault 8 in pieces", &seed, &way) && seed == 8 && way == HY_FAULT_IN_PIECES);
  ck_assert(hy_fault_line("fault 9 in numbers", &seed, &way) && seed == 9 && way == HY_FAULT_IN_NUMBERS);
  ck_assert(!hy_fault_line("fault 9 in words", &seed, &way) && !hy_fault_line("fault", &seed, &way));
}
END_TEST

Suite *fuzz_faults_suite(void) {
  Suite *suite = suite_create("fuzz_faults");
  TCase *t = tcase_create("faults");
  tcase_set_timeout(t, 240);
  tcase_add_test(t, a_seed_makes_a_fault);
  tcase_add_test(t, a_mark_does_not_say_what_is_covered);
  tcase_add_test(t, what_errs_on_the_machine_is_refused);
  tcase_add_test(t, a_line_says_which_way);
  tcase_add_loop_test(t, what_is_accepted_runs, 0, 4);
  suite_add_tcase(suite, t);
  return suite;
}
