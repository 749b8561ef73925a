"""The arguments of `warpsmith-synthesize make` that make the datasets of the fixtures `dataset` and `small`."""

BOTH = ("-n", 100, "-d", "both", "-b", "--shard-size", 25)
SMALL = ("-n", 40, "-d", "both", "-b", "--shard-size", 10, "--workers", 1)
