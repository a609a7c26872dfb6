/*
 * Room for losses: each instance, or each AZ, is taken away in turn, and its tasks must find a place on the others, where
 * nothing moves.
 */

#include "problem/verify.h"

#include <string.h>

/* Machines like the one before them, with the same tasks, need not be lost twice. */
static bool as_before(const taskfit_judge *judge, size_t m) {
    if (m == 0) {
        return false;
    }
    const taskfit_judged_machine *a = &judge->machines[m - 1];
    const taskfit_judged_machine *b = &judge->machines[m];
    bool same = a->located && b->located && a->group == b->group && a->type == b->type && a->az == b->az &&
                a->n_tasks == b->n_tasks;
    for (size_t i = 0; i < a->n_tasks && same; i++) {
        same = a->tasks[i].service == b->tasks[i].service && a->tasks[i].count == b->tasks[i].count;
    }
    return same;
}

/* The machines that are marked have been taken from the room; their tasks are to be placed. */
static void judge_loss(taskfit_judge *judge, taskfit_judged_room *room, const bool *marked, const char *what) {
    const size_t n_services = judge->deployment->n_services;
    int64_t *extra = TASKFIT_ARRAY(judge->arena, n_services, int64_t);
    for (size_t m = 0; m < judge->n_machines; m++) {
        for (size_t i = 0; i < judge->machines[m].n_tasks && marked[m]; i++) {
            taskfit_judge_add(&extra[judge->machines[m].tasks[i].service], judge->machines[m].tasks[i].count, 1);
        }
    }
    size_t service = SIZE_MAX;
    switch (taskfit_judged_room_together(room, extra, &service)) {
    case TASKFIT_FOUND: break;
    case TASKFIT_NOT_THERE:
        taskfit_judge_tell(judge, "%s: when it is lost, its tasks%s%s find no room on the others (rule: surviveLoss)", what,
                           service == SIZE_MAX ? "" : " of ",
                           service == SIZE_MAX ? "" : judge->deployment->services[service].name);
        break;
    case TASKFIT_UNDECIDED: taskfit_judge_undecided(judge, what, "surviveLoss"); break;
    }
}

void taskfit_judge_survive(taskfit_judge *judge) {
    if (judge->survive_in_force == TASKFIT_SURVIVE_NONE) {
        return;
    }
    const bool by_az = judge->survive_in_force == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    taskfit_judged_room *room = taskfit_judged_room_new(judge);
    bool *marked = TASKFIT_ARRAY(judge->arena, judge->n_machines, bool);
    for (size_t lost = 0; lost < (by_az ? judge->deployment->n_azs : judge->n_machines); lost++) {
        if (!by_az && as_before(judge, lost)) {
            continue;
        }
        for (size_t m = 0; m < judge->n_machines; m++) {
            marked[m] = judge->machines[m].located && (by_az ? judge->machines[m].az == lost : m == lost);
            taskfit_judged_room_lose(room, m, marked[m]);
        }
        judge_loss(judge, room, marked, by_az ? judge->deployment->azs[lost] : judge->machines[lost].id);
    }
}
