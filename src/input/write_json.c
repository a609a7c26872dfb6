/* JSON through cJSON. Numbers go out as they were read: cJSON would turn 1e15 and prices into doubles. */
#include <assert.h>
#include <cjson/cJSON.h>

#include "input/scalar.h"

/* cJSON fails only where memory runs out. */
static void check(bool ok) {
    if (!ok) {
        taskfit_oom();
    }
}

static cJSON *scalar_json(const taskfit_node *node) {
    switch (taskfit_scalar_means(node)) {
    case TASKFIT_SCALAR_NUMBER:
        return cJSON_CreateRaw(node->text);
    case TASKFIT_SCALAR_TRUE:
        return cJSON_CreateTrue();
    case TASKFIT_SCALAR_FALSE:
        return cJSON_CreateFalse();
    case TASKFIT_SCALAR_NULL:
        return cJSON_CreateNull();
    case TASKFIT_SCALAR_STRING:
        break;
    }
    return cJSON_CreateString(node->text);
}

static cJSON *node_json(const taskfit_node *node) {
    cJSON *json = NULL;
    switch (node->kind) {
    case TASKFIT_NODE_SCALAR:
        json = scalar_json(node);
        break;
    case TASKFIT_NODE_LIST:
        json = cJSON_CreateArray();
        check(json != NULL);
        for (size_t i = 0; i < node->n; i++) {
            check(cJSON_AddItemToArray(json, node_json(node->items[i])));
        }
        break;
    case TASKFIT_NODE_MAP:
        json = cJSON_CreateObject();
        check(json != NULL);
        for (size_t i = 0; i < node->n; i++) {
            check(cJSON_AddItemToObject(json, node->entries[i].key, node_json(node->entries[i].value)));
        }
        break;
    }
    check(json != NULL);
    return json;
}

void taskfit_node_write_json(const taskfit_node *root, taskfit_strbuf *out) {
    cJSON *json = node_json(root);
    char *text = cJSON_Print(json);
    check(text != NULL);
    taskfit_strbuf_adds(out, text);
    taskfit_strbuf_addc(out, '\n');
    cJSON_free(text);
    cJSON_Delete(json);
}
