"""Cases of PFC-CANONICAL for numbers: how each spelling reads, and the one way in which its value is written."""

from __future__ import annotations

from conformance.formats.pfc.cases.texts import (
    FULL,
    FULL_META,
    FULL_TEXT,
    MINIMAL,
    MINIMAL_META,
    MINIMAL_TEXT,
    accepted,
    changed,
    revalued,
)
from conformance.vectorgen.vector_set import VectorSet

_FLOATS: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = (
    ("zero", "0", "0.0", "writes a whole number without its point", ()),
    ("minus-zero-integer", "-0", "-0.0", "reads -0 as an integer and loses the sign", ()),
    ("minus-zero", "-0.0", "-0.0", "loses the sign of zero", ()),
    ("minus-zero-exponent", "-0E-0", "-0.0", "loses the sign of zero", ()),
    ("zero-exponent", "0e5", "0.0", "scales zero", ()),
    ("zero-huge-exponent", "0e999999999999", "0.0", "judges the exponent of a zero as infinite", ()),
    ("integer", "5", "5.0", "writes a whole number without its point", ()),
    ("negative", "-17", "-17.0", "drops the sign", ()),
    ("minus-one", "-1", "-1.0", "keeps -1 for a value that is not there", ()),
    ("capital-exponent", "1E2", "100.0", "keeps the spelling", ()),
    ("exponent-plus", "1e+2", "100.0", "keeps the spelling", ()),
    ("exponent-leading-zeros", "1e002", "100.0", "refuses leading zeros in an exponent, which are allowed", ()),
    ("trailing-zeros", "1.500", "1.5", "keeps the spelling", ()),
    ("largest-plain-power", "1e14", "100000000000000.0", "turns to exponents one power early", ()),
    ("fifteen-digits", "123456789012345", "123456789012345.0", "turns to exponents one power early", ()),
    ("fifteen-nines", "999999999999999", "999999999999999.0", "turns to exponents one power early", ()),
    ("below-1e15", "999999999999999.9", "999999999999999.9", "rounds across the threshold", ()),
    ("threshold-1e15", "1000000000000000", "1e+15", "turns to exponents one power late, as Python's repr does", ()),
    ("above-1e15", "1000000000000001", "1.000000000000001e+15", "turns to exponents by digit count", ()),
    ("sixteen-digits", "1234567890123456", "1.234567890123456e+15", "turns to exponents at 1e16, as Python does", ()),
    ("two-to-53-less-one", "9007199254740991", "9.007199254740991e+15", "reads integers apart from binary64", ()),
    ("two-to-53", "9007199254740992", "9.007199254740992e+15", "reads integers apart from binary64", ()),
    ("two-to-53-and-one", "9007199254740993", "9.007199254740992e+15", "keeps an integer that no binary64 holds", ()),
    ("two-to-53-and-three", "9007199254740995", "9.007199254740996e+15", "rounds a tie to zero instead of even", ()),
    ("1e16", "1e16", "1e+16", "writes e16 without a sign", ()),
    ("1e21", "1e21", "1e+21", "turns to exponents at 1e21, as a script does", ()),
    ("1e22", "1e22", "1e+22", "writes the digits of the exact value", ()),
    ("1e23", "1e23", "1e+23", "writes 9.999999999999999e+22", ()),
    ("1e100", "1e100", "1e+100", "writes at most two exponent digits", ()),
    ("300-digits", "1" + "0" * 299, "1e+299", "reads integers into a fixed width", ()),
    ("thousandth", "0.001", "0.001", "turns to exponents one power early", ()),
    ("smallest-plain-power", "0.0001", "0.0001", "turns to exponents one power early", ()),
    ("smallest-plain-spelt", "1e-4", "0.0001", "keeps the spelling", ()),
    ("smallest-plain-digits", "1.2345678901234567e-4", "0.00012345678901234567", "turns to exponents by length", ()),
    ("threshold-1e-5", "0.00001", "1e-05", "turns to exponents one power late, or writes e-5", ()),
    ("below-1e-4", "0.00009999", "9.999e-05", "turns to exponents one power late", ()),
    ("rounds-to-1e-4", "0.000099999999999999999", "0.0001", "decides by the spelling which form to write", ()),
    ("1e-7", "1e-7", "1e-07", "writes e-7, as a script does", ()),
    ("small-digits", "1.5e-9", "1.5e-09", "writes e-9", ()),
    ("1e-10", "1e-10", "1e-10", "pads exponents to three digits", ()),
    ("1e-100", "-1e-100", "-1e-100", "writes at most two exponent digits", ()),
    ("tenth", "0.1", "0.1", "writes seventeen digits", ()),
    ("tenth-seventeen-digits", "0.10000000000000001", "0.1", "takes only the shortest digits", ("R-PFC-7",)),
    ("tenth-exact", "0.1000000000000000055511151231257827021181583404541015625", "0.1",
     "keeps the digits that it read", ("R-PFC-7",)),
    ("third-sum", "0.30000000000000004", "0.30000000000000004", "writes sixteen digits", ()),
    ("next-to-one", "1.0000000000000002", "1.0000000000000002", "writes sixteen digits", ()),
    ("tie-to-one", "1.00000000000000011102230246251565404236316680908203125", "1.0",
     "rounds a tie up, or cuts digits off before it rounds", ("R-PFC-7",)),
    ("above-tie", "1.000000000000000111022302462515654042363166809082031251", "1.0000000000000002",
     "cuts a long decimal before the digit that breaks the tie", ("R-PFC-7",)),
    ("largest", "1.7976931348623157e308", "1.7976931348623157e+308", "refuses the largest binary64", ()),
    ("rounds-to-largest", "1.7976931348623158e308", "1.7976931348623157e+308", "refuses what still rounds down", ()),
    ("smallest-normal", "2.2250738585072014e-308", "2.2250738585072014e-308", "flushes small numbers to zero", ()),
    ("largest-subnormal", "2.2250738585072011e-308", "2.225073858507201e-308", "loops or rounds up at that edge", ()),
    ("smallest", "5e-324", "5e-324", "writes 4.94e-324, or flushes subnormals to zero", ("R-JSON-4",)),
    ("smallest-long", "4.9406564584124654e-324", "5e-324", "writes the digits that it read", ("R-JSON-4", "R-PFC-7")),
    ("above-half-smallest", "2.5e-324", "5e-324", "flushes to zero below the smallest subnormal", ()),
    ("below-half-smallest", "2.4e-324", "0.0", "rounds every non-zero number up to the smallest subnormal", ()),
    ("underflow-negative", "-1e-400", "-0.0", "refuses underflow, or loses the sign", ()),
    ("many-zeros-and-exponent", "0." + "0" * 400 + "1e401", "1.0", "judges the written exponent as infinite", ()),
    ("long-and-negative-exponent", "1" + "0" * 400 + "e-400", "1.0", "judges the significand as infinite", ()),
    ("witness-not-closest", "1424953923781206.25", "1.4249539237812062e+15",
     "writes a shortest decimal that is not the closest", ("R-JSON-4",)),
    ("witness-even-digit", "2200546244643836.25", "2.2005462446438362e+15",
     "breaks the tie between two shortest decimals upwards", ("R-JSON-4",)),
    ("witness-even-digit-plain", "599938067598935.25", "599938067598935.2",
     "breaks the tie between two shortest decimals upwards", ("R-JSON-4",)),
    ("witness-two-to-91", "2475880078570760549798248448", "2.4758800785707605e+27",
     "finds too many or too few digits at a power of two", ("R-JSON-4",)),
    ("witness-two-to-minus-25", "2.98023223876953125e-8", "2.9802322387695312e-08",
     "breaks the tie at a power of two upwards", ("R-JSON-4",)),
    ("witness-read", "117.63331139400017", "117.63331139400017", "reads a decimal one unit off", ("R-JSON-4",)),
)  # fmt: skip
"""Name, spelling, FLOAT written by hand, the mistake caught, rulings."""

_CONFIGS: tuple[tuple[str, str, str, str], ...] = (
    ("zero", "0", "0", "writes integers as binary64"),
    ("minus-zero", "-0", "0", "keeps the sign of an integer zero"),
    ("minus-zero-float", "-0.0", "-0.0", "loses the sign of a binary64 zero"),
    ("minus-zero-exponent", "-0e0", "-0.0", "takes a whole number with an exponent for an integer"),
    ("minus-one", "-1", "-1", "writes integers as unsigned"),
    ("two-to-53-and-one", "9007199254740993", "9007199254740993", "reads integers as binary64"),
    ("1e15-as-integer", "1000000000000000", "1000000000000000", "turns an integer to exponents"),
    ("largest-signed", "9223372036854775807", "9223372036854775807", "reads integers as binary64"),
    ("two-to-63", "9223372036854775808", "9223372036854775808", "reads integers as signed 64-bit only"),
    ("largest-unsigned", "18446744073709551615", "18446744073709551615", "reads integers as signed 64-bit only"),
    ("two-to-64", "18446744073709551616", "1.8446744073709552e+19", "keeps integers of any size"),
    ("two-to-64-and-one", "18446744073709551617", "1.8446744073709552e+19", "wraps to 1"),
    ("smallest-signed", "-9223372036854775808", "-9223372036854775808", "bounds signed integers one off"),
    ("below-smallest-signed", "-9223372036854775809", "-9.223372036854776e+18", "keeps integers of any size"),
    ("thirty-digits", "123456789012345678901234567890", "1.2345678901234568e+29", "keeps integers of any size"),
    ("one-with-point", "1.0", "1.0", "takes a whole number for an integer"),
    ("one-with-exponent", "1e0", "1.0", "takes a whole number for an integer"),
    ("capital-exponent", "1E2", "100.0", "keeps the spelling"),
    ("large-with-exponent", "9223372036854775807e0", "9.223372036854776e+18", "takes a whole number for an integer"),
    ("threshold-1e15", "1e15", "1e+15", "turns to exponents one power late"),
    ("threshold-1e-5", "0.00001", "1e-05", "writes e-5"),
    ("smallest", "5e-324", "5e-324", "flushes subnormals to zero"),
    ("underflow", "1e-400", "0.0", "refuses underflow"),
    ("largest", "1.7976931348623157E+308", "1.7976931348623157e+308", "keeps the spelling"),
)
"""Name, spelling, JSONTEXT written by hand, the mistake caught."""


def build(vectors: VectorSet) -> None:
    """Add the files for the numbers of the table's members and for those inside ``config`` and ``state``."""
    floats = vectors.file("metadata-numbers", operation="pfc.metadata.decode", title="Numbers: read, and written again")
    for name, spelling, text, why, rulings in _FLOATS:
        shown = spelling if len(spelling) < 60 else f"a number of {len(spelling)} characters"
        floats.case(
            f"pfc/number/{name}",
            title=f"{shown} is written {text}",
            why=why,
            rules=("PFC-CANONICAL", "JSON-DIGITS"),
            rulings=rulings,
            tags=("boundary",),
            base=MINIMAL,
            edits=revalued(MINIMAL_TEXT, "/accepted_time", spelling),
            expect=accepted(changed(MINIMAL_META, accepted_time=text)),
        )
    for member in ("physical_origin", "grid_spacing"):
        values = ["-0.0", "1e+15", "1e-05"]
        floats.case(
            f"pfc/number/{member.replace('_', '-')}",
            title=f"The same spellings in {member}",
            why="formats the numbers of a list in another way than a single number, or refuses integers there",
            rules=("PFC-CANONICAL", "JSON-DIGITS"),
            tags=("boundary",),
            base=MINIMAL,
            edits=revalued(MINIMAL_TEXT, f"/domain/{member}", "[-0,1000000000000000,0.00001]"),
            expect=accepted(changed(MINIMAL_META, domain={member: values})),
        )
    configs = vectors.file("metadata-config", operation="pfc.metadata.decode", title="Any JSON inside config and state")
    for name, spelling, text, why in _CONFIGS:
        state = "state" if name.startswith(("two-to-64", "one-with")) else "config"
        other = {"config": '"moving"', "state": '{"first":false,"idx":3,"xpos":1.5}'}
        entries = [FULL_META["boundary_conditions"][0], other | {state: text}]
        configs.case(
            f"pfc/config-number/{name}",
            title=f"{spelling} in {state} is written {text}",
            why=why,
            rules=("PFC-CANONICAL", "JSON-DIGITS"),
            tags=("boundary",),
            base=FULL,
            edits=revalued(FULL_TEXT, f"/boundary_conditions/1/{state}", spelling),
            expect=accepted(changed(FULL_META, boundary_conditions=entries)),
        )
