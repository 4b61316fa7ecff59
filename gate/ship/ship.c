#include "gate/ship/ship.h"

#include "gate/interface/interface.h"
#include "gate/manifest/elf.h"
#include "gate/manifest/files.h"
#include "gate/manifest/sbom.h"
#include "gate/ship/canonical.h"
#include "gate/ship/tools.h"
#include "oracle/certificate/certificates.h"
#include "passes/passes.h"

#include <string.h>

typedef struct {
  const hy_pipeline *checked; // as it was written
  const hy_ship_wishes *wishes;
  const char *schedule;
  hy_arena *arena;
  hy_pipeline read; // what was printed of it, read again: what ships
  hy_text algorithm, directives, program, note;
  hy_shipment *out;
  const char *why;
  bool is_ours;  // the defect
  bool is_whole; // the program ships as it is before the passes: what they make of it has no proof
} work;

static bool fail(work *w, bool is_ours, const char *why) {
  w->why = why;
  w->is_ours = is_ours;
  return false;
}

static const char *hash(work *w, const hy_text *text) {
  char digits[HY_SHA256_DIGITS + 1];
  hy_sha256(hy_text_string(text), text->length, digits);
  return hy_arena_copy(w->arena, digits, HY_SHA256_DIGITS);
}

// Takes the bytes.
static void add_file(work *w, hy_role role, const char *target, HY_TAKE hy_text *bytes) {
  const char *name = hy_manifest_file_name(w->arena, &w->out->manifest, role, target);
  hy_artefact a = {name, role, target, bytes->length, ""};
  hy_sha256(hy_text_string(bytes), bytes->length, a.sha256);
  hy_vec_push(&w->out->manifest.artefacts, a);
  hy_vec_push(&w->out->files, ((hy_ship_file){name, *bytes}));
  *bytes = (hy_text){0};
}

/* -- texts -- */

static void print_texts(work *w) {
  const hy_pipeline *p = w->checked;
  if (w->wishes->has_algorithm) hy_alg_print(p->alg, &w->algorithm);
  if (w->wishes->has_algorithm) hy_pipeline_print_schedule(p, &w->directives);
}

// From a program as it was printed to one that is checked like a program by hand: what ships is what can be read.
static bool read_again(work *w, const hy_text *text, bool is_unproved_fine) {
  hy_source *source = HY_NEW(w->arena, hy_source);
  hy_text again = {0};
  hy_diagnostics *said = hy_diagnostics_new();
  hy_oracle_options options = {.z3_limit = w->wishes->judges.z3_limit};
  hy_text_free(&w->program);
  hy_text_add_bytes(&w->program, text->data, text->length);
  *source = (hy_source){"shipped.tgt", hy_arena_copy(w->arena, w->program.data, w->program.length), w->program.length};
  const hy_tgt *program = hy_parse_tgt(w->checked->context, source, said);
  if (program) hy_tgt_print(program, &again);
  bool same = program && again.length == w->program.length && memcmp(again.data, w->program.data, again.length) == 0;
  if (same) {
    hy_pipeline_init(&w->read, w->checked->context, NULL, NULL, program);
    hy_answer answer = hy_pipeline_check(&w->read, &options, said);
    same = answer == HY_YES || (answer == HY_UNKNOWN && is_unproved_fine);
  }
  hy_diagnostics_free(said);
  hy_text_free(&again);
  return same;
}

/* -- proofs -- */

static void add_proofs(work *w, hy_certificates *c) {
  const hy_oracle_report *report = &w->read.report;
  hy_certified_program about = {w->schedule, report->count, &w->program, w->algorithm.length ? &w->algorithm : NULL,
                                w->directives.length ? &w->directives : NULL};
  hy_certificates_begin(c, &about);
  for (size_t i = 0; i < report->count; i++) {
    const hy_decision *d = &report->decisions[i];
    if (d->verdict == HY_VERDICT_PROVED)
      hy_certificates_add_decided(c, w->schedule, i + 1, d->obligation, d->how);
    else
      hy_certificates_add_open(c, w->schedule, i + 1, d->obligation);
  }
}

// What Z3 alone decided has no certificate: whoever checks it again would find it open.
static bool is_certified(work *w) {
  hy_certificates *c = hy_certificates_new(w->checked->context);
  add_proofs(w, c);
  hy_certificates_sum sum = hy_certificates_sum_up(c);
  hy_certificates_free(c);
  return sum.shown == sum.obligations;
}

// What the pipeline becomes, before the passes and after them. With plug-ins, or checks at run time, it is the checked one;
// else that of the canonical texts, so that whoever reads what shipped makes the same of it.
static bool make_programs(work *w, hy_canonical *out) {
  const hy_pipeline *p = w->checked;
  *out = (hy_canonical){.whole = {0}};
  if (w->algorithm.length && w->directives.length && !w->wishes->judges.plugin_count && !p->deferred)
    return hy_canonical_make(&w->algorithm, &w->directives, out);
  hy_tgt_print(p->filled, &out->whole);
  hy_tgt_print(hy_passes(p->context, p->filled, NULL, NULL), &out->passed);
  return true;
}

// What is emitted ships: the program after the passes, where all that it owes has a certificate; else the one before them.
static bool choose_program(work *w) {
  hy_canonical made;
  bool good = make_programs(w, &made);
  if (!good) return fail(w, true, "the algorithm and the schedule, printed and read again, are refused");
  bool is_passed = strcmp(hy_text_string(&made.passed), hy_text_string(&made.whole)) != 0;
  w->is_whole = !is_passed || !read_again(w, &made.passed, false) || !is_certified(w);
  good = !w->is_whole || read_again(w, &made.whole, w->wishes->is_unproved_fine);
  hy_canonical_free(&made);
  return good || fail(w, true, "the target program, printed and read again, is another one or has no proof");
}

static void make_certificates(work *w) {
  hy_manifest *m = &w->out->manifest;
  hy_certificates *c = hy_certificates_new(w->checked->context);
  add_proofs(w, c);
  hy_text plain = {0}, packed = {0};
  size_t length;
  const char *text = hy_certificates_text(c, &length);
  hy_text_add_bytes(&plain, text, length);
  hy_certificates_sum sum = hy_certificates_sum_up(c);
  m->certificates = hash(w, &plain);
  m->certificate_bytes = length;
  m->obligations = w->read.report.count;
  m->certificate_count = sum.certificates;
  m->dead = sum.dead;
  hy_gate_compress(&plain, &packed);
  add_file(w, HY_ROLE_CERTIFICATES, NULL, &packed);
  hy_text_free(&plain);
  hy_certificates_free(c);
}

/* -- the content -- */

static void add_texts(work *w) {
  hy_manifest *m = &w->out->manifest;
  m->program = hash(w, &w->program);
  if (w->algorithm.length) m->algorithm = hash(w, &w->algorithm);
  if (w->directives.length) m->directives = hash(w, &w->directives);
  if (w->algorithm.length) add_file(w, HY_ROLE_ALGORITHM, NULL, &w->algorithm);
  if (w->directives.length) add_file(w, HY_ROLE_SCHEDULE, NULL, &w->directives);
  add_file(w, HY_ROLE_PROGRAM, NULL, &w->program);
}

static void make_content(work *w) {
  hy_manifest *m = &w->out->manifest;
  m->name = w->wishes->name;
  m->pipeline = w->read.alg->name;
  m->schedule = w->schedule;
  m->halyard = HALYARD_VERSION;
  m->llvm = hy_codegen_llvm_version();
  m->run_time_checks = w->checked->deferred;
  m->proved = w->read.report.unknown == 0;
  for (size_t i = 0; i < w->wishes->target_count; i++) {
    const hy_target *t = w->wishes->targets[i];
    hy_vec_push(&m->targets, ((hy_shipped_target){t->name, t->triple, t->cpu, t->features}));
  }
  make_certificates(w);
  add_texts(w);
  hy_manifest_identify(m);
  hy_note_print(m->name, m->identity, &w->note);
}

/* -- code -- */

bool hy_ship_is_target(const hy_shipped_target *was, const hy_target *t) {
  return strcmp(was->name, t->name) == 0 && strcmp(was->triple, t->triple) == 0 && strcmp(was->cpu, t->cpu) == 0 &&
         strcmp(was->features, t->features) == 0;
}

bool hy_ship_links(const hy_target *target) {
  const char *own = hy_target_host()->triple;
  return strncmp(target->triple, own, strcspn(own, "-")) == 0;
}

static bool make_code(work *w, const hy_target *target) {
  hy_text object = {0}, archive = {0}, shared = {0};
  hy_codegen_options options = {.optimize = 3, .target = target, .ahead = w->wishes->name, .note = &w->note};
  hy_native_object(w->checked->context, w->read.passed, &options, &object);
  const char *name = hy_manifest_stem(w->arena, &w->out->manifest, target->name);
  // The run-time library that goes into the other two is this machine's.
  bool good = !hy_ship_links(target) ||
              (hy_tools_archive(&object, name, &archive, &w->why) && hy_tools_link(&object, &shared, &w->why));
  add_file(w, HY_ROLE_OBJECT, target->name, &object);
  if (archive.length) add_file(w, HY_ROLE_ARCHIVE, target->name, &archive);
  if (shared.length) add_file(w, HY_ROLE_SHARED, target->name, &shared);
  return good;
}

static void make_header(work *w) {
  hy_text header = {0};
  hy_header_print_shipped(&w->out->manifest, w->read.alg, &header);
  add_file(w, HY_ROLE_HEADER, NULL, &header);
}

static bool make_all_code(work *w) {
  w->read.passed = w->is_whole ? hy_passes(w->checked->context, w->read.filled, NULL, NULL) : w->read.filled;
  for (size_t i = 0; i < w->wishes->target_count; i++)
    if (!make_code(w, w->wishes->targets[i])) return false;
  make_header(w);
  return true;
}

/* -- what made it -- */

static void name_tools(work *w) {
  hy_manifest *m = &w->out->manifest;
  char digits[HY_SHA256_DIGITS + 1];
  hy_text linker = {0};
  if (hy_tools_hash_self(digits)) m->build = hy_arena_copy(w->arena, digits, HY_SHA256_DIGITS);
  bool is_linked = hy_manifest_find(m, HY_ROLE_SHARED, NULL);
  if (is_linked && hy_tools_hash_runtime(digits)) m->runtime = hy_arena_copy(w->arena, digits, HY_SHA256_DIGITS);
  if (is_linked) hy_tools_linker_version(&linker);
  if (linker.length) m->linker = hy_arena_copy(w->arena, linker.data, linker.length);
  hy_text_free(&linker);
}

const hy_shipped_plugin *hy_ship_plugins(hy_arena *arena, const char *const *paths, size_t count) {
  hy_shipped_plugin *plugins = HY_NEW_ARRAY(arena, hy_shipped_plugin, count + 1);
  for (size_t i = 0; i < count; i++) {
    const char *slash = strrchr(paths[i], '/');
    char digits[HY_SHA256_DIGITS + 1];
    hy_text bytes = {0};
    bool good = hy_tools_read_file(paths[i], &bytes);
    hy_sha256(hy_text_string(&bytes), bytes.length, digits);
    hy_text_free(&bytes);
    if (!good) return NULL;
    plugins[i].name = hy_arena_printf(arena, "%s", slash ? slash + 1 : paths[i]);
    plugins[i].sha256 = hy_arena_copy(arena, digits, HY_SHA256_DIGITS);
  }
  return plugins;
}

static void name_judges(work *w) {
  hy_manifest *m = &w->out->manifest;
  const hy_ship_judges *judges = &w->wishes->judges;
  m->z3 = judges->z3;
  m->z3_steps = judges->z3_limit;
  for (size_t i = 0; i < judges->plugin_count; i++) hy_vec_push(&m->plugins, judges->plugins[i]);
}

static void make_papers(work *w) {
  hy_manifest *m = &w->out->manifest;
  hy_text sbom = {0}, manifest = {0}, sums = {0};
  char digits[HY_SHA256_DIGITS + 1];
  name_tools(w);
  name_judges(w);
  hy_sbom_print(m, &sbom);
  add_file(w, HY_ROLE_SBOM, NULL, &sbom);
  hy_manifest_print(m, &manifest);
  w->out->manifest_name = hy_arena_printf(w->arena, "%s" HY_MANIFEST_SUFFIX, m->name);
  hy_sha256(manifest.data, manifest.length, digits);
  hy_manifest_print_sums(m, w->out->manifest_name, digits, &sums);
  hy_vec_push(&w->out->files, ((hy_ship_file){w->out->manifest_name, manifest}));
  hy_vec_push(&w->out->files, ((hy_ship_file){HY_SUMS_NAME, sums}));
}

hy_ship_answer hy_ship_make(const hy_pipeline *pipeline, const char *schedule, const hy_ship_wishes *wishes,
                            hy_shipment *out, const char **why) {
  *out = (hy_shipment){.manifest_name = NULL};
  work w = {.checked = pipeline,
            .wishes = wishes,
            .schedule = schedule,
            .out = out,
            .arena = hy_context_arena(pipeline->context)};
  print_texts(&w);
  bool good = choose_program(&w);
  if (good) make_content(&w);
  good = good && make_all_code(&w);
  if (good) make_papers(&w);
  hy_text_free(&w.algorithm);
  hy_text_free(&w.directives);
  hy_text_free(&w.program);
  hy_text_free(&w.note);
  *why = w.why;
  return good ? HY_SHIP_FINE : w.is_ours ? HY_SHIP_DEFECT : HY_SHIP_TOOL;
}

void hy_shipment_free(hy_shipment *s) {
  for (size_t i = 0; i < s->files.count; i++) hy_text_free(&s->files.data[i].bytes);
  hy_vec_free(&s->files);
  hy_manifest_free(&s->manifest);
}
