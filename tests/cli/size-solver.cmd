# the compact model finds the same number
instances() { sed -n 's/^\t"instances":\t\([0-9]*\),/\1/p'; }
taskfit size "$EXAMPLES/pcp1.yaml" -o json | instances
taskfit size "$EXAMPLES/pcp1.yaml" -o json --solver compact | instances
