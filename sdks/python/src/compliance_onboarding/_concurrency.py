"""The few places where asynchronous and synchronous code differ in more than keywords.

The synchronous client is derived from the asynchronous one by exchanging names; each pair here has the same
members, so that the exchange is all it takes.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from types import TracebackType
from typing import Self
from weakref import WeakKeyDictionary

import httpx2

from compliance_onboarding._errors import APITimeoutError


class _Clock:
    """Time left of a limit; `error` is raised when nothing is."""

    def __init__(self, seconds: float | None, error: Callable[[], APITimeoutError]) -> None:
        self._error = error
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        return None if self._end is None else self._end - time.monotonic()

    def check(self) -> None:
        remaining = self.remaining()
        if remaining is not None and remaining <= 0:
            raise self._error()


class TimeLimit(_Clock):
    """A limit that a thread keeps by asking `check` and `remaining`."""

    def __enter__(self) -> Self:
        self.check()
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        pass


class AsyncTimeLimit(_Clock):
    """A limit at which the block is cancelled."""

    async def __aenter__(self) -> Self:
        self.check()
        self._timeout = asyncio.timeout(self.remaining())
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._timeout.__aexit__(kind, error, traceback)
        except TimeoutError:
            raise self._error() from None


class Lock:
    """A lock that is waited for no longer than a limit allows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def locked(self) -> bool:
        return self._lock.locked()

    @contextmanager
    def held(self, limit: TimeLimit) -> Generator[None, None, None]:
        remaining = limit.remaining()
        if not self._lock.acquire(timeout=-1 if remaining is None else max(0.0, remaining)):
            limit.check()
        try:
            yield
        finally:
            self._lock.release()


class AsyncLock:
    """The same within each event loop; `AsyncTimeLimit` cancels the wait."""

    def __init__(self) -> None:
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    def _lock(self) -> asyncio.Lock:
        return self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())

    def locked(self) -> bool:
        return self._lock().locked()

    @asynccontextmanager
    async def held(self, limit: AsyncTimeLimit) -> AsyncGenerator[None, None]:
        async with self._lock():
            limit.check()
            yield


class Http:
    """The HTTP client: the caller's, or one of our own that is made when first needed."""

    def __init__(self, given: httpx2.Client | None) -> None:
        self._given = given
        self._own: httpx2.Client | None = None
        self._making = threading.Lock()

    def client(self) -> httpx2.Client:
        if self._given is not None:
            return self._given
        with self._making:
            self._own = self._own or httpx2.Client()
            return self._own

    def close(self) -> None:
        with self._making:
            own, self._own = self._own, None
        if own is not None:
            own.close()


class AsyncHttp:
    """The same for each event loop: a pooled connection cannot be used from another loop."""

    def __init__(self, given: httpx2.AsyncClient | None) -> None:
        self._given = given
        self._own: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()

    def client(self) -> httpx2.AsyncClient:
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        client = self._own.get(loop)
        if client is None:
            client = self._own[loop] = httpx2.AsyncClient()
        return client

    async def close(self) -> None:
        own = self._own.pop(asyncio.get_running_loop(), None)
        if own is not None:
            await own.aclose()


async_sleep = asyncio.sleep
sleep = time.sleep
