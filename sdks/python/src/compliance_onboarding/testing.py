"""A fake service for tests of programs that use this package, which responds with the examples of the contract.

    transport = ExampleTransport()
    client = transport.client()
    transport.answer("createApplication", status(503), {"status": "submitted"})

`transport.requests` lists the received requests. No server runs and nothing leaves the process.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

import httpx2

from compliance_onboarding._client import AsyncComplianceOnboarding
from compliance_onboarding._generated import operations
from compliance_onboarding._generated.examples import EXAMPLES
from compliance_onboarding._generated.sync._client import ComplianceOnboarding
from compliance_onboarding._operation import Operation

__all__ = [
    "Answer",
    "ExampleTransport",
    "Fault",
    "Seen",
    "empty",
    "html",
    "reset_after",
    "reset_before",
    "slow",
    "status",
    "truncated",
    "unknown_members",
]

_REQUEST_ID: Final = "00000000-0000-7000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class Seen:
    """A received request."""

    #: The id of the operation in the contract.
    operation: str
    method: str
    #: The path with its values, and the query.
    target: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.content)


#: Changes the answer of an example, or raises what happens in its place.
Change: TypeAlias = Callable[[httpx2.Response], httpx2.Response]


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure, or a behaviour of a later server."""

    change: Change
    #: Seconds that pass before.
    seconds: float = 0.0


_Plain: TypeAlias = Mapping[str, Any] | Fault | httpx2.Response
#: Members that differ from the example, a fault, a whole response, or what makes one of these of a request.
Answer: TypeAlias = _Plain | Callable[[Seen], _Plain]


class ExampleTransport(httpx2.BaseTransport, httpx2.AsyncBaseTransport):
    """A transport of the HTTP library, for synchronous and asynchronous clients alike."""

    def __init__(self) -> None:
        self.requests: list[Seen] = []
        self._answers: dict[str, list[Answer]] = {}

    def answer(self, operation: str, *answers: Answer) -> None:
        """Respond to an operation (by its id) with these, one after the other; the last one is repeated."""
        if operation not in EXAMPLES:
            raise ValueError(f"the contract has no operation {operation!r}")
        self._answers[operation] = list(answers)

    def client(self, **options: Any) -> ComplianceOnboarding:
        """Return a client that uses this transport."""
        return ComplianceOnboarding(**{**_OPTIONS, **options}, http_client=httpx2.Client(transport=self))

    def async_client(self, **options: Any) -> AsyncComplianceOnboarding:
        """Return an asynchronous client that uses this transport."""
        return AsyncComplianceOnboarding(**{**_OPTIONS, **options}, http_client=httpx2.AsyncClient(transport=self))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Respond to a synchronous client."""
        response, fault = self._planned(request, request.read())
        wait, is_late = _wait(request, fault)
        time.sleep(wait)
        return _answered(request, response, fault, is_late=is_late)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Respond to an asynchronous client."""
        response, fault = self._planned(request, await request.aread())
        wait, is_late = _wait(request, fault)
        await asyncio.sleep(wait)
        return _answered(request, response, fault, is_late=is_late)

    def _planned(self, request: httpx2.Request, content: bytes) -> tuple[httpx2.Response, Fault | None]:
        operation = _operation_of(request)
        target = request.url.raw_path.decode()
        seen = Seen(operation.name, request.method, target, dict(request.headers), content)
        self.requests.append(seen)
        answers = self._answers.get(operation.name) or [_AS_SHOWN]
        planned = answers.pop(0) if len(answers) > 1 else answers[0]
        answer = planned(seen) if callable(planned) else planned
        if isinstance(answer, httpx2.Response):
            return answer, None
        fault = answer if isinstance(answer, Fault) else None
        return _example(operation.name, {} if isinstance(answer, Fault) else answer), fault


_AS_SHOWN: Final[Mapping[str, Any]] = {}
_OPTIONS: Final[Mapping[str, Any]] = {"base_url": "http://localhost", "access_token": "test"}


def status(code: int, problem: str | None = None, *, retry_after: float | None = None, **members: object) -> Fault:
    """Return a refusal or failure with a status: a problem with a code of the contract and its members."""
    headers = {"x-request-id": _REQUEST_ID, "content-type": "application/problem+json"}
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    body = {"type": "about:blank", "title": "For a test", "status": code, "requestId": _REQUEST_ID, **members}
    content = json.dumps({**body, "code": problem} if problem else body).encode()
    return Fault(lambda _: httpx2.Response(code, headers=headers, content=content))


def _raising(error: httpx2.TransportError) -> Change:
    def change(response: httpx2.Response) -> httpx2.Response:
        raise error

    return change


#: The connection is never made: nothing is sent.
reset_before: Final = Fault(_raising(httpx2.ConnectError("refused for a test")))
#: The connection breaks off after the request was sent: nobody knows what came of it.
reset_after: Final = Fault(_raising(httpx2.ReadError("reset for a test")))
#: A proxy answers a page of its own.
html: Final = Fault(
    lambda response: httpx2.Response(
        response.status_code, headers={"content-type": "text/html"}, content=b"<html><body>Sign in</body></html>"
    )
)
#: The body is missing.
empty: Final = Fault(lambda response: httpx2.Response(response.status_code, content=b""))


def slow(seconds: float) -> Fault:
    """Respond after this number of seconds, or let the attempt time out if its limit is shorter."""
    return Fault(lambda response: response, seconds)


def _truncated(response: httpx2.Response) -> httpx2.Response:
    return httpx2.Response(response.status_code, headers=response.headers, stream=_HalfStream(response.content))


def _with_unknown_members(response: httpx2.Response) -> httpx2.Response:
    content = json.dumps(_extended(json.loads(response.content))).encode()
    return httpx2.Response(response.status_code, headers=_headers("application/json"), content=content)


#: The connection breaks off in the middle of the body.
truncated: Final = Fault(_truncated)
#: A later server sends members that this version does not know, in every object.
unknown_members: Final = Fault(_with_unknown_members)


class _HalfStream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._half = content[: len(content) // 2]

    def __iter__(self) -> Iterator[bytes]:
        yield self._half
        raise httpx2.RemoteProtocolError("the peer closed the connection in the middle of the body, for a test")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def _extended(value: object) -> object:
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        return {**{name: _extended(member) for name, member in members.items()}, "addedLater": {"by": "a later server"}}
    return [_extended(item) for item in cast("list[object]", value)] if isinstance(value, list) else value


def _operation_of(request: httpx2.Request) -> Operation:
    path = request.url.raw_path.decode().partition("?")[0]
    found = [one for one in _OPERATIONS if one.method == request.method and _pattern(one.path).search(path)]
    if not found:
        raise LookupError(f"the contract has no operation {request.method} {path}")
    # A path without parameters is nearer than one with them.
    return min(found, key=lambda one: one.path.count("{"))


_OPERATIONS: Final = [one for one in vars(operations).values() if isinstance(one, Operation)]


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{[^}]+\}", "[^/]+", re.escape(template)) + "$")


def _example(operation: str, changes: Mapping[str, Any]) -> httpx2.Response:
    code, media_type, text = EXAMPLES[operation]
    if media_type is None:
        return httpx2.Response(code, headers=_headers(None))
    body = {**json.loads(text), **changes} if changes else None
    return httpx2.Response(
        code, headers=_headers(media_type), content=text.encode() if body is None else json.dumps(body).encode()
    )


def _headers(media_type: str | None) -> dict[str, str]:
    return {"x-request-id": _REQUEST_ID, **({} if media_type is None else {"content-type": media_type})}


def _wait(request: httpx2.Request, fault: Fault | None) -> tuple[float, bool]:
    """Return how long to wait, and whether the wait lasts until the limit of the attempt."""
    seconds = 0.0 if fault is None else fault.seconds
    limit: float | None = request.extensions.get("timeout", {}).get("read")
    return (limit, True) if limit is not None and seconds > limit else (seconds, False)


def _answered(
    request: httpx2.Request, response: httpx2.Response, fault: Fault | None, *, is_late: bool
) -> httpx2.Response:
    if is_late:
        raise httpx2.ReadTimeout("slow for a test", request=request)
    return response if fault is None else fault.change(response)
