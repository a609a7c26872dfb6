"""What is wrong with a template, by the fields of CloudFormation with their types, values and which are required."""
import re

TYPES = {"object": dict, "map": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
PARAMETERS = {"String", "List<AWS::EC2::Subnet::Id>", "List<AWS::EC2::SecurityGroup::Id>"}


def read_fields(path):
    fields = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                name, kind, required, values = (line.rstrip("\n").split("\t") + ["", ""])[:4]
                fields[name] = kind, bool(required), values.split("|") if values else None
    return fields


class Checker:
    def __init__(self, fields, template):
        self.fields, self.template, self.defects = fields, template, []

    def intrinsic(self, path, value):
        """A reference stands for a string or a list; what it names must be there."""
        known = set(self.template["Parameters"]) | set(self.template["Resources"])
        (function, text), = value.items()
        named = [text] if function == "Ref" else re.findall(r"\$\{([^!][^}]*)\}", text)
        if function not in ("Ref", "Fn::Sub") or not named or not set(named) <= known:
            self.defects.append(f"{path}: {value} refers to nothing")

    def check(self, path, value):
        if path not in self.fields:
            self.defects.append(f"{path}: unknown field")
            return
        kind, _, values = self.fields[path]
        if isinstance(value, dict) and len(value) == 1 and set(value) <= {"Ref", "Fn::Sub"}:
            self.intrinsic(path, value)
            return
        if kind != "any" and (not isinstance(value, TYPES[kind]) or (kind != "boolean" and isinstance(value, bool))):
            self.defects.append(f"{path}: {value!r} is no {kind}")
        elif values and value not in values:
            self.defects.append(f"{path}: {value!r} is none of {values}")
        elif kind == "map" and not all(isinstance(item, str) for item in value.values()):
            self.defects.append(f"{path}: {value!r} holds what is no string")
        elif kind == "array":
            for item in value:
                self.check(path + "[]", item)
        elif kind == "object":
            self.check_map(path, value)

    def check_map(self, path, value):
        for key, item in value.items():
            self.check(f"{path}.{key}", item)
        for name, (_, required, _) in self.fields.items():
            if required and name.startswith(path + ".") and re.fullmatch(r"\w+", name[len(path) + 1 :]):
                if name[len(path) + 1 :] not in value:
                    self.defects.append(f"{name}: is missing")

    def run(self):
        if self.template.get("AWSTemplateFormatVersion") != "2010-09-09":
            self.defects.append("AWSTemplateFormatVersion is missing")
        for name, parameter in self.template["Parameters"].items():
            if not re.fullmatch(r"[A-Za-z0-9]{1,255}", name) or parameter["Type"] not in PARAMETERS:
                self.defects.append(f"Parameters.{name}: {parameter}")
            if not isinstance(parameter.get("Default", ""), str):
                self.defects.append(f"Parameters.{name}: the default is no string")
        for name, resource in self.template["Resources"].items():
            if set(resource) != {"Type", "Properties"}:
                self.defects.append(f"Resources.{name}: {set(resource)}")
            self.check_map(resource["Type"], resource["Properties"])
        return self.defects


FIELDS = read_fields("tests/data/render/cloudformation_fields.tsv")


def defects(template):
    return Checker(FIELDS, template).run()
