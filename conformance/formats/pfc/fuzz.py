"""What draws questions about ``pfc``; those that need a directory cost as much as ten others."""

from __future__ import annotations

from conformance.formats.pfc.fuzz_bricks import assemble_question, extract_question
from conformance.formats.pfc.fuzz_metadata import decode_question, encode_question, restore_question
from conformance.formats.pfc.fuzz_trees import open_question, publish_question
from conformance.fuzz.questions import Generators

GENERATORS: Generators = {
    decode_question: 36,
    encode_question: 20,
    restore_question: 20,
    assemble_question: 14,
    extract_question: 8,
    open_question: 2,
    publish_question: 1,
}
