#include "plugin/load.h"
#include "semantics/base/vec.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const hy_loc nowhere = {0};

typedef HY_VEC(const hy_plugin *) plugin_list;

// What a plug-in declares, as it was when it was loaded: texts are Halyard's own copies.
typedef struct {
  hyd_directive record;
  char *texts[3];
} declaration;

struct hy_plugin_set {
  hy_plugins list;
  plugin_list items;
  HY_VEC(void *) objects; // of dlopen, by index
  HY_VEC(declaration *) declarations;
};

hy_plugin_set *hy_plugin_set_new(hy_plugin_watch *watch, int processor_seconds, int seconds) {
  hy_plugin_set *set = hy_allocate_zeroed(1, sizeof *set);
  set->list = (hy_plugins){.watch = watch, .limits = hy_plugin_limits_new(processor_seconds, seconds)};
  return set;
}

void hy_plugin_set_free(hy_plugin_set *set) {
  if (!set) return;
  set->list.count = 0; // their declarations go with them
  for (size_t i = 0; i < set->objects.count; i++) {
    hy_plugin_enter(&set->list, (int)i, HY_PLUGIN_UNLOAD);
    dlclose(set->objects.data[i]);
    hy_plugin_leave(&set->list);
  }
  for (size_t i = 0; i < set->items.count; i++) hy_free((hy_plugin *)set->items.data[i]);
  for (size_t i = 0; i < set->declarations.count; i++) {
    for (size_t k = 0; k < HY_COUNT(set->declarations.data[i]->texts); k++)
      hy_free(set->declarations.data[i]->texts[k]);
    hy_free(set->declarations.data[i]);
  }
  hy_vec_free(&set->declarations);
  hy_vec_free(&set->items);
  hy_vec_free(&set->objects);
  hy_plugin_limits_free(set->list.limits);
  hy_free(set);
}

const hy_plugins *hy_plugin_set_list(const hy_plugin_set *set) { return &set->list; }

/* -- a file -- */

static bool refuse(hy_diagnostics *diagnostics, const char *path, const char *why, const char *help) {
  hy_report(diagnostics, HY_E_PLUGIN_LOAD, nowhere, NULL, help, "cannot load the plug-in '%s': %s", path, why);
  return false;
}

static const char build_help[] =
    "build it with cc -shared -fPIC -I include FILE.c -o FILE.so; docs/directives.md tells more";

// The loader's own message for a text file or a program for another machine helps nobody.
static bool is_shared_object(const char *path, hy_diagnostics *diagnostics) {
  unsigned char head[18] = {0};
  FILE *file = fopen(path, "rb");
  if (!file) return refuse(diagnostics, path, strerror(errno), NULL);
  size_t got = fread(head, 1, sizeof head, file);
  int why = ferror(file) ? errno : 0;
  fclose(file);
  if (why) return refuse(diagnostics, path, strerror(why), NULL);
  if (got < sizeof head || memcmp(head, "\177ELF", 4) != 0)
    return refuse(diagnostics, path, "it is not a shared object", build_help);
  enum { SHARED = 3 };
  if (head[16] != SHARED)
    return refuse(diagnostics, path, "it is an object file or program, not a shared object", build_help);
  return true;
}

static void *open_object(hy_plugin_set *set, const char *path, hy_diagnostics *diagnostics) {
  hy_text full = {0};
  hy_text_printf(&full, "%s%s", strchr(path, '/') ? "" : "./", path); // not from the system's folders
  hy_plugin_enter(&set->list, (int)set->items.count, HY_PLUGIN_LOAD);
  void *object = dlopen(hy_text_string(&full), RTLD_NOW | RTLD_LOCAL);
  hy_plugin_leave(&set->list);
  hy_text_free(&full);
  if (!object) {
    const char *why = dlerror();
    refuse(diagnostics, path, why ? why : "the loader does not say why", build_help);
  }
  return object;
}

static const hyd_directive *copy_record(hy_plugin_set *set, const hyd_directive *given) {
  declaration *own = hy_allocate_zeroed(1, sizeof *own);
  own->record = *given;
  own->record.name = own->texts[0] = hy_copy_string(given->name);
  own->record.form = own->texts[1] = hy_copy_string(given->form);
  own->record.summary = own->texts[2] = hy_copy_string(given->summary);
  hy_vec_push(&set->declarations, own);
  return &own->record;
}

// Read while the plug-in is still to blame for where its pointers lead.
static const char *read_record(hy_context *context, hy_plugin_set *set, const hyd_directive *given,
                               const hyd_directive **read) {
  hy_plugin_enter(&set->list, (int)set->items.count, HY_PLUGIN_RECORD);
  const char *why = hy_plugin_check(context, given);
  if (!why) *read = copy_record(set, given);
  hy_plugin_leave(&set->list);
  return why;
}

static const hyd_directive *find_directive(hy_context *context, hy_plugin_set *set, void *object, const char *path,
                                           hy_diagnostics *diagnostics) {
  const hyd_directive *given = dlsym(object, "halyard_directive"), *directive = NULL;
  const char *why = "it does not define 'halyard_directive'";
  if (given) why = read_record(context, set, given, &directive);
  const hy_plugin *other = directive && !why ? hy_plugins_find(&set->list, directive->name) : NULL;
  if (other)
    why =
        hy_arena_printf(hy_context_arena(context), "'%s' is a directive of '%s' already", directive->name, other->path);
  if (!why) return directive;
  refuse(diagnostics, path, why, "include/halyard_directive.h describes what a plug-in defines");
  return NULL;
}

bool hy_plugin_set_load(hy_plugin_set *set, hy_context *context, const char *path, hy_diagnostics *diagnostics) {
  if (!is_shared_object(path, diagnostics)) return false;
  void *object = open_object(set, path, diagnostics);
  if (!object) return false;
  hy_vec_push(&set->objects, object);
  const hyd_directive *directive = find_directive(context, set, object, path, diagnostics);
  if (!directive) return false;
  hy_plugin *plugin = hy_allocate_zeroed(1, sizeof *plugin);
  *plugin = hy_plugin_make(directive, path, (int)set->items.count);
  hy_vec_push(&set->items, (const hy_plugin *)plugin);
  set->list.items = set->items.data;
  set->list.count = (int)set->items.count;
  return true;
}

/* -- shared memory -- */

void *hy_shared_new(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) HY_DIE("cannot share %zu bytes with a child process: %s", size, strerror(errno));
  return memory;
}

void hy_shared_free(void *memory, size_t size) {
  if (memory) munmap(memory, size);
}
