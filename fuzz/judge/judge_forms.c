// What forms of the language stand for: everything behind the parser sees their expansion alone, and so no engine tells
// whether it is the right one. A case may hold its algorithm once more, with the forms written out by whoever made it:
// both must mean the same (semantics/rules/3_algorithms.md, "Forms"). What is expanded must come back from its text,
// too.

#include "fuzz/judge/judge_internal.h"

#include "engines/generator.h"
#include "semantics/semantics.h"

#include <string.h>

// The algorithm of a text, in a context of its own.
typedef struct {
  hy_context *context;
  hy_diagnostics *said;
  hy_source source;
  const hy_alg *alg; // NULL: it is refused
} reading;

static reading read_with(const char *text, hy_find_source *find_source, void *self) {
  reading r = {hy_context_new(), hy_diagnostics_new(), {"written.alg", text, strlen(text)}, NULL};
  hy_context_use_sources(r.context, find_source, self);
  r.alg = hy_parse_alg(r.context, &r.source, r.said);
  return r;
}

static reading read_text(const char *text) { return read_with(text, NULL, NULL); }

static void forget(reading *r) {
  hy_diagnostics_free(r->said);
  hy_context_free(r->context);
}

static void find(hy_judging *g, const char *rule, const char *detail) {
  if (hy_judging_find(g, HY_FOUND_DISAGREE, rule, detail)) hy_judging_blame(g, 0);
}

void hy_judging_forms(hy_judging *g, const hy_buffer *want) {
  if (!g->c->written) return;
  const hy_alg *alg = g->pipeline.alg;
  reading r = read_text(g->c->written);
  bool is_same = r.alg && r.alg->param_count == alg->param_count && r.alg->image_count == alg->image_count &&
                 r.alg->part_count == alg->part_count;
  for (int k = 0; is_same && k < alg->part_count; k++) {
    const hy_output_part *a = &alg->parts[k], *b = &r.alg->parts[k];
    is_same = a->output == b->output && a->func->rank == b->func->rank && a->type == b->type;
  }
  if (is_same) {
    hy_outcome got = hy_engine_alg(r.context, r.alg, &g->input, false, HY_RUN_STEPS);
    hy_judging_compare(g, HY_FOUND_DISAGREE, "form", "the algorithm with its forms written out", want, &got);
    if (g->j->found == HY_FOUND_DISAGREE && strcmp(g->j->rule, "form") == 0) hy_judging_blame(g, 0);
    hy_outcome_free(&got);
  } else {
    find(g, "form",
         r.alg ? "the algorithm with its forms written out has another signature"
               : "the algorithm with its forms written out is refused");
  }
  forget(&r);
}

void hy_judging_form_text(hy_judging *g) {
  if (!g->c->written) return;
  hy_text first = {0}, second = {0};
  hy_alg_print(g->pipeline.alg, &first);
  reading r = read_text(first.data);
  if (r.alg) hy_alg_print(r.alg, &second);
  if (strcmp(hy_text_string(&first), hy_text_string(&second)) != 0)
    find(g, "form text",
         r.alg ? "an expansion is printed and read back as another one"
               : "an expansion is printed, and refused when it is read back");
  forget(&r);
  hy_text_free(&first);
  hy_text_free(&second);
}

/* -- what is included -- */

// The pipeline, a file that it includes, and one that this one includes.
enum { WHOLE, OUTER, INNER, TEXTS };

typedef struct {
  hy_text texts[TEXTS];
  hy_source sources[TEXTS];
} parted;

static const hy_source *find_part(void *self, const hy_source *from, const char *path, const char **why) {
  parted *p = self;
  (void)from;
  *why = "there is no such part";
  return strcmp(path, "outer.alg") == 0   ? &p->sources[OUTER]
         : strcmp(path, "inner.alg") == 0 ? &p->sources[INNER]
                                          : NULL;
}

// The items of the pipeline, which begin with a line: where each does, and where the last ends.
typedef HY_VEC(const char *) items;

static void list_items(const char *text, items *list) {
  int depth = 0;
  for (const char *at = text; *at; at++) {
    if (*at == '{') depth++;
    if (*at == '}' && --depth == 0) hy_vec_push(list, at);
    if (*at == '\n' && depth == 1 && at[1] != '}') hy_vec_push(list, at + 1);
  }
}

static void move_items(hy_text *out, const items *list, size_t from, size_t to) {
  hy_text_add_bytes(out, list->data[from], (size_t)(list->data[to] - list->data[from]));
}

// Some of the items go to a file, some of these to another one, which the pipeline may ask for once more.
static void part(const char *text, const items *list, uint64_t seed, parted *p) {
  size_t count = list->count - 1, at[4];
  for (uint64_t i = 0, least = 0; i < HY_COUNT(at); i++)
    least = at[i] = least + hy_splitmix(seed, i) % (count - least + 1);
  hy_text_add_bytes(&p->texts[WHOLE], text, (size_t)(list->data[at[0]] - text));
  hy_text_add(&p->texts[WHOLE], "  include \"outer.alg\";\n");
  if (seed % 2) hy_text_add(&p->texts[WHOLE], "  include \"inner.alg\";\n");
  hy_text_add(&p->texts[WHOLE], list->data[at[3]]);
  move_items(&p->texts[OUTER], list, at[0], at[1]);
  hy_text_add(&p->texts[OUTER], "  include \"inner.alg\";\n");
  move_items(&p->texts[OUTER], list, at[2], at[3]);
  hy_text_add(&p->texts[INNER], "");
  move_items(&p->texts[INNER], list, at[1], at[2]);
  p->sources[OUTER] = (hy_source){"outer.alg", p->texts[OUTER].data, p->texts[OUTER].length};
  p->sources[INNER] = (hy_source){"inner.alg", p->texts[INNER].data, p->texts[INNER].length};
}

void hy_judging_included(hy_judging *g) {
  enum { ONE_IN = 4 };
  const char *text = g->c->alg;
  items list = {0};
  if (g->c->seed % ONE_IN == 0 && !strstr(text, "//") && !strstr(text, "/*") && !strstr(text, "include"))
    list_items(text, &list);
  if (list.count > 1) {
    parted p = {0};
    hy_text first = {0}, second = {0};
    part(text, &list, g->c->seed / ONE_IN, &p);
    reading r = read_with(p.texts[WHOLE].data, find_part, &p);
    hy_alg_print(g->pipeline.alg, &first);
    if (r.alg) hy_alg_print(r.alg, &second);
    if (strcmp(hy_text_string(&first), hy_text_string(&second)) != 0)
      find(g, "include",
           r.alg ? "with items in included files the algorithm is another one"
                 : "with items in included files the algorithm is refused");
    forget(&r);
    for (int i = 0; i < TEXTS; i++) hy_text_free(&p.texts[i]);
    hy_text_free(&first);
    hy_text_free(&second);
  }
  hy_vec_free(&list);
}
