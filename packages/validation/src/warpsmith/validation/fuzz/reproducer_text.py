"""Stand-alone scripts for clusters: a kernel, its launch, and a check that needs Warp and NumPy only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.validation.fuzz.case_numbers import content
from warpsmith.validation.fuzz.grammar.cases import Case
from warpsmith.validation.fuzz.grammar.form_file import Parameter, used_parameters
from warpsmith.validation.fuzz.grammar.precision_names import PRECISIONS

NAMES = re.compile(
    r"(?<!\.)\b(kernel|change|square|adj_square|replay_square|make_square|twice|both|get|work|Named|Holder|K|D)\b"
)
"""The names of the second kernel of a pair that get a suffix."""

HEAD = '''"""{summary}

{detail}
The script exits with 1 while this is so, else with 0. It was found by warpsmith-fuzz as
{form}
"""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import warp as wp
{settings}

{source}

def arguments():
    """Return the arguments of a launch by name."""
    return {{
{arguments}    }}


def launch(kernel, made, **options):
    """Launch the kernel with its arguments."""
    inputs = [made[parameter.label] for parameter in kernel.adj.args]
    {launch}
'''

CHECKS = {
    "gradient": '''

def seeds(made):
    """Return the weights of the outputs in the sum that is differentiated."""
    outputs = [made[name] for name in {outputs} if name in made]
    return {{array: wp.array(0.5 + np.arange(array.numpy().size).reshape(array.numpy().shape) * 0.1, dtype=array.dtype,
                             device="cpu") for array in outputs}}


def total(name, member, index, step):
    """Return the weighted sum of the outputs with one number of the inputs moved."""
    made = arguments()
    view = made[name].numpy()
    (view[member] if member else view)[index] += step
    launch(kernel, made)
    return sum(float((weights.numpy().astype(float) * array.numpy()).sum()) for array, weights in seeds(made).items())


def main():
    made = arguments()
    with wp.Tape() as tape:
        launch(kernel, made)
    tape.backward(grads=seeds(made))
    wrong = 0
    for name, member, index in {elements}:
        gradient = made[name].grad.numpy()
        got = float((gradient[member] if member else gradient)[index])
        right = (total(name, member, index, {step}) - total(name, member, index, -{step})) / {step} / 2.0
        print(f"{{name}}{{'.' * bool(member)}}{{member}}{{list(index)}}: right {{right:.5g}}, by central differences; Warp {{got:.5g}}")
        wrong += not abs(got - right) <= {tolerance} * max(abs(got), abs(right), 0.1)
    return int(wrong > 0)
''',
    "compile": """

def main():
    print("right: the kernel compiles")
    try:
        launch(kernel, arguments())
    except Exception as error:
        print("Warp:  ", str(error).strip()[:300])
        return 1
    return 0
""",
    "crash": """

def child():
    made = arguments()
    with wp.Tape() as tape:
        launch(kernel, made)
    print("the forward pass ends", flush=True)
    tape.backward(grads={{made[name]: wp.ones_like(made[name]) for name in {outputs} if name in made}})
    return 0


def main():
    if sys.argv[1:]:
        wp.config.mode = sys.argv[1]
        return child()
    print("right: both passes end")
    for mode in ("release", "debug"):  # a wrong address may be harmless; Warp's assertions find it in debug mode
        try:
            done = subprocess.run([sys.executable, os.path.abspath(__file__), mode], check=False, timeout=60)
        except subprocess.TimeoutExpired:
            print(f"Warp:  the process does not end within a minute in {{mode}} mode")
            return 1
        print(f"Warp:  the process ends with {{done.returncode}} in {{mode}} mode")
        if done.returncode:
            return 1
    return 0
""",
    "pair-values": """

def main():
    first, second = arguments(), arguments()
    launch(kernel, first)
    launch(kernel_2, second)
    wrong = 0
    for name in {outputs}:
        if name in first and name in second:
            got, other = first[name].numpy(), second[name].numpy()
            print(f"right: {{name}} is the same for both kernels\\nWarp:  {{got.ravel().tolist()}}\\nand    {{other.ravel().tolist()}}")
            wrong += not np.allclose(got, other, rtol={tolerance}, atol={tolerance})
    return int(wrong > 0)
""",
    "forward": """

def main():
    made = arguments()
    launch(kernel, made)
    print("{detail}")
    return int("{detail}".startswith(f"{first_output}[0] is {{float(made['{first_output}'].numpy().ravel()[0])}}"))
""",
}
"""The checks of the script, by kind."""

END = '\n\nif __name__ == "__main__":\n    raise SystemExit(main())\n'
STEPS = {"float": 2.0**-6, "double": 2.0**-10, "half": 2.0**-4}
TOLERANCES = {"float": 0.02, "double": 1e-4, "half": 0.2}


def reproducer(kind: str, detail: str, form: str, case: Case, source: str = "", other: Case | None = None) -> str:
    """Return the script for a fault.

    Args:
        kind: the kind of the fault, see `comparisons.Fault`.
        detail: its numbers or message.
        form: the form as a line.
        case: the case that has the fault.
        source: its file if it was reduced; that of the case by default.
        other: the second case, for the fault of a pair.
    """
    source = source or case.source
    parameters = [p for p in case.parameters if p.name in used_parameters(source)]
    if other is not None:
        parameters += [p for p in other.parameters if p.name not in {known.name for known in parameters}]
        source += "\n\n" + NAMES.sub(r"\1_2", _without_structs(other.source))
    floats = [p.name for p in parameters if p.role == "output" and p.element != "int"]
    check = {"hang": "crash", "pair-gradient": "gradient", "pair-rejected": "compile", "release": "compile"}.get(kind, kind)
    elements = list(_elements(detail)) if check == "gradient" else []
    head = HEAD.format(
        summary=SUMMARIES[kind],
        detail=detail.replace('"', "'").replace("\\", "/"),
        form=form,
        settings="".join(_setting(name, value) for name, value in case.settings),
        source=re.sub(r"^(?:import warp as wp|from typing import Any)\n", "", source, flags=re.MULTILINE).strip() + "\n",
        arguments="".join(f"        {line},\n" for line in _arguments(parameters, case)),
        launch=_launch(case),
    )
    text = CHECKS[check].format(
        outputs=floats,
        elements=elements,
        step=STEPS[case.dtype],
        tolerance=TOLERANCES[case.dtype],
        detail=detail.replace('"', "'"),
        first_output=detail.partition("[")[0],
    )
    return head + text + END


SUMMARIES = {
    "gradient": "The gradient of a kernel is not its derivative.",
    "forward": "The result of a kernel is not that of Python.",
    "compile": "A kernel that Warp accepts does not compile.",
    "crash": "A kernel ends the process.",
    "hang": "A kernel does not end.",
    "pair-values": "Two kernels that mean the same have different results.",
    "pair-rejected": "Warp rejects one of two kernels that mean the same.",
    "pair-gradient": "Two kernels that mean the same have different gradients.",
    "release": "Two releases of Warp have different results.",
}
"""What is wrong, by kind."""


def _elements(detail: str) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield the numbers of inputs that the detail of a wrong gradient names."""
    for leaf, index in re.findall(r"([\w.]+)\[([\d, ]*)\]:", detail):
        name, _, member = leaf.partition(".")
        yield name, member, tuple(int(part) for part in index.split(",") if part.strip())


def _setting(name: str, value: object) -> str:
    text = f"wp.DeterministicMode[{value!r}]" if name == "deterministic" else repr(value)
    return f"\nwp.config.{name} = {text}"


def _launch(case: Case) -> str:
    function, more = ("launch_tiled", ", block_dim=32") if case.tiles else ("launch", "")
    dim = f"[{case.threads}]" if case.tiles else str(case.threads)
    return f'return wp.{function}(kernel, dim={dim}, inputs=inputs{more}, device="cpu", **options)'


def _arguments(parameters: list[Parameter], case: Case) -> Iterator[str]:
    precision = PRECISIONS[case.dtype]
    for parameter in parameters:
        yield f'"{parameter.name}": {_argument(parameter, precision.scalar, precision.vec)}'


def _argument(parameter: Parameter, scalar: str, vec: str) -> str:
    kinds = {"scalar": scalar, "vec": vec, "int": "int", "struct": "Inner"}
    if parameter.element == "indexed":
        data = f'wp.array({content(parameter).round(4).tolist()}, dtype={scalar}, device="cpu")'
        return f'wp.indexedarray({data}, [wp.array(range(8), dtype=int, device="cpu")])'
    if not parameter.shape:
        return (
            "Outer()"
            if parameter.element == "struct"
            else f"{kinds[parameter.element]}({', '.join(map(str, parameter.numbers))})"
        )
    grad = "" if parameter.element == "int" or parameter.role == "fixed" else ", requires_grad=True"
    values = (
        f"np.ones({parameter.shape}, dtype=Inner.numpy_dtype())"
        if parameter.element == "struct"
        else content(parameter).round(4).tolist()
    )
    return f'wp.array({values}, dtype={kinds[parameter.element]}, device="cpu"{grad})'


def _without_structs(source: str) -> str:
    return re.sub(r"@wp\.struct\nclass (Inner|Outer):\n(?:    .*\n)+\n*", "", source)
