// Native memory lies as semantics/storage/layout.h says: what a func's block holds after a run, cell by cell, for many
// plans and loops; and the engines agree.

#include "codegen/guard/guard.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"
#include "semantics/storage/layout.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <string.h>

// g is twice what f holds at the neighbours; f(x, y) = 100*x + y.
static const char program[] = //
    "target t() on g(x, y) {\n"
    "  func f(x, y): i32 stages 1;\n"
    "  func g(x, y): i32 stages 1;\n"
    "  allocate f[(x.min - 1, x.len + 3), (y.min, y.len + 1)]%s;\n"
    "  label f: compute f on [(x.min - 1, 8), (y.min, 4)] {\n"
    "    label f.s0: for %s f.s0.y in (y.min, 4) { for %s f.s0.x in (x.min - 1, 8) {\n"
    "      f(f.s0.x, f.s0.y) <- i32(100*f.s0.x + f.s0.y);\n"
    "    } }\n"
    "  }\n"
    "  allocate g[(x.min, x.len), (y.min, y.len)];\n"
    "  label g: compute g on [(x.min, x.len), (y.min, y.len)] {\n"
    "    label g.s0: for %s g.s0.y in (y.min, 3) { for %s g.s0.x in (x.min, 5) {\n"
    "      g(g.s0.x, g.s0.y) <- f(g.s0.x - 1, g.s0.y) + f(g.s0.x + 2, g.s0.y + 1);\n"
    "    } }\n"
    "  }\n"
    "}\n";

static const char *const plans[] = {
    "",
    " order(y, x)",
    " align(x, 16)",
    " align(y, 7) in heap",
    " order(y, x) align(y, 8) align(x, 3)",
    " order(y, x) in stack",
    " align(x, 5) in stack",
    " fold(y, 4)",
    " order(y, x) align(y, 2) fold(y, 5)",
    " fold(x, 8) fold(y, 4) in stack",
};
static const char *const traversals[][2] = {{"", ""}, {"", "vectorized"}, {"vectorized", ""}, {"parallel", "unrolled"}};
enum { PLANS = HY_COUNT(plans), TRAVERSALS = HY_COUNT(traversals) };

static const int64_t window_min[] = {-3, 4}, window_len[] = {5, 3};

static const hy_tgt *read_program(hy_context *context, hy_diagnostics *said, int number) {
  static char text[2000];
  const char *const *t = traversals[number % TRAVERSALS];
  snprintf(text, sizeof text, program, plans[number / TRAVERSALS], t[0], t[1], t[0], t[1]);
  hy_source source = {"storage.tgt", text, strlen(text)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  if (!tgt) {
    hy_text why = {0};
    hy_diagnostics_print(said, &why);
    ck_abort_msg("%s", hy_text_string(&why));
  }
  return tgt;
}

static void expect_cells(const hy_tgt *tgt) {
  int64_t min[] = {-4, 4}, len[] = {8, 4};
  hy_layout l;
  uint64_t bytes = 0;
  ck_assert(hy_layout_make(&l, 2, tgt->body->seq.items[0]->allocate.plan, min, len));
  const uint8_t *block = hy_guard_block_last("f", &bytes);
  ck_assert_ptr_nonnull(block);
  ck_assert_uint_eq(bytes, l.count * sizeof(int32_t));
  for (int64_t y = 4; y < 8; y++)
    for (int64_t x = -4; x < 4; x++) {
      int32_t held;
      memcpy(&held, block + sizeof held * hy_layout_offset(&l, (int64_t[]){x, y}), sizeof held);
      ck_assert_msg(held == 100 * x + y, "f(%d, %d) is %d", (int)x, (int)y, (int)held);
    }
}

static void expect_output(const hy_buffer *output, const char *engine) {
  for (int64_t y = 4; y < 7; y++)
    for (int64_t x = -3; x < 2; x++) {
      hy_value value = hy_buffer_get(output, (int64_t[]){x, y});
      ck_assert_msg(!value.error && value.i == 200 * x + 100 + 2 * y + 1, "%s: g(%d, %d) is %d", engine, (int)x, (int)y,
                    (int)value.i);
    }
}

static void run_native(hy_context *context, const hy_tgt *tgt, const hy_input *input, hy_guard guard) {
  hy_codegen_options options = hy_codegen_default();
  options.guard = guard;
  options.sanitize = HY_SANITIZE_NONE;
  hy_native *native = hy_native_compile(context, tgt, &options);
  hy_buffer *output = hy_buffer_new(HY_I32, 2, window_min, window_len);
  hy_guard_plan plan = {.below = true};
  hy_guard_result result;
  hy_guard_run(native, input, output, &plan, &result);
  ck_assert_msg(result.run.status == HY_RAN, "%s", result.story);
  expect_output(output, "native");
  if (guard == HY_GUARD_ALL) expect_cells(tgt);
  hy_buffer_free(output);
  hy_native_free(native);
}

static void run_interpreter(hy_context *context, const hy_tgt *tgt, const hy_input *input, bool literal) {
  hy_tgt_options options = {.monitor = true, .seed = 5};
  hy_tgt_result result;
  (literal ? hy_tgt_run_literal : hy_tgt_run)(context, tgt, input, &options, &result);
  ck_assert_msg(result.status == HY_RAN, "%s", result.story ? result.story : "");
  expect_output(result.output, literal ? "literal" : "fast");
  hy_tgt_result_free(&result);
}

START_TEST(cells_lie_where_they_should) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_tgt *tgt = read_program(context, said, _i);
  hy_input input = {NULL, NULL, window_min, window_len};
  run_interpreter(context, tgt, &input, false);
  run_interpreter(context, tgt, &input, true);
  run_native(context, tgt, &input, HY_GUARD_ALL);
  run_native(context, tgt, &input, HY_GUARD_CALLS);
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

Suite *codegen_storage_suite(void) {
  Suite *suite = suite_create("codegen_storage");
  TCase *tests = tcase_create("storage");
  tcase_add_loop_test(tests, cells_lie_where_they_should, 0, PLANS * TRAVERSALS);
  suite_add_tcase(suite, tests);
  return suite;
}
