#include "gate/interface/interface.h"

#include <string.h>

/* -- the prototype: parameters and images as the signature has them, then the outputs -- */

hy_type hy_interface_type(hy_type param) { return param == HY_INT ? HY_I32 : param; }

// "type": with the blank or star that is to stand before a name.
static void print_argument(bool is_first, const char *type, const char *name, hy_text *out) {
  // No such name is a word of C, a macro or reserved; _NAME would be: of 'Bool', _Bool.
  hy_text_printf(out, "%s%sarg_%s", is_first ? "" : ", ", type, name);
}

static bool is_argument(const hy_alg *alg, const char *name) {
  bool is = false;
  for (int i = 0; i < alg->param_count; i++) is |= strcmp(alg->params[i]->name, name) == 0;
  for (int i = 0; i < alg->image_count; i++) is |= strcmp(alg->images[i]->name, name) == 0;
  for (int k = 0; k < alg->part_count; k++) is |= strcmp(alg->parts[k].name, name) == 0;
  return is;
}

// "f"; of an output of several values "f_0", as Halide has it, or, where something else is called so, "0_f".
static void name_part(const hy_alg *alg, const hy_output_part *part, hy_text *out) {
  hy_text usual = {0};
  if (part->func->more)
    hy_text_printf(&usual, "%s_%d", part->func->name, part->part);
  else
    hy_text_add(&usual, part->name);
  if (part->func->more && is_argument(alg, hy_text_string(&usual)))
    hy_text_printf(out, "%d_%s", part->part, part->func->name);
  else
    hy_text_add(out, hy_text_string(&usual));
  hy_text_free(&usual);
}

static void print_prototype(const hy_alg *alg, const char *name, hy_text *out) {
  static const char buffer[] = "struct halide_buffer_t *";
  int inputs = alg->param_count + alg->image_count;
  hy_text_printf(out, "int %s(", name);
  for (int i = 0; i < inputs; i++) {
    int k = alg->signature[i];
    if (k > 0) {
      hy_text_printf(out, "%s%s arg_%s", i ? ", " : "", hy_type_c(hy_interface_type(alg->params[k - 1]->type)),
                     alg->params[k - 1]->name);
    } else {
      print_argument(i == 0, buffer, alg->images[-k - 1]->name, out);
    }
  }
  for (int k = 0; k < alg->part_count; k++) {
    hy_text argument = {0};
    name_part(alg, &alg->parts[k], &argument);
    print_argument(inputs + k == 0, buffer, hy_text_string(&argument), out);
    hy_text_free(&argument);
  }
  hy_text_add(out, ")");
}

void hy_header_print(const hy_alg *alg, const char *name, const char *about, hy_text *out) {
  hy_text_printf(out, "#ifndef HALYARD_BUILT_%s\n#define HALYARD_BUILT_%s\n\n%s", name, name, about);
  hy_text_add(out, "\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                   "struct halide_buffer_t;\nstruct halide_filter_metadata_t;\n\n");
  print_prototype(alg, name, out);
  hy_text_printf(out, ";\nint %s_argv(void **args);\nconst struct halide_filter_metadata_t *%s_metadata(void);\n", name,
                 name);
  hy_text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

void hy_header_print_shipped(const hy_manifest *m, const hy_alg *alg, hy_text *out) {
  hy_text about = {0};
  hy_text_printf(&about, "// Made by halyard %s: '%s', schedule %s. 0, or a code of halyard_runtime.h.\n", m->halyard,
                 m->pipeline, m->schedule);
  hy_text_printf(&about, "// %s: %zu obligations. Identity %s\n",
                 m->proved ? "Proved for all inputs: every access is in bounds, every point is computed"
                           : "NOT PROVED for all inputs",
                 m->obligations, m->identity);
  hy_header_print(alg, m->name, hy_text_string(&about), out);
  hy_text_free(&about);
}
