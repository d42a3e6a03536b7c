"""Reading the data files of the rules: TOML in UTF-8 within a JSON schema, or one line that says where it is not."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

from conformance.errors import CannotRunError
from conformance.paths import VECTORS

FOLDER = Path(__file__).resolve().parents[1] / "formats"
"""Where each format has its folder, with its ``rules.toml``, ``order.toml`` and ``sentences.toml``."""

_OF_A_FORMAT = ("operations.schema.json", "order.toml", "sentences.toml")
FORMATS = tuple(sorted({path.parent.name for name in _OF_A_FORMAT for path in FOLDER.glob(f"*/{name}")}))
"""Every format: each folder with any of the files that only a format has, so that one that is lost is named."""

Kind: TypeAlias = Literal["rules", "order", "sentences"]
"""What a file holds, which is also the name of its schema."""

_SHOWN = 160


class RulesError(CannotRunError):
    """A data file of the rules cannot be used: the message names file, place, what was found, and what to do next."""


def data_file(kind: Kind, name: str) -> Path:
    """Return where the file of that kind for a format (or ``json``) stands."""
    return FOLDER / name / f"{kind}.toml"


def read_data(kind: Kind, name: str) -> dict[str, Any]:
    """Read one data file. Raises :class:`RulesError` when it is not there, no TOML, or outside its schema."""
    path = data_file(kind, name)
    data = _toml(path)
    fault = best_match(_validator(kind).iter_errors(data))
    if fault is not None:
        raise unusable(path, f"at {fault.json_path}: {_cut(fault.message)}")
    return data


def unusable(path: Path, what: str) -> RulesError:
    """Return the error on a data file, with the way out."""
    return RulesError(f"{path}: {what}; restore the file: git checkout -- {path}")


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise unusable(path, f"cannot be read ({error.strerror}); expected a file of rules") from None
    except UnicodeDecodeError as error:
        found = error.object[error.start]
        raise unusable(path, f"at byte {error.start}: found 0x{found:02x}, expected TOML in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise unusable(path, f"expected TOML, found what is none: {error}") from None
    except RecursionError:
        raise unusable(path, "expected TOML, found values that nest too deeply") from None


@cache
def _validator(kind: Kind) -> Draft202012Validator:
    """Return the validator of a kind of file; the schema of the rules is published with the vectors."""
    folder = VECTORS / "schema" if kind == "rules" else Path(__file__).with_name("schema")
    # The schema of the rules takes its definition of a line from that of the cases.
    names = ("rules", "cases") if kind == "rules" else (kind,)
    schemas = {f"{name}.schema.json": read_schema(folder / f"{name}.schema.json") for name in names}
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in schemas.items()
    )
    return Draft202012Validator(schemas[f"{kind}.schema.json"], registry=registry)


def read_schema(path: Path) -> Any:
    """Read a JSON schema. Raises :class:`RulesError` when it cannot be read or is no JSON."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise unusable(path, f"cannot be read ({error.strerror}); expected a JSON schema") from None
    except (ValueError, RecursionError) as error:
        raise unusable(path, f"expected a JSON schema, found no JSON ({error})") from None


def _cut(message: str) -> str:
    """Shorten a finding that shows the whole of a value, in one line; what is wrong with it stands at the end."""
    line = " ".join(message.split())
    half = _SHOWN // 2
    return line if len(line) <= _SHOWN else f"{line[:half]} … {line[-half:]}"
