#include "gate/remake/remake.h"

#include "codegen/codegen.h"
#include "engines/engine.h"
#include "gate/manifest/elf.h"
#include "gate/tile/judge.h"
#include "gate/tile/run.h"
#include "gate/trial/trial.h"
#include "halyard/sample.h"
#include "passes/passes.h"
#include "semantics/value/errors.h"

#include <stdio.h>
#include <string.h>

enum { LEVEL = 3, PATIENCE = 10, MOST_STEPS = 150000000, REPLAY_STEPS = 20000000 };

typedef struct {
  hy_context *context;
  const hy_inspected *in;
  const hy_remake_wishes *wishes;
  hy_gate_result *result;
  hy_shipped_programs programs;
} walk;

// Of all windows of a target.
typedef struct {
  int windows, undecided;
  uint64_t points, same, enumerated, open, steps;
  char story[400]; // of the first undecided one
} tally;

static void undecided(walk *w, const char *file, const char *target, const char *why) {
  hy_gate_add(w->result, LEVEL, "not-shown", file, HY_GATE_UNDECIDED, HY_E_GATE_NOT_SHOWN, "it was not shown: %s", why)
      ->target = target;
}

/* -- the module -- */

// The module that the shipped object was made of. False: what is made again has other bytes.
static bool remake(walk *w, const hy_target *target, const hy_text *shipped, hy_text *llvm) {
  const hy_manifest *m = &w->in->manifest;
  const hy_tgt *filled = w->programs.pipeline.filled, *passed = hy_passes(w->context, filled, NULL, NULL);
  hy_text note = {0}, object = {0};
  bool same = false;
  hy_note_print(m->name, m->identity, &note);
  hy_codegen_options options = {.optimize = 3, .target = target, .ahead = m->name, .note = &note};
  for (int k = 0; k < 2 && !same; k++) { // as it ships, or before the passes (docs/gate.md)
    if (k && passed == filled) break;
    object.length = llvm->length = 0;
    hy_native_object_and_llvm(w->context, k ? passed : filled, &options, &object, llvm);
    same = object.length == shipped->length && memcmp(object.data, shipped->data, object.length) == 0;
  }
  hy_text_free(&object);
  hy_text_free(&note);
  return same;
}

/* -- windows -- */

static bool make_window(walk *w, int number, hy_arguments *a) {
  const hy_sampler sampler = {.seed = w->wishes->seed};
  bool good = hy_sample_make(&sampler, &w->programs.pipeline, number, a);
  return good && !hy_alg_nothing_asked(w->programs.pipeline.alg, &a->input);
}

// What the shipped object itself gives on images that show a difference; nothing where it cannot be run.
static const char *replay(walk *w, const char *target, hy_arguments *a, const hy_tile_verdict *v) {
  const hy_trial_code code = {hy_inspected_bytes(w->in, HY_ROLE_SHARED, target), NULL};
  hy_trial trial = {w->context, w->programs.pipeline.alg, w->programs.pipeline.filled, {0}, w->in->manifest.name};
  if (!code.bytes || !hy_target_runs_here(target) || !v->images[0]) return "";
  for (int k = 0; k < a->image_count; k++)
    if (v->images[k])
      memcpy(a->images[k]->data, v->images[k]->data, v->images[k]->count * hy_type_bytes(v->images[k]->type));
  hy_outcome wanted = hy_engine_tgt(w->context, trial.filled, &a->input, 0, REPLAY_STEPS);
  hy_trial_answer answer = {.verdict = HY_GATE_UNDECIDED};
  if (wanted.status == HY_RAN) {
    hy_trial_case c = {0, *a, wanted.output};
    c.arguments.input = (hy_input){c.arguments.params, (const hy_buffer *const *)c.arguments.images,
                                   c.arguments.window_min, c.arguments.window_len};
    hy_vec_push(&trial.cases, c);
    trial.cases.data[0].arguments.input.window_min = trial.cases.data[0].arguments.window_min;
    trial.cases.data[0].arguments.input.window_len = trial.cases.data[0].arguments.window_len;
    hy_trial_ask(&trial, &code, 1, false, &answer);
    hy_vec_free(&trial.cases);
  }
  hy_outcome_free(&wanted);
  return answer.verdict == HY_GATE_WRONG    ? "; run on images that show it, the shipped object differs, too"
         : answer.verdict == HY_GATE_PASSED ? "; run on images that show it, the shipped object does not differ"
                                            : "";
}

static void tell_wrong(walk *w, const hy_artefact *object, const char *target, hy_arguments *a,
                       const hy_tile_verdict *v) {
  hy_text window = {0};
  hy_window_print(w->programs.pipeline.alg, &a->input, &window);
  const char *replayed = replay(w, target, a, v);
  hy_gate_check *c = hy_gate_add(w->result, LEVEL, "tile", object->path, HY_GATE_WRONG, HY_E_GATE_TILE,
                                 "%s; window %s%s", v->story, hy_text_string(&window), replayed);
  c->target = target;
  hy_gate_add_step(w->result, c, hy_trial_meaning_file(w->in),
                   hy_arena_printf(w->result->arena, "window %s", hy_text_string(&window)));
  hy_gate_add_step(w->result, c, object->path, v->story);
  hy_gate_add_step(w->result, c, object->path, *replayed ? replayed + strlen("; ") : "");
  hy_text_free(&window);
}

static void add_up(tally *t, const hy_tile_verdict *v) {
  t->windows++;
  t->points += v->points, t->same += v->same, t->enumerated += v->enumerated, t->open += v->open;
  t->steps += v->steps;
  if (v->answer == HY_TILE_UNDECIDED && !t->undecided++) snprintf(t->story, sizeof t->story, "%.380s", v->story);
}

// False: it differs.
static bool judge_window(walk *w, const hy_ir_module *module, const hy_artefact *object, const char *target, int number,
                         bool **seen, tally *t) {
  hy_arguments a;
  hy_tile_verdict v = {.answer = HY_TILE_FINE};
  char function[300];
  snprintf(function, sizeof function, "%.200s_slots", w->programs.pipeline.alg->name);
  if (make_window(w, number, &a)) {
    hy_tile_judge(&(hy_tile_question){.module = module,
                                      .function = function,
                                      .tgt = w->programs.pipeline.filled,
                                      .input = &a.input,
                                      .layout = hy_tile_layout_of(w->programs.pipeline.filled, number),
                                      .seed = w->wishes->seed,
                                      .seen = seen},
                  &v);
    add_up(t, &v);
    if (v.answer == HY_TILE_WRONG) tell_wrong(w, object, target, &a, &v);
    hy_tile_verdict_free(&v);
  }
  hy_arguments_free(&a);
  return v.answer != HY_TILE_WRONG;
}

/* -- one target -- */

// Of functions that were executed: blocks that write, and those of them that no window came to.
static void count_blocks(const hy_ir_module *m, bool **seen, uint32_t *all, uint32_t *missed) {
  *all = *missed = 0;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const hy_ir_function *f = &m->functions[i];
    if (f->is_external || !f->block_count || !seen[i][0]) continue; // entries, which the run-time library calls
    for (uint32_t b = 0; b < f->block_count; b++) {
      *all += f->blocks[b].has_store;
      *missed += f->blocks[b].has_store && !seen[i][b];
    }
  }
}

static void tell(walk *w, const hy_artefact *object, const char *target, const tally *t, uint32_t all,
                 uint32_t missed) {
  unsigned long long points = t->points, same = t->same, enumerated = t->enumerated;
  if (t->undecided)
    hy_gate_add(w->result, LEVEL, "not-shown", object->path, HY_GATE_UNDECIDED, HY_E_GATE_NOT_SHOWN,
                "%d of %d windows are undecided: %s", t->undecided, t->windows, t->story)
        ->target = target;
  if (t->windows > t->undecided)
    hy_gate_add(w->result, LEVEL, "tile", object->path, HY_GATE_PASSED, 0,
                "on %d windows its instructions compute what the program means, whatever the images hold: %llu points, "
                "%llu by one expression, %llu by all values",
                t->windows - t->undecided, points, same, enumerated)
        ->target = target;
  if (missed && t->windows > t->undecided)
    hy_gate_add(w->result, LEVEL, "not-seen", object->path, HY_GATE_UNDECIDED, HY_E_GATE_NOT_SHOWN,
                "%u of %u places that write were executed by no window", missed, all)
        ->target = target;
  if (!t->windows) undecided(w, object->path, target, "no generated window suits the program");
}

// At least a few windows; then as many as bring something new.
static void judge_module(walk *w, const hy_ir_module *module, const hy_artefact *object, const char *target) {
  bool **seen = hy_tile_seen_new(module);
  tally t = {.windows = 0};
  uint32_t all = 0, missed = 0, before = 0;
  bool good = true;
  for (int k = 0, idle = 0; good && k < w->wishes->windows && idle < PATIENCE && t.steps < MOST_STEPS; k++, idle++) {
    good = judge_window(w, module, object, target, k, seen, &t);
    count_blocks(module, seen, &all, &missed);
    if (all - missed != before) before = all - missed, idle = 0;
  }
  if (good) tell(w, object, target, &t, all, missed);
  hy_tile_seen_free(module, seen);
}

static void judge_target(walk *w, const char *name) {
  const hy_artefact *object = hy_manifest_find(&w->in->manifest, HY_ROLE_OBJECT, name);
  const hy_text *bytes = hy_inspected_bytes(w->in, HY_ROLE_OBJECT, name);
  const hy_target *target = hy_target_find(name);
  hy_text llvm = {0};
  char why[300];
  if (!object || !bytes) {
    undecided(w, object ? object->path : NULL, name,
              object ? "it is not what shipped (level 0)" : "there is no object for it");
  } else if (!target || !remake(w, target, bytes, &llvm)) {
    undecided(w, object->path, name,
              "made again of the target program that ships, the object has other bytes; use the Halyard that made it");
  } else {
    hy_ir_module *module = hy_ir_read(hy_text_string(&llvm), llvm.length, why, sizeof why);
    if (module)
      judge_module(w, module, object, name);
    else
      undecided(w, object->path, name, why);
    hy_ir_free(module);
  }
  hy_text_free(&llvm);
}

void hy_remake_run(hy_context *context, const hy_inspected *in, const hy_remake_wishes *wishes,
                   hy_gate_result *result) {
  walk w = {.context = context, .in = in, .wishes = wishes, .result = result};
  result->asked[LEVEL] = true;
  if (!hy_shipped_read(context, result->arena, in, &w.programs)) {
    hy_shipped_tell_unread(in, LEVEL, result);
    return;
  }
  for (size_t i = 0; i < in->manifest.targets.count; i++)
    if (hy_gate_shard_has(wishes->shard, i)) judge_target(&w, in->manifest.targets.data[i].name);
}
