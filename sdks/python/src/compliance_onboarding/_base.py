"""Base classes of all generated models, enumerations and optional arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

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


#: Marks an argument that is not sent at all; `None` is sent as JSON null (RFC 7396: null removes).
UNSET: Final = Unset.UNSET


E = TypeVar("E", bound="OpenStrEnum")


class Known:
    """Declares a value of an enumeration; reading it returns a member of the class that declares it."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __get__(self, instance: object, owner: type[E]) -> E:
        return owner(self.value)


class _Values(type):
    """Makes the known values of an enumeration iterable."""

    __members__: Mapping[str, Any]

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls.__members__.values())

    def __len__(cls) -> int:
        return len(cls.__members__)

    def __bool__(cls) -> bool:
        return True


class OpenStrEnum(str, metaclass=_Values):
    """An open enumeration: text, with the values that this version knows as attributes.

    A value compares, hashes and serialises as its text. Type checkers treat it as text as well, so that a branch for
    unknown values counts as reachable. Unknown values are not cached, so that a peer cannot fill the memory with
    invented ones.
    """

    __members__: ClassVar[Mapping[str, Any]] = {}
    __slots__ = ()

    def __new__(cls, value: str) -> Self:
        known: Self | None = cls._by_value.get(value)
        if known is None and not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"a {type(value).__name__} is no {cls.__name__}")
        return str.__new__(cls, value) if known is None else known

    _by_value: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        declared = {name: known.value for name, known in vars(cls).items() if isinstance(known, Known)}
        cls.__members__ = {name: str.__new__(cls, value) for name, value in declared.items()}
        cls._by_value = {str(member): member for member in cls.__members__.values()}
        for name, member in cls.__members__.items():
            setattr(cls, name, member)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read text as a member."""
        return core_schema.no_info_after_validator_function(cls, handler(str))

    @property
    def known(self) -> bool:
        """Whether this version of the package knows the value."""
        return self in self._by_value

    @property
    def value(self) -> str:
        """The text."""
        return str(self)

    def __repr__(self) -> str:
        name = next((f".{name}" for name, member in self.__members__.items() if member == self), "")
        return f"<{type(self).__name__}{name}: {str(self)!r}>"


def _wire_name(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


#: Marks a member that the contract calls personal (`x-pii`).
PERSONAL: Final[Any] = Field(json_schema_extra={"x-pii": True})


@dataclass(frozen=True, slots=True)
class ParseError:
    """A member of a response that could not be read. The object holds its raw value, or None if it is missing."""

    #: JSON Pointer (RFC 6901), relative to the object that reports it.
    pointer: str
    #: Description of the fault, without the value.
    reason: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'} {self.reason}"


#: Attribute in which a leniently read object keeps its faults.
PARSE_ERRORS: Final = "parse_errors"


class Model(BaseModel):
    """Base of all API objects: accepts new members, and reads members by their Python name and their wire name."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        alias_generator=_wire_name,
        extra="allow",
        populate_by_name=True,
        protected_namespaces=(),
        defer_build=True,
    )

    @property
    def parse_errors(self) -> tuple[ParseError, ...]:
        """Members of this object and of nested objects that do not match the contract."""
        found: tuple[ParseError, ...] = (self.__pydantic_private__ or {}).get(PARSE_ERRORS, ())
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return the object as JSON-compatible data with wire names, without unset members."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text."""
        return self.model_dump_json(by_alias=True, exclude_unset=True, indent=indent, warnings=False)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Keep credentials and personal data (`x-pii` in the contract) out of logs and tracebacks."""
        fields = type(self).model_fields
        # Unreadable members may hold anything; nested objects hide their own.
        unread = {error.pointer.split("/")[1] for error in self.parse_errors}
        for name, value in super().__repr_args__():
            field = fields.get(name or "")
            extra = json_object(field.json_schema_extra if field is not None else None)
            # Members that the contract of this version does not declare may hold anything, too.
            hidden = (
                field is None
                or extra.get("x-pii") is True
                or _SECRET.search(name or "") is not None
                or ((field.alias or name) in unread and not isinstance(value, Model))
            )
            yield name, MASK if hidden and value is not None else value
