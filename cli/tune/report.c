#include "cli/tune/report.h"

#include "autosched/rules.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void add(hy_text *out, const char *text) { hy_text_add_html(out, text, strlen(text)); }

typedef void words(const hy_explained *e, int node, hy_text *out);

static void add_cell(const hy_explained *e, int node, words *words, hy_text *out) {
  hy_text text = {0};
  words(e, node, &text);
  hy_text_add(out, "<td>");
  add(out, hy_text_string(&text));
  hy_text_add(out, "</td>");
  hy_text_free(&text);
}

/* -- figures of one func -- */

typedef struct {
  int64_t points, operations, loads; // of one point of all stages; points -1: too many for numbers
} figures;

static figures figures_of(const hy_func_graph *g, int node) {
  const hy_func_node *n = &g->nodes[node];
  figures f = {0};
  if (!hy_box_points(&n->box, &f.points)) f.points = -1;
  for (int k = 0; n->definition && k < n->stage_count; k++) {
    f.operations += n->stages[k].arithmetic;
    f.loads += hy_stage_loads(g, node, &n->stages[k]);
  }
  return f;
}

static int group_of(const hy_explained *e, int node) { return e->proposal->group_of[node]; }

/* -- the graph -- */

enum { ACROSS = 190, DOWN = 58, WIDTH = 150, HEIGHT = 40, MARGIN = 14 };

typedef struct {
  int *column, *row; // by node
  int columns, rows;
} layout;

// A func stands right of everything that it reads.
static layout layout_of(const hy_explained *e) {
  const hy_func_graph *g = e->proposal->graph;
  layout l = {HY_NEW_ARRAY(hy_context_arena(g->context), int, g->count),
              HY_NEW_ARRAY(hy_context_arena(g->context), int, g->count), 0, 0};
  int *used = HY_NEW_ARRAY(hy_context_arena(g->context), int, g->count + 1);
  for (int n = 0; n < g->count; n++) {
    if (!hy_reasons_is_shown(e, n)) continue;
    for (int m = 0; m < n; m++)
      if (g->nodes[n].definition && hy_reasons_is_shown(e, m) && hy_graph_reads(g, n, m) && l.column[m] >= l.column[n])
        l.column[n] = l.column[m] + 1;
    l.row[n] = used[l.column[n]]++;
    if (l.column[n] >= l.columns) l.columns = l.column[n] + 1;
    if (l.row[n] >= l.rows) l.rows = l.row[n] + 1;
  }
  return l;
}

static int left_of(const layout *l, int node) { return MARGIN + l->column[node] * ACROSS; }
static int top_of(const layout *l, int node) { return MARGIN + l->row[node] * DOWN; }

static void add_edge(const layout *l, int from, int to, hy_text *out) {
  int x = left_of(l, from) + WIDTH, y = top_of(l, from) + HEIGHT / 2, u = left_of(l, to),
      v = top_of(l, to) + HEIGHT / 2;
  hy_text_printf(out, "<path d=\"M%d %dC%d %d %d %d %d %d\" fill=\"none\" stroke=\"#8c959f\"/>\n", x, y, x + 30, y,
                 u - 30, v, u, v);
}

// One colour for a group; its output, at whose root it is computed, has a thick border.
static void add_box(const hy_explained *e, const layout *l, int node, hy_text *out) {
  const hy_func_node *n = &e->proposal->graph->nodes[node];
  const hy_func_reasons *r = &e->proposal->journal->reasons[node];
  int group = group_of(e, node), x = left_of(l, node), y = top_of(l, node);
  hy_text_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" stroke=\"#57606a\" ", x, y, WIDTH,
                 HEIGHT);
  if (n->definition)
    hy_text_printf(out, "stroke-width=\"%s\" fill=\"hsl(%d,65%%,86%%)\"/>", group == node ? "2.5" : "1",
                   (group * 137 + 60) % 360);
  else
    hy_text_add(out, "stroke-dasharray=\"4 3\" fill=\"#f6f8fa\"/>");
  hy_text_printf(out, "<text x=\"%d\" y=\"%d\">", x + 8, y + 17);
  add(out, n->func->name);
  hy_text_add(out, "</text>");
  if (r->has_cost)
    hy_text_printf(out, "<text x=\"%d\" y=\"%d\" class=\"small\">%.3g operations</text>", x + 8, y + 33,
                   (double)r->cost);
  hy_text_add(out, "\n");
}

static void add_graph(const hy_explained *e, hy_text *out) {
  const hy_func_graph *g = e->proposal->graph;
  layout l = layout_of(e);
  hy_text_printf(out, "<div class=\"wide\"><svg width=\"%d\" height=\"%d\">\n", 2 * MARGIN + l.columns * ACROSS,
                 2 * MARGIN + l.rows * DOWN);
  for (int n = g->first; n < g->count; n++)
    for (int m = 0; m < n; m++)
      if (hy_reasons_is_shown(e, n) && hy_reasons_is_shown(e, m) && hy_graph_reads(g, n, m)) add_edge(&l, m, n, out);
  for (int n = 0; n < g->count; n++)
    if (hy_reasons_is_shown(e, n)) add_box(e, &l, n, out);
  hy_text_add(out, "</svg></div>\n");
}

/* -- tables -- */

static void add_count(int64_t count, hy_text *out) {
  if (count < 0)
    hy_text_add(out, "<td class=\"n\">-</td>");
  else
    hy_text_printf(out, "<td class=\"n\">%" PRId64 "</td>", count);
}

static void add_func(const hy_explained *e, int node, hy_text *out) {
  const hy_func_node *n = &e->proposal->graph->nodes[node];
  figures f = figures_of(e->proposal->graph, node);
  hy_text_add(out, "<tr><td>");
  add(out, n->func->name);
  hy_text_add(out, "</td>");
  if (hy_reasons_is_shown(e, node)) {
    add_count(f.points, out);
    add_count(f.operations, out);
    add_count(f.loads, out);
  } else
    hy_text_add(out, "<td></td><td></td><td></td>");
  add_cell(e, node, hy_reasons_place, out);
  add_cell(e, node, hy_reasons_why, out);
  hy_text_add(out, "</tr>\n");
}

static void add_funcs(const hy_explained *e, hy_text *out) {
  const hy_func_graph *g = e->proposal->graph;
  hy_text_add(out, "<table><tr><th>func</th><th>points</th><th>operations a point</th><th>loads a point</th><th>is "
                   "computed</th><th>why</th></tr>\n");
  for (int n = g->count; n-- > g->first;) add_func(e, n, out);
  hy_text_add(out, "</table>\n");
}

static void add_steps(const hy_explained *e, hy_text *out) {
  const hy_journal *journal = e->proposal->journal;
  if (!journal->step_count) return;
  hy_text_printf(out, "<h2>Step by step</h2>\n<table><tr><th></th><th>step</th><th>%s</th></tr>\n",
                 e->is_level0 ? "" : "operations saved");
  for (int i = 0; i < journal->step_count; i++) {
    hy_text words = {0};
    hy_reasons_step(e, &journal->steps[i], &words);
    hy_text_printf(out, "<tr><td class=\"n\">%d</td><td>", i + 1);
    add(out, hy_text_string(&words));
    hy_text_add(out, "</td><td class=\"n\">");
    if (!e->is_level0) hy_text_printf(out, "%.4g", (double)journal->steps[i].benefit);
    hy_text_add(out, "</td></tr>\n");
    hy_text_free(&words);
  }
  hy_text_add(out, "</table>\n");
}

static void add_levels(const hy_explained *e, hy_text *out) {
  hy_text_printf(out, "<h2>Funcs and groups, as level %d has them</h2>\n<p>%s</p>\n", e->is_level0 ? 0 : 1,
                 e->is_level0
                     ? "What is free is inlined, everything else is computed at root. A func stands right of what it "
                       "reads; below its name, what it costs, in cheap operations."
                     : "A colour is a group, which is computed tile by tile of the func with the thick border. A func "
                       "stands right of what it reads; below the name of a group, what the whole of it costs, in cheap "
                       "operations. Nothing was run for this.");
  add_graph(e, out);
  add_funcs(e, out);
  add_steps(e, out);
}

/* -- what was measured -- */

static void add_candidate(const hy_tune_report *r, int number, double fastest, int rank, hy_text *out) {
  const hy_entry *entry = &r->measured->entries[number];
  bool ran = isfinite(entry->seconds), is_written = strcmp(entry->schedule, r->schedule) == 0;
  hy_text_printf(out, "<tr%s>", is_written ? " class=\"best\"" : "");
  if (hy_entry_is_unproved(entry))
    hy_text_add(out, "<td>not proved</td>");
  else if (ran)
    hy_text_printf(out, "<td class=\"n\">%d</td>", rank + 1);
  else
    hy_text_add(out, "<td></td>");
  hy_text_printf(out, "<td class=\"n\">%d</td><td>", number);
  add(out, entry->origin);
  hy_text_add(out, "</td><td class=\"n\">");
  if (isfinite(entry->predicted)) hy_text_printf(out, "%.4g", entry->predicted * 1e-6);
  hy_text_add(out, "</td><td class=\"n\">");
  if (ran)
    hy_text_printf(out, "%.4g</td><td class=\"n\">%.2f</td><td><div class=\"bar\" style=\"width:%.0fpx\"></div>",
                   entry->seconds * 1e3, entry->seconds / fastest, fmin(160, 20 * entry->seconds / fastest));
  else
    hy_text_printf(out, "%s</td><td></td><td>", entry->took_too_long ? "took too long" : "did not run");
  hy_text_add(out, "</td><td><details><summary>schedule</summary><pre>");
  add(out, entry->schedule);
  hy_text_add(out, "</pre></details></td></tr>\n");
}

static void add_measured(const hy_tune_report *r, hy_text *out) {
  const hy_measured *m = r->measured;
  if (!m->count) return;
  int *order = hy_allocate(sizeof *order * m->count);
  int count = hy_measured_ranking(m, order);
  double fastest = count ? m->entries[order[0]].seconds : 1;
  hy_text_printf(out,
                 "<h2>What was measured</h2>\n<p>%zu schedules in %d generations, the fastest run of each, the "
                 "fastest first; what is written is marked. Who is fastest is decided by races, in turn with the "
                 "best so far, not by a single run.</p>\n<table><tr><th></th><th>number</th><th>from</th>"
                 "<th>predicted ms</th><th>measured ms</th><th>ratio</th><th></th><th></th></tr>\n",
                 m->count, m->generations);
  for (int i = 0; i < count; i++) add_candidate(r, order[i], fastest, i, out);
  for (size_t i = 0; i < m->count; i++)
    if (!isfinite(m->entries[i].seconds) || hy_entry_is_unproved(&m->entries[i]))
      add_candidate(r, (int)i, fastest, 0, out);
  hy_text_add(out, "</table>\n");
  hy_free(order);
}

static const char style[] =
    "body{font:15px/1.45 sans-serif;margin:2em;color:#1f2328}pre{font:13px/1.4 monospace;margin:0;white-space:pre-wrap}"
    "table{border-collapse:collapse;margin:.6em 0}td,th{border:1px solid #d0d7de;padding:.25em .6em;text-align:left;"
    "vertical-align:top}.n{text-align:right}.best{background:#dafbe1}.bar{height:.8em;background:#0969da;margin-top:"
    ".3em}.wide{overflow-x:auto}svg text{font:13px sans-serif}svg .small{font-size:11px;fill:#57606a}";

void hy_tune_report_page(const hy_tune_report *r, hy_text *out) {
  const char *name = r->explained.search->session->alg->name;
  hy_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>halyard tune ");
  add(out, name);
  hy_text_printf(out, "</title>\n<style>%s</style></head><body>\n<h1>A schedule for ", style);
  add(out, name);
  hy_text_add(out, "</h1>\n<pre>");
  add(out, r->text);
  hy_text_add(out, "</pre>\n");
  if (r->explained.proposal) add_levels(&r->explained, out);
  add_measured(r, out);
  hy_text_add(out, "</body></html>\n");
}

/* -- JSON -- */

static void record_words(const hy_explained *e, int node, words *words, const char *key, hy_record *row) {
  hy_text text = {0};
  words(e, node, &text);
  hy_record_text(row, key, hy_text_string(&text));
  hy_text_free(&text);
}

static void record_func(const hy_explained *e, int node, hy_record *row) {
  const hy_func_graph *g = e->proposal->graph;
  figures f = figures_of(g, node);
  int group = group_of(e, node);
  hy_record_text(row, "func", g->nodes[node].func->name);
  if (hy_reasons_is_shown(e, node)) {
    if (f.points >= 0) hy_record_int(row, "points", f.points);
    hy_record_int(row, "operations", f.operations);
    hy_record_int(row, "loads", f.loads);
  }
  if (group >= 0) hy_record_text(row, "group", g->nodes[group].func->name);
  if (e->proposal->journal->reasons[node].has_cost)
    hy_record_real(row, "cost", (double)e->proposal->journal->reasons[node].cost);
  record_words(e, node, hy_reasons_place, "place", row);
  record_words(e, node, hy_reasons_why, "why", row);
}

static void record_step(const hy_explained *e, const hy_journal_step *step, hy_record *row) {
  const hy_func_graph *g = e->proposal->graph;
  bool is_merged = step->kind == HY_STEP_MERGED;
  hy_record_text(row, "step", is_merged ? "merge" : "inline");
  hy_record_text(row, "func", g->nodes[step->node].func->name);
  if (!e->is_level0) hy_record_real(row, "benefit", (double)step->benefit);
  if (!is_merged) return;
  hy_record_text(row, "into", g->nodes[step->into].func->name);
  hy_record_ints(row, "tile", step->tile.len, g->nodes[step->into].func->rank);
}

static void record_candidate(const hy_entry *entry, size_t number, hy_record *row) {
  hy_record_int(row, "number", (int64_t)number);
  hy_record_text(row, "origin", entry->origin);
  hy_record_text(row, "schedule", entry->schedule);
  if (isfinite(entry->predicted)) hy_record_real(row, "predicted_ms", entry->predicted * 1e-6);
  if (isfinite(entry->seconds)) hy_record_real(row, "measured_ms", entry->seconds * 1e3);
  if (entry->took_too_long) hy_record_bool(row, "took_too_long", true);
  if (hy_entry_is_unproved(entry)) hy_record_bool(row, "not_proved", true);
}

void hy_tune_report_record(const hy_tune_report *r, hy_record *record) {
  const hy_explained *e = &r->explained;
  for (int n = e->proposal ? e->proposal->graph->first : 0; e->proposal && n < e->proposal->graph->count; n++)
    record_func(e, n, hy_record_append(record, "funcs"));
  for (int i = 0; e->proposal && i < e->proposal->journal->step_count; i++)
    record_step(e, &e->proposal->journal->steps[i], hy_record_append(record, "steps"));
  for (size_t i = 0; i < r->measured->count; i++)
    record_candidate(&r->measured->entries[i], i, hy_record_append(record, "candidates"));
}
