"""Cases of PFC-OPEN for real directories that are bundles."""

from __future__ import annotations

from conformance.formats.pfc.cases.bundles import CELLS, DIR, FIFO, GOOD, NO_LIST, Opening, bundle, file, link, listing
from conformance.formats.pfc.cases.texts import MINIMAL, MINIMAL_META, MINIMAL_TEXT, V1, V1_META, changed, remade
from conformance.vectorgen.vector_set import Data, VectorSet


def build(vectors: VectorSet) -> None:
    """Add the file of bundles that open."""
    good = Opening(vectors.file("open", operation="pfc.open", title="Bundles that open"))
    _whole(good)
    _names(good)
    _found(good)


def _whole(opening: Opening) -> None:
    opening.opens("one-field", "refuses a good bundle", GOOD, "R-PFC-6")
    listed = changed(MINIMAL_META, fields=["psi", "T"])
    tree = bundle({"T.bin": CELLS, "psi.bin": CELLS}, listing("psi", "T"))
    opening.opens("listed-order", "answers fields in directory order", tree, meta=listed, ids=("psi", "T"))
    old: Data = {"base": V1, "edits": []}
    opening.opens("version-1", "refuses the old version", bundle({"psi.bin": CELLS}, old), "R-PFC-4", meta=V1_META)
    empty = changed(MINIMAL_META, fields=[])
    tree = {"step_5/metadata.json": listing()}
    opening.opens("empty-list-no-directory", "asks for fields/", tree, meta=empty, ids=())
    opening.opens("no-list-no-directory", "asks for fields/", {"step_5/metadata.json": NO_LIST}, "R-PFC-6", ids=())
    opening.opens("no-list-no-files", "asks for a field", bundle({}), "R-PFC-6", ids=())
    tree = bundle({"psi.bin": CELLS}, listing())
    why = "takes an empty list for an absent one and looks for files"
    opening.opens("empty-list-with-file", why, tree, "R-PFC-6", "R-PFC-9", meta=empty, ids=())
    one = changed(MINIMAL_META, fields=["psi"])
    tree = bundle(
        {"psi.bin": CELLS, "other.bin": CELLS, "short.bin": file(b"x"), "link.bin": link("../.."), "d.bin": DIR},
        listing("psi"),
    )
    opening.opens("unlisted-files", "judges files that the list does not name", tree, meta=one)
    foreign = GOOD | {
        "step_5/notes.txt": file(b"x"),
        "step_5/metadata.json.tmp": file(b"{"),
        "step_5/old/metadata.json": file(b"{"),
        "step_5/pipe": FIFO,
        "step_5/loop": link("loop"),
        "step_5.publishing/metadata.json": file(b"{"),
    }
    opening.opens("foreign-files", "refuses, or reads, what stands beside the bundle's own files", foreign, "R-PFC-6")
    long = "x" * 128
    meta = changed(MINIMAL_META, fields=[long, "a.bin", "psi"])
    tree = bundle({f"{long}.bin": CELLS, "a.bin.bin": CELLS, "psi.bin": CELLS}, listing(long, "a.bin", "psi"))
    why = "bounds file names at 128 bytes, or takes .bin off an id"
    opening.opens("ids-of-all-lengths", why, tree, "R-PFC-3", meta=meta, ids=(long, "a.bin", "psi"))
    grid: Data = {"base": MINIMAL, "edits": remade(MINIMAL_TEXT, ("/domain/global_dimensions", "[1024,1024,1024]"))}
    tree = bundle({"psi.bin": {"sparse": 2**33}}, grid)
    meta = changed(MINIMAL_META, domain={"global_dimensions": [1024, 1024, 1024]})
    why = "keeps lengths in 32 bits, or reads the field's content"
    opening.opens("eight-gibibytes", why, tree, "R-PFC-6", meta=meta, length=2**33)


def _names(opening: Opening) -> None:
    for name, directory in (
        ("trailing-slash", "step_5/"),
        ("trailing-slashes", "step_5//"),
        ("trailing-dot", "step_5/."),
        ("dot-inside", "./step_5"),
        ("through-parent", "step_5/fields/.."),
    ):
        opening.opens(f"path-{name}", "takes only the plainest path", GOOD, "R-PFC-6", directory=directory)
    links = GOOD | {"latest": link("step_5"), "newest": link("latest"), "deep/link": link("../step_5")}
    for name, directory in (
        ("link", "latest"),
        ("link-trailing-slash", "latest/"),
        ("link-to-link", "newest"),
        ("link-in-directory", "deep/link"),
    ):
        why = "refuses a link to a bundle; only what is inside must not be one"
        opening.opens(name, why, links, "R-PFC-6", directory=directory)
    for name in ("step.publishing.old", "publishing", "xpublishing", "step.PUBLISHING", ".publishing-5", "a b\u00e9"):
        tree = bundle({"psi.bin": CELLS}, name=name)
        slug = name.lower().replace(" ", "-").replace("\u00e9", "e").replace(".", "-").strip("-")
        slug = f"{slug}-capital" if "PUB" in name else slug
        why = "takes more names for a staging directory's than those that end in .publishing"
        opening.opens(f"named-{slug}", why, tree, "R-PFC-5", "R-PFC-6", directory=name)
    inner = bundle({"psi.bin": CELLS}, name="run.publishing/step_5")
    why = "looks for the staging suffix in every component; only the last one tells"
    opening.opens("below-staging-name", why, inner, "R-PFC-5", "R-PFC-6", directory="run.publishing/step_5")


def _found(opening: Opening) -> None:
    """Without a list the files are the list, bytewise by file name."""
    names = ("10.bin", "9.bin", "B.bin", "_.bin", "a-b.bin", "a.b.bin", "a.bin", "a_b.bin", "b.bin")
    tree = bundle(dict.fromkeys(names, CELLS))
    ids = tuple(name.removesuffix(".bin") for name in names)
    why = "keeps the directory's order, sorts by id instead of file name, by locale, or as numbers"
    opening.opens("found-order", why, tree, "R-PFC-6", ids=ids)
    ignored = {
        ".bin": file(b""),
        "-x.bin": file(b""),
        ".hidden.bin": file(b""),
        "a b.bin": file(b""),
        "\u00e9.bin": file(b""),
        "\u212a.bin": file(b""),
        "psi\n.bin": file(b""),
        "y" * 129 + ".bin": file(b""),
        "psi.BIN": file(b""),
        "psi.bin.tmp": file(b""),
        "psi": file(b""),
        "psibin": file(b""),
        "sub": DIR,
        "-d.bin": DIR,
        "pipe": FIFO,
        "link": link("psi.bin"),
    }
    why = "judges entries whose names are no <id>.bin"
    opening.opens("found-ignores-others", why, bundle(ignored | {"psi.bin": CELLS}), "R-PFC-3", "R-PFC-6")
    away = {"step_5/metadata.json": NO_LIST, "step_5/fields": link("../away"), "away/psi.bin": CELLS}
    why = "leaves the bundle through a linked fields/, which counts as missing"
    opening.opens("found-not-through-link", why, away, "R-PFC-6", ids=())
