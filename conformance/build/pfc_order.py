"""Cases of PFC-MEMBERS with two faults: the row of the table that is judged first gives the reason."""

from __future__ import annotations

from itertools import pairwise

from conformance.build.book import Book, reject
from conformance.build.pfc_texts import V1, V1_TEXT, swapped
from conformance.build.pfc_topic import Topic


def build(book: Book) -> None:
    """Add the file of precedence cases."""
    cases = book.file("metadata-order", operation="pfc.metadata.decode", title="Two faults: the first row")
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
    first, last = rows[0], rows[-1]
    for pointer, value, reason, at in rows[1:-1]:
        name = f"{pointer[1:]}-before-conditions".replace("domain/", "").replace("_", "-")
        if name != "fields-before-conditions":
            change = [(last[0], last[1]), (pointer, value)]
            why = "judges the text in the order in which it is written"
            topic.add(name, f"{pointer} and {last[0]} are wrong", why, change, reject(reason, at), tag="precedence")
    change_all: list[tuple[str, str | None]] = [(pointer, value) for pointer, value, _, _ in rows]
    everything = reject(first[2], first[3])
    topic.add("all-rows", "every row is wrong", "judges another row first", change_all, everything, tag="precedence")


def _whole_rows(topic: Topic) -> None:
    dims, layout = "/domain/global_dimensions", "/decomposition"
    for name, pointer, value, reason, at, why in (
        ("type-before-range", dims, "[0,3,null]", "member-type", dims + "/2", "judges element by element"),
        ("count-before-element-type", dims, "[null,3]", "member-type", dims, "judges elements before the count"),
        ("count-before-range", dims, "[0,3,8,1]", "member-type", dims, "judges elements before the count"),
        ("first-wrong-element", dims, '[4,true,"8"]', "member-type", dims + "/1", "reports the last wrong element"),
        ("first-element-out-of-range", dims, "[4,0,-1]", "member-range", dims + "/1", "reports the last one"),
        ("element-before-product", dims, "[2147483647,2147483647,2147483648]", "member-range", dims + "/2",
         "judges the product before every element's range"),
        ("zero-before-product", dims, "[2147483647,2147483647,0]", "member-range", dims + "/2",
         "lets a zero hide the range behind a product of 0"),
        ("layout-rows-whole", layout, '{"mpi_size":0,"local_size":null,"local_offset":[0,0,0]}', "member-range",
         layout + "/mpi_size", "judges all types before all ranges; here one member is judged whole before the next"),
        ("layout-size-before-offset", layout, '{"local_offset":null,"mpi_size":1,"local_size":[1,1,0]}',
         "member-range", layout + "/local_size/2", "judges members in writing order"),
        ("layout-missing-before-range", layout, '{"local_size":[0,0,0],"local_offset":[0,0,0]}', "member-missing",
         layout + "/mpi_size", "judges what is there first"),
        ("layout-size-missing-before-offset", layout, '{"mpi_size":1}', "member-missing", layout + "/local_size",
         "reports the last missing member"),
        ("domain-empty", "/domain", "{}", "member-missing", dims, "reports another row of the domain"),
    ):  # fmt: skip
        topic.add(name, f"{pointer} is {value}", why, [(pointer, value)], reject(reason, at), tag="precedence")
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
    old = swapped(
        V1_TEXT, ('"domain": {', '"domain": {"periodic": 5,'), ('"method_identity": "etd"', '"method_identity": 5')
    )
    expect = reject("version-1-periodic", "/domain/periodic")
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
    )
    old = swapped(V1_TEXT, ('"domain": {', '"domain": {"periodic": 5,'), ("2.5", "null"))
    expect = reject("member-type", "/domain/grid_spacing/2")
    why = "judges the flags of version 1 before all other members"
    v1.add(
        "spacing-before-version-1-periodic",
        "version 1 with periodic and a wrong spacing",
        why,
        old,
        expect,
        "R-PFC-4",
        tag="precedence",
    )
