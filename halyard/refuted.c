#include "halyard/refuted.h"

#include "halyard/cause.h"
#include "halyard/minimise.h"
#include "halyard/replay.h"
#include "halyard/wide_index.h"
#include "validate/validate.h"

#include <string.h>

enum { MOST_CAUSES = 10 };
static const hy_loc nowhere = {0};

/* -- where: the iteration, in the words of the schedule or of the program -- */

static const hy_stmt *find_binder(const hy_stmt *stmt, const hy_var *var, bool as_source) {
  if (!as_source && stmt->kind == HY_STMT_FOR && stmt->loop.var == var) return stmt;
  if (stmt->kind == HY_STMT_LET && (as_source ? hy_origin_has_source(&stmt->let.origin, var) : stmt->let.var == var))
    return stmt;
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) {
    const hy_stmt *found = find_binder(children[i], var, as_source);
    if (found) return found;
  }
  return NULL;
}

static bool makes(const hy_directive *d, const hy_var *loop) {
  if (!d->loop || d->loop->func != loop->func || d->loop->stage != loop->stage || d->loop->spec != loop->spec)
    return false;
  for (int i = 0; d->type->arguments[i] != HY_TAKES_END; i++)
    if (d->type->arguments[i] == HY_TAKES_NAME && strcmp(d->names[hy_directive_place(d->type, i)], loop->name) == 0)
      return true;
  return false;
}

// The directive that made the loop; NULL: lowering did, or there is no schedule.
static const hy_directive *maker_of(const hy_pipeline *p, const hy_var *loop) {
  for (int i = p->core_count - 1; i >= 0; i--)
    if (makes(&p->core[i], loop)) return &p->core[i];
  return NULL;
}

// "split(g.s0.x, xo, xi, 8)", "splitting g.s0.x", "applying turn to g.s0.x"; "" for a loop that lowering made. Lives in
// the context.
static const char *name_maker(const hy_pipeline *p, const hy_var *loop) {
  const hy_directive *maker = maker_of(p, loop);
  const hy_stmt *let = maker ? NULL : find_binder(p->filled->body, loop, true);
  hy_text text = {0};
  if (maker) {
    hy_directive_print(maker, &text);
    text.length = strcspn(hy_text_string(&text), ";");
  } else if (let) {
    const hy_relation *r = let->let.origin.relation;
    if (hy_relation_is_given(r))
      hy_text_printf(&text, "applying %s to ", r->directive);
    else
      hy_text_add(&text, hy_origin_is_blocks(&let->let.origin) ? "splitting " : "fusing ");
    hy_var_print(let->let.var, &text);
  }
  const char *name = hy_arena_printf(hy_context_arena(p->context), "%.*s", (int)text.length, hy_text_string(&text));
  hy_text_free(&text);
  return name;
}

static void end_run(const char *maker, int loops, hy_text *out) {
  if (maker && *maker) hy_text_printf(out, " (loop%s that %s made)", loops == 1 ? "" : "s", maker);
}

// "iteration g.s0.xo = 0, g.s0.xi = 7 (loops that split(g.s0.x, xo, xi, 8) made); there g.s0.x = 7"
static void describe_iteration(const hy_pipeline *p, const hy_decision *d, hy_text *out) {
  hy_text lets = {0};
  const char *maker = NULL;
  int run = 0;
  for (size_t i = 0; i < d->value_count; i++) {
    const hy_expr *unknown = d->values[i].unknown;
    if (unknown->kind != HY_EXPR_VAR || unknown->var->kind != HY_VAR_LOOP) continue;
    const hy_stmt *binder = find_binder(p->filled->body, unknown->var, false);
    bool is_loop = binder && binder->kind == HY_STMT_FOR;
    hy_text *to = is_loop ? out : &lets;
    if (is_loop) {
      const char *by = name_maker(p, unknown->var);
      if (maker && strcmp(by, maker) != 0) end_run(maker, run, out), run = 0;
      maker = by;
      run++;
    }
    hy_text_add(to, to->length ? ", " : is_loop ? "iteration " : "");
    const hy_var *base = is_loop ? NULL : hy_old_name_base(p->context, unknown->var);
    bool is_old = base && find_binder(p->filled->body, base, false);
    hy_var_print(is_old ? hy_old_name(p->context, unknown->var) : unknown->var, to);
    hy_text_printf(to, " = %lld", (long long)d->values[i].value);
  }
  end_run(maker, run, out);
  if (lets.length) hy_text_printf(out, "%s%s", out->length ? "; there " : "where ", hy_text_string(&lets));
  hy_text_free(&lets);
}

// What the model says of anything else: loads in indices.
static void describe_loads(const hy_decision *d, hy_text *out) {
  for (size_t i = 0; i < d->value_count; i++) {
    const hy_expr *unknown = d->values[i].unknown;
    if (unknown->kind != HY_EXPR_ACCESS) continue;
    hy_text_add(out, out->length ? ", " : "");
    hy_expr_print_brief(unknown, 160, out);
    hy_text_printf(out, " = %lld", (long long)d->values[i].value);
  }
}

/* -- one cause -- */

static void see_division(void *self, const hy_expr *node) {
  const hy_expr **divisor = self;
  int64_t constant;
  if (node->kind == HY_EXPR_OP && hy_op_kind_of(node->op) == HY_KIND_DIVISION &&
      !hy_expr_is_int(node->args[1], &constant))
    *divisor = node->args[1];
}

static bool is_refuted(const hy_oracle_report *r, hy_obligation_kind kind) {
  for (size_t i = 0; i < r->count; i++)
    if (r->decisions[i].verdict == HY_VERDICT_REFUTED && r->decisions[i].obligation->kind == kind) return true;
  return false;
}

// The boxes of a program of ours are Halyard's own: what leaves them divides by 0, there or in a bound around, or is
// our defect.
static const char *help_for_own(hy_pipeline *p, const hy_obligation *o) {
  const hy_expr *divisor = NULL;
  hy_expr_visit(o->goal, see_division, &divisor);
  if (!divisor && is_refuted(&p->report, HY_B_DEFINED))
    return "a bound divides by 0, as is told elsewhere: mend that first, and this may go with it";
  if (!divisor) p->own_bounds = true;
  if (!divisor) return "Halyard chose these bounds itself: this is a defect, please report it with both files";
  hy_text text = {0};
  hy_expr_print_brief(divisor, 160, &text);
  const char *help = hy_arena_printf(hy_context_arena(p->context), "%s may be 0 there; write max(1, %s)",
                                     hy_text_string(&text), hy_text_string(&text));
  hy_text_free(&text);
  return help;
}

// What is computed at a time is as long as the left side of "length <= fold".
static const char *help_for_fold(const hy_pipeline *p, const hy_obligation *o) {
  int64_t length;
  bool is_known = o->stage < 0 && o->goal->kind == HY_EXPR_OP && hy_expr_is_int(o->goal->args[0], &length);
  if (!is_known) return "fold by more, compute less of it at a time, or leave the fold out";
  return hy_arena_printf(hy_context_arena(p->context),
                         "fold by %lld or more, compute less of it at a time, or leave the fold out",
                         (long long)length);
}

static const char *help_for(hy_pipeline *p, const hy_decision *d) {
  if (d->contested) return "the prover and Z3 disagree: this is a defect of Halyard, please report it";
  if (hy_cause_kind_of(d->obligation) == HY_CAUSE_BOX && p->alg->definition_count)
    return help_for_own(p, d->obligation);
  switch (d->obligation->kind) {
  case HY_B_VALUE:
  case HY_B_FITS: return "clamp what it is computed from to the numbers that you mean: clamp(n, 0, 65535) instead of n";
  case HY_B_MEM:
    if (hy_cause_box(d->obligation)->is_image) return "let the entry block assume more of the image, or read less";
    return "enlarge the allocation at that end, or compute and read less";
  case HY_B_INSIDE: return "enlarge the allocation at that end, or compute and read less";
  case HY_B_CPU:
  case HY_B_ADDRESS: return "enlarge the box of the 'compute' at that end, or read less";
  case HY_B_WINDOW: return "the output is computed on a box that holds its whole window: (x.min, x.len)";
  case HY_B_COVER: return "let the loops of the stage reach every point of the box of its 'compute'";
  case HY_B_LENGTH: return "write max(0, length)";
  case HY_B_DEFINED: return "divide by something that is never 0: max(1, divisor)";
  case HY_B_DISJOINT:
    return "run another loop that way, or let no point come twice: an inner loop of (0, FACTOR), the tail 'guard'";
  case HY_B_FOLD: return help_for_fold(p, d->obligation);
  case HY_B_PIECES:
    return "let the pieces of a loop run its iterations once and in order, all that assign, and 'implied' guards hold";
  case HY_B_CONSTRAIN: return "compute the box that the schedule's bounds demand";
  }
  HY_UNREACHABLE();
}

static void report_example(hy_pipeline *p, const hy_decision *given, unsigned z3_limit, uint64_t *budget,
                           hy_diagnostics *diagnostics) {
  hy_decision small = hy_minimise(p->context, p->query, given, z3_limit, budget);
  hy_replayed replayed = hy_replay(p, &small);
  if (!replayed.seen) { // a smaller one that shows nothing is worth less
    hy_replayed first = hy_replay(p, given);
    if (first.seen) replayed = first, small = *given;
  }
  hy_text iteration = {0}, loads = {0};
  describe_iteration(p, &small, &iteration);
  describe_loads(&small, &loads);
  hy_note(diagnostics, HY_E_OBLIGATION_REFUTED, nowhere, "for example with %s%s%s%s%s",
          replayed.input                ? replayed.input
          : small.model && *small.model ? small.model
                                        : "any input",
          iteration.length ? ": " : "", hy_text_string(&iteration), loads.length ? "; say " : "",
          hy_text_string(&loads));
  if (replayed.seen) hy_note(diagnostics, HY_E_OBLIGATION_REFUTED, nowhere, "replayed, %s", replayed.seen);
  hy_text_free(&iteration);
  hy_text_free(&loads);
}

static void report_cause(hy_pipeline *p, const hy_cause *c, unsigned z3_limit, uint64_t *budget, size_t first,
                         hy_diagnostics *diagnostics) {
  const hy_obligation *o = c->shown->obligation;
  const char *rule = hy_arena_printf(hy_context_arena(p->context), "%s (section 7)", hy_obligation_rule(o->kind));
  const hy_wide_index *index = hy_wide_index_of(p, c->shown);
  if (index && !hy_wide_index_report(index, HY_E_OBLIGATION_REFUTED, first, diagnostics)) return;
  if (!index)
    hy_report(diagnostics, HY_E_OBLIGATION_REFUTED, o->loc.source ? o->loc : p->loc, rule, help_for(p, c->shown),
              "this does not hold: %s", o->about);
  hy_cause_note_directive(p->core, p->core_count, o, HY_E_OBLIGATION_REFUTED, diagnostics);
  report_example(p, c->shown, z3_limit, budget, diagnostics);
  hy_cause_note_others(c, HY_E_OBLIGATION_REFUTED, "fails", "fail", diagnostics);
}

void hy_refuted_report(hy_pipeline *p, unsigned z3_limit, hy_diagnostics *diagnostics) {
  hy_cause_list causes = hy_cause_find(&p->report, HY_VERDICT_REFUTED, NULL, NULL);
  uint64_t budget = p->minimise_steps; // for all causes together
  size_t first = hy_diagnostics_count(diagnostics);
  p->replay_work = 0; // what is told is worth as much again as finding it
  for (size_t i = 0; i < causes.count && i < MOST_CAUSES; i++)
    report_cause(p, &causes.data[i], z3_limit, &budget, first, diagnostics);
  if (causes.count > MOST_CAUSES)
    hy_note(diagnostics, HY_E_OBLIGATION_REFUTED, nowhere, "and %zu more causes; 'halyard check --verbose' lists all",
            causes.count - MOST_CAUSES);
  hy_cause_list_free(&causes);
}
