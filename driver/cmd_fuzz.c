// halyard fuzz: random algorithm/schedule pairs, judged; halyard replay: one case file again.

#include "driver/session.h"

#include "fuzz/campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const hy_loc nowhere = {0};

/* -- options -- */

static bool take_lane(const char *name, size_t length, unsigned *lanes) {
  static const struct {
    const char *name;
    unsigned lane;
  } rows[] = {
      {"1", HY_LANE_INTERPRET}, {"2", HY_LANE_QUERY}, {"3", HY_LANE_CROSS}, {"native", HY_LANE_QUERY | HY_LANE_NATIVE}};
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) return *lanes |= rows[i].lane, true;
  return false;
}

// "1,2,native"
static bool take_lanes(hy_session *s, unsigned *lanes) {
  *lanes = 0;
  for (const char *at = s->options.lanes ? s->options.lanes : "1,2";;) {
    size_t length = strcspn(at, ",");
    if (!take_lane(at, length, lanes)) {
      hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL,
                "1: algorithm and target program agree; 2: every obligation; 3: Z3 asked about everything; native: "
                "generated code",
                "--lanes takes 1, 2, 3 and native with commas between, not '%s'", s->options.lanes);
      return false;
    }
    at += length;
    if (!*at++) return true;
  }
}

static bool make_folder(hy_session *s, const char *path) {
  struct stat info;
  if (!path || mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
    return true;
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot make the folder '%s': %s", path,
            strerror(errno));
  return false;
}

/* -- what is told -- */

static void show_progress(void *self, const hy_campaign *c, double seconds) {
  hy_session *s = self;
  uint64_t failures = 0;
  for (int i = 0; i < HY_FOUND_COUNT; i++)
    if (hy_found_is_failure((hy_found)i)) failures += c->found[i];
  hy_reporter_progress(s->reporter, "%" PRIu64 " pairs, %.0f/s, %" PRIu64 " undecided, %" PRIu64 " failures", c->pairs,
                       (double)c->pairs / (seconds > 0 ? seconds : 1), c->found[HY_FOUND_UNDECIDED], failures);
}

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

static void print_list(hy_session *s, const char *title, const uint64_t *counts, int count, const char *(*name)(int)) {
  hy_reporter_print(s->reporter, "%s:", title);
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), title);
  bool first = true;
  for (int i = 0; i < count; i++) {
    if (!counts[i]) continue;
    hy_reporter_print(s->reporter, "%s %s %" PRIu64, first ? "" : ",", name(i), counts[i]);
    hy_record_int(record, name(i), (int64_t)counts[i]);
    first = false;
  }
  hy_reporter_print(s->reporter, "%s\n", first ? " none" : "");
}

static const char *found_name(int i) { return hy_found_name((hy_found)i); }
static const char *directive_name(int i) { return hy_directive_name((hy_directive_kind)i); }
static const char *tail_name(int i) { return hy_tail_name((hy_tail)i); }
static const char *traversal_name(int i) { return hy_traversal_name((hy_traversal)i); }
static const char *depth_name(int i) { return (const char *[]){"0", "1", "2", "3", "4 or more"}[i]; }

static void print_failure(hy_session *s, const hy_failure *f) {
  bool bad = hy_found_is_failure(f->judgement.found);
  hy_reporter_print(s->reporter, "\n%s %s: %s%s", bad ? "failure" : "weakness", hy_found_name(f->judgement.found),
                    f->path ? f->path : "", f->path ? "" : "\n");
  if (f->same) hy_reporter_print(s->reporter, " (and %d more like it)", f->same);
  hy_reporter_print(s->reporter, "%s", f->path ? "\n" : "");
  if (!f->path && f->text) hy_reporter_print(s->reporter, "%s", f->text);
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "failures");
  hy_record_text(record, "found", hy_found_name(f->judgement.found));
  hy_record_int(record, "pair", (int64_t)f->index);
  hy_record_int(record, "step", f->judgement.step);
  hy_record_int(record, "more", f->same);
  hy_record_text(record, "detail", f->judgement.detail);
  hy_record_text(record, "path", f->path);
  hy_record_text(record, "case", f->text);
}

static void print_obligations(hy_session *s, const hy_campaign *c) {
  if (!c->obligations) return;
  hy_reporter_print(s->reporter,
                    "obligations: %" PRIu64 ", proved %.3f %%, by Z3 alone %.3f %%, refuted %" PRIu64
                    ", unknown %" PRIu64 "; %" PRIu64 " of %" PRIu64 " pairs have one that is unknown\n",
                    c->obligations, share(c->proved, c->obligations), share(c->proved_z3, c->obligations), c->refuted,
                    c->unknown, c->with_unknown, c->with_query);
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "obligations");
  hy_record_int(record, "all", (int64_t)c->obligations);
  hy_record_int(record, "proved", (int64_t)c->proved);
  hy_record_int(record, "proved_by_z3_alone", (int64_t)c->proved_z3);
  hy_record_int(record, "refuted", (int64_t)c->refuted);
  hy_record_int(record, "unknown", (int64_t)c->unknown);
}

static hy_status print_campaign(hy_session *s, const hy_campaign *c) {
  hy_record *record = hy_reporter_record(s->reporter);
  hy_reporter_print(s->reporter,
                    "seed %" PRIu64 ": %" PRIu64 " pairs in %.1f s, %.0f/s; %" PRIu64 " runs compared, %" PRIu64
                    " points; %" PRIu64 " inputs with errors only; %" PRIu64 " schedules with an illegal directive\n",
                    s->options.seed, c->pairs, c->seconds, (double)c->pairs / (c->seconds > 0 ? c->seconds : 1),
                    c->runs, c->points, c->errors, c->planted);
  hy_record_int(record, "pairs", (int64_t)c->pairs);
  hy_record_real(record, "seconds", c->seconds);
  hy_record_int(record, "runs", (int64_t)c->runs);
  hy_record_int(record, "points", (int64_t)c->points);
  print_list(s, "found", c->found, HY_FOUND_COUNT, found_name);
  print_obligations(s, c);
  print_list(s, "directives", c->picked, HY_DIRECTIVE_KINDS, directive_name);
  print_list(s, "tails", c->tails, 3, tail_name);
  print_list(s, "traversals", c->traversals, 4, traversal_name);
  print_list(s, "splits inside each other", c->depths, 5, depth_name);
  hy_status status = HY_STATUS_FINE;
  for (size_t i = 0; i < c->failures.count; i++) {
    print_failure(s, &c->failures.data[i]);
    if (hy_found_is_failure(c->failures.data[i].judgement.found)) status = HY_STATUS_WRONG;
  }
  return status;
}

hy_status hy_command_fuzz(hy_session *s) {
  hy_campaign_options o = {.seed = s->options.seed,
                           .pairs = (uint64_t)s->options.pairs,
                           .seconds = (double)s->options.seconds,
                           .jobs = (int)s->options.jobs,
                           .out = s->options.out};
  if (s->options.words.count) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "'halyard replay' runs a case file",
              "'fuzz' takes no files, but '%s' follows it", s->options.words.data[0]);
    return HY_STATUS_USAGE;
  }
  if (!take_lanes(s, &o.lanes) || !make_folder(s, o.out)) return HY_STATUS_USAGE;
  if (!o.pairs && o.seconds <= 0) o.seconds = 60;
  hy_campaign campaign;
  hy_campaign_run(&o, show_progress, s, &campaign);
  hy_status status = print_campaign(s, &campaign);
  if (campaign.cannot_write) {
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "some case could not be written to '%s'", o.out);
    status = hy_status_worse(status, HY_STATUS_USAGE);
  }
  hy_campaign_free(&campaign);
  return status;
}

/* -- replay -- */

static bool read_case(hy_session *s, const char *path, hy_case *c) {
  hy_text text = {0};
  char piece[4096];
  const char *why = NULL;
  FILE *file = fopen(path, "rb");
  for (size_t got; file && text.length < 1 << 22 && (got = fread(piece, 1, sizeof piece, file)) > 0;)
    hy_text_add_bytes(&text, piece, got);
  if (!file || ferror(file)) why = strerror(errno);
  if (file) fclose(file);
  if (!why && strlen(hy_text_string(&text)) != text.length) why = "has a NUL byte";
  bool good = !why && hy_case_parse(hy_text_string(&text), c, &why);
  if (!good)
    hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "the case file '%s' cannot be read: %s", path,
              why);
  hy_text_free(&text);
  return good;
}

static hy_status replay(hy_session *s, const char *path, unsigned lanes) {
  hy_case c;
  hy_judgement j;
  if (!read_case(s, path, &c)) return HY_STATUS_USAGE;
  hy_judge_apart(&c, lanes, true, &j);
  hy_case_free(&c);
  hy_reporter_print(s->reporter, "%s: %s", path, hy_found_name(j.found));
  if (j.step >= 0) hy_reporter_print(s->reporter, ", first after %d core directives", j.step);
  hy_reporter_print(
      s->reporter, "; %d obligations, proved %d, by Z3 alone %d, refuted %d, unknown %d; %d runs, %" PRIu64 " points\n",
      j.obligations, j.proved, j.proved_z3, j.refuted, j.unknown, j.runs, j.points);
  if (*j.detail) hy_reporter_print(s->reporter, "%s\n", j.detail);
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "cases");
  hy_record_text(record, "path", path);
  hy_record_text(record, "found", hy_found_name(j.found));
  hy_record_int(record, "step", j.step);
  hy_record_text(record, "detail", j.detail);
  if (j.found == HY_FOUND_CRASH || j.found == HY_FOUND_HANG) return HY_STATUS_DEFECT;
  return hy_found_is_failure(j.found)    ? HY_STATUS_WRONG
         : j.found == HY_FOUND_UNDECIDED ? HY_STATUS_UNDECIDED
                                         : HY_STATUS_FINE;
}

hy_status hy_command_replay(hy_session *s) {
  unsigned lanes;
  hy_status status = HY_STATUS_FINE;
  if (!s->options.words.count) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "'halyard fuzz --out DIR' writes case files",
              "'replay' needs a case file");
    return HY_STATUS_USAGE;
  }
  if (!take_lanes(s, &lanes)) return HY_STATUS_USAGE;
  for (size_t i = 0; i < s->options.words.count; i++)
    status = hy_status_worse(status, replay(s, s->options.words.data[i], lanes));
  return status;
}
