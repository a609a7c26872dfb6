#include "solve/decision.h"

static bool pattern_valid(const taskfit_decision *d, const taskfit_content *content) {
    const taskfit_kind *kind = &d->kinds[content->kind];
    for (size_t p = 0; p < d->n_profiles; p++) {
        if (content->tasks[p] < kind->low[p] || content->tasks[p] > kind->high[p]) {
            return false;
        }
    }
    for (size_t dim = 0; dim < d->n_dims; dim++) {
        int64_t used = 0;
        for (size_t p = 0; p < d->n_profiles; p++) {
            used += content->tasks[p] * d->profiles[p].demand[dim];
        }
        if (used > kind->capacity[dim]) {
            return false;
        }
    }
    for (size_t i = 0; i < d->n_conflicts; i++) {
        if (content->tasks[d->conflicts[i].a] > 0 && content->tasks[d->conflicts[i].b] > 0) {
            return false;
        }
    }
    return true;
}

static bool kinds_complete(const taskfit_decision *d, const taskfit_content *contents, size_t n_contents) {
    for (size_t k = 0; k < d->n_kinds; k++) {
        int64_t count = 0;
        for (size_t i = 0; i < n_contents; i++) {
            count += contents[i].kind == k ? contents[i].count : 0;
        }
        if (count != d->kinds[k].count) {
            return false;
        }
    }
    return true;
}

static bool profile_complete(const taskfit_decision *d, size_t p, const taskfit_content *contents, size_t n_contents) {
    const taskfit_profile *profile = &d->profiles[p];
    int64_t total = 0;
    for (size_t zone = 0; zone < d->n_zones; zone++) {
        int64_t in_zone = 0;
        for (size_t i = 0; i < n_contents; i++) {
            in_zone += d->kinds[contents[i].kind].zone == zone ? contents[i].count * contents[i].tasks[p] : 0;
        }
        if (in_zone < profile->zone_low[zone] || in_zone > profile->zone_high[zone]) {
            return false;
        }
        total += in_zone;
    }
    return total == profile->tasks;
}

bool taskfit_contents_valid(const taskfit_decision *d, const taskfit_content *contents, size_t n_contents) {
    if (d->impossible) {
        return false;
    }
    for (size_t i = 0; i < n_contents; i++) {
        if (contents[i].kind >= d->n_kinds || contents[i].count < 1 || !pattern_valid(d, &contents[i])) {
            return false;
        }
    }
    for (size_t p = 0; p < d->n_profiles; p++) {
        if (!profile_complete(d, p, contents, n_contents)) {
            return false;
        }
    }
    return kinds_complete(d, contents, n_contents);
}
