#include "solve/mathprog.h"

/* Generated from models/aggregated.mod by the Makefile. */
const char taskfit_aggregated_model[] = {
#include "solve/aggregated.inc"
    0,
};
