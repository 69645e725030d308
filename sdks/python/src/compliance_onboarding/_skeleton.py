"""What of a body may be logged: the names of its members, and the values that say nothing about anybody."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from compliance_onboarding._base import MASK


def skeleton(content: bytes) -> str:
    """Return a JSON body with every value masked that the contract does not declare harmless."""
    try:
        return json.dumps(_shape(json.loads(content), shown=False), ensure_ascii=False)
    except (ValueError, RecursionError):
        return f"{len(content)} bytes"


def _shape(value: object, *, shown: bool) -> object:
    # Read when the first body is logged: most programs never do.
    from compliance_onboarding._generated.shown import SHOWN  # noqa: PLC0415

    if isinstance(value, list):
        return [_shape(item, shown=shown) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        members = cast("Mapping[str, Any]", value)
        return {name: _shape(member, shown=True) if name in SHOWN else MASK for name, member in members.items()}
    return value if shown or value is None else MASK
