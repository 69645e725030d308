"""What the docstrings of the methods promise: errors that exist, and examples that are Python."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import compliance_onboarding
from compliance_onboarding import errors
from support.contract import operations

GENERATED = Path(compliance_onboarding.__file__).parent / "_generated"
TOP_LEVEL_AWAIT = 0x2000


def documented(folder: str) -> Iterator[str]:
    """Return the docstring of each method that shows an example."""
    for path in (GENERATED / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                text = ast.get_docstring(node) or ""
                if "\nExample:\n" in text:
                    yield text


@pytest.mark.parametrize(("folder", "waits"), [("resources", True), ("sync/resources", False)])
def test_every_operation_shows_how_it_is_called(folder: str, *, waits: bool) -> None:
    examples = [textwrap.dedent(text.split("\nExample:\n")[1]) for text in documented(folder)]
    assert len(examples) == len(list(operations()))
    for example in examples:
        compile(example, "docstring", "exec", flags=TOP_LEVEL_AWAIT)
        assert bool(re.search(r"\b(?:await|async for)\b", example)) == waits, example


def test_every_error_that_is_named_exists() -> None:
    named = {
        name for text in documented("resources") for name in re.findall(r"^    errors\.(\w+):", text, re.MULTILINE)
    }
    assert len(named) > 20
    assert all(issubclass(getattr(errors, name), errors.APIStatusError) for name in named)
