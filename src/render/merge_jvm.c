#include "render/merge_jvm.h"

#include <string.h>

#include "deployment/jvm_flags.h"
#include "render/java_options.h"
#include "render/nodes.h"

/* Variables that images and the JVM itself take flags from. The first is FOLIO's; those of the JVM come last. */
static const char *const variables[] = {"JAVA_OPTIONS", "JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"};
enum { N_VARIABLES = sizeof variables / sizeof variables[0] };

typedef struct flags {
    const char *values[TASKFIT_JVM_FLAGS];
    bool found[TASKFIT_JVM_FLAGS];
    taskfit_arena *arena;
} flags;

static size_t variable_of(const taskfit_node *item) {
    const char *name = taskfit_text_of(item, "name");
    size_t variable = 0;
    while (variable < N_VARIABLES && (name == NULL || strcmp(name, variables[variable]) != 0)) {
        variable++;
    }
    return variable;
}

static void replace_in_list(flags *this, const taskfit_node *list) {
    TASKFIT_STRBUF(text);
    for (size_t item = 0; item < list->n; item++) {
        if (list->items[item]->kind == TASKFIT_NODE_SCALAR) {
            taskfit_strbuf_reset(&text);
            taskfit_jvm_flags_replace(list->items[item]->text, this->values, this->found, &text);
            list->items[item] = taskfit_node_string(this->arena, text.data);
        }
    }
}

static void replace_in_environment(flags *this, const taskfit_node *environment) {
    TASKFIT_STRBUF(text);
    for (size_t item = 0; item < environment->n; item++) {
        const char *value = taskfit_text_of(environment->items[item], "value");
        if (value != NULL && variable_of(environment->items[item]) < N_VARIABLES) {
            taskfit_strbuf_reset(&text);
            taskfit_jvm_flags_replace(value, this->values, this->found, &text);
            taskfit_set_string(this->arena, environment->items[item], "value", text.data);
        }
    }
}

/* The first of the variables that the list holds, in their order. */
static taskfit_node *find_variable(const taskfit_node *list) {
    taskfit_node *best = NULL;
    for (size_t item = 0; item < list->n; item++) {
        if (variable_of(list->items[item]) < (best == NULL ? (size_t)N_VARIABLES : variable_of(best))) {
            best = list->items[item];
        }
    }
    return best;
}

static void append_variable(taskfit_node *container, const char *value, taskfit_arena *arena) {
    taskfit_node *item = taskfit_node_map(arena);
    taskfit_set_string(arena, item, "name", variables[0]);
    taskfit_set_string(arena, item, "value", value);
    taskfit_node *list = taskfit_node_copy(arena, taskfit_list_of(container, "environment"));
    taskfit_node_append(arena, list, item);
    taskfit_node_set(arena, container, "environment", list);
}

bool taskfit_merge_jvm(taskfit_node *container, const taskfit_jvm *jvm, taskfit_arena *arena) {
    flags this = {.arena = arena};
    TASKFIT_STRBUF(text);
    TASKFIT_STRBUF(own);
    taskfit_java_options_values(jvm, arena, this.values);
    replace_in_environment(&this, taskfit_list_of(container, "environment"));
    replace_in_list(&this, taskfit_list_of(container, "entryPoint"));
    replace_in_list(&this, taskfit_list_of(container, "command"));
    taskfit_node *variable = find_variable(taskfit_list_of(container, "environment"));
    const char *value = variable != NULL ? taskfit_text_of(variable, "value") : NULL;
    const size_t old_len = value != NULL ? strlen(value) : 0;
    taskfit_strbuf_adds(&text, value != NULL ? value : "");
    taskfit_java_options_add(this.values, this.found, &text);
    bool set[TASKFIT_JVM_FLAGS];
    for (size_t flag = 0; flag < TASKFIT_JVM_FLAGS; flag++) {
        set[flag] = this.values[flag] != NULL;
    }
    taskfit_jvm_flags_rest(jvm->options, set, &own);
    taskfit_jvm_flags_add_missing(own.data, &text);
    if (text.len == old_len) {
        return true;
    }
    if (variable != NULL) {
        taskfit_set_string(arena, variable, "value", text.data);
        return true;
    }
    if (find_variable(taskfit_list_of(container, "secrets")) != NULL) {
        return false;
    }
    append_variable(container, text.data, arena);
    return true;
}
