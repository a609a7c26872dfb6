# a full disk is a failure, not a silent loss
taskfit types >/dev/full; echo $?
taskfit version >/dev/full; echo $?
taskfit help >/dev/full; echo $?
taskfit types --out /dev/full; echo $?
