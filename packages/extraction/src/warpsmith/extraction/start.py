"""The entry point of `warpsmith-extract`."""

from __future__ import annotations

from warpsmith.core.execution.hash_seed import entry_point

main = entry_point("warpsmith.extraction.cli")

if __name__ == "__main__":
    main()
