"""warpsmith.gpu_checks: pairs built, loaded and launched on a CUDA device, and compared with the CPU."""
