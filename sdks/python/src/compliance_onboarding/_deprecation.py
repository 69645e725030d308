"""Warnings about deprecated operations."""

from __future__ import annotations

import inspect
import re
import threading
import warnings
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

import httpx2

from compliance_onboarding._operation import Operation

_INSTANT: Final = re.compile(r"@(-?\d{1,12})")
_LINK: Final = re.compile(r"<([^>]+)>[^,]*?;\s*rel=\"?(?:deprecation|sunset)\b", re.IGNORECASE)
_ANNOUNCED: Final = frozenset({b"deprecation", b"sunset"})
_PACKAGE: Final = str(Path(__file__).parent)

_told: Final[set[str]] = set()
_telling: Final = threading.Lock()


def warn_when_deprecated(operation: Operation, headers: httpx2.Headers) -> None:
    """Warn once per operation if a response has the header `Deprecation` (RFC 9745) or `Sunset` (RFC 8594)."""
    if _ANNOUNCED.isdisjoint(name.lower() for name, _ in headers.raw):
        return
    deprecation, sunset = headers.get("deprecation"), headers.get("sunset")
    with _telling:
        if operation.name in _told:
            return
        _told.add(operation.name)
    since, until = _since(deprecation or ""), _until(sunset or "")
    link = _LINK.search(headers.get("link", ""))
    text = f"{operation.name} is deprecated"
    text += f" since {since}" if since else ""
    text += f" and will stop working on {until}" if until else ""
    text += f"; see {link.group(1)}" if link is not None else ""
    warnings.warn(text, DeprecationWarning, stacklevel=_level_of_caller())


def _since(value: str) -> str | None:
    found = _INSTANT.fullmatch(value.strip())
    if found is None:
        return None
    try:
        return datetime.fromtimestamp(int(found.group(1)), timezone.utc).date().isoformat()
    except (ValueError, OverflowError, OSError):
        # A year outside of the supported range; the call itself has succeeded.
        return None


def _until(value: str) -> str | None:
    try:
        return parsedate_to_datetime(value).date().isoformat()
    except ValueError:
        return None


def _level_of_caller() -> int:
    """Return how many frames up the calling program is, because the program is what must change."""
    level, frame = 1, inspect.currentframe()
    frame = frame.f_back if frame is not None else None
    while frame is not None and frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
