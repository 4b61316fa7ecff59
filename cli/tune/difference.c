#include "cli/tune/difference.h"

#include "fuzz/pairs/case.h"
#include "semantics/base/whole_file.h"

#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};

// Core directives, one a line.
static void print_items(const hy_candidate *c, hy_text *out) {
  for (int i = 0; i < c->pipeline.core_count; i++) {
    hy_directive_print(&c->pipeline.core[i], out);
    hy_text_add(out, "\n");
  }
}

static void fill_input(const hy_search *search, hy_case_input *input) {
  const hy_arguments *a = &search->sizes.arguments;
  memcpy(input->min, a->window_min, sizeof input->min);
  memcpy(input->len, a->window_len, sizeof input->len);
  for (int p = 0; p < search->session->alg->param_count && p < HY_MOST_PARAMS; p++) input->params[p] = a->params[p].i;
  input->seed = search->session->options.seed;
}

static void print_case(hy_search *search, const char *reference, const char *different, hy_text *out) {
  hy_candidate *candidate = hy_candidate_new(hy_text_string(&search->algorithm), different);
  hy_text items = {0}, notes = {0};
  print_items(candidate, &items);
  hy_text_printf(&notes, "found by 'halyard tune': this schedule computes something else than\n%s", reference);
  hy_case c = {.alg = search->algorithm.data, .items = items.data ? items.data : (char[]){""}, .input_count = 1};
  fill_input(search, &c.inputs[0]);
  hy_case_print(&c, hy_text_string(&notes), out);
  hy_text_free(&items);
  hy_text_free(&notes);
  hy_candidate_free(candidate);
}

hy_status hy_difference_report(hy_search *search, const char *reference, const char *different) {
  const char *output = search->session->options.output;
  hy_text text = {0}, path = {0};
  print_case(search, reference, different, &text);
  hy_text_printf(&path, "%s.case", output ? output : search->session->alg->name);
  FILE *file = fopen(hy_text_string(&path), "wb"); // written though the command ends with a status other than 0
  bool written = file && fwrite(hy_text_string(&text), 1, text.length, file) == text.length;
  if (file && fclose(file) != 0) written = false;
  hy_report(search->session->diagnostics, HY_E_TUNE_DIFFERS, nowhere, NULL,
            written ? "please report it with the case file: 'halyard replay --lanes 1,4' shows it again, perhaps"
                    : "please report it",
            "two proved schedules of '%s' compute different outputs: a defect of Halyard%s%s",
            search->session->alg->name, written ? "; see " : "", written ? hy_text_string(&path) : "");
  hy_text_free(&text);
  hy_text_free(&path);
  return HY_STATUS_DEFECT;
}
