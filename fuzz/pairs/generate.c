// The case of a choice sequence: an algorithm, a schedule, inputs, and a relation to be tried.

#include "fuzz/pairs/generate.h"

#include "engines/generator.h"
#include "lower/lower.h"
#include "plugin/plugin.h"
#include "semantics/base/intern.h"
#include "semantics/semantics.h"

#include <string.h>

enum {
  MOST_POINTS = 64,
  MOST_LATER_POINTS = 12,
  MOST_WIDE_POINTS = 300,
  PERCENT_INVALID = 2,
  PERCENT_RELATED = 14,
  PERCENT_CHAINED = 25
};

static int64_t pick_length(hy_choices *c, const hy_walk *walk) {
  int64_t factor = walk->factor_count ? walk->factors[hy_choose(c, (uint64_t)walk->factor_count)] : 4;
  switch (hy_choose(c, 8)) {
  case 0: return 1;
  case 1: return 2;
  case 2: return factor > 1 ? factor - 1 : 1;
  case 3: return factor;
  case 4: return factor + 1;
  case 5: return 2 * factor + 1;
  case 6: return 2 * hy_choose_between(c, 1, 5) + 1;
  default: return hy_choose_between(c, hy_choose(c, 10) ? 1 : 0, 9);
  }
}

static int64_t pick_min(hy_choices *c, bool far) {
  static const int64_t ends[] = {-(INT64_C(1) << 31), (INT64_C(1) << 31) - 4096, -(INT64_C(1) << 31) + 9, 1000003};
  if (far) return ends[hy_choose(c, HY_COUNT(ends))];
  switch (hy_choose(c, 3)) {
  case 0: return 0;
  case 1: return -hy_choose_between(c, 1, 9);
  default: return hy_choose_between(c, 1, 9);
  }
}

// The first window may be large enough for two rounds of every split, the others are small. Few are far from the
// origin, few are wide in one dimension. Of several outputs those after the first are small, and none is far: what two
// read in common would reach from one to the other.
static void generate_window(hy_choices *choices, const hy_alg *alg, hy_walk *walk, int i, hy_case_input *in) {
  bool special = hy_choose_chance(choices, 3), far = special && hy_choose_chance(choices, 60) && alg->output_count == 1;
  int rank = alg->window_rank, wide = special && !far && rank ? (int)hy_choose(choices, (uint64_t)rank) : -1;
  if (far && rank) hy_forms_mark(&walk->forms, HY_FORM_FAR_ORIGIN);
  if (wide >= 0) hy_forms_mark(&walk->forms, HY_FORM_WIDE_WINDOW);
  int64_t points = 1, most = i ? MOST_LATER_POINTS : MOST_POINTS;
  for (int d = 0; d < rank; d++) {
    if (d && alg->window_min[d]->func != alg->window_min[d - 1]->func) points = 1, most = MOST_LATER_POINTS;
    in->min[d] = pick_min(choices, far && hy_choose_chance(choices, 60));
    in->len[d] = d == wide ? hy_choose_between(choices, 60, MOST_WIDE_POINTS) : pick_length(choices, walk);
    while (points * in->len[d] > (wide >= 0 ? MOST_WIDE_POINTS : most)) in->len[d] /= 2;
    points *= in->len[d];
  }
}

static int64_t pick_param(hy_choices *c, const hy_var *param) {
  static const int64_t ends[] = {
      INT64_MIN, INT64_MAX, -1,    INT64_C(1) << 31, INT64_C(1) << 32, INT32_MAX, INT32_MIN, -128,
      127,       255,       65535, INT64_MIN + 1};
  static const int64_t far[] = {INT32_MIN, INT32_MAX, INT32_MIN + 7, 0, INT64_C(1) << 31};
  if (*param->name == 'k') return hy_choose(c, 3) ? far[hy_choose(c, HY_COUNT(far))] : hy_choose_between(c, -9, 9);
  if (param->type == HY_INT) return hy_choose(c, 12) ? hy_choose_between(c, 0, 4) : hy_choose_between(c, -2, 7);
  bool is_float = hy_type_class_of(param->type) == HY_CLASS_FLOAT; // of which the ends swallow everything else
  return hy_choose(c, is_float ? 8 : 2) == 1 ? ends[hy_choose(c, HY_COUNT(ends))] : hy_choose_between(c, -3, 9);
}

static void mark_param(hy_forms *forms, int64_t number) {
  static const struct {
    int64_t least, most;
    hy_form form;
  } rows[] = {{INT64_C(2147483640), INT64_C(2147483655), HY_FORM_PARAM_2_31},
              {-INT64_C(2147483655), -INT64_C(2147483640), HY_FORM_PARAM_2_31},
              {INT64_C(4294967290), INT64_C(4294967300), HY_FORM_PARAM_2_32},
              {INT64_MIN, INT64_MIN + 8, HY_FORM_PARAM_2_63},
              {INT64_MAX - 8, INT64_MAX, HY_FORM_PARAM_2_63},
              {127, 255, HY_FORM_PARAM_EDGE},
              {-128, -128, HY_FORM_PARAM_EDGE},
              {65535, 65535, HY_FORM_PARAM_EDGE}};
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (number >= rows[i].least && number <= rows[i].most) hy_forms_mark(forms, (int)rows[i].form);
}

static void generate_inputs(hy_choices *choices, const hy_alg *alg, hy_walk *walk, hy_case *c) {
  c->input_count = HY_CASE_WINDOWS;
  for (int i = 0; i < c->input_count; i++) {
    hy_case_input *in = &c->inputs[i];
    *in = (hy_case_input){.seed = hy_splitmix(c->seed, (uint64_t)i + 77)};
    generate_window(choices, alg, walk, i, in);
    for (int p = 0; p < alg->param_count && p < HY_MOST_PARAMS; p++) {
      in->params[p] = pick_param(choices, alg->params[p]);
      mark_param(&walk->forms, in->params[p]);
    }
  }
}

static bool generate_valid(hy_choices *choices, const hy_generate_options *options, const hy_text *alg, hy_case *c,
                           hy_walk *walk, hy_text *items) {
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  hy_plugins_use(context, options->plugins);
  hy_source source = {"case.alg", alg->data, alg->length};
  const hy_alg *parsed = hy_parse_alg(context, &source, said);
  if (parsed) {
    walk->funcs = parsed->definition_count;
    if (options->found)
      hy_generate_found(choices, context, parsed, hy_text_string(alg), walk, items);
    else
      hy_generate_schedule(choices, context, hy_lower(context, parsed, said), options, walk, items);
    generate_inputs(choices, parsed, walk, c);
  }
  hy_diagnostics_free(said);
  hy_context_free(context);
  return parsed != NULL;
}

bool hy_case_generate(hy_choices *choices, const hy_generate_options *options, hy_case *c, hy_walk *walk) {
  hy_text alg = {0}, items = {0}, written = {0};
  *c = (hy_case){.seed = choices->bytes ? hy_hash_bytes(1, choices->bytes, choices->count) : choices->seed};
  c->plugins = options->plugins;
  *walk = (hy_walk){.planted_kind = HY_NO_DIRECTIVE};
  bool invalid = !options->found && hy_choose_chance(choices, PERCENT_INVALID), valid = true;
  if (!options->found && hy_choose_chance(choices, PERCENT_RELATED))
    c->relation = hy_choose_chance(choices, PERCENT_CHAINED)
                      ? HY_RELATION_CHAINED
                      : (hy_case_relation)(1 + hy_choose(choices, HY_RELATIONS - 1));
  if (hy_generate_alg(choices, options, &walk->forms, &alg, &written)) walk->shape = HY_SHAPE_OTHER;
  if (invalid)
    walk->planted = hy_generate_invalid(choices, &alg);
  else
    valid = generate_valid(choices, options, &alg, c, walk, &items);
  c->illegal = walk->planted != NULL;
  if (c->illegal) c->relation = HY_RELATION_NONE;
  if (c->relation == HY_RELATION_CHAINED) hy_forms_mark(&walk->forms, HY_FORM_CHAINED);
  c->alg = alg.data;
  if (invalid) hy_text_free(&written);
  c->written = written.data;
  c->items = items.data ? items.data : hy_allocate_zeroed(1, 1);
  return valid;
}
