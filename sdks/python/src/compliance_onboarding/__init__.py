"""Python client of the compliance onboarding API.

`ComplianceOnboarding` is the synchronous client, `AsyncComplianceOnboarding` the same client with `await`. The
objects of the API are in `compliance_onboarding.types`, the errors in `compliance_onboarding.errors`. This module
has the types of bodies that are passed as dictionaries, such as `ApplicationCreateParams` for a new application.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from compliance_onboarding import errors
from compliance_onboarding._base import UNSET, Model, ParseError, Unset
from compliance_onboarding._client import AsyncComplianceOnboarding
from compliance_onboarding._download import AsyncDownload
from compliance_onboarding._errors import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    ComplianceOnboardingError,
    DeadlineExceededError,
)
from compliance_onboarding._files import FileInput
from compliance_onboarding._follow import AsyncFollow
from compliance_onboarding._generated import bodies as _bodies
from compliance_onboarding._generated.contract import API_VERSION
from compliance_onboarding._generated.sync._client import ComplianceOnboarding
from compliance_onboarding._generated.sync._download import Download
from compliance_onboarding._generated.sync._follow import Follow
from compliance_onboarding._logging import RequestEvent, ResponseEvent
from compliance_onboarding._pagination import AsyncPage
from compliance_onboarding._paginator import AsyncPaginator, Page
from compliance_onboarding._parse import Poison
from compliance_onboarding._response import Response
from compliance_onboarding._version import __version__

if TYPE_CHECKING:
    from compliance_onboarding import params, types
    from compliance_onboarding._generated.bodies import *

__all__ = [
    "API_VERSION",
    "UNSET",
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "AsyncComplianceOnboarding",
    "AsyncDownload",
    "AsyncFollow",
    "AsyncPage",
    "AsyncPaginator",
    "ComplianceOnboarding",
    "ComplianceOnboardingError",
    "DeadlineExceededError",
    "Download",
    "FileInput",
    "Follow",
    "Model",
    "Page",
    "ParseError",
    "Poison",
    "RequestEvent",
    "Response",
    "ResponseEvent",
    "Unset",
    "__version__",
    "errors",
    "params",
    "types",
]

__all__ += _bodies.__all__


def __getattr__(name: str) -> Any:
    """Import the many objects of the API on first use."""
    if name in {"params", "types"}:
        return importlib.import_module(f"{__name__}.{name}")
    return getattr(_bodies, name)
