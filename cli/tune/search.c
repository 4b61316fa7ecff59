#include "cli/tune/search.h"

#include "autosched/repair.h"
#include "autosched/spell.h"
#include "engines/generator.h"
#include "lower/lower.h"
#include "semantics/tgt/values.h"

#include <string.h>
#include <unistd.h>

static const hy_loc nowhere = {0};
static const char schedule_name[] = "tuned";

/* -- beginning -- */

// The default schedule's bounds are found for every right algorithm; what is wrong with it is said now.
static hy_status check_algorithm(hy_session *s) {
  hy_pipeline pipeline;
  hy_pipeline_init(&pipeline, s->context, s->alg, NULL, NULL);
  bool fine = hy_pipeline_schedule(&pipeline, s->diagnostics) && hy_pipeline_fill(&pipeline, s->diagnostics);
  return fine ? HY_STATUS_FINE : HY_STATUS_WRONG;
}

static hy_status no_interval(hy_search *search, const hy_box_set *needs) {
  const hy_func *func = search->graph->nodes[needs->unbounded].func;
  const char *dim = func->dims[needs->unbounded_dim];
  hy_text help = {0};
  hy_text_printf(&help, "add --estimate %s.%s=MIN:LEN, or clamp the coordinate that reads it", func->name, dim);
  hy_report(search->session->diagnostics, HY_E_ESTIMATE_MISSING, nowhere, NULL, hy_text_string(&help),
            "how much of '%s' is read in '%s' does not follow from the estimates", func->name, dim);
  hy_text_free(&help);
  return HY_STATUS_USAGE;
}

static bool runs(const hy_search *search) { return search->session->options.level >= 2; }

static hy_status too_large(hy_search *search, const char *what) {
  hy_report(search->session->diagnostics, HY_E_TUNE_TOO_LARGE, nowhere, NULL,
            runs(search) ? "estimate smaller sizes, or look for a schedule without running any: --level 1"
                         : "estimate smaller sizes",
            "the estimated sizes make %s larger than %s memory", what, runs(search) ? "this machine's" : "any");
  return HY_STATUS_USAGE;
}

// Outputs and images are there as a whole, however it is scheduled. What runs nothing says the same on every machine,
// and has what a process can address (47 bits).
static hy_status check_memory(hy_search *search) {
  double bytes = 0, memory = (double)(INT64_C(1) << 47);
  if (runs(search)) memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  for (int n = 0; n < search->graph->count; n++) {
    const hy_func_node *node = &search->graph->nodes[n];
    int64_t points;
    if (!node->is_needed || (node->definition && !node->is_output)) continue;
    if (!hy_box_points(&node->box, &points)) return too_large(search, node->func->name);
    bytes += (double)points * (double)hy_func_bytes(node->func);
    if (bytes > memory) return too_large(search, node->func->name);
  }
  return HY_STATUS_FINE;
}

static hy_status find_boxes(hy_search *search) {
  hy_box_set *needs = hy_box_set_new(search->graph);
  hy_status status = HY_STATUS_FINE;
  if (!hy_boxes_concrete(search->graph, needs))
    status = needs->unbounded >= 0 ? no_interval(search, needs) : too_large(search, "a func");
  hy_box_set_free(needs);
  return status == HY_STATUS_FINE ? check_memory(search) : status;
}

static hy_tune_parameters parameters_of(const hy_options *o) {
  hy_tune_parameters p = hy_tune_default();
  if (o->vector_width) p.lanes = o->vector_width;
  if (o->parallelism) p.parallelism = o->parallelism;
  if (o->cache_kb) p.cache_bytes = o->cache_kb * 1024;
  if (o->load_cost) p.load_cost = o->load_cost;
  return p;
}

hy_func_graph *hy_search_graph(const hy_search *search, hy_context *context, const hy_alg *alg) {
  hy_diagnostics *unheard = hy_diagnostics_new();
  hy_func_graph *graph = hy_graph_new(context, alg, search->sizes.estimates);
  graph->values = hy_values_of_floats(context, hy_lower(context, alg, unheard));
  hy_diagnostics_free(unheard);
  return graph;
}

static hy_machine this_machine(void) {
  long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE), l2 = sysconf(_SC_LEVEL2_CACHE_SIZE), l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return (hy_machine){.cores = (int)sysconf(_SC_NPROCESSORS_ONLN),
                      .vector_bytes = 32,
                      .l1_bytes = l1 > 0 ? l1 : 32 << 10,
                      .l2_bytes = l2 > 0 ? l2 : 1 << 20,
                      .l3_bytes = l3 > 0 ? l3 : 16 << 20};
}

hy_status hy_search_begin(hy_search *search, hy_session *s) {
  *search = (hy_search){.session = s, .parameters = parameters_of(&s->options), .machine = this_machine()};
  hy_status status = check_algorithm(s);
  if (status == HY_STATUS_FINE) status = hy_sizes_read(s, &search->sizes);
  if (status != HY_STATUS_FINE) return status;
  hy_alg_print(s->alg, &search->algorithm);
  search->graph = hy_search_graph(search, s->context, s->alg);
  return find_boxes(search);
}

void hy_search_free(hy_search *search) {
  hy_text_free(&search->algorithm);
  hy_sizes_free(&search->sizes);
}

/* -- runs -- */

static bool has_all_values(hy_search *search) {
  const hy_alg *alg = search->session->alg;
  bool all = true;
  for (int i = 0; i < alg->param_count; i++) {
    if (search->sizes.has_value[i]) continue;
    hy_text help = {0};
    hy_text_printf(&help, "add -p %s=VALUE", alg->params[i]->name);
    hy_report(search->session->diagnostics, HY_E_PARAM_MISSING, nowhere, NULL, hy_text_string(&help),
              "parameter '%s' (%s) has no value, and level 2 runs the pipeline", alg->params[i]->name,
              hy_type_name(alg->params[i]->type));
    hy_text_free(&help);
    all = false;
  }
  return all;
}

// Random numbers where the estimates, or the boxes that follow from them, say that the image is.
static bool make_image(hy_search *search, int k) {
  const hy_func *image = search->session->alg->images[k];
  const hy_box *box = &search->graph->nodes[image->index].box;
  if (hy_estimates_knows(search->sizes.estimates, image)) box = &search->sizes.estimates->boxes[image->index];
  int64_t min[HY_MAX_RANK] = {0}, len[HY_MAX_RANK] = {0};
  for (int d = 0; d < image->rank && search->graph->nodes[image->index].is_needed; d++) {
    min[d] = box->min[d];
    len[d] = box->len[d];
  }
  hy_buffer *buffer = hy_buffer_new(image->type, image->rank, min, len);
  if (!buffer) return false;
  hy_generator_fill_random(buffer, search->session->options.seed + (uint64_t)k);
  search->sizes.arguments.images[k] = buffer;
  return true;
}

hy_status hy_search_input(hy_search *search, hy_input *input) {
  const hy_alg *alg = search->session->alg;
  hy_arguments *a = &search->sizes.arguments;
  if (!has_all_values(search)) return HY_STATUS_USAGE;
  for (int d = 0; d < alg->window_rank; d++) {
    const hy_var *side = alg->window_min[d];
    a->window_min[d] = search->sizes.estimates->boxes[side->func->index].min[side->dim];
    a->window_len[d] = search->sizes.estimates->boxes[side->func->index].len[side->dim];
  }
  for (int k = 0; k < alg->image_count; k++)
    if (!a->images[k] && !make_image(search, k)) return too_large(search, alg->images[k]->name);
  *input = a->input;
  return HY_STATUS_FINE;
}

/* -- what is legal, and what is proved -- */

typedef struct {
  hy_search *search;
  const hy_func_graph *graph;
} speller;

static bool is_legal(void *self, const hy_choices_list *choices) {
  speller *s = self;
  hy_text text = {0};
  hy_search_print(s->search, s->graph, choices, &text);
  s->search->tried++;
  hy_candidate *candidate = hy_candidate_new(hy_text_string(&s->search->algorithm), hy_text_string(&text));
  bool legal = candidate->is_legal;
  hy_candidate_free(candidate);
  hy_text_free(&text);
  return legal;
}

void hy_search_print(const hy_search *search, const hy_func_graph *graph, const hy_choices_list *choices,
                     hy_text *schedule) {
  hy_spelling spelling = {.name = schedule_name, .left_out = search->is_kept, .given = search->given};
  hy_spell(graph, choices, &spelling, schedule);
}

void hy_search_repair(hy_search *search, hy_proposal *proposal) {
  speller s = {search, proposal->graph};
  proposal->choices = hy_repair(proposal->graph, proposal->choices, is_legal, &s, &search->refused);
}

static void report_defect(hy_search *search) {
  hy_report(search->session->diagnostics, HY_E_CERTIFICATE_REJECTED, nowhere, "VER.Certificate (decision D64)",
            "please report it with the algorithm", "the judge does not accept Halyard's proofs of a schedule");
}

static void report_absent(hy_search *search) {
  hy_report(search->session->diagnostics, HY_E_CANNOT_READ, nowhere, NULL,
            "install it beside halyard, or say with HALYARD_CERTCHECK=FILE where it is",
            "halyard-certcheck, which is to check the certificates, cannot be run");
}

static bool take_proof(hy_search *search, const hy_tune_proof *proof, hy_status *status) {
  if (proof->is_defect) report_defect(search);
  if (proof->is_absent) report_absent(search);
  if (proof->is_defect) *status = HY_STATUS_DEFECT;
  if (proof->is_absent) *status = HY_STATUS_USAGE;
  search->unproved += proof->answer != HY_YES;
  return proof->answer == HY_YES;
}

bool hy_search_certify(hy_search *search, const char *schedule, hy_tune_proof *proof, hy_status *status) {
  hy_reporter_progress(search->session->reporter, "proving");
  hy_candidate *candidate = hy_candidate_new(hy_text_string(&search->algorithm), schedule);
  *proof = (hy_tune_proof){.answer = HY_UNKNOWN};
  if (candidate->is_legal) *proof = hy_candidate_certify(candidate, search->session->options.z3_limit);
  hy_candidate_free(candidate);
  return take_proof(search, proof, status);
}

// What the first look refutes is a defect of ours where the bounds are: the whole proof says so.
bool hy_search_certify_soon(hy_search *search, const char *schedule, hy_tune_proof *proof, hy_status *status) {
  hy_reporter_progress(search->session->reporter, "proving");
  hy_candidate *candidate = hy_candidate_new(hy_text_string(&search->algorithm), schedule);
  *proof = (hy_tune_proof){.answer = HY_UNKNOWN};
  if (candidate->is_legal && hy_candidate_accepted(candidate) != HY_UNKNOWN)
    *proof = hy_candidate_certify(candidate, search->session->options.z3_limit);
  hy_candidate_free(candidate);
  return take_proof(search, proof, status);
}
