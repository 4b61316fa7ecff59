// The program "halyard": all of it is hy_cli, which tests call as well.

#include "cli/cli.h"

#include <signal.h>

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error that is told, like a full disk
  return hy_cli(argc, argv);
}
