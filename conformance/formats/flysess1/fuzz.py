"""What draws questions about ``flysess1``; those that need a directory cost as much as ten others."""

from __future__ import annotations

from conformance.formats.flysess1.fuzz_envelopes import flysess1_question
from conformance.formats.flysess1.fuzz_store import store_question
from conformance.fuzz.questions import Generators

GENERATORS: Generators = {flysess1_question: 40, store_question: 1}
