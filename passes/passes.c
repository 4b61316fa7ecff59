#include "passes/passes.h"

static const struct {
  const char *name;
  hy_pass *run;
} passes[] = {
#define HY_PASS(name, summary) {#name, hy_pass_##name},
#include "passes/passes.def"
#undef HY_PASS
};

const hy_tgt *hy_passes(hy_context *context, const hy_tgt *tgt, hy_passes_dump *dump, void *self) {
  for (size_t i = 0; i < HY_COUNT(passes); i++) {
    tgt = passes[i].run(context, tgt);
    if (dump) dump(self, passes[i].name, tgt);
  }
  return tgt;
}
