/* certificate_verdicts <BUNDLE: what halyard-certcheck says of each of the files of certificates that come in one
 * behind the other, one line for each, as "halyard-certcheck-coq --each -" writes it. It is built of certcheck/, or of
 * a copy with a fault (proofs_tests/coq/coq_mutants.sh), and nothing else.
 */

#include "certcheck/certcheck.c"
#include "certcheck/floats.c"
#include "certcheck/reader.c"

#include <stdio.h>

// Is every certificate a proof, and of every obligation? The first reason why not in c->why and c->place.
static bool is_proved(checker *c) {
  const char *why = NULL;
  int accepted = 0, place = 0;
  for (int i = 0; i < c->head_count; i++) {
    if (c->certificates[i].is_open) continue;
    accepted += check(c, i);
    if (!c->why || why) continue;
    why = c->why;
    place = c->place;
  }
  bool all_shown = accepted > 0 && accepted == c->certificate_count;
  for (int i = 0; i < c->program_count; i++) all_shown &= c->programs[i].open == 0;
  c->why = why ? why : "an obligation is open, or there is none";
  c->place = place;
  return all_shown;
}

static void say(char *text, size_t size) {
  static char kept[1 << 22]; // most files are small
  static size_t dirty;       // zeroes from there on
  checker c = checker_for(size);
  bool is_small = c.size <= sizeof kept;
  c.arena = is_small ? kept : calloc(c.size, 1);
  if (is_small) c.dirty = dirty;
  read_file(&c, text, size);
  if (c.why)
    printf("malformed %d: %s\n", c.place, c.why);
  else if (is_proved(&c))
    printf("accepted\n");
  else
    printf("rejected %d: %s\n", c.place, c.why);
  if (is_small)
    dirty = c.dirty;
  else
    free(c.arena);
}

int main(void) {
  static char line[1 << 20];
  char *text = NULL;
  size_t length = 0, room = 0;
  while (fgets(line, sizeof line, stdin)) {
    size_t more = strlen(line);
    bool is_next = length && strcmp(line, "halyard-certificates 2\n") == 0;
    if (is_next) say(text, length);
    if (is_next) length = 0;
    if (length + more >= room) {
      room = 2 * (length + more) + 65536;
      text = realloc(text, room);
    }
    memcpy(text + length, line, more + 1);
    length += more;
  }
  if (length) say(text, length);
  free(text);
  return 0;
}
