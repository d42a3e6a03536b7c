"""What a question's input is, in a line: the golden file it comes from, and what is changed in it."""

from __future__ import annotations

from conformance.changes import fault_changes
from conformance.suite.model import Case
from conformance.suite.pairwise import Pairwise
from harness.judge import first_difference
from harness.model import Question


def input_note(entry: Case, question: Question) -> str:
    """Return the line for one question of ``entry``; empty for an input that comes from no golden file.

    Of a member of a list of faults it names every change.
    """
    if isinstance(entry, Pairwise):
        changes = [line for fault in entry.faults_of(question.id) for line in fault_changes(entry, fault)]
        return f"{f'vectors/{entry.base_path}, ' if entry.base_path else ''}changed: {'; '.join(changes)}"
    base, data = entry.base, question.input.get(entry.into)
    if base is None or not isinstance(data, bytes):
        return ""
    name = f"vectors/{entry.base_path}"
    if data == base:
        return f"{name} as it is"
    offset = first_difference(base, data)
    field = entry.layouts.input_field(entry.operation, entry.into, base, offset)
    where = f"byte {offset} (0x{offset:x})" + (f" in {field}" if field else "")
    return f"{name}, first changed at {where}: {_byte(base, offset)} → {_byte(data, offset)}"


def _byte(data: bytes, offset: int) -> str:
    return f"{data[offset]:02x}" if offset < len(data) else "the end"
