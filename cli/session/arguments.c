#include "cli/session/arguments.h"

#include "cli/images/image.h"
#include "engines/generator.h"
#include "semantics/value/value_parse.h"

#include <stdlib.h>
#include <string.h>

static const hy_loc nowhere = {0};

/* -- parameters -- */

static const char *kind_of_value(hy_type type) {
  return type == HY_BOOL                               ? "true or false"
         : hy_type_class_of(type) == HY_CLASS_FLOAT    ? "a number, such as 0.5"
         : hy_type_class_of(type) == HY_CLASS_UNSIGNED ? "a whole number that is not negative, such as 3"
                                                       : "a whole number, such as 3";
}

bool hy_arguments_value(const hy_var *param, const char *text, hy_value *value, hy_diagnostics *diagnostics) {
  const char *why;
  if (hy_parse_value(text, param->type, value, &why)) return true;
  hy_text help = {0};
  hy_text_printf(&help, "%s takes %s", hy_type_name(param->type), kind_of_value(param->type));
  hy_report(diagnostics, HY_E_PARAM_VALUE, nowhere, NULL, hy_text_string(&help),
            "parameter '%s' is of type %s, but '%s' %s", param->name, hy_type_name(param->type), text, why);
  hy_text_free(&help);
  return false;
}

static int find_param(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->param_count; i++)
    if (strcmp(alg->params[i]->name, name) == 0) return i;
  return -1;
}

static int find_image(const hy_alg *alg, const char *name) {
  for (int i = 0; i < alg->image_count; i++)
    if (strcmp(alg->images[i]->name, name) == 0) return i;
  return -1;
}

// "it has w: int and in: u16[2]"
static void list_signature(const hy_alg *alg, hy_text *out) {
  hy_text_printf(out, "'%s' has", alg->name);
  for (int i = 0; i < alg->param_count; i++) hy_text_add(out, i ? ", " : " "), hy_alg_print_param(alg, i, out);
  for (int i = 0; i < alg->image_count; i++)
    hy_text_printf(out, "%s %s: %s[%d]", i + alg->param_count ? "," : "", alg->images[i]->name,
                   hy_type_name(alg->images[i]->type), alg->images[i]->rank);
  if (!alg->param_count && !alg->image_count) hy_text_add(out, " no parameters");
}

static bool unknown_setting(hy_session *s, const char *name, bool is_image) {
  const hy_alg *alg = s->alg;
  hy_text help = {0};
  if (is_image && find_param(alg, name) >= 0)
    hy_text_printf(&help, "it is a scalar: write -p %s=VALUE", name);
  else if (!is_image && find_image(alg, name) >= 0)
    hy_text_printf(&help, "it is an image: write -i %s=FILE", name);
  else
    list_signature(alg, &help);
  hy_report(s->diagnostics, is_image ? HY_E_IMAGE_UNKNOWN : HY_E_PARAM_UNKNOWN, nowhere, NULL, hy_text_string(&help),
            "'%s' has no %s named '%s'", alg->name, is_image ? "image" : "scalar parameter", name);
  hy_text_free(&help);
  return false;
}

static bool given_twice(hy_session *s, hy_code code, const char *name) {
  hy_report(s->diagnostics, code, nowhere, NULL, NULL, "'%s' is given twice", name);
  return false;
}

static bool bind_params(hy_session *s, hy_arguments *a) {
  const hy_alg *alg = s->alg;
  bool fine = true, *given = hy_allocate_zeroed((size_t)alg->param_count + 1, sizeof *given);
  for (size_t k = 0; k < s->options.params.count; k++) {
    hy_setting setting = s->options.params.data[k];
    int i = find_param(alg, setting.name);
    if (i < 0)
      fine = unknown_setting(s, setting.name, false);
    else if (given[i])
      fine = given_twice(s, HY_E_PARAM_VALUE, setting.name);
    else {
      given[i] = true;
      fine = hy_arguments_value(alg->params[i], setting.value, &a->params[i], s->diagnostics) && fine;
    }
  }
  for (int i = 0; i < alg->param_count; i++) {
    hy_param_about about = hy_alg_about(alg, i);
    if (!given[i] && about.has_initial) a->params[i] = about.initial;
    if (given[i] || about.has_initial) continue;
    hy_text help = {0};
    hy_text_printf(&help, "add -p %s=VALUE", alg->params[i]->name);
    hy_report(s->diagnostics, HY_E_PARAM_MISSING, nowhere, NULL, hy_text_string(&help),
              "parameter '%s' (%s) has no value", alg->params[i]->name, hy_type_name(alg->params[i]->type));
    hy_text_free(&help);
    fine = false;
  }
  free(given);
  return fine;
}

/* -- images -- */

// place: int {"," int}
static bool take_origin(const char *text, int64_t *origin, int *rank) {
  *rank = 0;
  for (;;) {
    if (*rank == HY_MAX_RANK || !hy_take_int(&text, &origin[*rank])) return false;
    (*rank)++;
    if (!*text) return true;
    if (*text++ != ',') return false;
  }
}

char *hy_arguments_place(const char *text, int64_t *origin, int *rank) {
  const char *at = strrchr(text, '@');
  size_t length = strlen(text);
  if (at && take_origin(at + 1, origin, rank))
    length = (size_t)(at - text);
  else
    *rank = 0;
  char *path = hy_allocate(length + 1);
  memcpy(path, text, length);
  path[length] = 0;
  return path;
}

static bool is_stdin(const char *text) {
  int64_t origin[HY_MAX_RANK];
  int rank;
  char *path = hy_arguments_place(text, origin, &rank);
  bool is = strcmp(path, "-") == 0;
  free(path);
  return is;
}

// What is no file: in=ramp:640x480
static const char *ramp_help(hy_session *s, const hy_func *image) {
  const char *sizes = image->rank == 0   ? "1"
                      : image->rank == 1 ? "640"
                      : image->rank == 2 ? "640x480"
                      : image->rank == 3 ? "640x480x3"
                                         : NULL;
  if (!sizes) return "give as many sizes as the image has dimensions";
  return hy_arena_printf(hy_context_arena(s->context), "give as many sizes as the image has dimensions: %s=ramp:%s",
                         image->name, sizes);
}

static const char *type_help(hy_session *s, const hy_buffer *buffer, const hy_func *image, const char *path) {
  if (strncmp(path, "ramp:", 5) == 0 && buffer->rank != image->rank) return ramp_help(s, image);
  if (buffer->rank == 2 && image->rank == 3)
    return "the file is grey; give one with channels, or declare the image with rank 2";
  if (buffer->rank == 3 && image->rank == 2)
    return "the file has channels; give a grey one, or declare the image with rank 3";
  return "convert the file, or change the parameter's type; nothing is scaled or converted by itself";
}

static bool check_type(hy_session *s, hy_buffer *buffer, const hy_func *image, const char *path) {
  if (hy_image_adopt(buffer, image->type) && buffer->rank == image->rank) return true;
  hy_text what = {0};
  hy_image_describe(buffer, &what);
  hy_report(s->diagnostics, HY_E_IMAGE_TYPE, nowhere, NULL, type_help(s, buffer, image, path),
            "'%s' is %s, but parameter '%s' is %s[%d]", path, hy_text_string(&what), image->name,
            hy_type_name(image->type), image->rank);
  hy_text_free(&what);
  return false;
}

static bool put_in_place(hy_session *s, hy_buffer *buffer, const hy_func *image, const int64_t *origin, int rank) {
  if (rank != 0 && rank != image->rank) {
    hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, NULL, "the place of image '%s' has %d coordinates, not %d",
              image->name, rank, image->rank);
    return false;
  }
  for (int d = 0; d < rank; d++) {
    int64_t end;
    if (__builtin_add_overflow(origin[d], buffer->len[d], &end)) {
      hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, NULL, "the place of image '%s' is too far out", image->name);
      return false;
    }
    buffer->min[d] = origin[d];
  }
  return true;
}

static hy_buffer *load_image(hy_session *s, const hy_func *image, const char *text) {
  int64_t origin[HY_MAX_RANK];
  int rank;
  char *path = hy_arguments_place(text, origin, &rank);
  hy_reporter_progress(s->reporter, "reading %s", path);
  hy_buffer *buffer = hy_generator_is(path) ? hy_generator_make(path, image->type, s->diagnostics)
                                            : hy_image_read(path, s->diagnostics);
  if (buffer && !(check_type(s, buffer, image, path) && put_in_place(s, buffer, image, origin, rank))) {
    hy_buffer_free(buffer);
    buffer = NULL;
  }
  free(path);
  return buffer;
}

int hy_arguments_image(hy_session *s, const hy_setting *setting, hy_arguments *a) {
  int i = find_image(s->alg, setting->name);
  if (i < 0)
    unknown_setting(s, setting->name, true);
  else if (a->images[i])
    given_twice(s, HY_E_USAGE, setting->name);
  else if ((a->images[i] = load_image(s, s->alg->images[i], setting->value)))
    return i;
  return -1;
}

// Standard input is read once, to its end.
static bool reads_stdin_twice(hy_session *s) {
  size_t readers = 0;
  for (size_t k = 0; k < s->options.images.count; k++) readers += is_stdin(s->options.images.data[k].value);
  for (size_t k = 0; k < s->options.compared.count; k++) {
    const char *file = s->options.compared.data[k], *equals = strchr(file, '=');
    readers += strcmp(equals ? equals + 1 : file, "-") == 0;
  }
  if (readers <= 1) return false;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "give files for all but one",
            "standard input (-) is named %zu times, but can be read once", readers);
  return true;
}

// "add -i in=FILE, or a generated one: -i in=random:640x480:1", with as many sizes as it has dimensions
static void add_image_help(const hy_func *image, hy_text *help) {
  static const char *const sizes[] = {"640", "x480", "x3", "x2"};
  hy_text_printf(help, "add -i %s=FILE, or a generated one: -i %s=random:", image->name, image->name);
  for (int d = 0; d < image->rank; d++)
    hy_text_add(help, sizes[(size_t)d < HY_COUNT(sizes) ? (size_t)d : HY_COUNT(sizes) - 1]);
  hy_text_add(help, ":1");
}

static bool bind_images(hy_session *s, hy_arguments *a) {
  if (reads_stdin_twice(s)) return false;
  const hy_alg *alg = s->alg;
  bool fine = true, *given = hy_allocate_zeroed((size_t)alg->image_count + 1, sizeof *given);
  for (size_t k = 0; k < s->options.images.count; k++) {
    hy_setting setting = s->options.images.data[k];
    int i = find_image(alg, setting.name);
    if (i < 0)
      fine = unknown_setting(s, setting.name, true);
    else if (given[i])
      fine = given_twice(s, HY_E_USAGE, setting.name);
    else {
      given[i] = true;
      a->images[i] = load_image(s, alg->images[i], setting.value);
      fine = a->images[i] && fine;
    }
  }
  for (int i = 0; i < alg->image_count; i++) {
    if (given[i]) continue;
    hy_text help = {0};
    add_image_help(alg->images[i], &help);
    hy_report(s->diagnostics, HY_E_IMAGE_MISSING, nowhere, NULL, hy_text_string(&help),
              "image '%s' (%s[%d]) is not given", alg->images[i]->name, hy_type_name(alg->images[i]->type),
              alg->images[i]->rank);
    hy_text_free(&help);
    fine = false;
  }
  free(given);
  return fine;
}

/* -- both -- */

hy_status hy_arguments_bind(hy_session *s, hy_arguments *a) {
  const hy_alg *alg = s->alg;
  *a = (hy_arguments){.image_count = alg->image_count};
  a->params = hy_allocate_zeroed((size_t)alg->param_count + 1, sizeof *a->params);
  a->images = hy_allocate_zeroed((size_t)alg->image_count + 1, sizeof *a->images);
  bool fine = bind_params(s, a);
  fine = bind_images(s, a) && fine;
  a->input = (hy_input){a->params, (const hy_buffer *const *)a->images, a->window_min, a->window_len};
  return fine ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

// A wrong -p is the command line's fault, not a sample's.
hy_status hy_arguments_check_params(hy_session *s) {
  for (size_t k = 0; k < s->options.params.count; k++) {
    hy_setting setting = s->options.params.data[k];
    const hy_var *param = NULL;
    hy_value value;
    for (int i = 0; i < s->alg->param_count; i++)
      if (strcmp(s->alg->params[i]->name, setting.name) == 0) param = s->alg->params[i];
    if (!param)
      hy_report(s->diagnostics, HY_E_PARAM_UNKNOWN, nowhere, NULL, NULL, "'%s' has no scalar parameter named '%s'",
                s->alg->name, setting.name);
    if (!param || !hy_arguments_value(param, setting.value, &value, s->diagnostics)) return HY_STATUS_USAGE;
  }
  return HY_STATUS_FINE;
}

hy_sampler hy_session_sampler(hy_session *s) {
  hy_value *params = HY_NEW_ARRAY(hy_context_arena(s->context), hy_value, s->alg->param_count + 1);
  bool *is_given = HY_NEW_ARRAY(hy_context_arena(s->context), bool, s->alg->param_count + 1);
  for (int i = 0; i < s->alg->param_count; i++)
    for (size_t k = 0; k < s->options.params.count; k++)
      if (strcmp(s->options.params.data[k].name, s->alg->params[i]->name) == 0)
        is_given[i] =
            hy_arguments_value(s->alg->params[i], s->options.params.data[k].value, &params[i], s->diagnostics);
  return (hy_sampler){s->options.seed, params, is_given};
}
