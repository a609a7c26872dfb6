#include "whatif/kpi.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "input/csv.h"

typedef struct reading {
    const taskfit_comparison *comparison;
    const taskfit_parse_options *options;
    taskfit_arena *arena;
    taskfit_kpi *items;
    size_t n_items, capacity;
} reading;

static taskfit_kpi *find_or_add(reading *r, const char *transaction, const char *unit) {
    for (size_t i = 0; i < r->n_items; i++) {
        if (strcmp(r->items[i].transaction, transaction) == 0 && strcmp(r->items[i].unit, unit) == 0) {
            return &r->items[i];
        }
    }
    TASKFIT_GROW(r->arena, r->items, r->n_items, r->capacity);
    taskfit_kpi *kpi = &r->items[r->n_items++];
    *kpi = (taskfit_kpi){.transaction = transaction, .unit = unit, .higher_is_better = strchr(unit, '/') != NULL};
    kpi->micros = TASKFIT_ARRAY(r->arena, r->comparison->n_rows, int64_t);
    for (size_t row = 0; row < r->comparison->n_rows; row++) {
        kpi->micros[row] = -1;
    }
    return kpi;
}

static taskfit_status refuse(const taskfit_csv_field *field, const char *why, taskfit_error *err) {
    taskfit_error_at(err, "%s:%u:%u", field->position.file, (unsigned)field->position.line, (unsigned)field->position.column);
    return taskfit_fail(err, TASKFIT_E_INPUT, "'%.100s': %s", field->text, why);
}

/* A scenario that the file lacks is a slip; one that is not compared now is passed over. */
static bool scenario_known(const taskfit_comparison *comparison, const char *name) {
    const taskfit_node *scenarios = taskfit_node_get(comparison->rows[0].deployment->resolved, "scenarios");
    return name[0] == '\0' || (scenarios && taskfit_node_get(scenarios, name));
}

static taskfit_status add_rows(reading *r, const taskfit_csv *csv, const char *file, taskfit_error *err) {
    static const char *const names[] = {"scenario", "transaction", "value", "unit"};
    size_t at[4];
    for (size_t i = 0; i < 4; i++) {
        at[i] = taskfit_csv_column(csv, names[i]);
        if (at[i] == csv->n_columns) {
            taskfit_error_at(err, "%s", file);
            return taskfit_fail(err, TASKFIT_E_INPUT, "no column '%s' (scenario,transaction,value,unit are read)", names[i]);
        }
    }
    for (size_t i = 0; i < csv->n_rows; i++) {
        const taskfit_csv_field *scenario = taskfit_csv_at(csv, i, at[0]);
        const taskfit_csv_field *value = taskfit_csv_at(csv, i, at[2]);
        const char *why = NULL;
        int64_t micros = 0;
        if (!scenario_known(r->comparison, scenario->text)) {
            return refuse(scenario, "is no scenario of the deployment (empty: as it is)", err);
        }
        if (!taskfit_parse_usd_micros(value->text, strlen(value->text), &micros, &why)) {
            return refuse(value, why, err);
        }
        taskfit_kpi *kpi = find_or_add(r, taskfit_csv_at(csv, i, at[1])->text, taskfit_csv_at(csv, i, at[3])->text);
        for (size_t row = 0; row < r->comparison->n_rows; row++) {
            const char *name = r->comparison->rows[row].scenario;
            if (strcmp(name ? name : "", scenario->text) == 0) {
                kpi->micros[row] = micros;
            }
        }
    }
    return TASKFIT_OK;
}

/* Files are named beside the deployment's. */
static const char *path_beside(taskfit_arena *arena, const char *file, const char *name) {
    const char *slash = strrchr(file, '/');
    return name[0] == '/' || !slash ? name : taskfit_arena_printf(arena, "%.*s%s", (int)(slash - file + 1), file, name);
}

static taskfit_status read_file(reading *r, const char *name, taskfit_error *err) {
    const char *path = path_beside(r->arena, r->comparison->files[0], name);
    char *data = NULL;
    size_t len = 0;
    taskfit_csv csv;
    if (!r->options->load) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "'%s' cannot be read here (kpis name files)", name);
    }
    taskfit_status status = r->options->load(r->options->load_arg, path, &data, &len, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    status = taskfit_csv_read(r->arena, path, data, len, &csv, err);
    free(data);
    return status == TASKFIT_OK ? add_rows(r, &csv, path, err) : status;
}

int64_t taskfit_kpi_worse_permille(const taskfit_kpi *kpi, size_t reference, size_t row) {
    const int64_t base = kpi->micros[reference];
    if (base <= 0 || kpi->micros[row] < 0) {
        return 0;
    }
    const double change = ((double)kpi->micros[row] - (double)base) * 1000.0 / (double)base;
    const int64_t permille = (int64_t)(change < 0 ? change - 0.5 : change + 0.5);
    return kpi->higher_is_better ? -permille : permille;
}

/* ---- which rows no other beats ---- */

static void weigh(const taskfit_comparison *comparison, taskfit_kpis *kpis) {
    for (size_t row = 0; row < comparison->n_rows; row++) {
        int64_t sum = 0;
        int64_t n = 0;
        for (size_t i = 0; i < kpis->n_items; i++) {
            if (kpis->items[i].micros[row] >= 0 && kpis->items[i].micros[kpis->reference] > 0) {
                sum += taskfit_kpi_worse_permille(&kpis->items[i], kpis->reference, row);
                n++;
            }
        }
        kpis->worse_permille[row] = n > 0 ? sum / n : INT64_MIN;
    }
    for (size_t row = 0; row < comparison->n_rows; row++) {
        const int64_t cents = comparison->rows[row].figures.usd_cents;
        kpis->unbeaten[row] = cents >= 0 && kpis->worse_permille[row] != INT64_MIN;
        for (size_t other = 0; other < comparison->n_rows && kpis->unbeaten[row]; other++) {
            const int64_t other_cents = comparison->rows[other].figures.usd_cents;
            const int64_t worse = kpis->worse_permille[row];
            const int64_t other_worse = kpis->worse_permille[other];
            const bool as_good = other_cents >= 0 && other_worse != INT64_MIN && other_cents <= cents && other_worse <= worse;
            kpis->unbeaten[row] = !(as_good && (other_cents < cents || other_worse < worse));
        }
    }
}

static size_t first_measured(const reading *r) {
    for (size_t row = 0; row < r->comparison->n_rows; row++) {
        for (size_t i = 0; i < r->n_items; i++) {
            if (r->items[i].micros[row] >= 0) {
                return row;
            }
        }
    }
    return 0;
}

taskfit_status taskfit_kpis_read(const taskfit_comparison *comparison, const taskfit_parse_options *options,
                                 taskfit_kpis *kpis_out, taskfit_error *err) {
    reading r = {.comparison = comparison, .options = options, .arena = comparison->arena};
    const taskfit_deployment *deployment = comparison->rows[0].deployment;
    taskfit_status status = TASKFIT_OK;
    for (size_t f = 0; f < deployment->n_kpi_files && status == TASKFIT_OK; f++) {
        status = read_file(&r, deployment->kpi_files[f], err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    taskfit_kpis kpis = {.items = r.items,
                         .n_items = r.n_items,
                         .worse_permille = TASKFIT_ARRAY(r.arena, comparison->n_rows, int64_t),
                         .unbeaten = TASKFIT_ARRAY(r.arena, comparison->n_rows, bool),
                         .reference = first_measured(&r)};
    if (kpis.n_items > 0) {
        weigh(comparison, &kpis);
    }
    *kpis_out = kpis;
    return TASKFIT_OK;
}
