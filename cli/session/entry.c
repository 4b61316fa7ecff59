// Why an entry check failed, in the user's words: which rdom, factor, parameter or image, its value, and what to do.

#include "cli/session/arguments.h"

#include "engines/evaluate.h"
#include "semantics/tgt/constraint.h"
#include "tgt_interp/tgt_interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  hy_session *session;
  const hy_pipeline *pipeline;
  const hy_input *input;
  const hy_stmt *failed;
  const hy_tgt *tgt;
} failure;

/* -- values in messages -- */

static void print_value(hy_value value, hy_text *out) {
  if (value.error != HY_OK)
    hy_text_printf(out, "%s (a division by zero or an overflow)", hy_error_name((hy_error)value.error));
  else
    hy_value_print(value, out);
}

typedef struct {
  const failure *f;
  const hy_expr *except;
  hy_text *out;
} variable_list;

static void list_variable(void *self, const hy_expr *node) {
  variable_list *list = self;
  if (node->kind != HY_EXPR_VAR || node == list->except) return;
  hy_text_add(list->out, list->out->length ? ", " : "");
  hy_var_print(node->var, list->out);
  hy_text_add(list->out, " = ");
  print_value(hy_input_evaluate(list->f->tgt->alg, list->f->input, node), list->out);
}

// "w = -2, n = 3": what an expression depends on.
static void print_variables(const failure *f, const hy_expr *expr, hy_text *out) {
  variable_list list = {f, NULL, out};
  hy_expr_visit(expr, list_variable, &list);
}

// "2 * w + 1 = -3 (w = -2)"
static void print_evaluated(const failure *f, const hy_expr *expr, hy_text *out) {
  hy_text variables = {0};
  if (expr->has_var) {
    hy_expr_print(expr, out);
    hy_text_add(out, " = ");
  }
  print_value(hy_input_evaluate(f->tgt->alg, f->input, expr), out);
  if (expr->kind != HY_EXPR_VAR) print_variables(f, expr, &variables);
  if (variables.length) hy_text_printf(out, " (%s)", hy_text_string(&variables));
  hy_text_free(&variables);
}

static bool is_bad(const failure *f, const hy_expr *expr, int64_t least) {
  hy_value value = hy_input_evaluate(f->tgt->alg, f->input, expr);
  return value.error != HY_OK || value.i < least;
}

static void report(const failure *f, hy_code code, hy_loc loc, const char *rule, const char *help, const char *what,
                   const hy_expr *expr) {
  hy_text value = {0};
  print_evaluated(f, expr, &value);
  hy_report(f->session->diagnostics, code, loc, rule, help, "%s %s", what, hy_text_string(&value));
  hy_text_free(&value);
}

/* -- one per kind -- */

// Anything that the cases below cannot put into better words.
static void explain_condition_at(const failure *f, hy_loc loc, hy_code code, const char *what) {
  hy_text condition = {0}, variables = {0};
  hy_expr_print(f->failed->assume.condition, &condition);
  print_variables(f, f->failed->assume.condition, &variables);
  hy_report(f->session->diagnostics, code, loc, "the entry block (TGT.Assume)",
            "give parameters, images or a window for which it is true", "%s: %s is false%s%s", what,
            hy_text_string(&condition), variables.length ? " for " : "", hy_text_string(&variables));
  hy_text_free(&condition);
  hy_text_free(&variables);
}

static void explain_condition(const failure *f, hy_code code, const char *what) {
  explain_condition_at(f, f->pipeline->loc, code, what);
}

static void explain_rdom(const failure *f) {
  const hy_func *func = f->failed->assume.subject;
  const hy_definition *d = func ? hy_alg_definition(f->tgt->alg, func) : NULL;
  for (int s = 1; d && s < d->stage_count; s++)
    for (int i = 0; i < d->stages[s].rdom_count; i++) {
      const hy_rdom *rdom = &d->stages[s].rdoms[i];
      bool bad_len = is_bad(f, rdom->interval.len, 0);
      if (!bad_len && !is_bad(f, rdom->interval.min, INT64_MIN)) continue;
      char what[160];
      snprintf(what, sizeof what, "the reduction domain '%s' of '%s' (update %d) has the %s", rdom->var->name,
               func->name, s, bad_len ? "length" : "minimum");
      report(f, HY_E_RUN_RDOM, rdom->loc, "RDom-Err: the length of a reduction domain is at least 0",
             "give parameters for which it is at least 0, or write max(0, ...)", what,
             bad_len ? rdom->interval.len : rdom->interval.min);
      return;
    }
  explain_condition(f, HY_E_RUN_RDOM, "a reduction domain is ill-formed");
}

static void explain_factor(const failure *f) {
  for (int i = 0; i < f->pipeline->core_count; i++) {
    const hy_directive *directive = &f->pipeline->core[i];
    const hy_directive_type *type = directive->type;
    for (int k = 0; type->arguments[k] != HY_TAKES_END; k++) {
      const hy_expr *factor = directive->args[hy_directive_place(type, k)];
      if (type->arguments[k] != HY_TAKES_FACTOR || !is_bad(f, factor, 1)) continue;
      char what[160];
      snprintf(what, sizeof what, "the %s factor is", type->name);
      report(f, HY_E_RUN_FACTOR, directive->loc, "a split factor is at least 1 (TGT.Assume)",
             "give parameters for which it is at least 1", what, factor);
      return;
    }
  }
  explain_condition(f, HY_E_RUN_FACTOR, "a split factor is below 1");
}

// DIR.Bounds.Residue: the last directive about this func's bounds is pointed at.
static void explain_residue(const failure *f) {
  const hy_func *func = f->failed->assume.subject;
  hy_loc loc = f->pipeline->loc;
  char what[160];
  for (int i = 0; i < f->pipeline->core_count; i++)
    if (f->pipeline->core[i].func == func && f->pipeline->core[i].type->phase == HY_PHASE_BOUNDS)
      loc = f->pipeline->core[i].loc;
  snprintf(what, sizeof what, "the bounds that the schedule gives '%s' do not fit together for this input",
           func ? func->name : "");
  explain_condition_at(f, loc, HY_E_RUN_BOUND, what);
}

static void explain_bound(const failure *f) {
  for (int i = 0; i < f->pipeline->core_count; i++) {
    const hy_directive *d = &f->pipeline->core[i];
    int length = hy_directive_find(d->type, HY_TAKES_LENGTH);
    if (length < 0) continue;
    const hy_expr *len = d->args[length], *min = d->args[length ? length - 1 : length];
    if (!is_bad(f, len, 0) && !is_bad(f, min, INT64_MIN)) continue;
    char what[160];
    snprintf(what, sizeof what, "the %s of '%s' in %s that the schedule gives is",
             is_bad(f, len, 0) ? "length" : "minimum", d->func->name, d->func->dims[d->dim]);
    report(f, HY_E_RUN_BOUND, d->loc, "a bound is defined and its length at least 0 (DIR.Bound)",
           "give parameters for which it is at least 0", what, is_bad(f, len, 0) ? len : min);
    return;
  }
  explain_residue(f);
}

// The product of what a condition of ORA.Length multiplies: what stands left of "<=", and what the right side is
// divided by.
static bool multiply(const failure *f, const hy_expr *expr, __int128 *product) {
  hy_value value = hy_input_evaluate(f->tgt->alg, f->input, expr);
  return value.error == HY_OK && !__builtin_mul_overflow(*product, (__int128)value.i, product);
}

static void print_wide(__int128 number, hy_text *out) {
  char digits[48], *at = digits + sizeof digits - 1;
  *at = 0;
  do *--at = (char)('0' + (int)(number % 10));
  while ((number /= 10) > 0);
  hy_text_add(out, at);
}

static void explain_length(const failure *f) {
  const hy_expr *condition = f->failed->assume.condition;
  if (condition->kind != HY_EXPR_OP || condition->op != HY_OP_LE) { // not as lowering writes it
    explain_condition(f, HY_E_RUN_LENGTH, "a loop of the schedule has too many iterations");
    return;
  }
  const hy_expr *left = condition->args[0], *right = condition->args[1];
  const hy_func *func = f->failed->assume.subject;
  hy_text needed = {0}, count = {0}, variables = {0};
  __int128 product = 1;
  bool known = multiply(f, left, &product);
  hy_expr_print(left, &needed);
  for (; right->kind == HY_EXPR_OP && right->op == HY_OP_DIV; right = right->args[0]) {
    known = known && multiply(f, right->args[1], &product);
    hy_text_add(&needed, "*");
    hy_expr_print(right->args[1], &needed);
  }
  if (known) print_wide(product, &count);
  print_variables(f, condition, &variables);
  hy_report(f->session->diagnostics, HY_E_RUN_LENGTH, f->pipeline->loc, "ORA.Length (decision D68)",
            "ask for a smaller window, or fuse fewer loops",
            "a loop of '%s' needs %s = %s iterations, but at most %lld can be counted (%s)", func ? func->name : "",
            hy_text_string(&needed), known ? hy_text_string(&count) : "more than 2^126", (long long)HY_MOST_ITERATIONS,
            hy_text_string(&variables));
  hy_text_free(&needed);
  hy_text_free(&count);
  hy_text_free(&variables);
}

static void find_variable(void *self, const hy_expr *node) {
  const hy_expr **found = self;
  if (node->kind == HY_EXPR_VAR) *found = node;
}

static void explain_range(const failure *f) {
  const hy_expr *variable = NULL;
  hy_expr_visit(f->failed->assume.condition, find_variable, &variable);
  if (!variable) {
    explain_condition(f, HY_E_RUN_RANGE, "a parameter or box is out of range");
    return;
  }
  char what[96] = "";
  const hy_var *var = variable->var;
  if (var->kind == HY_VAR_PARAM) snprintf(what, sizeof what, "a parameter is out of range:");
  if (var->kind == HY_VAR_IMAGE_MIN || var->kind == HY_VAR_IMAGE_LEN)
    snprintf(what, sizeof what, "the box of an image is out of range:");
  if (var->kind == HY_VAR_WINDOW_MIN || var->kind == HY_VAR_WINDOW_LEN)
    snprintf(what, sizeof what, "the window is out of range:");
  report(f, HY_E_RUN_RANGE, (hy_loc){0},
         "int parameters, windows and image boxes lie within -2^31 .. 2^31 (LOW.Entry-Range)", NULL, what, variable);
}

static void explain_param(const failure *f) {
  const hy_alg *alg = f->tgt->alg;
  const hy_expr *variable = NULL;
  hy_text text = {0};
  hy_expr_visit(f->failed->assume.condition, find_variable, &variable);
  for (int i = 0; variable && i < alg->param_count; i++) {
    if (alg->params[i] != variable->var) continue;
    hy_value_print(f->input->params[i], &text);
    hy_text_printf(&text, ", and its range is ");
    hy_expr_print(f->failed->assume.condition, &text);
    hy_loc loc = hy_alg_about(alg, i).loc;
    hy_report(f->session->diagnostics, HY_E_RUN_PARAM, loc.source ? loc : f->pipeline->loc, "LOW.Entry-Param",
              "give a value that lies in the range", "the parameter '%s' is %s", alg->params[i]->name,
              hy_text_string(&text));
    hy_text_free(&text);
    return;
  }
  explain_condition(f, HY_E_RUN_PARAM, "a parameter is out of its range");
}

// Where the text has it: conditions are made once each, so the same one is the same pointer.
static void explain_requirement(const failure *f) {
  const hy_alg *alg = f->tgt->alg;
  hy_loc loc = f->pipeline->loc;
  for (int i = alg->requirement_count - 1; i >= 0; i--) {
    const hy_requirement *r = &alg->requirements[i];
    if (r->condition == f->failed->assume.condition && r->loc.source) loc = r->loc;
  }
  explain_condition_at(f, loc, HY_E_RUN_REQUIRE, "the pipeline does not allow this input");
}

// "dimension 0 is short by 1 below and by 2 above"
static void print_lack(const hy_func *image, const hy_region *need, const hy_buffer *have, hy_text *out) {
  for (int d = 0; d < image->rank; d++) {
    int64_t below = have->min[d] - need->min[d];
    int64_t above = need->min[d] + need->len[d] - have->min[d] - have->len[d];
    if (below <= 0 && above <= 0) continue;
    hy_text_printf(out, "%sdimension %d is short by", out->length ? ", " : "", d);
    if (below > 0) hy_text_printf(out, " %lld below", (long long)below);
    if (above > 0) hy_text_printf(out, "%s %lld above", below > 0 ? " and" : "", (long long)above);
  }
}

static bool is_inside(const hy_func *image, const hy_region *inner, const int64_t *min, const int64_t *len) {
  for (int d = 0; d < image->rank && !inner->empty; d++)
    if (min[d] > inner->min[d] || min[d] + len[d] < inner->min[d] + inner->len[d]) return false;
  return true;
}

static bool contains(const hy_func *image, const hy_buffer *have, const hy_region *need) {
  return is_inside(image, need, have->min, have->len);
}

// The box of an image that the algorithm itself reads, without the schedule. False if that is not known.
static bool needed_by_algorithm(const failure *f, const hy_func *image, hy_region *region) {
  const hy_tgt *plain = hy_session_plain(f->session);
  return plain && hy_region_needed(plain, image, f->input, region);
}

// Of the directives, the first after which the image is too small; NULL if no prefix that can be filled shows it.
static const hy_directive *first_beyond(const failure *f, const hy_func *image, const hy_buffer *have) {
  const hy_pipeline *p = f->pipeline;
  const hy_directive *found = NULL;
  hy_diagnostics *unheard = hy_diagnostics_new();
  for (int i = 0; i < p->core_count && i + 1 < p->step_count && !found; i++) {
    hy_region region;
    const hy_tgt *filled = hy_oracle_fill(p->context, p->steps[i + 1], unheard);
    if (!filled || !hy_region_needed(filled, image, f->input, &region)) continue;
    if (!contains(image, have, &region)) found = &p->core[i];
  }
  hy_diagnostics_free(unheard);
  return found;
}

// What an image check has found: texts of boxes and such.
typedef struct {
  hy_text needed, given, lack, window, help;
} image_texts;

// The algorithm has what it reads; the schedule reads more (decision D91).
static void explain_surplus(const failure *f, const hy_func *image, const hy_buffer *have, const hy_region *own,
                            const image_texts *t) {
  const hy_directive *blamed = first_beyond(f, image, have);
  hy_text box = {0}, directive = {0};
  hy_box_print(image->rank, own->min, own->len, &box);
  if (blamed) hy_directive_print(blamed, &directive);
  int length = blamed ? (int)directive.length - 1 : 0; // without the semicolon
  hy_report(
      f->session->diagnostics, HY_E_RUN_SURPLUS, blamed ? blamed->loc : f->pipeline->loc,
      "every image contains the region that is read (LOW.Entry-Image, decision D91)", hy_text_string(&t->help),
      "the schedule reads more of image '%s' than the algorithm does: for the window %s it is needed in %s%s%.*s, "
      "but it is %s: %s",
      image->name, hy_text_string(&t->window), hy_text_string(&t->needed), blamed ? " since " : "", length,
      hy_text_string(&directive), hy_text_string(&t->given), hy_text_string(&t->lack));
  hy_note(f->session->diagnostics, HY_E_RUN_SURPLUS, image->loc,
          "the algorithm itself needs only %s, which the image contains", hy_text_string(&box));
  hy_text_free(&box);
  hy_text_free(&directive);
}

// A smaller window that the images serve under this schedule, if there is one.
static void suggest_window(const failure *f, hy_text *help) {
  const hy_alg *alg = f->tgt->alg;
  hy_arguments a = {0};
  memcpy(a.window_min, f->input->window_min, sizeof(int64_t) * (size_t)alg->window_rank);
  memcpy(a.window_len, f->input->window_len, sizeof(int64_t) * (size_t)alg->window_rank);
  a.input = (hy_input){f->input->params, f->input->images, a.window_min, a.window_len};
  hy_text_add(help, "give a larger image or a smaller window");
  if (alg->window_rank == 0 || !hy_window_shrink(f->tgt, &a)) return;
  hy_text_add(help, "; this one would do: --window ");
  hy_window_print(alg, &a.input, help);
}

// The image lacks what the algorithm itself reads; the schedule may read even more.
static void explain_lack(const failure *f, const hy_func *image, const hy_region *own, const hy_region *need,
                         const image_texts *t) {
  hy_report(f->session->diagnostics, HY_E_RUN_IMAGE, image->loc,
            "every image contains the region that is read (LOW.Entry-Image)", hy_text_string(&t->help),
            "the window %s needs image '%s' in %s, but it is %s: %s", hy_text_string(&t->window), image->name,
            hy_text_string(&t->needed), hy_text_string(&t->given), hy_text_string(&t->lack));
  hy_text box = {0};
  if (own) hy_box_print(image->rank, own->min, own->len, &box);
  if (own && !is_inside(image, need, own->min, own->len))
    hy_note(f->session->diagnostics, HY_E_RUN_IMAGE, f->pipeline->loc,
            "the algorithm itself needs only %s: this schedule computes more (tails that round or shift, bound, "
            "align_bounds) and so reads more",
            hy_text_string(&box));
  hy_text_free(&box);
}

static void explain_image(const failure *f) {
  const hy_func *image = f->failed->assume.subject;
  hy_region need, own;
  int k = 0;
  while (k < f->tgt->alg->image_count && f->tgt->alg->images[k] != image) k++;
  if (k == f->tgt->alg->image_count || !hy_region_needed(f->tgt, image, f->input, &need)) {
    explain_condition(f, HY_E_RUN_IMAGE, "an image is too small");
    return;
  }
  const hy_buffer *have = f->input->images[k];
  image_texts t = {0};
  hy_box_print(image->rank, need.min, need.len, &t.needed);
  hy_box_print(image->rank, have->min, have->len, &t.given);
  print_lack(image, &need, have, &t.lack);
  hy_window_print(f->tgt->alg, f->input, &t.window);
  suggest_window(f, &t.help);
  bool known = needed_by_algorithm(f, image, &own);
  if (known && contains(image, have, &own))
    explain_surplus(f, image, have, &own, &t);
  else
    explain_lack(f, image, known ? &own : NULL, &need, &t);
  hy_text *texts[] = {&t.needed, &t.given, &t.lack, &t.window, &t.help};
  for (size_t i = 0; i < HY_COUNT(texts); i++) hy_text_free(texts[i]);
}

// The target interpreter meets the same assumption and tells the iteration; NULL if it takes too long.
static char *replay(const failure *f) {
  hy_tgt_options options = {.mode = HY_LAZY, .step_limit = 10000000};
  hy_tgt_result result = {0};
  hy_tgt_run(f->session->context, f->tgt, f->input, &options, &result);
  char *story = result.status == HY_RUN_ASSUME ? result.story : NULL;
  if (story) result.story = NULL;
  hy_tgt_result_free(&result);
  return story;
}

// The directive to blame: one that gave these bounds, else the first on the func.
static const hy_directive *find_bound(const failure *f, const hy_func *func) {
  const hy_directive *found = NULL;
  hy_need_ends ends;
  bool known = hy_need_ends_of(f->failed->assume.condition, &ends);
  for (int i = f->pipeline->core_count - 1; i >= 0; i--) {
    const hy_directive *d = &f->pipeline->core[i];
    int length = hy_directive_find(d->type, HY_TAKES_LENGTH);
    if (length < 0 || d->func != func) continue;
    found = d;
    const hy_expr *len = d->args[length];
    if (known && ends.given_end->count == 2 && ends.given_end->args[1] == len &&
        (length == 0 || d->args[length - 1] == ends.given_min))
      return d;
  }
  return found;
}

static void explain_need(const failure *f) {
  const hy_func *func = f->failed->assume.subject;
  const hy_directive *bound = find_bound(f, func);
  char *story = replay(f);
  hy_report(f->session->diagnostics, HY_E_RUN_NEED, bound ? bound->loc : f->pipeline->loc,
            "a bound covers what is needed (DIR.Bound, decision D43)",
            "give a bound that covers it, or ask for a smaller window", "%s",
            story ? story : "a bound of the schedule does not cover what is needed");
  free(story);
}

static hy_code code_of(hy_assume_kind why) {
  switch (why) {
  case HY_ASSUME_RDOM: return HY_E_RUN_RDOM;
  case HY_ASSUME_FACTOR: return HY_E_RUN_FACTOR;
  case HY_ASSUME_RANGE: return HY_E_RUN_RANGE;
  case HY_ASSUME_PARAM: return HY_E_RUN_PARAM;
  case HY_ASSUME_REQUIRE: return HY_E_RUN_REQUIRE;
  case HY_ASSUME_WINDOW: return HY_E_RUN_WINDOW;
  case HY_ASSUME_IMAGE: return HY_E_RUN_IMAGE;
  case HY_ASSUME_BOUND: return HY_E_RUN_BOUND;
  case HY_ASSUME_LENGTH: return HY_E_RUN_LENGTH;
  case HY_ASSUME_UNDECIDED: return HY_E_RUN_UNDECIDED;
  case HY_ASSUME_NEED:
  case HY_ASSUME_CONSTRAIN: return HY_E_RUN_NEED; // the latter is never checked at run time
  }
  HY_UNREACHABLE();
}

// One that speaks of loops fails in an iteration, of which the input alone tells nothing.
static void explain_iteration(const failure *f) {
  hy_text condition = {0};
  hy_expr_print(f->failed->assume.condition, &condition);
  hy_report(f->session->diagnostics, code_of(f->failed->assume.why), f->pipeline->loc, "TGT.Assume",
            "give parameters, images or a window for which it is true in every iteration",
            "the assumption '%s' fails inside of a loop: %s", hy_assume_name(f->failed->assume.why),
            hy_text_string(&condition));
  hy_text_free(&condition);
}

void hy_entry_explain(hy_session *session, const hy_pipeline *pipeline, const hy_input *input, const hy_stmt *failed) {
  failure f = {session, pipeline, input, failed, pipeline->filled};
  if (failed->assume.why != HY_ASSUME_NEED && !hy_expr_is_startup(failed->assume.condition)) {
    explain_iteration(&f);
    return;
  }
  switch (failed->assume.why) {
  case HY_ASSUME_RDOM: explain_rdom(&f); return;
  case HY_ASSUME_FACTOR: explain_factor(&f); return;
  case HY_ASSUME_RANGE: explain_range(&f); return;
  case HY_ASSUME_PARAM: explain_param(&f); return;
  case HY_ASSUME_REQUIRE: explain_requirement(&f); return;
  case HY_ASSUME_WINDOW: explain_condition(&f, HY_E_RUN_WINDOW, "the window has a negative length"); return;
  case HY_ASSUME_IMAGE: explain_image(&f); return;
  case HY_ASSUME_NEED: explain_need(&f); return;
  case HY_ASSUME_BOUND: explain_bound(&f); return;
  case HY_ASSUME_LENGTH: explain_length(&f); return;
  case HY_ASSUME_UNDECIDED:
    explain_condition(&f, HY_E_RUN_UNDECIDED,
                      "an obligation that could not be decided for all inputs fails for this one");
    return;
  case HY_ASSUME_CONSTRAIN: break; // is never checked at run time
  }
  HY_UNREACHABLE();
}
