"""All errors: by kind, by HTTP status and by problem code."""

from typing import TYPE_CHECKING, Any

from compliance_onboarding._errors import *
from compliance_onboarding._status_errors import *

if TYPE_CHECKING:
    from compliance_onboarding._generated.errors import *


def __getattr__(name: str) -> Any:
    """Import the many errors of the problem codes on first use."""
    from compliance_onboarding._generated import errors as by_code  # noqa: PLC0415

    return getattr(by_code, name)


def __dir__() -> list[str]:
    from compliance_onboarding._generated import errors as by_code  # noqa: PLC0415

    return sorted({*globals(), *by_code.__all__})
