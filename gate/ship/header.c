/* The C header of what is built or shipped, and which names its function may have: no words of C and C++, and no name
 * by which it would take the place of a function of the C library, which the run-time library, the code itself (floor,
 * memset) and the rest of the program call.
 */

#include "gate/ship/ship.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

void hy_ship_header(const hy_alg *alg, const char *name, const char *about, hy_text *out) {
  hy_text_printf(out, "#ifndef HALYARD_BUILT_%s\n#define HALYARD_BUILT_%s\n\n%s", name, name, about);
  hy_text_add(out, "\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                   "struct halide_buffer_t;\nstruct halide_filter_metadata_t;\n\n");
  hy_ahead_prototype(alg, name, out);
  hy_text_printf(out, ";\nint %s_argv(void **args);\nconst struct halide_filter_metadata_t *%s_metadata(void);\n", name,
                 name);
  hy_text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

// Of this machine's C library, or its mathematical part. "gamma" is one, "blur" is none.
static bool is_of_c_library(const char *name) {
  static const char *const libraries[] = {"libc.so.6", "libm.so.6"};
  for (size_t i = 0; i < HY_COUNT(libraries); i++) {
    void *library = dlopen(libraries[i], RTLD_LAZY);
    bool has = library && dlsym(library, name);
    if (library) dlclose(library);
    if (has) return true;
  }
  return false;
}

// Words of C and C++, macros of the headers that NAME.h includes, and what the run-time library calls, whatever the C
// library is.
static bool is_taken(const char *name) {
  static const char words[] =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr "
      "continue"
      " decltype default delete do double else enum explicit export extern false float for friend goto if inline int "
      "long"
      " main mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register"
      " restrict return short signed sizeof static struct switch template this throw true try typedef typeid typename"
      " typeof union unsigned using virtual void volatile while xor xor_eq NULL linux unix"
      " calloc fprintf free fwrite getenv madvise malloc memcpy memmove memset posix_memalign sched_getaffinity "
      "snprintf"
      " stderr strtol sysconf vsnprintf ";
  size_t length = strlen(name);
  for (const char *at = strstr(words, name); at; at = strstr(at + 1, name))
    if (at[-1] == ' ' && at[length] == ' ') return true;
  return strncmp(name, "hy_", 3) == 0 || strncmp(name, "halyard_", 8) == 0 || strncmp(name, "pthread_", 8) == 0;
}

bool hy_ship_name_is_free(const char *name) {
  bool reserved = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
  if (!*name || isdigit((unsigned char)*name) || reserved) return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return !is_taken(name) && !is_of_c_library(name);
}
