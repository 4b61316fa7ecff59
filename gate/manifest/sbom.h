#ifndef HY_SBOM_H
#define HY_SBOM_H

/* A bill of materials: CycloneDX 1.5, JSON, of what stands in a manifest, without times. (SPDX 2.3 asks for a SHA-1 of
 * each file, which nothing else here has a use for.)
 */

#include "gate/manifest/manifest.h"

// requires: the identity is set, and all artefacts but the bill itself are listed
void hy_sbom_print(const hy_manifest *manifest, hy_text *out);

#endif
