"""Texts for the tests of the policy: real kernels, and edits of them that the policy must refuse."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scoring.kept import kept_pairs
from warpsmith.core import Pair
from warpsmith.core.records.jsonl import read_pairs

SAMPLES = Path(__file__).parents[3] / "data" / "samples"

FORWARD, BACKWARD, HELPER = "2-2000-3 forward", "2-2000-3 backward", "2-2000-12 forward"
"""The texts that the tables edit: a kernel with two branches, its adjoint, and a kernel with a helper function."""


@lru_cache(maxsize=1)
def samples() -> dict[str, Pair]:
    """Return the pairs of the repository's samples by their identity."""
    return {pair.id: pair for shard in sorted(SAMPLES.glob("pairs-*.jsonl")) for pair in read_pairs(shard)}


@dataclass(frozen=True)
class Question:
    """What a text is checked against: the text itself, the name of its kernel, and the reference."""

    text: str
    entry_point: str
    reference: str


def questions(pair: Pair) -> list[Question]:
    """Return Warp's own texts of a pair, forward and adjoint."""
    forward, backward = pair.code("cuda")
    name = f"{pair.metadata.kernel_name}_cuda_kernel_"
    found = [Question(forward, f"{name}forward", forward)] if forward else []
    return [*found, Question(backward, f"{name}backward", (forward or "") + backward)] if backward else found


def question(name: str) -> Question:
    """Return one of the texts that the tables edit."""
    identity, direction = name.split()
    return questions(kept_pairs()[identity])[("forward", "backward").index(direction)]


BEFORE_KERNEL = 'extern "C" __global__'
STATEMENT = "        // if idx >= n:"
"""Where the tables insert text: before the kernel, and after ``var_0 = builtin_tid1d();``."""


@dataclass(frozen=True)
class Edit:
    """An edit of a real text.

    Attributes:
        name: what the edit does.
        new: the text that is inserted, or that replaces ``old``.
        words: words of the message, for an edit that is refused.
        old: the text before which ``new`` is inserted; with ``replaces`` it is replaced.
        of: the text that is edited.
    """

    name: str
    new: str
    words: str = ""
    old: str = STATEMENT
    of: str = FORWARD
    replaces: bool = False

    def apply(self) -> Question:
        """Return the edited text."""
        start = question(self.of)
        assert self.old in start.text
        new = self.new if self.replaces else f"{self.new}\n{self.old}"
        return Question(start.text.replace(self.old, new, 1), start.entry_point, start.reference)


def declared(name: str, new: str, words: str, of: str = FORWARD) -> Edit:
    """Return an edit that inserts text before the kernel."""
    return Edit(name, new, words, BEFORE_KERNEL, of)


P = "wp::float32* p; p = wp::address(var_slopes, var_0);"

REFUSED = (
    # text that a compiler reads differently
    declared("directive", "#include <stdlib.h>", "a directive"),
    declared("macro", "#define float double", "a directive"),
    declared("digraph", "%:define add sub", "digraph"),
    declared("trigraph", "??=define add sub", "trigraph"),
    declared("pragma", '_Pragma("GCC poison")', "a string"),
    declared("raw string", 'R"(x)"', "a string"),
    declared("line splice", "// comment \\\nint x;", "backslash"),
    declared("spliced by a trigraph", "// comment ??/\nint x;", "backslash"),
    declared("open comment", "/* never closed", "unterminated comment"),
    declared("form feed", "\f", "U+000C"),
    declared("look-alike letter", "struct Pаrams_1 { };", "U+0430"),
    Edit("character literal", "var_0 = 'a';", "character literal"),
    Edit("universal character name", "var_0 = \\u0041;", "backslash"),
    Edit("user-defined literal", "var_0 = 1_x;", "number"),
    # declarations at namespace level
    declared("library namespace", "namespace wp { }", "'namespace' does not begin"),
    declared("using", "using namespace wp;", "'using' does not begin"),
    declared("alias", "typedef int q;", "'typedef' does not begin"),
    declared("template", "template <typename T> static CUDA_CALLABLE T f_0(T x) { return x; }", "'template' does not begin"),
    declared("global variable", "wp::int32 count_0 = 0;", "'wp' does not begin"),
    declared("static variable", "static int count_0;", "'int' does not begin"),
    declared("device variable", "__device__ int count_0;", "'__device__' does not begin"),
    declared("callable variable", "static CUDA_CALLABLE int count_0 = 0;", "'('"),
    declared("constant", "constexpr int n = 3;", "'constexpr' does not begin"),
    declared("external variable", "extern int environ;", "'\"C\"' is expected"),
    declared("external function", 'extern "C" int system(const char *);', "'__global__' is expected"),
    declared("union", "union U_1 { float f; int i; };", "'union' does not begin"),
    declared("attribute", "[[gnu::constructor]] static CUDA_CALLABLE void f_0() { }", "'[' does not begin"),
    declared("old attribute", "static CUDA_CALLABLE __attribute__((constructor)) void f_0() { }", "'__attribute__'"),
    declared("second kernel", 'extern "C" __global__ void other_cuda_kernel_forward() { }', "is expected"),
    declared("assembler", 'asm("nop");', "a string"),
    # declarations that replace others
    declared("name of a C function", "static CUDA_CALLABLE void exit(wp::float32 x);", "'exit' needs a name"),
    declared("name of a macro", "static CUDA_CALLABLE int builtin_tid_1() { return 0; }", "'builtin_tid_1'"),
    declared("overload of Warp's", "CUDA_CALLABLE wp::float32 add(wp::float32 a, wp::float32 b) { return a; }", "'add' needs"),
    declared("struct over a function", "struct exit { int x; };", "'exit' needs a name"),
    declared("operator", "static CUDA_CALLABLE int operator + (wp::float32 a, int b) { return 0; }", "'operator'"),
    declared("name of a type", "static CUDA_CALLABLE void wp_0() { }", "'wp_0'"),
    # structs and functions
    declared("pointer in a struct", "struct S_1 { float * p; };", "'*' is not allowed"),
    declared("static member", "struct S_1 { static int n; };", "'static'"),
    declared("destructor", "struct S_1 { int n; ~S_1() { } };", "'~'"),
    declared("constructor", "struct S_1 { int n; S_1() { n = 3; } };", "'=' is expected"),
    declared("base", "struct S_1 : Other { };", "'{' is expected"),
    declared("conversion", "struct S_1 { int n; CUDA_CALLABLE operator int() { return n; } };", "'operator'"),
    declared("pointer parameter", "static CUDA_CALLABLE void f_0(wp::float32 * p) { }", "is a pointer"),
    declared("pointer result", "static CUDA_CALLABLE wp::float32 * f_0(int i);", "'*' is not allowed"),
    declared(
        "arithmetic on a helper's array",
        "static CUDA_CALLABLE wp::array_t<int> f_0(wp::array_t<int> a) { return a; }\n"
        "static CUDA_CALLABLE int g_0(wp::array_t<int> a) { return wp::load(f_0(a) + 5); }",
        "the address 'f_0(…)'",
    ),
    declared(
        "array of a list for a helper",
        "static CUDA_CALLABLE int f_0(wp::array_t<int> a) { return 0; }\n"
        "static CUDA_CALLABLE int g_0(int x) { return f_0({0, 9}); }",
        "a list of values",
    ),
    declared("shape parameter", "static CUDA_CALLABLE void f_0(wp::shape_t s) { }", "this type"),
    # names
    Edit("C function", "system(0);", "the name 'system' is not allowed"),
    Edit("global scope", "::system(0);", "'::' is not allowed"),
    Edit("print", "wp::print(var_0);", "'wp::print'"),
    Edit("assembler in a function", "asm volatile (0);", "'asm'"),
    Edit("compiler split", "if (__CUDA_ARCH__) return;", "'__CUDA_ARCH__'"),
    Edit("function's own name", "wp::int32 x = __LINE__;", "'__LINE__'"),
    Edit("clock", "wp::int64 t = clock64();", "'clock64'"),
    Edit("handle", "wp::mesh_get(var_0);", "'wp::mesh_get'"),
    Edit("tile operation", "wp::tile_sum(var_0);", "'wp::tile_sum'"),
    Edit("unknown member of Warp", "wp::array(var_0);", "'wp::array'"),
    Edit("static local", "static int count;", "'static'"),
    Edit("shared memory", "__shared__ float x;", "'__shared__'"),
    Edit("volatile", "volatile int x;", "'volatile'"),
    Edit("thread-local", "thread_local int x;", "'thread_local'"),
    Edit("lambda", "auto f = [&] { };", "'['"),
    Edit("lambda alone", "wp::int32 x = [] { return 1; }();", "'['"),
    Edit("decltype", "decltype(var_0) x;", "'decltype'"),
    Edit("sizeof", "var_0 = sizeof(var_0);", "'sizeof'"),
    Edit("new", "new int;", "'new'"),
    Edit("delete", "delete var_2;", "'delete'"),
    Edit("throw", "throw 1;", "'throw'"),
    Edit("try", "try { } catch (int x) { }", "'try'"),
    Edit("this", "this;", "'this'"),
    Edit("redefined Warp", "int wp = 1;", "'wp'"),
    Edit("macro's name", "int builtin_tid1d = 1;", "'builtin_tid1d'"),
    Edit("alternative token", "var_0 = bitand var_0;", "'bitand'"),
    Edit("local struct", "struct S_1 { int n; };", "'struct'"),
    Edit("local using", "using namespace wp;", "'using'"),
    # addresses
    Edit("cast", f"{P} p = reinterpret_cast<wp::float32*>(var_0);", "'reinterpret_cast'"),
    Edit("const cast", f"{P} const_cast<wp::float32*>(p);", "'const_cast'"),
    Edit("C cast", f"{P} p = (wp::float32*) var_0;", "is not allowed"),
    Edit("static cast", "static_cast<wp::float32*>(var_0);", "is expected"),
    Edit("cast of a pointer", f"{P} var_0 = (wp::int32) p;", "the address 'p'"),
    Edit("address of a variable", "wp::int32* q = &var_0;", "'&'"),
    Edit("address in an argument", "wp::store(&var_0, var_0);", "'&'"),
    Edit("address after a cast", "var_0 = (wp::int32)&var_0;", "cast"),
    Edit("pointer arithmetic", f"{P} var_3 = wp::load(p + 5);", "the address 'p'"),
    Edit("pointer step", f"{P} p++;", "the address 'p'"),
    Edit("pointer addition", f"{P} p += 5;", "the address 'p'"),
    Edit("read through a pointer", f"{P} var_3 = *p;", "wp::load reads"),
    Edit("write through a pointer", f"{P} *p = 1.0;", "wp::load reads"),
    Edit("pointer in brackets", f"{P} var_3 = wp::load((p) + 5);", "the address 'p'"),
    Edit("pointer in a list", f"{P} var_3 = wp::load({{p}});", "a list of values"),
    Edit("pointer index", f"{P} var_3 = p[5];", "the address 'p'"),
    Edit("pointer to a pointer", "wp::float32** p;", "'*'"),
    Edit("pointer without a value", "wp::float32* p; wp::store(p, 1.0);", "has no value"),
    Edit("arithmetic on a result", "var_3 = wp::load(wp::address(var_slopes, var_0) + 5);", "'address(…)'"),
    Edit("arithmetic through a copy", "var_3 = wp::load(wp::copy(var_slopes) + 5);", "'copy(…)'"),
    Edit("arithmetic through a choice", "var_3 = wp::load(wp::where(true, var_slopes, var_water) + 5);", "'where(…)'"),
    Edit("array as a pointer", "var_3 = wp::load(var_slopes + 5);", "the address 'var_slopes'"),
    Edit("array index", "var_3 = var_slopes[5];", "the address 'var_slopes'"),
    Edit("data of an array", "wp::float32* p = var_slopes.data;", "the member 'data'"),
    Edit("gradient of an array", "var_slopes.grad = var_water.data;", "the member 'grad'"),
    Edit("size of an array", "var_slopes.shape = var_water.shape;", "'var_slopes.shape'"),
    Edit("one size of an array", "var_slopes.shape[0] = 1000;", "changing 'var_slopes.shape'"),
    Edit("size through a function", "wp::assign_inplace(var_slopes.shape[0], 1000);", "changing 'var_slopes.shape'"),
    Edit("size through a pointer", "wp::shape_t* s = &(var_slopes.shape); wp::store(s, wp::load(s));", "a shape, 's'"),
    Edit("size through an array without a value", "wp::array_t<wp::float32>* q; wp::shape_t* s; s = &(q->shape);", "'&'"),
    Edit("data through an arrow", "wp::array_t<wp::float32>* q; wp::float32** s; s = &(q->data);", "'*'"),
    Edit("values of a shape", "wp::shape_t s = {}; s = {9};", "the adjoint of a shape"),
    Edit("other values of a shape", "wp::shape_t s = {}; s = var_0;", "the adjoint of a shape"),
    Edit("array of a struct of another", "wp::float32 x; x.slopes = var_slopes;", "the member 'slopes'"),
    Edit("array of a pointer", f"{P} wp::array_t<wp::float32> a = wp::array_t<wp::float32>(p, 9);", "wp::array_t of values"),
    Edit("array of a list", f"{P} wp::array_t<wp::float32> a = {{p, 9}};", "a list of values"),
    Edit("array of a list later", "wp::array_t<wp::float32> a; a = {0, 9};", "a list of values"),
    Edit("array of a list in a call", "wp::address({0, 9}, 1);", "a list of values"),
    Edit("empty array as a pointer", "var_3 = wp::load(wp::array_t<wp::float32>() + 99);", "'array_t(…)'"),
    Edit("array in a vector", "wp::vec_t<2, wp::array_t<wp::float32>> v;", "template argument"),
    Edit("string as a pointer", 'const wp::str var_s = "a"; var_3 = wp::load(var_s + 99);', "the address 'var_s'"),
    Edit("query of a list", "wp::bvh_query_t q = {1, 2};", "a list of values"),
    Edit("texture of a number", "wp::texture1d_t t(99);", "'('"),
    Edit("other kind in a block", f"{P} {{ int p = 0; }} var_3 = wp::load(p + 5);", "a second declaration of 'p'"),
    Edit("array in brackets", f"{P} wp::array_t<wp::float32> a(p, 9);", "'('"),
    Edit("reference", "wp::float32& r = var_3;", "a reference"),
    Edit("reference to an array", "wp::array_t<wp::float32>& r = var_water;", "a reference"),
    Edit("tile of an array", f"{P} wp::tile_shared_t<wp::float32> t = p;", "the address 'p'"),
    Edit("label's address", "goto *&&label0;", "'*'"),
    Edit("label as a value", "var_0 = (wp::int32) &&label0;", "cast"),
    Edit("C array as a pointer", "wp::float32 x[3]; var_0 = wp::int32(wp::load(x));", "without an index"),
    Edit("C array as a value", "wp::float32 x[3]; auto y = x;", "without an index"),
    Edit("address in a C array", "wp::float32 x[3]; wp::load(&x[1]);", "'&'"),
    Edit("large C array", "wp::float32 x[1000000];", "the length of a local array"),
    Edit("C array without a length", "wp::float32 x[];", "the length of a local array"),
    Edit("C array of C arrays", "wp::float32 x[3][3];", "'['"),
    Edit("C array of arrays", "wp::array_t<wp::float32> x[2];", "the elements of a local array"),
    Edit("C array of vectors", "wp::vec3 x[2];", "the elements of a local array"),
    Edit("address as an index", "wp::float32 x[3]; x[0] = x[var_slopes];", "the address"),
    Edit("other brackets around an index", "wp::float32 x[3]; x[(0]) = 1.0f;", "']'"),
    Edit("index of an argument", "var_slopes[0] = 1.0f;", "the address"),
    Edit("index of a vector", "wp::vec3 v; v[0] = 1.0f;", "'['"),
    Edit("deduced array", "auto a = var_slopes;", "the address"),
    Edit("deduced pointer in an expression", "auto p = (wp::address(var_slopes, 0));", "the address"),
    Edit("deduced reference", "auto& a = var_n;", "no reference"),
    Edit("deduced without a value", "auto a;", "needs a name and a value"),
    Edit("list for a deduced type", "auto d = wp::vec3(1.0f, 2.0f, 3.0f); d = {1.0f};", "a list of values"),
    Edit("deduced bounds", "auto d = dim;", "no value that 'auto' may copy"),
    Edit("deduced choice of bounds", "auto d = true ? dim : dim;", "no value that 'auto' may copy"),
    Edit("function of C as a value", "auto f = cosf;", "'cosf'"),
    Edit("address for a function of C", f"{P} wp::float32 a = cosf(p);", "the address"),
    Edit("function pointer", "void (*f)(int);", "'void'"),
    Edit("call of a value", "var_0(1);", "calling the variable"),
    Edit("coordinates", "threadIdx.x = 0;", "changing 'threadIdx.x'"),
    Edit("coordinates by reference", "wp::add_inplace(threadIdx.x, 1);", "changing 'threadIdx.x'"),
    # the kernel
    Edit("other parameter", "wp::int64 var_n", "is not allowed here", "wp::int32 var_n", replaces=True),
    Edit("parameter by reference", "wp::int32 & var_n", "'var_n' is expected", "wp::int32 var_n", replaces=True),
    Edit("other name", "limit_cuda_kernel_forward(", "is expected", "limit_water_depth_cuda_kernel_forward(", replaces=True),
    Edit("launch bounds", '"C" __launch_bounds__(1) __global__', "'__launch_bounds__'", '"C" __global__', replaces=True),
    Edit("adjoint's data", "adj_water.data = var_water.data;", "the member 'data'", of=BACKWARD),
    Edit("adjoint's size", "adj_water.shape = var_slopes.shape;", "'adj_water.shape'", of=BACKWARD),
    Edit("address of an adjoint", "wp::adj_load(&adj_3, adj_3, adj_4);", "'&'", of=BACKWARD),
)  # fmt: skip
"""Attacks, one a row."""
