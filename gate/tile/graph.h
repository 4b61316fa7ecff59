#ifndef HY_TILE_GRAPH_H
#define HY_TILE_GRAPH_H

/* Values of a run with unknown contents of images: nodes of a graph, each made once, so that two values that are
 * computed the same way are one number. Every node is a word of 1 to 64 bits; floats are their bits.
 *
 * Constructors bring nodes into a normal form (graph_linear.c, graph_compare.c, graph_narrow.c, graph_float.c); every
 * rule there holds for all values of its unknowns, and the tests hold each against hy_node_apply. Two nodes that are
 * equal are equal for all values of the symbols; two that are not may still be.
 *
 * Poison (LLVM's word) is a node UNLESS: "a, but nothing at all where b is true". No other node has an UNLESS below it.
 */

#include "semantics/base/vec.h"
#include "semantics/value/value.h"

typedef uint32_t hy_node; // 0: none

typedef enum hy_node_op {
  HY_NODE_CONST,
  HY_NODE_SYMBOL, // "value" is its number
  HY_NODE_UNLESS, // a, poison where b (1 bit)
  // words; ADD and MUL are sums and products in order (graph_linear.c)
  HY_NODE_ADD,
  HY_NODE_MUL,
  HY_NODE_UDIV, // by 0: 0; the remainder is then all of it
  HY_NODE_UREM,
  HY_NODE_SDIV,
  HY_NODE_SREM,
  HY_NODE_SHL,
  HY_NODE_LSHR,
  HY_NODE_ASHR,
  HY_NODE_AND,
  HY_NODE_OR,
  HY_NODE_XOR,
  HY_NODE_EQ,
  HY_NODE_ULT,
  HY_NODE_SLT,
  HY_NODE_RELU, // max(a, 0), signed
  HY_NODE_UMIN,
  HY_NODE_UMAX,
  HY_NODE_SMIN,
  HY_NODE_SMAX,
  HY_NODE_SELECT, // a (1 bit) ? b : c
  HY_NODE_ZEXT,
  HY_NODE_SEXT,
  HY_NODE_TRUNC,
  HY_NODE_UADD_O, // 1 bit: does the sum, difference, product leave the type?
  HY_NODE_SADD_O,
  HY_NODE_USUB_O,
  HY_NODE_SSUB_O,
  HY_NODE_UMUL_O,
  HY_NODE_SMUL_O,
  HY_NODE_POPCOUNT,
  HY_NODE_CTLZ, // of 0: the width
  HY_NODE_CTTZ,
  HY_NODE_MULHIGH, // the upper half of the unsigned product
  // floats of 32 or 64 bits; "extra" holds the hy_loose that LLVM may take
  HY_NODE_FADD,
  HY_NODE_FSUB,
  HY_NODE_FMUL,
  HY_NODE_FDIV,
  HY_NODE_FNEG,
  HY_NODE_FABS,
  HY_NODE_FMA,
  HY_NODE_FSQRT,
  HY_NODE_FFLOOR,
  HY_NODE_FCEIL,
  HY_NODE_FROUND, // ties to even
  HY_NODE_FROUND_AWAY,
  HY_NODE_FTRUNC,
  HY_NODE_FEQ, // 1 bit, ordered
  HY_NODE_FLT,
  HY_NODE_FLE,
  HY_NODE_FUNORDERED,
  HY_NODE_FCOPYSIGN,
  HY_NODE_FEXT, // 32 -> 64
  HY_NODE_FCUT, // 64 -> 32
  HY_NODE_FROM_SIGNED,
  HY_NODE_FROM_UNSIGNED,
  HY_NODE_TO_SIGNED, // saturates, NaN gives 0
  HY_NODE_TO_UNSIGNED,
  HY_NODE_OPS,
} hy_node_op;

// What fast-math flags allow: such a node has more than one value (valuation.h looks at another one).
enum { HY_LOOSE_CONTRACT = 1, HY_LOOSE_REASSOCIATE = 2, HY_LOOSE_NO_NAN = 4, HY_LOOSE_OTHER = 8 };

typedef struct hy_node_data {
  uint8_t op, bits;
  uint16_t extra;
  hy_node a[3];
  uint64_t value;       // CONST, SYMBOL
  uint64_t least, most; // as an unsigned number
  int64_t low, high;    // as a signed one
} hy_node_data;

typedef struct hy_graph {
  HY_VEC(hy_node_data) nodes; // [0] is nobody
  hy_node *table;
  size_t table_size;
  uint32_t symbols;
  size_t most_nodes; // 0: any number
  bool is_full;      // more were asked for: what was made since then is good for nothing
  int depth;         // of constructors that call each other
} hy_graph;

void hy_graph_init(hy_graph *graph, size_t most_nodes);
void hy_graph_free(hy_graph *graph);

static inline const hy_node_data *hy_node_at(const hy_graph *g, hy_node n) { return &g->nodes.data[n]; }
static inline int hy_node_bits(const hy_graph *g, hy_node n) { return g->nodes.data[n].bits; }
static inline bool hy_node_is_const(const hy_graph *g, hy_node n) { return g->nodes.data[n].op == HY_NODE_CONST; }
static inline bool hy_node_is(const hy_graph *g, hy_node n, hy_node_op op) { return g->nodes.data[n].op == op; }
// A constant of that number?
bool hy_node_is_value(const hy_graph *graph, hy_node node, uint64_t value);

static inline uint64_t hy_low_bits(int bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }
static inline int64_t hy_sign_extended(uint64_t value, int bits) {
  return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* -- making nodes -- */

hy_node hy_graph_const(hy_graph *graph, int bits, uint64_t value);
// A new unknown with a number of its own, between "least" and "most".
hy_node hy_graph_symbol(hy_graph *graph, int bits, uint64_t least, uint64_t most);
hy_node hy_graph_poison(hy_graph *graph, int bits);
// Any operator but those three; "bits" of the result; b and c are 0 where it has fewer arguments.
hy_node hy_graph_op(hy_graph *graph, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra);

static inline hy_node hy_graph_binary(hy_graph *g, hy_node_op op, hy_node a, hy_node b) {
  return hy_graph_op(g, op, hy_node_bits(g, a), a, b, 0, 0);
}
static inline hy_node hy_graph_add(hy_graph *g, hy_node a, hy_node b) { return hy_graph_binary(g, HY_NODE_ADD, a, b); }
static inline hy_node hy_graph_mul(hy_graph *g, hy_node a, hy_node b) { return hy_graph_binary(g, HY_NODE_MUL, a, b); }
hy_node hy_graph_sub(hy_graph *graph, hy_node a, hy_node b);
hy_node hy_graph_not(hy_graph *graph, hy_node a);                               // all bits
hy_node hy_graph_compare(hy_graph *graph, hy_node_op op, hy_node a, hy_node b); // 1 bit
hy_node hy_graph_select(hy_graph *graph, hy_node condition, hy_node a, hy_node b);
hy_node hy_graph_resize(hy_graph *graph, hy_node a, int bits, bool is_signed); // cuts off or extends
hy_node hy_graph_and1(hy_graph *graph, hy_node a, hy_node b);                  // 1 bit
hy_node hy_graph_or1(hy_graph *graph, hy_node a, hy_node b);
// a, poison where "bad" (1 bit).
hy_node hy_graph_unless(hy_graph *graph, hy_node a, hy_node bad);
// What is under an UNLESS; *bad is its condition, or a constant 0.
hy_node hy_graph_defined(hy_graph *graph, hy_node a, hy_node *bad);

// 1 bit: does a + b, a * b, or with any other operator a - b, leave the type? A constant 0 where ranges say no.
hy_node hy_graph_leaves(hy_graph *graph, hy_node_op op, hy_node a, hy_node b, bool is_signed);

/* -- one application, of numbers -- */

// The value of an operator on such arguments, which have "wide" bits (of SELECT and of conversions the first one).
uint64_t hy_node_apply(hy_node_op op, int bits, int wide, const uint64_t *a);

/* -- inside -- */

hy_node hy_graph_make(hy_graph *graph, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra);
hy_node hy_graph_make_ranged(hy_graph *graph, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra,
                             uint64_t least, uint64_t most, int64_t low, int64_t high);
// Sums, products, differences, negations.
hy_node hy_graph_linear(hy_graph *graph, hy_node_op op, hy_node a, hy_node b);
// ... of such a node at another width: the sum of what its terms become. requires: ADD or MUL
hy_node hy_graph_linear_cut(hy_graph *graph, hy_node a, int bits);
// ... shifted right by a constant; 0: it is no simpler then. requires: ADD or MUL
hy_node hy_graph_linear_shift(hy_graph *graph, hy_node a, int by);
// The difference as a number that does not wrap, in a wider type; 0: there is none.
hy_node hy_graph_difference(hy_graph *graph, hy_node a, hy_node b, bool is_signed);
// Has the first term of the sum a factor below 0?
bool hy_graph_is_turned(hy_graph *graph, hy_node a);
// a == factor * b, for a factor but 0?
bool hy_graph_is_multiple(hy_graph *graph, hy_node a, hy_node b, int64_t *factor);
hy_node hy_graph_order(hy_graph *graph, hy_node_op op, hy_node a, hy_node b); // EQ, ULT, SLT
hy_node hy_graph_choice(hy_graph *graph, hy_node condition, hy_node a, hy_node b);
hy_node hy_graph_extremum(hy_graph *graph, hy_node_op op, hy_node a, hy_node b);
hy_node hy_graph_relu(hy_graph *graph, hy_node a);
hy_node hy_graph_conversion(hy_graph *graph, hy_node_op op, int bits, hy_node a);
hy_node hy_graph_bitwise(hy_graph *graph, hy_node_op op, hy_node a, hy_node b); // also division, shifts
hy_node hy_graph_real(hy_graph *graph, hy_node_op op, int bits, hy_node a, hy_node b, hy_node c, unsigned extra);

#endif
