"""Request bodies, each able to be sent again for another attempt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import IO, Protocol
from urllib.parse import quote_plus

from compliance_onboarding._base import Model
from compliance_onboarding._files import Upload
from compliance_onboarding._skeleton import skeleton
from compliance_onboarding._wire import json_members, query_items


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyArguments:
    """A body in the terms of the HTTP library."""

    content: bytes | None = field(default=None, repr=False)
    data: Mapping[str, str] | None = field(default=None, repr=False)
    files: Mapping[str, tuple[str, IO[bytes], str]] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Body(Protocol):
    """What an attempt sends."""

    def skeleton(self) -> str:
        """Return what of the body may be logged."""
        ...

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Return the body for one attempt; its files stay open until `files` is closed."""
        ...


@dataclass(frozen=True, slots=True)
class BytesBody:
    """A body that is encoded once."""

    media_type: str
    content: bytes = field(repr=False)

    def skeleton(self) -> str:
        """Return the names of its members."""
        return skeleton(self.content)

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Return content and media type."""
        return BodyArguments(content=self.content, headers={"content-type": self.media_type})


@dataclass(frozen=True, slots=True)
class MultipartBody:
    """Fields and files (RFC 7578); the fields go first, so that a server knows them when the file arrives."""

    fields: Mapping[str, str] = field(repr=False)
    files: Mapping[str, Upload] = field(repr=False)

    def skeleton(self) -> str:
        """Return the names of its parts."""
        return f"parts {', '.join([*self.fields, *self.files])}"

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Open the files at their start."""
        parts = {
            name: (upload.name, files.enter_context(upload.opened()), upload.media_type)
            for name, upload in self.files.items()
        }
        return BodyArguments(data=self.fields, files=parts)


def json_body(
    model: type[Model] | None,
    members: Mapping[str, object],
    *,
    media_type: str = "application/json",
    required: bool = True,
) -> BytesBody | None:
    """Encode the members of a JSON body; an optional body without members is not sent."""
    encoded = json_members(model, members)
    if not encoded and not required:
        return None
    text = json.dumps(encoded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return BytesBody(media_type, text.encode())


def form_body(members: Mapping[str, object]) -> BytesBody:
    """Encode a form (`application/x-www-form-urlencoded`)."""
    text = "&".join(f"{_form_text(name)}={_form_text(value)}" for name, value in query_items(members))
    return BytesBody("application/x-www-form-urlencoded", text.encode())


def multipart_body(members: Mapping[str, object], files: Mapping[str, Upload]) -> MultipartBody:
    """Encode a form with files."""
    return MultipartBody(dict(query_items(members)), files)


def _form_text(text: str) -> str:
    """Escape as the URL standard has it for forms, which differs from RFC 3986 in these two characters."""
    return quote_plus(text, safe="*").replace("~", "%7E")
