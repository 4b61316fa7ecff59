#ifndef HY_TILE_IR_H
#define HY_TILE_IR_H

/* A module of LLVM's, as level 3 reads it: an own reading of the text, through LLVM's parser, into plain data. Nothing
 * of what makes such modules is used. What is not known here has a name and is told when it is executed.
 */

#include "gate/tile/graph.h"

typedef enum {
  HY_IR_OTHER, // not known; "name" says what it is
  HY_IR_BINARY,
  HY_IR_FNEG,
  HY_IR_ICMP,
  HY_IR_FCMP,
  HY_IR_CAST,
  HY_IR_SELECT,
  HY_IR_FREEZE,
  HY_IR_PHI,
  HY_IR_BRANCH, // one operand and two blocks, or none and one
  HY_IR_SWITCH,
  HY_IR_RETURN,
  HY_IR_UNREACHABLE,
  HY_IR_LOAD,
  HY_IR_STORE, // value, address
  HY_IR_ADDRESS,
  HY_IR_ALLOCA,
  HY_IR_CALL, // arguments; "name" is whom
  HY_IR_INSERT_ELEMENT,
  HY_IR_EXTRACT_ELEMENT,
  HY_IR_SHUFFLE,
  HY_IR_EXTRACT_VALUE,
} hy_ir_op;

enum {
  HY_IR_NUW = 1,
  HY_IR_NSW = 2,
  HY_IR_EXACT = 4,
  HY_IR_DISJOINT = 8,
  HY_IR_NNEG = 16,
  HY_IR_INBOUNDS = 32,
};

// Comparisons: "less" or "equal" as they are, with their arguments exchanged, denied.
typedef struct hy_ir_predicate {
  uint8_t ops[2];  // FEQ, FLT, FLE, FUNORDERED, EQ, ULT, SLT; the second one 0, or joined by "or"
  bool is_swapped; // of the first
  bool is_denied;  // all of it
} hy_ir_predicate;

typedef struct hy_ir_term { // of an address
  uint32_t operand;
  int64_t bytes;
} hy_ir_term;

typedef struct hy_ir_inst {
  hy_ir_op op;
  const char *name; // CALL, OTHER
  uint8_t node;     // BINARY, CAST: a hy_node_op; CAST 0: the same bits
  uint8_t bits;     // of a lane of the result; of a LOAD and STORE those in memory
  uint32_t lanes;   // of the result; 0: it has none. Of a STORE: of the value
  uint32_t result;  // the value's number
  unsigned flags, loose;
  hy_ir_predicate predicate;
  uint32_t *operands; // numbers of values
  uint32_t operand_count;
  uint32_t *blocks; // BRANCH, SWITCH (the default one first), PHI: by operand
  uint32_t block_count;
  int32_t *mask;     // SHUFFLE: by lane of the result, -1: poison
  uint64_t *cases;   // SWITCH
  hy_ir_term *terms; // ADDRESS: operand 0 and these, and "offset"
  uint32_t term_count;
  int64_t offset; // ADDRESS: bytes; ALLOCA: its size; EXTRACT_VALUE: the place
  uint32_t align; // LOAD, STORE, ALLOCA
  bool poisons;   // a CAST from floats that do not fit
} hy_ir_inst;

typedef struct hy_ir_block {
  hy_ir_inst *insts;
  uint32_t count;
  bool has_store; // or calls somebody that may
} hy_ir_block;

typedef enum { HY_IR_NUMBER, HY_IR_POISON, HY_IR_FUNCTION, HY_IR_TABLE, HY_IR_UNKNOWN } hy_ir_constant_kind;

typedef struct hy_ir_constant { // one lane
  hy_ir_constant_kind kind;
  uint32_t lane; // of the frame
  uint8_t bits;
  uint64_t number; // HY_IR_FUNCTION, HY_IR_TABLE: of the function or table
  int64_t offset;  // HY_IR_TABLE: in bytes
} hy_ir_constant;

typedef struct hy_ir_table { // memory with constants
  uint8_t *bytes;
  uint64_t size;
  const void *global; // while it is read
} hy_ir_table;

typedef struct hy_ir_value {
  uint32_t first, lanes; // in the frame
  uint8_t bits;
} hy_ir_value;

typedef struct hy_ir_function {
  const char *name;
  bool is_external;
  hy_ir_value *values; // parameters first
  uint32_t value_count, param_count, lane_count;
  hy_ir_constant *constants;
  uint32_t constant_count;
  hy_ir_block *blocks;
  uint32_t block_count;
} hy_ir_function;

typedef struct hy_ir_module {
  struct hy_arena *arena;
  hy_ir_function *functions;
  uint32_t function_count;
  hy_ir_table *tables;
  uint32_t table_count;
} hy_ir_module;

// From the text of a module (or its bitcode). NULL, with *why: LLVM refuses it.
HY_GIVE hy_ir_module *hy_ir_read(const char *text, size_t length, char *why, size_t size);
void hy_ir_free(HY_TAKE hy_ir_module *module);
hy_ir_function *hy_ir_find(const hy_ir_module *module, const char *name); // NULL: there is none

#endif
