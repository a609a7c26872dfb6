# each form of the integer program goes through glpsol, to taskfit's own optimum
taskfit size "$EXAMPLES/pcp1.yaml" -o json | sed -n 's/^\t"lowerBound":\t\([0-9]*\),/optimum \1/p'
taskfit model "$EXAMPLES/pcp1.yaml" --out pcp1.dat
taskfit model "$EXAMPLES/pcp1.yaml" --write lp --out pcp1.lp
taskfit model "$EXAMPLES/pcp1.yaml" --write=mps >pcp1.mps
optimum() { sed -n 's/^Objective: .* = \([0-9]*\) (MINimum)/optimum \1/p' "$1"; }
glpsol -m "$EXAMPLES/../models/aggregated.mod" -d pcp1.dat -o out >log || cat log; optimum out
glpsol --lp pcp1.lp -o out >log || cat log; optimum out
glpsol --freemps pcp1.mps -o out >log || cat log; optimum out
taskfit size "$EXAMPLES/pcp1.yaml" -o json --out plan.json
taskfit model plan.json --write lp | cmp - pcp1.lp && echo a plan gives the same
taskfit model "$EXAMPLES/pcp1.yaml" --write cplex; echo "exit $?"
taskfit model none.yaml; echo "exit $?"
