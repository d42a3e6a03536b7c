"""Cases of PFC-MEMBERS with two faults: the row of the table that is judged first gives the reason."""

from __future__ import annotations

from itertools import pairwise

from conformance.formats.pfc.cases.texts import V1, V1_TEXT, swapped
from conformance.formats.pfc.cases.topic import Topic
from conformance.vectorgen.vector_set import VectorSet, reject


def build(vectors: VectorSet) -> None:
    """Add the file of precedence cases."""
    cases = vectors.file("metadata-order", operation="pfc.metadata.decode", title="Two faults: the first row")
    _neighbours(Topic(cases, "order"))
    _whole_rows(Topic(cases, "order"))


def _neighbours(topic: Topic) -> None:
    """Each row of the table broken together with the one after it: the earlier row is the answer."""
    rows: tuple[tuple[str, str, str, str], ...] = (
        ("/format_version", "3", "version-unsupported", "/format_version"),
        ("/accepted_time", "null", "member-type", "/accepted_time"),
        ("/accepted_increment", "-1", "member-range", "/accepted_increment"),
        ("/result_counter", "-1", "member-range", "/result_counter"),
        ("/domain/global_dimensions", "[0,1,1]", "member-range", "/domain/global_dimensions/0"),
        ("/domain/physical_origin", "[]", "member-type", "/domain/physical_origin"),
        ("/domain/grid_spacing", "[1,1,null]", "member-type", "/domain/grid_spacing/2"),
        ("/domain/periodic", "[1,1,1]", "member-type", "/domain/periodic/0"),
        ("/decomposition", "5", "member-type", "/decomposition"),
        ("/method_identity", "null", "member-type", "/method_identity"),
        ("/fields", '["-"]', "member-range", "/fields/0"),
        ("/boundary_conditions", "[5]", "member-type", "/boundary_conditions/0"),
    )
    for (pointer, value, reason, at), (after, other, _, _) in pairwise(rows):
        name = f"{pointer[1:]}-before-{after[1:]}".replace("domain/", "").replace("_", "-")
        title = f"{pointer} and {after} are both wrong"
        why = "judges members in another order than the table's"
        topic.add(name, title, why, [(pointer, value), (after, other)], reject(reason, at), tag="precedence")
    first = rows[0]
    change_all: list[tuple[str, str | None]] = [(pointer, value) for pointer, value, _, _ in rows]
    everything = reject(first[2], first[3])
    topic.add("all-rows", "every row is wrong", "judges another row first", change_all, everything, tag="precedence")


def _whole_rows(topic: Topic) -> None:
    dims, layout = "/domain/global_dimensions", "/decomposition"
    most, zeros, ones = "2147483647", "[0,0,0]", "[1,1,1]"
    layout_text = '{"mpi_size":%s,"local_size":%s,"local_offset":%s}'
    rest = '"physical_origin":[0,0,0],"grid_spacing":[1,1,1],"periodic":[true,true,true]'
    for name, pointer, value, one, other, why in (
        ("type-before-range", dims, "[0,3,null]", ("type", "/2", "[4,3,null]"), ("range", "/0", "[0,3,8]"),
         "judges element by element"),
        ("count-before-element-type", dims, "[null,3]", ("type", "", "[4,3]"), ("type", "/0", "[null,3,8]"),
         "judges elements before the count"),
        ("count-before-range", dims, "[0,3,8,1]", ("type", "", "[4,3,8,1]"), ("range", "/0", "[0,3,8]"),
         "judges elements before the count"),
        ("first-wrong-element", dims, '[4,true,"8"]', ("type", "/1", "[4,true,8]"), ("type", "/2", '[4,3,"8"]'),
         "reports the last wrong element"),
        ("first-element-out-of-range", dims, "[4,0,-1]", ("range", "/1", "[4,0,8]"), ("range", "/2", "[4,3,-1]"),
         "reports the last one"),
        ("element-before-product", dims, f"[{most},{most},2147483648]", ("range", "/2", "[4,3,2147483648]"),
         ("range", "", f"[{most},{most},8]"), "judges the product before every element's range"),
        ("zero-before-product", dims, f"[{most},{most},0]", ("range", "/2", "[4,3,0]"),
         ("range", "", f"[{most},{most},8]"), "lets a zero hide the range behind a product of 0"),
        ("layout-rows-whole", layout, layout_text % ("0", "null", zeros),
         ("range", "/mpi_size", layout_text % ("0", ones, zeros)),
         ("type", "/local_size", layout_text % ("1", "null", zeros)),
         "judges all types before all ranges; here one member is judged whole before the next"),
        ("layout-size-before-offset", layout, '{"local_offset":null,"mpi_size":1,"local_size":[1,1,0]}',
         ("range", "/local_size/2", '{"local_offset":[0,0,0],"mpi_size":1,"local_size":[1,1,0]}'),
         ("type", "/local_offset", '{"local_offset":null,"mpi_size":1,"local_size":[1,1,1]}'),
         "judges members in writing order"),
        ("layout-missing-before-range", layout, '{"local_size":[0,0,0],"local_offset":[0,0,0]}',
         ("missing", "/mpi_size", '{"local_size":[1,1,1],"local_offset":[0,0,0]}'),
         ("range", "/local_size/0", layout_text % ("1", zeros, zeros)), "judges what is there first"),
        ("layout-size-missing-before-offset", layout, '{"mpi_size":1}',
         ("missing", "/local_size", '{"mpi_size":1,"local_offset":[0,0,0]}'),
         ("missing", "/local_offset", '{"mpi_size":1,"local_size":[1,1,1]}'), "reports the last missing member"),
        ("domain-empty", "/domain", "{}", ("missing", "/global_dimensions", f"{{{rest}}}"),
         ("missing", "/physical_origin", '{"global_dimensions":[4,3,8]}'), "reports another row of the domain"),
    ):  # fmt: skip
        alone = [
            (reject(f"member-{reason}", pointer + place), [(pointer, text)]) for reason, place, text in (one, other)
        ]
        title = f"{pointer} is {value}"
        topic.add(name, title, why, [(pointer, value)], alone[0][0], tag="precedence", alone=alone)
    change = [("/result_counter", "1.5"), ("/domain", None)]
    at = "/result_counter"
    why = "asks for the domain before it judges the rows in front of it"
    topic.add(
        "counter-before-no-domain",
        "result_counter wrong, domain missing",
        why,
        change,
        reject("member-type", at),
        tag="precedence",
    )
    periodic, method = (
        ('"domain": {', '"domain": {"periodic": 5,'),
        ('"method_identity": "etd"', '"method_identity": 5'),
    )
    old = swapped(V1_TEXT, periodic, method)
    expect, second = reject("version-1-periodic", "/domain/periodic"), reject("member-type", "/method_identity")
    v1 = Topic(topic.cases, topic.topic, V1, V1_TEXT)
    why = "judges the flags of version 1 after all other members"
    v1.add(
        "version-1-periodic-before-method",
        "version 1 with periodic and a wrong method",
        why,
        old,
        expect,
        "R-PFC-4",
        tag="precedence",
        alone=[(expect, swapped(V1_TEXT, periodic)), (second, swapped(V1_TEXT, method))],
    )
    spacing = ("2.5", "null")
    old = swapped(V1_TEXT, periodic, spacing)
    expect, second = reject("member-type", "/domain/grid_spacing/2"), expect
    why = "judges the flags of version 1 before all other members"
    v1.add(
        "spacing-before-version-1-periodic",
        "version 1 with periodic and a wrong spacing",
        why,
        old,
        expect,
        "R-PFC-4",
        tag="precedence",
        alone=[(expect, swapped(V1_TEXT, spacing)), (second, swapped(V1_TEXT, periodic))],
    )
