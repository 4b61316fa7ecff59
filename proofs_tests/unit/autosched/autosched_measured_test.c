/* Level 2 without a clock: who stays in a race, given the times; what a search makes of the answers that it gets; and
 * that nothing else decides.
 */

#include "autosched/halving.h"
#include "autosched/measured.h"
#include "autosched/moves.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/autosched/autosched_harness.h"

#include <math.h>
#include <stdlib.h>

/* -- halving -- */

typedef double time_of(int racer, int run);

static int race_with(int count, time_of *time, int *runs_of, int *runs) {
  hy_halving race = hy_halving_begin(count);
  *runs = 0;
  for (int next; (next = hy_halving_next(&race)) >= 0; ++*runs) {
    ck_assert_int_lt(race.racers[next].runs, HY_HALVING_RUNS);
    hy_halving_add(&race, time(next, race.racers[next].runs));
  }
  for (int i = 0; i < count; i++) runs_of[i] = race.racers[i].runs;
  int winner = hy_halving_winner(&race);
  hy_halving_end(&race);
  return winner;
}

static double by_number(int racer, int run) { return 10 - racer + 0.001 * run; }
static double all_alike(int racer, int run) { return (void)racer, (void)run, 1.0; }
static double hardly(int racer, int run) { return (void)run, racer ? 0.995 : 1.0; }
static double only_once(int racer, int run) { return racer == 0 ? 1.0 : run == 0 ? 0.5 : 1.5; }
static double fails(int racer, int run) { return racer == 0 ? 5.0 : run == 1 ? -1.0 : 1.0; }
static double none_runs(int racer, int run) { return (void)racer, (void)run, -1.0; }

START_TEST(halves) {
  int runs_of[8], runs;
  ck_assert_int_eq(race_with(8, by_number, runs_of, &runs), 7);
  ck_assert_int_eq(runs_of[7], 15);
  ck_assert_int_eq(runs_of[0], 15); // the incumbent runs in every round
  ck_assert_int_eq(runs_of[1], 1);
  ck_assert_int_eq(runs, 8 + 4 * 2 + 2 * 4 + 2 * 8);
}
END_TEST

START_TEST(who_stays_the_incumbent) {
  int runs_of[8], runs;
  ck_assert_int_eq(race_with(4, all_alike, runs_of, &runs), 0);
  ck_assert_int_eq(race_with(4, hardly, runs_of, &runs), 0);    // by less than a hundredth
  ck_assert_int_eq(race_with(4, only_once, runs_of, &runs), 0); // by one lucky run
  ck_assert_int_eq(race_with(3, fails, runs_of, &runs), 0);
  ck_assert_int_eq(race_with(3, none_runs, runs_of, &runs), 0);
  ck_assert_int_eq(runs, 3);
  ck_assert_int_eq(race_with(1, by_number, runs_of, &runs), 0);
}
END_TEST

/* -- a search, with a host that makes its times up -- */

static const char blur[] = "pipeline blur(in: u16[2]) {\n"
                           "  fun bh(x, y) = (in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3;\n"
                           "  fun bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;\n}\n";

typedef struct {
  char *racers[16];
  tuned graphs[64]; // each is used until the search ends
  int graph_count, questions, most, refuse;
  int most_of[HY_RACE_KINDS], asked[HY_RACE_KINDS]; // questions of time for races of a kind, if there is a most
  int runs, stop;                                   // so many runs; that one is stopped, and all behind it
  const char *endless;                              // schedules that have this do not end
  const char *unproved;                             // schedules that have this are not proved
  int proofs;                                       // that were asked for
  bool comes_late;                                  // the incumbent, to the last race
  hy_text heard;                                    // schedules that were run
} fake;

static bool is_legal(void *self, const char *schedule) {
  fake *f = self;
  return !f->refuse || strstr(schedule, "compute_at") == NULL;
}

static void start(void *self, int number, const char *schedule) {
  fake *f = self;
  free(f->racers[number]);
  f->racers[number] = hy_copy_string(schedule);
}

// As if some could not be run.
static hy_run_answer is_ready(void *self, int number, hy_race_kind kind) {
  fake *f = self;
  if (f->stop && f->runs >= f->stop) return HY_RUN_STOPPED;
  if (f->comes_late && kind == HY_RACE_LAST && number == 0) return HY_RUN_TOO_LONG;
  if (f->endless && strstr(f->racers[number], f->endless)) return HY_RUN_TOO_LONG;
  return strstr(f->racers[number], "compute_inline") == NULL ? HY_RUN_FINE : HY_RUN_FAILED;
}

// Shorter texts are faster, but for vectors of 32, which are twice as fast.
static double run(void *self, int number, hy_race_kind kind) {
  fake *f = self;
  (void)kind;
  if (f->stop && ++f->runs >= f->stop) return HY_RUN_STOPPED;
  hy_text_add(&f->heard, f->racers[number]);
  return (double)strlen(f->racers[number]) * (strstr(f->racers[number], ", 32)") ? 0.5 : 1.0);
}

static void release(void *self) { (void)self; }
static bool is_proved(void *self, const char *schedule) {
  fake *f = self;
  f->proofs++;
  return !f->unproved || strstr(schedule, f->unproved) == NULL;
}
static bool goes_on(void *self, hy_race_kind kind) {
  fake *f = self;
  if (f->stop && f->runs >= f->stop) return false;
  if (f->most_of[kind]) return f->asked[kind]++ < f->most_of[kind];
  return kind != HY_RACE_NEXT || f->questions++ < f->most;
}

static tuned open_blur(void) {
  tuned t = tuned_open(blur);
  estimate(&t, "bv", 0, 0, 640);
  estimate(&t, "bv", 1, 0, 480);
  find_boxes(&t);
  return t;
}

static hy_func_graph *renew(void *self) {
  fake *f = self;
  ck_assert_int_lt(f->graph_count, 64);
  f->graphs[f->graph_count] = open_blur();
  return f->graphs[f->graph_count++].graph;
}

static void tell(void *self, const hy_entry *best, int generation, int measured) {
  (void)self, (void)generation, (void)measured;
  ck_assert(isfinite(best->seconds));
}

static const hy_machine machine = {4, 32, 32 << 10, 1 << 20, 16 << 20};

typedef struct {
  fake host;
  hy_measured measured;
  tuned t;
} searched;

typedef double run_of(void *self, int number, hy_race_kind kind);

static searched search_timed(fake answers, run_of *time, uint64_t seed, const bool *kept, const char *given) {
  searched s = {.host = answers, .t = open_blur()};
  hy_host host = {&s.host, is_legal, start, is_ready, time, release, is_proved, goes_on, renew, tell};
  hy_measured_options options = {seed, machine, kept, given};
  hy_tune_parameters p = hy_tune_default();
  hy_proposal proposal;
  hy_text text = {0};
  hy_spelling spelling = {"tuned", kept, given};
  ck_assert(hy_tune_level0(s.t.graph, &p, &proposal));
  hy_spell(proposal.graph, proposal.choices, &spelling, &text);
  hy_measured_seed(&s.measured, hy_text_string(&text), "level 0", proposal.choices);
  hy_measured_seed(&s.measured, hy_text_string(&text), "level 0 again", proposal.choices);
  hy_measured_search(&s.measured, &options, &host);
  hy_text_free(&text);
  return s;
}

static searched search_with(fake answers, uint64_t seed, const bool *kept, const char *given) {
  return search_timed(answers, run, seed, kept, given);
}

static searched search_blur(uint64_t seed, int questions, bool refuse, const bool *kept, const char *given) {
  return search_with((fake){.most = questions, .refuse = refuse}, seed, kept, given);
}

static void close_search(searched *s) {
  hy_measured_free(&s->measured);
  for (int i = 0; i < 16; i++) free(s->host.racers[i]);
  for (int i = 0; i < s->host.graph_count; i++) tuned_close(&s->host.graphs[i]);
  hy_text_free(&s->host.heard);
  tuned_close(&s->t);
}

START_TEST(the_best_is_found_and_kept) {
  searched s = search_blur(7, 900, false, NULL, NULL);
  ck_assert_int_gt((int)s.measured.count, 40);
  ck_assert_int_gt(s.measured.generations, 4);
  const hy_entry *best = &s.measured.entries[s.measured.best];
  for (size_t i = 0; i < s.measured.count; i++) {
    ck_assert(best->seconds <= s.measured.entries[i].seconds * 1.01);
    for (size_t k = 0; k < i; k++) ck_assert_str_ne(s.measured.entries[i].schedule, s.measured.entries[k].schedule);
    if (strstr(s.measured.entries[i].schedule, "compute_inline")) ck_assert(isinf(s.measured.entries[i].seconds));
  }
  ck_assert_ptr_nonnull(strstr(best->schedule, ", 32)"));
  ck_assert_str_eq(s.measured.entries[0].origin, "level 0"); // a text that is there already is not added
  int order[2000], count = hy_measured_ranking(&s.measured, order);
  for (int i = 1; i < count; i++)
    ck_assert(s.measured.entries[order[i - 1]].seconds <= s.measured.entries[order[i]].seconds);
  close_search(&s);
}
END_TEST

// What is fastest is not proved: it does not win, nothing is made of it, and the fastest of the others does.
START_TEST(who_wins_is_proved) {
  searched s = search_with((fake){.most = 900, .unproved = ", 32)"}, 7, NULL, NULL);
  const hy_entry *best = &s.measured.entries[s.measured.best];
  int order[2000], count = hy_measured_ranking(&s.measured, order);
  ck_assert(best->is_proved && !strstr(best->schedule, ", 32)"));
  ck_assert_int_gt(s.measured.unproved, 0);
  ck_assert_int_lt(s.host.proofs, (int)s.measured.count); // only of who wins, and of who is varied
  for (int i = 0; i < count; i++) {
    const hy_entry *e = &s.measured.entries[order[i]];
    ck_assert(!e->was_asked || e->is_proved);
    if (e->is_proved) ck_assert(best->seconds <= e->seconds * 1.01);
  }
  for (size_t i = 0; i < s.measured.count; i++) {
    const char *from = strstr(s.measured.entries[i].origin, "from ");
    const hy_entry *parent = from ? &s.measured.entries[atoi(from + 5)] : NULL;
    if (parent && i > 40) ck_assert(parent->is_proved);
  }
  close_search(&s);
}
END_TEST

START_TEST(the_same_answers_give_the_same) {
  searched a = search_blur(7, 400, false, NULL, NULL), b = search_blur(7, 400, false, NULL, NULL),
           c = search_blur(8, 400, false, NULL, NULL);
  ck_assert_str_eq(hy_text_string(&a.host.heard), hy_text_string(&b.host.heard));
  ck_assert_str_ne(hy_text_string(&a.host.heard), hy_text_string(&c.host.heard));
  close_search(&a);
  close_search(&b);
  close_search(&c);
}
END_TEST

static bool is_seed(const fake *f, int number) {
  return strstr(f->racers[number], "bv.vectorize(x, 16).parallel(y);\n  bh.vectorize(x, 16).parallel(y)") != NULL;
}

// One run of level 0 was lucky, and it lost a race later: it comes back in the last one, which is run to its end.
static int lucky_runs;
static double lucky_once(void *self, int number, hy_race_kind kind) {
  fake *f = self;
  (void)kind;
  if (!is_seed(f, number)) return 1.0 + (double)strlen(f->racers[number]) * 1e-3;
  return lucky_runs++ < 2 ? 0.1 : lucky_runs < 40 ? 3.0 : 0.2;
}

START_TEST(the_last_race_is_between_the_fastest) {
  lucky_runs = 0;
  searched s = search_timed((fake){.most = 60}, lucky_once, 7, NULL, NULL);
  int order[200];
  ck_assert_int_gt(hy_measured_ranking(&s.measured, order), 4);
  ck_assert_int_eq(order[0], 0);
  ck_assert_int_gt(lucky_runs, 15); // it ran in the last race
  close_search(&s);
}
END_TEST

START_TEST(no_time_at_all) {
  searched s = search_blur(7, 0, false, NULL, NULL);
  ck_assert_int_eq(s.measured.best, 0); // seeds run once all the same
  ck_assert_int_eq(s.measured.generations, 0);
  ck_assert_int_eq(s.host.graph_count, 0);
  close_search(&s);
}
END_TEST

// What does not end is said to have taken too long; the others are raced all the same.
START_TEST(what_takes_too_long) {
  searched s = search_with((fake){.most = 300, .endless = ", 32)"}, 7, NULL, NULL);
  int too_long = 0;
  for (size_t i = 0; i < s.measured.count; i++) {
    const hy_entry *e = &s.measured.entries[i];
    bool endless = strstr(e->schedule, ", 32)") != NULL;
    ck_assert_int_eq(e->took_too_long, endless);
    if (endless) ck_assert(isinf(e->seconds));
    too_long += endless;
  }
  ck_assert_int_gt(too_long, 3);
  ck_assert_int_gt(s.measured.best, 0); // level 0 loses to a shorter one
  ck_assert_ptr_null(strstr(hy_text_string(&s.host.heard), ", 32)"));
  close_search(&s);
}
END_TEST

// Nothing ends, and then the time for that is up, too.
START_TEST(nothing_ends) {
  searched s = search_with((fake){.most = 0, .endless = "schedule", .most_of = {6}}, 7, NULL, NULL);
  ck_assert_int_eq(s.measured.best, -1);
  ck_assert_int_eq(s.measured.generations, 0);
  ck_assert(s.measured.entries[0].took_too_long);
  close_search(&s);
}
END_TEST

// Twenty others have once been faster than the only seed, and none of them is in the last race: the seed's place in it is
// its own, and it wins.
static double lucky_before_the_last(void *self, int number, hy_race_kind kind) {
  fake *f = self;
  return is_seed(f, number) ? 1.0 : (kind == HY_RACE_LAST ? 2.0 : 0.5) + (double)strlen(f->racers[number]) * 1e-4;
}

START_TEST(the_fastest_seed_is_in_the_last_race) {
  searched s = search_timed((fake){.most = 200}, lucky_before_the_last, 7, NULL, NULL);
  int order[400];
  ck_assert_int_gt(hy_measured_ranking(&s.measured, order), 20);
  ck_assert_int_ne(order[0], 0);
  ck_assert_int_ne(order[8], 0);
  ck_assert_int_eq(s.measured.best, 0);
  close_search(&s);
}
END_TEST

// Ctrl-C, within the first race, within one of a generation, and within the last: the best so far stays, and of what
// was stopped nothing is said.
static const int stops[] = {1, 2, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50};
START_TEST(stopped) {
  searched all = search_with((fake){.most = 60}, 7, NULL, NULL),
           s = search_with((fake){.most = 60, .stop = stops[_i]}, 7, NULL, NULL);
  ck_assert_int_lt(s.host.runs, stops[_i] + 1);
  ck_assert(strncmp(hy_text_string(&all.host.heard), hy_text_string(&s.host.heard), s.host.heard.length) == 0);
  if (stops[_i] == 1)
    ck_assert_int_eq(s.measured.best, -1);
  else
    ck_assert_int_ge(s.measured.best, 0);
  if (stops[_i] == 2) ck_assert_int_eq(s.measured.best, 0);
  for (size_t i = 0; i < s.measured.count; i++) ck_assert(!s.measured.entries[i].took_too_long);
  if (s.measured.best >= 0) ck_assert(isfinite(s.measured.entries[s.measured.best].seconds));
  close_search(&all);
  close_search(&s);
}
END_TEST

// An incumbent that is not there has not lost.
START_TEST(the_incumbent_comes_too_late_to_the_last_race) {
  searched none = search_with((fake){.most = 60, .most_of = {0, 0, 1}}, 7, NULL, NULL),
           late = search_with((fake){.most = 60, .comes_late = true}, 7, NULL, NULL);
  ck_assert_uint_gt(late.host.heard.length, none.host.heard.length);
  ck_assert_int_eq(late.measured.best, none.measured.best);
  ck_assert(!late.measured.entries[late.measured.best].took_too_long);
  close_search(&none);
  close_search(&late);
}
END_TEST

// Of the last race there is time for a part, or for nothing.
START_TEST(the_last_race_has_a_time_of_its_own) {
  searched none = search_with((fake){.most = 60, .most_of = {0, 0, 1}}, 7, NULL, NULL),
           some = search_with((fake){.most = 60, .most_of = {0, 0, 5}}, 7, NULL, NULL);
  ck_assert_int_eq(none.host.asked[HY_RACE_LAST], 2);
  ck_assert_int_eq(some.host.asked[HY_RACE_LAST], 6);
  ck_assert_uint_gt(some.host.heard.length, none.host.heard.length);
  ck_assert_int_ge(none.measured.best, 0);
  ck_assert_int_ge(some.measured.best, 0);
  close_search(&none);
  close_search(&some);
}
END_TEST

START_TEST(what_is_refused_is_counted_and_not_run) {
  searched s = search_blur(7, 1500, true, NULL, NULL);
  ck_assert_int_gt(s.measured.refused, 0);
  ck_assert_ptr_null(strstr(hy_text_string(&s.host.heard), "compute_at"));
  close_search(&s);
}
END_TEST

// Of bh nothing is chosen; what was written of it stands in every schedule.
START_TEST(what_is_kept_stays) {
  bool kept[3] = {false, true, false};
  searched s = search_blur(7, 300, false, kept, "  bh.vectorize(x, 4);\n");
  ck_assert_int_gt((int)s.measured.count, 10);
  for (size_t i = 0; i < s.measured.count; i++) {
    const char *at = strstr(s.measured.entries[i].schedule, "bh");
    ck_assert_ptr_nonnull(at);
    ck_assert(strncmp(at, "bh.vectorize(x, 4);", 19) == 0);
    ck_assert_ptr_null(strstr(at + 1, "bh"));
  }
  close_search(&s);
}
END_TEST

/* -- moves and the model -- */

START_TEST(moves_stay_within_the_graph) {
  tuned t = open_blur();
  hy_dice dice = {3};
  hy_choices_list *c = hy_choices_plain(t.graph);
  for (int i = 0; i < 2000; i++) {
    hy_move(t.graph, &dice, NULL, c);
    for (int n = t.graph->first; n < t.graph->count; n++) {
      const hy_func_choice *f = &c->funcs[n];
      ck_assert(f->place != HY_PLACE_AT || (f->consumer > n && f->consumer < t.graph->count));
      ck_assert(!t.graph->nodes[n].is_output || f->place == HY_PLACE_ROOT);
      ck_assert(!f->slides || f->place == HY_PLACE_AT);
      for (int d = 0; d < 2; d++) ck_assert_int_lt(f->stages[0].tile[d], t.graph->nodes[n].box.len[d]);
    }
  }
  tuned_close(&t);
}
END_TEST

// What slides is stored in as many cells as one iteration asks for at least, so that most of what is drawn can be right.
START_TEST(moves_fold_by_enough) {
  tuned t = open_blur();
  hy_dice dice = {5};
  hy_choices_list *c = hy_choices_plain(t.graph);
  int bh = node_of(&t, "bh"), bv = node_of(&t, "bv"), tiles = 0, vectors = 0, points = 0;
  const hy_func_choice *f = &c->funcs[bh];
  const hy_stage_choice *reader = c->funcs[bv].stages;
  for (int i = 0; i < 20000; i++) {
    bool slid = f->slides;
    hy_move(t.graph, &dice, NULL, c);
    if (slid || !f->slides) continue;
    bool in_lanes = !f->site.is_outer && reader->vector == f->site.dim;
    int64_t asked = f->site.is_outer ? reader->tile[f->site.dim] : in_lanes ? reader->lanes : 1;
    ck_assert_int_ge(f->fold, asked);
    ck_assert_int_ge(f->fold, 2);
    tiles += asked > 16 && f->site.is_outer, vectors += in_lanes, points += asked == 1;
  }
  ck_assert(tiles > 0 && vectors > 0 && points > 0);
  tuned_close(&t);
}
END_TEST

// Several vectors are summed up beside each other only where there are sums: lanes that are drawn anew draw them, too.
START_TEST(moves_draw_vectors_beside_each_other) {
  tuned t = tuned_open("pipeline p(in: f32[2]) {\n"
                       "  fun o(x, y) = { 0; rdom(k = (0, 9)) in (x, y) <- o(x, y) + in(x, y + k); };\n}\n");
  for (int d = 0; d < 2; d++) estimate(&t, "o", d, 0, 640);
  find_boxes(&t);
  hy_dice dice = {3};
  hy_choices_list *c = hy_choices_plain(t.graph);
  const hy_stage_choice *stages = c->funcs[node_of(&t, "o")].stages;
  bool had[5] = {false};
  for (int i = 0; i < 500; i++) {
    hy_move(t.graph, &dice, NULL, c);
    ck_assert_int_eq(stages[0].vectors, 0);
    ck_assert(stages[1].vectors >= 0 && stages[1].vectors <= 4);
    had[stages[1].vectors] = true;
  }
  ck_assert(had[1] && had[2] && had[3] && had[4]);
  tuned_close(&t);
}
END_TEST

// What nobody doubts: vectors and tasks pay; computing everything anew for each point does not.
START_TEST(the_model_ranks_what_is_plain) {
  tuned t = open_blur();
  hy_choices_list *plain = hy_choices_plain(t.graph), *vectors = hy_choices_plain(t.graph),
                  *tasks = hy_choices_plain(t.graph), *anew = hy_choices_plain(t.graph);
  int bh = node_of(&t, "bh"), bv = node_of(&t, "bv");
  vectors->funcs[bv].stages[0].vector = 0;
  vectors->funcs[bv].stages[0].lanes = 16;
  tasks->funcs[bv].stages[0].parallel = 1;
  anew->funcs[bh].place = HY_PLACE_AT;
  anew->funcs[bh].consumer = bv;
  anew->funcs[bh].site = (hy_loop_name){0, false};
  double each = hy_model_cost(t.graph, plain, &machine);
  ck_assert(hy_model_cost(t.graph, vectors, &machine) < each);
  ck_assert(hy_model_cost(t.graph, tasks, &machine) < each);
  ck_assert(hy_model_cost(t.graph, anew, &machine) > each);
  ck_assert(hy_model_cost(t.graph, plain, &machine) == each);
  tuned_close(&t);
}
END_TEST

Suite *autosched_measured_suite(void) {
  Suite *suite = suite_create("autosched_measured");
  TCase *tests = tcase_create("measured");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, halves);
  tcase_add_test(tests, who_stays_the_incumbent);
  tcase_add_test(tests, the_best_is_found_and_kept);
  tcase_add_test(tests, who_wins_is_proved);
  tcase_add_test(tests, the_same_answers_give_the_same);
  tcase_add_test(tests, the_last_race_is_between_the_fastest);
  tcase_add_test(tests, the_fastest_seed_is_in_the_last_race);
  tcase_add_test(tests, no_time_at_all);
  tcase_add_test(tests, what_takes_too_long);
  tcase_add_test(tests, nothing_ends);
  tcase_add_loop_test(tests, stopped, 0, HY_COUNT(stops));
  tcase_add_test(tests, the_incumbent_comes_too_late_to_the_last_race);
  tcase_add_test(tests, the_last_race_has_a_time_of_its_own);
  tcase_add_test(tests, what_is_refused_is_counted_and_not_run);
  tcase_add_test(tests, what_is_kept_stays);
  tcase_add_test(tests, moves_stay_within_the_graph);
  tcase_add_test(tests, moves_fold_by_enough);
  tcase_add_test(tests, moves_draw_vectors_beside_each_other);
  tcase_add_test(tests, the_model_ranks_what_is_plain);
  suite_add_tcase(suite, tests);
  return suite;
}
