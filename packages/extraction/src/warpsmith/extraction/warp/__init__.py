"""Warp's private names, by topic; no other package uses them, except `accelerate`, which replaces functions of Warp.

A supported release of Warp is described here: its number in `supported`, the digests of its sources in `tested_sources`, and
differences between releases in `codegen`, `objects`, `registries` and `runtime`. `warpsmith.core.records.text_format` describes
the layout of the generated text.

    supported.py        the range of supported releases
    private.py          Warp's private modules, imported after a check of the release
    tested_sources.py   digests of the functions that `accelerate` relies on
    codegen.py          the text that Warp generates for a kernel
    interleave.py       code generation in steps, so that several kernels take turns
    linked.py           functions of libmathdx, which CUDA texts call
    objects.py          properties of kernels, functions and structs
    registries.py       modules, kernels and builtins of this process
    type_properties.py  properties of Warp's types
    live_arguments.py   arguments of a launch in this process
    launch_hooks.py     calls of `wp.launch` that are observed
    runtime.py          the native runtime: start, loaded objects, C structures of a launch
    ahead_of_time.py    compiled texts, as `wp.compile_aot_module` makes them
    compilers.py        the NVRTC and clang that Warp contains
    nanovdb.py          files of volumes
    sources.py          the files of the installed Warp
"""
