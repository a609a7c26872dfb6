"""Hands rendered files to Debian's AWS command line, which checks every key and type offline, in one process:

    /usr/bin/python3 tests/support/aws.py < list      lines of SERVICE, OPERATION and FILE, such as
                                                      ecs register-task-definition out/yaml/web.yaml
A file below yaml/ that has a twin below json/ must also mean the same to the client's own reader and to PyYAML.
"""
import contextlib
import io
import json
import os
import sys

os.environ.update(AWS_DEFAULT_REGION="us-east-1", AWS_CONFIG_FILE="/dev/null", AWS_SHARED_CREDENTIALS_FILE="/dev/null",
                  AWS_EC2_METADATA_DISABLED="true")
try:
    import yaml
    from awscli.clidriver import create_clidriver
    from ruamel.yaml import YAML
except ImportError as error:
    sys.exit(f"aws: {error} (Debian packages awscli, python3-yaml)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else yaml.safe_load(file)


def without_newer_keys(path):
    """Debian's client is of 2022; what Amazon ECS has learned since stands in no input that it takes."""
    value = read(path)
    newer = value.pop("availabilityZoneRebalancing", None), value.get("deploymentConfiguration", {}).pop("strategy", None)
    if not any(newer):
        return path
    with open(path + ".older.json", "w", encoding="utf-8") as file:
        json.dump(value, file)
    return path + ".older.json"


def refusal(driver, service, operation, path):
    path = without_newer_keys(path)
    kind = path.rsplit(".", 1)[1]
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        status = driver.main([service, operation, f"--cli-input-{kind}", f"file://{path}", "--generate-cli-skeleton", "output"])
    return said.getvalue() or f"status {status}" if status else None


def misreading(path):
    twin = path.replace("/yaml/", "/json/").removesuffix(".yaml") + ".json"
    if not path.endswith(".yaml"):
        return None
    with open(path, encoding="utf-8") as file:
        texts = ("PyYAML", yaml.safe_load(file)), ("the client", YAML(typ="safe").load(open(path, encoding="utf-8")))
    for name, meant in texts:
        if meant != read(twin):
            return f"{name} does not read what {twin} says"
    return None


def main():
    drivers = {}  # one for each operation: a driver goes on checking against its first one
    total = failed = 0
    for line in sys.stdin:
        service, operation, path = line.rstrip("\n").split(" ", 2)
        if operation not in drivers:
            drivers[operation] = create_clidriver()
        defect = refusal(drivers[operation], service, operation, path) or misreading(path)
        total += 1
        if defect:
            failed += 1
            print(f"{path}: {operation}: {defect}", file=sys.stderr)
    print(f"aws: {total - failed} passed, {failed} failed")
    return failed > 0 or total == 0


if __name__ == "__main__":
    sys.exit(main())
