import numpy as np
import warp as wp


@wp.kernel
def csr_spmv(
    offsets: wp.array(dtype=int),
    columns: wp.array(dtype=int),
    values: wp.array(dtype=float),
    x: wp.array(dtype=float),
    beta: float,
    y: wp.array(dtype=float),
):
    row = wp.tid()
    start = offsets[row]
    end = offsets[row + 1]
    total = float(0.0)
    for k in range(start, end):
        total += values[k] * x[columns[k]]
    y[row] = beta * y[row] + total


random = np.random.default_rng(19)
counts = random.integers(0, 7, (53,))
nnz = int(counts.sum())
offsets = wp.array(np.append(0, np.cumsum(counts)), dtype=int, device="cpu")
columns = wp.array(random.integers(0, 41, (nnz,)), dtype=int, device="cpu")
values = wp.array(random.uniform(-1.0, 1.0, (nnz,)), dtype=float, device="cpu")
x = wp.array(random.uniform(-1.0, 1.0, (41,)), dtype=float, device="cpu")
y = wp.array(random.uniform(-1.0, 1.0, (53,)), dtype=float, device="cpu")
wp.launch(csr_spmv, dim=53, inputs=[offsets, columns, values, x, 0.3], outputs=[y], device="cpu")
