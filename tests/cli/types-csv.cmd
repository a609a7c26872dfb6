taskfit types --family t3,t2 --sort price-per-gib --output=csv
