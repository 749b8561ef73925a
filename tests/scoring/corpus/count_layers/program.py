import numpy as np
import warp as wp


@wp.kernel(module="unique")
def count_layers(
    cells: wp.array4d(dtype=int),
    occupancy: wp.array4d(dtype=int),
    height: int,
    depth: int,
    occupied_per_slice: wp.array2d(dtype=int),
):
    linear = wp.tid()
    world = linear // cells.shape[1]
    ix = linear % cells.shape[1]
    hits = int(0)
    for y in range(height):
        for z in range(depth):
            if cells[world, ix, y, z] != occupancy[world, ix, y, z]:
                hits += 1
    occupied_per_slice[world, ix] = hits


random = np.random.default_rng(38)
cells = wp.array(random.integers(0, 4, (4, 7, 7, 7)), dtype=wp.int32, device="cpu")
occupancy = wp.array(random.integers(0, 2, (4, 7, 7, 7)), dtype=wp.int32, device="cpu")
height = 7
depth = 7
occupied_per_slice = wp.array(np.zeros((4, 7)), dtype=wp.int32, device="cpu")
wp.launch(count_layers, dim=28, inputs=[cells, occupancy, height, depth, occupied_per_slice], device="cpu")
