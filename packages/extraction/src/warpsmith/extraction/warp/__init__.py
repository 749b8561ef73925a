"""Warp's private names, by topic; no other package uses them, except `accelerate`, which replaces functions of Warp.

A supported release of Warp is described here: its number in `supported`, the digests of its sources in `tested_sources`, and
differences between releases in `codegen`, `registries` and `runtime`. The layout of the generated text is described in
`warpsmith.core.records.text_format`.

    supported.py       the range of supported releases
    private.py         Warp's private modules, imported after a check of the release
    codegen.py         the text that Warp generates for a kernel
    registry.py        modules, kernels and builtins of this process
    types.py           properties of Warp's types
    runtime.py         the native runtime: start, loaded objects, C structures of a launch
    compilers.py       the NVRTC and clang that Warp contains
    sources.py         the files of the installed Warp
    tested_sources.py  digests of the functions that `accelerate` relies on
"""
