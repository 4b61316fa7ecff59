/* Runs the unit suites: halyard_tests [-v] [-j N] [PATTERN], halyard_tests list.
 *
 * PATTERN picks the suites whose name contains it ("=NAME" exactly one, "=NAME:TEST,TEST..." these tests of it,
 * "=NAME:TEST,TEST...:FIRST-LAST" these rows of their tables). Each suite runs in a process of its own, and
 * inside it every test does too unless CK_FORK=no (better under a debugger). The run ends with how often each
 * rule of semantics/RULES.md fired (one that never did is a failure), and with one plain line: "N passed, N failed".
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/support/places.h"
#include "proofs_tests/support/runner.h"
#include "semantics/base/clock.h"
#include "semantics/expr/context.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
  const char *name;
  Suite *(*make)(void);
} suites[] = {
#define HY_SUITE(name) {#name, name##_suite},
#include "proofs_tests/suites.def"
#undef HY_SUITE
};
enum { SUITES = HY_COUNT(suites), NOTE_SIZE = 1200 };

// What the processes of one run share: each writes its own suite's row; rule counters are added to atomically.
typedef struct {
  struct {
    int passed, failed;
    double seconds;
    bool finished; // false: the process died before it could count
    char note[NOTE_SIZE];
  } rows[SUITES];
  uint64_t hits[HY_RULE_COUNT];
} board;
static board *shared;

// The linker sends every call of hy_context_free here (-Wl,--wrap): the last moment at which its counters can be read.
void __real_hy_context_free(HY_TAKE hy_context *context);
void __wrap_hy_context_free(HY_TAKE hy_context *context);
void __wrap_hy_context_free(hy_context *context) {
  if (shared && context)
    for (int rule = 0; rule < HY_RULE_COUNT; rule++)
      __atomic_fetch_add(&shared->hits[rule], hy_context_hits(context, (hy_rule)rule), __ATOMIC_RELAXED);
  __real_hy_context_free(context);
}

static int current_suite; // of this process

void test_note(const char *format, ...) {
  char *note = shared->rows[current_suite].note;
  size_t length = strlen(note);
  va_list arguments;
  va_start(arguments, format);
  int more = vsnprintf(note + length, NOTE_SIZE - length, format, arguments);
  va_end(arguments);
  HY_ASSERT(more >= 0 && length + (size_t)more + 2 < NOTE_SIZE);
  strcpy(note + length + (size_t)more, "\n");
}

// What "=NAME:TEST,TEST...:FIRST-LAST" picks of a suite; no names: everything.
static struct {
  const char *names;
  int first, last;
} chosen = {NULL, 0, INT_MAX};

static bool is_chosen(const char *name) {
  size_t length = strlen(name);
  for (const char *at = chosen.names; at && (at = strstr(at, name)); at += length)
    if ((at == chosen.names || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return true;
  return !chosen.names;
}

// Every tcase_add_test of a suite comes by here (-Wl,--wrap): what is not picked is not added.
void __real__tcase_add_test(TCase *tests, const TTest *test, int signal, int status, int start, int end);
void __wrap__tcase_add_test(TCase *tests, const TTest *test, int signal, int status, int start, int end);
void __wrap__tcase_add_test(TCase *tests, const TTest *test, int signal, int status, int start, int end) {
  if (start < chosen.first && chosen.names) start = chosen.first;
  if (end - 1 > chosen.last) end = chosen.last + 1;
  if (is_chosen(test->name) && start < end) __real__tcase_add_test(tests, test, signal, status, start, end);
}

// Cuts ":TEST,TEST...:FIRST-LAST" off a pattern.
static void choose(char *pattern) {
  char *names = pattern && pattern[0] == '=' ? strchr(pattern, ':') : NULL;
  if (!names) return;
  *names++ = 0;
  chosen.names = names;
  char *rows = strchr(names, ':');
  if (!rows) return;
  *rows++ = 0;
  chosen.first = chosen.last = (int)strtol(rows, &rows, 10);
  if (*rows == '-') chosen.last = (int)strtol(rows + 1, NULL, 10);
}

// Of a process that did not live to tell, libcheck knows where its test begins.
static void print_failure(TestResult *result, int index, FILE *out) {
  const char *file;
  int line;
  fprintf(out, "  FAILED %s: %s:%d: %s", tr_tcname(result), tr_lfile(result), tr_lno(result), tr_msg(result));
  if (tr_rtype(result) == CK_ERROR && test_place_of(index, &file, &line))
    fprintf(out, "; what held last is in %s:%d", file, line);
  fputc('\n', out);
}

static void print_results(SRunner *runner, bool verbose, FILE *out) {
  int count = srunner_ntests_run(runner);
  TestResult **results = srunner_results(runner);
  for (int i = 0; i < count; i++) {
    bool failed = tr_rtype(results[i]) != CK_PASS;
    if (failed)
      print_failure(results[i], i, out);
    else if (verbose)
      fprintf(out, "  passed %s: %s:%d\n", tr_tcname(results[i]), tr_lfile(results[i]), tr_lno(results[i]));
  }
  free(results);
}

static void run_suite(int index, bool verbose, FILE *out) {
  double start = hy_seconds();
  current_suite = index;
  SRunner *runner = srunner_create(suites[index].make());
  test_places_begin();
  srunner_run_all(runner, CK_SILENT);
  print_results(runner, verbose, out);
  shared->rows[index].failed = srunner_ntests_failed(runner);
  shared->rows[index].passed = srunner_ntests_run(runner) - shared->rows[index].failed;
  shared->rows[index].seconds = hy_seconds() - start;
  shared->rows[index].finished = true;
  srunner_free(runner);
}

static void print_suite(int index, FILE *output) {
  int failed = shared->rows[index].failed;
  printf("%-36s %5d passed %5d failed %8.2f s\n", suites[index].name, shared->rows[index].passed, failed,
         shared->rows[index].seconds);
  for (const char *line = shared->rows[index].note; *line; line += strcspn(line, "\n") + 1)
    printf("  %.*s\n", (int)strcspn(line, "\n"), line);
  rewind(output);
  char piece[4096];
  size_t length;
  while ((length = fread(piece, 1, sizeof piece, output)) > 0) fwrite(piece, 1, length, stdout);
  fflush(stdout);
}

// Waits for one of the running processes; a suite whose process died counts as one failure.
static int finish_one(pid_t *running) {
  int status;
  pid_t pid = wait(&status);
  if (pid < 0) HY_DIE("wait: %s", strerror(errno));
  for (int i = 0; i < SUITES; i++) {
    if (running[i] != pid) continue;
    running[i] = 0;
    if (!shared->rows[i].finished || status != 0) {
      shared->rows[i].failed++;
      fprintf(stderr, "%s: its process ended with %s %d\n", suites[i].name, WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    return i;
  }
  return -1;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ENDS_AS_A_WHOLE = true }; // what was lost is told at the end
#elif defined(__has_feature)
enum { ENDS_AS_A_WHOLE = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) };
#else
enum { ENDS_AS_A_WHOLE = false };
#endif
extern void __gcov_dump(void) __attribute__((weak)); // branches are counted

// A test is a process, which ends here: LLVM's thousands of destructors took it longer than most tests take.
static void leave(int status, void *runner) {
  if (getpid() == *(const pid_t *)runner) return;
  fflush(NULL);
  _exit(status);
}

static void start_one(int index, bool verbose, FILE *output, pid_t *running) {
  fflush(stdout);
  running[index] = fork();
  if (running[index] < 0) HY_DIE("fork: %s", strerror(errno));
  if (running[index] > 0) return;
  static pid_t runner;
  runner = getpid();
  if (!ENDS_AS_A_WHOLE && !__gcov_dump) on_exit(leave, &runner);
  run_suite(index, verbose, output);
  fflush(output);
  exit(0);
}

// Runs the picked suites, "jobs" at a time, and prints each when it has finished.
static void run_suites(const bool *picked, int jobs, bool verbose) {
  FILE *outputs[SUITES] = {0};
  pid_t running[SUITES] = {0};
  int active = 0;
  for (int i = 0; i <= SUITES; i++) {
    while (active > 0 && (i == SUITES || active == jobs)) {
      int done = finish_one(running);
      if (done < 0) continue;
      print_suite(done, outputs[done]);
      fclose(outputs[done]);
      active--;
    }
    if (i == SUITES || !picked[i]) continue;
    outputs[i] = tmpfile();
    if (!outputs[i]) HY_DIE("tmpfile: %s", strerror(errno));
    start_one(i, verbose, outputs[i], running);
    active++;
  }
}

// Rules that nothing can make fire, by design; semantics/RULES.md gives the reason of each.
static bool is_unreachable(const char *id) {
  static const char *const list[] = {""};
  for (size_t i = 0; i < HY_COUNT(list); i++)
    if (strcmp(id, list[i]) == 0) return true;
  return false;
}

// How often each rule fired; a rule that never did is a failure (target R1), unless it is listed as unreachable.
//   returns: how many failures
static int print_rules(void) {
  int hit = 0, listed = 0, failed = 0;
  for (int rule = 0; rule < HY_RULE_COUNT; rule++)
    printf("  %-28s %11llu%s", hy_rule_id((hy_rule)rule), (unsigned long long)shared->hits[rule],
           rule % 3 == 2 || rule == HY_RULE_COUNT - 1 ? "\n" : "");
  for (int rule = 0; rule < HY_RULE_COUNT; rule++) {
    const char *id = hy_rule_id((hy_rule)rule);
    bool fired = shared->hits[rule] > 0, is_listed = is_unreachable(id);
    hit += fired;
    listed += is_listed;
    if (fired != is_listed) continue;
    failed++;
    printf("FAILED rule %s: %s\n", id, fired ? "it fired, but is listed as unreachable" : "no test makes it fire");
  }
  printf("rules reached: %d of %d, %d unreachable by design\n", hit, HY_RULE_COUNT, listed);
  return failed;
}

static bool is_picked(const char *name, const char *pattern) {
  if (!pattern) return true;
  return pattern[0] == '=' ? strcmp(name, pattern + 1) == 0 : strstr(name, pattern) != NULL;
}

static int usage(void) {
  fprintf(
      stderr,
      "usage: halyard_tests [-v] [-j JOBS] [PATTERN | =NAME[:TEST,TEST...[:FIRST-LAST]]]\n       halyard_tests list\n");
  return 2;
}

// Every test makes and frees what the one before made and freed: where pages go back to the system in between, getting
// them anew takes more time than the test.
static void keep_pages(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

int main(int argc, char **argv) {
  keep_pages();
  bool verbose = false, picked[SUITES];
  int jobs = 1, count = 0, passed = 0, failed = 0;
  for (int option; (option = getopt(argc, argv, "vj:")) != -1;) {
    if (option == 'v')
      verbose = true;
    else if (option == 'j')
      jobs = atoi(optarg);
    else
      return usage();
  }
  char *pattern = optind < argc ? argv[optind] : NULL;
  choose(pattern);
  if (argc - optind > 1 || jobs < 1) return usage();
  if (pattern && strcmp(pattern, "list") == 0) {
    for (int i = 0; i < SUITES; i++) puts(suites[i].name);
    return 0;
  }
  for (int i = 0; i < SUITES; i++) count += picked[i] = is_picked(suites[i].name, pattern);
  if (count == 0) {
    fprintf(stderr, "halyard_tests: no suite is called %s; see halyard_tests list\n", pattern);
    return 2;
  }
  setenv("CK_DEFAULT_TIMEOUT", "120", 0);   // seconds per test; sanitizers are slow
  setenv("CK_TIMEOUT_MULTIPLIER", "10", 0); // of this and of what suites say: they are of the clock, and machines busy
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) HY_DIE("mmap: %s", strerror(errno));
  run_suites(picked, jobs, verbose);
  for (int i = 0; i < SUITES; i++) {
    passed += shared->rows[i].passed;
    failed += shared->rows[i].failed;
  }
  if (count == SUITES) failed += print_rules();
  if (chosen.names && passed + failed == 0) {
    fprintf(stderr, "halyard_tests: the suite has no such test\n");
    return 2;
  }
  munmap(shared, sizeof *shared);
  shared = NULL;
  printf("%d passed, %d failed\n", passed, failed);
  return failed ? 1 : 0;
}
