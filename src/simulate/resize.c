#include "simulate/resize.h"

#include <assert.h>

static int64_t machines_of(const taskfit_fleet *fleet, size_t group) {
    int64_t n = 0;
    for (size_t m = 0; m < fleet->n_machines; m++) {
        n += fleet->machines[m].group == group;
    }
    return n;
}

size_t taskfit_fleet_type_of(const taskfit_fleet *fleet, size_t group, int64_t k) {
    const int64_t n = machines_of(fleet, group);
    int64_t seen = 0;
    for (size_t m = 0; n > 0 && m < fleet->n_machines; m++) {
        if (fleet->machines[m].group == group && seen++ == k % n) {
            return fleet->machines[m].type;
        }
    }
    return 0;
}

taskfit_fleet *taskfit_fleet_resize(const taskfit_deployment *deployment, const taskfit_fleet *fleet, const taskfit_counts *counts,
                                    taskfit_arena *arena) {
    assert(counts->total < 0 || deployment->n_groups == 1);
    int64_t n_machines = 0;
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const int64_t wanted = counts->total >= 0 ? counts->total : counts->groups[g];
        n_machines += wanted >= 0 ? wanted : machines_of(fleet, g);
    }
    taskfit_fleet *sized = TASKFIT_NEW(arena, taskfit_fleet);
    sized->machines = TASKFIT_ARRAY(arena, (size_t)n_machines, taskfit_machine);
    for (size_t g = 0; g < deployment->n_groups; g++) {
        const taskfit_instance_group *group = &deployment->groups[g];
        const int64_t wanted = counts->total >= 0 ? counts->total : counts->groups[g];
        for (int64_t k = 0; k < wanted; k++) {
            sized->machines[sized->n_machines++] =
                (taskfit_machine){.group = g, .type = taskfit_fleet_type_of(fleet, g, k), .az = group->azs[(size_t)k % group->n_azs]};
        }
        for (size_t m = 0; wanted < 0 && m < fleet->n_machines; m++) {
            if (fleet->machines[m].group == g) {
                const taskfit_machine *from = &fleet->machines[m];
                sized->machines[sized->n_machines++] = (taskfit_machine){.group = g, .type = from->type, .az = from->az};
            }
        }
    }
    taskfit_fleet_canonicalize(sized);
    return sized;
}
