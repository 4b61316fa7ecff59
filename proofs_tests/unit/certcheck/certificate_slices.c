#include "proofs_tests/unit/certcheck/certificate_slices.h"

#include "semantics/base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool slice_is(const slice_row *row, const char *first_word) {
  return row->count > 0 && strcmp(row->words[0], first_word) == 0;
}

bool slice_is_line(const slice_row *row) { return row->count > 1 && isdigit((unsigned char)row->words[0][0]); }

static bool is_one_of(const char *word, const char *list) { // "list" has a blank before and behind each word
  const char *at = strstr(list, word);
  return at && at[-1] == ' ' && at[strlen(word)] == ' ';
}

bool slice_is_reference(const slice_row *row, int word) {
  const char *op = row->words[slice_is_line(row)];
  bool digit = isdigit((unsigned char)row->words[word][0]);
  if (!digit || word < 1 + slice_is_line(row)) return false;
  if (!slice_is_line(row)) {
    if (slice_is(row, "facts") || slice_is(row, "goal")) return true;
    return word == 1   ? is_one_of(op, " u d e n ")
           : word == 2 ? is_one_of(op, " e v f r ")
                       : word == 3 && is_one_of(op, " v f ");
  }
  if (is_one_of(op, " unknown atom int true false ")) return false;
  if (strcmp(row->words[word - 1], "=") == 0) return true;
  if (is_one_of(op, " quotient negative ratio rest applied ")) return false;
  return strcmp(op, "wrap") == 0 ? word == 3 : is_one_of(op, " mask choice ") ? word == 2 : true;
}

bool slice_has_polynomials(const slice_row *row) {
  return row->count > 1 &&
         (slice_is_line(row) ? is_one_of(row->words[1], " quotient negative ratio rest choice applied ")
                             : is_one_of(row->words[0], " l k s "));
}

/* -- reading -- */

static bool is_named(const slice_row *row) { // a name follows that is no words of ours
  return slice_is(row, "certificate") || (slice_is_line(row) && is_one_of(row->words[1], " unknown atom "));
}

static slice_row split(hy_arena *arena, const char *line, size_t length) {
  slice_row row = {hy_arena_allocate(arena, (length + 2) * sizeof(char *)), 0};
  char *copy = hy_arena_allocate(arena, length + 1);
  memcpy(copy, line, length);
  copy[length] = '\0';
  for (char *word; (word = strsep(&copy, " "));)
    if (*word) row.words[row.count++] = word;
  return row;
}

slice_file slice_read(hy_arena *arena, const char *text, size_t size) {
  size_t room = 1;
  for (size_t i = 0; i < size; i++) room += text[i] == '\n';
  slice_file file = {HY_NEW_ARRAY(arena, slice_row, room), 0, 0, HY_NEW_ARRAY(arena, int, room),
                     HY_NEW_ARRAY(arena, int, room)};
  memset(file.numbers, 0, room * sizeof *file.numbers);
  for (const char *at = text, *end = text + size; at < end;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    slice_row row = split(arena, at, (size_t)(stop - at));
    at = stop + 1;
    if (!row.count || row.words[0][0] == '#') continue;
    if (slice_is_line(&row)) file.positions[++file.lines] = file.count;
    file.rows[file.count++] = row;
  }
  return file;
}

int slice_next(const slice_file *file, int from) {
  for (int i = from; i < file->count; i++)
    if (slice_is(&file->rows[i], "certificate")) return i;
  return -1;
}

/* -- which lines a row names -- */

typedef int renumbering(void *self, int line);

// The row with every reference replaced by what "number" says.
static slice_row map_references(hy_arena *arena, const slice_row *row, renumbering *number, void *self) {
  slice_row copy = {hy_arena_allocate(arena, ((size_t)row->count + 1) * sizeof(char *)), row->count};
  bool polynomials = slice_has_polynomials(row);
  for (int i = 0; i < row->count; i++) {
    const char *word = row->words[i], *star = polynomials && i > 0 ? strchr(word, '*') : NULL;
    copy.words[i] = word;
    if (!is_named(row) && i > 0 && slice_is_reference(row, i))
      copy.words[i] = hy_arena_printf(arena, "%d", number(self, atoi(word)));
    if (!star) continue;
    const char *text = hy_arena_printf(arena, "%.*s", (int)(star - word), word);
    for (char *end; star && *star == '*'; star = end)
      text = hy_arena_printf(arena, "%s*%d", text, number(self, (int)strtol(star + 1, &end, 10)));
    copy.words[i] = hy_arena_printf(arena, "%s%s", text, star);
  }
  return copy;
}

static void each_reference(const slice_row *row, renumbering *see, void *self) {
  bool polynomials = slice_has_polynomials(row), named = is_named(row);
  for (int i = 1; i < row->count; i++) {
    const char *star = polynomials ? strchr(row->words[i], '*') : NULL;
    if (!named && slice_is_reference(row, i)) see(self, atoi(row->words[i]));
    for (char *end; star && *star == '*'; star = end) see(self, (int)strtol(star + 1, &end, 10));
  }
}

/* -- cutting -- */

typedef struct {
  const slice_file *file;
  int *numbers; // by old number: the new one, 0 = not needed
  HY_VEC(int) needed;
} cut;

static int mark(void *self, int line) {
  cut *c = self;
  if (line < 1 || line > c->file->lines || c->numbers[line]) return line;
  c->numbers[line] = 1;
  hy_vec_push(&c->needed, line);
  each_reference(&c->file->rows[c->file->positions[line]], mark, self);
  return line;
}

static int new_number(void *self, int line) {
  cut *c = self;
  return line >= 1 && line <= c->file->lines && c->numbers[line] ? c->numbers[line] : line;
}

static void add_row(slice *s, slice_row row) {
  if (slice_is(&row, "facts")) s->facts = s->count;
  if (slice_is(&row, "goal")) s->goal = s->count;
  if (slice_is(&row, "qed")) s->last = s->count;
  s->rows[s->count++] = row;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

slice slice_cut(hy_arena *arena, const slice_file *file, int at) {
  cut c = {.file = file, .numbers = file->numbers};
  int end = at;
  for (; !slice_is(&file->rows[end], "qed"); end++) each_reference(&file->rows[end], mark, &c);
  qsort(c.needed.data, c.needed.count, sizeof(int), by_number);
  slice s = {.lines = (int)c.needed.count};
  for (int i = 0; i < s.lines; i++) c.numbers[c.needed.data[i]] = i + 1;
  s.rows = HY_NEW_ARRAY(arena, slice_row, s.lines + end - at + 1);
  for (int i = 0; i < s.lines; i++) {
    slice_row row = map_references(arena, &file->rows[file->positions[c.needed.data[i]]], new_number, &c);
    row.words[0] = hy_arena_printf(arena, "%d", i + 1);
    add_row(&s, row);
  }
  for (int i = at; i <= end; i++) add_row(&s, map_references(arena, &file->rows[i], new_number, &c));
  s.rows[s.lines].words[1] = "slice/1";
  for (int i = 0; i < s.lines; i++) c.numbers[c.needed.data[i]] = 0;
  hy_vec_free(&c.needed);
  return s;
}

/* -- changing, printing -- */

slice slice_copy(hy_arena *arena, const slice *original) {
  slice copy = *original;
  copy.rows = HY_NEW_ARRAY(arena, slice_row, copy.count + 1); // room for one more
  memcpy(copy.rows, original->rows, (size_t)copy.count * sizeof *copy.rows);
  return copy;
}

void slice_set_word(hy_arena *arena, slice *s, int row, int word, const char *text) {
  slice_row old = s->rows[row], new = {hy_arena_allocate(arena, ((size_t)old.count + 1) * sizeof(char *)), 0};
  for (int i = 0; i < old.count; i++) {
    if (i != word) new.words[new.count++] = old.words[i];
    if (i == word && text) new.words[new.count++] = text;
  }
  s->rows[row] = new;
}

void slice_print(const slice *s, hy_text *out) {
  hy_text_add(out, SLICE_HEADER);
  for (int i = 0; i < s->count; i++) {
    for (int k = 0; k < s->rows[i].count; k++) {
      if (k) hy_text_add(out, " ");
      hy_text_add(out, s->rows[i].words[k]);
    }
    if (s->rows[i].count) hy_text_add(out, "\n");
  }
  hy_text_add(out, "end 1\n");
}
