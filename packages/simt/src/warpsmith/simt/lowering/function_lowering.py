"""Lowering of one function: registers become slots, labels become positions, and each opcode is encoded by its plan."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from warpsmith.simt.lowering.instruction_encoding import NONE
from warpsmith.simt.lowering.instruction_writer import InstructionWriter
from warpsmith.simt.lowering.kernel_layout import Layout, Symbol
from warpsmith.simt.ptx.module_parser import parse_variable
from warpsmith.simt.ptx.statements import Statement, split_operands, statements
from warpsmith.simt.ptx.syntax import Function, PtxError, UnsupportedPtx, Variable

Plan = Callable[["FunctionLowering", list[str]], None]
"""Encodes the instructions of one opcode from their operands."""

LARGEST_FRAME = 512 << 10
"""Bytes of local memory of a thread that CUDA allows."""

DEEPEST_SCOPE = 1000
"""Scopes within each other."""

_REGISTERS = re.compile(r"([%A-Za-z_$][\w$]*?)(?:<(\d+)>)?$")


class FunctionLowering(InstructionWriter):
    """Encodes the body of one function at the end of the program.

    Attributes:
        frame: bytes of local memory that the function needs.
        label_operands: the labels of each list of targets.
    """

    def __init__(self, layout: Layout, function: Function, plan: Callable[[str], Plan]) -> None:
        super().__init__(layout, function)
        self.frame = 0
        self._used = [0]
        self.label_operands: dict[str, list[str]] = {}
        self._plan = plan
        self._undo: list[list[tuple[dict[str, object], str, object]]] = [[]]
        self._labels: list[dict[str, int]] = [{}]
        self._branches: list[list[tuple[int | None, int, str]]] = [[]]
        self._last_label = ""
        for variable in (*function.results, *function.parameters):
            if not function.is_kernel:
                self.symbols[variable.name] = self._allocate_local(variable)

    def lower(self) -> None:
        """Encode all statements.

        Raises:
            PtxError: if the body is no PTX; the message contains the line.
            UnsupportedPtx: if the machine lacks an instruction.
        """
        locations, module, code = self.layout.program.locations, self.layout.module, self.layout.program.code
        locations.start_function()
        self.location = locations.current
        plan, read_location = self._plan, locations.read
        statement: Statement | None = None
        offset = self.function.start
        try:
            body = statements(module, self.function)
            offset = self.function.end - sum([len(statement[0]) for statement in body])
            for statement in body:
                text, label, negated, predicate, opcode, operands, location, directive, arguments, brace = statement
                self.offset = offset
                if opcode:
                    self.predicate, self.negated = self.slot(predicate) if predicate else NONE, 1 if negated else 0
                    plan(opcode)(self, split_operands(operands))
                elif location:
                    read_location(location)
                    self.location = locations.current
                elif label:
                    self._labels[-1][label] = len(code)
                    self._last_label = label
                elif brace == "{":
                    self._open()
                elif brace == "}":
                    self._close()
                elif directive:
                    self._directive(directive, arguments)
                offset += len(text)
            while self._branches:
                self._close()
        except (PtxError, UnsupportedPtx) as error:
            raise type(error)(
                str(error) if str(error).startswith("line ") else f"line {module.line(offset)}: {error}"
            ) from None
        except (IndexError, ValueError, KeyError, OverflowError, struct.error) as error:
            text = "" if statement is None else f"{statement[4]} {statement[5].strip()}"
            raise PtxError(f"line {module.line(offset)}: not an instruction: {text[:80]!r} ({type(error).__name__})") from None

    def names_again(self, register: str) -> bool:
        """Return whether the body names a register at more than one place."""
        name = re.compile(rf"{re.escape(register)}(?![\w$])")
        places = name.finditer(self.layout.module.text, self.function.start, self.function.end)
        return next(places, None) is not None and next(places, None) is not None

    def end(self) -> None:
        """Append the return that every body has at its end."""
        self.predicate, self.negated = NONE, 0
        self.emit("exit" if self.function.is_kernel else "return_call", work="branch")

    def _open(self) -> None:
        if len(self._undo) > DEEPEST_SCOPE:
            raise UnsupportedPtx(f"more than {DEEPEST_SCOPE} scopes within each other")
        self._used.append(self._used[-1])
        self._undo.append([])
        self._labels.append({})
        self._branches.append([])

    def _close(self) -> None:
        """Leave a scope: its branches find its labels, the others go to the scope around it; hidden names return."""
        self._used.pop()
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

    def _directive(self, name: str, text: str) -> None:
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
        width = 2 if found[1] == "b128" else 1
        for part in found[2].split(","):
            name = _REGISTERS.match(part.strip())
            if name is None:
                raise PtxError(f"not a register: {part.strip()[:60]!r}")
            if name[2] is None:
                slot = self.layout.new_slots(width)
                self._declare(self.registers, name[1], slot)  # type: ignore[arg-type]
                if width == 2:
                    self.wide_slots.add(slot)
            else:
                first, prefix = self.layout.new_slots(int(name[2]) * width), name[1]
                names = {f"{prefix}{index}": first + index * width for index in range(int(name[2]))}
                if len(self._undo) > 1:
                    for register, slot in names.items():
                        self._declare(self.registers, register, slot)  # type: ignore[arg-type]
                self.registers |= names
                if width == 2:
                    self.wide_slots |= set(names.values())

    def _allocate_local(self, variable: Variable) -> Symbol:
        address = -(-self._used[-1] // max(variable.alignment, 8)) * max(variable.alignment, 8)
        self._used[-1] = address + variable.size
        self.frame = max(self.frame, self._used[-1])
        if self.frame > LARGEST_FRAME:
            raise UnsupportedPtx(f"{self.function.name} has more than {LARGEST_FRAME} bytes of local memory")
        return Symbol("local", address, variable)

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
