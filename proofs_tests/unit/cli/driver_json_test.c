// --format json: for every outcome one object on standard output, nothing on
// standard error, the same exit status as without; every key stands in
// docs/json.md.

#include "cli/cli.h"
#include "cli/session/session.h"
#include "proofs_tests/suites.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APPS HALYARD_SOURCE_DIR "/apps/"
#define BAD HALYARD_SOURCE_DIR "/proofs_tests/negative/"
#define BLUR APPS "box_blur.alg " APPS "box_blur.sched:tiled"

static const struct {
  const char *line;
  int status;
  const char *keys; // that the answer has somewhere, between blanks
} rows[] = {
    {"check " BLUR, 0,
     "schedules name verdict obligations proved proved_by_z3_alone refuted "
     "unknown dead seconds"},
    {"check " APPS "box_blur.alg " APPS "box_blur.sched", 0, "schedules"},
    {"check " BLUR " --explain", 0,
     "holes place fill lower upper lower_because upper_because cause consumer "
     "line"},
    {"check " BLUR " --directives", 0, "directives directive promise levels level answer proofs proof questions"},
    {"check " BLUR " --verbose", 0, "decisions rule about"},
    {"check " BAD "unknown_func.alg", 1, "severity code title file line column length message help"},
    {"check " APPS "box_blur.alg " BAD "not_dominating_stage.sched", 1, "code"},
    {"check " APPS "box_blur.alg " BAD "unknown_loop.sched", 1, "rule"},
    {"check " BAD "bounds_cpu.tgt", 1, "refuted"},
    {"check " BAD "bounds_cpu.tgt --verbose", 1, "decisions model"},
    {"check " BAD "vacuous.tgt", 1, "code"},
    {"check " BAD "undecided.tgt --z3-steps 100", 3, "unknown"},
    {"check " BAD "undecided.tgt --z3-steps 100 --unknown=runtime", 0, "checked_at_run_time"},
    {"check " BAD "not_utf8.alg", 1, "message"},
    {"check nosuchfile.alg", 2, "message"},
    {"check", 2, "help"},
    {"check --colour", 2, "code"},
    {"paint", 2, "code"},
    {"run " BLUR " -i in=random:40x30:1", 0, "output func type min len engine summary elements checksum nans mean max"},
    {"run " BLUR " -i in=random:40x30:1 --engine alg --trace --window x=1:1,y=1:1", 0, "text"},
    {"run " BLUR " -i in=random:40x30:1 --profile", 0,
     "profile runs threads busy_threads samples instrumented_ms plain_ms overhead funcs milliseconds share told_apart "
     "computed updates needed recompute_ratio heap_peak_bytes stack_bytes other_ms waiting_ms"},
    {"run " BLUR, 2, "code"},
    {"run " BLUR " -i in=random:40x30:1 -o /nosuch/x.png", 2, "code"},
    {"run " BLUR " -i in=random:40x30:1 --window x=0:30,y=0:20", 1, "code"},
    {"run " APPS "figure1.alg -p w=-3 --window x=0:2,y=0:2", 1, "code"},
    {"verify " APPS "figure1.alg --cases 2", 0,
     "seed z3 llvm cases unusable_cases agree engines runs skipped "
     "points_compared"},
    {"verify " BAD "undecided.tgt --z3-steps 100", 3, "code"},
    {"show " BLUR " --stage scheduled:1", 0, "text"},
    {"show " BLUR " --stage nosuch", 2, "code"},
    {"bench " BLUR " -i in=random:40x30:1 -n 1", 0, "median_ms least_ms"},
    {"build " BLUR " -o /dev/null/x --name f --emit h", 2, "diagnostics"},
    {"directives", 0, "directives form phase summary"},
};

static char *documented; // docs/json.md

static void read_documentation(void) {
  static char text[1 << 16];
  FILE *file = fopen(HALYARD_SOURCE_DIR "/docs/json.md", "r");
  ck_assert(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  documented = text;
}

// Collects all keys into "seen", between blanks; each is to be documented.
static void walk(const json_t *value, hy_text *seen) {
  const char *key;
  json_t *child;
  size_t index;
  char quoted[64];
  if (json_is_object(value)) json_object_foreach((json_t *)value, key, child) {
      snprintf(quoted, sizeof quoted, "`%s`", key);
      ck_assert_msg(strstr(documented, quoted), "docs/json.md does not explain the key %s", quoted);
      hy_text_printf(seen, " %s ", key);
      walk(child, seen);
    }
  json_array_foreach(value, index, child) walk(child, seen);
}

static void check_diagnostics(const json_t *root, int status) {
  const json_t *list = json_object_get(root, "diagnostics");
  size_t errors = 0, index;
  json_t *d;
  ck_assert(json_is_array(list));
  json_array_foreach(list, index, d) {
    const char *severity = json_string_value(json_object_get(d, "severity"));
    ck_assert(severity && json_is_string(json_object_get(d, "message")));
    bool is_note = strcmp(severity, "note") == 0;
    errors += strcmp(severity, "error") == 0;
    ck_assert(is_note || (json_is_string(json_object_get(d, "code")) && json_is_string(json_object_get(d, "title"))));
    bool placed = json_object_get(d, "file") != NULL;
    ck_assert_int_eq(placed, json_is_integer(json_object_get(d, "line")));
    ck_assert_int_eq(placed, json_is_integer(json_object_get(d, "column")));
  }
  ck_assert_int_eq(errors > 0, status != 0);
}

// Runs the command line in a process of its own; its two streams go to files.
static int run(const char *line, FILE *out, FILE *err) {
  char store[1024], *argv[32] = {"halyard"};
  int argc = 1, status;
  ck_assert_int_lt(snprintf(store, sizeof store, "%s --format json", line), (int)sizeof store);
  for (char *word = strtok(store, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
  argv[argc] = NULL;
  fflush(NULL);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    status = hy_cli(argc, argv);
    fflush(NULL);
    _exit(status);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

START_TEST(answers_in_json) {
  static const char *const verdicts[] = {"fine", "wrong", "usage", "undecided", "defect"};
  FILE *out = tmpfile(), *err = tmpfile();
  json_error_t why;
  read_documentation();
  int status = run(rows[_i].line, out, err);
  rewind(out);
  json_t *root = json_loadf(out, JSON_REJECT_DUPLICATES,
                            &why); // refuses anything after the object, too
  ck_assert_msg(root, "%s: %s", rows[_i].line, why.text);
  fseek(err, 0, SEEK_END);
  ck_assert_msg(ftell(err) == 0, "%s: something on standard error", rows[_i].line);
  ck_assert_msg(status == rows[_i].status, "%s: status %d", rows[_i].line, status);
  ck_assert_int_eq(json_integer_value(json_object_get(root, "status")), status);
  ck_assert_str_eq(json_string_value(json_object_get(root, "verdict")), verdicts[status]);
  ck_assert(json_is_string(json_object_get(root, "halyard")));
  check_diagnostics(root, status);
  hy_text seen = {0};
  char keys[512], wanted[64];
  walk(root, &seen);
  snprintf(keys, sizeof keys, "%s", rows[_i].keys);
  for (char *key = strtok(keys, " "); key; key = strtok(NULL, " ")) {
    snprintf(wanted, sizeof wanted, " %s ", key);
    ck_assert_msg(strstr(hy_text_string(&seen), wanted), "%s: no key %s", rows[_i].line, key);
  }
  hy_text_free(&seen);
  json_decref(root);
  fclose(out);
  fclose(err);
}
END_TEST

Suite *driver_json_suite(void) {
  Suite *suite = suite_create("driver_json");
  TCase *t = tcase_create("json");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, answers_in_json, 0, (int)HY_COUNT(rows));
  suite_add_tcase(suite, t);
  return suite;
}
