"""Instants in the format of the API."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated, Any, TypeAlias

import pydantic
from pydantic import PlainSerializer


def instant_text(value: datetime) -> str:
    """Return RFC 3339 in UTC with milliseconds, or with microseconds if milliseconds would lose precision."""
    if value.tzinfo is None:
        raise ValueError("a date-time needs a time zone, e.g. datetime.now(timezone.utc)")
    precision = "milliseconds" if value.microsecond % 1000 == 0 else "microseconds"
    return value.astimezone(timezone.utc).isoformat(timespec=precision).replace("+00:00", "Z")


def _written(value: Any) -> Any:
    """Return a value unchanged if it cannot be read as an instant."""
    return instant_text(value) if isinstance(value, datetime) else value


#: A date-time with its zone, which is written as it is read.
AwareDatetime: TypeAlias = Annotated[pydantic.AwareDatetime, PlainSerializer(_written, str, when_used="json")]
