import numpy as np
import warp as wp


@wp.kernel
def row_softmax(logits: wp.array2d(dtype=float), temperature: float, probs: wp.array2d(dtype=float)):
    """Softmax of each row, with the maximum subtracted."""
    row = wp.tid()
    cols = logits.shape[1]
    peak = float(-1.0e30)
    for j in range(cols):
        peak = wp.max(peak, logits[row, j])
    total = float(0.0)
    for j in range(cols):
        total += wp.exp((logits[row, j] - peak) / temperature)
    for j in range(cols):
        probs[row, j] = wp.exp((logits[row, j] - peak) / temperature) / total


random = np.random.default_rng(20)
logits = wp.array(random.uniform(-4.0, 4.0, (27, 33)), dtype=float, device="cpu")
probs = wp.zeros((27, 33), dtype=float, device="cpu")
wp.launch(row_softmax, dim=27, inputs=[logits, 0.8], outputs=[probs], device="cpu")
