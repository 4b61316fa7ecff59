// Instructions, lane by lane.

#include "gate/tile/run.h"

#include <string.h>

/* -- operators, with the promises that LLVM's flags make -- */

static hy_node apply(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  return op == (hy_node_op)HY_TILE_DIFFERENCE ? hy_graph_sub(g, a, b) : hy_graph_binary(g, op, a, b);
}

// A shift by the width or more, a quotient by 0, one that is not exact.
static hy_node broken(hy_graph *g, hy_node_op op, hy_node a, hy_node b, hy_node result, unsigned flags) {
  int bits = hy_node_bits(g, a);
  bool is_shift = op == HY_NODE_SHL || op == HY_NODE_LSHR || op == HY_NODE_ASHR;
  bool is_quotient = op >= HY_NODE_UDIV && op <= HY_NODE_SREM;
  hy_node bad = hy_graph_const(g, 1, 0), zero = hy_graph_const(g, bits, 0);
  if (is_shift) bad = hy_graph_not(g, hy_graph_compare(g, HY_NODE_ULT, b, hy_graph_const(g, bits, (uint64_t)bits)));
  if (is_quotient) bad = hy_graph_compare(g, HY_NODE_EQ, b, zero);
  if (op == HY_NODE_SDIV || op == HY_NODE_SREM) {
    hy_node least = hy_graph_compare(g, HY_NODE_EQ, a, hy_graph_const(g, bits, UINT64_C(1) << (bits - 1)));
    bad = hy_graph_or1(
        g, bad, hy_graph_and1(g, least, hy_graph_compare(g, HY_NODE_EQ, b, hy_graph_const(g, bits, UINT64_MAX))));
  }
  if (flags & HY_IR_EXACT) {
    hy_node back = is_shift ? hy_graph_binary(g, HY_NODE_SHL, result, b) : hy_graph_mul(g, result, b);
    bad = hy_graph_or1(g, bad, hy_graph_not(g, hy_graph_compare(g, HY_NODE_EQ, back, a)));
  }
  if (flags & HY_IR_DISJOINT)
    bad = hy_graph_or1(g, bad,
                       hy_graph_not(g, hy_graph_compare(g, HY_NODE_EQ, hy_graph_binary(g, HY_NODE_AND, a, b), zero)));
  return bad;
}

hy_node hy_tile_flagged(hy_graph *g, hy_node_op op, hy_node a, hy_node b, unsigned flags) {
  hy_node bad_a, bad_b;
  a = hy_graph_defined(g, a, &bad_a), b = hy_graph_defined(g, b, &bad_b);
  hy_node bad = hy_graph_or1(g, bad_a, bad_b), result = apply(g, op, a, b);
  bad = hy_graph_or1(g, bad, broken(g, op, a, b, result, flags));
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    if (!(flags & (is_signed ? HY_IR_NSW : HY_IR_NUW))) continue;
    if (op == HY_NODE_SHL) {
      hy_node back = hy_graph_binary(g, is_signed ? HY_NODE_ASHR : HY_NODE_LSHR, result, b);
      bool is_known = hy_node_is_const(g, b) && hy_node_at(g, b)->value < 63;
      hy_node times = is_known ? hy_graph_const(g, hy_node_bits(g, a), UINT64_C(1) << hy_node_at(g, b)->value) : 0;
      bad = hy_graph_or1(g, bad,
                         is_known && hy_node_at(g, b)->value + 1 < (uint64_t)hy_node_bits(g, a)
                             ? hy_graph_leaves(g, HY_NODE_MUL, a, times, is_signed)
                             : hy_graph_not(g, hy_graph_compare(g, HY_NODE_EQ, back, a)));
    } else {
      bad = hy_graph_or1(g, bad, hy_graph_leaves(g, op, a, b, is_signed));
    }
  }
  return hy_graph_unless(g, result, bad);
}

/* -- loads and stores -- */

bool hy_tile_load_lane(hy_tile_run *run, hy_node address, int bits, uint64_t align, hy_node *value) {
  uint64_t at;
  if (!hy_tile_number(run, address, "where it reads", &at)) return false;
  if (align && at % align)
    return hy_tile_fail(&run->fault, HY_TILE_WRONG, "it reads where memory is not aligned to %llu as it says",
                        (unsigned long long)align);
  *value = hy_tile_load(run->memory, at, bits, &run->fault);
  return *value;
}

bool hy_tile_store_lane(hy_tile_run *run, hy_node address, uint64_t plus, uint64_t align, hy_node value) {
  uint64_t at;
  if (!value) return hy_tile_undecided(run, "a constant that is not known here is stored", NULL);
  if (!hy_tile_number(run, address, "where it writes", &at)) return false;
  if (align && at % align)
    return hy_tile_fail(&run->fault, HY_TILE_WRONG, "it writes where memory is not aligned to %llu as it says",
                        (unsigned long long)align);
  return hy_tile_store(run->memory, at + plus, value, &run->fault);
}

static bool load(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  uint64_t at;
  if (!hy_tile_number(f->run, hy_frame_operand(f, i, 0)[0], "where it reads", &at)) return false;
  for (uint32_t l = 0; l < i->lanes; l++) {
    hy_node address = hy_graph_const(f->run->graph, 64, at + l * ((i->bits + 7u) / 8));
    if (!hy_tile_load_lane(f->run, address, i->bits, l ? 0 : i->align, &out[l])) return false;
  }
  return true;
}

static bool store(hy_tile_frame *f, const hy_ir_inst *i) {
  const hy_node *values = hy_frame_operand(f, i, 0);
  for (uint32_t l = 0; l < i->lanes; l++)
    if (!hy_tile_store_lane(f->run, hy_frame_operand(f, i, 1)[0], l * ((i->bits + 7u) / 8), l ? 0 : i->align,
                            values[l]))
      return false;
  return true;
}

static bool allocate(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  hy_tile_region *r = hy_tile_memory_add(f->run->memory, "the stack", (uint64_t)i->offset, i->align % 64);
  if (!r) return hy_tile_undecided(f->run, "the limit of memory is reached", NULL);
  out[0] = hy_graph_const(f->run->graph, 64, r->base);
  return true;
}

// rule: base + offset + sum of index * size; poison, where it promises to stay in the region and does not
static bool address(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  hy_graph *g = f->run->graph;
  for (uint32_t l = 0; l < i->lanes; l++) {
    hy_node base = hy_frame_operand(f, i, 0)[hy_frame_width(f, i, 0) > 1 ? l : 0], bad;
    hy_node sum = hy_graph_add(g, base, hy_graph_const(g, 64, (uint64_t)i->offset));
    for (uint32_t k = 0; k < i->term_count; k++) {
      uint32_t width = hy_frame_width(f, i, i->terms[k].operand);
      hy_node index = hy_frame_operand(f, i, i->terms[k].operand)[width > 1 ? l : 0];
      index = hy_graph_resize(g, index, 64, true);
      sum = hy_graph_add(g, sum, hy_graph_mul(g, index, hy_graph_const(g, 64, (uint64_t)i->terms[k].bytes)));
    }
    hy_node from = hy_graph_defined(g, base, &bad), to = hy_graph_defined(g, sum, &bad);
    if ((i->flags & HY_IR_INBOUNDS) && hy_node_is_const(g, from) && hy_node_is_const(g, to) && from != to) {
      uint64_t start = hy_node_at(g, from)->value, end = hy_node_at(g, to)->value;
      hy_tile_region *r = hy_tile_memory_find(f->run->memory, start, 0);
      if (!r || end < r->base || end > r->base + r->size) sum = hy_graph_poison(g, 64);
    }
    out[l] = sum;
  }
  return true;
}

/* -- comparisons, casts -- */

static hy_node compare(hy_graph *g, hy_ir_predicate p, hy_node a, hy_node b) {
  hy_node result =
      p.is_swapped ? hy_graph_compare(g, (hy_node_op)p.ops[0], b, a) : hy_graph_compare(g, (hy_node_op)p.ops[0], a, b);
  if (p.ops[1]) result = hy_graph_or1(g, result, hy_graph_compare(g, (hy_node_op)p.ops[1], a, b));
  return p.is_denied ? hy_graph_not(g, result) : result;
}

static uint64_t real_power(int bits, int exponent, bool is_negative) {
  uint64_t sign = (uint64_t)is_negative << (bits - 1);
  return sign | (bits == 64 ? (uint64_t)(1023 + exponent) << 52 : (uint64_t)(127 + exponent) << 23);
}

// A conversion that does not saturate: poison where the number, cut off, does not fit.
static hy_node from_real(hy_graph *g, const hy_ir_inst *i, hy_node a) {
  bool is_signed = i->node == HY_NODE_TO_SIGNED;
  int wide = hy_node_bits(g, a);
  hy_node cut = hy_graph_op(g, HY_NODE_FTRUNC, wide, a, 0, 0, 0);
  hy_node least = hy_graph_const(g, wide, is_signed ? real_power(wide, i->bits - 1, true) : 0);
  hy_node end = hy_graph_const(g, wide, real_power(wide, is_signed ? i->bits - 1 : i->bits, false));
  hy_node fits =
      hy_graph_and1(g, hy_graph_compare(g, HY_NODE_FLE, least, cut), hy_graph_compare(g, HY_NODE_FLT, cut, end));
  return hy_graph_unless(g, hy_graph_op(g, (hy_node_op)i->node, i->bits, a, 0, 0, 0), hy_graph_not(g, fits));
}

// The same bits in lanes of another width.
static bool recast(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  hy_graph *g = f->run->graph;
  const hy_node *from = hy_frame_operand(f, i, 0);
  uint32_t width = hy_frame_width(f, i, 0), bits = f->function->values[i->operands[0]].bits;
  if (width * bits != i->lanes * i->bits || (i->bits % bits && bits % i->bits))
    return hy_tile_undecided(f->run, "a cast that is not known here", NULL);
  for (uint32_t l = 0; l < i->lanes; l++) {
    if (bits >= i->bits) {
      uint32_t parts = bits / i->bits;
      hy_node by = hy_graph_const(g, (int)bits, l % parts * i->bits);
      out[l] = hy_graph_resize(g, hy_graph_binary(g, HY_NODE_LSHR, from[l / parts], by), i->bits, false);
      continue;
    }
    uint32_t parts = i->bits / bits;
    out[l] = hy_graph_const(g, i->bits, 0);
    for (uint32_t k = 0; k < parts; k++)
      out[l] = hy_graph_add(g, out[l],
                            hy_graph_mul(g, hy_graph_resize(g, from[l * parts + k], i->bits, false),
                                         hy_graph_const(g, i->bits, UINT64_C(1) << k * bits)));
  }
  return true;
}

static bool cast(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  hy_graph *g = f->run->graph;
  const hy_node *from = hy_frame_operand(f, i, 0);
  if (!i->node && (hy_frame_width(f, i, 0) != i->lanes || f->function->values[i->operands[0]].bits != i->bits))
    return recast(f, i, out);
  for (uint32_t l = 0; l < i->lanes; l++) {
    hy_node a = from[l];
    if (!i->node || hy_node_bits(g, a) == i->bits)
      out[l] = a;
    else if (i->poisons)
      out[l] = from_real(g, i, a);
    else
      out[l] = hy_graph_op(g, (hy_node_op)i->node, i->bits, a, 0, 0, i->loose);
    if (i->poisons && hy_node_bits(g, a) == i->bits) out[l] = from_real(g, i, a);
    bool is_real = i->node == HY_NODE_FROM_SIGNED || i->node == HY_NODE_FROM_UNSIGNED;
    if (is_real) out[l] = hy_graph_op(g, (hy_node_op)i->node, i->bits, a, 0, 0, 0);
    if (i->flags & HY_IR_NNEG)
      out[l] =
          hy_graph_unless(g, out[l], hy_graph_compare(g, HY_NODE_SLT, a, hy_graph_const(g, hy_node_bits(g, a), 0)));
  }
  return true;
}

/* -- lanes -- */

static bool place(hy_tile_frame *f, const hy_ir_inst *i, uint32_t operand, uint32_t lanes, uint64_t *at) {
  if (!hy_tile_number(f->run, hy_frame_operand(f, i, operand)[0], "which lane", at)) return false;
  return *at < lanes || hy_tile_fail(&f->run->fault, HY_TILE_WRONG, "it uses a lane that there is not");
}

static bool move_lanes(hy_tile_frame *f, const hy_ir_inst *i, hy_node *out) {
  const hy_node *from = hy_frame_operand(f, i, 0);
  uint32_t width = hy_frame_width(f, i, 0);
  uint64_t at;
  switch ((int)i->op) {
  case HY_IR_INSERT_ELEMENT:
    if (!place(f, i, 2, i->lanes, &at)) return false;
    for (uint32_t l = 0; l < i->lanes; l++) out[l] = l == at ? hy_frame_operand(f, i, 1)[0] : from[l];
    return true;
  case HY_IR_EXTRACT_ELEMENT:
    if (!place(f, i, 1, width, &at)) return false;
    out[0] = from[at];
    return true;
  case HY_IR_EXTRACT_VALUE: out[0] = from[i->offset]; return true;
  default: break;
  }
  for (uint32_t l = 0; l < i->lanes; l++) {
    int32_t k = i->mask[l];
    out[l] = k < 0                 ? hy_graph_poison(f->run->graph, i->bits)
             : (uint32_t)k < width ? from[k]
                                   : hy_frame_operand(f, i, 1)[(uint32_t)k - width];
  }
  return true;
}

static hy_node frozen(hy_graph *g, hy_node a) {
  hy_node bad, value = hy_graph_defined(g, a, &bad);
  if (hy_node_is_value(g, bad, 0)) return value;
  int bits = hy_node_bits(g, value);
  return hy_graph_select(g, bad, hy_graph_symbol(g, bits, 0, hy_low_bits(bits)), value);
}

// fast-math flags: a node that has other values, too; "no NaN" is poison where there is one.
static hy_node real(hy_graph *g, const hy_ir_inst *i, hy_node_op op, hy_node a, hy_node b) {
  hy_node n = hy_graph_op(g, op, i->bits, a, b, 0, i->loose);
  return i->loose & HY_LOOSE_NO_NAN ? hy_graph_unless(g, n, hy_graph_compare(g, HY_NODE_FUNORDERED, n, n)) : n;
}

static hy_node lane(hy_tile_frame *f, const hy_ir_inst *i, uint32_t l) {
  hy_graph *g = f->run->graph;
  hy_node a = hy_frame_operand(f, i, 0)[hy_frame_width(f, i, 0) > 1 ? l : 0];
  hy_node b = i->operand_count > 1 ? hy_frame_operand(f, i, 1)[l] : 0;
  switch ((int)i->op) {
  case HY_IR_BINARY:
    if (i->node >= HY_NODE_FADD) return real(g, i, (hy_node_op)i->node, a, b);
    return hy_tile_flagged(g, i->node ? (hy_node_op)i->node : (hy_node_op)HY_TILE_DIFFERENCE, a, b, i->flags);
  case HY_IR_FNEG: return real(g, i, HY_NODE_FNEG, a, 0);
  case HY_IR_ICMP:
  case HY_IR_FCMP: return compare(g, i->predicate, a, b);
  case HY_IR_SELECT: return hy_graph_select(g, a, b, hy_frame_operand(f, i, 2)[l]);
  case HY_IR_FREEZE: return frozen(g, a);
  default: HY_UNREACHABLE();
  }
}

static bool are_known(hy_tile_frame *f, const hy_ir_inst *i) {
  for (uint32_t k = 0; k < i->operand_count; k++)
    for (uint32_t l = 0; l < hy_frame_width(f, i, k); l++)
      if (!hy_frame_operand(f, i, k)[l]) return false;
  return true;
}

bool hy_tile_execute(hy_tile_frame *f, const hy_ir_inst *i) {
  hy_node *out = hy_frame_lanes(f, i->result);
  if (i->op == HY_IR_OTHER) return hy_tile_undecided(f->run, "an instruction that is not known here:", i->name);
  if (!are_known(f, i)) return hy_tile_undecided(f->run, "a constant that is not known here", i->name);
  f->run->steps += i->lanes;
  switch ((int)i->op) {
  case HY_IR_LOAD: return load(f, i, out);
  case HY_IR_STORE: return store(f, i);
  case HY_IR_ADDRESS: return address(f, i, out);
  case HY_IR_ALLOCA: return allocate(f, i, out);
  case HY_IR_CAST: return cast(f, i, out);
  case HY_IR_CALL: return strncmp(i->name, "llvm.", 5) == 0 ? hy_tile_intrinsic(f, i) : hy_tile_runtime(f, i);
  case HY_IR_INSERT_ELEMENT:
  case HY_IR_EXTRACT_ELEMENT:
  case HY_IR_EXTRACT_VALUE:
  case HY_IR_SHUFFLE: return move_lanes(f, i, out);
  default: break;
  }
  for (uint32_t l = 0; l < i->lanes; l++) out[l] = lane(f, i, l);
  return true;
}
