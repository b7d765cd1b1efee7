"""Lets setuptools build the compiled part of the Python package with CMake."""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(carl VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        # Not setuptools' temporary folder: whoever installs again should not compile again.
        build = ROOT / "build" / "wheel"
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), "-G", "Ninja",
                        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG",
                        "-DCARL_TESTS=OFF", "-DCARL_PYTHON=ON",
                        f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "carl_python", "--parallel",
                        jobs], check=True)
        built = next((build / "python" / "carl").glob("_native*.so"))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(built.read_bytes())


setup(version=VERSION, ext_modules=[Extension("carl._native", sources=[])],
      cmdclass={"build_ext": CMakeBuild})
