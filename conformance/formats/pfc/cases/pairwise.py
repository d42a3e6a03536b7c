"""Every two faults of metadata at once: read, written, and compared with what is to be restored."""

from __future__ import annotations

from conformance.formats.pfc.cases.pairwise_base import DIMENSIONS, PATH, TEXT, keep, member_faults, text_faults
from conformance.formats.pfc.cases.texts import FULL_META, V1, V1_TEXT, revalued, without
from conformance.rules.order import load_order
from conformance.vectorgen.pairwise import add_pairs, fault
from conformance.vectorgen.vector_set import Data, VectorFile, VectorSet, insert

CONDITIONS = "/boundary_conditions"


def build(vectors: VectorSet) -> None:
    """Write a list of faults for each of the three operations."""
    keep(vectors)
    _decode(vectors.file("pairs-decode", operation="pfc.metadata.decode", title="Two faults of one text"))
    encode = vectors.file("pairs-encode", operation="pfc.metadata.encode", title="Two faults of one value")
    faults = [*value_faults("/value"), *_field_ids()]
    add_pairs(encode, "encode", faults, input={"value": FULL_META}, rules=["PFC-ENCODE", "PFC-MEMBERS"])
    _restore(vectors.file("pairs-restore", operation="pfc.restore_check", title="Two faults before a restart"))


def _decode(file: VectorFile) -> None:
    rules = ["PFC-MEMBERS"]
    add_pairs(file, "decode", [*text_faults(), *member_faults().values()], base=PATH, rules=rules)
    version, flags = "/format_version", V1_TEXT.index(b'"physical_origin"')
    old = [
        fault("member-missing", version, edits=without(V1_TEXT, version)),
        fault("member-type", version, edits=revalued(V1_TEXT, version, "1.0")),
        fault("version-1-periodic", "/domain/periodic", edits=[insert(flags, b'"periodic": [true, true, true], ')]),
    ]
    add_pairs(file, "decode-version-1", old, base=V1, rules=rules)


def some_member_faults(operation: str) -> list[Data]:
    """Return those faults of the rows that the order of ``operation`` names: enough for every two reasons both ways."""
    wanted = load_order()[operation]
    return [data for data in member_faults().values() if wanted.check(data["reject"]) is not None]


def value_faults(parent: str) -> list[Data]:
    """Return the faults of a META at the pointer ``parent``, which has a decomposition and two conditions."""
    most = 2**31 - 1
    domain, layout = f"{parent}/domain", f"{parent}/decomposition"
    ranges: dict[str, dict[str, object]] = {
        "/accepted_time": {f"{parent}/accepted_time": "NaN"},
        "/accepted_increment": {f"{parent}/accepted_increment": -1},
        "/result_counter": {f"{parent}/result_counter": -1},
        "/domain/global_dimensions/1": {f"{domain}/global_dimensions/1": 0},
        "/domain/global_dimensions": {f"{domain}/global_dimensions/0": most, f"{domain}/global_dimensions/2": most},
        "/domain/physical_origin/0": {f"{domain}/physical_origin/0": "Infinity"},
        "/domain/grid_spacing/1": {f"{domain}/grid_spacing/1": "-Infinity"},
        "/decomposition/mpi_size": {f"{layout}/mpi_size": 0},
        "/decomposition/local_size/0": {f"{layout}/local_size/0": 0},
        "/decomposition/local_size/1": {f"{layout}/local_size/1": 2**31},
        "/decomposition/local_offset/0": {f"{layout}/local_offset/0": -1},
    }
    deep = "[" * 125 + "]" * 125
    return [
        fault("version-unsupported", "/format_version", members={f"{parent}/format_version": 3}),
        *(fault("member-range", at, members=members) for at, members in ranges.items()),
        fault("metadata-too-deep", members={f"{parent}{CONDITIONS}/0/state": deep}),
    ]


def _field_ids() -> list[Data]:
    return [
        fault("member-range", "/fields/1", members={"/value/fields/1": "-"}),
        fault("member-range", "/fields/2", members={"/value/fields/2": "psi"}),
    ]


def _restore(file: VectorFile) -> None:
    asked: Data = {
        "global_dimensions": DIMENSIONS,
        "physical_origin": ["0.0", "-0.0", "1e-05"],
        "grid_spacing": ["1.0", "0.5", "2.5"],
        "periodic": [True, True, False],
        "method_identity": "etd/2",
        "fields": ["T_2", "psi"],
        "boundary_conditions": [{"config": '"fixed"', "stateful": False}, {"config": '"moving"', "stateful": True}],
    }
    one: Data = {"config": "0", "stateful": False}
    unlike = [
        fault("restore-grid", members={"/request/grid_spacing/2": "2.25"}),
        fault("restore-periodicity", members={"/request/periodic/2": True}),
        fault("restore-method", members={"/request/method_identity": "etd"}),
        fault("restore-fields", "fields/u2", members={"/request/fields/0": "u2"}),
        fault("restore-fields", "fields/v", members={"/request/fields/1": "v"}),
        *(
            fault("restore-boundary", f"{CONDITIONS}/{i}", members={f"/request{CONDITIONS}/{i}/config": "1"})
            for i in (0, 1)
        ),
        fault("restore-boundary", CONDITIONS, members={f"/request{CONDITIONS}/2": one}),
        fault("restore-boundary-state", f"{CONDITIONS}/0", members={f"/request{CONDITIONS}/0/stateful": True}),
        fault("restore-boundary-state", f"{CONDITIONS}/1", edits=revalued(TEXT, f"{CONDITIONS}/1/state", "null")),
    ]
    faults = [*text_faults(), *some_member_faults(file.operation), *unlike]
    add_pairs(file, "restore", faults, base=PATH, into="metadata", input={"request": asked}, rules=["PFC-RESTORE"])
