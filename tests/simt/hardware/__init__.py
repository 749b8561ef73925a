"""Results of CUDA devices: those of an H200 are recorded, and compared where a device is."""
