#include "gate/ship/tools.h"

#include "gate/ship/workshop.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool hy_tools_read_file(const char *path, hy_text *out) {
  char piece[1 << 16];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) hy_text_add_bytes(out, piece, got);
  bool good = !ferror(file);
  fclose(file);
  return good;
}

static const char *runtime;

void hy_tools_use_runtime(const char *path) { runtime = path; }

// What was named, or beside the program that runs.
static bool find_runtime(char path[HY_PATH]) {
  if (runtime) return snprintf(path, HY_PATH, "%s", runtime) < HY_PATH && access(path, R_OK) == 0;
  ssize_t length = readlink("/proc/self/exe", path, HY_PATH - 32);
  if (length <= 0) return false;
  path[length] = 0;
  char *name = strrchr(path, '/');
  if (!name) return false;
  strcpy(name + 1, "halyard_runtime.o");
  return access(path, R_OK) == 0;
}

static bool make(const hy_text *object, const char *member, bool shared, hy_text *out, const char **why) {
  hy_workshop w;
  char runtime_path[HY_PATH], object_name[HY_PATH];
  *why = "the run-time library, halyard_runtime.o, does not lie beside this program (or where HALYARD_RUNTIME says)";
  if (!find_runtime(runtime_path)) return false;
  snprintf(object_name, sizeof object_name, "%.200s.o", member);
  bool good = hy_workshop_open(&w, why) && hy_workshop_write(&w, object_name, object->data, object->length, why);
  if (good) {
    char object_path[HY_PATH], result[HY_PATH];
    hy_workshop_path(&w, object_name, object_path), hy_workshop_path(&w, "result", result);
    char *archive[] = {"ar", "rcsD", result, object_path, runtime_path, NULL};
    char *link[] = {"cc", "-shared", "-o", result, object_path, runtime_path, "-pthread", "-lm", NULL};
    good = hy_workshop_make(&w, shared ? "cc -shared" : "ar", shared ? link : archive, out, why);
  }
  hy_workshop_close(&w);
  return good;
}

bool hy_tools_archive(const hy_text *object, const char *member, hy_text *out, const char **why) {
  return make(object, member, false, out, why);
}

bool hy_tools_link(const hy_text *object, hy_text *out, const char **why) {
  return make(object, "pipeline", true, out, why);
}

/* -- what they are -- */

// Piece by piece: this program is larger than anything else that is held here.
static bool hash_file(const char *path, char digits[HY_SHA256_DIGITS + 1]) {
  unsigned char piece[1 << 16];
  hy_sha256_state state;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  hy_sha256_begin(&state);
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;) hy_sha256_add(&state, piece, got);
  bool good = !ferror(file);
  fclose(file);
  hy_sha256_end(&state, digits);
  return good;
}

bool hy_tools_hash_runtime(char digits[HY_SHA256_DIGITS + 1]) {
  char path[HY_PATH];
  return find_runtime(path) && hash_file(path, digits);
}

bool hy_tools_hash_self(char digits[HY_SHA256_DIGITS + 1]) { return hash_file("/proc/self/exe", digits); }

void hy_tools_linker_version(hy_text *out) {
  char *words[] = {"cc", "--version", NULL};
  sigset_t before;
  hy_text said = {0};
  hy_signals_hold(&before);
  if (hy_workshop_run(NULL, words, &before, &said) == 0)
    hy_text_add_bytes(out, hy_text_string(&said), strcspn(hy_text_string(&said), "\n"));
  hy_signals_release(&before);
  hy_text_free(&said);
}
