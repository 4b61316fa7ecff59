#include "cli/reports/fuzz_report.h"

#include <inttypes.h>

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }
static double rate(uint64_t count, double seconds) { return seconds > 0 ? (double)count / seconds : 0; }

void hy_fuzz_progress(void *self, const hy_campaign *c, double seconds) {
  hy_session *s = self;
  if (c->shrinking) {
    hy_reporter_progress(s->reporter, "%" PRIu64 " pairs; making a case of %s smaller (of %zu findings)",
                         c->total.pairs, c->shrinking, c->findings.count);
    return;
  }
  hy_reporter_progress(s->reporter,
                       "%" PRIu64 " pairs, %.0f/s, lanes %s; rules %d/%d; refused %" PRIu64 ", undecided %" PRIu64
                       "; failures %" PRIu64 " (%d different)",
                       c->total.pairs, rate(c->total.pairs - c->resumed, seconds),
                       s->options.lanes ? s->options.lanes : "1,2", hy_tally_rules(&c->total), HY_RULE_COUNT,
                       c->total.found[HY_FOUND_REFUSED], c->total.found[HY_FOUND_UNDECIDED],
                       hy_tally_failures(&c->total), hy_findings_failures(c));
}

static void print_list(hy_session *s, const char *title, const uint64_t *counts, int count, const char *(*name)(int)) {
  hy_reporter_print(s->reporter, "%s:", title);
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), title);
  bool first = true;
  for (int i = 0; i < count; i++) {
    if (!counts[i]) continue;
    hy_reporter_print(s->reporter, "%s %s %" PRIu64, first ? "" : ",", name(i), counts[i]);
    hy_record_int(record, name(i), (int64_t)counts[i]);
    first = false;
  }
  hy_reporter_print(s->reporter, "%s\n", first ? " none" : "");
}

static const char *found_name(int i) { return hy_found_name((hy_found)i); }
static const char *directive_name(int i) { return hy_sched_name(i); }
static const char *tail_name(int i) { return hy_tail_name((hy_tail)i); }
static const char *traversal_name(int i) { return hy_traversal_name((hy_traversal)i); }
static const char *depth_name(int i) { return (const char *[HY_DEPTHS]){"0", "1", "2", "3", "4 or more"}[i]; }
static const char *count_name(int i) {
  return (const char *[HY_FUNC_COUNTS]){"not valid", "1", "2", "3", "4", "5", "6"}[i];
}
static const char *relation_name(int i) { return hy_case_relation_name((hy_case_relation)i); }

static void print_speed(hy_session *s, const hy_campaign *c) {
  hy_record *record = hy_reporter_record(s->reporter);
  uint64_t now = c->total.pairs - c->resumed;
  hy_reporter_print(s->reporter, "seed %" PRIu64 ": %" PRIu64 " pairs", c->header.seed, c->total.pairs);
  if (c->resumed) hy_reporter_print(s->reporter, ", %" PRIu64 " of them earlier", c->resumed);
  if (now)
    hy_reporter_print(s->reporter, "; %.1f s, %.0f pairs/s, %.0f per second of processor time, largest worker %.0f MB",
                      c->seconds, rate(now, c->seconds), rate(now, c->cpu_seconds), (double)c->largest / 1024);
  hy_reporter_print(s->reporter, "\n");
  hy_record_int(record, "seed", (int64_t)c->header.seed);
  hy_record_int(record, "pairs", (int64_t)c->total.pairs);
  hy_record_int(record, "resumed", (int64_t)c->resumed);
  hy_record_real(record, "seconds", c->seconds);
  hy_record_real(record, "cpu_seconds", c->cpu_seconds);
  hy_record_int(record, "largest_worker_kb", c->largest);
  hy_record_int(record, "corrupt_lines", c->corrupt);
}

// Linear arithmetic is what the prover is for: what is unknown elsewhere must not hide, nor hide what is unknown there.
static void print_shapes(hy_session *s, const hy_tally *t, hy_record *obligations) {
  static const char *const names[HY_SHAPES] = {"affine", "symbolic", "other"};
  for (int i = 0; i < HY_SHAPES; i++) {
    hy_reporter_print(
        s->reporter, "%s%s pairs: %" PRIu64 " obligations, unknown %.3f %%; %" PRIu64 " of %" PRIu64 " pairs (%.2f %%)",
        i ? "; " : "", names[i], t->obligations_of[i], share(t->unknown_of[i], t->obligations_of[i]),
        t->with_unknown_of[i], t->with_query_of[i], share(t->with_unknown_of[i], t->with_query_of[i]));
    hy_record *record = hy_record_child(obligations, names[i]);
    hy_record_int(record, "obligations", (int64_t)t->obligations_of[i]);
    hy_record_int(record, "unknown", (int64_t)t->unknown_of[i]);
    hy_record_int(record, "pairs", (int64_t)t->with_query_of[i]);
    hy_record_int(record, "pairs_with_unknown", (int64_t)t->with_unknown_of[i]);
  }
  hy_reporter_print(s->reporter, "\n");
}

// Lane "faults": what was accepted ran.
static void print_faults(hy_session *s, const hy_tally *t) {
  if (!t->faults) return;
  hy_reporter_print(s->reporter,
                    "faults in target programs: %" PRIu64 ", refused as ill-formed %" PRIu64
                    ", accepted and run %" PRIu64 ", all others not proved; in programs with 'by given' lets %" PRIu64
                    ", accepted of those %" PRIu64 "\n",
                    t->faults, t->faults_refused, t->faults_proved, t->faults_given, t->given_proved);
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "faults");
  hy_record_int(record, "all", (int64_t)t->faults);
  hy_record_int(record, "refused", (int64_t)t->faults_refused);
  hy_record_int(record, "accepted", (int64_t)t->faults_proved);
  hy_record_int(record, "given", (int64_t)t->faults_given);
  hy_record_int(record, "accepted_given", (int64_t)t->given_proved);
}

static void print_obligations(hy_session *s, const hy_tally *t) {
  if (!t->obligations) return;
  hy_reporter_print(s->reporter,
                    "obligations: %" PRIu64 ", proved %.3f %%, by Z3 alone %.3f %%, refuted %" PRIu64
                    ", unknown %" PRIu64 "; %" PRIu64 " of %" PRIu64 " pairs have an unknown one\n",
                    t->obligations, share(t->proved, t->obligations), share(t->proved_z3, t->obligations), t->refuted,
                    t->unknown, t->with_unknown, t->with_query);
  hy_reporter_print(s->reporter,
                    "certificates: %" PRIu64 " accepted by halyard-certcheck, %" PRIu64 " proofs without one\n",
                    t->certificates, t->uncertified);
  hy_reporter_print(s->reporter,
                    "other bounds: %" PRIu64 ", proved %" PRIu64 "; refuted %" PRIu64
                    ", of which %.1f %% broke on an input of the pair\n",
                    t->altered, t->altered_proved, t->altered_refuted, share(t->altered_broke, t->altered_refuted));
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "obligations");
  hy_record_int(record, "all", (int64_t)t->obligations);
  hy_record_int(record, "proved", (int64_t)t->proved);
  hy_record_int(record, "proved_by_z3_alone", (int64_t)t->proved_z3);
  hy_record_int(record, "refuted", (int64_t)t->refuted);
  hy_record_int(record, "unknown", (int64_t)t->unknown);
  hy_record_int(record, "certificates", (int64_t)t->certificates);
  hy_record_int(record, "without_certificate", (int64_t)t->uncertified);
  print_shapes(s, t, record);
  record = hy_record_child(hy_reporter_record(s->reporter), "other_bounds");
  hy_record_int(record, "all", (int64_t)t->altered);
  hy_record_int(record, "proved", (int64_t)t->altered_proved);
  hy_record_int(record, "refuted", (int64_t)t->altered_refuted);
  hy_record_int(record, "refuted_that_broke", (int64_t)t->altered_broke);
}

// Are the pairs worth judging?
static void print_quality(hy_session *s, const hy_tally *t) {
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "quality");
  hy_reporter_print(
      s->reporter,
      "pairs: %.1f %% usable, %.1f %% refused; made to break a rule: %.1f %% of the algorithms, %.1f %% of "
      "the schedules; errors only: %.2f %% (strict: %.2f %%)\n",
      share(t->usable, t->pairs), share(t->found[HY_FOUND_REFUSED], t->pairs), share(t->invalid, t->pairs),
      share(t->illegal, t->pairs), share(t->lazy_vacuous, t->usable), share(t->strict_vacuous, t->varied));
  hy_reporter_print(s->reporter,
                    "runs: %" PRIu64 " of %" PRIu64 " inputs compared, %" PRIu64
                    " points; one constant changes the output of %.1f %% of the pairs (%" PRIu64 " sampled)\n",
                    t->runs, t->inputs, t->points, share(t->constant_matters, t->with_constant), t->with_constant);
  hy_record_int(record, "usable", (int64_t)t->usable);
  hy_record_int(record, "invalid_algorithms", (int64_t)t->invalid);
  hy_record_int(record, "illegal_schedules", (int64_t)t->illegal);
  hy_record_int(record, "inputs", (int64_t)t->inputs);
  hy_record_int(record, "inputs_of_errors", (int64_t)t->errors);
  hy_record_int(record, "vacuous", (int64_t)t->lazy_vacuous);
  hy_record_int(record, "sampled", (int64_t)t->varied);
  hy_record_int(record, "vacuous_strict", (int64_t)t->strict_vacuous);
  hy_record_int(record, "constants_sampled", (int64_t)t->with_constant);
  hy_record_int(record, "constants_that_matter", (int64_t)t->constant_matters);
  hy_record_int(record, "related", (int64_t)t->related);
  hy_record_int(record, "runs", (int64_t)t->runs);
  hy_record_int(record, "points", (int64_t)t->points);
}

static void print_rules(hy_session *s, const hy_tally *t) {
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "rules");
  hy_reporter_print(s->reporter, "rules: %d of %d used; not used:", hy_tally_rules(t), HY_RULE_COUNT);
  int missing = 0;
  for (int r = 0; r < HY_RULE_COUNT; r++) {
    hy_record_int(record, hy_rule_id((hy_rule)r), (int64_t)t->hits[r]);
    if (t->hits[r]) continue;
    if (missing++ < 12) hy_reporter_print(s->reporter, "%s %s", missing > 1 ? "," : "", hy_rule_id((hy_rule)r));
  }
  if (missing > 12) hy_reporter_print(s->reporter, " and %d more", missing - 12);
  hy_reporter_print(s->reporter, "%s\n", missing ? "" : " none");
}

// Of what Halide is not asked about, or declines, the reasons: no failure, and no weakness of ours.
static bool print_reason(hy_session *s, const hy_finding *f) {
  if (f->found != HY_FOUND_UNEXPORTED && f->found != HY_FOUND_DECLINED) return false;
  hy_reporter_print(s->reporter, "\n%s: %" PRIu64 " pairs%s%s",
                    f->found == HY_FOUND_UNEXPORTED ? "Halide has no such meaning" : "Halide declines", f->pairs,
                    f->path ? ", the least in " : ", ", f->path ? f->path : f->key);
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "reasons");
  hy_record_text(record, "key", f->key);
  hy_record_int(record, "pairs", (int64_t)f->pairs);
  return true;
}

static void print_finding(hy_session *s, const hy_finding *f) {
  if (print_reason(s, f)) return;
  hy_text lane = {0};
  hy_lanes_print(f->lane, &lane);
  hy_reporter_print(s->reporter, "\n%s %s (lane %s, pair %" PRIu64 "%s)",
                    hy_found_is_failure(f->found) ? "failure" : "weakness", f->key, hy_text_string(&lane), f->index,
                    f->shrink_seconds > 0 ? ", shrunk" : "");
  if (f->pairs > 1) hy_reporter_print(s->reporter, ", and %" PRIu64 " more like it", f->pairs - 1);
  if (f->path)
    hy_reporter_print(s->reporter, ": %s\n", f->path);
  else if (!f->text && *f->judgement.detail) // making the pair again ended the process, too
    hy_reporter_print(s->reporter, ": %s\n", f->judgement.detail);
  else
    hy_reporter_print(s->reporter, "\n%s", f->text ? f->text : "");
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "findings");
  hy_record_text(record, "key", f->key);
  hy_record_text(record, "found", hy_found_name(f->found));
  hy_record_bool(record, "failure", hy_found_is_failure(f->found));
  hy_record_text(record, "lane", hy_text_string(&lane));
  hy_record_int(record, "pair", (int64_t)f->index);
  hy_record_int(record, "pairs", (int64_t)f->pairs);
  hy_record_int(record, "step", f->judgement.step);
  hy_record_text(record, "directive", hy_judgement_directive(&f->judgement));
  hy_record_int(record, "funcs", f->funcs);
  hy_record_int(record, "directives", f->directives);
  hy_record_real(record, "shrink_seconds", f->shrink_seconds);
  hy_record_text(record, "detail", f->judgement.detail);
  hy_record_text(record, "path", f->path);
  hy_record_text(record, "case", f->text);
  hy_text_free(&lane);
}

// What share of the pairs has each form.
static void print_forms(hy_session *s, const hy_tally *t) {
  hy_record *record = hy_record_child(hy_reporter_record(s->reporter), "forms");
  hy_reporter_print(s->reporter, "forms, in %% of the pairs:");
  for (int i = 0, count = 0; i < HY_FORMS; i++) {
    if (!hy_form_exists(i)) continue;
    hy_record_int(record, hy_form_name(i), (int64_t)t->forms[i]);
    hy_reporter_print(s->reporter, "%s %s %.2f", count++ ? "," : "", hy_form_name(i), share(t->forms[i], t->pairs));
  }
  hy_reporter_print(s->reporter, "\n");
}

static hy_status print_findings(hy_session *s, const hy_campaign *c) {
  hy_status status = HY_STATUS_FINE;
  for (size_t i = 0; i < c->findings.count; i++) {
    const hy_finding *f = &c->findings.data[i];
    print_finding(s, f);
    if (!hy_found_is_failure(f->found)) continue;
    bool died = f->found == HY_FOUND_CRASH || f->found == HY_FOUND_HANG;
    status = hy_status_worse(status, died ? HY_STATUS_DEFECT : HY_STATUS_WRONG);
  }
  return status;
}

// A campaign of pairs of which none was judged has found nothing, and shows nothing.
static bool is_idle(const hy_tally *t) {
  return t->runs + t->obligations + t->invalid + t->illegal + hy_tally_failures(t) == 0;
}

static hy_status warn_of_idleness(hy_session *s, const hy_tally *t) {
  hy_report(s->diagnostics, HY_E_RUN_NO_SAMPLE, (hy_loc){0}, NULL,
            t->pairs ? "'found:' above says what became of the pairs; ask for more of them, or for another directive"
                     : "give it more --time, or a number of --pairs",
            "none of %" PRIu64 " pairs was judged: nothing was run, and no obligation was decided", t->pairs);
  return HY_STATUS_UNDECIDED;
}

hy_status hy_fuzz_report(hy_session *s, const hy_campaign *c) {
  const hy_tally *t = &c->total;
  hy_record *record = hy_reporter_record(s->reporter);
  hy_text lanes = {0};
  hy_lanes_print(c->header.lanes, &lanes);
  hy_record_text(record, "lanes", hy_text_string(&lanes));
  print_speed(s, c);
  print_list(s, "found", t->found, HY_FOUND_COUNT, found_name);
  print_obligations(s, t);
  print_faults(s, t);
  print_quality(s, t);
  print_list(s, "relations", t->relations, HY_RELATIONS, relation_name);
  print_list(s, "directives", t->picked, HY_DIRECTIVE_KINDS, directive_name);
  print_list(s, "tails", t->tails, 3, tail_name);
  print_list(s, "traversals", t->traversals, 4, traversal_name);
  print_list(s, "funcs", t->funcs, HY_FUNC_COUNTS, count_name);
  print_list(s, "splits inside each other", t->depths, HY_DEPTHS, depth_name);
  print_forms(s, t);
  print_rules(s, t);
  hy_status status = print_findings(s, c);
  int failures = hy_findings_failures(c);
  if (c->failed_at > 0) {
    const hy_finding *first = &c->findings.data[0];
    hy_text lane = {0};
    hy_lanes_print(first->lane, &lane);
    hy_reporter_print(s->reporter, "\nfirst failure: lane %s, after %" PRIu64 " pairs and %.2f s\n",
                      hy_text_string(&lane), c->failed_after, c->failed_at);
    hy_record_int(record, "failed_after_pairs", (int64_t)c->failed_after);
    hy_record_real(record, "failed_after_seconds", c->failed_at);
    hy_record_text(record, "failed_in_lane", hy_text_string(&lane));
    hy_text_free(&lane);
  }
  hy_record_int(record, "failures", failures);
  hy_reporter_print(s->reporter, "%s%d different failures\n", c->interrupted ? "interrupted; " : "", failures);
  if (is_idle(t) && !c->interrupted) status = hy_status_worse(status, warn_of_idleness(s, t));
  hy_text_free(&lanes);
  return status;
}
