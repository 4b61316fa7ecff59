// Copies in random schedules: of what several specializations of a func read, so that it can be computed inside each.

#include "fuzz/pairs/generate.h"

#include "sched/funcs/funcs.h"
#include "semantics/text/syntax.h"

#include <string.h>

typedef struct {
  const hy_tgt *tgt;
  const hy_func *func;   // that is read
  const hy_func *reader; // whose specialization is around
  int branch;
  hy_generate_branches *out;
} search;

static void add(search *s, const hy_func *reader, int branch) {
  hy_generate_branches *out = s->out;
  hy_directive one = {.func = s->func, .readers = &reader, .branches = &branch, .reader_count = 1};
  if (out->count == HY_MOST_READERS || reader == s->func || !hy_funcs_reads_of(s->tgt, &one, true)) return;
  out->readers[out->count] = reader;
  out->branches[out->count++] = branch;
}

// In the specialization: it itself, and whatever is computed in its loops.
static void see(search *s, const hy_stmt *stmt, bool inside) {
  const hy_stmt *const *children, *room[2];
  if (stmt->kind == HY_STMT_LABEL && stmt->label.what == HY_LABEL_SPEC && stmt->label.func == s->reader) {
    inside = stmt->label.number == s->branch;
    if (inside) add(s, s->reader, s->branch);
  }
  if (stmt->kind == HY_STMT_COMPUTE && inside) add(s, stmt->compute.func, HY_ALL_BRANCHES);
  for (int i = 0, count = hy_stmt_children(stmt, &children, room); i < count; i++) see(s, children[i], inside);
}

bool hy_generate_copy(hy_context *context, const hy_tgt *tgt, const hy_func *func, const hy_func *reader, int branch,
                      hy_directive *directive) {
  hy_generate_branches *branches = HY_NEW(hy_context_arena(context), hy_generate_branches);
  search s = {tgt, func, reader, branch, branches};
  see(&s, tgt->body, false);
  *directive = (hy_directive){.type = &hy_directive_copy,
                              .loc = tgt->alg->loc,
                              .func = func,
                              .readers = branches->readers,
                              .branches = branches->branches,
                              .reader_count = branches->count};
  if (!branches->count) return false;
  const char *name = hy_funcs_copy_name(context, tgt, func, reader, branch);
  directive->made = hy_funcs_make_for(context, tgt, directive, name, directive->loc);
  return true;
}

/* -- of which the schedule says one move -- */

static bool applies(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule, hy_diagnostics *said) {
  hy_desugared d;
  if (!hy_sched_desugar(context, lowered, schedule, said, &d)) return false;
  const hy_tgt *tgt = lowered;
  for (int i = 0; i < d.count && tgt; i++)
    tgt = i < d.applied ? d.steps[i] : hy_sched_apply(context, tgt, &d.core[i], said);
  return tgt && hy_sched_legal(context, tgt, d.core, d.count, tgt->alg->loc, said);
}

// Is a schedule of these lines legal, as a whole? Then it is, parsed; else NULL.
static const hy_schedule *legal_schedule(hy_context *context, const hy_tgt *lowered, const char *first,
                                         const hy_text *items, const char *last) {
  char *text = hy_arena_printf(hy_context_arena(context), "schedule s for %s {\n%s%s%s}\n", lowered->alg->name, first,
                               hy_text_string(items), last);
  hy_source *source = HY_NEW(hy_context_arena(context), hy_source);
  *source = (hy_source){"case.sched", text, strlen(text)};
  hy_diagnostics *said = hy_diagnostics_new();
  const hy_schedule *schedules;
  int count = 0;
  bool good = hy_parse_schedules(context, source, said, &schedules, &count) && count == 1 &&
              applies(context, lowered, schedules, said);
  hy_diagnostics_free(said);
  return good ? schedules : NULL;
}

// SCH.Spread: a func of which the schedule says nothing, in a loop of the default branch that all branches have.
bool hy_generate_spread(hy_context *context, const hy_tgt *tgt, const hy_tgt *lowered, hy_text *out) {
  uint64_t hash = hy_hash_bytes((uint64_t)lowered->func_count + 1, out->data, out->length);
  for (int i = 0; i < tgt->func_count; i++) {
    const hy_func *func = tgt->funcs[((uint64_t)i + hash) % (uint64_t)tgt->func_count];
    if (hy_alg_output(tgt->alg, func) || strstr(hy_text_string(out), func->name)) continue;
    size_t count;
    const hy_stmt **sites = hy_sched_spread_sites(tgt, func, &count);
    hy_directive d = {.type = &hy_directive_compute_at, .func = func};
    if (count) d.loop = sites[hash / 16 % count]->loop.var;
    hy_free(sites);
    hy_text line = {0};
    hy_text_add(&line, "  ");
    if (d.loop) hy_directive_print(&d, &line);
    hy_text_add(&line, "\n");
    bool good = d.loop && legal_schedule(context, lowered, "", out, hy_text_string(&line));
    if (good) hy_text_add(out, hy_text_string(&line));
    hy_text_free(&line);
    if (good) return true;
  }
  return false;
}

/* -- default inline -- */

static bool is_placed(hy_context *context, const hy_tgt *lowered, const hy_schedule *schedule) {
  hy_diagnostics *said = hy_diagnostics_new();
  hy_desugared d;
  bool placed = false;
  if (hy_sched_desugar(context, lowered, schedule, said, &d))
    for (int i = 0; i < d.count; i++)
      placed |= d.core[i].type == &hy_directive_compute_at && d.core[i].loc.line == schedule->loc.line &&
                d.core[i].loc.column == schedule->loc.column;
  hy_diagnostics_free(said);
  return placed;
}

bool hy_generate_default(hy_context *context, const hy_tgt *lowered, hy_text *out, bool *placed) {
  static const char line[] = "  default inline;\n";
  const hy_schedule *schedule = legal_schedule(context, lowered, line, out, "");
  if (!schedule) return false;
  *placed = is_placed(context, lowered, schedule);
  hy_text all = {0};
  hy_text_printf(&all, "%s%s", line, hy_text_string(out));
  hy_text_free(out);
  *out = all;
  return true;
}
