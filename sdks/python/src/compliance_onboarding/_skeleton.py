"""The part of a body that may be logged: names of members, and values that reveal nothing about a person."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

from compliance_onboarding._base import MASK

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.:/-]{0,59}")


def skeleton(content: bytes) -> str:
    """Return a JSON body, with every value masked unless the contract declares it harmless."""
    try:
        return json.dumps(_shape(json.loads(content), shown=False), ensure_ascii=False)
    except (ValueError, RecursionError):
        return f"{len(content)} bytes"


def _shape(value: object, *, shown: bool) -> object:
    # Imported when the first body is logged, because most programs never log one.
    from compliance_onboarding._generated.shown import SHOWN  # noqa: PLC0415

    if isinstance(value, list):
        return [_shape(item, shown=shown) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        members = cast("Mapping[str, Any]", value)
        return {name: _shape(member, shown=True) if name in SHOWN else MASK for name, member in members.items()}
    return value if value is None or (shown and _is_plain(value)) else MASK


def _is_plain(value: object) -> bool:
    """Whether the value is a flag or looks like a value of an enumeration; a caller may have passed another value."""
    return isinstance(value, bool) or (isinstance(value, str) and _CODE.fullmatch(value) is not None)
