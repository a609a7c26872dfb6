#ifndef TASKFIT_BASE_FILE_H
#define TASKFIT_BASE_FILE_H

/*
 * Whole files in, whole files out. The only place of the library that touches the file system; stages never
 * call it, the program does.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/attrs.h"
#include "base/error.h"
#include "base/strbuf.h"

/* Reads a file ("-": standard input) up to max_bytes into buf. E_INPUT when it is larger, E_SYSTEM when it
 * cannot be read (a folder included). */
taskfit_status taskfit_file_read(const char *path, size_t max_bytes, taskfit_strbuf *buf, taskfit_error *err) TASKFIT_MUST_USE;
/* Writes by temporary file in the same folder, fsync and rename: whole or not at all. */
taskfit_status taskfit_file_write(const char *path, const char *data, size_t len, taskfit_error *err) TASKFIT_MUST_USE;
/* True when the file exists and holds exactly these bytes. exists_out tells whether it exists at all. */
bool taskfit_file_same(const char *path, const char *data, size_t len, bool *exists_out);

#endif
