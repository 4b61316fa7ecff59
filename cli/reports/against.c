#include "cli/reports/against.h"

#include "cli/reports/certify.h"
#include "oracle/certificate/compare_claims.h"
#include "oracle/certificate/recheck.h"

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
  size_t differences;
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

/* -- one program -- */

typedef struct {
  hy_against *against;
  hy_claim_choice choice;
  HY_VEC(const hy_decision *) decisions; // of the claims that are owed
  const hy_decision *decision;
} walk;

static hy_generalization choose(void *self, const char *about) {
  walk *w = self;
  hy_vec_push(&w->decisions, w->decision);
  return hy_claim_choose(&w->choice, about);
}

static void hear(void *self, const char *sentence) { differs(((walk *)self)->against, "%s", sentence); }

static bool may_be_dead(void *self, size_t position) {
  const hy_decision *d = ((walk *)self)->decisions.data[position];
  return d->dead || !hy_obligation_speaks_of_its_place(d->obligation);
}

// The claims that are owed, as a file without proofs.
static hy_certificates *expect(walk *w, const char *name, const hy_pipeline *p) {
  hy_certificates *expected = hy_certificates_new(p->context);
  hy_certify_begin_program(!w->against->session->program, expected, name, p);
  for (size_t i = 0; i < p->report.count; i++) {
    w->decision = &p->report.decisions[i];
    hy_certificates_claim(expected, name, i + 1, w->decision->obligation, choose, w);
  }
  return expected;
}

static void compare(walk *w, const char *name, const hy_pipeline *p) {
  hy_against *a = w->against;
  hy_certificates *expected = expect(w, name, p);
  size_t length;
  const char *text = hy_certificates_text(expected, &length);
  hy_claims owed;
  hy_claims_read(&a->book, text, length, &owed);
  hy_claim_comparison comparison = {.file = w->choice.file, .differs = hear, .may_be_dead = may_be_dead, .self = w};
  hy_claims_compare(&comparison, &owed.programs.data[0]);
  hy_claims_free(&owed);
  hy_certificates_free(expected);
}

// A target program by itself has the name of its pipeline, where a file that shipped has that of the schedule.
static const hy_claimed_program *find(const hy_against *a, const char *name) {
  const hy_claimed_program *found = hy_claims_find(&a->claims, name);
  bool is_only_one = a->session->program && a->claims.programs.count == 1;
  return !found && is_only_one ? &a->claims.programs.data[0] : found;
}

hy_status hy_against_one(hy_against *a, const char *name, const hy_pipeline *pipeline) {
  if (!a) return HY_STATUS_FINE;
  char id[HY_CERTIFICATE_ID];
  hy_certificates_id(name, 1, 0, id);
  *strrchr(id, '/') = '\0'; // the name as files have it
  const hy_claimed_program *file = find(a, id);
  const char *asked = file ? file->name : id;
  hy_vec_push(&a->asked, hy_arena_copy(a->book.arena, asked, strlen(asked)));
  size_t before = a->differences;
  if (!file) {
    differs(a, "it has no certificates of '%s'", id);
  } else if (!pipeline->filled) {
    differs(a, "'%s' was refused, and has no certificates", id);
  } else { // where nothing is owed, too: the hashes, and that the file claims nothing
    walk w = {.against = a, .choice = {.file = file}};
    compare(&w, file->name, pipeline);
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
  switch (hy_certcheck_text(a->text ? a->text : "", a->length, &sum, NULL, said)) {
  case HY_CERTCHECK_ACCEPTED: return HY_STATUS_FINE;
  case HY_CERTCHECK_REJECTED:
    differs(a, "halyard-certcheck: %.*s", (int)strcspn(said, "\n"), said);
    return HY_STATUS_WRONG;
  case HY_CERTCHECK_STOPPED:
    hy_report(a->session->diagnostics, HY_E_CERTIFICATES_UNJUDGED, nowhere, "VER.Certificate (decision D64)", NULL,
              "halyard-certcheck: %s", said);
    return HY_STATUS_UNDECIDED;
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
  // What owes nothing has nothing that could be checked: a file without certificates is no proof to halyard-certcheck.
  hy_status status = a->claims.certificates ? judge(a) : HY_STATUS_FINE;
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
