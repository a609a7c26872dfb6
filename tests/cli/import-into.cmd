# hand-written comments stay at their keys and items, notes of an earlier import are written anew
cat >base.yaml <<'END'
# The shop of relc
#   by hand, 2025
taskfit: 1
cluster: # where
  name: shop
  instanceGroups:
    # the one group
    - {name: main, types: [m6i.large], # cheap
       current: 3}   # of today
defaults: {desiredCount: 2}
services:
  # the first
  - name: by-hand       # nobody's
    memory: 64
    image: "x#y:1"      # '#' in quotes
    environment:
      - {name: A, value: 'it''s # no comment'}  # but this is
      - name: B
        value: |
          # content
          more
        # of the block
  # tuned in March
  - name: mod-a
    image: folio/mod-a:0.9.0 # old
    memory: 1Gi # hard
    memoryReservation: 512 # soft
    # about placement
    placementConstraints: [{type: distinctInstance}]
# import: left over from an import
policy: {surviveLoss: instance}
# the end
END
printf '{"mod-a": {"HardLimit": 1024, "SoftLimit": 896, "CPUUnits": 128, "Version": "mod-a:1.0.0"}, "mod-new": {"HardLimit": 64, "CPUUnits": 1}}' >new.json
taskfit import ecs-check new.json --into base.yaml --comments -q | tee first.yaml
taskfit import ecs-check new.json --into first.yaml --comments -q | cmp - first.yaml
taskfit import ecs-check new.json --into first.yaml -q | diff first.yaml -
echo '--- services by name, no comments'
printf '{"taskfit": 1, "services": {"mod-a": {"memory": "1Gi", "sidecar": "eureka"}, "mod-b": {"containerDefinitions": [{"name": "x", "memory": 4}]}}}' >map.json
printf '{"mod-a": {"HardLimit": 1024, "CPUUnits": 1, "sidecars": [{"HardLimit": 64, "SoftLimit": 32}]}, "mod-b": {"HardLimit": 8, "Version": "mod-b:1", "CPUUnits": 2, "sidecars": [{"HardLimit": 16, "SoftLimit": 9}]}}' >both.json
taskfit import ecs-check both.json --into map.json --comments -q
