"""The lines of protocol 1: requests written, handshakes and answers read. Pure: nothing here touches a process."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from collections.abc import Mapping
from typing import NoReturn, cast

from harness.model import Answer, Implementation, Json, Outcome

PROTOCOL = 1
_SHOWN = 100
_IMPLEMENTATION = ("name", "version", "language", "runtime")
_ANSWERS = ("ok", "reject", "error")
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class BrokenLine(Exception):  # noqa: N818 - it is the protocol's word for what arrived, not for a fault of ours
    """A line that protocol 1 does not allow; the message says why and shows its beginning."""


class Refusal(Exception):  # noqa: N818 - an adapter's proper answer, not a fault of ours
    """An adapter that answers the handshake with ``error``: it does not speak this protocol version."""


def start_line() -> bytes:
    """Return the line that opens the conversation."""
    return _line({"cmd": "start", "protocol": PROTOCOL})


def run_line(id: str, operation: str, input: Mapping[str, Json]) -> bytes:  # noqa: A002 - the protocol's words
    """Return the line that puts one question. ``input`` is plain JSON: BYTES are already base64 or a path."""
    return _line({"cmd": "run", "id": id, "op": operation, "input": input})


def stop_line() -> bytes:
    """Return the line that asks the adapter to exit."""
    return _line({"cmd": "stop"})


def parse_handshake(line: bytes) -> Implementation:
    """Return what the adapter says of itself. Raises :class:`BrokenLine`, or :class:`Refusal` for ``error``."""
    value = _object(line)
    if set(value) == {"error"}:
        raise Refusal(_error_message(value["error"], line))
    extra = set(value) - {"protocol", "implementation", "operations", "locations"}
    if extra:
        _broken(line, f"the handshake has an unknown member {min(extra)!r}")
    if type(value.get("protocol")) is not int or value["protocol"] != PROTOCOL:
        _broken(line, f"the handshake's protocol is not {PROTOCOL}")
    names = value.get("implementation")
    if not isinstance(names, dict) or set(names) != set(_IMPLEMENTATION):
        _broken(line, "the handshake's implementation is no object of exactly name, version, language and runtime")
    if not all(isinstance(names[key], str) for key in _IMPLEMENTATION):
        _broken(line, "a member of the handshake's implementation is no string")
    operations = value.get("operations")
    if not isinstance(operations, list) or not all(isinstance(name, str) for name in operations):
        _broken(line, "the handshake's operations is no list of strings")
    locations = value.get("locations", True)
    if not isinstance(locations, bool):
        _broken(line, "the handshake's locations is no boolean")
    texts = {key: cast(str, names[key]) for key in _IMPLEMENTATION}
    listed = Counter(cast(list[str], operations))
    repeated = frozenset(name for name, times in listed.items() if times > 1) or None
    return Implementation(**texts, operations=frozenset(listed), locations=locations, repeated=repeated)


def parse_answer(line: bytes, id: str) -> Answer:  # noqa: A002 - the protocol's word
    """Return the answer to the request ``id``. Raises :class:`BrokenLine`; ``error`` is an answer of outcome broken."""
    value = _object(line)
    if "id" not in value:
        _broken(line, "the answer has no id")
    if value["id"] != id:
        found = json.dumps(value["id"])[:_SHOWN]
        _broken(line, f"the answer's id is {found}, that of the oldest open request is {json.dumps(id)}")
    kinds = value.keys() - {"id"}
    if len(kinds) != 1 or not kinds.issubset(_ANSWERS):
        _broken(line, "the answer has not exactly one of ok, reject and error, and nothing else, beside its id")
    kind = kinds.pop()
    body = value[kind]
    if kind == "error":
        return Answer(Outcome.BROKEN, message=f"the adapter reports a fault of its own: {_error_message(body, line)}")
    if not isinstance(body, dict):
        _broken(line, f"the answer's {kind} is no object")
    if kind == "ok":
        return Answer(Outcome.ACCEPTED, value=body)
    return _rejection(body, line)


def _rejection(body: Mapping[str, Json], line: bytes) -> Answer:
    if "reason" not in body or not body.keys() <= {"reason", "at", "detail"}:
        _broken(line, "a reject holds reason, and at and detail if it has them, and nothing else")
    if not all(isinstance(text, str) for text in body.values()):
        _broken(line, "a member of the reject is no string; leave out what does not apply")
    texts = cast(Mapping[str, str], body)
    return Answer(Outcome.REJECTED, reason=texts["reason"], at=texts.get("at"), detail=texts.get("detail"))


def _error_message(body: Json, line: bytes) -> str:
    if not isinstance(body, dict) or set(body) != {"message"} or not isinstance(body["message"], str):
        _broken(line, "an error is no object of exactly a message, which is a string")
    return body["message"]


def _line(value: Mapping[str, Json]) -> bytes:
    return _ENCODER.encode(value).encode("utf-8") + b"\n"


def _object(line: bytes) -> dict[str, Json]:
    """Return the JSON object that ``line`` (without its LF) is, read more strictly than ``json`` does."""
    if line.endswith(b"\r"):
        _broken(line, "the line ends in CR LF; lines end in LF alone")
    try:
        value = _DECODER.decode(line.decode("utf-8"))
        # An unpaired surrogate escape is no text: it could be neither compared with UTF-8 nor reported.
        if b"\\u" in line:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        _broken(line, f"the line is not UTF-8 at byte {error.start}")
    except UnicodeEncodeError:
        _broken(line, "the line holds an unpaired surrogate escape")
    except RecursionError:
        _broken(line, "the line nests too deeply")
    except _Fault as fault:
        _broken(line, str(fault))
    except ValueError as error:
        _broken(line, f"the line is not JSON ({error})")
    if not isinstance(value, dict):
        _broken(line, "the line is JSON but no object")
    return value


class _Fault(Exception):  # noqa: N818 - never leaves this module
    """What the strict reader finds inside a line."""


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = Counter(name for name, _ in pairs)
        raise _Fault(f"the line repeats the member {names.most_common(1)[0][0]!r}")
    return members


def _no_constant(token: str) -> NoReturn:
    raise _Fault(f"the line holds {token}, which is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_no_constant)


def _broken(line: bytes, why: str) -> NoReturn:
    raise BrokenLine(f"{why}: {excerpt(line)}") from None


def excerpt(line: bytes) -> str:
    """Return the beginning of ``line`` in one line of printable ASCII, for a message: as ``b'…'`` if it is no UTF-8."""
    try:
        # Where the line goes on, the cut may stand inside a character.
        shown = ascii(codecs.utf_8_decode(line[:_SHOWN], "strict", len(line) <= _SHOWN)[0])
    except UnicodeDecodeError:
        shown = ascii(line[:_SHOWN])
    return shown if len(line) <= _SHOWN else f"{shown} … ({len(line)} bytes)"
