#ifndef HY_PROOFS_TESTS_CERTIFICATE_SLICES_H
#define HY_PROOFS_TESTS_CERTIFICATE_SLICES_H

/* A file of certificates as rows of words, and from it single certificates with the lines that they need, renumbered:
 * small files of their own, to be tampered with.
 */

#include "semantics/base/arena.h"
#include "semantics/base/text.h"

typedef struct slice_row {
  const char **words;
  int count;
} slice_row;

// Rows in this order: lines of the table, "certificate", "facts", "goal", steps, "qed".
typedef struct slice {
  slice_row *rows;
  int count, lines;      // how many rows; lines 1 .. lines are rows 0 .. lines - 1
  int facts, goal, last; // positions of these rows; the steps are from goal + 1 to last - 1
} slice;

// A whole file, without comments and empty lines.
typedef struct slice_file {
  slice_row *rows;
  int count, lines;
  int *positions; // by number of a line: its row
  int *numbers;   // of slice_cut
} slice_file;

// requires: a file that halyard-certcheck reads
slice_file slice_read(hy_arena *arena, const char *text, size_t size);
int slice_next(const slice_file *file, int from); // the next row that begins a certificate, -1 = none
// The certificate that begins in that row.
slice slice_cut(hy_arena *arena, const slice_file *file, int at);

slice slice_copy(hy_arena *arena, const slice *original); // rows may be changed in the copy, words may not
void slice_set_word(hy_arena *arena, slice *s, int row, int word, const char *text); // NULL: takes it out
#define SLICE_HEADER                                                                                                   \
  "halyard-certificates 2\nprogram slice 1 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 - - "      \
  "test\n"
void slice_print(const slice *s, hy_text *out); // the file with this certificate

bool slice_is(const slice_row *row, const char *first_word);
bool slice_is_line(const slice_row *row);
// Does that word name a line of the table? Those inside polynomials do, too, and are not asked for here.
bool slice_is_reference(const slice_row *row, int word);
bool slice_has_polynomials(const slice_row *row);

#endif
