"""Prints the licences of the crates that the command and the agent are linked with.

Reads what `cargo metadata` prints from standard input; the arguments are the names and versions
of the crates, as `cargo tree --prefix none` prints them.
"""

import json
import pathlib
import sys

NAMES = "licen", "copying", "notice", "copyright"


def texts(folder):
    """The licence files of a crate, by their names."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    for path in files:
        if path.name.lower().startswith(NAMES):
            yield path.name, path.read_text(encoding="utf-8", errors="replace").strip()


def main(wanted):
    crates = {}
    for package in json.load(sys.stdin)["packages"]:
        if package["source"] and f"{package['name']} v{package['version']}" in wanted:
            crates[package["name"], package["version"]] = package
    print("What the command and the agent are linked with, and under which licences.\n")
    known = {}
    for (name, version), package in sorted(crates.items()):
        print(f"{name} {version}: {package['license'] or 'see its files'}")
        for file, text in texts(pathlib.Path(package["manifest_path"]).parent):
            known.setdefault(text, []).append(f"{name} {version} {file}")
    for text, files in known.items():
        print("\n" + "=" * 78)
        print(", ".join(files))
        print("=" * 78 + "\n")
        print(text)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
