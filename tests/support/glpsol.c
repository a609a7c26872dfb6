#include "glpsol.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

static int64_t read_optimum(FILE *output, const char *options, const char *text) {
    double objective = 0;
    bool solved = false;
    bool infeasible = false;
    char line[256];
    while (fgets(line, sizeof line, output)) {
        solved = solved || (strncmp(line, "Status:", 7) == 0 && strstr(line, " OPTIMAL") != NULL);
        infeasible = infeasible || strstr(line, "HAS NO PRIMAL FEASIBLE") || strstr(line, "HAS NO INTEGER FEASIBLE") ||
                     strstr(line, "HAS NO FEASIBLE");
        const char *equals = strncmp(line, "Objective:", 10) == 0 ? strchr(line, '=') : NULL;
        objective = equals ? strtod(equals + 1, NULL) : objective;
    }
    if (!solved && !infeasible) {
        fail_msg("glpsol %s did not solve\n%s", options, text);
    }
    return infeasible ? GLPSOL_INFEASIBLE : llround(objective * 1000000);
}

int64_t glpsol_run(const char *options, const char *text) {
    char path[] = "/tmp/taskfit-model-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file) {
        fail_msg("no temporary file");
        return 0;
    }
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    char line[256];
    snprintf(line, sizeof line, "glpsol --tmlim 120 -o %s.out %s %s 2>&1; cat %s.out; rm -f %s.out", path, options, path, path, path);
    FILE *output = popen(line, "r");
    assert_non_null(output);
    const int64_t optimum = read_optimum(output, options, text);
    (void)pclose(output);
    unlink(path);
    return optimum;
}
