#include "proofs_tests/support/places.h"
#include "proofs_tests/suites.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  const char *file; // of the program's own image, which all processes have at the same address
  int line;
} place;
enum { MOST_TESTS = 1 << 16 };
static place *places;
static int begun; // tests so far; in a test's process its own number, plus one
static pid_t suite;

// Of the suite's process every child is a test.
static void begin_test(void) {
  if (getpid() == suite) begun++;
}

void test_places_begin(void) {
  void *room = mmap(NULL, MOST_TESTS * sizeof(place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  suite = getpid();
  begun = 0;
  if (!places) pthread_atfork(begin_test, NULL, NULL);
  places = room;
}

bool test_place_of(int index, const char **file, int *line) {
  if (!places || index < 0 || index >= begun || index >= MOST_TESTS || !places[index].file) return false;
  *file = places[index].file;
  *line = places[index].line;
  return true;
}

// Every assertion that holds comes by here (-Wl,--wrap).
void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line) {
  if (!begun || begun > MOST_TESTS)
    __real__mark_point(file, line);
  else
    places[begun - 1] = (place){file, line};
}
