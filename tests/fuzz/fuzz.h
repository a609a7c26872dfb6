#ifndef TASKFIT_TESTS_FUZZ_FUZZ_H
#define TASKFIT_TESTS_FUZZ_FUZZ_H

/*
 * A fuzz target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput. `make fuzz FUZZ=NAME` links it with libFuzzer;
 * `make replay` links it with driver.c and runs it on each file of corpus/NAME.
 */

#include <stddef.h>
#include <stdint.h>

#include "input/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts with a line that says what does not hold. */
void fuzz_require(bool holds, const char *what);

/* A tree written as YAML and read again means the same, and likewise as JSON; written twice, it is the same text. */
void fuzz_round_trips(taskfit_arena *arena, const taskfit_node *root);

#endif
