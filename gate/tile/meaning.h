#ifndef HY_TILE_MEANING_H
#define HY_TILE_MEANING_H

/* What a target program means on one window, with the contents of images as symbols: the eager meaning of
 * semantics/RULES.md over nodes. It shares nothing with the engines; each operator is held against hy_value_apply.
 *
 *   meaning.c       statements, storage
 *   meaning_expr.c  expressions
 *   operator.c      one operator on nodes;  operator_math.c  those of math.def
 */

#include "gate/tile/memory.h"
#include "semantics/alg/input.h"
#include "semantics/storage/layout.h"
#include "semantics/tgt/tgt.h"

// A value, and whether it is an error (1 bit); what an error's value is does not matter.
typedef struct hy_meant {
  hy_node value, error;
} hy_meant;

typedef struct hy_meant_box { // of an image or output: values in the order of hy_buffer
  hy_type type;
  int rank;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  size_t count;
  hy_meant *values; // a bool has 1 bit
} hy_meant_box;

bool hy_meant_box_make(hy_meant_box *box, hy_type type, int rank, const int64_t *min, const int64_t *len); // no values
// The place of a point; false: it is outside.
bool hy_meant_box_at(const hy_meant_box *box, const int64_t *point, size_t *at);

typedef struct hy_meaning {
  hy_graph *graph;
  const hy_tgt *tgt;
  const hy_input *input;      // parameters and the window; of images nothing
  const hy_meant_box *images; // by position in alg->images
  uint64_t steps, most_steps, cells, most_cells;
  hy_meant_box outputs[HY_MAX_OUTPUT_PARTS]; // the result, by hy_alg.parts; values owned
  hy_tile_fault fault;
} hy_meaning;

// False: "fault" says why: a limit, an assumption that does not hold, what data decide. Free it either way.
bool hy_meaning_evaluate(hy_meaning *meaning);
void hy_meaning_free(hy_meaning *meaning);

// One operator; types are those of the arguments. False: not known here.
bool hy_meant_apply(hy_graph *graph, hy_op op, hy_type result, const hy_type *types, const hy_meant *args,
                    hy_meant *out);
hy_meant hy_meant_const(hy_graph *graph, hy_value value);
int hy_meant_bits(hy_type type);                                                     // of a node
hy_node hy_meant_math(hy_graph *graph, hy_op op, bool is_f32, hy_node a, hy_node b); // operator_math.c; doubles

/* -- inside -- */

typedef struct hy_meaning_storage {
  const hy_func *func;
  hy_layout layout;
  hy_meant *cells[HY_MAX_PARTS];
} hy_meaning_storage;

typedef struct hy_meaning_run {
  hy_meaning *meaning;
  HY_VEC(hy_meant) vars; // by id; value 0: not bound
  HY_VEC(hy_meaning_storage) storages;
  hy_node guard;  // 1 bit: does what is executed now take place?
  hy_node poison; // 1 bit: does a predicate around it err (D12)?
  struct {
    hy_meant *values; // by id of the expression
    uint32_t *stamps;
    size_t room;
    uint32_t stamp;
  } known;
} hy_meaning_run;

bool hy_meaning_expr(hy_meaning_run *run, const hy_expr *expr, hy_meant *out);
// An int that data do not decide. "what" is said if they do.
bool hy_meaning_int(hy_meaning_run *run, const hy_expr *expr, const char *what, int64_t *out);
hy_meaning_storage *hy_meaning_find(hy_meaning_run *run, const hy_func *func);
bool hy_meaning_cell(hy_meaning_run *run, const hy_func *func, int part, const int64_t *point, hy_meant **cell);

#endif
