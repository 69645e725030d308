"""What every generated model, enumeration and optional argument is built on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict

from compliance_onboarding._json import json_object

if TYPE_CHECKING:
    from typing_extensions import Self

MASK: Final = "***"

#: Members that hold a credential, whatever object they are in.
_SECRET: Final = re.compile(r"(?:token|secret|password|otpauth_uri|qr_svg|recovery_codes?|totp_code)$", re.IGNORECASE)


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "unset"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNSET"


#: Marks an argument that is not sent at all, where `None` is sent as JSON null (RFC 7396: null removes).
UNSET: Final = Unset.UNSET


class OpenStrEnum(str, Enum):
    """An enumeration that may grow: a value this version does not know becomes a member of its own.

    Such a member compares, hashes and serialises as its text and is not kept, so that a peer cannot
    fill the memory with invented values.
    """

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member

    # As `enum.StrEnum` has them, which Python has from 3.11 on.
    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, format_spec: str) -> str:
        return str.__format__(self, format_spec)

    @property
    def known(self) -> bool:
        """Whether this version of the package knows the value."""
        return self._name_ in type(self).__members__


class Model(BaseModel):
    """Base of all API objects: tolerant of new members, readable by Python and by wire name."""

    model_config = ConfigDict(
        extra="allow",
        populate_by_name=True,
        protected_namespaces=(),
        defer_build=True,
    )

    def to_dict(self) -> dict[str, Any]:
        """Return the object as JSON-compatible data with the names of the wire, unset members left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text."""
        return self.model_dump_json(by_alias=True, exclude_unset=True, indent=indent)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Keep credentials and personal data (`x-pii` in the contract) out of logs and tracebacks."""
        fields = type(self).model_fields
        for name, value in super().__repr_args__():
            field = fields.get(name or "")
            extra = json_object(field.json_schema_extra if field is not None else None)
            # What the contract of this version does not know may be anything.
            hidden = field is None or extra.get("x-pii") is True or _SECRET.search(name or "") is not None
            yield name, MASK if hidden and value is not None else value
