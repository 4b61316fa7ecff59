#include "cli/typing/man_page.h"

#include <string.h>

/* -- roff -- */

// A text as it is: no letter of it means anything to roff.
static void add_escaped(hy_text *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (text[i] == '.' || text[i] == '\'')) hy_text_add(out, "\\&");
    switch (text[i]) {
    case '\\': hy_text_add(out, "\\e"); break;
    case '-': hy_text_add(out, "\\-"); break;
    case '\'': hy_text_add(out, "\\(aq"); break;
    case '^': hy_text_add(out, "\\(ha"); break;
    case '~': hy_text_add(out, "\\(ti"); break;
    case '`': hy_text_add(out, "\\(ga"); break;
    default: hy_text_add_bytes(out, text + i, 1);
    }
  }
}

static void add(hy_text *out, const char *text) { add_escaped(out, text, strlen(text)); }

static void add_line(hy_text *out, const char *text) {
  add(out, text);
  hy_text_add(out, "\n");
}

static void begin(hy_text *out, const char *name, const char *meaning) {
  hy_text_add(out, ".TH ");
  for (const char *c = name; *c; c++)
    hy_text_printf(out, *c == '-' ? "\\-" : "%c", *c >= 'a' && *c <= 'z' ? *c - 32 : *c);
  hy_text_printf(out, " 1 \"\" \"Halyard %s\" \"Halyard\"\n.SH NAME\n", HALYARD_VERSION);
  add(out, name);
  hy_text_add(out, " \\- ");
  add_line(out, meaning);
}

static void section(hy_text *out, const char *title) { hy_text_printf(out, ".SH %s\n", title); }

static void paragraph(hy_text *out) { hy_text_add(out, ".PP\n"); }

static void add_option(hy_text *out, const hy_option_row *row) {
  hy_text_add(out, ".TP\n");
  if (row->letter) hy_text_printf(out, "\\fB\\-%c\\fR, ", row->letter);
  hy_text_add(out, "\\fB\\-\\-");
  add(out, row->name);
  hy_text_add(out, "\\fR");
  if (row->argument) {
    hy_text_add(out, row->argument[0] == '[' ? "\\fI" : " \\fI");
    add(out, row->argument);
    hy_text_add(out, "\\fR");
  }
  hy_text_add(out, "\n");
  add_line(out, row->meaning);
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static void add_options(hy_text *out, hy_verb verb, const char *const *without, size_t count) {
  const hy_option_row *row;
  section(out, "OPTIONS");
  for (size_t i = 0; (row = hy_option_at(i)); i++)
    if (hy_option_is_of(row, verb) && !is_one_of(row->name, without, count)) add_option(out, row);
}

// "Exit status: 0 ...; 1 ...": as 'halyard help' has it, but for its line breaks.
static void add_statuses(hy_text *out, hy_verb verb) {
  hy_text statuses = {0};
  hy_help_statuses(verb, &statuses);
  section(out, "EXIT STATUS");
  const char *text = hy_text_string(&statuses), *colon = strstr(text, ": ");
  for (const char *at = colon + 2; *at && at[1]; at++) add_escaped(out, *at == '\n' ? " " : at, 1);
  hy_text_add(out, "\n");
  hy_text_free(&statuses);
}

static void add_reference(hy_text *out, const char *name, bool is_last) {
  hy_text_add(out, ".BR ");
  add(out, name);
  hy_text_printf(out, " (1)%s\n", is_last ? "" : ",");
}

/* -- pages -- */

static void page_name(hy_verb verb, hy_text *out) { hy_text_printf(out, "halyard-%s", hy_verb_name(verb)); }

void hy_man_program(hy_text *out) {
  begin(out, "halyard", "algorithms and schedules, checked for all inputs, compiled and run");
  section(out, "SYNOPSIS");
  hy_text_add(
      out,
      "\\fBhalyard\\fR \\fIVERB\\fR [\\fIFILE\\fR ...] [\\fIOPTION\\fR ...]\n.br\n\\fBhalyard \\-\\-version\\fR\n");
  section(out, "DESCRIPTION");
  add_line(
      out,
      "Halyard is the Halide language with an executable formal semantics, a compiler, and a proof for each program "
      "that the compiler kept the meaning. An algorithm (.alg) says what is computed, a schedule (.sched) how; a "
      "schedule can never change a value.");
  paragraph(out);
  add_line(out, hy_help_program);
  section(out, "VERBS");
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    const hy_verb_row *row = hy_verb_about((hy_verb)v);
    hy_text_printf(out, ".TP\n\\fBhalyard %s\\fR \\fI", row->name);
    add(out, row->form);
    hy_text_add(out, "\\fR\n");
    add_line(out, row->meaning);
  }
  add_statuses(out, HY_VERB_CHECK);
  section(out, "SEE ALSO");
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    hy_text name = {0};
    page_name((hy_verb)v, &name);
    if (v != HY_VERB_HELP && v != HY_VERB_GATE) add_reference(out, hy_text_string(&name), false);
    hy_text_free(&name);
  }
  add_reference(out, "halyard-gate", false);
  add_reference(out, "halyard-certcheck", true);
}

static void add_see_also(hy_text *out) {
  section(out, "SEE ALSO");
  add_reference(out, "halyard", true);
}

static void describe(hy_verb verb, const char *name, hy_text *out) {
  const hy_verb_row *row = hy_verb_about(verb);
  hy_text first = {0};
  hy_text_add_bytes(&first, row->meaning, strcspn(row->meaning, ":;("));
  begin(out, name, hy_text_string(&first));
  hy_text_free(&first);
  section(out, "SYNOPSIS");
  hy_text_printf(out, "\\fBhalyard %s\\fR ", row->name);
  add_line(out, row->form);
  section(out, "DESCRIPTION");
  hy_text_printf(out, "%c", row->meaning[0] - 'a' + 'A'); // all of them begin with a verb
  add(out, row->meaning + 1);
  hy_text_add(out, ".\n");
  if (!hy_verb_takes_program(verb)) return;
  paragraph(out);
  add_line(out, hy_help_program);
}

void hy_man_verb(hy_verb verb, hy_text *out) {
  hy_text name = {0};
  page_name(verb, &name);
  describe(verb, hy_text_string(&name), out);
  hy_text_free(&name);
  if (verb != HY_VERB_HELP) {
    add_options(out, verb, NULL, 0);
    add_statuses(out, verb);
  }
  add_see_also(out);
}

// One page for two ways to call it: the verb has all levels, the program of its own two of them.
void hy_man_gate(const char *const *without, size_t count, hy_text *out) {
  describe(HY_VERB_GATE, "halyard-gate", out);
  paragraph(out);
  hy_text_add(out,
              "The program \\fBhalyard\\-gate\\fR \\fIDIR\\fR|\\fIMANIFEST\\fR judges as \\fBhalyard gate "
              "\\-\\-verify\\-only\\fR does, on machines that have neither LLVM nor Z3: identity (level 0) and proofs "
              "(level 1, the default). It needs\n");
  add_reference(out, "halyard-certcheck", true);
  hy_text_add(out, "beside it, and does not take");
  for (size_t i = 0; i < count; i++) {
    hy_text_printf(out, "%s \\fB\\-\\-", i ? "," : "");
    add(out, without[i]);
    hy_text_add(out, "\\fR");
  }
  hy_text_add(out, ".\n");
  add_options(out, HY_VERB_GATE, NULL, 0);
  add_statuses(out, HY_VERB_GATE);
  section(out, "SEE ALSO");
  add_reference(out, "halyard", false);
  add_reference(out, "halyard-ship", false);
  add_reference(out, "halyard-certcheck", true);
}

// It shares no code with Halyard, so its options stand here once more; a test holds them to what it says of itself.
void hy_man_certcheck(hy_text *out) {
  static const hy_option_row options[] = {
      {.name = "quiet", .meaning = "says the sum alone, and what is not accepted"},
      {.name = "time", .meaning = "says how long reading and checking took"},
      {.name = "program", .argument = "FILE.tgt", .meaning = "the certificates have to be those of this program, too"},
  };
  begin(out, "halyard-certcheck", "judges a file of certificates");
  section(out, "SYNOPSIS");
  hy_text_add(out, "\\fBhalyard\\-certcheck\\fR ");
  add_line(out, "[--quiet] [--time] [--program FILE.tgt] FILE");
  section(out, "DESCRIPTION");
  add_line(out, "Checks, step by step, the proofs that 'halyard check A S --certificates FILE' wrote: that each goal "
                "follows from "
                "its facts. It shares no code with what made them.");
  section(out, "OPTIONS");
  for (size_t i = 0; i < HY_COUNT(options); i++) add_option(out, &options[i]);
  section(out, "EXIT STATUS");
  add_line(
      out,
      "0 all certificates are accepted, and there is one of every obligation; 1 not so; 2 bad usage, or a file that "
      "cannot be read.");
  add_see_also(out);
}
