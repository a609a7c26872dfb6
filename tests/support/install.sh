#!/bin/sh
# Installs into a scratch folder and uses what is there: sh tests/support/install.sh MAKE CC
set -eu
make=$1
cc=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
usr=$scratch/usr
$make -s install DESTDIR="$scratch" PREFIX=/usr

for file in bin/taskfit lib/libtaskfit.a include/taskfit/taskfit.h include/taskfit/status.h share/man/man1/taskfit.1 \
    share/bash-completion/completions/taskfit share/zsh/site-functions/_taskfit share/fish/vendor_completions.d/taskfit.fish; do
    [ -s "$usr/$file" ] || { echo "install: no $file" >&2; exit 1; }
done
"$usr/bin/taskfit" size examples/pcp1.yaml >"$scratch/size"

# examples/library.c against the static and the shared library
flags="-std=c11 -Wall -Wextra -Wpedantic -Werror -I$usr/include"
# shellcheck disable=SC2086 # a list of words
$cc $flags -o "$scratch/static" examples/library.c "$usr/lib/libtaskfit.a" -lglpk -lyaml -lcjson -lpcre2-8 -lm
# shellcheck disable=SC2086
$cc $flags -o "$scratch/shared" examples/library.c -L"$usr/lib" -ltaskfit -Wl,-rpath,"$usr/lib"
for program in static shared; do
    [ "$("$scratch/$program" examples/pcp1.yaml "$scratch/$program.json")" = "$(sed -n 's/^pcp1: \([0-9]*\) instances.*/\1 instances, and no fewer hold it/p' "$scratch/size")" ] ||
        { echo "install: the $program library does not answer what the program does" >&2; exit 1; }
    "$usr/bin/taskfit" verify "$scratch/$program.json" >/dev/null
    if printf 'nonsense' >"$scratch/bad.yaml" && "$scratch/$program" "$scratch/bad.yaml" "$scratch/none.json" 2>/dev/null; then
        echo "install: the $program library took nonsense" >&2 && exit 1
    fi
done

# Exactly the functions that the public headers declare can be linked.
sed -n 's/^.*\b\(taskfit_[a-z_0-9]*\)(.*/\1/p' include/taskfit/*.h | grep -v '_fn$' | sort -u >"$scratch/declared"
nm -D --defined-only "$usr/lib/libtaskfit.so" | awk '{ print $3 }' | sort >"$scratch/exported.shared"
nm -g --defined-only "$usr/lib/libtaskfit.a" | awk 'NF == 3 { print $3 }' | sort >"$scratch/exported.static"
for library in shared static; do
    diff "$scratch/declared" "$scratch/exported.$library" >&2 || { echo "install: the $library library exports other names than it declares" >&2; exit 1; }
done
echo "install: 6 passed, 0 failed"
