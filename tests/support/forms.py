"""Checks templates and manifests: /usr/bin/python3 tests/support/forms.py FILE..."""
import sys

try:
    import yaml
except ImportError as error:
    sys.exit(f"forms: {error} (Debian package python3-yaml)")

import cloudformation
import kubernetes


def main():
    failed = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            document = yaml.safe_load(file)
        defects = cloudformation.defects(document) if "Resources" in document else kubernetes.defects(document)
        failed += bool(defects)
        for defect in defects:
            print(f"{path}: {defect}", file=sys.stderr)
    print(f"forms: {len(sys.argv) - 1 - failed} passed, {failed} failed")
    return failed > 0 or len(sys.argv) == 1


if __name__ == "__main__":
    sys.exit(main())
