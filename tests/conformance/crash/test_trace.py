"""What strace writes, read back; the protocol's order; and the states a disk may be in. No strace is needed here."""

from __future__ import annotations

import pytest

from harness.crash.call import Call, parse
from harness.crash.disk import Disk, ModelError
from harness.crash.effect import Effect, Kind, effects
from harness.crash.order import Step, match
from harness.crash.target import target_of
from harness.model import Dir, File, Tree

ROOT = "/scenario"


def _hex(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return "".join(f"\\x{byte:02x}" for byte in data)


def _path(name: str = "") -> str:
    return f'"{_hex(f"{ROOT}/{name}" if name else ROOT)}"'


def _file(number: int, name: str = "") -> str:
    return f"{number}<{_hex(f'{ROOT}/{name}' if name else ROOT)}>"


def _create(name: str, number: int = 3, flags: str = "O_WRONLY|O_CREAT|O_EXCL") -> str:
    return f"7 openat(AT_FDCWD<{_hex('/else')}>, {_path(name)}, {flags}, 0666) = {_file(number, name)}"


def _write(name: str, data: bytes, at: int, number: int = 3) -> str:
    return f'7 pwrite64({_file(number, name)}, "{_hex(data)}", {len(data)}, {at}) = {len(data)}'


def _sync(name: str = "", number: int = 3) -> str:
    return f"7 fsync({_file(number, name)}) = 0"


def _rename(old: str, new: str) -> str:
    return f"7 rename({_path(old)}, {_path(new)}) = 0"


_ANSWER = f'7 write(1<{_hex("pipe:[9]")}>, "{_hex("{}")}", 2) = 2'


def _effects(*lines: str) -> list[Effect]:
    return effects(list(parse(lines)), ROOT, "pipe:[9]")


def _states(before: Tree, *lines: str, undurable: tuple[str, ...] = ()) -> list[Tree]:
    """Return every state after a power cut behind the last of ``lines``, each once."""
    disk = Disk(before, undurable)
    for effect in _effects(*lines):
        disk.apply(effect)
    found: list[Tree] = []
    for tree in disk.after_power_cut():
        if tree not in found:
            found.append(tree)
    return found


def test_a_call_is_read_whatever_its_names_and_bytes_hold() -> None:
    line = f'12 write(5<{_hex("/a, b)(<>")}>, "{_hex(b"x, y) = 3")}", 9) = 9'
    (call,) = parse([line])
    assert (call.thread, call.name, call.result) == (12, "write", 9)
    assert call.descriptor(0).path == "/a, b)(<>"
    assert call.text(1) == b"x, y) = 3"


def test_calls_of_two_threads_that_interleave_are_put_together() -> None:
    lines = [
        "1 fsync(3<\\x2f\\x61> <unfinished ...>",
        "2 fsync(4<\\x2f\\x62>) = 0",
        "1 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)",
    ]
    second, first = parse(lines)
    assert (second.thread, second.descriptor(0).path, second.worked) == (2, "/b", True)
    assert (first.thread, first.descriptor(0).path, first.error, first.injected) == (1, "/a", "EIO", True)


def test_a_call_that_never_returned_had_no_effect() -> None:
    begun = f"7 rename({_path('a')}, {_path('b')}"
    for line in (f"{begun}) = ?", f"{begun} <unfinished ...>", f"{begun} <detached ...>"):
        (effect,) = _effects(line, "7 +++ killed by SIGKILL +++")
        assert (effect.kind, effect.path, effect.target, effect.worked) == (Kind.RENAME, "a", "b", False)


def test_a_plain_write_goes_where_the_descriptor_stands() -> None:
    made = _create("log", flags="O_RDWR|O_CREAT")
    moved = f"7 lseek({_file(3, 'log')}, 16, SEEK_SET) = 16"
    first = f'7 write({_file(3, "log")}, "{_hex(b"12345678")}", 8) = 3'
    second = f'7 write({_file(3, "log")}, "{_hex(b"45678")}", 5) = 5'
    written = [effect for effect in _effects(made, moved, first, second) if effect.kind is Kind.WRITE]
    assert [(effect.offset, effect.data) for effect in written] == [(16, b"123"), (19, b"45678")]


def test_names_given_relative_to_a_directory_are_resolved() -> None:
    (effect,) = _effects(f'7 unlinkat({_file(4, "sub")}, "{_hex("x")}", 0) = 0')
    assert (effect.kind, effect.path) == (Kind.UNLINK, "sub/x")
    (effect,) = _effects(f'7 unlinkat({_file(4)}, "{_hex("sub")}", AT_REMOVEDIR) = 0')
    assert (effect.kind, effect.path) == (Kind.RMDIR, "sub")


def test_what_is_written_outside_is_seen_and_devices_are_not() -> None:
    outside = (
        f'7 openat(AT_FDCWD<{_hex("/")}>, "{_hex("/scenery/x")}", O_WRONLY|O_CREAT, 0666) = 3<{_hex("/scenery/x")}>'
    )
    device = f'7 openat(AT_FDCWD<{_hex("/")}>, "{_hex("/dev/null")}", O_WRONLY) = 3<{_hex("/dev/null")}>'
    assert [(effect.kind, effect.path) for effect in _effects(outside, device)] == [(Kind.OUTSIDE, "/scenery/x")]


def test_a_call_is_found_again_by_its_own_path_and_count() -> None:
    calls = list(parse([_sync("a"), _sync("b"), _sync("b"), _sync()]))
    target = target_of(calls, calls[2], ROOT)
    assert (target.name, target.path, target.when) == ("fsync", "/b", 2)
    tampering = target.tampering("/elsewhere", "error=EIO")
    assert (tampering.path, tampering.when) == ("/elsewhere/b", 2)
    assert target_of(calls, calls[3], ROOT).tampering("/elsewhere", "").path == "/elsewhere"
    (call,) = parse([f'7 open("{_hex(f"{ROOT}/")}", O_RDONLY) = {_file(3)}'])
    assert target_of([call], call, ROOT).tampering("/elsewhere", "").path == "/elsewhere/"


STEPS = (
    Step("write", Kind.WRITE, contents={"a.tmp": (0, b"new!")}),
    Step("sync", Kind.SYNC, "a.tmp"),
    Step("rename", Kind.RENAME, "a.tmp", "a"),
    Step("sync-directory", Kind.SYNC),
)
GOOD = [_create("a.tmp"), _write("a.tmp", b"new!", 0), _sync("a.tmp"), _rename("a.tmp", "a"), _sync(), _ANSWER]


def test_the_right_order_is_right_also_in_several_writes_and_with_more_syncs() -> None:
    assert match(_effects(*GOOD), STEPS, []).problems == []
    parts = [_write("a.tmp", b"ne", 0), _sync(), _write("a.tmp", b"w!", 2)]
    assert match(_effects(GOOD[0], *parts, *GOOD[2:]), STEPS, []).problems == []


@pytest.mark.parametrize("missing", range(1, 5))
def test_each_missing_step_is_a_problem(missing: int) -> None:
    lines = [line for index, line in enumerate(GOOD) if index != missing]
    (problem,) = match(_effects(*lines), STEPS, []).problems
    assert STEPS[missing - 1].name in problem


@pytest.mark.parametrize("first", range(1, 5))
def test_each_pair_of_steps_in_the_other_order_is_a_problem(first: int) -> None:
    lines = GOOD.copy()
    lines[first], lines[first + 1] = lines[first + 1], lines[first]
    assert match(_effects(*lines), STEPS, []).problems


@pytest.mark.parametrize(
    "more",
    [_write("a.tmp", b"!", 4), _write("b", b"x", 0), f"7 unlink({_path('b')}) = 0", f"7 mkdir({_path('c')}, 0777) = 0"],
)
def test_one_change_more_is_a_problem(more: str) -> None:
    for at in range(1, len(GOOD) + 1):
        assert match(_effects(*GOOD[:at], more, *GOOD[at:]), STEPS, ["b"]).problems


def test_other_bytes_or_another_place_are_a_problem() -> None:
    for wrong in (_write("a.tmp", b"new?", 0), _write("a.tmp", b"new!", 1), _write("a.tmp", b"new!!", 0)):
        assert match(_effects(GOOD[0], wrong, *GOOD[2:]), STEPS, []).problems


def test_what_is_synced_stays_and_what_is_not_may_go_each_by_itself() -> None:
    empty, whole = File(b""), File(b"new!")
    assert _states({}, *GOOD) == [{"a": whole}]
    assert {} in _states({}, *GOOD[:4])
    assert {"a": whole} in _states({}, *GOOD[:4])
    assert {"a.tmp": whole} in _states({}, *GOOD[:4])
    unsynced = _states({"a": File(b"old")}, GOOD[0], GOOD[1], GOOD[3], GOOD[4])
    assert {"a": empty} in unsynced
    assert {"a": File(b"\0\0\0\0")} in unsynced
    assert {"a": File(b"ne")} in unsynced
    assert {"a": File(b"old")} not in unsynced


def test_sectors_are_lost_one_by_one() -> None:
    old, new = b"o" * 1024, b"n" * 1024
    states = _states({"a": File(old)}, _create("a", flags="O_WRONLY"), _write("a", new, 0))
    contents = [old, new, new[:512] + old[512:], old[:512] + new[512:]]
    assert sorted(map(repr, states)) == sorted(repr({"a": File(data)}) for data in contents)


def test_a_short_write_in_place_is_torn_after_each_byte() -> None:
    states = _states({"a": File(b"old")}, _create("a", flags="O_WRONLY"), _write("a", b"NEW", 0))
    assert sorted(map(repr, states)) == sorted(repr({"a": File(data)}) for data in (b"old", b"Nld", b"NEd", b"NEW"))


def test_a_cut_and_what_is_appended_after_it_are_lost_each_by_itself() -> None:
    cut = f"7 ftruncate({_file(3, 'log')}, 2) = 0"
    states = _states({"log": File(b"abcd")}, _create("log", flags="O_WRONLY"), cut, _write("log", b"XY", 2))
    for data in (b"abcd", b"ab", b"abXY", b"ab\0\0"):
        assert {"log": File(data)} in states


def test_a_name_of_an_earlier_commit_goes_until_its_directory_is_synced() -> None:
    before: Tree = {"d": Dir(), "d/a": File(b"1")}
    assert _states(before, undurable=("d/a",)) == [before, {"d": Dir()}]
    assert _states(before, _sync("d"), undurable=("d/a",)) == [before]


def test_a_file_of_a_lost_directory_is_lost() -> None:
    made = [f"7 mkdir({_path('d')}, 0777) = 0", _create("d/a"), _sync("d/a"), _sync("d")]
    assert _states({}, *made) == [{"d": Dir(), "d/a": File(b"")}, {}]


def test_a_call_that_the_model_cannot_follow_is_an_error() -> None:
    with pytest.raises(ModelError, match="does not follow fallocate"):
        _states({"a": File(b"1")}, f"7 fallocate({_file(3, 'a')}, 0, 0, 9) = 0")
    with pytest.raises(ModelError, match="is not there"):
        _states({}, _rename("x", "y"))


def test_a_trace_line_is_said_readably() -> None:
    content = _hex(bytes([0, 1]))
    call = Call(7, "pwrite64", (_file(3, "a b"), f'"{content}"', "2", "64"), 2)
    assert str(call) == "pwrite64(3</scenario/a b>, <2 bytes>, 2, 64) = 2"
