#include "cli/typing/completion.h"

#include "sched/sched.h"

#include <string.h>

static const char bash_tail[] = {
#include "completion_tail_bash.inc"
    , 0};
static const char zsh_tail[] = {
#include "completion_tail_zsh.inc"
    , 0};
static const char fish_tail[] = {
#include "completion_tail_fish.inc"
    , 0};

/* -- texts in quotes -- */

// For a list of options: what stands before the first ";" or "(", at most so long.
static void add_short(hy_text *out, const char *meaning) {
  enum { MOST = 70 };
  size_t length = strcspn(meaning, ";(:");
  while (length && meaning[length - 1] == ' ') length--;
  if (length > MOST) {
    for (length = MOST; meaning[length] != ' ';) length--;
    hy_text_add_bytes(out, meaning, length);
    hy_text_add(out, " ...");
  } else {
    hy_text_add_bytes(out, meaning, length);
  }
}

// In single quotes, for all three shells: an apostrophe ends them and begins them again. In zsh, what specifications of
// arguments give a meaning has a backslash before it.
static void add_quoted(hy_text *out, const char *text, const char *escaped) {
  for (const char *c = text; *c; c++) {
    if (strchr(escaped, *c)) hy_text_add(out, "\\");
    hy_text_add(out, *c == '\'' ? "'\\''" : (char[]){*c, 0});
  }
}

static void add_short_quoted(hy_text *out, const char *meaning, const char *escaped) {
  hy_text text = {0};
  add_short(&text, meaning);
  add_quoted(out, hy_text_string(&text), escaped);
  hy_text_free(&text);
}

static void add_directives(hy_text *out) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++) hy_text_printf(out, "%s%s", i ? " " : "", all[i]->name);
}

/* -- bash -- */

// run:--param | run:-p | bench:--param | ...
static void add_patterns(hy_text *out, const hy_option_row *row) {
  bool first = true;
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    if (!hy_option_is_of(row, (hy_verb)v)) continue;
    hy_text_printf(out, "%s%s:--%s", first ? "  " : " | ", hy_verb_name((hy_verb)v), row->name);
    if (row->letter) hy_text_printf(out, " | %s:-%c", hy_verb_name((hy_verb)v), row->letter);
    first = false;
  }
}

static void add_option_names(hy_text *out, hy_verb verb) {
  const hy_option_row *row;
  for (size_t i = 0; (row = hy_option_at(i)); i++) {
    if (!hy_option_is_of(row, verb)) continue;
    hy_text_printf(out, " --%s", row->name);
    if (row->letter) hy_text_printf(out, " -%c", row->letter);
  }
}

static void add_bash(hy_text *out) {
  const hy_option_row *row;
  hy_text_add(out, "# Completion of 'halyard' for bash, made by 'halyard completion bash'.\n\n_halyard_verbs='");
  for (int v = 0; v < HY_VERB_COUNT; v++) hy_text_printf(out, "%s%s", v ? " " : "", hy_verb_name((hy_verb)v));
  hy_text_add(out, "'\n_halyard_directives='");
  add_directives(out);
  hy_text_add(out, "'\n_halyard_options() {\n  case $1 in\n");
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    hy_text_printf(out, "  %s) echo '", hy_verb_name((hy_verb)v));
    add_option_names(out, (hy_verb)v);
    hy_text_add(out, "' ;;\n");
  }
  hy_text_add(out, "  esac\n}\n_halyard_files() {\n  case $1 in\n");
  for (int v = 0; v < HY_VERB_COUNT; v++)
    if (hy_verb_about((hy_verb)v)->files)
      hy_text_printf(out, "  %s) echo '%s' ;;\n", hy_verb_name((hy_verb)v), hy_verb_about((hy_verb)v)->files);
  hy_text_add(out, "  esac\n}\n_halyard_takes() {\n  case $1 in\n");
  for (size_t i = 0; (row = hy_option_at(i)); i++) {
    if (!row->argument) continue;
    add_patterns(out, row);
    hy_text_printf(out, ") echo '%s%s' ;;\n", row->argument[0] == '[' ? "=" : "", row->completes ? row->completes : "");
  }
  hy_text_add(out, "  *) return 1 ;;\n  esac\n}\n\n");
  hy_text_add(out, bash_tail);
}

/* -- zsh -- */

static void add_zsh_option(hy_text *out, const hy_option_row *row, bool is_letter) {
  hy_text_printf(out, is_letter ? "      '*-%.1s" : "      '*--%s", is_letter ? &row->letter : row->name);
  if (row->argument) hy_text_add(out, is_letter ? "+" : row->argument[0] == '[' ? "=-" : "=");
  hy_text_add(out, "[");
  add_short_quoted(out, row->meaning, "[]:\\");
  hy_text_add(out, "]");
  if (row->argument) {
    hy_text_add(out, row->argument[0] == '[' ? "::" : ":");
    add_quoted(out, row->argument, "[]:\\");
    hy_text_add(out, ": _halyard_kinds \""); // the blank: called with these words alone
    add_quoted(out, row->completes ? row->completes : "", ":");
    hy_text_add(out, "\"");
  }
  hy_text_add(out, "' \\\n");
}

static void add_zsh_verb(hy_text *out, hy_verb verb) {
  const hy_option_row *row;
  const char *files = hy_verb_about(verb)->files;
  hy_text_printf(out, "  %s)\n    _arguments -S \\\n", hy_verb_name(verb));
  for (size_t i = 0; (row = hy_option_at(i)); i++) {
    if (!hy_option_is_of(row, verb)) continue;
    add_zsh_option(out, row, false);
    if (row->letter) add_zsh_option(out, row, true);
  }
  hy_text_add(out, "      '*:word: _halyard_kinds \"");
  add_quoted(out, files ? files : "", ":");
  hy_text_add(out, "\"' ;;\n");
}

static void add_zsh(hy_text *out) {
  hy_text_add(
      out,
      "#compdef halyard\n# Completion of 'halyard' for zsh, made by 'halyard completion zsh'.\n\n_halyard_verbs=(\n");
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    hy_text_printf(out, "  '%s:", hy_verb_name((hy_verb)v));
    add_short_quoted(out, hy_verb_about((hy_verb)v)->meaning, ":\\");
    hy_text_add(out, "'\n");
  }
  hy_text_add(out, ")\n_halyard_directives=(");
  add_directives(out);
  hy_text_add(out, ")\n_halyard_arguments() {\n  case $1 in\n");
  for (int v = 0; v < HY_VERB_COUNT; v++) add_zsh_verb(out, (hy_verb)v);
  hy_text_add(out, "  esac\n}\n\n");
  hy_text_add(out, zsh_tail);
}

/* -- fish -- */

static void add_fish_option(hy_text *out, const hy_option_row *row) {
  hy_text_add(out, "complete -c halyard -n '__halyard_verb");
  for (int v = 0; v < HY_VERB_COUNT; v++)
    if (hy_option_is_of(row, (hy_verb)v)) hy_text_printf(out, " %s", hy_verb_name((hy_verb)v));
  hy_text_printf(out, "' -l %s", row->name);
  if (row->letter) hy_text_printf(out, " -s %c", row->letter);
  if (row->argument && row->argument[0] != '[') hy_text_add(out, " -x");
  if (row->argument && row->completes) hy_text_printf(out, " -a '(__halyard_kinds \"%s\")'", row->completes);
  hy_text_add(out, " -d '");
  hy_text text = {0};
  add_short(&text, row->meaning);
  for (const char *c = hy_text_string(&text); *c; c++) // fish has \' in single quotes
    hy_text_printf(out, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
  hy_text_free(&text);
  hy_text_add(out, "'\n");
}

static void add_fish_verb(hy_text *out, hy_verb verb) {
  const hy_verb_row *row = hy_verb_about(verb);
  hy_text_printf(out, "complete -c halyard -n __halyard_verb -a %s -d '", row->name);
  hy_text text = {0};
  add_short(&text, row->meaning);
  for (const char *c = hy_text_string(&text); *c; c++) hy_text_printf(out, *c == '\'' ? "\\%c" : "%c", *c);
  hy_text_free(&text);
  hy_text_add(out, "'\n");
  if (row->files)
    hy_text_printf(out, "complete -c halyard -n '__halyard_verb %s' -a '(__halyard_kinds \"%s\")'\n", row->name,
                   row->files);
}

static void add_fish(hy_text *out) {
  const hy_option_row *row;
  hy_text_add(out, "# Completion of 'halyard' for fish, made by 'halyard completion fish'.\n\nset -g __halyard_verbs");
  for (int v = 0; v < HY_VERB_COUNT; v++) hy_text_printf(out, " %s", hy_verb_name((hy_verb)v));
  hy_text_add(out, "\nset -g __halyard_directives ");
  add_directives(out);
  hy_text_add(out, "\n\n");
  hy_text_add(out, fish_tail);
  hy_text_add(out, "\ncomplete -c halyard -f\n");
  for (int v = 0; v < HY_VERB_COUNT; v++) add_fish_verb(out, (hy_verb)v);
  for (size_t i = 0; (row = hy_option_at(i)); i++) add_fish_option(out, row);
}

bool hy_completion(const char *shell, hy_text *out) {
  static const struct {
    const char *name;
    void (*add)(hy_text *out);
  } shells[] = {{"bash", add_bash}, {"zsh", add_zsh}, {"fish", add_fish}};
  for (size_t i = 0; i < HY_COUNT(shells); i++)
    if (strcmp(shell, shells[i].name) == 0) return shells[i].add(out), true;
  return false;
}
