"""warpsmith.validation: verdicts and statistics on datasets of pairs, from what stands in the files alone."""
