"""Every two faults of bundles and bricks at once: opened, published, assembled, cut out."""

from __future__ import annotations

from conformance.formats.pfc.cases.bundles import DIR, file, link
from conformance.formats.pfc.cases.pairwise import some_member_faults, value_faults
from conformance.formats.pfc.cases.pairwise_base import PATH, TEXT, text_faults
from conformance.formats.pfc.cases.texts import FULL_META, changed, revalued
from conformance.suite.pairwise import from_the_end
from conformance.vectorgen.pairwise import add_pairs, fault
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64

IDS = ("psi", "T_2", "u")
CELLS: Data = {"sparse": 4 * 3 * 2 * 8}
METADATA = "step_5/metadata.json"


def build(vectors: VectorSet) -> None:
    """Write a list of faults for each of the four operations."""
    _open(vectors.file("pairs-open", operation="pfc.open", title="Two faults of one bundle"))
    _publish(vectors.file("pairs-publish", operation="pfc.publish", title="Two faults of what is to be published"))
    _assemble(vectors.file("pairs-assemble", operation="pfc.brick.assemble", title="Two faults of some parts"))
    _extract(vectors.file("pairs-extract", operation="pfc.brick.extract", title="Two faults of one part"))


def _open(cases: VectorFile) -> None:
    grid = [(f"/domain/global_dimensions/{axis}", str(size)) for axis, size in enumerate((4, 3, 2))]
    small = from_the_end([edit for pointer, size in grid for edit in revalued(TEXT, pointer, size)])
    inside = {METADATA: {"base": PATH, "edits": small}, "step_5/fields": DIR}
    inside |= {f"step_5/fields/{name}.bin": CELLS for name in IDS}
    gone: dict[str, Data | None] = dict.fromkeys(inside)
    texts = [*text_faults(), *some_member_faults(cases.operation)]
    faults = [
        # The link's own name is that of a staging directory, whatever is behind it.
        fault("bundle-is-staging", members={"/directory": "x.publishing"}),
        fault("bundle-missing", tree=gone),
        fault("bundle-not-directory", tree={**gone, "step_5": file(b"")}),
        fault("metadata-missing", tree={METADATA: None}),
        fault("metadata-unreadable", tree={METADATA: DIR}),
        *(_in_the_text(data) for data in texts),
    ]
    for name in ("psi", "T_2"):
        at, path = f"fields/{name}", f"step_5/fields/{name}.bin"
        faults += [
            fault("field-missing", at, tree={path: None}),
            fault("field-not-regular", at, tree={path: link("u.bin")}),
            fault("field-size", at, tree={path: {"sparse": 8}}),
        ]
    tree = {**inside, "x.publishing": link("step_5")}
    add_pairs(cases, "open", faults, input={"directory": "step_5"}, tree=tree, rules=["PFC-OPEN", "PFC-MEMBERS"])


def _in_the_text(data: Data) -> Data:
    """The same fault in the bundle's metadata."""
    reason, at = data["reject"]["reason"], data["reject"].get("at")
    return fault(reason, at, tree={METADATA: {"edits": data["edits"]}})


def _publish(cases: VectorFile) -> None:
    meta = changed(FULL_META, domain={"global_dimensions": [2, 1, 1]})
    del meta["fields"]
    fields = [{"id": name, "data": b64(bytes(range(16)))} for name in ("psi", "u")]
    faults = [
        fault("publish-name", members={"/directory": "x.publishing"}),
        fault("publish-exists", tree={"step_5": DIR, "x.publishing": DIR}),
        *value_faults("/metadata"),
        fault("publish-field", "fields/psi", members={"/fields/0/data": b64(bytes(8))}),
        fault("publish-field", "fields/u", members={"/fields/1/data": b64(bytes(24))}),
        fault("publish-failed", "fields/psi", members={"/fail": {"field": "psi"}}),
    ]
    faults = [data | {"kept": True} for data in faults]
    asked = {"directory": "step_5", "metadata": meta, "fields": fields}
    add_pairs(cases, "publish", faults, input=asked, tree={"kept": file(b"kept")}, rules=["PFC-PUBLISH"])


def _assemble(cases: VectorFile) -> None:
    """Five cells in a row, in parts of one, one, one and two."""
    starts, sizes = (0, 1, 2, 3), (1, 1, 1, 2)
    parts = [
        {"offset": [start, 0, 0], "size": [size, 1, 1], "data": b64(bytes([start]) * 8 * size)}
        for start, size in zip(starts, sizes, strict=True)
    ]
    faults = [fault("part-outside", f"parts/{i}", members={f"/parts/{i}/offset/1": -1}) for i in (0, 1, 2)]
    faults += [fault("part-size", f"parts/{i}", members={f"/parts/{i}/data": b64(bytes(7))}) for i in (0, 1, 2)]
    faults += [fault("parts-overlap", f"parts/{i}", members={f"/parts/{i}/offset/0": 0}) for i in (1, 2)]
    short = {"/parts/3/size/0": 1, "/parts/3/data": b64(bytes(8))}
    faults.append(fault("parts-gap", members=short))
    asked = {"global_dimensions": [5, 1, 1], "parts": parts}
    add_pairs(cases, "assemble", faults, input=asked, rules=["PFC-ASSEMBLE"])


def _extract(cases: VectorFile) -> None:
    asked: Data = {"global_dimensions": [2, 1, 1], "data": b64(bytes(16)), "offset": [0, 0, 0], "size": [1, 1, 1]}
    faults = [
        fault("part-outside", members={"/offset/0": 2}),
        fault("part-size", members={"/data": b64(bytes(8))}),
    ]
    add_pairs(cases, "extract", faults, input=asked, rules=["PFC-EXTRACT"])
