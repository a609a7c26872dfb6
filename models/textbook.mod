/* textbook.mod: every task on one instance, every instance opened or not.
 *
 * The model everybody writes first: a binary for each pair of task and instance. It is the plainest statement of
 * the rules and hopeless beyond a few dozen tasks, as all permutations of instances and of a service's tasks are
 * the same plan. aggregated.mod says the same with far fewer variables; both are solved in the tests.
 *
 * One type of instance, AZs alike: instance j stands in AZ 1 + (j-1) mod zones, so that opening them in order keeps
 * the AZs balanced (their counts differ by at most 1).
 *
 *     glpsol -m models/textbook.mod -d models/textbook.dat
 */

set TASKS;
set RESOURCES;
param service{TASKS}, symbolic;               /* whose task it is */
set SERVICES := setof{i in TASKS} service[i];

param need{TASKS, RESOURCES};                 /* MiB, CPU units, ... */
param capacity{RESOURCES};                    /* of one instance, for tasks */
param zones, integer, default 1;              /* AZs */
param instances_max, integer;                 /* as many as could be needed */
param distinct{SERVICES}, default 0;          /* 1: distinctInstance */
param spread_zone{SERVICES}, default 0;       /* 1: tasks over all AZs differ by at most 1 */
param spread_instance{SERVICES}, default 0;   /* 1: tasks per instance of an AZ (of all, without spread_zone) differ by at most 1 */

check{i in TASKS}: service[i] <> '';
check{i in TASKS, r in RESOURCES}: need[i,r] >= 0;
check{r in RESOURCES}: capacity[r] >= 0;
check zones >= 1;
check instances_max >= 1;
check{s in SERVICES}: distinct[s] in {0, 1} and spread_zone[s] in {0, 1} and spread_instance[s] in {0, 1};
check{i in TASKS, r in RESOURCES}: need[i,r] <= capacity[r];  /* else no fleet holds it */

set INSTANCES := 1..instances_max;
param zone{j in INSTANCES} := 1 + (j - 1) mod zones;
param tasks{s in SERVICES} := sum{i in TASKS: service[i] = s} 1;

var stands{TASKS, INSTANCES}, binary;
var open{INSTANCES}, binary;
/* fewest tasks of a service on an instance, in each class within which it is spread */
set LEVELS := setof{s in SERVICES, z in 1..zones: spread_instance[s]} (s, if spread_zone[s] then z else 1);
var level{LEVELS}, integer, >= 0;

minimize instances: sum{j in INSTANCES} open[j];

s.t. placed{i in TASKS}: sum{j in INSTANCES} stands[i,j] = 1;
s.t. room{j in INSTANCES, r in RESOURCES}: sum{i in TASKS} need[i,r] * stands[i,j] <= capacity[r] * open[j];
s.t. in_order{j in INSTANCES: j > 1}: open[j] <= open[j-1];
s.t. none_on_closed{i in TASKS, j in INSTANCES}: stands[i,j] <= open[j]; /* tasks that need nothing, too */

s.t. apart{s in SERVICES, j in INSTANCES: distinct[s]}: sum{i in TASKS: service[i] = s} stands[i,j] <= 1;

s.t. zone_share{s in SERVICES, z in 1..zones: spread_zone[s]}:
    floor(tasks[s] / zones) <= sum{i in TASKS, j in INSTANCES: service[i] = s and zone[j] = z} stands[i,j] <= ceil(tasks[s] / zones);

s.t. at_least{s in SERVICES, j in INSTANCES: spread_instance[s]}:
    sum{i in TASKS: service[i] = s} stands[i,j] >= level[s, if spread_zone[s] then zone[j] else 1] - tasks[s] * (1 - open[j]);
s.t. at_most{s in SERVICES, j in INSTANCES: spread_instance[s]}:
    sum{i in TASKS: service[i] = s} stands[i,j] <= level[s, if spread_zone[s] then zone[j] else 1] + 1;

solve;

printf "instances %d\n", instances;
printf{j in INSTANCES, i in TASKS: open[j] and stands[i,j]}: "%s on instance %d in AZ %d\n", i, j, zone[j];

end;
