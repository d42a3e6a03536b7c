"""Scenarios of ``pfc.open`` in a bundle that changes (rule PFC-OPEN; bundle document, On-disk layout)."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from conformance.crash.changing import Change, ChangeScenario, told_at
from conformance.formats.pfc.cases.texts import MINIMAL_META, canonical, changed
from conformance.vectorgen.vector_set import Data
from harness.crash.edits import Move, Put, Remove, Resize
from harness.model import Dir, Fifo, File, Place, Symlink, Tree, TreeEntry

_BUNDLE = "step_5"
_METADATA, _FIELDS = f"{_BUNDLE}/metadata.json", f"{_BUNDLE}/fields"
_PSI, _U = f"{_FIELDS}/psi.bin", f"{_FIELDS}/u.bin"
_CELLS = 192
"""Bytes of a field on the golden grid, 4 x 3 x 2 cells."""
_GRID = changed(MINIMAL_META, domain={"global_dimensions": [4, 3, 2]})
_BOTH = ("psi", "u")
_GONE = told_at("field-missing", "fields/psi", "fields/u")
_MOST_METADATA = 1 << 30
_IRREGULAR: dict[str, TreeEntry] = {"a FIFO": Fifo(), "a directory": Dir(), "a link": Symlink("../outside")}


def _meta(increment: int, fields: Sequence[str] | None = _BOTH) -> Data:
    """Return metadata that ``increment`` tells from others, in two members far from each other in the text."""
    meta = changed(_GRID, accepted_increment=increment, result_counter=increment)
    return meta if fields is None else changed(meta, fields=list(fields))


def _accepted(meta: Data, ids: Sequence[str] = _BOTH) -> Data:
    listed = [{"id": name, "byteLength": str(_CELLS)} for name in ids]
    return {"value": meta, "data": base64.b64encode(canonical(meta)).decode("ascii"), "fields": listed}


def _bundle(meta: Data, ids: Sequence[str] = _BOTH) -> dict[str, TreeEntry]:
    files = {f"{_FIELDS}/{name}.bin": File(bytes(_CELLS)) for name in ids}
    return {_BUNDLE: Dir(), _METADATA: File(canonical(meta)), _FIELDS: Dir(), **files}


def _tree(meta: Data) -> Tree:
    text = File(canonical(meta))
    return {"outside": text, **_bundle(meta)}


def _of_fields() -> tuple[Change, ...]:
    size, missing = told_at("field-size", "fields/psi"), told_at("field-missing", "fields/psi")
    return (
        Change("a field is cut", (Resize(_PSI, 8),), size),
        Change("a field grows", (Resize(_PSI, _CELLS + 8),), size),
        Change("a field is removed", (Remove(_PSI),), missing),
        *(
            Change(f"a field becomes {what}", (Put({_PSI: entry}),), told_at("field-not-regular", "fields/psi"))
            for what, entry in _IRREGULAR.items()
        ),
        Change("fields/ is moved away", (Move(_FIELDS, "away"),), _GONE),
        Change("fields/ becomes a FIFO", (Put({_FIELDS: Fifo()}),), _GONE),
        # Where it was a directory a moment before, a name below it leads through the link to the same files.
        Change("fields/ becomes a link", (Move(_FIELDS, "away"), Put({_FIELDS: Symlink("../away")})), _GONE),
    )


def _of_metadata(new: Data, finer: Data) -> tuple[Change, ...]:
    unreadable, not_json = told_at("metadata-unreadable"), told_at("metadata-not-json")
    text = canonical(_meta(1, None))
    return (
        Change("metadata.json is replaced", (Put({_METADATA: File(canonical(new))}),), values=(_accepted(new),)),
        Change(
            "metadata.json is replaced by that of a finer grid",
            (Put({_METADATA: File(canonical(finer))}),),
            told_at("field-size", "fields/psi"),
        ),
        Change("metadata.json is cut", (Resize(_METADATA, len(text) // 2),), not_json),
        Change("metadata.json is emptied", (Resize(_METADATA, 0),), not_json),
        Change("metadata.json grows", (Resize(_METADATA, 1000),), not_json),
        Change("metadata.json grows past all memory", (Resize(_METADATA, _MOST_METADATA + 1),), unreadable),
        Change("metadata.json is removed", (Remove(_METADATA),), told_at("metadata-missing")),
        *(
            Change(f"metadata.json becomes {what}", (Put({_METADATA: entry}),), unreadable)
            for what, entry in _IRREGULAR.items()
        ),
    )


def _of_bundles(new: Data) -> tuple[Change, ...]:
    away = Move(_BUNDLE, "away")
    gone = told_at("bundle-missing") | told_at("metadata-missing") | _GONE
    staging = Move(_BUNDLE, "next.publishing")
    return (
        Change("the bundle is moved away", (away,), gone),
        Change("another bundle takes its place", (away, Put(_bundle(new))), values=(_accepted(new),)),
        Change(
            "a FIFO takes its place",
            (away, Put({_BUNDLE: Fifo()})),
            told_at("bundle-not-directory") | gone,
        ),
        Change("a link to it takes its place", (away, Put({_BUNDLE: Symlink("away")}))),
        Change(
            "a link to staging takes its place",
            (staging, Put({_BUNDLE: Symlink("next.publishing")})),
            told_at("bundle-is-staging"),
        ),
    )


def changing_scenarios() -> tuple[ChangeScenario, ...]:
    """Return every scenario: with a list of fields every change, and without one those that the list decides about."""
    old, new = _meta(1), _meta(2)
    finer = changed(new, domain={"global_dimensions": [4, 3, 4]})
    old_found, new_found = _meta(1, None), _meta(2, None)
    other_field = {_PSI: File(bytes(_CELLS)), f"{_FIELDS}/v.bin": File(bytes(_CELLS))}
    return (
        ChangeScenario(
            id="pfc/open-changing",
            title="a bundle with a list of fields changes while it is opened",
            operation="pfc.open",
            tree=_tree(old),
            input={"directory": Place(_BUNDLE)},
            value=_accepted(old),
            changes=(*_of_fields(), *_of_metadata(new, finer), *_of_bundles(new)),
        ),
        ChangeScenario(
            id="pfc/open-changing-found",
            title="a bundle without a list of fields changes while it is opened",
            operation="pfc.open",
            tree=_tree(old_found),
            input={"directory": Place(_BUNDLE)},
            value=_accepted(old_found),
            changes=(
                Change(
                    "metadata.json is replaced",
                    (Put({_METADATA: File(canonical(new_found))}),),
                    values=(_accepted(new_found),),
                ),
                Change(
                    "a field is removed",
                    (Remove(_PSI),),
                    told_at("field-missing", "fields/psi"),
                    (_accepted(old_found, ("u",)),),
                ),
                Change("a field comes", (Put(other_field),), values=(_accepted(old_found, (*_BOTH, "v")),)),
                # R-PFC-6: no list and no directory is no field.
                Change("fields/ is moved away", (Move(_FIELDS, "away"),), told_at("field-missing", "fields") | _GONE,
                       (_accepted(old_found, ()),)),
                Change("fields/ becomes a FIFO", (Put({_FIELDS: Fifo()}),), told_at("field-missing", "fields") | _GONE,
                       (_accepted(old_found, ()),)),
            ),
        ),
    )  # fmt: skip
