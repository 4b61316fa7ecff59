/* Hostile input: golden files of each kind that Halyard reads (.alg, .sched, .tgt, certificates, cases), damaged at
 * random, are judged or refused: no crash, no defect of our own, within a second of processor time and 256 MB.
 *
 * HALYARD_HOSTILE_SEED and HALYARD_HOSTILE_INPUTS (of each kind) ask for others and more; run_hostile.sh does that.
 * What fails is left in /tmp, and the message says where.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/certcheck/certificate_judge.h"

#include "cli/cli.h"
#include "cli/session/session.h"
#include "engines/generator.h"
#include "semantics/base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { INPUTS = 36, PARTS = 4, MOST_FILES = 128, MOST_SIZE = 1 << 20, MEGABYTES = 256 };
#if defined(HALYARD_SANITIZE_ADDRESS) || defined(HALYARD_SANITIZE_THREAD) || defined(HALYARD_SANITIZE_UNDEFINED)
enum { SLOWER = 40, IS_SANITIZED = 1 };
#else
enum { SLOWER = 10, IS_SANITIZED = 0 }; // of a busy machine whose page faults are slow: three times what was seen
#endif

/* -- the files -- */

typedef enum { ALGORITHM, SCHEDULE, TARGET, CERTIFICATE, CASE, KINDS } kind;
static const struct {
  const char *folder, *ending;
} kinds[KINDS] = {
    {"golden", ".alg"}, {"golden", ".sched"}, {"golden", ".tgt"}, {"golden", ".cert"}, {"cases", ".case"}};

typedef struct {
  char *paths[MOST_FILES];
  int count;
} file_list;

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static file_list list_files(kind k) {
  char folder[256], path[600];
  file_list list = {.count = 0};
  snprintf(folder, sizeof folder, "%s/proofs_tests/%s", HALYARD_SOURCE_DIR, kinds[k].folder);
  DIR *dir = opendir(folder);
  ck_assert_ptr_nonnull(dir);
  for (const struct dirent *entry; (entry = readdir(dir)) && list.count < MOST_FILES;) {
    size_t length = strlen(entry->d_name), ending = strlen(kinds[k].ending);
    if (length <= ending || strcmp(entry->d_name + length - ending, kinds[k].ending) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    list.paths[list.count++] = strdup(path);
  }
  closedir(dir);
  ck_assert_int_gt(list.count, 0);
  qsort(list.paths, (size_t)list.count, sizeof *list.paths, by_name);
  return list;
}

static void free_files(file_list *list) {
  for (int i = 0; i < list->count; i++) free(list->paths[i]);
}

static void read_file(const char *path, hy_text *out) {
  char piece[4096];
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) hy_text_add_bytes(out, piece, got);
  fclose(file);
}

/* -- damage -- */

typedef struct {
  uint64_t random;
  hy_text text;
} damaged;

static size_t draw(damaged *d, size_t below) {
  d->random = hy_splitmix(d->random, 1);
  return below ? (size_t)(d->random % below) : 0;
}

// Puts "count" copies of a stretch of bytes in place of another stretch.
static void put(damaged *d, size_t at, size_t gone, const char *bytes, size_t length, size_t count) {
  hy_text out = {0};
  if (length * count > MOST_SIZE) count = length ? MOST_SIZE / length : 0;
  hy_text_add_bytes(&out, d->text.data, at);
  for (size_t i = 0; i < count; i++) hy_text_add_bytes(&out, bytes, length);
  hy_text_add_bytes(&out, d->text.data + at + gone, d->text.length - at - gone);
  hy_text_free(&d->text);
  d->text = out;
  if (d->text.length > MOST_SIZE) d->text.length = MOST_SIZE;
}

static void flip_byte(damaged *d) {
  char byte = (char)draw(d, 256);
  if (d->text.length) put(d, draw(d, d->text.length), draw(d, 2), &byte, 1, draw(d, 3));
}

// A word, number or sign; its length.
static size_t word_at(const damaged *d, size_t *at) {
  size_t end = *at;
  while (*at > 0 && isalnum((unsigned char)d->text.data[*at - 1])) (*at)--;
  while (end < d->text.length && isalnum((unsigned char)d->text.data[end])) end++;
  return end > *at ? end - *at : 1;
}

static void exchange_word(damaged *d) {
  static const char *const words[] = {"0",
                                      "-1",
                                      "1",
                                      "2147483648",
                                      "9223372036854775807",
                                      "18446744073709551615",
                                      "99999999999999999999999999",
                                      "65536",
                                      "-9223372036854775808",
                                      "1e999",
                                      "(",
                                      ")",
                                      "{",
                                      "}",
                                      ";",
                                      ",",
                                      "/ 0",
                                      "% 0",
                                      "r",
                                      "x",
                                      "f",
                                      "in",
                                      "if",
                                      "rdom",
                                      "parallel",
                                      "vectorized",
                                      "guard",
                                      "by",
                                      "of",
                                      "select(true, 1, 2)",
                                      "f64",
                                      "u64",
                                      "true"};
  if (!d->text.length) return;
  size_t at = draw(d, d->text.length), length = word_at(d, &at);
  const char *word = words[draw(d, HY_COUNT(words))];
  put(d, at, length, word, strlen(word), 1);
}

// Another word of the same file.
static void copy_word(damaged *d) {
  if (!d->text.length) return;
  size_t from = draw(d, d->text.length), length = word_at(d, &from);
  size_t at = draw(d, d->text.length), gone = word_at(d, &at);
  char word[64];
  if (length > sizeof word) return;
  memcpy(word, d->text.data + from, length);
  put(d, at, gone, word, length, 1);
}

static size_t line_at(const damaged *d, size_t *at) {
  size_t end = *at;
  while (*at > 0 && d->text.data[*at - 1] != '\n') (*at)--;
  while (end < d->text.length && d->text.data[end] != '\n') end++;
  return end - *at + (end < d->text.length);
}

// A line or a stretch, lost or many times there.
static void repeat(damaged *d) {
  static const size_t counts[] = {0, 0, 2, 2, 3, 20, 400, 20000};
  if (!d->text.length) return;
  size_t at = draw(d, d->text.length), length;
  if (draw(d, 2)) {
    length = line_at(d, &at);
  } else {
    length = 1 + draw(d, 40);
    if (length > d->text.length - at) length = d->text.length - at;
  }
  char *bytes = malloc(length + 1);
  memcpy(bytes, d->text.data + at, length);
  put(d, at, length, bytes, length, counts[draw(d, HY_COUNT(counts))]);
  free(bytes);
}

// Brackets, signs and names without end.
static void nest(damaged *d) {
  static const char *const bits[] = {"(",       "-",  "!",  "{",      "[",        "select(",
                                     "1+",      "x*", "f(", "let ",   "a",        "9",
                                     "if (1) ", "/*", "\n", "min(1,", "0 + (1 -", "min(x, y) + "};
  const char *bit = bits[draw(d, HY_COUNT(bits))];
  static const size_t counts[] = {60, 300, 5000, 100000};
  put(d, draw(d, d->text.length), 0, bit, strlen(bit), counts[draw(d, HY_COUNT(counts))]);
}

static void cut(damaged *d) { d->text.length = draw(d, d->text.length + 1); }

// The front of one file and the end of another.
static void cross(damaged *d, const file_list *files) {
  hy_text other = {0};
  read_file(files->paths[draw(d, (size_t)files->count)], &other);
  size_t at = draw(d, d->text.length), from = draw(d, other.length);
  if (other.length) put(d, at, d->text.length - at, other.data + from, other.length - from, 1);
  hy_text_free(&other);
}

static void damage(damaged *d, const file_list *files) {
  for (size_t times = 1 + draw(d, 4); times > 0; times--) switch (draw(d, 12)) {
    case 0: flip_byte(d); break;
    case 1: nest(d); break;
    case 2: cut(d); break;
    case 3: cross(d, files); break;
    case 4:
    case 5: repeat(d); break;
    case 6:
    case 7:
    case 8: copy_word(d); break;
    default: exchange_word(d);
    }
}

/* -- judged or refused, in a process of its own -- */

// The algorithm of a schedule: the file of that name.
static bool algorithm_of(const char *schedule, char *path, size_t room) {
  snprintf(path, room, "%.*s.alg", (int)(strlen(schedule) - strlen(".sched")), schedule);
  return access(path, R_OK) == 0;
}

_Noreturn static void read_in_child(kind k, const char *source, const char *path, const hy_text *text) {
  char alg[600];
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || (!IS_SANITIZED && dup2(nowhere, STDERR_FILENO) < 0)) _exit(99);
  setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = SLOWER}}, NULL);
  if (k == CERTIFICATE) {
    judge_certificates(hy_text_string(text), text->length);
    _exit(0);
  }
  const char *check[] = {"halyard", "check", path, NULL, NULL}, *replay[] = {"halyard", "replay", path, NULL};
  if (k == SCHEDULE) {
    if (!algorithm_of(source, alg, sizeof alg)) _exit(0);
    check[2] = alg, check[3] = path;
  }
  int status =
      k == CASE ? hy_cli(3, (char **)(uintptr_t)replay) : hy_cli(k == SCHEDULE ? 4 : 3, (char **)(uintptr_t)check);
  fflush(NULL);
  _exit(status);
}

static int seen[8];
static const char *what_is_wrong(int status, const struct rusage *used) {
  static char text[128];
  double seconds = (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                   (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) * 1e-6;
  seen[WIFSIGNALED(status) ? 7 : WEXITSTATUS(status) & 7]++;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    snprintf(text, sizeof text, "no end after %d s of processor time", SLOWER);
  else if (WIFSIGNALED(status))
    snprintf(text, sizeof text, "signal %d", WTERMSIG(status));
  else if (WEXITSTATUS(status) > 3)
    snprintf(text, sizeof text, "status %d", WEXITSTATUS(status));
  else if (!IS_SANITIZED && used->ru_maxrss > MEGABYTES * 1024)
    snprintf(text, sizeof text, "%ld MB of memory", used->ru_maxrss / 1024);
  else if (seconds > SLOWER)
    snprintf(text, sizeof text, "%.1f s of processor time", seconds);
  else
    return NULL;
  return text;
}

// Writes the text into a file of its own, and has it read; "origin" says what it is.
static void judge(kind k, const char *source, const hy_text *text, const char *origin) {
  char path[128];
  static int number;
  snprintf(path, sizeof path, "/tmp/hostile-%d-%d%s", (int)getpid(), number++, kinds[k].ending);
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  if (text->length) fwrite(text->data, 1, text->length, file);
  ck_assert_int_eq(fclose(file), 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) read_in_child(k, source, path, text);
  int status = 0;
  struct rusage used;
  ck_assert_int_eq(wait4(child, &status, 0, &used), child);
  const char *wrong = what_is_wrong(status, &used);
  ck_assert_msg(!wrong, "%s: %s: %s", origin, path, wrong ? wrong : "");
  unlink(path);
}

static void try_input(kind k, uint64_t seed, int number, const file_list *files) {
  char origin[800];
  damaged d = {.random = hy_splitmix(seed, (uint64_t)number * KINDS + k)};
  const char *source = files->paths[draw(&d, (size_t)files->count)];
  read_file(source, &d.text);
  damage(&d, files);
  snprintf(origin, sizeof origin, "seed %llu, number %d, made of %s", (unsigned long long)seed, number, source);
  judge(k, source, &d.text, origin);
  hy_text_free(&d.text);
}

static uint64_t asked(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

START_TEST(damaged_files_are_judged_or_refused) {
  kind k = (kind)(_i / PARTS);
  uint64_t seed = asked("HALYARD_HOSTILE_SEED", 1);
  int inputs = (int)asked("HALYARD_HOSTILE_INPUTS", INPUTS);
  file_list files = list_files(k);
  for (int i = _i % PARTS; i < inputs; i += PARTS) try_input(k, seed, i, &files);
  if (getenv("HALYARD_HOSTILE_INPUTS"))
    printf("%s: fine %d, wrong %d, usage %d, undecided %d\n", kinds[k].ending, seen[0], seen[1], seen[2], seen[3]);
  free_files(&files);
}
END_TEST

// Hundreds of obligations about powers of one number, some of which overflow: some are refuted, and none of the others
// is worth a search then. It took 28 s.
START_TEST(powers_that_overflow) {
  hy_text text = {0};
  hy_text_add(&text,
              "pipeline p(n: int, m: int) {\n  fun f(x) = x * x;\n  fun g(x) = f(clamp((x + 7 % n) / m, 0, 9)) + "
              "f(select(n == 0, ");
  for (int i = 0; i < 60; i++) hy_text_add(&text, "x*");
  hy_text_add(&text, "1, clamp(10 / n, -3, 3)));\n}\n");
  judge(ALGORITHM, "", &text, "powers");
  hy_text_free(&text);
}
END_TEST

Suite *hostile_input_suite(void) {
  Suite *suite = suite_create("hostile_input");
  TCase *t = tcase_create("damaged");
  tcase_set_timeout(t, 100000); // processor time is what counts
  tcase_add_loop_test(t, damaged_files_are_judged_or_refused, 0, KINDS * PARTS);
  tcase_add_test(t, powers_that_overflow);
  suite_add_tcase(suite, t);
  return suite;
}
