"""Files to upload: paths, bytes or open files, each with or without a name and a media type."""

from __future__ import annotations

import io
import mimetypes
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import IO, Final, TypeAlias, cast

FileContent: TypeAlias = bytes | bytearray | IO[bytes] | os.PathLike[str]
FileInput: TypeAlias = FileContent | tuple[str, FileContent] | tuple[str, FileContent, str]

#: First bytes of the formats that identity documents come in, with their media type.
_SIGNATURES: Final = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"%PDF-", "application/pdf"),
)
_EXTENSIONS: Final = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "application/pdf": ".pdf",
}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that can be sent more than once: `opened` starts at its first byte each time."""

    name: str
    media_type: str
    content: bytes | Path | IO[bytes] = field(repr=False)

    @contextmanager
    def opened(self) -> Generator[IO[bytes], None, None]:
        """Open the content for one attempt. A file that the caller has opened stays open."""
        if isinstance(self.content, bytes):
            yield io.BytesIO(self.content)
        elif isinstance(self.content, Path):
            with self.content.open("rb") as file:
                yield file
        elif self.content.closed:
            raise ValueError(f"{self.name} was closed and cannot be read from its start again")
        else:
            self.content.seek(0)
            yield self.content


def upload_of(file: FileInput) -> Upload:
    """Accept a file in any form; name and media type are detected if they are not passed."""
    name: str | None = None
    media_type: str | None = None
    content: object = file
    if isinstance(file, tuple):
        name, content, media_type = file if len(file) == 3 else (*file, None)
    stored = _repeatable(content)
    if isinstance(stored, Path):
        name = name or stored.name
    elif not isinstance(stored, bytes):
        name = name or _name_of(stored)
    media_type = media_type or _media_type(stored, name)
    return Upload(name or f"file{_EXTENSIONS.get(media_type, '')}", media_type, stored)


def _repeatable(content: object) -> bytes | Path | IO[bytes]:
    if isinstance(content, (bytes, bytearray)):
        return bytes(content)
    if isinstance(content, os.PathLike):
        return Path(cast("os.PathLike[str]", content))
    if isinstance(content, str):
        raise TypeError(
            "a file is given as bytes, an open file or a pathlib.Path; a str could be either name or content"
        )
    if not hasattr(content, "read"):
        raise TypeError(f"a {type(content).__name__} is not a file")
    if isinstance(content, io.TextIOBase):
        raise TypeError("open the file in binary mode: open(path, 'rb')")
    stream = cast("IO[bytes]", content)
    # Only a file that is at its start can be reset to its start; of any other, the rest is read into memory.
    return stream if stream.seekable() and stream.tell() == 0 else stream.read()


def _name_of(stream: IO[bytes]) -> str | None:
    """Return the name of an open file; a file without a path has a number, or a name in angle brackets."""
    path = getattr(stream, "name", None)
    if not isinstance(path, (str, bytes, os.PathLike)):
        return None
    name = PurePath(os.fsdecode(cast("str", path))).name
    return None if name.startswith("<") else name


def _media_type(content: bytes | Path | IO[bytes], name: str | None) -> str:
    """Detect the type from the bytes first, because a wrong extension is refused as `content_type_mismatch`."""
    head = _head(content)
    for signature, media_type in _SIGNATURES:
        if head.startswith(signature):
            return media_type
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return mimetypes.guess_type(name or "")[0] or "application/octet-stream"


def _head(content: bytes | Path | IO[bytes]) -> bytes:
    if isinstance(content, bytes):
        return content[:12]
    if isinstance(content, Path):
        with content.open("rb") as file:
            return file.read(12)
    head = content.read(12)
    content.seek(0)
    return head
