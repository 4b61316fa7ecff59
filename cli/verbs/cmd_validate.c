// halyard validate: judges a directive from outside the tree, and writes one
// page about it.

#include "cli/verbs/verbs.h"
#include "review/review.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const hy_loc nowhere = {0};
enum { PAIRS = 10000, SECONDS = 600 }; // ten times what that many pairs take on an idle machine

static bool write_page(hy_session *s, const char *name, const hy_text *text) {
  hy_text why = {0};
  bool good = hy_store_write_file(s->options.out, name, hy_text_string(text), text->length, &why);
  if (!good)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s/%s': %s", s->options.out, name,
              hy_text_string(&why));
  hy_text_free(&why);
  return good;
}

static bool write_case(hy_session *s, const hy_review *r) {
  hy_text text = {0};
  if (!r->failures.count) return true;
  hy_case_print(&r->failures.data[0].c, r->failures.data[0].judgement.detail, &text);
  bool good = write_page(s, "smallest.case", &text);
  hy_text_free(&text);
  return good;
}

static bool write_pages(hy_session *s, const hy_review *r, const hy_text *text) {
  hy_text html = {0};
  if (!s->options.out) return true;
  hy_review_html(r, &html);
  bool good = write_page(s, "report.txt", text) && write_page(s, "report.html", &html) && write_case(s, r);
  hy_text_free(&html);
  return good;
}

static bool make_folder(hy_session *s) {
  struct stat info;
  const char *path = s->options.out;
  if (!path || mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
    return true;
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot make the folder '%s': %s", path,
            strerror(errno));
  return false;
}

static hy_status status_of(const hy_review *r) {
  switch (r->verdict) {
  case HY_REVIEW_SOUND: return HY_STATUS_FINE;
  case HY_REVIEW_REFUTED: return HY_STATUS_WRONG;
  case HY_REVIEW_OPEN: return HY_STATUS_UNDECIDED;
  }
  HY_UNREACHABLE();
}

static void record_review(const hy_review *r, hy_record *record) {
  hy_record_text(record, "directive", r->plugin->directive->name);
  hy_record_text(record, "answer",
                 r->verdict == HY_REVIEW_SOUND     ? "sound"
                 : r->verdict == HY_REVIEW_REFUTED ? "refuted"
                                                   : "undecided");
  hy_record_text(record, "because", r->open ? r->open : r->death);
  hy_record_int(record, "leaked_bytes", r->leaked_bytes);
  for (int i = 0; i < HY_REVIEW_SHAPES; i++) {
    hy_record *row = hy_record_append(record, "nests");
    hy_record_text(row, "name", r->shapes[i].name);
    hy_record_int(row, "applied", r->shapes[i].applied);
    hy_record_int(row, "refused", r->shapes[i].refused);
    hy_record_int(row, "failures", r->shapes[i].failed);
    hy_record_int(row, "undecided", r->shapes[i].undecided);
  }
  for (int i = 0; i < r->plugin->count; i++) {
    if (!r->arguments[i].is_number) continue;
    hy_record *row = hy_record_append(record, "arguments");
    hy_record_int(row, "argument", i + 1);
    hy_record_ints(row, "values", r->arguments[i].values.data, (int)r->arguments[i].values.count);
    hy_record_bool(row, "parameter", r->arguments[i].is_param);
  }
  for (int i = 0; i < HY_REVIEW_CAMPAIGNS; i++) {
    hy_record *row = hy_record_append(record, "campaigns");
    hy_record_text(row, "name", r->campaigns[i].name);
    hy_record_int(row, "pairs", (int64_t)r->campaigns[i].pairs);
    hy_record_int(row, "applications", (int64_t)r->campaigns[i].applications);
    hy_record_int(row, "failures", (int64_t)r->campaigns[i].failures);
    hy_record_int(row, "undecided", (int64_t)r->campaigns[i].undecided);
  }
  if (!r->failures.count) return;
  hy_record *smallest = hy_record_child(record, "smallest");
  hy_record_text(smallest, "found", hy_found_name(r->failures.data[0].judgement.found));
  hy_record_text(smallest, "detail", r->failures.data[0].judgement.detail);
  hy_record_text(smallest, "algorithm", r->failures.data[0].c.alg);
  hy_record_text(smallest, "schedule", r->failures.data[0].c.items);
  hy_record_int(smallest, "funcs", r->failures.data[0].funcs);
  hy_record_int(smallest, "directives", r->failures.data[0].directives);
}

static void show_progress(void *self, const char *line) {
  const hy_session *s = self;
  hy_reporter_progress(s->reporter, "%s", line);
}

static void judge(hy_review *r) {
  hy_review_name_neighbours(r);
  hy_review_look(r);
  if (!r->death) hy_review_leaks(r);
  // Thousands of pairs would fill the machine's memory.
  if (!r->death && r->leaked_bytes < HY_REVIEW_MUCH) hy_review_campaigns(r);
  hy_review_smallest(r);
  hy_review_conclude(r);
}

// The plug-in is loaded already: it is one of the command line's.
hy_status hy_command_validate(hy_session *s) {
  const hy_plugins *plugins = hy_context_plugins(s->context);
  if (s->options.words.count != 1 || !plugins || !plugins->count) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "halyard validate PLUGIN.so", "'validate' takes one plug-in");
    return HY_STATUS_USAGE;
  }
  if (!make_folder(s)) return HY_STATUS_USAGE;
  hy_review r = {.context = s->context,
                 .progress = show_progress,
                 .self = s,
                 .plugins = plugins,
                 .plugin = plugins->items[0],
                 .seed = s->options.seed,
                 .pairs = s->options.pairs ? (uint64_t)s->options.pairs : PAIRS,
                 .jobs = (int)s->options.jobs,
                 .start = hy_seconds(),
                 .seconds = s->options.seconds ? (double)s->options.seconds : SECONDS};
  hy_text text = {0};
  judge(&r);
  hy_review_text(&r, &text);
  hy_reporter_print(s->reporter, "%s", hy_text_string(&text));
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "validation");
  record_review(&r, record);
  hy_record_text(record, "page", hy_text_string(&text));
  hy_status status = write_pages(s, &r, &text) ? status_of(&r) : HY_STATUS_USAGE;
  hy_text_free(&text);
  hy_review_free(&r);
  return status;
}
