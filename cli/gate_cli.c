// The program halyard-gate, from argv to the exit status: 'halyard gate --verify-only' where neither LLVM nor Z3 is.

#include "cli/cli.h"
#include "cli/front.h"
#include "cli/session/environment.h"
#include "cli/verbs/gate_flow.h"
#include "cli/verbs/gate_wishes.h"

#include <stdlib.h>
#include <string.h>

static int print_version(void) {
  hy_text text = {0};
  hy_text_printf(&text, "halyard-gate %s\n", HALYARD_VERSION);
  return hy_front_answer(&text);
}

static int print_help(void) {
  hy_text text = {0};
  size_t count;
  const char *const *beyond = hy_gate_beyond(&count);
  hy_text_add(&text,
              "halyard-gate DIR|MANIFEST  or  halyard-gate DIR|MANIFEST --merge PART...\n"
              "  judges what shipped, by its very bytes, as 'halyard gate --verify-only' does: identity (level 0) "
              "and\n  proofs (level 1). It needs halyard-certcheck beside it, and neither LLVM nor Z3; "
              "docs/gate.md.\n  Of --level it has 0 and 1 (the default). For more: 'halyard gate'.\n\n");
  hy_help_options(HY_VERB_GATE, beyond, count, &text);
  hy_help_statuses(HY_VERB_GATE, &text);
  return hy_front_answer(&text);
}

static hy_status run(hy_options options, HY_TAKE hy_diagnostics *diagnostics) {
  hy_session session;
  hy_session_init(&session, options, diagnostics);
  hy_status status = hy_front_end(&session, hy_gate_judge(&session, NULL));
  hy_session_free(&session);
  return status;
}

// "line": as it would be of 'halyard'.
static int read_and_run(int argc, char **line) {
  const char *verb = line[1];
  hy_options options;
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  if (!hy_options_parse(&options, argc, line, diagnostics)) {
    hy_front_read_manner(&options, argc, line);
    return hy_front_refuse(&options, diagnostics, verb, HY_STATUS_USAGE);
  }
  if (options.help) {
    hy_diagnostics_free(diagnostics);
    hy_options_free(&options);
    return print_help();
  }
  if (!hy_environment_check(diagnostics)) return hy_front_refuse(&options, diagnostics, verb, HY_STATUS_USAGE);
  return run(options, diagnostics);
}

int hy_gate_cli(int argc, char **argv) {
  hy_front_begin();
  hy_environment_tell_checker();
  if (argc >= 2 && strcmp(argv[1], "--version") == 0) return print_version();
  // halyard-gate WORDS -> halyard gate WORDS
  char **line = hy_allocate(sizeof *line * ((size_t)argc + 3));
  int count = 0;
  line[count++] = "halyard";
  line[count++] = (char *)hy_verb_name(HY_VERB_GATE);
  for (int i = 1; i < argc; i++) line[count++] = argv[i];
  line[count] = NULL;
  int status = read_and_run(count, line);
  free(line);
  return status;
}
