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
  hy_text heard; // schedules that were run
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

static bool is_ready(void *self, int number) { // as if some could not be run
  return strstr(((fake *)self)->racers[number], "compute_inline") == NULL;
}

// Shorter texts are faster, but for vectors of 32, which are twice as fast.
static double run(void *self, int number) {
  fake *f = self;
  hy_text_add(&f->heard, f->racers[number]);
  return (double)strlen(f->racers[number]) * (strstr(f->racers[number], ", 32)") ? 0.5 : 1.0);
}

static void release(void *self) { (void)self; }
static bool goes_on(void *self) {
  fake *f = self;
  return f->questions++ < f->most;
}

static tuned open_blur(void) {
  tuned t = tuned_open(blur);
  estimate(&t, "bv", 0, 0, 640);
  estimate(&t, "bv", 1, 0, 480);
  find_boxes(&t);
  return t;
}

static hy_graph *renew(void *self) {
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

static searched search_blur(uint64_t seed, int questions, bool refuse, const bool *kept, const char *given) {
  searched s = {.host = {.most = questions, .refuse = refuse}, .t = open_blur()};
  hy_host host = {&s.host, is_legal, start, is_ready, run, release, goes_on, renew, tell};
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

// One run of level 0 was lucky, and it lost a race later: it comes back in the last one, which is run to its end.
static int lucky_runs;
static double lucky_once(void *self, int number) {
  fake *f = self;
  bool is_seed =
      strstr(f->racers[number], "bv.vectorize(x, 16).parallel(y);\n  bh.vectorize(x, 16).parallel(y)") != NULL;
  if (!is_seed) return 1.0 + (double)strlen(f->racers[number]) * 1e-3;
  return lucky_runs++ < 2 ? 0.1 : lucky_runs < 40 ? 3.0 : 0.2;
}

START_TEST(the_last_race_is_between_the_fastest) {
  searched s = {.host = {.most = 60}, .t = open_blur()};
  hy_host host = {&s.host, is_legal, start, is_ready, lucky_once, release, goes_on, renew, tell};
  hy_measured_options options = {7, machine, NULL, NULL};
  hy_tune_parameters p = hy_tune_default();
  hy_proposal proposal;
  hy_spelling spelling = {.name = "tuned"};
  hy_text text = {0};
  lucky_runs = 0;
  ck_assert(hy_tune_level0(s.t.graph, &p, &proposal));
  hy_spell(proposal.graph, proposal.choices, &spelling, &text);
  hy_measured_seed(&s.measured, hy_text_string(&text), "level 0", proposal.choices);
  hy_text_free(&text);
  hy_measured_search(&s.measured, &options, &host);
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
  tcase_add_test(tests, the_same_answers_give_the_same);
  tcase_add_test(tests, the_last_race_is_between_the_fastest);
  tcase_add_test(tests, no_time_at_all);
  tcase_add_test(tests, what_is_refused_is_counted_and_not_run);
  tcase_add_test(tests, what_is_kept_stays);
  tcase_add_test(tests, moves_stay_within_the_graph);
  tcase_add_test(tests, the_model_ranks_what_is_plain);
  suite_add_tcase(suite, tests);
  return suite;
}
