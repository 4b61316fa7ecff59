#include "halyard/replay.h"

#include "halyard/sample.h"
#include "tgt_interp/tgt_interp.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_POINTS = 1 << 20,
  MOST_STEPS = 4 * MOST_POINTS, // of one run
  MOST_WORK = 1 << 24,          // of all runs for one program together; what comes later is not run
  RUN_WORK = MOST_WORK / 2,     // of one run
  WORK_OF_A_RUN = 1 << 15,      // before its first step
  TRIES = 4
};

// A model says where an obligation fails. Whether that shows may depend on the rest: of one point there is no diagonal,
// and what the iteration before wrote is there all the same. So what is around it is tried, too.
typedef struct {
  int window, params; // so much more, of each length and of each parameter of type int
} variant;
static const variant variants[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {4, 0}, {4, 4}};
enum { IMAGE_MARGIN = 8 };

// What the model says of a variable; "otherwise" where it says nothing.
static int64_t value_of(const hy_decision *d, const hy_var *var, int64_t otherwise) {
  for (size_t i = 0; i < d->value_count; i++) {
    const hy_expr *unknown = d->values[i].unknown;
    if (unknown->kind == HY_EXPR_VAR && unknown->var == var) return d->values[i].value;
  }
  return otherwise;
}

typedef struct {
  hy_value *params;
  hy_buffer **images;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  bool fits; // an image is not too large to be made
} replay_input;

static bool is_small(const int64_t *len, int rank) {
  int64_t points = 1;
  for (int i = 0; i < rank; i++)
    if (len[i] < 0 || __builtin_mul_overflow(points, len[i], &points) || points > MOST_POINTS) return false;
  return true;
}

static int64_t add(int64_t a, int64_t b) { return __builtin_add_overflow(a, b, &a) ? INT64_MAX : a; }

static hy_buffer *make_image(const hy_decision *d, const hy_func *image, variant v, uint64_t seed) {
  int margin = IMAGE_MARGIN * (v.window + v.params);
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  for (int i = 0; i < image->rank; i++) {
    min[i] = value_of(d, image->min[i], 0);
    len[i] = add(value_of(d, image->len[i], 1), 2 * margin);
    if (min[i] >= INT64_MIN + margin) min[i] -= margin;
  }
  hy_buffer *buffer = is_small(len, image->rank) ? hy_buffer_new(image->type, image->rank, min, len) : NULL;
  for (size_t i = 0; buffer && i < buffer->count; i++) {
    uint64_t bits = hy_hash(seed, i);
    hy_value value = hy_type_class_of(image->type) == HY_CLASS_FLOAT
                         ? hy_value_from_double(image->type, (double)(bits % 256))
                         : hy_value_integral(image->type, (int64_t)bits);
    hy_value_store(value, buffer->data + i * hy_type_bytes(image->type));
  }
  return buffer;
}

static replay_input make_input(const hy_alg *alg, const hy_decision *d, variant v, uint64_t seed) {
  replay_input in = {.fits = true};
  in.params = hy_allocate_zeroed((size_t)alg->param_count, sizeof *in.params);
  in.images = hy_allocate_zeroed((size_t)alg->image_count, sizeof *in.images);
  for (int i = 0; i < alg->param_count; i++) {
    hy_type type = alg->params[i]->type;
    int64_t value = add(value_of(d, alg->params[i], 0), type == HY_INT ? v.params : 0);
    in.params[i] = hy_type_class_of(type) == HY_CLASS_FLOAT ? hy_value_from_double(type, (double)value)
                                                            : hy_value_integral(type, value);
  }
  for (int k = 0; k < alg->image_count; k++) in.fits &= (in.images[k] = make_image(d, alg->images[k], v, seed)) != NULL;
  for (int i = 0; i < alg->window_rank; i++) {
    in.min[i] = value_of(d, alg->window_min[i], 0);
    in.len[i] = add(value_of(d, alg->window_len[i], 1), v.window);
  }
  // The window may be as large as it likes: it is only made at the end of a run.
  return in;
}

static void free_input(const hy_alg *alg, replay_input *in) {
  for (int k = 0; k < alg->image_count; k++) hy_buffer_free(in->images[k]);
  hy_free(in->images);
  hy_free(in->params);
}

static const char *describe(hy_pipeline *p, const replay_input *in) {
  hy_text text = {0};
  hy_input input = {in->params, (const hy_buffer *const *)in->images, in->min, in->len};
  hy_arguments arguments = {.input = input, .params = in->params, .images = in->images};
  hy_sample_print(p->alg, &arguments, &text);
  const char *line = hy_context_name_of(p->context, hy_text_string(&text));
  hy_text_free(&text);
  return line;
}

// One run, within what is left for all of them.
static void run_within(hy_pipeline *p, const hy_input *input, hy_tgt_options *options, hy_tgt_result *result) {
  uint64_t left = p->replay_work < MOST_WORK ? MOST_WORK - p->replay_work : 1; // a limit of 0 is none
  options->work_limit = left < RUN_WORK ? left : RUN_WORK;
  hy_tgt_run(p->context, p->filled, input, options, result);
  p->replay_work += WORK_OF_A_RUN + result->work;
}

// Where a fold is too small, a run tells of the read that it breaks, and only if there is none of what is stored.
static void run_watched(hy_pipeline *p, const hy_decision *d, const hy_input *input, uint64_t seed,
                        hy_tgt_result *result) {
  hy_tgt_options options = {.seed = seed, .step_limit = MOST_STEPS, .monitor = true};
  options.awaits_loads = d->obligation->kind == HY_B_FOLD;
  run_within(p, input, &options, result);
  if (!options.awaits_loads || result->status == HY_RUN_CONTRACT) return;
  hy_tgt_result_free(result);
  options.awaits_loads = false;
  run_within(p, input, &options, result);
}

// One run. True if there is no use in another with other pixels.
static bool replay_once(hy_pipeline *p, const hy_decision *d, variant v, uint64_t seed, hy_replayed *replayed) {
  replay_input in = make_input(p->alg, d, v, seed);
  bool in_vain = !in.fits;
  if (in.fits) {
    hy_input input = {in.params, (const hy_buffer *const *)in.images, in.min, in.len};
    hy_tgt_result result;
    run_watched(p, d, &input, seed, &result);
    // VER.Replay: a refuted obligation breaks its contract in the target interpreter (decision D63).
    if (result.status == HY_RUN_CONTRACT) {
      hy_context_hit(p->context, HY_RULE_VER_REPLAY);
      replayed->seen = hy_arena_printf(hy_context_arena(p->context), "%s: %s", hy_contract_name(result.contract),
                                       result.story ? result.story : "");
    }
    in_vain = result.status == HY_RUN_LIMIT || result.status == HY_RUN_ASSUME; // so it is with other pixels
    hy_tgt_result_free(&result);
    if (!replayed->input || replayed->seen) replayed->input = describe(p, &in);
  }
  free_input(p->alg, &in);
  return in_vain;
}

hy_replayed hy_replay(hy_pipeline *p, const hy_decision *d) {
  hy_replayed replayed = {0};
  size_t count = HY_COUNT(variants);
  for (size_t v = 0; v < count && !replayed.seen; v++) {
    bool in_vain = false;
    for (uint64_t seed = 0; seed < TRIES && !replayed.seen && !in_vain; seed++)
      in_vain = replay_once(p, d, variants[v], seed, &replayed);
  }
  return replayed;
}
