#!/bin/sh
# Checks that each stage includes only what src/README.md's layer table allows, and that each foreign
# library's header stays in the files that wrap it. Prints every offence; exit 1 if there is one.
set -eu
cd "$(dirname "$0")/../.."
bad=0

offence() {
    echo "layers: $1" >&2
    bad=1
}

# allowed STAGE: the stages whose headers it may include, besides the public ones
allowed() {
    case $1 in
        base) echo base ;;
        input) echo base input ;;
        catalogue) echo base input catalogue ;;
        deployment) echo base input catalogue deployment ;;
        problem) echo base input catalogue deployment problem ;;
        solve) echo base deployment problem solve ;;
        simulate) echo base deployment problem simulate ;;
        ladder) echo base deployment check problem solve simulate ladder ;;
        check) echo base catalogue deployment check ;;
        rightsize) echo base input deployment check rightsize ;;
        whatif) echo base input catalogue deployment problem solve simulate ladder whatif ;;
        import) echo base input catalogue deployment problem import ;;
        render) echo base input catalogue deployment problem simulate ladder whatif check render ;;
        report) echo base input catalogue deployment problem simulate ladder whatif check rightsize report ;;
        *) echo "" ;;
    esac
}

for file in $(find src -name '*.[ch]' | sort); do
    stage=$(echo "$file" | cut -d/ -f2)
    for include in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
        target=$(dirname "$include" | cut -d/ -f1)
        case $stage:$include in
            *:taskfit/*) continue ;;
            cli:base/file.h | cli:base/strbuf.h | cli:base/attrs.h | cli:base/diff.h | cli:base/units.h) continue ;;
            cli:cli/*) continue ;;
            cli:*) offence "$file includes $include: cli/ sees only taskfit/*.h and base/{file,strbuf,attrs,diff,units}.h" && continue ;;
        esac
        case " $(allowed "$stage") " in
            *" $target "*) ;;
            *) offence "$file ($stage) includes $include" ;;
        esac
    done
done

# library header, files that may include it
wrapped() {
    for file in $(grep -rl --include='*.[ch]' "#include <$1>" src || true); do
        case $file in
            $2) ;;
            *) offence "$file includes <$1>" ;;
        esac
    done
}
wrapped glpk.h 'src/solve/*'
wrapped yaml.h 'src/input/*yaml.c'
wrapped pcre2.h 'src/deployment/query_pattern.c'
wrapped cJSON.h 'src/input/*json.c'
wrapped cjson/cJSON.h 'src/input/*json.c'
exit $bad
