"""What draws questions about ``lmdl``; those that need a directory cost as much as ten others."""

from __future__ import annotations

from conformance.formats.lmdl.fuzz_bytes import lmdl_question
from conformance.formats.lmdl.fuzz_disk import commit_file_question, open_stream_question
from conformance.fuzz.questions import Generators

GENERATORS: Generators = {lmdl_question: 48, open_stream_question: 1, commit_file_question: 1}
