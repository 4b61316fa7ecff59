#ifndef HY_GENERATE_INTERNAL_H
#define HY_GENERATE_INTERNAL_H

/* The making of random algorithms: generate_alg.c makes funcs and stages of what generate_index.c (coordinates) and
 * generate_data.c (values, conditions) make. Few have forms of the language that the core has not: those come from
 * generate_forms.c and its kin, in two wordings (either.h).
 */

#include "fuzz/pairs/either.h"
#include "fuzz/pairs/generate.h"

enum { HY_MOST_PARTS = 3 }; // of the funcs that are made
enum { HY_MOST_KNOWN = 3 + 6 * HY_MOST_PARTS, HY_MOST_NAMES = 10, HY_MADE_RANK = 6, HY_MOST_REDUCTIONS = 2 };
enum { HY_MOST_CONSTANTS = 3, HY_MOST_HELPERS = 3, HY_MOST_INLINE = 8 };

// An image, a func, or a part of a tuple: those of one func stand in a row.
typedef struct hy_made_source {
  char name[24];
  const char *type;
  int rank;
  int part, parts; // of a tuple; parts is 0 where there is one value
  bool is_image;
} hy_made_source;

// A helper of two arguments: of type int, and it gives "type"; NULL: of any one type, which it gives.
typedef struct hy_helper {
  const char *type;
  const char *arguments[2];
  hy_text body; // in which its arguments have a number at each call (hy_either_numbered)
  int accesses; // in it
} hy_helper;

// Where a func is read by few, its bounds depend on them: what forms an address and what decides reads further away
// than what is only added up, so that B has to know of it.
enum { HY_REACH = 2, HY_FAR_REACH = 5 };

typedef struct hy_maker {
  hy_choices *c;
  hy_text *out;
  hy_forms *forms; // that it has
  hy_made_source all[HY_MOST_KNOWN];
  int count;
  bool has_w, has_n;
  const char *a_type; // of the parameter a; NULL: there is none
  bool has_k;         // a parameter of type int that may be as far as +-2^31
  // Most pairs are ordinary, so that their values are worth comparing; some go where numbers end.
  bool errors;    // plants divisions by zero and the like
  bool edges;     // numbers where types, 2^31, 2^32 and 2^63 end: in predicates, indices and values of type int, too
  bool odd;       // indices that are not sums of variables and constants
  bool deep;      // four to six dimensions
  bool has_nests; // of reduction loops, more than usual
  bool has_tuples;
  bool has_forms;
  bool other; // an index was made that is not quasi-affine with constant coefficients, or a predicate that may not fit
  // the stage being written
  const char *names[HY_MOST_NAMES]; // pure variables (free ones) and reduction variables, and lets
  int name_count;
  int lets;                       // made so far
  const hy_made_source *self;     // an update may read itself; of a tuple its part 0
  char self_at[HY_MADE_RANK][64]; // the left side
  bool self_fixed[HY_MADE_RANK];  // pure: the coordinate of every access to itself
  int accesses;                   // written so far in this stage
  int reach;                      // how far stencils go
  bool in_predicate;              // of an update
  // forms
  hy_text constants[HY_MOST_CONSTANTS]; // what g0, ... stand for
  hy_helper helpers[HY_MOST_HELPERS];   // h0, ...
  int constant_count, helper_count;
  int inlined;     // variables of inline reductions
  int numbers;     // of names that stand where forms are written out alone
  int lifted;      // helpers of funcs and with reductions
  hy_text *before; // what stands in front of the func being written
  bool in_helper;
} hy_maker;

extern const char *const hy_made_dims[HY_MADE_RANK];
enum { HY_MADE_TYPES = HY_FORM_TYPES };
enum { HY_MADE_COMPUTED = HY_MADE_TYPES - 2 }; // those behind are stored alone
// The last three of those are what few pairs had: u64, i8, bool
extern const char *const hy_made_types[HY_MADE_TYPES];

static inline void hy_make_text(hy_maker *m, const char *text) { hy_text_add(m->out, text); }
static inline int64_t hy_make_number(hy_maker *m, int64_t least, int64_t most) {
  return hy_choose_between(m->c, least, most);
}
static inline bool hy_make_chance(hy_maker *m, int percent) { return hy_choose_chance(m->c, percent); }
static inline int hy_make_pick(hy_maker *m, int below) { return (int)hy_choose(m->c, (uint64_t)below); }

static inline void hy_make_form(hy_maker *m, hy_form form) { hy_forms_mark(m->forms, (int)form); }
// The form of a type: HY_FORM_FUNC and those behind it.
void hy_make_type_form(hy_maker *m, hy_form first, const char *type);

bool hy_made_is_float(const char *type);
bool hy_made_is_stored(const char *type); // a float that is not computed with: f16, bf16
bool hy_made_is_bool(const char *type);
bool hy_made_is_unsigned(const char *type);

/* generate_index.c */
void hy_make_param(hy_maker *m);                  // a small one, of type int
const hy_made_source *hy_make_known(hy_maker *m); // one of the last; NULL: there is none
void hy_make_index(hy_maker *m, int depth);       // of type int, that interval analysis can bound
void hy_make_access(hy_maker *m, const hy_made_source *f, int depth);
void hy_make_part(hy_maker *m, const hy_made_source *f);                         // what stands behind the coordinates
void hy_make_coordinate(hy_maker *m, const hy_made_source *f, int d, int depth); // of an access, in dimension d
void hy_make_far_access(hy_maker *m, const hy_made_source *f, int depth);
// Something of type int between numbers that a small box has, out of what is in memory: int(f(...)), bounded.
void hy_make_place(hy_maker *m, const hy_made_source *f, int depth);

/* generate_data.c */
void hy_make_data(hy_maker *m, const char *type, int depth);
void hy_make_edge(hy_maker *m, const char *type); // a constant at the edge of a type
void hy_make_compare(hy_maker *m, int depth);
void hy_make_predicate(hy_maker *m); // of an update

/* generate_forms.c. What is bool is true if something was made: there may be nothing to make it of. */
// What is made next goes to "piece" until "out", which this returns, is put back.
hy_text *hy_make_aside(hy_maker *m, hy_text *piece);
bool hy_make_form_data(hy_maker *m, const char *type, int depth);
bool hy_make_place_in_box(hy_maker *m, const char *v); // a coordinate
void hy_make_constants(hy_maker *m);
void hy_make_table(hy_maker *m);         // a func more for those below to read
bool hy_make_constant_name(hy_maker *m); // of type int or a literal
void hy_make_helper(hy_maker *m);
void hy_make_interval(hy_maker *m, hy_text *min, hy_text *len); // a few numbers; it may be empty

/* generate_lifted.c. What is written so far says where they stand: with choices of their own, all pairs of seeds that are
 * known by now would be others.
 */
// One place of "every"; "which" is a number by which one of several things can be taken.
bool hy_make_falls_here(const hy_maker *m, uint64_t seed, uint64_t every, uint64_t *which);
// The beginning of an access, up to the parenthesis: f(, or h(f, of a helper that reads it.
void hy_make_access_begin(hy_maker *m, const hy_made_source *f);
// An inline reduction, the word and what is behind it, by a helper of the variables around it. False: it stands itself.
bool hy_make_lifted(hy_maker *m, const char *reduction, int around);
bool hy_make_continued_tuple(hy_maker *m, const hy_made_source *f, int depth); // an access
void hy_make_more_operands(hy_maker *m);                                       // of min and max, behind two
bool hy_make_choice(hy_maker *m, const char *type, int depth);                 // between three or more

/* generate_boundary.c */
bool hy_make_continued(hy_maker *m, const hy_made_source *f, int depth); // an access
bool hy_make_short(hy_maker *m, hy_made_source *made);                   // a func without variables, whose name is set

/* generate_family.c: funcs whose name, f3, is set; then it is that of the last member, in both wordings */
void hy_make_family(hy_maker *m, hy_made_source *made);

/* generate_reduction.c, generate_derived.c */
bool hy_make_reduction(hy_maker *m, const char *type, int depth);
// How often something is so at a few points: of type int, and an index as it is, since counting bounds it (D88).
bool hy_make_counted(hy_maker *m);
bool hy_make_placed(hy_maker *m); // the place that an argmin gives, in as many as a parameter says
bool hy_make_derived(hy_maker *m, const char *type, int depth);
const char *hy_made_least(const char *type); // of a type but bool, in words
const char *hy_made_greatest(const char *type);

#endif
