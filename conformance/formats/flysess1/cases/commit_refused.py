"""Cases of ``flysess1.commit`` that are refused, and what stands in the store afterwards."""

from __future__ import annotations

from itertools import combinations

from conformance.formats.flysess1.cases.commit_cases import (
    DIR,
    ENVELOPE,
    FIFO,
    NAMES,
    OLD,
    UNNAMED,
    add,
    file,
    link,
    store,
)
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, reject

_LEFT: dict[str, Data] = {"gen-2.part": file(b"left over"), "store.json.part": link("../outside")}
"""Leftovers that must stay where a commit is refused before it begins."""


def build(vectors: VectorSet) -> None:
    """Write the refused cases of ``flysess1.commit``."""
    cases = vectors.file(
        "commit-refused",
        operation="flysess1.commit",
        title="Commits into a store that are refused, and what they leave",
    )
    _not_plain(cases)
    _equal(cases)
    _exists(cases)
    _stores(cases)
    _long(cases)
    _temporaries(cases)
    _manifest(cases)


def _not_plain(cases: VectorFile) -> None:
    for member, good in NAMES.items():
        for name, given in (
            ("empty", ""),
            ("dot", "."),
            ("dot-dot", ".."),
            ("slash", "/"),
            ("below", f"away/{good}"),
            ("above", f"../{good}"),
            ("absolute", f"/{good}"),
            ("trailing-slash", f"{good}/"),
            ("trailing-dot", f"{good}/."),
            ("through-dot", f"./{good}"),
            ("nul", f"{good}\0"),
            ("nul-alone", "\0"),
        ):
            add(
                cases,
                f"name-{member}-{name}".replace("_", "-"),
                f"{member} is no plain component: {name.replace('-', ' ')}",
                "a file written outside the store, or under another name than was given",
                store(OLD | _LEFT | {"away": DIR}),
                reject("commit-name"),
                names=NAMES | {member: given},
                repair={member: good},
            )


def _equal(cases: VectorFile) -> None:
    for one, other in combinations(NAMES, 2):
        add(
            cases,
            f"name-equal-{one}-{other}".replace("_", "-"),
            f"{one} and {other} are equal",
            "a file that is written, or cleared, in the place of another",
            store(OLD | _LEFT),
            reject("commit-name"),
            names=NAMES | {other: NAMES[one]},
            repair={other: NAMES[other]},
        )


def _exists(cases: VectorFile) -> None:
    for name, words, entry in (
        ("same", "a file of the same bytes", file(ENVELOPE)),
        ("file", "an older file", file(b"older")),
        ("empty", "an empty file", file(b"")),
        ("directory", "a directory", DIR),
        ("link", "a link to a file", link("gen-1")),
        ("dangling", "a link that leads nowhere", link("gone")),
        ("loop", "a link to itself", link("gen-2")),
        ("fifo", "a FIFO", FIFO),
    ):
        add(
            cases,
            f"exists-{name}",
            f"Under the generation's name stands {words}",
            "a generation replaced to which a store manifest may refer; or leftovers removed before it is looked at",
            store(OLD | _LEFT | {"gen-2": entry}),
            reject("commit-exists"),
            repair={"generation": "gen-3"},
        )
    for name, title, before in (
        ("retry", "An earlier try failed past its rename: the same name is used up", UNNAMED),
        ("acknowledged", "The same commit once more", UNNAMED | {"store.json": file(b'{"current":"gen-2"}\n')}),
    ):
        why = "a retry that replaces what may be the current generation"
        repair = {"generation": "gen-3"}
        add(cases, f"exists-{name}", title, why, store(before), reject("commit-exists"), repair=repair)
    title = "The generation's name is that of the older generation"
    names = NAMES | {"generation": "gen-1"}
    why = "the current generation replaced while the store manifest refers to it"
    add(cases, "exists-current", title, why, store(OLD | _LEFT), reject("commit-exists"), names=names,
        repair={"generation": "gen-2"})  # fmt: skip


def _stores(cases: VectorFile) -> None:
    tree = store(OLD) | {
        "file": file(b"x"),
        "pipe": FIFO,
        "link": link("gone"),
        "loop": link("loop"),
        "to-file": link("file"),
    }
    for name, words, where in (
        ("missing", "is not there", "gone"),
        ("parents", "is not there, nor is its parent", "gone/store"),
        ("file", "is a file", "file"),
        ("file-slash", "is a file, and ends in a slash", "file/"),
        ("below-file", "leads through a file", "file/store"),
        ("fifo", "is a FIFO", "pipe"),
        ("dangling", "is a link that leads nowhere", "link"),
        ("loop", "is a link to itself", "loop"),
        ("link-to-file", "is a link to a file", "to-file"),
        ("nul", "holds a NUL", "store\0"),
        ("long", "has a name of 256 bytes", "s" * 256),
    ):
        add(
            cases,
            f"store-{name}",
            f"The store's path {words}",
            "a directory made, a failure of another step told, or success",
            tree,
            reject("commit-io", "write-generation"),
            where=where,
            repair={"store": "store"},
        )


def _long(cases: VectorFile) -> None:
    """A name too long for the file system is plain; what it is for fails."""
    for member, step, after in (
        ("generation", "write-generation", OLD),
        ("temporary", "write-generation", OLD),
        ("manifest", "rename-manifest", UNNAMED),
        ("manifest_temporary", "write-manifest", OLD),
    ):
        for name, given in (("256", "n" * 256), ("256-two-bytes-each", "é" * 128)):
            add(
                cases,
                f"long-{member}-{name}".replace("_", "-"),
                f"{member} has 256 bytes",
                "a name cut to what fits, a length counted in characters, or a failure told as a bad name",
                store(OLD),
                reject("commit-io", step),
                after=store(after),
                names=NAMES | {member: given},
                repair={member: NAMES[member]},
            )


def _temporaries(cases: VectorFile) -> None:
    """No run leaves a directory under a temporary name: it is another's, and stays. Both are cleared up front."""
    why = "a directory removed with what is in it, or its being in the way found only after the generation was written"
    theirs = file(b"theirs")
    for name, title, before, step, gone in (
        ("temporary", "temporary is a directory's name", {"gen-2.part/f": theirs}, "write-generation", ()),
        ("temporary-empty", "temporary is an empty directory's name", {"gen-2.part": DIR}, "write-generation", ()),
        ("manifest", "manifest_temporary is a directory's name", {"store.json.part/f": theirs}, "write-manifest", ()),
        ("manifest-empty", "manifest_temporary is an empty directory's name", {"store.json.part": DIR},
         "write-manifest", ()),
        ("temporary-and-left", "temporary is a directory's name, and under the other one stands a leftover",
         {"gen-2.part": DIR, "store.json.part": theirs}, "write-generation", ()),
        ("manifest-and-left", "manifest_temporary is a directory's name, and under the other one stands a leftover",
         {"gen-2.part": theirs, "store.json.part": DIR}, "write-manifest", ("gen-2.part",)),
    ):  # fmt: skip
        after = {path: entry for path, entry in before.items() if path not in gone}
        add(
            cases,
            f"directory-{name}",
            title,
            why,
            store(OLD | before),
            reject("commit-io", step),
            after=store(OLD | after),
        )


def _manifest(cases: VectorFile) -> None:
    why = "a directory removed, the renamed generation taken back, a temporary name left, or success told"
    for name, title, left in (
        ("empty", "an empty directory", {"store.json": DIR}),
        ("full", "a directory with a file in it", {"store.json/f": file(b"theirs")}),
    ):
        before = {"gen-1": OLD["gen-1"], **left}
        add(
            cases,
            f"manifest-directory-{name}",
            f"Under the store manifest's name stands {title}",
            why,
            store(before | {"store.json.part": file(b"left over")}),
            reject("commit-io", "rename-manifest"),
            after=store(before | {"gen-2": file(ENVELOPE)}),
        )
