#ifndef HY_CLI_H
#define HY_CLI_H

/* The command lines. */

// halyard: everything, from argv to the exit status.
int hy_cli(int argc, char **argv);

// halyard-gate: levels 0 and 1 of 'halyard gate', without compiler and solver.
int hy_gate_cli(int argc, char **argv);

#endif
