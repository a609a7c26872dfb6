#ifndef TASKFIT_INPUT_CSV_H
#define TASKFIT_INPUT_CSV_H

/*
 * Tables in CSV (RFC 4180): commas, fields in double quotes where needed, LF or CR LF, UTF-8 with or without a byte
 * order mark. Lines before the header that start with '#' are comments; empty lines are skipped. Which columns
 * are needed or unknown is the caller's business. Everything lives in the arena it was read into.
 */

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "input/node.h"

typedef struct taskfit_csv_field {
    const char *text; /* NUL-terminated, without its quotes */
    taskfit_position position;
} taskfit_csv_field;

typedef struct taskfit_csv {
    const char *comment; /* text of the first comment line behind '#' and blanks, "" if there is none */
    taskfit_csv_field *columns; /* the header; names differ from each other */
    size_t n_columns;
    taskfit_csv_field *fields; /* n_rows x n_columns, row by row */
    size_t n_rows;
} taskfit_csv;

/* Refused, with file:line:column: no header, a column named twice, a row with another number of fields than
 * the header, misplaced quotes, bytes that are not UTF-8, NULs, and the readers' limits (input/node.h). */
taskfit_status taskfit_csv_read(taskfit_arena *arena, const char *file, const char *data, size_t len, taskfit_csv *csv_out,
                                taskfit_error *err) TASKFIT_MUST_USE;

/* Index of the column of this name, or n_columns. */
size_t taskfit_csv_column(const taskfit_csv *csv, const char *name);
const taskfit_csv_field *taskfit_csv_at(const taskfit_csv *csv, size_t row, size_t column);

#endif
