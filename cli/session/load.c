// Reading programs: A.alg or A.tgt, then S.sched or S.sched:NAME.

#include "cli/session/session.h"
#include "semantics/value/value_parse.h"

#include <string.h>
#include <unistd.h>

static const hy_loc nowhere = {0};

static hy_status complain(hy_session *s, const char *path, const char *why, const char *help) {
  hy_report(s->diagnostics, HY_E_FILE_KIND, nowhere, NULL, help, "cannot read '%s': %s", path, why);
  return HY_STATUS_USAGE;
}

static bool ends_in(const char *path, const char *suffix) {
  size_t a = strlen(path), b = strlen(suffix);
  return a > b && strcmp(path + a - b, suffix) == 0;
}

/* -- A -- */

// Decision D69: what a hand-written program does not assume of its inputs' size is checked at entry, and said.
static const hy_tgt *complete(hy_session *s, const hy_tgt *program) {
  int added = 0;
  const hy_tgt *with = hy_tgt_assume_ranges(s->context, program, &added);
  hy_text text = {0};
  for (int i = 0; i < added && i < 3; i++) {
    const hy_expr *upper = with->entry[i]->assume.condition->args[1];
    hy_text_add(&text, i ? ", " : "");
    hy_expr_print(upper->args[0], &text);
  }
  if (added > 3) hy_text_printf(&text, " and %d more", added - 3);
  if (added)
    hy_warn(s->diagnostics, HY_E_TGT_RANGES_ADDED, program->alg->loc, "LOW.Entry-Range (decision D69)",
            "write such an assumption into the entry block, with the numbers that you mean",
            "the entry block does not say between which numbers %s lie%s: 'assume range' within +-2^31 is added",
            hy_text_string(&text), added == 1 ? "s" : "");
  hy_text_free(&text);
  return with;
}

static hy_status load_algorithm(hy_session *s, const char *path) {
  const hy_source *source;
  bool is_alg = ends_in(path, ".alg");
  if (!is_alg && !ends_in(path, ".tgt"))
    return complain(s, path, "the first file is an algorithm (.alg) or a target program (.tgt)",
                    ends_in(path, ".sched") ? "write the algorithm before the schedule" : NULL);
  hy_status status = hy_session_read(s, path, &source);
  if (status != HY_STATUS_FINE) return status;
  if (is_alg)
    s->alg = hy_parse_alg(s->context, source, s->diagnostics);
  else if ((s->program = hy_parse_tgt(s->context, source, s->diagnostics))) {
    s->program = complete(s, s->program);
    s->alg = s->program->alg;
  }
  return s->alg ? HY_STATUS_FINE : HY_STATUS_WRONG;
}

/* -- S -- */

// "S.sched:NAME": *length is that of the file's part; the name, or NULL.
static const char *split_name(const char *word, size_t *length) {
  *length = strlen(word);
  if (access(word, F_OK) == 0) return NULL; // a colon can be part of a file's name
  const char *colon = strrchr(word, ':');
  if (!colon || colon - word < 7 || memcmp(colon - 6, ".sched", 6) != 0) return NULL;
  *length = (size_t)(colon - word);
  return colon + 1;
}

static hy_status no_such_schedule(hy_session *s, const char *path, const char *name, const hy_schedule *all,
                                  int count) {
  const char **names = hy_allocate(sizeof *names * (size_t)(count + 1));
  hy_text help = {0};
  for (int i = 0; i < count; i++) names[i] = all[i].name;
  const char *near = name ? hy_nearest(name, names, (size_t)count) : NULL;
  if (near) hy_text_printf(&help, "did you mean '%s:%s'? ", path, near);
  hy_text_add(&help, count ? "there are" : "there are none");
  for (int i = 0; i < count; i++) hy_text_printf(&help, "%s %s:%s", i ? "," : "", path, names[i]);
  if (name)
    hy_report(s->diagnostics, HY_E_SCHEDULE_CHOICE, nowhere, NULL, hy_text_string(&help),
              "'%s' has no schedule named '%s'", path, name);
  else
    hy_report(s->diagnostics, HY_E_SCHEDULE_CHOICE, nowhere, NULL, hy_text_string(&help),
              "'%s' has %d schedules; name one", path, count);
  hy_text_free(&help);
  free(names);
  return HY_STATUS_USAGE;
}

static hy_status pick_schedules(hy_session *s, const char *path, const char *name, bool many, const hy_schedule *all,
                                int count) {
  if (!name && count == 0) {
    hy_report(s->diagnostics, HY_E_SCHEDULE_CHOICE, nowhere, NULL,
              "write 'schedule NAME for PIPELINE { }', or leave the file out for the default schedule",
              "'%s' has no schedules", path);
    return HY_STATUS_WRONG;
  }
  if (!name && count > 1 && !many) return no_such_schedule(s, path, NULL, all, count);
  size_t before = s->schedules.count;
  for (int i = 0; i < count; i++)
    if (!name || strcmp(all[i].name, name) == 0) hy_vec_push(&s->schedules, &all[i]);
  return s->schedules.count > before ? HY_STATUS_FINE : no_such_schedule(s, path, name, all, count);
}

static hy_status load_schedule(hy_session *s, const char *word, bool many) {
  size_t length;
  const char *name = split_name(word, &length);
  const char *path = hy_arena_copy(hy_context_arena(s->context), word, length);
  const hy_source *source;
  const hy_schedule *all;
  int count;
  hy_status status = HY_STATUS_FINE;
  if (!ends_in(path, ".sched"))
    status = complain(s, word, "a schedule's file ends in .sched, and :NAME picks one of its schedules", NULL);
  if (status == HY_STATUS_FINE) status = hy_session_read(s, path, &source);
  if (status == HY_STATUS_FINE && !hy_parse_schedules(s->context, source, s->diagnostics, &all, &count))
    status = HY_STATUS_WRONG;
  if (status == HY_STATUS_FINE) status = pick_schedules(s, path, name, many, all, count);
  return status;
}

hy_status hy_session_load(hy_session *s, bool many) {
  if (s->options.words.count == 0) {
    hy_text help = {0};
    hy_text_printf(&help, "'halyard help %s' explains it", hy_verb_name(s->options.verb));
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, hy_text_string(&help), "'%s' needs an algorithm (.alg)",
              hy_verb_name(s->options.verb));
    hy_text_free(&help);
    return HY_STATUS_USAGE;
  }
  if (s->options.words.count > 2 && !many) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, NULL,
              "'%s' takes an algorithm and one schedule file, not also '%s'", hy_verb_name(s->options.verb),
              s->options.words.data[2]);
    return HY_STATUS_USAGE;
  }
  hy_status status = load_algorithm(s, s->options.words.data[0]);
  if (s->program && s->options.words.count > 1) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "leave the schedule out: a target program has one built in",
              "'%s' is a target program and takes no schedule", s->options.words.data[0]);
    return HY_STATUS_USAGE;
  }
  for (size_t i = 1; i < s->options.words.count; i++)
    status = hy_status_worse(status, load_schedule(s, s->options.words.data[i], many));
  return status;
}
