"""The layout of an artefact: which field each byte belongs to, also when the bytes are broken.

Reports and ``conformance inspect`` name the field of a byte with it. It never judges and never fails: fields that the
bytes are too short for are cut, and what no field claims is called so. Each format states its own :class:`Layouts`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from conformance.layout.field import Field, label
from harness.model import Question


@dataclass(frozen=True)
class Checksum:
    """A field that covers other bytes: either all before the field ``before``, or the field at the rejection's place.

    ``before`` is empty for the latter.
    """

    before: str = ""


@dataclass(frozen=True)
class Layouts:
    """The artefacts of one format, where they occur, and which field a rejection of one is about.

    ``artefacts``: artefact → how its bytes are cut into fields. ``members``: (operation, BYTES member of its request
    or answer) → artefact. ``request_members``: the same for requests, where a member of that name is another artefact
    than in the answer. ``tree_files``: end of a file's name in a tree → artefact. ``fields_of_reason``: artefact →
    reason → the field it is about; ``{at}`` stands for the rejection's place, ``*`` for any other reason.
    ``constants``: reasons about a field that has one right value → that value. ``checksums``: reasons about a checksum.
    ``inner``: artefact → a part whose readers count from its own start: its name, and where it starts (bytes).
    """

    artefacts: Mapping[str, Callable[[bytes], list[Field]]]
    members: Mapping[tuple[str, str], str] = dataclasses.field(default_factory=dict)
    request_members: Mapping[tuple[str, str], str] = dataclasses.field(default_factory=dict)
    tree_files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    fields_of_reason: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    constants: Mapping[str, bytes] = dataclasses.field(default_factory=dict)
    checksums: Mapping[str, Checksum] = dataclasses.field(default_factory=dict)
    inner: Mapping[str, tuple[str, int]] = dataclasses.field(default_factory=dict)

    def field_name(self, question: Question, where: str, data: bytes, offset: int) -> str | None:
        """Name the field of the byte at ``offset`` of the bytes found at ``where`` in an answer; None if it has none.

        ``where`` is ``/ok/<member>`` or ``tree/<path>``, as in :class:`harness.model.Difference`.
        """
        if where.startswith("tree/"):
            artefact = next((name for end, name in self.tree_files.items() if where.endswith(end)), None)
        else:
            artefact = self.members.get((question.operation, where.removeprefix("/ok/")))
        return label(self.artefacts[artefact](data), offset) if artefact else None

    def request_artefact(self, operation: str, member: str) -> str | None:
        """Return the artefact that the request member ``member`` holds; None when it is none."""
        place = (operation, member)
        return self.request_members.get(place) or self.members.get(place)

    def input_field(self, operation: str, member: str, data: bytes, offset: int) -> str | None:
        """Name the field of the byte at ``offset`` of the request member ``member``; None if it has none."""
        artefact = self.request_artefact(operation, member)
        return label(self.artefacts[artefact](data), offset) if artefact else None


__all__ = ["Checksum", "Field", "Layouts", "label"]
