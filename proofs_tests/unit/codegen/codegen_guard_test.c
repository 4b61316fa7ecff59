// What runs under guard and leaves its memory is told of, wherever it does, and the process goes on. The offenders are
// functions in C in place of compiled pipelines; and one compiled pipeline whose bounds are wrong.

#include "codegen/codegen_internal.h"
#include "codegen/guard/guard.h"
#include "engines/engine.h"
#include "passes/passes.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char signature[] = "pipeline p(in: u8[1]) { fun f(x) = in(x); fun g(x) = f(x); }";

enum { WINDOW = 10 };

typedef struct {
  hy_context *context;
  const hy_alg *alg;
  hy_buffer *image;
  const hy_buffer *images[1];
  int64_t min[1], len[1];
  hy_input input;
  const hy_func *funcs[2];
  hy_native native;
  hy_tgt tgt; // says nothing
} bench;

static void open_bench(bench *b, hy_native_entry *run) {
  *b = (bench){.context = hy_context_new(), .len = {WINDOW}};
  hy_source source = {"p.alg", signature, strlen(signature)};
  hy_diagnostics *said = hy_diagnostics_new();
  b->alg = hy_parse_alg(b->context, &source, said);
  ck_assert_ptr_nonnull(b->alg);
  hy_diagnostics_free(said);
  b->images[0] = b->image = hy_buffer_new(HY_U8, 1, b->min, b->len);
  b->input = (hy_input){NULL, b->images, b->min, b->len};
  for (int i = 0; i < 2; i++) b->funcs[i] = b->alg->definitions[i].func;
  b->native =
      (hy_native){.alg = b->alg, .tgt = &b->tgt, .run = run, .guard = HY_GUARD_ALL, .funcs = b->funcs, .func_count = 2};
}

static void close_bench(bench *b) {
  hy_buffer_free(b->image);
  hy_context_free(b->context);
}

/* -- offenders; slots: the image's data, min, len, stride, then the output's -- */

static volatile uint8_t *image_of(const int64_t *slots) { return (volatile uint8_t *)(intptr_t)slots[0]; }
static volatile uint8_t *output_of(const int64_t *slots) { return (volatile uint8_t *)(intptr_t)slots[4]; }

static int32_t copy(const int64_t *slots) {
  for (int i = 0; i < WINDOW; i++) output_of(slots)[i] = image_of(slots)[i];
  return 0;
}
static int32_t reads_behind(const int64_t *slots) { return copy(slots) + 0 * image_of(slots)[WINDOW]; }
static int32_t reads_before(const int64_t *slots) { return copy(slots) + 0 * image_of(slots)[-1]; }
static int32_t writes_behind(const int64_t *slots) { return output_of(slots)[WINDOW + 2] = 1, copy(slots); }
static int32_t writes_before(const int64_t *slots) { return output_of(slots)[-3] = 1, copy(slots); }
static int32_t writes_image(const int64_t *slots) { return image_of(slots)[4] = 1, copy(slots); }
static int32_t traps(const int64_t *slots) {
  (void)slots;
  raise(SIGFPE);
  return 0;
}

static int32_t in_storage(const int64_t *slots, int64_t at) {
  volatile uint8_t *memory = hy_guard_allocate(6, 1); // f's
  memory[at] = 1;
  hy_guard_free((void *)memory);
  return copy(slots);
}
static int32_t storage_behind(const int64_t *slots) { return in_storage(slots, 6); }
static int32_t storage_before(const int64_t *slots) { return in_storage(slots, -1); }

static int32_t fault_in_task(void *closure, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; i++) output_of(closure)[i] = 7;
  return 0;
}
static int32_t task_behind(const int64_t *slots) {
  return hy_guard_parallel_for(0, WINDOW + 1, fault_in_task, (void *)(intptr_t)slots);
}

static int32_t forgets_a_point(const int64_t *slots) {
  for (int i = 0; i < WINDOW - 1; i++) output_of(slots)[i] = 1;
  return 0;
}
static int32_t keeps_last(void *closure, int64_t begin, int64_t end) {
  (void)end;
  for (int i = 0; i < WINDOW; i++) output_of(closure)[i] = (uint8_t)begin;
  return 0;
}
static int32_t order_matters(const int64_t *slots) {
  return hy_guard_parallel_for(0, 3, keeps_last, (void *)(intptr_t)slots);
}

static const struct {
  hy_native_entry *run;
  const char *contract, *story; // NULL: nothing is wrong
} rows[] = {
    {copy, NULL, NULL},
    {reads_behind, "native read outside", "a read of native code 0 bytes behind the end of in's memory (10 bytes)"},
    {reads_before, "native read outside", "a read of native code 1 bytes before in's memory (10 bytes)"},
    {writes_behind, "native write outside", "a write of native code 2 bytes behind the end of g's memory (10 bytes)"},
    {writes_before, "native write beside", "a write of native code 3 bytes before g's memory (10 bytes)"},
    {writes_image, "native write outside",
     "a write of native code 4 bytes into in's memory (10 bytes), which is read-only"},
    {traps, "native trap", NULL},
    {storage_behind, "native write outside", "a write of native code 0 bytes behind the end of f's memory (6 bytes)"},
    {storage_before, "native write beside", "a write of native code 1 bytes before f's memory (6 bytes)"},
    {task_behind, "native write outside", "a write of native code 0 bytes behind the end of g's memory (10 bytes)"},
    {forgets_a_point, "native fresh memory", "g(9) is 1, but 197 with other contents of fresh memory"},
    {order_matters, "native order", "g(0) is 2, but 0 with parallel iterations backwards"},
};

START_TEST(offenders) {
  bench b;
  open_bench(&b, rows[_i].run);
  for (int round = 0; round < 2; round++) { // the process goes on as before
    hy_outcome got = hy_engine_guarded(&b.native, b.alg, &b.input);
    ck_assert_int_eq(got.status, rows[_i].contract ? HY_RUN_CONTRACT : HY_RAN);
    if (rows[_i].contract) ck_assert_str_eq(got.contract, rows[_i].contract);
    if (rows[_i].story) ck_assert_str_eq(got.story, rows[_i].story);
    hy_outcome_free(&got);
  }
  close_bench(&b);
}
END_TEST

// One access before the memory is not the page's business in the first run, and is in the second: each plan by itself.
START_TEST(both_sides) {
  bench b;
  hy_guard_result result;
  hy_buffer *output;
  for (int below = 0; below < 2; below++)
    for (int before = 0; before < 2; before++) {
      open_bench(&b, before ? storage_before : storage_behind);
      hy_guard_plan plan = {.below = below};
      output = hy_buffer_new(b.alg->output->type, 1, b.min, b.len);
      hy_guard_run(&b.native, &b.input, output, &plan, &result);
      ck_assert_int_eq(result.run.status, HY_RUN_CONTRACT);
      ck_assert_int_eq(result.fault, below == before ? HY_GUARD_WRITE : HY_GUARD_EDGE);
      hy_buffer_free(output);
      close_bench(&b);
    }
}
END_TEST

// By threads: the one that faults is not the one that is asked for the result.
START_TEST(faults_in_threads) {
  bench b;
  hy_guard_result result;
  hy_guard_plan plan = {.order = HY_GUARD_THREADS};
  open_bench(&b, task_behind);
  hy_buffer *output = hy_buffer_new(b.alg->output->type, 1, b.min, b.len);
  for (int round = 0; round < 8; round++) {
    hy_guard_run(&b.native, &b.input, output, &plan, &result);
    ck_assert_int_eq(result.fault, HY_GUARD_WRITE);
    ck_assert(result.is_parallel);
  }
  hy_buffer_free(output);
  close_bench(&b);
}
END_TEST

/* -- a compiled pipeline -- */

// g reads f one point behind what is stored of it.
static const char wrong[] = "target p() on g(x) {\n"
                            "  func f(x): u8 stages 1;\n"
                            "  func g(x): u8 stages 1;\n"
                            "  allocate g[(x.min, x.len)];\n"
                            "  allocate f[(x.min, x.len)];\n"
                            "  label f: compute f on [(x.min, x.len)] {\n"
                            "    label f.s0: for f.s0.x in (x.min, x.len) { f(f.s0.x) <- u8(f.s0.x); } }\n"
                            "  label g: compute g on [(x.min, x.len)] {\n"
                            "    label g.s0: for g.s0.x in (x.min, x.len) { g(g.s0.x) <- f(g.s0.x + 1); } }\n"
                            "}\n";

START_TEST(compiled) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source source = {"wrong.tgt", wrong, strlen(wrong)};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  if (!tgt) {
    hy_text why = {0};
    hy_diagnostics_print(said, &why);
    ck_abort_msg("%s", hy_text_string(&why));
  }
  ck_assert_ptr_nonnull(tgt);
  int64_t min[] = {0}, len[] = {WINDOW};
  hy_input input = {NULL, NULL, min, len};
  hy_codegen_options options = hy_codegen_default();
  options.guard = HY_GUARD_ALL;
  options.sanitize = HY_SANITIZE_NONE; // which would see it first
  hy_native *native = hy_native_compile(context, hy_passes(context, tgt, NULL, NULL), &options);
  hy_outcome got = hy_engine_guarded(native, tgt->alg, &input);
  ck_assert_int_eq(got.status, HY_RUN_CONTRACT);
  ck_assert_str_eq(got.contract, "native read outside");
  ck_assert_msg(strstr(got.story, "behind the end of f's memory (10 bytes)") != NULL, "%s", got.story);
  hy_outcome_free(&got);
  hy_native_free(native);
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

Suite *codegen_guard_suite(void) {
  Suite *suite = suite_create("codegen_guard");
  TCase *tests = tcase_create("guard");
  tcase_add_loop_test(tests, offenders, 0, (int)HY_COUNT(rows));
  tcase_add_test(tests, both_sides);
  tcase_add_test(tests, faults_in_threads);
  tcase_add_test(tests, compiled);
  suite_add_tcase(suite, tests);
  return suite;
}
