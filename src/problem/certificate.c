#include "problem/certificate.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/sha256.h"
#include "problem/plan.h"
#include "taskfit/certificate.h"

typedef struct checking {
    taskfit_arena *arena;
    const taskfit_plan *plan;
    const taskfit_cert_rules *rules;
    taskfit_cert cert;
    taskfit_diag_fn *broken;
    void *broken_arg;
    size_t n_broken;
} checking;

static void tell(checking *c, const char *format, ...) TASKFIT_PRINTF(2, 3);

static void tell(checking *c, const char *format, ...) {
    TASKFIT_STRBUF(text);
    taskfit_strbuf_adds(&text, "certificate: ");
    va_list args;
    va_start(args, format);
    taskfit_strbuf_vprintf(&text, format, args);
    va_end(args);
    c->n_broken++;
    if (c->broken != NULL) {
        c->broken(c->broken_arg, text.data);
    }
}

/* The last line holds the hash of all bytes before it. */
static void check_hash(checking *c, const char *data, size_t len) {
    static const char key[] = "sha256: ";
    const size_t tail = sizeof key - 1 + TASKFIT_SHA256_HEX_SIZE - 1 + 1;
    char hex[TASKFIT_SHA256_HEX_SIZE];
    if (len < tail || memcmp(data + len - tail, key, sizeof key - 1) != 0 || data[len - 1] != '\n' ||
        (len > tail && data[len - tail - 1] != '\n')) {
        tell(c, "its last line is not 'sha256: ' and 64 digits (the file is not whole)");
        return;
    }
    taskfit_sha256_hex(data, len - tail, hex);
    if (memcmp(hex, data + len - TASKFIT_SHA256_HEX_SIZE, TASKFIT_SHA256_HEX_SIZE - 1) != 0) {
        tell(c, "its SHA-256 is %s, not what its last line says (some byte was changed)", hex);
    }
}

static int64_t plan_bound(const checking *c) {
    const taskfit_policy *policy = &c->rules->deployment->policy;
    return policy->objective[0] == TASKFIT_GOAL_COST ? c->plan->cost_bound_usd_micros : c->plan->lower_bound;
}

/* That it speaks of this plan, and of the bound that this plan states. */
static bool check_subject(checking *c) {
    char hex[TASKFIT_SHA256_HEX_SIZE];
    const size_t before = c->n_broken;
    taskfit_cert_plan_sha256(c->plan, hex);
    if (strcmp(hex, c->cert.plan_sha256) != 0) {
        tell(c, "it is of another plan: this one's SHA-256 is %s, not %s", hex, c->cert.plan_sha256);
    }
    const taskfit_policy *policy = &c->rules->deployment->policy;
    const char *goal = taskfit_goal_name(policy->n_objective > 0 ? policy->objective[0] : TASKFIT_GOAL_COUNT);
    if (strcmp(goal, c->cert.goal) != 0) {
        tell(c, "its goal is '%s', the policy's first '%s'", c->cert.goal, goal);
    }
    if (plan_bound(c) != c->cert.bound) {
        tell(c, "it proves a bound of %" PRId64 ", the plan states %" PRId64, c->cert.bound, plan_bound(c));
    }
    return c->n_broken == before;
}

static void check_maxima(checking *c, size_t index, const int64_t *claimed, const int64_t *found, const char *where) {
    for (size_t o = 0; o < c->rules->n_offers; o++) {
        const taskfit_cert_offer *offer = &c->rules->offers[o];
        const taskfit_instance_group *group = &c->rules->deployment->groups[offer->group];
        if (found[o] > claimed[o]) {
            tell(c, "cut %zu: a '%s' of '%s' can hold tasks worth more than %" PRId64 "%s (a price or the maximum was changed)",
                 index + 1, group->types[offer->type].type.name, group->name, claimed[o], where);
        }
    }
}

static void check_tree(checking *c, size_t index, taskfit_cert_sacks *sacks) {
    size_t node = 0;
    const char *why = NULL;
    if (!taskfit_cert_tree_holds(c->rules, &c->cert.cuts[index], TASKFIT_CERT_CHECK, sacks, &node, &why)) {
        tell(c, "cut %zu, node %zu: %s", index + 1, node + 1, why);
    }
}

static void check_cut(checking *c, size_t index, taskfit_cert_sacks *sacks) {
    const taskfit_cert_cut *cut = &c->cert.cuts[index];
    if (cut->tree != NULL) {
        check_tree(c, index, sacks);
        return;
    }
    const int64_t worth = taskfit_cert_worth(c->rules, cut);
    if (worth != cut->worth) {
        tell(c, "cut %zu: all tasks are worth %" PRId64 ", not %" PRId64 " (a price or the worth was changed)", index + 1, worth,
             cut->worth);
    }
    int64_t *maximum = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    int64_t *beside = TASKFIT_ARRAY(c->arena, c->rules->n_offers, int64_t);
    if (!taskfit_cert_maxima(c->rules, cut, TASKFIT_CERT_CHECK, sacks, maximum, beside)) {
        tell(c, "cut %zu: what an instance can be worth is too hard to tell", index + 1);
    }
    check_maxima(c, index, cut->maximum, maximum, "");
    if (cut->beside != NULL) {
        check_maxima(c, index, cut->beside, beside, " beside the next task");
    }
}

void taskfit_cert_fleet_text(const taskfit_cert_rules *rules, const int64_t *fleet, taskfit_strbuf *out) {
    const size_t start = out->len;
    for (size_t o = 0; o < rules->n_offers; o++) {
        const taskfit_cert_offer *offer = &rules->offers[o];
        const taskfit_instance_group *group = &rules->deployment->groups[offer->group];
        if (fleet[o] > 0) {
            taskfit_strbuf_printf(out, "%s%" PRId64 " %s of '%s' in %s", out->len > start ? ", " : "", fleet[o],
                                  group->types[offer->type].type.name, group->name, rules->deployment->azs[offer->az]);
        }
    }
    taskfit_strbuf_adds(out, out->len > start ? "" : "no instances");
}

/* on_open: names the fleet that nothing refutes. */
static bool tell_fleet(void *arg, taskfit_cert_fleets *fleets, const int64_t *fleet) {
    TASKFIT_STRBUF(text);
    taskfit_cert_fleet_text(fleets->rules, fleet, &text);
    tell(arg, "no cut refutes the fleet of %s (a cut or leaf is missing or too weak)", text.data);
    return false;
}

static void check_fleets(checking *c) {
    taskfit_cert_fleets fleets = {.rules = c->rules,
                                  .cuts = c->cert.cuts,
                                  .n_cuts = c->cert.n_cuts,
                                  .by_cost = strcmp(c->cert.goal, "cost") == 0,
                                  .bound = c->cert.bound,
                                  .steps_left = TASKFIT_CERT_STEPS,
                                  .on_open = tell_fleet,
                                  .on_open_arg = c};
    const size_t before = c->n_broken;
    taskfit_arena *scratch = taskfit_arena_new();
    if (!taskfit_cert_refute(&fleets, scratch) && c->n_broken == before) {
        tell(c, "there are too many fleets below the bound to go through");
    }
    taskfit_arena_free(scratch);
}

static void check(checking *c, const taskfit_deployment *deployment, const char *data, size_t len) {
    taskfit_error err = {0};
    taskfit_node *root = NULL;
    taskfit_rung rung;
    check_hash(c, data, len);
    const taskfit_node *stated = NULL;
    if (taskfit_node_read_yaml(c->arena, "certificate", data, len, &root, &err) == TASKFIT_OK) {
        stated = taskfit_node_get(root, "rung");
    } else {
        tell(c, "%s", err.message);
        return;
    }
    if (stated == NULL || stated->kind != TASKFIT_NODE_SCALAR || !taskfit_rung_from_name(stated->text, &rung) ||
        rung > c->plan->rung) {
        tell(c, "its rung is not one of the plan's");
        return;
    }
    c->rules = taskfit_cert_rules_new(deployment, rung, c->arena);
    if (taskfit_cert_read(root, c->rules, c->arena, &c->cert, &err) != TASKFIT_OK) {
        tell(c, "%s", err.message);
        return;
    }
    if (!check_subject(c)) {
        return;
    }
    taskfit_cert_sacks *sacks = taskfit_cert_sacks_new(c->arena);
    for (size_t i = 0; i < c->cert.n_cuts; i++) {
        check_cut(c, i, sacks);
    }
    check_fleets(c);
}

taskfit_status taskfit_certificate_check(const taskfit_plan *plan, const taskfit_deployment *deployment, const char *data,
                                         size_t len, taskfit_diag_fn *broken, void *broken_arg, size_t *n_broken_out,
                                         taskfit_error *err TASKFIT_UNUSED) {
    assert(n_broken_out != NULL);
    checking c = {.arena = taskfit_arena_new(), .plan = plan, .broken = broken, .broken_arg = broken_arg};
    check(&c, deployment != NULL ? deployment : plan->deployment, data, len);
    taskfit_arena_free(c.arena);
    *n_broken_out = c.n_broken;
    return TASKFIT_OK;
}
