#include "problem/certificate_worth.h"

#include "base/int64.h"

/*
 * What all tasks are worth at least, and how many of a service may stand where. Cases differ in three things: how many tasks
 * there are, whether spread binds them, and what capacity is meant.
 */

static bool is_loss(const taskfit_cert_cut *cut) {
    return cut->of == TASKFIT_CERT_LOSES_INSTANCE || cut->of == TASKFIT_CERT_LOSES_AZ;
}

int64_t taskfit_cert_next_tasks(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut) {
    const bool counted = cut->of == TASKFIT_CERT_DEPLOYS_ALL || (cut->of == TASKFIT_CERT_DEPLOYS && s == cut->service);
    return counted ? rules->services[s].deploy_tasks : 0;
}

bool taskfit_cert_case_asked(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut) {
    switch (cut->of) {
    case TASKFIT_CERT_TASKS: return true;
    case TASKFIT_CERT_DEPLOYS:
    case TASKFIT_CERT_HOSTS: return rules->services[cut->service].deploy_tasks > 0;
    case TASKFIT_CERT_DEPLOYS_ALL: return rules->rolling == TASKFIT_ROLLING_ALL_SERVICES;
    case TASKFIT_CERT_LOSES_INSTANCE: return rules->survive == TASKFIT_SURVIVE_INSTANCE;
    case TASKFIT_CERT_LOSES_AZ: return rules->survive == TASKFIT_SURVIVE_AVAILABILITY_ZONE;
    case TASKFIT_CERT_CASES: break;
    }
    return false;
}

const int64_t *taskfit_cert_capacity(const taskfit_cert_rules *rules, size_t o, const taskfit_cert_cut *cut) {
    const bool limits = cut->of == TASKFIT_CERT_TASKS || cut->of == TASKFIT_CERT_HOSTS;
    return limits ? rules->offers[o].capacity : rules->offers[o].bare;
}

static int64_t low_of(const taskfit_cert_service *service, size_t az, const taskfit_cert_cut *cut) {
    return is_loss(cut) ? 0 : service->low[az];
}

static int64_t high_of(const taskfit_cert_service *service, size_t az, const taskfit_cert_cut *cut) {
    return is_loss(cut) && service->high[az] > 0 ? service->replicas : service->high[az];
}

static bool overfull(const int64_t *capacity) {
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (capacity[r] < 0) {
            return true;
        }
    }
    return false;
}

/* Spread over the instances of one fleet binds tasks unless some of it is lost. */
static bool spread_on_fleet(const taskfit_cert_service *service, const taskfit_cert_cut *cut) {
    return cut->fleet != NULL && service->spread_instance && !is_loss(cut);
}

/* Instances of the fleet in the class of the AZ where the service's tasks are spread. */
static int64_t class_size(const taskfit_cert_rules *rules, const taskfit_cert_service *service, const taskfit_cert_cut *cut, size_t az) {
    int64_t n = 0;
    for (size_t o = 0; o < rules->n_offers; o++) {
        n += service->may_stand[o] && (!service->spread_az || rules->offers[o].az == az) ? cut->fleet[o] : 0;
    }
    return n;
}

static int64_t fitting(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut, int64_t most) {
    const taskfit_cert_service *service = &rules->services[s];
    const int64_t *capacity = taskfit_cert_capacity(rules, o, cut);
    if (!service->may_stand[o] || overfull(capacity)) {
        return 0;
    }
    for (size_t r = 0; r < TASKFIT_RESOURCE_COUNT; r++) {
        if (service->demand.amount[r] > 0) {
            most = min64(most, capacity[r] / service->demand.amount[r]);
        }
    }
    return service->single ? min64(1, most) : most;
}

int64_t taskfit_cert_most_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    const taskfit_cert_service *service = &rules->services[s];
    const size_t az = rules->offers[o].az;
    const int64_t n = spread_on_fleet(service, cut) ? class_size(rules, service, cut, az) : 0;
    const int64_t spread = n > 0 ? (service->high[az] + n - 1) / n : INT64_MAX;
    return fitting(rules, s, o, cut, min64(high_of(service, az, cut), spread));
}

int64_t taskfit_cert_next_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    const int64_t n = taskfit_cert_next_tasks(rules, s, cut);
    return n > 0 ? fitting(rules, s, o, cut, n) : 0;
}

/* ---- windows ---- */

/* With a fleet, narrowed by the places that it has. */
static int64_t high_in_az(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, size_t az) {
    int64_t places = cut->fleet == NULL ? INT64_MAX : 0;
    for (size_t o = 0; o < rules->n_offers && cut->fleet != NULL; o++) {
        places += rules->offers[o].az == az && cut->fleet[o] > 0 ? cut->fleet[o] * taskfit_cert_most_on(rules, s, o, cut) : 0;
    }
    return min64(high_of(&rules->services[s], az, cut), places);
}

/* What the other AZs cannot take must stand here. */
static int64_t low_in_az(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, size_t az) {
    int64_t elsewhere = 0;
    for (size_t other = 0; other < rules->n_azs; other++) {
        elsewhere += other != az ? high_in_az(rules, s, cut, other) : 0;
    }
    return max64(low_of(&rules->services[s], az, cut), rules->services[s].replicas - elsewhere);
}

void taskfit_cert_windows(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, int64_t *low, int64_t *high) {
    int64_t all_high = 0;
    for (size_t az = 0; az < rules->n_azs; az++) {
        high[az] = high_in_az(rules, s, cut, az);
        all_high += high[az];
    }
    for (size_t az = 0; az < rules->n_azs; az++) {
        low[az] = max64(low_of(&rules->services[s], az, cut), rules->services[s].replicas - (all_high - high[az]));
    }
}

int64_t taskfit_cert_least_on(const taskfit_cert_rules *rules, size_t s, size_t o, const taskfit_cert_cut *cut) {
    const taskfit_cert_service *service = &rules->services[s];
    const size_t az = rules->offers[o].az;
    if (!spread_on_fleet(service, cut) || cut->fleet[o] == 0 || !service->may_stand[o]) {
        return 0;
    }
    return (service->spread_az ? low_in_az(rules, s, cut, az) : service->replicas) / class_size(rules, service, cut, az);
}

/* ---- W ---- */

/* Where a service's next tasks are cheapest: spread does not bind them. */
static int64_t next_worth(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut) {
    const int64_t *price = cut->next != NULL ? cut->next : cut->price;
    const int64_t n = taskfit_cert_next_tasks(rules, s, cut);
    int64_t least = INT64_MAX;
    for (size_t o = 0; o < rules->n_offers && n > 0; o++) {
        least = rules->services[s].may_stand[o] ? min64(least, price[s * rules->n_azs + rules->offers[o].az]) : least;
    }
    return least == INT64_MAX ? 0 : least * n;
}

int64_t taskfit_cert_least_worth(const taskfit_cert_rules *rules, int64_t n_tasks, const int64_t *price, const int64_t *low,
                                 int64_t *high) {
    int64_t left = n_tasks;
    int64_t worth = 0;
    for (size_t az = 0; az < rules->n_azs; az++) {
        left -= low[az];
        worth += low[az] * price[az];
        high[az] -= low[az];
    }
    while (left > 0) {
        size_t cheapest = SIZE_MAX;
        for (size_t az = 0; az < rules->n_azs; az++) {
            cheapest = high[az] > 0 && (cheapest == SIZE_MAX || price[az] < price[cheapest]) ? az : cheapest;
        }
        if (cheapest == SIZE_MAX) {
            break; /* they stand nowhere: whatever is left counts nothing */
        }
        const int64_t n = min64(left, high[cheapest]);
        worth += n * price[cheapest];
        high[cheapest] -= n;
        left -= n;
    }
    return worth;
}

int64_t taskfit_cert_service_worth(const taskfit_cert_rules *rules, size_t s, const taskfit_cert_cut *cut, int64_t *low, int64_t *high) {
    taskfit_cert_windows(rules, s, cut, low, high);
    return taskfit_cert_least_worth(rules, rules->services[s].replicas, cut->price + s * rules->n_azs, low, high) +
           next_worth(rules, s, cut);
}

int64_t taskfit_cert_worth(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut) {
    taskfit_arena *scratch = taskfit_arena_new();
    int64_t *low = TASKFIT_ARRAY(scratch, rules->n_azs, int64_t);
    int64_t *high = TASKFIT_ARRAY(scratch, rules->n_azs, int64_t);
    int64_t worth = 0;
    for (size_t s = 0; s < rules->n_services; s++) {
        worth += taskfit_cert_service_worth(rules, s, cut, low, high);
    }
    taskfit_arena_free(scratch);
    return worth;
}
