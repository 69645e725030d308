"""Delay that a server requests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Final

_SECONDS: Final = re.compile(r"\d+(?:\.\d+)?")
_SPENT: Final = re.compile(r";\s*r=0(?!\d)")
_RESET: Final = re.compile(r";\s*t=(\d+)")


def asked_wait(status: int, headers: Mapping[str, str]) -> float | None:
    """Read `Retry-After` (RFC 9110 §10.2.3), else the time until the spent quota of `RateLimit` is reset."""
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
    return _quota_reset(headers.get("ratelimit", "")) if status in {429, 503} else None


def _quota_reset(limits: str) -> float | None:
    """Return the longest `t` of the quotas with nothing left.

    The format `"default";r=0;t=30` is that of draft-ietf-httpapi-ratelimit-headers-11.
    """
    resets = [_RESET.search(quota) for quota in limits.split(",") if _SPENT.search(quota)]
    return max((float(reset.group(1)) for reset in resets if reset is not None), default=None)
