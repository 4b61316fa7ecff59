#include "halyard/undecided.h"

#include "halyard/cause.h"
#include "halyard/defer.h"
#include "halyard/wide_index.h"
#include "oracle/prover/pair_map.h"

#include <string.h>

enum { MOST_CAUSES = 10 };
static const hy_loc nowhere = {0};

/* -- what is hard: the product or quotient of unknowns of the highest degree -- */

// Of an expression: its degree, and the hardest in it; NULL: it is linear.
typedef struct {
  int degree;
  const hy_expr *hardest;
  int degree_of_hardest;
} hardness;

// What is known so far. Expressions are one node each, and obligations share theirs: each is measured once.
typedef struct {
  hy_context *context;
  hy_pair_map known; // expression -> its hardness
} measuring;

static const hardness *hardness_of(const measuring *m, const hy_expr *node) {
  static const hardness constant = {0};
  const hardness *known = hy_pair_map_get(&m->known, node, NULL);
  return known ? known : &constant;
}

enum { HIGHEST = 1000 }; // products of products of ...

static int degree_of(const measuring *m, const hy_expr *node, bool is_product, bool is_quotient) {
  int degree = node->kind == HY_EXPR_VAR || node->kind == HY_EXPR_ACCESS;
  for (int i = 0; node->kind == HY_EXPR_OP && i < node->count; i++) {
    int of_argument = hardness_of(m, node->args[i])->degree;
    if (is_product || is_quotient)
      degree += of_argument;
    else if (of_argument > degree)
      degree = of_argument;
  }
  if (is_quotient && !hardness_of(m, node->args[1])->degree) degree = degree > 0; // an unknown and its remainder
  return degree < HIGHEST ? degree : HIGHEST;
}

// Children come first.
static void measure(void *self, const hy_expr *node) {
  measuring *m = self;
  if (hy_pair_map_get(&m->known, node, NULL)) return;
  bool is_op = node->kind == HY_EXPR_OP;
  bool is_product = is_op && node->op == HY_OP_MUL, is_quotient = is_op && hy_op_kind_of(node->op) == HY_KIND_DIVISION;
  hardness found = {.degree = degree_of(m, node, is_product, is_quotient)};
  for (int i = 0; i < node->count; i++) {
    const hardness *below = hardness_of(m, node->args[i]);
    if (below->degree_of_hardest <= found.degree_of_hardest) continue;
    found.hardest = below->hardest, found.degree_of_hardest = below->degree_of_hardest;
  }
  if ((is_product || is_quotient) && found.degree > 1 && found.degree > found.degree_of_hardest)
    found.hardest = node, found.degree_of_hardest = found.degree;
  if (!found.degree && !found.hardest) return;
  hardness *kept = HY_NEW_ARRAY(hy_context_arena(m->context), hardness, 1);
  *kept = found;
  hy_pair_map_put(&m->known, node, NULL, kept);
}

static const hy_expr *hardest_in(measuring *m, const hy_expr *expr) {
  if (!hy_pair_map_get(&m->known, expr, NULL)) hy_expr_visit(expr, measure, m);
  return hardness_of(m, expr)->hardest;
}

// Of the goal, else of what is known where it stands; NULL: it is linear.
static const hy_expr *hardest_of(measuring *m, const hy_obligation *o) {
  const hy_expr *hardest = hardest_in(m, o->goal);
  for (size_t i = 0; i < o->fact_count && !hardest; i++) hardest = hardest_in(m, o->facts[i]);
  return hardest;
}

// What is hard is the same. Of a number that does not help: each is clamped by itself.
static const void *what_is_hard(void *self, const hy_obligation *o) {
  return hy_cause_kind_of(o) == HY_CAUSE_NUMBER ? NULL : hardest_of(self, o);
}

/* -- one cause -- */

static const char *print_in(hy_context *context, const char *format, const hy_expr *expr) {
  hy_text text = {0};
  hy_expr_print_brief(expr, 160, &text);
  const char *printed = hy_arena_printf(hy_context_arena(context), "%s", hy_text_string(&text));
  hy_text_free(&text);
  return hy_arena_printf(hy_context_arena(context), format, printed);
}

static void note_reason(measuring *m, const hy_decision *d, hy_diagnostics *diagnostics) {
  if (d->model) {
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere,
            "undecided because it fails for %s, but no run like it broke its contract",
            *d->model ? d->model : "any input");
    return;
  }
  const hy_expr *hard = hardest_of(m, d->obligation);
  const char *reason = "it has more cases than the prover looks at";
  if (hard) {
    const char *format = hard->op == HY_OP_MUL ? "%s is a product of unknowns" : "%s divides by an unknown";
    reason = print_in(m->context, format, hard);
  }
  if (d->emergency)
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere,
            "undecided because %s; Z3 came to no end and was stopped by the emergency limit (--limit-ms), not by its "
            "steps: "
            "another machine may say more",
            reason);
  else if (d->z3_asked)
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere,
            "undecided because %s; Z3 found neither a proof nor an input within %llu steps", reason,
            (unsigned long long)d->z3_asked * HY_Z3_STEPS);
  else if (d->too_large)
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere,
            "undecided because %s; the question is too large for Z3, which is asked about at most %d operations and "
            "products of at most %d unknowns",
            reason, HY_Z3_MOST_NODES, HY_Z3_MOST_DEGREE);
  else
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere, "undecided because %s; Z3 was not asked about it", reason);
}

// A parameter in what is hard, of which nothing says how large it is: signs and orders of its products are not known.
static const hy_var *without_range(const hy_alg *alg, const hy_expr *hard) {
  for (int i = 0; alg && hard && i < alg->param_count; i++)
    if (alg->params[i]->type != HY_BOOL && !hy_alg_about(alg, i).has_range && hy_expr_mentions(hard, alg->params[i]))
      return alg->params[i];
  return NULL;
}

static const char *help_with_index(const hy_pipeline *p, const hy_expr *hard) {
  const char *index =
      "make a factor of the index constant, or compute the index in a func of its own and clamp what is "
      "read of it: fun i(x) = index; f(clamp(i(x), LO, HI))";
  const hy_var *param = without_range(p->alg, hard);
  if (!param) return index;
  bool is_float = hy_type_class_of(param->type) == HY_CLASS_FLOAT;
  return hy_arena_printf(hy_context_arena(p->context), "give '%s' a range, %s: %s in %s; or %s", param->name,
                         param->name, hy_type_name(param->type), is_float ? "0.25..4.0" : "1..64", index);
}

static const char *help_for(const hy_pipeline *p, const hy_obligation *o, const hy_expr *hard) {
  switch (o->kind) {
  case HY_B_DEFINED:
    if (o->goal->kind == HY_EXPR_OP)
      return print_in(p->context, "divide by what is never 0: max(1, %s)", o->goal->args[0]);
    return "divide by what is never 0: max(1, divisor)";
  case HY_B_VALUE:
  case HY_B_FITS: return "clamp what it is computed from to the numbers that you mean: clamp(n, 0, 65535) instead of n";
  case HY_B_MEM:
  case HY_B_CPU:
  case HY_B_ADDRESS:
  case HY_B_WINDOW:
  case HY_B_INSIDE:
  case HY_B_CONSTRAIN: return help_with_index(p, hard);
  case HY_B_PIECES: return "write the loop in one piece, and 'if guard' in place of 'if implied'";
  case HY_B_FOLD: return "fold by more, or compute a region of constant length";
  case HY_B_DISJOINT: return "split by a constant in place of a parameter, or run another loop that way";
  case HY_B_COVER: return "split by a constant in place of a parameter, or leave out one of the splits";
  case HY_B_LENGTH: return "write max(0, length), or a constant";
  }
  HY_UNREACHABLE();
}

enum { MOST_CHECKS = 64 }; // are advised; each is a condition to make

// Could a run check it? Says so; with --unknown=runtime, where nothing else is possible, why not.
static void note_runtime(const hy_pipeline *p, const hy_cause *c, bool unhelped, hy_diagnostics *diagnostics) {
  if (!p->defer_unknown && c->members.count > MOST_CHECKS) return;
  const char *why = unhelped ? "even so it could not be decided" : NULL;
  for (size_t i = 0; i < c->members.count && !why; i++) {
    const hy_expr *asked = hy_defer_condition(p->context, c->members.data[i]->obligation, &why);
    if (asked && asked->kind == HY_EXPR_CONST) why = "what is left of it is the same for every input";
  }
  if (why && p->defer_unknown)
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere, "nor can it be checked when the run starts: %s", why);
  else if (!why && !p->defer_unknown)
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere,
            "it speaks of the input alone: --unknown=runtime lets every run check it at its start");
}

static void report_cause(const hy_pipeline *p, measuring *m, const hy_cause *c, bool unhelped, size_t first,
                         hy_diagnostics *diagnostics) {
  const hy_obligation *o = c->shown->obligation;
  const char *rule = hy_arena_printf(hy_context_arena(p->context), "%s (section 7)", hy_obligation_rule(o->kind));
  const hy_wide_index *index = hy_wide_index_of(p, c->shown);
  if (index && !hy_wide_index_report(index, HY_E_OBLIGATION_UNKNOWN, first, diagnostics)) return;
  if (!index)
    hy_report(diagnostics, HY_E_OBLIGATION_UNKNOWN, o->loc.source ? o->loc : p->loc, rule,
              help_for(p, o, hardest_of(m, o)), "this could not be decided: %s", o->about);
  hy_cause_note_directive(p->core, p->core_count, o, HY_E_OBLIGATION_UNKNOWN, diagnostics);
  note_reason(m, c->shown, diagnostics);
  note_runtime(p, c, unhelped, diagnostics);
  hy_cause_note_others(c, HY_E_OBLIGATION_UNKNOWN, "is undecided", "are undecided", diagnostics);
}

/* -- in the words of the text, whatever the schedule has made of its variables: it is said once, not of each schedule -- */

static size_t name_at(const char *text) {
  return strspn(text, "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
}

// "f.s0.x__1": how long it is, with where the variable begins and how long it is, "x"; 0: no such name stands here.
static size_t variable_at(const hy_alg *alg, const char *text, size_t *begin, size_t *length) {
  size_t func = name_at(text), stage;
  if (!func || text[func] != '.' || text[func + 1] != 's') return 0;
  stage = strspn(text + func + 2, "0123456789");
  *begin = func + 2 + stage + 1;
  if (!stage || text[*begin - 1] != '.') return 0;
  size_t whole = name_at(text + *begin);
  const char *again = strstr(text + *begin, "__");
  *length = again && again < text + *begin + whole ? (size_t)(again - text) - *begin : whole;
  for (int i = 0; i < alg->definition_count && *length; i++) {
    const char *name = alg->definitions[i].func->name;
    if (strlen(name) == func && strncmp(name, text, func) == 0) return *begin + whole;
  }
  return 0;
}

// A loop may have taken the variable's name; then that is x__1, and the loop is left as it is.
static bool is_taken(const char *all, const char *variable, size_t length) {
  hy_text let = {0};
  hy_text_printf(&let, "%.*s__", (int)length, variable);
  bool found = strstr(all, hy_text_string(&let)) != NULL;
  hy_text_free(&let);
  return found;
}

static void write_in_words(const hy_alg *alg, const char *all, hy_text *out) {
  for (const char *text = all; *text;) {
    size_t begin, length, whole = variable_at(alg, text, &begin, &length), rest = name_at(text);
    bool is_own = whole && (begin + length < whole || !is_taken(all, text, begin + length));
    if (is_own)
      hy_text_add_bytes(out, text + begin, length);
    else
      hy_text_add_bytes(out, text, whole ? whole : rest ? rest : 1);
    text += whole ? whole : rest ? rest : 1;
  }
}

static void reword(const hy_pipeline *p, size_t index, hy_diagnostics *diagnostics) {
  const hy_diagnostic d = *hy_diagnostics_at(diagnostics, index);
  hy_text message = {0};
  write_in_words(p->alg, d.message, &message);
  hy_diagnostics_reword(diagnostics, index, d.loc, d.help, hy_text_string(&message));
  hy_text_free(&message);
}

// What is said at a place of the algorithm.
static void reword_all(const hy_pipeline *p, size_t first, hy_diagnostics *diagnostics) {
  bool in_algorithm = false;
  for (size_t i = first; p->alg && i < hy_diagnostics_count(diagnostics); i++) {
    const hy_diagnostic *d = hy_diagnostics_at(diagnostics, i);
    if (d->severity != HY_SEVERITY_NOTE) in_algorithm = d->loc.source && d->loc.source == p->alg->loc.source;
    if (in_algorithm) reword(p, i, diagnostics);
  }
}

void hy_undecided_report(hy_pipeline *p, bool unhelped, hy_diagnostics *diagnostics) {
  size_t first = hy_diagnostics_count(diagnostics);
  measuring m = {.context = p->context};
  hy_cause_list causes = hy_cause_find(&p->report, HY_VERDICT_UNKNOWN, what_is_hard, &m);
  for (size_t i = 0; i < causes.count && i < MOST_CAUSES; i++)
    report_cause(p, &m, &causes.data[i], unhelped, first, diagnostics);
  if (causes.count > MOST_CAUSES)
    hy_note(diagnostics, HY_E_OBLIGATION_UNKNOWN, nowhere, "and %zu more causes; 'halyard check --verbose' lists all",
            causes.count - MOST_CAUSES);
  reword_all(p, first, diagnostics);
  hy_cause_list_free(&causes);
  hy_pair_map_free(&m.known);
}
