/* certificate_copies SEED COPIES <FILES >BUNDLE: files of certificates, one behind the other, come in. For each of
 * their certificates a file with it alone goes out, and COPIES different damaged copies of that. The second line of
 * each says what was done: "# kept HASH", "# swap two steps", ... Half of the damage is to what a certificate says
 * (certificate_mutants.h), half to what is written: digits, numbers, ids, rows, words, bytes, what stands in another
 * file.
 *
 * proofs_tests/coq/coq_campaign.sh has both checkers judge what goes out.
 */

#include "proofs_tests/unit/certcheck/certificate_mutants.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COPIES = 64, MOST_ROWS = 4096, TRIES = 200 };

typedef struct {
  uint64_t seed;
  int copies;
  char *other; // rows of the certificate before this one, NULL if there is none
  hy_text text, damaged;
  uint64_t seen[MOST_COPIES + 1]; // hashes of the copies of one certificate, and its own
} campaign;

static uint64_t draw(campaign *c, uint64_t below) {
  uint64_t z = c->seed += 0x9e3779b97f4a7c15u; // splitmix64
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static uint64_t hash_of(const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

/* -- damage to what is written -- */

// Rows of a text: where each begins; the last begins behind the text.
typedef struct {
  const char *at[MOST_ROWS + 1];
  int count;
} rows;

static rows rows_of(const char *text) {
  rows r = {.count = 0};
  for (; *text && r.count < MOST_ROWS; text = strchr(text, '\n') + 1) r.at[r.count++] = text;
  r.at[r.count] = text;
  return r;
}

static void add(hy_text *out, const char *from, const char *to) { hy_text_add_bytes(out, from, (size_t)(to - from)); }

// "text" with what stands from "from" to "to" replaced.
static void replace(hy_text *out, const char *text, const char *from, const char *to, const char *by) {
  add(out, text, from);
  hy_text_add(out, by);
  hy_text_add(out, to);
}

// A run of characters of a class, drawn evenly; NULL if there is none. It ends before "*to".
static const char *draw_run(campaign *c, const char *text, int (*is_in)(int), const char **to) {
  const char *found = NULL;
  int count = 0;
  for (const char *at = text; *at;) {
    const char *end = at;
    while (*end && is_in((unsigned char)*end)) end++;
    if (end > at && draw(c, (uint64_t)++count) == 0) found = at, *to = end;
    at = end > at ? end : at + 1;
  }
  return found;
}

static int is_digit(int x) { return isdigit(x) != 0; }
static int is_of_word(int x) { return x != ' ' && x != '\n'; }

static const char *const numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "16",
                                      "1073741824",
                                      "1073741825",
                                      "9223372036854775807",
                                      "18446744073709551616",
                                      "-170141183460469231731687303715884105728",
                                      "170141183460469231731687303715884105728",
                                      "00",
                                      "-0",
                                      "+1",
                                      "1e3",
                                      "",
                                      "999999999999999999999999999999999999999999999999999999999999"};

static bool damage_number(campaign *c, const char *text, bool one_digit) {
  const char *to, *from = draw_run(c, text, is_digit, &to);
  char digit[2] = {(char)('0' + draw(c, 10)), '\0'};
  if (!from) return false;
  if (one_digit) from += draw(c, (uint64_t)(to - from)), to = from + 1;
  replace(&c->damaged, text, from, to, one_digit ? digit : numbers[draw(c, HY_COUNT(numbers))]);
  return true;
}

static bool damage_near(campaign *c, const char *text) { // a number by one: an id, a hypothesis, a coefficient
  const char *to, *from = draw_run(c, text, is_digit, &to);
  char room[32];
  if (!from || to - from > 17) return false;
  snprintf(room, sizeof room, "%lld", strtoll(from, NULL, 10) + (draw(c, 2) ? 1 : -1));
  replace(&c->damaged, text, from, to, room);
  return true;
}

static bool damage_word(campaign *c, const char *text) { // dropped, doubled, or one of another place or file
  const char *to = text, *from = draw_run(c, text, is_of_word, &to), *end = to, *other = from;
  if (!from) return false;
  int kind = (int)draw(c, 4);
  if (kind == 0) return replace(&c->damaged, text, from, to, ""), true;
  if (kind > 1) other = draw_run(c, kind == 2 && c->other ? c->other : text, is_of_word, &end);
  add(&c->damaged, text, from);
  add(&c->damaged, other, end);
  hy_text_add(&c->damaged, kind > 1 && draw(c, 3) ? "" : " ");
  hy_text_add(&c->damaged, kind > 1 && draw(c, 3) ? to : from);
  return true;
}

static bool damage_byte(campaign *c, const char *text) {
  static const char bytes[] = " \n()*-=#.0129axug\t\x01\xff";
  const char *at = text + draw(c, strlen(text));
  char by[2] = {bytes[draw(c, sizeof bytes - 1)], '\0'};
  bool inserts = draw(c, 3) == 0;
  replace(&c->damaged, text, at, inserts ? at : at + 1, draw(c, 4) == 0 ? "" : by);
  return true;
}

typedef enum { DROP, DOUBLE, SWAP, MOVE, FOREIGN, INSTEAD, CUT, DEAD, LEAVE_OPEN, PART, SAME } row_damage;
static const char *const row_names[] = {"drop a row",      "double a row",     "swap two rows",
                                        "move a row",      "a row of another", "another's row in its place",
                                        "cut the end off", "say dead",         "say open",
                                        "another part",    "the same unknown"};

// requires: rows 0 and 1 are the header and the program
static bool damage_rows(campaign *c, const char *text, row_damage kind) {
  rows r = rows_of(text), o = rows_of(c->other ? c->other : "");
  if (r.count < 6 || (o.count < 4 && (kind == FOREIGN || kind == INSTEAD))) return false;
  int row = 2 + (int)draw(c, (uint64_t)r.count - 3), to = 2 + (int)draw(c, (uint64_t)r.count - 2);
  const char *from = r.at[row], *end = r.at[row + 1], *last = r.at[r.count];
  hy_text *out = &c->damaged;
  if (kind == DROP || kind == SWAP || kind == MOVE || kind == DOUBLE) {
    if (kind != DOUBLE && kind != MOVE) add(out, text, from);
    if (kind == DOUBLE) add(out, text, end), add(out, from, last);
    if (kind == DROP) add(out, end, last);
    if (kind == SWAP) add(out, end, r.at[row + 2]), add(out, from, end), add(out, r.at[row + 2], last);
    for (int i = 0; kind == MOVE && i < r.count; i++) {
      if (i == to) add(out, from, end);
      if (i != row) add(out, r.at[i], r.at[i + 1]);
    }
    return true;
  }
  if (kind == FOREIGN || kind == INSTEAD) {
    int other = (int)draw(c, (uint64_t)o.count);
    add(out, text, from);
    add(out, o.at[other], o.at[other + 1]);
    add(out, kind == FOREIGN ? from : end, last);
    return true;
  }
  if (kind == CUT) return add(out, text, from), true;
  for (int i = 0; i < r.count; i++) {
    bool is_head = strncmp(r.at[i], "certificate ", 12) == 0, is_goal = strncmp(r.at[i], "goal ", 5) == 0;
    const char *slash = is_head ? strstr(r.at[i], "/1 ") : NULL;
    if (kind == LEAVE_OPEN && is_head) hy_text_add(out, "open slice/1 a b\n");
    if (kind == PART && slash)
      add(out, r.at[i], slash + 2), hy_text_add(out, draw(c, 2) ? ".1" : ".2"), add(out, slash + 2, r.at[i + 1]);
    else if (kind == SAME && i == row && isdigit((unsigned char)*r.at[i]))
      add(out, r.at[i], r.at[i + 1] - 1), hy_text_printf(out, " = %d\n", 1 + (int)draw(c, (uint64_t)row));
    else if (!(kind == DEAD && strncmp(r.at[i], "g\n", 2) == 0 && draw(c, 2)))
      add(out, r.at[i], r.at[i + 1]);
    if (kind == DEAD && is_goal) hy_text_add(out, "dead\n");
  }
  return true;
}

static const char *damage_text(campaign *c, const char *text) {
  c->damaged.length = 0;
  int kind = (int)draw(c, 6 + HY_COUNT(row_names));
  switch (kind) {
  case 0: return damage_number(c, text, true) ? "another digit" : NULL;
  case 1:
  case 2: return damage_near(c, text) ? "a number by one" : NULL;
  case 3: return damage_number(c, text, false) ? "another number" : NULL;
  case 4: return damage_word(c, text) ? "another word" : NULL;
  case 5: return damage_byte(c, text) ? "another byte" : NULL;
  default: return damage_rows(c, text, (row_damage)(kind - 6)) ? row_names[kind - 6] : NULL;
  }
}

/* -- damage to what is said, and both -- */

static const char *damage(campaign *c, hy_arena *arena, const slice *original, const char *text) {
  if (draw(c, 2)) return damage_text(c, text);
  slice mutant;
  mutation m = (mutation)draw(c, MUTATIONS);
  if (!mutation_apply(m, arena, original, &c->seed, &mutant)) return NULL;
  c->damaged.length = 0;
  slice_print(&mutant, &c->damaged);
  return mutation_name(m);
}

static void put(const char *text, const char *what) { // the comment behind the first line; none in what has no lines
  const char *second = strchr(text, '\n');
  if (second) printf("%.*s# %s\n%s", (int)(second + 1 - text), text, what, second + 1);
}

// A judge takes the parts of a bundle by their first lines, and they end in a line.
static bool fits_a_bundle(const char *text) {
  static const char header[] = "halyard-certificates 2\n";
  size_t length = strlen(text);
  return strncmp(text, header, sizeof header - 1) == 0 && !strstr(text + 1, header) && text[length - 1] == '\n';
}

static void copy(campaign *c, const slice_file *file, int at) {
  hy_arena *arena = hy_arena_new();
  slice original = slice_cut(arena, file, at);
  c->text.length = 0;
  slice_print(&original, &c->text);
  const char *text = hy_text_string(&c->text);
  c->seen[0] = hash_of(text);
  char kept[32];
  snprintf(kept, sizeof kept, "kept %016" PRIx64, c->seen[0]);
  put(text, kept);
  int made = 0;
  for (int tries = 0; made < c->copies && tries < TRIES; tries++) {
    const char *what = damage(c, arena, &original, text);
    if (!what || !fits_a_bundle(hy_text_string(&c->damaged))) continue;
    uint64_t hash = hash_of(hy_text_string(&c->damaged));
    bool is_new = true;
    for (int i = 0; i <= made; i++) is_new &= c->seen[i] != hash;
    if (!is_new) continue;
    c->seen[++made] = hash;
    put(hy_text_string(&c->damaged), what);
  }
  if (made < c->copies) fprintf(stderr, "only %d copies of:\n%s", made, text), exit(1);
  free(c->other);
  c->other = strdup(text);
  hy_arena_free(arena);
}

static void copy_all(campaign *c, hy_text *file) {
  hy_arena *arena = hy_arena_new();
  slice_file read = slice_read(arena, hy_text_string(file), file->length);
  for (int at = -1; (at = slice_next(&read, at + 1)) >= 0;) copy(c, &read, at);
  file->length = 0;
  hy_arena_free(arena);
}

int main(int count, char **args) {
  campaign c = {.copies = count == 3 ? atoi(args[2]) : -1};
  if (c.copies < 0 || c.copies > MOST_COPIES) return fputs("usage: certificate_copies SEED COPIES\n", stderr), 2;
  c.seed = strtoull(args[1], NULL, 10);
  hy_text file = {0};
  char *line = NULL;
  size_t room = 0;
  for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
    if (strcmp(line, "halyard-certificates 2\n") == 0 && file.length) copy_all(&c, &file);
    hy_text_add_bytes(&file, line, (size_t)length);
  }
  if (file.length) copy_all(&c, &file);
  free(line);
  free(c.other);
  hy_text_free(&file);
  hy_text_free(&c.text);
  hy_text_free(&c.damaged);
  return fflush(stdout) || ferror(stdout);
}
