import numpy as np
import warp as wp


@wp.kernel
def toggle_lattice(ny: int, lattice: wp.array2d[int]):
    linear = wp.tid()
    col = linear // ny
    row = linear % ny
    if (col + row) & 1 == 0:
        return
    if lattice[col, row] == 0:
        lattice[col, row] = 1
    else:
        lattice[col, row] = 0


random = np.random.default_rng(54)
ny = 9
lattice = wp.array(random.integers(0, 2, (10, 9)), dtype=wp.int32, device="cpu")
wp.launch(toggle_lattice, dim=90, inputs=[ny, lattice], device="cpu")
