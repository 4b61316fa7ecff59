/* Files that are no proofs: by hand (certificate_cases.txt says what must become of each), and tampered with at random.
 * Whatever the file, halyard-certcheck judges it and does no more; what it accepts claims something true.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/certcheck/certificate_judge.h"
#include "proofs_tests/unit/certcheck/certificate_programs.h"
#include "proofs_tests/unit/certcheck/certificate_statement.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include "oracle/certificate/certificates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- by hand -- */

static char *read_cases(void) {
  FILE *file = fopen(HALYARD_SOURCE_DIR "/proofs_tests/unit/certcheck/certificate_cases.txt", "rb");
  ck_assert_ptr_nonnull(file);
  enum { ROOM = 1 << 18 };
  char *text = calloc(1, ROOM);
  size_t size = fread(text, 1, ROOM - 1, file);
  fclose(file);
  ck_assert_uint_lt(size, ROOM - 1);
  return text;
}

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEADER "halyard-certificates 2\nprogram t %d " HASH " - - by hand\n"
#define TABLE                                                                                                          \
  "1 unknown int x\n2 int 0\n3 <= 2 1\n4 < 2 1\n5 or 3 4\n6 false\n7 min 1 2\n"                                        \
  "8 int -170141183460469231731687303715884105728\n"

static void add_programs(hy_text *out, int count) {
  hy_text_add(out, "halyard-certificates 2\n");
  for (int i = 1; i <= count; i++) hy_text_printf(out, "program t%d 0 " HASH " - - by hand\n", i);
}

// "count" proofs, each with the square of a sum of "most" unknowns that it does not need.
static void add_squares(hy_text *out, int count, int most) {
  hy_text_printf(out, HEADER, count);
  for (int i = 1; i <= most; i++) hy_text_printf(out, "%d unknown int x%d\n", i, i);
  hy_text_printf(out, "%d int 0\n%d <= %d %d\n", most + 1, most + 2, most + 1, most + 1);
  for (int i = 1; i <= count; i++) {
    hy_text_printf(out, "certificate t/%d b c\ngoal %d\ng\ns (0", i, most + 2);
    for (int k = most; k >= 1; k--) hy_text_printf(out, " 1*%d", k);
    hy_text_add(out, ")\n. 0\nqed\n");
  }
  hy_text_printf(out, "end %d\n", count);
}

static void add_line(hy_text *out, const char *line) {
  int count, most;
  if (strcmp(line, "%table") == 0)
    hy_text_printf(out, HEADER TABLE, 1);
  else if (strcmp(line, "%proof") == 0)
    hy_text_printf(out, HEADER TABLE "certificate t/1 b c\nfacts 3\ngoal 4\n", 1);
  else if (strncmp(line, "%header ", 8) == 0)
    hy_text_printf(out, HEADER, atoi(line + 8));
  else if (strncmp(line, "%programs ", 10) == 0)
    add_programs(out, atoi(line + 10));
  else if (sscanf(line, "%%squares %d %d", &count, &most) == 2)
    add_squares(out, count, most);
  else if (strcmp(line, "%end") == 0)
    hy_text_add(out, "qed\nend 1\n");
  else if (strncmp(line, "%empty ", 7) == 0)
    for (int i = atoi(line + 7); i > 0; i--) hy_text_add(out, "\n");
  else
    hy_text_printf(out, "%s\n", line);
}

typedef void see_case(void *self, const char *verdict, const hy_text *text);

static int each_case(see_case *see, void *self) {
  char *cases = read_cases(), *rest = cases, *verdict = NULL;
  hy_text text = {0};
  int count = 0;
  for (char *line; (line = strsep(&rest, "\n"));) {
    bool begins = strncmp(line, "== ", 3) == 0;
    if ((begins || !rest) && verdict) see(self, verdict, &text), count++;
    if (begins) verdict = line + 3, text.length = 0;
    if (!begins && verdict && rest) add_line(&text, line);
  }
  hy_text_free(&text);
  free(cases);
  return count;
}

static void judge_case(void *self, const char *verdict, const hy_text *text) {
  judgement j = judge_certificates(hy_text_string(text), text->length);
  bool all = j.accepted == j.count && j.count && !j.open;
  const char *is = j.malformed ? "malformed" : all ? "accepted" : "rejected";
  const char *reason = strchr(verdict, ':');
  int length = reason ? (int)(reason - verdict) : (int)strlen(verdict);
  ck_assert_msg((int)strlen(is) == length && strncmp(is, verdict, (size_t)length) == 0, "%s, not %s:\n%s", is, verdict,
                hy_text_string(text));
  bool has_reason = !reason || !j.why || strstr(j.why, reason + 2); // sums are not said here
  ck_assert_msg(has_reason || j.malformed, "%s, not %s:\n%s", j.why, verdict, hy_text_string(text));
  ck_assert_msg(!j.malformed || strstr(j.why, reason + 2), "%s, not %s:\n%s", j.why, verdict, hy_text_string(text));
  ++*(int *)self;
}

START_TEST(by_hand) {
  int count = 0;
  ck_assert_int_eq(each_case(judge_case, &count), count);
  ck_assert_int_gt(count, 200);
}
END_TEST

/* -- at random -- */

enum { MAX_SEEDS = 1000, MAX_CLAIMS = 4000 };

typedef struct {
  char *texts[MAX_SEEDS];
  size_t sizes[MAX_SEEDS];
  int count;
} seeds;

static void add_seed(seeds *s, const char *text, size_t size) {
  ck_assert_int_lt(s->count, MAX_SEEDS);
  s->texts[s->count] = hy_allocate(size + 1);
  memcpy(s->texts[s->count], text, size);
  s->texts[s->count][size] = '\0';
  s->sizes[s->count++] = size;
}

static void seed_case(void *self, const char *verdict, const hy_text *text) {
  (void)verdict;
  if (text->length > 0 && text->length < 4000) add_seed(self, hy_text_string(text), text->length);
}

static void seed_goal(void *self, const char *text, size_t size) { add_seed(self, text, size); }

static void collect_seeds(seeds *s) {
  certificate_each_goal(seed_goal, s);
  each_case(seed_case, s);
}

// The word at a random place of the text, rather of the proof than of the table.
static size_t word_at(const char *text, size_t size, uint64_t *seed, size_t *length) {
  const char *goal = questions_random(seed) % 4 ? memmem(text, size, "\ngoal", 5) : NULL;
  size_t from = goal ? (size_t)(goal - text) : 0, at = from + questions_random(seed) % (size - from);
  while (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n') at--;
  *length = strcspn(text + at, " \n");
  return at;
}

static void replace(hy_text *text, size_t at, size_t length, const char *by, size_t by_length) {
  hy_text changed = {0};
  if (length > text->length - at) length = text->length - at;
  hy_text_add_bytes(&changed, hy_text_string(text), at);
  hy_text_add_bytes(&changed, by, by_length);
  hy_text_add_bytes(&changed, hy_text_string(text) + at + length, text->length - at - length);
  hy_text_free(text);
  *text = changed;
}

static void tamper_word(hy_text *text, const char *other, size_t other_size, uint64_t *seed) {
  static const char *const words[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "=",
                                      "u",
                                      "l",
                                      ".",
                                      "g",
                                      "(0)",
                                      "q",
                                      "true",
                                      "unknown",
                                      "int",
                                      "170141183460469231731687303715884105727",
                                      "-170141183460469231731687303715884105728",
                                      "4294967297",
                                      "9999999999"};
  size_t length, other_length, at = word_at(text->data, text->length, seed, &length);
  size_t from = word_at(other, other_size, seed, &other_length);
  const char *word = words[questions_random(seed) % HY_COUNT(words)];
  char number[32];
  snprintf(number, sizeof number, "%lld", atoll(text->data + at) % 1000000 + (questions_random(seed) % 2 ? 1 : -1));
  switch (questions_random(seed) % 8) {
  case 0: replace(text, at, length, word, strlen(word)); break;
  case 1: replace(text, at, length, other + from, other_length); break;
  case 2: replace(text, at, length ? length + 1 : 0, "", 0); break;
  default: replace(text, at, length, number, strlen(number));
  }
}

// A line taken out, or said twice, or one of another file put in.
static void tamper_line(hy_text *text, const char *other, size_t other_size, uint64_t *seed) {
  size_t at = questions_random(seed) % text->length, from = questions_random(seed) % other_size;
  while (at > 0 && text->data[at - 1] != '\n') at--;
  while (from > 0 && other[from - 1] != '\n') from--;
  size_t length = strcspn(text->data + at, "\n") + 1, other_length = strcspn(other + from, "\n") + 1;
  char *copy = strndup(text->data + at, length);
  switch (questions_random(seed) % 3) {
  case 0: replace(text, at, length, "", 0); break;
  case 1: replace(text, at, 0, copy, length); break;
  default: replace(text, at, 0, other + from, other_length);
  }
  free(copy);
}

static void tamper(hy_text *text, const seeds *s, uint64_t *seed) {
  int other = (int)(questions_random(seed) % (uint64_t)s->count);
  for (uint64_t times = 1 + questions_random(seed) % 6 / 4; times > 0 && text->length > 0; times--) {
    uint64_t how = questions_random(seed) % 16;
    if (how < 2)
      text->data[questions_random(seed) % text->length] = (char)questions_random(seed);
    else if (how == 2)
      text->length = questions_random(seed) % text->length;
    else if (how < 13)
      tamper_word(text, s->texts[other], s->sizes[other], seed);
    else
      tamper_line(text, s->texts[other], s->sizes[other], seed);
  }
}

static void ask(hy_arena *arena, statements *all, const hy_text *text) {
  slice_file file = slice_read(arena, hy_text_string(text), text->length);
  for (int at = -1; (at = slice_next(&file, at + 1)) >= 0 && all->count < MAX_CLAIMS;) {
    slice one = slice_cut(arena, &file, at);
    if (!statement_has_floats(arena, &one)) statements_add(arena, all, &one);
  }
}

// For another judge, with the verdict in the second line (proofs_tests/check_coq.sh).
static void add_to_bundle(FILE *bundle, const judgement *j, const hy_text *text) {
  static const char header[] = "halyard-certificates 2\n";
  size_t length = sizeof header - 1;
  if (!bundle || text->length < length || memcmp(text->data, header, length) != 0) return;
  if (memmem(text->data + 1, text->length - 1, header, length)) return; // two files in one
  bool fine = !j->malformed && j->count > 0 && j->accepted == j->count && !j->open;
  fprintf(bundle, "%s# %s: %s\n", header, fine ? "accepted" : "rejected", fine ? "" : j->why ? j->why : "");
  fwrite(text->data + length, 1, text->length - length, bundle);
  if (text->data[text->length - 1] != '\n') fputs("\n# its last line had no end\nunended", bundle), fputc('\n', bundle);
}

// HALYARD_FILES in the environment: how many files to try.
START_TEST(at_random) {
  const char *wanted = getenv("HALYARD_FILES");
  int files = wanted ? atoi(wanted) : 12000, accepted = 0, malformed = 0, unknown = 0;
  seeds s = {.count = 0};
  collect_seeds(&s);
  uint64_t seed = 9;
  statements claims = {.count = 0};
  hy_arena *arena = hy_arena_new();
  const char *into = getenv("HALYARD_TAMPERED"); // a directory
  char path[512];
  snprintf(path, sizeof path, "%s/files", into ? into : "");
  FILE *bundle = into ? fopen(path, "wb") : NULL;
  for (int i = 0; i < files; i++) {
    int from = (int)(questions_random(&seed) % (uint64_t)s.count);
    hy_text text = {0};
    hy_text_add_bytes(&text, s.texts[from], s.sizes[from]);
    if (text.length) tamper(&text, &s, &seed);
    judgement j = judge_certificates(hy_text_string(&text), text.length);
    bool fine = !j.malformed && j.count > 0 && j.accepted == j.count;
    bool is_other = text.length != s.sizes[from] || memcmp(text.data, s.texts[from], text.length) != 0;
    accepted += fine, malformed += j.malformed;
    add_to_bundle(bundle, &j, &text);
    if (fine && is_other) ask(arena, &claims, &text);
    hy_text_free(&text);
  }
  if (bundle) fclose(bundle);
  hy_answer answers[MAX_CLAIMS];
  bool asked = claims.count && statements_ask(&claims, answers);
  for (int i = 0; asked && i < claims.count; i++) {
    ck_assert_msg(answers[i] != HY_NO, "claim %d of the accepted files is false", i);
    unknown += answers[i] == HY_UNKNOWN;
  }
  printf("%d files: %d malformed, %d accepted; of %d claims Z3 %s %d not\n", files, malformed, accepted, claims.count,
         asked ? "decided all, true, but" : "was not asked about", unknown);
  ck_assert_int_gt(accepted, files / 150);
  ck_assert_int_le(unknown * 20, claims.count);
  for (int i = 0; i < s.count; i++) free(s.texts[i]);
  statements_free(&claims);
  hy_arena_free(arena);
}
END_TEST

Suite *certificate_files_suite(void) {
  Suite *suite = suite_create("certificate_files");
  TCase *t = tcase_create("certificate_files");
  tcase_set_timeout(t, 600);
  tcase_add_test(t, by_hand);
  tcase_add_test(t, at_random);
  suite_add_tcase(suite, t);
  return suite;
}
