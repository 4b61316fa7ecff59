#ifndef HY_CLI_H
#define HY_CLI_H

/* The command line. */

// Everything, from argv to the exit status.
int hy_cli(int argc, char **argv);

#endif
