"""Request bodies, each of which can be sent again for another attempt.

The generated methods of ``_generated/resources`` build one from the arguments of the caller, and the transports open it
once for each attempt. A body that could not be read again from its start would make a repeated call send something
else. What is logged of a body is its skeleton, which holds names and never values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import IO, Any, Protocol, cast
from urllib.parse import quote_plus

from compliance_onboarding._arguments import python_name
from compliance_onboarding._base import UNSET, Model
from compliance_onboarding._files import FileInput, Upload, upload_of
from compliance_onboarding._skeleton import skeleton
from compliance_onboarding._wire import json_members, json_value, query_items


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyArguments:
    """A body in the terms of the HTTP library."""

    content: bytes | None = field(default=None, repr=False)
    data: Mapping[str, str] | None = field(default=None, repr=False)
    files: Mapping[str, tuple[str, IO[bytes], str]] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Body(Protocol):
    """The body that an attempt sends."""

    def skeleton(self) -> str:
        """Return the part of the body that may be logged."""
        ...

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Return the body for one attempt; its files stay open until `files` is closed."""
        ...


@dataclass(frozen=True, slots=True)
class BytesBody:
    """A body that is encoded once for all attempts."""

    media_type: str
    content: bytes = field(repr=False)

    def skeleton(self) -> str:
        """Return the names of the members."""
        return skeleton(self.content)

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Return content and media type."""
        return BodyArguments(content=self.content, headers={"content-type": self.media_type})


@dataclass(frozen=True, slots=True)
class MultipartBody:
    """Fields and files (RFC 7578); fields precede files, so that a server knows them when a file arrives."""

    fields: Mapping[str, str] = field(repr=False)
    files: Mapping[str, Upload] = field(repr=False)

    def skeleton(self) -> str:
        """Return the names of the parts."""
        return f"parts {', '.join([*self.fields, *self.files])}"

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Open the files at their start."""
        parts = {
            name: (upload.name, files.enter_context(upload.opened()), upload.media_type)
            for name, upload in self.files.items()
        }
        return BodyArguments(data=self.fields, files=parts)


@dataclass(frozen=True, slots=True)
class BinaryBody:
    """A body that consists of one file."""

    media_type: str
    file: Upload = field(repr=False)

    def skeleton(self) -> str:
        """Return a placeholder for the file."""
        return "a file"

    def arguments(self, files: ExitStack) -> BodyArguments:
        """Read the file from its start."""
        content = files.enter_context(self.file.opened()).read()
        return BodyArguments(content=content, headers={"content-type": self.media_type})


def json_body(
    model: type[Model],
    members: Mapping[str, object],
    body: object = UNSET,
    *,
    media_type: str = "application/json",
    required: bool = True,
) -> BytesBody | None:
    """Encode a JSON object, passed as a whole or by its members. An optional object without members is not sent."""
    encoded = body.to_dict() if isinstance(body, Model) else json_members(model, _given(members, body))
    return json_value_body(encoded, media_type=media_type) if encoded or required else None


def json_value_body(value: object, annotation: object = Any, *, media_type: str = "application/json") -> BytesBody:
    """Encode a JSON value of a type, such as a union of objects, a list or a map."""
    encoded = json_value(value, annotation)
    text = json.dumps(encoded, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return BytesBody(media_type, text.encode())


def form_body(members: Mapping[str, object], body: object = UNSET) -> BytesBody:
    """Encode a form (`application/x-www-form-urlencoded`), passed as a whole or by its members."""
    items = query_items(_by_wire_name(members, body))
    text = "&".join(f"{_form_text(name)}={_form_text(value)}" for name, value in items)
    return BytesBody("application/x-www-form-urlencoded", text.encode())


def multipart_body(
    members: Mapping[str, object], files: Mapping[str, FileInput], body: object = UNSET
) -> MultipartBody:
    """Encode a form with files, passed as a whole or by its members."""
    given = _by_wire_name({**members, **files}, body)
    fields = {name: value for name, value in given.items() if name not in files}
    uploads = {name: upload_of(cast("FileInput", given[name])) for name in files if given.get(name, UNSET) is not UNSET}
    return MultipartBody(dict(query_items(fields)), uploads)


def binary_body(body: FileInput, media_type: str) -> BinaryBody:
    """Create a body that consists of one file."""
    return BinaryBody(media_type, upload_of(body))


def _given(members: Mapping[str, object], body: object) -> Mapping[str, object]:
    """Return the members of a body that is passed as a dictionary, as an object of the API or by its members."""
    if body is UNSET:
        return members
    if isinstance(body, Model):
        return body.to_dict()
    if not isinstance(body, Mapping):
        raise TypeError(f"a body is an object of the API or a dictionary, not a {type(body).__name__}")
    return cast("Mapping[str, object]", body)


def _by_wire_name(members: Mapping[str, object], body: object) -> Mapping[str, object]:
    wire_names = {python_name(name): name for name in members}
    return {wire_names.get(name, name): value for name, value in _given(members, body).items()}


def _form_text(text: str) -> str:
    """Escape as the URL standard requires for forms, which differs from RFC 3986 in these two characters."""
    return quote_plus(text, safe="*").replace("~", "%7E")
