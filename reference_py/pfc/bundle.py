"""Opening a bundle: is this directory whole and loadable? (PFC-OPEN; bundle document, On-disk layout)

Names inside the bundle are judged by what they are themselves: a symbolic link is never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reference_py.durable import open_regular, read_at
from reference_py.pfc.metadata import decode_metadata
from reference_py.pfc.ranges import is_field_id
from reference_py.pfc.values import Metadata
from reference_py.rejection import Rejection

METADATA_NAME = "metadata.json"
FIELDS_NAME = "fields"
BRICK_SUFFIX = ".bin"
STAGING_SUFFIX = ".publishing"

MAX_METADATA_BYTES = 1 << 30
"""What `metadata.json` may have at most; one with more bytes is `metadata-unreadable`, unread (PFC-OPEN).

No metadata comes near it, and a sparse file can claim more bytes than any memory has.
"""


@dataclass(frozen=True, slots=True)
class FieldFile:
    """One field of a bundle: its id and its length in bytes."""

    id: str
    byte_length: int


@dataclass(frozen=True, slots=True)
class Bundle:
    """What opening a bundle tells: its metadata, and its fields in the order of the list or of their file names."""

    metadata: Metadata
    fields: tuple[FieldFile, ...]


def open_bundle(directory: str) -> Bundle:
    """Judge a bundle without reading field content (PFC-OPEN; bundle document, On-disk layout).

    Rejections, in this order: `bundle-is-staging` (R-PFC-5), `bundle-missing`, `bundle-not-directory`,
    `metadata-missing`, `metadata-unreadable`, those of `decode_metadata`, then for each field, at `fields/<id>`:
    `field-missing`, `field-not-regular`, `field-size`.
    """
    root = _bundle_directory(directory)
    metadata = decode_metadata(_read_metadata(root / METADATA_NAME))
    folder = root / FIELDS_NAME
    ids = metadata.fields if metadata.fields is not None else _ids_in(folder)
    return Bundle(metadata, _judge_fields(folder, ids, metadata.domain.field_bytes))


def lstat_mode_and_size(path: Path) -> tuple[int, int] | None:
    """File type bits and size in bytes of what stands at a path, links not followed; None if nothing can be seen.

    ValueError is what Python says of a path that no file system can hold (a NUL in it).
    """
    try:
        status = path.lstat()
    except (OSError, ValueError):
        return None
    return stat.S_IFMT(status.st_mode), status.st_size


def _bundle_directory(directory: str) -> Path:
    """The directory itself: `bundle-is-staging`, `bundle-missing`, `bundle-not-directory`."""
    # R-PFC-5: trailing slashes and dots name the same directory, so they must not hide the staging suffix.
    name = _without_trailing_dots(directory) or directory[:1]
    _refuse_staging(name, directory)
    if not name:
        raise Rejection("bundle-missing", detail="the path is empty")
    path = Path(name)
    try:
        mode = path.stat().st_mode
        resolved = path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as fault:  # RuntimeError: a loop of links that appeared in between
        raise Rejection("bundle-missing", detail=f"{directory!a} cannot be reached: {fault}") from None
    _refuse_staging(str(resolved), directory)
    if not stat.S_ISDIR(mode):
        raise Rejection("bundle-not-directory", detail=f"{directory!a} is {_kind(mode)}, expected a directory")
    return path


def _without_trailing_dots(directory: str) -> str:
    """A path without every `/` and `/.` at its end."""
    end = len(directory)
    while directory.endswith(("/", "/."), 0, end):
        end = directory.rindex("/", 0, end)
    return directory[:end]


def _refuse_staging(name: str, directory: str) -> None:
    if name.endswith(STAGING_SUFFIX):
        detail = f"{directory!a} is a staging directory of an unfinished publication; open the bundle itself"
        raise Rejection("bundle-is-staging", detail=detail)


def _read_metadata(path: Path) -> bytes:
    """The bytes that `metadata.json` has when it is opened: `metadata-missing`, `metadata-unreadable`.

    The latter for what is no regular file (a link is none), has more than `MAX_METADATA_BYTES`, or cannot be read. What
    is judged is the open file and not its name, which may lead elsewhere a moment later.
    """
    try:
        with open_regular(path, os.O_RDONLY) as file:
            size = os.fstat(file).st_size
            if size > MAX_METADATA_BYTES:
                detail = f"{str(path)!a} has {size} bytes, expected at most {MAX_METADATA_BYTES}"
                raise Rejection("metadata-unreadable", detail=detail)
            return read_at(file, size, 0)
    except (FileNotFoundError, NotADirectoryError):
        raise Rejection("metadata-missing", detail=f"{str(path)!a} does not exist") from None
    except (OSError, MemoryError) as fault:
        raise Rejection("metadata-unreadable", detail=f"{str(path)!a} cannot be read: {fault}") from None


def _ids_in(folder: Path) -> list[str]:
    """R-PFC-6: without a list, the fields are the entries of `fields/` named `<id>.bin`, bytewise by file name."""
    if not _is_real_directory(folder):
        return []
    try:
        names = os.listdir(os.fsencode(folder))  # noqa: PTH208 - names as bytes: their order is judged, not their text
    except OSError as fault:
        detail = f"{str(folder)!a} cannot be listed: {fault}"
        raise Rejection("field-missing", FIELDS_NAME, detail) from None
    suffix = BRICK_SUFFIX.encode()
    stems = [os.fsdecode(name.removesuffix(suffix)) for name in sorted(names) if name.endswith(suffix)]
    return [stem for stem in stems if is_field_id(stem)]


def _judge_fields(folder: Path, ids: Sequence[str], expected_bytes: int) -> tuple[FieldFile, ...]:
    """Field by field, at `fields/<id>`: `field-missing`, `field-not-regular`, `field-size`."""
    has_folder = _is_real_directory(folder)
    return tuple(_judge_field(folder, field_id, expected_bytes, has_folder=has_folder) for field_id in ids)


def _judge_field(folder: Path, field_id: str, expected_bytes: int, *, has_folder: bool) -> FieldFile:
    at = f"{FIELDS_NAME}/{field_id}"
    path = folder / (field_id + BRICK_SUFFIX)
    found = lstat_mode_and_size(path) if has_folder else None
    if found is None:
        detail = f"{str(path if has_folder else folder)!a} is not there or cannot be reached"
        raise Rejection("field-missing", at, detail)
    mode, size = found
    if not stat.S_ISREG(mode):
        raise Rejection("field-not-regular", at, f"{str(path)!a} is {_kind(mode)}, expected a regular file")
    if size != expected_bytes:
        detail = f"{str(path)!a} has {size} bytes, expected {expected_bytes}: 8 for each cell of the grid"
        raise Rejection("field-size", at, detail)
    return FieldFile(field_id, size)


def _is_real_directory(path: Path) -> bool:
    found = lstat_mode_and_size(path)
    return found is not None and stat.S_ISDIR(found[0])


def _kind(mode: int) -> str:
    kinds = {stat.S_IFREG: "a regular file", stat.S_IFDIR: "a directory", stat.S_IFLNK: "a symbolic link"}
    return kinds.get(stat.S_IFMT(mode), "a special file")
