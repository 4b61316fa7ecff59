// Level 1: the certificates are about this program, about all that it owes, and they are proofs.

#include "bounds/query.h"
#include "gate/inspect/inspect.h"
#include "gate/inspect/papers.h"
#include "gate/manifest/files.h"
#include "oracle/certificate/compare_claims.h"
#include "oracle/certificate/recheck.h"
#include "semantics/semantics.h"
#include "semantics/value/errors.h"

#include <string.h>

typedef struct {
  hy_context *context;
  const hy_inspected *in;
  hy_gate_result *result;
  const char *file;   // of certificates
  const char *second; // checker; NULL: none was named
  hy_text plain;
} walk;

static void wrong(const walk *w, const char *name, const char *file, const char *why) {
  hy_gate_add(w->result, 1, name, file, HY_GATE_WRONG, HY_E_GATE_PROOF, "%s", why);
}

/* -- the program -- */

// As it lies there: it can be read, and what is read is printed so. NULL with *why.
static const hy_tgt *parse(const walk *w, const hy_text *text, const char *file, const char **why) {
  hy_arena *arena = w->result->arena;
  hy_source *source = HY_NEW(arena, hy_source);
  hy_diagnostics *said = hy_diagnostics_new();
  hy_text again = {0};
  *source = (hy_source){file, hy_arena_copy(arena, text->data, text->length), text->length};
  const hy_tgt *program = hy_parse_tgt(w->context, source, said);
  if (program) hy_tgt_print(program, &again);
  if (!program)
    *why = hy_arena_printf(arena, "it is no target program: %s",
                           hy_diagnostics_count(said) ? hy_diagnostics_at(said, 0)->message : "");
  else if (again.length != text->length || memcmp(again.data, text->data, text->length) != 0)
    program = NULL, *why = "it is not in its canonical form";
  hy_diagnostics_free(said);
  hy_text_free(&again);
  return program;
}

/* -- what it owes -- */

static void hear(void *self, const char *sentence) {
  enum { MOST_TOLD = 8 };
  walk *w = self;
  if (hy_gate_count(w->result, 1, HY_GATE_WRONG) < MOST_TOLD) wrong(w, "obligations", w->file, sentence);
}

// The claims that are owed, as a file without proofs.
static hy_certificates *expect(const walk *w, const hy_query *query, const hy_claimed_program *file) {
  const char *name = w->in->manifest.schedule;
  hy_certificates *owed = hy_certificates_new(w->context);
  hy_claim_choice choice = {.file = file};
  hy_certified_program about = {name, query->count, hy_inspected_bytes(w->in, HY_ROLE_PROGRAM, NULL),
                                hy_inspected_bytes(w->in, HY_ROLE_ALGORITHM, NULL),
                                hy_inspected_bytes(w->in, HY_ROLE_SCHEDULE, NULL)};
  hy_certificates_begin(owed, &about);
  for (size_t i = 0; i < query->count; i++)
    hy_certificates_claim(owed, name, i + 1, &query->obligations[i], hy_claim_choose, &choice);
  return owed;
}

static void compare(walk *w, hy_claim_book *book, const hy_claimed_program *file, const hy_query *query) {
  hy_claims owed;
  size_t length;
  hy_certificates *expected = expect(w, query, file);
  const char *text = hy_certificates_text(expected, &length);
  hy_claims_read(book, text, length, &owed);
  hy_claim_comparison c = {.file = file, .differs = hear, .self = w, .open_is_fine = true};
  hy_claims_compare(&c, &owed.programs.data[0]);
  hy_claims_free(&owed);
  hy_certificates_free(expected);
  if (c.open)
    hy_gate_add(w->result, 1, "open", w->file, HY_GATE_UNDECIDED, HY_E_GATE_OPEN, "%zu of its claims have no proof",
                c.open);
  if (!c.differences)
    hy_gate_add(w->result, 1, "obligations", w->file, HY_GATE_PASSED, 0,
                "what the program owes, extracted anew, is what it is about: %zu obligations", query->count);
}

/* -- the judge -- */

// One checker's word; "by": NULL: halyard-certcheck.
static void judge(const walk *w, const hy_claims *claims, const char *by, const char *check) {
  char said[HY_CERTCHECK_SAID];
  const char *checker = hy_certcheck_name(by);
  hy_certificates_sum sum = {claims->certificates, claims->dead, claims->obligations - claims->open,
                             claims->obligations};
  if (!sum.certificates && !sum.obligations) { // a checker accepts no file that claims nothing
    hy_gate_add(w->result, 1, check, w->file, HY_GATE_PASSED, 0, "there is nothing to prove");
    return;
  }
  hy_certcheck_answer answer = hy_certcheck_text(hy_text_string(&w->plain), w->plain.length, &sum, by, said);
  switch (answer) {
  case HY_CERTCHECK_ACCEPTED:
    hy_gate_add(w->result, 1, check, w->file, HY_GATE_PASSED, 0, "%s accepts all %zu certificates (%zu dead)", checker,
                claims->certificates, claims->dead);
    return;
  case HY_CERTCHECK_REJECTED:
    hy_gate_add(w->result, 1, check, w->file, HY_GATE_WRONG, HY_E_GATE_PROOF, "%s: %.*s", checker,
                (int)strcspn(said, "\n"), said);
    return;
  case HY_CERTCHECK_STOPPED:
    hy_gate_add(w->result, 1, check, w->file, HY_GATE_UNDECIDED, HY_E_CERTIFICATES_UNJUDGED, "%s: %s", checker, said);
    return;
  case HY_CERTCHECK_ABSENT:
    hy_gate_add(w->result, 1, check, w->file, HY_GATE_MALFORMED, HY_E_CANNOT_READ,
                "%s, which is to judge it, cannot be run", checker)
        ->help = !by ? "install it beside this program, or say with HALYARD_CERTCHECK=FILE where it is"
                 : strcmp(by, "coq") == 0 ? "./dev coq builds it beside halyard"
                                          : "--second-checker names the file of a program, or is 'coq'";
    return;
  }
  HY_UNREACHABLE();
}

/* -- what the manifest says of the two -- */

static void compare_number(walk *w, const char *what, size_t told, size_t is) {
  if (told == is) return;
  hy_gate_add(w->result, 1, "numbers", w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
              "it says %zu %s, and there are %zu", told, what, is);
}

// --unknown runtime: what could not be decided is asked of every input. A program by hand may have such checks of its
// own.
static void compare_run_time_checks(walk *w, const hy_tgt *program) {
  const hy_manifest *m = &w->in->manifest;
  bool has = false;
  for (int i = 0; i < program->entry_count; i++) has |= program->entry[i]->assume.why == HY_ASSUME_UNDECIDED;
  if (has ? m->run_time_checks || !m->algorithm : !m->run_time_checks) return;
  hy_gate_add(w->result, 1, "numbers", w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
              "it says %zu checks at run time, and the program has %s", m->run_time_checks, has ? "some" : "none");
}

// Headers, reports and people believe them.
static void compare_numbers(walk *w, const hy_tgt *program, const hy_query *query, const hy_claims *claims) {
  const hy_manifest *m = &w->in->manifest;
  size_t before = w->result->checks.count;
  compare_number(w, "obligations", m->obligations, query->count);
  compare_number(w, "certificates", m->certificate_count, claims->certificates);
  compare_number(w, "dead certificates", m->dead, claims->dead);
  compare_run_time_checks(w, program);
  if (strcmp(m->pipeline, program->alg->name) != 0)
    hy_gate_add(w->result, 1, "numbers", w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it says that the pipeline is '%s', and it is '%s'", m->pipeline, program->alg->name);
  if (!m->proved && !claims->open)
    hy_gate_add(w->result, 1, "numbers", w->in->manifest_name, HY_GATE_WRONG, HY_E_GATE_IDENTITY,
                "it says that the program is not proved, and no claim is open");
  if (w->result->checks.count == before)
    hy_gate_add(w->result, 1, "numbers", w->in->manifest_name, HY_GATE_PASSED, 0,
                "what it says of program and proofs is so");
}

/* -- all of it -- */

static bool unpack(walk *w) {
  const hy_manifest *m = &w->in->manifest;
  const hy_text *packed = hy_inspected_bytes(w->in, HY_ROLE_CERTIFICATES, NULL);
  char is[HY_SHA256_DIGITS + 1];
  if (m->certificate_bytes > HY_GATE_MOST_CERTIFICATES) {
    hy_gate_add(w->result, 1, "unpacking", w->file, HY_GATE_UNDECIDED, HY_E_CERTIFICATES_UNJUDGED,
                "unpacked it has %zu bytes, says the manifest, and no more than %d are looked at", m->certificate_bytes,
                HY_GATE_MOST_CERTIFICATES);
    return false;
  }
  if (!hy_gate_expand(packed, m->certificate_bytes, &w->plain))
    return wrong(w, "unpacking", w->file, "it is no gzip file of as many bytes as the manifest says"), false;
  hy_sha256(hy_text_string(&w->plain), w->plain.length, is);
  if (strcmp(is, m->certificates) == 0) return true;
  return wrong(w, "unpacking", w->file, "unpacked, it has another hash than the identity is of"), false;
}

static void look(walk *w, const hy_tgt *program) {
  hy_claim_book book = hy_claim_book_open();
  hy_claims claims;
  hy_claims_read(&book, hy_text_string(&w->plain), w->plain.length, &claims);
  judge(w, &claims, NULL, "proofs");
  if (w->second) judge(w, &claims, w->second, "second-checker");
  if (claims.programs.count == 1) {
    const hy_query *query = hy_query_extract(w->context, program);
    compare(w, &book, &claims.programs.data[0], query);
    compare_numbers(w, program, query, &claims);
  } else {
    wrong(w, "obligations", w->file, "it is about no program, or several");
  }
  hy_claims_free(&claims);
  hy_claim_book_close(&book);
}

void hy_inspect_proof(hy_context *context, const hy_inspected *in, const char *second, hy_gate_result *result) {
  const hy_artefact *program = hy_manifest_find(&in->manifest, HY_ROLE_PROGRAM, NULL),
                    *certificates = hy_manifest_find(&in->manifest, HY_ROLE_CERTIFICATES, NULL);
  const hy_text *text = hy_inspected_bytes(in, HY_ROLE_PROGRAM, NULL);
  const char *why = NULL;
  walk w = {.context = context,
            .in = in,
            .result = result,
            .file = certificates ? certificates->path : NULL,
            .second = second};
  result->asked[1] = true;
  if (!program || !certificates) return wrong(&w, "papers", in->manifest_name, "it lists no program, or no proofs");
  if (!text || !hy_inspected_bytes(in, HY_ROLE_CERTIFICATES, NULL))
    return wrong(&w, "papers", text ? certificates->path : program->path, "it is not what shipped (level 0)");
  const hy_tgt *read = parse(&w, text, program->path, &why);
  if (!read) return wrong(&w, "program", program->path, why);
  hy_gate_add(result, 1, "program", program->path, HY_GATE_PASSED, 0, "it is a target program, in its canonical form");
  hy_papers_judge_header(in, read->alg, result);
  if (unpack(&w)) look(&w, read);
  hy_text_free(&w.plain);
}
