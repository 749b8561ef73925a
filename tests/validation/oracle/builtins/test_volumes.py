"""Volumes and textures are sampled as Warp samples them, inside, at the border and beyond."""

from __future__ import annotations

import numpy as np
import pytest

from oracle_kernels import DOMAIN, check_objects, floats, run_alone
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Build
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

VOLUME = """
@wp.kernel
def k(
    a: wp.uint64, b: wp.uint64, c: wp.uint64, x: wp.array(dtype=wp.vec3), data: wp.array(dtype=float),
    o: wp.array2d(dtype=float), v: wp.array2d(dtype=wp.vec3),
):
    n = wp.tid()
    p = wp.volume_world_to_index(a, x[n])
    g = wp.vec3()
    h = wp.vec3()
    i = int(p[0])
    j = int(p[1])
    k = int(p[2])
    o[n, 0] = wp.volume_sample_f(a, p, wp.Volume.LINEAR)
    o[n, 1] = wp.volume_sample(a, p, wp.Volume.CLOSEST, dtype=float)
    o[n, 2] = wp.volume_sample_grad_f(a, p, wp.Volume.LINEAR, g)
    o[n, 3] = float(wp.volume_lookup_index(a, i, j, k) + wp.volume_voxel_count(a))
    o[n, 4] = wp.volume_lookup_f(a, i, j, k) + float(wp.volume_lookup_i(c, i, j, k)) + float(wp.volume_sample_i(c, p))
    o[n, 5] = wp.volume_sample_index(a, p, wp.Volume.LINEAR, data, 1.5)
    o[n, 6] = wp.volume_sample_grad_index(a, p, wp.Volume.LINEAR, data, -0.5, h)
    v[n, 0] = g
    v[n, 1] = h
    v[n, 2] = wp.volume_sample_v(b, p, wp.Volume.LINEAR) + wp.volume_lookup_v(b, i, j, k)
    v[n, 3] = wp.volume_index_to_world(a, p) + wp.volume_index_to_world_dir(a, p) + wp.volume_world_to_index_dir(a, p)
    wp.volume_store_f(a, i, j, k, float(n))
    wp.volume_store(b, i, j, k, x[n])
    o[n, 7] = wp.volume_lookup(a, i, j, k, dtype=float) + wp.length(wp.volume_lookup(b, i, j, k, dtype=wp.vec3))
"""


def volume(name: str, voxels: str, content: Values) -> tuple[Argument, dict[str, Values]]:
    """Return a volume and its voxels."""
    build = Build(width=0.25, voxels=voxels)  # type: ignore[arg-type]
    return Argument(
        name=name, kind="volume", dtype="uint64", role="input", shape=content.shape[:3], domain=DOMAIN, build=build
    ), {name: content}


def test_volumes() -> None:
    points = floats(60, 3, low=-0.6, high=2.4)
    points[0], points[1] = (0.5, 1.0, 0.25), (0.125, 0.625, -0.125)  # on voxels, and halfway between them
    labels = np.random.default_rng(5).integers(-9, 9, (8, 8, 8), np.int32)
    volumes = {"a": ("float32", floats(8, 8, 8)), "b": ("vec3f", floats(8, 8, 8, 3)), "c": ("int32", labels)}
    volumes = {"a": ("float32", floats(8, 8, 8)), "b": ("vec3f", floats(8, 8, 8, 3)), "c": ("int32", labels)}
    check_objects(
        VOLUME,
        (60,),
        {name: volume(name, *entry) for name, entry in volumes.items()},
        x=("vec3f", points),
        data=("float32", floats(512, seed=9)),
        o=("float32", np.zeros((60, 8), np.float32)),
        v=("vec3f", np.zeros((60, 4, 3), np.float32)),
    )  # fmt: skip


def texture(shape: tuple[int, ...], filter_mode: str, address: str, channels: int = 1) -> tuple[Argument, dict[str, Values]]:
    """Return a texture and its texels."""
    build = Build(filter=filter_mode, address=address, channels=channels)  # type: ignore[arg-type]
    content = floats(*shape, channels) if channels > 1 else floats(*shape)
    argument = Argument(
        name="t", kind="texture", dtype=f"Texture{len(shape)}D", role="input", shape=shape, domain=DOMAIN, build=build
    )
    return argument, {"t": content}


SAMPLES = {1: "x[n][0]", 2: "wp.vec2(x[n][0], x[n][2])", 3: "x[n]"}


@pytest.mark.parametrize(
    ("shape", "filter_mode", "address", "channels"),
    [
        ((5,), "linear", "wrap", 1),
        ((5, 4), "linear", "mirror", 4),
        ((4, 7), "closest", "mirror", 1),
        ((5, 4, 6), "linear", "border", 1),
        ((5, 4, 6), "linear", "clamp", 2),
        ((3, 4, 2), "closest", "wrap", 1),
    ],
)
def test_textures(shape: tuple[int, ...], filter_mode: str, address: str, channels: int) -> None:
    dtype = {1: "float", 2: "wp.vec2", 4: "wp.vec4"}[channels]
    element = {1: "float32", 2: "vec2f", 4: "vec4f"}[channels]
    text = f"""
@wp.kernel
def k(t: wp.Texture{len(shape)}D, x: wp.array(dtype=wp.vec3), o: wp.array(dtype={dtype})):
    n = wp.tid()
    o[n] = wp.texture_sample(t, {SAMPLES[len(shape)]}, dtype={dtype})
"""
    points = floats(80, 3, low=-0.8, high=1.8)
    points[:8] = np.linspace(-1.0, 2.0, 8, dtype=np.float32)[:, None]
    results = check_objects(
        text, (80,), {"t": texture(shape, filter_mode, address, channels)},
        x=("vec3f", points), o=(element, np.zeros((80, channels) if channels > 1 else 80, np.float32)),
    )  # fmt: skip
    assert len(np.unique(results["o"])) > 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("y = wp.volume_sample_f(x, wp.vec3(), 1)", "a volume that is float32"),
        ("y = wp.texture_sample(x, 0.5, dtype=float)", "a sample of float32"),
        ("y = wp.volume_sample_f(x)", "without 'uvw'"),
        ("y = wp.volume_sample_i(x, wp.vec3(), 1, 2)", "with 4 arguments"),
        ("wp.transform_set_translation(wp.transform_identity(), wp.vec3())", "something else than a variable"),
    ],
)
def test_what_is_not_supported(body: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        run_alone(body)
