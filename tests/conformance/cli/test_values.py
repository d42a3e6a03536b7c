"""Values that a command cannot work with: empty ones, numbers that are none, and things that are no checkpoint."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from conformance.cli import cli
from conformance.cli.options import EMPTY, Seconds, Whole
from conformance.errors import CannotRunError
from conformance.formats import FORMATS
from conformance.inspection import specimen

SLOT = "vectors/lmdl/golden/slot-plain.bin"

KINDS = [kind for one in FORMATS.values() for kind in one.kinds]


def refused(*arguments: str) -> str:
    """Return what the command says as it refuses its arguments with exit status 2."""
    found = CliRunner().invoke(cli, arguments)
    assert found.exit_code == 2, found.output
    assert isinstance(found.exception, SystemExit)
    return found.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "-k", ""),
        ("run", "-k", "lmdl/hash", "-k", ""),
        ("run", "--adapter", ""),
        ("run", "--json", ""),
        ("run", "--reports", ""),
        ("list", "-k", ""),
        ("list", "--reason", ""),
        ("show", ""),
        ("replay", ""),
        ("replay", "lmdl/slot/zero", "--adapter", ""),
        ("explain", ""),
        ("inspect", ""),
        ("inspect", SLOT, "--adapter", ""),
        ("fuzz", "--adapter", ""),
        ("fuzz", "--out", ""),
        ("coverage", "--results", ""),
    ],
    ids=" ".join,
)
def test_an_empty_value_is_refused(arguments: tuple[str, ...]) -> None:
    assert EMPTY in " ".join(refused(*arguments).split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("inspect", SLOT, "--log-length", "0x10"),
            "'0x10' is no whole number; expected one in decimal digits, from 0",
        ),
        (("inspect", SLOT, "--log-length", "-1"), "-1 is not in the range"),
        (("fuzz", "--examples", "many"), "'many' is no whole number; expected one in decimal digits, of at least 1"),
        (("fuzz", "--seed", "9" * 5000), f"'{'9' * 60}'… (5000 characters) is no whole number"),
        (("fuzz", "--seconds", "a-while"), "'a-while' is no number of seconds; expected one above 0"),
        (("fuzz", "--seconds", "nan"), "'nan' is no number of seconds; expected one above 0"),
        (("fuzz", "--seconds", "inf"), "'inf' is no number of seconds; expected one above 0"),
        (("fuzz", "--seconds", "0"), "0.0 is not in the range"),
    ],
)
def test_what_is_no_number_is_told_what_is_expected(arguments: tuple[str, ...], told: str) -> None:
    assert told in " ".join(refused(*arguments).split())


def test_a_number_in_range_is_taken() -> None:
    context = click.Context(click.Command("x"))
    assert Whole(min=0, max=2**64 - 1).convert(str(2**64 - 1), None, context) == 2**64 - 1
    assert Seconds().convert("0.5", None, context) == 0.5


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (_fifo, "is a named pipe (FIFO); copy what it holds into a file and give that"),
        (_socket, "is a socket; "),
        (lambda path: path.symlink_to("/dev/null"), "is a character device; "),
        (lambda path: path.symlink_to(path), "cannot be read (Too many levels of symbolic links)"),
        (lambda path: path.symlink_to("gone"), "is a symbolic link to gone, which is not there"),
        (Path.absolute, "no file or directory; give a checkpoint file"),
    ],
    ids=["fifo", "socket", "device", "loop", "dangling", "absent"],
)
def test_what_is_no_file_is_named(
    make: Callable[[Path], object], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's whole path may be too long
    path = Path("it")
    make(path)
    with pytest.raises(CannotRunError) as caught:
        specimen(KINDS, path)
    assert str(caught.value).startswith(f"it: {told}")


def test_a_path_below_a_file_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(CannotRunError, match="no file or directory"):
        specimen(KINDS, tmp_path / "file" / "below")


@pytest.mark.parametrize(("kind", "told"), [("envelope", "to an envelope;"), ("slot", "to a slot;")])
def test_a_log_belongs_to_a_meta_file_alone(kind: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(CannotRunError, match=f"no log belongs {told}"):
        specimen(KINDS, tmp_path / "file", kind, log_length=8)


def test_no_directory_is_an_envelope(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="no directory is an envelope;"):
        specimen(KINDS, tmp_path, "envelope")
