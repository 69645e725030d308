"""Conversion of failures of connections and of invalid success responses to the errors of this package."""

from __future__ import annotations

from typing import Final

import httpx2

from compliance_onboarding._call import Answer, Call
from compliance_onboarding._errors import (
    APIConnectionError,
    APITimeoutError,
    DeadlineExceededError,
    InvalidResponseError,
)
from compliance_onboarding._operation import Operation

#: The connection was never made, so nothing was sent over it.
_UNSENT: Final = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
#: Errors that no repetition can resolve.
_PERMANENT: Final = (
    httpx2.InvalidURL,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
    httpx2.DecodingError,
)


def timed_out(call: Call) -> APITimeoutError:
    """Return the error for an attempt that took too long."""
    return APITimeoutError(f"{call.operation.name}: no complete answer within {call.timeout} s")


def deadline_exceeded(call: Call) -> DeadlineExceededError:
    """Return the error for a call that took too long."""
    return DeadlineExceededError(f"{call.operation.name}: not done within {call.deadline} s")


def connection_failed(call: Call, error: httpx2.HTTPError | httpx2.InvalidURL) -> APIConnectionError:
    """Return the error for a response that did not arrive, or only in part."""
    failure = (
        timed_out(call)
        if isinstance(error, httpx2.TimeoutException)
        else APIConnectionError(f"{call.operation.name}: {type(error).__name__}: {error}")
    )
    if isinstance(error, _UNSENT):
        failure.outcome = "not_sent"
    failure.retryable = not isinstance(error, _PERMANENT)
    return failure


def invalid_response(operation: Operation, answer: Answer, reason: str) -> InvalidResponseError:
    """Return the error for a success whose body does not match the contract; the reason quotes nothing of the body."""
    error = InvalidResponseError(f"{operation.name}: {answer.http.status_code}, but {reason}")
    error.status = answer.http.status_code
    error.request_id = answer.http.headers.get("x-request-id")
    return error
