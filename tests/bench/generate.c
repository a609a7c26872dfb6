/*
 * Benchmark instances from a seed, on standard output:
 *     generate folio SERVICES MENU CPU REPLICAS SEED     a deployment file
 *     generate caprara-toth CLASS ITEMS SEED             a .vbp file (see vbp.c)
 * MENU m6i | r7g | menu3 | menu4 | menu7, CPU low | mix, REPLICAS a number, or mixed: 1, 2, 3, 4 or 6, and 40 tasks on an instance.
 *
 * FOLIO-like: memory and CPU figures have the frequencies seen in FOLIO deployments; memory includes a sidecar of 256 MiB.
 * Services are distinct on instances and spread over 3 AZs, whose numbers of instances differ by at most 1. Of a menu of several
 * types the cheapest mix is asked for.
 *
 * Caprara-Toth: the ten classes of two-dimensional vector packing of Caprara and Toth, Lower bounds and algorithms for
 * the 2-dimensional vector packing problem, Discrete Applied Mathematics 111 (2001) 231-262. All integers uniform.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folio_draw.h"

static bool read_number(const char *text, int64_t low, int64_t high, int64_t *number_out) {
    char *end = NULL;
    *number_out = strtoll(text, &end, 10);
    return end != text && *end == '\0' && *number_out >= low && *number_out <= high;
}

/* ---- FOLIO-like deployments ---- */

enum { MAX_TYPES = 7 };

typedef struct type {
    int64_t memory_mib, vcpu, price_usd_micros;
} type;

typedef struct menu {
    const char *name;
    size_t n_types;
    type types[MAX_TYPES];
} menu;

/* Registered memory less an agent's share as in data/instances_us-east-1.csv, on-demand prices of us-east-1 in July 2026. */
static const menu menus[] = {
    {"m6i", 1, {{31700, 8, 384000}}},
    {"r7g", 1, {{63500, 8, 428400}}},
    {"menu3", 3, {{31498, 4, 214200}, {63138, 8, 428400}, {126515, 16, 856800}}}, /* r7g in three sizes */
    /* m7g.xlarge, m7g.2xlarge, r7g.2xlarge, c7g.2xlarge */
    {"menu4", 4, {{15677, 4, 163200}, {31497, 8, 326400}, {63138, 8, 428400}, {15677, 8, 290000}}},
    /* m6i.xlarge, m6i.2xlarge, r6i.2xlarge, r7g.xlarge, r7g.2xlarge, c7g.xlarge, c7g.2xlarge */
    {"menu7",
     7,
     {{15697, 4, 192000},
      {31548, 8, 384000},
      {63252, 8, 504000},
      {31498, 4, 214200},
      {63138, 8, 428400},
      {7767, 4, 145000},
      {15677, 8, 290000}}},
};

static void write_cluster(const menu *of, bool slots) {
    printf("taskfit: 1\ncluster:\n  availabilityZones: [az1, az2, az3]\n  instanceTypes:\n");
    for (size_t t = 0; t < of->n_types; t++) {
        const type *it = &of->types[t];
        printf("    - {type: own.t%zu, vcpu: %" PRId64 ", registeredMemory: %" PRId64 ", architecture: x86_64, usdPerHour: 0.%06" PRId64 "}\n",
               t, it->vcpu, it->memory_mib, it->price_usd_micros);
    }
    printf("  instanceGroups:\n    - {name: main, max: 50000, mixed: %s%s, types: [", of->n_types > 1 ? "true" : "false",
           slots ? ", maxTasks: 40" : "");
    for (size_t t = 0; t < of->n_types; t++) {
        printf("%sown.t%zu", t > 0 ? ", " : "", t);
    }
    printf("]}\ndefaults:\n  placementConstraints: [{type: distinctInstance}]\n"
           "  placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]\n"
           "policy: {rollingDeployment: none, spread: required%s}\nservices:\n",
           of->n_types > 1 ? ", objective: [cost, count]" : "");
}

static bool folio(char **argument, uint64_t seed) {
    const menu *of = NULL;
    for (size_t i = 0; i < sizeof menus / sizeof menus[0]; i++) {
        of = strcmp(menus[i].name, argument[1]) == 0 ? &menus[i] : of;
    }
    const bool mix = strcmp(argument[2], "mix") == 0;
    const bool mixed = strcmp(argument[3], "mixed") == 0;
    int64_t n_services = 0;
    int64_t n_replicas = 0;
    if (of == NULL || !read_number(argument[0], 1, 1000000, &n_services) || (!mix && strcmp(argument[2], "low") != 0) ||
        (!mixed && !read_number(argument[3], 1, 1000, &n_replicas))) {
        return false;
    }
    write_cluster(of, mixed);
    folio_draw draw_of = folio_draw_new(seed);
    for (int64_t i = 0; i < n_services; i++) {
        const folio_task task = folio_draw_task(&draw_of, mix, mixed ? 0 : n_replicas);
        printf("  - {name: mod-%" PRId64 ", memory: %" PRId64 ", cpu: %" PRId64 ", desiredCount: %" PRId64 "}\n", i, task.memory_mib,
               task.cpu_units, task.replicas);
    }
    return true;
}

/* ---- Caprara-Toth ---- */

typedef struct item {
    int64_t size[2];
} item;

static int64_t draw(uint64_t *state, int64_t low, int64_t high) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return low + (int64_t)(*state % (uint64_t)(high - low + 1));
}

/* Sizes of a class whose two dimensions are drawn alike. */
static const struct {
    int64_t low, high, capacity;
} classes[] = {[1] = {100, 400, 1000}, [2] = {1, 1000, 1000}, [3] = {200, 800, 1000}, [4] = {50, 200, 1000}, [5] = {25, 100, 1000},
               [6] = {20, 100, 150},   [7] = {20, 100, 150},  [8] = {20, 100, 150},   [9] = {100, 400, 0},   [10] = {25, 50, 100}};

static void draw_item(uint64_t *state, int64_t class, item *items, int64_t i) {
    for (int d = 0; d < 2; d++) {
        items[i].size[d] = draw(state, classes[class].low, classes[class].high);
    }
    if (class == 7) { /* the second is near the first */
        items[i].size[1] = draw(state, items[i].size[0] - 10, items[i].size[0] + 10);
    } else if (class == 8) { /* or opposed to it */
        items[i].size[1] = draw(state, 110 - items[i].size[0], 130 - items[i].size[0]);
    } else if (class == 10 && i % 3 == 2) { /* completes its triple */
        for (int d = 0; d < 2; d++) {
            items[i].size[d] = 100 - items[i - 1].size[d] - items[i - 2].size[d];
        }
    }
}

/* Of class 9: as full as can be. */
static void fit_capacity(const item *items, int64_t n, int64_t capacity[2]) {
    int64_t total[2] = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        total[0] += items[i].size[0];
        total[1] += items[i].size[1];
    }
    const int64_t bins = ((total[0] > total[1] ? total[0] : total[1]) + 999) / 1000;
    for (int d = 0; d < 2; d++) {
        capacity[d] = (total[d] + bins - 1) / bins;
    }
}

static bool caprara_toth(char **argument, uint64_t seed) {
    enum { MAX_ITEMS = 10000 };
    static item items[MAX_ITEMS];
    int64_t class = 0;
    int64_t n = 0;
    if (!read_number(argument[0], 1, 10, &class) || !read_number(argument[1], 1, MAX_ITEMS, &n) || (class == 10 && n % 3 != 0)) {
        return false;
    }
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (int64_t i = 0; i < n; i++) {
        draw_item(&state, class, items, i);
    }
    int64_t capacity[2] = {classes[class].capacity, classes[class].capacity};
    if (class == 9) {
        fit_capacity(items, n, capacity);
    }
    printf("2\n%" PRId64 " %" PRId64 "\n%" PRId64 "\n", capacity[0], capacity[1], n);
    for (int64_t i = 0; i < n; i++) {
        printf("%" PRId64 " %" PRId64 " 1\n", items[i].size[0], items[i].size[1]);
    }
    return true;
}

int main(int argc, char **argv) {
    const bool is_folio = argc == 7 && strcmp(argv[1], "folio") == 0;
    const bool is_caprara_toth = argc == 5 && strcmp(argv[1], "caprara-toth") == 0;
    int64_t number = 0;
    if ((is_folio || is_caprara_toth) && read_number(argv[argc - 1], 1, INT32_MAX, &number)) {
        if (is_folio ? folio(argv + 2, (uint64_t)number) : caprara_toth(argv + 2, (uint64_t)number)) {
            return fflush(stdout) == 0 ? 0 : 1;
        }
    }
    fputs("usage: generate folio SERVICES m6i|r7g|menu3|menu4|menu7 low|mix REPLICAS|mixed SEED\n"
          "       generate caprara-toth CLASS ITEMS SEED    (class 1 to 10; of 10 a multiple of 3 items)\n",
          stderr);
    return 2;
}
