// math.def over nodes.

#include "gate/tile/meaning.h"

#include <string.h>

static hy_node real_const(hy_graph *g, double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return hy_graph_const(g, 64, bits);
}
static hy_node number_real(hy_graph *g, hy_node_op op, hy_node a, hy_node b, hy_node c) {
  return hy_graph_op(g, op, 64, a, b, c, 0);
}
static hy_node bits_shift(hy_graph *g, hy_node_op op, hy_node a, int by) {
  return hy_graph_binary(g, op, a, hy_graph_const(g, 64, (uint64_t)by));
}

#define M_FUNCTION1(name, x) static hy_node math_##name(hy_graph *m_g, hy_node x) {
#define M_FUNCTION2(name, x, y) static hy_node math_##name(hy_graph *m_g, hy_node x, hy_node y) {
#define M_END }
#define M_RETURN(a) return a;
#define M_CALL1(name, a) math_##name(m_g, a)
#define M_CALL2(name, a, b) math_##name(m_g, a, b)
#define M_LET(name, a) hy_node name = a;
#define M_LET_BITS(name, a) hy_node name = a;
#define M_LET_MASK(name, a) hy_node name = a;
#define M_CONST(c) real_const(m_g, c)
#define M_ADD(a, c) number_real(m_g, HY_NODE_FADD, a, c, 0)
#define M_SUB(a, c) number_real(m_g, HY_NODE_FSUB, a, c, 0)
#define M_MUL(a, c) number_real(m_g, HY_NODE_FMUL, a, c, 0)
#define M_DIV(a, c) number_real(m_g, HY_NODE_FDIV, a, c, 0)
#define M_NEG(a) number_real(m_g, HY_NODE_FNEG, a, 0, 0)
#define M_ABS(a) number_real(m_g, HY_NODE_FABS, a, 0, 0)
#define M_FMA(a, c, d) number_real(m_g, HY_NODE_FMA, a, c, d)
#define M_SQRT(a) number_real(m_g, HY_NODE_FSQRT, a, 0, 0)
#define M_LT(a, c) hy_graph_compare(m_g, HY_NODE_FLT, a, c)
#define M_LE(a, c) hy_graph_compare(m_g, HY_NODE_FLE, a, c)
#define M_EQ(a, c) hy_graph_compare(m_g, HY_NODE_FEQ, a, c)
#define M_MASK_AND(a, c) hy_graph_and1(m_g, a, c)
#define M_MASK_OR(a, c) hy_graph_or1(m_g, a, c)
#define M_MASK_NOT(a) hy_graph_not(m_g, a)
#define M_SELECT(mask, a, c) hy_graph_select(m_g, mask, a, c)
#define M_BITS(a) (a)
#define M_FROM_BITS(a) (a)
#define M_BITS_CONST(c) hy_graph_const(m_g, 64, UINT64_C(c))
#define M_BITS_ADD(a, c) hy_graph_add(m_g, a, c)
#define M_BITS_SUB(a, c) hy_graph_sub(m_g, a, c)
#define M_BITS_AND(a, c) hy_graph_binary(m_g, HY_NODE_AND, a, c)
#define M_BITS_OR(a, c) hy_graph_binary(m_g, HY_NODE_OR, a, c)
#define M_BITS_XOR(a, c) hy_graph_binary(m_g, HY_NODE_XOR, a, c)
#define M_BITS_SHL(a, n) bits_shift(m_g, HY_NODE_SHL, a, n)
#define M_BITS_SHR(a, n) bits_shift(m_g, HY_NODE_LSHR, a, n)
#include "semantics/value/math.def"

hy_node hy_meant_math(hy_graph *g, hy_op op, bool is_f32, hy_node a, hy_node b) {
#define ONE(OP, name)                                                                                                  \
  if (op == HY_OP_##OP) return is_f32 ? math_##name##_f32(g, a) : math_##name##_f64(g, a);
#define TWO(OP, name)                                                                                                  \
  if (op == HY_OP_##OP) return is_f32 ? math_##name##_f32(g, a, b) : math_##name##_f64(g, a, b);
  ONE(SIN, sin)
  ONE(COS, cos)
  ONE(TAN, tan)
  ONE(EXP, exp)
  ONE(LOG, log)
  ONE(ATAN, atan)
  ONE(TANH, tanh)
  ONE(ASIN, asin)
  ONE(ACOS, acos)
  ONE(SINH, sinh)
  ONE(COSH, cosh)
  ONE(ASINH, asinh)
  ONE(ACOSH, acosh)
  ONE(ATANH, atanh)
  ONE(ERF, erf)
  TWO(POW, pow)
  TWO(ATAN2, atan2)
#undef ONE
#undef TWO
  return 0;
}
