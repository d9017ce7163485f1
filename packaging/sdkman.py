"""Makes a zip file in the layout of SDKMAN's candidates: sdkman.py INSTALLED ZIP EPOCH.

INSTALLED is what scripts/install made, in a folder with the name of candidate and version. That folder
is the only one at the root of the zip file, and has bin in it, as SDKMAN wants it. The same
build gives the same bytes.
"""

import pathlib
import sys
import time
import zipfile


def main(installed, out, epoch):
    installed = pathlib.Path(installed)
    date = time.gmtime(int(epoch))[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(installed.rglob("*")):
            name = path.relative_to(installed.parent).as_posix()
            entry = zipfile.ZipInfo(name + "/" if path.is_dir() else name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Unix, which the modes are for.
            entry.create_system = 3
            entry.external_attr = path.stat().st_mode << 16
            archive.writestr(entry, b"" if path.is_dir() else path.read_bytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
