#include "codegen/codegen_internal.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// Addresses are emitted as the processor wants them (llvm_offset.c), from loops that count from 0. What LLVM's loop
// strength reduction makes of them is no faster, sometimes slower, and costs half of the time that it takes to make
// code. So it runs where it gains a little (below), not in every program.
static const char *const settings[] = {"halyard", "-disable-lsr"};

static void initialize(void) {
  LLVMParseCommandLineOptions(HY_COUNT(settings), settings, NULL);
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMInitializeNativeAsmParser();
#define HY_TARGET(name, triple, cpu, features, floats, bits, fma, saturate, divide, rounds, f16, mask, llvm)           \
  LLVMInitialize##llvm##TargetInfo(), LLVMInitialize##llvm##Target(), LLVMInitialize##llvm##TargetMC();                \
  LLVMInitialize##llvm##AsmPrinter();
#include "codegen/target.def"
#undef HY_TARGET
}

static LLVMCodeGenOptLevel level(int optimize) {
  if (optimize <= 0) return LLVMCodeGenLevelNone;
  if (optimize == 1) return LLVMCodeGenLevelLess;
  return optimize == 2 ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelAggressive;
}

const hy_target *hy_target_of(const hy_codegen_options *options) {
  return options->target ? options->target : hy_target_host();
}

// LLVM's registry of targets is filled once per process.
LLVMTargetMachineRef hy_target_machine(const hy_codegen_options *options) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
  const hy_target *wanted = hy_target_of(options);
  char *message = NULL;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(wanted->triple, &target, &message))
    HY_DIE("LLVM has no target %s: %s", wanted->triple, message);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(target, wanted->triple, wanted->cpu, wanted->features,
                                                         level(options->optimize), LLVMRelocPIC, LLVMCodeModelDefault);
  HY_ASSERT(machine);
  return machine;
}

int hy_target_mask_bytes(const hy_codegen_options *options) {
  return options->scalar_tails ? 0 : hy_target_of(options)->mask_bytes;
}

// The module is for that machine: alignments and sizes are its own from the beginning.
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

// All optimizations: LLVM's own O3 without the passes that find nothing in what is emitted here (loops come rotated;
// there are no calls but to the run-time library and to the functions of math.def, no globals, exceptions, coroutines
// or switches), and without going again and again over what has not changed. Generated code is as fast as after
// default<O3>.
#define TIDY "simplifycfg"
#define COMBINE "instcombine<no-verify-fixpoint>"
// What does not change leaves the loop; loops of a few known iterations become none.
#define LOOPS                                                                                                          \
  "loop-mssa(licm,simple-loop-unswitch<nontrivial>)," TIDY ",loop(loop-idiom,indvars,loop-deletion,loop-unroll-full)"
// Innermost scalar loops become vectors, or copies.
#define VECTORS                                                                                                        \
  "loop-vectorize,early-cse,simplifycfg<no-keep-loops;hoist-common-insts;sink-common-insts>,loop-unroll<O3>"
// What is left over by copies.
#define LEFT_OVER COMBINE ",loop-mssa(licm),div-rem-pairs," TIDY
#define PASSES(numbering)                                                                                              \
  "function(sroa,early-cse),cgscc(inline),globaldce,function<eager-inv>(" TIDY "," COMBINE "," LOOPS "," numbering     \
  "," COMBINE ",dse," VECTORS "," LEFT_OVER "),globaldce"
static const char all_passes[] = PASSES("gvn");
// Value numbering asks of each load which of those before it may have been the same: time with the square of their
// number. What is found so the emitter has found already, but for a little.
static const char passes_for_many_loads[] = PASSES("gvn<no-memdep>");
// Where the schedule asks for vectors every instruction of the loops around them counts.
static const char passes_for_vectors[] = "function(loop(loop-reduce))";

static int loads_in(LLVMValueRef function) {
  int count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      count += LLVMIsALoadInst(i) != NULL;
  return count;
}

static bool has_many_loads(const hy_emitter *e) {
  enum { MANY_LOADS = 4096 };
  for (LLVMValueRef f = LLVMGetFirstFunction(e->module); f; f = LLVMGetNextFunction(f))
    if (loads_in(f) > MANY_LOADS) return true;
  return false;
}

// requires: the module is verified
void hy_optimize(hy_emitter *e) {
  char passes[32];
  snprintf(passes, sizeof passes, "default<O%d>", e->options.optimize < 0 ? 0 : e->options.optimize);
  if (e->options.optimize < 3)
    run_passes(e, passes);
  else
    run_passes(e, has_many_loads(e) ? passes_for_many_loads : all_passes);
  if (e->options.optimize >= 3 && e->has_vectors) run_passes(e, passes_for_vectors);
  // Instrumentation comes last, so that it sees the accesses that are really made.
  if (e->options.sanitize == HY_SANITIZE_ADDRESS) run_passes(e, "asan");
  if (e->options.sanitize == HY_SANITIZE_THREAD) run_passes(e, "tsan-module,function(tsan)");
}

/* -- what LLVM is told of loops -- */

static LLVMMetadataRef text(hy_emitter *e, const char *string) {
  return LLVMMDStringInContext2(e->llvm, string, strlen(string));
}

// The schedule says what is unrolled. LLVM may unroll whole loops of a few known iterations, and innermost scalar loops
// as it likes; copies of outer loops cost more time to compile than they ever gain. So do vectors
// that are put together of elements which data point to.
void hy_advise_loop(hy_emitter *e, LLVMValueRef back, hy_loop_advice advice, bool vectors) {
  LLVMMetadataRef parts[3];
  size_t count = 1;
  if (advice != HY_LOOP_FREE) {
    LLVMMetadataRef name =
        text(e, advice == HY_LOOP_PLAIN ? "llvm.loop.unroll.disable" : "llvm.loop.unroll.runtime.disable");
    parts[count++] = LLVMMDNodeInContext2(e->llvm, &name, 1);
  }
  if (advice == HY_LOOP_PLAIN || !vectors) {
    LLVMMetadataRef no[] = {text(e, "llvm.loop.vectorize.enable"), LLVMValueAsMetadata(LLVMConstInt(e->i1, 0, false))};
    parts[count++] = LLVMMDNodeInContext2(e->llvm, no, 2);
  }
  if (count == 1) return;
  // The first operand of a loop's node is the node, to make it one of a kind.
  LLVMMetadataRef self = parts[0] = LLVMTemporaryMDNode(e->llvm, NULL, 0);
  LLVMMetadataRef node = LLVMMDNodeInContext2(e->llvm, parts, count);
  LLVMMetadataReplaceAllUsesWith(self, node);
  unsigned kind = LLVMGetMDKindIDInContext(e->llvm, "llvm.loop", 9);
  LLVMSetMetadata(back, kind, LLVMMetadataAsValue(e->llvm, node));
}
