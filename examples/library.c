/*
 * taskfit as a library: reads a deployment, finds the fewest instances, prints what was found and writes the plan.
 *
 *     cc -o library examples/library.c -ltaskfit
 *     ./library examples/pcp1.yaml plan.json
 */

#include <stdio.h>
#include <stdlib.h>
#include <taskfit/taskfit.h>

/* Reads a whole file; NULL when that fails. The caller frees it. */
static char *read_file(const char *path, size_t *len_out) {
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t len = 0;
    size_t capacity = 0;
    while (file) {
        if (len == capacity) {
            capacity = capacity == 0 ? 4096 : capacity * 2;
            char *grown = realloc(data, capacity);
            if (!grown) {
                break;
            }
            data = grown;
        }
        const size_t got = fread(data + len, 1, capacity - len, file);
        len += got;
        if (got == 0) {
            const int failed = ferror(file);
            (void)fclose(file);
            *len_out = len;
            return failed ? (free(data), NULL) : data;
        }
    }
    free(data);
    if (file) {
        (void)fclose(file);
    }
    return NULL;
}

static void print_defect(void *arg, const char *text) {
    (void)arg;
    fprintf(stderr, "%s\n", text);
}

static int write_to_file(void *sink, const char *data, size_t len) {
    return fwrite(data, 1, len, sink) == len ? 0 : 1;
}

static int report(const taskfit_plan *plan, const char *path, taskfit_error *err) {
    switch (taskfit_plan_outcome(plan)) {
    case TASKFIT_OPTIMAL:
        printf("%lld instances, and no fewer hold it\n", (long long)taskfit_plan_instances(plan));
        break;
    case TASKFIT_FEASIBLE:
        printf("%lld instances; at least %lld are needed\n", (long long)taskfit_plan_instances(plan),
               (long long)taskfit_plan_lower_bound(plan));
        break;
    case TASKFIT_INFEASIBLE: printf("no fleet holds it\n"); break;
    case TASKFIT_UNKNOWN: printf("no plan found within the limits\n"); break;
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return 1;
    }
    const taskfit_status status = taskfit_plan_write(plan, TASKFIT_STYLE_JSON, false, write_to_file, file, err);
    if (fclose(file) != 0 || status != TASKFIT_OK) {
        fprintf(stderr, "%s: the plan could not be written\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s DEPLOYMENT PLAN.json\n", argv[0]);
        return 2;
    }
    size_t len = 0;
    char *data = read_file(argv[1], &len);
    if (!data) {
        perror(argv[1]);
        return 1;
    }
    taskfit_parse_options options;
    taskfit_settings settings;
    taskfit_parse_options_init(&options);
    taskfit_settings_init(&settings);
    options.diag = print_defect; /* every defect of the file, not only the first */
    settings.time_limit_ms = 10000;

    taskfit_error err = {.status = TASKFIT_OK};
    taskfit_deployment *deployment = NULL;
    taskfit_plan *plan = NULL;
    int result = 1;
    if (taskfit_deployment_parse(argv[1], data, len, &options, &deployment, &err) == TASKFIT_OK &&
        taskfit_size(deployment, &settings, &plan, &err) == TASKFIT_OK) {
        result = report(plan, argv[2], &err);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    taskfit_plan_free(plan); /* before the deployment, which it speaks of */
    taskfit_deployment_free(deployment);
    free(data);
    return result;
}
