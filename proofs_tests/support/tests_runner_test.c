// The frame the other suites stand on: stable codes, rule ids and suites are what the scripts and documents take them
// for.

#include "proofs_tests/suites.h"
#include "semantics/base/diagnostic.h"
#include "semantics/expr/context.h"
#include "semantics/value/errors.h"

#include <string.h>

static const int codes[] = {
#define HY_ERROR(number, name, title) number,
#include "semantics/errors.def"
#undef HY_ERROR
};

// A code is never used twice and belongs to one of the eleven areas of docs/errors.md, HY01xx to HY11xx.
START_TEST(codes_are_distinct) {
  for (size_t i = 0; i < HY_COUNT(codes); i++) {
    ck_assert_msg(codes[i] > 100 && codes[i] < 1200, "HY%04d is in no area", codes[i]);
    for (size_t k = 0; k < i; k++) ck_assert_msg(codes[k] != codes[i], "HY%04d stands twice", codes[i]);
  }
}
END_TEST

START_TEST(codes_have_titles) {
  for (size_t i = 0; i < HY_COUNT(codes); i++) ck_assert_uint_gt(strlen(hy_code_title((hy_code)codes[i])), 0);
}
END_TEST

START_TEST(rule_ids_are_distinct) {
  for (int i = 0; i < HY_RULE_COUNT; i++)
    for (int k = 0; k < i; k++) ck_assert_str_ne(hy_rule_id((hy_rule)i), hy_rule_id((hy_rule)k));
}
END_TEST

START_TEST(suites_are_distinct) {
  static const char *const names[] = {
#define HY_SUITE(name) #name,
#include "proofs_tests/suites.def"
#undef HY_SUITE
  };
  for (size_t i = 0; i < HY_COUNT(names); i++)
    for (size_t k = 0; k < i; k++) ck_assert_str_ne(names[i], names[k]);
}
END_TEST

Suite *tests_runner_suite(void) {
  Suite *suite = suite_create("tests_runner");
  TCase *tables = tcase_create("tables");
  tcase_add_test(tables, codes_are_distinct);
  tcase_add_test(tables, codes_have_titles);
  tcase_add_test(tables, rule_ids_are_distinct);
  tcase_add_test(tables, suites_are_distinct);
  suite_add_tcase(suite, tables);
  return suite;
}
