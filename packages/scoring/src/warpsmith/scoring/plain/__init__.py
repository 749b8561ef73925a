"""Plain CUDA: kernels with pointers and plain structs, without Warp's headers, and their run on an emulation of CUDA."""
