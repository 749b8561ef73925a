"""Random numbers are drawn in the order of Warp, whatever order C++ evaluates arguments in."""

from __future__ import annotations

from written_pairs import argument, text_of

NOISE = """import warp as wp


@wp.func
def box_muller(u: float, v: float) -> float:
    return wp.sqrt(-2.0 * wp.log(u)) * wp.cos(6.28 * v)


@wp.kernel
def noise(u1: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    rng = wp.rand_init(7, i)
    out[i] = u1[i] * box_muller(wp.randf(rng, 0.001, 1.0), wp.randf(rng)) + wp.randf(rng)
"""


def test_each_number_has_a_statement() -> None:
    text = text_of(NOISE, "noise", (8,), argument("u1", "float32", (8,)), argument("out", "float32", (8,), "output"))
    places = [
        text.index(part)
        for part in ("u2 = randf(rng, 0.001f, 1.0f);", "u3 = randf(rng);", "u4 = randf(rng);", "box_muller(u2, u3) + u4;")
    ]
    assert places == sorted(places)


def test_a_single_number_stays_in_its_place() -> None:
    source = NOISE.replace("box_muller(wp.randf(rng, 0.001, 1.0), wp.randf(rng)) + wp.randf(rng)", "wp.randf(rng)")
    text = text_of(source, "noise", (8,), argument("u1", "float32", (8,)), argument("out", "float32", (8,), "output"))
    assert "u1[i] * randf(rng);" in text
