"""warpsmith.core: records, datasets on disk, inputs, similarity, export and execution. It imports no Warp."""
