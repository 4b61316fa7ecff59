#include "gate/trial/lowering.h"

#include "gate/ship/canonical.h"
#include "semantics/value/errors.h"

#include <string.h>

typedef struct {
  const hy_inspected *in;
  hy_gate_result *result;
} walk;

static bool is_text_of(const walk *w, hy_role role, const hy_text *printed) {
  const hy_text *is = hy_inspected_bytes(w->in, role, NULL);
  return is && is->length == printed->length && memcmp(hy_text_string(is), hy_text_string(printed), is->length) == 0;
}

static void tell(walk *w, hy_role role, bool good, const char *passed, const char *wrong) {
  const hy_artefact *file = hy_manifest_find(&w->in->manifest, role, NULL);
  bool is_ours = strcmp(w->in->manifest.halyard, HALYARD_VERSION) == 0;
  if (good)
    hy_gate_add(w->result, 2, "lowering", file->path, HY_GATE_PASSED, 0, "%s", passed);
  else if (is_ours)
    hy_gate_add(w->result, 2, "lowering", file->path, HY_GATE_WRONG, HY_E_GATE_IDENTITY, "%s", wrong);
  else
    hy_gate_add(w->result, 2, "other-version", file->path, HY_GATE_UNDECIDED, HY_E_GATE_IDENTITY,
                "it was made by Halyard %s, and for %s %s", w->in->manifest.halyard, HALYARD_VERSION, wrong)
        ->help = "use the Halyard that made it, or ship again";
}

static void compare(walk *w, const hy_canonical *c) {
  tell(w, HY_ROLE_ALGORITHM, is_text_of(w, HY_ROLE_ALGORITHM, &c->algorithm), "it is in its canonical form",
       "it is not in its canonical form");
  tell(w, HY_ROLE_SCHEDULE, is_text_of(w, HY_ROLE_SCHEDULE, &c->schedule), "it is in its canonical form",
       "it is not in its canonical form");
  if (w->in->manifest.run_time_checks) return;
  tell(w, HY_ROLE_PROGRAM, is_text_of(w, HY_ROLE_PROGRAM, &c->passed) || is_text_of(w, HY_ROLE_PROGRAM, &c->whole),
       "it is what algorithm and schedule become", "algorithm and schedule become another program");
}

void hy_lowering_judge(const hy_inspected *in, hy_gate_result *result) {
  walk w = {.in = in, .result = result};
  const hy_text *algorithm = hy_inspected_bytes(in, HY_ROLE_ALGORITHM, NULL),
                *schedule = hy_inspected_bytes(in, HY_ROLE_SCHEDULE, NULL);
  hy_canonical c;
  // A text that is not what shipped is level 0's.
  if (!algorithm || !schedule || !hy_inspected_bytes(in, HY_ROLE_PROGRAM, NULL) || in->manifest.plugins.count) return;
  if (hy_canonical_make(algorithm, schedule, &c))
    compare(&w, &c);
  else
    tell(&w, HY_ROLE_SCHEDULE, false, "", "algorithm and schedule cannot be read, or are refused");
  hy_canonical_free(&c);
}
