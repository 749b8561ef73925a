"""Warp's private names, by topic, and the layout of the text that it generates."""
