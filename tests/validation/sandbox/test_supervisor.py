"""Text that can affect other texts of its unit is detected, so that its pair runs in a separate worker."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from warpsmith.validation.sandbox.native import is_native

ASM_BEHIND_A_STRING = 'auto text = R"x(\n// )x"; asm("");'
DEFINE = "define victim replaced"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="requires gcc, whose preprocessor shows what a directive is")
@pytest.mark.parametrize(
    "text",
    [
        f"#{DEFINE}", f"  # {DEFINE}", f"\t#\t{DEFINE}", f"\f#{DEFINE}", f"%:{DEFINE}", f"/* */ #{DEFINE}",
        f"/*\n// */ #{DEFINE}", f"/* a\n b */ %: {DEFINE}", f"// a remark\n#{DEFINE}", f"// a remark\r\n#{DEFINE}",
        f"#\\\n{DEFINE}", f"%\\\n:{DEFINE}", f"%\\ \t\n:{DEFINE}", f"%\\\r\n:{DEFINE}", f"// # {DEFINE}",
        f"    // y = x  # {DEFINE}", f"// a remark \\\n#{DEFINE}", f"int define; //#{DEFINE}", f"plasma = 1; // {DEFINE}",
    ],
)  # fmt: skip
def test_directives_in_every_spelling_are_detected(text: str) -> None:
    command = ["gcc", *"-E -P -x c++ -std=c++17 -".split()]
    preprocessed = subprocess.run(command, input=f"{text}\nvictim\n".encode(), capture_output=True, check=True)
    assert is_native(text) or b"replaced" not in preprocessed.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "text",
    [
        'asm("");',
        "__asm__ volatile();",
        '_Pragma("push_macro")',
        'int f() asm("g");',
        "as\\\nm();",
        "_asm { nop }",
        "__asm_",
        ASM_BEHIND_A_STRING,
    ],
)
def test_assembler_and_pragmas_are_detected(text: str) -> None:
    assert is_native(text)


@pytest.mark.parametrize(
    "text",
    [
        '    const wp::str var_0 = ""; broken; "";',
        '    const wp::str var_0 = "a\\"; broken; //";',
        '    const wp::str var_0 = "a"; // "',
        '    const wp::str var_0 = "a??/";',
        '    assert(((void)"assert x \\\\"; broken; //",var_1));',
        '    assert(((void)"assert (x",var_1)); broken(1,var_1));',
        'printf("%d\\n", x);',
        'R"(a)";',
        "'\"'; broken; '\"'",
        "int a;\rint b;",
        "// a\fint b;",
        "// a\u2028int b;",
        "int a; ??/",
    ],
)
def test_strings_and_lines_that_warp_does_not_write_are_detected(text: str) -> None:
    assert is_native(f'extern "C" void f();\n{text}\n')


@pytest.mark.parametrize(
    "text",
    [
        "// y[i] = x[i]  # twice\n",
        "    // #: a remark",
        "plasma = spasm % asmall;",
        '    // print("a")    <L 3>',
        '    const wp::str var_0 = "%d of a kind\\n";',
        '    assert(((void)"assert k < count, \\"index out of range\\"",var_0));',
        'extern "C" __global__ void k_cuda_kernel_forward(',
    ],
)
def test_other_text_is_not_native(text: str) -> None:
    assert not is_native(text)
