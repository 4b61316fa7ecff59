// The program "halyard-gate": all of it is hy_gate_cli, in the same room as "halyard"'s.

#include "cli/cli.h"

int main(int argc, char **argv) { return hy_gate_cli(argc, argv); }
