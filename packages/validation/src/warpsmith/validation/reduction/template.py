"""The text of every reproducer; `script` fills in the kernel, its values and its launch."""

from __future__ import annotations

from string import Template

NAMES = "values elements tolerance outputs weights launch loss main".split()
"""The definitions of a reproducer. They get other names if the file of the kernel contains these."""

CONSTANTS = ("values", "elements", "tolerance", "outputs")
"""Those that are constants."""

WEIGHTS = Template('''
def $weights(output):
    """Return the weights of the numbers of an output."""
    return (1.0 + 0.5 * np.sin(np.arange(output.size))).reshape(output.shape)

''')
"""The function of a reproducer whose derivatives are those of a weighted sum."""

TEXT = Template('''\
"""$summary

    $$ python reproducer.py
    $shown

Seen with $environment.$origin
The file needs Warp and NumPy only. It compares Warp's adjoint with central differences of $sum_text,
and exits with 1 while a derivative is wrong, with 0 once all are right.
"""

${future}import sys

import numpy as np
$source


$values = {
$values_text
}
$outputs = [$outputs_text]
$elements = [$elements_text]  # a number of the inputs, and the step of its central difference
$tolerance = $tolerance_text

$weights_text
def $launch(values):
    """Launch the kernel; return its arrays of floats by name, each with its gradient."""
$arguments_text
    wp.launch($kernel, dim=$dim, inputs=list(arguments.values()), device="cpu"$block_dim)
    return {
$arrays_text
    }


def $loss(name, index, change):
    """Return $sum_text after one number of the inputs is changed."""
    values = {**$values, name: $values[name].copy()}
    values[name][index] += change
    arrays = $launch(values)
    return sum(float($total) for output in $outputs)


def $main():
    """Compare the derivatives, and return the exit code."""
    with wp.Tape() as tape:
        arrays = $launch($values)
    for output in $outputs:
        arrays[output][1][...] = $seed
    tape.backward()
    wrong = 0
    for name, index, step in $elements:
        got = float(arrays[name][1][index])
        expected = ($loss(name, index, step) - $loss(name, index, -step)) / (2.0 * step)
        wrong += not abs(got - expected) <= $tolerance
        print(f"{name}{list(index)}: Warp gives {got:.4g}, central differences {expected:.4g}")
    print(f"{wrong} of {len($elements)} derivatives are wrong (Warp {wp.__version__})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit($main())
''')
