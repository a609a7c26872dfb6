"""Hands rendered files to Debian's AWS command line, which checks every key and type offline, in one process:

    /usr/bin/python3 tests/support/aws.py < list      lines of OPERATION and FILE, such as
                                                      ecs register-task-definition out/web.yaml
A YAML file that has a JSON twin must also mean the same as that to the client's own reader and to PyYAML.
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


def refusal(driver, service, operation, path):
    kind = "json" if path.endswith(".json") else "yaml"
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        status = driver.main([service, operation, f"--cli-input-{kind}", f"file://{path}", "--generate-cli-skeleton", "output"])
    return said.getvalue() or f"status {status}" if status else None


def misreading(path):
    twin = path[: -len(".yaml")] + ".json"
    if not path.endswith(".yaml") or not os.path.exists(twin):
        return None
    with open(twin, encoding="utf-8") as file:
        meant = json.load(file)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, read in (("PyYAML", yaml.safe_load(text)), ("the client", YAML(typ="safe").load(text))):
        if read != meant:
            return f"{name} does not read what {twin} says"
    return None


def main():
    driver = create_clidriver()
    total = failed = 0
    for line in sys.stdin:
        service, operation, path = line.rstrip("\n").split(" ", 2)
        defect = refusal(driver, service, operation, path) or misreading(path)
        total += 1
        if defect:
            failed += 1
            print(f"{path}: {operation}: {defect}", file=sys.stderr)
    print(f"aws: {total - failed} passed, {failed} failed")
    return failed > 0 or total == 0


if __name__ == "__main__":
    sys.exit(main())
