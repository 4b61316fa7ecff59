#include "cli/cli.h"

int main(int argc, char **argv) { return hy_cli(argc, argv); }
