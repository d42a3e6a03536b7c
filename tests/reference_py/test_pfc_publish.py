"""Publishing bundles on a real file system: whole or not at all, and nothing of anyone else's touched."""

from __future__ import annotations

import dataclasses
import errno
import os
from pathlib import Path

import pytest

from reference_py.json_text import parse
from reference_py.pfc import rename
from reference_py.pfc.bundle import FieldFile, open_bundle
from reference_py.pfc.publication import FieldData, publish
from reference_py.pfc.values import BoundaryCondition, Domain, Metadata
from reference_py.rejection import Rejection

METADATA = Metadata(
    accepted_time=0.5,
    accepted_increment=1,
    domain=Domain((2, 1, 1), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (False, True, True)),
    method_identity="m",
)
FIELDS = (FieldData("psi", b"0123456789abcdef"), FieldData("phi", bytes(16)))


def tree(directory: Path) -> dict[str, bytes | str]:
    """Everything below a directory: bytes of files, targets of links, or "dir"."""
    found: dict[str, bytes | str] = {}
    for path in sorted(directory.rglob("*")):
        name = str(path.relative_to(directory))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        else:
            found[name] = path.read_bytes() if path.is_file() else "dir"
    return found


def rejection_of(final: Path | str, fields: tuple[FieldData, ...] = FIELDS) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        publish(str(final), METADATA, fields)
    return caught.value.reason, caught.value.at


def test_a_bundle_appears_with_its_parents(tmp_path: Path) -> None:
    final = tmp_path / "run" / "ckpt" / "step_1"
    publish(f"{final}//", dataclasses.replace(METADATA, fields=("other",)), FIELDS)
    bundle = open_bundle(str(final))
    assert bundle.metadata == dataclasses.replace(METADATA, fields=("psi", "phi"))
    assert bundle.fields == (FieldFile("psi", 16), FieldFile("phi", 16))
    assert {name for name, content in tree(tmp_path).items() if content != "dir"} == {
        "run/ckpt/step_1/fields/phi.bin",
        "run/ckpt/step_1/fields/psi.bin",
        "run/ckpt/step_1/metadata.json",
    }
    assert (final / "fields" / "psi.bin").read_bytes() == b"0123456789abcdef"


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    publish("run/step_1", METADATA, FIELDS)
    assert open_bundle(str(tmp_path / "run/step_1")).fields == (FieldFile("psi", 16), FieldFile("phi", 16))


def test_a_bundle_without_fields(tmp_path: Path) -> None:
    publish(str(tmp_path / "empty"), METADATA, ())
    assert open_bundle(str(tmp_path / "empty")).metadata.fields == ()
    assert tree(tmp_path / "empty")["fields"] == "dir"


@pytest.mark.parametrize("name", ["", "/", "//", ".", "..", "a/.", "a/..", "a/../", "x.publishing", ".publishing//"])
def test_names_that_cannot_be_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert rejection_of(name) == ("publish-name", None)
    assert tree(tmp_path) == {}


def test_what_is_there_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "dangling").symlink_to("nothing")
    (tmp_path / "empty.publishing").mkdir()
    before = tree(tmp_path)
    for name in ("empty", "file", "dangling", "empty/"):
        assert rejection_of(tmp_path / name, (FieldData("-", b""),)) == ("publish-exists", None)
    assert tree(tmp_path) == before


def test_metadata_comes_before_fields_and_nothing_is_written(tmp_path: Path) -> None:
    deep = BoundaryCondition(parse(b"[" * 125 + b"]" * 125, "metadata-"), None)
    for metadata, expected in (
        (dataclasses.replace(METADATA, accepted_increment=-1), ("member-range", "/accepted_increment")),
        (dataclasses.replace(METADATA, boundary_conditions=(deep,)), ("metadata-too-deep", None)),
    ):
        with pytest.raises(Rejection) as caught:
            publish(str(tmp_path / "new" / "step"), metadata, (FieldData("-", b""),))
        assert (caught.value.reason, caught.value.at) == expected
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ((FieldData("../psi", bytes(16)),), "fields/../psi"),
        ((FieldData("", bytes(16)),), "fields/"),
        ((FieldData("a", bytes(16)), FieldData("a", bytes(16))), "fields/a"),
        ((FieldData("a", bytes(15)), FieldData("-", bytes(16))), "fields/a"),
        ((FieldData("a", bytes(24)),), "fields/a"),
        ((FieldData("a", b""),), "fields/a"),
    ],
)
def test_fields_that_cannot_be_published(tmp_path: Path, fields: tuple[FieldData, ...], at: str) -> None:
    assert rejection_of(tmp_path / "step", fields) == ("publish-field", at)
    assert tree(tmp_path) == {}


def test_a_failing_writer_leaves_no_staging_directory(tmp_path: Path) -> None:
    def fail_at_phi(path: Path, field: FieldData) -> None:
        if field.id == "phi":
            raise RuntimeError("injected")
        path.write_bytes(field.data)

    with pytest.raises(Rejection) as caught:
        publish(str(tmp_path / "step"), METADATA, FIELDS, fail_at_phi)
    assert (caught.value.reason, caught.value.at) == ("publish-failed", "fields/phi")
    assert "injected" in caught.value.detail
    assert tree(tmp_path) == {}


def test_an_interrupt_leaves_no_staging_directory(tmp_path: Path) -> None:
    def interrupt(path: Path, field: FieldData) -> None:
        raise KeyboardInterrupt(path, field)

    with pytest.raises(KeyboardInterrupt):
        publish(str(tmp_path / "step"), METADATA, FIELDS, interrupt)
    assert tree(tmp_path) == {}


def test_leftover_staging_is_cleared_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_bytes(b"kept")
    (tmp_path / "a.publishing" / "fields").mkdir(parents=True)
    (tmp_path / "a.publishing" / "fields" / "old.bin").write_bytes(b"old")
    (tmp_path / "a.publishing" / "link").symlink_to("../outside")
    (tmp_path / "b.publishing").symlink_to("outside")
    (tmp_path / "c.publishing").write_bytes(b"a file")
    for name in ("a", "b", "c"):
        publish(str(tmp_path / name), METADATA, FIELDS)
        assert sorted(tree(tmp_path / name)) == ["fields", "fields/phi.bin", "fields/psi.bin", "metadata.json"]
    assert tree(outside) == {"kept": b"kept"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c", "outside"]


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "dangling").symlink_to("nothing/at/all")
    before = tree(tmp_path)
    for name in ("file/step", "dangling/step", "n" * 250, "a\0b"):
        assert rejection_of(f"{tmp_path}/{name}") == ("publish-failed", None)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("one_step", [True, False])
@pytest.mark.parametrize("rival", ["empty directory", "filled directory", "file", "dangling link"])
def test_a_name_taken_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rival: str, one_step: bool) -> None:
    if not one_step:
        monkeypatch.setattr(rename, "_renameat2", lambda: None)
    final = tmp_path / "step"

    def write_and_be_overtaken(path: Path, field: FieldData) -> None:
        path.write_bytes(field.data)
        if field.id == "phi":
            take_name(final, rival)

    with pytest.raises(Rejection) as caught:
        publish(str(final), METADATA, FIELDS, write_and_be_overtaken)
    assert (caught.value.reason, caught.value.at) == ("publish-exists", None)
    assert not (tmp_path / "step.publishing").exists()
    other = tmp_path / "other"
    other.mkdir()
    take_name(other / "step", rival)
    assert {name: content for name, content in tree(tmp_path).items() if name.startswith("step")} == tree(other)


def take_name(path: Path, rival: str) -> None:
    if rival.endswith("directory"):
        path.mkdir()
        if rival.startswith("filled"):
            (path / "theirs").write_bytes(b"theirs")
    elif rival == "file":
        path.write_bytes(b"theirs")
    else:
        path.symlink_to("nothing")


def test_without_the_one_step_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rename, "_renameat2", lambda: None)
    publish(str(tmp_path / "step"), METADATA, FIELDS)
    assert len(open_bundle(str(tmp_path / "step")).fields) == 2


def test_a_rename_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(source), None, str(target))

    monkeypatch.setattr("reference_py.pfc.publication.rename_without_replacing", refuse)
    assert rejection_of(tmp_path / "step") == ("publish-failed", None)
    assert tree(tmp_path) == {}
