/* Directives from outside the tree in schedules: used by every verb, printed and read back, proved for each program,
 * refused where they do not fit (DIR.Plugin, DIR.Plugin.Legal, DIR.Split.Range). And what a plug-in that misbehaves
 * leads to: its own fault, said so (DIR.Plugin.Fault; D33, D36, D64).
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/plugin/plugin_harness.h"

#include "semantics/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLUR HALYARD_SOURCE_DIR "/apps/box_blur.alg"

static const char totals[] = "pipeline totals(n: int) {\n"
                             "  fun f(x, y) = {\n"
                             "    i32(x) - i32(y);\n"
                             "    rdom(r = (0, n), q = (1, 3)) in (x, y) <- f(x, y)*3 + i32(r) - i32(q);\n"
                             "  };\n}\n";

static const char weighed[] = "pipeline totals(in: i32[2], n: int) {\n  fun f(x) = {\n    0;\n"
                              "    rdom(r = (0, n)) in (x) <- f(x)*3 + in(x, r);\n  };\n}\n";

static const char ranged[] =
    "pipeline totals(in: i32[2], k: int in 0..10, s: f32 in 0.0..4.0, m: int) {\n  fun f(x) = {\n    0;\n"
    "    rdom(r = (0, 9)) in (x) <- f(x)*3 + in(x, r);\n  };\n}\n";

/* -- sound ones: what a schedule leads to -- */

static const struct {
  const char *source, *alg, *items; // source: a name, and a flag to build it with; alg NULL: the box blur
  int status;                       // of check
  const char *says;
} schedules[] = {
    {"reverse", NULL, "reverse(bv.x, xr);", 0, "proved"},
    {"reverse", NULL, "reverse(bv.s0.x, x);", 0, "proved"}, // the name of the loop that is taken
    {"reverse", NULL, "bv.reverse(x, xr).parallel(y);", 0, "proved"},
    {"reverse", NULL, "bv.tile(x, y, xi, yi, 8, 4).reverse(xi, xir).parallel(y); bh.compute_at(bv, x).reverse(x, x);",
     0, "proved"},
    {"reverse", NULL, "reverse(bv.x, xr); split(bv.xr, xo, xi, 8, round); reverse(bv.xi, a); traverse(bv.y, parallel);",
     0, "proved"},
    {"reverse", NULL, "reverse(bv.x, xr); traverse(bv.xr, parallel);", 0, "proved"},
    {"reverse", NULL, "reverse(bv.x, xr); reverse(bv.xr, xrr); fuse(bv.y, xrr, t);", 0, "proved"},
    {"peel", NULL, "peel(bv.x, p, xi, 3); traverse(bv.p, unrolled); compute_at(bh, bv.xi);", 0, "proved"},
    {"peel", totals, "peel(f.s1.r, p, ri, n);", 0, "proved"}, // a reduction, by a parameter
    {"skew", NULL, "skew(bv.x, y, xs, 2); swap(bv.y); traverse(bv.y, parallel); compute_at(bh, bv.xs);", 0, "proved"},
    {"skew", totals, "skew(f.s1.r, q, rs, 1);", 0, "proved"}, // two reduction loops, in their order
    {"cyclic", NULL, "cyclic(bv.x, c, q, 4); traverse(bv.c, parallel); bh.compute_at(bv, c).store_at(bv, c);", 0,
     "proved"},
    {"cyclic", NULL, "cyclic(bv.x, c, q, 4); cyclic(bv.c, c, d, 3); split(bv.d, o, i, 2);", 0, "proved"},
    {"wave", NULL, "wave(bv.y, x, t, w); traverse(bv.w, parallel);", 0, "proved"},
    {"wave", NULL, "wave(bv.y, x, t, w); split(bv.t, a, b, 4); split(bv.w, o, i, 8); traverse(bv.i, vectorized);", 0,
     "proved"}, // a split of a loop whose bounds depend on another
    {"wave", NULL, "bv.tile(x, y, xi, yi, 8, 8); wave(bv.y, x, t, w); traverse(bv.w, parallel);", 0, "proved"},
    // both old names again, in either order, and names that Halyard itself would give
    {"wave", NULL, "wave(bv.y, x, y, x);", 0, "proved"},
    {"wave", NULL, "wave(bv.y, x, x, y); split(bv.x, x, i, 4); traverse(bv.y, parallel);", 0, "proved"},
    {"wave", NULL, "wave(bv.y, x, x, x__1);", 0, "proved"},
    {"wave", NULL, "wave(bv.y, x, x__1, x);", 0, "proved"},
    {"lean", NULL, "lean(bv.y, x, x, y); split(bv.x, x, b, 4); fuse(bv.x, b, t);", 0, "proved"},
    // a directive of Halyard's own on a loop that the let of another one's way back names
    {"zigzag", NULL, "zigzag(bv.y, x, yz, xz); split(bv.xz, xo, xi, 4);", 0, "proved"},
    {"zigzag", NULL, "split(bv.y, yo, yi, 4); zigzag(bv.yi, x, yz, xz); split(bv.xz, xo, xi, 4);", 0, "proved"},
    {"zigzag", NULL, "zigzag(bv.y, x, y, x); swap(bv.y); traverse(bv.x, parallel);", 0, "proved"},
    {"zigzag", NULL, "zigzag(bv.y, x, a, b); zigzag(bv.a, b, c, d); split(bv.d, o, i, 3, round);", 0, "proved"},
    {"tiles", NULL, "tiles(bv.y, x, yo, xo, yi, xi, 8); split(bv.yi, yio, yii, 4);", 0, "proved"},
    {"tiles", NULL, "tiles(bv.y, x, y, x, yi, xi, 8); swap(bv.y); fuse(bv.yi, xi, t);", 0, "proved"},
    {"lean", NULL, "lean(bv.y, x, yl, xl); split(bv.yl, a, b, 4); split(bv.xl, c, d, 3); traverse(bv.d, vectorized);",
     0, "proved"}, // the let stands outside of a loop that its way back names
    {"lean", NULL, "lean(bv.y, x, x, y); split(bv.y, y, i, 1);", 0, "proved"}, // and that loop's name goes to another
    {"lean", NULL, "lean(bv.y, x, y, x); split(bv.x, x, d, 4); lean(bv.x, d, d, x);", 0, "proved"},
    // refused where they do not fit
    {"reverse", NULL, "reverse(bv.z, xr);", 1, "HY0405"},
    {"reverse", NULL, "reverse(bv.x);", 1, "reverse(f.x, xr)"},
    {"reverse", NULL, "reverse(bv.x, 3);", 1, "reverse(f.x, xr)"},
    {"reverse", NULL, "reverse(bv.x, y);", 1, "the name 'y' clashes"},
    {"reverse", NULL, "reverse(bv.x, xr); reverse(bv.x, a);", 1, "an earlier directive consumed it"},
    {"reverse", NULL, "traverse(bv.x, parallel); reverse(bv.x, xr);", 1, "is parallel already"},
    {"reverse", NULL, "backwards(bv.x, xr);", 1, "HY0402"},
    {"reverse", totals, "reverse(f.s1.r, rr);", 1, "HY0431"},
    {"peel", NULL, "peel(bv.x, p, p, 3);", 1, "two new loops are both called 'p'"},
    {"peel", NULL, "peel(bv.x, p, xi, 0);", 1, "must be at least 1, not 0"},
    {"peel", NULL, "peel(bv.x, p, xi, bh);", 1, "HY0424"},
    {"peel", NULL, "peel(bv.x, p, xi, 3); traverse(bv.p, vectorized);", 1, "differ between the lanes"},
    {"skew", NULL, "skew(bv.x, y, xs, -1);", 1, "the factor must not be negative"},
    {"skew", NULL, "skew(bv.y, x, ys, 1);", 1, "does not stand around"},
    {"skew", NULL, "skew(bv.x, x, xs, 1);", 1, "does not stand around"},
    {"cyclic", totals, "cyclic(f.s1.x, c, d, n);", 0, "proved"},
    {"cyclic", totals, "cyclic(f.s1.r, c, d, 4);", 1, "HY0431"},
    {"cyclic", NULL, "cyclic(bv.x, c, q, 4); split(bv.c, o, i, 3, round);", 1,
     "the tail 'round' lets 'bv.s0.c' leave its range, and the length of 'bv.s0.q' inside depends on it"},
    {"cyclic", NULL, "cyclic(bv.x, c, q, 4); cyclic(bv.c, c, d, 3); split(bv.d, o, i, 2, shift);", 1,
     "leave its range"},
    {"wave", NULL, "swap(bv.y); wave(bv.y, x, t, w);", 1, "HY0407"},
    {"wave", NULL, "wave(bv.y, x, t, w); swap(bv.t);", 1, "HY0423"},
    {"wave", totals, "wave(f.s1.x, r, t, w);", 1, "HY0407"},
    {"wave", NULL, "wave(bv.y, x, t, w); wave(bv.t, w, a, b);", 1, "depend on 'bv.s0.t'"},
    // unsound ones: never run, whatever they claim
    {"unsound_reverse", totals, "reverse_any(f.s1.r, rr);", 1, "HY0512"},
    {"unsound_reverse", totals, "reverse_any(f.s1.r, rr);", 1,
     "iteration rr runs before rr', so (q, r) has to come before (q', r')"},
    {"unsound_strips", NULL, "strips(bv.x, xo, xi, 4);", 1, "coverage does not hold"},
    {"unsound_strips", NULL, "strips(bv.x, xo, xi, 1);", 0, "proved"}, // nothing is lost by 1
    {"unsound_pad", NULL, "pad(bv.x, xp, 4);", 0, "proved"},           // sound on a loop of the func itself
    {"unsound_pad", totals, "split(f.s1.x, xo, xi, 3); pad(f.s1.xi, xp, 2);", 1, "HY0512"},
    {"zigzag -DFORGETS", NULL, "zigzag(bv.y, x, yz, xz);", 1, "coverage does not hold"},
    {"zigzag -DFORGETS", NULL, "zigzag(bv.y, x, y, x);", 1, "bv.s0.x (old)"}, // no name that nobody wrote
    {"unsound_strips", NULL, "split(bv.y, x__1, yi, 4); strips(bv.x__1, a, b, 3);", 1,
     "bv.s0.x__1 = "}, // the user's name
    // a pure loop that is another one at another reduction: no reduction loop may go inside of it
    {"inter", weighed, "inter(f.s1.x, r, ro, xi);", 0, "proved"},
    {"late", weighed, "swap(f.s1.x); late(f.s1.x, r, part, xo, 1000);", 0, "proved"},
    {"late", weighed, "swap(f.s1.x); late(f.s1.x, r, part, xo, 1000); swap(f.s1.r);", 1,
     "iteration part runs before part', so (r) has to come before (r')"},
    {"late", weighed, "swap(f.s1.x); late(f.s1.x, r, part, xo, 1000); swap(f.s1.r);", 1,
     "put it before theirs, or leave one of them out"},
    {"pads", NULL, "bv.pads(x, xp, 4).parallel(y); bh.compute_at(bv, y);", 0,
     "proved"}, // it adds points, so regions grow
    // where a stage was rounded up or shifted before, a loop from outside the tree still stays in its range, or says so
    {"pads", NULL, "split(bv.x, xo, xi, 8, round); pads(bv.xo, q, 4); bh.compute_at(bv, q);", 0, "proved"},
    {"pads -DKEEPS", NULL, "split(bv.x, xo, xi, 8, round); pads(bv.xo, q, 4); bh.compute_at(bv, q);", 1,
     "bv.s0.xo stays below its end"},
    {"pads -DKEEPS", NULL, "split(bv.x, xo, xi, 8, shift); pads(bv.xo, q, 4); bh.compute_at(bv, q);", 1,
     "range does not hold"},
    // what is known of parameters and boxes at entry
    {"longer", ranged, "longer(f.s1.r, q, k);", 0, "proved"},
    {"longer", ranged, "longer(f.x, q, k + in.len(0));", 0, "proved"},
    {"longer", ranged, "longer(f.x, q, k - 1);", 1, "k = 0"},
    {"longer", ranged, "longer(f.x, q, m);", 1, "coverage does not hold"},
    {"zigzag -DCROSSED", NULL, "zigzag(bv.y, x, y, x);", 1, "HY0512"},
    {"zigzag -DCARELESS", totals, "swap(f.s1.x); zigzag(f.s1.q, x, a, b);", 1,
     "the let of 'x' speaks of loop 'a' (rdom) and loop 'b' (pure): a let may not mix the two kinds"},
    {"zigzag", totals, "swap(f.s1.x); zigzag(f.s1.q, x, a, b);", 1, "HY0431"},
    {"bad -w -DBAD=UNBOUND", NULL, "bad(bv.x, xr);", 1, "error[HY0432]: bad: the program that it makes is ill-formed"},
};

// An example of the documentation, or one for the tests alone.
static void build(const char *name, char *plugin, size_t room) {
  static const char *const own[] = {"zigzag", "tiles", "lean", "bad", "inter", "late", "pads", "longer"};
  char source[128];
  size_t length = strcspn(name, " ");
  const char *folder = "docs/examples";
  for (size_t i = 0; i < HY_COUNT(own); i++)
    if (strncmp(name, own[i], length) == 0) folder = "proofs_tests/plugins";
  snprintf(source, sizeof source, "%s/%.*s.c", folder, (int)length, name);
  plugin_build(source, name + length, plugin, room);
}

static int check_schedule(int i, const char *verb, hy_text *said) {
  char plugin[128], alg[128], sched[128];
  hy_text text = {0};
  build(schedules[i].source, plugin, sizeof plugin);
  if (schedules[i].alg) plugin_write("a.alg", schedules[i].alg, alg, sizeof alg);
  hy_text_printf(&text, "schedule s for %s {\n  %s\n}\n", schedules[i].alg ? "totals" : "box_blur", schedules[i].items);
  plugin_write("s.sched", hy_text_string(&text), sched, sizeof sched);
  hy_text_free(&text);
  return plugin_halyard((const char *[]){verb, schedules[i].alg ? alg : BLUR, sched, "--plugin", plugin, NULL}, said);
}

START_TEST(schedules_are_judged) {
  hy_text said = {0};
  int status = check_schedule(_i, "check", &said);
  ck_assert_msg(status == schedules[_i].status && strstr(hy_text_string(&said), schedules[_i].says),
                "%s: status %d instead of %d, or not \"%s\":\n%.3000s", schedules[_i].items, status,
                schedules[_i].status, schedules[_i].says, hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// DIR.Split.Range: a loop that one plug-in makes longer, and another one's loop inside, whose length depends on it.
START_TEST(lengths_that_depend) {
  char cyclic[128], pad[128], sched[128];
  hy_text said = {0};
  build("cyclic", cyclic, sizeof cyclic);
  build("unsound_pad", pad, sizeof pad);
  plugin_write("s.sched", "schedule s for box_blur { cyclic(bv.x, c, q, 4); pad(bv.c, xp, 4); }", sched, sizeof sched);
  int status = plugin_halyard((const char *[]){"check", BLUR, sched, "--plugin", cyclic, "--plugin", pad, NULL}, &said);
  ck_assert_msg(status == 1 && strstr(hy_text_string(&said), "'pad' lets 'bv.s0.c' leave its range, and the length of "
                                                             "'bv.s0.q' inside depends on it"),
                "%d: %.3000s", status, hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// Every engine, native code with its real parallel loops included, and every level of validation.
START_TEST(engines_agree) {
  static const int rows[] = {3, 5, 7, 8, 9, 10, 11, 14, 15, 17, 20, 22, 26, 27};
  hy_text said = {0};
  int status = check_schedule(rows[_i], "verify", &said);
  ck_assert_msg(status == 0 && strstr(hy_text_string(&said), "no difference"), "%s: status %d:\n%.3000s",
                schedules[rows[_i]].items, status, hy_text_string(&said));
  ck_assert_msg(!strstr(hy_text_string(&said), "BROKEN"), "%.3000s", hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

/* -- text -- */

// A scheduled program as text is a program: read, checked and printed, it is the same.
START_TEST(programs_are_read_back) {
  char plugin[128], sched[128], first[128], second[128];
  hy_text said = {0}, again = {0};
  plugin_build("docs/examples/peel.c", "", plugin, sizeof plugin);
  plugin_write("s.sched", "schedule s for box_blur { peel(bv.x, p, xi, 3); peel(bv.xi, q, xi, 2); }", sched,
               sizeof sched);
  const char *show[] = {"show", BLUR, sched, "--plugin", plugin, "--stage", "filled", NULL};
  ck_assert_int_eq(plugin_halyard(show, &said), 0);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&said), "by given peel guard("));
  plugin_write("first.tgt", hy_text_string(&said), first, sizeof first);
  ck_assert_int_eq(plugin_halyard((const char *[]){"show", first, "--stage", "filled", NULL}, &again), 0);
  ck_assert_str_eq(hy_text_string(&said), hy_text_string(&again));
  plugin_write("second.tgt", hy_text_string(&again), second, sizeof second);
  ck_assert_int_eq(plugin_halyard((const char *[]){"check", second, NULL}, &again), 0);
  hy_text_free(&said);
  hy_text_free(&again);
  plugin_cleanup();
}
END_TEST

// Copies that the passes make of a let list what they are called themselves.
START_TEST(passes_keep_the_way_back) {
  char plugin[128], sched[128], path[128];
  hy_text said = {0}, again = {0};
  plugin_build("docs/examples/reverse.c", "", plugin, sizeof plugin);
  plugin_write("s.sched",
               "schedule s for box_blur { reverse(bv.x, xr); split(bv.xr, o, i, 8); traverse(bv.i, vectorized); }",
               sched, sizeof sched);
  const char *show[] = {"show", BLUR, sched, "--plugin", plugin, "--stage", "native", NULL};
  ck_assert_int_eq(plugin_halyard(show, &said), 0);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&said), "guard(bv.s0.xr__tail1; bv.s0.x__tail1; bv.s0.xr__tail1 = "));
  plugin_write("native.tgt", hy_text_string(&said), path, sizeof path);
  int status = plugin_halyard((const char *[]){"show", path, "--stage", "filled", NULL}, &again);
  ck_assert_msg(status == 0, "%.3000s", hy_text_string(&again));
  hy_text_free(&said);
  hy_text_free(&again);
  plugin_cleanup();
}
END_TEST

// Without its steps a program is judged all the same: B.Disjoint asks of parallel iterations, whoever made the loop,
// that they write points of their own (D33, D70), and believes no way back.
START_TEST(parallel_text_is_judged) {
  char plugin[128], sched[128], tgt[128];
  hy_text said = {0}, judged = {0};
  plugin_build("docs/examples/reverse.c", "", plugin, sizeof plugin);
  plugin_write("s.sched", "schedule s for box_blur { reverse(bv.x, xr); traverse(bv.xr, parallel); }", sched,
               sizeof sched);
  const char *show[] = {"show", BLUR, sched, "--plugin", plugin, "--stage", "filled", NULL};
  ck_assert_int_eq(plugin_halyard(show, &said), 0);
  plugin_write("p.tgt", hy_text_string(&said), tgt, sizeof tgt);
  ck_assert_int_eq(plugin_halyard((const char *[]){"check", tgt, NULL}, &judged), 0);
  static const char back[] = "bv.s0.xr = ";
  char *text = strdup(hy_text_string(&said)), *at = strstr(text, back);
  ck_assert_ptr_nonnull(at);
  at += strlen(back);
  hy_text wrong = {0};
  hy_text_printf(&wrong, "%.*s1 + %s", (int)(at - text), text, at); // a way back that leads elsewhere
  plugin_write("q.tgt", hy_text_string(&wrong), tgt, sizeof tgt);
  ck_assert_int_ne(plugin_halyard((const char *[]){"check", tgt, NULL}, &judged), 0);
  free(text);
  hy_text_free(&wrong);
  hy_text_free(&said);
  hy_text_free(&judged);
  plugin_cleanup();
}
END_TEST

START_TEST(it_is_listed_and_fuzzed) {
  char plugin[128];
  hy_text said = {0};
  plugin_build("docs/examples/skew.c", "", plugin, sizeof plugin);
  ck_assert_int_eq(plugin_halyard((const char *[]){"directives", "--plugin", plugin, NULL}, &said), 0);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&said), "skew(f.x, y, xs, k)"));
  const char *fuzz[] = {"fuzz", "--plugin", plugin, "--directive", "skew", "--pairs", "40", "--lanes", "1", NULL};
  ck_assert_int_eq(plugin_halyard(fuzz, &said), 0);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&said), "plugin "));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

/* -- bad ones -- */

static const struct {
  const char *bad;
  int status;
  const char *says;
} faults[] = {
    {"GOOD", 0, "proved"},
    {"STALE", 0, "proved"}, // the same expression of the same program: no harm is done
    {"CRASHES", 1, "crashed (Segmentation fault) in its function 'rewrite'"},
    {"CRASHES_ON_LOAD", 1, "crashed (Aborted) in the code that runs when it is loaded"},
    {"LOOPS", 1, "did not return, and was ended, in its function 'legal'"},
    {"EXITS", 1, "ended the process with status"},
    {"CLOSES", 1, "closed the standard input, output or error in its function 'rewrite'"},
    {"STARTS", 1, "started a process in its function 'rewrite'"},
    {"RUNS", 1, "started a process in its function 'rewrite'"},
    {"LEAVES", 1, "started a process in its function 'rewrite'"},
    {"LEAVES_AND_DIES", 1, "crashed (Aborted) in its function 'rewrite'"},
    {"MUFFLES", 1, "closed the standard input, output or error in its function 'rewrite'"},
#if !defined(HALYARD_SANITIZE_ADDRESS) && !defined(HALYARD_SANITIZE_THREAD) // they reserve more than any limit
    {"GREEDY", 1, "asked for more than 4 GiB of memory in its function 'rewrite'"},
    {"FULL", 1, "crashed (Segmentation fault) in its function 'rewrite'"},
#endif
    {"UNBOUND", 1, "ill-formed: a loop mentions"},
    {"TWO_BODIES", 1, "2 lets for the loop 'x'"},
    {"NO_BODY", 1, "'rewrite' returned NULL"},
    {"NO_LET", 1, "'hyd_make_let' is needed"},
    {"FOREIGN", 1, "Halyard did not make in this call"},
    {"CONFUSED", 1, "a condition where a number belongs"},
    {"WRONG_INVERSE", 1, "coverage does not hold"},
    {"CIRCULAR_INVERSE", 1, "the inverse of loop 'xr' speaks of 'xr'"},
    {"SHORT", 1, "coverage does not hold"},
    {"TWICE", 1, "uniqueness does not hold"},
    {"HUGE", 1, "an expression of more than 1000 parts"},
    {"VERSION", 2, "it is for version 2 of halyard_directive.h"},
    {"NAME", 2, "its name 'split' is one that Halyard's own schedules use"},
    {"MISSING", 2, "undefined symbol: nobody_defines_this"},
    {"UNDECLARED", 2, "it does not define 'halyard_directive'"},
    {"NO_NAME", 1, "crashed (Segmentation fault) in its record 'halyard_directive'"},
    {"NO_FORM", 1, "crashed (Segmentation fault) in its record 'halyard_directive'"},
    {"NO_BRANCHES", 1, "crashed (Segmentation fault) in its record 'halyard_directive'"},
    {"ENDLESS_BRANCHES", 1, "crashed (Segmentation fault) in its record 'halyard_directive'"},
    {"TURNED_BRANCHES", 2, "its list of branches is none"},
    {"TWO_LINES", 2, "its 'form' or 'summary' is no line of at most 500 letters"},
};

// Verbs that ask it nothing read what it declares all the same.
START_TEST(records_are_read_once) {
  static const char *const lies[] = {"NO_NAME", "NO_FORM", "NO_BRANCHES"};
  static const char *const verbs[] = {"directives", "validate"};
  char flag[64], plugin[128];
  hy_text said = {0};
  snprintf(flag, sizeof flag, "-w -DBAD=%s", lies[_i / 2]);
  plugin_build("proofs_tests/plugins/bad.c", flag, plugin, sizeof plugin);
  const char *directives[] = {verbs[0], "--plugin", plugin, NULL}, *validate[] = {verbs[1], plugin, NULL};
  int status = plugin_halyard(_i % 2 ? validate : directives, &said);
  ck_assert_msg(status == 1 && strstr(hy_text_string(&said), "error[HY0722]") &&
                    strstr(hy_text_string(&said), "in its record 'halyard_directive'"),
                "%s, %s: status %d:\n%.3000s", lies[_i / 2], verbs[_i % 2], status, hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

enum { MOST_SECONDS = 90 }; // what a plug-in starts runs for longer, and keeps the output open

START_TEST(faults_are_the_plugins) {
  char flag[64], plugin[128], sched[128];
  hy_text said = {0};
  snprintf(flag, sizeof flag, "-w -DBAD=%s", faults[_i].bad);
  plugin_build("proofs_tests/plugins/bad.c", flag, plugin, sizeof plugin);
  plugin_write("s.sched", "schedule s for box_blur { bad(bv.x, xr); traverse(bv.y, parallel); }", sched, sizeof sched);
  double start = hy_seconds();
  int status = plugin_halyard((const char *[]){"check", BLUR, sched, "--plugin", plugin, NULL}, &said);
  ck_assert_msg(hy_seconds() - start < MOST_SECONDS, "%s: what it started goes on", faults[_i].bad);
  ck_assert_msg(status == faults[_i].status && strstr(hy_text_string(&said), faults[_i].says),
                "%s: status %d instead of %d, or not \"%s\":\n%.3000s", faults[_i].bad, status, faults[_i].status,
                faults[_i].says, hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// What is built with -ffast-math takes small numbers for 0 from the moment it is loaded: set back, before anything is
// computed.
START_TEST(floats_are_as_they_were) {
  char plugin[128], alg[128], sched[128];
  hy_text said = {0};
  plugin_build("docs/examples/peel.c", "-O2 -ffast-math", plugin, sizeof plugin);
  plugin_write("s.alg", "pipeline s() { fun f(x) = f32(x + 1) * 1.0e-30 * 1.0e-10; }", alg, sizeof alg);
  plugin_write("s.sched", "schedule t for s { peel(f.x, p, xi, 1); }", sched, sizeof sched);
  int status = plugin_halyard(
      (const char *[]){"run", alg, sched, "--plugin", plugin, "--window", "x=0:3", "-o", "txt:-", NULL}, &said);
  ck_assert_msg(status == 0 && strstr(hy_text_string(&said), "e-40"), "status %d:\n%.3000s", status,
                hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// Campaigns try other bounds, too (docs/fuzzing.md). Longer loops of a plug-in may come to one point in two iterations,
// and B does not ask whether those race: not a finding.
START_TEST(longer_loops_are_not_tried) {
  char plugin[128], path[128];
  hy_text said = {0};
  plugin_build("docs/examples/wave.c", "", plugin, sizeof plugin);
  plugin_write("longer.case",
               "halyard case 1\nseed: 17\nlanes: 1,2\naltered: loop f.s0.o low -2\ninput: 99 window 0:2 params 0 0\n"
               "--- algorithm\npipeline p(w: int, n: int) {\n  fun f(x) = u8(38);\n}\n--- schedule\n"
               "  split(f.s0.x, o, i, 2);\n  wave(f.s0.o, i, n, o);\n  traverse(f.s0.n, parallel);\n",
               path, sizeof path);
  int status = plugin_halyard((const char *[]){"replay", path, "--plugin", plugin, NULL}, &said);
  ck_assert_msg(status == 0 && !strstr(hy_text_string(&said), "other bounds"), "status %d:\n%.3000s", status,
                hy_text_string(&said));
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

static const struct {
  const char *content, *says;
} files[] = {
    {"this is a text, and no shared object at all", "it is not a shared object"},
    {"", "it is not a shared object"},
    {"\177ELF and then nothing of the kind", "not a shared object"},
};

START_TEST(other_files_are_refused) {
  char path[128];
  hy_text said = {0};
  plugin_write("p.so", files[_i].content, path, sizeof path);
  ck_assert_int_eq(plugin_halyard((const char *[]){"check", BLUR, "--plugin", path, NULL}, &said), 2);
  ck_assert_msg(strstr(hy_text_string(&said), files[_i].says), "%.3000s", hy_text_string(&said));
  ck_assert_int_eq(plugin_halyard((const char *[]){"check", BLUR, "--plugin", "/nowhere.so", NULL}, &said), 2);
  ck_assert_int_eq(plugin_halyard((const char *[]){"validate", NULL}, &said), 2);
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

// Two plug-ins of one name; the JSON answer of a crash is one object.
START_TEST(two_and_json) {
  char plugin[128], bad[128], sched[128];
  hy_text said = {0};
  plugin_build("docs/examples/reverse.c", "", plugin, sizeof plugin);
  ck_assert_int_eq(plugin_halyard((const char *[]){"check", BLUR, "--plugin", plugin, "--plugin", plugin, NULL}, &said),
                   2);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&said), "'reverse' is a directive of"));
  hy_text_free(&said);
  plugin_build("proofs_tests/plugins/bad.c", "-w -DBAD=CRASHES", bad, sizeof bad);
  plugin_write("s.sched", "schedule s for box_blur { bad(bv.x, xr); }", sched, sizeof sched);
  const char *check[] = {"check", BLUR, sched, "--plugin", bad, "--format", "json", NULL};
  ck_assert_int_eq(plugin_halyard(check, &said), 1);
  ck_assert_ptr_nonnull(strstr(hy_text_string(&said), "\"HY0722\""));
  ck_assert_int_eq(hy_text_string(&said)[0], '{');
  hy_text_free(&said);
  plugin_cleanup();
}
END_TEST

Suite *plugin_use_suite(void) {
  Suite *suite = suite_create("plugin_use");
  TCase *t = tcase_create("use");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, schedules_are_judged, 0, HY_COUNT(schedules));
  tcase_add_loop_test(t, engines_agree, 0, 14);
  tcase_add_test(t, lengths_that_depend);
  tcase_add_test(t, programs_are_read_back);
  tcase_add_test(t, passes_keep_the_way_back);
  tcase_add_test(t, parallel_text_is_judged);
  tcase_add_test(t, it_is_listed_and_fuzzed);
  tcase_add_loop_test(t, faults_are_the_plugins, 0, HY_COUNT(faults));
  tcase_add_loop_test(t, records_are_read_once, 0, 6);
  tcase_add_test(t, floats_are_as_they_were);
  tcase_add_test(t, longer_loops_are_not_tried);
  tcase_add_loop_test(t, other_files_are_refused, 0, HY_COUNT(files));
  tcase_add_test(t, two_and_json);
  suite_add_tcase(suite, t);
  return suite;
}
