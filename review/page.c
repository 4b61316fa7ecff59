#include "review/review.h"

#include "codegen/codegen.h"
#include "oracle/z3/z3_check.h"
#include "semantics/base/clock.h"
#include "semantics/semantics.h"

#include <string.h>

/* One page of text: the verdict; what holds for all inputs; what was sampled;
 * the smallest counterexample; which of the plug-in's own branches were taken.
 */

typedef unsigned long long number;

static const char *verdict_text(const hy_review *r) {
  switch (r->verdict) {
  case HY_REVIEW_SOUND: return "SOUND, as far as was seen";
  case HY_REVIEW_REFUTED: return "REFUTED";
  case HY_REVIEW_OPEN: return "UNDECIDED";
  }
  HY_UNREACHABLE();
}

static void print_head(const hy_review *r, hy_text *out) {
  const hyd_directive *d = r->plugin->directive;
  hy_text_printf(out, "%s: %s\n", d->name, verdict_text(r));
  if (r->verdict == HY_REVIEW_SOUND)
    hy_text_add(out, "  on the nests and with the numbers named below; of others nothing is said\n");
  if (r->open) hy_text_printf(out, "  because %s%s", r->open, strchr(r->open, '\n') ? "" : "\n");
  hy_text_printf(out, "  %s  %s\n  %s\n", d->form, d->summary, r->plugin->path);
  hy_text_printf(out,
                 "  halyard %s, halyard_directive.h version %d, Z3 %s; int "
                 "within 64 bits, Euclidean division; seed %llu, "
                 "%.1f s on %d processes\n\n",
                 HALYARD_VERSION, HYD_VERSION, hy_z3_version(), (number)r->seed, hy_seconds() - r->start, r->jobs);
}

static void print_faults(const hy_review *r, hy_text *out) {
  if (r->death) hy_text_printf(out, "THE PLUG-IN'S FAULT: %s\n\n", r->death);
  if (r->leaked_bytes)
    hy_text_printf(out,
                   "THE PLUG-IN'S FAULT: it keeps about %lld bytes of memory "
                   "each time that a program is made\n\n",
                   (long long)r->leaked_bytes);
  if (r->leaked_files)
    hy_text_printf(out, "THE PLUG-IN'S FAULT: it left %lld files open\n\n", (long long)r->leaked_files);
}

static const char *why_not(const hy_review *r) {
  if (r->death) return "the plug-in ended the process before";
  if (r->leaked_bytes >= HY_REVIEW_MUCH) return "it keeps too much memory";
  return r->late ? "time ran out" : "it was not applied";
}

// Nothing is said of a nest that takes no application.
static void print_unapplied(const hy_review *r, hy_text *out) {
  int count = 0;
  for (int i = 0; i < HY_REVIEW_SHAPES; i++)
    if (!r->shapes[i].applied)
      hy_text_printf(out, "%s%s", count++ ? "; " : "  Never applied, so nothing is said of: ", r->shapes[i].name);
  if (count) hy_text_add(out, "\n");
}

// "1 to 17, 19 and 23"
static void print_values(const hy_review_argument *argument, hy_text *out) {
  const int64_t *v = argument->values.data;
  for (size_t i = 0, last; i < argument->values.count; i = last + 1) {
    for (last = i; last + 1 < argument->values.count && v[last + 1] == v[last] + 1;) last++;
    hy_text_printf(out, "%s%lld", i ? ", " : " ", (long long)v[i]);
    if (last > i) hy_text_printf(out, last > i + 1 ? " to %lld" : ", %lld", (long long)v[last]);
  }
}

static void print_arguments(const hy_review *r, hy_text *out) {
  for (int i = 0; i < r->plugin->count; i++) {
    const hy_review_argument *argument = &r->arguments[i];
    if (!argument->is_number) continue;
    hy_text_printf(out, "  Argument %d was", i + 1);
    print_values(argument, out);
    if (argument->is_param)
      hy_text_printf(out, "%s a parameter, for all its values", argument->values.count ? ", and" : "");
    hy_text_add(out, !argument->values.count && !argument->is_param ? " nothing that it took.\n"
                                                                    : "; of other constants nothing is said.\n");
  }
}

static void print_shapes(const hy_review *r, hy_text *out) {
  hy_text_add(out, "For all inputs: structure (L0), and coverage, range, "
                   "uniqueness, order and disjointness (L3), whatever "
                   "the sizes and bounds\n");
  hy_text_printf(out, "  %-42s %7s %7s %7s %10s %9s\n", "on", "applied", "refused", "failed", "undecided", "proved");
  for (int i = 0; i < HY_REVIEW_SHAPES; i++) {
    const hy_review_shape *s = &r->shapes[i];
    if (!s->applied && !s->refused && (r->death || r->late))
      hy_text_printf(out, "  %-42s not tried: %s\n", s->name, why_not(r));
    else
      hy_text_printf(out, "  %-42s %7d %7d %7d %10d %4d/%-4d\n", s->name, s->applied, s->refused, s->failed,
                     s->undecided, s->proved, s->questions);
  }
  print_unapplied(r, out);
  print_arguments(r, out);
  hy_text_add(out, "  This holds of these nests of loops with these arguments. "
                   "It is proved again for each program that "
                   "uses the\n  directive, before it runs; nothing that the "
                   "plug-in claims is believed.\n\n");
}

static void print_neighbours(const hy_review *r, hy_text *out) {
  hy_text_add(out, "\nBeside each of Halyard's own directives (every level, "
                   "and the interpreters): pairs with it before and after\n");
  uint64_t tried = 0;
  for (int k = 0; k < HY_REVIEW_NEIGHBOURS; k++) tried += r->neighbours[k].tried;
  if (!tried) {
    hy_text_printf(out, "  not tried: %s\n", why_not(r));
    return;
  }
  hy_text_printf(out, "  %-14s %7s %7s %7s %10s\n", "", "before", "after", "failed", "undecided");
  for (int k = 0; k < HY_REVIEW_NEIGHBOURS; k++) {
    const hy_review_neighbour *n = &r->neighbours[k];
    if (!n->tried)
      hy_text_printf(out, "  %-14s not tried: %s\n", hy_sched_name(n->kind), why_not(r));
    else
      hy_text_printf(out, "  %-14s %7llu %7llu %7llu %10llu\n", hy_sched_name(n->kind), (number)n->before,
                     (number)n->after, (number)n->failures, (number)n->undecided);
  }
  int apart = 0;
  for (int k = 0; k < HY_REVIEW_NEIGHBOURS; k++) {
    const hy_review_neighbour *n = &r->neighbours[k];
    if (n->before + n->after == 0)
      hy_text_printf(out, "%s%s", apart++ ? ", " : "  Never in one program with: ", hy_sched_name(n->kind));
  }
  if (apart) hy_text_add(out, "\n");
  hy_text_add(out, "  Phases put specialize before all loops directives, and "
                   "compute_at, store_at and bounds behind them.\n");
}

static void print_leaks(const hy_review *r, hy_text *out) {
  bool keeps = r->leaked_bytes || r->leaked_files;
  if (keeps || r->leaks_measured)
    hy_text_printf(out, "  Memory and files: %s over %d programs made.\n\n",
                   keeps ? "kept, as said at the top, measured" : "nothing is kept", r->leak_rounds);
  else // the C library's count is missing under sanitizers
    hy_text_printf(out, "  Memory and files: not measured: %s.\n\n",
                   r->leak_rounds ? "the allocator keeps no count of memory" : why_not(r));
}

static void print_campaigns(const hy_review *r, hy_text *out) {
  hy_text_printf(out,
                 "Sampled: random pairs aimed at it, which prove nothing about "
                 "others (seed %llu)\n",
                 (number)r->seed);
  for (int i = 0; i < HY_REVIEW_CAMPAIGNS; i++) {
    const hy_review_pairs *c = &r->campaigns[i];
    if (!c->name) continue;
    if (!c->pairs) {
      hy_text_printf(out, "  %s: none of %llu pairs: %s\n", c->name, (number)c->wanted, why_not(r));
      continue;
    }
    hy_text_printf(out, "  %s: %llu of %llu pairs, %llu applications, %.1f s\n", c->name, (number)c->pairs,
                   (number)c->wanted, (number)c->applications, c->seconds);
    hy_text_printf(out, "    %llu failed, %llu undecided, %llu refused, %llu not usable", (number)c->failures,
                   (number)c->undecided, (number)c->refused, (number)c->unusable);
    if (c->questions)
      hy_text_printf(out, "; %llu of %llu questions proved, %llu unknown", (number)c->proved, (number)c->questions,
                     (number)c->unknown);
    if (c->runs) hy_text_printf(out, "; %llu runs, %llu points compared", (number)c->runs, (number)c->points);
    hy_text_add(out, "\n");
  }
  print_neighbours(r, out);
  print_leaks(r, out);
}

/* -- side by side -- */

enum { COLUMN = 66 };

// The next row of a text: at most a column's width; lines that are longer go
// on, further in.
static size_t row_of(const char *at) {
  size_t length = strcspn(at, "\n");
  if (length <= COLUMN) return length;
  for (size_t k = COLUMN; k > COLUMN / 2; k--)
    if (at[k] == ' ') return k;
  return COLUMN;
}

static void print_rows(const char *a, const char *b, hy_text *out) {
  while (*a || *b) {
    size_t left = row_of(a), right = row_of(b);
    bool same = left == right && strncmp(a, b, left) == 0;
    hy_text_printf(out, "  %-*.*s %s %.*s\n", COLUMN, (int)left, a, same ? " " : "|", (int)right, b);
    a += left, b += right;
    a += *a == '\n' || (*a == ' ' && a[-1] != '\n');
    b += *b == '\n' || (*b == ' ' && b[-1] != '\n');
  }
}

static void print_indented(const char *text, hy_text *out) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    hy_text_printf(out, "  %.*s\n", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

// The input that shows it, as "halyard run" takes it: "  on --window x=0:7,y=0:5 -p n=3".
static void print_input(const hy_case *c, int shown, hy_text *out) {
  hy_context *context = hy_context_new();
  hy_diagnostics *unheard = hy_diagnostics_new();
  hy_source source = {"case.alg", c->alg, strlen(c->alg)};
  const hy_alg *alg = hy_parse_alg(context, &source, unheard);
  const hy_case_input *input = &c->inputs[shown > 0 && shown < c->input_count ? shown : 0];
  if (alg) hy_text_add(out, "  on");
  for (int d = 0; alg && d < alg->window_rank; d++)
    hy_text_printf(out, "%s%s=%lld:%lld", d ? "," : " --window ", alg->window_min[d]->name, (long long)input->min[d],
                   (long long)input->len[d]);
  for (int p = 0; alg && p < alg->param_count && p < HY_MOST_PARAMS; p++) {
    hy_text_printf(out, " -p %s=", alg->params[p]->name);
    hy_value_print(hy_case_param(alg->params[p]->type, input->params[p]), out);
  }
  if (alg) hy_text_add(out, "\n");
  hy_diagnostics_free(unheard);
  hy_context_free(context);
}

static void print_smallest(const hy_review *r, hy_text *out) {
  if (!r->failures.count) return;
  const hy_review_failure *f = &r->failures.data[0];
  hy_text_printf(out,
                 "The smallest counterexample of %zu, found in %s: %d func%s, "
                 "%d directive%s; %s%s%s\n",
                 r->failures.count, f->where, f->funcs, f->funcs == 1 ? "" : "s", f->directives,
                 f->directives == 1 ? "" : "s", hy_found_name(f->judgement.found), *f->judgement.rule ? ", " : "",
                 f->judgement.rule);
  print_indented(f->judgement.detail, out);
  hy_text_add(out, "\n");
  print_indented(f->c.alg, out);
  hy_text_add(out, "  with\n");
  print_indented(f->c.items, out);
  if (f->c.input_count) print_input(&f->c, f->judgement.input, out);
  if (r->before) {
    hy_text_printf(out, "\n  %-*s   %s\n", COLUMN, "before", r->after ? "after" : "after: there is no program");
    print_rows(r->before, r->after ? r->after : "", out);
  }
  hy_text_add(out, "\n");
}

static void print_branches(const hy_review *r, hy_text *out) {
  const hyd_directive *d = r->plugin->directive;
  const hy_plugin_watch *watch = r->plugins->watch;
  int ways = 0, taken = 0, count = 0;
  if (!d->branches || d->branches == d->branches_end) {
    hy_text_add(out, "Its own branches: it marks none with HYD_BRANCH\n");
    return;
  }
  for (; d->branches + count < d->branches_end && count < HY_PLUGIN_BRANCHES; count++)
    for (int way = 0; way < 2; way++) ways++, taken += watch->taken[count][way] > 0;
  hy_text_printf(out, "Its own branches (HYD_BRANCH): %d of %d ways taken\n", taken, ways);
  for (int i = 0; i < count; i++)
    hy_text_printf(out, "  line %-4u %-50s false %u times, true %u times%s\n", d->branches[i]->line,
                   d->branches[i]->text, watch->taken[i][0], watch->taken[i][1],
                   watch->taken[i][0] && watch->taken[i][1] ? "" : "  <- not both");
}

void hy_review_text(const hy_review *r, hy_text *out) {
  print_head(r, out);
  print_faults(r, out);
  print_smallest(r, out);
  print_shapes(r, out);
  print_campaigns(r, out);
  print_branches(r, out);
}
