// hy_value_apply, the definition of arithmetic: rows written by hand, and every integer operator on all pairs of edge
// values against exact arithmetic in 128 bits. Decisions D1 to D7.

#include "proofs_tests/suites.h"
#include "semantics/expr/expr.h"
#include "semantics/value/monotone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hy_value parse_value(hy_type type, const char *text) {
  for (hy_error error = HY_ERROR_ARITH; error <= HY_ERROR_MEM; error++)
    if (strcmp(text, hy_error_name(error)) == 0) return hy_value_error(type, error);
  switch (hy_type_class_of(type)) {
  case HY_CLASS_BOOL: return hy_value_bool(strcmp(text, "true") == 0);
  case HY_CLASS_FLOAT: return hy_value_from_double(type, strtod(text, NULL));
  case HY_CLASS_UNSIGNED: return hy_value_integral(type, (int64_t)strtoull(text, NULL, 10));
  case HY_CLASS_INTEGER:
  case HY_CLASS_SIGNED: return hy_value_integral(type, strtoll(text, NULL, 10));
  }
  HY_UNREACHABLE();
}

typedef struct {
  hy_op op;
  hy_type type; // of the arguments
  const char *args[3];
  const char *expected; // as hy_value_print prints it
} row;

// Prints like an error message: "DIV i8 (-128, -1)".
static const char *describe(hy_op op, hy_type type, const hy_value *args, int count) {
  static char line[256];
  hy_text text = {0};
  hy_text_printf(&text, "%s %s (", hy_op_name(op), hy_type_name(type));
  for (int i = 0; i < count; i++) {
    if (i) hy_text_add(&text, ", ");
    hy_value_print(args[i], &text);
  }
  hy_text_add(&text, ")");
  strncpy(line, hy_text_string(&text), sizeof line - 1);
  hy_text_free(&text);
  return line;
}

static void check_row(const row *r, hy_type result) {
  hy_value args[3];
  int arity = hy_op_arity(r->op);
  for (int i = 0; i < arity; i++) {
    bool condition = (r->op == HY_OP_SELECT && i == 0);
    args[i] = parse_value(condition ? HY_BOOL : r->type, r->args[i]);
  }
  hy_text text = {0};
  hy_value_print(hy_value_apply(r->op, result, args), &text);
  ck_assert_msg(strcmp(hy_text_string(&text), r->expected) == 0, "%s = %s, expected %s",
                describe(r->op, r->type, args, arity), hy_text_string(&text), r->expected);
  hy_text_free(&text);
}

static void check_rows(const row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    hy_typing typing = hy_op_typing(rows[i].op);
    bool to_bool = typing == HY_TYPING_COMPARE || typing == HY_TYPING_EQUAL || typing == HY_TYPING_LOGIC;
    hy_type result = to_bool ? HY_BOOL : rows[i].type;
    if (typing == HY_TYPING_REINTERPRET) hy_op_reinterpreted(rows[i].op, &result);
    check_row(&rows[i], result);
  }
}

#define LEAST "-9223372036854775808"
#define GREATEST "9223372036854775807"
#define GREATEST_U64 "18446744073709551615"

// D1: int is Z as far as 64 bits reach; D2: Euclidean; D5: by zero is an error. (VAL.Int, VAL.Div, VAL.Bits, VAL.Shift)
static const row int_rows[] = {
    {HY_OP_ADD, HY_INT, {"2", "3"}, "5"},
    {HY_OP_ADD, HY_INT, {GREATEST, "1"}, "eps_arith"},
    {HY_OP_ADD, HY_INT, {GREATEST, "0"}, GREATEST},
    {HY_OP_ADD, HY_INT, {LEAST, "-1"}, "eps_arith"},
    {HY_OP_SUB, HY_INT, {LEAST, "1"}, "eps_arith"},
    {HY_OP_SUB, HY_INT, {"0", LEAST}, "eps_arith"},
    {HY_OP_SUB, HY_INT, {"-1", LEAST}, GREATEST},
    {HY_OP_MUL, HY_INT, {"3037000500", "3037000500"}, "eps_arith"},
    {HY_OP_MUL, HY_INT, {"3037000499", "3037000499"}, "9223372030926249001"},
    {HY_OP_MUL, HY_INT, {LEAST, "-1"}, "eps_arith"},
    {HY_OP_DIV, HY_INT, {"7", "2"}, "3"},
    {HY_OP_DIV, HY_INT, {"-7", "2"}, "-4"},
    {HY_OP_DIV, HY_INT, {"7", "-2"}, "-3"},
    {HY_OP_DIV, HY_INT, {"-7", "-2"}, "4"},
    {HY_OP_DIV, HY_INT, {"7", "0"}, "eps_arith"},
    {HY_OP_DIV, HY_INT, {LEAST, "-1"}, "eps_arith"},
    {HY_OP_DIV, HY_INT, {LEAST, LEAST}, "1"},
    {HY_OP_DIV, HY_INT, {"-5", LEAST}, "1"},
    {HY_OP_MOD, HY_INT, {"7", "2"}, "1"},
    {HY_OP_MOD, HY_INT, {"-7", "2"}, "1"},
    {HY_OP_MOD, HY_INT, {"7", "-2"}, "1"},
    {HY_OP_MOD, HY_INT, {"-7", "-2"}, "1"},
    {HY_OP_MOD, HY_INT, {"-5", LEAST}, "9223372036854775803"},
    {HY_OP_MOD, HY_INT, {LEAST, "-1"}, "0"},
    {HY_OP_MOD, HY_INT, {"5", "0"}, "eps_arith"},
    {HY_OP_NEG, HY_INT, {"5"}, "-5"},
    {HY_OP_NEG, HY_INT, {LEAST}, "eps_arith"},
    {HY_OP_ABS, HY_INT, {"-5"}, "5"},
    {HY_OP_ABS, HY_INT, {LEAST}, "eps_arith"},
    {HY_OP_SHL, HY_INT, {"3", "4"}, "48"},
    {HY_OP_SHL, HY_INT, {"-3", "4"}, "-48"},
    {HY_OP_SHL, HY_INT, {"1", "62"}, "4611686018427387904"},
    {HY_OP_SHL, HY_INT, {"1", "63"}, "eps_arith"},
    {HY_OP_SHL, HY_INT, {"-1", "63"}, LEAST},
    {HY_OP_SHL, HY_INT, {"0", "100"}, "0"},
    {HY_OP_SHL, HY_INT, {"1", "100"}, "eps_arith"},
    {HY_OP_SHL, HY_INT, {"48", "-4"}, "3"},
    {HY_OP_SHR, HY_INT, {"-7", "1"}, "-4"},
    {HY_OP_SHR, HY_INT, {"-7", "64"}, "-1"},
    {HY_OP_SHR, HY_INT, {"7", GREATEST}, "0"},
    {HY_OP_SHR, HY_INT, {"-7", LEAST}, "eps_arith"}, // a left shift by 2^63
    {HY_OP_BIT_AND, HY_INT, {"-2", "7"}, "6"},
    {HY_OP_BIT_OR, HY_INT, {"-8", "1"}, "-7"},
    {HY_OP_BIT_XOR, HY_INT, {"-1", "5"}, "-6"},
    {HY_OP_BIT_NOT, HY_INT, {"5"}, "-6"},
    {HY_OP_POPCOUNT, HY_INT, {"0"}, "0"}, // VAL.Count: an int has 64 bits
    {HY_OP_POPCOUNT, HY_INT, {"-1"}, "64"},
    {HY_OP_POPCOUNT, HY_INT, {"255"}, "8"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_INT, {"0"}, "64"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_INT, {"1"}, "63"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_INT, {LEAST}, "0"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_INT, {"0"}, "64"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_INT, {LEAST}, "63"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_INT, {"-40"}, "3"},
};

// VAL.Wrap, VAL.Compare
static const row wrap_rows[] = {
    {HY_OP_ADD, HY_U8, {"200", "100"}, "44"},
    {HY_OP_SUB, HY_U16, {"0", "1"}, "65535"},
    {HY_OP_MUL, HY_U32, {"4294967295", "4294967295"}, "1"},
    {HY_OP_MUL, HY_U64, {GREATEST_U64, "2"}, "18446744073709551614"},
    {HY_OP_ADD, HY_I8, {"127", "1"}, "-128"},
    {HY_OP_MUL, HY_I16, {"-32768", "-1"}, "-32768"},
    {HY_OP_SUB, HY_I32, {"-2147483648", "1"}, "2147483647"},
    {HY_OP_ADD, HY_I64, {GREATEST, "1"}, LEAST},
    {HY_OP_MUL, HY_I64, {LEAST, "-1"}, LEAST},
    {HY_OP_DIV, HY_I8, {"-128", "-1"}, "-128"},
    {HY_OP_MOD, HY_I8, {"-128", "-1"}, "0"},
    {HY_OP_DIV, HY_I64, {LEAST, "-1"}, LEAST},
    {HY_OP_DIV, HY_I8, {"-7", "2"}, "-4"},
    {HY_OP_DIV, HY_U8, {"7", "0"}, "eps_arith"},
    {HY_OP_MOD, HY_U8, {"7", "0"}, "eps_arith"},
    {HY_OP_DIV, HY_I16, {"7", "0"}, "eps_arith"},
    {HY_OP_MOD, HY_I16, {"7", "0"}, "eps_arith"},
    {HY_OP_DIV, HY_U64, {GREATEST_U64, "10"}, "1844674407370955161"},
    {HY_OP_MOD, HY_U64, {GREATEST_U64, "10"}, "5"},
    {HY_OP_NEG, HY_U8, {"1"}, "255"},
    {HY_OP_NEG, HY_I8, {"-128"}, "-128"},
    {HY_OP_ABS, HY_I8, {"-128"}, "-128"},
    {HY_OP_ABS, HY_I32, {"-7"}, "7"},
    {HY_OP_ABS, HY_U8, {"200"}, "200"},
    {HY_OP_BIT_NOT, HY_U8, {"5"}, "250"},
    {HY_OP_BIT_NOT, HY_I8, {"5"}, "-6"},
    {HY_OP_POPCOUNT, HY_I8, {"-1"}, "8"}, // VAL.Count: of the type's width, whatever holds the value
    {HY_OP_POPCOUNT, HY_I32, {"-2147483648"}, "1"},
    {HY_OP_POPCOUNT, HY_U64, {GREATEST_U64}, "64"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_I8, {"1"}, "7"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_I8, {"-128"}, "0"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_U8, {"0"}, "8"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_I16, {"0"}, "16"},
    {HY_OP_COUNT_LEADING_ZEROS, HY_U32, {"65536"}, "15"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_I8, {"-128"}, "7"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_U16, {"0"}, "16"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_I32, {"-2147483648"}, "31"},
    {HY_OP_COUNT_TRAILING_ZEROS, HY_U64, {"9223372036854775808"}, "63"},
    {HY_OP_LT, HY_U64, {GREATEST_U64, "1"}, "false"},
    {HY_OP_LT, HY_I64, {"-1", "1"}, "true"},
    {HY_OP_GE, HY_U8, {"200", "100"}, "true"},
    {HY_OP_MIN, HY_U8, {"200", "100"}, "100"},
    {HY_OP_MIN, HY_I8, {"-1", "100"}, "-1"},
    {HY_OP_MAX, HY_U64, {GREATEST_U64, "1"}, GREATEST_U64},
    {HY_OP_SHL, HY_U8, {"129", "1"}, "2"},
    {HY_OP_SHL, HY_U8, {"1", "8"}, "0"},
    {HY_OP_SHL, HY_U8, {"1", "255"}, "0"},
    {HY_OP_SHR, HY_U8, {"255", "8"}, "0"},
    {HY_OP_SHR, HY_U64, {GREATEST_U64, "63"}, "1"},
    {HY_OP_SHR, HY_U64, {GREATEST_U64, "64"}, "0"},
    {HY_OP_SHL, HY_I8, {"1", "7"}, "-128"},
    {HY_OP_SHL, HY_I8, {"1", "8"}, "0"},
    {HY_OP_SHL, HY_I8, {"-128", "-1"}, "-64"},
    {HY_OP_SHL, HY_I8, {"-128", "-128"}, "-1"},
    {HY_OP_SHR, HY_I8, {"-128", "7"}, "-1"},
    {HY_OP_SHR, HY_I8, {"-128", "100"}, "-1"},
    {HY_OP_SHR, HY_I8, {"100", "100"}, "0"},
    {HY_OP_SHR, HY_I8, {"3", "-2"}, "12"},
    {HY_OP_SHR, HY_I64, {"1", "-63"}, LEAST},
    {HY_OP_SHR, HY_I64, {"1", "-64"}, "0"},
};

#define F32_THIRD "0.33333334"
// VAL.Float, VAL.Min-Max, VAL.Math
static const row float_rows[] = {
    {HY_OP_F32_BITS, HY_F32, {"1"}, "1065353216"}, // VAL.Reinterpret
    {HY_OP_F32_BITS, HY_F32, {"-0.0"}, "2147483648"},
    {HY_OP_F32_BITS, HY_F32, {"-inf"}, "4286578688"},
    {HY_OP_F32_BITS, HY_F32, {"nan"}, "2143289344"},
    {HY_OP_F32_BITS, HY_F32, {"1e-45"}, "1"},
    {HY_OP_F64_BITS, HY_F64, {"-2"}, "13835058055282163712"},
    {HY_OP_F64_BITS, HY_F64, {"nan"}, "9221120237041090560"},
    {HY_OP_F32_FROM_BITS, HY_U32, {"0"}, "0.0"},
    {HY_OP_F32_FROM_BITS, HY_U32, {"2147483648"}, "-0.0"},
    {HY_OP_F32_FROM_BITS, HY_U32, {"1078530011"}, "3.1415927"},
    {HY_OP_F32_FROM_BITS, HY_U32, {"2139095040"}, "(1.0 / 0.0)"},
    {HY_OP_F32_FROM_BITS, HY_U32, {"4294967295"}, "(0.0 / 0.0)"},
    {HY_OP_F64_FROM_BITS, HY_U64, {"4614253070214989087"}, "3.14"},
    {HY_OP_F64_FROM_BITS, HY_U64, {"18442240474082181121"}, "(0.0 / 0.0)"},
    {HY_OP_F16_BITS, HY_F16, {"-2.5"}, "49408"},
    {HY_OP_F16_BITS, HY_F16, {"nan"}, "32256"},
    {HY_OP_F16_FROM_BITS, HY_U16, {"64512"}, "f16(-1.0 / 0.0)"},
    {HY_OP_BF16_BITS, HY_BF16, {"1e-40"}, "1"},
    {HY_OP_BF16_FROM_BITS, HY_U16, {"16256"}, "1.0"},
    {HY_OP_BF16_FROM_BITS, HY_U16, {"65535"}, "bf16(0.0 / 0.0)"},
    {HY_OP_ADD, HY_F32, {"16777216", "1"}, "16777216.0"}, // rounds to f32 at once
    {HY_OP_ADD, HY_F64, {"16777216", "1"}, "16777217.0"},
    {HY_OP_ADD, HY_F32, {"1e-40", "0"}, "1.0e-40"}, // and keeps what is subnormal
    {HY_OP_DIV, HY_F32, {"1", "3"}, F32_THIRD},
    {HY_OP_DIV, HY_F64, {"1", "3"}, "0.3333333333333333"},
    {HY_OP_DIV, HY_F32, {"1", "0"}, "(1.0 / 0.0)"},
    {HY_OP_DIV, HY_F64, {"-1", "0"}, "(-1.0 / 0.0)"},
    {HY_OP_DIV, HY_F64, {"0", "0"}, "(0.0 / 0.0)"},
    {HY_OP_MUL, HY_F32, {"3e38", "10"}, "(1.0 / 0.0)"},
    {HY_OP_MUL, HY_F32, {"1e-30", "1e-30"}, "0.0"},
    {HY_OP_SUB, HY_F64, {"inf", "inf"}, "(0.0 / 0.0)"},
    {HY_OP_NEG, HY_F32, {"0"}, "-0.0"},
    {HY_OP_ABS, HY_F32, {"-0.0"}, "0.0"},
    {HY_OP_ABS, HY_F64, {"-inf"}, "(1.0 / 0.0)"},
    {HY_OP_EQ, HY_F32, {"nan", "nan"}, "false"},
    {HY_OP_NE, HY_F32, {"nan", "nan"}, "true"},
    {HY_OP_EQ, HY_F64, {"0.0", "-0.0"}, "true"},
    {HY_OP_LT, HY_F64, {"nan", "1"}, "false"},
    {HY_OP_GE, HY_F64, {"nan", "1"}, "false"},
    {HY_OP_LT, HY_F32, {"-inf", "inf"}, "true"},
    {HY_OP_MIN, HY_F32, {"nan", "1"}, "1.0"}, // select(a < b, a, b)
    {HY_OP_MIN, HY_F32, {"1", "nan"}, "(0.0 / 0.0)"},
    {HY_OP_MAX, HY_F64, {"nan", "1"}, "1.0"},
    {HY_OP_MAX, HY_F64, {"1", "nan"}, "(0.0 / 0.0)"},
    {HY_OP_MIN, HY_F64, {"0.0", "-0.0"}, "-0.0"},
    {HY_OP_MIN, HY_F64, {"-0.0", "0.0"}, "0.0"},
    {HY_OP_MAX, HY_F32, {"0.0", "-0.0"}, "-0.0"},
    {HY_OP_SQRT, HY_F32, {"2"}, "1.4142135"},
    {HY_OP_SQRT, HY_F64, {"2"}, "1.4142135623730951"},
    {HY_OP_SQRT, HY_F64, {"-1"}, "(0.0 / 0.0)"},
    {HY_OP_SQRT, HY_F64, {"-0.0"}, "-0.0"},
    {HY_OP_FLOOR, HY_F32, {"-0.5"}, "-1.0"},
    {HY_OP_CEIL, HY_F32, {"-0.5"}, "-0.0"},
    {HY_OP_ROUND, HY_F64, {"2.5"}, "2.0"},
    {HY_OP_ROUND, HY_F64, {"3.5"}, "4.0"},
    {HY_OP_ROUND, HY_F32, {"-0.5"}, "-0.0"},
    {HY_OP_TRUNC, HY_F64, {"-2.9"}, "-2.0"},
    {HY_OP_TRUNC, HY_F32, {"1e30"}, "1.0e30"},
    {HY_OP_SIN, HY_F32, {"0"}, "0.0"},
    {HY_OP_COS, HY_F64, {"0"}, "1.0"},
    {HY_OP_TAN, HY_F64, {"-0.0"}, "-0.0"},
    {HY_OP_EXP, HY_F32, {"1"}, "2.7182817"},
    {HY_OP_EXP, HY_F64, {"1000"}, "(1.0 / 0.0)"},
    {HY_OP_LOG, HY_F64, {"-1"}, "(0.0 / 0.0)"},
    {HY_OP_LOG, HY_F32, {"0"}, "(-1.0 / 0.0)"},
    {HY_OP_POW, HY_F32, {"2", "10"}, "1024.0"},
    {HY_OP_POW, HY_F64, {"-8", "0.5"}, "(0.0 / 0.0)"},
    {HY_OP_ATAN, HY_F64, {"inf"}, "1.5707963267948966"},
    {HY_OP_ATAN2, HY_F32, {"0", "-1"}, "3.1415927"},
    {HY_OP_TANH, HY_F64, {"-100"}, "-1.0"},
    // (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104, and 0 where the product is rounded; likewise (1 + 2^-23)^2 of f32
    {HY_OP_FMA, HY_F64, {"1.0000000000000002", "1.0000000000000002", "-1.0000000000000004"}, "4.930380657631324e-32"},
    {HY_OP_FMA, HY_F32, {"1.0000001", "1.0000001", "-1.0000002"}, "1.4210855e-14"},
    {HY_OP_FMA, HY_F32, {"16777216", "1", "1.0000001"}, "16777218.0"}, // by way of f64 it would be rounded twice
    {HY_OP_FMA, HY_F64, {"0.0", "inf", "1"}, "(0.0 / 0.0)"},
    {HY_OP_FMA, HY_F64, {"-0.0", "1", "-0.0"}, "-0.0"},
};

// VAL.Logic, VAL.Select, VAL.Join
static const row logic_rows[] = {
    {HY_OP_AND, HY_BOOL, {"true", "true"}, "true"},
    {HY_OP_AND, HY_BOOL, {"true", "false"}, "false"},
    {HY_OP_OR, HY_BOOL, {"false", "true"}, "true"},
    {HY_OP_OR, HY_BOOL, {"true", "true"}, "true"},
    {HY_OP_OR, HY_BOOL, {"false", "false"}, "false"},
    {HY_OP_NOT, HY_BOOL, {"true"}, "false"},
    {HY_OP_EQ, HY_BOOL, {"true", "true"}, "true"},
    {HY_OP_NE, HY_BOOL, {"true", "true"}, "false"},
    {HY_OP_SELECT, HY_I8, {"true", "-3", "4"}, "-3"},
    {HY_OP_SELECT, HY_F32, {"false", "-3", "4"}, "4.0"},
    {HY_OP_SELECT, HY_BOOL, {"false", "true", "false"}, "false"},
    // D3, D4: the strict operator joins every argument's error, selected or not
    {HY_OP_SELECT, HY_INT, {"true", "1", "eps_mem"}, "eps_mem"},
    {HY_OP_SELECT, HY_INT, {"eps_rdom", "1", "eps_arith"}, "eps_rdom"},
    {HY_OP_AND, HY_BOOL, {"false", "eps_arith"}, "eps_arith"},
    {HY_OP_OR, HY_BOOL, {"true", "eps_arith"}, "eps_arith"},
    {HY_OP_ADD, HY_U8, {"eps_arith", "eps_mem"}, "eps_mem"},
    {HY_OP_ADD, HY_U8, {"eps_mem", "eps_arith"}, "eps_mem"},
    {HY_OP_ADD, HY_U8, {"eps_arith", "eps_rdom"}, "eps_rdom"},
    {HY_OP_DIV, HY_U8, {"eps_rdom", "0"}, "eps_rdom"},
    {HY_OP_EQ, HY_INT, {"eps_arith", "1"}, "eps_arith"},
    {HY_OP_SIN, HY_F32, {"eps_mem"}, "eps_mem"},
};

START_TEST(hand_written_rows) {
  check_rows(int_rows, HY_COUNT(int_rows));
  check_rows(wrap_rows, HY_COUNT(wrap_rows));
  check_rows(float_rows, HY_COUNT(float_rows));
  check_rows(logic_rows, HY_COUNT(logic_rows));
}
END_TEST

static const struct {
  hy_type from, to;
  const char *value, *expected;
} casts[] = {
    {HY_INT, HY_U8, "300", "44"},
    {HY_INT, HY_U8, "-1", "255"},
    {HY_INT, HY_I8, "200", "-56"},
    {HY_I8, HY_U64, "-1", GREATEST_U64},
    {HY_U8, HY_I8, "255", "-1"},
    {HY_U8, HY_INT, "255", "255"},
    {HY_I8, HY_INT, "-128", "-128"},
    {HY_U64, HY_INT, GREATEST_U64, "eps_arith"}, // D1
    {HY_U64, HY_INT, GREATEST, GREATEST},
    {HY_U64, HY_I64, GREATEST_U64, "-1"},
    {HY_INT, HY_BOOL, "-7", "true"},
    {HY_INT, HY_BOOL, "256", "true"},
    {HY_U8, HY_BOOL, "0", "false"},
    {HY_F32, HY_BOOL, "0.25", "true"},
    {HY_F32, HY_BOOL, "-0.0", "false"},
    {HY_F64, HY_BOOL, "nan", "true"},
    {HY_BOOL, HY_U8, "true", "1"},
    {HY_BOOL, HY_F32, "true", "1.0"},
    {HY_BOOL, HY_INT, "false", "0"},
    {HY_F32, HY_F16, "65520", "inf"}, // half-way to the next one, that there is not
    {HY_F32, HY_F16, "65519", "65504.0"},
    {HY_F32, HY_F16, "1e-7", "1.2e-7"},              // subnormal
    {HY_F64, HY_F16, "1.00048828125000001", "1.0"},  // the double is the middle
    {HY_F64, HY_F16, "1.0004882812500003", "1.001"}, // f32 has only the middle
    {HY_F64, HY_BF16, "1.00390625000000022", "1.008"},
    {HY_I64, HY_BF16, "1157425104234217473", "1.16e18"}, // f64 has only the middle
    {HY_INT, HY_F16, "2051", "2052.0"},
    {HY_F16, HY_BF16, "0.1", "0.1"},
    {HY_BF16, HY_F16, "1e10", "inf"},
    {HY_F16, HY_INT, "-2.5", "-2"},
    {HY_F16, HY_U8, "nan", "0"},
    {HY_F16, HY_BOOL, "-0.0", "false"},
    {HY_F32, HY_U8, "3.99", "3"},
    {HY_F32, HY_U8, "-3.5", "0"},
    {HY_F32, HY_U8, "-0.5", "0"},
    {HY_F32, HY_U8, "255.9", "255"},
    {HY_F32, HY_U8, "256", "255"},
    {HY_F32, HY_U8, "1e30", "255"},
    {HY_F32, HY_U8, "nan", "0"},
    {HY_F32, HY_I8, "-3.99", "-3"},
    {HY_F32, HY_I8, "-128.9", "-128"},
    {HY_F32, HY_I8, "-500", "-128"},
    {HY_F32, HY_I8, "127.9", "127"},
    {HY_F64, HY_I32, "2147483647.5", "2147483647"},
    {HY_F64, HY_I32, "inf", "2147483647"},
    {HY_F64, HY_INT, "1e300", GREATEST},
    {HY_F64, HY_INT, "-inf", LEAST},
    {HY_F64, HY_INT, "nan", "0"},
    {HY_F64, HY_INT, "-2.5", "-2"},
    {HY_F64, HY_I64, "9223372036854775808", GREATEST},
    {HY_F64, HY_U64, "18446744073709551616", GREATEST_U64},
    {HY_F64, HY_U64, "9223372036854775808", "9223372036854775808"},
    {HY_INT, HY_F32, "16777217", "16777216.0"}, // to nearest, ties to even
    {HY_INT, HY_F32, "16777219", "16777220.0"},
    {HY_U64, HY_F64, GREATEST_U64, "18446744073709552000.0"},
    {HY_I64, HY_F64, LEAST, "-9223372036854775808.0"},
    {HY_F64, HY_F32, "1e300", "(1.0 / 0.0)"},
    {HY_F64, HY_F32, "0.1", "0.1"},
    {HY_F32, HY_F64, "0.1", "0.10000000149011612"},
    {HY_F32, HY_F32, "0.5", "0.5"},
    {HY_U8, HY_F32, "eps_rdom", "eps_rdom"},
};

// VAL.Cast
START_TEST(conversions) {
  for (size_t i = 0; i < HY_COUNT(casts); i++) {
    hy_value from = parse_value(casts[i].from, casts[i].value);
    hy_value to = hy_value_apply(HY_OP_CAST, casts[i].to, &from);
    hy_value expected = parse_value(casts[i].to, casts[i].expected);
    if (strcmp(casts[i].expected, "(1.0 / 0.0)") == 0) expected = hy_value_from_double(casts[i].to, INFINITY);
    hy_text text = {0};
    hy_value_print(to, &text);
    ck_assert_msg(hy_value_same(to, expected), "%s(%s %s) = %s, expected %s", hy_type_name(casts[i].to),
                  hy_type_name(casts[i].from), casts[i].value, hy_text_string(&text), casts[i].expected);
    ck_assert_int_eq(to.type, casts[i].to);
    hy_text_free(&text);
  }
}
END_TEST

/* -- exact arithmetic, written apart from value.c -- */

typedef __int128 wide;

// The product of two u64 needs 128 bits without a sign; its low 64 are right either way.
static wide product(wide a, wide b) { return (wide)((unsigned __int128)a * (unsigned __int128)b); }

static wide floor_div(wide a, wide b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

static wide exact_shift(hy_type type, wide a, wide amount) { // a * 2^amount, floored, and cut where it cannot matter
  if (amount < -100) return a < 0 ? -1 : 0;
  if (amount < 0) return floor_div(a, (wide)1 << -amount);
  if (a == 0) return 0;
  if (amount > 63) return type == HY_INT ? (wide)1 << 100 : 0;
  return product(a, (wide)1 << amount);
}

// Sets *result to the result over Z; false for a division by zero.
static bool exact(hy_op op, hy_type type, wide a, wide b, wide *result) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch (op) {
  case HY_OP_ADD: *result = a + b; return true;
  case HY_OP_SUB: *result = a - b; return true;
  case HY_OP_MUL: *result = product(a, b); return true;
  case HY_OP_DIV:
  case HY_OP_MOD:
    if (b == 0) return false;
    // The remainder that is neither negative nor as large as the divisor fixes the quotient (D2).
    *result = a % b;
    if (*result < 0) *result += b < 0 ? -b : b;
    if (op == HY_OP_DIV) *result = (a - *result) / b;
    return true;
  case HY_OP_NEG: *result = -a; return true;
  case HY_OP_ABS: *result = a < 0 ? -a : a; return true;
  case HY_OP_EQ: *result = a == b; return true;
  case HY_OP_NE: *result = a != b; return true;
  case HY_OP_LT: *result = a < b; return true;
  case HY_OP_LE: *result = a <= b; return true;
  case HY_OP_GT: *result = a > b; return true;
  case HY_OP_GE: *result = a >= b; return true;
  case HY_OP_BIT_AND: *result = a & b; return true;
  case HY_OP_BIT_OR: *result = a | b; return true;
  case HY_OP_BIT_XOR: *result = a ^ b; return true;
  case HY_OP_BIT_NOT: *result = ~a; return true;
  case HY_OP_MIN: *result = a < b ? a : b; return true;
  case HY_OP_MAX: *result = a > b ? a : b; return true;
  case HY_OP_SHL: *result = exact_shift(type, a, b); return true;
  case HY_OP_SHR: *result = exact_shift(type, a, -b); return true;
  default: ck_abort_msg("no exact meaning"); return false;
  }
#pragma GCC diagnostic pop
}

static size_t edge_values(hy_type type, wide *edges) {
  int bits = hy_type_bits(type);
  bool is_unsigned = hy_type_class_of(type) == HY_CLASS_UNSIGNED;
  wide top = (wide)1 << (is_unsigned ? bits : bits - 1), least = is_unsigned ? 0 : -top;
  const wide all[] = {least, least + 1,   least + 2, -100,    -65,     -64,    -63, -9, -8, -7, -3, -2, -1, 0,  1,
                      2,     3,           5,         7,       8,       9,      15,  16, 31, 32, 33, 62, 63, 64, 65,
                      100,   top / 2 - 1, top / 2,   top / 3, top - 2, top - 1};
  size_t count = 0;
  for (size_t i = 0; i < HY_COUNT(all); i++)
    if (all[i] >= least && all[i] < top) edges[count++] = all[i];
  return count;
}

static hy_value from_exact(hy_type type, wide exact_value) {
  if (type == HY_BOOL) return hy_value_bool(exact_value != 0);
  if (type == HY_INT && (exact_value < INT64_MIN || exact_value > INT64_MAX))
    return hy_value_error(HY_INT, HY_ERROR_ARITH);
  wide modulus = (wide)1 << hy_type_bits(type), low = exact_value & (modulus - 1);
  if (hy_type_class_of(type) != HY_CLASS_UNSIGNED && low >= modulus / 2) low -= modulus;
  return hy_value_integral(type, (int64_t)low);
}

static void check_exact(hy_op op, hy_type type, wide a, wide b) {
  hy_value args[2] = {from_exact(type, a), from_exact(type, b)};
  hy_type types[2] = {type, type}, result_type;
  ck_assert(hy_op_result(op, types, &result_type));
  wide result;
  hy_value expected = hy_value_error(result_type, HY_ERROR_ARITH);
  if (exact(op, type, a, b, &result)) expected = from_exact(result_type, result);
  hy_value got = hy_value_apply(op, result_type, args);
  ck_assert_msg(hy_value_same(got, expected), "%s", describe(op, type, args, hy_op_arity(op)));
}

START_TEST(integers_are_exact_then_wrapped) {
  static const hy_op ops[] = {HY_OP_ADD,    HY_OP_SUB,     HY_OP_MUL,    HY_OP_DIV, HY_OP_MOD, HY_OP_NEG,
                              HY_OP_ABS,    HY_OP_EQ,      HY_OP_NE,     HY_OP_LT,  HY_OP_LE,  HY_OP_GT,
                              HY_OP_GE,     HY_OP_MIN,     HY_OP_MAX,    HY_OP_SHL, HY_OP_SHR, HY_OP_BIT_AND,
                              HY_OP_BIT_OR, HY_OP_BIT_XOR, HY_OP_BIT_NOT};
  for (hy_type type = HY_INT; type <= HY_I64; type++) {
    if (!hy_type_is_integral(type)) continue;
    wide edges[64];
    size_t count = edge_values(type, edges);
    for (size_t k = 0; k < HY_COUNT(ops); k++)
      for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) check_exact(ops[k], type, edges[i], edges[j]);
  }
}
END_TEST

START_TEST(eight_bit_types_completely) {
  for (int a = 0; a < 256; a++)
    for (int b = 0; b < 256; b++) {
      check_exact(HY_OP_DIV, HY_U8, a, b);
      check_exact(HY_OP_MOD, HY_I8, a - 128, b - 128);
      check_exact(HY_OP_DIV, HY_I8, a - 128, b - 128);
      check_exact(HY_OP_SHL, HY_I8, a - 128, b - 128);
      check_exact(HY_OP_SHR, HY_I8, a - 128, b - 128);
    }
}
END_TEST

/* -- what holds of every row of ops.def -- */

// D3, D7: errors join and undefined marks join, for every operator, type and position.
START_TEST(every_operator_joins) {
  for (hy_op op = HY_OP_ADD; (int)op < HY_OP_COUNT; op++)
    for (hy_type type = HY_INT; (int)type < HY_TYPE_COUNT; type++) {
      hy_type types[3] = {op == HY_OP_SELECT ? HY_BOOL : type, type, type}, result;
      if (!hy_op_result(op, types, &result)) continue;
      for (int at = 0; at < hy_op_arity(op); at++)
        for (hy_error error = HY_OK; error <= HY_ERROR_MEM; error++) {
          hy_value args[3];
          for (int i = 0; i < 3; i++) args[i] = hy_value_apply(HY_OP_CAST, types[i], (hy_value[]){hy_value_int(1)});
          args[at] = error ? hy_value_error(types[at], error) : args[at];
          args[at].undefined = true;
          hy_value value = hy_value_apply(op, result, args);
          ck_assert_msg(value.error == error && value.undefined && value.type == result && (!error || value.u == 0),
                        "%s", describe(op, type, args, hy_op_arity(op)));
          for (int other = 0; other < hy_op_arity(op); other++) { // whichever of the two comes first
            hy_value saved = args[other];
            if (other != at) args[other] = hy_value_error(types[other], HY_ERROR_RDOM);
            value = hy_value_apply(op, result, args);
            ck_assert_int_eq(value.error, other != at && error < HY_ERROR_RDOM ? HY_ERROR_RDOM : error);
            args[other] = saved;
          }
        }
    }
}
END_TEST

START_TEST(values_print_and_compare) {
  static const struct {
    hy_type type;
    const char *in, *out;
  } rows[] = {
      {HY_F32, "0.1", "0.1"},
      {HY_F32, "1e20", "1.0e20"},
      {HY_F32, "1.5e-7", "1.5e-7"},
      {HY_F64, "0.1", "0.1"},
      {HY_F64, "-2", "-2.0"},
      {HY_F64, "5e-324", "5.0e-324"},
      {HY_F64, "1e22", "1.0e22"},
      {HY_INT, LEAST, LEAST},
      {HY_U64, GREATEST_U64, GREATEST_U64},
      {HY_F32, "3.4028235e38", "3.4028235e38"},
      {HY_BOOL, "true", "true"},
      {HY_I8, "eps_mem", "eps_mem"},
  };
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    hy_text text = {0};
    hy_value_print(parse_value(rows[i].type, rows[i].in), &text);
    ck_assert_str_eq(hy_text_string(&text), rows[i].out);
    hy_text_free(&text);
  }
  hy_value nan = hy_value_from_double(HY_F64, NAN), other_nan = hy_value_from_double(HY_F64, -NAN);
  ck_assert(hy_value_same(nan, other_nan));
  ck_assert(!hy_value_same(hy_value_from_double(HY_F32, 0.0), hy_value_from_double(HY_F32, -0.0)));
  ck_assert(!hy_value_same(hy_value_int(0), hy_value_error(HY_INT, HY_ERROR_ARITH)));
  ck_assert(!hy_value_same(hy_value_error(HY_INT, HY_ERROR_MEM), hy_value_error(HY_INT, HY_ERROR_ARITH)));
  ck_assert(!hy_value_same(hy_value_int(1), hy_value_integral(HY_I64, 1)));
  ck_assert(!hy_value_is_true(hy_value_error(HY_BOOL, HY_ERROR_ARITH)));
}
END_TEST

START_TEST(values_survive_memory) {
  for (hy_type type = HY_INT; (int)type < HY_TYPE_COUNT; type++)
    for (int i = -3; i < 4; i++) {
      hy_value value = hy_value_apply(HY_OP_CAST, type, (hy_value[]){hy_value_int(i * 37)});
      unsigned char memory[16];
      memset(memory, 0xaa, sizeof memory);
      hy_value_store(value, memory);
      ck_assert(hy_value_same(hy_value_load(type, memory), value));
      ck_assert_uint_eq(memory[hy_type_bytes(type)], 0xaa);
    }
}
END_TEST

// VAL.Reinterpret: whatever holds a NaN, quiet or not, of either sign.
START_TEST(nans_have_one_pattern) {
  static const uint64_t narrow[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff};
  static const uint64_t wide[] = {0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, UINT64_MAX};
  for (int i = 0; i < 4; i++) {
    hy_value f = hy_value_load(HY_F32, &narrow[i]), d = hy_value_load(HY_F64, &wide[i]);
    ck_assert_uint_eq(hy_value_apply(HY_OP_F32_BITS, HY_U32, &f).u, 0x7fc00000);
    ck_assert_uint_eq(hy_value_apply(HY_OP_F64_BITS, HY_U64, &d).u, UINT64_C(0x7ff8000000000000));
  }
}
END_TEST

/* -- VAL.Monotone: what grows, on the arithmetic of values -- */

enum { EDGES = 46 };

// Ranks at the edges, ascending; some drawn.
static int float_edges(hy_type type, int64_t *ranks, uint64_t *seed) {
  int64_t infinity = hy_float_infinity(type), one = hy_float_power(type, 0), half = hy_float_power(type, -1);
  int64_t normal = hy_float_power(type, hy_float_least_power(type));
  const int64_t sizes[] = {0,
                           1,
                           2,
                           normal - 1,
                           normal,
                           normal + 1,
                           half,
                           half + 1,
                           one - 1,
                           one,
                           one + 1,
                           one + half / 64,
                           hy_float_power(type, 7),
                           hy_float_power(type, 31),
                           hy_float_power(type, 63),
                           hy_float_power(type, 64) + 1,
                           hy_float_power(type, 126),
                           infinity - 1,
                           infinity};
  int count = 0;
  for (size_t i = 0; i < HY_COUNT(sizes); i++) {
    ranks[count++] = sizes[i];
    ranks[count++] = -1 - sizes[i];
  }
  for (int i = 0; i < 6; i++) {
    *seed = hy_hash(*seed, 7);
    int64_t size = (int64_t)(*seed % (uint64_t)infinity);
    ranks[count++] = i % 2 ? size : -1 - size;
  }
  ranks[count++] = infinity + 1;
  return count;
}

static int whole_edges(hy_type type, int64_t *numbers, uint64_t *seed) {
  int64_t least, greatest;
  hy_type_range(type, &least, &greatest);
  const int64_t edges[] = {least, least + 1, -1, 0, 1, 2, 3, 16777216, 16777217, 16777219, greatest - 1, greatest};
  int count = 0;
  for (size_t i = 0; i < HY_COUNT(edges); i++)
    if (edges[i] >= least && edges[i] <= greatest) numbers[count++] = edges[i];
  for (int i = 0; i < 8; i++) {
    *seed = hy_hash(*seed, 11);
    numbers[count++] = hy_value_integral(type, (int64_t)(*seed >> i * 7)).i;
    if (numbers[count - 1] < least) count--; // of a u64 beyond
  }
  return count;
}

static bool is_of_floats(hy_type type) { return hy_type_class_of(type) == HY_CLASS_FLOAT; }

static int edges_of(hy_type type, int64_t *numbers, uint64_t *seed) {
  return is_of_floats(type) ? float_edges(type, numbers, seed) : whole_edges(type, numbers, seed);
}

static hy_value value_of_edge(hy_type type, int64_t number) {
  return is_of_floats(type) ? hy_float_of_rank(type, number) : hy_value_integral(type, number);
}

static hy_op op_of(hy_monotone_row row) {
  static const hy_op ops[] = {
#define HY_MONOTONE(row, name, op, ...) HY_OP_##op,
#include "semantics/value/monotone.def"
#undef HY_MONOTONE
  };
  return ops[row];
}

static int64_t result_of(hy_monotone m, int64_t a, int64_t b) {
  hy_value args[2] = {value_of_edge(m.from, a), value_of_edge(m.from, b)};
  hy_value result = hy_value_apply(op_of(m.row), m.result, args);
  ck_assert_int_eq(result.error, HY_OK);
  return is_of_floats(m.result) ? hy_float_rank(result) : m.result == HY_U64 && result.i < 0 ? INT64_MAX : result.i;
}

static void check_order(hy_monotone m, int argument, int64_t a, int64_t greater, int64_t other) {
  int64_t x = argument ? result_of(m, other, a) : result_of(m, a, other);
  int64_t y = argument ? result_of(m, other, greater) : result_of(m, greater, other);
  hy_growth growth = hy_monotone_growth(m, argument);
  if (growth == HY_GROWTH_SIGN) growth = other >= 0 ? HY_GROWTH_GROWS : HY_GROWTH_FALLS;
  int64_t lesser = growth == HY_GROWTH_GROWS ? x : y, other_result = growth == HY_GROWTH_GROWS ? y : x;
  if (growth == HY_GROWTH_NOT) return;
  if (hy_monotone_nan(m) == HY_NAN_RESULT && lesser > hy_float_infinity(m.result)) return;
  if (hy_monotone_nan(m) == HY_NAN_ARGUMENT && greater > hy_float_infinity(m.from)) return;
  hy_text name = {0};
  hy_monotone_print(m, &name);
  ck_assert_msg(lesser <= other_result, "%s, argument %d: %lld and %lld, beside %lld, give %lld and %lld",
                hy_text_string(&name), argument, (long long)a, (long long)greater, (long long)other, (long long)x,
                (long long)y);
  hy_text_free(&name);
}

// The least exponent that the number does not exceed in size, and the greatest that it reaches; false: a NaN, or 0.
static bool size_of_edge(hy_type type, int64_t number, bool of_divisor, int *size) {
  int64_t magnitude = number >= 0 ? number : -1 - number; // of ranks; of integers one less is as good
  if (!is_of_floats(type)) {
    for (*size = 0; *size < 63 && INT64_C(1) << *size <= magnitude;) ++*size;
    return true;
  }
  int least = hy_float_least_power(type), top = hy_float_top_power(type);
  if (number > hy_float_infinity(type)) return false;
  if (of_divisor) {
    if (magnitude < hy_float_power(type, least)) return false;
    for (*size = least; *size < top && hy_float_power(type, *size + 1) <= magnitude;) ++*size;
  } else {
    for (*size = least; *size < top && hy_float_power(type, *size) < magnitude;) ++*size;
  }
  return true;
}

static void check_size(hy_monotone m, int64_t a, int64_t b) {
  int i, j = 0, size;
  if (!size_of_edge(m.from, a, false, &i)) return;
  if (hy_monotone_arity(m) == 2 && !size_of_edge(m.from, b, m.row == HY_MONOTONE_DIV, &j)) return;
  if (!hy_monotone_size(m, i, j, &size)) return;
  int64_t result = result_of(m, a, b);
  bool is_float = is_of_floats(m.result);
  __int128 most = is_float ? (__int128)hy_float_power(m.result, size) : (__int128)1 << size;
  ck_assert_msg(result <= most && result >= -most - is_float, "row %d: of %lld and %lld, sizes %d and %d: %lld", m.row,
                (long long)a, (long long)b, i, j, (long long)result);
}

static void try_row(hy_monotone m, uint64_t *seed) {
  int64_t edges[EDGES];
  int count = edges_of(m.from, edges, seed);
  bool binary = hy_monotone_arity(m) == 2;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < (binary ? count : 1); k++) {
      check_size(m, edges[i], edges[k]);
      for (int j = 0; j < count; j++)
        for (int argument = 0; argument <= binary; argument++)
          if (edges[i] <= edges[j]) check_order(m, argument, edges[i], edges[j], edges[k]);
    }
}

// Every row, at every type that has it.
START_TEST(monotone) {
  uint64_t seed = 20261127;
  int rows[HY_MONOTONE_COUNT] = {0};
  hy_monotone m;
  for (hy_op op = 0; op < (hy_op)HY_OP_COUNT; op++)
    for (hy_type result = HY_INT; result <= HY_F64; result++)
      for (hy_type from = HY_INT; from <= HY_F64; from++) {
        if (!hy_monotone_find(op, result, from, &m)) continue;
        ck_assert_int_eq(hy_monotone_code(hy_monotone_of(hy_monotone_code(m))), hy_monotone_code(m));
        rows[m.row]++;
        try_row(m, &seed);
      }
  for (int i = 0; i < HY_MONOTONE_COUNT; i++)
    ck_assert_int_eq(rows[i], i == HY_MONOTONE_OF_WHOLE || i == HY_MONOTONE_TO_WHOLE ? 18
                              : i == HY_MONOTONE_OF_FLOAT                            ? 4
                                                                                     : 2);
}
END_TEST

// Ranks are ordered as floats are, and are the float.
START_TEST(ranks) {
  uint64_t seed = 5;
  int64_t edges[EDGES];
  for (hy_type type = HY_F32; type <= HY_F64; type++) {
    int count = float_edges(type, edges, &seed);
    for (int i = 0; i < count; i++) {
      hy_value a = hy_float_of_rank(type, edges[i]);
      ck_assert_int_eq(hy_float_rank(a), edges[i]);
      for (int j = 0; j < count; j++) {
        hy_value pair[2] = {a, hy_float_of_rank(type, edges[j])};
        bool less = hy_value_is_true(hy_value_apply(HY_OP_LT, HY_BOOL, pair)), zeros = edges[i] == -1 && edges[j] == 0;
        ck_assert_int_eq(less, edges[i] < edges[j] && edges[j] <= hy_float_infinity(type) && !zeros);
      }
    }
    ck_assert_int_eq(hy_float_rank(hy_value_from_double(type, 8.0)), hy_float_power(type, 3));
    ck_assert_int_eq(hy_float_rank(hy_value_from_double(type, -8.0)), -1 - hy_float_power(type, 3));
    ck_assert_int_eq(hy_float_rank(hy_value_from_double(type, 1.0 / 0.0)), hy_float_infinity(type));
  }
}
END_TEST

// Of the types of 16 bits all of them.
START_TEST(ranks_of_stored_types) {
  static const hy_type types[] = {HY_F16, HY_BF16};
  for (int k = 0; k < 2; k++) {
    int64_t infinity = hy_float_infinity(types[k]);
    for (int64_t rank = -1 - infinity; rank <= infinity; rank++) {
      hy_value value = hy_float_of_rank(types[k], rank);
      ck_assert_int_eq(hy_float_rank(value), rank);
      hy_value f = hy_value_apply(HY_OP_CAST, HY_F64, &value);
      if (rank == infinity) ck_assert(isinf(hy_value_to_double(f)));
      if (rank == 0) continue;
      hy_value before = hy_float_of_rank(types[k], rank - 1 < -1 - infinity ? rank : rank - 1);
      hy_value g = hy_value_apply(HY_OP_CAST, HY_F64, &before);
      ck_assert(hy_value_to_double(g) <= hy_value_to_double(f));
    }
    ck_assert_int_eq(hy_float_rank(hy_value_from_double(types[k], 0.0 / 0.0)), infinity + 1);
    ck_assert_int_eq(hy_float_rank(hy_value_from_double(types[k], 8.0)), hy_float_power(types[k], 3));
    hy_monotone m;
    ck_assert(!hy_monotone_find(HY_OP_CAST, HY_F32, types[k], &m) &&
              !hy_monotone_find(HY_OP_CAST, types[k], HY_INT, &m));
  }
}
END_TEST

Suite *semantics_value_suite(void) {
  Suite *suite = suite_create("semantics_value");
  TCase *rows = tcase_create("rows");
  tcase_add_test(rows, nans_have_one_pattern);
  tcase_add_test(rows, hand_written_rows);
  tcase_add_test(rows, conversions);
  tcase_add_test(rows, integers_are_exact_then_wrapped);
  tcase_add_test(rows, eight_bit_types_completely);
  tcase_add_test(rows, every_operator_joins);
  tcase_add_test(rows, values_print_and_compare);
  tcase_add_test(rows, values_survive_memory);
  tcase_add_test(rows, monotone);
  tcase_add_test(rows, ranks);
  tcase_add_test(rows, ranks_of_stored_types);
  suite_add_tcase(suite, rows);
  return suite;
}
