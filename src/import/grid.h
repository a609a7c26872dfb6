#ifndef TASKFIT_IMPORT_GRID_H
#define TASKFIT_IMPORT_GRID_H

/*
 * Text as rows of cells: what wiki tables, CSV, tab-separated text and HTML tables have in common. Nothing is refused: a row has the
 * cells that it has. In the text of a cell all blanks are plain ones and none stands at its ends; a line break inside a cell
 * (<br>, a paragraph) is '\n'. Everything lives in the arena.
 */

#include "input/node.h"

typedef struct taskfit_cell {
    const char *text;
    taskfit_position position;
} taskfit_cell;

typedef struct taskfit_row {
    const taskfit_cell *cells;
    size_t n_cells; /* at least 1 */
    size_t table;   /* which table of the file it belongs to, from 0; text is one table */
} taskfit_row;

typedef struct taskfit_grid {
    taskfit_row *rows;
    size_t n_rows, rows_capacity;
} taskfit_grid;

/* Rows are lines; '|' may stand around them, and an escaped one in a cell; lines that only rule are left out. */
taskfit_grid taskfit_grid_of_bars(taskfit_arena *arena, const char *file, const char *text);
/* Rows are lines, cells may be quoted as in CSV and then hold line breaks. */
taskfit_grid taskfit_grid_of_delimited(taskfit_arena *arena, const char *file, const char *text, char delimiter);
/* html.c: the cells of all <tr>, whatever else the text holds; tolerant of what is not closed. A cell that spans
 * columns is followed by empty ones. */
taskfit_grid taskfit_grid_of_html(taskfit_arena *arena, const char *file, const char *text);
bool taskfit_is_html_table(const char *text); /* holds "<table" or "<tr", in any case */

/* ---- for html.c ---- */

/* A cell's text made plain. */
const char *taskfit_cell_text(taskfit_arena *arena, const char *text, size_t len);
void taskfit_grid_add(taskfit_arena *arena, taskfit_grid *grid, const taskfit_cell *cells, size_t n_cells, size_t table);

#endif
