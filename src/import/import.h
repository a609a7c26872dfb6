#ifndef TASKFIT_IMPORT_IMPORT_H
#define TASKFIT_IMPORT_IMPORT_H

/*
 * How a foreign file becomes services. A kind (one file each) recognizes and reads its format into services and containers:
 * plain figures, each with the place it comes from. merge.c joins what several files say, check.c mends and doubts, tree.c writes
 * it into a deployment's tree, new or given. Everything lives in the importer's arena.
 *
 * To add a kind: src/import/KIND.c with a taskfit_import_kind, a line in kinds.c, golden tests tests/cli/import-KIND-*.cmd with
 * their samples in tests/data/import, tests/fuzz/fuzz_import_KIND.c.
 */

#include "deployment/jvm_flags.h"
#include "input/node.h"
#include "taskfit/import.h"

/* ---- what is read ---- */

typedef struct taskfit_import_text {
    const char *text; /* NULL: not stated */
    taskfit_position position;
} taskfit_import_text;

typedef struct taskfit_import_quantity {
    int64_t value; /* -1: not stated */
    taskfit_position position;
} taskfit_import_quantity;

typedef enum taskfit_import_amount { /* of a container; MiB except CPU: units */
    TASKFIT_IMPORT_CPU,
    TASKFIT_IMPORT_MEMORY, /* hard limit */
    TASKFIT_IMPORT_RESERVATION,
    TASKFIT_IMPORT_XMX, /* from here on keys of `jvm` */
    TASKFIT_IMPORT_XMS,
    TASKFIT_IMPORT_METASPACE,
    TASKFIT_IMPORT_MAX_METASPACE,
    TASKFIT_IMPORT_CODE_CACHE,
    TASKFIT_IMPORT_DIRECT_MEMORY,
    TASKFIT_IMPORT_AMOUNTS
} taskfit_import_amount;

typedef struct taskfit_import_container {
    taskfit_position position;
    taskfit_import_text name;  /* NULL: the service's for the first, "sidecar" for others */
    taskfit_import_text image; /* "mod-users:19.2.0" where the source names a version and no repository */
    taskfit_import_quantity amounts[TASKFIT_IMPORT_AMOUNTS];
    taskfit_import_text max_ram_percentage, jvm_options;
    taskfit_node *extra; /* map of other keys, as the deployment file has them, with positions; NULL: none */
} taskfit_import_container;

typedef struct taskfit_import_service {
    const char *name;
    taskfit_position position;
    taskfit_import_quantity desired_count;
    taskfit_import_container **containers; /* main container first; at least one when reading ends */
    size_t n_containers, containers_capacity;
    bool long_form;      /* a new one is written as containerDefinitions (also with more than two containers) */
    taskfit_node *extra; /* map of other keys of a service, as the deployment file has them; NULL: none */
} taskfit_import_service;

/* ---- the importer ---- */

typedef struct taskfit_import_input {
    const char *file;
    const char *data; /* UTF-8 without NULs and byte order mark */
    size_t len;
    const taskfit_node *root; /* of JSON and YAML whose root is a map or a list; NULL: it is neither */
    taskfit_error tree_error; /* why not; its status may be OK: a mere scalar */
} taskfit_import_input;

typedef struct taskfit_importer {
    taskfit_arena *arena;
    const taskfit_import_options *options;
    taskfit_import_service **services; /* all files', in order */
    size_t n_services, services_capacity;
    taskfit_node *cluster; /* map: what the files state of the cluster; NULL: nothing */
    struct taskfit_placement *placement; /* placement.h: where the tasks run now; NULL: not known */
    struct taskfit_import_notes *notes;
} taskfit_importer;

typedef struct taskfit_import_kind {
    const char *name;
    const char *summary;
    bool is_tree;    /* reads input->root: never called without one, the syntax error is told */
    bool is_together; /* all files are one source and read in one call; else one call for each */
    /* Whether the bytes are of this kind, for `auto`: cheap and sure rather than complete. */
    bool (*recognize)(const taskfit_import_input *input);
    /* Adds services; adds defects and notes. */
    void (*read)(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs);
} taskfit_import_kind;

/* kinds.c: in the order of recognition, the surest first; NULL-terminated. */
extern const taskfit_import_kind *const taskfit_import_kinds[];

/* ---- for readers: services.c ---- */

/* A new service. Characters that names of Amazon ECS cannot hold are repaired with a note. */
taskfit_import_service *taskfit_import_service_add(taskfit_importer *importer, const char *name, taskfit_position position);
/* A new container; the service's first one is the main container. */
taskfit_import_container *taskfit_import_container_add(taskfit_importer *importer, taskfit_import_service *service,
                                                       taskfit_position position);
/* Puts another key: `value` should carry its position. */
void taskfit_import_extra(taskfit_importer *importer, taskfit_node **extra, const char *key, taskfit_node *value);
/* Reads JVM flags (NULL: none) into the container: keys of jvm, the rest into jvm_options. */
void taskfit_import_jvm(taskfit_importer *importer, taskfit_import_container *container, const char *flags,
                        taskfit_position position);
/* States `key` of the cluster; another value than the one stated before is a defect. */
void taskfit_import_cluster(taskfit_importer *importer, const char *key, taskfit_node *value);
/* The name of the service's first container or of a later one: for messages and long form. */
const char *taskfit_import_container_name(const taskfit_import_service *service, size_t container);

/* ---- for readers: quantity.c ---- */

/* Figures as people write them. Blanks of all kinds around them are dropped, and thousands separators inside ("1,024",
 * "2 880"); "", "-", "N/A", "none", "null" mean not stated (value -1). What cannot be read is a defect that names `subject`
 * ("mod-users: memory"), and false. */
bool taskfit_import_memory(taskfit_importer *importer, const char *subject, const char *text, taskfit_position position,
                           taskfit_import_quantity *mib_out); /* MB and GB are taken as MiB and GiB, with a note */
typedef enum taskfit_import_cpu_unit { TASKFIT_IMPORT_CPU_UNITS, TASKFIT_IMPORT_CPU_CORES } taskfit_import_cpu_unit;
/* "500m" is millicores; a bare figure is units or, as in Kubernetes and Docker, cores ("0.5"). */
bool taskfit_import_cpu(taskfit_importer *importer, const char *subject, const char *text, taskfit_position position,
                        taskfit_import_cpu_unit bare, taskfit_import_quantity *units_out);
bool taskfit_import_count(taskfit_importer *importer, const char *subject, const char *text, taskfit_position position,
                          taskfit_import_quantity *count_out);

/* ---- for readers: notes.c ---- */

typedef enum taskfit_import_note_kind {
    TASKFIT_IMPORT_REMARK,   /* for information: never an error */
    TASKFIT_IMPORT_ASSUMED,  /* not stated, or guessed */
    TASKFIT_IMPORT_IGNORED,  /* stated, and without a place in a deployment */
    TASKFIT_IMPORT_REPAIRED, /* changed */
    TASKFIT_IMPORT_DOUBTFUL, /* kept, though it can hardly be meant */
    TASKFIT_IMPORT_DEFECT    /* the import fails */
} taskfit_import_note_kind;

/* service NULL: of the file. The text is lower case without full stop, the service's name is put before it. */
void taskfit_import_note(taskfit_importer *importer, taskfit_import_note_kind kind, taskfit_position position,
                         const char *service, const char *format, ...) TASKFIT_PRINTF(5, 6);

/* ---- between the files of this folder ---- */

struct taskfit_import_notes *taskfit_import_notes_new(taskfit_arena *arena);
/* The text with blanks for what must not be printed or stand in a comment. */
const char *taskfit_import_printable(taskfit_arena *arena, const char *text);
bool taskfit_import_has_defect(const taskfit_importer *importer);
/* Tells everything in file order; with strict, what is no remark counts as a defect. The number of defects. */
size_t taskfit_import_notes_tell(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs,
                                 taskfit_error *err);
/* The deployment as text: with comments, notes stand above the service they speak of, or on top. */
void taskfit_import_write(taskfit_importer *importer, const taskfit_node *root, taskfit_strbuf *out);
void taskfit_import_merge(taskfit_importer *importer); /* merge.c: one service of each name */
void taskfit_import_check(taskfit_importer *importer); /* check.c */
/* tree.c: writes all that was read into a deployment's tree; base NULL: a new one. */
taskfit_node *taskfit_import_tree(taskfit_importer *importer, taskfit_node *base);
/* "key" of the deployment file for an amount: "memoryReservation", "xmx". */
const char *taskfit_import_amount_key(taskfit_import_amount amount);

#endif
