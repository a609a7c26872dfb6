/* fleet.mod: how many instances of each kind, so that no cut refutes the fleet?
 *
 * A cut puts a price on each task. Together they are worth at least `worth`, and what stands on one instance at most `maximum`
 * (pricing.mod), so a fleet whose maxima sum to less cannot hold them. The best fleet that keeps all cuts known either
 * holds the tasks, and is optimal, or the duals of master.mod (fixed = 1) make the next cut: so mixes of types are
 * found (src/solve/README.md). Volume is a cut whose prices are what the tasks demand.
 *
 *     glpsol -m models/fleet.mod -d models/fleet.dat
 */

set GROUPS;      /* instance groups */
set KINDS;       /* kinds of instance: group, type and AZ */
set CUTS;

/* ---- what there is ---- */

param group{KINDS}, symbolic, in GROUPS;
param type{KINDS}, symbolic;
param zone{KINDS}, symbolic;
param weight{KINDS};                        /* 1: count instances; or a price per hour */
param mixed{GROUPS}, integer, default 0;    /* 1: a group may mix its types */
param group_min{GROUPS}, integer, default 0; /* instances of the group */
param group_max{GROUPS}, integer;
set GROUP_TYPES := setof{k in KINDS} (group[k], type[k]);
set GROUP_ZONES := setof{k in KINDS} (group[k], zone[k]);
param stock{(g,t) in GROUP_TYPES}, integer, default group_max[g]; /* most instances of a type in the group */

/* ---- what is known of the tasks ---- */

param worth{CUTS};                          /* of all tasks, at the least */
param maximum{CUTS, KINDS}, default 0;      /* of what stands on one instance */

check{k in KINDS}: group[k] <> '' and type[k] <> '' and zone[k] <> '' and weight[k] >= 0;
check{g in GROUPS}: mixed[g] in {0, 1} and 0 <= group_min[g] and group_min[g] <= group_max[g];
check{(g,t) in GROUP_TYPES}: stock[g,t] >= 0;
check{c in CUTS}: worth[c] > 0;
check{c in CUTS, k in KINDS}: maximum[c,k] >= 0;

/* ---- the program ---- */

var count{KINDS}, integer, >= 0;            /* instances */
var chosen{GROUP_TYPES}, binary;            /* the type of a group that mixes none */
var base{GROUPS}, integer, >= 0;            /* fewest instances of the group in an AZ */

minimize goal: sum{k in KINDS} weight[k] * count[k];

s.t. cut{c in CUTS}: sum{k in KINDS} maximum[c,k] * count[k] >= worth[c];
s.t. balance_low{(g,z) in GROUP_ZONES}: sum{k in KINDS: group[k] = g and zone[k] = z} count[k] >= base[g];
s.t. balance_high{(g,z) in GROUP_ZONES}: sum{k in KINDS: group[k] = g and zone[k] = z} count[k] <= base[g] + 1;
s.t. size{g in GROUPS}: group_min[g] <= sum{k in KINDS: group[k] = g} count[k] <= group_max[g];
s.t. in_stock{(g,t) in GROUP_TYPES}: sum{k in KINDS: group[k] = g and type[k] = t} count[k] <= stock[g,t];
s.t. of_chosen_type{k in KINDS: not mixed[group[k]]}: count[k] <= group_max[group[k]] * chosen[group[k], type[k]];
s.t. one_type{g in GROUPS: not mixed[g]}: sum{(g,t) in GROUP_TYPES} chosen[g,t] <= 1;

solve;

printf "goal %.6f\n", goal;
printf{k in KINDS: count[k] > 0}: "%g of %s (%s, %s, %s)\n", count[k], k, group[k], type[k], zone[k];

end;
