#include "codegen/codegen_internal.h"
#include "codegen/guard/guard.h"
#include "codegen/profile.h"
#include "semantics/base/failure.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <string.h>

/* Loading an object file into this process. The run-time library is linked in by address; the C library and the
 * sanitizers' run-time are found in the process.
 */

struct hy_jit {
  LLVMOrcLLJITRef lljit;
};

static void expect(LLVMErrorRef error, const char *what) {
  if (error) HY_DIE("%s: %s", what, LLVMGetErrorMessage(error));
}

static void define_runtime(hy_jit *jit) {
  static const struct {
    const char *name;
    void (*function)(void);
  } rows[] = {
#define ROW(name) {#name, (void (*)(void))name}
    ROW(hy_runtime_allocate),
    ROW(hy_runtime_free),
    ROW(hy_runtime_copy),
    ROW(hy_runtime_unpack),
    ROW(hy_runtime_parallel_for),
    ROW(hy_guard_allocate),
    ROW(hy_guard_free),
    ROW(hy_guard_parallel_for),
    ROW(hy_profile_record),
    ROW(hy_profile_allocate),
    ROW(hy_profile_release),
#undef ROW
#if defined(HALYARD_SANITIZE_THREAD)
    // Older run-time libraries of the sanitizer lack these names; what it intercepts does the same.
    {"__tsan_memset", (void (*)(void))memset},
    {"__tsan_memcpy", (void (*)(void))memcpy},
    {"__tsan_memmove", (void (*)(void))memmove},
#endif
  };
  LLVMOrcCSymbolMapPair pairs[HY_COUNT(rows)];
  for (size_t i = 0; i < HY_COUNT(rows); i++) {
    pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit->lljit, rows[i].name);
    pairs[i].Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)rows[i].function;
    pairs[i].Sym.Flags = (LLVMJITSymbolFlags){LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, HY_COUNT(rows));
  expect(LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit->lljit), unit), "cannot define the run-time library");
}

static void search_process(hy_jit *jit) {
  LLVMOrcDefinitionGeneratorRef generator;
  char prefix = LLVMOrcLLJITGetGlobalPrefix(jit->lljit);
  expect(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, prefix, NULL, NULL),
         "cannot search the process for symbols");
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit->lljit), generator);
}

static void close_object(void *object) { LLVMDisposeMemoryBuffer(object); }
static void close_jit(void *self) { LLVMConsumeError(LLVMOrcDisposeLLJIT(((hy_jit *)self)->lljit)); }

hy_jit *hy_jit_load(LLVMMemoryBufferRef object) {
  hy_hold(close_object, object);
  hy_jit *jit = hy_allocate_zeroed(1, sizeof *jit);
  expect(LLVMOrcCreateLLJIT(&jit->lljit, NULL), "cannot make a JIT");
  hy_hold(close_jit, jit);
  define_runtime(jit);
  search_process(jit);
  hy_let_go(object); // the JIT takes it
  expect(LLVMOrcLLJITAddObjectFile(jit->lljit, LLVMOrcLLJITGetMainJITDylib(jit->lljit), object),
         "cannot load the code");
  return jit;
}

void *hy_jit_find(hy_jit *jit, const char *name) {
  LLVMOrcExecutorAddress address;
  expect(LLVMOrcLLJITLookup(jit->lljit, &address, name), "cannot link the code");
  return (void *)(uintptr_t)address;
}

void hy_jit_free(hy_jit *jit) {
  if (!jit) return;
  hy_let_go(jit);
  expect(LLVMOrcDisposeLLJIT(jit->lljit), "cannot unload the code");
  hy_free(jit);
}
