# included files are found beside the file that includes them
mkdir -p sub/deep
printf 'taskfit: 1\ninclude: [deep/more.yaml]\nservices: [{name: b, image: x, memory: 64}]\n' >sub/inc.yaml
printf 'taskfit: 1\nservices: [{name: c, image: x, memory: 64}]\n' >sub/deep/more.yaml
cat >main.yaml <<'END'
taskfit: 1
include: [sub/inc.yaml]
cluster: {instanceGroups: [{name: main, types: [m6i.large]}]}
services: [{name: a, image: x, memory: 64}]
END
taskfit render main.yaml -d out && ls out
(cd sub && taskfit render ../main.yaml -d ../out)
sed -i 's/inc.yaml/none.yaml/' main.yaml
taskfit render main.yaml -d out; echo $?
