#include "cli/tune/sizes.h"

#include "semantics/value/value_parse.h"

#include <inttypes.h>
#include <string.h>

static const hy_loc nowhere = {0};

/* -- --estimate -- */

static hy_status bad_estimate(hy_session *s, hy_code code, const hy_setting *setting, const char *why) {
  hy_report(s->diagnostics, code, nowhere, NULL,
            "write --estimate FUNC.DIMENSION=MIN:LEN for a side of an output, an image or a func, --estimate "
            "PARAMETER=VALUE for a parameter",
            "the estimate '%s=%s' %s", setting->name, setting->value, why);
  return HY_STATUS_USAGE;
}

static bool parse_side(const char *text, int64_t *min, int64_t *len) {
  const char *at = text;
  return hy_take_int(&at, min) && *at++ == ':' && hy_take_int(&at, len) && !*at;
}

// x, y, c of an image, whose dimensions have numbers.
static int image_dimension(const char *name) {
  static const char *const names[] = {"x", "y", "c"};
  for (int d = 0; d < (int)HY_COUNT(names); d++)
    if (strcmp(names[d], name) == 0) return d;
  return -1;
}

static int dimension_of(const hy_func *func, const char *name) {
  for (int d = 0; d < func->rank; d++)
    if (strcmp(func->dims[d], name) == 0) return d;
  int d = func->is_image ? image_dimension(name) : -1;
  return d < func->rank ? d : -1;
}

static hy_status set_side(hy_session *s, hy_estimates *e, const hy_func *func, int d, const hy_setting *setting) {
  int64_t min, len;
  hy_box *box = &e->boxes[func->index];
  if (!parse_side(setting->value, &min, &len)) return bad_estimate(s, HY_E_ESTIMATE_VALUE, setting, "is not MIN:LEN");
  if (len < 1) return bad_estimate(s, HY_E_ESTIMATE_VALUE, setting, "has no points");
  if (min < -(INT64_C(1) << 31) || min > INT64_C(1) << 31 || len > INT64_C(1) << 31)
    return bad_estimate(s, HY_E_ESTIMATE_VALUE, setting, "lies farther out than +-2^31");
  if (e->known[func->index] & UINT32_C(1) << d && (box->min[d] != min || box->len[d] != len))
    return bad_estimate(s, HY_E_ESTIMATE_TWICE, setting, "contradicts what was said of it before");
  box->min[d] = min;
  box->len[d] = len;
  e->known[func->index] |= UINT32_C(1) << d;
  return HY_STATUS_FINE;
}

static void take_value(hy_sizes *sizes, int i, hy_value value) {
  sizes->has_value[i] = true;
  sizes->arguments.params[i] = value;
  sizes->estimates->has_param[i] = true;
  sizes->estimates->params[i] = value;
}

static hy_status set_param(hy_session *s, hy_sizes *sizes, int i, const hy_setting *setting) {
  hy_value value;
  if (!hy_arguments_value(s->alg->params[i], setting->value, &value, s->diagnostics)) return HY_STATUS_USAGE;
  if (!hy_alg_param_fits(s->alg, i, value))
    return bad_estimate(s, HY_E_ESTIMATE_VALUE, setting, "lies outside of the parameter's range");
  if (sizes->has_value[i] && !hy_value_same(value, sizes->arguments.params[i]))
    return bad_estimate(s, HY_E_ESTIMATE_TWICE, setting, "contradicts what was said of it before");
  take_value(sizes, i, value);
  return HY_STATUS_FINE;
}

// What the text says of parameters counts where the command line says nothing: its estimate, else its default.
static void take_from_text(hy_session *s, hy_sizes *sizes) {
  for (int i = 0; i < s->alg->param_count; i++) {
    hy_param_about about = hy_alg_about(s->alg, i);
    if (sizes->has_value[i] || !(about.has_estimate || about.has_initial)) continue;
    take_value(sizes, i, about.has_estimate ? about.estimate : about.initial);
  }
}

static hy_status unknown_estimate(hy_session *s, const hy_setting *setting) {
  bool is_member = strchr(setting->name, '[') != NULL;
  return bad_estimate(s, HY_E_ESTIMATE_UNKNOWN, setting,
                      is_member ? "names nothing of the algorithm: the member g[3] of a family is called g_3"
                                : "names nothing of the algorithm");
}

// "f.x": a side; "x": that of all outputs that have such a variable; "w": a parameter.
static hy_status set_estimate(hy_session *s, hy_sizes *sizes, const hy_setting *setting) {
  const char *dot = strrchr(setting->name, '.');
  const hy_alg *alg = s->alg;
  for (int i = 0; !dot && i < alg->param_count; i++)
    if (strcmp(alg->params[i]->name, setting->name) == 0) return set_param(s, sizes, i, setting);
  if (dot) {
    char *name = hy_arena_copy(hy_context_arena(s->context), setting->name, (size_t)(dot - setting->name));
    const hy_func *func = hy_alg_find(alg, name);
    int d = func ? dimension_of(func, dot + 1) : -1;
    return d < 0 ? unknown_estimate(s, setting) : set_side(s, sizes->estimates, func, d, setting);
  }
  bool found = false;
  for (int i = 0; i < alg->output_count; i++) {
    int d = dimension_of(alg->outputs[i].func, setting->name);
    if (d < 0) continue;
    found = true;
    hy_status status = set_side(s, sizes->estimates, alg->outputs[i].func, d, setting);
    if (status != HY_STATUS_FINE) return status;
  }
  return found ? HY_STATUS_FINE : unknown_estimate(s, setting);
}

/* -- what runs are given says of sizes, too -- */

static hy_status take_images(hy_session *s, hy_sizes *sizes) {
  for (size_t k = 0; k < s->options.images.count; k++) {
    int i = hy_arguments_image(s, &s->options.images.data[k], &sizes->arguments);
    if (i < 0) return HY_STATUS_USAGE;
    const hy_buffer *buffer = sizes->arguments.images[i];
    hy_box *box = &sizes->estimates->boxes[s->alg->images[i]->index];
    for (int d = 0; d < box->rank; d++) {
      box->min[d] = buffer->min[d];
      box->len[d] = buffer->len[d];
    }
    sizes->estimates->known[s->alg->images[i]->index] = (UINT32_C(1) << box->rank) - 1;
  }
  return HY_STATUS_FINE;
}

static void take_window(hy_session *s, hy_sizes *sizes) {
  for (int d = 0; d < s->alg->window_rank; d++) {
    const hy_var *side = s->alg->window_min[d];
    hy_box *box = &sizes->estimates->boxes[side->func->index];
    box->min[side->dim] = sizes->arguments.window_min[d];
    box->len[side->dim] = sizes->arguments.window_len[d];
    sizes->estimates->known[side->func->index] |= UINT32_C(1) << side->dim;
  }
}

// The window: as said, or the largest that the images serve, as of 'halyard run', where all are given.
static hy_status window_of(hy_session *s, hy_sizes *sizes) {
  hy_arguments *a = &sizes->arguments;
  bool all = s->alg->image_count > 0, outputs = true;
  for (int i = 0; i < s->alg->image_count; i++) all &= a->images[i] != NULL;
  for (int i = 0; i < s->alg->param_count; i++) all &= sizes->has_value[i];
  for (int i = 0; i < s->alg->output_count; i++)
    outputs &= hy_estimates_knows(sizes->estimates, s->alg->outputs[i].func);
  if (!s->options.window_given && (outputs || !all)) return HY_STATUS_FINE;
  const hy_tgt *plain = all ? hy_session_plain(s) : NULL;
  if (!s->options.window_given && !plain) return HY_STATUS_FINE; // said when the default schedule is looked at
  hy_status status = hy_arguments_window(s, a, plain, NULL);
  if (status == HY_STATUS_FINE) take_window(s, sizes);
  return status;
}

/* -- what is missing -- */

static void missing(void *self, const char *name, const hy_var *param) {
  hy_session *s = self;
  hy_text help = {0};
  if (param)
    hy_text_printf(&help, "add --estimate %s=VALUE, or -p %s=VALUE", name, name);
  else
    hy_text_printf(&help, "add --estimate %s=MIN:LEN, with about what will be usual", name);
  hy_report(s->diagnostics, HY_E_ESTIMATE_MISSING, nowhere, NULL, hy_text_string(&help),
            "there is no estimate of '%s', on which sizes depend", name);
  hy_text_free(&help);
}

hy_status hy_sizes_read(hy_session *s, hy_sizes *sizes) {
  const hy_alg *alg = s->alg;
  hy_arguments *a = &sizes->arguments;
  *sizes = (hy_sizes){.estimates = hy_estimates_new(s->context, alg)};
  sizes->has_value = HY_NEW_ARRAY(hy_context_arena(s->context), bool, alg->param_count + 1);
  a->image_count = alg->image_count;
  a->params = hy_allocate_zeroed((size_t)alg->param_count + 1, sizeof *a->params);
  a->images = hy_allocate_zeroed((size_t)alg->image_count + 1, sizeof *a->images);
  a->input = (hy_input){a->params, (const hy_buffer *const *)a->images, a->window_min, a->window_len};
  if (hy_arguments_check_params(s) != HY_STATUS_FINE) return HY_STATUS_USAGE;
  hy_status status = take_images(s, sizes);
  for (size_t k = 0; k < s->options.params.count && status == HY_STATUS_FINE; k++)
    status = set_estimate(s, sizes, &s->options.params.data[k]);
  for (size_t k = 0; k < s->options.estimates.count && status == HY_STATUS_FINE; k++)
    status = set_estimate(s, sizes, &s->options.estimates.data[k]);
  if (status == HY_STATUS_FINE) take_from_text(s, sizes);
  if (status == HY_STATUS_FINE) status = window_of(s, sizes);
  if (status != HY_STATUS_FINE) return status;
  return hy_estimates_missing(s->context, alg, sizes->estimates, missing, s) ? HY_STATUS_USAGE : HY_STATUS_FINE;
}

void hy_sizes_free(hy_sizes *sizes) { hy_arguments_free(&sizes->arguments); }

static void print_box(const hy_func *func, const hy_estimates *e, const char **between, hy_text *out) {
  for (int d = 0; d < func->rank; d++) {
    if (!(e->known[func->index] & UINT32_C(1) << d)) continue;
    const hy_box *box = &e->boxes[func->index];
    hy_text_printf(out, "%s%s.%s=%" PRId64 ":%" PRId64, *between, func->name, func->dims[d], box->min[d], box->len[d]);
    *between = ", ";
  }
}

void hy_sizes_print(const hy_alg *alg, const hy_estimates *e, hy_text *out) {
  const char *between = "";
  for (int i = 0; i < alg->definition_count; i++) print_box(alg->definitions[i].func, e, &between, out);
  for (int i = 0; i < alg->image_count; i++) print_box(alg->images[i], e, &between, out);
  for (int i = 0; i < alg->param_count; i++) {
    if (!e->has_param[i]) continue;
    hy_text_printf(out, "%s%s=", between, alg->params[i]->name);
    hy_value_print(e->params[i], out);
    between = ", ";
  }
}
