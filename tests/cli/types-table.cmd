taskfit types --family r7g,m6i --min-memory 30Gi --min-cpu '8 vCPU' --sort price
taskfit types -o wide --family=m7i-flex
