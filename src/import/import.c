#include "import/import.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "import/placement.h"
#include "taskfit/words.h"

void taskfit_import_options_init(taskfit_import_options *options) {
    *options = (taskfit_import_options){.kind = "auto", .count = 1};
}

/* ---- kinds ---- */

size_t taskfit_import_n_kinds(void) {
    size_t n = 0;
    while (taskfit_import_kinds[n]) {
        n++;
    }
    return n;
}

const char *taskfit_import_kind_name(size_t kind) {
    assert(kind < taskfit_import_n_kinds());
    return taskfit_import_kinds[kind]->name;
}

const char *taskfit_import_kind_summary(size_t kind) {
    assert(kind < taskfit_import_n_kinds());
    return taskfit_import_kinds[kind]->summary;
}

static const taskfit_import_kind *find_kind(const char *name, taskfit_error *err) {
    enum { KINDS_MAX = 32 };
    const char *names[KINDS_MAX + 1] = {"auto"};
    size_t n = 0;
    for (; taskfit_import_kinds[n]; n++) {
        assert(n < KINDS_MAX);
        names[n + 1] = taskfit_import_kinds[n]->name;
        if (strcmp(names[n + 1], name) == 0) {
            return taskfit_import_kinds[n];
        }
    }
    const char *nearest = taskfit_nearest(name, names, n + 1);
    if (nearest) {
        (void)taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown kind '%s' (did you mean '%s'?)", name, nearest);
    } else {
        (void)taskfit_fail(err, TASKFIT_E_ARGUMENT, "unknown kind '%s' ('auto' recognizes the kind)", name);
    }
    return NULL;
}

/* ---- inputs ---- */

static size_t bom_length(const char *data, size_t len) {
    return len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static uint32_t line_of(const char *data, size_t offset) {
    uint32_t line = 1;
    for (size_t i = 0; i < offset; i++) {
        line += data[i] == '\n';
    }
    return line;
}

static taskfit_status check_text(const taskfit_import_input *input, taskfit_error *err) {
    if (input->len > TASKFIT_INPUT_BYTES_MAX) {
        taskfit_error_at(err, "%s", input->file);
        return taskfit_fail(err, TASKFIT_E_INPUT, "larger than %d MiB", TASKFIT_INPUT_BYTES_MAX >> 20);
    }
    const size_t valid = taskfit_utf8_valid(input->data, input->len);
    const char *nul = input->len > 0 ? memchr(input->data, '\0', input->len) : NULL;
    if (nul || valid < input->len) {
        const size_t offset = nul && (size_t)(nul - input->data) < valid ? (size_t)(nul - input->data) : valid;
        taskfit_error_at(err, "%s:%u", input->file, line_of(input->data, offset));
        return taskfit_fail(err, TASKFIT_E_INPUT, "%s", offset < valid ? "a NUL character in a text" : "not UTF-8 (save the file as UTF-8)");
    }
    return TASKFIT_OK;
}

/* The text with blanks for tags ("!Ref", "!Sub"), which templates of CloudFormation have and our reader refuses; NULL: none. A tag
 * stands behind a blank, and before a blank or the end of the line. */
static const char *without_tags(taskfit_arena *arena, const taskfit_import_input *input) {
    char *bare = taskfit_arena_strndup(arena, input->data, input->len);
    bool has_tag = false;
    for (size_t i = 1; i < input->len; i++) {
        const bool starts = bare[i] == '!' && (bare[i - 1] == ' ' || bare[i - 1] == '[') && bare[i + 1] >= 'A' && bare[i + 1] <= 'Z';
        const size_t len = starts ? 1 + strcspn(bare + i + 1, " \r\n,]:'\"") : 0;
        if (starts && (bare[i + len] == ' ' || bare[i + len] == '\n' || bare[i + len] == '\r')) {
            memset(bare + i, ' ', len);
            has_tag = true;
        }
    }
    return has_tag ? bare : NULL;
}

/* JSON is read strictly and, for the sake of positions, as YAML too, which knows almost all of it. */
static void read_tree(taskfit_arena *arena, taskfit_import_input *input) {
    taskfit_node *root = NULL;
    if (taskfit_node_read(arena, input->file, input->data, input->len, &root, &input->tree_error) != TASKFIT_OK) {
        const char *bare = without_tags(arena, input);
        if (!bare || taskfit_node_read_yaml(arena, input->file, bare, input->len, &root, NULL) != TASKFIT_OK) {
            return;
        }
    }
    taskfit_node *placed = NULL;
    if (root->position.line == 0 &&
        taskfit_node_read_yaml(arena, input->file, input->data, input->len, &placed, NULL) == TASKFIT_OK) {
        root = placed;
    }
    if (root->kind != TASKFIT_NODE_SCALAR) {
        input->root = root;
    }
}

static bool starts_like_json(const taskfit_import_input *input) {
    const size_t blanks = strspn(input->data, " \t\r\n");
    return input->data[blanks] == '{' || input->data[blanks] == '[';
}

static const taskfit_import_kind *recognize(const taskfit_import_input *input, taskfit_error *err) {
    for (size_t kind = 0; taskfit_import_kinds[kind]; kind++) {
        if ((input->root || !taskfit_import_kinds[kind]->is_tree) && taskfit_import_kinds[kind]->recognize(input)) {
            return taskfit_import_kinds[kind];
        }
    }
    if (!input->root && input->tree_error.status != TASKFIT_OK && starts_like_json(input)) {
        *err = input->tree_error;
    } else {
        taskfit_error_at(err, "%s", input->file);
        (void)taskfit_fail(err, TASKFIT_E_INPUT, "of no kind that is recognized (name the kind; 'taskfit help import' lists them)");
    }
    return NULL;
}

static taskfit_status need_tree(const taskfit_import_kind *kind, const taskfit_import_input *input, taskfit_error *err) {
    if (!kind->is_tree || input->root) {
        return TASKFIT_OK;
    }
    if (input->tree_error.status != TASKFIT_OK) {
        if (err) {
            *err = input->tree_error;
        }
        return input->tree_error.status;
    }
    taskfit_error_at(err, "%s", input->file);
    return taskfit_fail(err, TASKFIT_E_INPUT, "neither a map nor a list, as '%s' is", kind->name);
}

/* The arena's own copy, NUL-terminated, without a byte order mark. */
static taskfit_import_input input_of(taskfit_arena *arena, const taskfit_import_file *file) {
    const size_t bom = bom_length(file->data, file->len);
    const char *name = taskfit_node_string(arena, file->name)->text; /* made UTF-8 */
    return (taskfit_import_input){.file = taskfit_import_printable(arena, name),
                                  .data = taskfit_arena_strndup(arena, file->data + bom, file->len - bom),
                                  .len = file->len - bom};
}

/* ---- a run ---- */

struct run {
    taskfit_importer importer;
    taskfit_import_input *inputs;
    const taskfit_import_kind **kinds; /* [n_inputs] */
    size_t n_inputs;
};

struct results {
    taskfit_strbuf deployment, plan;
};

static void release_results(struct results *results) {
    taskfit_strbuf_release(&results->deployment);
    taskfit_strbuf_release(&results->plan);
}

/* Task definitions beside other descriptions of a cluster belong to it. */
static void join_cluster(const struct run *run) {
    const taskfit_import_kind *together = NULL;
    for (size_t i = 0; i < run->n_inputs; i++) {
        together = run->kinds[i]->is_together ? run->kinds[i] : together;
    }
    for (size_t i = 0; together && i < run->n_inputs; i++) {
        if (strcmp(run->kinds[i]->name, "taskdef") == 0) {
            run->kinds[i] = together;
        }
    }
}

/* Files that are one source are told of once. */
static void tell_kinds(struct run *run) {
    const taskfit_import_kind *told = NULL;
    for (size_t i = 0; i < run->n_inputs; i++) {
        const taskfit_import_kind *kind = run->kinds[i];
        size_t n_others = 0;
        for (size_t j = i + 1; kind->is_together && j < run->n_inputs; j++) {
            n_others += run->kinds[j] == kind;
        }
        if (kind != told || !kind->is_together) {
            taskfit_import_note(&run->importer, TASKFIT_IMPORT_REMARK, (taskfit_position){.file = run->inputs[i].file}, NULL,
                                n_others > 0 ? "recognized as '%s', with %zu other files" : "recognized as '%s'", kind->name, n_others);
        }
        told = kind->is_together ? kind : told;
    }
}

static taskfit_status prepare(struct run *run, const taskfit_import_file *files, taskfit_error *err) {
    taskfit_importer *importer = &run->importer;
    const bool is_auto = strcmp(importer->options->kind, "auto") == 0;
    const taskfit_import_kind *named = is_auto ? NULL : find_kind(importer->options->kind, err);
    if (!named && !is_auto) {
        return TASKFIT_E_ARGUMENT;
    }
    for (size_t i = 0; i < run->n_inputs; i++) {
        taskfit_import_input *input = &run->inputs[i];
        *input = input_of(importer->arena, &files[i]);
        taskfit_status status = check_text(input, err);
        if (status != TASKFIT_OK) {
            return status;
        }
        if (is_auto || named->is_tree) {
            read_tree(importer->arena, input);
        }
        run->kinds[i] = is_auto ? recognize(input, err) : named;
        if (!run->kinds[i]) {
            return TASKFIT_E_INPUT;
        }
        status = need_tree(run->kinds[i], input, err);
        if (status != TASKFIT_OK) {
            return status;
        }
    }
    join_cluster(run);
    if (is_auto) {
        tell_kinds(run);
    }
    return TASKFIT_OK;
}

/* Kinds that read all their files in one call do so at the first of them. */
static void read_inputs(struct run *run) {
    for (size_t i = 0; i < run->n_inputs; i++) {
        const taskfit_import_kind *kind = run->kinds[i];
        if (!kind) {
            continue;
        }
        if (!kind->is_together) {
            kind->read(&run->importer, &run->inputs[i], 1);
            continue;
        }
        taskfit_import_input *together = TASKFIT_ARRAY(run->importer.arena, run->n_inputs, taskfit_import_input);
        size_t n = 0;
        for (size_t j = i; j < run->n_inputs; j++) {
            if (run->kinds[j] == kind) {
                together[n++] = run->inputs[j];
                run->kinds[j] = NULL;
            }
        }
        kind->read(&run->importer, together, n);
    }
}

static taskfit_status read_base(taskfit_importer *importer, taskfit_node **base_out, taskfit_error *err) {
    const taskfit_import_file *into = importer->options->into;
    if (!into) {
        *base_out = NULL;
        return TASKFIT_OK;
    }
    taskfit_node *base = NULL;
    const taskfit_status status = taskfit_node_read(importer->arena, into->name, into->data, into->len, &base, err);
    if (status != TASKFIT_OK) {
        return status;
    }
    if (!taskfit_node_get(base, "taskfit")) {
        taskfit_error_at(err, "%s", into->name);
        return taskfit_fail(err, TASKFIT_E_INPUT, "no deployment to import into ('taskfit: 1' is missing)");
    }
    if (taskfit_node_get(base, "include")) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DOUBTFUL, base->position, NULL,
                            "services of included files are not looked at (import into the file that holds them)");
    }
    *base_out = base;
    return TASKFIT_OK;
}

/* The plan that was asked for; NULL with a defect, or when none was. */
static taskfit_plan *plan_of(const struct run *run, taskfit_importer *importer, const taskfit_node *root) {
    if (!importer->options->plan || taskfit_import_has_defect(importer)) {
        return NULL;
    }
    if (!importer->placement) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, (taskfit_position){.file = run->inputs[0].file}, NULL,
                            "no placement to make a plan of (kind 'ecs-cluster' has one, with its instances and tasks)");
        return NULL;
    }
    return taskfit_placement_plan(importer, root);
}

static taskfit_status run_import(struct run *run, const taskfit_import_file *files, struct results *results, taskfit_error *err) {
    taskfit_importer *importer = &run->importer;
    taskfit_status status = prepare(run, files, err);
    taskfit_node *base = NULL;
    if (status == TASKFIT_OK) {
        status = read_base(importer, &base, err);
    }
    if (status != TASKFIT_OK) {
        return status;
    }
    read_inputs(run);
    taskfit_import_merge(importer);
    taskfit_import_check(importer);
    const taskfit_node *root = taskfit_import_tree(importer, base);
    if (importer->n_services == 0 && !taskfit_import_has_defect(importer)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, (taskfit_position){.file = run->inputs[0].file}, NULL,
                            "no service found");
    }
    taskfit_plan *plan = plan_of(run, importer, root);
    if (taskfit_import_notes_tell(importer, run->inputs, run->n_inputs, err) > 0) {
        taskfit_plan_free(plan);
        return TASKFIT_E_INPUT;
    }
    taskfit_import_write(importer, root, &results->deployment);
    if (plan) {
        taskfit_placement_write(plan, &results->deployment, &results->plan);
    }
    taskfit_plan_free(plan);
    return TASKFIT_OK;
}

taskfit_status taskfit_import(const taskfit_import_file *files, size_t n_files, const taskfit_import_options *options,
                              taskfit_write_fn *write, void *sink, taskfit_error *err) {
    assert(files && n_files > 0 && options && options->kind);
    taskfit_arena *arena = taskfit_arena_new();
    struct run run = {.importer = {.arena = arena, .options = options, .notes = taskfit_import_notes_new(arena)}, .n_inputs = n_files};
    run.inputs = TASKFIT_ARRAY(arena, n_files, taskfit_import_input);
    run.kinds = TASKFIT_ARRAY(arena, n_files, const taskfit_import_kind *);
    TASKFIT_CLEANUP(release_results) struct results results;
    taskfit_strbuf_init(&results.deployment);
    taskfit_strbuf_init(&results.plan);
    taskfit_error local = {.status = TASKFIT_OK};
    taskfit_status status = run_import(&run, files, &results, err ? err : &local);
    if (status == TASKFIT_OK && write(sink, results.deployment.data, results.deployment.len) != 0) {
        status = taskfit_fail(err, TASKFIT_E_SYSTEM, "the deployment could not be written");
    }
    if (status == TASKFIT_OK && options->plan && options->plan(options->plan_sink, results.plan.data, results.plan.len) != 0) {
        status = taskfit_fail(err, TASKFIT_E_SYSTEM, "the plan could not be written");
    }
    taskfit_arena_free(arena);
    return status;
}
