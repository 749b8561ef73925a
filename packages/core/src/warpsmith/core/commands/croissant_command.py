"""`warpsmith-dataset croissant`: Croissant metadata of an export."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from warpsmith.core.commands import options
from warpsmith.core.errors import EXIT_DONE
from warpsmith.core.export.croissant import write_croissant

EXAMPLES = """\b
Examples:
  warpsmith-dataset croissant data/both-parquet      writes data/both-parquet/croissant.json
  warpsmith-dataset croissant data/both-parquet --published 2026-12-01

Exit codes: 0 done, 2 no such export, or a file of it is missing or changed.
"""


@click.command("croissant", context_settings=options.CONTEXT, epilog=EXAMPLES)
@click.argument("export", metavar="EXPORT", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--published", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help="The date of publication.")
def croissant_command(export: Path, published: datetime | None) -> int:
    """Write Croissant metadata (croissant.json) into the folder EXPORT of an export.

    The Hugging Face hub makes such metadata itself. Catalogues and search engines read the file where a dataset is published
    elsewhere. Parquet files get a description of their columns, all files their size and SHA-256.
    """
    click.echo(write_croissant(export, published.date().isoformat() if published else ""))
    return EXIT_DONE
