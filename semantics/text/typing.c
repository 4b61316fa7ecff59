/* Unification of types, and what the user is told when two of them meet. */

#include "semantics/text/elaborate_internal.h"

static const char types_rule[] =
    "arithmetic takes operands of one type and gives that type; nothing converts by itself";

const char hy_storage_rule[] = "VAL.Float is of f32 and f64: f16 and bf16 are stored, copied and converted";

/* -- slots -- */

static int add(hy_elaboration *e, hy_slot slot) {
  slot.parent = (int)e->slots.count;
  hy_vec_push(&e->slots, slot);
  return slot.parent;
}

int hy_slot_new(hy_elaboration *e) { return add(e, (hy_slot){0}); }
int hy_slot_of(hy_elaboration *e, hy_type type) { return add(e, (hy_slot){.known = true, .type = type}); }
int hy_slot_bad(hy_elaboration *e) { return add(e, (hy_slot){.bad = true}); }

static int find(hy_elaboration *e, int slot) {
  hy_slot *slots = e->slots.data;
  while (slots[slot].parent != slot) {
    slots[slot].parent = slots[slots[slot].parent].parent;
    slot = slots[slot].parent;
  }
  return slot;
}

hy_slot *hy_slot_root(hy_elaboration *e, int slot) { return &e->slots.data[find(e, slot)]; }

static bool is_float(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }

static bool agree(const hy_slot *a, const hy_slot *b) {
  if (a->bad || b->bad) return true;
  if (a->known && b->known) return a->type == b->type;
  if (a->known) return !b->fraction || is_float(a->type);
  if (b->known) return !a->fraction || is_float(b->type);
  return true;
}

bool hy_slot_join(hy_elaboration *e, int a, int b) {
  int i = find(e, a), j = find(e, b);
  hy_slot *to = &e->slots.data[i], *from = &e->slots.data[j];
  if (i == j) return true;
  if (!agree(to, from)) return false;
  if (to->bad || from->bad) return true; // an error spreads through results, not through what it met
  if (!to->known && from->known) to->known = true, to->type = from->type;
  to->fraction |= from->fraction;
  from->parent = i;
  return true;
}

void hy_slot_needs_float(hy_elaboration *e, int slot) {
  hy_slot *root = hy_slot_root(e, slot);
  if (!root->known) root->fraction = true;
}

/* -- messages -- */

const char *hy_typing_describe(hy_elaboration *e, int slot) {
  const hy_slot *root = hy_slot_root(e, slot);
  return root->known ? hy_type_name(root->type) : root->fraction ? "a float" : "an integer literal";
}

const char *hy_typing_convert(hy_elaboration *e, hy_type type, const hy_syntax *syntax) {
  const char *text = hy_syntax_quote(e->context, syntax);
  return hy_arena_printf(e->arena, syntax->in_parentheses ? "%s%s" : "%s(%s)", hy_type_name(type), text);
}

// The conversion that loses least: to the float, to the wider, away from bool; between int and a fixed width, both
// ways.
static const char *conversions(hy_elaboration *e, const hy_typed *a, const hy_typed *b) {
  const hy_slot *x = hy_slot_root(e, a->slot), *y = hy_slot_root(e, b->slot);
  hy_type s = x->known ? x->type : HY_F32, t = y->known ? y->type : HY_F32;
  const char *first = hy_typing_convert(e, t, a->shown), *second = hy_typing_convert(e, s, b->shown);
  if (s == HY_BOOL || t == HY_BOOL) return hy_arena_printf(e->arena, "write %s", s == HY_BOOL ? first : second);
  if (is_float(s) != is_float(t)) return hy_arena_printf(e->arena, "write %s", is_float(t) ? first : second);
  if (s == HY_INT || t == HY_INT) return hy_arena_printf(e->arena, "write %s or %s", first, second);
  if (hy_type_bits(s) != hy_type_bits(t))
    return hy_arena_printf(e->arena, "write %s", hy_type_bits(s) < hy_type_bits(t) ? first : second);
  return hy_arena_printf(e->arena, "write %s or %s", first, second);
}

static bool same(hy_elaboration *e, const hy_typed *a, const hy_typed *b, const hy_syntax *syntax, const char *op,
                 const char *help) {
  if (hy_slot_join(e, a->slot, b->slot)) return true;
  hy_report(e->diagnostics, HY_E_TYPE_MISMATCH, syntax->place, types_rule, help ? help : conversions(e, a, b),
            "'%s' needs one type, but '%s' is %s and '%s' is %s", op, hy_syntax_quote(e->context, a->shown),
            hy_typing_describe(e, a->slot), hy_syntax_quote(e->context, b->shown), hy_typing_describe(e, b->slot));
  return false;
}

bool hy_typing_same(hy_elaboration *e, const hy_typed *a, const hy_typed *b, const hy_syntax *syntax, const char *op) {
  return same(e, a, b, syntax, op, NULL);
}

static bool is_bare_comparison(const hy_syntax *syntax) {
  return syntax->kind == HY_SYNTAX_OP && !syntax->in_parentheses &&
         (hy_op_typing(syntax->op) == HY_TYPING_COMPARE || hy_op_typing(syntax->op) == HY_TYPING_EQUAL);
}

// "x & 1 == 0", which is x & (1 == 0), and hardly meant: what to write; NULL if it is no such thing.
static const char *regrouped(hy_elaboration *e, const hy_syntax *syntax, hy_op op) {
  if (syntax->kind != HY_SYNTAX_OP || op == HY_OP_SHL || op == HY_OP_SHR) return NULL;
  const hy_syntax *left = syntax->args[0], *right = syntax->args[1];
  bool is_left = is_bare_comparison(left);
  if (is_left == is_bare_comparison(right)) return NULL;
  const hy_syntax *comparison = is_left ? left : right;
  const char *outer = hy_op_spelling(op), *inner = hy_op_spelling(comparison->op);
  const char *a = hy_syntax_quote(e->context, is_left ? left->args[0] : left);
  const char *b = hy_syntax_quote(e->context, comparison->args[is_left]);
  const char *c = hy_syntax_quote(e->context, is_left ? right : right->args[1]);
  return is_left ? hy_arena_printf(e->arena, "write %s %s (%s %s %s): %s binds tighter than %s", a, inner, b, outer, c,
                                   inner, outer)
                 : hy_arena_printf(e->arena, "write (%s %s %s) %s %s: %s binds tighter than %s", a, outer, b, inner, c,
                                   inner, outer);
}

// in << 3.0: the number without its point; NULL if it is no whole number.
static const char *whole_amount(hy_elaboration *e, const hy_syntax *syntax, hy_op op) {
  const hy_syntax *amount =
      syntax->kind == HY_SYNTAX_OP && (op == HY_OP_SHL || op == HY_OP_SHR) ? syntax->args[1] : NULL;
  if (!amount || amount->kind != HY_SYNTAX_FLOAT) return NULL;
  double number = hy_value_to_double(hy_value_from_text(HY_F64, amount->text));
  bool is_whole = number < 64 && number == (int)number;
  return is_whole ? hy_arena_printf(e->arena, "write %s%d", amount->is_negative ? "-" : "", (int)number)
                  : "a shift is by a whole number of bits: write a * b, or a / b, on floats";
}

bool hy_typing_same_bits(hy_elaboration *e, const hy_typed *a, const hy_typed *b, const hy_syntax *syntax, hy_op op) {
  const char *grouped = regrouped(e, syntax, op);
  return same(e, a, b, syntax, hy_op_spelling(op), grouped ? grouped : whole_amount(e, syntax, op));
}

// Where what was reported stands in the text of a helper, and is not shown as its call.
static void note_call(hy_elaboration *e, const hy_typed *typed) {
  if (!e->use && typed->shown != typed->use) hy_elaboration_note_use(e, typed->use);
}

void hy_elaboration_want(hy_elaboration *e, hy_typed *typed, hy_type type, const char *what) {
  if (hy_slot_join(e, typed->slot, hy_slot_of(e, type))) return;
  const char *found = hy_typing_describe(e, typed->slot), *quote = hy_syntax_quote(e->context, typed->shown);
  const char *convert = hy_arena_printf(e->arena, "write %s", hy_typing_convert(e, type, typed->shown));
  hy_code code = type == HY_INT ? HY_E_NOT_INT : type == HY_BOOL ? HY_E_NOT_BOOL : HY_E_TYPE_MISMATCH;
  if (type == HY_BOOL) convert = hy_arena_printf(e->arena, "write a comparison, such as %s != 0", quote);
  hy_report(e->diagnostics, code, typed->shown->loc, NULL, convert, "%s is %s, but '%s' is %s", what,
            hy_type_name(type), quote, found);
  note_call(e, typed);
}

// A func is of no known type where what it stores was complained about, and nothing else says its type.
static void meet_bad(hy_elaboration *e, const hy_typed *typed, int part) {
  e->own_meets_bad[part] |= hy_slot_root(e, typed->slot)->bad;
}

void hy_typing_want_own_part(hy_elaboration *e, hy_typed *typed, int part) {
  int slot = e->own_slots[part];
  meet_bad(e, typed, part);
  if (hy_slot_join(e, slot, typed->slot)) return;
  const char *own = hy_typing_describe(e, slot), *found = hy_typing_describe(e, typed->slot);
  const char *name = e->own->more ? hy_arena_printf(e->arena, "%s[%d]", e->own->name, part) : e->own->name;
  const hy_slot *root = hy_slot_root(e, slot);
  const char *help = hy_typing_convert(e, root->known ? root->type : HY_F32, typed->shown);
  help = hy_arena_printf(e->arena, "write %s, or let the pure stage be %s", help, found);
  hy_report(e->diagnostics, HY_E_TYPE_MISMATCH, typed->shown->loc, "all stages of a func have its type", help,
            "'%s' is %s in its earlier stages, but this is %s", name, own, found);
  note_call(e, typed);
}

void hy_elaboration_want_own(hy_elaboration *e, hy_typed *values) {
  if (values->kind != HY_TYPED_TUPLE) hy_typing_want_own_part(e, values, 0);
  for (int i = 1; values->kind == HY_TYPED_BAD && i < hy_func_parts(e->own); i++) meet_bad(e, values, i);
  for (int i = 0; values->kind == HY_TYPED_TUPLE && i < values->count; i++)
    hy_typing_want_own_part(e, values->args[i], i);
}

/* -- what operators ask of their operands -- */

void hy_typing_need(hy_elaboration *e, hy_need_kind kind, const hy_typed *operand, const hy_syntax *syntax, hy_op op) {
  hy_vec_push(&e->needs, (hy_need){kind, operand, syntax, e->use, op});
}

static bool fits(hy_need_kind kind, hy_type type) {
  switch (kind) {
  case HY_NEED_NUMBER: return hy_type_is_numeric(type);
  case HY_NEED_ORDERED: return hy_type_is_numeric(type) || type == HY_BOOL;
  case HY_NEED_INTEGER: return hy_type_is_integral(type);
  case HY_NEED_FLOAT: return is_float(type) && hy_type_is_numeric(type);
  case HY_NEED_NO_FLOAT: return !is_float(type);
  case HY_NEED_NO_STORAGE: return !hy_type_is_storage(type);
  }
  HY_UNREACHABLE();
}

static const char *need_noun(hy_need_kind kind) {
  switch (kind) {
  case HY_NEED_NUMBER:
  case HY_NEED_ORDERED:
  case HY_NEED_NO_STORAGE: return "numbers";
  case HY_NEED_INTEGER:
  case HY_NEED_NO_FLOAT: return "integers";
  case HY_NEED_FLOAT: return "floats";
  }
  HY_UNREACHABLE();
}

static const char *need_help(hy_elaboration *e, const hy_need *need, hy_type type) {
  const hy_syntax *operand = need->operand->shown;
  const char *integer = hy_typing_convert(e, HY_INT, operand);
  if (type == HY_BOOL && need->kind == HY_NEED_INTEGER)
    return hy_arena_printf(e->arena, "use && || ! for conditions, or write %s", integer);
  if (hy_op_typing(need->op) == HY_TYPING_WHOLE)
    return hy_arena_printf(e->arena, "write %s, or a - floor(a / b) * b", integer);
  if (need->kind == HY_NEED_FLOAT) return hy_arena_printf(e->arena, "write %s", hy_typing_convert(e, HY_F32, operand));
  return hy_arena_printf(e->arena, "write %s", integer);
}

// The same operator on f32: "f32(a(x)) + 1.0"; NULL if that can't be written in a line.
static const char *computed_in_f32(hy_elaboration *e, const hy_need *need) {
  const hy_syntax *syntax = need->syntax;
  bool is_call = syntax->kind == HY_SYNTAX_CALL, is_infix = !is_call && hy_op_arity(need->op) == 2;
  const char *text = is_call ? hy_arena_printf(e->arena, "%s(", hy_syntax_quote(e->context, syntax->args[0])) : "";
  if (!is_call && !is_infix) text = hy_op_spelling(need->op);
  for (int i = is_call, first = i; i < syntax->count; i++) {
    const hy_syntax *operand = syntax->args[i];
    bool is_literal = operand->kind == HY_SYNTAX_INTEGER || operand->kind == HY_SYNTAX_FLOAT;
    const char *converted = is_literal ? hy_syntax_quote(e->context, operand) : hy_typing_convert(e, HY_F32, operand);
    const char *between = i == first ? ""
                          : is_call  ? ", "
                                     : hy_arena_printf(e->arena, " %s ", hy_op_spelling(need->op));
    text = hy_arena_printf(e->arena, "%s%s%s", text, between, converted);
  }
  return hy_arena_printf(e->arena, "write %s%s", text, is_call ? ")" : "");
}

// The operator as the text has it: that of an inline reduction is the reduction.
static const char *written_operator(const hy_need *need) {
  const hy_written_reduction *reduction = need->syntax->reduction;
  return reduction ? hy_reduction_name(reduction->reduction) : hy_op_spelling(need->op);
}

// What is reduced, in f32
static const char *reduced_in_f32(hy_elaboration *e, const hy_need *need) {
  return hy_arena_printf(e->arena, "write %s(rdom(..) in %s)", written_operator(need),
                         hy_typing_convert(e, HY_F32, need->syntax->reduction->body));
}

// ALG.Valid.Types: f16 and bf16 are stored, copied and converted, and no operator computes with them.
static void refuse_storage(hy_elaboration *e, const hy_need *need, hy_loc loc, hy_type type) {
  hy_report(e->diagnostics, HY_E_STORAGE_OPERAND, loc, hy_storage_rule,
            need->syntax->reduction ? reduced_in_f32(e, need) : computed_in_f32(e, need),
            "'%s' computes, but '%s' is %s, which is for storage alone", written_operator(need),
            hy_syntax_quote(e->context, need->operand->shown), hy_type_name(type));
}

static void check_need(hy_elaboration *e, const hy_need *need) {
  hy_slot *root = hy_slot_root(e, need->operand->slot);
  if (root->bad || fits(need->kind, root->type) || hy_elaboration_gave_up(e)) return;
  bool is_call = need->syntax->kind == HY_SYNTAX_CALL; // an infix operator is between its operands
  hy_loc loc = is_call ? need->operand->shown->loc : need->syntax->place;
  if (hy_type_is_storage(root->type) && need->kind != HY_NEED_INTEGER)
    refuse_storage(e, need, loc, root->type);
  else
    hy_report(e->diagnostics, HY_E_OPERAND_TYPE, loc, NULL, need_help(e, need, root->type),
              "'%s' takes %s, but '%s' is %s", written_operator(need), need_noun(need->kind),
              hy_syntax_quote(e->context, need->operand->shown), hy_type_name(root->type));
  hy_elaboration_note_use(e, need->use);
  root->bad = true;
}

bool hy_elaboration_check(hy_elaboration *e) {
  for (size_t i = 0; i < e->needs.count; i++)
    if (hy_slot_root(e, e->needs.data[i].operand->slot)->known) check_need(e, &e->needs.data[i]);
  return hy_diagnostics_errors(e->diagnostics) == e->first_error;
}

hy_type hy_elaboration_own_type(hy_elaboration *e, int part) { return hy_slot_root(e, e->own_slots[part])->type; }

bool hy_elaboration_own_is_bad(hy_elaboration *e) {
  bool is_bad = false;
  for (int i = 0; i < hy_func_parts(e->own); i++) is_bad |= hy_slot_root(e, e->own_slots[i])->bad;
  return is_bad;
}

bool hy_elaboration_solve(hy_elaboration *e) {
  for (int i = 0; e->own && i < hy_func_parts(e->own); i++) {
    hy_slot *own = hy_slot_root(e, e->own_slots[i]);
    own->bad |= e->own_meets_bad[i] && !own->known;
  }
  for (size_t i = 0; i < e->slots.count; i++) {
    hy_slot *root = hy_slot_root(e, (int)i);
    if (!root->known) root->known = true, root->type = root->fraction ? HY_F32 : HY_INT;
  }
  for (size_t i = 0; i < e->needs.count; i++) check_need(e, &e->needs.data[i]);
  return hy_diagnostics_errors(e->diagnostics) == e->first_error;
}
