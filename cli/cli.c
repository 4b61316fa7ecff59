// From argv to the exit status.

#include "cli/cli.h"
#include "cli/front.h"
#include "cli/session/environment.h"
#include "cli/session/plugin_guard.h"
#include "cli/verbs/verbs.h"
#include "semantics/base/whole_file.h"

#include "oracle/z3/z3_check.h"

#include <string.h>

static hy_status dispatch(hy_session *session) {
  switch (session->options.verb) {
  case HY_VERB_RUN: return hy_command_run(session);
  case HY_VERB_CHECK: return hy_command_check(session);
  case HY_VERB_VERIFY: return hy_command_verify(session);
  case HY_VERB_SHOW: return hy_command_show(session);
  case HY_VERB_BENCH: return hy_command_bench(session);
  case HY_VERB_BUILD: return hy_command_build(session);
  case HY_VERB_SHIP: return hy_command_ship(session);
  case HY_VERB_GATE: return hy_command_gate(session);
  case HY_VERB_EXPORT: return hy_command_export(session);
  case HY_VERB_DIFF: return hy_command_diff(session);
  case HY_VERB_DIRECTIVES: return hy_command_directives(session);
  case HY_VERB_FUZZ: return hy_command_fuzz(session);
  case HY_VERB_REPLAY: return hy_command_replay(session);
  case HY_VERB_REDUCE: return hy_command_reduce(session);
  case HY_VERB_VALIDATE: return hy_command_validate(session);
  case HY_VERB_TUNE: return hy_command_tune(session);
  case HY_VERB_FMT: return hy_command_fmt(session);
  case HY_VERB_LSP: return hy_command_lsp(session);
  case HY_VERB_COMPLETION: return hy_command_completion(session);
  case HY_VERB_MAN: return hy_command_man(session);
  case HY_VERB_HELP: break;
  }
  HY_UNREACHABLE();
}

static int print_version(void) {
  hy_text text = {0};
  hy_text_printf(&text, "halyard %s (Z3 %s, LLVM %s)\n", HALYARD_VERSION, hy_z3_version(), hy_codegen_llvm_version());
  return hy_front_answer(&text);
}

static int print_help(const hy_verb *verb) {
  hy_text text = {0};
  if (verb)
    hy_help_verb(*verb, &text);
  else
    hy_help_all(&text);
  return hy_front_answer(&text);
}

static int explain(hy_options *options, HY_TAKE hy_diagnostics *diagnostics) {
  hy_verb verb = options->verb;
  size_t count = options->words.count;
  if (verb == HY_VERB_HELP && count > 0 && !hy_verb_find(options->words.data[0], &verb)) {
    char *line[] = {"halyard", (char *)options->words.data[0]};
    hy_options unused;
    hy_options_parse(&unused, 2, line, diagnostics); // says that there is no such verb
    hy_options_free(&unused);
    return hy_front_refuse(options, diagnostics, "help", HY_STATUS_USAGE);
  }
  bool all = verb == HY_VERB_HELP && count == 0;
  hy_diagnostics_free(diagnostics);
  hy_options_free(options);
  return print_help(all ? NULL : &verb);
}

// "guard" is NULL if no plug-ins are used.
static hy_status run(hy_options options, HY_TAKE hy_diagnostics *diagnostics, hy_plugin_guard *guard) {
  hy_session session;
  hy_z3_set_emergency(&(hy_z3_emergency){.processor_seconds = 1e-3 * (double)options.emergency_ms});
  hy_session_init(&session, options, diagnostics);
  hy_status status = HY_STATUS_FINE;
  bool has_outputs = session.options.output || session.options.certificates;
  if (has_outputs) hy_whole_files_hold();
  if (guard && !hy_session_load_plugins(&session, hy_plugin_guard_watch(guard))) status = HY_STATUS_USAGE;
  if (status == HY_STATUS_FINE) status = dispatch(&session);
  status = hy_front_end(&session, status);
  hy_plugin_set *plugins = session.plugins;
  hy_halide *halide = session.halide;
  hy_session_free(&session);
  hy_plugin_set_free(plugins); // what they made is in the session's context
  hy_halide_stop(halide);
  return status;
}

// With plug-ins everything is done in a child process; what remains here is to say what became of it.
static int run_guarded(hy_options options, HY_TAKE hy_diagnostics *diagnostics) {
  bool is_parent;
  hy_status status = HY_STATUS_FINE;
  hy_plugin_guard *guard = hy_plugin_guard_start(&options, diagnostics, &is_parent, &status);
  if (!is_parent) {
    status = run(options, diagnostics, guard);
    hy_plugin_guard_finish(guard);
    return status;
  }
  if (hy_diagnostics_count(diagnostics))
    return hy_front_refuse(&options, diagnostics, hy_verb_name(options.verb), status);
  hy_diagnostics_free(diagnostics);
  hy_options_free(&options);
  return status;
}

int hy_cli(int argc, char **argv) {
  hy_front_begin();
  hy_environment_tell_checker();
  hy_environment_tell_tools();
  if (argc >= 2 && strcmp(argv[1], "--version") == 0) return print_version();
  if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) return print_help(NULL);
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_options options;
  if (!hy_options_parse(&options, argc, argv, diagnostics)) {
    hy_front_read_manner(&options, argc, argv);
    return hy_front_refuse(&options, diagnostics, argc >= 2 ? argv[1] : NULL, HY_STATUS_USAGE);
  }
  if (options.verb == HY_VERB_HELP || options.help) return explain(&options, diagnostics);
  if (!hy_environment_check(diagnostics))
    return hy_front_refuse(&options, diagnostics, hy_verb_name(options.verb), HY_STATUS_USAGE);
  if (options.plugins.count) return run_guarded(options, diagnostics);
  return run(options, diagnostics, NULL);
}
