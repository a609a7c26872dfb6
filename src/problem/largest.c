#include "problem/largest.h"

#include <stdlib.h>

static int sized_compare(const void *left, const void *right) {
    const taskfit_sized *a = left;
    const taskfit_sized *b = right;
    if (a->size != b->size) {
        return a->size > b->size ? -1 : 1;
    }
    if (a->second != b->second) {
        return a->second > b->second ? -1 : 1;
    }
    return (a->service > b->service) - (a->service < b->service);
}

void taskfit_sized_sort(taskfit_sized *list, size_t n) {
    if (n > 0) {
        qsort(list, n, sizeof *list, sized_compare);
    }
}
