# every defect at once, each with its place: exit 3
cat >bad.yaml <<'END'
taskfit: 1
cluster:
  instanceGroups:
    - {name: main, types: [r7g.2xlrage]}
services:
  - {name: web, image: nginx:1.28, memroy: 512}
  - {name: api, image: nginx:1.28, memory: 512MB}
END
taskfit render bad.yaml -d out; echo $?
taskfit render - -d out <bad.yaml; echo $?
printf 'taskfit: 1\nservices: [' | taskfit render - -d out; echo $?
: | taskfit render - -d out; echo $?
head -c 160000 /dev/zero | tr '\0' '[' | taskfit render - -d out; echo $?
taskfit render none.yaml -d out; echo $?
taskfit render . -d out; echo $?
ls
