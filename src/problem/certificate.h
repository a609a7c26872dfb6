#ifndef TASKFIT_PROBLEM_CERTIFICATE_H
#define TASKFIT_PROBLEM_CERTIFICATE_H

/*
 * A certificate: why no fleet is better than a bound, for anyone to check without an optimizer.
 *
 * A *cut* puts an integer price on each service's task in each AZ. At these prices all tasks are together worth at
 * least W, wherever the AZ rules let them stand, and what stands on an instance of offer o at most V[o]. So every
 * fleet n that holds the tasks has sum_o n[o] V[o] >= W. A certificate is a list of cuts that no fleet below the bound
 * keeps; volume, replicas on distinct instances and shared ports are cuts like any other. A *leaf* is a cut
 * about one fleet alone, whose numbers narrow what an instance and an AZ can take. Room for deployments and losses is a
 * *case*: the next tasks are there too, or part of the fleet is not. A *tree* is about one fleet as well: it splits what may be
 * into two again and again, and each of its own leaves is a cut.
 *
 *     certificate_rules.c    demands, capacities and AZ windows from the deployment, by accounting.h alone
 *     certificate_worth.c    W; and what may stand on an instance
 *     certificate_knapsack.c V, in integers
 *     certificate_tree.c     trees
 *     certificate_fleets.c   every fleet below the bound, until a cut refutes it
 *     certificate_file.c     the document, and how it is written; certificate_read.c reads it
 *     certificate.c          the check
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
    taskfit_rolling_policy rolling; /* in force; services' deploy_tasks say of which */
    taskfit_survive_policy survive;
    size_t n_azs;
    const taskfit_cert_offer *offers; /* by group, type, AZ of the group */
    size_t n_offers;
    const size_t *first_offer; /* [n_groups] */
    const taskfit_cert_service *services; /* with desired tasks, in file order */
    size_t n_services;
} taskfit_cert_rules;

/* The rules in force on the rung. In the arena. */
const taskfit_cert_rules *taskfit_cert_rules_new(const taskfit_deployment *deployment, taskfit_rung rung, taskfit_arena *arena);

#define TASKFIT_CERT_PRICE_MAX (INT64_C(1) << 30)

/* What must have room on the fleet. Tasks beside the old ones, and all tasks after a loss, obey ECS's own rules alone: no spread, no
 * headroom, no caps. */
typedef enum taskfit_cert_case {
    TASKFIT_CERT_TASKS,         /* the tasks */
    TASKFIT_CERT_DEPLOYS,       /* and the next ones of `service`, which are counted; capacities without headroom */
    TASKFIT_CERT_DEPLOYS_ALL,   /* and the next ones of all services at once */
    TASKFIT_CERT_HOSTS,         /* and the next one of `service`, not counted: where it goes, tasks are worth at most `beside` */
    TASKFIT_CERT_LOSES_INSTANCE, /* the tasks on the fleet less any one instance */
    TASKFIT_CERT_LOSES_AZ,      /* ... less the instances of any one AZ */
    TASKFIT_CERT_CASES
} taskfit_cert_case;

/* Of a tree, in preorder: a split is followed by its first branch, then by its second. Places are alike instances: those of the
 * tree, to which each branch adds one, taken from the place that was split. */
typedef struct taskfit_cert_node {
    const size_t *services; /* split: a set of services, whose tasks it counts; NULL: a leaf. Sets of a tree are equal or disjoint */
    size_t n_services;
    size_t place;           /* at least `instances` of it hold `tasks` or more of them | fewer do; SIZE_MAX: */
    size_t az;              /* ... at least `tasks` of them stand there | fewer do; SIZE_MAX: no split, the set is followed too */
    int64_t tasks, instances;
    const int64_t *price;   /* leaf, as of a cut; NULL: the splits before contradict each other */
    const int64_t *next;    /* ... or NULL */
    int64_t worth;
    int64_t *maximum;       /* [n_maxima] of the places so far */
    size_t n_maxima;
} taskfit_cert_node;

typedef struct taskfit_cert_tree {
    size_t at;             /* offer: HOSTS: where the next task goes; LOSES_*: what is lost, its AZ is; else SIZE_MAX */
    const size_t *place;   /* [n_offers] SIZE_MAX: has no instances left. Of HOSTS the host is one more place, the last */
    taskfit_cert_node *nodes;
    size_t n_nodes;
} taskfit_cert_tree;

typedef struct taskfit_cert_cut {
    const taskfit_cert_tree *tree; /* or NULL; with a tree `fleet` is given, and price, worth and maxima are the leaves' */
    const int64_t *price;   /* [n_services][n_azs], 0..TASKFIT_CERT_PRICE_MAX */
    const int64_t *next;    /* DEPLOYS, DEPLOYS_ALL: the same of next tasks; NULL: as of the others */
    taskfit_cert_case of;
    size_t service;         /* DEPLOYS, HOSTS; else 0 */
    const int64_t *fleet;   /* [n_offers] a leaf: valid for this fleet alone; NULL: for all. Not of LOSES_*, unless a tree */
    int64_t worth;          /* W */
    const int64_t *maximum; /* [n_offers] V, or more */
    const int64_t *beside;  /* [n_offers] HOSTS: the same beside the next task; else NULL */
} taskfit_cert_cut;

/* Whether the rules ask for the case. */
bool taskfit_cert_case_asked(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut);
/* Whether the next task of a service could stand on the offer, were it empty. */
bool taskfit_cert_may_host(const taskfit_cert_rules *rules, size_t s, size_t o);
/* W of a cut's prices; with a fleet, its places narrow the windows of the AZs. */
int64_t taskfit_cert_worth(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut);

typedef enum taskfit_cert_effort {
    TASKFIT_CERT_EXACT, /* V itself */
    TASKFIT_CERT_CHECK, /* the cut's claims where they hold, else more: no more is searched than that */
    TASKFIT_CERT_ROUGH  /* a bound on V that costs nothing to check */
} taskfit_cert_effort;

typedef struct taskfit_cert_sacks taskfit_cert_sacks; /* the knapsacks solved so far: many are alike */
taskfit_cert_sacks *taskfit_cert_sacks_new(taskfit_arena *arena);
/* V of every offer (0 for those the fleet does not have), into maximum_out[n_offers], and for HOSTS into beside_out. False: too
 * hard to tell within the limits of the search. */
bool taskfit_cert_maxima(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, taskfit_cert_effort effort,
                         taskfit_cert_sacks *sacks, int64_t *maximum_out, int64_t *beside_out);

/* Whether a tree's splits leave nothing out and its leaves refute all of it. EXACT and ROUGH fill in what the leaves claim. False: why_out
 * says what is wrong with node_out. */
bool taskfit_cert_tree_holds(const taskfit_cert_rules *rules, const taskfit_cert_cut *cut, taskfit_cert_effort effort,
                             taskfit_cert_sacks *sacks, size_t *node_out, const char **why_out);

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
/* Whether the cuts refute fleet[n_offers]; trees are believed. HOSTS: for each place of the next task some cut must. */
bool taskfit_cert_refutes(const taskfit_cert_rules *rules, const taskfit_cert_cut *cuts, size_t n_cuts, const int64_t *fleet);
/* HOSTS: whether some cut refutes that the service's next task goes to the offer. */
bool taskfit_cert_host_refuted(const taskfit_cert_rules *rules, const taskfit_cert_cut *cuts, size_t n_cuts, const int64_t *fleet,
                               size_t service, size_t o);
/* True when every fleet that min, max, stock, `mixed` and the balance of AZs permit below the bound is refuted. */
bool taskfit_cert_refute(taskfit_cert_fleets *fleets, taskfit_arena *arena);

typedef struct taskfit_cert { /* the document */
    const char *plan_sha256; /* of the plan's canonical JSON */
    const char *rung, *goal; /* words of DESIGN 8 */
    int64_t bound;           /* instances or micro-dollars */
    const taskfit_cert_cut *cuts;
    size_t n_cuts;
} taskfit_cert;

#define TASKFIT_CERT_SCHEMA "taskfit.certificate/1"
const char *taskfit_cert_case_word(taskfit_cert_case of);
static inline bool taskfit_cert_case_names_service(taskfit_cert_case of) {
    return of == TASKFIT_CERT_DEPLOYS || of == TASKFIT_CERT_HOSTS;
}

void taskfit_cert_write(const taskfit_cert *cert, const taskfit_cert_rules *rules, taskfit_strbuf *out);
/* A map that has the shape of a certificate for these rules; E_INPUT says what is wrong where. */
taskfit_status taskfit_cert_read(const taskfit_node *root, const taskfit_cert_rules *rules, taskfit_arena *arena,
                                 taskfit_cert *cert_out, taskfit_error *err) TASKFIT_MUST_USE;
/* The plan's identity, "sha256" of its document as JSON. */
void taskfit_cert_plan_sha256(const taskfit_plan *plan, char hex_out[65]);
/* "4 box of 'main' in us-east-1a, 3 box of 'main' in us-east-1b" */
void taskfit_cert_fleet_text(const taskfit_cert_rules *rules, const int64_t *fleet, taskfit_strbuf *out);
/* Service index of the rules by name; SIZE_MAX: none. */
size_t taskfit_cert_service_named(const taskfit_cert_rules *rules, const char *name);

#endif
