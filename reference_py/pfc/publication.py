"""Publishing a bundle: it appears under its name whole, or not at all (PFC-PUBLISH).

Source: bundle document, Atomicity protocol. Everything is written to the sibling `<final>.publishing` and then renamed.
No fsync is promised: the document has none.
"""

from __future__ import annotations

import dataclasses
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from reference_py.pfc.bundle import BRICK_SUFFIX, FIELDS_NAME, METADATA_NAME, STAGING_SUFFIX, lstat_mode_and_size
from reference_py.pfc.canonical import encode_metadata
from reference_py.pfc.ranges import is_field_id
from reference_py.pfc.rename import rename_without_replacing
from reference_py.pfc.values import Metadata
from reference_py.rejection import Rejection


@dataclass(frozen=True, slots=True)
class FieldData:
    """One field to publish: its id and the bytes of all its cells, x fastest."""

    id: str
    data: bytes


FieldWriter = Callable[[Path, FieldData], None]
"""Writes one field file at a path of the staging directory; whatever it raises fails the publication."""


def write_field(path: Path, field: FieldData) -> None:
    """Write a field's bytes to a new file: the usual FieldWriter."""
    _write_new_file(path, field.data)


def publish(final: str, metadata: Metadata, fields: Sequence[FieldData], writer: FieldWriter = write_field) -> None:
    """Publish a bundle at the path `final` (PFC-PUBLISH; bundle document, Atomicity protocol).

    The metadata's own `fields` is replaced by the published ids. Rejections, in this order: `publish-name`,
    `publish-exists` (nothing touched), those of `encode_metadata`, `publish-field` (at `fields/<id>`), then
    `publish-failed` (at `fields/<id>` of a failing writer) and, for a name taken meanwhile, `publish-exists`, both with
    the staging directory gone. What stands at `final` is never removed: it is another's (R-PFC-8).
    """
    path = _final_path(final)
    if _is_taken(path):
        raise _exists(path)
    text = _published_text(metadata, fields)
    staging = path.with_name(path.name + STAGING_SUFFIX)
    with _removed_on_failure(staging):
        with _failing_as_publish_failed(None):
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove(staging)
            (staging / FIELDS_NAME).mkdir(parents=True)
        for field in fields:
            with _failing_as_publish_failed(f"{FIELDS_NAME}/{field.id}"):
                writer(staging / FIELDS_NAME / (field.id + BRICK_SUFFIX), field)
        with _failing_as_publish_failed(None):
            _write_new_file(staging / METADATA_NAME, text)
        _make_visible(staging, path)


def _final_path(final: str) -> Path:
    """`publish-name`: the last component, trailing slashes dropped, must be able to name a new bundle."""
    name = final.rstrip("/")
    last = name.rpartition("/")[2]
    if last in ("", ".", "..") or last.endswith(STAGING_SUFFIX):
        detail = f"{final!a} cannot name a bundle: its last part is empty, . or .., or ends in {STAGING_SUFFIX}"
        raise Rejection("publish-name", detail=detail)
    return Path(name)


def _is_taken(path: Path) -> bool:
    """Whether anything has the name, a dangling link too."""
    return lstat_mode_and_size(path) is not None


def _exists(path: Path) -> Rejection:
    return Rejection("publish-exists", detail=f"{str(path)!a} is there already; publish under another name")


def _published_text(metadata: Metadata, fields: Sequence[FieldData]) -> bytes:
    """The metadata's own rejections, then `publish-field`, field by field: no id, repeated, another byte count."""
    encode_metadata(dataclasses.replace(metadata, fields=None))
    expected_bytes = metadata.domain.field_bytes
    earlier: set[str] = set()
    for field in fields:
        fault = _field_fault(field, earlier, expected_bytes)
        if fault is not None:
            raise Rejection("publish-field", f"{FIELDS_NAME}/{field.id}", fault)
        earlier.add(field.id)
    return encode_metadata(dataclasses.replace(metadata, fields=tuple(field.id for field in fields)))


def _field_fault(field: FieldData, earlier: set[str], expected_bytes: int) -> str | None:
    if not is_field_id(field.id):
        return f"{field.id!a} is no field id"
    if field.id in earlier:
        return "the id is given a second time"
    if len(field.data) != expected_bytes:
        return f"found {len(field.data)} bytes, expected {expected_bytes}: 8 for each cell of the grid"
    return None


@contextmanager
def _failing_as_publish_failed(at: str | None) -> Iterator[None]:
    """Turn any failure, the caller's own in a field writer included, into `publish-failed`."""
    try:
        yield
    except Exception as fault:
        raise Rejection("publish-failed", at, f"{type(fault).__name__}: {fault}") from fault


@contextmanager
def _removed_on_failure(staging: Path) -> Iterator[None]:
    """Leave no staging directory behind, not even on an interrupt; the first fault is the one that is told."""
    try:
        yield
    except BaseException:
        with suppress(Exception):
            _remove(staging)
        raise


def _write_new_file(path: Path, data: bytes) -> None:
    """Write a file that must not be there yet; a link of that name is not followed."""
    with path.open("xb") as file:
        file.write(data)


def _remove(path: Path) -> None:
    """Remove what has the name, if anything: a directory with its content, a link itself and never its target."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    else:
        path.unlink()


def _make_visible(staging: Path, path: Path) -> None:
    """The one step that makes the bundle loadable; it must not replace even an empty directory."""
    try:
        rename_without_replacing(staging, path)
    except FileExistsError:
        raise _exists(path) from None
    except OSError as fault:
        # Without the one-step rename, a file or filled directory that appeared just now fails in other words.
        if _is_taken(path):
            raise _exists(path) from None
        raise Rejection("publish-failed", detail=str(fault)) from fault
