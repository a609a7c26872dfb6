# on a terminal, work of more than a second shows a line, and takes it away; not with -q
sh "$DATA/cli/hard.sh" 2000 >hard.yaml
script -qec 'taskfit size hard.yaml --no-ladder --time-limit 3 --out plan' log >/dev/null
escape=$(printf '\033')
grep -Eq "[1-3] s  [a-z0-9 ]+ (instances|by).*, work [0-9]+" log && echo shown
tail -n 2 log | grep -q "$escape\[K" && echo taken away
script -qec 'taskfit size hard.yaml --no-ladder --time-limit 3 --out plan -q --force' quiet >/dev/null
grep -c "$escape" quiet
