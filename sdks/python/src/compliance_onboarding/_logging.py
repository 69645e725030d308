"""Observation of calls: debug lines and two hooks, both without secrets and personal data.

Query strings and path parameters never appear. Of the headers, only those listed in this module are shown, and of
bodies only the names of members and the values of enumerations and flags: the client handles personal data, so it
shows only what is known to be harmless.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, ParamSpec

from compliance_onboarding._base import MASK
from compliance_onboarding._skeleton import skeleton

if TYPE_CHECKING:
    from compliance_onboarding._call import Answer, Call

P = ParamSpec("P")

default_logger: Final = logging.getLogger("compliance_onboarding")

SHOWN_HEADERS: Final = frozenset(
    {
        "accept",
        "cache-control",
        "content-length",
        "content-type",
        "date",
        "deprecation",
        "etag",
        "idempotent-replayed",
        "if-match",
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "sunset",
        "user-agent",
        "x-environment",
        "x-next-poll-at",
        "x-poll-interval",
        "x-request-id",
    }
)


@dataclass(frozen=True, slots=True)
class RequestEvent:
    """An attempt is about to be sent."""

    operation: str
    method: str
    #: The path template of the contract, without the values of its parameters.
    path: str
    #: 1 for the first.
    attempt: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ResponseEvent:
    """An attempt has ended: with a status, or with an error if no response arrived."""

    operation: str
    method: str
    path: str
    attempt: int
    seconds: float
    status: int | None = None
    request_id: str | None = None
    headers: Mapping[str, str] | None = None
    error: str | None = None


def redacted(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers, with every value masked unless it is known to be harmless."""
    return {name: value if name.lower() in SHOWN_HEADERS else MASK for name, value in headers.items()}


class PrivateHeaders(dict[str, str]):
    """Headers whose representation hides secrets, because error reports collect the variables of each frame."""

    def __repr__(self) -> str:
        return repr(redacted(self))


def log(logger: logging.Logger, level: int, message: str, *args: object) -> None:
    """Log a line. If a handler raises an error, the call, which the service has carried out, does not fail."""
    with suppress(Exception):
        logger.log(level, message, *args)


def call_hook(hook: Callable[P, object], logger: logging.Logger, *args: P.args, **kwargs: P.kwargs) -> None:
    """Call a hook of the program. Its errors are logged and not raised, because they do not concern the call."""
    try:
        hook(*args, **kwargs)
    except Exception as error:  # noqa: BLE001
        log(logger, logging.WARNING, "a hook raised %s, which changes nothing for the call", type(error).__name__)


class Watch:
    """Reports one attempt."""

    def __init__(
        self,
        *,
        on_request: Callable[[RequestEvent], None] | None,
        on_response: Callable[[ResponseEvent], None] | None,
        logger: logging.Logger,
        call: Call,
        attempt: int,
        headers: Mapping[str, str],
    ) -> None:
        operation = call.operation
        self._hook = on_response
        self._logger = logger
        self._operation = operation
        self._attempt = attempt
        self._debugs = logger.isEnabledFor(logging.DEBUG)
        self._began = time.monotonic()
        if on_request is not None:
            event = RequestEvent(operation.name, operation.method, operation.path, attempt, redacted(headers))
            call_hook(on_request, logger, event)
        if call.body is not None and self._debugs:
            log(logger, logging.DEBUG, "%s sends %s", operation.name, call.body.skeleton())

    def answered(self, answer: Answer) -> None:
        """Report a response."""
        if not self._watched:
            return
        headers = answer.http.headers
        self._report(status=answer.http.status_code, request_id=headers.get("x-request-id"), headers=redacted(headers))
        if answer.content and self._debugs:
            log(self._logger, logging.DEBUG, "%s answers %s", self._operation.name, skeleton(answer.content))

    def failed(self, error: Exception) -> None:
        """Report that no response arrived."""
        if self._watched:
            self._report(error=type(error).__name__)

    @property
    def _watched(self) -> bool:
        return self._debugs or self._hook is not None

    def _report(
        self,
        status: int | None = None,
        request_id: str | None = None,
        headers: Mapping[str, str] | None = None,
        error: str | None = None,
    ) -> None:
        operation = self._operation
        seconds = time.monotonic() - self._began
        log(
            self._logger,
            logging.DEBUG,
            "%s %s %s → %s in %.0f ms (attempt %d, request %s)",
            operation.name,
            operation.method,
            operation.path,
            status or error,
            seconds * 1000,
            self._attempt,
            request_id,
        )
        if self._hook is not None:
            event = ResponseEvent(
                operation=operation.name,
                method=operation.method,
                path=operation.path,
                attempt=self._attempt,
                seconds=seconds,
                status=status,
                request_id=request_id,
                headers=headers,
                error=error,
            )
            call_hook(self._hook, self._logger, event)


_sending: Final[ContextVar[bool]] = ContextVar("compliance_onboarding_sending", default=False)


@contextmanager
def quiet_http_library() -> Generator[None, None, None]:
    """Suppress the HTTP library's log lines about requests of this package, because they show whole addresses."""
    token = _sending.set(True)
    try:
        yield
    finally:
        _sending.reset(token)


def _not_ours(record: logging.LogRecord) -> bool:
    return not _sending.get()


for _name in ("httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.http2", "httpcore2.proxy"):
    logging.getLogger(_name).addFilter(_not_ours)
