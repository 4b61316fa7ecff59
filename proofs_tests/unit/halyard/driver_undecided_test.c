/* What is said of obligations that neither the prover nor Z3 decides: one diagnostic for each cause, with the reason,
 * and help that helps: the program that follows it is proved.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/programs.h"

#include <string.h>

// No solver finds the point at which this is 0 in time: 117367^3 + 134476^3 = 159380^3 + 39.
#define CUBE(v) "clamp(" v ", 1, 200000)*clamp(" v ", 1, 200000)*clamp(" v ", 1, 200000)"
#define ZERO CUBE("n") " + " CUBE("m") " - " CUBE("k") " - 39"
#define STRIDES(s) "pipeline p(in: u8[1], k: u8[2], " s ", d: int, e: int) { "
#define STRIDED                                                                                                        \
  "fun o(x) = { 0; rdom(r = (0, k.len(0)), q = (0, k.len(1))) in (x) <- o(x) + int(in(x*s + r*d + q*e)); }; }"
#define HEAD "pipeline p(n: int, m: int, k: int) { fun f(x) = clamp(x, 0, 100); "

static const struct {
  const char *alg, *items;
  size_t causes;       // 0: proved
  const char *says[4]; // texts that must stand there
  const char *mended;  // the algorithm, as the help says; NULL: no row of its own
} rows[] = {
    {HEAD "fun g(x) = f(x + 1/(" ZERO ")); }",
     "",
     1,
     {"= help: divide by what is never 0: max(1, clamp(n, 1, 200000)", "is a product of unknowns; Z3 found neither",
      "--unknown=runtime lets every run check it",
      "obligations are undecided for the same cause (the same at other places)"},
     HEAD "fun g(x) = f(x + 1/max(1, " ZERO ")); }"},
    // two divisors are two causes
    {HEAD "fun g(x) = f(x + 1/(" ZERO ") + 1/(" ZERO " + 1)); }", "", 2, {"is a product of unknowns"}, NULL},
    // three strides of which nothing says how large they are, one more than are told apart by their signs
    {STRIDES("s: int") STRIDED,
     "",
     1,
     {"= help: give 's' a range, s: int in 1..64; or make a factor"},
     STRIDES("s: int in 1..64") STRIDED},
    {"pipeline p(in: u8[1], k: u8[1], s: int, d: int in 1..9) { fun o(x) = { 0; rdom(r = (0, k.len(0))) in (x) <- o(x) "
     "+ int(in(x*s + r*d)); }; }",
     "",
     0,
     {""},
     NULL},
    {HEAD "fun g(x) = f(x + 3); }", "", 0, {""}, NULL},
};

static size_t count_of(const test_program *p, hy_code code) {
  size_t count = 0;
  for (size_t i = 0; i < hy_diagnostics_count(p->diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(p->diagnostics, i);
    count += d->code == code && d->severity == HY_SEVERITY_ERROR;
  }
  return count;
}

START_TEST(one_cause_is_told_once) {
  test_program p;
  hy_oracle_options options = {.z3_limit = 60};
  test_program_open(&p, rows[_i].alg, rows[_i].items);
  hy_answer answer = hy_pipeline_check(&p.pipeline, &options, p.diagnostics);
  ck_assert_msg(answer == (rows[_i].causes ? HY_UNKNOWN : HY_YES), "%s", test_program_said(&p));
  ck_assert_msg(count_of(&p, HY_E_OBLIGATION_UNKNOWN) == rows[_i].causes, "%s", test_program_said(&p));
  if (rows[_i].causes) ck_assert_uint_gt(p.pipeline.report.unknown, rows[_i].causes);
  for (size_t k = 0; k < HY_COUNT(rows[_i].says) && rows[_i].says[k]; k++)
    ck_assert_msg(strstr(test_program_said(&p), rows[_i].says[k]) != NULL, "no \"%s\" in %s", rows[_i].says[k],
                  test_program_said(&p));
  test_program_close(&p);
  if (!rows[_i].mended) return;
  test_program_open(&p, rows[_i].mended, rows[_i].items);
  ck_assert_msg(hy_pipeline_check(&p.pipeline, &options, p.diagnostics) == HY_YES, "%s", test_program_said(&p));
  test_program_close(&p);
}
END_TEST

Suite *driver_undecided_suite(void) {
  Suite *suite = suite_create("driver_undecided");
  TCase *t = tcase_create("undecided");
  tcase_add_loop_test(t, one_cause_is_told_once, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, t);
  return suite;
}
