// halyard export: the same pipeline as a program for another compiler.

#include "cli/verbs/verbs.h"
#include "export/export.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <string.h>

static const hy_loc nowhere = {0};

static hy_status write_text(hy_session *s, hy_text *text) {
  const char *path = s->options.output;
  if (!path) {
    hy_reporter_text(s->reporter, text);
    return HY_STATUS_FINE;
  }
  if (hy_whole_file_write(path, hy_text_string(text), text->length)) return HY_STATUS_FINE;
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return HY_STATUS_USAGE;
}

hy_status hy_command_export(hy_session *s) {
  const char *to = s->options.to;
  bool cpp = to && strcmp(to, "halide-cpp") == 0;
  if (to && !cpp && strcmp(to, "halide-python") != 0) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "there are halide-python and halide-cpp",
              "nothing is exported --to '%s'", to);
    return HY_STATUS_USAGE;
  }
  hy_status status = hy_session_load(s, false);
  if (status != HY_STATUS_FINE) return status;
  if (s->program) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "give the algorithm and its schedule",
              "a target program has no counterpart in Halide");
    return HY_STATUS_USAGE;
  }
  hy_pipeline pipeline;
  hy_session_pipeline(s, 0, &pipeline);
  if (!hy_pipeline_schedule(&pipeline, s->diagnostics)) return HY_STATUS_WRONG;
  hy_text text = {0};
  bool good = hy_export(cpp ? &hy_export_cpp_dialect : &hy_export_python_dialect,
                        s->options.idiomatic ? HY_EXPORT_IDIOMATIC : HY_EXPORT_EXACT, s->alg, pipeline.core,
                        pipeline.core_count, &text, s->diagnostics);
  status = good ? write_text(s, &text) : HY_STATUS_WRONG;
  hy_text_free(&text);
  return status;
}
