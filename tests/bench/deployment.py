#!/usr/bin/env python3
"""An instance as a deployment file for taskfit: deployment.py FILE > deployment.yaml

FILE.vbp of at most two dimensions: items are services without rules, the first dimension is memory, the second CPU.
FILE.json with "cap" [memory, CPU], "price" and "services" of name, mem, cpu and replicas: instances of 8 vCPU, services distinct on
instances and spread over 3 AZs. Exit status 1: the file is neither; nothing is printed.
"""

import json
import sys


def write(types, zones, rules, services):
    print("taskfit: 1\ncluster:")
    print(f"  availabilityZones: [{', '.join(f'az{z + 1}' for z in range(zones))}]")
    print(f"  instanceTypes: [{{type: own.one, architecture: x86_64, {types}}}]")
    print("  instanceGroups: [{name: main, max: 50000, types: [own.one]}]")
    print(f"{rules}services:")
    for name, memory, cpu, count in services:
        print(f"  - {{name: {name}, memory: {memory}, cpu: {cpu}, desiredCount: {count}}}")


def from_json(text):
    data = json.loads(text)
    rules = (
        "defaults:\n  placementConstraints: [{type: distinctInstance}]\n"
        "  placementStrategy: [{type: spread, field: 'attribute:ecs.availability-zone'}]\n"
        "policy: {rollingDeployment: none, spread: required}\n"
    )
    services = [(s["name"], s["mem"], s["cpu"], s["replicas"]) for s in data["services"]]
    write(f"vcpu: 8, registeredMemory: {data['cap'][0]}, usdPerHour: {data['price']}", 3, rules, services)


def from_vbp(text):
    numbers = iter(int(word) for word in text.split())
    n_dims = next(numbers)
    capacity = [next(numbers) for _ in range(n_dims)]
    items = [[next(numbers) for _ in range(n_dims + 1)] for _ in range(next(numbers))]
    if n_dims > 2:
        raise ValueError("more than two dimensions")
    # 1 vCPU is 1024 CPU units, so that any capacity is a whole number of vCPU; a task has some memory, 4 MiB at least
    vcpu = capacity[1] if n_dims == 2 else 1
    services = [(f"s{i}", 4 * item[0], 1024 * item[1] if n_dims == 2 else 0, item[-1]) for i, item in enumerate(items)]
    write(f"vcpu: {vcpu}, registeredMemory: {4 * capacity[0]}, usdPerHour: 1", 1, "defaults: {placementStrategy: [{type: binpack, field: memory}]}\npolicy: {rollingDeployment: none}\n", services)


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        (from_vbp if path.endswith(".vbp") else from_json)(text)
    except (KeyError, TypeError, ValueError, StopIteration):
        sys.exit(1)


main()
