#ifndef HY_PAPERS_H
#define HY_PAPERS_H

/* What 'ship' writes beside texts, proofs and code follows from these: the list of files, the header, the bill of
 * materials. Each is made here anew and held against what lies there. For gate/inspect/ alone.
 */

#include "gate/inspect/inspect.h"
#include "semantics/alg/alg.h"

// Level 0: a file of each role that is owed, called as 'ship' calls it, and no other.
void hy_papers_judge_list(const hy_inspected *inspected, hy_gate_result *result);
// Level 0: the bill is the manifest's.
void hy_papers_judge_bill(const hy_inspected *inspected, hy_gate_result *result);
// Level 1: C reads the program's own parameters, images and outputs.
void hy_papers_judge_header(const hy_inspected *inspected, const hy_alg *alg, hy_gate_result *result);

#endif
