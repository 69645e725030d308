"""The contract, and JSON values that it allows: those of today and those of a later server."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from hypothesis import strategies as st

CONTRACT: Final[dict[str, Any]] = yaml.safe_load((Path(__file__).parents[4] / "openapi.yaml").read_text())
METHODS: Final = {"get", "put", "post", "delete", "patch"}

_TEXT: Final = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
_ANY: Final = st.none() | st.booleans() | st.integers(-9, 9) | _TEXT | st.lists(st.integers(0, 9), max_size=2)
#: At this depth and below, objects have only the members that must be there.
_DEEP: Final = 3
#: As the service writes them.
_FORMATS: Final = {
    "date": st.dates().map(lambda day: day.isoformat()),
    "date-time": st.datetimes().map(lambda when: f"{when.isoformat(timespec='milliseconds')}Z"),
    "uuid": st.uuids().map(str),
}


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """Follow references."""
    if "$ref" not in node:
        return node
    target: Any = CONTRACT
    for part in node["$ref"].removeprefix("#/").split("/"):
        target = target[part]
    return resolved(target)


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return method, path and operation of each that programs may call; those for browsers are in no SDK."""
    for path, item in CONTRACT["paths"].items():
        for method in METHODS & item.keys():
            if item[method].get("x-browser"):
                continue
            yield method.upper(), path, item[method]


def answered() -> set[str]:
    """Return the names of the schemas that are answered as JSON."""
    return {
        media["schema"]["$ref"].rsplit("/", 1)[-1]
        for _, _, operation in operations()
        for response in operation["responses"].values()
        for media_type, media in resolved(response).get("content", {}).items()
        if media_type.endswith(("/json", "+json")) and "$ref" in media["schema"]
    }


def values(node: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Return values of a schema with members, enumeration values and union variants that are not in it yet."""
    if "$ref" in node:
        return _referenced(node["$ref"], min(depth, _DEEP))
    return _values(node, depth)


@cache
def _referenced(ref: str, depth: int) -> st.SearchStrategy[Any]:
    """Return values of a schema that may contain itself."""
    return st.deferred(lambda: _values(resolved({"$ref": ref}), depth))


def _values(schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "oneOf" in schema:
        later = st.just({"invented": {"by": "a later server"}}) if "discriminator" in schema else st.nothing()
        return st.one_of(*(values(variant, depth) for variant in schema["oneOf"]), later)
    types = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | st.just("invented_later") | _null(types)
    if "const" in schema:
        return st.just(schema["const"])
    if "properties" in schema or "allOf" in schema:
        return _objects(schema, depth)
    return st.one_of(*(_of_type(kind, schema, depth) for kind in types)) if types else _ANY


def _objects(schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    properties = dict(schema.get("properties", {}))
    required = set(schema.get("required", []))
    for part in map(resolved, schema.get("allOf", [])):
        properties |= part.get("properties", {})
        required |= set(part.get("required", []))
    optional = {name for name in properties if name not in required} if depth < _DEEP else set[str]()
    members = {name: values(property_, depth + 1) for name, property_ in properties.items()}
    known = st.fixed_dictionaries(
        {name: members[name] for name in properties if name in required},
        optional={name: members[name] for name in properties if name in optional},
    )
    return st.builds(_merged, known, st.sampled_from([{}, {"addedLater": {"a": [1]}}]))


def _merged(known: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    return {**known, **later}


def _of_type(kind: str, schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if kind == "array":
        return st.lists(values(schema["items"], depth + 1), max_size=2)
    if kind == "object":
        item = schema.get("additionalProperties", True)
        return st.dictionaries(_TEXT, _ANY if item is True else values(item, depth + 1), max_size=2)
    if kind == "string":
        return _FORMATS.get(schema.get("format", ""), _TEXT)
    plain: dict[str, st.SearchStrategy[Any]] = {
        "boolean": st.booleans(),
        "integer": st.integers(-(2**53) + 1, 2**53 - 1),
        "number": st.integers(-1000, 1000) | st.floats(allow_nan=False, allow_infinity=False),
        "null": st.none(),
    }
    return plain[kind]


def _null(types: list[str]) -> st.SearchStrategy[None]:
    return st.none() if "null" in types else st.nothing()
