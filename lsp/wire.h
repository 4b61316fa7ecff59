#ifndef HY_WIRE_H
#define HY_WIRE_H

/* Messages on a wire: a header with Content-Length, an empty line, and so many bytes. */

#include "semantics/base/text.h"

enum { HY_WIRE_MOST = 64 << 20 }; // bytes of a message; a longer one is skipped

typedef struct hy_wire {
  int in, out;
  hy_text bytes; // read, and no message yet; those before "taken" are done with
  size_t taken;
  size_t skipping; // so many bytes of a message that is too long are still to come
  bool is_noise;   // what is read is none, up to the next header: said once
  bool has_ended, is_broken;
} hy_wire;

typedef enum {
  HY_WIRE_MESSAGE,  // "*body" has "*length" bytes, until the next call
  HY_WIRE_NO_FRAME, // bytes that are no header: they are skipped, up to the next one
  HY_WIRE_TOO_LONG, // a message was, or will be, skipped
  HY_WIRE_NOTHING,  // more bytes are needed
} hy_wire_event;

void hy_wire_end(hy_wire *wire);
// Takes what can be read; blocks where that is nothing. Sets has_ended.
void hy_wire_read(hy_wire *wire);
hy_wire_event hy_wire_next(hy_wire *wire, const char **body, size_t *length);
// Sets is_broken where nobody reads any more.
void hy_wire_write(hy_wire *wire, const char *body, size_t length);

#endif
