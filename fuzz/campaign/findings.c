// What a campaign has found: one finding for each key, its case that of the least pair, shrunk.

#include "fuzz/campaign/campaign.h"

#include "halide/worker.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SHRUNK = 24, CASE_SECONDS = 40 };

hy_finding *hy_findings_find(hy_campaign *c, const char *key) {
  for (size_t i = 0; i < c->findings.count; i++)
    if (strcmp(c->findings.data[i].key, key) == 0) return &c->findings.data[i];
  return NULL;
}

int hy_findings_failures(const hy_campaign *c) {
  int failures = 0;
  for (size_t i = 0; i < c->findings.count; i++) failures += hy_found_is_failure(c->findings.data[i].found);
  return failures;
}

bool hy_findings_add(hy_campaign *c, const char *key, uint64_t index, const hy_judgement *judgement) {
  hy_finding *f = hy_findings_find(c, key);
  if (f && (f->pairs++, f->index <= index)) return false;
  if (!f) {
    hy_finding fresh = {.pairs = 1};
    snprintf(fresh.key, sizeof fresh.key, "%s", key);
    hy_vec_push(&c->findings, fresh);
    f = &hy_vec_last(&c->findings);
  }
  f->index = index;
  f->judgement = judgement ? *judgement : (hy_judgement){.step = -1, .directive = HY_NO_DIRECTIVE};
  f->lane = f->judgement.lane;
  char name[HY_KEY_ROOM];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(key, "-"), key);
  if (judgement)
    f->found = judgement->found;
  else
    for (int i = 0; i < HY_FOUND_COUNT; i++) { // names may hold a '-'
      size_t length = strlen(hy_found_name((hy_found)i));
      if (strncmp(key, hy_found_name((hy_found)i), length) == 0 && key[length] == '-') f->found = (hy_found)i;
    }
  return true;
}

/* -- the text of a case -- */

static void print_case(const hy_campaign_options *o, uint64_t index, hy_case *c, const hy_judgement *j, bool shrunk,
                       hy_text *out) {
  hy_text notes = {0}, lane = {0};
  hy_lanes_print(j->lane, &lane);
  hy_text_printf(&notes, "found: %s in lane %s%s%s\nfrom: seed %" PRIu64 ", pair %" PRIu64 "\n",
                 hy_found_name(j->found), hy_text_string(&lane), *j->rule ? ", " : "", j->rule, o->seed, index);
  if (j->step >= 0)
    hy_text_printf(&notes, "first failing step: %d%s%s\n", j->step,
                   j->directive == HY_NO_DIRECTIVE ? " (the program as lowered)" : ", after ",
                   j->directive == HY_NO_DIRECTIVE ? "" : hy_judgement_directive(j));
  else if (*j->plugin)
    hy_text_printf(&notes, "first failing step: not known, in %s\n", j->plugin);
  if (shrunk) hy_text_add(&notes, "shrunk\n");
  hy_text_add(&notes, j->detail);
  hy_case_print(c, hy_text_string(&notes), out);
  hy_text_free(&notes);
  hy_text_free(&lane);
}

// Of a finding about Halide: the program that shows it by itself, and a text for Halide's tracker.
static void write_bundle(const hy_campaign_options *o, const hy_case *c, const hy_judgement *j) {
  char key[HY_KEY_ROOM], name[HY_KEY_ROOM + 8];
  hy_text program = {0}, report = {0}, why = {0};
  if (!o->out || !o->halide || j->found != HY_FOUND_HALIDE || !hy_judge_halide_program(c, j->input, &program)) return;
  hy_judgement_key(j, key, sizeof key);
  hy_text_printf(&report,
                 "# Halide %s: %s\n\n%s\n\nHalide %s (Python %s), target %s. The program below runs by itself:\n"
                 "`MALLOC_PERTURB_=165 python3 %s.py` (glibc's word for new memory without zeros) prints what is\n"
                 "expected and what came. The expected values are those that the\n"
                 "algorithm's definition gives, point by point, without any schedule; with Halyard,\n"
                 "`halyard replay %s.case` shows the same.\n\n```python\n%s```\n",
                 hy_halide_version(o->halide), j->rule, j->detail, hy_halide_version(o->halide),
                 hy_halide_python(o->halide), hy_halide_target(), key, key, program.data);
  snprintf(name, sizeof name, "%s.py", key);
  hy_store_write_file(o->out, name, program.data, program.length, &why);
  snprintf(name, sizeof name, "%s.md", key);
  hy_store_write_file(o->out, name, report.data, report.length, &why);
  hy_text_free(&program);
  hy_text_free(&report);
  hy_text_free(&why);
}

// In a child: the case of an index, judged again and shrunk; its judgement and text go to "to".
_Noreturn static void describe(const hy_campaign_options *o, uint64_t index, bool shrink, int to) {
  hy_case c;
  hy_walk walk;
  hy_judgement j = {.found = HY_FOUND_INVALID, .lane = HY_LANE_INTERPRET, .step = -1, .directive = HY_NO_DIRECTIVE};
  hy_text text = {0};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!freopen("/dev/null", "w", stderr)) _exit(9);
  bool valid = hy_campaign_case(o, index, &c, &walk);
  c.lanes = hy_lanes_of_pair(o->lanes, index);
  hy_judge_apart(&c, c.lanes, true, CASE_SECONDS, &j);
  bool reason = j.found == HY_FOUND_UNEXPORTED || j.found == HY_FOUND_DECLINED;
  if (valid && shrink && j.found >= HY_FOUND_NO_SOLUTION && !reason) {
    hy_judgement again;
    hy_shrink(&c, c.lanes, &o->shrink, &j);
    hy_judge_apart(&c, c.lanes, true, CASE_SECONDS, &again);
    if (hy_judgement_same(&again, &j)) j = again; // else Z3 was quicker this time
  }
  if (!j.lane) j.lane = c.lanes & -c.lanes; // it died
  memcpy(c.altered, j.altered_line, sizeof c.altered);
  print_case(o, index, &c, &j, shrink, &text);
  write_bundle(o, &c, &j);
  bool told = write(to, &j, sizeof j) == sizeof j;
  for (size_t at = 0; told && at < text.length;) {
    ssize_t wrote = write(to, text.data + at, text.length - at);
    told = wrote > 0;
    at += told ? (size_t)wrote : 0;
  }
  _exit(told ? 0 : 9);
}

// Until there is something to be read, or the deadline is over; progress is told meanwhile.
static bool wait_for_description(const hy_campaign_options *o, const hy_campaign *c, int from) {
  const double often = 0.5;
  for (;;) {
    double now = hy_seconds(), until = now + often;
    if (o->deadline > 0 && now > o->deadline) return false;
    if (hy_wait_readable(from, o->deadline > 0 && o->deadline < until ? o->deadline : until)) return true;
    if (c->progress && c->shrinking) c->progress(c->progress_self, c, c->seconds);
  }
}

static char *ask_description(const hy_campaign_options *o, const hy_campaign *c, uint64_t index, bool shrink,
                             hy_judgement *judgement) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return NULL;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    describe(o, index, shrink, ends[1]);
  }
  close(ends[1]);
  hy_text text = {0};
  hy_judgement j;
  char piece[4096];
  bool told = child > 0 && wait_for_description(o, c, ends[0]) && read(ends[0], &j, sizeof j) == sizeof j;
  if (!told && child > 0) kill(child, SIGKILL);
  if (told) *judgement = j;
  for (ssize_t got; told && (got = read(ends[0], piece, sizeof piece)) != 0;)
    if (got > 0) hy_text_add_bytes(&text, piece, (size_t)got);
  close(ends[0]);
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return text.data;
}

// What an earlier run or another folder knows of a finding stands in its case: the lane, and the step to blame.
void hy_findings_read_notes(hy_finding *f) {
  char lane[16], directive[HY_PLUGIN_NAME_ROOM];
  const char *found = f->text ? strstr(f->text, " in lane ") : NULL;
  const char *step = f->text ? strstr(f->text, "\n# first failing step: ") : NULL, *end = f->text;
  if (end) end = strstr(end, "\n--- algorithm\n");
  if (!f->lane && found && sscanf(found, " in lane %15[0-9a-z]", lane) == 1) hy_lanes_parse(lane, &f->lane);
  if (f->judgement.step >= 0 || !step || !end || step > end) return;
  if (sscanf(step, "\n# first failing step: %d, after %63[A-Za-z0-9_]", &f->judgement.step, directive) != 2) return;
  for (int k = 0; k < HY_OWN_DIRECTIVES; k++)
    if (strcmp(directive, hy_sched_name(k)) == 0) f->judgement.directive = k;
  if (f->judgement.directive == HY_NO_DIRECTIVE) {
    f->judgement.directive = HY_OWN_DIRECTIVES;
    snprintf(f->judgement.plugin, sizeof f->judgement.plugin, "%s", directive);
  }
}

static void count_lines(hy_finding *f) {
  const char *items = strstr(f->text, "--- schedule\n");
  f->funcs = f->directives = 0;
  for (const char *at = f->text; (at = strstr(at, "  fun ")); at++) f->funcs++;
  for (const char *at = items ? items : ""; *at; at++) f->directives += *at == '\n';
  if (f->directives) f->directives--;
}

static bool is_shrunk_already(const hy_campaign_options *o, hy_finding *f, const char *name) {
  char *text = o->out ? hy_store_read_file(o->out, name) : NULL;
  char from[64];
  snprintf(from, sizeof from, ", pair %" PRIu64 "\n", f->index);
  bool good = text && strstr(text, from) && strstr(text, "\n# shrunk\n");
  if (good && !f->text) {
    f->text = text;
    return true;
  }
  free(text);
  return good;
}

void hy_findings_write(const hy_campaign_options *o, hy_campaign *c, hy_finding *f, bool shrink) {
  char name[HY_KEY_ROOM + 8];
  double start = hy_seconds();
  if (f->found == HY_FOUND_UNEXPORTED || (f->found == HY_FOUND_DECLINED && !o->out)) return; // only counted
  snprintf(name, sizeof name, "%s.case", f->key);
  if (!is_shrunk_already(o, f, name)) {
    hy_judgement judgement = f->judgement;
    c->shrinking = shrink ? f->key : NULL;
    char *text = ask_description(o, c, f->index, shrink, &judgement);
    c->shrinking = NULL;
    if (!text) return;
    free(f->text);
    f->text = text;
    if (judgement.found == f->found) f->judgement = judgement;
    if (!f->lane) f->lane = judgement.lane;
    if (o->out && !hy_store_write_file(o->out, name, text, strlen(text), &c->trouble)) return;
    if (shrink) f->shrink_seconds = hy_seconds() - start;
  }
  hy_findings_read_notes(f);
  count_lines(f);
  if (!o->out || f->path) return;
  hy_text path = {0};
  hy_text_printf(&path, "%s/%s", o->out, name);
  f->path = path.data;
}

static int by_kind_and_key(const void *a, const void *b) {
  const hy_finding *x = a, *y = b;
  int order = hy_found_is_failure(y->found) - hy_found_is_failure(x->found);
  return order ? order : strcmp(x->key, y->key);
}

void hy_findings_finish(const hy_campaign_options *o, hy_campaign *c) {
  if (!c->findings.count) return;
  qsort(c->findings.data, c->findings.count, sizeof *c->findings.data, by_kind_and_key);
  for (size_t i = 0; i < c->findings.count; i++)
    hy_findings_write(o, c, &c->findings.data[i], o->shrink.seconds > 0 && i < MOST_SHRUNK);
}
