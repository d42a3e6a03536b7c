"""The book that case builders write into: golden files, cases and sweeps, as plain data.

A builder states what the rules demand. It computes expected values from the rules with the standard library
(``struct``, ``zlib``, ``hashlib``, ``json``), never with ``reference_py``: generation compares the two and fails when
they disagree.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from conformance.suite.edits import Reseals

Data: TypeAlias = dict[str, Any]
"""A JSON object exactly as it is written into a vector file."""

Model: TypeAlias = Callable[[bytes], Data]
"""The changed bytes of one sweep member → the whole outcome (``ok(…)`` or ``reject(…)``), worked out by a builder."""


def b64(data: bytes) -> str:
    """Return ``data`` as BYTES: standard padded base64."""
    return base64.b64encode(data).decode("ascii")


def ok(**members: Any) -> Data:
    """Expect acceptance with exactly these answer members."""
    return {"ok": members}


def reject(reason: str, at: str | None = None) -> Data:
    """Expect one rejection; without ``at`` the answer must carry none."""
    return {"reject": {"reason": reason} if at is None else {"reason": reason, "at": at}}


def xor(at: int, mask: str) -> Data:
    """Edit: exclusive-or the bytes from ``at`` on with the hex digits ``mask``."""
    return {"at": at, "xor": mask}


def put(at: int, data: bytes) -> Data:
    """Edit: overwrite the bytes from ``at`` on."""
    return {"at": at, "set": data.hex()}


def insert(at: int, data: bytes, repeat: int = 1) -> Data:
    """Edit: insert ``data``, ``repeat`` times over, before the byte at ``at``."""
    return {"at": at, "insert": data.hex()} if repeat == 1 else {"at": at, "insert": data.hex(), "repeat": repeat}


def delete(at: int, count: int) -> Data:
    """Edit: delete ``count`` bytes from ``at`` on."""
    return {"at": at, "delete": count}


def truncate(length: int) -> Data:
    """Edit: cut the bytes to their first ``length``."""
    return {"truncate": length}


def reseal(what: str) -> Data:
    """Edit: recompute what guards the bytes.

    ``envelope``: a ``flysess1`` file's fileBytes and footer digest. ``payloads``: the digests in its table, then the
    same. ``slot``: the CRC of a 64-byte slot; ``slot/A``, ``slot/B``: that of one slot in a 128-byte ``.meta``.
    """
    return {"reseal": what}


@dataclass
class VectorFile:
    """One vector file: every case and sweep in it drives the same operation."""

    name: str
    operation: str
    title: str
    reseals: Reseals = field(default_factory=dict)
    cases: list[Data] = field(default_factory=list)
    sweeps: list[Data] = field(default_factory=list)
    pairs: list[Data] = field(default_factory=list)
    models: dict[str, Model] = field(default_factory=dict)

    def case(  # noqa: PLR0913 - one keyword for each member of a case, each optional ones' absence means something
        self,
        id: str,  # noqa: A002 - the member's name in the vector file
        *,
        title: str,
        why: str,
        rules: Sequence[str],
        expect: Data,
        input: Mapping[str, Any] | None = None,  # noqa: A002 - the member's name in the vector file
        base: str | None = None,
        into: str = "data",
        edits: Sequence[Data] = (),
        rulings: Sequence[str] = (),
        tags: Sequence[str] = (),
        source: str | None = None,
        repair: Mapping[str, Any] | None = None,
        joint: str | None = None,
        faults: Sequence[Data] | None = None,
        tree: Mapping[str, Data] | None = None,
        tree_after: Mapping[str, Data] | None = None,
    ) -> None:
        """Add one case.

        ``id`` is ``<format>/<topic>/<readable-name>`` and never changes once released. ``why`` is the mistake in a
        port that the case catches, in one line. ``input`` holds the literal request members; with ``base`` (the path
        below ``vectors/`` of a golden file) the edited golden bytes become the request member ``into``. A tree is
        path → one of ``{"dir": true}``, ``{"file": BYTES}``, ``{"base": golden, "edits": […]}``,
        ``{"symlink": target}``, ``{"fifo": true}``, ``{"sparse": length}``. Tags: ``golden`` (a value every reader
        must take), ``corruption`` (exactly one fault), ``precedence`` (two faults, the first check wins),
        ``boundary``. ``repair`` holds the request members that, put in place of those of the same name, make the
        request valid: it proves that a corruption given by ``input`` has one fault, as undoing the edits does for one
        given by ``base``. Of a corruption's several edits none can be spared; where one can, ``joint`` says why they
        are one fault together all the same. ``faults`` are the two faults of a precedence case, the first one first:
        the ``reject`` of each, and what the case would have in its place with that fault alone (members of ``input``,
        ``edits``, nodes of ``tree``, None for one that would not be there).
        """
        entry: Data = {"id": id, "title": title, "why": why, "rules": list(rules), "expect": expect}
        entry["rulings"] = list(rulings)
        entry["tags"] = list(tags)
        if input is not None:
            entry["input"] = dict(input)
        if base is not None:
            entry |= {"base": base, "into": into, "edits": list(edits)}
        if source is not None:
            entry["source"] = source
        if repair is not None:
            entry["repair"] = dict(repair)
        if joint is not None:
            entry["joint"] = joint
        if faults is not None:
            entry["faults"] = list(faults)
        if tree is not None:
            entry["tree"] = dict(tree)
        if tree_after is not None:
            entry["tree_after"] = dict(tree_after)
        self.cases.append(entry)

    def sweep(  # noqa: PLR0913 - as for a case
        self,
        id: str,  # noqa: A002 - the member's name in the vector file
        *,
        title: str,
        why: str,
        rules: Sequence[str],
        base: str,
        kind: str,
        table: Sequence[Data],
        into: str = "data",
        input: Mapping[str, Any] | None = None,  # noqa: A002 - the member's name in the vector file
        reseal: str | None = None,
        how: Mapping[str, Any] | None = None,
        rulings: Sequence[str] = (),
        tags: Sequence[str] = (),
        model: Model | None = None,
    ) -> None:
        """Add one sweep: a case that stands for thousands, expanded at run time.

        ``kind`` is one of :data:`conformance.suite.sweep_kinds.KINDS`, and ``how`` the members that this kind asks
        for: ``{"write": {"at": 64, "set": hex}}`` of the torn writes, ``places`` and ``values`` of insertions,
        ``fields`` of field values, ``last`` of log lengths; ``within`` of flips and ``keep`` of truncations may be
        left out. ``table`` rows are ``{"bytes": [first, end], "mask": "ff", …outcome}`` for flips (``mask``: the bits
        of each byte that the row speaks for; default all), ``{"lengths": [first, end], …outcome}`` for truncations,
        and so on as ``vectors/README.md`` says. Ranges are half-open; every member is met by exactly one row. An
        outcome is ``"reject": {"reason", "at"?}`` or ``"ok": {…}`` with the members that the answer must have, the
        rest of the answer being the reference's. ``reseal`` is applied after the change. ``model`` is not written:
        generation holds the reference to it, member by member.
        """
        entry: Data = {"id": id, "title": title, "why": why, "rules": list(rules), "rulings": list(rulings)}
        entry |= {"tags": list(tags), "base": base, "into": into, "kind": kind, "table": list(table)}
        if input is not None:
            entry["input"] = dict(input)
        if reseal is not None:
            entry["reseal"] = reseal
        entry |= how or {}
        if model is not None:
            self.models[id] = model
        self.sweeps.append(entry)


@dataclass
class VectorSet:
    """All that the builders of one format write: golden files and vector files.

    ``bytes_of`` are the members that are BYTES in the requests and answers of each operation.
    """

    format: str
    reseals: Reseals = field(default_factory=dict)
    bytes_of: Mapping[str, Collection[str]] = field(default_factory=dict)
    goldens: dict[str, bytes] = field(default_factory=dict)
    unswept: dict[str, str] = field(default_factory=dict)
    files: list[VectorFile] = field(default_factory=list)

    def golden(self, path: str, data: bytes, *, unswept: str = "") -> str:
        """Keep ``data`` as the golden file ``path`` (``lmdl/golden/slot-one.bin``) and return ``path``, to be a base.

        A golden file needs a ``bit-flips`` and a ``truncations`` sweep; ``unswept`` says why this one has not both.
        """
        if path in self.goldens:
            raise ValueError(f"golden file {path} is written twice; give each its own name")
        self.goldens[path] = data
        if unswept:
            self.unswept[path] = unswept
        return path

    def file(self, name: str, *, operation: str, title: str) -> VectorFile:
        """Open the vector file ``vectors/<format>/<name>.json`` for one operation."""
        case_file = VectorFile(name=name, operation=operation, title=title, reseals=self.reseals)
        self.files.append(case_file)
        return case_file
