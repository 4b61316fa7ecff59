#include "oracle/certificate/proof.h"

#include <stdlib.h>
#include <string.h>

/* What a proof says and does not need goes: steps are written where they are first asked for, and some are for summands
 * that cancel later. A step stays if it closes a case, opens two, or is named by one that stays; lemmas with all their
 * steps. The others are counted anew.
 *
 * The steps are read as the checker reads them (docs/certificates.md), forward with a stack of what is known. Nothing
 * here is believed: a wrong number is a certificate that is rejected.
 */

typedef struct {
  size_t start, length; // in the text
  char op;
  int lemma; // the innermost "k" that it is a part of, -1: none
  bool needed;
  size_t first_name, name_count; // of hypotheses, in "names"
} step;

// A hypothesis that a step names: its place in the text, its place on the stack, and the step that it comes from.
typedef struct {
  size_t start, length;
  int height, from;
} name;

typedef struct {
  int from; // the step
  int anew; // its number when only what is needed counts
} hypothesis;

// Where a case or a lemma ends, the stack becomes as high as it was.
typedef struct {
  size_t height;
  int step;
  int second; // hypotheses of the second case, 0: it is the one under way
  int lemma;  // around it
} open_case;

typedef struct {
  const char *text;
  HY_VEC(step) steps;
  HY_VEC(name) names;
  HY_VEC(hypothesis) stack;
  HY_VEC(open_case) cases;
  size_t split; // how many steps have opened two cases
  int lemma;    // under way
} pruner;

/* -- names -- */

// The next word of a line, a polynomial in parentheses being one; NULL at its end.
static const char *next_word(const char *at, size_t *length) {
  while (*at == ' ') at++;
  if (*at == '\n' || !*at) return NULL;
  *length = *at == '(' ? (size_t)(strchr(at, ')') + 1 - at) : strcspn(at, " \n");
  return at;
}

// Is word number "place", counted from 1, of a step with this letter a hypothesis?
static bool is_name(char op, int place) {
  switch (op) {
  case 'a':
  case 'o':
  case '.': return place == 1;
  case 'm':
  case 'q':
  case 'x': return true;
  case 'v': return place == 4;
  case 'e': return place >= 3;
  case 'f': return place >= 4;
  case 'r': return place >= 5;
  case 'l': return place % 2 == 0;
  }
  return false;
}

static void read_names(pruner *p, step *s) {
  size_t length = 1;
  const char *at = p->text + s->start + 1;
  s->first_name = p->names.count;
  for (int place = 1; (at = next_word(at, &length)); place++, at += length) {
    if (!is_name(s->op, place) || *at == '=') continue;
    long height = strtol(at, NULL, 10);
    HY_ASSERT(height >= 0 && (size_t)height < p->stack.count);
    name n = {(size_t)(at - p->text), length, (int)height, p->stack.data[height].from};
    hy_vec_push(&p->names, n);
  }
  s->name_count = p->names.count - s->first_name;
}

/* -- the stack -- */

static void push(pruner *p, int from, int count) {
  for (int i = 0; i < count; i++) {
    hypothesis last = p->stack.count ? p->stack.data[p->stack.count - 1] : (hypothesis){-1, 0};
    bool counts = last.from >= 0 && p->steps.data[last.from].needed;
    hypothesis next = {from, last.anew + counts};
    hy_vec_push(&p->stack, next);
  }
}

// The end of a lemma is its claim; of a first case, the second; of a second, the end of what is around it.
static void close_case(pruner *p) {
  while (p->cases.count) {
    open_case *last = &p->cases.data[p->cases.count - 1];
    bool is_lemma = p->steps.data[last->step].op == 'k';
    int step = last->step, count = is_lemma ? 1 : last->second;
    p->stack.count = last->height;
    p->lemma = last->lemma;
    last->second = 0;
    if (is_lemma || !count) p->cases.count--;
    push(p, step, count);
    if (count) return;
  }
}

static void open_cases(pruner *p, int step, int first, int second) {
  open_case opened = {p->stack.count, step, second, p->lemma};
  hy_vec_push(&p->cases, opened);
  push(p, step, first);
}

static void take(pruner *p, const hy_certificates *c, int number) {
  hy_case_sizes sizes;
  switch (p->steps.data[number].op) {
  case '.':
  case 'x': close_case(p); return;
  case 'k':
    open_cases(p, number, 1, 0);
    p->lemma = number;
    return;
  case 'n':
  case 'o':
    sizes = c->case_sizes.data[p->split++];
    open_cases(p, number, sizes.first, sizes.second);
    return;
  default: push(p, number, 1);
  }
}

static void read_steps(pruner *p, const hy_certificates *c) {
  for (const char *at = p->text; *at; at = strchr(at, '\n') + 1) {
    step s = {.start = (size_t)(at - p->text), .length = strcspn(at, "\n") + 1, .op = *at, .lemma = p->lemma};
    read_names(p, &s);
    hy_vec_push(&p->steps, s);
    take(p, c, (int)p->steps.count - 1);
  }
  HY_ASSERT(p->split == c->case_sizes.count && !p->cases.count);
}

/* -- what is needed -- */

static void find_needed(pruner *p) {
  for (size_t i = p->steps.count; i-- > 0;) {
    step *s = &p->steps.data[i];
    if (s->lemma >= 0 && !p->steps.data[s->lemma].needed) continue;
    s->needed |= strchr(".xno", s->op) != NULL;
    for (size_t k = 0; s->needed && k < s->name_count; k++)
      p->steps.data[p->names.data[s->first_name + k].from].needed = true;
  }
}

/* -- counting anew -- */

static void write_step(const pruner *p, const step *s, hy_text *out) {
  size_t at = s->start;
  for (size_t i = 0; i < s->name_count; i++) {
    const name *n = &p->names.data[s->first_name + i];
    hy_text_add_bytes(out, p->text + at, n->start - at);
    hy_text_printf(out, "%d", p->stack.data[n->height].anew);
    at = n->start + n->length;
  }
  hy_text_add_bytes(out, p->text + at, s->start + s->length - at);
}

// The same way once more, of which only what is needed counts.
static void write_needed(pruner *p, const hy_certificates *c, hy_text *out) {
  p->split = p->stack.count = 0;
  for (size_t i = 0; i < p->steps.count; i++) {
    if (p->steps.data[i].needed) write_step(p, &p->steps.data[i], out);
    take(p, c, (int)i);
  }
}

void hy_proof_prune(hy_certificates *c) {
  pruner p = {.text = hy_text_string(&c->body), .lemma = -1};
  hy_text needed = {0};
  read_steps(&p, c);
  find_needed(&p);
  write_needed(&p, c, &needed);
  hy_text_free(&c->body);
  c->body = needed;
  hy_vec_free(&p.steps);
  hy_vec_free(&p.names);
  hy_vec_free(&p.stack);
  hy_vec_free(&p.cases);
}
