"""The text that Warp generates: extraction, division into directions, and comparison as code."""
