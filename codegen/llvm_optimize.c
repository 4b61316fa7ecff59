#include "codegen/codegen_internal.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void initialize(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
}

static LLVMCodeGenOptLevel level(int optimize) {
  if (optimize <= 0) return LLVMCodeGenLevelNone;
  if (optimize == 1) return LLVMCodeGenLevelLess;
  return optimize == 2 ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelAggressive;
}

// The processor that this runs on. LLVM's registry of targets is filled once per process.
LLVMTargetMachineRef hy_target_machine(const hy_codegen_options *options) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  char *triple = LLVMGetDefaultTargetTriple(), *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
  char *message = NULL;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) HY_DIE("LLVM has no target for this machine: %s", message);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, triple, cpu, features, level(options->optimize),
                                                         LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  HY_ASSERT(machine);
  return machine;
}

// Masks on 8 and 16 bits need AVX-512 BW, those on 32 and 64 bits AVX.
int hy_target_mask_bytes(const hy_codegen_options *options) {
  if (options->scalar_tails) return 0;
  char *features = LLVMGetHostCPUFeatures();
  bool all = strstr(features, "+avx512bw") && strstr(features, "+avx512vl"), wide = strstr(features, "+avx,");
  LLVMDisposeMessage(features);
  return all ? 1 : wide ? 4 : 0;
}

// The module is for this machine: alignments and sizes are its own from the beginning.
void hy_target_describe(hy_emitter *e) {
  char *triple = LLVMGetTargetMachineTriple(e->machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(e->machine);
  LLVMSetTarget(e->module, triple);
  LLVMSetModuleDataLayout(e->module, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
}

static void run_passes(hy_emitter *e, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(e->module, passes, e->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) HY_DIE("LLVM cannot run %s: %s", passes, LLVMGetErrorMessage(error));
}

// requires: the module is verified
void hy_optimize(hy_emitter *e) {
  char passes[32];
  int optimize = e->options.optimize < 0 ? 0 : e->options.optimize > 3 ? 3 : e->options.optimize;
  snprintf(passes, sizeof passes, "default<O%d>", optimize);
  run_passes(e, passes);
  // Instrumentation comes last, so that it sees the accesses that are really made.
  if (e->options.sanitize == HY_SANITIZE_ADDRESS) run_passes(e, "asan");
  if (e->options.sanitize == HY_SANITIZE_THREAD) run_passes(e, "tsan-module,function(tsan)");
}

/* -- what LLVM is told of loops -- */

static LLVMMetadataRef text(hy_emitter *e, const char *string) {
  return LLVMMDStringInContext2(e->llvm, string, strlen(string));
}

// The schedule says what is unrolled. LLVM may unroll whole loops of a few known iterations, and innermost scalar loops
// as it likes; copies of outer loops cost more time to compile than they ever gain.
void hy_advise_loop(hy_emitter *e, LLVMValueRef back, hy_loop_advice advice) {
  if (advice == HY_LOOP_FREE) return;
  LLVMMetadataRef name =
      text(e, advice == HY_LOOP_PLAIN ? "llvm.loop.unroll.disable" : "llvm.loop.unroll.runtime.disable");
  LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, false));
  LLVMMetadataRef width[] = {text(e, "llvm.loop.vectorize.width"), one};
  // The first operand of a loop's node is the node, to make it one of a kind.
  LLVMMetadataRef self = LLVMTemporaryMDNode(e->llvm, NULL, 0);
  LLVMMetadataRef parts[] = {self, LLVMMDNodeInContext2(e->llvm, &name, 1), LLVMMDNodeInContext2(e->llvm, width, 2)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(e->llvm, parts, advice == HY_LOOP_PLAIN ? 3 : 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  unsigned kind = LLVMGetMDKindIDInContext(e->llvm, "llvm.loop", 9);
  LLVMSetMetadata(back, kind, LLVMMetadataAsValue(e->llvm, node));
}
