#include "review/review.h"

#include <string.h>
#include <unistd.h>

/* Random pairs aimed at the directive: every level of validation; runs on the
 * interpreters; obligations; and each of Halyard's own directives beside it.
 */

enum { STOP_AT = 3, NEIGHBOUR_PAIRS = 24 };

static void show(void *self, const hy_campaign *c, double seconds) {
  const hy_review *r = self;
  hy_review_progress(r, "%llu pairs, %.0f/s", (unsigned long long)c->total.pairs,
                     (double)c->total.pairs / (seconds > 0 ? seconds : 1));
}

// A tenth is for shrinking.
static double left_for_pairs(const hy_review *r) { return hy_review_left(r) - r->seconds * 0.1; }

static hy_campaign_options options_of(const hy_review *r, unsigned lanes, uint64_t pairs, double share) {
  double seconds = r->seconds * share, left = left_for_pairs(r);
  return (hy_campaign_options){.seed = hy_splitmix(r->seed, lanes),
                               .pairs = pairs,
                               .seconds = seconds < left ? seconds : left,
                               .deadline = r->start + r->seconds,
                               .lanes = lanes,
                               .jobs = r->jobs,
                               .favourite = HY_OWN_DIRECTIVES,
                               .neighbour = HY_NO_DIRECTIVE,
                               .plugins = r->plugins,
                               .stop_at = STOP_AT};
}

// What a case of the campaign shows is the plug-in's fault only if its schedule
// uses it; shrinking tells.
static void take_findings(hy_review *r, const hy_campaign *c, const char *where) {
  for (size_t i = 0; i < c->findings.count; i++) {
    const hy_finding *f = &c->findings.data[i];
    const char *why;
    hy_case found = {0};
    if (!hy_found_is_failure(f->found)) continue;
    if (!f->text || !hy_case_parse(f->text, &found, &why)) {
      *(hy_review_left(r) <= 0 ? &r->unseen : &r->unmade) += f->pairs;
      continue;
    }
    found.plugins = r->plugins;
    hy_judgement j = f->judgement;
    j.found = f->found;
    if (!found.lanes) found.lanes = f->lane;
    hy_review_fail(r, &found, &j, where);
    hy_case_free(&found);
  }
}

static void see_deaths(hy_review *r, const hy_campaign *c) {
  for (size_t i = 0; i < c->findings.count; i++) hy_review_see_death(r, &c->findings.data[i].judgement);
}

// False when there is nothing to be done, or no time.
static bool may_run(hy_review *r) {
  const double least = 0.05;
  bool late = left_for_pairs(r) < least;
  r->late |= late && !r->death;
  return !r->death && !late;
}

static void run(hy_review *r, hy_review_campaign which, const char *name, unsigned lanes, uint64_t pairs,
                double share) {
  hy_review_pairs *row = &r->campaigns[which];
  hy_campaign_options o = options_of(r, lanes, pairs, share);
  hy_campaign c;
  *row = (hy_review_pairs){.name = name, .wanted = pairs};
  if (!may_run(r) || !hy_campaign_run(&o, show, r, &c)) return;
  const hy_tally *t = &c.total;
  r->late |= t->pairs < pairs && !hy_tally_failures(t); // else it stopped at them
  row->pairs = t->pairs;
  row->applications = t->picked[HY_OWN_DIRECTIVES];
  row->refused = t->found[HY_FOUND_REFUSED];
  row->unusable = t->found[HY_FOUND_UNUSABLE] + t->found[HY_FOUND_VACUOUS] + t->found[HY_FOUND_NO_SOLUTION] +
                  t->found[HY_FOUND_OVERFLOW];
  row->undecided = t->found[HY_FOUND_UNDECIDED];
  row->failures = hy_tally_failures(t);
  row->questions = t->obligations;
  row->proved = t->proved + t->proved_z3;
  row->unknown = t->unknown;
  row->runs = t->runs;
  row->points = t->points;
  row->seconds = c.seconds;
  see_deaths(r, &c);
  take_findings(r, &c, name);
  hy_campaign_free(&c);
}

/* -- neighbours -- */

static bool starts_with(const char *line, const char *name) {
  size_t length = strlen(name);
  line += strspn(line, " ");
  return strncmp(line, name, length) == 0 && line[length] == '(';
}

// In the order applied: Halyard sorts directives into phases, and a plug-in's
// stand among the loops.
static void see_order(const hy_review *r, hy_review_neighbour *row, const char *items) {
  const char *name = hy_sched_name(row->kind), *own = r->plugin->directive->name;
  int count;
  hy_phase phase = hy_sched_directives(&count)[row->kind]->phase;
  bool met = false, met_own = false, before = false, after = false;
  for (const char *line = items; *line; line += strcspn(line, "\n") + 1) {
    if (starts_with(line, name)) met = true, after |= met_own;
    if (starts_with(line, own)) met_own = true, before |= met;
    if (!strchr(line, '\n')) break;
  }
  if (!met || !met_own) return;
  row->before += phase == HY_PHASE_LOOPS ? before : phase < HY_PHASE_LOOPS;
  row->after += phase == HY_PHASE_LOOPS ? after : phase > HY_PHASE_LOOPS;
}

typedef struct {
  const hy_campaign_options *options;
  hy_review_neighbour *row;
  uint64_t pairs;
} meeting;

// Making the pairs again applies the plug-in. The row is told after each.
static void see_orders(hy_review *r, void *self, int to) {
  const meeting *m = self;
  for (uint64_t i = 0; i < m->pairs; i++) {
    hy_case met;
    hy_walk walk;
    if (hy_campaign_case(m->options, i, &met, &walk) && !met.illegal) see_order(r, m->row, met.items);
    hy_case_free(&met);
    if (write(to, m->row, sizeof *m->row) != sizeof *m->row) return;
  }
}

static void count_orders(hy_review *r, const hy_campaign_options *o, hy_review_neighbour *row, uint64_t pairs) {
  meeting m = {o, row, pairs};
  hy_text said = {0};
  hy_review_apart(r, see_orders, &m, hy_review_left(r), &said);
  if (said.length >= sizeof *row) memcpy(row, said.data + (said.length / sizeof *row - 1) * sizeof *row, sizeof *row);
  hy_text_free(&said);
}

static void meet(hy_review *r, hy_review_neighbour *row, uint64_t pairs) {
  hy_campaign_options o = options_of(r, HY_LANE_PROMISE | HY_LANE_INTERPRET, pairs, 0.2);
  hy_campaign c;
  row->wanted = pairs;
  o.seed = hy_splitmix(o.seed, 100 + (uint64_t)row->kind);
  o.neighbour = row->kind;
  if (!may_run(r) || !hy_campaign_run(&o, show, r, &c)) return;
  row->failures = hy_tally_failures(&c.total);
  row->undecided = c.total.found[HY_FOUND_UNDECIDED];
  see_deaths(r, &c);
  row->tried = c.total.pairs;
  r->late |= row->tried < pairs && !row->failures;
  if (!r->death) count_orders(r, &o, row, c.total.pairs);
  take_findings(r, &c, "beside a built-in directive");
  hy_campaign_free(&c);
}

void hy_review_name_neighbours(hy_review *r) {
  for (int k = 0; k < HY_REVIEW_NEIGHBOURS; k++) r->neighbours[k].kind = k;
}

void hy_review_campaigns(hy_review *r) {
  uint64_t levels = r->pairs / 40, bounds = r->pairs / 10, neighbours = r->pairs / 400;
  run(r, HY_REVIEW_LEVELS, "every level, after each directive", HY_LANE_PROMISE, levels ? levels : 1, 0.3);
  run(r, HY_REVIEW_RUNS, "algorithm and program on the interpreters", HY_LANE_INTERPRET, r->pairs, 0.4);
  run(r, HY_REVIEW_BOUNDS, "with every obligation decided", HY_LANE_QUERY | HY_LANE_INTERPRET, bounds ? bounds : 1,
      0.5);
  if (neighbours > NEIGHBOUR_PAIRS) neighbours = NEIGHBOUR_PAIRS;
  for (int k = 0; k < HY_REVIEW_NEIGHBOURS; k++) meet(r, &r->neighbours[k], neighbours ? neighbours : 1);
}
