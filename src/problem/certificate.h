#ifndef TASKFIT_PROBLEM_CERTIFICATE_H
#define TASKFIT_PROBLEM_CERTIFICATE_H

/*
 * A certificate: why no fleet is better than a bound, for anyone to check without an optimizer.
 *
 * A *cut* puts an integer price on each service's task in each AZ. At these prices all tasks are together worth at
 * least W, wherever the AZ rules let them stand, and what stands on an instance of offer o at most V[o]. So every
 * fleet n that holds the tasks has sum_o n[o] V[o] >= W. A certificate is a list of cuts that no fleet below the bound
 * keeps; volume, replicas on distinct instances and shared ports are cuts like any other. A *leaf* is a cut
 * about one fleet alone, whose numbers narrow what an instance and an AZ can take.
 *
 *     certificate_rules.c  demands, capacities and AZ windows from the deployment, by accounting.h alone
 *     certificate_worth.c  W; and V by an exact integer knapsack
 *     certificate_fleets.c every fleet below the bound, until a cut refutes it
 *     certificate_file.c   the document (README.md of this folder's parent names its keys)
 *     certificate.c        the check
 *
 * Nothing here knows of solve/ or of problem.h; solve/certify.c looks for the cuts and uses these files to judge them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "deployment/accounting.h"
#include "input/node.h"
#include "taskfit/taskfit.h"

__extension__ typedef __int128 taskfit_wide; /* sums of worths over a fleet */

typedef struct taskfit_cert_offer {
    size_t group, type, az; /* of the deployment */
    int64_t capacity[TASKFIT_RESOURCE_COUNT]; /* for tasks; negative: daemons overfill it and nothing stands there */
    int64_t bare[TASKFIT_RESOURCE_COUNT];     /* the same without headroom and caps */
    int64_t price_usd_micros;
    const taskfit_instance_capacity *given;
} taskfit_cert_offer;

typedef struct taskfit_cert_service {
    size_t service; /* of the deployment */
    int64_t replicas;
    taskfit_task_demand demand;
    int64_t deploy_tasks;   /* that a deployment must place beside the old ones; 0 where rolling is no rule */
    bool single;            /* at most one task of it on an instance */
    bool spread_az, spread_instance;
    const bool *may_stand;  /* [n_offers] */
    const int64_t *low, *high; /* [n_azs] tasks of it in the AZ */
    const size_t *conflicts; /* ascending indexes of cert services that never share an instance with it */
    size_t n_conflicts;
} taskfit_cert_service;

typedef struct taskfit_cert_rules {
    const taskfit_deployment *deployment;
    taskfit_rung rung;
    size_t n_azs;
    const taskfit_cert_offer *offers; /* by group, type, AZ of the group */
    size_t n_offers;
    const size_t *first_offer; /* [n_groups] */
    const taskfit_cert_service *services; /* with desired tasks, in file order */
    size_t n_services;
} taskfit_cert_rules;

/* The rules in force on the rung: packing, limits, spread, and of rolling one service at a time; losses are left out. In the arena. */
const taskfit_cert_rules *taskfit_cert_rules_new(const taskfit_deployment *deployment, taskfit_rung rung, taskfit_arena *arena);

#define TASKFIT_CERT_PRICE_MAX (INT64_C(1) << 30)

#define TASKFIT_CERT_NONE SIZE_MAX

typedef struct taskfit_cert_cut {
    const int64_t *price;   /* [n_services][n_azs], 0..TASKFIT_CERT_PRICE_MAX */
    size_t deploys;         /* service whose deployment's next tasks must find room too, so they are counted; NONE */
    const int64_t *fleet;   /* [n_offers] a leaf: valid for this fleet alone; NULL: for all */
    int64_t worth;          /* W */
    const int64_t *maximum; /* [n_offers] V */
} taskfit_cert_cut;

/* W of a cut's prices; with a fleet, its places narrow the windows of the AZs. */
int64_t taskfit_cert_worth(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut);
/* V of every offer (0 for those the fleet does not have). `claimed` [n_offers], or NULL: then no more is searched than
 * whether anything is worth more. False: too hard to tell within the limits of the search. */
bool taskfit_cert_maxima(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, const int64_t *claimed, int64_t *maximum_out,
                         taskfit_arena *arena);

typedef struct taskfit_cert_fleets { /* the fleets to be refuted */
    const taskfit_cert_rules *rules;
    const taskfit_cert_cut *cuts; /* may be replaced by on_open */
    size_t n_cuts;
    bool by_cost;  /* the goal: instances, or micro-dollars per hour */
    int64_t bound; /* fleets below it */
    int64_t steps_left;
    /* A fleet [n_offers] that no cut refutes. True: look again, there are more cuts now; false: end. */
    bool (*on_open)(void *arg, struct taskfit_cert_fleets *fleets, const int64_t *fleet);
    void *on_open_arg;
} taskfit_cert_fleets;

enum { TASKFIT_CERT_STEPS = 4000000 };
/* True when every fleet that min, max, stock, `mixed` and the balance of AZs permit below the bound is refuted. */
bool taskfit_cert_refute(taskfit_cert_fleets *fleets, taskfit_arena *arena);

typedef struct taskfit_cert { /* the document */
    const char *plan_sha256; /* of the plan's canonical JSON */
    const char *rung, *goal; /* words of DESIGN 8 */
    int64_t bound;           /* instances or micro-dollars */
    const taskfit_cert_cut *cuts;
    size_t n_cuts;
} taskfit_cert;

void taskfit_cert_write(const taskfit_cert *cert, const taskfit_cert_rules *rules, taskfit_strbuf *out);
/* A map that has the shape of a certificate for these rules; E_INPUT says what is wrong where. */
taskfit_status taskfit_cert_read(const taskfit_node *root, const taskfit_cert_rules *rules, taskfit_arena *arena,
                                 taskfit_cert *cert_out, taskfit_error *err) TASKFIT_MUST_USE;
/* The plan's identity, "sha256" of its document as JSON. */
void taskfit_cert_plan_sha256(const taskfit_plan *plan, char hex_out[65]);
/* Service index of the rules by name; SIZE_MAX: none. */
size_t taskfit_cert_service_named(const taskfit_cert_rules *rules, const char *name);

#endif
