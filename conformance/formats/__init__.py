"""Which modules write the cases of each format: the one place a new format's builders are listed."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from conformance.build.book import Book

BUILDERS: dict[str, tuple[str, ...]] = {
    "lmdl": (
        "lmdl_coordinate",
        "lmdl_slot",
        "lmdl_edge_sweeps",
        "lmdl_recover",
        "lmdl_recover_sweeps",
        "lmdl_torn_sweeps",
        "lmdl_commit",
        "lmdl_commit_faults",
        "lmdl_disk_open",
        "lmdl_disk_commit",
        "lmdl_disk_commit_refused",
        "lmdl_hash",
        "lmdl_pairs",
        "lmdl_pairs_disk",
    ),
    "pfc": (
        "pfc_bricks",
        "pfc_encode",
        "pfc_goldens",
        "pfc_json",
        "pfc_json_corpus",
        "pfc_members",
        "pfc_numbers",
        "pfc_open",
        "pfc_open_refused",
        "pfc_order",
        "pfc_pairs",
        "pfc_pairs_bundles",
        "pfc_publish",
        "pfc_restore",
        "pfc_rows",
        "pfc_text_sweeps",
    ),
    "flysess1": (
        "flysess1_commit",
        "flysess1_commit_refused",
        "flysess1_edge_sweeps",
        "flysess1_encode",
        "flysess1_entries",
        "flysess1_frame",
        "flysess1_goldens",
        "flysess1_json_corpus",
        "flysess1_layout",
        "flysess1_manifest",
        "flysess1_manifest_value",
        "flysess1_order",
        "flysess1_pairs",
        "flysess1_payload",
        "flysess1_payload_refused",
        "flysess1_sweeps",
        "flysess1_table",
        "flysess1_text_sweeps",
    ),
}
"""Format → the modules of this package whose ``build(book)`` writes its cases, in reading order."""


def books(formats: Collection[str] = tuple(BUILDERS)) -> list[Book]:
    """Let the builders of each of ``formats`` write a fresh book."""
    return [_book(name, BUILDERS[name]) for name in BUILDERS if name in formats]


def _book(name: str, modules: tuple[str, ...]) -> Book:
    book = Book(name)
    for module in modules:
        import_module(f"conformance.build.{module}").build(book)
    return book
