#include "solve/room.h"

#include <assert.h>
#include <string.h>

#include "solve/glpk_build.h"

/*
 * The placement x[s,j] of service s on instance j together with, for every case w (a deployment or a loss), the tasks
 * e[w,s,j] that come to the instances which are left then:
 *     sum_s demand[s,r] x[s,j] <= capacity[j,r]                                    all j, resources r
 *     sum_s demand[s,r] (x[s,j] + e[w,s,j]) <= ecs_capacity[j,r]                   all w, j not lost in w, r
 *     sum_j e[w,s,j] = deploy_tasks[s]     or     sum over lost j of x[s,j]        all w, s
 *     sum_j x[s,j] = replicas[s], AZ windows, bounds of spread by instance         as in compact.c
 *     x[s,j] + e[w,s,j] <= 1 for a single service; <= 1 over the services of a host port
 *     conflicts by presence columns, which stand for x + e
 * Services are kept apart, so that no rule is lost in merging. A feasible point is a plan with its proof.
 */

typedef struct exact {
    const taskfit_problem *problem;
    const taskfit_decision *d;   /* with services apart: profile p is service service_of[p] */
    taskfit_arena *arena;
    taskfit_program *program;
    size_t n_machines;
    size_t *offer_of;            /* [n_machines] */
    const taskfit_kind **kind_of; /* [n_machines] */
    size_t *profile_of;          /* [n_services] */
    size_t *x, *e;               /* [n_services][n_machines] columns; SIZE_MAX: none */
    int64_t *e_high;             /* [n_services] of the case */
    bool *lost;                  /* [n_machines] in the case */
} exact;

static bool single(const taskfit_problem_service *service) {
    return service->distinct_instance || service->n_ports > 0;
}

static size_t cell(const exact *m, size_t s, size_t j) {
    return s * m->n_machines + j;
}

static void entry(exact *m, size_t row, size_t column, int64_t value) {
    if (column != SIZE_MAX) {
        taskfit_program_entry(m->program, row, column, value);
    }
}

static void list_machines(exact *m, const int64_t *count) {
    size_t n = 0;
    m->offer_of = TASKFIT_ARRAY(m->arena, m->n_machines, size_t);
    m->kind_of = TASKFIT_ARRAY(m->arena, m->n_machines, const taskfit_kind *);
    for (size_t o = 0; o < m->problem->n_offers; o++) {
        for (int64_t i = 0; i < count[o]; i++, n++) {
            m->offer_of[n] = o;
            m->kind_of[n] = &m->d->kinds[m->d->offer_kind[o]];
        }
    }
    assert(n == m->n_machines);
}

/* ---- rows for the placement, or for a case with its columns e ---- */

/* Whether a task of the service may come to the instance in this case. */
static bool may_come(const exact *m, size_t s, size_t j) {
    return m->e[cell(m, s, j)] != SIZE_MAX;
}

static bool any_may_come(const exact *m, size_t j) {
    size_t s = 0;
    while (s < m->problem->n_services && !may_come(m, s, j)) {
        s++;
    }
    return s < m->problem->n_services;
}

static void add_capacity(exact *m, size_t j, bool with_e) {
    const taskfit_offer *offer = &m->problem->offers[m->offer_of[j]];
    const int64_t *capacity = with_e ? offer->ecs_capacity : offer->capacity;
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (capacity[r] >= TASKFIT_UNLIMITED) {
            continue;
        }
        const size_t row = taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, capacity[r], NULL);
        for (size_t s = 0; s < m->problem->n_services; s++) {
            const int64_t demand = m->problem->services[s].demand[r];
            entry(m, row, m->x[cell(m, s, j)], demand);
            if (with_e && r <= TASKFIT_RESOURCE_PORTS) {
                entry(m, row, m->e[cell(m, s, j)], demand);
            }
        }
    }
}

static bool has_port(const taskfit_problem_service *service, size_t port) {
    for (size_t i = 0; i < service->n_ports; i++) {
        if (service->ports[i] == port) {
            return true;
        }
    }
    return false;
}

static void add_ports(exact *m, size_t j, bool with_e) {
    for (size_t port = 0; port < m->problem->n_ports; port++) {
        size_t row = SIZE_MAX;
        bool asked = !with_e;
        for (size_t s = 0; s < m->problem->n_services && !asked; s++) {
            asked = may_come(m, s, j) && has_port(&m->problem->services[s], port);
        }
        if (!asked) {
            continue;
        }
        for (size_t s = 0; s < m->problem->n_services; s++) {
            if (!has_port(&m->problem->services[s], port)) {
                continue;
            }
            row = row == SIZE_MAX ? taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, 1, NULL) : row;
            entry(m, row, m->x[cell(m, s, j)], 1);
            if (with_e) {
                entry(m, row, m->e[cell(m, s, j)], 1);
            }
        }
    }
}

static void add_singles(exact *m, size_t j, bool with_e) {
    for (size_t s = 0; s < m->problem->n_services; s++) {
        if (single(&m->problem->services[s]) && (!with_e || may_come(m, s, j))) {
            const size_t row = taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, 1, NULL);
            entry(m, row, m->x[cell(m, s, j)], 1);
            if (with_e) {
                entry(m, row, m->e[cell(m, s, j)], 1);
            }
        }
    }
}

static size_t presence(exact *m, size_t *y, size_t s, size_t j, bool with_e) {
    if (y[s] == SIZE_MAX) {
        const int64_t high = m->problem->services[s].replicas + (with_e ? m->e_high[s] : 0);
        y[s] = taskfit_program_column(m->program, 0, 1, 0, NULL);
        const size_t row = taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, 0, NULL);
        entry(m, row, m->x[cell(m, s, j)], 1);
        if (with_e) {
            entry(m, row, m->e[cell(m, s, j)], 1);
        }
        taskfit_program_entry(m->program, row, y[s], -high);
    }
    return y[s];
}

static void add_conflicts(exact *m, size_t j, bool with_e) {
    size_t *y = TASKFIT_ARRAY(m->arena, m->problem->n_services, size_t);
    for (size_t s = 0; s < m->problem->n_services; s++) {
        y[s] = SIZE_MAX;
    }
    for (size_t s = 0; s < m->problem->n_services; s++) {
        const taskfit_problem_service *service = &m->problem->services[s];
        for (size_t i = 0; i < service->n_conflicts; i++) {
            const size_t other = service->conflicts[i];
            if (other > s && (!with_e || may_come(m, s, j) || may_come(m, other, j))) {
                const size_t row = taskfit_program_row(m->program, TASKFIT_PROGRAM_NONE, 1, NULL);
                taskfit_program_entry(m->program, row, presence(m, y, s, j, with_e), 1);
                taskfit_program_entry(m->program, row, presence(m, y, other, j, with_e), 1);
            }
        }
    }
}

static void add_machine_rules(exact *m, size_t j, bool with_e) {
    add_capacity(m, j, with_e);
    add_ports(m, j, with_e);
    add_singles(m, j, with_e);
    add_conflicts(m, j, with_e);
}

/* ---- the placement ---- */

static void add_placement(exact *m) {
    for (size_t s = 0; s < m->problem->n_services; s++) {
        const size_t p = m->profile_of[s];
        const taskfit_profile *profile = &m->d->profiles[p];
        const size_t row = taskfit_program_row(m->program, profile->tasks, profile->tasks, NULL);
        for (size_t j = 0; j < m->n_machines; j++) {
            const taskfit_kind *kind = m->kind_of[j];
            size_t *column = &m->x[cell(m, s, j)];
            *column = kind->high[p] == 0 ? SIZE_MAX : taskfit_program_column(m->program, kind->low[p], kind->high[p], 0, NULL);
            entry(m, row, *column, 1);
        }
        for (size_t zone = 0; zone < m->d->n_zones && profile->spread_az; zone++) {
            const size_t window = taskfit_program_row(m->program, profile->zone_low[zone], profile->zone_high[zone], NULL);
            for (size_t j = 0; j < m->n_machines; j++) {
                if (m->kind_of[j]->zone == zone) {
                    entry(m, window, m->x[cell(m, s, j)], 1);
                }
            }
        }
    }
    for (size_t j = 0; j < m->n_machines; j++) {
        add_machine_rules(m, j, false);
    }
}

/* Alike instances in the order of their memory, so that their permutations are searched once. */
static void add_order(exact *m) {
    for (size_t j = 1; j < m->n_machines; j++) {
        if (m->offer_of[j] == m->offer_of[j - 1]) {
            const size_t row = taskfit_program_row(m->program, 0, TASKFIT_PROGRAM_NONE, NULL);
            for (size_t s = 0; s < m->problem->n_services; s++) {
                const int64_t memory_mib = m->problem->services[s].demand[TASKFIT_RESOURCE_MEMORY];
                entry(m, row, m->x[cell(m, s, j - 1)], memory_mib);
                entry(m, row, m->x[cell(m, s, j)], -memory_mib);
            }
        }
    }
}

/* ---- cases ---- */

/* The most tasks of a service that can come to an instance. */
static int64_t most_on(const exact *m, size_t s, size_t j) {
    const taskfit_problem_service *service = &m->problem->services[s];
    const taskfit_offer *offer = &m->problem->offers[m->offer_of[j]];
    if (m->lost[j] || !service->may_stand[m->offer_of[j]]) {
        return 0;
    }
    int64_t most = single(service) && m->e_high[s] > 1 ? 1 : m->e_high[s];
    for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
        const int64_t fit = service->demand[r] > 0 ? offer->ecs_capacity[r] / service->demand[r] : most;
        most = fit < most ? fit : most;
    }
    return most;
}

/* One case: e_high[s] tasks of each service come, or (loss) as many as the lost instances hold. */
static void add_case(exact *m, bool loss) {
    for (size_t s = 0; s < m->problem->n_services; s++) {
        const size_t row = taskfit_program_row(m->program, loss ? 0 : m->e_high[s], loss ? 0 : m->e_high[s], NULL);
        for (size_t j = 0; j < m->n_machines; j++) {
            const int64_t high = most_on(m, s, j);
            size_t *column = &m->e[cell(m, s, j)];
            *column = high <= 0 ? SIZE_MAX : taskfit_program_column(m->program, 0, high, 0, NULL);
            entry(m, row, *column, 1);
            if (loss && m->lost[j]) {
                entry(m, row, m->x[cell(m, s, j)], -1);
            }
        }
    }
    for (size_t j = 0; j < m->n_machines; j++) {
        if (!m->lost[j] && any_may_come(m, j)) {
            add_machine_rules(m, j, true);
        }
    }
}

static void add_deployments(exact *m) {
    const size_t n_services = m->problem->n_services;
    const bool all = m->problem->rolling == TASKFIT_ROLLING_ALL_SERVICES;
    for (size_t s = 0; s < n_services; s++) {
        if (m->problem->services[s].deploy_tasks == 0) {
            continue;
        }
        memset(m->e_high, 0, n_services * sizeof *m->e_high);
        for (size_t other = 0; other < n_services; other++) {
            m->e_high[other] = all || other == s ? m->problem->services[other].deploy_tasks : 0;
        }
        add_case(m, false);
        if (all) {
            break;
        }
    }
}

static void add_losses(exact *m) {
    const bool by_az = m->problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    for (size_t s = 0; s < m->problem->n_services; s++) {
        m->e_high[s] = m->problem->services[s].replicas;
    }
    for (size_t lost = 0; lost < (by_az ? m->problem->n_azs : m->n_machines); lost++) {
        bool any = false;
        for (size_t j = 0; j < m->n_machines; j++) {
            m->lost[j] = by_az ? m->problem->offers[m->offer_of[j]].az == lost : j == lost;
            any = any || m->lost[j];
        }
        if (any) {
            add_case(m, true);
        }
    }
}

/* ---- the whole ---- */

static size_t n_cases(const taskfit_problem *problem, size_t n_machines) {
    size_t n = 1;
    if (problem->rolling == TASKFIT_ROLLING_ONE_SERVICE) {
        n += 1; /* each has columns for its service only */
    } else if (problem->rolling == TASKFIT_ROLLING_ALL_SERVICES) {
        n += 1;
    }
    if (problem->survive == TASKFIT_SURVIVE_INSTANCE) {
        n += n_machines;
    } else if (problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE) {
        n += problem->n_azs;
    }
    return n;
}

static taskfit_fleet *read_fleet(const exact *m, const int64_t *values, taskfit_arena *arena) {
    taskfit_fleet *fleet = TASKFIT_NEW(arena, taskfit_fleet);
    fleet->n_machines = m->n_machines;
    fleet->machines = TASKFIT_ARRAY(arena, m->n_machines, taskfit_machine);
    for (size_t j = 0; j < m->n_machines; j++) {
        const taskfit_offer *offer = &m->problem->offers[m->offer_of[j]];
        taskfit_machine *machine = &fleet->machines[j];
        *machine = (taskfit_machine){.group = offer->group, .type = offer->type, .az = offer->az};
        machine->tasks = TASKFIT_ARRAY(arena, m->problem->n_services, taskfit_machine_task);
        for (size_t s = 0; s < m->problem->n_services; s++) {
            const size_t column = m->x[cell(m, s, j)];
            if (column != SIZE_MAX && values[column] > 0) {
                machine->tasks[machine->n_tasks++] =
                    (taskfit_machine_task){.service = m->problem->services[s].service, .count = values[column]};
            }
        }
    }
    taskfit_fleet_canonicalize(fleet);
    return fleet;
}

static void build(exact *m, const int64_t *count) {
    const size_t n_services = m->problem->n_services;
    list_machines(m, count);
    m->profile_of = TASKFIT_ARRAY(m->arena, n_services, size_t);
    for (size_t p = 0; p < m->d->n_profiles; p++) {
        assert(m->d->profiles[p].n_services == 1);
        m->profile_of[m->d->profiles[p].services[0]] = p;
    }
    m->x = TASKFIT_ARRAY(m->arena, n_services * m->n_machines, size_t);
    m->e = TASKFIT_ARRAY(m->arena, n_services * m->n_machines, size_t);
    m->e_high = TASKFIT_ARRAY(m->arena, n_services, int64_t);
    m->lost = TASKFIT_ARRAY(m->arena, m->n_machines, bool);
    add_placement(m);
    add_order(m);
    if (m->problem->rolling != TASKFIT_ROLLING_NONE) {
        add_deployments(m);
    }
    if (m->problem->survive != TASKFIT_SURVIVE_NONE) {
        add_losses(m);
    }
}

taskfit_answer taskfit_room_exact(const taskfit_problem *problem, const int64_t *count, size_t max_columns,
                                  taskfit_budget *budget, taskfit_arena *arena, taskfit_fleet **fleet_out) {
    taskfit_answer answer = {.verdict = TASKFIT_VERDICT_OPEN, .proof = TASKFIT_PROOF_NONE, .stage = "program"};
    taskfit_arena *scratch = taskfit_arena_new();
    taskfit_problem *apart = TASKFIT_NEW(scratch, taskfit_problem);
    *apart = *problem;
    size_t *classes = TASKFIT_ARRAY(scratch, problem->n_services, size_t);
    for (size_t s = 0; s < problem->n_services; s++) {
        classes[s] = s;
    }
    apart->classes = classes;
    exact m = {.problem = problem, .arena = scratch, .program = taskfit_program_new(scratch)};
    for (size_t o = 0; o < problem->n_offers; o++) {
        m.n_machines += (size_t)count[o];
    }
    if (problem->n_services * m.n_machines * n_cases(problem, m.n_machines) > max_columns) {
        taskfit_arena_free(scratch);
        return answer;
    }
    m.d = taskfit_decision_new(scratch, apart, count);
    if (m.d->impossible) {
        taskfit_arena_free(scratch);
        return (taskfit_answer){.verdict = TASKFIT_VERDICT_REFUTED, .proof = TASKFIT_PROOF_EXACT, .stage = "windows"};
    }
    build(&m, count);
    taskfit_program_result result;
    if (taskfit_program_solve(m.program, budget, scratch, &result, NULL) == TASKFIT_OK) {
        if (result.outcome == TASKFIT_INFEASIBLE) {
            answer.verdict = TASKFIT_VERDICT_REFUTED;
            answer.proof = TASKFIT_PROOF_SOLVER;
        } else if (result.outcome == TASKFIT_OPTIMAL || result.outcome == TASKFIT_FEASIBLE) {
            taskfit_fleet *fleet = read_fleet(&m, result.values, arena);
            const taskfit_verdict holds = taskfit_room_check(problem, fleet, budget);
            *fleet_out = holds == TASKFIT_VERDICT_FITS ? fleet : NULL;
            answer.verdict = holds == TASKFIT_VERDICT_FITS ? TASKFIT_VERDICT_FITS : TASKFIT_VERDICT_OPEN;
        }
    }
    taskfit_arena_free(scratch);
    return answer;
}
