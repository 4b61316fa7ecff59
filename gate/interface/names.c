/* Which names a function that is built or shipped may have: no words of C and C++, and no name
 * by which it would take the place of a function of the C library, which the run-time library, the code itself (floor,
 * memset) and the rest of the program call.
 */

#include "gate/interface/interface.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

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

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static bool ends(const char *name, const char *with) {
  size_t length = strlen(name), tail = strlen(with);
  return length >= tail && strcmp(name + length - tail, with) == 0;
}

// Names that C keeps for itself at file scope (C17, 7.1.3), POSIX and <stdint.h>, all that there are and will be; those
// of our headers, the run-time library and Halide's; and those that another pipeline's three functions may have.
static bool is_reserved(const char *name) {
  static const char *const beginnings[] = {"_", "hy_", "halyard_", "HALYARD_", "halide_", "HALIDE_", "pthread_"};
  static const char *const endings[] = {"_t", "_MIN", "_MAX", "_WIDTH", "_argv", "_metadata", "_slots"};
  for (size_t i = 0; i < HY_COUNT(beginnings); i++)
    if (begins(name, beginnings[i])) return true;
  for (size_t i = 0; i < HY_COUNT(endings); i++)
    if (ends(name, endings[i])) return true;
  return (begins(name, "INT") || begins(name, "UINT")) && ends(name, "_C");
}

// Words of C up to C23 and of C++ up to C++26, macros that are always there, what the link makes, and what the run-time
// library calls, whatever the C library is.
static bool is_taken(const char *name) {
  static const char *const lines[] = {
      " alignas alignof auto bool break case char const constexpr continue default do double else enum extern false ",
      " float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert ",
      " struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while asm ",
      " and and_eq bitand bitor catch class co_await co_return co_yield compl concept const_cast consteval constinit ",
      " contract_assert decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq ",
      " operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try ",
      " typeid typename using virtual xor xor_eq ",
      " NULL linux unix i386 ",
      " main end etext edata data_start atexit at_quick_exit environ ",
      " calloc fprintf free fwrite getenv madvise malloc memcpy memmove memset posix_memalign sched_getaffinity ",
      " snprintf stderr strtol sysconf vsnprintf ",
  };
  size_t length = strlen(name);
  for (size_t i = 0; i < HY_COUNT(lines); i++)
    for (const char *at = strstr(lines[i], name); at; at = strstr(at + 1, name))
      if (at[-1] == ' ' && at[length] == ' ') return true;
  return false;
}

bool hy_interface_name_is_free(const char *name) {
  if (!*name || isdigit((unsigned char)*name) || is_reserved(name)) return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return !is_taken(name) && !is_of_c_library(name);
}
