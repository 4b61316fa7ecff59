// Random derived operators, and what each means.

#include "fuzz/pairs/generate_internal.h"

#include <string.h>

static int number(hy_maker *m, int64_t least, int64_t most) { return (int)hy_make_number(m, least, most); }
static bool chance(hy_maker *m, int percent) { return hy_make_chance(m, percent); }
static int pick(hy_maker *m, size_t below) { return hy_make_pick(m, (int)below); }

/* -- the ends of types -- */

static const struct {
  const char *type, *least, *greatest;
} type_ends[] = {{"int", "-9223372036854775808", "9223372036854775807"},
                 {"u8", "0", "255"},
                 {"i8", "-128", "127"},
                 {"u16", "0", "65535"},
                 {"i16", "-32768", "32767"},
                 {"u32", "0", "4294967295"},
                 {"i32", "-2147483648", "2147483647"},
                 {"u64", "0", "18446744073709551615"},
                 {"i64", "-9223372036854775808", "9223372036854775807"},
                 {"f32", "-1.0 / 0.0", "1.0 / 0.0"},
                 {"f64", "-1.0 / 0.0", "1.0 / 0.0"}};

static size_t end_row(const char *type) {
  for (size_t i = 0; i < HY_COUNT(type_ends); i++)
    if (strcmp(type_ends[i].type, type) == 0) return i;
  HY_UNREACHABLE();
}

const char *hy_made_least(const char *type) { return type_ends[end_row(type)].least; }
const char *hy_made_greatest(const char *type) { return type_ends[end_row(type)].greatest; }

/* -- meanings -- */

#define SATURATED "select($s < $L, $T($L), select($s > $H, $T($H), $T($s)))"
#define SATURATED_WIDE "select($s < $V($L), $T($L), select($s > $V($H), $T($H), $T($s)))"
#define CONVERTED "let $s = int($a) in select($s < $l, $R($l), select($s > $h, $R($h), $R($s)))"
#define CONVERTED_64 "select($a > $h, $R($h), select($a < 0 && i64($a) < $l, $R($l), $R($a)))"
// In 64 bits, of which those beyond the operand's are 0.
#define PART(bits, open, close)                                                                                        \
  "let $s = " bits " in " open "select($b < 0, ($s << u64(0 - max($b, -70))) & (18446744073709551615 >> u64(64 - "     \
  "$B)), $s >> u64(min($b, 70)))" close
#define EXTRACTED(open, close)                                                                                         \
  {                                                                                                                    \
    PART("u64(int($a) % (1 << $B))", open, close), PART("u64($a)", open, close),                                       \
        PART("u64(f$B_bits($a))", open, close)                                                                         \
  }

// What each means: in Z, which has room for 32 bits, and of 64 bits by cases. $a, $b, $c are the operands, $T their
// type of $B bits from $L to $H, $V that of twice the width, $R that of the result, from $l to $h, $p and $s names.
// Each operand is evaluated, as in the rules, whatever the others are: $a & 0 where nothing is left of it.
static const struct {
  const char *narrow, *of_64, *real; // NULL: the same
} meanings[HY_DERIVED_COUNT] = {
    [HY_DERIVED_ABSD] = {"select($a < $b, $R($b) - $R($a), $R($a) - $R($b))", NULL, NULL},
    [HY_DERIVED_WIDENING_ADD] = {"$R(int($a) + int($b))", NULL, NULL},
    [HY_DERIVED_WIDENING_SUB] = {"$R(int($a) - int($b))", NULL, NULL},
    [HY_DERIVED_WIDENING_MUL] = {"$R($a) * $R($b)", NULL, NULL},
    [HY_DERIVED_SATURATING_ADD] = {"let $s = int($a) + int($b) in " SATURATED,
                                   "select($b > 0 && $a > $T($H) - $b, $T($H), select($b < 0 && $a < $T($L) - $b, "
                                   "$T($L), $a + $b))",
                                   NULL},
    [HY_DERIVED_SATURATING_SUB] = {"let $s = int($a) - int($b) in " SATURATED,
                                   "select($b < 0 && $a > $T($H) + $b, $T($H), select($b > 0 && $a < $T($L) + $b, "
                                   "$T($L), $a - $b))",
                                   NULL},
    [HY_DERIVED_HALVING_ADD] = {"$T((int($a) + int($b)) / 2)", "($a >> 1) + ($b >> 1) + ($a & $b & 1)", NULL},
    [HY_DERIVED_HALVING_SUB] = {"$T((int($a) - int($b)) / 2)",
                                "($a >> 1) - ($b >> 1) - select(($a & 1) < ($b & 1), $T(1), $T(0))", NULL},
    [HY_DERIVED_ROUNDING_HALVING_ADD] = {"$T((int($a) + int($b) + 1) / 2)", "($a >> 1) + ($b >> 1) + (($a | $b) & 1)",
                                         NULL},
    [HY_DERIVED_ROUNDING_SHIFT_LEFT] = {"let $s = int($b) in select($s < -$B, $a & $T(0), select($s < 0, $T((int($a) + "
                                        "(1 << -$s - 1)) / (1 << -$s)), $a "
                                        "<< $b))",
                                        "select($b < 0, ($a << $b) + (($a << ($b + 1)) & 1), $a << $b)", NULL},
    [HY_DERIVED_ROUNDING_SHIFT_RIGHT] = {"let $s = int($b) in select($s > $B, $a & $T(0), select($s > 0, $T((int($a) + "
                                         "(1 << $s - 1)) / (1 << $s)), $a >> "
                                         "$b))",
                                         "select($b > 0, ($a >> $b) + (($a >> ($b - 1)) & 1), $a >> $b)", NULL},
    [HY_DERIVED_MUL_SHIFT_RIGHT] = {"let $s = $V($a) * $V($b) >> $V($c) in " SATURATED_WIDE, NULL, NULL},
    [HY_DERIVED_ROUNDING_MUL_SHIFT_RIGHT] =
        {"let $p = $V($a) * $V($b) in let $s = select($c > 0, ($p >> $V($c)) + (($p >> ($V($c) - 1)) & 1), $p >> "
         "$V($c)) in " SATURATED_WIDE,
         NULL, NULL},
    [HY_DERIVED_U8_SAT] = {CONVERTED, CONVERTED_64, NULL},
    [HY_DERIVED_U16_SAT] = {CONVERTED, CONVERTED_64, NULL},
    [HY_DERIVED_U32_SAT] = {CONVERTED, CONVERTED_64, NULL},
    [HY_DERIVED_U64_SAT] = {"select($a < 0, $R(0), $R($a))", NULL, NULL},
    [HY_DERIVED_I8_SAT] = {CONVERTED, CONVERTED_64, NULL},
    [HY_DERIVED_I16_SAT] = {CONVERTED, CONVERTED_64, NULL},
    [HY_DERIVED_I32_SAT] = {CONVERTED, CONVERTED_64, NULL},
    [HY_DERIVED_I64_SAT] = {"select($a > 0 && $R($a) < 0, $R($h), $R($a))", NULL, NULL}, // it has wrapped
    [HY_DERIVED_WIDENING_SHIFT_LEFT] = {"select($R($b) < 0, $R($a) >> (0 - $R($b)), $R($a) << $R($b))", NULL, NULL},
    [HY_DERIVED_WIDENING_SHIFT_RIGHT] = {"select($R($b) < 0, $R($a) << (0 - $R($b)), $R($a) >> $R($b))", NULL, NULL},
    [HY_DERIVED_DIV_ROUND_TO_ZERO] = {"let $s = abs(int($a)) / abs(int($b)) in $T(select((int($a) < 0) == (int($b) < "
                                      "0), $s, -$s))",
                                      "$a / $b + select($a % $b != 0 && $a < 0, select($b > 0, $T(1), 0 - $T(1)), 0)",
                                      NULL},
    [HY_DERIVED_MOD_ROUND_TO_ZERO] = {"let $s = abs(int($a)) % abs(int($b)) in $T(select(int($a) < 0, -$s, $s))",
                                      "let $s = $a % $b in select($s != 0 && $a < 0, select($b < 0, $s + $b, $s - "
                                      "$b), $s)",
                                      NULL},
    // no product is an operand of a sum here, so that no contract fuses it
    [HY_DERIVED_LERP] = {"let $s = $V($a) * ($V($H) - $V($c)) + $V($b) * $V($c) in $T($s / $V($H) + select($s % $V($H) "
                         "> $V($H) / 2, $V(1), $V(0)))",
                         NULL, "-(-($a * (1.0 - $c))) + -(-($b * $c))"},
    [HY_DERIVED_IS_NAN] = {"!($a <= 0.0 || $a >= 0.0)", NULL, NULL},
    [HY_DERIVED_IS_INF] = {"$a == 1.0 / 0.0 || $a == -1.0 / 0.0", NULL, NULL},
    [HY_DERIVED_IS_FINITE] = {"$a - $a == 0.0", NULL, NULL},
    [HY_DERIVED_FRACT] = {"$a - select($a < 0.0, ceil($a), floor($a))", NULL, NULL},
    [HY_DERIVED_HYPOT] = {"sqrt(abs($b * $b) + abs($a * $a))", NULL, NULL},
    [HY_DERIVED_FAST_INVERSE] = {"-(-1.0 / $a)", NULL, NULL},
    [HY_DERIVED_FAST_INVERSE_SQRT] = {"-(-1.0 / sqrt($a))", NULL, NULL},
    [HY_DERIVED_FAST_EXP] = {"fast_exp(max(min($a, 88.0), -87.0))", NULL, NULL},
    [HY_DERIVED_FAST_LOG] = {"fast_log(f32_from_bits(f32_bits($a)))", NULL, NULL},
    [HY_DERIVED_FAST_POW] = {"select($a == 0.0 && $b != 0.0, 0.0, fast_pow(-(-$a), -(-$b)))", NULL, NULL},
    [HY_DERIVED_FAST_SIN] = {"select($a < 0.0 && $a > -1000.0, -fast_sin(-$a), fast_sin($a))", NULL, NULL},
    [HY_DERIVED_FAST_COS] = {"select($a > -1000.0, fast_cos(select($a < 0.0, -$a, $a)), fast_cos($a))", NULL, NULL},
    [HY_DERIVED_REINTERPRET_U8] = {"$R(int($a) % 256)", NULL, NULL},
    [HY_DERIVED_REINTERPRET_U16] = {"$R(int($a) % 65536)", NULL, NULL},
    [HY_DERIVED_REINTERPRET_U32] = {"$R(int($a) % 4294967296)", NULL, "f32_bits($a)"},
    [HY_DERIVED_REINTERPRET_U64] = {"$R($a)", NULL, "f64_bits($a)"},
    [HY_DERIVED_REINTERPRET_I8] = {"$R((int($a) + 128) % 256 - 128)", NULL, NULL},
    [HY_DERIVED_REINTERPRET_I16] = {"$R((int($a) + 32768) % 65536 - 32768)", NULL, NULL},
    [HY_DERIVED_REINTERPRET_I32] = {"$R(u32($a))", NULL, "$R(f32_bits($a))"},
    [HY_DERIVED_REINTERPRET_I64] = {"$R($a)", NULL, "$R(f64_bits($a))"},
    [HY_DERIVED_REINTERPRET_F32] = {"f32_from_bits(u32($a))", NULL, "f32_from_bits(f32_bits($a))"},
    [HY_DERIVED_REINTERPRET_F64] = {"f64_from_bits(u64($a))", NULL, "f64_from_bits(f64_bits($a))"},
    [HY_DERIVED_REINTERPRET_F16] = {"f16_from_bits(u16($a))", NULL, NULL},
    [HY_DERIVED_REINTERPRET_BF16] = {"bf16_from_bits(u16($a))", NULL, NULL},
    [HY_DERIVED_WIDEN_RIGHT_ADD] = {"$R($b) + $a", NULL, NULL},
    [HY_DERIVED_WIDEN_RIGHT_SUB] = {"$R(0) - ($R($b) - $a)", NULL, NULL},
    [HY_DERIVED_WIDEN_RIGHT_MUL] = {"$R($b) * $a", NULL, NULL},
    [HY_DERIVED_CONCAT_BITS] = {"$R($b) * (1 + $R($H)) + $R($a)", NULL, NULL},
    [HY_DERIVED_EXTRACT_BITS_U8] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_U16] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_U32] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_U64] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_I8] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_I16] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_I32] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_I64] = EXTRACTED("$R(", ")"),
    [HY_DERIVED_EXTRACT_BITS_F32] = EXTRACTED("f32_from_bits(u32(", "))"),
    [HY_DERIVED_EXTRACT_BITS_F64] = EXTRACTED("f64_from_bits(u64(", "))"),
    [HY_DERIVED_EXTRACT_BITS_F16] = EXTRACTED("f16_from_bits(u16(", "))"),
    [HY_DERIVED_EXTRACT_BITS_BF16] = EXTRACTED("bf16_from_bits(u16(", "))"),
};

static hy_type type_called(const char *name) {
  hy_type type;
  HY_ASSERT(hy_type_find(name, strlen(name), &type));
  return type;
}

// One piece of a meaning: what stands behind the '$'.
static void write_piece(hy_maker *m, char piece, const char *type, const char *result, int first) {
  int bits = hy_type_bits(type_called(type));
  switch (piece) {
  case 'a':
  case 'b':
  case 'c':
  case 'p':
  case 's': hy_text_printf(m->out, "q%d%c", first, piece); return;
  case 'T': hy_make_text(m, type); return;
  case 'R': hy_make_text(m, result); return;
  case 'V': hy_text_printf(m->out, "%c%d", *type, 2 * bits); return;
  case 'B': hy_text_printf(m->out, "%d", bits); return;
  case 'L': hy_make_text(m, hy_made_least(type)); return;
  case 'l': hy_make_text(m, hy_made_least(result)); return;
  case 'h': hy_make_text(m, hy_made_greatest(result)); return;
  default: hy_make_text(m, hy_made_greatest(type));
  }
}

static void write_meaning(hy_maker *m, hy_derived derived, const char *type, const char *result,
                          const hy_text *operands) {
  bool is_64 = hy_type_bits(type_called(type)) == 64;
  const char *at = is_64 && meanings[derived].of_64 ? meanings[derived].of_64 : meanings[derived].narrow;
  if (hy_made_is_float(type) && meanings[derived].real) at = meanings[derived].real;
  int first = m->numbers++;
  hy_make_text(m, "(");
  for (int i = 0; i < hy_derived_arity(derived); i++)
    hy_text_printf(m->out, "let q%d%c = %s in ", first, "abc"[i], hy_text_string(&operands[i]));
  for (; *at; at++)
    if (*at == '$')
      write_piece(m, *++at, type, result, first);
    else
      hy_text_add_bytes(m->out, at, 1);
  hy_make_text(m, ")");
}

// What is copied a thousand times has to be short: expressions have a limit, and a form may be long.
static void make_short(hy_maker *m, const char *type) {
  if (m->name_count)
    hy_text_printf(m->out, "%s(%d*%s) / 8", type, number(m, -90, 90), m->names[pick(m, (size_t)m->name_count)]);
  else
    hy_text_printf(m->out, "%s(%d) / 8", type, number(m, -90, 90));
}

static void make_operand(hy_maker *m, hy_derived derived, int position, const char *type, int depth, hy_text *operand) {
  bool shifts = position + 1 == hy_derived_arity(derived) && derived >= HY_DERIVED_ROUNDING_SHIFT_LEFT &&
                derived <= HY_DERIVED_ROUNDING_MUL_SHIFT_RIGHT;
  shifts |= position == 1 && hy_derived_operands_of(derived) == HY_OPERANDS_PATTERN;
  bool copies_much = hy_derived_operands_of(derived) == HY_OPERANDS_SINGLE;
  hy_text *out = hy_make_aside(m, operand);
  if (shifts && chance(m, 70))
    hy_text_printf(m->out, "%s(%d)", type,
                   number(m, hy_made_is_unsigned(type) ? 0 : -3, hy_type_bits(type_called(type)) + 1));
  else if (chance(m, 20))
    hy_make_edge(m, type);
  else if (copies_much)
    make_short(m, type);
  else
    hy_make_data(m, type, position ? 0 : depth - 1);
  m->out = out;
}

// One in four of those that came later. What is written so far says which: with a choice of their own, all pairs of seeds
// that are known by now would be others.
static hy_derived choose(hy_maker *m) {
  enum { EVERY = 4, LATER = HY_DERIVED_WIDEN_RIGHT_ADD };
  hy_derived derived = (hy_derived)pick(m, LATER);
  uint64_t hash = hy_hash_bytes(4 + (uint64_t)m->numbers, m->out->data, m->out->length);
  return hash % EVERY ? derived : (hy_derived)(LATER + hash / EVERY % (HY_DERIVED_COUNT - LATER));
}

bool hy_make_derived(hy_maker *m, const char *type, int depth) {
  static const char *const types[] = {"u8", "u16", "i32", "i16", "u32", "i64", "u64", "i8", "int", "f32", "f64"};
  if (hy_made_is_bool(type)) return false;
  hy_derived derived = choose(m);
  size_t k = (size_t)pick(m, HY_COUNT(types));
  while (!hy_derived_takes(derived, type_called(types[k]))) k = (k + 1) % HY_COUNT(types);
  const char *of = types[k];
  const char *result = hy_type_name(hy_derived_type(derived, type_called(of)));
  hy_text operands[3];
  for (int i = 0; i < hy_derived_arity(derived); i++) {
    hy_type operand = hy_derived_operand_type(derived, type_called(of), i);
    make_operand(m, derived, i, hy_type_name(operand), depth, &operands[i]);
  }
  hy_forms_mark(m->forms, HY_FORM_DERIVED + (int)derived);
  hy_text_printf(m->out, "%s(", type);
  hy_either_begin(m->out);
  hy_text_printf(m->out, "%s(", hy_derived_name(derived));
  for (int i = 0; i < hy_derived_arity(derived); i++)
    hy_text_printf(m->out, "%s%s", i ? ", " : "", hy_text_string(&operands[i]));
  hy_make_text(m, ")");
  hy_either_turn(m->out);
  write_meaning(m, derived, of, result, operands);
  hy_either_end(m->out);
  hy_make_text(m, ")");
  for (int i = 0; i < hy_derived_arity(derived); i++) hy_text_free(&operands[i]);
  return true;
}
