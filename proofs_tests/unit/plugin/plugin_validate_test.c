/* halyard validate: the verdict on each example of docs/examples, the unsound ones with a small counterexample; and on
 * plug-ins that crash, loop, leak or lie, none of which takes the validator down.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/plugin/plugin_harness.h"

#include "semantics/base/clock.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *source, *flag;
  int status;
  const char *says[8]; // the page; behind a '!' what it does not say
} plugins[] = {
    {"docs/examples/reverse.c",
     "",
     0,
     {"reverse: SOUND, as far as was seen", "\n  four pure loops ", "\n  both branches of a specialization ",
      "\n  a reduction's loops, specialized twice ", "!not tried", "!nothing is said of: one pure loop", "!Argument"}},
    {"docs/examples/peel.c", "", 0, {"peel: SOUND, as far as was seen"}},
    {"docs/examples/skew.c", "", 0, {"skew: SOUND, as far as was seen"}},
    {"docs/examples/cyclic.c",
     "",
     0,
     {"cyclic: SOUND, as far as was seen",
      "256, and a parameter, for all its values; of other constants nothing is said.",
      "Never in one program with: split_reduction, ", "!UNDECIDED"}},
    {"docs/examples/wave.c", "", 0, {"wave: SOUND, as far as was seen"}},
    {"docs/examples/unsound_reverse.c", "", 1, {"reverse_any: REFUTED", "  specialize  ", "!not tried"}},
    {"docs/examples/unsound_strips.c", "", 1, {"strips: REFUTED"}},
    {"docs/examples/unsound_pad.c", "", 1, {"pad: REFUTED"}},
    {"proofs_tests/plugins/zigzag.c", "", 0, {"zigzag: SOUND, as far as was seen"}},
    {"proofs_tests/plugins/tiles.c",
     "",
     0,
     {"tiles: SOUND, as far as was seen", "Never applied, so nothing is said of: one pure loop; a fused loop; ",
      "!not tried"}},
    {"proofs_tests/plugins/zigzag.c", "-DFORGETS", 1, {"zigzag: REFUTED"}},
    {"proofs_tests/plugins/zigzag.c", "-DCARELESS", 1, {"a let may not mix the two kinds"}},
    {"proofs_tests/plugins/thirteen.c", "", 1, {"blocks: REFUTED"}}, // wrong for one factor alone
    {"proofs_tests/plugins/thirteen.c", "-DWRONG=1", 1, {"blocks: REFUTED"}},
    {"proofs_tests/plugins/thirteen.c", "-DWRONG=17", 1, {"blocks: REFUTED"}},
    {"proofs_tests/plugins/thirteen.c", "-DWRONG=97", 1, {"blocks: REFUTED"}},
    {"proofs_tests/plugins/thirteen.c",
     "-DWRONG=18",
     0,
     {"Argument 4 was 1 to 17, 19, 23, 24, "}},                           // of which it says so
    {"proofs_tests/plugins/long.c", "-DLEAST=20", 1, {"again: REFUTED"}}, // wrong for constant lengths alone
    {"proofs_tests/plugins/long.c", "-DLEAST=64", 1, {"again: REFUTED"}},
    {"proofs_tests/plugins/long.c", "-DLEAST=20 -DPURE", 1, {"again: REFUTED"}},
    {"proofs_tests/plugins/long.c", "-DLEAST=64 -DPURE", 1, {"again: REFUTED"}},
    {"proofs_tests/plugins/long.c", "-DLEAST=1000000", 0, {"two reduction loops, 24 and 64 long"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=GOOD", 0, {"Its own branches: it marks none"}},
    {"proofs_tests/plugins/bad.c",
     "-w -DBAD=CRASHES",
     1,
     {"THE PLUG-IN'S FAULT: it crashed (Segmentation fault) in its function 'rewrite'",
      "\n  not tried: the plug-in ended the process before", "\n  on --window x=0:1\n",
      "fun f(x) = i32(0);" /* it was made smaller */, "!specialize ", "!signal", "!i32(x)*3"}},
    {"proofs_tests/plugins/bad.c",
     "-w -DBAD=LOOPS",
     1,
     {"THE PLUG-IN'S FAULT: it did not return, and was ended, in its function 'legal'"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=EXITS", 1, {"THE PLUG-IN'S FAULT: it ended the process with status"}},
    {"proofs_tests/plugins/bad.c",
     "-w -DBAD=LEAKS_FILES",
     1,
     {"THE PLUG-IN'S FAULT: it left", "Memory and files: kept, as said at the top", "!nothing is kept"}},
    {"proofs_tests/plugins/bad.c",
     "-w -DBAD=CLOSES",
     1,
     {"it closed the standard input, output or error in its function"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=STARTS", 1, {"it started a process in its function 'rewrite'"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=RUNS", 1, {"it started a process in its function 'rewrite'"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=NO_LET", 1, {"'hyd_make_let' is needed"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=CLAIMS_EQUAL", 1, {"promised: EQ"}},
#if !defined(HALYARD_SANITIZE_ADDRESS) && !defined(HALYARD_SANITIZE_THREAD) // their allocators keep no count
    {"proofs_tests/plugins/bad.c", "-w -DBAD=LEAKS", 1, {"THE PLUG-IN'S FAULT: it keeps about"}},
    {"proofs_tests/plugins/bad.c", "-w -DBAD=KEEPS_MUCH", 1, {"THE PLUG-IN'S FAULT: it keeps about"}},
    {"proofs_tests/plugins/bad.c",
     "-w -DBAD=GREEDY",
     1,
     {"it asked for more than 4 GiB of memory in its function 'rewrite'"}},
#endif
};

static void check_small(const json_t *smallest) {
  json_int_t funcs = json_integer_value(json_object_get(smallest, "funcs"));
  json_int_t directives = json_integer_value(json_object_get(smallest, "directives"));
  ck_assert_msg(funcs >= 1 && funcs <= 3 && directives >= 1 && directives <= 4, "%d funcs, %d directives:\n%.2000s",
                (int)funcs, (int)directives, json_string_value(json_object_get(smallest, "detail")));
}

static void check_page(int row, const char *page) {
  for (size_t i = 0; i < HY_COUNT(plugins[row].says) && plugins[row].says[i]; i++) {
    const char *text = plugins[row].says[i];
    bool wanted = text[0] != '!';
    ck_assert_msg((strstr(page, text + !wanted) != NULL) == wanted, "%s %s: %s\"%s\":\n%.4000s", plugins[row].source,
                  plugins[row].flag, wanted ? "not " : "", text + !wanted, page);
  }
}

// Counterexamples have at most 3 funcs and 4 directives.
START_TEST(verdicts) {
  char plugin[128];
  hy_text said = {0};
  plugin_build(plugins[_i].source, plugins[_i].flag, plugin, sizeof plugin);
  const char *arguments[] = {"validate", plugin, "--pairs", "16", "--time", "120", "--format", "json", NULL};
  int status = plugin_halyard(arguments, &said);
  json_t *root = json_loads(hy_text_string(&said), 0, NULL);
  ck_assert_msg(root != NULL, "%s %s: status %d: %.3000s", plugins[_i].source, plugins[_i].flag, status,
                hy_text_string(&said));
  const json_t *answer = json_object_get(root, "validation"), *smallest = json_object_get(answer, "smallest");
  const char *page = json_string_value(json_object_get(answer, "page"));
  ck_assert_msg(status == plugins[_i].status && page, "%s %s: status %d instead of %d:\n%.3000s", plugins[_i].source,
                plugins[_i].flag, status, plugins[_i].status, page ? page : hy_text_string(&said));
  check_page(_i, page);
  if (smallest) check_small(smallest);
  ck_assert_msg(smallest || status != 1 || strstr(page, "FAULT"), "refuted without a counterexample");
  json_decref(root);
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

/* -- time -- */

// However the plug-in waits, the page comes when --time is over, or when one call has taken 5 s. The limits leave room
// for a busy machine; what waits here waits for longer than they are, or for ever.
static const struct {
  const char *bad, *seconds;
  int status;
  double most;
  const char *says;
} waits[] = {
    {"WAITS", "120", 1, 40, "THE PLUG-IN'S FAULT: it did not return, and was ended, in its function 'rewrite'"},
    {"DEAF", "8", 1, 40, "THE PLUG-IN'S FAULT: it did not return, and was ended, in its function 'rewrite'"},
    {"SLEEPS", "3", 3, 40, "or make its functions faster: one call took "},
    {"HANGS_APART", "3", 3, 40, "time ran out before "},
    {"HANGS_APART", "120", 1, 80, "it did not return, and was ended, in its function 'rewrite'"},
    {"LEAVES", "60", 1, 40, "it started a process in its function 'rewrite'"},
    {"LEAVES_AND_DIES", "60", 1, 80, "it crashed (Aborted) in its function 'rewrite'"},
};

START_TEST(it_ends_in_time) {
  char flag[64], plugin[128];
  hy_text said = {0};
  snprintf(flag, sizeof flag, "-w -DBAD=%s", waits[_i].bad);
  plugin_build("proofs_tests/plugins/bad.c", flag, plugin, sizeof plugin);
  double start = hy_seconds();
  int status = plugin_halyard((const char *[]){"validate", plugin, "--time", waits[_i].seconds, NULL}, &said);
  double took = hy_seconds() - start;
  const char *page = hy_text_string(&said);
  ck_assert_msg(status == waits[_i].status && strstr(page, waits[_i].says), "%s: status %d instead of %d:\n%.3000s",
                flag, status, waits[_i].status, page);
  ck_assert_msg(took < waits[_i].most, "%s: %.1f s instead of %.0f", flag, took, waits[_i].most);
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// A sound plug-in of which only a part was looked at is undecided, however large that part is.
START_TEST(late_is_not_sound) {
  char plugin[128];
  hy_text said = {0};
  plugin_build("docs/examples/reverse.c", "", plugin, sizeof plugin);
  const char *arguments[] = {"validate", plugin, "--pairs", "100000000", "--time", "4", NULL};
  int status = plugin_halyard(arguments, &said);
  const char *page = hy_text_string(&said);
  ck_assert_msg(status == 3 && strstr(page, "reverse: UNDECIDED\n  because time ran out before "), "%d: %.3000s",
                status, page);
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

/* -- the page -- */

// The page as files; the smallest counterexample is a case that shows the same when it is replayed.
START_TEST(pages_are_written) {
  char plugin[128], folder[128], path[192];
  hy_text said = {0};
  plugin_build("docs/examples/unsound_strips.c", "", plugin, sizeof plugin);
  plugin_write("unused", "", folder, sizeof folder);
  snprintf(strrchr(folder, '/'), 8, "/out");
  const char *arguments[] = {"validate", plugin, "--pairs", "8", "--time", "60", "--out", folder, NULL};
  ck_assert_int_eq(plugin_halyard(arguments, &said), 1);
  static const char *const names[] = {"report.txt", "report.html", "smallest.case"};
  for (size_t i = 0; i < HY_COUNT(names); i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is missing", path);
    fclose(file);
  }
  ck_assert_int_eq(plugin_halyard((const char *[]){"replay", path, "--plugin", plugin, NULL}, &said), 1);
  ck_assert_msg(strstr(hy_text_string(&said), "promise"), "%.3000s", hy_text_string(&said));
  const char *bad_folder[] = {"validate", plugin, "--out", "/dev/null/here", NULL};
  ck_assert_int_eq(plugin_halyard(bad_folder, &said), 2);
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

Suite *plugin_validate_suite(void) {
  Suite *suite = suite_create("plugin_validate");
  TCase *t = tcase_create("validate");
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, verdicts, 0, HY_COUNT(plugins));
  tcase_add_loop_test(t, it_ends_in_time, 0, HY_COUNT(waits));
  tcase_add_test(t, late_is_not_sound);
  tcase_add_test(t, pages_are_written);
  suite_add_tcase(suite, t);
  return suite;
}
