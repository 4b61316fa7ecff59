/* Schedules that are refused, with what is said: the arguments of every form, the help that lists what there is, and
 * legality that depends on what a loop's bounds, purity or traversal are. Beside them what just fits.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include "sched/sched.h"

#include <string.h>

// A producer, and a consumer with an update over two reduction loops.
#define TWO                                                                                                            \
  "pipeline p(n: int, in: u8[1]) { fun g(x, y) = x + y;"                                                               \
  " fun h(x, y) = { g(x - 1, y) + g(x, y); rdom(r = (0, n), q = (0, 3)) in (x, y) <- h(x, y) + g(x + r, y - q); }; }"
// One whose updates have a loop each, of another name each; and a func that nobody reads.
#define MARKS                                                                                                          \
  "pipeline marks(n: int) { fun unread(x) = x; fun o(x) = { 0; rdom(r = (0, 5)) in (r) <- o(r) + r;"                   \
  " (x) <- o(x) + 1; }; }"
#define POINT "pipeline point(n: int) { fun d() = { n; () <- d() + 1; }; fun o(x) = d() + x; }"
// A triangle: the length of the inner loop depends on the outer one once a is computed there.
#define READS                                                                                                          \
  "pipeline r(n: int) { fun a(x) = x; fun b(x) = a(x) + a(x + 1); fun o(x, y) = { b(x) + b(y);"                        \
  " rdom(r = (0, 4)) in (x, y) <- o(x, y) + a(r); }; }"
#define MANY                                                                                                           \
  "pipeline many() { fun f1(x) = x; fun f2(x) = f1(x); fun f3(x) = f2(x); fun f4(x) = f3(x); fun f5(x) = f4(x);"       \
  " fun f6(x) = f5(x); fun f7(x) = f6(x); fun f8(x) = f7(x); fun f9(x) = f8(x); fun g1(x) = f9(x); fun g2(x) = g1(x);" \
  " fun g3(x) = g2(x); fun g4(x) = g3(x); fun g5(x) = g4(x); }"

static const struct {
  const char *alg, *items;
  const char *says; // NULL: it is applied
} rows[] = {
    // words and names
    {TWO, "h.tiles(x);", "did you mean 'tile'?"},
    {TWO, "zzzzzzzz(h.x);", "'halyard directives' lists what there is"},
    {TWO, "h.zzzzzzzz(x);", "'halyard directives' lists what there is"},
    {TWO, "h.traverse(x, parallel);", "it stands alone"},
    {TWO, "parallel(h.x);", "it follows a func in a chain"},
    {TWO, "in.parallel(x);", "'in' is an input image and has no loops"},
    {MARKS, "unread.parallel(x);", "'unread' is not reached by the output 'o'"},
    {MANY, "zzzzzz.parallel(x);", "the funcs are f1, f2"},
    {MARKS, "unred.parallel(x);", "the funcs are o"},
    {TWO, "split(h.x, root, xi, 4);", "the word 'root'"},
    {TWO, "split(h.x, n, xi, 4);", "a parameter"},
    {TWO, "split(h.x, in, xi, 4);", "an input image"},
    {TWO, "split(h.x, g, xi, 4);", "a func"},
    {TWO, "split(h.x, s1, xi, 4);", "the names of stages and specializations"},
    {TWO, "split(h.x, z0, xi, 4);", "the names of stages and specializations"},
    {TWO, "split(h.x, y, xi, 4);", "a live loop or variable of the same stage"},
    {MARKS, "split(o.s1.r, x, ri, 2);", "a variable of the func"},
    {TWO, "split(h.x, s, z, 4);", NULL}, // letters alone are names like others
    {TWO, "split(h.x, s1x, z_2, 4);", NULL},
    // loops
    {TWO, "swap(h);", "this does not name a loop"},
    {TWO, "swap(h.s1.q.y);", "this does not name a loop"},
    {TWO, "swap(h.t1.y);", "this does not name a loop"},
    {TWO, "swap(h.s.y);", "this does not name a loop"},
    {TWO, "swap(h.s1x.y);", "this does not name a loop"},
    {TWO, "swap(h.s1234567.y);", "this does not name a loop"},
    {TWO, "swap(h.s7.y);", "that stage has no loops, or there is no such stage"}, // SCH.Loop
    {TWO, "swap(h.z1.s0.y);", "the func is not specialized"},
    {TWO, "specialize(h, n == 1); swap(h.z2.s0.y);", "its specializations are z0 and z1"},
    {TWO, "specialize(h, n == 1, n == 2); swap(h.z5.s0.y);", "its specializations are z0 to z2"},
    {TWO, "swap(3);", "this does not name a loop"},
    // how many arguments
    {TWO, "swap();", "'swap' takes 1 argument, not 0"},
    {TWO, "fuse(h.y, x);", "'fuse' takes 3 arguments, not 2"},
    {TWO, "split(h.x, xo);", "'split' takes 4 or 5 arguments, not 2"},
    {TWO, "split(h.x, xo, xi, 4, 5);", "this is no tail strategy"},
    {TWO, "split(h.x, xo, xi, 4, round, 6);", "'split' takes 4 or 5 arguments, not 6"},
    {TWO, "h.tile(x);", "'tile' takes 6 to 9 arguments, not 1"},
    {TWO, "h.tile(x, y, xi, yi, 4, 4, rounded);", "this is no tail strategy"},
    {TWO, "h.tile(x, y, xo, yo, xi, yi, 4, 4);", NULL},
    {TWO, "h.tile(x, y, xo, yo, xi, 5, 4, 4);", "'tile' takes a name here"},
    {TWO, "h.split(x, xo, xi, 4, rounded);", "this is no tail strategy"},
    {TWO, "h.split(x, xo, xi);", "'split' takes 4 or 5 arguments, not 3"},
    {TWO, "h.split(x, xo, xi, h);", "HY0424"},
    {TWO, "h.fuse(x, y);", "'fuse' takes 3 arguments, not 2"},
    {TWO, "h.parallel();", "'parallel' takes 1 to 3 arguments, not 0"},
    {TWO, "h.parallel(h.x);", "a plain name here, without a func before it"},
    {TWO, "h.parallel(x, 4, rounded);", "this is no tail strategy"},
    {TWO, "h.serial();", "'serial' takes 1 argument, not 0"},
    {TWO, "h.serial(z);", "there is no loop 'h.s0.z'"},
    {TWO, "h.serial(x);", NULL},
    {TWO, "traverse(h.x);", "'traverse' takes 2 arguments, not 1"},
    {TWO, "traverse(h, serial);", "this does not name a loop"},
    {TWO, "traverse(h.x, serial);", NULL},
    {TWO, "fuse(h, x, t);", "this does not name a loop"},
    {TWO, "h.reorder(x);", "'reorder' takes 2 to 64 arguments, not 1"},
    {TWO, "h.reorder(x, z);", "there is no loop 'h.s0.z'"},
    {TWO, "h.reorder(x, x);", "'x' is named twice"},
    {TWO, "h.update(0, 1);", "'update' takes 0 or 1 arguments, not 2"},
    {TWO, "h.update(n);", "its only update is update(0)"},
    {TWO, "h.update(-1);", "its only update is update(0)"},
    {TWO, "h.update(1);", "its only update is update(0)"},
    {TWO, "h.update(in);", "HY0"},
    {TWO, "h.update().swap(y);", "it stands alone"},
    {TWO, "g.update();", "it has no updates"},
    {TWO, "h.update().unroll(q);", NULL},
    // specializations
    {TWO, "specialize(h);", "write specialize(func, condition, ...)"},
    {TWO, "specialize(h.x, n == 1);", "write specialize(func, condition, ...)"},
    {TWO, "specialize(k, n == 1);", "there is no func 'k'"},
    {TWO, "k.specialize(n == 1);", "there is no func 'k'"},
    {TWO, "h.specialize();", "write specialize(condition)"},
    {TWO, "specialize(h, n == 1); h.specialize(n == 1).parallel(x);", NULL},
    {TWO, "specialize(h, n == 1); h.specialize(n == 2);", "'h' is specialized twice"},
    {TWO, "specialize(h, n == 1, k == 2, n == 3);", "HY04"},
    {TWO,
     "specialize(h, n==1, n==2, n==3, n==4, n==5, n==6, n==7, n==8, n==9, n==10, n==11, n==12, n==13, n==14, n==15, "
     "n==16, n==17, n==18, n==19, n==20, n==21, n==22, n==23, n==24, n==25, n==26, n==27, n==28, n==29, n==30, n==31, "
     "n==32, n==33, n==34, n==35, n==36, n==37, n==38, n==39, n==40, n==41, n==42, n==43, n==44, n==45, n==46, n==47, "
     "n==48, n==49, n==50, n==51, n==52, n==53, n==54, n==55, n==56, n==57, n==58, n==59, n==60, n==61, n==62, n==63, "
     "n==64, n==65);",
     "specializations"},
    // moves
    {TWO, "g.compute_root(3);", "'compute_root' takes no arguments, not 1"},
    {TWO, "g.compute_at(h);", "'compute_at' takes 2 arguments, not 1"},
    {TWO, "g.compute_at(k, x);", "there is no func 'k'"},
    {TWO, "g.compute_at(h, z);", "there is no loop 'h.s0.z'"},
    {TWO, "compute_at(g);", "'compute_at' takes 2 arguments, not 1"},
    {TWO, "compute_at(g.x, h.y);", "a plain name here"},
    {TWO, "compute_at(k, h.y);", "there is no func 'k'"},
    {TWO, "compute_at(g, h);", "this does not name a loop"},
    {TWO, "compute_at(g, 4);", "this does not name a loop"},
    {TWO, "compute_at(g, h.s1.zz);", "there is no loop 'h.s1.zz'"},
    {TWO, "store_at(g, h.s1.zz);", "there is no loop 'h.s1.zz'"},
    {TWO, "compute_at(g, h.y); compute_at(g, h.x);", "'g' is moved twice"},
    {TWO, "compute_at(h, root);", NULL},
    {TWO, "compute_at(h, g.y);", "'h' is the output"},
    {TWO, "store_at(h, h.y);", "'h' is the output"},
    {TWO, "g.compute_at(h, y);", "several stages of 'h' have a loop 'y'"},
    {READS, "a.compute_at(o, y);", "would leave out a reader"}, // one stage alone reads it
    // bounds
    {TWO, "bound();", "write bound(func, x, min, length)"},
    {TWO, "bound(h.x, 0, 4);", "write bound(func, x, min, length)"},
    {TWO, "bound(h, z, 0, 4);", "its dimensions are x, y"},
    {TWO, "h.bound(z, 0, 4);", "its dimensions are x, y"},
    {POINT, "bound(d, x, 0, 4);", "it has none"},
    {TWO, "align_bounds(g, x, 8, n);", "constant"},
    {TWO, "align_bounds(g, x, n, 0);", "constant"},
    {TWO, "align_bounds(g, x, 4294967296, 0);", "align_bounds"},
    {TWO, "align_bounds(g, x, 8, 3); align_bounds(g, x, 6, 0);", "align_bounds"},
    {TWO, "align_bounds(g, x, 2147483647, 0); align_bounds(g, x, 2147483646, 0);", "align_bounds"},
    {TWO, "bound(g, x, 0, 64); bound(g, x, 0, 64);", NULL},
    {TWO, "bound(g, x, n, 64); bound(g, x, n + 1, 64);", "no bounds satisfy both"},
    {TWO, "bound(g, x, n - 100, 640); align_bounds(g, x, 8, 0);", NULL}, // n - 100 may be a multiple of 8 (D90)
    {TWO, "bound(g, x, 2 * n - 99, 640); align_bounds(g, x, 8, 0);", "no bounds satisfy both"},
    {TWO, "bound(g, x, 3, 64); align_bounds(g, x, 8, 0);", "no bounds satisfy both"},
    {TWO, "bound(g, x, -13, 64); align_bounds(g, x, 8, 3);", NULL},
    {TWO, "bound(g, x, 8 * n - 5, 64); align_bounds(g, x, 8, 3);", NULL},
    // swap and fuse
    {TWO, "split(h.s1.r, r, ri, 2); swap(h.s1.r);", "HY04"},
    {TWO, "fuse(h.s1.x, q, t);", "pure"},
    {TWO, "fuse(h.s1.x, r, t);", "HY04"},
    {TWO, "swap(h.s1.x); fuse(h.s1.q, x, t);", "reduction"},
    {TWO, "traverse(h.x, parallel); fuse(h.y, x, t);", "'h.s0.x' is not serial any more"},
    {TWO, "traverse(h.y, parallel); fuse(h.y, x, t);", "'h.s0.y' is not serial any more"},
    {TWO, "traverse(h.y, parallel); fuse(h.s0.x, y, t);", "HY04"},
    {TWO, "traverse(h.s1.x, unrolled); fuse(h.s1.y, q, t);", "HY04"},
    {TWO, "split(h.x, xo, xi, n); split(h.xo, a, b, 2); fuse(h.y, a, t);", NULL},
    // loops whose bounds depend on others
    {READS, "split(o.x, xo, xi, 8); compute_at(b, o.xo); store_at(b, o.xo); split(b.x, bo, bi, 3); fuse(b.bo, bi, t);",
     NULL},
};

START_TEST(schedules_are_refused) {
  test_program p;
  test_program_open(&p, rows[_i].alg, rows[_i].items);
  bool good = p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics);
  const char *said = test_program_said(&p);
  ck_assert_msg(good == !rows[_i].says && (good || strstr(said, rows[_i].says)), "%s\n%s", rows[_i].items,
                *said ? said : "it is applied");
  test_program_close(&p);
}
END_TEST

// Other pipelines' schedules, and a form that another version has.
START_TEST(whole_schedules_are_refused) {
  static const struct {
    const char *text, *says;
  } whole[] = {
      {"schedule s for q { }", "is for 'q', the pipeline is 'p'"},
      {"schedule s for p { default inline; compute_inline(nothing); }", "there is no func 'nothing'"},
      {"schedule s for p { default inline; x.vectorize(x); }", "there is no func 'x'"},
  };
  for (size_t i = 0; i < HY_COUNT(whole); i++) {
    test_program p;
    test_program_open(&p, TWO, "");
    hy_source source = {"t.sched", whole[i].text, strlen(whole[i].text)};
    const hy_schedule *schedule = NULL;
    int count = 0;
    ck_assert(hy_parse_schedules(p.context, &source, p.diagnostics, &schedule, &count) && count == 1);
    hy_pipeline_init(&p.pipeline, p.context, p.pipeline.alg, schedule, NULL);
    ck_assert(!hy_pipeline_schedule(&p.pipeline, p.diagnostics));
    ck_assert_msg(strstr(test_program_said(&p), whole[i].says), "%s", test_program_said(&p));
    test_program_close(&p);
  }
}
END_TEST

// Core directives by themselves: each that names a loop says so where there is none.
START_TEST(directives_need_their_loops) {
  static const hy_directive_type *const types[] = {&hy_directive_split,      &hy_directive_fuse,
                                                   &hy_directive_swap,       &hy_directive_traverse,
                                                   &hy_directive_compute_at, &hy_directive_store_at};
  test_program p;
  test_program_open(&p, TWO, "");
  ck_assert(p.parsed && hy_pipeline_schedule(&p.pipeline, p.diagnostics));
  const hy_func *g = hy_alg_find(p.pipeline.alg, "g"), *h = hy_alg_find(p.pipeline.alg, "h");
  for (size_t i = 0; i < HY_COUNT(types); i++) {
    hy_directive d = {.type = types[i], .func = g, .loop = hy_var_loop(p.context, h, 0, 1, "nowhere")};
    d.names[0] = d.names[1] = "t";
    d.args[0] = hy_expr_int(p.context, 4);
    size_t before = hy_diagnostics_errors(p.diagnostics);
    ck_assert(!hy_sched_apply(p.context, p.pipeline.steps[0], &d, p.diagnostics));
    ck_assert_uint_eq(hy_diagnostics_errors(p.diagnostics), before + 1);
  }
  test_program_close(&p);
}
END_TEST

Suite *sched_refusals_suite(void) {
  Suite *suite = suite_create("sched_refusals");
  TCase *t = tcase_create("refusals");
  tcase_add_loop_test(t, schedules_are_refused, 0, HY_COUNT(rows));
  tcase_add_test(t, whole_schedules_are_refused);
  tcase_add_test(t, directives_need_their_loops);
  suite_add_tcase(suite, t);
  return suite;
}
