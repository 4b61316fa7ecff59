/* Algorithms of random pairs: the schedules that levels 0 and 1 find for them are legal, and proved with every
 * certificate accepted. HALYARD_TUNE_PAIRS=10000 makes a long campaign of it: HALYARD_TUNE_PAIRS=10000 ./dev test
 * autosched_campaign
 */

#include "cli/cli.h"
#include "fuzz/campaign/campaign.h"
#include "halyard/pipeline.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "semantics/semantics.h"

#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 40 };

typedef struct {
  int usable, proved[3], statuses[8]; // by level that was written: 0, 1, 2 for neither
  int refused;
} tally;

static void estimates_of(const hy_alg *alg, const hy_case *c, hy_text *out) {
  for (int d = 0; d < alg->window_rank; d++)
    hy_text_printf(out, "%s%s.%s=%" PRId64 ":%" PRId64, out->length ? "," : "", alg->window_min[d]->func->name,
                   alg->window_min[d]->func->dims[alg->window_min[d]->dim], c->inputs[0].min[d],
                   64 + c->inputs[0].len[d] % 64);
  for (int k = 0; k < alg->image_count; k++)
    for (int d = 0; d < alg->images[k]->rank; d++)
      hy_text_printf(out, "%s%s.%d=-8:96", out->length ? "," : "", alg->images[k]->name, d);
  for (int p = 0; p < alg->param_count; p++) {
    hy_value value = hy_case_param(alg->params[p]->type, c->inputs[0].params[p]);
    hy_text_printf(out, "%s%s=", out->length ? "," : "", alg->params[p]->name);
    hy_value_print(value, out);
  }
}

// In a process of its own, whose words go nowhere.
static int tune(const char *alg, const char *estimates, const char *out) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    int silent = open("/dev/null", O_RDWR);
    dup2(silent, 1);
    dup2(silent, 2);
    char *line[] = {"halyard", "tune", (char *)alg, "-o", (char *)out, "--estimate", (char *)estimates, NULL};
    _exit(hy_cli(*estimates ? 7 : 5, line));
  }
  int status;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 7;
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

static void read_head(const char *path, tally *t) {
  char head[4096] = "";
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  head[fread(head, 1, sizeof head - 1, file)] = 0;
  fclose(file);
  ck_assert_ptr_nonnull(strstr(head, "halyard-certcheck accepts all"));
  t->proved[strstr(head, "level 1.") ? 1 : strstr(head, "level 0") ? 0 : 2]++;
  const char *refused = strstr(head, "tried, ");
  ck_assert_ptr_nonnull(refused);
  t->refused += atoi(refused + 7) > 0;
}

static void judge(const hy_case *c, const char *folder, tally *t) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source source = {"case.alg", c->alg, strlen(c->alg)};
  const hy_alg *alg = hy_parse_alg(context, &source, diagnostics);
  char path[256], out[256];
  snprintf(path, sizeof path, "%s/case.alg", folder);
  snprintf(out, sizeof out, "%s/found.sched", folder);
  hy_text estimates = {0};
  if (alg) {
    estimates_of(alg, c, &estimates);
    write_file(path, c->alg);
    int status = tune(path, hy_text_string(&estimates), out);
    t->usable++;
    t->statuses[status]++;
    ck_assert_msg(status != 4 && status != 7, "status %d for\n%s%s", status, c->alg, hy_text_string(&estimates));
    if (status == 0) read_head(out, t);
    unlink(path);
    unlink(out);
  }
  hy_text_free(&estimates);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}

START_TEST(random_algorithms) {
  const char *wanted = getenv("HALYARD_TUNE_PAIRS");
  uint64_t pairs = wanted ? strtoull(wanted, NULL, 10) : PAIRS;
  hy_campaign_options options = {.seed = 18, .favourite = HY_NO_DIRECTIVE};
  char folder[] = "/tmp/halyard_tune_XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  tally t = {0};
  for (uint64_t i = 0; i < pairs; i++) {
    hy_case c;
    hy_walk walk;
    bool fine = hy_campaign_case(&options, i, &c, &walk) && !(walk.planted && walk.planted_kind == HY_NO_DIRECTIVE);
    if (fine && c.input_count) judge(&c, folder, &t);
    hy_case_free(&c);
  }
  rmdir(folder);
  test_note("schedules for %d random algorithms: proved %d of level 1, %d of level 0 or less of it, %d default; in %d "
            "something was "
            "refused; "
            "no schedule for %d (wrong), %d (sizes), %d (nothing provable)",
            t.usable, t.proved[1], t.proved[0], t.proved[2], t.refused, t.statuses[1], t.statuses[2], t.statuses[3]);
  ck_assert_int_gt(t.proved[1], t.usable / 2);
}
END_TEST

Suite *autosched_campaign_suite(void) {
  Suite *suite = suite_create("autosched_campaign");
  TCase *tests = tcase_create("campaign");
  tcase_set_timeout(tests, getenv("HALYARD_TUNE_PAIRS") ? 86400 : 300);
  tcase_add_test(tests, random_algorithms);
  suite_add_tcase(suite, tests);
  return suite;
}
