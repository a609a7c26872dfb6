#include "catalogue/prices.h"

#include <string.h>

#include "base/units.h"
#include "input/csv.h"

/* Made from data/prices_us-east-1.csv by prices.awk. */
static const taskfit_price builtin[] = {
#include "catalogue/prices.inc"
};

struct taskfit_prices {
    taskfit_arena *arena;
    const taskfit_price *rows;
    size_t n_rows;
};

static const taskfit_price *find(const taskfit_price *rows, size_t n_rows, const char *item) {
    for (size_t i = 0; i < n_rows; i++) {
        if (strcmp(rows[i].item, item) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

const taskfit_price *taskfit_price_find(const taskfit_prices *prices, const char *item) {
    const taskfit_price *own = prices ? find(prices->rows, prices->n_rows, item) : NULL;
    return own ? own : find(builtin, sizeof builtin / sizeof *builtin, item);
}

bool taskfit_price_weak(const taskfit_prices *prices, const taskfit_price *price) {
    for (size_t i = 0; prices && i < prices->n_rows; i++) {
        if (price == &prices->rows[i]) {
            return false;
        }
    }
    return strcmp(price->confidence, "high") != 0;
}

void taskfit_prices_free(taskfit_prices *prices) {
    if (prices) {
        taskfit_arena_free(prices->arena);
    }
}

/* ---- files ---- */

static taskfit_status refuse(const taskfit_csv_field *field, const char *why, taskfit_error *err) {
    taskfit_error_at(err, "%s:%u:%u", field->position.file, (unsigned)field->position.line, (unsigned)field->position.column);
    return taskfit_fail(err, TASKFIT_E_INPUT, "'%.100s': %s", field->text, why);
}

static taskfit_status read_rows(taskfit_prices *prices, const taskfit_csv *csv, const char *file, taskfit_error *err) {
    const size_t item = taskfit_csv_column(csv, "item");
    const size_t usd = taskfit_csv_column(csv, "usd");
    const size_t per = taskfit_csv_column(csv, "per");
    const size_t confidence = taskfit_csv_column(csv, "confidence");
    if (item == csv->n_columns || usd == csv->n_columns) {
        taskfit_error_at(err, "%s", file);
        return taskfit_fail(err, TASKFIT_E_INPUT, "no column '%s' (item,usd,per,confidence,source are read)",
                            item == csv->n_columns ? "item" : "usd");
    }
    taskfit_price *rows = TASKFIT_ARRAY(prices->arena, csv->n_rows, taskfit_price);
    for (size_t r = 0; r < csv->n_rows; r++) {
        const taskfit_csv_field *price = taskfit_csv_at(csv, r, usd);
        const taskfit_price *known = NULL;
        const char *why = NULL;
        rows[r].item = taskfit_csv_at(csv, r, item)->text;
        rows[r].confidence = confidence < csv->n_columns ? taskfit_csv_at(csv, r, confidence)->text : "given";
        if (find(rows, r, rows[r].item)) {
            return refuse(taskfit_csv_at(csv, r, item), "is given twice", err);
        }
        if (!taskfit_parse_usd_micros(price->text, strlen(price->text), &rows[r].usd_micros, &why)) {
            return refuse(price, why, err);
        }
        known = find(builtin, sizeof builtin / sizeof *builtin, rows[r].item);
        rows[r].per = per < csv->n_columns ? taskfit_csv_at(csv, r, per)->text : known ? known->per : "hour";
        if (known && strcmp(known->per, rows[r].per) != 0) {
            return refuse(taskfit_csv_at(csv, r, per), strcmp(known->per, "hour") == 0 ? "this price is per hour" : "this price is per GiB-month", err);
        }
    }
    prices->rows = rows;
    prices->n_rows = csv->n_rows;
    return TASKFIT_OK;
}

taskfit_status taskfit_prices_read(const char *file, const char *data, size_t len, taskfit_prices **prices_out,
                                   taskfit_error *err) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_prices *prices = TASKFIT_NEW(arena, taskfit_prices);
    taskfit_csv csv;
    prices->arena = arena;
    taskfit_status status = taskfit_csv_read(arena, file, data, len, &csv, err);
    if (status == TASKFIT_OK) {
        status = read_rows(prices, &csv, file, err);
    }
    if (status != TASKFIT_OK) {
        taskfit_prices_free(prices);
        return status;
    }
    *prices_out = prices;
    return TASKFIT_OK;
}
