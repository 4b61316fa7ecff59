#ifndef HY_REFERENCES_H
#define HY_REFERENCES_H

/* The pipelines of apps/ as plain C loops: what a programmer would write by hand, with nothing of Halyard in it but the
 * definition of sine. Arrays are dense, x fastest; a box says where they lie. Inputs must cover what the window needs.
 */

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t min[2], len[2];
} reference_box;

static inline size_t reference_at(const reference_box *box, int64_t x, int64_t y) {
  return (size_t)((y - box->min[1]) * box->len[0] + (x - box->min[0]));
}

void reference_box_blur(const uint16_t *in, const reference_box *in_box, uint16_t *out, const reference_box *window);
void reference_figure1(int64_t w, float *out, const reference_box *window);
void reference_histogram(const uint8_t *in, const reference_box *in_box, uint8_t *out, const reference_box *window);
void reference_scene(uint16_t *out, const reference_box *window);

#endif
