"""Builds the wheel: the Python module, the library and what it needs beside it. `pip install --no-build-isolation .`

CMake builds everything, with the Debian packages of tools/packages.txt. LANEWISE_BUILD names a build folder to use instead of a new one.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(lanewise VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
LIBRARY = "liblanewise.so." + ".".join(VERSION.split(".")[:2])


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        into = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = Path(os.environ.get("LANEWISE_BUILD") or Path(self.build_temp).resolve())
        if not (build / "CMakeCache.txt").exists():
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DLANEWISE_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON", f"-DPython_EXECUTABLE={sys.executable}"]
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            subprocess.check_call(["cmake", "-S", str(ROOT), "-B", str(build), *generator, *options])
        targets, parts = ["lanewise_python", "lanewise-worker"], [LIBRARY, "lanewise-worker"]
        # A build for validation alone has no pictures.
        if re.search(r"^LANEWISE_PICTURES:\w+=(ON|1|TRUE|YES)$", (build / "CMakeCache.txt").read_text(), re.M | re.I):
            targets.append("lanewise-pictures")
            parts.append("lanewise-pictures.so")
        subprocess.check_call(["cmake", "--build", str(build), "--target", *targets])
        into.mkdir(parents=True, exist_ok=True)
        for file in (build / "python" / "lanewise").glob("_lanewise*.so"):
            shutil.copy2(file, into)
        for part in parts:
            shutil.copy2(build / "bin" / part, into)


setup(
    name="lanewise",
    version=VERSION,
    description="Runs Vulkan compute kernels on a model of a GPU, bit for bit",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["numpy"],
    packages=["lanewise"],
    package_dir={"": "python"},
    package_data={"lanewise": ["py.typed", "*.pyi"]},
    entry_points={"pytest11": ["lanewise = lanewise.pytest_plugin"]},
    ext_modules=[Extension("lanewise._lanewise", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
