/* Targets R4, R6, R7 and R12 on the golden suite: every program of apps/ and golden/ with every schedule that is
 * written for it. At least 95 of 100 ends of bounds are tight, and the test run prints each that is not. All
 * obligations are PROVED; what rests on Z3 alone is listed here, with the reason, or fails the test. Every program
 * against itself: the validation of directives finds nothing.
 */

#include "cli/session/session.h"
#include "oracle/explain.h"
#include "oracle/z3/z3_check.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/support/runner.h"
#include "validate/validate.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APPS HALYARD_SOURCE_DIR "/apps/"
#define GOLDEN HALYARD_SOURCE_DIR "/proofs_tests/golden/"

typedef struct {
  HY_VEC(double) seconds; // of the processor, to decide each obligation
  size_t programs, identities, obligations, proved, ends, tight, listed;
} tally;

/* -- programs -- */

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "cannot read %s", path);
  char *text = calloc(1, 1 << 17);
  size_t length = fread(text, 1, (1 << 17) - 1, file);
  ck_assert_uint_lt(length, (1 << 17) - 1);
  fclose(file);
  return text;
}

static bool mentions(const char *path, const char *what) {
  char *text = read_text(path);
  bool found = strstr(text, what) != NULL;
  free(text);
  return found;
}

// The pipeline that a file of schedules is for.
static void pipeline_of(const char *path, char name[64]) {
  char *text = read_text(path);
  const char *at = strstr(text, "schedule ");
  while (at && sscanf(at, "schedule %*s for %63[a-zA-Z0-9_]", name) != 1) at = strstr(at + 1, "schedule ");
  ck_assert_msg(at != NULL, "%s: no schedule", path);
  free(text);
}

// Adds up what one file says, alone or as the schedule of another.
static void look_at(const char *file, const char *schedules, tally *all);

// Several pipelines have the same name: first that of the file beside it.
static void look_at_schedule(const char *path, const glob_t *algs, tally *all) {
  char name[64], head[80], beside[512];
  pipeline_of(path, name);
  snprintf(head, sizeof head, "pipeline %s(", name);
  snprintf(beside, sizeof beside, "%.*s.alg", (int)(strlen(path) - strlen(".sched")), path);
  if (access(beside, R_OK) == 0 && mentions(beside, head)) {
    look_at(beside, path, all);
    return;
  }
  for (size_t i = 0; i < algs->gl_pathc; i++)
    if (mentions(algs->gl_pathv[i], head)) {
      look_at(algs->gl_pathv[i], path, all);
      return;
    }
  ck_abort_msg("%s: there is no pipeline %s", path, name);
}

/* -- one program -- */

static const char *last_name(const char *path) { return strrchr(path, '/') + 1; }

static void list_end(const char *program, const hy_explained_hole *hole, bool is_upper, hy_tightness tightness) {
  hy_text text = {0};
  if (hole->min->loop)
    hy_var_print(hole->min->loop, &text);
  else
    hy_text_printf(&text, "%s of %s, dimension %s", hole->min->kind == HY_HOLE_MEM ? "Mem" : "Cpu",
                   hole->min->func->name, hole->min->func->dims[hole->min->dim]);
  test_note("%s: the %s end of %s is %s", program, is_upper ? "upper" : "lower", hy_text_string(&text),
            hy_tightness_name(tightness));
  hy_text_free(&text);
}

static void look_at_ends(const hy_explained_hole *holes, size_t count, const char *program, tally *all) {
  enum { MOST_LISTED = 12 };
  for (size_t i = 0; i < 2 * count; i++) {
    const hy_explained_side *side = i % 2 ? &holes[i / 2].high : &holes[i / 2].low;
    all->ends++;
    all->tight += side->tightness == HY_TIGHT;
    if (side->tightness == HY_TIGHT) continue;
    if (all->listed++ < MOST_LISTED) list_end(program, &holes[i / 2], i % 2, side->tightness);
  }
}

// Each end is asked of the whole program: of one that has many funcs some are taken, evenly (HALYARD_TIGHT=all takes
// all).
static void look_at_holes(hy_session *s, const hy_pipeline *p, const char *program, tally *all) {
  enum { MOST_FUNCS = 8 };
  const char *wanted = getenv("HALYARD_TIGHT");
  const hy_tgt *scheduled = p->steps[p->step_count - 1];
  hy_oracle_options options = {.z3_limit = 500};
  int every = wanted && strcmp(wanted, "all") == 0 ? 1 : 1 + scheduled->func_count / MOST_FUNCS;
  for (int n = 0; n < scheduled->func_count; n += every) {
    size_t count;
    const hy_explained_hole *holes =
        hy_oracle_explain_func(s->context, scheduled, p->filled, scheduled->funcs[n], &options, &count);
    look_at_ends(holes, count, program, all);
  }
}

static void look_at_report(const hy_oracle_report *report, const char *program, tally *all) {
  ck_assert_msg(report->proved_z3 == 0, "%s: %zu obligations rest on Z3 alone", program, report->proved_z3);
  all->programs++;
  all->obligations += report->count;
  all->proved += report->proved;
}

static double processor(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void look_at_speed(hy_session *s, const hy_oracle_report *report, tally *all) {
  hy_prover *prover = hy_prover_new(s->context);
  for (size_t i = 0; i < report->count; i++) {
    const hy_obligation *o = report->decisions[i].obligation;
    if (o->decided_by_range) continue;
    double start = processor();
    hy_prover_holds(prover, o->facts, o->fact_count, o->goal);
    hy_vec_push(&all->seconds, processor() - start);
  }
  hy_prover_free(prover);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Of 100, so many take no longer than that.
static double quantile(tally *all, size_t percent) {
  qsort(all->seconds.data, all->seconds.count, sizeof(double), compare);
  return all->seconds.data[(all->seconds.count - 1) * percent / 100];
}

// A program against itself: a loop that is serial is made serial. Whatever the judge says against that is its own
// fault.
static const hy_stmt *find_serial(const hy_stmt *stmt) {
  if (stmt->kind == HY_STMT_FOR && stmt->loop.traversal == HY_SERIAL) return stmt;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) {
    const hy_stmt *found = find_serial(children[i]);
    if (found) return found;
  }
  return NULL;
}

static void look_at_identity(hy_session *s, const hy_pipeline *p, const char *program, tally *all) {
  int last = 0; // of the phases up to loops, to which the directive belongs
  while (last < p->core_count && p->core[last].type->phase <= HY_PHASE_LOOPS) last++;
  const hy_tgt *scheduled = p->steps[last];
  const hy_stmt *loop = find_serial(scheduled->body);
  if (!loop || s->program) return; // the validation of a .tgt file's program would begin with its S_0
  hy_directive again = {.type = &hy_directive_traverse, .func = loop->loop.var->func, .loop = loop->loop.var};
  again.traversal = HY_SERIAL;
  hy_validate_options options = {.z3_limit = 500};
  hy_validator *v = hy_validator_new(s->context, p->steps[0], &options);
  hy_validation out;
  for (int i = 0; i < last; i++) hy_validator_step(v, &p->core[i], p->steps[i + 1], &out);
  hy_validator_step(v, &again, scheduled, &out);
  for (int k = 0; k < HY_LEVEL_COUNT; k++)
    ck_assert_msg(out.levels[k].answer == HY_LEVEL_KEPT || out.levels[k].answer == HY_LEVEL_NOT_DONE,
                  "%s against itself: %s: %s", program, hy_level_name((hy_level)k), out.levels[k].story);
  all->identities += out.levels[HY_LEVEL_STRUCTURE].answer == HY_LEVEL_KEPT;
  hy_validator_free(v);
}

// One of the programs of a file; how many there are. Each has a session of its own: what explaining bounds takes is given back.
static int look_at_one(const char *file, const char *schedules, int i, tally *all) {
  char *words[] = {"halyard", "check", (char *)file, (char *)schedules}, program[200];
  hy_options options;
  hy_session s;
  hy_pipeline pipeline;
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(hy_options_parse(&options, schedules ? 4 : 3, words, diagnostics));
  hy_session_init(&s, options, diagnostics);
  ck_assert_msg(hy_session_load(&s, true) == HY_STATUS_FINE, "%s", file);
  int count = hy_session_count(&s);
  snprintf(program, sizeof program, "%s:%s", last_name(schedules ? schedules : file), hy_session_name(&s, i));
  hy_session_pipeline(&s, i, &pipeline);
  ck_assert_msg(hy_session_check(&s, &pipeline, false) == HY_STATUS_FINE, "%s is not proved", program);
  look_at_report(&pipeline.report, program, all);
  look_at_speed(&s, &pipeline.report, all);
  hy_context_set_solver(s.context, HY_Z3_HERE); // each helper copies what is written in this process meanwhile
  look_at_holes(&s, &pipeline, program, all);
  hy_context_set_solver(s.context, HY_Z3_HELPER);
  look_at_identity(&s, &pipeline, program, all);
  hy_session_free(&s);
  return count;
}

static void look_at(const char *file, const char *schedules, tally *all) {
  for (int i = 0, count = 1; i < count; i++) count = look_at_one(file, schedules, i, all);
}

// Those of apps/ and its folders, and of golden/.
static void find_files(const char *ending, glob_t *found) {
  static const char *const folders[] = {APPS "*", APPS "*/*", GOLDEN "*"};
  for (size_t i = 0; i < HY_COUNT(folders); i++) {
    char pattern[512];
    snprintf(pattern, sizeof pattern, "%s%s", folders[i], ending);
    ck_assert_int_eq(glob(pattern, i ? GLOB_APPEND : 0, NULL, found), 0);
  }
}

START_TEST(golden_programs_are_proved_and_tight) {
  tally all = {0};
  glob_t algs = {0}, scheds = {0}, tgts = {0};
  find_files(".alg", &algs);
  find_files(".sched", &scheds);
  ck_assert(glob(GOLDEN "*.tgt", 0, NULL, &tgts) == 0);
  for (size_t i = 0; i < algs.gl_pathc; i++) look_at(algs.gl_pathv[i], NULL, &all);
  for (size_t i = 0; i < scheds.gl_pathc; i++) look_at_schedule(scheds.gl_pathv[i], &algs, &all);
  for (size_t i = 0; i < tgts.gl_pathc; i++)
    if (!mentions(tgts.gl_pathv[i], "//? status")) look_at(tgts.gl_pathv[i], NULL, &all);
  globfree(&algs);
  globfree(&scheds);
  globfree(&tgts);
  test_note("%zu golden programs: %zu of %zu obligations PROVED, %zu by Z3 alone; %zu of %zu ends of bounds are tight; "
            "%zu against themselves: no complaint",
            all.programs, all.proved, all.obligations, all.obligations - all.proved, all.tight, all.ends,
            all.identities);
  double p95 = quantile(&all, 95), p99 = quantile(&all, 99), most = quantile(&all, 100);
  test_note("deciding one: 95 of 100 within %.2f ms of the processor, 99 within %.2f, all within %.2f", p95 * 1e3,
            p99 * 1e3, most * 1e3);
  hy_vec_free(&all.seconds);
  ck_assert_msg(p95 <= 0.005 && p99 <= 0.1, "%.4f s, %.4f s", p95, p99);
  ck_assert_uint_gt(all.programs, 60);
  ck_assert_uint_gt(all.identities, 40);
  ck_assert_msg(all.tight * 100 >= all.ends * 95, "%zu of %zu ends are tight", all.tight, all.ends);
}
END_TEST

Suite *golden_quality_suite(void) {
  Suite *suite = suite_create("golden_quality");
  TCase *t = tcase_create("golden");
  tcase_set_timeout(t, 1200);
  tcase_add_test(t, golden_programs_are_proved_and_tight);
  suite_add_tcase(suite, t);
  return suite;
}
