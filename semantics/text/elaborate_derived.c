/* Derived operators (absd, saturating_add, ..), on their way to semantics/alg/expand/derived.c: their operands have one
 * type. That of some results is another; then the operands' type has to be known where they are read.
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
  }
  HY_UNREACHABLE();
}

// A type that it takes, for the help.
static hy_type wanted(hy_derived derived, hy_type type) {
  if (hy_type_is_storage(type) && hy_derived_takes(derived, HY_F32)) return HY_F32;
  static const hy_type types[] = {HY_U8, HY_I32, HY_F32, HY_U16, HY_U64};
  for (size_t i = type == HY_U64 || type == HY_I64; i < HY_COUNT(types); i++)
    if (hy_derived_takes(derived, types[i])) return types[i];
  return HY_U8;
}

// Of numbers with a sign the way from one to the other has none that is as wide: floats have. Else a conversion.
static const char *refusal_help(hy_elaboration *e, const hy_typed *operand, hy_derived derived, hy_type type) {
  bool is_weighed = hy_derived_operands_of(derived) == HY_OPERANDS_WEIGHED && hy_type_is_integral(type);
  const char *convert = hy_typing_convert(e,
                                          !is_weighed               ? wanted(derived, type)
                                          : hy_type_bits(type) > 16 ? HY_F64
                                                                    : HY_F32,
                                          operand->shown);
  return hy_arena_printf(
      e->arena, is_weighed ? "write %s, and so the other one, with a weight from 0.0 to 1.0" : "write %s", convert);
}

static void refuse(hy_elaboration *e, const hy_typed *operand, hy_derived derived, hy_type type) {
  const char *convert = hy_typing_convert(e, wanted(derived, type), operand->shown);
  if (hy_type_is_storage(type) && hy_derived_takes(derived, HY_F32))
    hy_report(e->diagnostics, HY_E_STORAGE_OPERAND, operand->shown->loc, hy_storage_rule,
              hy_arena_printf(e->arena, "write %s", convert),
              "'%s' computes, but '%s' is %s, which is for storage alone", hy_derived_name(derived),
              hy_syntax_quote(e->context, operand->shown), hy_type_name(type));
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

hy_typed *hy_elaboration_read_derived(hy_elaboration *e, const hy_syntax *call, hy_derived derived) {
  int count = hy_derived_arity(derived);
  hy_typed *args[HY_MAX_ARITY];
  if (!hy_elaboration_has_arity(e, call, count)) return hy_typed_bad(e, call);
  for (int i = 0; i < count; i++) args[i] = hy_elaboration_read(e, call->args[i + 1]);
  for (int i = 1; i < count; i++)
    if ((i == 2 && is_other_weight(e, args[0], args[2], derived)) ||
        !hy_typing_same(e, args[0], args[i], call, hy_derived_name(derived)))
      return hy_typed_bad(e, call);
  hy_derived_operands operands = hy_derived_operands_of(derived);
  if (operands == HY_OPERANDS_FLOATS || operands == HY_OPERANDS_SINGLE) hy_slot_needs_float(e, args[0]->slot);
  hy_typed model = {.derived = derived, .slot = result_slot(e, call, derived, args[0])};
  hy_typed *node = hy_typed_branch(e, HY_TYPED_DERIVED, call, model, args, count);
  if (node->kind == HY_TYPED_BAD) return node;
  node->nodes = (node->nodes - 1) * hy_derived_copies(derived) + hy_derived_own(derived);
  node->height += deeper(derived);
  node->nesting += deeper(derived);
  return hy_typed_within_limits(e, node);
}

const hy_expr *hy_elaboration_build_derived(hy_elaboration *e, const hy_typed *typed, const hy_expr *const *args) {
  hy_type type = hy_slot_root(e, typed->args[0]->slot)->type;
  if (hy_derived_takes(typed->derived, type)) return hy_expand_derived(e->context, typed->derived, type, args);
  refuse(e, typed->args[0], typed->derived, type);
  return NULL;
}
