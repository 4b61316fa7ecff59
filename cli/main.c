// The program "halyard": all of it is hy_cli, which tests call as well.

#include "cli/cli.h"

#include <malloc.h>
#include <signal.h>

enum { LARGE_BLOCK = 4 << 20, KEPT_BYTES = 64 << 20 };

// Arenas come and go with every question of a proof: their pages stay, which is an eighth of the time of a long one.
static void keep_pages(void) {
  mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

int main(int argc, char **argv) {
  keep_pages();
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error that is told, like a full disk
  return hy_cli(argc, argv);
}
