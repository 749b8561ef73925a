"""Production of datasets: plan, chunks, shards, manifest, verification and worker processes."""
