// The program "halyard": all of it is hy_cli, which tests call as well.

#include "cli/cli.h"

int main(int argc, char **argv) { return hy_cli(argc, argv); }
