// Values as graphs: whatever rules the constructors apply, a node has the value that its operator gives; its range
// holds it; and each operator of the languages, on nodes, is what hy_value_apply says.

#include "engines/generator.h"
#include "gate/tile/meaning.h"
#include "gate/tile/valuation.h"
#include "proofs_tests/suites.h"

#include <math.h>
#include <string.h>

/* -- random graphs, beside the same computed by number -- */

enum { VALUES = 12, NODES = 60, SYMBOLS = 6, ROUNDS = 1500 };

typedef struct {
  uint64_t seed, count;
} dice;
static uint64_t roll(dice *d) { return hy_splitmix(d->seed, d->count++); }

static const int widths[] = {1, 8, 16, 32, 64};
static int any_width(dice *d) { return widths[roll(d) % HY_COUNT(widths)]; }

static uint64_t any_value(dice *d, int bits) {
  const uint64_t odd[] = {0,           UINT64_MAX, UINT64_C(1) << (bits - 1), (UINT64_C(1) << (bits - 1)) - 1,
                          roll(d) % 5, roll(d)};
  return odd[roll(d) % HY_COUNT(odd)] & hy_low_bits(bits);
}

typedef struct {
  hy_node nodes[NODES];
  uint64_t values[NODES][VALUES];
  bool is_real[NODES]; // NaNs are one value: their bits are no number
  int count;
} pool;

static void add_leaf(dice *d, hy_graph *g, pool *p, bool is_symbol) {
  int bits = any_width(d);
  uint64_t most = is_symbol && bits > 1 && roll(d) % 4 == 0 ? roll(d) % 100 : hy_low_bits(bits),
           value = any_value(d, bits);
  p->nodes[p->count] = is_symbol ? hy_graph_symbol(g, bits, 0, most) : hy_graph_const(g, bits, value);
  for (int k = 0; k < VALUES; k++) {
    uint64_t v = is_symbol ? any_value(d, bits) : value;
    p->values[p->count][k] = v > most ? v % (most + 1) : v;
  }
  p->count++;
}

// Which shapes of arguments an operator takes; bits of the result, 0: not these.
static int result_bits(hy_node_op op, int a, int b, int c, int any, int *arity) {
  *arity = 2;
  if (op == HY_NODE_SELECT) return *arity = 3, a == 1 && b == c ? b : 0;
  if (op == HY_NODE_ZEXT || op == HY_NODE_SEXT) return *arity = 1, any > a ? any : 0;
  if (op == HY_NODE_TRUNC) return *arity = 1, any < a ? any : 0;
  if (op == HY_NODE_RELU || (op >= HY_NODE_POPCOUNT && op <= HY_NODE_CTTZ)) return *arity = 1, a > 1 ? a : 0;
  if (op == HY_NODE_FROM_SIGNED || op == HY_NODE_FROM_UNSIGNED) return *arity = 1, a > 1 ? any == 64 ? 64 : 32 : 0;
  if (op >= HY_NODE_FADD && a != 32 && a != 64) return 0;
  if (op == HY_NODE_TO_SIGNED || op == HY_NODE_TO_UNSIGNED) return *arity = 1, any > 1 ? any : 0;
  if (op == HY_NODE_FEXT) return *arity = 1, a == 32 ? 64 : 0;
  if (op == HY_NODE_FCUT) return *arity = 1, a == 64 ? 32 : 0;
  if (op == HY_NODE_FMA) return *arity = 3, a == b && b == c ? a : 0;
  if (op == HY_NODE_FNEG || op == HY_NODE_FABS || (op >= HY_NODE_FSQRT && op <= HY_NODE_FTRUNC)) return *arity = 1, a;
  if (a != b) return 0;
  bool is_truth = op == HY_NODE_EQ || op == HY_NODE_ULT || op == HY_NODE_SLT ||
                  (op >= HY_NODE_UADD_O && op <= HY_NODE_SMUL_O) || (op >= HY_NODE_FEQ && op <= HY_NODE_FUNORDERED);
  return is_truth ? 1 : a;
}

static void add_node(dice *d, hy_graph *g, pool *p) {
  static const int often[] = {HY_NODE_ADD,   HY_NODE_MUL,  HY_NODE_SELECT, HY_NODE_ZEXT, HY_NODE_SEXT,
                              HY_NODE_TRUNC, HY_NODE_RELU, HY_NODE_LSHR,   HY_NODE_SLT};
  hy_node_op op = (hy_node_op)(roll(d) % 2 ? often[roll(d) % HY_COUNT(often)]
                                           : HY_NODE_ADD + (int)(roll(d) % (HY_NODE_OPS - HY_NODE_ADD)));
  int from[3], bits[3], arity;
  for (int i = 0; i < 3; i++)
    from[i] = (int)(roll(d) % (uint64_t)p->count), bits[i] = hy_node_bits(g, p->nodes[from[i]]);
  int out = result_bits(op, bits[0], bits[1], bits[2], any_width(d), &arity);
  if (!out) return;
  bool takes_real =
      op >= HY_NODE_FADD && op != HY_NODE_FROM_SIGNED && op != HY_NODE_FROM_UNSIGNED && op != HY_NODE_FCOPYSIGN;
  for (int i = 0; i < arity; i++)
    if (p->is_real[from[i]] && !takes_real) return;
  hy_node a[3] = {0};
  for (int i = 0; i < arity; i++) a[i] = p->nodes[from[i]];
  p->nodes[p->count] = hy_graph_op(g, op, out, a[0], a[1], a[2], 0);
  for (int k = 0; k < VALUES; k++) {
    const uint64_t v[] = {p->values[from[0]][k], p->values[from[1]][k], p->values[from[2]][k]};
    p->values[p->count][k] = hy_node_apply(op, out, bits[0], v);
  }
  p->is_real[p->count++] = op >= HY_NODE_FADD && out > 1 && op != HY_NODE_TO_SIGNED && op != HY_NODE_TO_UNSIGNED;
}

static bool is_nan(uint64_t v, int bits) {
  return bits == 32 ? (v & 0x7fffffff) > 0x7f800000 : bits == 64 && (v & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static void check_pool(const hy_graph *g, const pool *p, uint64_t seed) {
  hy_valuation v;
  hy_valuation_init(&v, g);
  for (int k = 0; k < VALUES; k++) {
    for (int i = 0; i < SYMBOLS; i++) v.symbols[i] = p->values[i][k];
    hy_valuation_begin(&v);
    for (int i = 0; i < p->count; i++) {
      uint64_t is, wanted = p->values[i][k];
      const hy_node_data *d = hy_node_at(g, p->nodes[i]);
      ck_assert(hy_valuation_of(&v, p->nodes[i], &is));
      bool same = is == wanted || (is_nan(is, d->bits) && is_nan(wanted, d->bits));
      ck_assert_msg(same, "seed %d, node %d (operator %d, %d bits): %#llx, not %#llx", (int)seed, i, d->op, d->bits,
                    (unsigned long long)is, (unsigned long long)wanted);
      int64_t number = hy_sign_extended(is, d->bits);
      ck_assert_msg(is >= d->least && is <= d->most && number >= d->low && number <= d->high,
                    "seed %d, node %d (operator %d): %#llx is out of its range", (int)seed, i, d->op,
                    (unsigned long long)is);
    }
  }
  hy_valuation_free(&v);
}

START_TEST(rules_keep_values) {
  static pool p;
  for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
    hy_graph g;
    dice d = {.seed = seed};
    memset(&p, 0, sizeof p);
    hy_graph_init(&g, 0);
    for (int i = 0; i < SYMBOLS; i++) add_leaf(&d, &g, &p, true);
    while (p.count < NODES)
      if (roll(&d) % 8 == 0)
        add_leaf(&d, &g, &p, false);
      else
        add_node(&d, &g, &p);
    check_pool(&g, &p, seed);
    hy_graph_free(&g);
  }
}
END_TEST

/* -- operators -- */

static const hy_type all_types[] = {HY_INT, HY_BOOL, HY_U8,  HY_U16, HY_U32, HY_U64, HY_I8,
                                    HY_I16, HY_I32,  HY_I64, HY_F32, HY_F64, HY_F16, HY_BF16};

static hy_value odd_value(dice *d, hy_type type) {
  uint64_t r = roll(d);
  if (hy_type_class_of(type) == HY_CLASS_FLOAT) {
    static const double odd[] = {0.0, -0.0, 1.5, -2.5, 255.5, 1e30, -1e30, 3.4e38, 0.5, 1e-42, 65536.25, -0.75};
    if (r % 5 == 0) return hy_value_from_double(type, r % 2 ? NAN : INFINITY);
    return hy_value_from_double(type, r % 3 ? odd[r / 8 % HY_COUNT(odd)] : (double)(int64_t)(r >> 20) / 1024.0);
  }
  return hy_value_integral(type, (int64_t)(r % 3 ? any_value(d, 64) : any_value(d, hy_type_bits(type))));
}

static void check_operator(hy_op op, const hy_type *types, hy_type result, uint64_t seed) {
  enum { TRIES = 60 };
  hy_graph g;
  hy_meant args[HY_MAX_ARITY], out;
  hy_valuation v;
  dice d = {.seed = seed};
  hy_graph_init(&g, 0);
  int arity = hy_op_arity(op);
  for (int i = 0; i < arity; i++) {
    int bits = hy_meant_bits(types[i]);
    args[i] = (hy_meant){hy_graph_symbol(&g, bits, 0, hy_low_bits(bits)), hy_graph_const(&g, 1, 0)};
  }
  if (!hy_meant_apply(&g, op, result, types, args, &out)) { // a shift of an int by what is not known
    bool halves = op == HY_OP_CAST && (hy_type_is_storage(types[0]) || hy_type_is_storage(result));
    ck_assert(halves || (types[0] == HY_INT && (op == HY_OP_SHL || op == HY_OP_SHR)));
    hy_graph_free(&g);
    return;
  }
  hy_valuation_init(&v, &g);
  for (int k = 0; k < TRIES; k++) {
    hy_value given[HY_MAX_ARITY];
    for (int i = 0; i < arity; i++) {
      given[i] = odd_value(&d, types[i]);
      v.symbols[i] = hy_type_class_of(types[i]) == HY_CLASS_FLOAT ? hy_value_bits(given[i]) : given[i].u;
    }
    hy_value wanted = hy_value_apply(op, result, given);
    uint64_t value, error, want = hy_type_class_of(result) == HY_CLASS_FLOAT ? hy_value_bits(wanted) : wanted.u;
    hy_valuation_begin(&v);
    ck_assert(hy_valuation_of(&v, out.value, &value) && hy_valuation_of(&v, out.error, &error));
    ck_assert_msg(error == (wanted.error != HY_OK), "%s of %s: error %d", hy_op_name(op), hy_type_name(types[0]),
                  (int)error);
    int bits = hy_meant_bits(result);
    bool same = value == (want & hy_low_bits(bits)) || (is_nan(value, bits) && is_nan(want, bits));
    if (hy_type_is_storage(result)) same = hy_value_same(hy_value_load(result, &value), wanted);
    ck_assert_msg(error || same, "%s of %s to %s: %#llx, not %#llx (of %#llx, %#llx)", hy_op_name(op),
                  hy_type_name(types[0]), hy_type_name(result), (unsigned long long)value, (unsigned long long)want,
                  (unsigned long long)given[0].u, (unsigned long long)(arity > 1 ? given[1].u : 0));
  }
  hy_valuation_free(&v);
  hy_graph_free(&g);
}

START_TEST(operators_are_those_of_the_languages) {
  size_t count = 0;
  for (int op = 0; op < HY_OP_COUNT; op++)
    for (size_t t = 0; t < HY_COUNT(all_types); t++)
      for (size_t to = 0; to < (op == HY_OP_CAST ? HY_COUNT(all_types) : 1); to++) {
        hy_type types[HY_MAX_ARITY] = {all_types[t], all_types[t], all_types[t]}, result;
        if (op == HY_OP_SELECT) types[0] = HY_BOOL;
        if (op == HY_OP_CAST)
          result = all_types[to];
        else if (!hy_op_result((hy_op)op, types, &result))
          continue;
        check_operator((hy_op)op, types, result, 1000 * (uint64_t)op + 20 * t + to);
        count++;
      }
  ck_assert_int_gt((int)count, 350);
}
END_TEST

Suite *gate_graph_suite(void) {
  Suite *suite = suite_create("gate_graph");
  TCase *cases = tcase_create("values");
  tcase_set_timeout(cases, 300);
  tcase_add_test(cases, rules_keep_values);
  tcase_add_test(cases, operators_are_those_of_the_languages);
  suite_add_tcase(suite, cases);
  return suite;
}
