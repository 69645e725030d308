"""Types of arguments: values of enumerations, and dictionaries that replace models."""

from typing import TYPE_CHECKING, Any

from compliance_onboarding._generated import params as _names

if TYPE_CHECKING:
    from compliance_onboarding._generated.params import *

__all__: list[str] = []
__all__ += _names.__all__


def __getattr__(name: str) -> Any:
    return getattr(_names, name)


def __dir__() -> list[str]:
    return sorted(__all__)
