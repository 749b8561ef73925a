"""The project's chores. `nox -l` lists them; PACKAGES is the one table of distributions."""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2024.4"
nox.options.sessions = ["lint", "types", "tests-cpu"]
nox.options.reuse_venv = "yes"
nox.options.default_venv_backend = "uv|virtualenv"

PACKAGES = {
    # folder: (distribution, import, command)
    "core": ("warpsmith-core", "warpsmith.core", "warpsmith-dataset"),
    "extraction": ("warpsmith-extraction", "warpsmith.extraction", "warpsmith-extract"),
    "synthesis": ("warpsmith-synthesis", "warpsmith.synthesis", "warpsmith-synthesize"),
    "validation": ("warpsmith-validation", "warpsmith.validation", "warpsmith-validate"),
    "gpu_checks": ("warpsmith-gpu-checks", "warpsmith.gpu_checks", "warpsmith-gpu"),
}

EXTRAS = {"core": "[export]", "validation": "[nvrtc,report,stats]"}

CONSTRAINTS = ("-c", "constraints.txt")
TESTING = ("pytest", "pytest-xdist", "pytest-benchmark", "hypothesis", "nox", "datasets")
SIDE_BY_SIDE = ("-n", "2", "--dist", "worksteal")
PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
OTHER_WARPS = ["1.18.0"]


def install(session: nox.Session, *more: str, constrained: bool = True) -> None:
    folders = [argument for folder in PACKAGES for argument in ("-e", f"packages/{folder}{EXTRAS.get(folder, '')}")]
    # most modules that are installed are never imported: those that are, Python compiles then
    session.install("--no-compile", *(CONSTRAINTS if constrained else ()), *folders, *more)


@nox.session(name="tests-cpu")
def tests_cpu(session: nox.Session) -> None:
    """The tests that need no GPU, less those that take minutes."""
    install(session, *TESTING)
    session.run(
        "pytest",
        "-m",
        "not gpu and not exhaustive and not browser and not ray",
        *SIDE_BY_SIDE,
        "--ignore=tests/bench",
        *session.posargs,
    )


@nox.session
def exhaustive(session: nox.Session) -> None:
    """The tests that take minutes: all hostile pairs, all kernels compiled by Warp, all types of values."""
    install(session, *TESTING)
    session.run("pytest", "-m", "exhaustive and not gpu and not ray", *SIDE_BY_SIDE, "--ignore=tests/bench", *session.posargs)


@nox.session(name="tests-gpu")
def tests_gpu(session: nox.Session) -> None:
    """The tests that run on a CUDA device; without one each is skipped and says so."""
    install(session, *TESTING)
    session.run("pytest", "-m", "gpu", *session.posargs)


@nox.session(name="tests-browser")
def tests_browser(session: nox.Session) -> None:
    """The page of a report in the Chromium of this machine; skipped, with the reason, where there is none."""
    install(session, *TESTING, "playwright")
    session.run("pytest", "-m", "browser", *session.posargs)


@nox.session(name="tests-ray")
def tests_ray(session: nox.Session) -> None:
    """Clusters of two nodes of which one is killed, and an object store: the same bytes, the same verdicts."""
    install(session, "-e", "packages/core[ray,remote]", *TESTING, "moto[server]", "s3fs")
    session.run("pytest", "-m", "ray", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Speed, as figures and as ratios measured in one run."""
    install(session, *TESTING)
    session.run("pytest", "tests/bench", "-p", "no:xdist", "--benchmark-only", "--benchmark-disable-gc", "-s", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Pairs broken on purpose, and how many of them the ladder catches."""
    install(session)
    session.run("python", "-m", "mutants.run", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session
def lint(session: nox.Session) -> None:
    """ruff, both as linter and as formatter."""
    session.install(*CONSTRAINTS, "ruff")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Mypy --strict on the packages."""
    install(session, "mypy")
    session.run("mypy", *(f"packages/{folder}/src" for folder in PACKAGES))


@nox.session
def wheels(session: nox.Session) -> None:
    """Build each wheel, install it with only its own dependencies into a clean environment, import it, run its command."""
    session.install(*CONSTRAINTS, "build", "hatchling")
    dist = Path("dist").resolve()
    shutil.rmtree(dist, ignore_errors=True)
    for folder in PACKAGES:
        session.run(
            "python", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(dist), f"packages/{folder}", silent=True
        )
    for distribution, module, command in PACKAGES.values():
        clean = Path(session.create_tmp()).resolve() / distribution
        shutil.rmtree(clean, ignore_errors=True)
        session.run("python", "-m", "venv", str(clean))
        binaries = clean / "bin"
        pip = (str(binaries / "pip"), "install", "--quiet", "--disable-pip-version-check", *CONSTRAINTS)
        session.run(*pip, "--find-links", str(dist), distribution, external=True)
        with session.chdir(clean):  # where the sources are out of sight
            session.run(str(binaries / "python"), "-c", f"import {module}; print({module}.__doc__)", external=True)
            session.run(str(binaries / command), "--help", external=True, silent=True)
        shutil.rmtree(clean)


@nox.session(python=PYTHONS)
def pythons(session: nox.Session) -> None:
    """The same seed gives the same bytes on every Python: the digests of the golden datasets."""
    install(session)
    session.run("python", "tests/golden/digests.py", "--check")


@nox.session
@nox.parametrize("warp", OTHER_WARPS)
def warps(session: nox.Session, warp: str) -> None:
    """The other supported releases of Warp write what their own `compile_aot_module` writes, too."""
    install(session, *TESTING, f"warp-lang=={warp}", constrained=False)
    session.run("pytest", "tests/extraction", "-m", "not gpu", *session.posargs)
