"""Builds the one compiled module; everything else about the package is in pyproject.toml.

Environment switches, read at build time:

FCFAST_DEBUG=1     bounds checks, C asserts and state_ok() after every change
FCFAST_SANITIZE=1  address and undefined-behaviour sanitizers (run Python with libasan preloaded)
FCFAST_NATIVE=1    instructions of this very machine; the result may not run elsewhere

On x86-64 the module is compiled a second time, for processors with AVX2, and native/__init__.py
chooses: one wheel is fast everywhere.
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext as setuptools_build_ext

DEBUG = os.environ.get("FCFAST_DEBUG") == "1"
SANITIZE = os.environ.get("FCFAST_SANITIZE") == "1"
NATIVE = os.environ.get("FCFAST_NATIVE") == "1"

MSVC = os.name == "nt"
NATIVE_DIR = Path("src/fcfast/native")
TWICE = platform.machine() in ("x86_64", "AMD64") and not (DEBUG or SANITIZE or NATIVE)

compile_args = ["/O2"] if MSVC else ["-O3", "-g0", "-fno-semantic-interposition", "-Wno-psabi"]
link_args: list[str] = []
macros = [("FCFAST_DEBUG", "1")] if DEBUG else [("NDEBUG", None)]
if DEBUG and not MSVC:
    compile_args = ["-O1", "-g", "-UNDEBUG"]
if TWICE:
    macros.append(("FCFAST_TWICE", "1"))
if NATIVE and not MSVC:
    compile_args.append("-march=native")
if SANITIZE:
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    compile_args += [*flags, "-fno-omit-frame-pointer"]
    link_args += flags

# Cython and distutils look at dates only: a build with other switches would keep the old files.
SWITCHES = f"{DEBUG=} {SANITIZE=} {NATIVE=}"
STAMP = Path("build/switches")
SWITCHED = not STAMP.exists() or STAMP.read_text() != SWITCHES


class build_ext(setuptools_build_ext):
    """Builds again what was built with other switches, and both modules at once."""

    def run(self) -> None:
        self.parallel = self.parallel or len(self.extensions)
        self.force = self.force or SWITCHED
        super().run()
        STAMP.parent.mkdir(exist_ok=True)
        STAMP.write_text(SWITCHES)


def engine(name: str, source: Path, *arguments: str) -> Extension:
    """The compiled module under a name of its own, which knows what it was compiled with."""
    flags = " ".join([os.environ.get("CFLAGS", ""), *compile_args, *arguments]).strip()
    return Extension(
        f"fcfast.native.{name}",
        sources=[str(source)],
        depends=[str(path) for path in sorted(NATIVE_DIR.glob("*.pxd"))],
        extra_compile_args=[*compile_args, *arguments],
        extra_link_args=link_args,
        define_macros=[*macros, ("FCFAST_FLAGS", f'"{flags}"')],
    )


engines = [engine("engine", NATIVE_DIR / "engine.pyx")]
if TWICE:
    source = (NATIVE_DIR / "engine.pyx").read_text()
    copy = Path("build/engine_avx2.pyx")
    copy.parent.mkdir(exist_ok=True)
    newest = max(path.stat().st_mtime for path in NATIVE_DIR.glob("*.p[xy]*"))
    if not copy.exists() or copy.stat().st_mtime < newest:  # cythonize misses headers from there
        copy.write_text(source)
    flags = ["/arch:AVX2"] if MSVC else ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt"]
    engines.append(engine("engine_avx2", copy, *flags))

setup(
    ext_modules=cythonize(
        engines,
        build_dir="build",
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "embedsignature": True,
        },
        force=SWITCHED,
    ),
    cmdclass={"build_ext": build_ext},
)
