// halyard fmt: texts in their one layout.

#include "cli/verbs/verbs.h"

#include "semantics/base/whole_file.h"
#include "semantics/format/format.h"

#include <errno.h>
#include <string.h>

static const hy_loc nowhere = {0};

static bool is_standard_input(const char *word) { return strcmp(word, "-") == 0; }

// The language of a file: by its name; of standard input by what it begins with.
static hy_status find_language(hy_session *s, const char *path, const hy_source *source, hy_language *language) {
  if (is_standard_input(path)) {
    *language = hy_language_of_text(s->context, source);
    return HY_STATUS_FINE;
  }
  if (hy_language_of_name(path, language)) return HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_FILE_KIND, nowhere, NULL,
            "the files of Halyard's languages end in .alg, .sched and .tgt", "cannot tell the language of '%s'", path);
  return HY_STATUS_USAGE;
}

static hy_status write_back(hy_session *s, const char *path, const hy_text *text) {
  if (hy_whole_file_write(path, hy_text_string(text), text->length)) return HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return HY_STATUS_USAGE;
}

// What becomes of the layout.
static hy_status answer(hy_session *s, const char *path, const hy_text *text, bool changes, hy_record *record) {
  hy_record_bool(record, "changes", changes);
  if (s->options.check) {
    if (changes) hy_reporter_plain(s->reporter, "", path, "\n");
    return changes ? HY_STATUS_WRONG : HY_STATUS_FINE;
  }
  if (s->options.write) return changes ? write_back(s, path, text) : HY_STATUS_FINE;
  if (!s->options.json) hy_reporter_text(s->reporter, text);
  hy_record_text(record, "text", hy_text_string(text));
  return HY_STATUS_FINE;
}

static hy_status format_one(hy_session *s, const char *path, size_t *changing) {
  const hy_source *source;
  hy_language language;
  hy_status status = hy_session_read(s, is_standard_input(path) ? "/dev/stdin" : path, &source);
  if (status == HY_STATUS_FINE) status = find_language(s, path, source, &language);
  if (status != HY_STATUS_FINE) return status;
  hy_text text = {0};
  if (hy_format(s->context, source, language, s->diagnostics, &text)) {
    hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "files");
    hy_record_text(record, "file", path);
    bool changes = text.length != source->length || memcmp(hy_text_string(&text), source->text, text.length) != 0;
    status = answer(s, path, &text, changes, record);
    *changing += changes;
  } else {
    status = HY_STATUS_WRONG;
  }
  hy_text_free(&text);
  return status;
}

static hy_status misuse(hy_session *s, const char *why, const char *help) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s", why);
  return HY_STATUS_USAGE;
}

// Is the command line one that makes sense?
static hy_status check_line(hy_session *s) {
  const hy_options *o = &s->options;
  if (!o->words.count)
    return misuse(s, "'fmt' needs files", "name some, or - for standard input: halyard fmt a.alg a.sched");
  if (o->write && o->check)
    return misuse(s, "--write and --check exclude each other",
                  "--check looks only; --write changes what is to be changed");
  for (size_t i = 0; i < o->words.count; i++)
    if (is_standard_input(o->words.data[i]) && (o->write || o->words.count > 1))
      return misuse(s, o->write ? "standard input cannot be written" : "standard input stands alone",
                    "halyard fmt - prints the layout of what it is given");
  return HY_STATUS_FINE;
}

static void sum_up(hy_session *s, size_t changing) {
  if (!changing || !s->options.check) return;
  hy_report(s->diagnostics, HY_E_LAYOUT, nowhere, NULL, "halyard fmt -w lays them out", "%zu of %zu files would change",
            changing, s->options.words.count);
}

hy_status hy_command_fmt(hy_session *s) {
  size_t changing = 0;
  hy_status status = check_line(s);
  if (status != HY_STATUS_FINE) return status;
  for (size_t i = 0; i < s->options.words.count; i++) {
    status = hy_status_worse(status, format_one(s, s->options.words.data[i], &changing));
    hy_reporter_flush(s->reporter, s->diagnostics);
  }
  sum_up(s, changing);
  return status;
}
