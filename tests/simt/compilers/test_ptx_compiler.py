"""CUDA texts to PTX and to binaries, by NVRTC without a driver."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers import cuda_headers, ptx_compiler
from warpsmith.simt.compilers.nvrtc_program import CudaCompileError
from warpsmith.simt.compilers.ptx_compiler import compile_cubin, compile_ptx
from warpsmith.simt.compilers.warp_options import warp_options

KERNEL = "__global__ void fill(float* x) {\n    x[threadIdx.x] = 1.0f;\n}\n"


def test_ptx_names_the_text_and_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of the working directory is not in the PTX: the same text gives the same PTX everywhere."""
    here = compile_ptx(KERNEL)
    monkeypatch.chdir(tmp_path)
    assert compile_ptx(KERNEL) == here
    assert '.file\t1 "kernel.cu"' in here
    assert re.search(r"\.loc\s+1 2 ", here)
    assert '.file\t1 "sub/own.cu"' in compile_ptx(KERNEL, name="sub/own.cu")
    assert f'.file\t1 "{tmp_path}.cu"' in compile_ptx(KERNEL, name=f"{tmp_path}.cu")


def test_architecture_and_options_reach_the_compiler() -> None:
    assert ".target sm_80" in compile_ptx(KERNEL, arch=80)
    two = compile_ptx(KERNEL.replace("1.0f", "N"), options=["-DN=2.0f"])
    assert two == compile_ptx(KERNEL.replace("1.0f", "2.0f"))
    fused = "__global__ void f(float* x) { x[0] = x[1] * x[2] + x[3]; }"
    assert "fma.rn.f32" in compile_ptx(fused)
    assert "fma.rn.f32" not in compile_ptx(fused, options=["--fmad=false"])


def test_a_standard_of_the_caller_replaces_ours() -> None:
    check = "static_assert(__cplusplus >= 202002L);\n" + KERNEL
    assert compile_ptx(check, options=["--std=c++20"])
    with pytest.raises(CudaCompileError):
        compile_ptx(check)


def test_unmarked_functions_are_device_functions() -> None:
    assert compile_ptx("float twice(float x) { return 2 * x; }\n" + KERNEL.replace("1.0f", "twice(x[0])"))


@pytest.mark.parametrize("arch", [0, 9, 91, -1])
def test_unknown_architectures_are_named(arch: int) -> None:
    with pytest.raises(WarpsmithError, match=f"architecture {arch} is not supported.*75, 80"):
        compile_ptx(KERNEL, arch=arch)


def test_an_error_has_a_line_and_the_log() -> None:
    with pytest.raises(CudaCompileError) as failure:
        compile_ptx(KERNEL.replace("1.0f", "y"), name="mine.cu")
    assert str(failure.value) == 'mine.cu(2): error: identifier "y" is undefined'
    assert "1 error detected" in failure.value.log
    assert pickle.loads(pickle.dumps(failure.value)).log == failure.value.log  # noqa: S301


def test_code_of_the_host_is_explained() -> None:
    with pytest.raises(CudaCompileError) as failure:
        compile_ptx(KERNEL + "int main() { fill<<<1, 32>>>(nullptr); }")
    assert "__CUDACC_RTC__" in failure.value.log


@pytest.mark.parametrize("text", [KERNEL + "\0", "\0"])
def test_a_nul_character_is_rejected(text: str) -> None:
    with pytest.raises(CudaCompileError, match="NUL"):
        compile_ptx(text)


def test_unusual_texts_are_errors_or_ptx() -> None:
    with pytest.raises(CudaCompileError):
        compile_ptx("\ud800")
    assert compile_ptx("// äöü \ud800\n" + KERNEL)
    assert ".entry" not in compile_ptx("")


def test_a_binary_is_elf_and_depends_on_the_architecture() -> None:
    first, second = (compile_cubin(KERNEL, arch) for arch in (80, 90))
    assert first[:4] == second[:4] == b"\x7fELF"
    assert first != second


def test_headers_of_the_c_library_are_replaced() -> None:
    names = ("stdio.h", "cmath", "cstdint", "climits", "cfloat", "cassert")
    text = "".join(f"#include <{name}>\n" for name in names) + KERNEL.replace(
        "1.0f", "INFINITY + FLT_MAX + INT_MAX + sinf(M_PI) + (int32_t)3"
    )
    assert compile_ptx(text)


def test_headers_of_other_packages_are_no_complete_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PyTorch installs the wheel with ``cuda_runtime.h``, and not those with what its files include."""
    include = tmp_path / "nvidia" / "cu13" / "include"
    include.mkdir(parents=True)
    monkeypatch.setattr(
        cuda_headers.importlib.util, "find_spec", lambda _: SimpleNamespace(submodule_search_locations=[include.parents[1]])
    )
    for name in ("cuda_runtime.h", "crt/mma.h", "cub/cub.cuh"):
        assert cuda_headers.header_folders.__wrapped__() == ()
        (include / name).parent.mkdir(exist_ok=True)
        (include / name).touch()
    assert cuda_headers.header_folders.__wrapped__() == (include,)


@pytest.mark.skipif(not cuda_headers.header_folders(), reason="needs warpsmith-simt[headers]")
def test_cuda_headers_are_found_when_a_text_includes_them(tmp_path: Path) -> None:
    text = "#include <cuda_fp16.h>\n" + KERNEL.replace("1.0f", "__half2float(__float2half(0.1f))")
    assert compile_ptx(text) == compile_ptx(text, headers=True)
    (tmp_path / "mine.cuh").write_text("#include <cuda_fp16.h>\n")
    assert compile_ptx('#include "mine.cuh"\n' + KERNEL, options=[f"-I{tmp_path}"])


@pytest.mark.parametrize("headers", [False, True])
def test_absent_headers_name_the_extra(headers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cuda_headers, ptx_compiler):
        monkeypatch.setattr(module, "header_folders", lambda: ())
    with pytest.raises(WarpsmithError, match=r"warpsmith-simt\[headers\].*install"):
        compile_ptx("#include <cuda_fp16.h>\n" + KERNEL, headers=headers)
    assert compile_ptx("#include <cuda_runtime.h>\n" + KERNEL)


def test_another_absent_header_is_an_error_of_the_text() -> None:
    with pytest.raises(CudaCompileError, match=r"nowhere\.h"):
        compile_ptx("#include <nowhere.h>\n" + KERNEL)


WARP = '#include "builtin.h"\n' + KERNEL


def test_warps_headers_are_precompiled_once() -> None:
    """The PTX is the same with and without precompiled headers; a folder that cannot be used makes no difference."""
    plain = compile_ptx(WARP, options=warp_options(precompiled=False))
    assert compile_ptx(WARP, options=warp_options()) == plain
    assert compile_ptx(WARP, options=warp_options()) == plain
    for folder in ("/nonexistent", "/proc/1"):
        assert compile_ptx(WARP, options=warp_options(folder=Path(folder))) == plain


def test_an_error_of_a_text_with_precompiled_headers_is_reported() -> None:
    with pytest.raises(CudaCompileError, match=r'kernel.cu\(3\): error: identifier "y"'):
        compile_ptx(WARP.replace("1.0f", "y"), options=warp_options())


def test_the_folder_of_precompiled_headers_is_removed(tmp_path: Path) -> None:
    code = "from warpsmith.simt.compilers.warp_options import warp_options; print(warp_options()[-1])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"TMPDIR": str(tmp_path)}
    )
    assert str(tmp_path) in done.stdout
    assert list(tmp_path.iterdir()) == []
