#!/bin/sh
# Runs every ```console block of a Markdown file and compares it with what the file shows:
#     tests/support/readme.sh FOLDER_OF_PROGRAM FILE [--update]
# A line that starts with "$ " is a command, the lines up to the next one are its output, stderr included. The
# blocks run in order in one scratch folder that has examples/. --update writes the real output into FILE.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$(cd "$1" && pwd):$PATH
file=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
update=${3:-}
TASKFIT_TIME_LIMIT=600 # the wall clock must not decide what the file shows
export PATH TASKFIT_TIME_LIMIT LC_ALL=C

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/blocks" "$scratch/work"
ln -s "$root/examples" "$scratch/work/examples"

# block N becomes N.want, what the file shows, and N.sh, which prints the same transcript
awk -v folder="$scratch/blocks" '
    /^```/ && inside { inside = 0; close(want); close(script); next }
    /^```console$/ {
        inside = 1; n++; want = folder "/" n ".want"; script = folder "/" n ".sh"
        printf "" > want
        print "shown=0; again() { return $shown; }" > script
        next
    }
    inside {
        print > want
        if (/^\$ /) {
            quoted = $0; gsub(/\047/, "\047\\\047\047", quoted)
            print "printf \047%s\\n\047 \047" quoted "\047; again; " substr($0, 3) "; shown=$?" > script
        }
    }' "$file"

failed=0
n=1
while [ -e "$scratch/blocks/$n.sh" ]; do
    (cd "$scratch/work" && sh "$scratch/blocks/$n.sh") >"$scratch/blocks/$n.got" 2>&1 </dev/null || true
    if [ -z "$update" ] && ! diff -u --label "$2 shows" --label "taskfit says" "$scratch/blocks/$n.want" "$scratch/blocks/$n.got"; then
        failed=$((failed + 1))
    fi
    n=$((n + 1))
done
if [ "$n" -eq 1 ]; then
    echo "readme: no console block in $2" >&2
    exit 1
fi

if [ -n "$update" ]; then
    awk -v folder="$scratch/blocks" '
        /^```/ && inside { inside = 0 }
        inside { next }
        { print }
        /^```console$/ {
            inside = 1; n++; got = folder "/" n ".got"
            while ((getline line < got) > 0) print line
        }' "$file" >"$scratch/new"
    cat "$scratch/new" >"$file"
fi
echo "readme: $((n - 1 - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
