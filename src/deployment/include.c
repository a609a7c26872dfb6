/*
 * One tree out of several files: the main file's cluster, policy and the rest, and the services of all files, each
 * resolved with the defaults and sidecars of its own file. Included services come first, in the order of `include`.
 */

#include "deployment/read.h"

#include <stdlib.h>
#include <string.h>

typedef struct raw_file { /* the top level of a file */
    taskfit_node *version, *include, *cluster, *defaults, *sidecars, *services, *policy, *costs, *scenarios, *kpis;
} raw_file;

enum { SHARED_KEYS = 5, ALL_KEYS = 10 }; /* an included file may hold the first five */
static const taskfit_field raw_fields[ALL_KEYS] = {
    {TASKFIT_KEY("taskfit", taskfit_decode_node, raw_file, version)},
    {TASKFIT_KEY("include", taskfit_decode_node, raw_file, include)},
    {TASKFIT_KEY("defaults", taskfit_decode_node, raw_file, defaults)},
    {TASKFIT_KEY("sidecars", taskfit_decode_node, raw_file, sidecars)},
    {TASKFIT_KEY("services", taskfit_decode_node, raw_file, services)},
    {TASKFIT_KEY("cluster", taskfit_decode_node, raw_file, cluster), .required = true,
     .remedy = "where the tasks run: {instanceGroups: [{name: main, types: [r7g.2xlarge]}]}"},
    {TASKFIT_KEY("policy", taskfit_decode_node, raw_file, policy)},
    {TASKFIT_KEY("costs", taskfit_decode_node, raw_file, costs)},
    {TASKFIT_KEY("scenarios", taskfit_decode_node, raw_file, scenarios)},
    {TASKFIT_KEY("kpis", taskfit_decode_node, raw_file, kpis)},
};

typedef struct include_walk {
    taskfit_reading *reading;
    const taskfit_parse_options *options;
    taskfit_node *services; /* of all files so far, resolved */
    size_t n_files;
    taskfit_status status; /* of the first file that could not be parsed */
    taskfit_error *err;
} include_walk;

typedef struct file_chain { /* a file and those that led to it */
    const struct file_chain *up;
    const char *path; /* without "." and ".." where they can be resolved */
    size_t depth;
} file_chain;

/* ---- paths of included files ---- */

/* "a/b/../c.yaml" becomes "a/c.yaml", so that a cycle is seen however it is spelled. */
static char *normalize(taskfit_arena *arena, const char *path) {
    char *out = taskfit_arena_alloc(arena, strlen(path) + 2);
    size_t n = 0;
    const bool absolute = path[0] == '/';
    size_t n_fixed = 0; /* leading "/" and ".." stay */
    if (absolute) {
        out[n++] = '/';
        n_fixed = n;
    }
    while (*path) {
        const size_t len = strcspn(path, "/");
        const bool up = len == 2 && path[0] == '.' && path[1] == '.';
        if (up && n > n_fixed) {
            while (n > n_fixed && out[--n] != '/') {
            }
        } else if (len > 0 && !(len == 1 && path[0] == '.') && !(up && absolute)) {
            if (n > 0 && out[n - 1] != '/') {
                out[n++] = '/';
            }
            memcpy(out + n, path, len);
            n += len;
            n_fixed = up ? n : n_fixed;
        }
        path += len;
        path += *path == '/';
    }
    out[n] = '\0';
    return out;
}

static const char *join(taskfit_arena *arena, const char *from, const char *path) {
    const char *slash = strrchr(from, '/');
    if (path[0] == '/' || !slash) {
        return normalize(arena, path);
    }
    return normalize(arena, taskfit_arena_printf(arena, "%.*s/%s", (int)(slash - from), from, path));
}

/* ---- files ---- */

static void add_file(include_walk *walk, const file_chain *chain, taskfit_node *root, raw_file *raw,
                     taskfit_scope *scope);

typedef struct include_list {
    include_walk *walk;
    const file_chain *from;
} include_list;

static bool may_include(const include_list *including, const taskfit_decoder *decoder, const taskfit_node *item,
                        const char *path) {
    const include_walk *walk = including->walk;
    for (const file_chain *up = including->from; up; up = up->up) {
        if (strcmp(up->path, path) == 0) {
            taskfit_decode_defect(decoder, item->position, "'%s' includes itself (break the cycle)", path);
            return false;
        }
    }
    if (!walk->options->load) {
        taskfit_decode_defect(decoder, item->position, "include is not possible here (put all into one file)");
    } else if (including->from->depth >= TASKFIT_INCLUDE_DEPTH_MAX) {
        taskfit_decode_defect(decoder, item->position, "files are included more than %d deep (flatten them)",
                              TASKFIT_INCLUDE_DEPTH_MAX);
    } else if (walk->n_files >= TASKFIT_INCLUDE_FILES_MAX) {
        taskfit_decode_defect(decoder, item->position, "more than %d files are included", TASKFIT_INCLUDE_FILES_MAX);
    } else {
        return true;
    }
    return false;
}

static void include_file(taskfit_decoder *decoder, taskfit_node *item, size_t index TASKFIT_UNUSED, void *arg) {
    const include_list *including = arg;
    include_walk *walk = including->walk;
    const char *name = NULL;
    if (walk->status != TASKFIT_OK || !taskfit_decode_text_of(decoder, item, &name)) {
        return;
    }
    const file_chain chain = {.up = including->from,
                              .path = join(decoder->arena, including->from->path, name),
                              .depth = including->from->depth + 1};
    if (!may_include(including, decoder, item, chain.path)) {
        return;
    }
    walk->n_files++;
    char *data = NULL;
    size_t len = 0;
    taskfit_error why = {.status = TASKFIT_OK};
    if (walk->options->load(walk->options->load_arg, chain.path, &data, &len, &why) != TASKFIT_OK) {
        taskfit_decode_defect(decoder, item->position, "cannot read '%s': %s", chain.path, why.message);
        return;
    }
    taskfit_node *root = NULL;
    walk->status = taskfit_node_read(decoder->arena, chain.path, data, len, &root, walk->err);
    free(data);
    if (walk->status == TASKFIT_OK) {
        const taskfit_path *up = decoder->path;
        raw_file raw = {.version = NULL};
        taskfit_scope scope;
        decoder->path = NULL;
        add_file(walk, &chain, root, &raw, &scope);
        decoder->path = up;
    }
}

static void check_version(const taskfit_decoder *decoder, const taskfit_node *root, const taskfit_node *version,
                          bool needed) {
    if (!version && needed && root->kind == TASKFIT_NODE_MAP) {
        taskfit_decode_defect(decoder, root->position, "'taskfit' is missing (write taskfit: 1 at the top)");
    } else if (version &&
               (version->kind != TASKFIT_NODE_SCALAR || version->quoted || strcmp(version->text, "1") != 0)) {
        taskfit_decode_defect(decoder, version->position, "'%.40s' is no version of this format (write taskfit: 1)",
                              version->kind == TASKFIT_NODE_SCALAR ? version->text : taskfit_node_kind_name(version));
    }
}

/* Reads the top level into `raw`, its includes, then its own services; the scope is that of its services. */
static void add_file(include_walk *walk, const file_chain *chain, taskfit_node *root, raw_file *raw,
                     taskfit_scope *scope) {
    taskfit_decoder *decoder = &walk->reading->decoder;
    const bool is_main = chain->depth == 0;
    const taskfit_path include_path = {.key = "include"};
    const taskfit_path services_path = {.key = "services"};
    (void)taskfit_decode_map(decoder, root, raw_fields, is_main ? ALL_KEYS : SHARED_KEYS, raw);
    check_version(decoder, root, raw->version, is_main);
    if (is_main && root->kind == TASKFIT_NODE_MAP && !raw->services && !raw->include) {
        taskfit_decode_defect(decoder, root->position, "'services' is missing (what is to run)");
    }
    *scope = taskfit_resolve_scope(walk->reading, raw->defaults, raw->sidecars);
    decoder->path = &include_path;
    taskfit_decode_items(decoder, raw->include, include_file, &(include_list){walk, chain});
    decoder->path = &services_path;
    if (raw->services) {
        taskfit_resolve_services(walk->reading, scope, raw->services, walk->services);
    }
    decoder->path = NULL;
}

/* ---- the tree ---- */

static taskfit_node *resolved_cluster(taskfit_reading *reading, const taskfit_scope *scope, taskfit_node *cluster) {
    taskfit_arena *arena = reading->decoder.arena;
    taskfit_node *copy = taskfit_copy_structure(reading, cluster);
    const taskfit_node *daemons = taskfit_node_get(cluster, "daemons");
    if (daemons && daemons->kind == TASKFIT_NODE_LIST) { /* else the decoder tells */
        const taskfit_path cluster_path = {.key = "cluster"};
        const taskfit_path daemons_path = {.up = &cluster_path, .key = "daemons"};
        taskfit_scope without_defaults = *scope;
        without_defaults.defaults = NULL;
        taskfit_node *list = taskfit_node_list(arena);
        list->position = daemons->position;
        reading->decoder.path = &daemons_path;
        taskfit_resolve_services(reading, &without_defaults, daemons, list);
        reading->decoder.path = NULL;
        taskfit_node_set(arena, copy, "daemons", list);
    }
    return copy;
}

taskfit_status taskfit_resolve(taskfit_reading *reading, taskfit_node *root, const taskfit_parse_options *options,
                               taskfit_node **resolved_out, taskfit_scope *scope_out, taskfit_error *err) {
    taskfit_arena *arena = reading->decoder.arena;
    include_walk walk = {.reading = reading, .options = options, .services = taskfit_node_list(arena), .err = err};
    const file_chain chain = {.path = normalize(arena, reading->deployment->file)};
    raw_file raw = {.version = NULL};
    taskfit_scope scope;
    add_file(&walk, &chain, root, &raw, &scope);
    if (walk.status != TASKFIT_OK) {
        return walk.status;
    }
    walk.services->position = raw.services ? raw.services->position : root->position;
    taskfit_node *resolved = taskfit_node_map(arena);
    resolved->position = root->position;
    taskfit_node_set(arena, resolved, "taskfit", taskfit_node_int(arena, 1));
    if (raw.cluster) {
        taskfit_node_set(arena, resolved, "cluster", resolved_cluster(reading, &scope, raw.cluster));
    }
    taskfit_node_set(arena, resolved, "services", walk.services);
    const struct {
        const char *key;
        taskfit_node *value;
    } rest[] = {{"policy", raw.policy}, {"costs", raw.costs}, {"scenarios", raw.scenarios}, {"kpis", raw.kpis}};
    for (size_t i = 0; i < TASKFIT_COUNT_OF(rest); i++) {
        if (rest[i].value) {
            taskfit_node_set(arena, resolved, rest[i].key, taskfit_copy_structure(reading, rest[i].value));
        }
    }
    if (reading->n_copied > TASKFIT_NODES_MAX) {
        taskfit_error_at(err, "%s", reading->deployment->file);
        return taskfit_fail(err, TASKFIT_E_INPUT,
                            "with defaults and sidecars in every service there are more than %d values",
                            TASKFIT_NODES_MAX);
    }
    *resolved_out = resolved;
    *scope_out = scope;
    return TASKFIT_OK;
}
