"""Conversion of error responses to errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from compliance_onboarding._errors import APIStatusError, ErrorAnswer
from compliance_onboarding._json import json_object
from compliance_onboarding._status_errors import STATUS_ERRORS, OAuthError, RedirectError, ServerError


def error_from(status: int, headers: Mapping[str, str], content: bytes) -> APIStatusError:
    """Return the most specific error for a response."""
    answer = ErrorAnswer(status, {name.lower(): value for name, value in headers.items()}, _parsed(content))
    return _class_for(answer)(answer)


def _class_for(answer: ErrorAnswer) -> type[APIStatusError]:
    # Imported at the first error, because there are many classes.
    from compliance_onboarding._generated.errors import PROBLEM_ERRORS  # noqa: PLC0415

    body = json_object(answer.body)
    by_code = PROBLEM_ERRORS.get(str(body.get("code")))
    general = STATUS_ERRORS.get(answer.status) or _class_of_range(answer.status)
    # A code under an undocumented status is raised as the class of the status.
    if by_code is not None and issubclass(by_code, general):
        return by_code
    if isinstance(body.get("error"), str) and "code" not in body:
        return OAuthError
    return general


def _class_of_range(status: int) -> type[APIStatusError]:
    if status >= 500:
        return ServerError
    return RedirectError if status < 400 else APIStatusError


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace") or None
