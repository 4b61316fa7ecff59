// Lanes 2 and 3: the obligations of B(S), their certificates, and what halyard-certcheck says of them.

#include "fuzz/judge_internal.h"

#include "oracle/certificates.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// For each question to Z3: of lane 2, where a counterexample is found soon if there is one, and of lane 3. Certificates
// cost several times what deciding does: one pair in so many has them all.
enum { LEFT_OVER_MS = 60, CROSS_MS = 1000, CERTIFIED_ONE_IN = 8 };

extern char **environ;

// The checker is another program (decision: it shares no code); it lies beside this one, or where HALYARD_CERTCHECK
// says.
static bool find_checker(char *path, size_t room) {
  const char *given = getenv("HALYARD_CERTCHECK");
  ssize_t length = given ? snprintf(path, room, "%s", given) : readlink("/proc/self/exe", path, room - 1);
  if (length <= 0 || (size_t)length >= room) return false;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  if (!given && slash) snprintf(slash + 1, room - (size_t)(slash + 1 - path), "halyard-certcheck");
  return access(path, X_OK) == 0;
}

// Its exit status, and what it said: 0 all accepted, 1 some rejected; -1: it could not be asked.
static int ask_checker(const char *path, int certificates, int answer) {
  char name[32];
  snprintf(name, sizeof name, "/dev/fd/%d", certificates);
  char *args[] = {(char *)path, "--quiet", name, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, answer, 1);
  posix_spawn_file_actions_adddup2(&actions, answer, 2);
  pid_t child;
  int status = -1;
  bool good = posix_spawn(&child, path, &actions, NULL, args, environ) == 0 && waitpid(child, &status, 0) == child;
  posix_spawn_file_actions_destroy(&actions);
  return good && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check_certificates(hy_judging *g, const char *text, size_t length, int count) {
  char path[512], said[400] = "";
  if (!find_checker(path, sizeof path)) return;
  int file = memfd_create("certificates", 0), answer = memfd_create("answer", 0);
  int status = -1;
  if (file >= 0 && answer >= 0 && write(file, text, length) == (ssize_t)length)
    status = ask_checker(path, file, answer);
  ssize_t got = answer >= 0 ? pread(answer, said, sizeof said - 1, 0) : 0;
  said[got > 0 ? got : 0] = 0;
  if (file >= 0) close(file);
  if (answer >= 0) close(answer);
  if (status == 0) g->j->certificates = count;
  if (status > 0) hy_judging_find(g, HY_FOUND_REJECTED, "certificate", said);
}

static void certify(hy_judging *g) {
  const hy_oracle_report *r = &g->pipeline.report;
  hy_certificates *all = hy_certificates_new(g->context);
  for (size_t i = 0; i < r->count; i++)
    if (r->decisions[i].verdict == HY_VERDICT_PROVED)
      g->j->uncertified += hy_certificates_add_obligation(all, "p", i + 1, r->decisions[i].obligation) > 0;
  size_t length, count = hy_certificates_count(all);
  const char *text = hy_certificates_text(all, &length);
  if (count) check_certificates(g, text, length, (int)count);
  hy_certificates_free(all);
}

static void count_report(hy_judgement *j, const hy_oracle_report *r) {
  j->obligations = (int)r->count;
  j->proved = (int)r->proved;
  j->proved_z3 = (int)r->proved_z3;
  j->refuted = (int)r->refuted;
  j->unknown = (int)r->unknown;
  j->decide_seconds = r->seconds;
}

void hy_judging_decide(hy_judging *g) {
  bool cross = g->lanes & HY_LANE_CROSS;
  hy_oracle_options options = {cross, cross ? CROSS_MS : LEFT_OVER_MS};
  g->lane = cross ? HY_LANE_CROSS : HY_LANE_QUERY;
  hy_answer answer = hy_pipeline_check(&g->pipeline, &options, g->said);
  const hy_oracle_report *r = &g->pipeline.report;
  count_report(g->j, r);
  if (g->lanes & HY_LANE_QUERY && (cross || g->c->seed % CERTIFIED_ONE_IN == 3)) certify(g);
  if (r->vacuous) hy_judging_find(g, HY_FOUND_VACUOUS, NULL, "the entry facts are unsatisfiable");
  if (r->contested) hy_judging_find_said(g, HY_FOUND_CONTESTED, g->said);
  if (answer == HY_YES || r->vacuous) return;
  hy_verdict worst = r->refuted ? HY_VERDICT_REFUTED : HY_VERDICT_UNKNOWN;
  const hy_obligation *first = NULL; // one that is not about 64 bits if there is one
  for (size_t i = 0; i < r->count; i++)
    if (r->decisions[i].verdict == worst && (!first || first->kind == HY_B_FITS)) first = r->decisions[i].obligation;
  if (!first) return;
  hy_found found = !r->refuted ? HY_FOUND_UNDECIDED : first->kind == HY_B_FITS ? HY_FOUND_OVERFLOW : HY_FOUND_REFUTED;
  hy_text text = {0};
  hy_diagnostics_print(g->said, &text);
  hy_judging_find(g, found, hy_obligation_rule(first->kind), hy_text_string(&text));
  hy_text_free(&text);
}
