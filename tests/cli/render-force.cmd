# files that exist and differ stay, and then none is written; -n shows what would change
cat >two.yaml <<'END'
taskfit: 1
cluster: {instanceGroups: [{name: main, types: [m6i.large]}]}
services:
  - {name: a, image: "x:1", memory: 64}
  - {name: b, image: "x:1", memory: 64}
END
taskfit render two.yaml -d out -n
ls
taskfit render two.yaml -d out
taskfit render two.yaml -d out && echo the same again is fine
sed -i 's/name: b, image: "x:1"/name: b, image: "x:2"/; s/name: a/name: new/' two.yaml
taskfit render two.yaml -d out; echo $?
ls out
taskfit render two.yaml -d out -n
ls out
taskfit render two.yaml -d out --force
ls out
grep image out/b.yaml
echo mine > out/mine.yaml
taskfit render two.yaml -d out --format json --force
ls out
echo 'files: [{file: ../two.yaml}, {file: .hidden}, {file: mine.yaml}, 7, {}]' > out/taskfit.index.yaml
taskfit render two.yaml -d out --format json
echo '{' > out/taskfit.index.json
taskfit render two.yaml -d out --format json --force; echo $?
