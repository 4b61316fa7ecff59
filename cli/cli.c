// From argv to the exit status.

#include "cli/cli.h"
#include "cli/session/environment.h"
#include "cli/session/plugin_guard.h"
#include "cli/verbs/verbs.h"
#include "semantics/base/whole_file.h"

#include "oracle/z3/z3_check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
  case HY_VERB_HELP: break;
  }
  HY_UNREACHABLE();
}

static int print_and_end(hy_text *text) {
  fputs(hy_text_string(text), stdout);
  hy_text_free(text);
  if (fflush(stdout) == 0 && !ferror(stdout)) return HY_STATUS_FINE;
  fprintf(stderr, "halyard: error[HY%04d]: cannot write to standard output\n", (int)HY_E_CANNOT_WRITE);
  return HY_STATUS_USAGE;
}

static int print_version(void) {
  hy_text text = {0};
  hy_text_printf(&text, "halyard %s (Z3 %s, LLVM %s)\n", HALYARD_VERSION, hy_z3_version(), hy_codegen_llvm_version());
  return print_and_end(&text);
}

static int print_help(const hy_verb *verb) {
  hy_text text = {0};
  if (verb)
    hy_help_verb(*verb, &text);
  else
    hy_help_all(&text);
  return print_and_end(&text);
}

// Answers when there is no session: a bad command line, said as the user asked for it if that could be read.
static int refuse(hy_options *options, HY_TAKE hy_diagnostics *diagnostics, const char *verb, hy_status status) {
  hy_reporter *reporter = hy_reporter_new(options->json, verb);
  status = hy_reporter_finish(reporter, diagnostics, status);
  hy_reporter_free(reporter);
  hy_diagnostics_free(diagnostics);
  hy_options_free(options);
  return status;
}

static int explain(hy_options *options, HY_TAKE hy_diagnostics *diagnostics) {
  hy_verb verb = options->verb;
  size_t count = options->words.count;
  if (verb == HY_VERB_HELP && count > 0 && !hy_verb_find(options->words.data[0], &verb)) {
    char *line[] = {"halyard", (char *)options->words.data[0]};
    hy_options unused;
    hy_options_parse(&unused, 2, line, diagnostics); // says that there is no such verb
    hy_options_free(&unused);
    return refuse(options, diagnostics, "help", HY_STATUS_USAGE);
  }
  bool all = verb == HY_VERB_HELP && count == 0;
  hy_diagnostics_free(diagnostics);
  hy_options_free(options);
  return print_help(all ? NULL : &verb);
}

// --format json counts even when the rest of the line cannot be read.
static bool asks_for_json(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--format=json") == 0 ||
        (strcmp(argv[i], "--format") == 0 && i + 1 < argc && strcmp(argv[i + 1], "json") == 0))
      return true;
  return false;
}

// "guard" is NULL if no plug-ins are used.
static hy_status run(hy_options options, HY_TAKE hy_diagnostics *diagnostics, hy_plugin_guard *guard) {
  hy_session session;
  hy_session_init(&session, options, diagnostics);
  hy_status status = HY_STATUS_FINE;
  bool has_outputs = session.options.output || session.options.certificates;
  if (has_outputs) hy_whole_files_hold();
  if (guard && !hy_session_load_plugins(&session, hy_plugin_guard_watch(guard))) status = HY_STATUS_USAGE;
  if (status == HY_STATUS_FINE) status = dispatch(&session);
  status = hy_reporter_finish(session.reporter, session.diagnostics, status);
  const char *unwritten = hy_whole_files_release(status == HY_STATUS_FINE);
  if (unwritten) {
    fprintf(stderr, "halyard: error[HY%04d]: cannot write '%s': %s\n", (int)HY_E_CANNOT_WRITE, unwritten,
            strerror(errno));
    status = HY_STATUS_USAGE;
  }
  hy_session_free(&session);
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
  if (hy_diagnostics_count(diagnostics)) return refuse(&options, diagnostics, hy_verb_name(options.verb), status);
  hy_diagnostics_free(diagnostics);
  hy_options_free(&options);
  return status;
}

// A standard file that is closed would be the next one that is opened: what is printed would go into an output file. In
// its place comes one that cannot be written (standard error: that may).
static void open_standard_files(void) {
  for (int number = 0; number <= 2; number++)
    if (fcntl(number, F_GETFD) < 0 && open("/dev/null", number == 2 ? O_WRONLY : O_RDONLY) != number)
      _exit(HY_STATUS_USAGE);
}

int hy_cli(int argc, char **argv) {
  open_standard_files();
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow cannot be written, like any other: it is told which (EFBIG)
  hy_environment_tell();
  if (argc >= 2 && strcmp(argv[1], "--version") == 0) return print_version();
  if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) return print_help(NULL);
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_options options;
  if (!hy_options_parse(&options, argc, argv, diagnostics)) {
    options.json = asks_for_json(argc, argv);
    return refuse(&options, diagnostics, argc >= 2 ? argv[1] : NULL, HY_STATUS_USAGE);
  }
  if (options.verb == HY_VERB_HELP || options.help) return explain(&options, diagnostics);
  if (!hy_environment_check(diagnostics))
    return refuse(&options, diagnostics, hy_verb_name(options.verb), HY_STATUS_USAGE);
  if (options.plugins.count) return run_guarded(options, diagnostics);
  return run(options, diagnostics, NULL);
}
