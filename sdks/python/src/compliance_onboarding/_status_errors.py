"""Error classes by HTTP status, and the error of the token endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from compliance_onboarding._errors import APIStatusError

__all__ = [
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "GoneError",
    "LockedError",
    "MethodNotAllowedError",
    "NotAcceptableError",
    "NotFoundError",
    "OAuthError",
    "PayloadTooLargeError",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "PreconditionRequiredError",
    "RateLimitError",
    "RedirectError",
    "ServerError",
    "UnprocessableContentError",
    "UnsupportedMediaTypeError",
]


class RedirectError(APIStatusError):
    """3xx: the redirect is refused, because following it would send the credential to another server."""


class BadRequestError(APIStatusError):
    """400: the request cannot be parsed, or a path, query or header value is wrong."""


class AuthenticationError(APIStatusError):
    """401: no valid credential."""


class PermissionDeniedError(APIStatusError):
    """403: the credential is valid but lacks the permission."""


class NotFoundError(APIStatusError):
    """404: no such resource."""


class MethodNotAllowedError(APIStatusError):
    """405: the method is not allowed for this path."""


class NotAcceptableError(APIStatusError):
    """406: the server cannot answer in a media type that the request accepts."""


class ConflictError(APIStatusError):
    """409: the state of the resource does not allow the operation."""


class GoneError(APIStatusError):
    """410: the resource is permanently gone."""


class PreconditionFailedError(APIStatusError):
    """412: the resource has changed since it was read."""


class PayloadTooLargeError(APIStatusError):
    """413: the body is too large."""


class UnsupportedMediaTypeError(APIStatusError):
    """415: the server does not accept the media type of the body."""


class UnprocessableContentError(APIStatusError):
    """422: the body breaks a rule; `errors` names each invalid field."""


class LockedError(APIStatusError):
    """423: the resource is temporarily locked."""


class PreconditionRequiredError(APIStatusError):
    """428: a condition such as `if_match` is required."""


class RateLimitError(APIStatusError):
    """429: too many requests."""


class ServerError(APIStatusError):
    """5xx: the server failed."""


class OAuthError(APIStatusError):
    """The token endpoint refused the request (RFC 6749 §5.2)."""

    @property
    def error(self) -> str:
        """The error code, e.g. `invalid_client`."""
        return self._text("error") or "invalid_request"

    @property
    def error_description(self) -> str | None:
        """The server's description, or None if it sent none."""
        return self._text("error_description")

    def _message(self) -> str:
        text = f"{self.status} {self.error}: {self.error_description or 'the server gave no reason'}"
        return f"{text} (request {self.request_id})" if self.request_id else text


#: Other statuses are mapped by their range: 3xx to `RedirectError`, 5xx to `ServerError`.
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
