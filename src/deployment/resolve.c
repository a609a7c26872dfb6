/*
 * Services with nothing left to inherit.
 *
 * Built-in default < defaults < service: a key of `defaults` is copied into a service that does not have it; where
 * both are maps they merge key by key; a null of the service keeps the default out. The built-in defaults are
 * the decoder's. Scalars are shared between services, maps and lists are not, so that an edit of one service
 * never reaches another one.
 */

#include "deployment/read.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "deployment/words.h"

/* ---- copying and merging ---- */

static void append_entry(taskfit_arena *arena, taskfit_node *map, const taskfit_entry *entry, taskfit_node *value) {
    TASKFIT_GROW(arena, map->entries, map->n, map->capacity);
    map->entries[map->n++] = (taskfit_entry){.key = entry->key, .key_position = entry->key_position, .value = value};
}

static taskfit_node *empty_like(taskfit_arena *arena, const taskfit_node *node) {
    taskfit_node *copy = node->kind == TASKFIT_NODE_MAP ? taskfit_node_map(arena) : taskfit_node_list(arena);
    copy->position = node->position;
    return copy;
}

taskfit_node *taskfit_copy_structure(taskfit_reading *reading, taskfit_node *node) {
    taskfit_arena *arena = reading->decoder.arena;
    if (node->kind == TASKFIT_NODE_SCALAR || reading->n_copied > TASKFIT_NODES_MAX) {
        return node; /* beyond the limit the deployment is refused, so sharing does no harm */
    }
    reading->n_copied += node->n + 1;
    taskfit_node *copy = empty_like(arena, node);
    for (size_t i = 0; i < node->n; i++) {
        if (node->kind == TASKFIT_NODE_MAP) {
            append_entry(arena, copy, &node->entries[i], taskfit_copy_structure(reading, node->entries[i].value));
        } else {
            taskfit_node_append(arena, copy, taskfit_copy_structure(reading, node->items[i]));
        }
    }
    return copy;
}

/* Maps longer than any table of keys are a defect anyway, so they need no merging: that keeps it linear. */
enum { MERGED_KEYS_MAX = 1000 };

/* `over` with what only `base` has; nulls of `over` keep the base's value out. */
static taskfit_node *merge(taskfit_reading *reading, const taskfit_node *base, const taskfit_node *over) {
    taskfit_arena *arena = reading->decoder.arena;
    taskfit_node *merged = empty_like(arena, over);
    reading->n_copied += over->n + 1;
    const bool small = base && base->n <= MERGED_KEYS_MAX && over->n <= MERGED_KEYS_MAX;
    for (size_t i = 0; i < over->n; i++) {
        const taskfit_entry *entry = &over->entries[i];
        const taskfit_node *under = small ? taskfit_node_get(base, entry->key) : NULL;
        if (taskfit_node_is_null(entry->value)) {
            continue;
        }
        const bool both_maps = under && under->kind == TASKFIT_NODE_MAP && entry->value->kind == TASKFIT_NODE_MAP;
        append_entry(arena, merged, entry,
                     both_maps ? merge(reading, under, entry->value) : taskfit_copy_structure(reading, entry->value));
    }
    for (size_t i = 0; small && i < base->n; i++) {
        const taskfit_entry *entry = &base->entries[i];
        if (!taskfit_node_get(over, entry->key) && !taskfit_node_is_null(entry->value)) {
            append_entry(arena, merged, entry, taskfit_copy_structure(reading, entry->value));
        }
    }
    return merged;
}

static taskfit_node *string_at(taskfit_arena *arena, const char *text, taskfit_position position) {
    taskfit_node *node = taskfit_node_string(arena, text);
    node->position = position;
    return node;
}

/* ---- sidecars ---- */

static taskfit_node *find_sidecar(const taskfit_reading *reading, const taskfit_scope *scope,
                                  const taskfit_node *name) {
    const taskfit_named *found =
        name->kind == TASKFIT_NODE_SCALAR ? taskfit_names_find(scope->sidecars, scope->n_sidecars, name->text) : NULL;
    if (!found) {
        taskfit_decode_defect(&reading->decoder, name->position, "there is no sidecar '%s'%s",
                              name->kind == TASKFIT_NODE_SCALAR ? name->text : taskfit_node_kind_name(name),
                              name->kind == TASKFIT_NODE_SCALAR ? taskfit_names_hint(&reading->decoder, scope->sidecars,
                                                                                     scope->n_sidecars, name->text)
                                                                : "");
        return NULL;
    }
    return scope->sidecar_bodies[found->index];
}

/* The body that a value of `sidecar` stands for: a name, or a map of changes to its `base` or to `usual`. NULL: none,
 * or a defect. */
static taskfit_node *sidecar_body(taskfit_reading *reading, const taskfit_scope *scope, const taskfit_node *value,
                                  const taskfit_node *usual) {
    if (taskfit_node_is_null(value)) {
        return NULL;
    }
    if (value->kind == TASKFIT_NODE_SCALAR) {
        taskfit_node *body = find_sidecar(reading, scope, value);
        return body ? taskfit_copy_structure(reading, body) : NULL;
    }
    if (!taskfit_decode_is(&reading->decoder, value, TASKFIT_NODE_MAP)) {
        return NULL;
    }
    const taskfit_node *base_name = taskfit_node_get(value, "base");
    const taskfit_node *base = base_name ? NULL : usual;
    if (base_name && !taskfit_node_is_null(base_name)) {
        base = find_sidecar(reading, scope, base_name);
        if (!base) {
            return NULL;
        }
    }
    taskfit_node *body = merge(reading, base, value);
    (void)taskfit_node_remove(body, "base");
    return body;
}

/* The bodies get their names. */
static void read_sidecars(taskfit_reading *reading, const taskfit_node *sidecars, taskfit_scope *scope) {
    taskfit_decoder *decoder = &reading->decoder;
    if (!sidecars || !taskfit_decode_is(decoder, sidecars, TASKFIT_NODE_MAP)) {
        return;
    }
    taskfit_named *names = TASKFIT_ARRAY(decoder->arena, sidecars->n, taskfit_named);
    taskfit_node **bodies = TASKFIT_ARRAY(decoder->arena, sidecars->n, taskfit_node *);
    const taskfit_path *up = decoder->path;
    for (size_t i = 0; i < sidecars->n; i++) {
        const taskfit_entry *entry = &sidecars->entries[i];
        const taskfit_path path = {.up = up, .key = entry->key};
        decoder->path = &path;
        names[i] = taskfit_named_here(decoder, entry->key, i, entry->key_position);
        bodies[i] = taskfit_node_map(decoder->arena);
        bodies[i]->position = entry->key_position;
        if (!taskfit_node_is_null(entry->value) && taskfit_decode_is(decoder, entry->value, TASKFIT_NODE_MAP)) {
            (void)taskfit_read_container(reading, entry->value, entry->key, false);
            bodies[i] = merge(reading, NULL, entry->value);
        }
        if (!taskfit_node_get(bodies[i], "name")) {
            taskfit_node_set(decoder->arena, bodies[i], "name",
                             string_at(decoder->arena, entry->key, entry->key_position));
        }
    }
    decoder->path = up;
    scope->n_sidecars = sidecars->n;
    taskfit_names_sort(decoder, names, scope->n_sidecars, "sidecar");
    scope->sidecars = names;
    scope->sidecar_bodies = bodies;
}

/* Unknown keys of defaults have been told; no service needs to hear of them. */
static taskfit_node *known_keys(taskfit_arena *arena, const taskfit_node *defaults) {
    taskfit_node *known = empty_like(arena, defaults);
    for (size_t i = 0; i < defaults->n; i++) {
        if (taskfit_is_service_key(defaults->entries[i].key)) {
            append_entry(arena, known, &defaults->entries[i], defaults->entries[i].value);
        }
    }
    return known;
}

taskfit_scope taskfit_resolve_scope(taskfit_reading *reading, taskfit_node *defaults, taskfit_node *sidecars) {
    taskfit_decoder *decoder = &reading->decoder;
    const taskfit_path defaults_path = {.key = "defaults"};
    const taskfit_path sidecars_path = {.key = "sidecars"};
    taskfit_scope scope = {.defaults = NULL};
    reading->shared_part = true;
    decoder->path = &sidecars_path;
    read_sidecars(reading, sidecars, &scope);
    decoder->path = &defaults_path;
    if (defaults) {
        taskfit_read_defaults(reading, defaults);
        scope.defaults = defaults->kind == TASKFIT_NODE_MAP ? known_keys(decoder->arena, defaults) : NULL;
    }
    decoder->path = NULL;
    reading->shared_part = false;
    return scope;
}

/* ---- services ---- */

/* Whether a service of this shape inherits the key from defaults. */
static bool is_inherited(const char *key, bool long_form, bool daemon) {
    if (strcmp(key, "sidecar") == 0 || strcmp(key, "name") == 0 || strcmp(key, "containerDefinitions") == 0) {
        return false;
    }
    if (daemon && (strcmp(key, "desiredCount") == 0 || strcmp(key, "placementStrategy") == 0)) {
        return false;
    }
    return !long_form || !taskfit_is_container_key(key);
}

static const char *scheduling_of(const taskfit_node *map) {
    const taskfit_node *value = taskfit_node_get(map, "schedulingStrategy");
    return value && value->kind == TASKFIT_NODE_SCALAR ? value->text : NULL;
}

/* defaults as this service sees them: a map, or NULL. */
static taskfit_node *defaults_for(taskfit_arena *arena, const taskfit_scope *scope, const taskfit_node *service) {
    if (!scope->defaults) {
        return NULL;
    }
    const char *scheduling =
        taskfit_node_get(service, "schedulingStrategy") ? scheduling_of(service) : scheduling_of(scope->defaults);
    const bool daemon = scheduling && strcmp(scheduling, "DAEMON") == 0;
    const bool long_form = taskfit_decode_given(service, "containerDefinitions");
    taskfit_node *inherited = taskfit_node_map(arena);
    for (size_t i = 0; i < scope->defaults->n; i++) {
        const taskfit_entry *entry = &scope->defaults->entries[i];
        if (is_inherited(entry->key, long_form, daemon)) {
            append_entry(arena, inherited, entry, entry->value);
        }
    }
    return inherited;
}

/* Replaces the service's sidecar by its body; `sidecar` absent: the usual one. */
static void resolve_sidecar(taskfit_reading *reading, const taskfit_scope *scope, taskfit_node *service,
                            const taskfit_node *given, const taskfit_node *usual) {
    taskfit_decoder *decoder = &reading->decoder;
    const taskfit_path path = {.up = decoder->path, .key = "sidecar"};
    taskfit_node *body = NULL;
    decoder->path = &path;
    if (given) {
        body = sidecar_body(reading, scope, given, usual);
    } else if (usual) {
        body = merge(reading, NULL, usual);
    }
    decoder->path = path.up;
    if (body) {
        taskfit_node_set(decoder->arena, service, "sidecar", body);
    } else {
        (void)taskfit_node_remove(service, "sidecar");
    }
}

static void add_service(taskfit_reading *reading, const taskfit_scope *scope, const taskfit_node *usual_sidecar,
                        const taskfit_node *service, taskfit_node *list) {
    taskfit_arena *arena = reading->decoder.arena;
    taskfit_node *merged = merge(reading, defaults_for(arena, scope, service), service);
    if (!taskfit_decode_given(service, "containerDefinitions")) {
        resolve_sidecar(reading, scope, merged, taskfit_node_get(service, "sidecar"), usual_sidecar);
    }
    taskfit_node_append(arena, list, merged);
}

/* services given as a map: the key is the name. */
static taskfit_node *named_service(const taskfit_decoder *decoder, const taskfit_entry *entry) {
    taskfit_arena *arena = decoder->arena;
    taskfit_node *service = taskfit_node_map(arena);
    service->position = entry->key_position;
    taskfit_node_set(arena, service, "name", string_at(arena, entry->key, entry->key_position));
    if (taskfit_node_is_null(entry->value)) {
        return service;
    }
    if (!taskfit_decode_is(decoder, entry->value, TASKFIT_NODE_MAP)) {
        return NULL;
    }
    for (size_t i = 0; i < entry->value->n; i++) {
        if (strcmp(entry->value->entries[i].key, "name") == 0) {
            taskfit_decode_defect_at(decoder, entry->value, "name", "the key '%s' is the name already (remove it)",
                                     entry->key);
        } else {
            append_entry(arena, service, &entry->value->entries[i], entry->value->entries[i].value);
        }
    }
    return service;
}

void taskfit_resolve_services(taskfit_reading *reading, const taskfit_scope *scope, const taskfit_node *services,
                              taskfit_node *list) {
    taskfit_decoder *decoder = &reading->decoder;
    const taskfit_path *up = decoder->path;
    const bool is_map = services->kind == TASKFIT_NODE_MAP;
    if (services->kind == TASKFIT_NODE_SCALAR) {
        taskfit_decode_defect(decoder, services->position, "must be a list, or a map by name, not a single value");
        return;
    }
    const taskfit_path defaults_path = {.key = "defaults"};
    const taskfit_path sidecar_path = {.up = &defaults_path, .key = "sidecar"};
    const taskfit_node *usual = taskfit_node_get(scope->defaults, "sidecar");
    if (usual) {
        decoder->path = &sidecar_path;
        usual = sidecar_body(reading, scope, usual, NULL);
    }
    for (size_t i = 0; i < services->n && list->n <= TASKFIT_SERVICES_MAX; i++) {
        const taskfit_path path = {.up = up, .key = is_map ? services->entries[i].key : NULL, .index = i};
        decoder->path = &path;
        const taskfit_node *service = is_map ? named_service(decoder, &services->entries[i]) : services->items[i];
        if (service && taskfit_decode_is(decoder, service, TASKFIT_NODE_MAP)) {
            add_service(reading, scope, usual, service, list);
        }
    }
    decoder->path = up;
}

void taskfit_resolve_sidecars(taskfit_reading *reading, const taskfit_scope *scope, taskfit_node *resolved) {
    taskfit_decoder *decoder = &reading->decoder;
    const taskfit_node *services = taskfit_node_get(resolved, "services");
    const taskfit_path list_path = {.key = "services"};
    for (size_t i = 0; services && services->kind == TASKFIT_NODE_LIST && i < services->n; i++) {
        const taskfit_node *given = taskfit_node_get(services->items[i], "sidecar");
        if (given && (given->kind == TASKFIT_NODE_SCALAR || taskfit_node_get(given, "base"))) {
            const taskfit_path path = {.up = &list_path, .index = i};
            decoder->path = &path;
            resolve_sidecar(reading, scope, services->items[i], given, NULL);
        }
    }
    decoder->path = NULL;
}
