/* aggregated.mod: how many tasks of each profile stand on each instance.
 *
 * Services that are alike in everything (demand, replicas, where they may stand, rules) form a profile, whose tasks
 * are only counted. Nothing is lost by that: counts within the bounds below can always be dealt out to the
 * services (src/solve/README.md). Instances of a kind are alike too and are opened in order.
 *
 * Two programs in one:
 *   optimization: choose the instances, fewest or cheapest (weight), out of `most` of each kind;
 *   decision:     `least` = `most` fixes the fleet, then any solution says that everything fits on it (the question
 *                 of src/solve/decision.h, with `low` and `high` per instance).
 *
 *     taskfit model FILE --write data > problem.dat
 *     glpsol -m models/aggregated.mod -d problem.dat
 */

set PROFILES;
set RESOURCES;   /* memory, cpu, ..., and one for each fixed host port that two services want */
set ZONES;       /* AZs */
set GROUPS;      /* instance groups */
set KINDS;       /* kinds of instance: group, type and AZ */

/* ---- what there is ---- */

param group{KINDS}, symbolic, in GROUPS;
param type{KINDS}, symbolic;
param zone{KINDS}, symbolic, in ZONES;
param capacity{KINDS, RESOURCES};             /* of one instance, for tasks */
param weight{KINDS};                          /* 1: count instances; or USD per hour */
param most{KINDS}, integer;                   /* instances of the kind to choose from */
param least{KINDS}, integer, default 0;       /* of these stand for certain */

set GROUP_TYPES := setof{k in KINDS} (group[k], type[k]);
set GROUP_ZONES := setof{k in KINDS} (group[k], zone[k]);
param mixed{GROUPS}, integer, default 0;      /* 1: a group may mix its types */
param group_min{GROUPS}, integer, default 0;  /* instances of the group */
param group_max{GROUPS}, integer;
param stock{GROUP_TYPES}, integer, default 1000000; /* most instances of a type in the group */

/* ---- what must stand ---- */

param services{PROFILES}, integer;            /* alike services in the profile */
param replicas{PROFILES}, integer;            /* tasks of each */
param tasks{p in PROFILES} := services[p] * replicas[p];
param demand{PROFILES, RESOURCES}, default 0; /* of one task */
param low{PROFILES, KINDS}, integer, default 0;              /* tasks of the profile on an instance of the kind */
param high{p in PROFILES, k in KINDS}, integer, default tasks[p]; /* distinctInstance: services[p]; 0: may not stand */
param zone_low{PROFILES, ZONES}, integer, default 0;         /* tasks of the profile in an AZ */
param zone_high{p in PROFILES, ZONES}, integer, default tasks[p];
param spread_instance{PROFILES}, integer, default 0; /* tasks of a service per instance differ by at most 1: */
                                                     /* 1 over all instances, 2 inside each AZ; 0 no rule */
param may_stand{p in PROFILES, k in KINDS}, integer, default if high[p,k] > 0 then 1 else 0; /* counts for that rule */
set CONFLICTS, within PROFILES cross PROFILES, default setof{p in PROFILES: 0} (p,p);   /* never on one instance */

check{k in KINDS}: group[k] <> '' and type[k] <> '' and zone[k] <> '';
check{k in KINDS, r in RESOURCES}: capacity[k,r] >= 0;
check{k in KINDS}: 0 <= least[k] and least[k] <= most[k];
check{k in KINDS}: weight[k] >= 0;
check{g in GROUPS}: mixed[g] in {0, 1};
check{g in GROUPS}: 0 <= group_min[g] and group_min[g] <= group_max[g];
check{(g,t) in GROUP_TYPES}: stock[g,t] >= 0;
check{p in PROFILES}: services[p] >= 1 and replicas[p] >= 1;
check{p in PROFILES, r in RESOURCES}: demand[p,r] >= 0;
check{p in PROFILES, k in KINDS}: 0 <= low[p,k] and 0 <= high[p,k];
check{p in PROFILES, z in ZONES}: 0 <= zone_low[p,z] and zone_low[p,z] <= zone_high[p,z];
check{p in PROFILES}: spread_instance[p] in {0, 1, 2};
check{p in PROFILES, k in KINDS}: may_stand[p,k] in {0, 1} and (may_stand[p,k] = 1 or high[p,k] = 0);
check{(p,q) in CONFLICTS}: p <> q;

set INSTANCES := setof{k in KINDS, n in 1..most[k]} (k, n);

/* ---- the program ---- */

var open{INSTANCES}, binary;
var stand{PROFILES, INSTANCES}, integer, >= 0;
var chosen{GROUP_TYPES}, binary;              /* the type of a group that mixes none */
var base{GROUPS}, integer, >= 0;              /* fewest instances of the group in an AZ */

minimize goal: sum{(k,n) in INSTANCES} weight[k] * open[k,n];

s.t. placed{p in PROFILES}: sum{(k,n) in INSTANCES} stand[p,k,n] = tasks[p];
s.t. room{(k,n) in INSTANCES, r in RESOURCES}: sum{p in PROFILES} demand[p,r] * stand[p,k,n] <= capacity[k,r] * open[k,n];
s.t. at_most{p in PROFILES, (k,n) in INSTANCES}: stand[p,k,n] <= high[p,k] * open[k,n];
s.t. at_least{p in PROFILES, (k,n) in INSTANCES: low[p,k] > 0}: stand[p,k,n] >= low[p,k] * open[k,n];
s.t. zone_share{p in PROFILES, z in ZONES: zone_low[p,z] > 0 or zone_high[p,z] < tasks[p]}:
    zone_low[p,z] <= sum{(k,n) in INSTANCES: zone[k] = z} stand[p,k,n] <= zone_high[p,z];

/* Spread by instance: with `level` tasks of a service at least on every instance of the class, all of them have
 * level or level + 1. It need not be the right level: tasks that fit another one fit the right one too. */
set LEVELS := setof{p in PROFILES, k in KINDS: spread_instance[p] > 0} (p, if spread_instance[p] = 2 then zone[k] else '*');
var level{LEVELS}, integer, >= 0;
s.t. level_low{p in PROFILES, (k,n) in INSTANCES: spread_instance[p] > 0 and may_stand[p,k]}:
    stand[p,k,n] >= services[p] * level[p, if spread_instance[p] = 2 then zone[k] else '*'] - tasks[p] * (1 - open[k,n]);
s.t. level_high{p in PROFILES, (k,n) in INSTANCES: spread_instance[p] > 0 and may_stand[p,k]}:
    stand[p,k,n] <= services[p] * (level[p, if spread_instance[p] = 2 then zone[k] else '*'] + 1);

/* Services that never share an instance. */
set RIVALS := setof{(p,q) in CONFLICTS} p union setof{(p,q) in CONFLICTS} q;
var there{RIVALS, INSTANCES}, binary;
s.t. is_there{p in RIVALS, (k,n) in INSTANCES}: stand[p,k,n] <= high[p,k] * there[p,k,n];
s.t. not_both{(p,q) in CONFLICTS, (k,n) in INSTANCES}: there[p,k,n] + there[q,k,n] <= 1;

/* Fleets: in order, balanced over the AZs of the group, one type unless mixed, min, max and stock. */
s.t. in_order{(k,n) in INSTANCES: n > 1}: open[k,n] <= open[k,n-1];
s.t. for_certain{k in KINDS: least[k] > 0}: sum{(k,n) in INSTANCES} open[k,n] >= least[k];
s.t. balance_low{(g,z) in GROUP_ZONES}:
    sum{(k,n) in INSTANCES: group[k] = g and zone[k] = z} open[k,n] >= base[g];
s.t. balance_high{(g,z) in GROUP_ZONES}:
    sum{(k,n) in INSTANCES: group[k] = g and zone[k] = z} open[k,n] <= base[g] + 1;
s.t. of_chosen_type{(k,n) in INSTANCES: not mixed[group[k]]}: open[k,n] <= chosen[group[k], type[k]];
s.t. one_type{g in GROUPS: not mixed[g]}: sum{(g,t) in GROUP_TYPES} chosen[g,t] <= 1;
s.t. size_low{g in GROUPS: group_min[g] > 0}: sum{(k,n) in INSTANCES: group[k] = g} open[k,n] >= group_min[g];
s.t. size_high{g in GROUPS}: sum{(k,n) in INSTANCES: group[k] = g} open[k,n] <= group_max[g];
s.t. in_stock{(g,t) in GROUP_TYPES: stock[g,t] < 1000000}:
    sum{(k,n) in INSTANCES: group[k] = g and type[k] = t} open[k,n] <= stock[g,t];

solve;

printf "goal %.6f\n", goal;
printf{(k,n) in INSTANCES, p in PROFILES: open[k,n] and stand[p,k,n] > 0}:
    "%d tasks of %s on instance %d of %s (%s, %s, %s)\n", stand[p,k,n], p, n, k, group[k], type[k], zone[k];

end;
