"""Native code: compiled once, cached, and linked into the process."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from warpsmith.core.files.user_cache import VARIABLE, cache_folder
from warpsmith.simt.machine import native_code
from warpsmith.simt.machine.native_code import NativeCodeError, load

SUM = '#include "bias.h"\nextern "C" int biased_sum(int a, int b) { return a + b + BIAS; }\n'


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder, for a process that has loaded nothing."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that are compiled during the test; objects of earlier tests are not used."""
    texts: list[str] = []
    compile_text = native_code._compile

    def counted(text: str, *arguments: object) -> None:
        texts.append(text)
        compile_text(text, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(native_code, "_compile", counted)
    monkeypatch.setattr(native_code, "_loaded", {})
    return texts


def header(folder: Path, bias: int) -> Path:
    path = folder / "bias.h"
    path.write_text(f"#define BIAS {bias}\n")
    return path


def biased_sum(text: str, path: Path, name: str) -> int:
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(load(text, [path], name).address("biased_sum"))
    return int(function(1, 2))


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the loaded objects, as a new process does."""
    for code in native_code._loaded.values():
        native_code.runtime.unload_object(code.handle)
    monkeypatch.setattr(native_code, "_loaded", {})


def test_code_is_compiled_once(cache: Path, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = header(tmp_path, 10)
    assert biased_sum(SUM, path, "once") == 13
    assert biased_sum(SUM, path, "once") == 13
    restart(monkeypatch)
    assert biased_sum(SUM, path, "once") == 13
    assert len(compiled) == 1
    assert [file.name.partition("-")[0] for file in cache.glob("*.o")] == ["once"]


@pytest.mark.usefixtures("cache")
def test_processes_that_need_the_same_object_compile_it_once() -> None:
    script = """
        import sys, time
        from warpsmith.simt.machine import native_code
        compile_text = native_code._compile
        def slow(*arguments):
            time.sleep(1)
            print("compiled")
            compile_text(*arguments)
        native_code._compile = slow
        native_code.runtime.start_runtime()
        print("ready", flush=True)
        sys.stdin.readline()
        native_code.load('extern "C" int seven() { return 7; }', (), "seven").address("seven")
        """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        while process.stdout.readline() != "ready\n":
            assert process.poll() is None
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert "".join(printed).count("compiled") == 1


def test_changed_headers_are_compiled(cache: Path, compiled: list[str], tmp_path: Path) -> None:
    assert biased_sum(SUM, header(tmp_path, 1), "changed") == 4
    assert biased_sum(SUM, header(tmp_path, 2), "changed") == 5
    assert len(compiled) == len(list(cache.glob("*.o"))) == 2


def test_the_key_contains_what_the_object_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = header(tmp_path, 1)
    keys = {native_code._key(text, [path], flags) for text in (SUM, SUM + "\n") for flags in (("-O2",), ("-O1",))}
    monkeypatch.setattr(native_code, "_processor_features", lambda: "another processor")
    keys.add(native_code._key(SUM, [path], ("-O2",)))
    monkeypatch.setattr(native_code.wp.config, "version", "0.0")
    keys.add(native_code._key(SUM, [path], ("-O2",)))
    assert len(keys) == 6


@pytest.mark.parametrize("damage", [b"", b"damaged", bytes(500)])
def test_damaged_objects_are_compiled_again(
    damage: bytes, cache: Path, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = header(tmp_path, 3)
    biased_sum(SUM, path, "damaged")
    (file,) = cache.glob("*.o")
    file.write_bytes(damage)
    restart(monkeypatch)
    assert biased_sum(SUM, path, "damaged") == 6
    assert len(compiled) == 2
    assert len(file.read_bytes()) > 500


def test_a_folder_that_others_can_write_to_is_not_used(
    cache: Path, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    for _ in range(2):
        assert biased_sum(SUM, header(tmp_path, 4), "shared") == 7
        restart(monkeypatch)
    assert len(compiled) == 2
    assert list(cache.glob("*.o")) == []


@pytest.mark.parametrize("value", ["", "/dev/null/nowhere"])
def test_code_works_without_a_cache(value: str, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert biased_sum(SUM, header(tmp_path, 5), f"without{len(value)}") == 8
    assert len(compiled) == 1


def test_the_cache_is_in_the_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/warpsmith")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "warpsmith"


@pytest.mark.usefixtures("cache")
def test_errors_of_the_compiler_are_in_the_message(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NativeCodeError, match="use of undeclared identifier 'missing'"):
        load("int f() { return missing; }", [], "wrong")
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("cache")
def test_missing_functions_are_named() -> None:
    with pytest.raises(NativeCodeError, match="no function absent_function"):
        load('extern "C" int present_function() { return 1; }', [], "present").address("absent_function")


def test_old_objects_are_removed(cache: Path, compiled: list[str], tmp_path: Path) -> None:
    for bias in range(native_code.KEPT + 2):
        assert biased_sum(SUM, header(tmp_path, bias), "old") == 3 + bias
    assert len(compiled) == native_code.KEPT + 2
    assert len(list(cache.glob("*.o"))) == native_code.KEPT
