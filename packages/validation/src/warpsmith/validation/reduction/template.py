"""The text of every reproducer; `script` fills in the kernel, its values and its launch."""

from __future__ import annotations

from string import Template

SHARE, BEND, ROUNDINGS = 0.02, 4.0, 4.0
"""The error that a derivative may have: relative to itself, to the distance of two differences, in roundings of the outputs."""

SIDES = 8.0
"""How many times more rounding than a derivative the difference between the derivatives of both sides may have."""

NAMES = "values steps inputs outputs elements arguments arrays weights launch weighted_sum adjoint difference main".split()
"""The definitions of a reproducer. They get other names if the file of the kernel contains these."""

CONSTANTS = ("values", "steps", "inputs", "outputs", "elements")
"""Those that are constants."""

TEXT = Template('''\
"""The gradient of the kernel `$kernel` is wrong: this file compares Warp's adjoint with central differences.

It needs Warp and NumPy only, prints each derivative that is wrong, and then exits with 1. All derivatives are those of a
weighted sum of the outputs.$origin
"""

$source

import sys

import numpy as np

$values = {
$values_text
}
$steps = {$steps_text}
$inputs = [$inputs_text]
$outputs = [$outputs_text]
$elements = $elements_text


def $arguments(values):
    """Return the arguments of a launch by name, in order."""
$arguments_text


def $arrays(made):
    """Return the arrays of floats by name, each with its gradient."""
    return {
$arrays_text
    }


def $weights(output):
    """Return the weights of the numbers of an output."""
    return (1.0 + 0.5 * np.sin(np.arange(output.size))).reshape(output.shape)


def $launch(values):
    """Launch the kernel and return its arguments."""
    made = $arguments(values)
    wp.launch($kernel, dim=$dim, inputs=list(made.values()), device="cpu"$block_dim)
    return made


def $weighted_sum(values):
    """Return the weighted sum of all outputs, and the sum of the sizes of its terms."""
    found = $arrays($launch(values))
    terms = [$weights(found[name][0]) * found[name][0].astype(float) for name in $outputs]
    return sum(float(one.sum()) for one in terms), sum(float(np.abs(one).sum()) for one in terms)


def $adjoint():
    """Return the gradients of the weighted sum by Warp."""
    with wp.Tape() as tape:
        made = $launch($values)
    found = $arrays(made)
    for name in $outputs:
        found[name][1][...] = $weights(found[name][1])
    tape.backward()
    return {name: found[name][1] for name in $inputs}


def $difference(name, index, step, centre):
    """Return the derivative by one number of the inputs, by central differences, and how much it differs between the sides."""
    sums = []
    for sign in (1.0, -1.0):
        moved = {**$values, name: $values[name].copy()}
        moved[name][index] += sign * step
        sums.append($weighted_sum(moved)[0])
    return (sums[0] - sums[1]) / (2.0 * step), (sums[0] - 2.0 * centre + sums[1]) / step


def $main():
    """Compare all derivatives, print those that are wrong, and return the exit code."""
    wp.init()
    gradients, wrong, (centre, size) = $adjoint(), 0, $weighted_sum($values)
    for name, index in $elements:
        step = $steps[name]
        (whole, far), (half, near) = $difference(name, index, step, centre), $difference(name, index, 0.5 * step, centre)
        expected, got = half + (half - whole) / 3.0, float(gradients[name][index])
        rounding = $roundings * float(np.finfo($values[name].dtype).eps) * size / step
        error = $share * max(abs(got), abs(expected)) + $bend * abs(half - whole) + rounding
        # Curvature makes the sides differ in proportion to the step, which cancels here; at a bend there is no derivative.
        is_bend = abs(2.0 * near - far) > error + $sides * rounding
        if not is_bend and not abs(got - expected) <= error:
            wrong += 1
            print(f"{name}{list(index)}: the adjoint gives {got:.6g}, central differences {expected:.6g}")
    print(f"$kernel: {wrong} of {len($elements)} derivatives are wrong (Warp {wp.__version__})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit($main())
''')
