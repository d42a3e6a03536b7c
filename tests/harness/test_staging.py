"""Trees and large inputs: what an adapter finds, and that nothing of it stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness import tree as trees
from harness.judge import judge
from harness.model import (
    Dir,
    Fifo,
    File,
    Ok,
    Other,
    Outcome,
    Place,
    Question,
    Sparse,
    Status,
    Symlink,
    Tree,
    TreeEntry,
    WireValue,
)
from harness.tree import TreeError
from tests.harness.driving import faulty, run


def look(tree: Tree | None, **members: WireValue) -> Question:
    return Question("look", "test.look", members, Ok({}), tree=tree)


def touch(tree: Tree, after: Tree, path: str = "a/f", **members: str) -> Question:
    return Question("touch", "test.touch", {"path": Place(path), **members}, Ok({}), tree=tree, tree_after=after)


def test_path_members_point_into_the_tree_and_keep_their_spelling() -> None:
    (answer,), _ = run(faulty(), [look({"a/f": File(b"1")}, directory=Place("a//"), path=Place("a/."), name="a")])
    assert answer.value is not None
    assert answer.value["names"] == ["f"]
    directory, path = str(answer.value["directory"]), str(answer.value["path"])
    assert directory.endswith("/tree/a//")
    assert path.endswith("/tree/a/.")
    assert answer.value["name"] == "a"
    assert not Path(directory).exists()


def test_without_a_tree_such_members_are_plain_text() -> None:
    (answer,), _ = run(faulty(), [look(None, path="a/f")])
    assert answer.value == {"path": "a/f"}


@pytest.mark.parametrize(("length", "by_path"), [(1024 * 1024 - 1, False), (1024 * 1024, True)])
def test_large_bytes_go_by_path(length: int, by_path: bool) -> None:
    (answer,), _ = run(faulty(), [look(None, data=bytes(length))])
    assert answer.value == ({"length": length} if by_path else {})


def test_the_tree_afterwards_is_compared_exactly() -> None:
    before: dict[str, TreeEntry] = {
        "a/f": File(b"1"),
        "a/l": Symlink("nowhere"),
        "p": Fifo(),
        "s": Sparse(5),
        "d": Dir(),
    }
    good = touch(before, {**before, "a/f": File(b"1touched")})
    bad = touch(before, before)
    answers, _ = run(faulty(), [good, bad])
    assert judge(good, answers[0]).status is Status.PASSED
    verdict = judge(bad, answers[1])
    assert verdict.status is Status.FAILED
    (difference,) = verdict.differences
    assert (difference.where, difference.offset) == ("tree/a/f", 1)


def test_a_case_that_is_put_again_finds_its_tree_as_at_first() -> None:
    tree = {"a/f": File(b"1")}
    crash = touch(tree, tree, fault="crash")
    fine = touch(tree, {"a/f": File(b"1touched")})
    answers, running = run(faulty(), [crash, fine, fine])
    assert [answer.outcome for answer in answers] == [Outcome.BROKEN, Outcome.ACCEPTED, Outcome.ACCEPTED]
    assert running.restarts > 0
    assert judge(fine, answers[1]).status is Status.PASSED


def test_what_is_put_beside_the_tree_is_seen() -> None:
    question = touch({"f": File(b"")}, {"f": File(b"touched")}, path="f", fault="outside")
    (answer,), _ = run(faulty(), [question])
    assert answer.tree is not None
    assert answer.tree["../stray"] == File(b"out")
    assert [difference.where for difference in judge(question, answer).differences] == ["tree/../stray"]


def test_a_locked_directory_is_removed_all_the_same() -> None:
    question = touch({"a/f": File(b"")}, {}, fault="lock")
    run(faulty(), [question])


def test_a_tree_deeper_than_paths_and_recursion_go_is_removed(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"")
    root = tmp_path / "root"
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=descriptor)
        deeper = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(descriptor)
    (root / "out").symlink_to("../kept")
    trees.remove(root)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_removing_follows_no_link_and_needs_nothing_there(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "f").write_bytes(b"")
    (tmp_path / "link").symlink_to("kept")
    for name in ("link", "nothing"):
        trees.remove(tmp_path / name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["f", "kept"]


@pytest.mark.parametrize("name", ["/etc/f", "../f", "a/../../f", ""])
def test_a_tree_that_leaves_its_directory_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="stay in the tree"):
        trees.build(tmp_path / "new", {name: File(b"")})


def test_a_tree_reads_back_as_it_was_built(tmp_path: Path) -> None:
    tree: Tree = {"a/b/f": File(b"1"), "a/l": Symlink("b"), "p": Fifo(), "huge": Sparse(1 << 40), "zeros": Sparse(3)}
    trees.build(tmp_path / "new", tree)
    expected = {**tree, "a": Dir(), "a/b": Dir(), "zeros": File(bytes(3))}
    assert trees.read(tmp_path / "new") == expected == trees.with_parents(tree)


def test_what_no_tree_can_state_is_named(tmp_path: Path) -> None:
    trees.build(tmp_path / "new", {})
    os.mkfifo(tmp_path / "new" / "x\udcff")  # a name that is no UTF-8
    assert trees.read(tmp_path / "new") == {"x\\xff": Fifo()}
    with pytest.raises(TreeError, match="only found trees"):
        trees.build(tmp_path / "other", {"x": Other("a socket")})
