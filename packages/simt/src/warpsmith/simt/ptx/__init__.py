"""PTX as NVRTC writes it: its parts, and the parser of modules."""
