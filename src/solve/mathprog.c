#include "solve/mathprog.h"

#include <assert.h>
#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "solve/glpk_guard.h"

enum { PATH_SIZE = 40, MICROS = 1000000 };

/* An unnamed file, which GLPK opens a second time by its descriptor. */
typedef struct scratch_file {
    FILE *file;
    char path[PATH_SIZE];
} scratch_file;

static void scratch_close(scratch_file *scratch) {
    if (scratch->file) {
        (void)fclose(scratch->file);
    }
}

static taskfit_status scratch_open(scratch_file *scratch, const char *text, taskfit_error *err) {
    scratch->file = tmpfile();
    if (!scratch->file || fputs(text, scratch->file) == EOF || fflush(scratch->file) != 0) {
        return taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot write a temporary file (is there room in /tmp?)");
    }
    rewind(scratch->file);
    (void)snprintf(scratch->path, sizeof scratch->path, "/dev/fd/%d", fileno(scratch->file));
    return TASKFIT_OK;
}

/* What runs under the guard: it owns GLPK objects only. */
typedef struct job {
    scratch_file model, data, out;
    bool write; /* else solve */
    taskfit_mathprog_format format;
    bool done;
    taskfit_mathprog_result result;
} job;

static bool solve(glp_prob *program, taskfit_mathprog_result *result) {
    glp_iocp settings;
    glp_init_iocp(&settings);
    settings.presolve = GLP_ON;
    int code = glp_intopt(program, &settings);
    int status = glp_mip_status(program);
    result->feasible = code == 0 && status == GLP_OPT;
    if (result->feasible) {
        result->objective_micros = llround(glp_mip_obj_val(program) * MICROS);
    }
    return result->feasible || code == GLP_ENOPFS || status == GLP_NOFEAS;
}

static bool write_program(glp_prob *program, const job *j) {
    return (j->format == TASKFIT_MATHPROG_LP ? glp_write_lp(program, NULL, j->out.path)
                                             : glp_write_mps(program, GLP_MPS_FILE, NULL, j->out.path)) == 0;
}

static void run(void *arg) {
    job *j = arg;
    glp_tran *translator = glp_mpl_alloc_wksp();
    glp_prob *program = glp_create_prob();
    if (glp_mpl_read_model(translator, j->model.path, 1) == 0 && glp_mpl_read_data(translator, j->data.path) == 0 &&
        glp_mpl_generate(translator, NULL) == 0) {
        glp_mpl_build_prob(translator, program);
        j->done = j->write ? write_program(program, j) : solve(program, &j->result);
    }
    glp_delete_prob(program);
    glp_mpl_free_wksp(translator);
}

static taskfit_status run_job(job *j, const char *model, const char *data, taskfit_error *err) {
    taskfit_status status = scratch_open(&j->model, model, err);
    if (status == TASKFIT_OK) {
        status = scratch_open(&j->data, data, err);
    }
    if (status == TASKFIT_OK) {
        status = scratch_open(&j->out, "", err);
    }
    if (status == TASKFIT_OK) {
        status = taskfit_glpk_run(run, j, err);
    }
    if (status == TASKFIT_OK && !j->done) {
        status = taskfit_fail(err, TASKFIT_E_INTERNAL, "GLPK did not accept the model: %s", taskfit_glpk_last_line());
    }
    return status;
}

static taskfit_status read_back(FILE *file, taskfit_strbuf *out, taskfit_error *err) {
    char chunk[16 * 1024];
    size_t len;
    while ((len = fread(chunk, 1, sizeof chunk, file)) > 0) {
        taskfit_strbuf_add(out, chunk, len);
    }
    return ferror(file) ? taskfit_fail(err, TASKFIT_E_SYSTEM, "cannot read a temporary file") : TASKFIT_OK;
}

static void release(job *j) {
    scratch_close(&j->model);
    scratch_close(&j->data);
    scratch_close(&j->out);
}

taskfit_status taskfit_mathprog_solve(const char *model, const char *data, taskfit_mathprog_result *result_out,
                                      taskfit_error *err) {
    job j = {.write = false};
    taskfit_status status = run_job(&j, model, data, err);
    if (status == TASKFIT_OK) {
        *result_out = j.result;
    }
    release(&j);
    return status;
}

taskfit_status taskfit_mathprog_write(const char *model, const char *data, taskfit_mathprog_format format, taskfit_strbuf *out,
                                      taskfit_error *err) {
    job j = {.write = true, .format = format};
    taskfit_status status = run_job(&j, model, data, err);
    if (status == TASKFIT_OK) {
        status = read_back(j.out.file, out, err);
    }
    release(&j);
    return status;
}
