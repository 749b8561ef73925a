"""The files that Warp itself writes: an oracle that is independent of warpsmith.

Usage: python aot.py JOBS.json OUT. JOBS is a list of {"source", "options", "targets", "fresh", "compiled"}; for each job and
target the file that ``wp.compile_aot_module`` wrote is copied to OUT/<position>.<cu|cpp>, or its error to
OUT/<position>.<target>.error.

Warp numbers helper functions throughout a process, so that an independent run needs a process for each job. Jobs marked "fresh"
run in a forked process; for other jobs the counter is reset. Warp writes its file before it compiles the file, which takes
nearly all of the time: for jobs that are not marked "compiled", both compilers are replaced by functions that do nothing. Only
these two steps use private names. Jobs with both marks use public functions only, and show that the results are the same.
"""

import importlib.machinery
import importlib.util
import json
import linecache
import os
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import warp as wp

AFTER_IMPORT = dict(wp._src.context.function_key_counts)
"""The numbers of functions that Warp itself defines in Python; the functions of every job are numbered after these."""

SUFFIX = {"cpu": "cpp", "cuda": "cu"}


def import_source(source: str, name: str):
    """Import ``source`` from a real file ``kernel.py``, by a relative path as Warp quotes it."""
    Path("kernel.py").write_text(source)
    linecache.clearcache()
    loader = importlib.machinery.SourceFileLoader(name, "kernel.py")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def compile_nothing() -> None:
    warp_build = wp._src.build
    warp_build.build_cpu = warp_build.build_cuda = lambda *_, **__: None


def compile_one(job: dict, position: int, out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        module = import_source(job["source"], f"kernel_{position}")
        warp_module = [value for value in vars(module).values() if isinstance(value, wp.Kernel)][-1].module
        # The optimization level does not affect the text; the lowest one compiles fastest.
        wp.set_module_options({**job["options"], "optimization_level": 0}, warp_module)
        for target in job["targets"]:
            device = {"device": "cpu"} if target == "cpu" else {"arch": [90], "use_ptx": True}
            try:
                wp.compile_aot_module(warp_module, module_dir=target, strip_hash=True, **device)
                (written,) = Path(target).glob(f"*.{SUFFIX[target]}")
                shutil.copyfile(written, out / f"{position}.{SUFFIX[target]}")
            except Exception:  # noqa: BLE001 - the test reports the error
                (out / f"{position}.{target}.error").write_text(traceback.format_exc())
        os.chdir("/")


def main() -> None:
    jobs, out = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]).resolve()
    wp.config.log_level = wp.LOG_ERROR
    wp.init()
    for position, job in enumerate(jobs):
        if job["fresh"]:
            child = os.fork()
            if child == 0:
                if not job["compiled"]:
                    compile_nothing()
                compile_one(job, position, out)
                os._exit(0)
            os.waitpid(child, 0)
    shared = [(position, job) for position, job in enumerate(jobs) if not job["fresh"]]
    for position, job in sorted(shared, key=lambda item: not item[1]["compiled"]):
        if not job["compiled"]:
            compile_nothing()
        wp._src.context.function_key_counts.clear()
        wp._src.context.function_key_counts.update(AFTER_IMPORT)
        compile_one(job, position, out)


if __name__ == "__main__":
    main()
