/*
 * A task of profile p dominates one of q when it is worth as much and demands no more in any dimension. In a content that holds q and
 * could hold one more p, put p in the place of q: it stays a content, and is worth as much. So some best content holds q
 * only where it holds as many as may be of all the profiles that dominate q, and then q has
 *
 *     capacity - sum over dominating p of most[p] demand[p]
 *
 * of room at most. (Equal profiles: the first one dominates. Exchanges end, as dominance is an order.) In deployments of thousands
 * of services many profiles differ in replicas only, and hundreds become dozens. With conflicts an exchange
 * may be forbidden, so nothing is dropped then.
 */
#include <string.h>

#include "solve/pricing_inside.h"

enum { MOST_ITEMS = 2000 /* their square is the work */ };

static bool dominates(const taskfit_item *p, const taskfit_item *q, size_t n_dims) {
    if (p->price < q->price) {
        return false;
    }
    bool alike = p->price == q->price;
    for (size_t d = 0; d < n_dims; d++) {
        if (p->weights[d] > q->weights[d]) {
            return false;
        }
        alike = alike && p->weights[d] == q->weights[d];
    }
    return !alike || p->profile < q->profile;
}

/* Tasks of q that fit beside all that dominate it. */
static int64_t undominated(taskfit_pricer *pricer, const taskfit_item *q) {
    int64_t most = q->most;
    memcpy(pricer->rest, pricer->capacity, pricer->n_dims * sizeof *pricer->rest);
    for (size_t i = 0; i < pricer->n_items && most > 0; i++) {
        const taskfit_item *p = &pricer->items[i];
        if (p == q || !dominates(p, q, pricer->n_dims)) {
            continue;
        }
        for (size_t d = 0; d < pricer->n_dims && most > 0; d++) {
            pricer->rest[d] -= p->most * p->weights[d];
            if (q->weights[d] * most > pricer->rest[d]) { /* a rest below 0: they do not even fit without q */
                most = pricer->rest[d] < q->weights[d] ? 0 : pricer->rest[d] / q->weights[d];
            }
        }
    }
    return most;
}

void taskfit_pricer_drop_dominated(taskfit_pricer *pricer) {
    if (pricer->rivals != NULL || pricer->n_items > MOST_ITEMS) {
        return;
    }
    for (size_t i = 0; i < pricer->n_items; i++) {
        pricer->items[i].undominated = undominated(pricer, &pricer->items[i]);
    }
    size_t kept = 0;
    for (size_t i = 0; i < pricer->n_items; i++) {
        pricer->items[kept] = pricer->items[i];
        pricer->items[kept].most = pricer->items[i].undominated;
        kept += pricer->items[kept].most > 0;
    }
    pricer->n_items = kept;
}
