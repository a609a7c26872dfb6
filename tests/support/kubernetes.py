"""What is wrong with a manifest, by what Kubernetes takes in the fields that are written."""
import re

LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
QUANTITY = r"[1-9][0-9]*(m|Mi)?"
PORT = range(1, 65536)


def text(pattern=r".*"):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.DOTALL)


def number(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def selector(value):
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


LABELS = {"app.kubernetes.io/name": text(LABEL)}
SELECTOR = {"matchLabels?": LABELS, "matchExpressions?": [{"key": text(), "operator": text("In"), "values": [text(LABEL)]}]}
AMOUNTS = {"cpu?": text(QUANTITY), "memory?": text(QUANTITY), "nvidia.com/gpu?": text(QUANTITY)}
CONTAINER = {
    "name": text(LABEL), "image": text(".+"), "command?": [text()], "args?": [text()], "workingDir?": text(),
    "ports?": [{"containerPort": PORT, "hostPort?": PORT, "protocol": text("TCP|UDP")}],
    "env?": [{"name": text(".+"), "value": text()}],
    "resources?": {"requests?": AMOUNTS, "limits?": AMOUNTS},
}
SPREAD = {"maxSkew": number, "topologyKey": text(".+"), "whenUnsatisfiable": text("DoNotSchedule|ScheduleAnyway"), "labelSelector": SELECTOR}
POD = {
    "hostNetwork?": lambda value: value is True, "nodeSelector?": selector, "containers": [CONTAINER], "topologySpreadConstraints?": [SPREAD],
    "affinity?": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"labelSelector": SELECTOR, "topologyKey": text(".+")}]}},
}
MANIFEST = {
    "apiVersion": text("apps/v1"), "kind": text("Deployment|DaemonSet"), "metadata": {"name": text(LABEL), "labels": LABELS},
    "spec": {
        "replicas?": number, "strategy?": {"type": text("RollingUpdate"), "rollingUpdate": {"maxSurge": number, "maxUnavailable": number}},
        "selector": {"matchLabels": LABELS}, "template": {"metadata": {"labels": LABELS}, "spec": POD},
    },
}


def mismatches(path, value, shape):
    if isinstance(shape, list):
        if not isinstance(value, list) or not value:
            yield f"{path}: no list"
        else:
            for index, item in enumerate(value):
                yield from mismatches(f"{path}[{index}]", item, shape[0])
    elif isinstance(shape, dict):
        known = {key.rstrip("?"): inner for key, inner in shape.items()}
        if not isinstance(value, dict):
            yield f"{path}: no map"
            return
        yield from (f"{path}.{key}: is missing" for key in shape if key[-1] != "?" and key not in value)
        for key, item in value.items():
            if key in known:
                yield from mismatches(f"{path}.{key}", item, known[key])
            else:
                yield f"{path}.{key}: unknown field"
    elif not (value in shape if isinstance(shape, range) else shape(value)):
        yield f"{path}: {value!r}"


def together(manifest):
    spec = manifest["spec"]
    if (manifest["kind"] == "Deployment") != ("replicas" in spec):
        yield "replicas belong to a Deployment"
    if manifest["kind"] == "Deployment" and sum(spec["strategy"]["rollingUpdate"].values()) == 0:
        yield "maxSurge and maxUnavailable are both 0"
    if spec["selector"]["matchLabels"] != spec["template"]["metadata"]["labels"]:
        yield "the selector does not select the pods"
    names = [container["name"] for container in spec["template"]["spec"]["containers"]]
    if len(set(names)) < len(names):
        yield "two containers have one name"


def defects(manifest):
    found = list(mismatches("", manifest, MANIFEST))
    return found or list(together(manifest))
