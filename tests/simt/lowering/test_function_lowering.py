"""Lowering: scopes, labels, source locations, parameters, memory of variables, and the functions that calls reach."""

from __future__ import annotations

import numpy as np
import pytest

from simt.handwritten import HEAD, kernel, line_of, output, run
from warpsmith.simt import Module, PtxError, UnsupportedPtx, compile_ptx


def test_labels_are_local_to_their_scope() -> None:
    body = """
    mov.u32 %r5, 0;
    { bra L; add.u32 %r5, %r5, 1; L: add.u32 %r5, %r5, 10; }
    { bra L; add.u32 %r5, %r5, 100; L: { bra M; } add.u32 %r5, %r5, 1000; }
    M: add.u32 %r5, %r5, 5;
    st.global.u32 [%rd2], %r5;
    """
    assert list(output(kernel(body), 1)[:1]) == [15]


def test_names_of_a_scope_hide_those_around_it() -> None:
    body = """
    mov.u32 %r5, 1;
    { .reg .b32 %r5; .reg .b32 t; mov.u32 %r5, 50; mov.u32 t, %r5; { .reg .b32 %r<9>; mov.u32 %r5, 70; } mov.u32 %r6, t; }
    add.u32 %r7, %r5, %r6;
    st.global.u32 [%rd2], %r7;
    """
    assert output(kernel(body), 1)[0] == 51


def test_names_end_with_their_scope() -> None:
    text = kernel("{ .reg .b32 t;\n mov.u32 t, 5; }\nmov.u32 %r1, t;")
    with pytest.raises(PtxError, match=f"line {line_of(text, '%r1, t')}: unknown name t"):
        Module(text).program("k")


def test_inline_assembly_on_one_line() -> None:
    source = r"""
    __global__ void k(int* y) {
        int r, i = threadIdx.x;
        asm volatile("{ .reg .pred p; .reg .b32 t; mul.lo.s32 t, %1, 3; setp.gt.s32 p, t, 9; "
                     "@p bra L; add.s32 t, t, 100; L: mov.u32 %0, t; }"
                     : "=r"(r) : "r"(i));
        int s;
        asm("{ .reg .pred p; setp.eq.s32 p, %1, 0; selp.s32 %0, -1, %1, p; }" : "=r"(s) : "r"(r));
        y[i] = s;
    }
    """
    result = Module(compile_ptx(source)).launch("k", 1, 8, [np.zeros(8, np.int32)])
    assert list(result.arrays[0]) == [3 * i + (0 if 3 * i > 9 else 100) for i in range(8)]


def test_locations_of_inlined_functions() -> None:
    source = "\n".join(
        [
            "__device__ __forceinline__ void inner(int* p) { *p = 1; }",
            "__device__ __forceinline__ void outer(int* p) {",
            "    inner(p + 5000);",
            "}",
            "__global__ void k(int* y) {",
            "    outer(y);",
            "}",
        ]
    )
    finding = Module(compile_ptx(source, name="a.cu")).launch("k", 1, 1, [np.zeros(1, np.int32)]).findings[0]
    assert (finding.file, finding.line, finding.kind) == ("a.cu", 1, "out_of_bounds")


def test_locations_with_callers() -> None:
    body = """.loc 1 10 3
    mov.u32 %r1, 5;
    .loc 2 77 3, function_name info, inlined_at 1 10 3
    .loc 2 99 1, function_name info+5, inlined_at 2 77 3
    trap;"""
    text = f'{kernel(body)}\n.file 1 "main.cu"\n.file 2 "header.h"\n'
    (finding,) = run(text, 1).findings
    assert (finding.file, finding.line, finding.place) == ("main.cu", 10, "header.h:99")
    assert finding.ptx_line == line_of(text, "trap")


def test_locations_that_are_their_own_callers() -> None:
    lines = "".join(f".loc 1 5 0, function_name f+{number}, inlined_at 1 5 0\n" for number in range(20000))
    program = Module(kernel(f"{lines} trap;")).program("k")
    place, depth = program.location(len(program.code) - 2), 0
    while place.caller is not None:
        place, depth = place.caller, depth + 1
    assert depth <= 65


def test_parameters_have_the_layout_of_c() -> None:
    source = r"""
    struct S { char a; double b; short c; };
    __global__ void k(char a, S s, short b, double* y, float c) {
        y[0] = a; y[1] = s.a; y[2] = s.b; y[3] = s.c; y[4] = b; y[5] = c;
    }
    """
    kind = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i2")], align=True)
    value = np.zeros((), kind)
    value["a"], value["b"], value["c"] = -3, 2.5, -400
    result = Module(compile_ptx(source)).launch("k", 1, 1, [-1, value.tobytes(), 77, np.zeros(6), 1.25])
    assert list(result.arrays[3]) == [-1, -3, 2.5, -400, 77, 1.25]


ADDRESSES = {
    "global": (".global .align 8 .b8 v[16];\n", "", 0),
    "const": (".const .align 8 .u64 v[2] = {5, 6};\n", "", 0),
    "shared": ("", ".shared .align 8 .b8 v[16];", 1),
    "local": ("", ".local .align 8 .b8 v[16];", 2),
}


@pytest.mark.parametrize("space", ADDRESSES)
def test_generic_addresses_and_back(space: str) -> None:
    """cvta makes an address that loads without a space use, isspacep knows its space, and cvta.to returns the first one."""
    declaration, inside, window = ADDRESSES[space]
    stored = "" if space == "const" else f"st.{space}.u64 [v], 5; st.{space}.u64 [v+8], 6;"
    tests = "".join(
        f"isspacep.{name} %p1, %rd6; selp.u32 %r7, {1 << number}, 0, %p1; or.b32 %r6, %r6, %r7;\n"
        for number, name in enumerate(("global", "shared", "local"))
    )
    body = f"""
    {inside} {stored}
    mov.u64 %rd5, v; cvta.{space}.u64 %rd6, %rd5; cvta.to.{space}.u64 %rd7, %rd6;
    mov.u32 %r6, 0; {tests}
    ld.u64 %rd8, [%rd6]; ld.{space}.u64 %rd9, [%rd7+8]; ld.{space}.u64 %rd10, [v+8];
    sub.u64 %rd11, %rd7, %rd5; add.u64 %rd8, %rd8, %rd9; add.u64 %rd8, %rd8, %rd10; add.u64 %rd8, %rd8, %rd11;
    cvt.u32.u64 %r8, %rd8; st.global.u32 [%rd0], %r6; st.global.u32 [%rd0+4], %r8;
    """
    assert list(output(kernel(body, declaration), 1)[:2]) == [1 << window, 17]


def test_shared_variables_and_dynamic_shared_memory() -> None:
    declarations = ".shared .align 4 .b8 a[6];\n.shared .align 8 .b8 b[8];\n.extern .shared .align 16 .b8 d[];\n"
    body = """
    st.shared.u32 [a], 1; st.shared.u64 [b], 2; st.shared.u32 [d], 3; st.shared.u32 [d+60], 4;
    mov.u32 %r5, a; mov.u32 %r6, b; mov.u32 %r7, d;
    st.global.u32 [%rd0], %r5; st.global.u32 [%rd0+4], %r6; st.global.u32 [%rd0+8], %r7;
    """
    assert list(output(kernel(body, declarations), 1, shared=64)[:3]) == [0, 8, 16]
    assert run(kernel(body, declarations), 1, shared=63).findings[0].kind == "out_of_bounds"


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_vector_accesses(bits: int, count: int) -> None:
    prefix = {8: "%h", 16: "%h", 32: "%r", 64: "%rd"}[bits]
    names = ", ".join(f"{prefix}{number}" for number in range(10, 10 + count))
    width = bits // 8 * count
    body = f"ld.global.v{count}.b{bits} {{{names}}}, [%rd0]; st.global.v{count}.b{bits} [%rd0+{width}], {{{names}}};"
    content = np.random.default_rng(1).integers(0, 256, 3 * width, dtype=np.uint8)
    result = output(kernel(body), 1, arguments=[content])
    np.testing.assert_array_equal(result, np.concatenate([content[:width], content[:width], content[2 * width :]]))


def test_signed_and_unsigned_loads() -> None:
    body = """
    ld.global.s8 %r5, [%rd0]; ld.global.u8 %r6, [%rd0]; ld.global.s16 %r7, [%rd0]; ld.global.u16 %r8, [%rd0];
    st.global.u32 [%rd0+4], %r5; st.global.u32 [%rd0+8], %r6; st.global.u32 [%rd0+12], %r7; st.global.u32 [%rd0+16], %r8;
    """
    result = output(kernel(body), 1, arguments=[np.array([0xFFFE, 0, 0, 0, 0], np.uint32)])
    assert list(result[1:].view(np.int32)) == [-2, 0xFE, -2, 0xFFFE]


PREDICATED = {
    "add.u32 %r5, %r5, 7;": 8,
    "mov.u32 %r5, 9;": 9,
    "ld.global.u32 %r5, [%rd2];": 3,
    "{ mov.b64 {%r5, %r6}, %rd0; mov.u32 %r5, 4; }": None,
    "atom.global.add.u32 %r5, [%rd2], 0;": 3,
    "bra SKIP;": None,
    "mov.u32 %r5, %clock; mov.u32 %r5, 2;": None,
}


@pytest.mark.parametrize("instruction", [text for text, value in PREDICATED.items() if value is not None])
@pytest.mark.parametrize("negated", ["", "!"])
def test_predicated_instruction(instruction: str, negated: str) -> None:
    """Lanes with odd numbers execute it, or those with even ones."""
    body = (
        f"and.b32 %r7, %r0, 1; setp.ne.u32 %p1, %r7, 0; mov.u32 %r5, 1; @{negated}%p1 {instruction} st.global.u32 [%rd2], %r5;"
    )
    result = output(kernel(body), 32, arguments=[np.full(32, 3, np.uint32)])
    executed = [(lane % 2 == 1) != bool(negated) for lane in range(32)]
    assert list(result) == [PREDICATED[instruction] if does else 1 for does in executed]


def test_predicated_exit_and_return() -> None:
    for instruction in ("exit", "ret"):
        body = f"setp.lt.u32 %p1, %r0, 20; @%p1 {instruction}; st.global.u32 [%rd2], 1;"
        assert list(output(kernel(body), 32)[:32]) == [0] * 20 + [1] * 12


def test_table_of_branches() -> None:
    body = """
    T: .branchtargets A, B, C, B;
    and.b32 %r5, %r0, 3;
    brx.idx %r5, T;
    A: mov.u32 %r6, 10; bra E;
    B: mov.u32 %r6, 20; bra E;
    C: mov.u32 %r6, 30;
    E: st.global.u32 [%rd2], %r6;
    """
    assert list(output(kernel(body))[:32]) == [(10, 20, 30, 20)[lane % 4] for lane in range(32)]


def test_unsupported_instruction_is_named() -> None:
    text = kernel("\ncp.async.bulk.commit_group;")
    with pytest.raises(UnsupportedPtx, match=rf"^line {line_of(text, 'bulk')}: cp\.async\.bulk\.commit_group$"):
        Module(text).program("k")


def test_only_functions_that_are_reached_are_lowered() -> None:
    functions = ".func bad() { something.wrong; }\n.func good() { ret; }\n"
    program = Module(kernel("call good, ();", functions)).program("k")
    assert [target.name for target in program.targets] == ["good", "k"]
    with pytest.raises(UnsupportedPtx):
        Module(kernel("call bad, ();", functions)).program("k")


def test_functions_that_can_be_active_twice_save_their_registers() -> None:
    functions = """
    .func a() { .reg .b32 %r<5>; call b, (); ret; }
    .func b() { .reg .b32 %r<5>; call a, (); call c, (); ret; }
    .func c() { .reg .b32 %r<5>; ret; }
    .func d() { .reg .b32 %r<5>; call c, (); ret; }
    """
    program = Module(kernel("call a, (); call d, ();", functions)).program("k")
    assert {target.name: bool(target.slots) for target in program.targets} == {
        "a": True, "b": True, "c": False, "d": False, "k": False
    }  # fmt: skip


def test_variables_of_scopes_share_local_memory() -> None:
    scope = "{ .param .align 8 .b8 a[64]; .local .align 8 .b8 b[64]; st.param.u64 [a], 1; st.local.u64 [b], 1; }\n"
    assert Module(kernel(scope * 100)).program("k").frame == 128


def test_kernel_without_arguments_has_a_program() -> None:
    assert Module(f"{HEAD}.entry k() {{ ret; }}").launch("k", 1, 1).completed
