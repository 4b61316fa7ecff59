/* Tampered certificates: those of every program, and of the goals of the prover's suite, changed in at least ten
 * different ways. Of a program that has many they are taken evenly (HALYARD_TAMPER=all takes each: many minutes).
 * Either halyard-certcheck rejects what was tampered with or it is harmless for a reason that is checked:
 *
 *   the same claim   the tampered steps prove what the certificate proved before
 *   a true claim     facts or goal are others, and the goal does follow from the facts that are used: Z3 says so, too
 *
 * And what a proof says, it needs: of all its summands, and all its steps, that are taken away one by one, hardly one
 * is not missed.
 */

#include "proofs_tests/suites.h"
#include "proofs_tests/unit/certcheck/certificate_judge.h"
#include "proofs_tests/unit/certcheck/certificate_mutants.h"
#include "proofs_tests/unit/certcheck/certificate_programs.h"
#include "proofs_tests/unit/certcheck/certificate_statement.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include "oracle/certificate/certificates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WANTED = 10, ROUNDS = 8, PLACES = 4, TABLE = 1 << 14, MOST_CLAIMS = 16000, MOST = 30 };

typedef struct {
  int certificates, mutants, rejected, same, true_claims, undecided;
  int tried_by[MUTATIONS], accepted_by[MUTATIONS];
  int said[MUTATIONS], not_missed[MUTATIONS]; // of MUTATE_DROP_SUMMAND and MUTATE_EMPTY_STEP, one by one
  uint64_t seed;
  hy_arena *claims;               // lives as long as the tally
  const char *known[TABLE];       // claims that were accepted, by hash
  const char *asked[MOST_CLAIMS]; // the tampered files that claim them
  statements questions;
  FILE *bundle; // of all mutants with their verdicts, for another judge; NULL if none is asked for
} tally;

static uint64_t hash_of(const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

static bool is_new_claim(tally *t, const char *claim) {
  uint64_t at = hash_of(claim);
  for (; t->known[at % TABLE]; at++)
    if (strcmp(t->known[at % TABLE], claim) == 0) return false;
  t->known[at % TABLE] = hy_arena_copy(t->claims, claim, strlen(claim));
  return true;
}

static void count_accepted(tally *t, hy_arena *arena, const slice *original, const slice *mutant, const char *text) {
  const char *claim = statement_spell(arena, mutant);
  if (strcmp(claim, statement_spell(arena, original)) == 0) {
    t->same++;
    return;
  }
  t->true_claims++; // unless Z3 objects
  if (!is_new_claim(t, claim) || statement_has_floats(arena, mutant)) return;
  ck_assert_int_lt(t->questions.count, MOST_CLAIMS);
  t->asked[t->questions.count] = hy_arena_copy(t->claims, text, strlen(text));
  statements_add(arena, &t->questions, mutant);
}

static void add_to_bundle(tally *t, const judgement *j, const hy_text *text) {
  bool accepted = !j->malformed && j->count == 1 && j->accepted == 1;
  const char *rest = strchr(hy_text_string(text), '\n') + 1, *verdict = j->malformed ? "malformed" : "rejected";
  fprintf(t->bundle, "halyard-certificates 2\n# %s: %s\n%s", accepted ? "accepted" : verdict, accepted ? "" : j->why,
          rest);
}

static void judge_mutant(tally *t, hy_arena *arena, mutation m, const slice *original, const slice *mutant,
                         const hy_text *text) {
  t->mutants++;
  t->tried_by[m]++;
  judgement j = judge_certificates(hy_text_string(text), text->length);
  bool accepted = !j.malformed && j.count == 1 && j.accepted == 1;
  if (t->bundle) add_to_bundle(t, &j, text);
  if (!accepted) {
    t->rejected++;
    return;
  }
  t->accepted_by[m]++;
  count_accepted(t, arena, original, mutant, hy_text_string(text));
}

static const mutation taking_away[] = {MUTATE_DROP_SUMMAND, MUTATE_EMPTY_STEP};

static void take_away_at(tally *t, mutation m, const slice *original, int place) {
  hy_arena *arena = hy_arena_new();
  hy_text text = {0};
  slice mutant;
  ck_assert(mutation_apply_at(m, arena, original, place, &mutant));
  slice_print(&mutant, &text);
  judgement j = judge_certificates(hy_text_string(&text), text.length);
  t->said[m]++;
  t->not_missed[m] += !j.malformed && j.count == 1 && j.accepted == 1;
  hy_text_free(&text);
  hy_arena_free(arena);
}

// Everywhere in a short proof, and at every so manieth place of a long one.
static void take_away(tally *t, const slice *original) {
  for (size_t i = 0; i < HY_COUNT(taking_away); i++) {
    int places = mutation_places(taking_away[i], original);
    for (int place = 0; place < places; place += 1 + places / PLACES) take_away_at(t, taking_away[i], original, place);
  }
}

// Rounds of all mutations until there were enough different ones.
static void mutate(tally *t, hy_arena *arena, const slice *original) {
  uint64_t seen[MUTATIONS * ROUNDS];
  int different = 0;
  hy_text text = {0};
  slice_print(original, &text);
  judgement j = judge_certificates(hy_text_string(&text), text.length);
  ck_assert_msg(j.accepted == 1 && j.count == 1, "rejected by itself:\n%s", hy_text_string(&text));
  if (t->bundle) add_to_bundle(t, &j, &text);
  uint64_t before = hash_of(hy_text_string(&text));
  t->certificates++;
  for (int round = 0; round < ROUNDS && (round == 0 || different < WANTED); round++)
    for (int m = 0; m < MUTATIONS; m++) {
      slice mutant;
      if (!mutation_apply((mutation)m, arena, original, &t->seed, &mutant)) continue;
      text.length = 0;
      slice_print(&mutant, &text);
      uint64_t hash = hash_of(hy_text_string(&text));
      bool is_new = hash != before;
      for (int i = 0; i < different && is_new; i++) is_new = seen[i] != hash;
      if (!is_new) continue;
      seen[different++] = hash;
      judge_mutant(t, arena, (mutation)m, original, &mutant, &text);
    }
  slice_print(original, &text);
  ck_assert_msg(different >= WANTED, "only %d different mutants of %s", different, hy_text_string(&text));
  hy_text_free(&text);
}

static void ask_about_claims(tally *t, const char *what) {
  hy_answer answers[MOST_CLAIMS];
  if (!t->questions.count) return;
  if (!statements_ask(&t->questions, answers)) {
    printf("%s: %d claims of tampered certificates not cross-checked: no z3\n", what, t->questions.count);
    return;
  }
  for (int i = 0; i < t->questions.count; i++) {
    ck_assert_msg(answers[i] != HY_NO, "%s: accepted, but false:\n%s", what, t->asked[i]);
    t->undecided += answers[i] == HY_UNKNOWN;
  }
  // Products of three lengths are beyond Z3: they are what this program is about (D68).
  int hard = strcmp(what, "fuse_three.sched") == 0 ? 2 : 0;
  ck_assert_msg((t->undecided - hard) * 50 <= t->questions.count + 49, "%s: %d of %d claims are not decided", what,
                t->undecided, t->questions.count);
}

static tally *start(uint64_t seed) {
  tally *t = hy_allocate_zeroed(1, sizeof *t);
  t->seed = seed;
  t->claims = hy_arena_new();
  const char *into = getenv("HALYARD_TAMPERED"); // a directory: see proofs_tests/check_coq.sh
  char path[512];
  snprintf(path, sizeof path, "%s/%" PRIu64, into ? into : "", seed);
  t->bundle = into ? fopen(path, "wb") : NULL;
  return t;
}

static void forget(tally *t) {
  statements_free(&t->questions);
  if (t->bundle) fclose(t->bundle);
  hy_arena_free(t->claims);
  free(t);
}

static bool are_missed(const tally *t) {
  bool are = true;
  for (size_t i = 0; i < HY_COUNT(taking_away); i++)
    are &= t->not_missed[taking_away[i]] * 50 <= t->said[taking_away[i]];
  return are;
}

// Of all programs together, from each what its sample says: where all places of one are asked, it alone would decide.
static struct { int said, not_missed; } * whole;

static void add_to_whole(const tally *t) {
  for (size_t i = 0; i < HY_COUNT(taking_away); i++) {
    __atomic_fetch_add(&whole->not_missed, t->not_missed[taking_away[i]], __ATOMIC_RELAXED);
    __atomic_fetch_add(&whole->said, t->said[taking_away[i]], __ATOMIC_RELAXED);
  }
}

static void finish(tally *t, const char *what) {
  ask_about_claims(t, what);
  printf("%s: %d certificates, %d mutants: %d rejected, %d prove the same claim, %d a true one (%d different, asked of "
         "Z3: %d not decided)\n",
         what, t->certificates, t->mutants, t->rejected, t->same, t->true_claims, t->questions.count, t->undecided);
  if (getenv("HALYARD_MUTATIONS"))
    for (int m = 0; m < MUTATIONS; m++)
      printf("  %-22s %6d, accepted %d\n", mutation_name((mutation)m), t->tried_by[m], t->accepted_by[m]);
  ck_assert_int_ge(t->mutants, WANTED * t->certificates);
  ck_assert_int_ge(t->rejected * 100, t->mutants * 75);
  for (size_t i = 0; i < HY_COUNT(taking_away); i++) {
    mutation m = taking_away[i];
    ck_assert_msg(t->not_missed[m] * 50 <= t->said[m], "%s: '%s' is accepted at %d of %d places", what,
                  mutation_name(m), t->not_missed[m], t->said[m]);
  }
  ck_assert_int_eq(t->accepted_by[MUTATE_LAST_STEP], 0);
  forget(t);
}

// Every so manieth certificate of a file, the first one among them.
static void mutate_file(tally *t, const char *text, size_t size, size_t every) {
  hy_arena *arena = hy_arena_new();
  slice_file file = slice_read(arena, text, size);
  size_t number = 0;
  for (int at = -1; (at = slice_next(&file, at + 1)) >= 0;) {
    if (number++ % every) continue;
    hy_arena *own = hy_arena_new();
    slice one = slice_cut(own, &file, at);
    mutate(t, own, &one);
    take_away(t, &one);
    hy_arena_free(own);
  }
  hy_arena_free(arena);
}

START_TEST(mutants_of_programs) {
  program_certificates p = certificate_program((size_t)_i, false);
  const char *wanted = getenv("HALYARD_TAMPER");
  size_t every = wanted && strcmp(wanted, "all") == 0 ? 1 : 1 + p.certificates / MOST;
  char room[64];
  const char *name = certificate_program_name((size_t)_i, room);
  tally *t = start(hy_hash_bytes(11, name, strlen(name))); // not its place among them: programs are added
  mutate_file(t, p.text, p.size, every);
  add_to_whole(t);
  if (every > 1 && !are_missed(t)) { // of ninety places two are more than two percent: then all of them are asked
    forget(t);
    every = 1;
    t = start(hy_hash_bytes(11, name, strlen(name)));
    mutate_file(t, p.text, p.size, every);
  }
  ck_assert_int_eq(t->certificates, (int)((p.certificates + every - 1) / every));
  finish(t, name);
  free(p.text);
}
END_TEST

static void mutate_goal(void *self, const char *text, size_t size) { mutate_file(self, text, size, 1); }

START_TEST(mutants_of_goals) {
  tally *t = start(3);
  certificate_each_goal(mutate_goal, t);
  add_to_whole(t);
  finish(t, "goals");
}
END_TEST

// Steps that a proof does not need are rare.
START_TEST(few_steps_are_not_missed) {
  printf("taken away without being missed: %d of %d places\n", whole->not_missed, whole->said);
  ck_assert_msg(whole->not_missed * 1000 <= whole->said, "%d of %d places", whole->not_missed, whole->said);
}
END_TEST

Suite *certificate_mutants_suite(void) {
  Suite *suite = suite_create("certificate_mutants");
  TCase *t = tcase_create("certificate_mutants");
  void *room = mmap(NULL, sizeof *whole, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) HY_DIE("mmap: no memory");
  whole = room;
  tcase_set_timeout(t, 600);
  tcase_add_loop_test(t, mutants_of_programs, 0, (int)certificate_program_count());
  tcase_add_test(t, mutants_of_goals);
  tcase_add_test(t, few_steps_are_not_missed); // the last one
  suite_add_tcase(suite, t);
  return suite;
}
