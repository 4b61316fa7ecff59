/* The frame of a target program: computes, labels, stages, loops' names.
 *
 *   label f: compute f on box { [assume ...;] stages }
 *   stages = label f.s0: ... label f.s1: ...               every stage once, in order
 *          | if specialize (c) { label f.z1: stages } else (stages of the next branch, the last one f.z0)
 *
 * Checked: lemma 6.1 (every loop has a name of its own, that of the stage it stands in), one allocation and one compute
 * per func, one assignment per stage copy, exactly one specialization evaluated (lemma 8.1).
 */

#include "semantics/tgt/tgt_internal.h"

// The stages of one func in one specialization, as far as they were met.
typedef struct {
  const hy_func *func;
  int spec, next; // the stage that is due
  bool broken;    // was complained about
  const hy_stmt *where;
} copy;

typedef struct {
  const hy_tgt_check *check;
  int *allocations, *computes, *labels;  // how many, by position of the func
  const hy_stmt **allocated, **computed; // the last of them
  hy_intern *loops, *copies;
  HY_VEC(const copy *) all_copies;
  // The place of the walk:
  const hy_func *head;  // between the head of this func's compute and its stages, else NULL
  const hy_func *label; // the FUNC label around this place that no compute has used yet
  const hy_stmt *stage; // the stage label around this place
  int spec;             // of the head or of the stage
  bool spec_labelled;   // a SPEC label stands between the head and this place
  bool in_choice;       // this is a branch of an "if specialize"
  int depth;            // computes around this place
  int assignments;      // met in this stage
} walk;

static void check_stmt(walk *w, const hy_stmt *stmt);

static hy_diagnostics *out(const walk *w) { return w->check->diagnostics; }
static hy_loc loc(const walk *w, const hy_stmt *stmt) { return hy_tgt_loc(w->check, stmt); }

static bool same_loop(const void *a, const void *b) { return a == b; }
static bool same_copy(const void *left, const void *right) {
  const copy *a = left, *b = right;
  return a->func == b->func && a->spec == b->spec;
}

static void check_children(walk *w, const hy_stmt *stmt) {
  const hy_stmt *const *children, *room[2];
  int count = hy_stmt_children(stmt, &children, room);
  for (int i = 0; i < count; i++) check_stmt(w, children[i]);
}

// The position of a func of the program; -1 after a report.
static int position(walk *w, const hy_func *func, const hy_stmt *stmt) {
  int p = hy_tgt_position(w->check->tgt, func);
  if (p < 0)
    hy_report(out(w), HY_E_TGT_UNKNOWN_FUNC, loc(w, stmt), NULL, NULL, "'%s' is not a func of the program", func->name);
  return p;
}

/* -- stages -- */

static copy *find_copy(walk *w, const hy_func *func, int spec, const hy_stmt *stmt) {
  copy key = {.func = func, .spec = spec, .where = stmt};
  uint64_t hash = hy_hash((uint64_t)(uintptr_t)func, (uint64_t)spec);
  const copy *known = hy_intern_find(w->copies, hash, &key);
  if (known) return (copy *)known;
  copy *fresh = HY_NEW(hy_context_arena(w->check->context), copy);
  *fresh = key;
  hy_intern_add(w->copies, hash, fresh);
  hy_vec_push(&w->all_copies, fresh);
  return fresh;
}

// WF.Stage: every stage once, in order.
static bool is_due(walk *w, const hy_func *func, const hy_stmt *stmt) {
  copy *own = find_copy(w, func, w->spec, stmt);
  int number = stmt->label.number, due = own->next;
  int stages = hy_tgt_stage_count(w->check->tgt, func);
  own->next = number + 1;
  if (number == due && number < stages) return true;
  own->broken = true;
  if (number >= stages)
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 6 (lowering)", "the func's declaration says: stages N",
              "'%s' has %d stage%s, so there is no stage s%d", func->name, stages, stages == 1 ? "" : "s", number);
  else
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 6 (stages run in their order)",
              "every stage stands once, in the order s0, s1, ...", "stage s%d of '%s' stands where s%d is due", number,
              func->name, due);
  return false;
}

static void check_stage(walk *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->label.func;
  if (w->head != func) {
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 6 (lowering)",
              "a stage stands directly in its func's compute, or in a specialization of it",
              "stage s%d of '%s' is not directly inside the compute of '%s'", stmt->label.number, func->name,
              func->name);
    return;
  }
  if (!is_due(w, func, stmt)) return;
  walk outside = *w;
  w->head = w->label = NULL;
  w->stage = stmt;
  w->assignments = 0;
  check_children(w, stmt);
  if (w->assignments != 1)
    hy_report(out(w), HY_E_TGT_ASSIGNMENT, loc(w, stmt), "section 6 (one assignment per stage)", NULL,
              "stage s%d of '%s' has %d assignments instead of one", stmt->label.number, func->name, w->assignments);
  outside.all_copies = w->all_copies;
  *w = outside;
}

static void check_spec(walk *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->label.func;
  if (w->head != func || !w->in_choice || w->spec_labelled) {
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "lemma 8.1 (unique active specialization)",
              "write if specialize (c) { label f.z1: ... } else { label f.z0: ... } in the compute of f",
              "specialization z%d of '%s' is not a branch of an 'if specialize' of '%s'", stmt->label.number,
              func->name, func->name);
    return;
  }
  w->spec = stmt->label.number;
  w->spec_labelled = true;
  w->in_choice = false;
  if (find_copy(w, func, w->spec, stmt)->next)
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "lemma 8.1 (unique active specialization)", NULL,
              "specialization z%d of '%s' stands twice", w->spec, func->name);
  check_children(w, stmt);
  w->spec = 0;
  w->spec_labelled = false;
}

// WF.Stage: both branches of a choice hold one specialization each; the last one is the default.
static void check_choice(walk *w, const hy_stmt *stmt) {
  if (!w->head) {
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 8.1 (specialize)",
              "a specialization chooses between whole computations of one func",
              "'if specialize' is not directly inside a compute");
    return;
  }
  const hy_stmt *branches[] = {stmt->branch.then, stmt->branch.otherwise};
  for (int i = 0; i < 2; i++) {
    const hy_stmt *branch = branches[i];
    bool is_next = i == 1 && branch && branch->kind == HY_STMT_IF && branch->branch.why == HY_IF_SPECIALIZE;
    bool is_spec = branch && branch->kind == HY_STMT_LABEL && branch->label.what == HY_LABEL_SPEC;
    if (!is_next && !is_spec)
      hy_report(out(w), HY_E_TGT_LABEL, loc(w, branch ? branch : stmt), "lemma 8.1 (unique active specialization)",
                "write if specialize (c) { label f.z1: ... } else { label f.z0: ... }",
                branch ? "a branch of 'if specialize' is not a specialization" : "'if specialize' has no else");
    else {
      w->in_choice = is_spec;
      check_stmt(w, branch);
      w->in_choice = false;
    }
  }
}

static void check_complete(walk *w) {
  const hy_tgt *tgt = w->check->tgt;
  for (size_t i = 0; i < w->all_copies.count; i++) {
    const copy *c = w->all_copies.data[i];
    if (c->broken || c->next == hy_tgt_stage_count(tgt, c->func)) continue;
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, c->where), "section 6 (lowering)", "write label f.s0: ... for every stage",
              "stage s%d of '%s' is missing", c->next, c->func->name);
  }
}

/* -- computes -- */

// WF.Stage: the compute stands under its label, in no other func's but in a stage of it, and holds the stages.
static void check_compute(walk *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->compute.func;
  int p = position(w, func, stmt);
  if (p < 0) return;
  w->computes[p]++;
  w->computed[p] = stmt;
  if (w->label != func)
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 6 (labels)", "write label f: compute f on ...",
              "the compute of '%s' is not labelled '%s'", func->name, func->name);
  if (hy_alg_output(w->check->tgt->alg, func) && w->depth)
    hy_report(out(w), HY_E_TGT_COMPUTE, loc(w, stmt), "decision D39", NULL,
              "the output '%s' is computed inside another func", func->name);
  if (w->head)
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 8.3 (compute-at moves into a loop)", NULL,
              "the compute of '%s' stands in that of '%s', but in no stage of it", func->name, w->head->name);
  walk outside = *w;
  w->head = func;
  w->label = NULL;
  w->spec = 0;
  w->spec_labelled = w->in_choice = false;
  w->depth++;
  size_t copies = w->all_copies.count;
  check_children(w, stmt);
  if (w->all_copies.count == copies)
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 6 (lowering)", "write label f.s0: ... for every stage",
              "the compute of '%s' has no stages", func->name);
  outside.all_copies = w->all_copies;
  *w = outside;
}

// WF.Stage: one compute. WF.Dominate: one allocation.
static void check_counts(walk *w) {
  const hy_tgt *tgt = w->check->tgt;
  for (int i = 0; i < tgt->func_count; i++) {
    const char *name = tgt->funcs[i]->name;
    if (w->computes[i] != 1)
      hy_report(out(w), HY_E_TGT_COMPUTE, loc(w, w->computed[i]), "section 6 (lowering)",
                "write label f: compute f on [...] { ... } once", "'%s' is computed %d times instead of once", name,
                w->computes[i]);
    if (w->allocations[i] != 1)
      hy_report(out(w), HY_E_TGT_ALLOCATION, loc(w, w->allocated[i] ? w->allocated[i] : w->computed[i]),
                "lemma 6.2 (dominance)", "write allocate f[...]; once, before its compute",
                "'%s' is allocated %d times instead of once", name, w->allocations[i]);
  }
}

/* -- statements -- */

// WF.Name (lemma 6.1): the loop's name is that of its stage, and no other loop has it.
static void check_loop(walk *w, const hy_stmt *stmt, const hy_var *var) {
  const hy_stmt *stage = w->stage;
  const char *name = hy_tgt_var_name(w->check, var);
  if (!stage || w->head || stage->label.func != var->func || stage->label.number != var->stage || w->spec != var->spec)
    hy_report(out(w), HY_E_TGT_LOOP_NAME, loc(w, stmt), "lemma 6.1 (loop naming)",
              "a loop belongs to the stage that it stands in", "the loop '%s' does not stand in its stage", name);
  uint64_t hash = hy_hash(2, var->id);
  if (hy_intern_find(w->loops, hash, var))
    hy_report(out(w), HY_E_TGT_LOOP_TWICE, loc(w, stmt), "lemma 6.1 (loop naming)", "choose another variable",
              "'%s' is bound a second time", name);
  else
    hy_intern_add(w->loops, hash, var);
  check_children(w, stmt);
}

// WF.Stage: one assignment, the stage's own.
static void check_assign(walk *w, const hy_stmt *stmt) {
  const hy_stmt *stage = w->stage;
  w->assignments++;
  if (w->head || !stage || stage->label.func != stmt->assign.func || stage->label.number != stmt->assign.stage ||
      w->spec != stmt->assign.spec)
    hy_report(out(w), HY_E_TGT_ASSIGNMENT, loc(w, stmt), "section 6 (one assignment per stage)", NULL,
              "this assignment to '%s' does not belong to the stage that it stands in", stmt->assign.func->name);
}

static void check_label(walk *w, const hy_stmt *stmt) {
  int p = position(w, stmt->label.func, stmt);
  if (p < 0) return;
  switch (stmt->label.what) {
  case HY_LABEL_SPEC: check_spec(w, stmt); return;
  case HY_LABEL_STAGE: check_stage(w, stmt); return;
  case HY_LABEL_FUNC: break;
  }
  const hy_func *around = w->label;
  if (w->labels[p]++)
    hy_report(out(w), HY_E_TGT_LABEL, loc(w, stmt), "section 6 (labels)", NULL, "'%s' is labelled twice",
              stmt->label.func->name);
  w->label = stmt->label.func;
  check_children(w, stmt);
  w->label = around;
}

// WF.Shape: two statements or more, none a sequence. WF.Stage: nothing follows the specializations.
static void check_seq(walk *w, const hy_stmt *stmt) {
  bool nested = false;
  for (int i = 0; i < stmt->seq.count; i++) nested |= stmt->seq.items[i]->kind == HY_STMT_SEQ;
  if (stmt->seq.count < 2 || nested)
    hy_report(out(w), HY_E_TGT_SHAPE, loc(w, stmt), NULL, NULL, "a sequence of one statement, or inside a sequence");
  int choices = 0;
  for (int i = 0; i < stmt->seq.count; i++) {
    const hy_stmt *item = stmt->seq.items[i];
    choices += w->head && item->kind == HY_STMT_IF && item->branch.why == HY_IF_SPECIALIZE;
    bool is_stage = item->kind == HY_STMT_LABEL && item->label.what == HY_LABEL_STAGE;
    if (choices > 1 || (choices && is_stage))
      hy_report(out(w), HY_E_TGT_LABEL, loc(w, item), "lemma 8.1 (unique active specialization)", NULL,
                "more of '%s' follows its specializations", w->head ? w->head->name : "a func");
    check_stmt(w, item);
  }
}

// WF.Shape: guards and predicates stand in stages and have no else.
static void check_if(walk *w, const hy_stmt *stmt) {
  if (stmt->branch.why == HY_IF_SPECIALIZE) {
    check_choice(w, stmt);
    return;
  }
  if (!w->stage || w->head)
    hy_report(out(w), HY_E_TGT_SHAPE, loc(w, stmt), "section 6 (lowering)",
              "guards and predicates stand around the assignment of a stage", "this 'if' stands in no stage");
  else if (stmt->branch.otherwise)
    hy_report(out(w), HY_E_TGT_SHAPE, loc(w, stmt), "section 6 (lowering)", NULL,
              "a guard or predicate has no else: only specializations choose");
  check_children(w, stmt);
}

// WF.Plan: the plan speaks of every dimension once, and not of the output, which lies as the caller has it.
static void check_plan(walk *w, const hy_stmt *stmt) {
  const hy_func *func = stmt->allocate.func;
  if (!stmt->allocate.plan) return;
  const char *fault = hy_plan_fault(stmt->allocate.plan, func->rank);
  if (fault)
    hy_report(out(w), HY_E_TGT_PLAN, loc(w, stmt), "WF.Plan", "order(..) lists each dimension of the func once",
              "the storage plan of '%s' does not fit: %s", func->name, fault);
  else if (hy_alg_output(w->check->tgt->alg, func))
    hy_report(out(w), HY_E_TGT_PLAN, loc(w, stmt), "WF.Plan", "leave its plan out",
              "'%s' is the output: it lies in memory as its caller has it", func->name);
}

// In words; NULL: nothing.
static const char *laid_fault(const hy_laid *laid) {
  int rank = laid->func->rank;
  if (!hy_strides_fit(&laid->strides, rank)) return "a stride is not from 1 to 1073741824";
  for (int d = 0; d < rank; d++)
    if (laid->demanded.of[d] && laid->demanded.of[d] != laid->strides.of[d]) return "it demands what it does not say";
  if (laid->align && !hy_alignment_fits(laid->align)) return "an alignment is no power of two from 1 to 4096";
  return laid->align || hy_strides_say(&laid->strides, rank) ? NULL : "it says nothing";
}

// WF.Laid: of images and outputs, which are the caller's, each once.
static void check_laid(walk *w) {
  const hy_tgt *tgt = w->check->tgt;
  for (int i = 0; i < tgt->laid_count; i++) {
    const hy_func *func = tgt->laid[i].func;
    const char *fault = laid_fault(&tgt->laid[i]);
    for (int k = 0; k < i; k++)
      if (tgt->laid[k].func == func) fault = "it is said twice";
    if (!func->is_image && !hy_alg_output(tgt->alg, func)) fault = "it is not the caller's, but has a storage plan";
    if (fault)
      hy_report(out(w), HY_E_TGT_LAID, tgt->alg->loc, "WF.Laid",
                "buffer NAME in stride(..) is said of images and outputs, once of each",
                "how the buffer of '%s' lies does not fit: %s", func->name, fault);
  }
}

static void check_stmt(walk *w, const hy_stmt *stmt) {
  switch (stmt->kind) {
  case HY_STMT_NOP:
  case HY_STMT_ASSUME: return;
  case HY_STMT_SEQ: check_seq(w, stmt); return;
  case HY_STMT_ALLOCATE: {
    int p = position(w, stmt->allocate.func, stmt);
    if (p >= 0) w->allocations[p]++, w->allocated[p] = stmt;
    check_plan(w, stmt);
    return;
  }
  case HY_STMT_ASSIGN: check_assign(w, stmt); return;
  case HY_STMT_IF: check_if(w, stmt); return;
  case HY_STMT_FOR: check_loop(w, stmt, stmt->loop.var); return;
  case HY_STMT_LET: check_loop(w, stmt, stmt->let.var); return;
  case HY_STMT_COMPUTE: check_compute(w, stmt); return;
  case HY_STMT_LABEL: check_label(w, stmt); return;
  }
  HY_UNREACHABLE();
}

void hy_tgt_check_structure(const hy_tgt_check *check) {
  walk w = {.check = check, .loops = hy_intern_new(same_loop), .copies = hy_intern_new(same_copy)};
  size_t count = (size_t)check->tgt->func_count;
  w.allocations = hy_allocate_zeroed(count + 1, sizeof *w.allocations);
  w.computes = hy_allocate_zeroed(count + 1, sizeof *w.computes);
  w.labels = hy_allocate_zeroed(count + 1, sizeof *w.labels);
  w.allocated = hy_allocate_zeroed(count + 1, sizeof *w.allocated);
  w.computed = hy_allocate_zeroed(count + 1, sizeof *w.computed);
  check_laid(&w);
  check_stmt(&w, check->tgt->body);
  check_complete(&w);
  check_counts(&w);
  hy_free(w.allocations);
  hy_free(w.computes);
  hy_free(w.labels);
  hy_free(w.allocated);
  hy_free(w.computed);
  hy_intern_free(w.loops);
  hy_intern_free(w.copies);
  hy_vec_free(&w.all_copies);
}
