/* Target programs: the loops and labels around a place, and that every loop is bound once (lemma 6.1). */

#include "semantics/tgt/tgt_internal.h"

typedef hy_tgt_reader reader;

bool hy_tgt_same_loop(const void *a, const void *b) {
  return ((const hy_bound_loop *)a)->var == ((const hy_bound_loop *)b)->var;
}

const hy_bound_loop *hy_tgt_find_loop(const reader *r, const hy_var *var) {
  return hy_intern_find(r->loops, hy_hash(2, var->id), &(hy_bound_loop){.var = var});
}

void hy_tgt_report_loop(reader *r, hy_code code, hy_loc loc, const char *message, const char *help, const hy_var *var) {
  hy_text name = {0};
  hy_var_print(var, &name);
  hy_report(r->diagnostics, code, loc, "lemma 6.1 (loop naming)", help, message, hy_text_string(&name));
  hy_text_free(&name);
}

// The stage label around this place, and the specialization of that func that it stands in.
const hy_stmt *hy_tgt_stage_label(const reader *r, int *spec) {
  const hy_stmt *stage = NULL;
  *spec = 0;
  for (size_t i = r->labels.count; i-- > 0;) {
    const hy_stmt *label = r->labels.data[i];
    if (!stage && label->label.what == HY_LABEL_STAGE) stage = label;
    if (!stage || label->label.func != stage->label.func) continue;
    if (label->label.what == HY_LABEL_SPEC) return *spec = label->label.number, stage;
  }
  return stage;
}

// A loop belongs to the stage that it stands in (lemma 6.1); what stands in no stage is tgt_verify.c's to say.
static bool fits_stage(reader *r, const hy_var *var, hy_loc loc) {
  int spec;
  const hy_stmt *stage = hy_tgt_stage_label(r, &spec);
  if (!stage || !stage->label.func) return true;
  if (stage->label.func == var->func && stage->label.number == var->stage && spec == var->spec) return true;
  hy_text help = {0};
  hy_text_add(&help, "in this stage it is called ");
  hy_var_print(hy_var_loop(r->context, stage->label.func, spec, stage->label.number, var->name), &help);
  hy_tgt_report_loop(r, HY_E_TGT_LOOP_NAME, loc, "the loop '%s' does not stand in its stage", hy_text_string(&help),
                     var);
  hy_text_free(&help);
  return false;
}

// Opens the scope of a loop's name; every name is bound once. "var" is NULL if the name was reported.
void hy_tgt_bind(reader *r, const hy_var *var, hy_loc loc) {
  hy_vec_push(&r->scope, var);
  if (!var || !fits_stage(r, var, loc)) {
    r->scope.data[r->scope.count - 1] = NULL;
    r->misnamed++;
    return;
  }
  const hy_bound_loop *before = hy_tgt_find_loop(r, var);
  if (!before) {
    hy_bound_loop *loop = HY_NEW(hy_context_arena(r->context), hy_bound_loop);
    *loop = (hy_bound_loop){var, loc};
    hy_intern_add(r->loops, hy_hash(2, var->id), loop);
    return;
  }
  hy_tgt_report_loop(r, HY_E_TGT_LOOP_TWICE, loc, "'%s' is bound a second time",
                     "func, specialization, stage and variable together name one loop; choose another variable", var);
  hy_note(r->diagnostics, HY_E_TGT_LOOP_TWICE, before->loc, "it is bound here first");
}

void hy_tgt_unbind(reader *r) {
  if (!hy_vec_pop(&r->scope)) r->misnamed--;
}
