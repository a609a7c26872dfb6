# a file for each service, in a folder made for it; JSON on demand
taskfit render "$EXAMPLES/minimal.yaml" -d a/b/c
cat a/b/c/web.yaml
taskfit render "$EXAMPLES/minimal.yaml" -qd json --format=json
cat json/web.json
taskfit render - -d stdin <"$EXAMPLES/minimal.yaml"
cmp stdin/web.yaml a/b/c/web.yaml
