#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "deployment/edit.h"
#include "deployment/edit_number.h"
#include "deployment/edit_path.h"
#include "deployment/read.h"

/* One edit on its way through the tree. A path with globs may match here and miss there: it is a defect only when
 * it matches nowhere; then the first miss says why. */
typedef struct walk {
    taskfit_arena *arena;
    const taskfit_edit *edit;
    taskfit_diag *diag;
    size_t n_hits;
    const char *miss; /* NULL: none */
    bool failed;      /* a defect has been told */
} walk;

typedef struct rest { /* of the path */
    const taskfit_segment *segments;
    size_t n;
} rest;

static rest behind(rest path, size_t n) {
    assert(n <= path.n);
    return (rest){path.segments + n, path.n - n};
}

/* The first miss counts. */
#define MISS(w, ...)                                                                                                  \
    do {                                                                                                              \
        if (!(w)->miss) {                                                                                             \
            (w)->miss = taskfit_arena_printf((w)->arena, __VA_ARGS__);                                                \
        }                                                                                                             \
    } while (0)

static bool is_map(const taskfit_node *node) {
    return node && node->kind == TASKFIT_NODE_MAP;
}

static bool is_list(const taskfit_node *node) {
    return node && node->kind == TASKFIT_NODE_LIST;
}

static taskfit_node *child(const taskfit_node *map, const char *key) {
    for (size_t e = 0; is_map(map) && e < map->n; e++) {
        if (strcmp(map->entries[e].key, key) == 0) {
            return map->entries[e].value;
        }
    }
    return NULL;
}

static const char *scalar_text(const taskfit_node *node) {
    return node && node->kind == TASKFIT_NODE_SCALAR ? node->text : NULL;
}

/* ---- what is done at the end of a path ---- */

static void set_key(walk *w, taskfit_node *map, const char *key, taskfit_node *value) {
    bool is_new = !child(map, key);
    taskfit_node_set(w->arena, map, key, value);
    if (is_new) {
        map->entries[map->n - 1].key_position = w->edit->position;
    }
}

static void miss_key(walk *w, const taskfit_node *map, const char *key) {
    const char **keys = TASKFIT_ARRAY(w->arena, map->n, const char *);
    for (size_t e = 0; e < map->n; e++) {
        keys[e] = map->entries[e].key;
    }
    const char *nearest = taskfit_nearest(key, keys, map->n);
    MISS(w, "there is no '%s'%s%s%s", key, nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

/* The new value; NULL when there is none to compute with, or when it cannot be computed (told). */
static taskfit_node *new_value(walk *w, const char *key, const taskfit_node *old) {
    const taskfit_edit *edit = w->edit;
    if (edit->operation == TASKFIT_EDIT_SET) {
        return taskfit_node_copy(w->arena, edit->value);
    }
    if (!old || taskfit_node_is_null(old)) {
        old = taskfit_number_default(w->arena, key);
    }
    taskfit_error err = {0};
    taskfit_node *value = NULL;
    if (old && taskfit_number_compute(w->arena, key, old, edit, &value, &err) != TASKFIT_OK) {
        taskfit_diag_add(w->diag, edit->position, edit->where, "%s", err.message);
        w->failed = true;
        return NULL;
    }
    if (value) {
        value->position = edit->position;
    }
    return value;
}

static void change_key(walk *w, taskfit_node *map, const char *key) {
    bool done = false;
    if (w->edit->operation == TASKFIT_EDIT_UNSET) {
        done = taskfit_node_remove(map, key);
    } else {
        taskfit_node *value = new_value(w, key, child(map, key));
        if (value) {
            set_key(w, map, key, value);
            done = true;
        }
    }
    w->n_hits += done;
    if (!done) {
        miss_key(w, map, key);
    }
}

static void change_item(walk *w, taskfit_node *list, size_t index) {
    if (w->edit->operation == TASKFIT_EDIT_UNSET) {
        list->n--;
        for (size_t i = index; i < list->n; i++) {
            list->items[i] = list->items[i + 1];
        }
        w->n_hits++;
        return;
    }
    taskfit_node *value = new_value(w, "", list->items[index]);
    if (value) {
        list->items[index] = value;
        w->n_hits++;
    }
}

/* ---- maps and lists ---- */

static void walk_node(walk *w, taskfit_node *node, rest path, const char *name);

/* What a list calls its member: its name, its type, or its own text. NULL: only an index. */
static const char *member_name(const taskfit_node *item) {
    const char *name = scalar_text(child(item, "name"));
    return name ? name : is_map(item) ? scalar_text(child(item, "type")) : scalar_text(item);
}

static bool member_matches(const taskfit_segment *segment, const taskfit_node *item, size_t index) {
    const char *name = member_name(item);
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", index);
    return (name && taskfit_segment_matches(segment, name)) || (!segment->quoted && strcmp(segment->text, number) == 0);
}

/* "no service matches 'x' (did you mean 'y')" */
static void miss_member(walk *w, const taskfit_node *list, const char *what, const char *wanted) {
    const char **names = TASKFIT_ARRAY(w->arena, list->n, const char *);
    size_t n_names = 0;
    for (size_t i = 0; i < list->n; i++) {
        const char *name = member_name(list->items[i]);
        if (name) {
            names[n_names++] = name;
        }
    }
    const char *nearest = taskfit_nearest(wanted, names, n_names);
    if (nearest) {
        MISS(w, "%s matches '%s' (did you mean '%s'?)", what, wanted, nearest);
    } else if (n_names > 0) {
        MISS(w, "%s matches '%s' (there is '%s'%s)", what, wanted, names[0], n_names > 1 ? " and others" : "");
    } else {
        MISS(w, "%s matches '%s'", what, wanted);
    }
}

/* A candidate type written as its name alone becomes a map when one of its keys is set. */
static void open_item(walk *w, taskfit_node *list, size_t index) {
    taskfit_node *item = list->items[index];
    if (item->kind == TASKFIT_NODE_SCALAR && w->edit->operation == TASKFIT_EDIT_SET && !taskfit_node_is_null(item)) {
        taskfit_node *map = taskfit_node_map(w->arena);
        map->position = item->position;
        taskfit_node_set(w->arena, map, "type", item);
        list->items[index] = map;
    }
}

static void walk_list(walk *w, taskfit_node *list, rest path, const char *name) {
    bool found = false;
    for (size_t i = list->n; i-- > 0;) { /* from the end: members may be removed */
        if (!member_matches(&path.segments[0], list->items[i], i)) {
            continue;
        }
        found = true;
        if (path.n == 1) {
            change_item(w, list, i);
        } else {
            open_item(w, list, i);
            walk_node(w, list->items[i], behind(path, 1), path.segments[0].text);
        }
    }
    if (!found) {
        miss_member(w, list, taskfit_arena_printf(w->arena, "nothing in %s", name), path.segments[0].text);
    }
}

static void walk_map(walk *w, taskfit_node *map, rest path) {
    const char *key = path.segments[0].text;
    if (path.n == 1) {
        change_key(w, map, key);
        return;
    }
    taskfit_node *value = child(map, key);
    if (!value || taskfit_node_is_null(value)) {
        if (w->edit->operation != TASKFIT_EDIT_SET) {
            miss_key(w, map, key);
            return;
        }
        value = taskfit_node_map(w->arena);
        value->position = w->edit->position;
        set_key(w, map, key, value);
    }
    walk_node(w, value, behind(path, 1), key);
}

static void walk_node(walk *w, taskfit_node *node, rest path, const char *name) {
    if (node->kind == TASKFIT_NODE_MAP) {
        walk_map(w, node, path);
    } else if (node->kind == TASKFIT_NODE_LIST) {
        walk_list(w, node, path, name);
    } else {
        MISS(w, "'%s' holds a value and no '%s'", name, path.segments[0].text);
    }
}

/* ---- services ---- */

/* In short form, containers.NAME is the service's own body or its sidecar. */
static void walk_short_containers(walk *w, taskfit_node *service, rest path) {
    const char *name = scalar_text(child(service, "name"));
    taskfit_node *sidecar = child(service, "sidecar");
    const char *sidecar_name = scalar_text(child(sidecar, "name"));
    bool found = false;
    if (path.n > 1 && name && taskfit_segment_matches(&path.segments[0], name)) {
        found = true;
        walk_map(w, service, behind(path, 1));
    }
    if (path.n > 1 && is_map(sidecar) && taskfit_segment_matches(&path.segments[0], sidecar_name ? sidecar_name : "sidecar")) {
        found = true;
        walk_map(w, sidecar, behind(path, 1));
    }
    if (!found) {
        MISS(w, "service '%s' has no container '%s' with a key behind it", name ? name : "", path.n > 0 ? path.segments[0].text : "");
    }
}

static void walk_service(walk *w, taskfit_node *service, rest path) {
    taskfit_node *containers = child(service, "containerDefinitions");
    const char *name = scalar_text(child(service, "name"));
    if (taskfit_segment_is(&path.segments[0], "containers")) {
        if (is_list(containers) && path.n > 1) {
            walk_list(w, containers, behind(path, 1), "containerDefinitions");
        } else {
            walk_short_containers(w, service, behind(path, 1));
        }
    } else if (is_list(containers) && containers->n > 0 && taskfit_is_container_key(path.segments[0].text)) {
        walk_node(w, containers->items[0], path, "containerDefinitions");
    } else if (path.n > 1 && taskfit_segment_is(&path.segments[0], "sidecar") && !is_map(child(service, "sidecar"))) {
        MISS(w, "service '%s' has no sidecar", name ? name : "");
    } else {
        walk_map(w, service, path);
    }
}

static void walk_all_sidecars(walk *w, taskfit_node *services, rest path) {
    bool found = false;
    for (size_t s = 0; is_list(services) && s < services->n; s++) {
        if (is_map(child(services->items[s], "sidecar"))) {
            found = true;
            walk_map(w, services->items[s], path);
        }
    }
    if (!found) {
        MISS(w, "no service has a sidecar");
    }
}

static const char *const keywords[] = {"cluster", "policy", "costs", "defaults", "sidecars", "sidecar", "services"};

/* A misspelt service, or a misspelt section. */
static void miss_service(walk *w, const taskfit_node *services, const char *wanted) {
    const char *nearest = taskfit_nearest(wanted, keywords, sizeof keywords / sizeof *keywords);
    if (nearest) {
        MISS(w, "no service matches '%s' (did you mean '%s'?)", wanted, nearest);
    } else if (is_list(services)) {
        miss_member(w, services, "no service", wanted);
    } else {
        MISS(w, "no service matches '%s': there is none", wanted);
    }
}

static void walk_services(walk *w, taskfit_node *services, rest path, const char *kind) {
    if (path.n < 2) {
        MISS(w, "'%s' names a %s and no key of it (write %s.KEY)", path.segments[0].text, kind, path.segments[0].text);
        return;
    }
    bool found = false;
    for (size_t s = 0; is_list(services) && s < services->n; s++) {
        const char *name = scalar_text(child(services->items[s], "name"));
        if (name && taskfit_segment_matches(&path.segments[0], name)) {
            found = true;
            walk_service(w, services->items[s], behind(path, 1));
        }
    }
    if (!found) {
        miss_service(w, services, path.segments[0].text);
    }
}

/* ---- the deployment ---- */

static bool is_section(const taskfit_segment *segment) {
    for (size_t k = 0; k < 5; k++) { /* the first five keywords */
        if (taskfit_segment_is(segment, keywords[k])) {
            return true;
        }
    }
    return false;
}

static void walk_deployment(walk *w, taskfit_node *root, rest path) {
    const taskfit_segment *first = &path.segments[0];
    taskfit_node *services = child(root, "services");
    taskfit_node *daemons = child(child(root, "cluster"), "daemons");
    if (path.n > 3 && taskfit_segment_is(first, "cluster") && taskfit_segment_is(&path.segments[1], "daemons") && is_list(daemons)) {
        walk_services(w, daemons, behind(path, 2), "daemon");
    } else if (is_section(first)) {
        if (path.n == 1) {
            MISS(w, "'%s' is a whole section (write %s.KEY)", first->text, first->text);
        } else {
            walk_map(w, root, path);
        }
    } else if (taskfit_segment_is(first, "sidecar")) {
        walk_all_sidecars(w, services, path);
    } else if (taskfit_segment_is(first, "services") && path.n > 1) {
        walk_services(w, services, behind(path, 1), "service");
    } else {
        walk_services(w, services, path, "service");
    }
}

static taskfit_edit_step step_of(const taskfit_edit_path *path) {
    bool before = taskfit_segment_is(&path->segments[0], "defaults") || taskfit_segment_is(&path->segments[0], "sidecars");
    return before ? TASKFIT_EDIT_SECTIONS : TASKFIT_EDIT_RESOLVED;
}

void taskfit_edits_apply(taskfit_arena *arena, taskfit_node *root, const taskfit_edit *edits, size_t n_edits, taskfit_edit_step step,
                         taskfit_diag *diag) {
    if (!is_map(root)) {
        return; /* the decoder says so */
    }
    for (size_t e = 0; e < n_edits; e++) {
        taskfit_edit_path path;
        taskfit_status status = taskfit_edit_path_parse(arena, edits[e].path, &path, NULL);
        assert(status == TASKFIT_OK); /* checked when the edit was read */
        if (status != TASKFIT_OK || step_of(&path) != step) {
            continue;
        }
        walk w = {.arena = arena, .edit = &edits[e], .diag = diag};
        walk_deployment(&w, root, (rest){path.segments, path.n_segments});
        if (w.n_hits == 0 && !w.failed) {
            taskfit_diag_add(diag, edits[e].position, edits[e].where, "%s", w.miss ? w.miss : "it matches nothing");
        }
    }
}
