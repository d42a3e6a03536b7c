"""The command line as a user meets it: what it prints, what it exits with, and that no traceback ever shows."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from conformance.rules.order import load_order

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-c", "from conformance.cli import main; main()"]


def conformance(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=300)
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def broken_reference(tmp_path: Path) -> Path:
    """An adapter by path whose slot reader takes the epoch as signed."""
    shutil.copytree(ROOT / "reference_py", tmp_path / "reference_py")
    shutil.copytree(ROOT / "adapters" / "python", tmp_path / "adapters" / "port")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    adapter = tmp_path / "adapters" / "port"
    toml = (adapter / "adapter.toml").read_text().replace('name = "python"', 'name = "port"')
    (adapter / "adapter.toml").write_text(toml)
    slot = tmp_path / "reference_py" / "lmdl" / "slot.py"
    right, wrong = 'struct.Struct("<4sIQQ32sI")', 'struct.Struct("<4sIqQ32sI")'
    assert right in slot.read_text()
    slot.write_text(slot.read_text().replace(right, wrong))
    return adapter


def test_a_run_that_passes_exits_0_and_its_results_fit_their_schema(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    done = conformance("run", "--adapter", "python", "-k", "lmdl/hash", "--json", str(results))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASSED" in done.stdout
    assert "\x1b" not in done.stdout
    document = json.loads(results.read_text())
    schema = json.loads((ROOT / "harness" / "results.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert {case["format"] for case in document["cases"]} == {"lmdl"}


def test_a_wrong_port_by_path_fails_and_the_byte_is_shown(broken_reference: Path) -> None:
    done = conformance("run", "--adapter", str(broken_reference), "--format", "lmdl", "-k", "epoch-2-63")
    assert done.returncode == 1
    assert "lmdl/commit/epoch-2-63" in done.stdout
    assert "slot/A/epoch, byte 8 (0x8): expected 0x01, found 0xff" in done.stdout
    assert f"--adapter {broken_reference}" in done.stdout
    assert "port: 1 case of lmdl.commit: expected accepted, found another value" in done.stdout


def test_an_adapter_given_by_its_folder_is_called_by_its_name(broken_reference: Path) -> None:
    done = conformance("run", "--adapter", ".", "-k", "epoch-2-63", cwd=broken_reference)
    assert "FAILED lmdl/commit/epoch-2-63 (port)\n" in done.stdout
    assert "replay: conformance replay 'lmdl/commit/epoch-2-63' --adapter .\n" in done.stdout


def test_a_wrong_reason_is_placed_among_the_checks(broken_reference: Path) -> None:
    slot = broken_reference.parents[1] / "reference_py" / "lmdl" / "slot.py"
    text = slot.read_text()
    assert text.count('"slot-magic"') == 1
    slot.write_text(text.replace('"slot-magic"', '"slot-crc"'))
    done = conformance("run", "--adapter", str(broken_reference), "-k", "lmdl/pairs/slot-decode")
    assert done.returncode == 1
    assert "  order     slot-crc is checked after the expected slot-magic in lmdl.slot.decode: " in done.stdout


def test_fail_fast_stops_at_the_first_failure(broken_reference: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    arguments = ["--adapter", str(broken_reference), "--format", "lmdl", "--fail-fast", "--json", str(results)]
    done = conformance("run", *arguments)
    assert done.returncode == 1
    document = json.loads(results.read_text())
    (adapter,) = document["adapters"]
    assert len(adapter["cases"]) < len(document["cases"])
    assert adapter["cases"][-1]["status"] != "passed"
    assert all(case["status"] == "passed" for case in adapter["cases"][:-1])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--adapter", "nobody"], "neither a name"),
        (["run", "--adapter", "python", "-k", "no-such-case"], "no case matches no-such-case"),
        (["run", "--adapter", "python", "--format", "pfc", "-k", "lmdl/hash"], "nothing is selected"),
        (["run", "--format", "tar"], "'tar' is not one of"),
        (["run", "--adapter", "python", "-k", "lmdl/hash", "--json", "/dev/null/x"], "/dev/null/x"),
        (["show", "zzz"], "there is no case zzz; `conformance list` shows all"),
        (["replay", "lmdl/slot/flips-plain"], "is a sweep"),
        (["replay", "lmdl/pairs/slot-decode"], "is a list of pairs: name one member of it, such as lmdl/pai"),
        (["replay", "lmdl/slot/flips-plain#byte99.bit0"], "has no member byte99.bit0"),
        (["explain", "slot-crx"], "did you mean slot-crc"),
        (["explain", "pfc.opne"], "did you mean pfc.open"),
        (["explain", "lmdl-99"], "no operation, reason, rule, ruling or sentence is called 'lmdl-99'"),
        (["list", "--reason", "slot-crx"], "there is no reason 'slot-crx'; did you mean slot-crc"),
        (["list", "--reason", "zzz"], "there is no reason 'zzz'; docs/formats/ lists them"),
        (["list", "--format", "pfc", "--reason", "slot-crc"], "no case that is selected expects 'slot-crc'; `conf"),
        (["show", "lmdl/slot/flip-plain"], "no case lmdl/slot/flip-plain; did you mean lmdl/slot/flips-plain"),
        (["replay", "lmdl/slot/flip-plain#byte3.bit0"], "; did you mean lmdl/slot/flips-plain"),
        (["inspect", "no-such-file"], "no file or directory"),
        (["inspect", "vectors/lmdl/golden/slot-plain.bin", "--log-length", "8"], "no log belongs to a slot"),
        (["inspect", "LICENSE"], "look like none of the formats"),
        (["frobnicate"], "No such command"),
    ],
)
def test_what_cannot_be_done_exits_2_with_a_line_on_it(arguments: list[str], told: str) -> None:
    done = conformance(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert told in done.stderr


def test_an_adapter_that_cannot_start_exits_2_and_names_the_build(tmp_path: Path) -> None:
    toml = 'name = "absent"\nlanguage = "None"\ncommand = ["./absent"]\nbuild = "make absent"\n'
    (tmp_path / "adapter.toml").write_text(toml)
    done = conformance("run", "--adapter", str(tmp_path), "-k", "lmdl/hash")
    assert done.returncode == 2
    assert "make absent" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("NOT JUDGED: no adapter could be started")
    assert "FAILED" not in done.stdout
    assert "nothing was judged" in done.stderr


def test_one_adapter_that_cannot_start_fails_the_run_of_another(tmp_path: Path) -> None:
    toml = 'name = "absent"\nlanguage = "None"\ncommand = ["./absent"]\n'
    (tmp_path / "adapter.toml").write_text(toml)
    done = conformance("run", "--adapter", str(tmp_path), "--adapter", "python", "-k", "lmdl/hash")
    assert done.returncode == 1


def test_list_names_operations_and_counts_the_members_of_a_sweep() -> None:
    done = conformance("list", "-k", "lmdl/slot/flips-plain")
    assert done.returncode == 0
    assert done.stdout == (
        "lmdl/slot/flips-plain  lmdl.slot.decode  "
        "Every bit flip of a slot is refused by the first check it meets [512 members]\n"
    )


def test_show_marks_the_byte_of_a_sweeps_member() -> None:
    done = conformance("show", "lmdl/slot/flips-plain#byte60.bit0")
    assert done.returncode == 0
    assert "first difference: crc32, byte 60 (0x3c)" in done.stdout
    assert "expected: rejected as slot-crc" in done.stdout


def test_show_names_every_change_of_a_member_with_two_faults() -> None:
    shown = conformance("show", "lmdl/pairs/slot-decode#slot-size+slot-crc").stdout
    assert (
        "  fault       slot-size\n"
        "    changed   byte 64 (0x40): inserted 00\n"
        "  fault       slot-crc\n"
        "    changed   byte 60 (0x3c) in crc32: f2 → f3\n"
        "  resealed    slot\n"
    ) in shown


def test_replay_prints_a_line_that_a_shell_runs() -> None:
    line = conformance("replay", "lmdl/slot/flips-plain#byte60.bit0", "--adapter", "python").stdout
    assert line.count("\n") == 1
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    handshake, answer = map(json.loads, done.stdout.splitlines())
    assert handshake["protocol"] == 1
    assert answer["reject"]["reason"] == "slot-crc"


def test_replay_judges_the_answer_beside_the_line(broken_reference: Path) -> None:
    good = conformance("replay", "lmdl/slot/flips-plain#byte60.bit0", "--adapter", "python")
    assert good.returncode == 0
    assert good.stderr.splitlines() == [
        "PASSED lmdl/slot/flips-plain#byte60.bit0 (python)",
        "  input     vectors/lmdl/golden/slot-plain.bin, first changed at byte 60 (0x3c) in crc32: f2 → f3",
        "  expected  rejected as slot-crc",
        "  found     rejected as slot-crc",
        "  detail    bytes 60-63: found f39b4d87, expected f29b4d87",
        '  expected answer  {"reject": {"reason": "slot-crc"}}',
        '  found answer     {"reject": {"reason": "slot-crc"}}',
    ]
    wrong = conformance("replay", "lmdl/recover/epochs-sign-in-a", "--adapter", str(broken_reference))
    assert wrong.returncode == 1
    assert wrong.stdout.count("\n") == 1
    assert wrong.stderr.startswith("FAILED lmdl/recover/epochs-sign-in-a (port)\n")
    assert '  /ok/active: expected "A", found "B"\n' in wrong.stderr
    assert re.search('expected answer  {"ok": {.*"epoch": "9223372036854775808"', wrong.stderr)
    assert re.search('found answer     {"ok": {.*"epoch": "9223372036854775807"', wrong.stderr)


@pytest.mark.parametrize(("locations", "status"), [("false", 0), ("true", 1)])
def test_replay_compares_places_only_where_the_adapter_gives_them(tmp_path: Path, locations: str, status: int) -> None:
    implementation = '{"name":"n","version":"1","language":"sh","runtime":"sh"}'
    told = f'"operations":["lmdl.slot.encode"],"locations":{locations},"implementation":{implementation}'
    handshake = f'{{"protocol":1,{told}}}'
    answer = '{"id":"1","reject":{"reason":"field-out-of-range"}}'
    (tmp_path / "answers").write_text(f"{handshake}\n{answer}\n")
    command = "head -n 2 answers; cat > seen"
    (tmp_path / "adapter.toml").write_text(f'name = "n"\nlanguage = "sh"\ncommand = ["sh", "-c", "{command}"]\n')
    done = conformance("replay", "lmdl/pairs/slot-encode#field-out-of-range@epoch", "--adapter", str(tmp_path))
    assert done.returncode == status, done.stderr


def test_replay_builds_the_tree_that_a_case_needs() -> None:
    line = conformance("replay", "pfc/publish/field-slash", "--adapter", "python").stdout
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=True)
    rejection = json.loads(done.stdout.splitlines()[1])["reject"]
    assert (rejection["reason"], rejection["at"]) == ("publish-field", "fields/a/b")


def test_explain_tells_meaning_place_and_cases() -> None:
    done = conformance("explain", "dedup-short")
    assert done.returncode == 0
    for told in ("LMDL-RECOVER-4", "lmdl.recover", "lmdl/commit-file/refused-log-absent"):
        assert told in done.stdout


def test_explain_tells_all_checks_of_an_operation_in_their_order() -> None:
    done = conformance("explain", "lmdl.recover")
    assert done.returncode == 0
    checks = [line.split() for line in done.stdout.splitlines() if line.startswith("    ")]
    assert checks == [
        ["1", "meta-size", "(LMDL-RECOVER-1)"],
        ["2", "meta-version", "at", "slot/A", "(LMDL-RECOVER-2)"],
        ["3", "meta-version", "at", "slot/B", "(LMDL-RECOVER-2)"],
        ["4", "meta-no-valid-slot", "(LMDL-RECOVER-3)"],
        ["5", "dedup-short", "(LMDL-RECOVER-4)"],
    ]
    assert "refuses nothing" in conformance("explain", "lmdl.hash").stdout
    told = conformance("explain", "meta-version").stdout
    assert "  judged      in lmdl.recover: checks 2-3 of 5, after meta-size\n" in told


@pytest.mark.parametrize(
    ("reason", "operation", "told"),
    [
        ("commit-io", "lmdl.commit_file", ", the first before all others"),
        ("payload-misplaced", "flysess1.decode", ", the first after "),
        ("slot-crc", "lmdl.slot.decode", ", after "),
    ],
)
def test_explain_gives_the_places_of_a_reason_among_the_checks_without_those_between(
    reason: str, operation: str, told: str
) -> None:
    checks = [check.partition(" ")[0] for check in load_order()[operation].checks]
    own = [number for number, check in enumerate(checks, 1) if check == reason]
    shown = conformance("explain", reason).stdout
    found = re.search(rf"in {operation}: checks? ([-, \d]+) of {len(checks)}(.*)", shown)
    assert found is not None
    spans = [list(map(int, span.split("-"))) for span in found[1].split(", ")]
    assert [number for span in spans for number in range(span[0], span[-1] + 1)] == own
    assert found[2].startswith(told)


def test_explain_tells_what_a_sentence_of_the_coverage_page_became() -> None:
    page = (ROOT / "docs/coverage.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| lmdl-12 \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (\d+) \|", page, re.MULTILINE)
    section, text, rules, reasons, vectors = row
    told = conformance("explain", "lmdl-12").stdout
    assert told.startswith(f"lmdl-12: {text}\n  document    coordinate document, {section}\n")
    assert re.findall(r"  rule +(\S+): ", told) == rules.split(", ")
    assert f"  reasons     {reasons.strip('`')}\n  cases       {vectors}\n" in told


@pytest.mark.parametrize("name", ["slot-crc", "lmdl.commit"])
def test_the_command_that_explain_names_lists_as_many_cases_as_it_says(name: str) -> None:
    told = re.search(r"cases +(\d+): (.+)", conformance("explain", name).stdout)
    assert told is not None
    listed = conformance(*told[2].split()[1:]).stdout.splitlines()
    assert len(listed) == int(told[1]) > 0


def test_inspect_points_at_the_bad_byte_of_an_envelope(tmp_path: Path) -> None:
    data = bytearray((ROOT / "vectors/flysess1/golden/one-payload.bin").read_bytes())
    data[-5] ^= 0x80
    path = tmp_path / "envelope.bin"
    path.write_bytes(data)
    done = conformance("inspect", str(path), "--adapter", "python")
    assert done.returncode == 1
    assert "rejected as bad-footer-magic" in done.stdout
    assert f"first bad byte: {len(data) - 5} " in done.stdout
    assert "in footer/magic: found d3, expected 53" in done.stdout


@pytest.mark.parametrize(
    ("golden", "checksum", "guard"),
    [
        ("lmdl/golden/slot-plain.bin", "crc32", 4),
        ("flysess1/golden/one-payload.bin", "footer/prefixDigest", 48),
    ],
)
def test_inspect_blames_no_single_byte_for_a_checksum(tmp_path: Path, golden: str, checksum: str, guard: int) -> None:
    data = bytearray((ROOT / "vectors" / golden).read_bytes())
    data[-guard - 1] ^= 1
    path = tmp_path / "broken.bin"
    path.write_bytes(data)
    done = conformance("inspect", str(path), "--adapter", "python")
    (told,) = [line for line in done.stdout.splitlines() if line.startswith("first bad byte: ")]
    assert told.startswith(f"first bad byte: not known; {checksum} ")
    assert f"the damage may be anywhere in bytes 0 to {len(data) - guard - 1}, which this field covers" in told


@pytest.mark.parametrize("slot", ["A", "B"])
def test_inspect_looks_into_a_slot_when_no_slot_is_valid(tmp_path: Path, slot: str) -> None:
    good = (ROOT / "vectors/lmdl/golden/slot-plain.bin").read_bytes()
    bad = good[:20] + bytes([good[20] ^ 1]) + good[21:]
    path = tmp_path / "s.meta"
    path.write_bytes(bad + bad if slot == "A" else bytes(64) + bad)
    done = conformance("inspect", str(path), "--adapter", "python")
    start = 0 if slot == "A" else 64
    assert "rejected as meta-no-valid-slot" in done.stdout
    assert (
        f"first bad byte: not known; slot/{slot}/crc32 (from byte {start + 60} on) does not agree: "
        f"the damage may be anywhere in bytes {start} to {start + 59}, "
    ) in done.stdout


def test_inspect_names_the_payload_that_a_digest_covers(tmp_path: Path) -> None:
    data = bytearray((ROOT / "vectors/flysess1/golden/one-payload.bin").read_bytes())
    table = int.from_bytes(data[24:28], "little")
    start, length = (int.from_bytes(data[table + at : table + at + 8], "little") for at in (64, 72))
    data[start] ^= 1
    footer = len(data) - 48
    data[footer + 8 : footer + 40] = hashlib.sha256(data[:footer]).digest()
    path = tmp_path / "envelope.bin"
    path.write_bytes(data)
    done = conformance("inspect", str(path), "--adapter", "python")
    assert f"anywhere in bytes {start} to {start + length - 1}, which this field covers" in done.stdout


def test_inspect_takes_the_length_of_a_log_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "s.meta"
    shutil.copy(ROOT / "vectors/lmdl/golden/meta-a-newer.bin", path)
    without = conformance("inspect", str(path), "--adapter", "python")
    assert (without.returncode, "rejected as dedup-short" in without.stdout) == (1, True)
    assert "--log-length gives another" in without.stdout
    given = conformance("inspect", str(path), "--adapter", "python", "--log-length", "1000000")
    assert given.returncode == 0
    assert "note:" not in given.stdout


def test_inspect_lays_out_a_good_meta_file_with_its_log(tmp_path: Path) -> None:
    (tmp_path / "data.meta").write_bytes(bytes(128))
    done = conformance("inspect", str(tmp_path / "data.meta"), "--adapter", "python")
    assert done.returncode == 0
    assert "slot/B/dedup_count" in done.stdout
