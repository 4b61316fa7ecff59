/* What is said of parameters beside their types: w: int in 1..16 = 3 estimate 8. All of it is known in the text. */

#include "semantics/text/alg_internal.h"

#include <math.h>

typedef struct {
  hy_writer writer;
  const hy_written_pipeline *written;
  const hy_written_param *param;
  hy_type type;
  hy_param_about about;
} reader;

static bool refuse(const reader *r, hy_loc loc, const char *help, const char *message) {
  hy_report(r->writer.diagnostics, HY_E_PARAM_ABOUT, loc, "ALG.Valid.Params", help, "%s of '%s'", message,
            r->param->name.text);
  return false;
}

static bool is_finite(hy_value value) {
  return hy_type_class_of((hy_type)value.type) != HY_CLASS_FLOAT || isfinite(hy_value_to_double(value));
}

// "what" is the subject of a sentence; *is_said tells whether it is written, and the value is then good.
static bool read_value(reader *r, const hy_syntax *written, const char *what, hy_value *value, bool *is_said) {
  if (!written) return true;
  if (!hy_writer_value(&r->writer, written, r->type, value)) return false;
  *is_said = true;
  if (!is_finite(*value)) return refuse(r, written->loc, "write a number", what);
  return true;
}

static bool is_at_most(hy_value a, hy_value b) {
  return hy_value_is_true(hy_value_apply(HY_OP_LE, HY_BOOL, (hy_value[]){a, b}));
}

static bool is_outside(const reader *r, bool is_said, hy_value value) {
  const hy_param_about *about = &r->about;
  return is_said && about->has_range && !(is_at_most(about->least, value) && is_at_most(value, about->greatest));
}

static bool check(const reader *r) {
  const hy_param_about *about = &r->about;
  const hy_written_param *p = r->param;
  if (about->has_range && !is_at_most(about->least, about->greatest))
    return refuse(r, p->least->loc, "write the least value first: in 1..16", "no value lies in the range");
  if (is_outside(r, about->has_initial, about->initial))
    return refuse(r, p->initial->loc, "give one that lies in the range", "the range does not have the default");
  if (is_outside(r, about->has_estimate, about->estimate))
    return refuse(r, p->estimate->loc, "give one that lies in the range", "the range does not have the estimate");
  return true;
}

static bool read_about(reader *r) {
  const hy_written_param *p = r->param;
  const hy_syntax *first = p->least ? p->least : p->initial ? p->initial : p->estimate;
  bool has_least = false;
  if (!first) return true;
  if (p->is_image)
    return refuse(r, first->loc, "these are of scalars: w: int in 1..16 = 3", "there is no range, default or estimate");
  if (p->least && hy_type_is_storage(p->type))
    return refuse(r, p->least->loc, "ask it of an f32: require f32(a) >= 0.0 && f32(a) <= 1.0;",
                  "what is for storage alone has no range: that");
  if (p->least && p->type == HY_BOOL) return refuse(r, p->least->loc, "leave it out", "there is no range");
  return read_value(r, p->least, "the least value is no number: that", &r->about.least, &has_least) &&
         read_value(r, p->greatest, "the greatest value is no number: that", &r->about.greatest, &r->about.has_range) &&
         read_value(r, p->initial, "the default is no number: that", &r->about.initial, &r->about.has_initial) &&
         read_value(r, p->estimate, "the estimate is no number: that", &r->about.estimate, &r->about.has_estimate) &&
         check(r);
}

// in 1..v: a bound by another parameter is a requirement.
static const char *required_instead(void *self, const char *name) {
  const reader *r = self;
  const hy_written_param *p = r->param, *other = NULL;
  for (int i = 0; i < r->written->param_count; i++)
    if (r->written->params[i].name.text == name && !r->written->params[i].is_image) other = &r->written->params[i];
  bool is_least = p->least && p->least->kind == HY_SYNTAX_NAME && p->least->text == name;
  bool is_greatest = p->greatest && p->greatest->kind == HY_SYNTAX_NAME && p->greatest->text == name;
  if (!other || (!is_least && !is_greatest)) return NULL;
  return hy_arena_printf(hy_context_arena(r->writer.context), "write require %s %s %s; among the funcs", p->name.text,
                         is_least ? ">=" : "<=", name);
}

// ALG.Valid.Params
const hy_param_about *hy_about_params(hy_context *context, const hy_written_pipeline *written,
                                      hy_diagnostics *diagnostics) {
  hy_param_about *list = HY_NEW_ARRAY(hy_context_arena(context), hy_param_about, written->param_count);
  bool good = true, is_said = false;
  int count = 0;
  for (int i = 0; i < written->param_count; i++) {
    const hy_written_param *param = &written->params[i];
    reader r = {.writer = {.context = context, .diagnostics = diagnostics, .rule = "ALG.Valid.Params"},
                .written = written,
                .param = param,
                .type = param->type,
                .about = {.loc = param->name.loc}};
    r.writer.instead = required_instead;
    r.writer.self = &r;
    bool fine = read_about(&r);
    hy_writer_close(&r.writer);
    good &= fine;
    is_said |= fine && (r.about.has_range || r.about.has_initial || r.about.has_estimate);
    hy_context_hit(context, fine ? HY_RULE_ALG_VALID_PARAMS : HY_RULE_ALG_VALID_PARAMS_NOT);
    if (!param->is_image) list[count++] = r.about;
  }
  return good && is_said ? list : NULL;
}
