"""References of plain tasks: plain CUDA that is translated from Warp's CUDA text."""
