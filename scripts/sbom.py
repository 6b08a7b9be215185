#!/usr/bin/env python3
"""Writes what the program is made of: a CycloneDX document (version 1.5, JSON) on standard output.

The components are the packages that the binary `ramsey` is built from for a target, with the checksums of Cargo.lock. The same
sources give the same document.

    scripts/sbom.py [TARGET] > ramsey.cdx.json
"""

import json
import re
import subprocess
import sys
import uuid


def checksums():
    """Returns the checksum of each package of Cargo.lock."""
    with open("Cargo.lock", encoding="utf-8") as file:
        blocks = file.read().split("[[package]]")
    found = {}
    for block in blocks:
        fields = dict(re.findall(r'^(name|version|checksum) = "(.*)"$', block, re.M))
        if "checksum" in fields:
            found[fields["name"], fields["version"]] = fields["checksum"]
    return found


def metadata(target):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def built(data):
    """Returns the nodes that the package `ramsey` needs to be built, without what only tests need."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    root = data["resolve"]["root"]
    seen, open_ids = {}, [root]
    while open_ids:
        at = open_ids.pop()
        if at in seen:
            continue
        kinds = [(dep["pkg"], {kind["kind"] for kind in dep["dep_kinds"]}) for dep in nodes[at]["deps"]]
        seen[at] = sorted(package for package, kind in kinds if kind - {"dev"})
        open_ids.extend(seen[at])
    return root, seen


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else "x86_64-unknown-linux-musl"
    data = metadata(target)
    packages = {package["id"]: package for package in data["packages"]}
    root, nodes = built(data)
    known = checksums()

    def reference(at):
        return f"pkg:cargo/{packages[at]['name']}@{packages[at]['version']}"

    def component(at):
        package = packages[at]
        it = {
            "type": "library",
            "bom-ref": reference(at),
            "name": package["name"],
            "version": package["version"],
            "purl": reference(at),
        }
        if package.get("license"):
            # Old manifests have a slash between alternatives.
            it["licenses"] = [{"expression": " ".join(package["license"].replace("/", " OR ").split())}]
        checksum = known.get((package["name"], package["version"]))
        if checksum:
            it["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return it

    whole = component(root)
    whole["type"] = "application"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": whole, "properties": [{"name": "target", "value": target}]},
        "components": [component(at) for at in sorted(nodes, key=reference) if at != root],
        "dependencies": [
            {"ref": reference(at), "dependsOn": [reference(it) for it in nodes[at]]}
            for at in sorted(nodes, key=reference)
        ],
    }
    content = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}"
    json.dump(document, sys.stdout, indent=2, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
