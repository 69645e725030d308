"""Results with their HTTP responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Generic, ParamSpec, TypeVar

import httpx2

from compliance_onboarding._call import Answer

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Response(Generic[T]):
    """The result of a method with its HTTP response."""

    data: T
    #: The response of the HTTP library; its body has been read into `content`, except for a download.
    http: httpx2.Response
    content: bytes = field(repr=False)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.http.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; names are case-insensitive."""
        return self.http.headers

    @property
    def request_id(self) -> str | None:
        """The id to name to the service's operators."""
        return self.http.headers.get("x-request-id")

    @property
    def etag(self) -> str | None:
        """The validator for `if_match`."""
        return self.http.headers.get("etag")

    @property
    def replayed(self) -> bool:
        """Whether the server replayed the response to an earlier call with the same idempotency key."""
        return self.http.headers.get("idempotent-replayed") == "true"


_answers: Final[ContextVar[list[Answer] | None]] = ContextVar("compliance_onboarding_answers", default=None)


def note(answer: Answer) -> None:
    """Store a response for the `with_response` call that waits for it, if any."""
    answers = _answers.get()
    if answers is not None:
        answers.append(answer)


@contextmanager
def _noted() -> Generator[list[Answer], None, None]:
    answers: list[Answer] = []
    token = _answers.set(answers)
    try:
        yield answers
    finally:
        _answers.reset(token)


def with_response(method: Callable[P, T]) -> Callable[P, Response[T]]:
    """Make a method return its result with the response."""

    def call(*args: P.args, **kwargs: P.kwargs) -> Response[T]:
        with _noted() as answers:
            data = method(*args, **kwargs)
        return Response(data, answers[-1].http, answers[-1].content)

    return call


def async_with_response(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[Response[T]]]:
    """Make an asynchronous method return its result with the response."""

    async def call(*args: P.args, **kwargs: P.kwargs) -> Response[T]:
        with _noted() as answers:
            data = await method(*args, **kwargs)
        return Response(data, answers[-1].http, answers[-1].content)

    return call
