"""How many kernels become a dataset: the plan, the shards, the manifest, the workers."""
