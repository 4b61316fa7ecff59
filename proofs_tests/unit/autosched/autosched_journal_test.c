/* Where each func went at levels 0 and 1, and why, in words: every reason has a row; and the page that says so. */

#include "cli/tune/report.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/autosched/autosched_harness.h"

#include <math.h>

#define BLUR                                                                                                           \
  "pipeline blur(in: u16[2]) {\n"                                                                                      \
  "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"                                                   \
  "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n"

// A step of a transform along x, each point of which is turned by a table's: vectors of whole lines load all of it side
// by side, if the lines are turned over as they are read.
#define TURNED                                                                                                         \
  "pipeline p(in: f32[2]) {\n  fun lines(x, y) = in(x, y) * 2.0;\n  fun turn(k) = sin(f32(k));\n"                      \
  "  fun step(x, y) = turn(x / 2 * 2) * (lines(x % 320, y) - lines(x % 320 + 320, y));\n"                              \
  "  fun o(x, y) = step(x % 320, y) + step(x % 320 + 320, y);\n}\n"

typedef struct {
  const char *algorithm;
  int level;
  int64_t cache_bytes; // 0: the default
  const char *func, *place, *why;
} reason_row;

static const reason_row reason_rows[] = {
    {BLUR, 1, 0, "bh", "in the tiles of bv (640 x 32)",
     "not inlined: that would cost 1.1e+07 operations more; in the "
     "tiles of bv it saves 1.51e+07 operations"},
    {BLUR, 1, 0, "bv", "at root (640 x 32)", "it is an output"},
    {BLUR, 1, 191, "bh", "at root",
     "not inlined: that would cost 1.1e+07 operations more; a group of its own: in no tile of bv does what it needs "
     "fit the cache of 0 KiB, with 12 tiles left to run in parallel"},
    {BLUR, 1, 0, "in", "an image", ""},
    {BLUR, 0, 0, "bh", "at root",
     "not inlined: each point would be computed 2.99 times; level 0 puts everything else "
     "at root"},
    {"pipeline p(in: u16[2]) { fun f(x, y) = in(x, y) + 1; fun o(x, y) = f(x, y) * 2; }", 1, 0, "f", "inlined",
     "that saves 3.07e+06 operations"},
    {"pipeline p(in: u16[2]) { fun f(x, y) = in(x, y) + 1; fun o(x, y) = f(x, y) * 2; }", 0, 0, "f", "inlined",
     "then it is evaluated no more often than it has points"},
    {"pipeline p(in: u16[2]) { fun f(x, y) = { 0; (x, 0) <- f(x, 0) + 1; }; fun o(x, y) = f(x, y) * 2; }", 1, 0, "f",
     "in the tiles of o (32 x 480)", "not inlined: it has updates; in the tiles of o it saves "},
    {"pipeline p(in: u16[2]) { fun f(i) = sin(f32(i)) * cos(f32(i)); fun o(x, y) = f(int(in(x, y))) + 1.0; }", 1, 0,
     "f", "at root",
     "not inlined: that would cost 7.08e+06 operations more; a group of its own: computing it in tiles of its "
     "reader would cost "},
    {"pipeline p(in: u16[2]) { fun f(x, y) = (in(x, y), in(x, y) + 1); fun o(x, y) = f(x, y)[0] * f(x, y)[1]; }", 1, 0,
     "f", "inlined", "that saves "},
    {TURNED, 1, 0, "lines", "in the tiles of o (640 x 32)",
     "not inlined: vectors of its readers would load what does not lie side by side; in the tiles of step it saves "},
    {"pipeline p(in: u16[2]) { fun f(x, y) = { 0; (x, 0) <- f(x, 0) + 1; };\n  fun g(x, y) = f(x, 0) + f(y, 3);\n"
     "  fun o(x, y) = { f(x, y); (x, 0) <- g(x, 0) + o(x, 0); }; }",
     1, 0, "f", "at root",
     "not inlined: it has updates; a group of its own: its reader reads it before its own tiles begin"},
    {"pipeline p(in: u16[2]) -> (o, q) { fun f(x, y) = { 0; (x, 0) <- f(x, 0) + 1; };\n"
     "  fun o(x, y) = f(x, y) * 2; fun q(x, y) = f(x, y) * 3; }",
     1, 0, "f", "at root", "not inlined: it has updates; a group of its own: several groups read it"},
    {"pipeline p(in: u16[2]) { fun f(x, y) = in(x, y) + 1; fun h(x, y) = in(x, y) + 2; fun o(x, y) = f(x, y) * 2; }", 1,
     0, "h", "nowhere", "nothing of it is needed"},
};

static tuned open_row(const char *algorithm) {
  tuned t = tuned_open(algorithm);
  const hy_func *output = t.alg->parts[0].func;
  estimate(&t, output->name, 0, 0, 640);
  if (output->rank > 1) estimate(&t, output->name, 1, 0, 480);
  if (t.alg->part_count > 1) {
    estimate(&t, "q", 0, 0, 640);
    estimate(&t, "q", 1, 0, 480);
  }
  find_boxes(&t);
  return t;
}

static void propose(tuned *t, int level, const hy_tune_parameters *p, hy_proposal *proposal) {
  ck_assert((level ? hy_tune_level1 : hy_tune_level0)(t->graph, p, proposal));
  hy_journal_explain(proposal->journal);
}

START_TEST(each_func_has_a_place_and_a_reason) {
  const reason_row *row = &reason_rows[_i];
  tuned t = open_row(row->algorithm);
  hy_search search = {.parameters = hy_tune_default()};
  if (row->cache_bytes) search.parameters.cache_bytes = row->cache_bytes;
  hy_proposal proposal;
  hy_text place = {0}, why = {0};
  propose(&t, row->level, &search.parameters, &proposal);
  hy_explained e = {&search, &proposal, row->level == 0};
  hy_reasons_place(&e, node_of(&t, row->func), &place);
  hy_reasons_why(&e, node_of(&t, row->func), &why);
  ck_assert_str_eq(hy_text_string(&place), row->place);
  ck_assert_msg(strncmp(hy_text_string(&why), row->why, strlen(row->why)) == 0, "%s", hy_text_string(&why));
  ck_assert(!*row->why == !why.length);
  hy_text_free(&place);
  hy_text_free(&why);
  tuned_close(&t);
}
END_TEST

// The paper's order: what saves most comes first.
START_TEST(steps_save_less_and_less) {
  tuned t = open_row("pipeline p(in: f32[2]) {\n  fun a(x, y) = in(x, y) * 2.0;\n"
                     "  fun b(x, y) = sin(a(x, y - 1)) + sin(a(x, y + 1));\n"
                     "  fun c(x, y) = sin(b(x, y - 1)) + sin(b(x, y + 1));\n"
                     "  fun o(x, y) = sin(c(x, y - 1)) + sin(c(x, y + 1));\n}\n");
  hy_tune_parameters p = hy_tune_default();
  hy_proposal proposal;
  propose(&t, 1, &p, &proposal);
  const hy_journal *journal = proposal.journal;
  ck_assert_int_eq(journal->step_count, 3);
  ck_assert_int_eq(journal->steps[0].kind, HY_STEP_INLINED);
  ck_assert_int_eq(journal->steps[0].node, node_of(&t, "a"));
  for (int i = 1; i < 3; i++) {
    ck_assert_int_eq(journal->steps[i].kind, HY_STEP_MERGED);
    ck_assert(journal->steps[i].benefit > 0);
  }
  ck_assert(journal->steps[1].benefit >= journal->steps[2].benefit);
  tuned_close(&t);
}
END_TEST

static int times(const char *text, const char *part) {
  int count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) count++;
  return count;
}

// Nothing of what is written into it is read as HTML, and what ran is there from fastest to slowest.
START_TEST(a_page_shows_what_ran) {
  tuned t = open_row(BLUR);
  hy_search search = {.parameters = hy_tune_default(), .session = &(hy_session){.alg = t.alg}};
  hy_proposal proposal;
  propose(&t, 1, &search.parameters, &proposal);
  hy_entry entries[] = {
      {.schedule = (char[]){"slow"}, .origin = "level 0 <b>", .predicted = 3e6, .seconds = 0.004},
      {.schedule = (char[]){"fast"}, .origin = "a move & more", .predicted = INFINITY, .seconds = 0.002},
      {.schedule = (char[]){"none"}, .origin = "level 1", .predicted = 1e6, .seconds = INFINITY, .took_too_long = true},
      {.schedule = (char[]){"unsure"},
       .origin = "level 1, another",
       .predicted = 1e6,
       .seconds = 1e-3,
       .was_asked = true}};
  hy_measured measured = {.entries = entries, .count = 4, .best = 1};
  hy_tune_report report = {{&search, &proposal, false}, &measured, "fast", "// <head>\nfast"};
  hy_text page = {0};
  hy_tune_report_page(&report, &page);
  const char *text = hy_text_string(&page);
  ck_assert_ptr_nonnull(strstr(text, "level 0 &lt;b&gt;"));
  ck_assert_ptr_nonnull(strstr(text, "a move &amp; more"));
  ck_assert_ptr_nonnull(strstr(text, "// &lt;head&gt;"));
  ck_assert_ptr_null(strstr(text, "<b>"));
  ck_assert_ptr_nonnull(strstr(text, "took too long"));
  ck_assert_int_eq(times(text, "not proved"), 1);
  ck_assert_int_eq(times(text, "class=\"best\""), 1);
  ck_assert_int_eq(times(text, "<rect"), 3); // in, bh, bv
  ck_assert_int_eq(times(text, "<path"), 2);
  ck_assert(strstr(text, "a move") < strstr(text, "level 0 &lt;"));
  ck_assert_ptr_nonnull(strstr(text, ">2.00<")); // the slower one takes twice the time
  hy_text_free(&page);
  tuned_close(&t);
}
END_TEST

Suite *autosched_journal_suite(void) {
  Suite *suite = suite_create("autosched_journal");
  TCase *tests = tcase_create("journal");
  tcase_add_loop_test(tests, each_func_has_a_place_and_a_reason, 0, (int)HY_COUNT(reason_rows));
  tcase_add_test(tests, steps_save_less_and_less);
  tcase_add_test(tests, a_page_shows_what_ran);
  suite_add_tcase(suite, tests);
  return suite;
}
