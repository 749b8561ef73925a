"""Fuzzer of the parser, the lowering and the machine: ``python tests/simt/fuzz.py --minutes 10``.

Kernels of the corpus are compiled once, their PTX is mutated, and each text is launched in a child process with 2 blocks of 64
threads and a limit of steps. Every array, register file and stack of the machine ends at a page without access, and each place
that the machine finds for an address is compared with the memory of the launch. Clang inserts traps for indices outside of
arrays and for undefined arithmetic. Reported are signals, hangs, exceptions that are no `WarpsmithError`, and changed bytes
before an array. A case is reproduced by ``--seed NUMBER --count 1 --print``.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import mmap
import os
import random
import re
import resource
import select
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt import Module, compile_ptx
from warpsmith.simt.launches import device_memory, program_launch
from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION
from warpsmith.simt.machine import engine, native_code
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.machine.source_files import machine_text
from warpsmith.simt.operations.table import number as number_of
from warpsmith.simt.operations.table import opcodes

PROGRAMS = Path(__file__).parent / "corpus" / "programs"
SEEDS = (
    "async_matmul atomic_operations device_malloc device_printf function_pointers intrinsics mma_matmul mbarrier_pipeline "
    "recursion shuffle_widths several_shared_arrays state_machine struct_parameters transposes wmma_matmul warp_histogram "
    "last_block_mean cas_loops producer_consumer phase_barrier"
).split()
LIMIT, BATCH, PATIENCE, MEMORY = 20_000, 400, 30, 24 << 30
SHARED = 256
"""Bytes of dynamic shared memory."""

EDGES = 0.2
"""The part of texts whose only change is an access at the end of a memory."""

COMPILATION = 900
"""Seconds that the first text of a process may take; without a cached object, it compiles the machine with its guards."""

CANARY, CANARY_BYTES, PAGE = 0xC5, 64, mmap.PAGESIZE

SANITIZERS = "array-bounds,integer-divide-by-zero,null,shift-exponent,float-cast-overflow,unreachable,return"

GUARDS = """
extern "C" void* mmap(void*, unsigned long, int, int, int, long);
extern "C" int mprotect(void*, unsigned long, int);
extern "C" int munmap(void*, unsigned long);
struct GuardedHead { u64 magic, base, total, size; };
static void* guarded_malloc(u64 size) {
    u64 room = (size + 15) / 16 * 16, total = (room + sizeof(GuardedHead) + 4095) / 4096 * 4096 + 4096;
    u8* base = (u8*)mmap(nullptr, total, 3, 0x22, -1, 0);
    if (base == (u8*)-1ll) return nullptr;
    mprotect(base + total - 4096, 4096, 0);
    u8* result = base + total - 4096 - room;
    GuardedHead head = {0x5AFE5AFE5AFE5AFEull, (u64)base, total, size};
    memcpy(result - sizeof head, &head, sizeof head);
    return result;
}
static void* guarded_calloc(u64 count, u64 size) { return guarded_malloc(count * size); }
static void guarded_free(void* memory) {
    if (!memory) return;
    GuardedHead head;
    memcpy(&head, (u8*)memory - sizeof head, sizeof head);
    if (head.magic != 0x5AFE5AFE5AFE5AFEull) __builtin_trap();
    munmap((void*)head.base, head.total);
}
static void* guarded_realloc(void* memory, u64 size) {
    void* result = guarded_malloc(size);
    if (memory && result) {
        GuardedHead head;
        memcpy(&head, (u8*)memory - sizeof head, sizeof head);
        if (head.magic != 0x5AFE5AFE5AFE5AFEull) __builtin_trap();
        memcpy(result, memory, head.size < size ? head.size : size);
        guarded_free(memory);
    }
    return result;
}
#define malloc guarded_malloc
#define calloc guarded_calloc
#define realloc guarded_realloc
#define free guarded_free
"""

PLACES = """
static bool inside(const u8* place, u64 size, const u8* memory, u64 bytes) {
    return place >= memory && (u64)(place - memory) <= bytes && size <= bytes - (u64)(place - memory);
}
static bool find_checked_place(Machine& m, Block& b, Warp& w, u32 lane, u32 space, u64 address, u64 size, bool writes,
                               Place& place) {
    if (!find_place(m, b, w, lane, space, address, size, writes, place)) return false;
    const Launch& launch = *m.launch;
    bool right = false;
    for (u32 k = 0; k < launch.range_count; k++)
        right |= inside(place.host, size, launch.ranges[k].host, launch.ranges[k].high - launch.ranges[k].low);
    right |= inside(place.host, size, b.shared, launch.shared_size);
    right |= inside(place.host, size, w.local + (u64)lane * launch.local_size, launch.local_size);
    right |= !writes && inside(place.host, size, (const u8*)launch.parameters, launch.parameter_size);
    if (!right) __builtin_trap();
    return true;
}
#define find_place find_checked_place
"""

EDITS = (
    ("static inline u32 lanes_in", GUARDS + "static inline u32 lanes_in"),
    ("static bool stop(", PLACES + "static bool stop("),
    ("(u8*)(((u64)b.shared_memory + 255) & ~255ull)", "b.shared_memory + 256"),  # no unused bytes behind shared memory
)
"""Texts in the machine, each of which occurs once, and what replaces them."""

NUMBERS = (
    "0 1 -1 2 3 7 8 15 16 31 32 33 63 64 127 128 255 256 1023 4095 65535 65536 2147483647 -2147483648 4294967295 4294967296 "
)
NUMBERS += (
    "9223372036854775807 -9223372036854775808 0xffffffffffffffff 0x0100000000000000 0x0200000000000000 0x0300000000000000 "
)
NUMBERS += "0x0400000000000000 0x7f0000000000 0x7ff000000000 0f7F800000 0fFFC00000 0d7FF0000000000000 1000000000"
TYPES = "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f16 bf16 f16x2 bf16x2 f32 f64 pred b128 tf32".split()
WORDS = (
    "shared local param global const v2 v4 v8 sync aligned volatile relaxed acquire release cta gpu sys wide lo hi sat rn ftz"
).split()
LINES = """
ld.local.u32 REG, [REG+NUMBER];
st.local.v4.u32 [REG], {REG, REG, REG, REG};
st.shared.u64 [NUMBER], REG;
atom.shared.cas.b16 REG, [REG], REG, REG;
bar.sync REG, REG;
bar.arrive NUMBER, 64;
barrier.red.popc.u32 REG, 0, PRED;
shfl.sync.idx.b32 REG|PRED, REG, REG, REG, REG;
vote.sync.ballot.b32 REG, PRED, REG;
match.all.sync.b64 REG|PRED, REG, REG;
redux.sync.add.s32 REG, REG, REG;
elect.sync REG|PRED, REG;
bar.warp.sync REG;
activemask.b32 REG;
cp.async.ca.shared.global [REG], [REG], 16, REG;
cp.async.commit_group;
cp.async.wait_group NUMBER;
cp.async.wait_all;
exit;
ret;
trap;
@PRED exit;
@!PRED ret;
fence.sc.gpu;
membar.cta;
mov.u64 REG, %clock64;
mov.u32 REG, %tid.x;
cvta.to.shared.u64 REG, REG;
cvta.local.u64 REG, REG;
isspacep.shared PRED, REG;
div.s32 REG, REG, REG;
rem.s64 REG, REG, REG;
div.s64 REG, NUMBER, -1;
cvt.rzi.s32.f32 REG, REG;
shl.b32 REG, REG, REG;
bfe.s32 REG, REG, REG, REG;
bfi.b64 REG, REG, REG, REG, REG;
prmt.b32 REG, REG, REG, REG;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {REG, REG, REG, REG}, [REG];
mbarrier.init.shared.b64 [REG], REG;
mbarrier.arrive.shared.b64 REG, [REG];
mbarrier.test_wait.shared.b64 PRED, [REG], REG;
wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {REG, REG, REG, REG, REG, REG, REG, REG}, [REG], REG;
""".strip().splitlines()

ACCESSES = """
1 ldSPACE.u8 %r2, [%rd1];
4 ldSPACE.u32 %r2, [%rd1];
8 ldSPACE.u64 %rd2, [%rd1];
8 ldSPACE.v2.u32 {%r2, %r3}, [%rd1];
16 ldSPACE.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];
2 stSPACE.u16 [%rd1], 7;
4 stSPACE.u32 [%rd1], %r1;
8 stSPACE.u64 [%rd1], %rd1;
16 stSPACE.v4.u32 [%rd1], {%r1, %r1, %r1, %r1};
4 atomSPACE.add.u32 %r2, [%rd1], %r1;
8 atomSPACE.exch.b64 %rd2, [%rd1], %rd1;
""".strip().splitlines()
"""The bytes of an access to the address in ``%rd1``, and the access."""

WINDOWS = {"shared": 1 << 56, "local": 2 << 56, "param": 3 << 56}
"""Where the machine has the memories of a thread in the generic address space."""

_REGISTER = re.compile(r"%[a-z]+\d+\b")
_ENTRY = re.compile(r"\.entry\s+(\w+)")
_SIZES = {
    space: re.compile(rf"^\s*\.{space} \.align \d+ \.[bu]\d+ \S+\[(\d+)\];", re.MULTILINE) for space in ("shared", "local")
}
_NUMBER = re.compile(r"(?<![\w%$.])-?(?:0[xfd][0-9a-fA-F]+|\d+)\b")


def seeds() -> list[str]:
    """Return the PTX of the corpus that is mutated."""
    return [compile_ptx((PROGRAMS / f"{name}.cu").read_text(), name=f"{name}.cu") for name in SEEDS]


class Mutator:
    """Makes wrong texts from right ones."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        lines = {line.strip() for text in texts for line in text.splitlines()}
        self.statements = sorted(line for line in lines if line.endswith(";") and not line.startswith((".", "@")))
        self.opcodes = sorted({line.split()[0] for line in self.statements if " " in line or "\t" in line} | set(opcodes()))

    def text(self, seed: int) -> str:
        """Return the text with a number."""
        rng = random.Random(seed)  # noqa: S311 - the texts are the same each time
        lines = rng.choice(self.texts).splitlines()
        if rng.random() < EDGES:
            self._edge(rng, lines)
            return "\n".join(lines)
        changes: list[Callable[[random.Random, list[str]], None]] = [
            self._number, self._number, self._register, self._register, self._opcode, self._type, self._word, self._delete,
            self._repeat, self._swap, self._splice, self._insert, self._insert, self._predicate, self._characters, self._edge,
        ]  # fmt: skip
        for _ in range(rng.choice((1, 1, 2, 3, 5, 10))):
            rng.choice(changes)(rng, lines)
        text = "\n".join(lines)
        if rng.random() < 0.03:
            text = text[: rng.randrange(len(text))]
        return text

    @staticmethod
    def _statement(rng: random.Random, lines: list[str]) -> int:
        found = [index for index, line in enumerate(lines) if line.rstrip().endswith(";")]
        return rng.choice(found) if found else 0

    def _number(self, rng: random.Random, lines: list[str]) -> None:
        index = self._statement(rng, lines)
        found = list(_NUMBER.finditer(lines[index]))
        if found:
            match = rng.choice(found)
            lines[index] = lines[index][: match.start()] + rng.choice(NUMBERS.split()) + lines[index][match.end() :]

    def _register(self, rng: random.Random, lines: list[str]) -> None:
        index = self._statement(rng, lines)
        found = list(_REGISTER.finditer(lines[index]))
        if found:
            match = rng.choice(found)
            lines[index] = lines[index][: match.start()] + self._operand(rng, lines) + lines[index][match.end() :]

    def _operand(self, rng: random.Random, lines: list[str]) -> str:
        if rng.random() < 0.25:
            return rng.choice(NUMBERS.split())
        registers = sorted(set(_REGISTER.findall("\n".join(lines))))
        return rng.choice(registers or ["%r1"])

    def _opcode(self, rng: random.Random, lines: list[str]) -> None:
        index = self._statement(rng, lines)
        head, _, rest = lines[index].strip().partition(" ")
        lines[index] = f"{rng.choice(self.opcodes)} {rest or head}"

    def _type(self, rng: random.Random, lines: list[str]) -> None:
        index = self._statement(rng, lines)
        lines[index] = re.sub(r"\.(?:[bus]\d+|b?f\d+(?:x2)?|pred)\b", f".{rng.choice(TYPES)}", lines[index], count=1)

    def _word(self, rng: random.Random, lines: list[str]) -> None:
        index = self._statement(rng, lines)
        parts = lines[index].split(".")
        parts.insert(rng.randrange(1, len(parts) + 1), rng.choice(WORDS))
        lines[index] = ".".join(parts)

    def _delete(self, rng: random.Random, lines: list[str]) -> None:
        del lines[rng.randrange(len(lines))]
        if not lines:
            lines.append("")

    @staticmethod
    def _repeat(rng: random.Random, lines: list[str]) -> None:
        index = rng.randrange(len(lines))
        lines[index:index] = [lines[index]] * rng.choice((1, 1, 2, 50))

    @staticmethod
    def _swap(rng: random.Random, lines: list[str]) -> None:
        first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]

    def _splice(self, rng: random.Random, lines: list[str]) -> None:
        other = rng.choice(self.texts).splitlines()
        start, target = rng.randrange(len(other)), self._statement(rng, lines)
        lines[target:target] = other[start : start + rng.choice((1, 2, 5, 20))]

    def _insert(self, rng: random.Random, lines: list[str]) -> None:
        line = rng.choice(LINES) if rng.random() < 0.7 else rng.choice(self.statements)
        line = re.sub(
            "REG|NUMBER", lambda match: self._operand(rng, lines) if match[0] == "REG" else rng.choice(NUMBERS.split()), line
        )
        predicates = sorted(set(re.findall(r"%p\d+\b", "\n".join(lines))))
        lines.insert(self._statement(rng, lines), line.replace("PRED", rng.choice(predicates or ["%p1"])))

    def _predicate(self, rng: random.Random, lines: list[str]) -> None:
        index = self._statement(rng, lines)
        if not lines[index].strip().startswith((".", "@")):
            lines[index] = f"@{rng.choice(('', '!'))}%p1 {lines[index]}"

    def _edge(self, rng: random.Random, lines: list[str]) -> None:
        """Let the threads of a kernel access neighbouring elements, some before and some behind the end of a memory."""
        entries = [index for index, line in enumerate(lines) if _ENTRY.search(line)]
        if not entries:
            return
        start = rng.choice(entries)
        end = next((index for index in range(start, len(lines)) if lines[index].startswith("}")), len(lines))
        declarations = [index for index in range(start, end) if lines[index].strip().startswith((".reg", ".local", ".shared"))]
        if not declarations:
            return
        size, _, access = rng.choice(ACCESSES).partition(" ")
        space, number = rng.choice(("global", *WINDOWS)), rng.randrange(4)
        is_generic = space == "param" or rng.random() < 0.3
        sizes = [int(found) for found in _SIZES[space].findall("\n".join(lines))] if space in _SIZES else []
        parameters = len(re.findall(r"\.param", "\n".join(lines[start:end]).partition("{")[0]))
        limits = {
            "global": [4 * array_length(number)],
            "shared": [SHARED, SHARED + sum(sizes), *(SHARED + size for size in sizes)],
            "local": [8, *sizes],
            "param": [8 * parameters, 8 * parameters - 4],
        }
        limit = rng.choice(limits[space])
        first = int(size) * max(limit // int(size) - rng.randrange(1, 33), 0)
        added = ["mov.u32 %r1, %tid.x;", f"mul.wide.u32 %rd1, %r1, {size};", f"add.s64 %rd1, %rd1, {first};"]
        if space == "global":
            name = f"{_ENTRY.search(lines[start])[1]}_param_{number}"  # type: ignore[index]
            added += [f"ld.param.u64 %rd2, [{name}];", "add.s64 %rd1, %rd1, %rd2;"]
        elif is_generic:
            added.append(f"add.s64 %rd1, %rd1, {WINDOWS[space]};")
        added.append(access.replace("SPACE", "" if is_generic else f".{space}"))
        lines[declarations[-1] + 1 : declarations[-1] + 1] = added

    @staticmethod
    def _characters(rng: random.Random, lines: list[str]) -> None:
        index = rng.randrange(len(lines))
        characters = list(lines[index]) or [" "]
        characters[rng.randrange(len(characters))] = rng.choice('{}()[];,.@%:"/*0aZ \0é')
        lines[index] = "".join(characters)


class Guarded:
    """Memory that ends at a page without access, and starts behind canaries."""

    def __init__(self, size: int) -> None:
        self._pages = -(-(size + CANARY_BYTES) // PAGE) * PAGE
        self._map = mmap.mmap(-1, self._pages + PAGE)
        whole = np.frombuffer(self._map, np.uint8)
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        if protect(whole.ctypes.data + self._pages, PAGE, 0):
            raise OSError("mprotect")
        self._before = whole[: self._pages - size]
        self._before[:] = CANARY
        self.memory = whole[self._pages - size : self._pages]

    def intact(self) -> bool:
        """Return whether the bytes before the memory are unchanged."""
        return bool((self._before == CANARY).all())


def guard_machine() -> list[Guarded]:
    """Let the machine and all arrays of launches end at pages without access; return the list of these arrays."""
    guarded: list[Guarded] = []
    text = machine_text()
    for before, after in EDITS:
        if text.count(before) != 1:
            raise ValueError(f"not once in the machine: {before}")
        text = text.replace(before, after)
    engine.machine_text = lambda: text
    native_code.FLAGS = (*native_code.FLAGS, f"-fsanitize={SANITIZERS}", f"-fsanitize-trap={SANITIZERS}")
    region, zeros = device_memory.Region, np.zeros

    def guarded_copy(content: Any) -> Any:
        block = Guarded(content.size)
        block.memory[:] = content
        guarded.append(block)
        return block.memory

    def guarded_region(address: int, memory: Any, *rest: Any, **named: Any) -> Any:
        return region(address, guarded_copy(memory), *rest, **named)

    class Arrays:
        def __getattr__(self, name: str) -> Any:
            return getattr(np, name)

        @staticmethod
        def zeros(shape: Any, kind: Any = float) -> Any:
            return guarded_copy(zeros(shape, kind)) if kind == np.uint8 and shape else zeros(shape, kind)

    device_memory.Region = guarded_region
    sys.modules["warpsmith.simt.launches.module"].Region = guarded_region
    program_launch.np = Arrays()
    return guarded


def array_length(index: int) -> int:
    """Return the length of the array that is the argument with an index; most lengths do not divide vectors."""
    return 61 + 9 * index


def run_text(text: str, guarded: list[Guarded]) -> str:
    """Launch all kernels of a text; return what happened."""
    guarded.clear()
    result = "rejected"
    try:
        module = Module(text)
        for kernel in module.kernels.values():
            arguments = [
                np.arange(array_length(index), dtype=np.float32) if parameter.size == 8 else bytes(parameter.size - 1) + b"\5"
                for index, parameter in enumerate(kernel.parameters)
            ]
            arguments = [5 if isinstance(value, bytes) and len(value) == 4 else value for value in arguments]
            run = module.launch(kernel.name, 2, 64, arguments, shared=SHARED, limit=LIMIT)
            result = ",".join(sorted({finding.kind for finding in run.findings})) or "clean"
    except WarpsmithError:
        pass
    except BaseException:  # noqa: BLE001 - the fuzzer reports all others
        return "EXCEPTION " + " | ".join(traceback.format_exc().splitlines()[-5:])
    return result if all(block.intact() for block in guarded) else "CANARY changed"


def child() -> None:
    """Run texts from the standard input, one JSON string a line; write a line for each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    guarded = guard_machine()
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    engine.start_machine()
    operation_table(FIRST_OPERATION + number_of(opcode) for opcode in opcodes())
    for line in sys.stdin:
        output.write(json.dumps(run_text(json.loads(line), guarded)) + "\n")
        output.flush()


def run_batch(texts: Sequence[str]) -> Iterator[str]:
    """Yield what happened to each text; texts that end a child process get a new one for those behind them."""
    position = 0
    while position < len(texts):
        process = subprocess.Popen([sys.executable, __file__, "--child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin is not None
        assert process.stdout is not None
        patience = COMPILATION
        while position < len(texts):
            try:
                process.stdin.write(json.dumps(texts[position]).encode() + b"\n")
                process.stdin.flush()
            except BrokenPipeError:
                pass
            ready, _, _ = select.select([process.stdout], [], [], patience)
            patience = PATIENCE
            line = process.stdout.readline() if ready else b""
            position += 1
            if line:
                yield json.loads(line)
                continue
            if not ready:
                process.kill()
            status = process.wait()
            yield "HANG" if not ready else f"SIGNAL {-status}"
            break
        process.stdin.close()
        process.kill()
        process.wait()


def main() -> int:
    """Fuzz for some minutes; return 1 if there was a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0, help="number of the first text")
    parser.add_argument("--count", type=int, default=0, help="number of texts, instead of the minutes")
    parser.add_argument("--print", action="store_true", help="print the texts")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child()
        return 0
    mutator = Mutator(seeds())
    end, seed, faults, seen = time.monotonic() + 60 * options.minutes, options.seed, 0, {}
    while time.monotonic() < end if not options.count else seed < options.seed + options.count:
        last = options.seed + options.count if options.count else seed + BATCH
        numbers = range(seed, min(seed + BATCH, last))
        texts = [mutator.text(number) for number in numbers]
        for number, text, result in zip(numbers, texts, run_batch(texts), strict=True):
            seen[result[:60]] = seen.get(result[:60], 0) + 1
            if options.print:
                print(text)
            if result.startswith(("SIGNAL", "HANG", "EXCEPTION", "CANARY")):
                faults += 1
                print(f"seed {number}: {result}", flush=True)
        seed = numbers[-1] + 1
    print(f"{seed - options.seed} texts, {faults} faults")
    for result, count in sorted(seen.items(), key=lambda entry: -entry[1])[:40]:
        print(f"{count:7} {result}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
