#include "cli/reports/with_halide.h"

#include "cli/session/environment.h"
#include "export/export.h"
#include "semantics/base/clock.h"

#include <string.h>

static const hy_loc nowhere = {0};

hy_halide *hy_with_halide_start(hy_session *s, unsigned seconds) {
  hy_halide_settings settings = hy_environment_halide(seconds);
  hy_text why = {0};
  const char *remedy;
  hy_reporter_progress(s->reporter, "starting Halide");
  hy_halide *halide = hy_halide_start(&settings, &why, &remedy);
  if (!halide)
    hy_report(s->diagnostics, HY_E_HALIDE_MISSING, nowhere, NULL, remedy, "there is no Halide to run with: %s",
              hy_text_string(&why));
  hy_text_free(&why);
  return halide;
}

bool hy_with_halide_export(hy_session *s, const hy_pipeline *p, hy_text *program) {
  return hy_export(&hy_export_python_dialect, HY_EXPORT_EXACT, s->alg, p->core, p->core_count, program, s->diagnostics);
}

void hy_with_halide_explain(const hy_halide_answer *a, hy_text *out) {
  static const char *const how[] = {
      [HY_HALIDE_REFUSED] = "Halide refuses",          [HY_HALIDE_CRASHED] = "Halide crashed",
      [HY_HALIDE_HUNG] = "Halide did not end in time", [HY_HALIDE_MEMORY] = "Halide ran out of memory",
      [HY_HALIDE_LOST] = "Halide was not reached",
  };
  hy_text_add(out, how[a->end]);
  if (!a->words) return;
  size_t length = strlen(a->words);
  while (length && a->words[length - 1] == '\n') length--;
  hy_text_printf(out, ": %.*s", (int)length, a->words);
}

hy_halide_answer hy_with_halide_ask(hy_session *s, hy_halide *halide, const char *program, const hy_input *input) {
  hy_halide_request request;
  hy_halide_answer whole = {0}, run = {0};
  const char *why;
  hy_halide_request_begin(&request, s->alg, program);
  if (hy_halide_request_add(&request, input, &why)) {
    hy_halide_ask(halide, &request, &whole, &run);
  } else {
    run = (hy_halide_answer){.end = HY_HALIDE_LOST, .words = strdup(why)};
    HY_ASSERT(run.words);
  }
  hy_halide_request_free(&request);
  if (whole.end == HY_HALIDE_RAN) return run;
  hy_halide_answer_free(&run);
  return whole;
}

hy_status hy_with_halide_run(hy_session *s, hy_halide *halide, const hy_pipeline *p, const hy_input *input,
                             hy_outcome *outcome) {
  hy_text program = {0}, text = {0};
  double start = hy_seconds();
  *outcome = (hy_outcome){0};
  if (!hy_with_halide_export(s, p, &program)) return HY_STATUS_WRONG;
  hy_reporter_progress(s->reporter, "running Halide");
  hy_halide_answer a = hy_with_halide_ask(s, halide, program.data, input);
  if (a.end == HY_HALIDE_RAN) {
    *outcome = (hy_outcome){.status = HY_RAN, .output = a.output, .seconds = hy_seconds() - start};
    a.output = NULL;
  } else {
    hy_with_halide_explain(&a, &text);
    hy_report(s->diagnostics, HY_E_HALIDE_FAILED, p->loc, NULL,
              "'halyard export' prints the program; docs/halide.md tells where Halide is known to differ", "%s",
              hy_text_string(&text));
  }
  hy_status status = a.end == HY_HALIDE_RAN ? HY_STATUS_FINE : HY_STATUS_WRONG;
  hy_halide_answer_free(&a);
  hy_text_free(&text);
  hy_text_free(&program);
  return status;
}
