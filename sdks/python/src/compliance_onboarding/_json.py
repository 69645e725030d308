"""JSON values of unknown shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def json_object(value: object) -> Mapping[str, Any]:
    """Return the members of a JSON object; none for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def json_objects(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a JSON array; none for any other value."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [json_object(item) for item in items]
