#include "cli/tune/keep.h"

#include <string.h>

static const hy_loc nowhere = {0};

static int node_named(const hy_graph *g, const char *name, size_t length) {
  for (int n = g->first; n < g->count; n++)
    if (strlen(g->nodes[n].func->name) == length && memcmp(g->nodes[n].func->name, name, length) == 0) return n;
  return -1;
}

static hy_status no_such_func(hy_session *s, const char *name, size_t length) {
  hy_text help = {0};
  hy_text_printf(&help, "the funcs of '%s' are", s->alg->name);
  for (int i = 0; i < s->alg->definition_count; i++)
    hy_text_printf(&help, "%s %s", i ? "," : "", s->alg->definitions[i].func->name);
  hy_report(s->diagnostics, HY_E_TUNE_FROZEN, nowhere, NULL, hy_text_string(&help),
            "--freeze names '%.*s', but '%s' has no such func", (int)length, name, s->alg->name);
  hy_text_free(&help);
  return HY_STATUS_USAGE;
}

// The func that an item speaks of: a chain's, or what the first argument of a directive names.
static const char *subject(const hy_schedule_item *item) {
  if (item->func) return item->func;
  return item->count && item->calls[0].count && item->calls[0].args[0].path_count ? item->calls[0].args[0].path[0]
                                                                                  : NULL;
}

static const char *start_of(hy_loc loc) {
  const char *at = loc.source->text;
  for (uint32_t line = 1; line < loc.line; line++) at = strchr(at, '\n') + 1;
  return at + loc.column - 1;
}

// As it was written, up to its ';'; of comments inside of it nothing is known.
static void copy_item(const hy_schedule_item *item, hy_text *out) {
  const char *at = start_of(item->loc), *end = strchr(at, ';');
  if (!end) return;
  hy_text_add(out, "  ");
  hy_text_add_bytes(out, at, (size_t)(end - at) + 1);
  hy_text_add(out, "\n");
}

hy_status hy_kept_read(hy_session *s, const hy_graph *g, const hy_schedule *start, hy_kept *kept) {
  const char *names = s->options.freeze;
  *kept = (hy_kept){0};
  if (!names) return HY_STATUS_FINE;
  if (!start) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "add --start S.sched",
              "--freeze keeps what a schedule says of funcs, but there is none");
    return HY_STATUS_USAGE;
  }
  kept->is_kept = hy_allocate_zeroed((size_t)g->count, sizeof *kept->is_kept);
  for (const char *at = names;; at++) {
    size_t length = strcspn(at, ",");
    int node = node_named(g, at, length);
    if (node < 0) return no_such_func(s, at, length);
    kept->is_kept[node] = true;
    at += length;
    if (!*at) break;
  }
  for (int i = 0; i < start->count; i++) {
    const char *name = subject(&start->items[i]);
    int node = name ? node_named(g, name, strlen(name)) : -1;
    if (node >= 0 && kept->is_kept[node]) copy_item(&start->items[i], &kept->lines);
  }
  return HY_STATUS_FINE;
}

void hy_kept_copy(const hy_schedule *schedule, hy_text *out) {
  hy_text_printf(out, "schedule tuned for %s {\n%s", schedule->pipeline,
                 schedule->default_inline ? "  default inline;\n" : "");
  for (int i = 0; i < schedule->count; i++) copy_item(&schedule->items[i], out);
  hy_text_add(out, "}\n");
}

void hy_kept_free(hy_kept *kept) {
  hy_free(kept->is_kept);
  hy_text_free(&kept->lines);
}
