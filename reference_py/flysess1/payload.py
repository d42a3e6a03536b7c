"""One participant's payload without reading the others (envelope document sections 1 and 2)."""

from __future__ import annotations

from reference_py.flysess1.layout import end_of_table
from reference_py.flysess1.steps import Table, judged_entry, step_1_header, step_2_footer, step_4_table
from reference_py.rejection import Rejection


def payload(data: bytes, name: str) -> bytes:
    """Read the payload of that name (FLY-PAYLOAD).

    Judged are steps 1 and 2 without the prefix digest, step 4, and step 5 for this one entry, whose position follows
    from the declared end of the entry before it. The manifest, the other payloads and the names' uniqueness are not.
    Rejections: those of FLY-STEP-1, `bad-footer-magic`, `file-bytes-mismatch`, those of FLY-STEP-4, `payload-unknown`
    (no place), those of FLY-STEP-5 but `name-duplicate` at `payloads/<i>`.
    """
    header = step_1_header(data)
    footer_offset = step_2_footer(data)
    table = step_4_table(data, header, footer_offset)
    index = _find(table, name)
    entry = judged_entry(table, index, _previous_end(table, index), earlier_names=())
    return data[entry.offset : entry.end]


def _find(table: Table, name: str) -> int:
    """The first entry whose text before the first NUL is the name, byte for byte."""
    wanted = name.encode("utf-8", "surrogatepass")  # no text at all may make the search itself fail
    for index in range(table.header.payload_count):
        name_field, *_ = table.fields(index)
        if name_field.partition(b"\0")[0] == wanted:
            return index
    raise Rejection("payload-unknown", detail=f"no entry of the table is named {name[:80]!a}")


def _previous_end(table: Table, index: int) -> int:
    if index == 0:
        return end_of_table(table.header)
    _, offset, byte_length, _ = table.fields(index - 1)
    return offset + byte_length
