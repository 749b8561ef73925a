"""Launches of CUDA texts on the SIMT machine: the PTX that NVRTC writes runs on the CPU, with the arguments of other levels."""
