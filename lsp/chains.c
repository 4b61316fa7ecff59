#include "lsp/chains.h"

#include "sched/sched.h"

#include <ctype.h>
#include <string.h>

/* -- items and calls -- */

static bool is(const hy_outline *o, int token, const char *text) { return hy_outline_is(o, token, text); }

static bool ends_item(const hy_outline *o, int token) {
  return token >= o->count || is(o, token, ";") || is(o, token, "}") || is(o, token, "{");
}

// The name before "." or "[k].", if an item begins so; behind "for k in 0..3" as well.
static int chain_func(const hy_outline *o, int point) {
  int at = point - 1;
  if (is(o, at, "]"))
    for (at--; at >= 0 && o->match[at] != point - 1;) at--;
  if (is(o, at, "[")) at--;
  return hy_outline_is_name(o, at) ? at : HY_NO_TOKEN;
}

// Up to the parenthesis that closes, or to where the item ends: the next statement is no argument.
static int close_of(const hy_outline *o, int open) {
  int at = open + 1;
  while (at < o->match[open] && at < o->count && !ends_item(o, at)) at++;
  return at;
}

static int read_item(hy_chains *c, int item, int schedule) {
  const hy_outline *o = c->outline;
  int func = HY_NO_TOKEN, at = item;
  bool called = false;
  for (; !ends_item(o, at); at++) {
    if (is(o, at, ".") && !called && func == HY_NO_TOKEN) func = chain_func(o, at);
    if (!is(o, at, "(")) continue;
    int close = close_of(o, at);
    if (hy_outline_is_name(o, at - 1)) hy_vec_push(&c->calls, (hy_chain_call){item, func, at - 1, at, close, schedule});
    called = true;
    if (ends_item(o, close)) return close;
    at = close;
  }
  return at;
}

void hy_chains_read(const hy_outline *o, hy_chains *c) {
  *c = (hy_chains){.outline = o};
  int schedule = HY_NO_TOKEN;
  for (int at = 0; at < o->count; at++) {
    if (is(o, at, "schedule") && hy_outline_is_name(o, at + 1)) {
      schedule = at + 1;
      while (at < o->count && !is(o, at, "{")) at++;
    } else if (!ends_item(o, at)) {
      at = read_item(c, at, schedule);
    }
  }
}

/* -- arguments -- */

bool hy_chain_argument(const hy_chains *c, const hy_chain_call *call, int place, int *from, int *to) {
  const hy_outline *o = c->outline;
  for (int at = call->open + 1, begin = at; at <= call->close; at++) {
    if (at < call->close && !is(o, at, ",")) {
      if (o->match[at] != HY_NO_TOKEN && o->match[at] < call->close) at = o->match[at];
      continue;
    }
    if (place-- == 0) {
      *from = begin, *to = at;
      return true;
    }
    begin = at + 1;
  }
  return false;
}

int hy_chain_count(const hy_chains *c, const hy_chain_call *call) {
  int count = 0, from, to;
  while (hy_chain_argument(c, call, count, &from, &to)) count++;
  return count == 1 && call->open + 1 == call->close ? 0 : count;
}

const hy_chain_call *hy_chain_at(const hy_chains *c, int token, int *place) {
  for (size_t i = 0; i < c->calls.count; i++) {
    const hy_chain_call *call = &c->calls.data[i];
    if (token <= call->open || token > call->close) continue;
    int from, to;
    for (*place = 0; hy_chain_argument(c, call, *place, &from, &to) && to < token;) ++*place;
    return call;
  }
  return NULL;
}

const char *hy_chain_func_at(hy_context *context, const hy_outline *o, int token) {
  const char *name = hy_outline_text(o, token);
  if (!is(o, token + 1, "[")) return name;
  return hy_context_name_of(context,
                            hy_arena_printf(hy_context_arena(context), "%s_%s", name, hy_outline_text(o, token + 2)));
}

const char *hy_chain_func(hy_context *context, const hy_chains *c, const hy_chain_call *call) {
  int from, to;
  if (call->func != HY_NO_TOKEN) return hy_chain_func_at(context, c->outline, call->func);
  return hy_chain_argument(c, call, 0, &from, &to) && from < to ? hy_outline_text(c->outline, from) : "";
}

/* -- what stands where -- */

static hy_chain_slot slot_of_takes(hy_takes takes) {
  switch (takes) {
  case HY_TAKES_END: return HY_SLOT_NONE;
  case HY_TAKES_FUNC:
  case HY_TAKES_BUFFER:
  case HY_TAKES_SOURCE:
  case HY_TAKES_READERS:
  case HY_TAKES_BRANCHES: return HY_SLOT_FUNC;
  case HY_TAKES_LOOP:
  case HY_TAKES_INNER:
  case HY_TAKES_AROUND: return HY_SLOT_LOOP;
  case HY_TAKES_SITE: return HY_SLOT_SITE;
  case HY_TAKES_NAME: return HY_SLOT_NEW_LOOP;
  case HY_TAKES_MADE: return HY_SLOT_NEW_FUNC;
  case HY_TAKES_DIMENSION:
  case HY_TAKES_DIMENSIONS: return HY_SLOT_DIMENSION;
  case HY_TAKES_STORE: return HY_SLOT_STORE;
  case HY_TAKES_TAIL: return HY_SLOT_TAIL;
  case HY_TAKES_TRAVERSAL: return HY_SLOT_TRAVERSAL;
  case HY_TAKES_FACTOR:
  case HY_TAKES_LENGTH:
  case HY_TAKES_EXPR:
  case HY_TAKES_NUMBER:
  case HY_TAKES_REMAINDER:
  case HY_TAKES_CONDITIONS: return HY_SLOT_EXPR;
  }
  HY_UNREACHABLE();
}

static bool repeats(hy_takes takes) {
  return takes == HY_TAKES_READERS || takes == HY_TAKES_BRANCHES || takes == HY_TAKES_DIMENSIONS ||
         takes == HY_TAKES_CONDITIONS;
}

static hy_chain_slot slot_of_type(const hy_directive_type *type, bool in_chain, int place) {
  const hy_takes *takes = type->arguments;
  for (; *takes != HY_TAKES_END; takes++) {
    if (in_chain && (*takes == HY_TAKES_FUNC || *takes == HY_TAKES_BUFFER)) continue;
    if (place == 0 || repeats(*takes)) break;
    place--;
  }
  return slot_of_takes(*takes);
}

// How the forms of methods call what stands at a place.
static const struct {
  const char *word;
  hy_chain_slot kind;
} form_words[] = {
    {"x", HY_SLOT_LOOP},      {"y", HY_SLOT_LOOP},      {"r", HY_SLOT_LOOP},         {"xo", HY_SLOT_NEW_LOOP},
    {"yo", HY_SLOT_NEW_LOOP}, {"xi", HY_SLOT_NEW_LOOP}, {"yi", HY_SLOT_NEW_LOOP},    {"t", HY_SLOT_NEW_LOOP},
    {"u", HY_SLOT_NEW_LOOP},  {"g", HY_SLOT_FUNC},      {"k", HY_SLOT_EXPR},         {"width", HY_SLOT_EXPR},
    {"height", HY_SLOT_EXPR}, {"factor", HY_SLOT_EXPR}, {"condition", HY_SLOT_EXPR}, {"tail", HY_SLOT_TAIL},
};

static hy_chain_slot slot_of_word(const char *word, size_t length) {
  for (size_t i = 0; i < HY_COUNT(form_words); i++)
    if (strlen(form_words[i].word) == length && memcmp(form_words[i].word, word, length) == 0)
      return form_words[i].kind;
  return HY_SLOT_NONE;
}

// "tile(x, y[, xo, yo], xi, yi, width, height[, tail])": the word at a place. What stands in brackets with more behind
// them is left out where the arguments are too few for it.
static hy_chain_slot slot_of_form(const char *form, int place, int count) {
  hy_chain_slot kind = HY_SLOT_NONE, before = HY_SLOT_NONE;
  const char *bracket = strchr(form, '['), *behind = bracket ? strchr(bracket, ']') : NULL;
  bool skips = behind && behind[1] == ',' && count < 8;
  for (const char *at = strchr(form, '(') + 1; *at && *at != ')'; at++) {
    if (skips && at == bracket) at = behind;
    if (strncmp(at, "...", 3) == 0) return kind;
    if (!isalpha((unsigned char)*at)) continue;
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    before = kind;
    kind = slot_of_word(at, length);
    if (kind == HY_SLOT_LOOP && before == HY_SLOT_FUNC) kind = HY_SLOT_SITE; // compute_at(g, x)
    if (place-- == 0) return kind;
    at += length - 1;
  }
  return HY_SLOT_NONE;
}

static const hy_directive_type *find_type(const char *name) {
  int count;
  const hy_directive_type *const *all = hy_sched_directives(&count);
  for (int i = 0; i < count; i++)
    if (strcmp(all[i]->name, name) == 0) return all[i];
  return NULL;
}

static const char *find_method(const char *name, const char **summary) {
  const char *one, *form;
  for (int i = 0; (one = hy_sched_method(i, &form, summary)); i++)
    if (strcmp(one, name) == 0) return form;
  return NULL;
}

hy_chain_slot hy_chain_slot_of(const char *call, bool in_chain, int place, int count) {
  const hy_directive_type *type = find_type(call);
  const char *summary, *form = in_chain ? find_method(call, &summary) : NULL;
  if (type && (!in_chain || type->in_chain)) return slot_of_type(type, in_chain, place);
  return form ? slot_of_form(form, place, count) : HY_SLOT_NONE;
}

bool hy_chain_about(const char *call, bool in_chain, const char **form, const char **summary, const char **phase) {
  const hy_directive_type *type = find_type(call);
  *phase = NULL;
  if (type && (!in_chain || type->in_chain)) {
    *form = in_chain ? type->in_chain : type->form;
    *summary = type->summary;
    *phase = hy_phase_name(type->phase);
    return true;
  }
  *form = in_chain ? find_method(call, summary) : NULL;
  return *form != NULL;
}
