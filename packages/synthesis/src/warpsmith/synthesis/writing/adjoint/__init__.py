"""Rules for what Warp differentiates wrongly."""
