// What shrinking tries: schedules without a directive, and algorithms without a func, in which what is left still makes
// sense.

#include "fuzz/change/edit.h"
#include "fuzz/change/edit_items.h"
#include "proofs_tests/suites.h"
#include "semantics/semantics.h"

#include <stdlib.h>
#include <string.h>

/* -- schedules -- */

static const char items[] =
    "  split(f.s0.x, o1, i2, 4, round);\n  split(f.s0.o1, o3, i4, 2);\n  fuse(f.s0.o3, i4, t5);\n"
    "  traverse(f.s0.t5, parallel);\n  compute_at(g, f.s0.i2);\n";

static const struct {
  size_t first, count;
  const char *left;
} fewer[] = {
    {0, 5, ""},
    {0, 0, items},
    {5, 3, items},
    {1, 4, "  split(f.s0.x, o1, i2, 4, round);\n"},
    {0, 4, "  compute_at(g, f.s0.i2);\n"},
};

START_TEST(without_lines) {
  char *left = hy_items_without(items, fewer[_i].first, fewer[_i].count);
  ck_assert_str_eq(left, fewer[_i].left);
  free(left);
}
END_TEST

// What is left without a line, its loops renamed; "left" NULL: there is no way past it.
static const struct {
  size_t line;
  bool inner;
  const char *left, *altered;
} passed[] = {
    {0, false,
     "  split(f.s0.x, o3, i4, 2);\n  fuse(f.s0.o3, i4, t5);\n  traverse(f.s0.t5, parallel);\n  compute_at(g, "
     "f.s0.i2);\n",
     "loop f.s0.x low +1"},
    {0, true,
     "  split(f.s0.o1, o3, i4, 2);\n  fuse(f.s0.o3, i4, t5);\n  traverse(f.s0.t5, parallel);\n  compute_at(g, "
     "f.s0.x);\n",
     "loop f.s0.o1 low +1"},
    {2, false,
     "  split(f.s0.x, o1, i2, 4, round);\n  split(f.s0.o1, o3, i4, 2);\n  traverse(f.s0.o3, parallel);\n"
     "  compute_at(g, f.s0.i2);\n",
     "loop f.s0.o1 low +1"},
    {2, true,
     "  split(f.s0.x, o1, i2, 4, round);\n  split(f.s0.o1, o3, i4, 2);\n  traverse(f.s0.i4, parallel);\n"
     "  compute_at(g, f.s0.i2);\n",
     "loop f.s0.o1 low +1"},
    {3, false, NULL, "loop f.s0.o1 low +1"},
    {4, true, NULL, "loop f.s0.o1 low +1"},
    {5, false, NULL, "loop f.s0.o1 low +1"},
};

START_TEST(past_a_line) {
  char altered[32] = "loop f.s0.o1 low +1";
  char *left = hy_items_past(items, passed[_i].line, passed[_i].inner, altered, sizeof altered);
  ck_assert_int_eq(left == NULL, passed[_i].left == NULL);
  if (left) ck_assert_str_eq(left, passed[_i].left);
  ck_assert_str_eq(altered, passed[_i].altered);
  free(left);
}
END_TEST

/* -- algorithms -- */

static const char three[] = "pipeline p() {\n  fun f(x) = u8(x);\n"
                            "  fun g(x, y) = { u8(1); rdom(r = (3, 2)) in (x, y) <- g(x, y) + f(2*x + r - y); };\n"
                            "  fun h(x) = i32(g(x, 7)) + 1;\n}\n";

// "func" left out, with or without what it reads in its place.
static const struct {
  const char *dropped;
  bool instead;
  const char *there, *gone;
} edits[] = {
    {"g", true, "i32(f(2*x + 3 - 7)) + 1", "fun g"},
    {"g", false, "i32(u8(1)) + 1", "fun g"},
    {"f", false, "g(x, y) + 1", "fun f"},
};

static const hy_expr *find_access(const hy_definition *d, const char *name) {
  const hy_expr *sum = d->stages[d->stage_count - 1].rhs;
  for (int i = 0; i < sum->count; i++)
    if (sum->args[i]->kind == HY_EXPR_ACCESS && strcmp(sum->args[i]->func->name, name) == 0) return sum->args[i];
  return NULL;
}

START_TEST(without_a_func) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_source source = {"three.alg", three, strlen(three)};
  const hy_alg *alg = hy_parse_alg(context, &source, said);
  ck_assert(alg != NULL);
  hy_edit e = {.context = context, .dropped = hy_alg_find(alg, edits[_i].dropped)};
  e.definition = hy_alg_definition(alg, e.dropped);
  if (edits[_i].instead) e.instead = find_access(e.definition, "f");
  ck_assert(!edits[_i].instead || e.instead);
  hy_alg edited = hy_edit_alg(&e, alg, -1);
  hy_text text = {0};
  hy_alg_print(&edited, &text);
  ck_assert_msg(strstr(text.data, edits[_i].there) && !strstr(text.data, edits[_i].gone), "%s", text.data);
  hy_source again = {"again.alg", text.data, text.length};
  ck_assert_msg(hy_parse_alg(context, &again, said) != NULL, "%s", text.data);
  hy_text_free(&text);
  hy_diagnostics_free(said);
  hy_context_free(context);
}
END_TEST

Suite *fuzz_edit_suite(void) {
  Suite *suite = suite_create("fuzz_edit");
  TCase *schedules = tcase_create("schedules"), *algorithms = tcase_create("algorithms");
  tcase_add_loop_test(schedules, without_lines, 0, (int)HY_COUNT(fewer));
  tcase_add_loop_test(schedules, past_a_line, 0, (int)HY_COUNT(passed));
  suite_add_tcase(suite, schedules);
  tcase_add_loop_test(algorithms, without_a_func, 0, (int)HY_COUNT(edits));
  suite_add_tcase(suite, algorithms);
  return suite;
}
