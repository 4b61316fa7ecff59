#ifndef HY_TILE_JUDGE_H
#define HY_TILE_JUDGE_H

/* Level 3's question, of one window: does a function of a module compute what the target program means, whatever the
 * images hold? Equal, different with images that show it, or undecided.
 *
 *   judge.c      memory as the function is called with it, both orders of parallel loops
 *   compare.c    points that are not one node: values that differ; else small supports, all of them; else undecided
 *   samples.c    values of the symbols
 */

#include "gate/tile/ir.h"
#include "gate/tile/meaning.h"
#include "gate/tile/valuation.h"

typedef struct hy_tile_limits {
  uint64_t steps, nodes, bytes; // 0: the usual ones
  int samples;
} hy_tile_limits;

// As the program says (GEN.Laid): where a buffer does not lie so with its sides, dense.
typedef enum { HY_TILE_DENSE, HY_TILE_GAPS, HY_TILE_UPSIDE_DOWN, HY_TILE_AS_SAID } hy_tile_layout;
// One for each number, of those that there are for the program.
hy_tile_layout hy_tile_layout_of(const hy_tgt *tgt, int number);

typedef struct hy_tile_question {
  const hy_ir_module *module;
  const char *function; // takes the words of llvm_module.c: parameters, images, outputs
  const hy_tgt *tgt;
  const hy_input *input; // of images the boxes alone
  hy_tile_layout layout; // how rows lie
  uint64_t seed;
  hy_tile_limits limits;
  bool **seen; // blocks that were executed are marked; may be NULL
} hy_tile_question;

typedef struct hy_tile_verdict {
  hy_tile_answer answer;                   // FINE: equal
  uint64_t points, same, enumerated, open; // of outputs; shown by one node; by all values; left over
  uint64_t steps, nodes;
  hy_buffer *images[32]; // WRONG, and data show it: what they hold; else NULL. Owned
  char story[600];
} hy_tile_verdict;

void hy_tile_judge(const hy_tile_question *question, hy_tile_verdict *verdict);
void hy_tile_verdict_free(hy_tile_verdict *verdict);

/* -- inside -- */

enum { HY_TILE_IMAGES = 32 };

typedef struct hy_tile_symbol {
  hy_type type;
  int image;
  size_t element;
} hy_tile_symbol;

typedef struct hy_tile_point { // of an output, and what both sides have there
  const hy_output_part *part;
  int64_t at[HY_MAX_RANK];
  hy_node is, bad, wanted, error;
} hy_tile_point;

typedef struct hy_tile_judge_state {
  const hy_tile_question *question;
  hy_tile_verdict *verdict;
  hy_graph graph;
  hy_meaning meaning;
  hy_meant_box images[HY_TILE_IMAGES];
  HY_VEC(hy_tile_symbol) symbols; // by number; those behind are memory
  HY_VEC(hy_tile_point) open;
  HY_VEC(uint64_t) limits; // constants that open points are made of: values are tried around them
  hy_tile_fault fault;
} hy_tile_judge_state;

// Decides the open points; what stays open is counted. Sets answer and story.
void hy_tile_compare(hy_tile_judge_state *state);
enum { HY_TILE_ODD_SAMPLES = 64, HY_TILE_AROUND = 6 };
// Sample number k of all symbols; from that number on all elements are alike, and lie around state->limits.
void hy_tile_sample(const hy_tile_judge_state *state, int number, uint64_t *symbols);
bool hy_tile_same_value(hy_type type, uint64_t a, uint64_t b); // NaNs are one value

#endif
