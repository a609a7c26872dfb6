# --out: whole files, never over others without --force
taskfit types --family a1 -o csv --out types.csv
taskfit types --family a1 -o csv --out types.csv && echo same is fine
taskfit types --family t1 -o csv --out types.csv || echo "exit $?"
taskfit types --family t1 -o csv --out types.csv -n && echo nothing written
grep -c a1 types.csv
taskfit types --family t1 -o csv --out types.csv --force
cat types.csv
taskfit types --family t1 -o csv --out new.csv --dry-run
taskfit types --out no/where || echo "exit $?"
taskfit types --out . || echo "exit $?"
taskfit types --family t1 --out -
ls
