"""Every error this package raises.

`ComplianceOnboardingError` is the root. `APIStatusError` has a class per HTTP status, and beneath these the
generated module `errors` has one class per problem code of the contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final


class ComplianceOnboardingError(Exception):
    """The root of all errors of this package."""


class ConfigurationError(ComplianceOnboardingError):
    """The client lacks something it needs, for example a credential that the operation accepts."""


class PaginationError(ComplianceOnboardingError):
    """A list does not advance: going on would never end."""


class InvalidResponseError(ComplianceOnboardingError):
    """A successful answer does not have the shape that the contract promises."""


class APIConnectionError(ComplianceOnboardingError):
    """No complete answer arrived."""

    #: The request did not reach the server, so it cannot have taken effect.
    unsent: bool = False
    #: Repeating it may help; false for a malformed address or header.
    transient: bool = True


class APITimeoutError(APIConnectionError):
    """One attempt took longer than `timeout`."""


class DeadlineExceededError(APITimeoutError):
    """The call, with its repetitions and waits, took longer than `deadline`."""

    transient = False


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
    """What the server answered: plain data, so that an error survives pickling."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Any = None


class APIStatusError(ComplianceOnboardingError):
    """The server refused or failed (RFC 9457)."""

    #: The problem code that a generated subclass stands for.
    problem_code: ClassVar[str | None] = None

    def __init__(self, answer: ErrorAnswer) -> None:
        self.answer: Final = answer
        self.status: Final = answer.status
        self.body: Final = answer.body
        self.problem: Final[Mapping[str, Any]] = answer.body if isinstance(answer.body, dict) else {}
        #: Stable name of the problem, e.g. `invalid_state_transition`; None when the answer is no problem.
        self.code: Final[str | None] = _text(self.problem.get("code"))
        self.title: Final[str | None] = _text(self.problem.get("title"))
        self.detail: Final[str | None] = _text(self.problem.get("detail"))
        self.errors: Final[Sequence[FieldError]] = _field_errors(self.problem.get("errors"))
        self.request_id: Final[str | None] = answer.headers.get("x-request-id") or _text(
            self.problem.get("requestId")
        )
        #: Seconds that the server asks to wait, None when it does not.
        self.retry_after: float | None = None
        super().__init__(self._message())

    def _message(self) -> str:
        text = " ".join(part for part in (str(self.status), self.code) if part)
        text += f": {self.detail or self.title or 'the server gave no reason'}"
        if self.errors:
            text += " [" + "; ".join(map(str, self.errors[:5])) + (" …]" if len(self.errors) > 5 else "]")
        return f"{text} (request {self.request_id})" if self.request_id else text

    def __reduce__(self) -> tuple[type[APIStatusError], tuple[ErrorAnswer]]:
        return type(self), (self.answer,)


class BadRequestError(APIStatusError):
    """400: the request cannot be parsed, or a path, query or header value is wrong."""


class AuthenticationError(APIStatusError):
    """401: no valid credential."""


class PermissionDeniedError(APIStatusError):
    """403: a valid credential that may not do this."""


class NotFoundError(APIStatusError):
    """404: no such resource."""


class MethodNotAllowedError(APIStatusError):
    """405: the method is not allowed here."""


class NotAcceptableError(APIStatusError):
    """406: no acceptable media type."""


class ConflictError(APIStatusError):
    """409: the state of the resource does not allow this."""


class GoneError(APIStatusError):
    """410: the resource is gone for good."""


class PreconditionFailedError(APIStatusError):
    """412: the resource has changed since it was read."""


class PayloadTooLargeError(APIStatusError):
    """413: too large."""


class UnsupportedMediaTypeError(APIStatusError):
    """415: a media type that is not accepted."""


class UnprocessableContentError(APIStatusError):
    """422: the body breaks a rule; `errors` names each offending member."""


class LockedError(APIStatusError):
    """423: locked for a while."""


class PreconditionRequiredError(APIStatusError):
    """428: a condition such as `if_match` is required."""


class RateLimitError(APIStatusError):
    """429: too many requests."""


class ServerError(APIStatusError):
    """5xx: the server failed."""


class OAuthError(APIStatusError):
    """The token endpoint refused (RFC 6749 §5.2)."""

    @property
    def error(self) -> str:
        """The error code, e.g. `invalid_client`."""
        return _text(self.problem.get("error")) or "invalid_request"

    @property
    def error_description(self) -> str | None:
        """What went wrong."""
        return _text(self.problem.get("error_description"))

    def _message(self) -> str:
        text = f"{self.status} {self.error}: {self.error_description or 'the server gave no reason'}"
        return f"{text} (request {self.request_id})" if self.request_id else text


STATUS_ERRORS: Final[Mapping[int, type[APIStatusError]]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    406: NotAcceptableError,
    409: ConflictError,
    410: GoneError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableContentError,
    423: LockedError,
    428: PreconditionRequiredError,
    429: RateLimitError,
}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _field_errors(value: object) -> list[FieldError]:
    entries = [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
    return [
        FieldError(
            code=_text(entry.get("code")) or "invalid",
            message=_text(entry.get("message")) or "is not valid",
            pointer=_text(entry.get("pointer")),
            parameter=_text(entry.get("parameter")),
        )
        for entry in entries
    ]
