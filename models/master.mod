/* master.mod: which patterns, how often?
 *
 * A pattern is what stands on one instance: tasks of each profile, within the bounds of pricing.mod. With all patterns
 * written down the rest is a small program with strong relaxation; column generation finds the few that matter
 * (src/solve/README.md). Patterns cover: whatever they hold too much is left out, so only those to which nothing can be
 * added are needed, and the empty one, for instances that only min or balance asks for.
 *
 * Two programs in one:
 *   optimization: fewest or cheapest instances (weight), balanced over AZs;
 *   decision:     fixed = 1: the fleet is `most` of each kind, and theta the factor by which it would have to be larger. A goal
 *                 above `fleet` says that the tasks do not fit. Its relaxation is what src/solve/master.c solves.
 *
 *     glpsol -m models/master.mod -d models/master.dat            (with --nomip: the relaxation)
 */

set PROFILES;    /* alike services */
set ZONES;       /* AZs */
set GROUPS;      /* instance groups */
set KINDS;       /* kinds of instance: group, type and AZ */
set PATTERNS;

/* ---- what there is ---- */

param fixed, integer, default 0;
param group{KINDS}, symbolic, in GROUPS;
param type{KINDS}, symbolic;
param zone{KINDS}, symbolic, in ZONES;
param weight{KINDS}, default 1;               /* 1: count instances; or USD per hour */
param most{KINDS}, integer;                   /* instances of the kind */
param fleet := sum{k in KINDS} most[k];
set GROUP_TYPES := setof{k in KINDS} (group[k], type[k]);
set GROUP_ZONES := setof{k in KINDS} (group[k], zone[k]);
param mixed{GROUPS}, integer, default 0;      /* 1: a group may mix its types */
param group_min{GROUPS}, integer, default 0;  /* instances of the group */
param group_max{GROUPS}, integer, default fleet;
param stock{GROUP_TYPES}, integer, default fleet; /* most instances of a type in the group */

/* ---- what must stand ---- */

param services{PROFILES}, integer;            /* alike services in the profile: S */
param replicas{PROFILES}, integer;            /* tasks of each: r */
param tasks{p in PROFILES} := services[p] * replicas[p];
param zone_low{PROFILES, ZONES}, integer, default 0;              /* spread: S * floor(r / AZs) */
param zone_high{p in PROFILES, ZONES}, integer, default tasks[p]; /* spread: S * ceil(r / AZs) */
param low{PROFILES, KINDS}, integer, default 0; /* tasks that stand on each instance of the kind (spread by instance) */

/* ---- patterns ---- */

param contains{PATTERNS, PROFILES}, integer, default 0;
set FITS, within PATTERNS cross KINDS;        /* on which kinds of instance a pattern may stand */

check fixed in {0, 1};
check{k in KINDS}: group[k] <> '' and type[k] <> '' and zone[k] <> '';
check{k in KINDS}: weight[k] >= 0 and most[k] >= 0;
check{g in GROUPS}: mixed[g] in {0, 1};
check{g in GROUPS}: 0 <= group_min[g] and group_min[g] <= group_max[g];
check{(g,t) in GROUP_TYPES}: stock[g,t] >= 0;
check{p in PROFILES}: services[p] >= 1 and replicas[p] >= 1;
check{p in PROFILES, z in ZONES}: 0 <= zone_low[p,z] and zone_low[p,z] <= zone_high[p,z];
check{p in PROFILES, k in KINDS}: low[p,k] = 0 or (low[p,k] > 0 and fixed = 1); /* it depends on the number of instances */
check{j in PATTERNS, p in PROFILES}: contains[j,p] >= 0;
check{(j,k) in FITS, p in PROFILES}: contains[j,p] >= low[p,k];

/* ---- the program ---- */

var use{FITS}, integer, >= 0;                 /* instances of the kind with the pattern */
var share{p in PROFILES, z in ZONES}, >= zone_low[p,z], <= zone_high[p,z]; /* tasks in the AZ; whole of itself */
var theta, >= 0;                              /* fixed: the fleet, scaled by it, is enough */
var chosen{GROUP_TYPES}, binary;              /* the type of a group that mixes none */
var base{GROUPS}, integer, >= 0;              /* fewest instances of the group in an AZ */

minimize goal: if fixed then fleet * theta else sum{(j,k) in FITS} weight[k] * use[j,k];

s.t. replica{p in PROFILES}: sum{z in ZONES} share[p,z] = tasks[p];
s.t. cover{p in PROFILES, z in ZONES}: sum{(j,k) in FITS: zone[k] = z} contains[j,p] * use[j,k] >= share[p,z];
s.t. uncut{p in PROFILES, z in ZONES}: share[p,z] >= sum{k in KINDS: zone[k] = z} low[p,k] * most[k];
s.t. of_kind{k in KINDS}: sum{(j,k) in FITS} use[j,k] <= most[k] * (if fixed then theta else 1);

/* Fleets: balanced over the AZs of the group, one type unless mixed, min, max and stock. */
s.t. balance_low{(g,z) in GROUP_ZONES: not fixed}:
    sum{(j,k) in FITS: group[k] = g and zone[k] = z} use[j,k] >= base[g];
s.t. balance_high{(g,z) in GROUP_ZONES: not fixed}:
    sum{(j,k) in FITS: group[k] = g and zone[k] = z} use[j,k] <= base[g] + 1;
s.t. of_chosen_type{k in KINDS: not fixed and not mixed[group[k]]}:
    sum{(j,k) in FITS} use[j,k] <= most[k] * chosen[group[k], type[k]];
s.t. one_type{g in GROUPS: not mixed[g]}: sum{(g,t) in GROUP_TYPES} chosen[g,t] <= 1;
s.t. size{g in GROUPS: not fixed}: group_min[g] <= sum{(j,k) in FITS: group[k] = g} use[j,k] <= group_max[g];
s.t. in_stock{(g,t) in GROUP_TYPES: not fixed and stock[g,t] < fleet}:
    sum{(j,k) in FITS: group[k] = g and type[k] = t} use[j,k] <= stock[g,t];

solve;

printf "goal %.6f\n", goal;
printf{(j,k) in FITS: use[j,k] > 0}: "%g instances with pattern %s on %s (%s, %s, %s)\n", use[j,k], j, k, group[k], type[k], zone[k];

end;
