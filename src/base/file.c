#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct taskfit_pending_file {
    const char *path;      /* with links followed */
    const char *temporary; /* NULL: renamed */
};

static taskfit_status fail(taskfit_error *err, const char *what, const char *path) {
    return taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot %s '%s': %s", what, path, strerror(errno));
}

static void close_fd(const int *fd) {
    if (*fd > STDERR_FILENO) {
        (void)close(*fd);
    }
}

/* ---- reading ---- */

static taskfit_status read_all(int fd, const char *path, size_t max_bytes, taskfit_strbuf *buf, taskfit_error *err) {
    char chunk[64 * 1024];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n == 0) {
            return TASKFIT_OK;
        }
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return fail(err, "read", path);
        }
        if ((size_t)n > max_bytes - buf->len) {
            return taskfit_fail(err, TASKFIT_E_INPUT, "'%s' is larger than %zu bytes", path, max_bytes);
        }
        taskfit_strbuf_add(buf, chunk, (size_t)n);
    }
}

taskfit_status taskfit_file_read(const char *path, size_t max_bytes, taskfit_strbuf *buf, taskfit_error *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    TASKFIT_CLEANUP(close_fd) int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail(err, "open", path);
    }
    TASKFIT_STRBUF(read);
    taskfit_status status = read_all(fd, is_stdin ? "standard input" : path, max_bytes, &read, err);
    if (status == TASKFIT_OK) {
        taskfit_strbuf_add(buf, read.data, read.len);
    }
    return status;
}

bool taskfit_file_same(const char *path, const char *data, size_t len, bool *exists_out) {
    struct stat info;
    *exists_out = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    if (!*exists_out || info.st_size < 0 || (size_t)info.st_size != len) {
        return false;
    }
    TASKFIT_STRBUF(old);
    return taskfit_file_read(path, len, &old, NULL) == TASKFIT_OK && old.len == len && memcmp(old.data, data, len) == 0;
}

/* ---- writing ---- */

static taskfit_status write_all(int fd, const char *path, const char *data, size_t len, taskfit_error *err) {
    while (len > 0) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return fail(err, "write", path);
        }
        data += n;
        len -= (size_t)n;
    }
    return TASKFIT_OK;
}

static taskfit_status write_device(const char *path, const char *data, size_t len, taskfit_error *err) {
    TASKFIT_CLEANUP(close_fd) int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd < 0 ? fail(err, "open", path) : write_all(fd, path, data, len, err);
}

/* A new file beside `path`; its mode is that of `existing` or what the umask leaves. */
static int open_temporary(const char *path, const struct stat *existing, taskfit_strbuf *name) {
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        taskfit_strbuf_reset(name);
        taskfit_strbuf_printf(name, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        int fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 && existing) {
            (void)!fchmod(fd, existing->st_mode & 07777);
        }
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

static taskfit_status write_temporary(const char *path, const struct stat *existing, const char *data, size_t len,
                                      taskfit_strbuf *name, taskfit_error *err) {
    TASKFIT_CLEANUP(close_fd) int fd = open_temporary(path, existing, name);
    if (fd < 0) {
        return fail(err, "write", path);
    }
    taskfit_status status = write_all(fd, path, data, len, err);
    if (status == TASKFIT_OK && fsync(fd) != 0) {
        status = fail(err, "write", path);
    }
    if (status != TASKFIT_OK) {
        (void)unlink(name->data);
    }
    return status;
}

void taskfit_file_set_init(taskfit_file_set *set) {
    *set = (taskfit_file_set){0};
}

void taskfit_file_set_release(taskfit_file_set *set) {
    for (size_t i = 0; i < set->n_files; i++) {
        if (set->files[i].temporary) {
            (void)unlink(set->files[i].temporary);
        }
    }
    taskfit_arena_free(set->arena);
    taskfit_file_set_init(set);
}

taskfit_status taskfit_file_set_add(taskfit_file_set *set, const char *path, const char *data, size_t len, taskfit_error *err) {
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write '%s': it is a folder", path);
    }
    if (exists && !S_ISREG(info.st_mode)) {
        return write_device(path, data, len, err);
    }
    char resolved[PATH_MAX];
    const char *target = exists && realpath(path, resolved) ? resolved : path;
    TASKFIT_STRBUF(name);
    taskfit_status status = write_temporary(target, exists ? &info : NULL, data, len, &name, err);
    if (status == TASKFIT_OK) {
        if (!set->arena) {
            set->arena = taskfit_arena_new();
        }
        TASKFIT_GROW(set->arena, set->files, set->n_files, set->capacity);
        set->files[set->n_files++] = (struct taskfit_pending_file){.path = taskfit_arena_strdup(set->arena, target),
                                                                   .temporary = taskfit_arena_strdup(set->arena, name.data)};
    }
    return status;
}

taskfit_status taskfit_file_set_commit(taskfit_file_set *set, taskfit_error *err) {
    for (size_t i = 0; i < set->n_files; i++) {
        struct taskfit_pending_file *file = &set->files[i];
        if (rename(file->temporary, file->path) != 0) {
            return fail(err, "write", file->path);
        }
        file->temporary = NULL;
    }
    return TASKFIT_OK;
}

taskfit_status taskfit_file_write(const char *path, const char *data, size_t len, taskfit_error *err) {
    TASKFIT_CLEANUP(taskfit_file_set_release) taskfit_file_set set;
    taskfit_file_set_init(&set);
    taskfit_status status = taskfit_file_set_add(&set, path, data, len, err);
    return status == TASKFIT_OK ? taskfit_file_set_commit(&set, err) : status;
}

taskfit_status taskfit_file_remove(const char *path, taskfit_error *err) {
    return unlink(path) == 0 || errno == ENOENT ? TASKFIT_OK : fail(err, "remove", path);
}

taskfit_status taskfit_folder_make(const char *path, taskfit_error *err) {
    TASKFIT_STRBUF(part);
    for (const char *end = path; *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        taskfit_strbuf_reset(&part);
        taskfit_strbuf_add(&part, path, (size_t)(end - path));
        struct stat info;
        bool is_folder = stat(part.data, &info) == 0 && S_ISDIR(info.st_mode);
        if (!is_folder && mkdir(part.data, 0777) != 0) {
            return fail(err, "make folder", part.data);
        }
    }
    return TASKFIT_OK;
}

/* ---- folders ---- */

bool taskfit_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int compare_names(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

taskfit_status taskfit_folder_list(const char *path, taskfit_folder_fn *file, void *arg, taskfit_error *err) {
    struct dirent **entries = NULL;
    const int n = scandir(path, &entries, NULL, compare_names);
    if (n < 0) {
        return fail(err, "read folder", path);
    }
    for (int i = 0; i < n; i++) {
        TASKFIT_STRBUF(full);
        taskfit_strbuf_printf(&full, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && !taskfit_is_folder(full.data)) {
            file(arg, full.data);
        }
        free(entries[i]);
    }
    free(entries);
    return TASKFIT_OK;
}
