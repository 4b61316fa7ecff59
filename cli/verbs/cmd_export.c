// halyard export: the same pipeline as a program for another compiler.

#include "cli/tune/sizes.h"
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

/* -- estimates, as export.h asks for them -- */

static bool side_of(void *self, const hy_func *func, int dim, int64_t *min, int64_t *len) {
  const hy_estimates *e = ((const hy_sizes *)self)->estimates;
  *min = e->boxes[func->index].min[dim];
  *len = e->boxes[func->index].len[dim];
  return e->known[func->index] & UINT32_C(1) << dim;
}

static bool param_of(void *self, int param, hy_value *value) {
  const hy_sizes *sizes = self;
  *value = sizes->arguments.params[param];
  return sizes->has_value[param];
}

static hy_status usage(hy_session *s, const char *help, const char *what) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s", what);
  return HY_STATUS_USAGE;
}

typedef struct {
  const struct hy_export_dialect *dialect;
  hy_export_style style;
} form;

static hy_status export_algorithm(hy_session *s, form form, hy_text *text) {
  hy_sizes sizes;
  if (s->schedules.count)
    return usage(s, "leave the schedule out, or --unscheduled",
                 "--unscheduled exports the algorithm alone, and a schedule is given");
  hy_status status = hy_sizes_read(s, &sizes);
  const hy_export_estimates estimates = {&sizes, side_of, param_of};
  if (status == HY_STATUS_FINE &&
      !hy_export_algorithm(form.dialect, form.style, s->alg, &estimates, text, s->diagnostics))
    status = HY_STATUS_WRONG;
  hy_sizes_free(&sizes);
  return status;
}

static hy_status export_scheduled(hy_session *s, form form, hy_text *text) {
  hy_pipeline pipeline;
  if (s->options.estimates.count)
    return usage(s, "add --unscheduled for Halide's automatic schedulers, or leave the estimates out",
                 "--estimate is for the algorithm alone, and a schedule is exported");
  hy_session_pipeline(s, 0, &pipeline);
  if (!hy_pipeline_schedule(&pipeline, s->diagnostics)) return HY_STATUS_WRONG;
  bool good = hy_export(form.dialect, form.style, s->alg, pipeline.core, pipeline.core_count, text, s->diagnostics);
  return good ? HY_STATUS_FINE : HY_STATUS_WRONG;
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
  if (s->program)
    return usage(s, "give the algorithm and its schedule", "a target program has no counterpart in Halide");
  form form = {cpp ? &hy_export_cpp_dialect : &hy_export_python_dialect,
               s->options.idiomatic ? HY_EXPORT_IDIOMATIC : HY_EXPORT_EXACT};
  hy_text text = {0};
  status = s->options.unscheduled ? export_algorithm(s, form, &text) : export_scheduled(s, form, &text);
  if (status == HY_STATUS_FINE) status = write_text(s, &text);
  hy_text_free(&text);
  return status;
}
