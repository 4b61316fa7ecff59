/* The command halyard-certcheck: hands a file to the reader and its certificates to the judge, and prints what they
 * say; with "--program", of which program of the file these bytes are.
 */

#include "certcheck/certcheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* -- the hash of a program's text: SHA-256 (FIPS 180-4) -- */

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

// The first 32 bits of the fractional parts of the square roots of the first 8 primes, of the cube roots of the
// first 64.
static const uint32_t hash_start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t hash_rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void hash_block(uint32_t hash[8], const unsigned char *block) {
  uint32_t w[64], x[8];
  for (int i = 0; i < 16; i++, block += 4)
    w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(x, hash, sizeof x);
  for (int i = 0; i < 64; i++) {
    uint32_t e = turned(x[4], 6) ^ turned(x[4], 11) ^ turned(x[4], 25), choice = (x[4] & x[5]) ^ (~x[4] & x[6]);
    uint32_t a = turned(x[0], 2) ^ turned(x[0], 13) ^ turned(x[0], 22);
    uint32_t majority = (x[0] & x[1]) ^ (x[0] & x[2]) ^ (x[1] & x[2]);
    uint32_t first = x[7] + e + choice + hash_rounds[i] + w[i];
    memmove(x + 1, x, 7 * sizeof *x);
    x[4] += first;
    x[0] = first + a + majority;
  }
  for (int i = 0; i < 8; i++) hash[i] += x[i];
}

static void hash_text(const char *text, size_t size, char digits[65]) {
  uint32_t hash[8];
  unsigned char last[128] = {0}; // what is left, a bit, zeroes, and the size in bits
  size_t whole = size / 64 * 64, rest = size - whole, end = rest < 56 ? 64 : 128;
  memcpy(hash, hash_start, sizeof hash);
  for (size_t at = 0; at < whole; at += 64) hash_block(hash, (const unsigned char *)text + at);
  memcpy(last, text + whole, rest);
  last[rest] = 0x80;
  for (int i = 0; i < 8; i++) last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t at = 0; at < end; at += 64) hash_block(hash, last + at);
  for (int i = 0; i < 8; i++) snprintf(digits + 8 * i, 9, "%08x", (unsigned)hash[i]);
}

/* -- the command -- */

// All of a file, and a 0 behind it. NULL: it cannot be read, or is larger than 1 GB.
static char *contents(const char *path, size_t *size) {
  *size = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *text = length < 0 || length > 1 << 30 ? NULL : calloc((size_t)length + 1, 1);
  rewind(file);
  if (text) *size = fread(text, 1, (size_t)length, file);
  fclose(file);
  return text;
}

typedef struct {
  bool quiet, timed;
  const char *path, *program; // "program": a target program that the certificates must be about, NULL if not asked
} wishes;

static bool read_wishes(wishes *w, int count, char **args) {
  for (int i = 1; i < count; i++) {
    if (strcmp(args[i], "--quiet") == 0)
      w->quiet = true;
    else if (strcmp(args[i], "--time") == 0)
      w->timed = true;
    else if (strcmp(args[i], "--program") == 0 && i + 1 < count)
      w->program = args[++i];
    else if (args[i][0] != '-' && !w->path)
      w->path = args[i];
    else
      return false;
  }
  return w->path != NULL;
}

// Says which of the programs has these bytes. 0 if one has, 1 if none, 2 if they cannot be read.
static int find_program(const checker *c, const char *path) {
  size_t size;
  char *text = contents(path, &size), hash[65];
  if (!text) {
    fprintf(stderr, "%s: cannot be read, or not enough memory\n", path);
    return 2;
  }
  hash_text(text, size, hash);
  free(text);
  for (int i = 0; i < c->program_count; i++) {
    if (strcmp(c->programs[i].target, hash) != 0) continue;
    printf("%s: its certificates are those of '%s'\n", path, c->programs[i].name);
    return 0;
  }
  printf("%s: no certificate is about it: its hash is %s\n", path, hash);
  return 1;
}

// Judges every certificate. 0 if all are proofs, and of every obligation; a file that claims nothing proves nothing.
static int judge(checker *c, const wishes *w, double reading) {
  clock_t start = clock();
  int accepted = 0, dead = 0, obligations = 0, shown = 0;
  for (int i = 0; i < c->head_count; i++) {
    const certificate *of = &c->certificates[i];
    bool fine = !of->is_open && check(c, i);
    const char *says = of->is_dead ? "accepted, dead" : "accepted";
    accepted += fine;
    dead += fine && of->is_dead;
    if (of->is_open) printf("%s: %s is open (%s: %s)\n", w->path, of->id, of->rule, of->about);
    if (fine && !w->quiet) printf("%s %s (%s: %s)\n", of->id, says, of->rule, of->about);
    if (!fine && !of->is_open)
      printf("%s:%d: %s rejected: %s (%s: %s)\n", w->path, c->place, of->id, c->why, of->rule, of->about);
  }
  for (int i = 0; i < c->program_count; i++) {
    obligations += c->programs[i].obligations;
    shown += c->programs[i].obligations - c->programs[i].open;
  }
  double checking = (double)(clock() - start) / CLOCKS_PER_SEC + 1e-6, all = c->certificate_count;
  printf("%s: %d of %d certificates accepted, %d of them dead; they are about %d of %d obligations\n", w->path,
         accepted, c->certificate_count, dead, shown, obligations);
  if (w->timed)
    printf("read in %.3f ms, checked in %.3f ms: %.0f certificates per second (%.0f with reading)\n", reading * 1e3,
           checking * 1e3, all / checking, all / (reading + checking));
  return accepted > 0 && accepted == c->certificate_count && shown == obligations ? 0 : 1;
}

int main(int count, char **args) {
  wishes w = {.quiet = false};
  if (!read_wishes(&w, count, args)) {
    fputs("usage: halyard-certcheck [--quiet] [--time] [--program FILE.tgt] FILE\n", stderr);
    return 2;
  }
  clock_t start = clock();
  size_t size;
  char *text = contents(w.path, &size);
  checker c = checker_for(size);
  c.arena = text ? calloc(c.size, 1) : NULL;
  int status = 2, other = 0;
  if (!c.arena) {
    fprintf(stderr, "%s: cannot be read, or not enough memory\n", w.path);
  } else {
    read_file(&c, text, size);
    double reading = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (c.why) {
      fprintf(stderr, "%s:%d: %s: nothing in this file counts as proved\n", w.path, c.place, c.why);
    } else {
      if (w.program) other = find_program(&c, w.program);
      status = judge(&c, &w, reading);
    }
  }
  free(c.arena);
  free(text);
  fflush(stdout);
  if (ferror(stdout)) {
    fprintf(stderr, "%s: the verdict cannot be written\n", w.path);
    return 2;
  }
  return status > other ? status : other;
}
