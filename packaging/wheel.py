"""Lays out the files of a wheel: wheel.py INSTALLED FOLDER VERSION GLIBC.

INSTALLED is what scripts/install made. `python -m wheel pack FOLDER` makes the wheel of it.
Pip installs what is below `data` into the environment's own folders: the command comes to lie
in bin and the agent in lib, where the command looks for it.
"""

import pathlib
import shutil
import sys

METADATA = """\
Metadata-Version: 2.4
Name: subsume
Version: {version}
Summary: A profiler for Java that counts exactly and finds where one change removes a whole pattern
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-APACHE
License-File: LICENSE-MIT
License-File: THIRD-PARTY
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""

WHEEL = """\
Wheel-Version: 1.0
Generator: subsume
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def main(installed, folder, version, glibc):
    installed, folder = pathlib.Path(installed), pathlib.Path(folder)
    data = folder / f"subsume-{version}.data"
    info = folder / f"subsume-{version}.dist-info"
    shutil.copytree(installed / "bin", data / "scripts")
    shutil.copytree(installed / "lib", data / "data" / "lib")
    shutil.copytree(installed / "share", data / "data" / "share")
    documents = installed / "share" / "doc" / "subsume"
    (info / "licenses").mkdir(parents=True)
    for name in "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY":
        shutil.copy(documents / name, info / "licenses" / name)
    readme = (documents / "README.md").read_text(encoding="utf-8")
    metadata = METADATA.format(version=version) + readme
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    platform = f"manylinux_{glibc.replace('.', '_')}_x86_64"
    (info / "WHEEL").write_text(WHEEL.format(platform=platform), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
