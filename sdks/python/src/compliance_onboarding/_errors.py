"""All errors that this package raises.

`ComplianceOnboardingError` is the root. `APIStatusError` has a subclass per HTTP status, and these have the generated
subclasses of `_generated/errors.py`, one per problem code of the contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar

from pydantic import TypeAdapter, ValidationError

from compliance_onboarding._json import json_object, json_objects
from compliance_onboarding._retry_after import asked_wait

__all__ = [
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "ComplianceOnboardingError",
    "ConfigurationError",
    "DeadlineExceededError",
    "EnvironmentChangedError",
    "ErrorAnswer",
    "FieldError",
    "InvalidResponseError",
    "Outcome",
    "PaginationError",
]

T = TypeVar("T")

#: Whether a call took effect: nothing reached the server, the server refused it, or the effect is unknown.
Outcome: TypeAlias = Literal["not_sent", "refused", "unknown"]


class ComplianceOnboardingError(Exception):
    """The root of all errors of this package."""

    #: Whether the call took effect, considering all its attempts.
    outcome: Outcome = "not_sent"
    #: The key under which the call was sent; None if the operation takes none.
    idempotency_key: str | None = None
    #: The id to name to the service's operators; None if no response arrived.
    request_id: str | None = None
    #: Whether the same call may succeed later.
    retryable: bool = False


class ConfigurationError(ComplianceOnboardingError):
    """The configuration lacks a required value, for example a credential that the operation accepts."""


class PaginationError(ComplianceOnboardingError):
    """The pages of a list do not advance, so iterating would never end."""


class EnvironmentChangedError(ComplianceOnboardingError):
    """The followed feed has changed from one environment to another.

    The sandbox switch of the tenant was changed, which redirects keys that are not pinned. Pin the key
    (`pinEnvironment`), or follow the other feed from its own cursor.
    """

    def __init__(self, before: str, after: str) -> None:
        super().__init__(
            f"the feed changed from {before} to {after}: the sandbox switch of the tenant was turned, "
            "and this key is not pinned to its environment"
        )
        self.before = before
        self.after = after


class InvalidResponseError(ComplianceOnboardingError):
    """The status is a success, but the body does not match the contract: it is empty, truncated or of another type."""

    outcome: Outcome = "unknown"
    retryable: bool = True
    #: The HTTP status, a success.
    status: int | None = None


class APIConnectionError(ComplianceOnboardingError):
    """No complete response arrived."""

    outcome: Outcome = "unknown"
    #: False for errors that no repetition can resolve, such as a malformed address.
    retryable: bool = True


class APITimeoutError(APIConnectionError):
    """One attempt took longer than `timeout`."""


class DeadlineExceededError(APITimeoutError):
    """The call with its retries and waits took longer than `deadline`."""

    retryable: bool = False


@dataclass(frozen=True, slots=True)
class FieldError:
    """One offending member of the body (`pointer`, RFC 6901) or parameter."""

    code: str
    message: str
    pointer: str | None = None
    parameter: str | None = None

    def __str__(self) -> str:
        return f"{self.pointer or self.parameter or 'request'}: {self.message} ({self.code})"


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """The server's response as plain data, so that an error can be pickled."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    body: Any = field(default=None, repr=False)


class APIStatusError(ComplianceOnboardingError):
    """The server refused or failed (RFC 9457)."""

    #: The problem code that a generated subclass stands for.
    problem_code: ClassVar[str | None] = None

    def __init__(self, answer: ErrorAnswer) -> None:
        self.answer: Final = answer
        self.status: Final = answer.status
        #: The parsed body, or its text.
        self.body: Final = answer.body
        #: The members of the problem, including those of particular codes (`existingId`, …).
        self.problem: Final = json_object(answer.body)
        #: Stable name of the problem, e.g. `invalid_state_transition`; None if the response is not a problem.
        self.code: Final = self._text("code")
        self.title: Final = self._text("title")
        self.detail: Final = self._text("detail")
        self.errors: Final = _field_errors(self.problem.get("errors"))
        self.request_id: str | None = answer.headers.get("x-request-id") or self._text("requestId")
        self.outcome: Outcome = "refused" if self._is_refusal() else "unknown"
        self.retryable: bool = self._may_pass()
        #: Seconds that the server asks to wait; None if it does not ask.
        self.retry_after: Final = asked_wait(answer.status, answer.headers)
        super().__init__(self._message())

    def _text(self, member: str) -> str | None:
        value = self.problem.get(member)
        return value if isinstance(value, str) else None

    def _member(self, name: str, kind: type[T]) -> T | None:
        """Return a member that only some codes have; None if it is missing or of another type."""
        try:
            return TypeAdapter(kind).validate_python(self.problem.get(name))
        except ValidationError:
            return None

    def _may_pass(self) -> bool:
        told = self.problem.get("retryable")
        if isinstance(told, bool):
            return told
        return may_pass(self.status)

    def _is_refusal(self) -> bool:
        """Whether the server did nothing. False if it failed, timed out, or is still processing the first request."""
        return self.status < 500 and self.status != 408 and self.code != "idempotency_in_progress"

    def _message(self) -> str:
        text = " ".join(part for part in (str(self.status), self.code) if part)
        text += f": {self.detail or self.title or 'the server gave no reason'}"
        if self.errors:
            text += " [" + "; ".join(map(str, self.errors[:5])) + (" …]" if len(self.errors) > 5 else "]")
        return f"{text} (request {self.request_id})" if self.request_id else text

    def __reduce__(self) -> tuple[type[APIStatusError], tuple[ErrorAnswer], dict[str, object]]:
        return type(self), (self.answer,), {"outcome": self.outcome, "idempotency_key": self.idempotency_key}


def may_pass(status: int) -> bool:
    """Whether a retry may succeed: a timeout, a too early or rate-limited request, or a server error other than 501."""
    return status in {408, 425, 429} or (status >= 500 and status != 501)


def _field_errors(value: object) -> Sequence[FieldError]:
    return tuple(
        FieldError(
            code=str(entry.get("code", "invalid")),
            message=str(entry.get("message", "is not valid")),
            pointer=entry.get("pointer"),
            parameter=entry.get("parameter"),
        )
        for entry in json_objects(value)
    )
