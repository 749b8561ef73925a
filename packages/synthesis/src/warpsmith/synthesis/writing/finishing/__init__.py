"""From a filled tree to a sample: dead code, text size, description, launch."""
