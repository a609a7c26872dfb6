# --set and --policy change the deployment; what they cannot change is told
render() { taskfit render -q "$EXAMPLES/minimal.yaml" -d out --force "$@"; }
render --set web.memory=1Gi --set=web.cpu=256 && grep -E 'cpu|memory' out/web.yaml
render --set 'wbe.memory=1'; echo $?
render --set nonsense; echo $?
render --set web.memory=x; echo $?
render --policy spread=never; echo $?
render --policy spraed=required; echo $?
render --scenario none; echo $?
