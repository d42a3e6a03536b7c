"""An envelope's bytes as a value, once all seven steps have passed (envelope document section 4)."""

from __future__ import annotations

from reference_py.flysess1.layout import HEADER, Envelope, EnvelopeLayout, Payload
from reference_py.flysess1.manifest import step_3_manifest, step_7_members
from reference_py.flysess1.steps import (
    step_1_header,
    step_2_digest,
    step_2_footer,
    step_4_table,
    step_5_entries,
    step_6_gaps,
)


def layout(data: bytes) -> EnvelopeLayout:
    """Judge a file and tell where its parts are (FLY-LAYOUT, envelope document sections 2 and 4).

    Rejections: those of FLY-STEP-1 to FLY-STEP-7, the first that fails.
    """
    header = step_1_header(data)
    footer_offset = step_2_footer(data)
    step_2_digest(data, footer_offset)
    manifest = step_3_manifest(data, header, footer_offset)
    entries = step_5_entries(step_4_table(data, header, footer_offset))
    step_6_gaps(data, header, entries, footer_offset)
    step_7_members(manifest, entries)
    return EnvelopeLayout(
        manifest_offset=HEADER.size,
        manifest_bytes=header.manifest_bytes,
        table_offset=header.table_offset,
        entries=entries,
        footer_offset=footer_offset,
        total_bytes=len(data),
    )


def decode(data: bytes) -> Envelope:
    """Read an envelope; `encode` of the value gives the same bytes back (FLY-STEP-1 to FLY-STEP-7).

    Rejections: those of `layout`.
    """
    places = layout(data)
    manifest = data[places.manifest_offset : places.manifest_offset + places.manifest_bytes]
    payloads = tuple(Payload(entry.name, data[entry.offset : entry.end]) for entry in places.entries)
    return Envelope(manifest, payloads)
