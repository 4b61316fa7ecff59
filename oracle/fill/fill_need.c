#include "oracle/fill/fill_internal.h"

/* ORA.Need: what an image has to hold.
 *
 * The copies of a specialized stage exclude each other, and only what the one that is taken reads has to be there. Its
 * condition is one of the input alone, so that the entry block can ask it as well: where the copies read regions apart,
 * the need is a choice between them.
 */

// One access to the image, and the ends of what it reads.
typedef struct {
  const hy_fill_site *site;
  const hy_expr *low[HY_MAX_RANK], *high[HY_MAX_RANK];
} reach;

typedef struct {
  const hy_expr *condition;
  bool holds;
} choice;

// So many conditions are asked about for one image: of independent ones there would be as many cases as subsets.
enum { MOST_CHOICES = 16 };

typedef struct {
  hy_fills *f;
  const hy_func *image;
  hy_fill_site root; // the entry; its facts end with the choices
  hy_ranges *ranges;
  HY_VEC(reach) reaches;
  HY_VEC(choice) choices; // those made on the way to the case that is looked at
  int asked;
} need_search;

/* -- conditions -- */

static void see_image(void *self, const hy_expr *node) {
  *(bool *)self |=
      node->kind == HY_EXPR_VAR && (node->var->kind == HY_VAR_IMAGE_MIN || node->var->kind == HY_VAR_IMAGE_LEN);
}

// Can the entry block ask it? What is needed does not depend on the images that are given: whoever asks what to bring
// has none yet. Of a condition that may err the negation is no fact of the other branch (D65).
static bool is_asked_at_entry(const need_search *n, const hy_expr *condition) {
  bool of_image = false;
  hy_expr_visit(condition, see_image, &of_image);
  return !of_image && !condition->has_hole && hy_expr_is_startup(condition) && hy_ranges_total(n->ranges, condition);
}

static const choice *find_choice(const need_search *n, const hy_expr *condition) {
  for (size_t i = 0; i < n->choices.count; i++)
    if (n->choices.data[i].condition == condition) return &n->choices.data[i];
  return NULL;
}

// Statement "i" of the site's path, if it is a specialization: its condition, and whether the site is where it holds.
static bool branch_of(const need_search *n, const hy_fill_site *site, int i, choice *branch) {
  const hy_stmt *s = site->path[i], *child = i + 1 < site->depth ? site->path[i + 1] : site->assign;
  if (s->kind != HY_STMT_IF || s->branch.why != HY_IF_SPECIALIZE) return false;
  *branch = (choice){hy_fills_apply(n->f, s->branch.condition), child == s->branch.then};
  return true;
}

// Is the site reached by none of the runs that the choices leave?
static bool is_excluded(const need_search *n, const hy_fill_site *site) {
  choice branch;
  for (int i = 0; i < site->depth; i++) {
    const choice *made = branch_of(n, site, i, &branch) ? find_choice(n, branch.condition) : NULL;
    if (made && made->holds != branch.holds) return true;
  }
  return false;
}

// A condition that is still open, outermost first; NULL: none.
static const hy_expr *next_condition(const need_search *n) {
  choice branch;
  for (size_t k = 0; k < n->reaches.count; k++) {
    const hy_fill_site *site = n->reaches.data[k].site;
    if (is_excluded(n, site)) continue;
    for (int i = 0; i < site->depth; i++)
      if (branch_of(n, site, i, &branch) && !find_choice(n, branch.condition) && is_asked_at_entry(n, branch.condition))
        return branch.condition;
  }
  return NULL;
}

/* -- cases -- */

static const hy_expr *stated(const need_search *n, choice made) {
  return made.holds ? made.condition : hy_expr_unary(n->f->context, HY_OP_NOT, made.condition);
}

static bool is_equal(const need_search *n, const hy_expr *a, const hy_expr *b) {
  int64_t distance;
  if (hy_affine_distance(n->f->table, a, b, &distance)) return distance == 0;
  const hy_expr *goal = hy_fill_binary(n->f, HY_OP_EQ, a, b);
  return hy_prover_holds(n->f->prover, n->root.facts.data, n->root.facts.count, goal) == HY_YES;
}

static bool is_equal_under(need_search *n, choice made, const hy_expr *a, const hy_expr *b) {
  size_t facts = n->root.facts.count;
  hy_fill_add_fact(n->f, &n->root.facts, stated(n, made));
  bool equal = is_equal(n, a, b);
  n->root.facts.count = facts;
  return equal;
}

// rewrite: select(c, a, b) -> b where a == b under c, -> a where a == b under !c
static const hy_expr *choose(need_search *n, const hy_expr *condition, const hy_expr *then, const hy_expr *otherwise) {
  if (is_equal_under(n, (choice){condition, true}, then, otherwise)) return otherwise;
  if (is_equal_under(n, (choice){condition, false}, then, otherwise)) return then;
  return hy_expr_select(n->f->context, condition, then, otherwise);
}

// The hull of everything that is read in this case.
static void fill_case(need_search *n, hy_interval *need) {
  hy_fill_box box = {0};
  for (size_t k = 0; k < n->reaches.count; k++) {
    const reach *r = &n->reaches.data[k];
    if (is_excluded(n, r->site)) continue;
    for (int d = 0; d < n->image->rank; d++) hy_fill_widen(n->f, &n->root, &box, d, r->low[d], r->high[d]);
  }
  hy_fill_finish(n->f, &n->root, &box, n->image->rank);
  for (int d = 0; d < n->image->rank; d++) need[d] = box.interval[d];
}

static void fill_cases(need_search *n, hy_interval *need);

static void fill_where(need_search *n, choice made, hy_interval *need) {
  size_t facts = n->root.facts.count;
  hy_vec_push(&n->choices, made);
  hy_fill_add_fact(n->f, &n->root.facts, stated(n, made));
  fill_cases(n, need);
  n->root.facts.count = facts;
  (void)hy_vec_pop(&n->choices);
}

static void fill_cases(need_search *n, hy_interval *need) {
  hy_interval then[HY_MAX_RANK], otherwise[HY_MAX_RANK];
  const hy_expr *condition = n->asked < MOST_CHOICES ? next_condition(n) : NULL;
  if (!condition) {
    fill_case(n, need);
    return;
  }
  n->asked++;
  fill_where(n, (choice){condition, true}, then);
  fill_where(n, (choice){condition, false}, otherwise);
  for (int d = 0; d < n->image->rank; d++) {
    need[d].min = choose(n, condition, then[d].min, otherwise[d].min);
    need[d].len = choose(n, condition, then[d].len, otherwise[d].len);
  }
}

static void find_reaches(need_search *n) {
  hy_fills *f = n->f;
  for (size_t i = 0; i < f->sites.count; i++) {
    hy_fill_site *s = &f->sites.data[i];
    for (size_t k = 0; k < s->reads.count && !f->failed; k++) {
      reach r = {.site = s};
      if (s->reads.data[k]->func != n->image) continue;
      if (hy_fill_access_ends(f, s, 0, s->reads.data[k], r.low, r.high)) hy_vec_push(&n->reaches, r);
    }
  }
}

void hy_fill_need(hy_fills *f, const hy_func *image) {
  need_search n = {.f = f, .image = image, .ranges = hy_ranges_new()};
  hy_fill_box *need = &f->mem[image->index];
  hy_fills_assume(f, n.ranges);
  hy_fill_find_facts(f, &n.root);
  find_reaches(&n);
  if (!f->failed) {
    fill_cases(&n, need->interval);
    need->known = true;
    hy_pair_map_free(&f->applied);
  }
  hy_vec_free(&n.reaches);
  hy_vec_free(&n.choices);
  hy_ranges_free(n.ranges);
  hy_fill_free_site(&n.root);
  hy_context_hit(f->context, HY_RULE_ORA_NEED); // ORA.Need
}
