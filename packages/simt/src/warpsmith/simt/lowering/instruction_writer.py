"""Writing of instructions: operands become slots, and rows are appended to the program."""

from __future__ import annotations

import re
import struct
from collections import ChainMap

from warpsmith.simt.lowering.instruction_encoding import (
    FIRST_OPERATION,
    NONE,
    SPACE,
    SPECIAL_NUMBER,
    WINDOWS,
    encoded_properties,
    immediate_words,
)
from warpsmith.simt.lowering.kernel_layout import Layout, Symbol
from warpsmith.simt.operations.table import number
from warpsmith.simt.ptx.module_parser import parse_number
from warpsmith.simt.ptx.syntax import Function, PtxError, UnsupportedPtx

_ADDRESS = re.compile(r"\[([%\w$.]+)(?:\+(-?\w+)|(-\w+))?\]$")
_CLOCKS = ("%clock", "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi")
_SPACES = {"shared": "shared", "local": "local", "param": "param"}
_PADDING = tuple((NONE,) * (8 - count) for count in range(9))


class InstructionWriter:
    """Appends instructions of one function to the program.

    Attributes:
        layout: what all functions share.
        function: the function.
        symbols: variables by name, those of the function included.
        registers: the slots of registers by name.
        wide_slots: the first slots of registers of 128 bits, which have two.
        predicate: the slot of the predicate of the statement.
        negated: 1 if lanes execute the statement where the predicate is false.
        location: the index of the source location of the statement.
        offset: the position of the statement in the text.
    """

    def __init__(self, layout: Layout, function: Function) -> None:
        self.layout = layout
        self.function = function
        self.symbols = ChainMap[str, Symbol]({}, layout.symbols)
        self.registers: dict[str, int] = {}
        self.wide_slots: set[int] = set()
        self.predicate, self.negated, self.location, self.offset = NONE, 0, 0, 0

    def slot(self, name: str) -> int:
        """Return the slot of a register, a special register or `_`."""
        slot = self.registers.get(name)
        if slot is not None:
            return slot
        if name == "_":
            slot = self.registers["_"] = self.layout.new_slots()
            return slot
        special = SPECIAL_NUMBER.get(name)
        if special is not None:
            specials = self.layout.program.specials
            if specials[special] == NONE:
                specials[special] = self.layout.new_slots()
            return specials[special]
        if name in _CLOCKS:
            slot = self.layout.new_slots()
            self.emit("clock", slots=(slot,), work="other", mode=_CLOCKS.index(name))
            return slot
        if name == "WARP_SZ":
            return self.layout.constant(32)
        if name.startswith("%") and not name[-1].isdigit():
            raise UnsupportedPtx(f"special register {name}")
        raise PtxError(f"unknown name {name}")

    def wide(self, name: str) -> tuple[int, int]:
        """Return the two slots of a register of 128 bits.

        Raises:
            PtxError: if the register has another size.
        """
        slot = self.slot(name)
        if slot not in self.wide_slots:
            raise PtxError(f"{name} is no register of 128 bits")
        return slot, slot + 1

    def target(self, name: str) -> int:
        """Return the slot of a register that an instruction writes.

        Raises:
            PtxError: if the name is that of a special register or a constant.
        """
        if name not in self.registers and name != "_":
            raise PtxError(f"{name[:60]} is no register that can be written")
        return self.slot(name)

    def source(self, operand: str, ptx_type: str = "b64") -> int:
        """Return the slot of a source operand: a register, a number, or the address of a variable."""
        slot = self.registers.get(operand)
        if slot is not None:
            return slot
        first = operand[0]
        if first.isdigit() or first in "+-":
            return self.layout.constant(self.immediate(operand, ptx_type))
        if first == "!":
            return self.negation(self.slot(operand[1:]))
        symbol = self.symbols.get(operand)
        if symbol is not None:
            return self.address_of(symbol)
        base, plus, addend = operand.partition("+")
        if plus and base in self.symbols:
            return self.address_of(self.symbols[base], int(addend, 0))
        if operand.startswith("generic("):
            symbol = self.symbols[operand[8:-1]]
            return self.address_of(symbol, WINDOWS.get(symbol.space, 0))
        return self.slot(operand)

    def immediate(self, text: str, ptx_type: str) -> int:
        """Return the bits of a number as an operand of a type."""
        bits = parse_number(text)
        if bits is None and text[0] == "-" and text[1:3] in ("0f", "0F", "0d", "0D"):
            bits = parse_number(text[1:])
            if bits is not None:
                bits ^= 1 << (31 if text[2] in "fF" else 63)
        if bits is None:
            raise PtxError(f"not a number: {text[:40]!r}")
        if ptx_type == "f32" and text[:2] not in ("0f", "0F") and text[1:3] not in ("0f", "0F"):
            value = (
                struct.unpack("<d", struct.pack("<Q", bits & (1 << 64) - 1))[0]
                if "." in text or text[:2] in ("0d", "0D")
                else float(bits)
            )
            return int(struct.unpack("<I", struct.pack("<f", value))[0])
        if ptx_type == "f64" and text[:2] not in ("0d", "0D") and text[1:3] not in ("0d", "0D") and "." not in text:
            value = struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0] if "0f" in text.lower()[:3] else float(bits)
            return int(struct.unpack("<Q", struct.pack("<d", value))[0])
        return bits & (1 << 64) - 1

    def negation(self, slot: int) -> int:
        """Return a slot with the negation of a predicate."""
        result = self.layout.new_slots()
        saved, self.predicate = self.predicate, NONE
        self.emit(FIRST_OPERATION + number("not.pred"), slots=(result, NONE, slot), work="logic")
        self.predicate = saved
        return result

    def address_of(self, symbol: Symbol, addend: int = 0) -> int:
        """Return a slot with an address in the space of a symbol."""
        if symbol.space == "local" and not self.function.is_kernel:
            slot = self.layout.new_slots()
            saved, self.predicate = self.predicate, NONE
            self.emit("frame_address", slots=(slot,), immediate=symbol.address + addend, work="move")
            self.predicate = saved
            return slot
        return self.layout.constant(symbol.address + addend)

    def address(self, operand: str, modifiers: list[str]) -> tuple[int, int, int, Symbol | None]:
        """Return slot, offset, space and symbol of an address operand such as ``[%rd1+8]``.

        Args:
            operand: the operand.
            modifiers: the parts of the opcode, which may name the space.
        """
        found = _ADDRESS.match(operand)
        if found is None:
            raise PtxError(f"not an address: {operand[:60]!r}")
        base, offset = found[1], int(found[2] or found[3] or "0", 0)
        space = next((_SPACES[part.partition("::")[0]] for part in modifiers if part.partition("::")[0] in _SPACES), "generic")
        slot = self.registers.get(base)
        symbol = None
        if slot is None:
            symbol = self.symbols.get(base)
            if symbol is not None:
                if symbol.space in _SPACES:
                    space = symbol.space
                slot = self.address_of(symbol, 0)
            elif base[0].isdigit():
                slot = self.layout.constant(int(base, 0))
            else:
                slot = self.slot(base)
        if space == "param" and (symbol is None or symbol.space == "local") and not self.function.is_kernel:
            space = "local"
        return slot, offset, SPACE[space], symbol

    def emit(
        self,
        operation: int | str,
        slots: tuple[int, ...] = (),
        work: str | int = "other",
        immediate: int = 0,
        **properties: int,
    ) -> None:
        """Append an instruction; its predicate and location are those of the statement."""
        code, count = self.layout.program.code, len(slots)
        number, third, fourth = encoded_properties(operation, work, **properties)
        low, high = immediate_words(immediate) if immediate else (0, 0)
        words = (number, self.predicate, self.negated | third, fourth, *slots, *_PADDING[count], low, high, self.location, 0)
        code.rows.extend(words)
        code.offsets.append(self.offset)

    def emit_operation(self, operation: int, work: int, first: int, second: int, sources: list[int]) -> None:
        """Append an operation of the table: the same as `emit`, for the greatest part of all instructions, in less time.

        Args:
            operation: its number as an instruction.
            work: the number of the class that is counted.
            first: the slot of the result.
            second: the slot of the second result, or -1.
            sources: four slots, -1 for those that the operation lacks.
        """
        code = self.layout.program.code
        flags = self.negated | work << 8
        words = (operation, self.predicate, flags, 0, first, second, *sources, NONE, NONE, 0, 0, self.location, 0)
        code.rows.extend(words)
        code.offsets.append(self.offset)
