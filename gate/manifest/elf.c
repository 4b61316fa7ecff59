#include "gate/manifest/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every target of codegen/target.def has the smaller byte first. */

static void add_word(hy_text *out, size_t word) {
  char bytes[4] = {(char)(word & 255), (char)(word >> 8 & 255), (char)(word >> 16 & 255), (char)(word >> 24 & 255)};
  hy_text_add_bytes(out, bytes, 4);
}

// Fields of a note are filled up to multiples of four.
static size_t filled(size_t length) { return (length + 3) / 4 * 4; }

static void add_field(hy_text *out, const char *text, size_t length) {
  hy_text_add_bytes(out, text, length);
  hy_text_add_bytes(out, "\0\0\0", filled(length) - length);
}

void hy_note_print(const char *name, const char *identity, hy_text *out) {
  hy_text says = {0};
  hy_text_printf(&says, "%s %s", name, identity);
  add_word(out, sizeof HY_NOTE_OWNER);
  add_word(out, says.length + 1);
  add_word(out, HY_NOTE_TYPE);
  add_field(out, HY_NOTE_OWNER, sizeof HY_NOTE_OWNER);
  add_field(out, hy_text_string(&says), says.length + 1);
  hy_text_free(&says);
}

/* -- ELF -- */

typedef struct {
  const char *bytes;
  size_t length;
  bool is_wide; // 64 bits
  bool is_broken;
} elf;

// So many bytes at a place; 0 and broken if they are not there.
static uint64_t number_at(elf *e, uint64_t at, size_t size) {
  if (at > e->length || e->length - at < size) return e->is_broken = true, 0;
  uint64_t number = 0;
  for (size_t i = size; i-- > 0;) number = number << 8 | (unsigned char)e->bytes[at + i];
  return number;
}

static bool open_elf(elf *e, const char *bytes, size_t length) {
  *e = (elf){.bytes = bytes, .length = length};
  if (length < 52 || memcmp(bytes, "\177ELF", 4) != 0 || bytes[5] != 1) return false;
  e->is_wide = bytes[4] == 2;
  return e->is_wide || bytes[4] == 1;
}

int hy_elf_machine(const char *bytes, size_t length) {
  elf e;
  return open_elf(&e, bytes, length) ? (int)number_at(&e, 18, 2) : -1;
}

static bool is_kind(const char *bytes, size_t length, uint64_t kind) {
  elf e;
  return open_elf(&e, bytes, length) && number_at(&e, 16, 2) == kind && !e.is_broken;
}

bool hy_elf_is_object(const char *bytes, size_t length) { return is_kind(bytes, length, 1); }
bool hy_elf_is_shared(const char *bytes, size_t length) { return is_kind(bytes, length, 3); }

int hy_elf_machine_of(const char *triple) {
  if (strncmp(triple, "x86_64", 6) == 0) return 62;
  if (strncmp(triple, "aarch64", 7) == 0) return 183;
  return strncmp(triple, "arm", 3) == 0 ? 40 : -1;
}

// The notes of one section.
static bool find_note(elf *e, uint64_t at, uint64_t size, const char *name, char *identity) {
  size_t wanted = strlen(name);
  for (uint64_t used = 0; !e->is_broken && used + 12 <= size;) {
    uint64_t owner = number_at(e, at + used, 4), says = number_at(e, at + used + 4, 4),
             type = number_at(e, at + used + 8, 4), owner_at = at + used + 12, text_at = owner_at + filled(owner);
    used += 12 + filled(owner) + filled(says);
    if (used > size || used > e->length || at > e->length - used) return false;
    if (type != HY_NOTE_TYPE || owner != sizeof HY_NOTE_OWNER || says != wanted + HY_SHA256_DIGITS + 2) continue;
    const char *text = e->bytes + text_at;
    if (memcmp(e->bytes + owner_at, HY_NOTE_OWNER, sizeof HY_NOTE_OWNER) != 0 || memcmp(text, name, wanted) != 0 ||
        text[wanted] != ' ')
      continue;
    memcpy(identity, text + wanted + 1, HY_SHA256_DIGITS);
    identity[HY_SHA256_DIGITS] = 0;
    return true;
  }
  return false;
}

bool hy_elf_identity(const char *bytes, size_t length, const char *name, char identity[HY_SHA256_DIGITS + 1]) {
  enum { NOTES = 7 }; // SHT_NOTE
  elf e;
  if (!open_elf(&e, bytes, length)) return false;
  bool wide = e.is_wide;
  uint64_t table = number_at(&e, wide ? 40 : 32, wide ? 8 : 4), row = number_at(&e, wide ? 58 : 46, 2),
           rows = number_at(&e, wide ? 60 : 48, 2);
  for (uint64_t i = 0; i < rows && !e.is_broken && table <= length; i++) {
    uint64_t at = table + i * row, kind = number_at(&e, at + 4, 4);
    uint64_t offset = number_at(&e, at + (wide ? 24 : 16), wide ? 8 : 4),
             size = number_at(&e, at + (wide ? 32 : 20), wide ? 8 : 4);
    if (e.is_broken || kind != NOTES || offset > length || size > length - offset) continue;
    if (find_note(&e, offset, size, name, identity)) return true;
  }
  return false;
}

/* -- ar -- */

// A head of 60 bytes before each: the name in 16, the length in decimal at 48; members begin at even places. Names of
// more than 15 characters stand in a member "//", one to a line that ends in "/".
static bool is_called(const char *head, const char *names, size_t names_length, const char *name) {
  size_t length = strlen(name);
  if (head[0] != '/')
    return length <= 15 && memcmp(head, name, length) == 0 && (head[length] == '/' || head[length] == ' ');
  char *end;
  size_t at = strtoul(head + 1, &end, 10);
  return end > head + 1 && at < names_length && names_length - at > length && memcmp(names + at, name, length) == 0 &&
         names[at + length] == '/';
}

enum { AR_HEAD = 60 };

// The member whose head lies at "at": its length, and its head, of which the name is ended. False: there is none.
static bool open_member(const char *bytes, size_t length, size_t at, char head[AR_HEAD + 1], size_t *size) {
  char digits[11];
  if (at >= length || length - at < AR_HEAD) return false;
  memcpy(head, bytes + at, AR_HEAD);
  memcpy(digits, head + 48, 10);
  digits[10] = 0;
  char *end;
  *size = strtoul(digits, &end, 10);
  // Read in one way alone: digits, then blanks.
  bool is_plain =
      digits[0] >= '0' && digits[0] <= '9' && end[strspn(end, " ")] == 0 && memcmp(head + 58, "`\n", 2) == 0;
  head[16] = 0;
  return is_plain && *size <= length - at - AR_HEAD;
}

static bool is_archive(const char *bytes, size_t length) { return length >= 8 && memcmp(bytes, "!<arch>\n", 8) == 0; }

const char *hy_archive_member(const char *bytes, size_t length, const char *name, size_t *member_length) {
  const char *names = NULL;
  char head[AR_HEAD + 1];
  size_t names_length = 0, size;
  if (!is_archive(bytes, length)) return NULL;
  for (size_t at = 8; open_member(bytes, length, at, head, &size); at += AR_HEAD + size + size % 2) {
    const char *member = bytes + at + AR_HEAD;
    if (strncmp(head, "// ", 3) == 0)
      names = member, names_length = size;
    else if (is_called(head, names, names_length, name))
      return *member_length = size, member;
  }
  return NULL;
}

// The table of symbols, "/", stands first or nowhere, that of names, "//", behind it, and all else are members.
static bool is_in_order(const char *bytes, size_t length, bool *has_symbols) {
  char head[AR_HEAD + 1];
  size_t size, at = 8;
  *has_symbols = false;
  for (int place = 0; open_member(bytes, length, at, head, &size); at += AR_HEAD + size + size % 2, place++) {
    bool is_symbols = strncmp(head, "/ ", 2) == 0, is_names = strncmp(head, "// ", 3) == 0;
    bool is_member = head[0] != '/' || (head[1] >= '0' && head[1] <= '9');
    if (is_symbols ? place != 0 : is_names ? place != *has_symbols : !is_member) return false;
    *has_symbols |= is_symbols;
  }
  return at >= length;
}

static bool is_head(const char *bytes, size_t length, size_t wanted) {
  char head[AR_HEAD + 1];
  size_t size;
  for (size_t at = 8; open_member(bytes, length, at, head, &size); at += AR_HEAD + size + size % 2)
    if (at == wanted) return strncmp(head, "/ ", 2) != 0 && strncmp(head, "// ", 3) != 0;
  return false;
}

// What a linker takes out of an archive is what its table of symbols points at: a number, as many places of heads, most
// significant byte first, and as many names.
static bool points_at_members(const char *bytes, size_t length) {
  enum { MOST = 4096 };
  char head[AR_HEAD + 1];
  size_t size = 0, names = 0;
  open_member(bytes, length, 8, head, &size);
  const unsigned char *table = (const unsigned char *)bytes + 8 + AR_HEAD;
  uint64_t count = 0;
  for (size_t i = 0; i < 4 && size >= 4; i++) count = count << 8 | table[i];
  if (size < 4 || count > MOST || (count + 1) * 4 > size) return false;
  for (uint64_t k = 1; k <= count; k++) {
    size_t at = 0;
    for (size_t i = 0; i < 4; i++) at = at << 8 | table[4 * k + i];
    if (!is_head(bytes, length, at)) return false;
  }
  for (size_t at = (count + 1) * 4; at < size; at++) names += table[at] == 0;
  return names == count || (names == count + 1 && table[size - 1] == 0 && size % 2 == 0); // filled to an even length
}

size_t hy_archive_count(const char *bytes, size_t length) {
  char head[AR_HEAD + 1];
  size_t count = 0, size;
  bool has_symbols;
  if (!is_archive(bytes, length) || !is_in_order(bytes, length, &has_symbols)) return 0;
  if (has_symbols && !points_at_members(bytes, length)) return 0;
  for (size_t at = 8; open_member(bytes, length, at, head, &size); at += AR_HEAD + size + size % 2)
    count += strncmp(head, "/ ", 2) != 0 && strncmp(head, "// ", 3) != 0;
  return count;
}
