#ifndef HY_PROVER_INTERNAL_H
#define HY_PROVER_INTERNAL_H

/* How the prover works: "facts and not goal" is refuted. A state holds constraints (polynomial >= 0 or == 0), bool
 * literals and pending case splits; the simplex tells whether its constraints are contradictory over the rationals.
 *
 *   prover.c       questions: what is asked, remembered and answered
 *   relevance.c    which of many facts to look at
 *   at_once.c      what one fact shows
 *   samples.c      points at which a goal that does not follow is likely to fail
 *   fact_set.c     a list of facts, prepared once: definitions eliminated, a feasible simplex
 *   state.c        asserting constraints, formulas and what defines the atoms
 *   search.c       the refutation: splits, degree 2, integer cuts
 *   orders.c       quotients by one divisor, compared before the search
 *   quotients.c    what divisions by at least 1 mean; lemmas
 *   ranges.c       that a number fits, by the ranges of what it is made of
 *   floats.c       orders between conversions of floats, operator by operator; comparisons of floats with numbers
 *   cuts.c         lemmas and products that the simplex's point breaks
 *   products.c     products of constraints (degree 2)
 *   certificate.c  re-checks each contradiction by multiplying out
 */

#include "oracle/prover/prover.h"
#include "oracle/prover/relevance.h"
#include "oracle/prover/samples.h"
#include "oracle/prover/simplex.h"
#include "oracle/prover/terms.h"

typedef enum {
  HY_ORIGIN_FACT,       // of the caller
  HY_ORIGIN_GOAL,       // of the negated goal
  HY_ORIGIN_DEFINITION, // of an atom
  HY_ORIGIN_SPLIT,      // an alternative of a case split
  HY_ORIGIN_CUT,        // value <= k or value >= k + 1
  HY_ORIGIN_PRODUCT,    // of the constraints "left" and "right"
  HY_ORIGIN_MULTIPLE,   // of the equality "left" with the atom "right"
  HY_ORIGIN_SQUARE,     // of the atom "right"
} hy_origin_of;

typedef struct hy_linear_constraint hy_linear_constraint;
typedef struct hy_proof hy_proof;
typedef struct hy_split hy_split;

// poly >= 0, and how it was shown; poly NULL: it was not asked.
typedef struct hy_shown {
  const hy_poly *poly;
  const hy_proof *proof;
} hy_shown;

// What a row of monotone.def says of operators of floats.
typedef struct hy_float_lemma {
  bool is_order;
  const hy_atom *u, *v;         // an order: u <= v, which differ in argument "part" alone; a size: of u
  int part;                     // a size: 0 that u does not exceed it, 1 that u is not below
  hy_shown order, sign, number; // of the arguments that differ; of the other argument; that it is no NaN
  int i, j;                     // sizes of the arguments, with what shows them
  hy_shown ends[4];
} hy_float_lemma;

// What is known about the quotient of a division by m >= 1, with a = m*u + b; each with how it was shown.
typedef struct hy_division {
  enum {
    HY_DIVISION_PLAIN, // a = m*q + r, r >= 0, r <= m - 1
    HY_DIVISION_EXACT, // q = u, r = b, because 0 <= b <= m - 1
    HY_DIVISION_SHIFT, // q = u + b / m, r = b % m
    HY_DIVISION_LEAST, // q >= u, because a - m*u >= 0
    HY_DIVISION_MOST,  // q <= u, because m*u + m - 1 - a >= 0
  } kind;
  const hy_atom *ratio;
  const hy_poly *u, *b;
  const hy_proof *positive, *low, *high; // of m - 1 >= 0; b >= 0; m - 1 - b >= 0
  const hy_poly *claim;                  // LEAST, MOST: a - m*u or m*u + m - 1 - a, which "low" shows to be >= 0
} hy_division;

// Why a constraint holds, as far as its origin does not tell: what a certificate is made from.
typedef struct hy_ground {
  enum {
    HY_CAUSE_FORMULA,     // a comparison, asserted with a polarity
    HY_CAUSE_ALTERNATIVE, // polynomial "part" of alternative "choice" of "split"
    HY_CAUSE_ATOM,        // definition "part" of an atom: 0 and 1 its range, 2 and 3 its kind's
    HY_CAUSE_DIVISION,    // "part" of what the division says
    HY_CAUSE_ASSUMED,     // the negation of what a lemma or a cut says
    HY_CAUSE_LEMMA,       // by "proof"
    HY_CAUSE_PRODUCT,     // of "factors"
    HY_CAUSE_FLOAT,       // by "lemma"
  } kind;
  const hy_expr *formula;
  bool polarity;
  const hy_split *split;
  int choice, part;
  uint32_t atom;
  const hy_division *division;
  const hy_float_lemma *lemma;
  const hy_proof *proof;
  const hy_linear_constraint *factors[2];
} hy_ground;

struct hy_linear_constraint {
  const hy_poly *poly;   // >= 0, or == 0; divided by its content, the constant rounded down
  const hy_poly *source; // before the division
  const hy_poly *before; // before what equalities define was replaced
  const hy_poly *form;   // poly or -poly, leading coefficient positive
  bool is_equal;
  hy_origin_of origin;
  int left, right;
  hy_ground cause;
};

// How a state was refuted.
typedef struct hy_proof_part {
  const hy_linear_constraint *constraint;
  hy_rational multiplier;
} hy_proof_part;

struct hy_proof {
  enum {
    HY_PROOF_SUM,   // the parts add up to a constant below 0, or the only part is a contradiction
    HY_PROOF_CLASH, // "formula" was asserted and denied
    HY_PROOF_FALSE, // "formula" is constant and was asserted with the other polarity
    HY_PROOF_SPLIT, // every alternative is refuted
    HY_PROOF_CUT,   // poly >= 0 and -poly - 1 >= 0 are refuted: the latter first
  } kind;
  const hy_expr *formula;
  bool polarity;
  const hy_split *split;
  const hy_poly *poly;
  const hy_proof *branches[2];
  int count;
  hy_proof_part parts[];
};

// One way out of a split: all of these hold.
typedef struct hy_alternative {
  const hy_poly *polys[2];
  bool is_equal[2];
  int poly_count;
  const hy_expr *formulas[2];
  bool polarity[2];
  int formula_count;
} hy_alternative;

struct hy_split {
  bool is_goal; // comes from the negated goal: taken first
  // What it is a split of: a formula with a polarity, or the definition of an atom.
  const hy_expr *formula;
  bool polarity;
  uint32_t atom;
  int count; // always 2
  hy_alternative alternatives[];
};

typedef struct hy_literal {
  const hy_expr *expr; // of type bool, opaque
  bool polarity;
} hy_literal;

// The size of an atom HY_ATOM_FLOAT does not exceed 2^size here.
typedef struct hy_sized {
  uint32_t atom;
  int size;
} hy_sized;

typedef struct hy_state {
  hy_simplex simplex;
  HY_VEC(int) active;      // constraints that hold here, by number
  HY_VEC(uint64_t) hashes; // of each the terms'
  HY_VEC(hy_literal) literals;
  HY_VEC(const hy_split *) splits; // pending
  HY_VEC(uint32_t) divisions;      // RATIO atoms whose divisor is not yet known to be at least 1
  HY_VEC(uint32_t) noted;          // atoms whose definitions were asserted, a bit each
  HY_VEC(uint32_t) waiting;        // noted atoms whose definitions are still to be asserted
  HY_VEC(uint32_t) divided;        // RATIO atoms whose divisor is at least 1
  HY_VEC(hy_sized) sized;
  const hy_poly *sign;   // a rank: whether it is at least 0 would order floats; NULL
  const hy_proof *proof; // how it was closed
  bool closed;           // contradictory
  bool lost;             // overflow: nothing more can be learned here
  bool divisions_tried, quotients_bounded;
  int products_done;   // rounds
  int cuts_done;       // rounds
  int floats_done;     // rounds
  bool sizes_searched; // for what conversions are made of, with cases (floats.c)
} hy_state;

// An equality taken as the definition of an atom; an atom that is its own polynomial is frozen.
typedef struct hy_elimination {
  const hy_atom *atom;
  const hy_poly *poly;
  const hy_expr *fact; // NULL for a frozen atom
} hy_elimination;

// A prepared list of facts.
typedef struct hy_fact_set {
  struct hy_fact_set *next;
  const hy_expr *const *facts;
  size_t fact_count;
  uint64_t hash;
  HY_VEC(const hy_linear_constraint *) constraints;
  hy_pair_map eliminated;                       // atom -> the polynomial that an equality says it is
  hy_pair_map images;                           // atom -> itself with all eliminated ones replaced, remembered
  HY_VEC(hy_elimination) eliminations;          // in order
  bool is_plain;                                // no accesses: a counterexample can be evaluated
  bool is_sampled, is_judged, is_contradictory; // judged: whether it is contradictory
  hy_samples *pool;                             // of samples; and those of them at which all facts hold
  uint32_t holding;
  hy_state state;
} hy_fact_set;

// What a contradiction was made of; kept until the next question.
typedef struct hy_ingredient {
  int closing;    // contradictions are numbered
  int constraint; // of the question
  hy_rational multiplier;
} hy_ingredient;

enum {
  HY_PROVER_BUCKETS = 256,
  HY_PROVER_POOLS = 6,
  HY_PROVER_LEVELS = 16,       // splits inside each other
  HY_PROVER_WORK = 1200000,    // cells that pivots went through for one question, usually
  HY_PROVER_LONG = 80000000,   // of them, at a long look
  HY_PROVER_MIDDLE = 16000000, // and at one in a hurry
  HY_CONSTRAINT_EFFORT = 100,  // a constraint counts as so many
  HY_PROVER_LEAST = 120000,    // of them, where the questions before have used that up in vain
};

// How much is done for one question, beside pivots. All of it is counted, never timed: the same question has the same
// answer wherever it is asked (decision D73).
typedef struct hy_patience {
  int nodes;    // states visited
  int lemmas;   // tried
  int formulas; // asserted, or looked at in one state
  bool is_deep; // products of products
} hy_patience;

struct hy_prover {
  hy_context *context;
  hy_terms terms;
  hy_arena *scratch;                    // one question
  hy_fact_set *sets[HY_PROVER_BUCKETS]; // by hash
  size_t set_count;
  hy_pair_map records;     // (fact set, goal) -> hy_record
  hy_pair_map differences; // comparison -> left - right
  hy_relevance relevance;
  hy_samples *pools[HY_PROVER_POOLS]; // of samples: what holds nowhere in one may hold in the next
  int pool_count;
  HY_VEC(const hy_expr *) related; // all facts, what has to do with the goal first
  HY_VEC(const hy_expr *) chosen;  // the relevant facts, when there are many
  HY_VEC(const hy_expr *) turned;  // all facts, the last first
  HY_VEC(const hy_expr *) plain;   // the facts that do not speak of images
  hy_prover_counts counts;
  const char *method;

  // The question under way.
  hy_fact_set *set;
  hy_arena *arena; // where new constraints go: the set's (terms.arena) or scratch
  HY_VEC(const hy_linear_constraint *) constraints;
  HY_VEC(hy_ingredient) steps;
  hy_state levels[HY_PROVER_LEVELS + 2];
  hy_origin_of origin;       // of what is being asserted
  hy_ground cause;           // of what is being asserted
  uint64_t work, work_limit; // of one question
  // Of one question, or at a long look of all together: work that is never begun anew, and what products and
  // constraints take, which grow where no pivot is made.
  uint64_t effort, effort_limit;
  uint64_t wasted; // on questions that were not shown, since hy_prover_hurry
  int nodes, formulas, looks, closings, splits_taken;
  hy_state saved;   // level 0 before the search
  hy_state ordered; // and with orders
  int leaf;         // the level of the state that could not be refuted last
  bool used_product, overflow;
  const hy_patience *patience;
  bool is_turned;        // hy_prover_persist
  bool persists;         // the same: it looks longer
  bool quick;            // hy_prover_hurry
  bool simple;           // the first attempt: no lemmas, no products
  bool thorough;         // the last attempt: bounds of quotients as lemmas
  int signs_told;        // of factors, on the way to the state that is looked at
  int lemmas;            // tried for the question under way
  int float_lemmas;      // of them, by floats.c
  bool compares_floats;  // floats.c is at it: not inside of what it asks
  bool sizes_matter;     // the question is whether a number fits
  HY_VEC(double) point;  // cuts.c: of atoms, by number
  HY_VEC(uint32_t) near; // search.c: the atoms that the goal is made of, a bit each
};

/* -- fact_set.c -- */
hy_fact_set *hy_fact_set_get(hy_prover *prover, const hy_expr *const *facts, size_t count);
void hy_fact_set_free_all(hy_prover *prover);
// The polynomial with eliminated atoms replaced, everywhere; NULL if it does not fit.
const hy_poly *hy_fact_set_image(hy_prover *prover, hy_fact_set *set, const hy_poly *poly);

/* -- at_once.c -- */
// Does a comparison follow from one fact, or from what defines its atoms? False: a longer look may tell.
bool hy_follows_at_once(hy_prover *prover, hy_fact_set *set, const hy_expr *goal);

// Has the question had what it may take?
static inline bool hy_prover_is_tired(const hy_prover *prover) {
  return prover->work > prover->work_limit || prover->effort > prover->effort_limit;
}

/* -- state.c -- */
void hy_state_copy(hy_state *to, const hy_state *from);
void hy_state_free(hy_state *state);
void hy_state_clear(hy_state *state);
void hy_state_adopt(hy_prover *prover, hy_state *state, int constraint); // one that holds elsewhere
// All of them may set closed or lost; what does not fit is left out, which is sound.
void hy_state_constrain(hy_prover *prover, hy_state *state, const hy_poly *poly, bool is_equal, hy_origin_of origin,
                        int left, int right);
void hy_state_assert(hy_prover *prover, hy_state *state, const hy_expr *formula, bool polarity);
void hy_state_choose(hy_prover *prover, hy_state *state, const hy_split *split, int choice);
void hy_state_check(hy_prover *prover, hy_state *state); // the simplex
// Asserts what defines the unknowns of a polynomial, and those that this mentions.
void hy_state_define(hy_prover *prover, hy_state *state, const hy_poly *poly);
// The pending cases of an atom's definition; NULL: there are none.
const hy_split *hy_state_split(const hy_state *state, const hy_atom *atom);
// A comparison of whole numbers as left - right.
const hy_poly *hy_prover_difference(hy_prover *prover, const hy_expr *comparison);
bool hy_prover_is_comparison(const hy_expr *expr); // of whole numbers

/* -- search.c -- */
bool hy_search_refute(hy_prover *prover, int level);
// Level 0 as it stands, twice if need be: the second time with lemmas about quotients.
bool hy_search_refute_question(hy_prover *prover, const hy_expr *goal);
// Is the state's rational point a counterexample of the question?
bool hy_search_counterexample(hy_prover *prover, const hy_state *state, const hy_expr *goal);

/* -- quotients.c -- */
// What divisions mean whose divisor is at least 1 here; true if something was learnt.
bool hy_divisions_define(hy_prover *prover, int level);
// Lemmas about quotients and products, whether or not they are wanted.
void hy_quotients_bound(hy_prover *prover, int level);
// Is poly >= 0 here? Returns how it was shown on the next level, by the simplex and products; NULL = not shown.
const hy_proof *hy_lemma_at_least_0(hy_prover *prover, int level, const hy_poly *poly);
// The same by the cases of an atom's definition, if that is still a pending split.
const hy_proof *hy_lemma_by_cases(hy_prover *prover, int level, const hy_poly *poly, const hy_atom *atom);
bool hy_lemma_add(hy_prover *prover, int level, const hy_poly *poly, const hy_proof *proof); // false: no proof
// q >= u or q <= u for the quotient of a division by m >= 1, by the order of the numerators: a >= m*u, or
// a <= m*u + m - 1.
bool hy_quotient_order(hy_prover *prover, int level, const hy_atom *ratio, const hy_poly *u, bool is_least);
// For a quotient of a = m*u + b, where u is as hy_quotient_by_monomial has it: b and m - 1 - b. False: too large.
bool hy_division_rest(hy_prover *prover, const hy_atom *ratio, const hy_poly **b, const hy_poly **room);
// Both of them are at least 0 here, and so is m - 1: the quotient is u, the remainder b. False: the simplex does not
// show it.
bool hy_division_settle(hy_prover *prover, int level, const hy_atom *ratio);
// The sum of the terms of "a" that m divides, divided: 2*n*m - m - t gives 2*n - 1. 0 if m is not a number times one
// monomial.
const hy_poly *hy_quotient_by_monomial(hy_arena *arena, const hy_poly *a, const hy_poly *m);

// Bounds sign * x*y by the bounds of x and y; true if something was learnt.
bool hy_product_bound(hy_prover *prover, int level, hy_monomial product, int sign);

/* -- ranges.c -- */
// Lemmas, each shown by few constraints, from which a goal that says only that a number fits follows at once.
// requires: hy_prover_says_only_fits(goal)
void hy_prover_add_ranges(hy_prover *prover, int level, const hy_expr *goal);

// Is poly >= 0 whatever the goal is? By the simplex, else by cases, in a short search; NULL: not shown.
const hy_proof *hy_lemma_by_search(hy_prover *prover, int level, const hy_poly *poly);

/* -- floats.c -- */
// Orders between conversions of floats that the simplex's point breaks; true if something was learnt. Sets "sign".
bool hy_floats_add(hy_prover *prover, int level);
// A comparison of a float with a number as formulas that state.c takes as comparisons, a < c and a <= c, in their place:
// a >= c is !(a < c) && a <= infinity. The formula itself where it is none, or one of these.
const hy_expr *hy_floats_plain(hy_context *context, const hy_expr *formula);
bool hy_floats_is_plain(const hy_expr *formula); // a < c or a <= c of floats
// What the rank of a is compared with: of the zeros the one that says the same of both.
int64_t hy_floats_limit(const hy_expr *plain);

/* -- cuts.c -- */
// Adds what the simplex's point breaks and what can be shown: orders of quotients and of minima, products. False if
// there is nothing.
bool hy_cuts_add(hy_prover *prover, int level);

/* -- orders.c -- */
// Lemmas p / m <= q / m wherever p <= q can be shown by cases, without the goal; and products of lengths as facts and
// goal write them. True if something was learnt.
bool hy_orders_add(hy_prover *prover, int level, const hy_expr *goal);
// The same with what takes a search for each: remainders of what is less than its divisor, products by numbers.
bool hy_orders_add_by_cases(hy_prover *prover, int level, const hy_expr *goal);
// The factor of unknown sign that most products have, of those that facts and goal write; NULL: there is none in two of
// them.
const hy_poly *hy_orders_sign(hy_prover *prover, int level, const hy_expr *goal);

/* -- products.c -- */
// Is some monomial's value not the product of its atoms' values?
bool hy_products_wanted(const hy_state *state);
void hy_products_add(hy_prover *prover, hy_state *state, int round);

/* -- prover.c -- */
// Is it "least <= e && e <= greatest" of 64 bits?
bool hy_prover_says_only_fits(const hy_expr *formula);

/* -- prover.c: for certificates -- */
// The refutation of "facts and not goal", NULL if there is none. Valid until the prover's next question.
const hy_proof *hy_prover_refutation(hy_prover *prover, const hy_expr *const *facts, size_t count, const hy_expr *goal);
// The same for poly >= 0 and what defines the atoms. Valid as long as the prover's atoms are.
const hy_proof *hy_prover_refute_poly(hy_prover *prover, const hy_poly *poly);

/* -- certificate.c -- */
hy_proof *hy_proof_new(hy_prover *prover, int kind, int count);
// Notes the simplex's conflict as a contradiction of the question and multiplies it out. False if that overflows (then
// it is none); dies if it does not add up.
bool hy_certificate_close(hy_prover *prover, hy_state *state);
// Dies unless the constraint follows from its source and its origin.
void hy_certificate_check_constraint(hy_prover *prover, const hy_linear_constraint *constraint);

#endif
