"""The speed of answers in plain CUDA: an estimate from counts of the SIMT machine, or times on a device."""
