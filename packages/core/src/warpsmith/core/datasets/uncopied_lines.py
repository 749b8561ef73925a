"""Wording for lines of a dataset that are never copied."""

from __future__ import annotations


def left_out_lines(repeated_ids: int, not_records: int) -> list[str]:
    """Return a remark for each kind of line that was left out.

    Examples:
        >>> left_out_lines(2, 0)
        ['2 lines left out because another line has the same id']
    """
    remarks = []
    if repeated_ids:
        remarks.append(f"{repeated_ids:,} lines left out because another line has the same id")
    if not_records:
        remarks.append(f"{not_records:,} lines left out because they are no records")
    return remarks
