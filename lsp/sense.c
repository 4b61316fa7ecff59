#include "lsp/sense.h"

#include <string.h>

typedef struct {
  hy_lsp_reading *reading;
  hy_read_source *source;
  const hy_outline *outline;
  const hy_chains *chains;
  int token, schedule;
  const char *text;
} looking;

static bool found(hy_sense *sense, hy_read_source *source, const hy_outline_name *name) {
  if (!name) return false;
  *sense = (hy_sense){source, name->token, name, NULL};
  return true;
}

static bool made(const looking *l, int token, hy_sense *sense) {
  *sense = (hy_sense){l->source, token, NULL, NULL};
  return true;
}

/* -- schedules and their algorithm -- */

int hy_sense_schedule(const hy_outline *o, int token) {
  int last = HY_NO_TOKEN;
  for (size_t i = 0; i < o->names.count; i++)
    if (o->names.data[i].kind == HY_NAMES_SCHEDULE && o->names.data[i].first <= token) last = o->names.data[i].token;
  return last;
}

hy_read_source *hy_sense_algorithm(hy_lsp_reading *r, hy_read_source *schedules, int token) {
  const hy_outline *o = hy_reading_outline(r, schedules);
  int name = hy_sense_schedule(o, token);
  if (name == HY_NO_TOKEN || !hy_outline_is(o, name + 1, "for") || !hy_outline_is_name(o, name + 2)) return NULL;
  return hy_reading_algorithm(r, hy_outline_text(o, name + 2));
}

/* -- funcs and loops of a schedule -- */

static const hy_outline_name *of_kinds(const hy_outline *o, const char *text, const hy_outline_kind *kinds,
                                       size_t count) {
  const hy_outline_name *name = NULL;
  for (size_t i = 0; i < count && !name; i++) name = hy_outline_find(o, kinds[i], text);
  return name;
}

// "f", "g_3" of a family, "f_in_g" that a directive adds: the longest name of an algorithm's func that it begins with.
static const hy_outline_name *func_of(const hy_outline *algorithm, const char *text) {
  static const hy_outline_kind kinds[] = {HY_NAMES_FUNC, HY_NAMES_IMAGE};
  const hy_outline_name *name = of_kinds(algorithm, text, kinds, HY_COUNT(kinds));
  for (size_t i = 0; i < algorithm->names.count && !name; i++) {
    const hy_outline_name *one = &algorithm->names.data[i];
    size_t length = strlen(one->text);
    if (one->kind != HY_NAMES_FUNC && one->kind != HY_NAMES_IMAGE) continue;
    if (strncmp(one->text, text, length) == 0 && text[length] == '_') name = one;
  }
  return name;
}

// An argument of that kind and text in a call of this schedule that speaks of the func (NULL: of any): the last before
// the token, else the first behind it.
static int argument_of(const looking *l, hy_chain_slot kind, const char *func, const char *text) {
  int best = HY_NO_TOKEN, from, to;
  for (size_t i = 0; i < l->chains->calls.count; i++) {
    const hy_chain_call *call = &l->chains->calls.data[i];
    if (call->schedule != l->schedule) continue;
    if (func && strcmp(hy_chain_func(l->reading->context, l->chains, call), func) != 0) continue;
    int count = hy_chain_count(l->chains, call);
    for (int place = 0; hy_chain_argument(l->chains, call, place, &from, &to); place++) {
      if (hy_chain_slot_of(hy_outline_text(l->outline, call->name), call->func != HY_NO_TOKEN, place, count) != kind)
        continue;
      if (to - from == 1 && hy_outline_is(l->outline, from, text) && (best == HY_NO_TOKEN || from <= l->token))
        best = from;
    }
  }
  return best;
}

// Where f.in(g), f.clone_in(g) or f.rfactor(r, u) makes a func of that name.
static int call_that_makes(const looking *l, const char *text) {
  static const struct {
    const char *call, *suffix;
  } makers[] = {{"in", "_in"}, {"clone_in", "_clone_in"}, {"rfactor", "_intm"}};
  for (size_t i = 0; i < l->chains->calls.count; i++) {
    const hy_chain_call *call = &l->chains->calls.data[i];
    const char *func = hy_chain_func(l->reading->context, l->chains, call);
    size_t length = strlen(func);
    if (call->schedule != l->schedule || call->func == HY_NO_TOKEN || strncmp(text, func, length) != 0) continue;
    for (size_t k = 0; k < HY_COUNT(makers); k++)
      if (hy_outline_is(l->outline, call->name, makers[k].call) &&
          strncmp(text + length, makers[k].suffix, strlen(makers[k].suffix)) == 0)
        return call->name;
  }
  return HY_NO_TOKEN;
}

static bool find_func(const looking *l, hy_sense *sense) {
  static const hy_outline_kind kinds[] = {HY_NAMES_FUNC, HY_NAMES_IMAGE};
  int token = argument_of(l, HY_SLOT_NEW_FUNC, NULL, l->text);
  if (token != HY_NO_TOKEN) return made(l, token, sense);
  hy_read_source *algorithm = hy_sense_algorithm(l->reading, l->source, l->token);
  if (!algorithm) return false;
  const hy_outline *o = hy_reading_outline(l->reading, algorithm);
  if (found(sense, algorithm, of_kinds(o, l->text, kinds, HY_COUNT(kinds)))) return true;
  token = call_that_makes(l, l->text);
  return token != HY_NO_TOKEN ? made(l, token, sense) : found(sense, algorithm, func_of(o, l->text));
}

// The inner loop x_v of vectorize(x, 8), which has no place of its own.
static int split_of(const looking *l, const char *func) {
  size_t length = strlen(l->text);
  if (length < 3 || l->text[length - 2] != '_') return HY_NO_TOKEN;
  const char *method = l->text[length - 1] == 'v'   ? "vectorize"
                       : l->text[length - 1] == 'u' ? "unroll"
                       : l->text[length - 1] == 'p' ? "parallel"
                                                    : "";
  for (size_t i = 0; i < l->chains->calls.count; i++) {
    const hy_chain_call *call = &l->chains->calls.data[i];
    const char *loop = hy_outline_text(l->outline, call->open + 1);
    if (call->schedule == l->schedule && hy_outline_is(l->outline, call->name, method) &&
        strcmp(hy_chain_func(l->reading->context, l->chains, call), func) == 0 && strlen(loop) == length - 2 &&
        memcmp(loop, l->text, length - 2) == 0)
      return call->open + 1;
  }
  return HY_NO_TOKEN;
}

// A loop of the func, or a dimension of it.
static bool look_for_loop(const looking *l, const char *func, hy_chain_slot kind, hy_sense *sense) {
  int token = kind == HY_SLOT_DIMENSION ? HY_NO_TOKEN : argument_of(l, HY_SLOT_NEW_LOOP, func, l->text);
  if (token == HY_NO_TOKEN && kind != HY_SLOT_DIMENSION) token = split_of(l, func);
  if (token != HY_NO_TOKEN) return made(l, token, sense);
  hy_read_source *algorithm = hy_sense_algorithm(l->reading, l->source, l->token);
  if (!algorithm) return false;
  const hy_outline *o = hy_reading_outline(l->reading, algorithm);
  const hy_outline_name *of = func_of(o, func);
  for (size_t i = 0; of && i < o->names.count; i++) {
    const hy_outline_name *name = &o->names.data[i];
    bool is_loop = name->kind == HY_NAMES_DIMENSION || (name->kind == HY_NAMES_RDOM && kind != HY_SLOT_DIMENSION);
    if (is_loop && strcmp(name->text, l->text) == 0 && name->func && strcmp(name->func, of->text) == 0)
      return found(sense, algorithm, name);
  }
  return false;
}

static bool find_loop(const looking *l, const char *func, hy_chain_slot kind, hy_sense *sense) {
  if (!look_for_loop(l, func, kind, sense)) return false;
  sense->func = func;
  return true;
}

static bool find_in_expression(const looking *l, hy_sense *sense) {
  static const hy_outline_kind kinds[] = {HY_NAMES_PARAM, HY_NAMES_IMAGE};
  if (l->token > 0 && hy_outline_is(l->outline, l->token - 1, ".")) return false;
  const hy_outline_name *turn = hy_outline_meaning(l->outline, l->token, l->text);
  if (turn && turn->kind == HY_NAMES_TURN) return found(sense, l->source, turn);
  hy_read_source *algorithm = hy_sense_algorithm(l->reading, l->source, l->token);
  return algorithm &&
         found(sense, algorithm, of_kinds(hy_reading_outline(l->reading, algorithm), l->text, kinds, HY_COUNT(kinds)));
}

static bool find_argument(const looking *l, const hy_chain_call *call, int place, hy_sense *sense) {
  const hy_outline *o = l->outline;
  int from = 0, to = 0, before, behind;
  bool in_chain = call->func != HY_NO_TOKEN;
  if (!hy_chain_argument(l->chains, call, place, &from, &to)) return false;
  hy_chain_slot kind =
      hy_chain_slot_of(hy_outline_text(o, call->name), in_chain, place, hy_chain_count(l->chains, call));
  bool is_path = hy_outline_is(o, from + 1, ".") && from + 1 < to;
  const char *func = hy_chain_func(l->reading->context, l->chains, call);
  switch (kind) {
  case HY_SLOT_FUNC: return find_func(l, sense);
  case HY_SLOT_NEW_LOOP: made(l, l->token, sense); return sense->func = func, true;
  case HY_SLOT_NEW_FUNC: return made(l, l->token, sense);
  case HY_SLOT_SITE:
    if (is_path || !hy_chain_argument(l->chains, call, place - 1, &before, &behind))
      func = hy_outline_text(o, from);
    else
      func = hy_chain_func_at(l->reading->context, o, before);
    break;
  case HY_SLOT_LOOP:
    if (is_path) func = hy_outline_text(o, from);
    break;
  case HY_SLOT_DIMENSION: break;
  case HY_SLOT_EXPR: return find_in_expression(l, sense);
  case HY_SLOT_NONE:
  case HY_SLOT_TAIL:
  case HY_SLOT_TRAVERSAL:
  case HY_SLOT_STORE: return false;
  }
  if (is_path && l->token == from) return find_func(l, sense);
  return l->token == to - 1 && find_loop(l, func, kind, sense);
}

static bool find_in_schedule(const looking *l, hy_sense *sense) {
  const hy_outline *o = l->outline;
  for (size_t i = 0; i < o->names.count; i++)
    if (o->names.data[i].token == l->token) return found(sense, l->source, &o->names.data[i]);
  if (l->schedule != HY_NO_TOKEN && l->token == l->schedule + 2) {
    hy_read_source *algorithm = hy_sense_algorithm(l->reading, l->source, l->token);
    return algorithm && found(sense, algorithm,
                              hy_outline_find(hy_reading_outline(l->reading, algorithm), HY_NAMES_PIPELINE, l->text));
  }
  int place;
  const hy_chain_call *call = hy_chain_at(l->chains, l->token, &place);
  if (call) return find_argument(l, call, place, sense);
  if (hy_outline_is_word_in(o, l->token)) return false;
  bool begins = hy_outline_is(o, l->token + 1, ".") || hy_outline_is(o, l->token + 1, "[");
  return begins ? find_func(l, sense) : find_in_expression(l, sense);
}

/* -- all languages -- */

bool hy_sense_find(hy_lsp_reading *r, hy_read_source *source, int token, hy_sense *sense) {
  const hy_outline *o = hy_reading_outline(r, source);
  if (!hy_outline_is_name(o, token)) return false;
  looking l = {.reading = r, .source = source, .outline = o, .token = token, .text = hy_outline_text(o, token)};
  if (source->language == HY_LANGUAGE_SCHEDULE) {
    l.chains = hy_reading_chains(r, source);
    l.schedule = hy_sense_schedule(o, token);
    return find_in_schedule(&l, sense);
  }
  if (token > 0 && hy_outline_is(o, token - 1, ".")) return false; // a member
  for (size_t i = 0; i < o->names.count; i++)
    if (o->names.data[i].token == token) return found(sense, source, &o->names.data[i]);
  const hy_outline_name *name = hy_outline_meaning(o, token, l.text);
  if (source->language == HY_LANGUAGE_TGT && name && name->kind != HY_NAMES_PARAM && name->kind != HY_NAMES_IMAGE)
    return false; // loops of target programs are paths
  return found(sense, source, name);
}
