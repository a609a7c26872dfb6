#include <string.h>

#include "fuzz.h"
#include "input/csv.h"

/* Every field in quotes, as RFC 4180 permits. */
static void write_row(taskfit_strbuf *out, const taskfit_csv_field *fields, size_t n) {
    for (size_t i = 0; i < n; i++) {
        taskfit_strbuf_adds(out, i > 0 ? ",\"" : "\"");
        for (const char *c = fields[i].text; *c; c++) {
            taskfit_strbuf_add(out, "\"\"", *c == '"');
            taskfit_strbuf_addc(out, *c);
        }
        taskfit_strbuf_addc(out, '"');
    }
    taskfit_strbuf_addc(out, '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    taskfit_arena *arena = taskfit_arena_new();
    taskfit_csv csv;
    taskfit_error err = {.status = TASKFIT_OK};
    if (taskfit_csv_read(arena, "f.csv", (const char *)data, size, &csv, &err) != TASKFIT_OK) {
        fuzz_require(err.where[0] != '\0', "an error says where");
        taskfit_arena_free(arena);
        return 0;
    }
    TASKFIT_STRBUF(text);
    write_row(&text, csv.columns, csv.n_columns);
    for (size_t row = 0; row < csv.n_rows; row++) {
        write_row(&text, taskfit_csv_at(&csv, row, 0), csv.n_columns);
    }
    taskfit_csv again;
    fuzz_require(taskfit_csv_read(arena, "", text.data, text.len, &again, NULL) == TASKFIT_OK, "a quoted table is read");
    fuzz_require(again.n_rows == csv.n_rows && again.n_columns == csv.n_columns, "the table keeps its shape");
    for (size_t i = 0; i < csv.n_rows * csv.n_columns; i++) {
        fuzz_require(strcmp(csv.fields[i].text, again.fields[i].text) == 0, "the table keeps its texts");
    }
    taskfit_arena_free(arena);
    return 0;
}
