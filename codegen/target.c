#include "codegen/target.h"
#include "codegen/codegen_internal.h"

#include <llvm-c/Target.h>
#include <pthread.h>
#include <string.h>

static const hy_target rows[] = {
#define HY_TARGET(name, triple, cpu, features, floats, bits, fma, saturate, divide, rounds, f16, mask, llvm)           \
  {name, triple, cpu, features, floats, bits, fma, saturate, divide, rounds, f16, mask},
#include "codegen/target.def"
#undef HY_TARGET
};

static hy_target host;

// Masks on 8 and 16 bits need AVX-512 BW, those on 32 and 64 bits AVX. The texts live as long as the process.
static void look_around(void) {
  host = (hy_target){
      .name = "host",
      .triple = LLVMGetDefaultTargetTriple(),
      .cpu = LLVMGetHostCPUName(),
      .features = LLVMGetHostCPUFeatures(),
  };
  bool wide = strstr(host.features, "+avx,"),
       widest = strstr(host.features, "+avx512bw") && strstr(host.features, "+avx512vl");
  host.mask_bytes = widest ? 1 : wide ? 4 : 0;
  host.vector_bits = widest ? 512 : wide ? 256 : 128;
  host.conversions_saturate = strstr(host.triple, "aarch64") || strstr(host.triple, "arm");
  host.divides_vectors = !strstr(host.triple, "arm");
  host.rounds_vectors = host.divides_vectors;
  host.converts_f16 = strstr(host.features, "+f16c,") || strstr(host.triple, "aarch64");
  host.has_fma = strstr(host.features, "+fma,") || strstr(host.triple, "aarch64");
}

const hy_target *hy_target_host(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_around);
  return &host;
}

const hy_target *hy_target_find(const char *name) {
  if (strcmp(name, "host") == 0) return hy_target_host();
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

const char *hy_target_name(int number) {
  if (number == 0) return "host";
  return number <= (int)HY_COUNT(rows) ? rows[number - 1].name : NULL;
}
