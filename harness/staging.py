"""What stands on disk for one request: its tree, and the files that carry its large inputs."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from harness import tree as trees
from harness.model import Json, Place, Question, TreeEntry, WireValue
from harness.wire import run_line

INLINE_LIMIT = 1024 * 1024
"""From this many bytes on an input is sent as a path."""


class StagedRequest:
    """One question, ready to be sent: its line, and the folder that belongs to it alone.

    A question that is put again is staged again, since the first asking may have changed what stands on disk.
    """

    def __init__(self, question: Question, id: str, folder: Path) -> None:  # noqa: A002 - the protocol's word
        """Make what ``question`` needs below ``folder``, which must not exist.

        Raises :class:`harness.tree.TreeError`.
        """
        self.id = id
        self._folder = folder
        self._inputs = 0
        self._made = question.tree is not None
        self._root = folder / "tree"
        if question.tree is not None:
            trees.build(self._root, question.tree)
        self.line = run_line(
            id, question.operation, {name: self._plain(value) for name, value in question.input.items()}
        )

    def tree(self) -> dict[str, TreeEntry]:
        """Return the tree as it now stands, with ``../<name>`` for what was put beside it."""
        found = trees.read(self._root)
        beside = {f"../{name}": entry for name, entry in trees.read(self._folder).items() if "/" not in name}
        return found | {name: entry for name, entry in beside.items() if name != "../tree" and name not in self._own()}

    def remove(self) -> None:
        """Remove what was made, whatever the adapter did to it."""
        if self._made:
            trees.remove(self._folder)

    def _own(self) -> set[str]:
        return {f"../input-{number}" for number in range(self._inputs)}

    def _plain(self, value: WireValue) -> Json:
        if isinstance(value, str):
            return value
        if isinstance(value, Place):
            return value.below(self._root)
        if isinstance(value, bytes):
            return self._bytes(value)
        if isinstance(value, Mapping):
            return {key: self._plain(member) for key, member in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(element) for element in value]
        assert value is None or isinstance(value, bool | int | float)
        return value

    def _bytes(self, data: bytes) -> Json:
        if len(data) < INLINE_LIMIT:
            return base64.b64encode(data).decode("ascii")
        self._made = True
        self._folder.mkdir(exist_ok=True)
        path = self._folder / f"input-{self._inputs}"
        path.write_bytes(data)
        self._inputs += 1
        return {"path": str(path)}
