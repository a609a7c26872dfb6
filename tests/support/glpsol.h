#ifndef TASKFIT_TESTS_SUPPORT_GLPSOL_H
#define TASKFIT_TESTS_SUPPORT_GLPSOL_H

/* The program glpsol (Debian package glpk-utils) on a text, for comparisons with models/. */

#include <stdint.h>

#define GLPSOL_INFEASIBLE INT64_MIN

/* The optimum in millionths. `options` stand in front of the text's file: "-m models/aggregated.mod -d", "--lp"; with
 * "--nomip" it is the optimum of the linear relaxation. Fails the test when glpsol comes to no end. */
int64_t glpsol_run(const char *options, const char *text);

#endif
