#include "gate/trial/linking.h"

#include "codegen/codegen.h"
#include "gate/manifest/elf.h"
#include "gate/ship/tools.h"
#include "semantics/value/errors.h"

#include <string.h>

static bool has_hash(bool (*ask)(char digits[HY_SHA256_DIGITS + 1]), const char *hash) {
  char is[HY_SHA256_DIGITS + 1];
  return hash && ask(is) && strcmp(is, hash) == 0;
}

void hy_linking_judge_runtime(const hy_inspected *in, hy_gate_result *result) {
  const hy_manifest *m = &in->manifest;
  if (!m->runtime || !has_hash(hy_tools_hash_self, m->build)) return;
  if (has_hash(hy_tools_hash_runtime, m->runtime))
    hy_gate_add(result, 2, "runtime", in->manifest_name, HY_GATE_PASSED, 0, "the run-time library is this Halyard's");
  else
    hy_gate_add(result, 2, "runtime", in->manifest_name, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "this Halyard made it, and the run-time library is another one");
}

// The same tools, for the same kind of machine: then what they make is what it has to be.
static bool can_tell(const hy_manifest *m, const hy_text *object) {
  hy_text linker = {0};
  hy_tools_linker_version(&linker);
  bool good = has_hash(hy_tools_hash_runtime, m->runtime) && m->linker &&
              strcmp(hy_text_string(&linker), m->linker) == 0 &&
              hy_elf_machine(hy_text_string(object), object->length) == hy_elf_machine_of(hy_target_host()->triple);
  hy_text_free(&linker);
  return good;
}

void hy_linking_judge(const hy_inspected *in, const char *target, hy_gate_result *result) {
  const hy_artefact *shared = hy_manifest_find(&in->manifest, HY_ROLE_SHARED, target);
  const hy_text *object = hy_inspected_bytes(in, HY_ROLE_OBJECT, target),
                *was = hy_inspected_bytes(in, HY_ROLE_SHARED, target);
  const char *unheard;
  hy_text is = {0};
  if (!object || !was || !can_tell(&in->manifest, object)) return;
  bool is_linked = hy_tools_link(object, &is, &unheard);
  bool same = is_linked && is.length == was->length && memcmp(is.data, was->data, is.length) == 0;
  if (same)
    hy_gate_add(result, 2, "linking", shared->path, HY_GATE_PASSED, 0, "it is the object, linked")->target = target;
  else if (is_linked)
    hy_gate_add(result, 2, "linking", shared->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it is not what the object becomes when it is linked again")
        ->target = target;
  hy_text_free(&is);
}
