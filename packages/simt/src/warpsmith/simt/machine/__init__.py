"""The SIMT machine: C++ that Warp's clang compiles once, and its interface."""
