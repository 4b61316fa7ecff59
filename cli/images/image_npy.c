// NumPy's .npy, versions 1 to 3: a header that is a Python literal, then the elements in C order, [..., c, y, x].

#include "cli/images/image_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PREAMBLE = 10, HEADER_LIMIT = 1 << 16 };

bool hy_image_is_npy(const uint8_t *data, size_t length) { return length >= 6 && memcmp(data, "\x93NUMPY", 6) == 0; }

/* -- reading -- */

typedef struct {
  const hy_image_bytes *bytes;
  const char *at, *end; // inside the header
} header;

static void skip(header *h) {
  while (h->at < h->end && isspace((unsigned char)*h->at)) h->at++;
}

static bool take(header *h, char c) {
  skip(h);
  if (h->at == h->end || *h->at != c) return false;
  h->at++;
  return true;
}

// string: "'" characters "'" without escapes; at most "room" - 1 of them
static bool take_string(header *h, char *out, size_t room) {
  skip(h);
  char quote = h->at < h->end ? *h->at : 0;
  if (quote != '\'' && quote != '"') return false;
  const char *start = ++h->at;
  while (h->at < h->end && *h->at != quote && *h->at != '\\') h->at++;
  size_t length = (size_t)(h->at - start);
  if (length >= room || !take(h, quote)) return false;
  memcpy(out, start, length);
  out[length] = 0;
  return true;
}

static bool take_word(header *h, const char *word) {
  skip(h);
  size_t length = strlen(word);
  if ((size_t)(h->end - h->at) < length || memcmp(h->at, word, length) != 0) return false;
  h->at += length;
  return true;
}

static bool take_length(header *h, int64_t *length) {
  skip(h);
  const char *start = h->at;
  *length = 0;
  for (; h->at < h->end && isdigit((unsigned char)*h->at); h->at++) {
    if (*length > INT64_MAX / 16) return false;
    *length = *length * 10 + (*h->at - '0');
  }
  return h->at > start;
}

typedef struct {
  char descr[16];
  bool fortran;
  int64_t shape[HY_MAX_RANK]; // as in the file, slowest first
  int rank;
  unsigned seen; // bits: descr, fortran_order, shape
} array_kind;

// shape: "(" [length {"," length} [","]] ")"
static bool take_shape(header *h, array_kind *kind) {
  if (!take(h, '(')) return false;
  while (!take(h, ')')) {
    if (kind->rank == HY_MAX_RANK) {
      hy_image_broken(h->bytes, "it has more than %d dimensions", HY_MAX_RANK);
      return false;
    }
    if (!take_length(h, &kind->shape[kind->rank++])) return false;
    if (take(h, ',')) continue;
    return take(h, ')');
  }
  return true;
}

static bool take_descr(header *h, array_kind *kind) {
  if (take_string(h, kind->descr, sizeof kind->descr)) return true;
  hy_image_broken(h->bytes, "its element type is a record or malformed; only plain numbers can be read");
  return false;
}

static bool take_entry(header *h, array_kind *kind) {
  char key[32];
  if (!take_string(h, key, sizeof key) || !take(h, ':')) return false;
  if (strcmp(key, "descr") == 0) {
    kind->seen |= 1;
    return take_descr(h, kind);
  }
  if (strcmp(key, "fortran_order") == 0) {
    kind->seen |= 2;
    kind->fortran = take_word(h, "True");
    return kind->fortran || take_word(h, "False");
  }
  kind->seen |= 4;
  kind->rank = 0;
  return strcmp(key, "shape") == 0 && take_shape(h, kind);
}

// header: "{" entry {"," entry} [","] "}"
static bool take_header(header *h, array_kind *kind) {
  if (!take(h, '{')) return false;
  while (!take(h, '}')) {
    if (!take_entry(h, kind)) return false;
    if (take(h, ',')) continue;
    if (!take(h, '}')) return false;
    break;
  }
  return kind->seen == 7;
}

// The element type that a NumPy descriptor names; i64 for "<i8", which "int" is too.
static bool find_type(const char *descr, hy_type *type) {
  static const struct {
    hy_type type;
    const char *numpy;
  } rows[] = {
#define HY_TYPE(name, spelling, class, bits, numpy, c) {HY_##name, numpy},
#include "semantics/types.def"
#undef HY_TYPE
  };
  for (size_t i = HY_COUNT(rows); i-- > 0;) {
    bool is_void = rows[i].type == HY_BF16 && strcmp(descr, "|V2") == 0; // as NumPy alone knows it
    bool any_order = rows[i].numpy[0] == '|' && strchr("<>=", descr[0]) && strcmp(rows[i].numpy + 1, descr + 1) == 0;
    if (strcmp(rows[i].numpy, descr) != 0 && !is_void && !(descr[0] && any_order)) continue;
    *type = rows[i].type == HY_INT ? HY_I64 : rows[i].type;
    return true;
  }
  return false;
}

static bool check_kind(const hy_image_bytes *bytes, const array_kind *kind, hy_type *type) {
  if (!find_type(kind->descr, type)) {
    hy_report(bytes->diagnostics, HY_E_IMAGE_TYPE, (hy_loc){0}, NULL,
              "save it as bool, u1 u2 u4 u8, i1 i2 i4 i8, f2 f4 f8, or bf16 of ml_dtypes (V2), little endian",
              "'%s' has elements of type '%s'", bytes->path, kind->descr);
    return false;
  }
  if (kind->fortran && kind->rank > 1) {
    hy_report(bytes->diagnostics, HY_E_IMAGE_TYPE, (hy_loc){0}, NULL, "save numpy.ascontiguousarray(a) instead",
              "'%s' is in Fortran order", bytes->path);
    return false;
  }
  return true;
}

// The data: exactly as many bytes as the shape asks for. A bool byte other than 0 is 1.
static hy_buffer *take_elements(const hy_image_bytes *bytes, size_t at, const array_kind *kind, hy_type type) {
  int64_t len[HY_MAX_RANK];
  size_t left = (bytes->length - at) / hy_type_bytes(type), wanted = 1;
  bool fits = true, empty = false;
  for (int d = 0; d < kind->rank; d++) {
    len[d] = kind->shape[kind->rank - 1 - d];
    empty = empty || len[d] == 0;
    fits = fits && len[d] <= INT32_MAX;
    if (len[d] > 0 && wanted > left / (size_t)len[d])
      fits = false;
    else
      wanted *= (size_t)len[d];
  }
  if (empty) fits = true, wanted = 0;
  if (!fits || wanted > left) {
    hy_image_broken(bytes, "the file ends too early for the shape that its header names");
    return NULL;
  }
  hy_buffer *buffer = hy_image_buffer(bytes, type, kind->rank, len);
  if (!buffer) return NULL;
  if (buffer->count) memcpy(buffer->data, bytes->data + at, buffer->count * hy_type_bytes(type));
  for (size_t i = 0; type == HY_BOOL && i < buffer->count; i++) buffer->data[i] = buffer->data[i] != 0;
  return buffer;
}

hy_buffer *hy_image_parse_npy(const hy_image_bytes *bytes) {
  const uint8_t *p = bytes->data;
  bool wide = bytes->length > 6 && p[6] >= 2;
  size_t start = wide ? PREAMBLE + 2 : PREAMBLE;
  if (bytes->length < start || p[6] < 1 || p[6] > 3) {
    hy_image_broken(bytes, "its .npy preamble is truncated or of an unknown version");
    return NULL;
  }
  size_t length = p[8] | (size_t)p[9] << 8;
  if (wide) length |= (size_t)p[10] << 16 | (size_t)p[11] << 24;
  if (length > HEADER_LIMIT || length > bytes->length - start) {
    hy_image_broken(bytes, "its header is truncated or absurdly long");
    return NULL;
  }
  header h = {bytes, (const char *)p + start, (const char *)p + start + length};
  array_kind kind = {0};
  size_t before = hy_diagnostics_errors(bytes->diagnostics);
  if (!take_header(&h, &kind)) {
    if (hy_diagnostics_errors(bytes->diagnostics) == before) hy_image_broken(bytes, "its header is malformed");
    return NULL;
  }
  hy_type type;
  return check_kind(bytes, &kind, &type) ? take_elements(bytes, start + length, &kind, type) : NULL;
}

/* -- writing -- */

bool hy_image_write_npy(FILE *file, const hy_buffer *buffer) {
  hy_text text = {0};
  hy_text_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", hy_type_numpy(buffer->type));
  for (int d = buffer->rank - 1; d >= 0; d--)
    hy_text_printf(&text, "%lld%s", (long long)buffer->len[d], d || buffer->rank == 1 ? ", " : "");
  hy_text_add(&text, "), }");
  while ((PREAMBLE + text.length + 1) % 64) hy_text_add(&text, " ");
  hy_text_add(&text, "\n");
  uint8_t preamble[PREAMBLE] = "\x93NUMPY\x01";
  preamble[7] = 0;
  preamble[8] = (uint8_t)text.length;
  preamble[9] = (uint8_t)(text.length >> 8);
  fwrite(preamble, 1, PREAMBLE, file);
  fwrite(hy_text_string(&text), 1, text.length, file);
  hy_text_free(&text);
  if (buffer->count) fwrite(buffer->data, hy_type_bytes(buffer->type), buffer->count, file);
  return !ferror(file);
}
