"""An interpreter of kernels that is independent of Warp: it computes results with NumPy alone, thread by thread."""
