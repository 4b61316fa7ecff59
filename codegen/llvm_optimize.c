#include "codegen/codegen_internal.h"

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

static void run_passes(hy_emitter *e, LLVMTargetMachineRef machine, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(e->module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error) HY_DIE("LLVM cannot run %s: %s", passes, LLVMGetErrorMessage(error));
}

// requires: the module is verified
void hy_optimize(hy_emitter *e, LLVMTargetMachineRef machine) {
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetTarget(e->module, triple);
  LLVMSetModuleDataLayout(e->module, layout);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
  char passes[32];
  int optimize = e->options.optimize < 0 ? 0 : e->options.optimize > 3 ? 3 : e->options.optimize;
  snprintf(passes, sizeof passes, "default<O%d>", optimize);
  run_passes(e, machine, passes);
  // Instrumentation comes last, so that it sees the accesses that are really made.
  if (e->options.sanitize == HY_SANITIZE_ADDRESS) run_passes(e, machine, "asan");
  if (e->options.sanitize == HY_SANITIZE_THREAD) run_passes(e, machine, "tsan-module,function(tsan)");
}
