#include "gate/trial/call.h"

#include "gate/interface/interface.h"

#include <dlfcn.h>
#include <errno.h>
#include <ffi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void hear(void *context, const char *message) { (void)context, (void)message; }

static void *find(const hy_shipped_code *code, const char *name, const char *suffix, char *why, size_t size) {
  char symbol[300];
  snprintf(symbol, sizeof symbol, "%.250s%s", name, suffix);
  void *found = dlsym(code->library, symbol);
  if (!found) snprintf(why, size, "it cannot be called: it has no function %s", symbol);
  return found;
}

bool hy_shipped_load(const hy_text *shared, const char *name, hy_shipped_code *code, char *why, size_t size) {
  char path[40];
  int file = memfd_create("shipped", MFD_CLOEXEC);
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  *code = (hy_shipped_code){.library = NULL};
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  code->is_held = file >= 0 && hy_write_all(file, shared->data, shared->length);
  if (!code->is_held) return snprintf(why, size, "it cannot be held in memory: %s", strerror(errno)), false;
  code->library = dlopen(path, RTLD_NOW);
  if (!code->library) {
    const char *said = dlerror();
    snprintf(why, size, "it cannot be loaded: %s", said ? said : strerror(errno));
    return false;
  }
  *(void **)&code->call = find(code, name, "_argv", why, size);
  *(void **)&code->entry = find(code, name, "", why, size);
  if (!code->call || !code->entry || !find(code, name, "_metadata", why, size)) return false;
  *(void **)&set_handler = dlsym(code->library, "halyard_set_error_handler");
  if (set_handler) set_handler(hear);
  return true;
}

bool hy_shipped_is_callable(const hy_alg *alg) {
  return alg->image_count <= HY_MOST_PASSED && alg->param_count <= HY_MOST_PASSED;
}

static void pass_arguments(hy_shipped_call *call, const hy_alg *alg, const hy_arguments *a) {
  int count = alg->param_count + alg->image_count;
  for (int i = 0; i < count; i++) {
    int k = alg->signature[i];
    call->args[i] = k < 0 ? (void *)&call->images[-k - 1].buffer : (void *)call->params[k - 1];
    if (k <= 0) continue;
    hy_value_store(a->params[k - 1], call->params[k - 1]);
    if (alg->params[k - 1]->type == HY_INT) memcpy(call->params[k - 1], &(int32_t){(int32_t)a->params[k - 1].i}, 4);
  }
  for (int k = 0; k < alg->part_count; k++) call->args[count + k] = &call->outputs[k].buffer;
}

void hy_shipped_describe(hy_shipped_call *call, const hy_alg *alg, const hy_arguments *a) {
  for (int k = 0; k < alg->image_count; k++) {
    const hy_buffer *image = a->images[k];
    hy_foreign_describe(&call->images[k], image->type, image->rank, image->min, image->len);
  }
  for (int k = 0; k < alg->part_count; k++) {
    const hy_output_part *o = &alg->parts[k];
    hy_foreign_describe(&call->outputs[k], o->type, o->func->rank, a->window_min + o->first, a->window_len + o->first);
  }
  pass_arguments(call, alg, a);
}

/* -- as C calls it -- */

static ffi_type *type_of(hy_type type) {
  switch (hy_interface_type(type)) {
  case HY_BOOL:
  case HY_U8: return &ffi_type_uint8;
  case HY_U16:
  case HY_F16:
  case HY_BF16: return &ffi_type_uint16; // their bits
  case HY_U32: return &ffi_type_uint32;
  case HY_U64: return &ffi_type_uint64;
  case HY_I8: return &ffi_type_sint8;
  case HY_I16: return &ffi_type_sint16;
  case HY_I32: return &ffi_type_sint32;
  case HY_I64: return &ffi_type_sint64;
  case HY_F32: return &ffi_type_float;
  case HY_F64: return &ffi_type_double;
  case HY_INT: break;
  }
  HY_UNREACHABLE();
}

int32_t hy_shipped_enter(const hy_shipped_code *code, const hy_alg *alg, hy_shipped_call *call) {
  enum { MOST = 2 * HY_MOST_PASSED + HY_MAX_OUTPUT_PARTS };
  ffi_type *types[MOST];
  void *values[MOST];
  ffi_cif cif;
  ffi_arg status = 0;
  const int inputs = alg->param_count + alg->image_count, count = inputs + alg->part_count;
  for (int i = 0; i < count; i++) {
    int k = i < inputs ? alg->signature[i] : -1;
    types[i] = k > 0 ? type_of(alg->params[k - 1]->type) : &ffi_type_pointer;
    values[i] = k > 0 ? call->args[i] : (void *)&call->args[i];
  }
  ffi_status prepared = ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)count, &ffi_type_sint32, types);
  HY_ASSERT(prepared == FFI_OK);
  ffi_call(&cif, code->entry, &status, values);
  return (int32_t)status;
}
