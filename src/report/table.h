#ifndef TASKFIT_REPORT_TABLE_H
#define TASKFIT_REPORT_TABLE_H

/*
 * A table of text cells, filled row by row and written aligned for people or as CSV.
 *
 *     static const char *const headers[] = {"type", ">memory MiB"};   // '>': the column aligns right
 *     taskfit_table *table = taskfit_table_new(arena, headers, 2);
 *     taskfit_table_cell(table, "%s", type->name);
 *     taskfit_table_cell(table, "%" PRId64, type->memory_registered_mib);
 *     taskfit_table_write(table, out);
 */

#include <stddef.h>

#include "base/arena.h"
#include "base/strbuf.h"

typedef struct taskfit_table taskfit_table;

/* `headers` is kept, not copied. Table and cells live in the arena. */
taskfit_table *taskfit_table_new(taskfit_arena *arena, const char *const *headers, size_t n_columns);
/* The next cell, left to right, then the next row. */
void taskfit_table_cell(taskfit_table *table, const char *format, ...) TASKFIT_PRINTF(2, 3);
/* Header line and rows, columns two blanks apart, no blanks at the ends of lines. Only whole rows are allowed. */
void taskfit_table_write(const taskfit_table *table, taskfit_strbuf *out);
/* RFC 4180 with line feeds; headers without '>'. */
void taskfit_table_write_csv(const taskfit_table *table, taskfit_strbuf *out);

#endif
