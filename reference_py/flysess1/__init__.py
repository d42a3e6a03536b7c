"""`flysess1`: one checkpoint of a whole session in one file, the envelope.

Header, canonical JSON manifest, payload table, payloads, footer; all integers little-endian and unsigned. The source is
the envelope document: section 2 for the layout, section 3 for the manifest, section 4 for what a reader checks, in
which order.
"""

from reference_py.flysess1.decode import decode, layout
from reference_py.flysess1.encode import encode
from reference_py.flysess1.layout import Entry, Envelope, EnvelopeLayout, Payload
from reference_py.flysess1.payload import payload
from reference_py.flysess1.store import StoreNames, commit

__all__ = [
    "Entry",
    "Envelope",
    "EnvelopeLayout",
    "Payload",
    "StoreNames",
    "commit",
    "decode",
    "encode",
    "layout",
    "payload",
]
