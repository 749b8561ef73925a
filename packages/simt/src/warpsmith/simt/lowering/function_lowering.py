"""Lowering of one function: registers become slots, labels become positions, and each opcode is encoded by its plan."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping

from warpsmith.simt.lowering.encoding import FIRST_OPERATION, HANDLER, NONE, SPACE, SPECIAL_NUMBER, WINDOWS, WORK_NUMBER, row
from warpsmith.simt.lowering.program import Program
from warpsmith.simt.operations.table import number
from warpsmith.simt.ptx.module_parser import parse_number, parse_variable
from warpsmith.simt.ptx.statements import Locations, split_operands, statements
from warpsmith.simt.ptx.syntax import Function, ModuleSyntax, PtxError, Statement, UnsupportedPtx, Variable

Plan = Callable[["FunctionLowering", list[str]], None]
"""Encodes the instructions of one opcode from their operands."""

MOST_SLOTS = 1 << 20
"""Registers and constants of a kernel; NVRTC's largest kernels have some ten thousand."""

LARGEST_FRAME = 1 << 24
"""Bytes of local memory of one function."""

_REGISTERS = re.compile(r"([%A-Za-z_$][\w$]*?)(?:<(\d+)>)?$")
_ADDRESS = re.compile(r"\[([%\w$.]+)(?:\+?(-?\w+))?\]$")
_CLOCKS = ("%clock", "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi")
_SPACES = {"shared": "shared", "local": "local", "param": "param"}


class Symbol:
    """A variable with its address space and its address in it."""

    __slots__ = ("address", "space", "variable")

    def __init__(self, space: str, address: int, variable: Variable | None = None) -> None:
        self.space = space
        self.address = address
        self.variable = variable


class Layout:
    """What the functions of one kernel share: the program, and addresses.

    Attributes:
        module: the module.
        program: the program that is made.
        symbols: variables of the module, and functions.
        constants: the slots of constants by bits.
        parameter_constants: the slots of parts of the kernel's parameters by offset, size and whether they are signed.
        numbers: the index in the program's targets of each function that can be called.
    """

    def __init__(self, module: ModuleSyntax, program: Program, symbols: Mapping[str, Symbol]) -> None:
        self.module = module
        self.program = program
        self.symbols = dict(symbols)
        self.constants: dict[int, int] = {}
        self.parameter_constants: dict[tuple[int, int, bool], int] = {}
        self.numbers: dict[str, int] = {}
        program.specials = [NONE] * len(SPECIAL_NUMBER)

    def new_slots(self, count: int = 1) -> int:
        """Return the first of ``count`` new slots."""
        first = self.program.slots
        self.program.slots += count
        if self.program.slots > MOST_SLOTS:
            raise UnsupportedPtx(f"{self.program.name} has more than {MOST_SLOTS} registers")
        return first

    def constant(self, bits: int) -> int:
        """Return the slot that contains ``bits``."""
        bits &= (1 << 64) - 1
        slot = self.constants.get(bits)
        if slot is None:
            slot = self.constants[bits] = self.new_slots()
            self.program.constants.append((slot, bits))
        return slot

    def parameter(self, offset: int, size: int, signed: bool) -> int:
        """Return the slot that contains a part of the kernel's parameters."""
        key = (offset, size, signed)
        slot = self.parameter_constants.get(key)
        if slot is None:
            slot = self.parameter_constants[key] = self.new_slots()
            self.program.parameter_constants.append((slot, *key))
        return slot

    def allocate_shared(self, variable: Variable) -> Symbol:
        """Return a place in static shared memory."""
        size = self.program.shared_size
        address = -(-size // variable.alignment) * variable.alignment
        self.program.shared_size = address + variable.size
        return Symbol("shared", address, variable)


class FunctionLowering:
    """Encodes the body of one function at the end of the program.

    Attributes:
        layout: what all functions share.
        function: the function.
        symbols: variables by name, those of the function included.
        frame: bytes of local memory that are in use.
    """

    def __init__(self, layout: Layout, function: Function, plan: Callable[[str], Plan]) -> None:
        self.layout = layout
        self.function = function
        self.symbols = dict(layout.symbols)
        self.frame = 0
        self.registers: dict[str, int] = {}
        self.label_operands: dict[str, list[str]] = {}
        self.predicate, self.negated, self.location, self.offset, self.opcode = NONE, 0, 0, 0, ""
        self._plan = plan
        self._undo: list[list[tuple[dict[str, object], str, object]]] = [[]]
        self._labels: list[dict[str, int]] = [{}]
        self._branches: list[list[tuple[int | None, int, str]]] = [[]]
        self._last_label = ""
        for variable in (*function.results, *function.parameters):
            if not function.is_kernel:
                self.symbols[variable.name] = self._allocate_local(variable)
        self.frame_of_arguments = self.frame

    def lower(self) -> None:
        """Encode all statements.

        Raises:
            PtxError: if the body is no PTX; the message contains the line.
            UnsupportedPtx: if the machine lacks an instruction.
        """
        locations = Locations()
        indices: dict[object, int] = {}
        known = self.layout.program.locations
        module, instruction = self.layout.module, self._instruction
        statement = None
        try:
            for statement in statements(module, self.function):
                kind = statement.kind
                if kind == "instruction":
                    instruction(statement)
                elif kind == "loc":
                    locations.read(statement.text)
                    place = locations.current
                    index = indices.get(place)
                    if index is None:
                        index = indices[place] = len(known)
                        known.append(place)
                    self.location = index
                elif kind == "label":
                    self._labels[-1][statement.text] = len(self.layout.program.code)
                    self._last_label = statement.text
                elif kind == "open":
                    self._open()
                elif kind == "close":
                    self._close()
                else:
                    self._directive(statement)
            while self._branches:
                self._close()
        except (PtxError, UnsupportedPtx) as error:
            line = module.line(statement.offset) if statement is not None else 0
            raise type(error)(f"line {line}: {error}") from None
        except (IndexError, ValueError, KeyError, struct.error) as error:
            line = module.line(statement.offset) if statement is not None else 0
            text = f"{statement.text} {statement.operands.strip()}" if statement is not None else ""
            raise PtxError(f"line {line}: not an instruction: {text[:80]!r} ({type(error).__name__})") from None

    def end(self) -> None:
        """Append the return that every body has at its end."""
        self.predicate, self.negated, self.opcode = NONE, 0, "ret"
        self.emit("exit" if self.function.is_kernel else "return_call", work="branch")

    def _instruction(self, statement: Statement) -> None:
        self.offset, self.opcode = statement.offset, statement.text
        if statement.predicate:
            self.predicate = self.slot(statement.predicate)
            self.negated = 1 if statement.negated else 0
        else:
            self.predicate, self.negated = NONE, 0
        self._plan(statement.text)(self, split_operands(statement.operands))

    def _open(self) -> None:
        self._undo.append([])
        self._labels.append({})
        self._branches.append([])

    def _close(self) -> None:
        """Leave a scope: its branches find its labels, the others go to the scope around it; hidden names return."""
        labels, code = self._labels.pop(), self.layout.program.code
        for table, index, label in self._branches.pop():
            if label in labels:
                if table is None:
                    code.set_immediate(index, labels[label])
                else:
                    self.layout.program.tables[table] = labels[label]
            elif self._branches:
                self._branches[-1].append((table, index, label))
            else:
                raise PtxError(f"unknown label {label}")
        for names, name, old in reversed(self._undo.pop()):
            if old is None:
                names.pop(name, None)
            else:
                names[name] = old

    def _declare(self, names: dict[str, object], name: str, value: object) -> None:
        if len(self._undo) > 1:
            self._undo[-1].append((names, name, names.get(name)))
        names[name] = value

    def _directive(self, statement: Statement) -> None:
        name, text = statement.text, statement.operands
        if name == "reg":
            self._declare_registers(text)
        elif name in ("local", "param", "shared", "global", "const"):
            variable = parse_variable(name, text, False)
            if name in ("shared", "global", "const"):
                symbol = self.layout.symbols[variable.name]
            else:
                symbol = self._allocate_local(variable)
            self._declare(self.symbols, variable.name, symbol)  # type: ignore[arg-type]
        elif name in ("branchtargets", "calltargets"):
            self.label_operands[self._last_label] = split_operands(text)
        elif name == "callprototype":
            self.label_operands[self._last_label] = [text]
        elif name not in ("pragma", "file", "section", "noreturn"):
            raise UnsupportedPtx(f".{name}")

    def _declare_registers(self, text: str) -> None:
        found = re.match(r"\s*(?:\.v[24]\s*)?\.(\w+)\s+(.*)$", text, re.DOTALL)
        if found is None:
            raise PtxError(f"not a declaration of registers: {text.strip()[:60]!r}")
        if found[1] == "b128":
            raise UnsupportedPtx("registers of .b128")
        for part in found[2].split(","):
            name = _REGISTERS.match(part.strip())
            if name is None:
                raise PtxError(f"not a register: {part.strip()[:60]!r}")
            if name[2] is None:
                self._declare(self.registers, name[1], self.layout.new_slots())  # type: ignore[arg-type]
            else:
                first, prefix = self.layout.new_slots(int(name[2])), name[1]
                self.registers |= {f"{prefix}{index}": first + index for index in range(int(name[2]))}

    def _allocate_local(self, variable: Variable) -> Symbol:
        address = -(-self.frame // max(variable.alignment, 8)) * max(variable.alignment, 8)
        self.frame = address + variable.size
        if self.frame > LARGEST_FRAME:
            raise UnsupportedPtx(f"{self.function.name} has more than {LARGEST_FRAME} bytes of local memory")
        return Symbol("local", address, variable)

    # operands

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
        base, offset = found[1], int(found[2], 0) if found[2] else 0
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

    # output

    def emit(
        self,
        operation: int | str,
        slots: tuple[int, ...] = (),
        work: str | int = "other",
        immediate: int = 0,
        **properties: int,
    ) -> None:
        """Append an instruction; its predicate and location are those of the statement."""
        code = self.layout.program.code
        code.words.extend(
            row(
                operation if isinstance(operation, int) else HANDLER[operation],
                self.predicate,
                self.negated,
                work if isinstance(work, int) else WORK_NUMBER[work],
                slots=slots,
                immediate=immediate,
                location=self.location,
                **properties,
            )
        )
        code.opcodes.append(self.opcode)
        code.offsets.append(self.offset)

    def emit_branch(self, label: str) -> None:
        """Append a jump to a label."""
        self._branches[-1].append((None, len(self.layout.program.code), label))
        self.emit("branch", work="branch")

    def table_of_labels(self, labels: list[str]) -> int:
        """Return where a table of positions starts."""
        tables = self.layout.program.tables
        first = len(tables)
        tables.extend([0] * len(labels))
        self._branches[-1].extend((first + index, 0, label) for index, label in enumerate(labels))
        return first
