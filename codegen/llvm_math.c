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
} math;

static LLVMValueRef real_const(const math *m, double value) {
  return hy_splat(m->frame, LLVMConstReal(m->frame->emitter->f64, value), m->lanes);
}
static LLVMValueRef bits_const(const math *m, uint64_t value) {
  return hy_splat(m->frame, LLVMConstInt(m->frame->emitter->i64, value, false), m->lanes);
}
static LLVMValueRef intrinsic(const math *m, const char *name, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c, int n) {
  LLVMValueRef args[] = {a, b, c};
  return hy_emit_intrinsic(m->frame, name, &m->real, 1, args, n);
}

#define M_FUNCTION1(name, x) static LLVMValueRef math_##name(const math *m_m, LLVMValueRef x) {
#define M_FUNCTION2(name, x, y) static LLVMValueRef math_##name(const math *m_m, LLVMValueRef x, LLVMValueRef y) {
#define M_END }
#define M_RETURN(a) return a;
#define M_CALL1(name, a) math_##name(m_m, a)
#define M_CALL2(name, a, b) math_##name(m_m, a, b)
#define M_LET(name, a) LLVMValueRef name = a;
#define M_LET_BITS(name, a) LLVMValueRef name = a;
#define M_LET_MASK(name, a) LLVMValueRef name = a;
#define M_CONST(c) real_const(m_m, c)
#define M_ADD(a, c) LLVMBuildFAdd(m_m->b, a, c, "")
#define M_SUB(a, c) LLVMBuildFSub(m_m->b, a, c, "")
#define M_MUL(a, c) LLVMBuildFMul(m_m->b, a, c, "")
#define M_DIV(a, c) LLVMBuildFDiv(m_m->b, a, c, "")
#define M_NEG(a) LLVMBuildFNeg(m_m->b, a, "")
#define M_ABS(a) intrinsic(m_m, "llvm.fabs", a, NULL, NULL, 1)
#define M_FMA(a, c, d) intrinsic(m_m, "llvm.fma", a, c, d, 3)
#define M_LT(a, c) LLVMBuildFCmp(m_m->b, LLVMRealOLT, a, c, "")
#define M_LE(a, c) LLVMBuildFCmp(m_m->b, LLVMRealOLE, a, c, "")
#define M_EQ(a, c) LLVMBuildFCmp(m_m->b, LLVMRealOEQ, a, c, "")
#define M_MASK_AND(a, c) LLVMBuildAnd(m_m->b, a, c, "")
#define M_MASK_OR(a, c) LLVMBuildOr(m_m->b, a, c, "")
#define M_MASK_NOT(a) LLVMBuildNot(m_m->b, a, "")
#define M_SELECT(mask, a, c) LLVMBuildSelect(m_m->b, mask, a, c, "")
#define M_BITS(a) LLVMBuildBitCast(m_m->b, a, m_m->bits, "")
#define M_FROM_BITS(a) LLVMBuildBitCast(m_m->b, a, m_m->real, "")
#define M_BITS_CONST(c) bits_const(m_m, UINT64_C(c))
#define M_BITS_ADD(a, c) LLVMBuildAdd(m_m->b, a, c, "")
#define M_BITS_SUB(a, c) LLVMBuildSub(m_m->b, a, c, "")
#define M_BITS_AND(a, c) LLVMBuildAnd(m_m->b, a, c, "")
#define M_BITS_OR(a, c) LLVMBuildOr(m_m->b, a, c, "")
#define M_BITS_XOR(a, c) LLVMBuildXor(m_m->b, a, c, "")
#define M_BITS_SHL(a, n) LLVMBuildShl(m_m->b, a, bits_const(m_m, n), "")
#define M_BITS_SHR(a, n) LLVMBuildLShr(m_m->b, a, bits_const(m_m, n), "")
#include "semantics/value/math.def"

typedef LLVMValueRef math1(const math *, LLVMValueRef);
typedef LLVMValueRef math2(const math *, LLVMValueRef, LLVMValueRef);

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
  math m = {&frame, frame.builder, lanes, hy_emit_type(e, HY_F64, lanes), hy_emit_type(e, HY_I64, lanes)};
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
