# everything that goes wrong in wikis, in one table; then straight into size
taskfit import table "$DATA/import/table-ugly.txt" --comments
taskfit import table "$DATA/import/table-ugly.txt" --strict; echo $?
taskfit import auto "$DATA/import/pcp1-table.txt" -q |
    taskfit size - --set 'cluster.instanceGroups=[{name: main, types: [m6i.2xlarge]}]' --set policy.rollingDeployment=none | head -2
taskfit import auto "$DATA/import/pcp1-table.txt" "$DATA/import/relc-table.csv"; echo $?
