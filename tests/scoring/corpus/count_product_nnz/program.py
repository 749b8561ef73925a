import numpy as np
import warp as wp


@wp.kernel
def count_product_nnz(
    num_rows: int,
    row_ptr: wp.array(dtype=int),
    col_idx: wp.array(dtype=int),
    product_nnz: wp.array2d(dtype=int),
    counts: wp.array2d(dtype=int),
):
    """Bound the number of entries in each row of the product of the matrix with itself."""
    idx = wp.tid()
    env = idx // num_rows
    dof = idx % num_rows
    total_nnz = int(0)
    for p in range(row_ptr[dof], row_ptr[dof + 1]):
        col_j = col_idx[p]
        first = row_ptr[col_j]
        last = row_ptr[col_j + 1]
        for s in range(first, last):
            if col_idx[s] < dof:
                total_nnz += 1
    product_nnz[env, dof] = wp.min(total_nnz, num_rows)
    wp.atomic_max(counts, env, 1, total_nnz)


random = np.random.default_rng(8)
num_rows = 26
row_ptr = wp.array(np.sort(np.append(random.integers(0, 115, 25), (0, 114))), dtype=wp.int32, device="cpu")
col_idx = wp.array(random.integers(0, 26, (114,)), dtype=wp.int32, device="cpu")
product_nnz = wp.array(np.zeros((3, 26)), dtype=wp.int32, device="cpu")
counts = wp.array(np.zeros((3, 4)), dtype=wp.int32, device="cpu")
wp.launch(count_product_nnz, dim=78, inputs=[num_rows, row_ptr, col_idx, product_nnz, counts], device="cpu")
