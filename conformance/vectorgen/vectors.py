"""What the command line does with ``vectors/``: build it, check it, release it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from conformance.paths import VECTORS
from conformance.suite.load import INDEX
from conformance.vectorgen.assemble import relative_files
from conformance.vectorgen.compare import Report, compare
from conformance.vectorgen.gate import RELEASED, load_released, objections, release_list
from conformance.vectorgen.generate import Generated, GenerationError, WritingFormat, generate
from conformance.version import SUITE_VERSION

HAND_WRITTEN = ("README.md", RELEASED)
"""Files in ``vectors/`` that are not generated, besides the schemas."""


def build(formats: Mapping[str, WritingFormat], root: Path = VECTORS) -> Report:
    """Generate and write every file below ``root``; return what that changed.

    Raises :class:`GenerationError` when the cases are not fit to be written, or the version rule refuses them: then
    nothing is written.
    """
    generated, refused = _generate(formats, root)
    if refused:
        raise GenerationError(refused)
    standing = _standing(root)
    for path in sorted(generated.contents, key=lambda name: (name == INDEX, name)):
        if standing.get(path) != generated.contents[path]:
            _write(root / path, generated.contents[path])
    for path in standing.keys() - generated.contents.keys():
        (root / path).unlink()
    return compare(standing, generated.contents)


def check(formats: Mapping[str, WritingFormat], root: Path = VECTORS) -> Report:
    """Generate anew and compare with what stands below ``root``, byte for byte, and with the version rule.

    Raises :class:`GenerationError` when the cases are not fit to be written.
    """
    generated, refused = _generate(formats, root)
    return replace(compare(_standing(root), generated.contents), objections=tuple(refused))


def release(formats: Mapping[str, WritingFormat], root: Path = VECTORS) -> Path:
    """Make the suite's version the last released one: from then on the version rule measures by it.

    Raises :class:`GenerationError` when what stands below ``root`` is not what is generated.
    """
    report = check(formats, root)
    if not report.clean:
        raise GenerationError([*report.lines(), "build and commit the vectors before their release"])
    generated, _ = _generate(formats, root)
    path = root / RELEASED
    _write(path, release_list(load_released(root), SUITE_VERSION, generated.digests))
    return path


def _generate(formats: Mapping[str, WritingFormat], root: Path) -> tuple[Generated, list[str]]:
    released = load_released(root)
    generated = generate(formats, retired=() if released is None else released.retired)
    return generated, objections(released, SUITE_VERSION, generated.digests)


def _standing(root: Path) -> dict[str, bytes]:
    """The generated files that stand below ``root``, and any stray one beside them."""
    return {
        path: data
        for path, data in relative_files(root).items()
        if path not in HAND_WRITTEN and not path.startswith("schema/")
    }


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
