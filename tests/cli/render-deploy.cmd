# deploy.sh prints each step, and only with --yes takes it: the largest tasks first, after the daemons
render() {
    taskfit render "$DATA/render/groups.yaml" "$@"
}
cat >aws <<'END'
#!/bin/sh
printf 'aws' >>log
for argument; do printf ' [%s]' "$argument" >>log; done
echo >>log
case "$*" in
    *register*fail*) exit 9 ;;
    *register*) echo 'arn:x:1' ;;
    *wait*) ;;
    *) echo updated ;;
esac
END
chmod +x aws
render -qd out
AWS=$PWD/aws sh out/deploy.sh; echo $?
ls log 2>&1 | cut -d: -f1
AWS=$PWD/aws sh out/deploy.sh --yes >said; echo $?
head -2 said
mv out/log log && cat log
(cd / && AWS=$OLDPWD/aws sh "$OLDPWD/out/deploy.sh" --create --yes --no-wait | tail -1)
head -4 out/log
sh out/deploy.sh --really; echo $?
# a step that fails ends it
sed -i 's/fail/both/' aws
AWS=$PWD/aws sh out/deploy.sh --yes | tail -2
# names that a shell could take for something else stay names, wherever the folder is
cat >hostile.yaml <<'END'
taskfit: 1
cluster: {name: -rf, region: --help, instanceGroups: [{name: -x, types: [m6i.large]}]}
services:
  - {name: -yes, image: "x:$(touch pwned)", memory: 64, group: -x}
  - {name: --no-wait, family: -, image: "x;touch pwned", memory: 64}
END
folder='a b; touch pwned; $(touch pwned) `touch pwned` '"'"'"*'
taskfit render hostile.yaml -qd "$folder"
AWS=$PWD/aws sh "$folder/deploy.sh" --yes
cat "$folder/log"
ls "$folder"
find . -name pwned
for name in "a'; touch pwned; '" 'a b' 'a
touch pwned' '$(touch pwned)'; do
    taskfit render hostile.yaml --set "cluster.name=$(printf '%s' "$name" | sed -z "s|\n|\\n|g; s|.*|\"&\"|")" -d no; echo $?
done
