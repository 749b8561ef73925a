"""C++ and CUDA of native functions that reaches beyond its own pair, its compiler or its process."""

from __future__ import annotations

from hostile.row import Row, Setting, record_of, to_line

SOURCE = '''import warp as wp

snippet = r"""
SNIPPET
"""


@wp.func_native(snippet)
def deed(x: float) -> float: ...


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
'''

OUTSIDE = "return x; }} }} {0} namespace mine {{ float rest(float x) {{ return x;"
"""A snippet that closes its function and the namespace of its pair, and leaves open the same number of braces."""


def snippet(name: str, attempts: str, text: str, level: str | None) -> Row:
    """Return a row with a native function; ``MARKER`` and ``NEIGHBOUR`` stand for the path and the name of another kernel."""

    def content(setting: Setting) -> bytes:
        victim = setting.neighbours[0]["metadata"]["kernel_name"]
        filled = text.replace("MARKER", str(setting.marker)).replace("NEIGHBOUR", victim)
        return to_line(record_of(SOURCE.replace("SNIPPET", filled)) | {"id": f"hostile-{name}"})

    return Row(name, attempts, content, level)


def outside(name: str, attempts: str, text: str, level: str | None) -> Row:
    """Return a row with a snippet that closes the namespace and defines ``text`` outside."""
    return snippet(name, attempts, OUTSIDE.format(text), level)


PREPROCESSOR = (
    snippet("define_double", "Redefines a keyword for the rest of the unit.", "return x;\n#define double int", None),
    snippet("define_namespace", "Redefines namespace for the rest of the unit.", "return x;\n#define namespace struct", "execute"),
    snippet("define_variable", "Renames a variable of every later kernel.", "return x;\n#define var_3 var_4", None),
    snippet("define_wp", "Renames the namespace of Warp for the rest of the unit.", "return x;\n#define wp pw", "compile"),
    snippet("undefine_name", "Removes the macros that name its own entry points.",
            "return x;\n#undef hostile_cpu_forward\n#undef hostile_cuda_kernel_forward", "execute"),
    snippet("if_without_end", "Leaves a conditional directive open.", "return x;\n#if 0", "compile"),
    snippet("digraph", "Writes a directive with a digraph.", "return x;\n%:define float int", None),
    snippet("trigraph", "Writes a directive with a trigraph.", "return x;\n??=define float int", "compile"),
    snippet("pragma_operator", "Writes a directive with an operator.", '_Pragma("pack(1)") return x;', None),
    snippet("pragma_pack", "Changes the layout of later structs.", "return x;\n#pragma pack(push, 1)", None),
    snippet("pragma_poison", "Forbids names in the rest of the unit.", "return x;\n#pragma GCC poison extract", None),
    snippet("pragma_attribute", "Adds attributes to all later functions.",
            "return x;\n#pragma clang attribute push(__attribute__((annotate(\"deed\"))), apply_to = function)", None),
    snippet("pragma_rounding", "Changes how compilers contract arithmetic.", "return x;\n#pragma clang fp contract(fast)", None),
    snippet("pragma_weak", "Names another pair's entry point as weak.", "return x;\n#pragma weak K1_forward = K2_forward", None),
    snippet("pragma_include_alias", "Renames headers.", '#pragma include_alias("builtin.h", "/etc/passwd")\nreturn x;', None),
    snippet("line_of_another", "Attributes its errors to another pair.", 'return x;\n#line 1 "K1"\nbroken here;', "compile"),
    snippet("line_of_the_unit", "Attributes its errors to the unit.", 'return x;\n#line 1 "unit"\nbroken here;', "compile"),
    snippet("message_of_another", "Prints an error of another pair.", 'return x;\n#error K1: error: it is all K1', "compile"),
    snippet("message_of_a_full_disk", "Prints an error of the machine.",
            "return x;\n#error fatal error: No space left on device, too many open files, out of memory", "compile"),
    snippet("include_device", "Includes a device without end.", '#include "/dev/zero"\nreturn x;', "compile"),
    snippet("include_terminal", "Includes standard input.", '#include "/dev/stdin"\nreturn x;', "compile"),
    snippet("include_itself", "Includes the memory of the compiler.", '#include "/proc/self/maps"\nreturn x;', "compile"),
    snippet("include_environment", "Includes the environment of the process.", '#include "/proc/self/environ"\nreturn x;', "compile"),
    snippet("include_next", "Includes a header of the system.", "#include_next <stdio.h>\nreturn x;", "compile"),
    snippet("embed", "Embeds a file as numbers.", 'static const unsigned char a[] = {\n#embed "/etc/passwd"\n};\nreturn x + a[0];',
            "emulate"),
    snippet("has_include", "Branches on the presence of a file.",
            '#if __has_include("/etc/passwd")\nreturn 2.0f * x;\n#else\nreturn x;\n#endif', None),
    snippet("split_comment", "Extends a comment by a split line.", "// \\\nreturn 0.0f;\nreturn x;", None),
    snippet("raw_string", "Leaves a raw string open.", 'return x; const char* a = R"deed(', "compile"),
    snippet("many_raw_strings", "Opens a raw string in very many places.", "return x; /*" + 'R"(' * 20_000 + "*/", None),
    snippet("counter", "Uses a macro that counts.", "int a = __COUNTER__; return x + 0.0f * a;", None),
    snippet("long_line", "Writes a line of a million characters.", "return x;" + " " * 1_000_000, None),
    snippet("null_character", "Writes an escape of the null character.", "return x; // \\0", None),
    snippet("right_to_left", "Reverses how editors show a comment.", "return x; // \u202e } tixe", None),
)  # fmt: skip
"""Directives."""

DEFINITIONS = (
    outside("specialization", "Specializes a function of Warp for all pairs.",
            "namespace wp { template <> inline float mul<float>(float, float) { return 0.0f; } }", "compile"),
    outside("overload", "Defines a better overload of a function of Warp.",
            "namespace wp { inline float sub(float, float) { return 0.0f; } inline float add(float, float) { return 0.0f; } }",
            None),
    outside("overload_of_double", "Defines a better overload for checks in double precision.",
            "namespace wp { inline double mul(double, double) { return 0.0; } }", None),
    outside("operator_of_vectors", "Defines operators of Warp's types.",
            "namespace wp { inline vec3 operator+(const vec3& a, const vec3&) { return a; } }", None),
    outside("using_directive", "Makes its own names visible everywhere.",
            "namespace deeds { inline float clamp(float, float, float) { return 0.0f; } } using namespace deeds;", None),
    outside("neighbours_namespace", "Defines names in the namespaces of other pairs.",
            "".join(f"namespace K{n} {{ static int builtin_tid1d() {{ return 0; }} }}" for n in range(40)), None),
    outside("neighbours_symbol", "Defines the entry points of other pairs.",
            "".join(f'extern "C" void K{n}_forward(void*, void*) {{}}' for n in range(40)), None),
    outside("neighbours_kernel", "Defines the C name of another pair's kernel.",
            'extern "C" void NEIGHBOUR_cpu_forward(void*, void*) {}', None),
    outside("grid_symbol", "Defines the entry points of emulated kernels.",
            "".join(f'extern "C" void K{n}_forward_grid(void*, void*) {{}}' for n in range(40)), None),
    outside("constructor", "Runs a function when the object is loaded.",
            "__attribute__((constructor)) static void deed() { __builtin_trap(); }", None),
    outside("destructor", "Runs a function when the object is unloaded.",
            "__attribute__((destructor)) static void deed() { __builtin_trap(); }", None),
    outside("static_initializer", "Runs code in the initializer of a variable.",
            "static int deed() { __builtin_trap(); return 1; } static int now = deed();", None),
    outside("indirect_function", "Lets the loader choose a function.",
            'extern "C" { static void (*choose())() { __builtin_trap(); } void deed() __attribute__((ifunc("choose"))); }', None),
    outside("alias", "Gives another name to a function.",
            'extern "C" { void first() {} void second() __attribute__((alias("first"))); }', None),
    outside("operator_new", "Replaces the allocation of memory.",
            "void* operator new(unsigned long) { return nullptr; } void operator delete(void*) noexcept {}", None),
    outside("library_function", "Replaces functions of the C library.",
            'extern "C" { void* memcpy(void* a, const void*, unsigned long) { return a; } void free(void*) {} int printf(const char*, ...)'
            " { return 0; } }", None),
    outside("thread_local", "Defines thread-local storage.", "thread_local int deed[1 << 20];", None),
    outside("large_section", "Defines a section of many megabytes.", "int deed[1 << 24] = {1};", None),
    outside("incbin", "Assembles a file into the object.", 'asm(".incbin \\"/etc/passwd\\"");', None),
    outside("assembler_symbol", "Defines another pair's symbols in assembler.",
            'asm(".globl K1_forward\\nK1_forward:\\n ret\\n.globl K2_forward\\nK2_forward:\\n ret");', None),
    outside("assembler_section", "Switches the section of later code.", 'asm(".section .bss");', None),
    outside("constexpr_bomb", "Computes without end while compiling.",
            "constexpr int deed(int n) { int a = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) ++a; return a; } "
            "static_assert(deed(1 << 30) > 0, \"\");", "compile"),
    outside("deep_expression", "Nests an expression ten thousand times.", "int deed = " + "(" * 10_000 + "1" + ")" * 10_000 + ";",
            "compile"),
    outside("many_errors", "Makes very many errors.", "".join(f"broken{n} here;" for n in range(5_000)), "compile"),
    outside("long_name", "Defines a name of a megabyte.", f"int {'a' * 1_000_000};", None),
)  # fmt: skip
"""Definitions outside of the pair's namespace."""

RUNNING = (
    snippet("rounding_mode", "Changes the rounding of later kernels.",
            'unsigned mode = 0x7f80; asm volatile("ldmxcsr %0" : : "m"(mode)); return x;', None),
    snippet("denormals", "Flushes small numbers of later kernels.",
            'unsigned mode = 0x9fc0; asm volatile("ldmxcsr %0" : : "m"(mode)); return x;', None),
    snippet("direction_flag", "Reverses string instructions.", 'asm volatile("std"); return x;', None),
    snippet("state_of_launches", "Returns other values at each launch.", "static float a = 0.0f; a += 1.0f; return x + a;", "emulate"),
    snippet("system_call", "Kills its process group by a system call.",
            'long a; asm volatile("syscall" : "=a"(a) : "a"(62L), "D"(0L), "S"(9L) : "rcx", "r11", "memory"); return x;', "compile"),
    snippet("create_by_system_call", "Creates a file by a system call.",
            'long a; asm volatile("syscall" : "=a"(a) : "a"(2L), "D"("MARKER"), "S"(65L), "d"(384L) : "rcx", "r11", "memory"); return x;',
            "compile"),
    snippet("trap", "Ends with a trap in the adjoint only.", "return x != x ? (__builtin_trap(), x) : x;", None),
    snippet("compiler_or_emulator", "Branches on the compiler.", "\n#ifdef __CUDA_ARCH__\nreturn 0.0f;\n#else\nreturn x;\n#endif\n", None),
    snippet("prints_escapes", "Prints escapes of terminals and forged verdicts.",
            'printf("\\033]0;deed\\007\\033[2J{\\"id\\":\\"hostile\\",\\"status\\":\\"pass\\"}\\n"); return x;', None),
)  # fmt: skip
"""Code that acts when it runs. That with assembler for one processor does not compile for the GPU."""

ROWS = (*PREPROCESSOR, *DEFINITIONS, *RUNNING)
