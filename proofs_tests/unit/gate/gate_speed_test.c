// Laps of two contestants, made up: what is said of them (level 4). No clock has a part in it.

#include "engines/generator.h"
#include "gate/speed/ratio.h"
#include "proofs_tests/suites.h"
#include "semantics/base/base.h"

#include <math.h>

#define ALLOWED 0.03
enum { MOST = 240 };

// From 0 to 1, by number.
static double chance(uint64_t seed, uint64_t number) { return (double)(hy_splitmix(seed, number) >> 11) * 0x1p-53; }

typedef struct {
  const char *name;
  size_t count;
  double slower, again; // the candidate, and the baseline's second run: times of the baseline
  double spread;        // every time is up to that much longer, as it happens
  size_t disturbed;     // in one of so many laps one runner takes ten times as long; 0: in none
  hy_speed speed;
} row;

static const row rows[] = {
    {"equal", 30, 1, 1, 0.01, 0, HY_SPEED_FINE},
    {"equal, to the last bit", 30, 1, 1, 0, 0, HY_SPEED_FINE},
    {"quicker", 30, 0.5, 1, 0.01, 0, HY_SPEED_FINE},
    {"slower by two percent, as is allowed", 30, 1.02, 1, 0.004, 0, HY_SPEED_FINE},
    {"slower by five percent", 30, 1.05, 1, 0.01, 0, HY_SPEED_SLOWER},
    {"slower by five percent, and now and then something disturbs", 60, 1.05, 1, 0.01, 9, HY_SPEED_SLOWER},
    {"slower by far", 30, 3, 1, 0.02, 0, HY_SPEED_SLOWER},
    {"slower by what is allowed", 30, 1.03, 1, 0.01, 0, HY_SPEED_CLOSE},
    {"slower by a bit more than is allowed", 30, 1.032, 1, 0.02, 0, HY_SPEED_CLOSE},
    {"equal on a machine where nothing is", 240, 1, 1, 0.9, 0, HY_SPEED_NOISY},
    {"slower by five percent on such a machine", 240, 1.05, 1, 0.9, 0, HY_SPEED_NOISY},
    {"a baseline that is slower when it runs again", 240, 1, 1.08, 0.001, 0, HY_SPEED_NOISY},
    {"a baseline that is quicker when it runs again", 240, 1, 0.94, 0.001, 0, HY_SPEED_NOISY},
    {"slower by far, and the baseline by itself somewhat", 240, 3, 1.06, 0.001, 0, HY_SPEED_SLOWER},
    {"quicker by far, and the baseline by itself somewhat", 240, 0.5, 1.06, 0.001, 0, HY_SPEED_FINE},
    {"slower by as much as the baseline by itself", 240, 1.08, 1.06, 0.001, 0, HY_SPEED_NOISY},
    {"eleven laps suffice where nothing is disturbed", 11, 1, 1, 0.001, 0, HY_SPEED_FINE},
    {"ten do not: all of them may lie on one side", 10, 1, 1, 0.001, 0, HY_SPEED_NOISY},
    {"one lap", 1, 3, 1, 0, 0, HY_SPEED_NOISY},
    {"no lap", 0, 3, 1, 0, 0, HY_SPEED_NOISY},
};

static void make_laps(const row *r, uint64_t seed, hy_lap laps[MOST]) {
  for (size_t i = 0; i < r->count; i++) {
    const double base[] = {1, r->again, r->slower};
    for (size_t k = 0; k < HY_LAP_RUNNERS; k++)
      laps[i].seconds[k] = 0.004 * base[k] * (1 + r->spread * chance(seed, i * 8 + k));
    if (r->disturbed && i % r->disturbed == 0) laps[i].seconds[(size_t)(3 * chance(seed, i * 8 + 7))] *= 10;
  }
}

START_TEST(what_is_said) {
  const row *r = &rows[_i];
  hy_lap laps[MOST] = {{{0}}};
  make_laps(r, 1, laps);
  hy_speed_finding f = hy_speed_judge(laps, r->count, ALLOWED);
  ck_assert_msg(f.speed == r->speed, "%s: %d, candidate %f to %f, noise %f to %f", r->name, (int)f.speed,
                f.candidate.low, f.candidate.high, f.noise.low, f.noise.high);
  ck_assert(r->count == 0 || (f.candidate.low <= f.candidate.median && f.candidate.median <= f.candidate.high));
}
END_TEST

// 2000 gates each; seeds 1 to 2000.
START_TEST(how_often_it_errs) {
  static const row equal = {"equal", 30, 1, 1, 0.05, 0, 0}, slower = {"slower", 60, 1.05, 1, 0.05, 0, 0};
  hy_lap laps[MOST] = {{{0}}};
  int alarms = 0, found = 0, passed = 0;
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    make_laps(&equal, seed, laps);
    alarms += hy_speed_judge(laps, equal.count, ALLOWED).speed == HY_SPEED_SLOWER;
    make_laps(&slower, seed, laps);
    hy_speed speed = hy_speed_judge(laps, slower.count, ALLOWED).speed;
    found += speed == HY_SPEED_SLOWER;
    passed += speed == HY_SPEED_FINE;
  }
  ck_assert_msg(alarms == 0 && passed == 0, "%d false alarms, %d slower ones passed", alarms, passed);
  ck_assert_msg(found >= 1000, "%d of 2000 found", found);
}
END_TEST

// The interval misses the true median in at most one case of a thousand, whatever the distribution.
START_TEST(how_often_the_interval_misses) {
  int missed = 0;
  for (uint64_t seed = 1; seed <= 20000; seed++) {
    hy_lap laps[30];
    for (size_t i = 0; i < HY_COUNT(laps); i++) { // half of all ratios below 1, some of them far away
      double u = chance(seed, i), ratio = u < 0.5 ? 1 - 0.01 * u : exp((u - 0.5) * 8);
      laps[i] = (hy_lap){{1, 1, ratio}};
    }
    hy_ratio r = hy_speed_judge(laps, HY_COUNT(laps), ALLOWED).candidate;
    missed += r.low > 1 || r.high < 0.995;
  }
  ck_assert_msg(missed <= 20, "%d of 20000 missed", missed);
}
END_TEST

Suite *gate_speed_suite(void) {
  Suite *suite = suite_create("gate_speed");
  TCase *cases = tcase_create("laps");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, what_is_said, 0, HY_COUNT(rows));
  tcase_add_test(cases, how_often_it_errs);
  tcase_add_test(cases, how_often_the_interval_misses);
  suite_add_tcase(suite, cases);
  return suite;
}
