"""A process that runs cases with the Warp of its environment: it needs Warp and NumPy, and nothing of warpsmith.

Each line on stdin is a JSON object with settings of `warp.config` and cases, each line on stdout a list with one result per
case. Every batch is compiled as one module in a fork. A case that does not compile, ends the fork or never ends is found by
halving the batch.
"""

import contextlib
import functools
import json
import os
import re
import resource
import select
import signal
import sys
import tempfile
import types
from collections.abc import Callable, Sequence
from typing import Any, TypedDict

import numpy as np
import warp as wp

Array = np.ndarray[Any, Any]
Settings = dict[str, bool | int | str]


class CaseMessage(TypedDict):
    """A case, see `cases.Case`."""

    source: str
    parameters: list[Any]
    threads: int
    tiles: bool
    dtype: str


class Answer(TypedDict, total=False):
    """The result of a case, see `case_runs.Result`; of a batch without code, also the cases that are at fault."""

    status: str
    reason: str
    stage: str
    values: dict[str, list[float]]
    gradient: dict[str, list[float]]
    wrong: list[Any]
    compared: int
    cases: Any


MODULE = "warpsmith_fuzz_batch"
NAMES = re.compile(
    r"(?<!\.)\b(kernel|change|square|adj_square|replay_square|make_square|twice|both|get|work|Named|Holder|K|D)\b"
)
"""The names that the files of forms define; each case of a batch gets its own."""

SECONDS = 120.0
"""The time limit of the fork of a batch between two signs of life."""

RUN_SECONDS = 6
"""The processor time of a case; more is a hang. Other processes of the machine do not count."""

STILL_SECONDS = 60.0
"""The time in which a case that uses less processor time shows a sign of life, on a busy machine, too. A case that does not has
overwritten memory, such as a lock of the allocator, for which it waits: this counts as a crash."""

STILL_USE = 0.5
"""The most processor time of a case that stands still; a case that runs in a loop uses more, on a busy machine, too."""

SCALARS = {"float": wp.float32, "double": wp.float64, "half": wp.float16}
VECTORS = {"float": wp.vec3, "double": wp.vec3d, "half": wp.vec3h}
STEPS = {"float": 2.0**-6, "double": 2.0**-10, "half": 2.0**-4}
EPSILON = {"float": 2.0**-23, "double": 2.0**-52, "half": 2.0**-10}
TOLERANCE = {"float": 0.02, "double": 1e-4, "half": 0.2}
"""For each precision the step of differences, the rounding error, and the relative error from which a gradient is wrong."""

KINK = 0.3
"""The relative difference of the one-sided derivatives from which a function is not differentiable."""


def main() -> None:
    """Answer batches until stdin ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    config: Any = wp.config
    config.quiet = True
    wp.config.optimization_level = 0
    wp.config.use_precompiled_headers = False
    wp.init()
    answers.write(json.dumps({"warp": wp.__version__}) + "\n")
    answers.flush()
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(results(request["settings"], request["cases"])) + "\n")
        answers.flush()


def results(settings: Settings, cases: list[CaseMessage]) -> list[Answer | None]:
    """Return the result of each case; a batch that has no code is divided."""
    found: list[Answer | None] = [None] * len(cases)
    parts = [list(range(len(cases)))]
    while parts:
        part = parts.pop()
        if not part:
            continue
        batch = [cases[number] for number in part]
        answer, message = in_fork(functools.partial(run_batch, settings, batch))
        if isinstance(answer, list):
            for number, result in zip(part, answer, strict=True):
                found[number] = result
            continue
        answer = answer or {"status": "compile", "reason": message}
        guilty = {part[int(number)] for number in answer.get("cases", ())}
        if len(part) == 1:
            found[part[0]] = {"status": answer["status"], "reason": answer["reason"]}
        elif guilty and answer["status"] == "rejected":
            for number in guilty:
                found[number] = {"status": "rejected", "reason": answer["reason"]}
            parts.append([number for number in part if number not in guilty])
        elif guilty:  # they are compiled alone, to be certain
            parts += [[number] for number in sorted(guilty)]
            parts.append([number for number in part if number not in guilty])
        else:
            parts += [part[: len(part) // 2], part[len(part) // 2 :]]
    return found


def in_fork(work: Callable[[int], Any], processor_seconds: int = 0) -> tuple[Any, str]:
    """Run a function in a fork; return its answer, or None and how the fork ended.

    Args:
        work: a function of the descriptor of the pipe, into which it may write what it does.
        processor_seconds: the limit of the fork's processor time; 0 for none.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        code = 1
        if processor_seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (processor_seconds, processor_seconds + 1))
        try:
            answer = json.dumps(work(writing)).encode()
            with os.fdopen(os.dup(writing), "wb") as pipe:
                pipe.write(b"\n" + answer)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    seconds = STILL_SECONDS if processor_seconds else SECONDS
    text, ended = read_all(reading, seconds)
    os.close(reading)
    if not ended:
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    lines = text.decode().rpartition("\n")
    if not ended and usage.ru_utime + usage.ru_stime < STILL_USE:
        return None, f"stands still for {seconds:.0f} seconds in the stage: {lines[2]}"
    if not ended:
        return None, f"more than {seconds:.0f} seconds in the stage: {lines[2]}"
    if status == 0:
        return json.loads(lines[2]), ""
    signalled = os.WIFSIGNALED(status)
    if signalled and os.WTERMSIG(status) == signal.SIGXCPU:
        return None, f"more than {processor_seconds} seconds of processor time in the stage: {lines[2]}"
    end = f"signal {os.WTERMSIG(status)}" if signalled else f"exit {os.WEXITSTATUS(status)}"
    return None, f"{end} in the stage: {lines[2]}"


def read_all(reading: int, seconds: float) -> tuple[bytes, bool]:
    """Return what a fork writes, and whether it ended in time."""
    chunks: list[bytes] = []
    while select.select([reading], [], [], seconds)[0]:
        chunk = os.read(reading, 1 << 20)
        if not chunk:
            return b"".join(chunks), True
        chunks.append(chunk)
    return b"".join(chunks), False


def run_batch(settings: Settings, cases: list[CaseMessage], writing: int) -> Any:
    """Compile all cases as one module and run them; return their results, or why the module has none."""
    for name, value in settings.items():
        setattr(wp.config, name, wp.DeterministicMode[str(value)] if name == "deterministic" else value)
    sys.modules[MODULE] = types.ModuleType(MODULE)
    with tempfile.TemporaryDirectory() as folder:
        wp.config.kernel_cache_dir = folder
        kernels = []
        for number, case in enumerate(cases):
            try:
                kernels.append(load(case, number, folder))
            except Exception as error:
                return {"status": "rejected", "reason": text_of(error), "cases": [number]}
        messages = os.path.join(folder, "messages")
        with open(messages, "wb") as file:
            os.dup2(file.fileno(), 2)
        try:
            loaded = wp.get_module(MODULE).load("cpu", block_dim=1)
        except Exception as error:
            return failure(error, len(cases), messages)
        if not loaded:
            return {"status": "compile", "reason": "Warp reports that the module could not be loaded"}
        return [run_alone(case, *kernels[number], writing) for number, case in enumerate(cases)]


def run_alone(case: CaseMessage, kernel: Any, inner: Any, outer: Any, writing: int) -> Answer:
    """Run one case in a fork of its own, so that its end does not end the others."""
    os.write(writing, b".")
    answer, message = in_fork(lambda pipe: Run(case, kernel, inner, outer, pipe).result(), RUN_SECONDS)
    if isinstance(answer, dict):
        result: Answer = answer  # type: ignore[assignment]
        return result
    reason, _, stage = message.partition(" in the stage: ")
    return {"status": "hang" if reason.startswith("more") else "crash", "reason": reason, "stage": stage}


def failure(error: Exception, count: int, messages: str) -> Answer:
    """Return why a module has no code: the case that Warp rejects, or those that the compiler rejects."""
    text = text_of(error)
    named = re.search(r"(?:function|kernel|struct)\s+\W?(?:adj_|make_|replay_)?\w*?_(\d+)\b", text)
    if "build failed" in text:
        with open(messages, encoding="utf-8", errors="replace") as file:
            return {"status": "compile", "reason": text, "cases": places(file.read(), count)}
    numbers_found = [int(named[1])] if named is not None and int(named[1]) < count else []
    return {"status": "rejected", "reason": text, "cases": numbers_found}


def places(messages: str, count: int) -> dict[int, str]:
    """Return the messages of a compiler by case, where the lines that they name tell it."""
    found: dict[int, str] = {}
    for path, line, message in re.findall(r"^(/\S+\.cpp):(\d+):\d+: error: (.*)$", messages, re.MULTILINE):
        if not os.path.isfile(path):
            return {}
        with open(path, encoding="utf-8") as file:
            before = "".join(file.readlines()[: int(line)])
        definitions = re.findall(r"\b\w+?_(\d+)(?:_[0-9a-f]{8})?(?:_\w+)?\s*[({]", before)
        numbers_found = [int(number) for number in definitions if int(number) < count]
        if not numbers_found:
            return {}
        found.setdefault(numbers_found[-1], message)
    return found


def text_of(error: Exception) -> str:
    """Return an error as one short line."""
    return f"{type(error).__name__}: {error}".replace("\n", " ")[:300]


STRUCTS = re.compile(r"@wp\.struct\nclass Inner:.*?(?=\n\n\n@wp\.(?!struct\nclass Outer)|\n\n\n(?!@)\S)", re.DOTALL)
"""The definitions of structs in a file; the cases of a batch share them, since each struct makes much code."""


def load(case: CaseMessage, number: int, folder: str) -> tuple[Any, Any, Any]:
    """Load the file of a case with names of its own; return its kernel and its structs."""
    source = NAMES.sub(lambda match: f"{match[1]}_{number}", case["source"])
    shared = STRUCTS.search(source)
    space: dict[str, object] = {"__name__": MODULE}
    if shared is not None:
        source = source.replace(shared[0], "")
        space.update(structs_of(shared[0], case["dtype"], folder))
    path = os.path.join(folder, f"case_{number}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    exec(compile(source, path, "exec"), space)  # noqa: S102 - the kernels of forms, which this project makes
    return space[f"kernel_{number}"], space.get("Inner"), space.get("Outer")


def structs_of(text: str, dtype: str, folder: str) -> dict[str, object]:
    """Return the structs of a precision by name; they are defined once in a process."""
    if dtype not in SHARED:
        path = os.path.join(folder, f"structs_{dtype}.py")
        source = "import warp as wp\n\n\n" + re.sub(r"\b(Inner|Outer)\b", rf"\1_{dtype}", text) + "\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        space = {"__name__": MODULE}
        exec(compile(source, path, "exec"), space)  # noqa: S102 - see above
        SHARED[dtype] = {name: space[f"{name}_{dtype}"] for name in ("Inner", "Outer")}
    return SHARED[dtype]


SHARED: dict[str, dict[str, object]] = {}
"""The structs of this process by precision."""


def numbers(name: str, shape: Sequence[int]) -> Array:
    """Return the numbers of an input: distinct ones between 0.5 and 1.5."""
    offset = sum(name.encode()) * 0.381966
    flat = 0.5 + (np.arange(int(np.prod(shape))) * 0.6180339887 + offset) % 1.0
    return flat.reshape(shape)


class Run:
    """One case: its arguments, its results and its gradients."""

    def __init__(self, case: CaseMessage, kernel: Any, inner: Any, outer: Any, writing: int) -> None:
        self.case, self.kernel, self.inner, self.outer, self.writing = case, kernel, inner, outer, writing
        self.dtype = case["dtype"]
        self.scalar, self.vector = SCALARS[self.dtype], VECTORS[self.dtype]
        self.arrays: dict[str, wp.array[Any]] = {}
        self.initial: dict[str, Array] = {}
        self.inputs: dict[str, Array] = {}
        self.outputs: dict[str, Array] = {}
        self.weights_of: dict[str, Array] = {}
        self.arguments: list[Any] = []

    def argument(self, name: str, element: str, shape: list[int], role: str, fixed: list[int]) -> Any:
        """Return one argument of the launch."""
        if element == "indexed":
            data: Any = wp.array(numbers(name, shape), dtype=self.scalar, device="cpu")
            return wp.indexedarray(data, [wp.array(list(range(8)), dtype=int, device="cpu")])
        if not shape:
            return self.value(element, fixed)
        kinds = {"scalar": self.scalar, "vec": self.vector, "int": wp.int32, "struct": self.inner}
        content = np.zeros([*shape, 3]) if element == "vec" else np.zeros(shape)
        if role in {"input", "inout"}:
            content = numbers(name, content.shape)
        if fixed:
            content = np.array(fixed, dtype=float).reshape(content.shape)
        if element == "struct":
            content = np.zeros(shape, dtype=self.inner.numpy_dtype())
            members: Any = content
            members["a"], members["v"] = numbers(name, shape), numbers(name + "v", [*shape, 3])
        array: Any = wp.array(content, dtype=kinds[element], device="cpu", requires_grad=role != "fixed" and element != "int")
        view = array.numpy()
        self.arrays[name], self.initial[name] = array, view.copy()
        leaves = {f"{name}.{member}": view[member] for member in ("a", "v")} if element == "struct" else {name: view}
        if role in {"input", "inout"}:
            self.inputs.update(leaves)
        elif role == "output":
            self.outputs[name] = view
        return array

    def value(self, element: str, fixed: list[int]) -> Any:
        """Return an argument that is no array."""
        if element == "struct":
            made = self.outer()
            made.a, made.v = self.scalar(0.75), self.vector(0.5, 0.75, 1.0)
            made.inner.a, made.inner.v = self.scalar(1.25), self.vector(1.0, 0.5, 0.75)
            return made
        return {"int": int, "scalar": self.scalar}[element](*fixed) if element != "vec" else self.vector(*fixed)

    def launch(self, **options: Any) -> Any:
        """Launch the kernel, or record its launch."""
        if self.case["tiles"]:
            return wp.launch_tiled(
                self.kernel, dim=[self.case["threads"]], inputs=self.arguments, block_dim=32, device="cpu", **options
            )
        return wp.launch(self.kernel, dim=self.case["threads"], inputs=self.arguments, device="cpu", **options)

    def reset(self) -> None:
        """Give all arrays their first contents."""
        for name, array in self.arrays.items():
            array.numpy()[...] = self.initial[name]

    def weights(self, name: str) -> Array:
        """Return the weights of the elements of an output in the sum that is differentiated."""
        view = self.outputs[name]
        return 0.5 + numbers(name + "weights", view.shape)

    def total(self, command: Any) -> tuple[float, float]:
        """Return the weighted sum of the outputs after a launch, and the sum of the sizes of its parts."""
        command.launch()
        parts = [self.weights_of[name] * view.astype(float) for name, view in self.outputs.items() if name in self.weights_of]
        return sum(part.sum() for part in parts), sum(np.abs(part).sum() for part in parts)

    def result(self) -> Answer:
        """Return values, gradients, and the elements whose gradient is wrong, or why Warp does not launch the kernel."""
        try:
            return self.checked()
        except Exception as error:
            return {"status": "rejected", "reason": text_of(error)}

    def checked(self) -> Answer:
        """Return values, gradients, and the elements whose gradient is wrong."""
        self.arguments = [self.argument(*parameter) for parameter in self.case["parameters"]]
        os.write(self.writing, b"\nforward")
        command = self.launch(record_cmd=True)
        command.launch()
        values = {name: view.astype(float).ravel().tolist() for name, view in self.outputs.items()}
        self.weights_of = {name: self.weights(name) for name, view in self.outputs.items() if view.dtype.kind == "f"}
        found: Answer = {"status": "ok", "values": values, "gradient": {}, "wrong": [], "compared": 0}
        if not self.inputs or not self.weights_of or not wp.config.enable_backward:
            return found
        gradient = self.gradient()
        found["gradient"] = {name: grad.ravel().tolist() for name, grad in gradient.items()}
        largest = max((float(np.nanmax(np.abs(grad))) for grad in gradient.values() if grad.size), default=0.0)
        for name, view in self.inputs.items():
            for index in np.ndindex(view.shape):
                found["compared"] += self.compared(
                    command, (name, index), float(gradient[name][index]), largest, found["wrong"]
                )
        return found

    def gradient(self) -> dict[str, Array]:
        """Return the gradients of the tape by leaf."""
        os.write(self.writing, b"\nbackward")
        self.reset()
        with wp.Tape() as tape:
            self.launch()
        kinds = {name: self.arrays[name].dtype for name in self.weights_of}
        grads: Any = {
            self.arrays[name]: wp.array(weights, dtype=kinds[name], device="cpu") for name, weights in self.weights_of.items()
        }
        tape.backward(grads=grads)
        found = {}
        for leaf in self.inputs:
            name, _, member = leaf.partition(".")
            content = self.arrays[name].grad.numpy()
            found[leaf] = (content[member] if member else content).astype(float)
        return found

    def compared(self, command: Any, element: tuple[str, tuple[int, ...]], got: float, largest: float, wrong: list[Any]) -> int:
        """Compare one element of the gradient with differences; return whether the function is differentiable there."""
        name, index = element
        view, step = self.inputs[name], STEPS[self.dtype]
        here = float(self.initial_of(name)[index])
        sums = {}
        for factor in (-1.0, -0.5, 0.0, 0.5, 1.0):
            self.reset()
            view[index] = here + factor * step
            sums[factor], size = self.total(command)
        self.reset()
        wide, half = (sums[1.0] - sums[-1.0]) / (2.0 * step), (sums[0.5] - sums[-0.5]) / step
        left, right = (sums[0.0] - sums[-0.5]) / (0.5 * step), (sums[0.5] - sums[0.0]) / (0.5 * step)
        noise = 8.0 * EPSILON[self.dtype] * max(size, 1.0) / step
        expected = (4.0 * half - wide) / 3.0
        scale = max(abs(expected), abs(got) if np.isfinite(got) else 0.0, 0.02 * largest if np.isfinite(largest) else 0.0, 1e-3)
        if not np.isfinite(expected) or abs(wide - half) > 0.5 * TOLERANCE[self.dtype] * scale + noise:
            return 0
        if abs(left - right) > KINK * max(abs(left), abs(right)) + 10.0 * noise:
            return 0
        if not abs(got - expected) <= TOLERANCE[self.dtype] * scale + 4.0 * noise:
            wrong.append([name, list(index), got if np.isfinite(got) else str(got), expected])
        return 1

    def initial_of(self, leaf: str) -> Array:
        """Return the first content of a leaf."""
        name, _, member = leaf.partition(".")
        return self.initial[name][member] if member else self.initial[name]


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main()
