"""The file name in `Content-Disposition` (RFC 6266)."""

from __future__ import annotations

import re
from email.message import Message
from pathlib import PureWindowsPath
from typing import Final
from urllib.parse import unquote

#: RFC 8187: charset, language and percent-encoded text; it wins over the plain `filename`.
_EXTENDED: Final = re.compile(r"filename\*\s*=\s*(?P<charset>[^']+)'[^']*'(?P<text>[^;\s]+)", re.IGNORECASE)

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def file_name(disposition: str) -> str | None:
    """Return the name without folders; None if there is no valid file name."""
    extended = _EXTENDED.search(disposition)
    if extended is not None and extended["charset"].lower() in {"utf-8", "iso-8859-1"}:
        name: str | None = unquote(extended["text"], extended["charset"], "replace")
    else:
        header = Message()
        header["content-disposition"] = disposition
        name = header.get_filename()
    # A Windows path understands both kinds of separators.
    bare = PureWindowsPath(name or "").name
    # `..` is not a name, and neither is a name with control characters, which a terminal or the system may interpret.
    return bare if bare not in {"", ".."} and not _CONTROL.search(bare) else None
