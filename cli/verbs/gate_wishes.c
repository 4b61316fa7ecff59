// What is asked of 'gate', before anything is looked at: an option that does nothing would seem to have been heeded, and
// a report must not take the place of what is judged.

#include "cli/verbs/gate_wishes.h"

#include "gate/manifest/files.h"
#include "semantics/base/whole_file.h"
#include "semantics/value/errors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const hy_loc nowhere = {0};

static hy_status usage(hy_session *s, const char *help, const char *what, const char *word) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s '%s'", what, word);
  return HY_STATUS_USAGE;
}

static hy_arena *arena_of(hy_session *s) { return hy_context_arena(s->context); }

/* -- what may stay undecided -- */

static const char *const allowed_words[] = {"open",      "not-run",  "no-input",     "not-judged",
                                            "not-shown", "not-seen", "other-version"};

static bool has_word(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',')
    if (strcspn(at, ",") == length && strncmp(at, word, length) == 0) return true;
  return false;
}

static hy_status read_allow(hy_session *s) {
  for (const char *at = s->options.allow; at && *at; at += strcspn(at, ","), at += *at == ',') {
    bool known = false;
    for (size_t i = 0; i < HY_COUNT(allowed_words); i++)
      known |= strcspn(at, ",") == strlen(allowed_words[i]) && has_word(at, allowed_words[i]);
    if (!known)
      return usage(s, "the words are open, not-run, no-input, not-judged, not-shown, not-seen, other-version",
                   "--allow does not know a word of", s->options.allow);
  }
  return HY_STATUS_FINE;
}

void hy_gate_allow(const hy_session *s, hy_gate_result *result) {
  for (size_t i = 0; i < result->checks.count; i++) {
    hy_gate_check *c = &result->checks.data[i];
    c->is_allowed = c->verdict == HY_GATE_UNDECIDED && has_word(s->options.allow, c->name);
  }
}

/* -- options that need others -- */

// What decides what is asked, and so belongs to the parts.
static const char *const asking[] = {"level",          "verify-only",  "inputs", "seed",    "rebuild",
                                     "second-checker", "max-slowdown", "param",  "window",  "plugin",
                                     "z3-steps",       "shard",        "part",   "baseline"};

static hy_status check_merge(hy_session *s) {
  const char *asks = hy_options_first_of(&s->options, asking, HY_COUNT(asking));
  if (!s->options.merge) return HY_STATUS_FINE;
  if (s->options.words.count < 2)
    return usage(s, "write 'halyard gate DIR --merge FILE...'", "--merge wants the parts of all shards, behind",
                 s->options.words.data[0]);
  if (asks)
    return usage(s, "leave it out: what was asked is what the parts were asked",
                 "--merge asks nothing anew. It cannot use", hy_arena_printf(arena_of(s), "--%s", asks));
  return HY_STATUS_FINE;
}

static hy_status check_needs(hy_session *s) {
  static const char *const of_speed[] = {"param", "window", "max-slowdown"};
  const hy_options *o = &s->options;
  const char *idle = hy_options_first_of(o, of_speed, HY_COUNT(of_speed));
  if (o->verify_only && o->baseline)
    return usage(s, "leave --verify-only out", "--verify-only runs nothing, and so it cannot time", "--baseline");
  if (o->verify_only && o->level > 1 && hy_options_first_of(o, &asking[0], 1))
    return usage(s, "leave one of the two out", "--verify-only is levels 0 and 1, and cannot be",
                 hy_arena_printf(arena_of(s), "--level %d", (int)o->level));
  if (o->second_checker && o->level < 1 && !o->verify_only)
    return usage(s, "ask for --level 1 or more", "level 0 asks no checker, and so there is none to be",
                 "--second-checker");
  if (idle && !o->baseline && !o->merge)
    return usage(s, "add --baseline DIR, or leave it out", "level 4 alone, which --baseline asks for, can use",
                 hy_arena_printf(arena_of(s), "--%s", idle));
  return HY_STATUS_FINE;
}

/* -- without compiler and solver -- */

// What is made again, run or timed, and of what.
static const char *const beyond[] = {"rebuild", "baseline", "max-slowdown", "param",  "window",
                                     "inputs",  "seed",     "z3-steps",     "plugin", "limit-ms"};

const char *const *hy_gate_beyond(size_t *count) {
  *count = HY_COUNT(beyond);
  return beyond;
}

hy_status hy_gate_check_alone(hy_session *s) {
  static const char help[] = "use 'halyard gate'";
  const hy_options *o = &s->options;
  const char *asks = hy_options_first_of(o, beyond, HY_COUNT(beyond));
  if (o->merge) return HY_STATUS_FINE; // what was asked is what the parts were asked
  if (asks)
    return usage(s, help, "halyard-gate has neither compiler nor solver, which are what it takes to heed",
                 hy_arena_printf(arena_of(s), "--%s", asks));
  if (o->level > 1 && hy_options_first_of(o, &asking[0], 1))
    return usage(s, help, "halyard-gate judges levels 0 and 1, and not",
                 hy_arena_printf(arena_of(s), "--level %d", (int)o->level));
  if (o->words.count > 1)
    return usage(s, help, "halyard-gate has no compiler, and compares what shipped with no sources, such as",
                 o->words.data[1]);
  return HY_STATUS_FINE;
}

/* -- files that are written -- */

typedef struct {
  const char *option, *path;
} output;
enum { OUTPUTS = 6, PART = 5 }; // a part that cannot be written stands in every report

// What a file will be called, through links and folders; "" for a device or a pipe, which takes whatever comes.
static const char *real_name(hy_session *s, const char *path) {
  struct stat about;
  const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
  bool is_there = stat(path, &about) == 0;
  if (is_there && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) return "";
  const char *folder = slash ? hy_arena_copy(arena_of(s), path, (size_t)(last - path)) : ".";
  char *real = realpath(is_there ? path : folder, NULL);
  const char *name = !real      ? path
                     : is_there ? hy_arena_copy(arena_of(s), real, strlen(real))
                                : hy_arena_printf(arena_of(s), "%s/%s", real, last);
  free(real);
  return name;
}

static bool is_same_file(hy_session *s, const char *a, const char *b) {
  struct stat x, y;
  const char *name = real_name(s, a);
  if (!*name) return false;
  bool is_linked = stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  return is_linked || strcmp(name, real_name(s, b)) == 0;
}

// "S.sched:NAME" names a file, too.
static const char *file_of(hy_session *s, const char *word) {
  const char *colon = strrchr(word, ':');
  struct stat about;
  if (!colon || stat(word, &about) == 0) return word;
  return hy_arena_copy(arena_of(s), word, (size_t)(colon - word));
}

static hy_status overwrites(hy_session *s, const output *o, const char *what) {
  return usage(s, "write it somewhere else",
               hy_arena_printf(arena_of(s), "--%s would take the place of %s,", o->option, what), o->path);
}

// The folder's manifest, its sums, and what the manifest names.
static bool is_of_folder(hy_session *s, const char *word, const char *path) {
  enum { MOST = 1 << 24 };
  struct stat about;
  const char *slash = strrchr(word, '/'), *unheard;
  bool is_folder = stat(word, &about) == 0 && S_ISDIR(about.st_mode);
  const char *folder = is_folder ? word : slash ? hy_arena_copy(arena_of(s), word, (size_t)(slash - word) + 1) : ".";
  char name[256];
  hy_manifest m = {.name = NULL};
  hy_text text = {0};
  bool is_found = is_folder ? hy_gate_find_manifest(folder, name, &unheard)
                            : snprintf(name, sizeof name, "%s", slash ? slash + 1 : word) < (int)sizeof name;
  bool same = is_same_file(s, path, hy_arena_printf(arena_of(s), "%s/%s", folder, HY_SUMS_NAME)) ||
              (is_found && is_same_file(s, path, hy_arena_printf(arena_of(s), "%s/%s", folder, name)));
  if (is_found && hy_gate_read(folder, name, MOST, &text, &unheard))
    hy_manifest_read(arena_of(s), text.data, text.length, &m, &unheard);
  for (size_t i = 0; i < m.artefacts.count && !same; i++)
    same = is_same_file(s, path, hy_arena_printf(arena_of(s), "%s/%s", folder, m.artefacts.data[i].path));
  hy_text_free(&text);
  hy_manifest_free(&m);
  return same;
}

static hy_status check_output(hy_session *s, const output *all, int k) {
  const hy_options *o = &s->options;
  for (int i = 0; i < k; i++)
    if (all[i].path && is_same_file(s, all[k].path, all[i].path))
      return usage(s, "give each a file of its own",
                   hy_arena_printf(arena_of(s), "--%s and --%s write both into", all[i].option, all[k].option),
                   all[k].path);
  for (size_t i = 1; i < o->words.count; i++)
    if (is_same_file(s, all[k].path, file_of(s, o->words.data[i]))) return overwrites(s, &all[k], "what is read");
  if (o->second_checker && is_same_file(s, all[k].path, o->second_checker))
    return overwrites(s, &all[k], "the second checker");
  for (size_t i = 0; i < o->plugins.count; i++)
    if (is_same_file(s, all[k].path, o->plugins.data[i])) return overwrites(s, &all[k], "a plug-in");
  if (is_of_folder(s, o->words.data[0], all[k].path) || (o->baseline && is_of_folder(s, o->baseline, all[k].path)))
    return overwrites(s, &all[k], "a file that shipped");
  return HY_STATUS_FINE;
}

// Told before anything runs: of several reports none is written then, and none says that all is well. A pipe is not
// opened twice.
static hy_status check_writable(hy_session *s, const char *path) {
  struct stat about;
  hy_whole_file file;
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) return HY_STATUS_FINE;
  if (hy_whole_file_open(&file, path)) return hy_whole_file_drop(&file), HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return HY_STATUS_USAGE;
}

static hy_status check_outputs(hy_session *s) {
  const hy_options *o = &s->options;
  const output all[OUTPUTS] = {{"junit", o->junit},       {"sarif", o->sarif},
                               {"svr", o->svr},           {"test-result", o->test_result},
                               {"markdown", o->markdown}, {"part", o->part}};
  hy_status status = HY_STATUS_FINE;
  for (int k = 0; k < OUTPUTS && status == HY_STATUS_FINE; k++)
    if (all[k].path) status = check_output(s, all, k);
  for (int k = 0; k < PART && status == HY_STATUS_FINE; k++)
    if (all[k].path) status = check_writable(s, all[k].path);
  return status;
}

hy_status hy_gate_check_wishes(hy_session *s) {
  hy_status status = read_allow(s);
  if (status == HY_STATUS_FINE) status = check_merge(s);
  if (status == HY_STATUS_FINE) status = check_needs(s);
  return status == HY_STATUS_FINE ? check_outputs(s) : status;
}
