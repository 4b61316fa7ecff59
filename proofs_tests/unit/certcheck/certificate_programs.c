#include "proofs_tests/unit/certcheck/certificate_programs.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include "proofs_tests/unit/certcheck/certificate_says.h"

#include "cli/session/session.h"
#include "oracle/certificate/certificates.h"

#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APPS HALYARD_SOURCE_DIR "/apps/"
#define GOLDEN HALYARD_SOURCE_DIR "/proofs_tests/golden/"

// Beside every algorithm of these folders, with the schedules that are named after it.
static const char *const others[][2] = {
    {GOLDEN "figure1_d_rounded.tgt", NULL},
    {APPS "box_blur.alg", GOLDEN "bounds.sched"},
    {APPS "figure1.alg", GOLDEN "specialize.sched"},
};

typedef struct program {
  char words[2][512]; // the second: "" = none
} program;

// The algorithms in the order of their names.
static size_t find_programs(glob_t *found) {
  bool fine = glob(APPS "*.alg", 0, NULL, found) == 0 && glob(APPS "*/*.alg", GLOB_APPEND, NULL, found) == 0 &&
              glob(GOLDEN "*.alg", GLOB_APPEND, NULL, found) == 0;
  return fine ? found->gl_pathc : 0;
}

size_t certificate_program_count(void) {
  glob_t found = {0};
  size_t count = find_programs(&found) + HY_COUNT(others);
  globfree(&found);
  return count;
}

static program get_program(size_t number) {
  program p = {{"", ""}};
  glob_t found = {0};
  size_t count = find_programs(&found);
  if (number >= count) {
    snprintf(p.words[0], sizeof p.words[0], "%s", others[number - count][0]);
    if (others[number - count][1]) snprintf(p.words[1], sizeof p.words[1], "%s", others[number - count][1]);
  } else {
    snprintf(p.words[0], sizeof p.words[0], "%s", found.gl_pathv[number]);
    snprintf(p.words[1], sizeof p.words[1], "%.*s.sched", (int)strlen(p.words[0]) - 4, p.words[0]);
    if (access(p.words[1], R_OK) != 0) p.words[1][0] = '\0';
  }
  globfree(&found);
  return p;
}

const char *certificate_program_name(size_t number, char room[64]) {
  program p = get_program(number);
  snprintf(room, 64, "%s", strrchr(p.words[p.words[1][0] != '\0'], '/') + 1);
  return room;
}

// Holds the certificates of that schedule, "NAME/NUMBER" or "NAME/NUMBER.PART", against its obligations.
static void compare(hy_context *context, const char *name, const hy_oracle_report *report, program_certificates *into) {
  hy_arena *arena = hy_arena_new();
  slice_file file = slice_read(arena, into->text, into->size);
  certificate_reader reader = {.context = context, .file = &file};
  size_t length = strlen(name);
  for (int at = -1; (at = slice_next(&file, at + 1)) >= 0;) {
    const char *id = file.rows[at].words[1], *part = strchr(id, '.');
    if (strncmp(id, name, length) != 0 || id[length] != '/') continue;
    size_t number = (size_t)atoi(id + length + 1);
    const hy_obligation *o = number && number <= report->count ? report->decisions[number - 1].obligation : NULL;
    says said = o ? certificate_says(&reader, at, o, part ? atoi(part + 1) : 0) : SAYS_ELSE;
    into->as_owed += said == SAYS_IT, into->more += said == SAYS_MORE, into->something_else += said == SAYS_ELSE;
    if (said == SAYS_ELSE && !into->first_other[0])
      snprintf(into->first_other, sizeof into->first_other, "%s: %s", id, o ? o->about : "no such obligation");
  }
  certificate_reader_free(&reader);
  hy_arena_free(arena);
}

void certificate_question_begin(hy_certificates *certificates, size_t count) {
  hy_text nothing = {0};
  hy_certified_program program = {"q", count, &nothing, NULL, NULL};
  hy_certificates_begin(certificates, &program);
  hy_text_free(&nothing);
}

static void add_report(hy_certificates *certificates, const char *name, const hy_pipeline *pipeline,
                       program_certificates *into) {
  const hy_oracle_report *report = &pipeline->report;
  hy_text target = {0};
  hy_tgt_print(pipeline->filled, &target);
  hy_certified_program program = {name, report->count, &target, NULL, NULL};
  hy_certificates_begin(certificates, &program);
  hy_text_free(&target);
  into->obligations += report->count;
  into->proved += report->proved;
  for (size_t i = 0; i < report->count; i++)
    into->missing += hy_certificates_add_obligation(certificates, name, i + 1, report->decisions[i].obligation);
}

program_certificates certificate_program(size_t number, bool is_compared) {
  program given = get_program(number);
  char *words[] = {"halyard", "check", given.words[0], given.words[1]};
  hy_options options;
  hy_session s;
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(hy_options_parse(&options, given.words[1][0] ? 4 : 3, words, diagnostics));
  hy_session_init(&s, options, diagnostics);
  ck_assert_int_eq(hy_session_load(&s, true), HY_STATUS_FINE);
  hy_certificates *certificates = hy_certificates_new(s.context);
  program_certificates result = {.text = NULL};
  enum { MOST = 32 };
  hy_pipeline pipelines[MOST];
  ck_assert_int_le(hy_session_count(&s), MOST);
  for (int i = 0; i < hy_session_count(&s); i++) {
    hy_session_pipeline(&s, i, &pipelines[i]);
    ck_assert_int_eq(hy_session_check(&s, &pipelines[i], false), HY_STATUS_FINE);
    add_report(certificates, hy_session_name(&s, i), &pipelines[i], &result);
  }
  const char *text = hy_certificates_text(certificates, &result.size);
  result.certificates = hy_certificates_count(certificates);
  result.text = hy_allocate(result.size + 1);
  memcpy(result.text, text, result.size + 1);
  for (int i = 0; i < hy_session_count(&s) && is_compared; i++)
    compare(s.context, hy_session_name(&s, i), &pipelines[i].report, &result);
  hy_certificates_free(certificates);
  hy_session_free(&s);
  return result;
}

void certificate_each_goal(void (*see)(void *self, const char *text, size_t size), void *self) {
  questions *q = questions_new();
  const char *facts_text, *goal_text;
  for (size_t row = 0; questions_provable(row, &facts_text, &goal_text); row++) {
    const hy_expr *facts[MAX_FACTS], *goal = questions_formula(q, goal_text);
    size_t count = questions_facts(q, facts_text, facts), size;
    hy_certificates *certificates = hy_certificates_new(questions_context(q));
    certificate_question_begin(certificates, 1);
    if (hy_certificates_add(certificates, "q/1", "ask", "a question", facts, count, goal)) {
      const char *text = hy_certificates_text(certificates, &size);
      see(self, text, size);
    }
    hy_certificates_free(certificates);
  }
  questions_free(q);
}
