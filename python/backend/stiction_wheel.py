"""The build back end of `pip install .` (PEP 517 and 660): CMake builds the library and the
program, and both go into a wheel with the Python files, the C header and the schema of scenes. The
standard library is enough for that, so that nothing has to be downloaded.

Environment: STICTION_BUILD, the CMake build folder to use or to make (build/ of the tree);
CMAKE_ARGS, further options for CMake, such as -DSTICTION_NATIVE=OFF for a wheel for other machines.
"""

import base64
import hashlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "python"
SOURCES = ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "pyproject.toml", "cmake",
           "docs/python.md", "include", "python", "schema", "scripts", "src"]
EXECUTABLE = 0o755
PLAIN = 0o644


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(stiction VERSION ([0-9.]+)", text)[1]


def metadata():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version()}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    lines += ["Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + (ROOT / "docs/python.md").read_text(encoding="utf-8")


def scripts():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [f"{name} = {place}" for name, place in project["scripts"].items()]
    return "\n".join(["[console_scripts]", *lines, ""])


def compile_library():
    """Builds what is missing or out of date, and returns the build folder."""
    folder = Path(os.environ.get("STICTION_BUILD") or ROOT / "build")
    if not (folder / "CMakeCache.txt").exists():
        options = shlex.split(os.environ.get("CMAKE_ARGS", ""))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *options], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    subprocess.run(["cmake", "--build", folder, "-j", jobs, "--target", "stiction",
                    "stiction-experiment", "stiction_shared", "stiction_plot"], check=True)
    return folder


def load_schema_module():
    spec = importlib.util.spec_from_file_location("_schema", PYTHON / "stiction" / "_schema.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Wheel:
    """A wheel that is being written."""

    def __init__(self, folder, tag):
        self.name = f"stiction-{version()}-{tag}.whl"
        self.info = f"stiction-{version()}.dist-info"
        self.tag = tag
        self.records = []
        self.zip = zipfile.ZipFile(Path(folder) / self.name, "w", zipfile.ZIP_DEFLATED)

    def add(self, path, data, mode=PLAIN):
        data = data.encode() if isinstance(data, str) else data
        entry = zipfile.ZipInfo(path)  # of 1980: the same tree makes the same wheel
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.records.append(f"{path},sha256={digest},{len(data)}")

    def finish(self):
        self.add(f"{self.info}/METADATA", metadata())
        self.add(f"{self.info}/entry_points.txt", scripts())
        self.add(f"{self.info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        pure = "false" if "any" not in self.tag.split("-") else "true"
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: stiction_wheel\n"
                                       f"Root-Is-Purelib: {pure}\nTag: {self.tag}\n")
        record = f"{self.info}/RECORD"
        self.zip.writestr(zipfile.ZipInfo(record), "\n".join([*self.records, f"{record},,", ""]))
        self.zip.close()
        return self.name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What the package needs, before anything is compiled: pip then looks for it first."""
    info = Path(metadata_directory) / f"stiction-{version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata(), encoding="utf-8")
    (info / "entry_points.txt").write_text(scripts(), encoding="utf-8")
    return info.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    built = compile_library()
    platform = re.sub(r"[^a-z0-9]", "_", sysconfig.get_platform().lower())
    wheel = Wheel(wheel_directory, f"py3-none-{platform}")
    for path in sorted((PYTHON / "stiction").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            wheel.add(f"stiction/{path.name}", path.read_bytes())
    for name, text in load_schema_module().stubs(ROOT / "schema/scene.schema.json").items():
        wheel.add(f"stiction/{name}.pyi", text)
    native = "stiction/_native"
    for header in sorted((ROOT / "include/stiction").glob("*.h")):
        wheel.add(f"{native}/{header.name}", header.read_bytes())
    wheel.add(f"{native}/scene.schema.json", (ROOT / "schema/scene.schema.json").read_bytes())
    for library in ("libstiction.so", "libstiction_plot.so"):
        # By the name that stiction-experiment asks for: a link, libstiction.so -> libstiction.so.0.1.
        wheel.add(f"{native}/{(built / library).readlink()}", (built / library).read_bytes(), EXECUTABLE)
    for program in ("stiction", "stiction-experiment"):
        wheel.add(f"{native}/{program}", (built / program).read_bytes(), EXECUTABLE)
    return wheel.finish()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package stays in the tree; it finds the library in build/ (or STICTION_BUILD)."""
    compile_library()
    wheel = Wheel(wheel_directory, "py3-none-any")
    wheel.add("stiction.pth", f"{PYTHON}\n")
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    base = f"stiction-{version()}"

    def wanted(entry):
        entry.uid = entry.gid = 0
        return None if "__pycache__" in entry.name else entry

    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in SOURCES:
            archive.add(ROOT / name, f"{base}/{name}", filter=wanted)
        text = metadata().encode()
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    return f"{base}.tar.gz"
