#ifndef HY_WIRE_H
#define HY_WIRE_H

/* One call of a shipped object in another process, on another kind of machine: what goes there and what comes back, as
 * bytes. Both are little-endian; every record has the same layout on all machines.
 *
 * First:  back, a hy_wire_answer with the status HY_WIRE_HELLO: such programs run.
 * There:  hy_wire_call; each block, and its bytes; each argument, and its dimensions.
 * Back:   hy_wire_answer; unless it has a fault, the bytes of each block that is not read-only, and the dimensions of
 *         each buffer.
 */

#include <stdint.h>

enum { HY_WIRE_STORY = 240, HY_WIRE_LABEL = 64 };

typedef struct hy_wire_call {
  uint64_t pattern; // of fresh memory (codegen/guard/guard_memory.h)
  uint32_t below, block_count, argument_count;
  uint32_t by_name; // NAME is called, as C calls it; else NAME_argv
} hy_wire_call;

typedef struct hy_wire_block {
  uint64_t bytes;
  uint32_t read_only, align; // bytes: of what the address of its byte "host" is a multiple
  uint64_t host;
  char label[HY_WIRE_LABEL]; // with a zero
} hy_wire_block;

enum { HY_WIRE_NOTHING, HY_WIRE_PARAMETER, HY_WIRE_BUFFER };

typedef struct hy_wire_argument {
  uint32_t kind;
  int32_t block;      // of a buffer; -1: it has no memory
  uint64_t offset;    // of its host in the block
  uint64_t device;    // of a buffer
  uint8_t value[8];   // of a parameter, as it lies in memory
  uint8_t code, bits; // of a buffer's type
  uint16_t lanes;
  int32_t dimensions; // and as many hy_wire_dimension follow
} hy_wire_argument;

typedef struct hy_wire_dimension {
  int32_t min, extent, stride;
  uint32_t flags;
} hy_wire_dimension;

enum { HY_WIRE_HELLO = 0x68616c79 };

typedef enum {
  HY_WIRE_FINE,
  HY_WIRE_WRONG,   // the object does what it may not: the story says what
  HY_WIRE_GIVEN_UP // there is not enough memory there
} hy_wire_fault;

typedef struct hy_wire_answer {
  int32_t status; // what the object returned
  uint32_t fault; // a hy_wire_fault: the process has ended
  char story[HY_WIRE_STORY];
} hy_wire_answer;

#endif
