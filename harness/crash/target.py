"""How a call seen in one run is found again in the next: by its name, one of its paths, and which of those it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.crash.call import Call
from harness.crash.strace import Tampering


@dataclass(frozen=True)
class Target:
    """A call to tamper with, in any run of the same question: the ``when``-th ``name`` on one path.

    ``path`` is as strace matches it, letter by letter; where ``inside`` is set, what follows the watched directory.
    """

    name: str
    path: str
    inside: bool
    when: int

    def tampering(self, root: str, action: str) -> Tampering:
        """Return it for the directory of one run."""
        return Tampering(self.name, root + self.path if self.inside else self.path, self.when, action)

    def __str__(self) -> str:
        """Say which call it is."""
        place = self.path.strip("/") or "the directory"
        return f"{self.name} of {place}" + (f" ({self.when}.)" if self.when > 1 else "")


def target_of(calls: Sequence[Call], call: Call, root: str) -> Target:
    """Return how to find ``call``, one of ``calls``, in a run with another directory than ``root``.

    strace counts in every thread for itself, so only calls of the same thread are counted.
    """
    path = _path(call, root)
    when = 0
    for earlier in calls:
        when += earlier.name == call.name and earlier.thread == call.thread and path in _paths(earlier)
        if earlier is call:
            break
    inside = path == root or path.startswith(f"{root}/")
    return Target(call.name, path.removeprefix(root) if inside else path, inside, when)


def _path(call: Call, root: str) -> str:
    """Return the path to go by: the first of the call's that leads into the directory, else the first of all."""
    paths = _paths(call)
    return next((path for path in paths if path == root or path.startswith(f"{root}/")), paths[0])


def _paths(call: Call) -> list[str]:
    """Return every path that strace compares: the texts as they were given, and the paths behind descriptors.

    A name given relative to the directory's descriptor comes before the descriptor, which many calls share.
    """
    names, places = [], []
    for index, argument in enumerate(call.arguments):
        if argument.startswith('"'):
            names.append(call.text(index).decode("utf-8", "surrogateescape"))
        else:
            places.append(call.descriptor(index).path)
    names = [name for name in names if call.name not in _OF_CONTENT]
    return [path for path in (*names, *places) if path]


_OF_CONTENT = (
    *("read", "pread64", "readv", "preadv", "preadv2"),
    *("write", "pwrite64", "writev", "pwritev", "pwritev2"),
)
"""Calls whose text is a content and no name."""
