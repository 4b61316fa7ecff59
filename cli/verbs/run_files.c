#include "cli/verbs/run_files.h"

#include <string.h>

static const hy_loc nowhere = {0};

static hy_status wrong_file(hy_session *s, const char *option, const char *given, const char *why) {
  hy_text help = {0};
  const hy_alg *alg = s->alg;
  hy_text_add(&help, "write ");
  for (int k = 0; k < alg->part_count && alg->part_count > 1; k++)
    hy_text_printf(&help, "%s%s %s=FILE", k ? " " : "", option, alg->parts[k].name);
  if (alg->part_count == 1)
    hy_text_printf(&help, "%s FILE once, or %s %s=FILE: the pipeline has one output", option, option,
                   alg->parts[0].name);
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, hy_text_string(&help), "%s %s: it %s", option, given, why);
  hy_text_free(&help);
  return HY_STATUS_USAGE;
}

static hy_status name_file(hy_session *s, const char *option, const char *given, hy_run_files *f) {
  const hy_alg *alg = s->alg;
  const char *equals = strchr(given, '=');
  if (!equals) return wrong_file(s, option, given, "does not say which output is meant");
  for (int k = 0; k < alg->part_count; k++) {
    const char *name = alg->parts[k].name;
    if (strlen(name) != (size_t)(equals - given) || strncmp(name, given, strlen(name)) != 0) continue;
    if (f->of[k]) return wrong_file(s, option, given, "is a second file for that output");
    f->of[k] = equals + 1;
    return HY_STATUS_FINE;
  }
  return wrong_file(s, option, given, "names no output of the pipeline");
}

// "g=out.png": a name and '=', which no folder stands before
static bool is_named(const char *given) {
  size_t length = strspn(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  return length && given[length] == '=';
}

hy_status hy_run_name_files(hy_session *s, const char *option, const char *const *given, size_t count,
                            hy_run_files *files) {
  *files = (hy_run_files){0};
  hy_status status = HY_STATUS_FINE;
  if (s->alg->part_count == 1) {
    if (count > 1) return wrong_file(s, option, given[1], "is a second output");
    if (count && is_named(given[0])) return name_file(s, option, given[0], files);
    if (count) files->of[0] = given[0];
    return HY_STATUS_FINE;
  }
  for (size_t i = 0; i < count && status == HY_STATUS_FINE; i++) status = name_file(s, option, given[i], files);
  return status;
}
