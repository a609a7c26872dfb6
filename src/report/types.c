/* The catalogue: filtered, sorted, in every form. The CSV has the columns of a catalogue file. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "catalogue/catalogue.h"
#include "input/node.h"
#include "report/table.h"

enum { HOURS_PER_MONTH = 730, MIB_PER_GIB = 1024 };

static const char *architecture_word(taskfit_architecture architecture) {
    assert(architecture != TASKFIT_ARCH_ANY); /* an instance has one */
    return architecture == TASKFIT_ARCH_ARM64 ? "arm64" : "x86_64";
}

/* ---- filter ---- */

/* Whether `list`, names separated by commas, holds the family of `type`. */
static bool in_families(const char *type, const char *list) {
    size_t family_len = strcspn(type, ".");
    for (;;) {
        size_t len = strcspn(list, ",");
        if (len == family_len && strncmp(list, type, len) == 0) {
            return true;
        }
        if (list[len] == '\0') {
            return false;
        }
        list += len + 1;
    }
}

static bool matches(const taskfit_instance_type *type, const taskfit_types_query *query) {
    return (!query->family || in_families(type->name, query->family)) &&
           (!query->architecture || strcmp(architecture_word(type->architecture), query->architecture) == 0) &&
           type->memory_registered_mib >= query->min_memory_mib &&
           type->vcpu * TASKFIT_CPU_UNITS_PER_VCPU >= query->min_cpu_units;
}

/* A family that the catalogue lacks is a slip, not an empty answer. */
static taskfit_status check_families(const taskfit_catalogue *catalogue, const char *list, taskfit_error *err) {
    while (list) {
        size_t len = strcspn(list, ",");
        bool found = false;
        for (size_t i = 0; i < taskfit_catalogue_count(catalogue) && !found; i++) {
            const char *name = taskfit_catalogue_at(catalogue, i)->name;
            found = strcspn(name, ".") == len && strncmp(name, list, len) == 0;
        }
        if (!found) {
            return taskfit_fail(err, TASKFIT_E_ARGUMENT, "no instance family '%.*s' in the catalogue (such as m7g, r7g)", (int)len,
                                list);
        }
        list = list[len] ? list + len + 1 : NULL;
    }
    return TASKFIT_OK;
}

/* ---- sort ---- */

struct row {
    const taskfit_instance_type *type;
    size_t index; /* in the catalogue, the order of names */
};

typedef int compare_fn(const void *left, const void *right);

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int by_name(const void *left, const void *right) {
    const struct row *a = left;
    const struct row *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* Unknown prices, -1, come last. */
static int64_t price_or_most(const taskfit_instance_type *type) {
    return type->price_usd_micros < 0 ? INT64_MAX : type->price_usd_micros;
}

static int by_price(const void *left, const void *right) {
    const struct row *a = left;
    const struct row *b = right;
    int order = compare_numbers(price_or_most(a->type), price_or_most(b->type));
    return order ? order : by_name(left, right);
}

static int by_memory(const void *left, const void *right) {
    const struct row *a = left;
    const struct row *b = right;
    int order = compare_numbers(a->type->memory_registered_mib, b->type->memory_registered_mib);
    return order ? order : by_name(left, right);
}

static int by_cpu(const void *left, const void *right) {
    const struct row *a = left;
    const struct row *b = right;
    int order = compare_numbers(a->type->vcpu, b->type->vcpu);
    return order ? order : by_name(left, right);
}

/* Compared as whole micro-dollars per 1024 GiB, which loses nothing that is ever shown. */
static int64_t price_per_gib_usd_micros(const taskfit_instance_type *type, int64_t scale) {
    return type->price_usd_micros < 0 ? INT64_MAX
                                      : type->price_usd_micros * MIB_PER_GIB * scale / type->memory_registered_mib;
}

static int by_price_per_gib(const void *left, const void *right) {
    const struct row *a = left;
    const struct row *b = right;
    int order = compare_numbers(price_per_gib_usd_micros(a->type, 1000), price_per_gib_usd_micros(b->type, 1000));
    return order ? order : by_name(left, right);
}

static taskfit_status find_order(const char *word, compare_fn **order_out, taskfit_error *err) {
    static const struct {
        const char *word;
        compare_fn *order;
    } orders[] = {{"name", by_name}, {"price", by_price}, {"memory", by_memory}, {"cpu", by_cpu}, {"price-per-gib", by_price_per_gib}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (!word || strcmp(orders[i].word, word) == 0) {
            *order_out = orders[i].order;
            return TASKFIT_OK;
        }
    }
    return taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown order '%s' (one of name, price, memory, cpu, price-per-gib)", word);
}

/* ---- forms ---- */

static int64_t advertised_or_unknown(const taskfit_instance_type *type) {
    return type->memory_advertised_mib > 0 ? type->memory_advertised_mib : -1;
}

static void add_usd_per_hour(taskfit_table *table, int64_t usd_micros) {
    TASKFIT_STRBUF(text);
    if (usd_micros >= 0) {
        taskfit_add_usd_per_hour(&text, usd_micros);
    }
    taskfit_table_cell(table, "%s", text.data);
}

static void add_usd_per_month(taskfit_table *table, int64_t usd_micros) {
    TASKFIT_STRBUF(text);
    if (usd_micros >= 0) {
        taskfit_add_usd_cents_grouped(&text, taskfit_usd_cents_per_month(usd_micros, HOURS_PER_MONTH));
    }
    taskfit_table_cell(table, "%s", text.data);
}

static void add_count(taskfit_table *table, int64_t count) {
    if (count < 0) {
        taskfit_table_cell(table, "%s", "");
    } else {
        taskfit_table_cell(table, "%" PRId64, count);
    }
}

static void write_table(taskfit_arena *arena, const struct row *rows, size_t n_rows, bool wide, taskfit_strbuf *out) {
    static const char *const headers[] = {
        "TYPE", "ARCH", ">VCPU", ">MEMORY MiB", ">AWSVPC TASKS", ">TRUNKED", ">GPUS", ">USD/HOUR", ">USD/MONTH",
        ">ADVERTISED MiB", "MEMORY FROM", ">USD/GiB-HOUR", "GENERATION", "BURSTABLE",
    };
    taskfit_table *table = taskfit_table_new(arena, headers, wide ? 14 : 9);
    for (size_t i = 0; i < n_rows; i++) {
        const taskfit_instance_type *type = rows[i].type;
        taskfit_table_cell(table, "%s", type->name);
        taskfit_table_cell(table, "%s", architecture_word(type->architecture));
        add_count(table, type->vcpu);
        add_count(table, type->memory_registered_mib);
        add_count(table, type->awsvpc_tasks);
        add_count(table, type->awsvpc_tasks_trunking);
        add_count(table, type->gpus);
        add_usd_per_hour(table, type->price_usd_micros);
        add_usd_per_month(table, type->price_usd_micros);
        if (wide) {
            add_count(table, advertised_or_unknown(type));
            taskfit_table_cell(table, "%s", type->memory_measured ? "measured" : "formula");
            add_usd_per_hour(table, type->price_usd_micros < 0 ? -1 : price_per_gib_usd_micros(type, 1));
            taskfit_table_cell(table, "%s", type->current_generation ? "current" : "previous");
            taskfit_table_cell(table, "%s", type->burstable ? "yes" : "no");
        }
    }
    taskfit_table_write(table, out);
}

static void write_csv(taskfit_arena *arena, const struct row *rows, size_t n_rows, taskfit_strbuf *out) {
    static const char *const headers[] = {
        "instance_type", "arch", "current_gen", "burstable", "vcpu", "mem_advertised_mib", "mem_registered_safe_mib",
        "mem_measured", "awsvpc_tasks_no_trunk", "awsvpc_tasks_trunk", "gpu_count", "usd_hour_ondemand_linux",
    };
    taskfit_table *table = taskfit_table_new(arena, headers, sizeof headers / sizeof *headers);
    for (size_t i = 0; i < n_rows; i++) {
        const taskfit_instance_type *type = rows[i].type;
        taskfit_table_cell(table, "%s", type->name);
        taskfit_table_cell(table, "%s", architecture_word(type->architecture));
        add_count(table, type->current_generation);
        add_count(table, type->burstable);
        add_count(table, type->vcpu);
        add_count(table, advertised_or_unknown(type));
        add_count(table, type->memory_registered_mib);
        add_count(table, type->memory_measured);
        add_count(table, type->awsvpc_tasks);
        add_count(table, type->awsvpc_tasks_trunking);
        add_count(table, type->gpus);
        add_usd_per_hour(table, type->price_usd_micros);
    }
    taskfit_table_write_csv(table, out);
}

static taskfit_node *count_or_null(taskfit_arena *arena, int64_t count) {
    return count < 0 ? taskfit_node_null(arena) : taskfit_node_int(arena, count);
}

static taskfit_node *type_node(taskfit_arena *arena, const taskfit_instance_type *type) {
    taskfit_node *map = taskfit_node_map(arena);
    TASKFIT_STRBUF(usd_per_hour);
    if (type->price_usd_micros >= 0) {
        taskfit_add_usd_per_hour(&usd_per_hour, type->price_usd_micros);
    }
    taskfit_node_set(arena, map, "type", taskfit_node_string(arena, type->name));
    taskfit_node_set(arena, map, "architecture", taskfit_node_string(arena, architecture_word(type->architecture)));
    taskfit_node_set(arena, map, "vcpu", taskfit_node_int(arena, type->vcpu));
    taskfit_node_set(arena, map, "cpuUnits", taskfit_node_int(arena, type->vcpu * TASKFIT_CPU_UNITS_PER_VCPU));
    taskfit_node_set(arena, map, "registeredMemoryMiB", taskfit_node_int(arena, type->memory_registered_mib));
    taskfit_node_set(arena, map, "registeredMemoryMeasured", taskfit_node_bool(arena, type->memory_measured));
    taskfit_node_set(arena, map, "advertisedMemoryMiB", count_or_null(arena, advertised_or_unknown(type)));
    taskfit_node_set(arena, map, "awsvpcTasks", count_or_null(arena, type->awsvpc_tasks));
    taskfit_node_set(arena, map, "awsvpcTasksTrunking", count_or_null(arena, type->awsvpc_tasks_trunking));
    taskfit_node_set(arena, map, "gpu", taskfit_node_int(arena, type->gpus));
    taskfit_node_set(arena, map, "usdPerHour", taskfit_node_string(arena, usd_per_hour.len > 0 ? usd_per_hour.data : NULL));
    taskfit_node_set(arena, map, "currentGeneration", taskfit_node_bool(arena, type->current_generation));
    taskfit_node_set(arena, map, "burstable", taskfit_node_bool(arena, type->burstable));
    return map;
}

static taskfit_node *types_tree(taskfit_arena *arena, const taskfit_catalogue *catalogue, const struct row *rows, size_t n_rows) {
    taskfit_node *types = taskfit_node_list(arena);
    for (size_t i = 0; i < n_rows; i++) {
        taskfit_node_append(arena, types, type_node(arena, rows[i].type));
    }
    taskfit_node *root = taskfit_node_map(arena);
    taskfit_node_set(arena, root, "schema", taskfit_node_string(arena, "taskfit.types/1"));
    taskfit_node_set(arena, root, "source", taskfit_node_string(arena, taskfit_catalogue_source(catalogue)));
    taskfit_node_set(arena, root, "types", types);
    return root;
}

taskfit_status taskfit_types_write(const taskfit_catalogue *catalogue, const taskfit_types_query *query,
                                   taskfit_plan_style style, taskfit_write_fn *write, void *sink, taskfit_error *err) {
    compare_fn *order = by_name;
    taskfit_status status = check_families(catalogue, query->family, err);
    if (status == TASKFIT_OK) {
        status = find_order(query->sort, &order, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_arena *arena = taskfit_arena_new();
    struct row *rows = TASKFIT_ARRAY(arena, taskfit_catalogue_count(catalogue), struct row);
    size_t n_rows = 0;
    for (size_t i = 0; i < taskfit_catalogue_count(catalogue); i++) {
        const taskfit_instance_type *type = taskfit_catalogue_at(catalogue, i);
        if (matches(type, query)) {
            rows[n_rows++] = (struct row){type, i};
        }
    }
    qsort(rows, n_rows, sizeof *rows, order);
    TASKFIT_STRBUF(out);
    switch (style) {
    case TASKFIT_STYLE_TABLE:
    case TASKFIT_STYLE_WIDE:
        write_table(arena, rows, n_rows, style == TASKFIT_STYLE_WIDE, &out);
        break;
    case TASKFIT_STYLE_JSON:
        taskfit_node_write_json(types_tree(arena, catalogue, rows, n_rows), &out);
        break;
    case TASKFIT_STYLE_YAML:
        taskfit_node_write_yaml(types_tree(arena, catalogue, rows, n_rows), &out);
        break;
    case TASKFIT_STYLE_CSV:
        write_csv(arena, rows, n_rows, &out);
        break;
    }
    taskfit_arena_free(arena);
    return write(sink, out.data, out.len) == 0 ? TASKFIT_OK : taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write the types");
}
