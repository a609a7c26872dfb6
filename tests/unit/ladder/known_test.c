#include "unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "problem/plan.h"
#include "taskfit/taskfit.h"

/*
 * tests/data/known/optimum.tsv: deployments whose optimum is known, by rung, under every method. A row is a file,
 * edits, a rung, its instances and what they cost.
 */

#define FOLDER "tests/data/known/"
enum { N_COLUMNS = 5, MAX_EDITS = 4, COMPACT_WORK = 10000000 };

static taskfit_status load(void *arg, const char *path, char **data_out, size_t *len_out, taskfit_error *err) {
    (void)arg;
    TASKFIT_STRBUF(name);
    taskfit_strbuf_printf(&name, "%s%s", strncmp(path, FOLDER, strlen(FOLDER)) == 0 ? "" : FOLDER, path);
    taskfit_strbuf file;
    taskfit_strbuf_init(&file);
    const taskfit_status status = taskfit_file_read(name.data, 1 << 20, &file, err);
    if (status == TASKFIT_OK) {
        *data_out = file.data;
        *len_out = file.len;
    }
    return status;
}

/* Cuts text at each `separator`, in place. */
static size_t cut(char *text, const char *separator, const char **parts, size_t most) {
    size_t n = 0;
    for (char *next = text; next != NULL && n < most;) {
        parts[n++] = next;
        next = strstr(next, separator);
        if (next != NULL) {
            *next = '\0';
            next += strlen(separator);
        }
    }
    return n;
}

static taskfit_deployment *parse(const char *file, char *edits) {
    const char *set[MAX_EDITS];
    taskfit_parse_options options;
    taskfit_parse_options_init(&options);
    options.load = load;
    options.set = set;
    options.n_set = strcmp(edits, "-") == 0 ? 0 : cut(edits, " ; ", set, MAX_EDITS);
    TASKFIT_STRBUF(path);
    TASKFIT_STRBUF(text);
    taskfit_strbuf_printf(&path, FOLDER "%s", file);
    taskfit_error err = {0};
    taskfit_deployment *deployment = NULL;
    if (taskfit_file_read(path.data, 1 << 20, &text, &err) != TASKFIT_OK ||
        taskfit_deployment_parse(path.data, text.data, text.len, &options, &deployment, &err) != TASKFIT_OK) {
        fail_msg("%s: %s: %s", file, err.where, err.message);
    }
    return deployment;
}

static const taskfit_plan_rung *find_rung(const taskfit_plan *plan, const char *name) {
    for (size_t i = 0; i < plan->n_ladder; i++) {
        if (strcmp(taskfit_rung_name(plan->ladder[i].rung), name) == 0) {
            return &plan->ladder[i];
        }
    }
    static const taskfit_plan_rung none = {.instances = -1, .proof = TASKFIT_PROOF_NONE};
    return &none;
}

static void check_row(char *line, bool compact) {
    const char *column[N_COLUMNS];
    ASSERT_INT(cut(line, "\t", column, N_COLUMNS), N_COLUMNS);
    taskfit_deployment *deployment = parse(column[0], line + (column[1] - line));
    taskfit_settings settings;
    taskfit_settings_init(&settings);
    settings.time_limit_ms = 0;
    settings.compact = compact;
    settings.work_limit = compact ? COMPACT_WORK : 0;
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    if (taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fail_msg("%s: %s", column[0], err.message);
    }
    const taskfit_plan_rung *rung = find_rung(plan, column[2]);
    char instances[32];
    (void)snprintf(instances, sizeof instances, "%lld", (long long)rung->instances);
    const char *found = rung->proof == TASKFIT_PROOF_INFEASIBLE ? "infeasible" : instances;
    if (compact && rung->proof == TASKFIT_PROOF_GAP) { /* honest: what GLPK alone cannot prove */
        const int64_t known = strcmp(column[3], "infeasible") == 0 ? INT64_MAX : strtoll(column[3], NULL, 10);
        assert_true(rung->lower_bound <= known && known <= rung->instances);
    } else if (strcmp(found, column[3]) != 0 ||
               (rung->instances >= 0 && rung->proof != TASKFIT_PROOF_EXACT && !compact && rung->rung < TASKFIT_RUNG_ROLLING)) {
        fail_msg("%s %s: %s (%s) instead of %s", column[0], column[2], found, taskfit_proof_name(rung->proof), column[3]);
    }
    if (rung->proof != TASKFIT_PROOF_GAP && strcmp(column[4], "-") != 0) {
        TASKFIT_STRBUF(cost);
        taskfit_strbuf_printf(&cost, "%lld.%06lld", (long long)(rung->cost_usd_micros / 1000000),
                              (long long)(rung->cost_usd_micros % 1000000));
        assert_string_equal(cost.data, column[4]);
    }
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

static void check_all(bool compact) {
    TASKFIT_STRBUF(table);
    assert_int_equal(taskfit_file_read(FOLDER "optimum.tsv", 1 << 20, &table, NULL), TASKFIT_OK);
    size_t n_rows = 0;
    for (char *line = table.data; *line != '\0';) {
        char *end = line + strcspn(line, "\n");
        const bool last = *end == '\0';
        *end = '\0';
        if (*line != '#') {
            check_row(line, compact);
            n_rows++;
        }
        line = last ? end : end + 1;
    }
    assert_in_range(n_rows, 35, 1000);
}

static void the_answer_is_the_known_optimum(void **state) {
    (void)state;
    check_all(false);
}

static void so_it_is_by_the_aggregated_program_alone(void **state) {
    (void)state;
    check_all(true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_the_known_optimum),
        cmocka_unit_test(so_it_is_by_the_aggregated_program_alone),
    };
    return RUN_TESTS(tests);
}
