// halyard directives: what schedules can say.

#include "cli/verbs/verbs.h"

#include "sched/sched.h"

#include <string.h>

static int widest_form(const hy_directive_type *const *all, int count) {
  int width = 0;
  for (int i = 0; i < count; i++)
    if ((int)strlen(all[i]->form) > width) width = (int)strlen(all[i]->form);
  return width;
}

static void list_phase(hy_session *s, hy_phase phase, const hy_directive_type *const *all, int count) {
  bool first = true;
  for (int i = 0; i < count; i++) {
    if (all[i]->phase != phase) continue;
    if (first) hy_reporter_print(s->reporter, "%s\n", hy_phase_name(phase));
    first = false;
    hy_reporter_print(s->reporter, "  %-*s  %s\n", widest_form(all, count), all[i]->form, all[i]->summary);
    hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "directives");
    hy_record_text(record, "name", all[i]->name);
    hy_record_text(record, "form", all[i]->form);
    hy_record_text(record, "phase", hy_phase_name(phase));
    hy_record_text(record, "summary", all[i]->summary);
  }
}

static void list_plugins(hy_session *s) {
  const hy_plugins *plugins = hy_context_plugins(s->context);
  for (int i = 0; plugins && i < plugins->count; i++) {
    const hyd_directive *d = plugins->items[i]->directive;
    hy_reporter_print(s->reporter, "%s\n  %s  %s\n", plugins->items[i]->path, d->form, d->summary);
    hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "directives");
    hy_record_text(record, "name", d->name);
    hy_record_text(record, "form", d->form);
    hy_record_text(record, "phase", hy_phase_name(HY_PHASE_LOOPS));
    hy_record_text(record, "summary", d->summary);
    hy_record_text(record, "plugin", plugins->items[i]->path);
  }
}

// What may follow a func in a chain: directives written without their func, and methods that stand for several.
static void list_methods(hy_session *s, const hy_directive_type *const *all, int count) {
  const char *name, *form, *summary;
  int width = widest_form(all, count);
  hy_reporter_print(s->reporter, "in a chain, after a func: f.tile(...).parallel(y)\n");
  for (int i = 0; i < count; i++)
    if (all[i]->in_chain)
      hy_reporter_print(s->reporter, "  .%-*s  as alone, without the func\n", width - 1, all[i]->name);
  for (int i = 0; (name = hy_sched_method(i, &form, &summary)); i++) {
    hy_reporter_print(s->reporter, "  .%-*s  %s\n", width - 1, form, summary);
    hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "methods");
    hy_record_text(record, "name", name);
    hy_record_text(record, "form", form);
    hy_record_text(record, "summary", summary);
  }
}

hy_status hy_command_directives(hy_session *s) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  if (s->options.words.count) {
    hy_report(s->diagnostics, HY_E_USAGE, (hy_loc){0}, NULL, NULL, "'directives' takes no files, but '%s' follows it",
              s->options.words.data[0]);
    return HY_STATUS_USAGE;
  }
  for (int phase = HY_PHASE_FUNCS; phase < HY_PHASES; phase++) list_phase(s, (hy_phase)phase, all, count);
  list_methods(s, all, count);
  list_plugins(s);
  return HY_STATUS_FINE;
}
