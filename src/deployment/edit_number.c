#include "deployment/edit_number.h"

#include <assert.h>
#include <string.h>

#include "base/units.h"

enum { MICROS = 1000 * 1000, FACTOR_MAX = 1000000 };

typedef enum number_unit { UNIT_COUNT, UNIT_MEMORY_UP, UNIT_MEMORY_DOWN, UNIT_CPU, UNIT_USD } number_unit;

static const struct unit_row {
    const char *key;
    number_unit unit;
    const char *value; /* built in; NULL: none */
} units[] = {
    {"cpu", UNIT_CPU, "0"},
    {"reservedCpu", UNIT_CPU, "0"},
    {"memory", UNIT_MEMORY_UP, NULL},
    {"memoryReservation", UNIT_MEMORY_UP, NULL},
    {"reservedMemory", UNIT_MEMORY_UP, "0"},
    {"registeredMemory", UNIT_MEMORY_DOWN, NULL},
    {"xmx", UNIT_MEMORY_UP, NULL},
    {"xms", UNIT_MEMORY_UP, NULL},
    {"metaspace", UNIT_MEMORY_UP, NULL},
    {"maxMetaspace", UNIT_MEMORY_UP, NULL},
    {"codeCache", UNIT_MEMORY_UP, NULL},
    {"directMemory", UNIT_MEMORY_UP, NULL},
    {"usdPerHour", UNIT_USD, NULL},
    {"usdPerMonth", UNIT_USD, NULL},
    {"desiredCount", UNIT_COUNT, "1"},
    {"min", UNIT_COUNT, "0"},
    {"maximumPercent", UNIT_COUNT, "200"},
    {"minimumHealthyPercent", UNIT_COUNT, "100"},
};

static const struct unit_row *find_unit(const char *key) {
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (strcmp(key, units[u].key) == 0) {
            return &units[u];
        }
    }
    return NULL;
}

const taskfit_node *taskfit_number_default(taskfit_arena *arena, const char *key) {
    const struct unit_row *row = find_unit(key);
    return row && row->value ? taskfit_node_plain(arena, row->value) : NULL;
}

static bool parse_number(number_unit unit, const char *text, int64_t *value_out, const char **why_out) {
    size_t len = strlen(text);
    switch (unit) {
    case UNIT_COUNT: return taskfit_parse_count(text, len, 0, TASKFIT_QUANTITY_MAX, value_out, why_out);
    case UNIT_MEMORY_UP: return taskfit_parse_memory_mib(text, len, TASKFIT_ROUND_UP, value_out, why_out);
    case UNIT_MEMORY_DOWN: return taskfit_parse_memory_mib(text, len, TASKFIT_ROUND_DOWN, value_out, why_out);
    case UNIT_CPU: return taskfit_parse_cpu_units(text, len, TASKFIT_ROUND_UP, value_out, why_out);
    case UNIT_USD: return taskfit_parse_usd_micros(text, len, value_out, why_out);
    }
    return false;
}

static taskfit_status add(number_unit unit, const char *text, int64_t *value, taskfit_error *err) {
    bool negative = text[0] == '-';
    int64_t more = 0;
    const char *why = "";
    if (!parse_number(unit, text + negative, &more, &why)) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "'%s' cannot be added: %s", text, why);
    }
    if (negative && more > *value) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "adding %s would leave less than nothing", text);
    }
    *value += negative ? -more : more;
    return TASKFIT_OK;
}

/* Rounds up. value = whole * 10^6 + part, so no product leaves 64 bits: whole < 2^41, factor <= 10^12. */
static taskfit_status scale(const char *text, int64_t *value, taskfit_error *err) {
    int64_t factor_micros = 0; /* the factor, read as money is */
    const char *why = "";
    const char *point = strchr(text, '.');
    if (!taskfit_parse_usd_micros(text, strlen(text), &factor_micros, &why)) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "'%s' is no factor (a decimal such as 1.5)", text);
    }
    if ((point && strlen(point + 1) > 6) || factor_micros > (int64_t)FACTOR_MAX * MICROS) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "factor '%s' is out of range (up to %d, six decimals)", text, (int)FACTOR_MAX);
    }
    int64_t scaled = 0;
    int64_t part = (*value % MICROS * factor_micros + MICROS - 1) / MICROS;
    if (__builtin_mul_overflow(*value / MICROS, factor_micros, &scaled) || __builtin_add_overflow(scaled, part, &scaled) ||
        scaled > TASKFIT_PRICE_USD_MICROS_MAX * 2) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "scaled by %s it is too large", text);
    }
    *value = scaled;
    return TASKFIT_OK;
}

taskfit_status taskfit_number_compute(taskfit_arena *arena, const char *key, const taskfit_node *old, const taskfit_edit *edit,
                                      taskfit_node **value_out, taskfit_error *err) {
    assert(edit->operation == TASKFIT_EDIT_ADD || edit->operation == TASKFIT_EDIT_SCALE);
    const char *word = edit->operation == TASKFIT_EDIT_ADD ? "add" : "scale";
    if (edit->value->kind != TASKFIT_NODE_SCALAR || edit->value->quoted) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "%s needs a number", word);
    }
    const struct unit_row *row = find_unit(key);
    number_unit unit = row ? row->unit : UNIT_COUNT;
    int64_t value = 0;
    const char *why = "a list or map";
    if (old->kind != TASKFIT_NODE_SCALAR || !parse_number(unit, old->text, &value, &why)) {
        return taskfit_fail(err, TASKFIT_E_INPUT, "'%s' cannot be computed with: %s", old->text ? old->text : key, why);
    }
    taskfit_status status = edit->operation == TASKFIT_EDIT_ADD ? add(unit, edit->value->text, &value, err)
                                                                : scale(edit->value->text, &value, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    TASKFIT_STRBUF(text);
    taskfit_add_usd_per_hour(&text, value);
    *value_out = unit == UNIT_USD ? taskfit_node_plain(arena, text.data) : taskfit_node_int(arena, value);
    return TASKFIT_OK;
}
