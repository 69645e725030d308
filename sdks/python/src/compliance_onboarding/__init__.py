"""Python client of the compliance onboarding API.

`ComplianceOnboarding` is synchronous, `AsyncComplianceOnboarding` the same with `await`. The objects of the
API are in `compliance_onboarding.types`, the errors in `compliance_onboarding.errors`.
"""

from compliance_onboarding import errors, params, types
from compliance_onboarding._base import UNSET, Model, Unset
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
from compliance_onboarding._generated.sync._client import ComplianceOnboarding
from compliance_onboarding._generated.sync._download import Download
from compliance_onboarding._logging import RequestEvent, ResponseEvent
from compliance_onboarding._pagination import AsyncPage
from compliance_onboarding._paginator import AsyncPaginator, Page
from compliance_onboarding._response import Response
from compliance_onboarding._version import __version__

__all__ = [
    "UNSET",
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "AsyncComplianceOnboarding",
    "AsyncDownload",
    "AsyncPage",
    "AsyncPaginator",
    "ComplianceOnboarding",
    "ComplianceOnboardingError",
    "DeadlineExceededError",
    "Download",
    "FileInput",
    "Model",
    "Page",
    "RequestEvent",
    "Response",
    "ResponseEvent",
    "Unset",
    "__version__",
    "errors",
    "params",
    "types",
]
