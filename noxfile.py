"""Development tasks of the project. `nox -l` lists them; PACKAGES is the one table of distributions."""

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
    # Most installed modules are never imported, and Python compiles a module when it is first imported.
    session.install("--no-compile", *(CONSTRAINTS if constrained else ()), *folders, *more)


@nox.session(name="tests-cpu")
def tests_cpu(session: nox.Session) -> None:
    """Run the tests that need no GPU, without those that take minutes."""
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
    """Run the tests that take minutes: all hostile pairs, all kernels compiled by Warp, all types of values."""
    install(session, *TESTING)
    session.run("pytest", "-m", "exhaustive and not gpu and not ray", *SIDE_BY_SIDE, "--ignore=tests/bench", *session.posargs)


@nox.session(name="tests-gpu")
def tests_gpu(session: nox.Session) -> None:
    """Run the tests that need a CUDA device; without one, each is skipped and reports the reason."""
    install(session, *TESTING)
    session.run("pytest", "-m", "gpu", *session.posargs)


@nox.session(name="tests-browser")
def tests_browser(session: nox.Session) -> None:
    """Open the page of a report in the local Chromium; without one, the tests are skipped and report the reason."""
    install(session, *TESTING, "playwright")
    session.run("pytest", "-m", "browser", *session.posargs)


@nox.session(name="tests-ray")
def tests_ray(session: nox.Session) -> None:
    """Compare bytes and verdicts of Ray clusters, one node of which is killed, and of an object store with local ones."""
    install(session, "-e", "packages/core[ray,remote]", *TESTING, "moto[server]", "s3fs")
    session.run("pytest", "-m", "ray", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed, as absolute figures and as ratios within one run."""
    install(session, *TESTING)
    session.run("pytest", "tests/bench", "-p", "no:xdist", "--benchmark-only", "--benchmark-disable-gc", "-s", *session.posargs)


@nox.session
def mutants(session: nox.Session) -> None:
    """Inject faults into generated code and count how many of them the levels detect."""
    install(session)
    session.run("python", "-m", "mutants.run", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session
def lint(session: nox.Session) -> None:
    """Run ruff, as linter and as formatter."""
    session.install(*CONSTRAINTS, "ruff")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the packages with mypy --strict."""
    install(session, "mypy")
    session.run("mypy", *(f"packages/{folder}/src" for folder in PACKAGES))


@nox.session
def docs(session: nox.Session) -> None:
    """Build the API reference from the docstrings into build/docs; a warning is an error."""
    session.install(*CONSTRAINTS, "mkdocs", "mkdocstrings[python]", "ruff")
    session.run("mkdocs", "build", "--strict")


@nox.session
def wheels(session: nox.Session) -> None:
    """Build each wheel, install it alone into a clean environment, import it and run its command."""
    session.install(*CONSTRAINTS, "build", "hatchling")
    dist = Path("dist").resolve()
    shutil.rmtree(dist, ignore_errors=True)
    for folder in PACKAGES:
        session.run(
            "python", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(dist), f"packages/{folder}", silent=True
        )
    for distribution, module, command in PACKAGES.values():
        binaries = clean_environment(session, dist, distribution)
        with session.chdir(binaries.parent):  # away from the sources
            session.run(str(binaries / "python"), "-c", f"import {module}; print({module}.__doc__)", external=True)
            session.run(str(binaries / command), "--help", external=True, silent=True)
        shutil.rmtree(binaries.parent)
    datasets_without_warp(session, dist)


def clean_environment(session: nox.Session, dist: Path, requirement: str) -> Path:
    """Install a distribution with its own dependencies only, and return the folder of its commands."""
    clean = Path(session.create_tmp()).resolve() / requirement
    shutil.rmtree(clean, ignore_errors=True)
    session.run("python", "-m", "venv", str(clean))
    pip = (str(clean / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *CONSTRAINTS)
    session.run(*pip, "--find-links", str(dist), requirement, external=True)
    return clean / "bin"


def datasets_without_warp(session: nox.Session, dist: Path) -> None:
    """Show, filter and export the samples where only warpsmith-core is installed."""
    binaries = clean_environment(session, dist, "warpsmith-core[export]")
    script, samples = Path("tests/without_warp.py").resolve(), Path("data/samples").resolve()
    command = (str(binaries / "python"), script, samples, binaries / "warpsmith-dataset", binaries.parent)
    session.run(*map(str, command), external=True)
    shutil.rmtree(binaries.parent)


@nox.session(python=PYTHONS)
def pythons(session: nox.Session) -> None:
    """Compare the digests of the golden datasets on every supported Python."""
    install(session)
    session.run("python", "tests/golden/digests.py", "--check")


@nox.session
@nox.parametrize("warp", OTHER_WARPS)
def warps(session: nox.Session, warp: str) -> None:
    """Compare the texts on the other supported releases of Warp with the files of `compile_aot_module`."""
    install(session, *TESTING, f"warp-lang=={warp}", constrained=False)
    session.run("pytest", "tests/extraction", "-m", "not gpu", *session.posargs)
