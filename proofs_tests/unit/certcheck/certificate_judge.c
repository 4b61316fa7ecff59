#include "certcheck/certcheck.c"
#include "certcheck/floats.c"
#include "certcheck/reader.c"

#include "proofs_tests/unit/certcheck/certificate_judge.h"

// A checker's arena, kept from one file to the next: most use a small part of theirs, and clearing it all takes as long
// as the judging. What was used before is cleared as it is used again.
static struct {
  char *room;
  size_t size, dirty;
} kept;

static void give_arena(checker *c) {
  if (c->size > kept.size) {
    free(kept.room);
    kept.room = calloc(c->size, 1);
    kept.size = c->size, kept.dirty = 0;
  }
  c->arena = kept.room;
  c->dirty = kept.dirty;
}

judgement judge_certificates(const char *text, size_t size) {
  char *copy = malloc(size + 1);
  memcpy(copy, text, size);
  copy[size] = '\0';
  checker c = checker_for(size);
  give_arena(&c);
  read_file(&c, copy, size);
  judgement j = {.malformed = c.why != NULL, .why = c.why, .place = c.place, .count = c.certificate_count};
  for (int i = 0; i < c.program_count; i++) j.open += c.programs[i].open;
  for (int i = 0; i < c.head_count && !j.malformed; i++) {
    if (c.certificates[i].is_open) continue;
    if (check(&c, i)) {
      j.accepted++;
    } else {
      j.why = c.why;
      j.place = c.place;
    }
  }
  kept.dirty = c.dirty;
  free(copy);
  return j;
}

bool judge_accepts(const char *text, size_t size) {
  judgement j = judge_certificates(text, size);
  return !j.malformed && j.count == 1 && j.accepted == 1;
}
