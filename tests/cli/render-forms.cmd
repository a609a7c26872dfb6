# CloudFormation: a template for each service, the tags of its images as parameters
taskfit render "$EXAMPLES/minimal.yaml" -d cloud --format cloudformation
cat cloud/web.yaml cloud/taskfit.index.yaml
taskfit render "$DATA/render/rebase.yaml" --base "$DATA/render/bases" -qd cloud-bases --format cloudformation && sed -n '/Volumes:/,/Service:/p' cloud-bases/volumes.yaml
cat >images.yaml <<'END'
taskfit: 1
cluster: {name: images, instanceGroups: [{name: main, types: [m6i.large]}]}
services:
  - name: a
    containerDefinitions:
      - {name: a-b, image: "host:5000/a", memory: 64}
      - {name: a_b, image: "a@sha256:0123", memory: 64}
      - {name: a__b, image: "x/${y}:${z}", memory: 64, command: ["$(A)", "$$ $(", "${B}", "$"]}
      - {name: aB, image: "a:1", memory: 64}
END
taskfit render images.yaml -qd cloud-images --format cloudformation && grep -A 99 Parameters cloud-images/a.yaml | grep -B 99 Cluster:$ | grep -v Memory
# Kubernetes: a Deployment or a DaemonSet
taskfit render "$DATA/render/everything.yaml" -d kube --format kubernetes
cat kube/long-family.yaml kube/log-agent.yaml
taskfit render "$DATA/render/groups.yaml" -qd kube-groups --format kubernetes && grep -A 2 rollingUpdate kube-groups/packed.yaml
taskfit render images.yaml -d no --format kubernetes; echo $?
sed 's/aB/ab/; s/a_b/c/; s/a__b/d/' images.yaml | taskfit render - -qd kube-images --format kubernetes && grep -A 4 args kube-images/a.yaml
taskfit render images.yaml --set a.deploymentConfiguration.maximumPercent=100 --set 'a.name=-a' -d no --format kubernetes; echo $?
# another form in the same folder replaces nothing by itself
taskfit render "$EXAMPLES/minimal.yaml" -d cloud --format kubernetes; echo $?
ls cloud
