#include "render/base.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "render/container_definition.h"
#include "render/nodes.h"

/* What DescribeTaskDefinition adds and RegisterTaskDefinition does not take (API model of Amazon ECS, 2014-11-13). */
static const char *const read_only[] = {"taskDefinitionArn", "revision",     "status",       "requiresAttributes", "compatibilities",
                                        "registeredAt",      "registeredBy", "deregisteredAt"};

typedef struct reading {
    taskfit_tell *tell;
    taskfit_arena *arena;
    taskfit_base *items;
    size_t n, capacity;
} reading;

/* ---- one definition ---- */

/* RegisterTaskDefinition refuses nulls. */
static void drop_nulls(taskfit_node *node) {
    if (node->kind == TASKFIT_NODE_LIST) {
        for (size_t item = 0; item < node->n; item++) {
            drop_nulls(node->items[item]);
        }
    } else if (node->kind == TASKFIT_NODE_MAP) {
        size_t n_kept = 0;
        for (size_t entry = 0; entry < node->n; entry++) {
            if (!taskfit_node_is_null(node->entries[entry].value)) {
                drop_nulls(node->entries[entry].value);
                node->entries[n_kept++] = node->entries[entry];
            }
        }
        node->n = n_kept;
    }
}

/* In YAML written by hand, what AWS wants as strings may look like numbers. */
static void quote_strings(taskfit_node *tree) {
    for (size_t entry = 0; entry < tree->n; entry++) {
        const char *key = tree->entries[entry].key;
        if (strcmp(key, "cpu") == 0 || strcmp(key, "memory") == 0 || strcmp(key, "tags") == 0) {
            taskfit_quote_scalars(tree->entries[entry].value);
        }
    }
    const taskfit_node *containers = taskfit_list_of(tree, "containerDefinitions");
    for (size_t index = 0; index < containers->n; index++) {
        taskfit_quote_container_strings(containers->items[index]);
    }
}

static bool check_kind(reading *read, const taskfit_node *node, taskfit_node_kind kind, const char *path) {
    static const char *const names[] = {"scalar", "list", "map"};
    if (node->kind != kind) {
        taskfit_tell_defect(read->tell, node->position, "%s: must be a %s, not a %s", path, names[kind],
                            taskfit_node_kind_name(node));
    }
    return node->kind == kind;
}

/* Lists of maps that merging and the rules walk; their items' scalars. */
static bool check_list(reading *read, const taskfit_node *map, const char *key, const char *path) {
    const taskfit_node *list = taskfit_node_get(map, key);
    bool good = list == NULL || check_kind(read, list, TASKFIT_NODE_LIST, taskfit_arena_printf(read->arena, "%s%s", path, key));
    for (size_t item = 0; good && list != NULL && item < list->n; item++) {
        good = check_kind(read, list->items[item], TASKFIT_NODE_MAP,
                          taskfit_arena_printf(read->arena, "%s%s[%zu]", path, key, item));
    }
    return good;
}

static bool check_scalars(reading *read, const taskfit_node *map, const char *const *keys, const char *path) {
    bool good = true;
    for (; *keys != NULL; keys++) {
        const taskfit_node *value = taskfit_node_get(map, *keys);
        good = (value == NULL ||
                check_kind(read, value, TASKFIT_NODE_SCALAR, taskfit_arena_printf(read->arena, "%s%s", path, *keys))) &&
               good;
    }
    return good;
}

static bool check_container(reading *read, const taskfit_node *container, size_t index) {
    static const char *const scalars[] = {"name", "image", "cpu", "memory", "memoryReservation", "essential", NULL};
    static const char *const lists[] = {"portMappings", "environment", "secrets", "resourceRequirements", "dependsOn"};
    const char *path = taskfit_arena_printf(read->arena, "containerDefinitions[%zu].", index);
    bool good = check_scalars(read, container, scalars, path);
    for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++) {
        good = check_list(read, container, lists[list], path) && good;
    }
    if (good && taskfit_text_of(container, "name") == NULL) {
        taskfit_tell_defect(read->tell, container->position, "%sname: is missing (containers are matched by name)", path);
        return false;
    }
    return good;
}

static bool check_shape(reading *read, const taskfit_node *tree) {
    static const char *const scalars[] = {"family", "networkMode", "cpu", "memory", NULL};
    bool good = check_scalars(read, tree, scalars, "") && check_list(read, tree, "containerDefinitions", "") &&
                check_list(read, tree, "placementConstraints", "");
    const taskfit_node *containers = taskfit_list_of(tree, "containerDefinitions");
    for (size_t index = 0; good && index < containers->n; index++) {
        good = check_container(read, containers->items[index], index);
    }
    if (good && taskfit_text_of(tree, "family") == NULL) {
        taskfit_tell_defect(read->tell, tree->position, "family: is missing (services are matched by it)");
        return false;
    }
    return good;
}

/* `tags` stand beside what DescribeTaskDefinition prints and inside what RegisterTaskDefinition takes. */
static void add_definition(reading *read, const taskfit_node *node, const taskfit_node *tags) {
    taskfit_node *tree = taskfit_node_copy(read->arena, node);
    drop_nulls(tree);
    const int64_t revision = taskfit_number_of(tree, "revision");
    for (size_t key = 0; key < sizeof read_only / sizeof read_only[0]; key++) {
        (void)taskfit_node_remove(tree, read_only[key]);
    }
    if (!check_shape(read, tree)) {
        return;
    }
    if (tags != NULL && tags->n > 0 && taskfit_node_get(tree, "tags") == NULL) {
        taskfit_node_set(read->arena, tree, "tags", taskfit_node_copy(read->arena, tags));
    }
    taskfit_node *family = taskfit_node_string(read->arena, taskfit_text_of(tree, "family"));
    taskfit_node_set(read->arena, tree, "family", family);
    quote_strings(tree);
    TASKFIT_GROW(read->arena, read->items, read->n, read->capacity);
    read->items[read->n++] = (taskfit_base){family->text, tree->position.file, tree, revision};
}

/* ---- files ---- */

/* False when the node holds no definition at all. */
static bool add_node(reading *read, const taskfit_node *node) {
    bool found = false;
    if (node->kind == TASKFIT_NODE_LIST) {
        for (size_t item = 0; item < node->n; item++) {
            found = add_node(read, node->items[item]) || found;
        }
        return found;
    }
    const taskfit_node *described = taskfit_node_get(node, "taskDefinition");
    const taskfit_node *several = taskfit_node_get(node, "taskDefinitions");
    if (described != NULL && described->kind == TASKFIT_NODE_MAP) {
        const taskfit_node *tags = taskfit_node_get(node, "tags");
        add_definition(read, described, tags != NULL && tags->kind == TASKFIT_NODE_LIST ? tags : NULL);
        return true;
    }
    if (several != NULL && several->kind == TASKFIT_NODE_LIST) {
        return add_node(read, several);
    }
    if (taskfit_node_get(node, "containerDefinitions") != NULL) {
        add_definition(read, node, NULL);
        return true;
    }
    return false;
}

static void add_file(reading *read, const taskfit_render_base *file, size_t *n_skipped) {
    taskfit_node *root = NULL;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_node_read(read->arena, file->name, file->data, file->len, &root, &err) != TASKFIT_OK) {
        if (read->tell->n_defects++ == 0) {
            (void)!taskfit_fail(read->tell->err, TASKFIT_E_INPUT, "%s", err.message);
            taskfit_error_at(read->tell->err, "%s", err.where);
        }
        if (read->tell->options->defect != NULL) {
            read->tell->options->defect(read->tell->options->defect_arg,
                                        taskfit_arena_printf(read->arena, "%s: %s", err.where, err.message));
        }
    } else if (!add_node(read, root)) {
        if (file->is_optional) {
            (*n_skipped)++;
        } else {
            taskfit_tell_defect(read->tell, root->position,
                                "no task definition (neither containerDefinitions nor taskDefinition stands in it)");
        }
    }
}

/* ---- all of them ---- */

static int compare_bases(const void *left, const void *right) {
    const taskfit_base *a = left, *b = right;
    const int by_family = strcmp(a->family, b->family);
    return by_family != 0 ? by_family : (a->revision > b->revision) - (a->revision < b->revision);
}

/* Of several revisions the last stays; which of two others is meant cannot be known. */
static size_t unite(reading *read) {
    size_t n_kept = 0;
    for (size_t index = 0; index < read->n; index++) {
        taskfit_base *this = &read->items[index], *next = this + 1;
        if (index + 1 == read->n || strcmp(this->family, next->family) != 0) {
            read->items[n_kept++] = *this;
        } else if (this->revision < 0 || this->revision == next->revision) {
            taskfit_tell_defect(read->tell, next->tree->position,
                                "family '%s' is given twice, also in '%s' (give one, or revisions that differ)",
                                this->family, this->file);
        }
    }
    return n_kept;
}

taskfit_bases taskfit_bases_read(taskfit_tell *tell, taskfit_arena *arena) {
    reading read = {.tell = tell, .arena = arena};
    size_t n_skipped = 0;
    for (size_t file = 0; file < tell->options->n_bases; file++) {
        add_file(&read, &tell->options->bases[file], &n_skipped);
    }
    if (n_skipped > 0 && tell->n_defects == 0) {
        taskfit_tell_note(tell, "%zu file%s of the base folder hold%s no task definition", n_skipped, n_skipped == 1 ? "" : "s",
                          n_skipped == 1 ? "s" : "");
    }
    if (read.n > 1) {
        qsort(read.items, read.n, sizeof *read.items, compare_bases);
    }
    return (taskfit_bases){read.items, unite(&read)};
}

static int compare_family(const void *family, const void *base) {
    return strcmp(family, ((const taskfit_base *)base)->family);
}

const taskfit_base *taskfit_bases_find(const taskfit_bases *bases, const char *family) {
    return bases->n == 0 ? NULL : bsearch(family, bases->items, bases->n, sizeof *bases->items, compare_family);
}
