"""Development tasks of the project. `nox -l` lists them; PACKAGES is the one table of distributions."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping
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
    "simt": ("warpsmith-simt", "warpsmith.simt", "warpsmith-simt"),
    "validation": ("warpsmith-validation", "warpsmith.validation", "warpsmith-validate"),
    "scoring": ("warpsmith-scoring", "warpsmith.scoring", "warpsmith-score"),
    "gpu_checks": ("warpsmith-gpu-checks", "warpsmith.gpu_checks", "warpsmith-gpu"),
}

EXTRAS = {"core": "[export]", "simt": "[headers]", "validation": "[nvrtc,pytest,report,simt,stats]"}

SIDE_BY_SIDE = ("-n", str(max((os.cpu_count() or 1) * 3 // 2, 1)), "--dist", "worksteal")
"""Tests wait for processes a third of their time: three share two processors."""

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
OTHER_WARPS = ["1.18.0"]
RUN = (*(f"-e packages/{folder}{EXTRAS.get(folder, '')}" for folder in PACKAGES), "hatchling", "editables")

LOCKS = {
    # file in requirements/: what it contains, with all dependencies; `nox -s lock` writes it
    "nox": ("nox",),
    "run": RUN,
    "test": ("pytest", "pytest-xdist", "pytest-benchmark", "hypothesis", "mpmath", "nox", "datasets"),
    "browser": ("playwright",),
    "ray": ("-e packages/core[ray,remote]", "moto[server]", "s3fs"),
    "training": (
        *RUN,
        "-e packages/scoring[inspect,lm-eval,openenv,trl,verifiers,verl]",
        "ipykernel",
        "nbclient",
        "pytest",
        "hypothesis",
    ),
    "setuptools": ("setuptools",),
    "lint": ("ruff",),
    "types": ("mypy",),
    "docs": ("mkdocs", "mkdocstrings[python]", "ruff", "pygments"),
    "build": ("build", "hatchling"),
    "release": ("cyclonedx-bom", "pip-licenses", "twine"),
    "lock": ("uv",),
    "changelog": ("towncrier",),
    "real-programs": ("newton", "mujoco-warp", "absl-py", "nlopt", "usd-core"),
    **{f"warp-{release}": (f"warp-lang=={release}",) for release in OTHER_WARPS},
}
WARP_LOCKS = [f"warp-{release}" for release in OTHER_WARPS]
SEPARATE_LOCKS = [*WARP_LOCKS, "training"]
"""The locks whose versions differ from the others': training libraries exclude new versions of common dependencies."""
WITHOUT_WHEELS = ("antlr4-python3-runtime", "rouge-score", "sqlitedict", "word2number")
"""Python packages in the lock `training` that exist as sources only: they are built by the locked setuptools."""
WHEELS_WITH_HASHES = ("--require-hashes", "--only-binary", ":all:")


def install_locked(session: nox.Session, *locks: str) -> None:
    """Install what the lock files contain, and nothing else."""
    # Most installed modules are never imported, and Python compiles a module when it is first imported.
    files = [argument for name in locks for argument in ("-r", f"requirements/{name}.txt")]
    session.install("--no-compile", *WHEELS_WITH_HASHES, *files)


def install_training(session: nox.Session) -> None:
    """Install what the lock file of the training libraries contains; its versions differ from the others'."""
    install_locked(session, "setuptools")
    built = ("--no-binary", ",".join(WITHOUT_WHEELS), "--no-build-isolation")
    session.install("--no-compile", *WHEELS_WITH_HASHES, *built, "-r", "requirements/training.txt")


def install(session: nox.Session, *locks: str) -> None:
    """Install the packages from this folder, and what the lock files contain, into the session's own environment."""
    install_locked(session, "run", *locks)
    install_packages(session)


def share(session: nox.Session, *locks: str) -> Callable[..., None]:
    """Return a function that runs a command in the environment of `make`, after adding what the lock files contain.

    Warp and its compilers take a gigabyte, so that sessions have an environment of their own only if they need other versions,
    another Python, or large libraries that nothing else needs.
    """
    targets = [".venv/.ready", *(f".venv/.with-{name}" for name in locks)]
    python = Path(sys.executable).resolve()  # not the one of .venv, which make may remove
    session.run_install("make", "--silent", *targets, f"PYTHON={python}", external=True)
    binaries = Path(".venv/bin").absolute()
    paths = {
        "VIRTUAL_ENV": str(binaries.parent),
        "PATH": os.pathsep.join([str(binaries), os.environ["PATH"]]),
        "PYTHONDONTWRITEBYTECODE": "",  # empty is off: thousands of processes import the packages
    }

    def run(command: str, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        session.run(str(binaries / command), *arguments, external=True, env={**paths, **(env or {})})

    return run


def install_packages(session: nox.Session) -> None:
    """Install the packages from this folder."""
    folders = [argument for folder in PACKAGES for argument in ("-e", f"packages/{folder}")]
    session.install("--no-deps", "--no-build-isolation", *folders)


@nox.session(venv_backend="none", name="tests-cpu")
def tests_cpu(session: nox.Session) -> None:
    """Run the tests that need no GPU, without those that take minutes."""
    run = share(session, "test")
    run(
        "pytest",
        "-m",
        "not gpu and not exhaustive and not browser and not ray and not training",
        *SIDE_BY_SIDE,
        "--ignore=tests/bench",
        *session.posargs,
    )


@nox.session(venv_backend="none")
def exhaustive(session: nox.Session) -> None:
    """Run the tests that take minutes: all hostile pairs, all kernels compiled by Warp, all types of values."""
    run = share(session, "test")
    run(
        "pytest",
        "-m",
        "exhaustive and not gpu and not ray and not training",
        *SIDE_BY_SIDE,
        "--ignore=tests/bench",
        *session.posargs,
    )


@nox.session(venv_backend="none", name="tests-gpu")
def tests_gpu(session: nox.Session) -> None:
    """Run the tests that need a CUDA device; without one, each is skipped and reports the reason."""
    run = share(session, "test")
    run("pytest", "-m", "gpu", *session.posargs)


@nox.session(venv_backend="none", name="tests-browser")
def tests_browser(session: nox.Session) -> None:
    """Open the page of a report in the local Chromium; without one, the tests are skipped and report the reason."""
    run = share(session, "test", "browser")
    run("pytest", "-m", "browser", *session.posargs)


@nox.session(name="tests-ray")
def tests_ray(session: nox.Session) -> None:
    """Compare bytes and verdicts of Ray clusters, one node of which is killed, and of an object store with local ones."""
    install(session, "test", "ray")
    session.run("pytest", "-m", "ray", *session.posargs)


@nox.session(name="tests-training")
def tests_training(session: nox.Session) -> None:
    """Test the adapters with TRL, verl, verifiers, OpenEnv, Inspect and the LM Evaluation Harness, and run the examples."""
    install_training(session)
    install_packages(session)
    session.run("pytest", "-m", "training", *session.posargs, env={"HF_HUB_OFFLINE": "1"})


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure speed, as rates and as ratios within one run; fail if a ratio has fallen by more than 10% of its median."""
    run = share(session, "test")
    run("pytest", "tests/bench", "-p", "no:xdist", "--benchmark-only", "--benchmark-disable-gc", "-s", *session.posargs)
    run("python", "-m", "bench.compare", env={"PYTHONPATH": "tests"})


@nox.session(venv_backend="none")
def mutants(session: nox.Session) -> None:
    """Inject faults into generated code and count how many of them the levels detect."""
    run = share(session)
    run("python", "-m", "mutants.run", *session.posargs, env={"PYTHONPATH": "tests:tests/helpers"})


@nox.session(name="real-programs")
def real_programs(session: nox.Session) -> None:
    """Capture the kernels of Warp's examples and of two projects, and check their gradients, which takes an hour."""
    install(session, "test", "real-programs")
    session.run("python", "tests/real_programs/run.py", *(session.posargs or ["data/real-programs"]))


@nox.session
def lint(session: nox.Session) -> None:
    """Run ruff, as linter and as formatter."""
    install_locked(session, "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check the types of the packages with mypy --strict."""
    run = share(session, "types")
    run("mypy", *(f"packages/{folder}/src" for folder in PACKAGES))


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site from the pages and the docstrings into build/docs; a warning is an error."""
    install_locked(session, "docs")
    session.run("mkdocs", "build", "--strict")


@nox.session
def wheels(session: nox.Session) -> None:
    """Build each wheel, install it alone into a clean environment, import it and run its command; then all of them together."""
    install_locked(session, "build")
    dist = build(session, Path("dist"), "--wheel")
    dependencies = download_locked(session)
    for distribution, module, command in PACKAGES.values():
        binaries = clean_environment(session, distribution, dist, dependencies)
        with session.chdir(binaries.parent):  # away from the sources
            session.run(str(binaries / "python"), "-c", f"import {module}; print({module}.__doc__)", external=True)
            session.run(str(binaries / command), "--help", external=True, silent=True)
        shutil.rmtree(binaries.parent)
    binaries = clean_environment(session, "warpsmith", dist, dependencies)
    for _, _, command in PACKAGES.values():
        session.run(str(binaries / command), "--version", external=True)
    shutil.rmtree(binaries.parent)
    datasets_without_warp(session, dist, dependencies)


def build(session: nox.Session, dist: Path, *options: str) -> Path:
    """Build the distributions into a new folder, and return its whole path."""
    shutil.rmtree(dist, ignore_errors=True)
    seconds = session.run("git", "log", "-1", "--format=%ct", external=True, silent=True)  # times in the archives
    for folder in (".", *(f"packages/{folder}" for folder in PACKAGES)):
        command = ("python", "-m", "build", "--no-isolation", *options, "--outdir", str(dist), folder)
        session.run(*command, silent=True, env={"SOURCE_DATE_EPOCH": str(seconds).strip()})
    return dist.resolve()


def new_environment(session: nox.Session, name: str) -> tuple[Path, tuple[str, ...]]:
    """Return the folder of commands of a new, empty environment, and its pip as a command line."""
    folder = Path(session.create_tmp()).resolve() / name
    shutil.rmtree(folder, ignore_errors=True)
    session.run("python", "-m", "venv", str(folder))
    return folder / "bin", (str(folder / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check")


def download_locked(session: nox.Session) -> Path:
    """Download the wheels of `requirements/run.txt`, whose hashes are checked, and return their folder."""
    _, pip = new_environment(session, "download")
    wheels = Path(session.create_tmp()).resolve() / "wheels"
    session.run(*pip, "download", *WHEELS_WITH_HASHES, "-r", "requirements/run.txt", "-d", str(wheels), external=True)
    return wheels


def clean_environment(session: nox.Session, requirement: str, *folders: Path) -> Path:
    """Install a distribution and its own dependencies from folders of wheels, and return the folder of its commands."""
    binaries, pip = new_environment(session, requirement)
    sources = [part for folder in folders for part in ("--find-links", str(folder))]
    session.run(*pip, "install", "--no-index", *sources, requirement, external=True)
    return binaries


def datasets_without_warp(session: nox.Session, *folders: Path) -> None:
    """Show, filter and export the samples where only warpsmith-core is installed."""
    binaries = clean_environment(session, "warpsmith-core[export]", *folders)
    script, samples = Path("tests/without_warp.py").resolve(), Path("data/samples").resolve()
    command = (str(binaries / "python"), script, samples, binaries / "warpsmith-dataset", binaries.parent)
    session.run(*map(str, command), external=True)
    shutil.rmtree(binaries.parent)


@nox.session
def release(session: nox.Session) -> None:
    """Build what a release consists of into dist, describe it, and check it; nothing is uploaded."""
    install_locked(session, "build", "release")
    dist = build(session, Path("dist"))
    built = sorted(dist.iterdir())
    if digests(dist) != digests(build(session, Path(session.create_tmp()) / "again")):
        session.error("two builds of the same commit differ")
    session.run("twine", "check", "--strict", *map(str, built))
    describe_environment(session, dist)
    (dist / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in digests(dist).items()))


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def describe_environment(session: nox.Session, dist: Path) -> None:
    """Install the wheels beside `requirements/run.txt`; write the bill of materials and the table of licences."""
    binaries, pip = new_environment(session, "described")
    session.run(*pip, "install", *WHEELS_WITH_HASHES, "-r", "requirements/run.txt", external=True)
    names = ["warpsmith", *(distribution for distribution, *_ in PACKAGES.values())]
    session.run(*pip, "install", "--no-index", "--no-deps", "--find-links", str(dist), *names, external=True)
    session.run(*pip, "uninstall", "--yes", "setuptools", "pip", external=True)  # Python's own, not ours
    python = str(binaries / "python")
    bill = ("--output-reproducible", "--output-format", "JSON", "--output-file", str(dist / "sbom.json"))
    session.run("cyclonedx-py", "environment", *bill, python)
    table = ("--format", "markdown", "--with-system", "--output-file", str(dist / "licences.md"))
    session.run("pip-licenses", "--python", python, *table)
    if str(Path.cwd()) in (dist / "sbom.json").read_text():
        session.error("the bill of materials contains a path of this machine")
    shutil.rmtree(binaries.parent)


@nox.session
def changelog(session: nox.Session) -> None:
    """Print the section of the changelog that the fragments in changes make; `-- --yes --version X` moves them."""
    install_locked(session, "changelog")
    session.run("towncrier", "build", *(session.posargs or ("--draft", "--version", "Unreleased")))


@nox.session
def lock(session: nox.Session) -> None:
    """Write the lock files from the table LOCKS; versions stay, unless `-- --upgrade` or `-- --upgrade-package` is given."""
    install_locked(session, "lock")
    everything = Path(session.create_tmp()) / "everything.txt"
    locked = (Path(f"requirements/{name}.txt") for name in LOCKS if name not in SEPARATE_LOCKS)
    everything.write_text("".join(path.read_text() for path in locked if path.exists()))
    requirements = sorted({one for name, row in LOCKS.items() if name not in SEPARATE_LOCKS for one in row})
    resolve(session, requirements, everything, *session.posargs)
    for name, row in LOCKS.items():
        versions = ("--no-deps",) if name in WARP_LOCKS else () if name == "training" else ("--constraint", str(everything))
        resolve(session, row, Path(f"requirements/{name}.txt"), "--generate-hashes", *versions)


def resolve(session: nox.Session, requirements: Iterable[str], output: Path, *options: str) -> None:
    """Find versions of the requirements and their dependencies, for every supported Python and any platform."""
    source = Path(session.create_tmp()) / "requirements.in"
    source.write_text("".join(f"{requirement}\n" for requirement in requirements))
    ours = [part for distribution, *_ in PACKAGES.values() for part in ("--no-emit-package", distribution)]
    style = ("--quiet", "--no-config", "--no-annotate", "--no-python-downloads", *ours, *options)
    command = ("uv", "pip", "compile", "--universal", "--python-version", PYTHONS[0], *style, str(source), "-o", str(output))
    session.run(*command, silent=True, env={"UV_CUSTOM_COMPILE_COMMAND": "nox -s lock"})


@nox.session(python=PYTHONS)
def pythons(session: nox.Session) -> None:
    """Compare the digests of the golden datasets on every supported Python."""
    install(session)
    session.run("python", "tests/golden/digests.py", "--check")


@nox.session
@nox.parametrize("warp", OTHER_WARPS)
def warps(session: nox.Session, warp: str) -> None:
    """Test the texts and the ledger of bugs with the other supported releases of Warp."""
    install(session, "test")
    install_locked(session, f"warp-{warp}")
    tests = ("tests/extraction", "tests/validation/fuzz/test_ledger.py")
    session.run("pytest", *tests, "-m", "not gpu", *session.posargs)


@nox.session(venv_backend="none")
def fuzz(session: nox.Session) -> None:
    """Search for bugs of Warp for twenty minutes, compared with the other supported release; the report is in build/fuzz."""
    run = share(session, "test")
    folder = Path(session.create_tmp()).resolve() / "other-warp"
    if not (folder / "bin").exists():
        session.run("python", "-m", "venv", str(folder), external=True)
    python = str(folder / "bin" / "python")
    release = f"requirements/warp-{OTHER_WARPS[0]}.txt"
    session.run(python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", release, external=True)
    session.run(python, "-m", "pip", "install", "--quiet", "numpy", external=True)
    seed = session.posargs or [str(int(time.time()) // 604800)]  # another one each week
    options = ("--time", "1200", "--levels", "50", "--python", python)
    run("warpsmith-fuzz", "run", "-o", "build/fuzz", "--seed", *seed, *options)
