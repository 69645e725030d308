"""Socket timeouts of a call, and idle limits of response bodies.

The HTTP library applies its timeouts to single reads, and a slow response needs many of them. For the synchronous
client, this module shortens each wait to the remaining time of the innermost `TimeLimit`, so that a call ends on time
even if its response arrives slowly. The asynchronous client needs plain timeouts only, because its limit cancels the
task.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any, Final, cast

import httpx2

from compliance_onboarding._concurrency import AsyncTimeLimit, TimeLimit, time_left
from compliance_onboarding._errors import APITimeoutError
from compliance_onboarding._outcome import Attempt

#: Shortest wait, because a timeout of zero would make a socket non-blocking.
_SHORTEST: Final = 0.001
_KINDS: Final = ("connect", "read", "write", "pool")
_CONNECTED: Final = ("connect_tcp.complete", "connect_unix_socket.complete")


class _TimeLeft(Mapping[str, "float | None"]):
    """The timeouts of one request, computed anew whenever the library reads one of them."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def __getitem__(self, kind: str) -> float | None:
        if kind not in _KINDS:
            raise KeyError(kind)
        return shortened(self._seconds)

    def __iter__(self) -> Iterator[str]:
        return iter(_KINDS)

    def __len__(self) -> int:
        return len(_KINDS)


def extensions(seconds: float | None, attempt: Attempt) -> dict[str, Any]:
    """Return extensions that make a request of the HTTP library observe the limits and report its progress."""
    return {"timeout": _TimeLeft(seconds), "trace": _tracing(attempt)}


def async_extensions(seconds: float | None, attempt: Attempt) -> dict[str, Any]:
    """Return the extensions with plain timeouts, because the limit cancels the task."""
    return {"timeout": dict.fromkeys(_KINDS, seconds), "trace": _async_tracing(attempt)}


def shortened(seconds: float | None) -> float | None:
    """Return the shorter of a timeout and the remaining time."""
    left = time_left()
    if left is None:
        return seconds
    return max(_SHORTEST, left if seconds is None else min(seconds, left))


def _tracing(attempt: Attempt) -> Callable[[str, Mapping[str, Any]], None]:
    """Return the callback to which the library reports every step; it limits each new connection."""

    def on_step(step: str, info: Mapping[str, Any]) -> None:
        attempt.note(step)
        if step.endswith(_CONNECTED):
            _keep_limits(info["return_value"])

    return on_step


def _async_tracing(attempt: Attempt) -> Callable[[str, Mapping[str, Any]], Awaitable[None]]:
    async def on_step(step: str, _: Mapping[str, Any]) -> None:
        attempt.note(step)

    return on_step


def _keep_limits(stream: Any) -> None:
    """Make every read, write and TLS handshake of a connection wait no longer than the call may."""
    read, write, start_tls = stream.read, stream.write, stream.start_tls

    def limited_read(max_bytes: int, timeout: float | None = None) -> Any:
        return read(max_bytes, timeout=shortened(timeout))

    def limited_write(buffer: bytes, timeout: float | None = None) -> Any:
        return write(buffer, timeout=shortened(timeout))

    def limited_start_tls(ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> Any:
        secured = start_tls(ssl_context, server_hostname=server_hostname, timeout=shortened(timeout))
        _keep_limits(secured)
        return secured

    stream.read, stream.write, stream.start_tls = limited_read, limited_write, limited_start_tls


class IdleStream(httpx2.SyncByteStream):
    """The body of a response. Each piece must arrive within `seconds`; the total time is unlimited."""

    def __init__(self, stream: object, seconds: float | None, error: Callable[[], APITimeoutError]) -> None:
        self._stream = cast("httpx2.SyncByteStream", stream)
        self._seconds = seconds
        self._error = error

    def __iter__(self) -> Iterator[bytes]:
        pieces = iter(self._stream)
        while True:
            with TimeLimit(self._seconds, self._error):
                piece = next(pieces, None)
            if piece is None:
                return
            yield piece

    def close(self) -> None:
        self._stream.close()


class AsyncIdleStream(httpx2.AsyncByteStream):
    """The asynchronous form of `IdleStream`."""

    def __init__(self, stream: object, seconds: float | None, error: Callable[[], APITimeoutError]) -> None:
        self._stream = cast("httpx2.AsyncByteStream", stream)
        self._seconds = seconds
        self._error = error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = aiter(self._stream)
        while True:
            async with AsyncTimeLimit(self._seconds, self._error):
                piece = await anext(pieces, None)
            if piece is None:
                return
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
