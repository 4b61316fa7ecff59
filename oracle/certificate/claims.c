#include "oracle/certificate/claims.h"

#include <stdio.h>
#include <string.h>

/* -- formulas -- */

struct hy_claimed {
  uint64_t hash;
  const char *op; // with what is no line
  size_t count;
  const hy_claimed *args[3];
};

static bool same_formula(const void *left, const void *right) {
  const hy_claimed *a = left, *b = right;
  if (a->count != b->count || strcmp(a->op, b->op) != 0) return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->args[i] != b->args[i]) return false;
  return true;
}

hy_claim_book hy_claim_book_open(void) { return (hy_claim_book){hy_arena_new(), hy_intern_new(same_formula)}; }

void hy_claim_book_close(hy_claim_book *book) {
  hy_intern_free(book->nodes);
  hy_arena_free(book->arena);
}

static const hy_claimed *intern(hy_claim_book *book, hy_claimed key) {
  key.hash = hy_hash_bytes(key.count, key.op, strlen(key.op));
  for (size_t i = 0; i < key.count; i++) key.hash = hy_hash(key.hash, (uint64_t)(uintptr_t)key.args[i]);
  const hy_claimed *known = hy_intern_find(book->nodes, key.hash, &key);
  if (known) return known;
  hy_claimed *made = HY_NEW(book->arena, hy_claimed);
  *made = key;
  made->op = hy_arena_copy(book->arena, key.op, strlen(key.op));
  hy_intern_add(book->nodes, key.hash, made);
  return made;
}

/* -- the lines of a file -- */

typedef struct taken_apart taken_apart;
typedef struct {
  const char *text;         // behind the number
  const taken_apart *apart; // the same, once it was looked at: each certificate asks anew
  const hy_claimed *value;  // in the certificate that "stamp" counts
  size_t stamp;
} table_line;

typedef struct {
  hy_claim_book *book;
  HY_VEC(table_line) lines; // by number, from 1
  HY_VEC(size_t) waiting;   // lines on the way down
  size_t stamp, unknowns;   // of this certificate
} reader;

static bool is_name(const char *text, size_t length, const char *name) {
  return strncmp(text, name, length) == 0 && !name[length];
}

// What is written there, apart: the operator with its type or mask, and the lines that it names.
struct taken_apart {
  const char *op;
  bool is_named; // an unknown or an atom: itself and nothing else
  size_t lines[3], count;
};

static size_t number_at(const char **at) {
  size_t n = 0;
  for (; **at >= '0' && **at <= '9' && n < SIZE_MAX / 20; ++*at) n = 10 * n + (size_t)(**at - '0');
  return n;
}

// Only proofs have lines that are defined by polynomials; in a formula they stay as they are written.
static const taken_apart *take_apart(hy_arena *arena, const char *text) {
  static const char *const by_lines[] = {"+",   "-",      "*",  "neg", "/",   "%",    "min",  "max",
                                         "abs", "select", "of", "==",  "!=",  "<",    "<=",   ">",
                                         ">=",  "and",    "or", "not", "iff", "cond", "apply"};
  taken_apart t = {.count = 0};
  char op[200];
  size_t length = strcspn(text, " ");
  bool is_wrap = is_name(text, length, "wrap"), is_mask = is_name(text, length, "mask"), has_lines = is_wrap || is_mask;
  t.is_named = is_name(text, length, "unknown") || is_name(text, length, "atom");
  for (size_t i = 0; i < HY_COUNT(by_lines); i++) has_lines |= is_name(text, length, by_lines[i]);
  snprintf(op, sizeof op, "%.*s", has_lines ? (int)length : 160, text);
  for (const char *at = has_lines ? text + length : ""; *at;) {
    while (*at == ' ') at++;
    const char *word = at;
    if (*at == '=' || !*at) break; // "= N": the same unknown, which follows from its definition
    size_t n = number_at(&at);
    bool is_line = at > word && (*at == ' ' || !*at) && t.count < 3 && !(is_mask && t.count == 1);
    while (*at && *at != ' ') at++;
    size_t used = strlen(op);
    if (is_line)
      t.lines[t.count++] = n;
    else
      snprintf(op + used, sizeof op - used, " %.*s", (int)(at - word), word);
  }
  t.op = hy_arena_copy(arena, op, strlen(op));
  taken_apart *kept = HY_NEW(arena, taken_apart);
  *kept = t;
  return kept;
}

// The first line that this one names and that has no value yet; 0 = none. Lines name earlier ones.
static size_t first_unknown(const reader *r, const taken_apart *t, size_t number) {
  for (size_t i = 0; i < t->count; i++)
    if (t->lines[i] > 0 && t->lines[i] < number && r->lines.data[t->lines[i]].stamp != r->stamp) return t->lines[i];
  return 0;
}

static const hy_claimed *build(reader *r, const taken_apart *t, size_t number) {
  hy_claimed key = {.op = t->op, .count = t->count};
  char named[240];
  for (size_t i = 0; i < t->count; i++)
    key.args[i] = t->lines[i] > 0 && t->lines[i] < number ? r->lines.data[t->lines[i]].value : NULL;
  if (t->is_named) {
    snprintf(named, sizeof named, "%s #%zu", t->op, r->unknowns++);
    key.op = named;
  }
  return intern(r->book, key);
}

// Not by recursion: a file may be deep.
static const hy_claimed *formula(reader *r, size_t number) {
  if (number == 0 || number >= r->lines.count) return NULL;
  r->waiting.count = 0;
  hy_vec_push(&r->waiting, number);
  while (r->waiting.count) {
    size_t at = hy_vec_last(&r->waiting);
    table_line *line = &r->lines.data[at];
    if (!line->apart) line->apart = take_apart(r->book->arena, line->text);
    size_t below = line->stamp == r->stamp ? 0 : first_unknown(r, line->apart, at);
    if (below) {
      hy_vec_push(&r->waiting, below);
      continue;
    }
    if (line->stamp != r->stamp) line->value = build(r, line->apart, at), line->stamp = r->stamp;
    r->waiting.count--;
  }
  return r->lines.data[number].value;
}

/* -- rows -- */

// The next word of the row, "" at its end; the row is cut apart.
static char *next_word(char **row) {
  while (**row == ' ') ++*row;
  char *word = *row;
  *row += strcspn(*row, " ");
  if (**row) *(*row)++ = '\0';
  return word;
}

static void read_facts(reader *r, hy_claim *claim, char *row) {
  HY_VEC(const hy_claimed *) facts = {0};
  for (char *word; *(word = next_word(&row));) hy_vec_push(&facts, formula(r, (size_t)strtoul(word, NULL, 10)));
  claim->facts = HY_NEW_ARRAY(r->book->arena, const hy_claimed *, facts.count + 1);
  if (facts.count) memcpy(claim->facts, facts.data, facts.count * sizeof *facts.data);
  claim->fact_count = facts.count;
  hy_vec_free(&facts);
}

static void read_head(reader *r, hy_claims *claims, char *row, bool is_open) {
  hy_claim claim = {.is_open = is_open};
  claim.id = next_word(&row);
  claim.rule = next_word(&row);
  claim.about = row;
  r->stamp++;
  r->unknowns = 0;
  if (claims->programs.count == 0) return;
  hy_claimed_program *of = &hy_vec_last(&claims->programs);
  // Parts of one obligation follow each other; it counts once.
  const hy_claim *before = of->claims.count ? &hy_vec_last(&of->claims) : NULL;
  size_t length = strcspn(claim.id, ".");
  bool again = before && strncmp(before->id, claim.id, length) == 0 && strchr(".", before->id[length]);
  bool open_before = false;
  for (size_t i = of->claims.count; again && i-- > 0 && strncmp(of->claims.data[i].id, claim.id, length) == 0;)
    open_before |= of->claims.data[i].is_open && strchr(".", of->claims.data[i].id[length]);
  claims->open += is_open && !open_before;
  claims->obligations += !again;
  claims->certificates += !is_open;
  hy_vec_push(&of->claims, claim);
}

static void read_program(hy_claims *claims, char *row) {
  hy_claimed_program program = {0};
  program.name = next_word(&row);
  program.obligations = next_word(&row);
  program.target = next_word(&row);
  program.algorithm = next_word(&row);
  program.schedule = next_word(&row);
  hy_vec_push(&claims->programs, program);
}

static hy_claim *last_claim(hy_claims *claims) {
  hy_claimed_program *of = claims->programs.count ? &hy_vec_last(&claims->programs) : NULL;
  return of && of->claims.count ? &hy_vec_last(&of->claims) : NULL;
}

static void read_row(reader *r, hy_claims *claims, char *row) {
  char *word = next_word(&row);
  hy_claim *claim = last_claim(claims);
  if (strcmp(word, "program") == 0) read_program(claims, row);
  if (strcmp(word, "certificate") == 0 || strcmp(word, "open") == 0) read_head(r, claims, row, word[0] == 'o');
  if (strcmp(word, "facts") == 0 && claim) read_facts(r, claim, row);
  if (strcmp(word, "goal") == 0 && claim) claim->goal = formula(r, (size_t)strtoul(row, NULL, 10));
  if (strcmp(word, "dead") == 0 && claim) claim->is_dead = true, claims->dead++;
  if (word[0] >= '1' && word[0] <= '9' && strtoul(word, NULL, 10) == r->lines.count)
    hy_vec_push(&r->lines, (table_line){.text = row});
}

void hy_claims_read(hy_claim_book *book, const char *text, size_t length, hy_claims *claims) {
  *claims = (hy_claims){.certificates = 0};
  reader r = {.book = book, .stamp = 1};
  hy_vec_push(&r.lines, (table_line){.text = ""}); // there is no line 0
  char *copy = hy_arena_copy(book->arena, text, length);
  for (char *at = copy, *row; (row = strsep(&at, "\n"));)
    if (*row != '#') read_row(&r, claims, row);
  hy_vec_free(&r.lines);
  hy_vec_free(&r.waiting);
}

void hy_claims_free(hy_claims *claims) {
  for (size_t i = 0; i < claims->programs.count; i++) hy_vec_free(&claims->programs.data[i].claims);
  hy_vec_free(&claims->programs);
}

const hy_claimed_program *hy_claims_find(const hy_claims *claims, const char *name) {
  for (size_t i = 0; i < claims->programs.count; i++)
    if (strcmp(claims->programs.data[i].name, name) == 0) return &claims->programs.data[i];
  return NULL;
}
