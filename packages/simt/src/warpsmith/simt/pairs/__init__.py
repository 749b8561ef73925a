"""Pairs of a dataset: the PTX that NVRTC writes for their CUDA, with figures of the assembler and of the SIMT machine."""
