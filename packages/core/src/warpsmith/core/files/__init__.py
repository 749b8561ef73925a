"""Files on disk and in object stores: storage, atomic writes, and temporary files."""
