/* Derived operators (absd, saturating_add, ..), on their way to semantics/alg/expand/derived.c: their operands have one
 * type, or those of two follow from that of one. That of some results is another; then the operands' type has to be known
 * where they are read.
 */

#include "semantics/text/elaborate_internal.h"

#include <string.h>

// How much deeper an operand may stand in what an operator stands for.
static int deeper(hy_derived derived) { return hy_derived_operands_of(derived) == HY_OPERANDS_SINGLE ? 64 : 8; }

static const char *takes(hy_derived derived) {
  switch (hy_derived_operands_of(derived)) {
  case HY_OPERANDS_FIXED: return "integers of a fixed width";
  case HY_OPERANDS_NARROW: return "integers of 8, 16 or 32 bits";
  case HY_OPERANDS_WHOLE: return "integers";
  case HY_OPERANDS_NUMBERS: return "numbers";
  case HY_OPERANDS_FLOATS: return "floats";
  case HY_OPERANDS_SINGLE: return "f32";
  case HY_OPERANDS_WEIGHED: return "u8, u16, u32 or floats";
  case HY_OPERANDS_ALIKE: return "numbers of as many bits";
  case HY_OPERANDS_PARTS: return "u8, u16 or u32";
  case HY_OPERANDS_RIGHT: return "an integer of 8, 16 or 32 bits as its second argument";
  case HY_OPERANDS_PATTERN: return "integers of a fixed width and floats";
  }
  HY_UNREACHABLE();
}

// Does the type hold every number of the other? Of what is no integer nothing is asked.
static bool holds(hy_type type, hy_type other) {
  int64_t low, high, least, greatest;
  if (!hy_type_is_integral(other)) return true;
  if (!hy_type_is_integral(type)) return false;
  if (type == HY_U64) return hy_type_class_of(other) == HY_CLASS_UNSIGNED;
  if (other == HY_U64) return false;
  hy_type_range(type, &low, &high);
  hy_type_range(other, &least, &greatest);
  return low <= least && greatest <= high;
}

// A type that it takes, for the help: one that loses no number where there is one, else one that loses no bits. False:
// there is none of either.
static bool find_wanted(hy_derived derived, hy_type type, hy_type *wanted) {
  static const hy_type types[] = {HY_U8, HY_I32, HY_F32, HY_U16, HY_U64, HY_I64};
  if (hy_type_is_storage(type) && hy_derived_takes(derived, HY_F32)) return *wanted = HY_F32, true;
  for (size_t i = 0; i < HY_COUNT(types); i++)
    if (hy_derived_takes(derived, types[i]) && holds(types[i], type)) return *wanted = types[i], true;
  for (size_t i = 0; i < HY_COUNT(types); i++)
    if (hy_derived_takes(derived, types[i]) &&
        (!hy_type_is_integral(types[i]) || hy_type_bits(types[i]) >= hy_type_bits(type)))
      return *wanted = types[i], true;
  return false;
}

// Nothing that it takes is as wide.
static const char *too_wide_help(hy_elaboration *e, const hy_typed *operand, hy_derived derived) {
  if (hy_derived_operands_of(derived) != HY_OPERANDS_ALIKE)
    return "no integer type is wider than 64 bits: write the plain operators (+ - * << >>) where the result fits, or "
           "convert to f64";
  const char *name = hy_derived_name(derived) + strlen("reinterpret_");
  return hy_arena_printf(e->arena,
                         "write %s(%s), which converts the number, or extract_bits_u%d(%s, 0) for some of its bits",
                         name, hy_syntax_quote(e->context, operand->shown),
                         hy_type_bits(hy_derived_type(derived, HY_INT)), hy_syntax_quote(e->context, operand->shown));
}

// Of numbers with a sign the way from one to the other has none that is as wide: floats have. Else a conversion.
static const char *refusal_help(hy_elaboration *e, const hy_typed *operand, hy_derived derived, hy_type type) {
  bool is_weighed = hy_derived_operands_of(derived) == HY_OPERANDS_WEIGHED && hy_type_is_integral(type);
  hy_type wanted = hy_type_bits(type) > 16 ? HY_F64 : HY_F32;
  if (!is_weighed && !find_wanted(derived, type, &wanted)) return too_wide_help(e, operand, derived);
  return hy_arena_printf(e->arena,
                         is_weighed ? "write %s, and so the other one, with a weight from 0.0 to 1.0" : "write %s",
                         hy_typing_convert(e, wanted, operand->shown));
}

static void refuse(hy_elaboration *e, const hy_typed *operand, hy_derived derived, hy_type type) {
  if (hy_type_is_storage(type) && hy_derived_takes(derived, HY_F32))
    hy_report(e->diagnostics, HY_E_STORAGE_OPERAND, operand->shown->loc, hy_storage_rule,
              refusal_help(e, operand, derived, type), "'%s' computes, but '%s' is %s, which is for storage alone",
              hy_derived_name(derived), hy_syntax_quote(e->context, operand->shown), hy_type_name(type));
  else
    hy_report(e->diagnostics, HY_E_OPERAND_TYPE, operand->shown->loc, NULL, refusal_help(e, operand, derived, type),
              "'%s' takes %s, but '%s' is %s", hy_derived_name(derived), takes(derived),
              hy_syntax_quote(e->context, operand->shown), hy_type_name(type));
  hy_elaboration_note_use(e, operand->use);
}

// The slot of the result; that of an error after a report.
static int result_slot(hy_elaboration *e, const hy_syntax *call, hy_derived derived, const hy_typed *first) {
  const hy_slot *root = hy_slot_root(e, first->slot);
  if (root->bad) return hy_slot_bad(e);
  if (hy_derived_result_of(derived) == HY_RESULT_SAME) return first->slot;
  if (hy_derived_names_type(hy_derived_result_of(derived))) return hy_slot_of(e, hy_derived_type(derived, HY_INT));
  if (!root->known && e->is_open) return hy_slot_new(e); // an argument of a helper: its calls say it
  if (root->known && hy_derived_takes(derived, root->type)) return hy_slot_of(e, hy_derived_type(derived, root->type));
  if (root->known)
    refuse(e, first, derived, root->type);
  else
    hy_report(e->diagnostics, HY_E_OPERAND_TYPE, first->shown->loc, NULL,
              hy_arena_printf(e->arena, "write %s", hy_typing_convert(e, HY_U8, first->shown)),
              "the type of '%s' follows from that of '%s', which is not known yet", hy_syntax_quote(e->context, call),
              hy_syntax_quote(e->context, first->shown));
  return hy_slot_bad(e);
}

// As much of the way as the literal says, as a number of the type, the greatest of which is all of it; -1: it says none.
static long long as_much(const hy_typed *weight, int64_t greatest) {
  if (weight->kind != HY_TYPED_LITERAL || weight->syntax->is_negative) return -1;
  double w = hy_value_to_double(hy_value_from_text(HY_F64, weight->syntax->text));
  return w <= 1 ? (long long)(w * (double)greatest + 0.5) : -1;
}

static const char *weight_help(hy_elaboration *e, const hy_typed *first, const hy_typed *weight, hy_type type) {
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  const hy_slot *by = hy_slot_root(e, weight->slot);
  if (by->known && hy_type_is_integral(by->type))
    return hy_arena_printf(e->arena, "write %s", hy_typing_convert(e, type, weight->shown));
  long long number = as_much(weight, greatest);
  return number >= 0
             ? hy_arena_printf(e->arena, "write %lld", number)
             : hy_arena_printf(e->arena, "write a %s from 0 to %lld, or convert what it weighs: %s", hy_type_name(type),
                               (long long)greatest, hy_typing_convert(e, HY_F32, first->shown));
}

// lerp(in(x), g(x), 0.5) of u8, whose weight is a u8: what is told is the number that is as much of the way. Was it that?
static bool is_other_weight(hy_elaboration *e, const hy_typed *first, const hy_typed *weight, hy_derived derived) {
  const hy_slot *of = hy_slot_root(e, first->slot), *by = hy_slot_root(e, weight->slot);
  if (hy_derived_operands_of(derived) != HY_OPERANDS_WEIGHED || !of->known || of->bad || by->bad ||
      hy_type_class_of(of->type) != HY_CLASS_UNSIGNED || !hy_derived_takes(derived, of->type))
    return false;
  if (by->known ? by->type == of->type : !by->fraction) return false;
  int64_t least, greatest;
  hy_type_range(of->type, &least, &greatest);
  const char *name = hy_type_name(of->type);
  hy_report(e->diagnostics, HY_E_TYPE_MISMATCH, weight->shown->loc, NULL, weight_help(e, first, weight, of->type),
            "the weight of '%s' of %s is a %s, %lld of which is all of the way, but '%s' is %s",
            hy_derived_name(derived), name, name, (long long)greatest, hy_syntax_quote(e->context, weight->shown),
            hy_typing_describe(e, weight->slot));
  return true;
}

// The operand whose type follows from that of the leading one.
static void want_operand(hy_elaboration *e, hy_derived derived, hy_typed *const *args) {
  const hy_slot *root = hy_slot_root(e, args[hy_derived_leading(derived)]->slot);
  int place = 1 - hy_derived_leading(derived);
  if (hy_derived_operands_of(derived) == HY_OPERANDS_RIGHT && !(root->known && hy_derived_takes(derived, root->type)))
    return;
  hy_elaboration_want(
      e, args[place], hy_derived_operand_type(derived, root->type, place),
      hy_arena_printf(e->arena, "the %s argument of '%s'", place ? "second" : "first", hy_derived_name(derived)));
}

static hy_typed *apply(hy_elaboration *e, const hy_syntax *call, hy_derived derived, hy_typed **args) {
  int count = hy_derived_arity(derived);
  hy_derived_operands operands = hy_derived_operands_of(derived);
  bool has_two_types = operands == HY_OPERANDS_RIGHT || operands == HY_OPERANDS_PATTERN;
  for (int i = 1; i < count && !has_two_types; i++)
    if ((i == 2 && is_other_weight(e, args[0], args[2], derived)) ||
        !hy_typing_same(e, args[0], args[i], call, hy_derived_name(derived)))
      return hy_typed_bad(e, call);
  if (has_two_types) want_operand(e, derived, args);
  if (operands == HY_OPERANDS_FLOATS || operands == HY_OPERANDS_SINGLE) hy_slot_needs_float(e, args[0]->slot);
  hy_typed model = {.derived = derived, .slot = result_slot(e, call, derived, args[hy_derived_leading(derived)])};
  hy_typed *node = hy_typed_branch(e, HY_TYPED_DERIVED, call, model, args, count);
  if (node->kind == HY_TYPED_BAD) return node;
  node->nodes = (node->nodes - 1) * hy_derived_copies(derived) + hy_derived_own(derived);
  node->height += deeper(derived);
  node->nesting += deeper(derived);
  return hy_typed_within_limits(e, node);
}

// ALG.Expand.Derived: the parts of each half first.
static hy_typed *concatenated(hy_elaboration *e, const hy_syntax *call, hy_typed *const *parts, int count) {
  if (count == 1) return parts[0];
  hy_typed *low = concatenated(e, call, parts, count / 2);
  hy_typed *args[] = {low, concatenated(e, call, parts + count / 2, count / 2)};
  return apply(e, call, HY_DERIVED_CONCAT_BITS, args);
}

static hy_typed *read_parts(hy_elaboration *e, const hy_syntax *call, int count) {
  hy_typed *parts[8];
  for (int i = 0; i < count; i++) parts[i] = hy_elaboration_read(e, call->args[i + 1]);
  for (int i = 1; i < count; i++)
    if (!hy_typing_same(e, parts[0], parts[i], call, hy_derived_name(HY_DERIVED_CONCAT_BITS)))
      return hy_typed_bad(e, call);
  return concatenated(e, call, parts, count);
}

static hy_typed *read_concatenation(hy_elaboration *e, const hy_syntax *call) {
  int count = call->count - 1;
  if (count == 2 || count == 4 || count == 8) return read_parts(e, call, count);
  hy_report(e->diagnostics, HY_E_ARITY, call->loc, NULL, "write concat_bits(a, b), the lowest bits first",
            "'concat_bits' takes 2, 4 or 8 arguments, but %d %s given", count, count == 1 ? "is" : "are");
  return hy_typed_bad(e, call);
}

hy_typed *hy_elaboration_read_derived(hy_elaboration *e, const hy_syntax *call, hy_derived derived) {
  int count = hy_derived_arity(derived);
  hy_typed *args[HY_MAX_ARITY];
  if (derived == HY_DERIVED_CONCAT_BITS) return read_concatenation(e, call);
  if (!hy_elaboration_has_arity(e, call, count)) return hy_typed_bad(e, call);
  for (int i = 0; i < count; i++) args[i] = hy_elaboration_read(e, call->args[i + 1]);
  return apply(e, call, derived, args);
}

const hy_expr *hy_elaboration_build_derived(hy_elaboration *e, const hy_typed *typed, const hy_expr *const *args) {
  const hy_typed *leading = typed->args[hy_derived_leading(typed->derived)];
  hy_type type = hy_slot_root(e, leading->slot)->type;
  if (hy_derived_takes(typed->derived, type)) return hy_expand_derived(e->context, typed->derived, type, args);
  refuse(e, leading, typed->derived, type);
  return NULL;
}
