"""Stand-alone CUDA as an engineer would write it, from the syntax tree of a Warp kernel."""
