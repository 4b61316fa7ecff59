// Shrinking: directives first, then stages, funcs, subterms, constants, the window; a candidate is kept if it still
// shows the same defect. Every candidate is printed and read again, so that nothing invalid survives.

#include "fuzz/change/edit.h"
#include "fuzz/change/edit_items.h"
#include "fuzz/judge/judge.h"

#include "semantics/base/clock.h"
#include "semantics/base/vec.h"
#include "semantics/semantics.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  hy_case *best;
  hy_judgement *judgement;
  unsigned lanes;
  double spent, deadline; // spent: of processor time when it is over; deadline: when that much has not been had by then
  int tries;              // left
} shrinker;

enum { CANDIDATE_SECONDS = 10, PATIENCE = 10 };

// Of this process and of the candidates' that have ended: a busy machine makes the case no larger.
static double processor_seconds(void) { return hy_own_seconds() + hy_children_seconds(); }

static bool is_late(const shrinker *s) {
  return s->tries <= 0 || processor_seconds() > s->spent || hy_seconds() > s->deadline;
}

// Takes the candidate: it becomes the best one if it shows the same.
static bool try_case(shrinker *s, HY_TAKE hy_case candidate) {
  hy_judgement j = {0};
  bool good = !is_late(s);
  if (good) {
    s->tries--;
    good = hy_judge_apart_until(&candidate, s->lanes, false, CANDIDATE_SECONDS, s->deadline, &j) &&
           hy_judgement_same(&j, s->judgement);
  }
  hy_case_free(good ? s->best : &candidate);
  if (!good) return false;
  *s->best = candidate;
  *s->judgement = j;
  return true;
}

/* -- the schedule -- */

static size_t count_lines(const char *text) {
  size_t lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

static bool drop_directives(shrinker *s) {
  bool any = false;
  for (size_t size = count_lines(s->best->items); size > 0; size /= 2)
    for (size_t at = count_lines(s->best->items); at >= size && at > 0;) {
      at -= at >= size ? size : at;
      hy_case c = hy_case_copy(s->best);
      free(c.items);
      c.items = hy_items_without(s->best->items, at, size);
      any |= try_case(s, c);
    }
  return any;
}

// A split or a fusion whose loops later directives speak of.
static bool pass_directives(shrinker *s) {
  bool any = false;
  for (size_t line = count_lines(s->best->items); line-- > 0;)
    for (int inner = 0; inner < 2; inner++) {
      hy_case c = hy_case_copy(s->best);
      char *fewer = hy_items_past(c.items, line, inner, c.altered, sizeof c.altered);
      if (fewer) {
        free(c.items);
        c.items = fewer;
      }
      if (!fewer)
        hy_case_free(&c);
      else if (try_case(s, c)) {
        any = true;
        break;
      }
    }
  return any;
}

// Smaller numbers in the directives.
static bool lessen_numbers(shrinker *s) {
  bool any = false;
  for (size_t at = 0; s->best->items[at]; at++) {
    if (!strchr("0123456789", s->best->items[at]) || at == 0 || s->best->items[at - 1] != ' ') continue;
    size_t digits = strspn(s->best->items + at, "0123456789");
    int64_t number = atoll(s->best->items + at);
    for (int64_t less = 1; less < number && less < 5; less++) {
      hy_text text = {0};
      hy_text_add_bytes(&text, s->best->items, at);
      hy_text_printf(&text, "%lld%s", (long long)less, s->best->items + at + digits);
      hy_case c = hy_case_copy(s->best);
      free(c.items);
      c.items = text.data;
      if (!try_case(s, c)) continue;
      any = true;
      break;
    }
  }
  return any;
}

/* -- the text of an algorithm with forms -- */

// The text without the lines that begin so; malloc'd, NULL if there is none.
static char *without_lines(const char *text, const char *begin, size_t length) {
  hy_text rest = {0};
  size_t dropped = 0, line;
  hy_text_add(&rest, "");
  for (; *text; text += line) {
    line = strcspn(text, "\n");
    line += text[line] == '\n';
    bool drops = strncmp(text, begin, length) == 0;
    dropped += drops;
    if (!drops) hy_text_add_bytes(&rest, text, line);
  }
  if (!dropped) hy_text_free(&rest);
  return dropped ? rest.data : NULL;
}

// "  fun f1", "  def h0": what a line declares, up to the end of its name; 0: nothing.
static size_t declares(const char *line) {
  static const char *const words[] = {"  fun ", "  def ", "  const "};
  for (size_t i = 0; i < HY_COUNT(words); i++)
    if (strncmp(line, words[i], strlen(words[i])) == 0)
      return strlen(words[i]) + strcspn(line + strlen(words[i]), "( ") + 1;
  return 0;
}

// Funcs, helpers and constants, one a line, left out of both wordings: the forms stay.
static bool drop_declarations(shrinker *s) {
  bool any = false;
  if (!s->best->written) return false;
  for (size_t at = 0; s->best->alg[at];) {
    const char *line = s->best->alg + at;
    size_t length = declares(line), next = strcspn(line, "\n") + 1;
    char *alg = length ? without_lines(s->best->alg, line, length) : NULL;
    if (alg) {
      hy_case c = hy_case_copy(s->best);
      char *written = without_lines(c.written, line, length);
      free(c.alg);
      c.alg = alg;
      if (written) {
        free(c.written);
        c.written = written;
      }
      if (try_case(s, c)) {
        any = true;
        continue; // another line is there now
      }
    }
    at += next;
    if (!line[next - 1]) break;
  }
  return any;
}

/* -- the algorithm -- */

static bool try_alg(shrinker *s, const hy_alg *alg) {
  hy_text text = {0};
  hy_alg_print(alg, &text);
  if (strcmp(text.data, s->best->alg) == 0) {
    hy_text_free(&text);
    return false;
  }
  hy_case c = hy_case_copy(s->best);
  free(c.alg);
  free(c.written); // it says nothing of another algorithm
  c.alg = text.data;
  c.written = NULL;
  return try_case(s, c);
}

typedef struct {
  HY_VEC(const hy_expr *) nodes;
} node_list;

static void see_node(void *self, const hy_expr *node) {
  node_list *l = self;
  for (size_t i = 0; i < l->nodes.count; i++)
    if (l->nodes.data[i] == node) return;
  hy_vec_push(&l->nodes, node);
}

static bool try_node(shrinker *s, hy_context *context, const hy_alg *alg, int index, const hy_expr *node) {
  if (node->kind == HY_EXPR_CONST || node->kind == HY_EXPR_TUPLE) return false;
  hy_edit e = {.context = context, .from = node};
  for (int i = 0; i < node->count + 2; i++) {
    if (i < node->count && (node->kind != HY_EXPR_OP || node->args[i]->type != node->type)) continue;
    e.to = i < node->count ? node->args[i] : hy_edit_number(context, node->type, i - node->count);
    hy_alg edited_alg = hy_edit_alg(&e, alg, index);
    if (try_alg(s, &edited_alg)) return true;
  }
  return false;
}

static bool shrink_terms(shrinker *s, hy_context *context, const hy_alg *alg) {
  bool any = false;
  for (int i = 0; i < alg->definition_count && !any; i++) {
    node_list list = {0};
    for (int k = 0; k < alg->definitions[i].stage_count; k++) {
      const hy_stage *stage = &alg->definitions[i].stages[k];
      hy_expr_visit(stage->rhs, see_node, &list);
      if (stage->predicate) hy_expr_visit(stage->predicate, see_node, &list);
      for (int d = 0; k > 0 && d < alg->definitions[i].func->rank; d++) hy_expr_visit(stage->lhs[d], see_node, &list);
      for (int r = 0; r < stage->rdom_count; r++) {
        hy_expr_visit(stage->rdoms[r].interval.min, see_node, &list);
        hy_expr_visit(stage->rdoms[r].interval.len, see_node, &list);
      }
    }
    for (size_t n = list.nodes.count; n-- > 0 && !any;) any = try_node(s, context, alg, i, list.nodes.data[n]);
    hy_vec_free(&list.nodes);
  }
  return any;
}

// One of a func's updates left out, its predicate, or one of its reduction variables.
static bool shrink_stage(shrinker *s, hy_context *context, const hy_alg *alg, int i, int k) {
  hy_arena *arena = hy_context_arena(context);
  const hy_definition *d = &alg->definitions[i];
  for (int what = 0; what < 2 + d->stages[k].rdom_count; what++) {
    hy_alg copy = *alg;
    hy_definition *definitions = HY_NEW_ARRAY(arena, hy_definition, alg->definition_count);
    memcpy(definitions, alg->definitions, sizeof *definitions * (size_t)alg->definition_count);
    hy_stage *stages = HY_NEW_ARRAY(arena, hy_stage, d->stage_count);
    memcpy(stages, d->stages, sizeof *stages * (size_t)d->stage_count);
    definitions[i].stages = stages;
    copy.definitions = definitions;
    if (what == 0) {
      definitions[i].stage_count--;
      memmove(stages + k, stages + k + 1, sizeof *stages * (size_t)(d->stage_count - k - 1));
    } else if (what == 1)
      stages[k].predicate = NULL;
    else {
      hy_rdom *rdoms = HY_NEW_ARRAY(arena, hy_rdom, stages[k].rdom_count);
      int kept = 0;
      for (int r = 0; r < stages[k].rdom_count; r++)
        if (r != what - 2) rdoms[kept++] = stages[k].rdoms[r];
      stages[k].rdoms = rdoms;
      stages[k].rdom_count = kept;
    }
    if (try_alg(s, &copy)) return true;
  }
  return false;
}

// A func left out, its readers reading what it reads.
static bool shrink_through(shrinker *s, hy_context *context, const hy_alg *alg, const hy_definition *d) {
  node_list list = {0};
  bool any = false;
  for (int k = 0; k < d->stage_count; k++) {
    hy_expr_visit(d->stages[k].rhs, see_node, &list);
    for (int i = 0; k > 0 && i < d->func->rank; i++) hy_expr_visit(d->stages[k].lhs[i], see_node, &list);
    if (d->stages[k].predicate) hy_expr_visit(d->stages[k].predicate, see_node, &list);
  }
  for (size_t n = 0; n < list.nodes.count && !any; n++) {
    const hy_expr *node = list.nodes.data[n];
    if (node->kind != HY_EXPR_ACCESS || node->func->is_image || node->func == d->func) continue;
    hy_edit e = {.context = context, .dropped = d->func, .instead = node, .definition = d};
    hy_alg copy = hy_edit_alg(&e, alg, -1);
    any = try_alg(s, &copy);
  }
  hy_vec_free(&list.nodes);
  return any;
}

// One of several outputs taken off the list; what windows are left keep their places.
static bool shrink_outputs(shrinker *s, hy_context *context, const hy_alg *alg) {
  for (int k = alg->output_count - 1; k >= 0 && alg->output_count > 1; k--) {
    hy_alg copy = *alg;
    hy_edit_outputs(context, &copy, alg->outputs[k].func);
    if (try_alg(s, &copy)) return true;
  }
  return false;
}

static bool shrink_funcs(shrinker *s, hy_context *context, const hy_alg *alg) {
  for (int i = alg->definition_count - 2; i >= 0; i--) {
    hy_edit e = {.context = context, .dropped = alg->definitions[i].func};
    hy_alg copy = hy_edit_alg(&e, alg, -1);
    if (try_alg(s, &copy)) return true;
  }
  for (int i = alg->definition_count - 2; i >= 0; i--)
    if (shrink_through(s, context, alg, &alg->definitions[i])) return true;
  if (alg->definition_count < 2) return false;
  hy_alg copy = *alg; // another output
  copy.definition_count--;
  hy_edit_outputs(context, &copy, alg->definitions[copy.definition_count].func);
  return try_alg(s, &copy);
}

static bool shrink_params(shrinker *s, const hy_alg *alg) {
  if (!alg->param_count) return false;
  hy_alg copy = *alg; // the last one: values are by position
  if (alg->signature[alg->param_count + alg->image_count - 1] < 0) return false;
  copy.param_count--;
  return try_alg(s, &copy);
}

// One successful edit, or false. The context is fresh each time: edits leave much behind.
static bool shrink_alg(shrinker *s) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  char *text = strdup(s->best->alg);
  hy_source source = {"case.alg", text, strlen(text)};
  const hy_alg *alg = hy_parse_alg(context, &source, said);
  bool any = false;
  if (alg) {
    for (int i = 0; i < alg->definition_count && !any; i++)
      for (int k = alg->definitions[i].stage_count - 1; k > 0 && !any; k--) any = shrink_stage(s, context, alg, i, k);
    any = any || shrink_outputs(s, context, alg) || shrink_funcs(s, context, alg) || shrink_terms(s, context, alg) ||
          shrink_params(s, alg);
  }
  hy_diagnostics_free(said);
  hy_context_free(context);
  free(text);
  return any;
}

/* -- the input -- */

static bool keep_one_input(shrinker *s) {
  if (s->best->input_count < 2) return false;
  hy_case c = hy_case_copy(s->best);
  c.inputs[0] = c.inputs[s->judgement->input];
  c.input_count = 1;
  return try_case(s, c);
}

static bool try_number(shrinker *s, size_t offset, int64_t least) {
  int64_t old = *(int64_t *)((char *)&s->best->inputs[0] + offset);
  const int64_t candidates[] = {0, 1, 2, old / 2, old > 0 ? old - 1 : old + 1};
  for (size_t i = 0; i < HY_COUNT(candidates); i++) {
    int64_t value = candidates[i];
    if (value < least || (old != INT64_MIN && llabs(value) >= llabs(old))) continue;
    hy_case c = hy_case_copy(s->best);
    *(int64_t *)((char *)&c.inputs[0] + offset) = value;
    if (try_case(s, c)) return true;
  }
  return false;
}

static bool shrink_input(shrinker *s) {
  bool any = keep_one_input(s);
  for (size_t d = 0; d < HY_MAX_WINDOW; d++) {
    any |= try_number(s, offsetof(hy_case_input, len) + d * sizeof(int64_t), 1);
    any |= try_number(s, offsetof(hy_case_input, min) + d * sizeof(int64_t), INT64_MIN);
  }
  for (size_t p = 0; p < HY_MOST_PARAMS; p++)
    any |= try_number(s, offsetof(hy_case_input, params) + p * sizeof(int64_t), INT64_MIN);
  return any;
}

static bool drop_relation(shrinker *s) {
  if (s->best->relation == HY_RELATION_NONE) return false;
  hy_case c = hy_case_copy(s->best);
  c.relation = HY_RELATION_NONE;
  return try_case(s, c);
}

// The cheapest lanes that show it: that of the finding alone, if it can be told.
static unsigned lanes_of(unsigned lanes, const hy_judgement *j) {
  unsigned native = HY_LANE_LIGHT | HY_LANE_NATIVE;
  return j->lane & (lanes | native) ? j->lane : lanes;
}

void hy_shrink(hy_case *c, unsigned lanes, const hy_shrink_limits *limits, hy_judgement *judgement) {
  shrinker s = {c,
                judgement,
                lanes_of(lanes, judgement),
                processor_seconds() + limits->seconds,
                hy_seconds() + PATIENCE * limits->seconds,
                limits->tries};
  memcpy(c->altered, judgement->altered_line, sizeof c->altered); // the same one, whatever else changes
  drop_relation(&s);
  keep_one_input(&s);
  for (bool any = true; any && !is_late(&s);) {
    any = drop_directives(&s) || pass_directives(&s);
    any |= drop_declarations(&s);
    while (!is_late(&s) && shrink_alg(&s)) any = true;
    any |= lessen_numbers(&s);
    if (c->input_count) any |= shrink_input(&s);
  }
  c->lanes = s.lanes;
}
