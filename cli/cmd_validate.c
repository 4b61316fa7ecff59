// halyard validate: judges a directive from outside the tree, and writes one
// page about it.

#include "review/review.h"

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
  hy_review r = {.s = s,
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
  hy_review_record(&r, record);
  hy_record_text(record, "page", hy_text_string(&text));
  hy_status status = write_pages(s, &r, &text) ? status_of(&r) : HY_STATUS_USAGE;
  hy_text_free(&text);
  hy_review_free(&r);
  return status;
}
