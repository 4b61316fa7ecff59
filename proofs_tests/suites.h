#ifndef HY_PROOFS_TESTS_SUITES_H
#define HY_PROOFS_TESTS_SUITES_H

// Every unit suite, in the order of the folders; suites.def has the same rows for the runner and for ctest.

#include <check.h>

Suite *tests_runner_suite(void);
Suite *semantics_value_suite(void);
Suite *semantics_input_suite(void);
Suite *semantics_math_suite(void);
Suite *semantics_tape_suite(void);
Suite *alg_interp_suite(void);
Suite *semantics_print_suite(void);
Suite *semantics_tgt_suite(void);
Suite *semantics_verify_suite(void);
Suite *semantics_parse_suite(void);
Suite *semantics_parse_meaning_suite(void);
Suite *semantics_parse_schedule_suite(void);
Suite *tgt_interp_suite(void);
Suite *tgt_contract_suite(void);
Suite *tgt_literal_suite(void);
Suite *tgt_small_step_suite(void);
Suite *oracle_prover_suite(void);
Suite *oracle_z3_suite(void);
Suite *lower_suite(void);
Suite *sched_directives_suite(void);
Suite *sched_bounds_suite(void);
Suite *bounds_query_suite(void);
Suite *oracle_fill_suite(void);
Suite *oracle_explain_suite(void);
Suite *apps_pipelines_suite(void);
Suite *driver_image_suite(void);
Suite *driver_options_suite(void);
Suite *driver_window_suite(void);
Suite *driver_validate_suite(void);
Suite *codegen_ops_suite(void);
Suite *codegen_program_suite(void);
Suite *codegen_runtime_suite(void);

#endif
