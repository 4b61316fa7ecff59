/* What P_argv does first: arguments as a caller has them become the 64-bit words that the pipeline takes. Buffers come
 * from other programs, so that each is looked at before it is used: the code is made for one type and rank, and for
 * elements that lie side by side in dimension 0, or for strides of which all buffers have to have theirs. Whether a box is large enough is the entry block's to say.
 */

#include "codegen/runtime/runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool fits(const hy_native_buffer *buffer, const hy_runtime_argument *want) {
  if (!buffer || buffer->dimensions != want->rank) return false;
  if (buffer->type.code != want->code || buffer->type.bits != want->bits || buffer->type.lanes != 1) return false;
  if (want->rank > 0 && !buffer->dim) return false;
  bool empty = false;
  for (int32_t d = 0; d < want->rank; d++) {
    if (buffer->dim[d].extent < 0) return false;
    empty |= buffer->dim[d].extent == 0;
  }
  if (!buffer->host || empty) return empty;
  return (uintptr_t)buffer->host % (uintptr_t)((want->bits + 7) / 8) == 0;
}

static bool has_strides(const hy_native_buffer *buffer, const int32_t *stride) {
  for (int32_t d = 0; d < buffer->dimensions; d++)
    if (stride[d] && buffer->dim[d].extent > 1 && buffer->dim[d].stride != stride[d]) return false;
  return true;
}

// Nothing is said of most: they are dense in dimension 0 either way.
static bool lies_so(const hy_native_buffer *buffer, const hy_runtime_argument *want) {
  bool is_said = false;
  for (int32_t d = 0; d < want->rank; d++) is_said |= want->stride[d] != 0;
  return has_strides(buffer, is_said ? want->stride : want->always);
}

static bool lie_well(const hy_runtime_argument *signature, int64_t count, void **args) {
  bool all_so = true, all_always = true;
  for (int64_t i = 0; i < count; i++) {
    if (!signature[i].is_buffer) continue;
    all_so = all_so && lies_so(args[i], &signature[i]);
    all_always = all_always && has_strides(args[i], signature[i].always);
  }
  return all_so || all_always;
}

static bool has_box_of(const hy_native_buffer *buffer, const hy_native_buffer *first) {
  for (int32_t d = 0; d < buffer->dimensions; d++)
    if (buffer->dim[d].min != first->dim[d].min || buffer->dim[d].extent != first->dim[d].extent) return false;
  return true;
}

// data, then min, len, stride of every dimension
static void unpack_buffer(const hy_native_buffer *buffer, int64_t *slots) {
  slots[0] = (int64_t)(intptr_t)buffer->host;
  for (int32_t d = 0; d < buffer->dimensions; d++) {
    slots[1 + 3 * d] = buffer->dim[d].min;
    slots[2 + 3 * d] = buffer->dim[d].extent;
    slots[3 + 3 * d] = buffer->dim[d].stride;
  }
}

int32_t hy_runtime_unpack(const hy_runtime_argument *signature, int64_t count, void **args, int64_t *slots) {
  for (int64_t i = 0; i < count; i++) {
    const hy_runtime_argument *want = &signature[i];
    if (!want->is_buffer) {
      slots[want->slot] = 0;
      memcpy(&slots[want->slot], args[i], ((size_t)want->bits + 7) / 8);
    } else if (fits(args[i], want) && has_box_of(args[i], args[i - want->part])) {
      unpack_buffer(args[i], &slots[want->slot]);
    } else {
      return HY_NATIVE_BAD_BUFFER;
    }
  }
  return lie_well(signature, count, args) ? HY_NATIVE_OK : HY_NATIVE_BAD_BUFFER;
}
