"""Cases of ``flysess1.commit`` that commit: what stands in the store afterwards."""

from __future__ import annotations

from conformance.formats.flysess1.cases.commit_cases import (
    DIR,
    ENVELOPE,
    FIFO,
    MANIFEST,
    NAMES,
    NEW,
    OLD,
    UNNAMED,
    add,
    file,
    link,
    store,
)
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, insert, ok

_GOLDEN = "flysess1/golden/one-payload.bin"


def build(vectors: VectorSet) -> None:
    """Write the accepted cases of ``flysess1.commit``."""
    cases = vectors.file("commit", operation="flysess1.commit", title="Durable commits into a store")
    _plain(cases)
    _chain(cases)
    _contents(cases)
    _leftovers(cases)
    _crashes(cases)
    _manifests(cases)
    _names(cases)
    _stores(cases)


def _plain(cases: VectorFile) -> None:
    first: dict[str, Data] = {"gen-2": file(ENVELOPE), "store.json": file(MANIFEST)}
    why = "an earlier generation asked for, a temporary name left, or the older generation removed"
    for name, title, before, after in (
        ("first", "The first commit, into an empty store", {}, first),
        ("later", "A later commit", OLD, NEW),
        ("manifest-lost", "Generations stand there, and no store manifest", {"gen-1": OLD["gen-1"]},
         {"gen-1": OLD["gen-1"]} | first),
        ("neighbours", "Other files, directories and links stand there",
         OLD | {"gen-2.old": file(b"x"), "gen-2.part2": file(b"x"), "sub/gen-2": file(b"x"), "gen": link("gen-1"),
                "pipe": FIFO, "GEN-2": DIR},
         NEW | {"gen-2.old": file(b"x"), "gen-2.part2": file(b"x"), "sub/gen-2": file(b"x"), "gen": link("gen-1"),
                "pipe": FIFO, "GEN-2": DIR}),
    ):  # fmt: skip
        add(cases, name, title, why, store(before), ok(), after=store(after), tags=["golden"])


def _chain(cases: VectorFile) -> None:
    """Ten commits, each into the store that the one before left."""
    entries: dict[str, Data] = {}
    for number in range(1, 11):
        envelope, manifest = b"envelope %d" % number, b'{"current":"gen-%d"}\n' % number
        after = entries | {f"gen-{number}": file(envelope), "store.json": file(manifest)}
        add(
            cases,
            f"chain-{number:02}",
            f"Commit {number} of ten, each into what the one before left",
            "an older generation touched, or a store manifest appended to",
            store(entries),
            ok(),
            after=store(after),
            names=NAMES | {"generation": f"gen-{number}", "temporary": f"gen-{number}.part"},
            data=envelope,
            manifest=manifest,
            tags=["golden"],
        )
        entries = after


def _contents(cases: VectorFile) -> None:
    """The bytes are the caller's: nothing is judged, and nothing made of them."""
    why = "the content judged, taken for text, or left out where it is empty"
    for name, title, envelope, manifest in (
        ("empty-envelope", "The envelope is empty", b"", MANIFEST),
        ("empty-manifest", "The store manifest is empty", ENVELOPE, b""),
        ("both-empty", "Both files are empty", b"", b""),
        ("manifest-bytes", "The store manifest is no text", ENVELOPE, b"\xff\0\r\n\x1a"),
        ("same-bytes", "Both files are the same", MANIFEST, MANIFEST),
        ("manifest-unchanged", "The store manifest is the one that stands there", ENVELOPE, b'{"current":"gen-1"}\n'),
        ("envelope-longer-than-a-page", "The envelope is 5000 bytes", bytes(range(250)) * 20, MANIFEST),
    ):
        after = store(OLD | {"gen-2": file(envelope), "store.json": file(manifest)})
        tags = ["boundary"]
        add(cases, f"content-{name}", title, why, store(OLD), ok(), after=after, data=envelope, manifest=manifest,
            tags=tags)  # fmt: skip
    for name, title, edits in (
        ("envelope", "A real envelope", []),
        ("two-mebibytes", "An envelope of two mebibytes more", [insert(80, b"\xa5\0", 2**20)]),
    ):
        add(
            cases,
            f"content-{name}",
            title,
            "an envelope that is handed over as a file not read, or one that needs several writes written in part",
            store(OLD),
            ok(),
            after=store(OLD | {"gen-2": {"base": _GOLDEN, "edits": edits}, "store.json": file(MANIFEST)}),
            data=None,
            base=_GOLDEN,
            into="envelope",
            edits=edits,
            tags=["golden"],
        )


_LEFT: tuple[tuple[str, str, Data], ...] = (
    ("file", "a file", file(b"left over by a crash, and longer than what is written now" * 20)),
    ("empty", "an empty file", file(b"")),
    ("link", "a link to the older generation", link("gen-1")),
    ("link-manifest", "a link to the store manifest", link("store.json")),
    ("link-outside", "a link to a file outside", link("../outside")),
    ("link-directory", "a link to a directory outside", link("../away")),
    ("dangling", "a link that leads nowhere", link("../gone")),
    ("fifo", "a FIFO", FIFO),
)
"""Name, words and entry of what an earlier run may have left under a temporary name."""


def _leftovers(cases: VectorFile) -> None:
    why = "a leftover followed, so that another file is destroyed; kept in part; waited for; or in the way for ever"
    for name, words, entry in _LEFT:
        for member in ("temporary", "manifest_temporary"):
            add(
                cases,
                f"leftover-{member}-{name}".replace("_", "-"),
                f"Under the name {member} stands {words}",
                why,
                store(OLD | {NAMES[member]: entry}),
                ok(),
                after=store(NEW),
                tags=["boundary"],
            )
    for name, left in (("files", file(b"left")), ("links", link("gen-1")), ("fifos", FIFO)):
        both = {NAMES["temporary"]: left, NAMES["manifest_temporary"]: left}
        title = f"Under both temporary names stand {name}"
        add(cases, f"leftover-both-{name}", title, why, store(OLD | both), ok(), after=store(NEW), tags=["boundary"])
    other: dict[str, Data] = {"gen-1.part": file(b"left")}
    title = "Under the temporary name of another commit stands a file"
    why = "names cleared that the caller did not give"
    add(cases, "leftover-of-another", title, why, store(OLD | other), ok(), after=store(NEW | other), tags=["boundary"])


def _crashes(cases: VectorFile) -> None:
    """What a kill at each step of an earlier try leaves: a retry under a new generation name works."""
    half = file(ENVELOPE[:100])
    third = NAMES | {"generation": "gen-3", "temporary": "gen-3.part"}
    same_temporary = NAMES | {"generation": "gen-3"}
    for name, title, before, names, gone in (
        ("writing", "within the generation's write", OLD | {"gen-2.part": half}, NAMES, ["gen-2.part"]),
        ("written", "before the generation's rename", OLD | {"gen-2.part": file(ENVELOPE)}, NAMES, ["gen-2.part"]),
        ("renamed", "after the generation's rename", UNNAMED, third, []),
        ("manifest-writing", "within the store manifest's write", UNNAMED | {"store.json.part": file(MANIFEST[:5])},
         third, ["store.json.part"]),
        ("manifest-written", "before the store manifest's rename", UNNAMED | {"store.json.part": file(MANIFEST)},
         third, ["store.json.part"]),
        ("done", "after the last rename, unacknowledged", NEW, third, []),
        ("renamed-same-temporary", "after the generation's rename; the temporary names stay the same",
         UNNAMED | {"store.json.part": half}, same_temporary, ["store.json.part"]),
    ):  # fmt: skip
        kept = {path: entry for path, entry in before.items() if path not in gone}
        add(
            cases,
            f"retry-{name}",
            f"An earlier try was killed {title}",
            "a retry that takes what an earlier one left for a commit, or cannot go on from it",
            store(before),
            ok(),
            after=store(kept | {names["generation"]: file(ENVELOPE), "store.json": file(MANIFEST)}),
            names=names,
            tags=["boundary"],
        )


def _manifests(cases: VectorFile) -> None:
    why = "the store manifest written in place, or through the link that bears its name"
    for name, title, entry in (
        ("link", "a link to the older generation", link("gen-1")),
        ("link-outside", "a link to a file outside", link("../outside")),
        ("link-directory", "a link to a directory", link("../away")),
        ("dangling", "a link that leads nowhere", link("../gone")),
        ("fifo", "a FIFO", FIFO),
        ("empty", "an empty file", file(b"")),
        ("long", "a longer file", file(b"x" * 5000)),
    ):
        before = store(OLD | {"store.json": entry})
        line = f"Under the store manifest's name stands {title}: it is replaced itself"
        add(cases, f"manifest-{name}", line, why, before, ok(), after=store(NEW), tags=["boundary"])


def _names(cases: VectorFile) -> None:
    long = ["g" * 255, "h" * 255, "é" * 127 + "i", "j" * 254 + "k"]
    for name, title, given in (
        ("odd", "dots, a space, a dash and a line feed", ["...", " ", "-rf", "é\n\\"]),
        ("hidden", "leading dots", [".g", "..g", ".m", "..m"]),
        ("case", "letters that differ in their case alone", ["Gen", "gEn", "geN", "gen"]),
        ("normal-forms", "accents composed and combined", ["\u00e9", "e\u0301", "\u00e8", "e\u0300"]),
        ("long", "255 bytes each", long),
        ("backslash", "backslashes, a colon and a percent escape", ["a\\b", "..\\a", "c:", "%2e%2e"]),
        ("supplementary", "characters above U+FFFF", ["\U0001f600", "\U0001f601", "\U0001f602", "\U0001f603"]),
        ("endings", "trailing dots and spaces", ["g.", "g..", "g ", "g. "]),
    ):
        add(
            cases,
            f"names-{name}",
            f"The names have {title}",
            "a plain component refused, or names made equal that are not",
            store({}),
            ok(),
            after=store({given[0]: file(ENVELOPE), given[2]: file(MANIFEST)}),
            names=dict(zip(NAMES, given, strict=True)),
            tags=["boundary"],
        )


def _stores(cases: VectorFile) -> None:
    links: dict[str, Data] = {"link": link("store"), "links": link("link")}
    for name, where in (
        ("slash", "store/"),
        ("slashes", "store//"),
        ("dot", "store/."),
        ("dot-inside", "./store"),
        ("dots-inside", "away/../store"),
        ("link", "link"),
        ("link-slash", "link/"),
        ("link-to-link", "links"),
    ):
        add(
            cases,
            f"store-{name}",
            f"The store's path is {where}",
            "only the plainest path taken, or a link to the store refused: it is the caller's choice",
            links | store(OLD),
            ok(),
            after=links | store(NEW),
            where=where,
            tags=["boundary"],
        )
    for name, where in (("top", ""), ("top-dot", ".")):
        after = {"gen-2": file(ENVELOPE), "store.json": file(MANIFEST)}
        title = "The store is the case's whole directory"
        why = "a path that ends in a slash or a dot refused"
        add(cases, f"store-{name}", title, why, {}, ok(), after=after, where=where, tags=["boundary"])
