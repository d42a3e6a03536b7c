"""The builder's own XXH3-64, held to published hashes and to the C library at every length that matters."""

import pytest
import xxhash

from conformance.formats.lmdl.xxh3 import SECRET, xxh3_64


@pytest.mark.parametrize(
    ("data", "published"),
    [(b"", 0x2D06800538D394C2), (b"a", 0xE6C632B61E964E1F), (b"abc", 0x78AF5F94892F3950)],
)
def test_published_hashes(data: bytes, published: int) -> None:
    assert xxh3_64(data) == published


def test_the_secret_has_192_bytes() -> None:
    assert len(SECRET) == 192


@pytest.mark.parametrize("length", [*range(300), 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 4099])
def test_agreement_with_the_c_library(length: int) -> None:
    data = bytes((i * 31 + length) & 255 for i in range(length))
    assert xxh3_64(data) == xxhash.xxh3_64_intdigest(data)
