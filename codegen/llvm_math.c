#include "codegen/codegen_internal.h"

#include <stdio.h>
#include <string.h>

/* math.def over LLVM values: the text of the one definition, expanded into instructions on doubles or vectors of
 * doubles. Each function and width that a module needs is one internal LLVM function; the inliner decides the rest. No
 * flag allows LLVM to reassociate or contract anything.
 */

typedef struct math {
  hy_frame *frame; // of which only the builder is the function's own
  LLVMBuilderRef b;
  int lanes;
  LLVMTypeRef real, bits; // double and i64, or vectors of them
  LLVMValueRef stack[32]; // operands that wait for the operation around them
  int depth;
} math;

static LLVMValueRef real_const(const math *m, double value) {
  return hy_splat(m->frame, LLVMConstReal(m->frame->emitter->f64, value), m->lanes);
}
static LLVMValueRef bits_const(const math *m, uint64_t value) {
  return hy_splat(m->frame, LLVMConstInt(m->frame->emitter->i64, value, false), m->lanes);
}

/* Operands are emitted one by one, the last one first, and wait on the stack: C leaves the order of a call's arguments
 * to the compiler, and the order of instructions would be its.
 */

static void put(math *m, LLVMValueRef value) {
  HY_ASSERT(m->depth < (int)HY_COUNT(m->stack));
  m->stack[m->depth++] = value;
}
static LLVMValueRef take(math *m) { return m->stack[--m->depth]; }

typedef LLVMValueRef math1(math *, LLVMValueRef);
typedef LLVMValueRef math2(math *, LLVMValueRef, LLVMValueRef);
typedef LLVMValueRef builder_of_two(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);

static LLVMValueRef two(math *m, builder_of_two *build) {
  LLVMValueRef a = take(m), c = take(m);
  return build(m->b, a, c, "");
}
static LLVMValueRef call_two(math *m, math2 *function) {
  LLVMValueRef a = take(m), c = take(m);
  return function(m, a, c);
}
static LLVMValueRef compare(math *m, LLVMRealPredicate order) {
  LLVMValueRef a = take(m), c = take(m);
  return LLVMBuildFCmp(m->b, order, a, c, "");
}
static LLVMValueRef choice(math *m) {
  LLVMValueRef mask = take(m), a = take(m), c = take(m);
  return LLVMBuildSelect(m->b, mask, a, c, "");
}
static LLVMValueRef intrinsic(math *m, const char *name, int count) {
  LLVMValueRef args[3];
  for (int i = 0; i < count; i++) args[i] = take(m);
  return hy_emit_intrinsic(m->frame, name, &m->real, 1, args, count);
}

#define M_FUNCTION1(name, x) static LLVMValueRef math_##name(math *m_m, LLVMValueRef x) {
#define M_FUNCTION2(name, x, y) static LLVMValueRef math_##name(math *m_m, LLVMValueRef x, LLVMValueRef y) {
#define M_END }
#define M_RETURN(a) return a;
#define M_CALL1(name, a) math_##name(m_m, a)
#define M_CALL2(name, a, c) (put(m_m, c), put(m_m, a), call_two(m_m, math_##name))
#define M_LET(name, a) LLVMValueRef name = a;
#define M_LET_BITS(name, a) LLVMValueRef name = a;
#define M_LET_MASK(name, a) LLVMValueRef name = a;
#define M_CONST(c) real_const(m_m, c)
#define M_TWO(build, a, c) (put(m_m, c), put(m_m, a), two(m_m, build))
#define M_ADD(a, c) M_TWO(LLVMBuildFAdd, a, c)
#define M_SUB(a, c) M_TWO(LLVMBuildFSub, a, c)
#define M_MUL(a, c) M_TWO(LLVMBuildFMul, a, c)
#define M_DIV(a, c) M_TWO(LLVMBuildFDiv, a, c)
#define M_NEG(a) LLVMBuildFNeg(m_m->b, a, "")
#define M_ABS(a) (put(m_m, a), intrinsic(m_m, "llvm.fabs", 1))
#define M_FMA(a, c, d) (put(m_m, d), put(m_m, c), put(m_m, a), intrinsic(m_m, "llvm.fma", 3))
#define M_COMPARE(order, a, c) (put(m_m, c), put(m_m, a), compare(m_m, order))
#define M_SQRT(a) (put(m_m, a), intrinsic(m_m, "llvm.sqrt", 1))
#define M_LT(a, c) M_COMPARE(LLVMRealOLT, a, c)
#define M_LE(a, c) M_COMPARE(LLVMRealOLE, a, c)
#define M_EQ(a, c) M_COMPARE(LLVMRealOEQ, a, c)
#define M_MASK_AND(a, c) M_TWO(LLVMBuildAnd, a, c)
#define M_MASK_OR(a, c) M_TWO(LLVMBuildOr, a, c)
#define M_MASK_NOT(a) LLVMBuildNot(m_m->b, a, "")
#define M_SELECT(mask, a, c) (put(m_m, c), put(m_m, a), put(m_m, mask), choice(m_m))
#define M_BITS(a) LLVMBuildBitCast(m_m->b, a, m_m->bits, "")
#define M_FROM_BITS(a) LLVMBuildBitCast(m_m->b, a, m_m->real, "")
#define M_BITS_CONST(c) bits_const(m_m, UINT64_C(c))
#define M_BITS_ADD(a, c) M_TWO(LLVMBuildAdd, a, c)
#define M_BITS_SUB(a, c) M_TWO(LLVMBuildSub, a, c)
#define M_BITS_AND(a, c) M_TWO(LLVMBuildAnd, a, c)
#define M_BITS_OR(a, c) M_TWO(LLVMBuildOr, a, c)
#define M_BITS_XOR(a, c) M_TWO(LLVMBuildXor, a, c)
#define M_BITS_SHL(a, n) LLVMBuildShl(m_m->b, a, bits_const(m_m, n), "")
#define M_BITS_SHR(a, n) LLVMBuildLShr(m_m->b, a, bits_const(m_m, n), "")
#include "semantics/value/math.def"

typedef struct definition {
  math1 *unary;
  math2 *binary;
} definition;

static bool definition_of(hy_op op, bool is_f32, definition *d) {
#define UNARY(OP, name)                                                                                                \
  if (op == HY_OP_##OP) return *d = (definition){is_f32 ? math_##name##_f32 : math_##name##_f64, NULL}, true;
#define BINARY(OP, name)                                                                                               \
  if (op == HY_OP_##OP) return *d = (definition){NULL, is_f32 ? math_##name##_f32 : math_##name##_f64}, true;
  UNARY(SIN, sin)
  UNARY(COS, cos)
  UNARY(TAN, tan)
  UNARY(EXP, exp)
  UNARY(LOG, log)
  UNARY(ATAN, atan)
  UNARY(TANH, tanh)
  UNARY(ASIN, asin)
  UNARY(ACOS, acos)
  UNARY(SINH, sinh)
  UNARY(COSH, cosh)
  UNARY(ASINH, asinh)
  UNARY(ACOSH, acosh)
  UNARY(ATANH, atanh)
  UNARY(ERF, erf)
  BINARY(POW, pow)
  BINARY(ATAN2, atan2)
#undef UNARY
#undef BINARY
  return false;
}

static void emit_body(hy_emitter *e, LLVMValueRef function, definition d, int lanes) {
  // A frame of its own, for the builder alone: the definitions have no variables and no memory.
  hy_frame frame = {.emitter = e, .lanes = lanes, .function = function};
  frame.builder = LLVMCreateBuilderInContext(e->llvm);
  LLVMPositionBuilderAtEnd(frame.builder, hy_frame_block(&frame, "entry"));
  math m = {.frame = &frame, .b = frame.builder, .lanes = lanes};
  m.real = hy_emit_type(e, HY_F64, lanes), m.bits = hy_emit_type(e, HY_I64, lanes);
  LLVMValueRef result = d.unary ? d.unary(&m, LLVMGetParam(function, 0))
                                : d.binary(&m, LLVMGetParam(function, 0), LLVMGetParam(function, 1));
  LLVMBuildRet(frame.builder, result);
  LLVMDisposeBuilder(frame.builder);
}

static void add_attribute(hy_emitter *e, LLVMValueRef function, const char *name, uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->llvm, kind, value));
}

LLVMValueRef hy_emit_math(hy_frame *frame, hy_op op, hy_type type, LLVMValueRef const *args, int lanes) {
  hy_emitter *e = frame->emitter;
  bool is_f32 = type == HY_F32;
  definition d;
  bool is_defined = definition_of(op, is_f32, &d);
  HY_ASSERT(is_defined);
  int arity = hy_op_arity(op);
  LLVMTypeRef real = hy_emit_type(e, HY_F64, lanes), params[] = {real, real};
  LLVMTypeRef signature = LLVMFunctionType(real, params, (unsigned)arity, false);
  char name[64];
  snprintf(name, sizeof name, "hy_%s_%s_x%d", hy_op_spelling(op), hy_type_name(type), lanes);
  LLVMValueRef function = LLVMGetNamedFunction(e->module, name);
  if (!function) {
    function = LLVMAddFunction(e->module, name, signature);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    add_attribute(e, function, "nounwind", 0);
    add_attribute(e, function, "willreturn", 0);
    add_attribute(e, function, "memory", 0); // reads and writes nothing
    emit_body(e, function, d, lanes);
  }
  LLVMValueRef wide[2];
  for (int i = 0; i < arity; i++) wide[i] = is_f32 ? LLVMBuildFPExt(frame->builder, args[i], real, "") : args[i];
  LLVMValueRef result = LLVMBuildCall2(frame->builder, signature, function, wide, (unsigned)arity, "");
  return is_f32 ? LLVMBuildFPTrunc(frame->builder, result, hy_emit_type(e, HY_F32, lanes), "") : result;
}
