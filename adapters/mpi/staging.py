"""What rank 0 does with the directory itself: the name, the staging directory, the metadata, the rename (PFC-PUBLISH).

Nothing here is collective. It is written anew rather than taken from the serial reference, which it is compared with.
Source: bundle document, Atomicity protocol.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from reference_py.pfc.bundle import BRICK_SUFFIX, FIELDS_NAME, METADATA_NAME, STAGING_SUFFIX
from reference_py.pfc.rename import rename_without_replacing
from reference_py.rejection import Rejection


def final_path(final: str) -> Path:
    """The absolute path that a bundle is to have; `publish-name` if the last component cannot name one.

    Absolute, because MPI-IO takes a relative path that starts with a word and a colon for a kind of file system.
    """
    path = final.rstrip("/")
    name = path.rpartition("/")[2]
    if name in ("", ".", "..") or name.endswith(STAGING_SUFFIX):
        raise Rejection("publish-name", detail=f"{final!a}: the last part cannot name a bundle; choose another")
    return Path(path).absolute()


def refuse_taken(final: Path) -> None:
    """`publish-exists` if anything has the name, a dangling link included."""
    if _is_there(final):
        raise Rejection("publish-exists", detail=f"{str(final)!a} is there already; publish under another name")


def staging_of(final: Path) -> Path:
    """The sibling directory in which a bundle is written."""
    return final.with_name(final.name + STAGING_SUFFIX)


def brick_file(staging: Path, field_id: str) -> Path:
    """The file of one field."""
    return staging / FIELDS_NAME / (field_id + BRICK_SUFFIX)


def create(staging: Path) -> None:
    """Make the staging directory with its missing parents, in place of what an earlier publisher left there."""
    staging.parent.mkdir(parents=True, exist_ok=True)
    clear(staging)
    (staging / FIELDS_NAME).mkdir(parents=True)


def clear(staging: Path) -> None:
    """Remove what has the name of the staging directory, a link itself and never its target."""
    if staging.is_dir() and not staging.is_symlink():
        shutil.rmtree(staging)
    elif _is_there(staging):
        staging.unlink()


def write_metadata(staging: Path, text: bytes) -> None:
    """Write the metadata to a file that must be new."""
    with (staging / METADATA_NAME).open("xb") as file:
        file.write(text)


def check_length(file: Path, expected: int) -> None:
    """OSError unless a field file has the length, in bytes, that the grid gives it."""
    found = file.lstat().st_size
    if found != expected:
        raise OSError(f"{str(file)!a} has {found} bytes, expected {expected}: 8 for each cell of the grid")


def make_visible(staging: Path, final: Path) -> None:
    """The rename: `publish-exists` for a name taken meanwhile, `publish-failed` for any other failure.

    What has the name is another publisher's and stays as it is (R-PFC-8).
    """
    try:
        rename_without_replacing(staging, final)
    except OSError as fault:
        refuse_taken(final)
        raise Rejection("publish-failed", detail=str(fault)) from fault


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except (OSError, ValueError):  # ValueError: a NUL, which no file system can hold
        return False
    return True
