// halyard replay: case files, judged again; halyard reduce: made smaller; halyard fuzz --choices: the case of a choice
// sequence, for fuzzers that make the bytes.

#include "cli/verbs/verbs.h"

#include "cli/reports/with_halide.h"
#include "fuzz/judge/judge.h"
#include "plugin/plugin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};
enum { MOST_CASE_BYTES = 1 << 22, CASE_SECONDS = 60, HALIDE_SECONDS = 10 };

static bool read_bytes(const char *path, hy_text *text, const char **why) {
  char piece[4096];
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  *why = NULL;
  for (size_t got; file && text->length < MOST_CASE_BYTES && (got = fread(piece, 1, sizeof piece, file)) > 0;)
    hy_text_add_bytes(text, piece, got);
  if (!file || ferror(file)) *why = strerror(errno);
  if (text->length >= MOST_CASE_BYTES) *why = "it is too large";
  if (file && file != stdin) fclose(file);
  return !*why;
}

static bool read_case(hy_session *s, const char *path, hy_case *c) {
  hy_text text = {0};
  const char *why = NULL;
  if (read_bytes(path, &text, &why) && strlen(hy_text_string(&text)) != text.length) why = "has a NUL byte";
  bool good = !why && hy_case_parse(hy_text_string(&text), c, &why);
  if (!good)
    hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "the case file '%s' cannot be read: %s", path,
              why);
  if (good) c->plugins = hy_context_plugins(s->context);
  hy_text_free(&text);
  return good;
}

static void report_needed(hy_session *s, const char *path, const char *directive, const char *file) {
  hy_report(s->diagnostics, HY_E_UNKNOWN_DIRECTIVE, nowhere, NULL,
            hy_arena_printf(hy_context_arena(s->context), "halyard %s %s --plugin %s", hy_verb_name(s->options.verb),
                            path, file),
            "the schedule of '%s' uses the directive '%s' of a plug-in: this case needs --plugin %s", path, directive,
            file);
}

// Are the plug-ins here that the case says it needs?
static bool has_plugins(hy_session *s, const char *path, const hy_case *c) {
  bool all = true;
  for (int i = 0; i < c->needed_count; i++) {
    const hy_case_plugin *p = &c->needed[i];
    if (hy_plugins_find(c->plugins, p->name)) continue;
    report_needed(s, path, p->name, p->file);
    all = false;
  }
  return all;
}

// The directive of a schedule that nobody knows; cases of older campaigns do not say what they need. NULL: all are
// known, or the case is meant to be refused.
static const char *find_unknown(hy_session *s, const hy_case *c, const hy_judgement *j) {
  const char *quote = strstr(j->detail, "directive '");
  if (c->illegal || j->found != HY_FOUND_REFUSED || strcmp(j->rule, "HY0402") != 0 || !quote) return NULL;
  quote += strlen("directive '");
  return hy_arena_printf(hy_context_arena(s->context), "%.*s", (int)strcspn(quote, "'"), quote);
}

// Lane halide needs one: it stays for the rest of the command.
static bool has_halide(hy_session *s, hy_case *c, unsigned lanes) {
  if (lanes & HY_LANE_HALIDE && !s->halide) s->halide = hy_with_halide_start(s, HALIDE_SECONDS);
  c->halide = s->halide;
  return !(lanes & HY_LANE_HALIDE) || c->halide;
}

// Judges a case. False, and reported, if a plug-in is missing.
static bool judge(hy_session *s, const char *path, hy_case *c, unsigned lanes, hy_judgement *j) {
  if (!has_plugins(s, path, c) || !has_halide(s, c, lanes)) return false;
  hy_judge_apart(c, hy_lanes_of_pair(lanes, 0), true, CASE_SECONDS, j);
  const char *unknown = find_unknown(s, c, j);
  if (unknown) report_needed(s, path, unknown, "FILE.so");
  return !unknown;
}

// Those of the command line, else of the case, else lanes 1 and 2.
static bool choose_lanes(hy_session *s, const hy_case *c, unsigned *lanes) {
  *lanes = c->lanes ? c->lanes : HY_LANE_INTERPRET | HY_LANE_QUERY;
  if (!s->options.lanes || hy_lanes_parse(s->options.lanes, lanes)) return true;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, NULL,
            "--lanes takes 1, 2, 3, 4, 5 with commas between, not '%s'", s->options.lanes);
  return false;
}

static hy_status status_of(hy_found found) {
  if (found == HY_FOUND_CRASH || found == HY_FOUND_HANG) return HY_STATUS_DEFECT;
  if (hy_found_is_failure(found)) return HY_STATUS_WRONG;
  return found == HY_FOUND_UNDECIDED || found == HY_FOUND_UNCERTIFIED ? HY_STATUS_UNDECIDED : HY_STATUS_FINE;
}

static void print_judgement(hy_session *s, const char *path, const hy_judgement *j) {
  bool failure = hy_found_is_failure(j->found);
  hy_reporter_print(s->reporter, "%s: %s", path, hy_found_name(j->found));
  if (*j->rule) hy_reporter_print(s->reporter, " (%s)", j->rule);
  if (j->directive != HY_NO_DIRECTIVE && j->step < 0)
    hy_reporter_print(s->reporter, ", in %s", hy_judgement_directive(j));
  else if (j->directive != HY_NO_DIRECTIVE)
    hy_reporter_print(s->reporter, ", first after step %d, %s", j->step, hy_judgement_directive(j));
  else if (j->step == 0)
    hy_reporter_print(s->reporter, ", as lowered");
  hy_reporter_print(s->reporter,
                    "; %d obligations, proved %d, by Z3 alone %d, refuted %d, unknown %d; %d runs, %" PRIu64 " points",
                    j->obligations, j->proved, j->proved_z3, j->refuted, j->unknown, j->runs, j->points);
  if (j->altered)
    hy_reporter_print(s->reporter, "; other bounds %d, proved %d, refuted %d", j->altered, j->altered_proved,
                      j->altered_refuted);
  hy_reporter_print(s->reporter, "\n");
  if (*j->detail && (failure || s->options.verbose)) hy_reporter_print(s->reporter, "%s\n", j->detail);
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "cases");
  hy_record_text(record, "path", path);
  hy_record_text(record, "found", hy_found_name(j->found));
  hy_record_text(record, "rule", j->rule);
  hy_record_int(record, "step", j->step);
  hy_record_text(record, "directive", hy_judgement_directive(j));
  hy_record_text(record, "detail", j->detail);
}

static hy_status replay(hy_session *s, const char *path) {
  hy_case c;
  hy_judgement j;
  unsigned lanes;
  if (!read_case(s, path, &c)) return HY_STATUS_USAGE;
  bool good = choose_lanes(s, &c, &lanes) && judge(s, path, &c, lanes, &j);
  if (good) print_judgement(s, path, &j);
  hy_case_free(&c);
  return good ? status_of(j.found) : HY_STATUS_USAGE;
}

static bool needs_cases(hy_session *s, const char *verb) {
  if (s->options.words.count) return true;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "'halyard fuzz --out DIR' writes case files",
            "'%s' needs a case file", verb);
  return false;
}

hy_status hy_command_replay(hy_session *s) {
  hy_status status = HY_STATUS_FINE;
  if (!needs_cases(s, "replay")) return HY_STATUS_USAGE;
  for (size_t i = 0; i < s->options.words.count; i++)
    status = hy_status_worse(status, replay(s, s->options.words.data[i]));
  return status;
}

/* -- reduce -- */

static bool write_text(hy_session *s, const char *path, const hy_text *text) {
  FILE *file = fopen(path, "wb");
  bool good = file && fwrite(text->data, 1, text->length, file) == text->length;
  if (file && fclose(file) != 0) good = false;
  if (!good)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return good;
}

static hy_status write_reduced(hy_session *s, const char *path, const hy_case *c, const hy_judgement *j) {
  hy_text text = {0}, notes = {0}, to = {0};
  hy_text_printf(&notes, "found: %s%s%s\nshrunk\n%s", hy_found_name(j->found), *j->rule ? ", " : "", j->rule,
                 j->detail);
  hy_case_print(c, hy_text_string(&notes), &text);
  hy_text_printf(&to, "%s.reduced", path);
  bool good = true;
  if (s->options.output)
    good = write_text(s, s->options.output, &text);
  else if (strcmp(path, "-") != 0)
    good = write_text(s, hy_text_string(&to), &text);
  else
    hy_reporter_text(s->reporter, &text);
  if (good && strcmp(path, "-") != 0)
    hy_reporter_print(s->reporter, "%s: smaller, in %s\n", path,
                      s->options.output ? s->options.output : hy_text_string(&to));
  hy_text_free(&text);
  hy_text_free(&notes);
  hy_text_free(&to);
  return good ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

static hy_status reduce(hy_session *s, const char *path) {
  hy_case c;
  hy_judgement j;
  unsigned lanes = 0;
  if (!read_case(s, path, &c)) return HY_STATUS_USAGE;
  hy_status status = choose_lanes(s, &c, &lanes) && judge(s, path, &c, lanes, &j) ? HY_STATUS_FINE : HY_STATUS_USAGE;
  if (status == HY_STATUS_FINE) {
    if (hy_found_is_failure(j.found) || hy_found_is_weakness(j.found)) {
      hy_shrink_limits limits = {s->options.shrink > 0 ? (double)s->options.shrink : 60, 100000};
      hy_shrink(&c, hy_lanes_of_pair(lanes, 0), &limits, &j);
      status = write_reduced(s, path, &c, &j);
    } else
      hy_reporter_print(s->reporter, "%s: there is nothing to keep: it shows %s\n", path, hy_found_name(j.found));
    print_judgement(s, path, &j);
    if (status == HY_STATUS_FINE) status = status_of(j.found);
  }
  hy_case_free(&c);
  return status;
}

hy_status hy_command_reduce(hy_session *s) {
  if (!needs_cases(s, "reduce")) return HY_STATUS_USAGE;
  if (s->options.words.count > 1 && s->options.output) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "without --output each goes to CASE.reduced",
              "--output takes one case, and %zu are given", s->options.words.count);
    return HY_STATUS_USAGE;
  }
  hy_status status = HY_STATUS_FINE;
  for (size_t i = 0; i < s->options.words.count; i++)
    status = hy_status_worse(status, reduce(s, s->options.words.data[i]));
  return status;
}

/* -- choices -- */

// In this process: a crash is to be seen by whoever made the bytes.
hy_status hy_command_choices(hy_session *s, unsigned lanes, hy_halide *halide) {
  hy_text bytes = {0}, text = {0};
  const char *why;
  if (!read_bytes(s->options.choices, &bytes, &why)) {
    hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "the choices in '%s' cannot be read: %s",
              s->options.choices, why);
    hy_text_free(&bytes);
    return HY_STATUS_USAGE;
  }
  hy_choices choices = hy_choices_of_bytes((const uint8_t *)bytes.data, bytes.length);
  hy_generate_options options = {.favourite = HY_NO_DIRECTIVE, .plugins = hy_context_plugins(s->context)};
  hy_case c;
  hy_walk walk;
  hy_judgement j;
  hy_case_generate(&choices, &options, &c, &walk);
  c.lanes = hy_lanes_of_pair(lanes, 0);
  c.halide = halide;
  hy_judge(&c, c.lanes, true, &j);
  hy_case_print(&c, NULL, &text);
  hy_reporter_text(s->reporter, &text);
  print_judgement(s, s->options.choices, &j);
  hy_case_free(&c);
  hy_text_free(&bytes);
  hy_text_free(&text);
  return status_of(j.found);
}
