"""What draws questions about ``lmdl``; those that need a directory cost as much as ten others."""

from __future__ import annotations

from conformance.formats.lmdl.fuzz_bytes import lmdl_request
from conformance.formats.lmdl.fuzz_disk import commit_file_request, open_stream_request
from conformance.fuzz.requests import Generators

GENERATORS: Generators = {lmdl_request: 48, open_stream_request: 1, commit_file_request: 1}
