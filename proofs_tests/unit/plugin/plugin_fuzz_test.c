/* Campaigns and cases with directives from outside the tree: what a plug-in does wrong is put down to it, by name and
 * step, whichever judge comes upon it first (LVL, DIR.Plugin, DIR.Plugin.Fault); cases say which plug-ins they need;
 * and folders of campaigns keep apart what was made with others.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/plugin/plugin_harness.h"

#include "semantics/base/clock.h"

#include <stdio.h>
#include <string.h>

#define STRIPS "docs/examples/unsound_strips.c"
#define BAD "proofs_tests/plugins/bad.c"

static void must_say(const hy_text *said, const char *text) {
  ck_assert_msg(strstr(hy_text_string(said), text) != NULL, "nothing says \"%s\":\n%.3000s", text,
                hy_text_string(said));
}

static void read_file(const char *path, hy_text *text) {
  char piece[4096];
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s is missing", path);
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) hy_text_add_bytes(text, piece, got);
  fclose(file);
}

/* -- one case: verdict, culprit, step -- */

static const char head[] = "halyard case 1\nseed: 17\ninput: 99 window 0:5 0:4 params 2 1 0 0\n";
static const char algorithm[] = "--- algorithm\npipeline p(w: int, n: int) {\n  fun f(x, y) = {\n    i32(x) - i32(y);\n"
                                "    rdom(r = (0, n)) in (x, y) <- f(x, y)*3 + i32(r);\n  };\n}\n--- schedule\n";

static const char *write_case(const char *lines, const char *items, char *path, size_t room) {
  hy_text text = {0};
  hy_text_printf(&text, "%s%s%s%s", head, lines, algorithm, items);
  plugin_write("a.case", hy_text_string(&text), path, room);
  hy_text_free(&text);
  return path;
}

static const struct {
  const char *source, *flag, *lines, *items;
  int status;
  const char *says;
} cases[] = {
    // refuted before B was asked: the promise at its step, and no question that B forgot
    {STRIPS, "", "lanes: 2\n", "  strips(f.s0.x, a, b, 4);\n", 1,
     "promise (HY0512), first after step 1, strips; 0 obl"},
    {STRIPS, "", "lanes: 1,2\ninput: 7 window 0:5 0:4 params 2 1 0 0\n",
     "  split(f.s0.y, a, b, 2);\n  swap(f.s0.b);\n  strips(f.s0.x, c, d, 3);\n", 1,
     "promise (HY0512), first after step 3, strips"},
    {STRIPS, "", "lanes: 3\n", "  strips(f.s0.x, a, b, 4);\n", 1, "promise (HY0512), first after step 1, strips"},
    {STRIPS, "", "lanes: 5\n", "  strips(f.s0.x, a, b, 4);\n", 1, "promise (HY0512), first after step 1, strips"},
    {STRIPS, "", "lanes: 2\n", "  strips(f.s0.x, a, b, 1);\n", 0, "a.case: nothing; "}, // nothing is lost by 1
    {"docs/examples/unsound_reverse.c", "", "lanes: 2\n", "  reverse_any(f.s1.r, rr);\n", 1, "order does not hold"},
    // lane 1 runs it, and names the step
    {STRIPS, "", "lanes: 1\n", "  split(f.s0.y, a, b, 2);\n  strips(f.s0.x, c, d, 3);\n", 1,
     ", first after step 2, strips"},
    // a fault of the plug-in while the schedule is read
    {BAD, "-w -DBAD=NO_LET", "lanes: 1\n", "  split(f.s0.y, a, b, 2);\n  bad(f.s0.x, xr);\n", 1,
     "promise (HY0432), first after step 2, bad"},
    {BAD, "-w -DBAD=CRASHES", "lanes: 1\n", "  bad(f.s0.x, xr);\n", 1,
     "the plug-in that defines 'bad' crashed (Segmentation fault) in its function 'rewrite'"},
    {BAD, "-w -DBAD=EXITS", "lanes: 2\n", "  bad(f.s0.x, xr);\n", 1, "promise (HY0722), in bad"},
    // not known is neither a failure nor nothing
    {BAD, "-w -DBAD=MODULO", "lanes: 2\n", "  bad(f.s0.x, xr);\n", 3, "undecided (HY0511), first after step 1, bad"},
    {BAD, "-w -DBAD=MODULO", "lanes: 5\n", "  bad(f.s0.x, xr);\n", 3, "undecided (HY0511)"},
    // a plug-in's name is not one that a pair may change
    {BAD, "-w -DBAD=SHORT_NAME", "lanes: 1\nrelation: rename\n", "  e1(f.s0.x, xr);\n", 0, "a.case: nothing; "},
    {BAD, "-w -DBAD=GOOD", "lanes: 1,2\n", "  bad(f.s0.x, xr);\n", 0, "a.case: nothing; "},
};

START_TEST(cases_name_the_culprit) {
  char plugin[128], path[128];
  hy_text said = {0};
  plugin_build(cases[_i].source, cases[_i].flag, plugin, sizeof plugin);
  write_case(cases[_i].lines, cases[_i].items, path, sizeof path);
  int status = plugin_halyard((const char *[]){"replay", path, "--plugin", plugin, NULL}, &said);
  ck_assert_msg(status == cases[_i].status, "status %d instead of %d:\n%.3000s", status, cases[_i].status,
                hy_text_string(&said));
  must_say(&said, cases[_i].says);
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// One claim cannot be decided, a later one is refuted: that is the finding, whichever was said first.
START_TEST(the_worse_of_two_plugins) {
  char open[128], liar[128], path[128];
  hy_text said = {0};
  plugin_build(BAD, "-w -DBAD=MODULO", open, sizeof open);
  plugin_build(STRIPS, "", liar, sizeof liar);
  write_case("lanes: 2\n", "  bad(f.s0.y, yr);\n  strips(f.s0.x, a, b, 4);\n", path, sizeof path);
  ck_assert_int_eq(plugin_halyard((const char *[]){"replay", path, "--plugin", open, "--plugin", liar, NULL}, &said),
                   1);
  must_say(&said, "promise (HY0512), first after step 2, strips");
  ck_assert_ptr_null(strstr(hy_text_string(&said), "HY0511"));
  hy_text_free(&said);
  ck_assert_int_eq(plugin_halyard((const char *[]){"replay", path, "--plugin", open, NULL}, &said), 2);
  must_say(&said, "uses the directive 'strips'");
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

/* -- cases say what they need -- */

static const struct {
  const char *lines, *items;
  int status; // of replay without the plug-in, and of reduce
  const char *says;
} needs[] = {
    {"plugin: strips my strips.so\n", "  strips(f.s0.x, a, b, 4);\n", 2, "this case needs --plugin my strips.so"},
    {"plugin: strips strips.so\nrefused: yes\n", "  strips(f.s0.x, a, b, 4);\n", 2, "--plugin strips.so"},
    {"", "  strips(f.s0.x, a, b, 4);\n", 2, "uses the directive 'strips' of a plug-in"}, // of an older campaign
    {"", "  split(f.s0.x, a, b, 4);\n  strips(f.s0.b, c, d, 2);\n", 2, "needs --plugin FILE.so"},
    {"refused: yes\n", "  strips(f.s0.x, a, b, 4);\n", 0, "refused (HY0402)"}, // is meant to be
    {"", "  split(f.s0.x, a, b, 4);\n", 0, "a.case: nothing"},
};

START_TEST(cases_say_what_they_need) {
  static const char *const verbs[] = {"replay", "reduce"};
  char path[128];
  write_case(needs[_i].lines, needs[_i].items, path, sizeof path);
  for (size_t v = 0; v < HY_COUNT(verbs); v++) {
    hy_text said = {0};
    int status = plugin_halyard((const char *[]){verbs[v], path, "--lanes", "1", NULL}, &said);
    ck_assert_msg(status == needs[_i].status, "%s: status %d:\n%.3000s", verbs[v], status, hy_text_string(&said));
    must_say(&said, needs[_i].says);
    if (status == 2) ck_assert_ptr_null(strstr(hy_text_string(&said), "obligations"));
    hy_text_free(&said);
  }
  plugin_cleanup();
}
END_TEST

// What the help says is to be typed works: the smaller case shows the same, and still says what it needs.
START_TEST(cases_are_reduced) {
  char plugin[128], path[128], smaller[160];
  hy_text said = {0}, text = {0};
  plugin_build(STRIPS, "", plugin, sizeof plugin);
  write_case("plugin: strips plugin0.so\nlanes: 2\n", "  split(f.s0.y, c, d, 2);\n  strips(f.s0.x, a, b, 4);\n", path,
             sizeof path);
  snprintf(smaller, sizeof smaller, "%s.smaller", path);
  const char *reduce[] = {"reduce", path, "--plugin", plugin, "--shrink", "3", "-o", smaller, NULL};
  int status = plugin_halyard(reduce, &said);
  ck_assert_msg(status == 1, "status %d:\n%.3000s", status, hy_text_string(&said));
  must_say(&said, "first after step 1, strips");
  read_file(smaller, &text);
  must_say(&text, "plugin: strips plugin0.so\n");
  must_say(&text, "  strips(f.s0.x");
  ck_assert_msg(!strstr(hy_text_string(&text), "split"), "%s", hy_text_string(&text));
  hy_text_free(&text);
  hy_text_free(&said);
  remove(smaller);
  plugin_cleanup();
}
END_TEST

/* -- campaigns -- */

static const struct {
  const char *source, *flag, *lanes;
  int status;
  const char *says, *never; // in the summary, as JSON
} campaigns[] = {
    {STRIPS, "", "1,2", 1, "\"key\": \"promise-strips-HY0512\"", "unsound"},
    {STRIPS, "", "1", 1, "\"directive\": \"strips\"", "\"directive\": \"plugin\""},
    {STRIPS, "", "2", 1, "this is a fault of the plug-in plugin0.so", "/tmp/"}, // the same on every machine
    {BAD, "-w -DBAD=SHORT", "2", 1, "\"key\": \"promise-bad-HY0512\"", "unsound"},
    {BAD, "-w -DBAD=CRASHES", "1", 1, "\"key\": \"promise-bad-HY0722\"", "\"crash"},
    {BAD, "-w -DBAD=EXITS", "1,2", 1, "'bad' ended the process with status", "\"crash"},
    {BAD, "-w -DBAD=GOOD", "1,2", 0, "\"failures\": 0", "unsound"},
};

START_TEST(campaigns_name_the_culprit) {
  char plugin[128];
  hy_text said = {0};
  plugin_build(campaigns[_i].source, campaigns[_i].flag, plugin, sizeof plugin);
  const char *fuzz[] = {"fuzz",    "--plugin",          plugin,     "--seed", "5",        "--pairs", "24",
                        "--lanes", campaigns[_i].lanes, "--shrink", "1",      "--format", "json",    NULL};
  int status = plugin_halyard(fuzz, &said);
  ck_assert_msg(status == campaigns[_i].status, "status %d:\n%.3000s", status, hy_text_string(&said));
  must_say(&said, campaigns[_i].says);
  ck_assert_msg(!strstr(hy_text_string(&said), campaigns[_i].never), "\"%s\" is said:\n%.3000s", campaigns[_i].never,
                hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// What a plug-in has started hides neither the end of the worker nor the finding, and does not outlive the campaign.
START_TEST(what_it_starts_hides_nothing) {
  enum { MOST_SECONDS = 90 }; // what it starts runs for longer
  char plugin[128];
  hy_text said = {0};
  double start = hy_seconds();
  plugin_build(BAD, "-w -DBAD=LEAVES_AND_DIES", plugin, sizeof plugin);
  const char *fuzz[] = {"fuzz", "--plugin", plugin, "--seed",   "5", "--pairs",  "12",   "--time",
                        "60",   "--lanes",  "1",    "--shrink", "1", "--format", "json", NULL};
  ck_assert_int_eq(plugin_halyard(fuzz, &said), 1);
  ck_assert_msg(hy_seconds() - start < MOST_SECONDS, "what it started goes on");
  must_say(&said, "\"key\": \"promise-bad-HY0722\"");
  must_say(&said, "\"pairs\": 12");
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// A path beside the plug-ins.
static const char *beside(const char *name, char *path, size_t room) {
  plugin_write("unused", "", path, room);
  snprintf(strrchr(path, '/'), 32, "/%s", name);
  return path;
}

static int campaign(const char *plugin, const char *shard, const char *out, bool resume, hy_text *said) {
  const char *fuzz[] = {"fuzz", "--seed",   "5", "--pairs",  "512",  "--lanes",
                        "1",    "--shrink", "1", "--shard",  shard,  "--format",
                        "json", "--out",    out, "--plugin", plugin, resume ? "--resume" : NULL,
                        NULL};
  return plugin_halyard(fuzz, said);
}

// Shards joined, and a folder that is taken up again, tell of the culprit as the whole does; with other plug-ins it is
// another campaign. The case names the plug-in's file, and no folder.
START_TEST(folders_remember) {
  static const char case_name[] = "/contract-strips-Cpu_not_covered.case";
  char plugin[128], good[128], a[128], b[128], whole[128], path[192];
  hy_text said = {0}, text = {0};
  plugin_build(STRIPS, "", plugin, sizeof plugin);
  plugin_build(BAD, "-w -DBAD=GOOD", good, sizeof good);
  beside("a", a, sizeof a), beside("b", b, sizeof b), beside("whole", whole, sizeof whole);
  ck_assert_int_eq(campaign(plugin, "0/2", a, false, &said), 1);
  ck_assert_int_eq(campaign(plugin, "1/2", b, false, &said), 1);
  hy_text_free(&said);
  ck_assert_int_eq(
      plugin_halyard((const char *[]){"fuzz", "--merge", a, b, "--out", whole, "--format", "json", NULL}, &said), 1);
  must_say(&said, "\"pairs\": 512");
  must_say(&said, "\"directive\": \"strips\"");
  must_say(&said, "\"lane\": \"1\"");
  hy_text_free(&said);
  ck_assert_int_eq(campaign(plugin, "0/2", a, true, &said), 1);
  must_say(&said, "\"directive\": \"strips\"");
  must_say(&said, "\"resumed\": 256");
  hy_text_free(&said);
  ck_assert_int_eq(campaign(good, "0/2", a, true, &said), 2);
  must_say(&said, "other plug-ins");
  snprintf(path, sizeof path, "%s%s", whole, case_name);
  read_file(path, &text);
  hy_text_free(&said);
  hy_text_printf(&said, "plugin: strips %s\n", strrchr(plugin, '/') + 1);
  must_say(&text, hy_text_string(&said));
  must_say(&text, ", after strips\n");
  ck_assert_msg(!strstr(hy_text_string(&text), "/tmp/"), "a folder stands in it:\n%.3000s", hy_text_string(&text));
  hy_text_free(&said);
  ck_assert_int_eq(plugin_halyard((const char *[]){"replay", path, NULL}, &said), 2);
  ck_assert_int_eq(plugin_halyard((const char *[]){"replay", path, "--plugin", plugin, NULL}, &said), 1);
  hy_text_free(&said);
  hy_text_free(&text);
  plugin_cleanup();
}
END_TEST

// A directive that is named is tried on nests of reduction loops whose order matters, too: of what chance alone draws it
// takes these seeds 1017 and 1440 pairs.
START_TEST(nests_of_reductions) {
  static const char *const seeds[] = {"4", "5"};
  char plugin[128];
  hy_text said = {0};
  plugin_build("proofs_tests/plugins/turn.c", "", plugin, sizeof plugin);
  const char *fuzz[] = {"fuzz", "--plugin", plugin, "--directive", "turn", "--seed",   seeds[_i], "--pairs",
                        "256",  "--lanes",  "1",    "--shrink",    "0",    "--format", "json",    NULL};
  int status = plugin_halyard(fuzz, &said);
  ck_assert_msg(status == 1, "status %d:\n%.3000s", status, hy_text_string(&said));
  must_say(&said, "\"key\": \"disagree-turn-none\"");
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

Suite *plugin_fuzz_suite(void) {
  Suite *suite = suite_create("plugin_fuzz");
  TCase *t = tcase_create("fuzz");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, cases_name_the_culprit, 0, HY_COUNT(cases));
  tcase_add_test(t, the_worse_of_two_plugins);
  tcase_add_loop_test(t, cases_say_what_they_need, 0, HY_COUNT(needs));
  tcase_add_test(t, cases_are_reduced);
  tcase_add_loop_test(t, campaigns_name_the_culprit, 0, HY_COUNT(campaigns));
  tcase_add_test(t, what_it_starts_hides_nothing);
  tcase_add_loop_test(t, nests_of_reductions, 0, 2);
  tcase_add_test(t, folders_remember);
  suite_add_tcase(suite, t);
  return suite;
}
