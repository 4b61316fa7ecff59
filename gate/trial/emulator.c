#include "gate/trial/emulator.h"

#include "gate/ship/workshop.h"

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
    good &= hy_workshop_run(words, &before, &said) == 0;
    hy_signals_release(&before);
    hy_text_free(&said);
  }
  return good;
}

static bool write_sources(const hy_workshop *w, const char *pipeline, const hy_text *bytes, const char **why) {
  bool good = hy_workshop_write(w, pipeline, bytes->data, bytes->length, why);
  for (size_t i = 0; i < HY_COUNT(sources) && good; i++)
    good = hy_workshop_write(w, sources[i].name, sources[i].bytes, sources[i].length, why);
  return good;
}

// "pipeline": the name of the file with these bytes, an object or a source.
static bool link_program(const hy_emulator *emulator, const char *pipeline, const hy_text *bytes, const char *entry,
                         hy_text *program, const char **why) {
  static const char *const options[] = {"-std=gnu17", "-D_GNU_SOURCE", "-O1",
                                        "-static",    "-pthread",      "-DHY_GUARD_SPACE_BITS=30"};
  enum { MOST = HY_COUNT(sources) + HY_COUNT(options) + 10 };
  hy_workshop w;
  char include[HY_PATH + 2], paths[HY_COUNT(sources) + 2][HY_PATH], *words[MOST] = {(char *)emulator->compiler};
  size_t count = 1, made = 0;
  bool good = hy_workshop_open(&w, why) && write_sources(&w, pipeline, bytes, why);
  if (good) {
    snprintf(include, sizeof include, "-I%s", w.folder);
    for (size_t i = 0; i < HY_COUNT(options); i++) words[count++] = (char *)options[i];
    hy_workshop_path(&w, "result", paths[made]), hy_workshop_path(&w, pipeline, paths[made + 1]);
    words[count++] = (char *)entry, words[count++] = include, words[count++] = "-o";
    words[count++] = paths[made++], words[count++] = paths[made++];
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
static bool links_without(const hy_emulator *emulator, const char *entry) {
  const char *unheard;
  hy_text source = {0}, program = {0};
  hy_text_add(&source, "int HALYARD_ENTRY(void **args) { return args != 0; }\n");
  bool good = link_program(emulator, "pipeline.c", &source, entry, &program, &unheard);
  hy_text_free(&source);
  hy_text_free(&program);
  return good;
}

hy_gate_verdict hy_emulator_link(const hy_emulator *emulator, const hy_text *object, const char *name, hy_text *program,
                                 const char **why) {
  char entry[320], said[600];
  static _Thread_local char kept[640];
  snprintf(entry, sizeof entry, "-DHALYARD_ENTRY=%.250s_argv", name);
  if (link_program(emulator, "pipeline.o", object, entry, program, why)) return HY_GATE_PASSED;
  snprintf(said, sizeof said, "%s", *why);
  bool is_to_blame = links_without(emulator, entry);
  snprintf(kept, sizeof kept, "%s%s", is_to_blame ? "it cannot be linked: " : "", said);
  *why = kept;
  return is_to_blame ? HY_GATE_WRONG : HY_GATE_UNDECIDED;
}
