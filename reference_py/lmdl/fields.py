"""Unsigned integers of a fixed width, as every `lmdl` structure stores them."""

from __future__ import annotations

from reference_py.rejection import Rejection

U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1


def require_in_range(value: int, maximum: int, at: str) -> None:
    """Reject `field-out-of-range` at the field when its value does not fit (LMDL-COORDINATE, LMDL-SLOT, LMDL-COMMIT).

    A value that is cut to its width on the way to disk would come back as another one.
    """
    if not 0 <= value <= maximum:
        shown = str(value) if value.bit_length() <= 128 else "an integer too long to show"
        raise Rejection("field-out-of-range", at, f"found {shown}, expected 0 to {maximum}")
