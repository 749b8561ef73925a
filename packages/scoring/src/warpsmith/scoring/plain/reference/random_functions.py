"""Plain CUDA for Warp's random numbers, all of which are 32 bits wide."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from warpsmith.scoring.plain.reference.text_types import Composite, Table, Types, function

FUNCTIONS: Table = {}
"""The functions of this module."""

_STATE = "unsigned int& state"
_TURN = "w_randf(state, 0.0f, 6.28318530717958647692f)"

_FORMULAS = {
    "rand_pcg": [
        (
            "unsigned int",
            "unsigned int state",
            (
                "unsigned int b = state * 747796405u + 2891336453u; "
                "unsigned int c = ((b >> ((b >> 28) + 4)) ^ b) * 277803737u; return (c >> 22) ^ c;"
            ),
        )
    ],
    "rand_init": [
        ("unsigned int", "int seed", "return w_rand_pcg((unsigned int)seed);"),
        (
            "unsigned int",
            "int seed, int offset",
            "return w_rand_pcg((unsigned int)seed + w_rand_pcg((unsigned int)offset));",
        ),
    ],
    "randu": [
        ("unsigned int", _STATE, "state = w_rand_pcg(state); return state;"),
        ("unsigned int", f"{_STATE}, unsigned int a, unsigned int b", "return w_randu(state) % (b - a) + a;"),
    ],
    "randi": [
        ("int", _STATE, "return (int)w_randu(state);"),
        ("int", f"{_STATE}, int a, int b", "return (int)(w_randu(state) % (unsigned int)(b - a) + (unsigned int)a);"),
    ],
    "randf": [
        ("float", _STATE, "return (w_randu(state) >> 8) * (1.0f / 16777216.0f);"),
        ("float", f"{_STATE}, float a, float b", "return (b - a) * w_randf(state) + a;"),
    ],
    "randn": [
        (
            "float",
            _STATE,
            (
                "float radius = sqrtf(-2.0f * logf(w_randf(state) + 5.96e-8f)); "
                "return radius * cosf(6.28318530717958647692f * w_randf(state));"
            ),
        )
    ],
    "sample_cdf": [("int", f"{_STATE}, array_float x", "return w_lower_bound(x, w_randf(state));")],
}

_SQUARE = "w_randf(state) - 0.5f"
_POLAR = "float polar = acosf(1.0f - {range} * w_randf(state)), turn = " + _TURN + "; "
_RADIUS = "float radius = powf(w_randf(state), 1.0f / 3.0f); "
_ON_SPHERE = ["cosf(turn) * sinf(polar)", "sinf(turn) * sinf(polar)", "cosf(polar)"]

_SAMPLES: dict[str, tuple[str, list[str]]] = {
    "sample_triangle": ("float root = sqrtf(w_randf(state)); ", ["1.0f - root", "w_randf(state) * root"]),
    "sample_unit_ring": (f"float turn = {_TURN}; ", ["cosf(turn)", "sinf(turn)"]),
    "sample_unit_disk": (
        f"float radius = sqrtf(w_randf(state)), turn = {_TURN}; ",
        ["radius * cosf(turn)", "radius * sinf(turn)"],
    ),
    "sample_unit_sphere_surface": (_POLAR.format(range="2.0f"), _ON_SPHERE),
    "sample_unit_sphere": (_POLAR.format(range="2.0f") + _RADIUS, [f"radius * {term}" for term in _ON_SPHERE]),
    "sample_unit_hemisphere_surface": (_POLAR.format(range="1.0f"), _ON_SPHERE),
    "sample_unit_hemisphere": (_POLAR.format(range="1.0f") + _RADIUS, [f"radius * {term}" for term in _ON_SPHERE]),
    "sample_unit_square": ("", [_SQUARE] * 2),
    "sample_unit_cube": ("", [_SQUARE] * 3),
}
"""Statements, and the components in order, by the name of a function."""

NEEDS: dict[str, tuple[str, ...]] = {
    "rand_init": ("rand_pcg",),
    "randu": ("rand_pcg",),
    "randi": ("randu",),
    "randf": ("randu",),
    "randn": ("randf",),
    "sample_cdf": ("lower_bound", "randf"),
    **dict.fromkeys(_SAMPLES, ("randf",)),
}
"""The functions that a function calls, by its name."""


def _formula(name: str, _: Types) -> Iterator[str]:
    for result, parameters, body in _FORMULAS[name]:
        yield function(result, name, parameters, body)


def _sample(name: str, _: Types) -> Iterator[str]:
    statements, components = _SAMPLES[name]
    vector = Composite("float", (len(components),)).name
    yield function(vector, name, _STATE, f"{statements}{vector} r = {{ {{ {', '.join(components)} }} }}; return r;")


FUNCTIONS.update({name: partial(_formula, name) for name in _FORMULAS})
FUNCTIONS.update({name: partial(_sample, name) for name in _SAMPLES})
