"""List the mutants of Python files, one JSON object a line; run by the interpreter that has cosmic-ray.

Cosmic-ray finds and makes the changes. Its operators are narrowed to one or a few that matter for each symbol: for a
comparison the three that any test telling all others apart must tell apart (boundary, and towards both constants) and
the opposite; for arithmetic the opposite. One operator is added, taking out a statement, because a check that is left
out is the commonest mistake of a port. Not mutated: texts for people, which no rule compares, and types.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Installed beside this interpreter and not where the project's types are checked, so nothing is known of their types.
import parso  # type: ignore[import-untyped,import-not-found,unused-ignore]
from cosmic_ray.ast import ast_nodes, get_ast  # type: ignore[import-not-found]
from cosmic_ray.mutating import mutate_code  # type: ignore[import-not-found]
from cosmic_ray.plugins import get_operator  # type: ignore[import-not-found]

_ARITHMETIC = """
    Add_Sub Sub_Add Mul_FloorDiv Div_Mul FloorDiv_Mul Mod_FloorDiv Pow_Mul RShift_LShift LShift_RShift BitOr_BitAnd
    BitAnd_BitOr BitXor_BitAnd
"""
_COMPARISONS = """
    Eq_NotEq Eq_LtE Eq_GtE NotEq_Eq NotEq_Lt NotEq_Gt Lt_LtE Lt_NotEq Lt_GtE LtE_Lt LtE_Eq LtE_Gt Gt_GtE Gt_NotEq Gt_LtE
    GtE_Gt GtE_Eq GtE_Lt Is_IsNot IsNot_Is
"""
_OTHERS = """
    ReplaceUnaryOperator_Delete_USub ReplaceUnaryOperator_Delete_Invert ReplaceUnaryOperator_Delete_Not AddNot
    ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd ReplaceBreakWithContinue
    ReplaceContinueWithBreak ExceptionReplacer NumberReplacer RemoveDecorator ZeroIterationForLoop
"""
_OPERATORS = (
    *(f"ReplaceBinaryOperator_{name}" for name in _ARITHMETIC.split()),
    *(f"ReplaceComparisonOperator_{name}" for name in _COMPARISONS.split()),
    *_OTHERS.split(),
)
_FOR_PEOPLE = {"Rejection": 2, "_GrammarError": 1, "_unexpected": 0, "OSError": 1, "ValueError": 0, "_wrong_type": 1}
"""Callable → the first of its positional arguments that is a text for people."""
_HELPERS_FOR_PEOPLE = ("_shown", "_kind", "_unexpected", "byte")
"""Functions that only serve such texts, and the offset that goes with them."""

Place = tuple[tuple[int, int], tuple[int, int]]
"""(line, column) of the start and of the end; lines count from 1."""

_TYPE_NAME = re.compile(r"_?[A-Z][a-z]\w*")


class RemoveStatement:
    """Replace a statement that is one call, or a ``raise``, with ``pass``: an operator in cosmic-ray's form."""

    def mutation_positions(self, node: Any) -> Iterator[Place]:
        """Yield the statement's place."""
        if node.type == "raise_stmt" or (node.type == "atom_expr" and node.parent.type == "simple_stmt"):
            yield (node.start_pos, node.end_pos)

    def mutate(self, node: Any, index: int) -> Any:  # noqa: ARG002 - one change a place
        """Return the ``pass`` that stands there instead."""
        return parso.python.tree.Keyword("pass", node.start_pos, node.get_first_leaf().prefix)


def operators() -> Iterator[tuple[str, Any]]:
    """Yield the operators that are applied, with their names."""
    for name in _OPERATORS:
        yield name, get_operator(f"core/{name}")()
    yield "RemoveStatement", RemoveStatement()


def not_mutated(source: str) -> list[Place]:
    """Return where texts for people and types stand."""
    spans: list[ast.expr | ast.stmt] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == "detail" or _is_type(name, value):
                spans.append(value)
            case ast.AnnAssign(annotation=annotation, value=value):
                spans.append(annotation)
                if isinstance(annotation, ast.Name) and annotation.id == "TypeAlias" and value is not None:
                    spans.append(value)
            case ast.arg(annotation=ast.expr() as annotation):
                spans.append(annotation)
            case ast.FunctionDef(name=name, returns=returns, body=body):
                spans += body if name in _HELPERS_FOR_PEOPLE else [returns] if returns is not None else []
            case ast.ClassDef(decorator_list=decorators):
                spans += [argument for each in decorators if isinstance(each, ast.Call) for argument in _all(each)]
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _FOR_PEOPLE:
                spans += node.args[_FOR_PEOPLE[name] :]
                spans += [each.value for each in node.keywords if each.arg in ("detail", "byte")]
    return [((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)) for node in spans]


def _is_type(name: str, value: ast.expr) -> bool:
    return _TYPE_NAME.fullmatch(name) is not None and isinstance(value, ast.BinOp | ast.Subscript)


def _all(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]


def mutants(path: str) -> Iterator[dict[str, object]]:
    """Yield each mutant of a file as the one replacement, in characters, that makes it."""
    source = Path(path).read_text(encoding="utf-8")
    nodes = list(ast_nodes(get_ast(source)))
    left_out = not_mutated(source)
    for name, operator in operators():
        places = [place for node in nodes for place in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(places):
            if any(first <= start < end for first, end in left_out):
                continue
            mutated = mutate_code(source, operator, occurrence)
            if mutated is None or not is_another_program(source, mutated):
                continue
            first, end, replacement = difference(source, mutated)
            yield {"file": path, "operator": name, "start": first, "end": end, "replacement": replacement}


def is_another_program(source: str, mutated: str) -> bool:
    """Whether the change is more than layout, and is Python at all: a bare ``*`` among parameters is no operator."""
    try:
        return ast.dump(ast.parse(mutated)) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


def difference(old: str, new: str) -> tuple[int, int, str]:
    """Return (start, end, replacement) of the smallest one change that turns the old text into the new one."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < min(len(old), len(new)) - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return start, len(old) - tail, new[start : len(new) - tail]


if __name__ == "__main__":
    for file in sys.argv[1:]:
        for mutant in mutants(file):
            print(json.dumps(mutant))
