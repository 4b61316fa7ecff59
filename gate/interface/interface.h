#ifndef HY_INTERFACE_H
#define HY_INTERFACE_H

/* How C sees what is built or shipped: its header NAME.h, which who makes it and who judges it print here, and what NAME
 * may be.
 */

#include "gate/manifest/manifest.h"
#include "semantics/alg/alg.h"

// "about": lines of comment for the head.
void hy_header_print(const hy_alg *alg, const char *name, const char *about, hy_text *out);

// A parameter's type there: int has 32 bits, as Halide's Param<int>; decision D26 keeps every int parameter within them
// anyway.
hy_type hy_interface_type(hy_type param);

// Of what ships: the head says what the manifest does.
// requires: the manifest's content is complete, and identified
void hy_header_print_shipped(const hy_manifest *manifest, const hy_alg *alg, hy_text *out);

// names.c. Can C and C++ call a function so, and no library's?
bool hy_interface_name_is_free(const char *name);

#endif
