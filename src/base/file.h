#ifndef TASKFIT_BASE_FILE_H
#define TASKFIT_BASE_FILE_H

/*
 * Whole files in, whole files out. The only place of the library that touches the file system; stages never
 * call it, the program does.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/attrs.h"
#include "base/error.h"
#include "base/strbuf.h"

/* Reads a file ("-": standard input) up to max_bytes into buf. E_INPUT when it is larger, E_SYSTEM when it
 * cannot be read (a folder included). */
taskfit_status taskfit_file_read(const char *path, size_t max_bytes, taskfit_strbuf *buf, taskfit_error *err) TASKFIT_MUST_USE;
/* Writes by temporary file in the same folder, fsync and rename: whole or not at all. Links are followed, an existing
 * file's mode is kept, and what is no regular file (/dev/stdout, a pipe) is written to as it is. */
taskfit_status taskfit_file_write(const char *path, const char *data, size_t len, taskfit_error *err) TASKFIT_MUST_USE;
/* True when path is a regular file of exactly these bytes. exists_out tells whether it is a regular file at all. */
bool taskfit_file_same(const char *path, const char *data, size_t len, bool *exists_out);
/* Fine when it is not there. */
taskfit_status taskfit_file_remove(const char *path, taskfit_error *err) TASKFIT_MUST_USE;
/* Makes a folder and the folders above it; fine when it is there. */
taskfit_status taskfit_folder_make(const char *path, taskfit_error *err) TASKFIT_MUST_USE;
bool taskfit_is_folder(const char *path);
/* Calls `file` with the path of each file in a folder, in the order of their bytes; hidden files and folders are left out. */
typedef void taskfit_folder_fn(void *arg, const char *path);
taskfit_status taskfit_folder_list(const char *path, taskfit_folder_fn *file, void *arg, taskfit_error *err) TASKFIT_MUST_USE;

/*
 * Several files, all or none: add writes each to a temporary file, commit renames them. Release removes what was
 * not committed.
 */
typedef struct taskfit_file_set {
    taskfit_arena *arena; /* of what the files are called; NULL: none yet */
    struct taskfit_pending_file *files;
    size_t n_files;
    size_t capacity;
} taskfit_file_set;

void taskfit_file_set_init(taskfit_file_set *set);
void taskfit_file_set_release(taskfit_file_set *set);
taskfit_status taskfit_file_set_add(taskfit_file_set *set, const char *path, const char *data, size_t len,
                                    taskfit_error *err) TASKFIT_MUST_USE;
taskfit_status taskfit_file_set_commit(taskfit_file_set *set, taskfit_error *err) TASKFIT_MUST_USE;

#endif
