"""Textures: the machine samples what Warp samples on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import warp as wp

from warpsmith.simt import DeviceMemory, Module, Run, compile_ptx
from warpsmith.simt.launches.device_memory import TextureError

SOURCE = """
__global__ void sample_1(unsigned long long t, const float* x, const float* lod, float4* y)
{
    int i = threadIdx.x;
    y[i] = lod[i] < 0 ? tex1D<float4>(t, x[i]) : tex1DLod<float4>(t, x[i], lod[i]);
}
__global__ void sample_2(unsigned long long t, const float2* x, const float* lod, float4* y)
{
    int i = threadIdx.x;
    y[i] = lod[i] < 0 ? tex2D<float4>(t, x[i].x, x[i].y) : tex2DLod<float4>(t, x[i].x, x[i].y, lod[i]);
}
__global__ void sample_3(unsigned long long t, const float3* x, const float* lod, float4* y)
{
    int i = threadIdx.x;
    y[i] = lod[i] < 0 ? tex3D<float4>(t, x[i].x, x[i].y, x[i].z) : tex3DLod<float4>(t, x[i].x, x[i].y, x[i].z, lod[i]);
}
__global__ void fetch(unsigned long long t, const int* x, int level, float4* y)
{
    float4 r;
    asm("tex.level.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
        : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
        : "l"(t), "r"(x[2 * threadIdx.x]), "r"(x[2 * threadIdx.x + 1]), "r"(level));
    y[threadIdx.x] = r;
}
__global__ void sizes(unsigned long long t, int* y)
{
    asm("txq.width.b32 %0, [%1];" : "=r"(y[0]) : "l"(t));
    asm("txq.height.b32 %0, [%1];" : "=r"(y[1]) : "l"(t));
    asm("txq.depth.b32 %0, [%1];" : "=r"(y[2]) : "l"(t));
}
__global__ void integers(unsigned long long t, const float* x, int4* y)
{
    y[threadIdx.x] = tex1D<int4>(t, x[threadIdx.x]);
}
"""
THREADS = 64


@wp.kernel
def sample_1(t: wp.Texture1D, x: wp.array[float], lod: wp.array[float], y: wp.array[wp.vec4]):
    i = wp.tid()
    y[i] = wp.texture_sample(t, x[i], dtype=wp.vec4, lod=lod[i])


@wp.kernel
def sample_2(t: wp.Texture2D, x: wp.array[wp.vec2], lod: wp.array[float], y: wp.array[wp.vec4]):
    i = wp.tid()
    y[i] = wp.texture_sample(t, x[i], dtype=wp.vec4, lod=lod[i])


@wp.kernel
def sample_3(t: wp.Texture3D, x: wp.array[wp.vec3], lod: wp.array[float], y: wp.array[wp.vec4]):
    i = wp.tid()
    y[i] = wp.texture_sample(t, x[i], dtype=wp.vec4, lod=lod[i])


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(compile_ptx(SOURCE))


def launch(module: Module, name: str, handle: int, memory: DeviceMemory, *arguments: Any, threads: int = THREADS) -> Run:
    return module.launch(name, 1, threads, [np.uint64(handle), *arguments], memory=memory)


def sampled_by_warp(texture: Any, coordinates: npt.NDArray[Any], lod: npt.NDArray[Any], dimensions: int) -> npt.NDArray[Any]:
    kernel = (sample_1, sample_2, sample_3)[dimensions - 1]
    kinds = (float, wp.vec2, wp.vec3)
    y = wp.zeros(THREADS, wp.vec4, device="cpu")
    inputs = [
        texture,
        wp.array(coordinates, dtype=kinds[dimensions - 1], device="cpu"),
        wp.array(lod, dtype=float, device="cpu"),
        y,
    ]
    wp.launch(kernel, THREADS, inputs, device="cpu")
    return y.numpy()


CASES = [
    (1, "linear", "wrap", True, np.float32),
    (1, "closest", "mirror", True, np.uint8),
    (2, "linear", "clamp", True, np.float32),
    (2, "closest", "border", True, np.int16),
    (2, "linear", "mirror", True, np.float16),
    (2, "linear", "border", False, np.uint16),
    (2, "closest", "clamp", False, np.int8),
    (3, "linear", "wrap", True, np.float32),
    (3, "linear", "border", True, np.int8),
    (3, "closest", "clamp", False, np.float32),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("dimensions", "filter_mode", "address_mode", "normalized", "kind"), CASES)
@pytest.mark.parametrize("weight_bits", [0, 8])
def test_samples(
    module: Module, dimensions: int, filter_mode: str, address_mode: str, normalized: bool, kind: Any, weight_bits: int
) -> None:
    rng = np.random.default_rng(7)
    shape = (3, 5, 7)[3 - dimensions :]
    values = rng.uniform(-1, 1, (*shape, 4))
    texels = (values * np.iinfo(kind).max).astype(kind) if np.issubdtype(kind, np.signedinteger) else np.abs(values)
    if np.issubdtype(kind, np.unsignedinteger):
        texels = texels * np.iinfo(kind).max
    texels = texels.astype(kind)
    modes = {"filter_mode": getattr(wp.TextureFilterMode, filter_mode.upper())}
    modes["address_mode"] = getattr(wp.TextureAddressMode, address_mode.upper())
    texture = (wp.Texture1D, wp.Texture2D, wp.Texture3D)[dimensions - 1](
        texels, num_channels=4, normalized_coords=normalized, device="cpu", **modes
    )
    coordinates = rng.uniform(-1.5, 2.5, (THREADS, dimensions)).astype(np.float32)
    if not normalized:
        coordinates *= np.array(shape[::-1], np.float32)
    lod = np.full(THREADS, -1, np.float32)
    expected = sampled_by_warp(texture, coordinates.reshape(-1) if dimensions == 1 else coordinates, lod, dimensions)
    memory = DeviceMemory()
    handle = memory.add_texture(texels, 4, filter_mode, address_mode, normalized, weight_bits=weight_bits)
    run = launch(module, f"sample_{dimensions}", handle, memory, coordinates, lod, np.zeros((THREADS, 4), np.float32))
    assert not run.findings
    tolerance = 1e-5 if weight_bits == 0 or filter_mode == "closest" else dimensions * 2.0**-8
    np.testing.assert_allclose(run.arrays[3], expected, 0, tolerance)


@pytest.mark.parametrize("mip_filter_mode", ["closest", "linear"])
def test_levels(module: Module, mip_filter_mode: str) -> None:
    rng = np.random.default_rng(8)
    levels = [rng.random((4, 8, 4), np.float32)]
    for size in (2, 1):
        levels.append(levels[-1].reshape(size, 2, 2 * size, 2, 4).mean((1, 3), dtype=np.float32))
    texture = wp.Texture2D(
        levels[0],
        filter_mode=wp.TextureFilterMode.LINEAR,
        mip_filter_mode=getattr(wp.TextureFilterMode, mip_filter_mode.upper()),
        address_mode=wp.TextureAddressMode.CLAMP,
        num_mip_levels=3,
        device="cpu",
    )
    coordinates = rng.random((THREADS, 2), np.float32)
    lod = rng.uniform(-0.5, 3, THREADS).astype(np.float32)
    expected = sampled_by_warp(texture, coordinates, lod, 2)
    memory = DeviceMemory()
    handle = memory.add_texture(levels, 4, mip_filter_mode=mip_filter_mode, weight_bits=0)
    run = launch(module, "sample_2", handle, memory, coordinates, lod, np.zeros((THREADS, 4), np.float32))
    np.testing.assert_allclose(run.arrays[3], expected, 0, 1e-5)


def test_texels_by_index(module: Module) -> None:
    levels = [np.arange(32, dtype=np.float32).reshape(4, 8), np.arange(8, dtype=np.float32).reshape(2, 4) + 100]
    memory = DeviceMemory()
    handle = memory.add_texture(levels)
    places = np.array([[0, 0], [7, 3], [-1, 0], [8, 0], [2, 1]], np.int32)
    for level, expected in ((0, [0, 31, 0, 0, 10]), (1, [100, 0, 0, 0, 106])):
        run = launch(module, "fetch", handle, memory, places, level, np.ones((5, 4), np.float32), threads=5)
        assert run.arrays[3].tolist() == [[value, 0, 0, 0] for value in expected]


def test_sizes_and_integers(module: Module) -> None:
    memory = DeviceMemory()
    handle = memory.add_texture(np.zeros((3, 5, 7), np.float32))
    assert launch(module, "sizes", handle, memory, np.ones(3, np.int32), threads=1).arrays[1].tolist() == [7, 5, 3]
    numbers = memory.add_texture(np.array([-5, 1 << 30], np.int32), filter_mode="closest", normalized=False)
    run = launch(module, "integers", numbers, memory, np.array([0.5, 1.5], np.float32), np.ones((2, 4), np.int32), threads=2)
    assert run.arrays[2].tolist() == [[-5, 0, 0, 0], [1 << 30, 0, 0, 0]]


def test_weights_have_eight_bits(module: Module) -> None:
    memory = DeviceMemory()
    handle = memory.add_texture(np.array([0, 1], np.float32), normalized=False)
    coordinates = np.array([0.5 + 1 / 256, 0.5 + 1.4 / 256], np.float32)
    lod = np.full(2, -1, np.float32)
    run = launch(module, "sample_1", handle, memory, coordinates, lod, np.zeros((2, 4), np.float32), threads=2)
    assert run.arrays[3][:, 0].tolist() == [1 / 256, 1 / 256]


def test_coordinates_that_are_no_numbers(module: Module) -> None:
    memory = DeviceMemory()
    places = np.array([np.nan, np.inf, -np.inf, 1e30], np.float32)
    for address_mode in ("wrap", "clamp", "mirror", "border"):
        handle = memory.add_texture(np.ones(4, np.float32), address_mode=address_mode)
        lod = np.full(4, -1, np.float32)
        run = launch(module, "sample_1", handle, memory, places, lod, np.zeros((4, 4), np.float32), threads=4)
        assert run.completed
        assert np.isfinite(run.arrays[3]).all()


def test_a_handle_is_no_address(module: Module) -> None:
    memory = DeviceMemory()
    handle = memory.add_texture(np.zeros((4, 4), np.float32))
    x, lod, y = np.zeros(1, np.float32), np.zeros(1, np.float32), np.zeros(4, np.float32)
    for wrong in (0, 5, handle + 64, handle & ((1 << 56) - 1), handle):
        (finding,) = launch(module, "sample_1", wrong, memory, x, lod, y, threads=1).findings
        assert finding.kind == "invalid"
        assert "texture" in finding.message
    source = "__global__ void read(const float* t, float* y) { *y = *t; }"
    (finding,) = Module(compile_ptx(source)).launch("read", 1, 1, [handle, y], memory=memory).findings
    assert finding.kind == "out_of_bounds"


@pytest.mark.parametrize(
    ("texels", "options", "message"),
    [
        (np.zeros(4), {}, "float64"),
        (np.zeros((2, 2, 2, 2), np.float32), {}, "shape"),
        (np.zeros((2, 3), np.float32), {"channels": 4}, "shape"),
        (np.zeros((2, 5), np.float32), {"channels": 5}, "shape"),
        (np.zeros(4, np.float32), {"address_mode": "repeat"}, "repeat"),
        (np.zeros(4, np.float32), {"filter_mode": "cubic"}, "cubic"),
        ([np.zeros(4, np.float32), np.zeros(3, np.float32)], {}, "mip levels"),
    ],
)
def test_what_is_no_texture(texels: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TextureError, match=message):
        DeviceMemory().add_texture(texels, **options)
