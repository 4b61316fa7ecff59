#include "semantics/storage/strides.h"

bool hy_strides_say(const hy_strides *strides, int rank) {
  for (int d = 0; d < rank; d++)
    if (strides->of[d]) return true;
  return false;
}

bool hy_strides_same(const hy_strides *a, const hy_strides *b, int rank) {
  for (int d = 0; d < rank; d++)
    if (a->of[d] != b->of[d]) return false;
  return true;
}

bool hy_strides_fit(const hy_strides *strides, int rank) {
  for (int d = 0; d < rank; d++)
    if (strides->of[d] < 0 || strides->of[d] > HY_MOST_OF_STRIDE) return false;
  return true;
}

bool hy_alignment_fits(int64_t bytes) { return bytes >= 1 && bytes <= HY_MOST_OF_ALIGNMENT && !(bytes & (bytes - 1)); }

hy_strides hy_strides_wanted(const hy_strides *strides, int rank) {
  hy_strides wanted = *strides;
  bool is_dense = false;
  for (int d = 0; d < rank; d++) is_dense |= strides->of[d] == 1;
  if (rank > 0 && !wanted.of[0] && !is_dense) wanted.of[0] = 1;
  return wanted;
}

static int64_t distance(int64_t stride) { return stride < 0 ? -stride : stride; }

// By dimensions in the order of their strides: each steps over all elements of the ones before.
bool hy_strides_are_apart(int rank, const int64_t *len, const int64_t *stride) {
  int order[HY_MAX_RANK], count = 0;
  for (int d = 0; d < rank; d++) {
    if (len[d] <= 1) continue;
    int at = count++;
    for (; at > 0 && distance(stride[order[at - 1]]) > distance(stride[d]); at--) order[at] = order[at - 1];
    order[at] = d;
  }
  int64_t covered = 0, reach; // elements beside the first that those before reach
  for (int i = 0; i < count; i++) {
    int64_t step = distance(stride[order[i]]);
    if (step <= covered) return false;
    if (__builtin_mul_overflow(step, len[order[i]] - 1, &reach) || __builtin_add_overflow(covered, reach, &covered))
      return false;
  }
  return true;
}

bool hy_strides_lay(const hy_strides *wanted, int rank, const int64_t *len, int64_t *stride, int64_t *span) {
  int64_t said[HY_MAX_RANK] = {0}; // sides of the dimensions of which something is wanted
  for (int d = 0; d < rank; d++) said[d] = wanted->of[d] ? len[d] : 1, stride[d] = wanted->of[d];
  if (!hy_strides_are_apart(rank, said, stride)) return false;
  *span = 1;
  for (int d = 0; d < rank; d++)
    if (said[d] > 1) *span += stride[d] * (said[d] - 1); // no overflow: this has been added up
  for (int d = 0; d < rank; d++) {
    if (wanted->of[d]) continue;
    stride[d] = *span;
    if (__builtin_mul_overflow(*span, len[d] > 1 ? len[d] : 1, span)) return false;
  }
  return true;
}

int64_t hy_strides_most(const hy_strides *wanted, int rank, int dim) {
  int64_t next = 0;
  for (int d = 0; d < rank && wanted->of[dim]; d++)
    if (wanted->of[d] > wanted->of[dim] && (!next || wanted->of[d] < next)) next = wanted->of[d];
  return next ? next / wanted->of[dim] : 0;
}

void hy_strides_print(const hy_strides *strides, const hy_strides *demanded, int rank, const char *const *dims,
                      hy_text *out) {
  for (int d = 0; d < rank; d++)
    if (strides->of[d])
      hy_text_printf(out, "%s stride(%s, %lld)", demanded->of[d] ? " require" : "", dims[d], (long long)strides->of[d]);
}
