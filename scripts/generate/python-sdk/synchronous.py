"""The synchronous form of asynchronous modules, so that the two clients cannot differ.

Reads `[[source, target, header], …]` as JSON from the standard input, the modules that exist in both forms as
arguments, and writes each target. `async` and `await` go, names lose their prefix, and imports of modules that exist in
both forms point to the derived ones. Of a docstring, the code below `Example:` changes in the same way.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import TypeVar

import libcst as cst
from libcst.helpers import get_full_name_for_node

PACKAGE = "compliance_onboarding"
#: Names that differ in more than the prefix `Async`.
RENAMED = {
    "AsyncPaginator": "Page",
    "async_extensions": "extensions",
    "async_outcome": "outcome",
    "async_paginator": "paginator",
    "async_sleep": "sleep",
    "async_start": "start",
    "async_with_response": "with_response",
    "aclose": "close",
    "aiter_bytes": "iter_bytes",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
}
EXAMPLE = "\nExample:\n"

N = TypeVar("N", cst.FunctionDef, cst.For, cst.With, cst.CompFor)


class Synchronous(cst.CSTTransformer):
    """Takes out of a module what waits."""

    def __init__(self, twins: frozenset[str]) -> None:
        super().__init__()
        self._twins = twins

    def _waiting_no_more(self, original_node: N, updated_node: N) -> N:
        return updated_node.with_changes(asynchronous=None)

    leave_FunctionDef = leave_For = leave_With = leave_CompFor = _waiting_no_more

    def leave_Await(self, original_node: cst.Await, updated_node: cst.Await) -> cst.BaseExpression:
        return updated_node.expression

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        name = updated_node.value
        bare = name.removeprefix("Async")
        return updated_node.with_changes(value=RENAMED.get(name) or (bare if bare[:1].isupper() else name))

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> cst.ImportFrom:
        module = get_full_name_for_node(updated_node.module) if updated_node.module else None
        package, _, rest = (module or "").partition(".")
        first, *deeper = rest.split(".")
        if package != PACKAGE:
            return updated_node
        if first in self._twins:
            return updated_node.with_changes(module=dotted(f"{PACKAGE}._generated.sync.{rest}"))
        if first == "_generated" and deeper[:1] == ["resources"]:
            return updated_node.with_changes(module=dotted(f"{PACKAGE}._generated.sync.{'.'.join(deeper)}"))
        return updated_node

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:
        before, marker, after = textwrap.dedent(f"{indent_of(updated_node)}{updated_node.value}").partition(EXAMPLE)
        if not marker:
            return updated_node
        code, closing, _ = after.rpartition('"""')
        example = cst.parse_module(textwrap.dedent(code)).visit(self).code.strip("\n")
        text = f"{before}{marker}{textwrap.indent(example, '    ')}\n{closing}"
        return updated_node.with_changes(value=textwrap.indent(text, indent_of(updated_node)).lstrip(" "))


def indent_of(docstring: cst.SimpleString) -> str:
    """Return how far the last line of a docstring, which holds its end alone, is indented."""
    last = docstring.value.rpartition("\n")[2]
    return last[: len(last) - len(last.lstrip(" "))]


def dotted(name: str) -> cst.Attribute | cst.Name:
    """Return a dotted name as an expression."""
    first, *rest = name.split(".")
    expression: cst.Attribute | cst.Name = cst.Name(first)
    for part in rest:
        expression = cst.Attribute(expression, cst.Name(part))
    return expression


def main() -> None:
    """Derive each target from its source."""
    transformer = Synchronous(frozenset(sys.argv[1:]))
    for source, target, header in json.load(sys.stdin):
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).write_text(header + cst.parse_module(Path(source).read_text()).visit(transformer).code)


if __name__ == "__main__":
    main()
