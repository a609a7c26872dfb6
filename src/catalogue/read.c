/* A catalogue file: a CSV with the columns of data/instances_us-east-1.csv (data/README.md), in any order. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "catalogue/table.h"
#include "input/csv.h"
#include "input/diag.h"

const char *taskfit_catalogue_nearest(const taskfit_catalogue *catalogue, const char *name) {
    taskfit_arena *arena = taskfit_arena_new();
    const char **names = TASKFIT_ARRAY(arena, catalogue->n_types, const char *);
    for (size_t i = 0; i < catalogue->n_types; i++) {
        names[i] = catalogue->types[i].name;
    }
    const char *nearest = taskfit_nearest(name, names, catalogue->n_types);
    taskfit_arena_free(arena);
    return nearest;
}

enum kind { NAME, ARCHITECTURE, COUNT, MEMORY, PRICE, YES_NO };

struct column {
    const char *name;
    enum kind kind;
    bool needed;     /* the file must have it, and no field of it may be empty */
    int64_t fallback; /* where the column or the field is missing */
    int64_t high;    /* COUNT */
    size_t offset;
};

#define AT(field) offsetof(taskfit_instance_type, field)
enum { VCPU_MAX = 100 * 1000, SLOTS_MAX = 100 * 1000, GPUS_MAX = 1000 };

static const struct column columns[] = {
    {"instance_type", NAME, true, 0, 0, AT(name)},
    {"arch", ARCHITECTURE, true, 0, 0, AT(architecture)},
    {"vcpu", COUNT, true, 0, VCPU_MAX, AT(vcpu)},
    {"mem_registered_safe_mib", MEMORY, true, 0, 0, AT(memory_registered_mib)},
    {"usd_hour_ondemand_linux", PRICE, true, -1, 0, AT(price_usd_micros)},
    {"mem_advertised_mib", MEMORY, false, 0, 0, AT(memory_advertised_mib)},
    {"awsvpc_tasks_no_trunk", COUNT, false, -1, SLOTS_MAX, AT(awsvpc_tasks)},
    {"awsvpc_tasks_trunk", COUNT, false, -1, SLOTS_MAX, AT(awsvpc_tasks_trunking)},
    {"gpu_count", COUNT, false, 0, GPUS_MAX, AT(gpus)},
    {"current_gen", YES_NO, false, 1, 0, AT(current_generation)},
    {"burstable", YES_NO, false, 0, 0, AT(burstable)},
    {"mem_measured", YES_NO, false, 1, 0, AT(memory_measured)},
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* The columns whose fields say, when all are empty, that the registered memory is a formula's. */
static const char *const measurements[] = {"mem_os_mib_2025", "mem_os_mib_2023", "mem_ecs_observed_min_mib"};

struct reader {
    const taskfit_csv *csv;
    size_t at[N_COLUMNS]; /* index of each column in the file; n_columns: absent */
    size_t measured_at[3];
    taskfit_error *err;
};

static taskfit_status refuse(struct reader *in, const taskfit_csv_field *field, const char *column, const char *why) {
    taskfit_error_at(in->err, "%s:%u:%u: %s", field->position.file, (unsigned)field->position.line,
                     (unsigned)field->position.column, column);
    return taskfit_fail(in->err, TASKFIT_E_INPUT, "'%.100s': %s", field->text, why);
}

static bool parse_architecture(const char *text, taskfit_architecture *architecture_out, const char **why_out) {
    bool is_arm64 = strcmp(text, "arm64") == 0;
    *architecture_out = is_arm64 ? TASKFIT_ARCH_ARM64 : TASKFIT_ARCH_X86_64;
    *why_out = "unknown architecture (x86_64 or arm64)";
    return is_arm64 || strcmp(text, "x86_64") == 0 || strcmp(text, "i386/x86_64") == 0;
}

static bool parse_yes_no(const char *text, bool *value_out, const char **why_out) {
    *value_out = strcmp(text, "1") == 0;
    *why_out = "neither 0 nor 1";
    return *value_out || strcmp(text, "0") == 0;
}

static bool parse_memory(const char *text, int64_t *mib_out, const char **why_out) {
    if (!taskfit_parse_memory_mib(text, strlen(text), TASKFIT_ROUND_DOWN, mib_out, why_out)) {
        return false;
    }
    *why_out = "an instance without memory";
    return *mib_out > 0;
}

static bool parse_field(const struct column *column, const char *text, void *value, const char **why_out) {
    size_t len = strlen(text);
    switch (column->kind) {
    case NAME:
        *(const char **)value = text;
        return true;
    case ARCHITECTURE:
        return parse_architecture(text, value, why_out);
    case COUNT:
        return taskfit_parse_count(text, len, column->needed ? 1 : 0, column->high, value, why_out);
    case MEMORY:
        return parse_memory(text, value, why_out);
    case PRICE:
        return taskfit_parse_usd_micros(text, len, value, why_out);
    case YES_NO:
        return parse_yes_no(text, value, why_out);
    }
    assert(false);
    return false;
}

static void set_fallback(const struct column *column, void *value) {
    assert(column->kind != NAME && column->kind != ARCHITECTURE);
    if (column->kind == YES_NO) {
        *(bool *)value = column->fallback != 0;
    } else {
        *(int64_t *)value = column->fallback;
    }
}

static taskfit_status read_row(struct reader *in, size_t row, taskfit_instance_type *type) {
    for (size_t i = 0; i < N_COLUMNS; i++) {
        const taskfit_csv_field *field = in->at[i] < in->csv->n_columns ? taskfit_csv_at(in->csv, row, in->at[i]) : NULL;
        void *value = (char *)type + columns[i].offset;
        const char *why = NULL;
        if (field && (columns[i].needed || *field->text)) {
            bool good = *field->text && parse_field(&columns[i], field->text, value, &why);
            if (!good) {
                return refuse(in, field, columns[i].name, why ? why : "a value is missing");
            }
        } else {
            set_fallback(&columns[i], value);
        }
    }
    if (type->awsvpc_tasks_trunking < type->awsvpc_tasks) { /* blank: the type cannot trunk */
        type->awsvpc_tasks_trunking = type->awsvpc_tasks;
    }
    bool has_measurements = false;
    bool measured = false;
    for (size_t i = 0; i < 3; i++) {
        has_measurements = has_measurements || in->measured_at[i] < in->csv->n_columns;
        measured = measured || (in->measured_at[i] < in->csv->n_columns && *taskfit_csv_at(in->csv, row, in->measured_at[i])->text);
    }
    type->memory_measured = has_measurements ? measured : type->memory_measured;
    return TASKFIT_OK;
}

static taskfit_status find_columns(struct reader *in, const char *file) {
    for (size_t i = 0; i < N_COLUMNS; i++) {
        in->at[i] = taskfit_csv_column(in->csv, columns[i].name);
        if (columns[i].needed && in->at[i] == in->csv->n_columns) {
            taskfit_error_at(in->err, "%s", file);
            return taskfit_fail(in->err, TASKFIT_E_INPUT,
                                "no column '%s' (needed: instance_type, arch, vcpu, mem_registered_safe_mib, usd_hour_ondemand_linux)",
                                columns[i].name);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        in->measured_at[i] = taskfit_csv_column(in->csv, measurements[i]);
    }
    return TASKFIT_OK;
}

static int compare_names(const void *left, const void *right) {
    const taskfit_csv_field *const *a = left;
    const taskfit_csv_field *const *b = right;
    int order = strcmp((*a)->text, (*b)->text);
    return order ? order : (*a > *b) - (*a < *b); /* pointers into one array: the order of the file */
}

static taskfit_status check_unique(struct reader *in, taskfit_arena *arena) {
    const taskfit_csv_field **names = TASKFIT_ARRAY(arena, in->csv->n_rows, const taskfit_csv_field *);
    for (size_t row = 0; row < in->csv->n_rows; row++) {
        names[row] = taskfit_csv_at(in->csv, row, in->at[0]);
    }
    qsort(names, in->csv->n_rows, sizeof *names, compare_names);
    for (size_t i = 1; i < in->csv->n_rows; i++) {
        if (strcmp(names[i - 1]->text, names[i]->text) == 0) {
            return refuse(in, names[i], columns[0].name, "the type is listed twice");
        }
    }
    return TASKFIT_OK;
}

static int compare_types(const void *left, const void *right) {
    return taskfit_instance_type_compare(left, right);
}

static taskfit_status read_types(struct reader *in, const char *file, taskfit_arena *arena, taskfit_instance_type **types_out) {
    taskfit_status status = find_columns(in, file);
    if (status == TASKFIT_OK && in->csv->n_rows == 0) {
        taskfit_error_at(in->err, "%s", file);
        status = taskfit_fail(in->err, TASKFIT_E_INPUT, "no instance type in the catalogue");
    }
    taskfit_instance_type *types = TASKFIT_ARRAY(arena, in->csv->n_rows, taskfit_instance_type);
    for (size_t row = 0; row < in->csv->n_rows && status == TASKFIT_OK; row++) {
        status = read_row(in, row, &types[row]);
    }
    if (status == TASKFIT_OK) {
        status = check_unique(in, arena);
    }
    if (status == TASKFIT_OK) {
        qsort(types, in->csv->n_rows, sizeof *types, compare_types);
        *types_out = types;
    }
    return status;
}

/* "FILE", with the date that a first comment line "# date: 2026-07-20 ..." gives. */
static const char *source_of(taskfit_arena *arena, const char *file, const char *comment) {
    static const char label[] = "date: ";
    if (strncmp(comment, label, sizeof label - 1) != 0) {
        return taskfit_arena_strdup(arena, file);
    }
    const char *date = comment + sizeof label - 1;
    return taskfit_arena_printf(arena, "%s, %.*s", file, (int)strcspn(date, " ;"), date);
}

taskfit_status taskfit_catalogue_read(const char *file, const char *data, size_t len, taskfit_catalogue **catalogue_out,
                                      taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_csv csv = {0};
    struct reader in = {.csv = &csv, .err = err};
    taskfit_instance_type *types = NULL;
    taskfit_status status = taskfit_csv_read(arena, file, data, len, &csv, err);
    if (status == TASKFIT_OK) {
        status = read_types(&in, file, arena, &types);
    }
    if (status != TASKFIT_OK) {
        taskfit_arena_free(arena);
        return status;
    }
    taskfit_catalogue *catalogue = TASKFIT_NEW(arena, taskfit_catalogue);
    *catalogue = (taskfit_catalogue){types, csv.n_rows, source_of(arena, file, csv.comment), arena};
    *catalogue_out = catalogue;
    return TASKFIT_OK;
}
