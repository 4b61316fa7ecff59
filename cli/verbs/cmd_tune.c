// halyard tune: a schedule for about these sizes, found and proved.

#include "cli/tune/head.h"
#include "cli/tune/search.h"
#include "cli/verbs/verbs.h"
#include "semantics/base/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};

typedef struct {
  const char *level; // in words
  bool has_parameters;
  hy_cost cost;
  hy_text schedule;
} found;

enum { MOST_FOUND = 3 };

/* -- finding -- */

static void propose(hy_search *search, found *f,
                    bool (*level)(const hy_graph *, const hy_tune_parameters *, hy_proposal *), const char *words) {
  hy_proposal proposal;
  *f = (found){.level = words, .has_parameters = true};
  if (!level(search->graph, &search->parameters, &proposal)) return; // numbers too large: the next will do
  f->cost = proposal.cost;
  hy_search_spell(search, proposal.graph, proposal.choices, &f->schedule);
}

// The best first; what comes last needs nothing at all.
static int find_all(hy_search *search, found all[MOST_FOUND]) {
  int count = 0;
  hy_reporter_progress(search->session->reporter, "looking for schedules");
  if (search->session->options.level >= 1) propose(search, &all[count++], hy_tune_level1, "1");
  propose(search, &all[count++], hy_tune_level0, "0");
  all[count] = (found){.level = "none: every func at root", .cost = -1};
  hy_search_spell(search, search->graph, hy_choices_plain(search->graph), &all[count++].schedule);
  return count;
}

/* -- telling -- */

static void record(hy_search *search, const found *f, const hy_tune_proof *proof) {
  hy_record *r = hy_reporter_record(search->session->reporter);
  hy_record_text(r, "level", f->level);
  hy_record_text(r, "schedule", hy_text_string(&f->schedule));
  if (f->cost >= 0) hy_record_real(r, "predicted_cost", (double)f->cost);
  hy_record_int(r, "tried", search->tried);
  hy_record_int(r, "refused", search->refused);
  hy_record_int(r, "unproved", search->unproved);
  hy_record_int(r, "obligations", (int64_t)proof->obligations);
  hy_record_int(r, "certificates", (int64_t)proof->certificates);
}

static hy_status write_schedule(hy_search *search, const found *f, const hy_tune_proof *proof) {
  hy_session *s = search->session;
  hy_tune_head head = {.algorithm = hy_text_string(&search->algorithm),
                       .level = f->level,
                       .estimates = search->sizes.estimates,
                       .parameters = f->has_parameters ? &search->parameters : NULL,
                       .cost = f->cost,
                       .tried = search->tried,
                       .refused = search->refused,
                       .unproved = search->unproved,
                       .proof = proof};
  hy_text text = {0};
  hy_status status = HY_STATUS_FINE;
  hy_tune_head_print(s->alg, &head, &text);
  hy_text_add(&text, hy_text_string(&f->schedule));
  record(search, f, proof);
  if (!s->options.output)
    hy_reporter_print(s->reporter, "%s", hy_text_string(&text));
  else if (!hy_whole_file_write(s->options.output, hy_text_string(&text), text.length)) {
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", s->options.output,
              strerror(errno));
    status = HY_STATUS_USAGE;
  } else
    hy_reporter_print(s->reporter, "%s: level %s, proved: %zu obligations, all %zu certificates accepted\n",
                      s->options.output, f->level, proof->obligations, proof->certificates);
  hy_text_free(&text);
  return status;
}

static hy_status nothing_proved(hy_search *search) {
  hy_report(search->session->diagnostics, HY_E_TUNE_UNPROVED, search->session->alg->loc, NULL,
            "'halyard check' says what is undecided of the default schedule",
            "no schedule of '%s' could be proved, not even the default one", search->session->alg->name);
  return HY_STATUS_UNDECIDED;
}

// The first that is proved.
static hy_status take_first_proved(hy_search *search, const found *all, int count) {
  for (int i = 0; i < count; i++) {
    hy_tune_proof proof;
    hy_status status = HY_STATUS_FINE;
    if (!all[i].schedule.length) continue;
    if (hy_search_certify(search, hy_text_string(&all[i].schedule), &proof, &status))
      return write_schedule(search, &all[i], &proof);
    if (status != HY_STATUS_FINE) return status;
  }
  return nothing_proved(search);
}

static hy_status refuse_words(hy_session *s) {
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "halyard tune A.alg --estimate out.x=0:2560,out.y=0:1440",
            s->program ? "'%s' is a target program; tune takes an algorithm"
                       : "tune finds a schedule; '%s' is one word too many",
            s->program ? s->options.words.data[0] : s->options.words.data[1]);
  return HY_STATUS_USAGE;
}

hy_status hy_command_tune(hy_session *s) {
  hy_status status = hy_session_load(s, true);
  if (status != HY_STATUS_FINE) return status;
  if (s->program || s->options.words.count > 1) return refuse_words(s);
  hy_search search;
  found all[MOST_FOUND];
  int count = 0;
  status = hy_search_begin(&search, s);
  if (status == HY_STATUS_FINE) {
    count = find_all(&search, all);
    status = take_first_proved(&search, all, count);
  }
  for (int i = 0; i < count; i++) hy_text_free(&all[i].schedule);
  hy_search_free(&search);
  return status;
}
