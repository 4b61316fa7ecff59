/* Names get their meaning: from what is written to a tree over variables, funcs and operators, whose types are slots.
 *
 * "let v = e in e2" becomes e2 with the tree of e shared wherever v stands (language.md: lets are expanded before the
 * separation rule is applied); each let is read once.
 */

#include "semantics/text/elaborate_internal.h"
#include "semantics/text/habits.h"

#include <string.h>

hy_elaboration *hy_elaboration_new(hy_context *context, const hy_scope *scope, hy_diagnostics *diagnostics) {
  hy_elaboration *e = hy_allocate_zeroed(1, sizeof *e);
  e->context = context;
  e->scope = scope;
  e->diagnostics = diagnostics;
  e->arena = hy_arena_new();
  e->first_error = hy_diagnostics_errors(diagnostics);
  return e;
}

void hy_elaboration_free(hy_elaboration *e) {
  if (!e) return;
  hy_vec_free(&e->slots);
  hy_vec_free(&e->needs);
  hy_vec_free(&e->lets);
  hy_vec_free(&e->values);
  hy_vec_free(&e->sums);
  hy_arena_free(e->arena);
  hy_free(e);
}

bool hy_elaboration_gave_up(const hy_elaboration *e) {
  return hy_diagnostics_errors(e->diagnostics) - e->first_error >= HY_MAX_SYNTAX_ERRORS;
}

void hy_elaboration_own(hy_elaboration *e, const hy_func *own) {
  e->own = own;
  for (int i = 0; i < hy_func_parts(own); i++) e->own_slots[i] = hy_slot_new(e);
}

/* -- nodes -- */

hy_typed *hy_typed_leaf(hy_elaboration *e, hy_typed_kind kind, const hy_syntax *syntax, int slot) {
  hy_typed *node = HY_NEW(e->arena, hy_typed);
  *node =
      (hy_typed){.kind = kind, .syntax = syntax, .shown = syntax, .use = e->use, .slot = slot, .height = 1, .nodes = 1};
  return node;
}

hy_typed *hy_typed_bad(hy_elaboration *e, const hy_syntax *syntax) {
  return hy_typed_leaf(e, HY_TYPED_BAD, syntax, hy_slot_bad(e));
}

// How deep the text of "child" stands inside that of "node", at most: a left operand of equal precedence needs no
// parentheses, everything else may.
static int nesting_in(const hy_typed *node, const hy_typed *child, int position) {
  bool is_infix = node->kind == HY_TYPED_OP && hy_op_arity(node->op) == 2 && hy_op_precedence(node->op) > 0;
  bool flat = is_infix && position == 0 && child->kind == HY_TYPED_OP && child->op == node->op;
  return child->count == 0 && is_infix ? 0 : child->nesting + !flat;
}

#define HELP_DIVIDE_SHARED                                                                                             \
  HY_HELP_DIVIDE "; what a let names counts in each place where it stands: put the shared part into a func of its own"

hy_typed *hy_elaboration_too_large(hy_elaboration *e, const hy_syntax *syntax, const char *what, int limit) {
  bool is_helper = e->is_open || e->helper || hy_syntax_use(syntax);
  const char *divide = strcmp(what, "operations") == 0 ? HELP_DIVIDE_SHARED : HY_HELP_DIVIDE;
  if (!e->is_too_large)
    hy_report(e->diagnostics, HY_E_TOO_DEEP, syntax->loc, NULL, is_helper ? HY_HELP_DIVIDE_HELPER : divide,
              "with its lets, constants and helpers expanded, this expression has more than %d %s", limit, what);
  e->is_too_large = true;
  return hy_typed_bad(e, syntax);
}

hy_typed *hy_typed_branch(hy_elaboration *e, hy_typed_kind kind, const hy_syntax *syntax, hy_typed model,
                          hy_typed *const *args, int count) {
  hy_typed *node = HY_NEW(e->arena, hy_typed);
  *node = model;
  node->kind = kind;
  node->syntax = node->shown = syntax;
  node->use = e->use;
  node->height = 1;
  node->nodes = 1;
  node->count = count;
  node->args = HY_NEW_ARRAY(e->arena, hy_typed *, count);
  for (int i = 0; i < count; i++) {
    node->args[i] = args[i];
    node->nodes += args[i]->nodes;
    if (args[i]->height >= node->height) node->height = args[i]->height + 1;
    if (nesting_in(node, args[i], i) > node->nesting) node->nesting = nesting_in(node, args[i], i);
  }
  return hy_typed_within_limits(e, node);
}

hy_typed *hy_typed_within_limits(hy_elaboration *e, hy_typed *node) {
  if (node->height > HY_MAX_HEIGHT) return hy_elaboration_too_large(e, node->syntax, "levels", HY_MAX_HEIGHT);
  if (node->nesting > HY_MAX_NESTING)
    return hy_elaboration_too_large(e, node->syntax, "levels of parentheses", HY_MAX_NESTING);
  if (node->nodes > HY_MAX_NODES) return hy_elaboration_too_large(e, node->syntax, "operations", HY_MAX_NODES);
  return node;
}

static hy_typed *operation(hy_elaboration *e, const hy_syntax *syntax, hy_op op, int slot, hy_typed *const *args) {
  return hy_typed_branch(e, HY_TYPED_OP, syntax, (hy_typed){.op = op, .slot = slot}, args, hy_op_arity(op));
}

const hy_let *hy_elaboration_let(const hy_elaboration *e, const char *name) {
  for (size_t i = e->lets.count; i-- > e->first_let;)
    if (e->lets.data[i].name == name) return &e->lets.data[i];
  return NULL;
}

static hy_typed *find_let(hy_elaboration *e, const char *name) {
  const hy_let *let = hy_elaboration_let(e, name);
  return let ? let->value : NULL;
}

/* -- operators -- */

static void want_condition(hy_elaboration *e, hy_typed *operand, const hy_syntax *syntax, const char *op) {
  int boolean = hy_slot_of(e, HY_BOOL);
  if (hy_slot_join(e, operand->slot, boolean)) return;
  const char *quote = hy_syntax_quote(e->context, operand->shown);
  char *help = hy_arena_printf(e->arena, "write a comparison, such as %s != 0", quote);
  hy_loc loc = syntax->kind == HY_SYNTAX_CALL ? operand->shown->loc : syntax->place;
  hy_report(e->diagnostics, HY_E_NOT_BOOL, loc, NULL, help, "'%s' takes a bool, but '%s' is %s", op, quote,
            hy_typing_describe(e, operand->slot));
}

// Its argument has one type, and so has a literal there.
static int reinterpretation(hy_elaboration *e, hy_op op, hy_typed *operand) {
  hy_type result, type = hy_op_reinterpreted(op, &result);
  hy_elaboration_want(e, operand, type, hy_arena_printf(e->arena, "the argument of '%s'", hy_op_spelling(op)));
  return hy_slot_of(e, result);
}

static bool is_bad(hy_elaboration *e, hy_typed *const *args, int count) {
  bool any = false;
  for (int i = 0; i < count; i++) any |= hy_slot_root(e, args[i]->slot)->bad;
  return any;
}

static int judge(hy_elaboration *e, const hy_syntax *syntax, hy_op op, hy_typed *const *args);

// What was complained about has no type, and so has what is computed from it, unless the operator says the result's.
static int apply(hy_elaboration *e, const hy_syntax *syntax, hy_op op, hy_typed *const *args) {
  int slot = judge(e, syntax, op, args), first = op == HY_OP_SELECT;
  bool is_bool = hy_slot_root(e, slot)->known && hy_slot_root(e, slot)->type == HY_BOOL;
  return is_bad(e, args + first, hy_op_arity(op) - first) && !is_bool ? hy_slot_bad(e) : slot;
}

// The judgement of ops.def's typing column; the result's slot.
static int judge(hy_elaboration *e, const hy_syntax *syntax, hy_op op, hy_typed *const *args) {
  const char *spelling = hy_op_spelling(op);
  switch (hy_op_typing(op)) {
  case HY_TYPING_ARITH:
    if (!hy_typing_same(e, args[0], args[1], syntax, spelling)) return hy_slot_bad(e);
    hy_typing_need(e, HY_NEED_NUMBER, args[0], syntax, op);
    return args[0]->slot;
  case HY_TYPING_WHOLE:
    if (!hy_typing_same(e, args[0], args[1], syntax, spelling)) return hy_slot_bad(e);
    hy_typing_need(e, HY_NEED_NUMBER, args[0], syntax, op);
    hy_typing_need(e, HY_NEED_NO_FLOAT, args[0], syntax, op);
    return args[0]->slot;
  case HY_TYPING_BITS:
    if (!hy_typing_same_bits(e, args[0], args[1], syntax, op)) return hy_slot_bad(e);
    hy_typing_need(e, HY_NEED_INTEGER, args[0], syntax, op);
    return args[0]->slot;
  case HY_TYPING_COMPARE:
    if (hy_typing_same(e, args[0], args[1], syntax, spelling))
      hy_typing_need(e, syntax->reduction ? HY_NEED_ORDERED : HY_NEED_NUMBER, args[0], syntax, op);
    return hy_slot_of(e, HY_BOOL);
  case HY_TYPING_EQUAL:
    if (hy_typing_same(e, args[0], args[1], syntax, spelling))
      hy_typing_need(e, HY_NEED_NO_STORAGE, args[0], syntax, op);
    return hy_slot_of(e, HY_BOOL);
  case HY_TYPING_LOGIC:
    for (int i = 0; i < hy_op_arity(op); i++) want_condition(e, args[i], syntax, spelling);
    return hy_slot_of(e, HY_BOOL);
  case HY_TYPING_SELECT:
    want_condition(e, args[0], syntax, spelling);
    return hy_typing_same(e, args[1], args[2], syntax, spelling) ? args[1]->slot : hy_slot_bad(e);
  case HY_TYPING_UNARY: hy_typing_need(e, HY_NEED_NUMBER, args[0], syntax, op); return args[0]->slot;
  case HY_TYPING_UBITS: hy_typing_need(e, HY_NEED_INTEGER, args[0], syntax, op); return args[0]->slot;
  case HY_TYPING_MATH:
    for (int i = 1; i < hy_op_arity(op); i++)
      if (!hy_typing_same(e, args[0], args[i], syntax, spelling)) return hy_slot_bad(e);
    hy_slot_needs_float(e, args[0]->slot);
    hy_typing_need(e, HY_NEED_FLOAT, args[0], syntax, op);
    return args[0]->slot;
  case HY_TYPING_REINTERPRET: return reinterpretation(e, op, args[0]);
  case HY_TYPING_CAST: break;
  }
  HY_UNREACHABLE();
}

static hy_typed *read_op(hy_elaboration *e, const hy_syntax *syntax, hy_op op, const hy_syntax *const *operands) {
  hy_typed *args[HY_MAX_ARITY];
  for (int i = 0; i < hy_op_arity(op); i++) args[i] = hy_elaboration_read(e, operands[i]);
  if ((op == HY_OP_SHL || op == HY_OP_SHR) && args[1]->kind == HY_TYPED_LITERAL) args[1]->shift = syntax;
  return operation(e, syntax, op, apply(e, syntax, op, args), args);
}

/* -- calls -- */

static hy_typed *choice(hy_elaboration *e, const hy_syntax *call, hy_typed *condition, hy_typed *arm, hy_typed *rest) {
  hy_typed *args[] = {condition, arm, rest};
  return operation(e, call, HY_OP_SELECT, apply(e, call, HY_OP_SELECT, args), args);
}

// ALG.Expand.Derived: select(c, a, d, b, .., e) is select(c, a, select(d, b, .. e)).
static hy_typed *read_cases(hy_elaboration *e, const hy_syntax *call) {
  hy_context_hit(e->context, HY_RULE_ALG_EXPAND_DERIVED);
  hy_typed *rest = hy_elaboration_read(e, call->args[call->count - 1]);
  for (int i = call->count - 3; i >= 1; i -= 2) {
    hy_typed *condition = hy_elaboration_read(e, call->args[i]), *arm = hy_elaboration_read(e, call->args[i + 1]);
    rest = choice(e, call, condition, arm, rest);
  }
  return rest;
}

// ALG.Expand.Derived: mux(i, a, b, .., e) is select(i == 0, a, i == 1, b, .. e).
static hy_typed *read_mux(hy_elaboration *e, const hy_syntax *call) {
  if (call->count < 3) {
    hy_report(e->diagnostics, HY_E_ARITY, call->loc, NULL, "write mux(i, a, b)",
              "'mux' takes a number and what it chooses from, but %d %s given", call->count - 1,
              call->count == 2 ? "is" : "are");
    return hy_typed_bad(e, call);
  }
  hy_context_hit(e->context, HY_RULE_ALG_EXPAND_DERIVED);
  hy_typed *which = hy_elaboration_read(e, call->args[1]);
  hy_elaboration_want(e, which, HY_INT, "the first argument of 'mux'");
  hy_typed *rest = hy_elaboration_read(e, call->args[call->count - 1]);
  for (int i = call->count - 2; i >= 2; i--) {
    hy_typed *place = hy_typed_built(e, call, hy_expr_int(e->context, i - 2)),
             *arm = hy_elaboration_read(e, call->args[i]);
    hy_typed *sides[] = {which, place};
    rest = choice(e, call, operation(e, call, HY_OP_EQ, apply(e, call, HY_OP_EQ, sides), sides), arm, rest);
  }
  return rest;
}

// ALG.Expand.Derived: max(a, b, c, ..) is max(max(a, b), c) ..
static hy_typed *read_extremum(hy_elaboration *e, const hy_syntax *call, hy_op op) {
  hy_context_hit(e->context, HY_RULE_ALG_EXPAND_DERIVED);
  hy_typed *so_far = hy_elaboration_read(e, call->args[1]);
  for (int i = 2; i < call->count; i++) {
    hy_typed *args[] = {so_far, hy_elaboration_read(e, call->args[i])};
    so_far = operation(e, call, op, apply(e, call, op, args), args);
  }
  return so_far;
}

bool hy_elaboration_has_arity(hy_elaboration *e, const hy_syntax *call, int wanted) {
  static const char *const forms[] = {"", "e", "a, b", "a, b, c"};
  const char *name = call->args[0]->text;
  int given = call->count - 1;
  if (given == wanted) return true;
  char *help = hy_arena_printf(e->arena, "write %s(%s)", name, forms[wanted]);
  hy_report(e->diagnostics, HY_E_ARITY, call->loc, NULL, help, "'%s' takes %d argument%s, but %d %s given", name,
            wanted, wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are");
  return false;
}

// T(e): a conversion. T(literal) is the constant of type T if there is one: f64(0.1) is the double next to 0.1.
// T((literal)) converts, and so does u8(300), to 44.
static hy_typed *read_cast(hy_elaboration *e, const hy_syntax *call, hy_type type) {
  if (!hy_elaboration_has_arity(e, call, 1)) return hy_typed_bad(e, call);
  const hy_syntax *inner = call->args[1];
  bool is_literal = inner->kind == HY_SYNTAX_INTEGER || inner->kind == HY_SYNTAX_FLOAT;
  if (is_literal && !inner->in_parentheses && hy_literal_fits(inner, type))
    return hy_typed_leaf(e, HY_TYPED_LITERAL, inner, hy_slot_of(e, type));
  hy_typed *operand = hy_elaboration_read(e, inner);
  return operation(e, call, HY_OP_CAST, hy_slot_of(e, type), &operand);
}

// clamp(e, lo, hi) = max(min(e, hi), lo)
static hy_typed *read_clamp(hy_elaboration *e, const hy_syntax *call) {
  if (!hy_elaboration_has_arity(e, call, 3)) return hy_typed_bad(e, call);
  hy_typed *value = hy_elaboration_read(e, call->args[1]), *low = hy_elaboration_read(e, call->args[2]);
  hy_typed *high = hy_elaboration_read(e, call->args[3]);
  if (!hy_typing_same(e, value, high, call, "clamp") || !hy_typing_same(e, value, low, call, "clamp"))
    return hy_typed_bad(e, call);
  hy_typing_need(e, HY_NEED_NUMBER, value, call, HY_OP_MAX);
  hy_typed *inner = operation(e, call, HY_OP_MIN, value->slot, (hy_typed *[]){value, high});
  return operation(e, call, HY_OP_MAX, value->slot, (hy_typed *[]){inner, low});
}

bool hy_elaboration_is_broken(const hy_elaboration *e, const hy_func *func) {
  return e->scope->is_broken && e->scope->is_broken(e->scope->self, func);
}

char *hy_elaboration_coordinates(hy_elaboration *e, const hy_func *func) {
  hy_text text = {0};
  hy_text_printf(&text, "%s(", func->name);
  for (int d = 0; d < func->rank; d++)
    hy_text_printf(&text, func->is_image ? "%se%s" : "%s%s", d ? ", " : "", func->dims[d]);
  hy_text_add(&text, ")");
  char *copy = hy_arena_printf(e->arena, "%s", hy_text_string(&text));
  hy_text_free(&text);
  return copy;
}

// f(_): Halide's implicit variables
static bool has_implicit(hy_elaboration *e, const hy_syntax *call, const hy_func *func) {
  const hy_syntax *implicit = NULL;
  for (int i = 1; i < call->count && !implicit; i++)
    if (call->args[i]->kind == HY_SYNTAX_NAME && strcmp(call->args[i]->text, "_") == 0) implicit = call->args[i];
  if (!implicit || find_let(e, implicit->text) || e->scope->var(e->scope->self, implicit)) return false;
  hy_report(e->diagnostics, HY_E_UNKNOWN_NAME, implicit->place, NULL,
            hy_arena_printf(e->arena, "there are no implicit variables: write %s", hy_elaboration_coordinates(e, func)),
            "nothing here is called '_'");
  return true;
}

// ALG.Valid.Arity (definition 4.5), for accesses: "written" is the call itself, or a part of it
static hy_typed *read_access(hy_elaboration *e, const hy_syntax *written, const hy_syntax *call, const hy_func *func,
                             int part) {
  int given = call->count - 1;
  hy_typed *args[HY_MAX_RANK];
  if (has_implicit(e, call, func)) return hy_typed_bad(e, call);
  for (int i = 0; i < given; i++) {
    hy_typed *coordinate = hy_elaboration_read(e, call->args[i + 1]);
    hy_elaboration_want(e, coordinate, HY_INT, "a coordinate");
    if (i < HY_MAX_RANK) args[i] = coordinate;
  }
  if (hy_elaboration_is_broken(e, func)) return hy_typed_bad(e, call);
  int slot = func == e->own ? e->own_slots[part] : hy_slot_of(e, hy_func_type(func, part));
  hy_context_hit(e->context, given == func->rank ? HY_RULE_ALG_VALID_ARITY : HY_RULE_ALG_VALID_ARITY_NOT);
  hy_typed model = {.func = func, .part = part, .slot = slot};
  if (given == func->rank) return hy_typed_branch(e, HY_TYPED_ACCESS, written, model, args, given);
  bool is_implicit = given == 1 && call->args[1]->kind == HY_SYNTAX_NAME && strcmp(call->args[1]->text, "_") == 0;
  char *help = hy_arena_printf(
      e->arena, is_implicit ? "'_' is a name like any other, and stands for no others: write %s" : "write %s",
      hy_elaboration_coordinates(e, func));
  hy_report(e->diagnostics, HY_E_ARITY, call->loc, "definition 4.5, arity", help,
            "'%s' has %d dimension%s, but %d coordinate%s %s given", func->name, func->rank, func->rank == 1 ? "" : "s",
            given, given == 1 ? "" : "s", given == 1 ? "is" : "are");
  return hy_typed_bad(e, call);
}

/* -- tuples -- */

// ALG.Valid.Parts (decision D80): a tuple is read a value at a time
static hy_typed *read_whole(hy_elaboration *e, const hy_syntax *call, const hy_func *func) {
  bool is_whole = func->more && !hy_elaboration_is_broken(e, func);
  if (!is_whole) return read_access(e, call, call, func, 0);
  const char *quote = hy_syntax_quote(e->context, call);
  hy_context_hit(e->context, HY_RULE_ALG_VALID_PARTS_NOT);
  hy_report(e->diagnostics, HY_E_TUPLE_WHOLE, call->loc, "an expression has one value",
            hy_arena_printf(e->arena, "write %s[0] for the first of them", quote),
            "'%s' has %d values, and one stands here", func->name, hy_func_parts(func));
  return hy_typed_bad(e, call);
}

// ALG.Valid.Parts: f(x)[2], a part that f has
static hy_typed *read_part(hy_elaboration *e, const hy_syntax *index, const hy_func *func) {
  int parts = hy_func_parts(func), part = hy_syntax_part(index);
  const char *quote = hy_syntax_quote(e->context, index->args[0]), *help;
  if (hy_elaboration_is_broken(e, func)) return hy_typed_bad(e, index);
  bool good = parts > 1 && part >= 0 && part < parts;
  hy_context_hit(e->context, good ? HY_RULE_ALG_VALID_PARTS : HY_RULE_ALG_VALID_PARTS_NOT);
  if (good) return read_access(e, index, index->args[0], func, part);
  if (parts == 1) {
    help = hy_arena_printf(e->arena, "write %s", quote);
    hy_report(e->diagnostics, HY_E_TUPLE_PART, index->loc, NULL, help, "'%s' has one value at each point", func->name);
  } else {
    help = hy_arena_printf(e->arena, "write %s[0] to %s[%d], with the number itself", quote, quote, parts - 1);
    hy_report(e->diagnostics, HY_E_TUPLE_PART, index->loc, NULL, help, "'%s' has %d values, and no '%s'", func->name,
              parts, hy_syntax_quote(e->context, index));
  }
  return hy_typed_bad(e, index);
}

static hy_typed *read_let(hy_elaboration *e, const hy_syntax *let, const hy_func *stored);

static hy_typed *read_tuple(hy_elaboration *e, const hy_syntax *tuple) {
  hy_typed *values[HY_MAX_PARTS];
  for (int i = 0; i < tuple->count; i++) values[i] = hy_elaboration_read(e, tuple->args[i]);
  return hy_typed_branch(e, HY_TYPED_TUPLE, tuple, (hy_typed){.slot = values[0]->slot}, values, tuple->count);
}

// ALG.Valid.Parts: every stage has as many values as the func
hy_typed *hy_elaboration_read_values(hy_elaboration *e, const hy_func *func, const hy_syntax *syntax) {
  int given = hy_syntax_values(syntax), parts = hy_func_parts(func);
  if (given > 1 || func->more)
    hy_context_hit(e->context, given == parts ? HY_RULE_ALG_VALID_PARTS : HY_RULE_ALG_VALID_PARTS_NOT);
  if (given != parts) {
    const hy_syntax *stored = hy_syntax_stored(syntax);
    hy_report(e->diagnostics, HY_E_TUPLE_VALUES, (hy_syntax_use(stored) ? stored : syntax)->loc,
              "every stage stores all values of its func",
              parts == 1 ? "write one value here, or as many in the pure stage"
                         : "write a value for each: (e0, e1); what stays as it is is read: f(x)[1]",
              "'%s' has %d value%s, but this stage has %d", func->name, parts, parts == 1 ? "" : "s", given);
    hy_syntax_note_use(e->context, e->diagnostics, hy_syntax_use(stored));
    return hy_typed_bad(e, syntax);
  }
  if (parts == 1) return hy_elaboration_read(e, syntax);
  return syntax->kind == HY_SYNTAX_LET ? read_let(e, syntax, func) : read_tuple(e, syntax);
}

/* -- names -- */

static bool has_meaning(hy_elaboration *e, const hy_syntax *name) {
  return find_let(e, name->text) || (e->scope->has_meaning && e->scope->has_meaning(e->scope->self, name));
}

// Words of other languages that are read as names, hl.min(a, b) among them; not where anything is called so.
static bool is_habit(hy_elaboration *e, const hy_syntax *use) {
  const hy_syntax *word = use->kind == HY_SYNTAX_CALL ? use->args[0] : use;
  const hy_syntax *name = word->kind == HY_SYNTAX_MEMBER ? word->args[0] : word;
  if (name->kind != HY_SYNTAX_NAME || has_meaning(e, name) || (name != word && !e->scope->has_meaning)) return false;
  const char *help = hy_habit_of_word(e->context, use);
  if (!help) return false;
  hy_report(e->diagnostics, HY_E_UNKNOWN_NAME, word->place, NULL, help, "nothing here is called '%s'",
            hy_syntax_quote(e->context, word));
  return true;
}

// "use" is the name, or its call.
static hy_typed *unknown(hy_elaboration *e, const hy_syntax *use, const hy_syntax *name) {
  size_t before = hy_diagnostics_errors(e->diagnostics);
  if (is_habit(e, use)) return hy_typed_bad(e, use);
  bool said = e->scope->unknown && e->scope->unknown(e->scope->self, name);
  if (!said && hy_diagnostics_errors(e->diagnostics) == before)
    hy_report(e->diagnostics, HY_E_UNKNOWN_NAME, name->place, NULL, NULL, "nothing here is called '%s'",
              hy_syntax_quote(e->context, name));
  return hy_typed_bad(e, use);
}

hy_typed *hy_typed_unknown(hy_elaboration *e, const hy_syntax *name) { return unknown(e, name, name); }

static hy_typed *unknown_call(hy_elaboration *e, const hy_syntax *call) { return unknown(e, call, call->args[0]); }

static hy_typed *variable(hy_elaboration *e, const hy_syntax *syntax, const hy_var *var) {
  hy_typed *node = hy_typed_leaf(e, HY_TYPED_VAR, syntax, hy_slot_of(e, var->type));
  node->var = var;
  return node;
}

static hy_typed *refuse_func_argument(hy_elaboration *e, const hy_syntax *name) {
  hy_report(e->diagnostics, HY_E_FUNC_AS_VALUE, name->loc, "ALG.Expand.Def",
            hy_arena_printf(e->arena, "write %s(x), or take the value by another argument", name->text),
            "the argument '%s' is a func, for the helper calls it; it has a value only at coordinates", name->text);
  return hy_typed_bad(e, name);
}

static hy_typed *read_name(hy_elaboration *e, const hy_syntax *name) {
  if (hy_elaboration_is_func_argument(e, name)) return refuse_func_argument(e, name);
  hy_typed *value = find_let(e, name->text);
  if (value) return value;
  const hy_var *var = e->scope->var(e->scope->self, name);
  if (var) return variable(e, name, var);
  const hy_named *named = hy_elaboration_named(e, name);
  if (named) return hy_elaboration_read_named(e, name, named);
  const hy_func *func = e->scope->func(e->scope->self, name);
  if (!func) return hy_typed_unknown(e, name);
  char *help = hy_arena_printf(e->arena, "write %s", hy_elaboration_coordinates(e, func));
  if (!hy_elaboration_is_broken(e, func))
    hy_report(e->diagnostics, HY_E_FUNC_AS_VALUE, name->loc, NULL, help,
              "'%s' is %s; it has a value only at coordinates", name->text, func->is_image ? "an image" : "a func");
  return hy_typed_bad(e, name);
}

// ALG.Expand.Box-Names: in.max(d), where d is an argument of a helper, for which the call gives a number. NULL: it is none.
static const hy_syntax *dimension_given(hy_elaboration *e, const hy_syntax *call) {
  const hy_syntax *name = call->kind == HY_SYNTAX_CALL && call->count == 2 ? call->args[1] : NULL;
  hy_syntax zero = {.kind = HY_SYNTAX_INTEGER, .text = "0"}; // of a helper by itself: any that there is
  if (e->is_open && name && name->kind != HY_SYNTAX_NAME && hy_elaboration_is_given(e, name)) {
    hy_elaboration_want(e, hy_elaboration_read(e, name), HY_INT, "a dimension");
    const hy_syntax *any[] = {call->args[0], hy_syntax_at(e->context, zero, name, NULL, 0)};
    return hy_syntax_at(e->context, *call, call, any, 2);
  }
  hy_typed *value = name && name->kind == HY_SYNTAX_NAME ? find_let(e, name->text) : NULL;
  if (!value) return NULL;
  bool is_number = value->kind == HY_TYPED_LITERAL && value->syntax->kind == HY_SYNTAX_INTEGER;
  bool is_open = value->kind == HY_TYPED_BAD && e->is_open && !hy_slot_root(e, value->slot)->bad;
  if (!is_number && !is_open) return NULL;
  hy_slot_join(e, value->slot, hy_slot_of(e, HY_INT));
  const hy_syntax *args[] = {call->args[0], is_number ? value->syntax : hy_syntax_at(e->context, zero, name, NULL, 0)};
  return hy_syntax_at(e->context, *call, call, args, 2);
}

static hy_typed *read_dotted(hy_elaboration *e, const hy_syntax *syntax) {
  const hy_syntax *given = dimension_given(e, syntax);
  if (given) syntax = given;
  const hy_var *var = e->scope->var(e->scope->self, syntax);
  if (var) return variable(e, syntax, var);
  const hy_expr *box = e->scope->box ? e->scope->box(e->scope->self, syntax) : NULL;
  return box ? hy_typed_built(e, syntax, box) : hy_typed_unknown(e, syntax);
}

// repeat_edge(in)(x): the callee is a call of something that is not there.
static bool is_unknown_call(hy_elaboration *e, const hy_syntax *callee) {
  if (callee->kind != HY_SYNTAX_CALL || callee->args[0]->kind != HY_SYNTAX_NAME) return false;
  const hy_syntax *name = callee->args[0];
  return !hy_is_reserved_word(name->text) && !find_let(e, name->text) && !e->scope->func(e->scope->self, name) &&
         !e->scope->var(e->scope->self, name) && !hy_elaboration_named(e, name) && !hy_elaboration_is_mux(e, name) &&
         !hy_elaboration_is_derived(e, name, &(hy_derived){0});
}

// "e1, .., en" of a call, or between brackets
static const char *arguments(hy_elaboration *e, const hy_syntax *call) {
  const char *list = "";
  for (int i = 1; i < call->count; i++)
    list = hy_arena_printf(e->arena, "%s%s%s", list, i > 1 ? ", " : "", hy_syntax_quote(e->context, call->args[i]));
  return list;
}

// What to write for a call of what is no name: (u16)(e) as in C, f[0](x, y)
static const char *help_of_call(hy_elaboration *e, const hy_syntax *call) {
  const hy_syntax *callee = call->args[0];
  const char *type = callee->kind == HY_SYNTAX_NAME ? hy_habit_of_type(callee->text) : NULL;
  if (type && call->count == 2)
    return hy_arena_printf(e->arena, "write %s(%s)", type, hy_syntax_quote(e->context, call->args[1]));
  if (callee->kind == HY_SYNTAX_CALL && callee->count > 1 && call->count > 1 &&
      callee->args[0]->kind == HY_SYNTAX_NAME && e->scope->func(e->scope->self, callee->args[0]) &&
      callee->count + call->count - 2 == e->scope->func(e->scope->self, callee->args[0])->rank)
    return hy_arena_printf(e->arena, "write %s(%s, %s)", callee->args[0]->text, arguments(e, callee),
                           arguments(e, call));
  if (callee->kind != HY_SYNTAX_INDEX || callee->count != 2 || callee->args[0]->kind != HY_SYNTAX_NAME ||
      !e->scope->func(e->scope->self, callee->args[0]))
    return "put an operator between them, '*' perhaps";
  return hy_arena_printf(e->arena, "write %s(%s)[%s]", callee->args[0]->text, arguments(e, call),
                         hy_syntax_quote(e->context, callee->args[1]));
}

static hy_typed *read_call(hy_elaboration *e, const hy_syntax *call) {
  const hy_syntax *callee = call->args[0];
  hy_type type;
  hy_op op;
  hy_boundary boundary;
  hy_derived derived;
  hy_typed *of_argument = hy_elaboration_read_of_argument(e, call);
  if (of_argument) return of_argument;
  if (callee->kind == HY_SYNTAX_MEMBER && !callee->in_parentheses) return read_dotted(e, call);
  if (callee->kind == HY_SYNTAX_CALL && hy_elaboration_is_boundary(e, callee->args[0], &boundary))
    return hy_elaboration_read_boundary(e, call, boundary);
  if (hy_elaboration_is_boundary(e, callee, &boundary)) return hy_elaboration_boundary_as_value(e, call);
  if (is_unknown_call(e, callee)) return unknown_call(e, callee);
  if (callee->kind != HY_SYNTAX_NAME || callee->in_parentheses) {
    hy_report(e->diagnostics, HY_E_NOT_A_FUNC, callee->loc, NULL, help_of_call(e, call), "'%s' is not a func",
              hy_syntax_quote(e->context, callee));
    return hy_typed_bad(e, call);
  }
  size_t length = strlen(callee->text);
  if (hy_type_find(callee->text, length, &type)) return read_cast(e, call, type);
  if (strcmp(callee->text, "clamp") == 0) return read_clamp(e, call);
  bool has_op = hy_op_find_call(callee->text, length, &op);
  if (has_op && op == HY_OP_SELECT && call->count > 4 && call->count % 2 == 0) return read_cases(e, call);
  if (hy_elaboration_is_mux(e, callee)) return read_mux(e, call);
  if (has_op && (op == HY_OP_MIN || op == HY_OP_MAX) && call->count > 3) return read_extremum(e, call, op);
  if (has_op)
    return hy_elaboration_has_arity(e, call, hy_op_arity(op)) ? read_op(e, call, op, call->args + 1)
                                                              : hy_typed_bad(e, call);
  if (hy_elaboration_is_derived(e, callee, &derived)) return hy_elaboration_read_derived(e, call, derived);
  const hy_func *func = find_let(e, callee->text) ? NULL : e->scope->func(e->scope->self, callee);
  if (func) return read_whole(e, call, func);
  const hy_named *named = find_let(e, callee->text) ? NULL : hy_elaboration_named(e, callee);
  if (named && named->is_helper) return hy_elaboration_read_helper(e, call, named);
  if (!find_let(e, callee->text) && !e->scope->var(e->scope->self, callee) && !named) return unknown_call(e, call);
  hy_report(e->diagnostics, HY_E_NOT_A_FUNC, callee->loc, NULL, "put an operator between them, '*' perhaps",
            "'%s' is a %s, not a func", callee->text, named ? "constant" : "variable");
  return hy_typed_bad(e, call);
}

// in[x][y], in[x, y]: in(x, y)
static const char *coordinates_of_index(hy_elaboration *e, const hy_syntax *index) {
  const char *list = "";
  for (; index->kind == HY_SYNTAX_INDEX; index = index->args[0])
    list = hy_arena_printf(e->arena, "%s%s%s", arguments(e, index), *list ? ", " : "", list);
  return hy_arena_printf(e->arena, "%s(%s)", hy_syntax_quote(e->context, index), list);
}

static hy_typed *refuse_part_of_value(hy_elaboration *e, const hy_syntax *index) {
  const char *quote = hy_syntax_quote(e->context, index->args[0]);
  bool is_name = index->args[0]->kind == HY_SYNTAX_NAME;
  hy_report(e->diagnostics, HY_E_TUPLE_PART, index->loc, NULL,
            hy_arena_printf(e->arena, is_name ? "write %s, or give it a tuple: (a, b)" : "write %s", quote),
            "'%s' has one value here, and no '%s'", quote, hy_syntax_quote(e->context, index));
  return hy_typed_bad(e, index);
}

static hy_typed *read_index(hy_elaboration *e, const hy_syntax *syntax) {
  const hy_syntax *callee = syntax->args[0];
  hy_typed *part = e->is_open ? hy_elaboration_read_open_part(e, syntax) : NULL;
  if (part) return part;
  bool is_call = callee->kind == HY_SYNTAX_CALL && callee->args[0]->kind == HY_SYNTAX_NAME;
  const hy_func *func =
      is_call && !find_let(e, callee->args[0]->text) ? e->scope->func(e->scope->self, callee->args[0]) : NULL;
  if (func) return read_part(e, syntax, func);
  hy_boundary boundary;
  const hy_syntax *condition = callee->kind == HY_SYNTAX_CALL ? callee->args[0] : callee;
  if (condition->kind == HY_SYNTAX_CALL && hy_elaboration_is_boundary(e, condition->args[0], &boundary))
    return hy_elaboration_read_boundary(e, syntax, boundary);
  if (callee->kind == HY_SYNTAX_NAME && find_let(e, callee->text)) return refuse_part_of_value(e, syntax);
  if (is_unknown_call(e, callee)) return unknown_call(e, callee);
  if (callee->kind != HY_SYNTAX_NAME && callee->kind != HY_SYNTAX_INDEX) return refuse_part_of_value(e, syntax);
  char *help = hy_arena_printf(e->arena, "write %s", coordinates_of_index(e, syntax));
  hy_report(e->diagnostics, HY_E_SYNTAX, syntax->loc, NULL, help, "coordinates stand in parentheses");
  return hy_typed_bad(e, syntax);
}

static bool check_let_name(hy_elaboration *e, const hy_syntax *let) {
  if (e->use) return true; // it was checked where it was declared; what has its name here is not what it hides
  hy_syntax name = {.kind = HY_SYNTAX_NAME, .text = let->text, .loc = let->place, .place = let->place};
  if (hy_is_reserved_word(let->text)) {
    hy_report(e->diagnostics, HY_E_RESERVED_WORD, let->place, NULL, "choose another name", "'%s' is a reserved word",
              let->text);
    return false;
  }
  if (!find_let(e, let->text) && !e->scope->var(e->scope->self, &name) && !e->scope->func(e->scope->self, &name) &&
      !hy_elaboration_named(e, &name))
    return true;
  hy_report(e->diagnostics, HY_E_SHADOWED, let->place, "a name in scope may not be shadowed", "choose another name",
            "'%s' is in scope already", let->text);
  return false;
}

// "stored": what it holds is a stage's, with all its values; NULL: an expression
static hy_typed *read_let(hy_elaboration *e, const hy_syntax *let, const hy_func *stored) {
  bool fresh = check_let_name(e, let);
  hy_typed *(*read)(hy_elaboration *, const hy_syntax *) = e->is_open ? hy_elaboration_read_open : hy_elaboration_read;
  hy_typed *value = read(e, let->args[0]);
  hy_vec_push(&e->values, value);
  hy_vec_push(&e->lets, (hy_let){let->text, fresh ? value : hy_typed_bad(e, let), false});
  hy_typed *body = stored ? hy_elaboration_read_values(e, stored, let->args[1]) : read(e, let->args[1]);
  e->lets.count--;
  return body;
}

static hy_typed *read_hole(hy_elaboration *e, const hy_syntax *syntax) {
  const hy_hole *hole = e->scope->hole ? e->scope->hole(e->scope->self, syntax) : NULL;
  if (!hole) return hy_typed_unknown(e, syntax);
  hy_typed *node = hy_typed_leaf(e, HY_TYPED_HOLE, syntax, hy_slot_of(e, HY_INT));
  node->hole = hole;
  return node;
}

hy_typed *hy_elaboration_read(hy_elaboration *e, const hy_syntax *syntax) {
  if (e->depth > 2 * HY_MAX_HEIGHT) return hy_elaboration_too_large(e, syntax, "levels", HY_MAX_HEIGHT);
  e->depth++;
  hy_typed *typed =
      hy_syntax_helper(syntax) ? hy_elaboration_read_written(e, syntax) : hy_elaboration_read_plain(e, syntax);
  e->depth--;
  return typed;
}

hy_typed *hy_elaboration_read_plain(hy_elaboration *e, const hy_syntax *syntax) {
  if (hy_elaboration_gave_up(e)) return hy_typed_bad(e, syntax);
  switch (syntax->kind) {
  case HY_SYNTAX_INTEGER: return hy_typed_leaf(e, HY_TYPED_LITERAL, syntax, hy_slot_new(e));
  case HY_SYNTAX_FLOAT: {
    hy_typed *literal = hy_typed_leaf(e, HY_TYPED_LITERAL, syntax, hy_slot_new(e));
    hy_slot_needs_float(e, literal->slot);
    return literal;
  }
  case HY_SYNTAX_BOOL: return hy_typed_leaf(e, HY_TYPED_LITERAL, syntax, hy_slot_of(e, HY_BOOL));
  case HY_SYNTAX_NAME: return read_name(e, syntax);
  case HY_SYNTAX_MEMBER: return read_dotted(e, syntax);
  case HY_SYNTAX_CALL: return read_call(e, syntax);
  case HY_SYNTAX_INDEX: return read_index(e, syntax);
  case HY_SYNTAX_OP: return read_op(e, syntax, syntax->op, syntax->args);
  case HY_SYNTAX_LET: return read_let(e, syntax, NULL);
  case HY_SYNTAX_TUPLE:
  case HY_SYNTAX_INTERVAL:
    hy_report(e->diagnostics, HY_E_TUPLE_WHOLE, syntax->place, "an expression has one value",
              "several values are what a stage stores: fun f(x) = (a, b);", "a tuple cannot stand here");
    return hy_typed_bad(e, syntax);
  case HY_SYNTAX_HOLE: return read_hole(e, syntax);
  case HY_SYNTAX_START: return hy_typed_leaf(e, HY_TYPED_START, syntax, hy_slot_new(e));
  case HY_SYNTAX_CHOICE:
    if (e->is_open) return hy_elaboration_read_open(e, syntax);
    hy_report(e->diagnostics, HY_E_NOT_CONSTANT, syntax->place, "ALG.Expand.If",
              "a choice at each point is written select(condition, a, b)",
              "'if' chooses between texts, which an algorithm has, and schedules in a 'for'");
    return hy_typed_bad(e, syntax);
  case HY_SYNTAX_REDUCTION:
    if (e->is_open) return hy_elaboration_read_reduction(e, syntax);
    hy_report(e->diagnostics, HY_E_REDUCTION_PLACE, syntax->place, NULL,
              "give it a func: fun s(x) = sum(rdom(r = (min, len)) in e);",
              "a reduction cannot stand here, only in the stages of funcs");
    return hy_typed_bad(e, syntax);
  }
  HY_UNREACHABLE();
}
