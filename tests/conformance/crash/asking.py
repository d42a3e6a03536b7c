"""One of our adapters as a process, asked about directories that stand already."""

import itertools
from collections.abc import Mapping
from dataclasses import replace

from conformance.adapters import own_adapters
from harness.model import Answer, Json, Limits
from harness.process import AdapterProcess, resolve
from harness.wire import parse_answer, parse_handshake, run_line, start_line


class Asked:
    """A started adapter; ``prefix`` is what its command is put behind."""

    def __init__(self, name: str, prefix: tuple[str, ...] = ()) -> None:
        spec = own_adapters()[name]
        spec = replace(spec, command=(*prefix, *resolve(spec))) if prefix else spec
        self._process = AdapterProcess(spec, Limits())
        self._numbers = itertools.count(1)
        self._process.send(start_line())
        parse_handshake(self._process.next_line(60))

    def ask(self, operation: str, members: Mapping[str, Json]) -> Answer:
        number = str(next(self._numbers))
        self._process.send(run_line(number, operation, dict(members)))
        return parse_answer(self._process.next_line(60), number)

    def end(self) -> None:
        self._process.end()
