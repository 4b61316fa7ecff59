// Random values of any type, conditions, and the predicates of updates.

#include "fuzz/pairs/generate_internal.h"

#include <string.h>

static int number(hy_maker *m, int64_t least, int64_t most) { return (int)hy_make_number(m, least, most); }
static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }
static int pick(hy_maker *m, size_t below) { return hy_make_pick(m, (int)below); }
static const char *name(hy_maker *m) { return m->names[pick(m, (size_t)m->name_count)]; }
static const char *compare(hy_maker *m) {
  static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};
  return compares[pick(m, HY_COUNT(compares))];
}

const char *const hy_made_types[HY_MADE_TYPES] = {"int", "u8",  "u16", "i32", "f32",  "i16", "u32",
                                                  "i64", "f64", "u64", "i8",  "bool", "f16", "bf16"};

bool hy_made_is_float(const char *type) { return type[0] == 'f' || strcmp(type, "bf16") == 0; }
bool hy_made_is_stored(const char *type) { return strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0; }
bool hy_made_is_bool(const char *type) { return strcmp(type, "bool") == 0; }
bool hy_made_is_unsigned(const char *type) { return type[0] == 'u'; }

/* -- constants -- */

void hy_make_edge(hy_maker *m, const char *type) {
  static const struct {
    const char *type, *edges[6];
  } rows[] = {
      {"int",
       {"9223372036854775807", "-9223372036854775807", "2147483648", "-2147483649", "4294967296",
        "4611686018427387904"}},
      {"u8", {"255", "128", "127", "254", "255", "1"}},
      {"i8", {"127", "-128", "-127", "-1", "64", "-128"}},
      {"u16", {"65535", "32768", "32767", "256", "65535", "255"}},
      {"i16", {"32767", "-32768", "-1", "255", "-32767", "256"}},
      {"u32", {"4294967295", "2147483648", "2147483647", "65536", "4294967294", "65535"}},
      {"i32", {"2147483647", "-2147483648", "-1", "65536", "-2147483647", "65535"}},
      {"u64",
       {"18446744073709551615", "9223372036854775808", "9223372036854775807", "4294967296", "18446744073709551614",
        "4294967295"}},
      {"i64",
       {"9223372036854775807", "-9223372036854775807", "4294967296", "-2147483649", "2147483648", "-4294967296"}},
      {"f32", {"16777216.0", "2147483648.0", "9223372036854775808.0", "1e30", "-4294967296.0", "0.5"}},
      {"f64",
       {"9007199254740992.0", "2147483648.0", "9223372036854775808.0", "1e300", "-18446744073709551616.0", "0.5"}},
      {"bool", {"true", "false", "true", "false", "true", "false"}},
      {"f16", {"65504.0", "65520.0", "6e-8", "-0.00006", "2049.0", "0.1"}},
      {"bf16", {"3.39e38", "-1e-40", "257.0", "65280.0", "-0.0", "0.1"}},
  };
  hy_make_type_form(m, HY_FORM_EDGE, type);
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strcmp(rows[i].type, type) == 0) hy_text_printf(m->out, "%s(%s)", type, rows[i].edges[pick(m, 6)]);
}

/* -- conditions -- */

// Of int variables. In pairs at the edges also what overflows, divides by zero or converts.
static void make_edge_compare(hy_maker *m) {
  static const hy_form forms[] = {HY_FORM_PREDICATE_OVERFLOWS, HY_FORM_PREDICATE_OVERFLOWS, HY_FORM_PREDICATE_OVERFLOWS,
                                  HY_FORM_PREDICATE_DIVIDES,   HY_FORM_PREDICATE_DIVIDES,   HY_FORM_PREDICATE_OVERFLOWS,
                                  HY_FORM_PREDICATE_DIVIDES,   HY_FORM_PREDICATE_CONVERTS};
  const char *v = name(m), *relation;
  int limit, kind = pick(m, m->a_type && !hy_made_is_bool(m->a_type) ? 11 : 7);
  if (kind > 7) kind = 7;
  m->other = true;
  hy_make_form(
      m, (hy_form)(forms[kind] + (m->in_predicate ? 0 : HY_FORM_CONDITION_OVERFLOWS - HY_FORM_PREDICATE_OVERFLOWS)));
  switch (kind) {
  case 0:
    limit = number(m, 0, 3);
    hy_text_printf(m->out, "(%s - 9223372036854775807) - %d > %d", v, number(m, -3, 6), limit);
    return;
  case 1: hy_text_printf(m->out, "%s + 9223372036854775804 > 9223372036854775803", v); return;
  case 2: hy_text_printf(m->out, "%s * 4611686018427387904 %s 0", v, compare(m)); return;
  case 3:
    hy_text_printf(m->out, "%d / ", number(m, 4, 9));
    hy_make_param(m);
    hy_text_printf(m->out, " %s %s", compare(m), v);
    return;
  case 4:
    hy_text_printf(m->out, "%s %% ", v);
    hy_make_param(m);
    limit = number(m, 0, 2);
    hy_text_printf(m->out, " %s %d", compare(m), limit);
    return;
  case 5: hy_text_printf(m->out, "%s + 2147483646 %s 2147483648", v, compare(m)); return;
  case 6:
    limit = number(m, 0, 2), relation = compare(m);
    hy_text_printf(m->out, "%d / %s %s %d", number(m, 3, 9), v, relation, limit);
    return;
  default: hy_text_printf(m->out, "int(a) %s %s", compare(m), v); return;
  }
}

static void make_int_compare(hy_maker *m) {
  const char *v = name(m), *other = name(m);
  int limit;
  if (m->edges && chance(m, 45)) {
    make_edge_compare(m);
    return;
  }
  switch (pick(m, 6)) {
  case 0:
  case 1: hy_text_printf(m->out, "%s%s %% 2 == 0)", chance(m, 10) ? "!(" : "(", v); return;
  case 2:
    limit = number(m, 1, 2);
    hy_text_printf(m->out, "(%s + %d) %% 3 < %d", v, number(m, 0, 2), limit);
    return;
  case 3:
    limit = number(m, -1, 4);
    hy_text_printf(m->out, "%s %s %d", v, compare(m), limit);
    return;
  case 4:
    if (other != v) {
      hy_text_printf(m->out, "%s %s %s", v, compare(m), other);
      return;
    } // fallthrough
  default:
    hy_text_printf(m->out, "%s %s ", v, compare(m));
    hy_make_param(m);
    return;
  }
}

void hy_make_compare(hy_maker *m, int depth) {
  if (depth > 0 && chance(m, 15)) {
    hy_make_text(m, "(");
    hy_make_compare(m, depth - 1);
    hy_make_text(m, chance(m, 50) ? " && " : " || ");
    hy_make_compare(m, depth - 1);
    hy_make_text(m, ")");
    return;
  }
  const char *type = chance(m, 65) ? "int" : hy_made_types[pick(m, HY_MADE_COMPUTED)];
  if (strcmp(type, "int") == 0 && m->name_count) {
    make_int_compare(m);
    return;
  }
  hy_make_data(m, type, depth - 1);
  hy_text_printf(m->out, " %s ", hy_made_is_bool(type) ? (chance(m, 50) ? "==" : "!=") : compare(m));
  hy_make_data(m, type, 0);
}

// A variable beside a small number.
static void make_small_compare(hy_maker *m) {
  int limit = number(m, 0, 3);
  const char *relation = compare(m);
  hy_text_printf(m->out, "%s %s %d", name(m), relation, limit);
}

static void make_predicate(hy_maker *m) {
  const hy_made_source *f = chance(m, 30) ? hy_make_known(m) : NULL;
  if (!f || f == m->self || m->accesses > 6) {
    hy_make_compare(m, 1);
    return;
  }
  hy_make_form(m, HY_FORM_PREDICATE_READS);
  bool both = m->name_count && chance(m, 25), first = chance(m, 50); // what bounds the access, and the access
  if (both && first) {
    const char *joined = chance(m, 70) ? "&&" : "||";
    make_small_compare(m);
    hy_text_printf(m->out, " %s ", joined);
  }
  bool is_stored = hy_made_is_stored(f->type), converts = hy_made_is_bool(f->type) || is_stored;
  if (converts) hy_make_text(m, is_stored ? "f32(" : "int(");
  hy_make_far_access(m, f, 1);
  if (converts) hy_make_text(m, ")");
  int limit = number(m, 0, 3);
  hy_text_printf(m->out, " %s %d", chance(m, 50) ? ">" : "!=", limit);
  if (!both || first) return;
  hy_make_text(m, " && ");
  make_small_compare(m);
}

void hy_make_predicate(hy_maker *m) {
  m->in_predicate = true;
  make_predicate(m);
  m->in_predicate = false;
}

/* -- leaves -- */

static void make_constant(hy_maker *m, const char *type) {
  bool is_int = strcmp(type, "int") == 0;
  int percent = hy_made_is_stored(type)  ? 50
                : is_int                 ? (m->edges ? 20 : 0)
                : hy_made_is_float(type) ? (m->edges ? 25 : 6)
                                         : 15; // a large float swallows what is added
  if (hy_made_is_bool(type) || chance(m, percent))
    hy_make_edge(m, type);
  else if (hy_made_is_float(type)) {
    int tenths = number(m, 0, 1) * 5;
    hy_text_printf(m->out, "%s(%d.%d)", type, number(m, 0, 4), tenths);
  } else if (m->a_type && chance(m, 20))
    hy_text_printf(m->out, is_int ? "int(%s(a))" : "%s(a)", is_int ? "i16" : type);
  else if (is_int && chance(m, 30))
    hy_make_param(m);
  else
    hy_text_printf(m->out, "%s(%d)", type, number(m, 0, 100));
}

static void make_leaf(hy_maker *m, const char *type, int depth) {
  const hy_made_source *f = m->self && chance(m, 40) ? m->self : hy_make_known(m);
  if (f && f == m->self && f->parts) f += pick(m, f->parts);
  if (f && m->accesses < 7 && chance(m, 75)) {
    bool same = strcmp(f->type, type) == 0;
    if (!same) hy_text_printf(m->out, "%s(", type);
    hy_make_access(m, f, depth);
    if (!same) hy_make_text(m, ")");
    return;
  }
  bool is_int = strcmp(type, "int") == 0;
  if (!m->name_count || chance(m, 25)) {
    make_constant(m, type);
    return;
  }
  if (hy_made_is_bool(type)) {
    int rest = number(m, 0, 1), divisor = number(m, 2, 3);
    hy_text_printf(m->out, "(%s %% %d == %d)", name(m), divisor, rest);
    return;
  }
  if (!is_int) hy_text_printf(m->out, "%s(", type);
  const char *v = name(m);
  if (chance(m, 50))
    hy_make_text(m, v);
  else {
    const char *other = name(m);
    hy_text_printf(m->out, "(%d*%s + %s)", number(m, 2, 7), v, other);
  }
  if (!is_int) hy_make_text(m, ")");
}

/* -- operators -- */

static void make_sum(hy_maker *m, const char *type, int depth) {
  static const char *const infix[] = {"+", "-", "+", "*"};
  hy_make_text(m, "(");
  hy_make_data(m, type, depth - 1);
  hy_text_printf(m->out, " %s ", infix[pick(m, 4)]);
  hy_make_data(m, type, depth - 1);
  hy_make_text(m, ")");
}

static void make_select(hy_maker *m, const char *type, int depth) {
  if (hy_make_choice(m, type, depth)) return;
  hy_make_text(m, "select(");
  hy_make_compare(m, 1);
  hy_make_text(m, ", ");
  hy_make_data(m, type, depth - 1);
  hy_make_text(m, ", ");
  hy_make_data(m, type, depth - 1);
  hy_make_text(m, ")");
}

static void make_quotient(hy_maker *m, const char *type, int depth) {
  static const int large[] = {-2, -3, 100, 127, -1};
  hy_make_text(m, "(");
  hy_make_data(m, type, depth - 1);
  if (m->errors && chance(m, 50)) {
    hy_make_text(m, " / ");
    hy_make_data(m, type, 0);
  } else {
    bool odd = chance(m, 15), is_signed = type[0] == 'i';
    int by = odd ? large[is_signed ? pick(m, 5) : 2 + pick(m, 2)] : number(m, 2, 7);
    hy_text_printf(m->out, " %s %d", hy_made_is_float(type) || chance(m, 50) ? "/" : "%", by);
  }
  hy_make_text(m, ")");
}

// The operators that are drawn as calls with arguments of such a type (ops.def: drawn): functions of floats alone
// first. arity: 1, or any that is greater.
static int list_calls(bool floats, int arity, hy_op *calls) {
  int count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int op = 0; op < HY_OP_COUNT; op++) {
      hy_op_drawn drawn = hy_op_is_drawn((hy_op)op);
      bool fits = drawn == HY_DRAWN_ANY || drawn == (floats ? HY_DRAWN_FLOATS : HY_DRAWN_WHOLE);
      bool first = hy_op_typing((hy_op)op) == HY_TYPING_MATH;
      if (fits && (hy_op_arity((hy_op)op) == 1) == (arity == 1) && first == (pass == 0)) calls[count++] = (hy_op)op;
    }
  return count;
}

static void make_call(hy_maker *m, hy_op op, const char *type, int depth) {
  hy_text_printf(m->out, "%s(", hy_op_spelling(op));
  hy_make_data(m, type, depth - 1);
  for (int i = 1; i < hy_op_arity(op); i++) {
    hy_make_text(m, ", ");
    hy_make_data(m, type, 0);
  }
  hy_make_text(m, ")");
}

static void make_float_call(hy_maker *m, const char *type, int depth) {
  hy_op calls[HY_OP_COUNT];
  bool two = chance(m, 15);
  int count = list_calls(true, two ? 2 : 1, calls);
  make_call(m, calls[two ? (99 - pick(m, 100)) * count / 100 : pick(m, (size_t)count)], type, depth);
}

// Bits and shifts of integers, functions of floats, calls of either.
static void make_special(hy_maker *m, const char *type, int depth) {
  static const char *const infix[] = {"&", "|", "^", "<<", ">>"};
  enum { COMPLEMENT = HY_COUNT(infix), CALL };
  if (hy_made_is_float(type)) {
    make_float_call(m, type, depth);
    return;
  }
  hy_op calls[2 * HY_OP_COUNT];
  int count = list_calls(false, 1, calls);
  count += list_calls(false, 2, calls + count);
  int which = pick(m, (size_t)(CALL + count));
  if (which >= CALL) {
    make_call(m, calls[which - CALL], type, depth);
    return;
  }
  hy_make_text(m, which == COMPLEMENT ? "(~" : "(");
  hy_make_data(m, type, depth - 1);
  if (which < 3) {
    hy_text_printf(m->out, " %s ", infix[which]);
    hy_make_data(m, type, 0);
  } else if (which < COMPLEMENT)
    hy_text_printf(m->out, " %s %d", infix[which], number(m, 1, 3));
  hy_make_text(m, ")");
}

// A name for a coordinate or a number, used below it as other variables are.
static void make_let(hy_maker *m, const char *type, int depth) {
  static const char *const names[] = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"};
  if (!m->name_count || m->name_count == HY_MOST_NAMES || m->lets == (int)HY_COUNT(names)) {
    make_sum(m, type, depth);
    return;
  }
  const char *fresh = names[m->lets++];
  hy_make_form(m, HY_FORM_LET);
  hy_text_printf(m->out, "(let %s = ", fresh);
  hy_make_index(m, 0);
  hy_make_text(m, " in ");
  m->names[m->name_count++] = fresh;
  hy_make_data(m, type, depth - 1);
  m->name_count--;
  hy_make_text(m, ")");
}

static void make_bool(hy_maker *m, int depth) {
  switch (pick(m, 6)) {
  case 0: make_leaf(m, "bool", depth); return;
  case 1: make_select(m, "bool", depth); return;
  case 2:
    hy_make_text(m, "!(");
    hy_make_data(m, "bool", depth - 1);
    hy_make_text(m, ")");
    return;
  case 3:
    hy_make_text(m, "(");
    hy_make_data(m, "bool", depth - 1);
    hy_make_text(m, chance(m, 50) ? " != " : " || ");
    hy_make_data(m, "bool", depth - 1);
    hy_make_text(m, ")");
    return;
  default:
    hy_make_text(m, "(");
    hy_make_compare(m, depth - 1);
    hy_make_text(m, ")");
  }
}

// What is stored alone: copied, chosen, converted from what was computed, or made of bits.
static void make_stored(hy_maker *m, const char *type, int depth) {
  static const char *const from[] = {"f32", "f32", "f64", "int", "i64", "u64", "bool", "f16", "bf16"};
  int which = pick(m, 8);
  if (which < 2) {
    make_leaf(m, type, depth);
    return;
  }
  if (which == 2) {
    make_select(m, type, depth);
    return;
  }
  hy_text_printf(m->out, which == 3 ? "%s_from_bits(" : "%s(", type);
  hy_make_data(m, which == 3 ? "u16" : from[pick(m, HY_COUNT(from))], depth - 1);
  hy_make_text(m, ")");
}

void hy_make_data(hy_maker *m, const char *type, int depth) {
  static const int weights[] = {20, 52, 6, 8, 9, 5, 3};
  if (depth <= 0) {
    make_leaf(m, type, 0);
    return;
  }
  if (hy_made_is_bool(type)) {
    make_bool(m, depth);
    return;
  }
  if (hy_made_is_stored(type)) {
    make_stored(m, type, depth);
    return;
  }
  if (m->has_forms && chance(m, 22) && hy_make_form_data(m, type, depth)) return;
  switch (hy_choose_weighted(m->c, weights, HY_COUNT(weights))) {
  case 0: make_leaf(m, type, depth); return;
  case 1: make_sum(m, type, depth); return;
  case 2:
    hy_make_text(m, chance(m, 50) ? "min(" : "max(");
    hy_make_data(m, type, depth - 1);
    hy_make_text(m, ", ");
    hy_make_data(m, type, depth - 1);
    hy_make_more_operands(m);
    hy_make_text(m, ")");
    return;
  case 3: make_select(m, type, depth); return;
  case 4: make_quotient(m, type, depth); return;
  case 5: make_special(m, type, depth); return;
  default: make_let(m, type, depth); return;
  }
}
