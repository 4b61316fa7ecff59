// LLVM's own functions.

#include "gate/tile/run.h"

#include <string.h>

typedef hy_node unary(hy_graph *g, int bits, const hy_node *a);

typedef struct {
  const char *name; // up to the types: "llvm.smax"
  uint8_t op;       // a hy_node_op of as many arguments; 0: "make"
  uint8_t arity;    // arguments that are values; others are numbers for LLVM
  unary *make;
} row;

static hy_node zero(hy_graph *g, int bits) { return hy_graph_const(g, bits, 0); }

static hy_node make_abs(hy_graph *g, int bits, const hy_node *a) {
  hy_node minus = hy_graph_sub(g, zero(g, bits), a[0]);
  return hy_graph_select(g, hy_graph_compare(g, HY_NODE_SLT, a[0], zero(g, bits)), minus, a[0]);
}

static hy_node make_usub_sat(hy_graph *g, int bits, const hy_node *a) {
  (void)bits;
  return hy_graph_sub(g, hy_graph_binary(g, HY_NODE_UMAX, a[0], a[1]), a[1]);
}

static hy_node make_uadd_sat(hy_graph *g, int bits, const hy_node *a) {
  hy_node over = hy_graph_op(g, HY_NODE_UADD_O, 1, a[0], a[1], 0, 0);
  if (bits <= 32) {
    hy_node sum = hy_graph_add(g, hy_graph_resize(g, a[0], 2 * bits, false), hy_graph_resize(g, a[1], 2 * bits, false));
    sum = hy_graph_binary(g, HY_NODE_UMIN, sum, hy_graph_const(g, 2 * bits, hy_low_bits(bits)));
    return hy_graph_resize(g, sum, bits, false);
  }
  return hy_graph_select(g, over, hy_graph_const(g, bits, UINT64_MAX), hy_graph_add(g, a[0], a[1]));
}

static hy_node saturated(hy_graph *g, int bits, const hy_node *a, bool is_sum) {
  hy_node result = is_sum ? hy_graph_add(g, a[0], a[1]) : hy_graph_sub(g, a[0], a[1]);
  uint64_t most = hy_low_bits(bits) >> 1;
  if (bits <= 32) {
    hy_node x = hy_graph_resize(g, a[0], 2 * bits, true), y = hy_graph_resize(g, a[1], 2 * bits, true);
    hy_node exact = is_sum ? hy_graph_add(g, x, y) : hy_graph_sub(g, x, y);
    exact = hy_graph_binary(g, HY_NODE_SMIN, exact, hy_graph_const(g, 2 * bits, most));
    exact = hy_graph_binary(g, HY_NODE_SMAX, exact, hy_graph_const(g, 2 * bits, ~most));
    return hy_graph_resize(g, exact, bits, false);
  }
  hy_node over = hy_graph_op(g, is_sum ? HY_NODE_SADD_O : HY_NODE_SSUB_O, 1, a[0], a[1], 0, 0);
  hy_node end = hy_graph_select(g, hy_graph_compare(g, HY_NODE_SLT, a[0], zero(g, bits)),
                                hy_graph_const(g, bits, most + 1), hy_graph_const(g, bits, most));
  return hy_graph_select(g, over, end, result);
}
static hy_node make_sadd_sat(hy_graph *g, int bits, const hy_node *a) { return saturated(g, bits, a, true); }
static hy_node make_ssub_sat(hy_graph *g, int bits, const hy_node *a) { return saturated(g, bits, a, false); }

static hy_node funnel(hy_graph *g, int bits, const hy_node *a, bool is_left) {
  hy_node width = hy_graph_const(g, bits, (uint64_t)bits), by = hy_graph_binary(g, HY_NODE_UREM, a[2], width);
  hy_node rest = hy_graph_sub(g, width, by), is_none = hy_graph_compare(g, HY_NODE_EQ, by, zero(g, bits));
  hy_node left = hy_graph_binary(g, HY_NODE_SHL, a[0], is_left ? by : rest);
  hy_node right = hy_graph_binary(g, HY_NODE_LSHR, a[1], is_left ? rest : by);
  return hy_graph_select(g, is_none, is_left ? a[0] : a[1], hy_graph_binary(g, HY_NODE_OR, left, right));
}
static hy_node make_fshl(hy_graph *g, int bits, const hy_node *a) { return funnel(g, bits, a, true); }
static hy_node make_fshr(hy_graph *g, int bits, const hy_node *a) { return funnel(g, bits, a, false); }

// It may be fused or not: a sum that may take its product along.
static hy_node make_fmuladd(hy_graph *g, int bits, const hy_node *a) {
  hy_node product = hy_graph_op(g, HY_NODE_FMUL, bits, a[0], a[1], 0, HY_LOOSE_CONTRACT);
  return hy_graph_op(g, HY_NODE_FADD, bits, product, a[2], 0, HY_LOOSE_CONTRACT);
}

static const row rows[] = {
    {"llvm.smax", HY_NODE_SMAX, 2, NULL},
    {"llvm.smin", HY_NODE_SMIN, 2, NULL},
    {"llvm.umax", HY_NODE_UMAX, 2, NULL},
    {"llvm.umin", HY_NODE_UMIN, 2, NULL},
    {"llvm.abs", 0, 1, make_abs},
    {"llvm.usub.sat", 0, 2, make_usub_sat},
    {"llvm.uadd.sat", 0, 2, make_uadd_sat},
    {"llvm.sadd.sat", 0, 2, make_sadd_sat},
    {"llvm.ssub.sat", 0, 2, make_ssub_sat},
    {"llvm.fshl", 0, 3, make_fshl},
    {"llvm.fshr", 0, 3, make_fshr},
    {"llvm.ctpop", HY_NODE_POPCOUNT, 1, NULL},
    {"llvm.ctlz", HY_NODE_CTLZ, 1, NULL},
    {"llvm.cttz", HY_NODE_CTTZ, 1, NULL},
    {"llvm.fabs", HY_NODE_FABS, 1, NULL},
    {"llvm.sqrt", HY_NODE_FSQRT, 1, NULL},
    {"llvm.floor", HY_NODE_FFLOOR, 1, NULL},
    {"llvm.ceil", HY_NODE_FCEIL, 1, NULL},
    {"llvm.roundeven", HY_NODE_FROUND, 1, NULL},
    {"llvm.nearbyint", HY_NODE_FROUND, 1, NULL}, // in the mode that all code runs in
    {"llvm.rint", HY_NODE_FROUND, 1, NULL},
    {"llvm.nearbyint", HY_NODE_FROUND, 1, NULL},
    {"llvm.round", HY_NODE_FROUND_AWAY, 1, NULL},
    {"llvm.trunc", HY_NODE_FTRUNC, 1, NULL},
    {"llvm.copysign", HY_NODE_FCOPYSIGN, 2, NULL},
    {"llvm.fma", HY_NODE_FMA, 3, NULL},
    {"llvm.fmuladd", 0, 3, make_fmuladd},
    {"llvm.fptosi.sat", HY_NODE_TO_SIGNED, 1, NULL},
    {"llvm.fptoui.sat", HY_NODE_TO_UNSIGNED, 1, NULL},
};

// "llvm.smax.v8i16" is of the row "llvm.smax".
static bool is_of(const char *name, const char *base) {
  size_t length = strlen(base);
  return strncmp(name, base, length) == 0 && (name[length] == '.' || !name[length]);
}

static bool by_lane(hy_tile_frame *f, const hy_ir_inst *i, const row *r, hy_node *out) {
  hy_graph *g = f->run->graph;
  for (uint32_t l = 0; l < i->lanes; l++) {
    hy_node a[3] = {0};
    for (uint32_t k = 0; k < r->arity; k++) a[k] = hy_frame_operand(f, i, k)[l];
    out[l] = r->make
                 ? r->make(g, i->bits, a)
                 : hy_graph_op(g, (hy_node_op)r->op, i->bits, a[0], a[1], a[2], r->op >= HY_NODE_FADD ? i->loose : 0);
    bool promises = is_of(r->name, "llvm.abs") || is_of(r->name, "llvm.ctlz") || is_of(r->name, "llvm.cttz");
    uint64_t is_poison = 0; // of the least number, or of 0
    if (promises && !hy_tile_number(f->run, hy_frame_operand(f, i, 1)[0], "a flag", &is_poison)) return false;
    if (is_poison) {
      uint64_t value = is_of(r->name, "llvm.abs") ? UINT64_C(1) << (i->bits - 1) : 0;
      out[l] = hy_graph_unless(g, out[l], hy_graph_compare(g, HY_NODE_EQ, a[0], hy_graph_const(g, i->bits, value)));
    }
  }
  return true;
}

/* -- results with a bit that says whether they fit -- */

static bool with_overflow(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  static const struct {
    const char *name;
    hy_node_op op, overflow;
  } kinds[] = {{"llvm.uadd", HY_NODE_ADD, HY_NODE_UADD_O}, {"llvm.sadd", HY_NODE_ADD, HY_NODE_SADD_O},
               {"llvm.usub", HY_NODE_OPS, HY_NODE_USUB_O}, {"llvm.ssub", HY_NODE_OPS, HY_NODE_SSUB_O},
               {"llvm.umul", HY_NODE_MUL, HY_NODE_UMUL_O}, {"llvm.smul", HY_NODE_MUL, HY_NODE_SMUL_O}};
  hy_graph *g = f->run->graph;
  hy_node a = hy_frame_operand(f, i, 0)[0], b = hy_frame_operand(f, i, 1)[0];
  if (hy_frame_width(f, i, 0) != 1) return hy_tile_undecided(f->run, "vectors of", i->name);
  for (size_t k = 0; k < HY_COUNT(kinds); k++) {
    if (!is_of(i->name, kinds[k].name)) continue;
    out[0] = hy_tile_flagged(g, kinds[k].op, a, b, 0);
    out[1] = hy_graph_op(g, kinds[k].overflow, 1, a, b, 0, 0);
    return true;
  }
  return hy_tile_undecided(f->run, "a function that is not known here:", i->name);
}

/* -- memory -- */

// Lanes whose mask is off are neither read nor written; a mask that data decide is a choice.
static bool masked(hy_tile_frame *f, const hy_ir_inst *i, bool is_store, bool is_scattered, hy_node *out) {
  hy_tile_run *run = f->run;
  uint32_t pointer = is_store ? 1 : 0, lanes = is_store ? hy_frame_width(f, i, 0) : i->lanes;
  uint32_t bits = is_store ? f->function->values[i->operands[0]].bits : i->bits;
  const hy_node *masks = hy_frame_operand(f, i, pointer + 2);
  uint64_t align, mask;
  if (!hy_tile_number(run, hy_frame_operand(f, i, pointer + 1)[0], "an alignment", &align)) return false;
  for (uint32_t l = 0; l < lanes; l++) {
    hy_node base = hy_frame_operand(f, i, pointer)[is_scattered ? l : 0];
    uint64_t plus = is_scattered ? 0 : (uint64_t)l * (bits / 8);
    hy_node at = hy_graph_add(run->graph, base, hy_graph_const(run->graph, 64, plus));
    uint64_t aligned = is_scattered || l == 0 ? align : 0;
    if (!hy_tile_number(run, masks[l], "a mask", &mask)) return false;
    if (!is_store && !mask) out[l] = hy_frame_operand(f, i, 3)[l];
    if (!is_store && mask && !hy_tile_load_lane(run, at, (int)bits, aligned, &out[l])) return false;
    if (is_store && mask && !hy_tile_store_lane(run, at, 0, aligned, hy_frame_operand(f, i, 0)[l])) return false;
  }
  return true;
}

static bool fill_or_copy(hy_tile_frame *f, const hy_ir_inst *i, bool is_fill) {
  uint64_t to, from = 0, bytes;
  hy_tile_run *run = f->run;
  if (!hy_tile_number(run, hy_frame_operand(f, i, 0)[0], "where it writes", &to) ||
      !hy_tile_number(run, hy_frame_operand(f, i, 2)[0], "how much it writes", &bytes))
    return false;
  run->steps += bytes;
  if (is_fill) return hy_tile_fill(run->memory, to, hy_frame_operand(f, i, 1)[0], bytes, &run->fault);
  return hy_tile_number(run, hy_frame_operand(f, i, 1)[0], "where it reads", &from) &&
         hy_tile_copy(run->memory, to, from, bytes, &run->fault);
}

/* -- all lanes together -- */

static bool reduce(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  static const struct {
    const char *name;
    hy_node_op op;
  } kinds[] = {{"llvm.vector.reduce.add", HY_NODE_ADD},   {"llvm.vector.reduce.mul", HY_NODE_MUL},
               {"llvm.vector.reduce.and", HY_NODE_AND},   {"llvm.vector.reduce.or", HY_NODE_OR},
               {"llvm.vector.reduce.xor", HY_NODE_XOR},   {"llvm.vector.reduce.smax", HY_NODE_SMAX},
               {"llvm.vector.reduce.smin", HY_NODE_SMIN}, {"llvm.vector.reduce.umax", HY_NODE_UMAX},
               {"llvm.vector.reduce.umin", HY_NODE_UMIN}};
  for (size_t k = 0; k < HY_COUNT(kinds); k++) {
    if (!is_of(i->name, kinds[k].name)) continue;
    const hy_node *a = hy_frame_operand(f, i, 0);
    out[0] = a[0];
    for (uint32_t l = 1; l < hy_frame_width(f, i, 0); l++)
      out[0] = hy_graph_binary(f->run->graph, kinds[k].op, out[0], a[l]);
    return true;
  }
  return hy_tile_undecided(f->run, "a function that is not known here:", i->name);
}

// Of LLVM's classes those of NaN alone: 3; and their opposite.
static bool classify(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  uint64_t wanted;
  hy_graph *g = f->run->graph;
  if (!hy_tile_number(f->run, hy_frame_operand(f, i, 1)[0], "a class", &wanted)) return false;
  if (wanted != 3 && wanted != 1020) return hy_tile_undecided(f->run, "classes of", i->name);
  for (uint32_t l = 0; l < i->lanes; l++) {
    hy_node a = hy_frame_operand(f, i, 0)[l], is_nan = hy_graph_compare(g, HY_NODE_FUNORDERED, a, a);
    out[l] = wanted == 3 ? is_nan : hy_graph_not(g, is_nan);
  }
  return true;
}

bool hy_tile_intrinsic(hy_tile_frame *f, const hy_ir_inst *i) {
  hy_node *out = hy_frame_lanes(f, i->result);
  const char *n = i->name;
  for (size_t k = 0; k < HY_COUNT(rows); k++)
    if (is_of(n, rows[k].name) && !strstr(n, ".with.overflow") && (strstr(rows[k].name, ".sat") || !strstr(n, ".sat")))
      return by_lane(f, i, &rows[k], out);
  if (strstr(n, ".with.overflow")) return with_overflow(f, i, out);
  if (is_of(n, "llvm.masked.load")) return masked(f, i, false, false, out);
  if (is_of(n, "llvm.masked.store")) return masked(f, i, true, false, out);
  if (is_of(n, "llvm.masked.gather")) return masked(f, i, false, true, out);
  if (is_of(n, "llvm.masked.scatter")) return masked(f, i, true, true, out);
  if (is_of(n, "llvm.memset")) return fill_or_copy(f, i, true);
  if (is_of(n, "llvm.memcpy") || is_of(n, "llvm.memmove")) return fill_or_copy(f, i, false);
  if (is_of(n, "llvm.vector.reduce")) return reduce(f, i, out);
  if (is_of(n, "llvm.is.fpclass")) return classify(f, i, out);
  if (is_of(n, "llvm.lifetime") || is_of(n, "llvm.assume") || is_of(n, "llvm.experimental.noalias.scope.decl"))
    return true;
  return hy_tile_undecided(f->run, "a function that is not known here:", n);
}
