// halyard tune: a schedule for about these sizes, found and proved.

#include "autosched/rules.h"
#include "cli/tune/head.h"
#include "cli/tune/measure.h"
#include "cli/tune/report.h"
#include "cli/verbs/verbs.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const hy_loc nowhere = {0};

typedef bool level(const hy_func_graph *graph, const hy_tune_parameters *parameters, hy_proposal *proposal);
// Does less for a func than a level does, for where that is not proved.
typedef void lessen(const hy_func_graph *graph, const hy_tune_parameters *parameters, int node, hy_func_choice *choice);

typedef struct {
  const char *level; // in words
  bool has_parameters;
  hy_tune_parameters parameters;
  level *make; // the schedule, where all that stands before it is not proved; NULL: it is there
  lessen *lessen;
  hy_cost cost;   // -1: none
  double seconds; // measured; 0: not
  hy_text schedule;
} found;

enum { MEASURED_FOUND = 4, SMALLER = 2, MOST_FOUND = MEASURED_FOUND + 5 + SMALLER };

typedef struct {
  hy_search search;
  const hy_schedule *start;
  hy_kept kept;
  hy_measured measured;
  hy_proposal proposal; // of the highest level that runs nothing; graph NULL: numbers are too large
  bool is_level0;
  found found[MOST_FOUND];
  int count;
} tuning;

/* -- finding -- */

static void make(tuning *t, found *f) {
  level *level = f->make;
  f->make = NULL;
  hy_proposal proposal;
  if (!level(t->search.graph, &f->parameters, &proposal)) return; // numbers too large: the next will do
  f->cost = f->lessen ? -1 : proposal.cost;
  for (int n = t->search.graph->first; f->lessen && n < t->search.graph->count; n++)
    f->lessen(t->search.graph, &f->parameters, n, &proposal.choices->funcs[n]);
  hy_search_repair(&t->search, &proposal);
  t->is_level0 = level == hy_tune_level0;
  t->proposal = proposal;
  hy_search_print(&t->search, proposal.graph, proposal.choices, &f->schedule);
}

static found *propose(tuning *t, level *level, const char *words) {
  found *f = &t->found[t->count++];
  *f = (found){.level = words, .has_parameters = true, .parameters = t->search.parameters, .make = level};
  return f;
}

// Other tiles, of which other bounds follow: with half the cache, and with a quarter of it.
static void propose_smaller(tuning *t) {
  for (int i = 1; i <= SMALLER; i++) propose(t, hy_tune_level1, "1")->parameters.cache_bytes >>= i;
}

static void stay_at_root(const hy_func_graph *g, const hy_tune_parameters *p, int node, hy_func_choice *f) {
  if (f->place != HY_PLACE_INLINE) return;
  f->place = HY_PLACE_ROOT;
  for (int k = 0; k < g->nodes[node].stage_count; k++) {
    hy_rule_vectorize(g, node, k, &g->nodes[node].box, p, &f->stages[k]);
    hy_rule_parallelize(g, node, k, &g->nodes[node].box, p, &f->stages[k]);
  }
}

static void stay_scalar(const hy_func_graph *g, const hy_tune_parameters *p, int node, hy_func_choice *f) {
  (void)p;
  for (int k = 0; k < g->nodes[node].stage_count; k++) f->stages[k].vector = f->stages[k].unroll = -1;
}

static void warn_unmeasured(const tuning *t) {
  bool stopped = t->search.is_interrupted;
  hy_warn(t->search.session->diagnostics, HY_E_TUNE_NOT_MEASURED, nowhere, NULL,
          stopped ? NULL : "give a larger --budget, or estimate smaller sizes",
          stopped ? "interrupted before a schedule had run: what is found without runs is taken"
                  : "no schedule ran within the budget: what is found without runs is taken");
}

// The fastest of those that ran.
static hy_status find_measured(tuning *t) {
  hy_status status = hy_measure(&t->search, t->start, &t->kept, &t->measured);
  int *order = hy_allocate(sizeof *order * (t->measured.count + 1));
  int count = status == HY_STATUS_FINE ? hy_measured_ranking(&t->measured, order) : 0;
  for (int i = 0; i < count && t->count < MEASURED_FOUND; i++) {
    const hy_entry *e = &t->measured.entries[i == 0 && t->measured.best >= 0 ? t->measured.best : order[i]];
    t->found[t->count] = (found){.level = "2", .cost = -1, .seconds = e->seconds};
    hy_text_add(&t->found[t->count++].schedule, e->schedule);
  }
  hy_free(order);
  if (status == HY_STATUS_FINE && !count) warn_unmeasured(t);
  return status;
}

// The best first; what comes last needs nothing at all. Level 1 explains what runs have found, too.
static hy_status find_all(tuning *t) {
  hy_session *s = t->search.session;
  hy_status status = HY_STATUS_FINE;
  hy_reporter_progress(s->reporter, "looking for schedules");
  if (s->options.level >= 2) status = find_measured(t);
  if (status != HY_STATUS_FINE) return status;
  if (s->options.level >= 1) make(t, propose(t, hy_tune_level1, "1"));
  if (s->options.level >= 1) propose_smaller(t);
  propose(t, hy_tune_level0, "0");
  propose(t, hy_tune_level0, "0, nothing inlined")->lessen = stay_at_root;
  propose(t, hy_tune_level0, "0, no vectors")->lessen = stay_scalar;
  found *plain = &t->found[t->count++];
  *plain = (found){.level = "none: every func at root", .cost = -1};
  hy_search_print(&t->search, t->search.graph, hy_choices_plain(t->search.graph), &plain->schedule);
  return HY_STATUS_FINE;
}

/* -- telling -- */

static void record(const tuning *t, const found *f, const hy_tune_proof *proof, const hy_tune_report *report) {
  const hy_search *search = &t->search;
  hy_record *r = hy_reporter_record(search->session->reporter);
  hy_record_text(r, "level", f->level);
  hy_record_text(r, "schedule", hy_text_string(&f->schedule));
  if (f->cost >= 0) hy_record_real(r, "predicted_cost", (double)f->cost);
  if (f->seconds > 0) hy_record_real(r, "measured_ms", f->seconds * 1e3);
  hy_record_int(r, "tried", search->tried);
  hy_record_int(r, "refused", search->refused);
  hy_record_int(r, "unproved", search->unproved + t->measured.unproved);
  hy_record_int(r, "obligations", (int64_t)proof->obligations);
  hy_record_int(r, "certificates", (int64_t)proof->certificates);
  hy_tune_report_record(report, r);
}

// Seeds begin with level 0.
static double baseline_of(const tuning *t) {
  double seconds = t->measured.count ? t->measured.entries[0].seconds : 0;
  return isfinite(seconds) ? seconds : 0;
}

static void print_found(const tuning *t, const found *f, const hy_tune_proof *proof, hy_text *out) {
  const hy_search *search = &t->search;
  hy_tune_head head = {.algorithm = hy_text_string(&search->algorithm),
                       .level = f->level,
                       .estimates = search->sizes.estimates,
                       .parameters = f->has_parameters ? &f->parameters : NULL,
                       .cost = f->cost,
                       .seconds = f->seconds,
                       .baseline_seconds = baseline_of(t),
                       .measured = t->measured.count,
                       .generations = t->measured.generations,
                       .seed = search->session->options.seed,
                       .processors = search->machine.cores,
                       .tried = search->tried,
                       .refused = search->refused + t->measured.refused,
                       .unproved = search->unproved + t->measured.unproved,
                       .proof = proof};
  hy_tune_head_print(search->session->alg, &head, out);
  hy_text_add(out, hy_text_string(&f->schedule));
}

static hy_status cannot_write(hy_session *s, const char *path) {
  hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  return HY_STATUS_USAGE;
}

static hy_status write_report(hy_session *s, const hy_tune_report *report) {
  hy_text page = {0};
  if (!s->options.report) return HY_STATUS_FINE;
  hy_tune_report_page(report, &page);
  bool written = hy_whole_file_write(s->options.report, hy_text_string(&page), page.length);
  hy_text_free(&page);
  return written ? HY_STATUS_FINE : cannot_write(s, s->options.report);
}

static hy_status write_schedule(hy_session *s, const found *f, const hy_tune_proof *proof, const hy_text *text) {
  if (!s->options.output)
    hy_reporter_print(s->reporter, "%s", hy_text_string(text));
  else if (!hy_whole_file_write(s->options.output, hy_text_string(text), text->length))
    return cannot_write(s, s->options.output);
  else
    hy_reporter_print(s->reporter, "%s: level %s, proved: %zu obligations, all %zu certificates accepted\n",
                      s->options.output, f->level, proof->obligations, proof->certificates);
  return HY_STATUS_FINE;
}

static hy_status write_found(tuning *t, const found *f, const hy_tune_proof *proof) {
  hy_session *s = t->search.session;
  hy_text text = {0};
  print_found(t, f, proof, &text);
  hy_tune_report report = {.explained = {&t->search, t->proposal.graph ? &t->proposal : NULL, t->is_level0},
                           .measured = &t->measured,
                           .schedule = hy_text_string(&f->schedule),
                           .text = hy_text_string(&text)};
  if (t->proposal.graph) hy_journal_explain(t->proposal.journal);
  record(t, f, proof, &report);
  hy_status status = write_report(s, &report);
  if (status == HY_STATUS_FINE) status = write_schedule(s, f, proof, &text);
  hy_text_free(&text);
  return status;
}

// What the default schedule with these lines, which may be none, comes to. "why": why it is refused, if it is.
static hy_answer answer_of_default(const tuning *t, const char *lines, hy_text *why) {
  hy_text text = {0};
  hy_text_printf(&text, "schedule tuned for %s {\n%s}\n", t->search.session->alg->name, lines);
  hy_candidate *c = hy_candidate_new(hy_text_string(&t->search.algorithm), hy_text_string(&text));
  hy_answer answer = c->is_legal ? hy_candidate_certify(c, t->search.session->options.z3_limit).answer : HY_NO;
  if (!c->is_legal) hy_text_add(why, hy_diagnostics_at(c->diagnostics, 0)->message);
  hy_candidate_free(c);
  hy_text_free(&text);
  return answer;
}

static void blame_kept(const tuning *t) {
  const hy_session *s = t->search.session;
  hy_text help = {0}, why = {0};
  answer_of_default(t, hy_text_string(&t->kept.lines), &why);
  if (why.length)
    hy_text_printf(&help, "alone it is refused: %s; freeze what it needs, too", hy_text_string(&why));
  else
    hy_text_printf(&help, "'halyard check' says what is refuted or undecided of the schedule of --start");
  hy_report(s->diagnostics, HY_E_TUNE_UNPROVED, s->alg->loc, NULL, hy_text_string(&help),
            "no schedule of '%s' that keeps what --freeze names could be proved; without it the default one is",
            s->alg->name);
  hy_text_free(&help);
  hy_text_free(&why);
}

static hy_status nothing_proved(const tuning *t) {
  const hy_session *s = t->search.session;
  hy_text why = {0};
  if (t->kept.lines.length && answer_of_default(t, "", &why) == HY_YES)
    blame_kept(t);
  else
    hy_report(s->diagnostics, HY_E_TUNE_UNPROVED, s->alg->loc, NULL,
              "'halyard check' says what is undecided of the default schedule",
              "no schedule of '%s' could be proved, not even the default one", s->alg->name);
  hy_text_free(&why);
  return HY_STATUS_UNDECIDED;
}

typedef bool certify(hy_search *search, const char *schedule, hy_tune_proof *proof, hy_status *status);

// Writes the first that is proved, and says so in "status"; false: none is, or, with a status, there is no use in going on.
static bool take_first_proved(tuning *t, certify *certify, hy_status *status) {
  for (int i = 0; i < t->count; i++) {
    hy_tune_proof proof;
    if (t->found[i].make) make(t, &t->found[i]);
    if (!t->found[i].schedule.length) continue;
    if (certify(&t->search, hy_text_string(&t->found[i].schedule), &proof, status)) {
      *status = write_found(t, &t->found[i], &proof);
      return true;
    }
    if (*status != HY_STATUS_FINE) return false;
  }
  return false;
}

// One that takes long to prove, if it can be proved at all, is left for one that does not; unless all do.
static hy_status take_proved(tuning *t) {
  hy_status status = HY_STATUS_FINE;
  if (take_first_proved(t, hy_search_certify_soon, &status) || status != HY_STATUS_FINE) return status;
  t->search.unproved = 0;
  if (take_first_proved(t, hy_search_certify, &status) || status != HY_STATUS_FINE) return status;
  return nothing_proved(t);
}

/* -- the command line -- */

static hy_status refuse(hy_session *s, const char *help, const char *what) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, help, "%s", what);
  return HY_STATUS_USAGE;
}

// Files by any of their names; one that is not there yet by the one that is given.
static bool is_same_file(const char *a, const char *b) {
  struct stat of_a, of_b;
  if (!a || !b) return false;
  if (strcmp(a, b) == 0) return true;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

// What is written would take the place of something that this command reads, or writes.
static bool takes_a_place(const hy_options *o, const char *written) {
  const char *alg = o->words.count ? o->words.data[0] : NULL, *name = o->start ? strrchr(o->start, ':') : NULL;
  char *start = o->start ? hy_copy_string(o->start) : NULL; // S.sched:NAME
  if (name) start[name - o->start] = '\0';
  bool takes = is_same_file(written, alg) || is_same_file(written, o->replay) || is_same_file(written, o->start) ||
               is_same_file(written, start) || (written != o->measurements && is_same_file(written, o->measurements)) ||
               (written != o->report && is_same_file(written, o->report));
  hy_free(start);
  return takes;
}

static hy_status check_files(hy_session *s) {
  const char *written[] = {s->options.output, s->options.measurements, s->options.report};
  for (size_t i = 0; i < HY_COUNT(written); i++) {
    if (written[i] && !*written[i]) return refuse(s, "name a file, or leave it out", "a file is called ''");
    if (takes_a_place(&s->options, written[i]))
      return refuse(s, "name another file for what is written",
                    "one file is named for two things, and only one of them would be left");
  }
  return HY_STATUS_FINE;
}

static hy_status check_options(hy_session *s) {
  const hy_options *o = &s->options;
  const char *example = "halyard tune A.alg --estimate out.x=0:2560,out.y=0:1440";
  bool measures = o->budget || o->sweep || o->replay || o->measurements;
  if (o->words.count > 1)
    return refuse(s, example, "tune takes an algorithm, and finds the schedule: one word is too many");
  if (measures && o->level < 2)
    return refuse(s, "add --level 2, or leave them out",
                  "--budget, --sweep, --replay and --measurements belong to level 2");
  if (o->start && !o->freeze && o->level < 2)
    return refuse(s, "add --freeze f,g, or --level 2",
                  "levels 0 and 1 do not begin with a schedule, but keep what --freeze names");
  if (o->replay && o->measurements)
    return refuse(s, "leave one of them out", "--replay measures nothing that --measurements could write down");
  return check_files(s);
}

static hy_status tune(tuning *t, hy_session *s) {
  hy_status status = hy_search_begin(&t->search, s);
  t->start = s->schedules.count ? s->schedules.data[0] : NULL;
  if (status == HY_STATUS_FINE) status = hy_kept_read(s, t->search.graph, t->start, &t->kept);
  t->search.is_kept = t->kept.is_kept;
  t->search.given = hy_text_string(&t->kept.lines);
  if (status == HY_STATUS_FINE) status = find_all(t);
  return status == HY_STATUS_FINE ? take_proved(t) : status;
}

hy_status hy_command_tune(hy_session *s) {
  hy_status status = check_options(s);
  if (status != HY_STATUS_FINE) return status;
  if (s->options.start) hy_vec_push(&s->options.words, s->options.start);
  status = hy_session_load(s, false);
  if (status != HY_STATUS_FINE) return status;
  if (s->program) return refuse(s, NULL, "tune takes an algorithm, and this is a target program");
  tuning *t = hy_allocate_zeroed(1, sizeof *t);
  status = tune(t, s);
  for (int i = 0; i < t->count; i++) hy_text_free(&t->found[i].schedule);
  hy_measured_free(&t->measured);
  hy_kept_free(&t->kept);
  hy_search_free(&t->search);
  hy_free(t);
  return status;
}
