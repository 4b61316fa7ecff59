// Algorithms that must be refused: a valid one with one more func that breaks a rule, whatever the others are. The rule
// is known from the making, not from asking the parser.

#include "fuzz/pairs/generate.h"

#include <string.h>

typedef struct {
  const char *rule, *first, *last; // funcs put in front of the others, and behind them
} breakage;

static const breakage breakages[] = {
    {"ALG.Valid.Defined", "", "fun bad(x) = nosuch(x);"},
    {"ALG.Valid.Defined", "fun bad(x) = good(x);", "fun good(x) = x;"},
    {"ALG.Valid.Arity", "", "fun good(x, y) = x; fun bad(x) = good(x);"},
    {"ALG.Valid.Arity", "", "fun bad(x) = { 0; rdom(s = (0, 3)) in (x, s) <- 1; };"},
    {"ALG.Valid.SelfReference", "", "fun bad(x) = bad(x);"},
    {"ALG.Valid.SelfReference", "", "fun bad(x) = max(x, bad(x - 1));"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; (x) <- bad(x + 1); };"},
    {"ALG.Valid.Separation", "", "fun bad(x, y) = { x; (y, x) <- bad(y, x) + 1; };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; (x) <- 1 if bad(x - 1) > 0; };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; rdom(s = (0, 3)) in (s) <- bad(s) + x; };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; rdom(s = (0, 3)) in (x) <- bad(x) + bad(s); };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; (x + 1) <- x; };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; (x + 1) <- bad(x); };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; rdom(s = (0, 3)) in (s) <- 1 if x > s; };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; rdom(s = (0, 3)) in (s) <- x; };"},
    {"ALG.Valid.Separation", "", "fun bad(x, y) = { 0; (x, y) <- y if bad(y, y) > 0; };"},
    {"ALG.Valid.Separation", "", "fun bad(x) = { 0; (x) <- bad(clamp(bad(x), 0, 3)); };"},
    {"ALG.Valid.Types", "", "fun bad(x) = 1 + true;"},
    {"ALG.Valid.Types", "", "fun bad(x) = select(x, 1, 2);"},
    {"ALG.Valid.Types", "", "fun bad(x) = select(!x, 1, 0);"},
    {"ALG.Valid.Types", "", "fun bad(x) = select(x > 0 && x, 1, 0);"},
    {"ALG.Valid.Types", "", "fun bad(x) = f32(x) % f32(2);"},
    {"ALG.Valid.Types", "", "fun bad(x) = f32(x) & f32(2);"},
    {"ALG.Valid.Types", "", "fun bad(x) = i16(x) + 40000;"},
    {"ALG.Valid.Types", "", "fun bad(x) = u8(x) + x;"},
    {"ALG.Valid.Types", "", "fun bad(x) = u8(x) + 300;"},
    {"ALG.Valid.Types", "", "fun good(x) = x; fun bad(x) = good(f32(x));"},
    {"ALG.Valid.Types", "", "fun bad(x) = { 0; (x) <- 1 if x; };"},
    {"ALG.Valid.Types", "", "fun bad(x) = { 0; (x) <- f32(1); (x) <- u8(1); };"},
    {"ALG.Valid.FuncNames", "", "fun bad(x) = x; fun bad(x) = x + 1;"},
    {"ALG.Valid.PureNames", "", "fun bad(x, x) = x;"},
    {"ALG.Valid.RdomStartup", "", "fun bad(x) = { 0; rdom(s = (0, x)) in (x) <- s; };"},
    {"ALG.Valid.RdomStartup", "", "fun good(x) = x; fun bad(x) = { 0; rdom(s = (0, good(1))) in (x) <- s; };"},
    {"ALG.Valid.RdomNames", "", "fun bad(x) = { 0; rdom(x = (0, 3)) in (x) <- 1; };"},
    {"ALG.Valid.RdomNames", "", "fun bad(x) = { 0; rdom(s = (0, 3), s = (0, 2)) in (x) <- 1; };"},
    {"ALG.Valid.RdomStartup", "", "fun bad(x) = { 0; rdom(s = (0, 3), t = (s, 2)) in (x) <- t; };"},
    {"ALG.Valid.RdomStartup", "", "fun bad(x) = { 0; rdom(s = (x, 3)) in (x) <- s; };"},
    {"ALG.Valid.Shadow", "", "fun bad(x) = let x = 1 in x + 1;"},
    {"ALG.Valid.Shadow", "", "fun good(x) = x; fun bad(good) = 1;"},
    {"ALG.Valid.Shadow", "", "fun good(x) = x; fun bad(x) = let good = x in good + 1;"},
    {"ALG.Valid.Shadow", "", "fun good(x) = x; fun bad(x) = { 0; rdom(good = (0, 3)) in (x) <- good; };"},
    {"ALG.Valid.Shadow", "", "fun bad(bad) = 1;"},
};

const char *hy_generate_invalid(hy_choices *choices, hy_text *alg) {
  const breakage *b = &breakages[hy_choose(choices, HY_COUNT(breakages))];
  const char *body = strstr(alg->data, "{\n") + 2, *end = strrchr(alg->data, '}');
  hy_text out = {0};
  hy_text_add_bytes(&out, alg->data, (size_t)(body - alg->data));
  hy_text_printf(&out, "  %s\n", b->first);
  hy_text_add_bytes(&out, body, (size_t)(end - body));
  hy_text_printf(&out, "  %s\n}\n", b->last);
  hy_text_free(alg);
  *alg = out;
  return b->rule;
}
