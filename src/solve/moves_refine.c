#include "solve/moves_refine.h"

#include "base/int64.h"

typedef struct refinement {
    const taskfit_moves_board *coarse, *fine;
    size_t *coarse_of, *fine_of; /* [n_services] profiles */
    int64_t **low;               /* [n_stands] of [n_profiles], fine */
    int64_t *total;              /* [n_services] tasks that stay */
    int64_t *in_zone;            /* [n_services][n_zones] of them */
    int64_t n_kept;
} refinement;

static size_t *profiles_of(const taskfit_decision *d, taskfit_arena *arena) {
    size_t *profile_of = TASKFIT_ARRAY(arena, d->problem->n_services, size_t);
    for (size_t p = 0; p < d->n_profiles; p++) {
        for (int64_t s = 0; s < d->profiles[p].n_services; s++) {
            profile_of[d->profiles[p].services[s]] = p;
        }
    }
    return profile_of;
}

/* Lets up to n tasks of the service stay on the stand, as its replicas and its window in the AZ allow; returns how many. */
static int64_t keep(refinement *r, size_t stand, size_t service, int64_t n) {
    const taskfit_decision *d = r->fine->decision;
    const size_t p = r->fine_of[service];
    const taskfit_profile *profile = &d->profiles[p];
    const size_t zone = r->fine->stands[stand].zone;
    int64_t *in_zone = &r->in_zone[service * d->n_zones + zone];
    const int64_t most_in_zone = profile->spread_az ? profile->zone_high[zone] / profile->n_services : profile->replicas;
    n = min64(n, min64(most_in_zone - *in_zone, profile->replicas - r->total[service]));
    n = min64(n, r->fine->stands[stand].before[p] - r->low[stand][p]);
    if (n <= 0) {
        return 0;
    }
    r->low[stand][p] += n;
    r->total[service] += n;
    r->n_kept += n;
    *in_zone += n;
    return n;
}

static void refine_stand(refinement *r, const taskfit_moves_machine *machine, size_t j, size_t n_machines, const int64_t *dealt,
                         taskfit_arena *scratch) {
    const size_t i = machine->stand;
    const taskfit_standing_instance *at = &r->fine->standing->instances[r->fine->stands[i].standing];
    int64_t *lacking = TASKFIT_ARRAY(scratch, r->coarse->decision->n_profiles, int64_t);
    int64_t *kept = TASKFIT_ARRAY(scratch, at->n_tasks, int64_t);
    for (size_t p = 0; p < r->coarse->decision->n_profiles; p++) {
        lacking[p] = min64(machine->tasks[p], r->coarse->stands[i].before[p]);
    }
    for (int round = 0; round < 2; round++) {
        for (size_t t = 0; t < at->n_tasks; t++) {
            const size_t service = at->tasks[t].service;
            int64_t *left = &lacking[r->coarse_of[service]];
            const int64_t n = min64(at->tasks[t].count - kept[t], round == 0 ? dealt[service * n_machines + j] : *left);
            const int64_t more = keep(r, i, service, n);
            kept[t] += more;
            *left -= more;
        }
    }
}

int64_t taskfit_moves_refine(const taskfit_moves_board *coarse, const taskfit_moves_board *fine,
                             const taskfit_moves_machine *machines, size_t n_machines, const int64_t *dealt,
                             const int64_t **lows_out, taskfit_arena *arena) {
    const size_t n_services = fine->problem->n_services;
    refinement r = {.coarse = coarse,
                    .fine = fine,
                    .coarse_of = profiles_of(coarse->decision, arena),
                    .fine_of = profiles_of(fine->decision, arena),
                    .low = TASKFIT_ARRAY(arena, fine->n_stands, int64_t *),
                    .total = TASKFIT_ARRAY(arena, n_services, int64_t),
                    .in_zone = TASKFIT_ARRAY(arena, n_services * fine->decision->n_zones, int64_t)};
    for (size_t j = 0; j < n_machines; j++) {
        if (machines[j].stand != SIZE_MAX) {
            r.low[machines[j].stand] = TASKFIT_ARRAY(arena, fine->decision->n_profiles, int64_t);
            refine_stand(&r, &machines[j], j, n_machines, dealt, arena);
        }
    }
    for (size_t i = 0; i < fine->n_stands; i++) {
        lows_out[i] = r.low[i];
    }
    return r.n_kept;
}
