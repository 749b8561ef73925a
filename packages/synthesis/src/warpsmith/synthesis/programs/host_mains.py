"""The main function of a program: its options, its device, and the test of ``__name__``."""

from __future__ import annotations

from warpsmith.synthesis.programs.host_forms import HostCode
from warpsmith.synthesis.programs.host_sections import Parameter, indented, joined
from warpsmith.synthesis.programs.program_style import ProgramStyle

_RUN = 'if __name__ == "__main__":\n'


def write_main(code: HostCode, style: ProgramStyle, purpose: str) -> list[str]:
    """Return the blocks at the end of a file: the main function, and its call."""
    body = code.main
    if style.init:
        body = f"wp.init()\n{body}"
    if style.device == "scoped" and not style.scoped_function:
        body = f"with wp.ScopedDevice({'args.device' if style.argparse else 'wp.get_preferred_device()'}):\n{indented(body)}"
    if style.argparse:
        body = joined([_options(code.options, style, purpose), "", body], gap="\n\n")
    if not code.has_function:
        return [_RUN + indented(body)]
    return [f"def main(){' -> None' if style.hints else ''}:\n{indented(body)}", f"{_RUN}    main()"]


def _options(options: tuple[Parameter, ...], style: ProgramStyle, purpose: str) -> str:
    described = f'description="{purpose[0].upper()}{purpose[1:]}."' if style.method_docs else ""
    lines = [f"parser = argparse.ArgumentParser({described})"]
    if style.device != "none":
        lines.append('parser.add_argument("--device", type=str, default=None, help="Warp device, such as cpu or cuda:0.")')
    for option in options:
        text = f', help="{option.comment[0].upper()}{option.comment[1:]}."' if option.comment else ""
        name = option.name.replace("_", "-")
        lines.append(f'parser.add_argument("--{name}", type={option.hint}, default={option.value}{text})')
    return "\n".join([*lines, "args = parser.parse_args()"])
