"""Cases of PFC-PUBLISH: what stands in the tree after a bundle was published, or refused."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.formats.pfc.cases.bundles import DIR, FIFO, Tree, file, link
from conformance.formats.pfc.cases.texts import FULL_META, MINIMAL_META, V1_META, canonical, changed
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, b64, ok, reject

_META = changed(MINIMAL_META, domain={"global_dimensions": [2, 1, 1]})
_PSI = bytes.fromhex("010000000000f07f0000000000000080")
"""Two cells: a signalling NaN and -0.0."""
_U = bytes.fromhex("0100000000000000efcdab8967452301")
_Fields = Sequence[tuple[str, bytes]]


def _bundle(name: str, fields: _Fields, meta: Data = _META) -> dict[str, Data]:
    """Return what a published bundle is: the list holds the published ids, in the order given."""
    text = canonical(changed(meta, fields=[field for field, _ in fields]))
    tree = {f"{name}/metadata.json": file(text), f"{name}/fields": DIR}
    return tree | {f"{name}/fields/{field}.bin": file(data) for field, data in fields}


_ONE: _Fields = (("psi", _PSI),)
_LEFTOVER: dict[str, Data] = {
    "step_5.publishing/metadata.json": file(b"{"),
    "step_5.publishing/fields/old.bin": file(b"old"),
    "step_5.publishing/fields/psi.bin": link("../../kept/file"),
    "step_5.publishing/deep/er/x": file(b"x"),
    "step_5.publishing/out": link("../kept"),
    "step_5.publishing/loop": link("loop"),
    "step_5.publishing/pipe": FIFO,
}
_KEPT: dict[str, Data] = {"kept/file": file(b"kept"), "kept/fields/psi.bin": file(b"kept too")}


class _Publishing:
    """The file, and how its cases are written."""

    def __init__(self, cases: VectorFile) -> None:
        """Hold the file."""
        self.cases = cases

    def add(  # noqa: PLR0913 - what differs from case to case
        self,
        name: str,
        why: str,
        expect: Data,
        *rulings: str,
        before: Tree | None = None,
        after: Tree | None = None,
        directory: str = "step_5",
        meta: Data = _META,
        fields: _Fields = _ONE,
        fail: str | None = None,
    ) -> None:
        """Add a publication; without ``after``, the tree must stand as it stood ``before``."""
        tree = dict(before or {})
        request: Data = {
            "directory": directory,
            "metadata": meta,
            "fields": [{"id": field, "data": b64(data)} for field, data in fields],
        }
        if fail is not None:
            request["fail"] = {"field": fail}
        accepted = "ok" in expect
        self.cases.case(
            f"pfc/publish/{name}",
            title=f"publish: {name.replace('-', ' ')}",
            why=why,
            rules=("PFC-PUBLISH",),
            rulings=rulings,
            tags=("boundary" if accepted else "corruption",),
            input=request,
            tree=tree,
            tree_after=tree if after is None else after,
            expect=expect,
        )


def build(vectors: VectorSet) -> None:
    """Add the file of publications."""
    cases = vectors.file("publish", operation="pfc.publish", title="Publications, and the tree that they leave")
    publishing = _Publishing(cases)
    _published(publishing)
    _leftovers(publishing)
    _named(publishing)
    _existing(publishing)
    _metadata(publishing)
    _fields(publishing)
    _failing(publishing)


def _published(publishing: _Publishing) -> None:
    after = _bundle("step_5", _ONE)
    publishing.add("one-field", "moves cells as numbers, or leaves staging behind", ok(), after=after)
    two: _Fields = (("u", _U), ("psi", _PSI))
    why = "lists ids in another order than they are published"
    publishing.add("two-fields", why, ok(), after=_bundle("step_5", two), fields=two)
    why = "leaves fields/ or the list out where there is no field"
    publishing.add("no-fields", why, ok(), "R-PFC-9", after=_bundle("step_5", ()), fields=())
    for name, listed in (("other", ["x", "y"]), ("empty", []), ("more", ["psi", "u"]), ("no-id", ["../x"])):
        meta = changed(_META, fields=listed)
        why = "writes or judges the list of the metadata that it was given; the published ids replace it"
        publishing.add(f"list-replaced-{name}", why, ok(), after=after, meta=meta)
    old = changed(V1_META, domain={"global_dimensions": [2, 1, 1]})
    why = "publishes version 1"
    publishing.add("version-1-in", why, ok(), "R-PFC-4", after=_bundle("step_5", _ONE, old), meta=old)
    full = changed(FULL_META, domain={"global_dimensions": [2, 1, 1]})
    why = "drops optional members"
    publishing.add("all-members", why, ok(), after=_bundle("step_5", _ONE, full), meta=full)
    absent = {key: value for key, value in _META.items() if key not in ("format_version", "result_counter")}
    default = changed(_META, result_counter=0)
    publishing.add(
        "defaults", "asks for members with defaults", ok(), after=_bundle("step_5", _ONE, default), meta=absent
    )
    long: _Fields = (("x" * 128, _PSI), ("a.bin", _U))
    why = "bounds file names, or takes .bin off an id"
    publishing.add("ids-of-all-lengths", why, ok(), "R-PFC-3", after=_bundle("step_5", long), fields=long)
    for name, directory in (("slash", "step_5/"), ("slashes", "step_5///")):
        why = "puts staging inside the final directory, or publishes an empty name"
        publishing.add(f"trailing-{name}", why, ok(), after=after, directory=directory)
    deep = "results/ckpt/step_10"
    why = "asks for the parent directories"
    publishing.add("missing-parents", why, ok(), after=_bundle(deep, _ONE), directory=deep)
    linked = _KEPT | {"link": link("kept")}
    why = "refuses a parent that is a link"
    publishing.add("parent-is-link", why, ok(), before=linked, after=linked | _bundle("kept/step_5", _ONE),
                   directory="link/step_5")  # fmt: skip
    for name in ("publishing", "step.publishing.1", "step.PUBLISHING", ".hidden", "..x", "a b\u00e9", "-x"):
        slug = {".hidden": "hidden", "..x": "two-dots-first", "a b\u00e9": "space", "-x": "dash-first"}.get(name, name)
        slug = "step-publishing-capital" if "PUB" in name else slug
        why = "refuses more names than those that cannot name a bundle"
        publishing.add(f"named-{slug}", why, ok(), after=_bundle(name, _ONE), directory=name)
    beside = _KEPT | _bundle("step_4", (("psi", _U),)) | {"step_5.old": file(b"x"), "step_4.publishing": DIR}
    publishing.add("neighbours", "touches what stands beside it", ok(), before=beside, after=beside | after)


def _leftovers(publishing: _Publishing) -> None:
    after = _KEPT | _bundle("step_5", _ONE)
    why = "keeps what an earlier publisher left in staging, or follows its links and destroys what they lead to"
    publishing.add("leftover-staging", why, ok(), before=_KEPT | _LEFTOVER, after=after)
    linked = _KEPT | {"step_5.publishing": link("kept")}
    why = "clears or writes through a staging directory that is a link"
    publishing.add("leftover-link", why, ok(), before=linked, after=after)
    dangling = _KEPT | {"step_5.publishing": link("gone")}
    why = "takes a dangling link for nothing and cannot create staging, or creates its target"
    publishing.add("leftover-dangling", why, ok(), before=dangling, after=after)
    plain = _KEPT | {"step_5.publishing": file(b"x")}
    publishing.add("leftover-file", "cannot clear a staging name that is a file", ok(), before=plain, after=after)
    fields = _KEPT | {"step_5.publishing/fields": link("../kept/fields")}
    why = "writes fields through a link inside old staging"
    publishing.add("leftover-fields-link", why, ok(), before=fields, after=after)


def _named(publishing: _Publishing) -> None:
    refused = reject("publish-name")
    before = {"sub/file": file(b"x")}
    for name, directory in (
        ("dot", "."),
        ("dot-slash", "./"),
        ("dot-dot", ".."),
        ("dot-dot-slashes", "..//"),
        ("sub-dot", "sub/."),
        ("sub-dot-dot", "sub/.."),
        ("missing-dot", "gone/."),
        ("missing-dot-dot", "gone/.."),
        ("staging", "step_5.publishing"),
        ("staging-slash", "step_5.publishing/"),
        ("staging-in-sub", "sub/step_5.publishing//"),
        ("staging-suffix-alone", ".publishing"),
    ):
        why = "publishes under a name that cannot be a bundle's, or creates parents first"
        publishing.add(f"name-{name}", why, refused, before=before, directory=directory)


def _existing(publishing: _Publishing) -> None:
    exists = reject("publish-exists")
    for name, before, directory in (
        ("bundle", _bundle("step_5", (("psi", _U),)), "step_5"),
        ("empty-directory", {"step_5": DIR}, "step_5"),
        ("file", {"step_5": file(b"x")}, "step_5"),
        ("file-slash", {"step_5": file(b"x")}, "step_5/"),
        ("link-to-directory", _KEPT | {"step_5": link("kept")}, "step_5"),
        ("link-to-directory-slash", _KEPT | {"step_5": link("kept")}, "step_5/"),
        ("dangling-link", {"step_5": link("gone")}, "step_5"),
        ("dangling-link-slash", {"step_5": link("gone")}, "step_5//"),
        ("loop", {"step_5": link("step_5")}, "step_5"),
        ("fifo", {"step_5": FIFO}, "step_5"),
        ("with-staging", {"step_5": DIR} | _LEFTOVER | _KEPT, "step_5"),
    ):
        why = "replaces, follows or removes what stands there, or clears staging before it looks"
        publishing.add(f"exists-{name}", why, exists, "R-PFC-8", before=before, directory=directory)


def _metadata(publishing: _Publishing) -> None:
    for name, members, reason, at in (
        ("version", {"format_version": 3}, "version-unsupported", "/format_version"),
        ("time", {"accepted_time": "NaN"}, "member-range", "/accepted_time"),
        ("increment", {"accepted_increment": 2**31}, "member-range", "/accepted_increment"),
        ("counter", {"result_counter": -1}, "member-range", "/result_counter"),
        ("spacing", {"domain": {"grid_spacing": ["1.0", "Infinity", "1.0"]}}, "member-range", "/domain/grid_spacing/1"),
        ("grid", {"domain": {"global_dimensions": [2**22, 2**22, 2**22]}}, "member-range",
         "/domain/global_dimensions"),
        ("layout", {"decomposition": {"mpi_size": 0, "local_size": [1, 1, 1], "local_offset": [0, 0, 0]}},
         "member-range", "/decomposition/mpi_size"),
        ("depth", {"boundary_conditions": [{"config": "[" * 125 + "]" * 125, "state": "0"}]}, "metadata-too-deep",
         None),
    ):  # fmt: skip
        meta = changed(_META, **members)
        why = "writes metadata that no reader takes, or leaves staging behind"
        expect = reject(reason, at)
        publishing.add(f"metadata-{name}", why, expect, meta=meta, fields=(), directory="results/step_5")


def _fields(publishing: _Publishing) -> None:
    for name, field in (
        ("empty", ""),
        ("dot-dot", "../escaped"),
        ("slash", "a/b"),
        ("dot-first", ".psi"),
        ("dash-first", "-psi"),
        ("space", "a b"),
        ("newline-last", "psi\n"),
        ("nul", "psi\0"),
        ("non-ascii", "\u00e9"),
        ("129-characters", "x" * 129),
    ):
        why = "writes outside of fields/, cleans the id, or judges it as a member of the metadata"
        expect = reject("publish-field", f"fields/{field}")
        publishing.add(f"field-{name}", why, expect, "R-PFC-3", fields=((field, _PSI),), before=_LEFTOVER | _KEPT)
    for name, data, why in (
        ("empty", b"", "writes a field without cells"),
        ("one-short", _PSI[:-1], "rounds up"),
        ("one-long", _PSI + b"\0", "asks for enough bytes"),
        ("one-cell", _PSI[:8], "compares with another number of cells"),
        ("cells", _PSI[:2], "compares cells with bytes"),
    ):
        expect = reject("publish-field", "fields/psi")
        publishing.add(f"field-size-{name}", why, expect, fields=(("psi", data),), before=_LEFTOVER | _KEPT)
    twice: _Fields = (("psi", _PSI), ("u", _U), ("psi", _PSI))
    expect = reject("publish-field", "fields/psi")
    publishing.add("field-repeated", "lets the last field of a name win", expect, fields=twice, directory="new/step_5")
    second: _Fields = (("psi", _PSI), ("u", _U + _U))
    expect = reject("publish-field", "fields/u")
    publishing.add("field-second", "judges the first field only", expect, fields=second, directory="new/step_5")
    huge = changed(_META, domain={"global_dimensions": [2**31 - 1, 2**29, 1]})
    why = "multiplies in 32 bits, or allocates by the grid"
    expect = reject("publish-field", "fields/psi")
    publishing.add("field-huge-grid", why, expect, meta=huge, fields=(("psi", b""),))


def _failing(publishing: _Publishing) -> None:
    two: _Fields = (("u", _U), ("psi", _PSI))
    for name, fields, fail in (("only", _ONE, "psi"), ("first", two, "u"), ("second", two, "psi")):
        why = "makes a bundle visible that lacks a field, leaves staging behind, or names another field"
        failed = reject("publish-failed", f"fields/{fail}")
        publishing.add(f"failed-{name}", why, failed, before=_KEPT, fields=fields, fail=fail)
        before = _KEPT | _LEFTOVER
        publishing.add(f"failed-{name}-leftover", why, failed, before=before, after=_KEPT, fields=fields, fail=fail)
    parent = {"file": file(b"x")}
    why = "fails on a parent that is a file with an error of its own, or with a field's name"
    publishing.add("failed-parent-is-file", why, reject("publish-failed"), before=parent, directory="file/step_5")
    publishing.add("failed-no-parent", why, reject("publish-failed"), before=parent, directory="file/deep/step_5")
    loop = {"link": link("link")}
    why = "fails on a parent that is a loop of links with an error of its own"
    publishing.add("failed-parent-is-loop", why, reject("publish-failed"), before=loop, directory="link/step_5")
    after = _bundle("step_5", _ONE)
    publishing.add("failing-other-field", "fails whatever field it is told", ok(), after=after, fail="unpublished")
