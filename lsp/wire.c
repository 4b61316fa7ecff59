#include "lsp/wire.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MOST_HEADER = 4096, PIECE = 1 << 16 };
static const char key[] = "Content-Length:";

void hy_wire_end(hy_wire *wire) { hy_text_free(&wire->bytes); }

/* -- reading -- */

static void drop_taken(hy_wire *wire) {
  if (!wire->taken) return;
  wire->bytes.length -= wire->taken;
  memmove(wire->bytes.data, wire->bytes.data + wire->taken, wire->bytes.length);
  wire->bytes.data[wire->bytes.length] = 0;
  wire->taken = 0;
}

void hy_wire_read(hy_wire *wire) {
  char piece[PIECE];
  ssize_t got;
  while ((got = read(wire->in, piece, sizeof piece)) < 0 && errno == EINTR) {
  }
  if (got <= 0) {
    wire->has_ended = true;
    return;
  }
  drop_taken(wire);
  hy_text_add_bytes(&wire->bytes, piece, (size_t)got);
}

static const char *next_byte(const hy_wire *wire) { return wire->bytes.data + wire->taken; }
static size_t left(const hy_wire *wire) { return wire->bytes.length - wire->taken; }

// The value of a line "Content-Length: 12". False: it is none.
static bool read_length(const char *line, const char *end, size_t *length) {
  const char *at = line + sizeof key - 1;
  while (at < end && *at == ' ') at++;
  const char *digits = at;
  for (*length = 0; at < end && *at >= '0' && *at <= '9'; at++)
    *length = *length < SIZE_MAX / 16 ? *length * 10 + (size_t)(*at - '0') : SIZE_MAX / 2;
  while (at < end && (*at == ' ' || *at == '\r')) at++;
  return digits < at && at == end;
}

typedef enum { HEADER_GOOD, HEADER_BAD, HEADER_OPEN } header_state;

// Lines up to an empty one: "*size" bytes, among them one that says the length.
static header_state read_header(const hy_wire *wire, size_t *size, size_t *length) {
  const char *begin = next_byte(wire), *end = begin + left(wire);
  bool has_length = false;
  for (const char *line = begin; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop) break;
    bool is_empty = stop == line || (stop == line + 1 && *line == '\r');
    if (is_empty) {
      *size = (size_t)(stop + 1 - begin);
      return has_length ? HEADER_GOOD : HEADER_BAD;
    }
    bool is_length = (size_t)(stop - line) >= sizeof key - 1 && strncasecmp(line, key, sizeof key - 1) == 0;
    if (is_length ? has_length || !read_length(line, stop, length) : strncasecmp(line, "Content-Type:", 13) != 0)
      return HEADER_BAD;
    has_length |= is_length;
    line = stop + 1;
  }
  return left(wire) > MOST_HEADER ? HEADER_BAD : HEADER_OPEN;
}

// Can the bytes from there on become a line that begins so?
static bool may_begin(const hy_wire *wire, size_t from, const char *word) {
  size_t length = strlen(word), there = left(wire) - from;
  return strncasecmp(next_byte(wire) + from, word, there < length ? there : length) == 0;
}

// Goes on at the next header behind the first byte, or where the beginning of one stands at the end.
static void skip_noise(hy_wire *wire) {
  size_t from = 1;
  while (from < left(wire) && !may_begin(wire, from, key)) from++;
  wire->taken += from;
}

// What is there, once nothing is to be skipped: one event.
static hy_wire_event look(hy_wire *wire, const char **body, size_t *length) {
  size_t size = 0;
  if (!left(wire)) return HY_WIRE_NOTHING;
  if (!may_begin(wire, 0, key) && !may_begin(wire, 0, "Content-Type:")) return HY_WIRE_NO_FRAME;
  switch (read_header(wire, &size, length)) {
  case HEADER_OPEN: return HY_WIRE_NOTHING;
  case HEADER_BAD: return HY_WIRE_NO_FRAME;
  case HEADER_GOOD: break;
  }
  if (*length > HY_WIRE_MOST) {
    wire->taken += size;
    wire->skipping = *length;
    return HY_WIRE_TOO_LONG;
  }
  if (left(wire) - size < *length) return HY_WIRE_NOTHING;
  *body = next_byte(wire) + size;
  wire->taken += size + *length;
  return HY_WIRE_MESSAGE;
}

hy_wire_event hy_wire_next(hy_wire *wire, const char **body, size_t *length) {
  for (;;) {
    size_t skipped = left(wire) < wire->skipping ? left(wire) : wire->skipping;
    wire->skipping -= skipped;
    wire->taken += skipped;
    hy_wire_event event = wire->skipping ? HY_WIRE_NOTHING : look(wire, body, length);
    bool was_noise = wire->is_noise;
    wire->is_noise = event == HY_WIRE_NO_FRAME || (was_noise && event == HY_WIRE_NOTHING);
    if (event == HY_WIRE_NO_FRAME) skip_noise(wire);
    if (event != HY_WIRE_NO_FRAME || !was_noise) return event;
  }
}

/* -- writing -- */

void hy_wire_write(hy_wire *wire, const char *body, size_t length) {
  hy_text head = {0};
  hy_text_printf(&head, "Content-Length: %zu\r\n\r\n", length);
  if (!hy_write_all(wire->out, hy_text_string(&head), head.length) || !hy_write_all(wire->out, body, length))
    wire->is_broken = true;
  hy_text_free(&head);
}
