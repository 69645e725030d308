"""How long a server asks to wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Final

_SECONDS: Final = re.compile(r"\d+(?:\.\d+)?")
_RESET: Final = re.compile(r";\s*t=(\d+)")


def asked_wait(status: int, headers: Mapping[str, str]) -> float | None:
    """Read `Retry-After` (RFC 9110 §10.2.3), else on 429 the reset time of `RateLimit`.

    `RateLimit: "default";r=0;t=30` is that of draft-ietf-httpapi-ratelimit-headers-11.
    """
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    if value:
        try:
            when = parsedate_to_datetime(value)
        except ValueError:
            return None
        when = when if when.tzinfo is not None else when.replace(tzinfo=timezone.utc)
        return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())
    reset = _RESET.search(headers.get("ratelimit", "")) if status == 429 else None
    return float(reset.group(1)) if reset is not None else None
