/*
 * Certificates of FOLIO-like deployments, found and checked:
 *     build/certificates SERVICES MENU CPU REPLICAS RUNG GOAL SEED...
 *     MENU m6i | r7g | three | four | seven types in one mixed group, `single` (seven, but one type) or `groups` (two of four)
 *     CPU low | mix, REPLICAS 1.. | mixed (1, 2, 3, 4, 6), RUNG of the policy, or limits, all, az; GOAL count | cost
 * prints a line for each seed: name,plan,bound,proof,certificate,cuts,bytes,size_s,certify_s,check_ms,why_not
 * where `certificate` is yes, none, or refused - which must not be.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "folio_draw.h"
#include "problem/plan.h"
#include "taskfit/certificate.h"
#include "taskfit/taskfit.h"

typedef struct recipe {
    long n_services;
    const char *menu, *cpu, *replicas, *rung, *goal;
} recipe;

static const char *pick(const char *name, const char *const (*table)[2]) {
    for (; (*table)[0] != NULL; table++) {
        if (strcmp((*table)[0], name) == 0) {
            return (*table)[1];
        }
    }
    fprintf(stderr, "certificates: '%s' is no such word\n", name);
    exit(2);
}

static const char *const groups_of[][2] = {
    {"m6i", "{name: main, types: [m6i.2xlarge]}"},
    {"r7g", "{name: main, types: [r7g.2xlarge]}"},
    {"three", "{name: main, mixed: true, types: [r7g.xlarge, r7g.2xlarge, r7g.4xlarge]}"},
    {"four", "{name: main, mixed: true, types: [m7g.xlarge, m7g.2xlarge, r7g.2xlarge, c7g.2xlarge]}"},
    {"seven", "{name: main, mixed: true, types: [m6i.xlarge, m6i.2xlarge, r6i.xlarge, r6i.2xlarge, "
              "r7g.2xlarge, r7g.4xlarge, c7g.2xlarge]}"},
    {"single", "{name: main, types: [m6i.xlarge, m6i.2xlarge, r6i.xlarge, r6i.2xlarge, r7g.2xlarge, r7g.4xlarge, c7g.2xlarge]}"},
    {"groups", "{name: main, mixed: true, types: [m7g.2xlarge, {type: r7g.2xlarge, max: 3}]}, "
               "{name: spare, mixed: true, types: [r7g.xlarge, m7g.xlarge], max: 4}"},
    {NULL, NULL}};

static const char *const policy_of[][2] = {
    {"packing", "spread: preferred, rollingDeployment: none"},
    {"limits", "spread: preferred, rollingDeployment: none, headroom: {memoryPercent: 5}"},
    {"spread", "rollingDeployment: none"},
    {"rolling", "rollingDeployment: oneService"},
    {"headroom", "rollingDeployment: oneService, headroom: {memoryPercent: 5}"},
    {"all", "rollingDeployment: allServices"},
    {"survive", "rollingDeployment: none, surviveLoss: instance"},
    {"az", "rollingDeployment: none, surviveLoss: availabilityZone"},
    {NULL, NULL}};

static void write_deployment(const recipe *r, uint64_t seed, taskfit_strbuf *text) {
    folio_draw draw = folio_draw_new(seed);
    taskfit_strbuf_printf(text, "taskfit: 1\ncluster:\n  availabilityZones: [us-east-1a, us-east-1b, us-east-1c]\n"
                                "  instanceGroups: [%s]\ndefaults: {placementConstraints: [{type: distinctInstance}]}\n"
                                "policy: {%s, objective: [%s]}\nservices:\n",
                          pick(r->menu, groups_of), pick(r->rung, policy_of), strcmp(r->goal, "cost") == 0 ? "cost, count" : "count, cost");
    for (long i = 0; i < r->n_services; i++) {
        const folio_task task = folio_draw_task(&draw, strcmp(r->cpu, "mix") == 0, strtol(r->replicas, NULL, 10));
        taskfit_strbuf_printf(text, "- {name: s%ld, memoryReservation: %" PRId64 ", cpu: %" PRId64 ", desiredCount: %" PRId64 "}\n", i,
                              task.memory_mib, task.cpu_units, task.replicas);
    }
}

static int append(void *sink, const char *data, size_t len) {
    taskfit_strbuf_add(sink, data, len);
    return 0;
}

static double seconds_since(clock_t start) {
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static size_t count_cuts(const char *text) {
    size_t n = 0;
    for (const char *at = strstr(text, "- worth:"); at != NULL; at = strstr(at + 1, "- worth:")) {
        n++;
    }
    return n;
}

static void run(const recipe *r, uint64_t seed) {
    taskfit_deployment *deployment = NULL;
    taskfit_plan *plan = NULL;
    taskfit_error err = {0};
    taskfit_parse_options options;
    taskfit_settings settings;
    TASKFIT_STRBUF(file);
    TASKFIT_STRBUF(proof);
    taskfit_parse_options_init(&options);
    taskfit_settings_init(&settings);
    settings.ladder = false;
    settings.time_limit_ms = 20000;
    write_deployment(r, seed, &file);
    const clock_t start = clock();
    if (taskfit_deployment_parse("folio.yaml", file.data, file.len, &options, &deployment, &err) != TASKFIT_OK ||
        taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fprintf(stderr, "certificates: %s: %s\n", err.where, err.message);
        exit(1);
    }
    const double size_s = seconds_since(start);
    const clock_t certify = clock();
    const taskfit_status status = taskfit_certify(plan, &settings, append, &proof, &err);
    const double certify_s = seconds_since(certify);
    const clock_t check = clock();
    size_t n_broken = 0;
    if (status == TASKFIT_OK && taskfit_certificate_check(plan, NULL, proof.data, proof.len, NULL, NULL, &n_broken, &err) != TASKFIT_OK) {
        n_broken = 1;
    }
    const double check_s = seconds_since(check);
    const bool refused = n_broken > 0 || (status != TASKFIT_OK && status != TASKFIT_E_ARGUMENT);
    const taskfit_plan_goal *goal = &plan->goals[0];
    printf("F_%ld_%s_%s_%s_%s_%s_%" PRIu64 ",%s,%s,%s,%s,%zu,%zu,%.3f,%.3f,%.1f,%s\n", r->n_services, r->menu, r->cpu, r->replicas, r->rung,
           r->goal, seed, goal->value, goal->bound != NULL ? goal->bound : "", taskfit_proof_name(goal->proof),
           refused ? "refused" : status == TASKFIT_OK ? "yes" : "none", count_cuts(proof.data), proof.len, size_s, certify_s,
           1000 * check_s, status == TASKFIT_OK ? "" : err.message);
    fflush(stdout);
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
}

int main(int argc, char **argv) {
    if (argc < 8) {
        fprintf(stderr, "usage: certificates SERVICES MENU CPU REPLICAS RUNG GOAL SEED...\n");
        return 2;
    }
    const recipe r = {strtol(argv[1], NULL, 10), argv[2], argv[3], argv[4], argv[5], argv[6]};
    for (int i = 7; i < argc; i++) {
        run(&r, strtoull(argv[i], NULL, 10));
    }
    return 0;
}
