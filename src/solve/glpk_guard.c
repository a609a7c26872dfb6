#include "solve/glpk_guard.h"

#include <assert.h>
#include <glpk.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

/* GLPK's hooks carry one pointer but its environment is the thread's, so the record of a run is too. */
typedef struct guard {
    jmp_buf back;
    bool running;
    int generation;
    int64_t deadline_ms; /* 0: none */
    char last_line[256]; /* of GLPK's text: for MathProg errors the only message there is */
} guard;

static _Thread_local guard current;

static void jump_back(void *info) {
    (void)info;
    current.generation++;
    glp_free_env();
    longjmp(current.back, 1);
}

static int keep_text(void *info, const char *text) {
    (void)info;
    const size_t len = strcspn(text, "\n");
    if (len > 0) {
        const size_t kept = len < sizeof current.last_line ? len : sizeof current.last_line - 1;
        memcpy(current.last_line, text, kept);
        current.last_line[kept] = '\0';
    }
    if (current.running && current.deadline_ms > 0 && taskfit_clock_ms() >= current.deadline_ms) {
        jump_back(NULL);
    }
    return 1; /* do not print */
}

taskfit_status taskfit_glpk_run(taskfit_glpk_body *body, void *arg, taskfit_error *err) {
    assert(!current.running);
    current.running = true;
    current.last_line[0] = '\0';
    current.deadline_ms = 0;
    if (setjmp(current.back) != 0) {
        current.running = false;
        return taskfit_fail(err, TASKFIT_E_INTERNAL, "GLPK stopped: %s", current.last_line);
    }
    glp_term_hook(keep_text, NULL); /* the hooks go with the environment: set them on each run */
    glp_error_hook(jump_back, NULL);
    body(arg);
    glp_error_hook(NULL, NULL);
    current.running = false;
    return TASKFIT_OK;
}

const char *taskfit_glpk_last_line(void) {
    return current.last_line;
}

void taskfit_glpk_set_deadline(int64_t deadline_ms) {
    current.deadline_ms = deadline_ms;
}

int taskfit_glpk_generation(void) {
    return current.generation;
}

void taskfit_glpk_leave_thread(void) {
    assert(!current.running);
    current.generation++;
    glp_free_env();
}
