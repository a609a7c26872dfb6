/* pricing.mod: the content of one instance that is worth most, when each task has a price.
 *
 * A bounded knapsack of several dimensions with lower bounds and conflicts. Column generation asks it for patterns worth
 * more than the master program (master.mod) pays; the same optimum proves that no pattern is worth more.
 *
 *     glpsol -m models/pricing.mod -d models/pricing.dat
 */

set PROFILES;    /* alike services */
set RESOURCES;   /* memory, cpu, ..., and one of capacity 1 for each fixed host port that two services want */

param capacity{RESOURCES};                               /* of the instance, for tasks */
param demand{PROFILES, RESOURCES}, default 0;            /* of one task */
param price{PROFILES};                                   /* of one task: a dual price of the master program */
param low{PROFILES}, integer, default 0;                 /* tasks that stand there in any case */
param high{PROFILES}, integer;                           /* distinctInstance: services of the profile; 0: may not stand */
set CONFLICTS, within PROFILES cross PROFILES, default setof{p in PROFILES: 0} (p,p);   /* never both */

check{r in RESOURCES}: capacity[r] >= 0;
check{p in PROFILES, r in RESOURCES}: demand[p,r] >= 0;
check{p in PROFILES}: price[p] >= 0;
check{p in PROFILES}: 0 <= low[p] and low[p] <= high[p];
check{(p,q) in CONFLICTS}: p <> q;

var stand{p in PROFILES}, integer, >= low[p], <= high[p];

maximize worth: sum{p in PROFILES} price[p] * stand[p];

s.t. room{r in RESOURCES}: sum{p in PROFILES} demand[p,r] * stand[p] <= capacity[r];

set RIVALS := setof{(p,q) in CONFLICTS} p union setof{(p,q) in CONFLICTS} q;
var there{RIVALS}, binary;
s.t. is_there{p in RIVALS}: stand[p] <= high[p] * there[p];
s.t. not_both{(p,q) in CONFLICTS}: there[p] + there[q] <= 1;

solve;

printf "worth %.6f\n", worth;
printf{p in PROFILES: stand[p] > 0}: "%d tasks of %s\n", stand[p], p;

end;
