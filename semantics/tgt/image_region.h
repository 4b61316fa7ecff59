#ifndef HY_IMAGE_REGION_H
#define HY_IMAGE_REGION_H

#include "semantics/tgt/tgt.h"

// The region of an image that a program needs, read off its entry check (LOW.Entry-Image): startup expressions, min
// inclusive, end exclusive, by dimension. False if the program has no such check, or not of the form that lowering
// makes.
bool hy_image_region(const hy_tgt *filled, const hy_func *image, const hy_expr **min, const hy_expr **end);

#endif
