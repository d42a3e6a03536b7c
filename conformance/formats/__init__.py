"""Every format: one folder here, found by listing, and what its modules hold tied into one :class:`Format`.

Nothing else has to learn of a new format. A part is imported when it is first asked for, so that a command loads only
what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from conformance.operations import Operations, load_operations
from conformance.rules import FormatRules, load_rules
from conformance.rules.data import FOLDER
from conformance.rules.data import FORMATS as NAMES

if TYPE_CHECKING:
    from conformance.crash.changing import ChangeScenario
    from conformance.crash.scenario import Scenario
    from conformance.fuzz.requests import Generators
    from conformance.inspection import Kind
    from conformance.layout import Layouts
    from conformance.suite.edits import Reseals
    from conformance.vectorgen.vector_set import VectorSet


@dataclass(frozen=True)
class Format:
    """One format: the parts that its folder's modules hold, under the names by which the engines know them."""

    id: str

    @property
    def folder(self) -> Path:
        """Where everything of it stands."""
        return FOLDER / self.id

    @property
    def rules(self) -> FormatRules:
        """Its rules, reasons and rulings: ``rules.toml``."""
        return load_rules().formats[self.id]

    @cached_property
    def operations(self) -> Operations:
        """Which members of requests and answers are more than JSON: ``operations.schema.json``."""
        return load_operations(self.folder / "operations.schema.json")

    @cached_property
    def layouts(self) -> Layouts:
        """Which field each byte belongs to: ``layout.py``."""
        layouts: Layouts = self._module("layout").LAYOUTS
        return layouts

    @cached_property
    def reseals(self) -> Reseals:
        """How what guards the bytes is recomputed: ``layout.py``."""
        reseals: Reseals = self._module("layout").RESEALS
        return reseals

    @cached_property
    def kinds(self) -> Sequence[Kind]:
        """The kinds of files that can be inspected: ``kinds.py``."""
        kinds: Sequence[Kind] = self._module("kinds").KINDS
        return kinds

    @cached_property
    def generators(self) -> Generators:
        """What draws questions at random, each with its weight: ``fuzz.py``."""
        generators: Generators = self._module("fuzz").GENERATORS
        return generators

    def scenarios(self) -> tuple[Scenario | ChangeScenario, ...]:
        """Return the commits to crash, and those in which another program changes what is read: ``crash.py``."""
        scenarios: tuple[Scenario | ChangeScenario, ...] = self._module("crash").scenarios()
        return scenarios

    def write_cases(self, book: VectorSet) -> None:
        """Let every module of ``cases/`` that has a ``build`` write its cases, in the order of their names."""
        for name in self.case_modules:
            build: Callable[[VectorSet], None] | None = getattr(self._module(f"cases.{name}"), "build", None)
            if build is not None:
                build(book)

    @property
    def case_modules(self) -> tuple[str, ...]:
        """The names of the modules in ``cases/``, sorted."""
        return tuple(sorted(module.name for module in iter_modules([str(self.folder / "cases")])))

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{__name__}.{self.id}.{name}")


FORMATS: Mapping[str, Format] = {name: Format(name) for name in NAMES}
"""Name → format, in the order of the names."""


def some(names: Collection[str]) -> dict[str, Format]:
    """Return the formats of these names, all of them for none, in the order of the names."""
    return {name: one for name, one in FORMATS.items() if not names or name in names}
