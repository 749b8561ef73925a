"""NVRTC: CUDA to PTX and to binaries, without a driver."""
