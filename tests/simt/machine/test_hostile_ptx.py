"""PTX that is written to break the machine: each module ends with an error or a finding, and memory outside stays as it is."""

from __future__ import annotations

import numpy as np
import pytest

from simt.handwritten import HEAD, kernel, kinds, output, run
from warpsmith.core.errors import WarpsmithError
from warpsmith.simt import Module, PtxError, UnsupportedPtx
from warpsmith.simt.launches.device_memory import HEAP_ADDRESS, MODULE_ADDRESS

PRINTF = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
ASSERT = ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"


def call(function: str, *arguments: str, result: str = "") -> str:
    """Return a call whose arguments are registers or numbers of 64 bits."""
    lines = [f".param .b64 a{number}; st.param.b64 [a{number}], {value};" for number, value in enumerate(arguments)]
    names = ", ".join(f"a{number}" for number in range(len(arguments)))
    results = f"({result}), " if result else ""
    return "{ " + " ".join(lines) + (f" .param .b32 {result};" if result else "") + f" call {results}{function}, ({names}); }}"


REJECTED = {
    "registers without number": ".reg .b32 %x<1000000000>;",
    "registers that are too many": ".reg .b32 %x<200000>; .reg .b32 %y<200000>;",
    "local memory of a gigabyte": ".local .b8 big[1000000000];",
    "local memory beyond CUDA's limit": ".local .b8 big[600000];",
    "half of a wide register": "ld.global.b128 %rd63, [%rd0];",
    "wide move of a narrow register": "mov.b128 %rd63, %rd62;",
    "wide atomic operation of a narrow register": "atom.global.exch.b128 %rd63, [%rd0], %rd62;",
    "assertion without arguments": "call __assertfail, ();",
    "assertion with an argument of no size": ".param .b8 a[0]; call __assertfail, (a, a, a, a, a);",
    "printf with an argument of 3 bytes": ".param .b8 a[3]; .param .b32 r; call (r), vprintf, (a, a);",
    "printf with a result of 1 byte": ".param .b64 a; .param .b8 r; call (r), vprintf, (a, a);",
    "wait without a phase": "mbarrier.test_wait.shared.b64 %p1, [%r1];",
    "barrier object without a count": "mbarrier.init.shared.b64 [%r1];",
    "call of a kernel": "call k, ();",
    "call of a name": "call nobody, ();",
    "constant as a result": "mov.u32 WARP_SZ, 5;",
    "special register as a result": "mov.u32 %tid.x, 5;",
    "clock as a result": "mov.u64 %clock64, 5;",
    "result of a matrix in a constant": "movmatrix.sync.aligned.m8n8.trans.b16 WARP_SZ, %r1;",
    "fragment with too few registers": "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1, %r2}, [%rd0];",
    "matrix in too many registers": "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1, %r2}, [%r0];",
    "vector with too many members": "ld.global.v2.u32 {%r1, %r2, %r3, %r4, %r5}, [%rd0];",
    "shuffle with too many operands": "shfl.sync.idx.b32 %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9;",
    "branch out of the function": "bra $nowhere;",
    "table with a target outside": "T: .branchtargets nowhere; brx.idx %r0, T;",
    "table that is a prototype": "T: .callprototype _ (); brx.idx %r0, T;",
    "atomic operation on a byte": "atom.global.add.u8 %r1, [%rd0], %r2;",
    "copy of 12 bytes": "cp.async.ca.shared.global [%r1], [%rd0], 12;",
    "number that does not fit": "mov.f32 %f1, 0d7fefffffffffffff;",
    "thousands of digits": f"mov.u32 %r1, {'9' * 6000};",
    "reduction by exchange": "redux.sync.exch.u32 %r1, %r2, %r3;",
    "scopes without end": "{" * 5000 + "}" * 5000,
}


@pytest.mark.parametrize("name", REJECTED)
def test_lowering_rejects(name: str) -> None:
    with pytest.raises((PtxError, UnsupportedPtx), match=r"line \d+: "):
        Module(kernel(REJECTED[name], PRINTF + ASSERT)).program("k")


def test_arguments_of_a_call_are_those_of_its_function() -> None:
    function = ".func f(.param .b32 p) { ret; }\n"
    for arguments in ("", "a", "a, a", "b"):
        text = kernel(f".param .b64 a; .param .b32 b; call f, ({arguments});", function)
        if arguments == "b":
            Module(text).program("k")
        else:
            with pytest.raises(PtxError, match="do not match f"):
                Module(text).program("k")


def test_a_call_with_70000_arguments() -> None:
    text = kernel(f".param .b64 a; P: .callprototype _ (.param .b64 p); call %rd0, ({'a, ' * 70000}a), P;")
    with pytest.raises(UnsupportedPtx, match="more than 4096 arguments"):
        Module(text).program("k")


def test_frames_of_functions_that_exceed_32_bits_together() -> None:
    functions = "".join(f".func f{number}() {{ .local .b8 big[400000]; ret; }}\n" for number in range(40))
    text = kernel("".join(f"call f{number}, ();\n" for number in range(40)), functions)
    with pytest.raises(UnsupportedPtx, match="local memory"):
        Module(text).program("k")


def test_parameters_beyond_the_limit_of_cuda() -> None:
    with pytest.raises(PtxError, match="32764 bytes of parameters"):
        Module(kernel("", parameters=".param .b8 big[1000000000]"))


def test_variables_that_exceed_memory_together() -> None:
    with pytest.raises(PtxError, match="variables of the module"):
        Module(HEAD + "".join(f".global .b8 x{number}[1073741824];\n" for number in range(64)))


WINDOWS = {
    "the end of shared memory": ("ld.shared.u32 %r1, [%r2];", "out_of_bounds"),
    "shared memory around 32 bits": ("mov.u32 %r2, -8; ld.shared.u64 %rd5, [%r2];", "out_of_bounds"),
    "a window of shared memory that is too wide": ("ld.u32 %r1, [0x0100000100000000];", "out_of_bounds"),
    "a generic address of a function": ("ld.u32 %r1, [0x0400000000000000];", "out_of_bounds"),
    "a window that does not exist": ("ld.u32 %r1, [0x0500000000000000];", "out_of_bounds"),
    "the last address": ("ld.u32 %r1, [0xfffffffffffffffc];", "out_of_bounds"),
    "an address that wraps around": ("mov.u64 %rd6, -8; ld.u64 %rd5, [%rd6+16];", "out_of_bounds"),
    "parameters as a target": ("st.u32 [0x0300000000000000], %r1;", "out_of_bounds"),
    "behind the parameters": ("ld.u64 %rd5, [0x0300000000000008];", "out_of_bounds"),
    "local memory of no function": ("ld.u32 %r1, [0x0200000000000000];", "out_of_bounds"),
    "atomic operation on parameters": ("atom.add.u32 %r1, [0x0300000000000000], 1;", "out_of_bounds"),
    "a null pointer": ("mov.u64 %rd5, 0; st.u32 [%rd5], %r1;", "out_of_bounds"),
    "unused heap": (f"st.u32 [{HEAP_ADDRESS}], %r1;", "out_of_bounds"),
    "rows of a matrix outside": (
        "mov.u32 %r2, 0xfffffff0; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", "out_of_bounds"
    ),
    "a fragment outside": (
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd0], 0x7fffffff;",
        "out_of_bounds",
    ),
    "a copy to a target outside": ("mov.u32 %r2, -16; cp.async.ca.shared.global [%r2], [%rd0], 16;", "out_of_bounds"),
    "a copy from outside": ("cp.async.ca.shared.global [0], [0], 16;", "out_of_bounds"),
    "a copy of more bytes than fit": ("cp.async.ca.shared.global [0], [%rd0], 16, 17;", "invalid"),
    "a copy of a negative size": ("cp.async.ca.shared.global [0], [%rd0], 16, -1;", "invalid"),
    "barrier 16": ("bar.sync 16;", "invalid"),
    "barrier -1": ("bar.sync %r1;", "invalid"),
    "a barrier of no thread": ("bar.sync 1, 0;", "invalid"),
    "a barrier of more threads than there are": ("bar.sync 1, 2048;", "invalid"),
    "a barrier of 33 threads": ("bar.sync 1, 33;", "invalid"),
    "a target behind the table": ("A: B: T: .branchtargets A, B; mov.u32 %r5, 2; brx.idx %r5, T;", "invalid"),
    "target -1 of a table": ("A: T: .branchtargets A; mov.u32 %r5, -1; brx.idx %r5, T;", "invalid"),
    "a call of an address": ("P: .callprototype _ (); call %rd0, (), P;", "invalid"),
    "a call of function 99": ("P: .callprototype _ (); mov.u64 %rd5, 0x0400000000000063; call %rd5, (), P;", "invalid"),
    "a call of the kernel through a pointer": ("P: .callprototype _ (); mov.u64 %rd5, k; call %rd5, (), P;", "invalid"),
    "an object of barriers that is none": ("st.shared.u64 [0], 0; mbarrier.test_wait.shared.b64 %p1, [0], %rd0;", "invalid"),
    "an object of barriers in global memory": ("mbarrier.arrive.b64 %rd5, [%rd0];", "invalid"),
    "a count of 0": ("mbarrier.init.shared.b64 [0], 0;", "invalid"),
    "more arrivals than expected": (
        "mbarrier.init.shared.b64 [0], 1; mbarrier.arrive.noComplete.shared.b64 %rd5, [0], 5;", "invalid"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WINDOWS)
def test_access_is_found(name: str) -> None:
    body, kind = WINDOWS[name]
    result = run(kernel(f"mov.u32 %r1, -1; mov.u32 %r2, 64;\n{body}"), 32, shared=64)
    assert result.findings[-1].kind == kind, result.findings
    assert not result.completed
    assert not result.arrays[0].any()


def test_exception_of_the_processor_is_not_raised() -> None:
    """The smallest integer divided by -1 traps on x86."""
    body = """
    mov.u32 %r1, 0x80000000; mov.u32 %r2, -1;
    div.s32 %r3, %r1, %r2; rem.s32 %r4, %r1, %r2;
    mov.u64 %rd5, 0x8000000000000000; mov.u64 %rd6, -1;
    div.s64 %rd7, %rd5, %rd6; rem.s64 %rd8, %rd5, %rd6;
    st.global.u32 [%rd2], %r3;
    """
    assert (output(kernel(body))[:32] == 0x80000000).all()


def test_local_addresses_of_other_lanes_are_those_of_the_lane() -> None:
    """A lane passes the generic address of its variable to the next lane."""
    body = """
    .local .align 8 .b8 own[8];
    mov.u64 %rd5, own; cvta.local.u64 %rd6, %rd5;
    st.u32 [%rd6], %r0;
    mov.b64 {%r3, %r4}, %rd6;
    shfl.sync.down.b32 %r3, %r3, 1, 31, -1;
    mov.b64 %rd7, {%r3, %r4};
    ld.u32 %r5, [%rd7];
    st.global.u32 [%rd2], %r5;
    """
    assert list(output(kernel(body))[:32]) == list(range(32))


def test_local_memory_ends_at_the_frame() -> None:
    for offset, kind in ((4, []), (8, ["out_of_bounds"]), (-4, ["out_of_bounds"])):
        body = f".local .align 8 .b8 own[8]; mov.u64 %rd5, own; st.local.u32 [%rd5+{offset}], %r0;"
        assert kinds(kernel(body)) == kind


def test_function_reads_behind_its_frame() -> None:
    function = ".func f() { .reg .u32 %r1; .local .b8 own[4]; ld.local.u32 %r1, [own+64]; ret; }\n"
    assert kinds(kernel(call("f"), function)) == ["out_of_bounds"]


def test_endless_recursion_ends_at_the_stack() -> None:
    function = ".func f() { call f, (); ret; }\n"
    assert kinds(kernel(call("f"), function)) == ["stack_overflow"]
    large = ".func f() { .reg .b32 %r<100000>; .local .b8 x[64]; call f, (); ret; }\n"
    assert kinds(kernel(call("f"), large), limit=10_000_000) in (["stack_overflow"], ["step_limit"])


def test_variables_with_addresses_of_each_other() -> None:
    declarations = ".global .b64 a = b;\n.global .b64 b = a;\n"
    chase = "ld.global.u64 %rd5, [a]; L: ld.u64 %rd5, [%rd5]; bra L;"
    assert kinds(kernel(chase, declarations), limit=1000) == ["step_limit"]
    assert kinds(kernel(f"st.u64 [{MODULE_ADDRESS}], %rd0;", declarations)) == ["out_of_bounds"]


def test_constants_cannot_be_written() -> None:
    declarations = ".const .u32 c = 5;\n"
    assert kinds(kernel("mov.u64 %rd5, c; cvta.const.u64 %rd5, %rd5; st.u32 [%rd5], %r0;", declarations)) == ["out_of_bounds"]


def test_more_copies_than_the_machine_holds() -> None:
    body = "L: cp.async.ca.shared.global [0], [%rd0], 16; bra L;"
    result = run(kernel(body), 32, shared=64, limit=1_000_000)
    assert result.findings[-1].kind == "invalid"
    assert "asynchronous copies" in result.findings[-1].message


def test_copies_are_made_when_the_thread_ends() -> None:
    body = """
    setp.ne.u32 %p1, %r0, 0;
    @%p1 bra other;
    cp.async.ca.shared.global [0], [%rd0], 16;
    exit;
    other:
    bar.sync 0;
    ld.shared.u32 %r5, [0];
    st.global.u32 [%rd2], %r5;
    """
    result = run(kernel(body), 64, arguments=[np.full(64, 7, np.uint32)], shared=64)
    assert {finding.kind for finding in result.findings} <= {"shared_race", "divergent_barrier", "global_race"}
    assert (result.arrays[0] == 7).all()


WILD_FORMATS = {
    "%s": "out_of_bounds", "%d" * 40: "out_of_bounds", "%n": "invalid", "%99999999.1d": "invalid", "%": "invalid",
    "%.99999999999999999999f": "invalid", "%Lf": "invalid", "%lls%": "out_of_bounds", "%q": "invalid", "%*d": "invalid",
}  # fmt: skip


@pytest.mark.parametrize("text", WILD_FORMATS)
def test_printf_with_wild_arguments(text: str) -> None:
    content = ", ".join(str(byte) for byte in text.encode() + b"\0")
    declarations = PRINTF + f".global .align 8 .b8 format[{len(text) + 1}] = {{{content}}};\n"
    body = """
    .local .align 8 .b8 values[16];
    mov.u64 %rd5, values; st.local.u64 [%rd5], 0x123456789; st.local.u64 [%rd5+8], -1;
    cvta.local.u64 %rd6, %rd5; mov.u64 %rd7, format;
    """
    result = run(kernel(body + call("vprintf", "%rd7", "%rd6", result="r"), declarations), 1)
    assert result.findings[-1].kind == WILD_FORMATS[text]


def test_printf_of_wild_pointers() -> None:
    for format_address, values in ((0, 0), (-1, 0), (1 << 56, 5), (HEAP_ADDRESS, HEAP_ADDRESS)):
        found = kinds(kernel(call("vprintf", str(format_address), str(values), result="r"), PRINTF))
        assert found in (["out_of_bounds"], [])


def test_printf_of_a_text_without_end() -> None:
    declarations = PRINTF + ".global .b8 format[100000];\n"
    body = """
    mov.u64 %rd5, format; mov.u64 %rd6, 0;
    L: add.u64 %rd7, %rd5, %rd6; st.global.u32 [%rd7], 0x20202020; add.u64 %rd6, %rd6, 4;
    setp.lt.u64 %p1, %rd6, 100000; @%p1 bra L;
    """
    text = kernel(body + call("vprintf", "%rd5", "%rd5", result="r"), declarations.replace(".b8 f", ".align 4 .b8 f"))
    result = run(text, 1, limit=10_000_000)
    assert result.findings[-1].kind == "invalid"
    assert len(result.printed) <= 65536


def test_finding_that_ends_a_launch_is_kept_behind_many_others() -> None:
    """There is room for 256 findings; here 300 lines read unwritten memory before the trap."""
    body = "".join(f"ld.shared.u32 %r1, [{4 * number}];\n" for number in range(300)) + "trap;"
    result = run(kernel(body), 1, shared=2048)
    assert len(result.findings) == 256
    assert result.findings[-1].kind == "trap"


def test_local_memory_of_a_block_is_bounded() -> None:
    """Registers and local memory at the limit: the block runs, or the launch reports the lack of memory."""
    text = kernel(".reg .b32 %x<200000>; .local .b8 big[500000]; st.local.u8 [big+499999], 1;")
    assert set(kinds(text, 32)) <= {"invalid"}


def test_wrong_sizes_of_launches() -> None:
    module = Module(kernel(""))
    for grid, block in ((0, 1), (1, 0), (-1, 1), (1, 1025), ((1, 1, 1, 1), 1), (1 << 31, 1), (1, (2, 2, 512)), ((), 1)):
        with pytest.raises(WarpsmithError):
            module.launch("k", grid, block, [np.zeros(1)])
    for shared in (-1, 1 << 20):
        with pytest.raises(WarpsmithError):
            module.launch("k", 1, 1, [np.zeros(1)], shared=shared)
