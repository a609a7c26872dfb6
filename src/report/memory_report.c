/* The memory of one task, region by region: for people with small bars, as documents and as CSV. */
#include <inttypes.h>
#include <string.h>

#include "check/jvm.h"
#include "input/node.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "taskfit/check.h"
#include "taskfit/words.h"

enum { BAR_CELLS = 20, KIB = 1024, KIB_PER_MIB = 1024 };

typedef struct container_memory {
    const taskfit_container *container;
    bool is_jvm;
    taskfit_jvm_memory jvm;
} container_memory;

/* ---- figures of both directions ---- */

/* The largest heap of the hard limit in KiB; -1: none, or no limit. */
static int64_t largest_heap_kib(const taskfit_jvm_memory *jvm) {
    const int64_t bytes = jvm->hard_mib >= 0 ? taskfit_jvm_heap_bytes(jvm, jvm->hard_mib * KIB_PER_MIB * KIB, 0) : -1;
    return bytes > 0 ? bytes / KIB : -1;
}

/* The flags that fill the hard limit. */
static const char *flags_text(const taskfit_jvm_memory *jvm, taskfit_arena *arena) {
    return taskfit_arena_printf(arena,
                                "-Xmx%" PRId64 "k -XX:MaxMetaspaceSize=%" PRId64 "k -XX:ReservedCodeCacheSize=%" PRId64
                                "k -XX:MaxDirectMemorySize=%" PRId64 "k -Xss%" PRId64 "k",
                                largest_heap_kib(jvm), jvm->bytes[TASKFIT_JVM_METASPACE_REGION] / KIB,
                                jvm->bytes[TASKFIT_JVM_CODE_CACHE_REGION] / KIB, jvm->bytes[TASKFIT_JVM_DIRECT] / KIB,
                                jvm->threads > 0 ? jvm->bytes[TASKFIT_JVM_STACKS] / jvm->threads / KIB : TASKFIT_JVM_STACK_KIB);
}

/* ---- text ---- */

static const char *bar(const taskfit_report *report, int64_t part, int64_t whole) {
    TASKFIT_STRBUF(text);
    const int64_t n_full = whole < KIB ? 0 : part >= whole ? BAR_CELLS : part / KIB * BAR_CELLS / (whole / KIB);
    taskfit_strbuf_repeat(&text, "█", (size_t)n_full);
    taskfit_strbuf_repeat(&text, "░", (size_t)(BAR_CELLS - n_full));
    return taskfit_arena_strndup(report->arena, text.data, text.len);
}

static void add_region(const taskfit_report *report, taskfit_table *table, const char *words, int64_t bytes, int64_t whole) {
    taskfit_table_cell(table, "  %s", words);
    taskfit_table_cell(table, "%s", bar(report, bytes, whole));
    taskfit_table_cell(table, "%s", taskfit_report_number(report, bytes / KIB));
    taskfit_table_cell(table, "%s", taskfit_report_percent(report, bytes / KIB, whole / KIB));
}

static void add_regions(const taskfit_report *report, const taskfit_jvm_memory *jvm) {
    static const char *const headers[] = {"  region", "", ">KiB", ">share", "origin"};
    taskfit_table *table = taskfit_table_new(report->arena, headers, sizeof headers / sizeof headers[0]);
    const int64_t total = jvm->bytes[TASKFIT_JVM_HEAP] + taskfit_jvm_beside_heap_bytes(jvm);
    const int64_t limit = jvm->hard_mib >= 0 ? jvm->hard_mib * KIB_PER_MIB * KIB : total;
    for (taskfit_jvm_region region = TASKFIT_JVM_HEAP; region < TASKFIT_JVM_REGIONS; region++) {
        add_region(report, table, taskfit_jvm_region_words(region), jvm->bytes[region], limit);
        taskfit_table_cell(table, "%s", taskfit_jvm_origin_name(jvm->origins[region]));
    }
    if (jvm->hard_mib >= 0) {
        const bool fits = total <= limit;
        add_region(report, table, fits ? "left" : "over the limit", fits ? limit - total : total - limit, limit);
        taskfit_table_cell(table, "%s", "");
    }
    taskfit_table_write(table, report->out);
}

static const char *limits_text(const taskfit_report *report, const container_memory *memory) {
    const taskfit_container *container = memory->container;
    const char *hard = container->memory_mib >= 0
                           ? taskfit_arena_printf(report->arena, "hard limit %s MiB", taskfit_report_number(report, container->memory_mib))
                       : memory->is_jvm && memory->jvm.hard_mib >= 0
                           ? taskfit_arena_printf(report->arena, "hard limit %s MiB (the task's)",
                                                  taskfit_report_number(report, memory->jvm.hard_mib))
                           : "no hard limit";
    if (container->memory_reservation_mib < 0) {
        return taskfit_arena_printf(report->arena, "%s, no soft limit", hard);
    }
    return taskfit_arena_printf(report->arena, "%s, soft limit %s MiB", hard,
                                taskfit_report_number(report, container->memory_reservation_mib));
}

static void add_container(const taskfit_report *report, const container_memory *memory) {
    const taskfit_jvm_memory *jvm = &memory->jvm;
    taskfit_strbuf_addc(report->out, '\n');
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, memory->container->name);
    taskfit_strbuf_printf(report->out, ": %s\n", limits_text(report, memory));
    if (!memory->is_jvm) {
        taskfit_strbuf_adds(report->out, "  nothing says that a JVM runs there\n");
        return;
    }
    add_regions(report, jvm);
    if (taskfit_jvm_hard_need_mib(jvm) >= 0) {
        taskfit_report_wrap(report,
                            taskfit_arena_printf(report->arena, "These flags need a hard limit of %s MiB and a soft limit of %s MiB.",
                                                 taskfit_report_number(report, taskfit_jvm_hard_need_mib(jvm)),
                                                 taskfit_report_number(report, taskfit_jvm_soft_need_mib(jvm))),
                            0, 0);
    }
    if (largest_heap_kib(jvm) > 0) {
        taskfit_report_wrap(report,
                            taskfit_arena_printf(report->arena, "The hard limit holds a heap of %s KiB: %s",
                                                 taskfit_report_number(report, largest_heap_kib(jvm)), flags_text(jvm, report->arena)),
                            0, 2);
    } else if (jvm->hard_mib >= 0) {
        taskfit_report_wrap(report, "The hard limit holds no heap beside the other regions.", 0, 0);
    }
}

static void write_text(const taskfit_report *report, const taskfit_service *service, const container_memory *memories) {
    taskfit_report_toned(report, TASKFIT_TONE_HEADING, taskfit_arena_printf(report->arena, "%s: the memory of one task", service->name));
    taskfit_strbuf_addc(report->out, '\n');
    for (size_t c = 0; c < service->n_containers; c++) {
        add_container(report, &memories[c]);
    }
}

/* ---- documents and CSV ---- */

static taskfit_node *known(taskfit_arena *arena, int64_t value) {
    return value >= 0 ? taskfit_node_int(arena, value) : taskfit_node_null(arena);
}

static taskfit_node *jvm_tree(const taskfit_jvm_memory *jvm, taskfit_arena *arena) {
    taskfit_node *map = taskfit_node_map(arena);
    taskfit_node *regions = taskfit_node_list(arena);
    for (taskfit_jvm_region region = TASKFIT_JVM_HEAP; region < TASKFIT_JVM_REGIONS; region++) {
        taskfit_node *row = taskfit_node_map(arena);
        taskfit_node_set(arena, row, "region", taskfit_node_string(arena, taskfit_jvm_region_name(region)));
        taskfit_node_set(arena, row, "kib", taskfit_node_int(arena, jvm->bytes[region] / KIB));
        taskfit_node_set(arena, row, "origin", taskfit_node_string(arena, taskfit_jvm_origin_name(jvm->origins[region])));
        taskfit_node_append(arena, regions, row);
    }
    taskfit_node_set(arena, map, "regions", regions);
    taskfit_node_set(arena, map, "neededMemoryMiB", known(arena, taskfit_jvm_hard_need_mib(jvm)));
    taskfit_node_set(arena, map, "neededMemoryReservationMiB", known(arena, taskfit_jvm_soft_need_mib(jvm)));
    taskfit_node_set(arena, map, "largestHeapKib", known(arena, largest_heap_kib(jvm)));
    taskfit_node_set(arena, map, "flags", taskfit_node_string(arena, largest_heap_kib(jvm) > 0 ? flags_text(jvm, arena) : NULL));
    return map;
}

static taskfit_node *memory_tree(const taskfit_service *service, const container_memory *memories, taskfit_arena *arena) {
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node *list = taskfit_node_list(arena);
    for (size_t c = 0; c < service->n_containers; c++) {
        taskfit_node *map = taskfit_node_map(arena);
        taskfit_node_set(arena, map, "name", taskfit_node_string(arena, memories[c].container->name));
        taskfit_node_set(arena, map, "memoryMiB", known(arena, memories[c].container->memory_mib));
        taskfit_node_set(arena, map, "memoryReservationMiB", known(arena, memories[c].container->memory_reservation_mib));
        taskfit_node_set(arena, map, "jvm", memories[c].is_jvm ? jvm_tree(&memories[c].jvm, arena) : taskfit_node_null(arena));
        taskfit_node_append(arena, list, map);
    }
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.memory/1"));
    taskfit_node_set(arena, root, "service", taskfit_node_string(arena, service->name));
    taskfit_node_set(arena, root, "containers", list);
    return root;
}

static void write_csv(const taskfit_service *service, const container_memory *memories, taskfit_arena *arena, taskfit_strbuf *out) {
    static const char *const headers[] = {"container", "region", "kib", "origin"};
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof headers[0]);
    for (size_t c = 0; c < service->n_containers; c++) {
        for (taskfit_jvm_region region = TASKFIT_JVM_HEAP; memories[c].is_jvm && region < TASKFIT_JVM_REGIONS; region++) {
            taskfit_table_cell(table, "%s", memories[c].container->name);
            taskfit_table_cell(table, "%s", taskfit_jvm_region_name(region));
            taskfit_table_cell(table, "%" PRId64, memories[c].jvm.bytes[region] / KIB);
            taskfit_table_cell(table, "%s", taskfit_jvm_origin_name(memories[c].jvm.origins[region]));
        }
    }
    taskfit_table_write_csv(table, out);
}

/* ---- all styles ---- */

static taskfit_status find_service(const taskfit_deployment *deployment, const char *name, taskfit_arena *arena,
                                   const taskfit_service **service_out, taskfit_error *err) {
    const size_t n = deployment->n_daemons + deployment->n_services;
    const char **names = TASKFIT_ARRAY(arena, n, const char *);
    for (size_t i = 0; i < n; i++) {
        const taskfit_service *service =
            i < deployment->n_daemons ? &deployment->daemons[i] : &deployment->services[i - deployment->n_daemons];
        names[i] = service->name;
        if (strcmp(service->name, name) == 0) {
            *service_out = service;
            return TASKFIT_OK;
        }
    }
    const char *nearest = taskfit_nearest(name, names, n);
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "there is no service '%s'%s%s%s", name, nearest ? " (did you mean '" : "",
                        nearest ? nearest : "", nearest ? "'?)" : "");
}

taskfit_status taskfit_memory_write(const taskfit_deployment *deployment, const char *name, taskfit_plan_style style, bool color,
                                    taskfit_write_fn *write, void *sink, taskfit_error *err) {
    TASKFIT_STRBUF(out);
    taskfit_arena *arena = taskfit_arena_new();
    const taskfit_report report = {.wide = style == TASKFIT_STYLE_WIDE, .color = color, .arena = arena, .out = &out};
    const taskfit_service *service = NULL;
    taskfit_status status = find_service(deployment, name, arena, &service, err);
    if (status == TASKFIT_OK) {
        container_memory *memories = TASKFIT_ARRAY(arena, service->n_containers, container_memory);
        for (size_t c = 0; c < service->n_containers; c++) {
            memories[c].container = &service->containers[c];
            memories[c].is_jvm = taskfit_jvm_memory_of(service, &service->containers[c], arena, &memories[c].jvm);
        }
        switch (style) {
        case TASKFIT_STYLE_TABLE:
        case TASKFIT_STYLE_WIDE: write_text(&report, service, memories); break;
        case TASKFIT_STYLE_JSON: taskfit_node_write_json(memory_tree(service, memories, arena), &out); break;
        case TASKFIT_STYLE_YAML: taskfit_node_write_yaml(memory_tree(service, memories, arena), &out); break;
        case TASKFIT_STYLE_CSV: write_csv(service, memories, arena, &out); break;
        }
        if (write(sink, out.data, out.len) != 0) {
            status = taskfit_fail(err, TASKFIT_E_SYSTEM, "the output could not be written");
        }
    }
    taskfit_arena_free(arena);
    return status;
}
