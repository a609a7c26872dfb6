/* moves.mod: where should the tasks of a given fleet stand so that fewest of them move?
 *
 * Some instances stand already, with tasks on them. Each is one of the fleet's instances of its kind, or goes; other instances are
 * new and empty. A task stays where the service has one on the instance before and after. Services are kept apart here;
 * src/solve/README.md says how they are merged, and what is proved without a branch.
 *
 *     glpsol -m models/moves.mod -d models/moves.dat
 */

set SERVICES;
set RESOURCES;
set ZONES;       /* AZs */
set KINDS;       /* kinds of instance: group, type and AZ */
set STANDING;    /* instances that stand today */

/* ---- what there is ---- */

param zone{KINDS}, symbolic, in ZONES;
param capacity{KINDS, RESOURCES};             /* of one instance, for tasks */
param count{KINDS}, integer;                  /* instances in the fleet */
param kind{STANDING}, symbolic, in KINDS;
param before{SERVICES, STANDING}, integer, default 0; /* tasks that stand there today */

/* ---- what must stand ---- */

param replicas{SERVICES}, integer;            /* tasks */
param demand{SERVICES, RESOURCES}, default 0; /* of one task */
param may_stand{SERVICES, KINDS}, binary, default 1;
param single{SERVICES}, binary, default 0;    /* at most one task on an instance: distinctInstance, fixed host ports */
param spread_az{SERVICES}, binary, default 0; /* tasks over the AZs where it may stand differ by at most 1 */
param spread_instance{SERVICES}, binary, default 0; /* the same over instances: of each AZ with spread_az, else of all */
set CONFLICTS, within SERVICES cross SERVICES, default setof{s in SERVICES: 0} (s,s); /* never on one instance */

check{k in KINDS}: zone[k] <> '' and count[k] >= 0;
check{k in KINDS, r in RESOURCES}: capacity[k,r] >= 0;
check{i in STANDING}: kind[i] <> '';
check{s in SERVICES, i in STANDING}: before[s,i] >= 0;
check{s in SERVICES}: replicas[s] >= 1;
check{s in SERVICES, r in RESOURCES}: demand[s,r] >= 0;
check{(s,t) in CONFLICTS}: s <> t;

set INSTANCES := setof{k in KINDS, n in 1..count[k]} (k, n);

/* ---- what spread allows ---- */

set AT{s in SERVICES} := setof{k in KINDS: may_stand[s,k]} zone[k];  /* AZs where it may stand */
param by_az{s in SERVICES} := if spread_az[s] and card(AT[s]) > 1 then 1 else 0;
param az_low{s in SERVICES} := if by_az[s] then floor(replicas[s] / card(AT[s])) else replicas[s];
param az_high{s in SERVICES} := if by_az[s] then ceil(replicas[s] / card(AT[s])) else replicas[s];
param class{s in SERVICES, k in KINDS} :=                           /* instances that share its tasks with one of k */
    sum{j in KINDS: may_stand[s,j] and (not by_az[s] or zone[j] = zone[k])} count[j];
param low{s in SERVICES, k in KINDS} :=
    if spread_instance[s] and may_stand[s,k] and count[k] > 0 then floor(az_low[s] / class[s,k]) else 0;
param high{s in SERVICES, k in KINDS} :=
    if not may_stand[s,k] then 0
    else if single[s] then 1
    else if spread_instance[s] and count[k] > 0 then ceil(az_high[s] / class[s,k])
    else replicas[s];

/* ---- the program ---- */

var stand{s in SERVICES, (k,n) in INSTANCES}, integer, >= low[s,k], <= high[s,k];
var is{i in STANDING, (k,n) in INSTANCES: kind[i] = k}, binary;     /* the standing instance is this one */
var stay{s in SERVICES, i in STANDING, (k,n) in INSTANCES: kind[i] = k and before[s,i] > 0}, >= 0;

minimize moves: sum{s in SERVICES} replicas[s] - sum{s in SERVICES, i in STANDING, (k,n) in INSTANCES:
    kind[i] = k and before[s,i] > 0} stay[s,i,k,n];

s.t. placed{s in SERVICES}: sum{(k,n) in INSTANCES} stand[s,k,n] = replicas[s];
s.t. room{(k,n) in INSTANCES, r in RESOURCES}: sum{s in SERVICES} demand[s,r] * stand[s,k,n] <= capacity[k,r];
s.t. az_share{s in SERVICES, z in AT[s]: by_az[s]}:
    az_low[s] <= sum{(k,n) in INSTANCES: zone[k] = z} stand[s,k,n] <= az_high[s];
s.t. once{i in STANDING}: sum{(k,n) in INSTANCES: kind[i] = k} is[i,k,n] <= 1;
s.t. one{(k,n) in INSTANCES}: sum{i in STANDING: kind[i] = k} is[i,k,n] <= 1;
s.t. stood{s in SERVICES, i in STANDING, (k,n) in INSTANCES: kind[i] = k and before[s,i] > 0}:
    stay[s,i,k,n] <= before[s,i] * is[i,k,n];
s.t. stands{s in SERVICES, (k,n) in INSTANCES: exists{i in STANDING} (kind[i] = k and before[s,i] > 0)}:
    sum{i in STANDING: kind[i] = k and before[s,i] > 0} stay[s,i,k,n] <= stand[s,k,n];

/* Services that never share an instance. */
set RIVALS := setof{(s,t) in CONFLICTS} s union setof{(s,t) in CONFLICTS} t;
var there{RIVALS, INSTANCES}, binary;
s.t. is_there{s in RIVALS, (k,n) in INSTANCES}: stand[s,k,n] <= high[s,k] * there[s,k,n];
s.t. not_both{(s,t) in CONFLICTS, (k,n) in INSTANCES}: there[s,k,n] + there[t,k,n] <= 1;

solve;

printf "moves %d\n", sum{s in SERVICES} replicas[s] - sum{s in SERVICES, i in STANDING, (k,n) in INSTANCES:
    kind[i] = k and before[s,i] > 0} stay[s,i,k,n];
printf{i in STANDING, (k,n) in INSTANCES: kind[i] = k and is[i,k,n]} "%s is instance %d of %s\n", i, n, k;
printf{(k,n) in INSTANCES, s in SERVICES: stand[s,k,n] > 0} "%d of %s on instance %d of %s\n", stand[s,k,n], s, n, k;

end;
