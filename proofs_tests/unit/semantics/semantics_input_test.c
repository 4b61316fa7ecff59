// Buffers: boxes, addresses, errors beside values, and sizes that no machine has.

#include "proofs_tests/suites.h"
#include "semantics/alg/input.h"

START_TEST(boxes_contain_their_points) {
  static const struct {
    int64_t min, len, point;
    bool inside;
  } rows[] = {
      {0, 4, 0, true},
      {0, 4, 3, true},
      {0, 4, 4, false},
      {0, 4, -1, false},
      {-3, 2, -3, true},
      {-3, 2, -1, false},
      {0, 4, INT64_MIN, false},
      {0, 4, INT64_MAX, false},
      {INT64_MAX - 4, 4, INT64_MAX - 1, true},
      {INT64_MAX - 4, 4, INT64_MAX, false},
      {INT64_MIN, 4, INT64_MIN, true},
      {INT64_MIN, 4, INT64_MAX, false},
      {5, 0, 5, false},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_buffer *buffer = hy_buffer_new(HY_U8, 1, &rows[i].min, &rows[i].len);
    ck_assert_msg(hy_buffer_contains(buffer, &rows[i].point) == rows[i].inside, "row %zu", i);
    hy_buffer_free(buffer);
  }
}
END_TEST

START_TEST(absurd_sizes_are_refused) {
  static const struct {
    int64_t min[3], len[3];
    bool possible;
  } rows[] = {
      {{0, 0, 0}, {2, 3, 4}, true},
      {{0, 0, 0}, {2, -1, 4}, false},
      {{0, 0, 0}, {INT64_MAX, 1, 1}, false},
      {{0, 0, 0}, {INT64_C(1) << 32, INT64_C(1) << 32, 1}, false}, // 2^64 elements
      {{0, 0, 0}, {INT64_C(1) << 40, 1, 1}, false},
      {{0, INT64_MAX, 0}, {1, 1, 1}, false}, // an end that is no int64_t
      {{0, 0, 0}, {INT64_C(1) << 40, INT64_C(1) << 40, 0}, true},
      {{0, 0, 0}, {0, INT64_C(1) << 40, INT64_C(1) << 40}, true},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_buffer *buffer = hy_buffer_new(HY_F64, 3, rows[i].min, rows[i].len);
    ck_assert_msg((buffer != NULL) == rows[i].possible, "row %zu", i);
    hy_buffer_free(buffer);
  }
}
END_TEST

START_TEST(values_and_errors_come_back) {
  static const int64_t min[] = {-1, 10}, len[] = {3, 2};
  for (hy_type type = HY_INT; (int)type < HY_TYPE_COUNT; type++) {
    hy_buffer *buffer = hy_buffer_new(type, 2, min, len);
    ck_assert_uint_eq(buffer->count, 6);
    ck_assert_int_eq(buffer->stride[1], 3);
    ck_assert_uint_eq((uintptr_t)buffer->data % 64, 0);
    ck_assert(hy_value_same(hy_buffer_get(buffer, (int64_t[]){1, 11}), hy_value_zero(type)));
    hy_value one = hy_value_apply(HY_OP_CAST, type, (hy_value[]){hy_value_int(1)});
    hy_buffer_set(buffer, (int64_t[]){1, 10}, one);
    ck_assert_ptr_null(buffer->errors);
    hy_buffer_set(buffer, (int64_t[]){0, 11}, hy_value_error(type, HY_ERROR_MEM));
    ck_assert(hy_value_same(hy_buffer_get(buffer, (int64_t[]){1, 10}), one));
    ck_assert_int_eq(hy_buffer_get(buffer, (int64_t[]){0, 11}).error, HY_ERROR_MEM);
    ck_assert_uint_eq(hy_buffer_offset(buffer, (int64_t[]){0, 11}), 4);
    hy_buffer_set(buffer, (int64_t[]){0, 11}, one); // an ordinary value takes the error's place
    ck_assert(hy_value_same(hy_buffer_get(buffer, (int64_t[]){0, 11}), one));
    hy_buffer_free(buffer);
  }
}
END_TEST

START_TEST(a_buffer_without_dimensions_has_one_cell) {
  hy_buffer *buffer = hy_buffer_new(HY_I16, 0, NULL, NULL);
  ck_assert_uint_eq(buffer->count, 1);
  ck_assert(hy_buffer_contains(buffer, NULL));
  hy_buffer_set(buffer, NULL, hy_value_integral(HY_I16, -7));
  ck_assert_int_eq(hy_buffer_get(buffer, NULL).i, -7);
  hy_buffer_add_errors(buffer);
  ck_assert_int_eq(hy_buffer_get(buffer, NULL).i, -7);
  hy_buffer_free(buffer);
  hy_buffer_free(NULL);
}
END_TEST

Suite *semantics_input_suite(void) {
  Suite *suite = suite_create("semantics_input");
  TCase *cases = tcase_create("buffers");
  tcase_add_test(cases, boxes_contain_their_points);
  tcase_add_test(cases, absurd_sizes_are_refused);
  tcase_add_test(cases, values_and_errors_come_back);
  tcase_add_test(cases, a_buffer_without_dimensions_has_one_cell);
  suite_add_tcase(suite, cases);
  return suite;
}
