"""Opening bundles on a real file system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reference_py.pfc.bundle import MAX_METADATA_BYTES, FieldFile, open_bundle
from reference_py.rejection import Rejection

HEAD = '"format_version":2,"accepted_time":0,"accepted_increment":0,"method_identity":"m"'
DOMAIN = (
    '"domain":{"global_dimensions":[2,1,1],"physical_origin":[0,0,0],"grid_spacing":[1,1,1],'
    '"periodic":[true,true,true]}'
)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A bundle of two fields of two cells, without a list of them."""
    directory = tmp_path / "step_1"
    (directory / "fields").mkdir(parents=True)
    (directory / "metadata.json").write_text("{" + HEAD + "," + DOMAIN + "}")
    (directory / "fields" / "psi.bin").write_bytes(bytes(16))
    (directory / "fields" / "phi.bin").write_bytes(bytes(16))
    return directory


def list_fields(bundle: Path, *ids: str) -> None:
    listed = ",".join(f'"{field_id}"' for field_id in ids)
    (bundle / "metadata.json").write_text("{" + HEAD + "," + DOMAIN + ',"fields":[' + listed + "]}")


def rejection_of(directory: Path | str) -> tuple[str, str | None]:
    with pytest.raises(Rejection) as caught:
        open_bundle(str(directory))
    return caught.value.reason, caught.value.at


def test_without_a_list_the_entries_are_the_fields(bundle: Path) -> None:
    for name in ("psi-2.bin", "psi.a.bin"):
        (bundle / "fields" / name).write_bytes(bytes(16))
    for ignored in ("notes.txt", "-x.bin", ".bin", ".hidden.bin", "a" * 129 + ".bin", "bin"):
        (bundle / "fields" / ignored).write_bytes(b"")
    Path(os.fsdecode(os.fsencode(bundle / "fields") + b"/\xff.bin")).write_bytes(b"")
    # By file name: "-" (2d) comes before "." (2e), so psi-2.bin stands before psi.a.bin and psi.bin.
    assert [field.id for field in open_bundle(str(bundle)).fields] == ["phi", "psi-2", "psi.a", "psi"]


def test_a_list_gives_the_order_and_other_files_are_ignored(bundle: Path) -> None:
    list_fields(bundle, "psi")
    (bundle / "fields" / "phi.bin").write_bytes(b"wrong size")
    assert open_bundle(str(bundle)).fields == (FieldFile("psi", 16),)
    list_fields(bundle)
    assert open_bundle(str(bundle)).fields == ()


def test_no_fields_is_fine(bundle: Path) -> None:
    for name in ("psi.bin", "phi.bin"):
        (bundle / "fields" / name).unlink()
    assert open_bundle(str(bundle)).fields == ()
    (bundle / "fields").rmdir()
    assert open_bundle(str(bundle)).fields == ()


@pytest.mark.parametrize("ending", ["", "/", "/.", "/./", "//", "/././/"])
def test_staging_directories(tmp_path: Path, ending: str) -> None:
    assert rejection_of(f"{tmp_path}/absent.publishing{ending}") == ("bundle-is-staging", None)


def test_staging_directories_behind_another_name(bundle: Path) -> None:
    staging = bundle.rename(bundle.with_name("step_2.publishing"))
    link = staging.with_name("link")
    link.symlink_to("step_2.publishing")
    assert rejection_of(link) == ("bundle-is-staging", None)
    assert rejection_of(f"{link}/fields/..") == ("bundle-is-staging", None)
    assert open_bundle_in_place(staging) == ("bundle-is-staging", None)
    (staging / "metadata.json").unlink()
    (staging / "metadata.json").symlink_to("elsewhere")
    assert rejection_of(link) == ("bundle-is-staging", None)
    assert rejection_of(f"{staging}/fields/../nothing") == ("bundle-missing", None)


def open_bundle_in_place(directory: Path) -> tuple[str, str | None]:
    before = Path.cwd()
    os.chdir(directory)
    try:
        return rejection_of(".")
    finally:
        os.chdir(before)


def test_a_link_to_a_bundle_is_followed(bundle: Path) -> None:
    link = bundle.with_name("latest")
    link.symlink_to(bundle.name)
    assert open_bundle(str(link)).fields == open_bundle(str(bundle)).fields


def test_bundles_that_cannot_be_reached(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nothing.publishing")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_bytes(b"")
    for name in ("nothing", "dangling", "loop", "file/below", "n" * 300, "a\0b"):
        assert rejection_of(f"{tmp_path}/{name}") == ("bundle-missing", None)
    assert rejection_of("") == ("bundle-missing", None)
    assert rejection_of(f"{tmp_path}/file/") == ("bundle-not-directory", None)


def test_metadata_must_be_a_regular_file(bundle: Path) -> None:
    path = bundle / "metadata.json"
    text = path.read_bytes()
    path.unlink()
    assert rejection_of(bundle) == ("metadata-missing", None)
    (bundle / "other.json").write_bytes(text)
    path.symlink_to("other.json")
    assert rejection_of(bundle) == ("metadata-unreadable", None)
    path.unlink()
    os.mkfifo(path)
    assert rejection_of(bundle) == ("metadata-unreadable", None)
    path.unlink()
    path.mkdir()
    assert rejection_of(bundle) == ("metadata-unreadable", None)


def test_metadata_that_is_too_large_is_not_read(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_METADATA_BYTES == 2**30

    def read(*_: object) -> bytes:
        raise AssertionError("it was read")

    monkeypatch.setattr(os, "pread", read)
    for size in (2**30 + 1, 2**34):
        os.truncate(bundle / "metadata.json", size)
        assert rejection_of(bundle) == ("metadata-unreadable", None)


def test_metadata_is_judged_before_fields(bundle: Path) -> None:
    (bundle / "fields" / "psi.bin").write_bytes(b"")
    (bundle / "metadata.json").write_bytes(b"{}")
    assert rejection_of(bundle) == ("member-missing", "/format_version")
    (bundle / "metadata.json").write_bytes(b"")
    assert rejection_of(bundle) == ("metadata-not-json", None)


def test_fields_one_by_one(bundle: Path) -> None:
    list_fields(bundle, "psi", "rho", "phi")
    (bundle / "fields" / "phi.bin").write_bytes(bytes(15))
    assert rejection_of(bundle) == ("field-missing", "fields/rho")
    (bundle / "fields" / "rho.bin").symlink_to("psi.bin")
    assert rejection_of(bundle) == ("field-not-regular", "fields/rho")
    (bundle / "fields" / "rho.bin").unlink()
    (bundle / "fields" / "rho.bin").mkdir()
    assert rejection_of(bundle) == ("field-not-regular", "fields/rho")
    (bundle / "fields" / "rho.bin").rmdir()
    (bundle / "fields" / "rho.bin").write_bytes(bytes(16))
    assert rejection_of(bundle) == ("field-size", "fields/phi")
    (bundle / "fields" / "phi.bin").write_bytes(bytes(17))
    assert rejection_of(bundle) == ("field-size", "fields/phi")
    (bundle / "fields" / "phi.bin").write_bytes(bytes(16))
    assert [field.id for field in open_bundle(str(bundle)).fields] == ["psi", "rho", "phi"]


def test_the_folder_of_fields_must_be_a_directory_itself(bundle: Path) -> None:
    moved = (bundle / "fields").rename(bundle / "real")
    (bundle / "fields").symlink_to(moved.name)
    assert open_bundle(str(bundle)).fields == ()
    list_fields(bundle, "psi", "phi")
    assert rejection_of(bundle) == ("field-missing", "fields/psi")
    (bundle / "fields").unlink()
    assert rejection_of(bundle) == ("field-missing", "fields/psi")
    (bundle / "fields").write_bytes(b"")
    assert rejection_of(bundle) == ("field-missing", "fields/psi")


def test_size_is_judged_without_reading(bundle: Path) -> None:
    text = (bundle / "metadata.json").read_text().replace("[2,1,1]", "[2000000000,64,1]")
    (bundle / "metadata.json").write_text(text)
    for name in ("psi.bin", "phi.bin"):
        with (bundle / "fields" / name).open("r+b") as file:
            file.truncate(2_000_000_000 * 64 * 8)  # a sparse terabyte
    assert open_bundle(str(bundle)).fields[0] == FieldFile("phi", 1_024_000_000_000)
