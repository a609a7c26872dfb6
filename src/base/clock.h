#ifndef TASKFIT_BASE_CLOCK_H
#define TASKFIT_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that never goes back; only differences mean anything. No answer may depend on it
 * but one that the wall-clock limit cut, which says so. */
int64_t taskfit_clock_ms(void);

#endif
