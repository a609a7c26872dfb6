#include "brute_force.h"

#include <assert.h>
#include <string.h>

enum { MAX_MACHINES = 12, MAX_SERVICES = 16, MAX_AZS = 4, MAX_OFFERS = 32 };

typedef struct brute {
    const taskfit_problem *problem;
    size_t n_machines;
    size_t offer_of[MAX_MACHINES];
    int64_t on[MAX_SERVICES][MAX_MACHINES]; /* tasks of a service on a machine */
    int64_t come[MAX_SERVICES][MAX_MACHINES]; /* tasks that a deployment or a loss adds */
    bool lost[MAX_MACHINES];
    const taskfit_standing *standing; /* NULL: any placement will do; else the one that keeps most is looked for */
    size_t stands_as[MAX_MACHINES];   /* standing instance a machine is; SIZE_MAX: a new one */
    int64_t most_kept;                /* -1: none yet */
} brute;

static bool same_limit(int64_t most, int64_t least) {
    return most - least <= 1;
}

static bool az_spread_holds(const brute *b, size_t s) {
    const taskfit_problem_service *service = &b->problem->services[s];
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (size_t az = 0; az < b->problem->n_azs; az++) {
        bool eligible = false;
        int64_t tasks = 0;
        for (size_t o = 0; o < b->problem->n_offers; o++) {
            eligible = eligible || (b->problem->offers[o].az == az && service->may_stand[o]);
        }
        for (size_t m = 0; m < b->n_machines; m++) {
            tasks += b->problem->offers[b->offer_of[m]].az == az ? b->on[s][m] : 0;
        }
        if (eligible) {
            least = tasks < least ? tasks : least;
            most = tasks > most ? tasks : most;
        }
    }
    return same_limit(most, least);
}

static bool instance_spread_holds(const brute *b, size_t s) {
    const taskfit_problem_service *service = &b->problem->services[s];
    for (size_t m = 0; m < b->n_machines; m++) {
        for (size_t other = 0; other < m; other++) {
            const size_t o = b->offer_of[m];
            const size_t p = b->offer_of[other];
            const bool one_class =
                !service->spread_az_before_instance || b->problem->offers[o].az == b->problem->offers[p].az;
            const int64_t difference = b->on[s][m] - b->on[s][other];
            if (service->may_stand[o] && service->may_stand[p] && one_class && (difference > 1 || difference < -1)) {
                return false;
            }
        }
    }
    return true;
}

static bool machine_accepts(const brute *b, size_t s, size_t m) {
    const taskfit_problem_service *service = &b->problem->services[s];
    if (b->on[s][m] == 0) {
        return true;
    }
    if (!service->may_stand[b->offer_of[m]] || ((service->distinct_instance || service->n_ports > 0) && b->on[s][m] > 1)) {
        return false;
    }
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        int64_t used = 0;
        for (size_t other = 0; other <= s; other++) {
            used += b->on[other][m] * b->problem->services[other].demand[r];
        }
        if (used > b->problem->offers[b->offer_of[m]].capacity[r]) {
            return false;
        }
    }
    for (size_t other = 0; other < s; other++) {
        for (size_t i = 0; i < service->n_conflicts && b->on[other][m] > 0; i++) {
            if (service->conflicts[i] == other) {
                return false;
            }
        }
        for (size_t i = 0; i < service->n_ports && b->on[other][m] > 0; i++) {
            for (size_t k = 0; k < b->problem->services[other].n_ports; k++) {
                if (b->problem->services[other].ports[k] == service->ports[i]) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool service_holds(const brute *b, size_t s) {
    return (!b->problem->services[s].spread_az || az_spread_holds(b, s)) &&
           (!b->problem->services[s].spread_instance || instance_spread_holds(b, s));
}

/* ---- deployments and losses: tasks that come to a placement ---- */

static bool bears(const brute *b, size_t s, size_t other) {
    const taskfit_problem_service *service = &b->problem->services[s];
    if (s == other) {
        return !service->distinct_instance && service->n_ports == 0;
    }
    for (size_t i = 0; i < service->n_conflicts; i++) {
        if (service->conflicts[i] == other) {
            return false;
        }
    }
    for (size_t i = 0; i < service->n_ports; i++) {
        for (size_t k = 0; k < b->problem->services[other].n_ports; k++) {
            if (service->ports[i] == b->problem->services[other].ports[k]) {
                return false;
            }
        }
    }
    return true;
}

static bool one_more_fits(const brute *b, size_t s, size_t m) {
    const taskfit_problem_service *service = &b->problem->services[s];
    if (b->lost[m] || !service->may_stand[b->offer_of[m]]) {
        return false;
    }
    for (size_t other = 0; other < b->problem->n_services; other++) {
        if (b->on[other][m] + b->come[other][m] > 0 && !bears(b, s, other)) {
            return false;
        }
    }
    for (size_t r = 0; r <= TASKFIT_RESOURCE_PORTS; r++) {
        int64_t used = service->demand[r];
        for (size_t other = 0; other < b->problem->n_services; other++) {
            used += (b->on[other][m] + b->come[other][m]) * b->problem->services[other].demand[r];
        }
        if (used > b->problem->offers[b->offer_of[m]].ecs_capacity[r]) {
            return false;
        }
    }
    return true;
}

/* `left` tasks of service s on machines from m on, then those of the services behind it. */
static bool come(brute *b, const int64_t *extra, size_t s, size_t m, int64_t left) {
    if (left == 0) {
        return s + 1 == b->problem->n_services || come(b, extra, s + 1, 0, extra[s + 1]);
    }
    for (; m < b->n_machines; m++) {
        if (one_more_fits(b, s, m)) {
            b->come[s][m]++;
            const bool found = come(b, extra, s, m, left - 1);
            b->come[s][m]--;
            if (found) {
                return true;
            }
        }
    }
    return false;
}

static bool deployments_hold(brute *b) {
    const bool all = b->problem->rolling == TASKFIT_ROLLING_ALL_SERVICES;
    for (size_t s = 0; s < b->problem->n_services; s++) {
        int64_t extra[MAX_SERVICES] = {0};
        for (size_t other = 0; other < b->problem->n_services; other++) {
            extra[other] = all || other == s ? b->problem->services[other].deploy_tasks : 0;
        }
        if (!come(b, extra, 0, 0, extra[0])) {
            return false;
        }
    }
    return true;
}

static bool loss_holds(brute *b) {
    int64_t extra[MAX_SERVICES] = {0};
    for (size_t s = 0; s < b->problem->n_services; s++) {
        for (size_t m = 0; m < b->n_machines; m++) {
            extra[s] += b->lost[m] ? b->on[s][m] : 0;
        }
    }
    return come(b, extra, 0, 0, extra[0]);
}

static bool losses_hold(brute *b) {
    const bool by_az = b->problem->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    bool held = true;
    for (size_t lost = 0; lost < (by_az ? b->problem->n_azs : b->n_machines) && held; lost++) {
        for (size_t m = 0; m < b->n_machines; m++) {
            b->lost[m] = by_az ? b->problem->offers[b->offer_of[m]].az == lost : m == lost;
        }
        held = loss_holds(b);
    }
    memset(b->lost, 0, sizeof b->lost);
    return held;
}

static bool rooms_hold(brute *b) {
    return b->problem->n_services == 0 ||
           ((b->problem->rolling == TASKFIT_ROLLING_NONE || deployments_hold(b)) &&
            (b->problem->survive == TASKFIT_SURVIVE_NONE || losses_hold(b)));
}

/* ---- placements ---- */

/* Of two alike machines the first takes the larger list, service by service: each set of contents is tried once. */
static bool out_of_order(const brute *b, size_t s, size_t m, int64_t n) {
    if (m == 0 || b->offer_of[m] != b->offer_of[m - 1] || n <= b->on[s][m - 1]) {
        return false;
    }
    if (b->standing != NULL && (b->stands_as[m] != SIZE_MAX || b->stands_as[m - 1] != SIZE_MAX)) {
        return false;
    }
    for (size_t other = 0; other < s; other++) {
        if (b->on[other][m] != b->on[other][m - 1]) {
            return false;
        }
    }
    return true;
}

static int64_t kept(const brute *b) {
    int64_t sum = 0;
    for (size_t m = 0; m < b->n_machines; m++) {
        const taskfit_standing_instance *at = b->stands_as[m] == SIZE_MAX ? NULL : &b->standing->instances[b->stands_as[m]];
        for (size_t t = 0; at != NULL && t < at->n_tasks; t++) {
            const int64_t after = b->on[at->tasks[t].service][m];
            sum += after < at->tasks[t].count ? after : at->tasks[t].count;
        }
    }
    return sum;
}

/* All tasks are placed. True ends the search. */
static bool placed(brute *b) {
    if (b->standing == NULL) {
        return rooms_hold(b);
    }
    const int64_t n = kept(b);
    if (n > b->most_kept && rooms_hold(b)) {
        b->most_kept = n;
    }
    return false;
}

static bool place(brute *b, size_t s, size_t m, int64_t left) {
    if (s == b->problem->n_services) {
        return placed(b);
    }
    if (m == b->n_machines) {
        if (left > 0 || !service_holds(b, s)) {
            return false;
        }
        return s + 1 == b->problem->n_services ? placed(b) : place(b, s + 1, 0, b->problem->services[s + 1].replicas);
    }
    for (int64_t n = 0; n <= left && !out_of_order(b, s, m, n); n++) {
        b->on[s][m] = n;
        if (!machine_accepts(b, s, m)) {
            break;
        }
        if (place(b, s, m + 1, left - n)) {
            return true;
        }
    }
    b->on[s][m] = 0;
    return false;
}

bool brute_force_fits(const taskfit_problem *problem, const int64_t *count) {
    static brute b; /* large for a stack frame that recurses */
    memset(&b, 0, sizeof b);
    b.problem = problem;
    assert(problem->n_services <= MAX_SERVICES);
    for (size_t o = 0; o < problem->n_offers; o++) {
        for (int64_t i = 0; i < count[o]; i++) {
            assert(b.n_machines < MAX_MACHINES);
            b.offer_of[b.n_machines++] = o;
        }
    }
    return problem->n_services == 0 || place(&b, 0, 0, problem->services[0].replicas);
}

static bool fleet_allowed(const taskfit_problem *problem, const int64_t *count) {
    for (size_t g = 0; g < problem->n_groups; g++) {
        const taskfit_problem_group *group = &problem->groups[g];
        int64_t in_az[MAX_AZS] = {0};
        int64_t total = 0;
        size_t types_used = 0;
        for (size_t t = 0; t < group->n_types; t++) {
            int64_t of_type = 0;
            for (size_t k = 0; k < group->n_azs; k++) {
                of_type += count[group->first_offer + t * group->n_azs + k];
                in_az[k] += count[group->first_offer + t * group->n_azs + k];
            }
            types_used += of_type > 0 ? 1 : 0;
            total += of_type;
            if (group->stock[t] >= 0 && of_type > group->stock[t]) {
                return false;
            }
        }
        for (size_t k = 0; k < group->n_azs; k++) {
            for (size_t other = 0; other < k; other++) {
                if (in_az[k] - in_az[other] > 1 || in_az[other] - in_az[k] > 1) {
                    return false;
                }
            }
        }
        if (total < group->min_instances || total > group->max_instances || (!group->mixed && types_used > 1)) {
            return false;
        }
    }
    return true;
}

typedef struct fleets {
    const taskfit_problem *problem;
    bool cost_first;
    int64_t count[MAX_OFFERS];
    brute_answer best;
} fleets;

static bool worth_trying(const fleets *f, int64_t instances, int64_t cost) {
    if (f->best.instances < 0) {
        return true;
    }
    const int64_t first = f->cost_first ? cost - f->best.cost_usd_micros : instances - f->best.instances;
    const int64_t second = f->cost_first ? instances - f->best.instances : cost - f->best.cost_usd_micros;
    return first < 0 || (first == 0 && second < 0);
}

static void try_fleets(fleets *f, size_t offer, int64_t left, int64_t instances, int64_t cost) {
    if (offer == f->problem->n_offers) {
        if (fleet_allowed(f->problem, f->count) && worth_trying(f, instances, cost) &&
            brute_force_fits(f->problem, f->count)) {
            f->best = (brute_answer){.instances = instances, .cost_usd_micros = cost};
        }
        return;
    }
    for (int64_t n = 0; n <= left; n++) {
        f->count[offer] = n;
        try_fleets(f, offer + 1, left - n, instances + n, cost + n * f->problem->offers[offer].price_usd_micros);
    }
    f->count[offer] = 0;
}

brute_answer brute_force(const taskfit_problem *problem, int64_t max_instances, bool cost_first) {
    static fleets f;
    f = (fleets){.problem = problem, .cost_first = cost_first, .best = {.instances = -1, .cost_usd_micros = -1}};
    assert(problem->n_offers <= MAX_OFFERS && max_instances <= MAX_MACHINES);
    for (int64_t most = 0; most <= max_instances && (f.best.instances < 0 || cost_first); most++) {
        try_fleets(&f, 0, most, 0, 0);
    }
    return f.best;
}

/* ---- fewest moves ---- */

/* Every choice of which standing instances the machines from m on are. */
static void stand_as(brute *b, size_t m, uint64_t taken) {
    if (m == b->n_machines) {
        (void)(b->problem->n_services == 0 ? placed(b) : place(b, 0, 0, b->problem->services[0].replicas));
        return;
    }
    b->stands_as[m] = SIZE_MAX;
    stand_as(b, m + 1, taken);
    for (size_t i = 0; i < b->standing->n_instances; i++) {
        if (b->standing->instances[i].offer == b->offer_of[m] && (taken >> i & 1) == 0) {
            b->stands_as[m] = i;
            stand_as(b, m + 1, taken | UINT64_C(1) << i);
        }
    }
    b->stands_as[m] = SIZE_MAX;
}

static int64_t most_kept_on(const taskfit_problem *problem, const taskfit_standing *standing, const int64_t *count) {
    static brute b;
    memset(&b, 0, sizeof b);
    b.problem = problem;
    b.standing = standing;
    b.most_kept = -1;
    for (size_t o = 0; o < problem->n_offers; o++) {
        for (int64_t i = 0; i < count[o]; i++) {
            assert(b.n_machines < MAX_MACHINES);
            b.offer_of[b.n_machines++] = o;
        }
    }
    stand_as(&b, 0, 0);
    return b.most_kept;
}

static void try_moves(fleets *f, const taskfit_standing *standing, size_t offer, int64_t left, int64_t cost, int64_t max_cost) {
    if (offer == f->problem->n_offers) {
        if (left == 0 && (max_cost < 0 || cost <= max_cost) && fleet_allowed(f->problem, f->count)) {
            const int64_t most = most_kept_on(f->problem, standing, f->count);
            f->best.instances = most > f->best.instances ? most : f->best.instances;
        }
        return;
    }
    for (int64_t n = 0; n <= left; n++) {
        f->count[offer] = n;
        try_moves(f, standing, offer + 1, left - n, cost + n * f->problem->offers[offer].price_usd_micros, max_cost);
    }
    f->count[offer] = 0;
}

int64_t brute_force_most_kept(const taskfit_problem *problem, const taskfit_standing *standing, int64_t n_instances,
                              int64_t max_cost_usd_micros) {
    fleets f = {.problem = problem, .best = {.instances = -1}};
    assert(problem->n_offers <= MAX_OFFERS && n_instances <= MAX_MACHINES && standing->n_instances <= 64);
    try_moves(&f, standing, 0, n_instances, 0, max_cost_usd_micros);
    return f.best.instances;
}

static size_t offer_of_machine(const taskfit_problem *problem, const taskfit_machine *machine) {
    size_t o = 0;
    for (; o < problem->n_offers; o++) {
        const taskfit_offer *offer = &problem->offers[o];
        if (offer->group == machine->group && offer->type == machine->type && offer->az == machine->az) {
            break;
        }
    }
    return o;
}

bool brute_force_keeps_rules(const taskfit_problem *problem, const taskfit_fleet *fleet) {
    static brute b;
    memset(&b, 0, sizeof b);
    b.problem = problem;
    b.n_machines = fleet->n_machines;
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const taskfit_machine *machine = &fleet->machines[m];
        b.offer_of[m] = offer_of_machine(problem, machine);
        if (b.offer_of[m] == problem->n_offers) {
            return false;
        }
        for (size_t i = 0; i < machine->n_tasks; i++) {
            b.on[machine->tasks[i].service][m] += machine->tasks[i].count; /* services of builder problems are in order */
        }
    }
    for (size_t s = 0; s < problem->n_services; s++) {
        int64_t total = 0;
        for (size_t m = 0; m < b.n_machines; m++) {
            total += b.on[s][m];
            if (!machine_accepts(&b, s, m)) {
                return false;
            }
        }
        if (total != problem->services[s].replicas || !service_holds(&b, s)) {
            return false;
        }
    }
    return rooms_hold(&b);
}

bool brute_force_accepts(const taskfit_problem *problem, const taskfit_fleet *fleet) {
    int64_t count[MAX_OFFERS] = {0};
    for (size_t m = 0; m < fleet->n_machines; m++) {
        const size_t o = offer_of_machine(problem, &fleet->machines[m]);
        if (o == problem->n_offers) {
            return false;
        }
        count[o]++;
    }
    return fleet_allowed(problem, count) && brute_force_keeps_rules(problem, fleet);
}
