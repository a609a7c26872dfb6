/* Why no fleet leaves room for deployments or losses. */

#include <string.h>

#include "solve/explain.h"
#include "solve/explain_words.h"

/* The only AZ where the service may stand; SIZE_MAX: there are several. */
static size_t only_az(const taskfit_problem *problem, const taskfit_problem_service *service) {
    size_t only = SIZE_MAX;
    for (size_t o = 0; o < problem->n_offers; o++) {
        if (service->may_stand[o] && only != SIZE_MAX && problem->offers[o].az != only) {
            return SIZE_MAX;
        }
        only = service->may_stand[o] ? problem->offers[o].az : only;
    }
    return only;
}

bool taskfit_explain_no_second_az(const taskfit_problem *problem, taskfit_arena *arena, taskfit_reason *reason_out) {
    for (size_t s = 0; problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE && s < problem->n_services; s++) {
        const size_t az = only_az(problem, &problem->services[s]);
        if (az != SIZE_MAX) {
            const char *name = taskfit_explain_service_name(problem, s);
            *reason_out = (taskfit_reason){
                .resource = TASKFIT_LIMIT_SURVIVE,
                .service = name,
                .need = -1,
                .room = -1,
                .message = taskfit_arena_printf(arena,
                                                "'%s' may stand in %s only, so its tasks have nowhere to go when that "
                                                "availability zone is lost",
                                                name, problem->deployment->azs[az])};
            return true;
        }
    }
    return false;
}

taskfit_reason taskfit_explain_no_room(const taskfit_problem *problem, const int64_t *count, taskfit_arena *arena) {
    static const char *const lost[] = {[TASKFIT_SURVIVE_INSTANCE] = "what an instance held, when it is lost",
                                       [TASKFIT_SURVIVE_AVAILABILITY_ZONE] = "what an availability zone held, when it is lost"};
    const bool survive = problem->survive != TASKFIT_SURVIVE_NONE;
    const char *rolling = problem->rolling == TASKFIT_ROLLING_ALL_SERVICES ? "a deployment of all services at once"
                                                                           : "the deployment of each service";
    int64_t n = 0;
    for (size_t o = 0; o < problem->n_offers; o++) {
        n += count[o];
    }
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "the largest fleet that max and stock allow, ");
    taskfit_explain_add_instances(&text, n);
    taskfit_strbuf_printf(&text, ", has no room for %s", survive ? lost[problem->survive] : rolling);
    if (survive && problem->rolling != TASKFIT_ROLLING_NONE) {
        taskfit_strbuf_printf(&text, ", or for %s", rolling);
    }
    return (taskfit_reason){.resource = survive ? TASKFIT_LIMIT_SURVIVE : TASKFIT_LIMIT_ROLLING,
                            .need = -1,
                            .room = -1,
                            .message = taskfit_arena_strndup(arena, text.data, text.len)};
}
