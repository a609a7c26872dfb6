#ifndef TASKFIT_PROBLEM_LARGEST_H
#define TASKFIT_PROBLEM_LARGEST_H

/* The order in which whoever places tasks one after the other takes services: the largest first. */

#include <stddef.h>
#include <stdint.h>

typedef struct taskfit_sized {
    int64_t size, second; /* of one task: memory in MiB, then CPU units, or the other way round */
    size_t service;
} taskfit_sized;

/* By size, then by the second, descending; then by service, ascending. */
void taskfit_sized_sort(taskfit_sized *list, size_t n);

#endif
