#include "problem/plan_fields.h"

#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "problem/plan.h"

static void add_path(const taskfit_field *at, taskfit_strbuf *out) {
    if (!at) {
        return;
    }
    add_path(at->parent, out);
    if (at->key) {
        taskfit_strbuf_printf(out, "%s%s", at->parent ? "." : "", at->key);
    } else {
        taskfit_strbuf_printf(out, "[%zu]", at->index);
    }
}

bool taskfit_field_refuse(const taskfit_document *document, const taskfit_field *at, const taskfit_node *value,
                          const char *what, const char *word) {
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(message);
    add_path(at, &path);
    taskfit_strbuf_adds(&message, what);
    if (word) {
        taskfit_strbuf_printf(&message, " '%.80s'", word);
    }
    (void)!taskfit_fail(document->err, TASKFIT_E_INPUT, "%s", message.data);
    if (value && value->position.line > 0) {
        taskfit_error_at(document->err, "%s:%u:%u: %s", document->file, (unsigned)value->position.line,
                         (unsigned)value->position.column, path.data);
    } else {
        taskfit_error_at(document->err, "%s: %s", document->file, path.data);
    }
    return false;
}

bool taskfit_field_absent(const taskfit_node *value) {
    return !value || taskfit_node_is_null(value);
}

const taskfit_node *taskfit_field_list(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map) {
    const taskfit_node *value = taskfit_node_get(map, at->key);
    bool found = value && value->kind == TASKFIT_NODE_LIST;
    return found || taskfit_field_refuse(document, at, value, "must be a list", NULL) ? value : NULL;
}

const taskfit_node *taskfit_field_map(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map) {
    const taskfit_node *value = taskfit_node_get(map, at->key);
    bool found = value && value->kind == TASKFIT_NODE_MAP;
    return found || taskfit_field_refuse(document, at, value, "must be a map", NULL) ? value : NULL;
}

bool taskfit_field_text(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map, bool may_be_null,
                        const char **text_out) {
    const taskfit_node *value = taskfit_node_get(map, at->key);
    if (taskfit_field_absent(value)) {
        *text_out = NULL;
        return may_be_null || taskfit_field_refuse(document, at, value, "must be a text", NULL);
    }
    if (value->kind != TASKFIT_NODE_SCALAR) {
        return taskfit_field_refuse(document, at, value, may_be_null ? "must be a text or null" : "must be a text", NULL);
    }
    *text_out = value->text;
    return true;
}

bool taskfit_field_count(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map, bool may_be_null,
                         int64_t *value_out) {
    const taskfit_node *value = taskfit_node_get(map, at->key);
    if (taskfit_field_absent(value) && may_be_null) {
        *value_out = -1;
        return true;
    }
    const char *why = NULL;
    if (!value || value->kind != TASKFIT_NODE_SCALAR || value->quoted ||
        !taskfit_parse_count(value->text, value->n, 0, TASKFIT_QUANTITY_MAX, value_out, &why)) {
        return taskfit_field_refuse(document, at, value, may_be_null ? "must be a whole number or null" : "must be a whole number", NULL);
    }
    return true;
}

bool taskfit_field_usd_micros(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map,
                              int64_t *usd_micros_out) {
    const char *text = NULL;
    const char *why = NULL;
    if (!taskfit_field_text(document, at, map, true, &text)) {
        return false;
    }
    *usd_micros_out = -1;
    if (text && !taskfit_parse_cost_usd_micros(text, strlen(text), usd_micros_out, &why)) {
        return taskfit_field_refuse(document, at, taskfit_node_get(map, at->key), "must be dollars per hour such as \"3.427200\", not", text);
    }
    return true;
}

bool taskfit_field_proof(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map,
                         taskfit_proof *proof_out) {
    const char *word = NULL;
    return taskfit_field_text(document, at, map, false, &word) &&
           (taskfit_proof_from_name(word, proof_out) ||
            taskfit_field_refuse(document, at, taskfit_node_get(map, at->key), "unknown proof", word));
}

bool taskfit_field_rung(const taskfit_document *document, const taskfit_field *at, const taskfit_node *map,
                        taskfit_rung *rung_out) {
    const char *word = NULL;
    return taskfit_field_text(document, at, map, false, &word) &&
           (taskfit_rung_from_name(word, rung_out) ||
            taskfit_field_refuse(document, at, taskfit_node_get(map, at->key), "unknown rung", word));
}
