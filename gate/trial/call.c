#include "gate/trial/call.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void hear(void *context, const char *message) { (void)context, (void)message; }

bool hy_shipped_load(const hy_text *shared, const char *name, hy_shipped_code *code, char *why, size_t size) {
  char path[40], symbol[300];
  int file = memfd_create("shipped", MFD_CLOEXEC);
  halyard_error_handler *(*set_handler)(halyard_error_handler *);
  *code = (hy_shipped_code){.library = NULL};
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  snprintf(symbol, sizeof symbol, "%.250s_argv", name);
  code->is_held = file >= 0 && hy_write_all(file, shared->data, shared->length);
  if (!code->is_held) return snprintf(why, size, "it cannot be held in memory: %s", strerror(errno)), false;
  code->library = dlopen(path, RTLD_NOW);
  if (code->library) *(void **)&code->call = dlsym(code->library, symbol);
  if (!code->call) {
    const char *said = code->library ? "it has no function of its name" : dlerror();
    snprintf(why, size, "it cannot be loaded: %s", said ? said : strerror(errno));
    return false;
  }
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
  for (int k = 0; k < alg->output_count; k++) call->args[count + k] = &call->outputs[k].buffer;
}

void hy_shipped_describe(hy_shipped_call *call, const hy_alg *alg, const hy_arguments *a) {
  for (int k = 0; k < alg->image_count; k++) {
    const hy_buffer *image = a->images[k];
    hy_foreign_describe(&call->images[k], image->type, image->rank, image->min, image->len);
  }
  for (int k = 0; k < alg->output_count; k++) {
    const hy_output *o = &alg->outputs[k];
    hy_foreign_describe(&call->outputs[k], o->func->type, o->func->rank, a->window_min + o->first,
                        a->window_len + o->first);
  }
  pass_arguments(call, alg, a);
}
