#include "catalogue/catalogue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "catalogue/table.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Compares the numbers at *a and *b and steps over them. */
static int compare_digits(const char **a, const char **b) {
    size_t n_a = strspn(*a, "0123456789");
    size_t n_b = strspn(*b, "0123456789");
    int order = n_a != n_b ? (n_a < n_b ? -1 : 1) : strncmp(*a, *b, n_a);
    *a += n_a;
    *b += n_b;
    return order;
}

/* Natural order of the parts before the dot; digits compare as numbers. */
static int compare_family(const char *a, const char *b) {
    while (*a && *a != '.' && *b && *b != '.') {
        if (is_digit(*a) && is_digit(*b)) {
            int order = compare_digits(&a, &b);
            if (order != 0) {
                return order;
            }
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    bool more_a = *a && *a != '.';
    bool more_b = *b && *b != '.';
    return (int)more_a - (int)more_b;
}

int taskfit_instance_type_compare(const taskfit_instance_type *a, const taskfit_instance_type *b) {
    int order = compare_family(a->name, b->name);
    if (order != 0) {
        return order;
    }
    if (a->vcpu != b->vcpu) {
        return a->vcpu < b->vcpu ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

size_t taskfit_catalogue_count(const taskfit_catalogue *catalogue) {
    return catalogue->n_types;
}

const taskfit_instance_type *taskfit_catalogue_at(const taskfit_catalogue *catalogue, size_t index) {
    assert(index < catalogue->n_types);
    return &catalogue->types[index];
}

/* Binary search for the family, whose order the name alone decides, then its few sizes one by one. */
const taskfit_instance_type *taskfit_catalogue_find(const taskfit_catalogue *catalogue, const char *name) {
    size_t low = 0;
    size_t high = catalogue->n_types;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_family(catalogue->types[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (size_t i = low; i < catalogue->n_types && compare_family(catalogue->types[i].name, name) == 0; i++) {
        if (strcmp(catalogue->types[i].name, name) == 0) {
            return &catalogue->types[i];
        }
    }
    return NULL;
}

const char *taskfit_catalogue_source(const taskfit_catalogue *catalogue) {
    return catalogue->source;
}

void taskfit_catalogue_free(taskfit_catalogue *catalogue) {
    if (catalogue && catalogue->arena) {
        taskfit_arena_free(catalogue->arena);
    }
}
