/*
 * Module tables as people paste them: wiki bars, CSV, tab-separated text, HTML. A row is a service, or "<service> - Sidecar 1" a
 * sidecar of one; what the columns are is known by their headers.
 */
#include <string.h>

#include "base/utf8.h"
#include "import/columns.h"
#include "import/kinds.h"

struct table {
    taskfit_importer *importer;
    taskfit_column *columns; /* of the header in force; NULL: none yet */
    size_t n_columns;
    size_t name; /* index of the column of names */
    size_t table;
    taskfit_import_service *service; /* the last one */
    size_t n_headers;
};

/* ---- the grid ---- */

/* Rows of the table's first lines; few are looked at. */
static bool has_header(taskfit_arena *arena, const taskfit_grid *grid) {
    enum { LOOKED_AT = 1000 };
    for (size_t row = 0; row < grid->n_rows && row < LOOKED_AT; row++) {
        taskfit_column *columns = NULL;
        if (taskfit_columns_of(arena, &grid->rows[row], &columns)) {
            return true;
        }
    }
    return false;
}

/* What separates cells is what makes a header of some row. */
static bool read_grid(taskfit_arena *arena, const taskfit_import_input *input, taskfit_grid *grid_out) {
    static const char delimiters[] = "\t,;";
    if (taskfit_is_html_table(input->data)) {
        *grid_out = taskfit_grid_of_html(arena, input->file, input->data);
        return has_header(arena, grid_out);
    }
    if (strchr(input->data, '|')) {
        *grid_out = taskfit_grid_of_bars(arena, input->file, input->data);
        if (has_header(arena, grid_out)) {
            return true;
        }
    }
    for (const char *delimiter = delimiters; *delimiter; delimiter++) {
        if (strchr(input->data, *delimiter)) {
            *grid_out = taskfit_grid_of_delimited(arena, input->file, input->data, *delimiter);
            if (has_header(arena, grid_out)) {
                return true;
            }
        }
    }
    return false;
}

static bool recognize(const taskfit_import_input *input) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_grid grid;
    const bool is_table = read_grid(arena, input, &grid);
    taskfit_arena_free(arena);
    return is_table;
}

/* ---- headers ---- */

static void note_columns(const struct table *table) {
    for (size_t i = 0; i < table->n_columns; i++) {
        const taskfit_column *column = &table->columns[i];
        const bool has_text = column->header.text[0] != '\0' && strcmp(column->header.text, "#") != 0;
        if (column->kind == TASKFIT_COLUMN_REVISION) {
            taskfit_import_note(table->importer, TASKFIT_IMPORT_REMARK, column->header.position, NULL,
                                "column '%s' has no place in a deployment", column->header.text);
        } else if (column->kind == TASKFIT_COLUMN_UNKNOWN && has_text) {
            taskfit_import_note(table->importer, TASKFIT_IMPORT_IGNORED, column->header.position, NULL, "unknown column '%s'",
                                column->header.text);
        } else if (column->is_guess) {
            taskfit_import_note(table->importer, TASKFIT_IMPORT_ASSUMED, column->header.position, NULL,
                                "column '%s': the unit is taken as %sB", column->header.text, column->unit);
        }
    }
}

static void note_remarks(const struct table *table, const taskfit_cell *header) {
    const char *cluster = NULL;
    const char *date = NULL;
    taskfit_header_remarks(table->importer->arena, header, &cluster, &date);
    if (cluster) {
        taskfit_node *name = taskfit_node_string(table->importer->arena, cluster);
        name->position = header->position;
        taskfit_import_cluster(table->importer, "name", name);
    }
    if (date) {
        taskfit_import_note(table->importer, TASKFIT_IMPORT_REMARK, header->position, NULL, "the table is of %s", date);
    }
}

/* Takes the row as header if it is one. A header without a column of names has them in the first. */
static bool read_header(struct table *table, const taskfit_row *row) {
    taskfit_column *columns = NULL;
    if (!taskfit_columns_of(table->importer->arena, row, &columns)) {
        return false;
    }
    table->columns = columns;
    table->n_columns = row->n_cells;
    table->table = row->table;
    table->n_headers++;
    table->name = 0;
    while (table->name < table->n_columns && columns[table->name].kind != TASKFIT_COLUMN_NAME) {
        table->name++;
    }
    if (table->name < table->n_columns) {
        note_remarks(table, &columns[table->name].header);
    } else {
        table->name = 0;
        taskfit_import_note(table->importer, TASKFIT_IMPORT_ASSUMED, row->cells[0].position, NULL,
                            "the first column holds the names of the services");
        columns[0].kind = TASKFIT_COLUMN_NAME;
    }
    note_columns(table);
    return true;
}

/* ---- names ---- */

/* Without the marks of markup: **mod-users**, `mod-users`. */
static const char *strip_marks(taskfit_arena *arena, const char *text) {
    TASKFIT_STRBUF(plain);
    for (; *text; text++) {
        taskfit_strbuf_add(&plain, text, *text != '*' && *text != '`');
    }
    return taskfit_cell_text(arena, plain.data, plain.len);
}

/* Where "mod-users - Sidecar 1" parts, with a dash of any length; NULL: not a sidecar. */
static const char *find_sidecar(const char *name) {
    static const char *const dashes[] = {" - ", " \xe2\x80\x93 ", " \xe2\x80\x94 "};
    for (size_t i = 0; i < sizeof dashes / sizeof dashes[0]; i++) {
        for (const char *at = strstr(name, dashes[i]); at; at = strstr(at + 1, dashes[i])) {
            const char *word = at + strlen(dashes[i]);
            if (strlen(word) >= strlen("sidecar") && taskfit_is_word(word, strlen("sidecar"), "sidecar")) {
                return at;
            }
        }
    }
    return NULL;
}

/* "mod-users:19.2.0", "REPOSITORY/mod-users:19.2.0" or "mod-users": the name, and the image if more is told. */
static const char *split_name(taskfit_arena *arena, const char *text, const char **image_out) {
    const char *slash = strrchr(text, '/');
    const char *start = slash ? slash + 1 : text;
    const char *colon = strchr(start, ':');
    *image_out = slash || colon ? text : NULL;
    return taskfit_arena_strndup(arena, start, colon ? (size_t)(colon - start) : strlen(start));
}

/* ---- cells ---- */

struct row {
    struct table *table;
    taskfit_import_container *container;
    const char *name;
    bool is_sidecar;
};

static bool is_blank(const char *text) {
    static const char *const words[] = {"", "-", "n/a", "na", "none", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (taskfit_is_word(text, strlen(text), words[i])) {
            return true;
        }
    }
    return false;
}

static void read_amount(const struct row *row, const taskfit_column *column, const taskfit_cell *cell) {
    taskfit_importer *importer = row->table->importer;
    taskfit_import_quantity *amount = &row->container->amounts[column->amount];
    const char *subject = taskfit_arena_printf(importer->arena, "%s: %s", row->name, column->header.text);
    const size_t len = strlen(cell->text);
    const bool is_bare = len > 0 && cell->text[len - 1] >= '0' && cell->text[len - 1] <= '9';
    const char *text = is_bare && *column->unit ? taskfit_arena_printf(importer->arena, "%s%s", cell->text, column->unit) : cell->text;
    if (column->amount == TASKFIT_IMPORT_CPU) {
        (void)taskfit_import_cpu(importer, subject, text, cell->position, TASKFIT_IMPORT_CPU_UNITS, amount);
    } else {
        (void)taskfit_import_memory(importer, subject, text, cell->position, amount);
    }
    if (amount->value == 0 && column->zero_is_absent) {
        amount->value = -1;
    }
}

/* "12(14)": 12 tasks; the 14 is told. A sidecar has the count of its service. */
static void read_count(const struct row *row, const taskfit_column *column, const taskfit_cell *cell) {
    taskfit_importer *importer = row->table->importer;
    const char *subject = taskfit_arena_printf(importer->arena, "%s: %s", row->name, column->header.text);
    const char *open = strchr(cell->text, '(');
    const char *text = open && open > cell->text ? taskfit_arena_strndup(importer->arena, cell->text, (size_t)(open - cell->text)) : cell->text;
    taskfit_import_quantity count = {-1, cell->position};
    if (!taskfit_import_count(importer, subject, text, cell->position, &count)) {
        return;
    }
    if (text != cell->text) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, cell->position, row->table->service->name,
                            "'%s' behind the count of %lld", open, (long long)count.value);
    }
    taskfit_import_quantity *known = &row->table->service->desired_count;
    if (!row->is_sidecar) {
        *known = count;
    } else if (count.value >= 0 && count.value != known->value) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, cell->position, row->table->service->name,
                            "the count of %lld of its sidecar (a sidecar runs in every task)", (long long)count.value);
    }
}

static void read_version(const struct row *row, const taskfit_cell *cell) {
    if (is_blank(cell->text)) {
        return;
    }
    taskfit_arena *arena = row->table->importer->arena;
    const bool is_image = strchr(cell->text, '/') || strchr(cell->text, ':');
    const char *name = row->is_sidecar ? "sidecar" : row->name;
    const char *image = is_image ? taskfit_arena_strdup(arena, cell->text) : taskfit_arena_printf(arena, "%s:%s", name, cell->text);
    taskfit_import_text *known = &row->container->image;
    const char *tag = strrchr(image, ':');
    const char *known_tag = known->text ? strrchr(known->text, ':') : NULL;
    if (known_tag && tag && strcmp(tag, known_tag) != 0) {
        taskfit_import_note(row->table->importer, TASKFIT_IMPORT_DOUBTFUL, cell->position, row->table->service->name,
                            "version '%s' beside '%s' (the column counts)", tag + 1, known_tag + 1);
    }
    *known = (taskfit_import_text){image, cell->position};
}

static void read_split(const struct row *row, const taskfit_cell *cell) {
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true}, {"yes", true}, {"enabled", true}, {"false", false}, {"no", false}, {"disabled", false}};
    taskfit_importer *importer = row->table->importer;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (taskfit_is_word(cell->text, strlen(cell->text), words[i].word)) {
            taskfit_node *split = taskfit_node_bool(importer->arena, words[i].value);
            split->position = cell->position;
            if (!row->is_sidecar) {
                taskfit_import_extra(importer, &row->table->service->extra, "readWriteSplit", split);
            }
            return;
        }
    }
    if (!is_blank(cell->text)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_IGNORED, cell->position, row->table->service->name,
                            "read/write split '%s' is neither true nor false", cell->text);
    }
}

static void read_cell(const struct row *row, const taskfit_column *column, const taskfit_cell *cell) {
    switch (column->kind) {
    case TASKFIT_COLUMN_AMOUNT:
        read_amount(row, column, cell);
        break;
    case TASKFIT_COLUMN_COUNT:
        read_count(row, column, cell);
        break;
    case TASKFIT_COLUMN_VERSION:
        read_version(row, cell);
        break;
    case TASKFIT_COLUMN_JVM:
        if (!is_blank(cell->text)) {
            taskfit_import_jvm(row->table->importer, row->container, cell->text, cell->position);
        }
        break;
    case TASKFIT_COLUMN_SPLIT:
        read_split(row, cell);
        break;
    case TASKFIT_COLUMN_UNKNOWN:
    case TASKFIT_COLUMN_NAME:
    case TASKFIT_COLUMN_REVISION:
        break;
    }
}

/* ---- rows ---- */

static bool start_sidecar(struct row *row, const char *service_name, const taskfit_cell *cell) {
    struct table *table = row->table;
    taskfit_import_service *service = table->service;
    if (!service || strcmp(service->name, service_name) != 0) {
        taskfit_import_note(table->importer, TASKFIT_IMPORT_DEFECT, cell->position, NULL,
                            "'%s' stands behind no row of '%s'", cell->text, service_name);
        return false;
    }
    row->is_sidecar = true;
    row->container = taskfit_import_container_add(table->importer, service, cell->position);
    if (service->n_containers > 2) { /* the first one needs no name */
        row->container->name.text = taskfit_arena_printf(table->importer->arena, "sidecar-%zu", service->n_containers - 1);
        row->container->name.position = cell->position;
    }
    return true;
}

static bool start_row(struct row *row, const taskfit_cell *cell) {
    struct table *table = row->table;
    taskfit_arena *arena = table->importer->arena;
    const char *text = strip_marks(arena, cell->text);
    const char *sidecar = find_sidecar(text);
    const char *stem = sidecar ? taskfit_arena_strndup(arena, text, (size_t)(sidecar - text)) : text;
    const char *image = NULL;
    row->name = split_name(arena, stem, &image);
    if (sidecar) {
        return start_sidecar(row, row->name, cell);
    }
    table->service = taskfit_import_service_add(table->importer, row->name, cell->position);
    row->name = table->service->name;
    row->container = taskfit_import_container_add(table->importer, table->service, cell->position);
    if (image) {
        row->container->image = (taskfit_import_text){image, cell->position};
    }
    return true;
}

/* The first cell that is not empty, or NULL. */
static const taskfit_cell *first_cell(const taskfit_row *row) {
    for (size_t i = 0; i < row->n_cells; i++) {
        if (row->cells[i].text[0]) {
            return &row->cells[i];
        }
    }
    return NULL;
}

static void read_row(struct table *table, const taskfit_row *given) {
    const char *name = table->name < given->n_cells ? strip_marks(table->importer->arena, given->cells[table->name].text) : "";
    const taskfit_cell *first = first_cell(given);
    if (!first) {
        return;
    }
    if (name[0] == '\0' || given->n_cells < 2 || taskfit_is_word(name, strlen(name), "total")) {
        taskfit_import_note(table->importer, TASKFIT_IMPORT_IGNORED, first->position, NULL,
                            name[0] ? "the row '%s'" : "a row without a name: '%s'", first->text);
        return;
    }
    struct row row = {.table = table};
    if (!start_row(&row, &given->cells[table->name])) {
        return;
    }
    for (size_t i = 0; i < given->n_cells && i < table->n_columns; i++) {
        read_cell(&row, &table->columns[i], &given->cells[i]);
    }
    for (size_t i = table->n_columns; i < given->n_cells; i++) {
        if (given->cells[i].text[0]) {
            taskfit_import_note(table->importer, TASKFIT_IMPORT_IGNORED, given->cells[i].position, table->service->name,
                                "'%s' behind the last column", given->cells[i].text);
        }
    }
}

static void read(taskfit_importer *importer, const taskfit_import_input *inputs, size_t n_inputs) {
    (void)n_inputs;
    taskfit_grid grid = {.n_rows = 0};
    if (!read_grid(importer->arena, inputs, &grid)) {
        taskfit_import_note(importer, TASKFIT_IMPORT_DEFECT, (taskfit_position){.file = inputs->file}, NULL,
                            "no header row found (it must name the service, and memory or CPU: Module | Task Count | Mem Hard "
                            "Limit | Mem Soft Limit | CPU Units)");
        return;
    }
    struct table table = {.importer = importer};
    for (size_t i = 0; i < grid.n_rows; i++) {
        const taskfit_row *row = &grid.rows[i];
        if (table.columns && row->table != table.table) {
            table.columns = NULL; /* another table of a page has a header of its own */
        }
        if (read_header(&table, row)) {
            continue;
        }
        if (table.columns) {
            read_row(&table, row);
        } else if (first_cell(row)) {
            const taskfit_cell *cell = first_cell(row);
            taskfit_import_note(importer, TASKFIT_IMPORT_REMARK, cell->position, NULL, "'%s' belongs to no module table", cell->text);
        }
    }
}

const taskfit_import_kind taskfit_import_table = {
    .name = "table",
    .summary = "module tables: wiki, CSV, tabs, HTML",
    .recognize = recognize,
    .read = read,
};
