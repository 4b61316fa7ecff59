#ifndef HY_TEST_PLACES_H
#define HY_TEST_PLACES_H

#include "semantics/base/base.h"

/* Where each test of a suite asserted last, for those whose process did not live to tell. libcheck writes that into a file
 * at every assertion, one system call each, of which a suite makes millions: here it is one store into memory that the
 * process of the suite shares with those of its tests.
 */

// Called by the process of a suite, before its first test. Without it, and where tests are no processes of their own,
// libcheck keeps its file.
void test_places_begin(void);

// Where the suite's test number "index", in the order in which they ran, asserted last. False: nowhere, or it is not known.
bool test_place_of(int index, const char **file, int *line);

#endif
