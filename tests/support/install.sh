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
"$usr/bin/taskfit" size examples/minimal.yaml >/dev/null

cat >"$scratch/user.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <taskfit/taskfit.h>

int main(void) {
    static const char text[] = "taskfit: 1\ncluster: {instanceGroups: [{name: main, types: [m6i.large]}]}\n"
                               "services: [{name: web, memory: 4Gi, desiredCount: 3}]\n";
    taskfit_deployment *deployment = NULL;
    taskfit_plan *plan = NULL;
    taskfit_settings settings;
    taskfit_error err = {0};
    taskfit_settings_init(&settings);
    if (taskfit_deployment_parse("text", text, strlen(text), NULL, &deployment, &err) != TASKFIT_OK ||
        taskfit_size(deployment, &settings, &plan, &err) != TASKFIT_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("%d\n", (int)taskfit_plan_instances(plan));
    taskfit_plan_free(plan);
    taskfit_deployment_free(deployment);
    return 0;
}
END
$cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$usr/include" -o "$scratch/user" "$scratch/user.c" -L"$usr/lib" -ltaskfit \
    -lglpk -lyaml -lcjson -lpcre2-8 -lm
[ "$("$scratch/user")" = 3 ] || { echo "install: the library does not answer 3" >&2; exit 1; }
echo "install: 1 passed, 0 failed"
