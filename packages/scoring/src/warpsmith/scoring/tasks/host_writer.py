"""Host code in C: the statements that launch kernels, with the functions of the file that they call in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from warpsmith.scoring.tasks.host_arrays import ArrayCode
from warpsmith.scoring.tasks.host_expressions import combined, dotted_path
from warpsmith.scoring.tasks.host_scope import HostScope
from warpsmith.scoring.tasks.host_values import DeviceArray, NotTranslated, Number, Untyped, Value
from warpsmith.scoring.tasks.program_gaps import statements

DEEPEST = 6
"""How many calls of functions may be in each other."""


@dataclass
class HostWriter(HostScope):
    """One pass over the statements of a gap."""

    def __post_init__(self) -> None:
        """Make the writer of operations on arrays."""
        self._arrays = ArrayCode(self)

    # -------------------------------------------------------------------------------------------------------- statements

    def write(self, body: Sequence[ast.stmt]) -> None:
        """Write statements.

        Raises:
            NotTranslated: if one has no translation, in the final pass.
        """
        for statement in body:
            try:
                self._statement(statement)
            except NotTranslated:
                if self.is_final:
                    raise

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass() | ast.Assert() | ast.Raise():
                return
            case ast.Expr(ast.Call() as call):
                self._call_statement(call)
            case ast.Assign([ast.Tuple(elts=targets)], ast.Tuple(elts=values)) if len(targets) == len(values) == 2:
                self._swap(targets, values)
            case ast.Assign([target], value):
                self._assign(target, self.value(value))
            case ast.AnnAssign(target, _, ast.expr() as value):
                self._assign(target, self.value(value))
            case ast.AugAssign(target, operator, value):
                self._assign(target, combined(operator, self.number(target), self.number(value)))
            case ast.For(ast.Name(name), iterated, body, []):
                self._loop(name, iterated, body)
            case ast.While(test, body, []):
                self.loops += 1
                self._block(f"while ({self.number(test).text}) {{", body)
                self.loops -= 1
            case ast.If(test, body, orelse):
                self._condition(test, body, orelse)
            case ast.With(items, body) if all(_is_timer(item.context_expr) for item in items):
                self.write(body)
            case ast.Break() | ast.Continue() if self.loops:
                self.emit("break;" if isinstance(node, ast.Break) else "continue;")
            case _:
                raise NotTranslated(f"a statement without a form in C ({type(node).__name__})")

    def _block(self, opening: str, body: Sequence[ast.stmt], closing: str = "}") -> None:
        """Write a block; the variables that it declares end with it."""
        self.emit(opening)
        names, members = dict(self.names), dict(self.members)
        self.depth += 1
        self.write(body)
        self.depth -= 1
        self.names, self.members = names, members
        self.emit(closing)

    def _loop(self, name: str, iterated: ast.expr, body: Sequence[ast.stmt]) -> None:
        outer = self.names.get(name)
        if isinstance(iterated, ast.Tuple | ast.List):
            for item in iterated.elts:
                self.names[name] = self.value(item)
                if any(isinstance(part, ast.Break | ast.Continue) for node in body for part in ast.walk(node)):
                    raise NotTranslated("a loop over values that ends early")
                self.write(body)
        elif isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "range":
            bounds = [self.number(bound).text for bound in iterated.args]
            first, end, step = ("0", *bounds, "1") if len(bounds) == 1 else (*bounds, "1")[:3]
            variable = self.fresh("step" if name == "_" else name)
            self.names[name] = Number(variable, "int")
            is_down = step.startswith("-")
            self.loops += 1
            change = f"{variable}++" if step == "1" else f"{variable}--" if step == "-1" else f"{variable} += {step}"
            self._block(f"for (int {variable} = {first}; {variable} {'>' if is_down else '<'} {end}; {change}) {{", body)
            self.loops -= 1
        else:
            raise NotTranslated("a loop over something else than range")
        if outer is not None:
            self.names[name] = outer
        else:
            self.names.pop(name, None)

    def _condition(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> None:
        if all(map(_does_nothing, [*body, *orelse])):
            return
        self._block(f"if ({self.number(test).text}) {{", body, "} else {" if orelse else "}")
        if orelse:
            self.lines.pop()
            self._block("} else {", orelse)

    def _swap(self, targets: Sequence[ast.expr], values: Sequence[ast.expr]) -> None:
        first, second = map(self.value, values)
        if isinstance(first, DeviceArray) and isinstance(second, DeviceArray):
            if [ast.unparse(target) for target in targets] != [ast.unparse(value) for value in reversed(values)]:
                raise NotTranslated("an assignment of arrays")
            if (first.dtype, len(first.lengths)) != (second.dtype, len(second.lengths)):
                raise NotTranslated("a swap of arrays with other types")
            self._arrays.changed(first, second)
            self.emit(f"std::swap({first.name}, {second.name});")
        elif isinstance(first, Number) and isinstance(second, Number):
            names = [self.declared("next", number) for number in (first, second)]
            for target, name in zip(targets, names, strict=True):
                self._assign(target, name)
        else:
            raise NotTranslated("an assignment of values without a known type")

    def _assign(self, target: ast.expr, value: Value) -> None:
        path = dotted_path(target)
        if path is None:
            raise NotTranslated("an assignment to an element")
        variables = self.names if isinstance(target, ast.Name) else self.members
        current = variables.get(path) or (self.interface.value(path) if path in self.interface.variables else None)
        if isinstance(value, DeviceArray):
            if current is not None:
                raise NotTranslated("an array that takes the place of another one")
            if not value.is_given and (path in self.kept or not isinstance(target, ast.Name)):
                raise NotTranslated("an array that is made in the gap and used behind it")
            variables[path] = value
        elif isinstance(value, Number):
            if current is None and path in self.interface.variables:
                current = self.interface.value(path)
            if isinstance(current, Number):
                if current.ctype != value.ctype:
                    raise NotTranslated("a variable with two types")
                self.emit(f"{current.text} = {value.text};")
            else:
                variables[path] = self.declared(path.rpartition(".")[2], value)
        else:
            variables[path] = value

    # ------------------------------------------------------------------------------------------------------------- calls

    def _call_statement(self, call: ast.Call) -> None:
        if _is_print(call):
            return
        path = dotted_path(call.func) or ""
        function = self._function(path)
        if function is not None:
            self.inline(function, call, is_method=path.startswith("self."))
        elif not self._arrays.statement(path, call):
            raise NotTranslated(f"a call of {path} that has no form in C")

    def _function(self, path: str) -> ast.FunctionDef | None:
        name = path.removeprefix("self.")
        return self.file.functions.get(name) if name not in self.names else None

    def inline(self, function: ast.FunctionDef, call: ast.Call, *, is_method: bool) -> Value | None:
        """Write the statements of a function in the place of a call, and return its value if it has one.

        Raises:
            NotTranslated: if it returns before its end, or calls itself.
        """
        if self.calls >= DEEPEST:
            raise NotTranslated("calls of functions in each other")
        bound = self._bound(function, call, is_method)
        body = statements(function)
        returned = body[-1] if body and isinstance(body[-1], ast.Return) else None
        if any(isinstance(part, ast.Return) and part is not returned for node in body for part in ast.walk(node)):
            raise NotTranslated("a function that returns before its end")
        outer, self.names, self.calls, kept = self.names, bound, self.calls + 1, self.kept
        self.kept = frozenset()
        try:
            self.write(body[:-1] if returned is not None else body)
            return self.value(returned.value) if returned is not None and returned.value is not None else None
        finally:
            self.names, self.calls, self.kept = outer, self.calls - 1, kept

    def _bound(self, function: ast.FunctionDef, call: ast.Call, is_method: bool) -> dict[str, Value]:
        parameters = [argument.arg for argument in function.args.args][1 if is_method else 0 :]
        if function.args.vararg or function.args.kwarg or function.args.kwonlyargs or len(call.args) > len(parameters):
            raise NotTranslated("a call with other parameters")
        defaults = function.args.defaults
        given = dict(zip(parameters[len(parameters) - len(defaults) :], defaults, strict=True)) if defaults else {}
        given |= dict(zip(parameters, call.args, strict=False)) | {word.arg: word.value for word in call.keywords if word.arg}
        stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        bound: dict[str, Value] = {}
        for name in parameters:
            try:
                value = self.value(given[name])
            except (KeyError, NotTranslated):
                continue  # what is not used may have no form in C
            bound[name] = self.declared(name, value) if name in stored and isinstance(value, Number) else value
        return bound

    def called(self, call: ast.Call) -> Value:
        """Return the value of a call, whose statements are written.

        Raises:
            NotTranslated: if it has no form in C.
        """
        path = dotted_path(call.func) or ""
        if (function := self._function(path)) is not None:
            returned = self.inline(function, call, is_method=path.startswith("self."))
            if returned is None:
                raise NotTranslated("a function without a value")
            return returned
        match path, call.args:
            case "len", [ast.expr() as argument]:
                return self._length(argument)
            case "int" | "float", [ast.expr() as argument]:
                return Number(f"({path}){self.number(argument).inner}", path)
            case "min" | "max", [ast.expr() as first, ast.expr() as second]:
                left, right = self.number(first), self.number(second)
                ctype = "float" if "float" in (left.ctype, right.ctype) else "int"
                return Number(f"{path}({left.text}, {right.text})", ctype)
        if (array := self._arrays.made(path, call)) is not None:
            return array
        raise NotTranslated(f"a call of {path} that has no form in C")

    def _length(self, argument: ast.expr) -> Value:
        value = self.value(argument)
        if isinstance(value, DeviceArray):
            return Number(value.lengths[0], "int")
        if isinstance(value, Untyped) and self.is_final:
            self.interface.number(f"len({value.path})", "int32")
            return self.interface.value(f"len({value.path})")
        raise NotTranslated("a length that is not known")


def _is_timer(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and (dotted_path(node.func) or "").endswith((".ScopedTimer", ".ScopedDevice"))


def _is_print(call: ast.Call) -> bool:
    return (dotted_path(call.func) or "") in ("print", "wp.synchronize", "wp.synchronize_device")


def _does_nothing(node: ast.stmt) -> bool:
    """Return whether a statement is a check or a message, or makes an array contiguous that is so."""
    match node:
        case ast.Raise() | ast.Assert() | ast.Pass() | ast.Assign(_, ast.Call(ast.Attribute(_, "contiguous"))):
            return True
        case ast.Expr(ast.Call() as call):
            return _is_print(call)
    return False


def launching(body: Sequence[ast.stmt], functions: Mapping[str, ast.FunctionDef], depth: int = DEEPEST) -> Iterator[int]:
    """Yield how many calls that launch kernels each statement contains, also in the functions that it calls.

    A launch in a loop counts twice.
    """
    for statement in body:
        yield _count(statement, functions, depth) * (2 if isinstance(statement, ast.For | ast.While) else 1)


def _count(node: ast.AST, functions: Mapping[str, ast.FunctionDef], depth: int) -> int:
    total = 0
    for part in ast.walk(node):
        path = dotted_path(part.func) if isinstance(part, ast.Call) else None
        if path in ("wp.launch", "wp.launch_tiled", "warp.launch"):
            total += 1
        elif path and depth and (function := functions.get(path.removeprefix("self."))) is not None:
            total += sum(launching(function.body, functions, depth - 1))
    return total
