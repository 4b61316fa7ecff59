// Lane "halide": the exported pair, compiled and run by Halide itself, gives what the algorithm means.

#include "fuzz/judge/judge_internal.h"

#include "export/export.h"
#include "halide/worker.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WIDENED = 4000 }; // points of a window that is widened

// What was asked, and what is to come of it.
typedef struct {
  hy_halide_request request;
  hy_outcome want[HY_CASE_WINDOWS]; // of the runs asked for
  int input[HY_CASE_WINDOWS], count;
} question;

/* -- reasons: few words, so that alike ones count as one -- */

// The first words that are words: no names, no numbers.
static void reason_of(const char *words, char *reason, size_t room) {
  size_t used = 0;
  *reason = 0;
  for (const char *at = words; *at;) {
    size_t length = strcspn(at, " \t\n"), letters = 0;
    while (letters < length && isalpha((unsigned char)at[letters])) letters++;
    bool is_word = letters > 1 && (letters == length || (letters + 1 == length && strchr(".,:;", at[letters])));
    bool is_title = letters == 5 && strncmp(at, "Error", letters) == 0;
    if (is_word && !is_title && used + letters + 2 < room)
      used += (size_t)snprintf(reason + used, room - used, "%s%.*s", used ? " " : "", (int)letters, at);
    at += length;
    at += strspn(at, " \t\n");
  }
}

// "Internal Error at /build/halide-14.0.0/src/CodeGen_LLVM.cpp:653 triggered by ...": the file and its line.
static bool place_of(const char *words, char *place, size_t room) {
  const char *end = strstr(words, ".cpp:"), *at;
  if (!end) end = strstr(words, ".h:");
  at = end;
  if (!end) return false;
  while (at > words && at[-1] != '/' && at[-1] != ' ') at--;
  snprintf(place, room, "%.*s", (int)(end - at + strcspn(end, " \n")), at);
  return true;
}

// Halide's word for its own defects. 21 tells them like the user's errors; LLVM's refusal of its code is known by its
// words, "Generated function does not pass LLVM's verifyFunction", and a condition that had none by their absence.
static bool is_internal(const char *words) {
  static const char *const signs[] = {"Internal Error", "Internal error", "internal error", "verifyFunction"};
  for (size_t i = 0; i < HY_COUNT(signs); i++)
    if (strstr(words, signs[i])) return true;
  while (strncmp(words, "Error:", 6) == 0) words += 6, words += strspn(words, " \n");
  return !*words;
}

/* -- what came of it -- */

static void find_failure(hy_judging *g, const char *how, const hy_halide_answer *a, const char *where) {
  char rule[sizeof g->j->rule];
  hy_text story = {0};
  size_t used = (size_t)snprintf(rule, sizeof rule, "%s", how);
  if (a->end == HY_HALIDE_REFUSED) {
    rule[used++] = ' ';
    if (!place_of(a->words, rule + used, sizeof rule - used)) reason_of(a->words, rule + used, sizeof rule - used);
  }
  hy_text_printf(&story, "Halide %s, %s: %s", how, where, a->words ? a->words : "");
  hy_judging_find(g, HY_FOUND_HALIDE, rule, hy_text_string(&story));
  hy_text_free(&story);
}

// What is no output.
static void judge_end(hy_judging *g, const hy_halide_answer *a, bool runs) {
  const char *where = runs ? "when it runs" : "when it compiles";
  switch (a->end) {
  case HY_HALIDE_RAN: return;
  case HY_HALIDE_CRASHED: find_failure(g, "crashes", a, where); return;
  case HY_HALIDE_HUNG: find_failure(g, "hangs", a, where); return;
  case HY_HALIDE_MEMORY: find_failure(g, "memory", a, where); return;
  case HY_HALIDE_LOST: hy_judging_find(g, HY_FOUND_UNUSABLE, "lost", a->words); return;
  case HY_HALIDE_REFUSED: break;
  }
  char rule[sizeof g->j->rule] = "run ";
  size_t used = runs ? strlen(rule) : 0;
  if (is_internal(a->words)) {
    find_failure(g, "internal", a, where);
    return;
  }
  reason_of(a->words, rule + used, sizeof rule - used);
  hy_judging_find(g, HY_FOUND_DECLINED, rule, a->words);
}

static void judge_run(hy_judging *g, const hy_outcome *want, hy_halide_answer *a) {
  if (a->end != HY_HALIDE_RAN) {
    judge_end(g, a, true);
    return;
  }
  hy_difference d;
  hy_text text = {0};
  hy_compare(want->output, a->output, false, &d);
  g->j->runs++;
  g->j->points += d.compared;
  if (d.differs) {
    hy_text_add(&text, "expected: ");
    hy_difference_print(g->pipeline.alg, &d, &text);
    hy_text_add(&text, " = ");
    hy_value_print(d.a, &text);
    hy_text_add(&text, ", by the algorithm\ngot: ");
    hy_value_print(d.b, &text);
    hy_text_add(&text, ", by Halide");
    hy_judging_find(g, HY_FOUND_HALIDE, "differs", hy_text_string(&text));
  }
  hy_text_free(&text);
}

/* -- the question -- */

// The output's window a multiple of what rounds its loops up; false: it would be too large.
static bool widen(const hy_judging *g, const hy_output *output, hy_case_input *input) {
  int64_t factor = 1, points = 1;
  if (hy_export_copies(g->pipeline.alg, output->func, g->pipeline.core, g->pipeline.core_count)) return true;
  for (int i = 0; i < g->pipeline.core_count; i++) {
    const hy_directive *d = &g->pipeline.core[i];
    bool rounds =
        strcmp(d->type->name, "split") == 0 && d->tail == HY_TAIL_ROUND && d->loop && d->loop->func == output->func;
    if (rounds && d->args[0]->kind == HY_EXPR_CONST && factor < MOST_WIDENED) factor *= d->args[0]->value.i;
  }
  for (int d = output->first; d < output->first + output->func->rank; d++) {
    if (factor < 1 || factor > MOST_WIDENED || input->len[d] > MOST_WIDENED) return false;
    input->len[d] = (input->len[d] + factor - 1) / factor * factor;
    points *= input->len[d] > 0 ? input->len[d] : 1;
    if (points > MOST_WIDENED) return false;
  }
  return true;
}

hy_case_input hy_judging_widened(const hy_judging *g, const hy_case_input *from) {
  hy_case_input input = *from;
  for (int k = 0; k < g->pipeline.alg->output_count; k++)
    if (!widen(g, &g->pipeline.alg->outputs[k], &input)) return *from;
  return input;
}

// A user's bound may be too small for an input (decision D43): our own program refuses it in mid-run, so nothing is
// asked of Halide.
static bool is_refused(hy_judging *g, hy_tgt_program *program) {
  hy_outcome got = hy_engine_tgt_again(program, &g->input, 0, 0, HY_LONG_STEPS);
  bool refused = got.status != HY_RAN;
  hy_outcome_free(&got);
  return refused;
}

static void add_input(hy_judging *g, question *q, hy_tgt_program *program, int index) {
  const char *why;
  hy_outcome want = hy_engine_alg(g->context, g->pipeline.meaning, &g->input, false, HY_RUN_STEPS);
  if (want.status != HY_RAN || is_refused(g, program) || !hy_halide_request_add(&q->request, &g->input, &why)) {
    hy_outcome_free(&want);
    return;
  }
  g->j->inputs++;
  q->input[q->count] = index;
  q->want[q->count++] = want;
}

static bool export_pair(hy_judging *g, hy_text *program) {
  hy_diagnostics *said = hy_diagnostics_new();
  bool good = hy_export(&hy_export_python_dialect, HY_EXPORT_EXACT, g->pipeline.alg, g->pipeline.core,
                        g->pipeline.core_count, program, said);
  if (!good) {
    const char *message = hy_diagnostics_at(said, 0)->message, *what = strstr(message, "does: ");
    hy_judging_find(g, HY_FOUND_UNEXPORTED, what ? what + strlen("does: ") : message, message);
  }
  hy_diagnostics_free(said);
  return good;
}

void hy_judging_halide(hy_judging *g) {
  question q = {.count = 0};
  hy_text program = {0};
  g->lane = HY_LANE_HALIDE;
  if (g->c->halide && export_pair(g, &program)) {
    hy_halide_answer whole = {0}, runs[HY_CASE_WINDOWS] = {{0}};
    hy_tgt_program *ours = hy_tgt_program_new(g->context, g->pipeline.filled, HY_LAZY, true);
    hy_halide_request_begin(&q.request, g->pipeline.alg, program.data);
    for (int i = 0; i < g->c->input_count; i++) {
      hy_case_input input = hy_judging_widened(g, &g->c->inputs[i]);
      if (hy_judging_open(g, g->pipeline.filled, &input)) add_input(g, &q, ours, i);
      hy_judging_close(g);
    }
    hy_tgt_program_free(ours);
    if (q.count) hy_halide_ask(g->c->halide, &q.request, &whole, runs);
    judge_end(g, &whole, false);
    for (int k = 0; k < q.count; k++) {
      hy_found before = g->j->found;
      if (whole.end == HY_HALIDE_RAN) judge_run(g, &q.want[k], &runs[k]);
      if (g->j->found > before) g->j->input = q.input[k];
      hy_halide_answer_free(&runs[k]);
      hy_outcome_free(&q.want[k]);
    }
    hy_halide_answer_free(&whole);
    hy_halide_request_free(&q.request);
    if (!q.count) hy_judging_find(g, HY_FOUND_UNUSABLE, NULL, "no input meets the entry checks and fits 32 bits");
  }
  hy_text_free(&program);
}
