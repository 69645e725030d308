"""Tagged unions of objects, to which a later server may add a variant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, cast, get_origin

from compliance_onboarding._base import Model

#: Tag of every variant that this version does not know.
UNKNOWN = ""


class UnknownVariant(Model):
    """A variant that this version does not know, with all its members unchanged."""


class Variant(Model):
    """Base of the variants. The tag is sent although the caller does not set it."""

    def model_post_init(self, context: Any) -> None:
        """Count the tag as set."""
        self.model_fields_set.update(
            name for name, field in type(self).model_fields.items() if get_origin(field.annotation) is Literal
        )


def variant_of(tag: str, attribute: str, known: frozenset[str]) -> Callable[[object], str]:
    """Return the tag of a value, which is data or an object of the API."""

    def discriminate(value: object) -> str:
        if isinstance(value, dict):
            members = cast("dict[str, object]", value)
            found = members.get(tag, members.get(attribute))
        else:
            found = getattr(value, attribute, None)
        return found if isinstance(found, str) and found in known else UNKNOWN

    return discriminate
