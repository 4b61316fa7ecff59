#ifndef HY_TAPE_INTERNAL_H
#define HY_TAPE_INTERNAL_H

/* What tape.c compiles to and tape_run.c executes. */

#include "tape/tape.h"

// Operations that tape_run.c does itself when no argument is an error or undefined; whatever else happens is
// hy_value_apply's. INT is the type "int", whose comparisons serve i8 to i64 and bool, too; UINT are u8 to u64 and SINT
// i8 to i64, which differ in their width alone.
// clang-format off
#define HY_TAPE_FAST(ROW) \
  ROW(INT, ADD) ROW(INT, SUB) ROW(INT, MUL) ROW(INT, DIV) ROW(INT, MOD) ROW(INT, MIN) ROW(INT, MAX) \
  ROW(INT, EQ) ROW(INT, NE) ROW(INT, LT) ROW(INT, LE) ROW(INT, GT) ROW(INT, GE) \
  ROW(UINT, ADD) ROW(UINT, SUB) ROW(UINT, MUL) ROW(UINT, DIV) ROW(UINT, MIN) ROW(UINT, MAX) \
  ROW(UINT, EQ) ROW(UINT, LT) ROW(UINT, LE) ROW(UINT, GT) ROW(UINT, GE) \
  ROW(SINT, ADD) ROW(SINT, SUB) ROW(SINT, MUL) ROW(SINT, MIN) ROW(SINT, MAX) \
  ROW(F32, ADD) ROW(F32, SUB) ROW(F32, MUL) ROW(F32, DIV) ROW(F32, LT) ROW(F32, GT) \
  ROW(F64, ADD) ROW(F64, SUB) ROW(F64, MUL) ROW(F64, DIV)
// clang-format on

typedef enum {
  TAPE_APPLY,  // target = op(args), by hy_value_apply
  TAPE_SELECT, // target = the arm that args[0] selects; its error, if it is one (lazy mode)
  TAPE_AND,    // target = args[0] if that is false or an error, else args[1] (lazy mode)
  TAPE_OR,
  TAPE_LOAD,     // target = loads[args[0]]
  TAPE_CALL,     // runs block args[0], unless it is to run once and has
  TAPE_PICK,     // args[0] true: runs block args[1], false: block args[2]; NO_BLOCK: nothing
  TAPE_TO_INT,   // cast to "int" of an integer that it holds for sure: all but u64
  TAPE_TO_UINT,  // cast of an integer or bool to u8 to u64; args[2] is 64 - width
  TAPE_TO_SINT,  // the same to i8 to i64
  TAPE_TO_FLOAT, // cast of an integer or bool to f32 or f64
  TAPE_RETURN,   // back to the caller; from the main block: the end
#define ROW(kind, op) TAPE_##kind##_##op,
  HY_TAPE_FAST(ROW)
#undef ROW
} tape_code;

enum { NO_BLOCK = UINT32_MAX, NO_FLAG = UINT32_MAX };

typedef struct {
  uint8_t code, op, type; // tape_code, hy_op, hy_type of the result
  uint32_t target;        // where in the room
  uint32_t args[3];       // places in the room, blocks or a load; UINT and SINT operations: args[2] is 64 - width
} tape_instruction;

typedef struct {
  const hy_func *func;
  int part;
  uint32_t coordinates[HY_MAX_RANK];
} tape_access;

typedef struct {
  uint32_t start; // of its code
  uint32_t flag;  // which flag says that it has run; NO_FLAG for blocks with a single use
} tape_block;

struct hy_tape {
  tape_instruction *code; // block 0 is the main one
  tape_block *blocks;
  tape_access *loads;
  hy_value *constants;
  uint32_t *outputs; // places in the room
  size_t output_count;
  // The main block's code is in the order of the last input that an instruction depends on, directly or not: where that
  // of each input begins. After that of the last one comes what looks at memory.
  uint32_t *begins;
  size_t input_count;
  bool is_blind; // it never looks at memory
  // The room: inputs, constants, registers of expressions, one flag for each block to run once, return addresses.
  size_t constant_count, register_count, flag_count, block_count;
};

#endif
