"""What draws questions about ``flysess1``; those that need a directory cost as much as ten others."""

from __future__ import annotations

from conformance.formats.flysess1.fuzz_envelopes import flysess1_request
from conformance.formats.flysess1.fuzz_store import store_request
from conformance.fuzz.requests import Generators

GENERATORS: Generators = {flysess1_request: 40, store_request: 1}
