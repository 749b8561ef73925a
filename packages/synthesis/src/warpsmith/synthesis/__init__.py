"""warpsmith.synthesis: random, valid, realistic Warp kernels by seed, and datasets of them."""
