#include "gate/trial/emulator.h"

#include "gate/interface/interface.h"
#include "gate/ship/workshop.h"
#include "gate/trial/remote.h"

#include <stdio.h>
#include <string.h>

static const hy_emulator rows[] = {
    {"aarch64-linux", "aarch64-linux-gnu-gcc", "qemu-aarch64",
     "Debian's packages for it: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user"},
    {"arm-32-linux", "arm-linux-gnueabihf-gcc", "qemu-arm",
     "Debian's packages for it: gcc-arm-linux-gnueabihf, libc6-dev-armhf-cross, qemu-user"},
};

// CMakeLists.txt makes the rows: an installed program needs no file beside it.
static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t length;
} sources[] = {
#include "emulated_sources.inc"
};

const hy_emulator *hy_emulator_find(const char *target) {
  for (size_t i = 0; i < HY_COUNT(rows); i++)
    if (strcmp(rows[i].target, target) == 0) return &rows[i];
  return NULL;
}

bool hy_emulator_is_here(const hy_emulator *emulator) {
  const char *const programs[] = {emulator->compiler, emulator->emulator};
  bool good = true;
  for (size_t i = 0; i < HY_COUNT(programs); i++) {
    char *words[] = {(char *)programs[i], "--version", NULL};
    hy_text said = {0};
    sigset_t before;
    hy_signals_hold(&before);
    good &= hy_workshop_run(NULL, words, &before, &said) == 0;
    hy_signals_release(&before);
    hy_text_free(&said);
  }
  return good;
}

// "halyard_called": NAME, with its types, or NAME_argv; and a use of NAME_metadata.
static void print_entry(const char *name, const hy_alg *alg, hy_text *out) {
  const int inputs = alg->param_count + alg->image_count;
  hy_header_print(alg, name, "", out);
  hy_text_printf(out, "\nconst void *halyard_metadata(void) { return %s_metadata(); }\n", name);
  hy_text_printf(out, "int32_t halyard_called(void **a, uint32_t by_name) {\n  return by_name ? %s(", name);
  for (int i = 0; i < inputs + alg->part_count; i++) {
    int k = i < inputs ? alg->signature[i] : -1;
    hy_text_add(out, i ? ", " : "");
    if (k > 0)
      hy_text_printf(out, "*(%s *)a[%d]", hy_type_c(hy_interface_type(alg->params[k - 1]->type)), i);
    else
      hy_text_printf(out, "a[%d]", i);
  }
  hy_text_printf(out, ") : %s_argv(a);\n}\n", name);
}

static bool write_sources(const hy_workshop *w, const char *pipeline, const hy_text *bytes, const hy_text *entry,
                          const char **why) {
  bool good = hy_workshop_write(w, pipeline, bytes->data, bytes->length, why) &&
              hy_workshop_write(w, "entry.c", entry->data, entry->length, why);
  for (size_t i = 0; i < HY_COUNT(sources) && good; i++)
    good = hy_workshop_write(w, sources[i].name, sources[i].bytes, sources[i].length, why);
  return good;
}

// "pipeline": the name of the file with these bytes, an object or a source.
static bool link_program(const hy_emulator *emulator, const char *pipeline, const hy_text *bytes, const hy_text *entry,
                         hy_text *program, const char **why) {
  static const char *const options[] = {"-std=gnu17", "-D_GNU_SOURCE", "-O1",
                                        "-static",    "-pthread",      "-DHY_GUARD_SPACE_BITS=30"};
  enum { MOST = HY_COUNT(sources) + HY_COUNT(options) + 10 };
  hy_workshop w;
  char include[HY_PATH + 2], paths[HY_COUNT(sources) + 3][HY_PATH], *words[MOST] = {(char *)emulator->compiler};
  size_t count = 1, made = 0;
  bool good = hy_workshop_open(&w, why) && write_sources(&w, pipeline, bytes, entry, why);
  if (good) {
    snprintf(include, sizeof include, "-I%s", w.folder);
    for (size_t i = 0; i < HY_COUNT(options); i++) words[count++] = (char *)options[i];
    hy_workshop_path(&w, "result", paths[made]), hy_workshop_path(&w, pipeline, paths[made + 1]);
    words[count++] = include, words[count++] = "-o", words[count++] = paths[made++], words[count++] = paths[made++];
    hy_workshop_path(&w, "entry.c", paths[made]);
    words[count++] = paths[made++];
    for (size_t i = 0; i < HY_COUNT(sources); i++) {
      if (strcmp(strrchr(sources[i].name, '.'), ".c") != 0) continue;
      hy_workshop_path(&w, sources[i].name, paths[made]);
      words[count++] = paths[made++];
    }
    words[count++] = "-lm";
    good = hy_workshop_make(&w, emulator->compiler, words, program, why);
  }
  hy_workshop_close(&w);
  return good;
}

// The same without the object: are all libraries here?
static bool link_without(const hy_emulator *emulator, const char *name, const hy_text *entry, hy_text *program) {
  const char *unheard;
  hy_text source = {0};
  hy_text_printf(&source, "int %s(void) { return 0; }\nint %s_argv(void) { return 0; }\n", name, name);
  hy_text_printf(&source, "const void *%s_metadata(void) { return 0; }\n", name);
  bool good = link_program(emulator, "pipeline.c", &source, entry, program, &unheard);
  hy_text_free(&source);
  return good;
}

hy_gate_verdict hy_emulator_link(const hy_emulator *emulator, const hy_text *object, const char *name,
                                 const hy_alg *alg, hy_text *program, const char **why) {
  static _Thread_local char kept[640];
  hy_text entry = {0}, unused = {0};
  print_entry(name, alg, &entry);
  bool is_made = link_program(emulator, "pipeline.o", object, &entry, program, why), is_to_blame = false;
  if (!is_made) {
    char said[600];
    snprintf(said, sizeof said, "%s", *why);
    is_to_blame = link_without(emulator, name, &entry, &unused);
    snprintf(kept, sizeof kept, "%s%s", is_to_blame ? "it cannot be linked: " : "", said);
    *why = kept;
  }
  hy_text_free(&entry);
  hy_text_free(&unused);
  return is_made ? HY_GATE_PASSED : is_to_blame ? HY_GATE_WRONG : HY_GATE_UNDECIDED;
}

bool hy_emulator_runs(const hy_emulator *emulator, const char *name, const hy_alg *alg) {
  hy_text entry = {0}, program = {0};
  hy_remote remote = {.process = -1};
  char unheard[300];
  print_entry(name, alg, &entry);
  bool good = link_without(emulator, name, &entry, &program) &&
              hy_remote_start(&remote, emulator, &program, unheard, sizeof unheard);
  hy_remote_end(&remote);
  hy_text_free(&entry);
  hy_text_free(&program);
  return good;
}
