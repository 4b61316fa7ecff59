// Vectors of a processor that are no IEEE arithmetic are not used for floats. NEON of 32-bit ARM takes subnormal numbers
// for 0, in results and operands alike (VAL.Float knows no such thing), and LLVM makes it of every vector of f32. f64 it
// does not have. A module that computes f32 anywhere does without: an optimization may make vectors of scalars.

#include "codegen/codegen_internal.h"

#include <string.h>

static bool is_f32(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) type = LLVMGetElementType(type);
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind;
}

static bool computes_f32(LLVMValueRef instruction) {
  if (is_f32(LLVMTypeOf(instruction))) return true;
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (is_f32(LLVMTypeOf(LLVMGetOperand(instruction, (unsigned)i)))) return true; // a comparison, a conversion
  return false;
}

static bool has_f32(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (computes_f32(i)) return true;
  return false;
}

// GEN.Subnormal
void hy_target_restrict(hy_emitter *e) {
  static const char name[] = "target-features";
  const char *features = e->target->float_features;
  if (!features || !has_f32(e->module)) return;
  hy_context_hit(e->context, HY_RULE_GEN_SUBNORMAL);
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(e->llvm, name, sizeof name - 1, features, (unsigned)strlen(features));
  for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f)) LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}
