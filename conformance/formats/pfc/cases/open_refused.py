"""Cases of PFC-OPEN for directories that are no whole bundle: the first thing that is wrong with each."""

from __future__ import annotations

from conformance.formats.pfc.cases.bundles import CELLS, DIR, FIFO, GOOD, NO_LIST, Opening, bundle, file, link, listing
from conformance.formats.pfc.cases.texts import FULL_TEXT, MINIMAL, MINIMAL_TEXT, applied, remade, without
from conformance.vectorgen.vector_set import Data, VectorSet, reject


def build(vectors: VectorSet) -> None:
    """Add the file of directories that do not open."""
    bad = Opening(vectors.file("open-refused", operation="pfc.open", title="Directories that are no whole bundle"))
    _staging(bad)
    _directory(bad)
    _metadata(bad)
    _fields(bad)
    _order(bad)


def _staging(opening: Opening) -> None:
    staging = reject("bundle-is-staging")
    good = bundle({"psi.bin": CELLS}, name="step_5.publishing")
    for name, directory in (
        ("plain", "step_5.publishing"),
        ("slash", "step_5.publishing/"),
        ("slashes", "step_5.publishing///"),
        ("dot", "step_5.publishing/."),
        ("dot-slash", "step_5.publishing/./"),
        ("dots", "step_5.publishing/././/."),
    ):
        why = "loads a bundle that is still being written, or lets the end of the path hide it"
        opening.refuses(f"staging-{name}", why, good, staging, "R-PFC-5", directory=directory)
    for name, directory in (
        ("missing-slashes", "step_6.publishing//"),
        ("missing-dot", "step_6.publishing/."),
        ("missing-dot-slash", "step_6.publishing/./"),
        ("missing-parent-dots", "results/step_6.publishing/././/."),
    ):
        why = "looks for the directory before it judges the name, or lets the end of the path hide it"
        opening.refuses(f"staging-{name}", why, good, staging, "R-PFC-5", directory=directory)
    links = good | {
        "latest": link("step_5.publishing"),
        "newest": link("latest"),
        "by-dot": link("step_5.publishing/."),
    }
    for directory in ("latest", "newest", "by-dot", "latest/"):
        name = directory.replace("/", "-slash")
        why = "judges the link's name but not the directory that it leads to"
        opening.refuses(f"staging-{name}", why, links, staging, "R-PFC-5", directory=directory)
    named = GOOD | {"x.publishing": link("step_5")}
    why = "judges the directory but not the name that was given"
    opening.refuses("staging-name-of-link", why, named, staging, "R-PFC-5", directory="x.publishing")
    only = bundle({"psi.bin": CELLS}, name=".publishing")
    opening.refuses("staging-suffix-alone", "asks for a name before the suffix", only, staging, "R-PFC-5",
                    directory=".publishing")  # fmt: skip
    tree = {"link": link("x.publishing"), "x.publishing": file(b"x")}
    why = "judges what the target is before its name"
    other = {"x.publishing": None, "x": file(b"x"), "link": link("x")}
    faults = [{**staging, "tree": {"x.publishing": DIR}}, {**reject("bundle-not-directory"), "tree": other}]
    opening.refuses("staging-target-file", why, tree, staging, "R-PFC-5", directory="link", faults=faults)


def _directory(opening: Opening) -> None:
    missing, other = reject("bundle-missing"), reject("bundle-not-directory")
    for name, tree, directory, why in (
        ("missing", {}, "step_5", "reports a missing metadata.json"),
        ("missing-parent", {}, "results/step_5", "fails on a missing parent"),
        ("missing-case", GOOD, "STEP_5", "compares names without case"),
        ("missing-dangling", {"step_5": link("gone")}, "step_5", "takes a link for what it leads to"),
        ("missing-dangling-staging", {"step_5": link("gone.publishing")}, "step_5",
         "judges the name of a target that does not exist"),
        ("missing-loop", {"step_5": link("step_5")}, "step_5", "fails, or hangs, on a loop of links"),
        ("missing-loop-of-two", {"a": link("b"), "b": link("a")}, "a", "fails, or hangs, on a loop of links"),
        ("missing-below-file", {"file": file(b"x")}, "file/step_5", "fails on a parent that is a file"),
        ("missing-below-dangling", {"link": link("gone")}, "link/step_5", "fails on a parent that leads nowhere"),
    ):  # fmt: skip
        opening.refuses(name, why, tree, missing, directory=directory)
    for name, tree, directory, why in (
        ("not-directory-file", {"step_5": file(b"x")}, "step_5", "reports a missing metadata.json"),
        ("not-directory-file-slash", {"step_5": file(b"x")}, "step_5/", "lets the slash make it a missing bundle"),
        ("not-directory-metadata", {"step_5": NO_LIST}, "step_5", "takes the metadata file itself"),
        ("not-directory-fifo", {"step_5": FIFO}, "step_5", "opens the pipe and waits"),
        ("not-directory-link", {"step_5": link("f"), "f": file(b"x")}, "step_5", "takes any link for a directory"),
    ):
        opening.refuses(name, why, tree, other, directory=directory)


def _metadata(opening: Opening) -> None:
    missing, unreadable = reject("metadata-missing"), reject("metadata-unreadable")
    fields: dict[str, Data] = {"step_5/fields/psi.bin": CELLS}
    for name, tree, why in (
        ("empty", {"step_5": DIR}, "takes any directory for a bundle"),
        ("fields-only", fields, "takes a directory with fields for a bundle"),
        ("other-case", fields | {"step_5/METADATA.JSON": NO_LIST}, "compares names without case"),
        ("temporary", fields | {"step_5/metadata.json.tmp": NO_LIST}, "takes a file that is still being written"),
        ("in-fields", fields | {"step_5/fields/metadata.json": NO_LIST}, "looks below the bundle"),
        ("beside", fields | {"metadata.json": NO_LIST}, "looks above the bundle"),
    ):
        opening.refuses(f"metadata-missing-{name}", why, tree, missing)
    for name, extra, why in (
        ("directory", {"step_5/metadata.json": DIR}, "fails on reading a directory"),
        ("link", {"step_5/metadata.json": link("real.json"), "step_5/real.json": NO_LIST}, "follows the link"),
        ("link-outside", {"step_5/metadata.json": link("../real.json"), "real.json": NO_LIST},
         "follows the link out of the bundle"),
        ("dangling", {"step_5/metadata.json": link("gone")}, "reports it as missing; by lstat it is there"),
        ("loop", {"step_5/metadata.json": link("metadata.json")}, "fails, or hangs, on a loop of links"),
        ("fifo", {"step_5/metadata.json": FIFO}, "opens the pipe and waits"),
        ("too-large", {"step_5/metadata.json": {"sparse": 2**30 + 1}}, "reads on until there is no memory left"),
        ("tebibyte", {"step_5/metadata.json": {"sparse": 2**40}}, "reads on, keeps lengths in 32 bits, or fails"),
    ):  # fmt: skip
        opening.refuses(f"metadata-unreadable-{name}", why, fields | extra, unreadable)
    deep = b'{"x":' + b"[" * 127 + b"]" * 127 + b"}"
    for name, text, reason, at in (
        ("empty-file", b"", "metadata-not-json", None),
        ("cut-off", FULL_TEXT[:400], "metadata-not-json", None),
        ("not-utf8", MINIMAL_TEXT.replace(b"euler", b"eul\xe9r"), "metadata-not-utf8", None),
        ("too-deep", deep, "metadata-too-deep", None),
        ("duplicate-key", b'{"format_version":2,"format_version":2}', "metadata-duplicate-key", None),
        ("not-finite", MINIMAL_TEXT.replace(b"0.25", b"1e400"), "metadata-number-not-finite", None),
        ("not-object", b"[]", "metadata-not-object", None),
        ("version", applied(MINIMAL_TEXT, remade(MINIMAL_TEXT, ("/format_version", "3"))), "version-unsupported",
         "/format_version"),
        ("missing-member", applied(MINIMAL_TEXT, without(MINIMAL_TEXT, "/domain/periodic")), "member-missing",
         "/domain/periodic"),
        ("type", applied(MINIMAL_TEXT, remade(MINIMAL_TEXT, ("/accepted_time", "null"))), "member-type",
         "/accepted_time"),
        ("range", applied(MINIMAL_TEXT, remade(MINIMAL_TEXT, ("/result_counter", "-1"))), "member-range",
         "/result_counter"),
        ("version-1-periodic", MINIMAL_TEXT.replace(b'version": 2', b'version": 1'), "version-1-periodic",
         "/domain/periodic"),
    ):  # fmt: skip
        tree = bundle({"psi.bin": CELLS}, file(text))
        opening.refuses(f"metadata-{name}", "opens without judging the metadata whole", tree, reject(reason, at))


def _fields(opening: Opening) -> None:
    listed = listing("psi")
    missing = reject("field-missing", "fields/psi")
    for name, tree, why in (
        ("file", bundle({}, listed), "does not look for the listed files"),
        ("directory", {"step_5/metadata.json": listed}, "fails where fields/ is missing"),
        ("directory-is-file", {"step_5/metadata.json": listed, "step_5/fields": file(b"x")}, "fails on a file there"),
        ("directory-is-link", {"step_5/metadata.json": listed, "step_5/fields": link("../away"),
                               "away/psi.bin": CELLS}, "leaves the bundle through a linked fields/"),
        ("directory-is-inner-link", {"step_5/metadata.json": listed, "step_5/fields": link("real"),
                                     "step_5/real/psi.bin": CELLS}, "follows a linked fields/"),
        ("directory-dangling", {"step_5/metadata.json": listed, "step_5/fields": link("gone")}, "fails on the link"),
        ("case", bundle({"PSI.bin": CELLS, "psi.BIN": CELLS}, listed), "compares names without case"),
        ("no-suffix", bundle({"psi": CELLS}, listed), "takes a file without its suffix"),
        ("in-bundle", bundle({}, listed) | {"step_5/psi.bin": CELLS}, "looks beside fields/"),
    ):  # fmt: skip
        opening.refuses(f"field-missing-{name}", why, tree, missing)
    irregular = reject("field-not-regular", "fields/psi")
    for name, node, why in (
        ("directory", DIR, "looks only whether something is there"),
        ("link", link("other.bin"), "follows a link"),
        ("link-outside", link("../../other.bin"), "follows a link out of the bundle"),
        ("dangling", link("gone"), "reports it as missing; by lstat it is there"),
        ("loop", link("psi.bin"), "fails, or hangs, on a loop of links"),
        ("fifo", FIFO, "opens the pipe and waits"),
    ):
        others = {"other.bin": CELLS, "psi.bin": node}
        opening.refuses(f"field-not-regular-{name}", why, bundle(others, listed) | {"other.bin": CELLS}, irregular)
    for name, node in (("link", link("other")), ("directory", DIR)):
        why = "skips an entry that is named as a field but is no file"
        tree = bundle({"psi.bin": node, "other": CELLS})
        opening.refuses(f"found-not-regular-{name}", why, tree, irregular, "R-PFC-6")
    wrong = reject("field-size", "fields/psi")
    for name, length, why in (
        ("empty", 0, "takes an empty file for a field of zeros"),
        ("one-short", 191, "rounds up"),
        ("one-long", 193, "asks for enough bytes instead of the exact number"),
        ("one-cell-short", 184, "leaves one cell out of the count"),
        ("cells", 24, "compares cells with bytes"),
        ("single-precision", 96, "takes four bytes a cell"),
        ("wraps-32", 2**32 + 192, "keeps lengths in 32 bits"),
    ):
        tree = bundle({"psi.bin": {"sparse": length}}, listed)
        opening.refuses(f"field-size-{name}", why, tree, wrong)
    found = bundle({"psi.bin": {"sparse": 8}})
    opening.refuses("found-size", "judges only the fields of a list", found, wrong, "R-PFC-6")
    for name, grid in (("most", "[2147483647,536870912,1]"), ("near-two-to-63", "[1073741823,1073741825,1]")):
        metadata: Data = {"base": MINIMAL, "edits": remade(MINIMAL_TEXT, ("/domain/global_dimensions", grid))}
        tree = bundle({"psi.bin": file(b"")}, metadata)
        why = "multiplies in 32 bits or in binary64, or allocates the field"
        opening.refuses(f"field-size-{name}", why, tree, wrong, "R-PFC-6")


def _order(opening: Opening) -> None:
    """What the order of ids in a list or of names in a directory decides; every two kinds of fault are in the pairs."""
    tree = bundle({"a.bin": file(b""), "a-b.bin": file(b"")})
    why = "sorts by id instead of file name: a-b.bin comes before a.bin"
    first, second = reject("field-size", "fields/a-b"), reject("field-size", "fields/a")
    faults = [
        {**first, "tree": {"step_5/fields/a.bin": CELLS}},
        {**second, "tree": {"step_5/fields/a-b.bin": CELLS}},
    ]
    opening.refuses("order-found-by-file-name", why, tree, first, "R-PFC-6", faults=faults)
    tree = bundle({"a.bin": CELLS}, listing("b", "a"))
    why = "stops after the first file that is there"
    opening.refuses("order-one-of-two-missing", why, tree, reject("field-missing", "fields/b"))
