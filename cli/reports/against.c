#include "cli/reports/against.h"

#include "cli/reports/certify.h"
#include "cli/reports/claims.h"
#include "halyard/certcheck.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};
static const char rule[] = "VER.Certificate (decision D64)";

enum { MOST_TOLD = 8, MOST_BYTES = 1 << 28 };

struct hy_against {
  hy_session *session;
  char *text;
  size_t length;
  hy_claim_book book;
  hy_claims claims;
  size_t differences, shown;  // obligations that are the same
  HY_VEC(const char *) asked; // programs
};

/* -- saying what differs -- */

static void differs(hy_against *a, const char *format, ...) HY_PRINTF(2, 3);
static void differs(hy_against *a, const char *format, ...) {
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (a->differences++ < MOST_TOLD)
    hy_report(a->session->diagnostics, HY_E_OTHER_CERTIFICATES, nowhere, rule,
              "'halyard check A S --certificates FILE' writes the certificates of this program", "'%s': %s",
              a->session->options.against, text);
}

static void compare_words(hy_against *a, const char *program, const char *what, const char *is, const char *expected) {
  if (strcmp(is, expected) != 0) differs(a, "of '%s', %s is %s in the file, and %s here", program, what, is, expected);
}

/* -- one claim -- */

typedef struct {
  hy_against *against;
  const hy_claimed_program *file;        // what it says of this program
  size_t next;                           // of its claims
  HY_VEC(const hy_decision *) decisions; // of the claims that are expected
  const hy_decision *decision;
} walk;

// The file says of what stronger statement it speaks; that is computed and compared.
static hy_generalization choose(void *self, const char *about) {
  walk *w = self;
  const hy_claim *claim = w->next < w->file->claims.count ? &w->file->claims.data[w->next] : NULL;
  w->next++;
  hy_vec_push(&w->decisions, w->decision);
  size_t length = strlen(about);
  if (!claim || strncmp(claim->about, about, length) != 0) return HY_AS_IT_STANDS;
  for (hy_generalization what = HY_ANY_DIVISORS; what <= HY_NAMED_ALL; what++) {
    char suffix[80];
    snprintf(suffix, sizeof suffix, " (for %s)", hy_generalization_name(what));
    if (strcmp(claim->about + length, suffix) == 0) return what;
  }
  return HY_AS_IT_STANDS;
}

static bool compare_formulas(hy_against *a, const hy_claim *is, const hy_claim *expected) {
  if (is->fact_count != expected->fact_count) {
    differs(a, "%s has %zu facts, and %zu hold there", is->id, is->fact_count, expected->fact_count);
    return false;
  }
  for (size_t i = 0; i < is->fact_count; i++) {
    if (is->facts[i] == expected->facts[i]) continue;
    differs(a, "fact %zu of %s is another (%s: %s)", i + 1, is->id, expected->rule, expected->about);
    return false;
  }
  if (is->goal != expected->goal)
    differs(a, "the goal of %s is another (%s: %s)", is->id, expected->rule, expected->about);
  return is->goal == expected->goal;
}

static void compare_claim(hy_against *a, const hy_claim *is, const hy_claim *expected, const hy_decision *decision) {
  if (strcmp(is->id, expected->id) != 0)
    differs(a, "%s stands where %s is owed", is->id, expected->id);
  else if (is->is_open)
    differs(a, "%s is open: there is no proof of it (%s: %s)", is->id, expected->rule, expected->about);
  else if (strcmp(is->rule, expected->rule) != 0 || strcmp(is->about, expected->about) != 0)
    differs(a, "%s is \"%s: %s\", and \"%s: %s\" is owed", is->id, is->rule, is->about, expected->rule,
            expected->about);
  else if (!HY_MUTANT(D64_Formulas_Unread) && !compare_formulas(a, is, expected))
    return;
  else if (is->is_dead && hy_obligation_speaks_of_its_place(decision->obligation) && !decision->dead)
    differs(a, "%s is said to be dead, and runs come there (%s: %s)", is->id, expected->rule, expected->about);
  else
    a->shown++;
}

/* -- one program -- */

// The claims that are owed, as a file without proofs.
static hy_certificates *expect(walk *w, const char *name, const hy_pipeline *p) {
  hy_certificates *expected = hy_certificates_new(p->context);
  hy_certify_begin_program(w->against->session, expected, name, p);
  for (size_t i = 0; i < p->report.count; i++) {
    w->decision = &p->report.decisions[i];
    hy_certificates_claim(expected, name, i + 1, w->decision->obligation, choose, w);
  }
  return expected;
}

static void compare_program(hy_against *a, const walk *w, const hy_claimed_program *owed) {
  const hy_claimed_program *file = w->file;
  compare_words(a, owed->name, "the hash of the target program", file->target, owed->target);
  compare_words(a, owed->name, "the hash of the algorithm", file->algorithm, owed->algorithm);
  compare_words(a, owed->name, "the hash of the schedule", file->schedule, owed->schedule);
  compare_words(a, owed->name, "the number of obligations", file->obligations, owed->obligations);
  size_t both = file->claims.count < owed->claims.count ? file->claims.count : owed->claims.count;
  for (size_t i = 0; i < both; i++)
    compare_claim(a, &file->claims.data[i], &owed->claims.data[i], w->decisions.data[i]);
  for (size_t i = both; i < owed->claims.count; i++) differs(a, "%s is missing", owed->claims.data[i].id);
  for (size_t i = both; i < file->claims.count; i++) differs(a, "%s is not owed", file->claims.data[i].id);
}

hy_status hy_against_one(hy_against *a, const char *name, const hy_pipeline *pipeline) {
  if (!a) return HY_STATUS_FINE;
  char id[HY_CERTIFICATE_ID];
  hy_certificates_id(name, 1, 0, id);
  *strrchr(id, '/') = '\0'; // the name as files have it
  hy_vec_push(&a->asked, hy_arena_copy(a->book.arena, id, strlen(id)));
  const hy_claimed_program *file = hy_claims_find(&a->claims, id);
  size_t before = a->differences;
  if (!file) {
    differs(a, "it has no certificates of '%s'", id);
  } else if (pipeline->report.count) {
    walk w = {.against = a, .file = file};
    hy_certificates *expected = expect(&w, name, pipeline);
    size_t length;
    const char *text = hy_certificates_text(expected, &length);
    hy_claims owed;
    hy_claims_read(&a->book, text, length, &owed);
    compare_program(a, &w, &owed.programs.data[0]);
    hy_claims_free(&owed);
    hy_certificates_free(expected);
    hy_vec_free(&w.decisions);
  }
  return a->differences > before ? HY_STATUS_WRONG : HY_STATUS_FINE;
}

/* -- the file -- */

static bool read_text(const char *path, char **text, size_t *length) {
  hy_text content = {0};
  char piece[1 << 14];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  for (size_t got; content.length <= MOST_BYTES && (got = fread(piece, 1, sizeof piece, file)) > 0;)
    hy_text_add_bytes(&content, piece, got);
  bool fine = !ferror(file) && content.length <= MOST_BYTES;
  if (content.length > MOST_BYTES) errno = EFBIG;
  fclose(file);
  *text = content.data;
  *length = content.length;
  if (!fine) hy_text_free(&content);
  return fine;
}

hy_against *hy_against_begin(hy_session *s, hy_status *status) {
  if (!s->options.against) return NULL;
  hy_against *a = hy_allocate_zeroed(1, sizeof *a);
  a->session = s;
  if (!read_text(s->options.against, &a->text, &a->length)) {
    hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "cannot read '%s': %s", s->options.against,
              strerror(errno));
    *status = HY_STATUS_USAGE;
    free(a);
    return NULL;
  }
  a->book = hy_claim_book_open();
  hy_claims_read(&a->book, a->text ? a->text : "", a->length, &a->claims);
  return a;
}

static void find_unasked(hy_against *a) {
  for (size_t i = 0; i < a->claims.programs.count; i++) {
    bool asked = false;
    for (size_t k = 0; k < a->asked.count; k++) asked |= strcmp(a->asked.data[k], a->claims.programs.data[i].name) == 0;
    if (!asked) differs(a, "it is about '%s', too, which was not checked", a->claims.programs.data[i].name);
  }
}

static hy_status judge(hy_against *a) {
  char said[HY_CERTCHECK_SAID];
  const hy_claims *c = &a->claims;
  hy_certificates_sum sum = {c->certificates, c->dead, c->obligations - c->open, c->obligations};
  switch (hy_certcheck_text(a->text ? a->text : "", a->length, &sum, false, said)) {
  case HY_CERTCHECK_ACCEPTED: return HY_STATUS_FINE;
  case HY_CERTCHECK_REJECTED:
    differs(a, "halyard-certcheck: %.*s", (int)strcspn(said, "\n"), said);
    return HY_STATUS_WRONG;
  case HY_CERTCHECK_ABSENT: break;
  }
  hy_report(a->session->diagnostics, HY_E_CANNOT_READ, nowhere, NULL,
            "install it beside halyard, or say with HALYARD_CERTCHECK=FILE where it is",
            "halyard-certcheck, which is to check the certificates, cannot be run");
  return HY_STATUS_USAGE;
}

hy_status hy_against_end(hy_against *a) {
  if (!a) return HY_STATUS_FINE;
  find_unasked(a);
  hy_status status = judge(a);
  if (a->differences) status = hy_status_worse(status, HY_STATUS_WRONG);
  hy_reporter *reporter = a->session->reporter;
  if (a->differences > MOST_TOLD)
    hy_reporter_print(reporter, "%s: %zu differences in all\n", a->session->options.against, a->differences);
  if (status == HY_STATUS_FINE)
    hy_reporter_print(reporter, "%s: its %zu certificates, %zu of them dead, are those of this program, and proofs\n",
                      a->session->options.against, a->claims.certificates, a->claims.dead);
  hy_record_int(hy_reporter_record(reporter), "differences", (int64_t)a->differences);
  hy_claims_free(&a->claims);
  hy_claim_book_close(&a->book);
  hy_vec_free(&a->asked);
  free(a->text);
  free(a);
  return status;
}
