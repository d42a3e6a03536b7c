"""What draws questions about ``pfc``; those that need a directory cost as much as ten others."""

from __future__ import annotations

from conformance.formats.pfc.fuzz_bricks import assemble_request, extract_request
from conformance.formats.pfc.fuzz_metadata import decode_request, encode_request, restore_request
from conformance.formats.pfc.fuzz_trees import open_request, publish_request
from conformance.fuzz.requests import Generators

GENERATORS: Generators = {
    decode_request: 36,
    encode_request: 20,
    restore_request: 20,
    assemble_request: 14,
    extract_request: 8,
    open_request: 2,
    publish_request: 1,
}
