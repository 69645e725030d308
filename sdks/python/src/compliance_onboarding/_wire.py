"""Encoding of Python values for the wire: JSON bodies, query strings and path segments.

Nothing is validated, because the server enforces the contract, and a client that repeated its limits would refuse
values that a later server accepts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, Final, Literal, cast, get_args, get_origin
from urllib.parse import quote
from uuid import UUID

from compliance_onboarding._base import UNSET, Model
from compliance_onboarding._instant import instant_text

_NO_MEMBERS: Final[Mapping[str, tuple[str, object]]] = {}


def json_members(model: type[Model] | None, members: Mapping[str, object]) -> dict[str, object]:
    """Encode the members of an object, passed by Python or wire name; unset members are omitted."""
    types = _members_of(model) if model is not None else _NO_MEMBERS
    encoded: dict[str, object] = {}
    for name, value in members.items():
        if value is not UNSET:
            wire_name, annotation = types.get(name, (name, Any))
            encoded[wire_name] = json_value(value, annotation)
    return encoded


def json_value(value: object, annotation: object = Any) -> object:
    """Encode one value; the annotation distinguishes an API object from a map with keys of the caller."""
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, Mapping):
        members = {str(key): item for key, item in cast("Mapping[object, object]", value).items()}
        return json_members(_model_in(annotation, members), members)
    many = _items(value)
    if many is not None:
        return [json_value(item, annotation) for item in many]
    if isinstance(value, (bool, int, float, str)) and not isinstance(value, Enum):
        return value
    return None if value is None else text_value(value)


def query_items(query: Mapping[str, object]) -> list[tuple[str, str]]:
    """Encode query or form parameters; a sequence repeats its name, `None` and `UNSET` are omitted."""
    items: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is not None and value is not UNSET:
            many = _items(value)
            items.extend((name, text_value(item)) for item in ([value] if many is None else many))
    return items


def escaped(text: str) -> str:
    """Escape a part of an address as JavaScript's `encodeURIComponent` does, so that both SDKs send the same."""
    return quote(text, safe="!'()*")


def with_query(address: str, query: Sequence[tuple[str, str]]) -> str:
    """Add a query to an address; the URL standard escapes the apostrophe only in queries."""
    pairs = "&".join(f"{escaped(name)}={escaped(value)}" for name, value in query)
    quoted = pairs.replace("'", "%27")
    return f"{address}?{quoted}" if quoted else address


def path_with(template: str, parameters: Mapping[str, object]) -> str:
    """Fill a path template; each value stays within its segment (RFC 3986 §3.3)."""
    path = template
    for name, value in parameters.items():
        segment = text_value(value)
        if segment in {"", ".", ".."}:
            raise ValueError(f"{name} must name a resource, not be {segment!r}")
        path = path.replace(f"{{{name}}}", escaped(segment))
    return path


def header_text(name: str, value: str) -> str:
    """Return a header's value. A value that would end the header is refused, but not shown: it may be a secret."""
    if not value.isascii() or not value.isprintable():
        raise ValueError(f"the header {name.lower()} holds characters that a header cannot carry")
    return value


def text_value(value: object) -> str:
    """Encode one scalar as text."""
    if isinstance(value, Enum):
        return text_value(value.value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (str, int, float, Decimal, UUID)):
        return str(value)
    raise TypeError(f"a {type(value).__name__} cannot be sent to the API")


def _items(value: object) -> Collection[object] | None:
    """Return the items of a list or set; text and bytes are single values."""
    if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, (Sequence, AbstractSet)):
        return None
    return cast("Collection[object]", value)


@cache
def _members_of(model: type[Model]) -> Mapping[str, tuple[str, object]]:
    model.model_rebuild()
    types: dict[str, tuple[str, object]] = {}
    for name, field in model.model_fields.items():
        wire_name = field.alias or name
        types[name] = types[wire_name] = (wire_name, field.annotation)
    return types


def _model_in(annotation: object, members: Mapping[str, object]) -> type[Model] | None:
    """Return the class that a dictionary represents; for a union, the class with its tag."""
    found = list(_models_in(annotation))
    if len(found) > 1:
        found = [model for model in found if bears_tag(model, members)]
    return found[0] if found else None


def _models_in(annotation: object) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and get_origin(annotation) is None:
        if issubclass(annotation, Model):
            yield annotation
    elif get_origin(annotation) is not dict:
        for argument in get_args(annotation):
            yield from _models_in(argument)


def bears_tag(model: type[Model], members: Mapping[str, object]) -> bool:
    """Whether a member of an object has the only value that a class allows for it."""
    return any(
        get_origin(annotation) is Literal and members.get(name) in get_args(annotation)
        for name, (_, annotation) in _members_of(model).items()
    )
