# nothing half done: no folder, no image, no room
taskfit render "$EXAMPLES/minimal.yaml"; echo $?
taskfit render -d out; echo $?
sed 's/image: [^,]*, //' "$EXAMPLES/minimal.yaml" >no-image.yaml
taskfit render no-image.yaml -d out; echo $?
: >file
taskfit render "$EXAMPLES/minimal.yaml" -d file; echo $?
taskfit render "$EXAMPLES/minimal.yaml" -d file/below; echo $?
mkdir -p taken/web.yaml
taskfit render "$EXAMPLES/minimal.yaml" -d taken; echo $?
ls -R
